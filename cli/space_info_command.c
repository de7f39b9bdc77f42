#include "command_options.h"
#include "space_model.h"

#include <stdlib.h>
#include <string.h>

// Features listed for people.
#define SHOWN 12

// Features ranked at most.
#define RANKED 200

static json_t* makeParameters(const rpSpace* space)
{
	json_t* list = json_array();
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		json_array_append_new(list, json_pack("{s:o,s:s,s:o,s:o}", "name", cliMakeText(parameter->name), "unit",
											  cliGetValueUnit(parameter), "low",
											  cliMakeReal(cliShowValue(parameter, parameter->low)), "high",
											  cliMakeReal(cliShowValue(parameter, parameter->high))));
	}
	return list;
}

static json_t* makeExamples(const rpSpace* space)
{
	json_t* list = json_array();
	for (int i = 0; i < space->exampleCount; ++i)
	{
		const rpSpaceExample* example = &space->examples[i];
		char* name = cliNameExample(space, i);
		json_t* values = cliMakeValues(space, space->values + (size_t)i * (size_t)space->parameterCount);
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o,s:i,s:o}", "clip", cliMakeText(name), "from_s",
											  cliMakeReal(example->from), "to_s", cliMakeReal(example->to), "values",
											  values, "parent", example->parent, "distance_m",
											  cliMakeReal((double)example->distance)));
		free(name);
	}
	return list;
}

static double showRanked(const rpFeatureRank* rank, float value)
{
	return rank->unit == rp_unitRadian ? (double)value / RP_DEGREE : (double)value;
}

static const char* getRankedUnit(const rpFeatureRank* rank)
{
	return rank->unit == rp_unitRadian ? "deg" : rpFeatureUnit_GetName(rank->unit);
}

static json_t* makeFeatures(const rpFeatureRank* ranks, int count)
{
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
		json_array_append_new(list, json_pack("{s:o,s:o,s:s,s:o,s:o}", "name", cliMakeText(ranks[i].name), "explained",
											  cliMakeReal((double)ranks[i].explained), "unit", getRankedUnit(&ranks[i]),
											  "low", cliMakeReal(showRanked(&ranks[i], ranks[i].low)), "high",
											  cliMakeReal(showRanked(&ranks[i], ranks[i].high))));
	return list;
}

static void printParameters(cliRun* run, const rpSpaceParameter* parameters, int count)
{
	for (int i = 0; i < count; ++i)
		cliAnswer(run, "  %-24s %8.3f to %.3f %s", parameters[i].name, cliShowValue(&parameters[i], parameters[i].low),
				  cliShowValue(&parameters[i], parameters[i].high), cliGetValueUnit(&parameters[i]));
}

static void print(cliRun* run, const rpSpace* space, const rpFeatureRank* ranks, int count)
{
	cliAnswer(run, "%s: %d example%s of %d clip%s, %d samples, roughness %.2f", cliGetSpaceName(run),
			  space->exampleCount, cliPlural(space->exampleCount), space->clipCount, cliPlural(space->clipCount),
			  space->sampleCount, (double)space->roughness);
	printParameters(run, space->parameters, space->parameterCount);
	cliAnswer(run, "How much of the examples' differences features explain:");
	for (int i = 0; i < count && i < SHOWN; ++i)
		cliAnswer(run, "  %-24s %3.0f %%   %8.3f to %.3f %s", ranks[i].name, 100.0 * (double)ranks[i].explained,
				  showRanked(&ranks[i], ranks[i].low), showRanked(&ranks[i], ranks[i].high), getRankedUnit(&ranks[i]));
}

// A space by formula has parameters alone.
static bool tellPerformed(cliRun* run, const char* act)
{
	rpPerformedSpace performed;
	rpMotionSource source;
	rpError error = {0};
	if (!cliFindPerformedSpace(run, act, &performed))
		return false;
	if (!rpOpenPerformedSpace(&performed, &source, &error))
		return cliFailWork(run, &error);
	rpSpace space = {.parameterCount = source.parameterCount};
	memcpy(space.parameters, source.parameters, sizeof space.parameters);
	if (run->json)
		return cliReport(
			run, json_pack("{s:o,s:o}", "name", cliMakeText(run->arguments[0]), "parameters", makeParameters(&space)));
	cliAnswer(run, "%s: a space by formula", run->arguments[0]);
	printParameters(run, space.parameters, space.parameterCount);
	return true;
}

static bool runSpaceInfo(cliRun* run)
{
	rpError error = {0};
	const char* act = cliGetPerformedAct(run);
	if (act != NULL)
		return tellPerformed(run, act);
	rpSpace* space = cliLoadSpace(run);
	if (space == NULL)
		return false;
	rpFeatureRank* ranks = cliAllocate(RANKED * sizeof(rpFeatureRank));
	int count = rpSpace_RankFeatures(space, ranks, RANKED, &error);
	bool done = count >= 0 || cliFailWork(run, &error);
	if (done && run->json)
		done =
			cliReport(run, json_pack("{s:o,s:s,s:o,s:o,s:i,s:o,s:o}", "name", cliMakeText(cliGetSpaceName(run)),
									 "features", space->features, "parameters", makeParameters(space), "examples",
									 makeExamples(space), "samples", space->sampleCount, "roughness",
									 cliMakeReal((double)space->roughness), "explained", makeFeatures(ranks, count)));
	else if (done)
		print(run, space, ranks, count);
	free(ranks);
	rpDestroySpace(space);
	return done;
}

static const cliOption spaceInfoOptions[] = {CLI_SPACE_NAME, {0}};

const cliCommand cliSpaceInfoCommand = {
	.name = "space info",
	.summary = "What a parametric space covers, and what would tell its examples apart",
	.usage = "LIB.reprise|performer:ACT [OPTIONS]",
	.about =
		"Lists the parameters with the range that motions of the space reach, and ranks all features by how much "
		"of the examples' differences each explains: what is high there and no parameter should perhaps be one. "
		"Roughness is how far examples are apart that are next to each other in parameters, as a share of how far "
		"any two are: near 1, the parameters have little to do with what the motions are like.\n\nperformer:ACT is "
		"the space by formula of an act of the performer, which has parameters alone.",
	.options = {spaceInfoOptions},
	.examples = {{"reprise space info moves.reprise", "The space called space."},
				 {"reprise space info moves.reprise --name punch", "Another one."},
				 {"reprise space info moves.reprise --json", "For a program, with all examples."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpaceInfo,
};
