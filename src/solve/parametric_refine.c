#include "solve/parametric_refine.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum
{
	/// Moments of a motion that are looked at; steps that are made at most, and how often one is shortened.
	momentCount = 33,
	maxSteps = 12,
	maxHalvings = 4,

	/// Motions that are changed, and what of them; one more is the moment.
	maxMotions = 8,
	maxUnknowns = maxMotions * RP_MAX_SPACE_PARAMETERS + 1,
};

// Parts of boxes by which slopes are measured, and seconds.
#define PROBE 0.02f
#define PROBE_SECONDS 0.02

// So near, in parts of what is allowed, is exact: 6 mm and a third of a degree of the usual.
#define EXACT 0.02

// Of a second: what is asked of motions is in parts of boxes, 0 to 1, and a moment moves by about that.
#define MOMENT_SCALE 0.5

// Damping: a step is short where slopes are small.
#define DAMPING 1e-2

// ---- the moment

// When the last motion alone is seen, and there is time.
static bool findTime(const rpCourse* course, const rpParametricGoDef* def, double* first, double* last)
{
	bool isAlone = rpCourse_FindAlone(course, course->count - 1, first, last);
	*last = fmin(*last, def->maxSeconds);
	return isAlone && *first <= *last;
}

bool rpCourse_FindNearest(const rpCourse* course, const rpParametricGoDef* def, double* seconds, rpGoalMiss* miss)
{
	double first, last;
	int index = course->count - 1;
	*miss = (rpGoalMiss){INFINITY, INFINITY, INFINITY};
	if (!findTime(course, def, &first, &last))
	{
		return false;
	}
	for (int i = 0; i < momentCount; ++i)
	{
		double at = first + (last - first) * i / (momentCount - 1);
		rpGroundTransform root = rpCourse_GetRoot(course, index, at);
		rpGoalMiss own = rpParametricGoDef_Measure(def, root.shift.x, root.shift.z, root.turn);
		if (own.worst < miss->worst)
		{
			*miss = own;
			*seconds = at;
		}
	}
	return true;
}

// ---- steps

/// What is to be zero, in parts of what is allowed: along x, along z, heading.
typedef struct Residual
{
	double values[3];
} Residual;

/// An unknown: a part of a motion's box, or (motion -1) the moment.
typedef struct Unknown
{
	int motion, axis;
	Residual slope;
	double change;
} Unknown;

typedef struct Refining
{
	rpCourse* course;
	const rpParametricGoDef* def;
	double seconds;
	Unknown unknowns[maxUnknowns];
	int count;

	/// Of the motions from `first` on.
	rpCourseMotion* kept;
	int first;
} Refining;

static Residual measure(const Refining* own, double seconds)
{
	const rpParametricGoDef* def = own->def;
	rpGroundTransform root = rpCourse_GetRoot(own->course, own->course->count - 1, seconds);
	double turn = def->hasHeading ? (double)(rpWrapAngle(root.turn - def->goal.turn) / def->tolerance) : 0.0;
	return (Residual){{(double)((root.shift.x - def->goal.shift.x) / def->radius),
					   (double)((root.shift.z - def->goal.shift.z) / def->radius), turn}};
}

static double getSquare(Residual r)
{
	return r.values[0] * r.values[0] + r.values[1] * r.values[1] + r.values[2] * r.values[2];
}

static size_t getKeptSize(const Refining* own)
{
	return (size_t)(own->course->count - own->first) * sizeof(rpCourseMotion);
}

static void keep(Refining* own)
{
	memcpy(own->kept, own->course->motions + own->first, getKeptSize(own));
}

static void restore(Refining* own)
{
	memcpy(own->course->motions + own->first, own->kept, getKeptSize(own));
}

static double clampMoment(const Refining* own, double seconds)
{
	double first, last;
	return findTime(own->course, own->def, &first, &last) ? fmin(fmax(seconds, first), last) : seconds;
}

// By differences, towards the middle of the box.
static void findSlope(Refining* own, Unknown* unknown, Residual now)
{
	double probe = PROBE_SECONDS / MOMENT_SCALE;
	Residual other;
	if (unknown->motion < 0)
	{
		probe = clampMoment(own, own->seconds + PROBE_SECONDS) > own->seconds ? probe : -probe;
		other = measure(own, own->seconds + probe * MOMENT_SCALE);
	}
	else
	{
		float* part = &own->course->motions[unknown->motion].part[unknown->axis];
		probe = *part < 0.5f ? (double)PROBE : -(double)PROBE;
		*part += (float)probe;
		bool isThere = rpCourse_LayAgain(own->course, unknown->motion);
		other = isThere ? measure(own, own->seconds) : now;
		restore(own);
	}
	for (int k = 0; k < 3; ++k)
	{
		unknown->slope.values[k] = (other.values[k] - now.values[k]) / probe;
	}
}

// Solve for three unknowns by elimination; the matrix is symmetric and positive.
static void solve(double a[3][3], double b[3])
{
	for (int i = 0; i < 3; ++i)
	{
		for (int j = i + 1; j < 3; ++j)
		{
			double factor = a[j][i] / a[i][i];
			for (int k = i; k < 3; ++k)
			{
				a[j][k] -= factor * a[i][k];
			}
			b[j] -= factor * b[i];
		}
	}
	for (int i = 2; i >= 0; --i)
	{
		for (int k = i + 1; k < 3; ++k)
		{
			b[i] -= a[i][k] * b[k];
		}
		b[i] /= a[i][i];
	}
}

