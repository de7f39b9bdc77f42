/// On-line locomotion: what is asked for is done, at any tick, without memory, for ever.
#include "live/movement_plan.h"
#include "locomotion_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The model that all tests play.
typedef struct Scene
{
	TestLocomotion takes;
	rpLocomotion* model;
} Scene;

static Scene s_scene;

static int setUp(void** state)
{
	(void)state;
	s_scene.takes = testPerformAllGaits(60.0, 1);
	s_scene.model = testBuildLocomotion(&s_scene.takes, true);
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyLocomotion(s_scene.model);
	testFreeLocomotion(&s_scene.takes);
	return 0;
}

static rpPlayerInput ask(rpGait gait, double speed, double turnDegrees)
{
	return (rpPlayerInput){
		.request = gait, .locomotion.speed = (float)speed, .locomotion.turn = (float)(turnDegrees * RP_DEGREE)};
}

// ---- steady gaits

/// What was reached, from one knot to another of the same kind.
typedef struct Steady
{
	double speed, turn, plainSpeed, plainTurn;
} Steady;

static int findKnot(const TestPlay* play, int from, int step, rpMovementKind kind)
{
	for (int i = from; i > 0 && i < play->frameCount; i += step)
	{
		const rpMovementReport* movement = &play->reports[i].movement;
		if (movement->number != play->reports[i - 1].movement.number &&
			(kind == rp_movementKindCount || movement->kind == kind))
		{
			return i;
		}
	}
	fail_msg("no knot");
	return -1;
}

static Steady measureSteady(const TestPlay* play)
{
	rpBody body;
	Steady steady = {0};
	rpVec3* centers = malloc((size_t)play->capacity * sizeof(rpVec3));
	assert_true(rpWeighSkeleton(play->motion->skeleton, NULL, &body, NULL));
	rpBody_GetCenters(&body, play->motion, centers);
	int first = findKnot(play, play->frameCount / 2, 1, rp_movementKindCount);
	int last = findKnot(play, play->frameCount - 1, -1, play->reports[first].movement.kind);
	for (int i = first; i < last; ++i)
	{
		rpVec3 step = rpSub(centers[i + 1], centers[i]);
		float turn = rpMotion_GetGround(play->motion, i + 1).turn - rpMotion_GetGround(play->motion, i).turn;
		steady.speed += hypot((double)step.x, (double)step.z);
		steady.turn += (double)rpWrapAngle(turn);
		steady.plainSpeed += (double)play->reports[i].movement.plainSpeed;
		steady.plainTurn += (double)play->reports[i].movement.plainTurn;
	}
	free(centers);
	steady.speed *= 60.0 / (last - first);
	steady.turn *= 60.0 / (last - first) / RP_DEGREE;
	steady.plainSpeed /= last - first;
	steady.plainTurn /= (last - first) * RP_DEGREE;
	return steady;
}

// Twenty speeds and turns inside what the takes cover.
static void testSteady(void** state)
{
	(void)state;
	double speedSum = 0.0, turnSum = 0.0, plainSpeedSum = 0.0, plainTurnSum = 0.0, slide = 0.0;
	for (int k = 0; k < 20; ++k)
	{
		rpGait gait = k < 10 ? rp_gaitWalk : rp_gaitRun;
		double speed = gait == rp_gaitWalk ? 1.0 + 0.06 * (k % 10) : 2.6 + 0.08 * (k % 10);
		double turn = (k * 7 % 10 - 4.5) / 4.5 * (gait == rp_gaitWalk ? 30.0 : 20.0);
		rpPlayerInput input = ask(gait, speed, turn);
		// Feet are locked ahead, or as they come down.
		rpPlayerDef def = rpDefaultPlayerDef();
		def.lookAhead = k % 2 == 0 ? 0.7 : 0.0;
		TestPlay play = testStartPlay(s_scene.model, &def, 25.0);
		testPlayOn(&play, &input, 25.0);
		testFinishPlay(&play);
		Steady steady = measureSteady(&play);
		rpMeasures measures;
		assert_true(rpEvaluate(play.motion, NULL, &measures, NULL));
		print_message("%s %.2f m/s %6.1f deg/s: %.3f m/s %6.2f deg/s; by inverse distance %.3f %6.2f; slide %.3f mm\n",
					  rpGait_GetName(gait), speed, turn, steady.speed, steady.turn, steady.plainSpeed, steady.plainTurn,
					  measures.values[rp_measureSlideMean]);
		speedSum += fabs(steady.speed / speed - 1.0);
		turnSum += fabs(steady.turn - turn);
		plainSpeedSum += fabs(steady.plainSpeed / speed - 1.0);
		plainTurnSum += fabs(steady.plainTurn - turn);
		slide = fmax(slide, measures.values[rp_measureSlideMean]);
		testEndPlay(&play);
	}
	print_message("speed %.2f %% off (by inverse distance %.2f %%), turn %.2f deg/s (%.2f), slide %.3f mm\n",
				  5.0 * speedSum, 5.0 * plainSpeedSum, turnSum / 20.0, plainTurnSum / 20.0, slide);
	assert_true(speedSum / 20.0 < 0.05);
	assert_true(turnSum / 20.0 < 2.0);
	assert_true(slide < 2.0);
}

