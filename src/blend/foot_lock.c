/// Foot lock over a whole motion: its contacts become plants, the stages run over all frames, the result is measured.
#include "base/error.h"
#include "base/memory.h"
#include "blend/foot_lock_knees.h"
#include "blend/foot_lock_measure.h"
#include "blend/foot_lock_plan.h"
#include "blend/foot_lock_shake.h"
#include "blend/foot_lock_track.h"

#include <string.h>

rpFootLockDef rpDefaultFootLockDef(void)
{
	return (rpFootLockDef){.ease = 0.2, .stretch = 0.03f, .ground = true};
}

// Attempts to slow down knees that have become faster than any in the input; a bit slower, to be on the safe side.
#define KNEE_PASSES 24
#define KNEE_SHARE 0.99f

// Knees below this speed, rad/s, are left alone.
#define SLOW_KNEE 1.0f

/// A motion on its way through the stages.
typedef struct Lock
{
	rpMotion* motion;
	rpFootTrack track;

	/// [frameCount]
	rpTrackSolution* solutions;
	bool isStretched;
} Lock;

static void freeLock(Lock* lock)
{
	rpFree(lock->track.frames);
	rpFree(lock->track.plants);
	rpFree(lock->track.kernel);
	rpFree(lock->solutions);
}

static int countContacts(const rpMotion* motion)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		count += rpIsSoleContact(motion->annotations.intervals + i) ? 1 : 0;
	}
	return count;
}

static bool initLock(Lock* lock, rpMotion* motion, const rpFootLockDef* def, rpError* error)
{
	int contactCount = countContacts(motion);
	lock->motion = motion;
	rpFootTrack* track = &lock->track;
	track->def = *def;
	track->fps = motion->fps;
	track->spans = rpGetTrackSpans(motion->fps, def, 0);
	track->mask = ~0u;
	track->plantMask = ~0u;
	track->capacity = motion->frameCount;
	track->newest = -1;
	track->frames = rpAllocateZero((size_t)motion->frameCount, sizeof(rpTrackFrame), error);
	track->plants = rpAllocate((size_t)contactCount, sizeof(rpPlant), error);
	track->kernel = rpAllocate((size_t)track->spans.smooth + 1, sizeof(float), error);
	lock->solutions = rpAllocate((size_t)motion->frameCount, sizeof(rpTrackSolution), error);
	if (track->frames == NULL || track->plants == NULL || track->kernel == NULL || lock->solutions == NULL)
	{
		return false;
	}
	rpFootTrack_FillKernel(track);
	rpFootTrack_Plan(track, motion);
	return true;
}

static const rpVec3* getTranslations(const rpMotion* motion, int frame)
{
	return motion->translations != NULL ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
										: NULL;
}

static void addFrames(Lock* lock)
{
	const rpMotion* motion = lock->motion;
	rpFootTrack* track = &lock->track;
	// Plants are sorted by their start.
	int next = 0, current[rp_legCount][rp_solePointCount] = {{-1, -1}, {-1, -1}};
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		for (; next < track->plantCount && track->plants[next].first <= frame; ++next)
		{
			current[track->plants[next].side][track->plants[next].point] = next;
		}
		for (int i = 0; i < rp_legCount * rp_solePointCount; ++i)
		{
			int* plant = &current[i / rp_solePointCount][i % rp_solePointCount];
			*plant = *plant >= 0 && track->plants[*plant].last >= frame ? *plant : -1;
		}
		rpFootTrack_Add(track, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame),
						getTranslations(motion, frame), current, false);
	}
}

static void noteSeats(Lock* lock)
{
	const rpMotion* motion = lock->motion;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && contact->effector == rp_seat)
		{
			int end = rpGetEndFrame(motion, contact->end);
			for (int frame = rpGetFirstFrame(motion, contact->start); frame < end; ++frame)
			{
				rpFootTrack_Get(&lock->track, frame)->pushWeight = RP_SEAT_WEIGHT;
			}
		}
	}
}

// Before its first contact a foot is over what it comes to.
static void noteFirstSupports(Lock* lock)
{
	for (int side = 0; side < rp_legCount; ++side)
	{
		int first = 0;
		while (first < lock->motion->frameCount && rpFootTrack_Get(&lock->track, first)->feet[side].support == INFINITY)
		{
			++first;
		}
		for (int i = 0; i < first && first < lock->motion->frameCount; ++i)
		{
			rpFootTrack_Get(&lock->track, i)->feet[side].support =
				rpFootTrack_Get(&lock->track, first)->feet[side].support;
		}
	}
}

static void runStage(Lock* lock, void (*stage)(rpFootTrack*, int))
{
	for (int frame = 0; frame < lock->motion->frameCount; ++frame)
	{
		stage(&lock->track, frame);
	}
}

static void solveFrames(Lock* lock)
{
	for (int frame = 0; frame < lock->motion->frameCount; ++frame)
	{
		rpTrackSolution* solution = lock->solutions + frame;
		rpFootTrack_Solve(&lock->track, frame, lock->motion->rootPositions[frame],
						  rpMotion_GetRotations(lock->motion, frame), getTranslations(lock->motion, frame),
						  lock->track.def.stretch, solution);
		for (int side = 0; side < rp_legCount; ++side)
		{
			lock->isStretched |= lock->track.rig.legs[side].isThere && solution->legs[side].stretch > 0.0f;
		}
	}
}

