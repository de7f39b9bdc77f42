/// Vectors, quaternions and ground transforms, by value.
///
/// Metres and radians. Right-handed, Y up; a character at rest faces +Z, so +X is its left.
/// Quaternions are (w, x, y, z), unit, and rotate column vectors: q1*q2 turns by q2 first, then by q1.
#pragma once

#include "reprise/play/base.h"

#include <math.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define RP_PI 3.14159265358979323846
#define RP_DEGREE (RP_PI / 180.0)

typedef struct rpVec2
{
	float x, y;
} rpVec2;

typedef struct rpVec3
{
	float x, y, z;
} rpVec3;

typedef struct rpQuat
{
	float w, x, y, z;
} rpQuat;

/// A place and an orientation: x -> rotate(q, x) + p.
typedef struct rpTransform
{
	rpVec3 p;
	rpQuat q;
} rpTransform;

/// A ground transform T(turn, shift): turn about the vertical through the origin, then shift.
/// turn is in radians, counter-clockwise seen from above (+Z towards +X). shift.y is the height of support,
/// normally 0.
typedef struct rpGroundTransform
{
	float turn;
	rpVec3 shift;
} rpGroundTransform;

#define rpVec3_zero (RP_LITERAL(rpVec3){0.0f, 0.0f, 0.0f})
#define rpQuat_identity (RP_LITERAL(rpQuat){1.0f, 0.0f, 0.0f, 0.0f})
#define rpGroundTransform_identity (RP_LITERAL(rpGroundTransform){0.0f, {0.0f, 0.0f, 0.0f}})

/// Sine and cosine of an angle, the angle from +x to (x, y) (-pi … pi), the angle of a cosine (0 … pi), powers of e,
/// natural logarithm, the length of (x, y): as those of libm, within one unit of the last place, but with the same bits
/// on every machine, which libm's are not. Angles beyond 10^6 rad lose digits, and the sine of -0 is 0; what is no
/// number, no angle (infinite, rpAtan2 of two infinite numbers) or out of range gives NAN.
RP_API float rpSin(float radians);
RP_API float rpCos(float radians);
RP_API void rpSinCos(float radians, float* sine, float* cosine);
RP_API float rpAtan2(float y, float x);
RP_API float rpAcos(float cosine);
RP_API float rpExp(float x);
RP_API float rpLog(float x);
RP_API float rpHypot(float x, float y);

/// From 0 to 1 as s goes from 0 to 1, without slope at both ends: s² (3 - 2 s). Below and above it stays.
static inline double rpSmoothstep(double s)
{
	s = fmin(fmax(s, 0.0), 1.0);
	return s * s * (3.0 - 2.0 * s);
}

static inline float rpSmoothstepFloat(float s)
{
	s = fminf(fmaxf(s, 0.0f), 1.0f);
	return s * s * (3.0f - 2.0f * s);
}

