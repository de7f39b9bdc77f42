/// Spaces of captured people, one example left out at a time: the space without it is asked for its parameters, and
/// what it gives is held against the example.
#include "bench.h"
#include "build/space_build.h"
#include "captured_spaces.h"
#include "space_errors.h"
#include "spaces_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxTried = 64,
};

// What is farther outside of a space than this, ranges, cannot be met by it.
#define INSIDE 0.02f

typedef struct LeftOut
{
	SpaceErrors errors;

	/// How far motions are from the examples, cm, and how far the nearest other examples are.
	double distances[maxTried], nearest[maxTried];
	int count, outsideCount, physicalCount;
} LeftOut;

// All matches but that of an example; what came by way of it comes from where that came from.
static int listOthers(const CapturedExamples* all, const rpSpace* whole, int index, rpMatch* out)
{
	const rpSpaceExample* example = &whole->examples[index];
	const char* name = whole->clipNames;
	int* numbers = calloc((size_t)all->matchCount, sizeof(int));
	int count = 0;
	for (int i = 0; i < example->clip; ++i)
	{
		name += strlen(name) + 1;
	}
	for (int i = 0; i < all->matchCount && numbers != NULL; ++i)
	{
		const rpMatch* match = &all->matches[i];
		int parent = match->parent >= 0 ? numbers[match->parent] : -1;
		bool isOwn = fabs(match->stretch.start - example->from) < 0.02 &&
					 fabs(match->stretch.end - example->to) < 0.02 && match->stretch.isMirror == example->isMirror &&
					 strcmp(all->takes[match->stretch.clip]->name, name) == 0;
		numbers[i] = isOwn ? parent : count;
		if (!isOwn)
		{
			out[count] = *match;
			out[count++].parent = parent;
		}
	}
	free(numbers);
	return count;
}

static rpFeatureStretch getCore(const rpSpace* space, int index)
{
	const rpSpaceExample* example = &space->examples[index];
	return (rpFeatureStretch){space->motions[index], example->start, example->end};
}

// The distance of the other example that is nearest in the parameters, metres.
static double getNearestDistance(const rpSpace* whole, int index)
{
	int d = whole->parameterCount, nearest = -1;
	double least = INFINITY;
	for (int i = 0; i < whole->exampleCount; ++i)
	{
		double square = 0.0;
		for (int k = 0; k < d; ++k)
		{
			double range = (double)whole->parameters[k].high - (double)whole->parameters[k].low;
			double miss = ((double)whole->values[i * d + k] - (double)whole->values[index * d + k]) / fmax(range, 1e-9);
			square += miss * miss;
		}
		if (i != index && square < least)
		{
			least = square;
			nearest = i;
		}
	}
	rpFeatureStretch own = getCore(whole, index), other = getCore(whole, nearest);
	return spaceGetMotionDistance(&own, &other, false);
}

// What the corrected weights give is looked at as a motion too.
static void compareMotion(const rpSpace* whole, int index, const rpFeatureStretch* made, LeftOut* out)
{
	if (out->count < maxTried)
	{
		rpFeatureStretch own = getCore(whole, index);
		out->nearest[out->count] = 100.0 * getNearestDistance(whole, index);
		out->distances[out->count++] = 100.0 * spaceGetMotionDistance(&own, made, false);
	}
}

static void compare(const rpSpace* whole, int index, const rpSpaceMaker* maker, const rpFeatureList* features,
					SpaceWay way, LeftOut* out)
{
	const rpSpace* space = maker->model.space;
	const float* asked = whole->values + index * whole->parameterCount;
	float achieved[RP_MAX_SPACE_PARAMETERS];
	rpSpaceAnswer answer;
	rpSpaceMotion made;
	rpSpaceWeighDef weighing = spaceGetWeighing(space, way);
	// Whether it is inside does not depend on the way.
	bool isInside = rpSpace_Weigh(space, asked, NULL, &answer, NULL) && answer.error < INSIDE;
	out->outsideCount += !isInside && way == spaceWay_corrected;
	rpMotion* motion = isInside ? rpSpaceMaker_Make(maker, asked, &weighing, 60.0, &made, NULL) : NULL;
	rpFeatureStretch stretch = {motion, 0.0, motion != NULL ? rpMotion_GetDuration(motion) : 0.0};
	if (motion != NULL && rpFeatureList_Measure(features, &stretch, achieved, NULL))
	{
		spaceErrorsAdd(&out->errors, space, way, asked, achieved);
		if (way == spaceWay_corrected)
		{
			out->physicalCount += made.scheme == rp_blendPhysical;
			compareMotion(whole, index, &stretch, out);
		}
	}
	rpDestroyMotion(motion);
}

