/// Times the beginning and the end of a contact to a part of a frame, below the noise of single frames.
///
/// A limb that comes to rest follows nearly a quintic in time, whose speed is largest half-way and which arrives
/// without a jump in its acceleration (T. Flash & N. Hogan, "The coordination of arm movements", Journal of
/// Neuroscience 5, 1985). So where the speed peaked tells the shape of the arrival, and what is left to find is where
/// the point rests, from where it came, and when it touches: least squares for the first two, in all coordinates at
/// once, over a grid of times for the last. Leaving is the same backwards. A contact so short that its ends share
/// frames has both fitted at once.
#include "analysis/touch_fit.h"

// How far the fit looks into the contact, and beyond its edge at most, seconds.
#define INSIDE 0.15
#define OUTSIDE 0.4
// And no farther than the point moves away from its rest, metres.
#define AWAY 0.06f
// A movement has passed its peak when it is slower than this part of it.
#define PAST_PEAK 0.7f
// Contacts shorter than this are fitted as a whole, seconds.
#define SHORT 0.2
// Steps of the grid of times, seconds: the first, and the last.
#define FIRST_STEP 0.008
#define LAST_STEP 0.001
// No roll is shorter than this, seconds.
#define LEAST_ROLL 0.02
// A foot rolls from heel to ball, or from ball to heel, within this time, seconds.
#define ROLL 0.35

enum
{
	maxBases = 3,
	FEWEST = 4,
};

/// Frames first … last, and what is known about both ends.
typedef struct TouchFit
{
	const rpVec3* places;
	rpVec3 origin;
	double fps;
	int first, last;
	bool hasStart, hasEnd;

	/// How long before the touch the point slows down, and how long after leaving it gathers speed, seconds.
	double startSoftness, endSoftness;

	/// The foot rolls from here on, seconds: that is when the movement began, then.
	double rollStart;
	bool rolls;
} TouchFit;

// How far a point still is from its rest, a time before it touches: a cubic at the last, at an even speed before.
static double getArrival(double time, double softness)
{
	double s = fmax(time, 0.0);
	return s * s * s / (s * s + softness * softness);
}

// The same for a foot that has begun to roll from rest, `length` before it touches: the least jerk.
static double getRoll(double time, double length)
{
	double s = fmin(fmax(time / fmax(length, LEAST_ROLL), 0.0), 1.0);
	return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static int fillBases(const TouchFit* fit, double time, double start, double end, double* out)
{
	int count = 0;
	out[count++] = 1.0;
	if (fit->hasStart)
	{
		out[count++] =
			fit->rolls ? getRoll(start - time, start - fit->rollStart) : getArrival(start - time, fit->startSoftness);
	}
	if (fit->hasEnd)
	{
		out[count++] = getArrival(time - end, fit->endSoftness);
	}
	return count;
}

// By Cholesky; a basis that no frame feels is left out. Returns how much of the squares the fit explains.
static double explain(double a[maxBases][maxBases], double b[3][maxBases], int count)
{
	double explained = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double own = a[i][i];
		for (int k = 0; k < i; ++k)
		{
			own -= a[i][k] * a[i][k];
		}
		bool felt = own > 1e-9 * a[i][i] + 1e-15;
		double root = felt ? sqrt(own) : 0.0;
		for (int j = i + 1; j < count; ++j)
		{
			double sum = a[j][i];
			for (int k = 0; k < i; ++k)
			{
				sum -= a[j][k] * a[i][k];
			}
			a[j][i] = felt ? sum / root : 0.0;
		}
		for (int c = 0; c < 3; ++c)
		{
			double sum = b[c][i];
			for (int k = 0; k < i; ++k)
			{
				sum -= a[i][k] * b[c][k];
			}
			b[c][i] = felt ? sum / root : 0.0;
			explained += b[c][i] * b[c][i];
		}
	}
	return explained;
}

// What the squares explained by a pair of times are; the best pair has most.
static double judge(const TouchFit* fit, double start, double end)
{
	double a[maxBases][maxBases] = {{0}}, b[3][maxBases] = {{0}}, bases[maxBases];
	int count = 0;
	for (int i = fit->first; i <= fit->last; ++i)
	{
		count = fillBases(fit, i / fit->fps, start, end, bases);
		rpVec3 p = rpSub(fit->places[i], fit->origin);
		for (int j = 0; j < count; ++j)
		{
			for (int k = 0; k <= j; ++k)
			{
				a[j][k] += bases[j] * bases[k];
			}
			b[0][j] += (double)p.x * bases[j];
			b[1][j] += (double)p.y * bases[j];
			b[2][j] += (double)p.z * bases[j];
		}
	}
	return explain(a, b, count);
}

/// The best pair of times so far.
typedef struct Best
{
	double start, end, value;
} Best;

// Try a grid of times around the best pair; an end that is not fitted stays.
static void searchGrid(const TouchFit* fit, double step, int startSteps, int endSteps, Best* best)
{
	Best from = *best;
	double low = fit->first / fit->fps, high = fit->last / fit->fps;
	startSteps = fit->hasStart ? startSteps : 0;
	endSteps = fit->hasEnd ? endSteps : 0;
	for (int i = -startSteps; i <= startSteps; ++i)
	{
		for (int k = -endSteps; k <= endSteps; ++k)
		{
			double start = from.start + i * step, end = from.end + k * step;
			if ((fit->hasStart && start < low) || (fit->hasEnd && end > high) || start > end)
			{
				continue;
			}
			double value = judge(fit, start, end);
			if (value > best->value)
			{
				*best = (Best){start, end, value};
			}
		}
	}
}

