/// Adding files: in order, each for good once it was reported, whatever becomes of the others.
#include "library_scene.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define KILLS 15
#else
#define KILLS 40
#endif

#define FILES 40

static char* s_paths[FILES];
static rpSkeleton* s_body;

static void writeFiles(void)
{
	for (int i = 0; i < FILES; ++i)
	{
		char name[32];
		rpError error = {0};
		snprintf(name, sizeof(name), "take_%02d.bvh", i);
		rpMotion* motion = testMakeMotion(s_body, name, 60.0, 30 + i, (uint64_t)i);
		s_paths[i] = strdup(testPath(name));
		assert_true(rpSaveMotion(motion, s_paths[i], NULL, &error));
		rpDestroyMotion(motion);
	}
}

/// What the callbacks saw.
typedef struct Log
{
	int pipe;
	int files, failed, old;
	int stopAfter;
	double lastFraction;
	int progressCalls;
	char lastPath[600];
	bool ordered;
} Log;

static bool noteFile(const char* path, rpClipId clip, bool isNew, const rpFindings* findings, const rpError* error,
					 void* context)
{
	Log* log = context;
	log->ordered = log->ordered && strcmp(log->lastPath, path) <= 0;
	snprintf(log->lastPath, sizeof(log->lastPath), "%s", path);
	++log->files;
	log->failed += error != NULL;
	log->old += error == NULL && !isNew;
	if ((clip == 0) != (error != NULL) || findings == NULL || (error != NULL && error->file[0] == 0))
	{
		log->ordered = false;
	}
	if (log->pipe >= 0 && write(log->pipe, &clip, sizeof(clip)) != sizeof(clip))
	{
		_exit(1);
	}
	return log->stopAfter == 0 || log->files < log->stopAfter;
}

static bool noteProgress(double fraction, const char* what, void* context)
{
	Log* log = context;
	++log->progressCalls;
	log->ordered = log->ordered && fraction >= log->lastFraction && fraction <= 1.0 && what != NULL;
	log->lastFraction = fraction;
	return true;
}

static bool cancelInTheMiddle(double fraction, const char* what, void* context)
{
	(void)what, (void)context;
	return fraction < 0.5;
}

static rpAddDef makeDef(Log* log)
{
	*log = (Log){.pipe = -1, .ordered = true};
	rpAddDef def = rpDefaultAddDef();
	def.fileDone = noteFile;
	def.fileContext = log;
	def.progress = noteProgress;
	def.progressContext = log;
	return def;
}

static int countClips(const char* path)
{
	rpClipInfo* infos;
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	assert_string_equal(error.message, "");
	int count = rpLibrary_ListClips(library, &infos, &error);
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);
	rpFindings findings = {0};
	assert_true(rpCheckLibrary(path, &findings, &error));
	assert_string_equal(findings.count > 0 ? findings.items[0].message : "", "");
	rpFindings_Free(&findings);
	return count;
}

// Must be the first test: a child of a program that had threads cannot start threads of its own.
static void testKillsOfAnImport(void** state)
{
	(void)state;
	const char* path = testPath("killed.reprise");
	rpRandom random = rpSeedRandom(40);
	int reported = 0;
	for (int i = 0; i < KILLS; ++i)
	{
		int pipes[2];
		char journal[600];
		snprintf(journal, sizeof(journal), "%s-journal", path);
		unlink(path);
		unlink(journal);
		assert_int_equal(pipe(pipes), 0);
		pid_t child = fork();
		if (child == 0)
		{
			Log log;
			rpAddDef def = makeDef(&log);
			log.pipe = pipes[1];
			rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
			bool done =
				library != NULL && rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, NULL) == FILES;
			rpCloseLibrary(library);
			_exit(done ? 0 : 1);
		}
		close(pipes[1]);
		// After some reports, and a little later.
		int status, count = 0, wanted = rpRandom_Index(&random, FILES);
		rpClipId clip;
		while (count < wanted && read(pipes[0], &clip, sizeof(clip)) == sizeof(clip))
		{
			assert_int_equal(clip, ++count);
		}
		struct timespec time = {0, 1000 * rpRandom_Index(&random, 2000)};
		nanosleep(&time, NULL);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
		while (read(pipes[0], &clip, sizeof(clip)) == sizeof(clip))
		{
			assert_int_equal(clip, ++count);
		}
		close(pipes[0]);
		reported += count;
		if (count > 0)
		{
			int found = countClips(path);
			assert_true(found == count || found == count + 1);
		}
	}
	print_message("%d kills of an import, %d files reported, none lost\n", KILLS, reported);
	assert_true(reported > KILLS);
}

