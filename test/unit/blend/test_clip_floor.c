/// Clips on a level floor: a walk up a slope of some centimetres, with a stool in between.
#include "edit_scene.h"

#include "blend/clip.h"

#include <math.h>

enum
{
	frameCount = 601,
};

// The floor under the walk, metres: 4 cm up over ten seconds.
static float getSlope(double seconds)
{
	return 0.004f * (float)seconds;
}

static void addContact(rpMotion* motion, rpEffector effector, double start, double end, float support)
{
	rpInterval contact = {
		.track = rp_trackContact, .start = start, .end = end, .effector = effector, .supportHeight = support};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
}

// A root that is 1 m above the slope, feet that step on it by turns, and once on something 30 cm high.
static rpMotion* makeWalk(rpSkeleton* skeleton, bool isSloping)
{
	rpMotion* motion = rpCreateMotion(skeleton, "slope", 60.0, frameCount, NULL);
	assert_non_null(motion);
	for (int i = 0; i < frameCount; ++i)
	{
		motion->rootPositions[i].y = 1.0f + (isSloping ? getSlope(i / motion->fps) : 0.0f);
	}
	for (int k = 0; k < 20; ++k)
	{
		double start = 0.5 * k, end = start + 0.6;
		float support = k == 10 ? 0.3f : isSloping ? getSlope(start + 0.3) : 0.0f;
		addContact(motion, k % 2 == 0 ? rp_leftBall : rp_rightBall, start, end, support);
	}
	return motion;
}

static void testSlope(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion* motion = makeWalk(skeleton, true);
	rpClip *plain = rpCreateClip(motion, NULL), *level = rpCreateLevelClip(motion, NULL);
	assert_true(plain != NULL && level != NULL);
	// Between the first contact and the last, where the floor is told from both sides.
	float low = INFINITY, high = -INFINITY, before = plain->roots[540].y - plain->roots[60].y;
	for (int i = 60; i <= 540; ++i)
	{
		low = fminf(low, level->roots[i].y);
		high = fmaxf(high, level->roots[i].y);
	}
	assert_float_equal(before, 0.032f, 1e-4f);
	assert_true(high - low < 0.006f);
	for (int i = 0; i < level->contactCount; ++i)
	{
		bool isStool = i == 10;
		assert_true(isStool ? level->contacts[i].support - level->floor > 0.25f
							: fabsf(level->contacts[i].support - level->floor) < 0.006f);
	}
	rpDestroyClip(plain);
	rpDestroyClip(level);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

// What is level stays as it is, to the bit.
static void testLevel(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion* motion = makeWalk(skeleton, false);
	rpClip* level = rpCreateLevelClip(motion, NULL);
	assert_non_null(level);
	for (int i = 0; i < frameCount; ++i)
	{
		assert_true(level->roots[i].y == motion->rootPositions[i].y);
	}
	assert_true(fabsf(level->floor) < 1e-6f && level->contacts[10].support == 0.3f);
	rpDestroyClip(level);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testSlope), cmocka_unit_test(testLevel)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
