/// Fitting the weights of the angle metric: how fast, and how good the transitions are that fitted weights pick on
/// takes they have never seen, by the performer's truth.
#include "bench.h"
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	takeCount = 16,
	unseenCount = 7,
	repetitions = 9,
	goodCount = 400,
	badCount = 600,
};

/// A performance: its act, speed (0: usual) and turn, radians per second.
typedef struct Take
{
	rpAct act;
	float speed, turn;
} Take;

// Segments of walking, running, jogging, dancing and gesturing, as many as in the thesis; and others.
static const Take s_takes[takeCount] = {
	{rp_actWalk, 0.0f, 0.0f},  {rp_actWalk, 1.0f, 0.0f},  {rp_actWalk, 1.7f, 0.0f},    {rp_actWalk, 0.0f, 0.44f},
	{rp_actWalk, 1.5f, 0.0f},  {rp_actRun, 0.0f, 0.0f},   {rp_actRun, 4.2f, 0.0f},     {rp_actRun, 0.0f, -0.35f},
	{rp_actRun, 3.2f, 0.0f},   {rp_actJog, 0.0f, 0.0f},   {rp_actJog, 0.0f, 0.26f},    {rp_actJog, 2.2f, 0.0f},
	{rp_actDance, 0.0f, 0.0f}, {rp_actDance, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f},
};

static const Take s_unseen[unseenCount] = {
	{rp_actWalk, 0.0f, 0.0f}, {rp_actWalk, 1.0f, 0.0f}, {rp_actWalk, 1.7f, 0.0f}, {rp_actRun, 0.0f, 0.0f},
	{rp_actRun, 4.0f, 0.0f},  {rp_actJog, 0.0f, 0.0f},  {rp_actJog, 0.0f, 0.35f},
};

/// All that is measured on.
typedef struct Scene
{
	rpMotion* motions[takeCount];
	rpMotion* unseen[unseenCount];
	rpJoinExamples examples;
	rpFitDef def;
	rpMetricFit fit;
} Scene;

static rpMotion* perform(const Take* take, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(take->act);
	char name[32];
	def.fps = 60.0;
	def.seconds = 8.0;
	def.seed = seed;
	def.parameters[rp_paramSpeed] = take->speed > 0.0f ? take->speed : def.parameters[rp_paramSpeed];
	def.parameters[rp_paramTurn] = take->turn;
	rpMotion* motion = rpPerform(&def, NULL);
	snprintf(name, sizeof(name), "%s-%d", rpAct_GetName(take->act), (int)seed);
	if (motion != NULL && !rpMotion_SetName(motion, name, NULL))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

static const rpMotion* const* getMotions(const Scene* scene)
{
	return (const rpMotion* const*)scene->motions;
}

static bool makeScene(Scene* scene)
{
	bool done = true;
	for (int i = 0; i < takeCount; ++i)
	{
		scene->motions[i] = perform(&s_takes[i], (uint64_t)i + 1);
		done = done && scene->motions[i] != NULL;
	}
	for (int i = 0; i < unseenCount; ++i)
	{
		scene->unseen[i] = perform(&s_unseen[i], (uint64_t)i + 101);
		done = done && scene->unseen[i] != NULL;
	}
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	def.goodCount = goodCount;
	def.badCount = badCount;
	scene->def = rpDefaultFitDef();
	return done && rpJoinExamples_Generate(&scene->examples, getMotions(scene), takeCount, &def, NULL);
}

static void freeScene(Scene* scene)
{
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(scene->motions[i]);
	}
	for (int i = 0; i < unseenCount; ++i)
	{
		rpDestroyMotion(scene->unseen[i]);
	}
	rpJoinExamples_Free(&scene->examples);
	rpMetricFit_Free(&scene->fit);
}

// ---- how fast

// Milliseconds of a fit, the median of some; the last one stays.
static double timeFit(Scene* scene, bool searchVelocity)
{
	double times[repetitions];
	rpFitDef def = scene->def;
	def.searchVelocity = searchVelocity;
	for (int n = 0; n < repetitions; ++n)
	{
		rpMetricFit_Free(&scene->fit);
		double start = benchCpuTime();
		bool done = rpFitMetric(getMotions(scene), &scene->examples, &def, &scene->fit, NULL);
		times[n] = done ? 1e3 * (benchCpuTime() - start) : (double)NAN;
	}
	return benchMedian(times, repetitions);
}

static bool measureTrial(const Scene* scene, BenchReport* report)
{
	rpMetricTrial trial;
	double start = benchNow();
	if (!rpMetricFit_Validate(&scene->fit, getMotions(scene), &scene->examples, &scene->def, scene->unseen[0],
							  scene->unseen[3], &trial, NULL))
	{
		return false;
	}
	benchPut(report, "fit_validate_ms", 1e3 * (benchNow() - start),
			 "leave-one-out cross-validation of 1,000 examples, ms");
	benchPut(report, "fit_shift_frames", trial.shiftMean, "how far the best transition moves then, frames, mean");
	benchPut(report, "fit_shift_frames_median", trial.shiftMedian, "the same, median");
	benchPut(report, "fit_tied_shift_frames", trial.tiedShiftMean, "how far it then is from one as good, frames, mean");
	benchPut(report, "fit_regret", trial.regretMean, "how much more its distance is than the best one's, share");
	benchPut(report, "fit_unseen_shift_frames", trial.unseenShiftMean, "the same on motion that is not among them");
	return true;
}

// ---- how good

/// Scores from each unseen take to each, and their sum.
typedef struct Scores
{
	rpPickScore pairs[unseenCount * unseenCount], sum;
} Scores;

