#include "edit_scene.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
	jointCount = 10,
};

typedef struct Bone
{
	const char* name;
	int parent, mirror;
	rpVec3 place;
	rpRole role;
} Bone;

// Places in the world at rest.
static const Bone s_bones[jointCount] = {
	{"Hips", -1, 0, {0.0f, 1.0f, 0.0f}, rp_rolePelvis},
	{"LeftUpLeg", 0, 4, {0.1f, 0.95f, 0.0f}, rp_roleLeftHip},
	{"LeftLeg", 1, 5, {0.1f, 0.5f, 0.02f}, rp_roleLeftKnee},
	{"LeftFoot", 2, 6, {0.12f, 0.08f, -0.02f}, rp_roleLeftAnkle},
	{"RightUpLeg", 0, 1, {-0.1f, 0.95f, 0.0f}, rp_roleRightHip},
	{"RightLeg", 4, 2, {-0.1f, 0.5f, 0.02f}, rp_roleRightKnee},
	{"RightFoot", 5, 3, {-0.12f, 0.08f, -0.02f}, rp_roleRightAnkle},
	{"Spine", 0, 7, {0.0f, 1.25f, 0.01f}, rp_roleSpine},
	{"LeftArm", 7, 9, {0.2f, 1.4f, 0.0f}, rp_roleLeftShoulder},
	{"RightArm", 7, 8, {-0.2f, 1.4f, 0.0f}, rp_roleRightShoulder},
};

static rpQuat getFrame(int joint, bool twisted)
{
	rpVec3 axis = rpNormalize((rpVec3){0.3f, 1.0f, 0.1f * (float)joint});
	bool isTurned = twisted && (joint >= 4 && joint <= 7);
	return isTurned || (twisted && joint == 9) ? rpAxisAngle(axis, 0.7f + 0.4f * (float)joint) : rpQuat_identity;
}

