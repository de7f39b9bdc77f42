/// Walks on motion graphs: at random, the fastest, by search against trying all, along a path; and their motions.
#include "math/order.h"
#include "play_scene.h"
#include "solve/beam.h"
#include "solve/branch_bound.h"
#include "tiny_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the search core against trying all

enum
{
	nodeCount = 7,
	max = 4,
	goalDepth = 5,
};

/// A small random graph: each node has a few children at a cost.
typedef struct Maze
{
	int children[nodeCount][max];
	double costs[nodeCount][max];
	int counts[nodeCount];
	double minCost;
} Maze;

typedef struct Place
{
	int node, depth;
} Place;

static Maze makeMaze(uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	Maze maze = {.minCost = (double)INFINITY};
	for (int n = 0; n < nodeCount; ++n)
	{
		maze.counts[n] = rpRandom_Index(&random, max + 1);
		for (int k = 0; k < max; ++k)
		{
			maze.children[n][k] = rpRandom_Index(&random, nodeCount);
			maze.costs[n][k] = rpRandom_Index(&random, 8) == 0 ? (double)INFINITY : rpRandom_Range(&random, 0.2f, 1.0f);
			maze.minCost = fmin(maze.minCost, maze.costs[n][k]);
		}
	}
	return maze;
}

static bool expandPlace(const void* state, int index, void* child, double* cost, void* context)
{
	const Maze* maze = context;
	const Place* place = state;
	if (index >= maze->counts[place->node])
	{
		return false;
	}
	*(Place*)child = (Place){maze->children[place->node][index], place->depth + 1};
	*cost = maze->costs[place->node][index];
	return true;
}

static bool isGoal(const void* state, void* context)
{
	(void)context;
	return ((const Place*)state)->depth == goalDepth;
}

static bool getPlaceKey(const void* state, int index, rpSearchKey* key, void* context)
{
	const Maze* maze = context;
	const Place* place = state;
	bool isThere = index < maze->counts[place->node];
	*key = (rpSearchKey){place->depth + 1, isThere ? maze->children[place->node][index] : -1, 0};
	return isThere;
}

// What the cheapest step to anywhere costs, for each that is left.
static double estimatePlace(const void* state, void* context)
{
	const Maze* maze = context;
	return maze->minCost * (goalDepth - ((const Place*)state)->depth);
}

static double estimateNothing(const void* state, void* context)
{
	(void)state;
	(void)context;
	return 0.0;
}

// All walks of that depth: their costs, sorted.
static void tryAll(const Maze* maze, int node, int depth, double cost, double* costs, int* count)
{
	if (depth == goalDepth)
	{
		costs[(*count)++] = cost;
		return;
	}
	for (int k = 0; k < maze->counts[node]; ++k)
	{
		if (isfinite(maze->costs[node][k]))
		{
			tryAll(maze, maze->children[node][k], depth + 1, cost + maze->costs[node][k], costs, count);
		}
	}
}

static void checkSolutions(const rpSolutions* solutions, const double* costs, int count)
{
	assert_int_equal(solutions->count, count < solutions->keep ? count : solutions->keep);
	for (int i = 0; i < solutions->count; ++i)
	{
		assert_float_equal(solutions->items[i].cost, costs[i], 1e-12);
		assert_int_equal(solutions->items[i].stepCount, goalDepth);
	}
}

static void testCore(void** state)
{
	(void)state;
	double saved[2] = {0.0, 0.0};
	for (uint64_t seed = 0; seed < 300; ++seed)
	{
		Maze maze = makeMaze(seed);
		static double costs[1 << 12];
		int count = 0;
		Place start = {0, 0};
		tryAll(&maze, 0, 0, 0.0, costs, &count);
		qsort(costs, (size_t)count, sizeof(double), rpCompareDoubles);
		rpSearchSpace space = {.stateSize = sizeof(Place),
							   .getKey = getPlaceKey,
							   .expand = expandPlace,
							   .estimate = estimateNothing,
							   .isGoal = isGoal,
							   .context = &maze};
		int64_t expanded = 0;
		for (int i = 0; i < 4; ++i)
		{
			// Without and with a beam first, without and with an estimate: all the same solutions.
			rpBeamDef beam = rpDefaultBeamDef(2);
			rpBranchDef branches = {.effort = 1 << 20};
			rpSolutions solutions = {.keep = 3};
			bool isExhaustive = false;
			space.estimate = i < 2 ? estimateNothing : estimatePlace;
			assert_true(i % 2 == 0 || rpSearchBeam(&space, &beam, &start, &solutions, NULL, NULL));
			assert_true(rpBranchAndBound(&space, &branches, &start, &solutions, &isExhaustive, NULL));
			assert_true(isExhaustive);
			checkSolutions(&solutions, costs, count);
			// An estimate spares work.
			assert_true(i != 2 || solutions.expanded <= expanded);
			expanded = i == 0 ? solutions.expanded : expanded;
			saved[i == 2] += i % 2 == 0 ? solutions.expanded : 0;
			rpSolutions_Free(&solutions);
		}
		// A beam that is wide enough misses nothing: groups are nodes, and of those the cheapest are kept.
		rpSolutions wide = {.keep = 1};
		rpBeamDef beam = rpDefaultBeamDef(1000);
		assert_true(rpSearchBeam(&space, &beam, &start, &wide, NULL, NULL));
		checkSolutions(&wide, costs, count);
		rpSolutions_Free(&wide);
	}
	assert_true(saved[1] < 0.9 * saved[0]);
}

