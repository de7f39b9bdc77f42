/// Contacts found on damaged performances against their truth; flights.
#include "contact_score.h"
#include "performance.h"
#include "support.h"

#include <string.h>

// White noise of 2 mm (root mean square of the distance in space), so much in each coordinate.
#define NOISE (0.002f * 0.577f)
#define DRIFT 0.01f
#define OFFSET 0.03f

static rpMotion* perform(rpAct act, uint64_t draw, double fps)
{
	rpPerformDef def = testDrawPerformance(act, draw);
	def.fps = fps;
	return testPerform(&def);
}

static void detect(rpMotion* motion)
{
	rpError error = {0};
	assert_true(rpDetectContacts(motion, NULL, NULL, &error));
	assert_string_equal(error.message, "");
}

// A floor that rises by 2 cm to a metre, as in three captures: the whole motion is turned about the x axis.
static void tilt(rpMotion* motion)
{
	rpQuat turn = rpExpQuat((rpVec3){-0.02f, 0.0f, 0.0f});
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpQuat* root = motion->rotations + (size_t)f * (size_t)motion->skeleton->jointCount;
		motion->rootPositions[f] = rpRotate(turn, motion->rootPositions[f]);
		*root = rpMulQuat(turn, *root);
	}
	rpMotion_FixHemispheres(motion);
}

/// How performances are shown to the detector.
typedef struct Showing
{
	double fps;
	int draws;
	bool isTilted;

	/// What is asked for: F1, and how many frames, but a sixtieth of a second at least, 95 of 100 onsets and toe-offs
	/// may be off.
	float f1;
	double frames;
} Showing;

static void scoreOne(ContactScore* score, ContactScore* all, rpAct act, uint64_t draw, const Showing* showing)
{
	rpMotion* known = perform(act, draw, showing->fps);
	rpMotion* found = rpCopyMotion(known, NULL);
	TestDamage damage = {NOISE, DRIFT, draw % 2 == 0 ? OFFSET : -OFFSET, 100 * (uint64_t)act + draw};
	testDamageMotion(found, &damage);
	if (showing->isTilted)
	{
		tilt(found);
	}
	detect(found);
	testScoreContacts(score, known, found, damage.offset);
	testScoreContacts(all, known, found, damage.offset);
	rpDestroyMotion(known);
	rpDestroyMotion(found);
}

static void scoreAll(const Showing* showing)
{
	ContactScore all = {0};
	for (int act = 0; act < rp_actCount; ++act)
	{
		ContactScore score = {0};
		for (int draw = 0; draw < showing->draws; ++draw)
		{
			scoreOne(&score, &all, (rpAct)act, (uint64_t)draw, showing);
		}
		float f1 = testGetContactF1(&score);
		if (f1 < 0.98f)
		{
			print_message("%s at %g Hz: F1 %.3f of %d contacts\n", rpAct_GetName((rpAct)act), showing->fps, (double)f1,
						  score.known);
		}
		// Of step-down, one heel rises by a centimetre within a quarter of a second, which noise hides.
		assert_true(f1 > 0.85f);
		testFreeContactScore(&score);
	}
	float f1 = testGetContactF1(&all), onset = testGetOnsetError(&all, 0.95), off = testGetToeOffError(&all, 0.95);
	print_message(
		"%g Hz%s: %d contacts, F1 %.4f, 95 of 100 onsets within %.1f ms, toe-offs within %.1f ms, all ends within "
		"%.1f ms, supports within %.1f mm\n",
		showing->fps, showing->isTilted ? ", tilted" : "", all.known, (double)f1, 1e3 * (double)onset,
		1e3 * (double)off, 1e3 * (double)testGetEndError(&all, 0.95), 1e3 * (double)all.height);
	double limit = fmax(showing->frames / showing->fps, 1.0 / 60.0) + 1e-4;
	assert_true(f1 >= showing->f1);
	assert_true((double)onset <= limit && (double)off <= limit);
	assert_true(showing->isTilted || showing->fps < 60.0 || all.height < 0.012f);
	testFreeContactScore(&all);
}

