/// Guessing what each joint is. Limbs are found first, then their sides; the trunk is what lies between the branches.
/// A role that is in doubt is left out.
#include "motion/roles.h"

#include "motion/role_guess.h"

// Votes for a joint that is known to be something.
#define GIVEN 100.0f
#define HELPER -8.0f
#define DIGIT -4.0f
#define OTHER_PART -2.0f

void rpGuess_Assign(rpGuess* guess, rpRole role, int joint)
{
	if (joint >= 0 && guess->roles[role] < 0 && guess->joints[joint].role == rp_roleNone)
	{
		guess->roles[role] = joint;
		guess->joints[joint].role = role;
	}
}

// A name's vote, or the certainty of a role that was given.
float rpGuess_GetVote(const rpGuess* guess, int joint, rpBodyPart part)
{
	const rpNameReading* name = guess->names + joint;
	rpRole given = guess->joints[joint].role;
	if (given != rp_roleNone)
	{
		int side;
		return rpRole_GetPart(given, &side) == part ? GIVEN : -GIVEN;
	}
	if (name->helper || name->digit)
	{
		return name->helper ? HELPER : DIGIT;
	}
	return !name->known || name->votes[part] > 0.0f ? name->votes[part] : OTHER_PART;
}

int rpGuess_GetSide(const rpGuess* guess, int joint)
{
	rpRole given = guess->joints[joint].role;
	int side = guess->names[joint].side;
	if (given != rp_roleNone)
	{
		rpRole_GetPart(given, &side);
	}
	return side;
}

bool rpGuess_IsNamed(const rpGuess* guess, int joint, rpBodyPart part)
{
	return joint >= 0 && rpGuess_GetVote(guess, joint, part) > 0.0f;
}

int rpGuessedLimb_GetFirst(const rpGuessedLimb* limb)
{
	return limb->chain.count > 0 ? limb->chain.joints[0] : -1;
}

// Where two limbs meet; for a single one, the joint above it.
int rpGuess_GetMeeting(const rpGuess* guess, const rpGuessedLimb* limbs, int count)
{
	if (count == 2)
	{
		return rpTree_FindCommon(&guess->tree, rpGuessedLimb_GetFirst(limbs), rpGuessedLimb_GetFirst(limbs + 1));
	}
	return count == 1 && rpGuessedLimb_GetFirst(limbs) >= 0 ? guess->joints[rpGuessedLimb_GetFirst(limbs)].parent : -1;
}

// The direction of the body from its feet to its chest; zero where legs or arms are missing.
rpVec3 rpGuess_GetUp(const rpGuess* guess, int chest)
{
	rpVec3 feet = rpVec3_zero;
	int count = 0;
	for (int i = 0; i < guess->legCount; ++i)
	{
		int ankle = guess->legs[i].joints[2];
		if (ankle >= 0)
		{
			feet = rpAdd(feet, guess->tree.rest[ankle].p);
			++count;
		}
	}
	if (count == 0 || chest < 0)
	{
		return rpVec3_zero;
	}
	return rpNormalize(rpSub(guess->tree.rest[chest].p, rpScale(1.0f / (float)count, feet)));
}

static void assignLimbs(rpGuess* guess, const rpLimbKind* kind, const rpGuessedLimb* limbs, int count)
{
	for (int i = 0; i < count; ++i)
	{
		for (int n = 0; n < 4; ++n)
		{
			rpGuess_Assign(guess, rpBodyPart_GetRole((rpBodyPart)((int)kind->first + n), limbs[i].side),
						   limbs[i].joints[n]);
		}
	}
}

static void readNames(rpGuess* guess, int jointCount)
{
	for (int i = 0; i < rp_roleCount; ++i)
	{
		guess->roles[i] = -1;
	}
	for (int i = 0; i < jointCount; ++i)
	{
		guess->names[i] = rpReadJointName(guess->joints[i].name);
		if (guess->joints[i].role != rp_roleNone)
		{
			guess->roles[guess->joints[i].role] = i;
		}
	}
}

void rpGuessRoles(rpJoint* joints, int jointCount, const rpEndSite* ends, int endCount, const rpTransform* rest)
{
	rpGuess guess = {.joints = joints, .ends = ends, .endCount = endCount};
	readNames(&guess, jointCount);
	rpMeasureTree(&guess.tree, joints, jointCount, ends, endCount, rest, guess.names);
	rpGuess_FindLimbs(&guess);
	rpGuess_SolveLimbs(&guess);
	rpGuess_ChooseSides(&guess);
	assignLimbs(&guess, &rp_legKind, guess.legs, guess.legCount);
	assignLimbs(&guess, &rp_armKind, guess.arms, guess.armCount);
	rpGuess_AssignTrunk(&guess);
}
