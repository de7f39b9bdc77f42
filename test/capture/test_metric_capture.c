/// Weights fitted to captured motion: examples from contacts that were found, and picks on takes that were not among
/// them, of the same person and of another.
#include "support.h"

#include <stdio.h>
#include <string.h>

enum
{
	maxTakes = 40,
};

/// Takes of one person, by subject and trial.
typedef struct Takes
{
	rpMotion* motions[maxTakes];
	int count;
} Takes;

static void addTake(Takes* takes, int subject, int trial, const char* label)
{
	char name[32];
	snprintf(name, sizeof(name), "%02d_%02d", subject, trial);
	rpMotion* motion = testLoadTake(name);
	rpInterval interval = {.track = rp_trackLabel, .start = 0.0, .end = rpMotion_GetDuration(motion), .name = label};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &interval, NULL));
	assert_true(rpDetectContacts(motion, NULL, NULL, NULL));
	assert_true(takes->count < maxTakes);
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

/// Scores of a metric from each take to each, and their sum.
typedef struct Scores
{
	rpPickScore pairs[maxTakes * maxTakes], sum;
} Scores;

static void score(const rpMetricDef* def, const Takes* takes, const char* name, Scores* out)
{
	rpMetric* metric = rpCreateMetric(takes->motions[0]->skeleton, def, NULL);
	assert_non_null(metric);
	out->sum = (rpPickScore){0};
	for (int pair = 0; pair < takes->count * takes->count; ++pair)
	{
		int a = pair / takes->count, b = pair % takes->count;
		rpPickScore* one = &out->pairs[pair];
		*one = (rpPickScore){0};
		assert_true(a == b || rpScorePicks(metric, takes->motions[a], takes->motions[b], one, NULL));
		out->sum.momentCount += one->momentCount;
		out->sum.phaseFrames += one->phaseFrames;
		out->sum.lateCount += one->lateCount;
		out->sum.wrongFootCount += one->wrongFootCount;
	}
	double moments = out->sum.momentCount;
	printf("%s: %d moments, %.2f frames off, %.1f %% late, %.1f %% wrong\n", name, out->sum.momentCount,
		   out->sum.phaseFrames / moments, 100.0 * out->sum.lateCount / moments,
		   100.0 * out->sum.wrongFootCount / moments);
	rpDestroyMetric(metric);
}

/// Shares of even weights' errors that fitted ones may still make.
typedef struct Bars
{
	double frames, late, wrong;
} Bars;

static void checkBars(const Scores* with, const Scores* without, Bars bars)
{
	assert_true(with->sum.phaseFrames < bars.frames * without->sum.phaseFrames);
	assert_true(with->sum.lateCount < bars.late * without->sum.lateCount);
	assert_true(with->sum.wrongFootCount < bars.wrong * without->sum.wrongFootCount);
}

// Against --metric even, which has the root's height and travel too, and against even weights on the fitted terms.
static void compareWithEven(const rpMetricFit* fit, const Takes* takes, Bars usualBars, Bars evenBars,
							rpPickComparison* out)
{
	static Scores with, without;
	const rpSkeleton* skeleton = takes->motions[0]->skeleton;
	float weights[2][64];
	rpMetricDef fitted, even, usual = rpDefaultMetricDef();
	usual.kind = rp_metricAngle;
	usual.weights = rp_weightsEven;
	assert_true(skeleton->jointCount <= 64);
	rpMetricFit_GetDef(fit, skeleton, weights[0], &fitted);
	rpMetricFit_GetEvenDef(fit, skeleton, weights[1], &even);
	score(&fitted, takes, "fitted", &with);
	assert_true(with.sum.momentCount > 3000);
	score(&usual, takes, "even", &without);
	checkBars(&with, &without, usualBars);
	score(&even, takes, "even on the same terms", &without);
	assert_true(rpComparePicks(with.pairs, without.pairs, takes->count, out, NULL));
	printf("%+.2f frames (%+.2f to %+.2f), late %+.1f %% (%+.1f to %+.1f)\n", out->frames.value, out->frames.low,
		   out->frames.high, 100.0 * out->lateShare.value, 100.0 * out->lateShare.low, 100.0 * out->lateShare.high);
	checkBars(&with, &without, evenBars);
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
	rpPickComparison comparison;
	compareWithEven(&fit, &others, (Bars){0.85, 0.7, 0.4}, (Bars){0.92, 0.85, 0.7}, &comparison);
	// More than chance makes of it.
	assert_true(comparison.frames.high < 0.0 && comparison.lateShare.high < 0.0 &&
				comparison.wrongFootShare.high < 0.0);
	// On another person they are as good as even ones but for what chance makes of it, and better on the right foot.
	compareWithEven(&fit, &stranger, (Bars){0.92, 0.85, 0.3}, (Bars){1.05, 1.15, 0.5}, &comparison);
	// Landings as the stances have them put 0 to 3 in a hundred more of his moments late, and none on the wrong foot.
	assert_true(comparison.frames.low < 0.0 && comparison.lateShare.low < 0.01);
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
