/// Which numbers tell the examples of a space apart: where examples that are next to each other in a feature are alike,
/// it explains how they differ.
#include "base/error.h"
#include "base/memory.h"
#include "build/space_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxNeighbours = RP_MAX_SPACE_PARAMETERS + 1,
	maxEvents = 16,
};

// ---- neighbours

static float getSquare(const float* a, const float* b, const float* scales, int dimension)
{
	float square = 0.0f;
	for (int k = 0; k < dimension; ++k)
	{
		float difference = scales[k] * (a[k] - b[k]);
		square += difference * difference;
	}
	return square;
}

// The mean distance of an example from those next to it, as many as a simplex has corners beside it, two at least.
static float getNeighbourDistance(const rpExampleSet* set, const float* values, int stride, int dimension,
								  const float* scales, int index)
{
	int nearest[maxNeighbours], found = 0, max = dimension > 1 ? dimension : 2;
	float squares[maxNeighbours], sum = 0.0f;
	for (int i = 0; i < set->count; ++i)
	{
		float square = getSquare(values + i * stride, values + index * stride, scales, dimension);
		if (i == index || (found == max && square >= squares[found - 1]))
		{
			continue;
		}
		int at = found < max ? found++ : found - 1;
		for (; at > 0 && squares[at - 1] > square; --at)
		{
			squares[at] = squares[at - 1];
			nearest[at] = nearest[at - 1];
		}
		squares[at] = square;
		nearest[at] = i;
	}
	for (int i = 0; i < found; ++i)
	{
		sum += (float)rpExampleSet_GetDistance(set, index, nearest[i]);
	}
	return found > 0 ? sum / (float)found : 0.0f;
}

static void findRange(const float* values, int count, int stride, float* low, float* high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (int i = 0; i < count; ++i)
	{
		*low = fminf(*low, values[i * stride]);
		*high = fmaxf(*high, values[i * stride]);
	}
}

float rpFindRoughness(const rpExampleSet* set, double mean, const float* values, int stride, int dimension, float* own)
{
	float scales[RP_MAX_SPACE_PARAMETERS];
	double neighbours = 0.0;
	for (int k = 0; k < dimension; ++k)
	{
		float low, high;
		findRange(values + k, set->count, stride, &low, &high);
		scales[k] = high > low ? 1.0f / (high - low) : 0.0f;
	}
	for (int i = 0; i < set->count; ++i)
	{
		float distance = getNeighbourDistance(set, values, stride, dimension, scales, i);
		neighbours += (double)distance / set->count;
		if (own != NULL)
		{
			own[i] = distance;
		}
	}
	return mean > 0.0 ? (float)(neighbours / mean) : 0.0f;
}

// ---- ranks

typedef struct Ranking
{
	const rpSpace* space;

	/// Its examples, and how far any two are apart.
	const rpExampleSet* set;
	double mean;

	/// [exampleCount]
	float* values;
	rpFeatureRank* ranks;
	int count, capacity;
	bool isOutOfMemory;
} Ranking;

// A feature that all examples have, and in which they differ.
static bool measureAll(Ranking* ranking, const char* text, rpFeatureUnit* unit)
{
	const rpSpace* space = ranking->space;
	rpError why = {0};
	rpFeatureList* list = rpCreateFeatureList(text, space->motions[0]->skeleton, NULL, &why);
	bool done = list != NULL && rpFeatureList_GetCount(list) == 1;
	for (int i = 0; i < space->exampleCount && done; ++i)
	{
		const rpSpaceExample* example = &space->examples[i];
		rpFeatureStretch stretch = {space->motions[i], example->start, example->end};
		done = rpFeatureList_Measure(list, &stretch, &ranking->values[i], &why) && isfinite(ranking->values[i]);
	}
	ranking->isOutOfMemory = ranking->isOutOfMemory || why.code == rp_errorMemory;
	*unit = done ? rpFeatureList_GetInfo(list, 0)->unit : rp_unitMetre;
	rpDestroyFeatureList(list);
	return done;
}

static void tryFeature(Ranking* ranking, const char* text)
{
	static const float s_least[rp_featureUnitCount] = {0.005f, 0.01f, 0.01f, 0.02f};
	rpFeatureUnit unit;
	float low, high;
	int count = ranking->space->exampleCount;
	if (ranking->count == ranking->capacity || !measureAll(ranking, text, &unit))
	{
		return;
	}
	findRange(ranking->values, count, 1, &low, &high);
	rpFeatureRank* rank = &ranking->ranks[ranking->count];
	*rank = (rpFeatureRank){.low = low, .high = high, .unit = unit};
	snprintf(rank->name, sizeof(rank->name), "%s", text);
	rank->explained = 1.0f - rpFindRoughness(ranking->set, ranking->mean, ranking->values, 1, 1, NULL);
	ranking->count += high - low > s_least[unit];
}

static void tryKinds(Ranking* ranking)
{
	const rpFeatureKind* kind;
	for (int i = 0; (kind = rpGetFeatureKind(i)) != NULL; ++i)
	{
		if (kind->needs == 0 && kind->valueCount == 1)
		{
			tryFeature(ranking, kind->name);
		}
	}
}

static void tryPlaces(Ranking* ranking, const char* moment)
{
	static const char* const s_joints[] = {"head", "pelvis", "left_wrist", "right_wrist", "left_ankle", "right_ankle"};
	static const char* const s_axes[] = {"x", "y", "z"};
	char text[RP_MAX_SPACE_TEXT];
	for (int i = 0; i < 18; ++i)
	{
		snprintf(text, sizeof(text), "%s.%s@%.100s", s_joints[i / 3], s_axes[i % 3], moment);
		tryFeature(ranking, text);
	}
}

static void tryMoments(Ranking* ranking)
{
	static const char* const s_moments[] = {"highest", "lowest", "ahead", "end"};
	const char* event = ranking->space->events;
	for (int i = 0; i < ranking->space->eventCount && i < maxEvents; ++i, event += strlen(event) + 1)
	{
		tryPlaces(ranking, event);
	}
	for (size_t i = 0; i < sizeof(s_moments) / sizeof(s_moments[0]); ++i)
	{
		tryPlaces(ranking, s_moments[i]);
	}
}

static int compareRanks(const void* a, const void* b)
{
	const rpFeatureRank *x = a, *y = b;
	return x->explained != y->explained ? (x->explained < y->explained) - (x->explained > y->explained)
										: strcmp(x->name, y->name);
}

int rpSpace_RankFeatures(const rpSpace* space, rpFeatureRank* out, int capacity, rpError* error)
{
	rpExampleSet set;
	bool done = rpExampleSet_View(&set, space, error);
	float* values = done ? rpAllocate((size_t)space->exampleCount, sizeof(float), error) : NULL;
	Ranking ranking = {.space = space, .set = &set, .values = values, .ranks = out, .capacity = capacity};
	done = values != NULL;
	if (done)
	{
		ranking.mean = rpExampleSet_GetMeanDistance(&set);
		tryKinds(&ranking);
		tryMoments(&ranking);
		done = !ranking.isOutOfMemory || rpFail(error, rp_errorMemory, "out of memory for features");
		qsort(out, (size_t)ranking.count, sizeof(rpFeatureRank), compareRanks);
	}
	rpFree(values);
	rpExampleSet_FreeView(&set);
	return done ? ranking.count : -1;
}
