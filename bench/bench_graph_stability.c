/// How far the minima of a distance grid move when the metric changes: the experiment of section 4.1.4 of Kovar's
/// thesis. Window, kernel, markers for each joint and weights of the joints are changed one at a time; each minimum of
/// the usual metric is looked for among those of the other.
#include "bench.h"
#include "graph_examples.h"
#include "math/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Minima are looked at that lie under this share of a clip's mean distance from itself, so that metrics of other scale
// see as deep; and one has moved, not gone, when another is within half a window.
#define DEPTH 0.35f
#define REACH 8

enum
{
	maxMoves = 400000,
};

/// A metric to compare with the usual one.
typedef struct Variant
{
	const char* name;
	double window;
	rpWindowShape shape;
	int markersPerJoint;
	bool leeSubset;
} Variant;

static const Variant s_usual = {"0.5 s, triangle, one marker, all joints", 0.5, rp_windowTriangle, 1, false};

static const Variant s_variants[] = {
	{"window 0.1 s", 0.1, rp_windowTriangle, 1, false},
	{"window 0.25 s", 0.25, rp_windowTriangle, 1, false},
	{"window 0.35 s", 0.35, rp_windowTriangle, 1, false},
	{"window 0.65 s", 0.65, rp_windowTriangle, 1, false},
	{"window 0.75 s", 0.75, rp_windowTriangle, 1, false},
	{"box", 0.5, rp_windowBox, 1, false},
	{"Gauss", 0.5, rp_windowGauss, 1, false},
	{"two markers for each joint", 0.5, rp_windowTriangle, 2, false},
	{"three markers for each joint", 0.5, rp_windowTriangle, 3, false},
	{"Lee's joints", 0.5, rp_windowTriangle, 1, true},
};

#define VARIANT_COUNT (int)(sizeof(s_variants) / sizeof(s_variants[0]))

// Hips, knees, shoulders, elbows, pelvis and spine (Lee et al. 2002).
static bool isOfLee(const rpSkeleton* skeleton, int joint)
{
	static const rpRole roles[] = {
		rp_rolePelvis,        rp_roleSpine,     rp_roleChest,      rp_roleLeftHip,
		rp_roleRightHip,      rp_roleLeftKnee,  rp_roleRightKnee,  rp_roleLeftShoulder,
		rp_roleRightShoulder, rp_roleLeftElbow, rp_roleRightElbow,
	};
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); ++i)
	{
		if (rpSkeleton_FindRole(skeleton, roles[i]) == joint)
		{
			return true;
		}
	}
	return false;
}

static rpMetric* makeMetric(const rpSkeleton* skeleton, const Variant* variant)
{
	static const rpVec3 offsets[] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.05f}, {0.05f, 0.0f, 0.0f}};
	static rpMarker markers[3 * RP_MAX_JOINTS];
	int count = 0;
	for (int joint = 0; joint < skeleton->jointCount; ++joint)
	{
		for (int k = 0; k < variant->markersPerJoint; ++k)
		{
			if (!variant->leeSubset || isOfLee(skeleton, joint))
			{
				markers[count++] = (rpMarker){joint, offsets[k], 1.0f};
			}
		}
	}
	rpMetricDef def = rpDefaultMetricDef();
	def.window = variant->window;
	def.shape = variant->shape;
	def.markers = markers;
	def.markerCount = count;
	return rpCreateMetric(skeleton, &def, NULL);
}

/// Minima of all pairs of clips, and where those of each pair begin.
typedef struct Field
{
	rpMinima minima;
	int firsts[graphMaxExamples * (graphMaxExamples + 1) / 2 + 1];
	int pairCount;
} Field;

// The mean distance of frames of a motion from each other: the scale of a metric.
static double getScale(const rpMetric* metric, const rpProfile* profile)
{
	int count = rpProfile_GetFrameCount(profile);
	rpRandom random = rpSeedRandom(1);
	double sum = 0.0;
	for (int i = 0; i < 500; ++i)
	{
		sum += rpMetric_Distance(metric, profile, rpRandom_Index(&random, count), profile,
								 rpRandom_Index(&random, count), NULL);
	}
	return sum / 500;
}

