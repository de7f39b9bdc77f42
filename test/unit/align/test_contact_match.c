/// Contacts of several motions matched: equal sequences, small differences of order, and real differences.
#include "align/contact_match.h"
#include "edit_scene.h"

enum
{
	motionCount = 2,
};

/// A contact as the tests write it.
typedef struct Contact
{
	rpEffector effector;
	double start, end;
} Contact;

static rpMotion* makeMotion(const Contact* contacts, int count)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 60.0, 121, 9);
	rpReleaseSkeleton(body);
	for (int i = 0; i < count; ++i)
	{
		rpInterval interval = {.track = rp_trackContact,
							   .start = contacts[i].start,
							   .end = contacts[i].end,
							   .effector = contacts[i].effector};
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &interval, NULL));
	}
	return motion;
}

// The second motion is half as fast.
static double toReference(void* context, int motion, double seconds)
{
	(void)context;
	return motion == 0 ? seconds : 0.5 * seconds;
}

static rpContactMatch match(const Contact* a, int aCount, const Contact* b, int bCount)
{
	rpMotion* first = makeMotion(a, aCount);
	rpMotion* second = makeMotion(b, bCount);
	const rpMotion* motions[motionCount] = {first, second};
	const double starts[motionCount] = {0.0, 0.0}, ends[motionCount] = {1.0, 2.0};
	rpContactMatchDef def = {motions, motionCount, starts, ends, toReference, NULL, false};
	rpContactMatch result;
	assert_true(rpMatchContacts(&def, &result, NULL));
	for (int n = 1; n < result.momentCount; ++n)
	{
		assert_true(result.times[2 * n] > result.times[2 * n - 2] && result.times[2 * n + 1] > result.times[2 * n - 1]);
	}
	rpDestroyMotion(first);
	rpDestroyMotion(second);
	return result;
}

#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))
#define BIT(effector) (1u << (effector))

static const Contact s_step[] = {
	{rp_leftHeel, -0.1, 0.3}, {rp_leftBall, 0.1, 0.4}, {rp_rightHeel, 0.5, 0.7}, {rp_rightBall, 0.6, 1.5}};

// As long in time as the reference map says, but for small differences.
static const Contact s_slowStep[] = {
	{rp_leftHeel, -0.1, 0.62}, {rp_leftBall, 0.18, 0.8}, {rp_rightHeel, 1.05, 1.4}, {rp_rightBall, 1.2, 3.0}};

static void testSame(void** state)
{
	(void)state;
	rpContactMatch result = match(s_step, COUNT(s_step), s_slowStep, COUNT(s_slowStep));
	assert_true(result.same);
	assert_int_equal(result.momentCount, 6);
	const double expected[][2] = {{0.1, 0.18}, {0.3, 0.62}, {0.4, 0.8}, {0.5, 1.05}, {0.6, 1.2}, {0.7, 1.4}};
	const unsigned contacts[] = {BIT(rp_leftHeel),  BIT(rp_leftHeel) | BIT(rp_leftBall),   BIT(rp_leftBall), 0,
								 BIT(rp_rightHeel), BIT(rp_rightHeel) | BIT(rp_rightBall), BIT(rp_rightBall)};
	for (int n = 0; n < 6; ++n)
	{
		assert_true(fabs(result.times[2 * n] - expected[n][0]) < 1e-9);
		assert_true(fabs(result.times[2 * n + 1] - expected[n][1]) < 1e-9);
	}
	for (int n = 0; n <= 6; ++n)
	{
		assert_int_equal(result.contacts[n], contacts[n]);
	}
	rpContactMatch_Free(&result);
}

