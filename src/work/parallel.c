#include "work/parallel.h"

#include <omp.h>

void rpParallelFor(int count, rpLoopFn* body, void* context)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < count; ++i)
	{
		body(i, context);
	}
}

int rpCountWorkers(int threads)
{
	return threads > 0 ? threads : omp_get_max_threads();
}

void rpParallelWork(int count, int workerCount, rpWorkFn* body, void* context)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(workerCount)
	for (int i = 0; i < count; ++i)
	{
		body(i, omp_get_thread_num(), context);
	}
}
