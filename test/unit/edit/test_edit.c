/// Resample, crop, move, scale, change axes, replace the skeleton, root path.
#include "edit_scene.h"

#include <stdlib.h>
#include <string.h>

static rpSkeleton* s_body;

static int setUp(void** state)
{
	(void)state;
	s_body = testMakePuppet(false);
	return s_body == NULL;
}

static int tearDown(void** state)
{
	(void)state;
	rpReleaseSkeleton(s_body);
	return 0;
}

static rpMotion* makeMotion(double fps, int frameCount)
{
	rpMotion* motion = testMakeMotion(s_body, "take", fps, frameCount, 11);
	assert_non_null(motion);
	testAnnotate(motion);
	return motion;
}

static void checkKept(const rpMotion* motion, const rpMotion* result)
{
	testCheckMotion(result);
	assert_string_equal(result->name, motion->name);
	assert_int_equal(result->inputCount, motion->inputCount);
	assert_string_equal(result->inputs[0].hash, motion->inputs[0].hash);
	assert_int_equal(result->translations != NULL, motion->translations != NULL);
}

static void testResampleToSameRate(void** state)
{
	(void)state;
	const double rates[] = {30.0, 59.94, 120.0, 1.0 / 0.0083333, 24000.0 / 1001.0};
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); ++i)
	{
		rpMotion* motion = makeMotion(rates[i], 333);
		rpMotion* result = rpResampleMotion(motion, rates[i], NULL);
		assert_non_null(result);
		assert_int_equal(result->frameCount, motion->frameCount);
		assert_memory_equal(result->rootPositions, motion->rootPositions, 333 * sizeof(rpVec3));
		assert_memory_equal(result->rotations, motion->rotations, 333 * 10 * sizeof(rpQuat));
		assert_true(testAnnotationsAgree(&result->annotations, &motion->annotations, 0.0));
		rpDestroyMotion(motion);
		rpDestroyMotion(result);
	}
}

// Against the sampler, and the frame count against the rule in the header.
static void testResampleToAnyRate(void** state)
{
	(void)state;
	const double rates[] = {1.0, 7.3, 24.0, 30.0, 59.94, 60.0, 100.0, 240.0, 1000.0};
	rpMotion* motion = makeMotion(120.0, 241);
	testAddTranslations(motion);
	rpQuat rotations[10];
	rpVec3 translations[10];
	for (size_t n = 0; n < sizeof(rates) / sizeof(rates[0]); ++n)
	{
		rpMotion* result = rpResampleMotion(motion, rates[n], NULL);
		assert_non_null(result);
		checkKept(motion, result);
		assert_true(rpMotion_GetDuration(result) <= 2.0 + 1e-3 / rates[n]);
		assert_true(rpMotion_GetDuration(result) + 1.0 / rates[n] > 2.0);
		for (int i = 0; i < result->frameCount; ++i)
		{
			rpPose pose = {.rotations = rotations, .translations = translations};
			rpMotion_Sample(motion, i / rates[n], &pose);
			assert_true(rpDistance(pose.rootPosition, result->rootPositions[i]) < 1e-5f);
			for (int k = 0; k < 10; ++k)
			{
				assert_true(rpAngleBetween(rotations[k], result->rotations[10 * i + k]) < 1e-5f);
				assert_true(rpDistance(translations[k], result->translations[10 * i + k]) < 1e-5f);
			}
		}
		rpDestroyMotion(result);
	}
	rpDestroyMotion(motion);
}

static void testResampleThereAndBack(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(120.0, 481);
	rpMotion* coarse = rpResampleMotion(motion, 30.0, NULL);
	rpMotion* back = rpResampleMotion(coarse, 120.0, NULL);
	assert_int_equal(coarse->frameCount, 121);
	assert_true(testMeasureDistance(motion, back) < 0.005f);
	rpMotion* fine = rpResampleMotion(motion, 240.0, NULL);
	rpMotion* again = rpResampleMotion(fine, 120.0, NULL);
	assert_int_equal(fine->frameCount, 961);
	assert_true(testMeasureDistance(motion, again) == 0.0f);
	rpDestroyMotion(motion);
	rpDestroyMotion(coarse);
	rpDestroyMotion(back);
	rpDestroyMotion(fine);
	rpDestroyMotion(again);
}

static void testCropKeepsFrames(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 100);
	testAddTranslations(motion);
	rpMotion* result = rpCropMotion(motion, 0.99, 2.02, NULL);
	assert_non_null(result);
	checkKept(motion, result);
	testCheckAnnotations(result);
	assert_int_equal(result->frameCount, 32);
	assert_memory_equal(result->rootPositions, motion->rootPositions + 30, 32 * sizeof(rpVec3));
	assert_memory_equal(result->rotations, motion->rotations + 300, 320 * sizeof(rpQuat));
	assert_memory_equal(result->translations, motion->translations + 300, 320 * sizeof(rpVec3));
	rpMotion* one = rpCropFrames(motion, 99, 1, NULL);
	assert_non_null(one);
	checkKept(motion, one);
	testCheckAnnotations(one);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	rpDestroyMotion(one);
}

