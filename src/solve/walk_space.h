/// The walks on a graph as a search space: states are walks, steps are edges.
#pragma once

#include "reprise/walk.h"
#include "solve/search_space.h"

/// A walk as a state.
typedef struct rpStep
{
	rpWalkState walk;

	/// Of the angle by which its placement turns.
	float sine, cosine;

	/// What a rule keeps for the edges to come: how far the point of the path is pulled in a frame, metres; and
	/// what is still to be paid at least.
	double pull;
	double ahead;

	/// How fast it turns in addition to what its clips show, rad/s.
	float bend;

	/// Since the start of the search, and whether the walk is complete.
	int frames;
	bool isComplete;
} rpStep;

/// What walks are searched for: all that differs from one search to the next.
typedef struct rpWalkRule
{
	/// What `frameCount` frames of an edge cost, infinite if it must not be taken or costs `limit` or more. next is the
	/// walk with the edge, all but cost, memo and what a rule keeps: these are filled in where it costs less.
	double (*getCost)(const rpStep* step, int edge, int frameCount, double limit, rpStep* next, const void* context);

	/// Whether an edge may be taken at all, and the bin of the walk with it (rpSearchKey). NULL: any, and 0.
	bool (*mayTake)(const rpStep* step, int edge, const void* context);
	int (*getBin)(const rpStep* step, int edge, const void* context);
	const void* context;
} rpWalkRule;

/// The space: a graph, what is searched for, and how far.
typedef struct rpWalkSpace
{
	const rpGraph* graph;
	const rpSearchDef* def;
	rpWalkRule rule;

	/// Walks of this many frames end the search. With isWhole only complete walks do, and there are none that are
	/// longer.
	int frameCount;
	bool isWhole;

	/// Walks that come to one node in one time compete if their lengths, in so many parts of a metre, are the same; 0:
	/// all of them do.
	double lengthParts;
} rpWalkSpace;

rpSearchSpace rpWalkSpace_Describe(rpWalkSpace* space);

/// The walk that has not begun.
rpStep rpWalkSpace_Start(const rpWalkSpace* space);

/// The index-th edge to continue with, -1 past the last.
int rpWalkSpace_GetEdge(const rpWalkSpace* space, const rpStep* step, int index);

/// Where the clip of the first edge lies.
rpGroundTransform rpWalkSpace_PlaceFirst(const rpWalkSpace* space, int edge);

/// The walk with the first frames of an edge appended, and what that costs. Where that is `limit` or more next is not
/// to be used.
double rpWalkSpace_Append(const rpWalkSpace* space, const rpStep* step, int edge, int frameCount, double limit,
						  rpStep* next);
