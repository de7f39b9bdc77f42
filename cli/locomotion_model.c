/// What the locomotion commands share, and their group.
#include "locomotion_model.h"

#include "clip.h"
#include "command_options.h"
#include "model_list.h"

#include <stdio.h>
#include <string.h>

#define MODEL_KIND "locomotion"

const char* cliGetLocomotionName(const cliRun* run)
{
	const char* name = cliGet(run, "name");
	if (name == NULL)
		name = cliGet(run, "model");
	return name != NULL ? name : "locomotion";
}

rpLocomotion* cliLoadLocomotion(cliRun* run)
{
	const char* path = run->arguments[0];
	rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	if (library == NULL)
		return NULL;
	rpError error = {0};
	rpLocomotion* model = rpLibrary_LoadLocomotion(library, cliGetLocomotionName(run), &error);
	if (model == NULL)
	{
		char otherwise[200];
		snprintf(otherwise, sizeof otherwise, "build one: reprise locomotion build %.150s", path);
		if (error.code == rp_errorMissing && error.hint[0] == 0)
			cliHintAtModels(library, MODEL_KIND, otherwise, &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		cliFailInput(run, &error);
	}
	else if (model->isByName)
		cliWarnByName(run, MODEL_KIND, cliGetLocomotionName(run));
	return model;
}

// ---- what is reported about it

static json_t* makeRange(const rpLocomotionNode* node, rpMovementParameter parameter, double unit)
{
	return json_pack("{s:o,s:o,s:o}", "low", cliMakeReal((double)node->lows[parameter] / unit), "mean",
					 cliMakeReal((double)node->means[parameter] / unit), "high",
					 cliMakeReal((double)node->highs[parameter] / unit));
}

static json_t* makeSuccessors(const rpLocomotionNode* node)
{
	json_t* list = json_array();
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
		if ((node->successors >> kind & 1) != 0)
			json_array_append_new(list, json_string(rpMovementKind_GetString((rpMovementKind)kind)));
	return list;
}

json_t* cliMakeMovementKinds(const rpLocomotion* model)
{
	json_t* list = json_array();
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		const rpLocomotionNode* node = &model->nodes[kind];
		if (node->movementCount == 0)
			continue;
		json_array_append_new(
			list,
			json_pack("{s:s,s:s,s:s,s:i,s:o,s:o,s:o,s:o}", "string", rpMovementKind_GetString((rpMovementKind)kind),
					  "from", rpGait_GetName(rpMovementKind_GetBefore((rpMovementKind)kind)), "to",
					  rpGait_GetName(rpMovementKind_GetAfter((rpMovementKind)kind)), "count", node->movementCount,
					  "speed_m_per_s", makeRange(node, rp_movementSpeed, 1.0), "turn_deg_per_s",
					  makeRange(node, rp_movementTurn, RP_DEGREE), "acceleration_m_per_s2",
					  makeRange(node, rp_movementAcceleration, 1.0), "next", makeSuccessors(node)));
	}
	return list;
}

void cliPrintMovementKinds(cliRun* run, const rpLocomotion* model)
{
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		const rpLocomotionNode* node = &model->nodes[kind];
		char next[128] = "";
		size_t size = 0;
		for (int other = 0; other < rp_movementKindCount && size < sizeof next; ++other)
			if ((node->successors >> other & 1) != 0)
				size += (size_t)snprintf(next + size, sizeof next - size, " %s",
										 rpMovementKind_GetString((rpMovementKind)other));
		if (node->movementCount > 0)
			cliAnswer(run, "  %-6s %5d   %5.2f to %4.2f m/s  %5.0f to %3.0f deg/s   then%s",
					  rpMovementKind_GetString((rpMovementKind)kind), node->movementCount,
					  (double)node->lows[rp_movementSpeed], (double)node->highs[rp_movementSpeed],
					  (double)node->lows[rp_movementTurn] / RP_DEGREE, (double)node->highs[rp_movementTurn] / RP_DEGREE,
					  size > 0 ? next : " nothing");
	}
}

json_t* cliMakeTurnRules(const rpLocomotion* model)
{
	json_t* rules = json_object();
	for (int gait = rp_gaitWalk; gait < rp_gaitCount; ++gait)
	{
		const rpTurnRule* rule = &model->turnRules[gait];
		json_object_set_new(rules, rpGait_GetName((rpGait)gait),
							json_pack("{s:o,s:o,s:o,s:i,s:o}", "by_speed_deg_per_m",
									  cliMakeReal((double)rule->bySpeed / RP_DEGREE), "by_turn",
									  cliMakeReal((double)rule->byTurn), "constant_deg_per_s",
									  cliMakeReal((double)rule->constant / RP_DEGREE), "pairs", rule->pairCount,
									  "explained", cliMakeReal((double)rule->explained)));
	}
	return rules;
}

const cliCommand cliLocomotionCommand = {
	.name = "locomotion",
	.summary = "On-line locomotion: stand, walk and run as a stick says",
	.usage = "analyse|build|info|play ...",
	.about = "Takes in which somebody stands, walks and runs are cut into half cycles, stands and transitions, with "
			 "nobody marking anything by hand. A model of them stands, walks and runs at whatever speed and turn is "
			 "asked for, within what the takes cover. Models are kept in the library under a name.",
	.examples = {{"reprise locomotion build moves.reprise --mirror", "Build one from all clips."},
				 {"reprise locomotion info moves.reprise", "What does it know?"},
				 {"reprise locomotion play moves.reprise --script steer.csv -o out.bvh", "Have it walk."}},
	.maximum = -1,
};
