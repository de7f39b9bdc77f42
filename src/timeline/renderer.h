/// The one path from a timeline to frames: sampled, blended, joined, layers laid on, feet settled; for a whole motion,
/// or as a stream that is so many frames ahead of what it shows.
#pragma once

#include "feet/feet_track.h"
#include "timeline/layers.h"

/// How to render. The skeleton must outlive the renderer.
typedef struct rpRendererDef
{
	const rpSkeleton* skeleton;
	double fps;

	/// Frames that are made before one is shown, 0 … 960; more than rpGetFullLookAhead(fps) change nothing. Only used
	/// where feet are locked.
	int lookAhead;
	bool lockFeet;

	/// Whether bones change their lengths.
	bool hasTranslations;
} rpRendererDef;

/// A ring of frames, frame i at i & mask.
typedef struct rpFrameRing
{
	unsigned mask;
	rpVec3* roots;

	/// [mask + 1] * jointCount; translations are NULL without them.
	rpQuat* rotations;
	rpVec3* translations;
} rpFrameRing;

typedef struct rpRenderer
{
	const rpSkeleton* skeleton;
	double fps;
	rpSampler sampler;

	rpLayers layers;

	/// Frames that were made and shown so far, and how many it is ahead.
	int64_t madeCount, shownCount;
	int lookAhead;

	/// As they were made, with what is known of them, and as they are shown.
	rpFrameRing made, shown;
	rpFrameNotes* notes;

	/// The legs; feet are settled where isLocking. Scratch for feet between frames: [3 * jointCount].
	bool hasLegs, isLocking;
	rpFootRig rig;
	rpFeetTrack feet;
	rpTransform* world;
} rpRenderer;

/// A body without legs is rendered without feet being settled. False when memory ran out; free with rpRenderer_Free
/// even then.
RP_NODISCARD bool rpRenderer_Create(rpRenderer* renderer, const rpRendererDef* def, rpError* error);
void rpRenderer_Free(rpRenderer* renderer);

/// All that changes in a renderer.
void rpRenderer_VisitState(rpRenderer* renderer, rpPieceFn* visit, void* context);

/// Back to the first frame.
void rpRenderer_Reset(rpRenderer* renderer);

/// Make the next frame, at madeCount / fps; the timeline must reach there. Allocates nothing.
void rpRenderer_Make(rpRenderer* renderer, const rpTimeline* timeline);

/// Show the next frame, of which all that is wanted ahead has been made, or all that there is.
void rpRenderer_Show(rpRenderer* renderer);

/// A frame that was shown last or before that, or one that was made and not shown yet; borrowed until more are made.
rpPose rpRenderer_GetFrame(const rpRenderer* renderer, int64_t frame);
const rpFrameNotes* rpRenderer_GetNotes(const rpRenderer* renderer, int64_t frame);

/// What rests between a frame and the next: what rests in both; t is 0 to 1 between them.
unsigned rpRenderer_GetContacts(const rpRenderer* renderer, int64_t frame, float t);

/// The pose between a frame and the next, with feet that rest in both held. Of frames that are not shown yet feet are
/// as they come. pose->rotations is [jointCount].
void rpRenderer_Interpolate(const rpRenderer* renderer, int64_t frame, float t, rpPose* pose);
