/// Pelvis, spine, chest, neck and head: what lies between the branches of the limbs and above them, corrected by names
/// where files hang limbs elsewhere.
#include "motion/role_guess.h"

#include <math.h>

// A top that is less than this part of the body above the chest is no head.
#define MIN_NECK 0.02f

// A joint this part of the body above the shoulders is the head, below it the neck.
#define HEAD_HEIGHT 0.04f

static bool isOnLimb(const rpGuess* guess, int joint)
{
	for (int i = 0; i < guess->legCount + guess->armCount; ++i)
	{
		const rpGuessedLimb* limb = i < guess->legCount ? guess->legs + i : guess->arms + (i - guess->legCount);
		if (rpGuessedLimb_GetFirst(limb) >= 0 && rpTree_IsAbove(&guess->tree, rpGuessedLimb_GetFirst(limb), joint))
		{
			return true;
		}
	}
	return false;
}

// The first joint named head, or the last one named neck where there is no head.
static int findNamedTop(const rpGuess* guess)
{
	float sums[RP_MAX_JOINTS];
	float max = 0.0f;
	int top = -1;
	for (int i = 0; i < guess->tree.jointCount; ++i)
	{
		int parent = guess->joints[i].parent;
		float said = fmaxf(rpGuess_GetVote(guess, i, rp_partNeck), rpGuess_GetVote(guess, i, rp_partHead));
		sums[i] = fmaxf(said, 0.0f) + (parent >= 0 ? sums[parent] : 0.0f);
		if (said > 0.0f && sums[i] > max && !rpGuess_IsNamed(guess, guess->joints[i].parent, rp_partHead))
		{
			max = sums[i];
			top = i;
		}
	}
	return top;
}

