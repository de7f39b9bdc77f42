/// From what is asked for to examples: the nearest samples weighed, and their weights of examples added up.
#include "base/error.h"
#include "math/near_weights.h"
#include "reprise/play/space.h"

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

/// A request while it is looked for.
typedef struct Request
{
	const rpSpace* space;
	const rpSpaceWeighDef* def;
	float scales[RP_MAX_SPACE_PARAMETERS];
	rpNear near[rp_maxNear];
	int count;
} Request;

static const float* getValues(const rpSpace* space, int sample)
{
	return space->values + (size_t)sample * (size_t)space->parameterCount;
}

// The mean of the neighbours' values.
static void getMean(const Request* request, float* out)
{
	int d = request->space->parameterCount;
	memset(out, 0, (size_t)d * sizeof(float));
	for (int i = 0; i < request->count; ++i)
	{
		const float* values = getValues(request->space, request->near[i].index);
		for (int k = 0; k < d; ++k)
		{
			out[k] += request->near[i].weight * values[k];
		}
	}
}

static float getMiss(const Request* request, const float* a, const float* b)
{
	float sum = 0.0f;
	for (int k = 0; k < request->space->parameterCount; ++k)
	{
		float difference = request->scales[k] * (a[k] - b[k]);
		sum += difference * difference;
	}
	return sqrtf(sum);
}

static void correct(Request* request, const float* asked)
{
	float coefficients[rp_maxNear * RP_MAX_SPACE_PARAMETERS];
	int d = request->space->parameterCount;
	for (int i = 0; i < request->count; ++i)
	{
		const float* values = getValues(request->space, request->near[i].index);
		for (int k = 0; k < d; ++k)
		{
			coefficients[i * d + k] = request->scales[k] * (values[k] - asked[k]);
		}
	}
	rpCorrectWeights(request->near, request->count, coefficients, d, MAX_CHANGE);
}

static void weigh(Request* request, const float* asked)
{
	const rpSpace* space = request->space;
	float rim;
	int d = space->parameterCount, max = request->def->neighbours > 0 ? request->def->neighbours : 2 * (d + 1);
	int pointCount = request->def->samples ? space->sampleCount : space->exampleCount;
	max = max < rp_maxNear ? max : rp_maxNear;
	request->count = rpFindNear(space->values, pointCount, d, request->scales, asked, max, request->near, &rim);
	rpWeighNear(request->near, request->count, rim, 0.0f);
	if (request->def->correct)
	{
		correct(request, asked);
	}
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

static void addExamples(const Request* request, rpSpaceAnswer* out)
{
	int shares = request->space->parameterCount + 1;
	out->weightCount = 0;
	// Neighbours are sorted by distance: what there would be no room for is far and light.
	for (int i = 0; i < request->count; ++i)
	{
		const rpSpaceWeight* weights = request->space->weights + (size_t)request->near[i].index * (size_t)shares;
		for (int k = 0; k < shares && request->near[i].weight > 0.0f; ++k)
		{
			if (weights[k].weight > 0.0f)
			{
				addWeight(out, weights[k].example, request->near[i].weight * weights[k].weight);
			}
		}
	}
	sortWeights(out);
	dropLight(out);
}

bool rpSpace_Weigh(const rpSpace* space, const float* asked, const rpSpaceWeighDef* def, rpSpaceAnswer* out,
				   rpError* error)
{
	rpSpaceWeighDef defaults = rpDefaultSpaceWeighDef();
	Request request = {.space = space, .def = def != NULL ? def : &defaults};
	float wanted[RP_MAX_SPACE_PARAMETERS] = {0.0f};
	*out = (rpSpaceAnswer){0};
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		request.scales[k] = range > 0.0f ? 1.0f / range : 0.0f;
		if (!isfinite(asked[k]))
		{
			return rpFail(error, rp_errorArgument, "%s is no number", space->parameters[k].name);
		}
		out->requested[k] = asked[k];

		// From far outside all samples are as far away: weights would hardly differ, and one parameter that is far off
		// would outweigh the others.
		wanted[k] = fminf(fmaxf(asked[k], space->parameters[k].low), space->parameters[k].high);
	}
	weigh(&request, wanted);
	getMean(&request, out->nearest);
	out->error = getMiss(&request, out->nearest, out->requested);
	addExamples(&request, out);
	return true;
}
