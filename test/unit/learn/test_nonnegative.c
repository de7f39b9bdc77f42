/// Least squares with weights that are not negative: against all active sets tried in turn, against projected gradient
/// descent, by the conditions of optimality; and which weights the data leave open.
#include "learn/nonnegative.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxRows = 80,
	maxColumns = 16,
};

/// A problem with its matrix.
typedef struct Scene
{
	int rows, columns;
	double a[maxRows][maxColumns];
	double b[maxRows];
	rpLeastSquares problem;
} Scene;

static void makeProblem(Scene* scene)
{
	assert_true(rpLeastSquares_Create(&scene->problem, scene->columns, NULL));
	for (int i = 0; i < scene->rows; ++i)
	{
		rpLeastSquares_AddRow(&scene->problem, scene->a[i], scene->b[i], 1.0);
	}
}

// Rows as examples are: squares of very different sizes, b 0 or 1.
static void makeScene(Scene* scene, int rows, int columns, uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	*scene = (Scene){.rows = rows, .columns = columns};
	for (int i = 0; i < rows; ++i)
	{
		scene->b[i] = rpRandom_Index(&random, 2);
		for (int j = 0; j < columns; ++j)
		{
			double value =
				(double)rpRandom_Normal(&random) * pow(3.0, j % 5 - 2) * (j % 3 == 0 ? scene->b[i] + 0.3 : 1.0);
			scene->a[i][j] = value * value;
		}
	}
	makeProblem(scene);
}

static double getResidual(const Scene* scene, const double* weights)
{
	double sum = 0.0;
	for (int i = 0; i < scene->rows; ++i)
	{
		double error = -scene->b[i];
		for (int j = 0; j < scene->columns; ++j)
		{
			error += scene->a[i][j] * weights[j];
		}
		sum += error * error;
	}
	return sum;
}

// ---- all active sets

// Weights of the columns in a set without bounds, by elimination with pivots; false where they are not determined.
static bool solveSet(const Scene* scene, unsigned set, double* weights)
{
	double m[maxColumns][maxColumns + 1];
	int columns[maxColumns], n = 0;
	for (int j = 0; j < scene->columns; ++j)
	{
		weights[j] = 0.0;
		if (set >> j & 1u)
		{
			columns[n++] = j;
		}
	}
	for (int i = 0; i < n; ++i)
	{
		for (int j = 0; j <= n; ++j)
		{
			m[i][j] = 0.0;
			for (int k = 0; k < scene->rows; ++k)
			{
				m[i][j] += scene->a[k][columns[i]] * (j < n ? scene->a[k][columns[j]] : scene->b[k]);
			}
		}
	}
	for (int k = 0; k < n; ++k)
	{
		int pivot = k;
		for (int i = k + 1; i < n; ++i)
		{
			pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
		}
		if (fabs(m[pivot][k]) < 1e-12)
		{
			return false;
		}
		for (int j = 0; j <= n; ++j)
		{
			double swapped = m[k][j];
			m[k][j] = m[pivot][j];
			m[pivot][j] = swapped;
		}
		for (int i = 0; i < n; ++i)
		{
			double factor = i == k ? 0.0 : m[i][k] / m[k][k];
			for (int j = k; j <= n; ++j)
			{
				m[i][j] -= factor * m[k][j];
			}
		}
	}
	for (int k = 0; k < n; ++k)
	{
		weights[columns[k]] = m[k][n] / m[k][k];
	}
	return true;
}

static double tryAllSets(const Scene* scene, double* best)
{
	double min = (double)INFINITY;
	for (unsigned set = 0; set < 1u << scene->columns; ++set)
	{
		double weights[maxColumns];
		bool isAllowed = solveSet(scene, set, weights);
		for (int j = 0; j < scene->columns; ++j)
		{
			isAllowed &= weights[j] >= 0.0;
		}
		double residual = isAllowed ? getResidual(scene, weights) : (double)INFINITY;
		if (residual < min)
		{
			min = residual;
			memcpy(best, weights, sizeof(weights));
		}
	}
	return min;
}

