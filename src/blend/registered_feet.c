/// The footholds of a blend: constraints in stance, as Safonova & Hodgins (2005, section 5.3.1) have it.
///
/// While a foot rests, its position and orientation are the weighted mean of those of the motions, taken with weights
/// and placements that are held for as long as it rests: so it rests if theirs do. The feet room bends the legs for it.
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "feet/feet_track.h"
#include "feet/foot_goals.h"
#include "reprise/play/blend.h"

// A point is kept where it rests for this long before and after it does, seconds; twice as long away not at all.
// Contacts of each motion are right to within what feet are gripped by, so those of two differ by twice as much.
#define HOLD (2.0 * RP_SOFT_SECONDS)

// With less weight on all other motions together, a motion begins to come back as it is.
#define SMALL_SHARE 0.1

/// What one call works with.
typedef struct Footing
{
	const rpBlendWork* work;

	/// [frameCount * rp_legCount]
	rpFootGoal* goals;

	/// [frameCount]
	rpVec3* centers;
	bool* isFlight;

	/// [motionCount]
	rpQuat* turns;
	float* weights;
} Footing;

/// A stretch of phases in which one foot rests, and what is held in it.
typedef struct Rest
{
	int side;
	int firstPhase, lastPhase;
	const rpPlacement* placements;
	const double* weights;

	/// The point that the foot rolls about, and what keeps it from jumping where that changes.
	int pivot;
	rpVec3 shift;

	/// How much the point is kept where it rests while it does not yet, or no longer, rest in all motions: 1, and less
	/// where one motion has nearly all the weight, which must come back as it is.
	float hold;
} Rest;

// ---- where a resting foot is

static rpFootSample getFoot(const rpBlendWork* work, int motion, int side, double seconds)
{
	const rpMotion* m = work->registration->motions[motion];
	double place = fmin(fmax(seconds * m->fps, 0.0), m->frameCount - 1);
	int frame = (int)place, next = frame + 1 < m->frameCount ? frame + 1 : frame;
	float t = (float)(place - frame);
	rpFootSample a = work->tracks[motion].feet[frame * rp_legCount + side];
	rpFootSample b = work->tracks[motion].feet[next * rp_legCount + side];
	a.ankle.p = rpLerp(a.ankle.p, b.ankle.p, t);
	a.ankle.q = rpSlerp(a.ankle.q, b.ankle.q, t);
	a.sole[rp_heelBears] = rpLerp(a.sole[rp_heelBears], b.sole[rp_heelBears], t);
	a.sole[rp_ballBears] = rpLerp(a.sole[rp_ballBears], b.sole[rp_ballBears], t);
	return a;
}

// Where a point of the sole is, or where it will rest or has rested if it does not now: on the floor, not in height.
static rpVec3 getSole(const Footing* f, const Rest* rest, int motion, int pivot, double seconds, rpVec3 sole)
{
	const rpAnnotations* notes = &f->work->registration->motions[motion]->annotations;
	double start = rpBlendWork_GetTime(f->work, motion, f->work->phases[rest->firstPhase].start);
	double end = rpBlendWork_GetTime(f->work, motion, f->work->phases[rest->lastPhase].end);
	double best = 0.0, moment = seconds;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* c = notes->intervals + i;
		double shared = fmin(c->end, end) - fmax(c->start, start);
		if (c->track == rp_trackContact && c->effector == rpBearers[rest->side][pivot] && shared > best)
		{
			best = shared;
			moment = fmin(fmax(seconds, c->start), c->end);
		}
	}
	if (moment == seconds)
	{
		return sole;
	}
	rpVec3 held = getFoot(f->work, motion, rest->side, moment).sole[pivot];
	held.y = sole.y;
	double away = (fabs(moment - seconds) - HOLD) / HOLD;
	return rpLerp(sole, held, rest->hold * (1.0f - rpSmoothstepFloat((float)away)));
}

// The mean of the motions' feet, about a point of the sole; the point's own shift is not added.
static rpTransform getMeanFoot(const Footing* f, const Rest* rest, int pivot, double seconds)
{
	rpVec3 place = rpVec3_zero, arm = rpVec3_zero;
	int count = f->work->motionCount;
	for (int i = 0; i < count; ++i)
	{
		const rpPlacement* placement = rest->placements + i;
		double time = rpBlendWork_GetTime(f->work, i, seconds);
		rpFootSample foot = getFoot(f->work, i, rest->side, time);
		rpVec3 sole = getSole(f, rest, i, pivot, time, foot.sole[pivot]);
		rpVec3 local = rpRotate(rpConjugate(foot.ankle.q), rpSub(foot.sole[pivot], foot.ankle.p));
		f->weights[i] = (float)rest->weights[i];
		f->turns[i] = rpMulQuat(rpYaw((float)placement->heading), foot.ankle.q);
		place = rpMulAdd(place, f->weights[i], rpPlacement_Apply(placement, sole));
		arm = rpMulAdd(arm, f->weights[i], local);
	}
	rpQuat turn = rpMeanQuat(f->turns, f->weights, count);
	return (rpTransform){rpSub(place, rpRotate(turn, arm)), turn};
}

static rpTransform getRestingFoot(const Footing* f, const Rest* rest, double seconds)
{
	rpTransform foot = getMeanFoot(f, rest, rest->pivot, seconds);
	foot.p = rpAdd(foot.p, rest->shift);
	return foot;
}

