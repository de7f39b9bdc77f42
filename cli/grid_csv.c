#include "grid_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cliGridCsv
{
	char* path;
	char* partPath;
	FILE* file;
	int columns;

	/// Rows of one band of tiles, [rowCapacity * columns].
	float* band;
	int rowCapacity;

	/// Why it could not be written, 0: it could so far.
	int reason;
};

static bool failFile(cliRun* run, const char* path, int reason)
{
	rpError error = {.code = rp_errorFile};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "cannot write it: %s", strerror(reason));
	return cliFailWork(run, &error);
}

static void freeCsv(cliGridCsv* csv)
{
	free(csv->path);
	free(csv->partPath);
	free(csv->band);
	free(csv);
}

cliGridCsv* cliOpenGridCsv(cliRun* run, const char* path, int columns)
{
	cliGridCsv* csv = cliAllocate(sizeof(cliGridCsv));
	*csv = (cliGridCsv){
		.path = cliFormat("%s", path), .partPath = cliFormat("%s.%ld.part", path, (long)getpid()), .columns = columns};
	csv->file = fopen(csv->partPath, "wx");
	if (csv->file == NULL)
	{
		failFile(run, path, errno);
		freeCsv(csv);
		return NULL;
	}
	return csv;
}

static void printRow(const cliGridCsv* csv, int row)
{
	const float* values = csv->band + (size_t)row * (size_t)csv->columns;
	for (int c = 0; c < csv->columns; ++c)
		fprintf(csv->file, c > 0 ? ",%.6g" : "%.6g", (double)values[c]);
	fputc('\n', csv->file);
}

bool cliGridCsv_AddTile(const rpTile* tile, void* context)
{
	cliGridCsv* csv = context;
	if (tile->rowCount > csv->rowCapacity)
	{
		free(csv->band);
		csv->band = cliAllocate((size_t)tile->rowCount * (size_t)csv->columns * sizeof(float));
		csv->rowCapacity = tile->rowCount;
	}
	for (int r = 0; r < tile->rowCount; ++r)
		memcpy(csv->band + (size_t)r * (size_t)csv->columns + tile->column,
			   tile->values + (size_t)r * (size_t)tile->stride, (size_t)tile->columnCount * sizeof(float));
	bool isLast = tile->column + tile->columnCount == csv->columns;
	for (int r = 0; isLast && r < tile->rowCount; ++r)
		printRow(csv, r);
	// A full disk stops the work.
	csv->reason = ferror(csv->file) != 0 && csv->reason == 0 ? errno : csv->reason;
	return csv->reason == 0;
}

bool cliCloseGridCsv(cliRun* run, cliGridCsv* csv, bool isWanted)
{
	if (csv == NULL)
		return true;
	bool isClosed = fclose(csv->file) == 0;
	// What it could not write is why the work was stopped, not that it was not wanted.
	bool isTried = isWanted || csv->reason != 0;
	if (isWanted && csv->reason == 0 && !(isClosed && rename(csv->partPath, csv->path) == 0))
		csv->reason = errno;
	bool done = isWanted && csv->reason == 0;
	if (!done)
		unlink(csv->partPath);
	if (!done && isTried)
		failFile(run, csv->path, csv->reason);
	freeCsv(csv);
	return done || !isTried;
}
