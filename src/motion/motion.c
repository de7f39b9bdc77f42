/// Motions: frames of one skeleton at one rate.
#include "reprise/play/motion.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"

#include <stdio.h>
#include <string.h>

static bool checkSize(double fps, long long frameCount, int jointCount, rpError* error)
{
	if (!(fps > 0.0) || !isfinite(fps))
	{
		return rpFail(error, rp_errorArgument, "a rate of %g frames per second; it must be positive", fps);
	}
	if (frameCount < 1 || frameCount > RP_MAX_FRAMES || frameCount * jointCount > RP_MAX_ROTATIONS)
	{
		return rpFail(error, rp_errorLimit,
					  "%lld frames of %d joints; 1 to %d frames and at most %lld rotations are allowed", frameCount,
					  jointCount, RP_MAX_FRAMES, RP_MAX_ROTATIONS);
	}
	return true;
}

static void fillWithRest(rpMotion* motion)
{
	const rpSkeleton* skeleton = motion->skeleton;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpQuat* rotations = motion->rotations + (size_t)frame * (size_t)skeleton->jointCount;
		motion->rootPositions[frame] = rpVec3_zero;
		for (int i = 0; i < skeleton->jointCount; ++i)
		{
			rotations[i] = skeleton->joints[i].rest;
		}
	}
}

