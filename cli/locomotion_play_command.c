#include "clip.h"
#include "command_options.h"
#include "gait_route.h"
#include "locomotion_model.h"
#include "play_run.h"
#include "saving.h"
#include "steering_script.h"
#include "walk_picture.h"

#include <math.h>
#include <stdlib.h>

/// What the player is asked for, and what it made of it.
typedef struct Trip
{
	cliScript script;

	/// Instead of a script: what is followed, and how far off it was.
	bool follows;
	cliGaitRoute route;
	rpGaitGuide guide;
	rpPathMeter meter;
	cliAsked asked;
	bool isFollowed;

	/// Bits (1u << rpGait) of the gaits in which the model can go on.
	unsigned gaits;

	cliPlay play;
} Trip;

static bool isSteered(const rpPlayerInput* input)
{
	return hypot((double)input->stick.x, (double)input->stick.y) >= 0.1;
}

static bool getDef(cliRun* run, Trip* trip)
{
	double seed = 0.0, neighbours = 30.0;
	if (!cliGetPlay(run, &trip->play) || !cliGetNumber(run, "neighbours", 1.0, 32.0, &neighbours) ||
		!cliGetNumber(run, "seed", 0.0, 4e9, &seed))
		return false;
	trip->play.def.locomotion.maxNeighbours = (int)neighbours;
	trip->play.def.locomotion.seed = (uint64_t)seed;
	return true;
}

// The longest that following a path may take: as if it were gone slowly, with its stands.
static bool readRoute(cliRun* run, Trip* trip)
{
	if (!cliGetGaitRoute(run, &trip->route))
		return false;
	rpGaitPath* path = &trip->route.path;
	trip->play.def.start = rpGaitPath_GetStart(path);
	if (trip->play.seconds == 0.0)
	{
		trip->play.seconds = fmin(10.0 + 2.5 * rpGaitPath_GetLength(path), 36000.0);
		for (int i = 0; i < path->stretchCount; ++i)
			trip->play.seconds +=
				path->stretches[i].gait == rp_gaitStand ? fmax((double)path->stretches[i].seconds, 2.0) + 5.0 : 0.0;
	}
	return true;
}

static bool readOrders(cliRun* run, Trip* trip)
{
	const char* path = cliGet(run, "script");
	trip->follows = cliHas(run, "path");
	if (trip->follows && path != NULL)
		return cliFailUsage(run, NULL, "--script and --path exclude each other");
	if (trip->follows)
		return readRoute(run, trip);
	if (cliHas(run, "gaits"))
		return cliFailUsage(run, NULL, "--gaits is for --path; a script has its own");
	if (path == NULL)
		return cliFailUsage(run, "for example --script steer.csv, with lines \"time,gait,speed,turn\"",
							"locomotion play needs --script FILE or --path FILE");
	return true;
}

static bool open(cliRun* run, Trip* trip)
{
	rpLocomotion* model = cliLoadLocomotion(run);
	bool done = model != NULL && cliPlay_OpenLocomotion(run, &trip->play, model);
	for (int i = 0; done && i < rp_gaitCount; ++i)
		trip->gaits |= model->reachable[i] & 1u << i;
	rpDestroyLocomotion(model);
	return done;
}

// What can be asked for depends on the player.
static bool readScript(cliRun* run, Trip* trip)
{
	cliScript* script = &trip->script;
	if (trip->follows)
		return true;
	if (!cliReadScript(run, cliGet(run, "script"), trip->play.player, cli_scriptOfGaits, script))
		return false;
	if (trip->play.seconds == 0.0)
		trip->play.seconds = script->items[script->count - 1].time + 5.0;
	return true;
}

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	Trip* trip = context;
	bool isOver = trip->follows && trip->guide.hasArrived;
	if (!trip->follows)
		cliSteerByScript(&trip->script, player, time, out);
	else
		*out = isOver ? (rpPlayerInput){0} : rpGaitGuide_Step(&trip->guide, &trip->route.path, player);
	return !isOver;
}

static void see(void* context, const rpMotion* motion, int frame, const rpPose* pose)
{
	(void)motion;
	(void)frame;
	Trip* trip = context;
	cliKeepTrail(&trip->asked, pose);
	if (trip->follows)
		rpPathMeter_Add(&trip->meter, trip->route.path.points, trip->route.path.pointCount,
						(rpVec2){pose->rootPosition.x, pose->rootPosition.z});
}

static double getPathMean(const Trip* trip)
{
	return trip->meter.sum / trip->meter.count;
}

