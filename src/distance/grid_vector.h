/// The grid's inner loops with vectors of LANES floats; included by one file for each kind of machine, which defines
/// LANES, ROWS and VECTORS (a block of products is ROWS frames by VECTORS vectors, all of it in registers), squareRoot,
/// larger, smaller, and findBelow (bits of the lanes where x < y). Every cell is computed by the same operations in the
/// same order as in grid_portable.c, and nothing is fused: values are the same bits on every machine.
#pragma once

#include "distance/grid_kernel.h"

#define COLUMNS (VECTORS * LANES)
#define INLINE static inline __attribute__((always_inline))

typedef float Vector __attribute__((vector_size(4 * LANES), may_alias));
typedef float Unaligned __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE Vector load(const float* from)
{
	return *(const Unaligned*)from;
}

// As many floats as multiply takes frames of a.
typedef float Rows __attribute__((vector_size(4 * ROWS), aligned(4), may_alias));

static void packRows(const rpGridFrames* frames, float* out)
{
	size_t step = (size_t)frames->markerCount * ROWS;
	for (int m = 0; m < frames->markerCount; ++m)
	{
		size_t from = (size_t)m * frames->stride;
		Rows x = frames->weights[m] * *(const Rows*)(frames->x + from);
		Rows z = frames->weights[m] * *(const Rows*)(frames->z + from);
		float* to = out + (size_t)m * ROWS;
		*(Rows*)(to + rp_termShared * step) = x - z;
		*(Rows*)(to + rp_termAlong * step) = z;
		*(Rows*)(to + rp_termAcross * step) = x;
		*(Rows*)(to + rp_termHeight * step) = frames->weights[m] * *(const Rows*)(frames->y + from);
	}
}

static void packColumns(const rpGridFrames* frames, float* out)
{
	size_t step = (size_t)frames->markerCount * COLUMNS;
	for (int m = 0; m < frames->markerCount; ++m)
	{
		for (int c = 0; c < COLUMNS; c += LANES)
		{
			size_t from = (size_t)m * frames->stride + (size_t)c;
			Vector x = load(frames->x + from), z = load(frames->z + from);
			float* to = out + (size_t)m * COLUMNS + c;
			*(Vector*)(to + rp_termShared * step) = x;
			*(Vector*)(to + rp_termAlong * step) = x + z;
			*(Vector*)(to + rp_termAcross * step) = z - x;
			*(Vector*)(to + rp_termHeight * step) = load(frames->y + from);
		}
	}
}

INLINE void addProducts(const float* a, const float* b, int markerCount, Vector sums[ROWS][VECTORS])
{
	for (int m = 0; m < markerCount; ++m)
	{
		const Vector* columns = (const Vector*)b + (size_t)m * VECTORS;
		Vector column[VECTORS];
#pragma GCC unroll 8
		for (int v = 0; v < VECTORS; ++v)
		{
			column[v] = columns[v];
		}
#pragma GCC unroll 16
		for (int r = 0; r < ROWS; ++r)
		{
			Vector row = a[m * ROWS + r] - (Vector){0};
#pragma GCC unroll 8
			for (int v = 0; v < VECTORS; ++v)
			{
				sums[r][v] += row * column[v];
			}
		}
	}
}

INLINE void store(Vector sums[ROWS][VECTORS], float* plane, size_t stride)
{
#pragma GCC unroll 16
	for (int r = 0; r < ROWS; ++r)
	{
#pragma GCC unroll 8
		for (int v = 0; v < VECTORS; ++v)
		{
			*(Unaligned*)(plane + (size_t)r * stride + (size_t)v * LANES) = sums[r][v];
		}
	}
}

INLINE void copyBlock(Vector to[ROWS][VECTORS], Vector from[ROWS][VECTORS])
{
#pragma GCC unroll 16
	for (int r = 0; r < ROWS; ++r)
	{
#pragma GCC unroll 8
		for (int v = 0; v < VECTORS; ++v)
		{
			to[r][v] = from[r][v];
		}
	}
}

INLINE void clearBlock(Vector sums[ROWS][VECTORS])
{
#pragma GCC unroll 16
	for (int r = 0; r < ROWS; ++r)
	{
#pragma GCC unroll 8
		for (int v = 0; v < VECTORS; ++v)
		{
			sums[r][v] = (Vector){0};
		}
	}
}

static void multiply(const float* a, const float* b, int markerCount, float* const* planes, size_t stride)
{
	size_t stepA = (size_t)markerCount * ROWS, stepB = (size_t)markerCount * COLUMNS;
	Vector sums[ROWS][VECTORS], shared[ROWS][VECTORS];
	clearBlock(sums);
	addProducts(a, b, markerCount, sums);
	copyBlock(shared, sums);
	addProducts(a + rp_termAlong * stepA, b + rp_termAlong * stepB, markerCount, sums);
	store(sums, planes[rp_planeAlong], stride);
	copyBlock(sums, shared);
	addProducts(a + rp_termAcross * stepA, b + rp_termAcross * stepB, markerCount, sums);
	store(sums, planes[rp_planeAcross], stride);
	clearBlock(sums);
	addProducts(a + rp_termHeight * stepA, b + rp_termHeight * stepB, markerCount, sums);
	store(sums, planes[rp_planeHeight], stride);
}

