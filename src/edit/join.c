#include "base/error.h"
#include "edit/annotation_edit.h"
#include "motion/draft.h"
#include "motion/same_body.h"
#include "reprise/edit.h"

// Rates of files are rounded (a frame time of 0.0083333 s): equal within this factor is equal.
#define SAME_RATE 1e-5

static bool checkMotions(const rpMotion* const* motions, int count, rpError* error)
{
	if (count < 1)
	{
		return rpFail(error, rp_errorArgument, "%d motions to join; there must be at least 1", count);
	}
	for (int i = 1; i < count; ++i)
	{
		const rpMotion *first = motions[0], *next = motions[i];
		if (!rpCheckSameBody(first, next, "joined", error))
		{
			return false;
		}
		if (!(fabs(first->fps - next->fps) <= SAME_RATE * first->fps))
		{
			rpFail(error, rp_errorArgument, "the rates differ: \"%s\" has %g frames per second, \"%s\" %g", first->name,
				   first->fps, next->name, next->fps);
			rpError_SetHint(error, "resample one of them first");
			return false;
		}
	}
	return true;
}

static rpMotion* draftJoined(const rpMotion* const* motions, int count, rpError* error)
{
	double frameCount = 0.0;
	for (int i = 0; i < count; ++i)
	{
		frameCount += motions[i]->frameCount;
	}
	rpMotion* result = rpDraftMotion(motions[0], motions[0]->fps, frameCount, error);
	bool done = result != NULL;
	for (int i = 1; done && i < count; ++i)
	{
		done = motions[i]->translations == NULL || rpAddTranslations(result, error);
		for (int k = 0; done && k < motions[i]->inputCount; ++k)
		{
			done = rpMotion_AddInput(result, motions[i]->inputs[k].name, motions[i]->inputs[k].hash, error);
		}
	}
	if (!done)
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}

rpMotion* rpJoinMotions(const rpMotion* const* motions, int count, rpError* error)
{
	rpMotion* result = checkMotions(motions, count, error) ? draftJoined(motions, count, error) : NULL;
	if (result == NULL)
	{
		return NULL;
	}
	int frame = 0;
	for (int i = 0; i < count; ++i)
	{
		rpCopyFrames(motions[i], 0, motions[i]->frameCount, result, frame);
		frame += motions[i]->frameCount;
	}
	rpAlignHemispheres(result);
	if (!rpJoinAnnotations(motions, count, &result->annotations, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}
