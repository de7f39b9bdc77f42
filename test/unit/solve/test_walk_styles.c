/// Walks on small graphs made by hand: styles with others between them, labels on both sides of a transition, and the
/// path back from dead ends.
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	frames = 10,
	labelCount = 4,
	maxEdges = 16,
};

enum
{
	labelA,
	labelB,
	labelC,
	labelD,
};

/// Straight on for ever: each label has a clip of a metre, and transitions of a metre lead on to the clips of others.
typedef struct Line
{
	rpGraph graph;
	rpGraphNode nodes[2 * labelCount];
	rpGraphEdge edges[maxEdges];
	rpEdgeSides sides[maxEdges];
	rpVec2 path[maxEdges * (frames + 1)];
	float lengths[maxEdges * (frames + 1)];
	rpGraphClip clips[labelCount];
	char names[labelCount][2];
	char* labels[labelCount];
} Line;

// What all the clips hold: only where they start is looked at.
static rpMotion* s_motion;

static int setUp(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actStand);
	def.seconds = 1.0;
	s_motion = rpPerform(&def, NULL);
	return s_motion != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyMotion(s_motion);
	return 0;
}

static void addEdge(Line* line, int from, int to, uint64_t fromLabels, uint64_t toLabels, bool isTransition)
{
	int e = line->graph.edgeCount++, first = e * (frames + 1);
	line->edges[e] = (rpGraphEdge){.from = from,
								   .to = to,
								   .frameCount = frames,
								   .labels = fromLabels | toLabels,
								   .distance = isTransition ? 0.1f : -1.0f,
								   .alignment = {0.0f, {0.0f, 0.0f, isTransition ? 2.0f : 0.0f}},
								   .firstPoint = first};
	line->sides[e] = (rpEdgeSides){fromLabels, toLabels};
	for (int f = 0; f <= frames; ++f)
	{
		line->path[first + f] = (rpVec2){0.0f, (isTransition ? 1.0f : 0.0f) + (float)f / frames};
		line->lengths[first + f] = (float)f / frames;
	}
}

// leads[a] has the bits of the labels that transitions lead to from a.
static void makeLine(Line* line, const unsigned leads[labelCount])
{
	memset(line, 0, sizeof(*line));
	for (int a = 0; a < labelCount; ++a)
	{
		line->names[a][0] = (char)('A' + a);
		line->labels[a] = line->names[a];
		line->clips[a].motion = s_motion;
		line->nodes[2 * a] = (rpGraphNode){a, 0, line->graph.edgeCount, 1};
		addEdge(line, 2 * a, 2 * a + 1, 1ull << a, 1ull << a, false);
		line->nodes[2 * a + 1] = (rpGraphNode){a, frames, line->graph.edgeCount, 0};
		for (int b = 0; b < labelCount; ++b)
		{
			if ((leads[a] >> b & 1) != 0)
			{
				addEdge(line, 2 * a + 1, 2 * b, 1ull << a, 1ull << b, true);
				++line->nodes[2 * a + 1].edgeCount;
			}
		}
	}
	line->graph.fps = 30.0;
	line->graph.labels = line->labels;
	line->graph.labelCount = labelCount;
	line->graph.clips = line->clips;
	line->graph.clipCount = labelCount;
	line->graph.nodes = line->nodes;
	line->graph.nodeCount = 2 * labelCount;
	line->graph.edges = line->edges;
	line->graph.sides = line->sides;
	line->graph.path = line->path;
	line->graph.lengths = line->lengths;
	line->graph.pointCount = line->graph.edgeCount * (frames + 1);
}

static rpWalk* follow(const Line* line, const rpPathStyle* styles, int styleCount, rpError* error)
{
	rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 20.0f}};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = 2;
	def.styles = styles;
	def.styleCount = styleCount;
	def.styleOverlap = 0.9;
	return rpGraph_FollowPath(&line->graph, &def, NULL, error);
}

// Metres at which the walk is in a clip of a label for the first time, -1: never; and for the last time.
static double findClip(const Line* line, const rpWalk* walk, int label, double* last)
{
	double first = -1.0;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		const rpGraphEdge* edge = &line->edges[walk->edges[k]];
		if (!rpGraphEdge_IsTransition(edge) && edge->from == 2 * label)
		{
			first = first < 0.0 ? k : first;
			*last = k + 1;
		}
	}
	return first;
}

