/// Weights of the nearest points: what holds for all of them, continuity along lines, ties, and the least correction
/// against a direct solution.
#include "math/near_weights.h"
#include "support.h"

#include <math.h>
#include <string.h>

// Of weights that are corrected.
#define MAX_CHANGE 1e3f

enum
{
	maxPoints = 200,
	maxDimension = rp_maxNearConditions,
};

/// Points of which some are asked for.
typedef struct Scene
{
	int pointCount, dimension, max;
	float points[maxPoints * maxDimension];
	float scales[maxDimension];
} Scene;

static Scene makeScene(int pointCount, int dimension, int max, rpRandom* random)
{
	Scene scene = {.pointCount = pointCount, .dimension = dimension, .max = max};
	for (int i = 0; i < pointCount * dimension; ++i)
	{
		scene.points[i] = rpRandom_Range(random, -1.0f, 1.0f);
	}
	for (int k = 0; k < dimension; ++k)
	{
		scene.scales[k] = 0.5f;
	}
	return scene;
}

// Points that are not much nearer to one another than they must be.
static Scene makeSpacedScene(int dimension, int max, rpRandom* random)
{
	int pointCount = dimension == 1 ? 20 : 60;
	Scene scene = makeScene(1, dimension, max, random);
	float spacing = 1.2f / powf((float)pointCount, 1.0f / (float)dimension);
	for (scene.pointCount = 1; scene.pointCount < pointCount;)
	{
		float* point = scene.points + scene.pointCount * dimension;
		float nearest = INFINITY;
		for (int k = 0; k < dimension; ++k)
		{
			point[k] = rpRandom_Range(random, -1.0f, 1.0f);
		}
		for (int i = 0; i < scene.pointCount; ++i)
		{
			float square = 0.0f;
			for (int k = 0; k < dimension; ++k)
			{
				square += powf(point[k] - scene.points[i * dimension + k], 2.0f);
			}
			nearest = fminf(nearest, sqrtf(square));
		}
		spacing *= 0.999f;
		scene.pointCount += nearest > spacing;
	}
	return scene;
}

// As those do who blend: what is found, weighed and corrected so that parameters are as asked.
static int weigh(const Scene* scene, const float* asked, bool isCorrected, rpNear* near)
{
	float rim, coefficients[rp_maxNear * maxDimension];
	int count =
		rpFindNear(scene->points, scene->pointCount, scene->dimension, scene->scales, asked, scene->max, near, &rim);
	rpWeighNear(near, count, rim, 0.0f);
	for (int i = 0; i < count; ++i)
	{
		for (int k = 0; k < scene->dimension; ++k)
		{
			float point = scene->points[near[i].index * scene->dimension + k];
			coefficients[i * scene->dimension + k] = scene->scales[k] * (point - asked[k]);
		}
	}
	if (isCorrected)
	{
		rpCorrectWeights(near, count, coefficients, scene->dimension, MAX_CHANGE);
	}
	return count;
}

static void expectWeights(const rpNear* near, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		assert_true(near[i].weight >= 0.0f && near[i].weight <= 1.0f + 1e-6f);
		sum += (double)near[i].weight;
	}
	assert_float_equal(sum, 1.0, 1e-6);
}

// ---- the nearest

static void testFound(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(1);
	Scene scene = makeScene(50, 3, 7, &random);
	for (int n = 0; n < 100; ++n)
	{
		float asked[3], rim;
		rpNear near[rp_maxNear];
		for (int k = 0; k < 3; ++k)
		{
			asked[k] = rpRandom_Range(&random, -1.0f, 1.0f);
		}
		assert_int_equal(rpFindNear(scene.points, 50, 3, scene.scales, asked, 7, near, &rim), 7);
		int nearer = 0;
		for (int i = 0; i < 50; ++i)
		{
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
			{
				square += pow((double)scene.points[3 * i + k] - (double)asked[k], 2.0);
			}
			nearer += 0.5 * sqrt(square) < (double)rim * (1.0 - 1e-6);
		}
		assert_int_equal(nearer, 7);
		for (int i = 1; i < 7; ++i)
		{
			assert_true(near[i - 1].distance <= near[i].distance && near[i].distance <= rim);
		}
	}
	// All there are, and no rim; what has no range does not count, and of equals the first come first.
	static const float points[] = {2.0f, 7.0f, 1.0f, 9.0f, 1.0f, 3.0f}, scales[] = {1.0f, INFINITY},
					   zero[] = {0.0f, 0.0f};
	float rim;
	rpNear near[rp_maxNear];
	assert_int_equal(rpFindNear(points, 3, 2, scales, zero, 5, near, &rim), 3);
	assert_true(isinf(rim) && near[0].index == 1 && near[1].index == 2 && near[2].index == 0);
	assert_int_equal(rpFindNear(points, 3, 2, scales, zero, 1, near, &rim), 1);
	assert_true(near[0].index == 1 && rim == 1.0f);
	// What is no number is far away, and weights are still weights.
	static const float nowhere[] = {NAN, 0.0f};
	assert_int_equal(rpFindNear(points, 3, 2, scales, nowhere, 2, near, &rim), 2);
	rpWeighNear(near, 2, rim, 0.0f);
	expectWeights(near, 2);
}