static void performancesAreFound(void** state)
{
	(void)state;
	// At 30 Hz the heels of runners rest for two frames, and their rolls last less than one.
	const Showing showings[] = {{30.0, 2, false, 0.97f, 1.5},  {60.0, 2, false, 0.99f, 1.0},
								{120.0, 2, false, 0.99f, 1.0}, {240.0, 1, false, 0.99f, 1.0},
								{60.0, 2, true, 0.99f, 1.0},   {120.0, 1, true, 0.99f, 1.0}};
	for (size_t i = 0; i < sizeof(showings) / sizeof(showings[0]); ++i)
	{
		scoreAll(showings + i);
	}
}

/// Footstep strings of half cycles, right and all.
typedef struct StepScore
{
	int right, count;
} StepScore;

static void scoreSteps(StepScore* score, const rpMotion* known, const rpMotion* found)
{
	double last = -1.0;
	for (int i = 0; i < known->annotations.eventCount; ++i)
	{
		const rpEvent* event = known->annotations.events + i;
		if (strcmp(event->name, "half_cycle") != 0)
		{
			continue;
		}
		if (last >= 0.0 && event->time - last < 2.0)
		{
			char want[64], got[64];
			// What begins or ends within a frame of a half cycle's end may be on either side of it.
			testGetSteps(known, last, event->time, 0.02, want, sizeof(want));
			testGetSteps(found, last, event->time, 0.02, got, sizeof(got));
			score->count += 1;
			score->right += strcmp(want, got) == 0;
			if (strcmp(want, got) != 0)
			{
				print_message("%g Hz, %.2f to %.2f s: %s found as %s\n", known->fps, last, event->time, want, got);
			}
		}
		last = event->time;
	}
}

// Of takes with everything in them: no double support is found for a flight, nor a flight for a double support.
static void stepsAreFound(void** state)
{
	(void)state;
	for (int i = 0; i < 4; ++i)
	{
		bool isDamaged = i >= 2;
		StepScore score = {0};
		for (uint64_t seed = 11; seed < 14; ++seed)
		{
			rpPerformDef def = rpDefaultPerformDef(rp_actTake);
			def.fps = i % 2 == 0 ? 60.0 : 120.0;
			def.seconds = 60.0;
			def.seed = seed;
			rpMotion* known = testPerform(&def);
			rpMotion* found = rpCopyMotion(known, NULL);
			TestDamage damage = {NOISE, DRIFT, OFFSET, seed};
			if (isDamaged)
			{
				testDamageMotion(found, &damage);
			}
			detect(found);
			scoreSteps(&score, known, found);
			rpDestroyMotion(known);
			rpDestroyMotion(found);
		}
		print_message("%d of %d half cycles have their steps right%s\n", score.right, score.count,
					  isDamaged ? ", with noise" : "");
		assert_true(score.count > 100);
		// The flights of a run that begins last four frames of 60 Hz: one frame more or less on one side of the peak is
		// as much as a half cycle allows.
		assert_true(score.right >= (isDamaged ? 0.97 : 0.99) * score.count);
	}
}

static void standingRests(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actStand, 0, 60.0);
	rpContactReport report;
	assert_true(rpDetectContacts(motion, NULL, &report, NULL));
	assert_int_equal(report.contactCount, 6);
	assert_true(fabsf(report.floorHeight) < 0.002f);
	assert_true(report.noise < 0.0005f);
	double duration = rpMotion_GetDuration(motion);
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		bool known = effector <= (int)rp_rightToe;
		assert_int_equal(rpMotion_IsInContact(motion, (rpEffector)effector, 1.0), known);
		assert_int_equal(rpMotion_IsInContact(motion, (rpEffector)effector, duration), known);
		assert_false(rpMotion_IsInContact(motion, (rpEffector)effector, duration + 0.1));
	}
	rpDestroyMotion(motion);
}

