/// Thresholds of motion graphs: what a threshold connects and which ones are chosen, against a direct computation on
/// small random examples; and which transitions lead from one label to another.
#include "build/graph_trial.h"
#include "math/order.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 3,
	clipFrames = 30,
	half = 2,
	labelCount = 2,
	maxTransits = 40,
	maxNodes = 160,
	far = 1 << 20,
};

// How far thresholds may go, farther than any transition is.
static const float s_cap = 0.25f;

/// Examples without motions, and transitions between them.
typedef struct Sample
{
	rpExamples examples;
	rpGraphClip clips[clipCount];
	char* labels[labelCount];
	int firstFrames[clipCount + 1];
	uint64_t masks[clipCount * clipFrames];
	float changes[clipCount * clipFrames];
	rpTransit transits[maxTransits];
	int transitCount;
} Sample;

// Labels change once in each clip; now and then a stretch has both.
static void makeSample(uint64_t seed, Sample* out)
{
	rpRandom random = rpSeedRandom(seed);
	static char names[][8] = {"run", "walk"};
	*out = (Sample){.labels = {names[0], names[1]}};
	for (int c = 0; c < clipCount; ++c)
	{
		int change = 5 + rpRandom_Index(&random, clipFrames - 10);
		uint64_t before = 1 + (uint64_t)rpRandom_Index(&random, 3), after = 1 + (uint64_t)rpRandom_Index(&random, 3);
		out->clips[c].frameCount = clipFrames;
		out->firstFrames[c + 1] = (c + 1) * clipFrames;
		for (int f = 0; f < clipFrames; ++f)
		{
			out->masks[c * clipFrames + f] = f < change ? before : after;
			// So lively that no threshold is too great.
			out->changes[c * clipFrames + f] = s_cap;
		}
	}
	out->transitCount = 20 + rpRandom_Index(&random, maxTransits - 20);
	for (int k = 0; k < out->transitCount; ++k)
	{
		out->transits[k] = (rpTransit){
			.fromClip = rpRandom_Index(&random, clipCount),
			.fromMiddle = half + rpRandom_Index(&random, clipFrames - 2 * half),
			.toClip = rpRandom_Index(&random, clipCount),
			.toMiddle = half + rpRandom_Index(&random, clipFrames - 2 * half),
			.half = half,
			// None twice, so that each threshold is one more transition.
			.distance = 0.01f * (float)(1 + rpRandom_Index(&random, 20)) + 1e-4f * (float)k,
		};
	}
	out->examples = (rpExamples){.fps = 30.0,
								 .half = half,
								 .usualHalf = half,
								 .changeStep = half,
								 .greatest = 0.4f,
								 .labels = out->labels,
								 .labelCount = labelCount,
								 .clips = out->clips,
								 .clipCount = clipCount,
								 .firstFrames = out->firstFrames,
								 .masks = out->masks,
								 .changes = out->changes};
}

// ---- the direct computation

/// Frames from each node to each, by edges of one label up to a threshold.
typedef int Lengths[maxNodes][maxNodes];

/// Which transitions of a label are used: near ones, and farther ones between what near ones do not join.
typedef struct Limits
{
	float near, bridge;
	/// Paths by near ones; NULL: no bridges.
	int (*nearLengths)[maxNodes];
} Limits;

static bool isUsed(const rpGraph* graph, int e, int label, const Limits* limits)
{
	const rpGraphEdge* edge = &graph->edges[e];
	uint64_t both = graph->sides[e].from & graph->sides[e].to;
	bool joins = limits->nearLengths != NULL && edge->distance <= limits->bridge &&
				 (limits->nearLengths[edge->from][edge->to] >= far || limits->nearLengths[edge->to][edge->from] >= far);
	return (both >> label & 1) != 0 && (edge->distance <= limits->near || joins);
}

static void findLengths(const rpGraph* graph, int label, const Limits* limits, Lengths lengths)
{
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		for (int j = 0; j < graph->nodeCount; ++j)
		{
			lengths[i][j] = i == j ? 0 : far;
		}
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		int* path = &lengths[edge->from][edge->to];
		*path = isUsed(graph, e, label, limits) && edge->frameCount < *path ? edge->frameCount : *path;
	}
	for (int k = 0; k < graph->nodeCount; ++k)
	{
		for (int i = 0; i < graph->nodeCount; ++i)
		{
			for (int j = 0; j < graph->nodeCount; ++j)
			{
				int through = lengths[i][k] + lengths[k][j];
				lengths[i][j] = through < lengths[i][j] ? through : lengths[i][j];
			}
		}
	}
}

