#include "bundle_description.h"
#include "clip.h"
#include "command_options.h"
#include "layer_option.h"
#include "pgraph_report.h"
#include "play_run.h"
#include "saving.h"
#include "space_model.h"
#include "steering_script.h"
#include "walk_output.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/// What the player is asked for, and what it made of it.
typedef struct Steered
{
	cliScript script;
	cliPlay play;

	/// Where the root was at each line's time, [script.count], how many have come, and where it is.
	rpVec3* places;
	int placeCount;
	rpVec3 last;
} Steered;

static void seePlace(void* context, const rpMotion* motion, int frame, const rpPose* pose)
{
	Steered* steered = context;
	const cliScript* script = &steered->script;
	steered->last = pose->rootPosition;
	while (steered->placeCount < script->count && script->items[steered->placeCount].time * motion->fps < frame + 0.5)
		steered->places[steered->placeCount++] = pose->rootPosition;
}

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	return cliSteerByScript(&((Steered*)context)->script, player, time, out);
}

// Where the root was when a line's time came; where it ended if that did not come, or there is no such line.
static rpVec3 getPlace(const Steered* steered, int line)
{
	return line < steered->placeCount ? steered->places[line] : steered->last;
}

static bool getDef(cliRun* run, rpPlayerDef* def)
{
	if (!cliGetSeed(run, &def->locomotion.seed))
		return false;
	def->parametric.seed = def->locomotion.seed;
	return cliGetPlace(run, "start", false, &def->start);
}

static bool addLayers(cliRun* run, rpPlayer* player)
{
	const char* text;
	for (int i = 0; (text = cliGetNth(run, "layer", i)) != NULL; ++i)
	{
		rpError error = {0};
		rpLeanDef def;
		const rpLayerKind* kind = cliGetLayer(run, text, &def);
		if (kind == NULL)
			return false;
		if (rpPlayer_AddLayer(player, kind, &def, &error) < 0)
			return cliFailWork(run, &error);
	}
	return true;
}

static bool openBundle(cliRun* run, cliPlay* play)
{
	cliBundle opened;
	bool done = cliOpenBundle(run, run->arguments[0], &play->def, &opened);
	play->bundle = opened.bundle;
	play->player = opened.player;
	return done && addLayers(run, play->player);
}

// What can be asked for depends on the player.
static bool open(cliRun* run, Steered* steered)
{
	const char* script = cliGet(run, "script");
	cliPlay* play = &steered->play;
	if (script == NULL)
		return cliFailUsage(run, "for example --script steer.csv, with lines \"time,direction\"",
							"play needs --script FILE");
	if (!getDef(run, &play->def) || !openBundle(run, play) ||
		!cliReadScript(run, script, play->player, cli_scriptOfDirections, &steered->script))
		return false;
	steered->places = cliAllocate((size_t)steered->script.count * sizeof(rpVec3));
	if (play->seconds == 0.0)
		play->seconds = steered->script.items[steered->script.count - 1].time + 5.0;
	return true;
}

// ---- the report

// How far the path deviates from what was asked for, from a line's time to the next one's, degrees.
static json_t* makeStretch(const Steered* steered, int line)
{
	const cliPlay* play = &steered->play;
	const rpOrder* steer = &steered->script.items[line];
	double end = line + 1 < steered->script.count ? steer[1].time : play->seconds;
	rpVec3 displacement = rpSub(getPlace(steered, line + 1), getPlace(steered, line));
	rpVec2 d = steer->input.stick;
	bool stays = d.x * d.x + d.y * d.y < 0.01f;
	json_t* item = json_pack("{s:o,s:o,s:o}", "start_s", cliMakeReal(steer->time), "end_s", cliMakeReal(end), "way_m",
							 cliMakeReal(hypot((double)displacement.x, (double)displacement.z)));
	json_object_set_new(item, "asked_deg", stays ? json_null() : cliMakeReal((double)atan2f(d.x, d.y) / RP_DEGREE));
	json_object_set_new(item, "went_deg", cliMakeReal((double)atan2f(displacement.x, displacement.z) / RP_DEGREE));
	return item;
}

// ---- the motions of a space

