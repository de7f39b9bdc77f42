/// Contacts from stages. The decoding says what bears in a frame; here each contact gets its begin and end between
/// frames (touch_fit.c), and the order of stages is kept: heel off, ball off, toe off.
#include "analysis/stances.h"

#include "analysis/touch_fit.h"
#include "base/memory.h"

#include <stdlib.h>

// Where evidence is more than this, a point rests beyond doubt.
#define SURE 0.5f
// Begins and ends that were fitted are this near to the decoded ones, seconds: a captured ball creeps long before it
// leaves, and settles after it has landed. But heels rise slowly before anybody sees it, and what comes down softly
// hovers for long: it may if something else bears the body meanwhile.
#define NEAR 0.06
#define NEAR_SOFT 0.3
// Parts of a foot that leave nearer to each other than this leave as one, seconds.
#define TOGETHER 0.03
// Nobody flies for less than this from one foot to the other, seconds: the shortest flights of captured runners last
// 0.045.
#define HANDOVER 0.02
// A foot on something that is this much higher than what the other one stands on is there for this long at least,
// seconds, unless it bears alone.
#define ELEVATED 0.036f
#define ELEVATED_TIME 0.4
// A runner's heel, in a stance shorter than this, seconds, may touch for this part of the shortest time. His feet swing
// faster than this, m/s: 1.8 √(g l) of a leg of 0.85 m.
#define RUNNING_TIME 0.34
#define RUNNING_SPEED 5.2f
#define RUNNING_PART 0.4
// Lengths are compared with this in mind, seconds.
#define ROUNDING 1e-6
// Of the speeds in a contact, the part that is taken for what it has all the time; how many times the noise of a speed
// may be there; for contacts of this length at least, seconds.
#define CREEP_PART 0.25
#define CREEP_NOISE 1.6f
#define CREEP_TIME 0.1
// A foot creeps in one direction for about this long, seconds, and so far at most, metres.
#define WOBBLE_TIME 0.05
#define MAX_WOBBLE 0.006f

/// Frames of one stance, both included, and its contacts, from … to - 1.
typedef struct Stance
{
	int side;
	int first, last;
	int from, to;

	/// Whether its ball bears for long enough.
	bool hasBall;
} Stance;

/// Of the left foot, then of the right, in order.
typedef struct Stances
{
	Stance* items;
	int count, capacity;
} Stances;

static bool isDown(const rpStanceTakes* takes, int side, int frame)
{
	return takes->stages[side][frame] != rp_stageSwing;
}

// Whether a foot is higher than what the other stands on all the time, and only for a while.
static bool hangs(const rpStanceTakes* takes, const Stance* stance)
{
	bool isHigh = stance->last - stance->first < ELEVATED_TIME * takes->feet->fps;
	for (int f = stance->first; f <= stance->last && isHigh; ++f)
	{
		isHigh = isDown(takes, stance->side ^ 1, f) &&
				 takes->evidence->levels[stance->side][f] > takes->evidence->levels[stance->side ^ 1][f] + ELEVATED;
	}
	return isHigh;
}

static float findMedianHeight(const rpStanceTakes* takes, const rpRestStretch* rest)
{
	int count = 0;
	for (int f = rest->coreFirst; f <= rest->coreLast; ++f)
	{
		takes->feet->scratch[count++] = takes->feet->tracks[rest->point].smooth[f].y;
	}
	// That of a ball, were the foot flat; but heels have their own.
	int side = rpGetFootSide(rest->point), part = rpGetFootPart(rest->point);
	float offset = part == rp_footToe ? takes->feet->offsets[side][part] : 0.0f;
	return rpTakeQuantile(takes->feet->scratch, count, 0.5) - offset;
}