static void expectError(rpMotion* result, const rpError* error, const char* part)
{
	assert_null(result);
	assert_int_equal(error->code, rp_errorArgument);
	if (strstr(error->message, part) == NULL)
	{
		fail_msg("\"%s\" is not in \"%s\"", part, error->message);
	}
}

static void testErrors(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 100);
	rpError error = {0};
	rpGroundTransform far = {.shift = {INFINITY, 0.0f, 0.0f}};
	expectError(rpCropMotion(motion, 1.0, 5.0, &error), &error, "the clip lasts from 0 to 3.3 s");
	expectError(rpCropMotion(motion, -1.0, 2.0, &error), &error, "the clip lasts from 0 to 3.3 s");
	expectError(rpCropMotion(motion, 2.0, 1.0, &error), &error, "before the start");
	expectError(rpCropMotion(motion, NAN, 1.0, &error), &error, "the clip lasts from 0 to 3.3 s");
	expectError(rpCropMotion(motion, 0.0, 1e300, &error), &error, "the clip lasts from 0 to 3.3 s");
	expectError(rpCropFrames(motion, 90, 11, &error), &error, "100 frames");
	expectError(rpCropFrames(motion, -1, 5, &error), &error, "100 frames");
	expectError(rpCropFrames(motion, 5, 0, &error), &error, "100 frames");
	expectError(rpCropFrames(motion, 5, INT32_MAX, &error), &error, "100 frames");
	expectError(rpResampleMotion(motion, 0.0, &error), &error, "must be positive");
	expectError(rpResampleMotion(motion, -30.0, &error), &error, "must be positive");
	expectError(rpResampleMotion(motion, NAN, &error), &error, "must be positive");
	expectError(rpScaleMotion(motion, 0.0f, &error), &error, "must be positive");
	expectError(rpScaleMotion(motion, INFINITY, &error), &error, "must be positive");
	expectError(rpMoveMotion(motion, far, &error), &error, "cannot move");
	expectError(rpChangeAxes(motion, (rpQuat){0.0f, 0.0f, 0.0f, 0.0f}, &error), &error, "no rotation");
	// Rates beyond reason, unless the motion has them itself; and reasonable ones of what lasts for three years.
	expectError(rpResampleMotion(motion, 1e12, &error), &error, "at most 1000");
	expectError(rpResampleMotion(motion, 1001.0, &error), &error, "at most 1000");
	motion->fps = 2000.0;
	rpMotion* fast = rpResampleMotion(motion, 2000.0, &error);
	assert_non_null(fast);
	rpDestroyMotion(fast);
	motion->fps = 1e-6;
	assert_null(rpResampleMotion(motion, 1000.0, &error));
	assert_int_equal(error.code, rp_errorLimit);
	assert_null(rpCropFrames(motion, 90, 11, NULL));
	rpDestroyMotion(motion);
}

// Every joint moves as the ground transform says.
static void testMove(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 40);
	testAddTranslations(motion);
	rpGroundTransform ground = {2.1f, {3.0f, 0.5f, -1.0f}};
	rpMotion* result = rpMoveMotion(motion, ground, NULL);
	checkKept(motion, result);
	rpTransform before[10], after[10];
	for (int frame = 0; frame < 40; ++frame)
	{
		rpMotion_Forward(motion, frame, before);
		rpMotion_Forward(result, frame, after);
		for (int i = 0; i < 10; ++i)
		{
			assert_true(rpDistance(rpGroundTransform_Apply(ground, before[i].p), after[i].p) < 1e-5f);
			assert_true(rpAngleBetween(rpMulQuat(rpYaw(2.1f), before[i].q), after[i].q) < 1e-5f);
		}
	}
	rpMotion* back = rpMoveMotion(result, rpGroundTransform_Invert(ground), NULL);
	assert_true(rpMotion_Agrees(motion, back, 1e-5f));
	assert_true(testAnnotationsAgree(&motion->annotations, &back->annotations, 1e-5));
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	rpDestroyMotion(back);
}

static void testScale(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 40);
	testAddTranslations(motion);
	rpMotion* result = rpScaleMotion(motion, 2.5f, NULL);
	checkKept(motion, result);
	rpTransform before[10], after[10];
	for (int frame = 0; frame < 40; ++frame)
	{
		rpMotion_Forward(motion, frame, before);
		rpMotion_Forward(result, frame, after);
		for (int i = 0; i < 10; ++i)
		{
			assert_true(rpDistance(rpScale(2.5f, before[i].p), after[i].p) < 1e-5f);
		}
	}
	assert_true(fabsf(result->skeleton->height - 2.5f * motion->skeleton->height) < 1e-5f);
	assert_true(fabsf(result->skeleton->legLength - 2.5f * motion->skeleton->legLength) < 1e-5f);
	assert_int_equal(result->skeleton->roles[rp_roleLeftKnee], motion->skeleton->roles[rp_roleLeftKnee]);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

