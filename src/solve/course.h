/// A path over the floor as the search sees it: the cost of an edge that leads along it, and when it has been walked.
#pragma once

#include "solve/walk_space.h"

/// The path is looked up in steps of this, metres: a frame of a walk at 0.6 m/s, and no path that people walk along
/// turns noticeably within it.
#define RP_COURSE_STEP 0.02

/// Where a walk shall end.
typedef struct rpCourseGoal
{
	const rpGoDef* def;

	/// [edgeCount], edges that it may end with.
	const bool* edges;
} rpCourseGoal;

/// How far a root is from the goal: metres, a radian of heading counted as some of them.
double rpCourseGoal_Measure(const rpCourseGoal* goal, rpGround root);

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

	/// No edge of this style leads to one of the next: others may be taken in between, the fastest way.
	bool isBridged;

	/// Mean way of a frame of this style, metres.
	double speed;
} rpStyleChange;

/// The path, ready to be looked up. Free with rpCourse_Free.
typedef struct rpCourse
{
	const rpGraph* graph;
	const rpPathDef* def;

	/// The path that is followed, [wayCount]: that of the definition, or the way around the areas on it.
	const rpVec2* way;
	rpVec2* bent;
	int wayCount;

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
	double styleReach;

	/// How much farther than asked for areas are stayed out of, metres.
	double clearance;

	/// [styleCount or 1][edgeCount] whether an edge has one of the labels of a style, on both its sides.
	bool* isOfStyle;

	/// [styleCount] what leads from a style to the next; NULL with less than two styles.
	rpStyleChange* changes;

	/// NULL: the end of the path.
	const rpCourseGoal* goal;

	/// Whether walks are bent towards the path; then where clips lead in each of their frames, (x, z), at
	/// graph->firstContacts; and where the clip of the last edge lies in each of its frames, if anyone wants to know.
	bool isBending;
	rpVec2* clipDirections;
	rpGround* placements;
} rpCourse;

/// Lay out a path on a graph; both are borrowed.
bool rpCourse_Lay(rpCourse* course, const rpGraph* graph, const rpPathDef* def, rpError* error);
void rpCourse_Free(rpCourse* course);

/// Edges that a walk may start with: stretches of clips in the first style. Free with rpFree; NULL: there are none, or
/// no memory.
int* rpCourse_ListStarts(const rpCourse* course, int* count, rpError* error);

/// The course's point at, or just before, a length along the path.
int rpCourse_FindPoint(const rpCourse* course, double length);

/// The rule of rpWalkRule for a course, which is the context; and whether a walk has come to its end.
double rpCourse_GetCost(const rpStep* step, int edge, int frameCount, double limit, rpStep* next, const void* context);
bool rpCourse_MayTake(const rpStep* step, int edge, const void* context);
int rpCourse_GetBin(const rpStep* step, int edge, const void* context);
bool rpCourse_IsAtEnd(const rpWalkState* walk, void* context);

/// Have walks bent from now on. False when memory ran out.
bool rpCourse_Bend(rpCourse* course, rpError* error);

/// How a walk that was found on a course which bends is bent; part of the walk. False when memory ran out.
bool rpCourse_ListBends(const rpCourse* course, rpWalk* walk, rpError* error);

/// Search along the course, as rpCourse_Prepare has it.
rpWalk* rpCourse_Search(const rpCourse* course, const rpSearchDef* search, rpError* error);

/// All but the cost of a search along the course, which is the context. The root starts at the path's start, going or
/// looking the way that the path goes; with a goal, as that has it.
void rpCourse_Prepare(rpCourse* course, rpSearchDef* search);

/// Find the edges of each style and what leads from each to the next. False with rp_errorNoSolution where nothing does.
bool rpCourse_LayStyles(rpCourse* course, rpError* error);
void rpCourse_FreeStyles(rpCourse* course);

/// Whether an edge has one of the labels of a style, on both its sides.
bool rpCourse_IsOfStyle(const rpCourse* course, int edge, int style);

/// The style that a walk of this style and progress has after an edge, -1 if the edge must not be taken.
int rpCourse_GetStyle(const rpCourse* course, int style, double progress, int edge);

/// Metres along the path at which a style ends.
double rpCourse_GetStyleEnd(const rpCourse* course, int style);

/// About what it costs that the nearest edge of the next style is too far from here to be there in time; `left` frames
/// of the edge are still to come. Infinite: there is none.
double rpCourse_GetDetour(const rpCourse* course, int style, double progress, int node, int left);

/// Least progress per frame beyond the end of a style, metres: to stand still there is to be late as well.
double rpCourse_GetLateSpeed(const rpCourse* course, int style);
