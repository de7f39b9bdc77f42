/// Names come from strangers' files: nothing in them may reach a page or a picture as anything but text.
#include "picture/escape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char s_unknown[] = "\xEF\xBF\xBD";

// Length of the well-formed UTF-8 character at text (RFC 3629: no overlong forms, no surrogates), 0 if it is none.
static int measureCharacter(const unsigned char* text, uint32_t* code)
{
	int size = text[0] < 0x80   ? 1
			   : text[0] < 0xC2 ? 0
			   : text[0] < 0xE0 ? 2
			   : text[0] < 0xF0 ? 3
			   : text[0] < 0xF5 ? 4
								: 0;
	uint32_t value = size == 1 ? text[0] : text[0] & (0x7Fu >> size);
	for (int i = 1; i < size; ++i)
	{
		if ((text[i] & 0xC0) != 0x80)
		{
			return 0;
		}
		value = value << 6 | (text[i] & 0x3Fu);
	}
	bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
	*code = value;
	return overlong || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF ? 0 : size;
}

// One character to show, and how many bytes of the input it stands for.
static const char* nextCharacter(const char* text, int* read, int* size, uint32_t* code)
{
	int length = measureCharacter((const unsigned char*)text, code);
	bool control = *code < 0x20 || (*code >= 0x7F && *code < 0xA0);
	*read = length > 0 ? length : 1;
	if (length == 0 || control)
	{
		*size = 3;
		*code = 0xFFFD;
		return s_unknown;
	}
	*size = length;
	return text;
}

void rpCleanText(const char* text, char* out, size_t capacity)
{
	size_t used = 0;
	int read, size;
	uint32_t code;
	for (; *text != 0; text += read)
	{
		const char* character = nextCharacter(text, &read, &size, &code);
		if (used + (size_t)size >= capacity)
		{
			break;
		}
		memcpy(out + used, character, (size_t)size);
		used += (size_t)size;
	}
	out[used] = 0;
}

void rpAppendJsonString(rpText* out, const char* text)
{
	int read, size;
	uint32_t code;
	rpText_AppendString(out, "\"");
	for (; *text != 0; text += read)
	{
		const char* character = nextCharacter(text, &read, &size, &code);
		// No tag, comment or entity can begin in a script, and no line can end in an old one.
		bool special = code == '"' || code == '\\' || code == '<' || code == '>' || code == '&' || code == '\'' ||
					   code == 0x2028 || code == 0x2029;
		if (special)
		{
			rpText_Print(out, "\\u%04x", (unsigned)code);
		}
		else
		{
			rpText_Append(out, character, (size_t)size);
		}
	}
	rpText_AppendString(out, "\"");
}

void rpAppendHtml(rpText* out, const char* text)
{
	int read, size;
	uint32_t code;
	for (; *text != 0; text += read)
	{
		const char* character = nextCharacter(text, &read, &size, &code);
		if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\'')
		{
			rpText_Print(out, "&#%u;", (unsigned)code);
		}
		else
		{
			rpText_Append(out, character, (size_t)size);
		}
	}
}

const char* rpFormatNumber(char out[32], double value, int decimals, bool trim)
{
	long long scale = 1;
	for (int i = 0; i < decimals; ++i)
	{
		scale *= 10;
	}
	value = isfinite(value) ? fmin(fmax(value, -9e9), 9e9) : 0.0;
	long long rounded = llround(value * (double)scale), size = rounded < 0 ? -rounded : rounded;
	int length = snprintf(out, 32, "%s%lld.%0*lld", rounded < 0 ? "-" : "", size / scale, decimals, size % scale);
	while (trim && out[length - 1] == '0')
	{
		out[--length] = 0;
	}
	if (out[length - 1] == '.' || decimals == 0)
	{
		*strchr(out, '.') = 0;
	}
	return out;
}