static rpMotion* createBare(const rpSkeleton* skeleton, const char* name, double fps, int frameCount, rpError* error)
{
	rpMotion* motion = rpAllocateZero(1, sizeof(rpMotion), error);
	if (motion == NULL)
	{
		return NULL;
	}
	motion->skeleton = rpRetainSkeleton(skeleton);
	motion->fps = fps;
	motion->frameCount = frameCount;
	motion->name = rpCopyString(name, error);
	if (motion->name == NULL)
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

rpMotion* rpCreateBareMotion(const rpSkeleton* skeleton, const char* name, double fps, int frameCount, rpError* error)
{
	RP_ASSERT(skeleton != NULL);
	bool isKnown = frameCount != 0;
	return checkSize(fps, isKnown ? frameCount : 1, 1, error) ? createBare(skeleton, name, fps, frameCount, error)
															  : NULL;
}

rpMotion* rpCreateMotion(const rpSkeleton* skeleton, const char* name, double fps, int frameCount, rpError* error)
{
	RP_ASSERT(skeleton != NULL);
	rpMotion* motion = checkSize(fps, frameCount, skeleton->jointCount, error)
						   ? createBare(skeleton, name, fps, frameCount, error)
						   : NULL;
	if (motion == NULL)
	{
		return NULL;
	}
	motion->rootPositions = rpAllocate((size_t)frameCount, sizeof(rpVec3), error);
	motion->rotations = rpAllocate((size_t)frameCount * (size_t)skeleton->jointCount, sizeof(rpQuat), error);
	if (motion->rootPositions == NULL || motion->rotations == NULL)
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	fillWithRest(motion);
	return motion;
}

rpMotion* rpCopyMotion(const rpMotion* motion, rpError* error)
{
	rpMotion* copy = rpCreateMotion(motion->skeleton, motion->name, motion->fps, motion->frameCount, error);
	if (copy == NULL)
	{
		return NULL;
	}
	size_t rotationCount = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	memcpy(copy->rootPositions, motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	memcpy(copy->rotations, motion->rotations, rotationCount * sizeof(rpQuat));
	bool done = rpAnnotations_Append(&copy->annotations, &motion->annotations, 0.0, error);
	if (done && motion->translations != NULL)
	{
		copy->translations = rpAllocate(rotationCount, sizeof(rpVec3), error);
		done = copy->translations != NULL;
		if (done)
		{
			memcpy(copy->translations, motion->translations, rotationCount * sizeof(rpVec3));
		}
	}
	for (int i = 0; done && i < motion->inputCount; ++i)
	{
		done = rpMotion_AddInput(copy, motion->inputs[i].name, motion->inputs[i].hash, error);
	}
	if (!done)
	{
		rpDestroyMotion(copy);
		return NULL;
	}
	return copy;
}

void rpDestroyMotion(rpMotion* motion)
{
	if (motion == NULL)
	{
		return;
	}
	rpReleaseSkeleton(motion->skeleton);
	rpFree(motion->rootPositions);
	rpFree(motion->rotations);
	rpFree(motion->translations);
	rpFree(motion->name);
	rpAnnotations_Free(&motion->annotations);
	for (int i = 0; i < motion->inputCount; ++i)
	{
		rpFree(motion->inputs[i].name);
	}
	rpFree(motion->inputs);
	rpFree(motion);
}

bool rpMotion_SetName(rpMotion* motion, const char* name, rpError* error)
{
	char* copy = rpCopyString(name, error);
	if (copy == NULL)
	{
		return false;
	}
	rpFree(motion->name);
	motion->name = copy;
	return true;
}

bool rpMotion_AddInput(rpMotion* motion, const char* name, const char* hash, rpError* error)
{
	name = name != NULL ? name : "";
	hash = hash != NULL ? hash : "";
	for (int i = 0; i < motion->inputCount; ++i)
	{
		if (strcmp(motion->inputs[i].name, name) == 0 && strcmp(motion->inputs[i].hash, hash) == 0)
		{
			return true;
		}
	}
	rpInput* inputs = rpReallocate(motion->inputs, (size_t)motion->inputCount + 1, sizeof(rpInput), error);
	if (inputs == NULL)
	{
		return false;
	}
	motion->inputs = inputs;
	rpInput* input = inputs + motion->inputCount;
	snprintf(input->hash, sizeof(input->hash), "%s", hash);
	input->name = rpCopyString(name, error);
	motion->inputCount += input->name != NULL;
	return input->name != NULL;
}

double rpMotion_GetDuration(const rpMotion* motion)
{
	return (motion->frameCount - 1) / motion->fps;
}

int rpMotion_GetFrame(const rpMotion* motion, double seconds)
{
	double frame = floor(seconds * motion->fps + 0.5);
	return !(frame > 0.0) ? 0 : frame > motion->frameCount - 1 ? motion->frameCount - 1 : (int)frame;
}

const rpQuat* rpMotion_GetRotations(const rpMotion* motion, int frame)
{
	RP_ASSERT(frame >= 0 && frame < motion->frameCount);
	return motion->rotations + (size_t)frame * (size_t)motion->skeleton->jointCount;
}

rpPose rpMotion_GetPose(const rpMotion* motion, int frame)
{
	RP_ASSERT(frame >= 0 && frame < motion->frameCount);
	size_t first = (size_t)frame * (size_t)motion->skeleton->jointCount;
	return (rpPose){motion->rootPositions[frame], motion->rotations + first,
					motion->translations != NULL ? motion->translations + first : NULL};
}

rpGroundTransform rpMotion_GetGround(const rpMotion* motion, int frame)
{
	rpVec3 p = motion->rootPositions[frame];
	return (rpGroundTransform){rpHeading(rpMotion_GetRotations(motion, frame)[0]), {p.x, 0.0f, p.z}};
}

rpGroundTransform rpPose_GetGround(const rpPose* pose)
{
	return (rpGroundTransform){rpHeading(pose->rotations[0]), {pose->rootPosition.x, 0.0f, pose->rootPosition.z}};
}

rpVec3 rpMotion_GetPlace(const rpMotion* motion, double seconds)
{
	double frame = fmin(fmax(seconds * motion->fps, 0.0), motion->frameCount - 1);
	int first = (int)frame;
	int next = first + 1 < motion->frameCount ? first + 1 : first;
	rpVec3 root = rpLerp(motion->rootPositions[first], motion->rootPositions[next], (float)(frame - first));
	root.y = 0.0f;
	return root;
}

// Whatever is not finite makes this not a number; otherwise it is 0. Sums that do not wait for each other: eight times
// as fast as one.
static float sumNothing(const float* numbers, size_t count)
{
	float sums[8] = {0}, sum = 0.0f;
	for (; count >= 8; count -= 8, numbers += 8)
	{
		for (int i = 0; i < 8; ++i)
		{
			sums[i] += 0.0f * numbers[i];
		}
	}
	for (int i = 0; i < 8; ++i)
	{
		sum += sums[i];
	}
	for (size_t i = 0; i < count; ++i)
	{
		sum += 0.0f * numbers[i];
	}
	return sum;
}

static bool areFinite(const rpMotion* motion, int frame, int frameCount)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount, first = (size_t)frame * jointCount;
	size_t count = (size_t)frameCount * jointCount;
	float sum = sumNothing(&motion->rotations[first].w, 4 * count) +
				sumNothing(&motion->rootPositions[frame].x, 3 * (size_t)frameCount);
	return sum == 0.0f &&
		   (motion->translations == NULL || sumNothing(&motion->translations[first].x, 3 * count) == 0.0f);
}

bool rpMotion_CheckFinite(const rpMotion* motion, rpError* error)
{
	if (areFinite(motion, 0, motion->frameCount))
	{
		return true;
	}
	int frame = 0;
	while (areFinite(motion, frame, 1))
	{
		++frame;
	}
	return rpFail(error, rp_errorArgument, "frame %d of \"%.100s\" holds a number that is not finite", frame,
				  motion->name);
}

void rpMotion_FixHemispheres(rpMotion* motion)
{
	int jointCount = motion->skeleton->jointCount;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpQuat* rotations = motion->rotations + (size_t)frame * (size_t)jointCount;
		rpFixRotations(frame > 0 ? rotations - jointCount : NULL, jointCount, rotations);
	}
}

bool rpMotion_Agrees(const rpMotion* a, const rpMotion* b, float metres)
{
	if (a->fps != b->fps || a->frameCount != b->frameCount || a->skeleton->jointCount != b->skeleton->jointCount)
	{
		return false;
	}
	rpTransform poseA[RP_MAX_JOINTS], poseB[RP_MAX_JOINTS];
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		rpMotion_Forward(a, frame, poseA);
		rpMotion_Forward(b, frame, poseB);
		for (int i = 0; i < a->skeleton->jointCount; ++i)
		{
			if (!(rpDistance(poseA[i].p, poseB[i].p) <= metres))
			{
				return false;
			}
		}
	}
	return true;
}

int rpMotion_GetIntervals(const rpMotion* motion, rpTrack track, rpInterval* out, int capacity)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (motion->annotations.intervals[i].track != track)
		{
			continue;
		}
		if (count < capacity)
		{
			out[count] = motion->annotations.intervals[i];
		}
		++count;
	}
	return count;
}
