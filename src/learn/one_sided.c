/// One-sided least squares by Newton's method: where rows beyond their mark are left out, the rest is a problem with
/// weights that must not be negative; its solution says anew which rows are beyond. A step that would raise the sum is
/// halved, and so the method ends at the minimum: the function is convex and made of finitely many parabolas (O.
/// Mangasarian, "A finite Newton method for classification", 2002).
#include "learn/one_sided.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 100
#define MAX_HALVINGS 30

/// The search: rows that matter now, and their sums.
typedef struct Search
{
	const rpOneSided* problem;
	rpLeastSquares sums;
	/// The sums with the pull in them.
	rpLeastSquares pulled;
	bool* isKept;
	/// The weights without the others' sides, [columnCount]: where the parabola of the rows that matter is lowest.
	double *target, *trial;
} Search;

static const double* getRow(const rpOneSided* problem, int row)
{
	return problem->rows + (size_t)row * (size_t)problem->columnCount;
}

static double getValue(const rpOneSided* problem, int row, const double* weights)
{
	const double* values = getRow(problem, row);
	double sum = 0.0;
	for (int i = 0; i < problem->columnCount; ++i)
	{
		sum += values[i] * weights[i];
	}
	return sum;
}

static bool matters(const rpOneSided* problem, int row, const double* weights)
{
	if (row == problem->left)
	{
		return false;
	}
	return !problem->isOneSided || problem->wanted[row] <= 0.0 ||
		   getValue(problem, row, weights) < problem->wanted[row];
}

double rpOneSided_GetResidual(const rpOneSided* problem, const double* weights)
{
	double sum = 0.0;
	for (int row = 0; row < problem->rowCount; ++row)
	{
		if (matters(problem, row, weights))
		{
			double error = getValue(problem, row, weights) - problem->wanted[row];
			sum += error * error;
		}
	}
	return sum;
}

static double getSum(const rpOneSided* problem, const double* weights)
{
	double sum = rpOneSided_GetResidual(problem, weights);
	for (int i = 0; i < problem->columnCount && problem->pull > 0.0; ++i)
	{
		double offset = weights[i] - problem->centre[i];
		sum += problem->pull * offset * offset;
	}
	return sum;
}

// Sum up the rows that matter at these weights, if they have changed; true when they have not. All of them anew: taking
// out a row that is far beyond would leave its rounding behind.
static bool sortRows(Search* search, const double* weights)
{
	const rpOneSided* problem = search->problem;
	size_t n = (size_t)problem->columnCount;
	bool isSame = true;
	for (int row = 0; row < problem->rowCount; ++row)
	{
		bool isKept = matters(problem, row, weights);
		isSame &= isKept == search->isKept[row];
		search->isKept[row] = isKept;
	}
	if (isSame)
	{
		return true;
	}
	memset(search->sums.gram, 0, n * n * sizeof(double));
	memset(search->sums.moment, 0, n * sizeof(double));
	search->sums.square = 0.0;
	for (int row = 0; row < problem->rowCount; ++row)
	{
		if (search->isKept[row])
		{
			rpLeastSquares_AddRow(&search->sums, getRow(problem, row), problem->wanted[row], 1.0);
		}
	}
	return false;
}

static bool findTarget(Search* search, rpError* error)
{
	const rpOneSided* problem = search->problem;
	int n = problem->columnCount;
	memcpy(search->pulled.gram, search->sums.gram, (size_t)n * (size_t)n * sizeof(double));
	memcpy(search->pulled.moment, search->sums.moment, (size_t)n * sizeof(double));
	search->pulled.square = search->sums.square;
	for (int i = 0; i < n && problem->pull > 0.0; ++i)
	{
		search->pulled.gram[i * n + i] += problem->pull;
		search->pulled.moment[i] += problem->pull * problem->centre[i];
		search->pulled.square += problem->pull * problem->centre[i] * problem->centre[i];
	}
	return rpSolveNonNegative(&search->pulled, search->target, error);
}

// Go to the target, or as far towards it as lowers the sum. True when all of it.
static bool stepToTarget(Search* search, double* weights)
{
	int n = search->problem->columnCount;
	double sum = getSum(search->problem, weights), step = 1.0;
	for (int halving = 0; halving < MAX_HALVINGS; ++halving, step *= 0.5)
	{
		for (int i = 0; i < n; ++i)
		{
			search->trial[i] = weights[i] + step * (search->target[i] - weights[i]);
		}
		if (getSum(search->problem, search->trial) <= sum)
		{
			memcpy(weights, search->trial, (size_t)n * sizeof(double));
			return halving == 0;
		}
	}
	// Nothing lower in between but for rounding: this is the end.
	return true;
}

static bool run(Search* search, double* weights, rpError* error)
{
	int n = search->problem->columnCount;
	memset(weights, 0, (size_t)n * sizeof(double));
	// At zero weights all rows matter: the first target is that of plain least squares.
	sortRows(search, weights);
	if (!findTarget(search, error))
	{
		return false;
	}
	memcpy(weights, search->target, (size_t)n * sizeof(double));
	bool isWhole = true;
	for (int step = 0; step < MAX_STEPS; ++step)
	{
		if (sortRows(search, weights) && isWhole)
		{
			return true;
		}
		if (!findTarget(search, error))
		{
			return false;
		}
		isWhole = stepToTarget(search, weights);
	}
	return true;
}

bool rpSolveOneSided(const rpOneSided* problem, double* weights, rpLeastSquares* out, rpError* error)
{
	int n = problem->columnCount;
	Search search = {.problem = problem};
	search.isKept = rpAllocateZero((size_t)problem->rowCount, sizeof(bool), error);
	search.target = rpAllocate(2 * (size_t)n, sizeof(double), error);
	search.trial = search.target != NULL ? search.target + n : NULL;
	bool done = search.isKept != NULL && search.target != NULL && rpLeastSquares_Create(&search.sums, n, error) &&
				rpLeastSquares_Create(&search.pulled, n, error) && run(&search, weights, error);
	if (done && out != NULL)
	{
		*out = search.sums;
		search.sums = (rpLeastSquares){0};
	}
	rpLeastSquares_Free(&search.sums);
	rpLeastSquares_Free(&search.pulled);
	rpFree(search.isKept);
	rpFree(search.target);
	return done;
}
