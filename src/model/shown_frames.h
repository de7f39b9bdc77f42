/// Which frames of a bundle's clips a player of its model can come to show: packed bundles do not keep the others, nor
/// how the ground frame moves there.
#pragma once

#include "model/clip_chunks.h"
#include "model/graph_trim.h"

/// Of all clips, one after the other, 1 where a frame is shown; zero-initialised is all frames.
typedef struct rpShownFrames
{
	uint8_t* flags;

	/// Where each clip begins in flags; [clipCount + 1].
	size_t* first;
} rpShownFrames;

/// Those of a graph's edges.
RP_NODISCARD bool rpFindGraphFrames(const rpGraphModel* graph, const rpGraphTrim* trim, const rpClipSet* clips,
									rpShownFrames* out, rpError* error);

/// Those of the movements of a bundle with a model of locomotion.
RP_NODISCARD bool rpFindGaitFrames(const rpBundle* bundle, const rpClipSet* clips, rpShownFrames* out, rpError* error);

void rpShownFrames_Free(rpShownFrames* frames);

/// The flags of a clip's frames; NULL: all of them are shown.
const uint8_t* rpShownFrames_Get(const rpShownFrames* frames, int clip);
