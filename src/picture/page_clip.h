/// A motion in a page, as frames that its viewer shows.
#pragma once

#include "base/memory.h"
#include "reprise/play/motion.h"

/// Append it as a JSON object.
RP_NODISCARD bool rpAppendPageClip(const rpMotion* motion, rpText* out, rpError* error);
