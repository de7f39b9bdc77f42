#include "bodies.h"
#include "support.h"

#include <pthread.h>
#include <string.h>

static rpQuat randomQuat(rpRandom* random)
{
	return rpNormalizeQuat(
		(rpQuat){rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)});
}

static void makeBody(TestBody* body)
{
	TestBodyDef def = testDefaultBodyDef();
	def.turnedFrames = true;
	testLayOutBody(&def, body);
}

// A skeleton keeps copies: the definition may go.
static void testCopies(void** state)
{
	(void)state;
	static TestBody body, kept;
	makeBody(&body);
	kept = body;
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	memset(&body, 0x55, sizeof(body));
	assert_int_equal(skeleton->jointCount, kept.def.jointCount);
	assert_int_equal(skeleton->endCount, kept.def.endCount);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		assert_string_equal(skeleton->joints[i].name, kept.names[i]);
		assert_int_equal(skeleton->parents[i], kept.joints[i].parent);
		assert_memory_equal(skeleton->offsets + i, &kept.joints[i].offset, sizeof(rpVec3));
		assert_memory_equal(&skeleton->joints[i].offset, &kept.joints[i].offset, sizeof(rpVec3));
		assert_int_equal(rpSkeleton_FindJoint(skeleton, kept.names[i]), i);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		assert_int_equal(skeleton->ends[i].joint, kept.ends[i].joint);
		assert_string_equal(skeleton->ends[i].name, "");
	}
	assert_int_equal(rpSkeleton_FindJoint(skeleton, "nobody"), -1);
	assert_int_equal(rpSkeleton_FindJoint(skeleton, ""), -1);
	rpReleaseSkeleton(skeleton);
}

static void testRestIsNormalised(void** state)
{
	(void)state;
	rpJoint joint = rpDefaultJoint();
	joint.name = "root";
	joint.rest = (rpQuat){2.0f, 0.0f, 0.0f, 2.0f};
	joint.axes = (rpQuat){0.0f, 3.0f, 0.0f, 0.0f};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	assert_float_equal(skeleton->joints[0].rest.w, sqrtf(0.5f), 1e-6f);
	assert_float_equal(skeleton->joints[0].axes.x, 1.0f, 1e-6f);
	assert_int_equal(skeleton->joints[0].mirror, 0);
	rpReleaseSkeleton(skeleton);

	// No rotation at all means none.
	joint.rest = (rpQuat){0.0f, 0.0f, 0.0f, 0.0f};
	skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	assert_float_equal(skeleton->joints[0].rest.w, 1.0f, 0.0f);
	rpReleaseSkeleton(skeleton);
}

