/// What is searched: states, and the steps that lead from one to the next. Drivers (beam.h, branch_bound.h) see a space
/// and nothing else; they differ in what they look at and in what order.
#pragma once

#include "reprise/play/base.h"

enum
{
	rp_searchBins = 8,
};

/// Where a child belongs, known before it is expanded. It decides which states compete with each other.
typedef struct rpSearchKey
{
	/// How far along the search a state is; a child is farther than its parent. Below 0: it must not be taken.
	int layer;

	/// States of one layer and group continue alike: only the cheapest of them is worth keeping.
	int group;

	/// Diversity: states of one layer compete for room only with those of their own bin, 0 … rp_searchBins - 1. Bin 0
	/// is the usual one; what belongs to another is kept although bin 0 holds enough that is cheaper.
	int bin;
} rpSearchKey;

/// The space. Costs and estimates are not negative, so that a partial solution that costs more than the worst of those
/// kept can be left.
typedef struct rpSearchSpace
{
	/// Bytes of a state; states are copied as bytes.
	size_t stateSize;

	/// The key of the index-th child of a state; false past the last.
	bool (*getKey)(const void* state, int index, rpSearchKey* key, void* context);

	/// The index-th child and what the step costs, infinite for one that must not be taken; false past the last. On
	/// entry cost is what the step must cost less than to be of use: from there on any greater cost will do, and the
	/// child need not be filled in.
	bool (*expand)(const void* state, int index, void* child, double* cost, void* context);

	/// What a solution from here must still cost; 0 where nothing can be said. For a goal: what comes after it.
	double (*estimate)(const void* state, void* context);

	/// Whether a state ends a solution.
	bool (*isGoal)(const void* state, void* context);

	/// A child is to be expanded soon: ask for the memory that this needs, first (0) for what tells the rest (1). NULL:
	/// nothing is asked for.
	void (*fetch)(const void* state, int index, int stage, void* context);
	void* context;
} rpSearchSpace;

enum
{
	rp_maxSolutions = 16,
};

/// A solution: the indices of the children taken, one after the other, and their cost with the estimate at the end.
typedef struct rpSolution
{
	/// [stepCount], owned by rpSolutions.
	int* steps;
	int stepCount;
	double cost;
} rpSolution;

/// The best solutions, cheapest first. Set keep and leave the rest zero; free with rpSolutions_Free. Drivers add to
/// what is there, and take its costs as bounds.
typedef struct rpSolutions
{
	/// How many are kept, 1 … rp_maxSolutions.
	int keep;
	rpSolution items[rp_maxSolutions];
	int count;

	/// Children that were expanded so far.
	int64_t expanded;
} rpSolutions;

/// What a solution must cost less than to be kept.
double rpSolutions_GetBound(const rpSolutions* solutions);

/// Put a solution among the best; one that is there already, or costs too much, is left out. False when memory ran out.
RP_NODISCARD bool rpSolutions_Keep(rpSolutions* solutions, const int* steps, int stepCount, double cost,
								   rpError* error);
void rpSolutions_Free(rpSolutions* solutions);
