/// The distance of two clouds, directly: L. Kovar, "Automated Methods for Data-Driven Synthesis of Realistic and
/// Controllable Human Motion" (2004), eq. 4.1-4.4, in double precision. The grid's fast route is tested against it.
#include "distance/metric.h"

#include <math.h>
#include <string.h>

/// Weighted sums over two clouds: of the places of both, of xx' + zz' and xz' - zx', of x² + z² + x'² + z'², and of
/// (y - y')².
typedef struct Sums
{
	double x, z, x2, z2;
	double along, across, floor, height;
} Sums;

#define MAX_FRAMES (2 * RP_MAX_HALF_WINDOW + 1)

/// The same for every frame of the window, unweighted by it: the compiler then takes several frames at a time.
typedef struct FrameSums
{
	double x[MAX_FRAMES], z[MAX_FRAMES], x2[MAX_FRAMES], z2[MAX_FRAMES];
	double along[MAX_FRAMES], across[MAX_FRAMES], floor[MAX_FRAMES], height[MAX_FRAMES];
} FrameSums;

/// Where the tracks are, from their places in the middle of the windows: there the subtractions of eq. 4.2 lose
/// nothing.
typedef struct Shifts
{
	double x[MAX_FRAMES], z[MAX_FRAMES], x2[MAX_FRAMES], z2[MAX_FRAMES];
} Shifts;

static void findShifts(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j, Shifts* out)
{
	int middle = metric->halfWindow;
	for (int r = 0; r <= 2 * middle; ++r)
	{
		out->x[r] = a->trackX[i + r] - a->trackX[i + middle];
		out->z[r] = a->trackZ[i + r] - a->trackZ[i + middle];
		out->x2[r] = b->trackX[j + r] - b->trackX[j + middle];
		out->z2[r] = b->trackZ[j + r] - b->trackZ[j + middle];
	}
}

static void addMarker(const rpProfile* a, size_t atA, const rpProfile* b, size_t atB, double w, int count,
					  const Shifts* restrict shifts, FrameSums* restrict sums)
{
	const float *ax = a->x + atA, *ay = a->y + atA, *az = a->z + atA;
	const float *bx = b->x + atB, *by = b->y + atB, *bz = b->z + atB;
	for (int r = 0; r < count; ++r)
	{
		double x = ax[r] + shifts->x[r], z = az[r] + shifts->z[r], x2 = bx[r] + shifts->x2[r],
			   z2 = bz[r] + shifts->z2[r];
		double dy = (double)ay[r] - by[r];
		sums->x[r] += w * x;
		sums->z[r] += w * z;
		sums->x2[r] += w * x2;
		sums->z2[r] += w * z2;
		sums->along[r] += w * (x * x2 + z * z2);
		sums->across[r] += w * (x * z2 - z * x2);
		sums->floor[r] += w * (x * x + z * z + x2 * x2 + z2 * z2);
		sums->height[r] += w * dy * dy;
	}
}

static double applyWindow(const rpMetric* metric, const double* values)
{
	double sum = 0.0;
	for (int r = 0; r <= 2 * metric->halfWindow; ++r)
	{
		sum += metric->window[r] * values[r];
	}
	return sum;
}

static void clear(double* values, int count)
{
	memset(values, 0, (size_t)count * sizeof(double));
}

static Sums sumUp(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j)
{
	Shifts shifts;
	FrameSums frames;
	int count = 2 * metric->halfWindow + 1;
	double* const all[] = {frames.x,     frames.z,      frames.x2,    frames.z2,
						   frames.along, frames.across, frames.floor, frames.height};
	double sums[8];
	for (int k = 0; k < 8; ++k)
	{
		clear(all[k], count);
	}
	findShifts(metric, a, i, b, j, &shifts);
	for (int m = 0; m < metric->markerCount; ++m)
	{
		addMarker(a, (size_t)m * (size_t)a->stride + (size_t)i, b, (size_t)m * (size_t)b->stride + (size_t)j,
				  metric->shares[m], count, &shifts, &frames);
	}
	for (int k = 0; k < 8; ++k)
	{
		sums[k] = applyWindow(metric, all[k]);
	}
	return (Sums){sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]};
}

double rpCloud_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGroundTransform* alignment)
{
	Sums sums = sumUp(metric, a, i, b, j);
	double px = sums.x + a->trackX[i + metric->halfWindow], pz = sums.z + a->trackZ[i + metric->halfWindow];
	double qx = sums.x2 + b->trackX[j + metric->halfWindow], qz = sums.z2 + b->trackZ[j + metric->halfWindow];
	double along = sums.along - (sums.x * sums.x2 + sums.z * sums.z2);
	double across = sums.across - (sums.x * sums.z2 - sums.z * sums.x2);
	double spread =
		sums.floor - (sums.x * sums.x + sums.z * sums.z + sums.x2 * sums.x2 + sums.z2 * sums.z2) + sums.height;
	double square;
	rpGroundTransform ground = rpGroundTransform_identity;
	if (metric->placed)
	{
		square = spread - 2.0 * along + (px - qx) * (px - qx) + (pz - qz) * (pz - qz);
	}
	else
	{
		double turn = atan2(across, along), c = cos(turn), s = sin(turn);
		square = spread - 2.0 * hypot(along, across);
		ground = (rpGroundTransform){
			(float)turn,
			{(float)(px - c * qx - s * qz), 0.0f, (float)(pz + s * qx - c * qz)},
		};
	}
	if (alignment != NULL)
	{
		*alignment = ground;
	}
	return square > 0.0 ? square : 0.0;
}