// Heel and ball come down in another order, 40 ms apart: one moment. Further apart, the heels and balls do not match;
// but the feet do.
static void testOrder(void** state)
{
	(void)state;
	const Contact near[] = {
		{rp_leftHeel, -0.1, 0.62}, {rp_leftBall, 0.18, 0.8}, {rp_rightHeel, 1.15, 1.4}, {rp_rightBall, 1.11, 3.0}};
	rpContactMatch result = match(s_step, COUNT(s_step), near, COUNT(near));
	assert_true(result.same);
	assert_int_equal(result.momentCount, 5);
	// The flight before it ends with the first that comes down.
	assert_true(fabs(result.times[6] - 0.5) < 1e-9 && fabs(result.times[7] - 1.11) < 1e-9);
	assert_int_equal(result.contacts[3], 0);
	assert_int_equal(result.contacts[4], BIT(rp_rightHeel) | BIT(rp_rightBall));
	rpContactMatch_Free(&result);

	const Contact far[] = {
		{rp_leftHeel, -0.1, 0.62}, {rp_leftBall, 0.18, 0.8}, {rp_rightHeel, 1.25, 1.4}, {rp_rightBall, 1.05, 3.0}};
	result = match(s_step, COUNT(s_step), far, COUNT(far));
	assert_true(result.same);
	assert_int_equal(result.momentCount, 2);
	assert_int_equal(result.contacts[0], BIT(rp_leftHeel) | BIT(rp_leftBall));
	assert_int_equal(result.contacts[1], 0);
	assert_int_equal(result.contacts[2], BIT(rp_rightBall));
	rpContactMatch_Free(&result);
}

// One never puts its right heel down.
static void testOnTheBall(void** state)
{
	(void)state;
	const Contact ball[] = {{rp_leftHeel, -0.1, 0.62}, {rp_leftBall, 0.18, 0.8}, {rp_rightBall, 1.05, 3.0}};
	rpContactMatch result = match(s_step, COUNT(s_step), ball, COUNT(ball));
	assert_true(result.same);
	assert_int_equal(result.momentCount, 2);
	assert_true(fabs(result.times[2] - 0.5) < 1e-9 && fabs(result.times[3] - 1.05) < 1e-9);
	rpContactMatch_Free(&result);
}

// Another step, or one far from where the registration has it.
static void testDifferent(void** state)
{
	(void)state;
	const Contact more[] = {{rp_leftHeel, -0.1, 0.62},
							{rp_leftBall, 0.18, 0.8},
							{rp_rightHeel, 1.05, 1.3},
							{rp_leftBall, 1.2, 1.5},
							{rp_rightBall, 1.2, 3.0}};
	assert_false(match(s_step, COUNT(s_step), more, COUNT(more)).same);
	const Contact late[] = {
		{rp_leftHeel, -0.1, 0.62}, {rp_leftBall, 0.18, 0.8}, {rp_rightHeel, 1.45, 1.8}, {rp_rightBall, 1.6, 3.0}};
	assert_false(match(s_step, COUNT(s_step), late, COUNT(late)).same);
	assert_false(match(s_step, COUNT(s_step), NULL, 0).same);
}

// What happens with the very start of one motion may have happened before the other's.
static void testEnds(void** state)
{
	(void)state;
	const Contact early[] = {{rp_leftHeel, -0.1, 0.5}, {rp_rightHeel, 0.02, 1.5}};
	const Contact there[] = {{rp_leftHeel, -0.1, 1.0}, {rp_rightHeel, -0.1, 3.0}};
	rpContactMatch result = match(early, 2, there, 2);
	assert_true(result.same);
	assert_int_equal(result.momentCount, 1);
	assert_int_equal(result.contacts[0], BIT(rp_leftHeel) | BIT(rp_rightHeel));
	assert_int_equal(result.contacts[1], BIT(rp_rightHeel));
	rpContactMatch_Free(&result);
}

// Nothing changes: one stage.
static void testStanding(void** state)
{
	(void)state;
	const Contact standing[] = {{rp_leftHeel, -0.1, 3.0}, {rp_rightHeel, -0.1, 3.0}};
	rpContactMatch result = match(standing, 2, standing, 2);
	assert_true(result.same);
	assert_int_equal(result.momentCount, 0);
	assert_int_equal(result.contacts[0], BIT(rp_leftHeel) | BIT(rp_rightHeel));
	rpContactMatch_Free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSame),      cmocka_unit_test(testOrder), cmocka_unit_test(testOnTheBall),
		cmocka_unit_test(testDifferent), cmocka_unit_test(testEnds),  cmocka_unit_test(testStanding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
