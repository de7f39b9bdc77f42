/// Analytic inverse kinematics of a limb of two bones (Tolani, Goswami & Badler 2000, "Real-time inverse kinematics
/// techniques for anthropomorphic limbs"): the law of cosines gives the middle joint's place on its circle, and the
/// place on the circle is the one that the limb had before, carried along by the smallest turn.
#include "reprise/play/limb.h"

// A bend whose middle joint is nearer to the straight line than this part of the limb has no plane of its own.
#define STRAIGHT 1e-4f

// The turn that takes the frame (along, side) to the frame (newAlong, newSide); all unit, each pair perpendicular.
static rpQuat turnFrame(rpVec3 along, rpVec3 side, rpVec3 newAlong, rpVec3 newSide)
{
	rpQuat swing = rpRotationBetween(along, newAlong);
	rpVec3 swung = rpRotate(swing, side);
	float angle = atan2f(rpDot(rpCross(swung, newSide), newAlong), rpDot(swung, newSide));
	return rpMulQuat(rpAxisAngle(newAlong, angle), swing);
}

static rpVec3 getPerpendicular(rpVec3 v, rpVec3 unit)
{
	return rpMulAdd(v, -rpDot(v, unit), unit);
}

// Where the middle joint stands off the line from root to end; the pole decides when it hardly does.
static rpVec3 findBend(const rpLimb* limb, rpVec3 along, float length, rpVec3 pole)
{
	rpVec3 bend = getPerpendicular(rpSub(limb->middle, limb->root), along);
	if (rpLength(bend) < STRAIGHT * length)
	{
		bend = getPerpendicular(pole, along);
	}
	if (rpLength(bend) < STRAIGHT * rpLength(pole) || rpLength(bend) == 0.0f)
	{
		// The pole lies along the limb: any side is as good, but always the same one.
		bend = getPerpendicular(fabsf(along.z) < 0.9f ? (rpVec3){0, 0, 1} : (rpVec3){1, 0, 0}, along);
	}
	return rpNormalize(bend);
}

// Turn a bone to its new direction together with the normal of the bend's plane.
static rpQuat turnBone(rpQuat q, rpVec3 from, rpVec3 to, rpVec3 normal, rpVec3 newNormal)
{
	return rpNormalizeQuat(rpMulQuat(turnFrame(rpNormalize(from), normal, rpNormalize(to), newNormal), q));
}

float rpSolveLimb(rpLimb* limb, rpVec3 target, rpVec3 pole)
{
	rpVec3 oldUpper = rpSub(limb->middle, limb->root), oldLower = rpSub(limb->end, limb->middle);
	float a = rpLength(oldUpper), b = rpLength(oldLower);
	if (a == 0.0f || b == 0.0f)
	{
		return rpDistance(limb->end, target);
	}
	rpVec3 span = rpSub(limb->end, limb->root);
	rpVec3 along = rpNormalize(rpLength(span) > STRAIGHT * (a + b) ? span : oldUpper);
	rpVec3 bend = findBend(limb, along, a + b, pole);
	rpVec3 reach = rpSub(target, limb->root);
	float wanted = rpLength(reach);
	float distance = fminf(fmaxf(wanted, fabsf(a - b)), a + b);
	rpVec3 newAlong = wanted > 1e-6f * (a + b) ? rpScale(1.0f / wanted, reach) : along;
	rpVec3 newBend = rpRotate(rpRotationBetween(along, newAlong), bend);

	// The middle joint's place along the line and off it.
	float x = distance > 0.0f ? (a * a - b * b + distance * distance) / (2.0f * distance) : a;
	float y = sqrtf(fmaxf(a * a - x * x, 0.0f));
	rpVec3 middle = rpMulAdd(rpMulAdd(limb->root, x, newAlong), y, newBend);
	rpVec3 end = rpMulAdd(limb->root, distance, newAlong);

	rpVec3 normal = rpCross(along, bend), newNormal = rpCross(newAlong, newBend);
	limb->upper = turnBone(limb->upper, oldUpper, rpSub(middle, limb->root), normal, newNormal);
	limb->lower = turnBone(limb->lower, oldLower, rpSub(end, middle), normal, newNormal);
	limb->middle = middle;
	limb->end = end;
	return rpDistance(end, target);
}