// What the takes do not cover is done as nearly as can be, and reported.
static void testLimits(void** state)
{
	(void)state;
	static const struct
	{
		rpGait gait;
		double speed, turn, low, high;
	} cases[] = {
		{rp_gaitWalk, 9.0, 0.0, 1.55, 1.75}, {rp_gaitWalk, 0.1, 0.0, 0.8, 0.95}, {rp_gaitRun, 30.0, 0.0, 3.4, 3.7}};
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
	{
		rpPlayerInput input = ask(cases[k].gait, cases[k].speed, cases[k].turn);
		TestPlay play = testStartPlay(s_scene.model, NULL, 15.0);
		testPlayOn(&play, &input, 15.0);
		const rpMovementReport* movement = &play.reports[play.frameCount - 1].movement;
		print_message("%s %.1f m/s: %.2f m/s\n", rpGait_GetName(cases[k].gait), cases[k].speed,
					  (double)movement->speed);
		assert_float_equal(movement->wantedSpeed, cases[k].speed, 1e-5);
		assert_true((double)movement->speed > cases[k].low && (double)movement->speed < cases[k].high);
		testEndPlay(&play);
	}
}

// ---- weights

static void testWeights(void** state)
{
	(void)state;
	const rpLocomotion* model = s_scene.model;
	const rpLocomotionNode* node = &model->nodes[rp_movementLDR];
	rpRandom random = rpSeedRandom(5);
	rpWeightDef def = {30, 0.01f}, all = {30, 0.0f};
	int met = 0;
	for (int i = 0; i < 200; ++i)
	{
		// Between two movements that there are.
		const rpMovement* a = &model->movements[node->firstMovement + rpRandom_Index(&random, node->movementCount)];
		const rpMovement* b = &model->movements[node->firstMovement + rpRandom_Index(&random, node->movementCount)];
		float asked[3] = {0.5f * (a->speed + b->speed), 0.5f * (a->turn + b->turn), 0.0f};
		rpNeighbour neighbours[RP_MAX_SHARES];
		rpWeighed weighed;
		int count = rpWeighMovements(model, rp_movementLDR, asked, &def, neighbours, &weighed);
		float sum = 0.0f, seconds = 0.0f, travelled = 0.0f;
		assert_true(count >= 1 && count <= 30);
		for (int k = 0; k < count; ++k)
		{
			const rpMovement* movement = &model->movements[neighbours[k].movement];
			float share = neighbours[k].weight * (float)(movement->end - movement->start);
			assert_int_equal(movement->kind, rp_movementLDR);
			assert_true(neighbours[k].weight > 0.0f && (k == 0 || neighbours[k].weight <= neighbours[k - 1].weight));
			sum += neighbours[k].weight;
			seconds += share;
			travelled += share * movement->speed;
		}
		assert_float_equal(sum, 1.0, 1e-5);
		assert_float_equal(travelled / seconds, weighed.speed, 1e-3);
		// Nearer to what was asked for than inverse distance, and mostly just that.
		float plain = fabsf(weighed.plainSpeed - asked[0]) / node->deviations[0] +
					  fabsf(weighed.plainTurn - asked[1]) / node->deviations[1];
		float own = fabsf(weighed.speed - asked[0]) / node->deviations[0] +
					fabsf(weighed.turn - asked[1]) / node->deviations[1];
		assert_true(own <= plain + 1e-4f);
		met += own < 1e-3f;
		assert_int_equal(rpWeighMovements(model, rp_movementLDR, asked, &all, neighbours, &weighed), 30);
	}
	print_message("%d of 200 speeds and turns are given back\n", met);
	assert_true(met > 150);
}

