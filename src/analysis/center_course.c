/// The way of the centre of mass: turning points of its height and stretches in which it rests (Kwon & Shin 2005,
/// section 4.2). The height passes a zero-phase low-pass; a turning point counts if it stands out, and its time is that
/// of a parabola through the frames around, so that takes at different rates agree.
#include "analysis/center_course.h"

#include "base/memory.h"
#include "reprise/play/body.h"

// Deviation of the low-pass's bell, seconds: it halves what swings 9 times a second.
#define SMOOTHING 0.02
// Half of the stretch to which the parabola is fitted, seconds.
#define PARABOLA 0.042
// Speeds are differences over twice this, seconds.
#define SPEED_REACH 0.0333
// Stillness is summed up in steps of about this, seconds.
#define STILLNESS_STEP 0.01

rpMovementDef rpDefaultMovementDef(void)
{
	return (rpMovementDef){.prominence = 0.003f, .standSpeed = 0.15f, .standSeconds = 0.2};
}

rpVec3 rpCenterCourse_GetPlace(const rpCenterCourse* course, double seconds)
{
	double at = fmin(fmax(seconds * course->fps, 0.0), course->frameCount - 1.0);
	int i = (int)fmin(at, course->frameCount - 2.0), last = course->frameCount - 1;
	if (last < 1)
	{
		return course->places[0];
	}
	rpVec3 b = course->places[i], c = course->places[i + 1];
	rpVec3 a = i > 0 ? course->places[i - 1] : rpSub(rpScale(2.0f, b), c);
	rpVec3 d = i + 2 <= last ? course->places[i + 2] : rpSub(rpScale(2.0f, c), b);
	float t = (float)(at - i), t2 = t * t, t3 = t2 * t;
	rpVec3 sum = rpScale(-0.5f * t3 + t2 - 0.5f * t, a);
	sum = rpMulAdd(sum, 1.5f * t3 - 2.5f * t2 + 1.0f, b);
	sum = rpMulAdd(sum, -1.5f * t3 + 2.0f * t2 + 0.5f * t, c);
	return rpMulAdd(sum, 0.5f * t3 - 0.5f * t2, d);
}

// ---- heights

static void smoothHeights(rpCenterCourse* course)
{
	int reach = (int)ceil(3.0 * SMOOTHING * course->fps), last = course->frameCount - 1;
	for (int i = 0; i <= last; ++i)
	{
		double sum = 0.0, weights = 0.0;
		// As far to one side as to the other, lest the ends lean.
		int near = i < last - i ? i : last - i, most = near < reach ? near : reach;
		for (int k = -most; k <= most; ++k)
		{
			double away = k / (SMOOTHING * course->fps), weight = exp(-0.5 * away * away);
			sum += weight * (double)course->places[i + k].y;
			weights += weight;
		}
		course->heights[i] = (float)(sum / weights);
	}
}

static double getPrior(const rpCenterCourse* course, int frame, rpPeakPrior prior)
{
	double away = frame / course->fps - prior.time;
	return -prior.bend * away * away;
}

