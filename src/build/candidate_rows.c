#include "build/candidate_rows.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// Candidates that a half second keeps with each label. With 128 the graphs of persons 16, 35, 69, 104 and 127 (up to 47
// takes without labels) are the same bytes as without a limit; with 64 that of 16 lost 12 of 7,323 lines.
#define ROW_SIZE 128

/// The best that were offered; once there are ROW_SIZE, `worst` is the one to go next.
typedef struct rpCandidateRow
{
	rpCandidate* items;
	int count, capacity, worst;
} Row;

static int comparePlaces(const void* a, const void* b)
{
	const rpCandidate *x = a, *y = b;
	int order = x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
	order = order != 0 ? order : (x->i > y->i) - (x->i < y->i);
	return order != 0 ? order : (x->j > y->j) - (x->j < y->j);
}

static bool isBetter(const rpCandidate* a, const rpCandidate* b)
{
	return a->distance < b->distance || (a->distance == b->distance && comparePlaces(a, b) < 0);
}

bool rpCandidateRows_Make(rpCandidateRows* rows, const rpExamples* examples, rpError* error)
{
	rows->examples = examples;
	rows->rowFrames = (int)lround(RP_CELL_SECONDS * examples->fps);
	rows->labelCount = examples->labelCount > 0 ? examples->labelCount : 1;
	rows->firstRows = rpAllocateZero((size_t)examples->clipCount + 1, sizeof(int), error);
	if (rows->firstRows == NULL)
	{
		return false;
	}
	for (int c = 0; c < examples->clipCount; ++c)
	{
		rows->firstRows[c + 1] = rows->firstRows[c] + examples->clips[c].frameCount / rows->rowFrames + 1;
	}
	size_t count = (size_t)rows->firstRows[examples->clipCount] * (size_t)rows->labelCount;
	rows->rows = rpAllocateZero(count, sizeof(Row), error);
	return rows->rows != NULL;
}

void rpCandidateRows_Free(rpCandidateRows* rows)
{
	size_t count =
		rows->rows != NULL ? (size_t)rows->firstRows[rows->examples->clipCount] * (size_t)rows->labelCount : 0;
	for (size_t i = 0; i < count; ++i)
	{
		rpFree(rows->rows[i].items);
	}
	rpFree(rows->rows);
	rpFree(rows->firstRows);
	*rows = (rpCandidateRows){0};
}

// The first label of a frame; frames without one count as those of the first.
static int getLabel(const rpExamples* examples, int clip, int frame)
{
	uint64_t mask = examples->masks[examples->firstFrames[clip] + frame];
	int label = 0;
	while (mask != 0 && (mask & 1) == 0)
	{
		mask >>= 1;
		++label;
	}
	return label < examples->labelCount ? label : 0;
}

static bool offer(Row* row, const rpCandidate* candidate, rpError* error)
{
	int at = row->count;
	if (row->count < ROW_SIZE)
	{
		if (!rpGrow(&row->items, &row->capacity, row->count, sizeof(rpCandidate), error))
		{
			return false;
		}
		++row->count;
	}
	else if (isBetter(candidate, &row->items[row->worst]))
	{
		at = row->worst;
	}
	else
	{
		return true;
	}
	row->items[at] = *candidate;
	row->worst = 0;
	for (int i = 1; i < row->count && row->count == ROW_SIZE; ++i)
	{
		row->worst = isBetter(&row->items[row->worst], &row->items[i]) ? i : row->worst;
	}
	return true;
}

static Row* findRow(const rpCandidateRows* rows, int clip, int frame, int label)
{
	size_t row = (size_t)rows->firstRows[clip] + (size_t)(frame / rows->rowFrames);
	return &rows->rows[row * (size_t)rows->labelCount + (size_t)label];
}

bool rpCandidateRows_Offer(rpCandidateRows* rows, const rpCandidate* candidate, rpError* error)
{
	const rpCandidate* c = candidate;
	Row* rowOfA = findRow(rows, c->a, c->i, getLabel(rows->examples, c->b, c->j));
	Row* rowOfB = findRow(rows, c->b, c->j, getLabel(rows->examples, c->a, c->i));
	return offer(rowOfA, c, error) && (rowOfB == rowOfA || offer(rowOfB, c, error));
}

bool rpCandidateRows_Collect(const rpCandidateRows* rows, rpCandidates* out, rpError* error)
{
	size_t rowCount = (size_t)rows->firstRows[rows->examples->clipCount] * (size_t)rows->labelCount;
	for (size_t r = 0; r < rowCount; ++r)
	{
		for (int i = 0; i < rows->rows[r].count; ++i)
		{
			if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpCandidate), error))
			{
				return false;
			}
			out->items[out->count++] = rows->rows[r].items[i];
		}
	}
	if (out->count > 0)
	{
		qsort(out->items, (size_t)out->count, sizeof(rpCandidate), comparePlaces);
	}
	int kept = 0;
	for (int i = 0; i < out->count; ++i)
	{
		// Most were best at both ends.
		if (kept == 0 || comparePlaces(&out->items[kept - 1], &out->items[i]) != 0)
		{
			out->items[kept++] = out->items[i];
		}
	}
	out->count = kept;
	return true;
}
