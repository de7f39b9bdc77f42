#include "align/match_web.h"

#include "base/error.h"
#include "base/memory.h"
#include "distance/tiler.h"
#include "work/parallel.h"

#include <math.h>
#include <string.h>

// Few, for a web grows with the square of what it is of: of two hours of takes it is to fit into a library. Searches
// beyond the last are rare, and made without.
const float rpWebLevels[RP_WEB_LEVELS] = {0.0f, 0.045f, 0.07f, 0.1f};

enum
{
	far = RP_WEB_LEVELS - 1,

	// Rows and columns of tiles that are computed at a time.
	bandRows = 256 / RP_WEB_TILE,
	panelColumns = 512,
};

int rpWeb_CountTiles(int frames)
{
	return (frames + RP_WEB_TILE - 1) / RP_WEB_TILE;
}

bool rpWeb_Reaches(float threshold)
{
	return threshold < rpWebLevels[far];
}

// ---- rows as nibbles

/// Nibbles being written; the buffer is large enough.
typedef struct NibbleWriter
{
	uint8_t* bytes;
	size_t count;
} NibbleWriter;

static void putNibble(NibbleWriter* out, unsigned value)
{
	uint8_t* byte = out->bytes + out->count / 2;
	*byte = (uint8_t)(out->count % 2 == 0 ? value : *byte | value << 4);
	++out->count;
}

// Longest run that stands with its level, of which there are all but the last one.
#define RUN 5

// More of the last level; alone at the end of a row it fills half a byte.
#define MORE 15

static void putMore(NibbleWriter* out, int count)
{
	if (count <= 0)
	{
		return;
	}
	putNibble(out, MORE);
	unsigned left = (unsigned)count - 1;
	for (; left >= 8; left >>= 3)
	{
		putNibble(out, (left & 7u) | 8u);
	}
	putNibble(out, left);
}

static void putRun(NibbleWriter* out, int level, int count, int last)
{
	int first = count < RUN ? count : RUN;
	if (level == last)
	{
		putMore(out, count);
		return;
	}
	putNibble(out, (unsigned)((level > last ? level - 1 : level) * RUN + first - 1));
	putMore(out, count - first);
}

// The run at the end is left to the reader. Returns the bytes, two at most for a tile.
static size_t writeRow(const uint8_t* levels, int count, uint8_t* bytes)
{
	NibbleWriter out = {.bytes = bytes};
	int last = far;
	for (int b = 0, next; b < count; b = next)
	{
		next = b + 1;
		while (next < count && levels[next] == levels[b])
		{
			++next;
		}
		if (next < count || levels[b] != last)
		{
			putRun(&out, levels[b], next < count ? next - b : 1, last);
		}
		last = levels[b];
	}
	if (out.count % 2 != 0)
	{
		putNibble(&out, MORE);
	}
	return out.count / 2;
}

/// Nibbles being read.
typedef struct NibbleReader
{
	const uint8_t* bytes;
	size_t count, at;
} NibbleReader;

static int takeNibble(NibbleReader* in)
{
	int value = in->at < in->count ? in->bytes[in->at / 2] >> (in->at % 2 * 4) & 15 : -1;
	++in->at;
	return value;
}

// The number behind a 15; longer ones than a row can have are damage.
static bool takeNumber(NibbleReader* in, int most, int* out)
{
	int shift = 0, nibble;
	*out = 0;
	do
	{
		nibble = takeNibble(in);
		if (nibble < 0 || shift > 24)
		{
			return false;
		}
		*out |= (nibble & 7) << shift;
		shift += 3;
	} while (nibble >= 8);
	return *out <= most;
}

static bool readLevels(NibbleReader* in, int count, uint8_t* out)
{
	int at = 0, last = far;
	while (in->at < in->count)
	{
		int nibble = takeNibble(in), run = nibble % RUN + 1, level = nibble / RUN;
		bool isFiller = nibble == MORE && in->at == in->count;
		if (nibble == MORE && !isFiller)
		{
			if (!takeNumber(in, count, &run))
			{
				return false;
			}
			++run;
		}
		if (isFiller)
		{
			break;
		}
		last = nibble == MORE ? last : level >= last ? level + 1 : level;
		if (run > count - at)
		{
			return false;
		}
		memset(out + at, last, (size_t)run);
		at += run;
	}
	memset(out + at, last, (size_t)(count - at));
	return true;
}

