/// Match webs in a library: grown clip by clip or woven at once, opened for searches, refused where clips are not
/// known.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 3,
};

static void addClip(rpLibrary* library, int k, rpClipId* out)
{
	const rpAct acts[clipCount] = {rp_actWalk, rp_actTake, rp_actMarch};
	rpPerformDef def = rpDefaultPerformDef(acts[k]);
	rpAddDef add = rpDefaultAddDef();
	rpError error = {0};
	char name[16];
	bool isNew;
	def.fps = 30.0;
	def.seconds = 6.0 + k;
	def.seed = 9 + (uint64_t)k;
	rpMotion* motion = rpPerform(&def, &error);
	assert_non_null(motion);
	snprintf(name, sizeof(name), "clip-%d", k);
	assert_true(rpMotion_SetName(motion, name, &error));
	out[k] = rpLibrary_AddClip(library, motion, &add, &isNew, &error);
	assert_string_equal(error.message, "");
	assert_true(out[k] > 0);
	rpDestroyMotion(motion);
}

static rpLibrary* makeLibrary(const char* name)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath(name), rp_openCreate, &error);
	assert_string_equal(error.message, "");
	return library;
}

static void weave(rpLibrary* library, const rpClipId* clips, int count, bool mirror, int newPairs)
{
	rpMatchWebDef def = rpDefaultMatchWebDef();
	rpMatchWebReport report;
	rpError error = {0};
	def.mirror = mirror;
	assert_true(rpLibrary_WeaveMatchWeb(library, clips, count, &def, &report, &error));
	assert_int_equal(report.pairCount, count * count * (mirror ? 4 : 1));
	assert_int_equal(report.newPairCount, newPairs);
	assert_true(report.size > 0);
}

static void* loadBytes(rpLibrary* library, size_t* size)
{
	rpModelInfo* infos;
	rpError error = {0};
	int count = rpLibrary_ListModels(library, &infos, &error);
	assert_int_equal(count, 1);
	assert_string_equal(infos[0].kind, "match-web");
	void* bytes = rpLibrary_LoadModel(library, infos[0].name, infos[0].kind, NULL, size, &error);
	assert_non_null(bytes);
	rpFreeModelInfos(infos, count);
	return bytes;
}

// Clip by clip, in another order, the same bytes as at once; only what is new is compared.
static void testGrowth(void** state)
{
	(void)state;
	rpClipId one[clipCount], two[clipCount];
	rpLibrary* grown = makeLibrary("grown.reprise");
	for (int k = 0; k < clipCount; ++k)
	{
		addClip(grown, k, one);
		weave(grown, one, k + 1, false, 2 * k + 1);
	}
	weave(grown, one, clipCount, false, 0);
	rpLibrary* atOnce = makeLibrary("at-once.reprise");
	for (int k = clipCount - 1; k >= 0; --k)
	{
		addClip(atOnce, k, two);
	}
	weave(atOnce, two, clipCount, false, clipCount * clipCount);
	size_t oneSize, twoSize;
	void *oneBytes = loadBytes(grown, &oneSize), *twoBytes = loadBytes(atOnce, &twoSize);
	assert_int_equal(oneSize, twoSize);
	assert_memory_equal(oneBytes, twoBytes, oneSize);
	rpFreeBytes(oneBytes);
	rpFreeBytes(twoBytes);
	rpCloseLibrary(grown);
	rpCloseLibrary(atOnce);
	rpFindings findings = {0};
	rpError error = {0};
	assert_true(rpCheckModels(testPath("grown.reprise"), &findings, &error));
	assert_int_equal(findings.count, 0);
	rpFindings_Free(&findings);
}

// The same bytes for any number of threads.
static void testThreads(void** state)
{
	(void)state;
	void* bytes[2];
	size_t sizes[2];
	for (int i = 0; i < 2; ++i)
	{
		rpClipId clips[clipCount];
		rpLibrary* library = makeLibrary(i == 0 ? "one-thread.reprise" : "two-threads.reprise");
		rpMatchWebDef def = rpDefaultMatchWebDef();
		def.threads = 1 + i;
		def.mirror = true;
		for (int k = 0; k < clipCount; ++k)
		{
			addClip(library, k, clips);
		}
		assert_true(rpLibrary_WeaveMatchWeb(library, clips, clipCount, &def, NULL, NULL));
		bytes[i] = loadBytes(library, &sizes[i]);
		rpCloseLibrary(library);
	}
	assert_int_equal(sizes[0], sizes[1]);
	assert_memory_equal(bytes[0], bytes[1], sizes[0]);
	rpFreeBytes(bytes[0]);
	rpFreeBytes(bytes[1]);
}

