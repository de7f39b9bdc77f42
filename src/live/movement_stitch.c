/// At the knot a pose A ends the one movement and B begins the other. Both are led to M, half-way between them, with
/// the mean of their velocities: by D with D A = M, D turning as fast as M less what A's own turning gives. D is kept
/// as the Rodrigues vector g, its quaternion being (1, g) without its length; with the angular velocity w of D, g
/// changes by (w + w×g + g (g·w)) / 2. So value and velocity are met exactly, and between the knot and the end g is
/// led to nothing by the cubic that has neither value nor slope there.
#include "live/movement_stitch.h"

// No joint is bent by more than this at one side: the half angle's tangent for 120 degrees.
#define GREATEST_BEND 1.7f

static rpVec3 getRodrigues(rpQuat q)
{
	// Of the two quaternions of a rotation the one of the smaller angle.
	float w = fmaxf(fabsf(q.w), 1e-6f), sign = q.w < 0.0f ? -1.0f : 1.0f;
	rpVec3 g = rpScale(sign / w, (rpVec3){q.x, q.y, q.z});
	float length = rpLength(g);
	return length > GREATEST_BEND ? rpScale(GREATEST_BEND / length, g) : g;
}

// Of a parabola through three values, at the first, from what the others differ from it by.
static rpVec3 getSlope(rpVec3 beside, rpVec3 beyond, float seconds)
{
	return rpScale(0.5f / seconds, rpSub(rpScale(4.0f, beside), beyond));
}

static rpVec3 getTurn(rpQuat from, rpQuat to)
{
	return rpLogQuat(rpMulQuat(to, rpConjugate(from)));
}

static rpVec3 getJointVelocity(const rpKnotSide* side, int i)
{
	rpQuat at = side->at.rotations[i];
	return getSlope(getTurn(at, side->beside.rotations[i]), getTurn(at, side->beyond.rotations[i]), side->seconds);
}

static rpVec3 getRootVelocity(const rpKnotSide* side)
{
	return getSlope(rpSub(side->beside.rootPosition, side->at.rootPosition),
					rpSub(side->beyond.rootPosition, side->at.rootPosition), side->seconds);
}

static rpVec3 getRodriguesRate(rpVec3 g, rpVec3 velocity)
{
	rpVec3 sum = rpAdd(rpAdd(velocity, rpCross(velocity, g)), rpScale(rpDot(g, velocity), g));
	return rpScale(0.5f, sum);
}

// What brings a pose with its velocity to the middle with its velocity.
static rpBend bendTo(rpQuat middle, rpVec3 middleVelocity, rpQuat own, rpVec3 ownVelocity)
{
	rpQuat difference = rpMulQuat(middle, rpConjugate(own));
	rpVec3 g = getRodrigues(difference);
	rpVec3 velocity = rpSub(middleVelocity, rpRotate(difference, ownVelocity));
	return (rpBend){g, getRodriguesRate(g, velocity)};
}

static rpQuat getMiddle(rpQuat a, rpQuat b)
{
	float sign = rpDotQuat(a, b) < 0.0f ? -1.0f : 1.0f;
	return rpNormalizeQuat((rpQuat){a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z});
}

void rpMakeStitch(const rpKnotSide* before, const rpKnotSide* after, float beforeLength, float afterLength,
				  rpStitch* tail, rpStitch* head)
{
	rpVec3 gap = rpScale(0.5f, rpSub(after->at.rootPosition, before->at.rootPosition));
	rpVec3 change = rpScale(0.5f, rpSub(getRootVelocity(after), getRootVelocity(before)));
	tail->length = beforeLength;
	head->length = afterLength;
	// The tail's time runs backwards from the knot.
	tail->root = (rpBend){gap, rpScale(-1.0f, change)};
	head->root = (rpBend){rpScale(-1.0f, gap), rpScale(-1.0f, change)};
	for (int i = 0; i < tail->jointCount; ++i)
	{
		rpQuat a = before->at.rotations[i], b = after->at.rotations[i], middle = getMiddle(a, b);
		rpVec3 u = getJointVelocity(before, i), v = getJointVelocity(after, i);
		rpVec3 mean = rpScale(0.5f, rpAdd(u, v));
		tail->joints[i] = bendTo(middle, mean, a, u);
		tail->joints[i].rate = rpScale(-1.0f, tail->joints[i].rate);
		head->joints[i] = bendTo(middle, mean, b, v);
	}
}

void rpStitch_Apply(const rpStitch* stitch, float time, rpPose* pose)
{
	if (!(time < stitch->length))
	{
		return;
	}
	// (1-s)² (1+2s) is 1 at 0 without slope, (1-s)² s is 0 there with slope 1.
	float s = time / stitch->length, rest = (1.0f - s) * (1.0f - s);
	float value = rest * (1.0f + 2.0f * s), rate = rest * s * stitch->length;
	pose->rootPosition = rpMulAdd(rpMulAdd(pose->rootPosition, value, stitch->root.value), rate, stitch->root.rate);
	for (int i = 0; i < stitch->jointCount; ++i)
	{
		const rpBend* bend = &stitch->joints[i];
		rpVec3 g = rpMulAdd(rpScale(value, bend->value), rate, bend->rate);
		pose->rotations[i] = rpNormalizeQuat(rpMulQuat((rpQuat){1.0f, g.x, g.y, g.z}, pose->rotations[i]));
	}
}
