/// The inner loops of the grid of clouds, written for several machines and chosen at run time.
///
/// A tile's products stand in three planes: xx' + zz', xz' - zx' and yy', summed over the markers, one row for each
/// frame of a, one column for each of b. Rows are `stride` floats apart, and stride + 1 is a multiple of the kernel's
/// lanes: so the next element on a diagonal is a whole number of vectors away, and the window, which runs along
/// diagonals, loads aligned vectors only.
#pragma once

#include "reprise/play/base.h"

enum
{
	rp_planeAlong,
	rp_planeAcross,
	rp_planeHeight,
	rp_planeCount,
};

/// Terms of a packed frame of a and of b. The complex product takes three multiplications for each marker instead of
/// four (Gauss): with k = (x - z) x', xx' + zz' = k + z (x' + z') and xz' - zx' = k + x (z' - x').
enum
{
	rp_termShared,
	rp_termAlong,
	rp_termAcross,
	rp_termHeight,
	rp_termCount,
};

/// One factor of a window: out[k] = sum of weights[t] in[k + t * step], [tapCount], symmetric. Passes with taps 1, 2, 1
/// are known to the kernels as such.
typedef struct rpWindowPass
{
	const float* weights;
	int tapCount;
	int step;
} rpWindowPass;

/// Rows of a tile for the closed form. All arrays of columns may be read up to RP_GRID_PADDING floats past count.
typedef struct rpGridForm
{
	int rowCount, count;

	/// Filtered planes at the first row and column, and floats from row to row.
	const float* planes[rp_planeCount];
	size_t stride;

	/// Sums of squares: [rowCount] and [count].
	const float* rowBases;
	const float* bases;

	/// Terms of the mean's track: the rows', x and z in turn, with the sign that they are added with, [rowCount * 2 *
	/// termCount]; and the columns', the n-th of them at n * meanTermStride.
	const float* rowMeanTerms;
	const float* meanTermsX;
	const float* meanTermsZ;
	size_t meanTermStride;
	int termCount;

	/// Without alignment: the windows' means on the floor, [rowCount] and [count] each; else not read.
	const float *rowMeansX, *rowMeansZ;
	const float *meansX, *meansZ;

	/// Squared distances, rows outStride apart; written up to RP_GRID_PADDING floats past count.
	float* out;
	size_t outStride;
} rpGridForm;

/// Rows of a tile of angles. Columns may be read up to RP_GRID_PADDING floats past count.
typedef struct rpAngleForm
{
	int rowCount, count;

	/// Components of unit quaternions, w, x, y, z of each turn, then those of the next; the k-th component of row r is
	/// at rowTurns[k * rowStride + r]. Features likewise; their squared differences are summed up.
	const float *rowTurns, *rowFeatures;
	size_t rowStride;

	/// The same of the columns.
	const float *turns, *features;
	size_t stride;

	/// Weights of the squared angles, [turnCount].
	const float* weights;
	int turnCount, featureCount;

	/// Squared distances, rows outStride apart.
	float* out;
	size_t outStride;
} rpAngleForm;

/// Floats that vectors may reach past the end of an array.
#define RP_GRID_PADDING 64

/// Floats of rows that follow each other: what is read past the end of one is the next one's, or padding behind the
/// last. Short clips would be mostly padding if each row had its own.
static inline size_t rpCountRowFloats(int rowCount, int stride)
{
	return (size_t)rowCount * (size_t)stride + RP_GRID_PADDING;
}

/// Frames of markers to be packed: the m-th marker's coordinates at m * stride. As many frames as a kernel takes at a
/// time are read, whether the caller needs them or not.
typedef struct rpGridFrames
{
	const float *x, *y, *z;
	size_t stride;
	int markerCount;

	/// [markerCount]; only rows are weighted.
	const float* weights;
} rpGridFrames;

/// Cells of a tile that may be local minima.
typedef struct rpGridCells
{
	/// Squares at the first cell, rows `stride` apart; all neighbours can be read.
	const float* squares;
	size_t stride;
	int count;

	/// Cells must be below this, and at most slack times each neighbour.
	float limit, slack;
} rpGridCells;

/// Vectors start at multiples of this many bytes.
#define RP_GRID_ALIGNMENT 64

typedef struct rpGridKernel
{
	const char* name;

	/// Floats in a vector; frames of a and of b that multiply takes at a time.
	int lanes;
	int rows, columns;

	/// Frames of a, weighted, and of b, as multiply wants them.
	void (*packRows)(const rpGridFrames* frames, float* out);
	void (*packColumns)(const rpGridFrames* frames, float* out);

	/// Products of `rows` frames of a with `columns` of b, into the planes. a is [term][marker][rows], b is
	/// [term][marker][columns], aligned.
	void (*multiply)(const float* a, const float* b, int markerCount, float* const* planes, size_t stride);

	/// A window along the diagonals, in place: (row, column) becomes the weighted sum of (row + t, column + t). plane
	/// is aligned and has RP_GRID_PADDING floats before and after. scratch holds lanes floats for every row read.
	void (*filter)(float* plane, size_t stride, int rowCount, int columnCount, const rpWindowPass* passes,
				   int passCount, float* scratch);

	/// The closed form of the distance, with the best alignment and without.
	void (*align)(const rpGridForm* form);
	void (*place)(const rpGridForm* form);

	/// Squared distances by angles.
	void (*compareAngles)(const rpAngleForm* form);

	/// Square roots, in place, up to RP_GRID_PADDING floats past the end.
	void (*root)(float* values, int count);

	/// Which cells of a row may be minima: their indices, in order, into out, which is [count]; returns how many.
	int (*findLow)(const rpGridCells* cells, int* out);
} rpGridKernel;

extern const rpGridKernel rpGridKernel_portable;

/// NULL where the compiler cannot make it.
extern const rpGridKernel* const rpGridKernel_avx2;
extern const rpGridKernel* const rpGridKernel_avx512;

/// The best kernel of the machine, or what REPRISE_KERNEL says: portable, avx2.
const rpGridKernel* rpChooseGridKernel(void);
