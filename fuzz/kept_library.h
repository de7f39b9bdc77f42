/// A library with a take and a model of each kind, in memory where that can be: that of test/keep, its models built
/// anew. What is made is removed at the end.
#pragma once

#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The kinds of model, in the order of the first byte of an input.
static const char* const s_keptKinds[] = {"graph", "locomotion", "metric", "minima", "space", "pgraph"};

enum
{
	keptKindCount = 6,
	keptSpace = 4,
	keptParametric = 5,

	/// A bit of the first byte that is no kind's.
	keptFlag = 8,
};

/// Paths in a scratch folder of this process: of the library, and of what else is to be written.
static char s_keptPath[120], s_keptName[100];

static void nameScratch(char out[120], const char* ending)
{
	const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(out, 120, "%s/reprise-fuzz-%d%s", folder, (int)getpid(), ending);
}

static void removeKept(void)
{
	char journal[140];
	snprintf(journal, sizeof(journal), "%s-journal", s_keptPath);
	unlink(s_keptPath);
	unlink(journal);
}

static bool copyKept(void)
{
	FILE *from = fopen(RP_KEEP "/library/models-1", "rb"), *to = fopen(s_keptPath, "wb");
	char block[65536];
	bool done = from != NULL && to != NULL;
	for (size_t size; done && (size = fread(block, 1, sizeof(block), from)) > 0;)
	{
		done = fwrite(block, 1, size, to) == size;
	}
	if (from != NULL)
	{
		fclose(from);
	}
	return (to == NULL || fclose(to) == 0) && done;
}

// What graph build remembers has a name of its own.
static bool findMinimaName(const rpLibrary* library)
{
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, NULL);
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].kind, "minima") == 0)
		{
			snprintf(s_keptName, sizeof(s_keptName), "%s", infos[i].name);
		}
	}
	rpFreeModelInfos(infos, count > 0 ? count : 0);
	return s_keptName[0] != 0;
}

// Three strides of the take, as a space and as a graph of it.
static bool buildSpaces(rpLibrary* library)
{
	rpMotion* take = rpLibrary_LoadClip(library, 1, NULL);
	const rpMotion* const takes[] = {take};
	const rpMatch strides[] = {{.stretch = {0, false, 4.1, 5.17}, .parent = -1},
							   {.stretch = {0, false, 5.2, 6.27}, .parent = 0},
							   {.stretch = {0, false, 6.3, 7.33}, .parent = 1}};
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "speed";
	def.thin = false;
	def.maxSamples = 6;
	rpSpace* space = take != NULL ? rpBuildSpace(takes, 1, strides, 3, &def, NULL, NULL, NULL) : NULL;
	rpParametricNodeDef node = {"stride", space};
	rpParametricDef parametric = rpDefaultParametricDef();
	parametric.nodes = &node;
	parametric.nodeCount = 1;
	parametric.sourceSamples = 4;
	parametric.targetSamples = 12;
	parametric.autoLimit = 1.0f;
	rpParametricGraph* graph = space != NULL ? rpBuildParametricGraph(&parametric, NULL, NULL, NULL) : NULL;
	bool done = graph != NULL && rpLibrary_PutSpace(library, "space", space, NULL) &&
				rpLibrary_PutParametricGraph(library, "pgraph", graph, NULL);
	rpDestroyParametricGraph(graph);
	rpDestroySpace(space);
	rpDestroyMotion(take);
	return done;
}

/// Open it, to be written to; NULL when it cannot be made. Close with rpCloseLibrary.
static rpLibrary* openKept(void)
{
	nameScratch(s_keptPath, ".reprise");
	atexit(removeKept);
	rpLibrary* library = copyKept() ? rpOpenLibrary(s_keptPath, rp_openWrite, NULL) : NULL;
	rpMetricTerm terms[] = {{.name = "knees", .roles = {rp_roleLeftKnee, rp_roleRightKnee}, .weight = 2.0f},
							{.name = "tilt", .kind = rp_fittedTilt, .weight = 0.5f}};
	rpMetricFit fit = {.terms = terms, .termCount = 2, .fps = 30.0, .goodCount = 3, .badCount = 4, .badMean = 1.0};
	bool done = library != NULL && rpLibrary_BuildModel(library, "graph", "graph", NULL) &&
				rpLibrary_BuildModel(library, "locomotion", "locomotion", NULL) &&
				rpLibrary_PutMetric(library, "metric", &fit, NULL) && buildSpaces(library) && findMinimaName(library);
	if (!done)
	{
		fprintf(stderr, "no library to start from\n");
		rpCloseLibrary(library);
		library = NULL;
	}
	return library;
}

/// The name of the model of a kind.
static const char* getKeptName(int kind)
{
	return kind == 3 ? s_keptName : s_keptKinds[kind];
}
