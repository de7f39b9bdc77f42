#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "locomotion_model.h"
#include "progress_bar.h"

#include <stdlib.h>

static json_t* makeMissing(const rpFindings* missing)
{
	json_t* list = json_array();
	for (int i = 0; i < missing->count; ++i)
		json_array_append_new(list, cliMakeText(missing->items[i].message));
	return list;
}

static bool report(cliRun* run, const rpLocomotion* model, const rpFindings* missing, double seconds)
{
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:i,s:i,s:o,s:o,s:o,s:o}", "name", cliMakeText(cliGetLocomotionName(run)),
										"takes", model->takeCount, "movements", model->movementCount, "kinds",
										cliMakeMovementKinds(model), "turn_rules", cliMakeTurnRules(model), "missing",
										makeMissing(missing), "build_seconds", cliMakeReal(seconds)));
	cliPrint(run, "%s: %d take%s, %d movement%s; %.2f s", cliGetLocomotionName(run), model->takeCount,
			 cliPlural(model->takeCount), model->movementCount, cliPlural(model->movementCount), seconds);
	if (!run->quiet)
		cliPrintMovementKinds(run, model);
	for (int i = 0; i < missing->count; ++i)
		cliPrint(run, "  %s", missing->items[i].message);
	return true;
}

static bool build(cliRun* run, rpLibrary* library)
{
	rpLocomotionDef def = rpDefaultLocomotionDef();
	rpFindings missing = {0};
	rpError error = {0};
	def.mirror = cliHas(run, "mirror");
	def.clips = run->arguments + 1;
	def.clipCount = run->argumentCount - 1;
	double start = cliGetSeconds();
	rpLocomotion* model = rpBuildLocomotion(library, &def, &missing, &error);
	double seconds = cliGetSeconds() - start;
	if (model == NULL)
	{
		rpFindings_Free(&missing);
		return cliFailWork(run, &error);
	}
	bool done =
		(cliGetInterruption() == 0 || cliFail(run, cli_exitInterrupted, &error)) &&
		(rpLibrary_PutLocomotion(library, cliGetLocomotionName(run), model, &error) || cliFailWork(run, &error)) &&
		report(run, model, &missing, seconds);
	rpFindings_Free(&missing);
	rpDestroyLocomotion(model);
	return done;
}

static bool runLocomotionBuild(cliRun* run)
{
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	return library != NULL && build(run, library);
}

static const cliOption locomotionBuildOptions[] = {
	{"name", 0, "NAME", "Name of the model in the library; \"locomotion\" if not given."},
	{"mirror", 0, NULL, "Add the mirror images of the clips: they fill what one foot lacks."},
	{0},
};

const cliCommand cliLocomotionBuildCommand = {
	.name = "locomotion build",
	.summary = "Build a model of locomotion from the clips of a library",
	.usage = "LIB.reprise [CLIP...] [OPTIONS]",
	.about = "Finds half cycles of walking and running, stands and the transitions between them in the clips, which "
			 "must be of one body, and says which kinds of them there are not.",
	.options = {locomotionBuildOptions},
	.examples = {{"reprise locomotion build moves.reprise", "From all clips."},
				 {"reprise locomotion build moves.reprise --mirror --name both", "Twice as much motion."},
				 {"reprise locomotion build moves.reprise walk run --json", "Two clips; for a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runLocomotionBuild,
};
