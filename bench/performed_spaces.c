#include "performed_spaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const PerformedSpace performedSpaces[] = {
	{"walk_turn", rp_actWalk, "turn", {{rp_paramTurn, 0.0f, 1.0f, 11}}, 1, performed_stride},
	{"run_turn", rp_actRun, "turn", {{rp_paramTurn, 0.0f, 1.0f, 11}}, 1, performed_stride},
	{"walk_turn_speed",
	 rp_actWalk,
	 "turn,speed",
	 {{rp_paramTurn, 0.0f, 1.0f, 7}, {rp_paramSpeed, 0.2f, 0.9f, 4}},
	 2,
	 performed_stride},
	{"punch",
	 rp_actPunch,
	 "right_wrist@hit",
	 {{rp_paramHeight, 0.0f, 1.0f, 3}, {rp_paramReach, 0.0f, 1.0f, 3}, {rp_paramSide, 0.0f, 1.0f, 3}},
	 3,
	 performed_whole},
	{"kick",
	 rp_actKick,
	 "right_ankle@hit",
	 {{rp_paramHeight, 0.0f, 1.0f, 3}, {rp_paramReach, 0.0f, 1.0f, 3}, {rp_paramSide, 0.0f, 1.0f, 3}},
	 3,
	 performed_whole},
	{"duck", rp_actDuck, "head.y@lowest", {{rp_paramHeight, 0.0f, 1.0f, 5}}, 1, performed_whole},
	{"sit", rp_actSitDown, "seat_height", {{rp_paramHeight, 0.0f, 1.0f, 5}}, 1, performed_whole},
	{"step_up", rp_actStepUp, "support_height", {{rp_paramHeight, 0.0f, 1.0f, 5}}, 1, performed_whole},
	{"leap", rp_actLeap, "jump_length", {{rp_paramDistance, 0.0f, 1.0f, 5}}, 1, performed_whole},
	{"jump", rp_actJump, "jump_length", {{rp_paramDistance, 0.0f, 1.0f, 6}}, 1, performed_whole},
	{"pick_up",
	 rp_actPickUp,
	 "right_wrist@grasp",
	 {{rp_paramHeight, 0.0f, 1.0f, 3}, {rp_paramReach, 0.0f, 1.0f, 3}, {rp_paramSide, 0.0f, 1.0f, 3}},
	 3,
	 performed_whole},
	{"reach",
	 rp_actReach,
	 "right_wrist@touch",
	 {{rp_paramHeight, 0.0f, 1.0f, 3}, {rp_paramReach, 0.0f, 1.0f, 3}, {rp_paramSide, 0.0f, 1.0f, 3}},
	 3,
	 performed_whole},
};

const int performedSpaceCount = sizeof(performedSpaces) / sizeof(performedSpaces[0]);

// Long enough for two steps with margins after the first ones.
#define STRIDE_SECONDS 6.0
#define FIRST_STRIDE 1.5

static float findValue(const PerformedSpace* space, const PerformedAxis* axis, float along)
{
	rpParameterRange range;
	float share = axis->low + (axis->high - axis->low) * along;
	bool found = rpAct_GetRange(space->act, axis->parameter, &range);
	return found ? range.low + share * (range.high - range.low) : 0.0f;
}

static double findEvent(const rpMotion* motion, const char* name, double after)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, name) == 0 && event->time > after)
		{
			return event->time;
		}
	}
	return NAN;
}

static rpStretch findStretch(const PerformedSpace* space, const rpMotion* motion, int clip)
{
	rpStretch stretch = {.clip = clip, .end = rpMotion_GetDuration(motion)};
	if (space->cut == performed_stride)
	{
		stretch.start = findEvent(motion, "heel_strike_left", FIRST_STRIDE);
		stretch.end = findEvent(motion, "heel_strike_left", stretch.start + 0.1);
	}
	if (space->cut == performed_core)
	{
		stretch.start = findEvent(motion, "core_start", -1.0);
		stretch.end = findEvent(motion, "core_end", stretch.start);
	}
	return stretch;
}

// The example of the grid that is one step nearer to its first corner along its last axis that is not at its start.
static int findParent(const PerformedSpace* space, int index)
{
	int stride = 1;
	for (int k = space->axisCount - 1; k >= 0; --k)
	{
		if (index / stride % space->axes[k].count > 0)
		{
			return index - stride;
		}
		stride *= space->axes[k].count;
	}
	return -1;
}

static rpPerformDef getDef(const PerformedSpace* space, double fps)
{
	rpPerformDef def = rpDefaultPerformDef(space->act);
	rpParameterRange range;
	def.fps = fps;
	// The right hand, the right foot, where there is a choice.
	def.parameters[rp_paramHand] = rpAct_GetRange(space->act, rp_paramHand, &range) ? range.high : 0.0f;
	def.parameters[rp_paramFoot] = rpAct_GetRange(space->act, rp_paramFoot, &range) ? range.high : 0.0f;
	def.seconds = space->cut == performed_stride ? STRIDE_SECONDS : 0.0;
	return def;
}

static bool performOne(const PerformedSpace* space, double fps, int index, PerformedExamples* out, rpError* error)
{
	rpPerformDef def = getDef(space, fps);
	int rest = index;
	for (int k = space->axisCount - 1; k >= 0; --k)
	{
		const PerformedAxis* axis = &space->axes[k];
		def.parameters[axis->parameter] =
			findValue(space, axis, (float)(rest % axis->count) / (float)(axis->count - 1));
		rest /= axis->count;
	}
	rpMotion* motion = out->motions[index] = rpPerform(&def, error);
	if (motion == NULL)
	{
		return false;
	}
	out->matches[index] = (rpMatch){.stretch = findStretch(space, motion, index), .parent = findParent(space, index)};
	++out->count;
	return true;
}

rpMotion* performedDraw(const PerformedSpace* space, rpRandom* random, double fps, rpStretch* stretch)
{
	rpPerformDef def = getDef(space, fps);
	for (int k = 0; k < space->axisCount; ++k)
	{
		def.parameters[space->axes[k].parameter] =
			findValue(space, &space->axes[k], rpRandom_Range(random, 0.0f, 1.0f));
	}
	rpMotion* motion = rpPerform(&def, NULL);
	*stretch = motion != NULL ? findStretch(space, motion, 0) : (rpStretch){0};
	return motion;
}

bool performedMake(const PerformedSpace* space, double fps, PerformedExamples* out, rpError* error)
{
	int count = 1;
	for (int k = 0; k < space->axisCount; ++k)
	{
		count *= space->axes[k].count;
	}
	*out = (PerformedExamples){calloc((size_t)count, sizeof(rpMotion*)), calloc((size_t)count, sizeof(rpMatch)), 0};
	bool done = out->motions != NULL && out->matches != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		done = performOne(space, fps, i, out, error);
	}
	return done;
}

void performedFree(PerformedExamples* examples)
{
	for (int i = 0; i < examples->count; ++i)
	{
		rpDestroyMotion(examples->motions[i]);
	}
	free(examples->motions);
	free(examples->matches);
}
