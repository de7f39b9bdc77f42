/// Seams that jump.
///
/// Joints in the world, differenced once (speed), twice (acceleration) and three times (jerk) at about 60 Hz: at a
/// higher rate the noise of a capture drowns what people see.
#include "base/memory.h"
#include "judge/measure_input.h"
#include "math/order.h"

#include <stdlib.h>
#include <string.h>

#define MEASURING_RATE 60.0

// A seam is felt this far around its moment, seconds.
#define SEAM_HALF_WINDOW 0.034

// What a seam is held against besides the reference: the motion around it, from beyond its blend to the next steps. A
// seam where a foot strikes is then compared with other strikes, however many seams there are.
#define SURROUNDINGS_START 0.3
#define SURROUNDINGS_END 1.2

#define DERIVATIVE_COUNT 3

static int getStride(const rpMotion* motion)
{
	int stride = (int)lround(motion->fps / MEASURING_RATE);
	return stride > 1 ? stride : 1;
}

// The order-th difference quotient of a joint's place around a frame: 1 speed, 2 acceleration, 3 jerk.
static double getDerivative(const rpMeasureInput* input, int joint, int frame, int stride, int order)
{
	static const double coefficients[DERIVATIVE_COUNT][4] = {{-1, 1}, {1, -2, 1}, {-1, 3, -3, 1}};
	double sum[3] = {0};
	for (int k = 0; k <= order; ++k)
	{
		rpVec3 place = input->places[(size_t)(frame + k * stride) * (size_t)input->jointCount + (size_t)joint];
		sum[0] += coefficients[order - 1][k] * place.x;
		sum[1] += coefficients[order - 1][k] * place.y;
		sum[2] += coefficients[order - 1][k] * place.z;
	}
	return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) * pow(input->motion->fps / stride, order);
}

/// The three derivatives, root mean square of all joints, for each frame where they can be formed. (The joint that
/// moves most would show feet that strike the ground, wherever a seam is.)
typedef struct Series
{
	/// [DERIVATIVE_COUNT][count]
	float* sizes[DERIVATIVE_COUNT];

	/// [count]; whether a seam is felt there.
	bool* isSeam;
	int count, stride;
} Series;

static bool isSeam(const rpEvent* event)
{
	return strcmp(event->name, "seam") == 0;
}

// Seconds between a moment and the stretch of motion that a frame's derivatives are formed from; 0 inside it.
static double getAway(const rpMotion* motion, const Series* series, int frame, double time)
{
	double start = frame / motion->fps, end = (frame + DERIVATIVE_COUNT * series->stride) / motion->fps;
	return fmax(0.0, fmax(start - time, time - end));
}

// The frames whose derivatives may lie within reach of a moment. Events may lie anywhere.
static void getNearFrames(const rpMotion* motion, const Series* series, double time, double halfWindow, int* first,
						  int* end)
{
	double start = floor((time - halfWindow) * motion->fps) - DERIVATIVE_COUNT * series->stride;
	double stop = ceil((time + halfWindow) * motion->fps) + 1.0;
	*first = (int)fmin(series->count, fmax(0.0, start));
	*end = (int)fmin(series->count, fmax(0.0, stop));
}

static void markSeams(const rpMotion* motion, Series* series)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		int first, end;
		getNearFrames(motion, series, event->time, SEAM_HALF_WINDOW, &first, &end);
		for (int f = first; f < end && isSeam(event); ++f)
		{
			series->isSeam[f] |= getAway(motion, series, f, event->time) <= SEAM_HALF_WINDOW;
		}
	}
}

static bool makeSeries(const rpMeasureInput* input, Series* out, rpError* error)
{
	int stride = getStride(input->motion);
	*out = (Series){.stride = stride, .count = input->frameCount - DERIVATIVE_COUNT * stride};
	if (out->count <= 0)
	{
		out->count = 0;
		return true;
	}
	float* numbers = out->sizes[0] = rpAllocateZero((size_t)out->count * DERIVATIVE_COUNT, sizeof(float), error);
	out->isSeam = rpAllocateZero((size_t)out->count, sizeof(bool), error);
	if (numbers == NULL || out->isSeam == NULL)
	{
		return false;
	}
	markSeams(input->motion, out);
	for (int order = 1; order <= DERIVATIVE_COUNT; ++order)
	{
		float* size = out->sizes[order - 1] = numbers + (size_t)(order - 1) * (size_t)out->count;
		for (int f = 0; f < out->count; ++f)
		{
			double squares = 0.0;
			for (int j = 0; j < input->jointCount; ++j)
			{
				double value = getDerivative(input, j, f, stride, order);
				squares += value * value;
			}
			size[f] = (float)sqrt(squares / input->jointCount);
		}
	}
	return true;
}

