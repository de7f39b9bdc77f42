/// Loading: formats, names, sidecar, role fixes, errors.
#include "support.h"

#include "base/memory.h"
#include "file/bytes.h"
#include "file/writer.h"
#include "walker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpFindings s_findings;

static rpMotion* load(const char* path, const rpReadDef* def)
{
	rpFindings_Free(&s_findings);
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, def, &s_findings, &error);
	if (motion == NULL)
	{
		print_message("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
	}
	assert_non_null(motion);
	return motion;
}

static rpError failToLoad(const char* path, const rpReadDef* def)
{
	rpFindings_Free(&s_findings);
	rpError error = {0};
	assert_null(rpLoadMotion(path, def, &s_findings, &error));
	assert_true(error.code != rp_errorNone && error.message[0] != 0);
	assert_string_equal(error.file, path);
	return error;
}

// The walker in a file of its own, without a sidecar.
static const char* writeWalker(const char* name, double unitsPerMetre, int frameCount)
{
	rpMotion* walker = testMakeWalker(120.0, frameCount);
	rpSaveDef def = rpDefaultSaveDef();
	def.unitsPerMetre = unitsPerMetre;
	def.sidecar = false;
	const char* path = testPath(name);
	def.format = rp_formatBvh;
	assert_true(rpSaveMotion(walker, path, &def, NULL));
	rpDestroyMotion(walker);
	return path;
}

static void namesItsClip(void** state)
{
	(void)state;
	const char* path = writeWalker("some.walk.bvh", 100.0, 60);
	rpMotion* motion = load(path, NULL);
	assert_string_equal(motion->name, "some.walk");
	assert_int_equal(motion->inputCount, 1);
	assert_string_equal(motion->inputs[0].name, "some.walk.bvh");
	size_t size = 0;
	char* bytes = testReadFile(path, &size);
	char hash[33];
	rpHashBytes(bytes, size, hash);
	assert_string_equal(motion->inputs[0].hash, hash);
	rpInterval source;
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackSource, &source, 1), 1);
	assert_string_equal(source.name, "some.walk");
	assert_true(source.start == 0.0 && fabs(source.end - 0.5) < 1e-6 && source.sourceStart == 0.0);
	assert_int_equal(s_findings.count, 1);
	assert_string_equal(s_findings.items[0].code, "units");
	// The same from memory.
	rpMotion* read = rpReadMotion(bytes, size, "some.walk.bvh", NULL, NULL, NULL);
	assert_non_null(read);
	assert_true(rpMotion_Agrees(motion, read, 0.0f));
	assert_string_equal(read->name, "some.walk");
	rpDestroyMotion(read);
	rpDestroyMotion(motion);
	free(bytes);
}

static void knowsTheFormatByItsBytes(void** state)
{
	(void)state;
	rpMotion* motion = load(writeWalker("walk", 1.0, 10), NULL);
	assert_string_equal(motion->name, "walk");
	rpDestroyMotion(motion);
	rpError error = failToLoad(testWriteFile("notes.txt", "hello", 5), NULL);
	assert_int_equal(error.code, rp_errorFormat);
	error = failToLoad(testWriteFile("empty", "", 0), NULL);
	assert_int_equal(error.code, rp_errorFormat);
	error = failToLoad(testWriteFile("table.csv", "a,b\n", 4), NULL);
	assert_int_equal(error.code, rp_errorFormat);
	error = failToLoad(testPath("missing.bvh"), NULL);
	assert_int_equal(error.code, rp_errorFile);
	error = failToLoad(testWriteFile("bad.bvh", "HIERARCHY\nROOT a\n{\nOFSET 0 0 0\n}\n", 34), NULL);
	assert_int_equal(error.code, rp_errorFormat);
	assert_int_equal(error.line, 4);
}

