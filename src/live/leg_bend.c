#include "live/leg_bend.h"

static void replace(rpQuat* old, rpQuat new)
{
	*old = rpDotQuat(*old, new) < 0.0f ? rpNegateQuat(new) : new;
}

void rpBendLeg(const rpFootRig* rig, int side, const rpTransform* world, rpVec3 rootShift, rpTransform ankle,
			   rpPose* pose)
{
	const rpLeg* leg = &rig->legs[side];
	rpLegGoal goal = {.ankle = ankle};
	rpLegSolution solved;
	rpLeg_Solve(leg, rig, world, rootShift, &goal, &solved);
	replace(pose->rotations + leg->hip, solved.hip);
	replace(pose->rotations + leg->knee, solved.knee);
	replace(pose->rotations + leg->ankle, solved.ankle);
	if (leg->ball >= 0)
	{
		replace(pose->rotations + leg->ball, solved.ball);
	}
}