// ---- gaits that were asked for in vain

// What the model has needs time to come, seconds: the longest path from one gait to another takes four movements.
#define PATIENCE 4.0

static void warnOfMiss(cliRun* run, const Trip* trip, rpGait gait, const rpGaitMiss* miss)
{
	static const char* const past[rp_gaitCount] = {"stood", "walked", "ran"};
	int other = 0;
	for (int i = 1; i < rp_gaitCount; ++i)
		other = miss->shown[i] > miss->shown[other] ? i : other;
	const char *name = rpGait_GetName(gait), *from = rpGait_GetName((rpGait)other);
	if ((trip->gaits >> gait & 1) == 0)
		cliWarn(run, "%s was asked for over %.1f s; the model has none: it %s instead (add takes that %s)", name,
				miss->seconds, past[other], name);
	else
		cliWarn(run, "%s was asked for over %.1f s and not reached: it %s instead (add takes that go from %s to %s)",
				name, miss->seconds, past[other], from, name);
}

static void warnOfMisses(cliRun* run, const Trip* trip)
{
	rpGaitMiss misses[rp_gaitCount];
	rpRecording_FindMisses(&trip->play.recording, trip->gaits, PATIENCE + rpPlayer_GetLookAhead(trip->play.player),
						   misses);
	for (int gait = 0; gait < rp_gaitCount; ++gait)
		if (misses[gait].seconds > 0.0)
			warnOfMiss(run, trip, (rpGait)gait, &misses[gait]);
}

// ---- the report

// Turns that are missed by more than this are reported, degrees per second: about what steps sway by.
#define TURN_MISSED 10.0

// Turns that no take shows cannot be made: reported once, for the line that is missed by most.
static void warnOfTurns(cliRun* run, const Trip* trip, const rpAnswer* answers)
{
	double max = TURN_MISSED, asked = 0.0, done = 0.0;
	for (int i = 0; i < trip->script.count; ++i)
	{
		const rpPlayerInput* input = &trip->script.items[i].input;
		double turn = answers[i].turn / RP_DEGREE, wanted = (double)input->locomotion.turn / RP_DEGREE;
		if (input->request != rp_gaitStand && !isSteered(input) && fabs(wanted) - fabs(turn) > max)
		{
			max = fabs(wanted) - fabs(turn);
			asked = wanted;
			done = turn;
		}
	}
	if (max > TURN_MISSED)
		cliWarn(run,
				"a turn of %.0f degrees per second was asked for, and %.0f done: the takes turn no faster (add "
				"some that do)",
				asked, done);
}

static json_t* makeStretch(const rpAnswer* stretch, const rpPlayerInput* input)
{
	return json_pack("{s:o,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "start_s", cliMakeReal(stretch->start), "end_s",
					 cliMakeReal(stretch->end), "gait", rpGait_GetName((rpGait)input->request), "asked_speed_m_per_s",
					 cliMakeReal(input->locomotion.speed > 0.0f ? (double)input->locomotion.speed : NAN),
					 "asked_turn_deg_per_s", cliMakeReal((double)input->locomotion.turn / RP_DEGREE), "steady_s",
					 cliMakeReal(stretch->seconds), "speed_m_per_s", cliMakeReal(stretch->speed), "turn_deg_per_s",
					 cliMakeReal(stretch->turn / RP_DEGREE), "uncorrected_speed_m_per_s",
					 cliMakeReal(stretch->plainSpeed), "uncorrected_turn_deg_per_s",
					 cliMakeReal(stretch->plainTurn / RP_DEGREE), "response_ms",
					 cliMakeReal(stretch->response >= 0.0 ? 1e3 * stretch->response : NAN));
}

static json_t* makeTransitions(const rpRecording* recording)
{
	json_t* list = json_array();
	for (int i = 0; i < recording->runCount; ++i)
	{
		const rpMovementRun* run = &recording->runs[i];
		const rpMovementReport* movement = &run->movement;
		bool isNew = i == 0 || movement->number != run[-1].movement.number;
		if (isNew && rpMovementKind_GetBefore(movement->kind) != rpMovementKind_GetAfter(movement->kind))
			json_array_append_new(list, json_pack("{s:s,s:o}", "string", rpMovementKind_GetString(movement->kind),
												  "start_s", cliMakeReal(run->first / recording->motion->fps)));
	}
	return list;
}

static json_t* makeMean(double mean, int count, double unit)
{
	return cliMakeReal(count > 0 ? unit * mean : NAN);
}

