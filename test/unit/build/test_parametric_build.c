/// Parametric graphs: distances against the metric's own, boxes against their definition, lookup against eq. 6.1
/// to 6.3, the same bytes for any number of threads, what cannot be an edge, and edges that are partial.
#include "space_scene.h"

#include "build/parametric_build.h"
#include "model/parametric_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rpSpace* s_walks;

static int setUp(void** state)
{
	(void)state;
	s_walks = testMakeWalkSpace();
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroySpace(s_walks);
	return 0;
}

static rpParametricDef getDef(const rpParametricNodeDef* nodes, int count)
{
	rpParametricDef def = rpDefaultParametricDef();
	def.nodes = nodes;
	def.nodeCount = count;
	def.sourceSamples = 8;
	def.targetSamples = 60;
	def.autoLimit = 1.0f;
	return def;
}

static rpParametricGraph* build(const rpParametricDef* def)
{
	rpError error = {0};
	rpParametricGraph* graph = rpBuildParametricGraph(def, NULL, NULL, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	return graph;
}

static rpParametricGraph* buildWalks(void)
{
	rpParametricNodeDef node = {"walk", s_walks};
	rpParametricDef def = getDef(&node, 1);
	return build(&def);
}

// ---- distances

// What a table has of a pair: the least distance of all moments around the ends, and of those that are nearly as near
// the one nearest to the ends, compared directly, span by span.
static void checkPair(const rpTransitionTable* table, const rpParametricModel* model, int i, int j)
{
	static rpParametricMotion now;
	static rpParametricStep step;
	int reach = (int)(model->graph->margin * model->graph->fps + 1e-3f);
	float distances[32][32], least = INFINITY, nearest = INFINITY, from = 0.0f, to = 0.0f, found = 0.0f;
	double frame = 1.0 / (double)model->graph->fps;
	rpParametricMotion_Begin(model, 0, table->sourceValues + i, rpGroundTransform_identity, &now);
	rpParametricStep_Begin(model, &now, 0, &step);
	rpParametricStep_Plan(model, table->targetValues + j, 0.0f, &step);
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int a = -reach; a <= reach; ++a)
		{
			for (int b = -reach; b <= reach; ++b)
			{
				step.from = now.clip.end + a * frame;
				step.to = step.next.clip.start + b * frame;
				if (pass == 0)
				{
					rpParametricStep_Compare(model, &now, &step);
					distances[a + reach][b + reach] = step.distance;
					least = fminf(least, step.distance);
				}
				float partA = rpParametricClip_GetPart(&now.clip, step.from),
					  partB = rpParametricClip_GetPart(&step.next.clip, step.to);
				float own = distances[a + reach][b + reach], far = fabsf(partA - 1.0f) + fabsf(partB);
				if (pass == 1 && own <= fmaxf(1.05f * least, 0.005f) && far < nearest)
				{
					nearest = far;
					found = own;
					from = partA;
					to = partB;
				}
			}
		}
	}
	size_t at = (size_t)i * (size_t)table->targetCount + (size_t)j;
	assert_float_equal(table->distances[at], found, 2e-4);
	// Of two as near to the ends either may be found.
	float far = fabsf(table->from[at] - 1.0f) + fabsf(table->to[at]);
	assert_true(fabsf(far - nearest) < 0.05f ||
				(fabsf(table->from[at] - from) < 1e-3f && fabsf(table->to[at] - to) < 1e-3f));
}

