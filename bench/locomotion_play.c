/// On-line locomotion: how fast frames are made, how well what was asked for is met, how soon, and how smooth knots
/// are. On performed takes, found and modelled as any others.
#include "bench.h"
#include "locomotion_knots.h"
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	takeCount = 3,
	frameRounds = 7,
	framesPerRound = 24000,
	steadyCount = 20,
	steadySeconds = 25,
	whimCount = 300,
};

#define FPS 60.0

// What feet are also locked with, seconds.
#define LOOK_AHEAD 0.7

/// A model as a bundle.
typedef struct Scene
{
	rpMotion* takes[takeCount];
	void* bytes;
	rpBundle* bundle;
} Scene;

// Seeds that nothing was developed with.
static bool performTakes(Scene* scene, rpError* error)
{
	static const char* const scripts[takeCount] = {
		"stand 2; walk 6 0.9 0; walk 6 1.2 25; walk 6 1.5 -25; walk 5 1.7 0; stand 2; walk 5 1.3 45; walk 5 1.1 -45; "
		"stand 2; walk 4 1.4 10; stand 1.5; walk 2",
		"stand 2; run 5 2.6 0; run 5 3.2 20; run 5 3.6 -20; stand 2; run 4 2.8 -35; run 4 3.0 35; stand 2; run 3 2.5; "
		"stand 1.5; walk 2",
		"stand 1.5; walk 3 1.2; run 4 2.8; walk 3 1.4 -10; run 3 3.0 10; walk 4 1.5; stand 1.5; walk 2.5 1; run 3 2.5; "
		"walk 2.7 1.3; run 3.3 2.7; stand 1.5; run 3 3; walk 3 1.2; stand 2; walk 2",
	};
	for (int i = 0; i < takeCount; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		def.fps = FPS;
		def.seed = 9000 + (uint64_t)i;
		def.script = scripts[i];
		def.seconds = 0.0;
		scene->takes[i] = rpPerform(&def, error);
		if (scene->takes[i] == NULL)
		{
			return false;
		}
	}
	return true;
}

static bool makeScene(Scene* scene, rpError* error)
{
	rpLocomotionDef def = rpDefaultLocomotionDef();
	size_t size;
	def.mirror = true;
	if (!performTakes(scene, error))
	{
		return false;
	}
	rpLocomotion* model = rpBuildLocomotionOf((const rpMotion* const*)scene->takes, takeCount, &def, NULL, error);
	scene->bytes = model != NULL ? rpWriteLocomotionBundle(model, &size, error) : NULL;
	rpDestroyLocomotion(model);
	scene->bundle = scene->bytes != NULL ? rpCreateBundle(scene->bytes, size, error) : NULL;
	return scene->bundle != NULL;
}

static void freeScene(Scene* scene)
{
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(scene->takes[i]);
	}
	rpDestroyBundle(scene->bundle);
	rpFreeBytes(scene->bytes);
}

static rpPlayerInput ask(rpGait gait, double speed, double turnDegrees)
{
	return (rpPlayerInput){
		.request = gait, .locomotion.speed = (float)speed, .locomotion.turn = (float)(turnDegrees * RP_DEGREE)};
}

// ---- how fast

// Walking and running with changes, and now and then a stand.
static rpPlayerInput askAt(int frame)
{
	int turn = frame / 240;
	rpGait gait = turn % 7 == 6 ? rp_gaitStand : turn % 4 < 2 ? rp_gaitWalk : rp_gaitRun;
	return ask(gait, gait == rp_gaitWalk ? 1.0 + 0.1 * (turn % 5) : 2.6 + 0.15 * (turn % 5), 10.0 * (turn % 5 - 2));
}

static bool measureFrames(const Scene* scene, const rpPlayerDef* def, const char* key, const char* what,
						  BenchReport* report, rpError* error)
{
	static rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	double rates[frameRounds];
	rpPlayer* player = rpCreatePlayer(scene->bundle, def, error);
	if (player == NULL)
	{
		return false;
	}
	for (int round = 0; round < frameRounds; ++round)
	{
		double start = benchCpuTime();
		for (int i = 0; i < framesPerRound; ++i)
		{
			rpPlayerInput input = askAt(i);
			rpPlayer_Step(player, 1.0 / FPS, &input, &pose, NULL);
			benchKeep(rotations);
		}
		rates[round] = framesPerRound / (benchCpuTime() - start);
	}
	rpDestroyPlayer(player);
	benchPut(report, key, benchMedian(rates, frameRounds), what);
	return true;
}

// ---- how well

/// What was played.
typedef struct Show
{
	rpMotion* motion;
	rpPlayerReport* reports;
	int frameCount;
} Show;

