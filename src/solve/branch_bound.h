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
	/// On entry cost is what the step must cost less than to be of use: from there on any greater cost will do.
	bool (*expand)(const void* state, int index, void* child, double* cost, void* context);

	/// Called once before a state's children are asked for, to work out what they share; NULL: nothing.
	void (*open)(void* state, void* context);

	/// Whether a state ends a solution.
	bool (*isGoal)(const void* state, void* context);

	/// The least that a solution from here must still cost; NULL: 0.
	double (*estimate)(const void* state, void* context);
	void* context;

	/// For the beam: how far a state is on the way, 0 … layers - 1 (children are farther than their parents), and what
	/// it has in common with others that only few of are worth keeping. NULL: no beam.
	int (*getLayer)(const void* state, int* group, void* context);
	int layers;

	/// For the beam, NULL: none. The kind, 0 … rp_beamKinds - 1, of the index-th child, before it is expanded; and
	/// whether kinds are kept apart where a state, the cheapest of its layer, is: then the cheapest of each go on, even
	/// if those of another are cheaper.
	int (*getKind)(const void* state, int index, void* context);
	bool (*isSpread)(const void* state, void* context);

	/// For the beam: how many layers a child lies behind its parent at most, 0: any number. Only so many are kept.
	int span;

	/// For the beam, NULL: none. Called behind each layer; false, with an error, ends the search.
	bool (*tell)(int layer, void* context, rpError* error);

	/// For the beam: the layer of the index-th child, before it is expanded; `layers` or more for one that must not be;
	/// -1 past the last.
	int (*peekLayer)(const void* state, int index, void* context);

	/// For the beam, NULL: none. A child will be expanded soon: ask the memory for what that needs, first (1) for where
	/// it lies, a little later (0) for itself.
	void (*fetch)(const void* state, int index, int step, void* context);

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

enum
{
	rp_beamGrowth = 8,
	rp_beamKinds = 8,
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

/// A first look: in each layer only the `width` cheapest states go on, and of one group at most two; more of them, up
/// to rp_beamGrowth times as many, where few children are there to be tried. One good solution soon, where branch and
/// bound would still be among the last steps of its first. Adds it to the result, if there is one.
RP_NODISCARD bool rpSearchBeam(const rpBranchProblem* problem, const void* start, int width, rpBranchResult* out,
							   rpError* error);

/// Search from a state; solutions that the result holds already (it must be zero-initialised otherwise) are bounds from
/// the start. False when memory ran out. Finding nothing is no failure: count is 0 then.
RP_NODISCARD bool rpBranchAndBound(const rpBranchProblem* problem, const void* start, rpBranchResult* out,
								   rpError* error);
void rpBranchResult_Free(rpBranchResult* result);

/// Put a solution among the best, of which `most` are kept; one that is there already, or too dear, is left out. False
/// when memory ran out.
RP_NODISCARD bool rpBranchResult_Keep(rpBranchResult* result, int most, const int* steps, int stepCount, double cost,
									  rpError* error);
