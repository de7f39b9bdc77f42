/// The work of guessing roles, shared by its stages: limbs, sides, trunk.
#pragma once

#include "motion/role_geometry.h"

/// Which parts a kind of limb has: three in a row, and one before or after them (clavicle, ball).
typedef struct rpLimbKind
{
	rpBodyPart first;
	bool extraBefore;

	/// Usual length of its upper bone over its lower one.
	float ratio;
} rpLimbKind;

extern const rpLimbKind rp_armKind, rp_legKind;

/// One arm or leg.
typedef struct rpGuessedLimb
{
	rpChain chain;

	/// 1 left, -1 right, 0 where neither is known.
	int side;

	/// Clavicle, shoulder, elbow, wrist, or hip, knee, ankle, ball; -1 for none.
	int joints[4];
} rpGuessedLimb;

/// What is known so far.
typedef struct rpGuess
{
	rpJoint* joints;
	const rpEndSite* ends;
	int endCount;

	/// Joint of each role, -1 for none.
	int roles[rp_roleCount];
	rpNameReading names[RP_MAX_JOINTS];
	rpTree tree;
	rpGuessedLimb legs[2], arms[2];
	int legCount, armCount;
} rpGuess;

/// Give a joint a role, unless either has one already. joint may be -1.
void rpGuess_Assign(rpGuess* guess, rpRole role, int joint);

/// How strongly a joint speaks for a part: its name's vote, or the certainty of a role that was given; negative where
/// it is known to be something else.
float rpGuess_GetVote(const rpGuess* guess, int joint, rpBodyPart part);

/// Whether a joint speaks for a part at all. joint may be -1.
bool rpGuess_IsNamed(const rpGuess* guess, int joint, rpBodyPart part);

/// The side that a joint's role or name says.
int rpGuess_GetSide(const rpGuess* guess, int joint);

/// The joint of a limb next to the trunk, -1 if the limb has none.
int rpGuessedLimb_GetFirst(const rpGuessedLimb* limb);

/// Where two limbs meet; for a single one, the joint above it; -1 for none.
int rpGuess_GetMeeting(const rpGuess* guess, const rpGuessedLimb* limbs, int count);

/// The direction from the ankles to the chest; zero where either is missing. chest may be -1.
rpVec3 rpGuess_GetUp(const rpGuess* guess, int chest);

/// Fill legs and arms: their chains, and the sides that are named.
void rpGuess_FindLimbs(rpGuess* guess);

/// Fill the joints of each limb.
void rpGuess_SolveLimbs(rpGuess* guess);

/// Fill the sides that are not named.
void rpGuess_ChooseSides(rpGuess* guess);

/// Assign the roles of the midline, once limbs and sides are known.
void rpGuess_AssignTrunk(rpGuess* guess);
