#include "clip.h"
#include "command_options.h"
#include "gait_route.h"
#include "gait_script.h"
#include "locomotion_model.h"
#include "played_motion.h"
#include "saving.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/// A player, what it is told, and what it made.
typedef struct Play
{
	cliScript script;

	/// Instead of a script: what is followed, and how far off it was, metres.
	bool follows;
	cliGaitRoute route;
	bool hasArrived;
	double pathMean, pathMax;

	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;
	rpPlayerDef def;
	double fps, seconds;
	rpMotion* motion;

	/// [frameCount]
	rpPlayerReport* reports;
	int knotCount;

	/// Seconds that it took to make the frames.
	double worked;
} Play;

static double getSeconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool getDef(cliRun* run, Play* play)
{
	double seed = 0.0, neighbours = 30.0;
	play->def = rpDefaultPlayerDef();
	play->def.lookAhead = 0.0;
	play->fps = 60.0;
	play->seconds = 0.0;
	if (!cliGetNumber(run, "fps", 1.0, 1000.0, &play->fps) ||
		!cliGetNumber(run, "seconds", 0.1, 36000.0, &play->seconds) ||
		!cliGetNumber(run, "look-ahead", 0.0, 4.0, &play->def.lookAhead) ||
		!cliGetNumber(run, "neighbours", 1.0, 32.0, &neighbours) || !cliGetNumber(run, "seed", 0.0, 4e9, &seed))
		return false;
	play->def.lockFeet = !cliHas(run, "no-lock");
	play->def.neighbours = (int)neighbours;
	play->def.seed = (uint64_t)seed;
	return true;
}

// The longest that following a path may take: as if it were gone slowly, with its stands.
static bool readRoute(cliRun* run, Play* play)
{
	if (!cliGetGaitRoute(run, &play->route))
		return false;
	rpGaitPath* path = &play->route.path;
	path->lookAhead = play->def.lockFeet ? play->def.lookAhead : 0.0;
	play->def.start = rpGaitPath_GetStart(path);
	if (play->seconds == 0.0)
	{
		play->seconds = fmin(10.0 + 2.5 * rpGaitPath_GetLength(path), 36000.0);
		for (int i = 0; i < path->stretchCount; ++i)
			play->seconds +=
				path->stretches[i].gait == rp_gaitStand ? fmax((double)path->stretches[i].seconds, 2.0) + 5.0 : 0.0;
	}
	return true;
}

static bool readScript(cliRun* run, Play* play)
{
	const char* path = cliGet(run, "script");
	play->follows = cliHas(run, "path");
	if (play->follows && path != NULL)
		return cliFailUsage(run, NULL, "--script and --path exclude each other");
	if (play->follows)
		return readRoute(run, play);
	if (cliHas(run, "gaits"))
		return cliFailUsage(run, NULL, "--gaits is for --path; a script tells its own");
	if (path == NULL)
		return cliFailUsage(run, "for example --script steer.csv, with lines \"time,gait,speed,turn\"",
							"locomotion play needs --script FILE or --path FILE");
	if (!cliReadGaitScript(run, path, &play->script))
		return false;
	if (play->seconds == 0.0)
		play->seconds = play->script.items[play->script.count - 1].time + 5.0;
	return true;
}

static bool open(cliRun* run, Play* play)
{
	rpError error = {0};
	size_t size;
	rpLocomotion* model = cliLoadLocomotion(run);
	if (model == NULL)
		return false;
	play->bytes = rpWriteLocomotionBundle(model, &size, &error);
	rpDestroyLocomotion(model);
	play->bundle = play->bytes != NULL ? rpCreateBundle(play->bytes, size, &error) : NULL;
	play->player = play->bundle != NULL ? rpCreatePlayer(play->bundle, &play->def, &error) : NULL;
	return play->player != NULL || cliFailWork(run, &error);
}

// What arrived before its time is over.
static bool cutMotion(cliRun* run, Play* play, int frameCount)
{
	rpError error = {0};
	rpMotion* whole = play->motion;
	play->motion = rpCropFrames(whole, 0, frameCount, &error);
	rpDestroyMotion(whole);
	play->seconds = (frameCount - 1) / play->fps;
	return play->motion != NULL || cliFailWork(run, &error);
}

