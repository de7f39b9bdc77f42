/// A rest begins and ends with a minimum-jerk motion (T. Flash & N. Hogan, "The coordination of arm movements", Journal
/// of Neuroscience 5, 1985): a polynomial of the fifth degree whose velocity and acceleration are 0 where it meets the
/// rest. So the displacement near a rest is a3 s³ + a4 s⁴ + a5 s⁵, s being the time since the rest's end, above a slow
/// drift that goes on through both. The end is where such a curve fits best.
///
/// Someone who sets out slowly has moved by less than a millimetre after a tenth of a second: then nothing can be seen.
#include "analysis/rest_edge.h"

// The steps in which the centre of mass is followed, seconds.
#define STEP (1.0 / 240.0)
// A start is brisk if it gets from a part of the resting speed to all of it in less than this, seconds.
#define SLOW_PART (1.0f / 3.0f)
#define BRISK 0.07
// The end is looked for so far inside of where the speed is highest, seconds.
#define NEAREST 0.02
#define FARTHEST 0.3
// So much of the rest is looked at, seconds.
#define REST_PART 0.05

enum
{
	sampleCount = 32,
	baseCount = 5,
};

/// An edge, outwards being earlier (-1) or later (1).
typedef struct Edge
{
	const rpCenterTrack* track;
	double outwards;
	double outermost, innermost;
} Edge;

static float getSpeed(const Edge* edge, double time)
{
	return rpCenterTrack_GetSpeed(edge->track, time);
}

static bool isInside(const Edge* edge, double time)
{
	return edge->outwards * (time - edge->outermost) <= 0.0 && edge->outwards * (time - edge->innermost) >= 0.0;
}

// How long the centre of mass takes from the slow part of a speed to all of it; INFINITY if it never is that slow.
static double getHaste(const Edge* edge, double from, float speed)
{
	double fast = from, slow;
	while (isInside(edge, fast) && getSpeed(edge, fast) < speed)
	{
		fast += edge->outwards * STEP;
	}
	for (slow = fast; isInside(edge, slow) && getSpeed(edge, slow) >= SLOW_PART * speed;)
	{
		slow -= edge->outwards * STEP;
	}
	return isInside(edge, slow) ? fabs(fast - slow) : INFINITY;
}

// Where it stops getting faster.
static double findFastest(const Edge* edge, double from)
{
	double next = from + edge->outwards * STEP;
	while (isInside(edge, next) && getSpeed(edge, next) > getSpeed(edge, from))
	{
		from = next;
		next += edge->outwards * STEP;
	}
	return from;
}

static double getDot(const double* a, const double* b)
{
	double sum = 0.0;
	for (int i = 0; i < sampleCount; ++i)
	{
		sum += a[i] * b[i];
	}
	return sum;
}

// Take out of a row what another one of length 1 has of it.
static void takeOut(double* row, const double* base)
{
	double common = getDot(row, base);
	for (int i = 0; i < sampleCount; ++i)
	{
		row[i] -= common * base[i];
	}
}

// Place, drift, and the three powers of minimum jerk, each without what the ones before it have, of length 1.
static void fillBases(double inside, double bases[baseCount][sampleCount])
{
	for (int i = 0; i < sampleCount; ++i)
	{
		double t = (double)i / (sampleCount - 1), s = fmax(1.0 - t / inside, 0.0);
		double row[baseCount] = {1.0, t, s * s * s, s * s * s * s, s * s * s * s * s};
		for (int k = 0; k < baseCount; ++k)
		{
			bases[k][i] = row[k];
		}
	}
	for (int k = 0; k < baseCount; ++k)
	{
		for (int j = 0; j < k; ++j)
		{
			takeOut(bases[k], bases[j]);
		}
		double length = sqrt(getDot(bases[k], bases[k]));
		for (int i = 0; i < sampleCount; ++i)
		{
			bases[k][i] /= length;
		}
	}
}

// What the best curve that meets the rest at a time misses the centre of mass by, from the outside on: mean square, m².
static double getMiss(const Edge* edge, double outside, double time)
{
	double bases[baseCount][sampleCount], rows[3][sampleCount], sum = 0.0;
	double last = time - edge->outwards * REST_PART;
	fillBases((time - outside) / (last - outside), bases);
	for (int i = 0; i < sampleCount; ++i)
	{
		rpVec3 place = rpCenterTrack_GetPlace(edge->track, outside + (last - outside) * i / (sampleCount - 1));
		rows[0][i] = (double)place.x;
		rows[1][i] = (double)place.y;
		rows[2][i] = (double)place.z;
	}
	for (int c = 0; c < 3; ++c)
	{
		for (int k = 0; k < baseCount; ++k)
		{
			takeOut(rows[c], bases[k]);
		}
		sum += getDot(rows[c], rows[c]);
	}
	return sum / sampleCount;
}

double rpFindRestEdge(const rpCenterTrack* track, rpCenterRest rest, bool isStart, float speed, double limit)
{
	Edge edge = {track, isStart ? -1.0 : 1.0, limit, isStart ? rest.end : rest.start};
	double from = isStart ? rest.start : rest.end, best = INFINITY, found = NAN;
	if (!(getHaste(&edge, from, speed) < BRISK))
	{
		return NAN;
	}
	double outside = findFastest(&edge, from);
	for (int i = 0; NEAREST + i * STEP <= FARTHEST; ++i)
	{
		double time = outside - edge.outwards * (NEAREST + i * STEP);
		double miss = isInside(&edge, time - edge.outwards * REST_PART) ? getMiss(&edge, outside, time) : INFINITY;
		found = miss < best ? time : found;
		best = fmin(miss, best);
	}
	return found;
}
