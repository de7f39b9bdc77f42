/// Samples of a space: blends of neighbouring examples, measured as the examples are, because half-way between two
/// motions is not half-way between what they do (Kovar & Gleicher 2004). Requests at random are made and measured;
/// where one is missed, the blend of the simplex of examples around it becomes a sample, so that samples are where they
/// are needed.
#include "base/error.h"
#include "base/memory.h"
#include "build/space_build.h"
#include "math/order.h"
#include "work/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Requests are met when the mean of misses is below this share of the tolerances, and the 95th percentile below the
// other.
#define MEAN_TARGET 0.5f
#define TAIL_TARGET 1.25f

// What eq. 6.1 and 6.2 alone would miss a request by, tolerances, judged by the samples' values: where it is more,
// samples are too far apart.
#define PLAIN_TARGET 1.5f

// A request is inside if the space has one that is so near, ranges.
#define INSIDE 0.02f

// Samples that are nearer to each other than this, tolerances, are one.
#define NEAREST 0.5f

enum
{
	/// Requests of a round, and how many of them may be gaps in the end; rounds at most; draws for a request that is
	/// inside; examples around a request among which its simplex is looked for.
	roundSize = 64,
	maxGaps = 3,
	maxRounds = 60,
	maxDraws = 50,
	simplexRoom = 10,
	maxCorners = RP_MAX_SPACE_PARAMETERS + 1,
};

/// A request while it is tried.
typedef struct Trial
{
	float asked[RP_MAX_SPACE_PARAMETERS], achieved[RP_MAX_SPACE_PARAMETERS];
	rpSpaceAnswer answer;

	/// The blend of the examples around it, and what that does.
	rpSpaceWeight corners[maxCorners];
	float cornerValues[RP_MAX_SPACE_PARAMETERS];

	/// Tolerances: as measured, and by plain weights.
	float miss, plainMiss;
	bool isPhysical, isWanted, isGap;
	rpError error;
} Trial;

typedef struct Sampler
{
	const rpSpaceMaker* maker;

	/// The maker's own, to which samples are added.
	rpSpace* space;
	const rpFeatureList* features;
	const rpSpaceDef* def;
	float tolerances[RP_MAX_SPACE_PARAMETERS];
	rpRandom random;
	Trial* trials;
	int trialCount;
	int valueCapacity, weightCapacity;
} Sampler;

// ---- simplices

/// The search for the simplex of examples around a request whose corners are nearest: of all that contain it that with
/// the least mean square distance (the Delaunay simplex, as the lifted points' lower hull has it).
typedef struct SimplexSearch
{
	int size;

	/// The nearest examples, and how they are seen from the request, in ranges.
	int examples[simplexRoom];
	double points[simplexRoom][RP_MAX_SPACE_PARAMETERS];
	double squares[simplexRoom];
	int count;

	int chosen[maxCorners];
	int best[maxCorners];
	double bestWeights[maxCorners];
	double bestCost;
} SimplexSearch;

// Gauss and Jordan's step: the column of the i-th unknown becomes 0 but in its own row. False where it is 0 in all.
static bool eliminate(double m[maxCorners][maxCorners + 1], int n, int i)
{
	int pivot = i;
	for (int row = i + 1; row < n; ++row)
	{
		pivot = fabs(m[row][i]) > fabs(m[pivot][i]) ? row : pivot;
	}
	if (fabs(m[pivot][i]) < 1e-9)
	{
		return false;
	}
	for (int column = 0; column <= n; ++column)
	{
		double swapped = m[i][column];
		m[i][column] = m[pivot][column];
		m[pivot][column] = swapped;
	}
	for (int row = 0; row < n; ++row)
	{
		double factor = row != i ? m[row][i] / m[i][i] : 0.0;
		for (int column = i; column <= n; ++column)
		{
			m[row][column] -= factor * m[i][column];
		}
	}
	return true;
}

