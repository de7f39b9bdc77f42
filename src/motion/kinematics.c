/// Where the joints are: forward kinematics of a pose, of a motion, and what follows from it.
#include "reprise/motion.h"

#include "base/assert.h"
#include "base/memory.h"

void rpSkeleton_Forward(const rpSkeleton* skeleton, rpVec3 rootPosition, const rpQuat* rotations,
						const rpVec3* translations, rpTransform* out)
{
	const int* parents = skeleton->parents;
	const rpVec3* offsets = translations != NULL ? translations : skeleton->offsets;
	int jointCount = skeleton->jointCount;
	out[0] = (rpTransform){rootPosition, rotations[0]};
	for (int i = 1; i < jointCount; ++i)
	{
		out[i] = rpMulTransform(out[parents[i]], (rpTransform){offsets[i], rotations[i]});
	}
}

static const rpVec3* getTranslations(const rpMotion* motion, int frame)
{
	return motion->translations != NULL ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
										: NULL;
}

void rpMotion_Sample(const rpMotion* motion, double seconds, rpPose* out)
{
	double place = seconds * motion->fps;
	place = place > 0.0 ? fmin(place, motion->frameCount - 1) : 0.0;
	int frame = (int)place < motion->frameCount - 1 ? (int)place : motion->frameCount - 1;
	int next = frame + 1 < motion->frameCount ? frame + 1 : frame;
	float t = (float)(place - frame);
	const rpQuat* from = rpMotion_GetRotations(motion, frame);
	const rpQuat* to = rpMotion_GetRotations(motion, next);
	int jointCount = motion->skeleton->jointCount;
	out->rootPosition = rpLerp(motion->rootPositions[frame], motion->rootPositions[next], t);
	for (int i = 0; i < jointCount; ++i)
	{
		out->rotations[i] = t > 0.0f ? rpSlerp(from[i], to[i], t) : from[i];
	}
	if (motion->translations != NULL && out->translations != NULL)
	{
		const rpVec3* old = getTranslations(motion, frame);
		const rpVec3* new = getTranslations(motion, next);
		for (int i = 0; i < jointCount; ++i)
		{
			out->translations[i] = rpLerp(old[i], new[i], t);
		}
	}
}

void rpMotion_Forward(const rpMotion* motion, int frame, rpTransform* out)
{
	rpSkeleton_Forward(motion->skeleton, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame),
					   getTranslations(motion, frame), out);
}

void rpMotion_ForwardAll(const rpMotion* motion, int firstFrame, int frameCount, rpVec3* positions,
						 rpQuat* orientations)
{
	RP_ASSERT(firstFrame >= 0 && firstFrame + frameCount <= motion->frameCount);
	int jointCount = motion->skeleton->jointCount;
	rpTransform pose[RP_MAX_JOINTS];
	for (int frame = 0; frame < frameCount; ++frame)
	{
		size_t first = (size_t)frame * (size_t)jointCount;
		rpMotion_Forward(motion, firstFrame + frame, pose);
		for (int i = 0; positions != NULL && i < jointCount; ++i)
		{
			positions[first + (size_t)i] = pose[i].p;
		}
		for (int i = 0; orientations != NULL && i < jointCount; ++i)
		{
			orientations[first + (size_t)i] = pose[i].q;
		}
	}
}

bool rpMotion_GetEffector(const rpMotion* motion, int frame, rpEffector effector, rpVec3* out)
{
	rpAttachment attachment = motion->skeleton->effectors[effector];
	if (attachment.joint < 0)
	{
		return false;
	}
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, pose);
	*out = rpTransformPoint(pose[attachment.joint], attachment.offset);
	return true;
}

bool rpMotion_GetVelocities(const rpMotion* motion, int frame, rpVec3* linear, rpVec3* angular, rpError* error)
{
	int before = frame > 0 ? frame - 1 : frame;
	int after = frame + 1 < motion->frameCount ? frame + 1 : frame;
	int jointCount = motion->skeleton->jointCount;
	float rate = after > before ? (float)(motion->fps / (after - before)) : 0.0f;
	rpTransform* poses = rpAllocate(2 * (size_t)jointCount, sizeof(rpTransform), error);
	if (poses == NULL)
	{
		return false;
	}
	const rpTransform *old = poses, *new = poses + jointCount;
	rpMotion_Forward(motion, before, poses);
	rpMotion_Forward(motion, after, poses + jointCount);
	for (int i = 0; i < jointCount; ++i)
	{
		if (linear != NULL)
		{
			linear[i] = rpScale(rate, rpSub(new[i].p, old[i].p));
		}
		if (angular != NULL)
		{
			angular[i] = rpScale(rate, rpLogQuat(rpMulQuat(new[i].q, rpConjugate(old[i].q))));
		}
	}
	rpFree(poses);
	return true;
}
