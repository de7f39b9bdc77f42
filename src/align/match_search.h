/// One search: where in several motions something matches a stretch of one of them.
///
/// A match is a stretch whose distance (align/match_path.h) is at most a threshold and a local minimum: no stretch that
/// starts and ends a frame earlier or later, or as it does, is nearer. So what only leans over from a nearer one is
/// none, and matches do not drift along a motion as they lead to each other.
#pragma once

#include "align/match_path.h"
#include "distance/metric.h"

/// Frames first … last of one of the profiles.
typedef struct rpFrameStretch
{
	int profile, first, last;
} rpFrameStretch;

/// A stretch that matches, metres away.
typedef struct rpFoundStretch
{
	rpFrameStretch stretch;
	float distance;
} rpFoundStretch;

/// Owned by the caller; zero-initialised is empty. Free items with rpFree.
typedef struct rpFoundStretches
{
	rpFoundStretch* items;
	int count, capacity;
} rpFoundStretches;

RP_NODISCARD bool rpFoundStretches_Add(rpFoundStretches* list, rpFoundStretch item, rpError* error);

/// Starts of one profile that are looked at together.
typedef struct rpStartRange
{
	int profile, first, count;
} rpStartRange;

/// Owned by the caller; zero-initialised is empty.
typedef struct rpStartRanges
{
	rpStartRange* items;
	int count, capacity;
} rpStartRanges;

RP_NODISCARD bool rpStartRanges_Add(rpStartRanges* ranges, int profile, int first, int count, rpError* error);

/// What is searched, and memory for it. Zero-initialised is empty; free with rpMatchSearcher_Free.
typedef struct rpMatchSearcher
{
	const rpMetric* metric;
	const rpProfile* const* profiles;
	int profileCount;

	/// Steps of matches, and of runs; rows differ from search to search; queries have maxFrames frames at most.
	rpMatchShape shape;
	int maxFrames;

	/// [workerCount]
	struct rpSearchWorker* workers;
	int workerCount;
} rpMatchSearcher;

/// For queries of up to maxFrames frames. False when memory ran out.
RP_NODISCARD bool rpMatchSearcher_Make(rpMatchSearcher* searcher, const rpMetric* metric,
									   const rpProfile* const* profiles, int count, const rpMatchShape* shape,
									   int maxFrames, int threads, rpError* error);
void rpMatchSearcher_Free(rpMatchSearcher* searcher);

/// Every start of every profile.
RP_NODISCARD bool rpMatchSearcher_ListAll(const rpMatchSearcher* searcher, rpStartRanges* out, rpError* error);

/// Add all matches of a stretch that start in the ranges, in their order; the same for any number of threads, and
/// however the starts are cut into ranges. The stretch finds itself.
RP_NODISCARD bool rpMatchSearcher_Find(rpMatchSearcher* searcher, rpFrameStretch query, float threshold,
									   const rpStartRanges* ranges, rpFoundStretches* out, rpError* error);

/// The distances of two stretches, [frames of a * frames of b], as searches see them.
RP_NODISCARD bool rpMatchSearcher_FillPair(const rpMatchSearcher* searcher, rpFrameStretch a, rpFrameStretch b,
										   float* out, rpError* error);