static void addRoute(const Trip* trip, json_t* result)
{
	cliAddFloorPath(result, &trip->route.floor);
	json_object_set_new(result, "followed", json_boolean(trip->isFollowed));
	json_object_set_new(result, "path_error_mean_m", cliMakeReal(getPathMean(trip)));
	json_object_set_new(result, "path_error_max_m", cliMakeReal(trip->meter.max));
	json_object_set_new(result, "walked_bends_m", cliMakeReal(trip->guide.walkedBends));
	json_object_set_new(result, "arrived", json_boolean(trip->guide.hasArrived));
}

// Exit 4 where the takes cannot follow the path, or a warning with --best-effort. Who gave a time has said when it is
// over.
static bool checkRoute(cliRun* run, Trip* trip)
{
	const rpGaitPath* path = &trip->route.path;
	double limit = trip->follows ? rpGetPathErrorLimit(path->points, path->pointCount) : 0.0;
	if (!cliGetNumber(run, "max-error", 1e-6, 1e6, &limit))
		return false;
	bool isLost = !trip->guide.hasArrived && !cliHas(run, "seconds");
	trip->isFollowed = !isLost && getPathMean(trip) <= limit;
	if (!trip->follows || trip->isFollowed)
		return true;
	rpError error = {.code = rp_errorNoSolution,
					 .hint =
						 "add takes that turn as the path does, draw it larger or its corners rounder; --best-effort "
						 "writes this motion"};
	snprintf(error.message, sizeof error.message,
			 "the motion does not follow the path: %.2f m from the path on average, at most %.2g m wanted%s: the takes "
			 "do not "
			 "turn so sharply at that speed",
			 getPathMean(trip), limit, isLost ? ", and it does not come to its end" : "");
	if (!cliHas(run, "best-effort"))
		return cliFailWork(run, &error);
	cliWarn(run, "%s", error.message);
	return true;
}

// A path that was followed is noted for pictures as well.
static bool noteRoute(cliRun* run, void* context, rpMotion* motion)
{
	Trip* trip = context;
	if (!checkRoute(run, trip))
		return false;
	if (trip->follows)
	{
		trip->asked.points = trip->route.path.points;
		trip->asked.count = trip->route.path.pointCount;
		trip->asked.map.errorMean = getPathMean(trip);
		trip->asked.map.errorMax = trip->meter.max;
	}
	return cliNoteAsked(run, &trip->asked, motion);
}

static bool reportJson(cliRun* run, const Trip* trip, const char* output, const rpAnswer* answers,
					   const rpAnswerSummary* summary, json_t* transitions, double rate)
{
	const cliPlay* play = &trip->play;
	json_t* stretches = json_array();
	for (int i = 0; i < trip->script.count; ++i)
		json_array_append_new(stretches, makeStretch(&answers[i], &trip->script.items[i].input));
	int judged = summary->judgedCount;
	json_t* result =
		json_pack("{s:o,s:o,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:o}", "stretches", stretches, "transitions",
				  transitions, "movements", play->recording.seamCount + 1, "frames_per_s", cliMakeReal(rate),
				  "response_ms", makeMean(summary->responseMean, summary->responseCount, 1e3), "response_ms_max",
				  makeMean(summary->responseMax, summary->responseCount, 1e3), "speed_error",
				  makeMean(summary->speedError, judged, 1.0), "turn_error_deg_per_s",
				  makeMean(summary->turnError, judged, 1.0 / RP_DEGREE), "uncorrected_speed_error",
				  makeMean(summary->plainSpeedError, judged, 1.0), "uncorrected_turn_error_deg_per_s",
				  makeMean(summary->plainTurnError, judged, 1.0 / RP_DEGREE), "locked", play->def.lockFeet, "output",
				  cliMakeOutput(output, play->recording.motion));
	if (trip->follows)
		addRoute(trip, result);
	if (cliHas(run, "picture"))
		json_object_set_new(result, "picture", cliMakeText(cliGet(run, "picture")));
	return cliReport(run, result);
}

