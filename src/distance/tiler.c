#include "distance/tiler.h"

#include "base/memory.h"

bool rpTiler_Make(rpTiler* tiler, const rpMetric* metric, int workerCount, rpError* error)
{
	*tiler = (rpTiler){.metric = metric, .kernel = rpChooseGridKernel()};
	return metric->kind == rp_metricAngle || rpCloud_MakeTiler(tiler, workerCount, error);
}

void rpTiler_Aim(rpTiler* tiler, const rpProfile* a, const rpProfile* b)
{
	tiler->a = a;
	tiler->b = b;
	tiler->termCount = tiler->metric->kind == rp_metricAngle ? 0 : rpCloud_CountNeededTerms(tiler->metric, a, b);
}

void rpTiler_Free(rpTiler* tiler)
{
	rpFree(tiler->block);
	*tiler = (rpTiler){0};
}

void rpTiler_Fill(const rpTiler* tiler, int worker, const rpRegion* region, float* out, size_t outStride)
{
	if (tiler->metric->kind == rp_metricAngle)
	{
		rpAngle_FillRegion(tiler, region, out, outStride);
	}
	else
	{
		rpCloud_FillRegion(tiler, worker, region, out, outStride);
	}
}
