#include "support.h"

static rpSkeleton* s_skeleton;
static rpBody s_body;

static int setUp(void** state)
{
	(void)state;
	s_skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	return s_skeleton != NULL && rpWeighSkeleton(s_skeleton, NULL, &s_body, NULL) ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpReleaseSkeleton(s_skeleton);
	return 0;
}

static void testMassesAddUp(void** state)
{
	(void)state;
	float sum = 0.0f;
	for (int i = 0; i < s_body.segmentCount; ++i)
	{
		assert_true(s_body.segments[i].mass > 0.0f && s_body.segments[i].across > 0.0f);
		sum += s_body.segments[i].mass;
	}
	assert_int_equal(s_body.segmentCount, 16);
	assert_float_equal(sum, s_body.mass, 1e-3f);
	assert_float_equal(s_body.mass, 22.0f * s_skeleton->height * s_skeleton->height, 1e-2f);
}

// A standing person's centre of mass is at 55 to 58 percent of the height, in the middle plane.
static void testStandingCenter(void** state)
{
	(void)state;
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(s_skeleton, rest);
	rpVec3 center = rpBody_GetCenter(&s_body, rest);
	float floor = 0.0f;
	for (int i = 0; i < s_skeleton->jointCount; ++i)
	{
		floor = fminf(floor, rest[i].p.y);
	}
	for (int i = 0; i < s_skeleton->endCount; ++i)
	{
		floor = fminf(floor, rpTransformPoint(rest[s_skeleton->ends[i].joint], s_skeleton->ends[i].offset).y);
	}
	// Arms stretched out sideways in the rest pose lift it by about 3 percent.
	float height = (center.y - floor) / s_skeleton->height;
	assert_true(height > 0.53f && height < 0.61f);
	assert_float_equal(center.x, 0.0f, 2e-3f);
}

// A rigid body that turns about the vertical through its centre: L = I w, with I summed over point masses at both ends
// of each segment, computed directly.
static void testRigidTurn(void** state)
{
	(void)state;
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	rpSkeleton_GetRest(s_skeleton, before);
	rpVec3 center = rpBody_GetCenter(&s_body, before);
	const float angle = 0.02f, seconds = 0.01f;
	for (int i = 0; i < s_skeleton->jointCount; ++i)
	{
		rpVec3 arm = rpSub(before[i].p, center);
		after[i] = (rpTransform){rpAdd(center, rpRotate(rpYaw(angle), arm)), rpMulQuat(rpYaw(angle), before[i].q)};
	}
	double inertia = 0.0;
	for (int i = 0; i < s_body.segmentCount; ++i)
	{
		const rpSegment* s = s_body.segments + i;
		rpVec3 p = rpTransformPoint(before[s->joint], s->center);
		rpVec3 axis = rpRotate(before[s->joint].q, s->axis);
		double dx = p.x - center.x, dz = p.z - center.z, c = axis.y;
		inertia += s->mass * (dx * dx + dz * dz) + s->along * c * c + s->across * (1.0 - c * c);
	}
	rpMomentum momentum = rpBody_GetMomentum(&s_body, before, after, seconds);
	assert_float_equal(momentum.angular.y / (inertia * angle / seconds), 1.0, 1e-3);
	assert_true(rpLength(momentum.linear) < 1e-2f);
	// Winter and others: 1 to 1.5 kg m² upright with arms down, more with arms out.
	assert_true(inertia > 1.0 && inertia < 4.0);
}

static void testStraightFlight(void** state)
{
	(void)state;
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	rpSkeleton_GetRest(s_skeleton, before);
	rpVec3 step = {0.01f, -0.02f, 0.03f};
	for (int i = 0; i < s_skeleton->jointCount; ++i)
	{
		after[i] = (rpTransform){rpAdd(before[i].p, step), before[i].q};
	}
	rpMomentum momentum = rpBody_GetMomentum(&s_body, before, after, 0.01f);
	assert_true(rpDistance(momentum.linear, rpScale(100.0f * s_body.mass, step)) < 1e-2f);
	assert_true(rpLength(momentum.angular) < 1e-2f);
}

static void testNoLegs(void** state)
{
	(void)state;
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips";
	joints[1].name = "Spine";
	joints[1].parent = 0;
	joints[1].offset.y = 0.3f;
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpBody body;
	rpError error = {0};
	assert_false(rpWeighSkeleton(skeleton, NULL, &body, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpReleaseSkeleton(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testMassesAddUp),    cmocka_unit_test(testStandingCenter), cmocka_unit_test(testRigidTurn),
		cmocka_unit_test(testStraightFlight), cmocka_unit_test(testNoLegs),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
