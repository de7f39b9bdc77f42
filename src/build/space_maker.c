/// Motions of a space: the same plan that players have, rendered whole.
#include "base/error.h"
#include "base/memory.h"
#include "build/space_build.h"
#include "motion/draft.h"
#include "timeline/render_motion.h"

#include <math.h>
#include <string.h>

// Weights are rounded.
#define WEIGHT_TOLERANCE 1e-3f

rpSpaceMaker* rpCreateSpaceMaker(const rpSpace* space, rpError* error)
{
	rpSpaceMaker* maker = rpAllocateZero(1, sizeof(rpSpaceMaker), error);
	size_t size;
	if (maker == NULL)
	{
		return NULL;
	}
	maker->bytes = rpWriteSpaceBundle(space, &size, error);
	maker->bundle = maker->bytes != NULL ? rpCreateBundle(maker->bytes, size, error) : NULL;
	if (maker->bundle == NULL || !rpSpaceModel_Read(&maker->model, maker->bundle, error))
	{
		rpDestroySpaceMaker(maker);
		return NULL;
	}
	return maker;
}

void rpDestroySpaceMaker(rpSpaceMaker* maker)
{
	if (maker != NULL)
	{
		rpSpaceModel_Free(&maker->model);
		rpDestroyBundle(maker->bundle);
		rpFreeBytes(maker->bytes);
		rpFree(maker);
	}
}

// A timeline of one span, which is there already.
static void produce(void* context, double time, rpTimeline* timeline)
{
	(void)time;
	if (timeline->count == 0)
	{
		*rpTimeline_GetNext(timeline) = *(const rpSpan*)context;
		rpTimeline_Append(timeline, NULL);
	}
}

static bool addEvents(const rpSpaceMaker* maker, const rpSpan* span, rpMotion* motion, rpError* error)
{
	const rpSpace* space = maker->model.space;
	const char* name = space->events;
	bool done = true;
	for (int i = 0; i < space->eventCount && done; ++i)
	{
		double time = rpSpaceModel_FindEvent(&maker->model, span, i);
		done = isnan(time) || rpAnnotations_AddEvent(&motion->annotations, name, time, error);
		name += strlen(name) + 1;
	}
	return done;
}

static rpMotion* render(const rpSpaceMaker* maker, rpSpan* span, double fps, rpError* error)
{
	const rpClip* clip = span->shares[0].clip;
	double rate = fps > 0.0 ? fps : clip->fps;
	if (!rpCheckRate(rate, clip->fps, error))
	{
		return NULL;
	}
	double frames = floor(rpSpan_GetDuration(span) * rate + RP_FRAME_SLACK) + 1.0;
	rpMotion* motion =
		frames < RP_MAX_FRAMES ? rpCreateMotion(maker->model.clips.skeleton, "space", rate, (int)frames, error) : NULL;
	rpRenderDef def = {.lockFeet = true, .produce = produce, .context = span};
	if (motion != NULL && !(rpRenderMotion(motion, &def, error) && addEvents(maker, span, motion, error)))
	{
		rpDestroyMotion(motion);
		motion = NULL;
	}
	return motion;
}

static bool checkWeights(const rpSpace* space, const rpSpaceWeight* weights, int count, rpError* error)
{
	float sum = 0.0f;
	bool isSound = count >= 1 && count <= RP_MAX_SPACE_WEIGHTS;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = weights[i].example >= 0 && weights[i].example < space->exampleCount && weights[i].weight >= 0.0f;
		sum += weights[i].weight;
	}
	return (isSound && fabsf(sum - 1.0f) < WEIGHT_TOLERANCE) ||
		   rpFail(error, rp_errorArgument,
				  "weights must be of 1 to %d of the %d examples, none negative, and add up to 1", RP_MAX_SPACE_WEIGHTS,
				  space->exampleCount);
}

rpMotion* rpSpaceMaker_Blend(const rpSpaceMaker* maker, const rpSpaceWeight* weights, int count, double fps,
							 rpSpaceMotion* report, rpError* error)
{
	if (!checkWeights(maker->model.space, weights, count, error))
	{
		return NULL;
	}
	rpSpan* span = rpAllocateZero(1, sizeof(rpSpan), error);
	if (span == NULL)
	{
		return NULL;
	}
	span->placement = rpGroundTransform_identity;
	rpSpacePlan plan = rpSpaceModel_Plan(&maker->model, weights, count, 0.0, span);
	rpMotion* motion = render(maker, span, fps, error);
	if (report != NULL)
	{
		report->scheme = plan.isPhysical ? rp_blendPhysical : rp_blendPlain;
		report->seconds = rpSpan_GetDuration(span);
	}
	rpFree(span);
	return motion;
}

rpMotion* rpSpaceMaker_Make(const rpSpaceMaker* maker, const float* asked, const rpSpaceWeighDef* weighing, double fps,
							rpSpaceMotion* report, rpError* error)
{
	rpSpaceMotion own;
	report = report != NULL ? report : &own;
	*report = (rpSpaceMotion){0};
	return rpSpace_Weigh(maker->model.space, asked, weighing, &report->answer, error)
			   ? rpSpaceMaker_Blend(maker, report->answer.weights, report->answer.weightCount, fps, report, error)
			   : NULL;
}

// Frames per second that features are measured at: places at moments are found between frames.
#define MEASURE_RATE 60.0

bool rpSpaceMaker_Measure(const rpSpaceMaker* maker, const rpFeatureList* features, const rpSpaceWeight* weights,
						  int count, float* out, bool* isPhysical, rpError* error)
{
	rpSpaceMotion report;
	rpMotion* motion = rpSpaceMaker_Blend(maker, weights, count, MEASURE_RATE, &report, error);
	if (motion == NULL)
	{
		return false;
	}
	rpFeatureStretch stretch = {motion, 0.0, fmin(report.seconds, rpMotion_GetDuration(motion))};
	bool done = rpFeatureList_Measure(features, &stretch, out, error);
	rpDestroyMotion(motion);
	if (isPhysical != NULL)
	{
		*isPhysical = report.scheme == rp_blendPhysical;
	}
	return done;
}

static rpMotion* makeOfSource(const void* context, const float* asked, double fps, float* nearest, rpError* error)
{
	const rpSpaceMaker* maker = context;
	rpSpaceMotion report;
	rpMotion* motion = rpSpaceMaker_Make(maker, asked, NULL, fps, &report, error);
	if (motion != NULL)
	{
		memcpy(nearest, report.answer.nearest, (size_t)maker->model.space->parameterCount * sizeof(float));
	}
	return motion;
}

rpMotionSource rpSpaceMaker_AsSource(const rpSpaceMaker* maker)
{
	const rpSpace* space = maker->model.space;
	rpMotionSource source = {.parameterCount = space->parameterCount, .make = makeOfSource, .context = maker};
	memcpy(source.parameters, space->parameters, sizeof(source.parameters));
	return source;
}
