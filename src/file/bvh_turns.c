/// Rows of Euler angles to quaternions.
///
/// Sine and cosine of the half angles are computed for a whole row at once, in a loop that the compiler turns into
/// vector instructions: the angle is reduced in degrees, which is exact, then polynomials on ±45 degrees (those of
/// Moshier's Cephes library) give both within 1.5e-7. The products of the three turns follow in the same way, for all
/// joints of the row: angles are put together by their place in the joint's order, whatever the axes.
#include "base/memory.h"
#include "file/bvh_text.h"

#include <math.h>

// Beyond this many degrees the reduction is no longer exact, and fmod goes first.
#define EXACT_DEGREES 1e6f

// Adding and taking away rounds a float of less than 2^22 to a whole number.
#define ROUNDING 12582912.0f

// Joints are computed in groups of this size.
#define VECTOR 4

bool bvhCreateTurner(const BvhHierarchy* hierarchy, BvhTurner* out, rpError* error)
{
	int jointCount = hierarchy->jointCount, stride = (jointCount + VECTOR - 1) / VECTOR * VECTOR;
	*out = (BvhTurner){.jointCount = jointCount, .stride = stride};
	out->columns = rpAllocate(6 * (size_t)stride, sizeof(int), error);
	out->degrees = out->columns != NULL ? rpAllocateZero(14 * (size_t)stride, sizeof(float), error) : NULL;
	if (out->degrees == NULL)
	{
		bvhFreeTurner(out);
		return false;
	}
	out->axes = out->columns + 3 * stride;
	out->sines = out->degrees + 3 * stride;
	out->cosines = out->sines + 3 * stride;
	out->sign = out->cosines + 3 * stride;
	out->last = out->sign + stride;
	for (int i = 0; i < stride; ++i)
	{
		const BvhJoint* joint = hierarchy->joints + (i < jointCount ? i : 0);
		for (int k = 0; k < 3; ++k)
		{
			int axis = joint->axes[k], column = joint->columns[bvh_rotationX + axis];
			out->axes[i + k * stride] = axis;
			out->columns[i + k * stride] = column >= 0 && i < jointCount ? column : hierarchy->columnCount;
		}
		out->sign[i] = (joint->axes[1] - joint->axes[0] + 3) % 3 == 1 ? 1.0f : -1.0f;
		out->last[i] = 1.0f;
	}
	return true;
}

void bvhFreeTurner(BvhTurner* turner)
{
	rpFree(turner->columns);
	rpFree(turner->degrees);
	*turner = (BvhTurner){0};
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

// The product of three turns about different axes, in closed form, for all joints.
static void multiplyTurns(const float* restrict sines, const float* restrict cosines, const float* restrict sign,
						  int stride, float* restrict last)
{
	for (int i = 0; i < stride; ++i)
	{
		float s0 = sines[i], s1 = sines[i + stride], s2 = sines[i + 2 * stride];
		float c0 = cosines[i], c1 = cosines[i + stride], c2 = cosines[i + 2 * stride];
		float e = sign[i];
		float cc = c1 * c2, ss = e * (s1 * s2), sc = s1 * c2, cs = e * (c1 * s2);
		float w = c0 * cc - s0 * ss, x = s0 * cc + c0 * ss, y = c0 * sc - s0 * cs, z = e * (c0 * cs + s0 * sc);
		float side = w * last[i] + x * last[i + stride] + y * last[i + 2 * stride] + z * last[i + 3 * stride];
		// The length is 1 within a few units of the last place: one step of Newton's is all that normalising needs.
		float scale = 1.5f - 0.5f * (w * w + x * x + y * y + z * z);
		scale = side < 0.0f ? -scale : scale;
		last[i] = scale * w;
		last[i + stride] = scale * x;
		last[i + 2 * stride] = scale * y;
		last[i + 3 * stride] = scale * z;
	}
}

void bvhTurnJoints(BvhTurner* turner, const float* row, rpQuat* out)
{
	int stride = turner->stride;
	for (int i = 0; i < 3 * stride; ++i)
	{
		turner->degrees[i] = row[turner->columns[i]];
	}
	reduceDegrees(turner->degrees, 3 * stride);
	computeHalfAngles(turner->degrees, 3 * stride, turner->sines, turner->cosines);
	multiplyTurns(turner->sines, turner->cosines, turner->sign, stride, turner->last);
	for (int i = 0; i < turner->jointCount; ++i)
	{
		// Straight to their places: to gather them first would wait for each store.
		float* wxyz = (float*)(out + i);
		wxyz[0] = turner->last[i];
		for (int k = 0; k < 3; ++k)
		{
			wxyz[1 + turner->axes[i + k * stride]] = turner->last[i + (k + 1) * stride];
		}
	}
}
