/// Making parametric motion graphs of parametric spaces; graphs kept in a library.
#pragma once

#include "reprise/library.h"
#include "reprise/metric.h"
#include "reprise/play/findings.h"
#include "reprise/play/parametric_graph.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Blends of what is farther apart than this are seen, metres.
#define RP_PARAMETRIC_SEEN 0.15f

/// A node that is to be: a space, borrowed for the call, under a name.
typedef struct rpParametricNodeDef
{
	const char* name;
	const rpSpace* space;
} rpParametricNodeDef;

/// An edge that is to be. Thresholds of 0 are found: the smallest that leave each motion of the source
/// rpParametricDef.share of the target.
typedef struct rpParametricEdgeDef
{
	int source, target;
	float good, bad;
	rpParametricSeam seam;
} rpParametricEdgeDef;

/// How to build. Must come from rpDefaultParametricDef(). Pointers are borrowed for the call.
typedef struct rpParametricDef
{
	const rpParametricNodeDef* nodes;
	int nodeCount;

	/// NULL: all pairs of nodes are tried, and those are edges whose threshold is found to be at most autoLimit,
	/// metres, RP_PARAMETRIC_SEEN.
	const rpParametricEdgeDef* edges;
	int edgeCount;
	float autoLimit;

	/// Motions of sources and of targets that are compared: 0: 24, 64, 125 … by how many parameters the source has; and
	/// 1000.
	int sourceSamples, targetSamples;

	/// The part of a target that each motion of the source must lead to where thresholds are found, 0.3; and bad as a
	/// multiple of good where it is not given, 1.18: the root of the thesis' 0.7 / 0.5.
	float share, badFactor;

	/// Where edges may be partial and it takes a threshold above autoLimit for all motions of the source to lead to so
	/// much, this part of them must, 0.5.
	float coverage;

	/// Edges may be partial, false: motions that lead nowhere then do not keep an edge from being made.
	bool partial;

	/// Seconds to either side of the ends of cores in which transitions are looked for, 0.2; of seams, 0.3.
	float margin, seamLength;

	/// What tells how alike motions are: clouds in a window of a third of a second, 30 frames a second. NULL: that.
	const rpMetricDef* metric;

	/// Seed of the choice of samples, 1. Threads: 0: all cores; the graph is the same for any number.
	uint64_t seed;
	int threads;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;
} rpParametricDef;

RP_API rpParametricDef rpDefaultParametricDef(void);

/// What became of an edge.
typedef struct rpParametricEdgeReport
{
	int source, target;

	/// Whether it is in the graph.
	bool isMade;

	/// Thresholds, whether they were found; and the part of the target that motions of the source lead to: the mean,
	/// the least.
	float good, bad;
	bool isFound;
	float shareMean, shareMin;

	/// How far the nearest motions of the target are from those of the source, metres: the mean, and the motion of the
	/// source that is farthest from any.
	float distanceMean, distanceMax;
	float farthest[RP_MAX_SPACE_PARAMETERS];

	/// Motions of the source that were looked at, and that lead nowhere; boxes that were made smaller for what is bad.
	int sampleCount, emptyCount, trimmedCount;

	double seconds;
} rpParametricEdgeReport;

/// Owned by the caller.
typedef struct rpParametricBuildReport
{
	rpParametricEdgeReport* edges;
	int edgeCount;
} rpParametricBuildReport;

RP_API void rpParametricBuildReport_Free(rpParametricBuildReport* report);

/// Build a graph. Findings, which may be NULL, tell what is odd: "dead_end" (a node that nothing leaves), "unreached"
/// (one that nothing leads to), "not_good" (an edge above 0.15 m: such blends are seen). report and error may be NULL.
/// NULL with rp_errorNoSolution where an edge that was asked for cannot be, naming it, the motion at fault and how far
/// it is; with rp_errorArgument for two skeletons, wrong names or numbers; when stopped, or when memory ran out; free
/// with rpDestroyParametricGraph.
RP_API RP_NODISCARD rpParametricGraph* rpBuildParametricGraph(const rpParametricDef* def, rpFindings* findings,
															  rpParametricBuildReport* report, rpError* error);

/// How range and seams of an edge hang on its threshold (Heck, 6.2.4).
typedef struct rpParametricTrade
{
	/// Metres; the part of the target that motions of the source lead to, the mean and the least; how far what they
	/// lead to is from them, the mean.
	float good, shareMean, shareMin, distance;
} rpParametricTrade;

/// The same edge with other thresholds, [count] of them into out. error may be NULL.
RP_API RP_NODISCARD bool rpTradeParametricEdge(const rpParametricDef* def, int edge, const float* goods, int count,
											   rpParametricTrade* out, rpError* error);

/// Keep a graph in the library under a name, in place of one of that name: its spaces' motions must be clips of it.
RP_API RP_NODISCARD bool rpLibrary_PutParametricGraph(rpLibrary* library, const char* name,
													  const rpParametricGraph* graph, rpError* error);

/// A graph that was kept, with its spaces' examples. NULL with rp_errorMissing if there is none of that name, or if a
/// clip is gone or changed; free with rpDestroyParametricGraph.
RP_API RP_NODISCARD rpParametricGraph* rpLibrary_LoadParametricGraph(rpLibrary* library, const char* name,
																	 rpError* error);

/// The graph as a bundle for players; *size bytes, free with rpFreeBytes. error may be NULL.
RP_API RP_NODISCARD void* rpWriteParametricBundle(const rpParametricGraph* graph, size_t* size, rpError* error);

/// The graph's structure as text, without its spaces' motions; free with rpFreeText.
RP_API RP_NODISCARD char* rpParametricGraph_Export(const rpParametricGraph* graph, rpError* error);

#ifdef __cplusplus
}
#endif
