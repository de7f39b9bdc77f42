/// Guessing what each joint is. Limbs are found first, by names where both sides are named and by shape where not;
/// within a limb, names and bone lengths vote together, in the order of the chain; the trunk is what lies between
/// the branches. A role that is in doubt is left out.
#include "motion/roles.h"

#include "motion/role_geometry.h"

// A limb counts as named when its joints' names speak at least this strongly for it.
#define NAMED_LIMB 2.0f

// The weight of shape against names, and what a missing joint costs.
#define SHAPE_WEIGHT 1.5f
#define MISSING -1.0f

// Shape alone makes a limb from here on.
#define GOOD_SHAPE 0.25f

// Votes for a joint that is known to be something else.
#define GIVEN 100.0f
#define HELPER -8.0f
#define DIGIT -4.0f
#define OTHER_PART -2.0f

/// The joints of one arm or leg: clavicle, shoulder, elbow, wrist, or hip, knee, ankle, ball; -1 for none.
typedef struct Limb
{
	rpChain chain;
	int side;
	int joints[4];
} Limb;

/// Which parts a kind of limb has: three in a row, and one before or behind them; and its upper bone over its lower
/// one.
typedef struct LimbKind
{
	rpBodyPart first;
	bool extraBefore;
	float ratio;
} LimbKind;

static const LimbKind s_arm = {rp_partClavicle, true, 1.15f};
static const LimbKind s_leg = {rp_partHip, false, 1.0f};

/// The work in hand.
typedef struct Guess
{
	rpJoint* joints;
	int roles[rp_roleCount];
	rpNameReading names[RP_MAX_JOINTS];
	rpTree tree;
	Limb legs[2], arms[2];
	int legCount, armCount;
} Guess;

static void assign(Guess* guess, rpRole role, int joint)
{
	if (joint >= 0 && guess->roles[role] < 0 && guess->joints[joint].role == rp_roleNone)
	{
		guess->roles[role] = joint;
		guess->joints[joint].role = role;
	}
}

// A name's vote, or the certainty of a role that was given.
static float getVote(const Guess* guess, int joint, rpBodyPart part)
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

static int getSide(const Guess* guess, int joint)
{
	rpRole given = guess->joints[joint].role;
	int side = guess->names[joint].side;
	if (given != rp_roleNone)
	{
		rpRole_GetPart(given, &side);
	}
	return side;
}

// How strongly a joint speaks for being part of a limb of that kind and side.
static float getLimbVote(const Guess* guess, int joint, const LimbKind* kind, int side)
{
	float best = 0.0f;
	for (int i = 0; i < 4 && getSide(guess, joint) == side; ++i)
	{
		best = fmaxf(best, getVote(guess, joint, (rpBodyPart)((int)kind->first + i)));
	}
	return best;
}

// The lowest joint of the way from the root that has the most joints named for the limb; -1 if it is not named.
static int findNamedTip(const Guess* guess, const LimbKind* kind, int side)
{
	float sums[RP_MAX_JOINTS];
	float most = 0.0f;
	int tip = -1;
	for (int i = 0; i < guess->tree.jointCount; ++i)
	{
		int parent = guess->joints[i].parent;
		sums[i] = getLimbVote(guess, i, kind, side) + (parent >= 0 ? sums[parent] : 0.0f);
		if (sums[i] > most)
		{
			most = sums[i];
			tip = i;
		}
	}
	return most >= NAMED_LIMB ? tip : -1;
}

// The joint above the first one of that side on the way down to tip.
static int findBranch(const Guess* guess, int tip, int side)
{
	int above = guess->joints[tip].parent;
	for (int i = tip; i >= 0; i = guess->joints[i].parent)
	{
		above = getSide(guess, i) == side ? guess->joints[i].parent : above;
	}
	return above;
}

static int addNamedLimbs(Guess* guess, const LimbKind* kind, Limb* limbs)
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

static void addShapedLimbs(Guess* guess, const rpLimbPair* pair, Limb* limbs)
{
	for (int i = 0; i < 2; ++i)
	{
		rpTree_GetChain(&guess->tree, pair->joint, i == 0 ? pair->first : pair->second, &limbs[i].chain);
		limbs[i].side = 0;
	}
}

