/// One walk over a grid, for values and for local minima.
#pragma once

#include "distance/metric.h"

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
