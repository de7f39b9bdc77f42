/// Bones whose length changes, and a root that is only a placeholder for the joint that travels.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <string.h>

// A translation that varies by less than this share of the body's size is rounding.
#define STEADY_PART 1e-4f

// An only child that travels by more than this share of the body's size carries the motion in its root's place. Rigs
// that stretch do so by far less; a pelvis does not stretch, and need only move.
#define TRAVEL_PART 0.25f

static float getBodySize(const rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	float size = 0.0f;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		size = fmaxf(size, rpLength(skeleton->offsets[i]));
	}
	return fmaxf(size, skeleton->height);
}

// ---- bone lengths ----

typedef struct Bone
{
	rpVec3 median;
	float min, max; // length
	float stray;    // farthest from the median
} Bone;

static rpVec3 getTranslation(const rpMotion* motion, int row, int joint)
{
	return motion->translations[(size_t)row * (size_t)motion->skeleton->jointCount + (size_t)joint];
}

static float getComponent(rpVec3 v, int component)
{
	return component == 0 ? v.x : (component == 1 ? v.y : v.z);
}

// scratch holds a float per row.
static Bone measureBone(const rpPatient* patient, int joint, float* scratch)
{
	const rpMotion* motion = patient->motion;
	int count = patient->last - patient->first + 1;
	float median[3];
	for (int component = 0; component < 3; ++component)
	{
		for (int i = 0; i < count; ++i)
		{
			scratch[i] = getComponent(getTranslation(motion, patient->first + i, joint), component);
		}
		median[component] = rpTakeMedian(scratch, count);
	}
	Bone bone = {.median = {median[0], median[1], median[2]}, .min = INFINITY};
	for (int i = 0; i < count; ++i)
	{
		rpVec3 translation = getTranslation(motion, patient->first + i, joint);
		bone.min = fminf(bone.min, rpLength(translation));
		bone.max = fmaxf(bone.max, rpLength(translation));
		bone.stray = fmaxf(bone.stray, rpDistance(translation, bone.median));
	}
	return bone;
}

static void reportBones(rpPatient* patient, int joint, const Bone* bone, int count)
{
	rpFinding* finding =
		rpFindings_Add(patient->findings, "bone_length",
					   "%d of %d bones change, most of all \"%.60s\": %.3f to %.3f m long, up to %.3f m off its middle",
					   count, patient->motion->skeleton->jointCount - 1, patient->motion->skeleton->joints[joint].name,
					   (double)bone->min, (double)bone->max, (double)bone->stray);
	if (patient->def->repair)
	{
		rpFinding_SetAction(finding, true, "made rigid, each with the median of its offsets");
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; the bones keep changing");
	}
}

// Between a root that is no part of the body and the pelvis there are no bones: what moves there is the motion.
static bool carriesBody(const rpSkeleton* skeleton, int joint)
{
	int i = rpSkeleton_FindRole(skeleton, rp_rolePelvis);
	while (i > 0 && i != joint)
	{
		i = skeleton->parents[i];
	}
	return i > 0;
}

// Translations that never change are offsets; take them as such. worst is -1 if all bones are steady. *carried becomes
// true where something moves that is no bone.
static void measureBones(const rpPatient* patient, rpJoint* joints, float* scratch, int* worst, Bone* worstBone,
						 int* count, bool* carried)
{
	float steady = STEADY_PART * getBodySize(patient);
	for (int i = 1; i < patient->motion->skeleton->jointCount; ++i)
	{
		Bone bone = measureBone(patient, i, scratch);
		joints[i].offset = bone.median;
		if (bone.stray > steady && carriesBody(patient->motion->skeleton, i))
		{
			*carried = true;
			continue;
		}
		*count += bone.stray > steady;
		if (bone.stray > steady && (*worst < 0 || bone.stray > worstBone->stray))
		{
			*worst = i;
			*worstBone = bone;
		}
	}
}

// All bones get their offsets, in all rows.
static void stiffen(rpMotion* motion, const rpJoint* joints, bool carried)
{
	if (!carried)
	{
		rpFree(motion->translations);
		motion->translations = NULL;
		return;
	}
	int jointCount = motion->skeleton->jointCount;
	for (int i = 1; i < jointCount; ++i)
	{
		for (int row = 0; row < motion->frameCount && !carriesBody(motion->skeleton, i); ++row)
		{
			motion->translations[(size_t)row * (size_t)jointCount + (size_t)i] = joints[i].offset;
		}
	}
}

bool rpExamineBoneLengths(rpPatient* patient)
{
	rpMotion* motion = patient->motion;
	if (motion->translations == NULL)
	{
		return true;
	}
	float* scratch = rpAllocate((size_t)motion->frameCount, sizeof(float), patient->error);
	rpJoint* joints = scratch != NULL ? rpPatient_CopyJoints(patient) : NULL;
	bool done = joints != NULL;
	int worst = -1, count = 0;
	bool carried = false;
	Bone worstBone = {0};
	if (done)
	{
		measureBones(patient, joints, scratch, &worst, &worstBone, &count, &carried);
	}
	if (done && worst >= 0)
	{
		reportBones(patient, worst, &worstBone, count);
	}
	if (done && (worst < 0 || patient->def->repair))
	{
		done = rpPatient_SetJoints(patient, joints, false);
		stiffen(motion, joints, carried);
	}
	rpFree(joints);
	rpFree(scratch);
	return done;
}

