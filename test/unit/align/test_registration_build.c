/// Registrations of motions whose time and place are known.
#include "edit_scene.h"

#include <stdlib.h>
#include <string.h>

static rpMotion* perform(rpAct act, double seconds, uint64_t seed, int parameter, float value)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = seconds;
	def.seed = seed;
	if (parameter >= 0)
	{
		def.parameters[parameter] = value;
	}
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(motion);
	return motion;
}

// What every registration must be, whatever the motions are.
static void checkRegistration(const rpRegistration* registration)
{
	int keyCount = registration->keyCount;
	assert_true(keyCount >= 2);
	for (int m = 0; m < registration->motionCount; ++m)
	{
		const double* times = registration->times + m * keyCount;
		const rpGroundTransform* grounds = registration->grounds + m * keyCount;
		assert_true(times[0] >= 0.0);
		assert_true(times[keyCount - 1] <= rpMotion_GetDuration(registration->motions[m]) + 1e-9);
		for (int k = 1; k < keyCount; ++k)
		{
			assert_true(times[k] > times[k - 1]);
			assert_true(fabsf(grounds[k].turn - grounds[k - 1].turn) < (float)RP_PI);
		}
	}
	for (int s = 0; s < registration->stageCount; ++s)
	{
		const rpStage* stage = registration->stages + s;
		assert_true(stage->firstKey < stage->lastKey);
		assert_int_equal(stage->firstKey, s > 0 ? stage[-1].lastKey : 0);
		assert_true(s == 0 || stage->contacts != stage[-1].contacts);
		assert_true(s + 1 < registration->stageCount || stage->lastKey == keyCount - 1);
	}
}

// A motion and itself at another pace elsewhere: the pace and the place are found again.
static void testKnownWarp(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0, 3, rp_paramTurn, 0.4f);
	const double newTimes[] = {0.0, 1.0, 2.0, 3.0, 3.6}, oldTimes[] = {0.0, 1.3, 2.1, 3.2, 4.0};
	rpWarp warp = {newTimes, oldTimes, 5, true};
	rpMotion* warped = rpRetimeMotion(walk, &warp, NULL);
	const rpGroundTransform ground = {2.0f, {-30.0f, 0.0f, 12.0f}};
	rpMotion* moved = rpMoveMotion(warped, ground, NULL);
	const rpMotion* motions[] = {moved, walk};
	rpRegistration* registration = rpCreateRegistration(motions, 2, NULL, NULL);
	assert_non_null(registration);
	checkRegistration(registration);
	assert_true(registration->costs[1] + registration->costs[0] < 0.05f);
	assert_true(registration->stageCount > 8);
	double end = registration->times[registration->keyCount - 1];
	assert_true(end == rpMotion_GetDuration(moved));
	for (int i = 0; i <= 100; ++i)
	{
		double t = end * i / 100.0;
		assert_true(fabs(rpRegistration_GetTime(registration, 1, t) - rpWarp_Apply(&warp, t)) < 0.03);
		rpGroundTransform found = rpRegistration_GetGround(registration, 1, t);
		assert_true(fabsf(rpWrapAngle(found.turn - ground.turn)) < 0.05f);
		int frame = rpMotion_GetFrame(moved, t);
		int other = rpMotion_GetFrame(walk, rpRegistration_GetTime(registration, 1, t));
		rpVec3 root = rpGroundTransform_Apply(found, walk->rootPositions[other]);
		assert_true(rpDistance(root, moved->rootPositions[frame]) < 0.06f);
	}
	rpMotion* back = rpRegistration_Retime(registration, 1, NULL);
	assert_non_null(back);
	assert_int_equal(back->frameCount, moved->frameCount);
	assert_true(testMeasureDistance(back, moved) < 0.15f);
	rpDestroyMotion(back);
	rpDestroyRegistration(registration);
	rpDestroyMotion(moved);
	rpDestroyMotion(warped);
	rpDestroyMotion(walk);
}