// The top of a parabola fitted to the frames around, seconds, with what a prior adds to the heights; the frame's own
// time if it has no top near.
static double findTop(const rpCenterCourse* course, int frame, rpPeakPrior prior)
{
	int reach = (int)floor(PARABOLA * course->fps);
	reach = reach > 1 ? reach : 1;
	if (frame - reach < 0 || frame + reach >= course->frameCount)
	{
		return frame / course->fps;
	}
	double n = 0.0, s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0;
	for (int k = -reach; k <= reach; ++k)
	{
		double y = (double)(course->places[frame + k].y - course->places[frame].y), k2 = (double)k * k;
		y += getPrior(course, frame + k, prior);
		n += 1.0;
		s2 += k2;
		s4 += k2 * k2;
		y0 += y;
		y1 += k * y;
		y2 += k2 * y;
	}
	double slope = y1 / s2, bend = (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
	double away = bend != 0.0 ? -0.5 * slope / bend : 0.0;
	return (frame + (fabs(away) <= reach ? away : 0.0)) / course->fps;
}

static bool addTurn(rpCenterCourse* course, int frame, bool isPeak, rpError* error)
{
	if (!rpGrow(&course->turns, &course->turnCapacity, course->turnCount, sizeof(rpTurningPoint), error))
	{
		return false;
	}
	course->turns[course->turnCount++] = (rpTurningPoint){findTop(course, frame, (rpPeakPrior){0}), isPeak};
	return true;
}

// Up and down by turns: a peak is one when the way down from it is long enough, a valley when the way up is.
static bool findTurns(rpCenterCourse* course, float prominence, rpError* error)
{
	const float* heights = course->heights;
	int high = 0, low = 0, way = 0;
	bool ok = true;
	for (int i = 1; ok && i < course->frameCount; ++i)
	{
		high = heights[i] > heights[high] ? i : high;
		low = heights[i] < heights[low] ? i : low;
		if (way >= 0 && heights[i] < heights[high] - prominence)
		{
			// What the take begins with may have been higher before.
			ok = way == 0 || addTurn(course, high, true, error);
			way = -1;
			low = i;
		}
		else if (way <= 0 && heights[i] > heights[low] + prominence)
		{
			ok = way == 0 || addTurn(course, low, false, error);
			way = 1;
			high = i;
		}
	}
	return ok;
}

double rpCenterCourse_FindPeak(const rpCenterCourse* course, double start, double end, rpPeakPrior prior)
{
	int first = (int)ceil(start * course->fps), last = (int)floor(end * course->fps), best = first;
	double highest = -INFINITY;
	for (int i = first; i <= last && i < course->frameCount; ++i)
	{
		double height = (double)course->heights[i] + getPrior(course, i, prior);
		best = height > highest ? i : best;
		highest = fmax(highest, height);
	}
	double time = best > first && best < last ? findTop(course, best, prior) : 0.5 * (start + end);
	return time > start && time < end ? time : 0.5 * (start + end);
}

// ---- rests

float rpCenterCourse_GetSpeed(const rpCenterCourse* course, double seconds)
{
	double last = (course->frameCount - 1) / course->fps;
	double before = fmax(seconds - SPEED_REACH, 0.0), after = fmin(seconds + SPEED_REACH, last);
	rpVec3 a = rpCenterCourse_GetPlace(course, before), b = rpCenterCourse_GetPlace(course, after);
	return after > before ? rpDistance(a, b) / (float)(after - before) : 0.0f;
}

double rpCenterCourse_GetStillness(const rpCenterCourse* course, double start, double end, float speed)
{
	double sum = 0.0, length = end - start;
	int count = (int)ceil(length / STILLNESS_STEP);
	for (int i = 0; i < count; ++i)
	{
		float part = 1.0f - rpCenterCourse_GetSpeed(course, start + (i + 0.5) * length / count) / speed;
		sum += (double)fmaxf(part, 0.0f) * length / count;
	}
	return sum;
}

static bool addRest(rpCenterCourse* course, int first, int end, const rpMovementDef* def, rpError* error)
{
	double start = first / course->fps, stop = (end - 1) / course->fps;
	// What an end of the take cuts off may have gone on.
	bool isCut = first == 0 || end == course->frameCount;
	if (rpCenterCourse_GetStillness(course, start, stop, def->standSpeed) < (isCut ? 0.5 : 1.0) * def->standSeconds)
	{
		return true;
	}
	if (!rpGrow(&course->rests, &course->restCapacity, course->restCount, sizeof(rpCenterRest), error))
	{
		return false;
	}
	course->rests[course->restCount++] = (rpCenterRest){start, stop};
	return true;
}

static bool findRests(rpCenterCourse* course, const rpMovementDef* def, rpError* error)
{
	int first = -1;
	bool ok = true;
	for (int i = 0; ok && i <= course->frameCount; ++i)
	{
		bool rests = i < course->frameCount && rpCenterCourse_GetSpeed(course, i / course->fps) < def->standSpeed;
		if (!rests && first >= 0)
		{
			ok = addRest(course, first, i, def, error);
		}
		first = !rests ? -1 : first < 0 ? i : first;
	}
	return ok;
}

bool rpCenterCourse_Follow(rpCenterCourse* course, const rpMotion* motion, const rpMovementDef* def, rpError* error)
{
	rpBody body;
	*course = (rpCenterCourse){.fps = motion->fps, .frameCount = motion->frameCount};
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, error))
	{
		return false;
	}
	course->places = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	course->heights = course->places != NULL ? rpAllocate((size_t)motion->frameCount, sizeof(float), error) : NULL;
	if (course->heights == NULL)
	{
		return false;
	}
	rpBody_GetCenters(&body, motion, course->places);
	smoothHeights(course);
	return findTurns(course, def->prominence, error) && findRests(course, def, error);
}

void rpCenterCourse_Free(rpCenterCourse* course)
{
	rpFree(course->places);
	rpFree(course->heights);
	rpFree(course->turns);
	rpFree(course->rests);
	*course = (rpCenterCourse){0};
}
