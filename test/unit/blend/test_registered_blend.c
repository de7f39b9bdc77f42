/// Blends of registered motions against cases worked by hand, and what goes wrong.
#include "blend_scene.h"
#include "edit_scene.h"

#include <string.h>

// A walker without legs: its root goes along a circle (or a line, curvature 0) at constant speed.
static rpMotion* makeGlider(const rpSkeleton* skeleton, double seconds, float speed, float curvature)
{
	int frameCount = (int)(seconds * 60.0 + 0.5) + 1;
	rpMotion* motion = rpCreateMotion(skeleton, "glider", 60.0, frameCount, NULL);
	assert_non_null(motion);
	for (int frame = 0; frame < frameCount; ++frame)
	{
		float travelled = speed * (float)frame / 60.0f, turn = travelled * curvature;
		motion->rotations[frame * skeleton->jointCount] = rpYaw(turn);
		motion->rootPositions[frame] = curvature != 0.0f
										   ? (rpVec3){(1.0f - cosf(turn)) / curvature, 1.0f, sinf(turn) / curvature}
										   : (rpVec3){0.0f, 1.0f, travelled};
	}
	return motion;
}

// Even keys, 0.1 s of the first motion apart.
static void glide(TestPair* pair, const rpMotion* a, const rpMotion* b)
{
	double times[2 * 64];
	int keyCount = (int)(rpMotion_GetDuration(a) / 0.1 + 0.5) + 1;
	for (int key = 0; key < keyCount; ++key)
	{
		times[key] = rpMotion_GetDuration(a) * key / (keyCount - 1);
		times[keyCount + key] = rpMotion_GetDuration(b) * key / (keyCount - 1);
	}
	testInitPair(pair, a, b, times, keyCount);
}

// Two metres in two seconds and in one: by the mean of times, two metres in one and a half.
static void testLines(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *slow = makeGlider(skeleton, 2.0, 1.0f, 0.0f), *fast = makeGlider(skeleton, 1.0, 2.0f, 0.0f);
	TestPair pair;
	glide(&pair, slow, fast);
	rpBlendReport report;
	rpMotion* half = testBlendTwo(&pair.registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.scheme, rp_blendPlain);
	assert_non_null(strstr(report.reason, "contacts"));
	assert_int_equal(half->frameCount, 91);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpDistance(half->rootPositions[frame], (rpVec3){0.0f, 1.0f, (float)frame / 67.5f * 1.5f}) < 1e-4f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(slow);
	rpDestroyMotion(fast);
	rpReleaseSkeleton(skeleton);
}

// A line and a circle of 2 m radius at one speed: a circle of mean curvature, 4 m.
static void testCircles(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *line = makeGlider(skeleton, 4.0, 1.2f, 0.0f), *circle = makeGlider(skeleton, 4.0, 1.2f, 0.5f);
	rpMotion* expected = makeGlider(skeleton, 4.0, 1.2f, 0.25f);
	TestPair pair;
	glide(&pair, line, circle);
	rpMotion* half = testBlendTwo(&pair.registration, 0.5f, rp_blendPlain, NULL);
	assert_int_equal(half->frameCount, expected->frameCount);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpDistance(half->rootPositions[frame], expected->rootPositions[frame]) < 0.01f);
		assert_true(rpAngleBetween(rpMotion_GetRotations(half, frame)[0], rpMotion_GetRotations(expected, frame)[0]) <
					1e-3f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(expected);
	rpDestroyMotion(line);
	rpDestroyMotion(circle);
	rpReleaseSkeleton(skeleton);
}

// A joint that is turned by two known rotations is turned by their mean.
static void testRotations(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *a = makeGlider(skeleton, 1.0, 1.0f, 0.0f), *b = makeGlider(skeleton, 1.0, 1.0f, 0.0f);
	rpVec3 axis = rpNormalize((rpVec3){1.0f, 0.5f, -1.0f});
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		a->rotations[frame * skeleton->jointCount + 8] = rpAxisAngle(axis, 0.3f);
		b->rotations[frame * skeleton->jointCount + 8] = rpNegateQuat(rpAxisAngle(axis, 1.5f));
	}
	TestPair pair;
	glide(&pair, a, b);
	rpMotion* half = testBlendTwo(&pair.registration, 0.5f, rp_blendPlain, NULL);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpAngleBetween(rpMotion_GetRotations(half, frame)[8], rpAxisAngle(axis, 0.9f)) < 1e-6f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpReleaseSkeleton(skeleton);
}