static void wantsASkeletonForAmc(void** state)
{
	(void)state;
	const char amc[] = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n";
	rpError error = {0};
	assert_null(rpReadMotion(amc, sizeof(amc) - 1, "take", NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(error.hint[0] != 0);
	assert_string_equal(error.file, "take");
}

// ---- sidecar ----

static rpMotion* makeAnnotated(void)
{
	rpMotion* walker = testMakeWalker(120.0, 60);
	rpInterval label = {.track = rp_trackLabel, .start = 0.1, .end = 0.3, .name = "stroll"};
	assert_true(rpAnnotations_AddInterval(&walker->annotations, &label, NULL));
	assert_true(rpAnnotations_AddEvent(&walker->annotations, "clap", 0.25, NULL));
	return walker;
}

static const char* saveAnnotated(const char* name, double unitsPerMetre)
{
	rpMotion* walker = makeAnnotated();
	const char* path = testPath(name);
	rpSaveDef def = rpDefaultSaveDef();
	def.unitsPerMetre = unitsPerMetre;
	assert_true(rpSaveMotion(walker, path, &def, NULL));
	rpDestroyMotion(walker);
	return path;
}

static void takesTheSidecar(void** state)
{
	(void)state;
	rpMotion* walker = makeAnnotated();
	// 37 units per metre: nothing that the doctor would guess.
	const char* path = saveAnnotated("noted.bvh", 37.0);
	rpMotion* motion = load(path, NULL);
	assert_int_equal(s_findings.count, 0);
	assert_true(rpMotion_Agrees(walker, motion, 1e-5f));
	assert_int_equal(motion->annotations.eventCount, 1);
	rpInterval label;
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackLabel, &label, 1), 1);
	assert_string_equal(label.name, "stroll");
	rpDestroyMotion(motion);
	rpReadDef def = rpDefaultReadDef();
	def.scale = 2.0 / 37.0;
	motion = load(path, &def);
	assert_true(fabsf(motion->skeleton->height - 2.0f * walker->skeleton->height) < 1e-4f);
	rpDestroyMotion(motion);
	def = rpDefaultReadDef();
	def.ignoreSidecar = true;
	motion = load(path, &def);
	assert_int_equal(motion->annotations.eventCount, 0);
	rpDestroyMotion(motion);
	rpDestroyMotion(walker);
}

static void refusesAnothersSidecar(void** state)
{
	(void)state;
	// The file changed after the sidecar was written.
	const char* path = saveAnnotated("changed.bvh", 1.0);
	size_t size = 0;
	char* bytes = testReadFile(path, &size);
	bytes[size - 2] = bytes[size - 2] == '1' ? '2' : '1';
	testWriteFile("changed.bvh", bytes, size);
	rpMotion* motion = load(path, NULL);
	assert_non_null(rpFindings_Find(&s_findings, "sidecar"));
	assert_int_equal(motion->annotations.eventCount, 0);
	rpDestroyMotion(motion);
	free(bytes);
	// The sidecar is cut off.
	path = saveAnnotated("cut.bvh", 1.0);
	char* text = testReadFile(testPath("cut.json"), &size);
	assert_non_null(text);
	testWriteFile("cut.json", text, size / 2);
	motion = load(path, NULL);
	assert_non_null(rpFindings_Find(&s_findings, "sidecar"));
	assert_int_equal(motion->annotations.eventCount, 0);
	rpDestroyMotion(motion);
	free(text);
	// Somebody else's JSON is left alone.
	testWriteFile("cut.json", "{\"a\": 1}", 8);
	motion = load(path, NULL);
	assert_int_equal(s_findings.count, 0);
	rpDestroyMotion(motion);
}

// ---- roles ----

static void fixesRoles(void** state)
{
	(void)state;
	const char* path = writeWalker("roles.bvh", 1.0, 10);
	rpRoleFix fixes[] = {{rp_roleChest, "Spine"}, {rp_roleHead, ""}};
	rpReadDef def = rpDefaultReadDef();
	def.roleFixes = fixes;
	def.roleFixCount = 2;
	rpMotion* motion = load(path, &def);
	assert_int_equal(rpSkeleton_FindRole(motion->skeleton, rp_roleChest), testFindJoint(motion, "Spine"));
	assert_int_equal(rpSkeleton_FindRole(motion->skeleton, rp_roleHead), -1);
	rpDestroyMotion(motion);
	fixes[0].joint = "Spine2";
	rpError error = failToLoad(path, &def);
	assert_int_equal(error.code, rp_errorMissing);
	assert_non_null(strstr(error.message, "Spine2"));
	assert_non_null(strstr(error.hint, "\"Spine\""));
	assert_non_null(strstr(error.hint, "\"Spine1\""));
}