static bool findMinima(const GraphExamples* examples, const Variant* variant, Field* field)
{
	rpProfile* profiles[graphMaxExamples] = {NULL};
	rpMetric* metric = makeMetric(examples->motions[0]->skeleton, variant);
	bool done = metric != NULL;
	double scale = 0.0;
	for (int i = 0; i < examples->count && done; ++i)
	{
		profiles[i] = rpCreateProfile(metric, examples->motions[i], NULL);
		done = profiles[i] != NULL;
		scale += done ? getScale(metric, profiles[i]) / examples->count : 0.0;
	}
	field->pairCount = 0;
	for (int a = 0; a < examples->count && done; ++a)
	{
		for (int b = a; b < examples->count && done; ++b)
		{
			field->firsts[field->pairCount++] = field->minima.count;
			done =
				rpMetric_FindMinima(metric, profiles[a], profiles[b], (float)scale * DEPTH, NULL, &field->minima, NULL);
		}
	}
	field->firsts[field->pairCount] = field->minima.count;
	for (int i = 0; i < examples->count; ++i)
	{
		rpDestroyProfile(profiles[i]);
	}
	rpDestroyMetric(metric);
	return done;
}

// Frames from a minimum to the nearest of a pair's minima; infinite: none is near.
static double findNearest(const Field* field, int pair, const rpMinimum* minimum)
{
	double nearest = INFINITY;
	for (int k = field->firsts[pair]; k < field->firsts[pair + 1]; ++k)
	{
		const rpMinimum* other = &field->minima.items[k];
		int di = abs(other->i - minimum->i), dj = abs(other->j - minimum->j);
		if (di <= REACH && dj <= REACH)
		{
			nearest = fmin(nearest, hypot(di, dj));
		}
	}
	return nearest;
}

// One line of the table, in Markdown.
static void compare(const Field* usual, const Field* other, const char* name)
{
	static double moves[maxMoves];
	int count = 0;
	for (int pair = 0; pair < usual->pairCount; ++pair)
	{
		for (int k = usual->firsts[pair]; k < usual->firsts[pair + 1]; ++k)
		{
			double move = findNearest(other, pair, &usual->minima.items[k]);
			if (isfinite(move) && count < maxMoves)
			{
				moves[count++] = move;
			}
		}
	}
	qsort(moves, (size_t)count, sizeof(double), rpCompareDoubles);
	printf("| %s | %d | %.0f %% | %.1f | %.1f |\n", name, other->minima.count,
		   100.0 * count / (usual->minima.count > 0 ? usual->minima.count : 1), count > 0 ? moves[count / 2] : 0.0,
		   count > 0 ? moves[count * 9 / 10] : 0.0);
}

static bool measure(const GraphExamples* examples, const char* name)
{
	static Field usual, other;
	memset(&usual, 0, sizeof(usual));
	if (!findMinima(examples, &s_usual, &usual))
	{
		fprintf(stderr, "reprise-bench: no minima could be found\n");
		return false;
	}
	printf("%s: %d clips, %d frames at 30 Hz; usual: %s, %d minima\n\n", name, examples->count, examples->frameCount,
		   s_usual.name, usual.minima.count);
	printf("| changed | minima | of the usual kept | moved by, median | 90th percentile |\n|---|---|---|---|---|\n");
	bool done = true;
	for (int i = 0; i < VARIANT_COUNT && done; ++i)
	{
		memset(&other, 0, sizeof(other));
		done = findMinima(examples, &s_variants[i], &other);
		if (done)
		{
			compare(&usual, &other, s_variants[i].name);
		}
		rpMinima_Free(&other.minima);
	}
	rpMinima_Free(&usual.minima);
	printf("\n");
	return done;
}

bool benchGraphStability(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	(void)report;
	GraphExamples examples;
	bool done = benchPerformExamples(&examples) && measure(&examples, "The performer");
	benchFreeExamples(&examples);
	if (done && benchCaptureExamples(&examples))
	{
		done = measure(&examples, "Captured people");
		benchFreeExamples(&examples);
	}
	return done;
}
