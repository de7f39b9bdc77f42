/// Takes mix everything, and all that every performance must keep holds through the joins.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char s_everything[] =
	"stand 1; walk 3 1.3 20; punch; sneak 3; jump 1.2; backwards 3 0.8 15; kick; walk 2; sit-down; tiptoe 3\n"
	"step-up; run 2; running-jump; march 3; dance 5; wave 3; pick-up; turn -90; leap; hop; reach 1.2; duck; gesture 3; "
	"box-dance 6 30; stand 1";

static int countLabels(const rpMotion* motion, const char* name)
{
	rpInterval labels[256];
	int count = rpMotion_GetIntervals(motion, rp_trackLabel, labels, 256), found = 0;
	for (int i = 0; i < count && i < 256; ++i)
	{
		found += strcmp(labels[i].name, name) == 0;
	}
	return found;
}

static void holdToBars(rpPerformDef def)
{
	PerformanceFaults faults = testPerformance(&def);
	if (faults.joint >= 0.01f || faults.jerk >= 130.0f)
	{
		printf("seed %llu: %s by %g at %.2f s; jerk %g of %s at %.2f s\n", (unsigned long long)def.seed,
			   faults.jointName, (double)faults.joint, faults.jointTime, (double)faults.jerk, faults.jerkName,
			   faults.jerkTime);
	}
	assert_true(faults.slide < 1e-3f);
	assert_true(faults.lift < 1e-3f);
	assert_true(faults.sink < 2e-3f);
	assert_true(faults.flight < 1e-3f);
	// Knees of someone who runs round a bend come near their end.
	assert_true(faults.jerk < 130.0f);
	assert_true(faults.joint < 0.01f);
}

static void testScript(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = s_everything;
	def.seconds = 0.0;
	for (uint64_t seed = 0; seed < 3; ++seed)
	{
		def.seed = seed * 11;
		def.stature = seed == 2 ? 1.6f : 1.75f;
		holdToBars(def);
		rpMotion* motion = testPerform(&def);
		static const char* const names[] = {
			"walk",    "punch",     "sneak", "jump",  "backwards", "kick",  "rise",     "sit-down", "tiptoe",
			"step-up", "step-down", "run",   "march", "dance",     "wave",  "pick-up",  "put-down", "turn",
			"leap",    "hop",       "reach", "duck",  "gesture",   "stand", "box-dance"};
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
		{
			assert_true(countLabels(motion, names[i]) > 0);
		}
		rpDestroyMotion(motion);
	}
}

// What comes to mind differs from seed to seed, and is of all kinds.
static void testImprovised(void** state)
{
	(void)state;
	bool kinds[rp_actKindCount] = {false};
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.seconds = 60.0;
	for (uint64_t seed = 1; seed <= 4; ++seed)
	{
		def.seed = seed;
		holdToBars(def);
		rpMotion* motion = testPerform(&def);
		int acts = 0;
		for (int act = 0; act < rp_actCount; ++act)
		{
			bool done = countLabels(motion, rpAct_GetName((rpAct)act)) > 0;
			acts += done ? 1 : 0;
			kinds[rpAct_GetKind((rpAct)act)] |= done;
		}
		assert_true(acts >= 6);
		rpDestroyMotion(motion);
	}
	assert_true(kinds[rp_kindLocomotion] && kinds[rp_kindStyle] && kinds[rp_kindAction] && kinds[rp_kindJump]);
}

// In the course of some minutes everything is done that begins and ends standing, every style and every gait.
static void testEverythingComesToMind(void** state)
{
	(void)state;
	static const char* const names[] = {"stand",    "walk",  "run",     "backwards", "sneak",   "tiptoe",    "march",
										"wave",     "punch", "kick",    "reach",     "pick-up", "put-down",  "duck",
										"sit-down", "rise",  "step-up", "step-down", "gesture", "box-dance", "dance",
										"jump",     "hop",   "leap",    "turn"};
	bool done[sizeof(names) / sizeof(names[0])] = {false};
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.seconds = 400.0;
	def.fps = 30.0;
	for (uint64_t seed = 1; seed <= 2; ++seed)
	{
		def.seed = seed;
		rpMotion* motion = testPerform(&def);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
		{
			done[i] |= countLabels(motion, names[i]) > 0;
		}
		rpDestroyMotion(motion);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		if (!done[i])
		{
			printf("nobody thought of %s\n", names[i]);
		}
		assert_true(done[i]);
	}
}

// The truth does not depend on the frame rate, the frames do not either, and a second time gives the same bytes.
static void testAgreement(void** state)
{
	(void)state;
	rpPerformDef slow = rpDefaultPerformDef(rp_actTake), fast;
	slow.script = s_everything;
	slow.seconds = 0.0;
	slow.seed = 5;
	slow.fps = 30.0;
	fast = slow;
	fast.fps = 240.0;
	rpMotion *a = testPerform(&slow), *b = testPerform(&fast), *again = testPerform(&slow);
	assert_int_equal(a->annotations.intervalCount, b->annotations.intervalCount);
	for (int i = 0; i < a->annotations.intervalCount; ++i)
	{
		const rpInterval *x = a->annotations.intervals + i, *y = b->annotations.intervals + i;
		assert_int_equal(x->track, y->track);
		assert_true(fabs(x->start - y->start) < 1e-9);
	}
	for (int f = 0; f < a->frameCount; ++f)
	{
		assert_true(rpDistance(a->rootPositions[f], b->rootPositions[8 * f]) < 1e-5f);
	}
	size_t size = (size_t)a->frameCount * rp_performerJointCount * sizeof(rpQuat);
	assert_memory_equal(a->rotations, again->rotations, size);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(again);
}

