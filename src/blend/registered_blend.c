/// The blend of registered motions.
///
/// Plain: L. Kovar & M. Gleicher, "Flexible automatic motion blending with registration curves" (2003). Physical: A.
/// Safonova & J. K. Hodgins, "Analyzing the physical correctness of interpolated human motion" (2005), also chapter 5
/// of Safonova's thesis: each phase lasts sqrt(sum of w T²), the centre of mass is interpolated in place of the root,
/// feet are constraints while they rest.
#include "blend/registered_blend.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"
#include "motion/same_body.h"
#include "reprise/blend.h"

#include <stdio.h>
#include <string.h>

// Names of blended motions are cut here.
#define LONGEST_NAME 160

rpBlendDef rpDefaultBlendDef(void)
{
	return (rpBlendDef){.scheme = rp_blendAuto};
}

// ---- what cannot be blended

static bool checkWeights(const rpRegistration* r, const rpBlendDef* def, rpError* error)
{
	bool changes = def->weightKeys != NULL;
	if (changes && (def->weightKeyCount < 1 || def->weights == NULL))
	{
		return rpFail(error, rp_errorArgument, "%d keys of weights, and %s weights", def->weightKeyCount,
					  def->weights != NULL ? "some" : "no");
	}
	for (int key = 0; key < (changes ? def->weightKeyCount : 1) && def->weights != NULL; ++key)
	{
		float sum = 0.0f;
		for (int i = 0; i < r->motionCount; ++i)
		{
			float weight = def->weights[key * r->motionCount + i];
			if (!(weight >= 0.0f) || !isfinite(weight))
			{
				return rpFail(error, rp_errorArgument, "weight %d is %g; weights must not be negative", i + 1,
							  (double)weight);
			}
			sum += weight;
		}
		if (!(sum > 0.0f))
		{
			return rpFail(error, rp_errorArgument, "all weights are 0; at least one must be positive");
		}
		if (changes && !(def->weightKeys[key] >= (key > 0 ? def->weightKeys[key - 1] : 0.0f) &&
						 def->weightKeys[key] <= 1.0f && (key == 0 || def->weightKeys[key] > def->weightKeys[key - 1])))
		{
			return rpFail(error, rp_errorArgument, "key %d of the weights is %g; keys must increase from 0 to 1", key,
						  (double)def->weightKeys[key]);
		}
	}
	return true;
}

static bool checkTimes(const rpRegistration* r, rpError* error)
{
	for (int i = 0; i < r->motionCount; ++i)
	{
		const double* times = r->times + (ptrdiff_t)i * r->keyCount;
		for (int key = 0; key < r->keyCount; ++key)
		{
			if (!isfinite(times[key]) || (key > 0 && !(times[key] > times[key - 1])))
			{
				return rpFail(error, rp_errorArgument, "the times of motion %d do not increase at key %d", i, key);
			}
		}
	}
	return true;
}

static bool checkAll(const rpRegistration* r, const rpBlendDef* def, rpError* error)
{
	if (r->motionCount < 1 || r->keyCount < 2)
	{
		return rpFail(error, rp_errorArgument, "a registration of %d motions and %d keys; it needs 1 and 2 at least",
					  r->motionCount, r->keyCount);
	}
	if (!(def->fps >= 0.0) || !isfinite(def->fps))
	{
		return rpFail(error, rp_errorArgument, "a rate of %g frames per second; it must be positive", def->fps);
	}
	bool done = checkWeights(r, def, error) && checkTimes(r, error);
	for (int i = 0; done && i < r->motionCount; ++i)
	{
		done = rpCheckSameBody(r->motions[0], r->motions[i], "blended", error) &&
			   rpMotion_CheckFinite(r->motions[i], error);
	}
	return done;
}

// ---- which scheme

static bool coversAll(const rpRegistration* r)
{
	bool covers =
		r->stageCount > 0 && r->stages[0].firstKey == 0 && r->stages[r->stageCount - 1].lastKey == r->keyCount - 1;
	for (int i = 0; covers && i < r->stageCount; ++i)
	{
		covers = r->stages[i].firstKey < r->stages[i].lastKey &&
				 (i == 0 || r->stages[i].firstKey == r->stages[i - 1].lastKey);
	}
	return covers;
}

static void chooseScheme(rpBlendWork* work, rpBlendReport* report)
{
	const rpRegistration* r = work->registration;
	const rpSkeleton* skeleton = r->motions[0]->skeleton;
	rpError problem = {0};
	const char* reason = "";
	if (work->def->scheme != rp_blendPlain)
	{
		reason = r->stageCount == 0 ? "no phases are known: the contacts of the motions differ or were not found"
				 : !coversAll(r)    ? "the phases do not cover the registered stretch"
				 : !rpWeighSkeleton(skeleton, NULL, &work->body, &problem) ? problem.message
				 : !rpFootRig_Init(&work->rig, skeleton) ? "the body has no leg with hip, knee, ankle and heel"
														 : "";
		work->isPhysical = reason[0] == '\0';
	}
	report->scheme = work->isPhysical ? rp_blendPhysical : rp_blendPlain;
	snprintf(report->reason, sizeof(report->reason), "%.150s", reason);
}

