/// Examples of a space: cut out of their takes with margins, registered along the chains in which they were found, and
/// measured. What does not belong is left out, and named.
#include "build/space_build.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "reprise/analysis.h"
#include "reprise/edit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The shortest example, seconds.
#define SHORTEST 0.1

// Between keys nothing is slower than this share of the mean pace.
#define SLOWEST_KEY 0.1

// Feet agree with those of the parent, left with left; an example in which left with right agree better, by this share
// of the time, is half a cycle off.
#define PHASE_MARGIN 0.2

// Looks at the feet.
#define PHASE_LOOKS 48

#define LEFT_FOOT (1u << rp_leftHeel | 1u << rp_leftBall | 1u << rp_leftToe)
#define RIGHT_FOOT (1u << rp_rightHeel | 1u << rp_rightBall | 1u << rp_rightToe)

void rpExampleSet_Free(rpExampleSet* set)
{
	for (int i = 0; i < set->count; ++i)
	{
		rpDestroyMotion(set->motions[i]);
		rpDestroyProfile(set->profiles[i]);
	}
	for (int i = 0; set->ownTakes != NULL && i < set->takeCount; ++i)
	{
		rpDestroyMotion(set->ownTakes[i]);
	}
	rpFree(set->ownTakes);
	rpFree(set->examples);
	rpFree(set->motions);
	rpFree(set->profiles);
	rpFree(set->values);
	rpFree(set->keytimes);
	rpFree(set->matches);
	rpDestroyMetric(set->ownMetric);
	*set = (rpExampleSet){0};
}

static const rpMotion* getTake(const rpExampleSet* set, int index)
{
	return set->ownTakes[index] != NULL ? set->ownTakes[index] : set->takes[index];
}

void rpExampleSet_Name(const rpExampleSet* set, int index, char* out, size_t size)
{
	const rpSpaceExample* example = &set->examples[index];
	snprintf(out, size, "\"%.100s\"%s from %.2f to %.2f s", getTake(set, example->clip)->name,
			 example->isMirror ? " mirrored" : "", example->from, example->to);
}

// ---- takes

// Contacts are found on whole takes: near the ends of a short stretch they are uncertain. A body without feet has none.
static bool findContacts(rpExampleSet* set, int index, rpError* error)
{
	const rpMotion* take = set->takes[index];
	rpError why = {0};
	if (set->ownTakes[index] != NULL || rpMotion_GetIntervals(take, rp_trackContact, NULL, 0) > 0)
	{
		return true;
	}
	rpMotion* copy = set->ownTakes[index] = rpCopyMotion(take, error);
	return copy != NULL && (rpDetectContacts(copy, NULL, NULL, &why) || why.code != rp_errorMemory ||
							rpFail(error, rp_errorMemory, "out of memory"));
}

static bool prepareTakes(rpExampleSet* set, rpError* error)
{
	bool done = true;
	for (int i = 0; i < set->takeCount && done; ++i)
	{
		done = rpSkeleton_Matches(set->takes[i]->skeleton, set->takes[0]->skeleton) ||
			   rpFail(error, rp_errorArgument, "\"%.100s\" has another skeleton than \"%.100s\"", set->takes[i]->name,
					  set->takes[0]->name);
	}
	if (!done)
	{
		rpError_SetHint(error, "reprise convert --onto puts takes onto one skeleton");
	}
	return done;
}

static bool isWithin(const rpMatch* match, const rpExampleSet* set, int index, rpError* error)
{
	const rpStretch* stretch = &match->stretch;
	if (stretch->clip < 0 || stretch->clip >= set->takeCount || match->parent >= index)
	{
		return rpFail(error, rp_errorArgument, "example %d is of take %d, its parent is %d; there are %d takes", index,
					  stretch->clip, match->parent, set->takeCount);
	}
	const rpMotion* take = set->takes[stretch->clip];
	double duration = rpMotion_GetDuration(take);
	bool isSound =
		stretch->start >= 0.0 && stretch->end - stretch->start >= SHORTEST && stretch->end <= duration + 1e-6;
	return isSound ||
		   rpFail(error, rp_errorArgument,
				  "example %d: from %g to %g s of \"%.100s\", which lasts %.3f s; it must be inside of that, "
				  "and %g s long",
				  index, stretch->start, stretch->end, take->name, duration, SHORTEST);
}

