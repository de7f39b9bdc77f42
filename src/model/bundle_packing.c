/// Bundles packed: a bundle's clips in fewer bits, and without what no player needs: edges and frames that none comes
/// to.
#include "base/error.h"
#include "base/memory.h"
#include "math/ground_path.h"
#include "model/graph_start.h"
#include "model/shown_frames.h"

#include <string.h>

// The version that has packed clips.
#define PACKED_VERSION 2

// Frames are packed; the paths of edges and the labels of their sides are for searches.
#define REPLACED "CLIPROWSROOTGPTHGLENGSID"

/// A bundle on its way into a packed one.
typedef struct Packer
{
	const rpBundle* bundle;
	rpBundleWriter writer;
	rpClipSet clips;
	rpGraphModel graph;
	rpGraphTrim trim;
	rpShownFrames shown;
} Packer;

static bool copyOthers(Packer* packer, const char* types, rpError* error)
{
	return rpBundleWriter_AddAllBut(&packer->writer, packer->bundle, types, error);
}

static bool hasDeadEnd(const rpGraphModel* graph)
{
	bool found = false;
	for (int i = 0; i < graph->nodeCount && !found; ++i)
	{
		found = graph->nodes[i].edgeCount == 0;
	}
	return found;
}

// Graphs that no player would take stay as they are.
static bool packGraph(Packer* packer, rpError* error)
{
	const rpGraphModel* graph = &packer->graph;
	const rpGraphTrim* trim = &packer->trim;
	if (!rpGraphModel_Read(&packer->graph, packer->bundle, error))
	{
		return false;
	}
	if (graph->steering == NULL || graph->edgeCount == 0 || hasDeadEnd(graph) ||
		graph->clipCount != packer->clips.clipCount)
	{
		return copyOthers(packer, REPLACED, error);
	}
	return copyOthers(packer, REPLACED "GNODGEDGGSTR", error) && rpTrimGraph(graph, &packer->trim, error) &&
		   rpBundleWriter_Add(&packer->writer, "GNOD", trim->nodes, trim->nodeCount, sizeof(rpGraphNode), error) &&
		   rpBundleWriter_Add(&packer->writer, "GEDG", trim->edges, trim->edgeCount, sizeof(rpGraphEdge), error) &&
		   rpBundleWriter_Add(&packer->writer, "GSTR", trim->steering, trim->nodeCount, rp_steerCount * sizeof(int),
							  error) &&
		   rpFindGraphFrames(graph, trim, &packer->clips, &packer->shown, error);
}

// Where no frame is shown the ground frame stands still.
static bool packPaths(Packer* packer, rpError* error)
{
	int count;
	const rpGroundRate* rates = rpBundle_GetChunk(packer->bundle, "LPTH", sizeof(rpGroundRate), &count, error);
	size_t frameCount = packer->shown.first[packer->clips.clipCount];
	if (rates == NULL || frameCount != (size_t)count)
	{
		return rates != NULL && rpFail(error, rp_errorFormat, "the model of locomotion is damaged: its frames");
	}
	rpGroundRate* kept = rpBundleWriter_Reserve(&packer->writer, "LPTH", count, sizeof(rpGroundRate), error);
	for (int i = 0; kept != NULL && i < count; ++i)
	{
		kept[i] = packer->shown.flags[i] != 0 ? rates[i] : (rpGroundRate){0};
	}
	return kept != NULL;
}

static bool packModel(Packer* packer, rpError* error)
{
	if (rpBundle_HasChunk(packer->bundle, "GHDR"))
	{
		return packGraph(packer, error);
	}
	if (rpBundle_HasChunk(packer->bundle, "LHDR"))
	{
		return copyOthers(packer, REPLACED "LPTH", error) &&
			   rpFindGaitFrames(packer->bundle, &packer->clips, &packer->shown, error) && packPaths(packer, error);
	}
	return copyOthers(packer, REPLACED, error);
}

void* rpPackBundle(const rpBundle* bundle, rpPacking* packing, size_t* size, rpError* error)
{
	if (rpBundle_HasChunk(bundle, "PROW"))
	{
		rpFail(error, rp_errorArgument, "the bundle is packed already");
		return NULL;
	}
	Packer packer = {.bundle = bundle, .writer = {.version = PACKED_VERSION}};
	rpPacking own = {0};
	bool done = rpClipSet_Read(&packer.clips, bundle, error) && packModel(&packer, error) &&
				rpPackClipChunks(&packer.writer, bundle, &packer.clips, &packer.shown, &own, error) &&
				rpWriteGraphStart(&packer.writer, bundle, error);
	void* bytes = done ? rpBundleWriter_Finish(&packer.writer, size, error) : NULL;
	rpBundleWriter_Free(&packer.writer);
	rpShownFrames_Free(&packer.shown);
	rpGraphTrim_Free(&packer.trim);
	rpGraphModel_Free(&packer.graph);
	rpClipSet_Free(&packer.clips);
	if (packing != NULL)
	{
		*packing = own;
	}
	return bytes;
}
