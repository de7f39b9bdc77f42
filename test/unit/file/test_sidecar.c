/// What a sidecar says is what is read back, to the last bit; what is wrong in one is named and changes nothing.
#include "support.h"

#include "file/bytes.h"
#include "file/json_text.h"
#include "file/sidecar.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HASH "0123456789abcdef0123456789abcdef"

static rpSkeleton* makeSkeleton(bool rich)
{
	rpJoint joints[3] = {rpDefaultJoint(), rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips";
	joints[1].name = "a \"quoted\" \\ name\twith a tab";
	joints[1].parent = 0;
	joints[1].offset = (rpVec3){0.0f, 0.5f, 0.0f};
	joints[2].name = "H\xe4nde"; // Latin-1, as old programs write it
	joints[2].parent = 1;
	joints[2].offset = (rpVec3){0.1f, 0.3f, 0.0f};
	if (rich)
	{
		joints[0].role = rp_rolePelvis;
		joints[1].role = rp_roleHead;
		joints[1].rest = rpFromEuler((rpVec3){0.1f, 0.2f, 0.3f}, rp_orderXYZ);
		joints[1].axes = rpFromEuler((rpVec3){0.3f, -0.2f, 0.7f}, rp_orderXYZ);
		joints[2].freedoms = rp_freeX | rp_freeZ;
		joints[2].lower = (rpVec3){-0.17453293f, 1.0f, -1.2345678f};
		joints[2].upper = (rpVec3){2.9670597f, -1.0f, 3.1415927f};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 3;
	def.guessRoles = false;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	return skeleton;
}

static rpMotion* makeMotion(bool rich)
{
	rpSkeleton* skeleton = makeSkeleton(rich);
	rpMotion* motion = rpCreateMotion(skeleton, rich ? "a walk" : "plain", rich ? 120.0 : 120.0005, 241, NULL);
	rpReleaseSkeleton(skeleton);
	assert_non_null(motion);
	return motion;
}

static void annotate(rpMotion* motion)
{
	const rpInterval intervals[] = {
		{.track = rp_trackLabel, .start = 0.1, .end = 1.0 / 3.0, .name = "walk, \xe2\x80\x9cslowly\xe2\x80\x9d\n"},
		{.track = rp_trackLabel, .start = 0.0, .end = 2.0, .name = ""},
		{.track = rp_trackContact, .start = 0.2, .end = 0.7, .effector = rp_rightToe, .supportHeight = 0.1f},
		{.track = rp_trackContact, .start = 0.2, .end = 0.7, .effector = rp_leftHand, .supportHeight = -1.2345678e-7f},
		{.track = rp_trackPhase, .start = 0.2, .end = 0.3, .name = "L"},
		{.track = rp_trackSource, .start = 0, .end = 1, .name = "clip", .sourceStart = 5e-324, .sourceEnd = 1e300},
	};
	rpAnnotations* annotations = &motion->annotations;
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); ++i)
	{
		assert_true(rpAnnotations_AddInterval(annotations, intervals + i, NULL));
	}
	assert_true(rpAnnotations_AddEvent(annotations, "seam", 1.1, NULL));
	assert_true(rpAnnotations_AddEvent(annotations, "heel_strike_left", 0.1 + 0.2, NULL));
	const double times[] = {-1.0, 0.1, 2e10};
	const float values[] = {0.1f, 0.2f, 0.3f, 1e-38f, -3e38f, 16777217.0f, 0.0f, -0.0f, 1.0f / 3.0f};
	assert_true(rpAnnotations_AddCurve(annotations, &(rpCurve){"gaze", rp_curvePoint, 3, times, values}, NULL));
	assert_true(rpAnnotations_AddCurve(annotations, &(rpCurve){"turn", rp_curveSided, 2, times, values}, NULL));
	assert_true(rpMotion_AddInput(motion, "/home/someone/take.bvh", HASH, NULL));
	assert_true(rpMotion_AddInput(motion, "unhashed", "", NULL));
}