// ---- one movement alone is itself

static void testAlone(void** state)
{
	(void)state;
	size_t size;
	rpGaitModel model;
	void* bytes = rpWriteLocomotionBundle(s_scene.model, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	assert_true(rpGaitModel_Read(&model, bundle, NULL));
	rpQuat rotations[RP_MAX_JOINTS], own[RP_MAX_JOINTS];
	rpWeightDef def = {1, 0.01f};
	float worst = 0.0f;
	for (int i = 0; i < s_scene.model->movementCount; i += 7)
	{
		const rpMovement* movement = &s_scene.model->movements[i];
		rpMovementPlan plan;
		float asked[3] = {movement->speed, movement->turn, movement->acceleration};
		rpMovementPlan_Make(&plan, &model, movement->kind, asked, &def);
		const rpMovement* found = &s_scene.model->movements[plan.movements[0]];
		rpPose pose = {.rotations = rotations}, taken = {.rotations = own};
		const rpMotion* take = s_scene.model->takes[found->take];
		plan.span.placement = rpGroundTransform_identity;
		for (int n = 0; n <= 10; ++n)
		{
			double time = 0.1 * n * (found->end - found->start);
			assert_float_equal(rpMovementPlan_GetDuration(&plan), found->end - found->start, 1e-5);
			rpMotion_Sample(take, found->start + time, &taken);
			if (n == 0)
			{
				// Lay its first pose on the take's.
				rpSpan_Sample(&plan.span, 0.0, &pose);
				rpGroundTransform a = {rpHeading(taken.rotations[0]),
									   {taken.rootPosition.x, 0.0f, taken.rootPosition.z}};
				rpGroundTransform b = {rpHeading(pose.rotations[0]), {pose.rootPosition.x, 0.0f, pose.rootPosition.z}};
				plan.span.placement = rpGroundTransform_Compose(a, rpGroundTransform_Invert(b));
			}
			rpSpan_Sample(&plan.span, time, &pose);
			worst = fmaxf(worst, rpDistance(pose.rootPosition, taken.rootPosition));
			for (int j = 1; j < take->skeleton->jointCount; ++j)
			{
				assert_true(rpAngleBetween(pose.rotations[j], taken.rotations[j]) < 2e-3f);
			}
		}
	}
	print_message("one movement alone: %.2f mm off\n", 1e3 * (double)worst);
	assert_true(worst < 0.01f);
	rpGaitModel_Free(&model);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

// ---- transitions

/// The phases that a movement showed, each once.
static void collectPhases(const TestPlay* play, int first, int end, char* out, int size)
{
	int count = 0;
	for (int i = first; i < end; ++i)
	{
		char phase = "FLRD"[play->reports[i].phase];
		if ((count == 0 || out[count - 1] != phase) && count + 1 < size)
		{
			out[count++] = phase;
		}
	}
	out[count] = 0;
}

// A stand is a phase on both feet.
static void expectPhases(const char* string, const char* phases)
{
	char expected[8] = "";
	int count = 0;
	for (int i = 0; string[i] != 0; ++i)
	{
		expected[count++] = (char)(string[i] == 'S' ? 'D' : string[i]);
	}
	expected[count] = 0;
	if (strcmp(expected, phases) != 0)
	{
		fail_msg("%s shows %s", string, phases);
	}
}

static rpVec3* getCenters(const rpMotion* motion)
{
	rpBody body;
	rpVec3* centers = malloc((size_t)motion->frameCount * sizeof(rpVec3));
	assert_true(rpWeighSkeleton(motion->skeleton, NULL, &body, NULL));
	rpBody_GetCenters(&body, motion, centers);
	return centers;
}

/// How high the centre of mass is.
typedef struct Heights
{
	float low, high;
} Heights;

static void addHeights(Heights* heights, const rpVec3* centers, int first, int end)
{
	for (int i = first; i < end; ++i)
	{
		heights->low = fminf(heights->low, centers[i].y);
		heights->high = fmaxf(heights->high, centers[i].y);
	}
}

// In the takes' own movements of each kind.
static void getTakeHeights(Heights* out)
{
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		out[kind] = (Heights){INFINITY, -INFINITY};
	}
	for (int take = 0; take < s_scene.model->takeCount; ++take)
	{
		const rpMotion* motion = s_scene.model->takes[take];
		rpVec3* centers = getCenters(motion);
		for (int i = 0; i < s_scene.model->movementCount; ++i)
		{
			const rpMovement* movement = &s_scene.model->movements[i];
			if (movement->take == take)
			{
				addHeights(&out[movement->kind], centers, rpMotion_GetFrame(motion, movement->start),
						   rpMotion_GetFrame(motion, movement->end) + 1);
			}
		}
		free(centers);
	}
}

// All twelve transitions, each with its feet in order and without a hop.
static void testTransitions(void** state)
{
	(void)state;
	static const rpGait tour[] = {rp_gaitWalk, rp_gaitRun, rp_gaitWalk, rp_gaitStand, rp_gaitRun, rp_gaitStand};
	TestPlay play = testStartPlay(s_scene.model, NULL, 240.0);
	int seen[rp_movementKindCount] = {0}, kindCount = 0;
	for (int i = 0; i < 60; ++i)
	{
		rpGait gait = tour[i % 6];
		rpPlayerInput input = ask(gait, gait == rp_gaitRun ? 2.8 : 1.3, 0.0);
		testPlayOn(&play, &input, 3.3 + 0.17 * (i % 5));
	}
	testFinishPlay(&play);
	Heights takes[rp_movementKindCount];
	rpVec3* centers = getCenters(play.motion);
	getTakeHeights(takes);
	for (int first = 0, i = 1; i < play.frameCount; ++i)
	{
		const rpMovementReport* movement = &play.reports[i - 1].movement;
		if (play.reports[i].movement.number == movement->number)
		{
			continue;
		}
		char phases[16];
		Heights own = {INFINITY, -INFINITY}, *take = &takes[movement->kind];
		const char* string = rpMovementKind_GetString(movement->kind);
		collectPhases(&play, first, i, phases, sizeof(phases));
		expectPhases(string, phases);
		addHeights(&own, centers, first, i);
		if (own.low < take->low - 0.03f || own.high > take->high + 0.03f)
		{
			fail_msg("%s: centre of mass from %.3f to %.3f m, in the takes from %.3f to %.3f", string, (double)own.low,
					 (double)own.high, (double)take->low, (double)take->high);
		}
		kindCount += seen[movement->kind]++ == 0;
		first = i;
	}
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		print_message("%s%s %d", kind > 0 ? ", " : "", rpMovementKind_GetString((rpMovementKind)kind), seen[kind]);
	}
	print_message("\n");
	assert_int_equal(kindCount, rp_movementKindCount);
	free(centers);
	testEndPlay(&play);
}

