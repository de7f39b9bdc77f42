/// How fast the engine is: each part puts its own figures, all in one run.
#include "bench.h"

bool benchEngine(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	return benchEngineBlend(report);
}