static void findLimbs(Guess* guess)
{
	rpLimbPair legs, arms;
	guess->legCount = addNamedLimbs(guess, &s_leg, guess->legs);
	guess->armCount = addNamedLimbs(guess, &s_arm, guess->arms);
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

// Clavicle before the shoulder or ball behind the ankle: where it is best, and how good.
static float findExtra(const Guess* guess, const LimbKind* kind, const rpChain* chain, const int* places, int* best)
{
	const rpTransform* rest = guess->tree.rest;
	int near = kind->extraBefore ? places[0] : places[2];
	rpBodyPart part = kind->extraBefore ? kind->first : rp_partBall;
	int from = kind->extraBefore ? 0 : near + 1;
	int to = kind->extraBefore ? near : chain->count;
	float most = 0.0f;
	*best = -1;
	for (int i = from; near >= 0 && i < to; ++i)
	{
		float distance = rpDistance(rest[chain->joints[i]].p, rest[chain->joints[near]].p);
		bool dummy = !(distance > 0.02f * chain->length), far = distance > 0.4f * chain->length;
		int skipped = kind->extraBefore ? near - 1 - i : i - near - 1;
		float score = getVote(guess, chain->joints[i], part) + (dummy || far ? -1.0f : 0.5f) - 0.1f * (float)skipped;
		if (score > most)
		{
			most = score;
			*best = chain->joints[i];
		}
	}
	return most;
}

// The votes for three joints of a limb at these places (-1: not there); very low if they may not be taken.
static float judgePlaces(const Guess* guess, const LimbKind* kind, const rpChain* chain, const int* places)
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
		float said = getVote(guess, chain->joints[places[i]], part);
		// Where the shape does not vouch for the limb, each joint must be named.
		bool allowed = said > 0.0f || (whole && shape >= GOOD_SHAPE);
		score += allowed ? said : -GIVEN;
	}
	return score;
}

