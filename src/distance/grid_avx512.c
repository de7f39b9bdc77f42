/// The grid's inner loops for AVX512. cmake/flags.cmake has this file's flags.
#include "distance/grid_kernel.h"

#if defined(__AVX512F__)

#include <immintrin.h>

#define LANES 16
#define ROWS 8
#define VECTORS 3

#define squareRoot(x) _mm512_sqrt_ps(x)
#define larger(x, y) _mm512_max_ps(x, y)
#define smaller(x, y) _mm512_min_ps(x, y)
#define findBelow(x, y) (unsigned)_mm512_cmp_ps_mask(x, y, _CMP_LT_OQ)

#include "distance/angle_rows.h"
#include "distance/grid_vector.h"

static const rpGridKernel s_kernel = {
	.name = "avx512",
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

const rpGridKernel* const rpGridKernel_avx512 = &s_kernel;

#else

const rpGridKernel* const rpGridKernel_avx512 = NULL;

#endif
