/// Reading a registration between its keys.
#include "base/memory.h"
#include "edit_scene.h"

#include "reprise/registration.h"

enum
{
	keyCount = 21,
	frameCount = 201,
};

// Motion 1 walks twice as slow around a circle whose middle is 50 m from the origin; the registration lays it on
// motion 0, which walks straight on.
static const rpVec3 middle = {50.0f, 0.0f, 0.0f};

static rpMotion* makeMotion(void)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 100.0, frameCount, 9);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	return motion;
}

static rpMotion* makeCircling(void)
{
	rpMotion* motion = makeMotion();
	for (int i = 0; i < frameCount; ++i)
	{
		float angle = 0.01f * (float)i;
		motion->rootPositions[i] = (rpVec3){middle.x + 3.0f * sinf(angle), 0.9f, middle.z + 3.0f * cosf(angle)};
	}
	return motion;
}

static rpRegistration* makeRegistration(const rpMotion* a, const rpMotion* b)
{
	rpRegistration* registration = rpAllocateZero(1, sizeof(rpRegistration), NULL);
	registration->motionCount = 2;
	registration->keyCount = keyCount;
	registration->motions = rpAllocate(2, sizeof(rpMotion*), NULL);
	registration->motions[0] = a;
	registration->motions[1] = b;
	registration->times = rpAllocate(2 * keyCount, sizeof(double), NULL);
	registration->grounds = rpAllocateZero(2 * keyCount, sizeof(rpGroundTransform), NULL);
	for (int k = 0; k < keyCount; ++k)
	{
		double time = 0.5 * (frameCount - 1) / a->fps * k / (keyCount - 1);
		registration->times[k] = time;
		registration->times[keyCount + k] = 2.0 * time;
		// Turns go on beyond pi; the circle becomes a line along x.
		float turn = (float)(-0.02 * time * a->fps) + 7.0f;
		rpGroundTransform ground = {turn, rpVec3_zero};
		float angle = (float)(0.02 * time * a->fps);
		rpVec3 place = {middle.x + 3.0f * sinf(angle), 0.0f, middle.z + 3.0f * cosf(angle)};
		ground.shift = rpSub((rpVec3){(float)time, 0.0f, 0.0f}, rpGroundTransform_Apply(ground, place));
		registration->grounds[keyCount + k] = ground;
	}
	return registration;
}

static void testBetweenKeys(void** state)
{
	(void)state;
	rpMotion* a = makeMotion();
	rpMotion* b = makeCircling();
	rpRegistration* registration = makeRegistration(a, b);
	double end = registration->times[keyCount - 1];
	for (int i = 0; i <= 400; ++i)
	{
		double t = end * i / 400.0;
		assert_true(rpRegistration_GetTime(registration, 0, t) == t);
		double time = rpRegistration_GetTime(registration, 1, t);
		assert_true(fabs(time - 2.0 * t) < 1e-9);
		rpGroundTransform ground = rpRegistration_GetGround(registration, 1, t);
		assert_true(fabs(ground.turn - (7.0 - 0.02 * t * a->fps)) < 1e-4);
		// The root goes where it should, though the shifts turn about an origin 50 m away: interpolated themselves,
		// they would be off by 50 * (0.1 / 2)^2 / 2 = 6 cm.
		float angle = (float)(0.01 * time * b->fps);
		rpVec3 root = {middle.x + 3.0f * sinf(angle), 0.0f, middle.z + 3.0f * cosf(angle)};
		assert_true(rpDistance(rpGroundTransform_Apply(ground, root), (rpVec3){(float)t, 0.0f, 0.0f}) < 4e-3f);
		rpGroundTransform own = rpRegistration_GetGround(registration, 0, t);
		assert_true(own.turn == 0.0f && rpLength(own.shift) == 0.0f);
	}
	rpDestroyRegistration(registration);
	rpDestroyRegistration(NULL);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// No kinks at the keys: speed is continuous there.
static void testSmooth(void** state)
{
	(void)state;
	rpMotion* a = makeMotion();
	rpMotion* b = makeCircling();
	rpRegistration* registration = makeRegistration(a, b);
	rpRandom random = rpSeedRandom(3);
	for (int k = 0; k < keyCount; ++k)
	{
		registration->grounds[keyCount + k].turn = rpRandom_Range(&random, -1.0f, 1.0f);
		registration->times[keyCount + k] += rpRandom_Range(&random, 0.0f, 0.05f);
	}
	const double h = 1e-4;
	for (int k = 1; k < keyCount - 1; ++k)
	{
		double t = registration->times[k];
		double before = (rpRegistration_GetGround(registration, 1, t).turn -
						 rpRegistration_GetGround(registration, 1, t - h).turn) /
						h;
		double after = (rpRegistration_GetGround(registration, 1, t + h).turn -
						rpRegistration_GetGround(registration, 1, t).turn) /
					   h;
		assert_true(fabs(rpRegistration_GetGround(registration, 1, t).turn - registration->grounds[keyCount + k].turn) <
					1e-5);
		assert_true(fabs(after - before) < 0.3);
	}
	rpDestroyRegistration(registration);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testBetweenKeys), cmocka_unit_test(testSmooth)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
