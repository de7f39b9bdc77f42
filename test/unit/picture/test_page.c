/// The page: one file that holds the viewer and the motions, and nothing that a stranger's file could slip in.
/// With `--write FOLDER` it leaves pages there for the browser test.
#include "support.h"

#include "base/memory.h"
#include "picture/assets.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char s_hostile[] =
	"</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>'\"&\xe2\x80\xa8\xff";

static rpMotion* perform(rpAct act, double fps, double seconds, float turn)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = fps;
	def.seconds = seconds;
	def.parameters[rp_paramTurn] = turn;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static char* writePage(rpMotion** motions, int count, const rpPageDef* def, size_t* size)
{
	rpError error = {0};
	bool ok = rpWritePage((const rpMotion* const*)motions, count, testPath("page.html"), def, &error);
	assert_string_equal(error.message, "");
	assert_true(ok);
	return testReadFile(testPath("page.html"), size);
}

static int countText(const char* text, const char* part)
{
	int count = 0;
	for (; (text = strstr(text, part)) != NULL; ++text)
	{
		++count;
	}
	return count;
}

static json_t* readData(const char* page)
{
	static const char mark[] = "id=\"data\">";
	const char* start = strstr(page, mark);
	assert_non_null(start);
	start += sizeof(mark) - 1;
	const char* end = strstr(start, "</script>");
	assert_non_null(end);
	json_error_t error;
	json_t* data = json_loadb(start, (size_t)(end - start), 0, &error);
	if (data == NULL)
	{
		printf("%s at %d\n", error.text, error.position);
	}
	assert_non_null(data);
	return json_object_get(data, "clips") != NULL ? data : NULL;
}

static int getDigit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	return (int)(strchr(digits, c) - digits);
}

static unsigned char* decode(const char* text, size_t* size)
{
	size_t length = strlen(text);
	unsigned char* out = malloc(length + 1);
	*size = 0;
	for (size_t i = 0; i + 3 < length; i += 4)
	{
		int padded = (text[i + 2] == '=') + (text[i + 3] == '=');
		unsigned group = (unsigned)getDigit(text[i]) << 18 | (unsigned)getDigit(text[i + 1]) << 12;
		group |= padded < 2 ? (unsigned)getDigit(text[i + 2]) << 6 : 0;
		group |= padded < 1 ? (unsigned)getDigit(text[i + 3]) : 0;
		for (int k = 0; k < 3 - padded; ++k)
		{
			out[(*size)++] = (unsigned char)(group >> (16 - 8 * k));
		}
	}
	return out;
}

// What stands in the page is the motion: decoded points are joints of the frames, within the packing's step.
static void testHoldsTheMotion(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actRun, 60, 3, 0.4f);
	char* page = writePage(&motion, 1, NULL, NULL);
	json_t* data = readData(page);
	json_t* clip = json_array_get(json_object_get(data, "clips"), 0);
	size_t rootSize, dataSize;
	unsigned char* roots = decode(json_string_value(json_object_get(clip, "root")), &rootSize);
	unsigned char* offsets = decode(json_string_value(json_object_get(clip, "data")), &dataSize);
	int points = (int)json_number_value(json_object_get(clip, "pointCount"));
	double reach = json_number_value(json_object_get(clip, "reach"));
	assert_int_equal(json_number_value(json_object_get(clip, "count")), motion->frameCount);
	assert_int_equal(rootSize, 12 * motion->frameCount);
	assert_int_equal(dataSize, 6 * points * motion->frameCount);
	assert_true(points >= motion->skeleton->jointCount);
	rpTransform world[64];
	for (int f = 0; f < motion->frameCount; f += 7)
	{
		float place[3];
		memcpy(place, roots + 12 * f, 12);
		rpMotion_Forward(motion, f, world);
		assert_true(rpDistance((rpVec3){place[0], place[1], place[2]}, world[0].p) < 1e-6f);
		// All joints of this body are drawn from, so they keep their order.
		for (int j = 0; j < motion->skeleton->jointCount; ++j)
		{
			int16_t q[3];
			memcpy(q, offsets + 6 * ((size_t)f * (size_t)points + (size_t)j), 6);
			float unit = (float)(reach / 32767);
			rpVec3 p = {place[0] + unit * q[0], place[1] + unit * q[1], place[2] + unit * q[2]};
			assert_true(rpDistance(p, world[j].p) < 2e-4f);
		}
	}
	assert_int_equal(json_array_size(json_object_get(clip, "labels")), 1);
	assert_int_equal((int)json_array_size(json_object_get(clip, "contacts")),
					 rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0));
	assert_int_equal((int)json_array_size(json_object_get(clip, "phases")),
					 rpMotion_GetIntervals(motion, rp_trackPhase, NULL, 0));
	free(roots);
	free(offsets);
	json_decref(data);
	free(page);
	rpDestroyMotion(motion);
}

