/// A motion graph in the making: examples, candidates for transitions, and the wiring of both.
#pragma once

#include "reprise/graph_build.h"

/// What the feet do in a frame, left and right.
typedef struct rpFrameFeet
{
	/// The middle of each sole, in the clip, and the height of what it rests on, metres; NAN in the air.
	rpVec3 soles[2];
	float supports[2];

	/// Height of what the body rests on, or where it flies rested on last; NAN where it never rests.
	float level;

	/// How the body is turned, in the clip.
	rpQuat facing;
} rpFrameFeet;

/// The clips of a graph to be, with what is known of each frame at the graph's rate.
typedef struct rpExamples
{
	double fps;

	/// Frames that a transition takes on either side of its middle: all, or where lengths are computed the fewest.
	int half;

	/// About how many frames on either side of its middle a transition takes, until its own length is known.
	int usualHalf;

	char** labels;
	int labelCount;
	rpGraphClip* clips;
	int clipCount;

	/// [clipCount + 1]; frame f of clip c is at firstFrames[c] + f.
	int* firstFrames;
	uint64_t* masks;
	uint16_t* contacts;

	/// By rpExamples_GatherFeet.
	rpFrameFeet* feet;

	/// Whether each frame is left out because the clip is broken there; NULL: none is. Frames on either side of each
	/// that are in the clip and not left out, -1 for one that is. By rpExamples_FindFaults.
	bool* isLeftOut;
	int* rooms;

	/// How far each frame is from that changeStep frames later, in the metric's unit; NAN where that is not known. By
	/// rpFindCandidates.
	float* changes;
	int changeStep;

	/// Distances above this are never transitions, in the metric's unit.
	float greatest;
} rpExamples;

/// Take motions (those that were are NULL afterwards), with mirror images if asked for, and look up their labels and
/// contacts, and what is to be left out, which go into the report; it may be NULL. Contacts are found where a motion
/// has none. Free with rpExamples_Free, after failure too.
bool rpExamples_Gather(rpExamples* examples, rpMotion** motions, int count, const rpGraphDef* def,
					   const rpMetric* metric, rpGraphReport* report, rpError* error);
void rpExamples_Free(rpExamples* examples);

/// A place where two clips are alike: frame i of clip a, and frame j of clip b moved by alignment. a <= b.
typedef struct rpCandidate
{
	int a, i, b, j;
	float distance;
	rpGroundTransform alignment;
} rpCandidate;

typedef struct rpCandidates
{
	rpCandidate* items;
	int count, capacity;
} rpCandidates;

/// Distances above this are never transitions, metres: half of a walker's greatest distance from himself.
#define RP_CANDIDATE_LIMIT 0.4f

/// The same for angles, without unit: with fitted weights the bad examples are about 1 apart, and a walk and a run
/// more.
#define RP_ANGLE_LIMIT 2.0f

/// Transitions whose lengths are computed take at least this long, seconds.
#define RP_SHORTEST_BLEND 0.1

/// A transition: one direction of a candidate.
typedef struct rpTransit
{
	int fromClip, fromMiddle, toClip, toMiddle;
	float distance;
	rpGroundTransform alignment;

	/// Frames of its blend on either side of the middle.
	int half;
} rpTransit;

/// Both directions of each candidate that has room for its blend on either side, in a fixed order. [2 * count] is
/// enough for out; returns how many. Only between equal contact states, if asked for.
int rpListTransits(const rpExamples* examples, const rpCandidates* candidates, bool sameContacts, rpTransit* out);

/// The longest that half a transition can be: the room in both clips on either side of its middle, frames.
int rpTransit_GetRoom(const rpExamples* examples, const rpTransit* transit);

/// Compute how long each wanted transition of that list takes; isWanted is [count]. False when memory ran out.
bool rpFindTransitLengths(const rpExamples* examples, rpTransit* transits, const bool* isWanted, int count,
						  rpError* error);

/// Labels of the frames that a transition leaves and of those that it enters.
uint64_t rpTransit_GetFromLabels(const rpExamples* examples, const rpTransit* transit);
uint64_t rpTransit_GetToLabels(const rpExamples* examples, const rpTransit* transit);

/// Nodes and edges of these transitions and of the clips between them. The graph has no clips, labels or paths yet.
/// transitOf, [edge count] and freed by the caller, gives each edge's transition, -1 for stretches of a clip.
rpGraph* rpWireGraph(const rpExamples* examples, const rpTransit* transits, int count, int** transitOf, rpError* error);

/// The largest distance of transitions from each label to each: chosen or given.
typedef struct rpThresholds
{
	/// [labelCount * labelCount]; 0: never.
	float* limits;
	int labelCount;

	/// [labelCount], at least the label's own limit: up to here transitions join what does not hang together under that
	/// limit. And [count of the transitions] which ones do.
	float bridges[RP_MAX_GRAPH_LABELS];
	bool* isBridge;

	/// Share of each label's frames that hang together under its limit, by the lengths that transitions had then.
	float shares[RP_MAX_GRAPH_LABELS];
} rpThresholds;

/// Choose thresholds; report's table and warnings are added to. Free with rpThresholds_Free.
bool rpChooseThresholds(const rpExamples* examples, const rpTransit* transits, int count, const rpGraphDef* def,
						rpThresholds* out, rpGraphReport* report, rpError* error);

void rpThresholds_Free(rpThresholds* thresholds);

/// Whether thresholds allow the transition of an index.
bool rpThresholds_Allow(const rpThresholds* thresholds, const rpExamples* examples, const rpTransit* transits,
						int index);

/// Keep the edges whose start is in the largest component of some label, and whose end is in that of the same or of
/// another; drop nodes without edges (section 4.1.3). labelCount labels are looked at. Unless that is all that is asked
/// for, what leads through labels of which less than half goes on for ever is kept too (build/kept_paths.h).
bool rpPruneGraph(rpGraph* graph, int labelCount, bool isStrict, rpGraphReport* report, rpError* error);

/// Add what a person should know of a graph that is built to the report's warnings: labels that nothing goes on with,
/// small ones, and those from which others cannot be reached, or on average not in the wanted time, seconds. report may
/// be NULL.
bool rpWarnOfGraph(const rpGraph* graph, const rpExamples* examples, double wantedSwitch, rpGraphReport* report,
				   rpError* error);

/// Add a line to the report's warnings; report may be NULL.
bool rpGraphReport_Warn(rpGraphReport* report, rpError* error, const char* format, ...) RP_PRINTF(3, 4);
