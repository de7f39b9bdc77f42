/// Weights of the nearest of scattered points by inverse distance, and their least correction.
///
/// The least change, Σ (w - w0)² / (2 w0) under Σ w = 1, Σ w c = 0 and w >= 0, has the form w = w0 (level + y·c), and 0
/// where that is negative. For given multipliers y the level follows from the sum; y maximises the dual function, which
/// is concave, of pieces of second degree, with gradient -Σ w c: Newton's method, whose set of weights above 0 changes
/// from step to step, finds the maximum in a few steps. Since level and y give weights that are not negative and add up
/// to 1 at any step, any end is a good one.
///
/// Conditions that cannot be met would make y infinite, and those that only one of hardly any weight meets would take
/// it from nothing to much at once. So what is added is maxChange |Σ w c|, a penalty that leaves conditions met exactly
/// as long as |y| <= maxChange. It is a quadratic one, (Σ w c)² / (2 ridge), with the ridge that equals |Σ w c| /
/// maxChange, found by the secant method from large ones downwards.
#include "math/near_weights.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// The least ridge: conditions that can be met are off by so much of their size, times |y|.
#define MIN_RIDGE 1e-10

// Dual values that differ by less than this part of them are the same: weights then are within 1e-7, as fine as float.
#define SAME_VALUE 1e-14

// The first ridge, and how much smaller than the last one a ridge is at most, so that Newton's method begins near its
// end: of what saves time, what leaves fewest unfinished (of 320,000 random cases in 1 to 6 dimensions).
#define FIRST_RIDGE 1e-2
#define FALL 0.03

// Ridges that differ by less than this part of them are the same.
#define SAME_RIDGE 1e-7

enum
{
	// It takes 4 steps in 1 dimension and 10 in 6; 3 of 10,000 cases end by these bounds.
	maxRidges = 16,
	maxSteps = 24,
	maxHalvings = 30,

	// What can be met is in so many, or would not be for long.
	maxQuickSteps = 4,
};

// ---- the nearest

void rpAddNear(rpNear* near, int* count, int max, float* rim, int index, float distance)
{
	distance = distance < INFINITY ? distance : INFINITY;
	if (*count == max)
	{
		float out = fmaxf(distance, near[max - 1].distance);
		*rim = fminf(*rim, out);
		if (distance >= near[max - 1].distance)
		{
			return;
		}
	}
	int at = *count < max ? (*count)++ : max - 1;
	for (; at > 0 && near[at - 1].distance > distance; --at)
	{
		near[at] = near[at - 1];
	}
	near[at] = (rpNear){.index = index, .distance = distance};
}

void rpFindMoreNear(const float* points, int first, int count, int dimension, const float* scales, const float* asked,
					int max, rpNear* near, int* nearCount, float* rim)
{
	RP_ASSERT(max >= 1 && max <= rp_maxNear);
	for (int i = first; i < first + count; ++i)
	{
		double square = 0.0;
		for (int k = 0; k < dimension; ++k)
		{
			double scale = isfinite(scales[k]) ? (double)scales[k] : 0.0;
			double difference = scale * ((double)points[i * dimension + k] - (double)asked[k]);
			square += difference * difference;
		}
		rpAddNear(near, nearCount, max, rim, i, (float)sqrt(square));
	}
}

int rpFindNear(const float* points, int pointCount, int dimension, const float* scales, const float* asked, int max,
			   rpNear* out, float* rim)
{
	int count = 0;
	*rim = INFINITY;
	rpFindMoreNear(points, 0, pointCount, dimension, scales, asked, max, out, &count, rim);
	return count;
}

// ---- inverse distance

// Those at no distance share all of it. False if there are none.
static bool weighSame(rpNear* near, int count)
{
	int same = 0;
	for (int i = 0; i < count; ++i)
	{
		same += near[i].distance <= 0.0f;
	}
	for (int i = 0; i < count && same > 0; ++i)
	{
		near[i].weight = near[i].distance <= 0.0f ? 1.0f / (float)same : 0.0f;
	}
	return same > 0;
}

void rpWeighNear(rpNear* near, int count, float rim, float nearest)
{
	nearest = fminf(nearest, 0.5f * rim);
	if (!(nearest > 0.0f) && weighSame(near, count))
	{
		return;
	}
	double weights[rp_maxNear], sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		weights[i] = fmax(1.0 / (double)fmaxf(near[i].distance, nearest) - 1.0 / (double)rim, 0.0);
		sum += weights[i];
	}
	for (int i = 0; i < count; ++i)
	{
		near[i].weight = (float)(sum > 0.0 ? weights[i] / sum : 1.0 / count);
	}
}