// A leads to B and B to C, but A not to C: the path leads over B, and is no longer than needed.
static void testBridge(void** state)
{
	(void)state;
	static Line line;
	const unsigned leads[] = {1 << labelA | 1 << labelB, 1 << labelB | 1 << labelC, 1 << labelC, 1 << labelD};
	makeLine(&line, leads);
	rpPathStyle styles[] = {{0.0, 1 << labelA}, {8.0, 1 << labelC}};
	rpError error = {0};
	rpWalk* walk = follow(&line, styles, 2, &error);
	assert_non_null(walk);
	double lastA = 0.0, lastB = 0.0, lastC = 0.0;
	double firstB = findClip(&line, walk, labelB, &lastB), firstC = findClip(&line, walk, labelC, &lastC);
	assert_true(findClip(&line, walk, labelA, &lastA) == 0.0);
	assert_true(lastA <= firstB && lastB <= firstC && firstB >= 0.0);
	// The style changes where it is said, but for what leads there; and B is passed through, once.
	assert_true(firstC >= 7.0 && firstC <= 13.0);
	assert_true(lastB - firstB <= 1.0);
	assert_true(lastC >= 19.0);
	rpDestroyWalk(walk);

	// Where nothing leads to a style it is said which.
	styles[1].labels = 1 << labelD;
	assert_null(follow(&line, styles, 2, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_non_null(strstr(error.message, "from style 1 of the path to style 2"));
}

// A transition into another style is not of the style that it leaves.
static void testSides(void** state)
{
	(void)state;
	static Line line;
	const unsigned leads[] = {1 << labelA | 1 << labelB, 1 << labelB | 1 << labelA, 1 << labelD, 1 << labelC};
	makeLine(&line, leads);
	rpGraph* graph = &line.graph;
	bool in[2 * labelCount];
	assert_int_equal(rpGraph_FindComponent(graph, labelA, in, NULL), 2);
	assert_true(in[0] && in[1]);
	// C and D go on only by each other: neither has a component of its own.
	assert_int_equal(rpGraph_FindComponent(graph, labelC, in, NULL), 0);
	assert_int_equal(rpGraph_FindComponent(graph, -1, in, NULL), 4);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		uint64_t from = line.sides[e].from, to = line.sides[e].to;
		assert_true(rpGraph_StaysIn(graph, e, 0));
		assert_int_equal(rpGraph_StaysIn(graph, e, 1 << labelA), from == 1 && to == 1);
		assert_int_equal(rpGraph_StaysIn(graph, e, 1 << labelA | 1 << labelB), from <= 2 && to <= 2);
	}
	for (uint64_t seed = 0; seed < 20; ++seed)
	{
		rpWalk* walk = rpGraph_WalkAtRandom(graph, 60.0, 1 << labelA, seed, NULL);
		assert_non_null(walk);
		for (int k = 0; k < walk->edgeCount; ++k)
		{
			assert_true(rpGraph_StaysIn(graph, walk->edges[k], 1 << labelA));
		}
		rpDestroyWalk(walk);
	}
	rpError error = {0};
	assert_null(rpGraph_WalkAtRandom(graph, 60.0, 1 << labelC, 1, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	rpWalk* both = rpGraph_WalkAtRandom(graph, 60.0, 1 << labelC | 1 << labelD, 1, NULL);
	assert_non_null(both);
	rpDestroyWalk(both);
}

// A graph of before has labels alone: they count for both sides.
static void testWithoutSides(void** state)
{
	(void)state;
	static Line line;
	const unsigned leads[] = {1 << labelA | 1 << labelB, 1 << labelB, 0, 0};
	makeLine(&line, leads);
	line.graph.sides = NULL;
	for (int e = 0; e < line.graph.edgeCount; ++e)
	{
		assert_int_equal(rpGraph_StaysIn(&line.graph, e, 1 << labelA), (line.edges[e].labels & 1) != 0);
	}
}

/// Costs by edge; infinite ones must not be taken.
typedef struct Prices
{
	double costs[maxEdges];
	double length;
} Prices;

static double getPrice(const rpWalkState* walk, int edge, int frameCount, rpWalkState* next, void* context)
{
	const Prices* prices = context;
	(void)walk, (void)next;
	return prices->costs[edge] * frameCount;
}

static bool isLongEnough(const rpWalkState* walk, void* context)
{
	return walk->length >= ((const Prices*)context)->length;
}

// From A on, B is cheap for two metres and then nothing goes on; C is dear and goes on for ever. The search sees half a
// metre farther than it keeps, so it finds out when it is too late, and has to go back.
static void testDeadEnd(void** state)
{
	(void)state;
	static Line line;
	const unsigned leads[] = {1 << labelB | 1 << labelC, 1 << labelD, 1 << labelC, 0};
	makeLine(&line, leads);
	Prices prices = {.length = 12.0};
	for (int e = 0; e < line.graph.edgeCount; ++e)
	{
		prices.costs[e] = line.sides[e].to == 1 << labelC ? 1.0 : 0.001;
	}
	rpSearchDef def = rpDefaultSearchDef();
	def.cost = getPrice;
	def.halt = isLongEnough;
	def.context = &prices;
	def.start = 0;
	def.searchedFrames = 2 * frames;
	def.keptFrames = frames;
	rpError error = {0};
	for (int beam = 0; beam <= 8; beam += 8)
	{
		def.beam = beam;
		rpWalk* walk = rpGraph_Search(&line.graph, &def, &error);
		assert_non_null(walk);
		assert_true(rpWalk_GetLength(walk, &line.graph) >= 12.0 - 1e-4);
		for (int k = 2; k < walk->edgeCount; ++k)
		{
			assert_int_equal(line.sides[walk->edges[k]].to, 1 << labelC);
		}
		rpDestroyWalk(walk);
	}

	// Without C nothing goes on, and the time up to which it did is reported.
	for (int e = 0; e < line.graph.edgeCount; ++e)
	{
		prices.costs[e] = line.sides[e].to == 1 << labelC ? (double)INFINITY : 0.001;
	}
	assert_null(rpGraph_Search(&line.graph, &def, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_non_null(strstr(error.message, "no walk goes on after"));
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBridge),
		cmocka_unit_test(testSides),
		cmocka_unit_test(testWithoutSides),
		cmocka_unit_test(testDeadEnd),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
