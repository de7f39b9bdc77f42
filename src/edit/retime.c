#include "base/error.h"
#include "edit/annotation_edit.h"
#include "motion/draft.h"
#include "reprise/edit.h"

static bool checkWarp(const rpWarp* warp, rpError* error)
{
	if (warp->count < 2)
	{
		return rpFail(error, rp_errorArgument, "a time warp of %d knots; it needs at least 2", warp->count);
	}
	for (int i = 0; i < warp->count; ++i)
	{
		if (!isfinite(warp->newTimes[i]) || !isfinite(warp->oldTimes[i]))
		{
			return rpFail(error, rp_errorArgument, "knot %d of the time warp is not finite", i);
		}
		if (i > 0 && !(warp->newTimes[i] > warp->newTimes[i - 1] && warp->oldTimes[i] > warp->oldTimes[i - 1]))
		{
			return rpFail(error, rp_errorArgument,
						  "the times of a warp must increase: knot %d (%g s -> %g s) follows %g s -> %g s", i,
						  warp->newTimes[i], warp->oldTimes[i], warp->newTimes[i - 1], warp->oldTimes[i - 1]);
		}
	}
	return true;
}

rpMotion* rpRetimeMotion(const rpMotion* motion, const rpWarp* warp, rpError* error)
{
	if (!checkWarp(warp, error))
	{
		return NULL;
	}
	double slack = RP_FRAME_SLACK / motion->fps;
	double duration = rpMotion_GetDuration(motion);
	double start = rpWarp_Apply(warp, 0.0);
	if (!(start >= -slack && start <= duration + slack))
	{
		rpFail(error, rp_errorArgument, "the time warp starts at %g s of the clip, which lasts from 0 to %g s", start,
			   duration);
		return NULL;
	}
	double lastFrame = floor(rpWarp_Invert(warp, duration) * motion->fps + RP_FRAME_SLACK);
	rpMotion* result = rpDraftMotion(motion, motion->fps, fmax(lastFrame, 0.0) + 1.0, error);
	if (result == NULL)
	{
		return NULL;
	}
	for (int i = 0; i < result->frameCount; ++i)
	{
		rpCopyBetween(motion, rpWarp_Apply(warp, i / motion->fps) * motion->fps, result, i);
	}
	rpAlignHemispheres(result);
	if (!rpRetimeAnnotations(motion, warp, result->frameCount, &result->annotations, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}
