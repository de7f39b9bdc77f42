#include "model/graph_start.h"

int rpGraphModel_GetFirstEdge(const rpGraphModel* graph)
{
	return graph->steering[rp_steerStay];
}

rpGroundTransform rpGraphModel_GetStart(const rpGraphModel* graph, const rpClipSet* clips)
{
	if (graph->start != NULL)
	{
		return *graph->start;
	}
	const rpGraphNode* from = &graph->nodes[graph->edges[rpGraphModel_GetFirstEdge(graph)].from];
	const rpClip* clip = clips->clips[from->clip];
	rpVec3 place = rpClip_GetRoot(clip, from->frame / graph->fps);
	return (rpGroundTransform){rpHeading(rpClip_GetRotation(clip, 0, from->frame / graph->fps)),
							   {place.x, 0.0f, place.z}};
}

bool rpWriteGraphStart(rpBundleWriter* writer, const rpBundle* bundle, rpError* error)
{
	rpGraphModel graph = {0};
	rpClipSet clips = {0};
	if (!rpBundle_HasChunk(bundle, "GHDR"))
	{
		return true;
	}
	bool done = rpGraphModel_Read(&graph, bundle, error) && rpClipSet_Read(&clips, bundle, error);
	if (done && graph.steering != NULL && graph.edgeCount > 0 && clips.clipCount == graph.clipCount)
	{
		rpGroundTransform start = rpGraphModel_GetStart(&graph, &clips);
		done = rpBundleWriter_Add(writer, "GBEG", &start, 1, sizeof(start), error);
	}
	rpGraphModel_Free(&graph);
	rpClipSet_Free(&clips);
	return done;
}