// Sizes have seven bits a byte, low ones first.
static size_t putSize(uint8_t* out, size_t size)
{
	size_t count = 0;
	for (; size >= 128; size >>= 7)
	{
		out[count++] = (uint8_t)(size | 128);
	}
	out[count++] = (uint8_t)size;
	return count;
}

static bool takeSize(const rpWebPair* pair, size_t* offset, size_t* out)
{
	unsigned shift = 0;
	*out = 0;
	while (*offset < pair->size && shift < 28)
	{
		uint8_t byte = pair->bytes[(*offset)++];
		*out |= (size_t)(byte & 127) << shift;
		shift += 7;
		if (byte < 128)
		{
			return *out <= pair->size - *offset;
		}
	}
	return false;
}

bool rpWebPair_ReadRow(const rpWebPair* pair, size_t* offset, uint8_t* out)
{
	size_t size;
	if (!takeSize(pair, offset, &size))
	{
		return false;
	}
	NibbleReader in = {pair->bytes + *offset, 2 * size, 0};
	*offset += size;
	return out == NULL || readLevels(&in, pair->columns, out);
}

bool rpWebPair_IsSound(const rpWebPair* pair)
{
	uint8_t* levels = rpAllocate((size_t)pair->columns + 1, 1, NULL);
	bool is = levels != NULL;
	size_t offset = 0;
	for (int row = 0; row < pair->rows && is; ++row)
	{
		is = rpWebPair_ReadRow(pair, &offset, levels);
	}
	rpFree(levels);
	return is && offset == pair->size;
}

// ---- computing

/// A band of a pair's rows.
typedef struct Band
{
	int pair, row;
	uint8_t* bytes;
	size_t size;
	bool failed;
} Band;

/// Memory of a worker: distances of a panel, levels of a band, a row as bytes.
typedef struct Loom
{
	rpTiler tiler;
	float* grid;
	uint8_t *levels, *row;
} Loom;

typedef struct Weaving
{
	const rpProfile* const* profiles;
	const int (*pairs)[2];
	Band* bands;
	Loom* looms;
	int firstBand;
} Weaving;

#define LOOM_STRIDE (panelColumns + RP_GRID_PADDING)

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

// Distances are roots of what the tiler gives.
static uint8_t getLevel(float square)
{
	float distance = sqrtf(square);
	uint8_t level = 0;
	while (level < far && distance >= rpWebLevels[level + 1])
	{
		++level;
	}
	return level;
}

// The least squares of each column over the rows of a tile.
static void poolRows(const float* grid, int rows, float* restrict lows)
{
	memcpy(lows, grid, panelColumns * sizeof(float));
	for (int r = 1; r < rows; ++r)
	{
		const float* row = grid + (size_t)r * LOOM_STRIDE;
		for (int c = 0; c < panelColumns; ++c)
		{
			lows[c] = row[c] < lows[c] ? row[c] : lows[c];
		}
	}
}

static float findLow(const float* lows, int count)
{
	float low = lows[0];
	for (int c = 1; c < count; ++c)
	{
		low = lows[c] < low ? lows[c] : low;
	}
	return low;
}

// The levels of a band in some columns.
static void weavePanel(const Loom* loom, int row, int column, int rows, int columns, int tileColumns)
{
	rpRegion region = {row, column, rows, columns, -loom->tiler.a->frameCount};
	rpTiler_Fill(&loom->tiler, 0, &region, loom->grid, LOOM_STRIDE);
	for (int r = 0; r < rows; r += RP_WEB_TILE)
	{
		uint8_t* out = loom->levels + (size_t)(r / RP_WEB_TILE) * (size_t)tileColumns + column / RP_WEB_TILE;
		float lows[panelColumns];
		poolRows(loom->grid + (size_t)r * LOOM_STRIDE, getMin(RP_WEB_TILE, rows - r), lows);
		for (int c = 0; c < columns; c += RP_WEB_TILE)
		{
			out[c / RP_WEB_TILE] = getLevel(findLow(lows + c, getMin(RP_WEB_TILE, columns - c)));
		}
	}
}