// ---- cutting

// What is nearer to the floor than this is the floor, metres: heights of contacts differ by 1 to 2 cm on it, and stairs
// and platforms of captures are 15 cm high and more.
#define LOWEST_STEP 0.08f

// The height of what bears an example where it begins; else of the first that does.
static float findFloor(const rpMotion* motion, double start)
{
	float height = 0.0f;
	double best = INFINITY;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		bool bears = rpInterval_IsFootContact(interval) && interval->end > start;
		double wait = bears ? fmax(interval->start - start, 0.0) : INFINITY;
		if (wait < best || (wait == best && bears && interval->supportHeight < height))
		{
			best = wait;
			height = interval->supportHeight;
		}
	}
	return fabsf(height) < LOWEST_STEP ? 0.0f : height;
}

static rpMotion* mirror(rpMotion* motion, bool isMirror, rpError* error)
{
	if (motion == NULL || !isMirror)
	{
		return motion;
	}
	rpMotion* image = rpMirrorMotion(motion, error);
	rpDestroyMotion(motion);
	return image;
}

static rpMotion* putOnFloor(rpMotion* motion, double start, rpError* error)
{
	if (motion == NULL)
	{
		return NULL;
	}
	rpGroundTransform ground = {0.0f, {0.0f, -findFloor(motion, start), 0.0f}};
	rpMotion* moved = rpMoveMotion(motion, ground, error);
	rpDestroyMotion(motion);
	return moved;
}

// Frames of a take around a stretch: first and last, and with margins.
typedef struct Cut
{
	int first, last, from, to;
} Cut;

static Cut findCut(const rpMotion* take, double start, double end, double before, double after)
{
	double latest = take->frameCount - 1.0;
	Cut cut = {.first = (int)fmin(round(start * take->fps), take->frameCount),
			   .last = (int)fmin(round(end * take->fps), latest)};
	cut.from = cut.first - (int)round(before * take->fps);
	cut.to = cut.last + (int)round(after * take->fps);
	cut.from = cut.from > 0 ? cut.from : 0;
	cut.to = cut.to < take->frameCount ? cut.to : take->frameCount - 1;
	return cut;
}

static rpMotion* cut(const rpMotion* take, const Cut* range, bool isMirror, rpError* error)
{
	double start = (range->first - range->from) / take->fps;
	rpMotion* motion = mirror(rpCropFrames(take, range->from, range->to - range->from + 1, error), isMirror, error);
	return putOnFloor(motion, start, error);
}

static rpMotion* cutExample(const rpExampleSet* set, const rpStretch* stretch, rpSpaceExample* out, rpError* error)
{
	const rpMotion* take = getTake(set, stretch->clip);
	Cut range = findCut(take, stretch->start, stretch->end, set->def->margin, set->def->margin);
	*out = (rpSpaceExample){.clip = stretch->clip,
							.isMirror = stretch->isMirror,
							.from = range.first / take->fps,
							.to = range.last / take->fps,
							.start = (range.first - range.from) / take->fps,
							.end = (range.last - range.from) / take->fps,
							.margin = (range.to - range.last) / take->fps,
							.parent = -1};
	return cut(take, &range, stretch->isMirror, error);
}

rpMotion* rpCutSpaceExample(const rpMotion* take, const rpSpaceExample* example, bool* isChanged, rpError* error)
{
	Cut range = findCut(take, example->from, example->to, example->start, example->margin);
	double last = (range.last - range.from) / take->fps;
	*isChanged = range.first > range.last || fabs(last - example->end) > 1e-6 ||
				 fabs((range.to - range.last) / take->fps - example->margin) > 1e-6;
	return *isChanged ? NULL : cut(take, &range, example->isMirror, error);
}

