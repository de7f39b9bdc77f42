/// graph walk, path and go: walks on a graph, made and written as motions.
#include "command_options.h"
#include "floor_path.h"
#include "graph_model.h"
#include "graph_names.h"
#include "progress_bar.h"
#include "saving.h"
#include "walk_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (M_PI / 180.0)

// A walk that ends farther from its goal than this, metres and degrees, is worth a warning.
#define FAR_MISS 0.3
#define FAR_TURN 30.0

// A style that ends nearer to the path's end than this goes on to it, metres.
#define SAME_PLACE 1.0

// A walk that is longer than its path by this factor, or passes less than this share of it, is worth a warning.
#define MUCH_FARTHER 1.3
#define ENOUGH_OF_IT 0.95

/// What all of them have.
typedef struct Work
{
	const char* output;
	rpSaveDef saving;
	double fps;
	rpGraph* graph;
	rpWalk* walk;
	rpMotion* motion;
	/// What the walk's search found; added to the report.
	json_t* facts;
	/// What was asked for: the motion's name, and what pictures show of it.
	char* title;
	cliAsked asked;
	cliStream stream;
} Work;

static bool begin(cliRun* run, Work* work)
{
	*work = (Work){.output = cliGetOutput(run, ".bvh .glb .csv"), .facts = json_object(), .asked = cliNothingAsked()};
	if (work->output == NULL || !cliCheckWalkPicture(run) || !cliGetSaving(run, work->output, &work->saving) ||
		!cliGetRate(run, &work->fps))
		return false;
	work->graph = cliLoadGraph(run);
	return work->graph != NULL;
}

static void end(Work* work)
{
	rpDestroyMotion(work->motion);
	rpDestroyWalk(work->walk);
	rpDestroyGraph(work->graph);
	json_decref(work->facts);
	free(work->title);
	cliFreeStream(&work->stream);
	cliFreeAsked(&work->asked);
}

static int countTransitions(const Work* work)
{
	int count = 0;
	for (int i = 0; i < work->walk->edgeCount; ++i)
		count += rpGraphEdge_IsTransition(&work->graph->edges[work->walk->edges[i]]);
	return count;
}

static bool reportResult(cliRun* run, const Work* work)
{
	double length = rpWalk_GetLength(work->walk, work->graph);
	if (run->json)
	{
		json_t* result = json_pack("{s:o,s:o,s:i,s:o}", "seconds", cliMakeReal(rpMotion_GetDuration(work->motion)),
								   "length_m", cliMakeReal(length), "transitions", countTransitions(work), "output",
								   cliMakeOutput(work->output, work->motion));
		json_object_update(result, work->facts);
		return cliReport(run, result);
	}
	cliPrintOutput(run, work->output, work->motion);
	cliPrint(run, "%.1f m, %d transitions", length, countTransitions(work));
	return true;
}

static bool addFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	Work* work = context;
	cliKeepTrail(&work->asked, pose);
	return cliAddFrame(&work->stream, motion, frame, pose, error);
}

static bool writeWalk(cliRun* run, Work* work)
{
	rpError error = {0};
	work->asked.keepsTrail = work->asked.points != NULL || cliHas(run, "picture");
	rpWalkRenderDef def = rpDefaultWalkRenderDef();
	def.fps = work->fps;
	def.lockFeet = !cliHas(run, "no-lock");
	def.addFrame = addFrame;
	def.frameContext = work;
	def.progress = cliStepBar;
	cliStartBar(run->quiet || run->json);
	work->motion = rpWalk_Render(work->walk, work->graph, &def, &error);
	cliEndBar();
	if (work->motion == NULL || !rpMotion_SetName(work->motion, work->title, &error))
		return cliFailWork(run, &error);
	return cliNoteAsked(run, &work->asked, work->motion) && cliFinishStream(run, &work->stream, work->motion);
}