// ---- correction

/// What has weight, conditions divided by their size, and where the search is.
typedef struct Correction
{
	int count, conditionCount;

	/// |y| at most, of conditions whose coefficients have a mean square of 1.
	double maxChange;
	double plain[rp_maxNear], weights[rp_maxNear];
	double terms[rp_maxNear][rp_maxNearConditions];

	/// Σ w c of the weights, and what they cost: Σ (w - w0)² / (2 w0).
	double rests[rp_maxNearConditions];
	double cost;
} Correction;

static double dot(const double* a, const double* b, int count)
{
	double sum = 0.0;
	for (int k = 0; k < count; ++k)
	{
		sum += a[k] * b[k];
	}
	return sum;
}

// Only what has weight, and it adds up to 1.
static void collect(Correction* c, const rpNear* near, int count, const float* coefficients)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		if (near[i].weight > 0.0f)
		{
			for (int k = 0; k < c->conditionCount; ++k)
			{
				c->terms[c->count][k] = (double)coefficients[i * c->conditionCount + k];
			}
			c->plain[c->count++] = (double)near[i].weight;
			sum += (double)near[i].weight;
		}
	}
	for (int i = 0; i < c->count; ++i)
	{
		c->plain[i] /= sum;
	}
}

// The weighted mean square of each condition's coefficients becomes 1: one that cannot be met by far is then about 1
// for all, and no reason to miss the others. It does not depend on what has no weight.
static void normalize(Correction* c)
{
	for (int k = 0; k < c->conditionCount; ++k)
	{
		double square = 0.0;
		for (int i = 0; i < c->count; ++i)
		{
			square += c->plain[i] * c->terms[i][k] * c->terms[i][k];
		}
		for (int i = 0; i < c->count && square > 0.0; ++i)
		{
			c->terms[i][k] /= sqrt(square);
		}
	}
}

// The weights of multipliers. The level is first that of all; what comes out negative goes, which lowers it, until
// nothing does (C. Michelot 1986).
static void setWeights(Correction* c, const double* multipliers)
{
	double factors[rp_maxNear], level = 0.0;
	bool isOut[rp_maxNear] = {false};
	for (int i = 0; i < c->count; ++i)
	{
		factors[i] = dot(multipliers, c->terms[i], c->conditionCount);
	}
	for (bool changed = true; changed;)
	{
		double sum = 0.0, moment = 0.0;
		for (int i = 0; i < c->count; ++i)
		{
			sum += isOut[i] ? 0.0 : c->plain[i];
			moment += isOut[i] ? 0.0 : c->plain[i] * factors[i];
		}
		level = (1.0 - moment) / sum;
		changed = false;
		for (int i = 0; i < c->count; ++i)
		{
			if (!isOut[i] && level + factors[i] <= 0.0)
			{
				changed = isOut[i] = true;
			}
		}
	}
	c->cost = 0.0;
	memset(c->rests, 0, sizeof(c->rests));
	for (int i = 0; i < c->count; ++i)
	{
		double change = isOut[i] ? -1.0 : level + factors[i] - 1.0;
		c->weights[i] = isOut[i] ? 0.0 : c->plain[i] * (1.0 + change);
		c->cost += 0.5 * c->plain[i] * change * change;
		for (int k = 0; k < c->conditionCount; ++k)
		{
			c->rests[k] += c->weights[i] * c->terms[i][k];
		}
	}
}

// Minus the second derivatives of the dual function: the covariance of the terms of what has weight, and the ridge.
static void fillMatrix(const Correction* c, double ridge, double matrix[][rp_maxNearConditions])
{
	double sum = 0.0, means[rp_maxNearConditions] = {0.0};
	int n = c->conditionCount;
	memset(matrix, 0, sizeof(double[rp_maxNearConditions][rp_maxNearConditions]));
	for (int i = 0; i < c->count; ++i)
	{
		double plain = c->weights[i] > 0.0 ? c->plain[i] : 0.0;
		sum += plain;
		for (int k = 0; k < n && plain > 0.0; ++k)
		{
			means[k] += plain * c->terms[i][k];
			for (int j = 0; j <= k; ++j)
			{
				matrix[k][j] += plain * c->terms[i][k] * c->terms[i][j];
			}
		}
	}
	for (int k = 0; k < n; ++k)
	{
		for (int j = 0; j <= k; ++j)
		{
			matrix[k][j] -= means[k] * means[j] / sum;
		}
		matrix[k][k] += ridge;
	}
}

