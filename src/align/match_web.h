/// Where time alignments may run: the low ground of the grids of all pairs of motions, kept so that a search knows
/// where to look.
///
/// A grid is seen as tiles of RP_WEB_TILE frames a side, and of each the level is kept that its min distance is at or
/// above: lower bounds. A path through tiles costs at least what their levels say. So the starts that a match may have
/// follow from a row of tiles for each quarter of a second of the query, without a grid; those few are then computed as
/// all others are, and what is found is the same by construction.
#pragma once

#include "align/match_search.h"
#include "reprise/match.h"

/// Frames on a side of a tile.
#define RP_WEB_TILE 8

/// The levels' lower ends, metres; the last one's says how far a web reaches.
#define RP_WEB_LEVELS 4
extern const float rpWebLevels[RP_WEB_LEVELS];

/// The tiles of one motion against another, [rows] of [columns]: each row is its size in bytes, then nibbles. Below 15
/// one tells which of the other levels comes, and how often, 1 … 5; 15 tells that the last level comes more often, by
/// one and the number that follows, three bits a nibble, low ones first, 8 on those that are not the last. At first the
/// last level is the highest; what is not told at the end is the last level, and a 15 alone fills a byte.
typedef struct rpWebPair
{
	uint8_t* bytes;
	size_t size;
	int rows, columns;
} rpWebPair;

struct rpMatchWeb
{
	/// Of the motions, then, where there are any, of their mirror images; [profileCount * profileCount], borrowed
	/// bytes.
	rpWebPair* pairs;
	int profileCount;
};

/// Tiles of a motion of so many frames.
int rpWeb_CountTiles(int frames);

/// Compute the pairs (rows, columns), [count]; out[k].bytes is freed with rpFree. Stops where progress says so. False:
/// out holds nothing.
RP_NODISCARD bool rpWeb_Compute(const rpMetric* metric, const rpProfile* const* profiles, const int (*pairs)[2],
								int count, int threads, rpProgressFn* progress, void* context, rpWebPair* out,
								rpError* error);

/// Levels of a row of tiles into out, [columns]. False where the row is damaged.
bool rpWebPair_ReadRow(const rpWebPair* pair, size_t* offset, uint8_t* out);

/// Whether all rows are sound.
bool rpWebPair_IsSound(const rpWebPair* pair);

/// Whether webs know all that a threshold asks for.
bool rpWeb_Reaches(float threshold);

/// List the starts that a query of this shape may match from, within the threshold, in profiles of so many frames each.
/// False when memory ran out.
RP_NODISCARD bool rpMatchWeb_ListStarts(const rpMatchWeb* web, rpFrameStretch query, const rpMatchShape* shape,
										float threshold, const rpMatchSearcher* searcher, rpStartRanges* out,
										rpError* error);