// One pass over the count elements of a diagonal, from vectors `stepIn` apart to such `stepOut` apart; they may be the
// same memory.
INLINE void runPass(const Vector* in, size_t stepIn, Vector* out, size_t stepOut, int count, const rpWindowPass* pass)
{
	size_t tap = stepIn * (size_t)pass->step;
	if (pass->tapCount == 3 && pass->weights[0] == 1.0f && pass->weights[1] == 2.0f)
	{
		for (int k = 0; k < count; ++k)
		{
			*out = (in[0] + in[2 * tap]) + 2.0f * in[tap];
			in += stepIn;
			out += stepOut;
		}
		return;
	}
	for (int k = 0; k < count; ++k)
	{
		Vector sum = {0};
		for (int t = 0; t < pass->tapCount; ++t)
		{
			sum += pass->weights[t] * in[(size_t)t * tap];
		}
		*out = sum;
		in += stepIn;
		out += stepOut;
	}
}

// The triangle of 15 frames, the usual window: its three passes at once, in registers.
static void runTriangle15(Vector* first, size_t step, int count)
{
	Vector x1 = {0}, x2 = {0}, once[4] = {{0}}, twice[8] = {{0}};
	const Vector* in = first;
	Vector* out = first;
	int total = count + 14;
	for (int k = 0; k < total; k += 8)
	{
#pragma GCC unroll 8
		for (int q = 0; q < 8; ++q)
		{
			if (k + q < total)
			{
				Vector x = *in;
				in += step;
				Vector y = (x2 + x) + 2.0f * x1;
				x2 = x1;
				x1 = x;
				Vector z = (once[q % 4] + y) + 2.0f * once[(q + 2) % 4];
				once[q % 4] = y;
				Vector sum = (twice[q] + z) + 2.0f * twice[(q + 4) % 8];
				twice[q] = z;
				if (k + q >= 14)
				{
					*out = sum;
					out += step;
				}
			}
		}
	}
}

static bool isTriangle15(const rpWindowPass* passes, int passCount)
{
	bool is = passCount == 3;
	for (int p = 0; is && p < 3; ++p)
	{
		is = passes[p].tapCount == 3 && passes[p].weights[1] == 2.0f * passes[p].weights[0] && passes[p].step == 1 << p;
	}
	return is;
}

// The elements of LANES neighbouring diagonals, all passes one after another in scratch.
static void filterDiagonal(Vector* first, size_t step, int count, const rpWindowPass* passes, int passCount,
						   Vector* scratch)
{
	int beyond = 0;
	for (int p = 1; p < passCount; ++p)
	{
		beyond += (passes[p].tapCount - 1) * passes[p].step;
	}
	const Vector* in = first;
	size_t stepIn = step;
	for (int p = 0; p < passCount; ++p)
	{
		bool last = p == passCount - 1;
		runPass(in, stepIn, last ? first : scratch, last ? step : 1, count + beyond, passes + p);
		in = scratch;
		stepIn = 1;
		beyond -= last ? 0 : (passes[p + 1].tapCount - 1) * passes[p + 1].step;
	}
}

static void filter(float* plane, size_t stride, int rowCount, int columnCount, const rpWindowPass* passes,
				   int passCount, float* scratch)
{
	bool usual = isTriangle15(passes, passCount);
	// A chain of vectors starts at column `start` of row 0, which may be left of the plane, and goes one column to the
	// right with each row.
	for (int start = -((rowCount + LANES - 2) / LANES) * LANES; start < columnCount; start += LANES)
	{
		int low = start < 0 ? -start - (LANES - 1) : 0;
		int high = columnCount - start < rowCount ? columnCount - start : rowCount;
		low = low > 0 ? low : 0;
		if (low < high)
		{
			float* first = plane + (ptrdiff_t)low * (ptrdiff_t)(stride + 1) + start;
			if (usual)
			{
				runTriangle15((Vector*)first, (stride + 1) / LANES, high - low);
			}
			else
			{
				filterDiagonal((Vector*)first, (stride + 1) / LANES, high - low, passes, passCount, (Vector*)scratch);
			}
		}
	}
}

// Rows and vectors of a row that the closed form handles together: loads of columns serve all rows.
#define FORM_ROWS 4
#define FORM_COLUMNS 128
#define FORM_VECTORS 2

