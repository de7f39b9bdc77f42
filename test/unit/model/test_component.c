/// Strongly connected components and pruning, against brute force on random graphs.
#include "build/graph_draft.h"
#include "model/component.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxNodes = 24,
	maxEdges = 80,
};

/// A random graph, and which node reaches which.
typedef struct Sample
{
	int nodeCount, edgeCount;
	int from[maxEdges], to[maxEdges];
	bool isTransition[maxEdges];
	rpEdgeSides sides[maxEdges];

	/// What both sides have.
	uint64_t labels[maxEdges];
} Sample;

static int compareFrom(const void* a, const void* b)
{
	return *(const int*)a - *(const int*)b;
}

static Sample makeSample(uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	Sample sample = {.nodeCount = 2 + rpRandom_Index(&random, maxNodes - 2)};
	sample.edgeCount = rpRandom_Index(&random, maxEdges);
	for (int e = 0; e < sample.edgeCount; ++e)
	{
		sample.from[e] = rpRandom_Index(&random, sample.nodeCount);
		sample.to[e] = rpRandom_Index(&random, sample.nodeCount);
		uint64_t from = 1u << rpRandom_Index(&random, 2), to = from;
		from |= rpRandom_Index(&random, 5) == 0 ? 3 : 0;
		// One transition in four leads from one label to the other.
		sample.isTransition[e] = rpRandom_Index(&random, 3) == 0;
		to = !sample.isTransition[e] ? from : rpRandom_Index(&random, 4) == 0 ? to ^ 3 : to;
		sample.sides[e] = (rpEdgeSides){from, to};
		sample.labels[e] = from & to;
	}
	qsort(sample.from, (size_t)sample.edgeCount, sizeof(int), compareFrom);
	return sample;
}

typedef bool Reach[maxNodes][maxNodes];

// Warshall's closure over edges that have a label on both sides; 0: over all edges.
static void close(const Sample* sample, uint64_t labels, Reach reach)
{
	memset(reach, 0, sizeof(Reach));
	for (int n = 0; n < sample->nodeCount; ++n)
	{
		reach[n][n] = true;
	}
	for (int e = 0; e < sample->edgeCount; ++e)
	{
		if (labels == 0 || (sample->labels[e] & labels) != 0)
		{
			reach[sample->from[e]][sample->to[e]] = true;
		}
	}
	for (int k = 0; k < sample->nodeCount; ++k)
	{
		for (int i = 0; i < sample->nodeCount; ++i)
		{
			for (int j = 0; j < sample->nodeCount; ++j)
			{
				reach[i][j] |= reach[i][k] && reach[k][j];
			}
		}
	}
}

static void testComponents(void** state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 500; ++seed)
	{
		Sample sample = makeSample(seed);
		int firstEdges[maxNodes + 1] = {0}, component[maxNodes];
		for (int e = 0; e < sample.edgeCount; ++e)
		{
			++firstEdges[sample.from[e] + 1];
		}
		for (int n = 0; n < sample.nodeCount; ++n)
		{
			firstEdges[n + 1] += firstEdges[n];
		}
		rpLinks links = {sample.nodeCount, firstEdges, sample.to, NULL};
		int count = rpFindComponents(&links, component, NULL);
		Reach reach;
		close(&sample, 0, reach);
		for (int i = 0; i < sample.nodeCount; ++i)
		{
			assert_in_range(component[i], 0, count - 1);
			for (int j = 0; j < sample.nodeCount; ++j)
			{
				assert_int_equal(component[i] == component[j], reach[i][j] && reach[j][i]);
			}
		}
	}
}

// A chain as long as a graph may be deep: recursion would not return from it.
static void testDeepChain(void** state)
{
	(void)state;
	enum
	{
		length = 1000000,
	};
	int* firstEdges = malloc((length + 1) * sizeof(int));
	int* targets = malloc(length * sizeof(int));
	int* component = malloc(length * sizeof(int));
	for (int n = 0; n < length; ++n)
	{
		firstEdges[n] = n;
		targets[n] = (n + 1) % length;
	}
	firstEdges[length] = length;
	rpLinks links = {length, firstEdges, targets, NULL};
	assert_int_equal(rpFindComponents(&links, component, NULL), 1);
	free(firstEdges);
	free(targets);
	free(component);
}