static bool keepRows(Band* band, const Loom* loom, int rows, int columns)
{
	rpText text = {0};
	for (int r = 0; r < rows; ++r)
	{
		uint8_t size[8];
		size_t written = writeRow(loom->levels + (size_t)r * (size_t)columns, columns, loom->row);
		rpText_Append(&text, size, putSize(size, written));
		rpText_Append(&text, loom->row, written);
	}
	band->bytes = (uint8_t*)text.data;
	band->size = text.size;
	return !text.failed;
}

static void weaveBand(int index, int worker, void* context)
{
	Weaving* weaving = context;
	Band* band = &weaving->bands[weaving->firstBand + index];
	Loom* loom = &weaving->looms[worker];
	const rpProfile* a = weaving->profiles[weaving->pairs[band->pair][0]];
	const rpProfile* b = weaving->profiles[weaving->pairs[band->pair][1]];
	int row = band->row * RP_WEB_TILE, rows = getMin(bandRows * RP_WEB_TILE, a->frameCount - row);
	int columns = rpWeb_CountTiles(b->frameCount);
	rpTiler_Aim(&loom->tiler, a, b);
	for (int column = 0; column < b->frameCount; column += panelColumns)
	{
		weavePanel(loom, row, column, rows, getMin(panelColumns, b->frameCount - column), columns);
	}
	band->failed = !keepRows(band, loom, rpWeb_CountTiles(rows), columns);
}

static bool listBands(const Weaving* weaving, int count, Band** bands, int* bandCount, rpError* error)
{
	int capacity = 0;
	bool done = true;
	for (int p = 0; p < count && done; ++p)
	{
		int rows = rpWeb_CountTiles(weaving->profiles[weaving->pairs[p][0]]->frameCount);
		for (int row = 0; row < rows && done; row += bandRows)
		{
			done = rpGrow(bands, &capacity, *bandCount, sizeof(Band), error);
			if (done)
			{
				(*bands)[(*bandCount)++] = (Band){.pair = p, .row = row};
			}
		}
	}
	return done;
}

static bool makeLooms(Weaving* weaving, const rpMetric* metric, int workers, int mostColumns, rpError* error)
{
	weaving->looms = rpAllocateZero((size_t)workers, sizeof(Loom), error);
	bool done = weaving->looms != NULL;
	for (int w = 0; w < workers && done; ++w)
	{
		Loom* loom = &weaving->looms[w];
		// All of a panel may be read, whatever there is of it.
		loom->grid = rpAllocateZero((size_t)(bandRows * RP_WEB_TILE) * LOOM_STRIDE, sizeof(float), error);
		loom->levels = rpAllocate((size_t)(bandRows + 2) * ((size_t)mostColumns + 8), 1, error);
		done = loom->grid != NULL && loom->levels != NULL && rpTiler_Make(&loom->tiler, metric, 1, error);
		loom->row = loom->levels + (size_t)bandRows * ((size_t)mostColumns + 8);
	}
	return done;
}

static void freeLooms(Weaving* weaving, int workers)
{
	for (int w = 0; weaving->looms != NULL && w < workers; ++w)
	{
		rpTiler_Free(&weaving->looms[w].tiler);
		rpFree(weaving->looms[w].grid);
		rpFree(weaving->looms[w].levels);
	}
	rpFree(weaving->looms);
}

// Bands of a pair one after another.
static bool joinBands(const Weaving* weaving, const Band* bands, int bandCount, int count, rpWebPair* out,
					  rpError* error)
{
	bool done = true;
	for (int p = 0, band = 0; p < count && done; ++p)
	{
		rpWebPair* pair = &out[p];
		int first = band;
		for (; band < bandCount && bands[band].pair == p; ++band)
		{
			pair->size += bands[band].size;
		}
		pair->rows = rpWeb_CountTiles(weaving->profiles[weaving->pairs[p][0]]->frameCount);
		pair->columns = rpWeb_CountTiles(weaving->profiles[weaving->pairs[p][1]]->frameCount);
		pair->bytes = rpAllocate(pair->size + 1, 1, error);
		done = pair->bytes != NULL;
		size_t at = 0;
		for (int b = first; b < band && done; ++b)
		{
			memcpy(pair->bytes + at, bands[b].bytes, bands[b].size);
			at += bands[b].size;
		}
	}
	return done;
}