static bool stopAtOnce(double fraction, const char* what, void* context)
{
	(void)what;
	(void)context;
	assert_true(fraction >= 0.0 && fraction <= 1.0);
	return false;
}

// Clips that are not there, of another body, too many; stopped: nothing is kept.
static void testRefused(void** state)
{
	(void)state;
	rpClipId clips[clipCount + 1];
	rpLibrary* library = makeLibrary("refused.reprise");
	rpMatchWebDef def = rpDefaultMatchWebDef();
	for (int k = 0; k < clipCount; ++k)
	{
		addClip(library, k, clips);
	}
	clips[clipCount] = 77;
	rpError errors[4] = {0};
	assert_false(rpLibrary_WeaveMatchWeb(library, clips, clipCount + 1, &def, NULL, &errors[0]));
	assert_int_equal(errors[0].code, rp_errorMissing);
	assert_false(rpLibrary_WeaveMatchWeb(library, clips, 0, &def, NULL, &errors[1]));
	assert_int_equal(errors[1].code, rp_errorArgument);
	// More than a library can keep the sizes of.
	rpError tooMany = {0};
	assert_false(rpLibrary_WeaveMatchWeb(library, clips, 1000000, &def, NULL, &tooMany));
	assert_int_equal(tooMany.code, rp_errorLimit);
	rpMotion* motion = rpLibrary_LoadClip(library, clips[0], NULL);
	rpMotion* small = rpScaleMotion(motion, 0.8f, NULL);
	clips[clipCount] = rpLibrary_AddClip(library, small, NULL, NULL, NULL);
	assert_false(rpLibrary_WeaveMatchWeb(library, clips, clipCount + 1, &def, NULL, &errors[2]));
	assert_int_equal(errors[2].code, rp_errorArgument);
	assert_non_null(strstr(errors[2].message, "skeleton"));
	rpDestroyMotion(small);
	rpDestroyMotion(motion);
	def.progress = stopAtOnce;
	assert_false(rpLibrary_WeaveMatchWeb(library, clips, clipCount, &def, NULL, &errors[3]));
	assert_int_equal(errors[3].code, rp_errorCancelled);
	rpModelInfo* infos;
	assert_int_equal(rpLibrary_ListModels(library, &infos, NULL), 0);
	rpCloseLibrary(library);
}

static rpMatches* find(const rpLibrary* library, const rpClipId* clips, int count, bool mirror, const rpMatchWeb* web)
{
	rpMotion* motions[clipCount];
	rpMatchDef def = rpDefaultMatchDef();
	rpStretch query = {0, false, 2.0, 3.1};
	rpError error = {0};
	for (int k = 0; k < count; ++k)
	{
		motions[k] = rpLibrary_LoadClip(library, clips[k], &error);
		assert_non_null(motions[k]);
	}
	def.mirror = mirror;
	def.threshold = 0.1f;
	def.web = web;
	rpMatches* matches = rpFindMatches((const rpMotion* const*)motions, count, &query, &def, &error);
	assert_string_equal(error.message, "");
	for (int k = 0; k < count; ++k)
	{
		rpDestroyMotion(motions[k]);
	}
	return matches;
}

