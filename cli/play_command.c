#include "clip.h"
#include "command_options.h"
#include "played_motion.h"
#include "saving.h"
#include "steering_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A player, what it is told, and what it made.
typedef struct Play
{
	cliScript script;
	rpBundle* bundle;
	rpPlayer* player;
	rpPlayerDef def;
	double fps, seconds;
	rpMotion* motion;

	/// [frameCount]
	rpPlayerReport* reports;
	int transitionCount;
} Play;

static bool getDef(cliRun* run, Play* play)
{
	play->def = rpDefaultPlayerDef();
	play->fps = 60.0;
	play->seconds = 0.0;
	if (!cliGetNumber(run, "fps", 1.0, 1000.0, &play->fps) ||
		!cliGetNumber(run, "seconds", 0.1, 36000.0, &play->seconds) ||
		!cliGetNumber(run, "look-ahead", 0.0, 4.0, &play->def.lookAhead))
		return false;
	play->def.lockFeet = !cliHas(run, "no-lock");
	return true;
}

static bool open(cliRun* run, Play* play)
{
	const char *path = run->arguments[0], *script = cliGet(run, "script");
	rpError error = {0};
	if (script == NULL)
		return cliFailUsage(run, "for example --script steer.csv, with lines \"time,direction\"",
							"play needs --script FILE");
	if (!cliReadScript(run, script, &play->script))
		return false;
	play->bundle = rpOpenBundle(path, &error);
	cliNotePath(run, path);
	play->player = play->bundle != NULL ? rpCreatePlayer(play->bundle, &play->def, &error) : NULL;
	if (play->player == NULL)
	{
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		return cliFailInput(run, &error);
	}
	if (play->seconds == 0.0)
		play->seconds = play->script.items[play->script.count - 1].time + 5.0;
	return true;
}

// ---- frames

static bool perform(cliRun* run, Play* play)
{
	rpError error = {0};
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(play->player);
	int frameCount = (int)(play->seconds * play->fps + 1e-6) + 1;
	play->motion = rpCreateMotion(skeleton, "played", play->fps, frameCount, &error);
	if (play->motion == NULL)
		return cliFailWork(run, &error);
	play->reports = cliReallocate(NULL, (size_t)frameCount * sizeof(rpPlayerReport));
	for (int i = 0; i < frameCount; ++i)
	{
		rpPose pose = {.rotations = play->motion->rotations + (size_t)i * (size_t)skeleton->jointCount};
		rpPlayerInput input = cliScript_Get(&play->script, i / play->fps);
		rpPlayer_Step(play->player, i > 0 ? 1.0 / play->fps : 0.0, &input, &pose, &play->reports[i]);
		play->motion->rootPositions[i] = pose.rootPosition;
	}
	rpMotion_FixHemispheres(play->motion);
	return true;
}

// ---- the report

// How far the way goes beside what was asked for, from a line's time to the next one's, degrees.
static json_t* makeStretch(const Play* play, int line)
{
	const cliSteer* steer = &play->script.items[line];
	double end = line + 1 < play->script.count ? steer[1].time : play->seconds;
	int from = rpMotion_GetFrame(play->motion, steer->time), to = rpMotion_GetFrame(play->motion, end);
	rpVec3 way = rpSub(play->motion->rootPositions[to], play->motion->rootPositions[from]);
	rpVec2 d = steer->input.direction;
	bool stays = d.x * d.x + d.y * d.y < 0.01f;
	json_t* item = json_pack("{s:o,s:o,s:o}", "start_s", cliMakeReal(steer->time), "end_s", cliMakeReal(end), "way_m",
							 cliMakeReal(hypot((double)way.x, (double)way.z)));
	json_object_set_new(item, "asked_deg", stays ? json_null() : cliMakeReal((double)atan2f(d.x, d.y) / RP_DEGREE));
	json_object_set_new(item, "went_deg", cliMakeReal((double)atan2f(way.x, way.z) / RP_DEGREE));
	return item;
}

static bool tell(cliRun* run, const Play* play, const char* output)
{
	if (!run->json)
	{
		cliTellOutput(run, output, play->motion);
		cliTell(run, "%d changes of direction, %d seams", play->script.count, play->transitionCount);
		return true;
	}
	json_t* stretches = json_array();
	for (int i = 0; i < play->script.count; ++i)
		json_array_append_new(stretches, makeStretch(play, i));
	return cliReport(run, json_pack("{s:o,s:i,s:b,s:o}", "stretches", stretches, "transitions", play->transitionCount,
									"locked", play->def.lockFeet, "output", cliMakeOutput(output, play->motion)));
}

static bool runPlay(cliRun* run)
{
	Play play = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getDef(run, &play) && open(run, &play) &&
				cliCheckOutput(run, output) && perform(run, &play) &&
				cliAnnotatePlay(run, play.player, play.motion, play.reports, &play.transitionCount);
	const rpMotion* motion = play.motion;
	done = done && cliSave(run, &motion, 1, output, &saving) && tell(run, &play, output);
	rpDestroyMotion(play.motion);
	free(play.reports);
	rpDestroyPlayer(play.player);
	rpDestroyBundle(play.bundle);
	cliFreeScript(&play.script);
	return done;
}

static const cliOption playOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What the player is told: a CSV file with lines \"time,direction\" (degrees to the left) or \"time,x,y\" (a "
	 "stick: "
	 "right and ahead; 0,0 stays)."},
	{"seconds", 0, "S", "How long; five seconds behind the script's last line if not given."},
	{"fps", 0, "F", "Ticks per second, 60 if not given."},
	{"look-ahead", 0, "S", "How much later than it is made a frame is shown, for the feet's sake; 0.7 if not given."},
	{"no-lock", 0, NULL, "Leave the feet as the blends have them."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	CLI_FORCE,
	{0},
};

const cliCommand cliPlayCommand = {
	.name = "play",
	.summary = "Run a player without a screen",
	.usage = "FILE.rpb --script FILE -o FILE [OPTIONS]",
	.about = "Steers the character as the script says and writes what it does, with contacts, labels, seams and the "
			 "source of every frame.",
	.options = {playOptions},
	.examples = {{"reprise play moves.rpb --script steer.csv -o out.bvh", "As a game would show it."},
				 {"reprise play moves.rpb --script steer.csv -o out.bvh --fps 30 --seconds 60", "A minute at 30 Hz."},
				 {"reprise play moves.rpb --script steer.csv -o out.bvh --json", "How well was it steered?"}},
	.minimum = 1,
	.maximum = 1,
	.run = runPlay,
};
