/// Film strips: pictures that are there, show what they should, and are the same every time.
#include "support.h"

#include "picture/escape.h"
#include "picture/strip_layout.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static rpMotion* perform(rpAct act, double seconds, float speed, float turn)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 30;
	def.seconds = seconds;
	def.parameters[rp_paramSpeed] = speed > 0 ? speed : def.parameters[rp_paramSpeed];
	def.parameters[rp_paramTurn] = turn;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

// A body of some joints in a row without any role.
static rpMotion* makeWorm(int jointCount, float bone, int frameCount, float step)
{
	rpJoint joints[16];
	char names[16][16];
	for (int i = 0; i < jointCount; ++i)
	{
		snprintf(names[i], sizeof(names[i]), "j%d", i);
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0.2f * bone, bone, 0};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "worm", 30, frameCount, NULL);
	rpReleaseSkeleton(skeleton);
	for (int i = 0; i < frameCount; ++i)
	{
		motion->rootPositions[i].z = step * (float)i;
	}
	return motion;
}

static void draw(const rpMotion* motion, const char* path, const rpStripDef* def)
{
	rpError error = {0};
	bool ok = rpDrawStrip(motion, path, def, &error);
	assert_string_equal(error.message, "");
	assert_true(ok);
}

static bool isHue(const unsigned char* pixel, bool blue)
{
	return blue ? pixel[0] > pixel[2] + 60 : pixel[2] > pixel[0] + 60;
}

// Pixels of the picture: how many are of the left limbs' blue, the right ones' orange, and in how many columns any is.
static void measurePicture(const char* path, int* blue, int* orange, int* columns, int* width, int* height)
{
	cairo_surface_t* picture = cairo_image_surface_create_from_png(path);
	assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
	*width = cairo_image_surface_get_width(picture);
	*height = cairo_image_surface_get_height(picture);
	const unsigned char* data = cairo_image_surface_get_data(picture);
	int stride = cairo_image_surface_get_stride(picture);
	*blue = *orange = *columns = 0;
	for (int x = 0; x < *width; ++x)
	{
		bool any = false;
		// The legend below uses the same colours.
		for (int y = 0; y < *height * 9 / 10; ++y)
		{
			const unsigned char* pixel = data + y * stride + 4 * x;
			*blue += isHue(pixel, true);
			*orange += isHue(pixel, false);
			any = any || isHue(pixel, true) || isHue(pixel, false);
		}
		*columns += any;
	}
	cairo_surface_destroy(picture);
}

static void testPicturesShowTheBody(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpMotion* motion = perform((rpAct)act, 3, 0, 0);
		const char* path = testPath("strip.png");
		draw(motion, path, NULL);
		int blue, orange, columns, width, height;
		measurePicture(path, &blue, &orange, &columns, &width, &height);
		assert_int_equal(width, rpDefaultStripDef().width);
		assert_int_equal(height, rpDefaultStripDef().height);
		assert_true(blue > 4000 && orange > 4000);
		assert_true(columns > width / 4);
		rpDestroyMotion(motion);
	}
}

static char* drawBytes(const rpMotion* motion, const char* name, size_t* size)
{
	draw(motion, testPath(name), NULL);
	return testReadFile(testPath(name), size);
}

static void testSameBytes(void** state)
{
	(void)state;
	static const char* const names[] = {"same.png", "same.svg"};
	rpMotion* motions[] = {perform(rp_actWalk, 3, 0, 0.2f), perform(rp_actJump, 2.7, 0, 0)};
	for (int i = 0; i < 4; ++i)
	{
		size_t sizes[2];
		char* first = drawBytes(motions[i / 2], names[i % 2], sizes);
		// Another picture between, for counters that run on.
		draw(motions[1 - i / 2], testPath("other.svg"), NULL);
		char* second = drawBytes(motions[i / 2], names[i % 2], sizes + 1);
		assert_int_equal(sizes[0], sizes[1]);
		assert_memory_equal(first, second, sizes[0]);
		free(first);
		free(second);
	}
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

static void testSvg(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actRun, 2, 0, 0);
	assert_true(rpMotion_SetName(motion, "<script>alert('x')</script> & \"co\" \xff\x01", NULL));
	size_t size;
	char* text = drawBytes(motion, "hostile.svg", &size);
	assert_non_null(strstr(text, "<svg"));
	assert_non_null(strstr(text, "</svg>"));
	assert_null(strstr(text, "<script"));
	assert_int_equal(strlen(text), size);
	free(text);
	rpDestroyMotion(motion);
}