// Follow a neck to its last joint: past the head come eyes and the like, or the end of the chain.
static int climb(const rpGuess* guess, int joint)
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
static int findShapedTop(const rpGuess* guess, int chest)
{
	rpVec3 up = rpGuess_GetUp(guess, chest);
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
	if (start < 0 || highest < MIN_NECK * guess->tree.size)
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
static int findChest(const rpGuess* guess, int top, int pelvis)
{
	int meeting = rpGuess_GetMeeting(guess, guess->arms, guess->armCount);
	int chest = meeting;
	if (chest < 0 || guess->armCount < 2)
	{
		// Without both arms only a name decides.
		for (int i = top >= 0 ? top : meeting; i >= 0; i = guess->joints[i].parent)
		{
			if (rpGuess_IsNamed(guess, i, rp_partChest))
			{
				return i;
			}
		}
		return -1;
	}
	if (top >= 0 && !rpGuess_IsNamed(guess, chest, rp_partNeck))
	{
		int common = rpTree_FindCommon(&guess->tree, chest, top);
		// Arms and neck branch off apart: a joint between the branches that is named chest is it.
		for (int i = chest; i != common && common >= 0; i = guess->joints[i].parent)
		{
			if (rpGuess_IsNamed(guess, i, rp_partChest))
			{
				return i;
			}
		}
		chest = common >= 0 ? common : chest;
	}
	// Where the collar bones hang on the neck (Biped), the chest is below it.
	while (chest >= 0 && rpGuess_IsNamed(guess, chest, rp_partNeck))
	{
		chest = guess->joints[chest].parent;
	}
	return chest == pelvis ? -1 : chest;
}

// The joint that legs and spine branch from, corrected by names.
static int findPelvis(const rpGuess* guess, int upper)
{
	int meeting = rpGuess_GetMeeting(guess, guess->legs, guess->legCount);
	int pelvis = meeting >= 0 && upper >= 0 ? rpTree_FindCommon(&guess->tree, meeting, upper) : meeting;
	if (meeting < 0 || guess->legCount < 2)
	{
		for (int i = meeting >= 0 ? meeting : upper; i >= 0; i = guess->joints[i].parent)
		{
			if (rpGuess_IsNamed(guess, i, rp_partPelvis))
			{
				return i;
			}
		}
		return meeting < 0 && rpGuess_IsNamed(guess, 0, rp_partPelvis) ? 0 : -1;
	}
	// Where the thighs hang on the spine (old Biped), the pelvis is above it.
	int parent = pelvis >= 0 ? guess->joints[pelvis].parent : -1;
	bool onSpine = rpGuess_IsNamed(guess, pelvis, rp_partSpine) && rpGuess_IsNamed(guess, parent, rp_partPelvis);
	return onSpine ? parent : pelvis;
}

// The first joint on the path from `above` (not included) down to `below` (not included) that is no dummy and no
// helper; failing that, the first that is no helper; -1 if there is none.
static int findBetween(const rpGuess* guess, int above, int below)
{
	int real = -1, any = -1;
	for (int i = guess->joints[below].parent; i > above; i = guess->joints[i].parent)
	{
		if (!guess->names[i].helper)
		{
			float distance = rpDistance(guess->tree.rest[i].p, guess->tree.rest[above].p);
			real = distance > RP_DUMMY_LENGTH * guess->tree.size ? i : real;
			any = i;
		}
	}
	return real >= 0 ? real : any;
}

// The first joint named neck on the path down to the head.
static int findNamedNeck(const rpGuess* guess, int head)
{
	int neck = -1;
	for (int i = guess->joints[head].parent; i >= 0; i = guess->joints[i].parent)
	{
		neck = rpGuess_IsNamed(guess, i, rp_partNeck) ? i : neck;
	}
	return neck;
}

// A single joint above the chest: head or neck, by its height over the shoulders.
static bool isHead(const rpGuess* guess, int top, int chest)
{
	if (rpGuess_IsNamed(guess, top, rp_partHead))
	{
		return true;
	}
	if (rpGuess_IsNamed(guess, top, rp_partNeck) || chest < 0)
	{
		return false;
	}
	if (guess->joints[top].parent != chest)
	{
		return true;
	}
	rpVec3 up = rpGuess_GetUp(guess, chest);
	float height = rpDot(up, rpSub(guess->tree.rest[top].p, guess->tree.rest[chest].p));
	for (int i = 0; i < guess->armCount; ++i)
	{
		int shoulder = guess->arms[i].joints[1];
		if (shoulder >= 0)
		{
			height = fminf(height, rpDot(up, rpSub(guess->tree.rest[top].p, guess->tree.rest[shoulder].p)));
		}
	}
	return height > HEAD_HEIGHT * guess->tree.size;
}

void rpGuess_AssignTrunk(rpGuess* guess)
{
	int top = guess->roles[rp_roleHead] >= 0 ? guess->roles[rp_roleHead] : findNamedTop(guess);
	int upper = rpGuess_GetMeeting(guess, guess->arms, guess->armCount);
	int pelvis = findPelvis(guess, upper >= 0 ? upper : top);
	rpGuess_Assign(guess, rp_rolePelvis, pelvis);
	pelvis = guess->roles[rp_rolePelvis];
	rpGuess_Assign(guess, rp_roleChest, findChest(guess, top, pelvis));
	int chest = guess->roles[rp_roleChest];
	if (top < 0)
	{
		top = findShapedTop(guess, chest);
	}
	else if (!rpGuess_IsNamed(guess, top, rp_partHead))
	{
		int last = climb(guess, top);
		top = last != top && !isOnLimb(guess, last) ? last : top;
	}
	if (pelvis >= 0 && chest >= 0 && rpTree_IsAbove(&guess->tree, pelvis, chest))
	{
		rpGuess_Assign(guess, rp_roleSpine, findBetween(guess, pelvis, chest));
	}
	if (top < 0)
	{
		return;
	}
	bool head = isHead(guess, top, chest);
	rpGuess_Assign(guess, head ? rp_roleHead : rp_roleNeck, top);
	int neck = head ? findNamedNeck(guess, top) : -1;
	if (head && neck < 0 && chest >= 0 && rpTree_IsAbove(&guess->tree, chest, top))
	{
		neck = findBetween(guess, chest, top);
	}
	rpGuess_Assign(guess, rp_roleNeck, neck);
}
