/// When a centre of mass comes to rest and when it leaves: minimum-jerk paths whose ends are known.
#include "analysis/rest_edge.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define DURATION 3.0
#define SPEED 0.15f

/// Somebody comes to rest at `start` after a path of `length` metres that took `time` seconds, and leaves likewise at
/// `end`.
typedef struct Path
{
	double start, end, length, time, drift, noise;
} Path;

static double ease(double t)
{
	double s = fmin(fmax(t, 0.0), 1.0);
	return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static rpVec3 getPlace(const Path* path, double t)
{
	double along = path->length * (ease((t - path->start) / path->time + 1.0) + ease((t - path->end) / path->time));
	return (rpVec3){(float)along, (float)(0.9 - 0.1 * along), (float)(path->drift * t)};
}

static rpCenterTrack makeTrack(const Path* path, double fps)
{
	rpCenterTrack track = {.fps = fps, .frameCount = (int)(DURATION * fps) + 1};
	track.places = calloc((size_t)track.frameCount, sizeof(rpVec3));
	assert_non_null(track.places);
	unsigned state = 1;
	for (int i = 0; i < track.frameCount; ++i)
	{
		track.places[i] = getPlace(path, i / fps);
		state = state * 1664525u + 1013904223u;
		track.places[i].x += (float)(path->noise * ((double)(state >> 16) / 32768.0 - 1.0));
	}
	return track;
}

static rpCenterRest findRest(const rpCenterTrack* track, const Path* path)
{
	double middle = 0.5 * (path->start + path->end);
	rpCenterRest rest = {middle, middle};
	while (rest.start > 0.0 && rpCenterTrack_GetSpeed(track, rest.start - 1.0 / track->fps) < SPEED)
	{
		rest.start -= 1.0 / track->fps;
	}
	while (rest.end < DURATION && rpCenterTrack_GetSpeed(track, rest.end + 1.0 / track->fps) < SPEED)
	{
		rest.end += 1.0 / track->fps;
	}
	return rest;
}

static void check(const Path* path, double fps, double max)
{
	rpCenterTrack track = makeTrack(path, fps);
	rpCenterRest rest = findRest(&track, path);
	double start = rpFindRestEdge(&track, rest, true, SPEED, path->start - path->time);
	double end = rpFindRestEdge(&track, rest, false, SPEED, path->end + path->time);
	free(track.places);
	if (max > 0.0)
	{
		assert_true(fabs(start - path->start) < max);
		assert_true(fabs(end - path->end) < max);
		return;
	}
	assert_true(isnan(start) && isnan(end));
}

static void findsBriskEdges(void** state)
{
	(void)state;
	for (int i = 0; i < 12; ++i)
	{
		Path path = {.start = 1.0 + 0.007 * i, .end = 1.8 + 0.011 * i, .length = 0.06 + 0.02 * i, .time = 0.35};
		check(&path, 60.0, 0.005);
		check(&path, 120.0, 0.005);
		// Somebody who sways, and a capture that trembles by a tenth of a millimetre.
		path.drift = 0.02;
		check(&path, 60.0, 0.005);
		path.noise = 0.0001;
		check(&path, 120.0, 1.0 / 60.0);
	}
}

// Someone who takes a second for a step of the centre of mass shows nothing.
static void leavesSlowEdges(void** state)
{
	(void)state;
	Path path = {.start = 1.2, .end = 1.8, .length = 0.3, .time = 1.2};
	check(&path, 60.0, 0.0);
	check(&path, 120.0, 0.0);
}

// Where the take begins or ends in a rest there is no edge.
static void leavesEndsOfTakes(void** state)
{
	(void)state;
	Path path = {.start = -1.0, .end = 9.0, .length = 0.2, .time = 0.35};
	rpCenterTrack track = makeTrack(&path, 60.0);
	rpCenterRest all = {0.0, DURATION};
	assert_true(isnan(rpFindRestEdge(&track, all, true, SPEED, 0.0)));
	assert_true(isnan(rpFindRestEdge(&track, all, false, SPEED, DURATION)));
	free(track.places);
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
