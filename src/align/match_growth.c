#include "align/match_growth.h"

#include "base/memory.h"

#include <string.h>

/// Frames of the matches in one profile, by first frames.
typedef struct rpGrownRow
{
	rpFrameStretch* items;
	int count, capacity;

	/// The longest of them, frames.
	int longest;
} Row;

static int getFrames(rpFrameStretch stretch)
{
	return stretch.last - stretch.first + 1;
}

static int countCommon(rpFrameStretch a, rpFrameStretch b)
{
	int first = a.first > b.first ? a.first : b.first, last = a.last < b.last ? a.last : b.last;
	return last >= first ? last - first + 1 : 0;
}

// Half of the union of two stretches of one length is two thirds of each. Of two lengths the shorter counts: one that
// holds another is the same with more around it, as a jump and the stand before it, or two strides.
static bool isSame(rpFrameStretch a, rpFrameStretch b)
{
	int shorter = getFrames(a) < getFrames(b) ? getFrames(a) : getFrames(b);
	return 3 * countCommon(a, b) > 2 * shorter;
}

// Strides of one foot follow each other; those that begin in their middle are of the other one. Neighbours share a
// little, as ends of matches are not exact.
static bool isBetween(rpFrameStretch a, rpFrameStretch b)
{
	return 4 * countCommon(a, b) > getFrames(a);
}

// Index of the first that starts at a frame or later.
static int findFrom(const Row* row, int frame)
{
	int low = 0, high = row->count;
	while (low < high)
	{
		int middle = low + (high - low) / 2;
		if (row->items[middle].first < frame)
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

// Whether one that was accepted in the same profile is to the stretch as `test` says.
static bool hasOther(const rpMatchGrowth* growth, rpFrameStretch stretch, bool (*test)(rpFrameStretch, rpFrameStretch))
{
	const Row* row = &growth->rows[stretch.profile];
	bool has = false;
	for (int k = findFrom(row, stretch.first - row->longest); k < row->count && !has; ++k)
	{
		if (row->items[k].first > stretch.last)
		{
			break;
		}
		has = test(stretch, row->items[k]);
	}
	return has;
}

static bool isTaken(const rpMatchGrowth* growth, rpFrameStretch stretch)
{
	return hasOther(growth, stretch, isSame);
}

static bool addToRow(Row* row, rpFrameStretch stretch, rpError* error)
{
	if (!rpGrow(&row->items, &row->capacity, row->count, sizeof(stretch), error))
	{
		return false;
	}
	int at = findFrom(row, stretch.first), frames = getFrames(stretch);
	memmove(row->items + at + 1, row->items + at, (size_t)(row->count - at) * sizeof(stretch));
	row->items[at] = stretch;
	row->longest = frames > row->longest ? frames : row->longest;
	++row->count;
	return true;
}

static bool accept(rpMatchGrowth* growth, const rpGrownMatch* match, rpError* error)
{
	if (!rpGrow(&growth->items, &growth->capacity, growth->count, sizeof(*match), error))
	{
		return false;
	}
	growth->items[growth->count] = *match;
	growth->items[growth->count].isBetween = hasOther(growth, match->stretch, isBetween);
	return addToRow(&growth->rows[match->stretch.profile], match->stretch, error) && ++growth->count > 0;
}

bool rpMatchGrowth_Begin(rpMatchGrowth* growth, rpFrameStretch query, int profileCount, rpError* error)
{
	*growth = (rpMatchGrowth){.profileCount = profileCount};
	growth->rows = rpAllocateZero((size_t)profileCount, sizeof(Row), error);
	rpGrownMatch first = {.stretch = query, .parent = -1};
	return growth->rows != NULL && accept(growth, &first, error);
}

void rpMatchGrowth_Free(rpMatchGrowth* growth)
{
	for (int p = 0; growth->rows != NULL && p < growth->profileCount; ++p)
	{
		rpFree(growth->rows[p].items);
	}
	rpFree(growth->rows);
	rpFree(growth->items);
	rpFree(growth->waiting);
	*growth = (rpMatchGrowth){0};
}

// ---- what waits

// Nearest first; a whole order, so that nothing depends on how they came.
static bool comesBefore(const rpGrownMatch* a, const rpGrownMatch* b)
{
	if (a->distance < b->distance || a->distance > b->distance)
	{
		return a->distance < b->distance;
	}
	int keys[4] = {a->stretch.profile - b->stretch.profile, a->stretch.first - b->stretch.first,
				   a->stretch.last - b->stretch.last, a->parent - b->parent};
	int k = 0;
	while (k < 3 && keys[k] == 0)
	{
		++k;
	}
	return keys[k] < 0;
}

static bool push(rpMatchGrowth* growth, const rpGrownMatch* match, rpError* error)
{
	if (!rpGrow(&growth->waiting, &growth->waitingCapacity, growth->waitingCount, sizeof(*match), error))
	{
		return false;
	}
	rpGrownMatch* heap = growth->waiting;
	int at = growth->waitingCount++;
	for (int above = (at - 1) / 2; at > 0 && comesBefore(match, &heap[above]); above = (at - 1) / 2)
	{
		heap[at] = heap[above];
		at = above;
	}
	heap[at] = *match;
	return true;
}

static rpGrownMatch pop(rpMatchGrowth* growth)
{
	rpGrownMatch* heap = growth->waiting;
	rpGrownMatch top = heap[0], last = heap[--growth->waitingCount];
	int at = 0, count = growth->waitingCount;
	for (int below = 1; below < count; below = 2 * at + 1)
	{
		below += below + 1 < count && comesBefore(&heap[below + 1], &heap[below]) ? 1 : 0;
		if (!comesBefore(&heap[below], &last))
		{
			break;
		}
		heap[at] = heap[below];
		at = below;
	}
	heap[at] = last;
	return top;
}

bool rpMatchGrowth_Offer(rpMatchGrowth* growth, int parent, const rpFoundStretches* found, rpError* error)
{
	bool done = true;
	for (int k = 0; k < found->count && done; ++k)
	{
		rpGrownMatch match = {
			.stretch = found->items[k].stretch, .parent = parent, .distance = found->items[k].distance};
		float before = growth->items[parent].farthest;
		match.farthest = match.distance > before ? match.distance : before;
		done = isTaken(growth, match.stretch) || push(growth, &match, error);
	}
	return done;
}

bool rpMatchGrowth_Accept(rpMatchGrowth* growth, bool* accepted, rpError* error)
{
	*accepted = false;
	while (growth->waitingCount > 0)
	{
		rpGrownMatch match = pop(growth);
		if (!isTaken(growth, match.stretch))
		{
			*accepted = true;
			return accept(growth, &match, error);
		}
	}
	return true;
}
