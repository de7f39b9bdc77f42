#include "locomotion_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a take's truth is read with.
typedef struct Truth
{
	const rpMotion* take;
	rpVec3* centers;
	rpInterval* phases;
	int phaseCount;
} Truth;

static rpVec3 getCenter(const Truth* truth, double time)
{
	double place = fmin(fmax(time * truth->take->fps, 0.0), truth->take->frameCount - 1);
	int frame = (int)fmin(place, truth->take->frameCount - 2);
	return rpLerp(truth->centers[frame], truth->centers[frame + 1], (float)(place - frame));
}

// Speed, turning and acceleration of the centre of mass over the floor, in pieces of a hundredth of the movement.
static void measure(const Truth* truth, rpMovement* out)
{
	enum
	{
		pieces = 20
	};
	double step = (out->end - out->start) / pieces, travelled = 0.0, angle = 0.0, first = 0.0, last = 0.0, before = 0.0;
	for (int i = 0; i < pieces; ++i)
	{
		rpVec3 d = rpSub(getCenter(truth, out->start + (i + 1) * step), getCenter(truth, out->start + i * step));
		double length = hypot((double)d.x, (double)d.z), heading = atan2((double)d.x, (double)d.z);
		travelled += length;
		angle += i > 0 && out->kind != rp_movementS ? (double)rpWrapAngle((float)(heading - before)) : 0.0;
		before = heading;
		first += i < 3 ? length / (3.0 * step) : 0.0;
		last += i >= pieces - 3 ? length / (3.0 * step) : 0.0;
	}
	double seconds = out->end - out->start;
	out->speed = (float)(travelled / seconds);
	out->turn = (float)(angle * pieces / (pieces - 1) / seconds);
	out->acceleration = (float)((last - first) / seconds);
}

static void setKeytimes(const Truth* truth, rpMovement* out)
{
	const char* string = rpMovementKind_GetString(out->kind);
	out->keytimes[out->keytimeCount++] = out->start;
	for (int i = 0; i < truth->phaseCount && out->keytimeCount < (int)strlen(string); ++i)
	{
		double end = truth->phases[i].end;
		if (end > out->start + 1e-4 && end < out->end - 1e-4)
		{
			out->keytimes[out->keytimeCount++] = end;
		}
	}
	out->keytimes[out->keytimeCount++] = out->end;
}

static void addMovement(const Truth* truth, rpMovements* movements, int take, const char* string, double start,
						double end)
{
	static double lastEnd;
	static int lastTake = -1;
	rpMovement movement = {.kind = rpMovementKind_Find(string), .take = take, .start = start, .end = end};
	if (movement.kind == rp_movementKindCount)
	{
		return;
	}
	movement.isSuccessor = movements->count > 0 && lastTake == take && fabs(lastEnd - start) < 1e-6;
	setKeytimes(truth, &movement);
	if (movement.keytimeCount != (int)strlen(string) + 1)
	{
		print_message("%s at %.3f..%.3f has %d key times\n", string, start, end, movement.keytimeCount);
		return;
	}
	measure(truth, &movement);
	lastEnd = end;
	lastTake = take;
	movements->items = realloc(movements->items, (size_t)(movements->count + 1) * sizeof(rpMovement));
	movements->items[movements->count++] = movement;
	++movements->counts[movement.kind];
}

// Strings begin at their events and last until the next half cycle or string.
static void readTruth(TestLocomotion* locomotion, int take)
{
	const rpMotion* motion = locomotion->takes[take];
	rpBody body;
	assert_true(rpWeighSkeleton(motion->skeleton, NULL, &body, NULL));
	Truth truth = {.take = motion, .centers = malloc((size_t)motion->frameCount * sizeof(rpVec3))};
	rpBody_GetCenters(&body, motion, truth.centers);
	truth.phaseCount = rpMotion_GetIntervals(motion, rp_trackPhase, NULL, 0);
	truth.phases = malloc((size_t)truth.phaseCount * sizeof(rpInterval));
	rpMotion_GetIntervals(motion, rp_trackPhase, truth.phases, truth.phaseCount);
	const rpAnnotations* notes = &motion->annotations;
	for (int i = 0; i < notes->eventCount; ++i)
	{
		if (strncmp(notes->events[i].name, "string:", 7) != 0)
		{
			continue;
		}
		for (int k = 0; k < notes->eventCount; ++k)
		{
			bool isEnd =
				notes->events[k].time > notes->events[i].time + 1e-6 &&
				(strcmp(notes->events[k].name, "half_cycle") == 0 || strncmp(notes->events[k].name, "string:", 7) == 0);
			if (isEnd)
			{
				addMovement(&truth, &locomotion->movements, take, notes->events[i].name + 7, notes->events[i].time,
							notes->events[k].time);
				break;
			}
		}
	}
	free(truth.centers);
	free(truth.phases);
}

