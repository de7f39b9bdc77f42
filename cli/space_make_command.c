#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "saving.h"
#include "space_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What can be asked for.
static void listParameters(const rpSpaceParameter* parameters, int count, char* names, size_t size)
{
	size_t at = 0;
	names[0] = 0;
	for (int i = 0; i < count && at < size; ++i)
	{
		const rpSpaceParameter* parameter = &parameters[i];
		at += (size_t)snprintf(names + at, size - at, "%s%s (%.3g to %.3g %s)", i > 0 ? ", " : "", parameter->name,
							   cliShowValue(parameter, parameter->low), cliShowValue(parameter, parameter->high),
							   cliGetValueUnit(parameter));
	}
}

// One number of a list, blanks around it allowed.
static bool readValue(const char* text, size_t size, double* out)
{
	while (size > 0 && *text == ' ')
		++text, --size;
	while (size > 0 && text[size - 1] == ' ')
		--size;
	char* part = cliFormat("%.*s", (int)size, text);
	bool isNumber = cliParseNumber(part, out);
	free(part);
	return isNumber;
}

// The numbers of --at, as many as there are parameters.
static bool getValues(cliRun* run, const rpSpaceParameter* parameters, int count, float* out)
{
	const char *text = cliGet(run, "at"), *rest = text;
	char names[RP_MAX_SPACE_PARAMETERS * 128];
	listParameters(parameters, count, names, sizeof names);
	if (text == NULL)
		return cliFailUsage(run, names, "what should it do? --at needs %d number%s", count, cliPlural(count));
	for (int i = 0; i < count; ++i)
	{
		double value;
		const char* comma = strchr(rest, ',');
		if ((comma == NULL) != (i + 1 == count) ||
			!readValue(rest, comma != NULL ? (size_t)(comma - rest) : strlen(rest), &value))
			return cliFailUsage(run, names, "--at needs %d number%s%s, not \"%s\"", count, cliPlural(count),
								count > 1 ? " separated by commas" : "", text);
		if (fabs(value) > CLI_FARTHEST)
			return cliFailUsage(run, names, "--at takes numbers from -%g to %g, not %g", CLI_FARTHEST, CLI_FARTHEST,
								value);
		out[i] = (float)(parameters[i].isAngle ? value * RP_DEGREE : value);
		rest = comma != NULL ? comma + 1 : rest;
	}
	return true;
}

static json_t* makeExamples(const rpSpace* space, const rpSpaceAnswer* answer)
{
	json_t* list = json_array();
	for (int i = 0; i < answer->weightCount; ++i)
	{
		int index = answer->weights[i].example;
		char* name = cliNameExample(space, index);
		json_array_append_new(list, json_pack("{s:i,s:o,s:o,s:o,s:o}", "example", index, "clip", cliMakeText(name),
											  "from_s", cliMakeReal(space->examples[index].from), "to_s",
											  cliMakeReal(space->examples[index].to), "weight",
											  cliMakeReal((double)answer->weights[i].weight)));
		free(name);
	}
	return list;
}

// What the motion does, by the features of the space; NULL where they cannot be measured on it.
static json_t* makeAchieved(cliRun* run, const rpSpace* space, const rpMotion* motion, double seconds, float* out,
							bool* isMeasured)
{
	rpError error = {0};
	rpFeatureList* features = rpCreateFeatureList(space->features, motion->skeleton, NULL, &error);
	rpFeatureStretch stretch = {motion, 0.0, fmin(seconds, rpMotion_GetDuration(motion))};
	*isMeasured = features != NULL && rpFeatureList_Measure(features, &stretch, out, &error);
	rpDestroyFeatureList(features);
	if (!*isMeasured)
		cliWarn(run, "what it does could not be measured: %s", error.message);
	return *isMeasured ? cliMakeValues(space, out) : json_null();
}

static bool report(cliRun* run, const rpSpace* space, const rpSpaceMotion* made, const rpMotion* motion,
				   const char* output)
{
	const rpSpaceAnswer* answer = &made->answer;
	const char* scheme = made->scheme == rp_blendPhysical ? "physical" : "plain";
	float achieved[RP_MAX_SPACE_PARAMETERS];
	bool isMeasured;
	json_t* values = makeAchieved(run, space, motion, made->seconds, achieved, &isMeasured);
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:s,s:o}", "name", cliMakeText(cliGetSpaceName(run)),
										"requested", cliMakeValues(space, answer->requested), "nearest",
										cliMakeValues(space, answer->nearest), "achieved", values, "error",
										cliMakeReal((double)answer->error), "examples", makeExamples(space, answer),
										"scheme", scheme, "output", cliMakeOutput(output, motion)));
	json_decref(values);
	cliPrintOutput(run, output, motion);
	char* asked = cliFormatValues(space, answer->requested);
	char* got = cliFormatValues(space, isMeasured ? achieved : answer->nearest);
	cliPrint(run, "asked for %s", asked);
	cliPrint(run, "it has %s; %d example%s, %s", got, answer->weightCount, cliPlural(answer->weightCount), scheme);
	free(asked);
	free(got);
	return true;
}

// Where a parameter has one value alone, a request is outside beyond this of its unit.
#define OUTSIDE_FLAT 0.001f

static void warnOutside(cliRun* run, const rpSpace* space, const float* asked, const float* nearest)
{
	bool isOutside = false;
	for (int i = 0; i < space->parameterCount; ++i)
	{
		float range = space->parameters[i].high - space->parameters[i].low;
		isOutside = isOutside || fabsf(asked[i] - nearest[i]) > fmaxf(RP_SPACE_INSIDE * range, OUTSIDE_FLAT);
	}
	if (isOutside)
	{
		char* text = cliFormatValues(space, nearest);
		cliWarn(run, "the space does not reach that; the nearest that it has: %s", text);
		free(text);
	}
}

