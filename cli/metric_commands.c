/// The commands of fitted metrics: generate examples, show a metric.
#include "clip.h"
#include "command_options.h"
#include "metric_clips.h"
#include "metric_report.h"
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
	if (def->goodCount + def->badCount == 0)
		return cliFailUsage(run, "a metric is fitted to some of both", "--good 0 --bad 0 leaves no examples");
	return true;
}

static bool writeExamples(cliRun* run, const cliMetricClips* clips, const rpJoinExampleDef* def, const char* output)
{
	rpJoinExamples examples;
	rpError error = {0};
	if (!rpJoinExamples_Generate(&examples, (const rpMotion* const*)clips->motions, clips->count, def, &error))
		return cliFailWork(run, &error);
	char* text = rpJoinExamples_Format(&examples, &error);
	bool done = text != NULL ? cliWriteText(run, output, text) : cliFailWork(run, &error);
	rpFreeText(text);
	rpJoinExamples_Free(&examples);
	if (!done)
		return false;
	if (run->json)
		return cliReport(run, json_pack("{s:i,s:i,s:i,s:o}", "clips", clips->count, "good", def->goodCount, "bad",
										def->badCount, "output", cliMakeText(output)));
	cliPrint(run, "%s: %d good and %d bad examples of %d clips", output, def->goodCount, def->badCount, clips->count);
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
		cliAnswer(run, "%s", infos[i].name);
	}
	if (json_array_size(list) == 0)
		cliAnswer(run, "no metric was fitted yet: reprise metric fit");
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
		cliPrintFit(run, name, &fit);
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

const cliCommand cliMetricCommand = {
	.name = "metric",
	.summary = "Fit a metric to examples of good and bad transitions",
	.usage = "examples|fit|info|check ...",
	.about = "A metric says how alike two moments are, and so where one can go over from one clip to another. The "
			 "weights of its joints are fitted to transitions that look well and such that do not. Metrics are kept in "
			 "the library under a name, which --metric takes.",
	.examples = {{"reprise metric examples moves.reprise -o examples.csv", "Where nobody has marked any."},
				 {"reprise metric fit examples.csv moves.reprise --name mine", "Fit the weights."},
				 {"reprise compare 'moves.reprise#walk-1' 'moves.reprise#run-1' --metric mine", "Use them."}},
	.maximum = -1,
};
