/// Bones that a conversion lost.
///
/// The conversion of CMU's database to BVH dropped the length of every bone that has several children: the neck and
/// both arms sit on the chest joint, fingers and thumb on the wrist. It shows in the structure: a joint with a bone of
/// its own whose children all have none. Measured against the original skeletons of seven subjects, the lost thorax is
/// as long as the bone before it within 4 %, the lost wrist exactly half of it; both point in the same direction.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

// A bone shorter than this share of the body's height has no length.
#define NO_LENGTH_PART 1e-5f

// The trunk (height of the shoulders over the hips) is 0.59 of the leg in people (Drillis & Contini 1966). Captures
// show 0.50 to 0.60; those that lost the thorax 0.37 to 0.44.
#define SHORT_TRUNK 0.47f

#define THORAX_PART 1.0f
#define WRIST_PART 0.5f

enum
{
	maxBranches = 16
};

// A joint whose children all sit on it.
typedef struct Collapse
{
	int joint; // -1: none
	int branches[maxBranches], branchCount;
} Collapse;

static bool isInside(const rpSkeleton* skeleton, int joint, int top)
{
	while (joint > top)
	{
		joint = skeleton->parents[joint];
	}
	return joint == top;
}

// Whether all of a joint's children (two at least) sit on it, although it has a bone of its own.
static bool isCollapsed(const rpSkeleton* skeleton, int joint, float noLength, Collapse* out)
{
	*out = (Collapse){.joint = joint};
	if (rpLength(skeleton->offsets[joint]) <= noLength)
	{
		return false;
	}
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		if (skeleton->parents[i] != joint)
		{
			continue;
		}
		if (rpLength(skeleton->offsets[i]) > noLength || out->branchCount == maxBranches)
		{
			return false;
		}
		out->branches[out->branchCount++] = i;
	}
	return out->branchCount >= 2;
}

static bool leadsTo(const rpSkeleton* skeleton, const Collapse* collapse, rpRole role)
{
	int joint = skeleton->roles[role];
	return joint > collapse->joint && isInside(skeleton, joint, collapse->joint);
}

// Rigs without legs, or with a rest pose that does not stand, are judged by structure alone.
static bool isTrunkShort(const rpPatient* patient, int chest)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	int hip = skeleton->roles[rp_roleLeftHip];
	if (hip < 0 || skeleton->legLength <= 0.0f || !patient->stands)
	{
		return true;
	}
	rpTransform rest[RP_MAX_JOINTS];
	rpPatient_GetRest(patient, rest);
	return rest[chest].p.y - rest[hip].p.y < SHORT_TRUNK * skeleton->legLength;
}

static Collapse findThorax(const rpPatient* patient, float noLength)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		Collapse collapse;
		if (isCollapsed(skeleton, i, noLength, &collapse) && collapse.branchCount >= 3 &&
			leadsTo(skeleton, &collapse, rp_roleHead) && leadsTo(skeleton, &collapse, rp_roleLeftElbow) &&
			leadsTo(skeleton, &collapse, rp_roleRightElbow) && isTrunkShort(patient, i))
		{
			return collapse;
		}
	}
	return (Collapse){.joint = -1};
}

// Below an elbow.
static Collapse findWrist(const rpSkeleton* skeleton, rpRole elbow, float noLength)
{
	int top = skeleton->roles[elbow];
	for (int i = top + 1; top >= 0 && i < skeleton->jointCount; ++i)
	{
		Collapse collapse;
		if (isInside(skeleton, i, top) && isCollapsed(skeleton, i, noLength, &collapse))
		{
			return collapse;
		}
	}
	return (Collapse){.joint = -1};
}

static void restore(rpJoint* joints, const Collapse* collapse, float part)
{
	for (int i = 0; collapse->joint >= 0 && i < collapse->branchCount; ++i)
	{
		joints[collapse->branches[i]].offset = rpScale(part, joints[collapse->joint].offset);
	}
}

static bool restoreAll(rpPatient* patient, const Collapse* thorax, const Collapse* wrists)
{
	rpJoint* joints = rpPatient_CopyJoints(patient);
	if (joints == NULL)
	{
		return false;
	}
	restore(joints, thorax, THORAX_PART);
	restore(joints, wrists, WRIST_PART);
	restore(joints, wrists + 1, WRIST_PART);
	bool done = rpPatient_SetJoints(patient, joints, false);
	rpFree(joints);
	return done;
}

static void report(rpPatient* patient, const Collapse* thorax, const Collapse* wrists)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	bool hands = wrists[0].joint >= 0 || wrists[1].joint >= 0;
	int shown = thorax->joint >= 0 ? thorax->joint : (wrists[0].joint >= 0 ? wrists[0].joint : wrists[1].joint);
	rpFinding* finding = rpFindings_Add(
		patient->findings, "lost_bones", "a conversion lost the length of the %s, beyond \"%.60s\"",
		thorax->joint < 0 ? "wrists" : (hands ? "thorax and the wrists" : "thorax"), skeleton->joints[shown].name);
	if (patient->def->repair)
	{
		rpFinding_SetAction(
			finding, true, "put back after the bone before it, %.3f m",
			(double)(rpLength(skeleton->offsets[shown]) * (thorax->joint >= 0 ? THORAX_PART : WRIST_PART)));
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; the body is too short");
	}
}

bool rpExamineLostBones(rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	float noLength = NO_LENGTH_PART * skeleton->height;
	Collapse thorax = findThorax(patient, noLength);
	Collapse wrists[2] = {findWrist(skeleton, rp_roleLeftElbow, noLength),
						  findWrist(skeleton, rp_roleRightElbow, noLength)};
	if (thorax.joint < 0 && wrists[0].joint < 0 && wrists[1].joint < 0)
	{
		return true;
	}
	report(patient, &thorax, wrists);
	// Bones that still change length carry their own offsets in every row.
	return !patient->def->repair || patient->motion->translations != NULL || restoreAll(patient, &thorax, wrists);
}