static void reportText(cliRun* run, const Trip* trip, const char* output, const rpAnswerSummary* summary,
					   int transitionCount, double rate)
{
	cliPrintOutput(run, output, trip->play.recording.motion);
	int movements = trip->play.recording.seamCount + 1;
	cliPrint(run, "%d movement%s, %d transition%s, %.0f frames per second", movements, cliPlural(movements),
			 transitionCount, cliPlural(transitionCount), rate);
	const cliFloorPath* floor = &trip->route.floor;
	if (trip->follows)
		cliPrint(run, "%s a path of %.1f m, %.1f x %.1f m in size, %.2f m from it on the average, %.2f at most",
				 trip->guide.hasArrived ? "went to the end of" : "did not get to the end of", floor->length,
				 floor->width, floor->depth, getPathMean(trip), trip->meter.max);
	if (trip->guide.walkedBends > 0.0)
		cliPrint(run, "walked %.1f m of it that bend more than these takes can run", trip->guide.walkedBends);
	if (summary->responseCount > 0)
		cliPrint(run, "answered after %.0f ms on the average, %.0f at most", 1e3 * summary->responseMean,
				 1e3 * summary->responseMax);
	if (summary->judgedCount > 0)
		cliPrint(run, "speed %.1f %% off, turn %.1f degrees per second", 100.0 * summary->speedError,
				 summary->turnError / RP_DEGREE);
}

static bool reportResult(cliRun* run, const Trip* trip, const char* output)
{
	const cliPlay* play = &trip->play;
	rpAnswerSummary summary;
	rpAnswer* answers = cliAllocate((size_t)(trip->script.count + 1) * sizeof(rpAnswer));
	rpRecording_Judge(&play->recording, trip->script.items, trip->script.count, answers, &summary);
	warnOfMisses(run, trip);
	warnOfTurns(run, trip, answers);
	if (trip->follows && (trip->gaits >> rp_gaitStand & 1) == 0)
		cliWarn(run, "the model cannot stand: it goes on to the end of the path (add takes that stop)");
	json_t* transitions = makeTransitions(&play->recording);
	double rate = play->worked > 0.0 ? play->recording.motion->frameCount / play->worked : NAN;
	bool done = true;
	if (run->json)
		done = reportJson(run, trip, output, answers, &summary, transitions, rate);
	else
	{
		reportText(run, trip, output, &summary, (int)json_array_size(transitions), rate);
		json_decref(transitions);
	}
	free(answers);
	return done;
}

static bool runLocomotionPlay(cliRun* run)
{
	Trip trip = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && cliCheckWalkPicture(run) &&
				getDef(run, &trip) && readOrders(run, &trip) && open(run, &trip) && readScript(run, &trip);
	cliPlayHooks hooks = {.steer = steer, .see = see, .note = noteRoute, .context = &trip, .mayEnd = trip.follows};
	trip.asked = cliNothingAsked();
	trip.asked.keepsTrail = trip.follows || cliHas(run, "picture");
	done = done && cliPlay_Perform(run, &trip.play, output, &saving, &hooks) &&
		   cliDrawWalk(run, &trip.asked, trip.play.recording.motion, NULL) && reportResult(run, &trip, output);
	cliFreeAsked(&trip.asked);
	cliFreePlay(&trip.play);
	cliFreeScript(&trip.script);
	cliFreeGaitRoute(&trip.route);
	return done;
}

static const cliOption locomotionPlayOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What the character is asked for: a CSV file with lines \"time,gait,speed,turn\" (seconds; stand, walk or run; "
	 "m/s; degrees per second to the left), or with a first line that names the columns, as for reprise play: "
	 "direction "
	 "(degrees) and magnitude (0 to 1) can stand for turn and speed."},
	{"path", 0, "FILE",
	 "Instead of a script, a path to follow: the first curve of an SVG file, or a CSV file of points \"x,z\" in "
	 "metres."},
	{"scale", 0, "METRES", CLI_PATH_SCALE},
	{"gaits", 0, "GAITS",
	 "What to do along the path, from which metre on: \"walk:0,run:6@3,stand:14@2,walk:14\"; after @ a speed in m/s, "
	 "or "
	 "how many seconds to stand. Walking all the way if not given."},
	{"max-error", 0, "METRES",
	 "Fail with exit code 4 if the mean distance from the path is greater. If not given: than a tenth of the path's "
	 "size, 0.15 to 0.5 m; or if it does not come to its end."},
	{"best-effort", 0, NULL, "Write the motion even if it does not follow the path, with a warning."},
	{"name", 0, "NAME", "Name of the model in the library; \"locomotion\" if not given."},
	{"seed", 0, "N", "Where there is chance (the first foot), this decides; 0 if not given."},
	{"neighbours", 0, "N", "How many movements are blended at most, 30 if not given."},
	CLI_WALK_PICTURE,
	CLI_PLAY_OPTIONS,
	CLI_SAVING_OPTIONS,
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
		"difference reported.\n\n"
		"With --path it follows a path to its end and stops there, with the gaits of --gaits; reported is how "
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
