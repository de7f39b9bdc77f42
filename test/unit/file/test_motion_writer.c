/// Motions written frame by frame: the bytes of those saved as a whole, the old file until they are finished, and
/// errors that come before the work where they can.
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
	/// More than waits in memory, in every format that has something wait.
	longCount = 13000,
	shortCount = 40,
};

static const char* const s_names[] = {"stream.bvh", "stream.glb", "stream.csv"};
static const char* const s_sidecars[] = {"stream.json", "stream.glb.json", "stream.csv.json"};

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

static void annotate(rpMotion* motion)
{
	assert_true(rpMotion_SetName(motion, "a \"name\"", NULL));
	assert_true(rpMotion_AddInput(motion, "walk.bvh", "0123456789abcdef0123456789abcdef", NULL));
	rpInterval label = {.track = rp_trackLabel, .name = "walk", .end = 0.2};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", 0.1, NULL));
}

// A second of walking, over and over.
static rpMotion* perform(int frameCount)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.seconds = 1.0;
	rpMotion* step = rpPerform(&def, NULL);
	assert_non_null(step);
	rpMotion* motion = rpCreateMotion(step->skeleton, "walk", 60.0, frameCount, NULL);
	size_t jointCount = (size_t)step->skeleton->jointCount;
	for (int i = 0; i < frameCount; ++i)
	{
		int from = i % step->frameCount;
		motion->rootPositions[i] = step->rootPositions[from];
		memcpy(motion->rotations + (size_t)i * jointCount, rpMotion_GetRotations(step, from),
			   jointCount * sizeof(rpQuat));
	}
	rpDestroyMotion(step);
	annotate(motion);
	return motion;
}

// Frame by frame, as a bare motion; its frame count is announced or not.
static bool stream(const rpMotion* motion, const char* path, bool isKnown, const rpSaveDef* def, rpError* error)
{
	rpMotion* bare =
		rpCreateBareMotion(motion->skeleton, "none yet", motion->fps, isKnown ? motion->frameCount : 0, error);
	rpMotionWriter* writer = bare != NULL ? rpOpenMotionWriter(bare, path, def, error) : NULL;
	bool done = writer != NULL;
	for (int i = 0; i < motion->frameCount && done; ++i)
	{
		rpPose pose = rpMotion_GetPose(motion, i);
		pose.translations = NULL;
		done = rpMotionWriter_Add(writer, &pose, error);
	}
	if (done)
	{
		bare->frameCount = motion->frameCount;
		done = rpMotion_SetName(bare, motion->name, error) &&
			   rpMotion_AddInput(bare, motion->inputs[0].name, motion->inputs[0].hash, error) &&
			   rpAnnotations_Append(&bare->annotations, &motion->annotations, 0.0, error) &&
			   rpMotionWriter_Finish(writer, error);
	}
	rpDestroyMotionWriter(writer);
	rpDestroyMotion(bare);
	return done;
}

static void assertSame(const char* path, const char* bytes, size_t size)
{
	size_t otherSize;
	char* other = testReadFile(path, &otherSize);
	assert_int_equal(otherSize, size);
	assert_memory_equal(other, bytes, size);
	free(other);
}

static void testSameBytes(void** state)
{
	(void)state;
	static const int counts[] = {1, shortCount, 2048, longCount};
	for (int k = 0; k < 4; ++k)
	{
		rpMotion* motion = perform(counts[k]);
		for (int i = 0; i < 3; ++i)
		{
			size_t size, sidecarSize;
			assert_true(rpSaveMotion(motion, testPath(s_names[i]), NULL, NULL));
			char* whole = testReadFile(testPath(s_names[i]), &size);
			char* sidecar = testReadFile(testPath(s_sidecars[i]), &sidecarSize);
			for (int known = 0; known < 2; ++known)
			{
				int entries = countEntries(testFolder());
				rpError error = {0};
				if (!stream(motion, testPath(s_names[i]), known != 0, NULL, &error))
				{
					fail_msg("%s: %s", s_names[i], error.message);
				}
				assertSame(testPath(s_names[i]), whole, size);
				assertSame(testPath(s_sidecars[i]), sidecar, sidecarSize);
				assert_int_equal(countEntries(testFolder()), entries);
			}
			free(whole);
			free(sidecar);
		}
		rpDestroyMotion(motion);
	}
}

