#include "analysis/support_gap.h"

#include "analysis/foot_stance.h"
#include "base/memory.h"

// Longer than this nobody's step is in doubt, seconds; but a whole stance may be missed in one this long.
#define LONGEST_GAP 0.3
#define LONGEST_STEP 1.0

// A body that falls with this part of gravity flies; so does one whose lower foot comes this high, metres. Of captured
// walks, gaps fall with 0.15 at most, of runs with 0.22 at least; with a stance in between, with less than 0.1.
#define FLYING_FALL (0.2 * 9.81)
#define FLYING_HEIGHT 0.03f

// Whoever flies for long falls with this much, m/s², and keeps to a parabola, metres.
#define FREE_FALL (0.6 * 9.81)
#define FREE_RESIDUAL 0.006

// No hop from a foot to the same is shorter than this, seconds.
#define SHORTEST_HOP 0.1

// The fall is looked at for this long at least, seconds, around the gap's middle.
#define FALL_TIME 0.1

// Whoever walks has both feet down for this long, seconds.
#define LEAST_DOUBLE 0.02

// Something bears a body that falls with less than this part of gravity, or of the most that it falls with in a flight
// so short that it is not seen to fall freely: by this stretch to both sides, seconds.
#define BORNE_PART 0.5
#define BORNE_REACH 0.035
#define GRAVITY 9.81

// Flights shorter than this tell too little of the fall, seconds.
#define SHORTEST_FALL 0.15

// Flights are made shorter by so much at either end, seconds: what is less is as well told by the feet.
#define LEAST_TRIM 0.03

// Something bears a whole gap, and no foot is low: captures lift the feet of who crouches by so much, metres.
#define LIFTED_FOOT 0.15f

// The deviation of a fitted acceleration is this many times that of a height, over T² and the root of the number of
// heights: 2 sqrt(180) for a parabola.
#define NOISE_OF_FALL 26.8

double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual)
{
	// y = a + b t + c t² by least squares, times centred.
	double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0, middle = 0.5 * (count - 1), base = places[0].y, sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, y = places[i].y - base;
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += y;
		y1 += y * t;
		y2 += y * t * t;
	}
	double determinant = count * s4 - s2 * s2, c = (count * y2 - s2 * y0) / determinant, b = y1 / s2;
	double a = (y0 - c * s2) / count;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, off = places[i].y - base - a - t * (b + t * c);
		sum += off * off;
	}
	if (deviation != NULL)
	{
		*deviation = count > 3 ? 2.0 * sqrt(sum / (count - 3) * count / determinant) : 0.0;
	}
	if (residual != NULL)
	{
		*residual = sqrt(sum / count);
	}
	return -2.0 * c;
}

/// A stretch of time without rest, between the rest that ends it off and the one that takes over, as indices.
typedef struct Gap
{
	int before, after;
	double start, end;
} Gap;

/// What is looked at.
typedef struct Search
{
	const rpFeet* feet;
	const rpBearing* bearing;
	const rpHolds* holds;
	double shortest;
	rpRestStretches* rests;
	rpError* error;
} Search;

// The gap behind a rest, if no other rests then and some rest follows.
static bool findGap(const rpRestStretches* rests, int before, Gap* out)
{
	double end = rests->items[before].end;
	int after = -1;
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* other = rests->items + i;
		if (i != before && other->start <= end && (other->end > end || (other->end == end && i > before)))
		{
			return false;
		}
		if (other->start > end && (after < 0 || other->start < rests->items[after].start))
		{
			after = i;
		}
	}
	*out = (Gap){before, after, end, after >= 0 ? rests->items[after].start : end};
	return after >= 0;
}

/// How the body falls for a time: m/s², and the deviation of that; how far it is from a parabola, metres.
typedef struct Fall
{
	double acceleration, deviation, residual;
} Fall;

