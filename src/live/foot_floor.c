#include "live/foot_floor.h"

#include "blend/clip.h"

#include <math.h>

// A foot is lifted smoothly: from this far above the limit on, metres.
#define SOFT_MARGIN 0.01f

// A lift that is smaller is none, metres.
#define LEAST_LIFT 3e-4f

// Heights of points are counted in bins, metres, from the lowest bin on; what is lower than this share of all frames is
// taken for a fault of the capture.
#define BIN_SIZE 0.002f
#define LOWEST_BIN (-0.1f)
#define FAULTY_SHARE 0.02

enum
{
	binCount = 51,
};

/// How often each point was how high; higher than the last bin is in it too.
typedef struct Heights
{
	int counts[rp_legCount][rp_floorPointCount][binCount];
} Heights;

const rpEffector rpFloorEffectors[rp_legCount][rp_floorPointCount] = {{rp_leftHeel, rp_leftBall, rp_leftToe},
																	  {rp_rightHeel, rp_rightBall, rp_rightToe}};

static bool isInChain(const rpFootRig* rig, int joint)
{
	bool isThere = false;
	for (int i = 0; i < rig->chainCount; ++i)
	{
		isThere = isThere || rig->chain[i] == joint;
	}
	return isThere;
}

static void findAttachments(rpFootFloor* floor, const rpSkeleton* skeleton)
{
	for (int i = 0; i < rp_legCount * rp_floorPointCount; ++i)
	{
		int side = i / rp_floorPointCount, point = i % rp_floorPointCount;
		rpAttachment* attachment = &floor->points[side][point];
		*attachment = skeleton->effectors[rpFloorEffectors[side][point]];
		bool isThere =
			floor->rig.legs[side].isThere && attachment->joint >= 0 && isInChain(&floor->rig, attachment->joint);
		attachment->joint = isThere ? attachment->joint : -1;
		floor->lows[side][point] = 0.0f;
	}
}

void rpFootFloor_FindPoints(const rpFootFloor* floor, const rpPose* pose, rpTransform* world,
							rpVec3 out[rp_legCount][rp_floorPointCount])
{
	rpFootRig_Forward(&floor->rig, pose->rootPosition, pose->rotations, NULL, world);
	for (int i = 0; i < rp_legCount * rp_floorPointCount; ++i)
	{
		int side = i / rp_floorPointCount, point = i % rp_floorPointCount;
		const rpAttachment* attachment = &floor->points[side][point];
		if (attachment->joint >= 0)
		{
			out[side][point] = rpTransformPoint(world[attachment->joint], attachment->offset);
		}
	}
}

static rpQuat getRotation(const float* row, int joint)
{
	const float* group = row + joint / rp_clipLanes * rp_clipGroup + joint % rp_clipLanes;
	return (rpQuat){group[0], group[rp_clipLanes], group[2 * rp_clipLanes], group[3 * rp_clipLanes]};
}

// One frame of a clip: the joints that lead to the feet, and how low these are.
static void lookAtFrame(const rpFootFloor* floor, const rpClip* clip, int frame, rpTransform* world, Heights* heights)
{
	const float* row = clip->rows + (size_t)frame * (size_t)clip->stride;
	const rpSkeleton* skeleton = floor->rig.skeleton;
	world[0] = (rpTransform){clip->roots[frame], getRotation(row, 0)};
	for (int k = 0; k < floor->rig.chainCount; ++k)
	{
		int joint = floor->rig.chain[k];
		if (joint > 0)
		{
			rpTransform local = {skeleton->offsets[joint], getRotation(row, joint)};
			world[joint] = rpMulTransform(world[skeleton->parents[joint]], local);
		}
	}
	for (int i = 0; i < rp_legCount * rp_floorPointCount; ++i)
	{
		int side = i / rp_floorPointCount, point = i % rp_floorPointCount;
		const rpAttachment* attachment = &floor->points[side][point];
		if (attachment->joint >= 0)
		{
			float height = rpTransformPoint(world[attachment->joint], attachment->offset).y;
			float bin = fminf(fmaxf((height - LOWEST_BIN) / BIN_SIZE, 0.0f), (float)(binCount - 1));
			++heights->counts[side][point][(int)bin];
		}
	}
}