rpSkeleton* testMakePuppet(bool twisted)
{
	rpJoint joints[jointCount];
	rpEndSite ends[2];
	for (int i = 0; i < jointCount; ++i)
	{
		const Bone* bone = s_bones + i;
		rpQuat parentFrame = bone->parent >= 0 ? getFrame(bone->parent, twisted) : rpQuat_identity;
		rpVec3 bonePlace = bone->parent >= 0 ? rpSub(bone->place, s_bones[bone->parent].place) : bone->place;
		joints[i] = rpDefaultJoint();
		joints[i].name = bone->name;
		joints[i].parent = bone->parent;
		joints[i].role = bone->role;
		joints[i].offset = rpRotate(rpConjugate(parentFrame), bonePlace);
		joints[i].rest = rpMulQuat(rpConjugate(parentFrame), getFrame(i, twisted));
	}
	for (int side = 0; side < 2; ++side)
	{
		int foot = side == 0 ? 3 : 6;
		rpVec3 toe = {side == 0 ? 0.01f : -0.01f, -0.06f, 0.2f};
		ends[side] = (rpEndSite){side == 0 ? "left toes" : "right toes", foot,
								 rpRotate(rpConjugate(getFrame(foot, twisted)), toe)};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	def.ends = ends;
	def.endCount = 2;
	def.guessRoles = false;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	// Paired here, so that the tests of edits do not depend on how pairs are found.
	for (int i = 0; skeleton != NULL && i < jointCount; ++i)
	{
		((rpJoint*)(uintptr_t)skeleton->joints)[i].mirror = s_bones[i].mirror;
	}
	return skeleton;
}

static float wave(rpRandom* random, double t)
{
	float size = rpRandom_Range(random, 0.1f, 0.6f);
	float rate = rpRandom_Range(random, 1.0f, 4.0f), phase = rpRandom_Range(random, 0.0f, 6.0f);
	return size * sinf((float)(rate * t) + phase);
}

rpMotion* testMakeMotion(const rpSkeleton* skeleton, const char* name, double fps, int frameCount, uint64_t seed)
{
	rpMotion* motion = rpCreateMotion(skeleton, name, fps, frameCount, NULL);
	for (int frame = 0; motion != NULL && frame < frameCount; ++frame)
	{
		double t = frame / fps;
		rpRandom random = rpSeedRandom(seed);
		rpVec3 sway = {wave(&random, t), wave(&random, t), wave(&random, t)};
		motion->rootPositions[frame] = rpAdd((rpVec3){0.3f, 1.0f, (float)t}, sway);
		for (int i = 0; i < skeleton->jointCount; ++i)
		{
			rpVec3 turn = {wave(&random, t), wave(&random, t), wave(&random, t)};
			motion->rotations[frame * skeleton->jointCount + i] =
				rpNormalizeQuat(rpMulQuat(skeleton->joints[i].rest, rpExpQuat(turn)));
		}
	}
	if (motion != NULL)
	{
		rpMotion_FixHemispheres(motion);
	}
	return motion;
}

void testAddTranslations(rpMotion* motion)
{
	size_t count = (size_t)motion->skeleton->jointCount;
	motion->translations = rpAllocate((size_t)motion->frameCount * count, sizeof(rpVec3), NULL);
	for (size_t i = 0; i < (size_t)motion->frameCount * count; ++i)
	{
		float stretch = 1.0f + 0.05f * sinf((float)i);
		motion->translations[i] = rpScale(stretch, motion->skeleton->offsets[i % count]);
	}
}

void testAnnotate(rpMotion* motion)
{
	double end = motion->frameCount / motion->fps, half = 0.5 * end;
	const rpInterval intervals[] = {
		{.track = rp_trackLabel, .start = 0.0, .end = end, .name = "walk"},
		{.track = rp_trackLabel, .start = 0.25 * end, .end = half, .name = "turnLeft"},
		{.track = rp_trackContact, .start = 0.0, .end = half, .effector = rp_leftHeel, .supportHeight = 0.25f},
		{.track = rp_trackContact, .start = half, .end = end, .effector = rp_rightBall},
		{.track = rp_trackContact, .start = 0.1 * end, .end = 0.2 * end, .effector = rp_seat, .supportHeight = 0.4f},
		{.track = rp_trackPhase, .start = 0.0, .end = half, .name = "L"},
		{.track = rp_trackPhase, .start = half, .end = end, .name = "D"},
		{.track = rp_trackSource,
		 .start = 0.0,
		 .end = half,
		 .name = "one",
		 .sourceStart = 3.0,
		 .sourceEnd = 3.0 + half},
		{.track = rp_trackSource, .start = half, .end = end, .name = "two", .sourceStart = 8.0, .sourceEnd = 8.0 + end},
	};
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); ++i)
	{
		assert_true(rpAnnotations_AddInterval(&motion->annotations, intervals + i, NULL));
	}
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "heel_strike_left", 0.25 * end, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "bright", 0.75 * end, NULL));
	const double times[3] = {0.1 * end, half, 0.8 * end};
	const float values[9] = {1.0f, 3.0f, -1.0f, 2.0f, 4.0f, -2.0f, 0.5f, 0.25f, 0.125f};
	const rpCurve curves[] = {
		{"speed", rp_curveScalar, 3, times, values},
		{"turn_left", rp_curveSided, 3, times, values},
		{"left hand", rp_curvePoint, 3, times, values},
		{"gaze", rp_curveVector, 3, times, values},
		{"stride_length", rp_curveScalar, 1, times, values + 1},
		{"ball", rp_curvePoint, 1, times, values + 3},
	};
	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); ++i)
	{
		assert_true(rpAnnotations_AddCurve(&motion->annotations, curves + i, NULL));
	}
	assert_true(rpMotion_AddInput(motion, "one.bvh", "00112233445566778899aabbccddeeff", NULL));
}

