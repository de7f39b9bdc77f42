#include "live/foot_hold.h"

#include "live/leg_bend.h"
#include "reprise/motion.h"

static const rpEffector s_soles[rp_legCount][rp_solePointCount] = {{rp_leftHeel, rp_leftBall},
																   {rp_rightHeel, rp_rightBall}};

// The ankle turns from the one frame to the other, and is where the points that rest come to lie between theirs.
static rpTransform findAnkle(const rpFootSample* a, const rpFootSample* b, float t, const bool* rests)
{
	rpQuat turn = rpSlerp(a->ankle.q, b->ankle.q, t);
	rpQuat fromA = rpMulQuat(turn, rpConjugate(a->ankle.q));
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		if (rests[point])
		{
			rpVec3 place = rpLerp(a->sole[point], b->sole[point], t);
			sum = rpAdd(sum, rpSub(place, rpRotate(fromA, rpSub(a->sole[point], a->ankle.p))));
			++count;
		}
	}
	return (rpTransform){rpScale(1.0f / (float)count, sum), turn};
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
		bool rests[rp_solePointCount] = {(resting >> s_soles[side][0] & 1) != 0,
										 (resting >> s_soles[side][1] & 1) != 0};
		if (leg->isThere && (rests[0] || rests[1]))
		{
			rpFootSample sampleA, sampleB;
			rpLeg_Sample(leg, worldA, &sampleA);
			rpLeg_Sample(leg, worldB, &sampleB);
			rpBendLeg(rig, side, world, rpVec3_zero, findAnkle(&sampleA, &sampleB, t, rests), pose);
		}
	}
}
