#include "support.h"

#include <dirent.h>
#include <ftw.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char s_folder[256];

static int removeEntry(const char* path, const struct stat* status, int type, struct FTW* place)
{
	(void)status, (void)type, (void)place;
	return remove(path);
}

static void removeFolder(void)
{
	nftw(s_folder, removeEntry, 16, FTW_DEPTH | FTW_PHYS);
}

const char* testFolder(void)
{
	if (s_folder[0] == 0)
	{
		const char* top = getenv("TMPDIR");
		snprintf(s_folder, sizeof(s_folder), "%s/reprise-test-XXXXXX", top != NULL ? top : "/tmp");
		if (mkdtemp(s_folder) == NULL)
		{
			perror(s_folder);
			exit(1);
		}
		atexit(removeFolder);
	}
	return s_folder;
}

const char* testPath(const char* name)
{
	static char paths[16][512];
	static int next;
	char* path = paths[next++ % 16];
	snprintf(path, sizeof(paths[0]), "%s/%s", testFolder(), name);
	return path;
}

const char* testWriteFile(const char* name, const void* bytes, size_t size)
{
	const char* path = testPath(name);
	FILE* file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	return path;
}

char* testReadFile(const char* path, size_t* size)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		return NULL;
	}
	fseek(file, 0, SEEK_END);
	size_t length = (size_t)ftell(file);
	rewind(file);
	char* text = malloc(length + 1);
	length = fread(text, 1, length, file);
	text[length] = 0;
	fclose(file);
	if (size != NULL)
	{
		*size = length;
	}
	return text;
}

const char* testMocap(void)
{
	const char* folder = getenv("REPRISE_MOCAP");
	struct stat status;
	char path[1024];
	snprintf(path, sizeof(path), "%s/cmu", folder != NULL ? folder : "");
	return folder != NULL && stat(path, &status) == 0 ? folder : NULL;
}

void testSkipWithoutMocap(void)
{
	if (testMocap() == NULL)
	{
		printf("skipped: no captured data (set REPRISE_MOCAP or put it in ../shared/mocap)\n");
		exit(77);
	}
}

static int comparePaths(const void* a, const void* b)
{
	return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static char* s_capture[4096];
static int s_captureCount;

static int collect(const char* path, const struct stat* status, int type, struct FTW* place)
{
	(void)status, (void)place;
	size_t length = strlen(path);
	if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".bvh") == 0 && s_captureCount < 4096)
	{
		s_capture[s_captureCount++] = strdup(path);
	}
	return 0;
}

int testListCapture(const char* const** paths)
{
	if (s_captureCount == 0)
	{
		char folder[1024];
		snprintf(folder, sizeof(folder), "%s/cmu", testMocap());
		nftw(folder, collect, 16, FTW_PHYS);
		qsort(s_capture, (size_t)s_captureCount, sizeof(char*), comparePaths);
	}
	*paths = (const char* const*)s_capture;
	return s_captureCount;
}

rpMotion* testLoadTake(const char* name)
{
	char path[1024];
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/cmu/%03d/%s.bvh", testMocap(), atoi(name), name);
	rpMotion* motion = rpLoadMotion(path, NULL, NULL, &error);
	if (motion == NULL)
	{
		fail_msg("%s: %s", path, error.message);
	}
	return motion;
}

rpMotion* testLoadTakePart(const char* name, double start, double end)
{
	rpMotion *whole = testLoadTake(name), *part = rpCropMotion(whole, start, end, NULL);
	assert_non_null(part);
	rpDestroyMotion(whole);
	return part;
}

static int s_failAt = -1;
static int s_allocations;
static int s_live;

static bool failsNow(void)
{
	int number = __atomic_fetch_add(&s_allocations, 1, __ATOMIC_RELAXED);
	return s_failAt >= 0 && number >= s_failAt;
}

/// Bytes in use, the most that were, and how many were when that was asked for.
static struct
{
	size_t used, max, start;
} s_bytes;

static void addBytes(size_t size)
{
	size_t used = __atomic_add_fetch(&s_bytes.used, size, __ATOMIC_RELAXED);
	size_t max = __atomic_load_n(&s_bytes.max, __ATOMIC_RELAXED);
	while (used > max &&
		   !__atomic_compare_exchange_n(&s_bytes.max, &max, used, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
	{
	}
}

static void* countingAllocate(size_t size, void* context)
{
	(void)context;
	void* memory = failsNow() ? NULL : malloc(size);
	__atomic_fetch_add(&s_live, memory != NULL, __ATOMIC_RELAXED);
	addBytes(malloc_usable_size(memory));
	return memory;
}

static void* countingReallocate(void* memory, size_t size, void* context)
{
	(void)context;
	size_t before = malloc_usable_size(memory);
	void* moved = failsNow() ? NULL : realloc(memory, size);
	if (moved != NULL)
	{
		__atomic_fetch_sub(&s_bytes.used, before, __ATOMIC_RELAXED);
		addBytes(malloc_usable_size(moved));
	}
	return moved;
}

static void countingRelease(void* memory, void* context)
{
	(void)context;
	__atomic_fetch_sub(&s_bytes.used, malloc_usable_size(memory), __ATOMIC_RELAXED);
	free(memory);
	__atomic_fetch_sub(&s_live, 1, __ATOMIC_RELAXED);
}

void testStartPeak(void)
{
	s_bytes.start = s_bytes.max = s_bytes.used;
}

size_t testGetPeak(void)
{
	return s_bytes.max - s_bytes.start;
}

void testUseCountingAllocator(void)
{
	static const rpAllocator allocator = {countingAllocate, countingReallocate, countingRelease, NULL};
	rpSetAllocator(&allocator);
}

void testFailAllocation(int n)
{
	s_failAt = n;
	s_allocations = 0;
}

int testCountAllocations(void)
{
	return s_allocations;
}

int testCountLiveBlocks(void)
{
	return s_live;
}

void testFailEach(testAttemptFn* attempt, void* context, int min)
{
	int blocks = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		bool done = attempt(context, &error);
		testFailAllocation(-1);
		assert_int_equal(testCountLiveBlocks(), blocks);
		if (done)
		{
			assert_true(n >= min);
			return;
		}
		assert_int_equal(error.code, rp_errorMemory);
	}
}

bool testUseCommaLocale(void)
{
	if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
	{
		char command[600];
		snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1",
				 testFolder());
		setenv("LOCPATH", testFolder(), 1);
		if (system(command) != 0 || setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
		{
			print_message("skipped: no locale with a decimal comma, and localedef cannot make one\n");
			return false;
		}
	}
	char text[8];
	snprintf(text, sizeof(text), "%.1f", 0.5);
	assert_string_equal(text, "0,5");
	return true;
}

void testUsePlainLocale(void)
{
	setlocale(LC_ALL, "C");
}

void testFailPerforming(const rpPerformDef* def)
{
	rpMotion* motion = NULL;
	int live = testCountLiveBlocks();
	for (int n = 0; motion == NULL && n < 3000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		motion = rpPerform(def, &error);
		testFailAllocation(-1);
		assert_true(motion != NULL || error.code == rp_errorMemory);
		assert_true(motion != NULL || testCountLiveBlocks() == live);
	}
	assert_non_null(motion);
	rpDestroyMotion(motion);
	assert_int_equal(testCountLiveBlocks(), live);
}
