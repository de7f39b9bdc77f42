/// Memory and disk that fail at every moment in turn: an error, no leak, and the library is as whole as before.
#include "library_scene.h"

#include "library/store.h"

#include <jansson.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Slow builds look at every so manieth allocation only.
#ifdef __SANITIZE_ADDRESS__
#define STRIDE 7
#else
#define STRIDE 1
#endif

static rpSkeleton* s_body;
static char* s_good;
static size_t s_goodSize;

// Allocations of SQLite and of the JSON reader, counted and failing like the library's own.
static int s_failAt = -1, s_allocations, s_live;
static bool s_failAll;

static bool failsNow(void)
{
	int number = s_allocations++;
	return s_failAt >= 0 && (s_failAll ? number >= s_failAt : number == s_failAt);
}

static void* takeMemory(int size)
{
	void* memory = failsNow() ? NULL : malloc((size_t)size);
	s_live += memory != NULL;
	return memory;
}

static void* takeJsonMemory(size_t size)
{
	return takeMemory((int)size);
}

static void giveMemory(void* memory)
{
	s_live -= memory != NULL;
	free(memory);
}

static void* changeMemory(void* memory, int size)
{
	return failsNow() ? NULL : realloc(memory, (size_t)size);
}

static int getMemorySize(void* memory)
{
	return (int)malloc_usable_size(memory);
}

static int roundUp(int size)
{
	return (size + 7) & ~7;
}

static int startMemory(void* context)
{
	(void)context;
	return SQLITE_OK;
}

static void endMemory(void* context)
{
	(void)context;
}

static void failOther(int number, bool all)
{
	s_failAt = number;
	s_failAll = all;
	s_allocations = 0;
}

static const char* copyGood(const char* name)
{
	char journal[64];
	snprintf(journal, sizeof(journal), "%s-journal", name);
	unlink(testPath(journal));
	return testWriteFile(name, s_good, s_goodSize);
}

// What may fail. True if all of it worked.
typedef bool Job(const char* path, rpError* error);

static rpMotion* s_added;

static bool addJob(const char* path, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, error);
	rpClipId clip = library != NULL ? rpLibrary_AddClip(library, s_added, NULL, NULL, error) : 0;
	rpCloseLibrary(library);
	return clip != 0;
}

static bool editJob(const char* path, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, error);
	bool done = library != NULL && rpLibrary_AddLabel(library, 1, "x", 0.0, -1.0, error) &&
				rpLibrary_RemoveLabel(library, 1, "x", 0.0, -1.0, error) &&
				rpLibrary_RenameClip(library, 2, "y", error) && rpLibrary_RenameClip(library, 2, "clip-1", error);
	rpCloseLibrary(library);
	return done;
}

static bool loadJob(const char* path, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, error);
	rpClipInfo* infos = NULL;
	int count = library != NULL ? rpLibrary_ListClips(library, &infos, error) : -1;
	bool done = count == 2;
	for (int i = 0; done && i < count; ++i)
	{
		rpClipId clip = rpLibrary_FindClip(library, infos[i].name, error);
		rpMotion* motion = clip != 0 ? rpLibrary_LoadClip(library, clip, error) : NULL;
		done = motion != NULL;
		rpDestroyMotion(motion);
	}
	rpFreeClipInfos(infos, count > 0 ? count : 0);
	rpCloseLibrary(library);
	return done;
}

static bool missJob(const char* path, rpError* error)
{
	rpError inner = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, error);
	bool found = library != NULL && rpLibrary_FindClip(library, "clip-7", &inner) != 0;
	bool done = library != NULL && !found && inner.code == rp_errorMissing && inner.hint[0] != 0;
	if (library != NULL && !done)
	{
		*error = inner;
	}
	rpCloseLibrary(library);
	return done;
}

static bool checkJob(const char* path, rpError* error)
{
	// A finding that finds no memory is dropped, so the list is not looked at.
	rpFindings findings = {0};
	bool done = rpCheckLibrary(path, &findings, error);
	rpFindings_Free(&findings);
	return done;
}

static const struct
{
	const char* name;
	Job* job;
	int clipsAfter;
	/// Every so manieth allocation of SQLite.
	int stride;
	bool writes;
} s_jobs[] = {
	{"add", addJob, 3, STRIDE, true},          {"edit", editJob, 2, 5 * STRIDE, true},
	{"load", loadJob, 2, STRIDE, false},       {"miss", missJob, 2, 5 * STRIDE, false},
	{"check", checkJob, 2, 5 * STRIDE, false},
};