// Stands and raises the left arm twice, at 1.2 s towards an azimuth and at 2.8 s towards the opposite.
static rpMotion* makeSignals(double azimuth)
{
	rpMotion* motion = perform(rp_actStand, 4.0, 0, -1, 0.0f);
	int shoulder = rpSkeleton_FindRole(motion->skeleton, rp_roleLeftShoulder), joints = motion->skeleton->jointCount;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		// But for the arm hardly anything moves, or the shift of the weight would give the time.
		motion->rootPositions[i] = rpLerp(motion->rootPositions[0], motion->rootPositions[i], 0.3f);
		for (int j = 0; j < joints; ++j)
		{
			rpQuat* rotation = motion->rotations + i * joints + j;
			*rotation = rpSlerp(motion->rotations[j], *rotation, 0.3f);
		}
	}
	for (int i = 0; i < motion->frameCount; ++i)
	{
		double t = i / motion->fps, first = (t - 1.2) / 0.2, second = (t - 2.8) / 0.2;
		double raise = 1.5 * (exp(-first * first) - exp(-second * second));
		rpVec3 axis = {(float)cos(azimuth), 0.0f, (float)sin(azimuth)};
		rpQuat* rotation = motion->rotations + i * joints + shoulder;
		*rotation = rpMulQuat(rpAxisAngle(axis, (float)raise), *rotation);
	}
	rpMotion_FixHemispheres(motion);
	return motion;
}

// Between the first and the last of six the arm's path has turned so far that the first signal of one is more like the
// second of the other. From each to the next it is plain which is which.
static void testChain(void** state)
{
	(void)state;
	const rpMotion* motions[6];
	for (int m = 0; m < 6; ++m)
	{
		// The nearest to the first one is not next to it in the list.
		const int places[] = {0, 5, 2, 4, 1, 3};
		motions[m] = makeSignals(30.0 * RP_DEGREE * places[m]);
	}
	rpRegistration* direct = rpCreateRegistration(motions, 2, NULL, NULL);
	rpRegistration* chain = rpCreateRegistration(motions, 6, NULL, NULL);
	assert_non_null(direct);
	assert_non_null(chain);
	checkRegistration(direct);
	checkRegistration(chain);
	double missed = 0.0;
	for (double t = 0.9; t < 1.5; t += 0.05)
	{
		missed = fmax(missed, fabs(rpRegistration_GetTime(direct, 1, t) - t));
	}
	assert_true(missed > 1.0);
	for (double t = 0.0; t < 4.0; t += 0.05)
	{
		for (int m = 1; m < 6; ++m)
		{
			assert_true(fabs(rpRegistration_GetTime(chain, m, t) - t) < 0.05);
		}
	}
	// In the order of their azimuths: 0, 4, 2, 5, 3, 1; rooted in the middle.
	const int orders[] = {0, 4, 2, 5, 3, 1};
	for (int n = 0; n + 1 < 6; ++n)
	{
		int a = orders[n], b = orders[n + 1];
		assert_true(chain->links[a] == b || chain->links[b] == a);
	}
	assert_true(chain->links[2] == -1 || chain->links[5] == -1);
	rpDestroyRegistration(direct);
	rpDestroyRegistration(chain);
	for (int m = 0; m < 6; ++m)
	{
		rpDestroyMotion((rpMotion*)motions[m]);
	}
}

// Times of a motion at which an effector comes down or leaves the ground.
static bool isChange(const rpMotion* motion, double seconds, double tolerance)
{
	bool found = false;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		found = found || (interval->track == rp_trackContact &&
						  (fabs(interval->start - seconds) < tolerance || fabs(interval->end - seconds) < tolerance));
	}
	return found;
}

