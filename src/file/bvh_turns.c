/// Rows of Euler angles to quaternions.
///
/// Sine and cosine of the half angles are computed for a whole row at once, in a loop that the compiler turns into
/// vector instructions: the angle is reduced in degrees, which is exact, then polynomials on ±45 degrees (those of
/// Moshier's Cephes library) give both within 1.5e-7.
#include "file/bvh_text.h"

#include <math.h>

// Beyond this many degrees the reduction is no longer exact, and fmod goes first.
#define EXACT_DEGREES 1e6f

// Adding and taking away rounds a float of less than 2^22 to a whole number.
#define ROUNDING 12582912.0f

BvhTurn bvhGetTurn(const BvhJoint* joint, int columnCount)
{
	BvhTurn turn;
	for (int i = 0; i < 3; ++i)
	{
		int column = joint->columns[bvh_rotationX + joint->axes[i]];
		turn.axes[i] = joint->axes[i];
		turn.columns[i] = column >= 0 ? column : columnCount;
	}
	turn.sign = (joint->axes[1] - joint->axes[0] + 3) % 3 == 1 ? 1.0f : -1.0f;
	return turn;
}

static void reduceDegrees(float* degrees, int count)
{
	int largeCount = 0;
	for (int i = 0; i < count; ++i)
	{
		largeCount += fabsf(degrees[i]) > EXACT_DEGREES;
	}
	for (int i = 0; largeCount > 0 && i < count; ++i)
	{
		degrees[i] = fmodf(degrees[i], 720.0f);
	}
}

static void computeHalfAngles(const float* restrict degrees, int count, float* restrict sines, float* restrict cosines)
{
	for (int i = 0; i < count; ++i)
	{
		// A quarter turn of the half angle is 180 degrees of the angle.
		float quarters = (degrees[i] * (1.0f / 180.0f) + ROUNDING) - ROUNDING;
		float x = (degrees[i] - quarters * 180.0f) * (float)(0.5 * RP_DEGREE);
		float z = x * x;
		float sine = x + x * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
		float cosine = 1.0f - 0.5f * z +
					   z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
		int quadrant = (int)quarters;
		bool odd = (quadrant & 1) != 0;
		sines[i] = (odd ? cosine : sine) * (float)(1 - (quadrant & 2));
		cosines[i] = (odd ? sine : cosine) * (float)(1 - ((quadrant + 1) & 2));
	}
}

// The product of three turns about different axes, in closed form.
static inline rpQuat multiplyTurns(const BvhTurn* turn, const float* sines, const float* cosines)
{
	float s0 = sines[turn->columns[0]], c0 = cosines[turn->columns[0]];
	float s1 = sines[turn->columns[1]], c1 = cosines[turn->columns[1]];
	float s2 = sines[turn->columns[2]], c2 = cosines[turn->columns[2]];
	float e = turn->sign;
	float v[3];
	float cc = c1 * c2, ss = e * (s1 * s2), sc = s1 * c2, cs = e * (c1 * s2);
	v[turn->axes[0]] = s0 * cc + c0 * ss;
	v[turn->axes[1]] = c0 * sc - s0 * cs;
	v[turn->axes[2]] = e * (c0 * cs + s0 * sc);
	return (rpQuat){c0 * cc - s0 * ss, v[0], v[1], v[2]};
}

void bvhTurnJoints(const BvhTurn* turns, int jointCount, float* degrees, int columnCount, float* sines, float* cosines,
				   const rpQuat* before, rpQuat* out)
{
	reduceDegrees(degrees, columnCount + 1);
	computeHalfAngles(degrees, columnCount + 1, sines, cosines);
	for (int i = 0; i < jointCount; ++i)
	{
		rpQuat q = multiplyTurns(turns + i, sines, cosines);
		// The length is 1 within a few units of the last place: one step of Newton's is all that normalising needs.
		float scale = 1.5f - 0.5f * rpDotQuat(q, q);
		float side = before != NULL ? rpDotQuat(q, before[i]) : q.w;
		scale = side < 0.0f ? -scale : scale;
		out[i] = (rpQuat){scale * q.w, scale * q.x, scale * q.y, scale * q.z};
	}
}
