#include "live/step_lock.h"

#include "live/leg_bend.h"

#include <math.h>

// Seconds in which a foot that left is led to where it would be.
#define RELEASE 0.25f

// Legs are never stretched farther than this share of their length, so that knees do not lock suddenly.
#define GREATEST_REACH 0.999f

// How fast the body follows feet that are held back, 1/s: a spring without swinging.
#define PULL 10.0f

// Seconds in which the root comes up again.
#define RISE 0.15f

// What is led to nothing: 1 at 0, both without slope.
static float easeOut(float seconds)
{
	float s = fminf(seconds / RELEASE, 1.0f);
	return 1.0f - s * s * (3.0f - 2.0f * s);
}

/// A foot in a pose, as it came.
typedef struct FootNow
{
	rpTransform ankle;
	rpVec3 sole[rp_solePointCount];
	rpVec3 hip;
	float length;
} FootNow;

// Where a point of the sole is once the ankle was turned and shifted.
static rpVec3 movePoint(const FootNow* now, rpVec3 shift, rpQuat turn, rpVec3 point)
{
	rpVec3 arm = rpSub(point, now->ankle.p);
	return rpAdd(rpAdd(now->ankle.p, rpRotate(turn, arm)), shift);
}

static rpQuat getTurn(const rpStepFoot* foot)
{
	return rpNormalizeQuat((rpQuat){1.0f, foot->turn.x, foot->turn.y, foot->turn.z});
}

static void setTurn(rpStepFoot* foot, rpQuat turn)
{
	float w = fmaxf(fabsf(turn.w), 1e-3f);
	foot->turn = rpScale((turn.w < 0.0f ? -1.0f : 1.0f) / w, (rpVec3){turn.x, turn.y, turn.z});
}

// The turn that brings heel and ball to their anchors' line: the least that is to be added to what is left of the last.
static rpQuat findTurn(rpStepFoot* foot, const FootNow* now, float seconds)
{
	foot->turn = rpScale(expf(-3.0f * seconds / RELEASE), foot->turn);
	rpQuat turn = getTurn(foot);
	if (foot->isResting[0] && foot->isResting[1])
	{
		rpVec3 line = rpRotate(turn, rpSub(now->sole[1], now->sole[0]));
		rpVec3 wanted = rpSub(foot->anchors[1], foot->anchors[0]);
		turn = rpNormalizeQuat(rpMulQuat(rpRotationBetween(line, wanted), turn));
		setTurn(foot, turn);
	}
	return turn;
}

static void findShift(rpStepFoot* foot, const FootNow* now, rpQuat turn, float seconds)
{
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		if (foot->isResting[point])
		{
			sum = rpAdd(sum, rpSub(foot->anchors[point], movePoint(now, rpVec3_zero, turn, now->sole[point])));
			++count;
		}
	}
	if (count > 0)
	{
		foot->shift = rpScale(1.0f / (float)count, sum);
		return;
	}
	foot->freed += seconds;
	foot->shift = rpScale(easeOut(foot->freed), foot->freedShift);
}

// Points that leave are forgotten before the foot is laid; those that come to rest do so where it is laid then. So what
// rests already does not move for them: heel and ball are as far apart as their anchors.
static void layFoot(rpStepFoot* foot, const FootNow* now, const bool* rests, float seconds)
{
	bool wasResting = foot->isResting[0] || foot->isResting[1];
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		foot->isResting[point] = foot->isResting[point] && rests[point];
	}
	if (wasResting && !foot->isResting[0] && !foot->isResting[1])
	{
		foot->freedShift = foot->shift;
		foot->freed = 0.0f;
	}
	rpQuat turn = findTurn(foot, now, seconds);
	findShift(foot, now, turn, seconds);
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		if (rests[point] && !foot->isResting[point])
		{
			foot->anchors[point] = movePoint(now, foot->shift, turn, now->sole[point]);
			foot->isResting[point] = true;
		}
	}
}

// Feet that are held where a movement would have them elsewhere draw the body along, so that legs keep their length.
// Once nothing rests, what is left of it runs out.
static void drawBody(rpStepLock* lock, float seconds)
{
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpStepFoot* foot = &lock->feet[side];
		if (foot->isResting[0] || foot->isResting[1])
		{
			sum = rpAdd(sum, foot->shift);
			++count;
		}
	}
	rpVec3 gap = count > 0 ? rpScale(1.0f / (float)count, (rpVec3){sum.x, 0.0f, sum.z}) : rpVec3_zero;
	rpVec3 change = rpSub(rpScale(PULL * PULL, gap), rpScale(2.0f * PULL, lock->pull));
	lock->pull = rpMulAdd(lock->pull, seconds, change);
}

static rpVec3 getGoal(const rpStepFoot* foot, const FootNow* now)
{
	return rpAdd(now->ankle.p, foot->shift);
}

// How far the root must come down so that a leg reaches.
static float getDrop(const rpStepFoot* foot, const FootNow* now)
{
	rpVec3 reach = rpSub(getGoal(foot, now), now->hip);
	float longest = GREATEST_REACH * now->length, across = reach.x * reach.x + reach.z * reach.z;
	if (rpDot(reach, reach) <= longest * longest || across >= longest * longest)
	{
		return 0.0f;
	}
	return -reach.y - sqrtf(longest * longest - across);
}

static FootNow sampleFoot(const rpLeg* leg, const rpTransform* world)
{
	rpFootSample sample;
	rpLeg_Sample(leg, world, &sample);
	return (FootNow){sample.ankle, {sample.sole[0], sample.sole[1]}, sample.hip, sample.length};
}

void rpStepLock_Step(rpStepLock* lock, const rpFootFloor* floor, float seconds, unsigned contacts, rpTransform* world,
					 rpPose* pose)
{
	const rpFootRig* rig = &floor->rig;
	FootNow now[rp_legCount];
	float drop = 0.0f;
	if (!floor->hasLegs)
	{
		return;
	}
	rpFootRig_Forward(rig, pose->rootPosition, pose->rotations, NULL, world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (rig->legs[side].isThere)
		{
			bool rests[rp_solePointCount] = {(contacts >> rpFloorEffectors[side][0] & 1) != 0,
											 (contacts >> rpFloorEffectors[side][1] & 1) != 0};
			rpStepFoot* foot = &lock->feet[side];
			now[side] = sampleFoot(&rig->legs[side], world);
			layFoot(foot, &now[side], rests, seconds);
			drop = rests[0] || rests[1] ? fmaxf(drop, getDrop(foot, &now[side])) : drop;
		}
	}
	drawBody(lock, fminf(seconds, 0.5f / PULL));
	// Down at once, up slowly.
	lock->drop = fmaxf(drop, lock->drop * expf(-seconds / RISE));
	rpVec3 shift = {0.0f, -lock->drop, 0.0f};
	pose->rootPosition = rpAdd(pose->rootPosition, shift);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (rig->legs[side].isThere)
		{
			const rpStepFoot* foot = &lock->feet[side];
			rpTransform ankle = {getGoal(foot, &now[side]), rpMulQuat(getTurn(foot), now[side].ankle.q)};
			rpBendLeg(rig, side, world, shift, ankle, pose);
		}
	}
}