// The stretch alone, as the metric sees it.
static rpProfile* makeProfile(const rpExampleSet* set, int index, rpError* error)
{
	const rpSpaceExample* example = &set->examples[index];
	rpMotion* core = rpCropMotion(set->motions[index], example->start, example->end, error);
	rpProfile* profile = core != NULL ? rpCreateProfile(set->metric, core, error) : NULL;
	rpDestroyMotion(core);
	return profile;
}

// ---- registering

static double* getKeys(const rpExampleSet* set, int index)
{
	return set->keytimes + (size_t)index * (size_t)set->keyCount;
}

static void setFirstKeys(rpExampleSet* set, int index)
{
	const rpSpaceExample* example = &set->examples[index];
	double* keys = getKeys(set, index);
	for (int k = 0; k < set->keyCount; ++k)
	{
		keys[k] = example->start + (example->end - example->start) * k / (set->keyCount - 1);
	}
	keys[set->keyCount - 1] = example->end;
}

// Keys as the parent's, along the curve between the two stretches; the ends are the ends.
static void setKeys(rpExampleSet* set, int index, const rpTimeCurve* curve)
{
	const rpSpaceExample *own = &set->examples[index], *parent = &set->examples[own->parent];
	const double* from = getKeys(set, own->parent);
	double* to = getKeys(set, index);
	int last = set->keyCount - 1;
	double least = SLOWEST_KEY * (own->end - own->start) / last;
	to[0] = own->start;
	for (int k = 1; k < last; ++k)
	{
		double time = own->start + rpTimeCurve_Apply(curve, from[k] - parent->start);
		to[k] = fmin(fmax(time, to[k - 1] + least), own->end - least * (last - k));
	}
	to[last] = own->end;
}

static bool registerWithParent(rpExampleSet* set, int index, bool* isRegistered, rpError* error)
{
	rpSpaceExample *own = &set->examples[index], *parent = &set->examples[own->parent];
	int rows = rpProfile_GetFrameCount(set->profiles[own->parent]);
	int columns = rpProfile_GetFrameCount(set->profiles[index]);
	float* grid = rpAllocate((size_t)rows * (size_t)columns, sizeof(float), error);
	rpMotion* a = grid != NULL ? rpCropMotion(set->motions[own->parent], parent->start, parent->end, error) : NULL;
	rpMotion* b = a != NULL ? rpCropMotion(set->motions[index], own->start, own->end, error) : NULL;
	rpTimeCurve curve = {0};
	rpError why = {0};
	bool done = b != NULL;
	*isRegistered = done && rpRegisterPair(&set->def->registration, set->metric, set->profiles[own->parent],
										   set->profiles[index], a, b, grid, &curve, &why);
	if (*isRegistered)
	{
		own->distance = (float)curve.cost;
		setKeys(set, index, &curve);
	}
	else if (done && why.code != rp_errorNoSolution)
	{
		done = false;
		if (error != NULL)
		{
			*error = why;
		}
	}
	++set->registrationCount;
	rpTimeCurve_Free(&curve);
	rpDestroyMotion(b);
	rpDestroyMotion(a);
	rpFree(grid);
	return done;
}

// ---- phase

static unsigned getFeet(const rpMotion* motion, double time)
{
	unsigned feet = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (rpInterval_IsFootContact(interval) && interval->start <= time && time < interval->end)
		{
			feet |= (1u << interval->effector & LEFT_FOOT) != 0 ? 1u : 2u;
		}
	}
	return feet;
}

