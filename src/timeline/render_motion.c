#include "timeline/render_motion.h"

#include "base/memory.h"

#include <string.h>

// Supports whose heights differ by less are one support, metres: lower than a step of stairs, more than captured floors
// are off.
#define SAME_SUPPORT 0.05f

/// Contacts that are under way.
typedef struct Runs
{
	/// Where an effector came to rest, -1 if it does not; and the mean height of what it rests on since.
	int first[rp_effectorCount];
	float heights[rp_effectorCount];
} Runs;

static bool endRun(Runs* runs, int effector, int frame, rpMotion* motion, rpError* error)
{
	int first = runs->first[effector];
	rpInterval contact = {.track = rp_trackContact,
						  .start = first / motion->fps,
						  .end = frame / motion->fps,
						  .effector = (rpEffector)effector,
						  .supportHeight = runs->heights[effector]};
	runs->first[effector] = -1;
	return first < 0 || rpAnnotations_AddInterval(&motion->annotations, &contact, error);
}

static bool addFrame(Runs* runs, const rpFrameNotes* notes, int frame, rpMotion* motion, rpError* error)
{
	bool done = true;
	for (int i = 0; i < rp_effectorCount && done; ++i)
	{
		bool rests = (notes->contacts >> i & 1) != 0;
		float height = notes->supportHeights[i], known = runs->heights[i];
		if (!rests || (runs->first[i] >= 0 && fabsf(height - known) >= SAME_SUPPORT))
		{
			done = endRun(runs, i, frame, motion, error);
		}
		if (rests)
		{
			bool isNew = runs->first[i] < 0;
			runs->first[i] = isNew ? frame : runs->first[i];
			runs->heights[i] = isNew ? height : known + (height - known) / (float)(frame - runs->first[i] + 1);
		}
	}
	return done;
}

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
	Runs runs;
	bool done = true;
	memset(runs.first, -1, sizeof(runs.first));
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		while (renderer->madeCount < motion->frameCount && renderer->madeCount <= frame + renderer->lookAhead)
		{
			produce(context, (double)renderer->madeCount / renderer->fps, timeline);
			rpRenderer_Make(renderer, timeline);
		}
		rpRenderer_Show(renderer);
		storeFrame(renderer, frame, motion);
		done = addFrame(&runs, rpRenderer_GetNotes(renderer, frame), frame, motion, error);
	}
	for (int i = 0; i < rp_effectorCount && done; ++i)
	{
		done = endRun(&runs, i, motion->frameCount, motion, error);
	}
	return done;
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
