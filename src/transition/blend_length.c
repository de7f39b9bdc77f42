/// How long a transition takes: J. Wang's thesis, chapter V. Rules, room in the clips, and what is reported; the
/// windows that are compared are in blend_window.c, time-warped lengths in blend_warp.c and blend_time_path.c.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/same_body.h"
#include "transition/blend_rules.h"

#include <string.h>

// Blends anchored at their centre, and those of the velocity rule, are never shorter, seconds.
#define SHORTEST_FADE 0.1

// A moment may be this much outside, in frames, from rounding.
#define FRAME_SLACK 1e-3

static const char* const s_rules[rp_lengthRuleCount] = {
	[rp_lengthAuto] = "auto", [rp_lengthGeodesic] = "geodesic", [rp_lengthVelocity] = "velocity",
	[rp_lengthWarp] = "warp", [rp_lengthDynamic] = "dynamic",   [rp_lengthFixed] = "fixed",
};

const char* rpLengthRule_GetName(rpLengthRule rule)
{
	return s_rules[rule];
}

rpLengthRule rpLengthRule_Find(const char* name)
{
	int rule = 0;
	while (rule < rp_lengthRuleCount && strcmp(s_rules[rule], name) != 0)
	{
		++rule;
	}
	return (rpLengthRule)rule;
}

rpBlendLengthDef rpDefaultBlendLengthDef(void)
{
	return (rpBlendLengthDef){
		.rule = rp_lengthAuto,
		.anchor = rp_anchorCentre,
		.fps = 30.0,
		.shortest = 1.0 / 30.0,
		.longest = 2.0,
		.centreRatio = 1.2,
		.centreFloor = 0.02,
		.centreLongest = 0.5,
		.slowest = 1.0,
		.steepest = 2,
	};
}

void rpBlendLength_Free(rpBlendLength* length)
{
	rpFree(length->lengths);
	rpFree(length->costs);
	rpFree(length->joints);
	rpFree(length->jointCosts);
	rpFree(length->fromTimes);
	rpFree(length->toTimes);
	*length = (rpBlendLength){0};
}

// ---- what was asked

static bool checkDef(const rpBlendLengthDef* def, rpError* error)
{
	if ((unsigned)def->rule >= rp_lengthRuleCount || (unsigned)def->anchor >= rp_transitionAnchorCount)
	{
		return rpFail(error, rp_errorArgument, "there is no rule %d with anchor %d", (int)def->rule, (int)def->anchor);
	}
	if ((def->rule == rp_lengthWarp || def->rule == rp_lengthDynamic) && def->anchor != rp_anchorEnds)
	{
		rpFail(error, rp_errorArgument, "a time-warped blend is given by its start and its end, not by its centre");
		rpError_SetHint(error, "align the ends");
		return false;
	}
	if (!(def->fps > 0.0 && def->fps <= 1000.0) || !(def->shortest >= 0.0) || !(def->longest >= def->shortest) ||
		!(def->longest * def->fps <= 600.0) || !(def->centreRatio >= 1.0) || !(def->centreFloor >= 0.0) ||
		!(def->centreLongest >= 0.0) || !(def->slowest > 0.0) || def->steepest < 1)
	{
		return rpFail(error, rp_errorArgument, "a blend of %g to %g s in steps of 1/%g s; at most 600 are looked at",
					  def->shortest, def->longest, def->fps);
	}
	return def->rule != rp_lengthFixed || (def->seconds >= 0.0 && isfinite(def->seconds)) ||
		   rpFail(error, rp_errorArgument, "a blend of %g s", def->seconds);
}

static bool checkMoment(const rpMotion* motion, double* seconds, rpError* error)
{
	double duration = rpMotion_GetDuration(motion), slack = FRAME_SLACK / motion->fps;
	if (!(*seconds >= -slack && *seconds <= duration + slack))
	{
		return rpFail(error, rp_errorArgument, "the moment %.3f s lies outside \"%s\", which lasts %.3f s", *seconds,
					  motion->name, duration);
	}
	*seconds = rpMotion_GetFrame(motion, *seconds) / motion->fps;
	return true;
}

// Any number that is not finite makes the costs of its samples so.
static bool checkCurve(const rpLengthTask* task, const rpBlendLength* length, rpError* error)
{
	bool isFinite = true;
	for (int i = 0; i < length->lengthCount; ++i)
	{
		isFinite = isFinite && isfinite(length->costs[i]);
	}
	return isFinite || rpFail(error, rp_errorArgument, "\"%s\" or \"%s\" holds a number that is not finite",
							  task->a->name, task->b->name);
}

// ---- room

// Seconds that a blend may take of a motion.
static double getRoom(const rpMotion* motion, double moment, rpTransitionAnchor anchor, bool isFirst)
{
	double before = moment, after = rpMotion_GetDuration(motion) - moment;
	return anchor == rp_anchorCentre ? 2.0 * fmin(before, after) : isFirst ? after : before;
}

