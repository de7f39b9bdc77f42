/// Grids of distances: the fast route against the direct formula, whatever the kernel, the window, the place and the
/// number of threads.
#include "grid_scene.h"

#include "compare/metric.h"
#include "compare/tiler.h"

#include <stdlib.h>
#include <string.h>

// The promise of the grid: roots within 1e-4 m from 5 mm on, squares within 2e-6 m² below.
static void testAgainstDirect(const GridScene* scene, const float* values, int step)
{
	for (int i = 0; i < scene->rows; i += step)
	{
		for (int j = 0; j < scene->columns; j += step)
		{
			double direct = rpMetric_Distance(scene->metric, scene->a, i, scene->b, j, NULL);
			double value = values[(size_t)i * (size_t)scene->columns + (size_t)j];
			double error = direct >= 5e-3 ? fabs(value - direct) / 1e-4 : fabs(value * value - direct * direct) / 2e-6;
			if (!(error < 1.0))
			{
				print_error("(%d, %d): %g, directly %g\n", i, j, value, direct);
			}
			assert_true(error < 1.0);
		}
	}
}

static void testEveryKernel(void** state)
{
	(void)state;
	static const char* const kernels[] = {"portable", "avx2", "best"};
	for (int window = 0; window < 8; ++window)
	{
		static const double seconds[] = {0.5, 0.0, 0.1, 1.0, 0.47, 0.5, 0.5, 0.8};
		static const rpWindowShape shapes[] = {rp_windowTriangle, rp_windowTriangle, rp_windowTriangle,
											   rp_windowTriangle, rp_windowTriangle, rp_windowBox,
											   rp_windowGauss,    rp_windowGauss};
		rpMetricDef def = rpDefaultMetricDef();
		def.window = seconds[window];
		def.shape = shapes[window];
		for (int placed = 0; placed < 2; ++placed)
		{
			def.placed = placed > 0;
			GridScene scene = testMakeGridScene(&def, 290, 530);
			for (int k = 0; k < 3; ++k)
			{
				setenv("REPRISE_KERNEL", kernels[k], 1);
				float* values = testFillGrid(&scene);
				testAgainstDirect(&scene, values, 7);
				free(values);
			}
			unsetenv("REPRISE_KERNEL");
			testFreeGridScene(&scene);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryKernel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
