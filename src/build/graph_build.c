/// Building a motion graph: examples, candidates, thresholds, wiring, pruning, paths. After L. Kovar's thesis,
/// section 4.1.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_candidates.h"
#include "build/graph_trial.h"
#include "build/kept_paths.h"
#include "timeline/seam.h"

#include <math.h>

rpGraphDef rpDefaultGraphDef(void)
{
	return (rpGraphDef){.wantedShare = 0.9f, .wantedSwitch = 3.0, .perCell = 2};
}

// ---- transitions that stay

// Until its own length is known a transition takes as long as most do, or as there is room for.
static void guessLengths(const rpExamples* examples, rpTransit* transits, int count)
{
	int usual = examples->usualHalf;
	for (int k = 0; k < count; ++k)
	{
		int room = rpTransit_GetRoom(examples, &transits[k]);
		transits[k].half = usual < room ? usual : room;
	}
}

// Keep what thresholds allow, and find out how long it takes unless that is given. Returns how many are kept, -1 when
// memory ran out.
static int keepAllowed(const rpExamples* examples, const rpThresholds* thresholds, bool isLengthGiven,
					   rpTransit* transits, int count, rpError* error)
{
	bool* isAllowed = rpAllocate((size_t)count + 1, sizeof(bool), error);
	int kept = isAllowed != NULL ? 0 : -1;
	for (int k = 0; k < count && kept == 0; ++k)
	{
		isAllowed[k] = rpThresholds_Allow(thresholds, examples, transits, k);
	}
	if (kept == 0 && !isLengthGiven && !rpFindTransitLengths(examples, transits, isAllowed, count, error))
	{
		kept = -1;
	}
	for (int k = 0; k < count && kept >= 0; ++k)
	{
		if (isAllowed[k])
		{
			transits[kept++] = transits[k];
		}
	}
	rpFree(isAllowed);
	return kept;
}

// Whether a label that was found to hang together no longer does with the lengths that its transitions turned out to
// have: blends that are longer begin earlier and end later, and what came between is missed. 1: so it is, -1: no
// memory.
static int fallsApart(const rpExamples* examples, const rpThresholds* thresholds, const rpTransit* transits, int count,
					  rpError* error)
{
	rpTrial trial;
	int result = rpTrial_Make(&trial, examples, transits, count, error) ? 0 : -1;
	for (int a = 0; a < thresholds->labelCount && result == 0; ++a)
	{
		if ((double)thresholds->shares[a] >= RP_SMALL_LABEL)
		{
			rpTrial_SelectLabel(&trial, a);
			float share = rpTrial_GetShare(&trial, INFINITY, error);
			result = share < 0.0f ? -1 : (double)share < RP_SMALL_LABEL;
		}
	}
	rpTrial_Free(&trial);
	return result;
}

// Those that are edges of a graph.
static int keepWired(const rpGraph* graph, rpTransit* out)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (rpGraphEdge_IsTransition(edge))
		{
			out[count++] = (rpTransit){graph->nodes[edge->from].clip,
									   edge->fromMiddle,
									   graph->nodes[edge->to].clip,
									   edge->toMiddle,
									   edge->distance,
									   edge->alignment,
									   edge->frameCount / 2};
		}
	}
	return count;
}

// ---- paths

/// What the paths of edges are made with.
typedef struct Paths
{
	const rpExamples* examples;
	rpGraph* graph;

	/// [clipCount]
	rpClip** clips;
	rpSpan *from, *to;
	rpSeam seam;
} Paths;

static rpVec2 getRoot(const rpSpan* span, double time)
{
	rpVec3 root = rpSpan_GetRoot(span, time - span->start);
	return (rpVec2){root.x, root.z};
}

// As the renderer shows it, from the edge's start on, in the coordinates of the clip that it starts in.
static void layEdge(Paths* paths, const rpGraphEdge* edge, rpVec2* path)
{
	const rpGraph* graph = paths->graph;
	const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
	double fps = graph->fps, length = edge->frameCount / fps;
	bool isTransition = rpGraphEdge_IsTransition(edge);
	rpSpan_PlayClip(paths->from, paths->clips[from->clip], 0, 0.0, from->frame / fps, rpGroundTransform_identity);
	if (isTransition)
	{
		rpSeamDef def = {rp_seamVelocity, 0.0, 0.5 * length, length};
		rpSpan_PlayClip(paths->to, paths->clips[to->clip], 0, 0.0, (to->frame - edge->frameCount) / fps,
						edge->alignment);
		rpSeam_Prepare(&paths->seam, &def, paths->from, paths->to, NULL);
	}
	for (int f = 0; f <= edge->frameCount; ++f)
	{
		rpPose pose = {0};
		if (isTransition)
		{
			rpSeam_Sample(&paths->seam, f / fps, &pose);
		}
		path[f] = isTransition ? (rpVec2){pose.rootPosition.x, pose.rootPosition.z} : getRoot(paths->from, f / fps);
	}
}

