/// How fast the engine is: each part puts its own figures, all in one run.
#include "bench.h"

bool benchEngine(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	static bool (*const parts[])(BenchReport*) = {
		benchEngineGrid, benchEngineAlign, benchEngineBlend, benchEnginePacked, benchEngineFeet,
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
	{
		if (!parts[i](report))
		{
			return false;
		}
	}
	return true;
}
