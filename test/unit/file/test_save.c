/// Saving: the format by the ending, file and sidecar whole or not at all, and what was saved is what is loaded.
#include "support.h"

#include "file/sidecar.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rpMotion* perform(void)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.seconds = 0.5;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static bool exists(const char* path)
{
	return access(path, F_OK) == 0;
}

static int countEntries(const char* folder)
{
	int count = 0;
	DIR* directory = opendir(folder);
	assert_non_null(directory);
	while (readdir(directory) != NULL)
	{
		++count;
	}
	closedir(directory);
	return count;
}

static void testDefaults(void** state)
{
	(void)state;
	rpReadDef read = rpDefaultReadDef();
	assert_true(read.repair && read.format == rp_formatAuto && read.fps == 0.0 && read.scale == 0.0);
	rpSaveDef save = rpDefaultSaveDef();
	assert_true(save.mesh && save.sidecar && save.unitsPerMetre == 1.0 && save.format == rp_formatAuto);
}

static void testEndings(void** state)
{
	(void)state;
	assert_int_equal(rpFormat_FromPath("a/b.bvh"), rp_formatBvh);
	assert_int_equal(rpFormat_FromPath("a.BVH"), rp_formatBvh);
	assert_int_equal(rpFormat_FromPath("a.b.amc"), rp_formatAmc);
	assert_int_equal(rpFormat_FromPath("a.glb"), rp_formatGlb);
	assert_int_equal(rpFormat_FromPath("a.csv"), rp_formatCsv);
	assert_int_equal(rpFormat_FromPath("a.txt"), rp_formatAuto);
	assert_int_equal(rpFormat_FromPath("folder.bvh/file"), rp_formatAuto);
	assert_int_equal(rpFormat_FromPath(""), rp_formatAuto);
}

// Saved and loaded, a motion is the same, with all that is known about it.
static void testBvhRoundTrip(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", 0.25, NULL));
	const char* path = testPath("round.bvh");
	rpError error = {0};
	for (double units = 1.0; units <= 100.0; units *= 100.0)
	{
		rpSaveDef def = rpDefaultSaveDef();
		def.unitsPerMetre = units;
		def.parameters = "{\"act\": \"walk\"}";
		if (!rpSaveMotion(motion, path, &def, &error))
		{
			fail_msg("%s", error.message);
		}
		assert_true(exists(testPath("round.json")));
		rpFindings findings = {0};
		rpMotion* loaded = rpLoadMotion(path, NULL, &findings, &error);
		if (loaded == NULL)
		{
			fail_msg("%s:%d: %s", error.file, error.line, error.message);
		}
		assert_true(rpMotion_Agrees(motion, loaded, 1e-5f));
		assert_true(loaded->fps == motion->fps);
		assert_int_equal(findings.count, 0);
		assert_int_equal(loaded->annotations.eventCount, motion->annotations.eventCount);
		for (int role = 0; role < rp_roleCount; ++role)
		{
			assert_int_equal(loaded->skeleton->roles[role], motion->skeleton->roles[role]);
		}
		rpInterval old[64], new[64];
		int oldCount = rpMotion_GetIntervals(motion, rp_trackContact, old, 64);
		assert_true(oldCount > 0 && rpMotion_GetIntervals(loaded, rp_trackContact, new, 64) == oldCount);
		for (int i = 0; i < oldCount; ++i)
		{
			assert_true(old[i].start == new[i].start&& old[i].end == new[i].end&& old[i].effector == new[i].effector);
		}
		rpFindings_Free(&findings);
		rpDestroyMotion(loaded);
	}
	rpDestroyMotion(motion);
}

// The same motion in every format, side by side: each keeps a sidecar of its own.
static void testEveryFormat(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	static const char* const names[][2] = {
		{"all.bvh", "all.json"}, {"all.glb", "all.glb.json"}, {"all.csv", "all.csv.json"}};
	for (size_t i = 0; i < 3; ++i)
	{
		assert_true(rpSaveMotion(motion, testPath(names[i][0]), NULL, NULL));
	}
	for (size_t i = 0; i < 3; ++i)
	{
		json_t* root = json_load_file(testPath(names[i][1]), 0, NULL);
		assert_non_null(root);
		assert_string_equal(json_string_value(json_object_get(root, "file")), names[i][0]);
		json_decref(root);

		// In memory the same bytes.
		rpSaveDef def = rpDefaultSaveDef();
		def.format = rpFormat_FromPath(names[i][0]);
		void* bytes;
		size_t size, fileSize;
		assert_true(rpWriteMotion(motion, &def, &bytes, &size, NULL));
		char* file = testReadFile(testPath(names[i][0]), &fileSize);
		assert_int_equal(size, fileSize);
		assert_memory_equal(bytes, file, size);
		rpFreeBytes(bytes);
		free(file);
	}
	rpSaveDef def = rpDefaultSaveDef();
	def.sidecar = false;
	assert_true(rpSaveMotion(motion, testPath("alone.bvh"), &def, NULL));
	assert_false(exists(testPath("alone.json")));
	rpDestroyMotion(motion);
}