static bool perform(cliRun* run, Play* play)
{
	rpError error = {0};
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(play->player);
	int frameCount = (int)(play->seconds * play->fps + 1e-6) + 1;
	play->motion = rpCreateMotion(skeleton, "played", play->fps, frameCount, &error);
	if (play->motion == NULL)
		return cliFailWork(run, &error);
	play->reports = cliReallocate(NULL, (size_t)frameCount * sizeof(rpPlayerReport));
	int made = 0;
	double start = getSeconds();
	rpGaitGuide guide = {0};
	for (int i = 0; i < frameCount && !guide.hasArrived; ++i)
	{
		rpPose pose = {.rotations = play->motion->rotations + (size_t)i * (size_t)skeleton->jointCount};
		rpPlayerInput input = play->follows ? rpGaitGuide_Step(&guide, &play->route.path, play->player)
											: cliScript_Get(&play->script, i / play->fps);
		made = i + 1;
		rpPlayer_Step(play->player, i > 0 ? 1.0 / play->fps : 0.0, &input, &pose, &play->reports[i]);
		play->motion->rootPositions[i] = pose.rootPosition;
	}
	play->worked = getSeconds() - start;
	play->hasArrived = guide.hasArrived;
	rpMotion_FixHemispheres(play->motion);
	return made == frameCount || cutMotion(run, play, made);
}

// ---- the report

/// What became of one line of the script.
typedef struct Stretch
{
	double start, end;

	/// Of half cycles and stands in the gait wanted: their seconds, and means over them.
	double seconds, speed, turn;
	double plainSpeed, plainTurn;

	/// Seconds from the line to the first movement that answers it; below 0 where there was none.
	double response;
} Stretch;

/// All of them.
typedef struct Summary
{
	double speedError, turnError, plainSpeedError, plainTurnError;
	double responseSum, responseMax;
	int stretchCount, responseCount, transitionCount;
} Summary;

static bool isNew(const Play* play, int frame)
{
	return frame == 0 || play->reports[frame].movement.number != play->reports[frame - 1].movement.number;
}

// What was planned when the line held: knots come later than that.
static bool belongsTo(const rpMovementReport* movement, const rpPlayerInput* input)
{
	bool isSteered = hypot((double)input->direction.x, (double)input->direction.y) >= 0.1;
	rpGait gait = isSteered && input->gait == rp_gaitStand ? rp_gaitWalk : input->gait;
	return movement->wantedGait == gait && rpMovementKind_GetBefore(movement->kind) == gait &&
		   rpMovementKind_GetAfter(movement->kind) == gait;
}

static Stretch measureStretch(const Play* play, int line)
{
	const cliSteer* steer = &play->script.items[line];
	Stretch stretch = {.start = steer->time,
					   .end = line + 1 < play->script.count ? fmin(steer[1].time, play->seconds) : play->seconds,
					   .response = -1.0};
	int last = rpMotion_GetFrame(play->motion, stretch.end);
	for (int i = rpMotion_GetFrame(play->motion, stretch.start); i < last; ++i)
	{
		const rpMovementReport* movement = &play->reports[i].movement;
		bool isAnswer = isNew(play, i) && movement->isAnswer;
		if (isAnswer && stretch.response < 0.0)
			stretch.response = (double)movement->response;
		if (stretch.response >= 0.0 && belongsTo(movement, &steer->input))
		{
			stretch.seconds += 1.0 / play->fps;
			stretch.speed += (double)movement->speed / play->fps;
			stretch.turn += (double)movement->turn / play->fps;
			stretch.plainSpeed += (double)movement->plainSpeed / play->fps;
			stretch.plainTurn += (double)movement->plainTurn / play->fps;
		}
	}
	double scale = stretch.seconds > 0.0 ? 1.0 / stretch.seconds : NAN;
	stretch.speed *= scale;
	stretch.turn *= scale;
	stretch.plainSpeed *= scale;
	stretch.plainTurn *= scale;
	return stretch;
}

// Lines without a speed of their own are not judged by it, nor those with a direction by a turn.
static void addStretch(Summary* summary, const Stretch* stretch, const rpPlayerInput* input)
{
	bool isSteered = hypot((double)input->direction.x, (double)input->direction.y) >= 0.1;
	if (stretch->response >= 0.0)
	{
		summary->responseSum += stretch->response;
		summary->responseMax = fmax(summary->responseMax, stretch->response);
		++summary->responseCount;
	}
	if (stretch->seconds > 0.0 && input->gait != rp_gaitStand && input->speed > 0.0f && !isSteered)
	{
		summary->speedError += fabs(stretch->speed / (double)input->speed - 1.0);
		summary->plainSpeedError += fabs(stretch->plainSpeed / (double)input->speed - 1.0);
		summary->turnError += fabs(stretch->turn - (double)input->turn) / RP_DEGREE;
		summary->plainTurnError += fabs(stretch->plainTurn - (double)input->turn) / RP_DEGREE;
		++summary->stretchCount;
	}
}

