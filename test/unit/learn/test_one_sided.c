/// One-sided least squares with a pull: against descent along one weight after the other, by the conditions of
/// optimality, and against plain least squares where both must agree.
#include "learn/one_sided.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum
{
	maxRows = 90,
	maxColumns = 14,
};

typedef struct Scene
{
	double rows[maxRows * maxColumns];
	double wanted[maxRows];
	double centre[maxColumns];
	rpOneSided problem;
} Scene;

// Rows as examples are: good ones small, bad ones from hardly larger to very much so.
static void makeScene(Scene* scene, int rows, int columns, uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	for (int i = 0; i < rows; ++i)
	{
		bool isBad = i % 5 >= 2;
		double size = isBad ? pow(10.0, (double)rpRandom_Range(&random, -0.5f, 1.5f)) : 0.5;
		scene->wanted[i] = isBad;
		for (int j = 0; j < columns; ++j)
		{
			double value = (double)rpRandom_Normal(&random) * pow(2.0, j % 5 - 2);
			scene->rows[i * columns + j] = value * value * size;
		}
	}
	for (int j = 0; j < columns; ++j)
	{
		scene->centre[j] = (double)rpRandom_Range(&random, 0.0f, 0.3f);
	}
	scene->problem = (rpOneSided){.rows = scene->rows,
								  .wanted = scene->wanted,
								  .rowCount = rows,
								  .columnCount = columns,
								  .left = -1,
								  .isOneSided = true,
								  .centre = scene->centre,
								  .pull = seed % 3 == 0 ? 0.0 : 0.5 * (double)(seed % 3)};
}

// The sum that is minimised and its gradient, from its definition.
static double getSum(const Scene* scene, const double* weights, double* gradient)
{
	const rpOneSided* problem = &scene->problem;
	int n = problem->columnCount;
	double sum = 0.0;
	for (int j = 0; j < n; ++j)
	{
		double offset = weights[j] - scene->centre[j];
		sum += problem->pull * offset * offset;
		gradient[j] = 2.0 * problem->pull * offset;
	}
	for (int i = 0; i < problem->rowCount; ++i)
	{
		double error = -scene->wanted[i];
		for (int j = 0; j < n; ++j)
		{
			error += scene->rows[i * n + j] * weights[j];
		}
		bool isOver = problem->isOneSided && scene->wanted[i] > 0.0 && error > 0.0;
		if (i == problem->left || isOver)
		{
			continue;
		}
		sum += error * error;
		for (int j = 0; j < n; ++j)
		{
			gradient[j] += 2.0 * error * scene->rows[i * n + j];
		}
	}
	return sum;
}

// The gradient vanishes where a weight is free and does not lead down where it is zero.
static void checkOptimal(const Scene* scene, const double* weights)
{
	double gradient[maxColumns];
	double sum = getSum(scene, weights, gradient);
	for (int j = 0; j < scene->problem.columnCount; ++j)
	{
		assert_true(weights[j] >= 0.0);
		assert_true(gradient[j] > -1e-6 * (1.0 + sum));
		assert_true(weights[j] <= 0.0 || fabs(gradient[j]) < 1e-6 * (1.0 + sum));
	}
}

static void testOptimal(void** state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 60; ++seed)
	{
		Scene scene;
		double weights[maxColumns];
		makeScene(&scene, 20 + (int)seed, 1 + (int)seed % maxColumns, seed);
		scene.problem.left = seed % 4 == 0 ? 7 : -1;
		scene.problem.isOneSided = seed % 5 != 4;
		assert_true(rpSolveOneSided(&scene.problem, weights, NULL, NULL));
		checkOptimal(&scene, weights);
	}
}

