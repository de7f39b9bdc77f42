/// Time alignment of two clips of 10 s at 60 Hz, the grid of their distances ready.
#include "bench.h"

#include "align/time_path.h"
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
	repetitions = 25,
};

static rpMotion* makeWalk(float speed, float turn, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.fps = 60.0;
	def.seconds = 10.0;
	def.seed = seed;
	def.parameters[rp_paramSpeed] = speed;
	def.parameters[rp_paramTurn] = turn;
	return rpPerform(&def, NULL);
}

// Distances of all frames of two walks of different speed; free() them.
static float* makeGrid(const rpMotion* a, const rpMotion* b, rpGridView* view)
{
	rpMetricDef def = rpDefaultMetricDef();
	def.fps = 60.0;
	rpMetric* metric = rpCreateMetric(a->skeleton, &def, NULL);
	rpProfile* p = metric != NULL ? rpCreateProfile(metric, a, NULL) : NULL;
	rpProfile* q = p != NULL ? rpCreateProfile(metric, b, NULL) : NULL;
	float* values = NULL;
	if (q != NULL)
	{
		*view = (rpGridView){NULL, rpProfile_GetFrameCount(p), rpProfile_GetFrameCount(q)};
		values = malloc(sizeof(float) * (size_t)view->rows * (size_t)view->columns);
		if (values != NULL && !rpMetric_FillGrid(metric, p, q, values, NULL))
		{
			free(values);
			values = NULL;
		}
		view->values = values;
	}
	rpDestroyProfile(q);
	rpDestroyProfile(p);
	rpDestroyMetric(metric);
	return values;
}

static double measure(bool (*find)(rpGridView, int, rpTimePath*, rpError*), rpGridView grid, double* cost)
{
	double start = benchCpuTime();
	rpTimePath path;
	*cost = find(grid, 3, &path, NULL) ? path.cost : -1.0;
	rpTimePath_Free(&path);
	return 1e3 * (benchCpuTime() - start);
}

static bool measureAll(rpGridView grid, BenchReport* report)
{
	double banded[repetitions], whole[repetitions], freeEnds[repetitions];
	double bandedCost, wholeCost, freeCost;
	for (int n = 0; n < repetitions; ++n)
	{
		banded[n] = measure(rpFindTimePath, grid, &bandedCost);
		whole[n] = measure(rpFindTimePathWhole, grid, &wholeCost);
		freeEnds[n] = measure(rpFindTimePathFree, grid, &freeCost);
	}
	if (bandedCost < 0.0 || wholeCost < 0.0 || freeCost < 0.0 || bandedCost > wholeCost * (1.0 + 1e-9))
	{
		fprintf(stderr, "reprise-bench: the band costs %g, the whole grid %g\n", bandedCost, wholeCost);
		return false;
	}
	benchPut(report, "align_ms", benchMedian(banded, repetitions), "time alignment of two clips of 600 frames, ms");
	benchPut(report, "align_whole_grid_ms", benchMedian(whole, repetitions), "the same without a band, ms");
	benchPut(report, "align_free_ends_ms", benchMedian(freeEnds, repetitions), "the same with free ends, ms");
	return true;
}

bool benchEngineAlign(BenchReport* report)
{
	rpMotion* a = makeWalk(1.1f, 0.0f, 1);
	rpMotion* b = makeWalk(1.6f, 0.3f, 2);
	rpGridView grid = {0};
	float* values = a != NULL && b != NULL ? makeGrid(a, b, &grid) : NULL;
	bool done = values != NULL && measureAll(grid, report);
	if (values == NULL)
	{
		fprintf(stderr, "reprise-bench: no memory for the grid\n");
	}
	free(values);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	return done;
}
