/// Walks on a motion graph: at random, the fastest, and by search; and the motions that they are.
#pragma once

#include "reprise/play/graph.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A walk: edges one after the other.
typedef struct rpWalk
{
	/// [edgeCount], each starting at the node where the one before ends. Owned.
	int* edges;
	int edgeCount;

	/// Takes the first edge's clip into the world.
	rpGroundTransform start;

	/// Frames of the last edge that belong to it (the graph's rate); usually all of them.
	int lastFrames;

	/// Sum of the costs of its edges.
	double cost;

	/// How it is bent over the floor: [bendCount] ground transforms at the graph's rate from its start on, applied to
	/// what its edges give; after the last one it stays as it is. NULL and 0 where it is not bent. Owned.
	rpGroundTransform* bends;
	int bendCount;
} rpWalk;

RP_API void rpDestroyWalk(rpWalk* walk);

/// Seconds; and the length of its root path, metres.
RP_API double rpWalk_GetDuration(const rpWalk* walk, const rpGraph* graph);
RP_API double rpWalk_GetLength(const rpWalk* walk, const rpGraph* graph);

/// The root's place and heading at its end.
RP_API rpGroundTransform rpWalk_GetEnd(const rpWalk* walk, const rpGraph* graph);

/// The motion of a walk: clips placed, transitions blended (eq. 4.11-4.13), feet locked if asked for. Labels, contacts,
/// sources and a "seam" event in the middle of each transition. fps, up to RP_MAX_FPS; 0: the rate of its first clip.
/// error may be NULL.
RP_API RP_NODISCARD rpMotion* rpWalk_MakeMotion(const rpWalk* walk, const rpGraph* graph, double fps, bool lockFeet,
												rpError* error);

/// How to render a walk. Must come from rpDefaultWalkRenderDef().
typedef struct rpWalkRenderDef
{
	/// Frames per second, 0 (the rate of its first clip) by default; and whether to lock feet, true.
	double fps;
	bool lockFeet;

	/// Takes the frames as they are made; NULL (default): the motion keeps them.
	rpFrameFn* addFrame;
	void* frameContext;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;
} rpWalkRenderDef;

RP_API rpWalkRenderDef rpDefaultWalkRenderDef(void);

/// The same motion, to the bit, as a stream: with addFrame it is a bare one, and rendering takes as much memory for ten
/// hours as for ten seconds, but for its annotations. NULL also when progress or addFrame ended it.
RP_API RP_NODISCARD rpMotion* rpWalk_Render(const rpWalk* walk, const rpGraph* graph, const rpWalkRenderDef* def,
											rpError* error);

/// A random walk of at least `seconds`: edges that were less often used are taken more often. labels: bits of which
/// every edge must have one on either side (rpGraph_StaysIn); 0: any. NULL with rp_errorNoSolution where the labels
/// allow none that long.
RP_API RP_NODISCARD rpWalk* rpGraph_WalkAtRandom(const rpGraph* graph, double seconds, uint64_t labels, uint64_t seed,
												 rpError* error);

/// The same with the probabilities of Lee et al. 2002 (Wang's thesis, eq. IV.1): a transition from frame i to frame j
/// is taken with a probability proportional to exp(-D(i, j - 1) / sigma), D the squared distance of its middle, and a
/// clip goes on with D = 0. sigma is above 0, in squares of the metric's unit.
RP_API RP_NODISCARD rpWalk* rpGraph_WalkByCost(const rpGraph* graph, double seconds, uint64_t labels, double sigma,
											   uint64_t seed, rpError* error);

/// The fastest walk from a node to any of the nodes `goals` ([nodeCount]).
RP_API RP_NODISCARD rpWalk* rpGraph_WalkFastest(const rpGraph* graph, int from, const bool* goals, rpError* error);

/// A part of a graph: a clip, or where clip is -1 the stretches with one of some labels, bits of graph->labels.
typedef struct rpGraphPart
{
	uint64_t labels;
	int clip;
} rpGraphPart;

