#include "terminal.h"

#include "progress_bar.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void* cliAllocate(size_t size)
{
	return cliReallocate(NULL, size);
}

void* cliReallocate(void* memory, size_t size)
{
	void* result = realloc(memory, size > 0 ? size : 1);
	if (result == NULL)
	{
		fputs("reprise: out of memory\n", stderr);
		exit(1);
	}
	return result;
}

char* cliCopyText(const char* text)
{
	size_t size = strlen(text) + 1;
	return memcpy(cliAllocate(size), text, size);
}

static char* formatList(const char* format, va_list list)
{
	char* text = NULL;
	if (vasprintf(&text, format, list) < 0)
	{
		fputs("reprise: out of memory\n", stderr);
		exit(1);
	}
	return text;
}

char* cliFormat(const char* format, ...)
{
	va_list list;
	va_start(list, format);
	char* text = formatList(format, list);
	va_end(list);
	return text;
}

char* cliQuote(const char* text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:,+=%";
	if (text[0] != 0 && text[strspn(text, plain)] == 0)
		return cliCopyText(text);
	// Each quote inside becomes '\'', three bytes more.
	char* quoted = cliAllocate(4 * strlen(text) + 3);
	char* out = quoted;
	*out++ = '\'';
	for (const char* c = text; *c != 0; ++c)
	{
		if (*c == '\'')
			out = stpcpy(out, "'\\'");
		*out++ = *c;
	}
	stpcpy(out, "'");
	return quoted;
}

