/// A grid of distances as a CSV file, written as it is computed.
#pragma once

#include "run.h"

/// A file in the making: beside its path until it is finished.
typedef struct cliGridCsv cliGridCsv;

/// Begin a file of that many columns. NULL: reported.
cliGridCsv* cliOpenGridCsv(cliRun* run, const char* path, int columns);

/// An rpTileFn; context is the file. Tiles of one band of rows come after another, left to right.
bool cliGridCsv_AddTile(const rpTile* tile, void* context);

/// Finish the file if it is wanted and all of it could be written, else remove it; frees csv, which may be NULL. False:
/// reported.
bool cliCloseGridCsv(cliRun* run, cliGridCsv* csv, bool isWanted);
