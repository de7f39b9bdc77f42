/// Many clips: what is kept of comparing them follows their frames, and never costs a graph.
#include "build/candidate_rows.h"
#include "build/minima_cache.h"
#include "play_scene.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testRows), cmocka_unit_test(testFullCache)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
