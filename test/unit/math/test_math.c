#include "support.h"

static rpQuat randomQuat(rpRandom* random)
{
	return rpNormalizeQuat(
		(rpQuat){rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)});
}

static void testEulerRoundTrip(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(1);
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		for (int n = 0; n < 2000; ++n)
		{
			rpQuat q = randomQuat(&random);
			rpQuat back = rpFromEuler(rpToEuler(q, (rpEulerOrder)order), (rpEulerOrder)order);
			assert_true(rpAngleBetween(q, back) < 2e-6f);
		}
	}
}

static void testEulerAtGimbalLock(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(2);
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		int axes[3];
		rpEulerOrder_GetAxes((rpEulerOrder)order, axes);
		for (int n = 0; n < 500; ++n)
		{
			float angles[3];
			angles[axes[0]] = rpRandom_Range(&random, -3.0f, 3.0f);
			angles[axes[1]] = (n % 2 ? 1.0f : -1.0f) * (float)(0.5 * RP_PI - (n % 4 < 2 ? 0.0 : 1e-4 * n));
			angles[axes[2]] = rpRandom_Range(&random, -3.0f, 3.0f);
			rpQuat q = rpFromEuler((rpVec3){angles[0], angles[1], angles[2]}, (rpEulerOrder)order);
			rpQuat back = rpFromEuler(rpToEuler(q, (rpEulerOrder)order), (rpEulerOrder)order);
			assert_true(rpAngleBetween(q, back) < 1e-5f);
		}
	}
}

// ZYX means R = Rz Ry Rx: the x rotation is made first.
static void testEulerOrderMeaning(void** state)
{
	(void)state;
	float right = (float)(0.5 * RP_PI);
	rpVec3 v = rpRotate(rpFromEuler((rpVec3){right, 0.0f, right}, rp_orderZYX), (rpVec3){0.0f, 1.0f, 0.0f});
	assert_float_equal(v.x, 0.0f, 1e-6f); // y -> z by Rx, then z stays under Rz
	assert_float_equal(v.z, 1.0f, 1e-6f);
	v = rpRotate(rpFromEuler((rpVec3){right, 0.0f, right}, rp_orderXYZ), (rpVec3){0.0f, 1.0f, 0.0f});
	assert_float_equal(v.x, -1.0f, 1e-6f); // y -> -x by Rz, then stays under Rx
}

static void testLogAndExpAreInverse(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	for (int n = 0; n < 1000; ++n)
	{
		rpQuat q = randomQuat(&random);
		assert_true(rpAngleBetween(q, rpExpQuat(rpLogQuat(q))) < 2e-6f);
		rpVec3 tiny = {1e-6f * (float)n, -1e-7f, 1e-5f};
		assert_true(rpDistance(tiny, rpLogQuat(rpExpQuat(tiny))) < 1e-7f);
	}
}

static void testSlerpIsEven(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(4);
	for (int n = 0; n < 1000; ++n)
	{
		rpQuat a = randomQuat(&random), b = randomQuat(&random);
		float t = rpRandom_Range(&random, 0.0f, 1.0f);
		float whole = rpAngleBetween(a, b);
		assert_float_equal(rpAngleBetween(a, rpSlerp(a, b, t)), t * whole, 1e-5f);
		assert_float_equal(rpAngleBetween(rpSlerp(a, b, t), b), (1.0f - t) * whole, 1e-5f);
	}
}

static void testRotationBetween(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int n = 0; n < 1000; ++n)
	{
		rpVec3 a = rpNormalize((rpVec3){rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)});
		rpVec3 b = n % 10 == 0 ? rpScale(-1.0f, a) : rpRotate(randomQuat(&random), a);
		assert_true(rpDistance(rpRotate(rpRotationBetween(a, b), a), b) < 2e-6f);
	}
}

static void testGroundComposesAndInverts(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(6);
	for (int n = 0; n < 1000; ++n)
	{
		rpGroundTransform a = {rpRandom_Range(&random, -3.0f, 3.0f),
							   {rpRandom_Normal(&random), 0.2f, rpRandom_Normal(&random)}};
		rpGroundTransform b = {rpRandom_Range(&random, -3.0f, 3.0f),
							   {rpRandom_Normal(&random), 0.0f, rpRandom_Normal(&random)}};
		rpVec3 p = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		rpVec3 twice = rpGroundTransform_Apply(a, rpGroundTransform_Apply(b, p));
		assert_true(rpDistance(twice, rpGroundTransform_Apply(rpGroundTransform_Compose(a, b), p)) < 1e-5f);
		assert_true(rpDistance(p, rpGroundTransform_Apply(rpGroundTransform_Invert(a), rpGroundTransform_Apply(a, p))) <
					1e-5f);
		rpVec3 turned = rpAdd(rpRotate(rpYaw(a.turn), p), a.shift);
		assert_true(rpDistance(turned, rpGroundTransform_Apply(a, p)) < 1e-5f);
	}
}

static void testHeading(void** state)
{
	(void)state;
	for (float turn = -3.1f; turn < 3.1f; turn += 0.1f)
	{
		assert_float_equal(rpHeading(rpYaw(turn)), turn, 1e-5f);
		rpQuat bent = rpMulQuat(rpYaw(turn), rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, 1.5f));
		assert_float_equal(rpHeading(bent), turn, 1e-4f);
	}
}

static void testRandomIsUniform(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	int bins[10] = {0};
	double sum = 0.0, square = 0.0;
	for (int n = 0; n < 100000; ++n)
	{
		++bins[rpRandom_Index(&random, 10)];
		float v = rpRandom_Normal(&random);
		sum += v;
		square += (double)v * v;
	}
	for (int i = 0; i < 10; ++i)
	{
		assert_in_range(bins[i], 9600, 10400);
	}
	assert_float_equal((float)(sum / 1e5), 0.0f, 0.02f);
	assert_float_equal((float)(square / 1e5), 1.0f, 0.02f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEulerRoundTrip),
		cmocka_unit_test(testEulerAtGimbalLock),
		cmocka_unit_test(testEulerOrderMeaning),
		cmocka_unit_test(testLogAndExpAreInverse),
		cmocka_unit_test(testSlerpIsEven),
		cmocka_unit_test(testRotationBetween),
		cmocka_unit_test(testGroundComposesAndInverts),
		cmocka_unit_test(testHeading),
		cmocka_unit_test(testRandomIsUniform),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