// A graph of the sample's edges, one frame each; only what pruning looks at.
static rpGraph* makeGraph(const Sample* sample)
{
	rpGraph* graph = calloc(1, sizeof(rpGraph));
	graph->nodes = calloc(maxNodes, sizeof(rpGraphNode));
	graph->edges = calloc(maxEdges, sizeof(rpGraphEdge));
	graph->sides = calloc(maxEdges, sizeof(rpEdgeSides));
	graph->nodeCount = sample->nodeCount;
	graph->edgeCount = sample->edgeCount;
	for (int e = 0, n = -1; e < sample->edgeCount; ++e)
	{
		while (n < sample->from[e])
		{
			graph->nodes[++n].firstEdge = e;
			graph->nodes[n].frame = n;
		}
		++graph->nodes[n].edgeCount;
		graph->edges[e] = (rpGraphEdge){.from = sample->from[e], .to = sample->to[e], .frameCount = 1};
		graph->edges[e].labels = sample->sides[e].from | sample->sides[e].to;
		graph->edges[e].distance = sample->isTransition[e] ? 0.1f : -1.0f;
		graph->sides[e] = sample->sides[e];
		graph->edges[e].fromMiddle = e;
	}
	int last = sample->edgeCount > 0 ? sample->from[sample->edgeCount - 1] : -1;
	for (int n = last + 1; n < sample->nodeCount; ++n)
	{
		graph->nodes[n] = (rpGraphNode){.frame = n, .firstEdge = sample->edgeCount};
	}
	return graph;
}

static void freeGraph(rpGraph* graph)
{
	free(graph->nodes);
	free(graph->edges);
	free(graph->sides);
	free(graph);
}

// The largest component of a label by brute force: most frames of clips (edges that are no transitions) inside. Those
// of equal size make the answer a matter of taste; such samples are passed over.
static bool findLargest(const Sample* sample, uint64_t label, bool* in)
{
	Reach reach;
	int best = 0, bestNode = -1;
	bool isTied = false;
	close(sample, label, reach);
	for (int n = 0; n < sample->nodeCount; ++n)
	{
		int size = 0;
		for (int e = 0; e < sample->edgeCount; ++e)
		{
			int from = sample->from[e], to = sample->to[e];
			bool isOf = (sample->labels[e] & label) != 0 && !sample->isTransition[e];
			size += isOf && reach[n][from] && reach[from][n] && reach[n][to] && reach[to][n];
		}
		bool isSame = bestNode >= 0 && reach[n][bestNode] && reach[bestNode][n];
		isTied = size > best ? false : isTied || (size == best && size > 0 && !isSame);
		bestNode = size > best ? n : bestNode;
		best = size > best ? size : best;
	}
	for (int n = 0; n < sample->nodeCount; ++n)
	{
		in[n] = bestNode >= 0 && reach[n][bestNode] && reach[bestNode][n];
	}
	return !isTied;
}

static void testPruning(void** state)
{
	(void)state;
	int looked = 0;
	for (uint64_t seed = 0; seed < 2000; ++seed)
	{
		Sample sample = makeSample(seed);
		bool a[maxNodes], b[maxNodes];
		if (!findLargest(&sample, 1, a) || !findLargest(&sample, 2, b))
		{
			continue;
		}
		++looked;
		rpGraph* graph = makeGraph(&sample);
		assert_true(rpPruneGraph(graph, 2, true, NULL, NULL));
		int kept = 0;
		for (int e = 0; e < sample.edgeCount; ++e)
		{
			int from = sample.from[e], to = sample.to[e];
			bool stays = (a[from] || b[from]) && (a[to] || b[to]);
			if (stays)
			{
				const rpGraphEdge* edge = &graph->edges[kept++];
				assert_int_equal(edge->fromMiddle, e);
				assert_int_equal(graph->sides[kept - 1].from, sample.sides[e].from);
				assert_int_equal(graph->sides[kept - 1].to, sample.sides[e].to);
				assert_int_equal(graph->nodes[edge->from].frame, from);
				assert_int_equal(graph->nodes[edge->to].frame, to);
			}
		}
		assert_int_equal(graph->edgeCount, kept);
		int next = 0;
		for (int n = 0; n < graph->nodeCount; ++n)
		{
			assert_int_equal(graph->nodes[n].firstEdge, next);
			next += graph->nodes[n].edgeCount;
			for (int k = graph->nodes[n].firstEdge; k < next; ++k)
			{
				assert_int_equal(graph->edges[k].from, n);
			}
		}
		assert_int_equal(next, kept);
		freeGraph(graph);
	}
	assert_true(looked > 500);
}

