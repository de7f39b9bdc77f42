/// The blend of registered motions, prepared: src/timeline/make_blend.c makes it.
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

#include <stdio.h>

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
	if (def->fps != 0.0 && !rpCheckRate(def->fps, r->motions[0]->fps, error))
	{
		return false;
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

bool rpBlendWork_Create(rpBlendWork* work, const rpRegistration* registration, const rpBlendDef* def,
						rpBlendReport* report, rpError* error)
{
	*work = (rpBlendWork){.registration = registration, .def = def, .motionCount = registration->motionCount};
	if (!checkAll(registration, def, error))
	{
		return false;
	}
	work->fps = def->fps > 0.0 ? def->fps : registration->motions[0]->fps;
	chooseScheme(work, report);
	work->scratch = rpAllocateZero((size_t)work->motionCount * 4, sizeof(double), error);
	return work->scratch != NULL && (!work->isPhysical || setTracks(work, error)) &&
		   rpBlendWork_SetClock(work, error) && rpBlendWork_SetPath(work, error);
}

void rpBlendWork_Free(rpBlendWork* work)
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
