/// Which transitions metrics pick, by the clips' contacts; and what fitted weights do to them.
#include "clip.h"
#include "command_options.h"
#include "metric_clips.h"
#include "metric_option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What came of the picks of one metric, over all pairs of clips.
typedef struct Tally
{
	/// Of the command line or static.
	const char* name;

	/// [clipCount * clipCount], from each clip to each.
	rpPickScore* scores;
	int pairCount, bestCount, bestWrongCount;
	double bestFrames;
	rpPickScore sum;

	/// A fitted metric's comparison with the tally before it, which is of even weights.
	bool isCompared;
	rpPickComparison comparison;
} Tally;

typedef struct Tallies
{
	Tally* items;
	int count;
} Tallies;

static void addScore(Tally* tally, const rpPickScore* score)
{
	if (score->momentCount == 0)
		return;
	++tally->pairCount;
	tally->sum.momentCount += score->momentCount;
	tally->sum.phaseFrames += score->phaseFrames;
	tally->sum.lateCount += score->lateCount;
	tally->sum.wrongFootCount += score->wrongFootCount;
	tally->bestCount += score->bestPhaseFrames >= 0.0;
	tally->bestFrames += fmax(score->bestPhaseFrames, 0.0);
	tally->bestWrongCount += score->isBestWrongFoot;
}

static bool tryMetric(cliRun* run, const rpMetricDef* def, const cliMetricClips* clips, Tally* out)
{
	rpError error = {0};
	rpMetric* metric = rpCreateMetric(clips->motions[0]->skeleton, def, &error);
	bool done = metric != NULL;
	for (int a = 0; a < clips->count && done; ++a)
	{
		for (int b = 0; b < clips->count && done; ++b)
		{
			rpPickScore* score = &out->scores[a * clips->count + b];
			*score = (rpPickScore){0};
			done = a == b || rpScorePicks(metric, clips->motions[a], clips->motions[b], score, &error);
			addScore(out, score);
		}
	}
	rpDestroyMetric(metric);
	return done || cliFailWork(run, &error);
}

static Tally* addTally(Tallies* tallies, const char* name, int clipCount)
{
	tallies->items = cliReallocate(tallies->items, (size_t)(tallies->count + 1) * sizeof(Tally));
	Tally* tally = &tallies->items[tallies->count++];
	*tally = (Tally){.name = name};
	tally->scores = cliAllocate((size_t)clipCount * (size_t)clipCount * sizeof(rpPickScore));
	return tally;
}

static void freeTallies(Tallies* tallies)
{
	for (int i = 0; i < tallies->count; ++i)
		free(tallies->items[i].scores);
	free(tallies->items);
}

// ---- what is reported

static json_t* makeTally(const Tally* tally)
{
	double moments = tally->sum.momentCount, best = tally->bestCount;
	return json_pack("{s:o,s:i,s:i,s:o,s:o,s:o,s:o,s:o}", "metric", cliMakeText(tally->name), "pairs", tally->pairCount,
					 "moments", tally->sum.momentCount, "phase_frames", cliMakeReal(tally->sum.phaseFrames / moments),
					 "late_share", cliMakeReal(tally->sum.lateCount / moments), "wrong_foot_share",
					 cliMakeReal(tally->sum.wrongFootCount / moments), "best_phase_frames",
					 cliMakeReal(tally->bestFrames / best), "best_wrong_foot_share",
					 cliMakeReal(tally->bestWrongCount / best));
}

static json_t* makeDifference(const rpPickDifference* difference)
{
	return json_pack("{s:o,s:o,s:o}", "value", cliMakeReal(difference->value), "low", cliMakeReal(difference->low),
					 "high", cliMakeReal(difference->high));
}

// A fitted metric with the same of even weights, which stands before it.
static json_t* makeFitted(const Tally* tally)
{
	const rpPickComparison* comparison = &tally->comparison;
	json_t* result = makeTally(tally);
	json_object_set_new(result, "even", makeTally(tally - 1));
	json_object_set_new(result, "against_even",
						json_pack("{s:o,s:o,s:o,s:o}", "phase_frames", makeDifference(&comparison->frames),
								  "late_share", makeDifference(&comparison->lateShare), "wrong_foot_share",
								  makeDifference(&comparison->wrongFootShare), "best_phase_frames",
								  makeDifference(&comparison->bestFrames)));
	return result;
}

static void addRow(cliTable* table, const Tally* tally)
{
	double moments = tally->sum.momentCount, best = tally->bestCount;
	cliTable_Add(table, "%s", tally->name);
	cliTable_Add(table, "%.2f", tally->sum.phaseFrames / moments);
	cliTable_Add(table, "%.1f %%", 100.0 * tally->sum.lateCount / moments);
	cliTable_Add(table, "%.1f %%", 100.0 * tally->sum.wrongFootCount / moments);
	cliTable_Add(table, "%.2f", tally->bestFrames / best);
	cliTable_Add(table, "%.0f %%", 100.0 * tally->bestWrongCount / best);
}

