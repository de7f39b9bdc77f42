/// Names come from strangers' files: nothing in them may reach a page or a picture as anything but text.
#include "picture/escape.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char s_unknown[] = "\xEF\xBF\xBD";

// One character to show, and how many bytes of the input it stands for.
static const char* nextCharacter(const char* text, int* read, int* size, uint32_t* code)
{
	int length = (int)rpMeasureUtf8(text, strnlen(text, 4), code);
	bool control = length > 0 && (*code < 0x20 || (*code >= 0x7F && *code < 0xA0));
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
