/// The motion library: what goes in comes out, and changes do what they say.
#include "library_scene.h"

#include "library/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rpSkeleton* s_body;

static rpLibrary* openNew(const char* name, const char** path)
{
	rpError error = {0};
	*path = testPath(name);
	rpLibrary* library = rpOpenLibrary(*path, rp_openCreate, &error);
	assert_string_equal(error.message, "");
	return library;
}

static rpClipId addClip(rpLibrary* library, int number, const rpAddDef* def, bool* isNew)
{
	rpError error = {0};
	rpMotion* motion = testMakeClip(s_body, number);
	rpClipId clip = rpLibrary_AddClip(library, motion, def, isNew, &error);
	assert_string_equal(error.message, "");
	rpDestroyMotion(motion);
	return clip;
}

static rpMotion* loadClip(const rpLibrary* library, rpClipId clip)
{
	rpError error = {0};
	rpMotion* motion = rpLibrary_LoadClip(library, clip, &error);
	assert_string_equal(error.message, "");
	return motion;
}

static int listClips(const rpLibrary* library, rpClipInfo** infos)
{
	rpError error = {0};
	int count = rpLibrary_ListClips(library, infos, &error);
	assert_string_equal(error.message, "");
	return count;
}

static void expectWhole(const char* path)
{
	rpError error = {0};
	rpFindings findings = {0};
	assert_true(rpCheckLibrary(path, &findings, &error));
	assert_string_equal(findings.count > 0 ? findings.items[0].message : "", "");
	rpFindings_Free(&findings);
}

static void testRoundTrip(void** state)
{
	(void)state;
	const char* path = testPath("round.reprise");
	testMakeLibrary(path, 12);
	testExpectLibrary(path, 12);
	char beside[600];
	snprintf(beside, sizeof(beside), "%s-journal", path);
	assert_int_equal(access(beside, F_OK), -1);
}

// Clips that are longer than a part.
static void testLongClip(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("long.reprise", &path);
	rpMotion* motion = testMakeMotion(s_body, "long", 120.0, 70000, 5);
	testAddTranslations(motion);
	rpClipId clip = rpLibrary_AddClip(library, motion, NULL, NULL, NULL);
	int64_t parts = 0;
	assert_true(rpStore_GetNumber(library, &parts, NULL, NULL, "SELECT count(*) FROM frames", ""));
	assert_true(parts > 1);
	rpMotion* loaded = loadClip(library, clip);
	assert_true(testSameMotion(motion, loaded, true));
	rpDestroyMotion(motion);
	rpDestroyMotion(loaded);
	rpCloseLibrary(library);
	expectWhole(path);
}

static void testSameContentChangesNothing(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("same.reprise", &path);
	bool isNew = false;
	rpClipId first = addClip(library, 0, NULL, &isNew);
	assert_true(isNew);
	rpMotion* loaded = loadClip(library, first);
	rpCloseLibrary(library);
	char before[80], after[80];
	testStampFile(path, before);

	library = rpOpenLibrary(path, rp_openCreate, NULL);
	rpAddDef def = rpDefaultAddDef();
	def.name = "another name";
	assert_int_equal(addClip(library, 0, &def, &isNew), first);
	assert_false(isNew);
	// What was loaded is the same content too.
	assert_int_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), first);
	assert_false(isNew);
	// So is the same take from a file of another name, where rows were dropped and the rest says whence it came.
	rpInterval source = {.track = rp_trackSource, .name = "a copy of it", .end = 0.02, .sourceEnd = 0.02};
	assert_true(rpAnnotations_AddInterval(&loaded->annotations, &source, NULL));
	assert_int_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), first);
	assert_false(isNew);
	rpCloseLibrary(library);
	testStampFile(path, after);
	assert_string_equal(before, after);

	// A bit of a frame, the rate, an annotation: each makes it another.
	library = rpOpenLibrary(path, rp_openWrite, NULL);
	loaded->rootPositions[0].x = nextafterf(loaded->rootPositions[0].x, 10.0f);
	assert_int_not_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), 0);
	assert_true(isNew);
	loaded->fps += 1.0;
	assert_int_not_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), 0);
	assert_true(isNew);
	assert_true(rpAnnotations_AddEvent(&loaded->annotations, "seam", 0.01, NULL));
	assert_int_not_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), 0);
	assert_true(isNew);
	rpInterval label = {.track = rp_trackLabel, .name = "hop", .start = 0.0, .end = 0.02};
	assert_true(rpAnnotations_AddInterval(&loaded->annotations, &label, NULL));
	assert_int_equal(rpLibrary_AddClip(library, loaded, NULL, &isNew, NULL), first + 4);
	assert_true(isNew);
	rpDestroyMotion(loaded);
	rpCloseLibrary(library);
	expectWhole(path);
}

