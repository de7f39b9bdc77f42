/// Damage by chance: bits flipped, pages lost, zeroed or exchanged. Whatever is hit, either it is reported, or nothing
/// was lost: no crash, and never a motion that is not the one that was added.
#include "library_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define FLIPS 1000
#else
#define FLIPS 3000
#endif

#define CLIPS 6
#define PAGE 4096

static char* s_bytes;
static size_t s_size;
static rpSkeleton* s_body;
static int s_reported, s_harmless;

// True if the library opens and its check finds nothing.
static bool looksWhole(const char* path)
{
	rpError error = {0};
	rpFindings findings = {0};
	bool checked = rpCheckLibrary(path, &findings, &error);
	bool whole = checked && findings.count == 0;
	assert_true(checked || error.code == rp_errorFormat || error.code == rp_errorVersion);
	assert_true(checked || error.message[0] != 0);
	rpFindings_Free(&findings);
	return whole;
}

// Load every clip of a library that may be damaged. Each is what it was, or an error.
static int countGoodClips(const char* path, bool expectAll)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	if (library == NULL)
	{
		return 0;
	}
	int good = 0;
	for (int i = 0; i < CLIPS; ++i)
	{
		rpMotion* motion = rpLibrary_LoadClip(library, i + 1, &error);
		rpMotion* expected = testMakeClip(s_body, i);
		if (motion != NULL && !testSameMotion(motion, expected, true))
		{
			fail_msg("clip %d was altered in silence", i + 1);
		}
		good += motion != NULL;
		rpDestroyMotion(motion);
		rpDestroyMotion(expected);
	}
	rpClipInfo* infos = NULL;
	int count = rpLibrary_ListClips(library, &infos, &error);
	assert_true(!expectAll || count == CLIPS);
	rpFreeClipInfos(infos, count > 0 ? count : 0);
	rpCloseLibrary(library);
	return good;
}

static void judge(const char* what, size_t place)
{
	const char* path = testWriteFile("damaged.reprise", s_bytes, s_size);
	bool whole = looksWhole(path);
	int good = countGoodClips(path, whole);
	if (whole && good != CLIPS)
	{
		fail_msg("%s at %zu was not reported, but only %d clips load", what, place, good);
	}
	*(whole ? &s_harmless : &s_reported) += 1;
}

static void testFlippedBits(void** state)
{
	(void)state;
	const char* every = getenv("REPRISE_EVERY_BYTE");
	int flips = every != NULL ? (int)s_size : FLIPS;
	rpRandom random = rpSeedRandom(20);
	for (int i = 0; i < flips; ++i)
	{
		size_t place = every != NULL ? (size_t)i : (size_t)rpRandom_Index(&random, (int)s_size);
		char old = s_bytes[place];
		// One bit, or the whole byte.
		s_bytes[place] = (char)(i % 4 == 3 ? rpRandom_Next(&random) : (unsigned)old ^ 1u << rpRandom_Index(&random, 8));
		judge("a flip", place);
		s_bytes[place] = old;
	}
	print_message("%d flips: %d reported, %d harmless\n", flips, s_reported, s_harmless);
	assert_true(s_reported > flips / 20);
}

static void testLostPages(void** state)
{
	(void)state;
	char page[PAGE], other[PAGE];
	size_t count = s_size / PAGE;
	rpRandom random = rpSeedRandom(21);
	for (size_t i = 0; i < count; ++i)
	{
		size_t j = (size_t)rpRandom_Index(&random, (int)count);
		memcpy(page, s_bytes + i * PAGE, PAGE);
		memcpy(other, s_bytes + j * PAGE, PAGE);
		memset(s_bytes + i * PAGE, 0, PAGE);
		judge("a zeroed page", i * PAGE);
		memcpy(s_bytes + i * PAGE, other, PAGE);
		judge("a doubled page", i * PAGE);
		memcpy(s_bytes + j * PAGE, page, PAGE);
		judge("exchanged pages", i * PAGE);
		memcpy(s_bytes + j * PAGE, other, PAGE);
		memcpy(s_bytes + i * PAGE, page, PAGE);
	}
}

static void testScribbles(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(22);
	char* good = malloc(s_size);
	memcpy(good, s_bytes, s_size);
	for (int i = 0; i < FLIPS / 20; ++i)
	{
		for (int n = 0; n < 1 + i % 30; ++n)
		{
			s_bytes[rpRandom_Index(&random, (int)s_size)] = (char)rpRandom_Next(&random);
		}
		judge("a scribble", (size_t)i);
		memcpy(s_bytes, good, s_size);
	}
	free(good);
}

static int makeGood(void** state)
{
	(void)state;
	const char* path = testPath("good.reprise");
	testMakeLibrary(path, CLIPS);
	s_bytes = testReadFile(path, &s_size);
	s_body = testMakePuppet(false);
	return s_bytes == NULL;
}

static int freeGood(void** state)
{
	(void)state;
	free(s_bytes);
	rpReleaseSkeleton(s_body);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFlippedBits),
		cmocka_unit_test(testLostPages),
		cmocka_unit_test(testScribbles),
	};
	return cmocka_run_group_tests(tests, makeGood, freeGood);
}
