/// The optimal transition points of many pairs of motions at once: the ends of a source's motions one behind the other
/// are one profile, the beginnings of a target's another, and the grid of both holds all that is asked for.
#include "build/parametric_build.h"

#include "base/memory.h"
#include "distance/tiler.h"
#include "work/parallel.h"

#include <math.h>
#include <string.h>

// A request is inside of a space if that has one so near, ranges: farther ones are taken from the rim again and again.
#define INSIDE 0.02f

// Of what is at most so much farther than the nearest that which is nearest to the ends of both cores counts: pairs
// that are alike are so along a whole valley, and what is played shall be the core.
#define VALLEY 1.05f
// What is so near is as near as any, metres: less than people see.
#define SAME 0.005f

enum
{
	/// Draws for a motion at random that is inside; and how many such are drawn for one that is far from the others.
	maxDraws = 50,
	candidateCount = 8,
};

// ---- motions

static void drawRequest(const rpSpace* space, rpRandom* random, float* out)
{
	for (int k = 0; k < space->parameterCount; ++k)
	{
		out[k] = rpRandom_Range(random, space->parameters[k].low, space->parameters[k].high);
	}
}

// The nearest that the space has; returns how far that is, ranges.
static float bringIn(const rpSpace* space, const float* asked, float* out)
{
	rpSpaceAnswer answer;
	bool done = rpSpace_Weigh(space, asked, NULL, &answer, NULL);
	memcpy(out, done ? answer.nearest : asked, (size_t)space->parameterCount * sizeof(float));
	return answer.error;
}

static bool isKnown(const rpSpace* space, const float* motions, int count, const float* values)
{
	bool isFound = false;
	for (int i = 0; i < count && !isFound; ++i)
	{
		isFound = true;
		for (int k = 0; k < space->parameterCount && isFound; ++k)
		{
			float range = space->parameters[k].high - space->parameters[k].low;
			isFound = fabsf(motions[i * space->parameterCount + k] - values[k]) <= INSIDE * range;
		}
	}
	return isFound;
}

static void drawInside(const rpSpace* space, rpRandom* random, float* out)
{
	float asked[RP_MAX_SPACE_PARAMETERS];
	bool isInside = false;
	for (int draw = 0; draw < maxDraws && !isInside; ++draw)
	{
		drawRequest(space, random, asked);
		isInside = bringIn(space, asked, out) <= INSIDE;
	}
}

static float getNearest(const rpSpace* space, const float* motions, int count, const float* values)
{
	float nearest = INFINITY;
	for (int i = 0; i < count; ++i)
	{
		float sum = 0.0f;
		for (int k = 0; k < space->parameterCount; ++k)
		{
			float range = space->parameters[k].high - space->parameters[k].low;
			float difference = range > 0.0f ? (motions[i * space->parameterCount + k] - values[k]) / range : 0.0f;
			sum += difference * difference;
		}
		nearest = fminf(nearest, sum);
	}
	return nearest;
}

// One more motion: of several at random the one that is farthest from those that were chosen (Mitchell 1991).
static void drawFar(const rpSpace* space, float* motions, int chosen, int candidates, rpRandom* random)
{
	size_t size = (size_t)space->parameterCount * sizeof(float);
	float farthest = -1.0f;
	for (int i = 0; i < candidates; ++i)
	{
		float own[RP_MAX_SPACE_PARAMETERS];
		drawInside(space, random, own);
		float nearest = candidates > 1 ? getNearest(space, motions, chosen, own) : 0.0f;
		if (nearest > farthest)
		{
			farthest = nearest;
			memcpy(motions + (size_t)chosen * (size_t)space->parameterCount, own, size);
		}
	}
}

