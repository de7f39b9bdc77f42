/// Are fitted metrics any good? Cross-validation, and whether fitted weights pick better transitions than even ones on
/// takes they have never seen.
#include "metric_scene.h"

#include <math.h>
#include <stdio.h>

// ---- what it picks

// How far the best transition moves when an example is left out (section IV.3 of the thesis: under a frame on the mean,
// median 0). Performed walks repeat themselves: now and then the choice goes to a moment as good, cycles away.
static void checkLeftOut(int good, int bad, uint64_t seed, rpMetricTrial* trial)
{
	rpJoinExamples examples = testGenerateJoins(good, bad, seed);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = testFitTo(&examples, &def);
	assert_true(rpMetricFit_Validate(&fit, testGetTakes(), &examples, &def, testGetStrangers()[0],
									 testGetStrangers()[1], trial, NULL));
	assert_int_equal(trial->caseCount, good + bad);
	assert_int_equal(trial->unseenCaseCount, good + bad);
	printf("left out of %d: %.2f frames, median %g, the same in %d; from one as good %.2f, %.3g %% more; near %.2f; "
		   "unseen "
		   "%.2f\n",
		   good + bad, trial->shiftMean, trial->shiftMedian, trial->sameCount, trial->tiedShiftMean,
		   100.0 * trial->regretMean, trial->nearShiftMean, trial->unseenShiftMean);
	assert_true(trial->shiftMedian == 0.0 && trial->sameCount >= 0.9 * trial->caseCount);
	assert_true(trial->tiedShiftMedian == 0.0 && trial->tiedShiftMean < 1.0);
	assert_true(trial->tiedSameCount >= trial->sameCount && trial->regretMean < 0.01);
	assert_true(trial->nearShiftMedian == 0.0);
	assert_true(trial->unseenShiftMedian == 0.0);
	assert_true(trial->misjudgedCount >= fit.misjudgedCount && trial->misjudgedCount < 0.35 * (good + bad));
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

static void testCrossValidation(void** state)
{
	(void)state;
	rpMetricTrial trial;
	// As many as in the thesis, which ones is chance.
	double near = 0.0, unseen = 0.0;
	for (int seed = 0; seed < 5; ++seed)
	{
		checkLeftOut(16, 26, (uint64_t)seed, &trial);
		near += trial.nearShiftMean / 5;
		unseen += trial.unseenShiftMean / 5;
	}
	assert_true(near < 1.0 && unseen < 1.0);
	checkLeftOut(100, 160, 0, &trial);
	assert_true(trial.shiftMean < 1.0 && trial.nearShiftMean < 1.0 && trial.unseenShiftMean < 1.0);
}

// The same figures each time, whatever the threads do.
static void testSameAgain(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(16, 26, 6);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = testFitTo(&examples, &def);
	rpMetricTrial trial, again;
	const rpMotion* unseen = testGetStrangers()[2];
	assert_true(rpMetricFit_Validate(&fit, testGetTakes(), &examples, &def, unseen, unseen, &trial, NULL));
	assert_true(rpMetricFit_Validate(&fit, testGetTakes(), &examples, &def, unseen, unseen, &again, NULL));
	assert_memory_equal(&trial, &again, sizeof(trial));
	assert_int_equal(trial.unseenCaseCount, 42);
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

static rpPickScore scoreStrangers(const rpMetricDef* def, rpPickScore* scores)
{
	rpPickScore sum = {0};
	rpMetric* metric = rpCreateMetric(testGetStrangers()[0]->skeleton, def, NULL);
	assert_non_null(metric);
	for (int a = 0; a < testStrangerCount; ++a)
	{
		for (int b = 0; b < testStrangerCount; ++b)
		{
			rpPickScore* score = &scores[a * testStrangerCount + b];
			*score = (rpPickScore){0};
			assert_true(a == b || rpScorePicks(metric, testGetStrangers()[a], testGetStrangers()[b], score, NULL));
			sum.momentCount += score->momentCount;
			sum.phaseFrames += score->phaseFrames;
			sum.lateCount += score->lateCount;
			sum.wrongFootCount += score->wrongFootCount;
		}
	}
	sum.phaseFrames /= sum.momentCount;
	rpDestroyMetric(metric);
	printf("of %d moments %.3f frames off, %d late, %d on the wrong foot\n", sum.momentCount, sum.phaseFrames,
		   sum.lateCount, sum.wrongFootCount);
	return sum;
}

// Fitted weights against even ones on exactly their terms: the same joints, the same velocities.
static void testBetterThanEven(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(400, 640, 0);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = testFitTo(&examples, &def);
	const rpSkeleton* skeleton = testGetStrangers()[0]->skeleton;
	float fittedWeights[64], evenWeights[64];
	rpMetricDef fitted, even, usual = rpDefaultMetricDef();
	rpPickScore scores[2][testStrangerCount * testStrangerCount];
	rpPickComparison comparison;
	assert_true(skeleton->jointCount <= 64);
	rpMetricFit_GetDef(&fit, skeleton, fittedWeights, &fitted);
	rpMetricFit_GetEvenDef(&fit, skeleton, evenWeights, &even);
	assert_true(even.velocityWeight == fitted.velocityWeight && even.heightWeight == 0.0f && even.tiltWeight == 1.0f);
	rpPickScore with = scoreStrangers(&fitted, scores[0]), without = scoreStrangers(&even, scores[1]);
	assert_true(rpComparePicks(scores[0], scores[1], testStrangerCount, &comparison, NULL));
	printf("%+.3f frames (%+.3f to %+.3f), late %+.2f %% (%+.2f to %+.2f)\n", comparison.frames.value,
		   comparison.frames.low, comparison.frames.high, 100.0 * comparison.lateShare.value,
		   100.0 * comparison.lateShare.low, 100.0 * comparison.lateShare.high);
	assert_true(with.momentCount > 5000);
	assert_int_equal(with.momentCount, without.momentCount);
	assert_true(with.phaseFrames < without.phaseFrames && with.lateCount < without.lateCount &&
				with.wrongFootCount <= without.wrongFootCount);
	// And the even weights that --metric even has, with the root's height and travel.
	usual.kind = rp_metricAngle;
	usual.weights = rp_weightsEven;
	without = scoreStrangers(&usual, scores[1]);
	assert_true(with.phaseFrames < 0.9 * without.phaseFrames && with.lateCount < 0.75 * without.lateCount);
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

// Scores of which the difference is known; bounds are as wide as clips differ.
static void testCompare(void** state)
{
	(void)state;
	rpPickScore first[9] = {{0}}, second[9] = {{0}};
	rpPickComparison same, wide;
	for (int pair = 0; pair < 9; ++pair)
	{
		first[pair] = (rpPickScore){.momentCount = 100, .phaseFrames = 120.0, .lateCount = 20, .bestPhaseFrames = 1.0};
		second[pair] = (rpPickScore){.momentCount = 100, .phaseFrames = 150.0, .lateCount = 30, .bestPhaseFrames = 3.0};
	}
	assert_true(rpComparePicks(first, second, 3, &same, NULL));
	assert_true(fabs(same.frames.value + 0.3) < 1e-12 && fabs(same.lateShare.value + 0.1) < 1e-12);
	assert_true(fabs(same.bestFrames.value + 2.0) < 1e-12 && same.wrongFootShare.value == 0.0);
	// A draw of one clip alone has no pair, and so no difference.
	assert_true(fabs(same.frames.low + 0.3) < 1e-12 && same.frames.high <= 0.0);
	// One pair alone has all of it.
	for (int pair = 0; pair < 9; ++pair)
	{
		second[pair] = first[pair];
	}
	second[1].phaseFrames = 150.0 + 5.0 * 30.0;
	assert_true(rpComparePicks(first, second, 3, &wide, NULL));
	assert_true(fabs(wide.frames.value + 0.3) < 1e-12);
	assert_true(wide.frames.low < -0.5 && wide.frames.high == 0.0);
	second[3].bestPhaseFrames = -1.0;
	assert_true(rpComparePicks(first, second, 3, &wide, NULL));
	assert_true(wide.bestFrames.value == 0.0);
}

// A metric against itself: the same motion under another name is found frame by frame.
static void testScoreOfTwins(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	rpMotion* twin = rpCopyMotion(testGetStrangers()[0], NULL);
	rpMetric* metric = rpCreateMetric(twin->skeleton, &def, NULL);
	rpPickScore score;
	assert_true(rpScorePicks(metric, testGetStrangers()[0], twin, &score, NULL));
	assert_true(score.momentCount > 80);
	assert_true(score.phaseFrames < 1e-6 && score.lateCount == 0 && score.wrongFootCount == 0);
	assert_true(score.bestPhaseFrames < 1e-6 && score.bestPhaseFrames >= 0.0);
	assert_true(rpScorePicks(metric, testGetStrangers()[0], testGetTakes()[14], &score, NULL));
	assert_int_equal(score.momentCount, 0);
	rpDestroyMetric(metric);
	rpDestroyMotion(twin);
}

// ---- memory

static bool tryScore(void* context, rpError* error)
{
	(void)context;
	rpMetricDef def = rpDefaultMetricDef();
	rpPickScore score;
	rpMetric* metric = rpCreateMetric(testGetStrangers()[0]->skeleton, &def, error);
	bool done = metric != NULL && rpScorePicks(metric, testGetStrangers()[0], testGetStrangers()[1], &score, error);
	rpDestroyMetric(metric);
	return done;
}

static bool tryCompare(void* context, rpError* error)
{
	(void)context;
	const rpPickScore scores[4] = {{0}};
	rpPickComparison comparison;
	return rpComparePicks(scores, scores, 2, &comparison, error);
}

static void testMemory(void** state)
{
	(void)state;
	testFailEach(tryScore, NULL, 5);
	testFailEach(tryCompare, NULL, 2);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCrossValidation), cmocka_unit_test(testSameAgain),    cmocka_unit_test(testBetterThanEven),
		cmocka_unit_test(testCompare),         cmocka_unit_test(testScoreOfTwins), cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, testSetUpMetricScene, testTearDownMetricScene);
}
