#include "base/error.h"
#include "edit/annotation_edit.h"
#include "motion/draft.h"
#include "reprise/edit.h"

rpMotion* rpCropFrames(const rpMotion* motion, int first, int count, rpError* error)
{
	if (first < 0 || count < 1 || first >= motion->frameCount || count > motion->frameCount - first)
	{
		rpFail(error, rp_errorArgument, "cannot crop %d frames from frame %d: the clip has %d frames, 0 to %d", count,
			   first, motion->frameCount, motion->frameCount - 1);
		return NULL;
	}
	rpMotion* result = rpDraftMotion(motion, motion->fps, count, error);
	if (result == NULL)
	{
		return NULL;
	}
	rpCopyFrames(motion, first, count, result, 0);
	if (!rpCropAnnotations(motion, first, count, &result->annotations, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}

rpMotion* rpCropMotion(const rpMotion* motion, double start, double end, rpError* error)
{
	double last = motion->frameCount - 1;
	double firstFrame = floor(start * motion->fps + 0.5), lastFrame = floor(end * motion->fps + 0.5);
	if (start > end)
	{
		rpFail(error, rp_errorArgument, "cannot crop from %g to %g s: the end lies before the start", start, end);
		return NULL;
	}
	// Written so that what is not a number fails too.
	if (!(firstFrame >= 0.0 && firstFrame <= last && lastFrame >= 0.0 && lastFrame <= last))
	{
		rpFail(error, rp_errorArgument, "cannot crop from %g to %g s: the clip lasts from 0 to %g s", start, end,
			   rpMotion_GetDuration(motion));
		return NULL;
	}
	return rpCropFrames(motion, (int)firstFrame, (int)(lastFrame - firstFrame) + 1, error);
}
