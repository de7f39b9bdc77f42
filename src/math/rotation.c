/// Rotations: interpolation, rotation vectors, Euler angles.
#include "math/elementary.h"

// Below this sine or angle the series are exact in float.
#define SMALL_ANGLE 1e-4f

// Float quaternions this near to gimbal lock do not distinguish the outer angles.
#define GIMBAL_LOCK 1e-6

float rpWrapAngle(float radians)
{
	float turns = floorf((radians + (float)RP_PI) / (float)(2.0 * RP_PI));
	float wrapped = radians - turns * (float)(2.0 * RP_PI);
	return wrapped <= -(float)RP_PI ? wrapped + (float)(2.0 * RP_PI) : wrapped;
}

float rpAngleBetween(rpQuat a, rpQuat b)
{
	return rpLength(rpLogQuat(rpMulQuat(rpConjugate(a), b)));
}

rpQuat rpSlerp(rpQuat a, rpQuat b, float t)
{
	float cosine = rpDotQuat(a, b);
	if (cosine < 0.0f)
	{
		b = rpNegateQuat(b);
		cosine = -cosine;
	}
	float wa = 1.0f - t;
	float wb = t;
	// Nearly equal rotations: the straight line is the arc.
	if (cosine < 0.9995f)
	{
		float angle = rpAcos(cosine);
		float scale = 1.0f / rpSin(angle);
		wa = rpSin(wa * angle) * scale;
		wb = rpSin(wb * angle) * scale;
	}
	rpQuat q = {wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
	return rpNormalizeQuat(q);
}

rpVec3 rpLogQuat(rpQuat q)
{
	if (q.w < 0.0f)
	{
		q = rpNegateQuat(q);
	}
	rpVec3 v = {q.x, q.y, q.z};
	float sine = rpLength(v);
	float scale = sine < SMALL_ANGLE ? 2.0f : 2.0f * rpAtan2(sine, q.w) / sine;
	return rpScale(scale, v);
}

rpQuat rpExpQuat(rpVec3 v)
{
	float angle = rpLength(v);
	float s, c;
	rpSinCos(0.5f * angle, &s, &c);
	float scale = angle < SMALL_ANGLE ? 0.5f : s / angle;
	return rpNormalizeQuat((rpQuat){c, scale * v.x, scale * v.y, scale * v.z});
}

rpQuat rpRotationBetween(rpVec3 a, rpVec3 b)
{
	a = rpNormalize(a);
	b = rpNormalize(b);
	float cosine = rpDot(a, b);
	if (cosine < -0.999999f)
	{
		rpVec3 other = fabsf(a.x) < 0.6f ? (rpVec3){1.0f, 0.0f, 0.0f} : (rpVec3){0.0f, 1.0f, 0.0f};
		rpVec3 axis = rpNormalize(rpCross(a, other));
		return (rpQuat){0.0f, axis.x, axis.y, axis.z};
	}
	rpVec3 cross = rpCross(a, b);
	return rpNormalizeQuat((rpQuat){1.0f + cosine, cross.x, cross.y, cross.z});
}

float rpHeading(rpQuat q)
{
	rpVec3 forward = rpRotate(q, (rpVec3){0.0f, 0.0f, 1.0f});
	if (fabsf(forward.y) > 0.95f)
	{
		// Bent forward, the top of the body points ahead; bent back, behind.
		rpVec3 up = rpRotate(q, (rpVec3){0.0f, 1.0f, 0.0f});
		forward = forward.y < 0.0f ? up : rpScale(-1.0f, up);
	}
	return rpAtan2(forward.x, forward.z);
}

void rpEulerOrder_GetAxes(rpEulerOrder order, int axes[3])
{
	static const int table[rp_eulerOrderCount][3] = {
		[rp_orderXYZ] = {0, 1, 2}, [rp_orderXZY] = {0, 2, 1}, [rp_orderYXZ] = {1, 0, 2},
		[rp_orderYZX] = {1, 2, 0}, [rp_orderZXY] = {2, 0, 1}, [rp_orderZYX] = {2, 1, 0},
	};
	for (int i = 0; i < 3; ++i)
	{
		axes[i] = table[order][i];
	}
}

rpQuat rpFromEuler(rpVec3 angles, rpEulerOrder order)
{
	int axes[3];
	rpEulerOrder_GetAxes(order, axes);
	const float values[3] = {angles.x, angles.y, angles.z};
	rpQuat q = rpQuat_identity;
	for (int i = 0; i < 3; ++i)
	{
		float s, c;
		rpSinCos(0.5f * values[axes[i]], &s, &c);
		rpQuat turn = {c, axes[i] == 0 ? s : 0.0f, axes[i] == 1 ? s : 0.0f, axes[i] == 2 ? s : 0.0f};
		q = rpMulQuat(q, turn);
	}
	return q;
}

rpVec3 rpToEuler(rpQuat q, rpEulerOrder order)
{
	int axes[3];
	rpEulerOrder_GetAxes(order, axes);
	int i = axes[0], j = axes[1], k = axes[2];
	double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;

	// With half angles a, b, c about the three axes: w + y and x + z are (cos b + sin b) times the cosine and sine of
	// a + c, and w - y and x - z are (cos b - sin b) times those of a - c (Bernardes & Viollet 2022). No precision is
	// lost near gimbal lock, where one of the two pairs vanishes.
	const double v[3] = {q.x, q.y, q.z};
	double w = q.w, x = v[i], y = v[j], z = sign * v[k];
	double sumLength = rpHypotDouble(w + y, x + z), differenceLength = rpHypotDouble(w - y, x - z);
	double middle = 2.0 * rpAtan2Double(sumLength, differenceLength) - 0.5 * RP_PI;
	double sum = rpAtan2Double(x + z, w + y), difference = rpAtan2Double(x - z, w - y);
	double first = sum + difference, last = sign * (sum - difference);
	if (sumLength < GIMBAL_LOCK || differenceLength < GIMBAL_LOCK)
	{
		// Only the sum or the difference of the outer angles is determined: the first takes all of it.
		first = 2.0 * (sumLength > differenceLength ? sum : difference);
		last = 0.0;
	}
	first = remainder(first, 2.0 * RP_PI);
	last = remainder(last, 2.0 * RP_PI);
	float out[3];
	out[i] = (float)first;
	out[j] = (float)middle;
	out[k] = (float)last;
	return (rpVec3){out[0], out[1], out[2]};
}
