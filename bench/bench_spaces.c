/// Parametric spaces: how well performed ones meet requests at random, with samples and without, by corrected weights
/// and by those of the thesis alone; how long they take to build, and how fast they are sampled.
#include "bench.h"
#include "build/space_build.h"
#include "performed_spaces.h"
#include "space_errors.h"
#include "spaces_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	requestCount = 1000,
	quickCount = 100,
	drawCount = 500,
	sampledFrames = 200000,
	truthCount = 40,
};

// A request is inside of a space if it has one so near, ranges.
#define INSIDE 1e-3f

static void drawRequest(const rpSpace* space, rpRandom* random, float* out)
{
	rpSpaceAnswer answer;
	for (int draw = 0; draw < drawCount; ++draw)
	{
		for (int k = 0; k < space->parameterCount; ++k)
		{
			out[k] = rpRandom_Range(random, space->parameters[k].low, space->parameters[k].high);
		}
		if (rpSpace_Weigh(space, out, NULL, &answer, NULL) && answer.error < INSIDE)
		{
			return;
		}
	}
	memcpy(out, answer.nearest, sizeof(answer.nearest));
}

// The same requests in each way.
static bool measureAccuracy(const rpSpaceMaker* maker, const rpFeatureList* features, int count, SpaceErrors* errors)
{
	const rpSpace* space = maker->model.space;
	bool done = true;
	for (int way = 0; way < spaceWayCount; ++way)
	{
		rpRandom random = rpSeedRandom(7);
		rpSpaceWeighDef weighing = spaceGetWeighing(space, (SpaceWay)way);
		for (int i = 0; i < count && done; ++i)
		{
			rpSpaceAnswer answer;
			float asked[RP_MAX_SPACE_PARAMETERS], achieved[RP_MAX_SPACE_PARAMETERS];
			drawRequest(space, &random, asked);
			done = rpSpace_Weigh(space, asked, &weighing, &answer, NULL) &&
				   rpSpaceMaker_Measure(maker, features, answer.weights, answer.weightCount, achieved, NULL, NULL);
			if (done)
			{
				spaceErrorsAdd(errors, space, (SpaceWay)way, asked, achieved);
			}
		}
	}
	return done;
}

// What the space has for what the performer does, against that: performances at random, measured, asked for. It needs
// no feature to tell: of seats and jumps it tells whether the body does what the contacts say.
static void measureTruth(const PerformedSpace* kind, const rpSpaceMaker* maker, const rpFeatureList* features,
						 BenchReport* report)
{
	rpRandom random = rpSeedRandom(11);
	double distances[2][truthCount];
	int count = 0;
	for (int i = 0; i < truthCount; ++i)
	{
		rpStretch stretch;
		float values[RP_MAX_SPACE_PARAMETERS];
		rpMotion* truth = performedDraw(kind, &random, 60.0, &stretch);
		rpFeatureStretch measured = {truth, stretch.start, stretch.end};
		rpMotion* made = truth != NULL && rpFeatureList_Measure(features, &measured, values, NULL)
							 ? rpSpaceMaker_Make(maker, values, NULL, 60.0, NULL, NULL)
							 : NULL;
		if (made != NULL)
		{
			rpFeatureStretch whole = {made, 0.0, rpMotion_GetDuration(made)};
			distances[0][count] = 100.0 * spaceGetMotionDistance(&measured, &whole, false);
			distances[1][count++] = 100.0 * spaceGetMotionDistance(&measured, &whole, true);
		}
		rpDestroyMotion(made);
		rpDestroyMotion(truth);
	}
	benchPut(report, benchMakeKey(kind->name, "truth_cm"), count > 0 ? benchMedian(distances[0], count) : (double)NAN,
			 "cm from what the performer does, as seen from the root, median of the mean over joints");
	benchPut(report, benchMakeKey(kind->name, "truth_placed_cm"),
			 count > 0 ? benchMedian(distances[1], count) : (double)NAN, "the same as seen from where it begins");
}

static bool tryRequests(const PerformedSpace* kind, const rpSpace* space, const rpSpaceMaker* maker, int count,
						BenchReport* report)
{
	rpFeatureList* features = rpCreateFeatureList(kind->features, space->motions[0]->skeleton, NULL, NULL);
	SpaceErrors errors;
	bool done = spaceErrorsMake(&errors, count) && features != NULL && measureAccuracy(maker, features, count, &errors);
	if (done)
	{
		spaceErrorsPut(&errors, space, kind->name, report);
		measureTruth(kind, maker, features, report);
	}
	spaceErrorsFree(&errors);
	rpDestroyFeatureList(features);
	return done;
}

