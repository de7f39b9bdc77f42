#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "metric_clips.h"
#include "metric_option.h"
#include "metric_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// What is fitted, and what came of it.
typedef struct Work
{
	rpFitDef def;
	const char* name;
	const char* path;
	rpJoinExamples examples;
	cliMetricClips clips, unseen;
	rpMetricFit fit;
	rpMetricTrial trial;
	bool isTried;
	double fitSeconds, trialSeconds;
} Work;

// ---- what is asked

static bool getVelocity(cliRun* run, rpFitDef* def)
{
	const char* text = cliGet(run, "velocity");
	double weight = (double)def->velocityWeight;
	if (text != NULL && strcmp(text, "auto") == 0)
	{
		def->searchVelocity = true;
		return true;
	}
	if (!cliGetNumber(run, "velocity", 0.0, 1e3, &weight))
		return false;
	def->velocityWeight = (float)weight;
	return true;
}

static bool getEvenness(cliRun* run, rpFitDef* def)
{
	double evenness = (double)def->evenness;
	if (!cliGetNumber(run, "evenness", 0.0, 1e6, &evenness))
		return false;
	def->evenness = (float)evenness;
	def->isOneSided = !cliHas(run, "two-sided");
	return true;
}

static bool getOptions(cliRun* run, Work* work)
{
	const char* joints = cliGet(run, "joints");
	work->def = rpDefaultFitDef();
	work->path = run->arguments[0];
	work->name = cliGet(run, "name");
	work->def.everyJoint = joints != NULL && strcmp(joints, "all") == 0;
	work->def.root = cliHas(run, "root");
	work->isTried = !cliHas(run, "no-validate");
	if (work->name == NULL)
		return cliFailUsage(run, "--metric NAME uses it then",
							"under which name shall the metric be kept? --name NAME");
	if (cliIsOwnMetric(work->name))
		return cliFailUsage(run, "cloud, angle, lee, wang and even are taken: --metric would not find yours",
							"\"%s\" is a metric of Reprise's own; a fitted one needs another name", work->name);
	return getVelocity(run, &work->def) && getEvenness(run, &work->def);
}

// ---- the examples

// What is wrong with the examples is the table's fault.
static bool failTable(cliRun* run, const Work* work, rpError* error)
{
	if (error->code == rp_errorArgument || error->line > 0)
		snprintf(error->file, sizeof error->file, "%s", work->path);
	return error->code == rp_errorArgument ? cliFail(run, cli_exitInput, error) : cliFailInput(run, error);
}