static void assertSameAnnotations(const rpAnnotations* a, const rpAnnotations* b)
{
	assert_int_equal(a->intervalCount, b->intervalCount);
	for (int i = 0; i < a->intervalCount; ++i)
	{
		const rpInterval *p = a->intervals + i, *q = b->intervals + i;
		assert_int_equal(p->track, q->track);
		assert_true(p->start == q->start && p->end == q->end && p->supportHeight == q->supportHeight);
		assert_true(p->sourceStart == q->sourceStart && p->sourceEnd == q->sourceEnd && p->effector == q->effector);
		assert_true((p->name == NULL) == (q->name == NULL) && (p->name == NULL || strcmp(p->name, q->name) == 0));
	}
	assert_int_equal(a->eventCount, b->eventCount);
	for (int i = 0; i < a->eventCount; ++i)
	{
		assert_string_equal(a->events[i].name, b->events[i].name);
		assert_true(a->events[i].time == b->events[i].time);
	}
	assert_int_equal(a->curveCount, b->curveCount);
	for (int i = 0; i < a->curveCount; ++i)
	{
		const rpCurve *p = a->curves + i, *q = b->curves + i;
		assert_string_equal(p->name, q->name);
		assert_true(p->kind == q->kind && p->keyCount == q->keyCount);
		size_t count = (size_t)(p->keyCount * rpCurveKind_GetWidth(p->kind));
		assert_memory_equal(p->times, q->times, (size_t)p->keyCount * sizeof(double));
		assert_memory_equal(p->values, q->values, count * sizeof(float));
	}
}

static void assertSameJoints(const rpSkeleton* a, const rpSkeleton* b)
{
	for (int i = 0; i < a->jointCount; ++i)
	{
		const rpJoint *p = a->joints + i, *q = b->joints + i;
		assert_string_equal(p->name, q->name);
		assert_int_equal(p->role, q->role);
		assert_int_equal(p->freedoms, q->freedoms);
		assert_true(fabsf(rpDotQuat(p->rest, q->rest) - 1.0f) < 1e-6f);
		assert_memory_equal(&p->axes, &q->axes, sizeof(rpQuat));
		assert_memory_equal(&p->lower, &q->lower, sizeof(rpVec3));
		assert_memory_equal(&p->upper, &q->upper, sizeof(rpVec3));
	}
}

static rpText writeRich(const char* parameters)
{
	rpMotion* motion = makeMotion(true);
	annotate(motion);
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatBvh;
	def.unitsPerMetre = 100.0;
	def.parameters = parameters;
	rpText text = {0};
	rpError error = {0};
	assert_true(rpWriteSidecar((const rpMotion* const*)&motion, 1, &def, "/tmp/x/out.bvh", HASH, &text, &error));
	rpDestroyMotion(motion);
	return text;
}

static void testRoundTrip(void** state)
{
	(void)state;
	rpText text = writeRich("{\"seed\": 7}");
	rpMotion* motion = makeMotion(false);
	rpSidecar sidecar;
	rpError error = {0};
	if (!rpReadSidecar(text.data, text.size, HASH, motion, &sidecar, &error))
	{
		fail_msg("%s", error.message);
	}
	assert_string_equal(sidecar.hash, HASH);
	assert_true(sidecar.unitsPerMetre == 100.0);
	rpMotion* expected = makeMotion(true);
	annotate(expected);
	assertSameAnnotations(&expected->annotations, &motion->annotations);
	assertSameJoints(expected->skeleton, motion->skeleton);
	assert_true(motion->fps == 120.0);
	assert_string_equal(motion->name, "plain"); // a clip is called after its file
	assert_int_equal(motion->inputCount, 2);
	assert_string_equal(motion->inputs[0].name, "take.bvh");
	assert_string_equal(motion->inputs[0].hash, HASH);

	// Written again under the name that it had, it is the same text.
	assert_true(rpMotion_SetName(motion, "a walk", &error));
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatBvh;
	def.unitsPerMetre = 100.0;
	def.parameters = "{\"seed\": 7}";
	rpText again = {0};
	assert_true(rpWriteSidecar((const rpMotion* const*)&motion, 1, &def, "out.bvh", HASH, &again, &error));
	assert_string_equal(again.data, text.data);
	rpText_Free(&again);
	rpText_Free(&text);
	rpDestroyMotion(motion);
	rpDestroyMotion(expected);
}

