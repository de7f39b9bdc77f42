/// Least squares with weights that must not be negative, by an active-set method: P. Gill, W. Murray & M. Wright,
/// "Practical Optimization" (1981), section 5.2, in the form of C. Lawson & R. Hanson, "Solving Least Squares Problems"
/// (1974), chapter 23. Weights at zero are set free one at a time, the one whose growth helps most; the free ones are
/// solved for; where one would turn negative, the step is cut short and it goes back to zero.
#include "learn/nonnegative.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Of a column of unit length: a part outside the span of the others that is shorter than the root of this is rounding.
#define SMALLEST_PIVOT 1e-11

// A gradient this small against the lengths of column and right side is rounding.
#define SMALLEST_GRADIENT 1e-11

// A weight is open if moving its column's part of the solution by this share of ‖b‖ changes the residual by less than
// FLAT of ‖b‖².
#define PROBE 0.1
#define FLAT 1e-9

bool rpLeastSquares_Create(rpLeastSquares* problem, int count, rpError* error)
{
	*problem = (rpLeastSquares){.count = count};
	problem->gram = rpAllocateZero((size_t)count * (size_t)count, sizeof(double), error);
	problem->moment = rpAllocateZero((size_t)count, sizeof(double), error);
	if (problem->gram == NULL || problem->moment == NULL)
	{
		rpLeastSquares_Free(problem);
		return false;
	}
	return true;
}

void rpLeastSquares_Free(rpLeastSquares* problem)
{
	rpFree(problem->gram);
	rpFree(problem->moment);
	*problem = (rpLeastSquares){0};
}

void rpLeastSquares_AddRow(rpLeastSquares* problem, const double* row, double b, double times)
{
	int n = problem->count;
	for (int i = 0; i < n; ++i)
	{
		for (int j = 0; j < n; ++j)
		{
			problem->gram[i * n + j] += times * row[i] * row[j];
		}
		problem->moment[i] += times * row[i] * b;
	}
	problem->square += times * b * b;
}

double rpLeastSquares_GetResidual(const rpLeastSquares* problem, const double* weights)
{
	int n = problem->count;
	double sum = problem->square;
	for (int i = 0; i < n; ++i)
	{
		double product = -2.0 * problem->moment[i];
		for (int j = 0; j < n; ++j)
		{
			product += problem->gram[i * n + j] * weights[j];
		}
		sum += weights[i] * product;
	}
	return fmax(sum, 0.0);
}

/// The search, with columns scaled to unit length.
typedef struct Search
{
	int count;
	double tolerance;
	/// [count * count], [count]
	double *gram, *moment;
	/// Length of each column; 0: it is empty, and its weight stays 0.
	double* lengths;
	/// The weights, and what they would be with the free ones solved for.
	double *weights, *target;
	/// Free weights in the order they became so, and the Cholesky factor of their part of gram, row by row.
	int* free;
	int freeCount;
	double* factor;
	/// Whether a weight is free; whether it must stay as it is for now.
	bool *isFree, *isBarred;
	/// All numbers, and all flags.
	double* numbers;
	bool* flags;
} Search;

static bool startSearch(Search* search, const rpLeastSquares* problem, rpError* error)
{
	size_t n = (size_t)problem->count;
	*search = (Search){.count = problem->count, .tolerance = SMALLEST_GRADIENT * sqrt(fmax(problem->square, 0.0))};
	search->numbers = rpAllocateZero(2 * n * n + 4 * n, sizeof(double), error);
	search->flags = rpAllocateZero(2 * n, sizeof(bool), error);
	search->free = rpAllocate(n, sizeof(int), error);
	if (search->numbers == NULL || search->flags == NULL || search->free == NULL)
	{
		return false;
	}
	search->gram = search->numbers;
	search->factor = search->gram + n * n;
	search->moment = search->factor + n * n;
	search->lengths = search->moment + n;
	search->weights = search->lengths + n;
	search->target = search->weights + n;
	search->isFree = search->flags;
	search->isBarred = search->flags + n;
	return true;
}

static void endSearch(Search* search)
{
	rpFree(search->numbers);
	rpFree(search->flags);
	rpFree(search->free);
}