/// Whether a node lies in a part, or at the start of a stretch of it.
RP_API bool rpGraph_IsNodeOf(const rpGraph* graph, int node, const rpGraphPart* part);

/// The walk from one part to another that comes to what is asked for soonest, and on through that to its end; and on,
/// for `seconds` in all, with what was asked for where it can go on. A take of a jump begins with a stand, though all
/// of it is labelled so: the act begins where the motion becomes unlike all of `from`, and is entered before that, if
/// the graph can. reaches, seconds from the start of the walk to there, and error may be NULL. NULL with
/// rp_errorNoSolution where the graph has no such walk.
RP_API RP_NODISCARD rpWalk* rpGraph_WalkTo(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to,
										   double seconds, double* reaches, rpError* error);

/// Extend a walk from its end: along its clip as long as that has one of these labels (bits; 0: to its end), so that an
/// act is performed to the end; and then until it takes `seconds` in all, staying in the labels where possible, with
/// what was taken least often so far. A walk without edges stays as it is. error may be NULL. False when memory ran
/// out; the walk is unchanged then.
RP_API RP_NODISCARD bool rpWalk_Extend(rpWalk* walk, const rpGraph* graph, uint64_t labels, double seconds,
									   rpError* error);

enum
{
	rp_walkMemoCount = 4,
};

/// A walk as the search sees it.
typedef struct rpWalkState
{
	const rpGraph* graph;

	/// The edge that came last, -1 at the start; and the node it ends in.
	int lastEdge, node;

	/// Takes the clip of `node` into the world.
	rpGroundTransform placement;

	/// Arc length of the root's path so far, metres; seconds; sum of the costs.
	double length;
	double seconds;
	double cost;

	/// Memory of the cost function about the walk.
	double memo[rp_walkMemoCount];
} rpWalkState;

/// The cost g(w, e) of appending the first frameCount frames of an edge to a walk, not negative; infinite if it must
/// not be appended. frameCount is less than the edge's at the end of a search window, so that walks of equal length are
/// compared. next is the walk with the edge, all but its cost filled in, memo as in walk; write what is to be
/// remembered into next->memo.
typedef double rpWalkCostFn(const rpWalkState* walk, int edge, int frameCount, rpWalkState* next, void* context);

/// Where the first edge of a walk lies: takes its clip into the world.
typedef rpGroundTransform rpWalkPlaceFn(const rpGraph* graph, int edge, void* context);

/// Whether a walk is complete.
typedef bool rpWalkHaltFn(const rpWalkState* walk, void* context);

/// What to search for. Must come from rpDefaultSearchDef().
typedef struct rpSearchDef
{
	rpWalkCostFn* cost;
	rpWalkHaltFn* halt;
	void* context;

	/// The edge to start with, or -1: the best of `startCount` starts, [startCount] edges, or of all edges if that is
	/// 0.
	int start;
	const int* starts;
	int startCount;

	/// Where the first edge lies; NULL: at `placement`.
	rpWalkPlaceFn* place;
	rpGroundTransform placement;
	double memo[rp_walkMemoCount];

	/// Frames searched at once (n) and kept of them (m): 120, 25.
	int searchedFrames, keptFrames;

	/// A complete walk under this cost ends the search at once.
	double enough;

	/// The best walks of a window to choose among at random (r, 1), those within this share of the best cost (0.1).
	int choices;
	double tolerance;
	uint64_t seed;

	/// A beam from the start to the end of the walk, without windows: the number of walks at each frame, 130 by
	/// default; more where there are few edges to try, or where walks that head elsewhere are worth keeping. To choose
	/// among several walks, windows are searched, each with a beam first. 0: windows and no beam, as in the thesis.
	int beam;

	/// With a beam: walks that come to one node in one time are kept beside each other where their lengths are this far
	/// apart, 0.02 m; of those in between the cheapest.
	double sameLength;

	/// Max edges expanded in one window, 20,000; the best walk found until then is taken.
	int64_t effort;

	/// Max seconds of motion.
	double longest;

	rpProgressFn* progress;
	void* progressContext;
} rpSearchDef;