// As much memory for a motion as for one of half its length, in all formats.
static void testMemory(void** state)
{
	(void)state;
	rpMotion *shorter = perform(longCount), *longer = perform(2 * longCount);
	for (int i = 0; i < 6; ++i)
	{
		size_t peaks[2];
		for (int k = 0; k < 2; ++k)
		{
			testStartPeak();
			assert_true(stream(k == 0 ? shorter : longer, testPath(s_names[i % 3]), i < 3, NULL, NULL));
			peaks[k] = testGetPeak();
		}
		print_message("%s%s: %zu KB\n", s_names[i % 3], i < 3 ? "" : ", of unknown length", peaks[1] / 1024);
		assert_true(peaks[1] < peaks[0] + 4096 && peaks[1] < ((size_t)16 << 20));
	}
	rpDestroyMotion(shorter);
	rpDestroyMotion(longer);
}

// A writer that is given up, or gets other frames than were announced, leaves what there was.
static void testUnfinished(void** state)
{
	(void)state;
	rpMotion* motion = perform(shortCount);
	for (int i = 0; i < 3; ++i)
	{
		const char* path = testWriteFile(s_names[i], "old", 3);
		int entries = countEntries(testFolder());
		rpPose pose = rpMotion_GetPose(motion, 0);
		for (int added = shortCount - 1; added <= shortCount + 1; ++added)
		{
			rpMotionWriter* writer = rpOpenMotionWriter(motion, path, NULL, NULL);
			assert_non_null(writer);
			rpError error = {0};
			for (int k = 0; k < added && k < shortCount; ++k)
			{
				assert_true(rpMotionWriter_Add(writer, &pose, &error));
			}
			assert_true(added <= shortCount || !rpMotionWriter_Add(writer, &pose, &error));
			assert_true(added >= shortCount || !rpMotionWriter_Finish(writer, &error));
			assert_int_equal(error.code, added == shortCount ? rp_errorNone : rp_errorArgument);
			assertSame(path, "old", 3);
			rpDestroyMotionWriter(writer);
			assertSame(path, "old", 3);
			assert_int_equal(countEntries(testFolder()), entries);
		}
	}
	rpDestroyMotionWriter(NULL);
	rpDestroyMotion(motion);
}

// As near as a test comes to a full disk: a limit on file sizes, and a device that is always full.
static void testFullDisk(void** state)
{
	(void)state;
	rpMotion* motion = perform(longCount);
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 6; ++i)
	{
		const char* path = testWriteFile(s_names[i % 3], "precious", 8);
		int entries = countEntries(testFolder());
		struct rlimit old, small;
		assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
		small = (struct rlimit){1 << 20, old.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		rpError error = {0};
		bool done = stream(motion, path, i < 3, NULL, &error);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_false(done);
		assert_int_equal(error.code, rp_errorFile);
		assert_string_equal(error.file, path);
		assert_non_null(strstr(error.message, strerror(EFBIG)));
		assertSame(path, "precious", 8);
		assert_int_equal(countEntries(testFolder()), entries);

		rpSaveDef def = rpDefaultSaveDef();
		def.format = rpFormat_FromPath(path);
		memset(&error, 0, sizeof(error));
		assert_false(stream(motion, "/dev/full", i < 3, &def, &error));
		assert_int_equal(error.code, rp_errorFile);
		assert_non_null(strstr(error.message, strerror(ENOSPC)));
	}
	rpDestroyMotion(motion);
}