// A foot of a good capture is still for a part of the time that it rests; what is left of its speed then, beyond the
// noise, it has all the time.
static float findWobble(const rpStanceTakes* takes, const rpRestStretch* rest)
{
	int count = 0;
	for (int f = rest->coreFirst; f <= rest->coreLast; ++f)
	{
		takes->feet->scratch[count++] = takes->feet->tracks[rest->point].speeds[f];
	}
	float creep = rpTakeQuantile(takes->feet->scratch, count, CREEP_PART);
	float noise = CREEP_NOISE * rpFeet_GetSpeedNoise(takes->feet);
	bool isKnown = count >= CREEP_TIME * takes->feet->fps && creep > noise;
	return isKnown ? fminf((float)WOBBLE_TIME * sqrtf(creep * creep - noise * noise), MAX_WOBBLE) : 0.0f;
}

// The core is from the first to the last frame beyond doubt; without one, the frame of the smallest doubt.
static void findCore(const rpStanceTakes* takes, rpRestStretch* rest)
{
	const float* evidence = takes->evidence->points[rpGetFootSide(rest->point)][rpGetFootPart(rest->point)];
	int best = rest->first;
	rest->coreFirst = rest->coreLast = -1;
	for (int f = rest->first; f <= rest->last; ++f)
	{
		best = evidence[f] > evidence[best] ? f : best;
		if (evidence[f] > SURE)
		{
			rest->coreFirst = rest->coreFirst < 0 ? f : rest->coreFirst;
			rest->coreLast = f;
		}
	}
	rest->coreFirst = rest->coreFirst < 0 ? best : rest->coreFirst;
	rest->coreLast = rest->coreLast < 0 ? best : rest->coreLast;
}

static bool addRest(const rpStanceTakes* takes, rpRestStretch rest, rpRestStretches* out, rpError* error)
{
	findCore(takes, &rest);
	rest.height = findMedianHeight(takes, &rest);
	rest.wobble = findWobble(takes, &rest);
	rest.start = rest.first / takes->feet->fps;
	rest.end = rest.last / takes->feet->fps;
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpRestStretch), error))
	{
		return false;
	}
	out->items[out->count++] = rest;
	return true;
}

// The contacts of a part within a stance; a gap that is too short for one is none.
static bool addPart(const rpStanceTakes* takes, const Stance* stance, int part, int index, rpRestStretches* out,
					rpError* error)
{
	rpRestStretch rest = {.point = rpGetFootTrack(stance->side, part), .stance = index, .first = -1};
	bool done = true;
	for (int f = stance->first; done && f <= stance->last; ++f)
	{
		if (!rpStage_Bears(takes->stages[stance->side][f], part))
		{
			continue;
		}
		if (rest.first >= 0 && f - rest.last > takes->shortest * takes->feet->fps)
		{
			done = addRest(takes, rest, out, error);
			rest.first = f;
		}
		rest.first = rest.first < 0 ? f : rest.first;
		rest.last = f;
	}
	return done && (rest.first < 0 || addRest(takes, rest, out, error));
}

// The first contact of a part in a stance, or the last; NULL if there is none.
static rpRestStretch* findPart(const Stance* stance, rpRestStretches* rests, int part, bool isFirst)
{
	rpRestStretch* found = NULL;
	for (int i = stance->from; i < stance->to && !(isFirst && found != NULL); ++i)
	{
		found = rpGetFootPart(rests->items[i].point) == part ? rests->items + i : found;
	}
	return found;
}

static bool addStance(const rpStanceTakes* takes, Stance stance, Stances* stances, rpRestStretches* out, rpError* error)
{
	bool done = rpGrow(&stances->items, &stances->capacity, stances->count, sizeof(Stance), error);
	stance.from = out->count;
	for (int part = 0; done && part < rp_footPartCount; ++part)
	{
		done = addPart(takes, &stance, part, stances->count, out, error);
	}
	if (done)
	{
		stance.to = out->count;
		stance.hasBall = findPart(&stance, out, rp_footBall, true) != NULL;
		stances->items[stances->count++] = stance;
	}
	return done;
}

static bool addSide(const rpStanceTakes* takes, int side, Stances* stances, rpRestStretches* out, rpError* error)
{
	int frameCount = takes->feet->frameCount;
	bool done = true;
	for (int f = 0; done && f < frameCount; ++f)
	{
		Stance stance = {.side = side, .first = f, .last = f};
		if (!isDown(takes, side, f))
		{
			continue;
		}
		while (stance.last + 1 < frameCount && isDown(takes, side, stance.last + 1))
		{
			++stance.last;
		}
		done = hangs(takes, &stance) || addStance(takes, stance, stances, out, error);
		f = stance.last;
	}
	return done;
}