int rpChooseMotions(const rpSpace* space, int count, uint64_t seed, bool isSpread, float* out)
{
	int dimension = space->parameterCount, chosen = 0;
	float asked[RP_MAX_SPACE_PARAMETERS];
	for (int corner = 0; corner < 1 << dimension && chosen < count; ++corner)
	{
		for (int k = 0; k < dimension; ++k)
		{
			asked[k] = (corner >> k & 1) != 0 ? space->parameters[k].high : space->parameters[k].low;
		}
		float* own = out + (size_t)chosen * (size_t)dimension;
		bringIn(space, asked, own);
		chosen += !isKnown(space, out, chosen, own);
	}
	rpRandom random = rpSeedRandom(seed);
	for (; chosen < count; ++chosen)
	{
		drawFar(space, out, chosen, isSpread ? candidateCount : 1, &random);
	}
	return chosen;
}

// ---- pieces of motions

/// The ends, or the beginnings, of motions, each the same number of frames, with the frames of the window around.
typedef struct Pieces
{
	const rpSpaceModel* space;
	const float* values;
	int count;

	/// Frames of a piece to either side of its anchor, the end of the core or its start: those that are compared, and
	/// those of the window beyond.
	int reach, halfWindow;
	bool isEnd;
	double fps, margin;

	/// [count]: the first and the last frame, from the anchor, whose window is within the motion; frames of the core.
	int *first, *last;
	double* lengths;
	rpMotion* motion;
	rpProfile* profile;
	bool failed;
} Pieces;

static int getPieceSize(const Pieces* pieces)
{
	return 2 * (pieces->reach + pieces->halfWindow) + 1;
}

// Laid such that the root is at the origin and what bears it at height 0.
static void layPiece(const Pieces* pieces, int index, rpSpan* span, double anchor)
{
	rpPose pose = rpMotion_GetPose(pieces->motion, index * getPieceSize(pieces));
	span->start = 0.0;
	span->placement = rpGroundTransform_identity;
	span->rise = 0.0f;
	rpSpan_Sample(span, anchor, &pose);
	rpGroundTransform root = rpPose_GetGround(&pose);
	root.shift.y = rpSpan_FindSupport(span, anchor);
	span->placement = rpGroundTransform_Invert(root);
}

static void makePiece(int index, int worker, void* context)
{
	Pieces* pieces = context;
	const rpSpace* space = pieces->space->space;
	int size = getPieceSize(pieces), middle = pieces->reach + pieces->halfWindow;
	rpParametricClip clip;
	rpSpan* span = rpAllocateZero(1, sizeof(rpSpan), NULL);
	(void)worker;
	if (span == NULL)
	{
		pieces->failed = true;
		return;
	}
	rpPlanParametricClip(pieces->space, 0, pieces->values + (size_t)index * (size_t)space->parameterCount,
						 pieces->margin, span, &clip);
	double anchor = pieces->isEnd ? clip.end : clip.start, duration = rpSpan_GetDuration(span);
	layPiece(pieces, index, span, anchor);
	for (int i = 0; i < size; ++i)
	{
		rpPose pose = rpMotion_GetPose(pieces->motion, index * size + i);
		rpSpan_Sample(span, fmin(fmax(anchor + (i - middle) / pieces->fps, 0.0), duration), &pose);
		pieces->motion->rootPositions[index * size + i] = pose.rootPosition;
	}
	// Where margins are short the window ends with them.
	double slack = 1e-6;
	int before = (int)floor(anchor * pieces->fps + slack) - pieces->halfWindow;
	int after = (int)floor((duration - anchor) * pieces->fps + slack) - pieces->halfWindow;
	pieces->first[index] = before < pieces->reach ? -before : -pieces->reach;
	pieces->last[index] = after < pieces->reach ? after : pieces->reach;
	pieces->lengths[index] = (clip.end - clip.start) * pieces->fps;
	rpFree(span);
}

