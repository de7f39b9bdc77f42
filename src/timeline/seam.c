#include "timeline/seam.h"

#include "base/memory.h"

// ---- memory

size_t rpSeam_CountBytes(const rpSeam* seam)
{
	size_t joints = (size_t)seam->jointCount, row = (size_t)seam->rowSize;
	return row * (2 * (rp_maxSeamNodes + 1) + 1) * sizeof(rpVec3) + 2 * row * sizeof(rpOffset) +
		   joints * (sizeof(rpQuat) + sizeof(rpTransform)) +
		   rp_seamPoses * (joints + 1) * (sizeof(rpQuat) + sizeof(rpVec3));
}

static void* take(char** at, size_t count, size_t size)
{
	void* taken = *at;
	*at += count * size;
	return taken;
}

bool rpSeam_Create(rpSeam* seam, int jointCount, bool hasTranslations, rpError* error)
{
	*seam = (rpSeam){.jointCount = jointCount, .hasTranslations = hasTranslations};
	seam->rowSize = 1 + jointCount + (hasTranslations ? jointCount : 0);
	seam->block = rpAllocateZero(rpSeam_CountBytes(seam), 1, error);
	if (seam->block == NULL)
	{
		return false;
	}
	// All are made of floats.
	char* at = seam->block;
	size_t joints = (size_t)jointCount, row = (size_t)seam->rowSize;
	seam->rows = take(&at, row * (rp_maxSeamNodes + 1), sizeof(rpVec3));
	seam->sums = take(&at, row * (rp_maxSeamNodes + 1), sizeof(rpVec3));
	seam->row = take(&at, row, sizeof(rpVec3));
	seam->tail = take(&at, row, sizeof(rpOffset));
	seam->head = take(&at, row, sizeof(rpOffset));
	seam->middles = take(&at, joints, sizeof(rpQuat));
	seam->world = take(&at, joints, sizeof(rpTransform));
	for (int i = 0; i < rp_seamPoses; ++i)
	{
		seam->poses[i].rotations = take(&at, joints + 1, sizeof(rpQuat));
		rpVec3* translations = take(&at, joints + 1, sizeof(rpVec3));
		seam->poses[i].translations = hasTranslations ? translations : NULL;
	}
	return true;
}

void rpSeam_Free(rpSeam* seam)
{
	rpFree(seam->block);
	*seam = (rpSeam){0};
}

// ---- sampling

static bool isFade(rpSeamKind kind)
{
	return kind == rp_seamVelocity || kind == rp_seamPose || kind == rp_seamLinear;
}

// Without joints the root alone is wanted, and found more cheaply.
static void sample(const rpSeam* seam, const rpSpan* span, double time, rpPose* pose)
{
	if (seam->jointCount == 0)
	{
		pose->rootPosition = rpSpan_GetRoot(span, time - span->start);
		return;
	}
	rpSpan_Sample(span, time - span->start, pose);
}

void rpSeam_SampleFrom(const rpSeam* seam, double time, rpPose* pose)
{
	sample(seam, seam->from, time, pose);
}

void rpSeam_SampleTo(const rpSeam* seam, double time, rpPose* pose)
{
	sample(seam, seam->to, time, pose);
}

float rpSeam_GetWeight(const rpSeam* seam, double time)
{
	const rpSeamDef* def = &seam->def;
	if (!isFade(def->kind))
	{
		return time < def->cut ? 1.0f : 0.0f;
	}
	float t = fminf(fmaxf((float)((time - def->start) / (def->end - def->start)), 0.0f), 1.0f);
	return def->kind == rp_seamLinear ? 1.0f - t : (2.0f * t - 3.0f) * t * t + 1.0f;
}

void rpSeam_Prepare(rpSeam* seam, const rpSeamDef* def, const rpSpan* from, const rpSpan* to, const rpFootRig* rig)
{
	seam->def = *def;
	seam->from = from;
	seam->to = to;
	for (int foot = 0; foot < rp_legCount; ++foot)
	{
		seam->leave[foot] = seam->enter[foot] = def->cut;
	}
	if (isFade(def->kind))
	{
		rpSeam_PrepareFade(seam);
	}
	else if (def->kind != rp_seamCut)
	{
		rpSeam_PrepareOffsets(seam);
	}
	if (rig != NULL && isFade(def->kind))
	{
		rpSeam_HandOverFeet(seam, rig);
	}
}

void rpSeam_Sample(rpSeam* seam, double time, rpPose* pose)
{
	if (isFade(seam->def.kind))
	{
		rpSeam_Fade(seam, time, pose);
		return;
	}
	rpSpan_Sample(time < seam->def.cut ? seam->from : seam->to,
				  time - (time < seam->def.cut ? seam->from : seam->to)->start, pose);
	if (seam->def.kind != rp_seamCut)
	{
		rpSeam_Displace(seam, time, pose);
	}
}
