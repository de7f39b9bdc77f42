/// How left and right half cycles share a turn: the regression of Kwon & Shin 2005, eq. 14.
#include "build/locomotion_build.h"

#include <math.h>

enum
{
	/// Speed, turn, constant.
	termCount = 3,
	/// With fewer pairs there is a constant alone.
	minPairs = 8,
};

// A column whose deviation is below this says nothing: m/s, rad/s.
#define MIN_DEVIATION 0.02

/// Sums over pairs of half cycles, about nothing: products of the terms, of the terms with the difference, and the
/// difference's square.
typedef struct Sums
{
	double products[termCount][termCount];
	double right[termCount];
	double square;
	int count;
} Sums;

static bool isHalfCycle(const rpMovement* movement, rpGait gait)
{
	return rpMovementKind_GetBefore(movement->kind) == gait && rpMovementKind_GetAfter(movement->kind) == gait;
}

static void addPair(Sums* sums, const rpMovement* a, const rpMovement* b)
{
	bool isLeftFirst = rpMovementKind_GetFoot(a->kind) == 'L';
	const rpMovement *left = isLeftFirst ? a : b, *right = isLeftFirst ? b : a;
	double difference = (double)left->turn - (double)right->turn;
	double terms[termCount] = {0.5 * ((double)left->speed + (double)right->speed),
							   0.5 * ((double)left->turn + (double)right->turn), 1.0};
	for (int i = 0; i < termCount; ++i)
	{
		for (int k = 0; k < termCount; ++k)
		{
			sums->products[i][k] += terms[i] * terms[k];
		}
		sums->right[i] += terms[i] * difference;
	}
	sums->square += difference * difference;
	++sums->count;
}

static bool variesEnough(const Sums* sums, int term)
{
	int constant = termCount - 1;
	double mean = sums->products[term][constant] / sums->count;
	double variance = sums->products[term][term] / sums->count - mean * mean;
	return variance > MIN_DEVIATION * MIN_DEVIATION;
}

// Terms that say nothing are left out: their row becomes x = 0.
static void dropTerm(Sums* sums, int term)
{
	for (int i = 0; i < termCount; ++i)
	{
		sums->products[term][i] = sums->products[i][term] = 0.0;
	}
	sums->products[term][term] = 1.0;
	sums->right[term] = 0.0;
}

// Cholesky's method, for a matrix of three rows; what is not positive beside its diagonal is dropped.
static void solve(const Sums* sums, double out[termCount])
{
	double lower[termCount][termCount] = {0}, middle[termCount];
	for (int i = 0; i < termCount; ++i)
	{
		double rest = sums->products[i][i];
		for (int k = 0; k < i; ++k)
		{
			double sum = sums->products[i][k];
			for (int j = 0; j < k; ++j)
			{
				sum -= lower[i][j] * lower[k][j];
			}
			lower[i][k] = lower[k][k] > 0.0 ? sum / lower[k][k] : 0.0;
			rest -= lower[i][k] * lower[i][k];
		}
		lower[i][i] = rest > 1e-12 * sums->products[i][i] ? sqrt(rest) : 0.0;
	}
	for (int i = 0; i < termCount; ++i)
	{
		double sum = sums->right[i];
		for (int k = 0; k < i; ++k)
		{
			sum -= lower[i][k] * middle[k];
		}
		middle[i] = lower[i][i] > 0.0 ? sum / lower[i][i] : 0.0;
	}
	for (int i = termCount - 1; i >= 0; --i)
	{
		double sum = middle[i];
		for (int k = i + 1; k < termCount; ++k)
		{
			sum -= lower[k][i] * out[k];
		}
		out[i] = lower[i][i] > 0.0 ? sum / lower[i][i] : 0.0;
	}
}

static double getExplained(const Sums* sums, const double* solution)
{
	double mean = sums->right[termCount - 1] / sums->count;
	double variance = sums->square / sums->count - mean * mean;
	// Residual of the normal equations' solution: the square less what the terms take of it.
	double taken = 0.0;
	for (int i = 0; i < termCount; ++i)
	{
		taken += solution[i] * sums->right[i];
	}
	double residual = (sums->square - taken) / sums->count;
	return variance > 0.0 ? fmin(fmax(1.0 - residual / variance, 0.0), 1.0) : 0.0;
}

rpTurnRule rpFitTurnRule(const rpMovement* movements, int count, rpGait gait)
{
	Sums sums = {0};
	for (int i = 1; i < count; ++i)
	{
		const rpMovement *a = movements + i - 1, *b = movements + i;
		if (b->isSuccessor && isHalfCycle(a, gait) && isHalfCycle(b, gait) && a->kind != b->kind)
		{
			addPair(&sums, a, b);
		}
	}
	if (sums.count == 0)
	{
		return (rpTurnRule){0};
	}
	for (int term = 0; term + 1 < termCount; ++term)
	{
		if (sums.count < minPairs || !variesEnough(&sums, term))
		{
			dropTerm(&sums, term);
		}
	}
	double solution[termCount];
	solve(&sums, solution);
	return (rpTurnRule){(float)solution[0], (float)solution[1], (float)solution[2], sums.count,
						(float)getExplained(&sums, solution)};
}