// Bands between two looks at whether to go on.
#define BANDS_AT_ONCE 32

static bool weave(Weaving* weaving, int bandCount, int workers, rpProgressFn* progress, void* context, rpError* error)
{
	bool done = true;
	for (int first = 0; first < bandCount && done; first += BANDS_AT_ONCE)
	{
		int count = getMin(BANDS_AT_ONCE, bandCount - first);
		weaving->firstBand = first;
		rpParallelWork(count, workers, weaveBand, weaving);
		for (int b = first; b < first + count && done; ++b)
		{
			done = !weaving->bands[b].failed || rpFail(error, rp_errorMemory, "out of memory for a match web");
		}
		double fraction = (first + count) / (double)bandCount;
		done = done && (progress == NULL || progress(fraction, "weaving the match web", context) ||
						rpFail(error, rp_errorCancelled, "the match web was stopped"));
	}
	return done;
}

bool rpWeb_Compute(const rpMetric* metric, const rpProfile* const* profiles, const int (*pairs)[2], int count,
				   int threads, rpProgressFn* progress, void* context, rpWebPair* out, rpError* error)
{
	Weaving weaving = {.profiles = profiles, .pairs = pairs};
	int bandCount = 0, mostColumns = 0, workers = rpCountWorkers(threads);
	memset(out, 0, (size_t)count * sizeof(rpWebPair));
	for (int p = 0; p < count; ++p)
	{
		int columns = rpWeb_CountTiles(profiles[pairs[p][1]]->frameCount);
		mostColumns = columns > mostColumns ? columns : mostColumns;
	}
	bool done = listBands(&weaving, count, &weaving.bands, &bandCount, error) &&
				makeLooms(&weaving, metric, workers, mostColumns, error) &&
				weave(&weaving, bandCount, workers, progress, context, error) &&
				joinBands(&weaving, weaving.bands, bandCount, count, out, error);
	for (int b = 0; b < bandCount; ++b)
	{
		rpFree(weaving.bands[b].bytes);
	}
	for (int p = 0; p < count && !done; ++p)
	{
		rpFree(out[p].bytes);
		out[p] = (rpWebPair){0};
	}
	rpFree(weaving.bands);
	freeLooms(&weaving, workers);
	return done;
}

// ---- where a query may match

/// The query's rows of tiles against one profile.
typedef struct Bound
{
	const rpMatchShape* shape;
	float threshold;
	int firstTile, tileRows, columns;

	/// [tileRows * columns]; the cheapest way on from each tile, of the row below and of this one.
	uint8_t* levels;
	float *below, *own;
} Bound;

// Rows of the query in a row of tiles.
static int countRows(const Bound* bound, int first, int tileRow)
{
	int hop = bound->shape->hop, from = tileRow * RP_WEB_TILE - first, to = from + RP_WEB_TILE;
	int begin = from > 0 ? (from + hop - 1) / hop : 0, end = (to + hop - 1) / hop;
	return getMin(end, bound->shape->rows) - begin;
}

// What a row costs at least beyond the threshold for each frame of length: a step in both motions, and, where that
// lowers it, as many in the other alone as there may be.
static float boundRow(const Bound* bound, uint8_t level)
{
	float low = rpWebLevels[level], more = low - 0.5f * bound->threshold;
	return (low - bound->threshold) + (more < 0.0f ? (float)bound->shape->slopeLimit * more : 0.0f);
}

