/// The grid's inner loops for AVX2. cmake/flags.cmake has this file's flags.
#include "distance/grid_kernel.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define LANES 8
#define ROWS 4
#define VECTORS 3

#define squareRoot(x) _mm256_sqrt_ps(x)
#define larger(x, y) _mm256_max_ps(x, y)
#define smaller(x, y) _mm256_min_ps(x, y)
#define findBelow(x, y) (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_LT_OQ))

#include "distance/angle_rows.h"
#include "distance/grid_vector.h"

static const rpGridKernel s_kernel = {
	.name = "avx2",
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

const rpGridKernel* const rpGridKernel_avx2 = &s_kernel;

#else

const rpGridKernel* const rpGridKernel_avx2 = NULL;

#endif
