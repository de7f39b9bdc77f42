#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "graph_model.h"
#include "metric_option.h"
#include "progress_bar.h"
#include "saving.h"
#include "threshold_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Thresholds between different labels are listed for up to so many labels.
#define FEW_LABELS 6

/// What is to be built.
typedef struct Plan
{
	rpGraphDef def;
	cliMetric metric;
	double window;
	cliThresholds thresholds;
} Plan;

// Meant as a number, though it is none: 5cm, 0,1, nan, -inf.
static bool isLikeNumber(const char* text)
{
	if (strchr(text, '/') != NULL || cliHasEnding(text, ".csv .txt"))
		return false;
	text += *text == '-' || *text == '+' ? 1 : 0;
	return (*text >= '0' && *text <= '9') || strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0 ||
		   strcasecmp(text, "infinity") == 0;
}

static bool getThreshold(cliRun* run, Plan* plan)
{
	const char* text = cliGet(run, "threshold");
	double metres = 0.0;
	if (text == NULL || strcmp(text, "auto") == 0)
		return true;
	if (!cliParseNumber(text, &metres))
	{
		if (isLikeNumber(text) && access(text, F_OK) != 0)
			return cliFailUsage(run, "--threshold takes a number from 0.0001 to 10, auto, or a CSV file of thresholds",
								"--threshold %s is no distance, and no file of that name is there", text);
		bool done = cliReadThresholds(run, text, &plan->thresholds);
		plan->def.thresholds = plan->thresholds.items;
		plan->def.thresholdCount = plan->thresholds.count;
		return done;
	}
	plan->def.threshold = (float)metres;
	for (int i = 0; i < 2; ++i)
	{
		const char* name = i == 0 ? "share" : "switch";
		if (cliHas(run, name))
			cliWarn(run, "--%s has no effect: thresholds are chosen by it, but --threshold %s is given for all", name,
					text);
	}
	return cliGetNumber(run, "threshold", 1e-4, 10.0, &metres);
}

// Computed for each transition unless it is given.
static bool getBlend(cliRun* run, rpGraphDef* def)
{
	const char* blend = cliGet(run, "blend");
	return blend == NULL || strcmp(blend, "auto") == 0 || cliGetNumber(run, "blend", 0.05, 5.0, &def->blend);
}

static bool getPlan(cliRun* run, Plan* plan)
{
	double share = 90.0, perCell = 2.0;
	*plan = (Plan){.def = rpDefaultGraphDef(), .window = rpDefaultMetricDef().window};
	rpGraphDef* def = &plan->def;
	if (!getThreshold(run, plan) || !getBlend(run, def) || !cliGetNumber(run, "window", 0.0, 5.0, &plan->window) ||
		!cliGetNumber(run, "share", 1.0, 100.0, &share) ||
		!cliGetNumber(run, "switch", 0.1, 1000.0, &def->wantedSwitch) ||
		!cliGetNumber(run, "per-cell", 1.0, 200.0, &perCell))
		return false;
	if (cliHas(run, "same-contacts") && cliHas(run, "any-support"))
		return cliFailUsage(run, "leave one of them out",
							"--same-contacts asks for feet that fit, --any-support for those that do not too");
	def->wantedShare = (float)(0.01 * share);
	def->perCell = (int)perCell;
	def->mirror = cliHas(run, "mirror");
	def->sameContacts = cliHas(run, "same-contacts");
	def->anySupport = cliHas(run, "any-support");
	def->keepFaults = cliHas(run, "keep-faults");
	def->strictPruning = cliHas(run, "strict");
	def->clips = run->arguments + 1;
	def->clipCount = run->argumentCount - 1;
	def->progress = cliStepBar;
	return true;
}

// Fitted metrics are found by the skeleton of the first clip; the builder sees to it that all have the same.
static bool findMetric(cliRun* run, const rpLibrary* library, Plan* plan)
{
	rpClipInfo* infos;
	rpError error = {0};
	int count = rpLibrary_ListClips(library, &infos, &error);
	if (count < 0)
		return cliFailInput(run, &error);
	const char* name = plan->def.clipCount > 0 ? plan->def.clips[0] : count > 0 ? infos[0].name : NULL;
	rpClipId id = name != NULL ? rpLibrary_FindClip(library, name, NULL) : 0;
	rpMotion* motion = id != 0 ? rpLibrary_LoadClip(library, id, &error) : NULL;
	rpFreeClipInfos(infos, count);
	// The builder reports what is wrong with the clips.
	if (motion == NULL)
		return true;
	bool done = cliFindMetric(run, cliGet(run, "metric"), motion->skeleton, &plan->metric);
	rpDestroyMotion(motion);
	plan->metric.def.window = plan->window;
	plan->def.metric = &plan->metric.def;
	return done;
}

