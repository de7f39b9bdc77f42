/// A text file of rows: cells with commas between them.
#pragma once

#include "run.h"

enum
{
	cli_maxCells = 16,
};

/// A line of one.
typedef struct cliRow
{
	/// Its cells without blanks around them, and the columns of the text at which they start, from 1.
	const char* cells[cli_maxCells];
	int columns[cli_maxCells];
	int count;

	/// Whether it may name the columns: it stands before all others and starts with a letter.
	bool isNames;
} cliRow;

typedef struct cliRowFile cliRowFile;

/// Take a row. False: reported with cliFailInRow.
typedef bool cliRowFn(const cliRowFile* rows, const cliRow* row);

/// How a file is read.
struct cliRowFile
{
	cliRun* run;
	const char* path;

	/// How its lines are written, said with every error.
	const char* hint;
	cliRowFn* takeRow;
	void* context;

	/// The min number of rows without that of the names, and what is said where there are fewer.
	int min;
	const char* tooFew;

	/// Where the reader is: the line, from 1; 0 for the file as a whole. And how many rows were taken.
	int line;
	int rowCount;
};

/// Take all rows in order; empty lines, comments (#) and the mark of UTF-8 that Excel writes first are passed over. The
/// file is noted as an input. False: reported.
bool cliReadRows(cliRowFile* rows);

/// What the cells of a row of names stand for: columns[i] is the place of cell i among the names there are. Returns a
/// bit for each name that was found; 0: reported, one of them is not known or stands there twice.
unsigned cliFindColumns(const cliRowFile* rows, const cliRow* row, const char* const* names, int nameCount,
						int columns[cli_maxCells]);

/// Report what is wrong in the present line, the column counting from 1. False.
RP_PRINTF(3, 4) bool cliFailInRow(const cliRowFile* rows, int column, const char* format, ...);