static void testNamesThatAreTaken(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("names.reprise", &path);
	rpAddDef def = rpDefaultAddDef();
	def.name = "walk";
	for (int i = 0; i < 4; ++i)
	{
		addClip(library, i, &def, NULL);
	}
	rpClipInfo* infos;
	int count = listClips(library, &infos);
	assert_int_equal(count, 4);
	assert_string_equal(infos[0].name, "walk");
	assert_string_equal(infos[1].name, "walk-2");
	assert_string_equal(infos[2].name, "walk-3");
	assert_string_equal(infos[3].name, "walk-4");
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);
}

// A name that is no text, empty or endless is mended rather than refused when it comes from a file.
static void testOddNames(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("odd.reprise", &path);
	char endless[10000];
	memset(endless, 'x', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = 0;
	const char* names[] = {"caf\xe9", "", endless, "\xf0\x9f\x95\xba dance", "a\nb"};
	for (int i = 0; i < 5; ++i)
	{
		rpMotion* motion = testMakeClip(s_body, i);
		assert_true(rpMotion_SetName(motion, names[i], NULL));
		assert_true(rpMotion_AddInput(motion, names[i], "", NULL));
		assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, NULL), i + 1);
		rpDestroyMotion(motion);
	}
	rpClipInfo* infos;
	int count = listClips(library, &infos);
	assert_string_equal(infos[0].name, "caf?");
	assert_string_equal(infos[1].name, "clip");
	assert_true(strlen(infos[2].name) < 4000);
	assert_string_equal(infos[3].name, names[3]);
	assert_string_equal(infos[4].name, names[4]);
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);
	expectWhole(path);
}

