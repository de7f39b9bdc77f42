/// Where clips are alike: the local minima of all pairs of them.
#pragma once

#include "build/graph_draft.h"

/// Minima of clip pairs that are known already, and where new ones are put. Either function may be NULL.
typedef struct rpMinimaStore
{
	/// Whether the minima of two clips (by index in the examples, a <= b) are known; adds them to out then.
	bool (*find)(int a, int b, rpMinima* out, void* context);

	/// Called once for each pair that was compared, in order. False: it could not be kept.
	bool (*keep)(int a, int b, const rpMinima* minima, void* context, rpError* error);
	void* context;
} rpMinimaStore;

/// Compare every clip with every other and with itself; keep at most def->perCell minima of each cell of 0.5 s x 0.5 s,
/// and of these the best of each half second (build/candidate_rows.h); ordered by clips, then frames. store may be
/// NULL. Free out->items with rpFree, after failure too.
bool rpFindCandidates(const rpExamples* examples, const rpMetric* metric, const rpGraphDef* def,
					  const rpMinimaStore* store, rpCandidates* out, rpGraphReport* report, rpError* error);

/// rpBuildGraphOf with a store of minima, of motions that it takes: those that the graph has, or that were freed, are
/// NULL afterwards. report is added to, and freed by the caller in any case.
rpGraph* rpBuildGraphWith(rpMotion** motions, int count, const rpGraphDef* def, const rpMinimaStore* store,
						  rpGraphReport* report, rpError* error);