static bool failRoom(const rpMotion* motion, double moment, double missing, double shortest, bool isFirst,
					 rpTransitionAnchor anchor, rpError* error)
{
	const char* where = anchor == rp_anchorCentre ? "around" : isFirst ? "after" : "before";
	rpFail(error, rp_errorArgument,
		   "\"%s\" is too short: the shortest blend, %.3f s, needs %.3f s more %s its moment %.3f s (it lasts %.3f s)",
		   motion->name, shortest, missing, where, moment, rpMotion_GetDuration(motion));
	rpError_SetHint(error, "take a moment further from the %s of the clip",
					anchor == rp_anchorCentre && moment < 0.5 * rpMotion_GetDuration(motion) ? "start"
					: anchor == rp_anchorCentre || isFirst                                   ? "end"
																							 : "start");
	return false;
}

// The steps that there is room for.
static bool findRoom(const rpMotion* motion, double moment, rpLengthTask* task, bool isFirst, int* out, rpError* error)
{
	double room = getRoom(motion, moment, task->def->anchor, isFirst), fps = task->def->fps;
	*out = (int)floor(fmin(room, task->def->longest) * fps + FRAME_SLACK);
	task->isCut |= room < task->def->longest - FRAME_SLACK / fps;
	return *out >= task->shortest || task->rule == rp_lengthFixed ||
		   failRoom(motion, moment, (task->shortest / fps - room) * (task->def->anchor == rp_anchorCentre ? 0.5 : 1.0),
					task->shortest / fps, isFirst, task->def->anchor, error);
}

int rpGetShortestSteps(const rpBlendLengthDef* def, rpLengthRule rule)
{
	bool fades = def->anchor == rp_anchorCentre || rule == rp_lengthVelocity || def->rule == rp_lengthAuto;
	double shortest = fades ? fmax(def->shortest, SHORTEST_FADE) : def->shortest;
	int steps = (int)ceil(shortest * def->fps - FRAME_SLACK);
	return steps > 1 ? steps : 1;
}

// ---- all of it

static rpLengthRule chooseRule(const rpMotion* a, double ta, const rpMotion* b, double tb)
{
	bool steps =
		rpFindActivity(a, ta, NULL) == rp_activityStepping || rpFindActivity(b, tb, NULL) == rp_activityStepping;
	return steps ? rp_lengthGeodesic : rp_lengthVelocity;
}

static void fix(const rpLengthTask* task, rpBlendLength* out)
{
	out->seconds = task->def->seconds;
	out->fromSeconds = out->toSeconds = out->seconds;
}

static bool apply(const rpLengthTask* task, rpBlendLength* out, rpError* error)
{
	switch (task->rule)
	{
	case rp_lengthGeodesic:
		rpLengthTask_FindGeodesic(task, out);
		return true;
	case rp_lengthVelocity:
		rpLengthTask_FindVelocity(task, out);
		return true;
	case rp_lengthFixed:
		fix(task, out);
		return true;
	default:
		return rpLengthTask_FindWarped(task, out, error);
	}
}

// The mean cost at the length that was chosen, where time is not warped.
static double lookUp(const rpBlendLength* length)
{
	int nearest = -1;
	for (int i = 0; i < length->lengthCount; ++i)
	{
		bool isNearer = nearest < 0 ||
						fabs(length->lengths[i] - length->seconds) < fabs(length->lengths[nearest] - length->seconds);
		nearest = isNearer ? i : nearest;
	}
	return nearest >= 0 ? length->costs[nearest] : NAN;
}

bool rpFindBlendLength(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLengthDef* def,
					   rpBlendLength* out, rpError* error)
{
	RP_ASSERT(a != NULL && b != NULL && def != NULL && out != NULL);
	*out = (rpBlendLength){0};
	if (!checkDef(def, error) || !rpCheckSameBody(a, b, "joined", error) || !checkMoment(a, &ta, error) ||
		!checkMoment(b, &tb, error))
	{
		return false;
	}
	rpLengthTask task = {.a = a, .ta = ta, .b = b, .tb = tb, .def = def, .rule = def->rule};
	task.rule = task.rule == rp_lengthAuto ? chooseRule(a, ta, b, tb) : task.rule;
	task.shortest = rpGetShortestSteps(def, task.rule);
	bool done = findRoom(a, ta, &task, true, &task.fromSteps, error) &&
				findRoom(b, tb, &task, false, &task.toSteps, error) &&
				rpBlendWindow_Choose(&task.window, a->skeleton, def->jointWeights, def->metric, error) &&
				rpLengthTask_MakeCurve(&task, out, error) && checkCurve(&task, out, error) && apply(&task, out, error);
	rpBlendWindow_Free(&task.window);
	if (!done)
	{
		rpBlendLength_Free(out);
		return false;
	}
	out->rule = task.rule;
	out->anchor = def->anchor;
	out->joint = task.rule == rp_lengthVelocity ? out->joint : -1;
	out->isCut = task.isCut;
	out->cost = out->keyCount > 0 ? out->cost : lookUp(out);
	return true;
}
