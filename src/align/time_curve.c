/// A path through a grid, made smooth: the spline of a registration curve and its alignment curve (L. Kovar & M.
/// Gleicher, Flexible automatic motion blending with registration curves, 2003, sections 4.1 and 4.2).
///
/// Seen along u = (a + b) / 2, the path is a function w = b - a with slopes of -2 to 2, and the slope is 2 or -2
/// exactly where one motion stands still. A weighted mean of copies of it, each moved a little along u, keeps the
/// slopes within these bounds; and where the weights reach beyond the longest run in one motion, strictly within, so
/// that both times strictly increase. The weights are those of a cubic B-spline. Beyond its ends the path is continued
/// as its own image under a half turn about the end, which therefore stays where it is.
#include "align/time_curve.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"

// Copies of the path that are averaged.
#define COPY_COUNT 33

// A key needs the ground transforms of at least this many cells around it.
#define MIN_WEIGHT 1e-9

void rpTimeCurve_Free(rpTimeCurve* curve)
{
	rpFree(curve->times);
	rpFree(curve->grounds);
	*curve = (rpTimeCurve){0};
}

rpRegistration rpTimeCurve_AsRegistration(rpTimeCurve* curve)
{
	return (rpRegistration){
		.motions = curve->motions,
		.motionCount = 2,
		.times = curve->times,
		.grounds = curve->grounds,
		.keyCount = curve->keyCount,
	};
}

static rpWarp getWarp(const rpTimeCurve* curve)
{
	return (rpWarp){curve->times, curve->times + curve->keyCount, curve->keyCount, true};
}

double rpTimeCurve_Apply(const rpTimeCurve* curve, double aSeconds)
{
	rpWarp warp = getWarp(curve);
	return rpWarp_Apply(&warp, aSeconds);
}

double rpTimeCurve_Invert(const rpTimeCurve* curve, double bSeconds)
{
	rpWarp warp = getWarp(curve);
	return rpWarp_Invert(&warp, bSeconds);
}

rpGroundTransform rpTimeCurve_GetGround(rpTimeCurve* curve, double aSeconds, double bSeconds)
{
	rpRegistration registration = rpTimeCurve_AsRegistration(curve);
	rpGroundTransform ground = rpRegistration_GetGround(&registration, 1, aSeconds);
	rpVec3 expected = rpMotion_GetPlace(curve->motions[1], rpTimeCurve_Apply(curve, aSeconds));
	rpVec3 root = rpMotion_GetPlace(curve->motions[1], bSeconds);
	rpVec3 place = rpGroundTransform_Apply(ground, expected);
	ground.shift = rpAdd(ground.shift, rpSub(place, rpGroundTransform_Apply(ground, root)));
	return ground;
}

static double getMiddle(const rpMatchedMoment* point)
{
	return 0.5 * (point->a + point->b);
}

static double getLead(const rpMatchedMoment* point)
{
	return point->b - point->a;
}

// w at u, beyond the ends by half turns about them.
static double sampleLead(const rpMatchedMoment* points, int count, double u)
{
	double start = getMiddle(points), end = getMiddle(points + count - 1);
	if (u < start)
	{
		return 2.0 * getLead(points) - sampleLead(points, count, 2.0 * start - u);
	}
	if (u > end)
	{
		return 2.0 * getLead(points + count - 1) - sampleLead(points, count, 2.0 * end - u);
	}
	int low = 0, high = count - 1;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(getMiddle(points + middle) <= u ? &low : &high) = middle;
	}
	double from = getMiddle(points + low), to = getMiddle(points + high);
	double share = to > from ? (u - from) / (to - from) : 0.0;
	return getLead(points + low) + share * (getLead(points + high) - getLead(points + low));
}

// The cubic B-spline of unit knots at x, 0 from 2 on.
static double getWeight(double x)
{
	x = fabs(x);
	return x >= 2.0 ? 0.0 : x >= 1.0 ? (2.0 - x) * (2.0 - x) * (2.0 - x) / 6.0 : 2.0 / 3.0 - x * x * (1.0 - 0.5 * x);
}

static double smoothLead(const rpMatchedMoment* points, int count, double u, double scale)
{
	double sum = 0.0, weights = 0.0;
	for (int k = 0; k < COPY_COUNT; ++k)
	{
		// Within the support, ends excluded, where the weight is 0.
		double x = 2.0 * (2.0 * (k + 1) / (COPY_COUNT + 1) - 1.0);
		double weight = getWeight(x);
		sum += weight * sampleLead(points, count, u + x * scale);
		weights += weight;
	}
	return sum / weights;
}