// Whether its left foot does what its parent's right one does. At equal shares of their times, not along the alignment:
// that squeezes and stretches steps until the feet agree.
static bool isOutOfPhase(const rpExampleSet* set, int index)
{
	static const unsigned s_swapped[] = {0, 2, 1, 3};
	int same = 0, other = 0;
	const rpSpaceExample *own = &set->examples[index], *parent = &set->examples[own->parent];
	for (int i = 0; i < PHASE_LOOKS; ++i)
	{
		double share = (i + 0.5) / PHASE_LOOKS;
		unsigned a = getFeet(set->motions[own->parent], parent->start + share * (parent->end - parent->start));
		unsigned b = getFeet(set->motions[index], own->start + share * (own->end - own->start));
		same += a == b;
		other += a == s_swapped[b];
	}
	return other - same > PHASE_MARGIN * PHASE_LOOKS;
}

// ---- the set

static void destroyLast(rpExampleSet* set)
{
	rpDestroyMotion(set->motions[set->count]);
	rpDestroyProfile(set->profiles[set->count]);
	set->motions[set->count] = NULL;
	set->profiles[set->count] = NULL;
}

// The example that is nearest to one in what the features say.
static int findNearest(const rpExampleSet* set, const rpFeatureList* features, int index)
{
	int nearest = 0;
	float least = INFINITY;
	for (int i = 0; i < index; ++i)
	{
		float sum = 0.0f;
		for (int k = 0; k < rpFeatureList_GetCount(features); ++k)
		{
			float tolerance = set->def->tolerances[rpFeatureList_GetInfo(features, k)->unit];
			float difference = (set->values[i][k] - set->values[index][k]) / tolerance;
			sum += difference * difference;
		}
		nearest = sum < least ? i : nearest;
		least = fminf(sum, least);
	}
	return nearest;
}

// The example of a match's parent, or of the nearest of those before it in its chain that are left; without a chain the
// one that does most nearly the same.
static int findParent(const rpExampleSet* set, const rpMatch* matches, int match, const rpFeatureList* features)
{
	for (int at = matches[match].parent; at >= 0; at = matches[at].parent)
	{
		for (int i = 0; i < set->count; ++i)
		{
			if (set->matches[i] == at)
			{
				return i;
			}
		}
	}
	return findNearest(set, features, set->count);
}

static void tell(const rpExampleSet* set, int index, rpFindings* findings, const char* code, const char* what)
{
	char name[200];
	rpExampleSet_Name(set, index, name, sizeof(name));
	rpFinding_SetAction(rpFindings_Add(findings, code, "%s %s", name, what), true, "it is left out");
}

// What a feature lacks, by the name and the seconds of the take: the example has others. Where the whole take has it,
// by those of the example. The finding's action says what there is instead.
static void tellMissing(const rpExampleSet* set, int index, const rpStretch* from, const rpFeatureList* features,
						const rpError* why, rpFindings* findings)
{
	rpFeatureStretch stretch = {getTake(set, from->clip), from->start, from->end};
	float ignored[RP_MAX_SPACE_PARAMETERS];
	rpError error = {0};
	bool isOwn = !rpFeatureList_Measure(features, &stretch, ignored, &error) && error.code != rp_errorMemory;
	char name[200];
	rpExampleSet_Name(set, index, name, sizeof(name));
	rpFinding* finding = isOwn ? rpFindings_Add(findings, "no_feature", "%s", error.message)
							   : rpFindings_Add(findings, "no_feature", "%s: %s", name, why->message);
	const char* hint = isOwn ? error.hint : why->hint;
	rpFinding_SetAction(finding, true, "it is left out%s%s", hint[0] != 0 ? "; " : "", hint);
}

static void addFirst(rpExampleSet* set)
{
	const rpSpaceExample* example = &set->examples[0];
	double keys = ceil((example->end - example->start) / set->def->registration.knotSpacing) + 1.0;
	set->keyCount = (int)fmin(fmax(keys, 2.0), RP_MAX_SPACE_KEYS);
	setFirstKeys(set, 0);
	set->count = 1;
}

