/// Frames per second from a frame time.
#include "file/bvh_text.h"

#include <math.h>

// A frame time of few digits ("0.0083333") means the whole rate or the television rate that is this near.
#define ROUGH_RATE 5e-4

// One of so many digits means what it says, up to the rounding of its digits.
#define EXACT_DIGITS 12

static double snap(long double rate, double tolerance)
{
	static const double rates[] = {24000.0 / 1001.0, 30000.0 / 1001.0, 60000.0 / 1001.0, 120000.0 / 1001.0};
	double best = nearbyint((double)rate), distance = fabs((double)(rate / best) - 1.0);
	for (int i = 0; i < 4; ++i)
	{
		double other = fabs((double)(rate / rates[i]) - 1.0);
		if (!(distance <= other))
		{
			best = rates[i];
			distance = other;
		}
	}
	return distance <= tolerance ? best : (double)rate;
}

double bvhGetRate(long double frameTime, int digits)
{
	if (!(frameTime > 0.0L) || !isfinite((double)(1.0L / frameTime)) || !((double)(1.0L / frameTime) > 0.0))
	{
		return 0.0;
	}
	return snap(1.0L / frameTime, digits < EXACT_DIGITS ? ROUGH_RATE : pow(10.0, 1 - digits));
}
