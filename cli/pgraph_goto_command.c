/// pgraph goto: to a place, and with a heading.
#include "clip.h"
#include "command_options.h"
#include "pgraph_model.h"
#include "play_run.h"
#include "space_model.h"
#include "walk_output.h"

#include <math.h>
#include <stdlib.h>

#define DEGREE (M_PI / 180.0)

/// A way to a place, and the motion that it becomes.
typedef struct Trip
{
	cliPlay play;
	rpParametricPlanner* planner;
	rpParametricGoDef go;
	rpGroundTransform goal;
	rpParametricRoute* route;
	const char* output;
	rpSaveDef saving;
	cliAsked asked;
} Trip;

// ---- what is asked for

// X,Z or X,Z,DEGREES.
static bool getGoal(cliRun* run, rpParametricGoDef* go)
{
	const char *text = cliGet(run, "to"), *hint = "for example --to 3,4 or --to 3,4,90";
	double numbers[3] = {0};
	if (text == NULL)
		return cliFailUsage(run, hint, "pgraph goto needs --to X,Z or --to X,Z,DEGREES");
	char* full = cliFormat("%s,0", text);
	go->hasHeading = cliParseTriple(text, numbers);
	bool done = go->hasHeading || cliParseTriple(full, numbers);
	free(full);
	if (!done)
		return cliFailUsage(run, hint, "--to needs X,Z or X,Z,DEGREES, not \"%.40s\"", text);
	go->goal = (rpGroundTransform){(float)(numbers[2] * DEGREE), {(float)numbers[0], 0.0f, (float)numbers[1]}};
	return cliCheckPlace(run, "to", numbers, 3);
}

static bool findNode(cliRun* run, const rpParametricGraph* graph, const char* option, int* out)
{
	const char* name = cliGet(run, option);
	if (name == NULL)
		return true;
	cliNodeNames names = cliGetNodeNames(graph);
	*out = rpParametricGraph_FindNode(graph, name);
	if (*out >= 0)
		return true;
	char* list = cliNodeNames_List(&names);
	cliFailUsage(run, list, "--%s: the graph has no node \"%.60s\"", option, name);
	free(list);
	return false;
}

static bool getNumbers(cliRun* run, rpParametricGoDef* go)
{
	double radius = (double)go->radius, tolerance = (double)go->tolerance / DEGREE;
	bool done = cliGetNumber(run, "radius", 0.01, 100.0, &radius) &&
				cliGetNumber(run, "tolerance", 0.5, 180.0, &tolerance) &&
				cliGetNumber(run, "max-seconds", 0.1, 600.0, &go->maxSeconds);
	go->radius = (float)radius;
	go->tolerance = (float)(tolerance * DEGREE);
	// As many as there can be in that time: hardly any motion takes less than a third of a second.
	go->maxMotions = (int)fmin(fmax(3.0 * go->maxSeconds, 64.0), RP_MAX_ROUTE_MOTIONS);
	go->isGreedy = cliHas(run, "greedy");
	return done;
}

static bool getPlay(cliRun* run, cliPlay* play)
{
	*play = (cliPlay){.def = rpDefaultPlayerDef(), .fps = 60.0};
	play->def.lockFeet = !cliHas(run, "no-lock");
	return cliGetRate(run, &play->fps) && cliGetPlace(run, "start", false, &play->def.start);
}