// Cholesky's way; the matrix's lower half is used up. What rounding left without a positive pivot is not moved.
static void solve(double matrix[][rp_maxNearConditions], double* right, int n)
{
	for (int k = 0; k < n; ++k)
	{
		double pivot = matrix[k][k] - dot(matrix[k], matrix[k], k);
		matrix[k][k] = pivot > 0.0 ? sqrt(pivot) : INFINITY;
		for (int i = k + 1; i < n; ++i)
		{
			matrix[i][k] = (matrix[i][k] - dot(matrix[i], matrix[k], k)) / matrix[k][k];
		}
		right[k] = (right[k] - dot(matrix[k], right, k)) / matrix[k][k];
	}
	for (int k = n - 1; k >= 0; --k)
	{
		for (int i = k + 1; i < n; ++i)
		{
			right[k] -= matrix[i][k] * right[i];
		}
		right[k] /= matrix[k][k];
	}
}

// The dual function at multipliers whose weights are set.
static double getDual(const Correction* c, const double* y, double ridge)
{
	int n = c->conditionCount;
	return c->cost - dot(y, c->rests, n) - 0.5 * ridge * dot(y, y, n);
}

// One step of Newton's, halved until it gains enough (Armijo). False once there is nothing to gain.
static bool step(Correction* c, double* y, double ridge)
{
	double matrix[rp_maxNearConditions][rp_maxNearConditions];
	double slope[rp_maxNearConditions], way[rp_maxNearConditions], from[rp_maxNearConditions];
	int n = c->conditionCount;
	double dual = getDual(c, y, ridge);
	for (int k = 0; k < n; ++k)
	{
		from[k] = y[k];
		slope[k] = way[k] = -c->rests[k] - ridge * y[k];
	}
	fillMatrix(c, ridge, matrix);
	solve(matrix, way, n);
	double gain = dot(slope, way, n), length = 1.0;
	bool isLast = !(gain > SAME_VALUE * (1.0 + fabs(dual)));
	for (int i = 0; i < maxHalvings; ++i, length *= 0.5)
	{
		for (int k = 0; k < n; ++k)
		{
			y[k] = from[k] + length * way[k];
		}
		setWeights(c, y);
		if (isLast || getDual(c, y, ridge) >= dual + 1e-4 * length * gain)
		{
			break;
		}
	}
	return !isLast;
}

// The ridge after one that has left so much, where the last one left lastRest: that for which the rest would be
// maxChange of it, were the rest linear in the ridge.
static double getNextRidge(double maxChange, double ridge, double rest, double last, double lastRest)
{
	double slope = (rest - lastRest) / (ridge - last);
	double next = last > 0.0 && slope < maxChange ? (rest - slope * ridge) / (maxChange - slope) : rest / maxChange;
	return fmax(fmax(next, MIN_RIDGE), FALL * ridge);
}

// Mostly conditions can be met, and then the least ridge does at once. False if not so.
static bool meet(Correction* c)
{
	double y[rp_maxNearConditions] = {0.0};
	bool hasMore = true;
	setWeights(c, y);
	for (int k = 0; k < maxQuickSteps && hasMore; ++k)
	{
		hasMore = step(c, y, MIN_RIDGE);
	}
	return !hasMore && dot(y, y, c->conditionCount) <= c->maxChange * c->maxChange;
}

static void approach(Correction* c)
{
	double y[rp_maxNearConditions] = {0.0}, ridge = FIRST_RIDGE, last = 0.0, lastRest = 0.0;
	setWeights(c, y);
	for (int i = 0; i < maxRidges && fabs(ridge - last) > SAME_RIDGE * last; ++i)
	{
		for (int k = 0; k < maxSteps && step(c, y, ridge); ++k)
		{
		}
		double rest = sqrt(dot(c->rests, c->rests, c->conditionCount));
		double next = getNextRidge(c->maxChange, ridge, rest, last, lastRest);
		last = ridge;
		lastRest = rest;
		ridge = next;
	}
}

void rpCorrectWeights(rpNear* near, int count, const float* coefficients, int conditionCount, float maxChange)
{
	RP_ASSERT(count <= rp_maxNear && conditionCount <= rp_maxNearConditions);
	Correction c = {.conditionCount = conditionCount, .maxChange = (double)maxChange};
	collect(&c, near, count, coefficients);
	if (c.count < 2)
	{
		return;
	}
	normalize(&c);
	if (!meet(&c))
	{
		approach(&c);
	}
	for (int i = 0, k = 0; i < count; ++i)
	{
		near[i].weight = near[i].weight > 0.0f ? (float)c.weights[k++] : 0.0f;
	}
}
