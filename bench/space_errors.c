#include "space_errors.h"

#include "math/order.h"
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	lookCount = 16,
	maxJoints = 256,
};

const char* spaceGetUnit(SpaceErrorKind kind)
{
	static const char* const s_units[] = {"cm", "deg", "%"};
	return s_units[kind];
}

SpaceErrorKind spaceGetKind(const rpSpaceParameter* parameter)
{
	const char* unit = rpSpaceParameter_GetUnit(parameter);
	return strcmp(unit, "m") == 0 ? spaceError_place : strcmp(unit, "deg") == 0 ? spaceError_turn : spaceError_speed;
}

bool spaceHasKind(const rpSpace* space, SpaceErrorKind kind)
{
	bool has = false;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		has = has || spaceGetKind(&space->parameters[k]) == kind;
	}
	return has;
}

double spaceGetError(const rpSpace* space, SpaceErrorKind kind, const float* asked, const float* achieved)
{
	double sum = 0.0;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		double miss = (double)achieved[k] - (double)asked[k];
		double scale = kind == spaceError_place  ? 100.0
					   : kind == spaceError_turn ? 180.0 / (double)RP_PI
												 : 100.0 / fabs((double)asked[k]);
		sum += spaceGetKind(&space->parameters[k]) == kind ? miss * miss * scale * scale : 0.0;
	}
	return spaceHasKind(space, kind) ? sqrt(sum) : (double)NAN;
}

rpSpaceWeighDef spaceGetWeighing(const rpSpace* space, SpaceWay way)
{
	rpSpaceWeighDef def = rpDefaultSpaceWeighDef();
	def.correct = way != spaceWay_plain;
	def.neighbours = way == spaceWay_plain ? space->parameterCount + 1 : 0;
	def.samples = way != spaceWay_examples;
	return def;
}

// ---- errors of many

bool spaceErrorsMake(SpaceErrors* errors, int capacity)
{
	bool done = true;
	*errors = (SpaceErrors){.capacity = capacity};
	for (int i = 0; i < spaceErrorKindCount * spaceWayCount; ++i)
	{
		double** values = &errors->values[i / spaceWayCount][i % spaceWayCount];
		*values = calloc((size_t)capacity, sizeof(double));
		done = done && *values != NULL;
	}
	return done;
}

void spaceErrorsFree(SpaceErrors* errors)
{
	for (int i = 0; i < spaceErrorKindCount * spaceWayCount; ++i)
	{
		free(errors->values[i / spaceWayCount][i % spaceWayCount]);
	}
}

void spaceErrorsAdd(SpaceErrors* errors, const rpSpace* space, SpaceWay way, const float* asked, const float* achieved)
{
	if (errors->counts[way] == errors->capacity)
	{
		return;
	}
	for (int kind = 0; kind < spaceErrorKindCount; ++kind)
	{
		errors->values[kind][way][errors->counts[way]] = spaceGetError(space, (SpaceErrorKind)kind, asked, achieved);
	}
	++errors->counts[way];
}

static double getMean(const double* values, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += values[i];
	}
	return count > 0 ? sum / count : (double)NAN;
}

static void putOne(BenchReport* report, const char* name, const char* key, bool isFirst, double value, const char* what)
{
	char own[64];
	const char* end = strrchr(key, '_');
	snprintf(own, sizeof(own), "%.*s%s%s", (int)(end - key), key, isFirst ? "" : "_speed", end);
	benchPut(report, benchMakeKey(name, own), value, what);
}

void spaceErrorsPut(SpaceErrors* errors, const rpSpace* space, const char* name, BenchReport* report)
{
	SpaceErrorKind first = spaceGetKind(&space->parameters[0]);
	benchPutText(report, benchMakeKey(name, "accuracy_unit"), spaceGetUnit(first),
				 "of the figures below; of speeds per cent");
	for (int kind = 0; kind < spaceErrorKindCount; ++kind)
	{
		double* const* values = errors->values[kind];
		const int* counts = errors->counts;
		bool isFirst = kind == (int)first;
		if (!spaceHasKind(space, (SpaceErrorKind)kind) || counts[0] == 0)
		{
			continue;
		}
		qsort(values[0], (size_t)counts[0], sizeof(double), rpCompareDoubles);
		putOne(report, name, "accuracy_mean", isFirst, getMean(values[0], counts[0]), "how far requests are missed");
		putOne(report, name, "accuracy_p95", isFirst, values[0][(counts[0] * 95 + 99) / 100 - 1],
			   "the 95th percentile");
		putOne(report, name, "accuracy_knn_mean", isFirst, getMean(values[spaceWay_plain], counts[spaceWay_plain]),
			   "by eq. 6.1 and 6.2 alone");
		putOne(report, name, "examples_only_mean", isFirst,
			   getMean(values[spaceWay_examples], counts[spaceWay_examples]), "of examples alone");
	}
}

// ---- motions

// Places of the joints, from the root's place over the floor then, or from one that is given.
static void look(const rpFeatureStretch* stretch, double share, const rpGroundTransform* start, rpVec3* out)
{
	static rpTransform poses[maxJoints];
	const rpMotion* motion = stretch->motion;
	int frame = rpMotion_GetFrame(motion, stretch->start + share * (stretch->end - stretch->start));
	rpGroundTransform ground = start != NULL ? *start : rpMotion_GetGround(motion, frame);
	rpGroundTransform back = rpGroundTransform_Invert(ground);
	rpMotion_Forward(motion, frame, poses);
	for (int joint = 0; joint < motion->skeleton->jointCount; ++joint)
	{
		out[joint] = rpGroundTransform_Apply(back, poses[joint].p);
	}
}

double spaceGetMotionDistance(const rpFeatureStretch* a, const rpFeatureStretch* b, bool isFromStart)
{
	static rpVec3 places[2][maxJoints];
	int jointCount = a->motion->skeleton->jointCount;
	rpGroundTransform starts[2] = {rpMotion_GetGround(a->motion, rpMotion_GetFrame(a->motion, a->start)),
								   rpMotion_GetGround(b->motion, rpMotion_GetFrame(b->motion, b->start))};
	double sum = 0.0;
	for (int i = 0; i < lookCount && jointCount <= maxJoints; ++i)
	{
		double share = (i + 0.5) / lookCount;
		look(a, share, isFromStart ? &starts[0] : NULL, places[0]);
		look(b, share, isFromStart ? &starts[1] : NULL, places[1]);
		for (int joint = 0; joint < jointCount; ++joint)
		{
			sum += (double)rpDistance(places[0][joint], places[1][joint]) / (lookCount * jointCount);
		}
	}
	return sum;
}
