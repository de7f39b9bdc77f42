/// Whether a motion's end joins its start.
#include "base/memory.h"
#include "reprise/play/motion.h"

// Metres that a joint may be off where the motion begins again: a step over one frame at the speed of a slow walk,
// which nobody sees; and the seconds over which what it is off by in velocity may add up to as much.
#define MAX_GAP 0.02f
#define GOING_ON 0.1f

// What is off in rotation is seen at this distance from the joint, metres: that of a finger or a nose.
#define ARM 0.1f

/// A frame's joints and their velocities, seen from the root's ground transform; [jointCount] each.
typedef struct Moment
{
	rpTransform* pose;
	rpVec3 *velocities, *spins;
} Moment;

static bool takeMoment(const rpMotion* motion, int frame, Moment* out, rpError* error)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	out->pose = rpAllocate(jointCount, sizeof(rpTransform), error);
	out->velocities = rpAllocate(2 * jointCount, sizeof(rpVec3), error);
	if (out->pose == NULL || out->velocities == NULL)
	{
		return false;
	}
	out->spins = out->velocities + jointCount;
	if (!rpMotion_GetVelocities(motion, frame, out->velocities, out->spins, error))
	{
		return false;
	}
	rpMotion_Forward(motion, frame, out->pose);
	rpGroundTransform inverse = rpGroundTransform_Invert(rpMotion_GetGround(motion, frame));
	rpQuat turn = rpYaw(inverse.turn);
	for (size_t i = 0; i < jointCount; ++i)
	{
		out->pose[i] = (rpTransform){rpGroundTransform_Apply(inverse, out->pose[i].p), rpMulQuat(turn, out->pose[i].q)};
		out->velocities[i] = rpRotate(turn, out->velocities[i]);
		out->spins[i] = rpRotate(turn, out->spins[i]);
	}
	return true;
}

static void freeMoment(Moment* moment)
{
	rpFree(moment->pose);
	rpFree(moment->velocities);
}

static bool areAlike(const Moment* a, const Moment* b, int jointCount)
{
	bool alike = true;
	for (int i = 0; i < jointCount && alike; ++i)
	{
		float turn = rpLength(rpLogQuat(rpMulQuat(a->pose[i].q, rpConjugate(b->pose[i].q))));
		float gap = rpDistance(a->pose[i].p, b->pose[i].p) + ARM * turn;
		float rate = rpDistance(a->velocities[i], b->velocities[i]) + ARM * rpDistance(a->spins[i], b->spins[i]);
		alike = gap <= MAX_GAP && GOING_ON * rate <= MAX_GAP;
	}
	return alike;
}

bool rpMotion_Repeats(const rpMotion* motion, bool* out, rpError* error)
{
	Moment first = {0}, last = {0};
	*out = false;
	if (motion->frameCount < 3)
	{
		return true;
	}
	bool done = takeMoment(motion, 0, &first, error) && takeMoment(motion, motion->frameCount - 1, &last, error);
	*out = done && areAlike(&first, &last, motion->skeleton->jointCount);
	freeMoment(&first);
	freeMoment(&last);
	return done;
}
