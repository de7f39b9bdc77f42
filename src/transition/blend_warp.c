/// Time-warped blend lengths: Wang's thesis, eq. V.5 and V.6. A stretch of one motion is played evenly along a stretch
/// of the other; of all pairs of lengths the one with the smallest cost is taken, as a mean over the steps of the
/// longer.
///
/// Every other sample lies between two: with p and q the neighbours, an angle apart, and r the other motion's sample,
/// slerp(p, q, u) . r = (sin((1 - u) angle) p . r + sin(u angle) q . r) / sin(angle). So the products of all samples
/// are computed once, and each pair of lengths takes two of them for each step and joint.
#include "base/memory.h"
#include "distance/square_angle.h"
#include "transition/blend_window.h"

/// Products and angles of a window.
typedef struct Table
{
	const rpBlendWindow* window;

	/// [fromCount * toCount * jointCount]
	double* products;

	/// The angle on the sphere from each sample to the next, and the inverse of its sine, [count * jointCount].
	double *fromAngles, *fromSines;
	double *toAngles, *toSines;
} Table;

// Below this angle both weights are those of a straight line to the last bit.
#define SAME_ROTATION 1e-8

static double multiply(const double* p, const double* q, int stride)
{
	return p[0] * q[0] + p[stride] * q[stride] + p[2 * stride] * q[2 * stride] + p[3 * stride] * q[3 * stride];
}

// Samples of one side are in one hemisphere, so that these angles are at most a quarter turn.
static void measureSteps(const double* samples, int count, int jointCount, double* angles, double* sines)
{
	for (int n = 0; n < count; ++n)
	{
		const double* sample = samples + (size_t)n * 4 * (size_t)jointCount;
		const double* next = n + 1 < count ? sample + 4 * jointCount : sample;
		for (int k = 0; k < jointCount; ++k)
		{
			double dot = fmin(multiply(sample + k, next + k, jointCount), 1.0);
			double angle = fmax(acos(fmax(dot, 0.0)), SAME_ROTATION);
			angles[(size_t)n * (size_t)jointCount + (size_t)k] = angle;
			sines[(size_t)n * (size_t)jointCount + (size_t)k] = 1.0 / sin(angle);
		}
	}
}

static void fillProducts(Table* table)
{
	const rpBlendWindow* window = table->window;
	int jointCount = window->jointCount;
	double* out = table->products;
	for (int n = 0; n < window->fromCount; ++n)
	{
		const double* p = window->from + (size_t)n * 4 * (size_t)jointCount;
		for (int m = 0; m < window->toCount; ++m)
		{
			const double* q = window->to + (size_t)m * 4 * (size_t)jointCount;
			for (int k = 0; k < jointCount; ++k)
			{
				*out++ = multiply(p + k, q + k, jointCount);
			}
		}
	}
}

static bool makeTable(Table* table, rpError* error)
{
	const rpBlendWindow* window = table->window;
	size_t jointCount = (size_t)window->jointCount, from = (size_t)window->fromCount, to = (size_t)window->toCount;
	table->products = rpAllocate((from * to + 2 * (from + to)) * jointCount, sizeof(double), error);
	if (table->products == NULL)
	{
		return false;
	}
	table->fromAngles = table->products + from * to * jointCount;
	table->fromSines = table->fromAngles + from * jointCount;
	table->toAngles = table->fromSines + from * jointCount;
	table->toSines = table->toAngles + to * jointCount;
	fillProducts(table);
	measureSteps(window->from, window->fromCount, window->jointCount, table->fromAngles, table->fromSines);
	measureSteps(window->to, window->toCount, window->jointCount, table->toAngles, table->toSines);
	return true;
}

// The sine of 0 … pi/2, within 7e-10.
static inline double getSine(double x)
{
	double s = x * x;
	double sum = 1.0 / 6227020800.0;
	sum = sum * s - 1.0 / 39916800.0;
	sum = sum * s + 1.0 / 362880.0;
	sum = sum * s - 1.0 / 5040.0;
	sum = sum * s + 1.0 / 120.0;
	sum = sum * s - 1.0 / 6.0;
	return x + x * s * sum;
}

// One step: the products of a sample with two neighbours of the other motion, of which it is compared with the rotation
// at u between them.
static double compareBetween(const double* restrict first, const double* restrict next, const double* restrict angles,
							 const double* restrict sines, const double* restrict weights, double u, int jointCount)
{
	double sum = 0.0;
	for (int k = 0; k < jointCount; ++k)
	{
		double dot = (getSine((1.0 - u) * angles[k]) * first[k] + getSine(u * angles[k]) * next[k]) * sines[k];
		double t = 1.0 - fabs(dot);
		sum += weights[k] * rpSquareAngle(t > 0.0 ? t : 0.0);
	}
	return sum;
}

// Step k of a blend whose lengths are `from` and `to`: the longer goes sample by sample, the other in between.
static double compareStep(const Table* table, int from, int to, int step)
{
	const rpBlendWindow* window = table->window;
	size_t jointCount = (size_t)window->jointCount, row = (size_t)window->toCount * jointCount;
	int longer = from > to ? from : to, shorter = from > to ? to : from, left = longer - step;
	// Samples of b are counted backwards from its moment.
	int passed = shorter * (from > to ? left : step), low = passed / longer;
	double u = (double)(passed - low * longer) / longer;
	const double* first = from > to ? table->products + (size_t)step * row + (size_t)low * jointCount
									: table->products + (size_t)low * row + (size_t)left * jointCount;
	const double* next = u == 0.0 ? first : from > to ? first + jointCount : first + row;
	size_t at = (size_t)low * jointCount;
	const double *angles = from > to ? table->toAngles : table->fromAngles,
				 *sines = from > to ? table->toSines : table->fromSines;
	return compareBetween(first, next, angles + at, sines + at, window->weights, u, window->jointCount);
}

static double measure(const Table* table, int from, int to)
{
	int longer = from > to ? from : to;
	double sum = 0.0;
	for (int step = 0; step <= longer; ++step)
	{
		sum += compareStep(table, from, to, step);
	}
	return sum / (longer + 1);
}

static void search(const Table* table, int shortest, int steepest, rpWarpChoice* out)
{
	*out = (rpWarpChoice){.cost = INFINITY};
	for (int from = 1; from < table->window->fromCount; ++from)
	{
		for (int to = 1; to < table->window->toCount; ++to)
		{
			int longer = from > to ? from : to, shorter = from > to ? to : from;
			double cost = longer >= shortest && longer <= steepest * shorter ? measure(table, from, to) : INFINITY;
			*out = cost < out->cost ? (rpWarpChoice){from, to, cost} : *out;
		}
	}
}

bool rpBlendWindow_FindWarp(const rpBlendWindow* window, int shortest, int steepest, rpWarpChoice* out, rpError* error)
{
	Table table = {.window = window};
	bool done = makeTable(&table, error);
	if (done)
	{
		search(&table, shortest, steepest, out);
	}
	rpFree(table.products);
	return done;
}
