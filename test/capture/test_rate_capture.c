/// The doctor on the frame rates of captured takes: no alarm where they are right; jumps of which every second frame is
/// left, under the old header, are read at half the rate.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpMotion* load(const char* path, rpFindings* findings)
{
	rpMotion* motion = rpLoadMotion(path, NULL, findings, NULL);
	assert_non_null(motion);
	return motion;
}

static void noFalseAlarm(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		rpFindings findings = {0};
		rpMotion* motion = load(paths[i], &findings);
		const rpFinding* finding = rpFindings_Find(&findings, "frame_rate");
		if (finding != NULL)
		{
			print_message("%s: %s\n", paths[i], finding->message);
		}
		assert_null(finding);
		rpFindings_Free(&findings);
		rpDestroyMotion(motion);
	}
}

// Every second frame of a motion, at the same rate: it plays twice as fast.
static rpMotion* thin(const rpMotion* motion)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	rpMotion* half = rpCreateMotion(motion->skeleton, motion->name, motion->fps, (motion->frameCount + 1) / 2, NULL);
	assert_non_null(half);
	for (int i = 0; i < half->frameCount; ++i)
	{
		half->rootPositions[i] = motion->rootPositions[2 * i];
		memcpy(half->rotations + (size_t)i * jointCount, motion->rotations + 2 * (size_t)i * jointCount,
			   jointCount * sizeof(rpQuat));
	}
	return half;
}

// The rate at which a thinned take is read.
static double readThinned(const char* path)
{
	rpMotion* motion = load(path, NULL);
	rpMotion* half = thin(motion);
	rpSaveDef save = rpDefaultSaveDef();
	save.format = rp_formatBvh;
	void* bytes;
	size_t size;
	assert_true(rpWriteMotion(half, &save, &bytes, &size, NULL));
	rpMotion* read = rpReadMotion(bytes, size, "half.bvh", NULL, NULL, NULL);
	assert_non_null(read);
	double fps = read->fps;
	rpFreeBytes(bytes);
	rpDestroyMotion(read);
	rpDestroyMotion(half);
	rpDestroyMotion(motion);
	return fps;
}

static bool isJump(const char* text, const char* path)
{
	const char* name = strrchr(path, '/') + 1;
	const char* line = strstr(text, name);
	const char* end = line != NULL ? strchr(line, '\n') : NULL;
	const char* jumps = line != NULL ? strstr(line, "jumps") : NULL;
	return jumps != NULL && end != NULL && jumps < end;
}

static void thinnedJumpsAreCorrected(void** state)
{
	(void)state;
	char path[1024];
	snprintf(path, sizeof(path), "%s/manifest.csv", testMocap());
	char* text = testReadFile(path, NULL);
	assert_non_null(text);
	const char* const* paths;
	int count = testListCapture(&paths), jumpCount = 0, right = 0;
	for (int i = 0; i < count; ++i)
	{
		if (isJump(text, paths[i]))
		{
			double fps = readThinned(paths[i]);
			bool isRight = fabs(fps - 60.0) < 0.01;
			jumpCount += 1;
			right += isRight;
			if (!isRight)
			{
				print_message("%s: read at %g\n", paths[i], fps);
			}
		}
	}
	free(text);
	print_message("%d of %d thinned jumps are read at half the rate\n", right, jumpCount);
	assert_true(jumpCount >= 30);
	assert_int_equal(right, jumpCount);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noFalseAlarm),
		cmocka_unit_test(thinnedJumpsAreCorrected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
