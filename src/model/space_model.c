#include "model/space_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/locomotion_chunks.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Contacts of a foot that are this near are one, seconds: heel, ball and toe take turns.
#define SAME_STANCE 0.03

// Times of examples are computed from frames, seconds.
#define TIME_TOLERANCE 1e-6

static bool fail(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the space is damaged: %s", what);
}

// ---- frames

static bool checkClip(const rpClip* clip, const rpSpaceExample* example)
{
	bool isSound = example->end <= (clip->frameCount - 1) / clip->fps + TIME_TOLERANCE;
	for (int i = 0; i < clip->frameCount && isSound; ++i)
	{
		isSound = rpLength(rpClip_GetPlace(clip, i)) <= RP_DAMAGE_LIMIT;
	}
	return isSound;
}

static bool checkFrames(const rpGroundRate* rates, const uint16_t* contacts, int count)
{
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = fabsf(rates[i].x) <= RP_DAMAGE_LIMIT && fabsf(rates[i].z) <= RP_DAMAGE_LIMIT &&
				  fabsf(rates[i].turn) <= RP_DAMAGE_LIMIT && contacts[i] >> rp_effectorCount == 0;
	}
	return isSound;
}

bool rpSpaceFrames_Read(rpSpaceFrames* frames, const rpBundle* bundle, rpError* error)
{
	int contactCount;
	*frames = (rpSpaceFrames){0};
	frames->rates = rpBundle_GetChunk(bundle, "SPTH", sizeof(rpGroundRate), &frames->frameCount, error);
	frames->contacts =
		frames->rates != NULL ? rpBundle_GetChunk(bundle, "SCON", sizeof(uint16_t), &contactCount, error) : NULL;
	return frames->contacts != NULL && rpClipSet_Read(&frames->clips, bundle, error) &&
		   ((contactCount == frames->frameCount && checkFrames(frames->rates, frames->contacts, contactCount)) ||
			fail(error, "its frames"));
}

// The next clips and frames are those of the space.
static bool takeFrames(rpSpaceModel* model, rpSpaceFrames* frames, rpError* error)
{
	int count = model->space->exampleCount;
	model->clips = frames->clips;
	model->isShared = true;
	model->firstClip = frames->usedClips;
	model->rates = frames->rates;
	model->contacts = frames->contacts;
	model->firstFrames = rpAllocate((size_t)count, sizeof(int), error);
	if (model->firstFrames == NULL)
	{
		return false;
	}
	int64_t used = frames->usedFrames;
	bool isSound = count <= frames->clips.clipCount - frames->usedClips;
	for (int i = 0; i < count && isSound; ++i)
	{
		const rpClip* clip = rpSpaceModel_GetClip(model, i);
		model->firstFrames[i] = (int)used;
		used += clip->frameCount;
		isSound = used <= frames->frameCount && checkClip(clip, &model->space->examples[i]);
	}
	frames->usedClips += count;
	frames->usedFrames = (int)used;
	return isSound || fail(error, "its frames");
}

// ---- moments

// Where a time is among an example's keys.
static double findPlace(const rpSpace* space, int example, double time)
{
	const double* times = space->keytimes + (size_t)example * (size_t)space->keyCount;
	int key = 0;
	while (key + 2 < space->keyCount && times[key + 1] <= time)
	{
		++key;
	}
	return key + (time - times[key]) / (times[key + 1] - times[key]);
}

static bool addMoment(rpSpaceModel* model, int example, rpSpaceChannel* channel, double time, rpError* error)
{
	if (!rpGrow(&model->moments, &model->momentCapacity, model->momentCount, sizeof(rpSpaceMoment), error))
	{
		return false;
	}
	model->moments[model->momentCount++] = (rpSpaceMoment){time, findPlace(model->space, example, time)};
	++channel->momentCount;
	return true;
}

static bool isOfFoot(int effector, int foot)
{
	return foot == 0 ? effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe
					 : effector == rp_rightHeel || effector == rp_rightBall || effector == rp_rightToe;
}

// Where a foot comes down and leaves inside of the example; contacts are sorted by their starts.
static bool addFoot(rpSpaceModel* model, int index, int foot, rpSpaceChannel* channel, rpError* error)
{
	const rpSpaceExample* example = &model->space->examples[index];
	const rpClip* clip = rpSpaceModel_GetClip(model, index);
	double start = example->start, end = example->end, until = -INFINITY;
	bool done = true;
	*channel = (rpSpaceChannel){.firstMoment = model->momentCount};
	for (int i = 0; i < clip->contactCount && done; ++i)
	{
		double from = (double)clip->contacts[i].start, to = (double)clip->contacts[i].end;
		if (!isOfFoot(clip->contacts[i].effector, foot) || to <= fmax(start, until) || from >= end)
		{
			continue;
		}
		bool isJoined = from <= until + SAME_STANCE;
		// The last leaving was none.
		if (isJoined && channel->momentCount > 0 && until < end)
		{
			--channel->momentCount;
			--model->momentCount;
		}
		channel->before = channel->before || from <= start;
		done = (isJoined || from <= start || addMoment(model, index, channel, from, error)) &&
			   (to >= end || addMoment(model, index, channel, to, error));
		until = to;
	}
	return done;
}

