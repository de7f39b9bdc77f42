/// Euler angles that go on from frame to frame.
///
/// A rotation has two triples of angles, (a, b, c) and (a + 180, 180 - b, c + 180), each up to whole turns; at gimbal
/// lock it has a line of them. Other programs interpolate the angles, so the ones next to the last frame's are right.
#include "file/bvh_angles.h"

// As good as gimbal lock for rotations in float: the vanishing pair below says nothing any more.
#define GIMBAL_LOCK 1e-6

#define LARGEST_ANGLE 3600.0

// The principal angles, middle within ±90 degrees. With half angles a, b, c about the three axes, w + y and x + z are
// (cos b + sin b) times cosine and sine of a + c, and w - y and x - z are (cos b - sin b) times those of a - c
// (Bernardes & Viollet 2022). Where a pair vanishes, the frame before shows what it would have been.
static BvhAngles getPrincipal(rpQuat q, const int axes[3], const BvhAngles* before)
{
	double sign = (axes[1] - axes[0] + 3) % 3 == 1 ? 1.0 : -1.0;
	const double v[3] = {q.x, q.y, q.z};
	double w = q.w, x = v[axes[0]], y = v[axes[1]], z = sign * v[axes[2]];
	double sumLength = sqrt((w + y) * (w + y) + (x + z) * (x + z));
	double differenceLength = sqrt((w - y) * (w - y) + (x - z) * (x - z));
	double sum = atan2(x + z, w + y), difference = atan2(x - z, w - y);
	if (sumLength < GIMBAL_LOCK)
	{
		sum = before != NULL ? 0.5 * RP_DEGREE * (before->values[0] + sign * before->values[2]) : difference;
	}
	else if (differenceLength < GIMBAL_LOCK)
	{
		difference = before != NULL ? 0.5 * RP_DEGREE * (before->values[0] - sign * before->values[2]) : sum;
	}
	double middle = 2.0 * atan2(sumLength, differenceLength) - 0.5 * RP_PI;
	return (BvhAngles){{(sum + difference) / RP_DEGREE, middle / RP_DEGREE, sign * (sum - difference) / RP_DEGREE}};
}

// Each angle moved by whole turns next to the one before; returns how far apart they are still.
static double approach(BvhAngles* angles, const BvhAngles* before)
{
	double distance = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		double goal = before != NULL ? before->values[i] : 0.0;
		goal = fabs(goal) < LARGEST_ANGLE ? goal : 0.0;
		angles->values[i] = goal + remainder(angles->values[i] - goal, 360.0);
		distance += fabs(angles->values[i] - goal);
	}
	return distance;
}

BvhAngles bvhGetAngles(rpQuat q, const int axes[3], const BvhAngles* before)
{
	BvhAngles angles = getPrincipal(q, axes, before);
	BvhAngles others = {{angles.values[0] + 180.0, 180.0 - angles.values[1], angles.values[2] + 180.0}};
	double distance = approach(&angles, before);
	return before == NULL || distance <= approach(&others, before) ? angles : others;
}