static void testImport(void** state)
{
	(void)state;
	const char* path = testPath("import.reprise");
	rpError error = {0};
	Log log;
	rpAddDef def = makeDef(&log);
	const char* labels[] = {"test"};
	def.labels = labels;
	def.labelCount = 1;
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), FILES);
	assert_string_equal(error.message, "");
	assert_true(log.ordered);
	assert_int_equal(log.files, FILES);
	assert_int_equal(log.failed + log.old, 0);
	assert_true(log.progressCalls >= FILES && log.lastFraction == 1.0);
	rpClipInfo* infos;
	assert_int_equal(rpLibrary_ListClips(library, &infos, &error), FILES);
	for (int i = 0; i < FILES; ++i)
	{
		char source[32];
		snprintf(source, sizeof(source), "take_%02d.bvh", i);
		assert_string_equal(infos[i].source, source);
		assert_string_equal(infos[i].labels, "test");
		assert_int_equal(infos[i].skeletonId, infos[0].skeletonId);
		rpMotion* loaded = rpLibrary_LoadClip(library, infos[i].id, &error);
		rpMotion* expected = rpLoadMotion(s_paths[i], NULL, NULL, &error);
		rpAnnotations_Clear(&loaded->annotations, rp_trackLabel, "test");
		assert_true(testSameMotion(loaded, expected, true));
		rpDestroyMotion(loaded);
		rpDestroyMotion(expected);
	}
	rpFreeClipInfos(infos, FILES);
	rpCloseLibrary(library);

	// The same files make the same bytes.
	const char* twin = testPath("twin.reprise");
	library = rpOpenLibrary(twin, rp_openCreate, &error);
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), FILES);
	rpCloseLibrary(library);
	size_t size, twinSize;
	char* bytes = testReadFile(path, &size);
	char* twinBytes = testReadFile(twin, &twinSize);
	assert_int_equal(size, twinSize);
	assert_memory_equal(bytes, twinBytes, size);
	free(bytes);
	free(twinBytes);

	// Again: all are found, nothing changes.
	char before[80], after[80];
	testStampFile(path, before);
	def = makeDef(&log);
	library = rpOpenLibrary(path, rp_openWrite, &error);
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), FILES);
	assert_int_equal(log.old, FILES);
	rpCloseLibrary(library);
	testStampFile(path, after);
	assert_string_equal(before, after);
}

static void testBadFilesAmongGoodOnes(void** state)
{
	(void)state;
	const char* path = testPath("mixed.reprise");
	rpError error = {0};
	Log log;
	rpAddDef def = makeDef(&log);
	const char* broken = testWriteFile("take_01x.bvh", "HIERARCHY\nROOT a\n{\n", 19);
	const char* paths[] = {s_paths[0], s_paths[1], broken, testPath("take_01y.bvh"), s_paths[2]};
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_int_equal(rpLibrary_AddFiles(library, paths, 5, &def, &error), 3);
	assert_string_equal(error.message, "");
	assert_true(log.ordered);
	assert_int_equal(log.files, 5);
	assert_int_equal(log.failed, 2);
	assert_int_equal(rpLibrary_AddFiles(library, paths, 0, &def, &error), 0);
	assert_int_equal(rpLibrary_AddFiles(library, paths, 1, NULL, &error), 1);
	rpCloseLibrary(library);
	assert_int_equal(countClips(path), 3);
}

static void testStoppingAndCancelling(void** state)
{
	(void)state;
	const char* path = testPath("stop.reprise");
	rpError error = {0};
	Log log;
	rpAddDef def = makeDef(&log);
	log.stopAfter = 21;
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), 21);
	assert_int_equal(log.files, 21);

	def = makeDef(&log);
	def.progress = cancelInTheMiddle;
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), -1);
	assert_int_equal(error.code, rp_errorCancelled);
	assert_int_equal(log.files, FILES / 2);

	const char* labels[] = {""};
	def = makeDef(&log);
	def.labels = labels;
	def.labelCount = 1;
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), -1);
	assert_int_equal(error.code, rp_errorArgument);
	rpCloseLibrary(library);
	assert_int_equal(countClips(path), 21);

	// The library itself fails: it is open for reading only.
	library = rpOpenLibrary(path, rp_openRead, &error);
	assert_int_equal(rpLibrary_AddFiles(library, (const char* const*)s_paths, FILES, &def, &error), -1);
	rpCloseLibrary(library);
}

static int setUp(void** state)
{
	(void)state;
	s_body = testMakePuppet(false);
	writeFiles();
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpReleaseSkeleton(s_body);
	for (int i = 0; i < FILES; ++i)
	{
		free(s_paths[i]);
	}
	return 0;
}

int main(void)
{
	// Where there is memory for files: a kill does not depend on the disk, and a busy disk makes thousands of syncs
	// slow.
	if (access("/dev/shm", W_OK) == 0)
	{
		setenv("TMPDIR", "/dev/shm", 0);
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testKillsOfAnImport),
		cmocka_unit_test(testImport),
		cmocka_unit_test(testBadFilesAmongGoodOnes),
		cmocka_unit_test(testStoppingAndCancelling),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
