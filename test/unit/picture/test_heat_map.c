/// Heat maps: cells pooled tile by tile, drawn where they should be.
#include "support.h"

#include "picture/heat_map.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

// A valley from corner to corner.
static float getDistance(int i, int rows, int j, int columns)
{
	return fabsf((float)i / (float)rows - (float)j / (float)columns);
}

// In tiles of odd size, as a grid hands them out.
static rpHeatMap* fillMap(int rows, int columns)
{
	enum
	{
		side = 37
	};
	float values[side * (side + 3)];
	rpHeatMap* map = rpCreateHeatMap(rows, columns, 30.0, NULL);
	assert_non_null(map);
	for (int row = 0; row < rows; row += side)
	{
		for (int column = 0; column < columns; column += side)
		{
			rpTile tile = {row,
						   column,
						   rows - row < side ? rows - row : side,
						   columns - column < side ? columns - column : side,
						   values,
						   side + 3};
			for (int k = 0; k < tile.rowCount * tile.columnCount; ++k)
			{
				int r = k / tile.columnCount, c = k % tile.columnCount;
				values[r * tile.stride + c] = getDistance(row + r, rows, column + c, columns);
			}
			assert_true(rpHeatMap_AddTile(&tile, map));
		}
	}
	return map;
}

static void testPooling(void** state)
{
	(void)state;
	rpHeatMap* map = fillMap(5000, 300);
	assert_int_equal(map->pool, 3);
	assert_int_equal(map->height, 1667);
	assert_int_equal(map->width, 100);
	for (int y = 0; y < map->height; y += 7)
	{
		for (int x = 0; x < map->width; ++x)
		{
			float min = INFINITY;
			for (int k = 0; k < 9; ++k)
			{
				int i = 3 * y + k / 3, j = 3 * x + k % 3;
				min = i < 5000 ? fminf(min, getDistance(i, 5000, j, 300)) : min;
			}
			assert_true(map->values[y * map->width + x] == min);
		}
	}
	rpDestroyHeatMap(map);
	rpDestroyHeatMap(NULL);
}

static unsigned getPixel(cairo_surface_t* image, int x, int y)
{
	uint32_t pixel;
	memcpy(&pixel, cairo_image_surface_get_data(image) + y * cairo_image_surface_get_stride(image) + 4 * x,
		   sizeof(pixel));
	return pixel & 0xffffffu;
}

static int getBrightness(unsigned pixel)
{
	return (int)(pixel >> 16 & 255u) + (int)(pixel >> 8 & 255u) + (int)(pixel & 255u);
}

// Dark along the valley, which goes from the lower left to the upper right; bright in the other corners.
static void testPicture(void** state)
{
	(void)state;
	const char* path = testPath("map.png");
	rpHeatMap* map = fillMap(120, 90);
	rpHeatMapDef def = rpDefaultHeatMapDef();
	def.size = 600;
	def.rowName =
		"a clip \xff\n with a name that is much too long for the axis beside it, and goes on and on and on and on";
	def.columnName = "b";
	def.title = "Title";
	assert_true(rpHeatMap_Draw(map, path, &def, NULL));
	cairo_surface_t* image = cairo_image_surface_create_from_png(path);
	int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
	// Text is a sixtieth of the size, the margins are six of it and 3.4 of it.
	int left = 60, top = 34;
	assert_true(width > left + 450 && height > top + 600);
	for (int n = 1; n < 10; ++n)
	{
		int x = left + 45 * n, y = top + 600 - 60 * n;
		assert_true(getBrightness(getPixel(image, x, y)) < 160);
		assert_true(getBrightness(getPixel(image, x, y)) < getBrightness(getPixel(image, left + 448, top + 598)));
	}
	assert_true(getBrightness(getPixel(image, left + 2, top + 2)) > 600);
	assert_true(getBrightness(getPixel(image, left + 447, top + 597)) > 600);
	assert_int_equal(getPixel(image, 1, 1), 0xffffff);

	// A path and a minimum change pixels on them, and nothing far away.
	const double rows[] = {3.0, 3.0}, columns[] = {0.5, 1.5};
	const rpMinimum minimum = {.i = 20, .j = 80};
	def.pathRows = rows;
	def.pathColumns = columns;
	def.pathCount = 2;
	def.minima = &minimum;
	def.minimumCount = 1;
	assert_true(rpHeatMap_Draw(map, path, &def, NULL));
	cairo_surface_t* marked = cairo_image_surface_create_from_png(path);
	int changed = 0;
	for (int y = 0; y < height; ++y)
	{
		for (int x = 0; x < width; ++x)
		{
			bool onPath = x > left + 60 && x < left + 250 && abs(y - (top + 600 - 5 * 90)) < 12;
			bool onMinimum = abs(x - (left + 5 * 80)) < 12 && abs(y - (top + 600 - 5 * 20)) < 12;
			bool differs = getPixel(image, x, y) != getPixel(marked, x, y);
			assert_true(!differs || onPath || onMinimum);
			changed += differs;
		}
	}
	assert_true(changed > 200);
	assert_int_equal(getPixel(marked, left + 150, top + 600 - 453), 0xffffff);
	cairo_surface_destroy(marked);
	cairo_surface_destroy(image);
	rpDestroyHeatMap(map);
}

static void testSame(void** state)
{
	(void)state;
	rpHeatMap* map = fillMap(1, 400);
	const char* names[] = {"one.svg", "two.svg", "one.png", "two.png"};
	char* bytes[4];
	size_t sizes[4];
	for (int i = 0; i < 4; ++i)
	{
		const char* path = testPath(names[i]);
		assert_true(rpHeatMap_Draw(map, path, NULL, NULL));
		bytes[i] = testReadFile(path, &sizes[i]);
	}
	for (int i = 0; i < 4; i += 2)
	{
		assert_int_equal(sizes[i], sizes[i + 1]);
		assert_memory_equal(bytes[i], bytes[i + 1], sizes[i]);
	}
	for (int i = 0; i < 4; ++i)
	{
		free(bytes[i]);
	}
	rpDestroyHeatMap(map);
}

static void testErrors(void** state)
{
	(void)state;
	rpError error = {0};
	assert_null(rpCreateHeatMap(0, 5, 30.0, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpHeatMap* map = fillMap(10, 10);
	rpHeatMapDef def = rpDefaultHeatMapDef();
	assert_false(rpHeatMap_Draw(map, testPath("map.jpg"), &def, &error));
	assert_non_null(strstr(error.message, ".png"));
	def.size = 50;
	assert_false(rpHeatMap_Draw(map, testPath("map.png"), &def, &error));
	assert_non_null(strstr(error.message, "100 to 4000"));
	assert_false(rpHeatMap_Draw(map, testPath("no/folder/map.png"), NULL, &error));
	rpDestroyHeatMap(map);
	testUseCountingAllocator();
	int live = testCountLiveBlocks();
	map = NULL;
	for (int n = 0; map == NULL; ++n)
	{
		testFailAllocation(n);
		map = rpCreateHeatMap(10, 10, 30.0, &error);
		testFailAllocation(-1);
		assert_true(map != NULL || testCountLiveBlocks() == live);
	}
	rpDestroyHeatMap(map);
	assert_int_equal(testCountLiveBlocks(), live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testPooling), cmocka_unit_test(testPicture),
									   cmocka_unit_test(testSame), cmocka_unit_test(testErrors)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
