/// Path: how far is the root from where it was asked to go?
#include "base/memory.h"
#include "judge/measure_input.h"
#include "math/path_distance.h"

static void put(rpPathErrors errors, const rpMotion* motion, rpMeasure mean, rpMeasure worst, rpMeasure rms,
				rpMeasures* out)
{
	out->values[mean] = errors.mean;
	out->values[worst] = errors.max;
	out->times[worst] = errors.worst / motion->fps;
	out->values[rms] = errors.rms;
}

bool rpMeasurePath(const rpMeasureInput* input, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	const rpMotion* motion = input->motion;
	if (def->pathCount < 2)
	{
		return true;
	}
	rpVec2* points = rpAllocate((size_t)motion->frameCount, sizeof(rpVec2), error);
	if (points == NULL)
	{
		return false;
	}
	for (int f = 0; f < motion->frameCount; ++f)
	{
		points[f] = (rpVec2){motion->rootPositions[f].x, motion->rootPositions[f].z};
	}
	put(rpMeasureNearest(points, motion->frameCount, def->path, def->pathCount), motion, rp_measurePathMean,
		rp_measurePathMax, rp_measurePathRms, out);
	put(rpMeasureEqualLength(points, motion->frameCount, def->path, def->pathCount), motion, rp_measureArcMean,
		rp_measureArcMax, rp_measureArcRms, out);
	rpFree(points);
	return true;
}