static inline rpVec3 rpAdd(rpVec3 a, rpVec3 b)
{
	return RP_LITERAL(rpVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline rpVec3 rpSub(rpVec3 a, rpVec3 b)
{
	return RP_LITERAL(rpVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline rpVec3 rpScale(float s, rpVec3 a)
{
	return RP_LITERAL(rpVec3){s * a.x, s * a.y, s * a.z};
}

/// a + s*b
static inline rpVec3 rpMulAdd(rpVec3 a, float s, rpVec3 b)
{
	return RP_LITERAL(rpVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline rpVec3 rpLerp(rpVec3 a, rpVec3 b, float t)
{
	return RP_LITERAL(rpVec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static inline float rpDot(rpVec3 a, rpVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rpVec3 rpCross(rpVec3 a, rpVec3 b)
{
	return RP_LITERAL(rpVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float rpLength(rpVec3 a)
{
	return sqrtf(rpDot(a, a));
}

static inline float rpDistance(rpVec3 a, rpVec3 b)
{
	return rpLength(rpSub(a, b));
}

/// Unit vector along a; zero stays zero.
static inline rpVec3 rpNormalize(rpVec3 a)
{
	float length = rpLength(a);
	return length > 0.0f ? rpScale(1.0f / length, a) : rpVec3_zero;
}

static inline rpQuat rpMulQuat(rpQuat a, rpQuat b)
{
	return RP_LITERAL(rpQuat){
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
	};
}

static inline rpQuat rpConjugate(rpQuat q)
{
	return RP_LITERAL(rpQuat){q.w, -q.x, -q.y, -q.z};
}

static inline rpQuat rpNegateQuat(rpQuat q)
{
	return RP_LITERAL(rpQuat){-q.w, -q.x, -q.y, -q.z};
}

static inline float rpDotQuat(rpQuat a, rpQuat b)
{
	return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Unit quaternion along q; zero becomes the identity.
static inline rpQuat rpNormalizeQuat(rpQuat q)
{
	float square = rpDotQuat(q, q);
	if (!(square > 0.0f))
	{
		return rpQuat_identity;
	}
	float s = 1.0f / sqrtf(square);
	return RP_LITERAL(rpQuat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/// v turned by q.
static inline rpVec3 rpRotate(rpQuat q, rpVec3 v)
{
	rpVec3 u = {q.x, q.y, q.z};
	rpVec3 t = rpScale(2.0f, rpCross(u, v));
	return rpAdd(rpMulAdd(v, q.w, t), rpCross(u, t));
}

static inline rpQuat rpAxisAngle(rpVec3 unitAxis, float radians)
{
	float s, c;
	rpSinCos(0.5f * radians, &s, &c);
	return RP_LITERAL(rpQuat){c, s * unitAxis.x, s * unitAxis.y, s * unitAxis.z};
}

/// Turn about the vertical, +Z towards +X.
static inline rpQuat rpYaw(float radians)
{
	float s, c;
	rpSinCos(0.5f * radians, &s, &c);
	return RP_LITERAL(rpQuat){c, 0.0f, s, 0.0f};
}

/// The angle between two orientations, 0 … pi.
RP_API float rpAngleBetween(rpQuat a, rpQuat b);

/// Spherical interpolation along the shorter arc.
RP_API rpQuat rpSlerp(rpQuat a, rpQuat b, float t);

/// Rotation vector (axis times angle, angle 0 … pi) of a unit quaternion, and back.
RP_API rpVec3 rpLogQuat(rpQuat q);
RP_API rpQuat rpExpQuat(rpVec3 rotationVector);

/// The smallest rotation that takes the direction of a to that of b. Opposite directions turn about some
/// perpendicular axis.
RP_API rpQuat rpRotationBetween(rpVec3 a, rpVec3 b);

/// The heading of an orientation: the yaw of its +Z axis on the ground, or of +Y where +Z is nearly vertical.
RP_API float rpHeading(rpQuat q);

/// The order in which a joint's three rotations are multiplied: rp_orderZYX is R = Rz Ry Rx, the order in which
/// a BVH file names its channels.
typedef enum rpEulerOrder
{
	rp_orderXYZ,
	rp_orderXZY,
	rp_orderYXZ,
	rp_orderYZX,
	rp_orderZXY,
	rp_orderZYX,
	rp_eulerOrderCount,
} rpEulerOrder;

/// The three axes of an order, 0 for x to 2 for z, first to last.
RP_API void rpEulerOrder_GetAxes(rpEulerOrder order, int axes[3]);

/// angles holds the rotations about x, y and z in radians, whatever the order.
RP_API rpQuat rpFromEuler(rpVec3 angles, rpEulerOrder order);

/// The inverse of rpFromEuler, middle angle within ±pi/2. At gimbal lock the last angle is 0.
RP_API rpVec3 rpToEuler(rpQuat q, rpEulerOrder order);

static inline rpVec3 rpTransformPoint(rpTransform t, rpVec3 v)
{
	return rpAdd(rpRotate(t.q, v), t.p);
}

/// a after b.
static inline rpTransform rpMulTransform(rpTransform a, rpTransform b)
{
	return RP_LITERAL(rpTransform){rpTransformPoint(a, b.p), rpMulQuat(a.q, b.q)};
}

/// a after b.
RP_API rpGroundTransform rpGroundTransform_Compose(rpGroundTransform a, rpGroundTransform b);
RP_API rpGroundTransform rpGroundTransform_Invert(rpGroundTransform g);
RP_API rpVec3 rpGroundTransform_Apply(rpGroundTransform g, rpVec3 point);

/// An angle brought into (-pi, pi].
RP_API float rpWrapAngle(float radians);

/// How far a track over the floor is from a path, point by point: each against the nearest point of the path that is
/// not behind the one before, and at most a metre ahead of it (three times as far as the track is off, if that is over
/// a metre), so that a path that crosses itself is not cut short. Zero-initialised is the beginning.
typedef struct rpPathMeter
{
	/// Where on the path it is: how far, 0 to 1, along which of its legs.
	int leg;
	double along;

	/// Points so far, the sums of their distances and of the squares of these, metres.
	int count;
	double sum, squares;

	/// The greatest distance, and the point that has it.
	double max;
	int worst;
} rpPathMeter;

/// The next point of the track; the path is (x, z), [pathCount], at least 2, and always the same.
RP_API void rpPathMeter_Add(rpPathMeter* meter, const rpVec2* path, int pathCount, rpVec2 point);

#ifdef __cplusplus
}
#endif
