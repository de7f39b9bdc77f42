#include "model_table.h"

#include "clip.h"
#include "command_options.h"
#include "model_list.h"

static json_t* makeRow(const cliModelTable* kind, const rpModelInfo* info, const void* model, const rpError* error)
{
	json_t* row = json_pack("{s:o,s:I}", "name", cliMakeText(info->name), "bytes", (json_int_t)info->size);
	json_object_update_new(row, kind->makeRest(model));
	json_object_set_new(row, "problem", model != NULL ? json_null() : cliMakeText(error->message));
	return row;
}

static void addRow(const cliModelTable* kind, const rpModelInfo* info, const void* model, cliTable* table)
{
	cliTable_Add(table, "%s", info->name);
	kind->addColumns(table, model);
	cliTable_Add(table, "%zu", info->size);
}

static bool listAll(cliRun* run, const cliModelTable* kind, rpLibrary* library, const cliModels* models)
{
	cliTable table = {.columnCount = cli_modelColumns, .right = 4 | 8 | 16};
	json_t* list = json_array();
	for (int i = 0; i < cli_modelColumns && !run->json && models->count > 0; ++i)
		cliTable_Add(&table, "%s", kind->headings[i]);
	for (int i = 0; i < models->count; ++i)
	{
		// One that can no longer be used is listed too: there is no other way to learn its name.
		rpError error = {0};
		void* model = kind->load(library, models->items[i]->name, &error);
		if (model == NULL)
			cliWarn(run, "%s cannot be used: %s", models->items[i]->name, error.message);
		if (!run->json)
			addRow(kind, models->items[i], model, &table);
		json_array_append_new(list, makeRow(kind, models->items[i], model, &error));
		if (model != NULL)
			kind->destroy(model);
	}
	bool done = !run->json || cliReport(run, json_pack("{s:O}", kind->key, list));
	cliTable_Print(&table, stdout, 0);
	if (models->count == 0)
		cliWarn(run, "%s", kind->none);
	json_decref(list);
	return done;
}

bool cliListModelTable(cliRun* run, const cliModelTable* kind)
{
	cliModels models;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListModels(run, library, kind->kind, &models))
		return false;
	bool done = listAll(run, kind, library, &models);
	cliFreeModels(&models);
	return done;
}
