/// Whether somebody steps, does something else or stands still, decided by labels, contacts, travel and periodicity.
#include "analysis/landings.h"

#include <ctype.h>

// The time to both sides that is looked at, seconds; and for the period of the legs, which are sampled so often.
#define HALF_WINDOW 1.0
#define SWING_HALF_WINDOW 1.5
#define SWING_RATE 30.0

// Periods of strides, seconds.
#define SHORTEST_PERIOD 0.4
#define LONGEST_PERIOD 1.6

// Feet that land within this time land together, seconds: a jump, no step.
#define SAME_LANDING 0.06

// Someone who goes this fast, m/s, by a step, or turns this fast, rad/s, by two is stepping; so is someone on the spot
// with legs that swing as a walker's do (by this difference of the thighs' directions) and repeat themselves this well.
#define MIN_SPEED 0.4f
#define MIN_TURN 0.35f
#define MIN_SWING 0.25f
#define MIN_PERIODICITY 0.8f

// Without steps: slower than this is standing, rad/s.
#define STILL_STIR 0.35f

static const char* const s_names[rp_activityCount] = {
	[rp_activityStill] = "still",
	[rp_activityStepping] = "stepping",
	[rp_activityOther] = "other",
};

const char* rpActivity_GetName(rpActivity activity)
{
	return s_names[activity];
}

// ---- labels

// The first word that a label begins one of its own with decides: what is done on foot before what one does with the
// feet, so that a dance that turns is a dance.
static const char* const s_otherWords[] = {"box",  "punch",   "kick",  "danc",   "wav",   "gestur", "reach", "pick",
										   "put",  "duck",    "sit",   "rise",   "throw", "fight",  "tai",   "chi",
										   "talk", "stretch", "swing", "strike", "salsa", "clap",   "drink"};
static const char* const s_stepWords[] = {"walk",   "run",   "jog",   "sprint", "march", "sneak", "tiptoe",
										  "turn",   "strid", "pace",  "stroll", "creep", "step",  "backw",
										  "sidest", "skip",  "hurry", "climb",  "limp",  "strut", "stagger"};
static const char* const s_stillWords[] = {"stand", "idl", "rest", "still", "wait"};

static bool beginsWord(const char* label, const char* const* words, size_t count)
{
	for (const char* at = label; *at != '\0'; ++at)
	{
		bool isStart = at == label || !isalpha((unsigned char)at[-1]);
		for (size_t i = 0; isStart && i < count; ++i)
		{
			size_t k = 0;
			while (words[i][k] != '\0' && tolower((unsigned char)at[k]) == words[i][k])
			{
				++k;
			}
			if (words[i][k] == '\0')
			{
				return true;
			}
		}
	}
	return false;
}

#define BEGINS(label, words) beginsWord(label, words, sizeof(words) / sizeof(words[0]))

static rpActivity readLabel(const char* label)
{
	return BEGINS(label, s_otherWords)   ? rp_activityOther
		   : BEGINS(label, s_stepWords)  ? rp_activityStepping
		   : BEGINS(label, s_stillWords) ? rp_activityStill
										 : rp_activityCount;
}

// What the labels of a moment say, rp_activityCount if nothing. Of several, a label that steps goes first.
static rpActivity readLabels(const rpMotion* motion, double seconds)
{
	rpActivity found = rp_activityCount;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == rp_trackLabel && interval->start <= seconds && interval->end > seconds)
		{
			rpActivity activity = readLabel(interval->name);
			bool isStronger = found == rp_activityCount || activity == rp_activityStepping || found == rp_activityStill;
			found = activity != rp_activityCount && isStronger ? activity : found;
		}
	}
	return found;
}

// ---- steps

enum
{
	maxLandings = 64,
};

static int countSteps(const rpMotion* motion, double start, double end)
{
	rpLanding landings[maxLandings];
	int count = rpListLandings(motion, start, end, landings, maxLandings), steps = 0;
	for (int i = 1; i < count; ++i)
	{
		steps += landings[i].foot != landings[i - 1].foot && landings[i].time - landings[i - 1].time > SAME_LANDING;
	}
	return steps;
}

// ---- travel, stir, swing

static void measureTravel(const rpMotion* motion, double start, double end, rpActivityReport* report)
{
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	if (last <= first)
	{
		return;
	}
	float seconds = (float)((last - first) / motion->fps), turned = 0.0f,
		  before = rpMotion_GetGround(motion, first).turn;
	int step = (int)fmax(motion->fps / SWING_RATE, 1.0);
	for (int frame = first + step; frame <= last; frame += step)
	{
		float turn = rpMotion_GetGround(motion, frame).turn;
		turned += rpWrapAngle(turn - before);
		before = turn;
	}
	rpVec3 displacement = rpSub(motion->rootPositions[last], motion->rootPositions[first]);
	report->speed = hypotf(displacement.x, displacement.z) / seconds;
	report->turn = turned / seconds;
}

