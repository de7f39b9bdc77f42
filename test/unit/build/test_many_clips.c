/// Many clips: what is kept of comparing them follows their frames, and never costs a graph.
#include "build/candidate_rows.h"
#include "build/minima_cache.h"
#include "play_scene.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 40,
	frameCount = 30,
	offerCount = 60000,
};

/// Examples of which only frames and labels are known.
typedef struct Scene
{
	rpExamples examples;
	rpGraphClip clips[clipCount];
	int firstFrames[clipCount + 1];
	uint64_t masks[clipCount * frameCount];
} Scene;

static void makeScene(Scene* scene)
{
	*scene = (Scene){.examples = {.fps = 30.0, .labelCount = 2, .clipCount = clipCount}};
	for (int c = 0; c < clipCount; ++c)
	{
		scene->clips[c].frameCount = frameCount;
		scene->firstFrames[c + 1] = (c + 1) * frameCount;
	}
	for (int f = 0; f < clipCount * frameCount; ++f)
	{
		// One clip in eight is of the second label.
		scene->masks[f] = f / frameCount % 8 == 7 ? 2 : 1;
	}
	scene->examples.clips = scene->clips;
	scene->examples.firstFrames = scene->firstFrames;
	scene->examples.masks = scene->masks;
}

// Each place once, at distances that are often equal.
static rpCandidate* makeOffers(void)
{
	rpCandidate* offers = calloc(offerCount, sizeof(rpCandidate));
	for (int k = 0; k < offerCount; ++k)
	{
		int pair = k * 7919 % (clipCount * clipCount * frameCount * frameCount);
		offers[k] = (rpCandidate){.a = pair % clipCount,
								  .b = pair / clipCount % clipCount,
								  .i = pair / (clipCount * clipCount) % frameCount,
								  .j = pair / (clipCount * clipCount * frameCount) % frameCount,
								  .distance = (float)(k * 31 % 977)};
	}
	return offers;
}

static rpCandidates collect(const Scene* scene, const rpCandidate* offers, bool isBackwards)
{
	rpCandidateRows rows = {0};
	rpCandidates out = {0};
	assert_true(rpCandidateRows_Make(&rows, &scene->examples, NULL));
	for (int k = 0; k < offerCount; ++k)
	{
		assert_true(rpCandidateRows_Offer(&rows, &offers[isBackwards ? offerCount - 1 - k : k], NULL));
	}
	assert_true(rpCandidateRows_Collect(&rows, &out, NULL));
	rpCandidateRows_Free(&rows);
	return out;
}

static bool isSame(const rpCandidate* x, const rpCandidate* y)
{
	return x->a == y->a && x->b == y->b && x->i == y->i && x->j == y->j;
}

static bool isKept(const rpCandidates* kept, const rpCandidate* wanted)
{
	for (int k = 0; k < kept->count; ++k)
	{
		if (isSame(&kept->items[k], wanted))
		{
			return true;
		}
	}
	return false;
}

static bool sharesEnd(const Scene* scene, const rpCandidate* x, const rpCandidate* y, bool atA)
{
	// The half second at one end, and the label at the other.
	int clip = atA ? x->a : x->b, frame = atA ? x->i : x->j;
	uint64_t label = scene->masks[scene->firstFrames[atA ? x->b : x->a]];
	return (y->a == clip && y->i / 15 == frame / 15 && scene->masks[scene->firstFrames[y->b]] == label) ||
		   (y->b == clip && y->j / 15 == frame / 15 && scene->masks[scene->firstFrames[y->a]] == label);
}

static bool hasBetter(const Scene* scene, const rpCandidate* offers, const rpCandidate* x, bool atA)
{
	int better = 0;
	for (int k = 0; k < offerCount && better < 128; ++k)
	{
		better += offers[k].distance <= x->distance && !isSame(&offers[k], x) && sharesEnd(scene, x, &offers[k], atA);
	}
	return better == 128;
}

// What goes had 128 at least as good at either end; what stays does not depend on the order; far less than was offered
// stays.
static void testRows(void** state)
{
	(void)state;
	Scene* scene = malloc(sizeof(Scene));
	makeScene(scene);
	rpCandidate* offers = makeOffers();
	rpCandidates kept = collect(scene, offers, false), again = collect(scene, offers, true);
	assert_int_equal(kept.count, again.count);
	assert_memory_equal(kept.items, again.items, (size_t)kept.count * sizeof(rpCandidate));
	assert_true(kept.count < offerCount / 2);
	for (int k = 0; k < offerCount; k += 61)
	{
		assert_true(isKept(&kept, &offers[k]) ||
					(hasBetter(scene, offers, &offers[k], true) && hasBetter(scene, offers, &offers[k], false)));
	}
	rpFree(kept.items);
	rpFree(again.items);
	free(offers);
	free(scene);
}

// What has no room in the library is not kept, and what has is.
static void testFullCache(void** state)
{
	(void)state;
	enum
	{
		minimumCount = 400000,
	};
	static const char hashes[4][34] = {"00000000000000000000000000000001", "00000000000000000000000000000002",
									   "00000000000000000000000000000003", "00000000000000000000000000000004"};
	rpMinimum* items = calloc(minimumCount, sizeof(rpMinimum));
	rpMinima minima = {items, minimumCount, minimumCount};
	rpMinimaCache cache = {.hashes = hashes}, loaded = {0};
	rpMinimaStore store = rpMinimaCache_GetStore(&cache);
	for (int a = 0; a < 4; ++a)
	{
		for (int b = a; b < 4; ++b)
		{
			assert_true(store.keep(a, b, &minima, store.context, NULL));
		}
	}
	// 11.2 MB each: five fit into 60 MiB.
	assert_int_equal(cache.count, 5);
	assert_int_equal(cache.unkeptCount, 5);
	rpLibrary* library = rpOpenLibrary(testPath("full_cache.reprise"), rp_openCreate, NULL);
	rpError error = {0};
	assert_true(rpMinimaCache_Save(&cache, library, "minima", &error));
	assert_true(rpMinimaCache_Load(&loaded, library, "minima", &error));
	assert_int_equal(loaded.count, 5);
	rpMinimaCache_Free(&cache);
	rpMinimaCache_Free(&loaded);
	rpCloseLibrary(library);
	free(items);
}