RP_API rpSearchDef rpDefaultSearchDef(void);

/// Search for the cheapest walk: by a beam, or by branch and bound (section 4.2.1). error may be NULL. NULL with
/// rp_errorNoSolution when no walk is complete; free with rpDestroyWalk.
RP_API RP_NODISCARD rpWalk* rpGraph_Search(const rpGraph* graph, const rpSearchDef* def, rpError* error);

/// A stretch of a path with a style of its own, from `start` metres along it to the next one's start.
typedef struct rpPathStyle
{
	double start;
	/// Bits of labels that edges must have one of; 0: any.
	uint64_t labels;
} rpPathStyle;

/// Styles without labels become what their neighbours allow: between two it is one of these two (section 4.3), before
/// the first and after the last the nearest one.
RP_API void rpFillStyleGaps(rpPathStyle* styles, int count);

/// An area that the root stays out of: a circle on the floor. The path is led around it, from 2 m before it on, and
/// walks are measured against that.
typedef struct rpForbidden
{
	rpVec2 center;
	float radius;
} rpForbidden;

/// A path to follow. Must come from rpDefaultPathDef(). Pointers are borrowed for the call.
typedef struct rpPathDef
{
	/// (x, z) on the floor, metres, at least two.
	const rpVec2* points;
	int pointCount;

	const rpPathStyle* styles;
	int styleCount;

	/// Metres before the end of a style in which the next may begin already; 0: half the body's height.
	double styleOverlap;

	const rpForbidden* forbidden;
	int forbiddenCount;

	/// Min progress per frame along the path, metres (gamma, eq. 4.15 ff.).
	double progressPerFrame;

	/// The point of the path waits for a walk that falls behind, and hurries with one that is ahead, by this share of
	/// the distance along the path in each frame: 0.05; 0 for none, as in the thesis, where a walk that makes a detour
	/// stays behind for good.
	double waiting;

	/// Price of any transition, m² s: 0.01, as much as a second 10 cm beside the path, which nobody sees. The square of
	/// its distance adds to that, times this many frames, 1. Both 0: no price, as in the thesis. So a walk does not
	/// take seams to gain millimetres, and of walks that keep to the path equally well the one with fewer and smoother
	/// seams is taken.
	double seamPrice;
	double transitionWeight;

	/// Weight of keeping the speed even on straight stretches; 0: the thesis' cost alone.
	double evenSpeed;

	/// Extra distance that is kept from areas, metres: 0.1, since blends and locked feet move the root by some
	/// centimetres from where a search has it. The path begins to lead around an area `detour` metres before it, and is
	/// back as many after it: 2, some steps, in which people plan their route around what they see.
	double clearance, detour;

	/// A walk that is farther than this from its point of the path, root mean square, metres, 0.3, has lost it: the
	/// search is repeated, with more different walks in the beam.
	double lost;

	/// Fail with rp_errorNoSolution if the mean distance from the path (forward-only) is greater; 0: never.
	double maxError;

	/// Where the best walk is farther from the path than this on average, metres, 0.1, walks are bent: they turn by up
	/// to maxBend in addition to what their clips show, radians per metre, 0.5; 0: nothing is ever bent. bendRate is
	/// how fast that turning may change, rad/s², 2.
	double bendNeed, maxBend, bendRate;

	/// How to search; cost, halt, place, context and memo are set by the path search.
	rpSearchDef search;
} rpPathDef;

