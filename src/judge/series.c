#include "judge/series.h"

#include "base/memory.h"
#include "judge/film.h"
#include "math/order.h"

#include <stdlib.h>
#include <string.h>

// The running floor: how far it looks to either side, frames of the film (1.5 s), and which of the heights there it
// takes. That of shared/judge/realism.py: the lowest of all would be a spike of the capture.
#define FLOOR_HALF_WINDOW 90
#define FLOOR_SHARE 0.03

// Frames to either side that make up 0.1 s.
#define AVERAGE_HALF_WINDOW 3

bool rpSamples_Add(rpSamples* samples, double value, double key, rpError* error)
{
	if (!rpGrow(&samples->values, &samples->valueCapacity, samples->count, sizeof(float), error) ||
		!rpGrow(&samples->keys, &samples->keyCapacity, samples->count, sizeof(float), error))
	{
		return false;
	}
	samples->values[samples->count] = (float)value;
	samples->keys[samples->count++] = (float)key;
	return true;
}

void rpSamples_Free(rpSamples* samples)
{
	rpFree(samples->values);
	rpFree(samples->keys);
	*samples = (rpSamples){0};
}

double rpSamples_GetQuantile(rpSamples* samples, double q)
{
	if (samples->count == 0)
	{
		return NAN;
	}
	qsort(samples->values, (size_t)samples->count, sizeof(float), rpCompareFloats);
	double at = q * (samples->count - 1), part = at - floor(at);
	int index = (int)at, next = index + 1 < samples->count ? index + 1 : index;
	return (1.0 - part) * (double)samples->values[index] + part * (double)samples->values[next];
}

double rpSamples_GetMean(const rpSamples* samples)
{
	double sum = 0.0;
	for (int i = 0; i < samples->count; ++i)
	{
		sum += (double)samples->values[i];
	}
	return samples->count > 0 ? sum / samples->count : (double)NAN;
}

double rpSamples_GetWorstKey(const rpSamples* samples)
{
	int worst = 0;
	for (int i = 1; i < samples->count; ++i)
	{
		worst = samples->values[i] > samples->values[worst] ? i : worst;
	}
	return samples->count > 0 ? (double)samples->keys[worst] : (double)NAN;
}

double rpSamples_GetShareAbove(const rpSamples* samples, double bound)
{
	int above = 0;
	for (int i = 0; i < samples->count; ++i)
	{
		above += (double)samples->values[i] > bound;
	}
	return samples->count > 0 ? (double)above / samples->count : (double)NAN;
}

typedef struct Pair
{
	float pace, value;
} Pair;

static int comparePairs(const void* a, const void* b)
{
	const Pair *p = a, *q = b;
	int order = (p->pace > q->pace) - (p->pace < q->pace);
	return order != 0 ? order : (p->value > q->value) - (p->value < q->value);
}

static float findNearest(const Pair* pairs, int count, float pace)
{
	int low = 0, high = count - 1;
	while (low < high)
	{
		int middle = (low + high) / 2;
		low = pairs[middle].pace < pace ? middle + 1 : low;
		high = pairs[middle].pace < pace ? high : middle;
	}
	bool isBefore = low > 0 && pace - pairs[low - 1].pace <= pairs[low].pace - pace;
	return pairs[isBefore ? low - 1 : low].value;
}

bool rpGetMedianAtPace(const rpSamples* from, const rpSamples* wanted, double* out, rpError* error)
{
	*out = NAN;
	if (from->count == 0 || wanted->count == 0)
	{
		return true;
	}
	rpSamples nearest = {0};
	Pair* pairs = rpAllocate((size_t)from->count, sizeof(Pair), error);
	bool done = pairs != NULL;
	for (int i = 0; done && i < from->count; ++i)
	{
		pairs[i] = (Pair){from->keys[i], from->values[i]};
	}
	if (done)
	{
		qsort(pairs, (size_t)from->count, sizeof(Pair), comparePairs);
	}
	for (int i = 0; done && i < wanted->count; ++i)
	{
		float pace = wanted->keys[i];
		done = rpSamples_Add(&nearest, (double)findNearest(pairs, from->count, pace), (double)pace, error);
	}
	*out = done ? rpSamples_GetQuantile(&nearest, 0.5) : (double)NAN;
	rpSamples_Free(&nearest);
	rpFree(pairs);
	return done;
}

// ---- over time

/// A window of heights that moves along, sorted.
typedef struct Window
{
	float heights[2 * FLOOR_HALF_WINDOW + 1];
	int count;
} Window;

// Where a height is, or belongs.
static int findPlace(const Window* window, float height)
{
	int low = 0, high = window->count;
	while (low < high)
	{
		int middle = (low + high) / 2;
		low = window->heights[middle] < height ? middle + 1 : low;
		high = window->heights[middle] < height ? high : middle;
	}
	return low;
}

static void insert(Window* window, float height)
{
	int place = findPlace(window, height);
	memmove(window->heights + place + 1, window->heights + place, (size_t)(window->count - place) * sizeof(float));
	window->heights[place] = height;
	++window->count;
}

static void drop(Window* window, float height)
{
	int place = findPlace(window, height);
	--window->count;
	memmove(window->heights + place, window->heights + place + 1, (size_t)(window->count - place) * sizeof(float));
}

static float getHeight(const rpVec3* points, int count, int frame)
{
	return points[frame < 0 ? 0 : frame < count ? frame : count - 1].y;
}

bool rpFindRunningFloor(const rpVec3* points, int count, float* out, rpError* error)
{
	Window* window = rpAllocateZero(1, sizeof(Window), error);
	if (window == NULL)
	{
		return false;
	}
	// Motions shorter than the window have one that is as long as they are.
	int halfWindow = count < 2 * FLOOR_HALF_WINDOW + 2 ? (count - 2) / 2 : FLOOR_HALF_WINDOW;
	halfWindow = halfWindow > 0 ? halfWindow : 0;
	for (int f = -halfWindow; f < halfWindow; ++f)
	{
		insert(window, getHeight(points, count, f));
	}
	for (int f = 0; f < count; ++f)
	{
		insert(window, getHeight(points, count, f + halfWindow));
		out[f] = window->heights[(int)(FLOOR_SHARE * window->count)];
		drop(window, getHeight(points, count, f - halfWindow));
	}
	rpFree(window);
	return true;
}

double rpGetFloorDistance(rpVec3 a, rpVec3 b)
{
	return hypot((double)a.x - (double)b.x, (double)a.z - (double)b.z);
}

void rpGetSpeeds(const rpVec3* points, int count, bool isSpatial, float* out)
{
	for (int f = 0; f < count; ++f)
	{
		int before = f > 0 ? f - 1 : 0, after = f + 1 < count ? f + 1 : f;
		double travelled = isSpatial ? (double)rpDistance(points[after], points[before])
									 : rpGetFloorDistance(points[after], points[before]);
		out[f] = after > before ? (float)(travelled * RP_FILM_RATE / (after - before)) : 0.0f;
	}
}

static int mirrorFrame(int frame, int count)
{
	frame = frame < 0 ? -1 - frame : frame;
	frame = frame >= count ? 2 * count - 1 - frame : frame;
	return frame < 0 ? 0 : frame;
}

void rpAverage(const float* values, int count, float* out)
{
	for (int f = 0; f < count; ++f)
	{
		double sum = 0.0;
		for (int k = -AVERAGE_HALF_WINDOW; k <= AVERAGE_HALF_WINDOW; ++k)
		{
			sum += (double)values[mirrorFrame(f + k, count)];
		}
		out[f] = (float)(sum / (2 * AVERAGE_HALF_WINDOW + 1));
	}
}
