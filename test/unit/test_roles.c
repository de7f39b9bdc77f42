#include "bodies.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static rpQuat turnTo(int axes)
{
	rpQuat zUp = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(0.5 * RP_PI));
	switch (axes)
	{
	case 1: // Z up, facing -Y
		return zUp;
	case 2: // Z up, facing +X
		return rpMulQuat(rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(0.5 * RP_PI)), zUp);
	case 3: // Y up, facing -Z
		return rpYaw((float)RP_PI);
	case 4: // X up
		return rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(-0.5 * RP_PI));
	default:
		return rpQuat_identity;
	}
}

// Compare with the expected roles, say each that is wrong, and return their number.
static int countWrong(const TestBody* body, const rpSkeleton* skeleton)
{
	int wrong = 0;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (skeleton->joints[i].role != body->expected[i])
		{
			printf("%s: \"%s\" (%d) is %s, expected %s\n", body->convention, body->joints[i].name, i,
				   rpRole_GetName(skeleton->joints[i].role), rpRole_GetName(body->expected[i]));
			++wrong;
		}
	}
	return wrong;
}

static int tryBody(const TestBodyDef* def)
{
	static TestBody body;
	rpError error = {0};
	testLayOutBody(def, &body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, &error);
	assert_non_null(skeleton);
	int wrong = countWrong(&body, skeleton);
	rpReleaseSkeleton(skeleton);
	return wrong;
}

// Every convention, arms out and down, in metres and centimetres, in five sets of axes, with plain and turned frames,
// either side first.
static int tryAllLayouts(TestBodyDef def)
{
	int wrong = 0;
	for (int layout = 0; layout < 80; ++layout)
	{
		def.armsDown = layout % 2 == 1;
		def.scale = layout / 2 % 2 == 0 ? 1.0f : 100.0f;
		def.turnedFrames = layout / 4 % 2 == 1;
		def.rightFirst = layout / 8 % 2 == 1;
		def.turn = turnTo(layout / 16);
		int more = tryBody(&def);
		if (more > 0 && wrong == 0)
		{
			printf("  (layout %d)\n", layout);
		}
		wrong += more;
		if (wrong > 0)
		{
			break;
		}
	}
	return wrong;
}

static void testConventions(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		wrong += tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

static void testShapeAlone(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		static TestBody body;
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		def.nonsense = true;
		testLayOutBody(&def, &body);
		wrong += body.shapeIsMisleading ? 0 : tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

// A left that lies on the right: the names decide.
static void testNamesDecideSides(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		def.swappedNames = true;
		wrong += tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testConventions),
		cmocka_unit_test(testShapeAlone),
		cmocka_unit_test(testNamesDecideSides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
