#include "timeline/render_motion.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"
#include "timeline/note_taker.h"

// How often progress is reported, frames.
#define PROGRESS_FRAMES 256

static bool reportProgress(const rpRenderDef* def, int frame, int frameCount, rpError* error)
{
	bool goesOn = def->progress == NULL || frame % PROGRESS_FRAMES != 0 ||
				  def->progress((double)frame / frameCount, "making frames", def->progressContext);
	return goesOn || rpFail(error, rp_errorCancelled, "stopped");
}

// Feet look ahead: frames are made before one is shown.
static void showNext(rpRenderer* renderer, rpTimeline* timeline, const rpMotion* motion, const rpRenderDef* def)
{
	int64_t wanted = renderer->shownCount + renderer->lookAhead;
	while (renderer->madeCount < motion->frameCount && renderer->madeCount <= wanted)
	{
		def->produce(def->context, (double)renderer->madeCount / renderer->fps, timeline);
		rpRenderer_Make(renderer, timeline);
	}
	rpRenderer_Show(renderer);
}

static bool render(rpRenderer* renderer, rpTimeline* timeline, rpMotion* motion, const rpRenderDef* def, rpError* error)
{
	rpNoteTaker taker = rpStartNoteTaker(motion, NULL, NULL, NULL);
	rpFrameFn* addFrame = def->addFrame != NULL ? def->addFrame : rpStoreFrame;
	void* context = def->addFrame != NULL ? def->frameContext : motion;
	bool done = true;
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		showNext(renderer, timeline, motion, def);
		rpPose pose = rpRenderer_GetFrame(renderer, frame);
		done = addFrame(context, motion, frame, &pose, error) &&
			   rpNoteTaker_Add(&taker, frame, rpRenderer_GetNotes(renderer, frame), error) &&
			   reportProgress(def, frame, motion->frameCount, error);
	}
	done = done && rpNoteTaker_Finish(&taker, motion->frameCount, error);
	rpNoteTaker_Free(&taker);
	return done;
}

bool rpRenderMotion(rpMotion* motion, const rpRenderDef* def, rpError* error)
{
	rpRendererDef rendering = {.skeleton = motion->skeleton,
							   .fps = motion->fps,
							   .lookAhead = rpGetFullLookAhead(motion->fps),
							   .lockFeet = def->lockFeet,
							   .hasTranslations = motion->translations != NULL};
	rpRenderer renderer = {0};
	rpTimeline* timeline = rpAllocateZero(1, sizeof(rpTimeline), error);
	bool done = timeline != NULL && rpRenderer_Create(&renderer, &rendering, error) &&
				render(&renderer, timeline, motion, def, error);
	rpRenderer_Free(&renderer);
	rpFree(timeline);
	return done;
}

// ---- without feet

// Nothing is kept of a frame but itself, so it is made where it belongs.
static void sampleFrame(rpSampler* sampler, const rpTimeline* timeline, rpMotion* motion, int frame,
						rpFrameNotes* notes)
{
	size_t first = (size_t)frame * (size_t)motion->skeleton->jointCount;
	rpPose pose = {.rotations = motion->rotations + first,
				   .translations = motion->translations != NULL ? motion->translations + first : NULL};
	rpSampler_Sample(sampler, timeline, frame / motion->fps, &pose, notes);
	motion->rootPositions[frame] = pose.rootPosition;
}

static bool sampleFrames(rpSampler* sampler, rpTimeline* timeline, rpMotion* motion, int first, int end,
						 rpProduceFn* produce, void* context, rpError* error)
{
	rpNoteTaker taker = rpStartNoteTaker(motion, NULL, NULL, NULL);
	rpFrameNotes notes;
	bool done = true;
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		produce(context, frame / motion->fps, timeline);
		if (frame >= first && frame < end)
		{
			sampleFrame(sampler, timeline, motion, frame, &notes);
		}
		else
		{
			rpSampler_Sample(sampler, timeline, frame / motion->fps, NULL, &notes);
		}
		done = rpNoteTaker_Add(&taker, frame, &notes, error);
	}
	rpAlignHemispheres(motion);
	done = done && rpNoteTaker_Finish(&taker, motion->frameCount, error);
	rpNoteTaker_Free(&taker);
	return done;
}

bool rpRenderFrames(rpMotion* motion, int first, int end, rpProduceFn* produce, void* context, rpError* error)
{
	rpFootRig rig;
	rpSampler sampler = {0};
	rpTimeline* timeline = rpAllocateZero(1, sizeof(rpTimeline), error);
	bool hasLegs = rpFootRig_Init(&rig, motion->skeleton);
	bool done =
		timeline != NULL &&
		rpSampler_Create(&sampler, motion->skeleton, motion->translations != NULL, hasLegs ? &rig : NULL, error) &&
		sampleFrames(&sampler, timeline, motion, first, end, produce, context, error);
	rpSampler_Free(&sampler);
	rpFree(timeline);
	return done;
}
