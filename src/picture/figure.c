/// From a skeleton to a figure: each joint belongs to a part of the body, each part has its thickness.
#include "picture/figure.h"

#include "base/memory.h"

// Parts of the body; the segment below a joint belongs to the joint's part.
typedef enum Part
{
	partTrunk,
	partPelvis,
	partGirdle,
	partNeck,
	partHead,
	partUpperArm,
	partForearm,
	partHand,
	partThigh,
	partShank,
	partFoot,
	partToes,
	partCount,
} Part;

// Limbs beyond the bones: flanks, and two for each heel.
#define MORE_LIMBS 6

// Radius at the upper and lower end, as parts of the stature; flesh, not bone.
static const float s_radii[partCount][2] = {
	[partTrunk] = {0.060f, 0.062f},   [partPelvis] = {0.055f, 0.050f}, [partGirdle] = {0.042f, 0.034f},
	[partNeck] = {0.032f, 0.028f},    [partHead] = {0.028f, 0.028f},   [partUpperArm] = {0.030f, 0.024f},
	[partForearm] = {0.024f, 0.016f}, [partHand] = {0.017f, 0.012f},   [partThigh] = {0.050f, 0.034f},
	[partShank] = {0.034f, 0.021f},   [partFoot] = {0.023f, 0.019f},   [partToes] = {0.018f, 0.012f},
};

// The part that begins at a joint of each role; a joint without a role continues its parent's.
static const Part s_roleParts[rp_roleCount] = {
	[rp_rolePelvis] = partTrunk,
	[rp_roleSpine] = partTrunk,
	[rp_roleChest] = partTrunk,
	[rp_roleNeck] = partNeck,
	[rp_roleHead] = partHead,
	[rp_roleLeftClavicle] = partGirdle,
	[rp_roleRightClavicle] = partGirdle,
	[rp_roleLeftShoulder] = partUpperArm,
	[rp_roleRightShoulder] = partUpperArm,
	[rp_roleLeftElbow] = partForearm,
	[rp_roleRightElbow] = partForearm,
	[rp_roleLeftWrist] = partHand,
	[rp_roleRightWrist] = partHand,
	[rp_roleLeftHip] = partThigh,
	[rp_roleRightHip] = partThigh,
	[rp_roleLeftKnee] = partShank,
	[rp_roleRightKnee] = partShank,
	[rp_roleLeftAnkle] = partFoot,
	[rp_roleRightAnkle] = partFoot,
	[rp_roleLeftBall] = partToes,
	[rp_roleRightBall] = partToes,
};

// A bone from the trunk to a limb is neither.
static Part getBonePart(Part upper, Part lower)
{
	if (upper == partTrunk && lower >= partUpperArm)
	{
		return lower == partThigh ? partPelvis : partGirdle;
	}
	return upper;
}

static rpSide getSide(const rpSkeleton* skeleton, const rpTransform* rest, int joint)
{
	int mirror = skeleton->joints[joint].mirror;
	if (mirror == joint || mirror < 0 || mirror >= skeleton->jointCount)
	{
		return rp_sideMiddle;
	}
	return rest[joint].p.x > rest[mirror].p.x ? rp_sideLeft : rp_sideRight;
}

// The longest of height and bones; a body of no size at all counts as one of a metre.
static float measureStature(const rpSkeleton* skeleton)
{
	float longest = skeleton->height;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		longest = fmaxf(longest, rpLength(skeleton->offsets[i]));
	}
	return longest > 1e-6f && isfinite(longest) ? longest : 1.0f;
}

static void addLimb(rpFigure* figure, int from, int to, Part part, rpSide side, float length)
{
	bool known = figure->headFrom >= 0;
	// A body of unknown parts is drawn as sticks.
	float stick = fminf(0.02f * figure->stature, fmaxf(0.15f * length, 0.008f * figure->stature));
	figure->limbs[figure->limbCount++] = (rpFigureLimb){
		.from = from,
		.to = to,
		.fromRadius = known ? s_radii[part][0] * figure->stature : stick,
		.toRadius = known ? s_radii[part][1] * figure->stature : stick,
		.side = side,
		.neck = known && part == partNeck,
	};
}

// Flanks, so that the trunk is a body and not a stick: from each shoulder down to the root.
static void addFlanks(rpFigure* figure, const rpSkeleton* skeleton)
{
	static const rpRole shoulders[2] = {rp_roleLeftShoulder, rp_roleRightShoulder};
	int pelvis = skeleton->roles[rp_rolePelvis];
	for (int side = 0; side < 2; ++side)
	{
		int shoulder = skeleton->roles[shoulders[side]];
		if (shoulder >= 0 && pelvis >= 0 && figure->headFrom >= 0)
		{
			figure->limbs[figure->limbCount++] = (rpFigureLimb){
				shoulder, pelvis, 0.034f * figure->stature, 0.062f * figure->stature, rp_sideMiddle, false,
			};
		}
	}
}