// ---- bins

/// A walk that waits pays nothing until the end; one that turns pays at each step, and nothing at the end.
typedef struct Waiter
{
	int place, depth;
	bool turns;
} Waiter;

enum
{
	waiterDepth = 12,
	waiterPlaces = 6,
};

static bool expandWaiter(const void* state, int index, void* child, double* cost, void* context)
{
	(void)context;
	const Waiter* waiter = state;
	if (index > waiterPlaces)
	{
		return false;
	}
	bool turns = waiter->depth > 0 ? waiter->turns : index == waiterPlaces;
	Waiter next = {turns ? waiterPlaces : index % waiterPlaces, waiter->depth + 1, turns};
	memcpy(child, &next, sizeof(next));
	*cost = turns ? 1.0 : next.depth == waiterDepth ? 100.0 : 0.01 * index;
	return true;
}

static bool isWaiterDone(const void* state, void* context)
{
	(void)context;
	return ((const Waiter*)state)->depth == waiterDepth;
}

static bool getWaiterKey(const void* state, int index, rpSearchKey* key, void* context)
{
	const Waiter* waiter = state;
	bool turns = waiter->depth > 0 ? waiter->turns : index == waiterPlaces, hasBins = context != NULL;
	*key = (rpSearchKey){waiter->depth + 1, turns ? waiterPlaces : index % waiterPlaces, turns && hasBins};
	return index <= waiterPlaces;
}

// A narrow beam is full of walks that wait; in a bin of their own those that turn come through.
static void testBeamBins(void** state)
{
	(void)state;
	bool hasBins = true;
	rpSearchSpace space = {.stateSize = sizeof(Waiter),
						   .getKey = getWaiterKey,
						   .expand = expandWaiter,
						   .estimate = estimateNothing,
						   .isGoal = isWaiterDone};
	Waiter start = {0};
	for (int width = 1; width <= 3; ++width)
	{
		rpBeamDef beam = rpDefaultBeamDef(width);
		rpSolutions plain = {.keep = 1}, diverse = {.keep = 1};
		beam.maxGrowth = 1;
		space.context = NULL;
		assert_true(rpSearchBeam(&space, &beam, &start, &plain, NULL, NULL));
		space.context = &hasBins;
		assert_true(rpSearchBeam(&space, &beam, &start, &diverse, NULL, NULL));
		assert_true(plain.count == 1 && plain.items[0].cost >= 100.0);
		assert_true(diverse.count == 1 && diverse.items[0].cost == waiterDepth);
		rpSolutions_Free(&plain);
		rpSolutions_Free(&diverse);
	}
}

// ---- a graph of walks and of sneaking

static rpGraph* s_graph;

