/// Stances whose contacts were lost, found by the fall of the centre of mass: with valleys, and without them.
#include "analysis/footstep_gap.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define FPS 120.0
#define FLIGHT 0.12
#define STANCE 0.16
#define GRAVITY 9.81

// Flight and stance by turns, a flight first, the centre of mass having this velocity upwards when the first one
// begins.
static rpCenterTrack makeRun(double velocity, int frameCount)
{
	rpCenterTrack track = {.fps = FPS, .frameCount = frameCount};
	track.places = calloc((size_t)frameCount, sizeof(rpVec3));
	track.heights = calloc((size_t)frameCount, sizeof(float));
	assert_true(track.places != NULL && track.heights != NULL);
	enum
	{
		steps = 100
	};
	double height = 1.0, dt = 1.0 / (FPS * steps);
	for (int i = 0; i < frameCount * steps; ++i)
	{
		track.places[i / steps].y = i % steps == 0 ? (float)height : track.places[i / steps].y;
		bool flies = fmod(i * dt, FLIGHT + STANCE) < FLIGHT;
		velocity += dt * (flies ? -GRAVITY : GRAVITY * FLIGHT / STANCE);
		height += dt * velocity;
	}
	return track;
}

static void freeRun(rpCenterTrack* track)
{
	free(track->places);
	free(track->heights);
}

// From the first flight to the second one all contacts were lost. Someone who sinks has no valley in between.
static void findsStances(void** state)
{
	(void)state;
	for (double velocity = 0.0; velocity > -1.0; velocity -= 0.2)
	{
		rpCenterTrack track = makeRun(velocity, 80);
		rpCenterRest found;
		assert_true(rpFindLostSupport(&track, 0.05, FLIGHT + STANCE + FLIGHT, &found));
		assert_true(fabs(found.start - FLIGHT) < 0.03);
		assert_true(fabs(found.end - FLIGHT - STANCE) < 0.03);
		freeRun(&track);
	}
}

// A flight alone, the ends of stances around it, and somebody who stands hold none.
static void findsNothingElse(void** state)
{
	(void)state;
	rpCenterTrack track = makeRun(0.0, 80);
	double start = FLIGHT + STANCE;
	rpCenterRest found;
	assert_false(rpFindLostSupport(&track, start, start + FLIGHT, &found));
	assert_false(rpFindLostSupport(&track, start - 0.05, start + FLIGHT + 0.05, &found));
	assert_false(rpFindLostSupport(&track, FLIGHT, FLIGHT + STANCE, &found));
	for (int i = 0; i < track.frameCount; ++i)
	{
		track.places[i].y = 1.0f;
	}
	assert_false(rpFindLostSupport(&track, 0.1, 0.5, &found));
	freeRun(&track);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findsStances),
		cmocka_unit_test(findsNothingElse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
