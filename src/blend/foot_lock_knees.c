/// Near full extension a knee turns a lot for a small change of the leg's reach: knees pop where a foot that was a bit
/// off is put right. What can give way, gives way a little earlier and later: the way of a free foot, and for a planted
/// one the root.
#include "blend/foot_lock_knees.h"

// The root is nudged by no more than this, metres.
#define MOST_NUDGE 0.02f

static float getBend(const rpLegSolution* leg)
{
	return rpGetKneeBend(leg->thigh, leg->shank, leg->reach);
}

static bool isPlanted(const rpFootTrack* track, int frame, int side)
{
	return rpFootTrack_Get(track, frame)->feet[side].planted.start >= 0;
}

// A bend brought within `limit` of its neighbour's.
static float clampBend(float bend, float neighbour, float limit)
{
	return fminf(fmaxf(bend, neighbour - limit), neighbour + limit);
}

// Change a free foot's way so that the knee is bent by this much.
static void bendFreeLeg(rpFootTrack* track, const rpLegSolution* leg, int frame, int side, float bend)
{
	float reach = rpGetKneeReach(leg->thigh, leg->shank, bend);
	rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	foot->offset = rpMulAdd(foot->offset, reach - leg->reach, leg->along);
}

// One way along the frames (step 1 or -1): each free knee within the limit of the one before it. Knees are slowed down
// in one frame after the other until they have caught up.
static bool slowFreeKnees(rpFootTrack* track, const rpTrackSolution* solutions, int side, float limit, int step)
{
	int first = step > 0 ? track->oldest : track->newest, last = step > 0 ? track->newest : track->oldest;
	float neighbour = getBend(solutions[first].legs + side);
	bool isFast = false;
	for (int frame = first + step; frame != last + step; frame += step)
	{
		const rpLegSolution* leg = solutions[frame].legs + side;
		float bend = getBend(leg), slow = clampBend(bend, neighbour, limit);
		if (bend != slow)
		{
			isFast = true;
			if (!isPlanted(track, frame, side))
			{
				// Both ways are gone, each takes up half.
				bendFreeLeg(track, leg, frame, side, 0.5f * (bend + slow));
				bend = slow;
			}
		}
		neighbour = bend;
	}
	return isFast;
}

// Shift the root at a frame, and less and less at those around.
static void nudge(rpFootTrack* track, int frame, rpVec3 shift)
{
	int span = track->spans.slope;
	for (int i = -span; i <= span; ++i)
	{
		if (frame + i >= track->oldest && frame + i <= track->newest)
		{
			rpTrackFrame* entry = rpFootTrack_Get(track, frame + i);
			entry->nudge = rpMulAdd(entry->nudge, 1.0f - fabsf((float)i) / (float)(span + 1), shift);
			float length = rpLength(entry->nudge);
			entry->nudge = length > MOST_NUDGE ? rpScale(MOST_NUDGE / length, entry->nudge) : entry->nudge;
		}
	}
}

// Where a planted knee is too fast, pull the root nearer at the frame in which the leg is straighter.
static void pullFastKnees(rpFootTrack* track, const rpTrackSolution* solutions, int side, float limit, bool isLate)
{
	for (int frame = track->oldest + 1; frame <= track->newest; ++frame)
	{
		const rpLegSolution* old = solutions[frame - 1].legs + side;
		const rpLegSolution* new = solutions[frame].legs + side;
		float oldBend = getBend(old), newBend = getBend(new);
		if (fabsf(newBend - oldBend) > limit && (isPlanted(track, frame, side) || isPlanted(track, frame - 1, side)))
		{
			const rpLegSolution* straight = oldBend < newBend ? old : new;
			float bend = fmaxf(oldBend, newBend) - limit;
			float excess = straight->reach - rpGetKneeReach(straight->thigh, straight->shank, bend);
			int at = straight == old ? frame - 1 : frame;
			rpTrackFrame* entry = rpFootTrack_Get(track, at);
			if (isLate)
			{
				nudge(track, at, rpScale(0.7f * excess, straight->along));
			}
			else
			{
				entry->pull = rpMulAdd(entry->pull, excess, straight->along);
				track->lastPull = track->newest;
			}
		}
	}
}

bool rpSlowKnees(rpFootTrack* track, const rpTrackSolution* solutions, float limit, bool isLate)
{
	bool isFast = false;
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere)
		{
			bool isFastAhead = slowFreeKnees(track, solutions, side, limit, 1);
			bool isFastBack = slowFreeKnees(track, solutions, side, limit, -1);
			isFast = isFast || isFastAhead || isFastBack;
			pullFastKnees(track, solutions, side, limit, isLate);
		}
	}
	return isFast;
}