// Walks of different speed: contacts are matched exactly, and in each stage the feet named are on the ground.
static void testStages(void** state)
{
	(void)state;
	const float speeds[] = {1.3f, 0.9f, 1.7f};
	const rpMotion* motions[3];
	for (int m = 0; m < 3; ++m)
	{
		// As many steps each.
		rpMotion* walk = perform(rp_actWalk, 6.0, (uint64_t)m + 1, rp_paramSpeed, speeds[m]);
		double strikes[16];
		int count = 0;
		for (int i = 0; i < walk->annotations.eventCount && count < 16; ++i)
		{
			const rpEvent* event = walk->annotations.events + i;
			if (strcmp(event->name, "heel_strike_left") == 0)
			{
				strikes[count++] = event->time;
			}
		}
		assert_true(count >= 4);
		motions[m] = rpCropMotion(walk, strikes[0] - 0.1, strikes[3] - 0.1, NULL);
		rpDestroyMotion(walk);
	}
	rpRegistration* registration = rpCreateRegistration(motions, 3, NULL, NULL);
	assert_non_null(registration);
	checkRegistration(registration);
	assert_true(registration->stageCount >= 12);
	for (int s = 0; s + 1 < registration->stageCount; ++s)
	{
		int key = registration->stages[s].lastKey;
		for (int m = 0; m < 3; ++m)
		{
			assert_true(isChange(motions[m], registration->times[m * registration->keyCount + key], 0.051));
		}
	}
	for (int s = 0; s < registration->stageCount; ++s)
	{
		const rpStage* stage = registration->stages + s;
		for (int m = 0; m < 3; ++m)
		{
			const double* times = registration->times + m * registration->keyCount;
			double middle = 0.5 * (times[stage->firstKey] + times[stage->lastKey]);
			for (int effector = rp_leftHeel; effector <= rp_rightBall; ++effector)
			{
				if (effector != rp_leftToe && effector != rp_rightToe)
				{
					assert_true(rpMotion_IsInContact(motions[m], (rpEffector)effector, middle) ==
								((stage->contacts >> effector & 1u) != 0u));
				}
			}
		}
	}
	rpDestroyRegistration(registration);
	for (int m = 0; m < 3; ++m)
	{
		rpDestroyMotion((rpMotion*)motions[m]);
	}
}

// One that starts later and stops earlier: what they share is found, and nothing else is claimed.
static void testFreeEnds(void** state)
{
	(void)state;
	rpMotion* take = perform(rp_actStandRun, 0.0, 5, -1, 0.0f);
	double duration = rpMotion_GetDuration(take);
	rpMotion* part = rpCropMotion(take, 0.2 * duration, 0.8 * duration, NULL);
	const rpMotion* motions[] = {part, take};
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = true;
	rpRegistration* registration = rpCreateRegistration(motions, 2, &def, NULL);
	assert_non_null(registration);
	checkRegistration(registration);
	double start = registration->times[0], end = registration->times[registration->keyCount - 1];
	assert_true(end - start > 0.8 * rpMotion_GetDuration(part));
	for (int i = 1; i < 20; ++i)
	{
		double t = start + (end - start) * i / 20.0;
		assert_true(fabs(rpRegistration_GetTime(registration, 1, t) - t - 0.2 * duration) < 0.05);
	}
	rpMotion* retimed = rpRegistration_Retime(registration, 1, NULL);
	assert_non_null(retimed);
	assert_true(fabs(rpMotion_GetDuration(retimed) - (end - start)) < 1.5 / part->fps);
	rpDestroyMotion(retimed);
	rpDestroyRegistration(registration);
	rpDestroyMotion(part);
	rpDestroyMotion(take);
}

// The same frames at other rates: the result has the first motion's.
static void testRates(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 3.0, 2, -1, 0.0f);
	rpMotion* slow = rpResampleMotion(walk, 25.0, NULL);
	const rpMotion* motions[] = {walk, slow};
	rpRegistration* registration = rpCreateRegistration(motions, 2, NULL, NULL);
	assert_non_null(registration);
	checkRegistration(registration);
	rpMotion* retimed = rpRegistration_Retime(registration, 1, NULL);
	assert_true(retimed->fps == walk->fps);
	assert_in_range(retimed->frameCount, walk->frameCount - 3, walk->frameCount);
	rpMotion* own = rpRegistration_Retime(registration, 0, NULL);
	assert_true(rpMotion_Agrees(own, walk, 1e-5f));
	rpDestroyMotion(own);
	rpDestroyMotion(retimed);
	rpDestroyRegistration(registration);
	rpDestroyMotion(slow);
	rpDestroyMotion(walk);
}

static void expectError(const rpMotion* const* motions, int count, const rpRegistrationDef* def, rpErrorCode code,
						const char* text)
{
	rpError error = {0};
	assert_null(rpCreateRegistration(motions, count, def, &error));
	assert_int_equal(error.code, code);
	assert_non_null(strstr(error.message, text));
	assert_null(rpCreateRegistration(motions, count, def, NULL));
}

