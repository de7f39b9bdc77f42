/// pgraph reach: where a parametric graph can lead within some time.
#include "clip.h"
#include "command_options.h"
#include "pgraph_model.h"

#include <stdlib.h>

static bool reportReach(cliRun* run, const rpReach* reach, const char* from, const char* picture)
{
	if (!reach->isWhole)
		cliWarn(run, "not all ways were looked at; the true reach is larger");
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:i,s:b,s:o}", "name",
										cliMakeText(cliGetPgraphName(run)), "seconds", cliMakeReal(reach->seconds),
										"from", from != NULL ? cliMakeText(from) : json_null(), "cell_m",
										cliMakeReal((double)reach->cell), "area_m2", cliMakeReal(reach->area),
										"heading_share", cliMakeReal(reach->headingShare), "headings", rp_reachHeadings,
										"places", reach->placeCount, "whole", reach->isWhole, "picture",
										picture != NULL ? cliMakeText(picture) : json_null()));
	cliAnswer(run, "within %.1f s: %.1f m², %.1f of %d headings on average", reach->seconds, reach->area,
			  rp_reachHeadings * reach->headingShare, rp_reachHeadings);
	if (picture != NULL)
		cliPrint(run, "%s", picture);
	return true;
}

static bool draw(cliRun* run, const rpReach* reach, const char* picture)
{
	rpError error = {0};
	return picture == NULL || (cliHas(run, "times") ? rpDrawReach : rpDrawReachHeadings)(reach, picture, &error) ||
		   cliFailWork(run, &error);
}

static bool findNode(cliRun* run, const rpParametricGraph* graph, const char* name, int* out)
{
	cliNodeNames names = cliGetNodeNames(graph);
	*out = name != NULL ? rpParametricGraph_FindNode(graph, name) : -1;
	if (name == NULL || *out >= 0)
		return true;
	char* list = cliNodeNames_List(&names);
	cliFailUsage(run, list, "--from: the graph has no node \"%.60s\"", name);
	free(list);
	return false;
}

static bool findReach(cliRun* run, const rpParametricGraph* graph, const rpParametricReachDef* def, const char* picture)
{
	rpError error = {0};
	size_t size;
	void* bytes = rpWriteParametricBundle(graph, &size, &error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, &error) : NULL;
	rpParametricPlanner* planner = bundle != NULL ? rpCreateParametricPlanner(bundle, &error) : NULL;
	rpReach* reach = planner != NULL ? rpParametricPlanner_FindReach(planner, def, &error) : NULL;
	bool done = reach != NULL ? draw(run, reach, picture) && reportReach(run, reach, cliGet(run, "from"), picture)
							  : cliFailWork(run, &error);
	rpDestroyReach(reach);
	rpDestroyParametricPlanner(planner);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return done;
}

static bool runPgraphReach(cliRun* run)
{
	rpParametricReachDef def = rpDefaultParametricReachDef();
	double cell = (double)def.cell;
	const char* picture = cliHas(run, "output") ? cliGetOutput(run, ".png .svg") : NULL;
	if ((cliHas(run, "output") && picture == NULL) || !cliGetNumber(run, "seconds", 0.1, 60.0, &def.seconds) ||
		!cliGetNumber(run, "cell", 0.05, 5.0, &cell))
		return false;
	def.cell = (float)cell;
	rpParametricGraph* graph = cliLoadPgraph(run);
	bool done = graph != NULL && findNode(run, graph, cliGet(run, "from"), &def.startNode) &&
				findReach(run, graph, &def, picture);
	rpDestroyParametricGraph(graph);
	return done;
}

static const cliOption pgraphReachOptions[] = {
	CLI_OUTPUT("Draw it from above, .png or .svg; nothing is drawn if not given."),
	CLI_PGRAPH_NAME,
	{"seconds", 0, "S", "Within how long, 5 if not given."},
	{"from", 0, "NODE", "The node to begin with; any if not given."},
	{"cell", 0, "METRES", "Size of the cells that the floor is looked at in, 0.25 if not given."},
	{"times", 0, NULL, "Colours say when a cell is reached, not with how many headings."},
	CLI_FORCE,
	{0},
};

const cliCommand cliPgraphReachCommand = {
	.name = "pgraph reach",
	.summary = "Show where a parametric graph can lead within some time",
	.usage = "LIB.reprise [OPTIONS]",
	.about =
		"Where the character can be, and which way it can face there: all choices are tried, from a first motion of "
		"any values on.",
	.options = {pgraphReachOptions},
	.examples = {{"reprise pgraph reach moves.reprise -o reach.png", "Within five seconds, by headings."},
				 {"reprise pgraph reach moves.reprise --seconds 3 --times -o reach.svg", "Within three, by time."},
				 {"reprise pgraph reach moves.reprise --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphReach,
};
