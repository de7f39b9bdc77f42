#include "motion/draft.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/kinematics.h"

#include <string.h>

// A place this near to a frame is that frame; places are quotients of rates, so rounding leaves them this near.
#define SAME_FRAME 1e-6

rpMotion* rpDraftMotion(const rpMotion* from, double fps, double frameCount, rpError* error)
{
	if (!(frameCount <= RP_MAX_FRAMES))
	{
		rpFail(error, rp_errorLimit, "the result would have %.0f frames; at most %d are allowed", frameCount,
			   RP_MAX_FRAMES);
		return NULL;
	}
	rpMotion* motion = rpCreateMotion(from->skeleton, from->name, fps, (int)frameCount, error);
	bool done = motion != NULL && (from->translations == NULL || rpAddTranslations(motion, error));
	for (int i = 0; done && i < from->inputCount; ++i)
	{
		done = rpMotion_AddInput(motion, from->inputs[i].name, from->inputs[i].hash, error);
	}
	if (!done)
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

bool rpAddTranslations(rpMotion* motion, rpError* error)
{
	if (motion->translations != NULL)
	{
		return true;
	}
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	motion->translations = rpAllocate((size_t)motion->frameCount * jointCount, sizeof(rpVec3), error);
	if (motion->translations == NULL)
	{
		return false;
	}
	for (size_t frame = 0; frame < (size_t)motion->frameCount; ++frame)
	{
		memcpy(motion->translations + frame * jointCount, motion->skeleton->offsets, jointCount * sizeof(rpVec3));
	}
	return true;
}

void rpCopyFrames(const rpMotion* from, int first, int count, rpMotion* to, int toFirst)
{
	size_t jointCount = (size_t)from->skeleton->jointCount;
	size_t source = (size_t)first * jointCount, target = (size_t)toFirst * jointCount;
	size_t rotationCount = (size_t)count * jointCount;
	memcpy(to->rootPositions + toFirst, from->rootPositions + first, (size_t)count * sizeof(rpVec3));
	memcpy(to->rotations + target, from->rotations + source, rotationCount * sizeof(rpQuat));
	if (from->translations != NULL && to->translations != NULL)
	{
		memcpy(to->translations + target, from->translations + source, rotationCount * sizeof(rpVec3));
	}
}

static void mixFrames(const rpMotion* from, int frame, float t, rpMotion* to, int toFrame)
{
	size_t jointCount = (size_t)from->skeleton->jointCount;
	size_t old = (size_t)frame * jointCount, next = old + jointCount, target = (size_t)toFrame * jointCount;
	to->rootPositions[toFrame] = rpLerp(from->rootPositions[frame], from->rootPositions[frame + 1], t);
	rpSlerpMany(from->rotations + old, from->rotations + next, t, from->skeleton->jointCount, to->rotations + target);
	for (size_t i = 0; i < jointCount && from->translations != NULL && to->translations != NULL; ++i)
	{
		to->translations[target + i] = rpLerp(from->translations[old + i], from->translations[next + i], t);
	}
}

void rpCopyBetween(const rpMotion* from, double place, rpMotion* to, int toFrame)
{
	place = fmin(fmax(place, 0.0), from->frameCount - 1);
	int nearest = (int)(place + 0.5);
	if (fabs(place - nearest) < SAME_FRAME)
	{
		rpCopyFrames(from, nearest, 1, to, toFrame);
		return;
	}
	mixFrames(from, (int)place, (float)(place - (int)place), to, toFrame);
}

bool rpStoreFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	(void)motion;
	(void)error;
	rpMotion* out = context;
	size_t jointCount = (size_t)out->skeleton->jointCount, first = (size_t)frame * jointCount;
	out->rootPositions[frame] = pose->rootPosition;
	memcpy(out->rotations + first, pose->rotations, jointCount * sizeof(rpQuat));
	if (out->translations != NULL)
	{
		memcpy(out->translations + first, pose->translations, jointCount * sizeof(rpVec3));
	}
	return true;
}

void rpFixRotations(const rpQuat* before, int count, rpQuat* rotations)
{
	for (int i = 0; i < count; ++i)
	{
		rpQuat q = rpNormalizeQuat(rotations[i]);
		bool flip = before == NULL ? q.w < 0.0f : rpDotQuat(q, before[i]) < 0.0f;
		rotations[i] = flip ? rpNegateQuat(q) : q;
	}
}

bool rpCheckRate(double fps, double own, rpError* error)
{
	if (fps > 0.0 && fps <= fmax(RP_MAX_FPS, own))
	{
		return true;
	}
	rpFail(error, rp_errorArgument, "a rate of %g frames per second; it must be positive, and at most %g", fps,
		   RP_MAX_FPS);
	rpError_SetHint(error, "captures have up to some hundred; frames between theirs hold nothing new");
	return false;
}

void rpAlignHemispheres(rpMotion* motion)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	size_t count = (size_t)motion->frameCount * jointCount;
	for (size_t i = jointCount; i < count; ++i)
	{
		if (rpDotQuat(motion->rotations[i - jointCount], motion->rotations[i]) < 0.0f)
		{
			motion->rotations[i] = rpNegateQuat(motion->rotations[i]);
		}
	}
}