/// How well a walk keeps to a path.
typedef struct rpPathReport
{
	/// Metres from the nearest point of the path, going forward only. A walk that turns in circles, or leaves the path
	/// and comes back, may be near it all the same: the other figures show that.
	double errorMean, errorMax;
	/// Metres from the point of the path at the same arc length, mean.
	double arcErrorMean;
	/// The max bend within half a second, radians per metre: 0 where it is as its clips have it.
	double bend;
	/// Length of the root's path and of the given path, metres.
	double walkLength, pathLength;
	/// Share of the path that is passed within half a metre, in order.
	double covered;
	/// What errorMean may be in relation to the path: a tenth of its size, 0.15 to 0.5 m; and whether the walk follows
	/// the path: it is that near, passes 70 % of it, and is at most 1.3 times as long and 1 m more. A walk
	/// that does not is the best that there is, and still none along the path.
	double errorLimit;
	bool isFollowed;
	double seconds, searchSeconds;
	int transitionCount;
} rpPathReport;

RP_API rpPathDef rpDefaultPathDef(void);

/// How far from a path, metres on average, a motion may be that follows it: rpPathReport.errorLimit.
RP_API double rpGetPathErrorLimit(const rpVec2* points, int count);

/// Follow a path (section 4.3). report and error may be NULL.
RP_API RP_NODISCARD rpWalk* rpGraph_FollowPath(const rpGraph* graph, const rpPathDef* def, rpPathReport* report,
											   rpError* error);

/// What a path asks of a graph, where that is the most beyond what the graph's clips do. Turns are in radians per metre
/// over a stride, left is positive.
typedef struct rpPathNeed
{
	/// Metres along the path; how it turns there; and whether that is a corner, which stays one at any size.
	double at, turn;
	bool isCorner;

	/// How the clips of the style there turn by themselves, the most to the right (negative) and to the left, infinite
	/// where none goes on for long enough; and how many metres the longest goes on.
	double right, left, longest;

	/// Index of the style; 0 without styles.
	int style;

	/// Whether the path turns more than clips and bends (rpPathDef.maxBend) do.
	bool isBeyond;
} rpPathNeed;

/// Find out why a path is hard to follow. error may be NULL. False with the errors of rpGraph_FollowPath.
RP_API RP_NODISCARD bool rpGraph_FindPathNeed(const rpGraph* graph, const rpPathDef* def, rpPathNeed* out,
											  rpError* error);

/// Going from one place and heading to another, and so connecting two clips that lie on the floor. Must come from
/// rpDefaultWalkToPlaceDef().
typedef struct rpWalkToPlaceDef
{
	/// The root's place and heading at the start and at the end.
	rpGroundTransform start, goal;

	/// Bits of labels that the walk starts and ends with one of; 0: any.
	uint64_t startLabels, goalLabels;

	/// Clips that it starts and ends in; -1: any.
	int startClip, goalClip;

	/// What a radian of heading is worth at the goal, 0.5 m; how near to the goal a walk may end, 0.4 m; and how much
	/// longer than the path to the goal a walk may be before it may end anywhere, 3 m. The distance at the end weighs
	/// as much as being that far off the path for endWeight frames, 60.
	double metresPerRadian, endRadius, slack, endWeight;

	/// The radius on which people turn around while they walk, 0.6 m. A graph may hold only wider turns: each of 3
	/// attempts widens them by a factor of 1.7, until one ends within nearEnough of the goal, 0.1 m.
	double radius, widening;
	int attempts;
	double nearEnough;

	/// How to search; cost, halt, place, starts, context and memo are set.
	rpSearchDef search;
} rpWalkToPlaceDef;

RP_API rpWalkToPlaceDef rpDefaultWalkToPlaceDef(void);

/// Find a walk from the start to the goal (section 4.2.2), guided by two arcs and a straight stretch between them, with
/// wider arcs where narrow ones do not lead there. reached, the root's place and heading at its end, and error may be
/// NULL. NULL with rp_errorNoSolution when there is none.
RP_API RP_NODISCARD rpWalk* rpGraph_WalkToPlace(const rpGraph* graph, const rpWalkToPlaceDef* def,
												rpGroundTransform* reached, rpError* error);

#ifdef __cplusplus
}
#endif
