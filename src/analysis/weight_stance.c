/// Feet that bear without resting. Captured feet slide, tremble and lift, and who boxes or dances never lets them rest;
/// but a body is borne where it presses on the ground (bearing.c), and if that is not under the foot that rests, a foot
/// that is low and slower than one that swings has its share.
#include "analysis/weight_stance.h"

#include "analysis/foot_stance.h"
#include "base/memory.h"

// Half the breadth of a foot, and what the outlines of shoes add: the pressure may be so far outside of its points.
#define FOOT_MARGIN 0.06
// A foot that is down stands on all its points that are no higher than this above its rest, metres.
#define LOW_POINT 0.03f
// The pressure is taken from this long before a moment to this long after it, and must tell for as long, seconds.
#define PRESSURE_REACH 0.1
// The toes of a foot on its heel are slower than this if they are down, m/s.
#define STILL_TOES 0.25f
// A body that falls with more than this is not borne, m/s².
#define MOST_FALL (0.5 * 9.81)

/// What is looked at.
typedef struct Search
{
	const rpFeet* feet;
	const rpBearing* bearing;
	const rpHolds* holds;
	rpRestStretches* rests;
} Search;

/// Points that a frame stands on.
typedef struct Support
{
	rpVec2 points[2 * rp_footTrackCount];
	int count;
	float ground;
} Support;

enum
{
	heel,
	ball,
	toe,
	pointCount,
};

/// A foot in a frame: which of its points rest, and how high, metres.
typedef struct Foot
{
	int side;
	bool rests[pointCount];
	bool isDown;
	float height;
} Foot;

static int getTrack(int side, int point)
{
	return point == toe ? rpGetToe(side) : 2 * side + point;
}

static Foot findFoot(const Search* search, int side, int frame)
{
	double time = frame / search->feet->fps;
	Foot foot = {.side = side, .height = INFINITY};
	for (int i = 0; i < search->rests->count; ++i)
	{
		const rpRestStretch* rest = search->rests->items + i;
		if (rpGetFootSide(rest->point) == side && rest->start <= time && time <= rest->end)
		{
			int point = rest->point >= rp_footPointCount ? toe : rest->point & 1;
			foot.rests[point] = foot.isDown = true;
			foot.height = fminf(foot.height, rest->height);
		}
	}
	// A ball that rests carries the toes before it.
	foot.rests[toe] |= foot.rests[ball];
	return foot;
}

// Add what a foot bears on, or all of it.
static void addFoot(const Search* search, const Foot* foot, int frame, bool isAll, Support* support)
{
	for (int i = 0; i < pointCount; ++i)
	{
		rpVec3 place = search->feet->tracks[getTrack(foot->side, i)].smooth[frame];
		bool isLow = foot->isDown && place.y < foot->height + LOW_POINT;
		if (isAll || foot->rests[i] || isLow)
		{
			support->points[support->count++] = (rpVec2){place.x, place.z};
			support->ground = fminf(support->ground, place.y);
		}
	}
}

// Whether a foot may bear besides what rests: all of it, if nothing of it does; its toes, if only the heel does, which
// captures of bad feet hold up.
static bool mayBear(const Search* search, const Foot* foot, int frame)
{
	return foot->isDown ? !foot->rests[toe] && search->feet->tracks[rpGetToe(foot->side)].speeds[frame] < STILL_TOES
						: rpCanBear(search->feet, search->rests, foot->side, frame);
}

static double getOutside(const Search* search, int frame, const Support* support)
{
	return rpBearing_GetOutside(search->bearing, frame, support->points, support->count, support->ground,
								PRESSURE_REACH);
}

// Whether a frame needs a foot besides what rests.
static bool isNeeded(const Search* search, int side, int frame)
{
	Foot foot = findFoot(search, side, frame), other = findFoot(search, side ^ 1, frame);
	if ((!foot.isDown && !other.isDown) || rpHolds_Cover(search->holds, frame / search->feet->fps) ||
		!mayBear(search, &foot, frame) ||
		(double)rpBearing_GetAcceleration(search->bearing, frame, PRESSURE_REACH).y < -MOST_FALL)
	{
		return false;
	}
	Support support = {.ground = INFINITY};
	addFoot(search, &foot, frame, false, &support);
	addFoot(search, &other, frame, false, &support);
	if (getOutside(search, frame, &support) < FOOT_MARGIN)
	{
		return false;
	}
	addFoot(search, &foot, frame, true, &support);
	return getOutside(search, frame, &support) < FOOT_MARGIN;
}

static bool mayStand(const Search* search, int side, int frame)
{
	Foot foot = findFoot(search, side, frame);
	return mayBear(search, &foot, frame);
}

// The stance that is needed in frames first … last, for as long as the foot can bear.
static bool addStance(const Search* search, int side, int first, int last, rpError* error)
{
	rpRestStretches* rests = search->rests;
	while (first > 0 && mayStand(search, side, first - 1))
	{
		--first;
	}
	while (last + 1 < search->feet->frameCount && mayStand(search, side, last + 1))
	{
		++last;
	}
	rpRestStretch toes = {.point = rpGetToe(side),
						  .coreFirst = first,
						  .coreLast = last,
						  .first = first,
						  .last = last,
						  .height = rpGetStanceHeight(rests, side, 0.5 * (first + last) / search->feet->fps),
						  .start = first / search->feet->fps,
						  .end = last / search->feet->fps,
						  .supported = true};
	if (!rpGrow(&rests->items, &rests->capacity, rests->count, sizeof(rpRestStretch), error))
	{
		return false;
	}
	rests->items[rests->count++] = toes;
	return true;
}

bool rpAddBearingStances(const rpFeet* feet, const rpBearing* bearing, const rpHolds* holds, rpRestStretches* rests,
						 rpError* error)
{
	Search search = {feet, bearing, holds, rests};
	bool done = true;
	for (int side = 0; done && side < 2; ++side)
	{
		int count = 0;
		for (int f = 0; done && f <= feet->frameCount; ++f)
		{
			bool needed = f < feet->frameCount && isNeeded(&search, side, f);
			done = needed || count < PRESSURE_REACH * feet->fps || addStance(&search, side, f - count, f - 1, error);
			count = needed ? count + 1 : 0;
		}
	}
	return done;
}
