/// The plane of a floor: parallel levels with one tilt, fitted by reweighted least squares (Tukey's biweight), since
/// some places are no floor. Stairs and platforms are levels of their own, and so is each step up a ramp: they say
/// nothing about the tilt, and stay.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/floor.h"
#include "math/order.h"

#include <stdio.h>
#include <stdlib.h>

// Places that differ in height by more than this, metres, with none between, lie on different levels: resting feet of
// one level scatter by 0.7 cm (deviation of 2500 places in 222 captures); steps of stairs are 12 cm and more.
#define LEVEL_GAP 0.04

// A tilt along a direction is known from places that spread by at least this, metres (deviation): the feet of someone
// who stands spread by 0.1 to 0.2 m, and a centimetre between left and right is the capture's.
#define MIN_SPREAD 0.5

// A tilt is certain at so many times its standard error; and worth mending: so many metres per metre.
#define SURE_ERRORS 3.0
#define MIN_TILT 0.003

// Floors of 19 captured people tilt by up to 0.023; ramps for wheelchairs rise by up to 1 in 12. What is
// steeper than this is a ramp, or a mistake that nobody should hide.
#define STEEPEST_FLOOR 0.04

// Heights below this, metres, are not worth mending: half of the captured places are farther off their floor.
#define MIN_HEIGHT 0.005

// Slopes and heights are rounded to these, far below what can be measured: so a session that gets one more take seldom
// changes the others.
#define SLOPE_STEP 0.0005
#define HEIGHT_STEP 0.001

// Takes whose floors differ from the session's by less than that stood on the same.
#define SAME_HEIGHT MIN_HEIGHT

// The floor is a level with at least this share of a take's places.
#define FLOOR_SHARE 0.2
#define MIN_PLACES 2

// Tukey's constant for 95 % efficiency; the deviation of places is never taken to be less than this, metres.
#define BIWEIGHT 4.685
#define MIN_DEVIATION 0.003

enum
{
	roundCount = 20, // levels, weights and slopes in turn, until they settle
};

/// A place with what the fit knows of it.
typedef struct Point
{
	int take;
	double x, y, z;
	double weight;
	double rest; // height above the level's, or in the take while levels are sought
	int level;
} Point;

typedef struct Fit
{
	Point* points;
	int count;
	double* sorted; // [count], or more
	double slopeX, slopeZ;
} Fit;

static int compareHeights(const void* a, const void* b)
{
	const Point *p = a, *q = b;
	int byTake = (p->take > q->take) - (p->take < q->take);
	return byTake != 0 ? byTake : (p->rest > q->rest) - (p->rest < q->rest);
}