static Best searchAll(const TouchFit* fit, double start, double end)
{
	Best best = {start, end, -1.0};
	int steps = (int)ceil((fit->last - fit->first) / fit->fps / FIRST_STEP);
	searchGrid(fit, FIRST_STEP, steps, steps, &best);
	for (double step = 0.5 * FIRST_STEP; step >= LAST_STEP; step *= 0.5)
	{
		searchGrid(fit, step, 2, 2, &best);
	}
	return best;
}

// Try other values of a softness; each has its own best times.
static void searchSoftness(TouchFit* fit, double* softness, Best* best)
{
	static const double values[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
	double chosen = *softness;
	for (int i = 0; i < (int)(sizeof(values) / sizeof(values[0])); ++i)
	{
		*softness = values[i];
		Best next = searchAll(fit, best->start, best->end);
		if (next.value > best->value)
		{
			*best = next;
			chosen = values[i];
		}
	}
	*softness = chosen;
}

static void search(TouchFit* fit, double* start, double* end)
{
	fit->startSoftness = fit->endSoftness = 0.04;
	Best best = searchAll(fit, *start, *end);
	if (fit->hasStart && !fit->rolls)
	{
		searchSoftness(fit, &fit->startSoftness, &best);
	}
	if (fit->hasEnd)
	{
		searchSoftness(fit, &fit->endSoftness, &best);
	}
	*start = best.start;
	*end = best.end;
}

// Outwards from an edge while the point gathers speed, and not too far, but for some frames at least.
static int findOuter(const rpFeet* feet, const rpRestStretch* rest, int edge, int way, rpVec3 origin)
{
	const rpFootTrack* track = feet->tracks + rest->point;
	int most = (int)ceil(OUTSIDE * feet->fps), outer = edge, peak = edge;
	for (int n = 0, i = edge; n < most && i >= 0 && i < feet->frameCount; ++n, i += way)
	{
		peak = track->speeds[i] > track->speeds[peak] ? i : peak;
		bool passed = track->speeds[i] < PAST_PEAK * track->speeds[peak] && track->speeds[peak] > 0.2f;
		if (passed || (n > FEWEST && rpDistance(track->smooth[i], origin) > AWAY))
		{
			break;
		}
		outer = i;
	}
	return (outer - peak) * way > 0 ? peak : outer;
}

static rpVec3 getMean(const rpVec3* places, int first, int last)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = first; i <= last; ++i)
	{
		sum = rpAdd(sum, rpSub(places[i], places[first]));
	}
	return rpMulAdd(places[first], 1.0f / (float)(last - first + 1), sum);
}

static TouchFit makeFit(const rpFeet* feet, const rpRestStretch* rest, bool hasStart, bool hasEnd)
{
	const rpVec3* places = feet->tracks[rest->point].places;
	TouchFit fit = {.places = places, .fps = feet->fps, .hasStart = hasStart, .hasEnd = hasEnd};
	int inside = (int)ceil(INSIDE * feet->fps);
	fit.last = rest->coreFirst + inside < rest->coreLast ? rest->coreFirst + inside : rest->coreLast;
	fit.first = rest->coreLast - inside > rest->coreFirst ? rest->coreLast - inside : rest->coreFirst;
	rpVec3 early = getMean(places, rest->coreFirst, fit.last), late = getMean(places, fit.first, rest->coreLast);
	fit.origin = hasStart ? early : late;
	if (hasStart && rest->rolls)
	{
		fit.first = (int)ceil(rest->rollStart * feet->fps);
		fit.rollStart = rest->rollStart;
		fit.rolls = true;
	}
	else if (hasStart)
	{
		fit.first = findOuter(feet, rest, rest->coreFirst, -1, early);
	}
	if (hasEnd)
	{
		fit.last = findOuter(feet, rest, rest->coreLast, 1, late);
	}
	return fit;
}

static void fitTouches(const rpFeet* feet, rpRestStretch* rest)
{
	bool hasStart = rest->first > 0, hasEnd = rest->last < feet->frameCount - 1;
	double start = rest->coreFirst / feet->fps, end = rest->coreLast / feet->fps;
	if (hasStart && hasEnd && end - start < SHORT)
	{
		TouchFit fit = makeFit(feet, rest, true, true);
		search(&fit, &start, &end);
	}
	else
	{
		if (hasStart)
		{
			TouchFit fit = makeFit(feet, rest, true, false);
			search(&fit, &start, &end);
		}
		if (hasEnd)
		{
			TouchFit fit = makeFit(feet, rest, false, true);
			search(&fit, &start, &end);
		}
	}
	rest->start = hasStart ? start : 0.0;
	rest->end = hasEnd ? end : (feet->frameCount - 1) / feet->fps;
}

// The other point of the foot that touched first, and about which the foot rolls when this one comes down; NULL if
// there is none.
static const rpRestStretch* findPivot(const rpRestStretches* rests, const rpRestStretch* rest)
{
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* other = rests->items + i;
		if (other->point == rpGetFootPartner(rest->point) && other->start < rest->start &&
			rest->start - other->start < ROLL && other->end > rest->start)
		{
			return other;
		}
	}
	return NULL;
}

void rpFitAllTouches(const rpFeet* feet, rpRestStretches* rests)
{
	for (int i = 0; i < rests->count; ++i)
	{
		fitTouches(feet, rests->items + i);
	}
	for (int i = 0; i < rests->count; ++i)
	{
		rpRestStretch* rest = rests->items + i;
		const rpRestStretch* pivot = rest->first > 0 ? findPivot(rests, rest) : NULL;
		if (pivot != NULL && pivot->first > 0)
		{
			rest->rolls = true;
			rest->rollStart = pivot->start;
			fitTouches(feet, rest);
		}
	}
}