static void testSaysWhatItShould(void** state)
{
	(void)state;
	rpText text = writeRich("{\"seed\": 7}");
	assert_true(rpIsSidecar(text.data, text.size));
	json_t* root = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "reprise-motion-1");
	assert_string_equal(json_string_value(json_object_get(root, "file")), "out.bvh");
	assert_int_equal(json_integer_value(json_object_get(root, "frames")), 241);
	assert_int_equal(json_integer_value(json_object_get(root, "joints")), 3);
	assert_true(json_number_value(json_object_get(root, "seconds")) == 2.0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(root, "roles"), "pelvis")), "Hips");
	const char* const lists[] = {"labels", "contacts", "phases", "sources", "events", "curves"};
	const size_t counts[] = {2, 2, 1, 1, 2, 2};
	for (size_t i = 0; i < 6; ++i)
	{
		assert_int_equal(json_array_size(json_object_get(root, lists[i])), counts[i]);
	}
	json_t* provenance = json_object_get(root, "provenance");
	assert_string_equal(json_string_value(json_object_get(provenance, "version")), rpVersion());
	assert_int_equal(json_integer_value(json_object_get(json_object_get(provenance, "parameters"), "seed")), 7);
	assert_null(strstr(text.data, "/home"));
	assert_null(strstr(text.data, "/tmp"));
	json_decref(root);
	rpText_Free(&text);
}

static void testSeveralClips(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(true);
	annotate(motion);
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatGlb;
	const rpMotion* motions[] = {motion, motion};
	rpText text = {0};
	assert_true(rpWriteSidecar(motions, 2, &def, "out.glb", HASH, &text, NULL));
	json_t* root = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, NULL);
	json_t* clips = json_object_get(root, "clips");
	assert_int_equal(json_array_size(clips), 2);
	assert_string_equal(json_string_value(json_object_get(json_array_get(clips, 1), "name")), "a walk");
	assert_int_equal(json_array_size(json_object_get(json_array_get(clips, 1), "labels")), 2);
	json_decref(root);
	rpError error = {0};
	rpSidecar sidecar;
	assert_false(rpReadSidecar(text.data, text.size, HASH, motion, &sidecar, &error));
	assert_int_equal(error.code, rp_errorFormat);
	rpText_Free(&text);
	rpDestroyMotion(motion);
}

static void testOtherHash(void** state)
{
	(void)state;
	rpText text = writeRich(NULL);
	rpMotion* motion = makeMotion(false);
	rpSidecar sidecar;
	assert_true(rpReadSidecar(text.data, text.size, "00000000000000000000000000000000", motion, &sidecar, NULL));
	assert_string_equal(sidecar.hash, HASH);
	assert_int_equal(motion->annotations.intervalCount, 0);
	assert_string_equal(motion->name, "plain");
	rpText_Free(&text);
	rpDestroyMotion(motion);
}

