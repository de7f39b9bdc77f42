/// A first row that was never captured: an ideal T-pose put in front of the take, as CMU's BVH conversion does.
///
/// Nobody holds a joint at exactly zero, so a row in which most of the joints that move later have no rotation at all
/// is made by hand. A hand-made clip may well start so, but then it goes on smoothly: the row is foreign only if the
/// pose jumps after it.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <string.h>

// A joint that turns by less than this, radians, never moves.
#define NO_MOTION 1e-5f

// A rotation whose components are below this (0.3 degrees) is meant to be none; retargeting leaves such rests.
#define NO_ROTATION 0.0026f

// Share of the moving joints that must be without rotation. CMU's row turns arms, thighs and neck: 6 of 25.
#define IDEAL_SHARE 0.6f

// Fewer moving joints prove nothing.
#define MIN_JOINTS 3

// The jump after the row, as a mean over the moving joints: at least so many radians (2 degrees), so many times the
// take's median step, and so many times the step after it.
#define MIN_JUMP 0.035f
#define JUMP_TO_MEDIAN 3.0f
#define JUMP_TO_NEXT 1.5f

typedef struct Moving
{
	bool* joints; // [jointCount]
	int count;
} Moving;

static bool findMoving(const rpPatient* patient, Moving* out)
{
	const rpMotion* motion = patient->motion;
	int jointCount = motion->skeleton->jointCount;
	out->joints = rpAllocateZero((size_t)jointCount, sizeof(bool), patient->error);
	if (out->joints == NULL)
	{
		return false;
	}
	out->count = 0;
	for (int i = 0; i < jointCount; ++i)
	{
		rpQuat start = rpMotion_GetRotations(motion, motion->frameCount - 1)[i];
		for (int row = 1; row < motion->frameCount && !out->joints[i]; ++row)
		{
			out->joints[i] = rpGetStepAngle(start, rpMotion_GetRotations(motion, row)[i]) > NO_MOTION;
		}
		out->count += out->joints[i];
	}
	return true;
}

static bool isIdeal(const rpMotion* motion, int row, const Moving* moving)
{
	const rpQuat* rotations = rpMotion_GetRotations(motion, row);
	int count = 0;
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		rpQuat q = rotations[i];
		count += moving->joints[i] && fabsf(q.x) < NO_ROTATION && fabsf(q.y) < NO_ROTATION && fabsf(q.z) < NO_ROTATION;
	}
	return (float)count >= IDEAL_SHARE * (float)moving->count;
}

// From the row to the next: mean angle of the moving joints.
static float measureStep(const rpMotion* motion, int row, const Moving* moving)
{
	const rpQuat* from = rpMotion_GetRotations(motion, row);
	const rpQuat* to = rpMotion_GetRotations(motion, row + 1);
	float sum = 0.0f;
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		sum += moving->joints[i] ? rpGetStepAngle(from[i], to[i]) : 0.0f;
	}
	return sum / (float)moving->count;
}

static bool jumpsBefore(const rpPatient* patient, int row, const Moving* moving, bool* jumps)
{
	const rpMotion* motion = patient->motion;
	int stepCount = motion->frameCount - 1 - row;
	float* steps = rpAllocate((size_t)stepCount, sizeof(float), patient->error);
	if (steps == NULL)
	{
		return false;
	}
	for (int i = 0; i < stepCount; ++i)
	{
		steps[i] = measureStep(motion, row + i, moving);
	}
	float next = steps[0], median = rpTakeMedian(steps, stepCount);
	float jump = measureStep(motion, row - 1, moving);
	*jumps = jump > MIN_JUMP && jump > JUMP_TO_MEDIAN * median && jump > JUMP_TO_NEXT * next;
	rpFree(steps);
	return true;
}

static bool areEqual(const rpMotion* motion, int a, int b)
{
	size_t size = (size_t)motion->skeleton->jointCount * sizeof(rpQuat);
	return rpDistance(motion->rootPositions[a], motion->rootPositions[b]) == 0.0f &&
		   memcmp(rpMotion_GetRotations(motion, a), rpMotion_GetRotations(motion, b), size) == 0;
}

// Rest rows at the start: copies of row 0, if that is ideal and the pose jumps after them, or after all ideal rows. The
// take itself may start with many joints near zero, or the ideal rows with another place of the root.
static bool countRestRows(const rpPatient* patient, const Moving* moving, int* out)
{
	const rpMotion* motion = patient->motion;
	int ideal = 0, copies = 0;
	while (ideal < motion->frameCount && isIdeal(motion, ideal, moving))
	{
		++ideal;
	}
	while (copies < ideal && areEqual(motion, 0, copies))
	{
		++copies;
	}
	bool jumps = false;
	bool done = copies == 0 || copies + 2 > motion->frameCount || jumpsBefore(patient, copies, moving, &jumps);
	if (done && !jumps && ideal > copies && ideal + 2 <= motion->frameCount)
	{
		done = jumpsBefore(patient, ideal, moving, &jumps);
	}
	*out = jumps ? copies : 0;
	return done;
}

static bool takeRestPose(rpPatient* patient)
{
	rpJoint* joints = rpPatient_CopyJoints(patient);
	if (joints == NULL)
	{
		return false;
	}
	const rpQuat* rotations = rpMotion_GetRotations(patient->motion, 0);
	for (int i = 0; i < patient->motion->skeleton->jointCount; ++i)
	{
		joints[i].rest = rotations[i];
	}
	bool done = rpPatient_SetJoints(patient, joints, false);
	rpFree(joints);
	return done;
}

static void reportRestRows(rpPatient* patient)
{
	int count = patient->restRowCount;
	if (patient->def->keepRestRow)
	{
		return;
	}
	rpFinding* finding =
		rpPatient_AddRows(patient, "rest_row", 0, count, "%s: an ideal rest pose, put before the take, not captured",
						  rpNameRows(0, count).text);
	if (patient->def->repair)
	{
		rpFinding_SetAction(finding, true, "dropped; taken as the skeleton's rest pose");
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; kept as a frame, and taken as the skeleton's rest pose");
	}
}

bool rpExamineRestRow(rpPatient* patient)
{
	Moving moving;
	if (!findMoving(patient, &moving))
	{
		return false;
	}
	int count = 0;
	bool done = moving.count < MIN_JOINTS || countRestRows(patient, &moving, &count);
	rpFree(moving.joints);
	if (!done || count == 0)
	{
		return done;
	}
	patient->restRowCount = count;
	patient->first = count;
	reportRestRows(patient);
	return takeRestPose(patient);
}
