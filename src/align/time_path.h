/// Paths through a grid of distances that bring two motions into one time.
#pragma once

#include "reprise/play/base.h"

/// Distances of all frames of two motions: cell (i, j) is values[i * columns + j]. Not negative, finite.
typedef struct rpGridView
{
	const float* values;
	int rows, columns;
} rpGridView;

/// A path through a grid: each cell follows from the one before by a step in one motion or in both. Zero-initialised is
/// empty.
typedef struct rpTimePath
{
	/// [count]
	int* i;
	int* j;
	int count;

	/// Sum of its cells.
	double cost;
} rpTimePath;

void rpTimePath_Free(rpTimePath* path);

/// Frames that it covers, the mean of both motions; it must not be empty.
double rpTimePath_GetLength(const rpTimePath* path);

/// The cheapest path from the first cell to the last one with at most slopeLimit consecutive steps in one motion alone.
/// Exact, though it looks at a band of the grid only. Of equally cheap ones always the same. False with
/// rp_errorNoSolution where there is none, or when memory ran out.
RP_NODISCARD bool rpFindTimePath(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error);

/// The same over the whole grid, for comparison.
RP_NODISCARD bool rpFindTimePathWhole(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error);

/// The path of minimum mean cost, cost / rpTimePath_GetLength, that starts where one of the motions starts and ends
/// where one ends: what hangs over at either end is at most a third of a motion, or of the longer one all but half of
/// the shorter's length.
RP_NODISCARD bool rpFindTimePathFree(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error);

/// The columns of each row that a search looks at: first … last, neither ever decreasing. [rows] each.
typedef struct rpTimeBand
{
	int* first;
	int* last;

	/// [rows], where each row's cells start in an array of all cells of the band; then their number.
	size_t* offsets;
} rpTimeBand;

/// An empty band of that many rows. False when memory ran out; free with rpTimeBand_Free in any case.
RP_NODISCARD bool rpTimeBand_Init(rpTimeBand* band, int rows, rpError* error);
void rpTimeBand_Free(rpTimeBand* band);
void rpTimeBand_SetWhole(rpTimeBand* band, int rows, int columns);

/// Lower bounds of paths, from the minimum cell of each row in each block of columns.
typedef struct rpPathBounds
{
	int rows, columns;

	/// Columns to a block, more than the slope limit: so a row takes a path no further than to the next block.
	int blockWidth, blockCount;

	/// [rows * blockCount], the min cost of a path that has a cell in this block of this row.
	float* through;

	/// The min cost of any path.
	double min;
} rpPathBounds;

/// False when memory ran out; free with rpPathBounds_Free in any case.
RP_NODISCARD bool rpPathBounds_Init(rpPathBounds* bounds, rpGridView grid, int slopeLimit, rpError* error);
void rpPathBounds_Free(rpPathBounds* bounds);

/// The band that holds every path which may cost no more than `cost`. Returns false if it is empty.
bool rpPathBounds_GetBand(const rpPathBounds* bounds, double cost, rpTimeBand* band);
