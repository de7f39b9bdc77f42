/// The frame of a moment: spans sampled, shares blended, seams made; what rests in it, and where it comes from.
#pragma once

#include "timeline/timeline.h"

/// What is known of a frame.
typedef struct rpFrameNotes
{
	/// Bits (1u << rpEffector) of what rests, and the heights of what it rests on, metres.
	unsigned contacts;
	float supportHeights[rp_effectorCount];

	/// Bits of the spans' labels: in a seam those of both.
	uint64_t labels;

	/// Where it comes from; weights add up to 1.
	rpFrameSource sources[RP_MAX_SOURCES];
	int sourceCount;

	/// The number of the span in play; that before the cut of a seam, then the next.
	int64_t span;
} rpFrameNotes;

/// What makes frames of a timeline, one after the other. Time never decreases.
typedef struct rpSampler
{
	/// The seam into the span of a number, -1: none is prepared.
	rpSeam seam;
	int64_t prepared;

	/// How many contacts at the beginning of the lists of the span before the seam, and after it, are over; of the span
	/// of a number.
	int over[2];
	int64_t overOf;

	/// NULL: feet pass over in the middle of seams. Borrowed.
	const rpFootRig* rig;
} rpSampler;

/// rig may be NULL. False when memory ran out; free with rpSampler_Free even then.
RP_NODISCARD bool rpSampler_Create(rpSampler* sampler, const rpSkeleton* skeleton, bool hasTranslations,
								   const rpFootRig* rig, rpError* error);
void rpSampler_Free(rpSampler* sampler);

/// Forget what was prepared: the next time may be any, and of any timeline.
void rpSampler_Reset(rpSampler* sampler);

/// The frame at a time. pose->rotations is [jointCount], and so is pose->translations, which may be NULL. pose may be
/// NULL: only what is known of the frame is wanted.
void rpSampler_Sample(rpSampler* sampler, const rpTimeline* timeline, double time, rpPose* pose, rpFrameNotes* notes);