// Height from the lowest to the highest point, end sites included; legs along the bones.
static void testMeasures(void** state)
{
	(void)state;
	static TestBody body;
	makeBody(&body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	assert_float_equal(skeleton->height, 1.78f - 0.02f, 1e-4f);
	float thigh = sqrtf(0.01f * 0.01f + 0.42f * 0.42f + 0.01f * 0.01f);
	float shank = sqrtf(0.40f * 0.40f + 0.03f * 0.03f);
	assert_float_equal(skeleton->legLength, thigh + shank, 1e-4f);
	rpReleaseSkeleton(skeleton);
}

/// One error in a definition, and what the error must be.
typedef struct Damage
{
	void (*spoil)(TestBody* body);
	rpErrorCode code;
	const char* says;
} Damage;

static void dropName(TestBody* body)
{
	body->joints[3].name = NULL;
}

static void emptyName(TestBody* body)
{
	body->joints[3].name = "";
}

static void doubleName(TestBody* body)
{
	body->joints[7].name = body->joints[20].name;
}

static void secondRoot(TestBody* body)
{
	body->joints[5].parent = -1;
}

static void laterParent(TestBody* body)
{
	body->joints[5].parent = 6;
}

static void ownParent(TestBody* body)
{
	body->joints[5].parent = 5;
}

static void rootWithParent(TestBody* body)
{
	body->joints[0].parent = 0;
}

static void endlessOffset(TestBody* body)
{
	body->joints[5].offset.y = INFINITY;
}

static void noOffset(TestBody* body)
{
	body->joints[5].offset.z = NAN;
}

static void noRest(TestBody* body)
{
	body->joints[5].rest.x = NAN;
}

static void endlessAxes(TestBody* body)
{
	body->joints[5].axes.w = INFINITY;
}

static void noLimit(TestBody* body)
{
	body->joints[5].lower.x = NAN;
}

static void strangeOrder(TestBody* body)
{
	body->joints[5].order = (rpEulerOrder)rp_eulerOrderCount;
}

static void strangeRole(TestBody* body)
{
	body->joints[5].role = (rpRole)rp_roleCount;
}

static void strangeFreedom(TestBody* body)
{
	body->joints[5].freedoms = 8;
}

static void doubleRole(TestBody* body)
{
	body->joints[5].role = body->joints[8].role = rp_roleLeftKnee;
}

static void noJoints(TestBody* body)
{
	body->def.jointCount = 0;
}

static void tooManyJoints(TestBody* body)
{
	body->def.jointCount = RP_MAX_JOINTS + 1;
}

static void tooManyEnds(TestBody* body)
{
	body->def.endCount = 4 * RP_MAX_JOINTS + 1;
}

static void lessThanNoEnds(TestBody* body)
{
	body->def.endCount = -1;
}

static void lostEnd(TestBody* body)
{
	body->ends[1].joint = body->def.jointCount;
}

static void rootlessEnd(TestBody* body)
{
	body->ends[1].joint = -1;
}

static void endlessEnd(TestBody* body)
{
	body->ends[1].offset.x = -INFINITY;
}

static void testBadDefinitions(void** state)
{
	(void)state;
	static const Damage damages[] = {
		{dropName, rp_errorFormat, "joint 3"},
		{emptyName, rp_errorFormat, "joint 3"},
		{doubleName, rp_errorFormat, "two joints are named"},
		{secondRoot, rp_errorFormat, "earlier joint"},
		{laterParent, rp_errorFormat, "earlier joint"},
		{ownParent, rp_errorFormat, "earlier joint"},
		{rootWithParent, rp_errorFormat, "expected none"},
		{endlessOffset, rp_errorFormat, "offset"},
		{noOffset, rp_errorFormat, "offset"},
		{noRest, rp_errorFormat, "rest"},
		{endlessAxes, rp_errorFormat, "axes"},
		{noLimit, rp_errorFormat, "limits"},
		{strangeOrder, rp_errorArgument, "unknown"},
		{strangeRole, rp_errorArgument, "unknown"},
		{strangeFreedom, rp_errorArgument, "unknown"},
		{doubleRole, rp_errorFormat, "left_knee"},
		{noJoints, rp_errorLimit, "0 joints"},
		{tooManyJoints, rp_errorLimit, "1025 joints"},
		{tooManyEnds, rp_errorLimit, "4097 end sites"},
		{lessThanNoEnds, rp_errorLimit, "-1 end sites"},
		{lostEnd, rp_errorFormat, "end site 1"},
		{rootlessEnd, rp_errorFormat, "end site 1"},
		{endlessEnd, rp_errorFormat, "end site 1"},
	};
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); ++i)
	{
		static TestBody body;
		rpError error = {0};
		makeBody(&body);
		damages[i].spoil(&body);
		assert_null(rpCreateSkeleton(&body.def, &error));
		assert_int_equal(error.code, damages[i].code);
		if (strstr(error.message, damages[i].says) == NULL)
		{
			fail_msg("damage %zu: \"%s\" does not say \"%s\"", i, error.message, damages[i].says);
		}
		assert_null(rpCreateSkeleton(&body.def, NULL));
	}
}

static void* keepAndLeave(void* skeleton)
{
	for (int i = 0; i < 20000; ++i)
	{
		rpReleaseSkeleton(rpRetainSkeleton(skeleton));
	}
	return NULL;
}

static void testOwners(void** state)
{
	(void)state;
	static TestBody body;
	makeBody(&body);
	int before = testCountLiveBlocks();
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	assert_int_equal(testCountLiveBlocks(), before + 1);
	assert_ptr_equal(rpRetainSkeleton(skeleton), skeleton);
	rpReleaseSkeleton(skeleton);
	assert_int_equal(testCountLiveBlocks(), before + 1);
	pthread_t threads[4];
	for (int i = 0; i < 4; ++i)
	{
		assert_int_equal(pthread_create(threads + i, NULL, keepAndLeave, skeleton), 0);
	}
	for (int i = 0; i < 4; ++i)
	{
		pthread_join(threads[i], NULL);
	}
	assert_int_equal(testCountLiveBlocks(), before + 1);
	rpReleaseSkeleton(skeleton);
	assert_int_equal(testCountLiveBlocks(), before);
	rpReleaseSkeleton(NULL);
}

