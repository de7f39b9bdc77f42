#include "reprise/play/math.h"

static rpVec3 turnVector(float turn, rpVec3 v)
{
	float s, c;
	rpSinCos(turn, &s, &c);
	return (rpVec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

rpGroundTransform rpGroundTransform_Compose(rpGroundTransform a, rpGroundTransform b)
{
	return (rpGroundTransform){rpWrapAngle(a.turn + b.turn), rpGroundTransform_Apply(a, b.shift)};
}

rpGroundTransform rpGroundTransform_Invert(rpGroundTransform g)
{
	return (rpGroundTransform){-g.turn, rpScale(-1.0f, turnVector(-g.turn, g.shift))};
}

rpVec3 rpGroundTransform_Apply(rpGroundTransform g, rpVec3 point)
{
	return rpAdd(turnVector(g.turn, point), g.shift);
}
