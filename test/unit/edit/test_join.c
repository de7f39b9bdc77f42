/// Motions one after the other.
#include "edit_scene.h"

#include <string.h>

static rpMotion* makeMotion(const char* name, double fps, int frameCount, uint64_t seed)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, name, fps, frameCount, seed);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	return motion;
}

static void testFrames(void** state)
{
	(void)state;
	rpMotion* parts[3] = {makeMotion("a", 30.0, 40, 1), makeMotion("b", 30.0, 1, 2), makeMotion("c", 30.0, 25, 3)};
	// The same rotations with the other sign.
	for (int i = 0; i < 250; ++i)
	{
		parts[2]->rotations[i] = rpNegateQuat(parts[2]->rotations[i]);
	}
	testAddTranslations(parts[1]);
	assert_true(rpMotion_AddInput(parts[0], "x.bvh", "1", NULL) && rpMotion_AddInput(parts[1], "x.bvh", "1", NULL));
	assert_true(rpMotion_AddInput(parts[2], "y.bvh", "2", NULL));
	rpMotion* result = rpJoinMotions((const rpMotion* const*)parts, 3, NULL);
	assert_non_null(result);
	testCheckMotion(result);
	testCheckAnnotations(result);
	assert_int_equal(result->frameCount, 66);
	assert_int_equal(result->inputCount, 2);
	rpTransform part[10], whole[10];
	for (int n = 0, frame = 0; n < 3; ++n)
	{
		for (int i = 0; i < parts[n]->frameCount; ++i, ++frame)
		{
			rpMotion_Forward(parts[n], i, part);
			rpMotion_Forward(result, frame, whole);
			for (int k = 0; k < 10; ++k)
			{
				assert_true(rpDistance(part[k].p, whole[k].p) < 1e-6f);
			}
			double seconds = 0.0;
			assert_string_equal(testFindSource(result, frame / 30.0, &seconds), parts[n]->name);
			assert_true(fabs(seconds - i / 30.0) < 1e-9);
		}
	}
	const rpEvent* seams = result->annotations.events;
	assert_int_equal(result->annotations.eventCount, 2);
	assert_string_equal(seams[0].name, "seam");
	assert_true(seams[0].time == 40 / 30.0 && seams[1].time == 41 / 30.0);
	rpDestroyMotion(result);
	for (int n = 0; n < 3; ++n)
	{
		rpDestroyMotion(parts[n]);
	}
}

// Cut in three and joined again: the frames are the same, and so is what is known of every frame.
static void testCutAndJoin(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion("take", 30.0, 90, 4);
	testAnnotate(motion);
	rpMotion* parts[3] = {rpCropFrames(motion, 0, 20, NULL), rpCropFrames(motion, 20, 41, NULL),
						  rpCropFrames(motion, 61, 29, NULL)};
	rpMotion* result = rpJoinMotions((const rpMotion* const*)parts, 3, NULL);
	assert_non_null(result);
	testCheckAnnotations(result);
	assert_memory_equal(result->rotations, motion->rotations, 900 * sizeof(rpQuat));
	assert_memory_equal(result->rootPositions, motion->rootPositions, 90 * sizeof(rpVec3));
	for (int frame = 0; frame < 90; ++frame)
	{
		double t = frame / 30.0, expected = 0.0, found = 0.0;
		assert_string_equal(testFindSource(motion, t, &expected), testFindSource(result, t, &found));
		assert_true(fabs(expected - found) < 1e-9);
		for (int i = 0; i < motion->annotations.curveCount; ++i)
		{
			float a[3] = {0}, b[3] = {0};
			rpCurve_Sample(motion->annotations.curves + i, t, a);
			rpCurve_Sample(result->annotations.curves + i, t, b);
			assert_true(rpDistance((rpVec3){a[0], a[1], a[2]}, (rpVec3){b[0], b[1], b[2]}) < 1e-5f);
		}
		for (int effector = 0; effector < rp_effectorCount; ++effector)
		{
			int covers[2] = {0, 0};
			for (int n = 0; n < 2; ++n)
			{
				const rpMotion* whole = n == 0 ? motion : result;
				for (int i = 0; i < whole->annotations.intervalCount; ++i)
				{
					const rpInterval* interval = whole->annotations.intervals + i;
					covers[n] += interval->track == rp_trackContact && (int)interval->effector == effector &&
								 t >= interval->start - 1e-9 && t < interval->end - 1e-9;
				}
			}
			assert_int_equal(covers[0], covers[1]);
		}
	}
	// One number everywhere stays one key.
	assert_int_equal(rpAnnotations_FindCurve(&result->annotations, "stride_length")->keyCount, 1);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	for (int n = 0; n < 3; ++n)
	{
		rpDestroyMotion(parts[n]);
	}
}