// ---- no memory ----

static void survivesEveryFailingAllocation(void** state)
{
	(void)state;
	const char* path = writeWalker("tiny.bvh", 100.0, 4);
	size_t size = 0;
	char* bytes = testReadFile(path, &size);
	rpRoleFix fix = {rp_roleChest, "Spine"};
	rpReadDef def = rpDefaultReadDef();
	def.roleFixes = &fix;
	def.roleFixCount = 1;
	rpFindings_Free(&s_findings);
	testUseCountingAllocator();
	bool done = false;
	for (int n = 0; !done && n < 10000; ++n)
	{
		int before = testCountLiveBlocks();
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* motion = rpReadMotion(bytes, size, "tiny.bvh", &def, &s_findings, &error);
		testFailAllocation(-1);
		done = motion != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyMotion(motion);
		rpFindings_Free(&s_findings);
		assert_int_equal(testCountLiveBlocks(), before);
	}
	assert_true(done);
	rpSetAllocator(NULL);
	free(bytes);
}

// The same with a sidecar beside the file.
static void survivesWithASidecar(void** state)
{
	(void)state;
	const char* path = saveAnnotated("noted_tiny.bvh", 100.0);
	rpFindings_Free(&s_findings);
	testUseCountingAllocator();
	bool done = false;
	for (int n = 0; !done && n < 10000; ++n)
	{
		int before = testCountLiveBlocks();
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* motion = rpLoadMotion(path, NULL, NULL, &error);
		testFailAllocation(-1);
		done = motion != NULL;
		assert_true(done || error.code == rp_errorMemory);
		assert_true(!done || motion->annotations.eventCount == 1);
		rpDestroyMotion(motion);
		assert_int_equal(testCountLiveBlocks(), before);
	}
	assert_true(done);
	rpSetAllocator(NULL);
}

static int tearDown(void** state)
{
	(void)state;
	rpFindings_Free(&s_findings);
	return 0;
}

// Without an end, or of some gigabytes: seen at the first bytes, not after all of them.
static void leavesOtherFilesAtOnce(void** state)
{
	(void)state;
	rpReadDef def = rpDefaultReadDef();
	assert_int_equal(failToLoad("/dev/zero", &def).code, rp_errorFormat);
	def.format = rp_formatBvh;
	assert_int_equal(failToLoad("/dev/zero", &def).code, rp_errorFormat);
	def.format = rp_formatGlb;
	assert_int_equal(failToLoad("/dev/zero", &def).code, rp_errorFormat);
}

// Blanks before the first word, more than the head of a file holds.
static void readsAfterManyBlanks(void** state)
{
	(void)state;
	const char* path = writeWalker("blanks.bvh", 100.0, 60);
	rpBytes bytes;
	assert_true(rpOpenBytes(path, &bytes, NULL));
	size_t blanks = RP_HEAD_SIZE + 100;
	char* text = malloc(blanks + bytes.size);
	memset(text, '\f', blanks);
	memcpy(text + blanks, bytes.data, bytes.size);
	rpMotion* motion = load(testWriteFile("blanks.bvh", text, blanks + bytes.size), NULL);
	assert_int_equal(motion->frameCount, 60);
	rpDestroyMotion(motion);
	free(text);
	rpCloseBytes(&bytes);
}

static void tellsSkeletonsFromMotions(void** state)
{
	(void)state;
	const char* path = testWriteFile("body.asf", ":version 1.10\n", 14);
	assert_non_null(strstr(failToLoad(path, NULL).hint, "skeleton"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leavesOtherFilesAtOnce),
		cmocka_unit_test(readsAfterManyBlanks),
		cmocka_unit_test(tellsSkeletonsFromMotions),
		cmocka_unit_test(namesItsClip),
		cmocka_unit_test(knowsTheFormatByItsBytes),
		cmocka_unit_test(wantsASkeletonForAmc),
		cmocka_unit_test(takesTheSidecar),
		cmocka_unit_test(refusesAnothersSidecar),
		cmocka_unit_test(fixesRoles),
		cmocka_unit_test(survivesEveryFailingAllocation),
		cmocka_unit_test(survivesWithASidecar),
	};
	return cmocka_run_group_tests(tests, NULL, tearDown);
}