// ---- for ever

static void expectFeetAboveFloor(const rpSkeleton* skeleton, const rpPose* pose, float* lowest)
{
	rpTransform world[RP_MAX_JOINTS];
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	for (int i = rp_leftHeel; i <= rp_rightToe; ++i)
	{
		const rpAttachment* point = &skeleton->effectors[i];
		if (point->joint >= 0)
		{
			*lowest = fminf(*lowest, rpTransformPoint(world[point->joint], point->offset).y);
		}
	}
}

// Ten thousand whims.
static void testWhims(void** state)
{
	(void)state;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = 0.0;
	TestPlay play = testStartPlay(s_scene.model, &def, 1.0);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(play.player);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpRandom random = rpSeedRandom(11);
	int before = testCountAllocations(), frames = 0, gaits[rp_gaitCount] = {0};
	float lowest = 0.0f;
	for (int i = 0; i < 10000; ++i)
	{
		rpPlayerInput input =
			ask((rpGait)rpRandom_Index(&random, rp_gaitCount), (double)rpRandom_Range(&random, 0.0f, 5.0f),
				(double)rpRandom_Range(&random, -90.0f, 90.0f));
		input.stick.x = i % 10 == 0 ? rpRandom_Normal(&random) : 0.0f;
		double seconds = (double)rpRandom_Range(&random, 0.05f, 1.5f);
		for (double t = 0.0; t < seconds; t += 1.0 / 30.0, ++frames)
		{
			int last = report.movement.number;
			rpPlayer_Step(play.player, 1.0 / 30.0, &input, &pose, &report);
			rpVec3 root = pose.rootPosition;
			assert_true(isfinite(root.x) && isfinite(root.z) && root.y > 0.6f && root.y < 1.2f);
			assert_true(frames == 0 || report.movement.number - last <= 2);
			++gaits[rpMovementKind_GetAfter(report.movement.kind)];
			expectFeetAboveFloor(skeleton, &pose, &lowest);
		}
		assert_true(isfinite(pose.rotations[0].w + pose.rotations[skeleton->jointCount - 1].w));
	}
	assert_int_equal(testCountAllocations(), before);
	print_message("%d frames, %d movements, %d %d %d frames of stand, walk and run, feet %.1f mm below the floor\n",
				  frames, report.movement.number, gaits[0], gaits[1], gaits[2], -1e3 * (double)lowest);
	assert_true(report.movement.number > 5000);
	assert_true(gaits[0] > 1000 && gaits[1] > 1000 && gaits[2] > 1000);
	assert_true(lowest > -0.006f);
	testEndPlay(&play);
}

