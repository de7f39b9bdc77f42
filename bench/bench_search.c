/// Finding examples: how many of an act's performances are found in long takes, and how fast.
#include "bench.h"
#include "match_truth.h"

#include "align/match_web.h"
#include "distance/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	takeCount = 24,
	manyCount = 34,
	quickManyCount = 8,
	repeats = 7,
};

#define TAKE_SECONDS 200.0
#define QUERY_THRESHOLD 0.05f

static const char* const s_acts[] = {"walk", "punch", "kick", "jump", "sit-down", "pick-up"};

#define ACT_COUNT (int)(sizeof(s_acts) / sizeof(s_acts[0]))

/// Takes that are searched.
typedef struct Scene
{
	rpMotion* motions[manyCount];
	int takes[manyCount];
	int count;
} Scene;

static bool makeScene(Scene* scene, int count)
{
	bool done = true;
	*scene = (Scene){.count = count};
	for (int t = 0; t < count && done; ++t)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		def.fps = 30.0;
		def.seconds = TAKE_SECONDS;
		def.seed = 100 + (uint64_t)t;
		scene->motions[t] = rpPerform(&def, NULL);
		scene->takes[t] = t;
		done = scene->motions[t] != NULL;
	}
	return done;
}

static void freeScene(Scene* scene)
{
	for (int t = 0; t < scene->count; ++t)
	{
		rpDestroyMotion(scene->motions[t]);
	}
}

// ---- what is found

/// Sums over acts.
typedef struct Tally
{
	TruthScore chains, once;

	/// Means over acts: pooled, walking would count most.
	double recall, precision;
} Tally;

static void addScore(TruthScore* sum, TruthScore score)
{
	sum->known += score.known;
	sum->found += score.found;
	sum->matches += score.matches;
	sum->right += score.right;
}

static double divide(int part, int all)
{
	return all > 0 ? part / (double)all : 1.0;
}

static void putAct(const char* act, TruthScore chains, TruthScore once, double threshold, BenchReport* report)
{
	char name[32];
	snprintf(name, sizeof(name), "search_%s", act);
	benchPut(report, benchMakeKey(name, "known"), chains.known, "performances that are to be found");
	benchPut(report, benchMakeKey(name, "found"), chains.found, "those that are");
	benchPut(report, benchMakeKey(name, "matches"), chains.matches, "matches");
	benchPut(report, benchMakeKey(name, "right"), chains.right, "those that are of the act");
	benchPut(report, benchMakeKey(name, "recall"), divide(chains.found, chains.known), "share that is found");
	benchPut(report, benchMakeKey(name, "precision"), divide(chains.right, chains.matches), "share that is of the act");
	benchPut(report, benchMakeKey(name, "recall_one_search"), divide(once.found, once.known),
			 "share that one search within the same threshold finds");
	benchPut(report, benchMakeKey(name, "threshold"), threshold, "metres, from the gap");
}

// The first performance of an act as the query: through chains, with the threshold from the gap; and by one search with
// the same.
static bool tryAct(const Scene* scene, const char* act, Tally* tally, BenchReport* report)
{
	TruthList truth = {0};
	bool done = true;
	for (int t = 0; t < scene->count && done; ++t)
	{
		done = truthAdd(&truth, scene->motions[t], t, act);
	}
	int first = 0;
	while (first < truth.count && truth.items[first].isOptional)
	{
		++first;
	}
	if (!done || first == truth.count)
	{
		free(truth.items);
		return done;
	}
	const TruthStretch* known = &truth.items[first];
	rpStretch query = {known->take, false, known->start, known->end};
	rpMatchDef def = rpDefaultMatchDef();
	const rpMotion* const* motions = (const rpMotion* const*)scene->motions;
	rpMatches* chains = rpFindMatches(motions, scene->count, &query, &def, NULL);
	def.chains = false;
	def.threshold = chains != NULL ? chains->threshold : 1.0f;
	rpMatches* once = rpFindMatches(motions, scene->count, &query, &def, NULL);
	done = chains != NULL && once != NULL;
	if (done)
	{
		TruthScore score = truthScore(&truth, known->isRight, chains, scene->takes);
		TruthScore alone = truthScore(&truth, known->isRight, once, scene->takes);
		putAct(act, score, alone, (double)chains->threshold, report);
		addScore(&tally->chains, score);
		addScore(&tally->once, alone);
		tally->recall += divide(score.found, score.known) / ACT_COUNT;
		tally->precision += divide(score.right, score.matches) / ACT_COUNT;
	}
	rpDestroyMatches(chains);
	rpDestroyMatches(once);
	free(truth.items);
	return done;
}

static bool measureTruth(BenchReport* report)
{
	Scene scene;
	Tally tally = {0};
	bool done = makeScene(&scene, takeCount);
	for (int a = 0; a < ACT_COUNT && done; ++a)
	{
		done = tryAct(&scene, s_acts[a], &tally, report);
	}
	freeScene(&scene);
	benchPut(report, "web_recall", divide(tally.chains.found, tally.chains.known),
			 "performances of an act that are found, of those in 80 minutes of takes");
	benchPut(report, "web_precision", divide(tally.chains.right, tally.chains.matches), "matches that are of the act");
	benchPut(report, "web_recall_of_acts", tally.recall, "mean of the acts' recalls");
	benchPut(report, "web_precision_of_acts", tally.precision, "mean of the acts' precisions");
	benchPut(report, "web_recall_one_search", divide(tally.once.found, tally.once.known),
			 "the same recall by one search within the same threshold");
	return done;
}

// ---- how fast

