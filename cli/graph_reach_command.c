#include "clip.h"
#include "command_options.h"
#include "graph_model.h"
#include "graph_names.h"

#include <math.h>

// The first node of a clip or label that is named, or of all.
static bool findStart(cliRun* run, const rpGraph* graph, int* out)
{
	const char* name = cliGet(run, "from");
	uint64_t labels = 0;
	int clip = -1;
	if (name == NULL)
		return true;
	if (!cliFindGraphName(run, graph, name, &labels, &clip))
		return false;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (rpGraph_IsNodeOf(graph, n, &(rpGraphPart){labels, clip}))
		{
			*out = n;
			return true;
		}
	}
	rpError error = {.code = rp_errorNoSolution, .hint = "reprise graph info --clips shows what walks can use"};
	snprintf(error.message, sizeof error.message, "no walk of the graph goes through \"%.150s\"", name);
	return cliFailWork(run, &error);
}

static json_t* makeSwitches(const rpGraph* graph, const rpReach* reach)
{
	json_t* list = json_array();
	for (int i = 0; i < reach->labelCount * reach->labelCount; ++i)
	{
		int from = i / reach->labelCount, to = i % reach->labelCount;
		if (from != to)
			json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o}", "from", cliMakeText(graph->labels[from]), "to",
												  cliMakeText(graph->labels[to]), "seconds_mean",
												  cliMakeReal(reach->switchTimes[i]), "share",
												  cliMakeReal(reach->switchShares[i])));
	}
	return list;
}

static bool reportResult(cliRun* run, const rpGraph* graph, const rpReach* reach)
{
	const rpGraphNode* start = &graph->nodes[reach->start];
	if (!reach->isWhole)
		cliWarn(run, "not all walks were looked at; the true reach is larger");
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:b,s:o,s:o,s:o}", "name",
										cliMakeText(cliGetGraphName(run)), "seconds", cliMakeReal(reach->seconds),
										"start_clip", cliMakeText(graph->clips[start->clip].name), "start_s",
										cliMakeReal(start->frame / graph->fps), "area_m2", cliMakeReal(reach->area),
										"heading_share", cliMakeReal(reach->headingShare), "places", reach->placeCount,
										"whole", reach->isWhole, "switches", makeSwitches(graph, reach),
										"longest_without_choice_s", cliMakeReal(reach->longestWithoutChoice),
										"mean_without_choice_s", cliMakeReal(reach->meanWithoutChoice)));
	cliAnswer(run, "within %.1f s from %s at %.2f s: %.1f m², %.1f of %d headings on average", reach->seconds,
			  graph->clips[start->clip].name, start->frame / graph->fps, reach->area,
			  rp_reachHeadings * reach->headingShare, rp_reachHeadings);
	for (int i = 0; i < reach->labelCount * reach->labelCount; ++i)
	{
		int from = i / reach->labelCount, to = i % reach->labelCount;
		if (from != to && isfinite(reach->switchTimes[i]))
			cliAnswer(run, "  %-14s to %-14s %6.2f s on average, from %.0f %% of its places", graph->labels[from],
					  graph->labels[to], reach->switchTimes[i], 100.0 * reach->switchShares[i]);
		else if (from != to)
			cliAnswer(run, "  %-14s to %-14s never", graph->labels[from], graph->labels[to]);
	}
	cliAnswer(run, "a choice every %.2f s, at the longest after %.2f s", reach->meanWithoutChoice,
			  reach->longestWithoutChoice);
	return true;
}

static bool runGraphReach(cliRun* run)
{
	rpReachDef def = rpDefaultReachDef();
	double cell = (double)def.cell;
	rpError error = {0};
	const char* picture = cliGet(run, "picture");
	if (!cliGetNumber(run, "seconds", 0.1, 60.0, &def.seconds) || !cliGetNumber(run, "cell", 0.05, 5.0, &cell) ||
		(picture != NULL && !cliCheckOutput(run, picture)))
		return false;
	if (picture != NULL && !cliHasEnding(picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture writes .png or .svg");
	def.cell = (float)cell;
	rpGraph* graph = cliLoadGraph(run);
	if (graph == NULL)
		return false;
	rpReach* reach = NULL;
	bool done = findStart(run, graph, &def.start);
	if (done)
	{
		reach = rpGraph_FindReach(graph, &def, &error);
		done = reach != NULL && (picture == NULL || rpDrawReach(reach, picture, &error))
				   ? reportResult(run, graph, reach)
				   : cliFailWork(run, &error);
	}
	rpDestroyReach(reach);
	rpDestroyGraph(graph);
	return done;
}

static const cliOption graphReachOptions[] = {
	CLI_GRAPH_NAME,
	{"seconds", 0, "S", "Within how long, 5 if not given."},
	{"from", 0, "CLIP|LABEL", "Where to start: at the first place of that clip or label; of all if not given."},
	{"cell", 0, "METRES", "Size of the cells that the floor is looked at in, 0.25 if not given."},
	{"picture", 0, "FILE", "Draw it from above, .png or .svg."},
	{0},
};

const cliCommand cliGraphReachCommand = {
	.name = "graph reach",
	.summary = "Show where a motion graph can lead within some time",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Where the character can be and where it can face, from one moment of a clip on; how long it takes "
			 "on average to go from one label to another; how long it goes without a choice.",
	.options = {graphReachOptions},
	.examples = {{"reprise graph reach moves.reprise --picture reach.png", "Within five seconds."},
				 {"reprise graph reach moves.reprise --seconds 3 --from walk", "Within three, from one clip."},
				 {"reprise graph reach moves.reprise --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphReach,
};
