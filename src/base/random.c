/// PCG32 (O'Neill 2014): a 64-bit linear congruential state, permuted on output.
#include "base/assert.h"
#include "reprise/play/base.h"

#include <math.h>

rpRandom rpSeedRandom(uint64_t seed)
{
	rpRandom random = {0, 0xda3e39cb94b95bdbULL | 1};
	rpRandom_Next(&random);
	random.state += seed;
	rpRandom_Next(&random);
	return random;
}

uint32_t rpRandom_Next(rpRandom* random)
{
	uint64_t state = random->state;
	random->state = state * 6364136223846793005ULL + random->stream;
	uint32_t shifted = (uint32_t)(((state >> 18) ^ state) >> 27);
	uint32_t turn = (uint32_t)(state >> 59);
	return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

float rpRandom_Range(rpRandom* random, float low, float high)
{
	// 24 bits fill a float's mantissa exactly, so the value never rounds up to 1.
	float unit = (float)(rpRandom_Next(random) >> 8) * 0x1p-24f;
	float value = low + (high - low) * unit;
	return value < high ? value : low;
}

int rpRandom_Index(rpRandom* random, int count)
{
	RP_ASSERT(count > 0);
	return (int)(((uint64_t)rpRandom_Next(random) * (uint64_t)count) >> 32);
}

float rpRandom_Normal(rpRandom* random)
{
	// Box and Muller's transform; 1 - u keeps the logarithm away from zero.
	float u = 1.0f - rpRandom_Range(random, 0.0f, 1.0f);
	float v = rpRandom_Range(random, 0.0f, 1.0f);
	return sqrtf(-2.0f * logf(u)) * cosf(6.28318530718f * v);
}
