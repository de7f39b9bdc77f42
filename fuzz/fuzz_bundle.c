/// Bundles: opened as they are, then once more with size and checksum made to fit, so that what comes after them is
/// reached too; and played, where a player is made of them.
#include "reprise/reprise.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
	headerSize = 32,
	sizeOffset = 16,
	checksumOffset = 24,
};

static void play(const void* bytes, size_t size, bool lockFeet)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = lockFeet;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, &def, &error) : NULL;
	if (player != NULL)
	{
		static rpQuat rotations[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		rpPlayerReport report;
		for (int i = 0; i < 40; ++i)
		{
			rpPlayerInput input = {.stick = {(float)(i % 3 - 1), (float)(i % 5 - 2)},
								   .request = (rpGait)(i / 8 % 3),
								   .locomotion.speed = (float)(i % 7)};
			rpPlayer_Step(player, 0.03, &input, &pose, &report);
			(void)rpPlayer_GetClipName(player, report.sources[0].clip);
		}
		rpPlayer_Peek(player, 0.7, &pose, &report);
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	unsigned char* bytes = malloc(size + 1);
	if (bytes == NULL)
	{
		return 0;
	}
	memcpy(bytes, data, size);
	play(bytes, size, false);
	if (size >= headerSize)
	{
		uint64_t claimed = size, checksum = XXH3_64bits(bytes + headerSize, size - headerSize);
		memcpy(bytes + sizeOffset, &claimed, sizeof(claimed));
		memcpy(bytes + checksumOffset, &checksum, sizeof(checksum));
		play(bytes, size, false);
		play(bytes, size, true);
	}
	free(bytes);
	return 0;
}