// The walk as a motion, written as it is made, and reported.
static bool finish(cliRun* run, Work* work)
{
	return cliStartStream(run, work->output, &work->saving, &work->stream) && writeWalk(run, work) &&
		   cliDrawWalk(run, &work->asked, work->motion, work->facts) && reportResult(run, work);
}

static bool getLabels(cliRun* run, const rpGraph* graph, uint64_t* labels)
{
	const char* name;
	for (int i = 0; (name = cliGetNth(run, "label", i)) != NULL; ++i)
	{
		uint64_t label;
		if (!cliFindGraphLabel(run, graph, name, &label))
			return false;
		*labels |= label;
	}
	return true;
}

static bool getSeed(cliRun* run, uint64_t* seed)
{
	double number = 0.0;
	bool done = cliGetNumber(run, "seed", 0.0, 9007199254740992.0, &number);
	*seed = (uint64_t)number;
	return done;
}

// ---- walk

// From any node of the one to the beginning of the other, over the best of all starts, and on to its end.
static bool walkFastest(cliRun* run, Work* work)
{
	const rpGraph* graph = work->graph;
	const char *from = cliGet(run, "from"), *to = cliGet(run, "to");
	rpGraphPart start = {.clip = -1}, goal = {.clip = -1};
	double seconds = 0.0;
	rpError error = {0};
	if (from == NULL || to == NULL)
		return cliFailUsage(run, "for example --from walk --to kick", "the fastest walk needs both --from and --to");
	if (!cliFindGraphName(run, graph, from, &start.labels, &start.clip) ||
		!cliFindGraphName(run, graph, to, &goal.labels, &goal.clip) || !cliGetDuration(run, &seconds))
		return false;
	work->title = cliFormat("from %.60s to %.60s", from, to);
	work->walk = rpGraph_WalkTo(graph, &start, &goal, seconds, &error);
	if (error.code == rp_errorNoSolution)
	{
		snprintf(error.message, sizeof error.message, "there is no path on the graph from \"%.100s\" to \"%.100s\"",
				 from, to);
		snprintf(error.hint, sizeof error.hint,
				 "raise the thresholds between the two (reprise graph build --threshold FILE), or add motion "
				 "that leads from the one to the other");
	}
	return work->walk != NULL || cliFailWork(run, &error);
}

static bool walkAtRandom(cliRun* run, Work* work)
{
	double seconds = 30.0, sigma = 0.0;
	uint64_t seed = 0, labels = 0;
	rpError error = {0};
	if (!cliGetDuration(run, &seconds) || !cliGetNumber(run, "sigma", 1e-9, 1e9, &sigma) || !getSeed(run, &seed) ||
		!getLabels(run, work->graph, &labels))
		return false;
	const char* label = cliGetNth(run, "label", 0);
	const char* more = cliGetNth(run, "label", 1) != NULL ? " and more" : "";
	work->title =
		cliFormat("%.60s%s at random, seed %.0f", label != NULL ? label : cliGetGraphName(run), more, (double)seed);
	work->walk = cliHas(run, "sigma") ? rpGraph_WalkByCost(work->graph, seconds, labels, sigma, seed, &error)
									  : rpGraph_WalkAtRandom(work->graph, seconds, labels, seed, &error);
	return work->walk != NULL || cliFailWork(run, &error);
}

static bool runGraphWalk(cliRun* run)
{
	Work work;
	bool isFastest = cliHas(run, "from") || cliHas(run, "to");
	bool done =
		begin(run, &work) && (isFastest ? walkFastest(run, &work) : walkAtRandom(run, &work)) && finish(run, &work);
	end(&work);
	return done;
}

