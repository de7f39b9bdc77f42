#include "file/acclaim_text.h"

#include "base/error.h"
#include "file/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

rpScanner rpStartScanner(const char* text, size_t size)
{
	rpScanner scanner = {text, text + size, text, 1};
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
	{
		scanner.cursor += 3;
	}
	return scanner;
}

static bool isSeparator(char c)
{
	return rpIsBlank(c) || c == '(' || c == ')' || c == ',' || c == 0;
}

static void skipToLineEnd(rpScanner* scanner)
{
	while (scanner->cursor < scanner->end && !rpIsLineEnd(*scanner->cursor))
	{
		++scanner->cursor;
	}
}

// CR, LF or CR LF.
static void passLineEnd(rpScanner* scanner)
{
	char c = *scanner->cursor++;
	if (c == '\r' && scanner->cursor < scanner->end && *scanner->cursor == '\n')
	{
		++scanner->cursor;
	}
	scanner->lineStart = scanner->cursor;
	++scanner->line;
}

bool rpScanner_NextOnLine(rpScanner* scanner, rpWord* out)
{
	while (scanner->cursor < scanner->end && !rpIsLineEnd(*scanner->cursor) && isSeparator(*scanner->cursor))
	{
		++scanner->cursor;
	}
	const char* start = scanner->cursor;
	*out = (rpWord){start, 0, scanner->line, (int)(start - scanner->lineStart) + 1};
	if (start < scanner->end && *start == '#')
	{
		skipToLineEnd(scanner);
		return false;
	}
	while (scanner->cursor < scanner->end && !isSeparator(*scanner->cursor))
	{
		++scanner->cursor;
	}
	out->length = scanner->cursor - start < INT32_MAX ? (int)(scanner->cursor - start) : INT32_MAX;
	return out->length > 0;
}

bool rpScanner_Next(rpScanner* scanner, rpWord* out)
{
	while (!rpScanner_NextOnLine(scanner, out))
	{
		if (scanner->cursor == scanner->end)
		{
			return false;
		}
		passLineEnd(scanner);
	}
	return true;
}

void rpScanner_SkipLine(rpScanner* scanner)
{
	skipToLineEnd(scanner);
	if (scanner->cursor < scanner->end)
	{
		passLineEnd(scanner);
	}
}

bool rpWord_Is(rpWord word, const char* text)
{
	return strlen(text) == (size_t)word.length && strncasecmp(word.start, text, (size_t)word.length) == 0;
}

bool rpWord_GetNumber(rpWord word, double* out)
{
	const char* end = word.start + word.length;
	const char* start = word.length > 1 && word.start[0] == '+' ? word.start + 1 : word.start;
	return rpParseDouble(start, end, '.', out) == end && isfinite(*out);
}

bool rpFailWord(rpError* error, rpWord word, const char* expected)
{
	if (word.length == 0)
	{
		return rpFailAt(error, rp_errorFormat, word.line, word.column, "expected %s", expected);
	}
	int shown = word.length < 40 ? word.length : 40;
	return rpFailAt(error, rp_errorFormat, word.line, word.column, "expected %s, found \"%.*s\"", expected, shown,
					word.start);
}