// How far an unknown may change.
static void getRoom(const Refining* own, const Unknown* unknown, double* low, double* high)
{
	if (unknown->motion >= 0)
	{
		double part = (double)own->course->motions[unknown->motion].part[unknown->axis];
		*low = -part;
		*high = 1.0 - part;
		return;
	}
	*low = (clampMoment(own, own->seconds - 1.0) - own->seconds) / MOMENT_SCALE;
	*high = (clampMoment(own, own->seconds + 1.0) - own->seconds) / MOMENT_SCALE;
}

// The smallest change that takes the residual to zero, as far as slopes say so: J' (J J' + damping)^-1 r. What would
// leave its box stays at the end of it, and the others do the rest.
static void findChange(Refining* own, Residual now)
{
	bool isFixed[maxUnknowns] = {false};
	for (int round = 0; round < own->count; ++round)
	{
		double a[3][3] = {{DAMPING, 0.0, 0.0}, {0.0, DAMPING, 0.0}, {0.0, 0.0, DAMPING}};
		double b[3] = {-now.values[0], -now.values[1], -now.values[2]};
		bool isMore = false;
		for (int u = 0; u < own->count; ++u)
		{
			const double* slope = own->unknowns[u].slope.values;
			for (int i = 0; i < 9; ++i)
			{
				a[i / 3][i % 3] += isFixed[u] ? 0.0 : slope[i / 3] * slope[i % 3];
			}
			for (int i = 0; i < 3; ++i)
			{
				b[i] -= isFixed[u] ? slope[i] * own->unknowns[u].change : 0.0;
			}
		}
		solve(a, b);
		for (int u = 0; u < own->count; ++u)
		{
			Unknown* unknown = &own->unknowns[u];
			const double* slope = unknown->slope.values;
			if (!isFixed[u])
			{
				double low, high, change = slope[0] * b[0] + slope[1] * b[1] + slope[2] * b[2];
				getRoom(own, unknown, &low, &high);
				unknown->change = fmin(fmax(change, low), high);
				isFixed[u] = unknown->change != change;
				isMore = isMore || isFixed[u];
			}
		}
		if (!isMore)
		{
			return;
		}
	}
}

// Make the change, or a part of it.
static bool apply(Refining* own, double share)
{
	double seconds = own->seconds;
	int first = own->course->count;
	for (int u = 0; u < own->count; ++u)
	{
		const Unknown* unknown = &own->unknowns[u];
		if (unknown->motion < 0)
		{
			seconds += share * unknown->change * MOMENT_SCALE;
			continue;
		}
		float* part = &own->course->motions[unknown->motion].part[unknown->axis];
		*part = fminf(fmaxf(*part + (float)(share * unknown->change), 0.0f), 1.0f);
		first = unknown->motion < first ? unknown->motion : first;
	}
	bool done = rpCourse_LayAgain(own->course, first);
	own->seconds = done ? clampMoment(own, seconds) : own->seconds;
	return done;
}

// A step, shortened until it comes nearer; false if it never does.
static bool improve(Refining* own, Residual* now)
{
	double before = getSquare(*now), seconds = own->seconds, share = 1.0;
	for (int u = 0; u < own->count; ++u)
	{
		findSlope(own, &own->unknowns[u], *now);
	}
	findChange(own, *now);
	for (int i = 0; i <= maxHalvings; ++i, share *= 0.5)
	{
		bool done = apply(own, share);
		Residual after = measure(own, own->seconds);
		if (done && getSquare(after) < 0.98 * before)
		{
			*now = after;
			keep(own);
			return true;
		}
		restore(own);
		own->seconds = seconds;
	}
	return false;
}

static void listUnknowns(Refining* own)
{
	const rpParametricGraph* graph = own->course->model->graph;
	own->first = own->course->count > maxMotions ? own->course->count - maxMotions : 0;
	for (int i = own->first; i < own->course->count; ++i)
	{
		int count = graph->nodes[own->course->motions[i].motion.clip.node].space->parameterCount;
		for (int k = 0; k < count; ++k)
		{
			own->unknowns[own->count++] = (Unknown){.motion = i, .axis = k};
		}
	}
	own->unknowns[own->count++] = (Unknown){.motion = -1};
}

bool rpCourse_Refine(rpCourse* course, const rpParametricGoDef* def, double* seconds, rpGoalMiss* miss, rpError* error)
{
	Refining own = {.course = course, .def = def};
	if (!rpCourse_FindNearest(course, def, &own.seconds, miss))
	{
		return true;
	}
	listUnknowns(&own);
	own.kept = rpAllocate((size_t)(course->count - own.first), sizeof(rpCourseMotion), error);
	if (own.kept == NULL)
	{
		return false;
	}
	keep(&own);
	Residual now = measure(&own, own.seconds);
	for (int i = 0; i < maxSteps && getSquare(now) > EXACT * EXACT && improve(&own, &now); ++i)
	{
	}
	rpFree(own.kept);
	rpGroundTransform root = rpCourse_GetRoot(course, course->count - 1, own.seconds);
	*seconds = own.seconds;
	*miss = rpParametricGoDef_Measure(def, root.shift.x, root.shift.z, root.turn);
	return true;
}
