/// Fades.
///
/// A cross-fade of poses (eq. 4.11-4.13 of Kovar's thesis) is p = b + w d, with d what a differs by from b and w the
/// share of a. Where a and b move differently, d = v t around the middle, its velocity overshoots both (w' d) and then
/// changes three times as fast as it would have to: by 3 v / T, with T how long the fade takes. A velocity fade fades
/// velocities instead, p' = b' + w d', which never changes by more than 1.5 v / T; and what the places differ by on the
/// whole is faded as it was. Integrated by parts, that is
///
///     p = b + w d + I - (1 - w) m     with I(t) the integral of -w' d from the start to t, and m that to the end,
///
/// the mean of d. It begins and ends as the cross-fade does, and is the same where d is constant. Differences of
/// rotations are rotation vectors, from b's own; -w' d is taken as linear between nodes, so I is smooth.
#include "timeline/seam.h"

#include <string.h>

static rpQuat getDifference(const rpPose* from, const rpPose* to, int joint)
{
	return rpMulQuat(rpConjugate(to->rotations[joint]), from->rotations[joint]);
}

// A joint that is nearly half a turn away would change its mind about the direction of the turn.
static void chooseDirections(rpSeam* seam)
{
	rpPose *from = &seam->poses[0], *to = &seam->poses[1];
	double middle = 0.5 * (seam->def.start + seam->def.end);
	rpSeam_SampleFrom(seam, middle, from);
	rpSeam_SampleTo(seam, middle, to);
	for (int i = 0; i < seam->jointCount; ++i)
	{
		rpQuat q = getDifference(from, to, i);
		seam->middles[i] = q.w < 0.0f ? rpNegateQuat(q) : q;
	}
}

// Rotation vector of a quaternion of either sign: up to a whole turn. Of angles below 37 degrees, as nearly all are, by
// the series of asin, to the precision of floats.
static rpVec3 getVector(rpQuat q)
{
	rpVec3 half = {q.x, q.y, q.z};
	float x = rpDot(half, half);
	if (q.w > 0.0f && x < 0.1f)
	{
		float tail = x * (35.0f / 1152.0f + x * (63.0f / 2816.0f));
		return rpScale(2.0f + x * (1.0f / 3.0f + x * (3.0f / 20.0f + x * (5.0f / 56.0f + 2.0f * tail))), half);
	}
	float sine = sqrtf(x);
	return sine < 1e-6f ? rpScale(2.0f, half) : rpScale(2.0f * rpAtan2(sine, q.w) / sine, half);
}

static rpVec3 getTurn(const rpSeam* seam, const rpPose* from, const rpPose* to, int joint)
{
	rpQuat q = getDifference(from, to, joint);
	return getVector(rpDotQuat(q, seam->middles[joint]) < 0.0f ? rpNegateQuat(q) : q);
}

// What the spans differ by.
static void fillRow(const rpSeam* seam, const rpPose* from, const rpPose* to, rpVec3* row)
{
	int jointCount = seam->jointCount;
	row[0] = rpSub(from->rootPosition, to->rootPosition);
	for (int i = 0; i < jointCount; ++i)
	{
		row[1 + i] = getTurn(seam, from, to, i);
	}
	for (int i = 0; seam->hasTranslations && i < jointCount; ++i)
	{
		row[1 + jointCount + i] = rpSub(from->translations[i], to->translations[i]);
	}
}

// -dw/du of the weight 2u³-3u²+1.
static float getSlope(float u)
{
	return 6.0f * u * (1.0f - u);
}

static void measure(rpSeam* seam)
{
	rpPose *from = &seam->poses[0], *to = &seam->poses[1];
	double length = seam->def.end - seam->def.start;
	for (int k = 0; k <= seam->nodeCount; ++k)
	{
		rpVec3* row = seam->rows + (size_t)k * (size_t)seam->rowSize;
		double time = seam->def.start + k * length / seam->nodeCount;
		rpSeam_SampleFrom(seam, time, from);
		rpSeam_SampleTo(seam, time, to);
		fillRow(seam, from, to, row);
	}
}