// Whether something else bears all the time between two moments: the other foot, or the rest of this one.
static bool isHeld(const rpStanceTakes* takes, const rpRestStretch* rest, double from, double to)
{
	int side = rpGetFootSide(rest->point), last = takes->feet->frameCount - 1;
	bool held = rest->rolls;
	if (!held)
	{
		held = true;
		for (int f = (int)floor(from * takes->feet->fps); held && f <= (int)ceil(to * takes->feet->fps) && f <= last;
			 ++f)
		{
			held = isDown(takes, side ^ 1, f < 0 ? 0 : f);
		}
	}
	return held;
}

// A runner's heel may touch for less.
static double getShortest(const rpStanceTakes* takes, const Stance* stance, const rpRestStretch* rest)
{
	bool isRunning = stance->hasBall && stance->last - stance->first < RUNNING_TIME * takes->feet->fps &&
					 takes->feet->tracks[rest->point].peaks[rest->coreFirst] > RUNNING_SPEED;
	return (isRunning && rpGetFootPart(rest->point) == rp_footHeel ? RUNNING_PART : 1.0) * takes->shortest;
}

static double takeNear(double fitted, double decoded, double near)
{
	return fabs(fitted - decoded) > near ? decoded : fitted;
}

// What was fitted far from where it was decoded, or too short, is taken as it was decoded, half a frame outside.
static void holdTimes(const rpStanceTakes* takes, const Stance* stance, rpRestStretch* rest)
{
	double fps = takes->feet->fps, duration = (takes->feet->frameCount - 1) / fps;
	double start = fmax((rest->first - 0.5) / fps, 0.0), end = fmin((rest->last + 0.5) / fps, duration);
	bool isHeel = rpGetFootPart(rest->point) == rp_footHeel;
	bool isSoft = rest->start > start && isHeld(takes, rest, start, rest->start);
	rest->start = fmax(takeNear(rest->start, start, isSoft ? NEAR_SOFT : NEAR), 0.0);
	rest->end = fmin(takeNear(rest->end, end, isHeel ? NEAR_SOFT : NEAR), duration);
	if (rest->end - rest->start < getShortest(takes, stance, rest))
	{
		rest->start = start;
		rest->end = end;
	}
}

// Ball and toe often leave as one; the ball whips less.
static void endForefoot(const rpStanceTakes* takes, const rpRestStretch* ball, rpRestStretch* toe)
{
	bool isOne =
		abs(toe->last - ball->last) < TOGETHER * takes->feet->fps && ball->end - ball->start >= takes->shortest;
	toe->end = isOne ? ball->end : fmax(toe->end, ball->end);
}

// Toes come down with the ball, which does so before the heel is up; the heel leaves before the ball, the ball before
// the toes. But someone who walks backwards leaves with the heel.
static void orderStance(const rpStanceTakes* takes, const Stance* stance, rpRestStretches* rests)
{
	rpRestStretch* firstHeel = findPart(stance, rests, rp_footHeel, true);
	rpRestStretch* firstBall = findPart(stance, rests, rp_footBall, true);
	rpRestStretch* firstToe = findPart(stance, rests, rp_footToe, true);
	rpRestStretch* heel = findPart(stance, rests, rp_footHeel, false);
	rpRestStretch* ball = findPart(stance, rests, rp_footBall, false);
	rpRestStretch* toe = findPart(stance, rests, rp_footToe, false);
	if (ball != NULL && toe != NULL)
	{
		endForefoot(takes, ball, toe);
		firstToe->height = toe->height = ball->height;
	}
	if (heel != NULL && ball != NULL)
	{
		bool isBackwards = takes->stages[stance->side][heel->last] == rp_stageLastHeel;
		heel->end = isBackwards ? fmax(heel->end, ball->end) : fmin(heel->end, ball->end);
		firstBall->start =
			firstHeel->start < firstBall->start ? fmin(firstBall->start, firstHeel->end) : firstBall->start;
	}
	if (firstBall != NULL && firstToe != NULL && firstToe->first == firstBall->first)
	{
		firstToe->start = firstBall->start;
	}
}