// The upper edge of the bin up to which no more than the faulty ones are.
static float findLow(const int* counts)
{
	int total = 0, sum = 0, bin = 0;
	for (int i = 0; i < binCount; ++i)
	{
		total += counts[i];
	}
	while (bin < binCount && sum + counts[bin] <= FAULTY_SHARE * total)
	{
		sum += counts[bin++];
	}
	return fminf(LOWEST_BIN + BIN_SIZE * (float)bin, 0.0f);
}

void rpFootFloor_Init(rpFootFloor* floor, const rpClipSet* clips, rpTransform* world)
{
	floor->hasLegs = rpFootRig_Init(&floor->rig, clips->skeleton);
	if (!floor->hasLegs)
	{
		return;
	}
	Heights heights = {0};
	findAttachments(floor, clips->skeleton);
	for (int i = 0; i < clips->clipCount; ++i)
	{
		for (int frame = 0; frame < clips->clips[i].clip->frameCount; ++frame)
		{
			lookAtFrame(floor, clips->clips[i].clip, frame, world, &heights);
		}
	}
	for (int i = 0; i < rp_legCount * rp_floorPointCount; ++i)
	{
		int side = i / rp_floorPointCount, point = i % rp_floorPointCount;
		floor->lows[side][point] = findLow(heights.counts[side][point]);
	}
}

static void replace(rpQuat* old, rpQuat new)
{
	*old = rpDotQuat(*old, new) < 0.0f ? rpNegateQuat(new) : new;
}

static void liftLeg(const rpLeg* leg, const rpFootRig* rig, float lift, const rpTransform* world, rpPose* pose)
{
	rpLegGoal goal = {.ankle = world[leg->ankle]};
	rpLegSolution solved;
	goal.ankle.p.y += lift;
	rpLeg_Solve(leg, rig, world, rpVec3_zero, &goal, &solved);
	replace(pose->rotations + leg->hip, solved.hip);
	replace(pose->rotations + leg->knee, solved.knee);
	replace(pose->rotations + leg->ankle, solved.ankle);
}

// Toes of a foot that must stay where it is bend up.
static void bendToes(const rpLeg* leg, const rpFootRig* rig, float lift, rpVec3 toe, const rpTransform* world,
					 rpPose* pose)
{
	rpVec3 along = rpSub(toe, world[leg->ball].p), higher = {along.x, along.y + lift, along.z};
	rpQuat turned = rpMulQuat(rpRotationBetween(along, higher), world[leg->ball].q);
	rpQuat parent = world[rig->skeleton->parents[leg->ball]].q;
	replace(pose->rotations + leg->ball, rpNormalizeQuat(rpMulQuat(rpConjugate(parent), turned)));
}

// How much higher a point must be that is so deep: smoothly from some way above the limit on.
static float getLift(float depth)
{
	float lift = isfinite(depth) ? 0.5f * (depth + sqrtf(depth * depth + SOFT_MARGIN * SOFT_MARGIN)) : 0.0f;
	return fmaxf(lift - LEAST_LIFT, 0.0f);
}

void rpFootFloor_Lift(const rpFootFloor* floor, float height, unsigned resting, rpTransform* world, rpPose* pose)
{
	const int toe = rp_floorPointCount - 1;
	rpVec3 points[rp_legCount][rp_floorPointCount];
	if (!floor->hasLegs)
	{
		return;
	}
	rpFootFloor_FindPoints(floor, pose, world, points);
	for (int side = 0; side < rp_legCount; ++side)
	{
		float depth = -INFINITY;
		bool isResting = false;
		for (int point = 0; point < rp_floorPointCount; ++point)
		{
			isResting = isResting || (resting >> rpFloorEffectors[side][point] & 1) != 0;
			if (floor->points[side][point].joint >= 0)
			{
				depth = fmaxf(depth, height + floor->lows[side][point] - points[side][point].y);
			}
		}
		const rpLeg* leg = &floor->rig.legs[side];
		float lift = getLift(depth);
		if (lift > 0.0f && !isResting)
		{
			liftLeg(leg, &floor->rig, lift, world, pose);
		}
		else if (lift > 0.0f && leg->ball >= 0 && floor->points[side][toe].joint == leg->ball)
		{
			lift = getLift(height + floor->lows[side][toe] - points[side][toe].y);
			bendToes(leg, &floor->rig, lift, points[side][toe], world, pose);
		}
	}
}
