/// The smoothed path of a root over the floor.
#include "motion/ground_track.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Deviation of the smoothing, seconds: about half of a half cycle, so that sway and the turning of the pelvis stay with
// the body, and the path is smooth.
#define SMOOTHING 0.25

// How far the smoothing reaches, in deviations.
#define REACH 3.0

// Max frames that it reaches, for rates beyond 4000 per second, which no capture has.
#define MAX_REACH 3000.0

// Beyond the ends values go on as their point reflection in the end, which keeps velocity.
static double getBeyond(const double* values, int count, int i)
{
	int last = count - 1;
	if (i < 0)
	{
		return 2.0 * values[0] - values[-i < last ? -i : last];
	}
	if (i > last)
	{
		int mirrored = 2 * last - i;
		return 2.0 * values[last] - values[mirrored > 0 ? mirrored : 0];
	}
	return values[i];
}

static double smoothAt(const double* values, int count, int frame, const double* kernel, int reach)
{
	double sum = kernel[0] * values[frame];
	for (int k = 1; k <= reach; ++k)
	{
		sum += kernel[k] * (getBeyond(values, count, frame - k) + getBeyond(values, count, frame + k));
	}
	return sum;
}

static double* makeKernel(double fps, int* reach, rpError* error)
{
	*reach = (int)fmin(ceil(REACH * SMOOTHING * fps), MAX_REACH);
	double* kernel = rpAllocate((size_t)*reach + 1, sizeof(double), error);
	if (kernel == NULL)
	{
		return NULL;
	}
	double sum = 0.0;
	for (int k = 0; k <= *reach; ++k)
	{
		double t = k / (SMOOTHING * fps);
		kernel[k] = exp(-0.5 * t * t);
		sum += k == 0 ? kernel[k] : 2.0 * kernel[k];
	}
	for (int k = 0; k <= *reach; ++k)
	{
		kernel[k] /= sum;
	}
	return kernel;
}

static bool readTrack(const rpMotion* motion, rpGroundTrack* track, rpError* error)
{
	size_t frameCount = (size_t)motion->frameCount;
	*track = (rpGroundTrack){.x = rpAllocate(3 * frameCount, sizeof(double), error)};
	if (track->x == NULL)
	{
		return false;
	}
	track->z = track->x + frameCount;
	track->heading = track->z + frameCount;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		double heading = (double)rpHeading(rpMotion_GetRotations(motion, i)[0]);
		double before = i > 0 ? track->heading[i - 1] : heading;
		track->x[i] = (double)motion->rootPositions[i].x;
		track->z[i] = (double)motion->rootPositions[i].z;
		track->heading[i] = before + (double)rpWrapAngle((float)(heading - before));
	}
	return true;
}

// All three smoothed, in place of what they were.
static bool smoothTrack(const rpMotion* motion, rpGroundTrack* track, rpError* error)
{
	int reach, count = motion->frameCount;
	double* parts[3] = {track->x, track->z, track->heading};
	double* kernel = makeKernel(motion->fps, &reach, error);
	double* smooth = kernel != NULL ? rpAllocate((size_t)count, sizeof(double), error) : NULL;
	for (int k = 0; k < 3 && smooth != NULL; ++k)
	{
		for (int i = 0; i < count; ++i)
		{
			smooth[i] = smoothAt(parts[k], count, i, kernel, reach);
		}
		memcpy(parts[k], smooth, (size_t)count * sizeof(double));
	}
	bool done = smooth != NULL;
	rpFree(smooth);
	rpFree(kernel);
	return done;
}

bool rpMakeGroundTrack(const rpMotion* motion, rpGroundTrack* out, rpError* error)
{
	if (readTrack(motion, out, error) && smoothTrack(motion, out, error))
	{
		return true;
	}
	rpFreeGroundTrack(out);
	return false;
}

void rpFreeGroundTrack(rpGroundTrack* track)
{
	rpFree(track->x);
	*track = (rpGroundTrack){0};
}

rpGroundTransform rpGroundTrack_Get(const rpGroundTrack* track, int frame)
{
	return (rpGroundTransform){(float)track->heading[frame], {(float)track->x[frame], 0.0f, (float)track->z[frame]}};
}
