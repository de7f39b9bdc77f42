/// Joins that no blend does well: limbs that pass through the body, feet and strides that do not match; and the nearest
/// join without these faults.
#include "analysis/landings.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "body/capsules.h"
#include "reprise/blend_length.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <stdlib.h>

// A limb may be this much deeper in the body than in either motion, metres: the motions' own capsules touch too.
#define COLLISION_DEPTH 0.02f

// Share of a blend on different feet, and strides apart, that are said.
#define SUPPORT_SHARE 0.3
#define PHASE_APART 0.15

// How far from the moments another join is looked for, and how much of the motions that needs beyond, seconds.
#define NEAR_HALF_WINDOW 0.5
#define CROP_MARGIN 0.6

// Joins near by whose limbs are looked at.
enum
{
	maxTries = 12,
	supportSteps = 40,
};

static const char* const s_names[rp_joinFaultCount] = {
	[rp_faultCollision] = "collision",
	[rp_faultSupport] = "support",
	[rp_faultPhase] = "phase",
};

const char* rpJoinFault_GetName(rpJoinFault fault)
{
	return s_names[fault];
}

/// A join: two motions, cropped, and when in them the blend is.
typedef struct Join
{
	const rpMotion *a, *b;
	double ta, tb;
	const rpBlendLength* length;
} Join;

// Moments of both at a share of the blend, 0 … 1.
static void getMoments(const Join* join, double share, double* from, double* to)
{
	const rpBlendLength* length = join->length;
	bool atEnds = length->anchor == rp_anchorEnds;
	*from = join->ta + (atEnds ? share : share - 0.5) * length->fromSeconds;
	*to = join->tb + (atEnds ? share - 1.0 : share - 0.5) * length->toSeconds;
}

// ---- feet

static double measureSupport(const Join* join)
{
	double opposed = 0.0, all = 0.0;
	for (int k = 0; k <= supportSteps; ++k)
	{
		double from, to, share = (k + 0.5) / (supportSteps + 1), weight = rpSmoothstep(share);
		getMoments(join, share, &from, &to);
		unsigned a = rpGetSupport(join->a, from), b = rpGetSupport(join->b, to);
		double counts = weight * (1.0 - weight);
		opposed += a != 0 && b != 0 && (a & b) == 0 ? counts : 0.0;
		all += counts;
	}
	return opposed / all;
}

static double measurePhase(const Join* join)
{
	double from, to;
	getMoments(join, 0.5, &from, &to);
	if (rpFindActivity(join->a, from, NULL) != rp_activityStepping ||
		rpFindActivity(join->b, to, NULL) != rp_activityStepping)
	{
		return NAN;
	}
	double apart = rpGetStridePhase(join->a, from) - rpGetStridePhase(join->b, to);
	return fabs(apart - floor(apart + 0.5));
}

static void checkFeet(const Join* join, rpJoinReport* out)
{
	double* values = out->values;
	values[rp_faultSupport] = values[rp_faultPhase] = NAN;
	if (!rpHasFootContacts(join->a) || !rpHasFootContacts(join->b))
	{
		return;
	}
	values[rp_faultSupport] = measureSupport(join);
	values[rp_faultPhase] = measurePhase(join);
	if (values[rp_faultSupport] > SUPPORT_SHARE)
	{
		out->faults |= 1u << rp_faultSupport;
		snprintf(out->texts[rp_faultSupport], sizeof(out->texts[0]),
				 "the motions rest on different feet for %.0f %% of the blend", 100.0 * values[rp_faultSupport]);
	}
	if (values[rp_faultPhase] > PHASE_APART)
	{
		out->faults |= 1u << rp_faultPhase;
		snprintf(out->texts[rp_faultPhase], sizeof(out->texts[0]), "the steps are %.2f of a stride apart",
				 values[rp_faultPhase]);
	}
}

// ---- limbs

// The deepest of every pair of limbs in frames first … last.
static void findDepths(const rpCapsules* capsules, const rpMotion* motion, double start, double end, float* depths,
					   rpTransform* pose)
{
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	for (int frame = first; frame <= last; ++frame)
	{
		rpMotion_Forward(motion, frame, pose);
		for (int pair = 0; pair < capsules->pairCount; ++pair)
		{
			depths[pair] = fmaxf(depths[pair], rpCapsules_GetDepth(capsules, pose, pair));
		}
	}
}

