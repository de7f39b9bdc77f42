/// The chart of movements: bands in the colours of the phases where they are, whatever memory there is.
#include "performance.h"
#include "support.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

// As in the chart: its left and right edges, and where the band of the first row lies, pixels.
#define LEFT 74.0
#define RIGHT 1480.0
#define ROW_SECONDS 8.0
#define BAND_TOP 208

static rpMotion* s_take;
static rpMovements* s_movements;

static int setUp(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = "stand 2; walk 3 1.3; run 3 3; stand 2";
	def.seed = 4;
	def.fps = 60.0;
	s_take = testPerform(&def);
	const rpMotion* one = s_take;
	s_movements = rpFindMovements(&one, 1, NULL, NULL);
	return s_movements != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyMovements(s_movements);
	rpDestroyMotion(s_take);
	return 0;
}

// The letter of the phase that the truth has at a time.
static char getPhase(double time)
{
	for (int i = 0; i < s_take->annotations.intervalCount; ++i)
	{
		const rpInterval* phase = s_take->annotations.intervals + i;
		if (phase->track == rp_trackPhase && phase->start <= time && time < phase->end)
		{
			return phase->name[0];
		}
	}
	return 0;
}

static char getLetter(uint32_t pixel)
{
	static const struct
	{
		char letter;
		uint32_t color;
	} tints[] = {{'L', 0x4c9be8}, {'R', 0xf2a03d}, {'D', 0x8a7fd0}, {'F', 0x59c27a}, {'S', 0xb9bfca}};
	for (size_t i = 0; i < sizeof(tints) / sizeof(tints[0]); ++i)
	{
		if ((pixel & 0xffffff) == tints[i].color)
		{
			return tints[i].letter;
		}
	}
	return 0;
}

static void drawsPhases(void** state)
{
	(void)state;
	const rpMotion* one = s_take;
	rpError error = {0};
	const char* path = testPath("com.png");
	assert_true(rpDrawMovements(&one, 1, s_movements, NULL, path, &error));
	cairo_surface_t* image = cairo_image_surface_create_from_png(path);
	assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
	const unsigned char* data = cairo_image_surface_get_data(image);
	int stride = cairo_image_surface_get_stride(image), seen = 0, right = 0;
	for (double time = 0.05; time < ROW_SECONDS; time += 0.021)
	{
		uint32_t pixel;
		int x = (int)(LEFT + (RIGHT - LEFT) * time / ROW_SECONDS);
		memcpy(&pixel, data + (ptrdiff_t)(BAND_TOP + 2) * stride + 4 * (ptrdiff_t)x, sizeof(pixel));
		char letter = getLetter(pixel);
		seen += letter != 0;
		right += letter != 0 && letter == getPhase(time);
	}
	cairo_surface_destroy(image);
	// Edges and boundaries have other colours.
	assert_true(seen > 300);
	assert_true(right > 0.97 * seen);
}

static void drawsVectors(void** state)
{
	(void)state;
	const rpMotion* two[] = {s_take, s_take};
	rpError error = {0};
	rpMovements* movements = rpFindMovements(two, 2, NULL, &error);
	assert_non_null(movements);
	const char* path = testPath("com.svg");
	assert_true(rpDrawMovements(two, 2, movements, NULL, path, &error));
	size_t size;
	char* text = testReadFile(path, &size);
	assert_true(text != NULL && size > 10000 && strstr(text, "<svg") != NULL);
	free(text);
	rpDestroyMovements(movements);
}

static void refusesOthers(void** state)
{
	(void)state;
	const rpMotion* one = s_take;
	rpError error = {0};
	assert_false(rpDrawMovements(&one, 1, s_movements, NULL, testPath("com.pdf"), &error));
	assert_true(error.message[0] != 0);
}

static void survivesLackOfMemory(void** state)
{
	(void)state;
	const rpMotion* one = s_take;
	const char* path = testPath("memory.svg");
	int before = testCountLiveBlocks();
	bool done = false;
	for (int n = 0; !done; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		done = rpDrawMovements(&one, 1, s_movements, NULL, path, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), before);
		assert_true(n < 2000);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawsPhases),
		cmocka_unit_test(drawsVectors),
		cmocka_unit_test(refusesOthers),
		cmocka_unit_test(survivesLackOfMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