static void testFind(void** state)
{
	(void)state;
	const char* path;
	rpError error = {0};
	rpLibrary* library = openNew("find.reprise", &path);
	const char* names[] = {"walk_left", "run_fast", "7"};
	for (int i = 0; i < 3; ++i)
	{
		rpAddDef def = rpDefaultAddDef();
		def.name = names[i];
		addClip(library, i, &def, NULL);
	}
	assert_int_equal(rpLibrary_FindClip(library, "run_fast", &error), 2);
	assert_int_equal(rpLibrary_FindClip(library, "1", &error), 1);
	assert_int_equal(rpLibrary_FindClip(library, "7", &error), 3);
	assert_string_equal(error.message, "");
	assert_int_equal(rpLibrary_FindClip(library, "walk_lfet", &error), 0);
	assert_int_equal(error.code, rp_errorMissing);
	assert_non_null(strstr(error.hint, "walk_left"));
	assert_int_equal(rpLibrary_FindClip(library, "99999999999999999999", &error), 0);
	assert_int_equal(error.code, rp_errorMissing);
	assert_int_equal(rpLibrary_FindClip(library, "zzzzzzzzzzzzzzzzz", &error), 0);
	assert_null(strstr(error.hint, "did you mean"));
	assert_null(rpLibrary_LoadClip(library, 17, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpCloseLibrary(library);
}

// The labels of a clip as "name start end;" with times in hundredths.
static const char* getLabels(const rpLibrary* library, rpClipId clip)
{
	static char text[400];
	rpInterval labels[32];
	rpMotion* motion = loadClip(library, clip);
	int count = rpMotion_GetIntervals(motion, rp_trackLabel, labels, 32);
	text[0] = 0;
	for (int i = 0; i < count; ++i)
	{
		size_t size = strlen(text);
		snprintf(text + size, sizeof(text) - size, "%s %.0f %.0f;", labels[i].name, labels[i].start * 100.0,
				 labels[i].end * 100.0);
	}
	rpDestroyMotion(motion);
	return text;
}

static void testLabels(void** state)
{
	(void)state;
	const char* path;
	rpError error = {0};
	rpLibrary* library = openNew("labels.reprise", &path);
	rpMotion* motion = testMakeMotion(s_body, "long", 100.0, 101, 3);
	const char* labels[] = {"walk", "calm"};
	rpAddDef def = rpDefaultAddDef();
	def.labels = labels;
	def.labelCount = 2;
	rpClipId clip = rpLibrary_AddClip(library, motion, &def, NULL, &error);
	assert_string_equal(getLabels(library, clip), "calm 0 100;walk 0 100;");
	// Labels that are given with the file are not part of its content.
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), clip);

	assert_true(rpLibrary_RemoveLabel(library, clip, "walk", 0.25, 0.5, &error));
	assert_string_equal(getLabels(library, clip), "walk 0 25;calm 0 100;walk 50 100;");
	assert_true(rpLibrary_RemoveLabel(library, clip, "walk", 0.9, -1.0, &error));
	assert_string_equal(getLabels(library, clip), "walk 0 25;calm 0 100;walk 50 90;");
	assert_true(rpLibrary_AddLabel(library, clip, "walk", 0.2, 0.6, &error));
	assert_string_equal(getLabels(library, clip), "walk 0 90;calm 0 100;");
	assert_true(rpLibrary_AddLabel(library, clip, "walk", 0.95, 7.0, &error));
	assert_string_equal(getLabels(library, clip), "walk 0 90;calm 0 100;walk 95 100;");
	assert_true(rpLibrary_AddLabel(library, clip, "walk", 0.0, -1.0, &error));
	assert_string_equal(getLabels(library, clip), "calm 0 100;walk 0 100;");
	assert_true(rpLibrary_RemoveLabel(library, clip, "calm", 0.0, -1.0, &error));
	assert_string_equal(getLabels(library, clip), "walk 0 100;");
	rpClipInfo* infos;
	int count = listClips(library, &infos);
	assert_string_equal(infos[0].labels, "walk");
	rpFreeClipInfos(infos, count);

	assert_false(rpLibrary_RemoveLabel(library, clip, "calm", 0.0, -1.0, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_false(rpLibrary_AddLabel(library, clip, "", 0.0, -1.0, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(rpLibrary_AddLabel(library, clip, "\xff", 0.0, -1.0, &error));
	assert_false(rpLibrary_AddLabel(library, clip, "a,b", 0.0, -1.0, &error));
	assert_false(rpLibrary_AddLabel(library, clip, "late", 1.5, 2.0, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(rpLibrary_AddLabel(library, clip, "turned", 0.5, 0.25, &error));
	assert_false(rpLibrary_AddLabel(library, clip, "never", (double)NAN, 0.25, &error));
	assert_false(rpLibrary_AddLabel(library, clip + 1, "walk", 0.0, 0.25, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_string_equal(getLabels(library, clip), "walk 0 100;");
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
	expectWhole(path);
}

static void testRename(void** state)
{
	(void)state;
	const char* path;
	rpError error = {0};
	rpLibrary* library = openNew("rename.reprise", &path);
	rpClipId first = addClip(library, 0, NULL, NULL);
	rpClipId second = addClip(library, 1, NULL, NULL);
	assert_true(rpLibrary_RenameClip(library, first, "hop", &error));
	assert_true(rpLibrary_RenameClip(library, first, "hop", &error));
	assert_int_equal(rpLibrary_FindClip(library, "hop", &error), first);
	assert_false(rpLibrary_RenameClip(library, second, "hop", &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(rpLibrary_RenameClip(library, second, "", &error));
	assert_false(rpLibrary_RenameClip(library, second, "\xc3", &error));
	assert_false(rpLibrary_RenameClip(library, 77, "jump", &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpMotion* loaded = loadClip(library, first);
	assert_string_equal(loaded->name, "hop");
	rpDestroyMotion(loaded);
	rpCloseLibrary(library);
	expectWhole(path);
}

static long getSize(const char* path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return (long)status.st_size;
}

static void testRemove(void** state)
{
	(void)state;
	const char* path;
	rpError error = {0};
	rpLibrary* library = openNew("remove.reprise", &path);
	addClip(library, 0, NULL, NULL);
	long small = getSize(path);
	rpMotion* motion = testMakeMotion(s_body, "long", 120.0, 5000, 8);
	rpClipId clip = rpLibrary_AddClip(library, motion, NULL, NULL, &error);
	assert_true(getSize(path) > small + 800000);
	assert_true(rpLibrary_RemoveClip(library, clip, &error));
	assert_int_equal(getSize(path), small);
	assert_false(rpLibrary_RemoveClip(library, clip, &error));
	assert_int_equal(error.code, rp_errorMissing);

	// Numbers are never used twice, and content that was removed can come again.
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), clip + 1);
	assert_true(rpLibrary_RemoveClip(library, clip + 1, &error));
	assert_true(rpLibrary_RemoveClip(library, 1, &error));
	int64_t skeletons = -1;
	assert_true(rpStore_GetNumber(library, &skeletons, NULL, &error, "SELECT count(*) FROM skeletons", ""));
	assert_int_equal(skeletons, 0);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
	library = rpOpenLibrary(path, rp_openWrite, &error);
	assert_int_equal(addClip(library, 1, NULL, NULL), clip + 2);
	rpCloseLibrary(library);
	expectWhole(path);
}

// A copy of a body whose second joint is moved, and whose last joint has another role.
static rpSkeleton* alterBody(float move, rpRole role)
{
	rpSkeletonDef def = rpSkeleton_GetDef(s_body);
	rpJoint joints[64];
	memcpy(joints, def.joints, (size_t)def.jointCount * sizeof(rpJoint));
	joints[1].offset.x += move;
	joints[def.jointCount - 1].role = role;
	def.joints = joints;
	rpSkeleton* altered = rpCreateSkeleton(&def, NULL);
	assert_non_null(altered);
	return altered;
}

static void testSkeletonsAreShared(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("skeletons.reprise", &path);
	rpSkeleton* bodies[5] = {alterBody(0.0f, s_body->joints[s_body->jointCount - 1].role),
							 alterBody(0.8e-4f, rp_roleNone), alterBody(-0.8e-4f, rp_roleNone),
							 alterBody(0.3f, rp_roleNone), testMakePuppet(false)};
	for (int i = 0; i < 5; ++i)
	{
		rpMotion* motion = testMakeClip(bodies[i], i);
		assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, NULL), i + 1);
		rpMotion* loaded = loadClip(library, i + 1);
		assert_true(testSameMotion(motion, loaded, true));
		rpDestroyMotion(loaded);
		rpDestroyMotion(motion);
	}
	rpMotion* first = loadClip(library, 1);
	rpMotion* last = loadClip(library, 5);
	assert_ptr_equal(first->skeleton, last->skeleton);
	rpClipInfo* infos;
	int count = listClips(library, &infos);
	// The third matches the first, but not the second, which is of the first's family.
	assert_int_equal(infos[0].skeletonId, infos[1].skeletonId);
	assert_int_equal(infos[0].skeletonId, infos[4].skeletonId);
	assert_int_not_equal(infos[0].skeletonId, infos[2].skeletonId);
	assert_int_not_equal(infos[0].skeletonId, infos[3].skeletonId);
	assert_int_not_equal(infos[2].skeletonId, infos[3].skeletonId);
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);
	// Motions live on without their library.
	assert_true(rpSkeleton_Matches(first->skeleton, last->skeleton));
	rpDestroyMotion(first);
	rpDestroyMotion(last);
	for (int i = 0; i < 5; ++i)
	{
		rpReleaseSkeleton(bodies[i]);
	}
	expectWhole(path);
}

static void testInfos(void** state)
{
	(void)state;
	const char* path;
	rpLibrary* library = openNew("infos.reprise", &path);
	rpClipInfo* infos;
	assert_int_equal(listClips(library, &infos), 0);
	rpFreeClipInfos(infos, 0);
	rpMotion* motion = testMakeClip(s_body, 1);
	assert_true(rpMotion_AddInput(motion, "take.bvh", "0123456789abcdef0123456789abcdef", NULL));
	const char* labels[] = {"b", "a", "b"};
	rpAddDef def = rpDefaultAddDef();
	def.labels = labels;
	def.labelCount = 3;
	assert_int_equal(rpLibrary_AddClip(library, motion, &def, NULL, NULL), 1);
	assert_int_equal(listClips(library, &infos), 1);
	assert_string_equal(infos[0].name, "clip-1");
	assert_string_equal(infos[0].source, "take.bvh");
	assert_string_equal(infos[0].labels, "a,b");
	assert_int_equal(infos[0].jointCount, s_body->jointCount);
	assert_int_equal(infos[0].frameCount, motion->frameCount);
	assert_true(infos[0].fps == motion->fps);
	assert_int_equal(strlen(infos[0].hash), 32);
	rpFreeClipInfos(infos, 1);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

static void testBadMotionsAreRefused(void** state)
{
	(void)state;
	const char* path;
	rpError error = {0};
	rpLibrary* library = openNew("bad.reprise", &path);
	rpMotion* motion = testMakeClip(s_body, 0);
	float good = motion->rootPositions[1].y;
	motion->rootPositions[1].y = NAN;
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), 0);
	assert_int_equal(error.code, rp_errorFormat);
	motion->rootPositions[1].y = good;
	motion->rotations[3].w += 1.5f;
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), 0);
	assert_int_equal(error.code, rp_errorFormat);
	motion->rotations[3] = rpQuat_identity;
	motion->translations[5].z = INFINITY;
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), 0);
	assert_int_equal(error.code, rp_errorFormat);
	motion->translations[5].z = 0.0f;
	rpAddDef def = rpDefaultAddDef();
	def.name = "";
	assert_int_equal(rpLibrary_AddClip(library, motion, &def, NULL, &error), 0);
	assert_int_equal(error.code, rp_errorArgument);
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), 1);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

static void testReadingWritesNothing(void** state)
{
	(void)state;
	const char* path = testPath("still.reprise");
	rpError error = {0};
	char before[80], after[80];
	testMakeLibrary(path, 5);
	testStampFile(path, before);
	assert_int_equal(chmod(path, 0444), 0);
	testExpectLibrary(path, 5);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	rpMotion* motion = testMakeClip(s_body, 40);
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), 0);
	assert_int_equal(error.code, rp_errorFile);
	assert_false(rpLibrary_RemoveClip(library, 1, &error));
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
	testStampFile(path, after);
	assert_string_equal(before, after);
}