// Every occurrence of `from` in the good sidecar becomes `to`; the reader must refuse it with that code.
static void assertRefused(const char* from, const char* to, rpErrorCode code)
{
	rpText good = writeRich(NULL);
	rpText bad = {0};
	const char* place = good.data;
	int found = 0;
	for (const char* next; (next = strstr(place, from)) != NULL; place = next + strlen(from), ++found)
	{
		rpText_Append(&bad, place, (size_t)(next - place));
		rpText_AppendString(&bad, to);
	}
	rpText_AppendString(&bad, place);
	if (found == 0)
	{
		fail_msg("no %s in the sidecar", from);
	}
	rpMotion* motion = makeMotion(false);
	rpSkeleton* skeleton = motion->skeleton;
	rpSidecar sidecar;
	rpError error = {0};
	if (rpReadSidecar(bad.data, bad.size, HASH, motion, &sidecar, &error))
	{
		fail_msg("accepted %s in place of %s", to, from);
	}
	if (error.code != code)
	{
		fail_msg("%s: code %d, %s", to, error.code, error.message);
	}
	assert_true(error.message[0] != 0);
	assert_int_equal(motion->annotations.intervalCount, 0);
	assert_ptr_equal(motion->skeleton, skeleton);
	rpDestroyMotion(motion);
	rpText_Free(&good);
	rpText_Free(&bad);
}