// ---- what the motions show

static void fillTrack(const rpBlendWork* work, const rpMotion* motion, rpBlendTrack* track)
{
	rpTransform world[RP_MAX_JOINTS];
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame, world);
		track->centers[frame] = rpBody_GetCenter(&work->body, world);
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (work->rig.legs[side].isThere)
			{
				rpLeg_Sample(work->rig.legs + side, world, track->feet + frame * rp_legCount + side);
			}
		}
	}
}

static bool setTracks(rpBlendWork* work, rpError* error)
{
	work->tracks = rpAllocateZero((size_t)work->motionCount, sizeof(rpBlendTrack), error);
	for (int i = 0; work->tracks != NULL && i < work->motionCount; ++i)
	{
		const rpMotion* motion = work->registration->motions[i];
		rpBlendTrack* track = work->tracks + i;
		size_t frameCount = (size_t)motion->frameCount;
		track->centers = rpAllocate(frameCount, sizeof(rpVec3), error);
		track->feet = rpAllocateZero(frameCount * rp_legCount, sizeof(rpFootSample), error);
		if (track->centers == NULL || track->feet == NULL)
		{
			return false;
		}
		fillTrack(work, motion, track);
	}
	return work->tracks != NULL;
}

static void freeWork(rpBlendWork* work)
{
	for (int i = 0; work->tracks != NULL && i < work->motionCount; ++i)
	{
		rpFree(work->tracks[i].centers);
		rpFree(work->tracks[i].feet);
	}
	rpFree(work->tracks);
	rpFree(work->knots);
	rpFree(work->times);
	rpFree(work->slopes);
	rpFree(work->phases);
	rpFree(work->phaseWeights);
	rpFree(work->frameTimes);
	rpFree(work->frameWeights);
	rpFree(work->placements);
	rpFree(work->scratch);
}

// ---- poses

/// The motions' poses at one moment, and their means.
typedef struct Poses
{
	/// [motionCount * jointCount]; only those with weight are filled, one after the other.
	rpQuat* rotations;
	rpVec3* translations;

	/// [motionCount]
	rpQuat* column;
	float* weights;
	int count;
} Poses;

static bool allocatePoses(const rpBlendWork* work, Poses* poses, rpError* error)
{
	size_t count = (size_t)work->motionCount;
	size_t jointCount = (size_t)work->registration->motions[0]->skeleton->jointCount;
	poses->rotations = rpAllocate(count * jointCount, sizeof(rpQuat), error);
	poses->translations = rpAllocate(count * jointCount, sizeof(rpVec3), error);
	poses->column = rpAllocate(count, sizeof(rpQuat), error);
	poses->weights = rpAllocate(count, sizeof(float), error);
	return poses->rotations != NULL && poses->translations != NULL && poses->column != NULL && poses->weights != NULL;
}

static void freePoses(Poses* poses)
{
	rpFree(poses->rotations);
	rpFree(poses->translations);
	rpFree(poses->column);
	rpFree(poses->weights);
}

static rpVec3 samplePoses(const rpBlendWork* work, int frame, Poses* poses)
{
	size_t first = (size_t)frame * (size_t)work->motionCount;
	size_t jointCount = (size_t)work->registration->motions[0]->skeleton->jointCount;
	double sum[3] = {0}, placed[3];
	poses->count = 0;
	for (int i = 0; i < work->motionCount; ++i)
	{
		const rpMotion* motion = work->registration->motions[i];
		double weight = work->frameWeights[first + (size_t)i], seconds = work->frameTimes[first + (size_t)i];
		const rpPlacement* placement = work->placements + first + i;
		if (weight > 0.0)
		{
			rpQuat* rotations = poses->rotations + (size_t)poses->count * jointCount;
			rpPose pose = {.rotations = rotations,
						   .translations = poses->translations + (size_t)poses->count * jointCount};
			memcpy(pose.translations, motion->skeleton->offsets, jointCount * sizeof(rpVec3));
			rpMotion_Sample(motion, seconds, &pose);
			double half = 0.5 * placement->heading;
			rotations[0] = rpMulQuat((rpQuat){(float)cos(half), 0.0f, (float)sin(half), 0.0f}, rotations[0]);
			rpPlacement_Put(placement, pose.rootPosition, placed);
			for (int k = 0; k < 3; ++k)
			{
				sum[k] += weight * placed[k];
			}
			poses->weights[poses->count++] = (float)weight;
		}
	}
	return (rpVec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

static rpVec3 meanTranslation(const Poses* poses, size_t joint, size_t jointCount)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < poses->count; ++i)
	{
		sum = rpMulAdd(sum, poses->weights[i], poses->translations[(size_t)i * jointCount + joint]);
	}
	return sum;
}

