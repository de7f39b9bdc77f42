/// Bundles: opened as they are, then once more with size and checksum made to fit, so that what comes after them is
/// reached too; and played, where a player is made of them.
#include "bundle_mutator.h"
#include "playing.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	unsigned char* bytes = malloc(size + 1);
	if (bytes == NULL)
	{
		return 0;
	}
	memcpy(bytes, data, size);
	playBundle(bytes, size, false);
	fitBundle(bytes, size);
	playBundle(bytes, size, false);
	playBundle(bytes, size, true);
	free(bytes);
	return 0;
}

#ifdef RP_FUZZING
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
	return mutateBundle(data, size, maxSize, seed, 0);
}
#endif
