#include "graph_model.h"

#include "clip.h"

#include <stdlib.h>
#include <string.h>

const char* cliGetGraphName(const cliRun* run)
{
	const char* name = cliGet(run, "name");
	if (name == NULL)
		name = cliGet(run, "model");
	return name != NULL ? name : "graph";
}

// What to do about a graph that is not there: the names of those that are.
static void hintAtGraphs(rpLibrary* library, const char* path, rpError* error)
{
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, NULL);
	size_t size = 0;
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].kind, "graph") == 0 && size + 40 < sizeof error->hint)
			size += (size_t)snprintf(error->hint + size, sizeof error->hint - size, "%s%.40s",
									 size == 0 ? "there are: " : ", ", infos[i].name);
	}
	if (size == 0)
		snprintf(error->hint, sizeof error->hint, "build one: reprise graph build %.150s", path);
	if (count > 0)
		rpFreeModelInfos(infos, count);
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
		if (error.code == rp_errorMissing && error.hint[0] == 0)
			hintAtGraphs(library, path, &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		cliFailInput(run, &error);
	}
	return graph;
}