// along and across of a block: the planes, and the terms of the means.
INLINE void addMeanTerms(const rpGridForm* form, int row, int rows, int c, Vector along[FORM_ROWS][FORM_VECTORS],
						 Vector across[FORM_ROWS][FORM_VECTORS])
{
#pragma GCC unroll 4
	for (int r = 0; r < rows; ++r)
	{
		size_t at = (size_t)(row + r) * form->stride + (size_t)c;
#pragma GCC unroll 4
		for (int v = 0; v < FORM_VECTORS; ++v)
		{
			along[r][v] = load(form->planes[rp_planeAlong] + at + v * LANES);
			across[r][v] = load(form->planes[rp_planeAcross] + at + v * LANES);
		}
	}
	const float* meanTerms = form->rowMeanTerms + (size_t)row * 2 * (size_t)form->termCount;
	for (int n = 0; n < form->termCount; ++n)
	{
		const float* meanX = form->meanTermsX + (size_t)n * form->meanTermStride + c;
		const float* meanZ = form->meanTermsZ + (size_t)n * form->meanTermStride + c;
#pragma GCC unroll 4
		for (int v = 0; v < FORM_VECTORS; ++v)
		{
			Vector bx = load(meanX + v * LANES), bz = load(meanZ + v * LANES);
#pragma GCC unroll 4
			for (int r = 0; r < rows; ++r)
			{
				const float* own = meanTerms + 2 * (r * form->termCount + n);
				along[r][v] += own[0] * bx;
				across[r][v] += own[0] * bz;
				along[r][v] += own[1] * bz;
				across[r][v] -= own[1] * bx;
			}
		}
	}
}

INLINE void alignRows(const rpGridForm* form, int row, int rows, int first, int end)
{
	for (int c = first; c < end; c += FORM_VECTORS * LANES)
	{
		Vector along[FORM_ROWS][FORM_VECTORS], across[FORM_ROWS][FORM_VECTORS];
		addMeanTerms(form, row, rows, c, along, across);
#pragma GCC unroll 4
		for (int r = 0; r < rows; ++r)
		{
			const float* heights = form->planes[rp_planeHeight] + (size_t)(row + r) * form->stride + c;
			float* out = form->out + (size_t)(row + r) * form->outStride + c;
#pragma GCC unroll 4
			for (int v = 0; v < FORM_VECTORS; ++v)
			{
				Vector overlap =
					load(heights + v * LANES) + squareRoot(along[r][v] * along[r][v] + across[r][v] * across[r][v]);
				Vector square = (form->rowBases[row + r] + load(form->bases + c + v * LANES)) - 2.0f * overlap;
				*(Unaligned*)(out + v * LANES) = larger(square, (Vector){0});
			}
		}
	}
}

static void align(const rpGridForm* form)
{
	// Few enough columns at a time for their terms to stay in the nearest cache.
	for (int first = 0; first < form->count; first += FORM_COLUMNS)
	{
		int end = first + FORM_COLUMNS < form->count ? first + FORM_COLUMNS : form->count, row = 0;
		for (; row + FORM_ROWS <= form->rowCount; row += FORM_ROWS)
		{
			alignRows(form, row, FORM_ROWS, first, end);
		}
		for (; row < form->rowCount; ++row)
		{
			alignRows(form, row, 1, first, end);
		}
	}
}

INLINE void placeRow(const rpGridForm* form, int row)
{
	for (int c = 0; c < form->count; c += FORM_VECTORS * LANES)
	{
		Vector along[FORM_ROWS][FORM_VECTORS], across[FORM_ROWS][FORM_VECTORS];
		addMeanTerms(form, row, 1, c, along, across);
		const float* heights = form->planes[rp_planeHeight] + (size_t)row * form->stride + c;
		float* out = form->out + (size_t)row * form->outStride + c;
		for (int v = 0; v < FORM_VECTORS; ++v)
		{
			Vector dx = form->rowMeansX[row] - load(form->meansX + c + v * LANES);
			Vector dz = form->rowMeansZ[row] - load(form->meansZ + c + v * LANES);
			Vector overlap = load(heights + v * LANES) + along[0][v];
			Vector square = (form->rowBases[row] + load(form->bases + c + v * LANES)) - 2.0f * overlap;
			*(Unaligned*)(out + v * LANES) = larger(square + (dx * dx + dz * dz), (Vector){0});
		}
	}
}

static void place(const rpGridForm* form)
{
	for (int row = 0; row < form->rowCount; ++row)
	{
		placeRow(form, row);
	}
}

static void root(float* values, int count)
{
	for (int i = 0; i < count; i += LANES)
	{
		*(Unaligned*)(values + i) = squareRoot(load(values + i));
	}
}

// The minimum of a cell's eight neighbours.
INLINE Vector findMin(const float* cell, size_t stride)
{
	const float *above = cell - stride, *below = cell + stride;
	Vector min = smaller(load(cell - 1), load(cell + 1));
	min = smaller(min, smaller(load(above - 1), load(above)));
	min = smaller(min, smaller(load(above + 1), load(below - 1)));
	return smaller(min, smaller(load(below), load(below + 1)));
}

static int findLow(const rpGridCells* cells, int* out)
{
	int found = 0;
	Vector limit = cells->limit - (Vector){0};
	for (int c = 0; c < cells->count; c += LANES)
	{
		Vector own = load(cells->squares + c);
		unsigned bits = findBelow(own, limit);
		if (bits != 0)
		{
			bits &= ~findBelow(cells->slack * findMin(cells->squares + c, cells->stride), own);
		}
		for (; bits != 0; bits &= bits - 1)
		{
			int at = c + __builtin_ctz(bits);
			out[found] = at;
			found += at < cells->count;
		}
	}
	return found;
}
