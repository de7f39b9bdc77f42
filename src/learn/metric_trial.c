/// Cross-validation of fitted weights: J. Wang, thesis, section IV.3. Each example is left out in turn; what matters is
/// whether the weights without it pick another transition.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/fit_rows.h"
#include "work/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far around an example the best transition near it is sought, seconds.
#define NEAR_SECONDS 0.5

// A transition whose distance is at most so much more than that of the best one, as a share, is as good.
#define TIE 0.05

// The best of all local minima, which stay in minima for the caller to free.
static bool listMinima(const rpMetric* metric, const rpProfile* a, const rpProfile* b, int threads, rpMinima* minima,
					   rpMinimum* out, rpError* error)
{
	rpGridDef def = rpDefaultGridDef();
	def.threads = threads;
	bool done = rpMetric_FindMinima(metric, a, b, INFINITY, &def, minima, error);
	if (done && minima->count == 0)
	{
		done = rpFail(error, rp_errorNoSolution, "the clips are too short to go over from one to the other");
	}
	for (int i = 0; i < minima->count && done; ++i)
	{
		*out = i == 0 || minima->items[i].distance < out->distance ? minima->items[i] : *out;
	}
	return done;
}

static bool findBest(const rpMetric* metric, const rpProfile* a, const rpProfile* b, int threads, rpMinimum* out,
					 rpError* error)
{
	rpMinima minima = {0};
	bool done = listMinima(metric, a, b, threads, &minima, out, error);
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
/// too short for any. And those local minima that are as good, [tieCount].
typedef struct Pair
{
	int a, b;
	Pick best;
	Pick* ties;
	int tieCount;
	bool isDone;
	rpError error;
} Pair;

/// How far the best transition of two clips moves, frames: at all, to the nearest that is as good, near the example;
/// -1: there is none. And how much farther it is than the best one by the weights of all examples, as a share.
typedef struct Shifts
{
	int shift, tiedShift, nearShift;
	double regret;
} Shifts;

/// What came of leaving an example out.
typedef struct Case
{
	/// Of trial->pairs.
	int pair;

	/// Shifts between the example's clips, and of the best transition of the unseen ones.
	Shifts own;
	int unseenShift;
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
	const rpFitDef* def;
	rpFitRows rows;

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
	size_t count = rpCountRowFloats(plain->featureCount, plain->formStride);
	out->features = rpAllocateZero(count, sizeof(float), error);
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
	int halfWindow = (int)(NEAR_SECONDS * view->metric.fps);
	int top = clamp(around.i - halfWindow, 0, a->frameCount - 1),
		bottom = clamp(around.i + halfWindow, 0, a->frameCount - 1);
	int left = clamp(around.j - halfWindow, 0, b->frameCount - 1),
		right = clamp(around.j + halfWindow, 0, b->frameCount - 1);
	Pick best = {top, left};
	double min = (double)INFINITY;
	for (int i = top; i <= bottom; ++i)
	{
		for (int j = left; j <= right; ++j)
		{
			double distance = rpAngle_Compare(&view->metric, a, i, b, j, NULL);
			best = distance < min ? (Pick){i, j} : best;
			min = fmin(distance, min);
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
	rpFitSolution solution = {.velocityWeight = (double)trial->fit->velocityWeight, .weights = weights};
	double* row = rpAllocate((size_t)count, sizeof(double), error);
	bool done = row != NULL && rpFitRows_Solve(&trial->rows, trial->def, left, &solution, NULL, error);
	*value = 0.0;
	if (done)
	{
		rpFitRows_Get(&trial->rows, left, (double)trial->fit->velocityWeight, row);
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

static double measureFull(const Trial* trial, const Pair* pair, Pick pick)
{
	return sqrt(rpAngle_Compare(&trial->full.metric, &trial->fullProfiles[pair->a], pick.i,
								&trial->fullProfiles[pair->b], pick.j, NULL));
}

static void compareBest(const Trial* trial, const Pair* pair, Pick best, Shifts* out)
{
	double min = measureFull(trial, pair, pair->best), distance = measureFull(trial, pair, best);
	out->shift = getShift(pair->best, best);
	out->regret = min > 0.0 ? fmax(distance / min - 1.0, 0.0) : 0.0;
	out->tiedShift = out->regret <= TIE ? 0 : out->shift;
	for (int i = 0; i < pair->tieCount; ++i)
	{
		int shift = getShift(pair->ties[i], best);
		out->tiedShift = shift < out->tiedShift ? shift : out->tiedShift;
	}
}

// How far picks between a pair of clips move from where all examples have them.
static bool compareViews(const Trial* trial, const View* view, const Pair* pair, Pick around, Shifts* out,
						 rpError* error)
{
	rpProfile a = {0}, b = {0};
	const rpProfile *fullA = &trial->fullProfiles[pair->a], *fullB = &trial->fullProfiles[pair->b];
	Pick best;
	*out = (Shifts){-1, -1, -1, 0.0};
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
		compareBest(trial, pair, best, out);
	}
	if (done && around.i >= 0)
	{
		out->nearShift =
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
	Shifts unseen = {-1, -1, -1, 0.0};
	double* weights = rpAllocate((size_t)trial->rows.termCount, sizeof(double), &result->error);
	result->isDone = weights != NULL && refit(trial, index, weights, &value, &result->error) &&
					 openView(trial, weights, &view, &result->error) &&
					 compareViews(trial, &view, &trial->pairs[result->pair], getMoments(trial, example), &result->own,
								  &result->error) &&
					 (!trial->hasUnseen || compareViews(trial, &view, &trial->pairs[trial->pairCount - 1],
														(Pick){-1, -1}, &unseen, &result->error));
	result->unseenShift = unseen.shift;
	result->isMisjudged = (value > 0.5) == example->isGood;
	closeView(&view);
	rpFree(weights);
}

// ---- all examples

static bool listTies(Pair* pair, const rpMinima* minima, const rpMinimum* best, rpError* error)
{
	pair->best = (Pick){best->i, best->j};
	pair->ties = rpAllocate((size_t)minima->count, sizeof(Pick), error);
	for (int i = 0; i < minima->count && pair->ties != NULL; ++i)
	{
		if ((double)minima->items[i].distance <= (1.0 + TIE) * (double)best->distance)
		{
			pair->ties[pair->tieCount++] = (Pick){minima->items[i].i, minima->items[i].j};
		}
	}
	return pair->ties != NULL;
}

static void runPair(int index, void* context)
{
	Trial* trial = context;
	Pair* pair = &trial->pairs[index];
	rpMinima minima = {0};
	rpMinimum best;
	pair->best = (Pick){-1, -1};
	bool isFound = listMinima(&trial->full.metric, &trial->fullProfiles[pair->a], &trial->fullProfiles[pair->b], 1,
							  &minima, &best, &pair->error);
	pair->isDone = isFound ? listTies(pair, &minima, &best, &pair->error) : pair->error.code == rp_errorNoSolution;
	rpMinima_Free(&minima);
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

// Mean and median of shifts, [count]; they are sorted in the process.
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

/// Shifts of all examples, those of a kind that there are.
typedef enum ShiftKind
{
	shiftAtAll,
	shiftTied,
	shiftNear,
	shiftUnseen,
	shiftKindCount,
} ShiftKind;

static int getShiftOf(const Case* result, ShiftKind kind)
{
	const int shifts[shiftKindCount] = {result->own.shift, result->own.tiedShift, result->own.nearShift,
										result->unseenShift};
	return shifts[kind];
}

static int listShifts(const Trial* trial, ShiftKind kind, int* out)
{
	int count = 0;
	for (int i = 0; i < trial->examples->count; ++i)
	{
		int shift = getShiftOf(&trial->cases[i], kind);
		if (shift >= 0)
		{
			out[count++] = shift;
		}
	}
	return count;
}

static bool checkCases(const Trial* trial, rpError* error)
{
	for (int i = 0; i < trial->examples->count; ++i)
	{
		if (!trial->cases[i].isDone)
		{
			if (error != NULL)
			{
				*error = trial->cases[i].error;
			}
			return false;
		}
	}
	return true;
}

static bool gather(const Trial* trial, rpMetricTrial* out, rpError* error)
{
	int* shifts = rpAllocate((size_t)trial->examples->count, sizeof(int), error);
	if (shifts == NULL)
	{
		return false;
	}
	*out = (rpMetricTrial){0};
	for (int i = 0; i < trial->examples->count; ++i)
	{
		const Case* result = &trial->cases[i];
		out->misjudgedCount += result->isMisjudged;
		out->regretMean += result->own.regret;
	}
	out->caseCount = listShifts(trial, shiftAtAll, shifts);
	out->regretMean /= out->caseCount > 0 ? out->caseCount : 1;
	summarise(shifts, out->caseCount, &out->shiftMean, &out->shiftMedian, &out->sameCount);
	listShifts(trial, shiftTied, shifts);
	summarise(shifts, out->caseCount, &out->tiedShiftMean, &out->tiedShiftMedian, &out->tiedSameCount);
	out->nearCaseCount = listShifts(trial, shiftNear, shifts);
	summarise(shifts, out->nearCaseCount, &out->nearShiftMean, &out->nearShiftMedian, &out->nearSameCount);
	out->unseenCaseCount = listShifts(trial, shiftUnseen, shifts);
	summarise(shifts, out->unseenCaseCount, &out->unseenShiftMean, &out->unseenShiftMedian, &out->unseenSameCount);
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

static bool start(Trial* trial, const rpMotion* const* motions, const rpMotion* unseen[2], rpError* error)
{
	size_t clipCount = (size_t)trial->clipCount, count = (size_t)trial->examples->count;
	double* weights = rpAllocate((size_t)trial->fit->termCount, sizeof(double), error);
	trial->ruler = rpCreateRuler(motions[0]->skeleton, trial->def, error);
	trial->plain = rpAllocateZero(clipCount, sizeof(rpProfile*), error);
	trial->fullProfiles = rpAllocateZero(clipCount, sizeof(rpProfile), error);
	trial->pairs = rpAllocateZero(count + 1, sizeof(Pair), error);
	trial->cases = rpAllocateZero(count, sizeof(Case), error);
	bool done = weights != NULL && trial->ruler != NULL && trial->plain != NULL && trial->fullProfiles != NULL &&
				trial->pairs != NULL && trial->cases != NULL;
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
	for (int i = 0; i < trial->pairCount; ++i)
	{
		rpFree(trial->pairs[i].ties);
	}
	rpFree(trial->pairs);
	rpFree(trial->cases);
	rpFitRows_Free(&trial->rows);
}

bool rpMetricFit_Validate(const rpMetricFit* fit, const rpMotion* const* motions, const rpJoinExamples* examples,
						  const rpFitDef* def, const rpMotion* unseenA, const rpMotion* unseenB, rpMetricTrial* out,
						  rpError* error)
{
	RP_ASSERT(fit != NULL && motions != NULL && examples != NULL && def != NULL && out != NULL);
	RP_ASSERT((unseenA == NULL) == (unseenB == NULL));
	int unseenCount = unseenA == NULL ? 0 : unseenA == unseenB ? 1 : 2;
	Trial trial = {.fit = fit,
				   .def = def,
				   .examples = examples,
				   .clipCount = examples->clipCount + unseenCount,
				   .hasUnseen = unseenCount > 0};
	const rpMotion* unseen[2] = {unseenA, unseenB};
	bool done = rpFitRows_Create(&trial.rows, motions, examples, def, error);
	RP_ASSERT(!done || trial.rows.termCount == fit->termCount);
	done = done && start(&trial, motions, unseen, error);
	if (done)
	{
		listPairs(&trial);
		done = runPairs(&trial, error);
	}
	if (done)
	{
		rpParallelFor(examples->count, runCase, &trial);
		done = checkCases(&trial, error) && gather(&trial, out, error);
	}
	freeTrial(&trial);
	return done;
}