// ---- inverse distance

static void expectPlain(const float* distances, int count, float rim, float nearest, const float* expected)
{
	rpNear near[rp_maxNear];
	for (int i = 0; i < count; ++i)
	{
		near[i] = (rpNear){.index = i, .distance = distances[i]};
	}
	rpWeighNear(near, count, rim, nearest);
	expectWeights(near, count);
	for (int i = 0; i < count; ++i)
	{
		assert_float_equal(near[i].weight, expected[i], 1e-6);
	}
}

static void testPlain(void** state)
{
	(void)state;
	// Eq. 6.2 by hand: 1 - 1/4, 1/2 - 1/4, 1/4 - 1/4.
	expectPlain((float[]){1.0f, 2.0f, 4.0f}, 3, 4.0f, 0.0f, (float[]){0.75f, 0.25f, 0.0f});
	expectPlain((float[]){1.0f, 3.0f}, 2, INFINITY, 0.0f, (float[]){0.75f, 0.25f});
	// At no distance, one and two.
	expectPlain((float[]){0.0f, 1.0f}, 2, 2.0f, 0.0f, (float[]){1.0f, 0.0f});
	expectPlain((float[]){0.0f, 0.0f, 1.0f}, 3, 2.0f, 0.0f, (float[]){0.5f, 0.5f, 0.0f});
	expectPlain((float[]){0.0f, 0.0f}, 2, 0.0f, 0.1f, (float[]){0.5f, 0.5f});
	expectPlain((float[]){1e-42f, 1.0f}, 2, 2.0f, 0.0f, (float[]){1.0f, 0.0f});
	// Equal ones, at the rim and within it.
	expectPlain((float[]){1.0f, 1.0f}, 2, 1.0f, 0.0f, (float[]){0.5f, 0.5f});
	expectPlain((float[]){1.0f, 1.0f, 2.0f}, 3, 2.0f, 0.0f, (float[]){0.5f, 0.5f, 0.0f});
	// Nearer than counts: 10 - 1/3, 1 - 1/3.
	expectPlain((float[]){0.01f, 1.0f}, 2, 3.0f, 0.1f, (float[]){29.0f / 31.0f, 2.0f / 31.0f});
	expectPlain((float[]){5.0f}, 1, 5.0f, 0.0f, (float[]){1.0f});
}

// ---- what holds of all

static const int s_dimensions[] = {1, 2, 3, 6};

static void testExamples(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(2);
	for (int d = 0; d < 4; ++d)
	{
		Scene scene = makeScene(60, s_dimensions[d], s_dimensions[d] + 2, &random);
		for (int i = 0; i < 60; ++i)
		{
			rpNear near[rp_maxNear];
			int count = weigh(&scene, scene.points + i * scene.dimension, true, near);
			expectWeights(near, count);
			assert_int_equal(near[0].index, i);
			assert_float_equal(near[0].weight, 1.0, 0.0);
		}
	}
}

// Two of the same share what one would have.
static void testTies(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	Scene scene = makeScene(20, 2, 32, &random);
	memcpy(scene.points, scene.points + 2, 2 * sizeof(float));
	for (int n = 0; n < 100; ++n)
	{
		float asked[2] = {rpRandom_Range(&random, -1.0f, 1.0f), rpRandom_Range(&random, -1.0f, 1.0f)};
		rpNear near[rp_maxNear];
		int count = weigh(&scene, asked, true, near);
		float weights[20] = {0};
		expectWeights(near, count);
		for (int i = 0; i < count; ++i)
		{
			weights[near[i].index] = near[i].weight;
		}
		assert_float_equal(weights[0], weights[1], 1e-6);
	}
	// The corners of a square from its middle.
	static const Scene square = {.pointCount = 4,
								 .dimension = 2,
								 .max = 32,
								 .points = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f},
								 .scales = {1.0f, 1.0f}};
	rpNear near[rp_maxNear];
	int count = weigh(&square, (float[]){0.5f, 0.5f}, true, near);
	for (int i = 0; i < count; ++i)
	{
		assert_float_equal(near[i].weight, 0.25, 1e-6);
	}
}

