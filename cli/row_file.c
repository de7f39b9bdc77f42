#include "row_file.h"

#include "clip.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
	/// More than anybody writes by hand or needs.
	maxRows = 1000000,
};

bool cliFailInRow(const cliRowFile* rows, int column, const char* format, ...)
{
	bool isInside = rows->line > 0;
	rpError error = {
		.code = isInside ? rp_errorFormat : rp_errorFile, .line = rows->line, .column = isInside ? column : 0};
	va_list list;
	va_start(list, format);
	vsnprintf(error.message, sizeof error.message, format, list);
	va_end(list);
	snprintf(error.file, sizeof error.file, "%s", rows->path);
	snprintf(error.hint, sizeof error.hint, "%s", rows->hint);
	return cliFail(rows->run, cli_exitInput, &error);
}

static bool split(const cliRowFile* rows, char* line, cliRow* row)
{
	for (char* at = line; at != NULL;)
	{
		char* comma = strchr(at, ',');
		if (comma != NULL)
			*comma = 0;
		while (isspace((unsigned char)*at))
			++at;
		for (char* end = at + strlen(at); end > at && isspace((unsigned char)end[-1]);)
			*--end = 0;
		int column = (int)(at - line) + 1;
		if (row->count == cli_maxCells)
			return cliFailInRow(rows, column, "there are too many columns");
		row->cells[row->count] = at;
		row->columns[row->count++] = column;
		at = comma != NULL ? comma + 1 : NULL;
	}
	return true;
}

unsigned cliFindColumns(const cliRowFile* rows, const cliRow* row, const char* const* names, int nameCount,
						int columns[cli_maxCells])
{
	unsigned found = 0;
	for (int i = 0; i < row->count; ++i)
	{
		int at = 0;
		while (at < nameCount && strcmp(row->cells[i], names[at]) != 0)
			++at;
		if (at == nameCount || (found & 1u << at) != 0)
		{
			cliFailInRow(rows, row->columns[i],
						 "the first line names columns that are not known, or one of them twice: \"%.40s\"",
						 row->cells[i]);
			return 0;
		}
		columns[i] = at;
		found |= 1u << at;
	}
	return found;
}

// A mark of UTF-8 (U+FEFF) may stand before the first line: Excel writes one.
static char* skipMark(const cliRowFile* rows, char* line)
{
	return rows->line == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
}

static bool readLine(cliRowFile* rows, char* line)
{
	size_t blank = strspn(line, " \t\r\n");
	if (line[blank] == 0 || line[blank] == '#')
		return true;
	cliRow row = {.isNames = rows->rowCount == 0 && isalpha((unsigned char)line[blank])};
	if (rows->rowCount == maxRows)
		return cliFailInRow(rows, 1, "there are too many lines");
	bool done = split(rows, line, &row) && rows->takeRow(rows, &row);
	rows->rowCount += !row.isNames;
	return done;
}

bool cliReadRows(cliRowFile* rows)
{
	FILE* file = fopen(rows->path, "r");
	if (file == NULL)
		return cliFailInRow(rows, 0, "cannot read it: %s", strerror(errno));
	cliNotePath(rows->run, rows->path);
	char* line = NULL;
	size_t capacity = 0;
	bool done = true;
	while (done && getline(&line, &capacity, file) >= 0)
	{
		++rows->line;
		done = readLine(rows, skipMark(rows, line));
	}
	// A folder can be opened, and not read.
	int failure = ferror(file) != 0 ? errno : 0;
	free(line);
	fclose(file);
	if (failure != 0)
		return cliFailInRow(rows, 0, "cannot read it: %s", strerror(failure));
	rows->line += rows->line == 0;
	return done && (rows->rowCount >= rows->min || cliFailInRow(rows, 1, "%s", rows->tooFew));
}
