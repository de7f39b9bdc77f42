/// A motion graph as a bundle for players.
#include "build/graph_bundle.h"

#include "base/memory.h"
#include "build/model_kind.h"
#include "model/clip_chunks.h"
#include "model/graph_chunks.h"
#include "reprise/steering.h"

static bool writeClips(rpBundleWriter* writer, const rpGraph* graph, rpError* error)
{
	const rpMotion** motions = rpAllocate((size_t)graph->clipCount, sizeof(rpMotion*), error);
	if (motions == NULL)
	{
		return false;
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		motions[i] = graph->clips[i].motion;
	}
	bool done = rpWriteClipChunks(writer, motions, graph->clipCount, rpCreateLevelClip, error);
	rpFree(motions);
	return done;
}

bool rpAddGraphBundle(const void* model, rpBundleWriter* writer, rpError* error)
{
	// A copy that shares everything, so that a table can be added.
	const rpGraph* graph = model;
	rpGraph copy = *graph;
	bool done = (graph->steering != NULL || rpGraph_MakeSteering(&copy, NULL, NULL, error)) &&
				rpWriteGraphChunks(writer, &copy, error) && writeClips(writer, graph, error);
	if (graph->steering == NULL)
	{
		rpFree(copy.steering);
	}
	return done;
}

void* rpWriteGraphBundle(const rpGraph* graph, size_t* size, rpError* error)
{
	return rpModelKind_WriteBundle(&rpGraphModelKind, graph, size, error);
}

bool rpSaveGraphBundle(const rpGraph* graph, const char* path, rpError* error)
{
	return rpModelKind_SaveBundle(&rpGraphModelKind, graph, path, error);
}