static unsigned getBearing(const rpBlendWork* work, int phase, int side)
{
	return rpGetBearing(side, work->phases[phase].contacts);
}

// Roll about a point that rests in all motions, the one so far if it does. Where neither does, or nothing is known, the
// contacts of the phase decide.
static int choosePivot(const Footing* f, const Rest* rest, int phase, double seconds)
{
	unsigned bits = getBearing(f->work, phase, rest->side);
	bool heel = rpBlendWork_IsResting(f->work, rpBearers[rest->side][rp_heelBears], seconds);
	bool ball = rpBlendWork_IsResting(f->work, rpBearers[rest->side][rp_ballBears], seconds);
	if (heel != ball)
	{
		return heel ? rp_heelBears : rp_ballBears;
	}
	return (bits >> rest->pivot) & 1u ? rest->pivot : bits == 1u << rp_heelBears ? rp_heelBears : rp_ballBears;
}

static void setPivot(const Footing* f, Rest* rest, int pivot, double seconds)
{
	if (pivot != rest->pivot)
	{
		rpTransform old = getRestingFoot(f, rest, seconds), new = getMeanFoot(f, rest, pivot, seconds);
		rest->shift = rpSub(old.p, new.p);
		rest->pivot = pivot;
	}
}

static void plantFrames(const Footing* f, Rest* rest)
{
	const rpBlendWork* work = f->work;
	double start = work->phases[rest->firstPhase].start, end = work->phases[rest->lastPhase].end;
	bool isLast = rest->lastPhase + 1 == work->phaseCount;
	rest->pivot = choosePivot(f, rest, rest->firstPhase, start);
	int frame = (int)ceil(start * work->fps - 1e-9);
	for (; frame < work->frameCount && (isLast || frame / work->fps < end - 1e-9); ++frame)
	{
		int index = frame * rp_legCount + rest->side;
		double seconds = fmin(frame / work->fps, end);
		setPivot(f, rest, choosePivot(f, rest, rpBlendWork_FindPhase(work, seconds), seconds), seconds);
		f->goals[index] = (rpFootGoal){true, getRestingFoot(f, rest, seconds)};
	}
}

static float getHold(const double* weights, int count)
{
	double heaviest = 0.0;
	for (int i = 0; i < count; ++i)
	{
		heaviest = fmax(heaviest, weights[i]);
	}
	return rpSmoothstepFloat((float)((1.0 - heaviest) / SMALL_SHARE));
}

static void plantSide(const Footing* f, int side)
{
	const rpBlendWork* work = f->work;
	for (int phase = 0; phase < work->phaseCount; ++phase)
	{
		if (getBearing(work, phase, side) == 0)
		{
			continue;
		}
		Rest rest = {.side = side, .firstPhase = phase, .lastPhase = phase, .pivot = rp_ballBears};
		while (rest.lastPhase + 1 < work->phaseCount && getBearing(work, rest.lastPhase + 1, side) != 0)
		{
			++rest.lastPhase;
		}
		double middle = 0.5 * (work->phases[phase].start + work->phases[rest.lastPhase].end);
		int frame = (int)fmin(floor(middle * work->fps + 0.5), work->frameCount - 1);
		rest.placements = work->placements + (size_t)frame * (size_t)work->motionCount;
		rest.weights = work->frameWeights + (size_t)frame * (size_t)work->motionCount;
		rest.hold = getHold(rest.weights, work->motionCount);
		plantFrames(f, &rest);
		phase = rest.lastPhase;
	}
}

// ---- all of it

static bool allocateFooting(Footing* f, rpError* error)
{
	size_t frameCount = (size_t)f->work->frameCount, motionCount = (size_t)f->work->motionCount;
	f->goals = rpAllocateZero(frameCount * rp_legCount, sizeof(rpFootGoal), error);
	f->centers = rpAllocate(frameCount, sizeof(rpVec3), error);
	f->isFlight = rpAllocate(frameCount, sizeof(bool), error);
	f->turns = rpAllocate(motionCount, sizeof(rpQuat), error);
	f->weights = rpAllocate(motionCount, sizeof(float), error);
	return f->goals != NULL && f->centers != NULL && f->isFlight != NULL && f->turns != NULL && f->weights != NULL;
}

static void setGoals(const Footing* f)
{
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (f->work->rig.legs[side].isThere)
		{
			plantSide(f, side);
		}
	}
	for (int frame = 0; frame < f->work->frameCount; ++frame)
	{
		int phase = rpBlendWork_FindPhase(f->work, frame / f->work->fps);
		f->centers[frame] = rpBlendWork_GetMeanCenter(f->work, frame, phase);
		f->isFlight[frame] = f->work->phases[phase].isFlight;
	}
}

bool rpBlendWork_PlantFeet(const rpBlendWork* work, rpMotion* result, float* miss, rpError* error)
{
	Footing f = {.work = work};
	bool done = allocateFooting(&f, error);
	if (done)
	{
		setGoals(&f);
		rpFootGoals goals = {&work->rig, &work->body, f.goals, f.centers, f.isFlight};
		done = rpReachFootGoals(&goals, result, miss, error);
	}
	rpFree(f.goals);
	rpFree(f.centers);
	rpFree(f.isFlight);
	rpFree(f.turns);
	rpFree(f.weights);
	return done;
}
