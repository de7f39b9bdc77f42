/// The models that a library keeps, of one kind or of all.
#pragma once

#include "run.h"

/// Models of one kind, borrowed from all.
typedef struct cliModels
{
	rpModelInfo* all;
	int allCount;
	const rpModelInfo** items;
	int count;
} cliModels;

/// List those of a kind, by name; cliFreeModels frees the list. False: reported.
bool cliListModels(cliRun* run, const rpLibrary* library, const char* kind, cliModels* out);
void cliFreeModels(cliModels* models);

/// Whether a model of a kind may have a name: names of other kinds are theirs, which is better said before the work
/// than after it. False: reported.
bool cliCheckModelName(cliRun* run, const rpLibrary* library, const char* kind, const char* name);

/// What to do about a model that is not there: the names of those of its kind that are, or, where there is none,
/// "otherwise". kind NULL: of all kinds that can be played.
void cliHintAtModels(const rpLibrary* library, const char* kind, const char* otherwise, rpError* error);

/// Warn that a model goes by the names of its clips.
void cliWarnByName(cliRun* run, const char* kind, const char* name);

/// All models of a library, {name, kind, bytes}. NULL: reported.
json_t* cliMakeModels(cliRun* run, const rpLibrary* library);

/// The same as lines for people.
void cliPrintModels(json_t* models);

/// Size of a file, bytes; 0 where there is none.
json_int_t cliGetFileSize(const char* path);
