/// Several programs at one library, and programs that are killed: what was reported as done is there, and whole.
#include "library_scene.h"

#include "library/store.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define KILLS 60
#else
#define KILLS 200
#endif

static void rest(long microseconds)
{
	struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
	nanosleep(&time, NULL);
}

// In a child nothing of cmocka may run.
static void demand(bool condition)
{
	if (!condition)
	{
		_exit(1);
	}
}

static void expectChild(pid_t child)
{
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static rpClipId addNumber(rpLibrary* library, const rpSkeleton* body, int number, rpError* error)
{
	rpMotion* motion = testMakeClip(body, number);
	rpClipId clip = rpLibrary_AddClip(library, motion, NULL, NULL, error);
	rpDestroyMotion(motion);
	return clip;
}

/// One change that a child reports over a pipe once it is done.
typedef struct Report
{
	char what; // 'a' added, 'l' labelled, 'r' removed
	int number;
} Report;

static void send(int pipe, char what, int number)
{
	Report report = {what, number};
	demand(write(pipe, &report, sizeof(report)) == sizeof(report));
}

// Add, label and remove clips until killed.
static void importForever(const char* path, int pipe, int first)
{
	rpSkeleton* body = testMakePuppet(false);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
	demand(library != NULL);
	for (int number = first;; ++number)
	{
		rpClipId clip = addNumber(library, body, number, NULL);
		demand(clip != 0);
		send(pipe, 'a', number);
		if (number % 4 == 1)
		{
			demand(rpLibrary_AddLabel(library, clip, "late", 0.0, -1.0, NULL));
			send(pipe, 'l', number);
		}
		if (number % 4 == 3)
		{
			demand(rpLibrary_RemoveClip(library, clip, NULL));
			send(pipe, 'r', number);
		}
	}
}

// What must be true of a clip's number after the reports so far.
typedef struct Expected
{
	bool there, labelled;
} Expected;

#define MAX_NUMBER 100000
static Expected s_expected[MAX_NUMBER];
static int s_next;

static void readReports(int pipe, int max)
{
	Report report;
	for (int i = 0; i < max && read(pipe, &report, sizeof(report)) == sizeof(report); ++i)
	{
		assert_true(report.number < MAX_NUMBER);
		s_expected[report.number].there = report.what != 'r';
		s_expected[report.number].labelled = report.what == 'l';
		s_next = report.number + 1;
	}
}

static bool hasLabel(const rpMotion* motion)
{
	rpInterval labels[32];
	int count = rpMotion_GetIntervals(motion, rp_trackLabel, labels, 32);
	bool found = false;
	for (int i = 0; i < count && i < 32; ++i)
	{
		found = found || strcmp(labels[i].name, "late") == 0;
	}
	return found;
}

static bool exists(const rpLibrary* library, int number)
{
	char name[32];
	rpError error = {0};
	snprintf(name, sizeof(name), "clip-%d", number);
	bool found = rpLibrary_FindClip(library, name, &error) != 0;
	assert_true(found || error.code == rp_errorMissing);
	return found;
}

static void expectNumber(const rpLibrary* library, const rpSkeleton* body, int number)
{
	char name[32];
	snprintf(name, sizeof(name), "clip-%d", number);
	rpMotion* loaded = rpLibrary_LoadClip(library, rpLibrary_FindClip(library, name, NULL), NULL);
	assert_non_null(loaded);
	assert_true(!s_expected[number].labelled || hasLabel(loaded));
	rpAnnotations_Clear(&loaded->annotations, rp_trackLabel, "late");
	rpMotion* expected = testMakeClip(body, number);
	assert_true(testSameMotion(expected, loaded, true));
	rpDestroyMotion(expected);
	rpDestroyMotion(loaded);
}

// Everything reported is there and intact. The change that was under way may be done or not, but nothing between.
static void expectReported(const char* path, const rpSkeleton* body)
{
	rpError error = {0};
	rpFindings findings = {0};
	bool checked = rpCheckLibrary(path, &findings, &error);
	if (s_next == 0 && error.code == rp_errorFile)
	{
		return; // killed before the library was made: it is not there, for it has no name until it is whole
	}
	assert_string_equal(error.message, "");
	assert_true(checked);
	assert_string_equal(findings.count > 0 ? findings.items[0].message : "", "");
	rpFindings_Free(&findings);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	assert_non_null(library);
	int last = s_next - 1;
	for (int i = 0; i <= s_next; ++i)
	{
		bool there = exists(library, i);
		assert_true(i >= last || there == s_expected[i].there);
		assert_true(i != last || there == s_expected[i].there || last % 4 == 3);
		if (there)
		{
			expectNumber(library, body, i);
			s_expected[i].there = true;
		}
		else if (i == last)
		{
			s_expected[i].there = false;
		}
	}
	s_next += s_expected[s_next].there;
	rpCloseLibrary(library);
}

static bool leftJournal(const char* path)
{
	char journal[600];
	struct stat status;
	snprintf(journal, sizeof(journal), "%s-journal", path);
	return stat(journal, &status) == 0 && status.st_size > 0;
}

static void startAnew(const char* path)
{
	char journal[600];
	snprintf(journal, sizeof(journal), "%s-journal", path);
	unlink(path);
	unlink(journal);
	memset(s_expected, 0, sizeof(s_expected));
	s_next = 0;
}

static void testKills(void** state)
{
	(void)state;
	const char* path = testPath("killed.reprise");
	rpSkeleton* body = testMakePuppet(false);
	rpRandom random = rpSeedRandom(30);
	int journals = 0, changes = 0;
	for (int i = 0; i < KILLS; ++i)
	{
		int before = s_next;
		int pipes[2];
		assert_int_equal(pipe(pipes), 0);
		pid_t child = fork();
		if (child == 0)
		{
			importForever(path, pipes[1], s_next);
		}
		close(pipes[1]);
		// After some reports, and a little later: the machine's speed does not matter.
		readReports(pipes[0], rpRandom_Index(&random, 16));
		rest(rpRandom_Index(&random, 2000));
		assert_int_equal(kill(child, SIGKILL), 0);
		int status;
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status)); // else it failed by itself
		readReports(pipes[0], INT_MAX);
		close(pipes[0]);
		journals += leftJournal(path);
		changes += s_next - before;
		expectReported(path, body);
		if (s_next > 40)
		{
			startAnew(path);
		}
	}
	print_message("%d kills, %d left a journal; %d clips reported, none lost\n", KILLS, journals, changes);
	assert_true(changes > 2 * KILLS && journals > 0);
	rpReleaseSkeleton(body);
}