TestLocomotion testPerformLocomotion(const char* const* scripts, int count, double fps, uint64_t seed)
{
	TestLocomotion locomotion = {0};
	assert_true(count <= testMaxTakes);
	for (int i = 0; i < count; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		rpError error = {0};
		char name[32];
		def.fps = fps;
		def.seed = seed + (uint64_t)i;
		def.script = scripts[i];
		def.seconds = 0.0;
		rpMotion* take = rpPerform(&def, &error);
		if (take == NULL)
		{
			fail_msg("%s", error.message);
		}
		snprintf(name, sizeof(name), "take%d", i);
		assert_true(rpMotion_SetName(take, name, NULL));
		locomotion.takes[locomotion.takeCount++] = take;
		readTruth(&locomotion, i);
	}
	return locomotion;
}

TestLocomotion testPerformAllGaits(double fps, uint64_t seed)
{
	static const char* const scripts[] = {
		"stand 2; walk 6 0.9 0; walk 6 1.2 25; walk 6 1.5 -25; walk 5 1.7 0; stand 2; walk 5 1.3 45; walk 5 1.1 -45; "
		"stand 2; walk 4 1.4 10; stand 1.5",
		"stand 2; run 5 2.6 0; run 5 3.2 20; run 5 3.6 -20; stand 2; run 4 2.8 -35; run 4 3.0 35; stand 2; run 3 2.5; "
		"stand 1.5",
		"stand 1.5; walk 3 1.2; run 4 2.8; walk 3 1.4 -10; run 3 3.0 10; walk 4 1.5; stand 1.5; walk 2.5 1; run 3 2.5; "
		"walk 2.7 1.3; run 3.3 2.7; stand 1.5; run 3 3; walk 3 1.2; stand 2",
	};
	return testPerformLocomotion(scripts, 3, fps, seed);
}

void testFreeLocomotion(TestLocomotion* locomotion)
{
	for (int i = 0; i < locomotion->takeCount; ++i)
	{
		rpDestroyMotion(locomotion->takes[i]);
	}
	free(locomotion->movements.items);
}

rpLocomotion* testBuildLocomotion(const TestLocomotion* locomotion, bool mirror)
{
	rpLocomotionDef def = {.mirror = mirror};
	rpError error = {0};
	rpLocomotion* model = rpBuildLocomotionFrom((const rpMotion* const*)locomotion->takes, locomotion->takeCount,
												&locomotion->movements, &def, NULL, &error);
	if (model == NULL)
	{
		fail_msg("%s", error.message);
	}
	return model;
}

// ---- playing

#define PLAY_FPS 60.0

TestPlay testStartPlay(const rpLocomotion* model, const rpPlayerDef* def, double seconds)
{
	TestPlay play = {.capacity = (int)(seconds * PLAY_FPS) + 1};
	size_t size;
	rpError error = {0};
	play.bytes = rpWriteLocomotionBundle(model, &size, &error);
	play.bundle = play.bytes != NULL ? rpCreateBundle(play.bytes, size, &error) : NULL;
	play.player = play.bundle != NULL ? rpCreatePlayer(play.bundle, def, &error) : NULL;
	if (play.player == NULL)
	{
		fail_msg("%s", error.message);
	}
	play.motion = rpCreateMotion(rpPlayer_GetSkeleton(play.player), "played", PLAY_FPS, play.capacity, NULL);
	play.reports = calloc((size_t)play.capacity, sizeof(rpPlayerReport));
	return play;
}

void testPlayOn(TestPlay* play, const rpPlayerInput* input, double seconds)
{
	int jointCount = play->motion->skeleton->jointCount;
	for (int i = 0; i < (int)(seconds * PLAY_FPS + 0.5) && play->frameCount < play->capacity; ++i)
	{
		int frame = play->frameCount++;
		rpPose pose = {.rotations = play->motion->rotations + (size_t)frame * (size_t)jointCount};
		rpPlayer_Step(play->player, frame > 0 ? 1.0 / PLAY_FPS : 0.0, input, &pose, &play->reports[frame]);
		play->motion->rootPositions[frame] = pose.rootPosition;
	}
}

void testFinishPlay(TestPlay* play)
{
	rpMotion* motion = play->motion;
	motion->frameCount = play->frameCount;
	rpMotion_FixHemispheres(motion);
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		for (int i = 0; i < motion->frameCount; ++i)
		{
			int first = i;
			while (i < motion->frameCount && (play->reports[i].contacts >> effector & 1) != 0)
			{
				++i;
			}
			rpInterval contact = {.track = rp_trackContact,
								  .effector = (rpEffector)effector,
								  .start = first / PLAY_FPS,
								  .end = fmin(i, motion->frameCount - 1) / PLAY_FPS};
			assert_true(contact.end <= contact.start ||
						rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
		}
	}
}

void testEndPlay(TestPlay* play)
{
	free(play->reports);
	rpDestroyMotion(play->motion);
	rpDestroyPlayer(play->player);
	rpDestroyBundle(play->bundle);
	rpFreeBytes(play->bytes);
}