// Nodes that go on for ever in some label, and whether a label has less than half of its frames there.
static bool findEndless(const Sample* sample, bool* endless, uint64_t* smallLabels)
{
	memset(endless, 0, maxNodes * sizeof(bool));
	*smallLabels = 0;
	for (uint64_t label = 1; label <= 2; label *= 2)
	{
		bool in[maxNodes];
		int inside = 0, all = 0;
		if (!findLargest(sample, label, in))
		{
			return false;
		}
		for (int e = 0; e < sample->edgeCount; ++e)
		{
			bool isOf = (sample->labels[e] & label) != 0 && !sample->isTransition[e];
			all += isOf;
			inside += isOf && in[sample->from[e]] && in[sample->to[e]];
		}
		*smallLabels |= 2 * inside < all ? label : 0;
		for (int n = 0; n < sample->nodeCount; ++n)
		{
			endless[n] |= in[n];
		}
	}
	return true;
}

// Which nodes lead to a node that goes on for ever, or are led to from one.
static bool isLinked(const Sample* sample, Reach reach, const bool* endless, int node, bool isBack)
{
	bool isLinked = false;
	for (int n = 0; n < sample->nodeCount; ++n)
	{
		isLinked |= endless[n] && (isBack ? reach[n][node] : reach[node][n]);
	}
	return isLinked;
}

// What is left of a sample.
static Sample readGraph(const Sample* whole, const rpGraph* graph)
{
	Sample left = {.nodeCount = whole->nodeCount, .edgeCount = graph->edgeCount};
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		left.from[e] = graph->nodes[graph->edges[e].from].frame;
		left.to[e] = graph->nodes[graph->edges[e].to].frame;
		left.labels[e] = whole->labels[graph->edges[e].fromMiddle];
	}
	return left;
}

static bool staysIn(rpEdgeSides sides, uint64_t labels)
{
	return (sides.from & labels) != 0 && (sides.to & labels) != 0;
}

// Paths through small labels: all that leads from what goes on for ever to what does, and no dead end.
static void testPaths(void** state)
{
	(void)state;
	int added = 0, dropped = 0;
	for (uint64_t seed = 0; seed < 4000; ++seed)
	{
		Sample sample = makeSample(seed);
		bool endless[maxNodes], isKept[maxEdges] = {0};
		uint64_t smallLabels;
		if (!findEndless(&sample, endless, &smallLabels))
		{
			continue;
		}
		Reach reach, left;
		close(&sample, 0, reach);
		rpGraph* graph = makeGraph(&sample);
		assert_true(rpPruneGraph(graph, 2, false, NULL, NULL));
		Sample rest = readGraph(&sample, graph);
		close(&rest, 0, left);
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			isKept[graph->edges[e].fromMiddle] = true;
			for (int end = 0; end < 2; ++end)
			{
				int node = end == 0 ? rest.from[e] : rest.to[e];
				assert_true(isLinked(&rest, left, endless, node, true));
				assert_true(isLinked(&rest, left, endless, node, false));
			}
		}
		for (int e = 0; e < sample.edgeCount; ++e)
		{
			int from = sample.from[e], to = sample.to[e];
			bool isOld = endless[from] && endless[to];
			bool isPath = staysIn(sample.sides[e], smallLabels) && isLinked(&sample, reach, endless, from, true) &&
						  isLinked(&sample, reach, endless, to, false);
			assert_true(isKept[e] || !(isOld || isPath));
			assert_true(isOld || smallLabels != 0 || !isKept[e]);
			added += isKept[e] && !isOld;
			dropped += !isKept[e] && smallLabels != 0;
		}
		freeGraph(graph);
	}
	assert_true(added > 500 && dropped > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testComponents),
		cmocka_unit_test(testDeepChain),
		cmocka_unit_test(testPruning),
		cmocka_unit_test(testPaths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
