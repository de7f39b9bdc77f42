/// Cuts with offsets (section 4.4.1 of Kovar's thesis, after Lee et al. 2002; Kwon & Shin 2005, section 5.3).
///
/// At the cut a pose A ends the one span and B begins the other. Both are led to M by D with D A = M: M is half-way
/// between them, with the mean of their velocities; or, where offsets decay after the cut alone, it is A itself. D
/// turns as fast as M less what A's own turning gives. It is kept as a rotation vector v; with the angular velocity w
/// of D, v changes by w - v×w/2 + c v×(v×w), c = (1 - (θ/2) cot(θ/2)) / θ². So value and velocity are met exactly.
#include "timeline/seam.h"

// An offset that would overshoot arrives early, but takes this long at least, seconds: stopping a limb sooner would
// show more than the small distance that it overshoots.
#define SHORTEST_ARRIVAL 0.1f

// Offsets smaller than this have no direction.
#define NO_OFFSET 1e-9f

// ---- decay

// (1-s)² (x + (2x+vT)s) is x at 0 with slope vT, and ends without value and slope.
rpVec3 rpDecayCubic(const rpOffset* offset, float time, float length)
{
	if (!(time < length))
	{
		return rpVec3_zero;
	}
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
rpVec3 rpDecayQuintic(const rpOffset* offset, float time, float length)
{
	float value = rpLength(offset->value), arrival = length;
	if (!(time < length))
	{
		return rpVec3_zero;
	}
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

// ---- measuring

/// A span at the cut: its pose there, and two poses before or after it. Three poses give the velocity at the cut
/// itself; two would give that half-way between them, and offsets by that would take from an acceleration that both
/// sides have.
typedef struct Side
{
	const rpPose *at, *beside, *beyond;

	/// Seconds from the cut to the pose beside it, and half of those to the one beyond: negative before the cut.
	float seconds;
} Side;

// Of a parabola through three values, at the first, from what the others differ from it by.
static rpVec3 getSlope(rpVec3 beside, rpVec3 beyond, float seconds)
{
	return rpScale(0.5f / seconds, rpSub(rpScale(4.0f, beside), beyond));
}

static rpVec3 getPointSlope(rpVec3 at, rpVec3 beside, rpVec3 beyond, float seconds)
{
	return getSlope(rpSub(beside, at), rpSub(beyond, at), seconds);
}

static rpVec3 getTurn(rpQuat from, rpQuat to)
{
	return rpLogQuat(rpMulQuat(to, rpConjugate(from)));
}

static rpVec3 getTurnRate(const Side* side, int joint)
{
	rpQuat at = side->at->rotations[joint];
	return getSlope(getTurn(at, side->beside->rotations[joint]), getTurn(at, side->beyond->rotations[joint]),
					side->seconds);
}

// How a rotation vector changes that turns with an angular velocity.
static rpVec3 getVectorRate(rpVec3 v, rpVec3 velocity)
{
	float angle = rpLength(v), half = 0.5f * angle, s, c;
	rpSinCos(half, &s, &c);
	float factor = angle > 1e-3f ? (1.0f - half * c / s) / (angle * angle) : 1.0f / 12.0f;
	rpVec3 cross = rpCross(v, velocity);
	return rpMulAdd(rpMulAdd(velocity, -0.5f, cross), factor, rpCross(v, cross));
}

// What brings a rotation with its velocity to the middle with its velocity.
static rpOffset leadTo(rpQuat middle, rpVec3 middleVelocity, rpQuat own, rpVec3 ownVelocity)
{
	rpQuat difference = rpMulQuat(middle, rpConjugate(own));
	rpVec3 value = rpLogQuat(difference);
	return (rpOffset){value, getVectorRate(value, rpSub(middleVelocity, rpRotate(difference, ownVelocity)))};
}

static rpQuat getMiddle(rpQuat a, rpQuat b)
{
	float sign = rpDotQuat(a, b) < 0.0f ? -1.0f : 1.0f;
	return rpNormalizeQuat((rpQuat){a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z});
}

// Time of tails runs backwards from the cut.
static rpOffset reverse(rpOffset offset)
{
	return (rpOffset){offset.value, rpScale(-1.0f, offset.rate)};
}

static void measureJoint(rpSeam* seam, const Side* before, const Side* after, int joint)
{
	rpQuat a = before->at->rotations[joint], b = after->at->rotations[joint];
	rpVec3 u = getTurnRate(before, joint), v = getTurnRate(after, joint);
	if (seam->def.kind == rp_seamInertial)
	{
		seam->head[1 + joint] = leadTo(a, u, b, v);
		return;
	}
	rpQuat middle = getMiddle(a, b);
	rpVec3 mean = rpScale(0.5f, rpAdd(u, v));
	seam->tail[1 + joint] = reverse(leadTo(middle, mean, a, u));
	seam->head[1 + joint] = leadTo(middle, mean, b, v);
}

// A place: of the root, or of a joint in its parent.
static void measurePlace(rpSeam* seam, int row, rpVec3 a, rpVec3 u, rpVec3 b, rpVec3 v)
{
	rpOffset gap = {rpSub(a, b), rpSub(u, v)};
	float share = seam->def.kind == rp_seamInertial ? 1.0f : 0.5f;
	rpOffset half = {rpScale(share, gap.value), rpScale(share, gap.rate)};
	seam->head[row] = half;
	seam->tail[row] = reverse((rpOffset){rpScale(-1.0f, half.value), rpScale(-1.0f, half.rate)});
}

static void measurePlaces(rpSeam* seam, const Side* before, const Side* after)
{
	rpVec3 u = getPointSlope(before->at->rootPosition, before->beside->rootPosition, before->beyond->rootPosition,
							 before->seconds);
	rpVec3 v = getPointSlope(after->at->rootPosition, after->beside->rootPosition, after->beyond->rootPosition,
							 after->seconds);
	measurePlace(seam, 0, before->at->rootPosition, u, after->at->rootPosition, v);
	for (int i = 0; seam->hasTranslations && i < seam->jointCount; ++i)
	{
		u = getPointSlope(before->at->translations[i], before->beside->translations[i], before->beyond->translations[i],
						  before->seconds);
		v = getPointSlope(after->at->translations[i], after->beside->translations[i], after->beyond->translations[i],
						  after->seconds);
		measurePlace(seam, 1 + seam->jointCount + i, before->at->translations[i], u, after->at->translations[i], v);
	}
}

// Velocities at a cut are taken from poses this far apart, seconds. Shorter, and the noise of fast captures would show;
// longer, and quick turns would be missed; less than a frame of its clips, and lines between frames would be taken for
// their velocity.
static double getRateSpan(const rpSpan* span)
{
	double seconds = 1.0 / RP_SEAM_RATE;
	for (int i = 0; i < span->shareCount; ++i)
	{
		seconds = fmax(seconds, 1.0 / span->shares[i].clip->fps);
	}
	return seconds;
}

static Side sampleSide(rpSeam* seam, const rpSpan* span, rpPose* poses, double seconds)
{
	for (int i = 0; i < 3; ++i)
	{
		rpSpan_Sample(span, seam->def.cut + i * seconds - span->start, &poses[i]);
	}
	return (Side){&poses[0], &poses[1], &poses[2], (float)seconds};
}

void rpSeam_PrepareOffsets(rpSeam* seam)
{
	Side before = sampleSide(seam, seam->from, &seam->poses[0], -getRateSpan(seam->from));
	Side after = sampleSide(seam, seam->to, &seam->poses[3], getRateSpan(seam->to));
	measurePlaces(seam, &before, &after);
	for (int i = 0; i < seam->jointCount; ++i)
	{
		measureJoint(seam, &before, &after, i);
	}
}

rpQuat rpExpandTurn(rpVec3 v)
{
	float x = rpDot(v, v);
	if (x > 1.0f)
	{
		return rpExpQuat(v);
	}
	float c = 1.0f - x * (1.0f / 8.0f - x * (1.0f / 384.0f - x * (1.0f / 46080.0f)));
	float s = 0.5f - x * (1.0f / 48.0f - x * (1.0f / 3840.0f - x * (1.0f / 645120.0f)));
	return (rpQuat){c, s * v.x, s * v.y, s * v.z};
}

void rpSeam_Displace(rpSeam* seam, double time, rpPose* pose)
{
	const rpSeamDef* def = &seam->def;
	bool isBefore = time < def->cut;
	const rpOffset* offsets = isBefore ? seam->tail : seam->head;
	float away = (float)fabs(time - def->cut), length = (float)(isBefore ? def->cut - def->start : def->end - def->cut);
	rpVec3 (*decay)(const rpOffset*, float, float) = def->kind == rp_seamInertial ? rpDecayQuintic : rpDecayCubic;
	if (!(away < length) || (isBefore && def->kind == rp_seamInertial))
	{
		return;
	}
	pose->rootPosition = rpAdd(pose->rootPosition, decay(&offsets[0], away, length));
	for (int i = 0; i < seam->jointCount; ++i)
	{
		rpQuat turn = rpExpandTurn(decay(&offsets[1 + i], away, length));
		pose->rotations[i] = rpNormalizeQuat(rpMulQuat(turn, pose->rotations[i]));
	}
	for (int i = 0; seam->hasTranslations && i < seam->jointCount; ++i)
	{
		rpVec3 shift = decay(&offsets[1 + seam->jointCount + i], away, length);
		pose->translations[i] = rpAdd(pose->translations[i], shift);
	}
}