// The contact of a stance that begins first, or that ends last.
static rpRestStretch* findOuter(const Stance* stance, rpRestStretches* rests, bool isFirst)
{
	rpRestStretch* found = rests->items + stance->from;
	for (rpRestStretch* rest = found; rest < rests->items + stance->to; ++rest)
	{
		found = (isFirst ? rest->start < found->start : rest->end > found->end) ? rest : found;
	}
	return found;
}

// Fits open no gap where the feet were decoded to take over from each other; both are down for a moment then.
static void closeGap(const rpStanceTakes* takes, const Stance* before, const Stance* after, rpRestStretches* rests)
{
	rpRestStretch *leaving = findOuter(before, rests, false), *coming = findOuter(after, rests, true);
	rpRestStretch* toe = findPart(before, rests, rp_footToe, false);
	if (leaving->end <= coming->start && after->first - before->last < fmax(HANDOVER * takes->feet->fps, 2.0))
	{
		double middle = 0.5 * (before->last + after->first);
		leaving->end = fmax(leaving->end, fmax(before->last, middle) / takes->feet->fps) + 0.5 / takes->feet->fps;
		coming->start = fmin(coming->start, fmin(after->first, middle) / takes->feet->fps) - 0.5 / takes->feet->fps;
		if (toe != NULL)
		{
			toe->end = leaving->end;
		}
	}
}

// Both feet's stances are in order: for each, the first of the other foot that ends later takes over.
static void closeGaps(const rpStanceTakes* takes, const Stances* stances, rpRestStretches* rests)
{
	int right = 0, next[2];
	while (right < stances->count && stances->items[right].side == 0)
	{
		++right;
	}
	next[0] = right;
	next[1] = 0;
	for (int i = 0; i < stances->count; ++i)
	{
		const Stance* stance = stances->items + i;
		int *other = next + stance->side, end = stance->side == 0 ? stances->count : right;
		while (*other < end && stances->items[*other].last <= stance->last)
		{
			++*other;
		}
		if (*other < end)
		{
			closeGap(takes, stance, stances->items + *other, rests);
		}
	}
}

// What is too short is no contact, unless an end of the motion cuts it.
static void dropShort(const rpStanceTakes* takes, const Stances* stances, rpRestStretches* rests)
{
	int count = 0;
	for (int i = 0; i < stances->count; ++i)
	{
		const rpRestStretch* ball = findPart(stances->items + i, rests, rp_footBall, true);
		stances->items[i].hasBall = ball != NULL && ball->end - ball->start >= takes->shortest;
	}
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* rest = rests->items + i;
		double length = rest->end - rest->start;
		bool isCut = rest->first == 0 || rest->last == takes->feet->frameCount - 1;
		if (length >= getShortest(takes, stances->items + rest->stance, rest) - ROUNDING ||
			(isCut && length * takes->feet->fps > 1.0))
		{
			rests->items[count++] = *rest;
		}
	}
	rests->count = count;
}

// Begin, end and order of all contacts.
static void timeStances(const rpStanceTakes* takes, const Stances* stances, rpRestStretches* rests)
{
	rpFitAllTouches(takes->feet, rests);
	for (int i = 0; i < rests->count; ++i)
	{
		holdTimes(takes, stances->items + rests->items[i].stance, rests->items + i);
	}
	for (int i = 0; i < stances->count; ++i)
	{
		orderStance(takes, stances->items + i, rests);
	}
	closeGaps(takes, stances, rests);
	dropShort(takes, stances, rests);
}

bool rpListStances(const rpStanceTakes* takes, rpRestStretches* out, rpError* error)
{
	Stances stances = {0};
	bool done = addSide(takes, 0, &stances, out, error) && addSide(takes, 1, &stances, out, error);
	if (done)
	{
		timeStances(takes, &stances, out);
	}
	rpFree(stances.items);
	return done;
}
