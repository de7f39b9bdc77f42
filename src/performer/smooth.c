/// Smooth functions of time that the acts share, and the manner of a seed.
#include "performer/stage.h"

float rpEase(double a, double b, double t)
{
	double s = fmin(fmax((t - a) / (b - a), 0.0), 1.0);
	return (float)(s * s * s * (10.0 + s * (6.0 * s - 15.0)));
}

float rpEaseInOut(double a, double b, double c, double d, double t)
{
	return rpEase(a, b, t) * (1.0f - rpEase(c, d, t));
}

// SplitMix64 (Steele, Lea & Flood 2014): every bit of the input changes every bit of the output.
static uint64_t scramble(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

float rpChance(uint64_t seed, int channel, int index)
{
	uint64_t x = scramble(scramble(scramble(seed) + (uint64_t)(int64_t)channel) + (uint64_t)(int64_t)index);
	// The sum of three uniform numbers, of deviation 0.5, is nearly normal and bounded.
	double sum = (double)(x & 0x1fffff) + (double)((x >> 21) & 0x1fffff) + (double)(x >> 42 & 0x1fffff);
	return (float)(1.6667 * (sum / 2097151.0 * 2.0 - 3.0) * 0.5);
}

float rpNoise(uint64_t seed, int channel, double x)
{
	double cell = floor(x), s = x - cell, r = 1.0 - s;
	int k = (int)cell;
	double a = r * r * r, b = 4.0 + s * s * (3.0 * s - 6.0), c = 4.0 + r * r * (3.0 * r - 6.0), d = s * s * s;
	return (float)((a * rpChance(seed, channel, k - 1) + b * rpChance(seed, channel, k) +
					c * rpChance(seed, channel, k + 1) + d * rpChance(seed, channel, k + 2)) /
				   6.0);
}

// The quintic of two knots, one channel.
static double sampleQuintic(const rpKnot* a, const rpKnot* b, int i, double t)
{
	double h = b->t - a->t, s = (t - a->t) / h, s3 = s * s * s;
	double v0 = h * a->v[i], v1 = h * b->v[i], a0 = 0.5 * h * h * a->a[i], a1 = 0.5 * h * h * b->a[i];
	double d = b->p[i] - a->p[i] - v0 - a0, e = v1 - v0 - 2.0 * a0, f = a1 - a0;
	return a->p[i] + s * (v0 + s * a0) +
		   s3 * ((10.0 * d - 4.0 * e + f) + s * ((7.0 * e - 15.0 * d - 2.0 * f) + s * (6.0 * d - 3.0 * e + f)));
}

rpVec3 rpSampleKnots(const rpKnot* knots, int count, double t)
{
	if (count == 1 || t <= knots[0].t)
	{
		return (rpVec3){(float)knots[0].p[0], (float)knots[0].p[1], (float)knots[0].p[2]};
	}
	int low = 0, high = count - 1;
	t = fmin(t, knots[high].t);
	while (high - low > 1)
	{
		int middle = (low + high) / 2;
		if (knots[middle].t <= t)
		{
			low = middle;
		}
		else
		{
			high = middle;
		}
	}
	const rpKnot *a = knots + low, *b = knots + high;
	return (rpVec3){(float)sampleQuintic(a, b, 0, t), (float)sampleQuintic(a, b, 1, t),
					(float)sampleQuintic(a, b, 2, t)};
}

rpManner rpMakeManner(uint64_t seed)
{
	rpManner manner = {.seed = seed, .cadence = 1.0f, .armSwing = 1.0f, .bounce = 1.0f, .width = 1.0f};
	if (seed == 0)
	{
		return manner;
	}
	manner.cadence += 0.025f * rpChance(seed, 0, 0);
	manner.armSwing += 0.16f * rpChance(seed, 0, 1);
	manner.bounce += 0.08f * rpChance(seed, 0, 2);
	manner.width += 0.08f * rpChance(seed, 0, 3);
	manner.lean = 0.018f * rpChance(seed, 0, 4);
	manner.elbow = 0.08f * rpChance(seed, 0, 5);
	manner.toeOut = 0.035f * rpChance(seed, 0, 6);
	manner.nod = 0.03f * rpChance(seed, 0, 7);
	manner.asymmetry = 0.01f * rpChance(seed, 0, 8);
	manner.variation = 1.0f;
	return manner;
}
