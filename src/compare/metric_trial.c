/// Cross-validation of fitted weights: J. Wang, thesis, section IV.3. Each example is left out in turn; what matters is
/// whether the weights without it pick another transition.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/fit_rows.h"
#include "work/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/// Two clips by their numbers, and the best transition between them with the weights of all examples; i < 0: they are
/// too short for any.
typedef struct Pair
{
	int a, b;
	Pick best;
	bool isDone;
	rpError error;
} Pair;

/// What came of leaving an example out.
typedef struct Case
{
	/// Of trial->pairs.
	int pair;

	/// Shift of the best transition, frames: of the example's clips, near the example, and of the unseen clips; -1:
	/// there is none.
	int shift, nearShift, unseenShift;
	bool isMisjudged, isDone;
	rpError error;
} Case;

/// Weights as a metric: the ruler with its turns weighed. Profiles share the ruler's angles and have features of their
/// own.
typedef struct View
{
	rpMetric metric;
	double velocityWeight;
} View;

typedef struct Trial
{
	const rpMetricFit* fit;
	const rpJoinExamples* examples;
	rpFitRows rows;
	rpLeastSquares problem;

	/// Profiles of the ruler, and those with the weights of all examples, of the examples' clips and the unseen ones.
	rpMetric* ruler;
	rpProfile** plain;
	View full;
	rpProfile* fullProfiles;
	int clipCount;

	/// Pairs of clips that there are examples of; the unseen one is the last.
	Pair* pairs;
	int pairCount;
	bool hasUnseen;
	Case* cases;
} Trial;

// ---- weights as a metric

static bool openView(const Trial* trial, const double* weights, View* out, rpError* error)
{
	int turnCount = trial->ruler->turnCount;
	*out = (View){.metric = *trial->ruler, .velocityWeight = (double)trial->fit->velocityWeight};
	rpMetric* metric = &out->metric;
	metric->heightWeight = metric->travelWeight = 0.0f;
	metric->turnWeights = rpAllocateZero((size_t)turnCount, sizeof(float), error);
	if (metric->turnWeights == NULL)
	{
		return false;
	}
	for (int term = 0; term < trial->rows.termCount; ++term)
	{
		float weight = (float)weights[term];
		metric->heightWeight += trial->rows.terms[term].kind == rp_fittedHeight ? weight : 0.0f;
		metric->travelWeight += trial->rows.terms[term].kind == rp_fittedTravel ? weight : 0.0f;
		for (int side = 0; side < 2; ++side)
		{
			int turn = trial->rows.turns[term][side];
			if (turn >= 0)
			{
				metric->turnWeights[turn] = weight;
			}
		}
	}
	return true;
}

static void closeView(View* view)
{
	rpFree(view->metric.turnWeights);
}

// The weight of a feature: of a turn's velocity, of the root's travel, of its height.
static double weighFeature(const View* view, int feature)
{
	int turn = feature / 3;
	if (turn < view->metric.turnCount)
	{
		return (double)view->metric.turnWeights[turn] * view->velocityWeight;
	}
	return (double)(feature < 3 * view->metric.turnCount + 3 ? view->metric.travelWeight : view->metric.heightWeight);
}

static bool seeClip(const View* view, const rpProfile* plain, rpProfile* out, rpError* error)
{
	size_t stride = (size_t)plain->formStride;
	*out = *plain;
	out->features = rpAllocate((size_t)plain->featureCount * stride, sizeof(float), error);
	for (int feature = 0; out->features != NULL && feature < plain->featureCount; ++feature)
	{
		float scale = (float)sqrt(weighFeature(view, feature));
		for (size_t i = (size_t)feature * stride; i < ((size_t)feature + 1) * stride; ++i)
		{
			out->features[i] = scale * plain->features[i];
		}
	}
	return out->features != NULL;
}

// ---- picks

