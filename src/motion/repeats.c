/// Whether a motion's end joins its start: what happens over the seam is compared with what happens beside it.
#include "base/memory.h"
#include "reprise/play/motion.h"

// Metres that a point of the body may be off where the motion begins again: a step over one frame at the speed of a
// slow walk, which nobody sees; and the seconds over which what it is off by in velocity may add up to as much.
#define MAX_GAP 0.02f
#define GOING_ON 0.1f

// Each joint is seen as three points: itself, and two at this distance along its axes, metres, as fingers and noses are
// from theirs.
#define ARM 0.1f
#define POINTS 3

// Frames on either side of the seam: as many as an acceleration needs.
#define FRAMES 3

// Points of some frames, [FRAMES][POINTS * jointCount], seen from the root's ground transform at one of them.
static void placePoints(const rpMotion* motion, int first, int seenFrom, rpTransform* pose, rpVec3* out)
{
	static const rpVec3 arms[POINTS] = {{0.0f, 0.0f, 0.0f}, {ARM, 0.0f, 0.0f}, {0.0f, ARM, 0.0f}};
	rpGroundTransform inverse = rpGroundTransform_Invert(rpMotion_GetGround(motion, seenFrom));
	for (int frame = 0; frame < FRAMES; ++frame)
	{
		rpMotion_Forward(motion, first + frame, pose);
		for (int i = 0; i < POINTS * motion->skeleton->jointCount; ++i)
		{
			rpVec3 point = rpTransformPoint(pose[i / POINTS], arms[i % POINTS]);
			*out++ = rpGroundTransform_Apply(inverse, point);
		}
	}
}

// Where a point is in the frames of one side, in their order.
typedef struct Course
{
	rpVec3 at[FRAMES];
} Course;

static Course getCourse(const rpVec3* points, int pointCount, int point)
{
	return (Course){{points[point], points[pointCount + point], points[2 * pointCount + point]}};
}

static float getTurn(const Course* course)
{
	return rpLength(rpSub(rpSub(course->at[2], course->at[1]), rpSub(course->at[1], course->at[0])));
}

// The frame before the seam and the one after it show the same moment: they may be off by half of what a frame takes
// the point, and its velocity may change as it does beside the seam.
static bool joins(const Course* start, const Course* end, float fps)
{
	rpVec3 before = rpSub(end->at[2], end->at[1]), after = rpSub(start->at[1], start->at[0]);
	float step = fmaxf(rpLength(before), rpLength(after)), turn = fmaxf(getTurn(start), getTurn(end));
	return rpDistance(end->at[2], start->at[0]) <= MAX_GAP + 0.5f * step &&
		   GOING_ON * fps * (rpDistance(before, after) - turn) <= MAX_GAP;
}

bool rpMotion_Repeats(const rpMotion* motion, bool* out, rpError* error)
{
	*out = false;
	if (motion->frameCount < FRAMES)
	{
		return true;
	}
	int jointCount = motion->skeleton->jointCount, pointCount = POINTS * jointCount;
	rpTransform* pose = rpAllocate((size_t)jointCount, sizeof(rpTransform), error);
	rpVec3* points = rpAllocate(2 * FRAMES * (size_t)pointCount, sizeof(rpVec3), error);
	bool done = pose != NULL && points != NULL;
	if (done)
	{
		rpVec3* others = points + FRAMES * (size_t)pointCount;
		placePoints(motion, 0, 0, pose, points);
		placePoints(motion, motion->frameCount - FRAMES, motion->frameCount - 1, pose, others);
		*out = true;
		for (int i = 0; i < pointCount && *out; ++i)
		{
			Course start = getCourse(points, pointCount, i), end = getCourse(others, pointCount, i);
			*out = joins(&start, &end, (float)motion->fps);
		}
	}
	rpFree(pose);
	rpFree(points);
	return done;
}
