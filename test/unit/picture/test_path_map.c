/// Walks from above: what was wanted, what was walked and its seams are there, each in its colour and at its place.
#include "support.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Four metres ahead on a straight line, walking, then sneaking, with a seam between.
static rpMotion* makeWalk(void)
{
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "straight", 30.0, 121, NULL);
	rpReleaseSkeleton(skeleton);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i] = (rpVec3){0.0f, 0.95f, (float)i / 30.0f};
	}
	const rpInterval walk = {.track = rp_trackLabel, .name = "walk", .end = 2.0};
	const rpInterval sneak = {.track = rp_trackLabel, .name = "sneak", .start = 2.0, .end = 5.0};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &walk, NULL));
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &sneak, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", 1.0, NULL));
	return motion;
}

static void draw(const rpMotion* motion, const char* name, const rpPathMapDef* def)
{
	rpError error = {0};
	bool ok = rpDrawPathMap(motion, testPath(name), def, &error);
	assert_string_equal(error.message, "");
	assert_true(ok);
}

/// Where the pixels of one colour are, above the legend.
typedef struct Spot
{
	int count, left, right, top, bottom;
} Spot;

// Give or take what blending rounds.
static bool isColor(const unsigned char* pixel, unsigned color)
{
	return abs(pixel[0] - (int)(color & 255)) <= 2 && abs(pixel[1] - (int)(color >> 8 & 255)) <= 2 &&
		   abs(pixel[2] - (int)(color >> 16)) <= 2;
}

static Spot findColor(const char* name, unsigned color)
{
	cairo_surface_t* picture = cairo_image_surface_create_from_png(testPath(name));
	assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
	int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
	const unsigned char* data = cairo_image_surface_get_data(picture);
	Spot spot = {0, width, 0, height, 0};
	for (int y = 84; y < height - 56; ++y)
	{
		for (int x = 0; x < width; ++x)
		{
			const unsigned char* pixel = data + y * cairo_image_surface_get_stride(picture) + 4 * x;
			if (isColor(pixel, color))
			{
				spot = (Spot){spot.count + 1, x < spot.left ? x : spot.left, x > spot.right ? x : spot.right,
							  y < spot.top ? y : spot.top, y > spot.bottom ? y : spot.bottom};
			}
		}
	}
	cairo_surface_destroy(picture);
	return spot;
}

// Ahead is up: sneaking lies above walking; the left is to the left: so is the wanted path.
static void testShowsWhatWasWalked(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpVec2 points[] = {{1.0f, 0.0f}, {1.0f, 4.0f}};
	draw(motion, "alone.png", NULL);
	assert_true(rpMotion_NotePath(motion, NULL, points, 2, NULL));
	draw(motion, "both.png", NULL);
	Spot walk = findColor("both.png", 0x6d4dfa), sneak = findColor("both.png", 0x00805c);
	assert_true(walk.count > 100 && sneak.count > 100);
	assert_true(sneak.bottom <= walk.top + 4);
	// Half of it each, to within the arrows at its ends.
	assert_true(abs((walk.bottom - walk.top) - (sneak.bottom - sneak.top)) < 20);
	// 0x9aa3b5 at 55 % on white.
	Spot wanted = findColor("both.png", 0xc7ccd6), none = findColor("alone.png", 0xc7ccd6);
	assert_int_equal(none.count, 0);
	assert_true(wanted.count > 1000 && wanted.right < walk.left);
	// A metre to the side is as long as a metre ahead.
	double metre = (wanted.bottom - wanted.top) / 4.0;
	assert_true(fabs(0.5 * (walk.left + walk.right) - 0.5 * (wanted.left + wanted.right) - metre) < 6.0);
	rpDestroyMotion(motion);
}

static void testCirclesAndGoal(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpForbidden area = {{-1.5f, 2.0f}, 0.5f};
	const rpGroundTransform goal = {0.0f, {2.0f, 0.0f, 4.0f}};
	rpPathMapDef def = rpDefaultPathMapDef();
	draw(motion, "plain.png", &def);
	def.forbidden = &area;
	def.forbiddenCount = 1;
	draw(motion, "circle.png", &def);
	def.forbiddenCount = 0;
	def.goal = &goal;
	draw(motion, "goal.png", &def);
	// 0xd6336c as it is, and at 13 % on white.
	assert_int_equal(findColor("plain.png", 0xd6336c).count, 0);
	Spot disc = findColor("circle.png", 0xfae4ec), mark = findColor("goal.png", 0xd6336c);
	assert_true(disc.count > 5000 && disc.left > findColor("circle.png", 0x6d4dfa).right);
	assert_true(mark.count > 10 && mark.right < findColor("goal.png", 0x6d4dfa).left);
	rpDestroyMotion(motion);
}

static void testSameBytes(void** state)
{
	(void)state;
	static const char* const names[] = {"same.png", "same.svg"};
	rpMotion* motion = makeWalk();
	for (int i = 0; i < 2; ++i)
	{
		size_t sizes[2];
		draw(motion, names[i], NULL);
		char* first = testReadFile(testPath(names[i]), sizes);
		draw(motion, "other.svg", NULL);
		draw(motion, names[i], NULL);
		char* second = testReadFile(testPath(names[i]), sizes + 1);
		assert_int_equal(sizes[0], sizes[1]);
		assert_memory_equal(first, second, sizes[0]);
		free(first);
		free(second);
	}
	rpDestroyMotion(motion);
}

// Nothing walked, hostile words, far places: a picture all the same; what is none is refused.
static void testOddOnes(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	rpPathMapDef def = rpDefaultPathMapDef();
	def.title = "</svg>\xff\n\x01";
	draw(motion, "odd.svg", &def);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i].z = 0.0f;
	}
	draw(motion, "still.png", NULL);
	motion->rootPositions[60].z = 50000.0f;
	draw(motion, "far.png", NULL);
	motion->rootPositions[60].z = 2e38f;
	motion->rootPositions[61].z = -2e38f;
	draw(motion, "farther.png", NULL);
	rpError error = {0};
	assert_false(rpDrawPathMap(motion, testPath("map.bmp"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	motion->rootPositions[60].z = NAN;
	assert_false(rpDrawPathMap(motion, testPath("map.png"), NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyMotion(motion);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpVec2 points[] = {{1.0f, 0.0f}, {1.0f, 4.0f}};
	assert_true(rpMotion_NotePath(motion, NULL, points, 2, NULL));
	int live = testCountLiveBlocks();
	bool ok = false;
	for (int n = 0; !ok && n < 2000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		ok = rpDrawPathMap(motion, testPath("memory.png"), NULL, &error);
		testFailAllocation(-1);
		assert_true(ok || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(ok);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testShowsWhatWasWalked), cmocka_unit_test(testCirclesAndGoal),
		cmocka_unit_test(testSameBytes),          cmocka_unit_test(testOddOnes),
		cmocka_unit_test(testMemoryRunsOut),
	};
	return cmocka_run_group_tests_name("path map", tests, NULL, NULL);
}
