/// Arms and legs: found by names where both sides are named and by shape where not; then names and bone lengths vote
/// together on which joint is which, in the order of the chain.
#include "motion/role_guess.h"

#include <math.h>

// A limb counts as named when its joints' names speak at least this strongly for it.
#define NAMED_LIMB 2.0f

// The weight of shape against names, and what a missing joint costs.
#define SHAPE_WEIGHT 1.5f
#define MISSING -1.0f

// Shape alone makes a limb from here on.
#define GOOD_SHAPE 0.25f

// What a limb is worth more for having a clavicle or a ball.
#define EXTRA_WORTH 0.2f

// As strong as the vote of a toe.
#define SURE_FOOT 3.0f

// What no vote outweighs.
#define FORBIDDEN -100.0f

const rpLimbKind rp_armKind = {rp_partClavicle, true, 1.15f};
const rpLimbKind rp_legKind = {rp_partHip, false, 1.0f};

// How strongly a joint speaks for being part of a limb of that kind and side.
static float getLimbVote(const rpGuess* guess, int joint, const rpLimbKind* kind, int side)
{
	float best = 0.0f;
	for (int i = 0; i < 4 && rpGuess_GetSide(guess, joint) == side; ++i)
	{
		best = fmaxf(best, rpGuess_GetVote(guess, joint, (rpBodyPart)((int)kind->first + i)));
	}
	return best;
}

// The lowest joint of the path from the root that has the most joints named for the limb; -1 if it is not named.
static int findNamedTip(const rpGuess* guess, const rpLimbKind* kind, int side)
{
	float sums[RP_MAX_JOINTS];
	float max = 0.0f;
	int tip = -1;
	for (int i = 0; i < guess->tree.jointCount; ++i)
	{
		int parent = guess->joints[i].parent;
		sums[i] = getLimbVote(guess, i, kind, side) + (parent >= 0 ? sums[parent] : 0.0f);
		if (sums[i] > max)
		{
			max = sums[i];
			tip = i;
		}
	}
	return max >= NAMED_LIMB ? tip : -1;
}

// The joint above the first one of that side on the path down to tip.
static int findBranch(const rpGuess* guess, int tip, int side)
{
	int above = guess->joints[tip].parent;
	for (int i = tip; i >= 0; i = guess->joints[i].parent)
	{
		above = rpGuess_GetSide(guess, i) == side ? guess->joints[i].parent : above;
	}
	return above;
}

static int addNamedLimbs(rpGuess* guess, const rpLimbKind* kind, rpGuessedLimb* limbs)
{
	int left = findNamedTip(guess, kind, 1), right = findNamedTip(guess, kind, -1);
	int branch = rpTree_FindCommon(&guess->tree, left, right);
	int count = 0;
	for (int side = 1; side >= -1; side -= 2)
	{
		int tip = side > 0 ? left : right;
		if (tip >= 0)
		{
			rpTree_GetChain(&guess->tree, branch >= 0 ? branch : findBranch(guess, tip, side), tip,
							&limbs[count].chain);
			limbs[count++].side = side;
		}
	}
	return count;
}

static void addShapedLimbs(rpGuess* guess, const rpLimbPair* pair, rpGuessedLimb* limbs)
{
	for (int i = 0; i < 2; ++i)
	{
		rpTree_GetChain(&guess->tree, pair->joint, i == 0 ? pair->first : pair->second, &limbs[i].chain);
		limbs[i].side = 0;
	}
}

void rpGuess_FindLimbs(rpGuess* guess)
{
	rpLimbPair legs, arms;
	guess->legCount = addNamedLimbs(guess, &rp_legKind, guess->legs);
	guess->armCount = addNamedLimbs(guess, &rp_armKind, guess->arms);
	if ((guess->legCount == 2 && guess->armCount == 2) || !rpTree_FindLimbs(&guess->tree, &legs, &arms))
	{
		return;
	}
	if (guess->legCount < 2)
	{
		addShapedLimbs(guess, &legs, guess->legs);
		guess->legCount = 2;
	}
	if (guess->armCount < 2)
	{
		addShapedLimbs(guess, &arms, guess->arms);
		guess->armCount = 2;
	}
}

// What a joint says about being the extra one. After an ankle that is called so, a foot is the ball (SMPL).
static float getExtraVote(const rpGuess* guess, int joint, rpBodyPart part, int near)
{
	float said = rpGuess_GetVote(guess, joint, part);
	const float *votes = guess->names[joint].votes, *nearVotes = guess->names[near].votes;
	bool afterAnkle = part == rp_partBall && nearVotes[rp_partAnkle] > 0.0f && nearVotes[rp_partBall] == 0.0f;
	return afterAnkle && said > 0.0f && votes[rp_partAnkle] > 0.0f ? SURE_FOOT : said;
}