static void testMistakes(void** state)
{
	(void)state;
	static const struct
	{
		const char* script;
		int line, column;
	} wrong[] = {
		{"fly 3", 1, 1},
		{"stand 1; jump 1.2 far", 1, 19},
		{"stand\npunch height=9", 2, 7},
		{"walk 3 1 0 7", 1, 12},
		{"kick speed=1", 1, 6},
		{"jump 3", 1, 6},
		{"wave -1", 1, 6},
		{"run-walk", 1, 1},
		{"walk 3 =", 1, 8},
		{"duck height=", 1, 13},
		{"walk; 7", 1, 7},
		{"rise", 1, 1},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
	{
		rpError error = {0};
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		def.script = wrong[i].script;
		assert_null(rpPerform(&def, &error));
		assert_int_equal(error.code, rp_errorArgument);
		assert_int_equal(error.line, wrong[i].line);
		assert_int_equal(error.column, wrong[i].column);
	}
}

// Lengths are those of the body: one of 1.4 m that jumps 1 m jumps 1 m.
static void testStature(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = "jump 1; stand 1";
	def.seconds = 0.0;
	def.stature = 1.4f;
	rpMotion* motion = testPerform(&def);
	rpVec3 displacement = rpSub(motion->rootPositions[motion->frameCount - 1], motion->rootPositions[0]);
	assert_true(fabsf(displacement.z - 1.0f) < 0.02f);
	rpDestroyMotion(motion);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = "walk 1; sneak 1; punch; backwards 1; sit-down; run 1; running-jump; stand";
	def.seconds = 0.0;
	def.fps = 1.0;
	testFailPerforming(&def);
}

static double draw(rpRandom* random, double low, double high)
{
	return (double)rpRandom_Range(random, (float)low, (float)high);
}

// Any stretch or act, with odd numbers.
static void addStretch(rpRandom* random, char* script, size_t size)
{
	static const char* const acts[] = {"punch", "kick", "reach", "pick-up", "sit-down",     "step-up",
									   "duck",  "hop",  "jump",  "leap",    "running-jump", "gesture"};
	static const char* const styles[] = {"sneak", "tiptoe", "march", "backwards"};
	size_t at = strlen(script);
	char* end = script + at;
	double seconds = draw(random, 0.05, 2.5);
	const char* comma = at > 0 ? "; " : "";
	switch (rpRandom_Index(random, 6))
	{
	case 0:
		snprintf(end, size - at, "%sstand %.3f", comma, seconds);
		break;
	case 1:
		snprintf(end, size - at, "%swalk %.3f %.2f %.1f", comma, seconds, draw(random, 0.0, 2.2),
				 draw(random, -90, 90));
		break;
	case 2:
		snprintf(end, size - at, "%srun %.3f %.2f %.1f", comma, seconds, draw(random, 1.8, 5.0), draw(random, -90, 90));
		break;
	case 3:
		snprintf(end, size - at, "%s%s %.3f", comma, styles[rpRandom_Index(random, 4)], seconds);
		break;
	case 4:
		snprintf(end, size - at, "%sturn %.1f", comma, draw(random, -180, 180));
		break;
	default:
		snprintf(end, size - at, "%s%s", comma, acts[rpRandom_Index(random, 12)]);
	}
}

// Whatever a script says, and however long the take goes on after it or breaks off within it, it is performed, and
// every number of it is one.
static void testOddScripts(void** state)
{
	(void)state;
	static const double rates[] = {30.0, 59.94, 60.0, 60.0, 120.0, 240.0};
	for (int i = 0; i < 60; ++i)
	{
		rpRandom random = rpSeedRandom((uint64_t)i + 900);
		char script[400] = "";
		for (int k = 0; k <= i % 4; ++k)
		{
			addStretch(&random, script, sizeof(script));
		}
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		def.script = script;
		def.seed = (uint64_t)(i % 7);
		def.fps = rates[i % 6];
		def.stature = i % 3 == 2 ? rpRandom_Range(&random, 1.3f, 2.0f) : 1.75f;
		def.seconds = i % 5 == 0 ? 0.0 : draw(&random, 0.1, 9.0);
		rpMotion* motion = testPerform(&def);
		const rpCurve* com = rpAnnotations_FindCurve(&motion->annotations, "com");
		for (int f = 0; f < motion->frameCount; ++f)
		{
			const float* center = com->values + 3 * (size_t)f;
			bool finite = isfinite(center[0]) && isfinite(center[1]) && isfinite(center[2]);
			if (!finite)
			{
				print_message("\"%s\", %g s, %g Hz, frame %d\n", script, def.seconds, def.fps, f);
			}
			assert_true(finite);
		}
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testScript),
		cmocka_unit_test(testImprovised),
		cmocka_unit_test(testEverythingComesToMind),
		cmocka_unit_test(testAgreement),
		cmocka_unit_test(testMistakes),
		cmocka_unit_test(testStature),
		cmocka_unit_test(testMemoryRunsOut),
		cmocka_unit_test(testOddScripts),
	};
	return cmocka_run_group_tests_name("performer_takes", tests, NULL, NULL);
}
