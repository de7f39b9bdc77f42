/// Words, numbers and places of a BVH file's text.
#include "file/bvh_text.h"

#include "base/error.h"
#include "file/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Lines end with CR, LF or CR LF; columns count characters of UTF-8.
static void locate(const BvhText* text, const char* place, int* line, int* column)
{
	*line = 1;
	*column = 1;
	for (const char* p = text->start; p < place; ++p)
	{
		bool halfOfPair = *p == '\r' && p + 1 < text->end && p[1] == '\n';
		if (rpIsLineEnd(*p) && !halfOfPair)
		{
			++*line;
			*column = 1;
		}
		else if (((unsigned char)*p & 0xc0) != 0x80)
		{
			++*column;
		}
	}
}

bool bvhFail(const BvhText* text, rpErrorCode code, const char* place, const char* format, ...)
{
	char message[480];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	int line, column;
	locate(text, place, &line, &column);
	return rpFailAt(text->error, code, line, column, "%s", message);
}

const char* bvhQuote(const BvhText* text, const char* place, char out[48])
{
	place = rpSkipBlanks(place, text->end);
	if (place == text->end)
	{
		return "the end of the file";
	}
	int size = 0;
	out[size++] = '"';
	for (; place < text->end && !rpIsBlank(*place) && size < 40; ++place)
	{
		unsigned char c = (unsigned char)*place;
		out[size++] = c < ' ' || c == 127 ? '?' : *place;
	}
	bool cut = place < text->end && !rpIsBlank(*place);
	snprintf(out + size, (size_t)(48 - size), cut ? "...\"" : "\"");
	return out;
}

int bvhReadWord(BvhText* text, const char** word)
{
	const char* p = rpSkipBlanks(text->at, text->end);
	*word = p;
	while (p < text->end && !rpIsBlank(*p) && *p != '{' && *p != '}' && *p != ':')
	{
		++p;
	}
	p += p < text->end && (*p == ':' || (p == *word && !rpIsBlank(*p)));
	text->at = p;
	ptrdiff_t size = p - *word;
	return size > 1000 ? 1000 : (int)size;
}

bool bvhIsWord(const char* word, int size, const char* keyword)
{
	if (size != (int)strlen(keyword))
	{
		return false;
	}
	for (int i = 0; i < size; ++i)
	{
		char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
		if (c != keyword[i])
		{
			return false;
		}
	}
	return true;
}

bool bvhAcceptComma(BvhText* text)
{
	const char* p = rpSkipBlanks(text->at, text->end);
	p += p < text->end && (*p == '-' || *p == '+');
	while (p < text->end && rpIsDigit(*p))
	{
		++p;
	}
	if (text->decimal == ',' || text->sawPoint || text->end - p < 2 || *p != ',' || !rpIsDigit(p[1]))
	{
		return false;
	}
	text->decimal = ',';
	return true;
}

// Finds the place of the number that is too large.
static bool failLarge(const BvhText* text, const char* start, int index, const char* what)
{
	float skipped;
	int read;
	for (int i = 0; i < index; ++i)
	{
		start = rpParseFloats(start, text->end, text->decimal, &skipped, 1, &read);
	}
	start = rpSkipBlanks(start, text->end);
	char quoted[48];
	return bvhFail(text, rp_errorFormat, start, "%s in %s is too large, expected a number within ±1e12",
				   bvhQuote(text, start, quoted), what);
}

bool bvhReadNumbers(BvhText* text, float* out, int count, const char* what)
{
	int read;
	const char* start = text->at;
	text->at = rpParseFloats(start, text->end, text->decimal, out, count, &read);
	text->sawPoint = text->sawPoint || (text->decimal == '.' && memchr(start, '.', (size_t)(text->at - start)) != NULL);
	if (read < count && bvhAcceptComma(text))
	{
		int more;
		text->at = rpParseFloats(text->at, text->end, ',', out + read, count - read, &more);
		read += more;
	}
	if (read < count)
	{
		char quoted[48];
		const char* place = rpSkipBlanks(text->at, text->end);
		return bvhFail(text, rp_errorFormat, place, "found %s, expected number %d of %d of %s",
					   bvhQuote(text, place, quoted), read + 1, count, what);
	}
	for (int i = 0; i < count; ++i)
	{
		if (!(fabsf(out[i]) <= BVH_LARGEST))
		{
			return failLarge(text, start, i, what);
		}
	}
	return true;
}

bool bvhReadSetting(BvhText* text, long double* out, int* digits, const char* what)
{
	*out = 0.0L;
	*digits = 0;
	const char* p = text->at;
	while (p < text->end && rpIsBlank(*p) && !rpIsLineEnd(*p))
	{
		++p;
	}
	text->at = p;
	if (p == text->end || rpIsLineEnd(*p))
	{
		return true;
	}
	const char* next = rpParseLongDouble(p, text->end, '.', out, digits);
	if (next != NULL && next < text->end && *next == ',')
	{
		next = rpParseLongDouble(p, text->end, ',', out, digits);
	}
	if (next == NULL || (next < text->end && !rpIsBlank(*next)))
	{
		char quoted[48];
		*digits = 0;
		return bvhFail(text, rp_errorFormat, p, "found %s, expected %s, a number", bvhQuote(text, p, quoted), what);
	}
	*digits = *digits == 0 ? 1 : *digits;
	text->at = next;
	return true;
}