static void integrate(rpSeam* seam)
{
	size_t rowSize = (size_t)seam->rowSize;
	float step = 1.0f / (float)seam->nodeCount;
	memset(seam->sums, 0, rowSize * sizeof(rpVec3));
	for (int k = 1; k <= seam->nodeCount; ++k)
	{
		const rpVec3 *last = seam->rows + (size_t)(k - 1) * rowSize, *row = last + rowSize;
		const rpVec3* done = seam->sums + (size_t)(k - 1) * rowSize;
		rpVec3* sum = seam->sums + (size_t)k * rowSize;
		float before = 0.5f * step * getSlope((float)(k - 1) * step), after = 0.5f * step * getSlope((float)k * step);
		for (size_t i = 0; i < rowSize; ++i)
		{
			sum[i] = rpMulAdd(rpMulAdd(done[i], before, last[i]), after, row[i]);
		}
	}
}

void rpSeam_PrepareFade(rpSeam* seam)
{
	double nodes = ceil((seam->def.end - seam->def.start) * RP_SEAM_RATE);
	chooseDirections(seam);
	seam->nodeCount = seam->def.kind == rp_seamVelocity ? (int)fmin(fmax(nodes, 2.0), rp_maxSeamNodes) : 0;
	if (seam->nodeCount > 0)
	{
		measure(seam);
		integrate(seam);
	}
}

/// Where a time is among the nodes.
typedef struct Spot
{
	const rpVec3 *row, *sum, *mean;
	/// What the integral at the node is changed by, in parts of the rows at the node and at the next.
	float own, next;
} Spot;

static Spot findSpot(const rpSeam* seam, float u)
{
	float place = u * (float)seam->nodeCount, step = 1.0f / (float)seam->nodeCount;
	int k = (int)place < seam->nodeCount ? (int)place : seam->nodeCount - 1;
	float s = place - (float)k, half = 0.5f * s * s;
	size_t rowSize = (size_t)seam->rowSize;
	return (Spot){.row = seam->rows + (size_t)k * rowSize,
				  .sum = seam->sums + (size_t)k * rowSize,
				  .mean = seam->sums + (size_t)seam->nodeCount * rowSize,
				  .own = step * (s - half) * getSlope((float)k * step),
				  .next = step * half * getSlope((float)(k + 1) * step)};
}

// What a cross-fade adds, the share of the span before in the difference, and what the velocity fade adds to that.
static void fadeRow(const rpSeam* seam, double time, float weight, rpVec3* row)
{
	float u = fminf(fmaxf((float)((time - seam->def.start) / (seam->def.end - seam->def.start)), 0.0f), 1.0f);
	Spot spot = seam->nodeCount > 0 ? findSpot(seam, u) : (Spot){0};
	for (int i = 0; i < seam->rowSize; ++i)
	{
		row[i] = rpScale(weight, row[i]);
	}
	for (int i = 0; seam->nodeCount > 0 && i < seam->rowSize; ++i)
	{
		rpVec3 sum = rpMulAdd(spot.sum[i], spot.own, spot.row[i]);
		sum = rpMulAdd(sum, spot.next, spot.row[i + seam->rowSize]);
		row[i] = rpAdd(row[i], rpMulAdd(sum, weight - 1.0f, spot.mean[i]));
	}
}

static void addRow(const rpSeam* seam, const rpVec3* row, rpPose* pose)
{
	int jointCount = seam->jointCount;
	pose->rootPosition = rpAdd(pose->rootPosition, row[0]);
	for (int i = 0; i < jointCount; ++i)
	{
		pose->rotations[i] = rpNormalizeQuat(rpMulQuat(pose->rotations[i], rpExpandTurn(row[1 + i])));
	}
	for (int i = 0; seam->hasTranslations && i < jointCount; ++i)
	{
		pose->translations[i] = rpAdd(pose->translations[i], row[1 + jointCount + i]);
	}
}

void rpSeam_Fade(rpSeam* seam, double time, rpPose* pose)
{
	rpPose* from = &seam->poses[0];
	rpSeam_SampleFrom(seam, time, from);
	rpSeam_SampleTo(seam, time, pose);
	fillRow(seam, from, pose, seam->row);
	fadeRow(seam, time, rpSeam_GetWeight(seam, time), seam->row);
	addRow(seam, seam->row, pose);
}
