/// The shape of a body: limbs come in pairs of equal bones, and two long bones of about equal length make a limb.
/// Nothing here knows which direction is up: trees come in any axes and units.
#include "motion/role_geometry.h"

#include <math.h>

// A limb is at least this part of the longest path through the body; fingers, toes and eyes are below it.
#define LIMB_LENGTH 0.15f

// Two limbs are a pair when their bones differ by less than this part of their length.
#define PAIR_TOLERANCE 0.12f

static void measureEnds(rpTree* tree, const rpEndSite* ends, int endCount)
{
	for (int i = 0; i < endCount; ++i)
	{
		float length = rpLength(ends[i].offset);
		int joint = ends[i].joint;
		tree->reaches[joint] = fmaxf(tree->reaches[joint], length);
		tree->hasEnd[joint] = tree->hasEnd[joint] || length > 0.0f;
	}
}

void rpMeasureTree(rpTree* tree, const rpJoint* joints, int jointCount, const rpEndSite* ends, int endCount,
				   const rpTransform* rest, const rpNameReading* names)
{
	tree->joints = joints;
	tree->jointCount = jointCount;
	tree->rest = rest;
	tree->names = names;
	tree->size = 0.0f;
	for (int i = 0; i < jointCount; ++i)
	{
		int parent = joints[i].parent;
		tree->bones[i] = parent >= 0 ? rpDistance(rest[i].p, rest[parent].p) : 0.0f;
		tree->reaches[i] = 0.0f;
		tree->nexts[i] = -1;
		tree->childCounts[i] = 0;
		tree->hasEnd[i] = false;
	}
	measureEnds(tree, ends, endCount);
	// Children come after their parents, so that backwards every reach is complete before it is handed up.
	for (int i = jointCount - 1; i > 0; --i)
	{
		int parent = joints[i].parent;
		float reach = tree->bones[i] + tree->reaches[i];
		++tree->childCounts[parent];
		tree->size = fmaxf(tree->size, reach + tree->reaches[parent]);
		if (reach >= tree->reaches[parent])
		{
			tree->reaches[parent] = reach;
			tree->nexts[parent] = i;
		}
	}
	tree->size = fmaxf(tree->size, tree->reaches[0]);
}

bool rpTree_IsAbove(const rpTree* tree, int ancestor, int joint)
{
	// Parents have smaller numbers than their children.
	while (joint > ancestor)
	{
		joint = tree->joints[joint].parent;
	}
	return joint == ancestor;
}

int rpTree_FindCommon(const rpTree* tree, int a, int b)
{
	while (a != b && a >= 0 && b >= 0)
	{
		*(a > b ? &a : &b) = tree->joints[a > b ? a : b].parent;
	}
	return a == b ? a : -1;
}

void rpTree_GetChain(const rpTree* tree, int above, int tip, rpChain* out)
{
	int depth = 0;
	for (int i = tip; i > above && i >= 0; i = tree->joints[i].parent)
	{
		++depth;
	}
	int place = depth - 1;
	out->length = tip >= 0 ? tree->reaches[tip] : 0.0f;
	for (int i = tip; i > above && i >= 0; i = tree->joints[i].parent, --place)
	{
		out->length += tree->bones[i];
		if (place < RP_MAX_CHAIN)
		{
			out->joints[place] = i;
		}
	}
	out->count = depth < RP_MAX_CHAIN ? depth : RP_MAX_CHAIN;
	for (int i = tip >= 0 ? tree->nexts[tip] : -1; i >= 0 && out->count < RP_MAX_CHAIN; i = tree->nexts[i])
	{
		out->joints[out->count++] = i;
	}
}

// The next joint on the longest path down whose bone is no dummy, -1 if there is none.
static int skipDummies(const rpTree* tree, int joint)
{
	while (joint >= 0 && tree->bones[joint] < RP_DUMMY_LENGTH * tree->size)
	{
		joint = tree->nexts[joint];
	}
	return joint;
}

// Whether the longest paths down from two siblings are made of the same bones.
static bool isPair(const rpTree* tree, int a, int b)
{
	float reachA = tree->bones[a] + tree->reaches[a], reachB = tree->bones[b] + tree->reaches[b];
	float allowed = PAIR_TOLERANCE * fminf(reachA, reachB);
	float difference = fabsf(reachA - reachB);
	if (fminf(reachA, reachB) < LIMB_LENGTH * tree->size || difference > allowed)
	{
		return false;
	}
	while (difference <= allowed)
	{
		a = skipDummies(tree, a);
		b = skipDummies(tree, b);
		if (a < 0 || b < 0)
		{
			break;
		}
		difference += fabsf(tree->bones[a] - tree->bones[b]);
		a = tree->nexts[a];
		b = tree->nexts[b];
	}
	return difference <= allowed;
}

