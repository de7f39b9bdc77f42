/// Collecting a grid of distances for a picture, tile by tile.
#include "picture/heat_map.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"

#define MAX_PIXELS 2000

rpHeatMap* rpCreateHeatMap(int rows, int columns, double fps, rpError* error)
{
	if (rows < 1 || columns < 1 || !(fps > 0.0))
	{
		rpFail(error, rp_errorArgument, "a heat map of %d by %d frames at %g Hz", rows, columns, fps);
		return NULL;
	}
	rpHeatMap* map = rpAllocateZero(1, sizeof(rpHeatMap), error);
	if (map == NULL)
	{
		return NULL;
	}
	int longer = rows > columns ? rows : columns;
	map->rows = rows;
	map->columns = columns;
	map->fps = fps;
	map->pool = (longer - 1) / MAX_PIXELS + 1;
	map->width = (columns - 1) / map->pool + 1;
	map->height = (rows - 1) / map->pool + 1;
	map->min = INFINITY;
	size_t count = (size_t)map->width * (size_t)map->height;
	map->values = rpAllocate(count, sizeof(float), error);
	for (size_t i = 0; map->values != NULL && i < count; ++i)
	{
		map->values[i] = INFINITY;
	}
	if (map->values == NULL)
	{
		rpDestroyHeatMap(map);
		map = NULL;
	}
	return map;
}

void rpDestroyHeatMap(rpHeatMap* map)
{
	if (map != NULL)
	{
		rpFree(map->values);
		rpFree(map);
	}
}

static void addRow(rpHeatMap* map, const float* cells, int column, int count, float* pixels)
{
	for (int c = 0; c < count; ++c)
	{
		float* pixel = pixels + (column + c) / map->pool;
		*pixel = cells[c] < *pixel ? cells[c] : *pixel;
		map->largest = cells[c] > map->largest ? cells[c] : map->largest;
		map->min = cells[c] < map->min ? cells[c] : map->min;
	}
}

bool rpHeatMap_AddTile(const rpTile* tile, void* context)
{
	rpHeatMap* map = context;
	RP_ASSERT(tile->row + tile->rowCount <= map->rows && tile->column + tile->columnCount <= map->columns);
	for (int r = 0; r < tile->rowCount; ++r)
	{
		size_t y = (size_t)((tile->row + r) / map->pool);
		addRow(map, tile->values + (size_t)r * (size_t)tile->stride, tile->column, tile->columnCount,
			   map->values + y * (size_t)map->width);
	}
	return true;
}