// The definition that comes back makes the same skeleton; a corrected role stays corrected.
static void testDefinitionComesBack(void** state)
{
	(void)state;
	static TestBody body;
	static rpJoint joints[128];
	makeBody(&body);
	rpSkeleton* first = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(first);
	rpSkeletonDef def = rpSkeleton_GetDef(first);
	rpSkeleton* second = rpCreateSkeleton(&def, NULL);
	assert_non_null(second);
	assert_true(rpSkeleton_Matches(first, second));
	assert_memory_equal(first->roles, second->roles, sizeof(first->roles));
	assert_memory_equal(first->effectors, second->effectors, sizeof(first->effectors));
	memcpy(joints, def.joints, (size_t)def.jointCount * sizeof(rpJoint));
	int neck = first->roles[rp_roleNeck], other = rpSkeleton_FindJoint(first, "Neck1");
	joints[neck].role = rp_roleNone;
	joints[other].role = rp_roleNeck;
	def.joints = joints;
	rpSkeleton* third = rpCreateSkeleton(&def, NULL);
	assert_non_null(third);
	assert_int_equal(rpSkeleton_FindRole(third, rp_roleNeck), other);
	assert_int_equal(third->joints[neck].role, rp_roleNone);
	rpReleaseSkeleton(first);
	rpReleaseSkeleton(second);
	rpReleaseSkeleton(third);
}

static bool matchesWhen(void (*change)(TestBody* body))
{
	static TestBody body;
	makeBody(&body);
	rpSkeleton* a = rpCreateSkeleton(&body.def, NULL);
	change(&body);
	rpSkeleton* b = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(a);
	assert_non_null(b);
	bool matches = rpSkeleton_Matches(a, b);
	assert_int_equal(matches, rpSkeleton_Matches(b, a));
	assert_true(rpSkeleton_Matches(a, a));
	rpReleaseSkeleton(a);
	rpReleaseSkeleton(b);
	return matches;
}

static void changeNothing(TestBody* body)
{
	(void)body;
}

static void changeRest(TestBody* body)
{
	body->joints[5].rest = rpYaw(1.0f);
	body->joints[5].role = rp_roleHead;
	body->joints[5].lower.x = -1.0f;
}

static void moveRoot(TestBody* body)
{
	body->joints[0].offset.x += 1.0f;
}

static void moveHardly(TestBody* body)
{
	body->joints[5].offset.x += 0.00008f;
}

static void move(TestBody* body)
{
	body->joints[5].offset.x += 0.0002f;
}

static void rename5(TestBody* body)
{
	body->joints[5].name = "another";
}

static void hangElsewhere(TestBody* body)
{
	body->joints[5].parent = 0;
}

static void shorten(TestBody* body)
{
	body->def.endCount = 0;
	--body->def.jointCount;
}

static void testMatches(void** state)
{
	(void)state;
	assert_true(matchesWhen(changeNothing));
	assert_true(matchesWhen(changeRest));
	assert_true(matchesWhen(moveRoot));
	assert_true(matchesWhen(moveHardly));
	assert_false(matchesWhen(move));
	assert_false(matchesWhen(rename5));
	assert_false(matchesWhen(hangElsewhere));
	assert_false(matchesWhen(shorten));
}

/// A rigid transform in double precision, as a matrix: x -> M x + p.
typedef struct Matrix
{
	double m[3][3];
	double p[3];
} Matrix;

// Written from the definition of a unit quaternion, apart from the library's own product.
static Matrix toMatrix(rpQuat q, rpVec3 p)
{
	double w = q.w, x = q.x, y = q.y, z = q.z;
	return (Matrix){
		.m = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
			  {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
			  {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}},
		.p = {p.x, p.y, p.z},
	};
}

static Matrix multiply(const Matrix* a, const Matrix* b)
{
	Matrix c;
	for (int i = 0; i < 3; ++i)
	{
		c.p[i] = a->p[i];
		for (int j = 0; j < 3; ++j)
		{
			c.p[i] += a->m[i][j] * b->p[j];
			c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
		}
	}
	return c;
}

