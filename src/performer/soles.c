/// The polygon of soles that bear, by the stages of their stances.
#include "performer/soles.h"

#include <stdlib.h>

// Half the breadth of a sole, metres.
#define HALF_BREADTH 0.045f

// Both sides of a sole so far before the ball.
static void addSide(rpSoles* soles, const rpStance* stance, float ahead)
{
	float east = sinf(stance->heading), north = cosf(stance->heading), half = HALF_BREADTH;
	rpVec2 middle = {stance->ball.x + ahead * east, stance->ball.z + ahead * north};
	soles->corners[soles->count++] = (rpVec2){middle.x + half * north, middle.y - half * east};
	soles->corners[soles->count++] = (rpVec2){middle.x - half * north, middle.y + half * east};
	soles->level += 2.0f * stance->support;
}

// What of a sole is down, as the truth has it (truth.c).
static void addSole(rpSoles* soles, const rpStance* stance, double t)
{
	bool back = stance->backwards, heelFirst = !back && stance->strikePitch < 0.0f;
	double heelDown = heelFirst ? stance->strike : stance->flat, heelUp = back ? stance->off : stance->lift;
	double ballDown = heelFirst ? stance->flat : stance->strike, ballUp = back ? stance->lift : stance->off;
	if ((back || stance->flatPitch == 0.0f) && t >= heelDown && t <= heelUp)
	{
		addSide(soles, stance, HEEL_OFFSET.z - BALL_OFFSET.z);
	}
	if (t >= ballDown && t <= ballUp)
	{
		addSide(soles, stance, 0.0f);
		addSide(soles, stance, TOE_OFFSET.z);
	}
}

static int compareCorners(const void* a, const void* b)
{
	const rpVec2 *p = a, *q = b;
	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

// Above 0 if p is to the left of the way from a to b, as seen with y upwards.
static float getLeft(rpVec2 a, rpVec2 b, rpVec2 p)
{
	return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// The convex hull, by Andrew's monotone chain: along one side, and back along the other.
static void wrap(rpSoles* soles)
{
	rpVec2 hull[2 * rp_maxSoleCorners];
	int count = 0, n = soles->count, least = 2;
	qsort(soles->corners, (size_t)n, sizeof(rpVec2), compareCorners);
	for (int i = 0; i < 2 * n - 1; ++i)
	{
		rpVec2 p = soles->corners[i < n ? i : 2 * n - 2 - i];
		while (count >= least && getLeft(hull[count - 2], hull[count - 1], p) <= 0.0f)
		{
			--count;
		}
		hull[count++] = p;
		least = i == n - 1 ? count + 1 : least;
	}
	soles->count = count > 1 ? count - 1 : count;
	for (int i = 0; i < soles->count; ++i)
	{
		soles->corners[i] = hull[i];
	}
}

rpSoles rpPerformance_GetSoles(const rpPerformance* performance, double t, int passed[2])
{
	rpSoles soles = {.count = 0};
	for (int side = 0; side < 2; ++side)
	{
		const rpStance* stances = performance->stances[side];
		while (passed[side] < performance->stanceCount[side] && stances[passed[side]].off < t)
		{
			++passed[side];
		}
		const rpStance* stance = stances + passed[side];
		if (passed[side] < performance->stanceCount[side] && t >= stance->strike)
		{
			addSole(&soles, stance, t);
		}
	}
	soles.level /= fmaxf((float)soles.count, 1.0f);
	wrap(&soles);
	return soles;
}

rpVec2 rpSoles_GetNearest(const rpSoles* soles, rpVec2 p)
{
	rpVec2 best = p;
	float least = INFINITY;
	bool inside = true;
	for (int i = 0; i < soles->count; ++i)
	{
		rpVec2 a = soles->corners[i], b = soles->corners[(i + 1) % soles->count];
		inside = inside && getLeft(a, b, p) >= 0.0f;
		float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
		float part = length > 0.0f ? ((p.x - a.x) * x + (p.y - a.y) * y) / length : 0.0f;
		part = fminf(fmaxf(part, 0.0f), 1.0f);
		rpVec2 at = {a.x + part * x, a.y + part * y};
		float away = (p.x - at.x) * (p.x - at.x) + (p.y - at.y) * (p.y - at.y);
		if (away < least)
		{
			least = away;
			best = at;
		}
	}
	return inside ? p : best;
}