// Every place and every end site, at rest and in motion, is where the rotation puts it.
static void checkAxes(const rpSkeleton* skeleton, rpQuat rotation)
{
	rpMotion* motion = testMakeMotion(skeleton, "take", 30.0, 40, 3);
	testAnnotate(motion);
	testAddTranslations(motion);
	rpMotion* result = rpChangeAxes(motion, rotation, NULL);
	checkKept(motion, result);
	rpTransform before[10], after[10];
	for (int frame = -1; frame < 40; ++frame)
	{
		frame < 0 ? rpSkeleton_GetRest(motion->skeleton, before) : rpMotion_Forward(motion, frame, before);
		frame < 0 ? rpSkeleton_GetRest(result->skeleton, after) : rpMotion_Forward(result, frame, after);
		for (int i = 0; i < 10; ++i)
		{
			assert_true(rpDistance(rpRotate(rotation, before[i].p), after[i].p) < 1e-5f);
		}
		for (int i = 0; i < 2; ++i)
		{
			rpEndSite old = motion->skeleton->ends[i], new = result->skeleton->ends[i];
			rpVec3 end = rpRotate(rotation, rpTransformPoint(before[old.joint], old.offset));
			assert_true(rpDistance(end, rpTransformPoint(after[new.joint], new.offset)) < 1e-5f);
		}
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

static void testAxes(void** state)
{
	(void)state;
	rpSkeleton* twisted = testMakePuppet(true);
	rpVec3 x = {1.0f, 0.0f, 0.0f};
	checkAxes(s_body, rpAxisAngle(x, (float)(-0.5 * RP_PI)));
	checkAxes(twisted, rpAxisAngle(x, (float)(-0.5 * RP_PI)));
	checkAxes(twisted, rpNormalizeQuat((rpQuat){0.3f, -0.2f, 0.5f, 0.8f}));
	rpReleaseSkeleton(twisted);
}

static void testReplaceSkeleton(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 40);
	rpMotion* large = rpScaleMotion(motion, 2.0f, NULL);
	rpMotion* result = rpReplaceSkeleton(motion, large->skeleton, NULL);
	checkKept(motion, result);
	assert_ptr_equal(result->skeleton, large->skeleton);
	assert_memory_equal(result->rotations, motion->rotations, 400 * sizeof(rpQuat));
	assert_true(testAnnotationsAgree(&result->annotations, &motion->annotations, 0.0));

	rpJoint joints[10];
	memcpy(joints, s_body->joints, sizeof(joints));
	joints[5].name = "Knee";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 10;
	rpSkeleton* other = rpCreateSkeleton(&def, NULL);
	def.jointCount = 9;
	rpSkeleton* fewer = rpCreateSkeleton(&def, NULL);
	rpError error = {0};
	expectError(rpReplaceSkeleton(motion, other, &error), &error, "joint 5 is \"RightLeg\"");
	expectError(rpReplaceSkeleton(motion, fewer, &error), &error, "10 joints, the new one 9");
	rpReleaseSkeleton(other);
	rpReleaseSkeleton(fewer);
	rpDestroyMotion(motion);
	rpDestroyMotion(large);
	rpDestroyMotion(result);
}

static void testRootPath(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(60.0, 300);
	static rpVec2 path[300];
	rpMotion_GetRootPath(motion, 0.0, path);
	for (int i = 0; i < 300; ++i)
	{
		assert_true(path[i].x == motion->rootPositions[i].x && path[i].y == motion->rootPositions[i].z);
	}

	// In the middle: the sum over the Gaussian as the textbook has it.
	rpMotion_GetRootPath(motion, 0.1, path);
	double sum = 0.0, x = 0.0, z = 0.0;
	for (int k = -24; k <= 24; ++k)
	{
		double weight = exp(-0.5 * k * k / 36.0);
		sum += weight;
		x += weight * motion->rootPositions[150 + k].x;
		z += weight * motion->rootPositions[150 + k].z;
	}
	assert_true(fabs(path[150].x - x / sum) < 1e-5 && fabs(path[150].y - z / sum) < 1e-5);

	// A straight walk stays as it is, ends included, and a wobble goes.
	for (int i = 0; i < 300; ++i)
	{
		motion->rootPositions[i] = (rpVec3){100.0f + 0.01f * (float)i, 1.0f, -0.02f * (float)i};
	}
	const double widths[] = {0.05, 0.5, 3.0, 1e9};
	for (int n = 0; n < 4; ++n)
	{
		rpMotion_GetRootPath(motion, widths[n], path);
		for (int i = 0; i < 300; ++i)
		{
			assert_true(n < 2 ? fabsf(path[i].x - motion->rootPositions[i].x) < 1e-4f : isfinite(path[i].x));
		}
		assert_true(fabsf(path[0].x - 100.0f) < 1e-4f);
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testResampleToSameRate),
		cmocka_unit_test(testResampleToAnyRate),
		cmocka_unit_test(testResampleThereAndBack),
		cmocka_unit_test(testCropKeepsFrames),
		cmocka_unit_test(testErrors),
		cmocka_unit_test(testMove),
		cmocka_unit_test(testScale),
		cmocka_unit_test(testAxes),
		cmocka_unit_test(testReplaceSkeleton),
		cmocka_unit_test(testRootPath),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