static void reportComparison(cliRun* run, const Tally* tally)
{
	const rpPickDifference *frames = &tally->comparison.frames, *late = &tally->comparison.lateShare;
	cliAnswer(
		run,
		"%s against even weights on its terms: %+.3f frames (%+.3f to %+.3f), %+.1f %% that are three off and more "
		"(%+.1f to %+.1f)",
		tally->name, frames->value, frames->low, frames->high, 100.0 * late->value, 100.0 * late->low,
		100.0 * late->high);
}

static void printTallies(cliRun* run, const Tallies* tallies)
{
	static const char* const headings[] = {"metric",     "frames off", "3 and more",
										   "wrong foot", "best: off",  "wrong foot"};
	cliTable table = {.columnCount = 6, .right = 2 | 4 | 8 | 16 | 32};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < tallies->count; ++i)
		addRow(&table, &tallies->items[i]);
	cliAnswer(run, "%d moments of %d pairs of clips", tallies->items[0].sum.momentCount, tallies->items[0].pairCount);
	cliTable_Print(&table, stdout, 0);
	for (int i = 0; i < tallies->count; ++i)
	{
		if (tallies->items[i].isCompared)
			reportComparison(run, &tallies->items[i]);
	}
}

static bool reportTallies(cliRun* run, const cliMetricClips* clips, const Tallies* tallies)
{
	if (tallies->items[0].sum.momentCount == 0)
		return cliFailUsage(run, "name clips that walk or run", "no two of the clips have steps by turns");
	if (!run->json)
	{
		printTallies(run, tallies);
		return true;
	}
	json_t* list = json_array();
	for (int i = 0; i < tallies->count; ++i)
	{
		const Tally* tally = &tallies->items[i];
		// Even weights are reported with the metric whose terms they have.
		if (i + 1 == tallies->count || !tallies->items[i + 1].isCompared)
			json_array_append_new(list, tally->isCompared ? makeFitted(tally) : makeTally(tally));
	}
	return cliReport(run, json_pack("{s:i,s:o}", "clips", clips->count, "metrics", list));
}

// ---- the work

// Reprise's own metrics first, then those that are asked for; NULL past the last.
static const char* getMetricName(const cliRun* run, int index)
{
	static const char* const own[] = {"even", "lee", "wang", "cloud"};
	return index < 4 ? own[index] : cliGetNth(run, "metric", index - 4);
}

static bool checkMetric(cliRun* run, const char* name, const cliMetricClips* clips, Tallies* tallies)
{
	cliMetric cost;
	rpError error = {0};
	if (!cliFindMetric(run, name, clips->motions[0]->skeleton, &cost))
		return false;
	const char* hash = strstr(name, ".reprise#");
	bool isFitted = cost.evenWeights != NULL, done = true;
	if (isFitted)
		done = tryMetric(run, &cost.evenDef, clips, addTally(tallies, "  even, on its terms", clips->count));
	if (done)
		done = tryMetric(run, &cost.def, clips,
						 addTally(tallies, hash != NULL ? hash + strlen(".reprise#") : name, clips->count));
	if (done && isFitted)
	{
		Tally* tally = &tallies->items[tallies->count - 1];
		tally->isCompared = true;
		done = rpComparePicks(tally->scores, tally[-1].scores, clips->count, &tally->comparison, &error) ||
			   cliFailWork(run, &error);
	}
	cliFreeMetric(&cost);
	return done;
}

static bool runMetricCheck(cliRun* run)
{
	cliMetricClips clips = {0};
	Tallies tallies = {0};
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	bool done = library != NULL && cliLoadMetricClips(run, library, run->argumentCount > 1 ? run->arguments + 1 : NULL,
													  run->argumentCount - 1, &clips);
	for (int i = 0; done && getMetricName(run, i) != NULL; ++i)
		done = checkMetric(run, getMetricName(run, i), &clips, &tallies);
	done = done && reportTallies(run, &clips, &tallies);
	freeTallies(&tallies);
	cliFreeMetricClips(&clips);
	return done;
}

static const cliOption metricCheckOptions[] = {
	{"metric", 0, "NAME", "A fitted metric to be checked beside those of Reprise. May be given several times."},
	{0},
};

const cliCommand cliMetricCheckCommand = {
	.name = "metric check",
	.summary = "Check which transitions metrics pick, by the clips' contacts",
	.usage = "LIB.reprise [CLIP...] [OPTIONS]",
	.about =
		"For every moment of a clip in which it steps, asks each metric where to go over to every other clip, and "
		"reports "
		"how far that is from the same moment of the gait cycle: frames of 30 a second on the mean, the share that is "
		"three frames off and more, and the share that stands on the other foot; and the same of the one best "
		"transition "
		"of each pair of clips. Contacts are found where there are none.\n\n"
		"What the weights of a fitted metric do is separated from all else: beside it stands the same metric with "
		"even "
		"weights, and how far both differ, with bounds that 95 % of the likely values lie between (clips drawn anew).",
	.options = {metricCheckOptions},
	.examples = {{"reprise metric check moves.reprise walk run --metric mine", "Mine beside the others."},
				 {"reprise metric check moves.reprise", "All clips, the metrics of Reprise."},
				 {"reprise metric check moves.reprise --metric a --metric b --json", "For a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runMetricCheck,
};
