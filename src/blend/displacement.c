#include "blend/displacement.h"

// An offset that would overshoot arrives early, but takes this long at least, seconds: stopping a limb sooner would
// show more than the little way that it overshoots.
#define SHORTEST_ARRIVAL 0.1f

// Offsets smaller than this have no direction.
#define NO_OFFSET 1e-9f

int rpCountOffsets(int jointCount, bool hasTranslations)
{
	return 1 + jointCount + (hasTranslations ? jointCount : 0);
}

// A rotation vector's other branch, the long way round, where it is nearer to what is expected.
static rpVec3 unwrap(rpVec3 turn, rpVec3 near)
{
	float angle = rpLength(turn);
	rpVec3 other = angle > NO_OFFSET ? rpScale(1.0f - (float)(2.0 * RP_PI) / angle, turn) : turn;
	return rpDistance(other, near) < rpDistance(turn, near) ? other : turn;
}

static rpVec3 getTurn(const rpPose* from, const rpPose* to, int joint)
{
	return rpLogQuat(rpMulQuat(from->rotations[joint], rpConjugate(to->rotations[joint])));
}

void rpDisplacement_Measure(rpDisplacement* displacement, const rpPose* from, const rpPose* to)
{
	int jointCount = displacement->jointCount;
	rpOffset* offsets = displacement->offsets;
	offsets[0] = (rpOffset){rpSub(from->rootPosition, to->rootPosition), rpVec3_zero};
	for (int i = 0; i < jointCount; ++i)
	{
		offsets[1 + i] = (rpOffset){getTurn(from, to, i), rpVec3_zero};
	}
	for (int i = 0; displacement->hasTranslations && i < jointCount; ++i)
	{
		offsets[1 + jointCount + i] = (rpOffset){rpSub(from->translations[i], to->translations[i]), rpVec3_zero};
	}
}

void rpDisplacement_MeasureRates(rpDisplacement* displacement, const rpPose* fromEarlier, const rpPose* toEarlier,
								 const rpPose* fromLater, const rpPose* toLater, float seconds)
{
	int jointCount = displacement->jointCount;
	rpOffset* offsets = displacement->offsets;
	float rate = 1.0f / seconds;
	rpVec3 earlier = rpSub(fromEarlier->rootPosition, toEarlier->rootPosition);
	rpVec3 later = rpSub(fromLater->rootPosition, toLater->rootPosition);
	offsets[0].rate = rpScale(rate, rpSub(later, earlier));
	for (int i = 0; i < jointCount; ++i)
	{
		rpOffset* offset = offsets + 1 + i;
		earlier = unwrap(getTurn(fromEarlier, toEarlier, i), offset->value);
		later = unwrap(getTurn(fromLater, toLater, i), offset->value);
		offset->rate = rpScale(rate, rpSub(later, earlier));
	}
	for (int i = 0; displacement->hasTranslations && i < jointCount; ++i)
	{
		earlier = rpSub(fromEarlier->translations[i], toEarlier->translations[i]);
		later = rpSub(fromLater->translations[i], toLater->translations[i]);
		offsets[1 + jointCount + i].rate = rpScale(rate, rpSub(later, earlier));
	}
}

// (1-s)² (x + (2x+vT)s) is x at 0 with slope vT, and ends without value and slope.
static rpVec3 decayCubic(const rpOffset* offset, float time, float length)
{
	float s = time / length, rest = (1.0f - s) * (1.0f - s);
	rpVec3 slope = rpMulAdd(rpScale(length, offset->rate), 2.0f, offset->value);
	return rpScale(rest, rpMulAdd(offset->value, s, slope));
}

// The quintic with value x and velocity v at 0 whose first three derivatives vanish at the end: (1-s)⁴ (x + (4x+vT)s).
static float decayQuintic(float value, float rate, float time, float length)
{
	float s = time / length, square = (1.0f - s) * (1.0f - s);
	return s < 1.0f ? square * square * (value + (4.0f * value + rate * length) * s) : 0.0f;
}

// Along the offset and across it, so that the result does not depend on the axes: along it is Bollo's magnitude, across
// it there is a velocity alone.
static rpVec3 decayInertially(const rpOffset* offset, float time, float length)
{
	float value = rpLength(offset->value), arrival = length;
	if (!(value > NO_OFFSET))
	{
		return rpScale(decayQuintic(0.0f, 1.0f, time, length), offset->rate);
	}
	rpVec3 direction = rpScale(1.0f / value, offset->value);
	float along = rpDot(direction, offset->rate);
	rpVec3 across = rpMulAdd(offset->rate, -along, direction);
	if (5.0f * value + along * length < 0.0f)
	{
		arrival = fmaxf(-5.0f * value / along, fminf(SHORTEST_ARRIVAL, length));
	}
	rpVec3 rest = rpScale(decayQuintic(value, along, time, arrival), direction);
	return rpMulAdd(rest, decayQuintic(0.0f, 1.0f, time, length), across);
}

rpVec3 rpDecayOffset(const rpOffset* offset, rpDecay decay, float time, float length)
{
	if (!(time < length))
	{
		return rpVec3_zero;
	}
	return decay == rp_decayCubic ? decayCubic(offset, time, length) : decayInertially(offset, time, length);
}

// Before the moment, time runs backwards.
static rpVec3 getShare(const rpOffset* offset, rpDecay decay, float share, float time, float length)
{
	rpOffset seen = time < 0.0f ? (rpOffset){offset->value, rpScale(-1.0f, offset->rate)} : *offset;
	return rpScale(share, rpDecayOffset(&seen, decay, fabsf(time), length));
}

void rpDisplacement_Add(const rpDisplacement* displacement, rpDecay decay, float share, float time, float length,
						rpPose* pose)
{
	int jointCount = displacement->jointCount;
	const rpOffset* offsets = displacement->offsets;
	if (!(fabsf(time) < length))
	{
		return;
	}
	pose->rootPosition = rpAdd(pose->rootPosition, getShare(offsets, decay, share, time, length));
	for (int i = 0; i < jointCount; ++i)
	{
		rpQuat turn = rpExpQuat(getShare(offsets + 1 + i, decay, share, time, length));
		pose->rotations[i] = rpNormalizeQuat(rpMulQuat(turn, pose->rotations[i]));
	}
	for (int i = 0; displacement->hasTranslations && i < jointCount; ++i)
	{
		rpVec3 shift = getShare(offsets + 1 + jointCount + i, decay, share, time, length);
		pose->translations[i] = rpAdd(pose->translations[i], shift);
	}
}