// Those of a metric of angles have no unit.
static const char* getThresholdKey(const rpGraphReport* report)
{
	return report->isAngle ? "threshold" : "threshold_m";
}

static json_t* makeThresholds(const rpGraph* graph, const rpGraphReport* report, bool all)
{
	json_t* list = json_array();
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		if (all || row->isChosen)
			json_array_append_new(list,
								  json_pack("{s:o,s:o,s:o,s:i,s:o}", "from", cliMakeText(graph->labels[row->from]),
											"to", cliMakeText(graph->labels[row->to]), getThresholdKey(report),
											cliMakeReal(row->threshold), "transitions", row->transitionCount, "share",
											cliMakeReal(row->share)));
	}
	return list;
}

// With many labels the pairs of them would fill pages.
static void reportThresholds(cliRun* run, const rpGraph* graph, const rpGraphReport* report)
{
	int hidden = 0;
	cliPrint(run, "for each pair of labels: threshold; candidates under it, before dead ends are pruned; share of the "
				  "label's frames that hang together, or of its nodes from which the other is reached in time:");
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		bool isShown = row->isChosen && (graph->labelCount <= FEW_LABELS || row->from == row->to);
		hidden += row->isChosen && !isShown;
		if (isShown)
			cliPrint(run,
					 report->isAngle ? "  %-14s to %-14s %9.3f %7d candidates %5.0f %%"
									 : "  %-14s to %-14s %6.1f cm %7d candidates %5.0f %%",
					 graph->labels[row->from], graph->labels[row->to],
					 (report->isAngle ? 1.0 : 100.0) * (double)row->threshold, row->transitionCount,
					 100.0 * (double)row->share);
	}
	if (hidden > 0)
		cliPrint(run, "  and %d pairs of different labels: --csv FILE or --json lists all", hidden);
}

static bool report(cliRun* run, const rpGraph* graph, const rpGraphReport* report, double seconds)
{
	for (int i = 0; i < report->warningCount; ++i)
		cliWarn(run, "%s", report->warnings[i]);
	if (run->json)
		return cliReport(
			run, json_pack("{s:o,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:o,s:o,s:o}", "name",
						   cliMakeText(cliGetGraphName(run)), "clips", graph->clipCount, "frames", report->frameCount,
						   "left_out", report->leftOutCount, "pairs_compared", report->comparedCount, "pairs_not_kept",
						   report->unkeptCount, "minima", report->minimumCount, "refused", report->refusedCount,
						   "transitions", report->transitionCount, "nodes", graph->nodeCount, "edges", graph->edgeCount,
						   "pruned_edges", report->prunedEdgeCount, "build_seconds", cliMakeReal(seconds), "thresholds",
						   makeThresholds(graph, report, false), "connectivity", makeThresholds(graph, report, true)));
	cliPrint(run, "%s: %d clip%s, %d frame%s, %d node%s, %d edge%s, %d of them transition%s; %.2f s",
			 cliGetGraphName(run), graph->clipCount, cliPlural(graph->clipCount), report->frameCount,
			 cliPlural(report->frameCount), graph->nodeCount, cliPlural(graph->nodeCount), graph->edgeCount,
			 cliPlural(graph->edgeCount), report->transitionCount, cliPlural(report->transitionCount), seconds);
	reportThresholds(run, graph, report);
	return true;
}

static char* formatTable(const rpGraph* graph, const rpGraphReport* report)
{
	char* text = cliFormat("from,to,%s,transitions,share,chosen\n", getThresholdKey(report));
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		// One that was chosen is the distance of a transition: a digit less, and it would not be taken when read again.
		const char* format = row->isChosen ? "%s%s,%s,%.9g,%d,%.6f,%d\n" : "%s%s,%s,%.6f,%d,%.6f,%d\n";
		char* longer = cliFormat(format, text, graph->labels[row->from], graph->labels[row->to], (double)row->threshold,
								 row->transitionCount, (double)row->share, row->isChosen);
		free(text);
		text = longer;
	}
	return text;
}

static bool drawConnectivity(cliRun* run, const rpGraph* graph, const rpGraphReport* report)
{
	const char* picture = cliGet(run, "picture");
	const char* table = cliGet(run, "csv");
	rpError error = {0};
	if (picture != NULL && (!cliCheckOutput(run, picture) ||
							(!rpDrawConnectivity(report, graph->labels, picture, &error) && !cliFailWork(run, &error))))
		return false;
	if (table == NULL)
		return true;
	char* text = formatTable(graph, report);
	bool done = cliWriteText(run, table, text);
	free(text);
	return done;
}

