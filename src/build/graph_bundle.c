/// A motion graph as a bundle for players.
#include "base/memory.h"
#include "file/bytes.h"
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
	bool done = rpWriteClipChunks(writer, motions, graph->clipCount, error);
	rpFree(motions);
	return done;
}

void* rpWriteGraphBundle(const rpGraph* graph, size_t* size, rpError* error)
{
	// A copy that shares everything, so that a table can be added.
	rpGraph copy = *graph;
	rpBundleWriter writer = {0};
	void* bytes = NULL;
	if ((graph->steering != NULL || rpGraph_MakeSteering(&copy, NULL, NULL, error)) &&
		rpWriteGraphChunks(&writer, &copy, error) && writeClips(&writer, graph, error))
	{
		bytes = rpBundleWriter_Finish(&writer, size, error);
	}
	rpBundleWriter_Free(&writer);
	if (graph->steering == NULL)
	{
		rpFree(copy.steering);
	}
	return bytes;
}

bool rpSaveGraphBundle(const rpGraph* graph, const char* path, rpError* error)
{
	size_t size;
	void* bytes = rpWriteGraphBundle(graph, &size, error);
	bool done = bytes != NULL && rpReplaceFile(path, bytes, size, error);
	rpFreeBytes(bytes);
	return done;
}