static bool makePieces(Pieces* pieces, const rpMetric* metric, int threads, rpError* error)
{
	size_t count = (size_t)pieces->count;
	pieces->first = rpAllocateZero(count, sizeof(int), error);
	pieces->last = rpAllocateZero(count, sizeof(int), error);
	pieces->lengths = rpAllocateZero(count, sizeof(double), error);
	pieces->motion = rpCreateMotion(pieces->space->clips.skeleton, "pieces", pieces->fps,
									pieces->count * getPieceSize(pieces), error);
	if (pieces->first == NULL || pieces->last == NULL || pieces->lengths == NULL || pieces->motion == NULL)
	{
		return false;
	}
	rpParallelWork(pieces->count, rpCountWorkers(threads), makePiece, pieces);
	if (pieces->failed)
	{
		return rpFail(error, rp_errorMemory, "out of memory");
	}
	pieces->profile = rpCreateProfile(metric, pieces->motion, error);
	return pieces->profile != NULL;
}

static void freePieces(Pieces* pieces)
{
	rpFree(pieces->first);
	rpFree(pieces->last);
	rpFree(pieces->lengths);
	rpDestroyMotion(pieces->motion);
	rpDestroyProfile(pieces->profile);
}

// ---- transition points

/// A table in the making.
typedef struct Comparison
{
	rpTransitionTable* table;
	Pieces source, target;
	rpTiler tiler;

	/// Pieces of the target that are compared at a time; for each worker the squares of one piece of the source and
	/// these.
	int group;
	float* squares;
	size_t stride, size;
} Comparison;

// The best of a pair's cells, squares[r * stride + c], frames from the anchors being r + first … and c + first …
static void findPoint(const Comparison* comparison, int i, int j, const float* squares)
{
	const Pieces *a = &comparison->source, *b = &comparison->target;
	float least = INFINITY, nearest = INFINITY;
	int bestRow = 0, bestColumn = 0;
	for (int pass = 0; pass < 2; ++pass)
	{
		float limit = fmaxf(VALLEY * VALLEY * least, SAME * SAME);
		for (int r = a->first[i]; r <= a->last[i]; ++r)
		{
			const float* row = squares + (size_t)(r + a->reach) * comparison->stride + b->reach;
			for (int c = b->first[j]; c <= b->last[j]; ++c)
			{
				if (pass == 0)
				{
					least = fminf(least, row[c]);
					continue;
				}
				// From the ends of the cores, in parts of them.
				float far = fabsf((float)r / (float)a->lengths[i]) + fabsf((float)c / (float)b->lengths[j]);
				if (row[c] <= limit && far < nearest)
				{
					nearest = far;
					bestRow = r;
					bestColumn = c;
				}
			}
		}
	}
	size_t at = (size_t)i * (size_t)comparison->table->targetCount + (size_t)j;
	bool isThere = nearest < INFINITY;
	float square = isThere
					   ? squares[(size_t)(bestRow + a->reach) * comparison->stride + (size_t)(bestColumn + b->reach)]
					   : INFINITY;
	comparison->table->distances[at] = sqrtf(fmaxf(square, 0.0f));
	comparison->table->from[at] = 1.0f + (float)bestRow / (float)a->lengths[i];
	comparison->table->to[at] = (float)bestColumn / (float)b->lengths[j];
}

static void compareMotion(int index, int worker, void* context)
{
	Comparison* comparison = context;
	const Pieces *a = &comparison->source, *b = &comparison->target;
	int rows = 2 * a->reach + 1, size = getPieceSize(b);
	float* squares = comparison->squares + (size_t)worker * comparison->size;
	for (int first = 0; first < b->count; first += comparison->group)
	{
		int count = b->count - first < comparison->group ? b->count - first : comparison->group;
		rpRegion region = {.row = index * getPieceSize(a) + a->halfWindow,
						   .column = first * size + b->halfWindow,
						   .rowCount = rows,
						   .columnCount = count * size - 2 * b->halfWindow,
						   .firstDiagonal = -a->count * getPieceSize(a)};
		rpTiler_Fill(&comparison->tiler, worker, &region, squares, comparison->stride);
		for (int j = 0; j < count; ++j)
		{
			findPoint(comparison, index, first + j, squares + (size_t)j * (size_t)size);
		}
	}
}

