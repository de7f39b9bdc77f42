/// Tiles of the grid of clouds (Kovar 2004, section 4.1.1.2): a packed strip of b against a's frames, batch by batch of
/// rows. The products of a batch go into three planes, the window runs over them along the diagonals, the closed form
/// makes distances of them, and the last 2L rows stay for the next batch.
#include "distance/tiler.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

// Frames of a that are multiplied at a time: few enough for the planes to stay near the core.
#define BATCH_ROWS 96

static size_t roundUp(size_t value, size_t step)
{
	return (value + step - 1) / step * step;
}

bool rpCloud_MakeTiler(rpTiler* tiler, int workerCount, rpError* error)
{
	const rpMetric* metric = tiler->metric;
	const rpGridKernel* kernel = tiler->kernel;
	size_t halo = 2 * (size_t)metric->halfWindow, terms = rp_termCount * (size_t)metric->markerCount;
	size_t columns = roundUp(RP_MAX_REGION_COLUMNS + halo, (size_t)kernel->columns);
	tiler->planeRows = roundUp(halo + BATCH_ROWS, (size_t)kernel->rows) + (size_t)kernel->rows;
	// One less than a multiple of any kernel's lanes, and room for a vector between rows.
	tiler->stride = roundUp(columns + 17, 16) - 1;
	tiler->planeSize = roundUp(tiler->planeRows * tiler->stride + 2 * RP_GRID_PADDING, 16);
	tiler->packASize = roundUp(terms * roundUp(BATCH_ROWS, (size_t)kernel->rows), 16);
	tiler->packBSize = roundUp(terms * columns, 16);
	tiler->scratchSize = roundUp(tiler->planeRows * (size_t)kernel->lanes, 16);
	tiler->meanTermSize = roundUp(tiler->planeRows * 2 * (size_t)rpCloud_CountTerms(metric), 16);
	tiler->workerSize = rp_planeCount * tiler->planeSize + tiler->packASize + tiler->packBSize + tiler->scratchSize +
						tiler->meanTermSize;
	tiler->block = rpAllocateZero((size_t)workerCount * tiler->workerSize + RP_GRID_ALIGNMENT / sizeof(float),
								  sizeof(float), error);
	uintptr_t start = roundUp((uintptr_t)tiler->block, RP_GRID_ALIGNMENT);
	tiler->memory = tiler->block != NULL ? (float*)((char*)tiler->block + (start - (uintptr_t)tiler->block)) : NULL;
	return tiler->block != NULL;
}

/// A region being filled.
typedef struct Work
{
	const rpTiler* tiler;
	const rpRegion* region;
	float* planes[rp_planeCount];
	float *packA, *packB, *scratch, *meanTerms;

	/// Rows of products made so far, rows of distances done, and rows of products in the planes: the first is that of
	/// distance row `done`.
	int made, done, held;

	float* out;
	size_t outStride;
} Work;

static Work startWork(const rpTiler* tiler, int worker, const rpRegion* region, float* out, size_t outStride)
{
	Work work = {.tiler = tiler, .region = region, .out = out, .outStride = outStride};
	float* memory = tiler->memory + (size_t)worker * tiler->workerSize;
	for (int i = 0; i < rp_planeCount; ++i)
	{
		work.planes[i] = memory + RP_GRID_PADDING;
		memory += tiler->planeSize;
	}
	work.packA = memory;
	work.packB = memory + tiler->packASize;
	work.scratch = work.packB + tiler->packBSize;
	work.meanTerms = work.scratch + tiler->scratchSize;
	return work;
}

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

// The window of frame 0 starts at index 0.
static rpGridFrames getFrames(const rpTiler* tiler, const rpProfile* profile, int first)
{
	return (rpGridFrames){
		.x = profile->x + first,
		.y = profile->y + first,
		.z = profile->z + first,
		.stride = (size_t)profile->stride,
		.markerCount = profile->markerCount,
		.weights = tiler->metric->gridWeights,
	};
}

static void packStrip(const Work* work)
{
	const rpTiler* tiler = work->tiler;
	size_t terms = rp_termCount * (size_t)tiler->metric->markerCount;
	for (int c = 0; c < work->region->columnCount + 2 * tiler->metric->halfWindow; c += tiler->kernel->columns)
	{
		rpGridFrames frames = getFrames(tiler, tiler->b, work->region->column + c);
		tiler->kernel->packColumns(&frames, work->packB + (size_t)c * terms);
	}
}

