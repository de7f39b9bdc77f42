#include "base/error.h"
#include "motion/draft.h"
#include "reprise/edit.h"

rpMotion* rpResampleMotion(const rpMotion* motion, double fps, rpError* error)
{
	if (!rpCheckRate(fps, motion->fps, error))
	{
		return NULL;
	}
	// Multiplied before divided: exact for whole numbers, so that equal rates give equal frames.
	double lastFrame = floor((motion->frameCount - 1) * fps / motion->fps + RP_FRAME_SLACK);
	rpMotion* result = rpDraftMotion(motion, fps, lastFrame + 1.0, error);
	if (result == NULL)
	{
		return NULL;
	}
	for (int i = 0; i < result->frameCount; ++i)
	{
		rpCopyBetween(motion, i * motion->fps / fps, result, i);
	}
	rpAlignHemispheres(result);
	if (!rpAnnotations_Append(&result->annotations, &motion->annotations, 0.0, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}