// SQLite takes some paths for something else.
static void testOddPaths(void** state)
{
	(void)state;
	assert_int_equal(chdir(testFolder()), 0);
	const char* paths[] = {":memory:", "file:x.reprise?mode=memory", "a?b#c.reprise", "caf\xc3\xa9 \x01.reprise"};
	for (int i = 0; i < 4; ++i)
	{
		testMakeLibrary(paths[i], 1);
		assert_int_equal(access(paths[i], F_OK), 0);
		testExpectLibrary(paths[i], 1);
	}
	rpError error = {0};
	assert_null(rpOpenLibrary("", rp_openCreate, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_null(rpOpenLibrary("no/such/folder.reprise", rp_openCreate, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_null(rpOpenLibrary("missing.reprise", rp_openWrite, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_string_equal(error.file, "missing.reprise");
	assert_int_equal(access("missing.reprise", F_OK), -1);
	assert_null(rpOpenLibrary(".", rp_openRead, &error));
	assert_int_equal(error.code, rp_errorFile);
	// Through a link, the library behind it.
	assert_int_equal(symlink("a?b#c.reprise", "link.reprise"), 0);
	testExpectLibrary("link.reprise", 1);
}

// A library of version 1 as it was first made, with pages of 512 bytes. It must be readable by every later program.
static void testFirstVersion(void** state)
{
	(void)state;
	const char* source = getenv("REPRISE_SOURCE");
	if (source == NULL)
	{
		print_message("skipped: REPRISE_SOURCE is not set\n");
		skip();
	}
	char path[1000];
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/test/keep/library/version-1", source);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	assert_string_equal(error.message, "");
	rpClipInfo* infos;
	assert_int_equal(listClips(library, &infos), 2);
	assert_string_equal(infos[0].name, "walk");
	assert_string_equal(infos[1].name, "run");
	assert_string_equal(infos[1].labels, "walk");
	rpFreeClipInfos(infos, 2);
	rpMotion* motion = loadClip(library, 2);
	assert_int_equal(motion->frameCount, 3);
	assert_string_equal(motion->skeleton->joints[1].name, "tail");
	rpInterval contact;
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackContact, &contact, 1), 1);
	assert_int_equal(contact.effector, rp_leftHeel);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
	expectWhole(path);
}

static int makeBody(void** state)
{
	(void)state;
	s_body = testMakePuppet(false);
	return 0;
}

static int releaseBody(void** state)
{
	(void)state;
	rpReleaseSkeleton(s_body);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testRoundTrip),
		cmocka_unit_test(testLongClip),
		cmocka_unit_test(testSameContentChangesNothing),
		cmocka_unit_test(testNamesThatAreTaken),
		cmocka_unit_test(testOddNames),
		cmocka_unit_test(testFind),
		cmocka_unit_test(testLabels),
		cmocka_unit_test(testRename),
		cmocka_unit_test(testRemove),
		cmocka_unit_test(testSkeletonsAreShared),
		cmocka_unit_test(testInfos),
		cmocka_unit_test(testBadMotionsAreRefused),
		cmocka_unit_test(testReadingWritesNothing),
		cmocka_unit_test(testOddPaths),
		cmocka_unit_test(testFirstVersion),
	};
	return cmocka_run_group_tests(tests, makeBody, releaseBody);
}
