/// Motion graphs: clips cut where they can be joined, and the transitions that join them. After L. Kovar's thesis,
/// chapter 4 (Kovar, Gleicher & Pighin 2002).
///
/// An edge is a stretch of motion: of a clip as it was captured, or a transition that blends from one clip into
/// another. A node is a moment of a clip where edges begin and end. Moments are frames at the graph's own rate, that of
/// the metric (30 Hz); the clips keep theirs, and a walk can be played at any.
///
/// A walk carries a placement: the ground transform that takes the clip being played into the world. Along an edge of a
/// clip it stays; a transition ends in another clip, and the placement becomes placement * alignment.
#pragma once

#include "reprise/library.h"
#include "reprise/metric.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// The most labels of a graph; label sets are bits.
#define RP_MAX_GRAPH_LABELS 64

/// A clip of a graph.
typedef struct rpGraphClip
{
	/// Its name in the library; "~" behind it for the mirror image.
	char* name;
	bool isMirrored;

	/// Owned, with contacts; at its own rate.
	rpMotion* motion;

	/// Frames at the graph's rate.
	int frameCount;
} rpGraphClip;

typedef struct rpGraphNode
{
	int clip, frame;

	/// Its edges are graph->edges[firstEdge …]: edges are sorted by their start node.
	int firstEdge, edgeCount;
} rpGraphNode;

typedef struct rpGraphEdge
{
	/// Nodes.
	int from, to;

	/// Length in frames at the graph's rate: frames 0 … frameCount, the last being the first of the next edge.
	int frameCount;

	/// Bits of graph->labels: for a transition those of both clips; which has which is told by graph->sides.
	uint64_t labels;

	/// Transitions only: takes the clip of `to` onto that of `from`; distance of the minimum, metres; the two moments
	/// that coincide in the middle of the blend. distance < 0: a stretch of a clip.
	rpGround alignment;
	float distance;
	int fromMiddle, toMiddle;

	/// Its root path: graph->path[firstPoint … firstPoint + frameCount], in the coordinates of the clip of `from`, and
	/// the way from its start in graph->lengths at the same indices.
	int firstPoint;
} rpGraphEdge;

/// Labels of the motion that an edge comes from and of that which it leads into, bits of graph->labels; the same for
/// stretches of a clip.
typedef struct rpEdgeSides
{
	uint64_t from, to;
} rpEdgeSides;

/// A motion graph. Const once built; fields are there to be read.
typedef struct rpGraph
{
	/// Frames per second of its frames. Transitions take at least 2 * (reach + 1) frames: all of them just that where
	/// their length was given.
	double fps;
	int reach;

	char** labels;
	int labelCount;
	rpGraphClip* clips;
	int clipCount;
	rpGraphNode* nodes;
	int nodeCount;
	rpGraphEdge* edges;
	int edgeCount;

	/// [edgeCount]; NULL in graphs that know no more than their edges' labels.
	rpEdgeSides* sides;

	/// Root paths of all edges, (x, z), and the way from the edge's start, metres. [pointCount]
	rpVec2* path;
	float* lengths;
	int pointCount;

	/// [clipCount] offsets into contacts: bits (1u << rpEffector) of heels and balls of each frame of each clip.
	int* firstContacts;
	uint16_t* contacts;

	/// The steering table, [nodeCount * rp_steerCount] edges, see reprise/steering.h; NULL where none was made.
	int* steering;
} rpGraph;

/// The largest distance of a transition from one label to another.
typedef struct rpThreshold
{
	const char* from;
	const char* to;

	/// In the metric's unit: metres, or none for a metric of angles; 0 or less: never.
	float distance;
} rpThreshold;

