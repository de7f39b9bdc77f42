/// Examples of good and bad transitions: read, written and generated.
#include "analysis/landings.h"
#include "learn/step_clock.h"
#include "metric_scene.h"

#include <math.h>
#include <string.h>

// ---- the clock

static void testClock(void** state)
{
	(void)state;
	rpStepClock clock;
	assert_true(rpStepClock_Create(&clock, testGetTakes()[0], NULL));
	assert_true(clock.count > 8);
	int readCount = 0;
	for (int i = 0; i < testGetTakes()[0]->frameCount; ++i)
	{
		double time = i / testGetTakes()[0]->fps, phase, cycle, found;
		if (!rpStepClock_Read(&clock, time, &phase, &cycle))
		{
			continue;
		}
		++readCount;
		assert_true(phase >= 0.0 && phase < 1.0 && cycle > 0.7 && cycle < 1.6);
		// In the middle of a stance the foot is on the ground.
		if (rpGetPhaseDistance(phase, 0.0) < 0.05)
		{
			assert_true(rpGetSupport(testGetTakes()[0], time) & 1);
		}
		if (rpGetPhaseDistance(phase, 0.5) < 0.05)
		{
			assert_true(rpGetSupport(testGetTakes()[0], time) & 2);
		}
		bool isFound = false;
		for (int k = 0; rpStepClock_Find(&clock, phase, k, &found) && !isFound; ++k)
		{
			isFound = fabs(found - time) < 1e-9;
		}
		assert_true(isFound);
	}
	assert_true(readCount > 0.7 * testGetTakes()[0]->frameCount);
	rpStepClock_Free(&clock);
	// Someone who stands has no steps.
	assert_true(rpStepClock_Create(&clock, testGetTakes()[14], NULL));
	assert_int_equal(clock.count, 0);
	rpStepClock_Free(&clock);
	assert_true(fabs(rpGetPhaseDistance(0.95, 0.1) - 0.15) < 1e-12);
}

// ---- generated examples

static void checkGood(const rpJoinExample* example, const rpStepClock* clocks)
{
	const rpMotion *a = testGetTakes()[example->a], *b = testGetTakes()[example->b];
	double aPhase, bPhase, aCycle, bCycle, frames = fabs(example->aTime - example->bTime) * 30.0;
	if (example->a == example->b && frames < 1.5)
	{
		assert_true(fabs(frames - 1.0) < 1e-6);
		return;
	}
	assert_true(rpStepClock_Read(&clocks[example->a], example->aTime, &aPhase, &aCycle));
	assert_true(rpStepClock_Read(&clocks[example->b], example->bTime, &bPhase, &bCycle));
	// Times are rounded to frames.
	assert_true(rpGetPhaseDistance(aPhase, bPhase) * bCycle * 30.0 < 0.51);
	assert_int_equal(rpGetSupport(a, example->aTime), rpGetSupport(b, example->bTime));
	// Another gait is one that gets on, too.
	assert_true(testGetTakenAct(example->a) <= rp_actRun && testGetTakenAct(example->b) <= rp_actRun);
}

// Bad ones are off in phase, or elsewhere in a motion without steps. Returns whether it is a near miss with the same
// feet on the ground.
static bool checkBad(const rpJoinExample* example, const rpStepClock* clocks)
{
	double aPhase, bPhase, aCycle, bCycle, frames = fabs(example->aTime - example->bTime) * 30.0;
	bool isStepping = rpStepClock_Read(&clocks[example->a], example->aTime, &aPhase, &aCycle) &&
					  rpStepClock_Read(&clocks[example->b], example->bTime, &bPhase, &bCycle);
	if (!isStepping && example->a != example->b)
	{
		// A near miss that reached the last stance.
		return true;
	}
	if (!isStepping)
	{
		assert_true(frames > 2.9);
		return frames < 8.1;
	}
	double off = rpGetPhaseDistance(aPhase, bPhase) * bCycle * 30.0;
	assert_true(off > 1.5);
	return off < 9.0 && rpGetSupport(testGetTakes()[example->a], example->aTime) ==
							rpGetSupport(testGetTakes()[example->b], example->bTime);
}

static void checkSet(int good, int bad, uint64_t seed)
{
	rpStepClock clocks[testTakeCount];
	rpJoinExamples examples = testGenerateJoins(good, bad, seed), again = testGenerateJoins(good, bad, seed);
	int acts[rp_actCount] = {0}, nearCount = 0, goodCount = 0;
	for (int i = 0; i < testTakeCount; ++i)
	{
		assert_true(rpStepClock_Create(&clocks[i], testGetTakes()[i], NULL));
	}
	assert_int_equal(examples.count, good + bad);
	assert_int_equal(examples.clipCount, testTakeCount);
	for (int i = 0; i < examples.count; ++i)
	{
		const rpJoinExample* example = &examples.items[i];
		assert_memory_equal(example, &again.items[i], sizeof(*example));
		goodCount += example->isGood;
		++acts[testGetTakenAct(example->a)];
		if (example->isGood)
		{
			checkGood(example, clocks);
		}
		else
		{
			nearCount += checkBad(example, clocks);
		}
	}
	assert_int_equal(goodCount, good);
	assert_true(nearCount >= bad / 4);
	// Spread over all five kinds.
	static const rpAct kinds[] = {rp_actWalk, rp_actRun, rp_actJog, rp_actDance, rp_actGesture};
	for (int k = 0; k < 5; ++k)
	{
		assert_true(acts[kinds[k]] >= (good + bad) / 10);
	}
	for (int i = 0; i < testTakeCount; ++i)
	{
		rpStepClock_Free(&clocks[i]);
	}
	rpJoinExamples_Free(&examples);
	rpJoinExamples_Free(&again);
}