// False if there are too few frames to tell.
static bool measureFall(const Search* search, double start, double end, Fall* out)
{
	const rpFeet* feet = search->feet;
	double more = fmax(0.5 * (FALL_TIME - (end - start)), 0.0);
	int first = (int)ceil((start - more) * feet->fps), last = (int)floor((end + more) * feet->fps);
	first = first < 0 ? 0 : first;
	last = last >= feet->frameCount ? feet->frameCount - 1 : last;
	int count = last - first + 1;
	if (count < 5)
	{
		return false;
	}
	out->acceleration = rpFitFall(search->bearing->centers + first, count, feet->fps, &out->deviation, &out->residual);
	double seconds = count / feet->fps, noise = feet->noise * NOISE_OF_FALL / (seconds * seconds * sqrt(count));
	out->deviation = fmax(out->deviation, noise);
	return true;
}

// Whether the body may fall between two times.
static bool isFalling(const Search* search, double start, double end)
{
	Fall fall;
	return !measureFall(search, start, end, &fall) || fall.acceleration + 2.0 * fall.deviation > FLYING_FALL;
}

// Whether it falls all the time: nothing bears it in between.
static bool isFree(const Search* search, double start, double end)
{
	Fall fall;
	return !measureFall(search, start, end, &fall) ||
		   (fall.acceleration > FREE_FALL && fall.residual < FREE_RESIDUAL + search->feet->noise);
}

static float getRise(const rpFeet* feet, const rpRestStretch* rest, int frame)
{
	return feet->tracks[rest->point].smooth[frame].y -
		   feet->tracks[rest->point].smooth[(rest->coreFirst + rest->coreLast) / 2].y;
}

static bool areFeetUp(const Search* search, const Gap* gap)
{
	float clearance = 0.0f;
	for (int f = (int)ceil(gap->start * search->feet->fps); f <= (int)floor(gap->end * search->feet->fps); ++f)
	{
		clearance = fmaxf(clearance, fminf(getRise(search->feet, search->rests->items + gap->before, f),
										   getRise(search->feet, search->rests->items + gap->after, f)));
	}
	return clearance > FLYING_HEIGHT;
}

// The toes of a foot rest as another point of it does.
static bool addToes(const Search* search, rpRestStretch like)
{
	rpRestStretches* rests = search->rests;
	like.point = rpGetToe(rpGetFootSide(like.point));
	if (!rpGrow(&rests->items, &rests->capacity, rests->count, sizeof(rpRestStretch), search->error))
	{
		return false;
	}
	rests->items[rests->count++] = like;
	return true;
}

// The foot that leaves stays on its toes until the other, or the same, has come.
static bool closeGap(const Search* search, const Gap* gap)
{
	rpRestStretches* rests = search->rests;
	int side = rpGetFootSide(rests->items[gap->before].point);
	double end = gap->end + (rpGetFootSide(rests->items[gap->after].point) != side ? LEAST_DOUBLE : 0.0);
	if (rests->items[gap->before].point >= rp_footPointCount)
	{
		rests->items[gap->before].end = end;
		return true;
	}
	rpRestStretch toe = rests->items[gap->before];
	toe.start = fmin(toe.start, end - search->shortest);
	toe.end = end;
	return addToes(search, toe);
}

// A gap that a foot stands in which was not seen to; `like` says all of it but the foot.
static bool addMissed(const Search* search, const Gap* gap, rpMissedStance like, bool* added)
{
	*added = false;
	int neighbor = rpGetFootSide(search->rests->items[gap->before >= 0 ? gap->before : gap->after].point);
	for (int i = 0; i < 2 && !*added; ++i)
	{
		// Feet go by turns.
		like.side = neighbor ^ (i == 0);
		if (!rpAddStance(search->feet, &like, search->shortest, search->rests, added, search->error))
		{
			return false;
		}
	}
	return true;
}

static double getFall(const Search* search, int frame)
{
	return -(double)rpBearing_GetAcceleration(search->bearing, frame, BORNE_REACH).y;
}

/// Frames of a gap, both included: all, and those between the first in which the body falls and the last, by a limit in
/// m/s².
typedef struct Falling
{
	int first, last;
	int from, to;
	double limit;
} Falling;