void testCheckMotion(const rpMotion* motion)
{
	size_t count = (size_t)motion->skeleton->jointCount, all = count * (size_t)motion->frameCount;
	for (size_t i = 0; i < all; ++i)
	{
		rpQuat q = motion->rotations[i];
		assert_true(fabsf(rpDotQuat(q, q) - 1.0f) < 1e-5f);
		assert_true(i < count || rpDotQuat(q, motion->rotations[i - count]) >= 0.0f);
	}
}

void testCheckAnnotations(const rpMotion* motion)
{
	const rpAnnotations* annotations = &motion->annotations;
	double end = motion->frameCount / motion->fps;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = annotations->intervals + i;
		assert_true(interval->start >= -1e-9 && interval->end <= end + 1e-9 && interval->end > interval->start);
		assert_true(i == 0 || interval[-1].track < interval->track ||
					(interval[-1].track == interval->track && interval[-1].start <= interval->start));
	}
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		assert_true(annotations->events[i].time >= 0.0 && annotations->events[i].time < end);
	}
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		const rpCurve* curve = annotations->curves + i;
		assert_true(curve->times[0] >= 0.0 && curve->times[curve->keyCount - 1] <= end + 1e-9);
	}
}

float testMeasureDistance(const rpMotion* a, const rpMotion* b)
{
	rpTransform poseA[RP_MAX_JOINTS], poseB[RP_MAX_JOINTS];
	float largest = 0.0f;
	assert_int_equal(a->frameCount, b->frameCount);
	assert_int_equal(a->skeleton->jointCount, b->skeleton->jointCount);
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		rpMotion_Forward(a, frame, poseA);
		rpMotion_Forward(b, frame, poseB);
		for (int i = 0; i < a->skeleton->jointCount; ++i)
		{
			largest = fmaxf(largest, rpDistance(poseA[i].p, poseB[i].p));
		}
	}
	return largest;
}

const char* testFindSource(const rpMotion* motion, double seconds, double* sourceSeconds)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == rp_trackSource && seconds >= interval->start - 1e-9 && seconds < interval->end - 1e-9)
		{
			double t = (seconds - interval->start) / (interval->end - interval->start);
			*sourceSeconds = interval->sourceStart + t * (interval->sourceEnd - interval->sourceStart);
			return interval->name;
		}
	}
	return NULL;
}

static bool namesAgree(const char* a, const char* b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool curvesAgree(const rpCurve* a, const rpCurve* b, double tolerance)
{
	bool agree = namesAgree(a->name, b->name) && a->kind == b->kind && a->keyCount == b->keyCount;
	for (int i = 0; agree && i < a->keyCount; ++i)
	{
		agree = fabs(a->times[i] - b->times[i]) <= tolerance;
	}
	for (int i = 0; agree && i < a->keyCount * rpCurveKind_GetWidth(a->kind); ++i)
	{
		agree = fabsf(a->values[i] - b->values[i]) <= (float)tolerance;
	}
	return agree;
}

bool testAnnotationsAgree(const rpAnnotations* a, const rpAnnotations* b, double tolerance)
{
	bool agree =
		a->intervalCount == b->intervalCount && a->eventCount == b->eventCount && a->curveCount == b->curveCount;
	for (int i = 0; agree && i < a->intervalCount; ++i)
	{
		const rpInterval *x = a->intervals + i, *y = b->intervals + i;
		agree = x->track == y->track && fabs(x->start - y->start) <= tolerance && fabs(x->end - y->end) <= tolerance &&
				namesAgree(x->name, y->name) && x->effector == y->effector &&
				fabsf(x->supportHeight - y->supportHeight) <= (float)tolerance &&
				fabs(x->sourceStart - y->sourceStart) <= tolerance && fabs(x->sourceEnd - y->sourceEnd) <= tolerance;
	}
	for (int i = 0; agree && i < a->eventCount; ++i)
	{
		agree = namesAgree(a->events[i].name, b->events[i].name) &&
				fabs(a->events[i].time - b->events[i].time) <= tolerance;
	}
	for (int i = 0; agree && i < a->curveCount; ++i)
	{
		agree = curvesAgree(a->curves + i, b->curves + i, tolerance);
	}
	return agree;
}