static void testGenerate(void** state)
{
	(void)state;
	checkSet(16, 26, 0);
	checkSet(16, 26, 1);
	checkSet(100, 160, 2);
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	assert_int_equal(def.goodCount, 16);
	assert_int_equal(def.badCount, 26);
	// More than one short motion holds.
	rpJoinExamples examples;
	rpError error = {0};
	def.goodCount = 5000;
	assert_false(rpJoinExamples_Generate(&examples, testGetTakes() + 14, 1, &def, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_null(examples.items);
}

// ---- the table

static void testTable(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(30, 40, 5), again;
	char* text = rpJoinExamples_Format(&examples, NULL);
	assert_non_null(text);
	assert_true(rpJoinExamples_Parse(&again, text, strlen(text), NULL));
	assert_int_equal(again.count, examples.count);
	for (int i = 0; i < examples.count; ++i)
	{
		const rpJoinExample *x = &examples.items[i], *y = &again.items[i];
		assert_string_equal(examples.clips[x->a], again.clips[y->a]);
		assert_string_equal(examples.clips[x->b], again.clips[y->b]);
		assert_true(fabs(x->aTime - y->aTime) < 1e-4 && fabs(x->bTime - y->bTime) < 1e-4);
		assert_int_equal(x->isGood, y->isGood);
		assert_int_equal(y->line, i + 2);
	}
	rpFreeText(text);
	rpJoinExamples_Free(&examples);
	rpJoinExamples_Free(&again);
}

static void testReadTable(void** state)
{
	(void)state;
	static const char text[] = "\xef\xbb\xbf# marked on Monday\r\n"
							   "clip_a,a_s,clip_b,b_s,verdict\r\n"
							   "\n"
							   "walk , 1.5 ,run,0.25,good\r\n"
							   "\"a, b\",0,walk,3e-1,bad";
	rpJoinExamples examples;
	rpError error = {0};
	assert_true(rpJoinExamples_Parse(&examples, text, sizeof(text) - 1, &error));
	assert_int_equal(examples.count, 2);
	assert_int_equal(examples.clipCount, 3);
	assert_string_equal(examples.clips[0], "walk");
	assert_string_equal(examples.clips[2], "a, b");
	assert_true(examples.items[0].aTime == 1.5 && examples.items[0].bTime == 0.25 && examples.items[0].isGood);
	assert_true(examples.items[1].a == 2 && examples.items[1].b == 0 && examples.items[1].bTime == 0.3);
	assert_false(examples.items[1].isGood);
	assert_int_equal(examples.items[1].line, 5);
	assert_int_equal(examples.items[0].columns[1], 8);
	assert_int_equal(examples.items[0].columns[2], 13);
	rpJoinExamples_Free(&examples);
	assert_true(rpJoinExamples_Parse(&examples, "", 0, &error));
	assert_int_equal(examples.count, 0);
	rpJoinExamples_Free(&examples);
}

static void testWrongTables(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		int line, column;
		const char* message;
	} wrong[] = {
		{"walk,1,run,2\n", 1, 13, "the line has 4 fields; 5 are needed"},
		{"walk,1,run,2,good\nwalk,1,run,3,fine\n", 2, 14, "\"fine\" is neither good nor bad"},
		{"walk,one,run,2,good\n", 1, 6, "this is no time in seconds: \"one\""},
		{"walk,1,run,-2,bad\n", 1, 12, "this is no time in seconds: \"-2\""},
		{"walk,1,run,nan,bad\n", 1, 12, "this is no time in seconds: \"nan\""},
		{"walk,1 2,run,2,bad\n", 1, 6, "this is no time in seconds: \"1 2\""},
		{",1,run,2,bad\n", 1, 1, "this is no name of a clip: \"\""},
		{"walk,1,run,2,bad,really\n", 1, 18, "there is more on the line: really"},
		{"\"walk,1,run,2,bad\n", 1, 1, "a quotation mark stands alone: \"walk,1,run,2,bad"},
		{"walk,1,run,2,bad\n\nwalk,1.01,run,2,good\n", 3, 1, "this contradicts line 1: the same moments are bad there"},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
	{
		rpJoinExamples examples;
		rpError error = {0};
		assert_false(rpJoinExamples_Parse(&examples, wrong[i].text, strlen(wrong[i].text), &error));
		assert_string_equal(error.message, wrong[i].message);
		assert_int_equal(error.line, wrong[i].line);
		assert_int_equal(error.column, wrong[i].column);
		assert_true(error.code == rp_errorFormat && error.hint[0] != 0);
		assert_null(examples.items);
	}
}

// ---- memory

static bool tryGenerate(void* context, rpError* error)
{
	(void)context;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpJoinExamples generated;
	bool done = rpJoinExamples_Generate(&generated, testGetTakes(), 3, &def, error);
	rpJoinExamples_Free(&generated);
	return done;
}

static bool tryTable(void* context, rpError* error)
{
	char* text = rpJoinExamples_Format(context, error);
	rpJoinExamples again = {0};
	bool done = text != NULL && rpJoinExamples_Parse(&again, text, strlen(text), error);
	rpJoinExamples_Free(&again);
	rpFreeText(text);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	rpJoinExamples examples;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	assert_true(rpJoinExamples_Generate(&examples, testGetTakes(), 2, &def, NULL));
	testFailEach(tryTable, &examples, 5);
	testFailEach(tryGenerate, &examples, 5);
	rpJoinExamples_Free(&examples);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testClock),     cmocka_unit_test(testGenerate),    cmocka_unit_test(testTable),
		cmocka_unit_test(testReadTable), cmocka_unit_test(testWrongTables), cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, testSetUpMetricScene, testTearDownMetricScene);
}