static char* readTable(cliRun* run, const char* path, size_t* size)
{
	FILE* file = fopen(path, "rb");
	// Kept, since allocating may change it.
	int reason = errno;
	char* text = NULL;
	size_t capacity = 0, count = 0;
	do
	{
		*size += count;
		if (*size + 65536 > capacity)
			text = cliReallocate(text, capacity = 2 * capacity + 65536);
		count = file != NULL ? fread(text + *size, 1, capacity - *size, file) : 0;
	} while (count > 0);
	if (file != NULL)
		reason = errno;
	if (file == NULL || ferror(file))
	{
		rpError error = {.code = rp_errorFile};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(reason));
		snprintf(error.hint, sizeof error.hint, "reprise metric examples LIB -o %.100s generates one", path);
		cliFail(run, cli_exitInput, &error);
		free(text);
		text = NULL;
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static bool readExamples(cliRun* run, Work* work)
{
	size_t size = 0;
	rpError error = {0};
	char* text = readTable(run, work->path, &size);
	if (text == NULL)
		return false;
	cliNotePath(run, work->path);
	bool done = rpJoinExamples_Parse(&work->examples, text, size, &error) || failTable(run, work, &error);
	free(text);
	return done;
}

// Clips that the library does not have are the table's fault: say where it names them.
static bool checkNames(cliRun* run, Work* work, const rpLibrary* library)
{
	bool* isKnown = cliAllocate((size_t)work->examples.clipCount + 1);
	bool done = true;
	memset(isKnown, 0, (size_t)work->examples.clipCount + 1);
	for (int i = 0; i < work->examples.count && done; ++i)
	{
		const rpJoinExample* example = &work->examples.items[i];
		for (int side = 0; side < 2 && done; ++side)
		{
			int clip = side == 0 ? example->a : example->b;
			rpError error = {0};
			if (!isKnown[clip] && rpLibrary_FindClip(library, work->examples.clips[clip], &error) == 0)
			{
				error.line = example->line;
				error.column = example->columns[2 * side];
				done = failTable(run, work, &error);
			}
			isKnown[clip] = true;
		}
	}
	free(isKnown);
	return done;
}

static bool loadUnseen(cliRun* run, Work* work, const rpLibrary* library)
{
	const char* names[2] = {cliGetNth(run, "unseen", 0), cliGetNth(run, "unseen", 1)};
	if (names[0] == NULL)
		return true;
	if (cliGetNth(run, "unseen", 2) != NULL)
		return cliFailUsage(run, NULL, "--unseen names one clip or two");
	for (int i = 0; i < work->examples.clipCount; ++i)
	{
		for (int k = 0; k < 2; ++k)
		{
			if (names[k] != NULL && strcmp(names[k], work->examples.clips[i]) == 0)
				cliWarn(run, "%s is among the examples: it is not unseen", names[k]);
		}
	}
	return cliLoadMetricClips(run, library, names, names[1] != NULL ? 2 : 1, &work->unseen);
}

static bool load(cliRun* run, Work* work, const rpLibrary* library)
{
	if (!readExamples(run, work) || !checkNames(run, work, library))
		return false;
	if (work->examples.count == 0)
		return cliFailUsage(run, "reprise metric examples generates some", "%s holds no examples", work->path);
	return cliLoadMetricClips(run, library, (const char* const*)work->examples.clips, work->examples.clipCount,
							  &work->clips) &&
		   loadUnseen(run, work, library);
}

// ---- the work

static bool fit(cliRun* run, Work* work)
{
	const rpMotion* const* motions = (const rpMotion* const*)work->clips.motions;
	rpError error = {0};
	double start = cliGetSeconds();
	if (!rpFitMetric(motions, &work->examples, &work->def, &work->fit, &error))
		return failTable(run, work, &error);
	work->fitSeconds = cliGetSeconds() - start;
	if (!work->isTried)
		return true;
	const rpMotion* a = work->unseen.count > 0 ? work->unseen.motions[0] : NULL;
	const rpMotion* b = work->unseen.count > 0 ? work->unseen.motions[work->unseen.count - 1] : NULL;
	start = cliGetSeconds();
	bool done = rpMetricFit_Validate(&work->fit, motions, &work->examples, &work->def, a, b, &work->trial, &error);
	work->trialSeconds = cliGetSeconds() - start;
	return done || cliFailWork(run, &error);
}

static bool keep(cliRun* run, const Work* work, rpLibrary* library)
{
	rpError error = {0};
	return rpLibrary_PutMetric(library, work->name, &work->fit, &error) || cliFailWork(run, &error);
}

// ---- what is reported

static json_t* makeTrial(const rpMetricTrial* trial, double seconds)
{
	json_t* result = json_pack(
		"{s:i,s:o,s:o,s:i,s:o,s:o,s:i,s:o,s:i,s:o}", "cases", trial->caseCount, "shift_frames_mean",
		cliMakeReal(trial->shiftMean), "shift_frames_median", cliMakeReal(trial->shiftMedian), "same", trial->sameCount,
		"tied_shift_frames_mean", cliMakeReal(trial->tiedShiftMean), "tied_shift_frames_median",
		cliMakeReal(trial->tiedShiftMedian), "tied_same", trial->tiedSameCount, "regret_mean",
		cliMakeReal(trial->regretMean), "misjudged", trial->misjudgedCount, "time_s", cliMakeReal(seconds));
	if (trial->nearCaseCount > 0)
		json_object_set_new(result, "near",
							json_pack("{s:i,s:o,s:o,s:i}", "cases", trial->nearCaseCount, "shift_frames_mean",
									  cliMakeReal(trial->nearShiftMean), "shift_frames_median",
									  cliMakeReal(trial->nearShiftMedian), "same", trial->nearSameCount));
	if (trial->unseenCaseCount > 0)
		json_object_set_new(result, "unseen",
							json_pack("{s:i,s:o,s:o,s:i}", "cases", trial->unseenCaseCount, "shift_frames_mean",
									  cliMakeReal(trial->unseenShiftMean), "shift_frames_median",
									  cliMakeReal(trial->unseenShiftMedian), "same", trial->unseenSameCount));
	return result;
}

static void warnOfOpen(cliRun* run, const rpMetricFit* fit)
{
	char text[400] = "";
	size_t size = 0;
	for (int i = 0; i < fit->termCount; ++i)
	{
		if (!fit->terms[i].isDetermined && size + 70 < sizeof text)
			size +=
				(size_t)snprintf(text + size, sizeof text - size, "%s%.60s", size > 0 ? ", " : "", fit->terms[i].name);
	}
	if (size > 0)
		cliWarn(run, "the examples do not determine the weight of: %s", text);
}

static void reportTrial(cliRun* run, const rpMetricTrial* trial)
{
	cliPrint(run,
			 "each example left out in turn: the best transition between its clips moves by %.2f frames on the mean, "
			 "median %g, not at all in %d of %d; %d left-out examples misjudged",
			 trial->shiftMean, trial->shiftMedian, trial->sameCount, trial->caseCount, trial->misjudgedCount);
	cliPrint(
		run,
		"from the nearest one that is as good (within 5 %%): %.2f frames, median %g, 0 in %d; its distance is %.2g %% "
		"more than the best one's on the mean",
		trial->tiedShiftMean, trial->tiedShiftMedian, trial->tiedSameCount, 100.0 * trial->regretMean);
	if (trial->nearCaseCount > 0)
		cliPrint(run,
				 "the best one within half a second of the example: %.2f frames, median %g, not at all in %d of %d",
				 trial->nearShiftMean, trial->nearShiftMedian, trial->nearSameCount, trial->nearCaseCount);
	if (trial->unseenCaseCount > 0)
		cliPrint(run, "on unseen motion: %.2f frames, median %g, not at all in %d of %d", trial->unseenShiftMean,
				 trial->unseenShiftMedian, trial->unseenSameCount, trial->unseenCaseCount);
}

static bool reportResult(cliRun* run, const Work* work)
{
	warnOfOpen(run, &work->fit);
	if (run->json)
	{
		json_t* result = cliMakeFit(work->name, &work->fit);
		json_object_set_new(result, "time_s", cliMakeReal(work->fitSeconds));
		if (work->isTried)
			json_object_set_new(result, "cross_validation", makeTrial(&work->trial, work->trialSeconds));
		return cliReport(run, result);
	}
	if (!run->quiet)
		cliPrintFit(run, work->name, &work->fit);
	if (work->isTried)
		reportTrial(run, &work->trial);
	return true;
}

static bool runMetricFit(cliRun* run)
{
	Work work = {0};
	rpLibrary* library = getOptions(run, &work) ? cliOpenLibrary(run, run->arguments[1], rp_openWrite) : NULL;
	bool done = library != NULL && load(run, &work, library) && fit(run, &work) && keep(run, &work, library) &&
				reportResult(run, &work);
	rpJoinExamples_Free(&work.examples);
	rpMetricFit_Free(&work.fit);
	cliFreeMetricClips(&work.clips);
	cliFreeMetricClips(&work.unseen);
	return done;
}

static const cliOption metricFitOptions[] = {
	{"name", 0, "NAME", "Name of the metric in the library; none of Reprise's own (cloud, angle, lee, wang, even)."},
	{"velocity", 0, "S2|auto",
	 "Weight of squared angular velocities against squared angles, s²; 0.004 if not given. auto searches the one with "
	 "the smallest error."},
	{"evenness", 0, "SHARE",
	 "How strongly weights are drawn to even ones where the examples say little, 0.02 if not given; 0: not at all, as "
	 "in "
	 "Wang's thesis."},
	{"two-sided", 0, NULL, "Bad transitions shall cost 1 and no more, as in the thesis."},
	{"joints", 0, "roles|all", "Weights for joints with a role in the body (the default), or for all."},
	{"root", 0, NULL, "Weights for the height and the travel of the root too."},
	{"unseen", 0, "CLIP",
	 "Cross-validate on the best transition from this clip to the second one given so, or to itself, too."},
	{"no-validate", 0, NULL, "No cross-validation."},
	{0},
};

const cliCommand cliMetricFitCommand = {
	.name = "metric fit",
	.summary = "Fit a metric's weights to examples",
	.usage = "EXAMPLES.csv LIB.reprise --name NAME [OPTIONS]",
	.about =
		"Finds the weights of the joints' angles and velocities with which the squared distance of good transitions is "
		"nearest to 0 and that of bad ones to 1 or more: none negative, the same on the left and on the right, and "
		"even where the examples say little. Weights that they do not determine are reported.\n\n"
		"The table holds lines \"clip A, seconds, clip B, seconds, good|bad\": marked by a person, or generated by "
		"metric examples. Each example is then left out in turn, to see how far the best transition between its two "
		"clips moves without it.",
	.options = {metricFitOptions},
	.examples = {{"reprise metric fit examples.csv moves.reprise --name mine", "Then use --metric mine."},
				 {"reprise metric fit examples.csv moves.reprise --name wangs --evenness 0 --two-sided --json",
				  "Exactly as in the thesis, for a program."},
				 {"reprise metric fit examples.csv moves.reprise --name mine --unseen dance",
				  "Validate on a clip that no example is of."}},
	.minimum = 2,
	.maximum = 2,
	.run = runMetricFit,
};