static json_t* makeStretch(const Stretch* stretch, const rpPlayerInput* input)
{
	return json_pack("{s:o,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "start_s", cliMakeReal(stretch->start), "end_s",
					 cliMakeReal(stretch->end), "gait", rpGait_GetName(input->gait), "asked_speed_m_per_s",
					 cliMakeReal(input->speed > 0.0f ? (double)input->speed : NAN), "asked_turn_deg_per_s",
					 cliMakeReal((double)input->turn / RP_DEGREE), "steady_s", cliMakeReal(stretch->seconds),
					 "speed_m_per_s", cliMakeReal(stretch->speed), "turn_deg_per_s",
					 cliMakeReal(stretch->turn / RP_DEGREE), "uncorrected_speed_m_per_s",
					 cliMakeReal(stretch->plainSpeed), "uncorrected_turn_deg_per_s",
					 cliMakeReal(stretch->plainTurn / RP_DEGREE), "response_ms",
					 cliMakeReal(stretch->response >= 0.0 ? 1e3 * stretch->response : NAN));
}

static json_t* makeTransitions(const Play* play, Summary* summary)
{
	json_t* list = json_array();
	for (int i = 0; i < play->motion->frameCount; ++i)
	{
		rpMovementKind kind = play->reports[i].movement.kind;
		if (isNew(play, i) && rpMovementKind_GetBefore(kind) != rpMovementKind_GetAfter(kind))
		{
			json_array_append_new(list, json_pack("{s:s,s:o}", "string", rpMovementKind_GetString(kind), "start_s",
												  cliMakeReal(i / play->fps)));
			++summary->transitionCount;
		}
	}
	return list;
}

static json_t* makeMean(double sum, int count, double unit)
{
	return cliMakeReal(count > 0 ? unit * sum / count : NAN);
}

static void addRoute(const Play* play, json_t* result)
{
	json_object_set_new(result, "path_m", cliMakeReal(rpGaitPath_GetLength(&play->route.path)));
	json_object_set_new(result, "path_error_mean_m", cliMakeReal(play->pathMean));
	json_object_set_new(result, "path_error_max_m", cliMakeReal(play->pathMax));
	json_object_set_new(result, "arrived", json_boolean(play->hasArrived));
}

static bool measureRoute(cliRun* run, Play* play)
{
	return !play->follows || cliMeasureGaitRoute(run, &play->route, play->motion, &play->pathMean, &play->pathMax);
}

static bool tell(cliRun* run, const Play* play, const char* output)
{
	Summary summary = {0};
	json_t* stretches = json_array();
	for (int i = 0; i < play->script.count; ++i)
	{
		Stretch stretch = measureStretch(play, i);
		addStretch(&summary, &stretch, &play->script.items[i].input);
		json_array_append_new(stretches, makeStretch(&stretch, &play->script.items[i].input));
	}
	json_t* transitions = makeTransitions(play, &summary);
	double rate = play->worked > 0.0 ? play->motion->frameCount / play->worked : NAN;
	if (run->json)
	{
		json_t* result =
			json_pack("{s:o,s:o,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:o}", "stretches", stretches, "transitions",
					  transitions, "movements", play->knotCount + 1, "frames_per_s", cliMakeReal(rate), "response_ms",
					  makeMean(summary.responseSum, summary.responseCount, 1e3), "response_ms_max",
					  makeMean(summary.responseMax, summary.responseCount > 0, 1e3), "speed_error",
					  makeMean(summary.speedError, summary.stretchCount, 1.0), "turn_error_deg_per_s",
					  makeMean(summary.turnError, summary.stretchCount, 1.0), "uncorrected_speed_error",
					  makeMean(summary.plainSpeedError, summary.stretchCount, 1.0), "uncorrected_turn_error_deg_per_s",
					  makeMean(summary.plainTurnError, summary.stretchCount, 1.0), "locked", play->def.lockFeet,
					  "output", cliMakeOutput(output, play->motion));
		if (play->follows)
			addRoute(play, result);
		return cliReport(run, result);
	}
	json_decref(stretches);
	json_decref(transitions);
	cliTellOutput(run, output, play->motion);
	cliTell(run, "%d movements, %d transitions, %.0f frames per second", play->knotCount + 1, summary.transitionCount,
			rate);
	if (play->follows)
		cliTell(run, "%s a path of %.1f m, %.2f m from it on the average, %.2f at most",
				play->hasArrived ? "went to the end of" : "did not get to the end of",
				rpGaitPath_GetLength(&play->route.path), play->pathMean, play->pathMax);
	if (summary.responseCount > 0)
		cliTell(run, "answered after %.0f ms on the average, %.0f at most",
				1e3 * summary.responseSum / summary.responseCount, 1e3 * summary.responseMax);
	if (summary.stretchCount > 0)
		cliTell(run, "speed %.1f %% off, turn %.1f degrees per second",
				100.0 * summary.speedError / summary.stretchCount, summary.turnError / summary.stretchCount);
	return true;
}