static bool isTogether(Lengths lengths, int a, int b)
{
	return lengths[a][b] < far && lengths[b][a] < far;
}

// The nodes of the largest component, and its share of the label's frames. False if two are as large.
static bool findLargest(const rpGraph* graph, int label, const Limits* limits, Lengths lengths, bool* in, double* share)
{
	int best = 0, bestNode = -1, all = 0;
	bool isTied = false;
	findLengths(graph, label, limits, lengths);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int size = 0;
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			bool isOf = !rpGraphEdge_IsTransition(edge) && (edge->labels >> label & 1) != 0;
			size +=
				isOf && isTogether(lengths, n, edge->from) && isTogether(lengths, n, edge->to) ? edge->frameCount : 0;
			all += n == 0 && isOf ? edge->frameCount : 0;
		}
		isTied = size > best ? false : isTied || (size == best && size > 0 && !isTogether(lengths, n, bestNode));
		bestNode = size > best ? n : bestNode;
		best = size > best ? size : best;
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		in[n] = bestNode >= 0 && isTogether(lengths, n, bestNode);
	}
	*share = all > 0 ? (double)best / all : 0.0;
	return !isTied;
}

static double getShare(const rpGraph* graph, int label, const Limits* limits)
{
	static Lengths lengths;
	bool in[maxNodes];
	double share;
	(void)findLargest(graph, label, limits, lengths, in, &share);
	return share;
}

// Whether an edge leads from one label to the other: a stretch that has both, or a transition that leaves the one and
// enters the other.
static bool isSwitch(const rpGraph* graph, int e, int from, int to)
{
	const rpEdgeSides* sides = &graph->sides[e];
	return !rpGraphEdge_IsTransition(&graph->edges[e]) ? (graph->edges[e].labels & 3) == 3
													   : sides->from == 1ull << from && sides->to == 1ull << to;
}

// Share of the nodes in one label's component from which the other's is entered within so many frames.
static double getSwitchShare(const rpGraph* graph, int from, int to, Lengths lengths, const bool* in,
							 const bool* inOther, float threshold, int longest)
{
	int all = 0, reached = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		bool isInTime = false;
		for (int e = 0; in[n] && e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			isInTime |= isSwitch(graph, e, from, to) && edge->distance <= threshold && in[edge->from] &&
						inOther[edge->to] && lengths[n][edge->from] <= longest;
		}
		all += in[n];
		reached += isInTime;
	}
	return all > 0 ? (double)reached / all : 0.0;
}

// ---- tests

static void testShares(void** state)
{
	(void)state;
	static Sample sample;
	for (uint64_t seed = 0; seed < 60; ++seed)
	{
		makeSample(seed, &sample);
		rpTrial trial;
		assert_true(rpTrial_Make(&trial, &sample.examples, sample.transits, sample.transitCount, NULL));
		assert_true(trial.graph->nodeCount <= maxNodes);
		for (int label = 0; label < labelCount; ++label)
		{
			rpTrial_SelectLabel(&trial, label);
			for (float threshold = 0.0f; threshold < 0.25f; threshold += 0.04f)
			{
				float share = rpTrial_GetShare(&trial, threshold, NULL);
				assert_float_equal(share, getShare(trial.graph, label, &(Limits){.near = threshold}), 1e-6);
			}
		}
		rpTrial_Free(&trial);
	}
}

// The min distance of a transition whose share is as wanted; none is needed where nothing does.
static float findMin(const Sample* sample, double (*evaluate)(float, void*), void* context, double wanted)
{
	float best = 0.0f;
	double max = evaluate(1.0f, context);
	if (!(max > 0.0) || evaluate(0.0f, context) >= wanted - 1e-7)
	{
		return 0.0f;
	}
	for (int k = 0; k < sample->transitCount; ++k)
	{
		float distance = sample->transits[k].distance;
		if (evaluate(distance, context) >= wanted - 1e-7 && (best == 0.0f || distance < best))
		{
			best = distance;
		}
	}
	return best;
}