#define JOB_COUNT ((int)(sizeof(s_jobs) / sizeof(s_jobs[0])))

// An editing job that stops in the middle leaves what it had finished: undo it.
static void tidy(const char* path)
{
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
	assert_non_null(library);
	(void)!rpLibrary_RemoveLabel(library, 1, "x", 0.0, -1.0, NULL);
	(void)!rpLibrary_RenameClip(library, 2, "clip-1", NULL);
	rpCloseLibrary(library);
}

static void expectWhole(const char* path, int job, bool worked)
{
	if (s_jobs[job].job == editJob)
	{
		tidy(path);
	}
	if (s_jobs[job].writes)
	{
		testExpectLibrary(path, worked ? s_jobs[job].clipsAfter : 2);
		return;
	}
	size_t size;
	char* bytes = testReadFile(path, &size);
	assert_true(size == s_goodSize && memcmp(bytes, s_good, size) == 0);
	free(bytes);
}

static void expectMemoryError(const char* name, int number, const rpError* error)
{
	// The JSON reader sometimes takes a lack of memory for a mistake in the text.
	bool json = error->code == rp_errorFormat && strstr(error->message, "annotations:") != NULL;
	if (error->code != rp_errorMemory && !json)
	{
		fail_msg("%s, allocation %d: code %d \"%s\"", name, number, error->code, error->message);
	}
}

static void testOwnMemory(void** state)
{
	(void)state;
	for (int job = 0; job < JOB_COUNT; ++job)
	{
		bool worked = false;
		for (int n = 0; !worked; n += STRIDE)
		{
			const char* path = copyGood("own.reprise");
			rpError error = {0};
			int before = testCountLiveBlocks();
			testFailAllocation(n);
			worked = s_jobs[job].job(path, &error);
			testFailAllocation(-1);
			assert_int_equal(testCountLiveBlocks(), before);
			if (!worked)
			{
				expectMemoryError(s_jobs[job].name, n, &error);
			}
			expectWhole(path, job, worked);
		}
	}
}

// SQLite keeps a little for itself from its first use on.
static void sweepOther(bool all, int factor)
{
	for (int job = 0; job < JOB_COUNT; ++job)
	{
		bool worked = false;
		int reached = 0;
		for (int n = 0; !worked || reached > n; n += factor * s_jobs[job].stride)
		{
			const char* path = copyGood("other.reprise");
			rpError error = {0};
			int before = s_live, ownBefore = testCountLiveBlocks();
			failOther(n, all);
			worked = s_jobs[job].job(path, &error);
			reached = s_allocations;
			failOther(-1, false);
			assert_int_equal(testCountLiveBlocks(), ownBefore);
			assert_int_equal(s_live, before);
			if (!worked)
			{
				expectMemoryError(s_jobs[job].name, n, &error);
			}
			expectWhole(path, job, worked);
		}
	}
}

static void testOtherMemoryFromThenOn(void** state)
{
	(void)state;
	sweepOther(true, 1);
}

// SQLite can do without some of it.
static void testOtherMemoryOnce(void** state)
{
	(void)state;
	sweepOther(false, 3);
}

static void testCreateWithoutMemory(void** state)
{
	(void)state;
	rpLibrary* library = NULL;
	for (int n = 0; library == NULL; n += STRIDE)
	{
		const char* path = testPath("new.reprise");
		unlink(path);
		rpError error = {0};
		failOther(n, true);
		library = rpOpenLibrary(path, rp_openCreate, &error);
		failOther(-1, false);
		assert_true(library != NULL || error.code == rp_errorMemory);
		if (library == NULL && access(path, F_OK) == 0)
		{
			// It can be made once there is memory.
			rpLibrary* again = rpOpenLibrary(path, rp_openCreate, &error);
			assert_non_null(again);
			rpCloseLibrary(again);
			testExpectLibrary(path, 0);
		}
	}
	rpCloseLibrary(library);
}

// What became of the one file of an import, and whether it is in the library for good.
static bool s_isIn;

static bool noteFile(const char* path, rpClipId clip, bool isNew, const rpFindings* findings, const rpError* error,
					 void* context)
{
	(void)path, (void)isNew, (void)findings;
	s_isIn = clip != 0;
	if (error != NULL)
	{
		*(rpError*)context = *error;
	}
	return true;
}