int cliDecode(const char* text, uint32_t* code)
{
	const unsigned char* bytes = (const unsigned char*)text;
	unsigned lead = bytes[0];
	if (lead < 0x80)
	{
		*code = lead;
		return 1;
	}
	int length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
	if (length == 0 || lead >= 0xf8)
		return 0;
	uint32_t value = lead & (0x7fu >> length);
	for (int i = 1; i < length; ++i)
	{
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (bytes[i] & 0x3fu);
	}
	// Longer than needed, a surrogate, or beyond the last plane.
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	if (value < smallest[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
		return 0;
	*code = value;
	return length;
}

bool cliIsDangerous(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
		   (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
		   (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe007f);
}

static int escapeCode(char* out, uint32_t code)
{
	if (code == '\n' || code == '\t' || code == '\r')
		return sprintf(out, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	return sprintf(out, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
}

char* cliEscape(const char* text)
{
	// The longest escape, \ue0001, stands for at least one byte.
	char* result = cliAllocate(strlen(text) * 8 + 1);
	char* out = result;
	while (*text != 0)
	{
		uint32_t code = 0;
		int length = cliDecode(text, &code);
		if (length == 0)
			out += sprintf(out, "\\x%02x", (unsigned char)*text);
		else if (cliIsDangerous(code))
			out += escapeCode(out, code);
		else
			out = (char*)memcpy(out, text, (size_t)length) + length;
		text += length > 0 ? length : 1;
	}
	*out = 0;
	return result;
}

char* cliMakeUtf8(const char* text)
{
	char* result = cliAllocate(strlen(text) * 3 + 1);
	char* out = result;
	while (*text != 0)
	{
		uint32_t code = 0;
		int length = cliDecode(text, &code);
		const char* from = length > 0 ? text : "\xef\xbf\xbd";
		size_t size = length > 0 ? (size_t)length : 3;
		memcpy(out, from, size);
		out += size;
		text += length > 0 ? length : 1;
	}
	*out = 0;
	return result;
}

// East Asian wide and emoji blocks take two columns, combining marks none.
static int getColumns(uint32_t code)
{
	if (code >= 0x300 && code < 0x370)
		return 0;
	bool wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
				(code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
				(code >= 0xff00 && code < 0xff61) || (code >= 0x1f300 && code < 0x1fb00) ||
				(code >= 0x20000 && code < 0x40000);
	return wide ? 2 : 1;
}

int cliGetWidth(const char* text)
{
	int width = 0;
	while (*text != 0)
	{
		uint32_t code = 0;
		int length = cliDecode(text, &code);
		width += length > 0 ? getColumns(code) : 1;
		text += length > 0 ? length : 1;
	}
	return width;
}

static void putList(FILE* stream, const char* format, va_list list)
{
	char* text = formatList(format, list);
	char* shown = cliEscape(text);
	if (stream == stderr)
		cliClearBar();
	fputs(shown, stream);
	free(shown);
	free(text);
}

void cliPut(FILE* stream, const char* format, ...)
{
	va_list list;
	va_start(list, format);
	putList(stream, format, list);
	va_end(list);
}

void cliLine(FILE* stream, const char* format, ...)
{
	va_list list;
	va_start(list, format);
	putList(stream, format, list);
	va_end(list);
	fputc('\n', stream);
}

bool cliHasColour(FILE* stream)
{
	const char* refused = getenv("NO_COLOR");
	const char* kind = getenv("TERM");
	return isatty(fileno(stream)) && (refused == NULL || refused[0] == 0) && kind != NULL && strcmp(kind, "dumb") != 0;
}

// Where to break a line that may be `room` columns wide.
static size_t findBreak(const char* text, size_t size, int room)
{
	size_t best = 0;
	int width = 0;
	for (size_t i = 0; i < size; ++i)
	{
		if (((unsigned char)text[i] & 0xc0) == 0x80)
			continue;
		if (text[i] == ' ' && width <= room)
			best = i;
		if (++width > room && best > 0)
			return best;
	}
	return width > room && best > 0 ? best : size;
}

// A narrow terminal would break lines in the middle of words.
static int getLineWidth(FILE* stream)
{
	enum
	{
		widest = 79,
		narrowest = 30,
	};
	struct winsize size = {0};
	if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_col > widest)
		return widest;
	return size.ws_col > narrowest ? size.ws_col - 1 : narrowest;
}

static void wrapLine(FILE* stream, int indent, const char* text, size_t size)
{
	if (size == 0 || text[0] == ' ')
	{
		fprintf(stream, "%*s%.*s\n", size > 0 ? indent : 0, "", (int)size, text);
		return;
	}
	while (size > 0)
	{
		size_t part = findBreak(text, size, getLineWidth(stream) - indent);
		fprintf(stream, "%*s%.*s\n", indent, "", (int)part, text);
		part += part < size ? 1 : 0;
		text += part;
		size -= part;
	}
}

void cliWrap(FILE* stream, int indent, const char* text)
{
	while (*text != 0)
	{
		size_t size = strcspn(text, "\n");
		wrapLine(stream, indent, text, size);
		text += size + (text[size] == '\n' ? 1 : 0);
	}
}

void cliTable_Add(cliTable* table, const char* format, ...)
{
	va_list list;
	va_start(list, format);
	char* text = formatList(format, list);
	va_end(list);
	if (table->cellCount == table->cellCapacity)
	{
		table->cellCapacity = table->cellCapacity * 2 + 64;
		table->cells = cliReallocate(table->cells, (size_t)table->cellCapacity * sizeof(char*));
	}
	table->cells[table->cellCount++] = cliEscape(text);
	free(text);
}

static void printCell(const cliTable* table, FILE* stream, int cell, int width)
{
	int pad = width - cliGetWidth(table->cells[cell]);
	bool isRight = (table->right >> cell % table->columnCount & 1u) != 0;
	pad = pad > 0 ? pad : 0;
	fprintf(stream, "%*s%s%*s", isRight ? pad : 0, "", table->cells[cell], isRight ? 0 : pad, "");
}

// A row up to its last cell that is not empty, without blanks at its end.
static void printRow(const cliTable* table, FILE* stream, int first, const int* widths)
{
	int last = table->columnCount - 1;
	while (last > 0 && table->cells[first + last][0] == 0)
		--last;
	for (int column = 0; column < last; ++column)
	{
		printCell(table, stream, first + column, widths[column]);
		fputs("  ", stream);
	}
	bool isRight = (table->right >> last & 1u) != 0;
	printCell(table, stream, first + last, isRight ? widths[last] : 0);
	fputc('\n', stream);
}

void cliTable_Print(cliTable* table, FILE* stream, int indent)
{
	int widths[cli_columnCount] = {0};
	for (int i = 0; i < table->cellCount; ++i)
	{
		int width = cliGetWidth(table->cells[i]);
		int* widest = &widths[i % table->columnCount];
		*widest = width > *widest ? width : *widest;
	}
	for (int i = 0; i < table->cellCount; i += table->columnCount)
	{
		fprintf(stream, "%*s", indent, "");
		printRow(table, stream, i, widths);
	}
	for (int i = 0; i < table->cellCount; ++i)
		free(table->cells[i]);
	free(table->cells);
	*table = (cliTable){.right = table->right, .columnCount = table->columnCount};
}