// Clavicle before the shoulder or ball after the ankle: where it is best; returns what it adds to the limb.
static float findExtra(const rpGuess* guess, const rpLimbKind* kind, const rpChain* chain, const int* places, int* best)
{
	const rpTransform* rest = guess->tree.rest;
	int near = kind->extraBefore ? places[0] : places[2];
	rpBodyPart part = kind->extraBefore ? kind->first : rp_partBall;
	int from = kind->extraBefore ? 0 : near + 1;
	int to = kind->extraBefore ? near : chain->count;
	float max = 0.0f, added = 0.0f;
	*best = -1;
	for (int i = from; near >= 0 && i < to; ++i)
	{
		float distance = rpDistance(rest[chain->joints[i]].p, rest[chain->joints[near]].p);
		bool dummy = !(distance > 0.02f * chain->length), far = distance > 0.4f * chain->length;
		int skipped = kind->extraBefore ? near - 1 - i : i - near - 1;
		float said = getExtraVote(guess, chain->joints[i], part, chain->joints[near]);
		float score = said + (dummy || far ? -1.0f : 0.5f) - 0.1f * (float)skipped;
		if (score > max)
		{
			max = score;
			added = said + EXTRA_WORTH;
			*best = chain->joints[i];
		}
	}
	return added;
}

// The votes for three joints of a limb at these places (-1: not there); very low if they may not be taken.
static float judgePlaces(const rpGuess* guess, const rpLimbKind* kind, const rpChain* chain, const int* places)
{
	bool whole = places[0] >= 0 && places[1] >= 0 && places[2] >= 0;
	float shape = whole ? rpChain_JudgeLimb(chain, &guess->tree, places, kind->ratio) : 0.0f;
	float score = SHAPE_WEIGHT * shape;
	for (int i = 0; i < 3; ++i)
	{
		if (places[i] < 0)
		{
			score += MISSING;
			continue;
		}
		rpBodyPart part = (rpBodyPart)((int)kind->first + i + (kind->extraBefore ? 1 : 0));
		float said = rpGuess_GetVote(guess, chain->joints[places[i]], part);
		// Where the shape does not vouch for the limb, each joint must be named.
		bool allowed = said > 0.0f || (whole && shape >= GOOD_SHAPE);
		score += allowed ? said : FORBIDDEN;
	}
	return score;
}

static void keepBest(rpGuess* guess, const rpLimbKind* kind, rpGuessedLimb* limb, const int* places, float* best)
{
	int extra;
	float score = judgePlaces(guess, kind, &limb->chain, places);
	if (score - FORBIDDEN < *best)
	{
		return;
	}
	score += findExtra(guess, kind, &limb->chain, places, &extra);
	if (score > *best)
	{
		*best = score;
		int shift = kind->extraBefore ? 1 : 0;
		for (int i = 0; i < 3; ++i)
		{
			limb->joints[i + shift] = places[i] >= 0 ? limb->chain.joints[places[i]] : -1;
		}
		limb->joints[kind->extraBefore ? 0 : 3] = extra;
	}
}

// Try all ways to place three joints in order along the chain.
static void solveLimb(rpGuess* guess, const rpLimbKind* kind, rpGuessedLimb* limb)
{
	int count = limb->chain.count;
	float best = 3.0f * MISSING;
	int places[3];
	limb->joints[0] = limb->joints[1] = limb->joints[2] = limb->joints[3] = -1;
	for (places[0] = -1; places[0] < count; ++places[0])
	{
		for (places[1] = -1; places[1] < count; ++places[1])
		{
			for (places[2] = -1; places[2] < count; ++places[2])
			{
				bool ordered = (places[1] < 0 || places[1] > places[0]) &&
							   (places[2] < 0 || (places[2] > places[1] && places[2] > places[0]));
				if (ordered)
				{
					keepBest(guess, kind, limb, places, &best);
				}
			}
		}
	}
}

void rpGuess_SolveLimbs(rpGuess* guess)
{
	for (int i = 0; i < guess->legCount; ++i)
	{
		solveLimb(guess, &rp_legKind, guess->legs + i);
	}
	for (int i = 0; i < guess->armCount; ++i)
	{
		solveLimb(guess, &rp_armKind, guess->arms + i);
	}
}
