/// Decimal numbers from text, fast, exact, and the same in every locale.
#pragma once

#include "reprise/play/base.h"

/// Space, tab or the end of a line.
static inline bool rpIsBlank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool rpIsLineEnd(char c)
{
	return c == '\n' || c == '\r';
}

static inline bool rpIsDigit(char c)
{
	return c >= '0' && c <= '9';
}

/// The first byte from text on that is not blank, or end.
static inline const char* rpSkipBlanks(const char* text, const char* end)
{
	while (text < end && rpIsBlank(*text))
	{
		++text;
	}
	return text;
}

/// Read the number that starts at text: sign, digits, decimal ('.' or ','), digits, exponent. The result is
/// (float)strtod(text) in the "C" locale, bit for bit; what does not fit is ±infinity. Blanks are not skipped, and
/// "nan", "inf" and hexadecimal numbers are none. No byte at or beyond end is read. Returns the first byte after the
/// number, or NULL where there is no number.
RP_NODISCARD const char* rpParseFloat(const char* text, const char* end, char decimal, float* out);

/// The same for a double: strtod(text) itself.
RP_NODISCARD const char* rpParseDouble(const char* text, const char* end, char decimal, double* out);

/// The same for a long double, and how many digits it is written with, leading zeros not counted (digits may be NULL).
RP_NODISCARD const char* rpParseLongDouble(const char* text, const char* end, char decimal, long double* out,
										   int* digits);

/// Read up to count numbers, each after any blanks and line ends; a sign begins a new number ("0.0-7.5"). Stops at the
/// first thing that is no number, or at a number that is followed by something other than a blank, a sign or the end.
/// *read is how many were read. Returns the first byte after the last one.
const char* rpParseFloats(const char* text, const char* end, char decimal, float* out, int count, int* read);