static bool compare(Comparison* comparison, const rpTransitionTableDef* def, rpError* error)
{
	int workers = rpCountWorkers(def->threads), size = getPieceSize(&comparison->target);
	comparison->group = RP_MAX_REGION_COLUMNS / size > 0 ? RP_MAX_REGION_COLUMNS / size : 1;
	comparison->stride = (size_t)(comparison->group * size) + RP_GRID_PADDING;
	comparison->size = (size_t)(2 * comparison->source.reach + 1) * comparison->stride + RP_GRID_PADDING;
	comparison->squares = rpAllocate((size_t)workers * comparison->size, sizeof(float), error);
	if (comparison->squares == NULL || !rpTiler_Make(&comparison->tiler, def->metric, workers, error))
	{
		return false;
	}
	rpTiler_Aim(&comparison->tiler, comparison->source.profile, comparison->target.profile);
	rpParallelWork(comparison->source.count, workers, compareMotion, comparison);
	return true;
}

static Pieces getPieces(const rpTransitionTableDef* def, const rpSpaceModel* space, const float* values, int count,
						bool isEnd)
{
	double fps = rpMetric_GetRate(def->metric);
	int halfWindow = rpMetric_GetHalfWindow(def->metric);
	return (Pieces){.space = space,
					.values = values,
					.count = count,
					.reach = (int)floor(def->margin * fps + 1e-6),
					.halfWindow = halfWindow,
					.isEnd = isEnd,
					.fps = fps,
					.margin = def->margin + halfWindow / fps};
}

static bool allocate(rpTransitionTable* table, const rpTransitionTableDef* def, rpError* error)
{
	size_t sources = (size_t)def->sourceCount, targets = (size_t)def->targetCount;
	table->source = def->source->space;
	table->target = def->target->space;
	table->sourceValues = rpAllocateZero(sources * (size_t)table->source->parameterCount, sizeof(float), error);
	table->targetValues = rpAllocateZero(targets * (size_t)table->target->parameterCount, sizeof(float), error);
	table->distances = rpAllocateZero(sources * targets, sizeof(float), error);
	table->from = rpAllocateZero(sources * targets, sizeof(float), error);
	table->to = rpAllocateZero(sources * targets, sizeof(float), error);
	return table->sourceValues != NULL && table->targetValues != NULL && table->distances != NULL &&
		   table->from != NULL && table->to != NULL;
}

bool rpTransitionTable_Make(rpTransitionTable* table, const rpTransitionTableDef* def, rpError* error)
{
	*table = (rpTransitionTable){0};
	if (!allocate(table, def, error))
	{
		return false;
	}
	table->sourceCount = rpChooseMotions(table->source, def->sourceCount, def->seed, true, table->sourceValues);
	table->targetCount = rpChooseMotions(table->target, def->targetCount, def->seed + 1, false, table->targetValues);
	Comparison comparison = {.table = table};
	comparison.source = getPieces(def, def->source, table->sourceValues, table->sourceCount, true);
	comparison.target = getPieces(def, def->target, table->targetValues, table->targetCount, false);
	bool done = makePieces(&comparison.source, def->metric, def->threads, error) &&
				makePieces(&comparison.target, def->metric, def->threads, error) && compare(&comparison, def, error);
	freePieces(&comparison.source);
	freePieces(&comparison.target);
	rpTiler_Free(&comparison.tiler);
	rpFree(comparison.squares);
	return done;
}

void rpTransitionTable_Free(rpTransitionTable* table)
{
	rpFree(table->sourceValues);
	rpFree(table->targetValues);
	rpFree(table->distances);
	rpFree(table->from);
	rpFree(table->to);
	*table = (rpTransitionTable){0};
}
