/// What a stretch of one motion costs as a match of another: paths through the query's rows of a grid.
///
/// A path leads from the first row at column `start` to the last row at column `start + steps`, with the steps of
/// registration (align/time_path.h); its distance is the mean, its sum over rpTimePath_GetLength, the same measure. The
/// distance of a stretch is that of its nearest path.
///
/// Long queries are seen every few frames, and stretches start at any frame but last so many steps: what a search takes
/// grows with the square of the rows.
#pragma once

#include "reprise/play/base.h"

/// Starts that are computed together, one to each lane of a vector.
#define RP_MATCH_LANES 16

/// The shape of a search: which stretches there are.
typedef struct rpMatchShape
{
	/// Frames from row to row, and from column to column of a path.
	int hop;

	/// Rows of the query; fewest and most steps of a match.
	int rows, minSteps, maxSteps;
	int slopeLimit;
} rpMatchShape;

/// The shape for a query of so many frames, of which those behind the last row are left out.
rpMatchShape rpMatchShape_Make(int frames, int slopeLimit, double stretchLimit);

/// Floats of scratch memory that rpMeasureStarts takes.
size_t rpMatchShape_GetScratch(const rpMatchShape* shape);

/// Distances of all stretches that start at RP_MATCH_LANES columns in a row. grid: the first of them in the query's
/// first row, frames of the query `stride` apart, maxSteps * hop + RP_MATCH_LANES columns of each, infinite beyond the
/// motion's end. out:
/// [RP_MATCH_LANES * (maxSteps - minSteps + 1)], a row for each start, infinite where no path keeps to the limit.
void rpMeasureStarts(const rpMatchShape* shape, const float* grid, size_t stride, float* scratch, float* out);

/// The greatest slope limit.
#define RP_MAX_MATCH_SLOPE 7

/// Floats of scratch memory that rpRateStarts takes for so many columns.
size_t rpMatchShape_GetRatingScratch(const rpMatchShape* shape, int columns);

/// For every column whether a path of any length from there may have a mean distance up to `threshold`: it may not
/// where the rating is above 0. grid: frames of the query `stride` apart, `columns` values of each, infinite beyond the
/// motion's end.
/// Returns the ratings, [columns], in scratch.
const float* rpRateStarts(const rpMatchShape* shape, const float* grid, size_t stride, int columns, float threshold,
						  float* scratch);
