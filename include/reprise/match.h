/// Finding the examples: from one stretch of motion all stretches of a library that do the same, numerically far ones
/// included.
///
/// After L. Kovar & M. Gleicher, "Automated extraction and parameterization of motions in large data sets" (2004): what
/// is near to the query is found, then what is near to that, until nothing new appears.
#pragma once

#include "reprise/metric.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A stretch of one of several motions.
typedef struct rpStretch
{
	/// Which of the motions, and whether of its mirror image.
	int clip;
	bool isMirror;

	/// Seconds in it.
	double start, end;
} rpStretch;

/// A moment of a match, and the moment of its parent at which the same happens; seconds in their clips.
typedef struct rpMatchedTime
{
	double parent, own;
} rpMatchedTime;

/// A stretch that does the same as the query.
typedef struct rpMatch
{
	rpStretch stretch;

	/// The match that led to it, earlier in the list; -1 for the query itself, which is the first.
	int parent;

	/// Mean distance from its parent along the time alignment, metres; and the greatest of those on the way from the
	/// query to it.
	float distance, farthest;

	/// [timeCount], both increasing strictly from start to end; those of the query are its own.
	rpMatchedTime* times;
	int timeCount;
} rpMatch;

/// The query and what it led to.
typedef struct rpMatches
{
	/// The query first, then in the order of `farthest`: cutting the list off anywhere leaves what a smaller threshold
	/// would have found.
	rpMatch* items;
	int count;

	/// Metres; isAngle: of a metric of angles, whose distances have no unit. isFromGap: no threshold was given, and
	/// this one is in the widest gap of the distances found, which is from gapLow to gapHigh.
	float threshold;
	bool isAngle, isFromGap;
	float gapLow, gapHigh;

	/// There is no gap to speak of, but the list ends where another phase of what is repeated comes in: strides of the
	/// other foot, which lie between those of the query's. A search with just this threshold goes on.
	bool isToPhase;

	/// How often the motions were searched.
	int searchCount;
} rpMatches;

/// A match web: of the grid of every pair of motions a lower bound of each tile, so that searches compute only what
/// lies where matches may be. Kept in a library.
typedef struct rpMatchWeb rpMatchWeb;

/// How to search. Must come from rpDefaultMatchDef(). All pointers are borrowed for the call.
typedef struct rpMatchDef
{
	/// NULL: the default cloud metric.
	const rpMetric* metric;

	/// Greatest mean distance of a match from its parent, metres; 0: found by the gap in the distances.
	float threshold;

	/// Mirror images of the motions are searched too.
	bool mirror;

	/// Matches of matches are looked for; true. False: one search alone.
	bool chains;

	/// Longest run of steps in one motion alone, 3, and how much shorter or longer than the query a match may be, 2.
	int slopeLimit;
	double stretchLimit;

	/// A web of the same motions; NULL: their grids are computed.
	const rpMatchWeb* web;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;

	/// 0: all cores.
	int threads;
} rpMatchDef;

RP_API rpMatchDef rpDefaultMatchDef(void);

/// Find what does the same as a stretch of one of the motions, which are of one skeleton. Of matches that share
/// more than two thirds of the shorter one the nearest stays. def and error may be NULL. NULL with rp_errorArgument for
/// a stretch that is not in its motion or too short, when it was stopped (rp_errorCancelled) or memory ran out; free
/// with rpDestroyMatches. A query that nothing matches gives itself alone.
RP_API RP_NODISCARD rpMatches* rpFindMatches(const rpMotion* const* motions, int count, const rpStretch* query,
											 const rpMatchDef* def, rpError* error);
RP_API void rpDestroyMatches(rpMatches* matches);

#ifdef __cplusplus
}
#endif