// A pipe gets the same bytes, without a sidecar, whatever had to wait.
static void testPipe(void** state)
{
	(void)state;
	rpMotion* motion = perform(shortCount);
	const char* path = testPath("pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	int pipe = open(path, O_RDWR | O_NONBLOCK);
	assert_true(pipe >= 0);
	fcntl(pipe, F_SETPIPE_SZ, 1 << 20);
	for (int i = 0; i < 6; ++i)
	{
		rpSaveDef def = rpDefaultSaveDef();
		def.format = rpFormat_FromPath(s_names[i % 3]);
		void* bytes;
		size_t size;
		assert_true(rpWriteMotion(motion, &def, &bytes, &size, NULL));
		assert_true(stream(motion, path, i < 3, &def, NULL));
		char* got = malloc(size + 1);
		assert_int_equal(read(pipe, got, size + 1), size);
		assert_memory_equal(got, bytes, size);
		free(got);
		rpFreeBytes(bytes);
	}
	assert_int_equal(access(testPath("pipe.json"), F_OK), -1);
	close(pipe);
	rpDestroyMotion(motion);
}

// What cannot be written is refused before the first frame.
static void testRefusals(void** state)
{
	(void)state;
	rpMotion* motion = perform(1);
	int entries = countEntries(testFolder());
	rpError error = {0};
	// Ten hours at 1,000 frames per second: 12 GB, which no GLB holds.
	rpMotion* bare = rpCreateBareMotion(motion->skeleton, "long", 1000.0, 36000000, &error);
	assert_non_null(bare);
	assert_null(rpOpenMotionWriter(bare, testPath("large.glb"), NULL, &error));
	assert_int_equal(error.code, rp_errorLimit);
	assert_non_null(strstr(error.message, "4 GiB"));
	assert_non_null(strstr(error.hint, ".bvh"));
	rpMotionWriter* writer = rpOpenMotionWriter(bare, testPath("large.bvh"), NULL, &error);
	assert_non_null(writer);
	rpDestroyMotionWriter(writer);
	rpDestroyMotion(bare);
	assert_null(rpOpenMotionWriter(motion, testPath("no.txt"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_null(rpOpenMotionWriter(motion, testPath("no-folder/no.bvh"), NULL, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_int_equal(countEntries(testFolder()), entries);
	testWriteFile("mine.json", "{\"mine\": 1}", 11);
	assert_null(rpOpenMotionWriter(motion, testPath("mine.bvh"), NULL, &error));
	assert_int_equal(error.code, rp_errorFile);
	rpSaveDef def = rpDefaultSaveDef();
	def.parameters = "no JSON";
	assert_null(rpOpenMotionWriter(motion, testPath("parameters.bvh"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyMotion(motion);
}

static void testOutOfMemory(void** state)
{
	(void)state;
	rpMotion* motion = perform(longCount);
	for (int i = 0; i < 6; ++i)
	{
		const char* path = testWriteFile(s_names[i % 3], "old", 3);
		unlink(testPath(s_sidecars[i % 3]));
		int live = testCountLiveBlocks(), entries = countEntries(testFolder()), attempts = 0;
		for (bool done = false; !done; ++attempts)
		{
			rpError error = {0};
			testFailAllocation(attempts);
			done = stream(motion, path, i < 3, NULL, &error);
			testFailAllocation(-1);
			assert_int_equal(testCountLiveBlocks(), live);
			assert_int_equal(countEntries(testFolder()), entries + done);
			if (!done)
			{
				assert_int_equal(error.code, rp_errorMemory);
				assertSame(path, "old", 3);
			}
		}
		assert_true(attempts > 10);
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSameBytes),   cmocka_unit_test(testMemory), cmocka_unit_test(testUnfinished),
		cmocka_unit_test(testFullDisk),    cmocka_unit_test(testPipe),   cmocka_unit_test(testRefusals),
		cmocka_unit_test(testOutOfMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