/// What is looked at for a threshold.
typedef struct Look
{
	const rpGraph* graph;
	int from, to, longest;
	int (*lengths)[maxNodes];
	const bool *in, *inOther;
	/// Within a label: what near transitions join, once that is chosen.
	Limits limits;
} Look;

static double lookWithin(float threshold, void* context)
{
	const Look* look = context;
	Limits limits = look->limits;
	*(limits.nearLengths != NULL ? &limits.bridge : &limits.near) = threshold;
	return getShare(look->graph, look->from, &limits);
}

// The share at the knee: farthest above the diagonal, among 24 thresholds up to the cap.
static double findKnee(Look* look, double max)
{
	double knee = 0.0, farthest = -1.0;
	for (int i = 1; i <= 24; ++i)
	{
		double share = lookWithin((float)i / 24.0f * s_cap, look);
		if (share / max - i / 24.0 > farthest + 1e-6)
		{
			farthest = share / max - i / 24.0;
			knee = share;
		}
	}
	return knee;
}

// The limits of a label: at the knee, or where its share is 0.6; and bridges for what is not joined by that.
static Limits chooseLimits(const Sample* sample, const rpGraph* graph, int label, Lengths nearLengths)
{
	Look look = {.graph = graph, .from = label};
	double max = lookWithin(1.0f, &look);
	look.limits.near = max > 0.0 ? findMin(sample, lookWithin, &look, fmin(findKnee(&look, max), 0.6)) : 0.0f;
	findLengths(graph, label, &look.limits, nearLengths);
	look.limits.nearLengths = nearLengths;
	look.limits.bridge = findMin(sample, lookWithin, &look, fmin(0.98 * max, 0.6));
	look.limits.bridge = fmaxf(look.limits.bridge, look.limits.near);
	return look.limits;
}

static double lookBetween(float threshold, void* context)
{
	const Look* look = context;
	return getSwitchShare(look->graph, look->from, look->to, look->lengths, look->in, look->inOther, threshold,
						  look->longest);
}

// The distance of the 24th transition that is of use, or of the last.
static float findEnough(const Look* look)
{
	float distances[maxTransits];
	int count = 0;
	for (int e = 0; e < look->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &look->graph->edges[e];
		if (rpGraphEdge_IsTransition(edge) && isSwitch(look->graph, e, look->from, look->to) && look->in[edge->from] &&
			look->inOther[edge->to])
		{
			distances[count++] = edge->distance;
		}
	}
	qsort(distances, (size_t)count, sizeof(float), rpCompareFloats);
	return count == 0 ? 0.0f : distances[count < 24 ? count - 1 : 23];
}

// Of a label that does not hang together all counts: whatever node an edge of it has.
static void takeAll(const rpGraph* graph, int label, bool* in)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		bool isOf = isUsed(graph, e, label, &(Limits){.near = INFINITY});
		in[graph->edges[e].from] |= isOf;
		in[graph->edges[e].to] |= isOf;
	}
}

static void checkChoices(bool isStrict)
{
	static Sample sample;
	static Lengths lengths[labelCount], nearLengths;
	int compared = 0, chosen = 0, bridged = 0;
	for (uint64_t seed = 0; seed < 200; ++seed)
	{
		makeSample(seed, &sample);
		rpGraphDef def = rpDefaultGraphDef();
		def.wantedShare = 0.6f;
		def.wantedSwitch = 0.5;
		def.strictPruning = isStrict;
		rpThresholds thresholds;
		rpTrial trial;
		assert_true(
			rpChooseThresholds(&sample.examples, sample.transits, sample.transitCount, &def, &thresholds, NULL, NULL));
		assert_true(rpTrial_Make(&trial, &sample.examples, sample.transits, sample.transitCount, NULL));
		bool in[labelCount][maxNodes], isClear = true;
		for (int a = 0; a < labelCount; ++a)
		{
			double share;
			Limits limits = chooseLimits(&sample, trial.graph, a, nearLengths);
			assert_float_equal(thresholds.limits[a * labelCount + a], limits.near, 1e-6);
			assert_float_equal(thresholds.bridges[a], limits.bridge, 1e-6);
			bridged += limits.bridge > limits.near;
			isClear &= findLargest(trial.graph, a, &limits, lengths[a], in[a], &share);
			if (!isStrict && share < 0.5)
			{
				takeAll(trial.graph, a, in[a]);
			}
		}
		for (int a = 0; a < labelCount && isClear; ++a)
		{
			Look look = {trial.graph, a, 1 - a, 15, lengths[a], in[a], in[1 - a], {.near = 0.0f}};
			double max = lookBetween(1.0f, &look);
			float limit = findMin(&sample, lookBetween, &look, max < 1.0 ? 0.98 * max : 1.0);
			limit = fmaxf(limit, fminf(1.1f * limit, findEnough(&look)));
			assert_float_equal(thresholds.limits[a * labelCount + 1 - a], limit, 1e-6);
			++compared;
			chosen += limit > 0.0f;
		}
		rpTrial_Free(&trial);
		rpThresholds_Free(&thresholds);
	}
	assert_true(compared > 100 && chosen > 20 && bridged > 20);
}