static void testTable(void** state)
{
	(void)state;
	rpParametricGraph* graph = buildWalks();
	size_t size;
	rpError error = {0};
	void* bytes = rpWriteParametricBundle(graph, &size, &error);
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpParametricModel model;
	assert_true(rpParametricModel_Read(&model, bundle, &error));
	rpMetricDef metricDef = rpDefaultMetricDef();
	metricDef.window = 1.0 / 3.0;
	rpMetric* metric = rpCreateMetric(s_walks->motions[0]->skeleton, &metricDef, &error);
	rpTransitionTableDef def = {.source = &model.spaces[0],
								.target = &model.spaces[0],
								.metric = metric,
								.sourceCount = 5,
								.targetCount = 7,
								.margin = 0.2,
								.seed = 3};
	rpTransitionTable table;
	assert_true(rpTransitionTable_Make(&table, &def, &error));
	assert_true(table.sourceCount == 5 && table.targetCount == 7);
	for (int i = 0; i < 5; ++i)
	{
		for (int j = 0; j < 7; ++j)
		{
			checkPair(&table, &model, i, j);
		}
	}
	// The ends of the parameter are among them.
	assert_float_equal(table.sourceValues[0], s_walks->parameters[0].low, 1e-3);
	assert_float_equal(table.sourceValues[1], s_walks->parameters[0].high, 1e-3);
	rpTransitionTable_Free(&table);
	rpDestroyMetric(metric);
	rpParametricModel_Free(&model);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	rpDestroyParametricGraph(graph);
}

// ---- boxes

enum
{
	targetCount = 400,
};

// Distances by hand, over two parameters: good near a place, bad far from it and in spots here and there.
static void makeTable(rpTransitionTable* table, rpSpace* space, rpRandom* random)
{
	*space = (rpSpace){.parameterCount = 2};
	space->parameters[0] = (rpSpaceParameter){.name = "a", .low = -1.0f, .high = 1.0f};
	space->parameters[1] = (rpSpaceParameter){.name = "b", .low = 0.0f, .high = 10.0f};
	*table = (rpTransitionTable){.source = space, .target = space, .sourceCount = 1, .targetCount = targetCount};
	table->sourceValues = calloc(2, sizeof(float));
	table->targetValues = calloc(2 * targetCount, sizeof(float));
	table->distances = calloc(targetCount, sizeof(float));
	table->from = calloc(targetCount, sizeof(float));
	table->to = calloc(targetCount, sizeof(float));
	float x = rpRandom_Range(random, -0.5f, 0.5f), y = rpRandom_Range(random, 3.0f, 7.0f);
	for (int j = 0; j < targetCount; ++j)
	{
		float* own = table->targetValues + 2 * j;
		own[0] = rpRandom_Range(random, -1.0f, 1.0f);
		own[1] = rpRandom_Range(random, 0.0f, 10.0f);
		table->distances[j] = hypotf(own[0] - x, 0.1f * (own[1] - y)) * rpRandom_Range(random, 0.7f, 1.3f);
		table->from[j] = rpRandom_Range(random, 0.9f, 1.1f);
		table->to[j] = rpRandom_Range(random, -0.1f, 0.1f);
	}
}

static void freeTable(rpTransitionTable* table)
{
	free(table->sourceValues);
	free(table->targetValues);
	free(table->distances);
	free(table->from);
	free(table->to);
}

static void checkBox(const rpTransitionTable* table, float good, float bad)
{
	rpParametricSample sample;
	rpBoxNotes notes;
	double from = 0.0, to = 0.0;
	int goodCount = 0, inside = 0, goodOutside = 0;
	float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	rpFindBox(table, 0, good, bad, NULL, &sample, &notes);
	for (int j = 0; j < targetCount; ++j)
	{
		const float* own = table->targetValues + 2 * j;
		bool isIn = rpParametricSample_Contains(&sample, own, 2), isGood = table->distances[j] <= good;
		assert_false(isIn && table->distances[j] > bad);
		inside += isIn;
		goodOutside += isGood && !isIn;
		goodCount += isGood && isIn;
		from += isGood && isIn ? (double)table->from[j] : 0.0;
		to += isGood && isIn ? (double)table->to[j] : 0.0;
		for (int k = 0; k < 2 && isGood; ++k)
		{
			low[k] = fminf(low[k], own[k]);
			high[k] = fmaxf(high[k], own[k]);
		}
	}
	assert_int_equal(inside, notes.insideCount);
	assert_true(goodOutside == 0 || notes.isTrimmed);
	for (int k = 0; k < 2 && goodCount > 0; ++k)
	{
		// Never larger than what is good, and the same where nothing is bad.
		assert_true(sample.center[k] - 0.5f * sample.width[k] >= low[k] - 1e-5f);
		assert_true(sample.center[k] + 0.5f * sample.width[k] <= high[k] + 1e-5f);
		assert_true(notes.isTrimmed || fabsf(sample.width[k] - (high[k] - low[k])) < 1e-5f);
	}
	if (goodCount > 0)
	{
		assert_float_equal(sample.from, from / goodCount, 1e-5);
		assert_float_equal(sample.to, to / goodCount, 1e-5);
	}
	else
	{
		assert_true(sample.width[0] < 0.0f);
	}
}

