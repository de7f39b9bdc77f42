/// The doctor on floors: tilted and shifted ones are levelled and put at y = 0; level ones, stairs and ramps stay.
#include "base/memory.h"
#include "doctor/doctor.h"
#include "doctor/floor.h"
#include "floor_scene.h"
#include "performance.h"
#include "reprise/edit.h"
#include "support.h"

#include <string.h>

static rpMotion* performScript(const char* script)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = script;
	def.fps = 60.0;
	return testPerform(&def);
}

// To and fro on a wide floor, with turns.
static rpMotion* performTour(void)
{
	return performScript("walk 4 1.4 0; turn 90; walk 4 1.4 10; turn 120; walk 3 1.2 0; stand 1");
}

static rpMotion* treat(const rpMotion* motion, const rpReadDef* def, rpFindings* findings)
{
	rpReadDef plain = rpDefaultReadDef();
	rpMotion* treated =
		rpTreatMotion((rpReading){rpCopyMotion(motion, NULL), 1.0}, def != NULL ? def : &plain, findings, NULL);
	assert_non_null(treated);
	return treated;
}

static void addNoise(rpMotion* motion, float metres)
{
	rpRandom random = rpSeedRandom(5);
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpVec3 off = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		motion->rootPositions[frame] = rpMulAdd(motion->rootPositions[frame], metres, off);
	}
}

// Whatever they do, their floor is at 0: steps, seats and jumps included.
static void levelFloorsStay(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		for (int draw = 0; draw < 2; ++draw)
		{
			rpPerformDef def = draw == 0 ? testDrawPerformance((rpAct)act, 0) : rpDefaultPerformDef((rpAct)act);
			rpMotion* motion = testPerform(&def);
			rpFindings findings = {0};
			rpMotion* treated = treat(motion, NULL, &findings);
			const rpFinding* finding = rpFindings_Find(&findings, "floor");
			if (finding != NULL)
			{
				print_message("%s %d: %s\n", rpAct_GetName((rpAct)act), draw, finding->message);
			}
			assert_null(finding);
			rpFindings_Free(&findings);
			rpDestroyMotion(treated);
			rpDestroyMotion(motion);
		}
	}
}

static void expectMended(const rpMotion* clean, float slopeX, float slopeZ, float height, float metres)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	rpFindings findings = {0};
	testTilt(damaged, slopeX, slopeZ, height);
	rpMotion* treated = treat(damaged, NULL, &findings);
	const rpFinding* finding = rpFindings_Find(&findings, "floor");
	assert_non_null(finding);
	assert_true(finding->repaired);
	if (!rpMotion_Agrees(clean, treated, metres))
	{
		print_message("tilt %g %g, height %g: %s\n", (double)slopeX, (double)slopeZ, (double)height, finding->message);
	}
	assert_true(rpMotion_Agrees(clean, treated, metres));
	// A second visit finds nothing.
	rpFindings again = {0};
	rpMotion* twice = treat(treated, NULL, &again);
	assert_null(rpFindings_Find(&again, "floor"));
	rpDestroyMotion(twice);
	rpFindings_Free(&again);
	rpFindings_Free(&findings);
	rpDestroyMotion(treated);
	rpDestroyMotion(damaged);
}

static void tiltsAreLevelled(void** state)
{
	(void)state;
	rpMotion* clean = performTour();
	expectMended(clean, 0.02f, 0.0f, 0.0f, 0.006f);
	expectMended(clean, 0.0f, -0.02f, 0.05f, 0.006f);
	expectMended(clean, 0.015f, 0.02f, -0.07f, 0.006f);
	expectMended(clean, -0.02f, 0.02f, 0.9f, 0.006f);
	addNoise(clean, 0.002f);
	expectMended(clean, 0.02f, 0.01f, 0.03f, 0.01f);
	rpDestroyMotion(clean);
}

static void heightsAreMended(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actStand, rp_actWalk,  rp_actRun,    rp_actSneak,
								 rp_actJump,  rp_actPunch, rp_actStepUp, rp_actSitDown};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); ++i)
	{
		rpPerformDef def = testDrawPerformance(acts[i], 1);
		rpMotion* clean = testPerform(&def);
		expectMended(clean, 0.0f, 0.0f, 0.07f, 0.003f);
		expectMended(clean, 0.0f, 0.0f, -0.04f, 0.003f);
		rpDestroyMotion(clean);
	}
}

// Places along a line, two steps a metre, on whatever floor.
static rpFloorPlaces walkOn(float (*floor)(float x, float z), float degrees, int count)
{
	rpFloorPlaces places = {.items = rpAllocate((size_t)count, sizeof(rpVec3), NULL), .count = count};
	rpRandom random = rpSeedRandom((uint64_t)count);
	for (int i = 0; i < count; ++i)
	{
		float travelled = 0.5f * (float)i, angle = degrees * (float)RP_DEGREE, side = i % 2 == 0 ? 0.1f : -0.1f;
		float x = travelled * sinf(angle) + side * cosf(angle), z = travelled * cosf(angle) - side * sinf(angle);
		places.items[i] = (rpVec3){x, floor(x, z) + 0.005f * rpRandom_Normal(&random), z};
	}
	return places;
}

static rpFloor fitOne(float (*floor)(float x, float z), float degrees, int count)
{
	rpFloor fitted;
	rpFloorPlaces places = walkOn(floor, degrees, count);
	assert_true(rpFitFloors(&places, 1, &fitted, NULL));
	rpFloorPlaces_Free(&places);
	return fitted;
}

