/// Finding clips by folder and pattern.
#pragma once

#include "run.h"

/// Texts of clips. Zero-initialised is empty; free with cliFreeSearch.
typedef struct cliSearch
{
	char** texts;
	int count, capacity;
} cliSearch;

/// Add what an argument stands for: a file, all motion files of a folder and the folders in it, what a pattern matches,
/// or else the text itself. Sorted within each argument. False: reported.
bool cliSearch_Add(cliRun* run, cliSearch* search, const char* text);

/// Add a text as it is.
void cliSearch_Append(cliSearch* search, const char* text);
void cliFreeSearch(cliSearch* search);

/// Whether a path is a folder.
bool cliIsFolder(const char* path);

/// Make a folder unless it is there. False: reported.
bool cliMakeFolder(cliRun* run, const char* path);