static float measureStir(const rpMotion* motion, double start, double end)
{
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	int step = (int)fmax(motion->fps / SWING_RATE, 1.0), count = 0;
	double sum = 0.0;
	for (int frame = first + step; frame <= last; frame += step)
	{
		const rpQuat *p = rpMotion_GetRotations(motion, frame - step), *q = rpMotion_GetRotations(motion, frame);
		for (int joint = 0; joint < motion->skeleton->jointCount; ++joint)
		{
			sum += (double)rpAngleBetween(p[joint], q[joint]);
			++count;
		}
	}
	return count > 0 ? (float)(sum / count * motion->fps / step) : 0.0f;
}

// How much further the left thigh points forward than the right one.
static float getSwing(const rpMotion* motion, int frame, rpTransform* world)
{
	const int* roles = motion->skeleton->roles;
	rpMotion_Forward(motion, frame, world);
	rpVec3 left = rpNormalize(rpSub(world[roles[rp_roleLeftKnee]].p, world[roles[rp_roleLeftHip]].p));
	rpVec3 right = rpNormalize(rpSub(world[roles[rp_roleRightKnee]].p, world[roles[rp_roleRightHip]].p));
	rpVec3 forward = rpRotate(rpYaw(rpMotion_GetGround(motion, frame).turn), (rpVec3){0.0f, 0.0f, 1.0f});
	return rpDot(forward, rpSub(left, right));
}

enum
{
	maxSwings = 128,
};

static double correlate(const double* values, int count, int lag)
{
	double product = 0.0, first = 0.0, second = 0.0;
	for (int i = 0; i + lag < count; ++i)
	{
		product += values[i] * values[i + lag];
		first += values[i] * values[i];
		second += values[i + lag] * values[i + lag];
	}
	return first > 0.0 && second > 0.0 ? product / sqrt(first * second) : 0.0;
}

// The lag of the greatest correlation after the first that is negative: a period, not a moment later.
static void findPeriod(const double* values, int count, rpActivityReport* report)
{
	int last = (int)(LONGEST_PERIOD * SWING_RATE);
	last = last < count * 2 / 3 ? last : count * 2 / 3;
	bool hasTurned = false;
	for (int lag = 1; lag <= last; ++lag)
	{
		double likeness = correlate(values, count, lag);
		hasTurned = hasTurned || likeness < 0.0;
		if (hasTurned && lag >= SHORTEST_PERIOD * SWING_RATE && likeness > (double)report->periodicity)
		{
			report->periodicity = (float)likeness;
			report->period = (float)(lag / SWING_RATE);
		}
	}
}

static void measureSwing(const rpMotion* motion, double seconds, rpActivityReport* report)
{
	const int* roles = motion->skeleton->roles;
	if (roles[rp_roleLeftHip] < 0 || roles[rp_roleRightHip] < 0 || roles[rp_roleLeftKnee] < 0 ||
		roles[rp_roleRightKnee] < 0)
	{
		return;
	}
	rpTransform world[RP_MAX_JOINTS];
	double values[maxSwings], mean = 0.0, square = 0.0;
	int count = 0;
	for (double at = seconds - SWING_HALF_WINDOW; at <= seconds + SWING_HALF_WINDOW && count < maxSwings;
		 at += 1.0 / SWING_RATE)
	{
		if (at >= 0.0 && at <= rpMotion_GetDuration(motion))
		{
			values[count] = (double)getSwing(motion, rpMotion_GetFrame(motion, at), world);
			mean += values[count++];
		}
	}
	for (int i = 0; i < count; ++i)
	{
		values[i] -= mean / count;
		square += values[i] * values[i];
	}
	if (count > 0 && sqrt(square / count) > (double)MIN_SWING)
	{
		findPeriod(values, count, report);
	}
}

// ---- all of it

static rpActivity judge(const rpActivityReport* report, bool hasContacts)
{
	bool goes = report->speed >= MIN_SPEED, turns = fabsf(report->turn) >= MIN_TURN;
	bool repeats = report->periodicity >= MIN_PERIODICITY;
	bool walks = report->stepCount >= 1 && goes, treads = report->stepCount >= 2 && (turns || repeats);
	bool steps = hasContacts ? walks || treads : goes && repeats;
	return steps ? rp_activityStepping : report->stir < STILL_STIR ? rp_activityStill : rp_activityOther;
}

rpActivity rpFindActivity(const rpMotion* motion, double seconds, rpActivityReport* report)
{
	rpActivityReport found = {0};
	double start = fmax(seconds - HALF_WINDOW, 0.0), end = fmin(seconds + HALF_WINDOW, rpMotion_GetDuration(motion));
	rpActivity labelled = readLabels(motion, seconds);
	found.isLabelled = labelled != rp_activityCount;
	if (report != NULL || !found.isLabelled)
	{
		found.stepCount = countSteps(motion, start, end);
		measureTravel(motion, start, end, &found);
		measureSwing(motion, seconds, &found);
		found.stir = measureStir(motion, start, end);
	}
	if (report != NULL)
	{
		*report = found;
	}
	return found.isLabelled ? labelled : judge(&found, rpHasFootContacts(motion));
}