static void assertSame(const Matrix* expected, rpTransform got)
{
	Matrix m = toMatrix(got.q, got.p);
	for (int i = 0; i < 3; ++i)
	{
		assert_true(fabs(m.p[i] - expected->p[i]) < 2e-6);
		for (int j = 0; j < 3; ++j)
		{
			assert_true(fabs(m.m[i][j] - expected->m[i][j]) < 4e-6);
		}
	}
}

static void testForward(void** state)
{
	(void)state;
	static TestBody body;
	makeBody(&body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	rpRandom random = rpSeedRandom(31);
	int count = skeleton->jointCount;
	for (int n = 0; n < 200; ++n)
	{
		rpQuat rotations[128];
		rpVec3 translations[128];
		rpTransform out[128];
		Matrix world[128];
		rpVec3 root = {rpRandom_Normal(&random), 1.0f, rpRandom_Normal(&random)};
		bool stretched = n % 2 == 1;
		for (int i = 0; i < count; ++i)
		{
			rotations[i] = randomQuat(&random);
			translations[i] = rpScale(rpRandom_Range(&random, 0.5f, 1.5f), skeleton->offsets[i]);
			rpVec3 offset = i == 0 ? root : stretched ? translations[i] : skeleton->offsets[i];
			world[i] = toMatrix(rotations[i], offset);
			world[i] = i == 0 ? world[0] : multiply(world + skeleton->parents[i], world + i);
		}
		rpSkeleton_Forward(skeleton, root, rotations, stretched ? translations : NULL, out);
		for (int i = 0; i < count; ++i)
		{
			assertSame(world + i, out[i]);
		}
	}
	rpReleaseSkeleton(skeleton);
}

static void testRest(void** state)
{
	(void)state;
	static TestBody body;
	makeBody(&body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	rpTransform rest[128], pose[128];
	rpQuat rotations[128];
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		rotations[i] = skeleton->joints[i].rest;
	}
	rpSkeleton_GetRest(skeleton, rest);
	rpSkeleton_Forward(skeleton, rpVec3_zero, rotations, NULL, pose);
	assert_memory_equal(rest, pose, (size_t)skeleton->jointCount * sizeof(rpTransform));
	rpReleaseSkeleton(skeleton);
}

static void testEveryAllocation(void** state)
{
	(void)state;
	static TestBody body;
	makeBody(&body);
	int before = testCountLiveBlocks();
	rpSkeleton* skeleton = NULL;
	int n = 0;
	for (; skeleton == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		skeleton = rpCreateSkeleton(&body.def, &error);
		testFailAllocation(-1);
		assert_true(skeleton != NULL || error.code == rp_errorMemory);
		assert_true(skeleton != NULL || testCountLiveBlocks() == before);
	}
	assert_true(n > 2);
	rpReleaseSkeleton(skeleton);
	assert_int_equal(testCountLiveBlocks(), before);
}

static void testRoleAndEffectorNames(void** state)
{
	(void)state;
	assert_string_equal(rpRole_GetName(rp_roleLeftKnee), "left_knee");
	assert_string_equal(rpRole_GetName(rp_roleNone), "none");
	assert_string_equal(rpRole_GetName((rpRole)999), "none");
	assert_int_equal(rpRole_Find("left_kne"), rp_roleNone);
	assert_int_equal(rpRole_Mirror(rp_roleLeftKnee), rp_roleRightKnee);
	assert_int_equal(rpRole_Mirror(rp_rolePelvis), rp_rolePelvis);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		rpEffector effector = (rpEffector)i;
		assert_int_equal(rpEffector_Find(rpEffector_GetName(effector)), effector);
		assert_int_equal(rpEffector_Mirror(rpEffector_Mirror(effector)), effector);
	}
	assert_int_equal(rpEffector_Find("tail"), rp_effectorCount);
	assert_int_equal(rpEffector_Mirror(rp_leftHeel), rp_rightHeel);
	assert_int_equal(rpEffector_Mirror(rp_seat), rp_seat);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCopies),
		cmocka_unit_test(testRestIsNormalised),
		cmocka_unit_test(testMeasures),
		cmocka_unit_test(testBadDefinitions),
		cmocka_unit_test(testOwners),
		cmocka_unit_test(testDefinitionComesBack),
		cmocka_unit_test(testMatches),
		cmocka_unit_test(testForward),
		cmocka_unit_test(testRest),
		cmocka_unit_test(testEveryAllocation),
		cmocka_unit_test(testRoleAndEffectorNames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
