/// The path that a motion was to follow, as a curve over its time.
#include "base/error.h"
#include "base/memory.h"
#include "math/elementary.h"
#include "math/path_distance.h"
#include "motion/annotation_parts.h"

// How far along the path the root is in each frame; it has come to the end with the last.
static double* traceRoot(const rpMotion* motion, const rpGroundTransform* trail, const rpVec2* points, int count,
						 double length, rpError* error)
{
	size_t frameCount = (size_t)motion->frameCount;
	double* lengths = rpAllocate(frameCount, sizeof(double), error);
	rpVec2* places = rpAllocate(frameCount, sizeof(rpVec2), error);
	for (size_t i = 0; i < frameCount && places != NULL; ++i)
	{
		rpVec3 root = trail != NULL ? trail[i].shift : motion->rootPositions[i];
		places[i] = (rpVec2){root.x, root.z};
	}
	if (lengths == NULL || places == NULL)
	{
		rpFree(lengths);
		lengths = NULL;
	}
	else
	{
		rpTraceNearest(places, motion->frameCount, points, count, lengths);
		lengths[frameCount - 1] = length;
		lengths[0] = 0.0;
	}
	rpFree(places);
	return lengths;
}

// When the root has come a length of the path; *frame, from which on is looked, moves there.
static double findTime(const rpMotion* motion, const double* lengths, double length, int* frame)
{
	while (*frame + 2 < motion->frameCount && lengths[*frame + 1] < length)
	{
		++*frame;
	}
	int next = *frame + 1 < motion->frameCount ? *frame + 1 : *frame;
	double step = lengths[next] - lengths[*frame], part = step > 0.0 ? (length - lengths[*frame]) / step : 0.0;
	return (*frame + fmin(fmax(part, 0.0), 1.0)) / motion->fps;
}

bool rpMotion_NotePath(rpMotion* motion, const rpGroundTransform* trail, const rpVec2* points, int count,
					   rpError* error)
{
	double length = 0.0, passed = 0.0;
	if (count < 2)
	{
		return rpFail(error, rp_errorArgument, "a path of %d points; it needs two", count);
	}
	for (int i = 1; i < count; ++i)
	{
		length +=
			rpHypotDouble((double)points[i].x - (double)points[i - 1].x, (double)points[i].y - (double)points[i - 1].y);
	}
	double* lengths = traceRoot(motion, trail, points, count, length, error);
	rpKeys keys = {.width = 3};
	bool done = lengths != NULL;
	for (int i = 0, frame = 0; i < count && done; ++i)
	{
		int before = i > 0 ? i - 1 : 0;
		passed += rpHypotDouble((double)points[i].x - (double)points[before].x,
								(double)points[i].y - (double)points[before].y);
		const float place[3] = {points[i].x, 0.0f, points[i].y};
		done = rpKeys_Add(&keys, findTime(motion, lengths, passed, &frame), place, error);
	}
	rpCurve like = {.name = RP_WANTED_PATH, .kind = rp_curvePoint};
	done = done && rpKeys_Store(&keys, &like, &motion->annotations, error);
	rpKeys_Free(&keys);
	rpFree(lengths);
	return done;
}