/// A long library as searches see it.
typedef struct Speed
{
	rpMetric* metric;
	rpProfile* profiles[manyCount];
	int count, frames;

	/// The query alone, for its rows of the grid.
	rpProfile* rows;
	rpFrameStretch query;
	rpMatchShape shape;
	rpMatchSearcher searcher;
	rpWebPair* pairs;
} Speed;

static bool makeSpeed(Speed* speed, const Scene* scene)
{
	rpMetricDef def = rpDefaultMetricDef();
	*speed = (Speed){.count = scene->count, .query = {0, 300, 330}, .shape = rpMatchShape_Make(31, 3, 2.0)};
	speed->metric = rpCreateMetric(scene->motions[0]->skeleton, &def, NULL);
	bool done = speed->metric != NULL;
	for (int t = 0; t < scene->count && done; ++t)
	{
		speed->profiles[t] = rpCreateProfile(speed->metric, scene->motions[t], NULL);
		done = speed->profiles[t] != NULL;
		speed->frames += done ? speed->profiles[t]->frameCount : 0;
	}
	rpMotion* query = done ? rpCropFrames(scene->motions[0], 300, 31, NULL) : NULL;
	speed->rows = query != NULL ? rpCreateProfile(speed->metric, query, NULL) : NULL;
	rpDestroyMotion(query);
	return speed->rows != NULL &&
		   rpMatchSearcher_Make(&speed->searcher, speed->metric, (const rpProfile* const*)speed->profiles, speed->count,
								&speed->shape, 61, 0, NULL);
}

static void freeSpeed(Speed* speed)
{
	for (int k = 0; speed->pairs != NULL && k < speed->count * speed->count; ++k)
	{
		rpFreeBytes(speed->pairs[k].bytes);
	}
	free(speed->pairs);
	rpMatchSearcher_Free(&speed->searcher);
	for (int t = 0; t < speed->count; ++t)
	{
		rpDestroyProfile(speed->profiles[t]);
	}
	rpDestroyProfile(speed->rows);
	rpDestroyMetric(speed->metric);
}

static bool dropTile(const rpTile* tile, void* context)
{
	(void)context;
	benchKeep(tile->values);
	return true;
}

static double timeGrid(const Speed* speed)
{
	rpGridDef def = rpDefaultGridDef();
	def.visit = dropTile;
	double start = benchNow();
	bool done = true;
	for (int t = 0; t < speed->count && done; ++t)
	{
		done = rpMetric_VisitGrid(speed->metric, speed->rows, speed->profiles[t], &def, NULL);
	}
	return benchNow() - start;
}

static double timeSearch(Speed* speed, const rpMatchWeb* web)
{
	rpStartRanges ranges = {0};
	rpFoundStretches found = {0};
	double start = benchNow();
	bool done = web != NULL ? rpMatchWeb_ListStarts(web, speed->query, &speed->shape, QUERY_THRESHOLD, &speed->searcher,
													&ranges, NULL)
							: rpMatchSearcher_ListAll(&speed->searcher, &ranges, NULL);
	done = done && rpMatchSearcher_Find(&speed->searcher, speed->query, QUERY_THRESHOLD, &ranges, &found, NULL);
	double seconds = benchNow() - start;
	rpFreeBytes(ranges.items);
	rpFreeBytes(found.items);
	return done ? seconds : -1.0;
}

static bool weave(Speed* speed, BenchReport* report)
{
	int pairCount = speed->count * speed->count;
	int(*which)[2] = calloc((size_t)pairCount, sizeof(*which));
	speed->pairs = calloc((size_t)pairCount, sizeof(rpWebPair));
	bool done = which != NULL && speed->pairs != NULL;
	for (int k = 0; k < pairCount && done; ++k)
	{
		which[k][0] = k / speed->count;
		which[k][1] = k % speed->count;
	}
	double start = benchNow();
	done = done && rpWeb_Compute(speed->metric, (const rpProfile* const*)speed->profiles, (const int(*)[2])which,
								 pairCount, 0, NULL, NULL, speed->pairs, NULL);
	double seconds = benchNow() - start, size = 0.0;
	for (int k = 0; k < pairCount && done; ++k)
	{
		size += (double)speed->pairs[k].size;
	}
	free(which);
	benchPut(report, "web_frames", speed->frames, "frames of the takes that the web is of");
	benchPut(report, "web_build_s", seconds, "time to weave the web, s");
	benchPut(report, "web_mb", 1e-6 * size, "its size, MB");
	return done;
}

static bool measureSpeed(int count, BenchReport* report)
{
	Scene scene;
	Speed speed = {0};
	double grid[repeats], plain[repeats], woven[repeats], ratio[repeats];
	bool done = makeScene(&scene, count) && makeSpeed(&speed, &scene) && weave(&speed, report);
	rpMatchWeb web = {speed.pairs, speed.count};
	for (int n = 0; n < repeats && done; ++n)
	{
		grid[n] = timeGrid(&speed);
		plain[n] = timeSearch(&speed, NULL);
		woven[n] = timeSearch(&speed, &web);
		ratio[n] = plain[n] / grid[n];
	}
	if (done)
	{
		benchPut(report, "query_vs_grid", benchMedian(ratio, repeats),
				 "first search of a 1 s query against its rows of the grid alone");
		benchPut(report, "query_plain_ms", 1e3 * benchMedian(plain, repeats), "first search without a web, ms");
		benchPut(report, "query_ms", 1e3 * benchMedian(woven, repeats), "first search with the web, ms");
	}
	freeSpeed(&speed);
	freeScene(&scene);
	return done;
}

bool benchSearch(const BenchOptions* options, BenchReport* report)
{
	bool done =
		measureSpeed(options->quick ? quickManyCount : manyCount, report) && (options->quick || measureTruth(report));
	benchSearchCuts(report);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: searches failed\n");
	}
	return done;
}
