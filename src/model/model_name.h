/// Names of clips in a model.
#pragma once

#include "base/utf8.h"

#include <string.h>

/// The longest, bytes: that of a clip in a library (RP_LIBRARY_MAX_NAME), and what tells a mirror image.
#define RP_MAX_MODEL_NAME 4001

/// Whether it can be a clip's: UTF-8 and not empty; that of a mirror image is its original's with "~" behind.
static inline bool rpIsModelName(const char* name, bool isMirrored)
{
	size_t size = strlen(name);
	bool isLongEnough = isMirrored ? size > 1 && name[size - 1] == '~' : size > 0;
	return isLongEnough && size <= RP_MAX_MODEL_NAME && rpIsUtf8(name, size);
}