static void freeSeries(Series* series)
{
	rpFree(series->sizes[0]);
	rpFree(series->isSeam);
	*series = (Series){0};
}

/// What clean motion shows: all its frames' derivatives.
typedef struct Standard
{
	float* values[DERIVATIVE_COUNT];
	int count;
} Standard;

static void freeStandard(Standard* standard)
{
	for (int i = 0; i < DERIVATIVE_COUNT; ++i)
	{
		rpFree(standard->values[i]);
	}
}

static bool addToStandard(Standard* standard, const Series* series, bool skipSeams, rpError* error)
{
	int room = standard->count + series->count;
	for (int i = 0; i < DERIVATIVE_COUNT && room > 0; ++i)
	{
		float* larger = rpReallocate(standard->values[i], (size_t)room, sizeof(float), error);
		if (larger == NULL)
		{
			return false;
		}
		standard->values[i] = larger;
	}
	for (int f = 0; f < series->count; ++f)
	{
		if (skipSeams && series->isSeam[f])
		{
			continue;
		}
		for (int i = 0; i < DERIVATIVE_COUNT; ++i)
		{
			standard->values[i][standard->count] = series->sizes[i][f];
		}
		++standard->count;
	}
	return true;
}

// The 95th percentile; 0 if there are no values.
static double getHighValue(float* values, int count)
{
	if (count == 0)
	{
		return 0.0;
	}
	qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
	return values[(int)(0.95 * (count - 1))];
}

// References count as they are; without any the motion's own frames away from its seams do.
static bool makeStandard(const Series* own, const rpEvaluateDef* def, Standard* out, rpError* error)
{
	if (def->referenceCount == 0)
	{
		return addToStandard(out, own, true, error);
	}
	bool done = true;
	for (int i = 0; i < def->referenceCount && done; ++i)
	{
		rpMeasureInput reference;
		Series series = {0};
		done = rpMeasureInput_Open(&reference, def->references[i], error) && makeSeries(&reference, &series, error) &&
			   addToStandard(out, &series, false, error);
		freeSeries(&series);
		rpMeasureInput_Free(&reference);
	}
	return done;
}

// The greatest that the motion around a seam shows, away from all seams.
static double getSurroundings(const rpMotion* motion, const Series* series, const float* sizes, double time)
{
	int first, end;
	getNearFrames(motion, series, time, SURROUNDINGS_END, &first, &end);
	double greatest = 0.0;
	for (int f = first; f < end; ++f)
	{
		bool counts = !series->isSeam[f] && getAway(motion, series, f, time) >= SURROUNDINGS_START;
		greatest = counts ? fmax(greatest, sizes[f]) : greatest;
	}
	return greatest;
}

static void measureSeam(const rpMotion* motion, const Series* series, const double* high, double time, rpMeasures* out)
{
	static const rpMeasure measures[] = {rp_measureSeamPose, rp_measureSeamVelocity, rp_measureSeamAcceleration};
	int first, end;
	getNearFrames(motion, series, time, SEAM_HALF_WINDOW, &first, &end);
	for (int i = 0; i < DERIVATIVE_COUNT; ++i)
	{
		const float* sizes = series->sizes[i];
		double usual = fmax(high[i], getSurroundings(motion, series, sizes, time));
		for (int f = first; f < end; ++f)
		{
			if (high[i] > 0.0 && getAway(motion, series, f, time) <= SEAM_HALF_WINDOW)
			{
				rpMeasures_KeepWorst(out, measures[i], sizes[f] / usual, f / motion->fps);
			}
		}
	}
}

static void measureSeams(const rpMotion* motion, const Series* series, Standard* standard, rpMeasures* out)
{
	double high[DERIVATIVE_COUNT];
	for (int i = 0; i < DERIVATIVE_COUNT; ++i)
	{
		high[i] = getHighValue(standard->values[i], standard->count);
	}
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (isSeam(event))
		{
			++out->seamCount;
			measureSeam(motion, series, high, event->time, out);
		}
	}
}

bool rpMeasureSeams(const rpMeasureInput* input, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	Series series = {0};
	Standard standard = {0};
	bool done = makeSeries(input, &series, error) && makeStandard(&series, def, &standard, error);
	if (done && series.count > 0)
	{
		measureSeams(input->motion, &series, &standard, out);
	}
	freeSeries(&series);
	freeStandard(&standard);
	return done;
}
