#include "doctor/role_fixes.h"

#include "base/error.h"
#include "base/memory.h"

#include <ctype.h>
#include <string.h>

// Names are compared by this many characters.
enum
{
	maxName = 64
};

static int min(int a, int b)
{
	return a < b ? a : b;
}

// Edits that turn one name into the other, upper and lower case alike.
static int getEdits(const char* a, const char* b)
{
	int row[maxName + 1], length = min((int)strlen(b), maxName);
	for (int j = 0; j <= length; ++j)
	{
		row[j] = j;
	}
	for (int i = 1; i <= maxName && a[i - 1] != 0; ++i)
	{
		int diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= length; ++j)
		{
			int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			int edits = min(diagonal + !same, 1 + min(row[j], row[j - 1]));
			diagonal = row[j];
			row[j] = edits;
		}
	}
	return row[length];
}

// The two joints of the nearest names.
static bool failMissing(const rpSkeleton* skeleton, const rpRoleFix* fix, rpError* error)
{
	int first = 0, second = -1;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		int edits = getEdits(fix->joint, skeleton->joints[i].name);
		if (edits < getEdits(fix->joint, skeleton->joints[first].name))
		{
			second = first;
			first = i;
		}
		else if (second < 0 || edits < getEdits(fix->joint, skeleton->joints[second].name))
		{
			second = i;
		}
	}
	rpFail(error, rp_errorMissing, "no joint is named \"%.60s\", which is to be the %s", fix->joint,
		   rpRole_GetName(fix->role));
	if (second < 0)
	{
		rpError_SetHint(error, "the only joint is \"%.60s\"", skeleton->joints[first].name);
	}
	else
	{
		rpError_SetHint(error, "did you mean \"%.60s\" or \"%.60s\"?", skeleton->joints[first].name,
						skeleton->joints[second].name);
	}
	return false;
}

static bool fixRole(const rpSkeleton* skeleton, const rpRoleFix* fix, rpJoint* joints, rpError* error)
{
	bool none = fix->joint == NULL || fix->joint[0] == 0;
	int joint = none ? -1 : rpSkeleton_FindJoint(skeleton, fix->joint);
	if (!none && joint < 0)
	{
		return failMissing(skeleton, fix, error);
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		joints[i].role = joints[i].role == fix->role ? rp_roleNone : joints[i].role;
	}
	if (joint >= 0)
	{
		joints[joint].role = fix->role;
	}
	return true;
}

bool rpFixRoles(rpMotion* motion, const rpReadDef* def, rpError* error)
{
	if (def->roleFixCount == 0)
	{
		return true;
	}
	rpSkeletonDef skeletonDef = rpSkeleton_GetDef(motion->skeleton);
	rpJoint* joints = rpAllocate((size_t)skeletonDef.jointCount, sizeof(rpJoint), error);
	if (joints == NULL)
	{
		return false;
	}
	memcpy(joints, skeletonDef.joints, (size_t)skeletonDef.jointCount * sizeof(rpJoint));
	skeletonDef.joints = joints;
	bool done = true;
	for (int i = 0; done && i < def->roleFixCount; ++i)
	{
		done = fixRole(motion->skeleton, def->roleFixes + i, joints, error);
	}
	rpSkeleton* skeleton = done ? rpCreateSkeleton(&skeletonDef, error) : NULL;
	rpFree(joints);
	if (skeleton == NULL)
	{
		return false;
	}
	rpReleaseSkeleton(motion->skeleton);
	motion->skeleton = skeleton;
	return true;
}
