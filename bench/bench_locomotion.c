#include "bench.h"

bool benchLocomotion(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	return benchLocomotionAnalysis(report) && benchLocomotionPlay(report);
}