// Weights of the corners that give the request: as many equations as unknowns. False where they are in one plane.
static bool solveCorners(const SimplexSearch* search, double* weights)
{
	double m[maxCorners][maxCorners + 1];
	int n = search->size;
	bool isSolved = true;
	for (int row = 0; row < n; ++row)
	{
		for (int column = 0; column < n; ++column)
		{
			m[row][column] = row + 1 < n ? search->points[search->chosen[column]][row] : 1.0;
		}
		m[row][n] = row + 1 < n ? 0.0 : 1.0;
	}
	for (int i = 0; i < n && isSolved; ++i)
	{
		isSolved = eliminate(m, n, i);
	}
	for (int i = 0; i < n && isSolved; ++i)
	{
		weights[i] = m[i][n] / m[i][i];
	}
	return isSolved;
}

static void tryCorners(SimplexSearch* search)
{
	double weights[maxCorners], cost = 0.0;
	bool isInside = solveCorners(search, weights);
	for (int i = 0; i < search->size && isInside; ++i)
	{
		isInside = weights[i] > -1e-6;
		cost += fmax(weights[i], 0.0) * search->squares[search->chosen[i]];
	}
	if (isInside && cost < search->bestCost)
	{
		search->bestCost = cost;
		memcpy(search->best, search->chosen, sizeof(search->best));
		memcpy(search->bestWeights, weights, sizeof(weights));
	}
}

// All sets of corners; there are few.
static void chooseCorners(SimplexSearch* search, int at, int from)
{
	if (at == search->size)
	{
		tryCorners(search);
		return;
	}
	for (int i = from; i < search->count; ++i)
	{
		search->chosen[at] = i;
		chooseCorners(search, at + 1, i + 1);
	}
}

static void listNearest(const Sampler* sampler, const float* asked, SimplexSearch* out)
{
	const rpSpace* space = sampler->space;
	int d = space->parameterCount, max = d <= 3 ? simplexRoom : d + 3;
	out->count = 0;
	for (int i = 0; i < space->exampleCount; ++i)
	{
		double point[RP_MAX_SPACE_PARAMETERS], square = 0.0;
		for (int k = 0; k < d; ++k)
		{
			float range = space->parameters[k].high - space->parameters[k].low;
			point[k] = range > 0.0f ? (double)((space->values[i * d + k] - asked[k]) / range) : 0.0;
			square += point[k] * point[k];
		}
		if (out->count == max && square >= out->squares[out->count - 1])
		{
			continue;
		}
		int at = out->count < max ? out->count++ : out->count - 1;
		for (; at > 0 && out->squares[at - 1] > square; --at)
		{
			out->squares[at] = out->squares[at - 1];
			out->examples[at] = out->examples[at - 1];
			memcpy(out->points[at], out->points[at - 1], sizeof(point));
		}
		out->squares[at] = square;
		out->examples[at] = i;
		memcpy(out->points[at], point, sizeof(point));
	}
}

static int compareWeights(const void* a, const void* b)
{
	const rpSpaceWeight *x = a, *y = b;
	return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight) : x->example - y->example;
}

// Whether a simplex of the nearest examples contains a request; and then its corners, heaviest first.
static bool findSimplex(const Sampler* sampler, Trial* trial)
{
	SimplexSearch search = {.size = sampler->space->parameterCount + 1, .bestCost = INFINITY};
	listNearest(sampler, trial->asked, &search);
	chooseCorners(&search, 0, 0);
	if (search.bestCost == INFINITY)
	{
		return false;
	}
	for (int i = 0; i < search.size; ++i)
	{
		float weight = (float)fmax(search.bestWeights[i], 0.0);
		trial->corners[i] = (rpSpaceWeight){search.examples[search.best[i]], weight};
	}
	qsort(trial->corners, (size_t)search.size, sizeof(rpSpaceWeight), compareWeights);
	return true;
}

// ---- requests

