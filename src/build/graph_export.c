/// A motion graph as text: the same bytes for the same graph, for comparing and for other programs.
#include "base/error.h"
#include "base/memory.h"
#include "reprise/graph_build.h"

static void printLabels(rpText* out, uint64_t labels)
{
	for (int i = 0, count = 0; i < RP_MAX_GRAPH_LABELS; ++i)
	{
		if ((labels >> i & 1) != 0)
		{
			rpText_Print(out, count++ == 0 ? "%d" : ",%d", i);
		}
	}
}

static void printEdge(rpText* out, int index, const rpGraphEdge* edge)
{
	rpText_Print(out, "edge %d %d %d %d ", index, edge->from, edge->to, edge->frameCount);
	printLabels(out, edge->labels);
	if (rpGraphEdge_IsTransition(edge))
	{
		rpText_Print(out, " transition %d %d %.9g %.9g %.9g %.9g", edge->fromMiddle, edge->toMiddle,
					 (double)edge->distance, (double)edge->alignment.turn, (double)edge->alignment.shift.x,
					 (double)edge->alignment.shift.z);
	}
	rpText_AppendString(out, "\n");
}

char* rpGraph_Export(const rpGraph* graph, rpError* error)
{
	rpText out = {0};
	rpText_Print(&out, "# clip INDEX FRAMES NAME; node INDEX CLIP FRAME; edge INDEX FROM TO FRAMES LABELS\n"
					   "# [transition FROM_MIDDLE TO_MIDDLE DISTANCE_M TURN_RAD X_M Z_M]\n");
	rpText_Print(&out, "graph 1 fps %.17g reach %d\n", graph->fps, graph->halfWindow);
	for (int i = 0; i < graph->labelCount; ++i)
	{
		rpText_Print(&out, "label %d %s\n", i, graph->labels[i]);
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		rpText_Print(&out, "clip %d %d %s\n", i, graph->clips[i].frameCount, graph->clips[i].name);
	}
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		rpText_Print(&out, "node %d %d %d\n", i, graph->nodes[i].clip, graph->nodes[i].frame);
	}
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		printEdge(&out, i, &graph->edges[i]);
	}
	if (out.failed)
	{
		rpText_Free(&out);
		rpFail(error, rp_errorMemory, "out of memory");
		return NULL;
	}
	return out.data;
}
