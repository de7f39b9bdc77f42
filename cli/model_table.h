/// A table of all models of a kind in a library: what `space list` and `pgraph list` print.
#pragma once

#include "run.h"

enum
{
	cli_modelColumns = 5,
};

/// What is told of a kind.
typedef struct cliModelTable
{
	/// As rpModelInfo.kind has it; the key of the list in JSON; and what to say where there is none.
	const char *kind, *key, *none;
	const char* headings[cli_modelColumns];

	/// A model, to be given back with `destroy`; NULL where it can no longer be used: error says why.
	void* (*load)(rpLibrary* library, const char* name, rpError* error);
	void (*destroy)(void* model);

	/// The columns between name and bytes; and what JSON has beside these and the problem. model NULL: it cannot be
	/// used.
	void (*addColumns)(cliTable* table, const void* model);
	json_t* (*makeRest)(const void* model);
} cliModelTable;

/// List those of the library that is the first argument. False: reported.
bool cliListModelTable(cliRun* run, const cliModelTable* kind);
