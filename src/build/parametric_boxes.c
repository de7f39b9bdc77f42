/// Boxes: where in the target a motion of the source leads (Heck 6.1.1.2, Fig. 6.2).
#include "build/parametric_build.h"

#include <math.h>
#include <string.h>

// So far beyond what is bad a face is put, ranges.
#define BEYOND 1e-3f

// What two roundings of floats come to at most, part of the number.
#define ROUNDING 3e-7f

// Thresholds are found to this part of them.
#define THRESHOLD_TOLERANCE 0.005f

/// A box in the making.
typedef struct Box
{
	const rpSpace* space;
	float low[RP_MAX_SPACE_PARAMETERS], high[RP_MAX_SPACE_PARAMETERS];
} Box;

static float getRange(const rpSpace* space, int axis)
{
	return space->parameters[axis].high - space->parameters[axis].low;
}

static const float* getTarget(const rpTransitionTable* table, int index)
{
	return table->targetValues + (size_t)index * (size_t)table->target->parameterCount;
}

static const float* getRow(const rpTransitionTable* table, const float* values, int source)
{
	return values + (size_t)source * (size_t)table->targetCount;
}

static bool isInside(const Box* box, const float* values)
{
	bool isIn = true;
	for (int k = 0; k < box->space->parameterCount && isIn; ++k)
	{
		isIn = values[k] >= box->low[k] && values[k] <= box->high[k];
	}
	return isIn;
}

static void include(Box* box, const float* values)
{
	for (int k = 0; k < box->space->parameterCount; ++k)
	{
		box->low[k] = fminf(box->low[k], values[k]);
		box->high[k] = fmaxf(box->high[k], values[k]);
	}
}

// Of all faces that one moves which moves least; of equal ones the first. But for those behind which the nearest motion
// would be shut out: what follows best shall be what can follow.
static void exclude(Box* box, const float* values, const float* nearest)
{
	int face = -1;
	float least = INFINITY;
	for (int k = 0; k < box->space->parameterCount; ++k)
	{
		// An axis without a range tells nothing apart.
		float range = getRange(box->space, k), moves[2] = {values[k] - box->low[k], box->high[k] - values[k]};
		for (int side = 0; side < 2 && range > 0.0f; ++side)
		{
			bool keeps = side == 0 ? nearest[k] > values[k] : nearest[k] < values[k];
			if (keeps && moves[side] / range < least)
			{
				least = moves[side] / range;
				face = 2 * k + side;
			}
		}
	}
	if (face < 0)
	{
		// It does as the nearest does in all that counts: nothing is left.
		box->low[0] = INFINITY;
		return;
	}
	int axis = face / 2;
	float beyond = BEYOND * getRange(box->space, axis), value = values[axis], own = nearest[axis];
	*(face % 2 == 0 ? &box->low[axis] : &box->high[axis]) =
		face % 2 == 0 ? fminf(value + beyond, own) : fmaxf(value - beyond, own);
}

static Box encloseGood(const rpTransitionTable* table, const float* distances, float good, const bool* dead)
{
	Box box = {.space = table->target};
	for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
	{
		box.low[k] = INFINITY;
		box.high[k] = -INFINITY;
	}
	for (int j = 0; j < table->targetCount; ++j)
	{
		if (distances[j] <= good && (dead == NULL || !dead[j]))
		{
			include(&box, getTarget(table, j));
		}
	}
	return box;
}

static int findNearest(const rpTransitionTable* table, const float* distances, const bool* dead)
{
	int nearest = 0;
	for (int j = 0; j < table->targetCount; ++j)
	{
		bool isDead = dead != NULL && dead[j], wasDead = dead != NULL && dead[nearest];
		nearest = !isDead && (wasDead || distances[j] < distances[nearest]) ? j : nearest;
	}
	return nearest;
}

static bool excludeBad(const rpTransitionTable* table, const float* distances, float bad, const bool* dead, Box* box)
{
	bool isTrimmed = false;
	const float* nearest = getTarget(table, findNearest(table, distances, dead));
	for (int j = 0; j < table->targetCount; ++j)
	{
		const float* values = getTarget(table, j);
		if ((distances[j] > bad || (dead != NULL && dead[j])) && isInside(box, values))
		{
			exclude(box, values, nearest);
			isTrimmed = true;
		}
	}
	return isTrimmed;
}

