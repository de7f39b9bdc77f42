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
	/// Its motions are NULL: their frames are in clips, one for each example.
	rpSpace* space;
	rpClipSet clips;

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

/// Add what it reads: the space's chunks, the examples' frames without their paths over the floor (SPTH, SCON, and
/// those of clips). locals are [exampleCount], roots relative to ground frames; rates and contacts are of all frames.
RP_NODISCARD bool rpWriteSpaceModel(rpBundleWriter* writer, const rpSpace* space, const rpMotion* const* locals,
									const rpGroundRate* rates, const uint16_t* contacts, int frameCount,
									rpError* error);

/// What is known of a motion that is planned.
typedef struct rpSpacePlan
{
	/// Physical: all its examples touch the ground in the same order, and flights last as bodies fall.
	bool isPhysical;

	/// Phases between moments at which something happens in all of them; those in which all fly.
	int phaseCount, flightCount;

	/// Metres along its path, and radians to the left.
	float length, turn;
} rpSpacePlan;

/// The motion of weights (rpSpace_Weigh) as a span that starts at its placement; nothing is allocated.
rpSpacePlan rpSpaceModel_Plan(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, rpSpan* span);

/// When an event happens in a span that was planned, seconds from its start: the mean of the examples that have it; NAN
/// if none has.
double rpSpaceModel_FindEvent(const rpSpaceModel* model, const rpSpan* span, int event);

// ---- the steps of a plan (space_keys.c)

/// Key times of several examples that are blended: at key k all do the same.
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