static void leaveOut(const CapturedExamples* all, const rpSpaceDef* def, const rpSpace* whole, int index, LeftOut* out)
{
	rpError error = {0};
	rpMatch* matches = calloc((size_t)all->matchCount, sizeof(rpMatch));
	int count = matches != NULL ? listOthers(all, whole, index, matches) : 0;
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)all->takes, all->takeCount, matches, count, def, NULL, NULL, &error);
	rpSpaceMaker* maker = space != NULL ? rpCreateSpaceMaker(space, &error) : NULL;
	rpFeatureList* features = rpCreateFeatureList(whole->features, whole->motions[0]->skeleton, NULL, NULL);
	for (int way = 0; way < spaceWayCount && maker != NULL && features != NULL; ++way)
	{
		compare(whole, index, maker, features, (SpaceWay)way, out);
	}
	rpDestroyFeatureList(features);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	free(matches);
}

static void putLeftOut(const CapturedSpace* kind, const rpSpace* space, LeftOut* out, BenchReport* report)
{
	benchPut(report, benchMakeKey(kind->name, "left_out"), out->count,
			 "examples left out, inside of what the others span");
	benchPut(report, benchMakeKey(kind->name, "left_out_outside"), out->outsideCount,
			 "examples outside of what the others span");
	if (out->count == 0)
	{
		return;
	}
	spaceErrorsPut(&out->errors, space, kind->name, report);
	benchPut(report, benchMakeKey(kind->name, "example_cm"), benchMedian(out->distances, out->count),
			 "cm from the example left out, median of the mean over joints");
	benchPut(report, benchMakeKey(kind->name, "nearest_example_cm"), benchMedian(out->nearest, out->count),
			 "the same of the other example nearest in the parameters");
	benchPut(report, benchMakeKey(kind->name, "left_out_physical"), (double)out->physicalCount / out->count,
			 "share of these blends that are physical");
}

static bool tryCaptured(const CapturedSpace* kind, const char* folder, bool isQuick, BenchReport* report)
{
	CapturedExamples examples;
	rpSpaceDef def = rpDefaultSpaceDef();
	rpSpaceBuildReport built;
	rpFindings findings = {0};
	rpError error = {0};
	LeftOut out = {0};
	def.features = kind->features;
	def.maxSamples = 300;
	bool done = capturedFind(kind, folder, &examples) && spaceErrorsMake(&out.errors, maxTried);
	double start = benchNow();
	rpSpace* space = done ? rpBuildSpace((const rpMotion* const*)examples.takes, examples.takeCount, examples.matches,
										 examples.matchCount, &def, &findings, &built, &error)
						  : NULL;
	double seconds = benchNow() - start;
	benchPrintFindings(kind->name, &findings);
	benchPut(report, benchMakeKey(kind->name, "found"), examples.matchCount, "stretches found");
	if (space == NULL)
	{
		fprintf(stderr, "reprise-bench: %s: %s\n", kind->name, error.message);
	}
	else
	{
		benchPutSpace(kind->name, space, &built, seconds, report);
		for (int i = 0; i < space->exampleCount && i < (isQuick ? 6 : maxTried); ++i)
		{
			// Of a small space what is left may be none.
			leaveOut(&examples, &def, space, i, &out);
		}
		putLeftOut(kind, space, &out, report);
	}
	spaceErrorsFree(&out.errors);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	capturedFree(&examples);
	return done;
}

bool benchSpacesCaptured(const BenchOptions* options, BenchReport* report)
{
	const char* folder = getenv("REPRISE_MOCAP");
	bool done = true;
	for (int i = 0; i < capturedSpaceCount; ++i)
	{
		if (folder != NULL && benchIsWanted(options, capturedSpaces[i].name))
		{
			done = tryCaptured(&capturedSpaces[i], folder, options->quick, report) && done;
		}
	}
	return done;
}
