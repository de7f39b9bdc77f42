/// Stances of whole feet. Feet in captures slide, and roll over points that no joint marks: heels slide by centimetres
/// after they strike, balls are up long before the toes push off. But a foot that swings is many times faster than one
/// that is down, so what its slowest low point does tells when the stance begins and ends: where the speed, after its
/// fall or before its rise, would be 0 on a straight line.
///
/// Performances, whose feet rest truly, are left alone: their stances are told as well by the points.
#include "analysis/foot_stance.h"

#include "base/memory.h"

#include <math.h>

// A foot swings if all its low points are faster than this part of its fastest movement around, m/s within these
// bounds.
#define SWING_PART 0.14f
#define LEAST_SWING 0.25f
#define MOST_SWING 1.2f
// Points this much higher than where the foot rests are not low, metres.
#define LOW 0.04f
// A point that comes down first is this much lower than the other, metres.
#define CLEARLY_LOWER 0.015f
// The slope of the speed is taken from where it is the limit to where it is twice as much, for this long at most,
// seconds.
#define SLOPE_TIME 0.2
// A stance grows by so much at either end, seconds: less is as well told by the points, and so much is never missed.
#define LEAST_EARLIER 0.05
#define LEAST_LATER 0.03
#define MOST_GROWTH 0.7
// A foot rolls from heel to ball without a gap that would be longer than this, seconds.
#define LONGEST_ROLL 0.08
// Both feet are down together for this long, seconds.
#define LEAST_DOUBLE 0.02

enum
{
	pointsPerFoot = 3,
};

/// A foot and its points as indices of tracks: heel, ball and toe.
typedef struct Foot
{
	const rpFeet* feet;
	int side;
	int points[pointsPerFoot];
} Foot;

/// A stretch of time in which some point of the foot rests.
typedef struct Stance
{
	double start, end;

	/// Those rests, as indices of all: the one that begins first, and the last one of the ball, -1 if there is none.
	int earliest, ball;
} Stance;

/// The stances of a foot, in order of time.
typedef struct Stances
{
	Stance* items;
	int count;
} Stances;

static int compareTimes(const rpRestStretch* a, const rpRestStretch* b)
{
	return (a->start > b->start) - (a->start < b->start);
}

// The rest of a foot that begins first among those after a given one; -1 if there is none. Equal starts go by index.
static int findNextRest(const rpRestStretches* rests, int side, int after)
{
	int best = -1;
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* rest = rests->items + i;
		int order = after < 0 ? 1 : compareTimes(rest, rests->items + after);
		bool isLater = order > 0 || (order == 0 && i > after);
		if (rpGetFootSide(rest->point) == side && isLater && (best < 0 || compareTimes(rest, rests->items + best) < 0))
		{
			best = i;
		}
	}
	return best;
}

static void listStances(const rpRestStretches* rests, int side, Stances* out)
{
	out->count = 0;
	for (int i = findNextRest(rests, side, -1); i >= 0; i = findNextRest(rests, side, i))
	{
		const rpRestStretch* rest = rests->items + i;
		Stance* last = out->items + out->count - 1;
		if (out->count == 0 || rest->start > last->end)
		{
			last = out->items + out->count++;
			*last = (Stance){rest->start, rest->end, i, -1};
		}
		last->end = fmax(last->end, rest->end);
		last->ball = (rest->point & 1) == 1 ? i : last->ball;
	}
}

static float getSpeed(const Foot* foot, int point, int frame)
{
	return foot->feet->tracks[foot->points[point]].speeds[frame];
}

static float getHeight(const Foot* foot, int point, int frame)
{
	return foot->feet->tracks[foot->points[point]].smooth[frame].y;
}

// The speed of the slowest point; of those that are no higher than where the foot rests, in frame `down`, unless that
// is -1.
static float getSlowest(const Foot* foot, int frame, int down)
{
	float slowest = INFINITY;
	for (int i = 0; i < pointsPerFoot; ++i)
	{
		bool isLow = down < 0 || getHeight(foot, i, frame) < getHeight(foot, i, down) + LOW;
		slowest = isLow ? fminf(slowest, getSpeed(foot, i, frame)) : slowest;
	}
	return slowest;
}

static float getSwing(const Foot* foot, int frame)
{
	float peak = 0.0f;
	// Toes whip in captures.
	for (int i = 0; i < pointsPerFoot - 1; ++i)
	{
		peak = fmaxf(peak, foot->feet->tracks[foot->points[i]].peaks[frame]);
	}
	return fminf(fmaxf(SWING_PART * peak, LEAST_SWING), MOST_SWING);
}