static void judgeLimbs(const rpCapsules* capsules, const float* own, const float* blended, rpJoinReport* out)
{
	int worst = 0;
	for (int pair = 0; pair < capsules->pairCount; ++pair)
	{
		float more = blended[pair] - fmaxf(own[pair], 0.0f), max = blended[worst] - fmaxf(own[worst], 0.0f);
		worst = more > max ? pair : worst;
	}
	float depth = blended[worst] - fmaxf(own[worst], 0.0f);
	out->values[rp_faultCollision] = fmax((double)depth, 0.0);
	if (depth > COLLISION_DEPTH)
	{
		out->faults |= 1u << rp_faultCollision;
		snprintf(out->texts[rp_faultCollision], sizeof(out->texts[0]), "%s passes %.0f mm deep through %s",
				 capsules->items[capsules->pairs[worst][0]].name, 1e3 * (double)depth,
				 capsules->items[capsules->pairs[worst][1]].name);
	}
}

static bool checkLimbs(const Join* join, rpJoinReport* out, rpError* error)
{
	rpCapsules capsules;
	float own[rp_maxCapsulePairs] = {0}, blended[rp_maxCapsulePairs] = {0};
	out->values[rp_faultCollision] = NAN;
	if (!rpMakeCapsules(join->a->skeleton, &capsules))
	{
		return true;
	}
	for (int pair = 0; pair < capsules.pairCount; ++pair)
	{
		own[pair] = blended[pair] = -INFINITY;
	}
	rpTransitionReport report;
	rpTransform* pose = rpAllocate((size_t)join->a->skeleton->jointCount, sizeof(rpTransform), error);
	rpMotion* result =
		pose != NULL ? rpMakeBlend(join->a, join->ta, join->b, join->tb, join->length, NULL, &report, error) : NULL;
	if (result != NULL)
	{
		double starts[2], ends[2];
		getMoments(join, 0.0, &starts[0], &starts[1]);
		getMoments(join, 1.0, &ends[0], &ends[1]);
		findDepths(&capsules, join->a, starts[0], ends[0], own, pose);
		findDepths(&capsules, join->b, starts[1], ends[1], own, pose);
		findDepths(&capsules, result, report.start, report.end, blended, pose);
		judgeLimbs(&capsules, own, blended, out);
	}
	rpDestroyMotion(result);
	rpFree(pose);
	return result != NULL;
}

static bool check(const Join* join, rpJoinReport* out, rpError* error)
{
	*out = (rpJoinReport){0};
	checkFeet(join, out);
	return checkLimbs(join, out, error);
}

// ---- near by

/// Two moments near the ones that were asked for.
typedef struct Nearby
{
	int i, j;
	float distance;
} Nearby;

static int compareNearby(const void* x, const void* y)
{
	const Nearby* a = x;
	const Nearby* b = y;
	if (a->distance != b->distance)
	{
		return a->distance < b->distance ? -1 : 1;
	}
	return a->i != b->i ? a->i - b->i : a->j - b->j;
}

// Whether a blend at these moments stays inside both motions.
static bool hasRoom(const Join* join)
{
	double starts[2], ends[2], slack = 1e-6;
	getMoments(join, 0.0, &starts[0], &starts[1]);
	getMoments(join, 1.0, &ends[0], &ends[1]);
	return starts[0] >= -slack && starts[1] >= -slack && ends[0] <= rpMotion_GetDuration(join->a) + slack &&
		   ends[1] <= rpMotion_GetDuration(join->b) + slack;
}

