/// What the examinations share.
#include "doctor/patient.h"

#include "base/findings.h"
#include "base/memory.h"
#include "math/order.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rpPatient_Replace(rpPatient* patient, rpMotion* motion)
{
	if (motion == NULL)
	{
		return false;
	}
	rpDestroyMotion(patient->motion);
	patient->motion = motion;
	return true;
}

rpJoint* rpPatient_CopyJoints(const rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	rpJoint* joints = rpAllocate((size_t)skeleton->jointCount, sizeof(rpJoint), patient->error);
	if (joints != NULL)
	{
		memcpy(joints, skeleton->joints, (size_t)skeleton->jointCount * sizeof(rpJoint));
	}
	return joints;
}

static bool setSkeleton(rpPatient* patient, const rpSkeletonDef* def)
{
	rpSkeleton* skeleton = rpCreateSkeleton(def, patient->error);
	if (skeleton == NULL)
	{
		return false;
	}
	rpReleaseSkeleton(patient->motion->skeleton);
	patient->motion->skeleton = skeleton;
	return true;
}

bool rpPatient_SetJoints(rpPatient* patient, const rpJoint* joints, bool guessRoles)
{
	rpSkeletonDef def = rpSkeleton_GetDef(patient->motion->skeleton);
	def.joints = joints;
	if (!guessRoles)
	{
		return setSkeleton(patient, &def);
	}
	rpJoint* nameless = rpAllocate((size_t)def.jointCount, sizeof(rpJoint), patient->error);
	if (nameless == NULL)
	{
		return false;
	}
	for (int i = 0; i < def.jointCount; ++i)
	{
		nameless[i] = joints[i];
		nameless[i].role = rp_roleNone;
	}
	def.joints = nameless;
	def.guessRoles = true;
	bool done = setSkeleton(patient, &def);
	rpFree(nameless);
	return done;
}

void rpPatient_GetRest(const rpPatient* patient, rpTransform* out)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	out[0] = (rpTransform){rpVec3_zero, rpQuat_identity};
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		rpTransform local = {skeleton->offsets[i], skeleton->joints[i].rest};
		out[i] = rpMulTransform(out[skeleton->parents[i]], local);
	}
}

void rpPatient_Interpolate(rpPatient* patient, int firstRow, int rowCount, const bool* joints, bool rootPosition)
{
	rpMotion* motion = patient->motion;
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	int before = firstRow - 1, after = firstRow + rowCount;
	const rpQuat* from = motion->rotations + (size_t)before * jointCount;
	const rpQuat* to = motion->rotations + (size_t)after * jointCount;
	for (int row = firstRow; row < after; ++row)
	{
		float t = (float)(row - before) / (float)(after - before);
		rpQuat* rotations = motion->rotations + (size_t)row * jointCount;
		for (size_t i = 0; i < jointCount; ++i)
		{
			rotations[i] = joints == NULL || joints[i] ? rpSlerp(from[i], to[i], t) : rotations[i];
		}
		if (rootPosition)
		{
			motion->rootPositions[row] = rpLerp(motion->rootPositions[before], motion->rootPositions[after], t);
		}
	}
	patient->touched = true;
}

float rpGetStepAngle(rpQuat a, rpQuat b)
{
	rpQuat minus = {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
	rpQuat plus = {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
	float square = fminf(rpDotQuat(minus, minus), rpDotQuat(plus, plus));
	return 4.0f * asinf(fminf(0.5f * sqrtf(square), 1.0f));
}

float rpTakeMedian(float* values, int count)
{
	if (count <= 0)
	{
		return 0.0f;
	}
	qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
	return values[count / 2];
}

rpRowText rpNameRows(int firstRow, int rowCount)
{
	rpRowText name;
	if (rowCount == 1)
	{
		snprintf(name.text, sizeof(name.text), "row %d", firstRow);
	}
	else
	{
		snprintf(name.text, sizeof(name.text), "rows %d to %d", firstRow, firstRow + rowCount - 1);
	}
	return name;
}

bool rpPatient_WasSaid(const rpPatient* patient, int first, int last)
{
	for (int row = first > 0 ? first : 0; row <= last && row < patient->motion->frameCount; ++row)
	{
		if (patient->said[row])
		{
			return true;
		}
	}
	return false;
}

rpFinding* rpPatient_AddRows(rpPatient* patient, const char* code, int firstRow, int rowCount, const char* format, ...)
{
	char message[sizeof(((rpFinding*)0)->message)];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	memset(patient->said + firstRow, 1, (size_t)rowCount * sizeof(bool));
	rpFinding* finding = rpFindings_Add(patient->findings, code, "%s", message);
	if (finding != NULL)
	{
		finding->firstRow = firstRow;
		finding->rowCount = rowCount;
	}
	return finding;
}