// Knees that would be faster than any in the input.
static void slowKnees(Lock* lock, float limit)
{
	for (int pass = 0; pass < KNEE_PASSES; ++pass)
	{
		if (!rpSlowKnees(&lock->track, lock->solutions, limit, pass >= KNEE_PASSES / 6))
		{
			break;
		}
		runStage(lock, rpFootTrack_Widen);
		solveFrames(lock);
	}
}

static bool runStages(Lock* lock, rpFootLockReport* report, rpError* error)
{
	addFrames(lock);
	noteSeats(lock);
	noteFirstSupports(lock);
	for (int i = 0; i < lock->track.plantCount; ++i)
	{
		rpFootTrack_AddClearance(&lock->track, lock->track.plants + i);
	}
	runStage(lock, rpFootTrack_Settle);
	runStage(lock, rpFootTrack_Turn);
	runStage(lock, rpFootTrack_Lead);
	runStage(lock, rpFootTrack_Follow);
	if (!rpFootTrack_Steady(&lock->track, lock->motion->rootPositions, &report->shake, error))
	{
		return false;
	}
	runStage(lock, rpFootTrack_Reach);
	runStage(lock, rpFootTrack_Widen);
	solveFrames(lock);
	slowKnees(lock, fmaxf(KNEE_SHARE * report->kneeSpeedBefore, SLOW_KNEE) / (float)lock->motion->fps);
	return true;
}

// Room for bones that change their length, filled with those that they have.
static bool makeTranslations(rpMotion* motion, rpError* error)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	rpVec3* translations = rpAllocate((size_t)motion->frameCount * jointCount, sizeof(rpVec3), error);
	if (translations == NULL)
	{
		return false;
	}
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		memcpy(translations + (size_t)frame * jointCount, motion->skeleton->offsets, jointCount * sizeof(rpVec3));
	}
	motion->translations = translations;
	return true;
}

static void applySolutions(Lock* lock, rpFootLockReport* report)
{
	rpMotion* motion = lock->motion;
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		const rpTrackSolution* solution = lock->solutions + frame;
		rpVec3* translations = motion->translations != NULL ? motion->translations + (size_t)frame * jointCount : NULL;
		rpFootTrack_Apply(&lock->track, solution, motion->rootPositions + frame,
						  motion->rotations + (size_t)frame * jointCount, translations);
		float stretch = 0.0f;
		for (int side = 0; side < rp_legCount; ++side)
		{
			stretch = lock->track.rig.legs[side].isThere ? fmaxf(stretch, solution->legs[side].stretch) : stretch;
		}
		report->rootShift = fmaxf(report->rootShift, rpLength(solution->shift));
		report->stretch = fmaxf(report->stretch, stretch);
		report->stretchedFrames += stretch > 0.0f ? 1 : 0;
	}
	rpMotion_FixHemispheres(motion);
}

static bool lockFeet(Lock* lock, rpFootLockReport* report, rpError* error)
{
	report->kneeSpeedBefore = rpMeasureKneeSpeed(lock->motion, &lock->track.rig);
	if (!runStages(lock, report, error))
	{
		return false;
	}
	if (lock->isStretched && lock->motion->translations == NULL && !makeTranslations(lock->motion, error))
	{
		return false;
	}
	rpMeasureSlides(lock->motion, &lock->track.rig, &report->before, &report->heelBefore, &report->ballBefore);
	report->contactCount = report->before.contactCount;
	applySolutions(lock, report);
	rpMeasureSlides(lock->motion, &lock->track.rig, &report->after, &report->heelAfter, &report->ballAfter);
	report->kneeSpeedAfter = rpMeasureKneeSpeed(lock->motion, &lock->track.rig);
	return true;
}

bool rpLockFeet(rpMotion* motion, const rpFootLockDef* def, rpFootLockReport* report, rpError* error)
{
	rpFootLockDef chosen = def != NULL ? *def : rpDefaultFootLockDef();
	rpFootLockReport ignored;
	report = report != NULL ? report : &ignored;
	*report = (rpFootLockReport){0};
	Lock lock = {0};
	if (!(chosen.ease >= 0.0) || !(chosen.stretch >= 0.0f) || !isfinite(chosen.ease) || chosen.stretch > 1.0f)
	{
		return rpFail(error, rp_errorArgument, "feet eased over %g s with a stretch of %g; both must be 0 or more",
					  chosen.ease, (double)chosen.stretch);
	}
	if (!rpFootRig_Init(&lock.track.rig, motion->skeleton))
	{
		bool failed =
			rpFail(error, rp_errorMissing, "this body has no leg: no hip, knee and ankle of one side are known");
		rpError_SetHint(error, "say which joints they are by their roles");
		return failed;
	}
	if (!rpMotion_CheckFinite(motion, error))
	{
		return false;
	}
	bool done = initLock(&lock, motion, &chosen, error);
	if (done && lock.track.plantCount > 0)
	{
		done = lockFeet(&lock, report, error);
	}
	freeLock(&lock);
	return done;
}