// Its parameters alone, for texts and JSON.
static rpSpace getParameters(const rpPlayer* player)
{
	rpSpace space = {0};
	const rpSpaceParameter* parameter;
	while ((parameter = rpPlayer_GetParameter(player, 0, space.parameterCount)) != NULL)
		space.parameters[space.parameterCount++] = *parameter;
	return space;
}

static int getEnd(const rpRecording* recording, int run)
{
	return run + 1 < recording->runCount ? recording->runs[run + 1].first : recording->motion->frameCount;
}

static json_t* makeMotions(const rpRecording* recording, const rpSpace* space)
{
	json_t* list = json_array();
	for (int i = 0; i < recording->runCount; ++i)
	{
		const rpMovementRun* run = &recording->runs[i];
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o}", "start_s",
											  cliMakeReal(run->first / recording->motion->fps), "end_s",
											  cliMakeReal(getEnd(recording, i) / recording->motion->fps), "requested",
											  cliMakeValues(space, run->space.requested), "nearest",
											  cliMakeValues(space, run->space.nearest)));
	}
	return list;
}

// Beyond this, in ranges, a request is said to be outside.
#define OUTSIDE 0.01f

static void warnOfMotions(cliRun* run, const rpRecording* recording, const rpSpace* space)
{
	int worst = 0, count = 0;
	float max = OUTSIDE;
	for (int i = 0; i < recording->runCount; ++i)
	{
		const rpSpaceReport* report = &recording->runs[i].space;
		float most = 0.0f;
		for (int k = 0; k < space->parameterCount; ++k)
			most = fmaxf(most, fabsf(report->requested[k] - report->nearest[k]) /
								   fmaxf(space->parameters[k].high - space->parameters[k].low, 1e-6f));
		count += most > OUTSIDE;
		worst = most > max ? i : worst;
		max = fmaxf(max, most);
	}
	if (count == 0)
		return;
	char* asked = cliFormatValues(space, recording->runs[worst].space.requested);
	char* nearest = cliFormatValues(space, recording->runs[worst].space.nearest);
	cliWarn(run, "the space does not reach what %d of %d motions were asked for; at worst %s, and it has %s", count,
			recording->runCount, asked, nearest);
	free(asked);
	free(nearest);
}

// Curve with a step at each motion: it goes on to the last frame before the next one.
static bool noteValues(rpMotion* motion, const rpRecording* recording, const rpSpaceParameter* parameter,
					   const char* what, size_t offset, rpError* error)
{
	size_t count = 2 * (size_t)recording->runCount;
	double* times = cliAllocate(count * sizeof(double));
	float* values = cliAllocate(count * sizeof(float));
	char* name = cliFormat("%s_%s", what, parameter->key);
	int keyCount = 0;
	for (int i = 0; i < recording->runCount; ++i)
	{
		float value;
		int first = recording->runs[i].first, last = getEnd(recording, i) - 1;
		memcpy(&value, (const char*)&recording->runs[i].space + offset, sizeof value);
		for (int k = 0; k < (last > first ? 2 : 1); ++k)
		{
			times[keyCount] = (k == 0 ? first : last) / motion->fps;
			values[keyCount++] = (float)cliShowValue(parameter, value);
		}
	}
	rpCurve curve = {.name = name, .kind = rp_curveScalar, .keyCount = keyCount, .times = times, .values = values};
	bool done = rpAnnotations_AddCurve(&motion->annotations, &curve, error);
	free(times);
	free(values);
	free(name);
	return done;
}

static bool noteMotions(cliRun* run, void* context, rpMotion* motion)
{
	const cliPlay* play = &((const Steered*)context)->play;
	rpError error = {0};
	rpSpace space = getParameters(play->player);
	bool done = true;
	for (int i = 0; i < space.parameterCount && done; ++i)
	{
		size_t at = (size_t)i * sizeof(float);
		done = noteValues(motion, &play->recording, &space.parameters[i], "requested",
						  offsetof(rpSpaceReport, requested) + at, &error) &&
			   noteValues(motion, &play->recording, &space.parameters[i], "nearest",
						  offsetof(rpSpaceReport, nearest) + at, &error);
	}
	return done || cliFailWork(run, &error);
}