// The same seed, the same motion; another one begins with another foot at times.
static void testSeeds(void** state)
{
	(void)state;
	rpPlayerInput walk = ask(rp_gaitWalk, 1.3, 10.0), stand = ask(rp_gaitStand, 0.0, 0.0);
	uint64_t hashes[3] = {0};
	for (int k = 0; k < 3; ++k)
	{
		rpPlayerDef def = rpDefaultPlayerDef();
		def.locomotion.seed = k == 2 ? 77 : 5;
		TestPlay play = testStartPlay(s_scene.model, &def, 60.0);
		for (int i = 0; i < 6; ++i)
		{
			testPlayOn(&play, &walk, 4.0);
			testPlayOn(&play, &stand, 4.0);
		}
		for (int i = 0; i < play.frameCount; ++i)
		{
			hashes[k] = hashes[k] * 31 + (uint64_t)play.reports[i].movement.kind;
			uint32_t bits;
			memcpy(&bits, &play.motion->rootPositions[i].x, sizeof(bits));
			hashes[k] = hashes[k] * 31 + bits;
		}
		testEndPlay(&play);
	}
	assert_true(hashes[0] == hashes[1]);
	assert_true(hashes[0] != hashes[2]);
}

// Whatever the ticks, it is the same motion at the same time; what was peeked at is what comes.
static void testTicks(void** state)
{
	(void)state;
	TestPlay even = testStartPlay(s_scene.model, NULL, 10.0), odd = testStartPlay(s_scene.model, NULL, 10.0);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerInput input = ask(rp_gaitRun, 2.9, -15.0);
	testPlayOn(&even, &input, 10.0);
	rpRandom random = rpSeedRandom(2);
	double time = 0.0;
	for (int i = 0; i < even.frameCount; ++i)
	{
		rpPlayerReport report;
		while (time < i / 60.0 - 1e-9)
		{
			double dt = fmin((double)rpRandom_Range(&random, 0.0f, 0.02f), i / 60.0 - time);
			rpPlayer_Step(odd.player, dt, &input, &pose, &report);
			time += dt;
		}
		rpPlayer_Step(odd.player, 0.0, &input, &pose, &report);
		assert_true(rpDistance(pose.rootPosition, even.motion->rootPositions[i]) < 1e-3f);
		assert_int_equal(report.movement.number, even.reports[i].movement.number);
		if (i % 20 == 0)
		{
			rpPlayer_Peek(odd.player, 0.5, &pose, &report);
			bool isThere = i + 30 < even.frameCount;
			assert_true(!isThere || rpDistance(pose.rootPosition, even.motion->rootPositions[i + 30]) < 0.12f);
			rpPlayer_Peek(odd.player, 2.0, &pose, &report);
			isThere = i + 120 < even.frameCount;
			assert_true(!isThere || report.movement.number == even.reports[i + 120].movement.number);
		}
	}
	testEndPlay(&even);
	testEndPlay(&odd);
}

