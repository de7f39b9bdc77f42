/// Weights fitted to captured motion: examples from contacts that were found, and picks on takes that were not among
/// them, of the same person and of another.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	mostTakes = 40,
};

/// Takes of one person, by subject and trial.
typedef struct Takes
{
	rpMotion* motions[mostTakes];
	int count;
} Takes;

static void addTake(Takes* takes, int subject, int trial, const char* label)
{
	char path[512];
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/cmu/%03d/%02d_%02d.bvh", testMocap(), subject, subject, trial);
	rpMotion* motion = rpLoadMotion(path, NULL, NULL, &error);
	if (motion == NULL)
	{
		fail_msg("%s: %s", path, error.message);
	}
	rpInterval interval = {.track = rp_trackLabel, .start = 0.0, .end = rpMotion_GetDuration(motion), .name = label};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &interval, NULL));
	assert_true(rpDetectContacts(motion, NULL, NULL, NULL));
	assert_true(takes->count < mostTakes);
	takes->motions[takes->count++] = motion;
}

static void freeTakes(Takes* takes)
{
	for (int i = 0; i < takes->count; ++i)
	{
		rpDestroyMotion(takes->motions[i]);
	}
}

static const rpMotion* const* getMotions(const Takes* takes)
{
	return (const rpMotion* const*)takes->motions;
}

static rpPickScore score(const rpMetric* metric, const Takes* takes)
{
	rpPickScore sum = {0};
	for (int a = 0; a < takes->count; ++a)
	{
		for (int b = 0; b < takes->count; ++b)
		{
			rpPickScore one = {0};
			assert_true(a == b || rpScorePicks(metric, takes->motions[a], takes->motions[b], &one, NULL));
			sum.momentCount += one.momentCount;
			sum.phaseFrames += one.phaseFrames;
			sum.lateCount += one.lateCount;
			sum.wrongFootCount += one.wrongFootCount;
		}
	}
	return sum;
}

// Shares of even weights' errors that fitted ones still make.
static void compareWithEven(const rpMetricFit* fit, const Takes* takes, double frames, double late, double wrong)
{
	const rpSkeleton* skeleton = takes->motions[0]->skeleton;
	float* weights = malloc((size_t)skeleton->jointCount * sizeof(float));
	rpMetricDef fitted, even = rpDefaultMetricDef();
	rpMetricFit_GetDef(fit, skeleton, weights, &fitted);
	even.kind = rp_metricAngle;
	even.weights = rp_weightsEven;
	rpMetric* fittedMetric = rpCreateMetric(skeleton, &fitted, NULL);
	rpMetric* evenMetric = rpCreateMetric(skeleton, &even, NULL);
	rpPickScore with = score(fittedMetric, takes), without = score(evenMetric, takes);
	printf("%d moments: %.2f frames off, %.1f %% late, %.1f %% wrong; even %.2f, %.1f %%, %.1f %%\n", with.momentCount,
		   with.phaseFrames / with.momentCount, 100.0 * with.lateCount / with.momentCount,
		   100.0 * with.wrongFootCount / with.momentCount, without.phaseFrames / without.momentCount,
		   100.0 * without.lateCount / without.momentCount, 100.0 * without.wrongFootCount / without.momentCount);
	assert_true(with.momentCount > 3000);
	assert_true(with.phaseFrames < frames * without.phaseFrames);
	assert_true(with.lateCount < late * without.lateCount);
	assert_true(with.wrongFootCount < wrong * without.wrongFootCount);
	rpDestroyMetric(fittedMetric);
	rpDestroyMetric(evenMetric);
	free(weights);
}

static void testCapturedWeights(void** state)
{
	(void)state;
	Takes own = {0}, others = {0}, stranger = {0};
	for (int trial = 11; trial <= 30; ++trial)
	{
		addTake(trial % 2 == 1 ? &own : &others, 16, trial, "walk");
	}
	for (int trial = 35; trial <= 46; ++trial)
	{
		addTake(trial % 2 == 1 ? &own : &others, 16, trial, "run");
	}
	for (int trial = 1; trial <= 4; ++trial)
	{
		addTake(&stranger, 35, trial, "walk");
	}
	for (int trial = 17; trial <= 24; ++trial)
	{
		addTake(&stranger, 35, trial, "run");
	}
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpFitDef fitDef = rpDefaultFitDef();
	rpJoinExamples examples;
	rpMetricFit fit;
	rpMetricTrial trial;
	def.goodCount = 200;
	def.badCount = 320;
	assert_true(rpJoinExamples_Generate(&examples, getMotions(&own), own.count, &def, NULL));
	assert_true(rpFitMetric(getMotions(&own), &examples, &fitDef, &fit, NULL));
	for (int i = 0; i < fit.termCount; ++i)
	{
		// CMU's clavicles are dummies.
		assert_int_equal(fit.terms[i].isMoving, strcmp(fit.terms[i].name, "clavicle") != 0);
	}
	assert_true(rpMetricFit_Validate(&fit, getMotions(&own), &examples, &fitDef, others.motions[0], others.motions[1],
									 &trial, NULL));
	printf("left out: %.2f frames, median %g; unseen %.2f\n", trial.shiftMean, trial.shiftMedian,
		   trial.unseenShiftMean);
	assert_true(trial.shiftMedian == 0.0 && trial.shiftMean < 1.0);
	assert_true(trial.unseenShiftMedian == 0.0 && trial.unseenShiftMean < 1.0);
	compareWithEven(&fit, &others, 0.9, 0.8, 0.6);
	compareWithEven(&fit, &stranger, 0.95, 0.85, 0.6);
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
	freeTakes(&own);
	freeTakes(&others);
	freeTakes(&stranger);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCapturedWeights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