static void copyFile(const char* from, const char* toName)
{
	size_t size;
	char* bytes = testReadFile(from, &size);
	assert_non_null(bytes);
	testWriteFile(toName, bytes, size);
	free(bytes);
}

// A file as a program leaves it that dies when a change is half written: opening it, even for reading, undoes that.
static void testHalfWrittenChange(void** state)
{
	(void)state;
	const char* path = testPath("half.reprise");
	char journal[600];
	snprintf(journal, sizeof(journal), "%s-journal", path);
	testMakeLibrary(path, 4);
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
	assert_true(rpStore_BeginWrite(library, NULL));
	assert_true(rpStore_Run(library, NULL, "UPDATE frames SET rotations = zeroblob(length(rotations))", ""));
	assert_true(rpStore_Run(library, NULL, "DELETE FROM labels", ""));
	assert_int_equal(sqlite3_db_cacheflush(library->db), SQLITE_OK);
	copyFile(path, "dead.reprise");
	copyFile(journal, "dead.reprise-journal");
	assert_false(rpStore_End(library, false, NULL));
	rpCloseLibrary(library);
	testExpectLibrary(path, 4);

	const char* dead = testPath("dead.reprise");
	rpError error = {0};
	assert_true(leftJournal(dead));
	library = rpOpenLibrary(dead, rp_openRead, &error);
	assert_non_null(library);
	assert_string_equal(error.message, "");
	rpCloseLibrary(library);
	testExpectLibrary(dead, 4);
	assert_false(leftJournal(dead));
}

