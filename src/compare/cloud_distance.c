/// The distance of two clouds, directly: L. Kovar, "Automated Methods for Data-Driven Synthesis of Realistic and
/// Controllable Human Motion" (2004), eq. 4.1-4.4, in double precision. The grid's fast route is tested against it.
#include "compare/metric.h"

#include <math.h>

/// A cloud's weighted mean on the floor.
typedef struct Mean
{
	double x, z;
} Mean;

static Mean getMean(const rpMetric* metric, const rpProfile* profile, int frame)
{
	Mean mean = {0};
	for (int r = 0; r <= 2 * metric->reach; ++r)
	{
		for (int m = 0; m < metric->markerCount; ++m)
		{
			double w = metric->window[r] * metric->shares[m];
			size_t at = (size_t)m * (size_t)profile->stride + (size_t)(frame + r);
			mean.x += w * (profile->trackX[frame + r] + profile->x[at]);
			mean.z += w * (profile->trackZ[frame + r] + profile->z[at]);
		}
	}
	return mean;
}

/// Sums over two clouds.
typedef struct Sums
{
	/// Of xx' + zz', xz' - zx', x² + z² + x'² + z'² about the clouds' means; and of (y - y')².
	double along, across, floor, height;
} Sums;

static Sums sumUp(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j, Mean p, Mean q)
{
	Sums sums = {0};
	size_t strideA = (size_t)a->stride, strideB = (size_t)b->stride;
	for (int r = 0; r <= 2 * metric->reach; ++r)
	{
		double ax = a->trackX[i + r] - p.x, az = a->trackZ[i + r] - p.z;
		double bx = b->trackX[j + r] - q.x, bz = b->trackZ[j + r] - q.z;
		for (int m = 0; m < metric->markerCount; ++m)
		{
			double w = metric->window[r] * metric->shares[m];
			size_t atA = (size_t)m * strideA + (size_t)(i + r), atB = (size_t)m * strideB + (size_t)(j + r);
			double x = a->x[atA] + ax, z = a->z[atA] + az, x2 = b->x[atB] + bx, z2 = b->z[atB] + bz;
			double dy = (double)a->y[atA] - b->y[atB];
			sums.along += w * (x * x2 + z * z2);
			sums.across += w * (x * z2 - z * x2);
			sums.floor += w * (x * x + z * z + x2 * x2 + z2 * z2);
			sums.height += w * dy * dy;
		}
	}
	return sums;
}

double rpCloud_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGround* alignment)
{
	Mean p = getMean(metric, a, i), q = getMean(metric, b, j);
	Sums sums = sumUp(metric, a, i, b, j, p, q);
	double square;
	rpGround ground = rpGround_identity;
	if (metric->placed)
	{
		double dx = p.x - q.x, dz = p.z - q.z;
		square = sums.floor - 2.0 * sums.along + sums.height + dx * dx + dz * dz;
	}
	else
	{
		double turn = atan2(sums.across, sums.along), c = cos(turn), s = sin(turn);
		square = sums.floor - 2.0 * hypot(sums.along, sums.across) + sums.height;
		ground = (rpGround){
			(float)turn,
			{(float)(p.x - c * q.x - s * q.z), 0.0f, (float)(p.z + s * q.x - c * q.z)},
		};
	}
	if (alignment != NULL)
	{
		*alignment = ground;
	}
	return square > 0.0 ? square : 0.0;
}
