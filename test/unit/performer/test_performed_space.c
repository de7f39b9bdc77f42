/// Acts as procedural spaces: what is performed, within its ranges; and the truth that a space of examples is near.
#include "performance.h"
#include "support.h"

#include <math.h>
#include <string.h>

static float getMiddle(const rpSpaceParameter* parameter)
{
	return 0.5f * (parameter->low + parameter->high);
}

// Every act that has parameters: what is asked for is what is performed, at the origin.
static void testActs(void** state)
{
	(void)state;
	int count = 0;
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpPerformedSpace space = rpDefaultPerformedSpace((rpAct)act);
		rpMotionSource source;
		assert_true(rpOpenPerformedSpace(&space, &source, NULL));
		if (source.parameterCount == 0)
		{
			continue;
		}
		++count;
		float asked[RP_MAX_SPACE_PARAMETERS], nearest[RP_MAX_SPACE_PARAMETERS];
		rpPerformDef def = space.def;
		for (int i = 0; i < source.parameterCount; ++i)
		{
			asked[i] = getMiddle(&source.parameters[i]);
			def.parameters[space.parameters[i]] = asked[i];
		}
		def.fps = 60.0;
		rpMotion* motion = source.make(source.context, asked, 60.0, nearest, NULL);
		rpMotion* truth = rpPerform(&def, NULL);
		assert_true(motion != NULL && truth != NULL && motion->frameCount == truth->frameCount);
		assert_memory_equal(asked, nearest, (size_t)source.parameterCount * sizeof(float));
		assert_true(hypotf(motion->rootPositions[0].x, motion->rootPositions[0].z) < 1e-4f);
		assert_float_equal(rpMotion_GetGround(motion, 0).turn, 0.0f, 1e-4);
		assert_float_equal(motion->rootPositions[5].y, truth->rootPositions[5].y, 1e-5);
		rpDestroyMotion(motion);
		rpDestroyMotion(truth);
	}
	assert_true(count > 20);
}

static void testOutside(void** state)
{
	(void)state;
	rpPerformedSpace space = rpDefaultPerformedSpace(rp_actDuck);
	rpMotionSource source;
	rpError error = {0};
	assert_true(rpOpenPerformedSpace(&space, &source, &error));
	float asked = 99.0f, nearest;
	rpMotion* motion = source.make(source.context, &asked, 30.0, &nearest, &error);
	assert_non_null(motion);
	assert_true(nearest == source.parameters[0].high);
	rpDestroyMotion(motion);
	asked = NAN;
	assert_null(source.make(source.context, &asked, 30.0, &nearest, &error));
	assert_int_equal(error.code, rp_errorArgument);
	space.parameters[0] = rp_paramSpeed;
	assert_false(rpOpenPerformedSpace(&space, &source, &error));
	assert_true(strstr(error.message, "speed") != NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testActs),
		cmocka_unit_test(testOutside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