// The same while the library is being made.
static void testHalfMadeLibrary(void** state)
{
	(void)state;
	for (int mode = rp_openRead; mode <= rp_openCreate; ++mode)
	{
		const char* path = testPath("unborn.reprise");
		char zeros[12288] = {0};
		unsigned char journal[512] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
		journal[22] = 0x02; // sector size 512, page size 4096, no pages before, none kept
		journal[26] = 0x10;
		testWriteFile("unborn.reprise", zeros, sizeof(zeros));
		testWriteFile("unborn.reprise-journal", journal, sizeof(journal));
		rpError error = {0};
		rpLibrary* library = rpOpenLibrary(path, (rpOpenMode)mode, &error);
		if (mode == rp_openCreate)
		{
			assert_string_equal(error.message, "");
			assert_non_null(library);
			rpCloseLibrary(library);
			testExpectLibrary(path, 0);
		}
		else
		{
			assert_null(library);
			assert_int_equal(error.code, rp_errorFormat);
			assert_non_null(strstr(error.message, "empty"));
		}
	}
}

// A child that takes a lock, says so, and keeps it until it is asked to stop, or for a time.
static pid_t holdLock(const char* path, const char* begin, int* talk, long microseconds)
{
	int up[2], down[2];
	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	pid_t child = fork();
	if (child == 0)
	{
		char byte = 0;
		close(down[1]);
		rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
		demand(library != NULL && rpStore_Run(library, NULL, begin, ""));
		demand(write(up[1], &byte, 1) == 1);
		if (microseconds > 0)
		{
			rest(microseconds);
		}
		else
		{
			demand(read(down[0], &byte, 1) == 0);
		}
		rpCloseLibrary(library);
		_exit(0);
	}
	char byte;
	assert_int_equal(read(up[0], &byte, 1), 1);
	close(up[0]);
	close(up[1]);
	close(down[0]);
	*talk = down[1];
	return child;
}

static void expectBusy(const rpError* error, pid_t holder)
{
	char expected[40];
	snprintf(expected, sizeof(expected), "(process %d)", (int)holder);
	assert_int_equal(error->code, rp_errorBusy);
	if (access("/proc/locks", R_OK) == 0)
	{
		assert_non_null(strstr(error->message, expected));
	}
}

static void testBusy(void** state)
{
	(void)state;
	const char* path = testPath("busy.reprise");
	rpSkeleton* body = testMakePuppet(false);
	rpError error = {0};
	int talk;
	testMakeLibrary(path, 2);

	// One that writes does not keep others from reading until it commits.
	pid_t child = holdLock(path, "BEGIN IMMEDIATE", &talk, 0);
	rpLibrary* library = rpOpenLibraryWaiting(path, rp_openWrite, 50, &error);
	assert_non_null(library);
	assert_int_equal(rpLibrary_FindClip(library, "clip-1", &error), 2);
	assert_int_equal(addNumber(library, body, 2, &error), 0);
	expectBusy(&error, child);
	assert_string_equal(error.file, path);
	assert_false(rpLibrary_RenameClip(library, 1, "x", &error));
	expectBusy(&error, child);
	close(talk);
	expectChild(child);
	assert_int_equal(addNumber(library, body, 2, &error), 3);
	rpCloseLibrary(library);

	child = holdLock(path, "BEGIN EXCLUSIVE", &talk, 0);
	assert_null(rpOpenLibraryWaiting(path, rp_openRead, 50, &error));
	expectBusy(&error, child);
	close(talk);
	expectChild(child);
	testExpectLibrary(path, 3);
	rpReleaseSkeleton(body);
}

