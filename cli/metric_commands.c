/// The commands of fitted metrics: generate examples, show a metric, try metrics on clips.
#include "clip.h"
#include "command_options.h"
#include "metric_clips.h"
#include "metric_option.h"
#include "metric_report.h"
#include "progress_bar.h"
#include "saving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- examples

static bool getExampleDef(cliRun* run, rpJoinExampleDef* def)
{
	double good, bad, seed = 0.0;
	*def = rpDefaultJoinExampleDef();
	good = def->goodCount;
	bad = def->badCount;
	if (!cliGetNumber(run, "good", 0.0, 1e5, &good) || !cliGetNumber(run, "bad", 0.0, 1e5, &bad) ||
		!cliGetNumber(run, "seed", 0.0, 9e15, &seed))
		return false;
	def->goodCount = (int)good;
	def->badCount = (int)bad;
	def->seed = (uint64_t)seed;
	return true;
}

static bool writeExamples(cliRun* run, const cliMetricClips* clips, const rpJoinExampleDef* def, const char* output)
{
	rpJoinExamples examples;
	rpError error = {0};
	if (!rpJoinExamples_Generate(&examples, (const rpMotion* const*)clips->motions, clips->count, def, &error))
		return cliFailWork(run, &error);
	char* text = rpJoinExamples_Format(&examples, &error);
	bool done =
		text != NULL ? cliCheckOutput(run, output) && cliWriteText(run, output, text) : cliFailWork(run, &error);
	rpFreeText(text);
	rpJoinExamples_Free(&examples);
	if (!done)
		return false;
	if (run->json)
		return cliReport(run, json_pack("{s:i,s:i,s:i,s:o}", "clips", clips->count, "good", def->goodCount, "bad",
										def->badCount, "output", cliMakeText(output)));
	cliTell(run, "%s: %d good and %d bad examples of %d clips", output, def->goodCount, def->badCount, clips->count);
	return true;
}

static bool runMetricExamples(cliRun* run)
{
	rpJoinExampleDef def;
	cliMetricClips clips = {0};
	const char* output = cliGetOutput(run, ".csv");
	const rpLibrary* library =
		output != NULL && getExampleDef(run, &def) ? cliOpenLibrary(run, run->arguments[0], rp_openRead) : NULL;
	bool done = library != NULL &&
				cliLoadMetricClips(run, library, run->argumentCount > 1 ? run->arguments + 1 : NULL,
								   run->argumentCount - 1, &clips) &&
				writeExamples(run, &clips, &def, output);
	cliFreeMetricClips(&clips);
	return done;
}

static const cliOption metricExamplesOptions[] = {
	CLI_OUTPUT("The table to write, .csv."),
	{"good", 0, "N", "How many good ones, 16 if not given."},
	{"bad", 0, "N", "How many bad ones, 26 if not given."},
	{"seed", 0, "N", "Which ones, 0 if not given."},
	CLI_FORCE,
	{0},
};

const cliCommand cliMetricExamplesCommand = {
	.name = "metric examples",
	.summary = "Generate examples of good and bad transitions",
	.usage = "LIB.reprise [CLIP...] -o FILE.csv [OPTIONS]",
	.about =
		"Writes a table with lines \"clip A, seconds, clip B, seconds, good|bad\", as a person would mark them, from "
		"the clips of a library and their contacts (found where there are none): good ones are one frame left out of "
		"continuous motion, and the same moment of the gait cycle in another cycle, clip or gait; bad ones another "
		"moment of it, the other foot's, and near misses of 3 to 8 frames with the same feet on the ground. They are "
		"spread evenly over "
		"the labels of the clips, which must be of one body.",
	.options = {metricExamplesOptions},
	.examples = {{"reprise metric examples moves.reprise -o examples.csv", "16 good ones and 26 bad ones."},
				 {"reprise metric examples moves.reprise walk run -o more.csv --good 100 --bad 150",
				  "More of them, of two clips."},
				 {"reprise metric examples moves.reprise -o other.csv --seed 1 --json", "Others, for a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runMetricExamples,
};

// ---- info

static bool listMetrics(cliRun* run, const rpLibrary* library)
{
	rpModelInfo* infos;
	rpError error = {0};
	int count = rpLibrary_ListModels(library, &infos, &error);
	if (count < 0)
		return cliFailInput(run, &error);
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].kind, "metric") != 0)
			continue;
		json_array_append_new(list, cliMakeText(infos[i].name));
		cliTell(run, "%s", infos[i].name);
	}
	if (json_array_size(list) == 0)
		cliTell(run, "no metric was fitted yet: reprise metric fit");
	rpFreeModelInfos(infos, count);
	if (run->json)
		return cliReport(run, json_pack("{s:o}", "metrics", list));
	json_decref(list);
	return true;
}

static bool runMetricInfo(cliRun* run)
{
	const char* name = cliGet(run, "name");
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL)
		return false;
	if (name == NULL)
		return listMetrics(run, library);
	rpMetricFit fit;
	rpError error = {0};
	if (!rpLibrary_LoadMetric(library, name, &fit, &error))
		return cliFailInput(run, &error);
	bool done = true;
	if (run->json)
		done = cliReport(run, cliMakeFit(name, &fit));
	else
		cliTellFit(run, name, &fit);
	rpMetricFit_Free(&fit);
	return done;
}

static const cliOption metricInfoOptions[] = {
	{"name", 0, "NAME", "The metric; all of them are listed if not given."},
	{0},
};