static void layEdges(Paths* paths)
{
	rpGraph* graph = paths->graph;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		rpVec2* path = graph->path + edge->firstPoint;
		float* lengths = graph->lengths + edge->firstPoint;
		layEdge(paths, edge, path);
		lengths[0] = 0.0f;
		for (int f = 1; f <= edge->frameCount; ++f)
		{
			lengths[f] = lengths[f - 1] + hypotf(path[f].x - path[f - 1].x, path[f].y - path[f - 1].y);
		}
	}
}

static bool createPaths(Paths* paths, rpError* error)
{
	const rpExamples* examples = paths->examples;
	paths->clips = rpAllocateZero((size_t)examples->clipCount, sizeof(rpClip*), error);
	paths->from = rpAllocateZero(2, sizeof(rpSpan), error);
	paths->to = paths->from + 1;
	bool done = paths->clips != NULL && paths->from != NULL && rpSeam_Create(&paths->seam, 0, false, error);
	for (int i = 0; i < examples->clipCount && done; ++i)
	{
		// Roots are all that is wanted of them.
		const rpMotion* motion = examples->clips[i].motion;
		paths->clips[i] =
			rpCreateClipView(motion->skeleton, motion->fps, motion->frameCount, NULL, motion->rootPositions, error);
		done = paths->clips[i] != NULL;
	}
	return done;
}

static void freePaths(Paths* paths)
{
	for (int i = 0; paths->clips != NULL && i < paths->examples->clipCount; ++i)
	{
		rpDestroyClip(paths->clips[i]);
	}
	rpFree(paths->clips);
	rpFree(paths->from);
	rpSeam_Free(&paths->seam);
}

static bool addPaths(const rpExamples* examples, rpGraph* graph, rpError* error)
{
	size_t count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		graph->edges[e].firstPoint = (int)count;
		count += (size_t)graph->edges[e].frameCount + 1;
	}
	if (count > INT32_MAX)
	{
		return rpFail(error, rp_errorLimit, "the graph's edges have too many frames");
	}
	Paths paths = {.examples = examples, .graph = graph};
	graph->path = rpAllocate(count, sizeof(rpVec2), error);
	graph->lengths = rpAllocate(count, sizeof(float), error);
	graph->pointCount = (int)count;
	bool done = graph->path != NULL && graph->lengths != NULL && createPaths(&paths, error);
	if (done)
	{
		layEdges(&paths);
	}
	freePaths(&paths);
	return done;
}

// The graph takes over what the examples hold.
static void takeExamples(rpExamples* examples, rpGraph* graph)
{
	graph->labels = examples->labels;
	graph->labelCount = examples->labelCount;
	graph->clips = examples->clips;
	graph->clipCount = examples->clipCount;
	graph->firstContacts = examples->firstFrames;
	graph->contacts = examples->contacts;
	examples->labels = NULL;
	examples->clips = NULL;
	examples->firstFrames = NULL;
	examples->contacts = NULL;
	examples->labelCount = examples->clipCount = 0;
}

// ---- all of it

static rpGraph* failEmpty(rpError* error)
{
	rpFail(error, rp_errorNoSolution, "no clip can be joined with another or with itself: no transition is left");
	rpError_SetHint(error, "add more motion of the same kind, add mirror images, or raise the threshold");
	return NULL;
}

// Wire twice: pruning drops transitions, and clips need not be cut where these were.
static rpGraph* wire(const rpExamples* examples, rpTransit* transits, int count, bool isStrict, rpGraphReport* report,
					 rpError* error)
{
	int* transitOf;
	rpGraph* graph = rpWireGraph(examples, transits, count, &transitOf, error);
	rpFree(transitOf);
	if (graph == NULL || !rpPruneGraph(graph, examples->labelCount, isStrict, report, error))
	{
		rpDestroyGraph(graph);
		return NULL;
	}
	count = keepWired(graph, transits);
	rpDestroyGraph(graph);
	if (count == 0)
	{
		return failEmpty(error);
	}
	if (report != NULL)
	{
		report->transitionCount = count;
	}
	graph = rpWireGraph(examples, transits, count, &transitOf, error);
	rpFree(transitOf);
	if (graph == NULL || !rpPruneGraph(graph, examples->labelCount, isStrict, NULL, error))
	{
		rpDestroyGraph(graph);
		return NULL;
	}
	return graph;
}

// Choose thresholds, and keep what they allow, with lengths: those that are given or were found, or such as most have
// until what is kept has its own. Returns how many are kept, -1 for an error.
static int chooseTransits(const rpExamples* examples, const rpGraphDef* def, bool hasLengths, rpTransit* transits,
						  int count, rpThresholds* thresholds, rpGraphReport* report, rpError* error)
{
	if (!hasLengths)
	{
		guessLengths(examples, transits, count);
	}
	return rpChooseThresholds(examples, transits, count, def, thresholds, report, error)
			   ? keepAllowed(examples, thresholds, hasLengths, transits, count, error)
			   : -1;
}

