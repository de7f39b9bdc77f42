#include "feet/leg_rig.h"

#include "motion/limb_ik.h"

// What comes down to a floor is raised from this far above it on, metres, the more the nearer. Toes are bent up to this
// steepness, sine, at most.
#define FLOOR_CORNER 0.005f
#define STEEPEST_TOES 0.9f

static bool isBelow(const rpSkeleton* skeleton, int joint, int ancestor)
{
	for (int i = joint; i >= 0; i = skeleton->parents[i])
	{
		if (i == ancestor)
		{
			return true;
		}
	}
	return false;
}

// The direction in which the feet point in the rest pose.
static rpVec3 findForward(const rpSkeleton* skeleton, const rpTransform* rest)
{
	rpVec3 sum = rpVec3_zero;
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpAttachment heel = skeleton->effectors[side == 0 ? rp_leftHeel : rp_rightHeel];
		rpAttachment ball = skeleton->effectors[side == 0 ? rp_leftBall : rp_rightBall];
		if (heel.joint >= 0 && ball.joint >= 0)
		{
			sum = rpAdd(sum, rpSub(rpTransformPoint(rest[ball.joint], ball.offset),
								   rpTransformPoint(rest[heel.joint], heel.offset)));
		}
	}
	return rpNormalize(sum);
}

static void initLeg(rpLeg* leg, const rpSkeleton* skeleton, const rpTransform* rest, int side)
{
	bool isLeft = side == 0;
	leg->hip = skeleton->roles[isLeft ? rp_roleLeftHip : rp_roleRightHip];
	leg->knee = skeleton->roles[isLeft ? rp_roleLeftKnee : rp_roleRightKnee];
	leg->ankle = skeleton->roles[isLeft ? rp_roleLeftAnkle : rp_roleRightAnkle];
	leg->ball = skeleton->roles[isLeft ? rp_roleLeftBall : rp_roleRightBall];
	leg->sole[0] = skeleton->effectors[isLeft ? rp_leftHeel : rp_rightHeel];
	leg->sole[1] = skeleton->effectors[isLeft ? rp_leftBall : rp_rightBall];
	leg->isThere = leg->hip > 0 && leg->knee > leg->hip && leg->ankle > leg->knee &&
				   isBelow(skeleton, leg->knee, leg->hip) && isBelow(skeleton, leg->ankle, leg->knee) &&
				   leg->sole[0].joint >= 0 && isBelow(skeleton, leg->sole[0].joint, leg->ankle) &&
				   leg->sole[1].joint >= 0 && isBelow(skeleton, leg->sole[1].joint, leg->ankle) &&
				   rpDistance(rest[leg->hip].p, rest[leg->knee].p) > 0.0f &&
				   rpDistance(rest[leg->knee].p, rest[leg->ankle].p) > 0.0f;
	if (leg->isThere)
	{
		leg->ball = leg->ball >= 0 && isBelow(skeleton, leg->ball, leg->ankle) ? leg->ball : -1;
		leg->toe = skeleton->effectors[isLeft ? rp_leftToe : rp_rightToe];
		leg->toe.joint = leg->toe.joint == leg->ball ? leg->ball : -1;
		leg->pole = rpRotate(rpConjugate(rest[leg->hip].q), findForward(skeleton, rest));
	}
}

static bool leadsToFoot(const rpFootRig* rig, int joint)
{
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpLeg* leg = rig->legs + side;
		if (leg->isThere &&
			(isBelow(rig->skeleton, leg->sole[0].joint, joint) || isBelow(rig->skeleton, leg->sole[1].joint, joint) ||
			 (leg->ball >= 0 && isBelow(rig->skeleton, leg->ball, joint))))
		{
			return true;
		}
	}
	return false;
}

bool rpFootRig_Init(rpFootRig* rig, const rpSkeleton* skeleton)
{
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(skeleton, rest);
	rig->skeleton = skeleton;
	rig->chainCount = 0;
	for (int side = 0; side < rp_legCount; ++side)
	{
		initLeg(rig->legs + side, skeleton, rest, side);
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (leadsToFoot(rig, i))
		{
			rig->chain[rig->chainCount++] = i;
		}
	}
	return rig->legs[0].isThere || rig->legs[1].isThere;
}

void rpFootRig_Forward(const rpFootRig* rig, rpVec3 rootPosition, const rpQuat* rotations, const rpVec3* translations,
					   rpTransform* world)
{
	const rpVec3* offsets = translations != NULL ? translations : rig->skeleton->offsets;
	world[0] = (rpTransform){rootPosition, rotations[0]};
	for (int k = 1; k < rig->chainCount; ++k)
	{
		int i = rig->chain[k];
		world[i] = rpMulTransform(world[rig->skeleton->parents[i]], (rpTransform){offsets[i], rotations[i]});
	}
}

void rpLeg_Sample(const rpLeg* leg, const rpTransform* world, rpFootSample* out)
{
	rpVec3 knee = world[leg->knee].p;
	out->hip = world[leg->hip].p;
	out->ankle = world[leg->ankle];
	out->thigh = rpSub(knee, out->hip);
	out->shank = rpSub(out->ankle.p, knee);
	out->length = rpLength(out->thigh) + rpLength(out->shank);
	for (int i = 0; i < rp_solePointCount; ++i)
	{
		out->sole[i] = rpTransformPoint(world[leg->sole[i].joint], leg->sole[i].offset);
	}
	out->toe = leg->toe.joint >= 0 ? rpTransformPoint(world[leg->toe.joint], leg->toe.offset) : out->sole[1];
}

