/// Corrections for joints whose frame is not the mirror image of their counterpart's.
///
/// A joint turned in the world by D from its rest orientation R hands S D N to its counterpart, where N is the
/// reflection in the body's own middle plane at rest: that puts S R^-1 S * S N * R' into the correction. Where the rest
/// pose says nothing (a file whose joint axes follow the bones, and whose pose of zero angles is no posture), the bones
/// do: the correction must take each bone of the counterpart to the reflected bone of the joint.
#include "edit/reflection.h"

#include "base/memory.h"

// A rest pose whose sides lie within this cosine of the x axis lies along it: bodies are a little uneven (20 degrees).
#define ALONG_X 0.94f

// Bones of both sides that point further apart than this cosine belong to differently turned frames (30 degrees).
#define SAME_DIRECTION 0.866f

// Bones shorter than this part of the longest one point nowhere in particular.
#define SHORT_BONE 0.05f

/// A bone of a joint, reflected, and the bone of its counterpart that goes with it; unit vectors.
typedef struct BonePair
{
	rpVec3 reflected, other;
	float length;
} BonePair;

/// The bones of one joint that matter: the longest, and the one that stands most upright on it.
typedef struct BonePairs
{
	BonePair longest, upright;
} BonePairs;

int rpGetCounterpart(const rpSkeleton* skeleton, int joint)
{
	int other = skeleton->joints[joint].mirror;
	bool isMutual = joint > 0 && other > 0 && other < skeleton->jointCount && skeleton->joints[other].mirror == joint;
	return isMutual ? other : joint;
}

// The direction between the sides in the rest pose; its sign does not matter.
static rpVec3 findSideways(const rpSkeleton* skeleton, const rpTransform* rest)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		rpVec3 across = rpSub(rest[i].p, rest[rpGetCounterpart(skeleton, i)].p);
		sum = rpMulAdd(sum, rpDot(sum, across) < 0.0f ? -1.0f : 1.0f, across);
	}
	sum = rpNormalize(sum);
	bool isAlongX = fabsf(sum.x) > ALONG_X || rpDot(sum, sum) == 0.0f;
	return isAlongX ? (rpVec3){1.0f, 0.0f, 0.0f} : sum;
}

// S after the reflection in the plane across a direction n: a rotation, twice the turn from n to x.
static rpQuat turnToX(rpVec3 n)
{
	return (rpQuat){n.x, 0.0f, n.z, -n.y};
}

static float findShortLength(const rpSkeleton* skeleton)
{
	float longest = 0.0f;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		longest = fmaxf(longest, rpLength(skeleton->offsets[i]));
	}
	return SHORT_BONE * longest;
}

static void takePair(BonePairs* pairs, rpVec3 bone, rpVec3 other, float shortLength, bool findUpright)
{
	BonePair pair = {rpNormalize(rpReflectVector(bone)), rpNormalize(other), fminf(rpLength(bone), rpLength(other))};
	if (!(pair.length > shortLength))
	{
		return;
	}
	if (!findUpright)
	{
		pairs->longest = pair.length > pairs->longest.length ? pair : pairs->longest;
		return;
	}
	// How far it stands off the longest; the length only has to be enough.
	pair.length = rpLength(rpCross(pair.other, pairs->longest.other));
	pairs->upright = pair.length > fmaxf(pairs->upright.length, 0.1f) ? pair : pairs->upright;
}

// Bones to children and end sites that the joint and its counterpart both have.
static void takePairs(const rpSkeleton* skeleton, int joint, float shortLength, BonePairs* pairs, bool findUpright)
{
	int counterpart = rpGetCounterpart(skeleton, joint);
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		int other = rpGetCounterpart(skeleton, i);
		if (skeleton->parents[i] == joint && skeleton->parents[other] == counterpart)
		{
			takePair(pairs, skeleton->offsets[i], skeleton->offsets[other], shortLength, findUpright);
		}
	}
	int site = -1, otherSite = -1;
	for (int i = 0; i < skeleton->endCount && counterpart != joint; ++i)
	{
		site = site < 0 && skeleton->ends[i].joint == joint ? i : site;
		otherSite = otherSite < 0 && skeleton->ends[i].joint == counterpart ? i : otherSite;
	}
	if (site >= 0 && otherSite >= 0)
	{
		takePair(pairs, skeleton->ends[site].offset, skeleton->ends[otherSite].offset, shortLength, findUpright);
	}
}