static void forgetChoice(rpThresholds* thresholds, rpGraphReport* report)
{
	rpThresholds_Free(thresholds);
	if (report != NULL)
	{
		rpFree(report->connectivity);
		report->connectivity = NULL;
		report->connectivityCount = 0;
	}
}

// All candidates by their own lengths; it takes longer to find them.
static int chooseAgain(const rpExamples* examples, const rpCandidates* candidates, const rpGraphDef* def,
					   rpTransit* transits, rpThresholds* thresholds, rpGraphReport* report, rpError* error)
{
	int count = rpListTransits(examples, candidates, def->sameContacts, transits);
	bool* isWanted = rpAllocate((size_t)count + 1, sizeof(bool), error);
	for (int k = 0; k < count && isWanted != NULL; ++k)
	{
		isWanted[k] = true;
	}
	bool done = isWanted != NULL && rpFindTransitLengths(examples, transits, isWanted, count, error);
	rpFree(isWanted);
	forgetChoice(thresholds, report);
	return done ? chooseTransits(examples, def, true, transits, count, thresholds, report, error) : -1;
}

static rpGraph* build(rpExamples* examples, const rpCandidates* candidates, const rpGraphDef* def,
					  rpGraphReport* report, rpError* error)
{
	rpTransit* transits = rpAllocate(2 * (size_t)candidates->count, sizeof(rpTransit), error);
	rpThresholds thresholds = {0};
	rpGraph* graph = NULL;
	if (transits != NULL)
	{
		int count = rpListTransits(examples, candidates, def->sameContacts, transits);
		bool isLengthGiven = def->blend > 0.0;
		count = chooseTransits(examples, def, isLengthGiven, transits, count, &thresholds, report, error);
		int isApart = count > 0 && !isLengthGiven ? fallsApart(examples, &thresholds, transits, count, error) : 0;
		count = isApart < 0   ? -1
				: isApart > 0 ? chooseAgain(examples, candidates, def, transits, &thresholds, report, error)
							  : count;
		if (count >= 0)
		{
			graph = count > 0    ? wire(examples, transits, count, def->strictPruning, report, error)
					: count == 0 ? failEmpty(error)
								 : NULL;
		}
	}
	if (graph != NULL &&
		(!addPaths(examples, graph, error) || !rpWarnOfGraph(graph, examples, def->wantedSwitch, report, error)))
	{
		rpDestroyGraph(graph);
		graph = NULL;
	}
	if (graph != NULL)
	{
		takeExamples(examples, graph);
	}
	rpThresholds_Free(&thresholds);
	rpFree(transits);
	return graph;
}

rpGraph* rpBuildGraphWith(rpMotion** motions, int count, const rpGraphDef* def, const rpMinimaStore* store,
						  rpGraphReport* report, rpError* error)
{
	rpMetricDef plain = rpDefaultMetricDef();
	rpExamples examples = {0};
	rpCandidates candidates = {0};
	rpGraph* graph = NULL;
	if (count < 1)
	{
		rpFail(error, rp_errorArgument, "there are no clips to build a graph from");
		return NULL;
	}
	rpMetric* metric = rpCreateMetric(motions[0]->skeleton, def->metric != NULL ? def->metric : &plain, error);
	if (metric != NULL && rpExamples_Gather(&examples, motions, count, def, metric, report, error) &&
		rpFindCandidates(&examples, metric, def, store, &candidates, report, error))
	{
		if (report != NULL)
		{
			report->frameCount = examples.firstFrames[examples.clipCount];
			report->isAngle = def->metric != NULL && def->metric->kind == rp_metricAngle;
		}
		graph = build(&examples, &candidates, def, report, error);
	}
	rpFree(candidates.items);
	rpExamples_Free(&examples);
	rpDestroyMetric(metric);
	return graph;
}

static void freeMotions(rpMotion** motions, int count)
{
	for (int i = 0; motions != NULL && i < count; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	rpFree(motions);
}

static rpMotion** copyMotions(const rpMotion* const* motions, int count, rpError* error)
{
	rpMotion** copies = rpAllocateZero(count > 0 ? (size_t)count : 0, sizeof(rpMotion*), error);
	for (int i = 0; i < count && copies != NULL; ++i)
	{
		copies[i] = rpCopyMotion(motions[i], error);
		if (copies[i] == NULL)
		{
			freeMotions(copies, count);
			return NULL;
		}
	}
	return copies;
}

rpGraph* rpBuildGraphOf(const rpMotion* const* motions, int count, const rpGraphDef* def, rpGraphReport* report,
						rpError* error)
{
	rpGraphDef plain = rpDefaultGraphDef();
	if (report != NULL)
	{
		*report = (rpGraphReport){0};
	}
	rpMotion** copies = copyMotions(motions, count, error);
	rpGraph* graph =
		copies != NULL ? rpBuildGraphWith(copies, count, def != NULL ? def : &plain, NULL, report, error) : NULL;
	freeMotions(copies, count);
	if (graph == NULL && report != NULL)
	{
		rpGraphReport_Free(report);
	}
	return graph;
}