// A quaternion that rounding has left a bit off unit length: one step of Newton's method.
static rpQuat polish(rpQuat q)
{
	float s = 1.5f - 0.5f * rpDotQuat(q, q);
	return (rpQuat){s * q.w, s * q.x, s * q.y, s * q.z};
}

float rpGetFloorRaise(float under)
{
	float corner = under + FLOOR_CORNER;
	return under >= FLOOR_CORNER ? under : corner > 0.0f ? corner * corner / (4.0f * FLOOR_CORNER) : 0.0f;
}

// Toes in the world, from the ball on, bent up in their own vertical plane until they are no lower than the floor.
static rpQuat raiseToes(const rpLeg* leg, rpQuat toes, rpVec3 ball, rpVec3 forward, float floor)
{
	rpVec3 offset = rpRotate(toes, leg->toe.offset);
	float length = rpLength(offset), raise = rpGetFloorRaise(floor - ball.y - offset.y);
	float rise = fminf(offset.y + raise, STEEPEST_TOES * length);
	if (!(raise > 0.0f) || !(rise > offset.y) || !(length > 0.0f))
	{
		return toes;
	}
	// Toes that point straight down have no plane of their own: the foot's decides.
	rpVec3 level = rpNormalize((rpVec3){offset.x + 0.1f * forward.x, 0.0f, offset.z + 0.1f * forward.z});
	rpVec3 raised = rpScale(sqrtf(length * length - rise * rise), level);
	raised.y = rise;
	return rpMulQuat(rpRotationBetween(offset, raised), toes);
}

// The toes keep to the floor as they did: they turn with the foot's heading alone.
static rpQuat turnToes(const rpLeg* leg, const rpTransform* world, const rpLegGoal* goal)
{
	rpQuat turn = rpMulQuat(goal->ankle.q, rpConjugate(world[leg->ankle].q));
	rpQuat yaw = rpNormalizeQuat((rpQuat){turn.w, 0.0f, turn.y, 0.0f});
	rpQuat toes = rpMulQuat(yaw, world[leg->ball].q);
	if (goal->hasToeFloor && leg->toe.joint >= 0)
	{
		rpVec3 forward = rpRotate(turn, rpSub(world[leg->ball].p, world[leg->ankle].p));
		toes = raiseToes(leg, toes, rpAdd(goal->ankle.p, forward), forward, goal->toeFloor);
	}
	return toes;
}

void rpLeg_Solve(const rpLeg* leg, const rpFootRig* rig, const rpTransform* world, rpVec3 rootShift,
				 const rpLegGoal* goal, rpLegSolution* out)
{
	const int* parents = rig->skeleton->parents;
	rpVec3 hip = world[leg->hip].p, knee = world[leg->knee].p, ankle = world[leg->ankle].p;
	rpVec3 thigh = rpSub(knee, hip), shank = rpSub(ankle, knee);
	rpVec3 reach = rpSub(goal->ankle.p, rpAdd(hip, rootShift));
	rpLimbTurns turns = rpBendLimb(thigh, shank, reach, rpRotate(world[leg->hip].q, leg->pole));

	// Joints between hip and knee, or knee and ankle, go along with the bone they are on.
	rpQuat upper = rpMulQuat(turns.upper, world[leg->hip].q);
	rpQuat aboveKnee = rpMulQuat(turns.upper, world[parents[leg->knee]].q);
	rpQuat lower = rpMulQuat(turns.lower, world[leg->knee].q);
	rpQuat aboveAnkle = rpMulQuat(turns.lower, world[parents[leg->ankle]].q);
	rpQuat hipParent = parents[leg->hip] >= 0 ? world[parents[leg->hip]].q : rpQuat_identity;
	out->hip = polish(rpMulQuat(rpConjugate(hipParent), upper));
	out->knee = polish(rpMulQuat(rpConjugate(aboveKnee), lower));
	out->ankle = polish(rpMulQuat(rpConjugate(aboveAnkle), goal->ankle.q));
	if (leg->ball >= 0)
	{
		rpQuat turn = rpMulQuat(goal->ankle.q, rpConjugate(world[leg->ankle].q));
		rpQuat aboveBall = rpMulQuat(turn, world[parents[leg->ball]].q);
		out->ball = polish(rpMulQuat(rpConjugate(aboveBall), turnToes(leg, world, goal)));
	}
	else
	{
		out->ball = rpQuat_identity;
	}
}

static void replace(rpQuat* old, rpQuat new)
{
	*old = rpDotQuat(*old, new) < 0.0f ? rpNegateQuat(new) : new;
}

void rpLeg_Put(const rpLeg* leg, const rpLegSolution* solution, rpQuat* rotations)
{
	replace(rotations + leg->hip, solution->hip);
	replace(rotations + leg->knee, solution->knee);
	replace(rotations + leg->ankle, solution->ankle);
	if (leg->ball >= 0)
	{
		replace(rotations + leg->ball, solution->ball);
	}
}
