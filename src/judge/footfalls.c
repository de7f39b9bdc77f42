#include "judge/footfalls.h"

#include "base/memory.h"
#include "judge/series.h"

#include <stdlib.h>

// A ball rests within this height of its running floor, metres, and below this speed over 0.1 s, m/s, for at least so
// many frames of the film. All three as in ../shared/judge/README.md.
#define REST_HEIGHT 0.025f
#define REST_SPEED 0.6f
#define MIN_FRAMES 8

// A foot that rests for less than that has landed all the same if it does so for as many frames, 0.05 s: speeds over
// 0.1 s leave that much of the stance of a sprinter, 0.1 s, and more of any other.
#define TOUCH_FRAMES 3

// Frames at the ends of a film in which nothing is known to rest: speeds there are one-sided.
#define FILM_EDGE 2

// Numbers that are kept for each frame and foot: speed, height, low, and speed averaged or running floor in between.
#define ROW_COUNT 4

static float getMedian(rpSamples* samples)
{
	float median = (float)rpSamples_GetQuantile(samples, 0.5);
	samples->count = 0;
	return median;
}

static bool findPlace(const rpVec3* ball, int first, int end, rpVec3* out, rpError* error)
{
	rpSamples x = {0}, z = {0};
	bool done = true;
	for (int f = first; f < end && done; ++f)
	{
		done = rpSamples_Add(&x, (double)ball[f].x, 0.0, error) && rpSamples_Add(&z, (double)ball[f].z, 0.0, error);
	}
	if (done)
	{
		*out = (rpVec3){getMedian(&x), 0.0f, getMedian(&z)};
	}
	rpSamples_Free(&x);
	rpSamples_Free(&z);
	return done;
}

static rpFootfall describe(const rpFilm* film, int side, int first, int end)
{
	return (rpFootfall){
		.side = side,
		.first = first,
		.end = end,
		.hasOnset = first > FILM_EDGE,
		.hasEnd = end < film->frameCount - FILM_EDGE,
	};
}

static bool addTouch(rpFootfalls* falls, const rpFilm* film, int side, int first, int end, rpError* error)
{
	if (!rpGrow(&falls->touches, &falls->touchCapacity, falls->touchCount, sizeof(rpFootfall), error))
	{
		return false;
	}
	falls->touches[falls->touchCount++] = describe(film, side, first, end);
	return true;
}

static bool addFootfall(rpFootfalls* falls, const rpFilm* film, int side, int first, int end, rpError* error)
{
	const rpVec3 *pelvis = film->points[rp_rolePelvis], *ball = rpFilm_GetLeg(film, side).ball;
	rpFootfall fall = describe(film, side, first, end);
	fall.pace = rpGetFloorDistance(pelvis[end - 1], pelvis[first]) * RP_FILM_RATE / (end - 1 - first);
	if (!findPlace(ball, first + RP_FOOTFALL_EDGE, end - RP_FOOTFALL_EDGE, &fall.place, error) ||
		!rpGrow(&falls->falls, &falls->capacity, falls->count, sizeof(rpFootfall), error))
	{
		return false;
	}
	falls->falls[falls->count++] = fall;
	for (int f = first; f < end; ++f)
	{
		falls->isDown[side][f] = true;
	}
	return true;
}

static bool doesRest(const rpFootfalls* falls, const float* averages, int side, int frame, int frameCount)
{
	return frame >= FILM_EDGE && frame < frameCount - FILM_EDGE && falls->heights[side][frame] < REST_HEIGHT &&
		   averages[frame] < REST_SPEED;
}

static bool findStretches(rpFootfalls* falls, const rpFilm* film, int side, const float* averages, rpError* error)
{
	int first = -1;
	for (int f = 0; f <= film->frameCount; ++f)
	{
		bool rests = f < film->frameCount && doesRest(falls, averages, side, f, film->frameCount);
		int frames = !rests && first >= 0 ? f - first : 0;
		if (frames >= MIN_FRAMES ? !addFootfall(falls, film, side, first, f, error)
								 : frames >= TOUCH_FRAMES && !addTouch(falls, film, side, first, f, error))
		{
			return false;
		}
		first = !rests ? -1 : first < 0 ? f : first;
	}
	return true;
}

// The rows of one foot; scratch is [frameCount].
static bool measureFoot(rpFootfalls* falls, const rpFilm* film, int side, float* scratch, rpError* error)
{
	rpFilmLeg leg = rpFilm_GetLeg(film, side);
	if (!rpFindRunningFloor(leg.ball, film->frameCount, scratch, error))
	{
		return false;
	}
	for (int f = 0; f < film->frameCount; ++f)
	{
		falls->heights[side][f] = leg.ball[f].y - scratch[f];
		falls->lows[side][f] = fminf(leg.ankle[f].y, fminf(leg.ball[f].y, leg.toe[f].y));
	}
	rpGetSpeeds(leg.ball, film->frameCount, false, falls->speeds[side]);
	rpAverage(falls->speeds[side], film->frameCount, scratch);
	return true;
}

int rpFootfall_Compare(const void* a, const void* b)
{
	const rpFootfall *p = a, *q = b;
	return p->first != q->first ? (p->first > q->first) - (p->first < q->first) : p->side - q->side;
}

static bool openRows(rpFootfalls* falls, int frameCount, rpError* error)
{
	size_t count = (size_t)frameCount;
	falls->memory = rpAllocate(count * 2 * ROW_COUNT, sizeof(float), error);
	falls->isDown[0] = rpAllocateZero(count * 2, sizeof(bool), error);
	if (falls->memory == NULL || falls->isDown[0] == NULL)
	{
		return false;
	}
	falls->isDown[1] = falls->isDown[0] + count;
	for (int side = 0; side < 2; ++side)
	{
		float* rows = falls->memory + count * (size_t)(side * ROW_COUNT);
		falls->speeds[side] = rows;
		falls->heights[side] = rows + count;
		falls->lows[side] = rows + 2 * count;
	}
	return true;
}

bool rpFootfalls_Find(rpFootfalls* falls, const rpFilm* film, rpError* error)
{
	*falls = (rpFootfalls){0};
	if (!rpFilm_HasLegs(film))
	{
		return true;
	}
	bool done = openRows(falls, film->frameCount, error);
	for (int side = 0; side < 2 && done; ++side)
	{
		float* scratch = falls->lows[side] + film->frameCount;
		done = measureFoot(falls, film, side, scratch, error) && findStretches(falls, film, side, scratch, error);
	}
	if (done && falls->count > 0)
	{
		qsort(falls->falls, (size_t)falls->count, sizeof(rpFootfall), rpFootfall_Compare);
	}
	if (done && falls->touchCount > 0)
	{
		qsort(falls->touches, (size_t)falls->touchCount, sizeof(rpFootfall), rpFootfall_Compare);
	}
	return done;
}

void rpFootfalls_Free(rpFootfalls* falls)
{
	rpFree(falls->falls);
	rpFree(falls->touches);
	rpFree(falls->memory);
	rpFree(falls->isDown[0]);
	*falls = (rpFootfalls){0};
}
