/// The grid's inner loops in plain C: the reference for the others, which give the same bits.
#include "distance/angle_rows.h"
#include "distance/grid_kernel.h"

#include <math.h>
#include <string.h>

#define LANES 8
#define ROWS 4
#define COLUMNS 24

static void packRows(const rpGridFrames* frames, float* out)
{
	size_t step = (size_t)frames->markerCount * ROWS;
	for (int m = 0; m < frames->markerCount; ++m)
	{
		for (int i = 0; i < ROWS; ++i)
		{
			size_t from = (size_t)m * frames->stride + (size_t)i, to = (size_t)m * ROWS + (size_t)i;
			float x = frames->weights[m] * frames->x[from], z = frames->weights[m] * frames->z[from];
			out[rp_termShared * step + to] = x - z;
			out[rp_termAlong * step + to] = z;
			out[rp_termAcross * step + to] = x;
			out[rp_termHeight * step + to] = frames->weights[m] * frames->y[from];
		}
	}
}

static void packColumns(const rpGridFrames* frames, float* out)
{
	size_t step = (size_t)frames->markerCount * COLUMNS;
	for (int m = 0; m < frames->markerCount; ++m)
	{
		for (int i = 0; i < COLUMNS; ++i)
		{
			size_t from = (size_t)m * frames->stride + (size_t)i, to = (size_t)m * COLUMNS + (size_t)i;
			float x = frames->x[from], z = frames->z[from];
			out[rp_termShared * step + to] = x;
			out[rp_termAlong * step + to] = x + z;
			out[rp_termAcross * step + to] = z - x;
			out[rp_termHeight * step + to] = frames->y[from];
		}
	}
}

static void addProducts(const float* a, const float* b, int markerCount, float sums[ROWS][COLUMNS])
{
	for (int m = 0; m < markerCount; ++m)
	{
		for (int r = 0; r < ROWS; ++r)
		{
			for (int c = 0; c < COLUMNS; ++c)
			{
				sums[r][c] += a[m * ROWS + r] * b[m * COLUMNS + c];
			}
		}
	}
}

static void store(float sums[ROWS][COLUMNS], float* plane, size_t stride)
{
	for (int r = 0; r < ROWS; ++r)
	{
		memcpy(plane + (size_t)r * stride, sums[r], sizeof(sums[r]));
	}
}

static void multiply(const float* a, const float* b, int markerCount, float* const* planes, size_t stride)
{
	float shared[ROWS][COLUMNS] = {{0}}, along[ROWS][COLUMNS], height[ROWS][COLUMNS] = {{0}};
	int stepA = markerCount * ROWS, stepB = markerCount * COLUMNS;
	addProducts(a, b, markerCount, shared);
	memcpy(along, shared, sizeof(along));
	addProducts(a + rp_termAlong * stepA, b + rp_termAlong * stepB, markerCount, along);
	addProducts(a + rp_termAcross * stepA, b + rp_termAcross * stepB, markerCount, shared);
	addProducts(a + rp_termHeight * stepA, b + rp_termHeight * stepB, markerCount, height);
	store(along, planes[rp_planeAlong], stride);
	store(shared, planes[rp_planeAcross], stride);
	store(height, planes[rp_planeHeight], stride);
}

static int getExtent(const rpWindowPass* passes, int passCount)
{
	int extent = 0;
	for (int p = 0; p < passCount; ++p)
	{
		extent += (passes[p].tapCount - 1) * passes[p].step;
	}
	return extent;
}

static void runPass(const rpWindowPass* pass, float* values, int count)
{
	bool isTriangle = pass->tapCount == 3 && pass->weights[0] == 1.0f && pass->weights[1] == 2.0f;
	for (int k = 0; k < count && isTriangle; ++k)
	{
		values[k] = (values[k] + values[k + 2 * pass->step]) + 2.0f * values[k + pass->step];
	}
	for (int k = 0; k < count && !isTriangle; ++k)
	{
		float sum = 0.0f;
		for (int t = 0; t < pass->tapCount; ++t)
		{
			sum += pass->weights[t] * values[k + t * pass->step];
		}
		values[k] = sum;
	}
}