// Motions at random planned and all their frames sampled, on one core: frames per second of processor time. What feet
// need to be held is not in it.
static double measureSampling(const rpSpaceMaker* maker)
{
	rpRandom random = rpSeedRandom(3);
	const rpSpaceModel* model = &maker->model;
	static rpSpan span;
	rpQuat* rotations = calloc((size_t)model->clips.skeleton->jointCount, sizeof(rpQuat));
	rpPose pose = {.rotations = rotations};
	double start = benchCpuTime();
	int frames = 0;
	while (frames < sampledFrames)
	{
		float asked[RP_MAX_SPACE_PARAMETERS];
		rpSpaceAnswer answer;
		for (int k = 0; k < model->space->parameterCount; ++k)
		{
			asked[k] = rpRandom_Range(&random, model->space->parameters[k].low, model->space->parameters[k].high);
		}
		if (!rpSpace_Weigh(model->space, asked, NULL, &answer, NULL))
		{
			break;
		}
		rpSpaceModel_Plan(model, answer.weights, answer.weightCount, 0.0, &span);
		double seconds = rpSpan_GetDuration(&span);
		for (int i = 0; i / 60.0 < seconds; ++i, ++frames)
		{
			rpSpan_Sample(&span, i / 60.0, &pose);
			benchKeep(&pose);
		}
	}
	double rate = frames / (benchCpuTime() - start);
	free(rotations);
	return rate;
}

void benchPrintFindings(const char* name, const rpFindings* findings)
{
	for (int i = 0; i < findings->count; ++i)
	{
		fprintf(stderr, "%s: %s: %s\n", name, findings->items[i].code, findings->items[i].message);
	}
}

void benchPutSpace(const char* name, const rpSpace* space, const rpSpaceBuildReport* built, double seconds,
				   BenchReport* report)
{
	int blends = built->physicalCount + built->plainCount;
	benchPut(report, benchMakeKey(name, "examples"), space->exampleCount, "examples that were taken");
	benchPut(report, benchMakeKey(name, "samples"), space->sampleCount, "samples, examples included");
	benchPut(report, benchMakeKey(name, "smoothness"), 1.0 - (double)space->roughness,
			 "1 - distance of neighbours over that of any two");
	benchPut(report, benchMakeKey(name, "build_s"), seconds, "seconds to build it");
	benchPut(report, benchMakeKey(name, "physical"), blends > 0 ? (double)built->physicalCount / blends : (double)NAN,
			 "share of blends that are physical");
}

static bool tryPerformed(const PerformedSpace* kind, int count, double* slowest, BenchReport* report)
{
	PerformedExamples examples;
	rpSpaceDef def = rpDefaultSpaceDef();
	rpSpaceBuildReport built;
	rpFindings findings = {0};
	rpError error = {0};
	def.features = kind->features;
	bool done = performedMake(kind, 60.0, &examples, &error);
	double start = benchNow();
	rpSpace* space = done ? rpBuildSpace((const rpMotion* const*)examples.motions, examples.count, examples.matches,
										 examples.count, &def, &findings, &built, &error)
						  : NULL;
	double seconds = benchNow() - start;
	rpSpaceMaker* maker = space != NULL ? rpCreateSpaceMaker(space, &error) : NULL;
	benchPrintFindings(kind->name, &findings);
	if (maker != NULL)
	{
		double rate = measureSampling(maker);
		benchPutSpace(kind->name, space, &built, seconds, report);
		benchPut(report, benchMakeKey(kind->name, "frames_per_s"), rate, "frames per second sampled");
		*slowest = fmin(*slowest, rate);
	}
	done = maker != NULL && tryRequests(kind, space, maker, count, report);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: %s: %s\n", kind->name, error.message);
	}
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	performedFree(&examples);
	return done;
}

bool benchSpaces(const BenchOptions* options, BenchReport* report)
{
	bool done = true;
	double slowest = INFINITY;
	for (int i = 0; i < performedSpaceCount; ++i)
	{
		if (benchIsWanted(options, performedSpaces[i].name))
		{
			done =
				tryPerformed(&performedSpaces[i], options->quick ? quickCount : requestCount, &slowest, report) && done;
		}
	}
	done = benchSpacesCaptured(options, report) && done;
	// Where spaces come from is part of it, unless some of them are asked for by name.
	done = (options->wordCount > 0 || benchSearch(options, report)) && done;
	benchPut(report, "frames_per_s", slowest, "frames per second sampled, of the slowest performed space");
	if (options->markdown)
	{
		benchPrintSpaces(report);
	}
	return done;
}
