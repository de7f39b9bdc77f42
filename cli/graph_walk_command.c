/// graph walk: at random, or the fastest.
#include "command_options.h"
#include "graph_model.h"
#include "graph_names.h"
#include "walk_output.h"

static bool getLabels(cliRun* run, const rpGraph* graph, uint64_t* labels)
{
	const char* name;
	for (int i = 0; (name = cliGetNth(run, "label", i)) != NULL; ++i)
	{
		uint64_t label;
		if (!cliFindGraphLabel(run, graph, name, &label))
			return false;
		*labels |= label;
	}
	return true;
}

// From the one to where the other itself begins, over the best of all starts, and on to its end.
static bool walkFastest(cliRun* run, cliWalkOutput* work)
{
	const rpGraph* graph = work->graph;
	const char *from = cliGet(run, "from"), *to = cliGet(run, "to");
	rpGraphPart start = {.clip = -1}, goal = {.clip = -1};
	double seconds = 0.0, reaches = 0.0;
	rpError error = {0};
	if (from == NULL || to == NULL)
		return cliFailUsage(run, "for example --from walk --to kick", "the fastest walk needs both --from and --to");
	if (!cliFindGraphName(run, graph, from, &start.labels, &start.clip) ||
		!cliFindGraphName(run, graph, to, &goal.labels, &goal.clip) || !cliGetDuration(run, &seconds))
		return false;
	if (start.labels == goal.labels && start.clip == goal.clip)
		return cliFailUsage(run, "--label walks with one label alone", "--from and --to are the same, \"%s\"", to);
	work->title = cliFormat("from %.60s to %.60s", from, to);
	work->walk = rpGraph_WalkTo(graph, &start, &goal, seconds, &reaches, &error);
	if (error.code == rp_errorNoSolution)
	{
		snprintf(error.message, sizeof error.message, "there is no path on the graph from \"%.100s\" to \"%.100s\"",
				 from, to);
		snprintf(error.hint, sizeof error.hint,
				 "raise the thresholds between the two (reprise graph build --threshold FILE), or add motion "
				 "that leads from the one to the other");
	}
	if (work->walk == NULL)
		return cliFailWork(run, &error);
	json_object_set_new(work->facts, "reaches_s", cliMakeReal(reaches));
	cliPrint(run, "%s begins after %.2f s", to, reaches);
	return true;
}

static bool walkAtRandom(cliRun* run, cliWalkOutput* work)
{
	double seconds = 30.0, sigma = 0.0;
	uint64_t seed = 0, labels = 0;
	rpError error = {0};
	if (!cliGetDuration(run, &seconds) || !cliGetNumber(run, "sigma", 1e-9, 1e9, &sigma) || !cliGetSeed(run, &seed) ||
		!getLabels(run, work->graph, &labels))
		return false;
	const char* label = cliGetNth(run, "label", 0);
	const char* more = cliGetNth(run, "label", 1) != NULL ? " and more" : "";
	work->title =
		cliFormat("%.60s%s at random, seed %.0f", label != NULL ? label : cliGetGraphName(run), more, (double)seed);
	work->walk = cliHas(run, "sigma") ? rpGraph_WalkByCost(work->graph, seconds, labels, sigma, seed, &error)
									  : rpGraph_WalkAtRandom(work->graph, seconds, labels, seed, &error);
	return work->walk != NULL || cliFailWork(run, &error);
}

static bool runGraphWalk(cliRun* run)
{
	cliWalkOutput work;
	bool isFastest = cliHas(run, "from") || cliHas(run, "to");
	bool done = cliBeginWalk(run, &work) && (isFastest ? walkFastest(run, &work) : walkAtRandom(run, &work)) &&
				cliFinishWalk(run, &work);
	cliEndWalk(&work);
	return done;
}

static const cliOption graphWalkOptions[] = {
	CLI_GRAPH_NAME,
	{"seconds", 0, "S",
	 "How long, 30 if not given. With --to: how long at least, with what was asked for where it can go on."},
	{"seed", 0, "N", "Which walk, 0 if not given."},
	{"sigma", 0, "S",
	 "Take a transition of distance d with a probability proportional to exp(-d²/S), and go on in a clip with 1, "
	 "instead "
	 "of visiting everything: the smaller, the fewer and the smoother transitions."},
	{"label", 0, "LABEL", "Only motion with this label. May be given several times."},
	{"from", 0, "CLIP|LABEL", "With --to: where the fastest walk starts."},
	{"to", 0, "CLIP|LABEL",
	 "The walk that comes soonest to the beginning of that, and on through it to its end, instead of one at random."},
	CLI_WALK_PICTURE,
	CLI_GRAPH_RESULT,
	{0},
};

const cliCommand cliGraphWalkCommand = {
	.name = "graph walk",
	.summary = "Walk on a motion graph, at random or by the fastest path",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about =
		"At random: any length; motion that was used less often is used more often. With --to: the walk that takes "
		"the shortest time from one clip or label to where another itself begins, which it then performs to the end. A "
		"jump begins where the motion becomes unlike what the walk comes from, not where its clip does; the report "
		"says "
		"when.",
	.options = {graphWalkOptions},
	.examples = {{"reprise graph walk moves.reprise --seconds 60 --seed 1 -o out.bvh", "A minute."},
				 {"reprise graph walk moves.reprise --seconds 20 --label walk -o walk.bvh", "Walking alone."},
				 {"reprise graph walk moves.reprise --from walk --to kick -o kick.bvh", "From walking to a kick."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphWalk,
};
