/// What is known of frames, one after the other, as annotations of the motion that they become: the last stage of
/// rendering.
#pragma once

#include "motion/annotation_parts.h"
#include "timeline/sampler.h"

/// The name of a label or a clip; NULL: it has none, and is not noted.
typedef const char* rpNameFn(const void* context, int index);

typedef struct rpNoteTaker
{
	rpMotion* motion;
	rpTrackLists lists;

	/// NULL: labels, sources are not noted.
	rpNameFn *getLabel, *getClip;
	const void* context;

	/// The frame in which an effector came to rest, -1: it does not; and the mean height of supports since.
	int contactStarts[rp_effectorCount];
	float heights[rp_effectorCount];

	/// Bits of the labels of the last frame, and the frames in which they began.
	uint64_t labels;
	int labelStarts[64];

	/// Clips that are played: since which frame, from which time on, and which time was last.
	struct
	{
		int clip, start;
		double from, last;
	} sources[RP_MAX_SOURCES];
	int sourceCount;
} rpNoteTaker;

/// Notes go to the motion's annotations when it is finished. Free with rpNoteTaker_Free.
rpNoteTaker rpStartNoteTaker(rpMotion* motion, rpNameFn* getLabel, rpNameFn* getClip, const void* context);

/// Take notes of the next frame; and of there being no more after so many. False when memory ran out.
RP_NODISCARD bool rpNoteTaker_Add(rpNoteTaker* taker, int frame, const rpFrameNotes* notes, rpError* error);
RP_NODISCARD bool rpNoteTaker_Finish(rpNoteTaker* taker, int frameCount, rpError* error);
void rpNoteTaker_Free(rpNoteTaker* taker);