static bool addNext(rpExampleSet* set, const rpMatch* matches, int match, const rpFeatureList* features,
					rpFindings* findings, rpError* error)
{
	bool isRegistered;
	int index = set->count;
	set->examples[index].parent = findParent(set, matches, match, features);
	if (!registerWithParent(set, index, &isRegistered, error))
	{
		return false;
	}
	if (!isRegistered)
	{
		tell(set, index, findings, "not_registered", "cannot be brought into one time with the others");
		destroyLast(set);
	}
	else if (isOutOfPhase(set, index))
	{
		tell(set, index, findings, "out_of_phase",
			 "is half a cycle off: its left foot does what the others' right does");
		destroyLast(set);
	}
	else
	{
		set->count = index + 1;
	}
	return true;
}

static bool addExample(rpExampleSet* set, const rpMatch* matches, int match, const rpFeatureList* features,
					   rpFindings* findings, rpError* error)
{
	int index = set->count;
	rpError why = {0};
	if (!isWithin(&matches[match], set, match, error) || !findContacts(set, matches[match].stretch.clip, error))
	{
		return false;
	}
	set->motions[index] = cutExample(set, &matches[match].stretch, &set->examples[index], error);
	set->profiles[index] = set->motions[index] != NULL ? makeProfile(set, index, error) : NULL;
	if (set->profiles[index] == NULL)
	{
		destroyLast(set);
		return false;
	}
	set->matches[index] = match;
	const rpSpaceExample* example = &set->examples[index];
	rpFeatureStretch stretch = {set->motions[index], example->start, example->end};
	if (!rpFeatureList_Measure(features, &stretch, set->values[index], &why))
	{
		tellMissing(set, index, &matches[match].stretch, features, &why, findings);
		destroyLast(set);
		return why.code != rp_errorMemory || rpFail(error, rp_errorMemory, "out of memory");
	}
	if (index == 0)
	{
		addFirst(set);
		return true;
	}
	bool done = addNext(set, matches, match, features, findings, error);
	if (!done)
	{
		destroyLast(set);
	}
	return done;
}

static bool allocate(rpExampleSet* set, int matchCount, rpError* error)
{
	size_t count = (size_t)matchCount;
	set->ownTakes = rpAllocateZero((size_t)set->takeCount, sizeof(rpMotion*), error);
	set->examples = rpAllocateZero(count, sizeof(rpSpaceExample), error);
	set->motions = rpAllocateZero(count, sizeof(rpMotion*), error);
	set->profiles = rpAllocateZero(count, sizeof(rpProfile*), error);
	set->values = rpAllocateZero(count, sizeof(*set->values), error);
	set->keytimes = rpAllocateZero(count * RP_MAX_SPACE_KEYS, sizeof(double), error);
	set->matches = rpAllocateZero(count, sizeof(int), error);
	return set->ownTakes != NULL && set->examples != NULL && set->motions != NULL && set->profiles != NULL &&
		   set->values != NULL && set->keytimes != NULL && set->matches != NULL;
}

bool rpExampleSet_View(rpExampleSet* set, const rpSpace* space, rpError* error)
{
	rpMetricDef metricDef = rpDefaultMetricDef();
	*set = (rpExampleSet){.examples = space->examples,
						  .motions = space->motions,
						  .keytimes = space->keytimes,
						  .keyCount = space->keyCount};
	set->metric = set->ownMetric = rpCreateMetric(space->motions[0]->skeleton, &metricDef, error);
	set->profiles = rpAllocateZero((size_t)space->exampleCount, sizeof(rpProfile*), error);
	bool done = set->metric != NULL && set->profiles != NULL;
	for (int i = 0; i < space->exampleCount && done; ++i)
	{
		set->profiles[i] = makeProfile(set, i, error);
		done = set->profiles[i] != NULL;
		set->count += done;
	}
	return done;
}

void rpExampleSet_FreeView(rpExampleSet* set)
{
	for (int i = 0; i < set->count; ++i)
	{
		rpDestroyProfile(set->profiles[i]);
	}
	rpFree(set->profiles);
	rpDestroyMetric(set->ownMetric);
	*set = (rpExampleSet){0};
}

