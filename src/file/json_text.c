#include "file/json_text.h"

#include "base/utf8.h"
#include "reprise/play/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rpText_AppendJsonString(rpText* text, const char* string)
{
	const char* s = string != NULL ? string : "";
	const char* end = s + strlen(s);
	rpText_Append(text, "\"", 1);
	while (s < end)
	{
		size_t size = rpMeasureUtf8(s, (size_t)(end - s), NULL);
		if (size == 0)
		{
			rpText_AppendString(text, "\xef\xbf\xbd");
			size = 1;
		}
		else if (*s == '"' || *s == '\\')
		{
			const char escaped[2] = {'\\', *s};
			rpText_Append(text, escaped, 2);
		}
		else if ((unsigned char)*s < 0x20 || *s == 0x7f)
		{
			rpText_Print(text, "\\u%04x", (unsigned)*s);
		}
		else
		{
			rpText_Append(text, s, size);
		}
		s += size;
	}
	rpText_Append(text, "\"", 1);
}

// The locale's decimal point, one byte or several, becomes '.'.
static void appendPlain(rpText* text, const char* number)
{
	while (*number != 0)
	{
		size_t plain = strspn(number, "0123456789+-eE");
		rpText_Append(text, number, plain);
		number += plain;
		size_t point = strcspn(number, "0123456789+-eE");
		rpText_Append(text, ".", point > 0 ? 1 : 0);
		number += point;
	}
}

// "-0" would be read as an integer and lose its sign.
static bool appendZero(rpText* text, double value)
{
	if (value == 0.0)
	{
		rpText_AppendString(text, signbit(value) ? "-0.0" : "0");
	}
	return value == 0.0;
}

void rpText_AppendNumber(rpText* text, double value)
{
	char number[64];
	value = isfinite(value) ? value : 0.0;
	if (appendZero(text, value))
	{
		return;
	}
	for (int digits = 15; digits <= 17; ++digits)
	{
		// Both directions in the same locale, so that they agree.
		snprintf(number, sizeof(number), "%.*g", digits, value);
		if (strtod(number, NULL) == value)
		{
			break;
		}
	}
	appendPlain(text, number);
}

static void appendScaled(rpText* text, float value, double scale)
{
	char number[64];
	if (appendZero(text, value))
	{
		return;
	}
	for (int digits = 6; digits <= 17; ++digits)
	{
		snprintf(number, sizeof(number), "%.*g", digits, value / scale);
		if ((float)(strtod(number, NULL) * scale) == value)
		{
			break;
		}
	}
	appendPlain(text, number);
}

void rpText_AppendFloat(rpText* text, float value)
{
	appendScaled(text, isfinite(value) ? value : 0.0f, 1.0);
}

void rpText_AppendDegrees(rpText* text, float radians)
{
	appendScaled(text, isfinite(radians) ? radians : 0.0f, RP_DEGREE);
}

void rpText_AppendFixed(rpText* text, double value)
{
	// Beyond this the product below would not be exact anyway.
	if (!(fabs(value) < 1e9))
	{
		rpText_AppendNumber(text, value);
		return;
	}
	long long millionths = llround(value * 1e6);
	unsigned long long size = (unsigned long long)llabs(millionths);
	char number[32];
	char* end = number + sizeof(number);
	char* start = end;
	unsigned long long rest = size % 1000000;
	bool wanted = false;
	for (int i = 0; i < 6; ++i, rest /= 10)
	{
		wanted = wanted || rest % 10 != 0;
		if (wanted)
		{
			*--start = (char)('0' + rest % 10);
		}
	}
	if (wanted)
	{
		*--start = '.';
	}
	for (unsigned long long whole = size / 1000000, first = 1; first || whole > 0; whole /= 10, first = 0)
	{
		*--start = (char)('0' + whole % 10);
	}
	if (millionths < 0)
	{
		*--start = '-';
	}
	rpText_Append(text, start, (size_t)(end - start));
}
