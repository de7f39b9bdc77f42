#include "graph_names.h"

#include "clip.h"
#include "graph_model.h"
#include "suggestion.h"

#include <string.h>

int cliFindGraphClip(const rpGraph* graph, const char* name)
{
	for (int i = 0; i < graph->clipCount; ++i)
	{
		if (strcmp(graph->clips[i].name, name) == 0)
			return i;
	}
	return -1;
}

// ---- names that a graph does not have

// What the library has of that name, as the end of a sentence; false if it has nothing.
static bool findInLibrary(const rpLibrary* library, const rpGraph* graph, const char* name, char* out, size_t size)
{
	rpClipInfo* infos;
	int count = library != NULL ? rpLibrary_ListClips(library, &infos, NULL) : 0;
	const char *inside = NULL, *outside = NULL;
	bool isClip = false;
	for (int i = 0; i < count; ++i)
	{
		bool isOfGraph = cliFindGraphClip(graph, infos[i].name) >= 0;
		isClip = isClip || (!isOfGraph && strcmp(infos[i].name, name) == 0);
		if (cliHoldsLabel(infos[i].labels, name))
			*(isOfGraph ? &inside : &outside) = infos[i].name;
	}
	if (inside != NULL)
		snprintf(out, size, "the graph was built before \"%.60s\" was given the label \"%.60s\"", inside, name);
	else if (outside != NULL)
		snprintf(out, size, "the graph is without \"%.60s\", the clip that has the label \"%.60s\"", outside, name);
	else if (isClip)
		snprintf(out, size, "the graph was built without the clip \"%.60s\"", name);
	if (count > 0)
		rpFreeClipInfos(infos, count);
	return inside != NULL || outside != NULL || isClip;
}

// What must still fit into a hint after a list of labels: one more (32 with its comma), how many are left out (12; a
// graph has 64 at most), and where clips are listed (39).
#define LIST_ROOM 90

// The nearest of its labels and clips, or all labels.
static void hintAtNames(const rpGraph* graph, const char* name, bool withClips, rpError* error)
{
	const char* best = NULL;
	int distance = -1;
	for (int i = 0; i < graph->labelCount; ++i)
		cliSuggest(name, graph->labels[i], &best, &distance);
	for (int i = 0; i < graph->clipCount && withClips; ++i)
		cliSuggest(name, graph->clips[i].name, &best, &distance);
	size_t size = 0;
	if (best != NULL)
		size = (size_t)snprintf(error->hint, sizeof error->hint, "did you mean \"%.60s\"? ", best);
	size += (size_t)snprintf(error->hint + size, sizeof error->hint - size, "labels: ");
	int listed = 0;
	for (; listed < graph->labelCount && size + LIST_ROOM < sizeof error->hint; ++listed)
		size += (size_t)snprintf(error->hint + size, sizeof error->hint - size, "%s%.30s", listed > 0 ? ", " : "",
								 graph->labels[listed]);
	if (listed < graph->labelCount)
		size +=
			(size_t)snprintf(error->hint + size, sizeof error->hint - size, " and %d more", graph->labelCount - listed);
	if (withClips)
		snprintf(error->hint + size, sizeof error->hint - size, "; clips: see reprise graph info --clips");
}

static bool failName(cliRun* run, const rpGraph* graph, const char* name, bool withClips)
{
	rpError error = {.code = rp_errorMissing};
	const char* model = cliGetGraphName(run);
	bool isPlain = strcmp(model, "graph") == 0;
	if (findInLibrary(run->library, graph, name, error.message, sizeof error.message))
		snprintf(error.hint, sizeof error.hint, "build it anew: reprise graph build %.150s%s%.40s", run->arguments[0],
				 isPlain ? "" : " --name ", isPlain ? "" : model);
	else
	{
		snprintf(error.message, sizeof error.message, "the graph has no label%s \"%.150s\"",
				 withClips ? " and no clip" : "", name);
		hintAtNames(graph, name, withClips, &error);
	}
	return cliFail(run, cli_exitNoSolution, &error);
}

bool cliFindGraphName(cliRun* run, const rpGraph* graph, const char* name, uint64_t* labels, int* clip)
{
	int label = rpGraph_FindLabel(graph, name), index = cliFindGraphClip(graph, name);
	*labels = label >= 0 ? 1ull << label : 0;
	*clip = label < 0 ? index : -1;
	return label >= 0 || index >= 0 || failName(run, graph, name, true);
}

bool cliFindGraphLabel(cliRun* run, const rpGraph* graph, const char* name, uint64_t* labels)
{
	int label = rpGraph_FindLabel(graph, name);
	*labels = label >= 0 ? 1ull << label : 0;
	return label >= 0 || failName(run, graph, name, false);
}