bool rpExampleSet_Make(rpExampleSet* set, const rpMotion* const* motions, int motionCount, const rpMatch* matches,
					   int matchCount, const rpFeatureList* features, const rpSpaceDef* def, rpFindings* findings,
					   rpError* error)
{
	*set = (rpExampleSet){.def = def, .takes = motions, .takeCount = motionCount, .metric = def->registration.metric};
	rpMetricDef metricDef = rpDefaultMetricDef();
	bool done = prepareTakes(set, error) && allocate(set, matchCount, error);
	if (done && set->metric == NULL)
	{
		set->metric = set->ownMetric = rpCreateMetric(motions[0]->skeleton, &metricDef, error);
		done = set->metric != NULL;
	}
	for (int i = 0; i < matchCount && done; ++i)
	{
		bool goesOn =
			def->progress == NULL || def->progress(0.3 * i / matchCount, "registering examples", def->progressContext);
		done = (goesOn || rpFail(error, rp_errorCancelled, "stopped")) &&
			   addExample(set, matches, i, features, findings, error);
	}
	return done;
}

double rpExampleSet_GetDistance(const rpExampleSet* set, int a, int b)
{
	double sum = 0.0, rate = rpMetric_GetRate(set->metric);
	const double *timesA = getKeys(set, a), *timesB = getKeys(set, b);
	for (int k = 0; k < set->keyCount; ++k)
	{
		double i = round((timesA[k] - set->examples[a].start) * rate);
		double j = round((timesB[k] - set->examples[b].start) * rate);
		i = fmin(fmax(i, 0.0), rpProfile_GetFrameCount(set->profiles[a]) - 1);
		j = fmin(fmax(j, 0.0), rpProfile_GetFrameCount(set->profiles[b]) - 1);
		sum += rpMetric_Distance(set->metric, set->profiles[a], (int)i, set->profiles[b], (int)j, NULL);
	}
	return sum / set->keyCount;
}

// All pairs of 200 examples, half a second; more tell the mean no better.
#define MOST_PAIRS 20000

double rpExampleSet_GetMeanDistance(const rpExampleSet* set)
{
	int64_t pairCount = (int64_t)set->count * (set->count - 1) / 2;
	rpRandom random = rpSeedRandom(1);
	double sum = 0.0;
	for (int n = 0; pairCount > MOST_PAIRS && n < MOST_PAIRS; ++n)
	{
		int a = rpRandom_Index(&random, set->count), b = rpRandom_Index(&random, set->count - 1);
		sum += rpExampleSet_GetDistance(set, a, b + (b >= a)) / MOST_PAIRS;
	}
	for (int a = 0; pairCount <= MOST_PAIRS && a < set->count; ++a)
	{
		for (int b = 0; b < a; ++b)
		{
			sum += rpExampleSet_GetDistance(set, a, b) / (double)pairCount;
		}
	}
	return sum;
}

void rpExampleSet_Remove(rpExampleSet* set, int index)
{
	rpDestroyMotion(set->motions[index]);
	rpDestroyProfile(set->profiles[index]);
	int parent = set->examples[index].parent, after = set->count - index - 1;
	memmove(set->examples + index, set->examples + index + 1, (size_t)after * sizeof(*set->examples));
	memmove(set->motions + index, set->motions + index + 1, (size_t)after * sizeof(*set->motions));
	memmove(set->profiles + index, set->profiles + index + 1, (size_t)after * sizeof(*set->profiles));
	memmove(set->values + index, set->values + index + 1, (size_t)after * sizeof(*set->values));
	memmove(set->matches + index, set->matches + index + 1, (size_t)after * sizeof(*set->matches));
	memmove(getKeys(set, index), getKeys(set, index + 1), (size_t)after * (size_t)set->keyCount * sizeof(double));
	--set->count;
	// Children were registered through it: what they have in common with the others stays.
	for (int i = 0; i < set->count; ++i)
	{
		int* own = &set->examples[i].parent;
		*own = *own == index ? parent : *own;
		*own -= *own > index ? 1 : 0;
	}
}
