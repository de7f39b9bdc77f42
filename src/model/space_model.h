/// A space as it is played: examples' frames beside it, and the motion that weights give, as a span.
#pragma once

#include "model/clip_chunks.h"
#include "model/space_chunks.h"
#include "timeline/stretch_blend.h"

/// Something that happens in an example: a foot comes down or leaves, or an event.
typedef struct rpSpaceMoment
{
	/// Seconds in the example's motion, and among its key times: key 2 and a half is 2.5.
	double time, place;
} rpSpaceMoment;

/// What a channel, a foot or an event, does in an example: `before` says whether the foot rests at the start.
typedef struct rpSpaceChannel
{
	int firstMoment, momentCount;
	bool before;
} rpSpaceChannel;

/// Feet are the first channels; then come the events.
enum
{
	rp_spaceFeet = 2,
};

/// Const once made.
typedef struct rpSpaceModel
{
	/// Its motions are NULL: their frames are in clips, one for each example, from firstClip on. A graph of spaces has
	/// one set for all of them.
	rpSpace* space;
	rpClipSet clips;
	int firstClip;
	bool isShared;

	/// [exampleCount], the first frame of each in rates and contacts, which are in the bundle.
	int* firstFrames;
	const rpGroundRate* rates;
	const uint16_t* contacts;

	/// [exampleCount * (rp_spaceFeet + eventCount)]
	rpSpaceChannel* channels;
	rpSpaceMoment* moments;
	int momentCount, momentCapacity;
} rpSpaceModel;

/// Read one from a bundle, which must outlive it, every number checked. Free with rpSpaceModel_Free, after failure too.
RP_NODISCARD bool rpSpaceModel_Read(rpSpaceModel* model, const rpBundle* bundle, rpError* error);
void rpSpaceModel_Free(rpSpaceModel* model);

/// Frames of several spaces, in their order: the clips, which are borrowed, their paths over the floor and contacts.
typedef struct rpSpaceFrames
{
	rpClipSet clips;
	const rpGroundRate* rates;
	const uint16_t* contacts;
	int frameCount;

	/// How many clips, and frames, are those of spaces that were read already.
	int usedClips, usedFrames;
} rpSpaceFrames;

/// Read the frames of a bundle. Free the clips with rpClipSet_Free, after failure too.
RP_NODISCARD bool rpSpaceFrames_Read(rpSpaceFrames* frames, const rpBundle* bundle, rpError* error);

/// Read one of several spaces: its chunks are in a bundle of their own, its frames are the next ones. Free with
/// rpSpaceModel_Free, after failure too.
RP_NODISCARD bool rpSpaceModel_ReadNext(rpSpaceModel* model, const rpBundle* chunks, rpSpaceFrames* frames,
										rpError* error);

/// The frames of an example.
const rpClip* rpSpaceModel_GetClip(const rpSpaceModel* model, int example);

/// Add what rpSpaceFrames_Read reads: the examples' frames without their paths over the floor (SPTH, SCON, and those of
/// clips). locals are [count], roots relative to ground frames; rates and contacts are of all frames.
RP_NODISCARD bool rpWriteSpaceFrames(rpBundleWriter* writer, const rpMotion* const* locals, int count,
									 const rpGroundRate* rates, const uint16_t* contacts, int frameCount,
									 rpError* error);

/// What is known of a motion that is planned.
typedef struct rpSpacePlan
{
	/// Physical: all its examples touch the ground in the same order, and flights last as bodies fall.
	bool isPhysical;

	/// Phases between moments at which something happens in all of them; those in which all fly.
	int phaseCount, flightCount;

	/// Metres along its path, and radians to the left, margins included.
	float length, turn;

	/// Seconds of the span that are before the motion itself and after it.
	double before, after;
} rpSpacePlan;

/// The motion of weights (rpSpace_Weigh) as a span that starts at its placement, with up to `margin` seconds more on
/// either side, as far as all its examples have them; nothing is allocated.
rpSpacePlan rpSpaceModel_Plan(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, double margin,
							  rpSpan* span);

/// The same bit by bit.
typedef struct rpSpacePlanning
{
	rpSpacePlan plan;
	rpStretchShare shares[RP_MAX_SHARES];
	int shareCount, keyCount;
	uint64_t flights;
	rpStretchBlending blending;
} rpSpacePlanning;

void rpSpacePlanning_Begin(rpSpacePlanning* planning, const rpSpaceModel* model, const rpSpaceWeight* weights,
						   int count, double margin, rpSpan* span);

/// At most so many pieces of work, of which a span has two for each 60th of a second. True once it is done.
bool rpSpacePlanning_GoOn(rpSpacePlanning* planning, rpSpan* span, int count);

/// When an event happens in a span that was planned, seconds from its start: the mean of the examples that have it; NAN
/// if none has.
double rpSpaceModel_FindEvent(const rpSpaceModel* model, const rpSpan* span, int event);

// ---- the steps of a plan (space_keys.c)

enum
{
	rp_maxSpaceKeys = rp_maxSpanKeys - 2,
};

/// Key times of several examples that are blended: at key k all do the same. Two less than a span can have: what is
/// before and after the stretch has one each.
typedef struct rpSpaceKeys
{
	double times[RP_MAX_SHARES][rp_maxSpanKeys];
	int keyCount;
	uint64_t flights;
	bool isMatched;
	int phaseCount, flightCount;
} rpSpaceKeys;

/// Find them: where something happens in all of the examples, and evenly between.
void rpFindSpaceKeys(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, rpSpaceKeys* out);
