/// Words of an Acclaim text (.asf, .amc): blanks, brackets and commas part them, '#' begins a comment.
#pragma once

#include "reprise/play/base.h"

/// A place in a text that moves forward.
typedef struct rpScanner
{
	const char* cursor;
	const char* end;
	const char* lineStart;
	int line;
} rpScanner;

/// A piece of the text; not zero-terminated.
typedef struct rpWord
{
	const char* start;
	int length;
	int line, column;
} rpWord;

rpScanner rpStartScanner(const char* text, size_t size);

/// The next word; false at the end of the text.
bool rpScanner_Next(rpScanner* scanner, rpWord* out);

/// The next word of this line; false at the line's end, which is then not passed.
bool rpScanner_NextOnLine(rpScanner* scanner, rpWord* out);

void rpScanner_SkipLine(rpScanner* scanner);

/// Whatever the case of the letters.
bool rpWord_Is(rpWord word, const char* text);

/// False where the word is no finite number.
bool rpWord_GetNumber(rpWord word, double* out);

/// Fail at a word: "…, expected WHAT, found "word"".
bool rpFailWord(rpError* error, rpWord word, const char* expected);