static bool openTrip(cliRun* run, Trip* trip)
{
	cliPlay* play = &trip->play;
	rpError error = {0};
	size_t size;
	*trip = (Trip){.go = rpDefaultParametricGoDef(), .asked = cliNothingAsked()};
	trip->output = cliGetOutput(run, ".bvh .glb .csv");
	if (trip->output == NULL || !cliCheckWalkPicture(run) || !cliGetSaving(run, trip->output, &trip->saving) ||
		!getPlay(run, play) || !getGoal(run, &trip->go) || !getNumbers(run, &trip->go))
		return false;
	trip->go.start = play->def.start;
	rpParametricGraph* graph = cliLoadPgraph(run);
	if (graph == NULL)
		return false;
	bool done = findNode(run, graph, "from", &trip->go.startNode) && findNode(run, graph, "node", &trip->go.goalNode);
	play->bytes = done ? rpWriteParametricBundle(graph, &size, &error) : NULL;
	rpDestroyParametricGraph(graph);
	if (!done)
		return false;
	play->bundle = play->bytes != NULL ? rpCreateBundle(play->bytes, size, &error) : NULL;
	trip->planner = play->bundle != NULL ? rpCreateParametricPlanner(play->bundle, &error) : NULL;
	return trip->planner != NULL || cliFailWork(run, &error);
}

static void freeTrip(Trip* trip)
{
	rpDestroyParametricRoute(trip->route);
	rpDestroyParametricPlanner(trip->planner);
	cliFreePlay(&trip->play);
	cliFreeAsked(&trip->asked);
}

// ---- what cannot be met

static void explainCircles(const Trip* trip, char* out, size_t size)
{
	double left, right;
	rpParametricPlanner_GetCircles(trip->planner, &left, &right);
	if (isfinite(left) && isfinite(right))
		snprintf(out, size,
				 "; the smallest circles that it walks have a radius of %.2f m to the left and %.2f m to the right",
				 left, right);
	else if (isfinite(left) || isfinite(right))
		snprintf(out, size, "; it turns to the %s alone, in circles of %.2f m radius at least",
				 isfinite(left) ? "left" : "right", fmin(left, right));
	else
		snprintf(out, size, "; it does not turn");
}

// Exit 4, or a warning with --best-effort.
static bool reportMiss(cliRun* run, const Trip* trip)
{
	const rpParametricRoute* route = trip->route;
	rpError error = {.code = rp_errorNoSolution};
	char circles[160], heading[2][40] = {"", ""};
	explainCircles(trip, circles, sizeof circles);
	if (trip->go.hasHeading)
	{
		snprintf(heading[0], sizeof heading[0], " and %.0f degrees", (double)trip->go.tolerance / DEGREE);
		snprintf(heading[1], sizeof heading[1], ", facing %.0f degrees", (double)route->end.turn / DEGREE);
	}
	snprintf(
		error.message, sizeof error.message,
		"no way %sleads within %g m%s of %.40s in %g s: the nearest that can be reached is %.2f,%.2f%s, %.2f m off%s",
		trip->go.isGreedy ? "that is chosen greedily " : "", (double)trip->go.radius, heading[0], cliGet(run, "to"),
		trip->go.maxSeconds, (double)route->end.shift.x, (double)route->end.shift.z, heading[1],
		(double)route->distance, circles);
	snprintf(error.hint, sizeof error.hint, "%s--best-effort writes the way to there",
			 trip->go.isGreedy ? "without --greedy it is planned; " : "");
	if (!cliHas(run, "best-effort"))
		return cliFailWork(run, &error);
	cliWarn(run, "%s", error.message);
	return true;
}

// ---- the motion

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	return rpParametricRoute_Steer(((Trip*)context)->route, player, time, out);
}

static void see(void* context, const rpMotion* motion, int frame, const rpPose* pose)
{
	(void)motion, (void)frame;
	cliKeepTrail(&((Trip*)context)->asked, pose);
}

static bool note(cliRun* run, void* context, rpMotion* motion)
{
	(void)context;
	rpError error = {0};
	char* title = cliFormat("to %.60s", cliGet(run, "to"));
	bool done = rpMotion_SetName(motion, title, &error) || cliFailWork(run, &error);
	free(title);
	return done;
}

