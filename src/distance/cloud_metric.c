/// What a metric of clouds is made of: its window and its markers.
#include "distance/metric.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// The deviation of a Gaussian window is this part of L + 1.
#define GAUSS_WIDTH 0.4

static double weighFrame(rpWindowShape shape, int r, int halfWindow)
{
	switch (shape)
	{
	case rp_windowTriangle:
		return halfWindow + 1 - abs(r);
	case rp_windowGauss:
	{
		double x = r / (GAUSS_WIDTH * (halfWindow + 1));
		return exp(-0.5 * x * x);
	}
	default:
		return 1.0;
	}
}

static bool makeWindow(rpMetric* metric, const rpMetricDef* def, rpError* error)
{
	int count = 2 * metric->halfWindow + 1;
	metric->window = rpAllocate((size_t)count, sizeof(double), error);
	double sum = 0.0;
	for (int i = 0; metric->window != NULL && i < count; ++i)
	{
		metric->window[i] = weighFrame(def->shape, i - metric->halfWindow, metric->halfWindow);
		sum += metric->window[i];
	}
	for (int i = 0; metric->window != NULL && i < count; ++i)
	{
		metric->window[i] /= sum;
	}
	return metric->window != NULL;
}

static bool isZero(rpVec3 v)
{
	return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// The origin of a joint whose bone has no length is its parent's.
static rpMarker goUp(const rpSkeleton* skeleton, rpMarker marker)
{
	while (isZero(marker.offset) && skeleton->parents[marker.joint] >= 0 && isZero(skeleton->offsets[marker.joint]))
	{
		marker.joint = skeleton->parents[marker.joint];
	}
	return marker;
}

static bool checkMarker(const rpSkeleton* skeleton, const rpMarker* marker, int index, rpError* error)
{
	if (marker->joint < 0 || marker->joint >= skeleton->jointCount)
	{
		return rpFail(error, rp_errorArgument, "marker %d is on joint %d of %d", index, marker->joint,
					  skeleton->jointCount);
	}
	bool finite = isfinite(marker->offset.x) && isfinite(marker->offset.y) && isfinite(marker->offset.z);
	if (!finite || !(marker->weight >= 0.0f) || !isfinite(marker->weight))
	{
		return rpFail(error, rp_errorArgument, "marker %d has a weight or offset that cannot be", index);
	}
	return true;
}

// Markers at one place in every pose become one with the sum of their weights, which changes no distance.
static void mergeMarker(rpMetric* metric, rpMarker marker)
{
	if (marker.weight == 0.0f)
	{
		return;
	}
	marker = goUp(metric->skeleton, marker);
	for (int i = 0; i < metric->markerCount; ++i)
	{
		if (metric->markers[i].joint == marker.joint && isZero(rpSub(metric->markers[i].offset, marker.offset)))
		{
			metric->markers[i].weight += marker.weight;
			return;
		}
	}
	metric->markers[metric->markerCount++] = marker;
}

static bool checkCrowd(const rpMetricDef* def, int jointCount, rpError* error)
{
	for (int joint = 0; joint < jointCount; ++joint)
	{
		int count = 0;
		for (int i = 0; i < def->markerCount; ++i)
		{
			count += def->markers[i].joint == joint;
		}
		if (count > 3)
		{
			return rpFail(error, rp_errorArgument, "joint %d has %d markers; at most 3 are allowed", joint, count);
		}
	}
	return true;
}

static bool makeMarkers(rpMetric* metric, const rpMetricDef* def, rpError* error)
{
	int jointCount = metric->skeleton->jointCount;
	int count = def->markers != NULL ? def->markerCount : jointCount;
	for (int i = 0; def->markers != NULL && i < count; ++i)
	{
		if (!checkMarker(metric->skeleton, def->markers + i, i, error))
		{
			return false;
		}
	}
	if (def->markers != NULL && !checkCrowd(def, jointCount, error))
	{
		return false;
	}
	metric->markers = rpAllocate((size_t)(count > 0 ? count : 1), sizeof(rpMarker), error);
	if (metric->markers == NULL)
	{
		return false;
	}
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		rpMarker marker = def->markers != NULL ? def->markers[i] : (rpMarker){.joint = i, .weight = 1.0f};
		mergeMarker(metric, marker);
		sum += marker.weight;
	}
	for (int i = 0; i < metric->markerCount; ++i)
	{
		metric->markers[i].weight = (float)(metric->markers[i].weight / sum);
	}
	return metric->markerCount > 0 || rpFail(error, rp_errorArgument, "a metric of clouds needs a marker with weight");
}

static bool shareWeights(rpMetric* metric, rpError* error)
{
	metric->gridWeights = rpAllocate((size_t)metric->markerCount, sizeof(float), error);
	metric->shares = rpAllocate((size_t)metric->markerCount, sizeof(double), error);
	if (metric->gridWeights == NULL || metric->shares == NULL)
	{
		return false;
	}
	double sum = 0.0;
	for (int m = 0; m < metric->markerCount; ++m)
	{
		metric->gridWeights[m] = (float)(metric->passScale * (double)metric->markers[m].weight);
		sum += (double)metric->gridWeights[m];
	}
	for (int m = 0; m < metric->markerCount; ++m)
	{
		metric->shares[m] = (double)metric->gridWeights[m] / sum;
	}
	metric->gridScale = sum / metric->passScale;
	return true;
}

// Heights of the markers in the rest pose, above its lowest joint.
static bool measureHeights(rpMetric* metric, rpError* error)
{
	rpTransform* rest = rpAllocate((size_t)metric->skeleton->jointCount, sizeof(rpTransform), error);
	metric->heights = rpAllocate((size_t)metric->markerCount, sizeof(float), error);
	bool done = rest != NULL && metric->heights != NULL;
	if (done)
	{
		rpSkeleton_GetRest(metric->skeleton, rest);
		float lowest = 0.0f;
		for (int i = 0; i < metric->skeleton->jointCount; ++i)
		{
			lowest = fminf(lowest, rest[i].p.y);
		}
		for (int i = 0; i < metric->markerCount; ++i)
		{
			const rpMarker* marker = metric->markers + i;
			metric->heights[i] = rpTransformPoint(rest[marker->joint], marker->offset).y - lowest;
		}
	}
	rpFree(rest);
	return done;
}

bool rpCloud_Define(rpMetric* metric, const rpMetricDef* def, rpError* error)
{
	metric->placed = def->placed;
	return makeWindow(metric, def, error) && rpCloud_FactorWindow(metric, def->shape, error) &&
		   rpCloud_MakePolynomials(metric, error) && makeMarkers(metric, def, error) && shareWeights(metric, error) &&
		   measureHeights(metric, error);
}
