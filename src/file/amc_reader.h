/// Finding the skeleton of an Acclaim motion.
#pragma once

#include "reprise/play/base.h"

/// The .asf that belongs to an .amc file: of the same name, or of the part before its '_', or the only one in the
/// folder. out gets its path. False where there is none, or several to choose from, or the path does not fit.
RP_NODISCARD bool rpFindSkeletonFile(const char* amcPath, char* out, size_t capacity);
