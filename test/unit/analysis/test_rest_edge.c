/// When a centre of mass comes to rest and when it leaves: ways of least jerk whose ends are known.
#include "analysis/rest_edge.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define DURATION 3.0
#define SPEED 0.15f

/// Somebody comes to rest at `start` after a way of `length` metres that took `time` seconds, and leaves it the same
/// way at `end`.
typedef struct Way
{
	double start, end, length, time, drift, noise;
} Way;

static double ease(double t)
{
	double s = fmin(fmax(t, 0.0), 1.0);
	return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static rpVec3 getPlace(const Way* way, double t)
{
	double along = way->length * (ease((t - way->start) / way->time + 1.0) + ease((t - way->end) / way->time));
	return (rpVec3){(float)along, (float)(0.9 - 0.1 * along), (float)(way->drift * t)};
}

static rpCenterCourse makeCourse(const Way* way, double fps)
{
	rpCenterCourse course = {.fps = fps, .frameCount = (int)(DURATION * fps) + 1};
	course.places = calloc((size_t)course.frameCount, sizeof(rpVec3));
	assert_non_null(course.places);
	unsigned state = 1;
	for (int i = 0; i < course.frameCount; ++i)
	{
		course.places[i] = getPlace(way, i / fps);
		state = state * 1664525u + 1013904223u;
		course.places[i].x += (float)(way->noise * ((double)(state >> 16) / 32768.0 - 1.0));
	}
	return course;
}

static rpCenterRest findRest(const rpCenterCourse* course, const Way* way)
{
	double middle = 0.5 * (way->start + way->end);
	rpCenterRest rest = {middle, middle};
	while (rest.start > 0.0 && rpCenterCourse_GetSpeed(course, rest.start - 1.0 / course->fps) < SPEED)
	{
		rest.start -= 1.0 / course->fps;
	}
	while (rest.end < DURATION && rpCenterCourse_GetSpeed(course, rest.end + 1.0 / course->fps) < SPEED)
	{
		rest.end += 1.0 / course->fps;
	}
	return rest;
}

static void check(const Way* way, double fps, double most)
{
	rpCenterCourse course = makeCourse(way, fps);
	rpCenterRest rest = findRest(&course, way);
	double start = rpFindRestEdge(&course, rest, true, SPEED, way->start - way->time);
	double end = rpFindRestEdge(&course, rest, false, SPEED, way->end + way->time);
	free(course.places);
	if (most > 0.0)
	{
		assert_true(fabs(start - way->start) < most);
		assert_true(fabs(end - way->end) < most);
		return;
	}
	assert_true(isnan(start) && isnan(end));
}

static void findsBriskEdges(void** state)
{
	(void)state;
	for (int i = 0; i < 12; ++i)
	{
		Way way = {.start = 1.0 + 0.007 * i, .end = 1.8 + 0.011 * i, .length = 0.06 + 0.02 * i, .time = 0.35};
		check(&way, 60.0, 0.005);
		check(&way, 120.0, 0.005);
		// Somebody who sways, and a capture that trembles by a tenth of a millimetre.
		way.drift = 0.02;
		check(&way, 60.0, 0.005);
		way.noise = 0.0001;
		check(&way, 120.0, 1.0 / 60.0);
	}
}

// Who takes a second for a step of the centre of mass shows nothing.
static void leavesSlowEdges(void** state)
{
	(void)state;
	Way way = {.start = 1.2, .end = 1.8, .length = 0.3, .time = 1.2};
	check(&way, 60.0, 0.0);
	check(&way, 120.0, 0.0);
}

// Where the take begins or ends in a rest there is no edge.
static void leavesEndsOfTakes(void** state)
{
	(void)state;
	Way way = {.start = -1.0, .end = 9.0, .length = 0.2, .time = 0.35};
	rpCenterCourse course = makeCourse(&way, 60.0);
	rpCenterRest all = {0.0, DURATION};
	assert_true(isnan(rpFindRestEdge(&course, all, true, SPEED, 0.0)));
	assert_true(isnan(rpFindRestEdge(&course, all, false, SPEED, DURATION)));
	free(course.places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findsBriskEdges),
		cmocka_unit_test(leavesSlowEdges),
		cmocka_unit_test(leavesEndsOfTakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
