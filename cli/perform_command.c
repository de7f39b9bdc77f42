#include "saving.h"
#include "suggestion.h"

#include <math.h>
#include <stdlib.h>

static bool reportActs(cliRun* run)
{
	json_t* list = json_array();
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpPerformDef def = rpDefaultPerformDef((rpAct)act);
		json_array_append_new(list,
							  json_pack("{s:s,s:o,s:o}", "name", rpAct_GetName((rpAct)act), "seconds",
										cliMakeReal(def.seconds), "speed_m_per_s", cliMakeReal((double)def.speed)));
	}
	return cliReport(run, json_pack("{s:o}", "acts", list));
}

static bool listActs(cliRun* run)
{
	if (run->json)
		return reportActs(run);
	cliTable table = {.columnCount = 2};
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpPerformDef def = rpDefaultPerformDef((rpAct)act);
		cliTable_Add(&table, "%s", rpAct_GetName((rpAct)act));
		if (def.speed > 0.0f)
			cliTable_Add(&table, "%g s at %g m/s", def.seconds, (double)def.speed);
		else
			cliTable_Add(&table, "%g s", def.seconds);
	}
	cliTable_Print(&table, stdout, 0);
	return true;
}

static bool failUnknownAct(cliRun* run, const char* name)
{
	const char* best = NULL;
	int distance = -1;
	for (int act = 0; act < rp_actCount; ++act)
		cliSuggest(name, rpAct_GetName((rpAct)act), &best, &distance);
	char* hint =
		best != NULL ? cliFormat("did you mean %s?", best) : cliCopyText("reprise perform --list shows what it can do");
	cliFailUsage(run, hint, "the performer knows no act \"%s\"", name);
	free(hint);
	return false;
}

static bool getDef(cliRun* run, rpPerformDef* def)
{
	const char* name = run->arguments[0];
	rpAct act = rpAct_Find(name);
	if (act == rp_actCount)
		return failUnknownAct(run, name);
	*def = rpDefaultPerformDef(act);
	bool travels = act == rp_actWalk || act == rp_actRun;
	if (!travels && (cliHas(run, "speed") || cliHas(run, "turn")))
		return cliFailUsage(run, NULL, "--speed and --turn are for walk and run, not for %s", name);
	double speed = (double)def->speed, turn = (double)def->turn * 180.0 / M_PI;
	if (!cliGetNumber(run, "fps", 1.0, 1000.0, &def->fps) ||
		!cliGetNumber(run, "seconds", 0.1, 3600.0, &def->seconds) || !cliGetNumber(run, "speed", 0.0, 12.0, &speed) ||
		!cliGetNumber(run, "turn", -720.0, 720.0, &turn))
		return false;
	def->speed = (float)speed;
	def->turn = (float)(turn * M_PI / 180.0);
	return true;
}

bool cliRunPerform(cliRun* run)
{
	if (cliHas(run, "list"))
		return listActs(run);
	if (run->argumentCount == 0)
		return cliFailUsage(run, "reprise perform --list shows what it can do", "perform what?");
	rpPerformDef def;
	rpSaveDef saving;
	if (!getDef(run, &def))
		return false;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	if (output == NULL || !cliGetSaving(run, output, &saving))
		return false;
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	if (motion == NULL)
		return cliFailWork(run, &error);
	const rpMotion* one = motion;
	bool done = cliSave(run, &one, 1, output, &saving);
	if (done && run->json)
		done = cliReport(run, json_pack("{s:o}", "output", cliMakeOutput(output, motion)));
	else if (done)
		cliTellOutput(run, output, motion);
	rpDestroyMotion(motion);
	return done;
}
