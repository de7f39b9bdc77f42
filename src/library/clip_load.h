/// Loading a clip inside a transaction.
#pragma once

#include "library/clip_frames.h"

/// rpLibrary_LoadClip without a transaction of its own.
RP_NODISCARD rpMotion* rpLoadInside(const rpLibrary* library, rpClipId clip, rpError* error);