// Straight ahead, then beside it: walking, then sneaking, with a seam between.
static rpMotion* makeFollower(void)
{
	rpMotion* motion = perform(rp_actWalk, 60, 6, 0);
	double half = 0.5 * rpMotion_GetDuration(motion), end = motion->frameCount / motion->fps;
	rpVec3 stop = motion->rootPositions[motion->frameCount - 1];
	const rpVec2 points[] = {{0.0f, 0.0f}, {0.3f, 0.5f * stop.z}, {0.3f, stop.z}};
	rpAnnotations_Clear(&motion->annotations, rp_trackLabel, NULL);
	const rpInterval walk = {.track = rp_trackLabel, .name = "walk", .end = half};
	const rpInterval sneak = {.track = rp_trackLabel, .name = "sneak", .start = half, .end = end};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &walk, NULL));
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &sneak, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", half, NULL));
	assert_true(rpMotion_NotePath(motion, NULL, points, 3, NULL));
	assert_true(rpMotion_SetName(motion, "follower", NULL));
	return motion;
}

// The path that a motion was to follow is there, and only there where there was one.
static void testHoldsTheWantedPath(void** state)
{
	(void)state;
	rpMotion* motions[] = {makeFollower(), perform(rp_actRun, 60, 1, 0)};
	char* page = writePage(motions, 2, NULL, NULL);
	json_t* data = readData(page);
	const json_t* wanted = json_object_get(json_array_get(json_object_get(data, "clips"), 0), "wanted");
	assert_int_equal(json_array_size(wanted), 9);
	assert_true(fabs(json_number_value(json_array_get(wanted, 4)) - 0.3) < 1e-6);
	assert_true(fabs(json_number_value(json_array_get(wanted, 6)) - 6.0) < 1e-6);
	assert_null(json_object_get(json_array_get(json_object_get(data, "clips"), 1), "wanted"));
	json_decref(data);
	free(page);
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

static void testFastMotionIsThinned(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actWalk, 240, 2, 0);
	char* page = writePage(&motion, 1, NULL, NULL);
	json_t* data = readData(page);
	json_t* clip = json_array_get(json_object_get(data, "clips"), 0);
	assert_true(json_number_value(json_object_get(clip, "fps")) == 240);
	assert_true(json_number_value(json_object_get(clip, "frames")) == 481);
	assert_true(json_number_value(json_object_get(clip, "rate")) == 60);
	assert_true(json_number_value(json_object_get(clip, "count")) == 121);
	json_decref(data);
	free(page);
	rpDestroyMotion(motion);
}

static rpMotion* makeHostile(void)
{
	rpMotion* motion = perform(rp_actWave, 30, 2, 0);
	assert_true(rpMotion_SetName(motion, s_hostile, NULL));
	rpInterval label = {.track = rp_trackLabel, .start = 0, .end = 1, .name = s_hostile};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, s_hostile, 0.5, NULL));
	return motion;
}

static void testHostileNames(void** state)
{
	(void)state;
	rpMotion* motion = makeHostile();
	rpPageDef def = rpDefaultPageDef();
	def.title = s_hostile;
	size_t size;
	char* page = writePage(&motion, 1, &def, &size);
	assert_int_equal(strlen(page), size);
	assert_null(strstr(page, "<script>window.hacked"));
	assert_null(strstr(page, "<img src=x"));
	assert_int_equal(countText(page, "</script"), 2);
	// Only the two line ends of the file's own text; U+2028 is written as an escape.
	assert_null(strstr(strstr(page, "id=\"data\""), "\xe2\x80\xa8"));
	json_t* data = readData(page);
	const char* name = json_string_value(json_object_get(json_array_get(json_object_get(data, "clips"), 0), "name"));
	assert_non_null(strstr(name, "</script><script>window.hacked=1</script>"));
	json_decref(data);
	free(page);
	rpDestroyMotion(motion);
}

