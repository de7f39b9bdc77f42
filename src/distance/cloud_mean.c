/// The track of a cloud's mean within a window, in single precision.
///
/// A body wanders tens of metres, and through a window by metres; products of such coordinates in floats would lose
/// what distances are made of. With c the mean of a frame's markers, what eq. 4.2 needs of the floor is
///     S = sum of window * weight * (p - C) (p' - C')*,
/// complex numbers, C the mean of the window. So markers are kept as v = p - s about a smooth track s, and the window
/// runs over products of v, which are small. The rest is known from the coefficients of c and of e = c - s, the mean of
/// v, in polynomials that are orthonormal under the window's weights:
///     S = window of (v v'*) + sum over n >= 1 of c_n c'_n* - sum over n >= 0 of e_n e'_n*.
/// Where a track has no coefficient of degree n, c_n = e_n, and the two terms cancel. Tracks are smooth, so that a few
/// degrees are enough; how many is found for every pair of profiles from their largest coefficients. With all 2L of
/// them the formula is exact whatever the track. Coefficients carry the root of metric->gridScale, since products of
/// markers carry gridScale.
#include "distance/metric.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// What all left-out terms together may be, m²: a fifth of what the grid promises.
#define MIN_PRODUCT 1e-7

static double project(const double* a, const double* b, const double* weights, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += weights[i] * a[i] * b[i];
	}
	return sum;
}

// Takes the components along the first `known` polynomials off, twice, since once leaves rounding, and normalises.
static void straighten(double* next, const double* known, int knownCount, const double* weights, int count)
{
	for (int n = 0; n < 2 * knownCount; ++n)
	{
		const double* polynomial = known + (size_t)(n % knownCount) * (size_t)count;
		double along = project(next, polynomial, weights, count);
		for (int i = 0; i < count; ++i)
		{
			next[i] -= along * polynomial[i];
		}
	}
	double length = sqrt(project(next, next, weights, count));
	for (int i = 0; i < count; ++i)
	{
		next[i] /= length;
	}
}

bool rpCloud_MakePolynomials(rpMetric* metric, rpError* error)
{
	int count = 2 * metric->halfWindow + 1;
	metric->polynomials = rpAllocate((size_t)count * (size_t)count, sizeof(double), error);
	if (metric->polynomials == NULL)
	{
		return false;
	}
	for (int n = 0; n < count; ++n)
	{
		double* polynomial = metric->polynomials + (size_t)n * (size_t)count;
		for (int i = 0; i < count; ++i)
		{
			double r = (i - metric->halfWindow) / (metric->halfWindow + 1.0);
			polynomial[i] = n == 0 ? 1.0 : r * polynomial[i - count];
		}
		if (n > 0)
		{
			straighten(polynomial, metric->polynomials, n, metric->window, count);
		}
	}
	return true;
}

static double measure(const rpMetric* metric, int degree, const double* values)
{
	int count = 2 * metric->halfWindow + 1;
	const double* polynomial = metric->polynomials + (size_t)degree * (size_t)count;
	double sum = 0.0;
	for (int r = 0; r < count; ++r)
	{
		// From the middle, where numbers are small; degrees above 0 do not see the difference.
		sum += metric->window[r] * polynomial[r] * (values[r] - (degree > 0 ? values[metric->halfWindow] : 0.0));
	}
	return sum;
}

void rpCloud_FollowMean(const rpMetric* metric, rpProfile* profile, int frame, const double* meanX, const double* meanZ)
{
	double scale = sqrt(metric->gridScale);
	for (int n = 0; n <= 2 * metric->halfWindow; ++n)
	{
		size_t at = (size_t)(2 * n) * (size_t)profile->formStride + (size_t)frame;
		double x = measure(metric, n, meanX + frame), z = measure(metric, n, meanZ + frame);
		double trackX = measure(metric, n, profile->trackX + frame);
		double trackZ = measure(metric, n, profile->trackZ + frame);
		profile->meanTermsX[at] = (float)(scale * (x - trackX));
		profile->meanTermsZ[at] = (float)(scale * (z - trackZ));
		if (n > 0)
		{
			profile->meanTermsX[at - (size_t)profile->formStride] = (float)(scale * x);
			profile->meanTermsZ[at - (size_t)profile->formStride] = (float)(scale * z);
			profile->meanPeaks[n - 1] = fmax(profile->meanPeaks[n - 1], hypot(x, z));
			profile->trackPeaks[n - 1] = fmax(profile->trackPeaks[n - 1], hypot(trackX, trackZ));
		}
	}
}

int rpCloud_CountTerms(const rpMetric* metric)
{
	return 4 * metric->halfWindow + 1;
}

int rpCloud_CountNeededTerms(const rpMetric* metric, const rpProfile* a, const rpProfile* b)
{
	double leftOut = 0.0;
	int degree = 2 * metric->halfWindow;
	while (degree > 0)
	{
		// c c' - (c - s) (c' - s')
		int n = degree - 1;
		leftOut += a->meanPeaks[n] * b->trackPeaks[n] + a->trackPeaks[n] * b->meanPeaks[n] +
				   a->trackPeaks[n] * b->trackPeaks[n];
		if (!(leftOut <= MIN_PRODUCT))
		{
			break;
		}
		--degree;
	}
	return 2 * degree + 1;
}