static void testRefusesWhatIsWrong(void** state)
{
	(void)state;
	static const char* const cases[][2] = {
		{"reprise-motion-1", "something-else"},
		{"reprise-motion-1", "reprise-motion-x"},
		{"reprise-motion-1", "reprise-motion-"},
		{"\"" HASH "\",", "\"XYZ\","},
		{"\"" HASH "\",", "12,"},
		{"\"units_per_metre\": 100", "\"units_per_metre\": 0"},
		{"\"units_per_metre\": 100", "\"units_per_metre\": 1e-30"},
		{"\"units_per_metre\": 100", "\"units_per_metre\": \"100\""},
		{"\"frames\": 241", "\"frames\": 240"},
		{"\"joints\": 3", "\"joints\": 4"},
		{"\"fps\": 120", "\"fps\": 119"},
		{"\"fps\": 120", "\"fps\": -120"},
		{"\"name\": \"a walk\"", "\"name\": 5"},
		{"\"pelvis\": \"Hips\"", "\"pelvis\": \"Nobody\""},
		{"\"pelvis\"", "\"tail\""},
		{"\"roles\": {", "\"roles\": [], \"other\": {"},
		{"\"freedoms\": \"xz\"", "\"freedoms\": \"xw\""},
		{"\"skeleton\": {", "\"skeleton\": {\"Nobody\": {},"},
		{"\"skeleton\": {", "\"skeleton\": {\"Hips\": {\"rest_wxyz\": [1, 2, 3]},"},
		{"\"skeleton\": {", "\"skeleton\": {\"Hips\": {\"rest_wxyz\": [0, 0, 0, 0]},"},
		{"\"skeleton\": {", "\"skeleton\": {\"Hips\": {\"limits_deg\": [[1, 0], null, null]},"},
		{"\"skeleton\": {", "\"skeleton\": {\"Hips\": {\"limits_deg\": [[1], null, null]},"},
		{"\"skeleton\": {", "\"skeleton\": {\"Hips\": {\"limits_deg\": [3, null, null]},"},
		{"\"labels\": [", "\"labels\": {}, \"other\": ["},
		{"\"labels\": [", "\"labels\": [5,"},
		{"\"start_s\": 0.2", "\"start_s\": \"0.2\""},
		{"\"start_s\": 0.2", "\"start_s\": 0.9"},
		{"\"effector\": \"right_toe\"", "\"effector\": \"tail\""},
		{"\"support_height_m\": 0.1", "\"support_height_m\": 1e39"},
		{"\"clip\": \"clip\"", "\"clip\": null"},
		{"\"time_s\": 1.1", "\"time_s\": []"},
		{"\"kind\": \"sided\"", "\"kind\": \"odd\""},
		{"\"times_s\": [-1, 0.1", "\"times_s\": [0.1, 0.1"},
		{"\"times_s\": [-1, 0.1", "\"times_s\": [0.1"},
		{"\"times_s\": [-1, 0.1", "\"times_s\": [\"x\", 0.1"},
		{"\"values\": [0.1", "\"values\": [1e200"},
		{"\"inputs\": [", "\"inputs\": {}, \"other\": ["},
		{"\"hash\": \"\"", "\"hash\": \"12\""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		assertRefused(cases[i][0], cases[i][1], rp_errorFormat);
	}
	assertRefused("reprise-motion-1", "reprise-motion-2", rp_errorVersion);
}

static void testNamesThePlace(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(false);
	rpSidecar sidecar;
	rpError error = {0};
	const char* text = "{\n  \"schema\": \"reprise-motion-1\",\n  \"hash\" 5\n}";
	assert_false(rpReadSidecar(text, strlen(text), HASH, motion, &sidecar, &error));
	assert_int_equal(error.code, rp_errorFormat);
	assert_int_equal(error.line, 3);
	assert_true(error.column > 1);
	assert_false(rpReadSidecar("[]", 2, HASH, motion, &sidecar, &error));
	assert_false(rpReadSidecar("", 0, HASH, motion, &sidecar, &error));
	rpDestroyMotion(motion);

	// A thousand nested lists, and a hundred thousand: an error, not a deep recursion.
	for (size_t depth = 1000; depth <= 100000; depth *= 100)
	{
		char* deep = malloc(depth);
		memset(deep, '[', depth);
		rpAnnotations annotations;
		assert_false(rpReadAnnotations(deep, depth, &annotations, &error));
		assert_int_equal(error.code, rp_errorFormat);
		free(deep);
	}
}

static void testBadParameters(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(true);
	const char* const bad[] = {"", "5", "[1]", "{\"a\": }", "{} {}", "{}, \"more\": 1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		rpSaveDef def = rpDefaultSaveDef();
		def.parameters = bad[i];
		rpText text = {0};
		rpError error = {0};
		assert_false(rpWriteSidecar((const rpMotion* const*)&motion, 1, &def, "out.bvh", HASH, &text, &error));
		assert_int_equal(error.code, rp_errorArgument);
		rpText_Free(&text);
	}
	rpDestroyMotion(motion);
}

static void testAnnotationsAlone(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(true);
	annotate(motion);
	rpText text = {0};
	assert_true(rpWriteAnnotations(&motion->annotations, &text, NULL));
	rpAnnotations read = {0};
	assert_true(rpReadAnnotations(text.data, text.size, &read, NULL));
	assertSameAnnotations(&motion->annotations, &read);
	rpAnnotations_Free(&read);
	rpText_Free(&text);
	rpAnnotations empty = {0};
	assert_true(rpWriteAnnotations(&empty, &text, NULL));
	assert_true(rpReadAnnotations(text.data, text.size, &read, NULL));
	assert_int_equal(read.intervalCount + read.eventCount + read.curveCount, 0);
	rpText_Free(&text);
	rpDestroyMotion(motion);
}

// Entries in the worst order for an insertion sort: it must take no minutes.
static void testWorstOrder(void** state)
{
	(void)state;
	rpText text = {0};
	rpText_AppendString(&text, "{\"labels\": [");
	for (int i = 0; i < 100000; ++i)
	{
		rpText_Print(&text, "%s{\"start_s\": %d, \"end_s\": 1000000, \"name\": \"n\"}", i > 0 ? "," : "", 100000 - i);
	}
	rpText_AppendString(&text, "]}");
	rpAnnotations read;
	assert_true(rpReadAnnotations(text.data, text.size, &read, NULL));
	assert_int_equal(read.intervalCount, 100000);
	assert_true(read.intervals[0].start == 1.0);
	rpAnnotations_Free(&read);
	rpText_Free(&text);
}

static void testPaths(void** state)
{
	(void)state;
	static const char* const cases[][2] = {
		{"a.b/walk.bvh", "a.b/walk.json"}, {"walk.BVH", "walk.json"},     {"walk.glb", "walk.glb.json"},
		{"walk.csv", "walk.csv.json"},     {"a.b/walk", "a.b/walk.json"}, {".bvh", ".bvh.json"},
	};
	char path[64];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		assert_true(rpGetSidecarPath(cases[i][0], path, sizeof(path)));
		assert_string_equal(path, cases[i][1]);
	}
	assert_true(rpGetSidecarPath("walk.bvh", path, sizeof("walk.json")));
	assert_false(rpGetSidecarPath("walk.bvh", path, sizeof("walk.json") - 1));
}