static void testWholePage(void** state)
{
	(void)state;
	rpMotion* motions[] = {perform(rp_actWalk, 60, 2, 0), perform(rp_actJump, 60, 2, 0)};
	rpPageDef def = rpDefaultPageDef();
	def.title = "Two motions";
	def.introduction = "<p id=\"hello\">An <b>introduction</b>.</p>";
	char* page = writePage(motions, 2, &def, NULL);
	assert_memory_equal(page, "<!DOCTYPE html>", 15);
	assert_non_null(strstr(page, "<title>Two motions</title>"));
	assert_non_null(strstr(page, def.introduction));
	assert_null(strstr(page, "@TITLE@"));
	assert_null(strstr(page, "@DATA@"));
	// Needs nothing else: no address is loaded.
	assert_null(strstr(page, "http://"));
	assert_null(strstr(page, "https://"));
	assert_null(strstr(page, "<script src"));
	char* again = writePage(motions, 2, &def, NULL);
	assert_string_equal(page, again);
	free(page);
	free(again);
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

static void testRefusals(void** state)
{
	(void)state;
	rpError error = {0};
	assert_false(rpWritePage(NULL, 0, testPath("none.html"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpMotion* motion = perform(rp_actStand, 30, 1e-3, 0);
	const rpMotion* list[] = {motion};
	assert_false(rpWritePage(list, 1, testPath("no/such/folder/page.html"), NULL, &error));
	assert_int_equal(error.code, rp_errorFile);
	assert_true(rpWritePage(list, 1, testPath("one.html"), NULL, &error));
	rpDestroyMotion(motion);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actWalk, 120, 0.2, 0);
	const rpMotion* list[] = {motion};
	int live = testCountLiveBlocks();
	bool ok = false;
	for (int n = 0; !ok && n < 2000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		ok = rpWritePage(list, 1, testPath("memory.html"), NULL, &error);
		testFailAllocation(-1);
		assert_true(ok || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(ok);
	rpDestroyMotion(motion);
}

// ---- models

// A bundle of a model of locomotion of one walk.
static void* makeBundle(size_t* size)
{
	rpMotion* walk = perform(rp_actWalk, 30, 5, 0);
	const rpMotion* takes[] = {walk};
	rpLocomotionDef def = rpDefaultLocomotionDef();
	rpLocomotion* model = rpBuildLocomotionOf(takes, 1, &def, NULL, NULL);
	assert_non_null(model);
	void* bytes = rpWriteLocomotionBundle(model, size, NULL);
	assert_non_null(bytes);
	rpDestroyLocomotion(model);
	rpDestroyMotion(walk);
	return bytes;
}

static unsigned char* unpack(const json_t* text, size_t* size)
{
	size_t packedSize;
	unsigned char* packed = decode(json_string_value(text), &packedSize);
	uLongf got = 1 << 24;
	unsigned char* out = malloc(got);
	assert_int_equal(uncompress(out, &got, packed, packedSize), Z_OK);
	*size = got;
	free(packed);
	return out;
}

// It is folded; opened it is the same to the byte.
static void checkBundle(const json_t* text, const void* bytes, size_t size)
{
	size_t foldedSize, heldSize;
	unsigned char* folded = unpack(text, &foldedSize);
	assert_memory_equal(folded, "RPF", 3);
	rpBundle* bundle = rpCreateBundle(folded, foldedSize, NULL);
	assert_non_null(bundle);
	const void* held = rpBundle_GetBytes(bundle, &heldSize);
	assert_int_equal(heldSize, size);
	assert_memory_equal(held, bytes, size);
	rpDestroyBundle(bundle);
	free(folded);
}

// Points of a model are where the player's figure has them.
static void checkPoints(const json_t* model, const void* bytes, size_t size)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	const json_t* points = json_object_get(model, "points");
	int count = (int)json_array_size(points), joints = skeleton->jointCount;
	assert_int_equal(json_number_value(json_object_get(model, "pointCount")), count);
	// All joints and ends of this body are drawn from, and both heels.
	assert_int_equal(count, joints + skeleton->endCount + 2);
	for (int i = 0; i < count; ++i)
	{
		const json_t* point = json_array_get(points, (size_t)i);
		rpVec3 offset = {(float)json_number_value(json_array_get(point, 1)),
						 (float)json_number_value(json_array_get(point, 2)),
						 (float)json_number_value(json_array_get(point, 3))};
		int joint = (int)json_number_value(json_array_get(point, 0)), end = i - joints;
		rpAttachment wanted = {.joint = i};
		if (end >= skeleton->endCount)
		{
			wanted = skeleton->effectors[end == skeleton->endCount ? rp_leftHeel : rp_rightHeel];
			wanted.offset = rpScale(0.65f, wanted.offset);
		}
		else if (end >= 0)
		{
			wanted = (rpAttachment){skeleton->ends[end].joint, skeleton->ends[end].offset};
		}
		assert_int_equal(joint, wanted.joint);
		assert_true(rpDistance(offset, wanted.offset) < 1e-6f);
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

// A page of a model alone, and of a model and a motion: the bundle is in it to the byte, and the runtime.
static void testHoldsTheModel(void** state)
{
	(void)state;
	size_t size;
	void* bytes = makeBundle(&size);
	const rpPageModel models[] = {{s_hostile, bytes, size}, {NULL, bytes, size}};
	rpPageDef def = rpDefaultPageDef();
	def.models = models;
	def.modelCount = 2;
	rpMotion* motion = perform(rp_actWave, 30, 1, 0);
	for (int motionCount = 0; motionCount < 2; ++motionCount)
	{
		char* page = writePage(&motion, motionCount, &def, NULL);
		assert_null(strstr(page, "<script>window.hacked"));
		json_t* data = readData(page);
		assert_int_equal(json_array_size(json_object_get(data, "clips")), motionCount);
		json_t* list = json_object_get(data, "models");
		assert_int_equal(json_array_size(list), 2);
		const json_t *model = json_array_get(list, 0), *other = json_array_get(list, 1);
		assert_non_null(strstr(json_string_value(json_object_get(model, "name")), "window.hacked"));
		assert_string_equal(json_string_value(json_object_get(other, "name")), "model");
		checkBundle(json_object_get(model, "bundle"), bytes, size);
		checkPoints(model, bytes, size);
		size_t heldSize;
		unsigned char* held = unpack(json_object_get(data, "runtime"), &heldSize);
		assert_int_equal(heldSize, rpAsset_reprise_play_wasm_size);
		assert_memory_equal(held, rpAsset_reprise_play_wasm, heldSize);
		free(held);
		json_decref(data);
		free(page);
	}
	char* plain = writePage(&motion, 1, NULL, NULL);
	json_t* data = readData(plain);
	assert_int_equal(json_array_size(json_object_get(data, "models")), 0);
	assert_true(json_is_null(json_object_get(data, "runtime")));
	json_decref(data);
	free(plain);
	rpDestroyMotion(motion);
	rpFreeBytes(bytes);
}

// What players refuse is refused with their error, and no page is written.
static void testDamagedModel(void** state)
{
	(void)state;
	size_t size;
	unsigned char* bytes = makeBundle(&size);
	rpPageModel model = {"damaged", bytes, size};
	rpPageDef def = {.models = &model, .modelCount = 1};
	rpError error = {0};
	bytes[size / 2] ^= 1;
	assert_false(rpWritePage(NULL, 0, testPath("damaged.html"), &def, &error));
	assert_int_equal(error.code, rp_errorFormat);
	assert_non_null(strstr(error.message, "checksum"));
	assert_null(fopen(testPath("damaged.html"), "r"));
	// A bundle that is whole, and holds nothing to play.
	rpBundleWriter writer = {0};
	size_t emptySize;
	assert_true(rpBundleWriter_Add(&writer, "NONE", "abcd", 1, 4, NULL));
	void* empty = rpBundleWriter_Finish(&writer, &emptySize, NULL);
	rpBundleWriter_Free(&writer);
	model = (rpPageModel){"empty", empty, emptySize};
	assert_false(rpWritePage(NULL, 0, testPath("damaged.html"), &def, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpFreeBytes(empty);
	rpFreeBytes(bytes);
}

static void testMemoryRunsOutForModels(void** state)
{
	(void)state;
	size_t size;
	void* bytes = makeBundle(&size);
	const rpPageModel model = {"walk", bytes, size};
	const rpPageDef def = {.models = &model, .modelCount = 1};
	int live = testCountLiveBlocks();
	bool ok = false;
	for (int n = 0; !ok && n < 2000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		ok = rpWritePage(NULL, 0, testPath("memory.html"), &def, &error);
		testFailAllocation(-1);
		assert_true(ok || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(ok);
	rpFreeBytes(bytes);
}

// A body of one joint, or of a few without any role, that drifts.
static rpMotion* makeDot(int jointCount, int frameCount)
{
	static const char* const names[] = {"a", "b", "c", "d"};
	rpJoint joints[4];
	for (int i = 0; i < jointCount; ++i)
	{
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0, 0.3f, 0.1f};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "", 30, frameCount, NULL);
	rpReleaseSkeleton(skeleton);
	for (int i = 0; i < frameCount; ++i)
	{
		motion->rootPositions[i] = i == 5 ? (rpVec3){NAN, 0, 0} : (rpVec3){0.1f * (float)i, 0.5f, 0};
	}
	return motion;
}

static void testOddBodies(void** state)
{
	(void)state;
	rpMotion* motions[] = {makeDot(1, 1), makeDot(1, 9), makeDot(4, 9)};
	char* page = writePage(motions, 3, NULL, NULL);
	json_t* data = readData(page);
	json_t* clips = json_object_get(data, "clips");
	assert_int_equal(json_array_size(clips), 3);
	assert_true(json_is_null(json_object_get(json_array_get(clips, 2), "head")));
	assert_int_equal(json_array_size(json_object_get(json_array_get(clips, 2), "limbs")), 3);
	assert_null(strstr(page, ":nan"));
	json_decref(data);
	free(page);
	for (int i = 0; i < 3; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

static bool leavePage(const char* folder, const char* name, rpMotion** motions, int count, const rpPageDef* def)
{
	char path[1024];
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	bool ok = rpWritePage((const rpMotion* const*)motions, count, path, def, &error);
	if (!ok)
	{
		fprintf(stderr, "%s: %s\n", path, error.message);
	}
	return ok;
}

static int leavePages(const char* folder)
{
	rpMotion* motions[] = {
		perform(rp_actWalk, 60, 6, 0.25f), perform(rp_actRun, 120, 4, 0),  perform(rp_actJump, 60, 2.7, 0),
		perform(rp_actWave, 60, 4, 0),     perform(rp_actStand, 30, 5, 0),
	};
	rpMotion* hostile = makeHostile();
	rpMotion* follower = makeFollower();
	rpMotion* odd[] = {makeDot(1, 1), makeDot(1, 9), makeDot(4, 9), perform(rp_actJump, 30, 0, 0)};
	// Ten long clips, for smoothness.
	rpMotion* large[10];
	for (int i = 0; i < 10; ++i)
	{
		large[i] = perform(i % 2 == 0 ? rp_actWalk : rp_actRun, 60, 10000 / 60.0, 0.1f * (float)i);
	}
	rpPageDef plain = {.title = "Five motions by formula"}, bad = {.title = s_hostile};
	rpPageDef introduced = {.title = "With an introduction",
							.introduction = "<p>Some words <em>above</em> the viewer.</p>"};
	bool ok =
		leavePage(folder, "plain.html", motions, 5, &plain) && leavePage(folder, "hostile.html", &hostile, 1, &bad) &&
		leavePage(folder, "told.html", motions, 2, &introduced) && leavePage(folder, "large.html", large, 10, NULL) &&
		leavePage(folder, "odd.html", odd, 4, NULL) && leavePage(folder, "path.html", &follower, 1, NULL);
	for (int i = 0; i < 10; ++i)
	{
		rpDestroyMotion(large[i]);
	}
	for (int i = 0; i < 5; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	for (int i = 0; i < 4; ++i)
	{
		rpDestroyMotion(odd[i]);
	}
	rpDestroyMotion(hostile);
	rpDestroyMotion(follower);
	return ok ? 0 : 1;
}

int main(int argumentCount, char** arguments)
{
	if (argumentCount == 3 && strcmp(arguments[1], "--write") == 0)
	{
		return leavePages(arguments[2]);
	}
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testHoldsTheMotion),
		cmocka_unit_test(testFastMotionIsThinned),
		cmocka_unit_test(testHostileNames),
		cmocka_unit_test(testWholePage),
		cmocka_unit_test(testOddBodies),
		cmocka_unit_test(testRefusals),
		cmocka_unit_test(testMemoryRunsOut),
		cmocka_unit_test(testHoldsTheWantedPath),
		cmocka_unit_test(testHoldsTheModel),
		cmocka_unit_test(testDamagedModel),
		cmocka_unit_test(testMemoryRunsOutForModels),
	};
	return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