// The back of the foot: a point above the heel, so that the sole and not its middle line is on the floor.
static void addHeels(rpFigure* figure, const rpSkeleton* skeleton)
{
	static const rpEffector heels[2] = {rp_leftHeel, rp_rightHeel};
	static const rpRole balls[2] = {rp_roleLeftBall, rp_roleRightBall},
						ankles[2] = {rp_roleLeftAnkle, rp_roleRightAnkle};
	for (int side = 0; side < 2; ++side)
	{
		rpAttachment heel = skeleton->effectors[heels[side]];
		int ankle = skeleton->roles[ankles[side]], ball = skeleton->roles[balls[side]];
		if (heel.joint < 0 || ankle != heel.joint || figure->headFrom < 0)
		{
			continue;
		}
		int point = figure->pointCount++;
		heel.offset = rpScale(0.65f, heel.offset);
		figure->extras[figure->extraCount++] = heel;
		rpSide shown = side == 0 ? rp_sideLeft : rp_sideRight;
		float stature = figure->stature;
		figure->limbs[figure->limbCount++] =
			(rpFigureLimb){ankle, point, 0.022f * stature, 0.018f * stature, shown, false};
		if (ball >= 0)
		{
			figure->limbs[figure->limbCount++] =
				(rpFigureLimb){point, ball, 0.017f * stature, 0.016f * stature, shown, false};
		}
	}
}

static void findHead(rpFigure* figure, const rpSkeleton* skeleton)
{
	int head = skeleton->roles[rp_roleHead];
	figure->headFrom = head;
	figure->headTo = head;
	figure->headRadius = 0.058f * figure->stature;
	for (int i = 0; head >= 0 && i < skeleton->endCount; ++i)
	{
		for (int j = skeleton->ends[i].joint; j >= head; j = skeleton->parents[j])
		{
			figure->headTo = j == head ? skeleton->jointCount + i : figure->headTo;
		}
	}
}

static void addBones(rpFigure* figure, const rpSkeleton* skeleton, const rpTransform* rest, Part* parts)
{
	float shortest = 1e-4f * figure->stature;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		int parent = skeleton->parents[i];
		rpRole role = skeleton->joints[i].role;
		parts[i] = role != rp_roleNone ? s_roleParts[role] : parent >= 0 ? parts[parent] : partTrunk;
		float length = parent >= 0 ? rpLength(skeleton->offsets[i]) : 0.0f;
		if (parent < 0 || length < shortest || parts[parent] == partHead)
		{
			continue;
		}
		Part part = getBonePart(parts[parent], parts[i]);
		rpSide side = part <= partHead ? rp_sideMiddle : getSide(skeleton, rest, parent);
		side = figure->headFrom < 0 ? getSide(skeleton, rest, i) : side;
		addLimb(figure, parent, i, part, side, length);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		int joint = skeleton->ends[i].joint;
		float length = rpLength(skeleton->ends[i].offset);
		if (length >= shortest && parts[joint] != partHead)
		{
			addLimb(figure, joint, skeleton->jointCount + i, parts[joint], getSide(skeleton, rest, joint), length);
		}
	}
}

bool rpMakeFigure(const rpSkeleton* skeleton, rpFigure* out, rpError* error)
{
	int pointCount = skeleton->jointCount + skeleton->endCount;
	*out = (rpFigure){.pointCount = pointCount, .stature = measureStature(skeleton)};
	out->limbs = rpAllocate((size_t)pointCount + MORE_LIMBS, sizeof(rpFigureLimb), error);
	rpTransform* rest = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	Part* parts = rpAllocate((size_t)skeleton->jointCount, sizeof(Part), error);
	bool ok = out->limbs != NULL && rest != NULL && parts != NULL;
	if (ok)
	{
		rpSkeleton_GetRest(skeleton, rest);
		findHead(out, skeleton);
		addBones(out, skeleton, rest, parts);
		addFlanks(out, skeleton);
		addHeels(out, skeleton);
	}
	rpFree(rest);
	rpFree(parts);
	if (!ok)
	{
		rpFigure_Free(out);
	}
	return ok;
}

void rpFigure_Free(rpFigure* figure)
{
	rpFree(figure->limbs);
	*figure = (rpFigure){0};
}

void rpFigure_Place(const rpFigure* figure, const rpMotion* motion, int frame, rpTransform* world, rpVec3* points)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpMotion_Forward(motion, frame, world);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		points[i] = world[i].p;
	}
	rpVec3* next = points + skeleton->jointCount;
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		*next++ = rpTransformPoint(world[skeleton->ends[i].joint], skeleton->ends[i].offset);
	}
	for (int i = 0; i < figure->extraCount; ++i)
	{
		*next++ = rpTransformPoint(world[figure->extras[i].joint], figure->extras[i].offset);
	}
	for (int i = 0; i < figure->pointCount; ++i)
	{
		// What is not a number is drawn at the origin rather than taking the whole picture with it.
		bool finite = isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
		points[i] = finite ? points[i] : rpVec3_zero;
	}
}

bool rpFindFloor(const rpFigure* figure, const rpMotion* motion, float* out, rpError* error)
{
	rpTransform* world = rpAllocate((size_t)motion->skeleton->jointCount, sizeof(rpTransform), error);
	rpVec3* points = rpAllocate((size_t)figure->pointCount, sizeof(rpVec3), error);
	bool ok = world != NULL && points != NULL;
	float lowest = INFINITY;
	// Some hundred frames find the floor well enough.
	int step = 1 + motion->frameCount / 400;
	for (int frame = 0; ok && frame < motion->frameCount; frame += step)
	{
		rpFigure_Place(figure, motion, frame, world, points);
		for (int i = 0; i < figure->pointCount; ++i)
		{
			lowest = fminf(lowest, points[i].y);
		}
	}
	rpFree(world);
	rpFree(points);
	*out = fabsf(lowest) > 0.3f * figure->stature && isfinite(lowest) ? lowest : 0.0f;
	return ok;
}
