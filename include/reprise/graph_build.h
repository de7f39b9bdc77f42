/// Making motion graphs: from motions or from clips of a library; graphs kept in a library, and as text.
#pragma once

#include "reprise/library.h"
#include "reprise/metric.h"
#include "reprise/play/graph.h"

#ifdef __cplusplus
extern "C"
{
#endif

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

	/// Transitions also where feet do not fit: at different heights, on different feet, or with bodies that face in
	/// different directions (false: where they do not, no threshold makes a good one).
	bool anySupport;

	/// Keep stretches at which a clip by itself is broken: joints that bend over 10 degrees further than human ones,
	/// feet that sink in by over 6 cm even where the foot lock lifts them. False: they are left out, with 0.1 s around
	/// them, and the report's warnings name them.
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

	/// Of these, how many the library has no room to remember (RP_MAX_MODEL_SIZE): they are compared again next time.
	int unkeptCount;

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
RP_API void rpGraphReport_Free(rpGraphReport* report);

/// Keep a graph in the library under a name, in place of one of that name; load it again.
RP_API RP_NODISCARD bool rpLibrary_PutGraph(rpLibrary* library, const char* name, const rpGraph* graph, rpError* error);
RP_API RP_NODISCARD rpGraph* rpLibrary_LoadGraph(rpLibrary* library, const char* name, rpError* error);

/// The graph as text, the same bytes for the same graph; free with rpFreeText.
RP_API RP_NODISCARD char* rpGraph_Export(const rpGraph* graph, rpError* error);

#ifdef __cplusplus
}
#endif
