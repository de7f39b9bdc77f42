#include "command_options.h"
#include "new_library.h"
#include "progress_bar.h"
#include "saving.h"
#include "suggestion.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In the unit that people read: degrees for radians.
static double toUnit(rpParameter parameter, float value)
{
	return (double)value * (rpParameter_IsAngle(parameter) ? 180.0 / M_PI : 1.0);
}

static json_t* makeParameters(rpAct act)
{
	json_t* parameters = json_object();
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		rpParameter parameter = (rpParameter)i;
		if (rpAct_GetRange(act, parameter, &range))
			json_object_set_new(parameters, rpParameter_GetKey(parameter),
								json_pack("{s:o,s:o,s:o}", "low", cliMakeReal(toUnit(parameter, range.low)), "normal",
										  cliMakeReal(toUnit(parameter, range.normal)), "high",
										  cliMakeReal(toUnit(parameter, range.high))));
	}
	return parameters;
}

static bool reportActs(cliRun* run)
{
	json_t* list = json_array();
	for (int i = 0; i < rp_actCount; ++i)
	{
		rpAct act = (rpAct)i;
		json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:o,s:o}", "name", rpAct_GetName(act), "kind",
											  rpActKind_GetName(rpAct_GetKind(act)), "text", rpAct_GetText(act),
											  "seconds", cliMakeReal(rpDefaultPerformDef(act).seconds), "parameters",
											  makeParameters(act)));
	}
	return cliReport(run, json_pack("{s:o}", "acts", list));
}

// "--speed 0.6..2.2 m/s (1.35)", one after the other; free() it.
static char* describeParameters(rpAct act)
{
	char* text = cliCopyText("");
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		rpParameter parameter = (rpParameter)i;
		if (!rpAct_GetRange(act, parameter, &range))
			continue;
		const char* unit = rpParameter_GetUnit(parameter);
		char* more =
			cliFormat("%s%s--%s %.3g..%.3g%s%s (%.3g)", text, *text != 0 ? ", " : "", rpParameter_GetName(parameter),
					  toUnit(parameter, range.low), toUnit(parameter, range.high), *unit != 0 ? " " : "", unit,
					  toUnit(parameter, range.normal));
		free(text);
		text = more;
	}
	return text;
}

static void listKind(rpActKind kind)
{
	cliTable table = {.columnCount = 4};
	bool any = false;
	for (int i = 0; i < rp_actCount; ++i)
	{
		rpAct act = (rpAct)i;
		if (rpAct_GetKind(act) != kind)
			continue;
		if (!any)
			printf("%s\n", rpActKind_GetName(kind));
		any = true;
		char* parameters = describeParameters(act);
		cliTable_Add(&table, "  %s", rpAct_GetName(act));
		cliTable_Add(&table, "%s", rpAct_GetText(act));
		cliTable_Add(&table, "%g s", rpDefaultPerformDef(act).seconds);
		cliTable_Add(&table, "%s", parameters);
		free(parameters);
	}
	if (any)
		cliTable_Print(&table, stdout, 0);
}

