/// The distance grid's speed.
#include "bench.h"

bool benchEngineGrid(BenchReport* report)
{
	(void)report;
	return true;
}
