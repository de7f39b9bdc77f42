/// Any bytes as BVH: never a crash, and what can be read can be written and read again as the same.
#include "base/memory.h"
#include "file/reader.h"
#include "file/writer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
	if (!condition)
	{
		abort();
	}
}

static void checkRotations(const rpMotion* motion)
{
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	for (size_t i = 0; i < count; ++i)
	{
		require(fabsf(rpDotQuat(motion->rotations[i], motion->rotations[i]) - 1.0f) < 1e-5f);
	}
}

static void checkAgain(const rpMotion* motion)
{
	rpSaveDef saveDef = rpDefaultSaveDef();
	saveDef.format = rp_formatBvh;
	rpReadDef readDef = rpDefaultReadDef();
	rpText text = {0};
	rpReading reading;
	rpFindings findings = {0};
	rpError error = {0};
	require(rpWriteMotions((const rpMotion* const*)&motion, 1, &saveDef, &text, &error));
	require(rpReadBvh(text.data, text.size, &readDef, &reading, &findings, &error));
	require(reading.motion->frameCount == motion->frameCount && reading.motion->fps == motion->fps);
	require(reading.motion->skeleton->jointCount == motion->skeleton->jointCount);
	require(reading.motion->skeleton->endCount == motion->skeleton->endCount);
	require(rpFindings_Find(&findings, "frame_count") == NULL && rpFindings_Find(&findings, "ragged_rows") == NULL);
	rpText_Free(&text);
	rpFindings_Free(&findings);
	rpDestroyMotion(reading.motion);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	for (int i = 0; i < 2; ++i)
	{
		rpReadDef def = rpDefaultReadDef();
		rpReading reading;
		rpFindings findings = {0};
		rpError error = {0};
		def.addOffsets = i == 1;
		def.fps = i == 1 ? 60.0 : 0.0;
		if (rpReadBvh((const char*)data, size, &def, &reading, &findings, &error))
		{
			checkRotations(reading.motion);
			if (i == 0)
			{
				checkAgain(reading.motion);
			}
			rpDestroyMotion(reading.motion);
		}
		else
		{
			require(error.code != rp_errorNone && error.message[0] != 0 && error.line > 0 && error.column > 0);
		}
		rpFindings_Free(&findings);
	}
	return 0;
}