static void testAgainstAllSets(void** state)
{
	(void)state;
	int boundCount = 0;
	for (int draw = 0; draw < 300; ++draw)
	{
		Scene scene;
		double weights[maxColumns], best[maxColumns];
		makeScene(&scene, 6 + draw % 30, 2 + draw % 6, (uint64_t)draw);
		assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
		double min = tryAllSets(&scene, best);
		for (int j = 0; j < scene.columns; ++j)
		{
			assert_true(weights[j] >= 0.0);
			assert_true(fabs(weights[j] - best[j]) <= 1e-7 * (1.0 + best[j]));
			boundCount += weights[j] == 0.0;
		}
		assert_true(fabs(getResidual(&scene, weights) - min) <= 1e-9 * (1.0 + min));
		assert_true(fabs(rpLeastSquares_GetResidual(&scene.problem, weights) - min) <= 1e-8 * (1.0 + min));
		rpLeastSquares_Free(&scene.problem);
	}
	// Bounds matter in many of them.
	assert_true(boundCount > 200);
}

// ---- projected gradient

// Steps along the gradient, clipped at zero, with columns scaled to one length.
static void descend(const Scene* scene, double* weights)
{
	int n = scene->columns;
	double scale[maxColumns], x[maxColumns] = {0}, y[maxColumns] = {0}, momentum = 1.0;
	for (int j = 0; j < n; ++j)
	{
		scale[j] = 1.0 / sqrt(scene->problem.gram[j * n + j]);
	}
	for (int step = 0; step < 400000; ++step)
	{
		double next[maxColumns], faster = 0.5 * (1.0 + sqrt(1.0 + 4.0 * momentum * momentum)), along = 0.0;
		for (int i = 0; i < n; ++i)
		{
			double slope = -scale[i] * scene->problem.moment[i];
			for (int j = 0; j < n; ++j)
			{
				slope += scale[i] * scene->problem.gram[i * n + j] * scale[j] * y[j];
			}
			// The largest eigenvalue of a matrix with ones on its diagonal is at most n.
			next[i] = fmax(y[i] - slope / n, 0.0);
			along += slope * (next[i] - x[i]);
		}
		momentum = along > 0.0 ? 1.0 : momentum;
		for (int i = 0; i < n; ++i)
		{
			y[i] = along > 0.0 ? next[i] : next[i] + (momentum - 1.0) / faster * (next[i] - x[i]);
			x[i] = next[i];
		}
		momentum = along > 0.0 ? 1.0 : faster;
	}
	for (int j = 0; j < n; ++j)
	{
		weights[j] = x[j] * scale[j];
	}
}

static void testAgainstDescent(void** state)
{
	(void)state;
	for (int draw = 0; draw < 4; ++draw)
	{
		Scene scene;
		double weights[maxColumns], descended[maxColumns];
		makeScene(&scene, 60, 14, 1000 + (uint64_t)draw);
		assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
		descend(&scene, descended);
		double exact = getResidual(&scene, weights), near = getResidual(&scene, descended);
		assert_true(exact <= near + 1e-9);
		assert_true(near - exact < 1e-6);
		for (int j = 0; j < scene.columns; ++j)
		{
			assert_true(fabs(weights[j] - descended[j]) < 1e-3 * (1.0 + weights[j]));
		}
		rpLeastSquares_Free(&scene.problem);
	}
}

// No weight at zero would help, and no other one is wrong: that is all there is to a solution.
static void testConditions(void** state)
{
	(void)state;
	for (int draw = 0; draw < 200; ++draw)
	{
		Scene scene;
		double weights[maxColumns];
		makeScene(&scene, 16 + draw % 60, 1 + draw % 16, 7000 + (uint64_t)draw);
		int n = scene.columns;
		assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
		for (int i = 0; i < n; ++i)
		{
			double slope = -scene.problem.moment[i], length = sqrt(scene.problem.gram[i * n + i]);
			for (int j = 0; j < n; ++j)
			{
				slope += scene.problem.gram[i * n + j] * weights[j];
			}
			assert_true(slope >= -1e-8 * length);
			assert_true(weights[i] == 0.0 || fabs(slope) <= 1e-8 * length);
		}
		rpLeastSquares_Free(&scene.problem);
	}
}

// ---- open weights

