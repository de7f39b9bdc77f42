#include "command_options.h"
#include "space_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Motions across the space: a row of nine, or three by three of the first two parameters.
enum
{
	sightCount = 9,
};

static float spread(const rpSpaceParameter* parameter, double share)
{
	return parameter->low + (float)share * (parameter->high - parameter->low);
}

// The others in their middles.
static void chooseValues(const rpSpace* space, int index, float* out)
{
	for (int k = 0; k < space->parameterCount; ++k)
		out[k] = spread(&space->parameters[k], 0.5);
	if (space->parameterCount == 1)
	{
		out[0] = spread(&space->parameters[0], index / (sightCount - 1.0));
		return;
	}
	out[0] = spread(&space->parameters[0], 0.1 + 0.4 * (index % 3));
	out[1] = spread(&space->parameters[1], 0.9 - 0.4 * (double)(index / 3));
}

// Who gets this far above or below the middle between start and end jumps, sits or ducks, metres: walks bob by less.
#define OUT_OF_LEVEL 0.1

// The height of a jump, for which one crouches as well; else the depth of a bow; NAN where there is neither.
static double findExtreme(const rpMotion* motion)
{
	double level = 0.5 * (double)(motion->rootPositions[0].y + motion->rootPositions[motion->frameCount - 1].y);
	double highest = OUT_OF_LEVEL, lowest = -OUT_OF_LEVEL, top = NAN, bottom = NAN;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		double height = (double)motion->rootPositions[i].y - level;
		top = height > highest ? i / motion->fps : top;
		highest = fmax(highest, height);
		bottom = height < lowest ? i / motion->fps : bottom;
		lowest = fmin(lowest, height);
	}
	return isnan(top) ? bottom : top;
}

// What the parameters are about shall be seen: the hit of a punch.
static double findMoment(const rpSpace* space, const rpMotion* motion)
{
	double moment = NAN;
	rpError ignored = {0};
	rpFeatureList* features = rpCreateFeatureList(space->features, motion->skeleton, NULL, &ignored);
	rpFeatureStretch stretch = {motion, 0.0, rpMotion_GetDuration(motion)};
	if (features != NULL && !rpFeatureList_FindMoment(features, &stretch, &moment))
		moment = NAN;
	rpDestroyFeatureList(features);
	return isnan(moment) ? findExtreme(motion) : moment;
}

static bool makeSights(cliRun* run, const rpSpace* space, rpSpaceSight* sights, rpMotion** motions)
{
	rpError error = {0};
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, &error);
	bool done = maker != NULL;
	for (int i = 0; i < sightCount && done; ++i)
	{
		float asked[RP_MAX_SPACE_PARAMETERS];
		rpSpaceMotion made;
		chooseValues(space, i, asked);
		motions[i] = rpSpaceMaker_Make(maker, asked, NULL, 0.0, &made, &error);
		done = motions[i] != NULL;
		if (!done)
			break;
		sights[i] = (rpSpaceSight){.motion = motions[i], .moment = findMoment(space, motions[i])};
		memcpy(sights[i].values, made.answer.nearest, sizeof sights[i].values);
	}
	rpDestroySpaceMaker(maker);
	return done || cliFailWork(run, &error);
}

static bool draw(cliRun* run, const rpSpace* space, const char* output)
{
	rpSpaceSight sights[sightCount];
	rpMotion* motions[sightCount] = {NULL};
	rpError error = {0};
	char* title = cliFormat("%s by %s", cliGetSpaceName(run), space->features);
	int count = cliHas(run, "no-motions") ? 0 : sightCount;
	bool done = count == 0 || makeSights(run, space, sights, motions);
	done = done && (rpDrawSpace(space, sights, count, title, output, &error) || cliFailWork(run, &error));
	for (int i = 0; i < sightCount; ++i)
		rpDestroyMotion(motions[i]);
	free(title);
	return done;
}

static bool runSpacePicture(cliRun* run)
{
	const char* output = cliGetOutput(run, ".png .svg");
	rpSpace* space = output != NULL ? cliLoadSpace(run) : NULL;
	bool done = space != NULL && draw(run, space, output);
	rpDestroySpace(space);
	if (!done)
		return false;
	if (run->json)
		return cliReport(
			run, json_pack("{s:o,s:o}", "name", cliMakeText(cliGetSpaceName(run)), "output", cliMakeText(output)));
	cliPrint(run, "%s", output);
	return true;
}

static const cliOption spacePictureOptions[] = {
	CLI_OUTPUT("The picture, .png or .svg."),
	CLI_SPACE_NAME,
	{"no-motions", 0, NULL, "The maps alone."},
	CLI_FORCE,
	{0},
};

const cliCommand cliSpacePictureCommand = {
	.name = "space picture",
	.summary = "Draw what a parametric space covers, and motions across it",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about = "A map for every two parameters: examples, the samples between them, and shaded what the space has; where "
			 "there are more than two parameters, the darker, the more of what the others may be. Below it nine "
			 "motions across the space, five moments of each.",
	.options = {spacePictureOptions},
	.examples = {{"reprise space picture moves.reprise -o space.png", "The space called space."},
				 {"reprise space picture moves.reprise --name punch -o punch.svg", "Another one."},
				 {"reprise space picture moves.reprise --name walk --no-motions -o walk.png", "The maps alone."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpacePicture,
};
