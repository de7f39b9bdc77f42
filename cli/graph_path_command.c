/// graph path: along a drawing.
#include "command_options.h"
#include "floor_path.h"
#include "graph_model.h"
#include "graph_names.h"
#include "progress_bar.h"
#include "walk_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A style that ends nearer to the path's end than this goes on to it, metres.
#define SAME_PLACE 1.0

/// A path to follow, and what it is made of.
typedef struct Route
{
	rpPathDef def;
	cliFloorPath floor;
	rpPathStyle* styles;
	/// Metres along the path up to which there are styles.
	double styleEnd;
	rpForbidden* forbidden;
	/// What --max-error allows, metres; 0: what rpPathReport.isFollowed does.
	double maxError;
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
	if (start >= route->floor.length)
		return cliFailUsage(run, hint, "the style \"%s\" begins at %g m, but the path is %.1f m long", text, start,
							route->floor.length);
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
	if (done && route->styleEnd + SAME_PLACE < route->floor.length)
		appendStyle(route, route->styleEnd, 0);
	rpFillStyleGaps(route->styles, route->def.styleCount);
	return done;
}

static bool getForbidden(cliRun* run, Route* route)
{
	const char* text;
	for (int i = 0; (text = cliGetNth(run, "avoid", i)) != NULL; ++i)
	{
		double numbers[3];
		if (!cliParseTriple(text, numbers) || !(numbers[2] > 0.0))
			return cliFailUsage(run, "for example --avoid 2,3,0.5", "--avoid needs X,Z,RADIUS in metres, not \"%s\"",
								text);
		if (!cliCheckPlace(run, "avoid", numbers, 3))
			return false;
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
	// A walk that is too far away for the user is worth being bent.
	route->def.bendNeed = route->maxError > 0.0 ? fmin(route->def.bendNeed, route->maxError) : route->def.bendNeed;
	return true;
}

static bool getRoute(cliRun* run, const rpGraph* graph, Route* route)
{
	*route = (Route){.def = rpDefaultPathDef()};
	return getPoints(run, route) && getStyles(run, graph, route) && getForbidden(run, route) && checkEnds(run, route) &&
		   getSeamPrice(run, &route->def.seamPrice) &&
		   cliGetNumber(run, "even-speed", 0.0, 1e6, &route->def.evenSpeed) &&
		   cliGetNumber(run, "max-error", 1e-6, 1e6, &route->maxError) && getBend(run, route) &&
		   cliGetSearch(run, &route->def.search);
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

// ---- walks that do not follow the path

static const char* getSide(double turn)
{
	return turn > 0.0 ? "left" : "right";
}

// The labels that a style allows, for people: " of walk"; free() it.
static char* nameStyle(const rpGraph* graph, const Route* route, int style)
{
	uint64_t labels = route->def.styleCount > 0 ? route->styles[style].labels : 0;
	char* text = cliFormat("%s", "");
	for (int i = 0; i < graph->labelCount; ++i)
	{
		if ((labels >> i & 1) == 0)
			continue;
		char* longer = cliFormat("%s%s%.40s", text, text[0] == 0 ? " of " : " or ", graph->labels[i]);
		free(text);
		text = longer;
	}
	return text;
}

// What the path asks for, and what the graph has to offer.
static void explainNeed(const rpGraph* graph, const Route* route, const rpPathNeed* need, char* out, size_t size)
{
	char* of = nameStyle(graph, route, need->style);
	double bend = route->def.maxBend / RP_DEGREE;
	double most = fmax(need->turn > 0.0 ? need->left : -need->right, 0.0) / RP_DEGREE;
	char bent[40] = "";
	if (bend > 0.0)
		snprintf(bent, sizeof bent, ", or %.0f when bent", most + bend);
	if (!isfinite(need->left))
		snprintf(out, size, "no clip%.80s walks", of);
	else if (need->isBeyond)
		snprintf(out, size, "at %.1f m the path turns %s by %.0f degrees a metre, the clips%.80s by at most %.0f%s",
				 need->at, getSide(need->turn), fabs(need->turn) / RP_DEGREE, of, most, bent);
	else
		snprintf(out, size,
				 "clips%.80s turn as sharply as the path does, but too few of them can be joined where it does", of);
	free(of);
}

// What can be done about it.
static void explainRemedy(const Route* route, const rpPathNeed* need, char* out, size_t size)
{
	double bend = route->def.maxBend, turn = fabs(need->turn);
	double own = fmax(need->turn > 0.0 ? need->left : -need->right, 0.0);
	double other = need->turn > 0.0 ? -need->right : need->left;
	char larger[80] = "draw its corners rounder";
	if (!need->isCorner)
		snprintf(larger, sizeof larger, "make the path larger (--scale %.2g)",
				 1.1 * turn / (own + bend) * route->floor.scale);
	if (need->isBeyond)
		snprintf(out, size, "add clips that turn more sharply to the %s%s, or %s; --best-effort writes this walk",
				 getSide(need->turn), other + bend >= turn ? " (graph build --mirror makes some)" : "", larger);
	else
		snprintf(out, size,
				 "add clips that turn, or raise the thresholds (graph build --threshold); --best-effort "
				 "writes this walk");
}

// Exit 4, or a warning with --best-effort.
static bool reportMiss(cliRun* run, const rpGraph* graph, const Route* route, const rpPathReport* report)
{
	rpError error = {.code = rp_errorNoSolution};
	rpPathNeed need;
	char why[200] = "";
	double limit = route->maxError > 0.0 ? route->maxError : report->errorLimit;
	if (rpGraph_FindPathNeed(graph, &route->def, &need, NULL))
	{
		explainNeed(graph, route, &need, why, sizeof why);
		explainRemedy(route, &need, error.hint, sizeof error.hint);
	}
	snprintf(
		error.message, sizeof error.message,
		"the best walk does not follow the path: %.2f m from the path on average, at most %.2g m wanted; %.1f m walked "
		"for %.1f m; %.0f %% of the path left out: %s",
		report->errorMean, limit, report->walkLength, report->pathLength, 100.0 * (1.0 - report->covered), why);
	if (!cliHas(run, "best-effort"))
		return cliFailWork(run, &error);
	cliWarn(run, "%s", error.message);
	return true;
}

static void addFacts(const cliWalkOutput* work, const Route* route, const rpPathReport* report)
{
	cliAddFloorPath(work->facts, &route->floor);
	json_object_update_new(work->facts,
						   json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "path_error_mean_m",
									 cliMakeReal(report->errorMean), "path_error_max_m", cliMakeReal(report->errorMax),
									 "path_arc_error_mean_m", cliMakeReal(report->arcErrorMean), "path_m",
									 cliMakeReal(report->pathLength), "path_covered", cliMakeReal(report->covered),
									 "bend_deg_per_m", cliMakeReal(report->bend / RP_DEGREE), "search_seconds",
									 cliMakeReal(report->searchSeconds)));
}

// What pictures show beside the walk.
static void noteRoute(cliWalkOutput* work, const Route* route, const rpPathReport* report)
{
	cliAsked* asked = &work->asked;
	asked->points = route->def.points;
	asked->count = route->def.pointCount;
	asked->map.forbidden = route->def.forbidden;
	asked->map.forbiddenCount = route->def.forbiddenCount;
	asked->map.errorMean = report->errorMean;
	asked->map.errorMax = report->errorMax;
}

static bool follow(cliRun* run, cliWalkOutput* work, const Route* route)
{
	rpPathReport report;
	rpError error = {0};
	cliStartBar(run->quiet || run->json);
	work->title = nameRoute(run);
	work->walk = rpGraph_FollowPath(work->graph, &route->def, &report, &error);
	cliEndBar();
	if (work->walk == NULL)
		return cliFailWork(run, &error);
	addFacts(work, route, &report);
	noteRoute(work, route, &report);
	// A user who gave a limit has said what is good enough.
	bool isFollowed = route->maxError > 0.0 ? report.errorMean <= route->maxError : report.isFollowed;
	json_object_set_new(work->facts, "followed", json_boolean(isFollowed));
	if (!isFollowed && !reportMiss(run, work->graph, route, &report))
		return false;
	cliPrintFloorPath(run, &route->floor);
	if (report.bend > 0.0)
		cliPrint(run, "bent by up to %.0f degrees a metre: the clips alone do not lead along the path",
				 report.bend / RP_DEGREE);
	cliPrint(run, "%.3f m from the path on average, %.3f m at most; searched for %.2f s", report.errorMean,
			 report.errorMax, report.searchSeconds);
	return true;
}

static bool runGraphPath(cliRun* run)
{
	cliWalkOutput work;
	Route route = {0};
	bool done = cliBeginWalk(run, &work) && getRoute(run, work.graph, &route) && follow(run, &work, &route) &&
				cliFinishWalk(run, &work);
	freeRoute(&route);
	cliEndWalk(&work);
	return done;
}

static const cliOption graphPathOptions[] = {
	CLI_GRAPH_NAME,
	{"path", 0, "FILE",
	 "The path: an SVG file with one path, transforms applied, or a CSV file with lines \"x,z\", metres."},
	{"scale", 0, "METRES", CLI_PATH_SCALE},
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
	{"max-error", 0, "METRES",
	 "Fail with exit code 4 if the mean distance from the path is greater. If not given: than a tenth of the path's "
	 "size, "
	 "0.15 to 0.5 m; or if less than 70 % of the path is passed, or the walk is more than 1.3 times as long and 1 m."},
	{"best-effort", 0, NULL, "Write the best walk there is even if it does not follow the path, with a warning."},
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
			 "are not looked at. The report gives the size of the path, the "
			 "distance from it, the transitions and the time taken; a path that the graph's clips cannot follow is not "
			 "written (exit code 4), and what is missing is said; the clip and time of every frame stand in the JSON "
			 "file beside the "
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