static bool scoreUnseen(const Scene* scene, const rpMetricDef* def, Scores* out)
{
	rpMetric* metric = rpCreateMetric(scene->unseen[0]->skeleton, def, NULL);
	bool done = metric != NULL;
	*out = (Scores){0};
	for (int pair = 0; pair < unseenCount * unseenCount && done; ++pair)
	{
		int a = pair / unseenCount, b = pair % unseenCount;
		rpPickScore* score = &out->pairs[pair];
		done = a == b || rpScorePicks(metric, scene->unseen[a], scene->unseen[b], score, NULL);
		out->sum.momentCount += score->momentCount;
		out->sum.phaseFrames += score->phaseFrames;
		out->sum.lateCount += score->lateCount;
		out->sum.wrongFootCount += score->wrongFootCount;
	}
	rpDestroyMetric(metric);
	return done;
}

// Down from some weights, each times 2, by 2 and away, as long as picks on the unseen takes themselves get better: what
// no fit can know, and so what weights can do at most.
static bool searchBound(const Scene* scene, const rpMetricDef* start, float* weights, double* bound)
{
	static const float factors[] = {2.0f, 0.5f, 0.0f};
	rpMetricDef def = *start;
	const rpSkeleton* skeleton = scene->unseen[0]->skeleton;
	Scores scores;
	bool done = scoreUnseen(scene, &def, &scores), isBetter = true;
	*bound = scores.sum.phaseFrames / scores.sum.momentCount;
	def.jointWeights = weights;
	for (int round = 0; round < 8 && isBetter && done; ++round)
	{
		isBetter = false;
		for (int trial = 0; trial < 3 * skeleton->jointCount && done; ++trial)
		{
			int joint = trial / 3, mirror = skeleton->joints[joint].mirror;
			float old = weights[joint];
			if (old <= 0.0f || mirror < joint)
			{
				continue;
			}
			weights[joint] = weights[mirror] = old * factors[trial % 3];
			done = scoreUnseen(scene, &def, &scores);
			double frames = scores.sum.phaseFrames / scores.sum.momentCount;
			bool helps = frames < *bound - 1e-4;
			isBetter |= helps;
			*bound = helps ? frames : *bound;
			weights[joint] = weights[mirror] = helps ? weights[joint] : old;
		}
	}
	return done;
}

static void putPicks(BenchReport* report, const rpPickScore* with, const rpPickScore* without)
{
	benchPut(report, "fit_pick_frames", with->phaseFrames / with->momentCount,
			 "picks on unseen takes from the same moment of the gait cycle, fitted weights, frames, mean");
	benchPut(report, "even_pick_frames", without->phaseFrames / without->momentCount,
			 "the same, even weights on the same terms");
	benchPut(report, "fit_pick_late", (double)with->lateCount / with->momentCount,
			 "share of picks that are 3 frames off and more, fitted weights");
	benchPut(report, "even_pick_late", (double)without->lateCount / without->momentCount,
			 "the same, even weights on the same terms");
	benchPut(report, "fit_pick_wrong_foot", (double)with->wrongFootCount / with->momentCount,
			 "share of picks on the other foot, fitted weights");
	benchPut(report, "even_pick_wrong_foot", (double)without->wrongFootCount / without->momentCount,
			 "the same, even weights on the same terms");
}

static void putDifference(BenchReport* report, const rpPickComparison* comparison)
{
	benchPut(report, "fit_even_frames", comparison->frames.value, "frames off, fitted minus even");
	benchPut(report, "fit_even_frames_low", comparison->frames.low, "the same, lower bound of 95 %");
	benchPut(report, "fit_even_frames_high", comparison->frames.high, "the same, upper bound");
	benchPut(report, "fit_even_late", comparison->lateShare.value, "share of 3 frames off and more, fitted minus even");
	benchPut(report, "fit_even_late_low", comparison->lateShare.low, "the same, lower bound of 95 %");
	benchPut(report, "fit_even_late_high", comparison->lateShare.high, "the same, upper bound");
}

static bool measurePicks(const Scene* scene, BenchReport* report)
{
	rpMetricDef even, fitted;
	Scores with, without;
	rpPickComparison comparison;
	double bound;
	const rpSkeleton* skeleton = scene->unseen[0]->skeleton;
	float* weights = malloc(2 * (size_t)skeleton->jointCount * sizeof(float));
	if (weights == NULL)
	{
		return false;
	}
	rpMetricFit_GetDef(&scene->fit, skeleton, weights, &fitted);
	rpMetricFit_GetEvenDef(&scene->fit, skeleton, weights + skeleton->jointCount, &even);
	bool done = scoreUnseen(scene, &fitted, &with) && scoreUnseen(scene, &even, &without) &&
				rpComparePicks(with.pairs, without.pairs, unseenCount, &comparison, NULL) &&
				searchBound(scene, &fitted, weights, &bound);
	if (done)
	{
		putPicks(report, &with.sum, &without.sum);
		putDifference(report, &comparison);
		benchPut(report, "bound_pick_frames", bound,
				 "frames off with weights searched on the unseen takes themselves: the least there is");
	}
	free(weights);
	return done;
}

bool benchTransitionsFit(BenchReport* report)
{
	Scene scene = {0};
	bool done = makeScene(&scene);
	if (done)
	{
		benchPut(report, "fit_velocity_ms", timeFit(&scene, true), "the same with a search of nu, ms");
		benchPut(report, "fit_ms", timeFit(&scene, false), "weights fitted to 1,000 examples, ms");
		done = scene.fit.terms != NULL && measureTrial(&scene, report) && measurePicks(&scene, report);
	}
	freeScene(&scene);
	return done;
}
