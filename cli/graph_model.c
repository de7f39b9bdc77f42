#include "graph_model.h"

#include "clip.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

const char* cliGetGraphName(const cliRun* run)
{
	const char* name = cliGet(run, "name");
	if (name == NULL)
		name = cliGet(run, "model");
	return name != NULL ? name : "graph";
}

rpGraph* cliLoadGraph(cliRun* run)
{
	const char* path = run->arguments[0];
	rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	if (library == NULL)
		return NULL;
	rpError error = {0};
	rpGraph* graph = rpLibrary_LoadGraph(library, cliGetGraphName(run), &error);
	if (graph == NULL)
	{
		char otherwise[200];
		snprintf(otherwise, sizeof otherwise, "build one: reprise graph build %.150s", path);
		if (error.code == rp_errorMissing && error.hint[0] == 0)
			cliHintAtModels(library, "graph", otherwise, &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		cliFailInput(run, &error);
	}
	else if (graph->isByName)
		cliWarnByName(run, "graph", cliGetGraphName(run));
	return graph;
}
