/// A path over the floor as the search sees it: the cost of an edge that leads along it, and when it has been walked.
#pragma once

#include "reprise/walk.h"

/// Where a walk shall end: the root's place and heading, and what it ends with.
typedef struct rpCourseGoal
{
	rpGround root;

	/// [edgeCount], edges that it may end with; NULL: any.
	const bool* edges;
} rpCourseGoal;

/// The path, ready to be looked up. Free with rpCourse_Free.
typedef struct rpCourse
{
	const rpGraph* graph;
	const rpPathDef* def;

	/// [pointCount], a fixed length apart.
	rpVec2* points;
	bool* isStraight;
	int pointCount;
	double length;
	double styleReach;

	/// NULL: the end of the path. With a goal: where the root starts.
	const rpCourseGoal* goal;
	rpGround start;
} rpCourse;

/// Lay out a path on a graph; both are borrowed.
bool rpCourse_Lay(rpCourse* course, const rpGraph* graph, const rpPathDef* def, rpError* error);
void rpCourse_Free(rpCourse* course);

/// Edges that a walk may start with: stretches of clips in the first style. Free with rpFree; NULL: there are none, or
/// no memory.
int* rpCourse_ListStarts(const rpCourse* course, int* count, rpError* error);

/// The functions of a search along the course, which is their context. The root starts at the path's start, going or
/// looking the way that the path goes.
void rpCourse_Prepare(rpCourse* course, rpSearchDef* search);