static bool pointsTheSameWay(rpQuat correction, const BonePair* pair)
{
	return pair->length == 0.0f || rpDot(rpRotate(correction, pair->other), pair->reflected) > SAME_DIRECTION;
}

// Turn the correction as little as possible so that the longest bone comes right, then about it for the upright one.
static rpQuat fitBones(rpQuat correction, const BonePairs* pairs)
{
	rpVec3 axis = pairs->longest.reflected;
	correction = rpMulQuat(rpRotationBetween(rpRotate(correction, pairs->longest.other), axis), correction);
	if (pairs->upright.length > 0.0f)
	{
		rpVec3 from = rpCross(axis, rpRotate(correction, pairs->upright.other));
		rpVec3 to = rpCross(axis, pairs->upright.reflected);
		float angle = atan2f(rpDot(axis, rpCross(from, to)), rpDot(from, to));
		correction = rpMulQuat(rpAxisAngle(axis, angle), correction);
	}
	return rpNormalizeQuat(correction);
}

// What the counterpart's correction must be for mirroring twice to change nothing.
static rpQuat invertCorrection(rpQuat correction)
{
	return rpConjugate(rpReflectRotation(correction));
}

// A joint that is its own counterpart: the mean of the correction and its inverse, which are the same but for uneven
// bones.
static rpQuat makeMutual(rpQuat a)
{
	rpQuat b = invertCorrection(a);
	b = rpDotQuat(a, b) < 0.0f ? rpNegateQuat(b) : b;
	return rpNormalizeQuat((rpQuat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z});
}

/// A skeleton while its corrections are found.
typedef struct Search
{
	const rpSkeleton* skeleton;
	const rpTransform* rest;

	/// [jointCount]: S N as the joint's own correction has it; children start from their parent's.
	rpQuat* turns;
	float shortLength;

	/// Some joint's frames are differently turned on its two sides: then every joint's bones are fitted.
	bool isTwisted;
} Search;

static rpQuat findCorrection(Search* search, int joint, rpQuat fromRest)
{
	BonePairs pairs = {0};
	takePairs(search->skeleton, joint, search->shortLength, &pairs, false);
	takePairs(search->skeleton, joint, search->shortLength, &pairs, true);
	bool fits = pointsTheSameWay(fromRest, &pairs.longest) && pointsTheSameWay(fromRest, &pairs.upright);
	search->isTwisted = search->isTwisted || !fits;
	if (!search->isTwisted || pairs.longest.length == 0.0f)
	{
		return fromRest;
	}
	rpQuat fitted = fitBones(fromRest, &pairs);
	return rpGetCounterpart(search->skeleton, joint) == joint ? makeMutual(fitted) : fitted;
}

static void fillCorrections(Search* search, rpQuat* corrections)
{
	rpQuat turn = turnToX(findSideways(search->skeleton, search->rest));
	for (int i = 0; i < search->skeleton->jointCount; ++i)
	{
		int other = rpGetCounterpart(search->skeleton, i);
		rpQuat inverse = rpReflectRotation(rpConjugate(search->rest[i].q)), otherRest = search->rest[other].q;
		rpQuat start = i > 0 ? search->turns[search->skeleton->parents[i]] : turn;
		rpQuat fromRest = rpNormalizeQuat(rpMulQuat(inverse, rpMulQuat(start, otherRest)));
		corrections[i] = other < i ? invertCorrection(corrections[other]) : findCorrection(search, i, fromRest);
		search->turns[i] = rpMulQuat(rpConjugate(inverse), rpMulQuat(corrections[i], rpConjugate(otherRest)));
	}
}

bool rpFindCorrections(const rpSkeleton* skeleton, rpQuat* corrections, rpError* error)
{
	size_t jointCount = (size_t)skeleton->jointCount;
	rpTransform* rest = rpAllocate(jointCount, sizeof(rpTransform), error);
	rpQuat* turns = rpAllocate(jointCount, sizeof(rpQuat), error);
	bool done = rest != NULL && turns != NULL;
	if (done)
	{
		Search search = {skeleton, rest, turns, findShortLength(skeleton), false};
		rpSkeleton_GetRest(skeleton, rest);
		fillCorrections(&search, corrections);
		if (search.isTwisted)
		{
			fillCorrections(&search, corrections);
		}
	}
	rpFree(rest);
	rpFree(turns);
	return done;
}