static void testWaiting(void** state)
{
	(void)state;
	const char* path = testPath("wait.reprise");
	rpSkeleton* body = testMakePuppet(false);
	int talk;
	testMakeLibrary(path, 0);
	pid_t child = holdLock(path, "BEGIN EXCLUSIVE", &talk, 300000);
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(addNumber(library, body, 0, &error), 1);
	rpCloseLibrary(library);
	close(talk);
	expectChild(child);
	rpReleaseSkeleton(body);
}

static pid_t startWriter(const char* path, int first, int step, int count)
{
	pid_t child = fork();
	if (child == 0)
	{
		rpSkeleton* body = testMakePuppet(false);
		rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
		demand(library != NULL);
		for (int i = 0; i < count; ++i)
		{
			demand(addNumber(library, body, first + i * step, NULL) != 0);
		}
		rpCloseLibrary(library);
		_exit(0);
	}
	return child;
}

// Three programs make and fill one library, while this one reads.
static void testManyWritersAndAReader(void** state)
{
	(void)state;
	const char* path = testPath("many.reprise");
	pid_t children[3];
	for (int i = 0; i < 3; ++i)
	{
		children[i] = startWriter(path, i, 3, 12);
	}
	rpSkeleton* body = testMakePuppet(false);
	int seen = 0, rounds = 0;
	while (seen < 36 && rounds++ < 3000)
	{
		rpError error = {0};
		rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
		if (library == NULL)
		{
			// It is not there yet; never is it there and empty.
			assert_true(seen == 0 && error.code == rp_errorFile);
			rest(1000);
			continue;
		}
		rpClipInfo* infos;
		int count = rpLibrary_ListClips(library, &infos, &error);
		assert_string_equal(error.message, "");
		assert_true(count >= seen);
		for (int i = seen; i < count; ++i)
		{
			int number = atoi(infos[i].name + strlen("clip-"));
			rpMotion* loaded = rpLibrary_LoadClip(library, infos[i].id, &error);
			assert_string_equal(error.message, "");
			rpMotion* expected = testMakeClip(body, number);
			assert_true(testSameMotion(loaded, expected, true));
			rpDestroyMotion(loaded);
			rpDestroyMotion(expected);
		}
		seen = count;
		rpFreeClipInfos(infos, count);
		rpCloseLibrary(library);
		rest(1000);
	}
	for (int i = 0; i < 3; ++i)
	{
		expectChild(children[i]);
	}
	rpReleaseSkeleton(body);
	testExpectLibrary(path, 36);
}

// Two handles of one program: closing one does not free the other's locks.
static void testTwoHandles(void** state)
{
	(void)state;
	const char* path = testPath("handles.reprise");
	rpSkeleton* body = testMakePuppet(false);
	rpError error = {0};
	testMakeLibrary(path, 1);
	rpLibrary* first = rpOpenLibrary(path, rp_openWrite, &error);
	assert_true(rpStore_BeginWrite(first, &error));
	rpLibrary* second = rpOpenLibraryWaiting(path, rp_openWrite, 20, &error);
	assert_non_null(second);
	assert_int_equal(addNumber(second, body, 1, &error), 0);
	assert_int_equal(error.code, rp_errorBusy);
	rpCloseLibrary(second);
	char holder[160];
	rpDescribeLockHolder(path, holder, sizeof(holder));
	if (access("/proc/locks", R_OK) == 0)
	{
		assert_string_equal(holder, " by this program itself");
	}
	assert_true(rpStore_End(first, true, &error));
	assert_int_equal(addNumber(first, body, 1, &error), 2);
	rpCloseLibrary(first);
	testExpectLibrary(path, 2);
	rpReleaseSkeleton(body);
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
		cmocka_unit_test(testKills),           cmocka_unit_test(testHalfWrittenChange),
		cmocka_unit_test(testHalfMadeLibrary), cmocka_unit_test(testBusy),
		cmocka_unit_test(testWaiting),         cmocka_unit_test(testManyWritersAndAReader),
		cmocka_unit_test(testTwoHandles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