static bool addEvent(rpSpaceModel* model, int index, int event, rpSpaceChannel* channel, rpError* error)
{
	const rpSpace* space = model->space;
	double time = space->eventTimes[(size_t)index * (size_t)space->eventCount + (size_t)event];
	*channel = (rpSpaceChannel){.firstMoment = model->momentCount};
	bool isInside = time > space->examples[index].start && time < space->examples[index].end;
	return !isInside || addMoment(model, index, channel, time, error);
}

static bool findMoments(rpSpaceModel* model, rpError* error)
{
	const rpSpace* space = model->space;
	int channelCount = rp_spaceFeet + space->eventCount;
	model->channels = rpAllocateZero((size_t)space->exampleCount * (size_t)channelCount, sizeof(rpSpaceChannel), error);
	bool done = model->channels != NULL;
	for (int i = 0; i < space->exampleCount && done; ++i)
	{
		rpSpaceChannel* own = model->channels + (size_t)i * (size_t)channelCount;
		for (int foot = 0; foot < rp_spaceFeet && done; ++foot)
		{
			done = addFoot(model, i, foot, own + foot, error);
		}
		for (int event = 0; event < space->eventCount && done; ++event)
		{
			done = addEvent(model, i, event, own + rp_spaceFeet + event, error);
		}
	}
	return done;
}

// ---- reading, writing

bool rpSpaceModel_ReadNext(rpSpaceModel* model, const rpBundle* chunks, rpSpaceFrames* frames, rpError* error)
{
	*model = (rpSpaceModel){.space = rpReadSpaceChunks(chunks, error)};
	return model->space != NULL && takeFrames(model, frames, error) && findMoments(model, error);
}

bool rpSpaceModel_Read(rpSpaceModel* model, const rpBundle* bundle, rpError* error)
{
	rpSpaceFrames frames;
	*model = (rpSpaceModel){0};
	bool done = rpSpaceFrames_Read(&frames, bundle, error) && rpSpaceModel_ReadNext(model, bundle, &frames, error);
	model->clips = frames.clips;
	model->isShared = false;
	return done && ((frames.usedClips == frames.clips.clipCount && frames.usedFrames == frames.frameCount) ||
					fail(error, "its frames"));
}

void rpSpaceModel_Free(rpSpaceModel* model)
{
	rpDestroySpace(model->space);
	if (!model->isShared)
	{
		rpClipSet_Free(&model->clips);
	}
	rpFree(model->firstFrames);
	rpFree(model->channels);
	rpFree(model->moments);
	*model = (rpSpaceModel){0};
}

const rpClip* rpSpaceModel_GetClip(const rpSpaceModel* model, int example)
{
	return model->clips.clips[model->firstClip + example];
}

// What bears an example at first is at height 0, whatever most of it stands on.
static rpClip* createLocalClip(const rpMotion* motion, rpError* error)
{
	rpClip* clip = rpCreateClip(motion, error);
	if (clip != NULL)
	{
		clip->floor = 0.0f;
	}
	return clip;
}

bool rpWriteSpaceFrames(rpBundleWriter* writer, const rpMotion* const* locals, int count, const rpGroundRate* rates,
						const uint16_t* contacts, int frameCount, rpError* error)
{
	return rpWriteClipChunks(writer, locals, count, createLocalClip, error) &&
		   rpBundleWriter_Add(writer, "SPTH", rates, frameCount, sizeof(rpGroundRate), error) &&
		   rpBundleWriter_Add(writer, "SCON", contacts, frameCount, sizeof(uint16_t), error);
}

// ---- plans

// How fast an example goes on the whole where the blend goes at 1.
static double getPace(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, int i)
{
	double mean = 0.0;
	for (int k = 0; k < count; ++k)
	{
		const rpSpaceExample* example = &model->space->examples[weights[k].example];
		mean += (double)weights[k].weight * (example->end - example->start);
	}
	const rpSpaceExample* own = &model->space->examples[weights[i].example];
	return (own->end - own->start) / mean;
}

// The longest margin that all examples have, at most `margin`: before them, or after them.
static double findMargin(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, double margin, bool after)
{
	for (int i = 0; i < count; ++i)
	{
		const rpSpaceExample* example = &model->space->examples[weights[i].example];
		const rpClip* clip = rpSpaceModel_GetClip(model, weights[i].example);
		double own = after ? (clip->frameCount - 1) / clip->fps - example->end : example->start;
		margin = fmin(margin, own / getPace(model, weights, count, i));
	}
	// What is shorter than a frame would be a key too many.
	return margin > 1.0 / 60.0 ? margin : 0.0;
}

