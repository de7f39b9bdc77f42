/// A planted foot that shakes in a capture tells of noise, but not where: in the leg, or in the root that carries all.
/// If in the root, the knee would have to shake to hold the foot still, which near full extension is a lot; and all of
/// the body shakes. So the root takes that share of its feet's shaking that makes its own way smoothest, which is all
/// of it for noise of the root, and none for noise of the legs.
#include "blend/foot_lock_shake.h"

#include "base/memory.h"

// What the root's own way counts for against a planted foot, where feet are free or have just been put down.
#define ROOT_WEIGHT 0.05f

// Changes of speed from frame to frame below this, metres, are no shaking.
#define STILL 1e-4

/// A straight line through values over time, fitted by least squares with weights.
typedef struct LineFit
{
	float weight, moment, square;
	rpVec3 sum, slope;
} LineFit;

static void addToFit(LineFit* fit, float at, float weight, rpVec3 value)
{
	fit->weight += weight;
	fit->moment += weight * at;
	fit->square += weight * at * at;
	fit->sum = rpMulAdd(fit->sum, weight, value);
	fit->slope = rpMulAdd(fit->slope, weight * at, value);
}

// The line's value at 0.
static rpVec3 evaluateFit(const LineFit* fit)
{
	float determinant = fit->weight * fit->square - fit->moment * fit->moment;
	if (!(determinant > 1e-6f * fit->weight * fit->square))
	{
		return rpScale(1.0f / fit->weight, fit->sum);
	}
	return rpScale(1.0f / determinant, rpMulAdd(rpScale(fit->square, fit->sum), -fit->moment, fit->slope));
}

static bool isInRun(const rpFootTrack* track, int frame, int side, int start)
{
	return frame >= track->oldest && frame <= track->newest &&
		   rpFootTrack_Get(track, frame)->feet[side].planted.start == start;
}

// What a planted foot's correction is beyond its own smooth course.
static rpVec3 getShake(const rpFootTrack* track, int frame, int side, int start)
{
	LineFit fit = {0};
	for (int i = -track->spans.smooth; i <= track->spans.smooth; ++i)
	{
		if (isInRun(track, frame + i, side, start))
		{
			addToFit(&fit, (float)i, track->kernel[i < 0 ? -i : i], rpFootTrack_Get(track, frame + i)->feet[side].want);
		}
	}
	return rpSub(rpFootTrack_Get(track, frame)->feet[side].want, evaluateFit(&fit));
}

// How far inside its contact a foot is: 0 at its edge, 1 from a few frames on.
static float getFirmness(const rpFootTrack* track, int frame, int side, int start)
{
	int inside = 0, full = track->spans.slope + 1;
	for (int i = 1; i <= full; ++i, ++inside)
	{
		// The motion's own ends are no edges.
		if ((frame - i >= track->oldest && !isInRun(track, frame - i, side, start)) ||
			(frame + i <= track->newest && !isInRun(track, frame + i, side, start)))
		{
			break;
		}
	}
	return (float)inside / (float)full;
}

// The root's way against a straight line over a few frames, less what a parabola would be off, which is motion.
static rpVec3 getRootShake(const rpFootTrack* track, const rpVec3* roots, int frame)
{
	int span = 2 * track->spans.slope;
	span = frame - span < track->oldest ? frame - track->oldest : span;
	span = frame + span > track->newest ? track->newest - frame : span;
	// Savitzky & Golay's weights for a cubic over 2 span + 1 frames.
	float m = (float)span, count = 2.0f * m + 1.0f;
	rpVec3 smooth = rpVec3_zero;
	for (int i = -span; i <= span && span > 1; ++i)
	{
		float weight = (3.0f * m * m + 3.0f * m - 1.0f - 5.0f * (float)(i * i)) * 3.0f /
					   ((2.0f * m - 1.0f) * count * (2.0f * m + 3.0f));
		smooth = rpMulAdd(smooth, weight, rpSub(roots[frame + i], roots[frame]));
	}
	return smooth;
}

static rpVec3 getShift(const rpFootTrack* track, const rpVec3* roots, int frame, float* firmness)
{
	rpVec3 sum = rpScale(ROOT_WEIGHT, getRootShake(track, roots, frame));
	float weight = ROOT_WEIGHT;
	for (int side = 0; side < rp_legCount; ++side)
	{
		int start = rpFootTrack_Get(track, frame)->feet[side].planted.start;
		if (track->rig.legs[side].isThere && start >= 0)
		{
			float firm = getFirmness(track, frame, side, start);
			sum = rpMulAdd(sum, firm, getShake(track, frame, side, start));
			weight += firm;
		}
	}
	*firmness = weight - ROOT_WEIGHT;
	return rpScale(1.0f / weight, sum);
}

// Twice the change of a way's speed at a frame.
static rpVec3 getChange(const rpVec3* way, int frame)
{
	return rpSub(rpAdd(way[frame - 1], way[frame + 1]), rpScale(2.0f, way[frame]));
}

// The share of the shifts that makes the root's way smoothest, by least squares over the frames with a firm foot.
static float findShare(const rpVec3* ways, const rpVec3* shifts, const bool* isFirm, int frameCount)
{
	double product = 0.0, square = 0.0;
	for (int i = 1; i + 1 < frameCount; ++i)
	{
		if (isFirm[i - 1] && isFirm[i] && isFirm[i + 1])
		{
			rpVec3 way = getChange(ways, i), shift = getChange(shifts, i);
			product -= rpDot(way, shift);
			square += rpDot(shift, shift) + STILL * STILL;
		}
	}
	return square > 0.0 ? (float)fmin(fmax(product / square, 0.0), 1.0) : 0.0f;
}

static void addShifts(rpFootTrack* track, const rpVec3* shifts, float share)
{
	for (int frame = track->oldest; frame <= track->newest; ++frame)
	{
		rpTrackFrame* entry = rpFootTrack_Get(track, frame);
		rpVec3 shift = rpScale(share, shifts[frame]);
		entry->follow = rpAdd(entry->follow, shift);
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (track->rig.legs[side].isThere && entry->feet[side].planted.start >= 0)
			{
				entry->feet[side].offset = rpSub(entry->feet[side].offset, shift);
			}
		}
	}
}

float rpFootTrack_Steady(rpFootTrack* track, const rpVec3* roots, bool* done, rpError* error)
{
	int frameCount = track->newest + 1;
	rpVec3* shifts = rpAllocate((size_t)frameCount, sizeof(rpVec3), error);
	rpVec3* ways = rpAllocate((size_t)frameCount, sizeof(rpVec3), error);
	bool* isFirm = rpAllocate((size_t)frameCount, sizeof(bool), error);
	float share = 0.0f;
	*done = shifts != NULL && ways != NULL && isFirm != NULL;
	for (int frame = 0; *done && frame < frameCount; ++frame)
	{
		float firmness;
		shifts[frame] = getShift(track, roots, frame, &firmness);
		ways[frame] = rpAdd(roots[frame], rpFootTrack_Get(track, frame)->follow);
		isFirm[frame] = firmness > 0.99f;
	}
	if (*done)
	{
		share = findShare(ways, shifts, isFirm, frameCount);
		addShifts(track, shifts, share);
	}
	rpFree(shifts);
	rpFree(ways);
	rpFree(isFirm);
	return share;
}