static rpStripLayout layOut(const rpMotion* motion, rpFigure* figure, int count)
{
	rpStripLayout layout;
	assert_true(rpMakeFigure(motion->skeleton, figure, NULL));
	assert_true(rpMakeStripLayout(motion, figure, count, 3.5, &layout, NULL));
	for (int i = 1; i < layout.figureCount; ++i)
	{
		assert_true(layout.frames[i] > layout.frames[i - 1]);
	}
	assert_true(layout.frames[0] >= 0 && layout.frames[layout.figureCount - 1] < motion->frameCount);
	return layout;
}

static void testLayout(void** state)
{
	(void)state;
	struct
	{
		rpMotion* motion;
		bool sideBySide;
		int min, max;
	} cases[] = {
		{perform(rp_actWalk, 4, 0, 0), false, 5, 10},        {perform(rp_actRun, 3, 0, 0), false, 6, 14},
		{perform(rp_actWalk, 10, 1.2f, 0.5f), false, 6, 14}, {perform(rp_actJump, 3, 0, 0), true, 6, 18},
		{perform(rp_actStand, 3, 0, 0), true, 4, 18},        {perform(rp_actRun, 25, 0, 0), true, 6, 18},
		{perform(rp_actWalk, 1e-3, 0, 0), true, 1, 1},       {makeWorm(1, 1, 10, 0), true, 1, 10},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpFigure figure;
		rpStripLayout layout = layOut(cases[i].motion, &figure, 0);
		if (layout.sideBySide != cases[i].sideBySide || layout.figureCount < cases[i].min ||
			layout.figureCount > cases[i].max)
		{
			printf("case %zu: %d figures, side by side %d\n", i, layout.figureCount, layout.sideBySide);
		}
		assert_int_equal(layout.sideBySide, cases[i].sideBySide);
		assert_true(layout.figureCount >= cases[i].min && layout.figureCount <= cases[i].max);
		rpStripLayout_Free(&layout);
		rpFigure_Free(&figure);
		layout = layOut(cases[i].motion, &figure, 7);
		int expected = cases[i].motion->frameCount < 7 ? cases[i].motion->frameCount : 7;
		assert_int_equal(layout.figureCount, expected);
		rpStripLayout_Free(&layout);
		rpFigure_Free(&figure);
		rpDestroyMotion(cases[i].motion);
	}
}

// Figures are as many in the picture as were asked for: runs of columns with a body in them.
static void testFiguresCanBeCounted(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actStand, 3, 0, 0);
	for (int count = 1; count <= 9; ++count)
	{
		rpStripDef def = rpDefaultStripDef();
		def.figureCount = count;
		draw(motion, testPath("count.png"), &def);
		cairo_surface_t* picture = cairo_image_surface_create_from_png(testPath("count.png"));
		const unsigned char* data = cairo_image_surface_get_data(picture);
		int found = 0;
		bool inside = false;
		for (int x = 0; x < def.width; ++x)
		{
			bool any = false;
			for (int y = def.height / 5; y < def.height * 3 / 4; ++y)
			{
				const unsigned char* pixel = data + y * cairo_image_surface_get_stride(picture) + 4 * x;
				// Darker than paper and grid.
				any = any || pixel[0] < 190 || pixel[1] < 190;
			}
			found += any && !inside;
			inside = any;
		}
		cairo_surface_destroy(picture);
		assert_int_equal(found, count);
	}
	rpDestroyMotion(motion);
}