static void noiseIsMeasured(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actWalk, 1, 120.0);
	TestDamage damage = {.noise = 0.002f, .seed = 3};
	testDamageMotion(motion, &damage);
	rpContactReport report;
	assert_true(rpDetectContacts(motion, NULL, &report, NULL));
	assert_true(report.noise > 0.0016f && report.noise < 0.0025f);
	rpDestroyMotion(motion);
}

static int countContacts(const rpMotion* motion, rpEffector effector)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		count += interval->track == rp_trackContact && interval->effector == effector;
	}
	return count;
}

// The seat stays; labels, events and curves too; other contacts of feet go.
static void othersAreKept(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actSitDown, 0, 60.0);
	int labelCount = rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0);
	int eventCount = motion->annotations.eventCount, curveCount = motion->annotations.curveCount;
	assert_int_equal(countContacts(motion, rp_seat), 1);
	rpInterval toe = {.track = rp_trackContact, .start = 0.1, .end = 0.2, .effector = rp_leftToe};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &toe, NULL));
	detect(motion);
	assert_int_equal(countContacts(motion, rp_seat), 1);
	assert_int_equal(countContacts(motion, rp_leftToe), 1);
	assert_int_equal(countContacts(motion, rp_leftHeel), 1);
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0), labelCount);
	assert_int_equal(motion->annotations.eventCount, eventCount);
	assert_int_equal(motion->annotations.curveCount, curveCount);
	rpDestroyMotion(motion);
}

static void supportsHaveHeights(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actStepUp);
	rpMotion* motion = testPerform(&def);
	detect(motion);
	float highest = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		highest = interval->track == rp_trackContact ? fmaxf(highest, interval->supportHeight) : highest;
	}
	assert_true(fabsf(highest - def.parameters[rp_paramHeight]) < 0.005f);
	rpDestroyMotion(motion);
}

static void badMotionsAreRefused(void** state)
{
	(void)state;
	rpError error = {0};
	rpMotion* motion = perform(rp_actWalk, 0, 60.0);
	int count = motion->annotations.intervalCount;
	motion->rootPositions[7].y = NAN;
	assert_false(rpDetectContacts(motion, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "frame 7"));
	assert_int_equal(motion->annotations.intervalCount, count);
	rpDestroyMotion(motion);
	// A stick has no feet.
	rpJoint joint = rpDefaultJoint();
	joint.name = "stick";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	motion = rpCreateMotion(skeleton, "stick", 60.0, 10, NULL);
	assert_false(rpDetectContacts(motion, NULL, NULL, &error));
	assert_non_null(strstr(error.message, "no feet"));
	assert_int_equal(rpFindFlights(motion, NULL, 0, &error), -1);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static void fewFramesAreEnough(void** state)
{
	(void)state;
	for (int frameCount = 1; frameCount < 6; ++frameCount)
	{
		rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
		rpMotion* motion = rpCreateMotion(skeleton, "short", 60.0, frameCount, NULL);
		detect(motion);
		rpDestroyMotion(motion);
		rpReleaseSkeleton(skeleton);
	}
}

static void allocationsMayFail(void** state)
{
	(void)state;
	testUseCountingAllocator();
	rpMotion* motion = perform(rp_actHop, 0, 60.0);
	int live = testCountLiveBlocks(), count = motion->annotations.intervalCount;
	bool done = false;
	for (int i = 0; !done && i < 500; ++i)
	{
		rpError error = {0};
		testFailAllocation(i);
		done = rpDetectContacts(motion, NULL, NULL, &error);
		testFailAllocation(-1);
		if (!done)
		{
			assert_int_equal(error.code, rp_errorMemory);
			assert_int_equal(testCountLiveBlocks(), live);
			assert_int_equal(motion->annotations.intervalCount, count);
		}
	}
	assert_true(done);
	rpDestroyMotion(motion);
}

static void jumpFlies(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actJump, 0, 120.0);
	rpFlight known, found;
	assert_int_equal(rpFindFlights(motion, &known, 1, NULL), 1);
	assert_true(fabsf(known.gravity - 9.81f) < 0.05f);
	assert_true(known.residual < 0.001f);
	TestDamage damage = {.noise = NOISE, .drift = DRIFT, .offset = OFFSET, .seed = 5};
	testDamageMotion(motion, &damage);
	detect(motion);
	assert_int_equal(rpFindFlights(motion, &found, 1, NULL), 1);
	assert_true(fabs(known.start - found.start) < 0.03 && fabs(known.end - found.end) < 0.03);
	assert_true(fabsf(found.gravity - 9.81f) < 4.0f * found.gravityError + 0.3f);
	rpDestroyMotion(motion);
	motion = perform(rp_actWalk, 0, 120.0);
	assert_int_equal(rpFindFlights(motion, &found, 1, NULL), 0);
	rpDestroyMotion(motion);
	// Without contacts a standing body still does not fly.
	motion = perform(rp_actStand, 0, 60.0);
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	assert_int_equal(rpFindFlights(motion, &found, 1, NULL), 0);
	rpDestroyMotion(motion);
}

