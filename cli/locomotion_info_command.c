#include "command_options.h"
#include "locomotion_model.h"

static json_t* makeReachable(const rpLocomotion* model)
{
	json_t* gaits = json_object();
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		json_t* list = json_array();
		for (int other = 0; other < rp_gaitCount; ++other)
			if ((model->reachable[gait] >> other & 1) != 0)
				json_array_append_new(list, json_string(rpGait_GetName((rpGait)other)));
		json_object_set_new(gaits, rpGait_GetName((rpGait)gait), list);
	}
	return gaits;
}

static double getSeconds(const rpLocomotion* model)
{
	double seconds = 0.0;
	for (int i = 0; i < model->movementCount; ++i)
		seconds += model->movements[i].end - model->movements[i].start;
	return seconds;
}

static void reportResult(cliRun* run, const rpLocomotion* model)
{
	cliAnswer(run, "%s: %d take%s%s, %d movement%s, %.1f s", cliGetLocomotionName(run), model->takeCount,
			  cliPlural(model->takeCount),
			  model->takeCount > model->originalCount ? " (half of them mirror images)" : "", model->movementCount,
			  cliPlural(model->movementCount), getSeconds(model));
	cliPrintMovementKinds(run, model);
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		bool goesOn = (model->reachable[gait] >> gait & 1) != 0;
		cliAnswer(run, "  %-5s %s%s%s%s", rpGait_GetName((rpGait)gait), goesOn ? "goes on" : "does not go on",
				  gait != rp_gaitStand && (model->reachable[gait] >> rp_gaitStand & 1) != 0 ? ", leads to stand" : "",
				  gait != rp_gaitWalk && (model->reachable[gait] >> rp_gaitWalk & 1) != 0 ? ", leads to walk" : "",
				  gait != rp_gaitRun && (model->reachable[gait] >> rp_gaitRun & 1) != 0 ? ", leads to run" : "");
	}
}

static bool runLocomotionInfo(cliRun* run)
{
	rpLocomotion* model = cliLoadLocomotion(run);
	if (model == NULL)
		return false;
	bool done = true;
	if (run->json)
		done = cliReport(run, json_pack("{s:o,s:i,s:b,s:i,s:o,s:o,s:o,s:o}", "name",
										cliMakeText(cliGetLocomotionName(run)), "takes", model->takeCount, "mirrored",
										model->takeCount > model->originalCount, "movements", model->movementCount,
										"seconds", cliMakeReal(getSeconds(model)), "kinds", cliMakeMovementKinds(model),
										"gaits", makeReachable(model), "turn_rules", cliMakeTurnRules(model)));
	else
		reportResult(run, model);
	rpDestroyLocomotion(model);
	return done;
}

static const cliOption locomotionInfoOptions[] = {
	{"name", 0, "NAME", "Name of the model in the library; \"locomotion\" if not given."},
	{0},
};

const cliCommand cliLocomotionInfoCommand = {
	.name = "locomotion info",
	.summary = "What a model of locomotion knows",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Lists the kinds of movement with how many there are of each, their speeds and turns, and what follows "
			 "them; and which gaits lead to which.",
	.options = {locomotionInfoOptions},
	.examples = {{"reprise locomotion info moves.reprise", "The model called locomotion."},
				 {"reprise locomotion info moves.reprise --name both", "Another one."},
				 {"reprise locomotion info moves.reprise --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runLocomotionInfo,
};
