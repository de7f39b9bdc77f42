/// Cross-validation of fitted weights: J. Wang, thesis, section IV.3. Each example is left out in turn; what matters is
/// whether the weights without it pick another transition.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/fit_rows.h"
#include "work/parallel.h"

#include <math.h>
#include <stdlib.h>

// How far around an example the best transition near it is sought, seconds.
#define NEAR_SECONDS 0.5

static bool findBest(const rpMetric* metric, const rpProfile* a, const rpProfile* b, int threads, rpMinimum* out,
					 rpError* error)
{
	rpMinima minima = {0};
	rpGridDef def = rpDefaultGridDef();
	def.threads = threads;
	bool done = rpMetric_FindMinima(metric, a, b, INFINITY, &def, &minima, error);
	if (done && minima.count == 0)
	{
		done = rpFail(error, rp_errorNoSolution, "the clips are too short to go over from one to the other");
	}
	for (int i = 0; i < minima.count && done; ++i)
	{
		*out = i == 0 || minima.items[i].distance < out->distance ? minima.items[i] : *out;
	}
	rpMinima_Free(&minima);
	return done;
}

bool rpMetric_FindBest(const rpMetric* metric, const rpProfile* a, const rpProfile* b, rpMinimum* out, rpError* error)
{
	RP_ASSERT(metric != NULL && a != NULL && b != NULL && out != NULL);
	return findBest(metric, a, b, 0, out, error);
}

/// Frames at which one would go over.
typedef struct Pick
{
	int i, j;
} Pick;

/// Two motions, and frames around which a pick is wanted too; i < 0: none.
typedef struct Quest
{
	const rpMotion *a, *b;
	Pick around;
} Quest;

/// A set of weights' answer.
typedef struct Answer
{
	Pick best, near;
} Answer;

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

static Pick findNear(const rpMetric* metric, const rpProfile* a, const rpProfile* b, Pick around)
{
	int reach = (int)(NEAR_SECONDS * metric->fps);
	int top = clamp(around.i - reach, 0, a->frameCount - 1), bottom = clamp(around.i + reach, 0, a->frameCount - 1);
	int left = clamp(around.j - reach, 0, b->frameCount - 1), right = clamp(around.j + reach, 0, b->frameCount - 1);
	Pick best = {top, left};
	double least = (double)INFINITY;
	for (int i = top; i <= bottom; ++i)
	{
		for (int j = left; j <= right; ++j)
		{
			double distance = rpAngle_Compare(metric, a, i, b, j, NULL);
			best = distance < least ? (Pick){i, j} : best;
			least = fmin(distance, least);
		}
	}
	return best;
}

static bool answer(const rpMetricFit* fit, const Quest* quest, Answer* out, rpError* error)
{
	const rpSkeleton* skeleton = quest->a->skeleton;
	rpMetricDef def;
	rpMinimum best;
	float* weights = rpAllocate((size_t)skeleton->jointCount, sizeof(float), error);
	if (weights == NULL)
	{
		return false;
	}
	rpMetricFit_GetDef(fit, skeleton, weights, &def);
	rpMetric* metric = rpCreateMetric(skeleton, &def, error);
	rpProfile* a = metric != NULL ? rpCreateProfile(metric, quest->a, error) : NULL;
	rpProfile* b = a == NULL || quest->a == quest->b ? a : rpCreateProfile(metric, quest->b, error);
	bool done = b != NULL && findBest(metric, a, b, 1, &best, error);
	if (done)
	{
		*out = (Answer){.best = {best.i, best.j}};
		out->near = quest->around.i >= 0 ? findNear(metric, a, b, quest->around) : out->best;
	}
	rpDestroyProfile(b != a ? b : NULL);
	rpDestroyProfile(a);
	rpDestroyMetric(metric);
	rpFree(weights);
	return done;
}

/// What came of leaving an example out.
typedef struct Case
{
	/// Shift of the best transition, frames: of the example's clips, near the example, and of the unseen clips; -1:
	/// there is none.
	int shift, nearShift, unseenShift;
	bool isMisjudged, isDone;
	rpError error;
} Case;