static void runsFly(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actRun, 0, 240.0);
	rpFlight known[32], found[32];
	int count = rpFindFlights(motion, known, 32, NULL);
	assert_true(count >= 4);
	detect(motion);
	assert_int_equal(rpFindFlights(motion, found, 32, NULL), count);
	for (int i = 0; i < count; ++i)
	{
		assert_true(fabs(found[i].start - known[i].start) < 0.02 && fabs(found[i].end - known[i].end) < 0.02);
	}
	rpDestroyMotion(motion);
}

// The seat of a motion; false if it has none.
static bool findSeat(const rpMotion* motion, rpInterval* out)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (motion->annotations.intervals[i].effector == rp_seat &&
			motion->annotations.intervals[i].track == rp_trackContact)
		{
			*out = motion->annotations.intervals[i];
			return true;
		}
	}
	return false;
}

static void seatsAreFound(void** state)
{
	(void)state;
	for (int draw = 0; draw < 12; ++draw)
	{
		rpMotion* motion = perform(draw % 2 == 0 ? rp_actSitDown : rp_actRise, (uint64_t)draw, 60.0);
		rpInterval known = {0}, found = {0};
		assert_true(findSeat(motion, &known));
		detect(motion);
		assert_true(findSeat(motion, &found) && found.start == known.start && found.end == known.end);
		rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
		TestDamage damage = {.noise = NOISE, .seed = (uint64_t)draw};
		testDamageMotion(motion, &damage);
		detect(motion);
		assert_true(findSeat(motion, &found));
		assert_true(fabs(found.start - known.start) < 0.3 && fabs(found.end - known.end) < 0.3);
		assert_true(fabsf(found.supportHeight - known.supportHeight) < 0.05f);
		rpDestroyMotion(motion);
	}
}

// Nobody else sits: not someone who crouches, bends, jumps or walks.
static void othersDoNotSit(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpMotion* motion = perform((rpAct)act, 1, 60.0);
		rpInterval seat = {0};
		bool sits = findSeat(motion, &seat);
		detect(motion);
		if (!sits && findSeat(motion, &seat))
		{
			fail_msg("%s sits from %.2f to %.2f s", rpAct_GetName((rpAct)act), seat.start, seat.end);
		}
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(performancesAreFound),
		cmocka_unit_test(stepsAreFound),
		cmocka_unit_test(standingRests),
		cmocka_unit_test(noiseIsMeasured),
		cmocka_unit_test(othersAreKept),
		cmocka_unit_test(supportsHaveHeights),
		cmocka_unit_test(badMotionsAreRefused),
		cmocka_unit_test(fewFramesAreEnough),
		cmocka_unit_test(jumpFlies),
		cmocka_unit_test(runsFly),
		cmocka_unit_test(seatsAreFound),
		cmocka_unit_test(othersDoNotSit),
		cmocka_unit_test(allocationsMayFail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
