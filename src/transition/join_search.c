/// Where to go over from one motion to another: the moments that are most alike.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/blend_length.h"

#include <stdlib.h>
#include <string.h>

/// A search over the grid of two motions.
typedef struct Search
{
	/// Rows and columns that come into question.
	int firstRow, lastRow;
	int firstColumn, lastColumn;

	/// Frames to both sides of the diagonal that are left out, where both are the same motion; -1: none.
	int band;

	int row, column;
	float min;
} Search;

static bool isAllowed(const Search* search, int row, int column)
{
	return row >= search->firstRow && row <= search->lastRow && column >= search->firstColumn &&
		   column <= search->lastColumn && abs(row - column) > search->band;
}

static bool visit(const rpTile* tile, void* context)
{
	Search* search = context;
	for (int r = 0; r < tile->rowCount; ++r)
	{
		int row = tile->row + r;
		for (int c = 0; c < tile->columnCount; ++c)
		{
			int column = tile->column + c;
			float value = tile->values[(size_t)r * (size_t)tile->stride + (size_t)c];
			if (value < search->min && isAllowed(search, row, column))
			{
				search->min = value;
				search->row = row;
				search->column = column;
			}
		}
	}
	return true;
}

// The frames of a motion that may be chosen, or the one that was given.
static bool limit(const rpMotion* motion, double given, double margin, double rate, int* first, int* last,
				  rpError* error)
{
	double duration = rpMotion_GetDuration(motion);
	*first = (int)ceil(margin * rate - 1e-6);
	*last = (int)floor((duration - margin) * rate + 1e-6);
	if (isfinite(given))
	{
		*first = *last = (int)fmin(lround(given * rate), floor(duration * rate + 1e-6));
	}
	if (*first <= *last)
	{
		return true;
	}
	rpFail(error, rp_errorArgument, "\"%s\" is too short to be joined anywhere: it lasts %.3f s, and %.3f s are needed",
		   motion->name, duration, 2.0 * margin);
	rpError_SetHint(error, "take a longer clip or a shorter blend");
	return false;
}

static bool searchGrid(const rpMotion* a, const rpMotion* b, const rpMetric* metric, Search* search, rpError* error)
{
	rpGridDef def = rpDefaultGridDef();
	def.visit = visit;
	def.visitContext = search;
	rpProfile* p = rpCreateProfile(metric, a, error);
	rpProfile* q = p != NULL ? rpCreateProfile(metric, b, error) : NULL;
	bool done = q != NULL && rpMetric_VisitGrid(metric, p, q, &def, error);
	rpDestroyProfile(q);
	rpDestroyProfile(p);
	return done;
}

// From the moments that are alike to the ends of a blend, as far apart as the centred blend is long: the one that was
// not given moves by all of it, of two each by half.
static bool spread(const rpMotion* a, const rpMotion* b, bool moveFrom, bool moveTo, double* from, double* to,
				   rpError* error)
{
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	rpBlendLength length;
	if (!rpFindBlendLength(a, *from, b, *to, &def, &length, error))
	{
		return false;
	}
	double share = moveFrom && moveTo ? 0.5 : 1.0;
	*from = fmax(*from - (moveFrom ? share * length.seconds : 0.0), 0.0);
	*to = fmin(*to + (moveTo ? share * length.seconds : 0.0), rpMotion_GetDuration(b));
	rpBlendLength_Free(&length);
	return true;
}

// A clip that is joined with itself: where it is alike because it is the same does not count.
static bool isSame(const rpMotion* a, const rpMotion* b)
{
	size_t size = (size_t)a->frameCount * (size_t)a->skeleton->jointCount * sizeof(rpQuat);
	return a == b || (a->frameCount == b->frameCount && a->skeleton->jointCount == b->skeleton->jointCount &&
					  a->fps == b->fps && memcmp(a->rotations, b->rotations, size) == 0);
}

static bool findCentre(const rpMotion* a, const rpMotion* b, const rpMetric* metric, double margin, double* from,
					   double* to, float* distance, rpError* error)
{
	double rate = rpMetric_GetRate(metric);
	Search search = {.min = INFINITY, .band = isSame(a, b) ? 2 * rpMetric_GetHalfWindow(metric) + 1 : -1};
	if (!limit(a, *from, margin, rate, &search.firstRow, &search.lastRow, error) ||
		!limit(b, *to, margin, rate, &search.firstColumn, &search.lastColumn, error) ||
		!searchGrid(a, b, metric, &search, error))
	{
		return false;
	}
	if (!isfinite(search.min))
	{
		return rpFail(error, rp_errorArgument, "\"%s\" is too short to be joined with itself", a->name);
	}
	*from = isfinite(*from) ? *from : search.row / rate;
	*to = isfinite(*to) ? *to : search.column / rate;
	*distance = search.min;
	return true;
}

bool rpFindJoin(const rpMotion* a, const rpMotion* b, const rpMetric* metric, rpTransitionAnchor anchor, double margin,
				double* from, double* to, float* distance, rpError* error)
{
	RP_ASSERT(a != NULL && b != NULL && from != NULL && to != NULL);
	rpMetricDef def = rpDefaultMetricDef();
	rpMetric* own = metric == NULL ? rpCreateMetric(a->skeleton, &def, error) : NULL;
	bool moveFrom = !isfinite(*from), moveTo = !isfinite(*to);
	double first = *from, second = *to;
	float min = 0.0f;
	bool done = (metric != NULL || own != NULL) &&
				findCentre(a, b, metric != NULL ? metric : own, margin, &first, &second, &min, error) &&
				(anchor == rp_anchorCentre || spread(a, b, moveFrom, moveTo, &first, &second, error));
	rpDestroyMetric(own);
	if (done)
	{
		*from = first;
		*to = second;
	}
	if (done && distance != NULL)
	{
		*distance = min;
	}
	return done;
}