const cliCommand cliMetricInfoCommand = {
	.name = "metric info",
	.summary = "Show the metrics of a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "The names of the metrics that are kept in a library, or the weights of one.",
	.options = {metricInfoOptions},
	.examples = {{"reprise metric info moves.reprise", "Which are there?"},
				 {"reprise metric info moves.reprise --name mine", "The weights of one."},
				 {"reprise metric info moves.reprise --name mine --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runMetricInfo,
};

// ---- check

/// What came of the picks of one metric, over all pairs of clips.
typedef struct Tally
{
	/// Borrowed from the command line.
	const char* name;
	int pairCount, bestCount, bestWrongCount;
	double bestFrames;
	rpPickScore sum;
} Tally;

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

static bool tryMetric(cliRun* run, const cliMetric* cost, const cliMetricClips* clips, Tally* out)
{
	rpError error = {0};
	rpMetric* metric = rpCreateMetric(clips->motions[0]->skeleton, &cost->def, &error);
	bool done = metric != NULL;
	for (int a = 0; a < clips->count && done; ++a)
	{
		for (int b = 0; b < clips->count && done; ++b)
		{
			rpPickScore score = {0};
			done = a == b || rpScorePicks(metric, clips->motions[a], clips->motions[b], &score, &error);
			addScore(out, &score);
		}
	}
	rpDestroyMetric(metric);
	return done || cliFailWork(run, &error);
}

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

static void printTallies(cliRun* run, const Tally* tallies, int count)
{
	static const char* const headings[] = {"metric",     "frames off", "3 and more",
										   "wrong foot", "best: off",  "wrong foot"};
	cliTable table = {.columnCount = 6, .right = 2 | 4 | 8 | 16 | 32};
	if (run->quiet)
		return;
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < count; ++i)
		addRow(&table, &tallies[i]);
	cliTell(run, "%d moments of %d pairs of clips", tallies[0].sum.momentCount, tallies[0].pairCount);
	cliTable_Print(&table, stdout, 0);
}

static bool tellTallies(cliRun* run, const cliMetricClips* clips, const Tally* tallies, int count)
{
	if (tallies[0].sum.momentCount == 0)
		return cliFailUsage(run, "name clips that walk or run", "no two of the clips have steps by turns");
	if (!run->json)
	{
		printTallies(run, tallies, count);
		return true;
	}
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
		json_array_append_new(list, makeTally(&tallies[i]));
	return cliReport(run, json_pack("{s:i,s:o}", "clips", clips->count, "metrics", list));
}

// Reprise's own metrics first, then those that are asked for; NULL past the last.
static const char* getMetricName(const cliRun* run, int index)
{
	static const char* const own[] = {"even", "lee", "wang", "cloud"};
	return index < 4 ? own[index] : cliGetNth(run, "metric", index - 4);
}

static bool checkMetrics(cliRun* run, const cliMetricClips* clips)
{
	Tally* tallies = NULL;
	int count = 0;
	bool done = true;
	for (const char* name = getMetricName(run, 0); name != NULL && done; name = getMetricName(run, count))
	{
		cliMetric cost;
		tallies = cliReallocate(tallies, (size_t)(count + 1) * sizeof(Tally));
		tallies[count] = (Tally){.name = name};
		done = cliFindMetric(run, name, clips->motions[0]->skeleton, &cost);
		if (done)
		{
			const char* hash = strstr(name, ".reprise#");
			tallies[count].name = hash != NULL ? hash + strlen(".reprise#") : name;
			done = tryMetric(run, &cost, clips, &tallies[count++]);
			cliFreeMetric(&cost);
		}
	}
	done = done && tellTallies(run, clips, tallies, count);
	free(tallies);
	return done;
}

static bool runMetricCheck(cliRun* run)
{
	cliMetricClips clips = {0};
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	bool done = library != NULL &&
				cliLoadMetricClips(run, library, run->argumentCount > 1 ? run->arguments + 1 : NULL,
								   run->argumentCount - 1, &clips) &&
				checkMetrics(run, &clips);
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
		"tells "
		"how far that is from the same moment of the gait cycle: frames of 30 a second on the mean, the share that is "
		"three frames off and more, and the share that stands on the other foot; and the same of the one best "
		"transition "
		"of each pair of clips. Contacts are found where there are none.",
	.options = {metricCheckOptions},
	.examples = {{"reprise metric check moves.reprise walk run --metric mine", "Mine beside the others."},
				 {"reprise metric check moves.reprise", "All clips, the metrics of Reprise."},
				 {"reprise metric check moves.reprise --metric a --metric b --json", "For a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runMetricCheck,
};

const cliCommand cliMetricCommand = {
	.name = "metric",
	.summary = "Fit a metric to examples of good and bad transitions",
	.usage = "examples|fit|info|check ...",
	.about = "A metric tells how alike two moments are, and so where one can go over from one clip to another. The "
			 "weights of its joints are fitted to transitions that look well and such that do not. Metrics are kept in "
			 "the library under a name, which --metric takes.",
	.examples = {{"reprise metric examples moves.reprise -o examples.csv", "Where nobody has marked any."},
				 {"reprise metric fit examples.csv moves.reprise --name mine", "Fit the weights."},
				 {"reprise compare 'moves.reprise#walk' 'moves.reprise#run' --metric mine", "Use them."}},
	.maximum = -1,
};
