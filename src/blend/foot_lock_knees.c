/// Near full extension a knee turns a lot for a small change of the leg's reach: knees pop where a foot that was a bit
/// off is put right. What can give way, gives way a little earlier and later: the way of a free foot, and for a planted
/// one the root.
#include "blend/foot_lock_knees.h"

// The root is nudged by no more than this, metres.
#define MOST_NUDGE 0.02f

// The part of a change that is made at once: changes of neighbouring frames add up.
#define STEP 0.7f

// A knee that is bent by this angle, radians, is far from being straight.
#define BENT 0.6f

static float getBend(const rpLegSolution* leg)
{
	return rpGetKneeBend(leg->thigh, leg->shank, leg->reach);
}

static bool isPlanted(const rpFootTrack* track, int frame, int side)
{
	return rpFootTrack_Get(track, frame)->feet[side].planted.start >= 0;
}

// How much of a change at a frame is made as well at one that many frames away: none from `span` on, no kink before.
static float getShare(int distance, int span)
{
	float u = 1.0f - (float)(distance * distance) / (float)(span * span);
	return u * u;
}

// Shift the root, or a foot that is free, at a frame and less and less at those behind it (step 1) or before it (-1).
static void spread(rpFootTrack* track, int frame, int step, int side, bool isRoot, rpVec3 shift)
{
	int span = 2 * track->spans.slope + 1;
	for (int i = 0; i < span; ++i)
	{
		int at = frame + step * i;
		if (at < track->oldest || at > track->newest || (!isRoot && isPlanted(track, at, side)))
		{
			break;
		}
		rpTrackFrame* entry = rpFootTrack_Get(track, at);
		rpVec3* place = isRoot ? &entry->nudge : &entry->feet[side].offset;
		*place = rpMulAdd(*place, getShare(i, span), shift);
		float length = rpLength(entry->nudge);
		entry->nudge = length > MOST_NUDGE ? rpScale(MOST_NUDGE / length, entry->nudge) : entry->nudge;
	}
}

/// A knee that bends too fast between two frames.
typedef struct FastKnee
{
	int side;

	/// The frames in which the leg is straighter and in which it is bent more: neighbours.
	int straight, bent;
	const rpLegSolution *straightLeg, *bentLeg;
	float bend;

	/// By how much hip and ankle are too far apart in the straighter.
	float excess;
} FastKnee;

// Bring hip and ankle nearer in the straighter frame and those on its side, and the more the leg is bent, apart on the
// other side: a steep change becomes a longer one.
static void slowBySpreading(rpFootTrack* track, const FastKnee* knee)
{
	int step = knee->straight < knee->bent ? -1 : 1;
	float away = fminf(knee->bend / BENT, 1.0f), near = 1.0f / (1.0f + away);
	bool isRoot = isPlanted(track, knee->straight, knee->side) || isPlanted(track, knee->bent, knee->side);
	float sign = isRoot ? 1.0f : -1.0f;
	spread(track, knee->straight, step, knee->side, isRoot,
		   rpScale(sign * STEP * near * knee->excess, knee->straightLeg->along));
	spread(track, knee->bent, -step, knee->side, isRoot,
		   rpScale(-sign * STEP * near * away * knee->excess, knee->bentLeg->along));
}

static void slowByPulling(rpFootTrack* track, const FastKnee* knee)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, knee->straight);
	entry->pull = rpMulAdd(entry->pull, knee->excess, knee->straightLeg->along);
	track->lastPull = track->newest;
}

static bool slowKnee(rpFootTrack* track, const rpTrackSolution* solutions, int side, float limit, bool isLate)
{
	bool isFast = false;
	float old = getBend(solutions[track->oldest].legs + side);
	for (int frame = track->oldest + 1; frame <= track->newest; ++frame)
	{
		float new = getBend(solutions[frame].legs + side);
		if (fabsf(new - old) > limit)
		{
			FastKnee knee = {.side = side,
							 .straight = old < new ? frame - 1 : frame,
							 .bent = old < new ? frame : frame - 1,
							 .bend = fmaxf(old, new)};
			knee.straightLeg = solutions[knee.straight].legs + side;
			knee.bentLeg = solutions[knee.bent].legs + side;
			const rpLegSolution* leg = knee.straightLeg;
			knee.excess = leg->reach - rpGetKneeReach(leg->thigh, leg->shank, knee.bend - limit);
			bool isFree = !isPlanted(track, frame, side) && !isPlanted(track, frame - 1, side);
			(isFree || isLate ? slowBySpreading : slowByPulling)(track, &knee);
			isFast = true;
		}
		old = new;
	}
	return isFast;
}

bool rpSlowKnees(rpFootTrack* track, const rpTrackSolution* solutions, float limit, bool isLate)
{
	bool isFast = false;
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere)
		{
			isFast |= slowKnee(track, solutions, side, limit, isLate);
		}
	}
	return isFast;
}
