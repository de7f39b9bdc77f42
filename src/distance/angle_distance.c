/// The distance of two frames by angles, directly (Wang's thesis, eq. IV.2-IV.4), in double precision; and tiles of the
/// grid of them.
#include "distance/metric.h"
#include "distance/tiler.h"

#include <math.h>

// From the chord, which is exact where they are near.
double rpAngle_SquareTurn(const rpProfile* a, int i, const rpProfile* b, int j, int turn)
{
	double dot = 0.0, near = 0.0, far = 0.0;
	for (int k = 0; k < 4; ++k)
	{
		double p = a->turns[(4 * (size_t)turn + (size_t)k) * (size_t)a->formStride + (size_t)i];
		double q = b->turns[(4 * (size_t)turn + (size_t)k) * (size_t)b->formStride + (size_t)j];
		dot += p * q;
		near += (p - q) * (p - q);
		far += (p + q) * (p + q);
	}
	double chord = sqrt(dot < 0.0 ? far : near), other = sqrt(dot < 0.0 ? near : far);
	double angle = 4.0 * atan2(chord, other);
	return angle * angle;
}

double rpAngle_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGroundTransform* alignment)
{
	double sum = 0.0;
	for (int k = 0; k < a->turnCount; ++k)
	{
		sum += (double)metric->turnWeights[k] * rpAngle_SquareTurn(a, i, b, j, k);
	}
	for (int k = 0; k < a->featureCount; ++k)
	{
		double difference = (double)a->features[(size_t)k * (size_t)a->formStride + (size_t)i] -
							(double)b->features[(size_t)k * (size_t)b->formStride + (size_t)j];
		sum += difference * difference;
	}
	if (alignment != NULL)
	{
		*alignment = rpGroundTransform_Compose(a->grounds[i], rpGroundTransform_Invert(b->grounds[j]));
		alignment->shift.y = 0.0f;
	}
	return sum;
}

void rpAngle_FillRegion(const rpTiler* tiler, const rpRegion* region, float* out, size_t outStride)
{
	const rpProfile *a = tiler->a, *b = tiler->b;
	rpAngleForm form = {
		.rowCount = region->rowCount,
		.count = region->columnCount,
		.rowTurns = a->turns + region->row,
		.rowFeatures = a->features + region->row,
		.rowStride = (size_t)a->formStride,
		.turns = b->turns + region->column,
		.features = b->features + region->column,
		.stride = (size_t)b->formStride,
		.weights = tiler->metric->turnWeights,
		.turnCount = a->turnCount,
		.featureCount = a->featureCount,
		.out = out,
		.outStride = outStride,
	};
	tiler->kernel->compareAngles(&form);
}
