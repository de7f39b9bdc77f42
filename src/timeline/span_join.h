/// Spans one after the other: each is laid where resting feet stay, and both are bent towards one another.
#pragma once

#include "timeline/timeline.h"

/// What it takes to look at poses. Const once made, but for its scratch: it belongs to one player.
typedef struct rpSpanJoiner
{
	/// The legs; without them feet are not looked at.
	bool hasLegs;
	rpFootRig rig;

	/// [2 * jointCount], [jointCount]
	rpQuat* rotations;
	rpTransform* world;
	int jointCount;
} rpSpanJoiner;

/// Free with rpSpanJoiner_Free, also when it fails. The skeleton must outlive it.
RP_NODISCARD bool rpSpanJoiner_Create(rpSpanJoiner* joiner, const rpSkeleton* skeleton, rpError* error);
void rpSpanJoiner_Free(rpSpanJoiner* joiner);

/// Lay a first span such that its root is at `start` at first.
void rpSpanJoiner_Begin(const rpSpanJoiner* joiner, rpGroundTransform start, rpSpan* span);

/// Lay a span at the end of another, its ground where the other's is, shifted so that feet that rest in both stay where
/// they are.
void rpSpanJoiner_Lay(const rpSpanJoiner* joiner, const rpSpan* from, rpSpan* to);

/// What takes feet that rest at a moment of both spans to one place, over the floor: to where the first has them on the
/// mean. False where none rests in both.
bool rpSpanJoiner_FindFootShift(const rpSpanJoiner* joiner, const rpSpan* from, double fromSeconds, const rpSpan* to,
								double toSeconds, rpVec3* out);

/// Append it: both are led towards one another, from `before` seconds before the knot to `after` seconds after it.
void rpAppendJoined(const rpSpan* to, double before, double after, rpTimeline* timeline);
