/// Fitted metrics: examples that are read, written and generated, the fit itself, cross-validation, and whether fitted
/// weights pick better transitions than even ones on takes they have never seen.
#include "analysis/landings.h"
#include "compare/step_clock.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	takeCount = 16,
	unseenCount = 8,
};

/// A performance: its act, speed (0: usual) and turn, radians per second.
typedef struct TakeDef
{
	rpAct act;
	float speed, turn;
} TakeDef;

// As many segments as in the thesis: walking, running, jogging, dancing, gesturing.
static const TakeDef s_takes[takeCount] = {
	{rp_actWalk, 0.0f, 0.0f},  {rp_actWalk, 1.0f, 0.0f},  {rp_actWalk, 1.7f, 0.0f},    {rp_actWalk, 0.0f, 0.43f},
	{rp_actWalk, 1.5f, 0.0f},  {rp_actRun, 0.0f, 0.0f},   {rp_actRun, 4.2f, 0.0f},     {rp_actRun, 0.0f, -0.35f},
	{rp_actRun, 3.2f, 0.0f},   {rp_actJog, 0.0f, 0.0f},   {rp_actJog, 0.0f, 0.26f},    {rp_actJog, 2.2f, 0.0f},
	{rp_actDance, 0.0f, 0.0f}, {rp_actDance, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f},
};

static const TakeDef s_unseen[unseenCount] = {
	{rp_actWalk, 0.0f, 0.0f}, {rp_actWalk, 1.1f, 0.0f}, {rp_actWalk, 1.8f, 0.0f}, {rp_actRun, 0.0f, 0.0f},
	{rp_actRun, 4.0f, 0.0f},  {rp_actJog, 0.0f, 0.0f},  {rp_actJog, 0.0f, 0.35f}, {rp_actWalk, 0.0f, -0.3f},
};

static rpMotion* s_motions[takeCount];
static rpMotion* s_strangers[unseenCount];

static rpMotion* perform(const TakeDef* take, int number, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(take->act);
	char name[32];
	def.fps = 60.0;
	def.seconds = seconds;
	def.seed = (uint64_t)number;
	def.parameters[rp_paramSpeed] = take->speed > 0.0f ? take->speed : def.parameters[rp_paramSpeed];
	def.parameters[rp_paramTurn] = take->turn;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	snprintf(name, sizeof(name), "%s-%d", rpAct_GetName(take->act), number);
	assert_true(rpMotion_SetName(motion, name, NULL));
	return motion;
}

static int setUp(void** state)
{
	(void)state;
	for (int i = 0; i < takeCount; ++i)
	{
		s_motions[i] = perform(&s_takes[i], i + 1, 8.0);
	}
	for (int i = 0; i < unseenCount; ++i)
	{
		s_strangers[i] = perform(&s_unseen[i], 1001 + i, 6.0);
	}
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(s_motions[i]);
	}
	for (int i = 0; i < unseenCount; ++i)
	{
		rpDestroyMotion(s_strangers[i]);
	}
	return 0;
}

static const rpMotion* const* getMotions(void)
{
	return (const rpMotion* const*)s_motions;
}

static rpJoinExamples generate(int good, int bad, uint64_t seed)
{
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpJoinExamples examples;
	rpError error = {0};
	def.goodCount = good;
	def.badCount = bad;
	def.seed = seed;
	if (!rpJoinExamples_Generate(&examples, getMotions(), takeCount, &def, &error))
	{
		fail_msg("%s", error.message);
	}
	return examples;
}

// ---- the clock

