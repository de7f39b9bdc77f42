/// Fitted metrics: the fit itself, and how it is kept.
#include "metric_scene.h"

#include <math.h>
#include <string.h>

// ---- the fit

static rpMetric* makeMetric(const rpMetricFit* fit, const rpSkeleton* skeleton)
{
	float weights[64];
	rpMetricDef def;
	assert_true(skeleton->jointCount <= 64);
	rpMetricFit_GetDef(fit, skeleton, weights, &def);
	rpMetric* metric = rpCreateMetric(skeleton, &def, NULL);
	assert_non_null(metric);
	return metric;
}

// The squared distances of the metric that comes of it are what the fit says they are.
static void testFitMeansItsMetric(void** state)
{
	(void)state;
	for (int variant = 0; variant < 5; ++variant)
	{
		rpJoinExamples examples = testGenerateJoins(16, 26, (uint64_t)variant);
		rpFitDef def = rpDefaultFitDef();
		def.root = variant == 1;
		def.everyJoint = variant == 2;
		def.searchVelocity = variant == 3;
		// As in the thesis.
		def.isOneSided = variant != 4;
		def.evenness = variant == 4 ? 0.0f : def.evenness;
		rpMetricFit fit = testFitTo(&examples, &def);
		rpMetric* metric = makeMetric(&fit, testGetTakes()[0]->skeleton);
		double sum = 0.0, good = 0.0;
		for (int i = 0; i < examples.count; ++i)
		{
			const rpJoinExample* example = &examples.items[i];
			rpProfile* a = rpCreateProfile(metric, testGetTakes()[example->a], NULL);
			rpProfile* b = rpCreateProfile(metric, testGetTakes()[example->b], NULL);
			double distance = rpMetric_Distance(metric, a, (int)lround(30.0 * example->aTime), b,
												(int)lround(30.0 * example->bTime), NULL);
			double error = distance * distance - !example->isGood;
			sum += def.isOneSided && !example->isGood && error > 0.0 ? 0.0 : error * error;
			good += example->isGood ? distance * distance : 0.0;
			rpDestroyProfile(a);
			rpDestroyProfile(b);
		}
		assert_true(fabs(sqrt(sum / examples.count) - fit.residual) < 1e-4);
		assert_true(fabs(good / fit.goodCount - fit.goodMean) < 1e-4);
		assert_true(fit.goodMean < 0.3 && fit.badMean > 0.5 && fit.residual < 0.5);
		assert_int_equal(fit.goodCount, 16);
		assert_int_equal(fit.badCount, 26);
		assert_int_equal(fit.termCount, variant == 1 ? 15 : 13);
		for (int i = 0; i < fit.termCount; ++i)
		{
			assert_true(fit.terms[i].weight >= 0.0f);
		}
		rpDestroyMetric(metric);
		rpMetricFit_Free(&fit);
		rpJoinExamples_Free(&examples);
	}
}

// The weights do not change when all motions are mirrored: both sides have one weight.
static void testSides(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(40, 60, 9);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = testFitTo(&examples, &def), mirrored;
	const rpMotion* motions[testTakeCount];
	for (int i = 0; i < testTakeCount; ++i)
	{
		motions[i] = rpMirrorMotion(testGetTakes()[i], NULL);
		assert_non_null(motions[i]);
	}
	assert_true(rpFitMetric(motions, &examples, &def, &mirrored, NULL));
	for (int i = 0; i < fit.termCount; ++i)
	{
		assert_true(fabs((double)fit.terms[i].weight - (double)mirrored.terms[i].weight) <
					1e-3 * (1.0 + (double)fit.terms[i].weight));
	}
	for (int i = 0; i < testTakeCount; ++i)
	{
		rpDestroyMotion((rpMotion*)motions[i]);
	}
	const rpSkeleton* skeleton = testGetTakes()[0]->skeleton;
	float weights[64];
	rpMetricDef metric;
	rpMetricFit_GetDef(&fit, skeleton, weights, &metric);
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		assert_true(weights[i] == weights[skeleton->joints[i].mirror]);
	}
	rpMetricFit_Free(&fit);
	rpMetricFit_Free(&mirrored);
	rpJoinExamples_Free(&examples);
}

static void testSearchVelocity(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(100, 160, 3);
	rpFitDef def = rpDefaultFitDef();
	def.searchVelocity = true;
	rpMetricFit best = testFitTo(&examples, &def);
	def.searchVelocity = false;
	for (int step = 0; step < 14; ++step)
	{
		def.velocityWeight = step == 0 ? 0.0f : (float)(1e-6 * pow(2.8, step));
		rpMetricFit fit = testFitTo(&examples, &def);
		assert_true(best.residual <= fit.residual + 1e-6);
		rpMetricFit_Free(&fit);
	}
	rpMetricFit_Free(&best);
	rpJoinExamples_Free(&examples);
}