static void testImportWithoutMemory(void** state)
{
	(void)state;
	// Longer than testPath() keeps it.
	char taken[600];
	snprintf(taken, sizeof(taken), "%s", testPath("take.bvh"));
	const char* file = taken;
	rpSaveDef save = rpDefaultSaveDef();
	save.sidecar = false;
	assert_true(rpSaveMotion(s_added, file, &save, NULL));
	int added = 0;
	for (int n = 0; added != 1; n += STRIDE)
	{
		const char* path = copyGood("import.reprise");
		rpError error = {0};
		rpAddDef def = rpDefaultAddDef();
		def.fileDone = noteFile;
		def.fileContext = &error;
		int before = testCountLiveBlocks();
		s_isIn = false;
		testFailAllocation(n);
		rpLibrary* library = rpOpenLibrary(path, rp_openWrite, &error);
		added = library != NULL ? rpLibrary_AddFiles(library, &file, 1, &def, &error) : -1;
		rpCloseLibrary(library);
		testFailAllocation(-1);
		assert_int_equal(testCountLiveBlocks(), before);
		if (added != 1)
		{
			expectMemoryError("import", n, &error);
		}
		rpFindings findings = {0};
		assert_true(rpCheckLibrary(path, &findings, &error));
		assert_int_equal(findings.count, 0);
		if (!s_isIn)
		{
			testExpectLibrary(path, 2);
		}
	}
}

/// A layer over SQLite's files in which the n-th write, sync, cut or deletion fails.
typedef struct FailingFile
{
	sqlite3_file base;
	sqlite3_file* real;
} FailingFile;

static sqlite3_vfs s_vfs;
static sqlite3_vfs* s_realVfs;
static sqlite3_io_methods s_methods;
static int s_ioFailAt = -1, s_ioCalls;
static bool s_ioFailAll;

static bool ioFailsNow(void)
{
	int number = s_ioCalls++;
	return s_ioFailAt >= 0 && (s_ioFailAll ? number >= s_ioFailAt : number == s_ioFailAt);
}

static sqlite3_file* getReal(sqlite3_file* file)
{
	return ((FailingFile*)file)->real;
}

static int failingClose(sqlite3_file* file)
{
	return getReal(file)->pMethods->xClose(getReal(file));
}

static int failingRead(sqlite3_file* file, void* bytes, int size, sqlite3_int64 place)
{
	return getReal(file)->pMethods->xRead(getReal(file), bytes, size, place);
}

// Half of it gets through.
static int failingWrite(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 place)
{
	sqlite3_file* real = getReal(file);
	if (!ioFailsNow())
	{
		return real->pMethods->xWrite(real, bytes, size, place);
	}
	if (!s_ioFailAll)
	{
		(void)!real->pMethods->xWrite(real, bytes, size / 2, place);
	}
	return SQLITE_FULL;
}

static int failingTruncate(sqlite3_file* file, sqlite3_int64 size)
{
	return ioFailsNow() ? SQLITE_IOERR_TRUNCATE : getReal(file)->pMethods->xTruncate(getReal(file), size);
}

