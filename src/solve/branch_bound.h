/// The search core: depth-first branch and bound with greedy ordering. It sees only states, what they expand to, what
/// that costs, what is still to pay at least, and when a state is a goal.
#pragma once

#include "reprise/base.h"

/// The problem. Costs are not negative, so that a partial solution that costs more than the worst of those kept can be
/// left.
typedef struct rpBranchProblem
{
	/// Bytes of a state; states are copied as bytes.
	size_t stateSize;

	/// The index-th child of a state and what the step costs, infinite for one that must not be; false past the last.
	bool (*expand)(const void* state, int index, void* child, double* cost, void* context);

	/// Whether a state ends a solution.
	bool (*isGoal)(const void* state, void* context);

	/// The least that a solution from here must still cost; NULL: 0.
	double (*estimate)(const void* state, void* context);
	void* context;

	/// How many of the best solutions to keep, 1 … rp_mostSolutions; a solution under `enough` ends the search; so does
	/// the number of expansions `effort`.
	int keep;
	double enough;
	int64_t effort;

	/// Of the steps of a solution, how many at most.
	int depth;
} rpBranchProblem;

enum
{
	rp_mostSolutions = 16,
};

/// A solution: the indices of the children taken, one after the other. Owned by the result.
typedef struct rpSolution
{
	int* steps;
	int stepCount;
	double cost;
} rpSolution;

/// The best solutions, cheapest first, and what it took. Free with rpBranchResult_Free.
typedef struct rpBranchResult
{
	rpSolution solutions[rp_mostSolutions];
	int count;
	int64_t expanded;

	/// Every solution that could have been better was looked at.
	bool isExhaustive;
} rpBranchResult;

/// Search from a state. False when memory ran out. Finding nothing is no failure: count is 0 then.
RP_NODISCARD bool rpBranchAndBound(const rpBranchProblem* problem, const void* start, rpBranchResult* out,
								   rpError* error);
void rpBranchResult_Free(rpBranchResult* result);
