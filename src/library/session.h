/// Takes of one body in a library, deciding together.
#pragma once

#include "library/clip_record.h"

/// Decide anew about the takes of a family of skeletons, as one transaction. Clips above lastOld are new, and not named
/// where they change. def's sessionDone is called.
RP_NODISCARD bool rpDecideFamily(rpLibrary* library, int64_t family, rpClipId lastOld, const rpAddDef* def,
								 rpError* error);