static bool play(const Scene* scene, const rpPlayerInput* input, double lookAhead, Show* out, rpError* error)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = lookAhead;
	rpPlayer* player = rpCreatePlayer(scene->bundle, &def, error);
	if (player == NULL)
	{
		return false;
	}
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	out->frameCount = (int)(steadySeconds * FPS);
	out->motion = rpCreateMotion(skeleton, "steady", FPS, out->frameCount, error);
	out->reports = calloc((size_t)out->frameCount, sizeof(rpPlayerReport));
	bool done = out->motion != NULL && out->reports != NULL;
	for (int i = 0; i < out->frameCount && done; ++i)
	{
		rpPose pose = {.rotations = out->motion->rotations + (size_t)i * (size_t)skeleton->jointCount};
		rpPlayer_Step(player, 1.0 / FPS, input, &pose, &out->reports[i]);
		out->motion->rootPositions[i] = pose.rootPosition;
	}
	rpDestroyPlayer(player);
	return done;
}

static void freeShow(Show* show)
{
	rpDestroyMotion(show->motion);
	free(show->reports);
}

static bool addContacts(Show* show, rpError* error)
{
	bool done = true;
	for (int effector = 0; effector < rp_effectorCount && done; ++effector)
	{
		for (int i = 0; i < show->frameCount && done; ++i)
		{
			int first = i;
			while (i < show->frameCount && (show->reports[i].contacts >> effector & 1) != 0)
			{
				++i;
			}
			rpInterval contact = {.track = rp_trackContact,
								  .effector = (rpEffector)effector,
								  .start = first / FPS,
								  .end = fmin(i, show->frameCount - 1) / FPS};
			done =
				contact.end <= contact.start || rpAnnotations_AddInterval(&show->motion->annotations, &contact, error);
		}
	}
	return done;
}

/// Sums over the requests.
typedef struct Errors
{
	double speed, turn, plainSpeed, plainTurn, slide, slideMax;
} Errors;

static int findKnot(const Show* show, int from, int step, rpMovementKind kind)
{
	int i = from;
	while (i > 1 && i + 1 < show->frameCount &&
		   (show->reports[i].movement.number == show->reports[i - 1].movement.number ||
			(kind != rp_movementKindCount && show->reports[i].movement.kind != kind)))
	{
		i += step;
	}
	return i;
}

// Over whole cycles in the second half: the path of the centre of mass, the root's heading.
static bool addErrors(const Show* show, const rpPlayerInput* input, Errors* errors)
{
	rpBody body;
	rpMeasures measures;
	rpVec3* centers = malloc((size_t)show->frameCount * sizeof(rpVec3));
	double speed = 0.0, turn = 0.0, plainSpeed = 0.0, plainTurn = 0.0;
	if (centers == NULL || !rpWeighSkeleton(show->motion->skeleton, NULL, &body, NULL) ||
		!rpEvaluate(show->motion, NULL, &measures, NULL))
	{
		free(centers);
		return false;
	}
	rpBody_GetCenters(&body, show->motion, centers);
	int first = findKnot(show, show->frameCount / 2, 1, rp_movementKindCount);
	int last = findKnot(show, show->frameCount - 1, -1, show->reports[first].movement.kind);
	for (int i = first; i < last; ++i)
	{
		const rpMovementReport* movement = &show->reports[i].movement;
		rpVec3 step = rpSub(centers[i + 1], centers[i]);
		float angle = rpMotion_GetGround(show->motion, i + 1).turn - rpMotion_GetGround(show->motion, i).turn;
		speed += FPS * hypot((double)step.x, (double)step.z) / (last - first);
		turn += FPS * (double)rpWrapAngle(angle) / (last - first);
		plainSpeed += (double)movement->plainSpeed / (last - first);
		plainTurn += (double)movement->plainTurn / (last - first);
	}
	free(centers);
	errors->speed += fabs(speed / (double)input->locomotion.speed - 1.0) / steadyCount;
	errors->turn += fabs(turn - (double)input->locomotion.turn) / RP_DEGREE / steadyCount;
	errors->plainSpeed += fabs(plainSpeed / (double)input->locomotion.speed - 1.0) / steadyCount;
	errors->plainTurn += fabs(plainTurn - (double)input->locomotion.turn) / RP_DEGREE / steadyCount;
	errors->slide = fmax(errors->slide, measures.values[rp_measureSlideMean]);
	errors->slideMax = fmax(errors->slideMax, measures.values[rp_measureSlideMax]);
	return true;
}