static void testBoxes(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int round = 0; round < 200; ++round)
	{
		rpTransitionTable table;
		rpSpace space;
		makeTable(&table, &space, &random);
		float good = rpRandom_Range(&random, 0.05f, 0.6f);
		checkBox(&table, good, good);
		checkBox(&table, good, 1.4f * good);
		checkBox(&table, good, 100.0f);
		freeTable(&table);
	}
}

// The least threshold that leaves a share of the target, and hardly less does not.
static void testThreshold(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(6);
	rpTransitionTable table;
	rpSpace space;
	makeTable(&table, &space, &random);
	for (float share = 0.05f; share < 0.5f; share += 0.1f)
	{
		rpParametricSample sample;
		rpBoxNotes notes;
		float good = rpFindThreshold(&table, share, 100.0f, 1.0f);
		rpFindBox(&table, 0, good, 100.0f * good, NULL, &sample, &notes);
		assert_true((float)notes.insideCount >= share * (float)targetCount);
		rpFindBox(&table, 0, 0.98f * good, 98.0f * good, NULL, &sample, &notes);
		assert_true((float)notes.insideCount <= (share + 0.02f) * (float)targetCount);
	}
	freeTable(&table);
}

// ---- lookup

// Eq. 6.1 to 6.3 in double precision, the rim being the neighbour after the last that counts.
static void lookUpDirectly(const rpParametricGraph* graph, float value, double* low, double* high, double* from)
{
	const rpParametricEdge* edge = &graph->edges[0];
	double range = (double)(s_walks->parameters[0].high - s_walks->parameters[0].low);
	int order[3] = {-1, -1, -1};
	double far[3] = {INFINITY, INFINITY, INFINITY};
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		double own = fabs((double)graph->samples[i].values[0] - (double)value) / range;
		for (int k = 0; k < 3; ++k)
		{
			if (own < far[k])
			{
				memmove(far + k + 1, far + k, (size_t)(2 - k) * sizeof(double));
				memmove(order + k + 1, order + k, (size_t)(2 - k) * sizeof(int));
				far[k] = own;
				order[k] = i;
				break;
			}
		}
	}
	double weights[2] = {1.0 / far[0] - 1.0 / far[2], 1.0 / far[1] - 1.0 / far[2]}, sum = weights[0] + weights[1];
	*low = *high = *from = 0.0;
	for (int k = 0; k < 2; ++k)
	{
		const rpParametricSample* sample = &graph->samples[order[k]];
		double w = weights[k] / sum, c = (double)sample->center[0], half = 0.5 * (double)sample->width[0];
		*low += w * (c - half);
		*high += w * (c + half);
		*from += w * (double)sample->from;
	}
}

