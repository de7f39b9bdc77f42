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
// Feet that may bear are looked at for this long before a moment and after it, seconds.
#define STEADY_REACH 0.1
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

/// Where a foot, or the other one, is down: what is low.
typedef struct Level
{
	int side;
	int frame;

	/// Points this much higher than there are not low, metres.
	float low;
} Level;

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

static float getLevel(const Foot* foot, const Level* level, int point)
{
	int track = point == 2 ? rpGetToe(level->side) : 2 * level->side + point;
	return foot->feet->tracks[track].smooth[level->frame].y + level->low;
}

// The speed of the slowest point; of those that are low, unless level is NULL.
static float getSlowest(const Foot* foot, int frame, const Level* level)
{
	float slowest = INFINITY;
	for (int i = 0; i < pointsPerFoot; ++i)
	{
		bool isLow = level == NULL || getHeight(foot, i, frame) < getLevel(foot, level, i);
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
	Level level = {foot->side, down, RP_LOW_FOOT};
	while (frame >= 0 && frame <= last && getSlowest(foot, frame, &level) < getSwing(foot, frame) &&
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
		cross(foot, frame - way, way, getSlowest(foot, frame - way, &level), getSlowest(foot, frame, &level), limit);
	int outer = frame;
	while (outer >= 0 && outer <= last && getSlowest(foot, outer, NULL) < 2.0f * limit &&
		   way * (outer - frame) < SLOPE_TIME * fps)
	{
		outer += way;
	}
	if (outer < 0 || outer > last)
	{
		return inner;
	}
	double twice =
		cross(foot, outer - way, way, getSlowest(foot, outer - way, NULL), getSlowest(foot, outer, NULL), 2.0f * limit);
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

// The longest stretch of frames between two times in which the foot is low and slow; its last frame, and how many.
static int findSlow(const Foot* foot, const rpMissedStance* missed, const Level* level, int* length)
{
	double fps = foot->feet->fps;
	int end = 0, count = 0;
	*length = 0;
	for (int i = (int)ceil(missed->from * fps); i <= (int)floor(missed->to * fps); ++i)
	{
		count = getSlowest(foot, i, level) < (missed->isFast ? INFINITY : getSwing(foot, i)) ? count + 1 : 0;
		end = count > *length ? i : end;
		*length = count > *length ? count : *length;
	}
	return end;
}

bool rpAddStance(const rpFeet* feet, const rpMissedStance* missed, double shortest, rpRestStretches* rests, bool* added,
				 rpError* error)
{
	int side = missed->side, length = 0;
	double from = missed->from, to = missed->to;
	Foot foot = getFoot(feet, side);
	int own = findNearest(rests, side, 0.5 * (from + to));
	int nearest = own >= 0 ? own : findNearest(rests, side ^ 1, 0.5 * (from + to));
	*added = false;
	if (nearest < 0)
	{
		return true;
	}
	rpRestStretch like = rests->items[nearest];
	Level level = {rpGetFootSide(like.point), (like.coreFirst + like.coreLast) / 2, missed->low};
	int end = findSlow(&foot, missed, &level, &length);
	double middle = (end - 0.5 * (length - 1)) / feet->fps;
	// Where feet slide the edges are soft; half of the stretch is sure.
	double sure = (missed->isFast ? 0.5 : 0.25) * length / feet->fps;
	double start = missed->isWhole ? from : fmin(findEdge(&foot, middle, -1, from), middle - sure);
	double stop = missed->isWhole ? to : fmax(findEdge(&foot, middle, 1, to), middle + sure);
	bool isSlow = length > 0 && (!missed->isWhole || 2 * length > (to - from) * feet->fps);
	*added = isSlow && stop - start >= shortest;
	// What reaches up to the other stance overlaps it.
	start -= start <= from && !missed->isWhole ? LEAST_DOUBLE : 0.0;
	stop += stop >= to && !missed->isWhole ? LEAST_DOUBLE : 0.0;
	// A foot that slides is no place for its ball.
	bool hasBall = *added && !missed->isFast;
	return (!hasBall || addRest(rests, makeRest(&foot, &like, 2 * side + 1, start, stop), error)) &&
		   (!*added || addRest(rests, makeRest(&foot, &like, rpGetToe(side), start, stop), error));
}

double rpReachStance(const rpFeet* feet, const rpRestStretch* rest, double until)
{
	Foot foot = getFoot(feet, rpGetFootSide(rest->point));
	int way = until < rest->start ? -1 : 1;
	Level level = {foot.side, (rest->coreFirst + rest->coreLast) / 2, RP_LOW_FOOT};
	double edge = way < 0 ? rest->start : rest->end, reached = edge;
	int frame = (int)(way < 0 ? floor(edge * feet->fps) : ceil(edge * feet->fps));
	while (frame >= 0 && frame < feet->frameCount && way * (until - frame / feet->fps) >= 0.0 &&
		   getSlowest(&foot, frame, &level) < getSwing(&foot, frame))
	{
		reached = frame / feet->fps;
		frame += way;
	}
	return reached;
}

// How fast a point gets away, over some time: feet that tremble on the spot, or in a capture, do not.
static float getSteadySpeed(const Foot* foot, int point, int frame)
{
	const rpFeet* feet = foot->feet;
	int reach = (int)fmax(lround(STEADY_REACH * feet->fps), 1.0), last = feet->frameCount - 1;
	int before = frame > reach ? frame - reach : 0, after = frame + reach < last ? frame + reach : last;
	const rpVec3* places = feet->tracks[foot->points[point]].smooth;
	return after > before ? rpDistance(places[before], places[after]) * (float)feet->fps / (float)(after - before)
						  : 0.0f;
}

bool rpCanBear(const rpFeet* feet, const rpRestStretches* rests, int side, int frame)
{
	Foot foot = getFoot(feet, side);
	int nearest = findNearest(rests, side, frame / feet->fps);
	if (nearest < 0)
	{
		return false;
	}
	const rpRestStretch* like = rests->items + nearest;
	Level level = {side, (like->coreFirst + like->coreLast) / 2, RP_LOW_FOOT};
	float slowest = INFINITY;
	for (int i = 0; i < pointsPerFoot; ++i)
	{
		bool isLow = getHeight(&foot, i, frame) < getLevel(&foot, &level, i);
		slowest = isLow ? fminf(slowest, getSteadySpeed(&foot, i, frame)) : slowest;
	}
	return slowest < getSwing(&foot, frame);
}

float rpGetStanceHeight(const rpRestStretches* rests, int side, double seconds)
{
	int nearest = findNearest(rests, side, seconds);
	return nearest >= 0 ? rests->items[nearest].height : 0.0f;
}
