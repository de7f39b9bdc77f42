/// From what is asked for to examples: the nearest samples weighed, and their weights of examples added up.
#include "base/error.h"
#include "model/space_weighing.h"

#include <math.h>
#include <string.h>

// Examples with less are left out: they cost as much as others and change nothing that could be seen.
#define LIGHTEST 1e-3f

// A sample that comes in gets this many times its weight at most. Small changes of what is asked for shall be small
// changes of the motion: with 100 weights change three times as fast, and requests are met no better.
#define MAX_CHANGE 10.0f

_Static_assert(RP_MAX_SPACE_PARAMETERS <= rp_maxNearConditions, "conditions are the parameters");

rpSpaceWeighDef rpDefaultSpaceWeighDef(void)
{
	return (rpSpaceWeighDef){.correct = true, .samples = true};
}

static const float* getValues(const rpSpace* space, int sample)
{
	return space->values + (size_t)sample * (size_t)space->parameterCount;
}

// The mean of the neighbours' values.
static void getMean(const rpSpaceWeighing* weighing, const rpSpace* space, float* out)
{
	int d = space->parameterCount;
	memset(out, 0, (size_t)d * sizeof(float));
	for (int i = 0; i < weighing->count; ++i)
	{
		const float* values = getValues(space, weighing->near[i].index);
		for (int k = 0; k < d; ++k)
		{
			out[k] += weighing->near[i].weight * values[k];
		}
	}
}

static float getMiss(const rpSpaceWeighing* weighing, const rpSpace* space, const float* a, const float* b)
{
	float sum = 0.0f;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float difference = weighing->scales[k] * (a[k] - b[k]);
		sum += difference * difference;
	}
	return sqrtf(sum);
}

static void correct(rpSpaceWeighing* weighing, const rpSpace* space)
{
	float coefficients[rp_maxNear * RP_MAX_SPACE_PARAMETERS];
	int d = space->parameterCount;
	for (int i = 0; i < weighing->count; ++i)
	{
		const float* values = getValues(space, weighing->near[i].index);
		for (int k = 0; k < d; ++k)
		{
			coefficients[i * d + k] = weighing->scales[k] * (values[k] - weighing->wanted[k]);
		}
	}
	rpCorrectWeights(weighing->near, weighing->count, coefficients, d, MAX_CHANGE);
}

// ---- examples

static void addWeight(rpSpaceAnswer* out, int example, float weight)
{
	int at = 0;
	while (at < out->weightCount && out->weights[at].example != example)
	{
		++at;
	}
	if (at < out->weightCount)
	{
		out->weights[at].weight += weight;
	}
	else if (at < RP_MAX_SPACE_WEIGHTS)
	{
		out->weights[out->weightCount++] = (rpSpaceWeight){example, weight};
	}
}

static void sortWeights(rpSpaceAnswer* out)
{
	for (int i = 1; i < out->weightCount; ++i)
	{
		rpSpaceWeight weight = out->weights[i];
		int at = i;
		for (; at > 0 &&
			   (out->weights[at - 1].weight < weight.weight ||
				(out->weights[at - 1].weight == weight.weight && out->weights[at - 1].example > weight.example));
			 --at)
		{
			out->weights[at] = out->weights[at - 1];
		}
		out->weights[at] = weight;
	}
}

static void dropLight(rpSpaceAnswer* out)
{
	float sum = 0.0f;
	int count = 0;
	for (int i = 0; i < out->weightCount; ++i)
	{
		if (out->weights[i].weight >= LIGHTEST || i == 0)
		{
			sum += out->weights[i].weight;
			out->weights[count++] = out->weights[i];
		}
	}
	out->weightCount = count;
	for (int i = 0; i < count; ++i)
	{
		out->weights[i].weight /= sum;
	}
}

static void addExamples(const rpSpaceWeighing* weighing, const rpSpace* space, rpSpaceAnswer* out)
{
	int shares = space->parameterCount + 1;
	out->weightCount = 0;
	// Neighbours are sorted by distance: what there would be no room for is far and light.
	for (int i = 0; i < weighing->count; ++i)
	{
		const rpSpaceWeight* weights = space->weights + (size_t)weighing->near[i].index * (size_t)shares;
		for (int k = 0; k < shares && weighing->near[i].weight > 0.0f; ++k)
		{
			if (weights[k].weight > 0.0f)
			{
				addWeight(out, weights[k].example, weighing->near[i].weight * weights[k].weight);
			}
		}
	}
	sortWeights(out);
	dropLight(out);
}

// ---- the whole

bool rpSpaceWeighing_Begin(rpSpaceWeighing* weighing, const rpSpace* space, const float* asked,
						   const rpSpaceWeighDef* def, rpError* error)
{
	*weighing = (rpSpaceWeighing){.def = def != NULL ? *def : rpDefaultSpaceWeighDef(), .rim = INFINITY};
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		weighing->scales[k] = range > 0.0f ? 1.0f / range : 0.0f;
		if (!isfinite(asked[k]))
		{
			return rpFail(error, rp_errorArgument, "%s is no number", space->parameters[k].name);
		}
		weighing->asked[k] = asked[k];

		// From far outside all samples are as far away: weights would hardly differ, and one parameter that is far off
		// would outweigh the others.
		weighing->wanted[k] = fminf(fmaxf(asked[k], space->parameters[k].low), space->parameters[k].high);
	}
	return true;
}

bool rpSpaceWeighing_GoOn(rpSpaceWeighing* weighing, const rpSpace* space, int samples)
{
	int d = space->parameterCount, max = weighing->def.neighbours > 0 ? weighing->def.neighbours : 2 * (d + 1);
	int pointCount = weighing->def.samples ? space->sampleCount : space->exampleCount,
		left = pointCount - weighing->next;
	int count = samples < left ? samples : left;
	rpFindMoreNear(space->values, weighing->next, count, d, weighing->scales, weighing->wanted,
				   max < rp_maxNear ? max : rp_maxNear, weighing->near, &weighing->count, &weighing->rim);
	weighing->next += count;
	return weighing->next == pointCount;
}

void rpSpaceWeighing_Finish(rpSpaceWeighing* weighing, const rpSpace* space, rpSpaceAnswer* out)
{
	rpWeighNear(weighing->near, weighing->count, weighing->rim, 0.0f);
	if (weighing->def.correct)
	{
		correct(weighing, space);
	}
	*out = (rpSpaceAnswer){0};
	memcpy(out->requested, weighing->asked, sizeof(out->requested));
	getMean(weighing, space, out->nearest);
	out->error = getMiss(weighing, space, out->nearest, out->requested);
	addExamples(weighing, space, out);
}

bool rpSpace_Weigh(const rpSpace* space, const float* asked, const rpSpaceWeighDef* def, rpSpaceAnswer* out,
				   rpError* error)
{
	rpSpaceWeighing weighing;
	if (!rpSpaceWeighing_Begin(&weighing, space, asked, def, error))
	{
		*out = (rpSpaceAnswer){0};
		return false;
	}
	rpSpaceWeighing_GoOn(&weighing, space, space->sampleCount);
	rpSpaceWeighing_Finish(&weighing, space, out);
	return true;
}
