/// Left and right of limbs that were found by shape: by the names of their joints, by other limbs that are named, or by
/// where the feet point.
#include "motion/role_guess.h"

// The direction from the right limb to the left one, where names give the sides.
static rpVec3 getNamedLeft(const rpGuess* guess, const rpGuessedLimb* limbs, int count, int joint)
{
	if (count < 2 || limbs[0].side == 0 || limbs[0].joints[joint] < 0 || limbs[1].joints[joint] < 0)
	{
		return rpVec3_zero;
	}
	rpVec3 across = rpSub(guess->tree.rest[limbs[0].joints[joint]].p, guess->tree.rest[limbs[1].joints[joint]].p);
	return rpScale((float)limbs[0].side, across);
}

// Where the longest path down from a joint ends, end site included.
static rpVec3 getTip(const rpGuess* guess, int joint)
{
	while (guess->tree.nexts[joint] >= 0)
	{
		joint = guess->tree.nexts[joint];
	}
	rpVec3 tip = guess->tree.rest[joint].p;
	for (int i = 0; i < guess->endCount; ++i)
	{
		if (guess->ends[i].joint == joint)
		{
			tip = rpTransformPoint(guess->tree.rest[joint], guess->ends[i].offset);
		}
	}
	return tip;
}

// The mean direction of the feet, from ankle to toe: balls may lie behind a heel.
static rpVec3 getFeet(const rpGuess* guess)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < guess->legCount; ++i)
	{
		int ankle = guess->legs[i].joints[2];
		if (ankle >= 0)
		{
			sum = rpAdd(sum, rpNormalize(rpSub(getTip(guess, ankle), guess->tree.rest[ankle].p)));
		}
	}
	return sum;
}

// The body's left by its own feet; where they do not show it, +X, or +Y in a body that lies along X.
static rpVec3 getShapedLeft(const rpGuess* guess)
{
	rpVec3 up = rpGuess_GetUp(guess, rpGuess_GetMeeting(guess, guess->arms, guess->armCount));
	rpVec3 forward = getFeet(guess);
	forward = rpMulAdd(forward, -rpDot(forward, up), up);
	rpVec3 left = rpCross(up, forward);
	return rpLength(left) > 0.1f ? left : (rpVec3){1.0f, 0.1f, -0.01f};
}

// Names of the side on a chain that was found by shape.
static int sumSides(const rpGuess* guess, const rpChain* chain)
{
	int sum = 0;
	for (int i = 0; i < chain->count; ++i)
	{
		sum += rpGuess_GetSide(guess, chain->joints[i]);
	}
	return sum;
}

static void chooseSides(const rpGuess* guess, rpGuessedLimb* limbs, int count, rpVec3 left, int joint)
{
	if (count < 2 || limbs[0].side != 0)
	{
		return;
	}
	int said = sumSides(guess, &limbs[0].chain) - sumSides(guess, &limbs[1].chain);
	int a = limbs[0].joints[joint], b = limbs[1].joints[joint];
	a = a >= 0 ? a : rpGuessedLimb_GetFirst(limbs);
	b = b >= 0 ? b : rpGuessedLimb_GetFirst(limbs + 1);
	float across = rpDot(left, rpSub(guess->tree.rest[a].p, guess->tree.rest[b].p));
	limbs[0].side = said > 0 || (said == 0 && across > 0.0f) ? 1 : -1;
	limbs[1].side = -limbs[0].side;
}

void rpGuess_ChooseSides(rpGuess* guess)
{
	rpVec3 left = getNamedLeft(guess, guess->legs, guess->legCount, 0);
	if (rpLength(left) == 0.0f)
	{
		left = getNamedLeft(guess, guess->arms, guess->armCount, 1);
	}
	if (rpLength(left) == 0.0f)
	{
		left = getShapedLeft(guess);
	}
	chooseSides(guess, guess->legs, guess->legCount, left, 0);
	chooseSides(guess, guess->arms, guess->armCount, left, 1);
}