static bool playSteadily(const Scene* scene, double lookAhead, Errors* errors, rpError* error)
{
	for (int k = 0; k < steadyCount; ++k)
	{
		bool isWalk = k % 2 == 0;
		double place = (double)(k * 13 % steadyCount) / (steadyCount - 1);
		rpPlayerInput input = ask(isWalk ? rp_gaitWalk : rp_gaitRun, isWalk ? 1.0 + 0.6 * place : 2.6 + 0.8 * place,
								  (isWalk ? 30.0 : 20.0) * (2.0 * (k * 7 % steadyCount) / (steadyCount - 1) - 1.0));
		Show show = {0};
		bool done = play(scene, &input, lookAhead, &show, error) && addContacts(&show, error) &&
					addErrors(&show, &input, errors);
		freeShow(&show);
		if (!done)
		{
			return false;
		}
	}
	return true;
}

static bool measureSteady(const Scene* scene, BenchReport* report, rpError* error)
{
	Errors errors = {0}, ahead = {0};
	if (!playSteadily(scene, 0.0, &errors, error) || !playSteadily(scene, LOOK_AHEAD, &ahead, error))
	{
		return false;
	}
	benchPut(report, "speed_error", errors.speed,
			 "share by which 20 requested speeds of walking and running are missed, mean");
	benchPut(report, "turn_error_deg_per_s", errors.turn, "deg/s by which their turns are missed, mean");
	benchPut(report, "speed_error_inverse_distance", errors.plainSpeed, "the same by inverse distance alone");
	benchPut(report, "turn_error_inverse_distance_deg_per_s", errors.plainTurn, "the same by inverse distance alone");
	benchPut(report, "slide_mm", errors.slide, "mm that a resting foot slides, mean of contacts, the worst request");
	benchPut(report, "slide_max_mm", errors.slideMax,
			 "mm that a resting foot slides, the worst contact of all requests");
	benchPut(report, "slide_look_ahead_mm", ahead.slide, "the same where feet are locked 0.7 s ahead");
	return true;
}

// ---- how soon

static bool measureResponse(const Scene* scene, double lookAhead, const char* meanKey, const char* maxKey,
							BenchReport* report, rpError* error)
{
	static rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = lookAhead;
	rpPlayer* player = rpCreatePlayer(scene->bundle, &def, error);
	rpRandom random = rpSeedRandom(4);
	double sum = 0.0, worst = 0.0;
	int count = 0, last = 0;
	if (player == NULL)
	{
		return false;
	}
	for (int i = 0; i < whimCount; ++i)
	{
		rpGait gait = (rpGait)rpRandom_Index(&random, rp_gaitCount);
		rpPlayerInput input = ask(gait, gait == rp_gaitRun ? 2.8 : 1.3, (double)rpRandom_Range(&random, -20.0f, 20.0f));
		int frames = (int)rpRandom_Range(&random, 180.0f, 300.0f);
		for (int f = 0; f < frames; ++f)
		{
			rpPlayerReport shown;
			rpPlayer_Step(player, 1.0 / FPS, &input, &pose, &shown);
			if (shown.movement.number != last && shown.movement.isAnswer)
			{
				sum += 1e3 * (double)shown.movement.response;
				worst = fmax(worst, 1e3 * (double)shown.movement.response);
				++count;
			}
			last = shown.movement.number;
		}
	}
	rpDestroyPlayer(player);
	benchPut(report, meanKey, sum / count,
			 lookAhead > 0.0 ? "the same where feet are locked 0.7 s ahead"
							 : "ms from a request to the movement that answers it, mean");
	benchPut(report, maxKey, worst, lookAhead > 0.0 ? "ms at most, locked ahead" : "ms at most");
	return true;
}

bool benchLocomotionPlay(BenchReport* report)
{
	Scene scene = {0};
	rpError error = {0};
	rpPlayerDef def = rpDefaultPlayerDef(), ahead = def, full = def;
	ahead.lookAhead = LOOK_AHEAD;
	full.locomotion.minWeight = 0.0f;
	bool done =
		makeScene(&scene, &error) &&
		measureFrames(&scene, &def, "frames_per_s",
					  "character frames per second on one core, with foot lock (the paper: 1,000)", report, &error) &&
		measureFrames(&scene, &full, "frames_per_s_k30_full", "the same with all 30 neighbours kept", report, &error) &&
		measureFrames(&scene, &ahead, "frames_per_s_look_ahead", "the same where feet are locked 0.7 s ahead", report,
					  &error) &&
		measureSteady(&scene, report, &error) &&
		measureResponse(&scene, 0.0, "response_ms_mean", "response_ms_max", report, &error) &&
		measureResponse(&scene, LOOK_AHEAD, "response_look_ahead_ms_mean", "response_look_ahead_ms_max", report,
						&error) &&
		benchLocomotionKnots(scene.bundle, scene.takes, takeCount, report, &error);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: locomotion: %s\n", error.message);
	}
	freeScene(&scene);
	return done;
}