// What is opened is for the clips in their order, mirror images too, or for some of them; the matches are the same.
static void testSearch(void** state)
{
	(void)state;
	rpClipId clips[clipCount];
	rpLibrary* library = makeLibrary("search.reprise");
	for (int k = 0; k < clipCount; ++k)
	{
		addClip(library, k, clips);
	}
	rpMatchWebDef def = rpDefaultMatchWebDef();
	rpError error = {0};
	assert_null(rpLibrary_OpenMatchWeb(library, clips, clipCount, &def, &error));
	assert_int_equal(error.code, rp_errorMissing);
	weave(library, clips, clipCount, true, 4 * clipCount * clipCount);
	for (int n = 0; n < 3; ++n)
	{
		const rpClipId turned[clipCount] = {clips[2], clips[0], clips[1]};
		int count = n == 2 ? 2 : clipCount;
		def.mirror = n == 1;
		error = (rpError){0};
		rpMatchWeb* web = rpLibrary_OpenMatchWeb(library, turned, count, &def, &error);
		assert_string_equal(error.message, "");
		rpMatches* with = find(library, turned, count, def.mirror, web);
		rpMatches* without = find(library, turned, count, def.mirror, NULL);
		assert_int_equal(with->count, without->count);
		assert_true(with->count > 3);
		for (int k = 0; k < with->count; ++k)
		{
			assert_true(with->items[k].stretch.start == without->items[k].stretch.start);
			assert_true(with->items[k].distance == without->items[k].distance);
		}
		rpDestroyMatches(with);
		rpDestroyMatches(without);
		rpDestroyMatchWeb(web);
	}
	// A search without mirror images does not forget them.
	weave(library, clips, clipCount, false, 0);
	weave(library, clips, clipCount, true, 0);
	rpMetricDef metric = rpDefaultMetricDef();
	metric.window = 0.3;
	def.metric = &metric;
	error = (rpError){0};
	assert_null(rpLibrary_OpenMatchWeb(library, clips, clipCount, &def, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpCloseLibrary(library);
}

// What is kept may be anything: it is refused, or searches find the same.
static void testDamage(void** state)
{
	(void)state;
	rpClipId clips[clipCount];
	rpLibrary* library = makeLibrary("damaged.reprise");
	for (int k = 0; k < clipCount; ++k)
	{
		addClip(library, k, clips);
	}
	weave(library, clips, clipCount, false, clipCount * clipCount);
	rpModelInfo* infos;
	rpError error = {0};
	assert_int_equal(rpLibrary_ListModels(library, &infos, &error), 1);
	size_t size;
	uint8_t* bytes = loadBytes(library, &size);
	rpMatches* wanted = find(library, clips, clipCount, false, NULL);
	int opened = 0;
	for (size_t at = 0; at < size; at += size / 60 + 1)
	{
		uint8_t kept = bytes[at];
		bytes[at] ^= 0x15;
		assert_true(rpLibrary_PutModel(library, infos[0].name, "match-web", 1, bytes, size, &error));
		bytes[at] = kept;
		rpMatchWeb* web = rpLibrary_OpenMatchWeb(library, clips, clipCount, NULL, &error);
		if (web != NULL)
		{
			// Levels may be told too high by damage that no check can see; nothing is read beyond.
			rpMatches* found = find(library, clips, clipCount, false, web);
			assert_true(found->count <= wanted->count);
			rpDestroyMatches(found);
			++opened;
		}
		rpDestroyMatchWeb(web);
	}
	assert_true(opened < 60);
	rpDestroyMatches(wanted);
	rpFreeBytes(bytes);
	rpFreeModelInfos(infos, 1);
	rpCloseLibrary(library);
}

// ---- memory

static bool weaveAndOpen(void* context, rpError* error)
{
	// A library keeps skeletons that were loaded until it is closed.
	rpLibrary* library = rpOpenLibrary(context, rp_openWrite, error);
	const rpClipId clips[] = {1, 2};
	rpMatchWebDef def = rpDefaultMatchWebDef();
	def.threads = 1;
	bool done = library != NULL && rpLibrary_WeaveMatchWeb(library, clips, 2, &def, NULL, error);
	rpMatchWeb* web = done ? rpLibrary_OpenMatchWeb(library, clips, 2, &def, error) : NULL;
	rpDestroyMatchWeb(web);
	rpCloseLibrary(library);
	return web != NULL;
}

static void testMemory(void** state)
{
	(void)state;
	rpClipId clips[clipCount];
	char path[1024];
	snprintf(path, sizeof(path), "%s", testPath("memory.reprise"));
	rpLibrary* library = makeLibrary("memory.reprise");
	addClip(library, 0, clips);
	addClip(library, 1, clips);
	assert_true(clips[0] == 1 && clips[1] == 2);
	rpCloseLibrary(library);
	testUseCountingAllocator();
	testFailEach(weaveAndOpen, path, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGrowth),  cmocka_unit_test(testSearch),  cmocka_unit_test(testDamage),
		cmocka_unit_test(testThreads), cmocka_unit_test(testRefused), cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