static void testNumbers(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int i = 0; i < 20000; ++i)
	{
		uint64_t bits = ((uint64_t)rpRandom_Next(&random) << 32) | rpRandom_Next(&random);
		double number;
		float single;
		memcpy(&number, &bits, sizeof(number));
		memcpy(&single, &bits, sizeof(single));
		number = isfinite(number) ? number : 0.25;
		single = isfinite(single) ? single : 0.25f;
		rpText text = {0};
		rpText_AppendNumber(&text, number);
		assert_true(strtod(text.data, NULL) == number);
		rpText_Free(&text);
		rpText_AppendFloat(&text, single);
		assert_true((float)strtod(text.data, NULL) == single);
		rpText_Free(&text);
	}
	static const struct
	{
		double value;
		const char* text;
	} fixed[] = {{0.0, "0"},       {-0.0, "0"},    {1.5, "1.5"},         {-0.25, "-0.25"},
				 {0.0000004, "0"}, {100.0, "100"}, {-1e-6, "-0.000001"}, {12.3456789, "12.345679"},
				 {-4e-7, "0"}};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); ++i)
	{
		rpText text = {0};
		rpText_AppendFixed(&text, fixed[i].value);
		assert_string_equal(text.data, fixed[i].text);
		rpText_Free(&text);
	}
	rpText text = {0};
	rpText_AppendNumber(&text, 0.1);
	rpText_AppendString(&text, " ");
	rpText_AppendFloat(&text, 0.1f);
	rpText_AppendString(&text, " ");
	rpText_AppendDegrees(&text, (float)(20.0 * RP_DEGREE));
	assert_string_equal(text.data, "0.1 0.1 20");
	rpText_Free(&text);
}

