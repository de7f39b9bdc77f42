/// The ways that a parametric graph's motions can go as a search space: states are motions, steps are choices of what
/// comes after them, by the table of moves.
#pragma once

#include "solve/parametric_course.h"
#include "solve/parametric_goal.h"
#include "solve/search_space.h"
#include "solve/turning_way.h"

/// What a forced motion costs, seconds; and a miss, for all that is allowed: of two ways that take the same the nearer
/// is taken.
#define RP_FORCED_COST 0.5
#define RP_MISS_COST 0.3

/// What is known of a graph before any search.
typedef struct rpGoLimits
{
	rpTurningCircles circles;

	/// The fastest, m/s; and which way it goes where it faces +Z, radians.
	double speed, slant;
} rpGoLimits;

rpGoLimits rpParametricMoves_FindLimits(const rpParametricMoves* moves);

/// A motion, from where its core begins. node -1: before the first.
typedef struct rpGoState
{
	int node, count;
	float asked[RP_MAX_SPACE_PARAMETERS];
	rpMovePlace place;
	float seconds;

	/// Whether it comes to the goal, and what that still costs from where its core begins; else what it costs at least.
	bool isThere;
	float ahead;
} rpGoState;

typedef struct rpGoSearch
{
	rpParametricMoves* moves;
	const rpParametricGoDef* def;
	rpGoLimits limits;

	/// It is there if it comes as near as that, in parts of what is allowed.
	float allowed;
} rpGoSearch;

rpSearchSpace rpGoSearch_Describe(const rpGoSearch* search);
/// The last motion of a course as a state, and before the first motion.
rpGoState rpGoSearch_GetState(const rpGoSearch* search, const rpCourse* course);
rpGoState rpGoSearch_Start(void);

/// A choice: of the first motion a node and part of all its values, else an edge and a part of its box.
typedef struct rpGoChoice
{
	int node, edge;
	float part[RP_MAX_SPACE_PARAMETERS];
} rpGoChoice;

/// The index-th choice from a state; false past the last.
bool rpGoSearch_GetChoice(const rpGoSearch* search, const rpGoState* state, int index, rpGoChoice* out);

/// Make the choice; false if nothing follows by it. seconds is what it costs.
bool rpGoSearch_Append(const rpGoSearch* search, const rpGoState* state, int index, rpGoState* out, double* seconds);

/// The same without what is ahead of it.
bool rpGoSearch_Advance(const rpGoSearch* search, const rpGoState* state, int index, rpGoState* out);
