/// Distances of all stretches that may match a query, by dynamic programming from every start; and ratings, which say
/// for which starts that is worth while.
///
/// As in time_path.c a diagonal step stands between any two runs of steps in one motion alone. Starts that follow each
/// other differ by a column only, so that they are computed side by side in the lanes of vectors.
#include "align/match_path.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

enum
{
	lanes = RP_MATCH_LANES,
};

// A query of twice as many steps is seen every other frame, and so on: a slow stride, 1.3 s at 30 Hz, keeps all of its
// frames. Windows of 0.5 s make distances change little from frame to frame.
#define USUAL_STEPS 40

rpMatchShape rpMatchShape_Make(int frames, int slopeLimit, double stretchLimit)
{
	int hop = (frames - 1) / USUAL_STEPS, steps;
	hop = hop > 1 ? hop : 1;
	steps = (frames - 1) / hop;
	// Rounding must not leave out the limit itself.
	double slack = 1e-9 * steps;
	return (rpMatchShape){
		.hop = hop,
		.rows = steps + 1,
		.minSteps = (int)ceil(steps / stretchLimit - slack),
		.maxSteps = (int)floor(steps * stretchLimit + slack),
		.slopeLimit = slopeLimit,
	};
}

// For each column the cheapest path to it, and the runs downwards of 0 to slopeLimit steps.
static size_t getLineSize(const rpMatchShape* shape)
{
	return (size_t)(shape->maxSteps + 1) * lanes;
}

size_t rpMatchShape_GetScratch(const rpMatchShape* shape)
{
	return getLineSize(shape) * (size_t)(shape->slopeLimit + 2);
}

// The columns of a row that lie on the way from the start to an end; neither ever decreases from row to row.
static int getFirst(const rpMatchShape* shape, int i)
{
	int left = shape->rows - 1 - i, most = left * (shape->slopeLimit + 1) + shape->slopeLimit;
	return shape->minSteps > most ? shape->minSteps - most : 0;
}

static int getLast(const rpMatchShape* shape, int i)
{
	int left = shape->rows - 1 - i, reach = i * (shape->slopeLimit + 1) + shape->slopeLimit;
	int end = shape->maxSteps - left / (shape->slopeLimit + 1);
	return reach < end ? reach : end;
}

/// A row at work. Lines are [columns * lanes].
typedef struct Row
{
	const float* values;
	int hop, first, last, limit;
	float* best;
	float* down;
	size_t lineSize;
} Row;

typedef struct Lanes
{
	float at[lanes];
} Lanes;

static inline void addTo(Lanes* restrict to, const Lanes* restrict from, const float* restrict values)
{
	for (int l = 0; l < lanes; ++l)
	{
		to->at[l] = from->at[l] + values[l];
	}
}

static inline void lower(Lanes* restrict to, const Lanes* restrict other)
{
	for (int l = 0; l < lanes; ++l)
	{
		to->at[l] = other->at[l] < to->at[l] ? other->at[l] : to->at[l];
	}
}

// Runs downwards that end in this cell; down[r] holds those of r steps, 0 being what came diagonally.
static inline void goDown(const Row* row, size_t at, const float* values, const Lanes* diagonal, Lanes* best)
{
	for (int r = row->limit; r > 0; --r)
	{
		Lanes* own = (Lanes*)(row->down + (size_t)r * row->lineSize + at);
		addTo(own, (const Lanes*)(row->down + (size_t)(r - 1) * row->lineSize + at), values);
		lower(best, own);
	}
	*(Lanes*)(row->down + at) = *diagonal;
}

static inline void goRight(const Row* row, const float* values, const Lanes* diagonal, Lanes* runs, Lanes* best)
{
	for (int r = row->limit; r > 0; --r)
	{
		Lanes next;
		addTo(&next, &runs[r - 1], values);
		runs[r] = next;
		lower(best, &next);
	}
	runs[0] = *diagonal;
}

static void fillLanes(Lanes* out, float value)
{
	for (int l = 0; l < lanes; ++l)
	{
		out->at[l] = value;
	}
}

static void measureRow(const Row* row, Lanes corner)
{
	Lanes runs[RP_MAX_MATCH_SLOPE + 1];
	for (int r = 0; r <= row->limit; ++r)
	{
		fillLanes(&runs[r], INFINITY);
	}
	for (int j = row->first; j <= row->last; ++j)
	{
		size_t at = (size_t)j * lanes;
		const float* values = row->values + j * row->hop;
		Lanes* own = (Lanes*)(row->best + at);
		Lanes diagonal, best;
		addTo(&diagonal, &corner, values);
		best = diagonal;
		goRight(row, values, &diagonal, runs, &best);
		goDown(row, at, values, &diagonal, &best);
		corner = *own;
		*own = best;
	}
}

static void writeMeans(const rpMatchShape* shape, const float* best, float* out)
{
	int width = shape->maxSteps - shape->minSteps + 1;
	for (int k = 0; k < width; ++k)
	{
		int steps = shape->minSteps + k;
		float length = 1.0f + 0.5f * (float)(shape->rows - 1 + steps);
		for (int l = 0; l < lanes; ++l)
		{
			out[(size_t)l * (size_t)width + (size_t)k] = best[(size_t)steps * lanes + (size_t)l] / length;
		}
	}
}