// What is asked for is given back: its parameters are the weighted mean of those found, if it is among them.
static void testLinear(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(4);
	double worst = 0.0, plainSum = 0.0;
	int met = 0, total = 0;
	for (int d = 0; d < 4; ++d)
	{
		Scene scene = makeScene(maxPoints, s_dimensions[d], 12 + 3 * s_dimensions[d], &random);
		for (int n = 0; n < 500; ++n, ++total)
		{
			float asked[maxDimension];
			double off[2] = {0.0, 0.0};
			for (int k = 0; k < scene.dimension; ++k)
			{
				asked[k] = rpRandom_Range(&random, -0.7f, 0.7f);
			}
			for (int isCorrected = 0; isCorrected < 2; ++isCorrected)
			{
				rpNear near[rp_maxNear];
				int count = weigh(&scene, asked, isCorrected == 1, near);
				for (int k = 0; k < scene.dimension; ++k)
				{
					double sum = -(double)asked[k];
					for (int i = 0; i < count; ++i)
					{
						sum += (double)near[i].weight * (double)scene.points[near[i].index * scene.dimension + k];
					}
					off[isCorrected] = fmax(off[isCorrected], fabs(sum));
				}
			}
			met += off[1] < 1e-5;
			worst = fmax(worst, off[1]);
			plainSum += off[0];
		}
	}
	print_message("%d of %d asked for are given back, the others within %.3f; by inverse distance %.3f off\n", met,
				  total, worst, plainSum / total);
	assert_true(met > 0.95 * total);
	assert_true(worst < 0.3);
}

// ---- continuity

static double getJump(const Scene* scene, const float* from, const float* to, bool isCorrected)
{
	rpNear near[2][rp_maxNear];
	float weights[maxPoints] = {0};
	double jump = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		int count = weigh(scene, side == 0 ? from : to, isCorrected, near[side]);
		expectWeights(near[side], count);
		for (int i = 0; i < count; ++i)
		{
			weights[near[side][i].index] += side == 0 ? -near[side][i].weight : near[side][i].weight;
		}
	}
	for (int i = 0; i < scene->pointCount; ++i)
	{
		jump = fmax(jump, fabs((double)weights[i]));
	}
	return jump;
}

// The half of a step that changes more, down to steps as short as floats allow: a jump stays, a slope goes.
static double narrow(const Scene* scene, const float* from, const float* to, bool isCorrected)
{
	float a[maxDimension], b[maxDimension], middle[maxDimension];
	size_t size = (size_t)scene->dimension * sizeof(float);
	memcpy(a, from, size);
	memcpy(b, to, size);
	for (int i = 0; i < 14; ++i)
	{
		for (int k = 0; k < scene->dimension; ++k)
		{
			middle[k] = 0.5f * (a[k] + b[k]);
		}
		bool isFirst = getJump(scene, a, middle, isCorrected) > getJump(scene, middle, b, isCorrected);
		memcpy(isFirst ? b : a, middle, size);
	}
	return getJump(scene, a, b, isCorrected);
}