static void drawPoint(Sampler* sampler, float* out)
{
	for (int k = 0; k < sampler->space->parameterCount; ++k)
	{
		const rpSpaceParameter* parameter = &sampler->space->parameters[k];
		out[k] = rpRandom_Range(&sampler->random, parameter->low, parameter->high);
	}
}

static float getMiss(const Sampler* sampler, const float* a, const float* b)
{
	float miss = 0.0f;
	for (int k = 0; k < sampler->space->parameterCount; ++k)
	{
		miss = fmaxf(miss, fabsf(a[k] - b[k]) / sampler->tolerances[k]);
	}
	return miss;
}

// A request that is inside, at random: one that the space has, or a gap, between examples that no samples fill yet.
// Where the space is a thin sheet, the nearest that it has.
static void drawRequest(Sampler* sampler, Trial* trial)
{
	rpError ignored;
	rpSpaceAnswer answer;
	trial->isGap = false;
	for (int draw = 0; draw < maxDraws; ++draw)
	{
		drawPoint(sampler, trial->asked);
		if (rpSpace_Weigh(sampler->space, trial->asked, NULL, &answer, &ignored) && answer.error < INSIDE)
		{
			break;
		}
		trial->isGap = findSimplex(sampler, trial);
		trial->isWanted = true;
		if (trial->isGap)
		{
			return;
		}
	}
	memcpy(trial->asked, answer.nearest, sizeof(trial->asked));
	rpSpaceWeighDef plain = rpDefaultSpaceWeighDef();
	plain.correct = false;
	plain.neighbours = sampler->space->parameterCount + 1;
	trial->isWanted = rpSpace_Weigh(sampler->space, trial->asked, &plain, &answer, &ignored) &&
					  rpSpace_Weigh(sampler->space, trial->asked, NULL, &trial->answer, &ignored);
	trial->plainMiss = trial->isWanted ? getMiss(sampler, trial->asked, answer.nearest) : 0.0f;
}

static void tryRequest(int index, void* context)
{
	Sampler* sampler = context;
	Trial* trial = &sampler->trials[index];
	if (trial->isWanted && !trial->isGap)
	{
		trial->isWanted =
			rpSpaceMaker_Measure(sampler->maker, sampler->features, trial->answer.weights, trial->answer.weightCount,
								 trial->achieved, &trial->isPhysical, &trial->error);
	}
	trial->miss = trial->isWanted && !trial->isGap ? getMiss(sampler, trial->asked, trial->achieved) : 0.0f;
}

// Where no simplex of the nearest contains the request, the heaviest of its answer.
static void takeAnswer(const Sampler* sampler, Trial* trial)
{
	for (int i = 0; i <= sampler->space->parameterCount; ++i)
	{
		trial->corners[i] = i < trial->answer.weightCount ? trial->answer.weights[i] : (rpSpaceWeight){0};
	}
}

// Weights that add up to 1; returns how many there are.
static int normalizeCorners(const Sampler* sampler, Trial* trial)
{
	int count = 0;
	float sum = 0.0f;
	for (int i = 0; i <= sampler->space->parameterCount; ++i)
	{
		sum += trial->corners[i].weight;
		count += trial->corners[i].weight > 0.0f;
	}
	for (int i = 0; i <= sampler->space->parameterCount; ++i)
	{
		trial->corners[i].weight /= sum;
	}
	return count;
}

static void measureCorners(int index, void* context)
{
	Sampler* sampler = context;
	Trial* trial = &sampler->trials[index];
	trial->isWanted = trial->isWanted && (trial->isGap || trial->miss > MEAN_TARGET || trial->plainMiss > PLAIN_TARGET);
	if (!trial->isWanted)
	{
		return;
	}
	if (!findSimplex(sampler, trial))
	{
		takeAnswer(sampler, trial);
	}
	int count = normalizeCorners(sampler, trial);
	trial->isWanted = count > 1 && rpSpaceMaker_Measure(sampler->maker, sampler->features, trial->corners, count,
														trial->cornerValues, NULL, &trial->error);
}