// ---- what goes wrong

// Bones that change their lengths are mixed as well; one motion's may be rigid.
static void testStretchedBones(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *a = makeGlider(skeleton, 1.0, 1.0f, 0.0f), *b = makeGlider(skeleton, 1.0, 1.0f, 0.0f);
	testAddTranslations(b);
	TestPair pair;
	glide(&pair, a, b);
	rpMotion* half = testBlendTwo(&pair.registration, 0.5f, rp_blendAuto, NULL);
	assert_non_null(half->translations);
	for (int i = 0; i < half->frameCount * skeleton->jointCount; ++i)
	{
		rpVec3 expected = rpLerp(skeleton->offsets[i % skeleton->jointCount], b->translations[i], 0.5f);
		assert_true(rpDistance(half->translations[i], expected) < 1e-5f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpReleaseSkeleton(skeleton);
}

static void checkRefusal(const rpRegistration* registration, const rpBlendDef* def, const char* part)
{
	rpError error = {0};
	assert_null(rpRegistration_Blend(registration, def, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	if (strstr(error.message, part) == NULL)
	{
		print_error("%s\n", error.message);
	}
	assert_non_null(strstr(error.message, part));
	assert_null(rpRegistration_Blend(registration, def, NULL, NULL));
}

static void testRefusals(void** state)
{
	(void)state;
	rpSkeleton *skeleton = testMakePuppet(false), *twisted = testMakePuppet(true);
	rpMotion *a = makeGlider(skeleton, 1.0, 1.0f, 0.0f), *b = makeGlider(skeleton, 1.0, 1.0f, 0.0f);
	rpMotion* other = makeGlider(twisted, 1.0, 1.0f, 0.0f);
	TestPair pair;
	glide(&pair, a, b);
	const float negative[] = {1.0f, -0.5f}, zeros[] = {0.0f, 0.0f}, some[] = {1.0f, 2.0f, 1.0f, 2.0f};
	const float falling[] = {0.5f, 0.2f}, wide[] = {0.0f, 1.5f}, nan[] = {NAN, 1.0f};
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = negative}, "negative");
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = nan}, "negative");
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = zeros}, "all weights are 0");
	checkRefusal(&pair.registration, &(rpBlendDef){some, falling, 2, rp_blendAuto, 0.0}, "increase");
	checkRefusal(&pair.registration, &(rpBlendDef){some, wide, 2, rp_blendAuto, 0.0}, "increase");
	checkRefusal(&pair.registration, &(rpBlendDef){.weightKeys = wide, .weightKeyCount = 2}, "weights");
	checkRefusal(&pair.registration, &(rpBlendDef){.fps = -1.0}, "rate");
	double kept = pair.times[3];
	pair.times[3] = pair.times[2];
	checkRefusal(&pair.registration, NULL, "increase");
	pair.times[3] = kept;
	b->rotations[5].y = NAN;
	checkRefusal(&pair.registration, NULL, "finite");
	pair.motions[1] = other;
	checkRefusal(&pair.registration, NULL, "");
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(other);
	rpReleaseSkeleton(skeleton);
	rpReleaseSkeleton(twisted);
}

static void failEach(const rpRegistration* registration, rpBlendScheme scheme)
{
	int blocks = testCountLiveBlocks();
	rpBlendDef def = rpDefaultBlendDef();
	def.scheme = scheme;
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* result = rpRegistration_Blend(registration, &def, NULL, &error);
		testFailAllocation(-1);
		if (result != NULL)
		{
			assert_true(n > 20);
			rpDestroyMotion(result);
			assert_int_equal(testCountLiveBlocks(), blocks);
			return;
		}
		assert_int_equal(error.code, rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							testPerformOne(rp_actJump, rp_paramDistance, 1.0f, 0.0)};
	TestPair pair;
	testRegisterJumps(&pair, motions);
	failEach(&pair.registration, rp_blendPlain);
	failEach(&pair.registration, rp_blendPhysical);
	testDestroyTwo(motions, NULL);
	assert_int_equal(testCountLiveBlocks(), 0);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLines),          cmocka_unit_test(testCircles),  cmocka_unit_test(testRotations),
		cmocka_unit_test(testStretchedBones), cmocka_unit_test(testRefusals), cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