// One diagonal of `count` elements `step` apart, through scratch: what follows them stays as it is.
static void filterDiagonal(float* first, size_t step, int count, const rpWindowPass* passes, int passCount,
						   float* scratch)
{
	int beyond = getExtent(passes, passCount);
	for (int k = 0; k < count + beyond; ++k)
	{
		scratch[k] = first[(size_t)k * step];
	}
	for (int p = 0; p < passCount; ++p)
	{
		beyond -= getExtent(passes + p, 1);
		runPass(passes + p, scratch, count + beyond);
	}
	for (int k = 0; k < count; ++k)
	{
		first[(size_t)k * step] = scratch[k];
	}
}

static void filter(float* plane, size_t stride, int rowCount, int columnCount, const rpWindowPass* passes,
				   int passCount, float* scratch)
{
	for (int start = 1 - rowCount; start < columnCount; ++start)
	{
		int row = start < 0 ? -start : 0, column = start < 0 ? 0 : start;
		int count = rowCount - row < columnCount - column ? rowCount - row : columnCount - column;
		filterDiagonal(plane + (size_t)row * stride + column, stride + 1, count, passes, passCount, scratch);
	}
}

/// The two parts of the product of two windows' means, as they are added after the filter.
typedef struct Overlap
{
	float along, across;
} Overlap;

static Overlap addMeanTerms(const rpGridForm* form, int row, int c)
{
	size_t at = (size_t)row * form->stride + (size_t)c;
	Overlap sum = {form->planes[rp_planeAlong][at], form->planes[rp_planeAcross][at]};
	const float* meanTerms = form->rowMeanTerms + (size_t)row * 2 * (size_t)form->termCount;
	for (int n = 0; n < form->termCount; ++n)
	{
		float ax = meanTerms[2 * n], az = meanTerms[2 * n + 1];
		float bx = form->meanTermsX[(size_t)n * form->meanTermStride + (size_t)c];
		float bz = form->meanTermsZ[(size_t)n * form->meanTermStride + (size_t)c];
		sum.along += ax * bx;
		sum.across += ax * bz;
		sum.along += az * bz;
		sum.across -= az * bx;
	}
	return sum;
}

static void align(const rpGridForm* form)
{
	for (int row = 0; row < form->rowCount; ++row)
	{
		for (int c = 0; c < form->count; ++c)
		{
			Overlap sum = addMeanTerms(form, row, c);
			float height = form->planes[rp_planeHeight][(size_t)row * form->stride + (size_t)c];
			float overlap = height + sqrtf(sum.along * sum.along + sum.across * sum.across);
			float square = form->rowBases[row] + form->bases[c] - 2.0f * overlap;
			form->out[(size_t)row * form->outStride + (size_t)c] = square > 0.0f ? square : 0.0f;
		}
	}
}

static void place(const rpGridForm* form)
{
	for (int row = 0; row < form->rowCount; ++row)
	{
		for (int c = 0; c < form->count; ++c)
		{
			float height = form->planes[rp_planeHeight][(size_t)row * form->stride + (size_t)c];
			float dx = form->rowMeansX[row] - form->meansX[c], dz = form->rowMeansZ[row] - form->meansZ[c];
			float overlap = height + addMeanTerms(form, row, c).along;
			float square = form->rowBases[row] + form->bases[c] - 2.0f * overlap + (dx * dx + dz * dz);
			form->out[(size_t)row * form->outStride + (size_t)c] = square > 0.0f ? square : 0.0f;
		}
	}
}

static void root(float* values, int count)
{
	for (int i = 0; i < count; ++i)
	{
		values[i] = sqrtf(values[i]);
	}
}

static bool isLow(const float* cell, size_t stride, float slack)
{
	bool low = true;
	for (int r = -1; r <= 1; ++r)
	{
		for (int c = -1; c <= 1; ++c)
		{
			bool self = r == 0 && c == 0;
			low = low && (self || *cell <= slack * cell[(ptrdiff_t)r * (ptrdiff_t)stride + c]);
		}
	}
	return low;
}

static int findLow(const rpGridCells* cells, int* out)
{
	int found = 0;
	for (int c = 0; c < cells->count; ++c)
	{
		if (cells->squares[c] < cells->limit && isLow(cells->squares + c, cells->stride, cells->slack))
		{
			out[found++] = c;
		}
	}
	return found;
}

const rpGridKernel rpGridKernel_portable = {
	.name = "portable",
	.lanes = LANES,
	.rows = ROWS,
	.columns = COLUMNS,
	.packRows = packRows,
	.packColumns = packColumns,
	.multiply = multiply,
	.filter = filter,
	.align = align,
	.place = place,
	.compareAngles = compareAngles,
	.root = root,
	.findLow = findLow,
};
