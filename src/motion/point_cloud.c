/// The closed form of Kovar's distance between two clouds of points: L. Kovar, "Automated Methods for Data-Driven
/// Synthesis of Realistic and Controllable Human Motion" (2004), eq. 4.1-4.4. The direct route, in double precision.
#include "motion/point_cloud.h"

#include "math/elementary.h"

#include <stddef.h>

static double weightAt(const float* weights, int index)
{
	return weights != NULL ? weights[index] : 1.0;
}

/// The weighted means of two clouds on the floor.
typedef struct Means
{
	double weight;
	double px, pz, qx, qz;
} Means;

static Means getMeans(const rpVec3* p, const rpVec3* q, const float* weights, int count)
{
	Means means = {0};
	for (int k = 0; k < count; ++k)
	{
		double w = weightAt(weights, k);
		means.weight += w;
		means.px += w * p[k].x;
		means.pz += w * p[k].z;
		means.qx += w * q[k].x;
		means.qz += w * q[k].z;
	}
	double s = 1.0 / means.weight;
	return (Means){means.weight, s * means.px, s * means.pz, s * means.qx, s * means.qz};
}

double rpFitClouds(const rpVec3* p, const rpVec3* q, const float* weights, int count, rpGroundTransform* out)
{
	Means means = getMeans(p, q, weights, count);

	// About the means, products stay small and the subtractions of eq. 4.2 are exact.
	double along = 0.0, across = 0.0, squares = 0.0;
	for (int k = 0; k < count; ++k)
	{
		double w = weightAt(weights, k);
		double px = p[k].x - means.px, pz = p[k].z - means.pz, qx = q[k].x - means.qx, qz = q[k].z - means.qz;
		double dy = (double)p[k].y - q[k].y;
		along += w * (px * qx + pz * qz);
		across += w * (px * qz - pz * qx);
		squares += w * (px * px + pz * pz + qx * qx + qz * qz + dy * dy);
	}
	double turn = rpAtan2Double(across, along), c = rpCosDouble(turn), s = rpSinDouble(turn);
	*out = (rpGroundTransform){
		(float)turn,
		{(float)(means.px - c * means.qx - s * means.qz), 0.0f, (float)(means.pz + s * means.qx - c * means.qz)},
	};
	double distance = (squares - 2.0 * rpHypotDouble(along, across)) / means.weight;
	return distance > 0.0 ? distance : 0.0;
}

double rpCompareClouds(const rpVec3* p, const rpVec3* q, const float* weights, int count)
{
	double sum = 0.0, total = 0.0;
	for (int k = 0; k < count; ++k)
	{
		double w = weightAt(weights, k);
		double dx = (double)p[k].x - q[k].x, dy = (double)p[k].y - q[k].y, dz = (double)p[k].z - q[k].z;
		sum += w * (dx * dx + dy * dy + dz * dz);
		total += w;
	}
	return sum / total;
}
