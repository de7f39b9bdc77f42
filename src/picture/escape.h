/// Names from files, made safe to show.
#pragma once

#include "base/memory.h"

/// Copy text as valid UTF-8 without control characters, each bad byte replaced by U+FFFD; cut at a character's end when
/// it does not fit. capacity is at least 1.
void rpCleanText(const char* text, char* out, size_t capacity);

/// Append text as a JSON string, quotes included, that is safe inside an HTML script element too.
void rpAppendJsonString(rpText* out, const char* text);

/// Append text for use in HTML, as content or in a quoted attribute.
void rpAppendHtml(rpText* out, const char* text);

/// A number in plain decimals, the same in every locale; what is not finite is 0, what is beyond ±9e9 is cut. At most 9
/// decimals; trim takes off zeros at the end. Returns out.
const char* rpFormatNumber(char out[32], double value, int decimals, bool trim);
