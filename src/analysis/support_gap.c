#include "analysis/support_gap.h"

#include "base/memory.h"
#include "reprise/body.h"

// Longer than this nobody's step is in doubt, seconds.
#define LONGEST_GAP 0.45

// A body that falls with this part of gravity flies; so does one whose lower foot comes this high, metres.
#define FLYING_FALL (0.4 * 9.81)
#define FLYING_HEIGHT 0.03f

// A rest grows by this at most, seconds: feet that are held where they move bend the knees.
#define MOST_ADDED 0.08

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

/// A stretch of time without rest, between the rest that ends it off and the one that takes over.
typedef struct Gap
{
	rpRestStretch* before;
	rpRestStretch* after;
	int first, last;
} Gap;

// The rest that is over last before the first that begins after it, if nothing rests between: the gap behind `before`.
static bool findGap(const rpFeet* feet, rpRestStretches* rests, rpRestStretch* before, Gap* out)
{
	rpRestStretch* after = NULL;
	for (int i = 0; i < rests->count; ++i)
	{
		rpRestStretch* other = rests->items + i;
		if (other != before && other->start <= before->end && other->end > before->end)
		{
			return false;
		}
		if (other->start > before->end && (after == NULL || other->start < after->start))
		{
			after = other;
		}
	}
	if (after == NULL || after->start - before->end > LONGEST_GAP || (after->point >> 1) == (before->point >> 1))
	{
		return false;
	}
	*out = (Gap){before, after, (int)ceil(before->end * feet->fps), (int)floor(after->start * feet->fps)};
	return out->last > out->first;
}

static float getRise(const rpFeet* feet, const rpRestStretch* rest, int frame)
{
	return feet->tracks[rest->point].smooth[frame].y - rest->height;
}

static bool isFlown(const rpFeet* feet, const rpVec3* centers, const Gap* gap)
{
	float clearance = 0.0f;
	for (int f = gap->first; f <= gap->last; ++f)
	{
		clearance = fmaxf(clearance, fminf(getRise(feet, gap->before, f), getRise(feet, gap->after, f)));
	}
	// Of a few noisy frames the fall cannot be told: only what surely does not fall stands.
	int count = gap->last - gap->first + 1;
	double deviation = 0.0,
		   fall = count >= 5 ? rpFitFall(centers + gap->first, count, feet->fps, &deviation, NULL) : INFINITY;
	double seconds = count / feet->fps, noise = feet->noise * NOISE_OF_FALL / (seconds * seconds * sqrt(count));
	return fall + 2.0 * fmax(deviation, noise) > FLYING_FALL || clearance > FLYING_HEIGHT;
}

// Each foot rests for as long as it may be said to: one that is about to leave, or has just come, moves.
static void closeGap(const rpFeet* feet, const Gap* gap)
{
	double lastRest = gap->before->last / feet->fps, firstRest = gap->after->first / feet->fps;
	gap->before->end = fmax(gap->before->end, fmin(lastRest, gap->before->end + MOST_ADDED));
	gap->after->start = fmin(gap->after->start, fmax(firstRest, gap->after->start - MOST_ADDED));
}

bool rpCloseSupportGaps(const rpMotion* motion, const rpFeet* feet, rpRestStretches* rests, rpError* error)
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
	for (int i = 0; i < rests->count; ++i)
	{
		Gap gap;
		if (findGap(feet, rests, rests->items + i, &gap) && !isFlown(feet, centers, &gap))
		{
			closeGap(feet, &gap);
		}
	}
	rpFree(centers);
	return true;
}