// The products of the next rows with the columns from firstColumn on.
static void multiplyRows(Work* work, int firstColumn)
{
	const rpTiler* tiler = work->tiler;
	const rpGridKernel* kernel = tiler->kernel;
	int halo = 2 * tiler->metric->halfWindow, markers = tiler->metric->markerCount;
	int rows = getMin(BATCH_ROWS, work->region->rowCount + halo - work->made);
	int columns = work->region->columnCount + halo;
	size_t terms = rp_termCount * (size_t)markers;
	for (int r = 0; r < rows; r += kernel->rows)
	{
		rpGridFrames frames = getFrames(tiler, tiler->a, work->region->row + work->made + r);
		kernel->packRows(&frames, work->packA + (size_t)r * terms);
	}
	// A panel of b stays in the nearest cache while a's frames pass by.
	for (int c = firstColumn; c < columns; c += kernel->columns)
	{
		for (int r = 0; r < rows; r += kernel->rows)
		{
			size_t at = (size_t)(work->held + r) * tiler->stride + (size_t)c;
			float* planes[] = {work->planes[0] + at, work->planes[1] + at, work->planes[2] + at};
			kernel->multiply(work->packA + (size_t)r * terms, work->packB + (size_t)c * terms, markers, planes,
							 tiler->stride);
		}
	}
	work->made += rows;
	work->held += rows;
}

// The rows' side of the mean's terms: those of the mean itself are added, those of its distance from the track, which
// come first, third and so on, are taken off.
static void packMeanTerms(const Work* work, int rowCount)
{
	const rpProfile* a = work->tiler->a;
	int terms = work->tiler->termCount;
	for (int row = 0; row < rowCount; ++row)
	{
		float* out = work->meanTerms + (size_t)row * 2 * (size_t)terms;
		for (int n = 0; n < terms; ++n)
		{
			size_t at = (size_t)n * (size_t)a->formStride + (size_t)(work->region->row + work->done + row);
			out[2 * n] = n % 2 == 0 ? -a->meanTermsX[at] : a->meanTermsX[at];
			out[2 * n + 1] = n % 2 == 0 ? -a->meanTermsZ[at] : a->meanTermsZ[at];
		}
	}
}

static void closeRows(const Work* work, int rowCount, int firstColumn)
{
	const rpTiler* tiler = work->tiler;
	const rpProfile *a = tiler->a, *b = tiler->b;
	int row = work->region->row + work->done, column = work->region->column + firstColumn;
	rpGridForm form = {
		.rowCount = rowCount,
		.count = work->region->columnCount - firstColumn,
		.planes = {work->planes[0] + firstColumn, work->planes[1] + firstColumn, work->planes[2] + firstColumn},
		.stride = tiler->stride,
		.rowBases = a->bases + row,
		.bases = b->bases + column,
		.rowMeanTerms = work->meanTerms,
		.meanTermsX = b->meanTermsX + column,
		.meanTermsZ = b->meanTermsZ + column,
		.meanTermStride = (size_t)b->formStride,
		.termCount = tiler->termCount,
		.out = work->out + (size_t)work->done * work->outStride + firstColumn,
		.outStride = work->outStride,
	};
	packMeanTerms(work, rowCount);
	if (tiler->metric->placed)
	{
		form.rowMeansX = a->meansX + row;
		form.rowMeansZ = a->meansZ + row;
		form.meansX = b->meansX + column;
		form.meansZ = b->meansZ + column;
		tiler->kernel->place(&form);
	}
	else
	{
		tiler->kernel->align(&form);
	}
}

// Distances of all rows whose windows are whole, from firstColumn on; what later rows need, if there are any, moves to
// the top.
static void finishRows(Work* work, int firstColumn)
{
	const rpTiler* tiler = work->tiler;
	const rpMetric* metric = tiler->metric;
	int rows = work->held - 2 * metric->halfWindow;
	if (rows <= 0)
	{
		return;
	}
	for (int i = 0; i < rp_planeCount; ++i)
	{
		tiler->kernel->filter(work->planes[i] + firstColumn, tiler->stride, rows,
							  work->region->columnCount - firstColumn, metric->passes, metric->passCount,
							  work->scratch);
	}
	closeRows(work, rows, firstColumn);
	bool isLast = work->done + rows == work->region->rowCount;
	for (int i = 0; i < rp_planeCount && !isLast; ++i)
	{
		memmove(work->planes[i], work->planes[i] + (size_t)rows * tiler->stride,
				(size_t)(work->held - rows) * tiler->stride * sizeof(float));
	}
	work->held -= rows;
	work->done += rows;
}

// The first column that the row and those below it need, at the start of a panel.
static int findFirstColumn(const Work* work)
{
	const rpRegion* region = work->region;
	int64_t first = (int64_t)region->row + work->done + region->firstDiagonal - region->column;
	int panel = work->tiler->kernel->columns;
	return first <= 0 ? 0 : first >= region->columnCount ? region->columnCount : (int)first / panel * panel;
}

void rpCloud_FillRegion(const rpTiler* tiler, int worker, const rpRegion* region, float* out, size_t outStride)
{
	Work work = startWork(tiler, worker, region, out, outStride);
	packStrip(&work);
	while (work.done < region->rowCount)
	{
		int firstColumn = findFirstColumn(&work);
		if (firstColumn >= region->columnCount)
		{
			return;
		}
		multiplyRows(&work, firstColumn);
		finishRows(&work, firstColumn);
	}
}