// ---- where it comes from

// The files that an example's take came from, and the stretch itself: all of it takes as long as the motion.
static bool addSource(const rpSpace* space, int index, rpMotion* motion, rpError* error)
{
	const rpSpaceExample* example = &space->examples[index];
	const rpMotion* cut = space->motions[index];
	char* name = cliNameExample(space, index);
	rpInterval source = {.track = rp_trackSource,
						 .end = rpMotion_GetDuration(motion),
						 .name = name,
						 .sourceStart = example->from,
						 .sourceEnd = example->to};
	bool done = rpAnnotations_AddInterval(&motion->annotations, &source, error);
	for (int i = 0; i < cut->inputCount && done; ++i)
		done = rpMotion_AddInput(motion, cut->inputs[i].name, cut->inputs[i].hash, error);
	free(name);
	return done;
}

// So that evaluate finds what to compare it with, and a person what it is made of.
static bool addSources(const rpSpace* space, const rpSpaceAnswer* answer, rpMotion* motion, rpError* error)
{
	bool done = true;
	for (int i = 0; i < answer->weightCount && done; ++i)
		done = addSource(space, answer->weights[i].example, motion, error);
	return done;
}

static bool makeMotion(cliRun* run, const rpSpace* space, const char* output, const rpSaveDef* saving)
{
	float asked[RP_MAX_SPACE_PARAMETERS] = {0};
	double fps = 0.0;
	rpError error = {0};
	rpSpaceMotion made;
	if (!getValues(run, space->parameters, space->parameterCount, asked) || !cliGetRate(run, &fps))
		return false;
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, &error);
	rpMotion* motion = maker != NULL ? rpSpaceMaker_Make(maker, asked, NULL, fps, &made, &error) : NULL;
	bool done = motion != NULL && rpMotion_SetName(motion, cliGetSpaceName(run), &error) &&
				addSources(space, &made.answer, motion, &error);
	if (!done)
		cliFailWork(run, &error);
	else
		cliNoteInputs(run, motion);
	if (done)
		warnOutside(run, space, asked, made.answer.nearest);
	const rpMotion* result = motion;
	done = done && cliSave(run, &result, 1, output, saving) && report(run, space, &made, motion, output);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	return done;
}

// ---- the performer's own spaces

static bool reportPerformed(cliRun* run, const rpMotionSource* source, const float* asked, const float* nearest,
							const rpMotion* motion, const char* output)
{
	rpSpace space = {.parameterCount = source->parameterCount};
	memcpy(space.parameters, source->parameters, sizeof space.parameters);
	warnOutside(run, &space, asked, nearest);
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:o,s:o,s:s,s:o}", "name", cliMakeText(run->arguments[0]), "requested",
										cliMakeValues(&space, asked), "nearest", cliMakeValues(&space, nearest),
										"scheme", "procedural", "output", cliMakeOutput(output, motion)));
	cliPrintOutput(run, output, motion);
	char* values = cliFormatValues(&space, nearest);
	cliPrint(run, "it has %s", values);
	free(values);
	return true;
}

static bool performMotion(cliRun* run, const char* name, const char* output, const rpSaveDef* saving)
{
	rpPerformedSpace space;
	rpMotionSource source;
	rpError error = {0};
	float asked[RP_MAX_SPACE_PARAMETERS] = {0}, nearest[RP_MAX_SPACE_PARAMETERS] = {0};
	double fps = 0.0;
	if (!cliFindPerformedSpace(run, name, &space))
		return false;
	if (!rpOpenPerformedSpace(&space, &source, &error))
		return cliFailWork(run, &error);
	if (!getValues(run, source.parameters, source.parameterCount, asked) || !cliGetRate(run, &fps))
		return false;
	rpMotion* motion = source.make(source.context, asked, fps, nearest, &error);
	const rpMotion* result = motion;
	bool done = (motion != NULL || cliFailWork(run, &error)) && cliSave(run, &result, 1, output, saving) &&
				reportPerformed(run, &source, asked, nearest, motion, output);
	rpDestroyMotion(motion);
	return done;
}

static bool runSpaceMake(cliRun* run)
{
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	if (output == NULL || !cliGetSaving(run, output, &saving))
		return false;
	const char* act = cliGetPerformedAct(run);
	if (act != NULL)
		return performMotion(run, act, output, &saving);
	rpSpace* space = cliLoadSpace(run);
	bool done = space != NULL && makeMotion(run, space, output, &saving);
	rpDestroySpace(space);
	return done;
}

static const cliOption spaceMakeOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	CLI_SPACE_NAME,
	{"at", 0, "V,V,...", "What is asked for, a number for each parameter in their order: metres, seconds, degrees."},
	{"fps", 0, "F", "Rate of the result; that of the examples if not given."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliSpaceMakeCommand = {
	.name = "space make",
	.summary = "Make a motion of a parametric space",
	.usage = "LIB.reprise|performer:ACT --at V,V,... -o FILE [OPTIONS]",
	.about = "The motion that does what is asked for: a blend of the examples around it, its feet held. A request "
			 "outside of what the space covers is brought to the nearest inside; the report says what was asked for, "
			 "what is nearest, and what the motion does as measured on its frames.\n\n"
			 "performer:ACT is the procedural space of an act of the performer, by its own parameters.",
	.options = {spaceMakeOptions},
	.examples = {{"reprise space make moves.reprise --name punch --at 0.1,1.3,0.6 -o punch.bvh", "A punch to a place."},
				 {"reprise space make moves.reprise --name walk --at -60 -o left.glb",
				  "Two steps that turn by 60 degrees."},
				 {"reprise space make moves.reprise --name walk --at 30 -o w.bvh --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpaceMake,
};
