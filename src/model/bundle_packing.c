/// Bundles packed: a bundle's clips in fewer bits, and without what no player needs.
#include "base/error.h"
#include "base/memory.h"
#include "model/graph_start.h"

// The version that has packed clips.
#define PACKED_VERSION 2

// Frames are packed; the paths of edges and the labels of their sides are for searches.
#define REPLACED "CLIPROWSROOTGPTHGLENGSID"

void* rpPackBundle(const rpBundle* bundle, rpPacking* packing, size_t* size, rpError* error)
{
	if (rpBundle_HasChunk(bundle, "PROW"))
	{
		rpFail(error, rp_errorArgument, "the bundle is packed already");
		return NULL;
	}
	rpBundleWriter writer = {.version = PACKED_VERSION};
	rpPacking own = {0};
	bool done = rpBundleWriter_AddAllBut(&writer, bundle, REPLACED, error) &&
				rpPackClipChunks(&writer, bundle, &own, error) && rpWriteGraphStart(&writer, bundle, error);
	void* bytes = done ? rpBundleWriter_Finish(&writer, size, error) : NULL;
	rpBundleWriter_Free(&writer);
	if (packing != NULL)
	{
		*packing = own;
	}
	return bytes;
}
