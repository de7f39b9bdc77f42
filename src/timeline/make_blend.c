/// A registered blend is a timeline of one span: each motion is a share whose time, weight and ground run as clock and
/// path of the blend say.
#include "base/error.h"
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "motion/draft.h"
#include "timeline/render_motion.h"

#include <stdio.h>

// Names of blended motions are cut here.
#define LONGEST_NAME 160

/// What the span is made of: the motions that have weight.
typedef struct Making
{
	const rpBlendWork* work;
	int shareCount;
	int motions[RP_MAX_SHARES];
	rpClip* clips[RP_MAX_SHARES];

	/// Their moments are [frameCount].
	rpShareTrack tracks[RP_MAX_SHARES];
	rpShareMoment* moments[RP_MAX_SHARES];
} Making;

static bool hasWeight(const rpBlendWork* work, int motion)
{
	bool found = false;
	for (int frame = 0; frame < work->frameCount && !found; ++frame)
	{
		found = work->frameWeights[(ptrdiff_t)frame * work->motionCount + motion] > 0.0;
	}
	return found;
}

// Bodies may be turned by another angle than their places (in flight): what counts is where the root comes to be.
static rpShareMoment getMoment(const rpBlendWork* work, int motion, const rpClip* clip, int frame)
{
	ptrdiff_t index = (ptrdiff_t)frame * work->motionCount + motion;
	const rpPlacement* placement = work->placements + index;
	rpVec3 root = rpClip_GetRoot(clip, work->frameTimes[index]);
	rpPlacement turned = {.turn = placement->heading};
	double to[3], from[3];
	rpPlacement_Put(placement, root, to);
	rpPlacement_Put(&turned, root, from);
	return (rpShareMoment){
		work->frameTimes[index],
		(float)work->frameWeights[index],
		{(float)placement->heading, {(float)(to[0] - from[0]), (float)(to[1] - from[1]), (float)(to[2] - from[2])}},
	};
}

static bool addShare(Making* making, int motion, rpError* error)
{
	const rpBlendWork* work = making->work;
	int k = making->shareCount++;
	making->motions[k] = motion;
	making->clips[k] = rpCreateElasticClip(work->registration->motions[motion], error);
	making->moments[k] = rpAllocate((size_t)work->frameCount, sizeof(rpShareMoment), error);
	for (int frame = 0; making->clips[k] != NULL && making->moments[k] != NULL && frame < work->frameCount; ++frame)
	{
		making->moments[k][frame] = getMoment(work, motion, making->clips[k], frame);
	}
	making->tracks[k] = (rpShareTrack){making->moments[k], work->frameCount, work->fps};
	return making->clips[k] != NULL && making->moments[k] != NULL;
}

static bool createMaking(Making* making, const rpBlendWork* work, rpError* error)
{
	*making = (Making){.work = work};
	bool done = true;
	for (int i = 0; i < work->motionCount && done; ++i)
	{
		if (hasWeight(work, i))
		{
			done = making->shareCount < RP_MAX_SHARES
					   ? addShare(making, i, error)
					   : rpFail(error, rp_errorLimit, "more than %d motions have weight", RP_MAX_SHARES);
		}
	}
	return done;
}

static void freeMaking(Making* making)
{
	for (int i = 0; i < making->shareCount; ++i)
	{
		rpDestroyClip(making->clips[i]);
		rpFree(making->moments[i]);
	}
}

static void produce(void* context, double time, rpTimeline* timeline)
{
	(void)time;
	const Making* making = context;
	if (timeline->count > 0)
	{
		return;
	}
	rpSpan* span = rpTimeline_GetNext(timeline);
	*span = (rpSpan){.keyCount = 1, .shareCount = making->shareCount};
	for (int i = 0; i < making->shareCount; ++i)
	{
		span->shares[i] =
			(rpSpanShare){.clip = making->clips[i], .source = making->motions[i], .track = &making->tracks[i]};
	}
	rpTimeline_Append(timeline, NULL);
}

static bool makeFrames(const rpBlendWork* work, rpMotion* result, rpError* error)
{
	Making making;
	rpRenderDef def = {.produce = produce, .context = &making};
	bool done = createMaking(&making, work, error) && rpRenderMotion(result, &def, error);
	freeMaking(&making);
	return done;
}

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

static rpMotion* blend(const rpBlendWork* work, rpBlendReport* report, rpError* error)
{
	rpMotion* result = createResult(work, error);
	bool done = result != NULL && makeFrames(work, result, error) &&
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
	rpBlendWork work;
	def = def != NULL ? def : &defaults;
	report = report != NULL ? report : &ignored;
	*report = (rpBlendReport){.scheme = rp_blendPlain};
	rpMotion* result = rpBlendWork_Create(&work, registration, def, report, error) ? blend(&work, report, error) : NULL;
	fillReport(&work, report);
	rpBlendWork_Free(&work);
	return result;
}
