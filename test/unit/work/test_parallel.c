/// Parallel loops: every index once, whatever the count.
#include "support.h"

#include "work/parallel.h"

#include <stdatomic.h>
#include <string.h>

#define MAX 1000

static void count(int index, void* context)
{
	atomic_int* calls = context;
	atomic_fetch_add(calls + index, 1);
}

static void testEveryIndexOnce(void** state)
{
	(void)state;
	static const int counts[] = {0, 1, 2, 7, MAX};
	for (int n = 0; n < 5; ++n)
	{
		static atomic_int calls[MAX];
		memset(calls, 0, sizeof(calls));
		rpParallelFor(counts[n], count, calls);
		for (int i = 0; i < MAX; ++i)
		{
			assert_int_equal(atomic_load(calls + i), i < counts[n] ? 1 : 0);
		}
	}
}

static void square(int index, void* context)
{
	((int*)context)[index] = index * index;
}

// What the bodies wrote is seen by the caller.
static void testResultsAreThere(void** state)
{
	(void)state;
	int squares[MAX] = {0};
	rpParallelFor(MAX, square, squares);
	for (int i = 0; i < MAX; ++i)
	{
		assert_int_equal(squares[i], i * i);
	}
}

static void nest(int index, void* context)
{
	int* rows = context;
	rpParallelFor(10, square, rows + 10 * index);
}

static void testLoopInALoop(void** state)
{
	(void)state;
	int rows[100] = {0};
	rpParallelFor(10, nest, rows);
	for (int i = 0; i < 100; ++i)
	{
		assert_int_equal(rows[i], i % 10 * (i % 10));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryIndexOnce),
		cmocka_unit_test(testResultsAreThere),
		cmocka_unit_test(testLoopInALoop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