static void testStrings(void** state)
{
	(void)state;
	static const char* const cases[][2] = {
		{"plain", "\"plain\""},
		{"\"\\\n\x01\x7f", "\"\\\"\\\\\\u000a\\u0001\\u007f\""},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x8f\x83", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x8f\x83\""},
		{"a\xff\xc3", "\"a\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
		{NULL, "\"\""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpText text = {0};
		rpText_AppendJsonString(&text, cases[i][0]);
		assert_string_equal(text.data, cases[i][1]);
		rpText_Free(&text);
	}
}

// Under a locale with a decimal comma the bytes are the same, and they read back.
static void testLocale(void** state)
{
	(void)state;
	rpText plain = writeRich(NULL);
	bool isComma = testUseCommaLocale();
	rpText localised = writeRich(NULL);
	rpMotion* motion = makeMotion(false);
	rpSidecar sidecar;
	bool done = rpReadSidecar(plain.data, plain.size, HASH, motion, &sidecar, NULL);
	testUsePlainLocale();
	assert_string_equal(plain.data, localised.data);
	assert_true(done);
	assert_true(motion->annotations.events[1].time == 1.1);
	rpDestroyMotion(motion);
	rpText_Free(&plain);
	rpText_Free(&localised);
	if (!isComma)
	{
		skip();
	}
}

// jansson's memory too comes from the failing allocator.
static int s_janssonBlocks;

static void* janssonAllocate(size_t size)
{
	rpText probe = {0};
	rpText_Reserve(&probe, 1);
	bool failed = probe.failed;
	rpText_Free(&probe);
	void* memory = failed ? NULL : malloc(size);
	s_janssonBlocks += memory != NULL;
	return memory;
}

static void janssonRelease(void* memory)
{
	s_janssonBlocks -= memory != NULL;
	free(memory);
}

static void testOutOfMemory(void** state)
{
	(void)state;
	rpText text = writeRich("{\"seed\": 7}");
	json_set_alloc_funcs(janssonAllocate, janssonRelease);
	bool done = false;
	int attempts = 0;
	for (int n = 0; !done; ++n, ++attempts)
	{
		rpMotion* motion = makeMotion(false);
		rpSkeleton* skeleton = motion->skeleton;
		int live = testCountLiveBlocks();
		rpSidecar sidecar;
		rpError error = {0};
		testFailAllocation(n);
		done = rpReadSidecar(text.data, text.size, HASH, motion, &sidecar, &error);
		testFailAllocation(-1);
		assert_int_equal(s_janssonBlocks, 0);
		if (!done)
		{
			// jansson takes a string that it found no memory for as a wrong one.
			assert_true(error.code == rp_errorMemory || error.code == rp_errorFormat);
			assert_int_equal(motion->annotations.intervalCount, 0);
			assert_ptr_equal(motion->skeleton, skeleton);
			// The inputs alone may have been added to.
			assert_true(testCountLiveBlocks() <= live + 3);
		}
		rpDestroyMotion(motion);
	}
	assert_true(attempts > 50);
	int live = testCountLiveBlocks();
	done = false;
	for (int n = 0; !done; ++n)
	{
		rpMotion* motion = makeMotion(true);
		annotate(motion);
		rpSaveDef def = rpDefaultSaveDef();
		def.parameters = "{\"seed\": 7}";
		rpText out = {0};
		rpError error = {0};
		testFailAllocation(n);
		done = rpWriteSidecar((const rpMotion* const*)&motion, 1, &def, "out.bvh", HASH, &out, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory || error.code == rp_errorArgument);
		assert_int_equal(s_janssonBlocks, 0);
		rpText_Free(&out);
		rpDestroyMotion(motion);
	}
	assert_int_equal(testCountLiveBlocks(), live);
	json_set_alloc_funcs(malloc, free);
	rpText_Free(&text);
}

// Other programs sort members, leave out blanks, end lines differently; other people's files hold our words elsewhere.
static void knowsItsSchema(void** state)
{
	(void)state;
	static const char* const ours[] = {"{\"schema\":\"reprise-motion-1\"}",
									   "\r\n {\r\n\t\"schema\" :\r\n\"reprise-motion-1\"",
									   "{\"a\":[{\"schema\":\"x\"},\"}\\\"\"],\"schema\":\"reprise-motion-2\"}"};
	static const char* const others[] = {"",
										 "{",
										 "\"",
										 "[\"schema\",\"reprise-motion-1\"]",
										 "{\"schema\":\"other\"}",
										 "{\"schema\"",
										 "{\"schema\":",
										 "{\"a\":\"\\",
										 "{\"a\":{\"schema\":\"reprise-motion-1\"}}",
										 "{\"a\":\"schema\",\"b\":\"reprise-motion-1\"}"};
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); ++i)
	{
		assert_true(rpIsSidecar(ours[i], strlen(ours[i])));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i)
	{
		assert_false(rpIsSidecar(others[i], strlen(others[i])));
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knowsItsSchema),
		cmocka_unit_test(testRoundTrip),
		cmocka_unit_test(testSaysWhatItShould),
		cmocka_unit_test(testSeveralClips),
		cmocka_unit_test(testOtherHash),
		cmocka_unit_test(testRefusesWhatIsWrong),
		cmocka_unit_test(testNamesThePlace),
		cmocka_unit_test(testBadParameters),
		cmocka_unit_test(testAnnotationsAlone),
		cmocka_unit_test(testWorstOrder),
		cmocka_unit_test(testPaths),
		cmocka_unit_test(testNumbers),
		cmocka_unit_test(testStrings),
		cmocka_unit_test(testLocale),
		cmocka_unit_test(testOutOfMemory),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed != 0 || testCountLiveBlocks() != 0;
}