static void keepBest(Guess* guess, const LimbKind* kind, Limb* limb, const int* places, float* best)
{
	int extra;
	float score = judgePlaces(guess, kind, &limb->chain, places);
	if (score + GIVEN < *best)
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
static void solveLimb(Guess* guess, const LimbKind* kind, Limb* limb)
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

static void solveLimbs(Guess* guess)
{
	for (int i = 0; i < guess->legCount; ++i)
	{
		solveLimb(guess, &s_leg, guess->legs + i);
	}
	for (int i = 0; i < guess->armCount; ++i)
	{
		solveLimb(guess, &s_arm, guess->arms + i);
	}
}

static int getFirst(const Limb* limb)
{
	return limb->chain.count > 0 ? limb->chain.joints[0] : -1;
}

// Where two limbs meet; for a single one, the joint above it.
static int getMeeting(const Guess* guess, const Limb* limbs, int count)
{
	if (count == 2)
	{
		return rpTree_FindCommon(&guess->tree, getFirst(limbs), getFirst(limbs + 1));
	}
	return count == 1 && getFirst(limbs) >= 0 ? guess->joints[getFirst(limbs)].parent : -1;
}

static bool isNamed(const Guess* guess, int joint, rpBodyPart part)
{
	return joint >= 0 && getVote(guess, joint, part) > 0.0f;
}

static bool isOnLimb(const Guess* guess, int joint)
{
	for (int i = 0; i < guess->legCount + guess->armCount; ++i)
	{
		const Limb* limb = i < guess->legCount ? guess->legs + i : guess->arms + i - guess->legCount;
		if (getFirst(limb) >= 0 && rpTree_IsAbove(&guess->tree, getFirst(limb), joint))
		{
			return true;
		}
	}
	return false;
}

// The first joint named head, or the last one named neck where there is no head.
static int findNamedTop(const Guess* guess)
{
	float sums[RP_MAX_JOINTS];
	float most = 0.0f;
	int top = -1;
	for (int i = 0; i < guess->tree.jointCount; ++i)
	{
		int parent = guess->joints[i].parent;
		float said = fmaxf(getVote(guess, i, rp_partNeck), getVote(guess, i, rp_partHead));
		sums[i] = fmaxf(said, 0.0f) + (parent >= 0 ? sums[parent] : 0.0f);
		if (said > 0.0f && sums[i] > most && !isNamed(guess, guess->joints[i].parent, rp_partHead))
		{
			most = sums[i];
			top = i;
		}
	}
	return top;
}

// The way of the body from its feet to its chest; zero where legs or arms are missing.
static rpVec3 getUp(const Guess* guess, int chest)
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

// Follow a neck to its last joint: past the head come eyes and the like, or the end of the chain.
static int climb(const Guess* guess, int joint)
{
	for (int next; (next = guess->tree.nexts[joint]) >= 0; joint = next)
	{
		bool stops = guess->tree.childCounts[joint] > 1 || guess->names[next].helper || guess->names[next].side != 0;
		if (stops)
		{
			break;
		}
	}
	return joint;
}

// By shape: the branch of the chest that goes up and is no arm.
static int findShapedTop(const Guess* guess, int chest)
{
	rpVec3 up = getUp(guess, chest);
	float highest = 0.0f;
	int start = -1;
	for (int i = chest + 1; chest >= 0 && i < guess->tree.jointCount; ++i)
	{
		if (guess->joints[i].parent != chest || isOnLimb(guess, i) || guess->names[i].side != 0 ||
			guess->names[i].helper)
		{
			continue;
		}
		int top = climb(guess, i);
		float height = rpDot(up, rpSub(guess->tree.rest[top].p, guess->tree.rest[chest].p));
		if (height > highest)
		{
			highest = height;
			start = i;
		}
	}
	if (start < 0 || highest < 0.02f * guess->tree.size)
	{
		return -1;
	}
	int top = climb(guess, start);
	// Where bones end in joints instead of end sites, the last one is the end of the head.
	bool bare = guess->tree.childCounts[top] == 0 && !guess->tree.hasEnd[top] && !guess->names[top].known;
	int depth = 0;
	for (int i = top; i != chest; i = guess->joints[i].parent)
	{
		++depth;
	}
	return bare && depth >= 3 ? guess->joints[top].parent : top;
}

// The joint that both arms and the neck branch from, corrected by names.
static int findChest(const Guess* guess, int top, int pelvis)
{
	int meeting = getMeeting(guess, guess->arms, guess->armCount);
	int chest = meeting;
	if (chest < 0 || guess->armCount < 2)
	{
		// Without both arms only a name tells.
		for (int i = top >= 0 ? top : meeting; i >= 0; i = guess->joints[i].parent)
		{
			if (isNamed(guess, i, rp_partChest))
			{
				return i;
			}
		}
		return -1;
	}
	if (top >= 0 && !isNamed(guess, chest, rp_partNeck))
	{
		int common = rpTree_FindCommon(&guess->tree, chest, top);
		// Arms and neck branch off apart: a joint between the branches that is named chest is it.
		for (int i = chest; i != common && common >= 0; i = guess->joints[i].parent)
		{
			if (isNamed(guess, i, rp_partChest))
			{
				return i;
			}
		}
		chest = common >= 0 ? common : chest;
	}
	// Where the collar bones hang on the neck (Biped), the chest is below it.
	while (chest >= 0 && isNamed(guess, chest, rp_partNeck))
	{
		chest = guess->joints[chest].parent;
	}
	return chest == pelvis ? -1 : chest;
}

// The joint that legs and spine branch from, corrected by names.
static int findPelvis(const Guess* guess, int upper)
{
	int meeting = getMeeting(guess, guess->legs, guess->legCount);
	int pelvis = meeting >= 0 && upper >= 0 ? rpTree_FindCommon(&guess->tree, meeting, upper) : meeting;
	if (meeting < 0 || guess->legCount < 2)
	{
		for (int i = meeting >= 0 ? meeting : upper; i >= 0; i = guess->joints[i].parent)
		{
			if (isNamed(guess, i, rp_partPelvis))
			{
				return i;
			}
		}
		return meeting < 0 && isNamed(guess, 0, rp_partPelvis) ? 0 : -1;
	}
	// Where the thighs hang on the spine (old Biped), the pelvis is above it.
	int parent = pelvis >= 0 ? guess->joints[pelvis].parent : -1;
	bool onSpine = isNamed(guess, pelvis, rp_partSpine) && isNamed(guess, parent, rp_partPelvis);
	return onSpine ? parent : pelvis;
}

// The first joint on the way from `above` (not included) down to `below` (not included) that is no dummy and no helper;
// failing that, the first that is no helper; -1 if there is none. With a part, only joints named so.
static int findBetween(const Guess* guess, int above, int below, int part)
{
	int real = -1, any = -1;
	for (int i = below >= 0 ? guess->joints[below].parent : -1; i > above; i = guess->joints[i].parent)
	{
		if (guess->names[i].helper || (part >= 0 && !isNamed(guess, i, (rpBodyPart)part)))
		{
			continue;
		}
		any = i;
		bool isReal =
			above < 0 || rpDistance(guess->tree.rest[i].p, guess->tree.rest[above].p) > 0.004f * guess->tree.size;
		real = isReal ? i : real;
	}
	return real >= 0 && part < 0 ? real : any;
}

// A single joint above the chest: head or neck, by its height over the shoulders.
static bool isHead(const Guess* guess, int top, int chest)
{
	if (isNamed(guess, top, rp_partHead))
	{
		return true;
	}
	if (isNamed(guess, top, rp_partNeck) || chest < 0)
	{
		return false;
	}
	if (guess->joints[top].parent != chest)
	{
		return true;
	}
	rpVec3 up = getUp(guess, chest);
	float height = rpDot(up, rpSub(guess->tree.rest[top].p, guess->tree.rest[chest].p));
	for (int i = 0; i < guess->armCount; ++i)
	{
		int shoulder = guess->arms[i].joints[1];
		if (shoulder >= 0)
		{
			height = fminf(height, rpDot(up, rpSub(guess->tree.rest[top].p, guess->tree.rest[shoulder].p)));
		}
	}
	return height > 0.04f * guess->tree.size;
}

static void assignTrunk(Guess* guess)
{
	int top = guess->roles[rp_roleHead] >= 0 ? guess->roles[rp_roleHead] : findNamedTop(guess);
	int upper = getMeeting(guess, guess->arms, guess->armCount);
	int pelvis = findPelvis(guess, upper >= 0 ? upper : top);
	assign(guess, rp_rolePelvis, pelvis);
	pelvis = guess->roles[rp_rolePelvis];
	assign(guess, rp_roleChest, findChest(guess, top, pelvis));
	int chest = guess->roles[rp_roleChest];
	if (top < 0)
	{
		top = findShapedTop(guess, chest);
	}
	else if (!isNamed(guess, top, rp_partHead))
	{
		int last = climb(guess, top);
		top = last != top && !isOnLimb(guess, last) ? last : top;
	}
	if (pelvis >= 0 && chest >= 0 && rpTree_IsAbove(&guess->tree, pelvis, chest))
	{
		assign(guess, rp_roleSpine, findBetween(guess, pelvis, chest, -1));
	}
	if (top < 0)
	{
		return;
	}
	bool head = isHead(guess, top, chest);
	assign(guess, head ? rp_roleHead : rp_roleNeck, top);
	int neck = head ? findBetween(guess, -1, top, rp_partNeck) : -1;
	if (head && neck < 0 && chest >= 0 && rpTree_IsAbove(&guess->tree, chest, top))
	{
		neck = findBetween(guess, chest, top, -1);
	}
	assign(guess, rp_roleNeck, neck);
}

// The direction from the right limb to the left one, where names tell the sides.
static rpVec3 getNamedLeft(const Guess* guess, const Limb* limbs, int count, int joint)
{
	if (count < 2 || limbs[0].side == 0 || limbs[0].joints[joint] < 0 || limbs[1].joints[joint] < 0)
	{
		return rpVec3_zero;
	}
	rpVec3 across = rpSub(guess->tree.rest[limbs[0].joints[joint]].p, guess->tree.rest[limbs[1].joints[joint]].p);
	return rpScale((float)limbs[0].side, across);
}

// The mean direction of the feet, from ankle to ball or end.
static rpVec3 getFeet(const Guess* guess, const rpEndSite* ends, int endCount)
{
	rpVec3 sum = rpVec3_zero;
	const rpTransform* rest = guess->tree.rest;
	for (int i = 0; i < guess->legCount; ++i)
	{
		int ankle = guess->legs[i].joints[2], ball = guess->legs[i].joints[3];
		if (ankle >= 0 && ball >= 0)
		{
			sum = rpAdd(sum, rpNormalize(rpSub(rest[ball].p, rest[ankle].p)));
		}
		for (int n = 0; n < endCount && ball < 0; ++n)
		{
			if (ends[n].joint == ankle)
			{
				sum = rpAdd(sum, rpNormalize(rpRotate(rest[ankle].q, ends[n].offset)));
			}
		}
	}
	return sum;
}

// The body's left by its own feet; where they do not tell, +X, or +Y in a body that lies along X.
static rpVec3 getShapedLeft(const Guess* guess, const rpEndSite* ends, int endCount)
{
	rpVec3 up = getUp(guess, getMeeting(guess, guess->arms, guess->armCount));
	rpVec3 forward = getFeet(guess, ends, endCount);
	forward = rpMulAdd(forward, -rpDot(forward, up), up);
	rpVec3 left = rpCross(up, forward);
	return rpLength(left) > 0.1f ? left : (rpVec3){1.0f, 0.1f, -0.01f};
}

// Names of the side on a chain that was found by shape.
static int sumSides(const Guess* guess, const rpChain* chain)
{
	int sum = 0;
	for (int i = 0; i < chain->count; ++i)
	{
		sum += getSide(guess, chain->joints[i]);
	}
	return sum;
}

static void chooseSides(const Guess* guess, Limb* limbs, int count, rpVec3 left, int joint)
{
	if (count < 2 || limbs[0].side != 0)
	{
		return;
	}
	int said = sumSides(guess, &limbs[0].chain) - sumSides(guess, &limbs[1].chain);
	int a = limbs[0].joints[joint], b = limbs[1].joints[joint];
	a = a >= 0 ? a : getFirst(limbs);
	b = b >= 0 ? b : getFirst(limbs + 1);
	float across = rpDot(left, rpSub(guess->tree.rest[a].p, guess->tree.rest[b].p));
	limbs[0].side = said > 0 || (said == 0 && across > 0.0f) ? 1 : -1;
	limbs[1].side = -limbs[0].side;
}

static void assignSides(Guess* guess, const rpEndSite* ends, int endCount)
{
	rpVec3 left = getNamedLeft(guess, guess->legs, guess->legCount, 0);
	if (rpLength(left) == 0.0f)
	{
		left = getNamedLeft(guess, guess->arms, guess->armCount, 1);
	}
	if (rpLength(left) == 0.0f)
	{
		left = getShapedLeft(guess, ends, endCount);
	}
	chooseSides(guess, guess->legs, guess->legCount, left, 0);
	chooseSides(guess, guess->arms, guess->armCount, left, 1);
}

static void assignLimbs(Guess* guess, const LimbKind* kind, const Limb* limbs, int count)
{
	for (int i = 0; i < count; ++i)
	{
		for (int n = 0; n < 4; ++n)
		{
			assign(guess, rpBodyPart_GetRole((rpBodyPart)((int)kind->first + n), limbs[i].side), limbs[i].joints[n]);
		}
	}
}

static void readNames(Guess* guess, int jointCount)
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
	Guess guess = {.joints = joints};
	readNames(&guess, jointCount);
	rpMeasureTree(&guess.tree, joints, jointCount, ends, endCount, rest, guess.names);
	findLimbs(&guess);
	solveLimbs(&guess);
	assignSides(&guess, ends, endCount);
	assignLimbs(&guess, &s_leg, guess.legs, guess.legCount);
	assignLimbs(&guess, &s_arm, guess.arms, guess.armCount);
	assignTrunk(&guess);
}
