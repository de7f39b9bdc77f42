/// What motions of a parametric graph do over the floor, as a table: a search that would plan and compare each motion
/// that it looks at (a tenth of a millisecond) looks at thousands of them in that time.
///
/// A motion is known by the values that were asked for. Tables are grids over these, between whose points all is
/// interpolated; what a motion leads to is known for a grid of choices over the box of values that can follow. Rows are
/// made when they are asked for first.
#pragma once

#include "model/parametric_step.h"

enum
{
	/// Moments of a motion at which its place is known: a step of half a second is known every 3 cm.
	rp_moveMoments = 17,
};

/// Where the root is, as seen from where it was when the core began; turns are counted on beyond half circles.
typedef struct rpMovePlace
{
	float x, z, turn;
} rpMovePlace;

/// A motion: its places from the beginning of its core to the end, at equal steps of time.
typedef struct rpMove
{
	rpMovePlace places[rp_moveMoments];

	/// Seconds of the core; and when a seam to another motion begins at the earliest, seconds from its beginning.
	float seconds, leave;

	/// Metres along the way.
	float length;
} rpMove;

/// From one motion to the next: between the beginnings of their cores.
typedef struct rpMoveStep
{
	rpMovePlace place;
	float seconds;

	/// When the seam between them is over, seconds from where the core of the next begins.
	float settled;

	/// What was asked of the next, and the part of it that is forced: 1 where it is.
	float asked[RP_MAX_SPACE_PARAMETERS];
	float forced;
	bool isThere;
} rpMoveStep;

/// A grid over values or over a box.
typedef struct rpMoveGrid
{
	int dimension, divisions, count;
} rpMoveGrid;

typedef struct rpMoveNode
{
	rpMoveGrid grid;

	/// [grid.count]
	rpMove* moves;
} rpMoveNode;

typedef struct rpMoveEdge
{
	rpMoveGrid choices;

	/// [grid.count of the source * choices.count], and which rows were made.
	rpMoveStep* steps;
	bool* isKnown;
} rpMoveEdge;

/// The table. Not for several threads at once: rows are made when they are needed.
typedef struct rpParametricMoves
{
	const rpParametricModel* model;
	rpMoveNode* nodes;
	rpMoveEdge* edges;

	/// Scratch: two motions, a step.
	rpParametricMotion* now;
	rpParametricStep* step;

	/// Steps that were made.
	int64_t madeCount;
} rpParametricMoves;

/// The model must outlive it. finer: by how much grids of choices are finer than usual, 1: as usual. False when memory
/// ran out; free with rpParametricMoves_Free, after failure too.
RP_NODISCARD bool rpParametricMoves_Create(rpParametricMoves* moves, const rpParametricModel* model, int finer,
										   rpError* error);
void rpParametricMoves_Free(rpParametricMoves* moves);

/// The motion of a node for values.
void rpParametricMoves_Get(const rpParametricMoves* moves, int node, const float* asked, rpMove* out);

/// The place of a motion some seconds after its core began.
rpMovePlace rpMove_GetPlace(const rpMove* move, float seconds);

/// What comes after a motion of an edge's source by a choice, 0 to choices.count - 1; false if there is no such.
bool rpParametricMoves_Choose(rpParametricMoves* moves, int edge, const float* asked, int choice, rpMoveStep* out);

/// Where in its box a choice lies, by axis, 0 to 1.
void rpMoveGrid_GetPart(const rpMoveGrid* grid, int index, float* out);

/// The values at a part of a box.
void rpParametricBox_Get(const rpParametricBox* box, int dimension, const float* part, float* out);

/// All that a node's motions can be.
rpParametricBox rpSpace_GetBox(const rpSpace* space);

/// When, seconds from where the span starts, the first seam to another motion begins: until then only this one is seen.
/// The end of its core where nothing follows.
double rpParametricMotion_FindLeave(const rpParametricModel* model, const rpParametricMotion* motion);

/// b seen from where a is seen from, b being seen from a.
rpMovePlace rpMovePlace_Compose(rpMovePlace a, rpMovePlace b);