static int makeGraph(void** state)
{
	(void)state;
	static const float turns[] = {0.0f, 20.0f, 45.0f, 75.0f};
	rpMotion* motions[6];
	for (int i = 0; i < 4; ++i)
	{
		char name[24];
		snprintf(name, sizeof(name), "walk %d", i);
		motions[i] = testPerformTurning(rp_actWalk, 6.0, turns[i], (uint64_t)i + 1, name);
	}
	motions[4] = testPerformTurning(rp_actSneak, 6.0, 0.0f, 9, "sneak");
	motions[5] = testPerformTurning(rp_actSneak, 6.0, 25.0f, 10, "sneak left");
	rpGraphDef def = rpDefaultGraphDef();
	def.mirror = true;
	s_graph = rpBuildGraphOf((const rpMotion* const*)motions, 6, &def, NULL, NULL);
	for (int i = 0; i < 6; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	return s_graph != NULL ? 0 : -1;
}

static int dropGraph(void** state)
{
	(void)state;
	rpDestroyGraph(s_graph);
	return 0;
}

static void checkWalk(const rpWalk* walk)
{
	for (int i = 0; i + 1 < walk->edgeCount; ++i)
	{
		assert_int_equal(s_graph->edges[walk->edges[i]].to, s_graph->edges[walk->edges[i + 1]].from);
	}
}

static void testRandomWalk(void** state)
{
	(void)state;
	// Ten minutes without a dead end, and every label is visited.
	rpWalk* walk = rpGraph_WalkAtRandom(s_graph, 600.0, 0, 7, NULL);
	assert_non_null(walk);
	checkWalk(walk);
	assert_float_equal(rpWalk_GetDuration(walk, s_graph), 600.0, 1.0 / 30.0 + 1e-9);
	uint64_t seen = 0;
	int* visits = calloc((size_t)s_graph->edgeCount, sizeof(int));
	int used = 0;
	for (int i = 0; i < walk->edgeCount; ++i)
	{
		seen |= s_graph->edges[walk->edges[i]].labels;
		used += visits[walk->edges[i]]++ == 0;
	}
	assert_int_equal(seen, 3);
	// Visits are balanced: most of the graph is used, or as much as there is time for.
	assert_true(used > 0.6 * fmin(s_graph->edgeCount, walk->edgeCount));
	free(visits);
	rpWalk* again = rpGraph_WalkAtRandom(s_graph, 600.0, 0, 7, NULL);
	assert_int_equal(again->edgeCount, walk->edgeCount);
	assert_memory_equal(again->edges, walk->edges, (size_t)walk->edgeCount * sizeof(int));
	rpDestroyWalk(again);
	rpDestroyWalk(walk);

	uint64_t sneak = 1ull << rpGraph_FindLabel(s_graph, "sneak");
	walk = rpGraph_WalkAtRandom(s_graph, 60.0, sneak, 1, NULL);
	assert_non_null(walk);
	for (int i = 0; i < walk->edgeCount; ++i)
	{
		assert_true(rpGraph_StaysIn(s_graph, walk->edges[i], sneak));
	}
	rpDestroyWalk(walk);
	rpError error = {0};
	assert_null(rpGraph_WalkAtRandom(s_graph, 10.0, 1ull << 40, 1, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_null(rpGraph_WalkAtRandom(s_graph, -1.0, 0, 1, &error));
}

// Eq. IV.1 where a clip can go on or go over: how often it does so is what exp(-D / sigma) says.
static void testWalkByCost(void** state)
{
	(void)state;
	TinyGraph tiny;
	assert_true(tinyMake(&tiny));
	static const double sigmas[] = {0.003, 0.01, 1.0};
	for (size_t k = 0; k < 3; ++k)
	{
		int counts[tinyEdges] = {0};
		rpWalk* walk = rpGraph_WalkByCost(&tiny.graph, 5000.0, 0, sigmas[k], 3, NULL);
		assert_non_null(walk);
		for (int i = 0; i < walk->edgeCount; ++i)
		{
			++counts[walk->edges[i]];
		}
		rpDestroyWalk(walk);
		// At node 1: edge 1 goes over at a distance of 0.1, edge 2 goes on.
		double over = exp(-0.01 / sigmas[k]), expected = over / (1.0 + over);
		double share = (double)counts[1] / (counts[1] + counts[2]);
		double deviation = sqrt(expected * (1.0 - expected) / (counts[1] + counts[2]));
		assert_true(counts[1] + counts[2] > 5000);
		assert_true(fabs(share - expected) < 4.0 * deviation);
	}
	rpError error = {0};
	assert_null(rpGraph_WalkByCost(&tiny.graph, 10.0, 0, 0.0, 3, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_null(rpGraph_WalkByCost(&tiny.graph, 10.0, 0, (double)NAN, 3, &error));
	tinyFree(&tiny);

	// On a real graph: the smaller sigma, the cheaper the transitions; and the same walk for the same seed.
	double means[2] = {0.0, 0.0};
	for (int k = 0; k < 2; ++k)
	{
		int count = 0;
		rpWalk* walk = rpGraph_WalkByCost(s_graph, 300.0, 0, k == 0 ? 1e-3 : 1e3, 5, NULL);
		rpWalk* again = rpGraph_WalkByCost(s_graph, 300.0, 0, k == 0 ? 1e-3 : 1e3, 5, NULL);
		assert_non_null(walk);
		checkWalk(walk);
		assert_float_equal(rpWalk_GetDuration(walk, s_graph), 300.0, 1.0 / 30.0 + 1e-9);
		assert_int_equal(again->edgeCount, walk->edgeCount);
		assert_memory_equal(again->edges, walk->edges, (size_t)walk->edgeCount * sizeof(int));
		for (int i = 0; i < walk->edgeCount; ++i)
		{
			float distance = s_graph->edges[walk->edges[i]].distance;
			means[k] += distance >= 0.0f ? (double)distance : 0.0;
			count += distance >= 0.0f;
		}
		assert_true(count > 10);
		means[k] /= count;
		rpDestroyWalk(walk);
		rpDestroyWalk(again);
	}
	assert_true(means[0] < 0.95 * means[1]);
}

// Against Bellman & Ford's distances.
static void testFastestWalk(void** state)
{
	(void)state;
	bool* goals = calloc((size_t)s_graph->nodeCount, sizeof(bool));
	int* frames = malloc((size_t)s_graph->nodeCount * sizeof(int));
	int goal = s_graph->nodeCount - 1;
	goals[goal] = true;
	for (int n = 0; n < s_graph->nodeCount; ++n)
	{
		frames[n] = n == goal ? 0 : 1 << 28;
	}
	for (bool isChanged = true; isChanged;)
	{
		isChanged = false;
		for (int e = 0; e < s_graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &s_graph->edges[e];
			if (frames[edge->to] + edge->frameCount < frames[edge->from])
			{
				frames[edge->from] = frames[edge->to] + edge->frameCount;
				isChanged = true;
			}
		}
	}
	for (int n = 0; n < s_graph->nodeCount; n += 37)
	{
		rpWalk* walk = rpGraph_WalkFastest(s_graph, n, goals, NULL);
		assert_non_null(walk);
		checkWalk(walk);
		assert_float_equal(rpWalk_GetDuration(walk, s_graph) * s_graph->fps, n == goal ? 0 : frames[n], 1e-6);
		rpDestroyWalk(walk);
	}
	memset(goals, 0, (size_t)s_graph->nodeCount);
	rpError error = {0};
	assert_null(rpGraph_WalkFastest(s_graph, 0, goals, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	free(goals);
	free(frames);
}

// Whether a stretch with a label goes on at the end of a walk.
static bool goesOn(const rpWalk* walk, uint64_t labels)
{
	const rpGraphNode* node = &s_graph->nodes[s_graph->edges[walk->edges[walk->edgeCount - 1]].to];
	bool goesOn = false;
	for (int k = 0; k < node->edgeCount; ++k)
	{
		const rpGraphEdge* edge = &s_graph->edges[node->firstEdge + k];
		goesOn |= !rpGraphEdge_IsTransition(edge) && (edge->labels & labels) != 0;
	}
	return goesOn;
}

static bool goOn(void* context, rpError* error)
{
	rpWalk* walk = rpGraph_WalkFastest(s_graph, 0, context, error);
	bool done = walk != NULL && rpWalk_Extend(walk, s_graph, 0, 60.0, error);
	rpDestroyWalk(walk);
	return done;
}

// A walk that has come somewhere goes on there: to the end of what it has come to, and for as long as is asked for.
static void testGoingOn(void** state)
{
	(void)state;
	bool* goals = calloc((size_t)s_graph->nodeCount, sizeof(bool));
	goals[s_graph->nodeCount / 2] = true;
	for (int n = 0; n < s_graph->nodeCount; n += 51)
	{
		rpWalk* walk = rpGraph_WalkFastest(s_graph, n, goals, NULL);
		assert_non_null(walk);
		int first = walk->edgeCount;
		assert_true(rpWalk_Extend(walk, s_graph, 1, 0.0, NULL));
		if (first > 0)
		{
			assert_false(goesOn(walk, 1));
			for (int k = first; k < walk->edgeCount; ++k)
			{
				assert_true(!rpGraphEdge_IsTransition(&s_graph->edges[walk->edges[k]]));
				assert_true((s_graph->edges[walk->edges[k]].labels & 1) != 0);
			}
			double seconds = rpWalk_GetDuration(walk, s_graph);
			assert_true(rpWalk_Extend(walk, s_graph, 1, seconds + 30.0, NULL));
			assert_true(rpWalk_GetDuration(walk, s_graph) >= seconds + 30.0);
			assert_true(rpWalk_GetDuration(walk, s_graph) < seconds + 36.0);
		}
		checkWalk(walk);
		rpDestroyWalk(walk);
	}
	testFailEach(goOn, goals, 3);
	free(goals);
}

// ---- paths

enum
{
	circlePoints = 101,
};

static void drawCircle(rpVec2* points, float radius)
{
	for (int i = 0; i < circlePoints; ++i)
	{
		float angle = 2.0f * (float)RP_PI * (float)i / (circlePoints - 1);
		points[i] = (rpVec2){radius - radius * cosf(angle), radius * sinf(angle)};
	}
}

static void testPathFollowed(void** state)
{
	(void)state;
	rpVec2 points[circlePoints];
	drawCircle(points, 3.0f);
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = circlePoints;
	rpPathReport report;
	rpError error = {0};
	rpWalk* walk = rpGraph_FollowPath(s_graph, &def, &report, &error);
	assert_non_null(walk);
	checkWalk(walk);
	assert_true(report.errorMean < 0.15);
	assert_true(report.transitionCount > 0);

	// The motion is where the report says, its feet rest, and it passes the measures.
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 0.0, true, &error);
	assert_non_null(motion);
	rpEvaluateDef evaluation = rpDefaultEvaluateDef();
	evaluation.path = points;
	evaluation.pathCount = circlePoints;
	rpMeasures measures;
	assert_true(rpEvaluate(motion, &evaluation, &measures, NULL));
	assert_float_equal(measures.values[rp_measurePathMean], report.errorMean, 0.03);
	assert_true(measures.values[rp_measureSlideMean] < 1.0);
	assert_int_equal(measures.seamCount, report.transitionCount);
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (measures.values[i] > rpMeasure_GetDefaultLimit(i))
		{
			fail_msg("%s is %g", rpMeasure_GetKey(i), measures.values[i]);
		}
	}
	rpDestroyMotion(motion);

	// Where seams cost nothing, no worse than the thesis' search without a beam at ten times the effort; and what they
	// cost is spent on them.
	rpPathDef plain = def;
	plain.seamPrice = 0.0;
	rpPathReport precise;
	rpWalk* preciseWalk = rpGraph_FollowPath(s_graph, &plain, &precise, &error);
	assert_non_null(preciseWalk);
	assert_true(report.transitionCount < precise.transitionCount);
	assert_true(report.errorMean < precise.errorMean + 0.1);
	rpDestroyWalk(preciseWalk);
	plain.search.beam = 0;
	plain.search.effort = 200000;
	plain.waiting = 0.0;
	plain.transitionWeight = 0.0;
	rpPathReport plainReport;
	rpWalk* plainWalk = rpGraph_FollowPath(s_graph, &plain, &plainReport, &error);
	assert_non_null(plainWalk);
	assert_true(precise.errorMean <= 1.1 * plainReport.errorMean + 0.005);
	rpDestroyWalk(plainWalk);

	// The same again; another by chance.
	rpWalk* again = rpGraph_FollowPath(s_graph, &def, NULL, &error);
	assert_int_equal(again->edgeCount, walk->edgeCount);
	assert_memory_equal(again->edges, walk->edges, (size_t)walk->edgeCount * sizeof(int));
	rpDestroyWalk(again);
	rpDestroyWalk(walk);

	def.maxError = 1e-4;
	assert_null(rpGraph_FollowPath(s_graph, &def, &report, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	def.pointCount = 1;
	assert_null(rpGraph_FollowPath(s_graph, &def, &report, &error));
	assert_int_equal(error.code, rp_errorArgument);
}

static void testStyles(void** state)
{
	(void)state;
	rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 10.0f}};
	uint64_t walkBit = 1ull << rpGraph_FindLabel(s_graph, "walk"),
			 sneakBit = 1ull << rpGraph_FindLabel(s_graph, "sneak");
	rpPathStyle styles[] = {{0.0, walkBit}, {5.0, sneakBit}};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = 2;
	def.styles = styles;
	def.styleCount = 2;
	rpError error = {0};
	rpWalk* walk = rpGraph_FollowPath(s_graph, &def, NULL, &error);
	assert_non_null(walk);
	// Walking first, then sneaking; the change is at the fifth metre or at the next place that leads to sneaking.
	double length = 0.0, change = -1.0;
	for (int i = 0; i < walk->edgeCount; ++i)
	{
		const rpGraphEdge* edge = &s_graph->edges[walk->edges[i]];
		assert_true((edge->labels & (change < 0.0 ? walkBit | sneakBit : sneakBit)) != 0);
		change = change < 0.0 && (edge->labels & sneakBit) != 0 ? length : change;
		length += s_graph->lengths[edge->firstPoint + edge->frameCount];
	}
	if (change < 4.0 || change > 8.0)
	{
		fail_msg("the style changes after %.2f m", change);
	}
	rpDestroyWalk(walk);
	styles[0].labels = 1ull << 50;
	assert_null(rpGraph_FollowPath(s_graph, &def, NULL, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
}

static void testForbidden(void** state)
{
	(void)state;
	rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 6.0f}};
	rpForbidden circle = {{0.1f, 3.0f}, 0.4f};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = 2;
	def.forbidden = &circle;
	def.forbiddenCount = 1;
	rpError error = {0};
	rpWalk* walk = rpGraph_FollowPath(s_graph, &def, NULL, &error);
	assert_non_null(walk);
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 30.0, false, &error);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		assert_true(hypotf(motion->rootPositions[f].x - 0.1f, motion->rootPositions[f].z - 3.0f) > 0.4f);
	}
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
	// Nobody starts inside.
	circle.center = (rpVec2){0.0f, 0.0f};
	assert_null(rpGraph_FollowPath(s_graph, &def, NULL, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
}

static void testGo(void** state)
{
	(void)state;
	rpWalkToPlaceDef def = rpDefaultWalkToPlaceDef();
	def.goal = (rpGroundTransform){(float)(90.0 * RP_DEGREE), {3.0f, 0.0f, 4.0f}};
	rpGroundTransform reached;
	rpError error = {0};
	rpWalk* walk = rpGraph_WalkToPlace(s_graph, &def, &reached, &error);
	assert_non_null(walk);
	checkWalk(walk);
	assert_true(rpDistance(reached.shift, def.goal.shift) < 0.4f);
	assert_true(fabsf(rpWrapAngle(reached.turn - def.goal.turn)) < 0.8f);
	// Its motion starts at the origin, facing +Z, and ends there too.
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 30.0, false, &error);
	rpGroundTransform first = rpMotion_GetGround(motion, 0), last = rpMotion_GetGround(motion, motion->frameCount - 1);
	assert_true(hypotf(first.shift.x, first.shift.z) < 1e-3f && fabsf(first.turn) < 1e-3f);
	assert_true(hypotf(last.shift.x - reached.shift.x, last.shift.z - reached.shift.z) < 0.02f);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
}

// Goals beside and behind, with any heading there; and with another motion at the end.
static void testGoBack(void** state)
{
	(void)state;
	static const struct
	{
		float x, z, degrees;
		const char* label;
	} goals[] = {{0.0f, -4.0f, 180.0f, NULL},   {0.0f, -4.0f, 0.0f, NULL},   {-3.0f, 0.0f, -90.0f, NULL},
				 {2.0f, 2.0f, 180.0f, NULL},    {3.0f, -3.0f, -90.0f, NULL}, {0.0f, 5.0f, 0.0f, "sneak"},
				 {0.0f, -4.0f, 180.0f, "sneak"}};
	for (int i = 0; i < (int)(sizeof(goals) / sizeof(goals[0])); ++i)
	{
		rpWalkToPlaceDef def = rpDefaultWalkToPlaceDef();
		def.goal = (rpGroundTransform){goals[i].degrees * (float)RP_DEGREE, {goals[i].x, 0.0f, goals[i].z}};
		def.goalLabels = goals[i].label != NULL ? 1ull << rpGraph_FindLabel(s_graph, goals[i].label) : 0;
		rpGroundTransform reached;
		rpWalk* walk = rpGraph_WalkToPlace(s_graph, &def, &reached, NULL);
		assert_non_null(walk);
		float away = rpDistance(reached.shift, def.goal.shift);
		float turn = fabsf(rpWrapAngle(reached.turn - def.goal.turn));
		double seconds = rpWalk_GetDuration(walk, s_graph);
		print_message("goal %d: %.2f m and %.2f rad off after %.1f s\n", i, (double)away, (double)turn, seconds);
		assert_true(away < 0.15f && turn < 0.3f && seconds < 20.0);
		uint64_t labels = s_graph->edges[walk->edges[walk->edgeCount - 1]].labels;
		assert_true(def.goalLabels == 0 || (labels & def.goalLabels) != 0);
		rpDestroyWalk(walk);
	}
}

// A walk that stays in one clip is that clip.
static void testMotionOfAClip(void** state)
{
	(void)state;
	int edge = 0;
	while (rpGraphEdge_IsTransition(&s_graph->edges[edge]))
	{
		++edge;
	}
	int edges[] = {edge};
	rpWalk walk = {.edges = edges, .edgeCount = 1, .lastFrames = 1 << 30};
	rpMotion* motion = rpWalk_MakeMotion(&walk, s_graph, 0.0, false, NULL);
	const rpGraphNode* node = &s_graph->nodes[s_graph->edges[edge].from];
	const rpMotion* clip = s_graph->clips[node->clip].motion;
	int first = rpMotion_GetFrame(clip, node->frame / s_graph->fps);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		assert_true(rpDistance(motion->rootPositions[f], clip->rootPositions[first + f]) < 1e-5f);
	}
	rpDestroyMotion(motion);
}

// Where two clips disagree by moments about a foot, the seam does not lift it for a moment, and hardly ever sets it
// down for one (1 to 5 times in two minutes, of four seeds).
static void testContactsAtSeams(void** state)
{
	(void)state;
	rpWalk* walk = rpGraph_WalkAtRandom(s_graph, 120.0, 0, 11, NULL);
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 0.0, false, NULL);
	const rpAnnotations* notes = &motion->annotations;
	int seams = 0, held = 0, brief = 0;
	for (int e = 0; e < notes->eventCount; ++e)
	{
		double seam = notes->events[e].time;
		seams += strcmp(notes->events[e].name, "seam") == 0;
		for (int i = 0; i < notes->intervalCount; ++i)
		{
			const rpInterval* a = &notes->intervals[i];
			bool isContact = a->track == rp_trackContact && strcmp(notes->events[e].name, "seam") == 0;
			bool holds = a->start < seam + 1e-9 && a->end > seam - 1e-9;
			held += isContact && holds;
			brief += isContact && holds && a->end - a->start < 0.05;
			for (int k = 0; k < notes->intervalCount && isContact; ++k)
			{
				const rpInterval* b = &notes->intervals[k];
				bool follows = b->track == rp_trackContact && b->effector == a->effector && a->end <= seam + 1e-9 &&
							   b->start >= seam - 1e-9;
				assert_false(follows && b->start - a->end < 0.05);
			}
		}
	}
	print_message("%d of %d contacts at seams last for less than 50 ms\n", brief, held);
	assert_true(25 * brief <= held);
	assert_true(seams > 20);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
}

/// Frames that come one by one.
typedef struct Heard
{
	const rpMotion* whole;
	int count, enough;
} Heard;

static bool hear(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	Heard* heard = context;
	const rpMotion* whole = heard->whole;
	size_t jointCount = (size_t)whole->skeleton->jointCount;
	assert_int_equal(frame, heard->count++);
	assert_null(motion->rotations);
	assert_int_equal(motion->frameCount, whole->frameCount);
	assert_int_equal(motion->inputCount, whole->inputCount);
	assert_memory_equal(&pose->rootPosition, &whole->rootPositions[frame], sizeof(rpVec3));
	assert_memory_equal(pose->rotations, rpMotion_GetRotations(whole, frame), jointCount * sizeof(rpQuat));
	if (heard->count == heard->enough && error != NULL)
	{
		error->code = rp_errorFile;
	}
	return heard->count != heard->enough;
}

static bool stopAtOnce(double fraction, const char* what, void* context)
{
	(void)fraction;
	(void)what;
	(void)context;
	return false;
}

static void assertSameNotes(const rpAnnotations* a, const rpAnnotations* b)
{
	assert_int_equal(a->intervalCount, b->intervalCount);
	assert_int_equal(a->eventCount, b->eventCount);
	for (int i = 0; i < a->intervalCount; ++i)
	{
		const rpInterval *x = &a->intervals[i], *y = &b->intervals[i];
		assert_true(x->track == y->track && x->start == y->start && x->end == y->end && x->effector == y->effector);
		assert_true(x->sourceStart == y->sourceStart && x->sourceEnd == y->sourceEnd);
		assert_string_equal(x->name != NULL ? x->name : "", y->name != NULL ? y->name : "");
	}
}

// As a stream a walk has the frames and notes that it has as a whole, to the bit, and stops when it is told to.
static void testStream(void** state)
{
	(void)state;
	rpError error = {0};
	rpWalk* walk = rpGraph_WalkAtRandom(s_graph, 30.0, 0, 3, NULL);
	for (int lock = 0; lock < 2; ++lock)
	{
		rpMotion* whole = rpWalk_MakeMotion(walk, s_graph, 0.0, lock != 0, NULL);
		Heard heard = {.whole = whole, .enough = -1};
		rpWalkRenderDef def = rpDefaultWalkRenderDef();
		assert_true(def.lockFeet);
		def.lockFeet = lock != 0;
		def.addFrame = hear;
		def.frameContext = &heard;
		rpMotion* bare = rpWalk_Render(walk, s_graph, &def, &error);
		assert_non_null(bare);
		assert_null(bare->rootPositions);
		assert_int_equal(heard.count, whole->frameCount);
		assertSameNotes(&bare->annotations, &whole->annotations);
		rpDestroyMotion(bare);

		heard = (Heard){.whole = whole, .enough = 100};
		assert_null(rpWalk_Render(walk, s_graph, &def, &error));
		assert_int_equal(error.code, rp_errorFile);
		heard = (Heard){.whole = whole, .enough = -1};
		def.progress = stopAtOnce;
		assert_null(rpWalk_Render(walk, s_graph, &def, &error));
		assert_int_equal(error.code, rp_errorCancelled);
		def.fps = RP_MAX_FPS + 1.0;
		assert_null(rpWalk_Render(walk, s_graph, &def, &error));
		assert_int_equal(error.code, rp_errorArgument);
		assert_int_equal(heard.count, 1);
		rpDestroyMotion(whole);
	}
	rpDestroyWalk(walk);
}

static bool dropFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	(void)motion;
	(void)frame;
	(void)pose;
	(void)error;
	++*(int*)context;
	return true;
}

// Beyond its annotations a walk takes no more memory the longer it is; these take about as much as is documented.
static void testStreamMemory(void** state)
{
	(void)state;
	size_t peaks[2];
	static const double seconds[2] = {60.0, 1260.0};
	for (int k = 0; k < 2; ++k)
	{
		rpWalk* walk = rpGraph_WalkAtRandom(s_graph, seconds[k], 0, 3, NULL);
		int count = 0;
		rpWalkRenderDef def = rpDefaultWalkRenderDef();
		def.addFrame = dropFrame;
		def.frameContext = &count;
		testStartPeak();
		rpMotion* bare = rpWalk_Render(walk, s_graph, &def, NULL);
		peaks[k] = testGetPeak();
		assert_int_equal(count, bare->frameCount);
		rpDestroyMotion(bare);
		rpDestroyWalk(walk);
	}
	double perSecond = ((double)peaks[1] - (double)peaks[0]) / (seconds[1] - seconds[0]);
	print_message("%.0f bytes for each second of motion\n", perSecond);
	assert_true(perSecond < 4096.0);
}

// Both drivers, and the motion of what they find.
static void testFailingMemory(void** state)
{
	(void)state;
	rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 2.0f}};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = 2;
	def.search.effort = 2000;
	for (int beam = 0; beam <= 4; beam += 4)
	{
		int blocks = testCountLiveBlocks(), n = 0;
		def.search.beam = beam;
		for (bool done = false; !done; n += 1 + n / 32)
		{
			rpError error = {0};
			testFailAllocation(n);
			rpWalk* walk = rpGraph_FollowPath(s_graph, &def, NULL, &error);
			rpMotion* motion = walk != NULL ? rpWalk_MakeMotion(walk, s_graph, 30.0, true, &error) : NULL;
			testFailAllocation(-1);
			done = motion != NULL;
			assert_true(done || error.code == rp_errorMemory);
			rpDestroyWalk(walk);
			rpDestroyMotion(motion);
			assert_int_equal(testCountLiveBlocks(), blocks);
		}
		assert_true(n > 20);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBeamBins),        cmocka_unit_test(testCore),
		cmocka_unit_test(testRandomWalk),      cmocka_unit_test(testWalkByCost),
		cmocka_unit_test(testFastestWalk),     cmocka_unit_test(testGoingOn),
		cmocka_unit_test(testPathFollowed),    cmocka_unit_test(testStyles),
		cmocka_unit_test(testForbidden),       cmocka_unit_test(testGo),
		cmocka_unit_test(testGoBack),          cmocka_unit_test(testMotionOfAClip),
		cmocka_unit_test(testContactsAtSeams), cmocka_unit_test(testStream),
		cmocka_unit_test(testStreamMemory),    cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, makeGraph, dropGraph);
}