static void addConstant(rpMotion* motion, const char* name, rpCurveKind kind, float value)
{
	const double time = 0.5;
	const float values[3] = {value, value, value};
	rpCurve curve = {name, kind, 1, &time, values};
	assert_true(rpAnnotations_AddCurve(&motion->annotations, &curve, NULL));
}

// Constants that differ become a step between the last frame of one and the first of the other.
static void testConstantsThatDiffer(void** state)
{
	(void)state;
	rpMotion* parts[2] = {makeMotion("a", 10.0, 11, 1), makeMotion("b", 10.0, 21, 2)};
	addConstant(parts[0], "load", rp_curveScalar, 1.0f);
	addConstant(parts[1], "load", rp_curveScalar, 3.0f);
	addConstant(parts[1], "late", rp_curveSided, -2.0f);
	rpMotion* result = rpJoinMotions((const rpMotion* const*)parts, 2, NULL);
	const rpCurve* load = rpAnnotations_FindCurve(&result->annotations, "load");
	const rpCurve* late = rpAnnotations_FindCurve(&result->annotations, "late");
	const double times[] = {0.0, 1.0, 1.1, 3.1};
	const float values[] = {1.0f, 1.0f, 3.0f, 3.0f};
	assert_int_equal(load->keyCount, 4);
	for (int i = 0; i < 4; ++i)
	{
		assert_true(fabs(load->times[i] - times[i]) < 1e-9 && load->values[i] == values[i]);
	}
	assert_int_equal(late->keyCount, 1);
	assert_true(late->kind == rp_curveSided && late->values[0] == -2.0f);
	rpDestroyMotion(parts[0]);
	rpDestroyMotion(parts[1]);
	rpDestroyMotion(result);
}

static void expectError(rpMotion* a, rpMotion* b, const char* part)
{
	const rpMotion* const motions[2] = {a, b};
	rpError error = {0};
	assert_null(rpJoinMotions(motions, 2, &error));
	assert_int_equal(error.code, rp_errorArgument);
	if (strstr(error.message, part) == NULL)
	{
		fail_msg("\"%s\" is not in \"%s\"", part, error.message);
	}
}

static rpMotion* makeOtherBody(void (*change)(rpJoint*), int jointCount)
{
	rpSkeleton* body = testMakePuppet(false);
	rpJoint joints[10];
	memcpy(joints, body->joints, sizeof(joints));
	change(joints + 5);
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	def.guessRoles = false;
	rpSkeleton* other = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(other, "other", 30.0, 3, NULL);
	rpReleaseSkeleton(body);
	rpReleaseSkeleton(other);
	return motion;
}

static void keep(rpJoint* joint)
{
	(void)joint;
}

static void rename5(rpJoint* joint)
{
	joint->name = "Knee";
}

static void rehang(rpJoint* joint)
{
	joint->parent = 3;
}

static void lengthen(rpJoint* joint)
{
	joint->offset.y -= 0.125f;
}

static void testErrors(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion("take", 30.0, 3, 1);
	rpMotion* others[] = {makeOtherBody(rename5, 10), makeOtherBody(rehang, 10),      makeOtherBody(lengthen, 10),
						  makeOtherBody(keep, 9),     makeMotion("fast", 60.0, 3, 1), makeMotion("other", 30.0, 3, 1)};
	addConstant(motion, "load", rp_curveScalar, 1.0f);
	addConstant(others[5], "load", rp_curvePoint, 1.0f);
	expectError(motion, others[0], "joint 5 is \"RightLeg\" in one and \"Knee\" in the other");
	expectError(motion, others[1], "joint \"RightLeg\" has different parents");
	expectError(motion, others[2], "the offsets of joint \"RightLeg\" are 0.125 m apart");
	expectError(motion, others[3], "one has 10 joints, the other 9");
	expectError(motion, others[4], "\"take\" has 30 frames per second, \"fast\" 60");
	expectError(motion, others[5], "the curve \"load\" is of kind point in \"other\" and of kind scalar before");
	assert_null(rpJoinMotions(NULL, 0, NULL));
	// Rates that a file rounded are the same rate.
	others[4]->fps = 30.0001;
	const rpMotion* const near[2] = {motion, others[4]};
	rpMotion* joined = rpJoinMotions(near, 2, NULL);
	assert_non_null(joined);
	rpDestroyMotion(joined);
	rpDestroyMotion(motion);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i)
	{
		rpDestroyMotion(others[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFrames),
		cmocka_unit_test(testCutAndJoin),
		cmocka_unit_test(testConstantsThatDiffer),
		cmocka_unit_test(testErrors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