static void testOpenWeights(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns];
	bool isOpen[maxColumns];
	makeScene(&scene, 40, 5, 3);
	assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
	assert_true(rpFindOpenWeights(&scene.problem, weights, isOpen, NULL));
	int best = 0;
	for (int j = 0; j < 5; ++j)
	{
		assert_false(isOpen[j]);
		best = weights[j] > weights[best] ? j : best;
	}
	rpLeastSquares_Free(&scene.problem);

	// Column 5 is twice the one that has the weight, column 6 is empty: these are open, and no others.
	double before = getResidual(&scene, weights);
	scene.columns = 7;
	for (int i = 0; i < scene.rows; ++i)
	{
		scene.a[i][5] = 2.0 * scene.a[i][best];
		scene.a[i][6] = 0.0;
	}
	makeProblem(&scene);
	assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
	assert_true(fabs(getResidual(&scene, weights) - before) < 1e-9);
	assert_true(rpFindOpenWeights(&scene.problem, weights, isOpen, NULL));
	for (int j = 0; j < 7; ++j)
	{
		assert_int_equal(isOpen[j], j == best || j == 5 || j == 6);
	}
	rpLeastSquares_Free(&scene.problem);
}

// Two columns that are the same and that nobody wants: both stay at zero, and that is determined.
static void testUnwantedTwins(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns];
	bool isOpen[maxColumns];
	makeScene(&scene, 40, 3, 5);
	rpLeastSquares_Free(&scene.problem);
	scene.columns = 5;
	for (int i = 0; i < scene.rows; ++i)
	{
		scene.a[i][3] = scene.a[i][4] = scene.b[i] > 0.5 ? 0.0 : 1.0 + 0.1 * (i % 7);
	}
	makeProblem(&scene);
	assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
	assert_true(weights[3] == 0.0 && weights[4] == 0.0);
	assert_true(rpFindOpenWeights(&scene.problem, weights, isOpen, NULL));
	assert_false(isOpen[3]);
	assert_false(isOpen[4]);
	rpLeastSquares_Free(&scene.problem);
}

// Fewer rows than columns: still a solution, and weights that are open.
static void testTooFewRows(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns];
	bool isOpen[maxColumns];
	int openCount = 0;
	makeScene(&scene, 4, 12, 11);
	rpLeastSquares_Free(&scene.problem);
	for (int i = 0; i < scene.rows; ++i)
	{
		scene.b[i] = 1.0;
	}
	makeProblem(&scene);
	assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
	assert_true(rpFindOpenWeights(&scene.problem, weights, isOpen, NULL));
	for (int j = 0; j < 12; ++j)
	{
		openCount += isOpen[j];
	}
	assert_true(openCount >= 2);
	assert_true(getResidual(&scene, weights) < 1e-9);
	rpLeastSquares_Free(&scene.problem);
}

// A row taken out again leaves the problem as if it had never been there.
static void testLeaveOut(void** state)
{
	(void)state;
	Scene scene, without;
	double weights[maxColumns], others[maxColumns];
	makeScene(&scene, 40, 8, 21);
	without = scene;
	without.rows = 39;
	makeProblem(&without);
	rpLeastSquares_AddRow(&scene.problem, scene.a[39], scene.b[39], -1.0);
	assert_true(rpSolveNonNegative(&scene.problem, weights, NULL));
	assert_true(rpSolveNonNegative(&without.problem, others, NULL));
	for (int j = 0; j < 8; ++j)
	{
		assert_true(fabs(weights[j] - others[j]) < 1e-9 * (1.0 + others[j]));
	}
	rpLeastSquares_Free(&scene.problem);
	rpLeastSquares_Free(&without.problem);
}

static void testMemory(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns];
	bool isOpen[maxColumns];
	makeScene(&scene, 40, 8, 22);
	int blocks = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		bool done = rpSolveNonNegative(&scene.problem, weights, &error) &&
					rpFindOpenWeights(&scene.problem, weights, isOpen, &error);
		testFailAllocation(-1);
		assert_int_equal(testCountLiveBlocks(), blocks);
		if (done)
		{
			assert_true(n > 10);
			break;
		}
		assert_int_equal(error.code, rp_errorMemory);
	}
	rpLeastSquares_Free(&scene.problem);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAgainstAllSets), cmocka_unit_test(testAgainstDescent), cmocka_unit_test(testConditions),
		cmocka_unit_test(testOpenWeights),    cmocka_unit_test(testUnwantedTwins),  cmocka_unit_test(testTooFewRows),
		cmocka_unit_test(testLeaveOut),       cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
