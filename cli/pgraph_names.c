#include "pgraph_names.h"

#include "suggestion.h"

#include <stdlib.h>
#include <string.h>

cliNodeNames cliGetNodeNames(const rpParametricGraph* graph)
{
	cliNodeNames names = {.count = graph->nodeCount};
	for (int i = 0; i < graph->nodeCount; ++i)
		names.names[i] = graph->nodes[i].name;
	return names;
}

int cliNodeNames_Find(const cliNodeNames* names, const char* text, size_t size)
{
	for (int i = 0; i < names->count; ++i)
		if (strlen(names->names[i]) == size && memcmp(names->names[i], text, size) == 0)
			return i;
	return -1;
}

const char* cliNodeNames_Suggest(const cliNodeNames* names, const char* text)
{
	const char* best = NULL;
	int distance = -1;
	for (int i = 0; i < names->count; ++i)
		cliSuggest(text, names->names[i], &best, &distance);
	return best;
}

int cliNodeNames_Split(const cliNodeNames* names, const char* text, size_t size, int* source, int* target)
{
	int ways = 0;
	for (size_t i = 1; i + 1 < size; ++i)
	{
		if (text[i] != '-')
			continue;
		int from = cliNodeNames_Find(names, text, i), to = cliNodeNames_Find(names, text + i + 1, size - i - 1);
		if (from < 0 || to < 0 || ways++ > 0)
			continue;
		*source = from;
		*target = to;
	}
	return ways;
}

char* cliNodeNames_List(const cliNodeNames* names)
{
	char text[RP_MAX_PARAMETRIC_NODES * (RP_PARAMETRIC_NAME + 2)] = "";
	size_t size = 0;
	for (int i = 0; i < names->count && size < sizeof text; ++i)
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", i > 0 ? ", " : "", names->names[i]);
	return cliCopyText(text);
}

// Which of the two names of an edge is at fault.
static bool failEdge(cliRun* run, const cliNodeNames* names, const char* option, const char* text)
{
	char *list = cliNodeNames_List(names), *hint = cliFormat("the nodes are %.400s", list), *wrong = NULL;
	size_t size = strlen(text);
	for (size_t i = 1; i + 1 < size && wrong == NULL; ++i)
	{
		if (text[i] != '-')
			continue;
		if (cliNodeNames_Find(names, text, i) >= 0)
			wrong = cliCopyText(text + i + 1);
		else if (cliNodeNames_Find(names, text + i + 1, size - i - 1) >= 0)
			wrong = cliFormat("%.*s", (int)i, text);
	}
	const char* suggestion = wrong != NULL ? cliNodeNames_Suggest(names, wrong) : NULL;
	char* better = suggestion != NULL ? cliFormat("did you mean \"%s\"? %s", suggestion, hint) : cliCopyText(hint);
	if (wrong != NULL)
		cliFailUsage(run, better, "--%s: there is no node \"%.100s\" for \"%.150s\"", option, wrong, text);
	else
		cliFailUsage(run, better, "--%s needs two nodes with a dash between them, for example %s-%s, not \"%.150s\"",
					 option, names->names[0], names->names[names->count - 1], text);
	free(better);
	free(wrong);
	free(hint);
	free(list);
	return false;
}

bool cliNodeNames_ReadEdge(cliRun* run, const cliNodeNames* names, const char* option, const char* text, int* source,
						   int* target)
{
	int ways = cliNodeNames_Split(names, text, strlen(text), source, target);
	if (ways == 0)
		return failEdge(run, names, option, text);
	return ways == 1 || cliFailUsage(run, "give nodes names of their own: --nodes NAME=SPACE,...",
									 "--%s: \"%.150s\" may be read in %d ways", option, text, ways);
}
