/// The root's path on the floor, smoothed by a Gaussian.
#include "reprise/edit.h"

// Weights beyond this many deviations are below 4e-4 of the largest.
#define DEVIATIONS 4.0

// The path goes on beyond its ends turned about them by half a turn, so that a straight walk stays straight and both
// ends stay where they are.
static rpVec2 getPoint(const rpMotion* motion, int frame)
{
	int last = motion->frameCount - 1;
	if (frame >= 0 && frame <= last)
	{
		return (rpVec2){motion->rootPositions[frame].x, motion->rootPositions[frame].z};
	}
	rpVec2 end = getPoint(motion, frame < 0 ? 0 : last);
	int opposite = frame < 0 ? -frame : 2 * last - frame;
	rpVec2 p = getPoint(motion, opposite < 0 ? 0 : opposite > last ? last : opposite);
	return (rpVec2){2.0f * end.x - p.x, 2.0f * end.y - p.y};
}

void rpMotion_GetRootPath(const rpMotion* motion, double smoothing, rpVec2* out)
{
	double deviation = smoothing > 0.0 ? smoothing * motion->fps : 0.0;
	int radius = (int)fmin(DEVIATIONS * deviation, motion->frameCount - 1);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		out[i] = (rpVec2){0.0f, 0.0f};
	}

	// Sums of differences from each point itself, which keeps the precision of points far from the origin.
	double total = 1.0;
	for (int k = 1; k <= radius; ++k)
	{
		double weight = exp(-0.5 * (k / deviation) * (k / deviation));
		total += 2.0 * weight;
		for (int i = 0; i < motion->frameCount; ++i)
		{
			rpVec2 p = getPoint(motion, i), before = getPoint(motion, i - k), after = getPoint(motion, i + k);
			out[i].x += (float)weight * ((before.x - p.x) + (after.x - p.x));
			out[i].y += (float)weight * ((before.y - p.y) + (after.y - p.y));
		}
	}
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec2 p = getPoint(motion, i);
		out[i] = (rpVec2){p.x + out[i].x / (float)total, p.y + out[i].y / (float)total};
	}
}