static void unwrapTurns(rpMatchedMoment* points, int count)
{
	for (int i = 1; i < count; ++i)
	{
		float before = points[i - 1].ground.turn;
		points[i].ground.turn = before + rpWrapAngle(points[i].ground.turn - before);
	}
}

/// Sums for a straight line through weighted values over u.
typedef struct LineSums
{
	double weight, u, uu;
	double value[3], uValue[3];
} LineSums;

static void addToLine(LineSums* sums, double weight, double u, const double value[3])
{
	sums->weight += weight;
	sums->u += weight * u;
	sums->uu += weight * u * u;
	for (int k = 0; k < 3; ++k)
	{
		sums->value[k] += weight * value[k];
		sums->uValue[k] += weight * u * value[k];
	}
}

// The line at u = 0, or the mean where all values are at one place.
static double getLine(const LineSums* sums, int k)
{
	double determinant = sums->weight * sums->uu - sums->u * sums->u;
	bool spread = determinant > 1e-6 * sums->weight * sums->uu;
	return spread ? (sums->value[k] * sums->uu - sums->uValue[k] * sums->u) / determinant
				  : sums->value[k] / sums->weight;
}

// The transform at u: turn, and place of the root, as lines through those of the cells around. Means alone would lag
// behind at the ends, where there are cells on one side only.
static rpGroundTransform smoothGround(const rpMatchedMoment* points, int count, double u, double scale, rpVec3 root)
{
	LineSums sums = {0};
	int nearest = 0;
	for (int i = 0; i < count; ++i)
	{
		double offset = (getMiddle(points + i) - u) / scale;
		double weight = getWeight(offset);
		nearest = fabs(getMiddle(points + i) - u) < fabs(getMiddle(points + nearest) - u) ? i : nearest;
		if (weight > 0.0)
		{
			rpVec3 place = rpGroundTransform_Apply(points[i].ground, root);
			addToLine(&sums, weight, offset, (double[3]){points[i].ground.turn, place.x, place.z});
		}
	}
	if (sums.weight < MIN_WEIGHT)
	{
		return points[nearest].ground;
	}
	rpGroundTransform ground = {(float)getLine(&sums, 0), rpVec3_zero};
	rpVec3 place = {(float)getLine(&sums, 1), 0.0f, (float)getLine(&sums, 2)};
	ground.shift = rpSub(place, rpGroundTransform_Apply(ground, root));
	return ground;
}

static bool makeKeys(rpTimeCurve* out, int keyCount, rpError* error)
{
	out->keyCount = keyCount;
	out->times = rpAllocate(2 * (size_t)keyCount, sizeof(double), error);
	out->grounds = out->times != NULL ? rpAllocateZero(2 * (size_t)keyCount, sizeof(rpGroundTransform), error) : NULL;
	return out->grounds != NULL;
}

bool rpFitTimeCurve(rpMatchedMoment* points, int count, const rpMotion* a, const rpMotion* b, double spacing,
					double longestRun, rpTimeCurve* out, rpError* error)
{
	*out = (rpTimeCurve){.motions = {a, b}};
	const rpMatchedMoment* last = points + count - 1;
	if (!(last->a > points->a && last->b > points->b))
	{
		return rpFail(error, rp_errorNoSolution, "the motions have a single moment in common");
	}
	double start = getMiddle(points), end = getMiddle(last);
	int keyCount = (int)fmin(fmax(round((end - start) / spacing), 1.0), 1e8) + 1;
	if (!makeKeys(out, keyCount, error))
	{
		rpTimeCurve_Free(out);
		return false;
	}
	unwrapTurns(points, count);
	// A run in one motion takes half its time along u; copies must reach beyond it on both sides.
	double scale = fmax(spacing, 0.25 * longestRun);
	double *aTimes = out->times, *bTimes = out->times + keyCount;
	for (int k = 0; k < keyCount; ++k)
	{
		double u = start + (end - start) * k / (keyCount - 1);
		double lead = smoothLead(points, count, u, scale);
		aTimes[k] = k == 0 ? points->a : k == keyCount - 1 ? last->a : u - 0.5 * lead;
		bTimes[k] = k == 0 ? points->b : k == keyCount - 1 ? last->b : u + 0.5 * lead;
		out->grounds[keyCount + k] = smoothGround(points, count, u, scale, rpMotion_GetPlace(b, bTimes[k]));
	}
	return true;
}
