/// Steering a motion graph: for every place in it and every direction the edge to go on with, worked out beforehand;
/// and the bundle that a player runs from.
#pragma once

#include "reprise/play/graph.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to make a table. Must come from rpDefaultSteeringDef().
typedef struct rpSteeringDef
{
	/// How far ahead walks are looked at, seconds, 3 (90 frames).
	double seconds;

	/// The speed to travel with, m/s; 0: that of the graph's own motion, its upper quartile.
	double speed;

	/// Threads, 0: as many as the machine has cores and the graph is worth. The table is the same for any number.
	int threads;
} rpSteeringDef;

/// What came of it.
typedef struct rpSteeringReport
{
	/// Entries, and the seconds of motion that they were chosen over.
	int entryCount;
	double seconds;

	/// The speed that was wanted, m/s.
	double speed;

	/// Over all nodes and directions: the mean speed of the best walks in their direction, m/s; the mean angle between
	/// the direction and where they actually go, radians.
	double progress;
	double deviation;
} rpSteeringReport;

RP_API rpSteeringDef rpDefaultSteeringDef(void);

/// Make graph->steering, in place of one that is there: the first edges of the walks of def->seconds whose velocity
/// keeps nearest to the one that is wanted: the integral of |v - speed * direction|² is minimal. def, report and error
/// may be NULL. False when memory ran out.
RP_API RP_NODISCARD bool rpGraph_MakeSteering(rpGraph* graph, const rpSteeringDef* def, rpSteeringReport* report,
											  rpError* error);

/// The cost of a walk of `frames` frames at most that begins with the edges given, one after the other; direction is
/// one of the table's. What rpGraph_MakeSteering makes small. speed is that of the report.
RP_API double rpGraph_GetSteeringCost(const rpGraph* graph, const int* edges, int edgeCount, int frames, int direction,
									  double speed);

/// A graph with its clips and its steering table (made with the default definition where there is none) as a bundle,
/// the same bytes for the same graph; free with rpFreeBytes. error may be NULL. NULL when memory ran out, or when a
/// clip's bones are not rigid.
RP_API RP_NODISCARD void* rpWriteGraphBundle(const rpGraph* graph, size_t* size, rpError* error);

/// The same into a file, written beside and renamed.
RP_API RP_NODISCARD bool rpSaveGraphBundle(const rpGraph* graph, const char* path, rpError* error);

#ifdef __cplusplus
}
#endif
