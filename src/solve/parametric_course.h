/// Motions of a parametric graph one after the other, planned, compared and laid as players do it.
#pragma once

#include "solve/parametric_moves.h"

/// One of them.
typedef struct rpCourseMotion
{
	rpParametricMotion motion;

	/// The edge that it came by, -1 for the first; where in its box it was asked for, 0 to 1, and the values.
	int edge;
	float part[RP_MAX_SPACE_PARAMETERS], requested[RP_MAX_SPACE_PARAMETERS];

	/// When the seam into it is over, seconds; how far it was, metres; whether it was forced.
	double settled;
	float distance;
	bool isForced;
} rpCourseMotion;

typedef struct rpCourse
{
	const rpParametricModel* model;
	rpGroundTransform start;
	rpCourseMotion* motions;
	int count, capacity;

	/// Scratch; and how many steps were made.
	rpParametricStep* step;
	int64_t madeCount;
} rpCourse;

/// Free with rpCourse_Free, after failure too.
RP_NODISCARD bool rpCourse_Create(rpCourse* course, const rpParametricModel* model, rpGroundTransform start,
								  rpError* error);
void rpCourse_Free(rpCourse* course);

/// Make room for one more motion.
RP_NODISCARD bool rpCourse_MakeRoom(rpCourse* course, rpError* error);

/// A first motion for values, or one more by an edge; there is room. False where the edge leads nowhere.
void rpCourse_Begin(rpCourse* course, int node, const float* requested);
bool rpCourse_Append(rpCourse* course, int edge, const float* requested);

/// The same by parts of what it can be, [parameterCount].
void rpCourse_BeginAt(rpCourse* course, int node, const float* part);
bool rpCourse_AppendAt(rpCourse* course, int edge, const float* part);

/// Lay all motions from one on again, by their parts.
bool rpCourse_LayAgain(rpCourse* course, int first);

/// When a motion alone is seen, seconds; false where seams leave nothing of it.
bool rpCourse_FindAlone(const rpCourse* course, int index, double* first, double* last);

/// The root in a motion at a time.
rpGroundTransform rpCourse_GetRoot(const rpCourse* course, int index, double seconds);