static void testLookup(void** state)
{
	(void)state;
	rpParametricGraph* graph = buildWalks();
	rpRandom random = rpSeedRandom(2);
	for (int i = 0; i < 500; ++i)
	{
		double low, high, from;
		float value = rpRandom_Range(&random, s_walks->parameters[0].low, s_walks->parameters[0].high);
		rpParametricBox box = rpParametricGraph_LookUp(graph, 0, &value);
		lookUpDirectly(graph, value, &low, &high, &from);
		assert_float_equal(box.low[0], low, 1e-4);
		assert_float_equal(box.high[0], high, 1e-4);
		assert_float_equal(box.from, from, 1e-4);
		assert_true(box.low[0] < box.high[0] && !box.isEmpty);
	}
	// A sample's own box, and no jump along a line.
	float last = NAN, step = 0.001f * (s_walks->parameters[0].high - s_walks->parameters[0].low);
	for (int i = 0; i < graph->edges[0].sampleCount; ++i)
	{
		rpParametricBox box = rpParametricGraph_LookUp(graph, 0, graph->samples[i].values);
		assert_float_equal(box.low[0], graph->samples[i].center[0] - 0.5f * graph->samples[i].width[0], 1e-4);
	}
	for (int i = 0; i <= 1000; ++i)
	{
		float value = s_walks->parameters[0].low + (float)i * step;
		rpParametricBox box = rpParametricGraph_LookUp(graph, 0, &value);
		assert_true(i == 0 || fabsf(box.low[0] - last) < 0.05f);
		last = box.low[0];
	}
	rpDestroyParametricGraph(graph);
}

// ---- the whole

