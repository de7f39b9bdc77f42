/// Parametric motion graphs: nodes are parametric spaces, edges say from which motions of one to which of another a
/// transition is good, and where. A character that goes where a stick points and punches where it is told to.
///
/// After R. Heck's thesis, "Automated authoring of high-quality human motion for interactive environments" (2007),
/// chapter 6, and R. Heck & M. Gleicher, "Parametric motion graphs" (2007).
#pragma once

#include "reprise/play/space.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Most nodes and edges, and letters of a node's name with the zero behind.
#define RP_MAX_PARAMETRIC_NODES 32
#define RP_MAX_PARAMETRIC_EDGES 256
#define RP_PARAMETRIC_NAME 64

/// What a parameter of a node has to do with the world: how a direction or a place becomes its value.
typedef enum rpAxisMeaning
{
	/// Nothing: it is asked for by its value.
	rp_axisPlain,
	/// How far it turns, to the left: the direction of travel, or the facing.
	rp_axisTurn,
	rp_axisFacing,
	/// How fast it goes: by how long the stick is.
	rp_axisSpeed,
	/// A place, as features have it: to the left of where the root is at the start, height, ahead.
	rp_axisX,
	rp_axisY,
	rp_axisZ,
	rp_axisMeaningCount,
} rpAxisMeaning;

/// How the motion of one node becomes that of the next.
typedef enum rpParametricSeam
{
	/// Poses blended by 2t³ - 3t² + 1, in the middle of which the transition is.
	rp_parametricSmooth,
	/// The same by a straight line (Heck, 3.3), which begins and ends with a jolt.
	rp_parametricLinear,
	/// Velocities blended: feet that go at one speed on both sides do not slide.
	rp_parametricVelocity,
	/// Both sides are led to where they meet: nothing is shown of what is beyond the transition.
	rp_parametricDisplace,
	rp_parametricSeamCount,
} rpParametricSeam;

/// "smooth", "linear", "velocity", "displace".
RP_API const char* rpParametricSeam_GetName(rpParametricSeam seam);

/// What a motion of the source leads to. Times are parts of the core of a motion: 0 where the stretch itself begins, 1
/// where it ends; in a margin they are less or more.
typedef struct rpParametricSample
{
	/// The motion of the source, and the box of parameters of the target that it leads to: its middle and its widths.
	/// Negative widths: it leads nowhere (edges that are partial alone have such).
	float values[RP_MAX_SPACE_PARAMETERS];
	float center[RP_MAX_SPACE_PARAMETERS], width[RP_MAX_SPACE_PARAMETERS];

	/// When, in the source and in the target: the mean over what is good in the box.
	float from, to;

	/// The target's motion that is nearest to this one, when it is reached, and how far it is, metres.
	float best[RP_MAX_SPACE_PARAMETERS];
	float bestFrom, bestTo, bestDistance;
} rpParametricSample;

/// An edge. Distances are the metric's: roots of weighted means of squares, metres.
typedef struct rpParametricEdge
{
	int source, target;

	/// [sampleCount] of the graph's samples from firstSample on.
	int firstSample, sampleCount;

	/// What was good is at most `good`; nothing is played above `bad`.
	float good, bad;

	rpParametricSeam seam;

	/// Seconds of the seam.
	float length;

	/// Some motions of the source lead nowhere.
	bool isPartial;
} rpParametricEdge;

typedef struct rpParametricNode
{
	char name[RP_PARAMETRIC_NAME];

	/// Its motions are NULL where the graph is read from a bundle.
	rpSpace* space;
	rpAxisMeaning axes[RP_MAX_SPACE_PARAMETERS];
} rpParametricNode;

/// What its metric sees: markers that are fixed to joints, in the frames of a window.
typedef struct rpParametricMarker
{
	int32_t joint;
	float offset[3];
	float weight;
} rpParametricMarker;

/// A graph. Const once built; fields are there to be read.
typedef struct rpParametricGraph
{
	rpParametricNode* nodes;
	int nodeCount;

	rpParametricEdge* edges;
	int edgeCount;

	rpParametricSample* samples;
	int sampleCount;

	/// [markerCount], whose weights add up to 1; [2 * halfWindow + 1], weights that add up to 1; frames per second of
	/// the window.
	rpParametricMarker* markers;
	int markerCount;
	float* window;
	int halfWindow;
	float fps;

	/// How many seconds around the ends of cores transitions are looked for, to either side.
	float margin;
} rpParametricGraph;

RP_API void rpDestroyParametricGraph(rpParametricGraph* graph);

/// The node of a name, -1 if there is none; and the edge from one node to another.
RP_API int rpParametricGraph_FindNode(const rpParametricGraph* graph, const char* name);
RP_API int rpParametricGraph_FindEdge(const rpParametricGraph* graph, int source, int target);

/// What a motion of an edge's source leads to.
typedef struct rpParametricBox
{
	/// By parameter of the target.
	float low[RP_MAX_SPACE_PARAMETERS], high[RP_MAX_SPACE_PARAMETERS];

	/// When, as rpParametricSample has it.
	float from, to;

	/// Partial edges: it leads nowhere.
	bool isEmpty;

	/// The sample that is nearest to it.
	int nearest;
} rpParametricBox;

/// Look it up: the means of the nearest samples' boxes (eq. 6.1 to 6.3). values is [parameterCount] of the source.
/// Allocates nothing.
RP_API rpParametricBox rpParametricGraph_LookUp(const rpParametricGraph* graph, int edge, const float* values);

#ifdef __cplusplus
}
#endif
