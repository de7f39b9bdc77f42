/// A motion as clouds of markers: for each frame the mean of the markers on the floor, and the markers about it.
#include "compare/metric.h"

#include "base/memory.h"

static bool allocate(rpProfile* profile, rpError* error)
{
	size_t frames = (size_t)profile->stride, count = frames * (size_t)profile->markerCount;
	profile->x = rpAllocate(count, sizeof(float), error);
	profile->y = rpAllocate(count, sizeof(float), error);
	profile->z = rpAllocate(count, sizeof(float), error);
	profile->centreX = rpAllocate(frames, sizeof(double), error);
	profile->centreZ = rpAllocate(frames, sizeof(double), error);
	return profile->x != NULL && profile->y != NULL && profile->z != NULL && profile->centreX != NULL &&
		   profile->centreZ != NULL;
}

// Places the markers of one frame, whose root stands at the origin of the floor, and really at root.
static void placeMarkers(const rpMetric* metric, rpProfile* profile, int frame, const rpTransform* joints, rpVec3 root)
{
	size_t at = (size_t)(profile->margin + frame), stride = (size_t)profile->stride;
	double meanX = 0.0, meanZ = 0.0;
	for (int m = 0; m < metric->markerCount; ++m)
	{
		const rpMarker* marker = metric->markers + m;
		rpVec3 place = rpTransformPoint(joints[marker->joint], marker->offset);
		meanX += (double)marker->weight * place.x;
		meanZ += (double)marker->weight * place.z;
		profile->x[(size_t)m * stride + at] = place.x;
		profile->y[(size_t)m * stride + at] = place.y - metric->heights[m];
		profile->z[(size_t)m * stride + at] = place.z;
	}
	for (int m = 0; m < metric->markerCount; ++m)
	{
		float* x = profile->x + (size_t)m * stride + at;
		float* z = profile->z + (size_t)m * stride + at;
		*x = (float)(*x - meanX);
		*z = (float)(*z - meanZ);
	}
	profile->centreX[at] = root.x + meanX;
	profile->centreZ[at] = root.z + meanZ;
}

static void extend(const rpProfile* profile, float* values)
{
	for (int i = 0; i < profile->margin; ++i)
	{
		values[i] = values[profile->margin];
		values[profile->stride - 1 - i] = values[profile->stride - 1 - profile->margin];
	}
}

static void extendCentres(const rpProfile* profile, double* values)
{
	for (int i = 0; i < profile->margin; ++i)
	{
		values[i] = values[profile->margin];
		values[profile->stride - 1 - i] = values[profile->stride - 1 - profile->margin];
	}
}

// Beyond its ends a motion stands still.
static void standStill(rpProfile* profile)
{
	for (int m = 0; m < profile->markerCount; ++m)
	{
		size_t first = (size_t)m * (size_t)profile->stride;
		extend(profile, profile->x + first);
		extend(profile, profile->y + first);
		extend(profile, profile->z + first);
	}
	extendCentres(profile, profile->centreX);
	extendCentres(profile, profile->centreZ);
}

bool rpCloud_See(const rpMetric* metric, rpProfile* profile, rpMotion* motion, rpError* error)
{
	profile->frameCount = motion->frameCount;
	profile->margin = metric->reach;
	profile->stride = profile->frameCount + 2 * profile->margin;
	profile->markerCount = metric->markerCount;
	rpTransform* joints = rpAllocate((size_t)metric->skeleton->jointCount, sizeof(rpTransform), error);
	bool done = joints != NULL && allocate(profile, error);
	for (int frame = 0; done && frame < motion->frameCount; ++frame)
	{
		// From a root at the origin, so that nothing is lost to large coordinates.
		rpVec3 root = motion->rootPositions[frame];
		motion->rootPositions[frame] = (rpVec3){0.0f, root.y, 0.0f};
		rpMotion_Forward(motion, frame, joints);
		placeMarkers(metric, profile, frame, joints, root);
	}
	if (done)
	{
		standStill(profile);
	}
	rpFree(joints);
	return done;
}