static void testClock(void** state)
{
	(void)state;
	rpStepClock clock;
	assert_true(rpStepClock_Create(&clock, s_motions[0], NULL));
	assert_true(clock.count > 8);
	int readCount = 0;
	for (int i = 0; i < s_motions[0]->frameCount; ++i)
	{
		double time = i / s_motions[0]->fps, phase, cycle, found;
		if (!rpStepClock_Read(&clock, time, &phase, &cycle))
		{
			continue;
		}
		++readCount;
		assert_true(phase >= 0.0 && phase < 1.0 && cycle > 0.7 && cycle < 1.6);
		// In the middle of a stance the foot is on the ground.
		if (rpGetPhaseDistance(phase, 0.0) < 0.05)
		{
			assert_true(rpGetSupport(s_motions[0], time) & 1);
		}
		if (rpGetPhaseDistance(phase, 0.5) < 0.05)
		{
			assert_true(rpGetSupport(s_motions[0], time) & 2);
		}
		bool isFound = false;
		for (int k = 0; rpStepClock_Find(&clock, phase, k, &found) && !isFound; ++k)
		{
			isFound = fabs(found - time) < 1e-9;
		}
		assert_true(isFound);
	}
	assert_true(readCount > 0.7 * s_motions[0]->frameCount);
	rpStepClock_Free(&clock);
	// Who stands has no steps.
	assert_true(rpStepClock_Create(&clock, s_motions[14], NULL));
	assert_int_equal(clock.count, 0);
	rpStepClock_Free(&clock);
	assert_true(fabs(rpGetPhaseDistance(0.95, 0.1) - 0.15) < 1e-12);
}

// ---- generated examples

static void checkGood(const rpJoinExample* example, const rpStepClock* clocks)
{
	const rpMotion *a = s_motions[example->a], *b = s_motions[example->b];
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
	assert_true(s_takes[example->a].act <= rp_actRun && s_takes[example->b].act <= rp_actRun);
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
	return off < 9.0 &&
		   rpGetSupport(s_motions[example->a], example->aTime) == rpGetSupport(s_motions[example->b], example->bTime);
}

