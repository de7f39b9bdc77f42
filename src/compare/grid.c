/// Grids of all pairs of frames, tile by tile.
#include "base/error.h"
#include "base/memory.h"
#include "compare/metric.h"

#include <string.h>

#define TILE_ROWS 64
#define TILE_COLUMNS 64

rpGridDef rpDefaultGridDef(void)
{
	return (rpGridDef){0};
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static bool visitTile(const rpMetric* metric, const rpProfile* a, const rpProfile* b, int row, int column,
					  const rpGridDef* def, float* values)
{
	rpTile tile = {
		.row = row,
		.column = column,
		.rowCount = least(TILE_ROWS, a->frameCount - row),
		.columnCount = least(TILE_COLUMNS, b->frameCount - column),
		.values = values,
		.stride = TILE_COLUMNS,
	};
	for (int r = 0; r < tile.rowCount; ++r)
	{
		for (int c = 0; c < tile.columnCount; ++c)
		{
			values[r * tile.stride + c] = (float)rpMetric_Distance(metric, a, row + r, b, column + c, NULL);
		}
	}
	return def->visit == NULL || def->visit(&tile, def->visitContext);
}

bool rpMetric_VisitGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, const rpGridDef* def,
						rpError* error)
{
	float* values = rpAllocate(TILE_ROWS * TILE_COLUMNS, sizeof(float), error);
	bool going = values != NULL;
	for (int row = 0; going && row < a->frameCount; row += TILE_ROWS)
	{
		for (int column = 0; going && column < b->frameCount; column += TILE_COLUMNS)
		{
			going = visitTile(metric, a, b, row, column, def, values);
		}
		going = going && (def->progress == NULL ||
						  def->progress((double)row / a->frameCount, "comparing frames", def->progressContext));
	}
	rpFree(values);
	return going || (values == NULL ? false : rpFail(error, rp_errorCancelled, "the comparison was stopped"));
}

/// Where FillGrid copies tiles to.
typedef struct Sheet
{
	float* values;
	size_t stride;
} Sheet;

static bool copyTile(const rpTile* tile, void* context)
{
	const Sheet* sheet = context;
	for (int r = 0; r < tile->rowCount; ++r)
	{
		memcpy(sheet->values + (size_t)(tile->row + r) * sheet->stride + tile->column,
			   tile->values + (size_t)r * (size_t)tile->stride, (size_t)tile->columnCount * sizeof(float));
	}
	return true;
}

bool rpMetric_FillGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, float* out, rpError* error)
{
	Sheet sheet = {out, (size_t)b->frameCount};
	rpGridDef def = rpDefaultGridDef();
	def.visit = copyTile;
	def.visitContext = &sheet;
	return rpMetric_VisitGrid(metric, a, b, &def, error);
}
