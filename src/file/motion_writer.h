/// A motion file and its sidecar in the making.
#pragma once

#include "file/sidecar.h"
#include "file/writer.h"

struct rpMotionWriter
{
	char* path;
	rpOutput output;
	rpFrameWriter* frames;
	bool hasSidecar;
	char sidecarPath[PATH_MAX];
};

/// Begin a file, before its motions begin. NULL: nothing can be written there, or memory ran out.
RP_NODISCARD rpMotionWriter* rpCreateMotionWriter(const char* path, const rpSaveDef* def, rpError* error);

/// All motions were written: put the file and its sidecar in their places.
RP_NODISCARD bool rpMotionWriter_Commit(rpMotionWriter* writer, const rpMotion* const* motions, int count,
										rpError* error);
