/// pgraph play and pgraph walk: a graph of a library played, as a script says or at random.
#include "clip.h"
#include "command_options.h"
#include "pgraph_model.h"
#include "pgraph_report.h"
#include "steering_script.h"
#include "walk_output.h"

#include <string.h>

/// What is played, and by what.
typedef struct Trip
{
	rpParametricGraph* graph;
	cliPlay play;
	cliScript script;
	const char* output;
	rpSaveDef saving;
} Trip;

static bool openTrip(cliRun* run, Trip* trip)
{
	cliPlay* play = &trip->play;
	rpError error = {0};
	size_t size;
	trip->output = cliGetOutput(run, ".bvh .glb .csv");
	if (trip->output == NULL || !cliGetSaving(run, trip->output, &trip->saving) || !cliGetPlay(run, play) ||
		!cliGetSeed(run, &play->def.parametric.seed) || !cliGetPlace(run, "start", false, &play->def.start))
		return false;
	trip->graph = cliLoadPgraph(run);
	if (trip->graph == NULL)
		return false;
	play->bytes = rpWriteParametricBundle(trip->graph, &size, &error);
	play->bundle = play->bytes != NULL ? rpCreateBundle(play->bytes, size, &error) : NULL;
	play->player = play->bundle != NULL ? rpCreatePlayer(play->bundle, &play->def, &error) : NULL;
	return play->player != NULL || cliFailWork(run, &error);
}

static bool isSource(const rpMotion* motion, const char* clip)
{
	bool is = false;
	for (int i = 0; i < motion->annotations.intervalCount && !is; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		is = interval->track == rp_trackSource && strcmp(interval->name, clip) == 0;
	}
	return is;
}

// The files of the clips that it is made of, for evaluate to compare with.
static bool noteInputs(cliRun* run, void* context, rpMotion* motion)
{
	const rpParametricGraph* graph = ((const Trip*)context)->graph;
	rpError error = {0};
	bool done = true;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const rpSpace* space = graph->nodes[n].space;
		for (int i = 0; i < space->exampleCount; ++i)
		{
			const char* clip = space->clipNames;
			for (int k = 0; k < space->examples[i].clip; ++k)
				clip += strlen(clip) + 1;
			const rpMotion* example = space->motions[i];
			for (int k = 0; k < example->inputCount && done && isSource(motion, clip); ++k)
				done = rpMotion_AddInput(motion, example->inputs[k].name, example->inputs[k].hash, &error);
		}
	}
	return done || cliFailWork(run, &error);
}

static bool finishTrip(cliRun* run, Trip* trip, rpSteerFn* steer)
{
	cliPlayHooks hooks = {.steer = steer, .note = noteInputs, .context = trip};
	return cliPlay_Perform(run, &trip->play, trip->output, &trip->saving, &hooks) &&
		   cliReportPgraph(run, &trip->play, trip->script.count > 0, trip->output);
}

static void freeTrip(Trip* trip)
{
	rpDestroyParametricGraph(trip->graph);
	cliFreePlay(&trip->play);
	cliFreeScript(&trip->script);
}

// ---- by a script

static bool steerByScript(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	return cliSteerByScript(&((Trip*)context)->script, player, time, out);
}

static bool runPgraphPlay(cliRun* run)
{
	Trip trip = {0};
	const char* script = cliGet(run, "script");
	if (script == NULL)
		return cliFailUsage(run, "for example --script steer.csv, whose first line is \"time,node,direction\"",
							"pgraph play needs --script FILE");
	bool done =
		openTrip(run, &trip) && cliReadScript(run, script, trip.play.player, cli_scriptOfDirections, &trip.script);
	if (done && trip.play.seconds == 0.0)
		trip.play.seconds = trip.script.items[trip.script.count - 1].time + 5.0;
	done = done && finishTrip(run, &trip, steerByScript);
	freeTrip(&trip);
	return done;
}

#define PLACE                                                                                            \
	{                                                                                                    \
		"start", 0, "X,Z,DEG", "Where the character is at first and where it looks; 0,0,0 if not given." \
	}

static const cliOption pgraphPlayOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What is asked for: a CSV file whose first line names its columns, in any order: time; node; the parameters of "
	 "nodes by key or name (turn_deg; degrees, metres, seconds), which are asked of the node in the same line; "
	 "direction (degrees to the left; with a magnitude, 0 to 1) or x and y (a stick: right and ahead); target_x, "
	 "target_y, target_z (a place in the world). An empty cell asks for nothing. Without that line: \"time,direction\" "
	 "or \"time,x,y\"."},
	CLI_PGRAPH_NAME,
	PLACE,
	{"seed", 0, "N", "Where there is chance, this decides; 0 if not given."},
	CLI_PLAY_OPTIONS,
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliPgraphPlayCommand = {
	.name = "pgraph play",
	.summary = "Play a parametric graph as a script says",
	.usage = "LIB.reprise --script FILE -o FILE [OPTIONS]",
	.about =
		"Shortly before a motion ends the next is chosen by what is asked for then: its node, and of what can follow "
		"there the nearest to the values, the direction or the place that are asked for. The report says of each "
		"motion "
		"what was asked for, the box of what could follow, what was granted of it and what the space has of that, how "
		"far "
		"it is from the one before, how often that had to be repaired, and how long an answer took. reprise play does "
		"the "
		"same for a bundle.",
	.options = {pgraphPlayOptions},
	.examples = {{"reprise pgraph play moves.reprise --script steer.csv -o out.bvh", "As steer.csv says."},
				 {"reprise pgraph play moves.reprise --name gaits --script steer.csv --seconds 60 -o out.glb",
				  "Another graph, for a minute."},
				 {"reprise pgraph play moves.reprise --script steer.csv -o out.bvh --json", "With each motion."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphPlay,
};

// ---- at random

static bool steerAtRandom(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	(void)context, (void)player, (void)time;
	*out = (rpPlayerInput){.parametric = {.isRandom = true}};
	return true;
}

static bool runPgraphWalk(cliRun* run)
{
	Trip trip = {0};
	bool done = openTrip(run, &trip);
	if (done && trip.play.seconds == 0.0)
		trip.play.seconds = 30.0;
	done = done && finishTrip(run, &trip, steerAtRandom);
	freeTrip(&trip);
	return done;
}

static const cliOption pgraphWalkOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"seconds", 0, "S", "How long, 30 if not given."},
	{"seed", 0, "N", "Which walk, 0 if not given."},
	CLI_PGRAPH_NAME,
	PLACE,
	{"fps", 0, "F", "Rate of the result, 60 if not given."},
	{"no-lock", 0, NULL, "Leave the feet as the blends have them."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliPgraphWalkCommand = {
	.name = "pgraph walk",
	.summary = "Walk on a parametric graph at random",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about =
		"Any node that can follow, and of it any motion that can: what the graph has is seen in all its variety. The "
		"report is that of pgraph play.",
	.options = {pgraphWalkOptions},
	.examples = {{"reprise pgraph walk moves.reprise -o out.bvh", "Half a minute."},
				 {"reprise pgraph walk moves.reprise --seconds 120 --seed 7 -o out.glb",
				  "Another one, two minutes long."},
				 {"reprise pgraph walk moves.reprise -o out.bvh --json", "With each motion."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphWalk,
};