// Whether all motions that were played are those that were planned.
static bool isAsPlanned(const Trip* trip)
{
	const rpRecording* recording = &trip->play.recording;
	bool is = true;
	for (int i = 0; i < recording->runCount && is; ++i)
	{
		const rpParametricReport* played = &recording->runs[i].parametric;
		const rpRouteMotion* planned =
			played->number < trip->route->motionCount ? &trip->route->motions[played->number] : NULL;
		is = planned == NULL || planned->node == played->node;
		int count = is && planned != NULL
						? rpParametricPlanner_GetGraph(trip->planner)->nodes[played->node].space->parameterCount
						: 0;
		for (int k = 0; k < count && is; ++k)
			is = planned->granted[k] == played->achieved[k];
	}
	return is;
}

static bool makeMotion(cliRun* run, Trip* trip)
{
	cliPlay* play = &trip->play;
	cliPlayHooks hooks = {.steer = steer, .see = see, .note = note, .context = trip};
	rpError error = {0};
	trip->asked.keepsTrail = true;
	// Without a heading that was asked for the picture has the one that it has there.
	trip->goal = trip->go.goal;
	trip->goal.turn = trip->go.hasHeading ? trip->goal.turn : trip->route->end.turn;
	trip->asked.map.goal = &trip->goal;
	// A frame at least.
	play->seconds = fmax(trip->route->seconds, 1.0 / play->fps);
	play->player = rpCreatePlayer(play->bundle, &play->def, &error);
	if (play->player == NULL)
		return cliFailWork(run, &error);
	if (!cliPlay_Perform(run, play, trip->output, &trip->saving, &hooks))
		return false;
	if (!isAsPlanned(trip))
		cliWarn(run, "what is played is not what was planned");
	return true;
}

// ---- the report

static json_t* makeMotions(const Trip* trip)
{
	const rpParametricGraph* graph = rpParametricPlanner_GetGraph(trip->planner);
	json_t* list = json_array();
	for (int i = 0; i < trip->route->motionCount; ++i)
	{
		const rpRouteMotion* motion = &trip->route->motions[i];
		const rpParametricNode* node = &graph->nodes[motion->node];
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o,s:o,s:b}", "node", cliMakeText(node->name), "requested",
											  cliMakeValues(node->space, motion->requested), "granted",
											  cliMakeValues(node->space, motion->granted), "core_s",
											  cliMakeReal(motion->start), "distance_m",
											  i > 0 ? cliMakeReal((double)motion->distance) : json_null(), "forced",
											  motion->isForced));
	}
	return list;
}

static json_t* makePlace(rpGroundTransform place)
{
	return json_pack("{s:o,s:o,s:o}", "x_m", cliMakeReal((double)place.shift.x), "z_m",
					 cliMakeReal((double)place.shift.z), "heading_deg", cliMakeReal((double)place.turn / DEGREE));
}

static json_t* makeRadius(double radius)
{
	return isfinite(radius) ? cliMakeReal(radius) : json_null();
}

static json_t* makeResult(const Trip* trip)
{
	const rpParametricRoute* route = trip->route;
	double left, right;
	rpParametricPlanner_GetCircles(trip->planner, &left, &right);
	json_t* planned = makePlace(route->end);
	json_object_update_new(planned,
						   json_pack("{s:o,s:o,s:o}", "seconds", cliMakeReal(route->seconds), "goal_error_m",
									 cliMakeReal((double)route->distance), "goal_error_deg",
									 trip->go.hasHeading ? cliMakeReal((double)route->turn / DEGREE) : json_null()));
	json_t* result = makePlace(trip->asked.trail[trip->asked.trailCount - 1]);
	json_object_update_new(result,
						   json_pack("{s:b,s:b,s:o,s:o,s:o,s:[o,o],s:o,s:b,s:i,s:b,s:o}", "reached", route->isReached,
									 "greedy", trip->go.isGreedy, "seconds", cliMakeReal(trip->play.seconds), "cost",
									 cliMakeReal(route->cost), "planned", planned, "circles_m", makeRadius(left),
									 makeRadius(right), "motions", makeMotions(trip), "as_planned", isAsPlanned(trip),
									 "transitions", trip->play.recording.seamCount, "locked", trip->play.def.lockFeet,
									 "output", cliMakeOutput(trip->output, trip->play.recording.motion)));
	return result;
}

