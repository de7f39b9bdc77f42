#include "library_scene.h"

#include "file/bytes.h"
#include "motion/skeleton_blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rpMotion* testMakeClip(const rpSkeleton* skeleton, int number)
{
	char name[32];
	snprintf(name, sizeof(name), "clip-%d", number);
	rpMotion* motion = testMakeMotion(skeleton, name, 30.0, 3 + number % 5, 1000 + (uint64_t)number);
	if (number % 2 == 0)
	{
		testAnnotate(motion);
	}
	if (number % 3 == 0)
	{
		testAddTranslations(motion);
	}
	return motion;
}

static bool sameBytes(const void* a, const void* b, size_t size)
{
	return (a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, size) == 0);
}

static bool sameSkeleton(const rpSkeleton* a, const rpSkeleton* b)
{
	rpText textA = {0}, textB = {0};
	bool same = rpEncodeSkeleton(a, &textA, NULL) && rpEncodeSkeleton(b, &textB, NULL) && textA.size == textB.size &&
				memcmp(textA.data, textB.data, textA.size) == 0;
	rpText_Free(&textA);
	rpText_Free(&textB);
	return same;
}

bool testSameMotion(const rpMotion* a, const rpMotion* b, bool names)
{
	if (a->frameCount != b->frameCount || a->fps != b->fps || a->inputCount != b->inputCount ||
		(names && strcmp(a->name, b->name) != 0) || !sameSkeleton(a->skeleton, b->skeleton))
	{
		return false;
	}
	for (int i = 0; i < a->inputCount; ++i)
	{
		if (strcmp(a->inputs[i].name, b->inputs[i].name) != 0 || strcmp(a->inputs[i].hash, b->inputs[i].hash) != 0)
		{
			return false;
		}
	}
	size_t frames = (size_t)a->frameCount, rotations = frames * (size_t)a->skeleton->jointCount;
	return sameBytes(a->rootPositions, b->rootPositions, frames * sizeof(rpVec3)) &&
		   sameBytes(a->rotations, b->rotations, rotations * sizeof(rpQuat)) &&
		   sameBytes(a->translations, b->translations, rotations * sizeof(rpVec3)) &&
		   testAnnotationsAgree(&a->annotations, &b->annotations, 0.0);
}

void testMakeLibrary(const char* path, int count)
{
	rpError error = {0};
	unlink(path);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_string_equal(error.message, "");
	rpSkeleton* body = testMakePuppet(false);
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = testMakeClip(body, i);
		assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), i + 1);
		rpDestroyMotion(motion);
	}
	rpReleaseSkeleton(body);
	rpCloseLibrary(library);
}

static void expectClip(const rpLibrary* library, const rpSkeleton* body, int number)
{
	rpError error = {0};
	char name[32];
	snprintf(name, sizeof(name), "clip-%d", number);
	rpClipId clip = rpLibrary_FindClip(library, name, &error);
	assert_string_equal(error.message, "");
	rpMotion* loaded = rpLibrary_LoadClip(library, clip, &error);
	assert_string_equal(error.message, "");
	rpMotion* expected = testMakeClip(body, number);
	assert_true(testSameMotion(expected, loaded, true));
	rpDestroyMotion(expected);
	rpDestroyMotion(loaded);
}

void testExpectLibrary(const char* path, int count)
{
	rpError error = {0};
	rpFindings findings = {0};
	bool checked = rpCheckLibrary(path, &findings, &error);
	assert_string_equal(error.message, "");
	assert_true(checked);
	for (int i = 0; i < findings.count; ++i)
	{
		print_message("%s: %s\n", findings.items[i].code, findings.items[i].message);
	}
	assert_int_equal(findings.count, 0);
	rpFindings_Free(&findings);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	assert_string_equal(error.message, "");
	rpClipInfo* infos;
	int found = rpLibrary_ListClips(library, &infos, &error);
	rpFreeClipInfos(infos, found);
	assert_int_equal(found, count);
	rpSkeleton* body = testMakePuppet(false);
	for (int i = 0; i < count; ++i)
	{
		expectClip(library, body, i);
	}
	rpReleaseSkeleton(body);
	rpCloseLibrary(library);
}

void testStampFile(const char* path, char out[80])
{
	size_t size;
	struct stat status;
	char* bytes = testReadFile(path, &size);
	assert_non_null(bytes);
	assert_int_equal(stat(path, &status), 0);
	rpHashBytes(bytes, size, out);
	snprintf(out + 32, 48, " %ld.%09ld", (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
	free(bytes);
}
