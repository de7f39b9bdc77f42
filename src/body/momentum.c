/// Centre of mass and momentum.
#include "reprise/play/body.h"

rpVec3 rpBody_GetCenter(const rpBody* body, const rpTransform* pose)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < body->segmentCount; ++i)
	{
		const rpSegment* segment = body->segments + i;
		sum = rpMulAdd(sum, segment->mass / body->mass, rpTransformPoint(pose[segment->joint], segment->center));
	}
	return sum;
}

void rpBody_GetCenters(const rpBody* body, const rpMotion* motion, rpVec3* out)
{
	rpTransform pose[RP_MAX_JOINTS];
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame, pose);
		out[frame] = rpBody_GetCenter(body, pose);
	}
}

rpMomentum rpBody_GetMomentum(const rpBody* body, const rpTransform* before, const rpTransform* after, float seconds)
{
	float rate = 1.0f / seconds;
	rpVec3 old = rpBody_GetCenter(body, before), new = rpBody_GetCenter(body, after);
	rpVec3 center = rpLerp(old, new, 0.5f), velocity = rpScale(rate, rpSub(new, old));
	rpMomentum momentum = {rpScale(body->mass, velocity), rpVec3_zero};
	for (int i = 0; i < body->segmentCount; ++i)
	{
		const rpSegment* s = body->segments + i;
		rpTransform a = before[s->joint], b = after[s->joint];
		rpVec3 p = rpTransformPoint(a, s->center), q = rpTransformPoint(b, s->center);
		rpVec3 arm = rpSub(rpLerp(p, q, 0.5f), center);
		rpVec3 relative = rpSub(rpScale(rate, rpSub(q, p)), velocity);
		rpVec3 spin = rpScale(rate, rpLogQuat(rpMulQuat(b.q, rpConjugate(a.q))));
		rpVec3 axis = rpRotate(rpSlerp(a.q, b.q, 0.5f), s->axis);
		rpVec3 own = rpMulAdd(rpScale(s->across, spin), (s->along - s->across) * rpDot(axis, spin), axis);
		momentum.angular = rpAdd(momentum.angular, rpMulAdd(own, s->mass, rpCross(arm, relative)));
	}
	return momentum;
}