static void testErrors(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 2.0, 1, -1, 0.0f);
	rpMotion* longer = perform(rp_actWalk, 9.0, 1, -1, 0.0f);
	rpMotion* one = rpCropFrames(walk, 5, 1, NULL);
	rpMotion* bad = rpCopyMotion(walk, NULL);
	bad->rotations[100].x = NAN;
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* other = testMakeMotion(body, "other", 60.0, 100, 1);
	rpReleaseSkeleton(body);
	expectError((const rpMotion*[]){walk}, 1, NULL, rp_errorArgument, "two or more");
	expectError((const rpMotion*[]){walk, other}, 2, NULL, rp_errorArgument, "another skeleton");
	expectError((const rpMotion*[]){walk, one}, 2, NULL, rp_errorArgument, "single frame");
	expectError((const rpMotion*[]){walk, bad}, 2, NULL, rp_errorArgument, "not finite");
	expectError((const rpMotion*[]){walk, longer}, 2, NULL, rp_errorNoSolution, "too long");
	expectError((const rpMotion*[]){walk, walk, longer}, 3, NULL, rp_errorNoSolution, "too long");
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.slopeLimit = 0;
	expectError((const rpMotion*[]){walk, walk}, 2, &def, rp_errorArgument, "slope limit");
	def = rpDefaultRegistrationDef();
	def.knotSpacing = NAN;
	expectError((const rpMotion*[]){walk, walk}, 2, &def, rp_errorArgument, "apart");
	def = rpDefaultRegistrationDef();
	def.reference = 2;
	expectError((const rpMotion*[]){walk, walk}, 2, &def, rp_errorArgument, "reference");
	rpDestroyMotion(walk);
	rpDestroyMotion(longer);
	rpDestroyMotion(one);
	rpDestroyMotion(bad);
	rpDestroyMotion(other);
}

// A steeper path where the default is too flat; and motions as short as can be.
static void testLimits(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 2.0, 1, -1, 0.0f);
	rpMotion* longer = perform(rp_actWalk, 9.0, 1, -1, 0.0f);
	rpMotion* two = rpCropFrames(walk, 5, 2, NULL);
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.slopeLimit = 8;
	def.reference = 1;
	rpRegistration* steep = rpCreateRegistration((const rpMotion*[]){walk, longer, walk}, 3, &def, NULL);
	assert_non_null(steep);
	checkRegistration(steep);
	assert_int_equal(steep->links[1], -1);
	assert_true(steep->costs[1] == 0.0f);
	rpDestroyRegistration(steep);
	rpRegistration* tiny = rpCreateRegistration((const rpMotion*[]){two, two}, 2, NULL, NULL);
	assert_true(tiny == NULL || tiny->keyCount == 2);
	rpDestroyRegistration(tiny);
	rpDestroyMotion(walk);
	rpDestroyMotion(longer);
	rpDestroyMotion(two);
}

static void testMemory(void** state)
{
	(void)state;
	testUseCountingAllocator();
	rpMotion* walk = perform(rp_actWalk, 1.5, 1, -1, 0.0f);
	rpMotion* faster = perform(rp_actWalk, 1.3, 2, -1, 0.0f);
	const rpMotion* motions[] = {walk, faster, walk};
	int live = testCountLiveBlocks(), failures = 0;
	bool done = false;
	for (int n = 0; !done; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpRegistration* registration = rpCreateRegistration(motions, 3, NULL, &error);
		rpMotion* retimed = registration != NULL ? rpRegistration_Retime(registration, 1, &error) : NULL;
		testFailAllocation(-1);
		done = retimed != NULL;
		failures += !done;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyMotion(retimed);
		rpDestroyRegistration(registration);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(failures > 50);
	rpDestroyMotion(walk);
	rpDestroyMotion(faster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testKnownWarp), cmocka_unit_test(testChain),  cmocka_unit_test(testStages),
		cmocka_unit_test(testFreeEnds),  cmocka_unit_test(testRates),  cmocka_unit_test(testErrors),
		cmocka_unit_test(testLimits),    cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