static void checkSet(int good, int bad, uint64_t seed)
{
	rpStepClock clocks[takeCount];
	rpJoinExamples examples = generate(good, bad, seed), again = generate(good, bad, seed);
	int acts[rp_actCount] = {0}, nearCount = 0, goodCount = 0;
	for (int i = 0; i < takeCount; ++i)
	{
		assert_true(rpStepClock_Create(&clocks[i], s_motions[i], NULL));
	}
	assert_int_equal(examples.count, good + bad);
	assert_int_equal(examples.clipCount, takeCount);
	for (int i = 0; i < examples.count; ++i)
	{
		const rpJoinExample* example = &examples.items[i];
		assert_memory_equal(example, &again.items[i], sizeof(*example));
		goodCount += example->isGood;
		++acts[s_takes[example->a].act];
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
	for (int i = 0; i < takeCount; ++i)
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
	assert_false(rpJoinExamples_Generate(&examples, getMotions() + 14, 1, &def, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_null(examples.items);
}

// ---- the table

static void testTable(void** state)
{
	(void)state;
	rpJoinExamples examples = generate(30, 40, 5), again;
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

// ---- the fit

static rpMetricFit fitTo(const rpJoinExamples* examples, const rpFitDef* def)
{
	rpMetricFit fit;
	rpError error = {0};
	if (!rpFitMetric(getMotions(), examples, def, &fit, &error))
	{
		fail_msg("%s", error.message);
	}
	return fit;
}

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
		rpJoinExamples examples = generate(16, 26, (uint64_t)variant);
		rpFitDef def = rpDefaultFitDef();
		def.root = variant == 1;
		def.everyJoint = variant == 2;
		def.searchVelocity = variant == 3;
		// As in the thesis.
		def.isOneSided = variant != 4;
		def.evenness = variant == 4 ? 0.0f : def.evenness;
		rpMetricFit fit = fitTo(&examples, &def);
		rpMetric* metric = makeMetric(&fit, s_motions[0]->skeleton);
		double sum = 0.0, good = 0.0;
		for (int i = 0; i < examples.count; ++i)
		{
			const rpJoinExample* example = &examples.items[i];
			rpProfile* a = rpCreateProfile(metric, s_motions[example->a], NULL);
			rpProfile* b = rpCreateProfile(metric, s_motions[example->b], NULL);
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
	rpJoinExamples examples = generate(40, 60, 9);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = fitTo(&examples, &def), mirrored;
	const rpMotion* motions[takeCount];
	for (int i = 0; i < takeCount; ++i)
	{
		motions[i] = rpMirrorMotion(s_motions[i], NULL);
		assert_non_null(motions[i]);
	}
	assert_true(rpFitMetric(motions, &examples, &def, &mirrored, NULL));
	for (int i = 0; i < fit.termCount; ++i)
	{
		assert_true(fabs((double)fit.terms[i].weight - (double)mirrored.terms[i].weight) <
					1e-3 * (1.0 + (double)fit.terms[i].weight));
	}
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion((rpMotion*)motions[i]);
	}
	const rpSkeleton* skeleton = s_motions[0]->skeleton;
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
	rpJoinExamples examples = generate(100, 160, 3);
	rpFitDef def = rpDefaultFitDef();
	def.searchVelocity = true;
	rpMetricFit best = fitTo(&examples, &def);
	def.searchVelocity = false;
	for (int step = 0; step < 14; ++step)
	{
		def.velocityWeight = step == 0 ? 0.0f : (float)(1e-6 * pow(2.8, step));
		rpMetricFit fit = fitTo(&examples, &def);
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
	assert_true(rpJoinExamples_Generate(&examples, getMotions() + 14, 2, &def, NULL));
	assert_true(rpFitMetric(getMotions() + 14, &examples, &fitDef, &fit, NULL));
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
	assert_false(rpFitMetric(getMotions(), examples, def, &fit, &error));
	assert_string_equal(error.message, message);
	assert_int_equal(error.code, code);
	assert_null(fit.terms);
}

static void testWrongExamples(void** state)
{
	(void)state;
	rpFitDef def = rpDefaultFitDef();
	rpJoinExamples examples = generate(16, 26, 0);
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
	examples = generate(30, 30, 4);
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
	rpJoinExamples examples = generate(40, 60, 1);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = fitTo(&examples, &def), again;
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
	rpMetricFit_GetDef(&fit, s_motions[0]->skeleton, own, &metric);
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

// ---- is it any good?

// How far the best transition moves when an example is left out (section IV.3 of the thesis: under a frame on the mean,
// median 0). Performed walks repeat themselves: now and then the choice goes to a moment as good, cycles away.
static void checkLeftOut(int good, int bad, uint64_t seed, rpMetricTrial* trial)
{
	rpJoinExamples examples = generate(good, bad, seed);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = fitTo(&examples, &def);
	assert_true(rpMetricFit_Validate(&fit, getMotions(), &examples, &def, s_strangers[0], s_strangers[1], trial, NULL));
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
	rpJoinExamples examples = generate(16, 26, 6);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = fitTo(&examples, &def);
	rpMetricTrial trial, again;
	const rpMotion* unseen = s_strangers[2];
	assert_true(rpMetricFit_Validate(&fit, getMotions(), &examples, &def, unseen, unseen, &trial, NULL));
	assert_true(rpMetricFit_Validate(&fit, getMotions(), &examples, &def, unseen, unseen, &again, NULL));
	assert_memory_equal(&trial, &again, sizeof(trial));
	assert_int_equal(trial.unseenCaseCount, 42);
	rpMetricFit_Free(&fit);
	rpJoinExamples_Free(&examples);
}

static rpPickScore scoreStrangers(const rpMetricDef* def, rpPickScore* scores)
{
	rpPickScore sum = {0};
	rpMetric* metric = rpCreateMetric(s_strangers[0]->skeleton, def, NULL);
	assert_non_null(metric);
	for (int a = 0; a < unseenCount; ++a)
	{
		for (int b = 0; b < unseenCount; ++b)
		{
			rpPickScore* score = &scores[a * unseenCount + b];
			*score = (rpPickScore){0};
			assert_true(a == b || rpScorePicks(metric, s_strangers[a], s_strangers[b], score, NULL));
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
	rpJoinExamples examples = generate(400, 640, 0);
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit = fitTo(&examples, &def);
	const rpSkeleton* skeleton = s_strangers[0]->skeleton;
	float fittedWeights[64], evenWeights[64];
	rpMetricDef fitted, even, usual = rpDefaultMetricDef();
	rpPickScore scores[2][unseenCount * unseenCount];
	rpPickComparison comparison;
	assert_true(skeleton->jointCount <= 64);
	rpMetricFit_GetDef(&fit, skeleton, fittedWeights, &fitted);
	rpMetricFit_GetEvenDef(&fit, skeleton, evenWeights, &even);
	assert_true(even.velocityWeight == fitted.velocityWeight && even.heightWeight == 0.0f && even.tiltWeight == 1.0f);
	rpPickScore with = scoreStrangers(&fitted, scores[0]), without = scoreStrangers(&even, scores[1]);
	assert_true(rpComparePicks(scores[0], scores[1], unseenCount, &comparison, NULL));
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
	rpMotion* twin = rpCopyMotion(s_strangers[0], NULL);
	rpMetric* metric = rpCreateMetric(twin->skeleton, &def, NULL);
	rpPickScore score;
	assert_true(rpScorePicks(metric, s_strangers[0], twin, &score, NULL));
	assert_true(score.momentCount > 80);
	assert_true(score.phaseFrames < 1e-6 && score.lateCount == 0 && score.wrongFootCount == 0);
	assert_true(score.bestPhaseFrames < 1e-6 && score.bestPhaseFrames >= 0.0);
	assert_true(rpScorePicks(metric, s_strangers[0], s_motions[14], &score, NULL));
	assert_int_equal(score.momentCount, 0);
	rpDestroyMetric(metric);
	rpDestroyMotion(twin);
}

// ---- memory

static bool tryFit(void* context, rpError* error)
{
	rpFitDef def = rpDefaultFitDef();
	rpMetricFit fit;
	bool done = rpFitMetric(getMotions(), context, &def, &fit, error);
	rpMetricFit_Free(&fit);
	return done;
}

static bool tryGenerate(void* context, rpError* error)
{
	(void)context;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpJoinExamples generated;
	bool done = rpJoinExamples_Generate(&generated, getMotions(), 3, &def, error);
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

static bool tryScore(void* context, rpError* error)
{
	(void)context;
	rpMetricDef def = rpDefaultMetricDef();
	rpPickScore score;
	rpMetric* metric = rpCreateMetric(s_strangers[0]->skeleton, &def, error);
	bool done = metric != NULL && rpScorePicks(metric, s_strangers[0], s_strangers[1], &score, error);
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
	rpJoinExamples examples;
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	assert_true(rpJoinExamples_Generate(&examples, getMotions(), 2, &def, NULL));
	testFailEach(tryTable, &examples, 5);
	testFailEach(tryGenerate, &examples, 5);
	testFailEach(tryScore, &examples, 5);
	testFailEach(tryFit, &examples, 20);
	testFailEach(tryCompare, NULL, 2);
	rpJoinExamples_Free(&examples);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testClock),        cmocka_unit_test(testGenerate),
		cmocka_unit_test(testTable),        cmocka_unit_test(testReadTable),
		cmocka_unit_test(testWrongTables),  cmocka_unit_test(testFitMeansItsMetric),
		cmocka_unit_test(testSides),        cmocka_unit_test(testSearchVelocity),
		cmocka_unit_test(testUndetermined), cmocka_unit_test(testWrongExamples),
		cmocka_unit_test(testKept),         cmocka_unit_test(testCrossValidation),
		cmocka_unit_test(testSameAgain),    cmocka_unit_test(testBetterThanEven),
		cmocka_unit_test(testCompare),      cmocka_unit_test(testScoreOfTwins),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
