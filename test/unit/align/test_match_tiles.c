/// Match webs: levels are below every distance, rows read back, damage is seen, and searches find the same with a web
/// as without.
#include "align/match_web.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 4,
};

typedef struct Scene
{
	rpMotion* motions[clipCount];
	rpMetric* metric;
	rpProfile* profiles[clipCount];
	int pairs[clipCount * clipCount][2];
	rpWebPair woven[clipCount * clipCount];
	rpMatchWeb web;
} Scene;

static void weave(Scene* scene, int threads)
{
	rpError error = {0};
	assert_true(rpWeb_Compute(scene->metric, (const rpProfile* const*)scene->profiles, (const int(*)[2])scene->pairs,
							  clipCount * clipCount, threads, NULL, NULL, scene->woven, &error));
}

static void unweave(Scene* scene)
{
	for (int k = 0; k < clipCount * clipCount; ++k)
	{
		rpFreeBytes(scene->woven[k].bytes);
	}
}

static void makeScene(Scene* scene, uint64_t seed)
{
	const rpAct acts[clipCount] = {rp_actTake, rp_actWalk, rp_actPunch, rp_actTake};
	const double seconds[clipCount] = {24.0, 8.3, 3.0, 9.0};
	for (int m = 0; m < clipCount; ++m)
	{
		rpPerformDef def = rpDefaultPerformDef(acts[m]);
		def.fps = 30.0;
		def.seconds = seconds[m];
		def.seed = seed + (uint64_t)m;
		scene->motions[m] = rpPerform(&def, NULL);
		assert_non_null(scene->motions[m]);
	}
	rpMetricDef def = rpDefaultMetricDef();
	scene->metric = rpCreateMetric(scene->motions[0]->skeleton, &def, NULL);
	for (int m = 0; m < clipCount; ++m)
	{
		scene->profiles[m] = rpCreateProfile(scene->metric, scene->motions[m], NULL);
	}
	for (int k = 0; k < clipCount * clipCount; ++k)
	{
		scene->pairs[k][0] = k / clipCount;
		scene->pairs[k][1] = k % clipCount;
	}
	weave(scene, 2);
	scene->web = (rpMatchWeb){scene->woven, clipCount};
}

static void freeScene(Scene* scene)
{
	unweave(scene);
	for (int m = 0; m < clipCount; ++m)
	{
		rpDestroyProfile(scene->profiles[m]);
		rpDestroyMotion(scene->motions[m]);
	}
	rpDestroyMetric(scene->metric);
}

// The level of each tile is that of its least distance.
static void checkPair(const Scene* scene, int k)
{
	const rpProfile *a = scene->profiles[scene->pairs[k][0]], *b = scene->profiles[scene->pairs[k][1]];
	const rpWebPair* pair = &scene->woven[k];
	int rows = rpProfile_GetFrameCount(a), columns = rpProfile_GetFrameCount(b);
	float* grid = malloc(sizeof(float) * (size_t)(rows * columns));
	uint8_t* levels = malloc((size_t)pair->columns);
	size_t offset = 0;
	assert_true(rpMetric_FillGrid(scene->metric, a, b, grid, NULL));
	assert_int_equal(pair->rows, (rows + RP_WEB_TILE - 1) / RP_WEB_TILE);
	assert_true(rpWebPair_IsSound(pair));
	for (int row = 0; row < pair->rows; ++row)
	{
		assert_true(rpWebPair_ReadRow(pair, &offset, levels));
		for (int column = 0; column < pair->columns; ++column)
		{
			float low = INFINITY;
			for (int i = row * RP_WEB_TILE; i < rows && i < (row + 1) * RP_WEB_TILE; ++i)
			{
				for (int j = column * RP_WEB_TILE; j < columns && j < (column + 1) * RP_WEB_TILE; ++j)
				{
					low = fminf(low, grid[i * columns + j]);
				}
			}
			assert_true(rpWebLevels[levels[column]] <= low + 1e-6f);
			assert_true(levels[column] == RP_WEB_LEVELS - 1 || low < rpWebLevels[levels[column] + 1] + 1e-6f);
		}
	}
	free(levels);
	free(grid);
}

