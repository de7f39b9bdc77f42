/// Contacts found on damaged performances against their truth; flights.
#include "contact_score.h"
#include "performance.h"
#include "support.h"

static rpMotion* perform(rpAct act, uint64_t draw, double fps)
{
	rpPerformDef def = testDrawPerformance(act, draw);
	def.fps = fps;
	return testPerform(&def);
}

static void standingRests(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actStand, 0, 60.0);
	rpContactReport report;
	assert_true(rpDetectContacts(motion, NULL, &report, NULL));
	assert_int_equal(report.contactCount, 4);
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		bool known =
			effector == rp_leftHeel || effector == rp_leftBall || effector == rp_rightHeel || effector == rp_rightBall;
		assert_int_equal(rpMotion_IsInContact(motion, (rpEffector)effector, 1.0), known);
	}
	rpDestroyMotion(motion);
}

static void jumpFlies(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actJump, 0, 120.0);
	rpFlight flights[4];
	assert_int_equal(rpFindFlights(motion, flights, 4, NULL), 1);
	assert_true(fabsf(flights[0].gravity - 9.81f) < 0.05f);
	rpDestroyMotion(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standingRests),
		cmocka_unit_test(jumpFlies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