// One key more on a side.
static void addMargin(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, double margin, bool after,
					  rpSpaceKeys* keys)
{
	for (int i = 0; i < count; ++i)
	{
		double* times = keys->times[i];
		double own = margin * getPace(model, weights, count, i);
		if (after)
		{
			times[keys->keyCount] = times[keys->keyCount - 1] + own;
			continue;
		}
		memmove(times + 1, times, (size_t)keys->keyCount * sizeof(double));
		times[0] = times[1] - own;
	}
	keys->flights <<= after ? 0 : 1;
	++keys->keyCount;
}

static rpSpacePlan findKeys(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, double margin,
							rpSpaceKeys* keys)
{
	rpFindSpaceKeys(model, weights, count, keys);
	rpSpacePlan plan = {
		.isPhysical = keys->isMatched, .phaseCount = keys->phaseCount, .flightCount = keys->flightCount};
	plan.before = margin > 0.0 ? findMargin(model, weights, count, margin, false) : 0.0;
	plan.after = margin > 0.0 ? findMargin(model, weights, count, margin, true) : 0.0;
	if (plan.before > 0.0)
	{
		addMargin(model, weights, count, plan.before, false, keys);
	}
	if (plan.after > 0.0)
	{
		addMargin(model, weights, count, plan.after, true, keys);
	}
	return plan;
}

static rpStretchBlendDef getBlendDef(const rpSpacePlanning* planning)
{
	return (rpStretchBlendDef){.shares = planning->shares,
							   .shareCount = planning->shareCount,
							   .keyCount = planning->keyCount,
							   .flights = planning->flights};
}

void rpSpacePlanning_Begin(rpSpacePlanning* planning, const rpSpaceModel* model, const rpSpaceWeight* weights,
						   int count, double margin, rpSpan* span)
{
	rpSpaceKeys keys;
	planning->plan = findKeys(model, weights, count, margin, &keys);
	planning->shareCount = count;
	planning->keyCount = keys.keyCount;
	planning->flights = keys.flights;
	for (int i = 0; i < count; ++i)
	{
		int example = weights[i].example, first = model->firstFrames[example];
		planning->shares[i] = (rpStretchShare){rpSpaceModel_GetClip(model, example),
											   model->firstClip + example,
											   weights[i].weight,
											   keys.times[i],
											   model->rates + first,
											   model->contacts + first};
	}
	rpStretchBlendDef def = getBlendDef(planning);
	rpStretchBlending_Begin(&planning->blending, span, &def);
	// They are gone when this returns.
	for (int i = 0; i < count; ++i)
	{
		planning->shares[i].keytimes = NULL;
	}
	span->labels = 0;
}

bool rpSpacePlanning_GoOn(rpSpacePlanning* planning, rpSpan* span, int count)
{
	rpStretchBlendDef def = getBlendDef(planning);
	if (!rpStretchBlending_GoOn(&planning->blending, span, &def, count))
	{
		return false;
	}
	rpStretchBlend made = rpStretchBlending_GetResult(&planning->blending, span);
	planning->plan.length = made.length;
	planning->plan.turn = made.turn;
	return true;
}

rpSpacePlan rpSpaceModel_Plan(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, double margin,
							  rpSpan* span)
{
	rpSpacePlanning planning;
	rpSpacePlanning_Begin(&planning, model, weights, count, margin, span);
	rpSpacePlanning_GoOn(&planning, span, INT_MAX);
	return planning.plan;
}

// The span's time at which a share is at a time of its clip.
static double invert(const rpSpan* span, const rpSpanShare* share, double time)
{
	double low = 0.0, high = rpSpan_GetDuration(span);
	for (int round = 0; round < 40; ++round)
	{
		double middle = 0.5 * (low + high);
		rpSpanSpot spot = rpSpan_FindSpot(span, middle);
		*(rpSpanShare_GetTime(share, &spot) < time ? &low : &high) = middle;
	}
	return 0.5 * (low + high);
}

double rpSpaceModel_FindEvent(const rpSpaceModel* model, const rpSpan* span, int event)
{
	double sum = 0.0, weights = 0.0;
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		double time =
			model->space->eventTimes[(size_t)(share->source - model->firstClip) * (size_t)model->space->eventCount +
									 (size_t)event];
		if (!isnan(time))
		{
			sum += (double)share->weights[0] * invert(span, share, time);
			weights += (double)share->weights[0];
		}
	}
	return weights > 0.0 ? sum / weights : (double)NAN;
}
