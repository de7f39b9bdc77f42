#include "solve/turning_way.h"

#include <math.h>

// Rounding must not send anybody around in a circle.
#define SAME_ANGLE 1e-6

static double getRadius(const rpTurningCircles* circles, int side)
{
	return side > 0 ? circles->left : circles->right;
}

// By how much one turns to a side to change the direction by an angle.
static double wrapTurn(double angle, int side)
{
	double turn = fmod(side * angle, 2.0 * RP_PI);
	turn = turn < 0.0 ? turn + 2.0 * RP_PI : turn;
	return turn > 2.0 * RP_PI - SAME_ANGLE ? 0.0 : turn;
}

// The middle of the circle to a side.
static void findMiddle(rpTurningPlace at, int side, double radius, double* x, double* z)
{
	*x = at.x + side * radius * cos(at.turn);
	*z = at.z - side * radius * sin(at.turn);
}

double rpTurningCircles_FindWayToPlace(const rpTurningCircles* circles, rpTurningPlace from, double x, double z)
{
	double best = (double)INFINITY;
	for (int side = -1; side <= 1; side += 2)
	{
		double radius = getRadius(circles, side), middleX, middleZ;
		if (!isfinite(radius))
		{
			continue;
		}
		findMiddle(from, side, radius, &middleX, &middleZ);
		double dx = x - middleX, dz = z - middleZ, distance = hypot(dx, dz);
		if (distance >= radius)
		{
			double heading = atan2(dx, dz) + side * asin(radius / fmax(distance, 1e-9));
			double way = radius * wrapTurn(heading - from.turn, side) + sqrt(distance * distance - radius * radius);
			best = fmin(best, way);
		}
	}
	return best;
}

// A turn, a straight stretch along the line that touches both circles, and a turn.
static double findCurve(const rpTurningCircles* circles, rpTurningPlace from, rpTurningPlace to, int first, int last)
{
	double r1 = getRadius(circles, first), r2 = getRadius(circles, last), x1, z1, x2, z2;
	if (!isfinite(r1) || !isfinite(r2))
	{
		return (double)INFINITY;
	}
	findMiddle(from, first, r1, &x1, &z1);
	findMiddle(to, last, r2, &x2, &z2);
	double dx = x2 - x1, dz = z2 - z1, gap = hypot(dx, dz), across = first != last ? r1 + r2 : 0.0;
	if (gap < across)
	{
		return (double)INFINITY;
	}
	double heading = gap < 1e-9 ? from.turn : atan2(dx, dz) + first * asin(across / fmax(gap, 1e-9));
	return r1 * wrapTurn(heading - from.turn, first) + sqrt(gap * gap - across * across) +
		   r2 * wrapTurn(to.turn - heading, last);
}

double rpTurningCircles_FindWay(const rpTurningCircles* circles, rpTurningPlace from, rpTurningPlace to)
{
	double best = (double)INFINITY;
	for (int first = -1; first <= 1; first += 2)
	{
		for (int last = -1; last <= 1; last += 2)
		{
			best = fmin(best, findCurve(circles, from, to, first, last));
		}
	}
	return best;
}