static bool runLocomotionPlay(cliRun* run)
{
	Play play = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getDef(run, &play) && readScript(run, &play) &&
				open(run, &play) && cliCheckOutput(run, output) && perform(run, &play) &&
				cliAnnotatePlay(run, play.player, play.motion, play.reports, &play.knotCount);
	const rpMotion* motion = play.motion;
	done = done && measureRoute(run, &play) && cliSave(run, &motion, 1, output, &saving) && tell(run, &play, output);
	rpDestroyMotion(play.motion);
	free(play.reports);
	rpDestroyPlayer(play.player);
	rpDestroyBundle(play.bundle);
	rpFreeBytes(play.bytes);
	cliFreeScript(&play.script);
	cliFreeGaitRoute(&play.route);
	return done;
}

static const cliOption locomotionPlayOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What the character is told: a CSV file with lines \"time,gait,speed,turn\" (seconds; stand, walk or run; m/s; "
	 "degrees per second to the left), or with a first line that names the columns: direction (degrees) and magnitude "
	 "(0 to 1) can stand for turn and speed."},
	{"path", 0, "FILE",
	 "Instead of a script, a path to follow: the first curve of an SVG file, or a CSV file of points \"x,z\" in "
	 "metres."},
	{"scale", 0, "M", "Metres in one unit of the SVG file; 0.01 if not given."},
	{"gaits", 0, "GAITS",
	 "What to do along the path, from which metre on: \"walk:0,run:6@3,stand:14@2,walk:14\"; behind @ a speed in m/s, "
	 "or "
	 "how many seconds to stand. Walking all the way if not given."},
	{"name", 0, "NAME", "Name of the model in the library; \"locomotion\" if not given."},
	{"seconds", 0, "S", "How long; five seconds behind the script's last line if not given."},
	{"fps", 0, "F", "Ticks per second, 60 if not given."},
	{"seed", 0, "N", "Where there is chance (the first foot), this decides; 0 if not given."},
	{"neighbours", 0, "N", "How many movements are blended at most, 30 if not given."},
	{"look-ahead", 0, "S",
	 "How much later than it is made a frame is shown, so that feet are led to where they will rest; 0 if not given: "
	 "they are locked as they come down."},
	{"no-lock", 0, NULL, "Leave the feet as the blends have them."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	CLI_FORCE,
	{0},
};

const cliCommand cliLocomotionPlayCommand = {
	.name = "locomotion play",
	.summary = "Have a model of locomotion stand, walk and run",
	.usage = "LIB.reprise --script FILE|--path FILE -o FILE [OPTIONS]",
	.about =
		"Stands, walks and runs as the script says and writes what becomes of it, with contacts, labels, knots and "
		"the strings of its movements. What the takes do not cover is done as nearly as can be, and the "
		"difference told.\n\n"
		"With --path it follows a path to its end and stops there, with the gaits that --gaits tells; reported is how "
		"far "
		"it was from the path.",
	.options = {locomotionPlayOptions},
	.examples = {{"reprise locomotion play moves.reprise --script steer.csv -o out.bvh", "As a game would show it."},
				 {"reprise locomotion play moves.reprise --path round.svg --gaits walk:0,run:8 -o out.bvh",
				  "Along a path: eight metres walking, then running."},
				 {"reprise locomotion play moves.reprise --script steer.csv -o out.bvh --json",
				  "How well was it done?"}},
	.minimum = 1,
	.maximum = 1,
	.run = runLocomotionPlay,
};