static void testContinuity(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int d = 0; d < 4; ++d)
	{
		double worst[2] = {0.0, 0.0}, last[2] = {0.0, 0.0};
		for (int line = 0; line < 40; ++line)
		{
			int dimension = s_dimensions[d];
			Scene scene = makeSpacedScene(dimension, dimension + 1 + line % 4, &random);
			float ends[2][maxDimension], points[2][maxDimension];
			for (int k = 0; k < dimension; ++k)
			{
				ends[0][k] = rpRandom_Range(&random, -1.2f, 1.2f);
				ends[1][k] = rpRandom_Range(&random, -1.2f, 1.2f);
			}
			for (int n = 0; n <= 400; ++n)
			{
				for (int k = 0; k < dimension; ++k)
				{
					points[n % 2][k] = ends[0][k] + (float)n / 400.0f * (ends[1][k] - ends[0][k]);
				}
				for (int isCorrected = 0; isCorrected < 2 && n > 0; ++isCorrected)
				{
					double jump = getJump(&scene, points[(n + 1) % 2], points[n % 2], isCorrected == 1);
					worst[isCorrected] = fmax(worst[isCorrected], jump);
					if (jump > 0.05)
					{
						last[isCorrected] = fmax(last[isCorrected],
												 narrow(&scene, points[(n + 1) % 2], points[n % 2], isCorrected == 1));
					}
				}
			}
		}
		print_message("%d dimensions: weights change by %.4f in 1/400 of a line, and by %.5f in 1/6 million; corrected "
					  "%.4f, %.5f\n",
					  s_dimensions[d], worst[0], last[0], worst[1], last[1]);
		// What comes in may be needed at once, some thousand times as steeply: floats end before the slope is gone.
		assert_true(last[0] < 1e-4);
		assert_true(last[1] < 0.2);
	}
}

// What comes in where nothing but it meets a condition: from nothing, and step by step.
static void testEntering(void** state)
{
	(void)state;
	static const float coefficients[] = {0.9f, 0.02f, 1.1f, -0.03f, -1.4f, 0.01f};
	float last = 0.0f;
	double worst = 0.0;
	for (int i = -280; i <= -24; ++i)
	{
		// 2^-35 to 1/8 in eighths of octaves.
		float weight = (float)pow(2.0, 0.125 * i);
		rpNear near[3] = {{.index = 0, .weight = 0.6f}, {.index = 1, .weight = 0.4f}, {.index = 2, .weight = weight}};
		rpCorrectWeights(near, 3, coefficients, 2, MAX_CHANGE);
		expectWeights(near, 3);
		assert_true(near[2].weight <= 60000.0f * weight);
		worst = i > -280 ? fmax(worst, fabs((double)(near[2].weight - last))) : 0.0;
		last = near[2].weight;
	}
	print_message("one that comes in gets %.3f more weight at most as its own grows by 9 %%, and %.3f in the end\n",
				  worst, (double)last);
	assert_true(worst < 0.06 && last > 0.3f);
}

// ---- the direct solution

/// A programme as it is stated.
typedef struct Programme
{
	int count, conditionCount;
	double plain[8], terms[8][maxDimension];
} Programme;

static bool solveDense(double matrix[][maxDimension + 2], int n)
{
	for (int i = 0; i < n; ++i)
	{
		int pivot = i;
		for (int k = i + 1; k < n; ++k)
		{
			pivot = fabs(matrix[k][i]) > fabs(matrix[pivot][i]) ? k : pivot;
		}
		if (fabs(matrix[pivot][i]) < 1e-11)
		{
			return false;
		}
		for (int j = 0; j <= n; ++j)
		{
			double swapped = matrix[i][j];
			matrix[i][j] = matrix[pivot][j];
			matrix[pivot][j] = swapped;
		}
		for (int k = 0; k < n; ++k)
		{
			double factor = k != i ? matrix[k][i] / matrix[i][i] : 0.0;
			for (int j = i; j <= n; ++j)
			{
				matrix[k][j] -= factor * matrix[i][j];
			}
		}
	}
	for (int i = 0; i < n; ++i)
	{
		matrix[i][n] /= matrix[i][i];
	}
	return true;
}

// w = w0 (1 + a·y) of those in a set, a being 1 and the conditions. False where it has no solution or a weight is
// negative.
static bool solveSet(const Programme* p, unsigned set, double* weights, double* multipliers)
{
	double matrix[maxDimension + 1][maxDimension + 2] = {{0}};
	int n = p->conditionCount + 1;
	for (int k = 0; k < n; ++k)
	{
		matrix[k][n] = k == 0 ? 1.0 : 0.0;
		for (int i = 0; i < p->count; ++i)
		{
			double a = (set >> i & 1u) == 0 ? 0.0 : k == 0 ? 1.0 : p->terms[i][k - 1];
			matrix[k][n] -= p->plain[i] * a;
			for (int j = 0; j < n; ++j)
			{
				matrix[k][j] += p->plain[i] * a * (j == 0 ? 1.0 : p->terms[i][j - 1]);
			}
		}
	}
	bool isSolved = solveDense(matrix, n);
	for (int i = 0; i < p->count && isSolved; ++i)
	{
		double factor = 1.0 + matrix[0][n];
		for (int k = 0; k < p->conditionCount; ++k)
		{
			factor += matrix[k + 1][n] * p->terms[i][k];
		}
		weights[i] = (set >> i & 1u) != 0 ? p->plain[i] * factor : 0.0;
		isSolved = weights[i] >= -1e-12;
	}
	for (int k = 0; k < p->conditionCount && isSolved; ++k)
	{
		multipliers[k] = matrix[k + 1][n];
	}
	return isSolved;
}