// Nothing here outlives the machine, so nothing is really synced, which saves most of the time.
static int failingSync(sqlite3_file* file, int flags)
{
	(void)file, (void)flags;
	return ioFailsNow() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int failingFileSize(sqlite3_file* file, sqlite3_int64* size)
{
	return getReal(file)->pMethods->xFileSize(getReal(file), size);
}

static int failingLock(sqlite3_file* file, int level)
{
	return getReal(file)->pMethods->xLock(getReal(file), level);
}

static int failingUnlock(sqlite3_file* file, int level)
{
	return getReal(file)->pMethods->xUnlock(getReal(file), level);
}

static int failingCheckLock(sqlite3_file* file, int* out)
{
	return getReal(file)->pMethods->xCheckReservedLock(getReal(file), out);
}

static int failingControl(sqlite3_file* file, int what, void* out)
{
	return getReal(file)->pMethods->xFileControl(getReal(file), what, out);
}

static int failingSectorSize(sqlite3_file* file)
{
	return getReal(file)->pMethods->xSectorSize(getReal(file));
}

static int failingTraits(sqlite3_file* file)
{
	return getReal(file)->pMethods->xDeviceCharacteristics(getReal(file));
}

static int failingOpen(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
	(void)vfs;
	FailingFile* failing = (FailingFile*)file;
	failing->real = (sqlite3_file*)(failing + 1);
	int result = s_realVfs->xOpen(s_realVfs, name, failing->real, flags, outFlags);
	file->pMethods = failing->real->pMethods != NULL ? &s_methods : NULL;
	return result;
}

static int failingDelete(sqlite3_vfs* vfs, const char* name, int sync)
{
	(void)vfs, (void)sync;
	return ioFailsNow() ? SQLITE_IOERR_DELETE : s_realVfs->xDelete(s_realVfs, name, 0);
}

static void installFailingFiles(void)
{
	s_methods = (sqlite3_io_methods){
		.iVersion = 1,
		.xClose = failingClose,
		.xRead = failingRead,
		.xWrite = failingWrite,
		.xTruncate = failingTruncate,
		.xSync = failingSync,
		.xFileSize = failingFileSize,
		.xLock = failingLock,
		.xUnlock = failingUnlock,
		.xCheckReservedLock = failingCheckLock,
		.xFileControl = failingControl,
		.xSectorSize = failingSectorSize,
		.xDeviceCharacteristics = failingTraits,
	};
	s_realVfs = sqlite3_vfs_find(NULL);
	s_vfs = *s_realVfs;
	s_vfs.zName = "failing";
	s_vfs.szOsFile += (int)sizeof(FailingFile);
	s_vfs.xOpen = failingOpen;
	s_vfs.xDelete = failingDelete;
	assert_int_equal(sqlite3_vfs_register(&s_vfs, 1), SQLITE_OK);
}

static void sweepDisk(bool all)
{
	for (int job = 0; job < 2; ++job)
	{
		bool worked = false;
		int reached = 0, failures = 0;
		for (int n = 0; !worked || reached > n; ++n)
		{
			const char* path = copyGood("disk.reprise");
			rpError error = {0};
			s_ioFailAt = n;
			s_ioFailAll = all;
			s_ioCalls = 0;
			worked = s_jobs[job].job(path, &error);
			reached = s_ioCalls;
			s_ioFailAt = -1;
			failures += !worked;
			assert_true(worked || error.code == rp_errorFile);
			assert_true(worked || error.message[0] != 0);
			expectWhole(path, job, worked);
		}
		assert_true(failures > 5);
	}
}

static void testFullDisk(void** state)
{
	(void)state;
	sweepDisk(true);
}

static void testDiskThatFailsOnce(void** state)
{
	(void)state;
	sweepDisk(false);
}

// A limit that the system sets: the child adds until it fails.
static void testFileSizeLimit(void** state)
{
	(void)state;
	const char* path = copyGood("limit.reprise");
	int pipes[2];
	assert_int_equal(pipe(pipes), 0);
	pid_t child = fork();
	if (child == 0)
	{
		struct rlimit limit = {s_goodSize + 50000, s_goodSize + 50000};
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
		rpError error = {0};
		int count = 2;
		for (; count < 1000 && error.code == rp_errorNone; ++count)
		{
			rpMotion* motion = testMakeClip(s_body, count);
			count -= rpLibrary_AddClip(library, motion, NULL, NULL, &error) == 0;
			rpDestroyMotion(motion);
		}
		// The library goes on for those who read.
		bool lives = rpLibrary_FindClip(library, "clip-1", NULL) == 2;
		rpCloseLibrary(library);
		(void)!write(pipes[1], &count, sizeof(count));
		_exit(lives && error.code == rp_errorFile ? 0 : 1);
	}
	int count = 0, status;
	assert_int_equal(read(pipes[0], &count, sizeof(count)), sizeof(count));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(pipes[0]);
	close(pipes[1]);
	assert_true(count > 2 && count < 999);
	testExpectLibrary(path, count);
}

static int setUp(void** state)
{
	(void)state;
	installFailingFiles();
	s_body = testMakePuppet(false);
	s_added = testMakeClip(s_body, 2);
	const char* path = testPath("good.reprise");
	testMakeLibrary(path, 2);
	s_good = testReadFile(path, &s_goodSize);
	return s_good == NULL;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyMotion(s_added);
	rpReleaseSkeleton(s_body);
	free(s_good);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOwnMemory),           cmocka_unit_test(testOtherMemoryFromThenOn),
		cmocka_unit_test(testOtherMemoryOnce),     cmocka_unit_test(testCreateWithoutMemory),
		cmocka_unit_test(testImportWithoutMemory), cmocka_unit_test(testFullDisk),
		cmocka_unit_test(testDiskThatFailsOnce),   cmocka_unit_test(testFileSizeLimit),
	};
	static sqlite3_mem_methods memory = {takeMemory, giveMemory,  changeMemory, getMemorySize,
										 roundUp,    startMemory, endMemory,    NULL};
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) != SQLITE_OK)
	{
		return 1;
	}
	json_set_alloc_funcs(takeJsonMemory, giveMemory);
	testUseCountingAllocator();
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