// A pair takes its line and its minima: no block of its own, no copies but the bundle's on the way into the library.
static void testManyPairs(void** state)
{
	(void)state;
	// All pairs of so many clips nearly fill a power of two, by which lists grow.
	enum
	{
		manyCount = 361,
		pairCount = manyCount * (manyCount + 1) / 2,
		pairSize = 2 * 34 + 2 * 4 + sizeof(rpMinimum),
	};
	static char hashes[manyCount][34];
	rpMinimum minimum = {.i = 1, .j = 2, .distance = 0.1f};
	rpMinima minima = {&minimum, 1, 1};
	for (int c = 0; c < manyCount; ++c)
	{
		snprintf(hashes[c], sizeof(hashes[c]), "%032x", c);
	}
	rpLibrary* library = rpOpenLibrary(testPath("many_pairs.reprise"), rp_openCreate, NULL);
	testUseCountingAllocator();
	testStartPeak();
	testFailAllocation(-1);
	rpMinimaCache cache = {.hashes = (const char(*)[34])hashes}, loaded = {0};
	rpMinimaStore store = rpMinimaCache_GetStore(&cache);
	for (int k = 0; k < manyCount * manyCount; ++k)
	{
		int a = k / manyCount, b = k % manyCount;
		minimum.i = k % 100;
		assert_true(a > b || store.keep(a, b, &minima, store.context, NULL));
	}
	assert_int_equal(cache.count, pairCount);
	assert_true(testCountAllocations() < 100);
	assert_true(testGetPeak() < 1.05 * pairCount * pairSize);
	assert_true(rpMinimaCache_Save(&cache, library, "minima", NULL));
	assert_true(testGetPeak() < 3.05 * pairCount * pairSize);
	assert_true(rpMinimaCache_Load(&loaded, library, "minima", NULL));
	loaded.hashes = cache.hashes;
	store = rpMinimaCache_GetStore(&loaded);
	rpMinima found = {0};
	assert_true(store.find(17, 200, &found, store.context));
	assert_int_equal(found.count, 1);
	assert_int_equal(found.items[0].i, (17 * manyCount + 200) % 100);
	assert_false(store.find(200, 17, &found, store.context));
	rpMinima_Free(&found);
	rpMinimaCache_Free(&cache);
	rpMinimaCache_Free(&loaded);
	assert_int_equal(testCountLiveBlocks(), 0);
	rpSetAllocator(NULL);
	rpCloseLibrary(library);
}

static rpMotion* crop(const rpMotion* whole, int second)
{
	rpMotion* clip = rpCropMotion(whole, second, second + 1.0, NULL);
	assert_non_null(clip);
	return clip;
}

static size_t measureProfiles(const rpMetric* metric, rpMotion* const* motions, int count)
{
	rpProfile* profiles[60];
	testStartPeak();
	for (int c = 0; c < count; ++c)
	{
		profiles[c] = rpCreateProfile(metric, motions[c], NULL);
		assert_non_null(profiles[c]);
	}
	size_t peak = testGetPeak();
	for (int c = 0; c < count; ++c)
	{
		rpDestroyProfile(profiles[c]);
	}
	return peak;
}

static size_t measureBuild(rpMotion* const* motions, int count)
{
	testStartPeak();
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, count, NULL, NULL, NULL);
	assert_non_null(graph);
	rpDestroyGraph(graph);
	return testGetPeak();
}

// Clips of a second take the memory of their frames, and little for their ends.
static void testShortClips(void** state)
{
	(void)state;
	enum
	{
		seconds = 60,
	};
	rpMotion *whole = testPerformTurning(rp_actWalk, seconds + 0.5, 10.0f, 3, "whole"), *clips[seconds];
	testUseCountingAllocator();
	testFailAllocation(-1);
	for (int c = 0; c < seconds; ++c)
	{
		clips[c] = crop(whole, c);
	}
	for (rpMetricKind kind = rp_metricCloud; kind <= rp_metricAngle; ++kind)
	{
		rpMetricDef def = rpDefaultMetricDef();
		def.kind = kind;
		rpMetric* metric = rpCreateMetric(whole->skeleton, &def, NULL);
		size_t one = measureProfiles(metric, &whole, 1), many = measureProfiles(metric, clips, seconds);
		// That of one clip has all its frames at the metric's rate beside it while it is made.
		assert_true(many < one);
		rpDestroyMetric(metric);
	}
	size_t one = measureBuild(&whole, 1), many = measureBuild(clips, seconds);
	assert_true((double)many < 1.25 * (double)one);
	for (int c = 0; c < seconds; ++c)
	{
		rpDestroyMotion(clips[c]);
	}
	assert_int_equal(testCountLiveBlocks(), 0);
	rpSetAllocator(NULL);
	rpDestroyMotion(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testRows), cmocka_unit_test(testFullCache),
									   cmocka_unit_test(testManyPairs), cmocka_unit_test(testShortClips)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
