#include "demo_spaces.h"

#include "play_run.h"

#include <math.h>
#include <string.h>

enum
{
	speedCount = 3,
	turnCount = 5,
	strideCount = speedCount * turnCount,

	heightCount = 3,
	punchCount = heightCount * 2 * 2,
	maxExamples = strideCount,
};

/// What a space is built of while it is.
typedef struct Examples
{
	rpMotion* motions[maxExamples];
	rpMatch matches[maxExamples];
	int count;
} Examples;

// A place in an act's range: 0 its low end, 1 its high one.
static float getAt(rpAct act, rpParameter parameter, int index, int count)
{
	rpParameterRange range = {0};
	rpAct_GetRange(act, parameter, &range);
	return range.low + (range.high - range.low) * (float)index / (float)(count - 1);
}

static rpMotion* addExample(Examples* examples, const rpPerformDef* def, rpError* error)
{
	char name[40];
	int index = examples->count++;
	rpMotion* motion = rpPerform(def, error);
	examples->motions[index] = motion;
	snprintf(name, sizeof name, "%s-%d", rpAct_GetName(def->act), index + 1);
	return motion != NULL && rpMotion_SetName(motion, name, error) ? motion : NULL;
}

// Samples that are enough: punches are 0.2 tolerances off on the average then, and 0.1 with three times as many, which
// take a second more.
#define SAMPLES 200

static rpSpace* build(Examples* examples, bool isMade, const char* features, double margin, rpError* error)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = features;
	def.margin = margin;
	def.maxSamples = SAMPLES;
	rpSpace* space = isMade ? rpBuildSpace((const rpMotion* const*)examples->motions, examples->count,
										   examples->matches, examples->count, &def, NULL, NULL, error)
							: NULL;
	for (int i = 0; i < examples->count; ++i)
		rpDestroyMotion(examples->motions[i]);
	return space;
}

// ---- strides

// The first time from a time on at which the left heel strikes.
static double findStrike(const rpMotion* motion, double from)
{
	const rpAnnotations* notes = &motion->annotations;
	double found = rpMotion_GetDuration(motion);
	for (int i = notes->eventCount - 1; i >= 0; --i)
		if (strcmp(notes->events[i].name, "heel_strike_left") == 0 && notes->events[i].time >= from)
			found = notes->events[i].time;
	return found;
}

// Ways over the floor are measured with what is around a stride (reprise/feature.h).
#define STRIDE_MARGIN 0.5

rpSpace* cliMakeStrides(rpError* error)
{
	static const float speeds[speedCount] = {0.9f, 1.3f, 1.7f};
	Examples examples = {0};
	bool done = true;
	for (int i = 0; i < strideCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = 5.0;
		def.parameters[rp_paramSpeed] = speeds[i / turnCount];
		def.parameters[rp_paramTurn] = getAt(rp_actWalk, rp_paramTurn, i % turnCount, turnCount);
		const rpMotion* walk = addExample(&examples, &def, error);
		double start = walk != NULL ? findStrike(walk, STRIDE_MARGIN) : 0.0;
		examples.matches[i] =
			(rpMatch){.stretch = {i, false, start, walk != NULL ? findStrike(walk, start + 0.1) : 0.0}, .parent = -1};
		done = walk != NULL;
	}
	return build(&examples, done, "turn,speed", STRIDE_MARGIN, error);
}

// ---- punches

rpSpace* cliMakePunches(rpError* error)
{
	Examples examples = {0};
	bool done = true;
	for (int i = 0; i < punchCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actPunch);
		def.parameters[rp_paramHeight] = getAt(rp_actPunch, rp_paramHeight, i / 4, heightCount);
		def.parameters[rp_paramReach] = getAt(rp_actPunch, rp_paramReach, i / 2 % 2, 2);
		def.parameters[rp_paramSide] = getAt(rp_actPunch, rp_paramSide, i % 2, 2);
		const rpMotion* punch = addExample(&examples, &def, error);
		double end = punch != NULL ? rpMotion_GetDuration(punch) : 0.0;
		examples.matches[i] = (rpMatch){.stretch = {i, false, 0.0, end}, .parent = -1};
		done = punch != NULL;
	}
	return build(&examples, done, "right_wrist@hit", 0.0, error);
}

// ---- motions of them

/// What a motion is asked for, as shares of the ranges.
typedef struct Orders
{
	const float (*shares)[RP_MAX_SPACE_PARAMETERS];
	int count;
	double seconds;
} Orders;

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	const Orders* orders = context;
	const rpSpaceParameter* parameter;
	int at = (int)fmin(time / orders->seconds, orders->count - 1);
	*out = (rpPlayerInput){.space.isGiven = true};
	for (int i = 0; (parameter = rpPlayer_GetParameter(player, 0, i)) != NULL; ++i)
		out->space.values[i] = parameter->low + orders->shares[at][i] * (parameter->high - parameter->low);
	return true;
}

static rpMotion* playSpace(cliRun* run, rpSpace* space, const Orders* orders, rpError* error)
{
	cliPlay play = {.def = rpDefaultPlayerDef()};
	rpRecordDef def = rpDefaultRecordDef();
	size_t size;
	play.bytes = space != NULL ? rpWriteSpaceBundle(space, &size, error) : NULL;
	play.bundle = play.bytes != NULL ? rpCreateBundle(play.bytes, size, error) : NULL;
	play.player = play.bundle != NULL ? rpCreatePlayer(play.bundle, &play.def, error) : NULL;
	def.seconds = orders->count * orders->seconds;
	def.steer = steer;
	def.context = (void*)(uintptr_t)orders;
	if (play.player == NULL || !rpRecordPlayer(play.player, &def, &play.recording, error))
		cliFailWork(run, error);
	rpMotion* motion = play.recording.motion;
	play.recording.motion = NULL;
	cliFreePlay(&play);
	rpDestroySpace(space);
	return motion;
}

rpMotion* cliWindStrides(cliRun* run)
{
	static const float shares[][RP_MAX_SPACE_PARAMETERS] = {{0.5f, 0.2f}, {0.95f, 0.4f}, {0.2f, 0.6f}, {0.5f, 0.9f}};
	rpError error = {0};
	return playSpace(run, cliMakeStrides(&error), &(Orders){shares, 4, 2.2}, &error);
}

rpMotion* cliPunchAround(cliRun* run)
{
	static const float shares[][RP_MAX_SPACE_PARAMETERS] = {
		{0.5f, 0.5f, 0.7f}, {0.2f, 0.85f, 0.5f}, {0.8f, 0.15f, 0.6f}};
	rpError error = {0};
	return playSpace(run, cliMakePunches(&error), &(Orders){shares, 3, 3.2}, &error);
}