// All moments around, in steps of the metric's rate, by how alike they are in the middle of the blend. Returns how
// many.
static int listNearby(const Join* join, const rpMetric* metric, const rpProfile* a, const rpProfile* b, int halfWindow,
					  Nearby* out)
{
	double rate = rpMetric_GetRate(metric);
	int count = 0;
	for (int i = -halfWindow; i <= halfWindow; ++i)
	{
		for (int j = -halfWindow; j <= halfWindow; ++j)
		{
			Join moved = *join;
			double from, to;
			moved.ta += i / rate;
			moved.tb += j / rate;
			getMoments(&moved, 0.5, &from, &to);
			int row = (int)lround(from * rate), column = (int)lround(to * rate);
			if (hasRoom(&moved) && row >= 0 && row < rpProfile_GetFrameCount(a) && column >= 0 &&
				column < rpProfile_GetFrameCount(b))
			{
				out[count++] = (Nearby){i, j, (float)rpMetric_Distance(metric, a, row, b, column, NULL)};
			}
		}
	}
	qsort(out, (size_t)count, sizeof(Nearby), compareNearby);
	return count;
}

// The first without a fault; limbs are looked at last, and of a few alone.
static bool tryNearby(const Join* join, double rate, const Nearby* near, int count, rpJoinReport* out, rpError* error)
{
	int tries = 0;
	for (int k = 0; k < count && tries < maxTries && !out->hasBetter; ++k)
	{
		rpJoinReport report = {0};
		Join moved = *join;
		moved.ta += near[k].i / rate;
		moved.tb += near[k].j / rate;
		checkFeet(&moved, &report);
		if (report.faults != 0)
		{
			continue;
		}
		++tries;
		if (!checkLimbs(&moved, &report, error))
		{
			return false;
		}
		if (report.faults == 0)
		{
			out->hasBetter = true;
			out->from = moved.ta;
			out->to = moved.tb;
			out->distance = near[k].distance;
		}
	}
	return true;
}

static bool findBetter(const Join* join, rpJoinReport* out, rpError* error)
{
	rpMetricDef def = rpDefaultMetricDef();
	rpMetric* metric = rpCreateMetric(join->a->skeleton, &def, error);
	rpProfile* a = metric != NULL ? rpCreateProfile(metric, join->a, error) : NULL;
	rpProfile* b = a != NULL ? rpCreateProfile(metric, join->b, error) : NULL;
	int halfWindow = (int)lround(NEAR_HALF_WINDOW * def.fps);
	Nearby* near = b != NULL
					   ? rpAllocate((size_t)(2 * halfWindow + 1) * (size_t)(2 * halfWindow + 1), sizeof(Nearby), error)
					   : NULL;
	bool done = near != NULL;
	if (done)
	{
		int count = listNearby(join, metric, a, b, halfWindow, near);
		done = tryNearby(join, def.fps, near, count, out, error);
	}
	rpFree(near);
	rpDestroyProfile(b);
	rpDestroyProfile(a);
	rpDestroyMetric(metric);
	return done;
}

// ---- all of it

// The part of a motion that is looked at; *moment becomes its own.
static rpMotion* crop(const rpMotion* motion, double* moment, double seconds, rpError* error)
{
	double halfWindow = seconds + NEAR_HALF_WINDOW + CROP_MARGIN + 1.5;
	int first = rpMotion_GetFrame(motion, *moment - halfWindow), last = rpMotion_GetFrame(motion, *moment + halfWindow);
	rpMotion* part = rpCropFrames(motion, first, last - first + 1, error);
	*moment -= first / motion->fps;
	return part;
}

bool rpCheckJoin(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLength* length,
				 rpJoinReport* out, rpError* error)
{
	RP_ASSERT(a != NULL && b != NULL && length != NULL && out != NULL);
	double from = ta, to = tb;
	*out = (rpJoinReport){0};
	rpMotion* first = crop(a, &from, length->fromSeconds, error);
	rpMotion* second = first != NULL ? crop(b, &to, length->toSeconds, error) : NULL;
	rpBlendLength moved = *length;
	// Keys of a time path are in the motions' own times, and only fit these moments: near by a line stands for them.
	moved.keyCount = 0;
	Join join = {first, second, from, to, &moved};
	bool done = second != NULL && check(&join, out, error) && (out->faults == 0 || findBetter(&join, out, error));
	out->from += ta - from;
	out->to += tb - to;
	rpDestroyMotion(first);
	rpDestroyMotion(second);
	return done;
}