static void testLevels(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 4);
	for (int k = 0; k < clipCount * clipCount; ++k)
	{
		checkPair(&scene, k);
	}
	rpWebPair before[clipCount * clipCount];
	memcpy(before, scene.woven, sizeof(before));
	weave(&scene, 1);
	for (int k = 0; k < clipCount * clipCount; ++k)
	{
		assert_int_equal(before[k].size, scene.woven[k].size);
		assert_memory_equal(before[k].bytes, scene.woven[k].bytes, before[k].size);
		rpFreeBytes(before[k].bytes);
	}
	freeScene(&scene);
}

// Any byte may be another: it is read, or said to be damaged, and nothing is read beyond.
static void testDamage(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 4);
	rpWebPair pair = scene.woven[1];
	uint8_t* bytes = malloc(pair.size);
	int sound = 0;
	for (size_t at = 0; at < pair.size && at < 400; ++at)
	{
		memcpy(bytes, pair.bytes, pair.size);
		bytes[at] ^= (uint8_t)(1u << at % 8);
		rpWebPair other = {bytes, pair.size, pair.rows, pair.columns};
		sound += rpWebPair_IsSound(&other);
		rpWebPair shorter = {bytes, at, pair.rows, pair.columns};
		assert_false(rpWebPair_IsSound(&shorter));
	}
	assert_true(sound < 400);
	free(bytes);
	freeScene(&scene);
}

static void checkSame(const rpMatches* a, const rpMatches* b)
{
	assert_int_equal(a->count, b->count);
	for (int k = 0; k < a->count; ++k)
	{
		const rpMatch *x = &a->items[k], *y = &b->items[k];
		assert_int_equal(x->stretch.clip, y->stretch.clip);
		assert_true(x->stretch.start == y->stretch.start && x->stretch.end == y->stretch.end);
		assert_true(x->parent == y->parent && x->distance == y->distance);
	}
}

// Two routes, the same matches.
static void testRoutes(void** state)
{
	(void)state;
	int total = 0;
	for (uint64_t seed = 1; seed < 4; ++seed)
	{
		Scene scene;
		makeScene(&scene, 10 * seed);
		const rpStretch queries[] = {
			{0, false, 2.0, 2.5}, {1, false, 2.13, 3.2}, {2, false, 0.3, 2.6}, {0, false, 4.0, 8.5}, {3, false, 0, 8}};
		for (int q = 0; q < 5; ++q)
		{
			rpMatchDef def = rpDefaultMatchDef();
			rpError error = {0};
			def.slopeLimit = 1 + q;
			def.stretchLimit = q == 0 ? 1.5 : 2.0;
			def.threshold = q < 4 ? 0.05f + 0.025f * (float)q : 0.0f;
			rpMatches* without =
				rpFindMatches((const rpMotion* const*)scene.motions, clipCount, &queries[q], &def, &error);
			def.web = &scene.web;
			rpMatches* with =
				rpFindMatches((const rpMotion* const*)scene.motions, clipCount, &queries[q], &def, &error);
			assert_string_equal(error.message, "");
			checkSame(without, with);
			total += with->count;
			rpDestroyMatches(without);
			rpDestroyMatches(with);
		}
		freeScene(&scene);
	}
	assert_true(total > 100);
}

// A web of other motions is refused.
static void testOther(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 2);
	const rpStretch query = {0, false, 2.0, 3.0};
	rpMatchDef def = rpDefaultMatchDef();
	rpError error = {0};
	def.web = &scene.web;
	assert_null(rpFindMatches((const rpMotion* const*)scene.motions, clipCount - 1, &query, &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	freeScene(&scene);
}

static bool attempt(void* context, rpError* error)
{
	Scene* scene = context;
	rpWebPair pairs[2] = {0};
	const int which[2][2] = {{1, 2}, {2, 2}};
	bool done =
		rpWeb_Compute(scene->metric, (const rpProfile* const*)scene->profiles, which, 2, 1, NULL, NULL, pairs, error);
	rpFreeBytes(pairs[0].bytes);
	rpFreeBytes(pairs[1].bytes);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	testUseCountingAllocator();
	Scene scene;
	makeScene(&scene, 3);
	testFailEach(attempt, &scene, 5);
	freeScene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLevels), cmocka_unit_test(testDamage), cmocka_unit_test(testRoutes),
		cmocka_unit_test(testOther),  cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