// The best of all sets. False if none meets the conditions.
static bool solveDirectly(const Programme* p, double* best, double* multipliers)
{
	double cost = INFINITY;
	for (unsigned set = 1; set < 1u << p->count; ++set)
	{
		double weights[8], own = 0.0, y[maxDimension];
		if (solveSet(p, set, weights, y))
		{
			for (int i = 0; i < p->count; ++i)
			{
				own += (weights[i] - p->plain[i]) * (weights[i] - p->plain[i]) / p->plain[i];
			}
			if (own < cost)
			{
				cost = own;
				memcpy(best, weights, sizeof(weights));
				memcpy(multipliers, y, sizeof(y));
			}
		}
	}
	return cost < INFINITY;
}

static Programme makeProgramme(int count, int conditionCount, rpRandom* random)
{
	Programme p = {.count = count, .conditionCount = conditionCount};
	double sum = 0.0, total = 0.0, shift[maxDimension];
	for (int k = 0; k < conditionCount; ++k)
	{
		shift[k] = (double)rpRandom_Range(random, -0.8f, 0.8f);
	}
	for (int i = 0; i < count; ++i)
	{
		p.plain[i] = (double)(float)exp((double)rpRandom_Range(random, -4.0f, 0.0f));
		sum += p.plain[i];
		for (int k = 0; k < conditionCount; ++k)
		{
			p.terms[i][k] = (double)(float)((double)rpRandom_Range(random, -1.0f, 1.0f) + shift[k]);
		}
	}
	for (int i = 0; i < count; ++i)
	{
		p.plain[i] = (double)(float)(p.plain[i] / sum);
		total += p.plain[i];
	}
	for (int i = 0; i < count; ++i)
	{
		p.plain[i] /= total;
	}
	return p;
}

static void correct(const Programme* p, rpNear* near)
{
	float coefficients[8 * maxDimension];
	for (int i = 0; i < p->count; ++i)
	{
		near[i] = (rpNear){.index = i, .weight = (float)p->plain[i]};
		for (int k = 0; k < p->conditionCount; ++k)
		{
			coefficients[i * p->conditionCount + k] = (float)p->terms[i][k];
		}
	}
	rpCorrectWeights(near, p->count, coefficients, p->conditionCount, MAX_CHANGE);
	expectWeights(near, p->count);
}

// The size of a condition's coefficients.
static double getSize(const Programme* p, int condition)
{
	double square = 0.0;
	for (int i = 0; i < p->count; ++i)
	{
		square += p->plain[i] * p->terms[i][condition] * p->terms[i][condition];
	}
	return sqrt(square);
}

// How far conditions are from being met, in their sizes.
static double getMiss(const Programme* p, const double* weights)
{
	double square = 0.0;
	for (int k = 0; k < p->conditionCount; ++k)
	{
		double sum = 0.0;
		for (int i = 0; i < p->count; ++i)
		{
			sum += weights[i] * p->terms[i][k];
		}
		square += pow(sum / getSize(p, k), 2.0);
	}
	return sqrt(square);
}

// How large multipliers are, in conditions of size 1.
static double getChange(const Programme* p, const double* multipliers)
{
	double square = 0.0;
	for (int k = 0; k < p->conditionCount; ++k)
	{
		square += pow(multipliers[k] * getSize(p, k), 2.0);
	}
	return sqrt(square);
}

