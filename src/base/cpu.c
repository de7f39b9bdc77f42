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
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

bool rpHasAvx512(void)
{
	const char* kernel = getenv("REPRISE_KERNEL");
	if (!rpHasAvx2() || (kernel != NULL && strcmp(kernel, "avx2") == 0))
	{
		return false;
	}
#if defined(__x86_64__) && defined(__GNUC__)
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		   __builtin_cpu_supports("avx512vl");
#else
	return false;
#endif
}
