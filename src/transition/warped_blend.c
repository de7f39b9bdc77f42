/// Time-warped blends: which moments belong together, and the transition that plays both motions along that time path.
///
/// With f and g the moments of a and b along the path s, and w the share of b, time passes by dt = (1 - w) df + w dg
/// (as S. I. Park, H. J. Shin & S. Y. Shin, "On-line locomotion generation based on motion blending", 2002, have it),
/// so that each motion has its own speed where it is alone.
#include "align/time_curve.h"
#include "base/assert.h"
#include "base/memory.h"
#include "reprise/edit.h"
#include "transition/blend_rules.h"

// Seconds between the keys of a time path that was found by dynamic programming.
#define KEY_SPACING 0.1

// Steps in which time is integrated along a time path.
enum
{
	mapSteps = 240,
};

// ---- which moments belong together

static bool allocateKeys(rpBlendLength* out, int count, rpError* error)
{
	out->keyCount = count;
	out->fromTimes = rpAllocate((size_t)count, sizeof(double), error);
	out->toTimes = rpAllocate((size_t)count, sizeof(double), error);
	return out->fromTimes != NULL && out->toTimes != NULL;
}

static bool putLine(const rpLengthTask* task, const rpWarpChoice* choice, rpBlendLength* out, rpError* error)
{
	if (!allocateKeys(out, 2, error))
	{
		return false;
	}
	out->fromTimes[0] = task->ta;
	out->fromTimes[1] = task->ta + choice->from / task->def->fps;
	out->toTimes[0] = task->tb - choice->to / task->def->fps;
	out->toTimes[1] = task->tb;
	return true;
}

static bool fitTimeMap(const rpLengthTask* task, const rpWarpChoice* choice, const rpTimePath* path, rpBlendLength* out,
					   rpError* error)
{
	double fps = task->def->fps;
	rpTimeCurve curve = {0};
	rpMatchedMoment* points = rpAllocate((size_t)path->count, sizeof(rpMatchedMoment), error);
	for (int k = 0; points != NULL && k < path->count; ++k)
	{
		points[k] = (rpMatchedMoment){task->ta + path->i[k] / fps, task->tb + (path->j[k] - choice->to) / fps,
									  rpGroundTransform_identity};
	}
	bool done = points != NULL &&
				rpFitTimeCurve(points, path->count, task->a, task->b, KEY_SPACING, (task->def->steepest - 1) / fps,
							   &curve, error) &&
				allocateKeys(out, curve.keyCount, error);
	for (int k = 0; done && k < curve.keyCount; ++k)
	{
		out->fromTimes[k] = curve.times[k];
		out->toTimes[k] = curve.times[curve.keyCount + k];
	}
	rpTimeCurve_Free(&curve);
	rpFree(points);
	return done;
}

static bool putTimeMap(const rpLengthTask* task, const rpWarpChoice* choice, rpBlendLength* out, rpError* error)
{
	float* values = rpBlendWindow_MakeGrid(&task->window, choice->from, choice->to, error);
	rpGridView grid = {values, choice->from + 1, choice->to + 1};
	rpTimePath path = {0};
	bool done = values != NULL && rpFindTimePath(grid, task->def->steepest - 1, &path, error) &&
				fitTimeMap(task, choice, &path, out, error);
	rpTimePath_Free(&path);
	rpFree(values);
	return done;
}

bool rpLengthTask_FindWarped(const rpLengthTask* task, rpBlendLength* out, rpError* error)
{
	rpWarpChoice choice;
	bool isLine = task->rule == rp_lengthWarp;
	if (!(isLine ? rpBlendWindow_FindWarp(&task->window, task->shortest, task->def->steepest, &choice, error)
				 : rpBlendWindow_FindTimePath(&task->window, task->shortest, task->def->steepest - 1, &choice, error)))
	{
		return false;
	}
	// A single diagonal step is a time path without bends.
	bool isShort = choice.from < 2 || choice.to < 2;
	out->fromSeconds = choice.from / task->def->fps;
	out->toSeconds = choice.to / task->def->fps;
	out->seconds = 0.5 * (out->fromSeconds + out->toSeconds);
	out->cost = choice.cost;
	return isLine || isShort ? putLine(task, &choice, out, error) : putTimeMap(task, &choice, out, error);
}

// ---- the transition

