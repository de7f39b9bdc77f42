/// A planted foot that shakes in a capture tells of noise, but not where: in the leg, or in the root that carries all.
/// If in the root, the knee would have to shake to hold the foot still, which near full extension is a lot; and all of
/// the body shakes. So the root takes that share of its feet's shaking that makes the hips' way smoothest, which is all
/// of it for noise of the root, and none for noise of the legs; along the floor and upwards apart.
#include "blend/foot_lock_shake.h"

#include "base/memory.h"

// What the root's own way counts for against a planted foot, where feet are free or have just been put down.
#define ROOT_WEIGHT 0.05f

// Changes of speed from frame to frame below this, metres, are no shaking.
#define STILL 1e-4f

// What the whole motion counts for beside the frames around.
#define ELSEWHERE 0.02f

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

/// Shares along the floor and upwards, or sums that lead to them.
typedef struct Shares
{
	float level, upright;
} Shares;

/// Scratch memory for the frames of a motion.
typedef struct Shaking
{
	int frameCount;

	/// The way of the hips of planted legs as they follow their feet, and what it takes to follow the feet's shaking
	/// as well.
	rpVec3 *ways, *shifts;
	bool* isFirm;

	/// Of least squares: how much changes of way and shift oppose each other, and the square of the shift's.
	Shares *products, *squares;

	/// Their means over the motion.
	Shares meanProduct, meanSquare;
} Shaking;

static bool allocateShaking(Shaking* shaking, int frameCount, rpError* error)
{
	size_t count = (size_t)frameCount;
	shaking->frameCount = frameCount;
	shaking->ways = rpAllocate(count, sizeof(rpVec3), error);
	shaking->shifts = rpAllocate(count, sizeof(rpVec3), error);
	shaking->isFirm = rpAllocate(count, sizeof(bool), error);
	shaking->products = rpAllocateZero(count, sizeof(Shares), error);
	shaking->squares = rpAllocateZero(count, sizeof(Shares), error);
	return shaking->ways != NULL && shaking->shifts != NULL && shaking->isFirm != NULL && shaking->products != NULL &&
		   shaking->squares != NULL;
}

static void freeShaking(Shaking* shaking)
{
	rpFree(shaking->ways);
	rpFree(shaking->shifts);
	rpFree(shaking->isFirm);
	rpFree(shaking->products);
	rpFree(shaking->squares);
}

static Shares addShares(Shares a, float weight, Shares b)
{
	return (Shares){a.level + weight * b.level, a.upright + weight * b.upright};
}

// Where the hips of the planted legs are; where there are none, the root.
static rpVec3 getHips(const rpTrackFrame* entry, rpVec3 root)
{
	rpVec3 sum = rpVec3_zero;
	float count = 0.0f;
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (entry->feet[side].planted.start >= 0)
		{
			sum = rpAdd(sum, entry->feet[side].sample.hip);
			count += 1.0f;
		}
	}
	return count > 0.0f ? rpScale(1.0f / count, sum) : root;
}

static bool arePlantedAlike(const rpFootTrack* track, int frame, int other)
{
	const rpTrackFrame *a = rpFootTrack_Get(track, frame), *b = rpFootTrack_Get(track, other);
	return a->feet[0].planted.start == b->feet[0].planted.start && a->feet[1].planted.start == b->feet[1].planted.start;
}

static void measureShaking(Shaking* shaking, const rpFootTrack* track, const rpVec3* roots)
{
	for (int frame = 0; frame < shaking->frameCount; ++frame)
	{
		const rpTrackFrame* entry = rpFootTrack_Get(track, frame);
		float firmness;
		shaking->shifts[frame] = getShift(track, roots, frame, &firmness);
		shaking->ways[frame] = rpAdd(getHips(entry, roots[frame]), entry->follow);
		shaking->isFirm[frame] = firmness > 0.99f;
	}
	float count = 1e-6f;
	for (int i = 1; i + 1 < shaking->frameCount; ++i)
	{
		if (shaking->isFirm[i - 1] && shaking->isFirm[i] && shaking->isFirm[i + 1] &&
			arePlantedAlike(track, i, i - 1) && arePlantedAlike(track, i, i + 1))
		{
			rpVec3 way = getChange(shaking->ways, i), shift = getChange(shaking->shifts, i);
			shaking->products[i] = (Shares){-way.x * shift.x - way.z * shift.z, -way.y * shift.y};
			shaking->squares[i] =
				(Shares){shift.x * shift.x + shift.z * shift.z + STILL * STILL, shift.y * shift.y + STILL * STILL};
			shaking->meanProduct = addShares(shaking->meanProduct, 1.0f, shaking->products[i]);
			shaking->meanSquare = addShares(shaking->meanSquare, 1.0f, shaking->squares[i]);
			count += 1.0f;
		}
	}
	shaking->meanProduct = addShares((Shares){0}, 1.0f / count, shaking->meanProduct);
	shaking->meanSquare = addShares((Shares){0}, 1.0f / count, shaking->meanSquare);
}

static float divideShares(float product, float square)
{
	return square > 0.0f ? fminf(fmaxf(product / square, 0.0f), 1.0f) : 0.0f;
}

// The shares of the shifts that make the hips' way smoothest around a frame, by least squares over the frames with a
// firm foot; where there are none, over all. Noise is found anywhere, a single jump of the root where it is.
static Shares findShares(const Shaking* shaking, const rpFootTrack* track, int frame)
{
	int span = track->spans.smooth;
	Shares product = addShares((Shares){0}, ELSEWHERE, shaking->meanProduct);
	Shares square = addShares((Shares){0}, ELSEWHERE, shaking->meanSquare);
	for (int i = -span; i <= span; ++i)
	{
		if (frame + i >= 0 && frame + i < shaking->frameCount)
		{
			float weight = track->kernel[i < 0 ? -i : i];
			product = addShares(product, weight, shaking->products[frame + i]);
			square = addShares(square, weight, shaking->squares[frame + i]);
		}
	}
	return (Shares){divideShares(product.level, square.level), divideShares(product.upright, square.upright)};
}

static void addShift(rpFootTrack* track, int frame, rpVec3 shift)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	entry->follow = rpAdd(entry->follow, shift);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere && entry->feet[side].planted.start >= 0)
		{
			entry->feet[side].offset = rpSub(entry->feet[side].offset, shift);
		}
	}
}

bool rpFootTrack_Steady(rpFootTrack* track, const rpVec3* roots, float* share, rpError* error)
{
	Shaking shaking = {0};
	bool done = allocateShaking(&shaking, track->newest + 1, error);
	double sum = 0.0;
	if (done)
	{
		measureShaking(&shaking, track, roots);
		for (int frame = 0; frame < shaking.frameCount; ++frame)
		{
			Shares found = findShares(&shaking, track, frame);
			rpVec3 shift = shaking.shifts[frame];
			addShift(track, frame, (rpVec3){found.level * shift.x, found.upright * shift.y, found.level * shift.z});
			sum += (2.0 * found.level + found.upright) / 3.0;
		}
		*share = (float)(sum / shaking.frameCount);
	}
	freeShaking(&shaking);
	return done;
}
