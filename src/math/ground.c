#include "reprise/play/math.h"

static rpVec3 turnVector(float turn, rpVec3 v)
{
	float c = cosf(turn), s = sinf(turn);
	return (rpVec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

rpGround rpGround_Compose(rpGround a, rpGround b)
{
	return (rpGround){rpWrapAngle(a.turn + b.turn), rpGround_Apply(a, b.shift)};
}

rpGround rpGround_Invert(rpGround g)
{
	return (rpGround){-g.turn, rpScale(-1.0f, turnVector(-g.turn, g.shift))};
}

rpVec3 rpGround_Apply(rpGround g, rpVec3 point)
{
	return rpAdd(turnVector(g.turn, point), g.shift);
}
