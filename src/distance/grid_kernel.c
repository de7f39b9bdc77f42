#include "distance/grid_kernel.h"

#include "base/cpu.h"

const rpGridKernel* rpChooseGridKernel(void)
{
	if (rpHasAvx512() && rpGridKernel_avx512 != NULL)
	{
		return rpGridKernel_avx512;
	}
	if (rpHasAvx2() && rpGridKernel_avx2 != NULL)
	{
		return rpGridKernel_avx2;
	}
	return &rpGridKernel_portable;
}
