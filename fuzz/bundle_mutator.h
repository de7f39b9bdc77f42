/// Mutations of bundles that stay bundles: numbers inside of chunks become others, small and absurd ones, and size and
/// checksum are made to fit. Blind changes seldom get past the checksum.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
	bundleHeader = 32,
	bundleEntry = 24,
	bundleSizeOffset = 16,
	bundleChecksumOffset = 24,
};

/// Write the size and the checksum that fit.
static void fitBundle(uint8_t* data, size_t size)
{
	if (size >= bundleHeader)
	{
		uint64_t claimed = size, checksum = XXH3_64bits(data + bundleHeader, size - bundleHeader);
		memcpy(data + bundleSizeOffset, &claimed, sizeof(claimed));
		memcpy(data + bundleChecksumOffset, &checksum, sizeof(checksum));
	}
}

#ifdef RP_FUZZING
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

static uint32_t nextRandom(uint32_t* state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/// A chunk of the table that lies inside of the bundle.
typedef struct MutatedChunk
{
	uint64_t offset, size;
	uint32_t recordSize;
} MutatedChunk;

static int findChunk(const uint8_t* data, size_t size, uint32_t* state, MutatedChunk* out)
{
	uint32_t count = 0;
	if (size >= bundleHeader)
	{
		memcpy(&count, data + 8, sizeof(count));
	}
	if (count == 0 || count > 64 || bundleHeader + count * bundleEntry > size)
	{
		return 0;
	}
	const uint8_t* entry = data + bundleHeader + (size_t)(nextRandom(state) % count) * bundleEntry;
	uint64_t records;
	memcpy(&out->recordSize, entry + 4, sizeof(out->recordSize));
	memcpy(&out->offset, entry + 8, sizeof(out->offset));
	memcpy(&records, entry + 16, sizeof(records));
	out->size = records * out->recordSize;
	return out->recordSize > 0 && out->size >= 4 && out->offset <= size && out->size <= size - out->offset;
}

// Another number for one: an extreme, a neighbour, or one that stands elsewhere in the chunk.
static void changeNumber(uint8_t* at, const uint8_t* chunk, uint64_t chunkSize, uint32_t* state)
{
	static const float floats[] = {0.0f, -1.0f, 1e24f, -1e24f, 3e38f, 1e-30f, 100.0f, 0.5f};
	static const int32_t integers[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, 1000000, 65536};
	uint32_t choice = nextRandom(state) % 8, which = nextRandom(state) % 8;
	int32_t number;
	memcpy(&number, at, sizeof(number));
	if (choice == 0)
	{
		memcpy(at, &floats[which], 4);
	}
	else if (choice == 1)
	{
		memcpy(at, &integers[which], 4);
	}
	else if (choice == 2)
	{
		float none = which % 2 == 0 ? NAN : INFINITY;
		memcpy(at, &none, 4);
	}
	else if (choice == 3)
	{
		number = (int32_t)((uint32_t)number + (which % 2 == 0 ? 1u : UINT32_MAX));
		memcpy(at, &number, 4);
	}
	else if (choice == 4)
	{
		memmove(at, chunk + nextRandom(state) % (chunkSize - 3), 4);
	}
	else
	{
		float value;
		memcpy(&value, at, sizeof(value));
		value *= which < 2 ? -1.0f : which < 4 ? 1.5f : which < 6 ? 1.001f : 0.9f;
		memcpy(at, &value, 4);
	}
}

/// Mutate the bundle that begins `offset` bytes behind data; now and then anything at all.
static size_t mutateBundle(uint8_t* data, size_t size, size_t maxSize, unsigned seed, size_t offset)
{
	uint32_t state = seed;
	MutatedChunk chunk;
	if (size <= offset || nextRandom(&state) % 8 == 0)
	{
		size = LLVMFuzzerMutate(data, size, maxSize);
	}
	for (uint32_t i = 0, count = 1 + nextRandom(&state) % 2; i < count && size > offset; ++i)
	{
		uint8_t* bundle = data + offset;
		if (findChunk(bundle, size - offset, &state, &chunk))
		{
			uint64_t at = nextRandom(&state) % (chunk.size - 3);
			at = chunk.recordSize % 4 == 0 ? at / 4 * 4 : at;
			changeNumber(bundle + chunk.offset + at, bundle + chunk.offset, chunk.size, &state);
		}
	}
	if (size > offset)
	{
		fitBundle(data + offset, size - offset);
	}
	return size;
}
#endif