static void scaleProblem(Search* search, const rpLeastSquares* problem)
{
	int n = search->count;
	double longest = 0.0;
	for (int i = 0; i < n; ++i)
	{
		search->lengths[i] = sqrt(fmax(problem->gram[i * n + i], 0.0));
		longest = fmax(longest, search->lengths[i]);
	}
	for (int i = 0; i < n; ++i)
	{
		// A joint that does not move has a column of rounding errors.
		search->lengths[i] = search->lengths[i] > 1e-9 * longest ? search->lengths[i] : 0.0;
		search->moment[i] = search->lengths[i] > 0.0 ? problem->moment[i] / search->lengths[i] : 0.0;
	}
	for (int i = 0; i < n; ++i)
	{
		for (int j = 0; j < n; ++j)
		{
			double scale = search->lengths[i] * search->lengths[j];
			search->gram[i * n + j] = scale > 0.0 ? problem->gram[i * n + j] / scale : 0.0;
		}
	}
}

// Append the row of the last free weight to the Cholesky factor; false where its column says nothing new.
static bool factorLast(Search* search)
{
	int n = search->count, last = search->freeCount - 1, column = search->free[last];
	double* row = search->factor + (size_t)last * (size_t)n;
	double rest = search->gram[column * n + column];
	for (int i = 0; i < last; ++i)
	{
		const double* other = search->factor + (size_t)i * (size_t)n;
		double sum = search->gram[column * n + search->free[i]];
		for (int k = 0; k < i; ++k)
		{
			sum -= row[k] * other[k];
		}
		row[i] = sum / other[i];
		rest -= row[i] * row[i];
	}
	if (!(rest > SMALLEST_PIVOT))
	{
		return false;
	}
	row[last] = sqrt(rest);
	return true;
}

static void refactor(Search* search)
{
	int count = search->freeCount;
	search->freeCount = 0;
	for (int i = 0; i < count; ++i)
	{
		search->free[search->freeCount++] = search->free[i];
		if (!factorLast(search))
		{
			int column = search->free[--search->freeCount];
			search->isFree[column] = false;
			search->weights[column] = 0.0;
		}
	}
}

// The free weights that solve the unconstrained problem, into target.
static void solveFree(Search* search)
{
	int n = search->count, count = search->freeCount;
	double* target = search->target;
	for (int i = 0; i < count; ++i)
	{
		const double* row = search->factor + (size_t)i * (size_t)n;
		double sum = search->moment[search->free[i]];
		for (int k = 0; k < i; ++k)
		{
			sum -= row[k] * target[k];
		}
		target[i] = sum / row[i];
	}
	for (int i = count - 1; i >= 0; --i)
	{
		for (int k = i + 1; k < count; ++k)
		{
			target[i] -= search->factor[(size_t)k * (size_t)n + (size_t)i] * target[k];
		}
		target[i] /= search->factor[(size_t)i * (size_t)n + (size_t)i];
	}
}

// The weight at zero whose growth helps most; -1 if none helps.
static int findEntering(const Search* search)
{
	int n = search->count, best = -1;
	double steepest = search->tolerance;
	for (int i = 0; i < n; ++i)
	{
		if (search->isFree[i] || search->isBarred[i] || search->lengths[i] <= 0.0)
		{
			continue;
		}
		double slope = search->moment[i];
		for (int j = 0; j < n; ++j)
		{
			slope -= search->gram[i * n + j] * search->weights[j];
		}
		if (slope > steepest)
		{
			steepest = slope;
			best = i;
		}
	}
	return best;
}

// Go from the weights towards target as far as none turns negative; those that reach zero are bound again. True when
// target was reached.
static bool stepToTarget(Search* search)
{
	double step = 1.0;
	for (int i = 0; i < search->freeCount; ++i)
	{
		double from = search->weights[search->free[i]], to = search->target[i];
		step = to <= 0.0 ? fmin(step, from > 0.0 ? from / (from - to) : 0.0) : step;
	}
	int kept = 0;
	bool isReached = true;
	for (int i = 0; i < search->freeCount; ++i)
	{
		int column = search->free[i];
		double weight = search->weights[column] + step * (search->target[i] - search->weights[column]);
		// The one that cuts the step short reaches zero but for rounding.
		bool isBound = search->target[i] <= 0.0 && weight <= 1e-14 * fabs(search->target[i]);
		isReached &= !isBound;
		search->isFree[column] = !isBound;
		search->weights[column] = isBound ? 0.0 : weight;
		search->free[kept] = column;
		kept += !isBound;
	}
	search->freeCount = kept;
	return isReached;
}

