/// The writers, one per format: motions to bytes. def is never NULL; error may be NULL.
#pragma once

#include "base/memory.h"
#include "reprise/file.h"

RP_NODISCARD bool rpWriteBvh(const rpMotion* motion, const rpSaveDef* def, rpText* out, rpError* error);
RP_NODISCARD bool rpWriteCsv(const rpMotion* motion, const rpSaveDef* def, rpText* out, rpError* error);

/// All motions of one skeleton, an animation each.
RP_NODISCARD bool rpWriteGlb(const rpMotion* const* motions, int count, const rpSaveDef* def, rpText* out,
							 rpError* error);
