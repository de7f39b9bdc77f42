#include "bodies.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

/// A skeleton with its effectors in the world, turned back into a standing body.
typedef struct Stand
{
	TestBody body;
	rpSkeleton* skeleton;
	rpTransform rest[128];
	rpVec3 effectors[rp_effectorCount];
} Stand;

static void standUp(const TestBodyDef* def, Stand* stand)
{
	rpError error = {0};
	testLayOutBody(def, &stand->body);
	stand->skeleton = rpCreateSkeleton(&stand->body.def, &error);
	assert_non_null(stand->skeleton);
	rpSkeleton_GetRest(stand->skeleton, stand->rest);
	// The rest pose starts at the root; the body's own frame gives back metres and axes.
	for (int i = 0; i < stand->skeleton->jointCount; ++i)
	{
		stand->rest[i].p = rpScale(1.0f / def->scale, rpRotate(rpConjugate(def->turn), stand->rest[i].p));
		stand->rest[i].q = rpMulQuat(rpConjugate(def->turn), stand->rest[i].q);
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		rpAttachment at = stand->skeleton->effectors[i];
		assert_true(at.joint >= 0);
		stand->effectors[i] = rpTransformPoint(stand->rest[at.joint], rpScale(1.0f / def->scale, at.offset));
	}
}

static rpVec3 getRole(const Stand* stand, rpRole role)
{
	return stand->rest[rpSkeleton_FindRole(stand->skeleton, role)].p;
}

static void assertNear(rpVec3 a, rpVec3 b, float tolerance)
{
	if (!(rpDistance(a, b) <= tolerance))
	{
		fail_msg("(%g %g %g) is not (%g %g %g)", a.x, a.y, a.z, b.x, b.y, b.z);
	}
}

static rpQuat turnZUp(void)
{
	rpQuat zUp = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(0.5 * RP_PI));
	return rpMulQuat(rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(0.5 * RP_PI)), zUp);
}

// In every convention and layout: heel behind the ankle, toe before the ball, on one level where the ball is known;
// hands beyond the wrists; the seat below the hips; left and right mirrored.
static void checkStand(const Stand* stand)
{
	const rpVec3* e = stand->effectors;
	rpVec3 ankle = getRole(stand, rp_roleLeftAnkle), hip = getRole(stand, rp_roleLeftHip);
	rpVec3 wrist = getRole(stand, rp_roleLeftWrist);
	assert_true(e[rp_leftHeel].z < ankle.z - 0.02f && e[rp_leftHeel].z > ankle.z - 0.08f);
	assert_float_equal(e[rp_leftHeel].y, e[rp_leftBall].y, 1e-3f);
	assert_true(e[rp_leftBall].z > ankle.z + 0.08f);
	assert_true(e[rp_leftToe].z > e[rp_leftBall].z + 0.02f);
	assert_true(e[rp_leftToe].y < ankle.y - 0.03f);
	assert_true(e[rp_seat].y < hip.y - 0.05f && e[rp_seat].y > hip.y - 0.12f);
	assert_float_equal(e[rp_seat].x, 0.0f, 1e-3f);
	assert_true(rpDistance(e[rp_leftHand], wrist) > 0.03f && rpDistance(e[rp_leftHand], wrist) < 0.25f);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		rpVec3 other = e[rpEffector_Mirror((rpEffector)i)];
		assertNear(e[i], (rpVec3){-other.x, other.y, other.z}, 1e-3f);
	}
}

static void testEveryBody(void** state)
{
	(void)state;
	for (int i = 0; i < testCountBodies() * 16; ++i)
	{
		static Stand stand;
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i / 16;
		def.armsDown = i % 2 == 1;
		def.scale = i / 2 % 2 == 1 ? 100.0f : 1.0f;
		def.turnedFrames = i / 4 % 2 == 1;
		def.turn = i / 8 % 2 == 1 ? turnZUp() : rpQuat_identity;
		standUp(&def, &stand);
		checkStand(&stand);
		rpReleaseSkeleton(stand.skeleton);
	}
}

// Ball joint and end site: the places are the joint's and the site's, the heel is computed by hand.
static void testFootWithBall(void** state)
{
	(void)state;
	static Stand stand;
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("classic BVH");
	def.turnedFrames = true;
	standUp(&def, &stand);
	rpVec3 ankle = getRole(&stand, rp_roleLeftAnkle), ball = getRole(&stand, rp_roleLeftBall);
	assertNear(stand.effectors[rp_leftBall], ball, 1e-5f);
	assertNear(stand.effectors[rp_leftToe], rpAdd(ball, (rpVec3){0.0f, 0.0f, 0.07f}), 1e-5f);
	rpVec3 heel = {ankle.x - 0.3f * (ball.x - ankle.x), ball.y, ankle.z - 0.3f * (ball.z - ankle.z)};
	assertNear(stand.effectors[rp_leftHeel], heel, 1e-5f);
	assert_int_equal(stand.skeleton->effectors[rp_leftToe].joint, stand.skeleton->roles[rp_roleLeftBall]);
	assert_int_equal(stand.skeleton->effectors[rp_leftHeel].joint, stand.skeleton->roles[rp_roleLeftAnkle]);
	rpReleaseSkeleton(stand.skeleton);
}