// The nearest of all, and the mean point of what is good in the box.
static void findPoint(const rpTransitionTable* table, int source, float good, const Box* box, rpParametricSample* out,
					  int* insideCount)
{
	const float *distances = getRow(table, table->distances, source), *from = getRow(table, table->from, source),
				*to = getRow(table, table->to, source);
	double sums[2] = {0.0, 0.0};
	int count = 0, best = 0;
	*insideCount = 0;
	for (int j = 0; j < table->targetCount; ++j)
	{
		bool isIn = isInside(box, getTarget(table, j)), isGood = isIn && distances[j] <= good;
		*insideCount += isIn;
		count += isGood;
		sums[0] += isGood ? (double)from[j] : 0.0;
		sums[1] += isGood ? (double)to[j] : 0.0;
		best = distances[j] < distances[best] ? j : best;
	}
	out->from = count > 0 ? (float)(sums[0] / count) : from[best];
	out->to = count > 0 ? (float)(sums[1] / count) : to[best];
	out->bestFrom = from[best];
	out->bestTo = to[best];
	out->bestDistance = distances[best];
	memcpy(out->best, getTarget(table, best), (size_t)table->target->parameterCount * sizeof(float));
	*insideCount = count > 0 ? *insideCount : 0;
}

void rpFindBox(const rpTransitionTable* table, int source, float good, float bad, const bool* dead,
			   rpParametricSample* out, rpBoxNotes* notes)
{
	const float* distances = getRow(table, table->distances, source);
	rpBoxNotes own = {0};
	notes = notes != NULL ? notes : &own;
	memset(out, 0, sizeof(*out));
	Box box = encloseGood(table, distances, good, dead);
	notes->isTrimmed = excludeBad(table, distances, bad, dead, &box);
	findPoint(table, source, good, &box, out, &notes->insideCount);
	int dimension = table->source->parameterCount;
	memcpy(out->values, table->sourceValues + (size_t)source * (size_t)dimension, (size_t)dimension * sizeof(float));
	for (int k = 0; k < table->target->parameterCount; ++k)
	{
		bool isThere = notes->insideCount > 0;
		out->center[k] = isThere ? 0.5f * (box.low[k] + box.high[k]) : 0.0f;
		out->width[k] = isThere ? box.high[k] - box.low[k] : -1.0f;
	}
}

bool rpParametricSample_Contains(const rpParametricSample* sample, const float* values, int dimension)
{
	bool isIn = true;
	for (int k = 0; k < dimension && isIn; ++k)
	{
		// What is on a face is in it, though middles and widths are rounded.
		float rounding = ROUNDING * (fabsf(sample->center[k]) + sample->width[k]);
		isIn = sample->width[k] >= 0.0f && fabsf(values[k] - sample->center[k]) <= 0.5f * sample->width[k] + rounding;
	}
	return isIn;
}

// ---- thresholds

static bool leavesShare(const rpTransitionTable* table, float good, float badFactor, float share, float coverage)
{
	int needed = (int)ceilf(coverage * (float)table->sourceCount), count = 0;
	for (int i = 0; i < table->sourceCount && count + table->sourceCount - i >= needed; ++i)
	{
		rpParametricSample sample;
		rpBoxNotes notes;
		rpFindBox(table, i, good, badFactor * good, NULL, &sample, &notes);
		count += notes.insideCount > 0 && (float)notes.insideCount >= share * (float)table->targetCount;
	}
	return count >= needed;
}

// Half-way again and again. What a threshold leaves need not grow with it (a larger one lets in what is good far away,
// with what is bad between), so the end that leaves enough is kept.
float rpFindThreshold(const rpTransitionTable* table, float share, float badFactor, float coverage)
{
	float low = 0.0f, high = 0.0f;
	for (int i = 0; i < table->sourceCount * table->targetCount; ++i)
	{
		high = isfinite(table->distances[i]) ? fmaxf(high, table->distances[i]) : high;
	}
	if (!leavesShare(table, high, badFactor, share, coverage))
	{
		return INFINITY;
	}
	while (high - low > THRESHOLD_TOLERANCE * high)
	{
		float middle = 0.5f * (low + high);
		*(leavesShare(table, middle, badFactor, share, coverage) ? &high : &low) = middle;
	}
	return high;
}
