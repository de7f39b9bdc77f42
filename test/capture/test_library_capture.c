/// All captured takes through a library: in, listed, out again the same, and in again without a change.
#include "library_scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static double getSeconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool noteFile(const char* path, rpClipId clip, bool isNew, const rpFindings* findings, const rpError* error,
					 void* context)
{
	(void)findings, (void)clip;
	int* counts = context;
	if (error != NULL)
	{
		print_message("%s: %s\n", path, error->message);
	}
	++counts[error != NULL ? 0 : isNew ? 1 : 2];
	return true;
}

static void addAll(const char* library, const char* const* paths, int count, const rpReadDef* read, int counts[3])
{
	rpError error = {0};
	rpAddDef def = rpDefaultAddDef();
	def.fileDone = noteFile;
	def.fileContext = counts;
	def.read = read;
	rpLibrary* opened = rpOpenLibrary(library, rp_openCreate, &error);
	assert_string_equal(error.message, "");
	double start = getSeconds();
	int added = rpLibrary_AddFiles(opened, paths, count, &def, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(added, count);
	rpCloseLibrary(opened);
	struct stat status;
	stat(library, &status);
	print_message("%d takes in %.1f s, %.1f MB\n", count, getSeconds() - start, 1e-6 * (double)status.st_size);
}

// One skeleton number per subject: the part of a take's name before '_'.
static void expectSubjects(const rpClipInfo* infos, int count)
{
	for (int i = 1; i < count; ++i)
	{
		size_t size = strcspn(infos[i].source, "_");
		bool sameSubject = strncmp(infos[i].source, infos[i - 1].source, size + 1) == 0;
		assert_true(!sameSubject || infos[i].skeletonId == infos[i - 1].skeletonId);
	}
}

static void testAllTakes(void** state)
{
	(void)state;
	const char* const* paths;
	const char* path = testPath("all.reprise");
	int count = testListCapture(&paths);
	int counts[3] = {0};
	rpError error = {0};
	// What each take is alone: sessions are for test_floor_capture.c.
	rpReadDef read = rpDefaultReadDef();
	read.keepFloor = true;
	addAll(path, paths, count, &read, counts);
	assert_int_equal(counts[1], count);

	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	rpClipInfo* infos;
	assert_int_equal(rpLibrary_ListClips(library, &infos, &error), count);
	expectSubjects(infos, count);
	for (int i = 0; i < count; i += 7)
	{
		rpMotion* loaded = rpLibrary_LoadClip(library, infos[i].id, &error);
		rpMotion* expected = rpLoadMotion(paths[i], &read, NULL, &error);
		assert_non_null(loaded);
		assert_true(testSameMotion(loaded, expected, true));
		rpDestroyMotion(loaded);
		rpDestroyMotion(expected);
	}
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);

	char before[80], after[80];
	testStampFile(path, before);
	memset(counts, 0, sizeof(counts));
	addAll(path, paths, count, &read, counts);
	assert_int_equal(counts[2], count);
	testStampFile(path, after);
	assert_string_equal(before, after);

	rpFindings findings = {0};
	double start = getSeconds();
	assert_true(rpCheckLibrary(path, &findings, &error));
	assert_int_equal(findings.count, 0);
	print_message("checked in %.1f s\n", getSeconds() - start);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAllTakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