// ---- rounds

static bool addSample(Sampler* sampler, const Trial* trial, rpError* error)
{
	rpSpace* space = sampler->space;
	size_t d = (size_t)space->parameterCount, at = (size_t)space->sampleCount;
	for (int i = 0; i < space->sampleCount; ++i)
	{
		if (getMiss(sampler, trial->cornerValues, space->values + (size_t)i * d) < NEAREST)
		{
			return true;
		}
	}
	if (!rpGrow(&space->values, &sampler->valueCapacity, space->sampleCount, d * sizeof(float), error) ||
		!rpGrow(&space->weights, &sampler->weightCapacity, space->sampleCount, (d + 1) * sizeof(rpSpaceWeight), error))
	{
		return false;
	}
	memcpy(space->values + at * d, trial->cornerValues, d * sizeof(float));
	memcpy(space->weights + at * (d + 1), trial->corners, (d + 1) * sizeof(rpSpaceWeight));
	++space->sampleCount;
	for (size_t k = 0; k < d; ++k)
	{
		rpSpaceParameter* parameter = &space->parameters[k];
		parameter->low = fminf(parameter->low, trial->cornerValues[k]);
		parameter->high = fmaxf(parameter->high, trial->cornerValues[k]);
	}
	return true;
}

static bool checkMemory(const Trial* trial, rpError* error)
{
	return trial->error.code != rp_errorMemory || rpFail(error, rp_errorMemory, "out of memory");
}

static void takeMisses(const Sampler* sampler, rpSpaceBuildReport* report)
{
	float misses[roundSize], sum = 0.0f, plain = 0.0f;
	int count = 0;
	for (int i = 0; i < sampler->trialCount; ++i)
	{
		const Trial* trial = &sampler->trials[i];
		if (trial->isWanted && !trial->isGap)
		{
			misses[count++] = trial->miss;
			sum += trial->miss;
			plain += trial->plainMiss;
			++*(trial->isPhysical ? &report->physicalCount : &report->plainCount);
		}
	}
	qsort(misses, (size_t)count, sizeof(float), rpCompareFloats);
	report->missMean = count > 0 ? sum / (float)count : 0.0f;
	report->plainMiss = count > 0 ? plain / (float)count : 0.0f;
	report->miss95 = count > 0 ? misses[(count - 1) * 95 / 100] : 0.0f;
	report->requestCount += count;
}

static bool tryRound(Sampler* sampler, rpSpaceBuildReport* report, rpError* error)
{
	bool done = true;
	for (int i = 0; i < sampler->trialCount; ++i)
	{
		sampler->trials[i].error = (rpError){0};
		drawRequest(sampler, &sampler->trials[i]);
	}
	rpParallelFor(sampler->trialCount, tryRequest, sampler);
	for (int i = 0; i < sampler->trialCount && done; ++i)
	{
		done = checkMemory(&sampler->trials[i], error);
	}
	takeMisses(sampler, report);
	return done;
}

static bool addSamples(Sampler* sampler, rpError* error)
{
	bool done = true;
	rpParallelFor(sampler->trialCount, measureCorners, sampler);
	for (int i = 0; i < sampler->trialCount && done; ++i)
	{
		const Trial* trial = &sampler->trials[i];
		bool hasRoom = sampler->space->sampleCount < sampler->def->maxSamples;
		done = checkMemory(trial, error) && (!trial->isWanted || !hasRoom || addSample(sampler, trial, error));
	}
	return done;
}

