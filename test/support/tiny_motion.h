/// The smallest motion that can be played: two joints, with the left heel at rest at first. Shared with the seeds of
/// the fuzzers, so it asserts nothing.
#pragma once

#include "reprise/reprise.h"

/// Goes ahead by so many metres in a frame, while the root turns by the one and the other joint by the other angle.
typedef struct TinyPace
{
	float step, rootTurn, tailTurn;
} TinyPace;

/// At 30 Hz; free with rpDestroyMotion, NULL when memory ran out.
static rpMotion* tinyMakeMotion(const char* name, int frameCount, double contactEnd, TinyPace pace)
{
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "hips";
	joints[1].name = "tail";
	joints[1].parent = 0;
	joints[1].offset.y = 0.5f;
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpSkeleton* body = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = body != NULL ? rpCreateMotion(body, name, 30.0, frameCount, NULL) : NULL;
	rpReleaseSkeleton(body);
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHeel, .start = 0.0, .end = contactEnd};
	if (motion != NULL && !rpAnnotations_AddInterval(&motion->annotations, &contact, NULL))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	for (int i = 0; motion != NULL && i < frameCount; ++i)
	{
		motion->rootPositions[i] = (rpVec3){0.0f, 1.0f, pace.step * (float)i};
		motion->rotations[2 * i] = rpYaw(pace.rootTurn * (float)i);
		motion->rotations[2 * i + 1] = rpYaw(pace.tailTurn * (float)i);
	}
	return motion;
}
