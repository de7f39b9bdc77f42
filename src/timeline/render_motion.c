#include "timeline/render_motion.h"

#include "base/memory.h"
#include "motion/draft.h"
#include "timeline/note_taker.h"

#include <string.h>

static void storeFrame(const rpRenderer* renderer, int frame, rpMotion* motion)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount, first = (size_t)frame * jointCount;
	rpPose pose = rpRenderer_GetFrame(renderer, frame);
	motion->rootPositions[frame] = pose.rootPosition;
	memcpy(motion->rotations + first, pose.rotations, jointCount * sizeof(rpQuat));
	if (motion->translations != NULL)
	{
		memcpy(motion->translations + first, pose.translations, jointCount * sizeof(rpVec3));
	}
}

static bool render(rpRenderer* renderer, rpTimeline* timeline, rpMotion* motion, rpProduceFn* produce, void* context,
				   rpError* error)
{
	rpNoteTaker taker = rpStartNoteTaker(motion, NULL, NULL, NULL);
	bool done = true;
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		while (renderer->madeCount < motion->frameCount && renderer->madeCount <= frame + renderer->lookAhead)
		{
			produce(context, (double)renderer->madeCount / renderer->fps, timeline);
			rpRenderer_Make(renderer, timeline);
		}
		rpRenderer_Show(renderer);
		storeFrame(renderer, frame, motion);
		done = rpNoteTaker_Add(&taker, frame, rpRenderer_GetNotes(renderer, frame), error);
	}
	return done && rpNoteTaker_Finish(&taker, motion->frameCount, error);
}

bool rpRenderMotion(rpMotion* motion, bool lockFeet, rpProduceFn* produce, void* context, rpError* error)
{
	rpRendererDef def = {.skeleton = motion->skeleton,
						 .fps = motion->fps,
						 .lookAhead = rpGetFullLookAhead(motion->fps),
						 .lockFeet = lockFeet,
						 .hasTranslations = motion->translations != NULL};
	rpRenderer renderer = {0};
	rpTimeline* timeline = rpAllocateZero(1, sizeof(rpTimeline), error);
	bool done = timeline != NULL && rpRenderer_Create(&renderer, &def, error) &&
				render(&renderer, timeline, motion, produce, context, error);
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
	return done && rpNoteTaker_Finish(&taker, motion->frameCount, error);
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
