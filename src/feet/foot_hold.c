#include "feet/foot_hold.h"

#include "feet/feet_track.h"

// The ankle turns from the one frame to the other about the point that bears, whose place lies between its two.
static rpTransform findAnkle(const rpFootSample* a, const rpFootSample* b, float t, unsigned bears)
{
	int pivot = rpChoosePivot(bears);
	rpQuat turn = rpSlerp(a->ankle.q, b->ankle.q, t);
	rpVec3 from = rpGetBearer(a, pivot), place = rpLerp(from, rpGetBearer(b, pivot), t);
	rpVec3 arm = rpRotate(rpMulQuat(turn, rpConjugate(a->ankle.q)), rpSub(from, a->ankle.p));
	return (rpTransform){rpSub(place, arm), turn};
}

void rpHoldFeet(const rpFootRig* rig, const rpPose* a, const rpPose* b, float t, unsigned resting, rpTransform* world,
				rpPose* pose)
{
	size_t jointCount = (size_t)rig->skeleton->jointCount;
	rpTransform *worldA = world + jointCount, *worldB = worldA + jointCount;
	rpFootRig_Forward(rig, a->rootPosition, a->rotations, NULL, worldA);
	rpFootRig_Forward(rig, b->rootPosition, b->rotations, NULL, worldB);
	rpFootRig_Forward(rig, pose->rootPosition, pose->rotations, NULL, world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpLeg* leg = &rig->legs[side];
		unsigned bears = rpGetBearing(side, resting);
		if (leg->isThere && bears != 0)
		{
			rpFootSample sampleA, sampleB;
			rpLeg_Sample(leg, worldA, &sampleA);
			rpLeg_Sample(leg, worldB, &sampleB);
			rpLegGoal goal = {.ankle = findAnkle(&sampleA, &sampleB, t, bears)};
			rpLegSolution solved;
			rpLeg_Solve(leg, rig, world, rpVec3_zero, &goal, &solved);
			rpLeg_Put(leg, &solved, pose->rotations);
		}
	}
}
