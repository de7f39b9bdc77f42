/// Local minima of a grid.
#include "base/memory.h"
#include "compare/metric.h"

void rpMinima_Free(rpMinima* minima)
{
	rpFree(minima->items);
	*minima = (rpMinima){0};
}

// Whether a cell is not above its neighbours; of equal ones the first counts.
static bool isLowest(const float* grid, int rows, int columns, int i, int j)
{
	float value = grid[(size_t)i * (size_t)columns + (size_t)j];
	for (int k = i > 0 ? i - 1 : 0; k <= i + 1 && k < rows; ++k)
	{
		for (int l = j > 0 ? j - 1 : 0; l <= j + 1 && l < columns; ++l)
		{
			float other = grid[(size_t)k * (size_t)columns + (size_t)l];
			bool earlier = k < i || (k == i && l < j);
			if (other < value || (earlier && other == value))
			{
				return false;
			}
		}
	}
	return true;
}

static bool addMinimum(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j, float distance,
					   rpMinima* out, rpError* error)
{
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpMinimum), error))
	{
		return false;
	}
	rpMinimum* minimum = out->items + out->count++;
	*minimum = (rpMinimum){.i = i, .j = j, .distance = distance};
	rpMetric_Distance(metric, a, i, b, j, &minimum->alignment);
	return true;
}

bool rpMetric_FindMinima(const rpMetric* metric, const rpProfile* a, const rpProfile* b, float threshold,
						 const rpGridDef* def, rpMinima* out, rpError* error)
{
	int rows = a->frameCount, columns = b->frameCount, reach = metric->reach;
	float* grid = rpAllocate((size_t)rows * (size_t)columns, sizeof(float), error);
	bool going = grid != NULL && rpMetric_FillGrid(metric, a, b, grid, error);
	going = going && (def == NULL || def->visit == NULL || rpMetric_VisitGrid(metric, a, b, def, error));
	for (int i = reach; going && i < rows - reach; ++i)
	{
		for (int j = a == b ? i + 2 * reach + 1 : reach; going && j < columns - reach; ++j)
		{
			float value = grid[(size_t)i * (size_t)columns + (size_t)j];
			if (value < threshold && isLowest(grid, rows, columns, i, j))
			{
				going = addMinimum(metric, a, i, b, j, value, out, error);
			}
		}
	}
	rpFree(grid);
	return going;
}
