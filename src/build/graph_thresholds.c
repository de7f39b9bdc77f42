/// Thresholds of transitions, chosen by what they connect.
///
/// Kovar's user looks at how connectivity grows with the threshold and takes five minutes; here a label's threshold is
/// at the knee of that curve, beyond which joins become worse and little more hangs together, and the smallest are
/// taken with which one label can be left for another in time.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_caps.h"
#include "build/graph_trial.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Thresholds in the table of connectivity: this share of the greatest distance apart, 1 cm.
#define TABLE_STEP 0.025f
#define TABLE_COUNT 24

// Between labels that cannot be left in time from everywhere, this part of what the greatest threshold gives must do.
#define NEARLY_ALL 0.98f

// Between two labels one transition, in a place that few walks pass, can be enough to be in time. Up to so many are
// taken if they are hardly worse, so that a change can come where it is asked for.
#define ENOUGH 24
#define SLACK 1.1f

/// A choice between two labels, or within one. The trial sees `from`, settled if `to` is another.
typedef struct Choice
{
	rpTrial* trial;
	int from, to;

	/// Distances of all transitions between the two that are of use, sorted; between two labels also the exits.
	float* distances;
	int count;
	rpTrialExit* exits;
	int exitCount;

	/// Frames until the other label.
	int longest;

	/// The greatest distance that may be chosen.
	float cap;
} Choice;

static bool openChoice(Choice* choice, rpError* error)
{
	if (choice->from == choice->to)
	{
		choice->distances = rpTrial_ListDistances(choice->trial, &choice->count, error);
		return choice->distances != NULL;
	}
	choice->exits = rpTrial_ListExits(choice->trial, choice->to, &choice->exitCount, error);
	choice->distances = rpAllocate((size_t)choice->exitCount + 1, sizeof(float), error);
	for (int i = 0; choice->exits != NULL && choice->distances != NULL && i < choice->exitCount; ++i)
	{
		if (choice->exits[i].distance >= 0.0f)
		{
			choice->distances[choice->count++] = choice->exits[i].distance;
		}
	}
	return choice->exits != NULL && choice->distances != NULL;
}

static void closeChoice(Choice* choice)
{
	rpFree(choice->distances);
	rpFree(choice->exits);
}