typedef struct Trial
{
	const rpMetricFit* fit;
	const rpMotion* const* motions;
	const rpJoinExamples* examples;
	const rpMotion *unseenA, *unseenB;
	rpFitRows rows;
	rpLeastSquares problem;
	Case* cases;
} Trial;

static int getShift(Pick a, Pick b)
{
	int i = abs(a.i - b.i), j = abs(a.j - b.j);
	return i > j ? i : j;
}

// The weights without an example, as a fit that picks can be made with; its terms are the caller's to free.
static bool refit(const Trial* trial, int left, rpMetricFit* out, double* value, rpError* error)
{
	int count = trial->rows.termCount;
	rpLeastSquares problem;
	double* row = rpAllocate((size_t)count, sizeof(double), error);
	double* weights = rpAllocate((size_t)count, sizeof(double), error);
	*out = *trial->fit;
	out->terms = rpAllocate((size_t)count, sizeof(rpMetricTerm), error);
	bool done = row != NULL && weights != NULL && out->terms != NULL && rpLeastSquares_Create(&problem, count, error);
	if (done)
	{
		for (int i = 0; i < count * count; ++i)
		{
			problem.gram[i] = trial->problem.gram[i];
		}
		for (int i = 0; i < count; ++i)
		{
			problem.moment[i] = trial->problem.moment[i];
		}
		problem.square = trial->problem.square;
		rpFitRows_Get(&trial->rows, left, (double)trial->fit->velocityWeight, row);
		rpLeastSquares_AddRow(&problem, row, trial->rows.wanted[left], -1.0);
		done = rpSolveNonNegative(&problem, weights, error);
		rpLeastSquares_Free(&problem);
	}
	*value = 0.0;
	for (int i = 0; i < count && done; ++i)
	{
		out->terms[i] = trial->fit->terms[i];
		out->terms[i].weight = (float)weights[i];
		*value += weights[i] * row[i];
	}
	rpFree(row);
	rpFree(weights);
	return done;
}

static bool isSame(const rpMetricFit* a, const rpMetricFit* b)
{
	bool same = true;
	for (int i = 0; i < a->termCount && same; ++i)
	{
		same = a->terms[i].weight == b->terms[i].weight;
	}
	return same;
}

// The shifts between the answers of two fits; -1 where the clips are too short for any.
static bool compareFits(const Trial* trial, const rpMetricFit* other, const Quest* quest, int* shift, int* nearShift,
						rpError* error)
{
	Answer full, left;
	rpError why = {0};
	bool isNear = quest->around.i >= 0;
	*shift = 0;
	*nearShift = isNear ? 0 : -1;
	if (isSame(trial->fit, other))
	{
		return true;
	}
	if (!answer(trial->fit, quest, &full, &why))
	{
		*shift = *nearShift = -1;
		*error = why;
		return why.code == rp_errorNoSolution;
	}
	if (!answer(other, quest, &left, error))
	{
		return false;
	}
	*shift = getShift(full.best, left.best);
	*nearShift = isNear ? getShift(full.near, left.near) : -1;
	return true;
}

static Quest makeQuest(const Trial* trial, const rpJoinExample* example)
{
	double fps = trial->fit->fps;
	Quest quest = {trial->motions[example->a],
				   trial->motions[example->b],
				   {(int)lround(example->aTime * fps), (int)lround(example->bTime * fps)}};
	// Around moments of one clip that are near each other there is always the clip itself.
	bool isWithin = example->a == example->b && fabs(example->aTime - example->bTime) < 3.0 * NEAR_SECONDS;
	quest.around.i = isWithin ? -1 : quest.around.i;
	return quest;
}

