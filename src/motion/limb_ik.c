/// Analytic inverse kinematics of a limb of two bones (Tolani, Goswami & Badler 2000, "Real-time inverse kinematics
/// techniques for anthropomorphic limbs"): the law of cosines gives the middle joint's place on its circle, and the
/// place on the circle is the one that the limb had before, carried along by the smallest turn. No angle is computed:
/// turns are made from cosines and sines of planar directions by the half-angle form.
#include "motion/limb_ik.h"

#include "reprise/play/limb.h"

// A middle joint nearer to the straight line than this part of the limb takes its direction more and more from the
// pole.
#define NEARLY_STRAIGHT 0.04f

// A limb may be bent backwards by so much and still be one that ought to be straight, as a share of its length: 35
// degrees. Beyond it limbs are built another way.
#define MAX_BACKWARDS 0.15f

static rpVec3 getPerpendicular(rpVec3 v, rpVec3 unit)
{
	return rpMulAdd(v, -rpDot(v, unit), unit);
}

// Where the middle joint stands off the line from root to end, unit. Nearly straight, and more so if bent backwards,
// its place says little or the wrong thing: then the pole decides. What is bent backwards a bit must not be bent more
// that way where the limb has to become shorter.
static rpVec3 findBend(rpVec3 upper, rpVec3 along, float length, rpVec3 pole)
{
	rpVec3 bend = getPerpendicular(upper, along), front = getPerpendicular(pole, along);
	// What rounding leaves of a pole along the limb is no direction.
	front = rpDot(front, front) > 1e-8f * rpDot(pole, pole) ? rpNormalize(front) : rpVec3_zero;
	float straight = NEARLY_STRAIGHT * length, ahead = rpDot(bend, front), share = 1.0f - fmaxf(ahead, 0.0f) / straight;
	if (ahead < 0.0f && rpLength(bend) < MAX_BACKWARDS * length)
	{
		bend = rpMulAdd(bend, -ahead, front);
	}
	if (share > 0.0f && rpLength(bend) < 2.0f * straight)
	{
		bend = rpMulAdd(bend, straight * share * share, front);
	}
	if (!(rpDot(bend, bend) > 1e-12f * length * length))
	{
		// The pole lies along the limb: any side is as good, but always the same one.
		bend = getPerpendicular(fabsf(along.z) < 0.9f ? (rpVec3){0, 0, 1} : (rpVec3){1, 0, 0}, along);
	}
	return rpNormalize(bend);
}

// The turn about a unit axis that takes planar direction (x, y) to (newX, newY), whose lengths squared are `square`.
static rpQuat turnInPlane(rpVec3 axis, float x, float y, float newX, float newY, float square)
{
	float cosine = x * newX + y * newY, sine = x * newY - y * newX;
	float whole = fmaxf(square, 0.0f) + cosine;
	if (!(whole > 1e-6f * square))
	{
		return (rpQuat){0.0f, axis.x, axis.y, axis.z};
	}
	return rpNormalizeQuat((rpQuat){whole, sine * axis.x, sine * axis.y, sine * axis.z});
}

// The smallest turn from one unit direction to another.
static rpQuat turnBetween(rpVec3 a, rpVec3 b)
{
	float cosine = rpDot(a, b);
	if (cosine < -0.999f)
	{
		return rpRotationBetween(a, b);
	}
	rpVec3 cross = rpCross(a, b);
	return rpNormalizeQuat((rpQuat){1.0f + cosine, cross.x, cross.y, cross.z});
}

// The middle joint's part off the plane of the bend is kept: what is left is two bones in a plane.
rpLimbTurns rpBendLimb(rpVec3 upper, rpVec3 lower, rpVec3 reach, rpVec3 pole)
{
	rpVec3 span = rpAdd(upper, lower);
	float length = rpLength(upper) + rpLength(lower);
	rpVec3 along = rpNormalize(rpLength(span) > 1e-4f * length ? span : upper);
	rpVec3 bend = findBend(upper, along, length, pole), axis = rpCross(along, bend);
	float x = rpDot(upper, along), y = rpDot(upper, bend);
	float x2 = rpDot(lower, along), y2 = rpDot(lower, bend);
	float aa = x * x + y * y, bb = x2 * x2 + y2 * y2, a = sqrtf(aa), b = sqrtf(bb);
	float wanted = rpLength(reach);
	float distance = fminf(fmaxf(wanted, fabsf(a - b) + 1e-6f * length), a + b);
	rpVec3 newAlong = wanted > 1e-4f * length ? rpScale(1.0f / wanted, reach) : along;

	// In the plane the upper bone goes to (newX, newY), the lower one from there to (distance, 0).
	float newX = (aa - bb + distance * distance) / (2.0f * distance);
	float newY = sqrtf(fmaxf(aa - newX * newX, 0.0f));
	rpQuat swing = turnBetween(along, newAlong);
	return (rpLimbTurns){
		.upper = rpMulQuat(swing, turnInPlane(axis, x, y, newX, newY, aa)),
		.lower = rpMulQuat(swing, turnInPlane(axis, x2, y2, distance - newX, -newY, bb)),
	};
}

float rpSolveLimb(rpLimb* limb, rpVec3 target, rpVec3 pole)
{
	rpVec3 upper = rpSub(limb->middle, limb->root), lower = rpSub(limb->end, limb->middle);
	if (rpDot(upper, upper) > 0.0f && rpDot(lower, lower) > 0.0f)
	{
		rpLimbTurns turns = rpBendLimb(upper, lower, rpSub(target, limb->root), pole);
		limb->upper = rpNormalizeQuat(rpMulQuat(turns.upper, limb->upper));
		limb->lower = rpNormalizeQuat(rpMulQuat(turns.lower, limb->lower));
		limb->middle = rpAdd(limb->root, rpRotate(turns.upper, upper));
		limb->end = rpAdd(limb->middle, rpRotate(turns.lower, lower));
	}
	return rpDistance(limb->end, target);
}