static bool reportTrip(cliRun* run, Trip* trip)
{
	const rpParametricRoute* route = trip->route;
	json_t* result = makeResult(trip);
	if (!cliDrawWalk(run, &trip->asked, trip->play.recording.motion, result))
	{
		json_decref(result);
		return false;
	}
	if (run->json)
		return cliReport(run, result);
	json_decref(result);
	cliPrintOutput(run, trip->output, trip->play.recording.motion);
	if (trip->go.hasHeading)
		cliPrint(run, "%.2f m and %.0f degrees from the goal after %.2f s: %d motion%s", (double)route->distance,
				 (double)route->turn / DEGREE, route->seconds, route->motionCount, cliPlural(route->motionCount));
	else
		cliPrint(run, "%.2f m from the goal after %.2f s: %d motion%s", (double)route->distance, route->seconds,
				 route->motionCount, cliPlural(route->motionCount));
	return true;
}

static bool go(cliRun* run, Trip* trip)
{
	rpError error = {0};
	trip->route = rpParametricPlanner_Go(trip->planner, &trip->go, &error);
	if (trip->route == NULL)
		return cliFailWork(run, &error);
	return (trip->route->isReached || reportMiss(run, trip)) && makeMotion(run, trip) && reportTrip(run, trip);
}

static bool runPgraphGoto(cliRun* run)
{
	Trip trip;
	bool done = openTrip(run, &trip) && go(run, &trip);
	freeTrip(&trip);
	return done;
}

static const cliOption pgraphGotoOptions[] = {
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"to", 0, "X,Z[,DEG]", "Where to go and, if given, which way to face there: degrees to the left of +z."},
	CLI_PGRAPH_NAME,
	{"start", 0, "X,Z,DEG", "Where it begins and which way it faces; 0,0,0 if not given."},
	{"from", 0, "NODE", "The node to begin with; if not given, whichever is best."},
	{"node", 0, "NODE", "The node to be in at the end; any if not given."},
	{"radius", 0, "METRES", "So near is there, 0.3 if not given."},
	{"tolerance", 0, "DEGREES", "So nearly facing is facing, 15 if not given."},
	{"max-seconds", 0, "S", "How long it may take at most, 60 if not given."},
	{"greedy", 0, NULL, "Do not plan: every motion is the one that turns best to the goal, as in the thesis."},
	{"best-effort", 0, NULL,
	 "Write the way to the nearest place that can be reached where the goal cannot, with a warning."},
	CLI_WALK_PICTURE,
	{"fps", 0, "F", "Rate of the result, 60 if not given."},
	{"no-lock", 0, NULL, "Leave the feet as the blends have them."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliPgraphGotoCommand = {
	.name = "pgraph goto",
	.summary = "Go to a place with a parametric graph",
	.usage = "LIB.reprise --to X,Z[,DEG] -o FILE [OPTIONS]",
	.about =
		"Plans several motions ahead, over all that can be asked of each, so that it comes to the place, and faces as "
		"asked there, soonest; the motion ends when it is there. With --greedy each motion is chosen as it comes, "
		"which "
		"goes round in circles where they are too large. Exits with 4 where the goal cannot be reached, and says what "
		"is the nearest that can.",
	.options = {pgraphGotoOptions},
	.examples = {{"reprise pgraph goto moves.reprise --to 3,4 -o out.bvh", "To 3 m left, 4 m ahead."},
				 {"reprise pgraph goto moves.reprise --to 0,-2,180 --picture way.png -o out.bvh",
				  "Behind, facing back, and drawn from above."},
				 {"reprise pgraph goto moves.reprise --to 3,4,90 --greedy -o out.bvh --json", "As in the thesis."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphGoto,
};