static void runCase(int index, void* context)
{
	Trial* trial = context;
	Case* result = &trial->cases[index];
	const rpJoinExample* example = &trial->examples->items[index];
	Quest quest = makeQuest(trial, example), unseen = {trial->unseenA, trial->unseenB, {-1, -1}};
	rpMetricFit other;
	double value;
	int none;
	result->isDone =
		refit(trial, index, &other, &value, &result->error) &&
		compareFits(trial, &other, &quest, &result->shift, &result->nearShift, &result->error) &&
		(trial->unseenA == NULL || compareFits(trial, &other, &unseen, &result->unseenShift, &none, &result->error));
	result->isMisjudged = (value > 0.5) == example->isGood;
	rpMetricFit_Free(&other);
}

static int compareInts(const void* a, const void* b)
{
	int x = *(const int*)a, y = *(const int*)b;
	return (x > y) - (x < y);
}

// Mean and median of shifts, [count]; they are sorted on the way.
static void summarise(int* shifts, int count, double* mean, double* median, int* same)
{
	*mean = *median = 0.0;
	*same = 0;
	if (count == 0)
	{
		return;
	}
	qsort(shifts, (size_t)count, sizeof(int), compareInts);
	for (int i = 0; i < count; ++i)
	{
		*mean += (double)shifts[i] / count;
		*same += shifts[i] == 0;
	}
	*median = 0.5 * (shifts[(count - 1) / 2] + shifts[count / 2]);
}

static bool gather(const Trial* trial, rpMetricTrial* out, rpError* error)
{
	int count = trial->examples->count, seen = 0, near = 0, unseen = 0;
	int* shifts = rpAllocate(3 * (size_t)count, sizeof(int), error);
	if (shifts == NULL)
	{
		return false;
	}
	*out = (rpMetricTrial){0};
	for (int i = 0; i < count; ++i)
	{
		const Case* result = &trial->cases[i];
		if (!result->isDone)
		{
			if (error != NULL)
			{
				*error = result->error;
			}
			rpFree(shifts);
			return false;
		}
		out->misjudgedCount += result->isMisjudged;
		if (result->shift >= 0)
		{
			shifts[seen++] = result->shift;
		}
		if (result->nearShift >= 0)
		{
			shifts[2 * count + near++] = result->nearShift;
		}
		if (trial->unseenA != NULL && result->unseenShift >= 0)
		{
			shifts[count + unseen++] = result->unseenShift;
		}
	}
	out->caseCount = seen;
	out->nearCaseCount = near;
	out->unseenCaseCount = unseen;
	summarise(shifts + 2 * count, near, &out->nearShiftMean, &out->nearShiftMedian, &out->nearSameCount);
	summarise(shifts, seen, &out->shiftMean, &out->shiftMedian, &out->sameCount);
	summarise(shifts + count, unseen, &out->unseenShiftMean, &out->unseenShiftMedian, &out->unseenSameCount);
	rpFree(shifts);
	return true;
}

bool rpMetricFit_Validate(const rpMetricFit* fit, const rpMotion* const* motions, const rpJoinExamples* examples,
						  const rpFitDef* def, const rpMotion* unseenA, const rpMotion* unseenB, rpMetricTrial* out,
						  rpError* error)
{
	RP_ASSERT(fit != NULL && motions != NULL && examples != NULL && def != NULL && out != NULL);
	RP_ASSERT((unseenA == NULL) == (unseenB == NULL));
	Trial trial = {.fit = fit, .motions = motions, .examples = examples, .unseenA = unseenA, .unseenB = unseenB};
	if (!rpFitRows_Create(&trial.rows, motions, examples, def, error))
	{
		return false;
	}
	RP_ASSERT(trial.rows.termCount == fit->termCount);
	trial.cases = rpAllocateZero((size_t)examples->count, sizeof(Case), error);
	bool done =
		trial.cases != NULL && rpFitRows_MakeProblem(&trial.rows, (double)fit->velocityWeight, &trial.problem, error);
	if (done)
	{
		rpParallelFor(examples->count, runCase, &trial);
		done = gather(&trial, out, error);
		rpLeastSquares_Free(&trial.problem);
	}
	rpFitRows_Free(&trial.rows);
	rpFree(trial.cases);
	return done;
}