// Examples of people who only gesture do not say what legs weigh, and the fit says so.
static void testUndetermined(void** state)
{
	(void)state;
	rpJoinExamples examples;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpFitDef fitDef = rpDefaultFitDef();
	rpMetricFit fit;
	assert_true(rpJoinExamples_Generate(&examples, testGetTakes() + 14, 2, &def, NULL));
	assert_true(rpFitMetric(testGetTakes() + 14, &examples, &fitDef, &fit, NULL));
	for (int i = 0; i < fit.termCount; ++i)
	{
		if (strcmp(fit.terms[i].name, "ball") == 0)
		{
			assert_false(fit.terms[i].isDetermined);
		}
		if (strcmp(fit.terms[i].name, "elbow") == 0)
		{
			assert_true(fit.terms[i].isMoving);
		}
	}
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

static void expectFailure(const rpJoinExamples* examples, const rpFitDef* def, rpErrorCode code, const char* message)
{
	rpMetricFit fit;
	rpError error = {0};
	assert_false(rpFitMetric(testGetTakes(), examples, def, &fit, &error));
	assert_string_equal(error.message, message);
	assert_int_equal(error.code, code);
	assert_null(fit.terms);
}

static void testWrongExamples(void** state)
{
	(void)state;
	rpFitDef def = rpDefaultFitDef();
	rpJoinExamples examples = testGenerateJoins(16, 26, 0);
	rpJoinExample* items = examples.items;
	examples.count = 10;
	expectFailure(&examples, &def, rp_errorArgument, "10 good and 0 bad examples; some of both are needed");
	examples.items += 10;
	examples.count = 12;
	expectFailure(&examples, &def, rp_errorArgument,
				  "12 examples do not determine 13 weights; at least as many are needed");
	examples.items = items;
	examples.count = 42;
	items[20].bTime = 9.0;
	items[20].b = 0;
	expectFailure(&examples, &def, rp_errorArgument, "example 21 is at 9 s of \"walk-1\", which lasts 8.000 s");
	items[20] = items[3];
	items[20].isGood = false;
	expectFailure(&examples, &def, rp_errorArgument,
				  "examples 4 and 21 are of the same moments, and one is good, one bad");
	def.fps = 0.0;
	expectFailure(&examples, &def, rp_errorArgument, "a metric's rate must be above 0 and at most 1000 Hz, not 0");
	rpJoinExamples_Free(&examples);

	// What is the same is said to be bad, what is not is said to be good: no weight helps.
	def = rpDefaultFitDef();
	examples = testGenerateJoins(30, 30, 4);
	for (int i = 0; i < examples.count; ++i)
	{
		rpJoinExample* example = &examples.items[i];
		example->isGood = !example->isGood;
		if (!example->isGood)
		{
			example->b = example->a;
			example->bTime = example->aTime;
		}
	}
	expectFailure(&examples, &def, rp_errorNoSolution,
				  "no joint keeps a weight: the bad examples are as near as the good ones");
	rpJoinExamples_Free(&examples);
}

// ---- kept in a library

static void testKept(void** state)
{
	(void)state;
	rpJoinExamples examples = testGenerateJoins(40, 60, 1);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = testFitTo(&examples, &def), again;
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath("fit.reprise"), rp_openCreate, NULL);
	assert_non_null(library);
	assert_true(rpLibrary_PutMetric(library, "mine", &fit, NULL));
	assert_true(rpLibrary_LoadMetric(library, "mine", &again, NULL));
	assert_int_equal(again.termCount, fit.termCount);
	assert_memory_equal(again.terms, fit.terms, (size_t)fit.termCount * sizeof(rpMetricTerm));
	assert_true(again.residual == fit.residual && again.velocityWeight == fit.velocityWeight);
	assert_int_equal(again.misjudgedCount, fit.misjudgedCount);
	// Another body: joints by their roles.
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.5f, NULL);
	float weights[64], own[64];
	rpMetricDef metric;
	rpMetricFit_GetDef(&again, skeleton, weights, &metric);
	rpMetricFit_GetDef(&fit, testGetTakes()[0]->skeleton, own, &metric);
	assert_memory_equal(weights, own, (size_t)skeleton->jointCount * sizeof(float));
	assert_true(metric.kind == rp_metricAngle && metric.heightWeight == 0.0f && metric.travelWeight == 0.0f);
	rpReleaseSkeleton(skeleton);
	rpMetricFit_Free(&again);
	assert_false(rpLibrary_LoadMetric(library, "yours", &again, &error));
	assert_int_equal(error.code, rp_errorMissing);
	// Bytes that are no metric.
	assert_true(rpLibrary_PutModel(library, "broken", "metric", 1, "no metric at all", 16, NULL));
	assert_false(rpLibrary_LoadMetric(library, "broken", &again, &error));
	rpCloseLibrary(library);
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

// ---- memory

static bool tryFit(void* context, rpError* error)
{
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit;
	bool done = rpFitMetric(testGetTakes(), context, &def, &fit, error);
	rpMetricFit_Free(&fit);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	rpJoinExamples examples;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	assert_true(rpJoinExamples_Generate(&examples, testGetTakes(), 2, &def, NULL));
	testFailEach(tryFit, &examples, 20);
	rpJoinExamples_Free(&examples);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFitMeansItsMetric),
		cmocka_unit_test(testSides),
		cmocka_unit_test(testSearchVelocity),
		cmocka_unit_test(testUndetermined),
		cmocka_unit_test(testWrongExamples),
		cmocka_unit_test(testKept),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, testSetUpMetricScene, testTearDownMetricScene);
}