static bool listActs(cliRun* run)
{
	if (run->json)
		return reportActs(run);
	for (int kind = 0; kind < rp_actKindCount; ++kind)
		listKind((rpActKind)kind);
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

static bool getParameter(cliRun* run, rpParameter parameter, rpPerformDef* def)
{
	const char* name = rpParameter_GetName(parameter);
	rpParameterRange range;
	if (!cliHas(run, name))
		return true;
	if (!rpAct_GetRange(def->act, parameter, &range))
		return cliFailUsage(run, "reprise perform --list shows what each act takes", "%s takes no --%s",
							rpAct_GetName(def->act), name);
	double unit = toUnit(parameter, 1.0f), value = 0.0;
	if (!cliGetNumber(run, name, -1e4, 1e4, &value))
		return false;
	def->parameters[parameter] = (float)(value / unit);
	return true;
}

static bool getDef(cliRun* run, rpPerformDef* def)
{
	rpAct act = rpAct_Find(run->arguments[0]);
	if (act == rp_actCount)
		return failUnknownAct(run, run->arguments[0]);
	*def = rpDefaultPerformDef(act);
	double seed = 0.0, stature = (double)def->stature;
	if (!cliGetRate(run, &def->fps) || !cliGetNumber(run, "seconds", 0.1, 3600.0, &def->seconds) ||
		!cliGetNumber(run, "seed", 0.0, 9007199254740992.0, &seed) || !cliGetNumber(run, "stature", 1.2, 2.1, &stature))
		return false;
	def->seed = (uint64_t)seed;
	def->stature = (float)stature;
	def->script = cliGet(run, "script");
	// Unless asked otherwise, a take is as long as its script.
	if (def->script != NULL && !cliHas(run, "seconds"))
		def->seconds = 0.0;
	if (def->script != NULL && act != rp_actTake)
		return cliFailUsage(run, NULL, "a script is for take, not for %s", rpAct_GetName(act));
	bool ok = true;
	for (int i = 0; i < rp_parameterCount && ok; ++i)
		ok = getParameter(run, (rpParameter)i, def);
	return ok;
}

/// All acts, and what they come to.
typedef struct Repertoire
{
	uint64_t seed;
	int count;
	double seconds;
} Repertoire;

static bool fillRepertoire(rpLibrary* library, void* context, rpError* error)
{
	Repertoire* all = context;
	rpRepertoireEntry entry;
	bool done = true;
	for (; done && cliGetInterruption() == 0 && rpGetRepertoire(all->seed, all->count, &entry); ++all->count)
	{
		rpMotion* motion = rpPerform(&entry.def, error);
		rpAddDef def = rpDefaultAddDef();
		done = motion != NULL && rpMotion_SetName(motion, entry.name, error) &&
			   rpLibrary_AddClip(library, motion, &def, NULL, error) != 0;
		all->seconds += motion != NULL ? rpMotion_GetDuration(motion) : 0.0;
		rpDestroyMotion(motion);
	}
	return done;
}

// A whole library of every act: what the demonstration and the studio start with.
static bool performRepertoire(cliRun* run)
{
	double seed = 1.0;
	const char* output = cliGetOutput(run, ".reprise");
	if (output == NULL || !cliGetNumber(run, "seed", 0.0, 9007199254740992.0, &seed) || !cliCheckNew(run, output))
		return false;
	Repertoire all = {.seed = (uint64_t)seed};
	if (!cliMakeLibrary(run, output, fillRepertoire, &all))
		return false;
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:i,s:o}", "output", cliMakeText(output), "clips", all.count, "seconds",
										cliMakeReal(all.seconds)));
	cliPrint(run, "%s: %d clip%s, %.1f s of motion", output, all.count, cliPlural(all.count), all.seconds);
	return true;
}

static bool runPerform(cliRun* run)
{
	if (cliHas(run, "list"))
		return listActs(run);
	if (run->argumentCount == 1 && strcmp(run->arguments[0], "repertoire") == 0)
		return performRepertoire(run);
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
		cliPrintOutput(run, output, motion);
	rpDestroyMotion(motion);
	return done;
}

static const cliOption performOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"list", 0, NULL, "List the acts that the performer knows."},
	{"speed", 0, "M/S", "Forward speed in metres per second."},
	{"turn", 0, "DEG/S", "Turn to the left by this many degrees per second; negative: to the right."},
	{"angle", 0, "DEG", "Turn to the left by this many degrees in all."},
	{"foot", 0, "0|1", "Which foot: 0 the left, 1 the right."},
	{"hand", 0, "0|1", "Which hand: 0 the left, 1 the right."},
	{"height", 0, "M", "Height of the target, seat, step or jump."},
	{"reach", 0, "M", "How far ahead the target is."},
	{"side", 0, "M", "How far to the left the target is."},
	{"distance", 0, "M", "Length of the jump or leap."},
	{"seed", 0, "N", "The manner: cadence, arm swing, bounce, variation from step to step. 0 is plain."},
	{"script", 0, "SCRIPT",
	 "What a take does: stretches separated by ;. stand, walk, run and styles take seconds, speed, turn; acts what is "
	 "asked of them, by name or in order: \"walk 4 1.3 20; punch height=1.3; jump 1.2\"."},
	{"stature", 0, "M", "Height of the body, 1.2 to 2.1."},
	{"seconds", 0, "S", "How long."},
	{"fps", 0, "F", "Frames per second."},
	{"force", 0, NULL, "Replace a library that is there with the repertoire."},
	CLI_SAVING_OPTIONS,
	{0},
};

const cliCommand cliPerformCommand = {
	.name = "perform",
	.summary = "Let the embedded performer make a clip by formula",
	.usage = "ACT -o FILE [OPTIONS] | repertoire -o LIB.reprise [--seed N] | --list",
	.about = "Makes a motion that needs no captured data, with its ground truth: labels, contacts, phases, "
			 "footstep strings, "
			 "centre of mass. repertoire makes a whole library of all acts.",
	.options = {performOptions},
	.examples = {{"reprise perform --list", "What can it do?"},
				 {"reprise perform walk --speed 1.4 --turn 20 --seconds 10 -o walk.bvh", "Ten seconds along a curve."},
				 {"reprise perform take --seconds 180 --seed 1 -o take.bvh", "A long mixture; the truth beside it."}},
	.minimum = 0,
	.maximum = 1,
	.run = runPerform,
};