static void testOddBodies(void** state)
{
	(void)state;
	rpMotion* motions[] = {
		makeWorm(1, 0.0f, 1, 0),      makeWorm(5, 0.0f, 3, 0),      makeWorm(6, 1e-3f, 20, 0),
		makeWorm(6, 0.3f, 50, 0.05f), makeWorm(8, 40.0f, 9, 3),     makeWorm(5, 0.3f, 300, 1.0f),
		makeWorm(3, 1e-9f, 2, 1e6f),  makeWorm(16, 0.1f, 40, 0.1f),
	};
	motions[7]->rootPositions[3].x = NAN;
	motions[7]->rotations[5] = (rpQuat){NAN, 0, 0, 0};
	for (int i = 0; i < 8; ++i)
	{
		draw(motions[i], testPath("odd.png"), NULL);
		draw(motions[i], testPath("odd.svg"), NULL);
		rpDestroyMotion(motions[i]);
	}
}

static void testRefusals(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actStand, 0.5, 0, 0);
	rpStripDef def = rpDefaultStripDef();
	rpError error = {0};
	assert_false(rpDrawStrip(motion, testPath("strip.gif"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(rpDrawStrip(motion, testPath("no/such/folder/strip.png"), &def, &error));
	assert_int_equal(error.code, rp_errorFile);
	def.width = 5;
	assert_false(rpDrawStrip(motion, testPath("strip.png"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	def = rpDefaultStripDef();
	def.figureCount = -1;
	assert_false(rpDrawStrip(motion, testPath("strip.png"), &def, &error));
	assert_int_equal(error.code, rp_errorArgument);

	// Small and large pictures, no title, a title that is far too long.
	char title[2000];
	memset(title, 'W', sizeof(title));
	title[sizeof(title) - 1] = 0;
	def = (rpStripDef){.width = 32, .height = 32, .title = title};
	draw(motion, testPath("small.png"), &def);
	def = (rpStripDef){.width = 3000, .height = 200, .title = ""};
	draw(motion, testPath("wide.png"), &def);
	rpDestroyMotion(motion);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actWalk, 1, 0, 0);
	rpStripDef def = {.width = 64, .height = 64};
	int live = testCountLiveBlocks();
	bool ok = false;
	for (int n = 0; !ok && n < 2000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		ok = rpDrawStrip(motion, testPath("memory.png"), &def, &error);
		testFailAllocation(-1);
		assert_true(ok || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(ok);
	rpDestroyMotion(motion);
}

static void testCleanText(void** state)
{
	(void)state;
	char out[16];
	rpCleanText("a\x01\xff\xc3\xa4", out, sizeof(out));
	assert_string_equal(out, "a\xEF\xBF\xBD\xEF\xBF\xBD\xc3\xa4");
	rpCleanText("\xed\xa0\x80", out, sizeof(out)); // a surrogate is no character
	assert_string_equal(out, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
	rpCleanText("0123456789\xc3\xa4\xc3\xa4\xc3\xa4", out, sizeof(out)); // cut at a character's end
	assert_string_equal(out, "0123456789\xc3\xa4\xc3\xa4");
	rpText text = {0};
	rpAppendJsonString(&text, "</script>&\"\\\xe2\x80\xa8 \xc3\xa4");
	assert_string_equal(text.data, "\"\\u003c/script\\u003e\\u0026\\u0022\\u005c\\u2028 \xc3\xa4\"");
	rpText_Free(&text);
	rpAppendHtml(&text, "<b a='x'>&");
	assert_string_equal(text.data, "&#60;b a=&#39;x&#39;&#62;&#38;");
	rpText_Free(&text);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testPicturesShowTheBody),
		cmocka_unit_test(testSameBytes),
		cmocka_unit_test(testSvg),
		cmocka_unit_test(testLayout),
		cmocka_unit_test(testFiguresCanBeCounted),
		cmocka_unit_test(testOddBodies),
		cmocka_unit_test(testRefusals),
		cmocka_unit_test(testMemoryRunsOut),
		cmocka_unit_test(testCleanText),
	};
	return cmocka_run_group_tests_name("strip", tests, NULL, NULL);
}