// From the tile that a path comes to first, over as many as it may go through, to the first one in the row below.
static void boundTiles(Bound* bound, const uint8_t* levels, int rows)
{
	float costs[RP_WEB_LEVELS];
	int columns = rows * bound->shape->hop * (bound->shape->slopeLimit + 1);
	int reach = (RP_WEB_TILE - 1 + columns) / RP_WEB_TILE;
	for (int level = 0; level < RP_WEB_LEVELS; ++level)
	{
		costs[level] = (float)rows * boundRow(bound, (uint8_t)level);
	}
	for (int b = 0; b < bound->columns; ++b)
	{
		uint8_t low = far;
		float best = INFINITY;
		for (int k = 0; k <= reach && b + k < bound->columns; ++k)
		{
			low = levels[b + k] < low ? levels[b + k] : low;
			float cost = costs[low] + bound->below[b + k];
			best = cost < best ? cost : best;
		}
		bound->own[b] = best;
	}
	float* kept = bound->below;
	bound->below = bound->own;
	bound->own = kept;
}

// Rounding of sums.
#define BOUND_SLACK 1e-4f

// A row that cannot be read bounds nothing: it is as if all were near.
static void readTiles(const Bound* bound, const rpWebPair* pair)
{
	size_t offset = 0;
	bool isSound = true;
	for (int row = 0; row < bound->firstTile + bound->tileRows; ++row)
	{
		uint8_t* out =
			row < bound->firstTile ? NULL : bound->levels + (size_t)(row - bound->firstTile) * (size_t)bound->columns;
		isSound = isSound && rpWebPair_ReadRow(pair, &offset, out);
		if (!isSound && out != NULL)
		{
			memset(out, 0, (size_t)bound->columns);
		}
	}
}

// Starts so near to each other are looked at together: what lies between costs less than another range's columns.
static int getJoint(const rpMatchShape* shape)
{
	return shape->maxSteps * shape->hop;
}

static bool listTiles(const Bound* bound, int profile, int starts, rpStartRanges* out, rpError* error)
{
	float slack = BOUND_SLACK * bound->threshold * (float)bound->shape->rows;
	int first = -1, end = 0;
	bool done = true;
	for (int b = 0; b < bound->columns && done; ++b)
	{
		int from = b * RP_WEB_TILE, to = getMin(from + RP_WEB_TILE, starts);
		if (bound->below[b] > slack || from >= to)
		{
			continue;
		}
		if (first >= 0 && from - end > getJoint(bound->shape))
		{
			done = rpStartRanges_Add(out, profile, first, end - first, error);
			first = -1;
		}
		first = first < 0 ? from : first;
		end = to;
	}
	return done && (first < 0 || rpStartRanges_Add(out, profile, first, end - first, error));
}

bool rpMatchWeb_ListStarts(const rpMatchWeb* web, rpFrameStretch query, const rpMatchShape* shape, float threshold,
						   const rpMatchSearcher* searcher, rpStartRanges* out, rpError* error)
{
	bool done = true;
	for (int p = 0; p < web->profileCount && done; ++p)
	{
		const rpWebPair* pair = &web->pairs[(size_t)query.profile * (size_t)web->profileCount + (size_t)p];
		int starts = searcher->profiles[p]->frameCount - shape->minSteps * shape->hop;
		Bound bound = {
			.shape = shape, .threshold = threshold, .firstTile = query.first / RP_WEB_TILE, .columns = pair->columns};
		bound.tileRows = query.last / RP_WEB_TILE - bound.firstTile + 1;
		size_t columns = (size_t)pair->columns;
		bound.levels = rpAllocate(columns * (size_t)bound.tileRows + 1, 1, error);
		float* lines = bound.levels != NULL ? rpAllocateZero(2 * columns + 1, sizeof(float), error) : NULL;
		done = lines != NULL;
		if (done && starts > 0)
		{
			bound.below = lines;
			bound.own = lines + columns;
			readTiles(&bound, pair);
			for (int row = bound.tileRows - 1; row >= 0; --row)
			{
				boundTiles(&bound, bound.levels + (size_t)row * columns,
						   countRows(&bound, query.first, bound.firstTile + row));
			}
			done = listTiles(&bound, p, starts, out, error);
		}
		rpFree(lines);
		rpFree(bound.levels);
	}
	return done;
}