// The least miss that weights can have: towards the best corner, as far as is best (M. Frank & P. Wolfe 1956).
static double getLeastMiss(const Programme* p)
{
	double weights[8] = {1.0}, sizes[maxDimension];
	for (int k = 0; k < p->conditionCount; ++k)
	{
		sizes[k] = getSize(p, k);
	}
	for (int n = 0; n < 20000; ++n)
	{
		double rests[maxDimension] = {0.0}, best = INFINITY, along = 0.0, length = 0.0;
		int corner = 0;
		for (int i = 0; i < p->count; ++i)
		{
			for (int k = 0; k < p->conditionCount; ++k)
			{
				rests[k] += weights[i] * p->terms[i][k] / sizes[k];
			}
		}
		for (int i = 0; i < p->count; ++i)
		{
			double slope = 0.0;
			for (int k = 0; k < p->conditionCount; ++k)
			{
				slope += rests[k] * p->terms[i][k] / sizes[k];
			}
			corner = slope < best ? i : corner;
			best = fmin(best, slope);
		}
		for (int k = 0; k < p->conditionCount; ++k)
		{
			double way = p->terms[corner][k] / sizes[k] - rests[k];
			along -= way * rests[k];
			length += way * way;
		}
		double t = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
		for (int i = 0; i < p->count; ++i)
		{
			weights[i] += t * ((i == corner ? 1.0 : 0.0) - weights[i]);
		}
	}
	return getMiss(p, weights);
}

static void testDirect(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(6);
	int metCount = 0, unmetCount = 0, steepCount = 0;
	double worst = 0.0, worstMiss = 0.0;
	for (int n = 0; n < 4000; ++n)
	{
		Programme p =
			makeProgramme(2 + rpRandom_Index(&random, 7), 1 + rpRandom_Index(&random, n % 4 == 0 ? 6 : 3), &random);
		double direct[8], multipliers[maxDimension], own[8];
		rpNear near[8];
		correct(&p, near);
		for (int i = 0; i < p.count; ++i)
		{
			own[i] = (double)near[i].weight;
		}
		if (!solveDirectly(&p, direct, multipliers))
		{
			// Less would take a change that costs more than it gains.
			if (unmetCount++ % 10 == 0)
			{
				worstMiss = fmax(worstMiss, getMiss(&p, own) - getLeastMiss(&p));
			}
			continue;
		}
		++metCount;
		if (getChange(&p, multipliers) > 999.0)
		{
			++steepCount;
			continue;
		}
		for (int i = 0; i < p.count; ++i)
		{
			worst = fmax(worst, fabs(own[i] - direct[i]));
		}
	}
	print_message(
		"%d met, %.1e from the direct solution at most, %d of them too steep; %d not to be met, missed by %.4f "
		"more than need be at most\n",
		metCount, worst, steepCount, unmetCount, worstMiss);
	assert_true(metCount > 1000 && unmetCount > 500 && steepCount < metCount / 100);
	assert_true(worst < 1e-5);
	assert_true(worstMiss < 0.05);
}

// Conditions that say the same twice, or nothing.
static void testDegenerate(void** state)
{
	(void)state;
	rpNear near[3] = {{.index = 0, .weight = 0.5f}, {.index = 1, .weight = 0.25f}, {.index = 2, .weight = 0.25f}};
	rpCorrectWeights(near, 3, (float[]){1.0f, 2.0f, 0.0f, -1.0f, -2.0f, 0.0f, -1.0f, -2.0f, 0.0f}, 3, MAX_CHANGE);
	assert_float_equal(near[0].weight, 0.5, 1e-6);
	rpCorrectWeights(near, 3, (float[]){1.0f, 2.0f, 0.0f, -3.0f, -6.0f, 0.0f, -3.0f, -6.0f, 0.0f}, 3, MAX_CHANGE);
	assert_float_equal(near[0].weight, 0.75, 1e-6);
	assert_float_equal(near[1].weight, 0.125, 1e-6);
	// One side alone: as near as can be.
	rpCorrectWeights(near, 3, (float[]){1.0f, 2.0f, 3.0f}, 1, MAX_CHANGE);
	assert_float_equal(near[0].weight, 1.0, 1e-6);
	// What has no weight gets none, though it alone would do.
	near[0].weight = near[1].weight = 0.5f;
	near[2].weight = 0.0f;
	rpCorrectWeights(near, 3, (float[]){1.0f, 2.0f, -1.0f}, 1, MAX_CHANGE);
	assert_float_equal(near[2].weight, 0.0, 0.0);
	expectWeights(near, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFound),  cmocka_unit_test(testPlain),    cmocka_unit_test(testExamples),
		cmocka_unit_test(testTies),   cmocka_unit_test(testLinear),   cmocka_unit_test(testContinuity),
		cmocka_unit_test(testDirect), cmocka_unit_test(testEntering), cmocka_unit_test(testDegenerate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
