/// The judge on captured people: raw takes keep its limits, and what is done to them is seen.
#include "support.h"

#include <math.h>
#include <string.h>

static rpMeasures evaluate(const rpMotion* motion, const rpMotion* reference)
{
	rpMeasures measures;
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.references = &reference;
	def.referenceCount = reference != NULL;
	assert_true(rpEvaluate(motion, &def, &measures, NULL));
	return measures;
}

static bool passes(const rpMeasures* measures, int measure)
{
	double min, max;
	rpMeasures_GetRange(measures, measure, &min, &max);
	return !(measures->values[measure] > max) && !(measures->values[measure] < min);
}

// Each limit is kept by 99 % of the takes that it speaks of, or 19 in 20 where these are few; all of them by 95 %.
static void testRawTakes(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), whole = 0;
	int kept[rp_measureCount] = {0}, seen[rp_measureCount] = {0};
	for (int i = 0; i < count; ++i)
	{
		rpMotion* take = rpLoadMotion(paths[i], NULL, NULL, NULL);
		assert_non_null(take);
		rpMeasures measures = evaluate(take, NULL);
		bool isGood = true;
		for (int m = 0; m < rp_measureCount; ++m)
		{
			bool isKept = passes(&measures, m);
			seen[m] += !isnan(measures.values[m]);
			kept[m] += isKept && !isnan(measures.values[m]);
			isGood &= isKept;
		}
		whole += isGood;
		rpDestroyMotion(take);
	}
	print_message("%d of %d takes keep all limits\n", whole, count);
	assert_true(whole >= 0.95 * count);
	for (int m = 0; m < rp_measureCount; ++m)
	{
		if (kept[m] < (seen[m] > 100 ? 0.98 : 0.94) * seen[m])
		{
			fail_msg("%s: %d of %d takes keep its limit", rpMeasure_GetKey(m), kept[m], seen[m]);
		}
	}
}

// A captured walk that drifts, floats or jumps is worse than itself, by that and nothing else.
static void testHarm(void** state)
{
	(void)state;
	rpMotion* walk = testLoadTake("16_15");
	rpMeasures whole = evaluate(walk, walk);
	for (int m = 0; m < rp_measureCount; ++m)
	{
		assert_true(passes(&whole, m));
	}
	rpMotion* drifting = rpCopyMotion(walk, NULL);
	rpMotion* floating = rpCopyMotion(walk, NULL);
	rpMotion* jumping = rpCopyMotion(walk, NULL);
	for (int f = 0; f < walk->frameCount; ++f)
	{
		drifting->rootPositions[f].x += 0.3f * (float)(f / walk->fps);
		floating->rootPositions[f].y += 0.04f;
		jumping->rootPositions[f].z += f > walk->frameCount / 2 ? 8.0f / 60.0f : 0.0f;
	}
	rpMeasures drift = evaluate(drifting, walk), air = evaluate(floating, walk), jump = evaluate(jumping, NULL);
	assert_true(drift.values[rp_measureSkateRatio] > 0.9 && !passes(&drift, rp_measureSkateRatio));
	assert_true(!passes(&drift, rp_measureSlideMedian) && passes(&drift, rp_measureFloor));
	for (int m = 0; m < rp_measureCount; ++m)
	{
		assert_true(passes(&air, m) == (m != rp_measureFloor));
	}
	assert_false(passes(&jump, rp_measureHipJump));
	rpDestroyMotion(drifting);
	rpDestroyMotion(floating);
	rpDestroyMotion(jumping);
	rpDestroyMotion(walk);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testRawTakes), cmocka_unit_test(testHarm)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