static void runSearch(Search* search)
{
	// Each round lowers the residual, and there are as many as sets of free weights; in practice a few per weight.
	for (int round = 0; round < 30 * search->count + 30; ++round)
	{
		int entering = findEntering(search);
		if (entering < 0)
		{
			return;
		}
		search->free[search->freeCount++] = entering;
		search->isFree[entering] = true;
		bool isNew = factorLast(search);
		if (isNew)
		{
			solveFree(search);
		}
		if (!isNew || search->target[search->freeCount - 1] <= 0.0)
		{
			// Its gradient is rounding alone: it stays at zero until another has changed.
			search->isFree[entering] = false;
			search->isBarred[entering] = true;
			--search->freeCount;
			continue;
		}
		memset(search->isBarred, 0, (size_t)search->count * sizeof(bool));
		while (!stepToTarget(search))
		{
			refactor(search);
			solveFree(search);
		}
	}
}

bool rpSolveNonNegative(const rpLeastSquares* problem, double* weights, rpError* error)
{
	Search search;
	bool done = startSearch(&search, problem, error);
	if (done)
	{
		scaleProblem(&search, problem);
		runSearch(&search);
		for (int i = 0; i < search.count; ++i)
		{
			weights[i] = search.lengths[i] > 0.0 ? search.weights[i] / search.lengths[i] : 0.0;
		}
	}
	endSearch(&search);
	return done;
}

// The smallest residual with one weight held: its column goes over to the right side, where nothing is left of it.
static bool holdWeight(const rpLeastSquares* problem, int held, double value, double* residual, rpError* error)
{
	int n = problem->count;
	rpLeastSquares rest;
	double* weights = rpAllocate((size_t)n, sizeof(double), error);
	if (weights == NULL || !rpLeastSquares_Create(&rest, n, error))
	{
		rpFree(weights);
		return false;
	}
	for (int i = 0; i < n; ++i)
	{
		for (int j = 0; j < n; ++j)
		{
			rest.gram[i * n + j] = i == held || j == held ? 0.0 : problem->gram[i * n + j];
		}
		rest.moment[i] = i == held ? 0.0 : problem->moment[i] - value * problem->gram[i * n + held];
	}
	rest.square = problem->square;
	bool done = rpSolveNonNegative(&rest, weights, error);
	weights[held] = value;
	*residual = rpLeastSquares_GetResidual(problem, weights);
	rpLeastSquares_Free(&rest);
	rpFree(weights);
	return done;
}

bool rpFindOpenWeights(const rpLeastSquares* problem, const double* weights, bool* isOpen, rpError* error)
{
	int n = problem->count;
	double best = rpLeastSquares_GetResidual(problem, weights), longest = 0.0;
	for (int i = 0; i < n; ++i)
	{
		longest = fmax(longest, problem->gram[i * n + i]);
	}
	for (int i = 0; i < n; ++i)
	{
		double square = problem->gram[i * n + i];
		isOpen[i] = square <= 1e-18 * longest;
		if (isOpen[i])
		{
			continue;
		}
		// Up by a step; down by as much, or to zero, which weighs less the shorter the step is.
		double step = PROBE * sqrt(problem->square / square), lower = fmin(step, weights[i]);
		double up, down = (double)INFINITY, flat = FLAT * problem->square;
		bool hasLower = lower > 1e-3 * step;
		if (!holdWeight(problem, i, weights[i] + step, &up, error) ||
			(hasLower && !holdWeight(problem, i, weights[i] - lower, &down, error)))
		{
			return false;
		}
		isOpen[i] = up - best < flat || down - best < flat * (lower / step) * (lower / step);
	}
	return true;
}
