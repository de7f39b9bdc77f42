/// Registering two motions: grid, path, curves.
#include "align/time_curve.h"
#include "base/memory.h"

static bool findPath(const rpRegistrationDef* def, const rpMetric* metric, const rpProfile* a, const rpProfile* b,
					 float* scratch, rpTimePath* out, rpError* error)
{
	*out = (rpTimePath){0};
	if (!rpMetric_FillGrid(metric, a, b, scratch, error))
	{
		return false;
	}
	rpGridView grid = {scratch, rpProfile_GetFrameCount(a), rpProfile_GetFrameCount(b)};
	return def->freeEnds ? rpFindTimePathFree(grid, def->slopeLimit, out, error)
						 : rpFindTimePath(grid, def->slopeLimit, out, error);
}

bool rpMeasurePair(const rpRegistrationDef* def, const rpMetric* metric, const rpProfile* a, const rpProfile* b,
				   float* scratch, double* cost, rpError* error)
{
	rpTimePath path;
	rpError reason = {0};
	bool found = findPath(def, metric, a, b, scratch, &path, &reason);
	*cost = found ? path.cost / rpTimePath_GetLength(&path) : INFINITY;
	rpTimePath_Free(&path);
	if (!found && reason.code != rp_errorNoSolution)
	{
		if (error != NULL)
		{
			*error = reason;
		}
		return false;
	}
	return true;
}

// Cells in seconds. The last frame that a metric sees may be a part of one before the end: the path goes on to that.
static rpMatchedMoment* makePoints(const rpMetric* metric, const rpTimePath* path, const rpProfile* aProfile,
								   const rpProfile* bProfile, const rpMotion* a, const rpMotion* b, rpError* error)
{
	rpMatchedMoment* points = rpAllocate((size_t)path->count, sizeof(rpMatchedMoment), error);
	double rate = rpMetric_GetRate(metric);
	int lastA = rpProfile_GetFrameCount(aProfile) - 1, lastB = rpProfile_GetFrameCount(bProfile) - 1;
	for (int k = 0; points != NULL && k < path->count; ++k)
	{
		int i = path->i[k], j = path->j[k];
		bool end = k == path->count - 1;
		points[k].a = end && i == lastA ? rpMotion_GetDuration(a) : i / rate;
		points[k].b = end && j == lastB ? rpMotion_GetDuration(b) : j / rate;
		rpMetric_Distance(metric, aProfile, i, bProfile, j, &points[k].ground);
	}
	return points;
}

bool rpRegisterPair(const rpRegistrationDef* def, const rpMetric* metric, const rpProfile* aProfile,
					const rpProfile* bProfile, const rpMotion* a, const rpMotion* b, float* scratch, rpTimeCurve* out,
					rpError* error)
{
	*out = (rpTimeCurve){0};
	rpTimePath path;
	rpMatchedMoment* points = NULL;
	if (findPath(def, metric, aProfile, bProfile, scratch, &path, error))
	{
		points = makePoints(metric, &path, aProfile, bProfile, a, b, error);
	}
	double longestRun = def->slopeLimit / rpMetric_GetRate(metric);
	bool done = points != NULL && rpFitTimeCurve(points, path.count, a, b, def->knotSpacing, longestRun, out, error);
	if (done)
	{
		out->cost = path.cost / rpTimePath_GetLength(&path);
	}
	rpFree(points);
	rpTimePath_Free(&path);
	return done;
}
