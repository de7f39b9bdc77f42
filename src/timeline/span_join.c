#include "timeline/span_join.h"

#include "base/memory.h"
#include "feet/feet_track.h"

// How far the next span is shifted at most so that resting feet stay where they are, metres.
#define GREATEST_SHIFT 0.2f

bool rpSpanJoiner_Create(rpSpanJoiner* joiner, const rpSkeleton* skeleton, rpError* error)
{
	size_t count = (size_t)skeleton->jointCount;
	*joiner = (rpSpanJoiner){.jointCount = skeleton->jointCount};
	joiner->rotations = rpAllocateZero(2 * count, sizeof(rpQuat), error);
	joiner->world = rpAllocateZero(count, sizeof(rpTransform), error);
	joiner->hasLegs = rpFootRig_Init(&joiner->rig, skeleton);
	return joiner->rotations != NULL && joiner->world != NULL;
}

void rpSpanJoiner_Free(rpSpanJoiner* joiner)
{
	rpFree(joiner->rotations);
	rpFree(joiner->world);
	*joiner = (rpSpanJoiner){0};
}

static rpPose getScratch(const rpSpanJoiner* joiner, int i)
{
	return (rpPose){.rotations = joiner->rotations + (size_t)i * (size_t)joiner->jointCount};
}

static void sampleFeet(const rpSpanJoiner* joiner, const rpPose* pose, rpFootSample out[rp_legCount])
{
	if (!joiner->hasLegs)
	{
		return;
	}
	rpFootRig_Forward(&joiner->rig, pose->rootPosition, pose->rotations, NULL, joiner->world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (joiner->rig.legs[side].isThere)
		{
			rpLeg_Sample(&joiner->rig.legs[side], joiner->world, &out[side]);
		}
	}
}

// The mean gap between points of feet that rest in both poses.
static bool findGap(const rpSpanJoiner* joiner, const rpPose* before, const rpPose* after, unsigned resting,
					rpVec3* out)
{
	rpFootSample from[rp_legCount], to[rp_legCount];
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	sampleFeet(joiner, before, from);
	sampleFeet(joiner, after, to);
	for (int i = 0; i < rp_legCount * rp_bearerCount; ++i)
	{
		int side = i / rp_bearerCount, point = i % rp_bearerCount;
		if (joiner->hasLegs && joiner->rig.legs[side].isThere && (resting >> rpBearers[side][point] & 1) != 0)
		{
			sum = rpAdd(sum, rpSub(rpGetBearer(&from[side], point), rpGetBearer(&to[side], point)));
			++count;
		}
	}
	*out = count > 0 ? rpScale(1.0f / (float)count, sum) : rpVec3_zero;
	return count > 0;
}

// Over the floor, and not far.
static rpVec3 limitShift(rpVec3 gap)
{
	rpVec3 shift = {gap.x, 0.0f, gap.z};
	float length = rpLength(shift);
	return length > GREATEST_SHIFT ? rpScale(GREATEST_SHIFT / length, shift) : shift;
}

// What takes feet that rest on both sides of a knot to one place, over the floor; where none does, the root. (Ground
// frames are smoothed paths, which roots are ahead of or behind where they brake or set off: these need not meet.)
static rpVec3 findShift(const rpSpanJoiner* joiner, const rpPose* before, const rpPose* after, unsigned resting)
{
	rpVec3 gap;
	bool rests = findGap(joiner, before, after, resting, &gap);
	return limitShift(rests ? gap : rpSub(before->rootPosition, after->rootPosition));
}

bool rpSpanJoiner_FindFootShift(const rpSpanJoiner* joiner, const rpSpan* from, double fromSeconds, const rpSpan* to,
								double toSeconds, rpVec3* out)
{
	float heights[rp_effectorCount];
	rpPose before = getScratch(joiner, 0), after = getScratch(joiner, 1);
	rpSpan_Sample(from, fromSeconds, &before);
	rpSpan_Sample(to, toSeconds, &after);
	unsigned resting =
		rpSpan_GetContacts(from, fromSeconds, NULL, heights) & rpSpan_GetContacts(to, toSeconds, NULL, heights);
	bool rests = findGap(joiner, &before, &after, resting, out);
	*out = limitShift(*out);
	return rests;
}

static void placeSpan(rpSpan* span, double start, rpGroundTransform placement)
{
	span->start = start;
	span->placement = placement;
	span->rise = placement.shift.y;
}

void rpSpanJoiner_Lay(const rpSpanJoiner* joiner, const rpSpan* from, rpSpan* to)
{
	float heights[rp_effectorCount];
	double end = rpSpan_GetDuration(from);
	rpPose before = getScratch(joiner, 0), after = getScratch(joiner, 1);
	rpGroundTransform placement = rpSpan_GetGround(from, end);
	placement.turn = rpWrapAngle(placement.turn);
	placeSpan(to, from->start + end, placement);
	rpSpan_Sample(from, end, &before);
	rpSpan_Sample(to, 0.0, &after);
	unsigned resting = rpSpan_GetContacts(from, end, NULL, heights) & rpSpan_GetContacts(to, 0.0, NULL, heights);
	placement.shift = rpAdd(placement.shift, findShift(joiner, &before, &after, resting));
	placeSpan(to, to->start, placement);
}

// The first span begins where the root is to be.
void rpSpanJoiner_Begin(const rpSpanJoiner* joiner, rpGroundTransform start, rpSpan* span)
{
	rpPose pose = getScratch(joiner, 0);
	placeSpan(span, 0.0, rpGroundTransform_identity);
	rpSpan_Sample(span, 0.0, &pose);
	rpGroundTransform root = {rpHeading(pose.rotations[0]), {pose.rootPosition.x, 0.0f, pose.rootPosition.z}};
	placeSpan(span, 0.0, rpGroundTransform_Compose(start, rpGroundTransform_Invert(root)));
}

void rpAppendJoined(const rpSpan* to, double before, double after, rpTimeline* timeline)
{
	rpSeamDef seam = {rp_seamDisplace, to->start - before, to->start, to->start + after};
	*rpTimeline_GetNext(timeline) = *to;
	rpTimeline_Append(timeline, &seam);
}