/// Time along the path: [mapSteps + 1] each, seconds from the start of the blend and moments of a and b.
typedef struct TimeMap
{
	double times[mapSteps + 1];
	double from[mapSteps + 1];
	double to[mapSteps + 1];
} TimeMap;

static void makeTimeMap(const rpBlendLength* length, TimeMap* map)
{
	int last = length->keyCount - 1;
	double middles[mapSteps + 1];
	rpWarp warp = {length->fromTimes, length->toTimes, length->keyCount, true};
	for (int i = 0; i <= mapSteps; ++i)
	{
		double share = (double)i / mapSteps;
		map->from[i] = length->fromTimes[0] + share * (length->fromTimes[last] - length->fromTimes[0]);
		map->to[i] = i == mapSteps ? length->toTimes[last] : rpWarp_Apply(&warp, map->from[i]);
		middles[i] = map->from[i] + map->to[i];
	}
	map->times[0] = 0.0;
	for (int i = 0; i < mapSteps; ++i)
	{
		double s = (0.5 * (middles[i] + middles[i + 1]) - middles[0]) / (middles[mapSteps] - middles[0]);
		double weight = rpSmoothstep(s);
		map->times[i + 1] =
			map->times[i] + (1.0 - weight) * (map->from[i + 1] - map->from[i]) + weight * (map->to[i + 1] - map->to[i]);
	}
}

// Make the blend last so long.
static void stretchTimeMap(TimeMap* map, double seconds)
{
	double factor = seconds / map->times[mapSteps];
	for (int i = 0; i <= mapSteps; ++i)
	{
		map->times[i] *= factor;
	}
}

// A motion along the path: `start` is the time of the new motion at which the blend starts. Before and after the path
// it goes at its own speed.
static rpMotion* retime(const rpMotion* motion, const TimeMap* map, const double* moments, double start, rpError* error)
{
	double newTimes[mapSteps + 3], oldTimes[mapSteps + 3];
	newTimes[0] = start - 1.0;
	oldTimes[0] = moments[0] - 1.0;
	for (int i = 0; i <= mapSteps; ++i)
	{
		newTimes[i + 1] = start + map->times[i];
		oldTimes[i + 1] = moments[i];
	}
	newTimes[mapSteps + 2] = newTimes[mapSteps + 1] + 1.0;
	oldTimes[mapSteps + 2] = oldTimes[mapSteps + 1] + 1.0;
	return rpRetimeMotion(motion, &(rpWarp){newTimes, oldTimes, mapSteps + 3, false}, error);
}

static rpMotion* makeWarped(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLength* length,
							rpTransitionDef* def, rpTransitionReport* report, rpError* error)
{
	TimeMap map;
	makeTimeMap(length, &map);
	double frames = floor(map.times[mapSteps] * a->fps + 0.5);
	def->seconds = fmax(frames, 1.0) / a->fps;
	stretchTimeMap(&map, def->seconds);
	// b's new time starts with its old one, or within a frame of it, so that frames after the blend are its own.
	double late = floor((def->seconds - length->toSeconds) * b->fps + 1e-6) / b->fps;
	rpMotion* first = retime(a, &map, map.from, ta, error);
	rpMotion* second = retime(b, &map, map.to, tb + late - def->seconds, error);
	rpMotion* result =
		first != NULL && second != NULL ? rpMakeTransition(first, ta, second, tb + late, def, report, error) : NULL;
	rpDestroyMotion(first);
	rpDestroyMotion(second);
	return result;
}

rpMotion* rpMakeBlend(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLength* length,
					  const rpTransitionDef* def, rpTransitionReport* report, rpError* error)
{
	RP_ASSERT(a != NULL && b != NULL && length != NULL);
	rpTransitionDef own = def != NULL ? *def : rpDefaultTransitionDef();
	own.anchor = length->anchor;
	own.seconds = length->seconds;
	if (length->keyCount == 0)
	{
		return rpMakeTransition(a, ta, b, tb, &own, report, error);
	}
	ta = rpMotion_GetFrame(a, ta) / a->fps;
	tb = rpMotion_GetFrame(b, tb) / b->fps;
	rpMotion* result = makeWarped(a, ta, b, tb, length, &own, report, error);
	if (result != NULL && report != NULL)
	{
		report->from = ta;
		report->to = tb;
	}
	return result;
}