static bool goesOn(const Sampler* sampler, int round, rpError* error)
{
	const rpSpaceDef* def = sampler->def;
	double fraction = 0.3 + 0.7 * round / maxRounds;
	return def->progress == NULL || def->progress(fraction, "sampling the space", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

static int countGaps(const Sampler* sampler)
{
	int count = 0;
	for (int i = 0; i < sampler->trialCount; ++i)
	{
		count += sampler->trials[i].isGap;
	}
	return count;
}

static bool sample(Sampler* sampler, rpSpaceBuildReport* report, rpError* error)
{
	bool done = true, isMet = false;
	for (int round = 0; round < maxRounds && done && !isMet; ++round)
	{
		int before = sampler->space->sampleCount;
		done = goesOn(sampler, round, error) && tryRound(sampler, report, error);
		report->missBefore = round == 0 ? report->missMean : report->missBefore;
		isMet = countGaps(sampler) <= maxGaps && report->missMean < MEAN_TARGET && report->miss95 < TAIL_TARGET &&
				report->plainMiss < PLAIN_TARGET;
		isMet = isMet || before >= sampler->def->maxSamples;
		done = done && (isMet || addSamples(sampler, error));
		// Where nothing new can be sampled, no more rounds help.
		isMet = isMet || sampler->space->sampleCount == before;
	}
	return done;
}

// ---- from a space and back

static bool takeSamples(const rpSpace* from, rpSpace* to, rpError* error)
{
	size_t d = (size_t)from->parameterCount, count = (size_t)from->sampleCount;
	float* values = rpAllocate(count * d, sizeof(float), error);
	rpSpaceWeight* weights = rpAllocate(count * (d + 1), sizeof(rpSpaceWeight), error);
	if (values == NULL || weights == NULL)
	{
		rpFree(values);
		rpFree(weights);
		return false;
	}
	memcpy(values, from->values, count * d * sizeof(float));
	memcpy(weights, from->weights, count * (d + 1) * sizeof(rpSpaceWeight));
	rpFree(to->values);
	rpFree(to->weights);
	to->values = values;
	to->weights = weights;
	to->sampleCount = from->sampleCount;
	memcpy(to->parameters, from->parameters, sizeof(to->parameters));
	return true;
}

// The values of the examples as motions of the space show them.
static bool measureExamples(Sampler* sampler, rpError* error)
{
	rpSpace* space = sampler->space;
	int d = space->parameterCount;
	bool done = true;
	for (int i = 0; i < space->exampleCount && done; ++i)
	{
		const rpSpaceWeight own = {i, 1.0f};
		float* values = space->values + (size_t)i * (size_t)d;
		done = rpSpaceMaker_Measure(sampler->maker, sampler->features, &own, 1, values, NULL, error);
	}
	for (int k = 0; k < d && done; ++k)
	{
		rpSpaceParameter* parameter = &space->parameters[k];
		parameter->low = INFINITY;
		parameter->high = -INFINITY;
		for (int i = 0; i < space->exampleCount; ++i)
		{
			parameter->low = fminf(parameter->low, space->values[i * d + k]);
			parameter->high = fmaxf(parameter->high, space->values[i * d + k]);
		}
	}
	return done;
}

bool rpSampleSpace(rpSpace* space, const rpFeatureList* features, const rpSpaceDef* def, rpSpaceBuildReport* report,
				   rpError* error)
{
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, error);
	Sampler sampler = {.maker = maker, .features = features, .def = def, .random = rpSeedRandom(def->seed)};
	if (maker == NULL)
	{
		return false;
	}
	sampler.space = maker->model.space;
	sampler.valueCapacity = sampler.weightCapacity = sampler.space->sampleCount;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		sampler.tolerances[k] = def->tolerances[rpFeatureList_GetInfo(features, k)->unit];
	}
	sampler.trials = rpAllocateZero(roundSize, sizeof(Trial), error);
	sampler.trialCount = roundSize;
	bool done = sampler.trials != NULL && measureExamples(&sampler, error) &&
				(def->maxSamples == 0 || sample(&sampler, report, error)) && takeSamples(sampler.space, space, error);
	rpFree(sampler.trials);
	rpDestroySpaceMaker(maker);
	return done;
}