// The time between two frames at which a speed that is `inner` in the first and `outer` in the second is `limit`.
static double cross(const Foot* foot, int frame, int way, float inner, float outer, float limit)
{
	float part = outer > inner ? fminf(fmaxf((limit - inner) / (outer - inner), 0.0f), 1.0f) : 1.0f;
	return (frame + way * (double)part) / foot->feet->fps;
}

// When the foot touches (way -1) or leaves (way 1), seen from a moment of its rest; `most` is as far as it may go.
static double findEdge(const Foot* foot, double rest, int way, double most)
{
	double fps = foot->feet->fps;
	int last = foot->feet->frameCount - 1, down = (int)(way < 0 ? floor(rest * fps) : ceil(rest * fps));
	down = down < 0 ? 0 : down > last ? last : down;
	int frame = down;
	while (frame >= 0 && frame <= last && getSlowest(foot, frame, down) < getSwing(foot, frame) &&
		   fabs(frame / fps - rest) < MOST_GROWTH)
	{
		frame += way;
		if (way * (frame / fps - most) >= 0.0)
		{
			return most;
		}
	}
	if (frame < 0 || frame > last || frame == down)
	{
		return rest;
	}
	float limit = getSwing(foot, frame);
	double inner =
		cross(foot, frame - way, way, getSlowest(foot, frame - way, down), getSlowest(foot, frame, down), limit);
	int outer = frame;
	while (outer >= 0 && outer <= last && getSlowest(foot, outer, -1) < 2.0f * limit &&
		   way * (outer - frame) < SLOPE_TIME * fps)
	{
		outer += way;
	}
	if (outer < 0 || outer > last)
	{
		return inner;
	}
	double twice =
		cross(foot, outer - way, way, getSlowest(foot, outer - way, -1), getSlowest(foot, outer, -1), 2.0f * limit);
	return inner - way * fabs(twice - inner);
}

static bool addRest(rpRestStretches* rests, rpRestStretch rest, rpError* error)
{
	if (!rpGrow(&rests->items, &rests->capacity, rests->count, sizeof(rpRestStretch), error))
	{
		return false;
	}
	rests->items[rests->count++] = rest;
	return true;
}

// A rest like another one, of a point, between two times.
static rpRestStretch makeRest(const Foot* foot, const rpRestStretch* like, int point, double start, double end)
{
	rpRestStretch rest = *like;
	double fps = foot->feet->fps;
	rest.point = point;
	rest.start = start;
	rest.end = end;
	rest.first = rest.coreFirst = (int)ceil(start * fps);
	rest.last = rest.coreLast = (int)floor(end * fps);
	return rest;
}

// Which of heel and ball comes down first: the one that rests first, unless the other is clearly lower at the touch,
// for a foot that stands flat.
static int findFirstPoint(const Foot* foot, int earliest, int touch)
{
	float heel = getHeight(foot, 0, touch) - foot->feet->heelOffset[foot->side], ball = getHeight(foot, 1, touch);
	float ownRise = (earliest & 1) == 0 ? heel - ball : ball - heel;
	return ownRise > CLEARLY_LOWER ? rpGetFootPartner(earliest) : earliest;
}

// The rest of a point in a stance; -1 if there is none.
static int findRest(const rpRestStretches* rests, const Stance* stance, int point)
{
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* rest = rests->items + i;
		if (rest->point == point && rest->start >= stance->start && rest->end <= stance->end)
		{
			return i;
		}
	}
	return -1;
}

// Let a stance begin earlier: with the point that comes down first, if it rests at all.
static bool growStart(const Foot* foot, double shortest, rpRestStretches* rests, const Stance* stance, double start,
					  rpError* error)
{
	double fps = foot->feet->fps;
	int touch = (int)ceil(start * fps);
	int point = findFirstPoint(foot, rests->items[stance->earliest].point, touch),
		rest = findRest(rests, stance, point);
	if (rest < 0 && stance->start - start >= shortest)
	{
		return addRest(rests, makeRest(foot, rests->items + stance->earliest, point, start, stance->start), error);
	}
	rpRestStretch* first = rests->items + (rest >= 0 ? rest : stance->earliest);
	first->start = start;
	first->first = first->first < touch ? first->first : touch;
	return true;
}

