/// The smoothed path of a root over the floor.
#include "motion/ground_track.h"

#include "base/memory.h"
#include "math/elementary.h"

#include <math.h>

// Deviation of the smoothing, seconds: about half of a half cycle, so that sway and the turning of the pelvis stay with
// the body, and the path is smooth.
#define SMOOTHING 0.25

// How far the smoothing reaches, in deviations.
#define REACH 3.0

// Max frames that it reaches, for rates beyond 4000 per second, which no capture has.
#define MAX_REACH 3000.0

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
		kernel[k] = rpExpDouble(-0.5 * t * t);
		sum += k == 0 ? kernel[k] : 2.0 * kernel[k];
	}
	for (int k = 0; k <= *reach; ++k)
	{
		kernel[k] /= sum;
	}
	return kernel;
}

// ---- frame by frame

bool rpGroundTracker_Create(rpGroundTracker* tracker, double fps, rpError* error)
{
	*tracker = (rpGroundTracker){0};
	tracker->kernel = makeKernel(fps, &tracker->reach, error);
	if (tracker->kernel == NULL)
	{
		return false;
	}
	size_t capacity = 1;
	while (capacity < 2 * (size_t)tracker->reach + 1)
	{
		capacity *= 2;
	}
	tracker->mask = (int)capacity - 1;
	tracker->parts[0] = rpAllocate(3 * capacity, sizeof(double), error);
	if (tracker->parts[0] == NULL)
	{
		return false;
	}
	tracker->parts[1] = tracker->parts[0] + capacity;
	tracker->parts[2] = tracker->parts[1] + capacity;
	return true;
}

void rpGroundTracker_Free(rpGroundTracker* tracker)
{
	rpFree(tracker->kernel);
	rpFree(tracker->parts[0]);
	*tracker = (rpGroundTracker){0};
}

void rpGroundTracker_Add(rpGroundTracker* tracker, rpVec3 position, rpQuat rotation)
{
	int frame = tracker->count++, slot = frame & tracker->mask;
	double heading = (double)rpHeading(rotation);
	double before = frame > 0 ? tracker->parts[2][(frame - 1) & tracker->mask] : heading;
	tracker->parts[0][slot] = (double)position.x;
	tracker->parts[1][slot] = (double)position.z;
	tracker->parts[2][slot] = before + (double)rpWrapAngle((float)(heading - before));
}

// Beyond the ends values go on as their point reflection in the end, which keeps velocity.
static double getBeyond(const double* values, int mask, int last, int i)
{
	if (i < 0)
	{
		return 2.0 * values[0] - values[-i < last ? -i : last];
	}
	if (i > last)
	{
		int mirrored = 2 * last - i;
		return 2.0 * values[last & mask] - values[(mirrored > 0 ? mirrored : 0) & mask];
	}
	return values[i & mask];
}

static double smoothAt(const rpGroundTracker* tracker, int part, int frame)
{
	const double *values = tracker->parts[part], *kernel = tracker->kernel;
	int last = tracker->count - 1;
	double sum = kernel[0] * values[frame & tracker->mask];
	for (int k = 1; k <= tracker->reach; ++k)
	{
		sum += kernel[k] *
			   (getBeyond(values, tracker->mask, last, frame - k) + getBeyond(values, tracker->mask, last, frame + k));
	}
	return sum;
}

bool rpGroundTracker_Show(rpGroundTracker* tracker, double out[3])
{
	int frame = tracker->shown;
	bool isKnown = frame < tracker->count && (tracker->isOver || frame + tracker->reach < tracker->count);
	for (int part = 0; part < 3 && isKnown; ++part)
	{
		out[part] = smoothAt(tracker, part, frame);
	}
	tracker->shown += isKnown;
	return isKnown;
}

// ---- as a whole

static void trackMotion(rpGroundTracker* tracker, const rpMotion* motion, rpGroundTrack* out)
{
	double place[3];
	for (int frame = 0, shown = 0; shown < motion->frameCount;)
	{
		if (rpGroundTracker_Show(tracker, place))
		{
			out->x[shown] = place[0];
			out->z[shown] = place[1];
			out->heading[shown++] = place[2];
			continue;
		}
		rpGroundTracker_Add(tracker, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame)[0]);
		tracker->isOver = ++frame == motion->frameCount;
	}
}

bool rpMakeGroundTrack(const rpMotion* motion, rpGroundTrack* out, rpError* error)
{
	size_t frameCount = (size_t)motion->frameCount;
	rpGroundTracker tracker;
	bool done = rpGroundTracker_Create(&tracker, motion->fps, error);
	*out = (rpGroundTrack){.x = done ? rpAllocate(3 * frameCount, sizeof(double), error) : NULL};
	if (out->x != NULL)
	{
		out->z = out->x + frameCount;
		out->heading = out->z + frameCount;
		trackMotion(&tracker, motion, out);
	}
	rpGroundTracker_Free(&tracker);
	return out->x != NULL;
}

void rpFreeGroundTrack(rpGroundTrack* track)
{
	rpFree(track->x);
	*track = (rpGroundTrack){0};
}