static Falling findFalling(const Search* search, const Gap* gap)
{
	Falling falling = {.first = (int)ceil(gap->start * search->feet->fps),
					   .last = (int)floor(gap->end * search->feet->fps)};
	double most = 0.0;
	for (int f = falling.first; f <= falling.last; ++f)
	{
		most = fmax(most, getFall(search, f));
	}
	falling.limit = most > FLYING_FALL ? BORNE_PART * fmin(most, GRAVITY) : INFINITY;
	falling.from = falling.first;
	falling.to = falling.last;
	while (falling.from <= falling.last && getFall(search, falling.from) < falling.limit)
	{
		++falling.from;
	}
	while (falling.to > falling.from && getFall(search, falling.to) < falling.limit)
	{
		--falling.to;
	}
	return falling;
}

// The longest stretch between two falls in which something bears the body: a stance that was not seen.
static bool addBetween(const Search* search, const Gap* gap, const Falling* falling, bool* added)
{
	int count = 0, length = 0, end = 0;
	for (int f = falling->from; f <= falling->to; ++f)
	{
		count = getFall(search, f) < falling->limit ? count + 1 : 0;
		end = count > length ? f : end;
		length = count > length ? count : length;
	}
	double fps = search->feet->fps;
	rpMissedStance missed = {.from = (end - length) / fps, .to = (end + 1) / fps, .low = RP_LOW_FOOT, .isWhole = true};
	*added = false;
	return length < search->shortest * fps || addMissed(search, gap, missed, added);
}

// A foot that is slow stands until the body falls, and from when it does no longer: on its toes where nothing else
// rests.
static bool trimFlight(const Search* search, const Gap* gap, const Falling* falling)
{
	double fps = search->feet->fps;
	rpRestStretch before = search->rests->items[gap->before], after = search->rests->items[gap->after];
	double leaves = rpReachStance(search->feet, &before, falling->from / fps);
	double comes = rpReachStance(search->feet, &after, falling->to / fps);
	bool done = true;
	if (leaves - gap->start > LEAST_TRIM)
	{
		before.start = fmin(before.start, leaves - search->shortest);
		before.end = leaves;
		done = addToes(search, before);
	}
	if (done && gap->end - comes > LEAST_TRIM)
	{
		after.end = fmax(after.end, comes + search->shortest);
		after.start = comes;
		done = addToes(search, after);
	}
	return done;
}

// A foot stands in the gap that is low, however it slides and turns.
static bool addSliding(const Search* search, const Gap* gap, bool* added)
{
	rpMissedStance sliding = {.from = gap->start, .to = gap->end, .low = RP_LOW_FOOT, .isFast = true};
	return addMissed(search, gap, sliding, added);
}

// Something bears the body all the time: the foot that leaves, if the time is short; else a foot that is lifted a
// little; else one that slides.
static bool fillGap(const Search* search, const Gap* gap, bool* added)
{
	rpMissedStance lifted = {.from = gap->start, .to = gap->end, .low = LIFTED_FOOT};
	if (!addMissed(search, gap, lifted, added))
	{
		return false;
	}
	if (!*added && gap->end - gap->start < LONGEST_GAP)
	{
		return closeGap(search, gap);
	}
	return *added || addSliding(search, gap, added);
}

// The body does not fly all the time that no foot was seen to rest.
static bool treatFlight(const Search* search, const Gap* gap, bool isFlight, bool* added)
{
	Falling falling = findFalling(search, gap);
	bool falls = falling.from <= falling.last;
	*added = false;
	if (falls && !addBetween(search, gap, &falling, added))
	{
		return false;
	}
	if (*added || (falls && isFlight && rpMayFly(search->bearing, gap->start, gap->end)))
	{
		return true;
	}
	if (!falls || !isFlight)
	{
		return fillGap(search, gap, added);
	}
	double fps = search->feet->fps;
	if (!rpMayFly(search->bearing, falling.from / fps, falling.to / fps) && !addSliding(search, gap, added))
	{
		return false;
	}
	return *added || trimFlight(search, gap, &falling);
}