static bool build(cliRun* run, rpLibrary* library, const Plan* plan)
{
	rpGraphReport result;
	rpError error = {0};
	double start = cliGetSeconds();
	cliStartBar(run->quiet || run->json);
	rpGraph* graph = rpBuildGraph(library, &plan->def, &result, &error);
	cliEndBar();
	if (graph == NULL)
		return cliFailWork(run, &error);
	double seconds = cliGetSeconds() - start;
	bool done = drawConnectivity(run, graph, &result) &&
				(rpLibrary_PutGraph(library, cliGetGraphName(run), graph, &error) || cliFailWork(run, &error)) &&
				report(run, graph, &result, seconds);
	rpGraphReport_Free(&result);
	rpDestroyGraph(graph);
	return done;
}

// Before the work, which may take long.
static bool checkOutputs(cliRun* run)
{
	const char *picture = cliGet(run, "picture"), *table = cliGet(run, "csv");
	return (picture == NULL || cliCheckOutput(run, picture)) && (table == NULL || cliCheckOutput(run, table));
}

static bool runGraphBuild(cliRun* run)
{
	Plan plan;
	if (!getPlan(run, &plan))
		return false;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	bool done = library != NULL && checkOutputs(run) &&
				cliCheckThresholds(run, cliGet(run, "threshold"), &plan.thresholds, library) &&
				findMetric(run, library, &plan) && build(run, library, &plan);
	cliFreeMetric(&plan.metric);
	cliFreeThresholds(&plan.thresholds);
	return done;
}

static const cliOption graphBuildOptions[] = {
	CLI_GRAPH_NAME,
	{"threshold", 0, "DISTANCE|auto|FILE",
	 "Largest distance of a transition, for all, metres (with a metric of angles a number without unit); auto (the "
	 "default) chooses it for each pair of labels; or a CSV file with lines \"from,to,distance\", with never or auto "
	 "for a distance, and with or without these words as its first line. What --csv writes can be given too: its lines "
	 "with a 1 under chosen count."},
	CLI_METRIC,
	{"mirror", 0, NULL, "Mirror images of the clips as extra examples."},
	{"blend", 0, "SECONDS",
	 "Length of the transitions; auto (the default) computes it for each, 0.1 to 1 s, as reprise transition does."},
	{"window", 0, "SECONDS", "Window of the metric, 0.5 if not given."},
	{"share", 0, "PERCENT", "auto: share of a label's frames that must hang together, 90 if not given."},
	{"switch", 0, "SECONDS", "auto: longest time until another label is reached, 3 if not given."},
	{"per-cell", 0, "N", "At most this many transitions in each half second by half second, 2 if not given."},
	{"same-contacts", 0, NULL, "Transitions only where the same parts of the feet touch the ground."},
	{"any-support", 0, NULL,
	 "Transitions also where feet do not fit: at different heights, on different feet, or with bodies that face "
	 "in different directions."},
	{"keep-faults", 0, NULL,
	 "Keep broken stretches too: where a clip by itself has joints more than 10 degrees beyond human limits, or feet "
	 "more "
	 "than 60 mm under the floor after foot lock."},
	{"strict", 0, NULL,
	 "Keep only what goes on for ever within its label, as the thesis does: acts that only lead from one motion to "
	 "another, such as sitting down, are dropped."},
	{"picture", 0, "FILE", "Draw how connectivity grows with the threshold, .png or .svg."},
	{"csv", 0, "FILE", "The same as a table; --threshold takes it."},
	{0},
};

const cliCommand cliGraphBuildCommand = {
	.name = "graph build",
	.summary = "Build a motion graph from the clips of a library",
	.usage = "LIB.reprise [CLIP...] [OPTIONS]",
	.about = "Compares every clip with every other and with itself, makes transitions where they are alike, and "
			 "drops what "
			 "leads to a dead end. Clips that were compared before are not compared again.\n\n"
			 "Thresholds are chosen for each pair of labels: within a label the smallest with which enough of its "
			 "frames "
			 "hang together, between two the smallest with which the other is reached in time, as far as a blend does "
			 "it well. The table and the picture show what others would give. Where feet do not fit there are no "
			 "transitions.\n\n"
			 "Where a clip is broken, because markers were lost, no walk passes, and a warning says so.",
	.options = {graphBuildOptions},
	.examples = {{"reprise graph build moves.reprise", "All clips, thresholds chosen."},
				 {"reprise graph build moves.reprise --mirror --picture thresholds.png", "Twice as much motion."},
				 {"reprise graph build moves.reprise walk turn-left --name small --threshold 0.08",
				  "Two clips, one threshold."}},
	.minimum = 1,
	.maximum = -1,
	.run = runGraphBuild,
};