/// How to build a graph. Must come from rpDefaultGraphDef().
typedef struct rpGraphDef
{
	/// rpBuildGraph only: clips of the library by name, or NULL for all of them (which must be of one skeleton then).
	const char* const* clips;
	int clipCount;

	/// The metric; NULL: the default clouds. Borrowed.
	const rpMetricDef* metric;

	/// Thresholds of ordered pairs of labels; pairs that are not named have `threshold`; a threshold of 0 is chosen
	/// automatically, for each pair.
	const rpThreshold* thresholds;
	int thresholdCount;
	float threshold;

	/// Automatic choice: share of a label's frames in its largest component (0.9), and the longest time until another
	/// label is reached, seconds (3), as far as that can be had by joins that a blend does well.
	float wantedShare;
	double wantedSwitch;

	/// At most this many transitions in each cell of 0.5 s x 0.5 s, 2.
	int perCell;

	/// Mirror images as extra examples. Transitions only between equal contact states.
	bool mirror;
	bool sameContacts;

	/// Transitions also where feet do not fit: at different heights, on different feet, or with bodies that face
	/// different ways (false: where they do not, no threshold makes a good one).
	bool anySupport;

	/// Keep stretches at which a clip by itself is worse than rpEvaluate lets pass by default: joints that bend further
	/// than human ones, feet that sink in deeper than the foot lock lifts them. False: they are left out, with 0.1 s
	/// around them, and the report's warnings tell of them.
	bool keepFaults;

	/// Prune as the thesis does (section 4.1.3): keep only what goes on for ever within its label, and what leads from
	/// there to where something else does. False: of a label of which less than half does so, such as sitting down, all
	/// is kept that leads from motion that goes on for ever to motion that does, and its transitions are chosen for
	/// that.
	bool strictPruning;

	/// Length of transitions, seconds; 0: computed for each, 0.1 to 1 s (reprise/blend_length.h).
	double blend;

	rpProgressFn* progress;
	void* progressContext;
	int threads;
} rpGraphDef;

/// One line of the table of connectivity: what a threshold would give.
typedef struct rpConnectivity
{
	int from, to;
	float threshold;
	int transitionCount;

	/// Within a label: share of its frames in its largest component. Between two: share of the nodes of `from` that
	/// reach `to` in time.
	float share;
	bool isChosen;
} rpConnectivity;

/// What the builder did.
typedef struct rpGraphReport
{
	int frameCount, minimumCount, transitionCount;

	/// Frames that were left out because clips are broken there, mirror images included.
	int leftOutCount;

	/// Pairs of clips that were compared now; minima of the others were known.
	int comparedCount;

	/// Minima that are no transitions because feet do not fit.
	int refusedCount;
	int prunedEdgeCount, prunedNodeCount;
	double compareSeconds;

	/// Whether thresholds and distances are those of a metric of angles, without unit; otherwise they are metres.
	bool isAngle;

	/// [connectivityCount], for people to choose by.
	rpConnectivity* connectivity;
	int connectivityCount;

	/// One line each: stretches of clips that are left out, labels of which nothing goes on for ever, labels whose
	/// component is small, labels that cannot reach another, or take longer than was wanted.
	char** warnings;
	int warningCount;
} rpGraphReport;

RP_API rpGraphDef rpDefaultGraphDef(void);

/// Build a graph from motions of one skeleton, which are copied; their names and label tracks are used. report and
/// error may be NULL. NULL with rp_errorNoSolution (and what is missing) if no transition is left.
RP_API RP_NODISCARD rpGraph* rpBuildGraphOf(const rpMotion* const* motions, int count, const rpGraphDef* def,
											rpGraphReport* report, rpError* error);
/// Build a graph from clips of a library. Minima are kept in the library, so that clips that come later are all that is
/// compared. report and error may be NULL. NULL with rp_errorNoSolution (and what is missing) if no transition is left.
RP_API RP_NODISCARD rpGraph* rpBuildGraph(rpLibrary* library, const rpGraphDef* def, rpGraphReport* report,
										  rpError* error);
RP_API void rpDestroyGraph(rpGraph* graph);
RP_API void rpGraphReport_Free(rpGraphReport* report);

/// Keep a graph in the library under a name, in place of one of that name; load it again.
RP_API RP_NODISCARD bool rpLibrary_PutGraph(rpLibrary* library, const char* name, const rpGraph* graph, rpError* error);
RP_API RP_NODISCARD rpGraph* rpLibrary_LoadGraph(rpLibrary* library, const char* name, rpError* error);

/// The graph as text, the same bytes for the same graph; free with rpFreeText.
RP_API RP_NODISCARD char* rpGraph_Export(const rpGraph* graph, rpError* error);
RP_API void rpFreeText(char* text);

/// Index of a label, -1 if there is none.
RP_API int rpGraph_FindLabel(const rpGraph* graph, const char* label);

/// Whether an edge stays within labels: both its sides have one of these bits. 0: any edge does.
RP_API bool rpGraph_StaysIn(const rpGraph* graph, int edge, uint64_t labels);

/// Nodes in the largest strongly connected component, that with the most frames of clips, of the edges that stay in a
/// label (bit index), or of all edges (-1). inComponent is [nodeCount]; returns how many nodes it holds. error may be
/// NULL; -1 when memory ran out.
RP_API int rpGraph_FindComponent(const rpGraph* graph, int label, bool* inComponent, rpError* error);

#ifdef __cplusplus
}
#endif