// The best transition of two clips; i < 0: there is none.
static bool pickBest(const View* view, const rpProfile* a, const rpProfile* b, Pick* out, rpError* error)
{
	rpMinimum best;
	rpError why = {0};
	*out = (Pick){-1, -1};
	if (!findBest(&view->metric, a, b, 1, &best, &why))
	{
		*error = why;
		return why.code == rp_errorNoSolution;
	}
	*out = (Pick){best.i, best.j};
	return true;
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

static Pick pickNear(const View* view, const rpProfile* a, const rpProfile* b, Pick around)
{
	int reach = (int)(NEAR_SECONDS * view->metric.fps);
	int top = clamp(around.i - reach, 0, a->frameCount - 1), bottom = clamp(around.i + reach, 0, a->frameCount - 1);
	int left = clamp(around.j - reach, 0, b->frameCount - 1), right = clamp(around.j + reach, 0, b->frameCount - 1);
	Pick best = {top, left};
	double least = (double)INFINITY;
	for (int i = top; i <= bottom; ++i)
	{
		for (int j = left; j <= right; ++j)
		{
			double distance = rpAngle_Compare(&view->metric, a, i, b, j, NULL);
			best = distance < least ? (Pick){i, j} : best;
			least = fmin(distance, least);
		}
	}
	return best;
}

static int getShift(Pick a, Pick b)
{
	int i = abs(a.i - b.i), j = abs(a.j - b.j);
	return i > j ? i : j;
}

// ---- one example left out

// The weights without it, [termCount]; and what they make of it.
static bool refit(const Trial* trial, int left, double* weights, double* value, rpError* error)
{
	int count = trial->rows.termCount;
	rpLeastSquares problem;
	double* row = rpAllocate((size_t)count, sizeof(double), error);
	bool done = row != NULL && rpLeastSquares_Create(&problem, count, error);
	*value = 0.0;
	if (done)
	{
		memcpy(problem.gram, trial->problem.gram, (size_t)count * (size_t)count * sizeof(double));
		memcpy(problem.moment, trial->problem.moment, (size_t)count * sizeof(double));
		problem.square = trial->problem.square;
		rpFitRows_Get(&trial->rows, left, (double)trial->fit->velocityWeight, row);
		rpLeastSquares_AddRow(&problem, row, trial->rows.wanted[left], -1.0);
		done = rpSolveNonNegative(&problem, weights, error);
		rpLeastSquares_Free(&problem);
	}
	for (int i = 0; i < count && done; ++i)
	{
		*value += weights[i] * row[i];
	}
	rpFree(row);
	return done;
}

// The example's moments as frames; i < 0 where nothing can be sought around them: around moments of one clip that are
// near each other there is always the clip itself.
static Pick getMoments(const Trial* trial, const rpJoinExample* example)
{
	double fps = trial->fit->fps;
	bool isWithin = example->a == example->b && fabs(example->aTime - example->bTime) < 3.0 * NEAR_SECONDS;
	return (Pick){isWithin ? -1 : (int)lround(example->aTime * fps), (int)lround(example->bTime * fps)};
}

// How far picks between a pair of clips move from where all examples have them.
static bool compareViews(const Trial* trial, const View* view, const Pair* pair, Pick around, int* shift,
						 int* nearShift, rpError* error)
{
	rpProfile a = {0}, b = {0};
	const rpProfile *fullA = &trial->fullProfiles[pair->a], *fullB = &trial->fullProfiles[pair->b];
	Pick best;
	*shift = *nearShift = -1;
	if (pair->best.i < 0)
	{
		return true;
	}
	bool isOne = pair->a == pair->b;
	bool done = seeClip(view, trial->plain[pair->a], &a, error) &&
				(isOne || seeClip(view, trial->plain[pair->b], &b, error)) &&
				pickBest(view, &a, isOne ? &a : &b, &best, error);
	if (done)
	{
		*shift = getShift(pair->best, best);
	}
	if (done && around.i >= 0)
	{
		*nearShift =
			getShift(pickNear(&trial->full, fullA, fullB, around), pickNear(view, &a, isOne ? &a : &b, around));
	}
	rpFree(a.features);
	rpFree(b.features);
	return done;
}

static void runCase(int index, void* context)
{
	Trial* trial = context;
	Case* result = &trial->cases[index];
	const rpJoinExample* example = &trial->examples->items[index];
	View view = {0};
	double value = 0.0;
	int none;
	double* weights = rpAllocate((size_t)trial->rows.termCount, sizeof(double), &result->error);
	result->isDone = weights != NULL && refit(trial, index, weights, &value, &result->error) &&
					 openView(trial, weights, &view, &result->error) &&
					 compareViews(trial, &view, &trial->pairs[result->pair], getMoments(trial, example), &result->shift,
								  &result->nearShift, &result->error) &&
					 (!trial->hasUnseen || compareViews(trial, &view, &trial->pairs[trial->pairCount - 1],
														(Pick){-1, -1}, &result->unseenShift, &none, &result->error));
	result->isMisjudged = (value > 0.5) == example->isGood;
	closeView(&view);
	rpFree(weights);
}

// ---- all examples

static void runPair(int index, void* context)
{
	Trial* trial = context;
	Pair* pair = &trial->pairs[index];
	pair->isDone =
		pickBest(&trial->full, &trial->fullProfiles[pair->a], &trial->fullProfiles[pair->b], &pair->best, &pair->error);
}

static void listPairs(Trial* trial)
{
	const rpJoinExamples* examples = trial->examples;
	for (int i = 0; i < examples->count; ++i)
	{
		const rpJoinExample* example = &examples->items[i];
		int pair = 0;
		while (pair < trial->pairCount && (trial->pairs[pair].a != example->a || trial->pairs[pair].b != example->b))
		{
			++pair;
		}
		trial->pairs[pair].a = example->a;
		trial->pairs[pair].b = example->b;
		trial->pairCount = pair == trial->pairCount ? pair + 1 : trial->pairCount;
		trial->cases[i].pair = pair;
	}
	if (trial->hasUnseen)
	{
		Pair* pair = &trial->pairs[trial->pairCount++];
		pair->a = examples->clipCount;
		pair->b = trial->clipCount - 1;
	}
}

static bool runPairs(Trial* trial, rpError* error)
{
	rpParallelFor(trial->pairCount, runPair, trial);
	for (int i = 0; i < trial->pairCount; ++i)
	{
		if (!trial->pairs[i].isDone)
		{
			if (error != NULL)
			{
				*error = trial->pairs[i].error;
			}
			return false;
		}
	}
	return true;
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
	int low = (count - 1) / 2, high = count / 2;
	*median = 0.5 * (shifts[low] + shifts[high]);
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
		if (trial->hasUnseen && result->unseenShift >= 0)
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

static const rpMotion* getMotion(const Trial* trial, const rpMotion* const* motions, const rpMotion* unseen[2],
								 int clip)
{
	int known = trial->examples->clipCount;
	return clip < known ? motions[clip] : unseen[clip - known];
}

static bool seeClips(Trial* trial, const rpMotion* const* motions, const rpMotion* unseen[2], rpError* error)
{
	bool done = true;
	for (int i = 0; i < trial->clipCount && done; ++i)
	{
		trial->plain[i] = rpCreateProfile(trial->ruler, getMotion(trial, motions, unseen, i), error);
		done = trial->plain[i] != NULL && seeClip(&trial->full, trial->plain[i], &trial->fullProfiles[i], error);
	}
	return done;
}

static bool start(Trial* trial, const rpMotion* const* motions, const rpMotion* unseen[2], const rpFitDef* def,
				  rpError* error)
{
	size_t clipCount = (size_t)trial->clipCount, count = (size_t)trial->examples->count;
	double* weights = rpAllocate((size_t)trial->fit->termCount, sizeof(double), error);
	trial->ruler = rpCreateRuler(motions[0]->skeleton, def, error);
	trial->plain = rpAllocateZero(clipCount, sizeof(rpProfile*), error);
	trial->fullProfiles = rpAllocateZero(clipCount, sizeof(rpProfile), error);
	trial->pairs = rpAllocateZero(count + 1, sizeof(Pair), error);
	trial->cases = rpAllocateZero(count, sizeof(Case), error);
	bool done = weights != NULL && trial->ruler != NULL && trial->plain != NULL && trial->fullProfiles != NULL &&
				trial->pairs != NULL && trial->cases != NULL &&
				rpFitRows_MakeProblem(&trial->rows, (double)trial->fit->velocityWeight, &trial->problem, error);
	for (int i = 0; i < trial->fit->termCount && done; ++i)
	{
		weights[i] = (double)trial->fit->terms[i].weight;
	}
	done = done && openView(trial, weights, &trial->full, error) && seeClips(trial, motions, unseen, error);
	rpFree(weights);
	return done;
}

static void freeTrial(Trial* trial)
{
	for (int i = 0; i < trial->clipCount; ++i)
	{
		rpDestroyProfile(trial->plain != NULL ? trial->plain[i] : NULL);
		rpFree(trial->fullProfiles != NULL ? trial->fullProfiles[i].features : NULL);
	}
	closeView(&trial->full);
	rpDestroyMetric(trial->ruler);
	rpFree(trial->plain);
	rpFree(trial->fullProfiles);
	rpFree(trial->pairs);
	rpFree(trial->cases);
	rpLeastSquares_Free(&trial->problem);
	rpFitRows_Free(&trial->rows);
}

bool rpMetricFit_Validate(const rpMetricFit* fit, const rpMotion* const* motions, const rpJoinExamples* examples,
						  const rpFitDef* def, const rpMotion* unseenA, const rpMotion* unseenB, rpMetricTrial* out,
						  rpError* error)
{
	RP_ASSERT(fit != NULL && motions != NULL && examples != NULL && def != NULL && out != NULL);
	RP_ASSERT((unseenA == NULL) == (unseenB == NULL));
	int unseenCount = unseenA == NULL ? 0 : unseenA == unseenB ? 1 : 2;
	Trial trial = {
		.fit = fit, .examples = examples, .clipCount = examples->clipCount + unseenCount, .hasUnseen = unseenCount > 0};
	const rpMotion* unseen[2] = {unseenA, unseenB};
	bool done = rpFitRows_Create(&trial.rows, motions, examples, def, error);
	RP_ASSERT(!done || trial.rows.termCount == fit->termCount);
	done = done && start(&trial, motions, unseen, def, error);
	if (done)
	{
		listPairs(&trial);
		done = runPairs(&trial, error);
	}
	if (done)
	{
		rpParallelFor(examples->count, runCase, &trial);
		done = gather(&trial, out, error);
	}
	freeTrial(&trial);
	return done;
}
