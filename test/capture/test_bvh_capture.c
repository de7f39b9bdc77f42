/// Every captured BVH reads raw, writes and reads back to the same, with the frames that its manifest counts.
#include "support.h"

#include "base/memory.h"
#include "file/reader.h"
#include "file/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Frames of a file by the manifest: the number in this column of the line that names it.
static int findFrames(const char* manifest, const char* file, int column)
{
	char name[256];
	snprintf(name, sizeof(name), "\n%s,", file);
	const char* line = strstr(manifest, name);
	if (line == NULL)
	{
		return -1;
	}
	for (++line; column > 0; --column)
	{
		line = strchr(line, ',') + 1;
	}
	return atoi(line);
}

static rpMotion* readRaw(const char* path, const char* text, size_t size)
{
	rpReading reading;
	rpReadDef def = rpDefaultReadDef();
	rpFindings findings = {0};
	rpError error = {0};
	if (!rpReadBvh(text, size, &def, &reading, &findings, &error))
	{
		fail_msg("%s:%d:%d: %s", path, error.line, error.column, error.message);
	}
	if (findings.count > 0)
	{
		fail_msg("%s: %s", path, findings.items[0].message);
	}
	return reading.motion;
}

// In units of the file; coordinates stay below 500 units, and 1e-5 of one is below a float's last place there, so
// roots are compared apart from the joints about them.
static double compareMotions(const rpMotion* a, const rpMotion* b)
{
	double worst = 0.0;
	rpTransform poseA[128], poseB[128];
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		rpSkeleton_Forward(a->skeleton, rpVec3_zero, rpMotion_GetRotations(a, frame), NULL, poseA);
		rpSkeleton_Forward(b->skeleton, rpVec3_zero, rpMotion_GetRotations(b, frame), NULL, poseB);
		double root = rpDistance(a->rootPositions[frame], b->rootPositions[frame]);
		for (int i = 0; i < a->skeleton->jointCount; ++i)
		{
			worst = fmax(worst, root + rpDistance(poseA[i].p, poseB[i].p));
		}
	}
	return worst;
}

static void checkFile(const char* path, int frames, double unitsPerMetre)
{
	size_t size;
	char* text = testReadFile(path, &size);
	assert_non_null(text);
	rpMotion* motion = readRaw(path, text, size);
	free(text);
	assert_int_equal(motion->frameCount, frames);
	assert_null(motion->translations);
	rpText out = {0};
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatBvh;
	assert_true(rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &out, NULL));
	rpMotion* again = readRaw(path, out.data, out.size);
	assert_true(again->fps == motion->fps);
	assert_int_equal(again->frameCount, frames);
	assert_true(rpSkeleton_Matches(motion->skeleton, again->skeleton));
	double worst = compareMotions(motion, again) / unitsPerMetre;
	if (!(worst < 1e-5))
	{
		fail_msg("%s: %g m off", path, worst);
	}
	rpText_Free(&out);
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
}

static char* readManifest(const char* name)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", testMocap(), name);
	char* text = testReadFile(path, NULL);
	assert_non_null(text);
	return text;
}

static void everyTake(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	char* manifest = readManifest("manifest.csv");
	assert_true(count > 0);
	for (int i = 0; i < count; ++i)
	{
		const char* file = paths[i] + strlen(testMocap()) + 1;
		int frames = findFrames(manifest, file, 3);
		if (frames < 1)
		{
			fail_msg("%s is not in the manifest", file);
		}
		checkFile(paths[i], frames, 1.0 / 0.0564444);
	}
	free(manifest);
}

static void otherFiles(void** state)
{
	(void)state;
	static const struct
	{
		const char* file;
		double unitsPerMetre;
	} files[] = {{"asf_amc/11_01.bvh", 1.0 / 0.0564444},
				 {"bvh_other/threejs_pirouette.bvh", 100.0},
				 {"bvh_other/fairmotion_sinusoidal.bvh", 1.0},
				 {"bvh_other/cmu_76_07_tiny.bvh", 1.0 / 0.0564444}};
	char* manifest = readManifest("formats/manifest.csv");
	for (int i = 0; i < 4; ++i)
	{
		char path[1024];
		snprintf(path, sizeof(path), "%s/formats/%s", testMocap(), files[i].file);
		checkFile(path, findFrames(manifest, files[i].file, 2), files[i].unitsPerMetre);
	}
	free(manifest);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everyTake),
		cmocka_unit_test(otherFiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