// A foot that leaves for the other one to come is closed up to it first; between two rests of the same foot the other
// may have stepped.
static bool treatGap(const Search* search, const Gap* gap, bool* added)
{
	*added = false;
	double length = gap->end - gap->start;
	const rpRestStretch *before = search->rests->items + gap->before, *after = search->rests->items + gap->after;
	bool isTurn = rpGetFootSide(before->point) != rpGetFootSide(after->point);
	bool isFlight = (isTurn || length > SHORTEST_HOP) && isFalling(search, gap->start, gap->end);
	bool isStep = length < LONGEST_GAP && !isFlight && !areFeetUp(search, gap);
	bool isLong = length > 2.0 * search->shortest && length < LONGEST_STEP;
	rpMissedStance missed = {.from = gap->start, .to = gap->end, .low = RP_LOW_FOOT};
	if (isLong && (!isTurn || !isStep) && !isFree(search, gap->start, gap->end) &&
		!addMissed(search, gap, missed, added))
	{
		return false;
	}
	if (*added)
	{
		return true;
	}
	return isStep ? closeGap(search, gap) : treatFlight(search, gap, isFlight, added);
}

// What the motion begins with, or ends with, without a rest.
static Gap findOuterGap(const Search* search, bool isFirst)
{
	const rpRestStretches* rests = search->rests;
	double duration = (search->feet->frameCount - 1) / search->feet->fps;
	Gap gap = {-1, -1, isFirst ? 0.0 : -INFINITY, isFirst ? INFINITY : duration};
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* rest = rests->items + i;
		if (isFirst && rest->start < gap.end)
		{
			gap.end = rest->start;
			gap.after = i;
		}
		if (!isFirst && rest->end > gap.start)
		{
			gap.start = rest->end;
			gap.before = i;
		}
	}
	return gap;
}

// A step in a stretch at an end of the motion, by its speed or else by the fall on its inner side.
static bool addOuterStep(const Search* search, const Gap* gap, bool isFirst, bool* added)
{
	rpMissedStance missed = {.from = gap->start, .to = gap->end, .low = RP_LOW_FOOT};
	if (!addMissed(search, gap, missed, added))
	{
		return false;
	}
	Falling falling = findFalling(search, gap);
	falling.from = isFirst ? falling.first : falling.from;
	falling.to = isFirst ? falling.to : falling.last;
	return *added || addBetween(search, gap, &falling, added);
}

// Steps before the first that was seen, or after the last.
static bool addOuterSteps(const Search* search, bool isFirst)
{
	bool added = search->rests->count > 0;
	while (added)
	{
		Gap gap = findOuterGap(search, isFirst);
		double length = gap.end - gap.start;
		added = length > 2.0 * search->shortest && length < LONGEST_STEP && !isFree(search, gap.start, gap.end);
		if (added && !addOuterStep(search, &gap, isFirst, &added))
		{
			return false;
		}
	}
	return true;
}

bool rpCloseSupportGaps(const rpFeet* feet, const rpBearing* bearing, const rpHolds* holds, double shortest,
						rpRestStretches* rests, rpError* error)
{
	Search search = {feet, bearing, holds, shortest, rests, error};
	bool done = addOuterSteps(&search, true) && addOuterSteps(&search, false);
	// What is added leaves smaller gaps.
	for (int i = 0; done && i < rests->count; ++i)
	{
		bool again = true;
		for (Gap gap; done && again && findGap(rests, i, &gap);)
		{
			again = false;
			done = rpHolds_Cover(holds, 0.5 * (gap.start + gap.end)) || treatGap(&search, &gap, &again);
		}
	}
	return done;
}

bool rpMayFly(const rpBearing* bearing, double start, double end)
{
	int first = (int)ceil(start * bearing->fps), count = (int)floor(end * bearing->fps) - first + 1;
	return end - start < SHORTEST_FALL || count < 5 ||
		   rpFitFall(bearing->centers + first, count, bearing->fps, NULL, NULL) > FREE_FALL;
}