// How many of the sorted distances are not above a threshold.
static int countTransits(const Choice* choice, float threshold)
{
	int low = 0, high = choice->count;
	while (low < high)
	{
		int middle = (low + high) / 2;
		if (choice->distances[middle] <= threshold)
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

// Within a label: share of its frames in its largest component. Between two: share of the nodes of that component that
// reach the other in time. Negative: no memory.
static float evaluate(const Choice* choice, float threshold, rpError* error)
{
	if (choice->from == choice->to)
	{
		return rpTrial_GetShare(choice->trial, threshold, error);
	}
	int count = 0;
	while (count < choice->exitCount && choice->exits[count].distance <= threshold)
	{
		++count;
	}
	return rpTrial_GetSwitchShare(choice->trial, choice->exits, count, choice->longest);
}

// The smallest of the sorted distances whose share is enough; connectivity never falls when transitions are added.
static bool findSmallest(const Choice* choice, float wanted, float* out, rpError* error)
{
	int low = 0, high = choice->count - 1;
	while (low < high)
	{
		int middle = (low + high) / 2;
		float share = evaluate(choice, choice->distances[middle], error);
		if (share < 0.0f)
		{
			return false;
		}
		if (share >= wanted)
		{
			high = middle;
		}
		else
		{
			low = middle + 1;
		}
	}
	*out = choice->distances[low];
	return true;
}

// The share at the knee of connectivity (V. Satopaa et al., "Finding a kneedle in a haystack", 2011): where what hangs
// together, of all that the cap gives, is farthest above the part of the cap that is used. Negative: no memory.
static float findKnee(const Choice* choice, float max, rpError* error)
{
	float knee = 0.0f, farthest = -1.0f;
	for (int i = 1; i <= TABLE_COUNT; ++i)
	{
		float used = (float)i / TABLE_COUNT, share = evaluate(choice, used * choice->cap, error);
		if (share < 0.0f)
		{
			return -1.0f;
		}
		// Of equals the first, whatever rounding makes of them.
		if (share / max - used > farthest + 8.0f * FLT_EPSILON)
		{
			farthest = share / max - used;
			knee = share;
		}
	}
	return knee;
}

// The share that a threshold is to give, of `max` that there can be. Negative: no memory.
static float findWanted(const Choice* choice, const rpGraphDef* def, float max, rpError* error)
{
	if (choice->from != choice->to)
	{
		return max < 1.0f ? NEARLY_ALL * max : 1.0f;
	}
	float knee = max > 0.0f ? findKnee(choice, max, error) : 0.0f;
	return fminf(knee, def->wantedShare);
}

// A label of which nothing goes on for ever under its cap does so with the nearest joins that let it.
static bool liftCap(Choice* choice, rpError* error)
{
	int all = choice->count;
	float min = 0.0f, max = all > 0 ? evaluate(choice, choice->distances[all - 1], error) : 0.0f;
	if (max > 0.0f && !findSmallest(choice, FLT_MIN, &min, error))
	{
		return false;
	}
	choice->cap = fmaxf(choice->cap, SLACK * min);
	return max >= 0.0f;
}

static bool choose(const Choice* given, const rpGraphDef* def, float* out, rpError* error)
{
	Choice capped = *given;
	const Choice* choice = &capped;
	*out = 0.0f;
	if (choice->from == choice->to && !liftCap(&capped, error))
	{
		return false;
	}
	capped.count = countTransits(given, capped.cap);
	float max = choice->count > 0 ? evaluate(choice, choice->distances[choice->count - 1], error) : 0.0f;
	float wanted = findWanted(choice, def, max, error);
	if (!(max > 0.0f) || wanted < 0.0f)
	{
		return max >= 0.0f && wanted >= 0.0f;
	}
	// Labels that lie on the same frames need no transitions.
	float min = evaluate(choice, 0.0f, error);
	if (min < 0.0f || min >= wanted)
	{
		return min >= 0.0f;
	}
	bool done = findSmallest(choice, wanted, out, error);
	if (done && choice->from != choice->to)
	{
		float enough = choice->distances[choice->count < ENOUGH ? choice->count - 1 : ENOUGH - 1];
		*out = fmaxf(*out, fminf(SLACK * *out, enough));
	}
	return done;
}

static bool note(const Choice* choice, float threshold, bool isChosen, rpGraphReport* report, rpError* error)
{
	float share = evaluate(choice, threshold, error);
	int count = report->connectivityCount;
	if (share < 0.0f)
	{
		return false;
	}
	if (count % 64 == 0)
	{
		rpConnectivity* larger = rpReallocate(report->connectivity, (size_t)count + 64, sizeof(rpConnectivity), error);
		if (larger == NULL)
		{
			return false;
		}
		report->connectivity = larger;
	}
	report->connectivity[report->connectivityCount++] =
		(rpConnectivity){choice->from, choice->to, threshold, countTransits(choice, threshold), share, isChosen};
	return true;
}

// Pairs of labels that nothing connects would only fill the table.
static bool tabulate(const Choice* choice, float chosen, rpGraphReport* report, rpError* error)
{
	bool isWanted = report != NULL && choice->count > 0;
	bool done = !isWanted || note(choice, chosen, true, report, error);
	for (int i = 1; isWanted && i <= TABLE_COUNT && done; ++i)
	{
		done = note(choice, TABLE_STEP * choice->trial->examples->greatest * (float)i, false, report, error);
	}
	return done;
}

// A threshold that somebody gave for a pair of labels; false if nobody did, or left it to us.
static bool findGiven(const rpExamples* examples, const rpGraphDef* def, int from, int to, float* out)
{
	for (int i = 0; i < def->thresholdCount; ++i)
	{
		const rpThreshold* given = &def->thresholds[i];
		if (strcmp(given->from, examples->labels[from]) == 0 && strcmp(given->to, examples->labels[to]) == 0)
		{
			*out = given->distance > 0.0f ? given->distance : 0.0f;
			return true;
		}
	}
	*out = def->threshold;
	return def->threshold > 0.0f;
}

static bool choosePair(rpTrial* trial, int from, int to, float cap, const rpGraphDef* def, float* limit,
					   rpGraphReport* report, rpError* error)
{
	Choice choice = {.trial = trial, .from = from, .to = to, .cap = cap};
	choice.longest = (int)fmin(def->wantedSwitch * trial->examples->fps, 0.5 * INT32_MAX);
	bool done = openChoice(&choice, error) &&
				(findGiven(trial->examples, def, from, to, limit) || choose(&choice, def, limit, error));
	done = done && tabulate(&choice, *limit, report, error);
	closeChoice(&choice);
	return done;
}

static bool reportProgress(const rpGraphDef* def, int label, int count, rpError* error)
{
	return def->progress == NULL || def->progress((double)label / count, "choosing thresholds", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

// Let the trial see a label with the transitions that were chosen for it.
static bool settle(rpTrial* trial, const rpThresholds* chosen, int label, rpError* error)
{
	float limit = chosen->limits[label * chosen->labelCount + label];
	rpTrial_SelectLabel(trial, label);
	return rpTrial_NoteIslands(trial, limit, error) && rpTrial_Settle(trial, chosen->bridges[label], error);
}

// What does not hang together at the knee is joined by the nearest transitions that do so, and only by them: somebody
// who walks and runs may change from one to the other by a join that would be too loose within either.
static bool chooseBridge(rpTrial* trial, int label, const rpGraphDef* def, rpThresholds* out, rpError* error)
{
	Choice choice = {.trial = trial, .from = label, .to = label, .cap = INFINITY};
	float limit = out->limits[label * out->labelCount + label], given;
	out->bridges[label] = limit;
	if (findGiven(trial->examples, def, label, label, &given))
	{
		return true;
	}
	bool done = openChoice(&choice, error) && rpTrial_NoteIslands(trial, limit, error);
	float min = done ? evaluate(&choice, limit, error) : -1.0f;
	float max = done && choice.count > 0 ? evaluate(&choice, choice.distances[choice.count - 1], error) : min;
	float wanted = fminf(NEARLY_ALL * max, def->wantedShare);
	done = done && min >= 0.0f && max >= 0.0f;
	if (done && min < wanted)
	{
		done = findSmallest(&choice, wanted, &out->bridges[label], error);
		rpTrial_MarkBridges(trial, out->bridges[label], out->isBridge);
	}
	closeChoice(&choice);
	return done;
}

// Labels into themselves: what hangs together decides what must reach the others.
static bool chooseWithin(rpTrial* trial, const float* caps, const rpGraphDef* def, rpThresholds* out,
						 rpGraphReport* report, rpError* error)
{
	int count = out->labelCount;
	for (int a = 0; a < count; ++a)
	{
		float* limit = &out->limits[a * count + a];
		rpTrial_SelectLabel(trial, a);
		if (!choosePair(trial, a, a, caps[a * count + a], def, limit, report, error) ||
			!chooseBridge(trial, a, def, out, error) || !settle(trial, out, a, error))
		{
			return false;
		}
		out->shares[a] = rpTrial_GetShare(trial, out->bridges[a], error);
		if (out->shares[a] < 0.0f)
		{
			return false;
		}
	}
	return true;
}

static bool chooseBetween(rpTrial* trial, const float* caps, const rpGraphDef* def, rpThresholds* out,
						  rpGraphReport* report, rpError* error)
{
	int count = out->labelCount;
	for (int a = 0; a < count; ++a)
	{
		if (!reportProgress(def, a, count, error) || !settle(trial, out, a, error))
		{
			return false;
		}
		for (int b = 0; b < count; ++b)
		{
			int k = a * count + b;
			if (a != b && !choosePair(trial, a, b, caps[k], def, &out->limits[k], report, error))
			{
				return false;
			}
		}
	}
	return true;
}

// Lift the caps of thresholds between labels where nothing would lead from one to another.
static bool liftCaps(rpTrial* trial, const rpGraphDef* def, const rpThresholds* within, float* caps, rpError* error)
{
	int count = within->labelCount;
	float* minima = rpAllocate((size_t)count * (size_t)count, sizeof(float), error);
	bool* isOpen = rpAllocate((size_t)count * (size_t)count, sizeof(bool), error);
	bool done = minima != NULL && isOpen != NULL;
	for (int a = 0; a < count && done; ++a)
	{
		done = settle(trial, within, a, error);
		if (done)
		{
			rpTrial_FindMinima(trial, minima + a * count);
		}
		for (int b = 0; b < count; ++b)
		{
			float given;
			isOpen[a * count + b] = !findGiven(trial->examples, def, a, b, &given);
		}
	}
	if (done)
	{
		rpLiftCaps(trial->examples->labelCount, minima, isOpen, caps);
	}
	rpFree(minima);
	rpFree(isOpen);
	return done;
}

bool rpChooseThresholds(const rpExamples* examples, const rpTransit* transits, int count, const rpGraphDef* def,
						rpThresholds* out, rpGraphReport* report, rpError* error)
{
	rpTrial trial;
	size_t labelCount = (size_t)examples->labelCount;
	float* caps = rpFindCaps(examples, error);
	*out = (rpThresholds){
		.limits = rpAllocateZero(labelCount * labelCount, sizeof(float), error),
		.labelCount = examples->labelCount,
		.isBridge = rpAllocateZero((size_t)count + 1, sizeof(bool), error),
	};
	bool done = rpTrial_Make(&trial, examples, transits, count, error) && out->limits != NULL &&
				out->isBridge != NULL && caps != NULL;
	trial.isStrict = def->strictPruning;
	done = done && chooseWithin(&trial, caps, def, out, report, error) && liftCaps(&trial, def, out, caps, error) &&
		   chooseBetween(&trial, caps, def, out, report, error);
	rpTrial_Free(&trial);
	rpFree(caps);
	if (!done)
	{
		rpThresholds_Free(out);
	}
	return done;
}

void rpThresholds_Free(rpThresholds* thresholds)
{
	rpFree(thresholds->limits);
	rpFree(thresholds->isBridge);
	thresholds->limits = NULL;
	thresholds->isBridge = NULL;
}

bool rpThresholds_Allow(const rpThresholds* thresholds, const rpExamples* examples, const rpTransit* transits,
						int index)
{
	const rpTransit* transit = &transits[index];
	if (thresholds->isBridge[index])
	{
		return true;
	}
	uint64_t from = rpTransit_GetFromLabels(examples, transit), to = rpTransit_GetToLabels(examples, transit);
	for (int a = 0; a < thresholds->labelCount; ++a)
	{
		for (int b = 0; b < thresholds->labelCount; ++b)
		{
			if (rpIsSwitch(from, to, a, b) && transit->distance <= thresholds->limits[a * thresholds->labelCount + b])
			{
				return true;
			}
		}
	}
	return false;
}
