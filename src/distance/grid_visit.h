/// One walk over a grid, for values and for local minima.
#pragma once

#include "distance/tiler.h"

/// Cells that are filled together, and the memory for them and one more row and column around.
#define RP_TILE_ROWS 256
#define RP_TILE_COLUMNS 512
#define RP_TILE_BUFFER_STRIDE (RP_TILE_COLUMNS + 2 + RP_GRID_PADDING)
#define RP_TILE_BUFFER_SIZE ((size_t)(RP_TILE_ROWS + 2) * RP_TILE_BUFFER_STRIDE)

/// Distances go to def->visit, if there is one; local minima under the threshold are added to minima, if that is not
/// NULL, ordered. Where minima of a profile with itself are all that is asked for, half the grid is not looked at.
bool rpVisitGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, const rpGridDef* def, float threshold,
				 rpMinima* minima, rpError* error);

/// Cells of a tile in which to look for minima, and the squared distances of the tile with one more row and column
/// around it, as far as the grid goes.
typedef struct rpMinimaSearch
{
	const rpMetric* metric;
	const rpProfile *a, *b;
	const rpGridKernel* kernel;
	float threshold;

	/// The tile without its border.
	int row, column, rowCount, columnCount;

	/// Square of cell (i, j) is squares[(i - firstRow) * stride + j - firstColumn]; RP_GRID_PADDING floats can be read
	/// past the end of a row.
	const float* squares;
	size_t stride;
	int firstRow, firstColumn;
} rpMinimaSearch;

/// Add the minima of a tile; false when memory ran out.
bool rpSearchMinima(const rpMinimaSearch* search, rpMinima* out, rpError* error);

/// Order by i, then j.
void rpSortMinima(rpMinimum* items, int count);

/// Finds the minima of one pair of profiles after another, in the caller's thread, with memory that is taken once: what
/// many short clips are compared with. Zero-initialised is empty.
typedef struct rpMinimaFinder
{
	rpTiler tiler;
	float* buffer;
} rpMinimaFinder;

/// Free with rpMinimaFinder_Free also when it fails.
bool rpMinimaFinder_Make(rpMinimaFinder* finder, const rpMetric* metric, rpError* error);
void rpMinimaFinder_Free(rpMinimaFinder* finder);

/// The same as rpMetric_FindMinima.
bool rpMinimaFinder_Find(rpMinimaFinder* finder, const rpProfile* a, const rpProfile* b, float threshold, rpMinima* out,
						 rpError* error);