static void testChoice(void** state)
{
	(void)state;
	checkChoices(true);
	checkChoices(false);
}

// A transition leaves a label for another only if the one is not entered, nor the other left.
static void testOverlap(void** state)
{
	(void)state;
	enum
	{
		walk,
		sneak,
		turn,
	};
	const uint64_t w = 1 << walk, s = 1 << sneak, t = 1 << turn;
	assert_true(rpIsSwitch(w, s, walk, sneak));
	assert_false(rpIsSwitch(w, s, sneak, walk));
	assert_false(rpIsSwitch(w, s, walk, walk));
	assert_true(rpIsSwitch(w, w, walk, walk));
	// Turning while walking: what both sides share is judged by walking's own threshold, and only that.
	assert_true(rpIsSwitch(w, w | t, walk, walk));
	assert_false(rpIsSwitch(w, w | t, walk, turn));
	assert_true(rpIsSwitch(w | t, s, turn, sneak));
	assert_true(rpIsSwitch(w | t, s, walk, sneak));
	assert_true(rpIsSwitch(w | t, w | s, turn, sneak));
	assert_false(rpIsSwitch(w | t, w | s, walk, sneak));
	assert_true(rpIsSwitch(w | t, w | s, walk, walk));
}

// Given thresholds hold, pair by pair.
static void testGiven(void** state)
{
	(void)state;
	static Sample sample;
	makeSample(3, &sample);
	rpThreshold given[] = {{"run", "run", 0.1f}, {"run", "walk", 0.0f}, {"walk", "run", 0.05f}, {"walk", "walk", 0.2f}};
	rpGraphDef def = rpDefaultGraphDef();
	def.thresholds = given;
	def.thresholdCount = 4;
	rpThresholds thresholds;
	assert_true(
		rpChooseThresholds(&sample.examples, sample.transits, sample.transitCount, &def, &thresholds, NULL, NULL));
	const float wanted[] = {0.1f, 0.0f, 0.05f, 0.2f};
	assert_memory_equal(thresholds.limits, wanted, sizeof(wanted));
	for (int k = 0; k < sample.transitCount; ++k)
	{
		const rpTransit* transit = &sample.transits[k];
		uint64_t from = rpTransit_GetFromLabels(&sample.examples, transit);
		uint64_t to = rpTransit_GetToLabels(&sample.examples, transit);
		bool isAllowed = ((from & to & 1) != 0 && transit->distance <= 0.1f) ||
						 ((from & to & 2) != 0 && transit->distance <= 0.2f) ||
						 (from == 2 && to == 1 && transit->distance <= 0.05f);
		assert_int_equal(rpThresholds_Allow(&thresholds, &sample.examples, sample.transits, k), isAllowed);
	}
	rpThresholds_Free(&thresholds);
}

static void testFailingMemory(void** state)
{
	(void)state;
	static Sample sample;
	makeSample(5, &sample);
	rpGraphDef def = rpDefaultGraphDef();
	int blocks = testCountLiveBlocks(), n = 0;
	for (bool done = false; !done; ++n)
	{
		rpThresholds thresholds = {0};
		rpGraphReport report = {0};
		rpError error = {0};
		testFailAllocation(n);
		done = rpChooseThresholds(&sample.examples, sample.transits, sample.transitCount, &def, &thresholds, &report,
								  &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		rpThresholds_Free(&thresholds);
		rpGraphReport_Free(&report);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 20);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testShares), cmocka_unit_test(testChoice),        cmocka_unit_test(testOverlap),
		cmocka_unit_test(testGiven),  cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
