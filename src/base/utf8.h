/// UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). Names come from strangers' files.
#pragma once

#include "reprise/play/base.h"

/// Bytes of the character at text, 0 if there is none or it is not whole within size. code, which may be NULL, becomes
/// its number. A zero byte is a character.
size_t rpMeasureUtf8(const char* text, size_t size, uint32_t* code);

/// Whether bytes are UTF-8 without zeros.
bool rpIsUtf8(const char* bytes, size_t size);

/// Bytes taken as Latin-1, written as UTF-8 with a terminating zero; out holds at least 2 * size + 1. Returns the size
/// without the zero.
size_t rpWriteLatin1(const char* bytes, size_t size, char* out);