static int getNextSibling(const rpTree* tree, int joint)
{
	for (int i = joint + 1; i < tree->jointCount; ++i)
	{
		if (tree->joints[i].parent == tree->joints[joint].parent)
		{
			return i;
		}
	}
	return -1;
}

// The longest pair below a joint; first is -1 if it has none.
static rpLimbPair findPair(const rpTree* tree, int joint)
{
	rpLimbPair best = {joint, -1, -1};
	float longest = 0.0f;
	for (int a = joint + 1; tree->childCounts[joint] >= 2 && a < tree->jointCount; ++a)
	{
		float reach = tree->bones[a] + tree->reaches[a];
		if (tree->joints[a].parent != joint || reach <= longest || reach < LIMB_LENGTH * tree->size)
		{
			continue;
		}
		for (int b = getNextSibling(tree, a); b >= 0; b = getNextSibling(tree, b))
		{
			if (isPair(tree, a, b))
			{
				best = (rpLimbPair){joint, a, b};
				longest = reach;
				break;
			}
		}
	}
	return best;
}

static float getPairReach(const rpTree* tree, const rpLimbPair* pair)
{
	return tree->bones[pair->first] + tree->reaches[pair->first] + tree->bones[pair->second] +
		   tree->reaches[pair->second];
}

static float measureDown(const rpTree* tree, int above, int joint)
{
	float length = 0.0f;
	for (; joint > above; joint = tree->joints[joint].parent)
	{
		length += tree->bones[joint];
	}
	return length;
}

// Whether neither pair is part of a limb of the other.
static bool areApart(const rpTree* tree, const rpLimbPair* a, const rpLimbPair* b)
{
	return !rpTree_IsAbove(tree, a->first, b->joint) && !rpTree_IsAbove(tree, a->second, b->joint) &&
		   !rpTree_IsAbove(tree, b->first, a->joint) && !rpTree_IsAbove(tree, b->second, a->joint) &&
		   a->joint != b->joint;
}

bool rpTree_FindLimbs(const rpTree* tree, rpLimbPair* legs, rpLimbPair* arms)
{
	rpLimbPair pairs[64];
	int pairCount = 0;
	for (int i = 0; i < tree->jointCount && pairCount < 64; ++i)
	{
		pairs[pairCount] = findPair(tree, i);
		pairCount += pairs[pairCount].first >= 0;
	}
	float longest = 0.0f;
	for (int i = 0; i < pairCount; ++i)
	{
		for (int j = i + 1; j < pairCount; ++j)
		{
			float reach = getPairReach(tree, pairs + i) + getPairReach(tree, pairs + j);
			if (reach > longest && areApart(tree, pairs + i, pairs + j))
			{
				// The spine is long: the legs are nearer to where the two paths part.
				int common = rpTree_FindCommon(tree, pairs[i].joint, pairs[j].joint);
				bool legsFirst = measureDown(tree, common, pairs[i].joint) < measureDown(tree, common, pairs[j].joint);
				*legs = pairs[legsFirst ? i : j];
				*arms = pairs[legsFirst ? j : i];
				longest = reach;
			}
		}
	}
	return longest > 0.0f;
}

float rpChain_JudgeLimb(const rpChain* chain, const rpTree* tree, const int places[3], float ratio)
{
	const rpTransform* rest = tree->rest;
	const int* joints = chain->joints;
	int i = places[0], j = places[1], k = places[2];
	float upper = rpDistance(rest[joints[i]].p, rest[joints[j]].p);
	float lower = rpDistance(rest[joints[j]].p, rest[joints[k]].p);
	if (!(fminf(upper, lower) > 0.05f * chain->length))
	{
		return -1.0f;
	}
	float path = 0.0f, before = 0.0f;
	for (int n = 0; n <= k; ++n)
	{
		*(n <= i ? &before : &path) += tree->bones[joints[n]];
	}
	// Hips and shoulders are apart from each other, and so from where their limbs branch off.
	float joined = before < RP_DUMMY_LENGTH * tree->size ? 0.3f : 0.0f;
	// Long bones, of the right ratio, straight between their ends, few joints left out; a hand spreads into fingers.
	int skipped = k - i - 2;
	float spread = tree->childCounts[joints[k]] >= 3 ? 0.1f : tree->childCounts[joints[k]] == 2 ? 0.05f : 0.0f;
	return (upper + lower) / chain->length - 0.5f * fabsf(rpLog(upper / lower / ratio)) - 0.1f * (float)skipped -
		   3.0f * (path - upper - lower) / chain->length + spread - joined;
}