// Let a stance end later: on its toes.
static bool growEnd(const Foot* foot, double shortest, rpRestStretches* rests, const Stance* stance, double end,
					rpError* error)
{
	const rpRestStretch* like = rests->items + (stance->ball >= 0 ? stance->ball : stance->earliest);
	double start = fmin(like->start, end - shortest);
	return addRest(rests, makeRest(foot, like, rpGetToe(foot->side), start, end), error);
}

// A foot that rolls from its heel onto its ball does so at once.
static bool rollOn(rpRestStretches* rests, const Stance* stance, const Stance* next)
{
	rpRestStretch* ball = rests->items + next->earliest;
	if ((ball->point & 1) == 0 || next->start - stance->end > LONGEST_ROLL)
	{
		return false;
	}
	ball->start = stance->end;
	return true;
}

static bool growStancesOf(const Foot* foot, double shortest, rpRestStretches* rests, Stances* stances, rpError* error)
{
	double end = (foot->feet->frameCount - 1) / foot->feet->fps, before = 0.0;
	listStances(rests, foot->side, stances);
	for (int i = 0; i < stances->count; ++i)
	{
		Stance* stance = stances->items + i;
		double next = i + 1 < stances->count ? stance[1].start : end;
		double start = findEdge(foot, stance->start, -1, before), stop = findEdge(foot, stance->end, 1, next);
		if (stance->start - start > LEAST_EARLIER && !growStart(foot, shortest, rests, stance, start, error))
		{
			return false;
		}
		bool reachesNext = i + 1 < stances->count && stop >= next;
		bool isLater = reachesNext ? !rollOn(rests, stance, stance + 1) : stop - stance->end > LEAST_LATER;
		if (isLater && !growEnd(foot, shortest, rests, stance, stop, error))
		{
			return false;
		}
		before = isLater || reachesNext ? stop : stance->end;
	}
	return true;
}

static Foot getFoot(const rpFeet* feet, int side)
{
	return (Foot){feet, side, {2 * side, 2 * side + 1, rpGetToe(side)}};
}

bool rpGrowStances(const rpFeet* feet, double shortest, rpRestStretches* rests, rpError* error)
{
	Stances stances = {.items = rpAllocate((size_t)rests->count, sizeof(Stance), error)};
	bool done = stances.items != NULL;
	for (int side = 0; done && side < 2; ++side)
	{
		Foot foot = getFoot(feet, side);
		done = growStancesOf(&foot, shortest, rests, &stances, error);
	}
	rpFree(stances.items);
	return done;
}

// The rest of a foot's ball, or of its heel if that never rests, that is nearest in time; -1 if there is none.
static int findNearest(const rpRestStretches* rests, int side, double time)
{
	int best = -1;
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* rest = rests->items + i;
		bool isBall = rest->point == 2 * side + 1, wasBall = best >= 0 && (rests->items[best].point & 1) == 1;
		bool isNearer = best < 0 || fabs(rest->start - time) < fabs(rests->items[best].start - time);
		if ((isBall || rest->point == 2 * side) && (isBall == wasBall ? isNearer : isBall))
		{
			best = i;
		}
	}
	return best;
}

bool rpAddStance(const rpFeet* feet, int side, double from, double to, double shortest, rpRestStretches* rests,
				 bool* added, rpError* error)
{
	Foot foot = getFoot(feet, side);
	int nearest = findNearest(rests, side, 0.5 * (from + to)), length = 0, end = 0, count = 0;
	*added = false;
	if (nearest < 0)
	{
		return true;
	}
	rpRestStretch like = rests->items[nearest];
	int down = (like.coreFirst + like.coreLast) / 2;
	for (int i = (int)ceil(from * feet->fps); i <= (int)floor(to * feet->fps); ++i)
	{
		count = getSlowest(&foot, i, down) < getSwing(&foot, i) ? count + 1 : 0;
		end = count > length ? i : end;
		length = count > length ? count : length;
	}
	double middle = (end - 0.5 * (length - 1)) / feet->fps;
	// Where feet slide the edges are soft; half of the stretch is sure.
	double sure = 0.25 * length / feet->fps;
	double start = fmin(findEdge(&foot, middle, -1, from), middle - sure);
	double stop = fmax(findEdge(&foot, middle, 1, to), middle + sure);
	*added = length > 0 && stop - start >= shortest;
	// What reaches up to the other stance overlaps it.
	start -= start <= from ? LEAST_DOUBLE : 0.0;
	stop += stop >= to ? LEAST_DOUBLE : 0.0;
	return !*added || (addRest(rests, makeRest(&foot, &like, 2 * side + 1, start, stop), error) &&
					   addRest(rests, makeRest(&foot, &like, rpGetToe(side), start, stop), error));
}