// One weight after the other to where the sum is smallest along it, found by halving; the sum is smooth and convex, and
// so this ends at the minimum.
static double descend(const Scene* scene, double* weights)
{
	double gradient[maxColumns];
	int n = scene->problem.columnCount;
	memset(weights, 0, sizeof(double) * (size_t)n);
	for (int round = 0; round < 1000; ++round)
	{
		for (int j = 0; j < n; ++j)
		{
			double low = 0.0, high = 64.0;
			for (int step = 0; step < 50; ++step)
			{
				weights[j] = 0.5 * (low + high);
				getSum(scene, weights, gradient);
				low = gradient[j] < 0.0 ? weights[j] : low;
				high = gradient[j] < 0.0 ? high : weights[j];
			}
		}
	}
	return getSum(scene, weights, gradient);
}

static void testAgainstDescent(void** state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; ++seed)
	{
		Scene scene;
		double weights[maxColumns], slow[maxColumns], gradient[maxColumns];
		makeScene(&scene, 50, 6, seed);
		assert_true(rpSolveOneSided(&scene.problem, weights, NULL, NULL));
		double sum = getSum(&scene, weights, gradient), other = descend(&scene, slow);
		assert_true(sum <= other + 1e-12 && other - sum < 1e-6 * sum);
	}
}

// Without a second side and a pull it is plain least squares, and with a great pull the centre.
static void testEdges(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns], plain[maxColumns];
	rpLeastSquares problem, sums = {0};
	makeScene(&scene, 60, 8, 4);
	scene.problem.isOneSided = false;
	scene.problem.pull = 0.0;
	assert_true(rpSolveOneSided(&scene.problem, weights, &sums, NULL));
	assert_true(rpLeastSquares_Create(&problem, 8, NULL));
	for (int i = 0; i < 60; ++i)
	{
		rpLeastSquares_AddRow(&problem, &scene.rows[8 * i], scene.wanted[i], 1.0);
	}
	assert_true(rpSolveNonNegative(&problem, plain, NULL));
	for (int j = 0; j < 8; ++j)
	{
		assert_true(fabs(weights[j] - plain[j]) < 1e-9);
	}
	assert_true(fabs(rpLeastSquares_GetResidual(&sums, weights) - rpOneSided_GetResidual(&scene.problem, weights)) <
				1e-9);
	rpLeastSquares_Free(&problem);
	rpLeastSquares_Free(&sums);
	scene.problem.isOneSided = true;
	scene.problem.pull = 1e12;
	assert_true(rpSolveOneSided(&scene.problem, weights, NULL, NULL));
	for (int j = 0; j < 8; ++j)
	{
		assert_true(fabs(weights[j] - scene.centre[j]) < 1e-6);
	}
}

// A bad row that is far beyond 1 changes nothing, whatever its size.
static void testBeyond(void** state)
{
	(void)state;
	Scene scene;
	double weights[maxColumns], again[maxColumns];
	makeScene(&scene, 40, 5, 1);
	for (int j = 0; j < 5; ++j)
	{
		scene.rows[4 * 5 + j] = 1e3;
	}
	assert_true(rpSolveOneSided(&scene.problem, weights, NULL, NULL));
	for (int j = 0; j < 5; ++j)
	{
		scene.rows[4 * 5 + j] = 1e5;
	}
	assert_true(rpSolveOneSided(&scene.problem, again, NULL, NULL));
	for (int j = 0; j < 5; ++j)
	{
		assert_true(fabs(weights[j] - again[j]) < 1e-9);
	}
	scene.problem.isOneSided = false;
	assert_true(rpSolveOneSided(&scene.problem, again, NULL, NULL));
	assert_true(fabs(weights[0] - again[0]) + fabs(weights[1] - again[1]) > 1e-3);
}

static bool trySolve(void* context, rpError* error)
{
	(void)context;
	Scene scene;
	double weights[maxColumns];
	makeScene(&scene, 30, 5, 2);
	return rpSolveOneSided(&scene.problem, weights, NULL, error);
}

static void testMemory(void** state)
{
	(void)state;
	testFailEach(trySolve, NULL, 6);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOptimal), cmocka_unit_test(testAgainstDescent), cmocka_unit_test(testEdges),
		cmocka_unit_test(testBeyond),  cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