static void testThreads(void** state)
{
	(void)state;
	rpParametricNodeDef node = {"walk", s_walks};
	size_t sizes[2];
	void* bytes[2];
	for (int i = 0; i < 2; ++i)
	{
		rpParametricDef def = getDef(&node, 1);
		def.threads = i + 1;
		rpParametricGraph* graph = build(&def);
		bytes[i] = rpWriteParametricBundle(graph, &sizes[i], NULL);
		rpDestroyParametricGraph(graph);
	}
	assert_true(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
	rpFreeBytes(bytes[0]);
	rpFreeBytes(bytes[1]);
}

static void expectFailure(const rpParametricDef* def, rpErrorCode code, const char* word)
{
	rpError error = {0};
	assert_null(rpBuildParametricGraph(def, NULL, NULL, &error));
	assert_int_equal(error.code, code);
	if (strstr(error.message, word) == NULL)
	{
		fail_msg("\"%s\" does not say \"%s\"", error.message, word);
	}
}

static void testRefusals(void** state)
{
	(void)state;
	rpSpace* other = testMakePunchSpace();
	rpParametricNodeDef nodes[2] = {{"walk", s_walks}, {"punch", other}};
	rpParametricDef def = getDef(nodes, 2);
	// Nobody punches as he walks.
	rpParametricEdgeDef edge = {.source = 0, .target = 1, .good = 0.02f};
	def.edges = &edge;
	def.edgeCount = 1;
	expectFailure(&def, rp_errorNoSolution, "no edge from walk to punch");
	edge.good = -1.0f;
	expectFailure(&def, rp_errorArgument, "edge 0");
	edge = (rpParametricEdgeDef){.source = 0, .target = 2};
	expectFailure(&def, rp_errorArgument, "edge 0");
	def.edges = NULL;
	nodes[1].name = "walk";
	expectFailure(&def, rp_errorArgument, "two nodes");
	nodes[1].name = "";
	expectFailure(&def, rp_errorArgument, "no name");
	nodes[1].name = "punch";
	def.share = NAN;
	expectFailure(&def, rp_errorArgument, "shares");
	def = getDef(nodes, 0);
	expectFailure(&def, rp_errorArgument, "0 nodes");
	// Another body.
	rpMotion** motions = other->motions;
	rpMotion* tall = rpScaleMotion(motions[0], 1.1f, NULL);
	rpMotion* own = motions[0];
	assert_non_null(tall);
	motions[0] = tall;
	def = getDef(nodes, 2);
	expectFailure(&def, rp_errorArgument, "two skeletons");
	motions[0] = own;
	rpDestroyMotion(tall);
	rpDestroySpace(other);
}

static rpSpace* makeLeftTurns(void)
{
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "turn";
	testMakeWalks(walks, matches);
	for (int i = 3; i < testWalkCount; ++i)
	{
		matches[i].stretch.clip -= 3;
		matches[i].parent = i - 4;
	}
	rpSpace* space = rpBuildSpace((const rpMotion* const*)walks + 3, testWalkCount - 3, matches + 3, testWalkCount - 3,
								  &def, NULL, NULL, NULL);
	testDestroyWalks(walks);
	assert_non_null(space);
	return space;
}

// From wherever one can get one can go on, though some motions lead nowhere: from walks only to turns to the left,
// which those that turn to the right do not lead to; so from these back only to walks that do.
static void testPartial(void** state)
{
	(void)state;
	rpSpace* left = makeLeftTurns();
	rpParametricNodeDef nodes[2] = {{"walk", s_walks}, {"left", left}};
	rpParametricDef def = getDef(nodes, 2);
	rpParametricEdgeDef edges[2] = {{0, 1, 0.02f, 0.024f, rp_parametricLinear},
									{1, 0, 0.06f, 0.07f, rp_parametricLinear}};
	def.sourceSamples = 20;
	def.targetSamples = 300;
	def.edges = edges;
	def.edgeCount = 2;
	expectFailure(&def, rp_errorNoSolution, "no edge from walk to left");
	def.partial = true;
	rpParametricGraph* graph = build(&def);
	int empty = 0;
	for (int i = 0; i < graph->edges[0].sampleCount; ++i)
	{
		empty += graph->samples[i].width[0] < 0.0f;
	}
	assert_true(empty > 3 && empty < graph->edges[0].sampleCount - 3 && graph->edges[0].isPartial);
	rpRandom random = rpSeedRandom(1);
	float value = left->parameters[0].low;
	int node = 1;
	for (int i = 0; i < 100000; ++i)
	{
		rpSpaceAnswer answer;
		rpParametricBox box = rpParametricGraph_LookUp(graph, node, &value);
		assert_false(box.isEmpty);
		node = 1 - node;
		value = rpRandom_Range(&random, box.low[0], box.high[0]);
		assert_true(rpSpace_Weigh(node == 0 ? s_walks : left, &value, NULL, &answer, NULL));
		value = answer.nearest[0];
	}
	rpDestroyParametricGraph(graph);
	rpDestroySpace(left);
}

static void testTrade(void** state)
{
	(void)state;
	rpParametricNodeDef node = {"walk", s_walks};
	rpParametricDef def = getDef(&node, 1);
	rpParametricEdgeDef edge = {0};
	float goods[4] = {0.005f, 0.02f, 0.05f, 0.1f};
	rpParametricTrade trades[4];
	def.edges = &edge;
	def.edgeCount = 1;
	assert_true(rpTradeParametricEdge(&def, 0, goods, 4, trades, NULL));
	for (int i = 1; i < 4; ++i)
	{
		assert_true(trades[i].shareMean >= trades[i - 1].shareMean && trades[i].distance >= trades[i - 1].distance);
	}
	assert_true(trades[0].shareMean < trades[3].shareMean && trades[3].distance <= 1.18f * goods[3]);
}

static bool buildSmall(void* context, rpError* error)
{
	rpParametricNodeDef node = {"walk", context};
	rpParametricDef def = getDef(&node, 1);
	def.sourceSamples = 2;
	def.targetSamples = 3;
	def.partial = true;
	def.threads = 1;
	size_t size;
	rpParametricBuildReport report = {0};
	rpParametricGraph* graph = rpBuildParametricGraph(&def, NULL, &report, error);
	void* bytes = graph != NULL ? rpWriteParametricBundle(graph, &size, error) : NULL;
	char* text = bytes != NULL ? rpParametricGraph_Export(graph, error) : NULL;
	rpFreeText(text);
	rpFreeBytes(bytes);
	rpParametricBuildReport_Free(&report);
	rpDestroyParametricGraph(graph);
	return text != NULL;
}

static void testMemory(void** state)
{
	(void)state;
	testFailEach(buildSmall, s_walks, 50);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testTable),   cmocka_unit_test(testBoxes),   cmocka_unit_test(testThreshold),
		cmocka_unit_test(testLookup),  cmocka_unit_test(testThreads), cmocka_unit_test(testRefusals),
		cmocka_unit_test(testPartial), cmocka_unit_test(testTrade),   cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