static float makeRamp(float x, float z)
{
	(void)x;
	return 0.1f * fmaxf(z - 6.0f, 0.0f);
}

static float makeStairs(float x, float z)
{
	(void)x;
	return 0.17f * floorf(fmaxf(z - 3.0f, 0.0f) / 0.5f);
}

static float makeSlope(float x, float z)
{
	(void)x;
	return 0.05f * z;
}

static float makeTilt(float x, float z)
{
	return 0.015f * x - 0.01f * z + 0.02f;
}

static void rampsAndStairsStay(void** state)
{
	(void)state;
	rpFloor ramp = fitOne(makeRamp, 0.0f, 20), stairs = fitOne(makeStairs, 0.0f, 20);
	assert_true(rpFloor_GetTilt(&ramp) == 0.0 && fabs(ramp.height) < 0.004);
	assert_true(rpFloor_GetTilt(&stairs) == 0.0 && fabs(stairs.height) < 0.004);
	// Nothing but ramp.
	assert_true(fitOne(makeSlope, 0.0f, 20).isSteep);
	rpMotion* motion = performTour();
	testTilt(motion, 0.0f, 0.06f, 0.0f);
	rpFindings findings = {0};
	rpMotion* treated = treat(motion, NULL, &findings);
	const rpFinding* finding = rpFindings_Find(&findings, "floor");
	assert_true(finding == NULL || !finding->repaired);
	assert_true(rpMotion_Agrees(motion, treated, 1e-6f));
	rpDestroyMotion(treated);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

// Each take walks in one direction, and shows the tilt along it alone.
static void takesOfASessionShareATilt(void** state)
{
	(void)state;
	enum
	{
		count = 3
	};
	rpFloorPlaces takes[count] = {walkOn(makeTilt, 0.0f, 20), walkOn(makeTilt, 90.0f, 15), walkOn(makeTilt, 45.0f, 3)};
	takes[1].items[4].y += 0.03f; // on something soft
	for (int i = 0; i < takes[2].count; ++i)
	{
		takes[2].items[i].y += 0.05f;
	}
	rpFloor floors[count], alone;
	assert_true(rpFitFloors(takes, count, floors, NULL) && rpFitFloors(takes, 1, &alone, NULL));
	assert_true(fabs(alone.slopeX) < 0.003 && fabs(alone.slopeZ + 0.01) < 0.002);
	static const double heights[count] = {0.02, 0.02, 0.07};
	for (int i = 0; i < count; ++i)
	{
		assert_true(fabs(floors[i].slopeX - 0.015) < 0.002 && fabs(floors[i].slopeZ + 0.01) < 0.002);
		assert_true(fabs(floors[i].height - heights[i]) < 0.01);
		rpFloorPlaces_Free(takes + i);
	}
}

// On a floor that lies 5 cm too high, or tilts: what is stepped on stays as high above it.
static void platformsStay(void** state)
{
	(void)state;
	rpMotion* clean = performScript("walk 3 1.2 0; step-up height=0.3; walk 2 1.2 0; step-up height=0.2; walk 2 1.2 0");
	expectMended(clean, 0.0f, 0.0f, 0.05f, 0.003f);
	expectMended(clean, 0.0f, 0.015f, 0.0f, 0.01f);
	rpDestroyMotion(clean);
}

static void repairIsAskedFor(void** state)
{
	(void)state;
	rpMotion* motion = performTour();
	testTilt(motion, 0.02f, 0.0f, 0.05f);
	rpFindings findings = {0};
	rpReadDef def = rpDefaultReadDef();
	def.keepFloor = true;
	rpMotion* kept = treat(motion, &def, &findings);
	assert_null(rpFindings_Find(&findings, "floor"));
	assert_true(rpMotion_Agrees(motion, kept, 1e-6f));
	def = rpDefaultReadDef();
	def.repair = false;
	rpMotion* given = treat(motion, &def, &findings);
	assert_false(rpFindings_Find(&findings, "floor")->repaired);
	assert_non_null(strstr(rpFindings_Find(&findings, "floor")->message, "2.0 cm/m"));
	assert_true(rpMotion_Agrees(motion, given, 1e-6f));
	rpFindings_Free(&findings);
	rpDestroyMotion(kept);
	rpDestroyMotion(given);
	rpDestroyMotion(motion);
}

static bool treatAgain(void* context, rpError* error)
{
	rpReadDef def = rpDefaultReadDef();
	rpMotion* copy = rpCopyMotion(context, error);
	rpMotion* treated = copy != NULL ? rpTreatMotion((rpReading){copy, 1.0}, &def, NULL, error) : NULL;
	rpDestroyMotion(treated);
	return treated != NULL;
}

static void everyAllocationMayFail(void** state)
{
	(void)state;
	testUseCountingAllocator();
	rpMotion* motion = performScript("walk 2 1.3 0");
	testTilt(motion, 0.02f, 0.0f, 0.05f);
	testFailEach(treatAgain, motion, 10);
	rpDestroyMotion(motion);
	rpSetAllocator(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levelFloorsStay),           cmocka_unit_test(tiltsAreLevelled),
		cmocka_unit_test(heightsAreMended),          cmocka_unit_test(rampsAndStairsStay),
		cmocka_unit_test(takesOfASessionShareATilt), cmocka_unit_test(platformsStay),
		cmocka_unit_test(repairIsAskedFor),          cmocka_unit_test(everyAllocationMayFail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
