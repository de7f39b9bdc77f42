/// Metrics and profiles: what clouds and angles share.
#include "distance/metric.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/edit.h"

#include <math.h>

rpMetricDef rpDefaultMetricDef(void)
{
	return (rpMetricDef){
		.kind = rp_metricCloud,
		.fps = 30.0,
		.window = 0.5,
		.shape = rp_windowTriangle,
		.weights = rp_weightsLee,
		.velocityWeight = 1.0f / 900.0f,
		.heightWeight = 1.0f,
		.tiltWeight = 1.0f,
		.travelWeight = 0.1f,
	};
}

static bool checkDef(const rpMetricDef* def, rpError* error)
{
	if (!(def->fps > 0.0 && def->fps <= 1000.0))
	{
		return rpFail(error, rp_errorArgument, "a metric's rate must be above 0 and at most 1000 Hz, not %g", def->fps);
	}
	if (!(def->window >= 0.0) || 0.5 * def->window * def->fps > RP_MAX_HALF_WINDOW)
	{
		return rpFail(error, rp_errorArgument, "a window of %g s at %g Hz has too many frames; %d are allowed",
					  def->window, def->fps, 2 * RP_MAX_HALF_WINDOW + 1);
	}
	if ((unsigned)def->kind >= rp_metricKindCount || (unsigned)def->shape >= rp_windowShapeCount)
	{
		return rpFail(error, rp_errorArgument, "no such kind of metric or shape of window");
	}
	return true;
}

rpMetric* rpCreateMetric(const rpSkeleton* skeleton, const rpMetricDef* def, rpError* error)
{
	RP_ASSERT(skeleton != NULL && def != NULL);
	if (!checkDef(def, error))
	{
		return NULL;
	}
	rpMetric* metric = rpAllocateZero(1, sizeof(rpMetric), error);
	if (metric == NULL)
	{
		return NULL;
	}
	metric->kind = def->kind;
	metric->fps = def->fps;
	metric->skeleton = rpRetainSkeleton(skeleton);
	metric->halfWindow = (int)(0.5 * def->window * def->fps + 1e-6);
	bool isCloud = def->kind == rp_metricCloud;
	if (!(isCloud ? rpCloud_Define(metric, def, error) : rpAngle_Define(metric, def, error)))
	{
		rpDestroyMetric(metric);
		return NULL;
	}
	return metric;
}

void rpDestroyMetric(rpMetric* metric)
{
	if (metric == NULL)
	{
		return;
	}
	rpReleaseSkeleton(metric->skeleton);
	rpFree(metric->window);
	rpFree(metric->taps);
	rpFree(metric->polynomials);
	rpFree(metric->markers);
	rpFree(metric->heights);
	rpFree(metric->gridWeights);
	rpFree(metric->shares);
	rpFree(metric->turnJoints);
	rpFree(metric->turnWeights);
	rpFree(metric);
}

double rpMetric_GetRate(const rpMetric* metric)
{
	return metric->fps;
}

int rpMetric_GetHalfWindow(const rpMetric* metric)
{
	return metric->halfWindow;
}

static bool checkMotion(const rpMetric* metric, const rpMotion* motion, rpError* error)
{
	if (!rpSkeleton_Matches(metric->skeleton, motion->skeleton))
	{
		rpFail(error, rp_errorArgument, "\"%s\" has another skeleton than the metric", motion->name);
		rpError_SetHint(error, "bring the motions onto one skeleton first");
		return false;
	}
	return rpMotion_CheckFinite(motion, error);
}

rpProfile* rpCreateProfile(const rpMetric* metric, const rpMotion* motion, rpError* error)
{
	RP_ASSERT(metric != NULL && motion != NULL);
	if (!checkMotion(metric, motion, error))
	{
		return NULL;
	}
	rpMotion* sampled = rpResampleMotion(motion, metric->fps, error);
	rpProfile* profile = sampled != NULL ? rpAllocateZero(1, sizeof(rpProfile), error) : NULL;
	bool isCloud = metric->kind == rp_metricCloud;
	if (profile != NULL &&
		!(isCloud ? rpCloud_See(metric, profile, sampled, error) : rpAngle_See(metric, profile, sampled, error)))
	{
		rpDestroyProfile(profile);
		profile = NULL;
	}
	rpDestroyMotion(sampled);
	return profile;
}

void rpDestroyProfile(rpProfile* profile)
{
	if (profile == NULL)
	{
		return;
	}
	rpFree(profile->x);
	rpFree(profile->y);
	rpFree(profile->z);
	rpFree(profile->trackX);
	rpFree(profile->trackZ);
	rpFree(profile->bases);
	rpFree(profile->meanTermsX);
	rpFree(profile->meanTermsZ);
	rpFree(profile->meanPeaks);
	rpFree(profile->trackPeaks);
	rpFree(profile->meansX);
	rpFree(profile->meansZ);
	rpFree(profile->turns);
	rpFree(profile->features);
	rpFree(profile->grounds);
	rpFree(profile);
}

int rpProfile_GetFrameCount(const rpProfile* profile)
{
	return profile->frameCount;
}

double rpMetric_Distance(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
						 rpGroundTransform* alignment)
{
	RP_ASSERT(i >= 0 && i < a->frameCount && j >= 0 && j < b->frameCount);
	bool isCloud = metric->kind == rp_metricCloud;
	return sqrt(isCloud ? rpCloud_Compare(metric, a, i, b, j, alignment)
						: rpAngle_Compare(metric, a, i, b, j, alignment));
}