static bool reportMotions(cliRun* run, const Steered* steered, const rpSpace* space, const char* output)
{
	const cliPlay* play = &steered->play;
	const rpRecording* recording = &play->recording;
	warnOfMotions(run, recording, space);
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:i,s:b,s:o}", "motions", makeMotions(recording, space), "transitions",
										recording->seamCount, "locked", play->def.lockFeet, "output",
										cliMakeOutput(output, recording->motion)));
	cliPrintOutput(run, output, recording->motion);
	cliPrint(run, "%d motion%s, %d seam%s", recording->runCount, cliPlural(recording->runCount), recording->seamCount,
			 cliPlural(recording->seamCount));
	return true;
}

static bool reportResult(cliRun* run, const Steered* steered, const char* output)
{
	const cliPlay* play = &steered->play;
	rpSpace space = getParameters(play->player);
	if (strcmp(rpPlayer_GetModel(play->player), "pgraph") == 0)
		return cliReportPgraph(run, play, true, output);
	if (space.parameterCount > 0)
		return reportMotions(run, steered, &space, output);
	if (!run->json)
	{
		cliPrintOutput(run, output, play->recording.motion);
		int changes = steered->script.count, seams = play->recording.seamCount;
		cliPrint(run, "%d change%s of direction, %d seam%s", changes, cliPlural(changes), seams, cliPlural(seams));
		return true;
	}
	json_t* stretches = json_array();
	for (int i = 0; i < steered->script.count; ++i)
		json_array_append_new(stretches, makeStretch(steered, i));
	return cliReport(run,
					 json_pack("{s:o,s:i,s:b,s:o}", "stretches", stretches, "transitions", play->recording.seamCount,
							   "locked", play->def.lockFeet, "output", cliMakeOutput(output, play->recording.motion)));
}

static bool runPlay(cliRun* run)
{
	Steered steered = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	cliPlayHooks hooks = {.steer = steer, .see = seePlace, .note = noteMotions, .context = &steered};
	bool done = output != NULL && cliGetSaving(run, output, &saving) && cliGetPlay(run, &steered.play) &&
				open(run, &steered) && cliPlay_Perform(run, &steered.play, output, &saving, &hooks) &&
				reportResult(run, &steered, output);
	free(steered.places);
	cliFreePlay(&steered.play);
	cliFreeScript(&steered.script);
	return done;
}

static const cliOption playOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What the player is asked for: a CSV file whose first line names its columns, in any order: time; direction "
	 "(degrees to the left; with a magnitude, 0 to 1) or x and y (a stick: right and ahead; 0,0 stays); for models of "
	 "locomotion gait, speed and turn (m/s, degrees per second); for spaces their parameters instead, by key or name "
	 "(turn_deg; degrees, metres, seconds); for parametric graphs node, the parameters of that node, and target_x, "
	 "target_y, target_z (a place in the world) besides a direction; and layers by their names (weights, 0 to 1). "
	 "Without that line: \"time,direction\" or \"time,x,y\", for spaces the time and a number for each parameter."},
	{"start", 0, "X,Z,DEG", "Where the character is at first and where it looks; 0,0,0 if not given."},
	{"seed", 0, "N", "Where there is chance (the first foot of locomotion), this decides; 0 if not given."},
	{"layer", 0, "LAYER", "What the player lays on its frames, beside what the bundle has: " CLI_LAYER_ABOUT},
	CLI_PLAY_OPTIONS,
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliPlayCommand = {
	.name = "play",
	.summary = "Run a player without a screen",
	.usage = "FILE.rpb --script FILE -o FILE [OPTIONS]",
	.about =
		"Steers the character as the script says and writes what it does, with contacts, labels, seams and the "
		"source of every frame; of a space with what each motion was asked for and the nearest to it that there is, of "
		"a "
		"parametric graph as pgraph play does. A "
		"line of the script holds from the first tick on that is not before its time; layers "
		"are switched over 0.3 s. So what was driven in a page (reprise show) is played again: the same choices, and "
		"joints within "
		"0.01 mm after a minute (a browser has sines of its own).",
	.options = {playOptions},
	.examples = {{"reprise play moves.rpb --script steer.csv -o out.bvh", "As a game would show it."},
				 {"reprise play punches.rpb --script targets.csv -o out.bvh", "One punch after another, by targets."},
				 {"reprise play moves.rpb --script steer.csv -o out.bvh --json", "How well was it steered?"}},
	.minimum = 1,
	.maximum = 1,
	.run = runPlay,
};
