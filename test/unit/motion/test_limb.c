/// Limbs of two bones against the law of cosines, written out in double precision.
#include "support.h"

#include "reprise/play/limb.h"

typedef struct Vector
{
	double x, y, z;
} Vector;

static Vector widen(rpVec3 v)
{
	return (Vector){(double)v.x, (double)v.y, (double)v.z};
}

static Vector add(Vector a, double scale, Vector b)
{
	return (Vector){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static double dot(Vector a, Vector b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double getLength(Vector v)
{
	return sqrt(dot(v, v));
}

static Vector cross(Vector a, Vector b)
{
	return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vector normalize(Vector v)
{
	return add((Vector){0}, 1.0 / getLength(v), v);
}

// By Rodrigues' formula, about the axis and by the angle of the smallest turn from one unit direction to another.
static Vector carry(Vector v, Vector from, Vector to)
{
	Vector axis = cross(from, to);
	double sine = getLength(axis), cosine = dot(from, to);
	axis = normalize(axis);
	Vector along = add((Vector){0}, dot(axis, v) * (1.0 - cosine), axis);
	return add(add(along, cosine, v), sine, cross(axis, v));
}

/// Where the middle and the end of a limb should come to be, and the axis of its bend.
typedef struct Solution
{
	Vector middle, end, axis, oldAxis;
} Solution;

static Solution solve(const rpLimb* limb, rpVec3 target)
{
	Vector root = widen(limb->root), upper = add(widen(limb->middle), -1.0, root);
	Vector lower = add(widen(limb->end), -1.0, widen(limb->middle)), reach = add(widen(target), -1.0, root);
	Vector along = normalize(add(upper, 1.0, lower)), newAlong = normalize(reach);
	Vector bend = normalize(add(upper, -dot(upper, along), along)), newBend = carry(bend, along, newAlong);
	double a = getLength(upper), b = getLength(lower);
	double distance = fmin(fmax(getLength(reach), fabs(a - b)), a + b);
	double angle = acos(fmin(fmax((a * a + distance * distance - b * b) / (2.0 * a * distance), -1.0), 1.0));
	return (Solution){
		.middle = add(add(root, a * cos(angle), newAlong), a * sin(angle), newBend),
		.end = add(root, distance, newAlong),
		.axis = cross(newAlong, newBend),
		.oldAxis = cross(along, bend),
	};
}

static float measure(rpVec3 v, Vector expected)
{
	return (float)getLength(add(widen(v), -1.0, expected));
}

static rpVec3 draw(rpRandom* random, float size)
{
	float x = rpRandom_Normal(random), y = rpRandom_Normal(random);
	return rpScale(size, (rpVec3){x, y, rpRandom_Normal(random)});
}

// A limb that is bent by some angle about its own x, the middle joint ahead.
static rpLimb makeLimb(rpRandom* random, float a, float b, float bend)
{
	rpLimb limb = {.root = draw(random, 1.0f), .upper = rpExpQuat(draw(random, 1.0f))};
	limb.lower = rpMulQuat(limb.upper, rpAxisAngle((rpVec3){1, 0, 0}, bend));
	limb.middle = rpAdd(limb.root, rpRotate(limb.upper, (rpVec3){0, -a, 0}));
	limb.end = rpAdd(limb.middle, rpRotate(limb.lower, (rpVec3){0, -b, 0}));
	return limb;
}

static rpVec3 getFront(const rpLimb* limb)
{
	return rpRotate(limb->upper, (rpVec3){0, 0, 1});
}

static void testLawOfCosines(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	float farthest = 0.0f, widest = 0.0f;
	for (int i = 0; i < 5000; ++i)
	{
		float a = rpRandom_Range(&random, 0.2f, 0.6f), b = rpRandom_Range(&random, 0.2f, 0.6f);
		rpLimb limb = makeLimb(&random, a, b, rpRandom_Range(&random, 0.5f, 2.0f)), old = limb;
		// Not at the ends of its reach, where a millionth of the distance is a thousandth of an angle.
		float near = fabsf(a - b), wide = a + b - near, distance = near + wide * rpRandom_Range(&random, 0.05f, 0.95f);
		rpVec3 target = rpMulAdd(limb.root, distance, rpNormalize(draw(&random, 1.0f)));
		Solution expected = solve(&limb, target);
		float missed = rpSolveLimb(&limb, target, getFront(&limb));
		farthest = fmaxf(farthest, fmaxf(measure(limb.middle, expected.middle), measure(limb.end, expected.end)));
		assert_true(missed < 1e-5f);
		// Both bones turn with the axis of the bend.
		rpVec3 axis = {(float)expected.oldAxis.x, (float)expected.oldAxis.y, (float)expected.oldAxis.z};
		rpVec3 upper = rpRotate(rpMulQuat(limb.upper, rpConjugate(old.upper)), axis);
		rpVec3 lower = rpRotate(rpMulQuat(limb.lower, rpConjugate(old.lower)), axis);
		widest = fmaxf(widest, fmaxf(measure(upper, expected.axis), measure(lower, expected.axis)));
	}
	print_message("joints %.1e m, axes %.1e off the law of cosines\n", (double)farthest, (double)widest);
	assert_true(farthest < 1e-5f);
	assert_true(widest < 1e-5f);
}

// A limb reaches any point within its reach, straight or not before, keeps its lengths, and the knee its side.
static void testReach(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	for (int i = 0; i < 2000; ++i)
	{
		const float a = 0.43f, b = 0.4f;
		rpLimb limb = makeLimb(&random, a, b, i % 3 == 0 ? 0.0f : 0.7f);
		float distance = rpRandom_Range(&random, 0.05f, 1.0f);
		rpVec3 target = rpMulAdd(limb.root, distance, rpNormalize(draw(&random, 1.0f)));
		float missed = rpSolveLimb(&limb, target, getFront(&limb));
		assert_true(fabsf(missed - fmaxf(distance - a - b, 0.0f)) < 1e-4f);
		assert_true(rpDistance(limb.middle, rpAdd(limb.root, rpRotate(limb.upper, (rpVec3){0, -a, 0}))) < 1e-4f);
		assert_true(rpDistance(limb.end, rpAdd(limb.middle, rpRotate(limb.lower, (rpVec3){0, -b, 0}))) < 1e-4f);
		assert_true(fabsf(rpDistance(limb.middle, limb.root) - a) < 1e-4f);
		// The hinge stays a hinge: the lower bone turns against the upper about x alone, shank backwards.
		rpQuat hinge = rpMulQuat(rpConjugate(limb.upper), limb.lower);
		assert_true(fabsf(hinge.y) < 2e-3f && fabsf(hinge.z) < 2e-3f);
		assert_true(hinge.x * hinge.w > -1e-3f);
	}
}

// A knee that is bent backwards by up to 20 degrees goes to the front when the leg becomes shorter.
static void testBackwards(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(9);
	for (int i = 0; i < 500; ++i)
	{
		rpLimb limb = makeLimb(&random, 0.45f, 0.42f, rpRandom_Range(&random, -0.35f, 0.0f));
		rpVec3 front = getFront(&limb), line = rpSub(limb.end, limb.root);
		rpVec3 target = rpMulAdd(limb.root, 0.9f, line);
		assert_true(rpSolveLimb(&limb, target, front) < 1e-5f);
		assert_true(rpDot(rpSub(limb.middle, rpLerp(limb.root, limb.end, 0.5f)), front) > 0.1f);
	}
}

// What cannot be solved: a bone of no length, a target at the root, a pole along the limb.
static void testHopeless(void** state)
{
	(void)state;
	rpLimb stump = {.middle = {0, 0, 0}, .end = {0, -1, 0}, .upper = rpQuat_identity, .lower = rpQuat_identity};
	assert_true(fabsf(rpSolveLimb(&stump, (rpVec3){0, 1, 0}, (rpVec3){0, 0, 1}) - 2.0f) < 1e-6f);
	rpRandom random = rpSeedRandom(1);
	rpLimb limb = makeLimb(&random, 0.5f, 0.5f, 0.0f);
	assert_true(rpSolveLimb(&limb, limb.root, rpSub(limb.end, limb.root)) < 1e-3f);
	assert_true(fabsf(rpDistance(limb.middle, limb.root) - 0.5f) < 1e-5f);
	assert_true(isfinite(limb.upper.w) && isfinite(limb.lower.w));
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLawOfCosines),
		cmocka_unit_test(testReach),
		cmocka_unit_test(testBackwards),
		cmocka_unit_test(testHopeless),
	};
	return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
