/// Text for people. Whatever is shown passes through here, so that no name from a file can move the cursor, colour
/// the screen or turn the direction of writing.
#pragma once

#include "reprise/play/base.h"

#include <stdint.h>
#include <stdio.h>

/// Length in bytes of the UTF-8 character at text, and its number; 0 if the bytes there are none.
int cliDecode(const char* text, uint32_t* code);

/// Whether a character must not reach a terminal: a control, or one that changes the direction of writing.
bool cliIsDangerous(uint32_t code);

/// The text with every dangerous character and every byte that is no UTF-8 written as \n, \x1b or \u202e. free() it.
char* cliEscape(const char* text);

/// The text as valid UTF-8, each wrong byte replaced by U+FFFD; free() it.
char* cliMakeUtf8(const char* text);

/// Columns it takes on a terminal.
int cliGetWidth(const char* text);

/// One line, escaped. A progress bar in its way is cleared first when stream is stderr.
void cliLine(FILE* stream, const char* format, ...) RP_PRINTF(2, 3);

/// The same without the newline at the end.
void cliPut(FILE* stream, const char* format, ...) RP_PRINTF(2, 3);

/// Text of the table of commands in lines of at most 79 columns, fewer on a narrow terminal, each indented; empty lines
/// are kept, and lines that begin with a space are left as they are.
void cliWrap(FILE* stream, int indent, const char* text);

/// Whether to colour what goes to stream: a terminal, and NO_COLOR unset.
bool cliHasColour(FILE* stream);

/// malloc that ends the program with a message when there is no memory.
void* cliAllocate(size_t size);
void* cliReallocate(void* memory, size_t size);
char* cliCopyText(const char* text);
char* cliFormat(const char* format, ...) RP_PRINTF(1, 2);

/// A word as a shell must be given it: in quotes if it holds anything but plain characters; free() it.
char* cliQuote(const char* text);

enum
{
	cli_columnCount = 12,
};

/// A table that is aligned when all of it is known. Zero-initialised is empty.
typedef struct cliTable
{
	/// Columns whose cells stand at the right, as bits.
	unsigned right;
	int columnCount, cellCount, cellCapacity;
	char** cells;
} cliTable;

/// The next cell, row by row.
void cliTable_Add(cliTable* table, const char* format, ...) RP_PRINTF(2, 3);

/// Print it, two spaces between the columns, and empty it.
void cliTable_Print(cliTable* table, FILE* stream, int indent);
