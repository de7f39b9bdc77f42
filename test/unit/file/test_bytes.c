/// Files are read whole and replaced whole, and every failure names the file and leaves the old one alone.
#include "support.h"

#include "file/amc_reader.h"
#include "file/output.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int countEntries(const char* folder)
{
	int count = 0;
	DIR* directory = opendir(folder);
	assert_non_null(directory);
	for (struct dirent* entry; (entry = readdir(directory)) != NULL;)
	{
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	}
	closedir(directory);
	return count;
}

static void assertHolds(const char* path, const char* expected)
{
	size_t size;
	char* text = testReadFile(path, &size);
	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_int_equal(size, strlen(expected));
	free(text);
}

static void testReadsFiles(void** state)
{
	(void)state;
	static char big[300001];
	memset(big, 'x', sizeof(big));
	const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300001};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
	{
		rpBytes bytes;
		rpError error = {0};
		assert_true(rpOpenBytes(testWriteFile("whole", big, sizes[i]), &bytes, &error));
		assert_int_equal(bytes.size, sizes[i]);
		assert_memory_equal(bytes.data, big, sizes[i]);
		rpCloseBytes(&bytes);
		assert_null(bytes.data);
	}
}

static void testReadsPipes(void** state)
{
	(void)state;
	const char* path = testPath("pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	static char big[200000];
	memset(big, 'y', sizeof(big));
	pid_t child = fork();
	if (child == 0)
	{
		FILE* pipe = fopen(path, "w");
		fwrite(big, 1, sizeof(big), pipe);
		fclose(pipe);
		_exit(0);
	}
	rpBytes bytes;
	assert_true(rpOpenBytes(path, &bytes, NULL));
	assert_int_equal(bytes.size, sizeof(big));
	assert_memory_equal(bytes.data, big, sizeof(big));
	rpCloseBytes(&bytes);
}

static void testNamesWhatItCannotRead(void** state)
{
	(void)state;
	rpBytes bytes;
	rpError error = {0};
	const char* missing = testPath("not-there");
	assert_false(rpOpenBytes(missing, &bytes, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_string_equal(error.file, missing);
	assert_non_null(strstr(error.message, strerror(ENOENT)));
	assert_false(rpOpenBytes(testFolder(), &bytes, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_non_null(strstr(error.message, "folder"));
	assert_false(rpOpenBytes(missing, &bytes, NULL));
}

static void testReplacesFiles(void** state)
{
	(void)state;
	rpError error = {0};
	const char* path = testPath("replaced");
	mode_t mask = umask(027);
	assert_true(rpReplaceFile(path, "first", 5, &error));
	umask(mask);
	assertHolds(path, "first");
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);

	// The mode stays, nothing is left beside it.
	assert_int_equal(chmod(path, 0604), 0);
	int before = countEntries(testFolder());
	assert_true(rpReplaceFile(path, "second", 6, &error));
	assertHolds(path, "second");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0604);
	assert_int_equal(countEntries(testFolder()), before);
}

static void testFollowsLinks(void** state)
{
	(void)state;
	const char* target = testWriteFile("target", "old", 3);
	const char* link = testPath("link");
	assert_int_equal(symlink(target, link), 0);
	assert_true(rpReplaceFile(link, "new", 3, NULL));
	struct stat status;
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assertHolds(target, "new");
}

static void testWritesDevices(void** state)
{
	(void)state;
	assert_true(rpReplaceFile("/dev/null", "gone", 4, NULL));
	struct stat status;
	assert_int_equal(stat("/dev/null", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
}

static void testLeavesTheOldFile(void** state)
{
	(void)state;
	rpError error = {0};
	assert_false(rpReplaceFile(testPath("no-folder/file"), "x", 1, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_non_null(strstr(error.file, "no-folder/file"));
	assert_false(rpReplaceFile(testFolder(), "x", 1, &error));
	assert_int_equal(error.code, rp_errorFile);

	// A full disk, as near as a test comes to one: a limit on file sizes.
	const char* path = testWriteFile("precious", "precious", 8);
	int before = countEntries(testFolder());
	static char big[100000];
	struct rlimit old, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){4096, old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	bool done = rpReplaceFile(path, big, sizeof(big), &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_false(done);
	assert_int_equal(error.code, rp_errorFile);
	assert_string_equal(error.file, path);
	assert_non_null(strstr(error.message, strerror(EFBIG)));
	assertHolds(path, "precious");
	assert_int_equal(countEntries(testFolder()), before);
}

static void testLongestName(void** state)
{
	(void)state;
	char name[256];
	memset(name, 'n', 255);
	name[255] = 0;
	const char* path = testPath(name);
	assert_true(rpReplaceFile(path, "x", 1, NULL));
	assertHolds(path, "x");
}

static void testHashes(void** state)
{
	(void)state;
	// From `xxhsum -H2` of an empty file.
	char hash[33];
	rpHashBytes("", 0, hash);
	assert_string_equal(hash, "99aa06d3014798d86001c324468d497f");
	char other[33];
	rpHashBytes("a", 1, other);
	assert_string_not_equal(hash, other);
	assert_int_equal(strlen(other), 32);
}

static void testFileNames(void** state)
{
	(void)state;
	assert_string_equal(rpGetFileName("a/b.bvh"), "b.bvh");
	assert_string_equal(rpGetFileName("b.bvh"), "b.bvh");
	assert_string_equal(rpGetFileName("a/"), "");
}

static void testFindsSkeletons(void** state)
{
	(void)state;
	char found[512];
	assert_int_equal(mkdir(testPath("takes"), 0700), 0);
	const char* take = testWriteFile("takes/09_06.amc", "", 0);
	assert_false(rpFindSkeletonFile(take, found, sizeof(found)));
	testWriteFile("takes/other.asf", "", 0);
	assert_true(rpFindSkeletonFile(take, found, sizeof(found)));
	assert_string_equal(found, testPath("takes/other.asf"));

	// Two of foreign names are a guess; one of the right name is not.
	testWriteFile("takes/third.asf", "", 0);
	assert_false(rpFindSkeletonFile(take, found, sizeof(found)));
	testWriteFile("takes/09.ASF", "", 0);
	assert_true(rpFindSkeletonFile(take, found, sizeof(found)));
	assert_string_equal(found, testPath("takes/09.ASF"));
	testWriteFile("takes/09_06.asf", "", 0);
	assert_true(rpFindSkeletonFile(take, found, sizeof(found)));
	assert_string_equal(found, testPath("takes/09_06.asf"));
	assert_false(rpFindSkeletonFile(take, found, 10));
}

static bool acceptLetter(const char* head, size_t size, const void* context)
{
	return size > 0 && *head == *(const char*)context;
}

// A file of another kind is left after its head.
static void testAsksAboutTheHead(void** state)
{
	(void)state;
	static char big[3 * RP_HEAD_SIZE];
	memset(big, 'a', sizeof(big));
	const size_t sizes[] = {1, RP_HEAD_SIZE - 1, RP_HEAD_SIZE, RP_HEAD_SIZE + 1, sizeof(big)};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
	{
		const char* path = testWriteFile("head", big, sizes[i]);
		rpBytes bytes;
		assert_true(rpOpenAccepted(path, acceptLetter, "a", &bytes, NULL));
		assert_int_equal(bytes.size, sizes[i]);
		assert_memory_equal(bytes.data, big, sizes[i]);
		rpCloseBytes(&bytes);
		assert_true(rpOpenAccepted(path, acceptLetter, "b", &bytes, NULL));
		assert_int_equal(bytes.size, sizes[i] < RP_HEAD_SIZE ? sizes[i] : RP_HEAD_SIZE);
		rpCloseBytes(&bytes);
	}
}

static void testOutOfMemory(void** state)
{
	(void)state;
	const char* path = testWriteFile("memory", "bytes", 5);
	int live = testCountLiveBlocks();
	rpBytes bytes;
	rpError error = {0};
	testFailAllocation(0);
	bool done = rpOpenBytes(path, &bytes, &error);
	testFailAllocation(-1);
	assert_false(done);
	assert_int_equal(error.code, rp_errorMemory);
	assert_string_equal(error.file, path);
	assert_int_equal(testCountLiveBlocks(), live);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testReadsFiles),     cmocka_unit_test(testReadsPipes),
		cmocka_unit_test(testHashes),         cmocka_unit_test(testNamesWhatItCannotRead),
		cmocka_unit_test(testFollowsLinks),   cmocka_unit_test(testReplacesFiles),
		cmocka_unit_test(testWritesDevices),  cmocka_unit_test(testLeavesTheOldFile),
		cmocka_unit_test(testLongestName),    cmocka_unit_test(testFileNames),
		cmocka_unit_test(testFindsSkeletons), cmocka_unit_test(testAsksAboutTheHead),
		cmocka_unit_test(testOutOfMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
