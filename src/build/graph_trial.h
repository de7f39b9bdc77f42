/// What a threshold would connect. All candidates are wired once; a threshold is then a choice of edges, and each look
/// at one is linear in the edges of the label that it is about.
#pragma once

#include "build/graph_draft.h"

/// A transition that leaves the label at hand.
typedef struct rpTrialExit
{
	float distance;
	int node;
} rpTrialExit;

/// The part of the wiring that one label has: its nodes are numbered anew.
typedef struct rpTrialPart
{
	int label;
	int nodeCount, edgeCount;

	/// [nodes of the graph] numbers here, -1.
	int* locals;

	/// [nodeCount + 1], [edgeCount]: edges by their start. Distances are negative for stretches of a clip.
	int* firstEdges;
	int* sources;
	int* targets;
	int* lengths;
	float* distances;
	bool* isUsed;

	/// Transitions up to this distance are used anywhere; farther ones only between islands: [nodeCount], the component
	/// of each node under it. Without rpTrial_NoteIslands each node is one.
	float near;
	int* islands;

	/// [nodeCount] components of the edges in use, frames of clips in each, and which is the largest (-1: none).
	int* component;
	int64_t* frames;
	int largest, largestCount;

	/// Edges of the largest component by their end: [nodeCount + 1], [edgeCount].
	int* firstBacks;
	int* backs;

	/// [outCount] edges of the graph that start in the largest component, of whatever labels.
	int* outs;
	int outCount;

	/// For the path to the exits: [nodeCount] frames, a ring of lists of nodes, [edgeCount + nodeCount] entries of
	/// them.
	int* distance;
	int* ring;
	int ringSize;
	int* entries;
	int* nexts;
} rpTrialPart;

typedef struct rpTrial
{
	const rpExamples* examples;
	rpGraph* graph;
	int* transitOf;

	/// Whether of each label its component is all that counts.
	bool isStrict;

	/// [nodeCount], bits of the labels in whose component, settled last, a node is.
	uint64_t* components;
	rpTrialPart part;
} rpTrial;

/// Whether a transition between frames with these labels is one from a label to another, which leaves the one and
/// enters the other; or one within a label, which both sides have.
bool rpIsSwitch(uint64_t fromLabels, uint64_t toLabels, int from, int to);

/// Wire all candidates. Free with rpTrial_Free, after failure too.
bool rpTrial_Make(rpTrial* trial, const rpExamples* examples, const rpTransit* transits, int count, rpError* error);
void rpTrial_Free(rpTrial* trial);

/// Take up the part of a label; of that of another nothing is left.
void rpTrial_SelectLabel(rpTrial* trial, int label);

/// Use transitions beyond a threshold only where they join what does not hang together under it, until the next
/// rpTrial_SelectLabel. False when memory ran out.
bool rpTrial_NoteIslands(rpTrial* trial, float threshold, rpError* error);

/// Mark the transitions beyond that threshold, up to another one, that join islands: by the index that transitions had
/// when the trial was made.
void rpTrial_MarkBridges(const rpTrial* trial, float longest, bool* isBridge);

/// Share of the label's frames in its largest component, with transitions up to a threshold; negative: no memory.
float rpTrial_GetShare(rpTrial* trial, float threshold, rpError* error);

/// Keep the largest component that a threshold gives, for paths out of it and into it. If less than half of the label
/// is in it, all of the label is kept in its place, unless the trial is strict.
bool rpTrial_Settle(rpTrial* trial, float threshold, rpError* error);

/// Distances of the transitions within the label, sorted; free with rpFree.
float* rpTrial_ListDistances(const rpTrial* trial, int* count, rpError* error);

/// Transitions from the largest component into that of another label, which was settled before, sorted by distance,
/// after stretches of clips that have both labels (distance -1); free with rpFree.
rpTrialExit* rpTrial_ListExits(const rpTrial* trial, int to, int* count, rpError* error);

/// The min distance of such transitions into each label's component: -1 where a stretch has both labels, INFINITY where
/// there are none. [labels of the examples]
void rpTrial_FindMinima(const rpTrial* trial, float* minima);

/// Share of the nodes of the largest component from which one of the first exits is reached in so many frames.
float rpTrial_GetSwitchShare(rpTrial* trial, const rpTrialExit* exits, int exitCount, int longest);
