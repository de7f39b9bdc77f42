/// A window as a product of short passes. A box of n frames is one of p frames, then one of n / p frames p apart, for
/// every prime p of n; a triangle of 2n - 1 frames is two boxes of n. So 15 frames of a triangle, n = 8, are three
/// passes with taps 1, 2, 1 at steps of 1, 2 and 4.
#include "distance/metric.h"

#include "base/memory.h"

static int findFactor(int n)
{
	int p = 2;
	while (n % p != 0)
	{
		++p;
	}
	return p;
}

// Taps of a box of p frames, or of two, one after the other.
static int fillTaps(rpWindowShape shape, int p, float* out)
{
	int count = shape == rp_windowBox ? p : 2 * p - 1;
	for (int t = 0; t < count; ++t)
	{
		out[t] = shape == rp_windowBox ? 1.0f : (float)(t < p ? t + 1 : count - t);
	}
	return count;
}

static void addPass(rpMetric* metric, const float* taps, int tapCount, int step)
{
	double sum = 0.0;
	for (int t = 0; t < tapCount; ++t)
	{
		sum += taps[t];
	}
	metric->passes[metric->passCount++] = (rpWindowPass){taps, tapCount, step};
	metric->passScale /= sum;
}

bool rpCloud_FactorWindow(rpMetric* metric, rpWindowShape shape, rpError* error)
{
	int count = 2 * metric->halfWindow + 1;
	// The taps of all passes together are fewer than those of the window, but for one more in each pass.
	metric->taps = rpAllocate((size_t)count + RP_MAX_PASSES, sizeof(float), error);
	if (metric->taps == NULL)
	{
		return false;
	}
	metric->passScale = 1.0;
	if (shape == rp_windowGauss)
	{
		for (int t = 0; t < count; ++t)
		{
			metric->taps[t] = (float)(metric->window[t] / metric->window[metric->halfWindow]);
		}
		addPass(metric, metric->taps, count, 1);
		return true;
	}
	float* taps = metric->taps;
	for (int n = shape == rp_windowBox ? count : metric->halfWindow + 1, step = 1; n > 1;)
	{
		int p = findFactor(n), tapCount = fillTaps(shape, p, taps);
		addPass(metric, taps, tapCount, step);
		taps += tapCount;
		step *= p;
		n /= p;
	}
	return true;
}
