#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

bool rpHasAvx2(void)
{
	const char* kernel = getenv("REPRISE_KERNEL");
	if (kernel != NULL && strcmp(kernel, "portable") == 0)
	{
		return false;
	}
#if defined(__x86_64__) && defined(__GNUC__)
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
	return false;
#endif
}
