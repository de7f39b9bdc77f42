#include "work/parallel.h"

void rpParallelFor(int count, rpLoopFn* body, void* context)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < count; ++i)
	{
		body(i, context);
	}
}
