#include "analysis/support_gap.h"

#include "analysis/foot_stance.h"
#include "base/memory.h"
#include "reprise/body.h"

// Longer than this nobody's step is in doubt, seconds; but a whole stance may be missed in one this long.
#define LONGEST_GAP 0.3
#define LONGEST_STEP 1.0

// A body that falls with this part of gravity flies; so does one whose lower foot comes this high, metres. Of captured
// walks, gaps fall with 0.15 at most, of runs with 0.22 at least; with a stance in between, with less than 0.1.
#define FLYING_FALL (0.2 * 9.81)
#define FLYING_HEIGHT 0.03f

// No hop from a foot to the same is shorter than this, seconds.
#define SHORTEST_HOP 0.1

// The fall is looked at for this long at least, seconds, around the gap's middle.
#define FALL_TIME 0.1

// Whoever walks has both feet down for this long, seconds.
#define LEAST_DOUBLE 0.02

// The deviation of a fitted acceleration is this many times that of a height, over T² and the root of the number of
// heights: 2 sqrt(180) for a parabola.
#define NOISE_OF_FALL 26.8

double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual)
{
	// y = a + b t + c t² by least squares, times centred.
	double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0, middle = 0.5 * (count - 1), base = places[0].y, sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, y = places[i].y - base;
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += y;
		y1 += y * t;
		y2 += y * t * t;
	}
	double determinant = count * s4 - s2 * s2, c = (count * y2 - s2 * y0) / determinant, b = y1 / s2;
	double a = (y0 - c * s2) / count;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, off = places[i].y - base - a - t * (b + t * c);
		sum += off * off;
	}
	if (deviation != NULL)
	{
		*deviation = count > 3 ? 2.0 * sqrt(sum / (count - 3) * count / determinant) : 0.0;
	}
	if (residual != NULL)
	{
		*residual = sqrt(sum / count);
	}
	return -2.0 * c;
}

/// A stretch of time without rest, between the rest that ends it off and the one that takes over, as indices.
typedef struct Gap
{
	int before, after;
	double start, end;
} Gap;

/// What is looked at.
typedef struct Search
{
	const rpFeet* feet;
	const rpVec3* centers;
	double shortest;
	rpRestStretches* rests;
	rpError* error;
} Search;

// The gap behind a rest, if no other rests then and some rest follows.
static bool findGap(const rpRestStretches* rests, int before, Gap* out)
{
	double end = rests->items[before].end;
	int after = -1;
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* other = rests->items + i;
		if (i != before && other->start <= end && (other->end > end || (other->end == end && i > before)))
		{
			return false;
		}
		if (other->start > end && (after < 0 || other->start < rests->items[after].start))
		{
			after = i;
		}
	}
	*out = (Gap){before, after, end, after >= 0 ? rests->items[after].start : end};
	return after >= 0;
}

// Whether the body falls between two times, as far as can be told.
static bool isFalling(const Search* search, double start, double end)
{
	const rpFeet* feet = search->feet;
	double more = fmax(0.5 * (FALL_TIME - (end - start)), 0.0);
	int first = (int)ceil((start - more) * feet->fps), last = (int)floor((end + more) * feet->fps);
	first = first < 0 ? 0 : first;
	last = last >= feet->frameCount ? feet->frameCount - 1 : last;
	int count = last - first + 1;
	if (count < 5)
	{
		return true;
	}
	double deviation, fall = rpFitFall(search->centers + first, count, feet->fps, &deviation, NULL);
	double seconds = count / feet->fps, noise = feet->noise * NOISE_OF_FALL / (seconds * seconds * sqrt(count));
	return fall + 2.0 * fmax(deviation, noise) > FLYING_FALL;
}

static float getRise(const rpFeet* feet, const rpRestStretch* rest, int frame)
{
	return feet->tracks[rest->point].smooth[frame].y -
		   feet->tracks[rest->point].smooth[(rest->coreFirst + rest->coreLast) / 2].y;
}

static bool areFeetUp(const Search* search, const Gap* gap)
{
	float clearance = 0.0f;
	for (int f = (int)ceil(gap->start * search->feet->fps); f <= (int)floor(gap->end * search->feet->fps); ++f)
	{
		clearance = fmaxf(clearance, fminf(getRise(search->feet, search->rests->items + gap->before, f),
										   getRise(search->feet, search->rests->items + gap->after, f)));
	}
	return clearance > FLYING_HEIGHT;
}

// The foot that leaves stays on its toes until the other, or the same, has come.
static bool closeGap(const Search* search, const Gap* gap)
{
	rpRestStretches* rests = search->rests;
	int side = rpGetFootSide(rests->items[gap->before].point);
	double end = gap->end + (rpGetFootSide(rests->items[gap->after].point) != side ? LEAST_DOUBLE : 0.0);
	if (rests->items[gap->before].point >= rp_footPointCount)
	{
		rests->items[gap->before].end = end;
		return true;
	}
	rpRestStretch toe = rests->items[gap->before];
	toe.point = rpGetToe(side);
	toe.start = fmin(toe.start, end - search->shortest);
	toe.end = end;
	if (!rpGrow(&rests->items, &rests->capacity, rests->count, sizeof(rpRestStretch), search->error))
	{
		return false;
	}
	rests->items[rests->count++] = toe;
	return true;
}

// A gap that a foot stands in which was not seen to.
static bool addMissed(const Search* search, const Gap* gap, bool* added)
{
	*added = false;
	for (int i = 0; i < 2 && !*added; ++i)
	{
		// Feet go by turns.
		int side = rpGetFootSide(search->rests->items[gap->before].point) ^ (i == 0);
		if (!rpAddStance(search->feet, side, gap->start, gap->end, search->shortest, search->rests, added,
						 search->error))
		{
			return false;
		}
	}
	return true;
}

static bool treatGap(const Search* search, const Gap* gap)
{
	bool added = false;
	const rpRestStretch *before = search->rests->items + gap->before, *after = search->rests->items + gap->after;
	bool isHop = gap->end - gap->start > SHORTEST_HOP || rpGetFootSide(before->point) != rpGetFootSide(after->point);
	if (gap->end - gap->start > LONGEST_STEP || (isHop && isFalling(search, gap->start, gap->end)))
	{
		return true;
	}
	if (gap->end - gap->start > 2.0 * search->shortest && !addMissed(search, gap, &added))
	{
		return false;
	}
	bool isStep = !added && gap->end - gap->start < LONGEST_GAP && !areFeetUp(search, gap);
	return !isStep || closeGap(search, gap);
}

bool rpCloseSupportGaps(const rpMotion* motion, const rpFeet* feet, double shortest, rpRestStretches* rests,
						rpError* error)
{
	rpBody body;
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, NULL))
	{
		return true;
	}
	rpVec3* centers = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	if (centers == NULL)
	{
		return false;
	}
	rpBody_GetCenters(&body, motion, centers);
	Search search = {feet, centers, shortest, rests, error};
	bool done = true;
	// What is added leaves smaller gaps.
	for (int i = 0; done && i < rests->count; ++i)
	{
		Gap gap;
		done = !findGap(rests, i, &gap) || treatGap(&search, &gap);
	}
	rpFree(centers);
	return done;
}
