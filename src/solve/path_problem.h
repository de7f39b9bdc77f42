/// A path over the floor as the search sees it: the cost of an edge that leads along it, and when it has been walked.
#pragma once

#include "solve/walk_space.h"

/// The path is looked up in steps of this, metres: a frame of a walk at 0.6 m/s, and no path that people walk along
/// turns noticeably within it.
#define RP_PATH_STEP 0.02

/// Where a walk shall end.
typedef struct rpPathGoal
{
	const rpWalkToPlaceDef* def;

	/// [edgeCount], edges that it may end with.
	const bool* edges;
} rpPathGoal;

/// How far a root is from the goal: metres, a radian of heading counted as some of them.
double rpPathGoal_Measure(const rpPathGoal* goal, rpGroundTransform root);

enum
{
	/// 20 s at 30 Hz, in words of 64 frames.
	rp_changeWords = 10,
};

/// From one style to the next.
typedef struct rpStyleChange
{
	/// [nodeCount] frames from a node to the nearest edge of the next style, by edges of this one; large: there is
	/// none.
	int* frames;

	/// [nodeCount * rp_changeWords] bits: whether such an edge can be reached in exactly that many frames.
	uint64_t* moments;

	/// No edge of this style leads to one of the next: others may be taken in between, by the fastest path.
	bool isBridged;

	/// Mean distance travelled in a frame of this style, metres.
	double speed;
} rpStyleChange;

/// The path, ready to be looked up. Free with rpPathProblem_Free.
typedef struct rpPathProblem
{
	const rpGraph* graph;
	const rpPathDef* def;

	/// The path that is followed, [pathCount]: that of the definition, or the path around the areas on it.
	const rpVec2* path;
	rpVec2* bent;
	int pathCount;

	/// [pointCount], a fixed length apart.
	rpVec2* points;
	rpVec2* tangents;
	bool* isStraight;
	/// Where the path leads from there on, radians; and where the motion does from each node of the graph, in the
	/// coordinates of its clip, [nodeCount].
	float* directions;
	float* nodeDirections;
	int pointCount;
	double length;
	double styleOverlap;

	/// How much farther than asked for areas are stayed out of, metres.
	double clearance;

	/// [styleCount or 1][edgeCount] whether an edge has one of the labels of a style, on both its sides.
	bool* isOfStyle;

	/// [styleCount] what leads from a style to the next; NULL with less than two styles.
	rpStyleChange* changes;

	/// NULL: the end of the path.
	const rpPathGoal* goal;

	/// Whether walks are bent towards the path; then where clips lead in each of their frames, (x, z), at
	/// graph->firstContacts; and where the clip of the last edge lies in each of its frames, if anyone wants to know.
	bool isBending;
	rpVec2* clipDirections;
	rpGroundTransform* placements;
} rpPathProblem;

/// Lay out a path on a graph; both are borrowed.
bool rpPathProblem_Lay(rpPathProblem* problem, const rpGraph* graph, const rpPathDef* def, rpError* error);
void rpPathProblem_Free(rpPathProblem* problem);

/// Edges that a walk may start with: stretches of clips in the first style. Free with rpFree; NULL: there are none, or
/// no memory.
int* rpPathProblem_ListStarts(const rpPathProblem* problem, int* count, rpError* error);

/// The problem's point at, or just before, a length along the path.
int rpPathProblem_FindPoint(const rpPathProblem* problem, double length);

/// The rule of rpWalkRule for a path problem, which is the context; and whether a walk has come to its end.
double rpPathProblem_GetCost(const rpStep* step, int edge, int frameCount, double limit, rpStep* next,
							 const void* context);
bool rpPathProblem_MayTake(const rpStep* step, int edge, const void* context);
int rpPathProblem_GetBin(const rpStep* step, int edge, const void* context);
bool rpPathProblem_IsAtEnd(const rpWalkState* walk, void* context);

/// Have walks bent from now on. False when memory ran out.
bool rpPathProblem_Bend(rpPathProblem* problem, rpError* error);

/// How a walk that was found with bends is bent; part of the walk. False when memory ran out.
bool rpPathProblem_ListBends(const rpPathProblem* problem, rpWalk* walk, rpError* error);

/// Search along the path, as rpPathProblem_Prepare has it.
rpWalk* rpPathProblem_Search(const rpPathProblem* problem, const rpSearchDef* search, rpError* error);

/// All but the cost of a search along the path, which is the context. The root starts at the path's start, going or
/// looking in the direction of the path; with a goal, as that has it.
void rpPathProblem_Prepare(rpPathProblem* problem, rpSearchDef* search);

/// Find the edges of each style and what leads from each to the next. False with rp_errorNoSolution where nothing does.
bool rpPathProblem_LayStyles(rpPathProblem* problem, rpError* error);
void rpPathProblem_FreeStyles(rpPathProblem* problem);

/// Whether an edge has one of the labels of a style, on both its sides.
bool rpPathProblem_IsOfStyle(const rpPathProblem* problem, int edge, int style);

/// The style that a walk of this style and progress has after an edge, -1 if the edge must not be taken.
int rpPathProblem_GetStyle(const rpPathProblem* problem, int style, double progress, int edge);

/// Metres along the path at which a style ends.
double rpPathProblem_GetStyleEnd(const rpPathProblem* problem, int style);

/// About what it costs that the nearest edge of the next style is too far from here to be there in time; `left` frames
/// of the edge are still to come. Infinite: there is none.
double rpPathProblem_GetDetour(const rpPathProblem* problem, int style, double progress, int node, int left);

/// Min progress per frame beyond the end of a style, metres: to stand still there is to be late as well.
double rpPathProblem_GetLateSpeed(const rpPathProblem* problem, int style);