static const cliOption graphWalkOptions[] = {
	CLI_GRAPH_NAME,
	{"seconds", 0, "S",
	 "How long, 30 if not given. With --to: how long at least, with what was asked for where it can go on."},
	{"seed", 0, "N", "Which walk, 0 if not given."},
	{"sigma", 0, "S",
	 "Take a transition of distance d with a probability proportional to exp(-d²/S), and go on in a clip with 1, "
	 "instead "
	 "of visiting everything: the smaller, the fewer and the smoother transitions."},
	{"label", 0, "LABEL", "Only motion with this label. May be given several times."},
	{"from", 0, "CLIP|LABEL", "With --to: where the fastest walk starts."},
	{"to", 0, "CLIP|LABEL",
	 "The fastest walk to the beginning of that, and on through it to its end, instead of one at random."},
	CLI_WALK_PICTURE,
	CLI_GRAPH_RESULT,
	{0},
};

const cliCommand cliGraphWalkCommand = {
	.name = "graph walk",
	.summary = "Walk on a motion graph, at random or by the fastest path",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about =
		"At random: any length; motion that was used less often is used more often. With --to: the walk that takes "
		"the shortest time from one clip or label to the first half of another, which it then performs to the end.",
	.options = {graphWalkOptions},
	.examples = {{"reprise graph walk moves.reprise --seconds 60 --seed 1 -o out.bvh", "A minute."},
				 {"reprise graph walk moves.reprise --seconds 20 --label walk -o walk.bvh", "Walking alone."},
				 {"reprise graph walk moves.reprise --from walk --to kick -o kick.bvh", "From walking to a kick."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphWalk,
};

// ---- path

/// A path to follow, and what it is made of.
typedef struct Route
{
	rpPathDef def;
	cliFloorPath floor;
	rpPathStyle* styles;
	/// Metres along the path up to which there are styles.
	double styleEnd;
	rpForbidden* forbidden;
} Route;

static void freeRoute(Route* route)
{
	cliFreeFloorPath(&route->floor);
	free(route->styles);
	free(route->forbidden);
}

static bool getPoints(cliRun* run, Route* route)
{
	const char* path = cliGet(run, "path");
	if (path == NULL)
		return cliFailUsage(run, "for example --path circle.svg", "there is no path to follow");
	if (!cliReadFloorPath(run, path, "scale", &route->floor))
		return false;
	route->def.points = route->floor.points;
	route->def.pointCount = route->floor.count;
	return true;
}

static void appendStyle(Route* route, double start, uint64_t labels)
{
	int count = route->def.styleCount;
	route->styles = cliReallocate(route->styles, (size_t)(count + 1) * sizeof(rpPathStyle));
	route->styles[count] = (rpPathStyle){start, labels};
	route->def.styles = route->styles;
	route->def.styleCount = count + 1;
}

static double getLength(const rpPathDef* def)
{
	double length = 0.0;
	for (int i = 1; i < def->pointCount; ++i)
		length +=
			hypot((double)def->points[i].x - def->points[i - 1].x, (double)def->points[i].y - def->points[i - 1].y);
	return length;
}

// "walk:0..5,sneak:5..9"; where none is asked for the labels are left open for now.
static bool addStyle(cliRun* run, const rpGraph* graph, char* text, Route* route)
{
	char* colon = strrchr(text, ':');
	char* dots = colon != NULL ? strstr(colon, "..") : NULL;
	double start = 0.0, stop = 0.0;
	const char* hint = "for example --style \"walk:0..5,sneak:5..9\", in metres along the path";
	if (dots == NULL)
		return cliFailUsage(run, hint, "a style is LABEL:START..END, not \"%s\"", text);
	*colon = *dots = 0;
	if (!cliParseNumber(colon + 1, &start) || (dots[2] != 0 && !cliParseNumber(dots + 2, &stop)) || start < 0.0)
		return cliFailUsage(run, hint, "the stretch of the style \"%s\" is no START..END in metres", text);
	uint64_t labels;
	if (!cliFindGraphLabel(run, graph, text, &labels))
		return false;
	if (dots[2] != 0 && stop <= start)
		return cliFailUsage(run, hint, "the style \"%s\" ends before it starts", text);
	if (start >= getLength(&route->def))
		return cliFailUsage(run, hint, "the style \"%s\" begins at %g m, but the path is %.1f m long", text, start,
							getLength(&route->def));
	if (start < route->styleEnd)
		return cliFailUsage(run, hint, "the style \"%s\" begins before the one before it ends", text);
	if (start > route->styleEnd)
		appendStyle(route, route->styleEnd, 0);
	appendStyle(route, start, labels);
	route->styleEnd = dots[2] != 0 ? stop : (double)INFINITY;
	return true;
}

static bool getStyles(cliRun* run, const rpGraph* graph, Route* route)
{
	const char* text = cliGet(run, "style");
	if (text == NULL)
		return true;
	char* copy = cliFormat("%s", text);
	bool done = true;
	char* rest = NULL;
	for (char* part = strtok_r(copy, ",", &rest); part != NULL && done; part = strtok_r(NULL, ",", &rest))
		done = addStyle(run, graph, part, route);
	free(copy);
	if (done && route->styleEnd + SAME_PLACE < getLength(&route->def))
		appendStyle(route, route->styleEnd, 0);
	rpFillStyleGaps(route->styles, route->def.styleCount);
	return done;
}

// Three numbers with commas between them.
static bool parseTriple(const char* text, double out[3])
{
	char* copy = cliFormat("%s", text);
	char* rest = NULL;
	int count = 0;
	bool done = true;
	for (char* part = strtok_r(copy, ",", &rest); part != NULL && done; part = strtok_r(NULL, ",", &rest))
	{
		done = count < 3 && cliParseNumber(part, &out[count]);
		++count;
	}
	free(copy);
	return done && count == 3;
}

static bool getForbidden(cliRun* run, Route* route)
{
	const char* text;
	for (int i = 0; (text = cliGetNth(run, "avoid", i)) != NULL; ++i)
	{
		double numbers[3];
		if (!parseTriple(text, numbers) || !(numbers[2] > 0.0))
			return cliFailUsage(run, "for example --avoid 2,3,0.5", "--avoid needs X,Z,RADIUS in metres, not \"%s\"",
								text);
		route->forbidden = cliReallocate(route->forbidden, (size_t)(i + 1) * sizeof(rpForbidden));
		route->forbidden[i] = (rpForbidden){{(float)numbers[0], (float)numbers[1]}, (float)numbers[2]};
		route->def.forbidden = route->forbidden;
		route->def.forbiddenCount = i + 1;
	}
	return true;
}

// The circle that a point lies in; NULL if it lies in none.
static const rpForbidden* findForbidden(const Route* route, rpVec2 point)
{
	for (int i = 0; i < route->def.forbiddenCount; ++i)
	{
		const rpForbidden* area = &route->forbidden[i];
		if (hypotf(point.x - area->center.x, point.y - area->center.y) < area->radius)
			return area;
	}
	return NULL;
}

// Nobody can start where nobody may be; a walk that cannot get to the end can still go near it.
static bool checkEnds(cliRun* run, const Route* route)
{
	const rpForbidden* first = findForbidden(route, route->def.points[0]);
	const rpForbidden* last = findForbidden(route, route->def.points[route->def.pointCount - 1]);
	if (first != NULL)
	{
		rpError error = {.code = rp_errorNoSolution, .hint = "start the path outside, or make the circle smaller"};
		snprintf(error.message, sizeof error.message, "the path starts inside the circle --avoid %g,%g,%g",
				 (double)first->center.x, (double)first->center.y, (double)first->radius);
		return cliFail(run, cli_exitNoSolution, &error);
	}
	if (last != NULL)
		cliWarn(run, "the path ends inside the circle --avoid %g,%g,%g: its end cannot be reached",
				(double)last->center.x, (double)last->center.y, (double)last->radius);
	return true;
}

static bool getSearch(cliRun* run, rpSearchDef* search)
{
	double effort = 20000.0, choices = 1.0;
	if (!cliGetNumber(run, "effort", 100.0, 1e9, &effort) || !cliGetNumber(run, "choices", 1.0, 16.0, &choices) ||
		!getSeed(run, &search->seed))
		return false;
	search->effort = (int64_t)effort;
	search->choices = (int)choices;
	search->progress = cliStepBar;
	return true;
}

// Given as a distance, which people can judge.
static bool getSeamPrice(cliRun* run, double* out)
{
	double distance = sqrt(*out);
	bool done = cliGetNumber(run, "seam-price", 0.0, 10.0, &distance);
	*out = distance * distance;
	return done;
}

static bool getBend(cliRun* run, Route* route)
{
	route->def.maxBend = cliHas(run, "no-bend") ? 0.0 : route->def.maxBend;
	return true;
}

static bool getRoute(cliRun* run, const rpGraph* graph, Route* route)
{
	*route = (Route){.def = rpDefaultPathDef()};
	return getPoints(run, route) && getStyles(run, graph, route) && getForbidden(run, route) && checkEnds(run, route) &&
		   getSeamPrice(run, &route->def.seamPrice) &&
		   cliGetNumber(run, "even-speed", 0.0, 1e6, &route->def.evenSpeed) &&
		   cliGetNumber(run, "max-error", 1e-6, 1e6, &route->def.maxError) && getBend(run, route) &&
		   getSearch(run, &route->def.search);
}

// By its file, and by what is to be done along it.
static char* nameRoute(const cliRun* run)
{
	const char *path = cliGet(run, "path"), *slash = strrchr(path, '/'), *style = cliGet(run, "style");
	const char* name = slash != NULL ? slash + 1 : path;
	const char* dot = strrchr(name, '.');
	int size = dot != NULL ? (int)(dot - name) : (int)strlen(name);
	return cliFormat("along %.*s%s%.80s", size < 60 ? size : 60, name, style != NULL ? ", " : "",
					 style != NULL ? style : "");
}

// What the distance from the nearest point does not show.
static void warnOfLength(cliRun* run, const rpPathReport* report)
{
	if (report->walkLength > MUCH_FARTHER * report->pathLength + 1.0)
		cliWarn(run, "the walk is %.1f m long, the path %.1f m: it goes around in places", report->walkLength,
				report->pathLength);
	if (report->covered < ENOUGH_OF_IT)
		cliWarn(run, "the walk leaves out %.0f %% of the path", 100.0 * (1.0 - report->covered));
}

static bool follow(cliRun* run, Work* work, const Route* route)
{
	rpPathReport report;
	rpError error = {0};
	cliStartBar(run->quiet || run->json);
	work->title = nameRoute(run);
	work->walk = rpGraph_FollowPath(work->graph, &route->def, &report, &error);
	cliEndBar();
	if (work->walk == NULL)
		return cliFailWork(run, &error);
	work->asked.points = route->def.points;
	work->asked.count = route->def.pointCount;
	work->asked.map.forbidden = route->def.forbidden;
	work->asked.map.forbiddenCount = route->def.forbiddenCount;
	work->asked.map.errorMean = report.errorMean;
	work->asked.map.errorMax = report.errorMax;
	json_object_update_new(work->facts,
						   json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "path_error_mean_m",
									 cliMakeReal(report.errorMean), "path_error_max_m", cliMakeReal(report.errorMax),
									 "path_arc_error_mean_m", cliMakeReal(report.arcErrorMean), "path_m",
									 cliMakeReal(report.pathLength), "path_covered", cliMakeReal(report.covered),
									 "bend_deg_per_m", cliMakeReal(report.bend / RP_DEGREE), "search_seconds",
									 cliMakeReal(report.searchSeconds)));
	if (report.bend > 0.0)
		cliPrint(run, "bent by up to %.0f degrees a metre: the clips alone do not lead along the path",
				 report.bend / RP_DEGREE);
	cliPrint(run, "%.3f m from the path on average, %.3f m at most; searched for %.2f s", report.errorMean,
			 report.errorMax, report.searchSeconds);
	// A user who gave a limit has said what is good enough.
	if (route->def.maxError <= 0.0 && report.errorMean > rpMeasure_GetDefaultLimit(rp_measurePathMean))
		cliWarn(
			run,
			"the walk is %.1f m from the path on average: the graph may lack clips that turn as it does (--max-error "
			"METRES refuses such walks)",
			report.errorMean);
	if (route->def.maxError <= 0.0)
		warnOfLength(run, &report);
	return true;
}

static bool runGraphPath(cliRun* run)
{
	Work work;
	Route route = {0};
	bool done =
		begin(run, &work) && getRoute(run, work.graph, &route) && follow(run, &work, &route) && finish(run, &work);
	freeRoute(&route);
	end(&work);
	return done;
}

static const cliOption graphPathOptions[] = {
	CLI_GRAPH_NAME,
	{"path", 0, "FILE",
	 "The path: an SVG file with one path, transforms applied, or a CSV file with lines \"x,z\", metres."},
	{"scale", 0, "METRES", "Metres in one unit of the SVG file, 0.01 if not given."},
	{"style", 0, "STYLES",
	 "What to do where, in metres along the path: \"walk:0..5,sneak:5..9\"; between two of these it is either."},
	{"avoid", 0, "X,Z,R",
	 "Stay out of this circle, metres: the path is led around it, and errors are measured from there. May be given "
	 "several times."},
	{"seam-price", 0, "METRES",
	 "What a transition may spare: as much as a second so far beside the path, 0.1 if not given; 0: seams cost "
	 "nothing, "
	 "and the path is kept to within millimetres."},
	{"even-speed", 0, "WEIGHT", "Keep the speed even on straight stretches; 0 (the default) does not mind, 0.05 does."},
	{"max-error", 0, "METRES", "Fail with exit code 4 if the mean distance from the path is greater."},
	{"no-bend", 0, NULL, "Turn only as the clips do. Otherwise a walk that would be farther from the path is bent."},
	{"effort", 0, "N", "Edges that branch and bound looks at for each second of motion, 20000 if not given."},
	{"choices", 0, "N", "Choose at random among this many of the best walks of each second, 1 if not given."},
	{"seed", 0, "N", "Which of them, 0 if not given."},
	CLI_WALK_PICTURE,
	CLI_GRAPH_RESULT,
	{0},
};

const cliCommand cliGraphPathCommand = {
	.name = "graph path",
	.summary = "Follow a path with motion from a graph",
	.usage = "LIB.reprise --path FILE -o FILE [OPTIONS]",
	.about = "Searches the walk whose root stays nearest the path. An SVG file holds one path (or polyline, polygon; "
			 "where it has none of these a line, rectangle, circle or ellipse), seen from above: "
			 "its right is the right of somebody who looks up the page, so that the point x,y of the "
			 "drawing lies at -x,-y (times --scale) on the floor. Transforms of the path and of the groups around it "
			 "are applied; what is not drawn (in defs, or hidden) is not taken; width, height and viewBox of the page "
			 "are not looked at. The report gives the distance from the path, the "
			 "transitions and the time taken; the clip and time of every frame stand in the JSON file beside the "
			 "output.",
	.options = {graphPathOptions},
	.examples = {{"reprise graph path moves.reprise --path circle.svg -o out.bvh", "Along a drawing."},
				 {"reprise graph path moves.reprise --path p.csv --style 'walk:0..5,sneak:5..9' -o out.bvh",
				  "Walk here, sneak there."},
				 {"reprise graph path moves.reprise --path p.svg --max-error 0.3 -o out.bvh --picture out.png",
				  "Only if it can be done well, and drawn from above."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphPath,
};

// ---- go

static bool getPlace(cliRun* run, const char* option, bool isNeeded, rpGroundTransform* out)
{
	const char* text = cliGet(run, option);
	double numbers[3] = {0};
	if (text == NULL && !isNeeded)
		return true;
	if (text == NULL || !parseTriple(text, numbers))
		return cliFailUsage(run, "for example --goal 3,4,90", "--%s needs X,Z,DEGREES", option);
	*out = (rpGroundTransform){(float)(numbers[2] * DEGREE), {(float)numbers[0], 0.0f, (float)numbers[1]}};
	return true;
}

static bool getGo(cliRun* run, const rpGraph* graph, rpWalkToPlaceDef* def)
{
	const char *from = cliGet(run, "from"), *to = cliGet(run, "to");
	*def = rpDefaultWalkToPlaceDef();
	return getPlace(run, "start", false, &def->start) && getPlace(run, "goal", true, &def->goal) &&
		   (from == NULL || cliFindGraphName(run, graph, from, &def->startLabels, &def->startClip)) &&
		   (to == NULL || cliFindGraphName(run, graph, to, &def->goalLabels, &def->goalClip)) &&
		   getSearch(run, &def->search);
}

static bool go(cliRun* run, Work* work, const rpWalkToPlaceDef* def)
{
	rpError error = {0};
	rpGroundTransform reached;
	work->title = cliFormat("to %.60s", cliGet(run, "goal"));
	work->asked.map.goal = &def->goal;
	cliStartBar(run->quiet || run->json);
	work->walk = rpGraph_WalkToPlace(work->graph, def, &reached, &error);
	cliEndBar();
	if (work->walk == NULL)
		return cliFailWork(run, &error);
	double dx = (double)reached.shift.x - def->goal.shift.x, dz = (double)reached.shift.z - def->goal.shift.z;
	double turn = (double)rpWrapAngle(reached.turn - def->goal.turn) / DEGREE;
	json_object_update_new(work->facts, json_pack("{s:o,s:o,s:o,s:o,s:o}", "x_m", cliMakeReal(reached.shift.x), "z_m",
												  cliMakeReal(reached.shift.z), "turn_deg",
												  cliMakeReal((double)reached.turn / DEGREE), "goal_error_m",
												  cliMakeReal(hypot(dx, dz)), "goal_error_deg", cliMakeReal(turn)));
	double max = 0.0;
	if (!cliGetNumber(run, "max-error", 1e-6, 1e6, &max))
		return false;
	if (max > 0.0 && hypot(dx, dz) > max)
	{
		snprintf(error.message, sizeof error.message, "the best walk ends %.2f m from the goal, more than %g m",
				 hypot(dx, dz), max);
		error.code = rp_errorNoSolution;
		return cliFailWork(run, &error);
	}
	if (hypot(dx, dz) > FAR_MISS || fabs(turn) > FAR_TURN)
		cliWarn(run, "the walk ends %.2f m and %.0f degrees from the goal: the graph has no better one", hypot(dx, dz),
				fabs(turn));
	cliPrint(run, "%.2f m and %.0f degrees from the goal", hypot(dx, dz), fabs(turn));
	return true;
}

static bool runGraphGo(cliRun* run)
{
	Work work;
	rpWalkToPlaceDef def;
	bool done = begin(run, &work) && getGo(run, work.graph, &def) && go(run, &work, &def) && finish(run, &work);
	end(&work);
	return done;
}

static const cliOption graphGoOptions[] = {
	CLI_GRAPH_NAME,
	{"start", 0, "X,Z,DEG", "Where the walk starts and where it looks; 0,0,0 if not given."},
	{"goal", 0, "X,Z,DEG", "Where it shall end, and where it shall look."},
	{"max-error", 0, "METRES", "Fail with exit code 4 if it ends farther from the goal."},
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
