/// graph go: to a place and heading.
#include "command_options.h"
#include "graph_model.h"
#include "graph_names.h"
#include "progress_bar.h"
#include "walk_output.h"

#include <math.h>

#define DEGREE (M_PI / 180.0)

// A walk that ends farther from its goal than this, metres and degrees, has not got there. Of 100 walks on ten graphs
// to ten goals 80 end within 0.37 m and 30 degrees, the others 1.5 m away or more.
#define FAR_MISS 0.5
#define FAR_TURN 45.0

// Farther than any path goes, metres.
#define FARTHEST 1e5

static bool checkGoal(cliRun* run, const rpWalkToPlaceDef* def)
{
	double x = (double)def->goal.shift.x - def->start.shift.x, z = (double)def->goal.shift.z - def->start.shift.z;
	bool isHere = x == 0.0 && z == 0.0 && rpWrapAngle(def->goal.turn - def->start.turn) == 0.0f;
	if (isHere)
		return cliFailUsage(run, "for example --goal 3,4,90", "the goal is where the walk starts");
	return hypot(x, z) < FARTHEST ||
		   cliFailUsage(run, NULL, "the goal is %g m away; less than 100 km are possible", hypot(x, z));
}

static bool getGo(cliRun* run, const rpGraph* graph, rpWalkToPlaceDef* def)
{
	const char *from = cliGet(run, "from"), *to = cliGet(run, "to");
	*def = rpDefaultWalkToPlaceDef();
	return cliGetPlace(run, "start", false, &def->start) && cliGetPlace(run, "goal", true, &def->goal) &&
		   checkGoal(run, def) &&
		   (from == NULL || cliFindGraphName(run, graph, from, &def->startLabels, &def->startClip)) &&
		   (to == NULL || cliFindGraphName(run, graph, to, &def->goalLabels, &def->goalClip)) &&
		   cliGetSearch(run, &def->search);
}

// What the clips offer, whatever is asked for: as a straight path has it.
static void explainTurns(const rpGraph* graph, char* out, size_t size)
{
	const rpVec2 ahead[2] = {{0.0f, 0.0f}, {0.0f, 1.0f}};
	rpPathDef def = rpDefaultPathDef();
	rpPathNeed need;
	def.points = ahead;
	def.pointCount = 2;
	if (rpGraph_FindPathNeed(graph, &def, &need, NULL) && isfinite(need.left))
		snprintf(out, size, ": the clips turn left by at most %.0f degrees a metre and right by %.0f",
				 fmax(need.left, 0.0) / RP_DEGREE, fmax(-need.right, 0.0) / RP_DEGREE);
}

// Exit 4, or a warning with --best-effort.
static bool reportMiss(cliRun* run, const rpGraph* graph, double distance, double turn, double max)
{
	rpError error = {.code = rp_errorNoSolution,
					 .hint =
						 "add clips that turn more sharply, or give it another goal; --best-effort writes this walk"};
	char why[160] = "", limit[60];
	explainTurns(graph, why, sizeof why);
	if (max > 0.0)
		snprintf(limit, sizeof limit, "%g m", max);
	else
		snprintf(limit, sizeof limit, "%g m or %g degrees", FAR_MISS, FAR_TURN);
	snprintf(error.message, sizeof error.message,
			 "the best walk ends %.2f m and %.0f degrees from the goal, more than %s%s", distance, turn, limit, why);
	if (!cliHas(run, "best-effort"))
		return cliFailWork(run, &error);
	cliWarn(run, "%s", error.message);
	return true;
}

static bool go(cliRun* run, cliWalkOutput* work, const rpWalkToPlaceDef* def)
{
	rpError error = {0};
	rpGroundTransform reached;
	double max = 0.0;
	if (!cliGetNumber(run, "max-error", 1e-6, 1e6, &max))
		return false;
	work->title = cliFormat("to %.60s", cliGet(run, "goal"));
	work->asked.map.goal = &def->goal;
	cliStartBar(run->quiet || run->json);
	work->walk = rpGraph_WalkToPlace(work->graph, def, &reached, &error);
	cliEndBar();
	if (work->walk == NULL)
		return cliFailWork(run, &error);
	double distance = hypot((double)reached.shift.x - def->goal.shift.x, (double)reached.shift.z - def->goal.shift.z);
	double turn = (double)rpWrapAngle(reached.turn - def->goal.turn) / DEGREE;
	// A user who gave a limit has said what is good enough.
	bool isThere = max > 0.0 ? distance <= max : distance <= FAR_MISS && fabs(turn) <= FAR_TURN;
	json_object_update_new(work->facts,
						   json_pack("{s:o,s:o,s:o,s:o,s:o,s:b}", "x_m", cliMakeReal(reached.shift.x), "z_m",
									 cliMakeReal(reached.shift.z), "turn_deg",
									 cliMakeReal((double)reached.turn / DEGREE), "goal_error_m", cliMakeReal(distance),
									 "goal_error_deg", cliMakeReal(turn), "reached", isThere));
	if (!isThere && !reportMiss(run, work->graph, distance, fabs(turn), max))
		return false;
	cliPrint(run, "%.2f m and %.0f degrees from the goal", distance, fabs(turn));
	return true;
}

static bool runGraphGo(cliRun* run)
{
	cliWalkOutput work;
	rpWalkToPlaceDef def;
	bool done =
		cliBeginWalk(run, &work) && getGo(run, work.graph, &def) && go(run, &work, &def) && cliFinishWalk(run, &work);
	cliEndWalk(&work);
	return done;
}

static const cliOption graphGoOptions[] = {
	CLI_GRAPH_NAME,
	{"start", 0, "X,Z,DEG", "Where the walk starts and where it looks; 0,0,0 if not given."},
	{"goal", 0, "X,Z,DEG", "Where it shall end, and where it shall look."},
	{"max-error", 0, "METRES",
	 "Fail with exit code 4 if it ends farther from the goal. If not given: farther than 0.5 m or 45 degrees."},
	{"best-effort", 0, NULL, "Write the best walk there is even if it ends elsewhere, with a warning."},
	{"from", 0, "CLIP|LABEL", "What it starts with."},
	{"to", 0, "CLIP|LABEL", "What it ends with."},
	{"effort", 0, "N", "Edges that branch and bound looks at for each second of motion, 20000 if not given."},
	CLI_WALK_PICTURE,
	CLI_GRAPH_RESULT,
	{0},
};

const cliCommand cliGraphGoCommand = {
	.name = "graph go",
	.summary = "Go to a place and heading with motion from a graph",
	.usage = "LIB.reprise --goal X,Z,DEG -o FILE [OPTIONS]",
	.about = "Finds a walk from one place and heading to another, and so connects two clips that lie on the floor: "
			 "--from and --to say with what it starts and ends.",
	.options = {graphGoOptions},
	.examples = {{"reprise graph go moves.reprise --goal 3,4,90 -o out.bvh", "To 3 m left, 4 m ahead, facing left."},
				 {"reprise graph go moves.reprise --goal 0,5,0 --from walk --to kick -o out.bvh", "Walk up to a kick."},
				 {"reprise graph go moves.reprise --goal -2,0,180 -o out.bvh --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphGo,
};