static double takeMedian(double* values, int count)
{
	qsort(values, (size_t)count, sizeof(double), rpCompareDoubles);
	return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// Sort the points by take and height, and number the levels.
static void findLevels(Fit* fit)
{
	for (int i = 0; i < fit->count; ++i)
	{
		Point* p = fit->points + i;
		p->rest = p->y - fit->slopeX * p->x - fit->slopeZ * p->z;
	}
	qsort(fit->points, (size_t)fit->count, sizeof(Point), compareHeights);
	for (int i = 0; i < fit->count; ++i)
	{
		const Point* before = fit->points + i - 1;
		Point* p = fit->points + i;
		bool same = i > 0 && before->take == p->take && p->rest - before->rest <= LEVEL_GAP;
		p->level = i == 0 ? 0 : before->level + !same;
	}
}

static int getLevelEnd(const Fit* fit, int first)
{
	int end = first;
	while (end < fit->count && fit->points[end].level == fit->points[first].level)
	{
		++end;
	}
	return end;
}

/// Moments of the places about the middles of their levels.
typedef struct Moments
{
	double weight, xx, xz, zz, xy, zy;
} Moments;

static void addLevel(const Fit* fit, int first, int end, Moments* out)
{
	double w = 0.0, x = 0.0, y = 0.0, z = 0.0;
	for (int i = first; i < end; ++i)
	{
		const Point* p = fit->points + i;
		w += p->weight;
		x += p->weight * p->x;
		y += p->weight * p->y;
		z += p->weight * p->z;
	}
	for (int i = first; i < end && w > 0.0; ++i)
	{
		const Point* p = fit->points + i;
		double dx = p->x - x / w, dy = p->y - y / w, dz = p->z - z / w;
		out->weight += p->weight;
		out->xx += p->weight * dx * dx;
		out->xz += p->weight * dx * dz;
		out->zz += p->weight * dz * dz;
		out->xy += p->weight * dx * dy;
		out->zy += p->weight * dz * dy;
	}
}

static Moments getMoments(const Fit* fit)
{
	Moments moments = {0};
	for (int first = 0; first < fit->count;)
	{
		int end = getLevelEnd(fit, first);
		addLevel(fit, first, end, &moments);
		first = end;
	}
	return moments;
}

// The slopes along the two main directions of the places, each only where the places spread and, if `deviation` is
// given, where it is sure.
static void solveSlopes(Fit* fit, const Moments* m, double deviation)
{
	double angle = 0.5 * atan2(2.0 * m->xz, m->xx - m->zz);
	fit->slopeX = fit->slopeZ = 0.0;
	for (int i = 0; i < 2; ++i)
	{
		double c = i == 0 ? cos(angle) : -sin(angle), s = i == 0 ? sin(angle) : cos(angle);
		double spread = c * c * m->xx + 2.0 * c * s * m->xz + s * s * m->zz;
		if (spread < MIN_SPREAD * MIN_SPREAD * m->weight || !(spread > 0.0))
		{
			continue;
		}
		double slope = (c * m->xy + s * m->zy) / spread;
		if (fabs(slope) >= SURE_ERRORS * deviation / sqrt(spread))
		{
			fit->slopeX += slope * c;
			fit->slopeZ += slope * s;
		}
	}
}

// Heights of the points above the medians of their levels.
static void measureRests(Fit* fit)
{
	for (int first = 0; first < fit->count;)
	{
		int end = getLevelEnd(fit, first);
		for (int i = first; i < end; ++i)
		{
			const Point* p = fit->points + i;
			fit->sorted[i - first] = p->y - fit->slopeX * p->x - fit->slopeZ * p->z;
		}
		double middle = takeMedian(fit->sorted, end - first);
		for (int i = first; i < end; ++i)
		{
			Point* p = fit->points + i;
			p->rest = p->y - fit->slopeX * p->x - fit->slopeZ * p->z - middle;
		}
		first = end;
	}
}

// Of places that share a level with others; 1.4826 makes a deviation of the median of a normal distribution.
static double getDeviation(Fit* fit)
{
	int count = 0;
	for (int i = 0; i < fit->count; ++i)
	{
		const Point* p = fit->points + i;
		bool shares = (i > 0 && p[-1].level == p->level) || (i + 1 < fit->count && p[1].level == p->level);
		if (shares)
		{
			fit->sorted[count++] = fabs(p->rest);
		}
	}
	return fmax(count > 0 ? 1.4826 * takeMedian(fit->sorted, count) : 0.0, MIN_DEVIATION);
}

static void weigh(Fit* fit, double deviation)
{
	for (int i = 0; i < fit->count; ++i)
	{
		double off = fit->points[i].rest / (BIWEIGHT * deviation), in = 1.0 - off * off;
		fit->points[i].weight = in > 0.0 ? in * in : 0.0;
	}
}

// Zero has no sign.
static double roundTo(double value, double step)
{
	return step * round(value / step) + 0.0;
}

static void fitTilt(Fit* fit)
{
	double deviation = 0.0;
	for (int i = 0; i < roundCount; ++i)
	{
		findLevels(fit);
		Moments moments = getMoments(fit);
		solveSlopes(fit, &moments, i + 1 < roundCount ? 0.0 : deviation);
		measureRests(fit);
		deviation = getDeviation(fit);
		weigh(fit, deviation);
	}
	bool matters = hypot(fit->slopeX, fit->slopeZ) >= MIN_TILT;
	fit->slopeX = matters ? roundTo(fit->slopeX, SLOPE_STEP) : 0.0;
	fit->slopeZ = matters ? roundTo(fit->slopeZ, SLOPE_STEP) : 0.0;
}

// ---- heights ----

static rpQuat getTurn(const rpFloor* floor)
{
	rpVec3 normal = rpNormalize((rpVec3){(float)-floor->slopeX, 1.0f, (float)-floor->slopeZ});
	return rpNormalizeQuat((rpQuat){1.0f + normal.y, -normal.z, 0.0f, normal.x});
}

// The median of the lowest level that holds a good part of the heights, which are in order.
static double findFloorHeight(double* heights, int count)
{
	int first = 0, end = 0, min = (int)ceil(FLOOR_SHARE * count);
	min = min < MIN_PLACES ? MIN_PLACES : min;
	while (end < count)
	{
		first = end++;
		while (end < count && heights[end] - heights[end - 1] <= LEVEL_GAP)
		{
			++end;
		}
		if (end - first >= min)
		{
			return takeMedian(heights + first, end - first);
		}
	}
	return 0.0;
}

static void measureHeight(const rpFloorPlaces* places, double* heights, rpFloor* floor)
{
	rpQuat turn = getTurn(floor);
	for (int i = 0; i < places->count; ++i)
	{
		heights[i] = (double)rpRotate(turn, places->items[i]).y;
	}
	qsort(heights, (size_t)places->count, sizeof(double), rpCompareDoubles);
	// The plane's height over the origin is more than its distance from it.
	floor->height = findFloorHeight(heights, places->count) * hypot(1.0, rpFloor_GetTilt(floor));
}

// Heights that hardly differ from the middle one of the session become it; so do those of takes that show none.
static void shareHeights(const rpFloorPlaces* takes, int takeCount, double* sorted, rpFloor* floors)
{
	int count = 0, near = 0;
	for (int i = 0; i < takeCount; ++i)
	{
		if (takes[i].count >= MIN_PLACES)
		{
			sorted[count++] = floors[i].height;
		}
	}
	double middle = count > 0 ? takeMedian(sorted, count) : 0.0;
	for (int i = 0; i < count; ++i)
	{
		near += fabs(sorted[i] - middle) < SAME_HEIGHT;
	}
	for (int i = 0; i < takeCount; ++i)
	{
		bool isDecisive = takes[i].count >= MIN_PLACES;
		bool shares = isDecisive ? fabs(floors[i].height - middle) < SAME_HEIGHT : 2 * near > count;
		floors[i].height = shares ? middle : floors[i].height;
		bool matters = fabs(floors[i].height) >= MIN_HEIGHT;
		floors[i].height = matters ? roundTo(floors[i].height, HEIGHT_STEP) : 0.0;
	}
}

// ---- all of it ----

static void fillPoints(const rpFloorPlaces* takes, int takeCount, Fit* fit)
{
	for (int take = 0; take < takeCount; ++take)
	{
		for (int i = 0; i < takes[take].count; ++i)
		{
			rpVec3 p = takes[take].items[i];
			fit->points[fit->count++] =
				(Point){.take = take, .x = (double)p.x, .y = (double)p.y, .z = (double)p.z, .weight = 1.0};
		}
	}
}

bool rpFitFloors(const rpFloorPlaces* takes, int takeCount, rpFloor* floors, rpError* error)
{
	size_t count = 0;
	for (int i = 0; i < takeCount; ++i)
	{
		count += (size_t)takes[i].count;
		floors[i] = (rpFloor){0};
	}
	Fit fit = {.points = rpAllocate(count, sizeof(Point), error)};
	fit.sorted = fit.points != NULL ? rpAllocate(count + (size_t)takeCount, sizeof(double), error) : NULL;
	bool done = fit.sorted != NULL;
	if (done)
	{
		fillPoints(takes, takeCount, &fit);
		fitTilt(&fit);
	}
	for (int i = 0; i < takeCount && done; ++i)
	{
		floors[i] = (rpFloor){.slopeX = fit.slopeX, .slopeZ = fit.slopeZ};
		floors[i].isSteep = rpFloor_GetTilt(floors + i) > STEEPEST_FLOOR;
		measureHeight(takes + i, fit.sorted, floors + i);
	}
	if (done)
	{
		shareHeights(takes, takeCount, fit.sorted, floors);
	}
	rpFree(fit.points);
	rpFree(fit.sorted);
	return done;
}

bool rpFloor_IsUneven(const rpFloor* floor)
{
	return floor->slopeX != 0.0 || floor->slopeZ != 0.0 || floor->height != 0.0;
}

double rpFloor_GetTilt(const rpFloor* floor)
{
	return hypot(floor->slopeX, floor->slopeZ);
}

rpFinding* rpFloor_Report(const rpFloor* floor, rpFindings* findings)
{
	char tilt[60] = "", height[60] = "";
	if (rpFloor_GetTilt(floor) > 0.0)
	{
		snprintf(tilt, sizeof(tilt), " tilts by %.1f cm/m", 100.0 * rpFloor_GetTilt(floor));
	}
	if (floor->height != 0.0)
	{
		snprintf(height, sizeof(height), " lies %.1f cm %s y = 0", 100.0 * fabs(floor->height),
				 floor->height > 0.0 ? "above" : "below");
	}
	bool both = tilt[0] != 0 && height[0] != 0;
	return rpFindings_Add(findings, "floor", "the floor%s%s%s", tilt, both ? " and" : "", height);
}

void rpLevelRows(rpMotion* motion, int first, int last, const rpFloor* floor)
{
	rpQuat turn = getTurn(floor);
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	for (int row = first; row <= last; ++row)
	{
		rpQuat* root = motion->rotations + (size_t)row * jointCount;
		*root = rpNormalizeQuat(rpMulQuat(turn, *root));
		motion->rootPositions[row].y -= (float)floor->height;
		motion->rootPositions[row] = rpRotate(turn, motion->rootPositions[row]);
	}
}
