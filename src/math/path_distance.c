#include "math/path_distance.h"

#include "math/elementary.h"

static double getGap(rpVec2 a, rpVec2 b)
{
	return rpHypotDouble((double)a.x - b.x, (double)a.y - b.y);
}

static rpVec2 mix(rpVec2 a, rpVec2 b, double t)
{
	return (rpVec2){(float)(a.x + t * (b.x - a.x)), (float)(a.y + t * (b.y - a.y))};
}

/// A place on the path: how far along a leg of it.
typedef struct Place
{
	int leg;
	double t;
} Place;

static double getNearest(rpVec2 p, rpVec2 a, rpVec2 b, double from, double* t)
{
	double dx = (double)b.x - a.x, dy = (double)b.y - a.y, square = dx * dx + dy * dy;
	double along = square > 0.0 ? (((double)p.x - a.x) * dx + ((double)p.y - a.y) * dy) / square : 0.0;
	*t = fmin(fmax(along, from), 1.0);
	return getGap(p, mix(a, b, *t));
}

// How far ahead of the last place the nearest one is looked for, metres, and how much farther for a point that is off
// by more than that: so many times as far as it is. A path that cuts off a corner would otherwise be compared with the
// part before it for ever.
#define LOOK_AHEAD 1.0
#define OFF_AHEAD 3.0

// The nearest place that is not behind `from` and at most so far ahead of it; returns the distance.
static double findAhead(const rpVec2* path, int pathCount, rpVec2 p, Place from, double max, Place* place)
{
	double best = INFINITY, ahead = 0.0;
	for (int leg = from.leg; leg + 1 < pathCount && ahead <= max; ++leg)
	{
		double t, begin = leg == from.leg ? from.t : 0.0;
		double gap = getNearest(p, path[leg], path[leg + 1], begin, &t);
		if (gap < best)
		{
			best = gap;
			*place = (Place){leg, t};
		}
		ahead += (1.0 - begin) * getGap(path[leg], path[leg + 1]);
	}
	return best;
}

// The nearest place that is not behind `place`, which moves there; returns the distance.
static double advance(const rpVec2* path, int pathCount, rpVec2 p, Place* place)
{
	Place from = *place;
	double gap = findAhead(path, pathCount, p, from, LOOK_AHEAD, place);
	return gap > LOOK_AHEAD ? findAhead(path, pathCount, p, from, OFF_AHEAD * gap, place) : gap;
}

static void note(rpPathMeter* meter, double distance)
{
	meter->sum += distance;
	meter->squares += distance * distance;
	if (distance >= meter->max)
	{
		meter->max = distance;
		meter->worst = meter->count;
	}
	++meter->count;
}

static rpPathErrors getErrors(const rpPathMeter* meter)
{
	return (rpPathErrors){.mean = meter->sum / meter->count,
						  .max = meter->max,
						  .rms = sqrt(meter->squares / meter->count),
						  .worst = meter->worst};
}

void rpPathMeter_Add(rpPathMeter* meter, const rpVec2* path, int pathCount, rpVec2 point)
{
	Place place = {meter->leg, meter->along};
	note(meter, advance(path, pathCount, point, &place));
	meter->leg = place.leg;
	meter->along = place.t;
}

rpPathErrors rpMeasureNearest(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount)
{
	rpPathMeter meter = {0};
	for (int i = 0; i < pointCount; ++i)
	{
		rpPathMeter_Add(&meter, path, pathCount, points[i]);
	}
	return getErrors(&meter);
}

void rpTraceNearest(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount, double* lengths)
{
	Place place = {0};
	// The leg that the length has come to, and the length at its start.
	int leg = 0;
	double passed = 0.0;
	for (int i = 0; i < pointCount; ++i)
	{
		advance(path, pathCount, points[i], &place);
		for (; leg < place.leg; ++leg)
		{
			passed += getGap(path[leg], path[leg + 1]);
		}
		lengths[i] = passed + place.t * getGap(path[leg], path[leg + 1]);
	}
}

rpPathErrors rpMeasureEqualLength(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount)
{
	rpPathMeter meter = {0};
	// The leg that the length has come to, and how much of it has been passed.
	int leg = 0;
	double left = 0.0;
	for (int i = 0; i < pointCount; ++i)
	{
		left += i > 0 ? getGap(points[i], points[i - 1]) : 0.0;
		while (leg + 2 < pathCount && left > getGap(path[leg], path[leg + 1]))
		{
			left -= getGap(path[leg], path[leg + 1]);
			++leg;
		}
		double gap = getGap(path[leg], path[leg + 1]);
		rpVec2 wanted = mix(path[leg], path[leg + 1], gap > 0.0 ? fmin(left / gap, 1.0) : 1.0);
		note(&meter, getGap(points[i], wanted));
	}
	return getErrors(&meter);
}

// A point of the path has been passed by a track that came so near to it, metres; one that comes there after more than
// this length was not heading for it.
#define NEAR 0.5
#define SOON 4.0
#define COVER_STEP 0.1

/// Where a track has come to.
typedef struct Follower
{
	const rpVec2* points;
	int count, at;
} Follower;

// Go on until a point of the path is near; stay if it does not come near soon.
static bool pass(Follower* follower, rpVec2 wanted)
{
	double length = 0.0;
	for (int i = follower->at; i < follower->count && length <= SOON; ++i)
	{
		if (getGap(follower->points[i], wanted) <= NEAR)
		{
			follower->at = i;
			return true;
		}
		length += i + 1 < follower->count ? getGap(follower->points[i], follower->points[i + 1]) : 0.0;
	}
	return false;
}

double rpMeasureCover(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount)
{
	Follower follower = {points, pointCount, 0};
	double covered = 0.0, length = 0.0;
	for (int leg = 0; leg + 1 < pathCount; ++leg)
	{
		double gap = getGap(path[leg], path[leg + 1]);
		int steps = (int)fmin(ceil(gap / COVER_STEP), 1e5);
		for (int i = 0; i < steps; ++i)
		{
			covered += pass(&follower, mix(path[leg], path[leg + 1], (i + 0.5) / steps)) ? gap / steps : 0.0;
		}
		length += gap;
	}
	return length > 0.0 ? covered / length : 1.0;
}
