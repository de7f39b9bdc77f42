#include "bench.h"
#include "reprise/reprise.h"

#include <malloc.h>
#include <stdlib.h>

/// Bytes in use and the most that were, since counting began.
static struct
{
	size_t used, max;
} s_heap;

static void* countBlock(void* memory)
{
	size_t used = __atomic_add_fetch(&s_heap.used, malloc_usable_size(memory), __ATOMIC_RELAXED);
	size_t max = __atomic_load_n(&s_heap.max, __ATOMIC_RELAXED);
	while (used > max &&
		   !__atomic_compare_exchange_n(&s_heap.max, &max, used, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
	{
	}
	return memory;
}

static void* allocate(size_t size, void* context)
{
	(void)context;
	return countBlock(malloc(size));
}

static void* reallocate(void* memory, size_t size, void* context)
{
	(void)context;
	__atomic_sub_fetch(&s_heap.used, malloc_usable_size(memory), __ATOMIC_RELAXED);
	return countBlock(realloc(memory, size));
}

static void release(void* memory, void* context)
{
	(void)context;
	__atomic_sub_fetch(&s_heap.used, malloc_usable_size(memory), __ATOMIC_RELAXED);
	free(memory);
}

void benchCountHeap(void)
{
	const rpAllocator counting = {.allocate = allocate, .reallocate = reallocate, .release = release};
	s_heap.used = 0;
	s_heap.max = 0;
	rpSetAllocator(&counting);
}

double benchStopCounting(void)
{
	rpSetAllocator(NULL);
	return 1e-6 * (double)s_heap.max;
}