static void testSeveral(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	const rpMotion* motions[] = {motion, motion};
	rpError error = {0};
	assert_true(rpSaveMotions(motions, 2, testPath("two.glb"), NULL, &error));
	assert_true(exists(testPath("two.glb.json")));
	assert_false(rpSaveMotions(motions, 2, testPath("two.bvh"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(exists(testPath("two.bvh")));
	assert_false(rpSaveMotions(motions, 0, testPath("none.glb"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyMotion(motion);
}

static void testRefusals(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	int before = countEntries(testFolder());
	static const char* const endings[] = {"out.txt", "out", "out.amc", "out.json", "no-folder/out.bvh"};
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); ++i)
	{
		rpError error = {0};
		assert_false(rpSaveMotion(motion, testPath(endings[i]), NULL, &error));
		assert_int_equal(error.code, i == 4 ? rp_errorFile : rp_errorArgument);
		assert_non_null(strstr(error.file, endings[i]));
		assert_true(i == 4 || strstr(error.hint, ".bvh, .glb or .csv") != NULL);
	}
	rpSaveDef def = rpDefaultSaveDef();
	def.unitsPerMetre = 0.0;
	rpError error = {0};
	assert_false(rpSaveMotion(motion, testPath("out.bvh"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	def = rpDefaultSaveDef();
	def.parameters = "no JSON";
	assert_false(rpSaveMotion(motion, testPath("out.bvh"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_int_equal(countEntries(testFolder()), before);
	rpDestroyMotion(motion);
}

// A JSON file of somebody else's is never overwritten, and then nothing is written at all.
static void testForeignJson(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	const char* foreign = testWriteFile("foreign.json", "{\"mine\": 1}", 11);
	rpError error = {0};
	assert_false(rpSaveMotion(motion, testPath("foreign.bvh"), NULL, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_string_equal(error.file, foreign);
	assert_false(exists(testPath("foreign.bvh")));
	char* text = testReadFile(foreign, NULL);
	assert_string_equal(text, "{\"mine\": 1}");
	free(text);
	rpDestroyMotion(motion);
}

static void testPipe(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatCsv;
	assert_true(rpSaveMotion(motion, "/dev/null", &def, NULL));
	assert_false(exists("/dev/null.csv.json"));
	assert_false(exists("/dev/null.json"));
	rpDestroyMotion(motion);
}

// Whatever allocation fails, the path holds the old file or the whole new one, and nothing lies beside it.
static void testOutOfMemory(void** state)
{
	(void)state;
	rpMotion* motion = perform();
	static const char* const names[] = {"memory.bvh", "memory.glb", "memory.csv"};
	for (size_t i = 0; i < 3; ++i)
	{
		const char* path = testWriteFile(names[i], "old", 3);
		int live = testCountLiveBlocks(), entries = countEntries(testFolder());
		bool done = false;
		int attempts = 0;
		for (; !done; ++attempts)
		{
			rpError error = {0};
			testFailAllocation(attempts);
			done = rpSaveMotion(motion, path, NULL, &error);
			testFailAllocation(-1);
			assert_int_equal(testCountLiveBlocks(), live);
			assert_int_equal(countEntries(testFolder()), entries + done);
			if (!done)
			{
				assert_int_equal(error.code, rp_errorMemory);
				char* text = testReadFile(path, NULL);
				assert_string_equal(text, "old");
				free(text);
			}
		}
		assert_true(attempts > 3);
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDefaults),    cmocka_unit_test(testEndings), cmocka_unit_test(testBvhRoundTrip),
		cmocka_unit_test(testEveryFormat), cmocka_unit_test(testSeveral), cmocka_unit_test(testRefusals),
		cmocka_unit_test(testForeignJson), cmocka_unit_test(testPipe),    cmocka_unit_test(testOutOfMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