static void makePose(const rpBlendWork* work, int frame, Poses* poses, rpMotion* result)
{
	size_t jointCount = (size_t)result->skeleton->jointCount, first = (size_t)frame * jointCount;
	rpVec3 place = samplePoses(work, frame, poses);
	for (size_t joint = 0; joint < jointCount; ++joint)
	{
		for (int i = 0; i < poses->count; ++i)
		{
			poses->column[i] = poses->rotations[(size_t)i * jointCount + joint];
		}
		result->rotations[first + joint] = rpMeanQuat(poses->column, poses->weights, poses->count);
		if (result->translations != NULL)
		{
			result->translations[first + joint] = meanTranslation(poses, joint, jointCount);
		}
	}
	result->rootPositions[frame] = place;
}

static bool makePoses(const rpBlendWork* work, rpMotion* result, rpError* error)
{
	Poses poses = {0};
	bool done = allocatePoses(work, &poses, error);
	for (int frame = 0; done && frame < work->frameCount; ++frame)
	{
		makePose(work, frame, &poses, result);
	}
	freePoses(&poses);
	return done;
}

// ---- the result

// "a+b+c"
static bool setName(const rpBlendWork* work, rpMotion* result, rpError* error)
{
	char name[LONGEST_NAME] = "";
	size_t length = 0;
	for (int i = 0; i < work->motionCount && length < sizeof(name) - 1; ++i)
	{
		const char* part = work->registration->motions[i]->name;
		int written = snprintf(name + length, sizeof(name) - length, "%s%s", i > 0 ? "+" : "", part);
		length = written > 0 ? length + (size_t)written : length;
	}
	return rpMotion_SetName(result, length < sizeof(name) ? name : "blend", error);
}

static rpMotion* createResult(const rpBlendWork* work, rpError* error)
{
	const rpRegistration* r = work->registration;
	rpMotion* result = rpCreateMotion(r->motions[0]->skeleton, NULL, work->fps, work->frameCount, error);
	bool done = result != NULL && setName(work, result, error);
	for (int i = 0; done && i < r->motionCount; ++i)
	{
		const rpMotion* motion = r->motions[i];
		done = motion->translations == NULL || rpAddTranslations(result, error);
		for (int k = 0; done && k < motion->inputCount; ++k)
		{
			done = rpMotion_AddInput(result, motion->inputs[k].name, motion->inputs[k].hash, error);
		}
	}
	if (!done)
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}

static rpMotion* blend(rpBlendWork* work, rpBlendReport* report, rpError* error)
{
	work->scratch = rpAllocateZero((size_t)work->motionCount * 4, sizeof(double), error);
	if (work->scratch == NULL || (work->isPhysical && !setTracks(work, error)) || !rpBlendWork_SetClock(work, error) ||
		!rpBlendWork_SetPath(work, error))
	{
		return NULL;
	}
	rpMotion* result = createResult(work, error);
	bool done = result != NULL && makePoses(work, result, error) &&
				(!work->isPhysical || rpBlendWork_PlantFeet(work, result, &report->footMiss, error)) &&
				rpBlendWork_AddNotes(work, result, error);
	if (!done)
	{
		rpDestroyMotion(result);
		return NULL;
	}
	rpAlignHemispheres(result);
	return result;
}

static void fillReport(const rpBlendWork* work, rpBlendReport* report)
{
	report->velocityJump = (float)work->velocityJump;
	report->phaseCount = work->phaseCount;
	for (int i = 0; i < work->phaseCount && work->phases != NULL; ++i)
	{
		report->flightCount += work->phases[i].isFlight;
	}
}

rpMotion* rpRegistration_Blend(const rpRegistration* registration, const rpBlendDef* def, rpBlendReport* report,
							   rpError* error)
{
	rpBlendDef defaults = rpDefaultBlendDef();
	rpBlendReport ignored;
	def = def != NULL ? def : &defaults;
	report = report != NULL ? report : &ignored;
	*report = (rpBlendReport){.scheme = rp_blendPlain};
	if (!checkAll(registration, def, error))
	{
		return NULL;
	}
	rpBlendWork work = {.registration = registration, .def = def, .motionCount = registration->motionCount};
	work.fps = def->fps > 0.0 ? def->fps : registration->motions[0]->fps;
	chooseScheme(&work, report);
	rpMotion* result = blend(&work, report, error);
	fillReport(&work, report);
	freeWork(&work);
	return result;
}
