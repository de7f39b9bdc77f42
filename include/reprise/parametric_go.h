/// Going to a place with a parametric motion graph, and with a heading: greedily, or by a plan that looks several
/// motions ahead; and where a character can get within some time.
///
/// After R. Heck's thesis (2007), 6.2.2.2: his character chooses each motion as it comes, and where it can only turn in
/// large circles it goes round and round its target (Fig. 6.10).
#pragma once

#include "reprise/play/parametric_graph.h"
#include "reprise/play/player.h"
#include "reprise/reach.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Makes plans with the graph of a bundle. Opaque; it keeps what its motions do over the floor in a table that is made
/// as searches need it. Not for several threads at once.
typedef struct rpParametricPlanner rpParametricPlanner;

/// The bundle must outlive it. error may be NULL. NULL for other models, wrong numbers, or when memory ran out; free
/// with rpDestroyParametricPlanner.
RP_API RP_NODISCARD rpParametricPlanner* rpCreateParametricPlanner(const rpBundle* bundle, rpError* error);
RP_API void rpDestroyParametricPlanner(rpParametricPlanner* planner);

/// Its graph, without motions; owned by the planner.
RP_API const rpParametricGraph* rpParametricPlanner_GetGraph(const rpParametricPlanner* planner);

/// The smallest circles that its motions go round, to the left and to the right: radii, metres; infinite where none
/// turns to that side.
RP_API void rpParametricPlanner_GetCircles(const rpParametricPlanner* planner, double* left, double* right);

/// Where to go. Must come from rpDefaultParametricGoDef().
typedef struct rpParametricGoDef
{
	/// Where the root is at first and which way it faces, at the origin along +Z; and the node to begin with, -1: any
	/// (the greedy way: the goal's, else the first that turns).
	rpGroundTransform start;
	int startNode;

	/// Where it is to get, which way it is to face then (hasHeading, false), and in which node, -1: any.
	rpGroundTransform goal;
	bool hasHeading;
	int goalNode;

	/// It is there within so many metres, 0.3, and radians, 15 degrees.
	float radius, tolerance;

	/// Greedily (Heck, 6.2.2.2), false: every motion is the one that turns best to the goal, with a heading by a mean
	/// of both turns, in which the heading weighs exp(-distance / nearness), 1.5 m.
	bool isGreedy;
	float nearness;

	/// Most motions, 64, up to RP_MAX_ROUTE_MOTIONS, and seconds, 60.
	int maxMotions;
	double maxSeconds;

	/// How many states are kept after each motion, 256: more finds routes that are a little shorter.
	int width;
} rpParametricGoDef;

#define RP_MAX_ROUTE_MOTIONS 512

RP_API rpParametricGoDef rpDefaultParametricGoDef(void);

/// A motion of a route.
typedef struct rpRouteMotion
{
	/// Its node, and the values that it was asked for and has.
	int node;
	float requested[RP_MAX_SPACE_PARAMETERS], granted[RP_MAX_SPACE_PARAMETERS];

	/// When its core begins, seconds since the start, and where the root is then.
	double start;
	rpGroundTransform root;

	/// How far it was from the one before it where one became the other, metres; whether none was good enough, and what
	/// is played is what was found to follow when the graph was built.
	float distance;
	bool isForced;
} rpRouteMotion;

/// A way to a place. Where that cannot be reached: to the nearest place, and heading, that was found. Distances and
/// angles are weighed by what is allowed of them.
typedef struct rpParametricRoute
{
	/// [motionCount]; the last is not played to its end.
	rpRouteMotion* motions;
	int motionCount;

	/// Whether it gets there; when it does, or is nearest, and where the root is then. A person who walks does not
	/// stand still for that: it passes by.
	bool isReached;
	double seconds;
	rpGroundTransform end;

	/// How far that is from the goal: metres, and radians, not negative, 0 where no heading was asked for.
	float distance, turn;

	/// What the search pays: seconds, and half a second for each motion that is forced.
	double cost;

	/// States that were looked at, motions that were planned and compared.
	int64_t stateCount, madeCount;
} rpParametricRoute;

/// Find a way. error may be NULL. NULL with rp_errorArgument for wrong numbers, or when memory ran out; free with
/// rpDestroyParametricRoute. It is no error that a goal cannot be reached.
RP_API RP_NODISCARD rpParametricRoute* rpParametricPlanner_Go(rpParametricPlanner* planner,
															  const rpParametricGoDef* def, rpError* error);
RP_API void rpDestroyParametricRoute(rpParametricRoute* route);

/// Steers a player of the same bundle, from the start that the route has, along it, and ends at its end: an rpSteerFn,
/// whose context is the route. What is played is what was planned.
RP_API bool rpParametricRoute_Steer(void* route, const rpPlayer* player, double time, rpPlayerInput* out);

/// Where to look. Must come from rpDefaultParametricReachDef().
typedef struct rpParametricReachDef
{
	/// Seconds, 5; at most 60. Size of a cell of the floor, metres, 0.25.
	double seconds;
	float cell;

	/// The node to begin with, -1: any.
	int startNode;

	/// Places in the graph, on the floor and in heading that are looked at, at most: 2,000,000.
	int effort;
} rpParametricReachDef;

RP_API rpParametricReachDef rpDefaultParametricReachDef(void);

/// Where the root can be, and facing where, within some time (Heck, Fig. 6.11): all choices are tried, each place of
/// floor, heading, node and values once. What an rpReach says of labels and of choices stays empty, and its start is
/// the node. def and error may be NULL. NULL when def is out of range or memory ran out; free with rpDestroyReach.
RP_API RP_NODISCARD rpReach* rpParametricPlanner_FindReach(rpParametricPlanner* planner,
														   const rpParametricReachDef* def, rpError* error);

#ifdef __cplusplus
}
#endif