// A wish before the middle of a movement is answered by the next one, after it by the one after that.
static void testResponse(void** state)
{
	(void)state;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	rpPlayerInput slow = ask(rp_gaitWalk, 1.1, 0.0), fast = ask(rp_gaitWalk, 1.4, 0.0);
	double sum = 0.0, worst = 0.0;
	int early = 0;
	for (int k = 0; k < 40; ++k)
	{
		TestPlay play = testStartPlay(s_scene.model, &def, 20.0);
		testPlayOn(&play, &slow, 8.0);
		int knot = findKnot(&play, play.frameCount - 1, -1, rp_movementKindCount), number;
		// At some moment of the movement.
		testPlayOn(&play, &slow, k / 60.0);
		number = play.reports[play.frameCount - 1].movement.number;
		knot = findKnot(&play, play.frameCount - 1, -1, rp_movementKindCount);
		int asked = play.frameCount;
		testPlayOn(&play, &fast, 3.0);
		int next = findKnot(&play, asked, 1, rp_movementKindCount), answer = asked;
		while (answer + 1 < play.frameCount &&
			   (!play.reports[answer].movement.isAnswer || play.reports[answer].movement.number == number))
		{
			++answer;
		}
		double passed = (double)(asked - knot) / (next - knot), seconds = (answer - asked) / 60.0;
		bool isNext = play.reports[answer].movement.number == number + 1;
		if (fabs(passed - 0.5) > 0.08 && asked < next - 1)
		{
			assert_true(isNext == (passed < 0.5));
		}
		assert_float_equal(play.reports[answer].movement.response, seconds, 0.05);
		early += isNext;
		sum += seconds;
		worst = fmax(worst, seconds);
		testEndPlay(&play);
	}
	print_message("walking: answered after %.0f ms on the average, %.0f at most; %d of 40 by the next movement\n",
				  1e3 * sum / 40.0, 1e3 * worst, early);
	assert_true(worst < 1.0);
	assert_true(early > 10 && early < 30);
}

// In whatever direction a stick points.
static void testStick(void** state)
{
	(void)state;
	for (int k = 0; k < 8; ++k)
	{
		rpPlayerInput input = {.stick = {(float)sin(0.25 * RP_PI * k), (float)cos(0.25 * RP_PI * k)},
							   .request = rp_gaitWalk};
		input.stick.x *= 0.6f;
		input.stick.y *= 0.6f;
		TestPlay play = testStartPlay(s_scene.model, NULL, 30.0);
		testPlayOn(&play, &input, 30.0);
		rpVec3 displacement = rpSub(play.motion->rootPositions[play.frameCount - 1], play.motion->rootPositions[900]);
		double angle = atan2((double)displacement.x, (double)displacement.z) - 0.25 * RP_PI * k;
		print_message("to %d: %.1f m, %.1f degrees off\n", 45 * k, (double)rpLength(displacement),
					  (double)rpWrapAngle((float)angle) / RP_DEGREE);
		assert_true(fabs((double)rpWrapAngle((float)angle)) < 6.0 * RP_DEGREE);
		assert_true(rpLength(displacement) > 12.0f);
		testEndPlay(&play);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSteady), cmocka_unit_test(testLimits),      cmocka_unit_test(testWeights),
		cmocka_unit_test(testAlone),  cmocka_unit_test(testTransitions), cmocka_unit_test(testWhims),
		cmocka_unit_test(testSeeds),  cmocka_unit_test(testTicks),       cmocka_unit_test(testResponse),
		cmocka_unit_test(testStick),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
