/// Writing JSON and numbers into a text. Numbers come out the same in every locale, in the fewest digits that read back
/// exactly, which jansson's writer does not offer (0.1 would be 0.10000000000000001).
#pragma once

#include "base/memory.h"

/// A JSON string with its quotes. What is not UTF-8 becomes U+FFFD. NULL is "".
void rpText_AppendJsonString(rpText* text, const char* string);

/// A number that reads back to the same double. What is not finite becomes 0, for JSON has no word for it.
void rpText_AppendNumber(rpText* text, double value);

/// A number that, read as a double and rounded, gives the same float.
void rpText_AppendFloat(rpText* text, float value);

/// An angle in radians, as degrees that read back to the same radians.
void rpText_AppendDegrees(rpText* text, float radians);

/// Six decimals, trailing zeros left out.
void rpText_AppendFixed(rpText* text, double value);