void rpMeasureStarts(const rpMatchShape* shape, const float* grid, size_t stride, float* scratch, float* out)
{
	RP_ASSERT(shape->slopeLimit >= 1 && shape->slopeLimit <= RP_MAX_MATCH_SLOPE);
	size_t size = rpMatchShape_GetScratch(shape);
	for (size_t k = 0; k < size; ++k)
	{
		scratch[k] = INFINITY;
	}
	Row row = {.hop = shape->hop, .limit = shape->slopeLimit, .best = scratch, .lineSize = getLineSize(shape)};
	row.down = scratch + row.lineSize;
	for (int i = 0; i < shape->rows; ++i)
	{
		int before = row.first;
		row.values = grid + (size_t)(i * shape->hop) * stride;
		row.first = getFirst(shape, i);
		row.last = getLast(shape, i);
		Lanes corner;
		fillLanes(&corner, i == 0 ? 0.0f : INFINITY);
		if (i > 0 && row.first > before)
		{
			corner = *(const Lanes*)(row.best + (size_t)(row.first - 1) * lanes);
		}
		measureRow(&row, corner);
	}
	writeMeans(shape, scratch, out);
}

// ---- ratings

// With the threshold as reward for every frame of a path's length, a path that is within it costs less than nothing. So
// one pass from the last row up tells which starts have one: all of them at once, whatever the length. Lines have
// a hop of infinite columns behind them.
static size_t getRatingLine(const rpMatchShape* shape, int columns)
{
	return (size_t)columns + (size_t)shape->hop;
}

size_t rpMatchShape_GetRatingScratch(const rpMatchShape* shape, int columns)
{
	return getRatingLine(shape, columns) * (size_t)(shape->slopeLimit + 5);
}

/// Lines of a rating: the cheapest way on from each cell of the row below and of this one; runs to the left, as they
/// are seen from their ends; runs upwards of each number of steps.
typedef struct Rating
{
	float *below, *best, *run, *nextRun;
	float* up[RP_MAX_MATCH_SLOPE + 1];
	int hop, columns, limit;
	float reward;
} Rating;

static void swapLines(float** a, float** b)
{
	float* kept = *a;
	*a = *b;
	*b = kept;
}

static void goDiagonally(const float* restrict values, const float* restrict next, float reward, int columns,
						 float* restrict run, float* restrict best)
{
	for (int j = 0; j < columns; ++j)
	{
		run[j] = best[j] = next[j] + (values[j] - reward);
	}
}

static void extendRun(const float* restrict values, const float* restrict from, float reward, int columns,
					  float* restrict to, float* restrict best)
{
	for (int j = 0; j < columns; ++j)
	{
		float cost = from[j] + (values[j] - reward);
		to[j] = cost;
		best[j] = cost < best[j] ? cost : best[j];
	}
}

static void rateRow(Rating* rating, const float* values)
{
	int columns = rating->columns, limit = rating->limit;
	float half = 0.5f * rating->reward;
	goDiagonally(values, rating->below + rating->hop, rating->reward, columns, rating->run, rating->best);
	// The line of runs of r steps is made from that of r - 1 in the row below, which it is longer than by one.
	for (int r = limit; r > 0; --r)
	{
		extendRun(values, rating->up[r - 1], half, columns, rating->up[r], rating->best);
	}
	memcpy(rating->up[0], rating->run, (size_t)columns * sizeof(float));
	for (int r = 0; r < limit; ++r)
	{
		extendRun(values, rating->run + rating->hop, half, columns, rating->nextRun, rating->best);
		swapLines(&rating->run, &rating->nextRun);
	}
	swapLines(&rating->below, &rating->best);
}

// Sums are in single precision and in another order than those of paths.
#define RATING_SLACK 1e-5f

const float* rpRateStarts(const rpMatchShape* shape, const float* grid, size_t stride, int columns, float threshold,
						  float* scratch)
{
	size_t line = getRatingLine(shape, columns), size = rpMatchShape_GetRatingScratch(shape, columns);
	for (size_t k = 0; k < size; ++k)
	{
		scratch[k] = INFINITY;
	}
	Rating rating = {.below = scratch,
					 .best = scratch + line,
					 .run = scratch + 2 * line,
					 .nextRun = scratch + 3 * line,
					 .hop = shape->hop,
					 .columns = columns,
					 .limit = shape->slopeLimit,
					 .reward = threshold};
	for (int r = 0; r <= shape->slopeLimit; ++r)
	{
		rating.up[r] = scratch + (size_t)(4 + r) * line;
	}
	// Any cell of the last row may be the end. The slack is given to every path.
	for (size_t j = 0; j < line; ++j)
	{
		rating.below[j] = -RATING_SLACK * threshold * (float)shape->rows;
	}
	for (int i = shape->rows - 1; i >= 0; --i)
	{
		rateRow(&rating, grid + (size_t)(i * shape->hop) * stride);
		if (i == shape->rows - 1)
		{
			memcpy(rating.best + columns, rating.run + columns, (size_t)shape->hop * sizeof(float));
		}
	}
	return rating.below;
}