// ---- reference root ----

static bool isReference(const rpPatient* patient, float* travel)
{
	const rpMotion* motion = patient->motion;
	const rpSkeleton* skeleton = motion->skeleton;
	if (motion->translations == NULL || skeleton->jointCount < 2)
	{
		return false;
	}
	for (int i = 2; i < skeleton->jointCount; ++i)
	{
		if (skeleton->parents[i] == 0)
		{
			return false;
		}
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		if (skeleton->ends[i].joint == 0)
		{
			return false;
		}
	}
	for (int row = patient->first; row <= patient->last; ++row)
	{
		rpVec3 start = getTranslation(motion, patient->first, 1);
		*travel = fmaxf(*travel, rpDistance(getTranslation(motion, row, 1), start));
	}
	bool isPelvis = rpSkeleton_FindRole(skeleton, rp_rolePelvis) == 1;
	return *travel > (isPelvis ? STEADY_PART : TRAVEL_PART) * getBodySize(patient);
}

// The rows without the root, whose place and turn go to its child.
static void mergeRows(const rpMotion* motion, rpMotion* out)
{
	size_t oldCount = (size_t)motion->skeleton->jointCount, newCount = oldCount - 1;
	for (size_t row = 0; row < (size_t)motion->frameCount; ++row)
	{
		const rpQuat* from = motion->rotations + row * oldCount;
		const rpVec3* translations = motion->translations + row * oldCount;
		rpTransform root =
			rpMulTransform((rpTransform){motion->rootPositions[row], from[0]}, (rpTransform){translations[1], from[1]});
		memcpy(out->rotations + row * newCount, from + 1, newCount * sizeof(rpQuat));
		memcpy(out->translations + row * newCount, translations + 1, newCount * sizeof(rpVec3));
		out->rootPositions[row] = root.p;
		out->rotations[row * newCount] = rpNormalizeQuat(root.q);
		out->translations[row * newCount] = out->skeleton->offsets[0];
	}
}

static rpSkeleton* createMergedSkeleton(const rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	int jointCount = skeleton->jointCount - 1;
	rpJoint* joints = rpPatient_CopyJoints(patient);
	rpEndSite* ends = rpAllocate((size_t)skeleton->endCount, sizeof(rpEndSite), patient->error);
	rpSkeleton* merged = NULL;
	if (joints != NULL && ends != NULL)
	{
		joints[1].rest = rpMulQuat(joints[0].rest, joints[1].rest);
		joints[1].offset = rpVec3_zero;
		for (int i = 1; i <= jointCount; ++i)
		{
			joints[i].parent -= 1;
			joints[i].role = rp_roleNone;
		}
		for (int i = 0; i < skeleton->endCount; ++i)
		{
			ends[i] = skeleton->ends[i];
			ends[i].joint -= 1;
		}
		rpSkeletonDef def = rpDefaultSkeletonDef();
		def.joints = joints + 1;
		def.jointCount = jointCount;
		def.ends = ends;
		def.endCount = skeleton->endCount;
		merged = rpCreateSkeleton(&def, patient->error);
	}
	rpFree(joints);
	rpFree(ends);
	return merged;
}

static rpMotion* createMerged(const rpPatient* patient)
{
	const rpMotion* motion = patient->motion;
	rpSkeleton* skeleton = createMergedSkeleton(patient);
	if (skeleton == NULL)
	{
		return NULL;
	}
	rpMotion* merged = rpCreateMotion(skeleton, motion->name, motion->fps, motion->frameCount, patient->error);
	rpReleaseSkeleton(skeleton);
	if (merged == NULL)
	{
		return NULL;
	}
	size_t count = (size_t)motion->frameCount * (size_t)merged->skeleton->jointCount;
	merged->translations = rpAllocate(count, sizeof(rpVec3), patient->error);
	bool done = merged->translations != NULL &&
				rpAnnotations_Append(&merged->annotations, &motion->annotations, 0.0, patient->error);
	for (int i = 0; done && i < motion->inputCount; ++i)
	{
		done = rpMotion_AddInput(merged, motion->inputs[i].name, motion->inputs[i].hash, patient->error);
	}
	if (!done)
	{
		rpDestroyMotion(merged);
		return NULL;
	}
	mergeRows(motion, merged);
	rpMotion_FixHemispheres(merged);
	return merged;
}

bool rpExamineReferenceRoot(rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	float travel = 0.0f;
	if (!isReference(patient, &travel))
	{
		return true;
	}
	rpFinding* finding = rpFindings_Add(patient->findings, "reference_root",
										"the root \"%.60s\" only carries \"%.60s\", which moves by %.3g units itself",
										skeleton->joints[0].name, skeleton->joints[1].name, (double)travel);
	if (!patient->def->repair)
	{
		rpFinding_SetAction(finding, false, "nothing; the root does not show where the body is");
		return true;
	}
	rpFinding_SetAction(finding, true, "merged into one root, \"%.60s\"", skeleton->joints[1].name);
	return rpPatient_Replace(patient, createMerged(patient));
}