static void testFootWithEndSiteOnly(void** state)
{
	(void)state;
	static Stand stand;
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("Biovision");
	standUp(&def, &stand);
	rpVec3 ankle = getRole(&stand, rp_roleLeftAnkle), toe = stand.effectors[rp_leftToe];
	assertNear(toe, rpAdd(ankle, (rpVec3){0.01f, -0.06f, 0.20f}), 1e-5f);
	rpVec3 ball = rpAdd(ankle, (rpVec3){0.007f, -0.06f, 0.14f});
	assertNear(stand.effectors[rp_leftBall], ball, 1e-5f);
	assertNear(stand.effectors[rp_leftHeel], rpAdd(ankle, (rpVec3){-0.0021f, -0.06f, -0.042f}), 1e-5f);
	rpReleaseSkeleton(stand.skeleton);
}

// Without ball, end site and fingers: Winter's proportions of the height, along the body's own directions.
static void testProportions(void** state)
{
	(void)state;
	static TestBody body;
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("sparse, capitals");
	testLayOutBody(&def, &body);
	body.def.endCount = 0;
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	float height = skeleton->height;
	assert_float_equal(height, 1.60f - 0.08f, 1e-5f);
	const rpAttachment* e = skeleton->effectors;
	assert_float_equal(e[rp_leftToe].offset.z - e[rp_leftHeel].offset.z, 0.152f * height, 1e-5f);
	assert_float_equal(e[rp_leftToe].offset.y, -0.039f * height, 1e-5f);
	assert_float_equal(e[rp_leftHeel].offset.y, -0.039f * height, 1e-5f);
	assert_float_equal(e[rp_leftHeel].offset.z, -0.3f * e[rp_leftBall].offset.z, 1e-5f);
	assertNear(e[rp_leftHand].offset, (rpVec3){0.108f * height, 0.0f, 0.0f}, 1e-5f);
	assertNear(e[rp_rightHand].offset, (rpVec3){-0.108f * height, 0.0f, 0.0f}, 1e-5f);
	rpReleaseSkeleton(skeleton);
}

// The middle finger where it is named; the fingers' middle, without the thumb, where not.
static void testHands(void** state)
{
	(void)state;
	static Stand stand;
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("Mixamo");
	standUp(&def, &stand);
	rpVec3 finger = stand.rest[rpSkeleton_FindJoint(stand.skeleton, "mixamorig:LeftHandMiddle1")].p;
	assertNear(stand.effectors[rp_leftHand], finger, 1e-5f);
	rpReleaseSkeleton(stand.skeleton);
	def.convention = testFindBody("CMU, bones lost");
	standUp(&def, &stand);
	finger = stand.rest[rpSkeleton_FindJoint(stand.skeleton, "LeftHandIndex1")].p;
	assertNear(stand.effectors[rp_leftHand], finger, 1e-5f);
	rpReleaseSkeleton(stand.skeleton);
}

// Feet stretched downwards in the rest pose (bones along y): the heel is on the far side of the ankle.
static void testPointedFoot(void** state)
{
	(void)state;
	static TestBody body;
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("classic BVH");
	testLayOutBody(&def, &body);
	for (int i = 0; i < body.def.jointCount; ++i)
	{
		rpJoint* joint = body.joints + i;
		joint->offset = strstr(joint->name, "Toe") != NULL ? (rpVec3){0.0f, -0.15f, 0.0f} : joint->offset;
	}
	body.def.endCount = 0;
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	assertNear(skeleton->effectors[rp_leftHeel].offset, (rpVec3){0.0f, 0.045f, -0.039f * skeleton->height}, 1e-5f);
	assertNear(skeleton->effectors[rp_leftToe].offset, (rpVec3){0.0f, -0.075f, 0.0f}, 1e-5f);
	rpReleaseSkeleton(skeleton);
}

static void testNoBody(void** state)
{
	(void)state;
	rpJoint joint = rpDefaultJoint();
	joint.name = "camera";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		assert_int_equal(skeleton->effectors[i].joint, -1);
	}
	rpReleaseSkeleton(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryBody),
		cmocka_unit_test(testFootWithBall),
		cmocka_unit_test(testFootWithEndSiteOnly),
		cmocka_unit_test(testProportions),
		cmocka_unit_test(testHands),
		cmocka_unit_test(testPointedFoot),
		cmocka_unit_test(testNoBody),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
