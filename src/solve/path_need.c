/// What a path asks of a graph: how sharply it turns, and how sharply the graph's clips do.
#include "base/error.h"
#include "base/memory.h"
#include "solve/path_problem.h"

#include <math.h>

// Turns are measured between two chords this long, metres: a stride, over which hips sway as much to the left as to the
// right. Shorter stretches are measured by thirds, down to a step: less is sway alone.
#define CHORD 1.4
#define MIN_CHORD 0.5

// A chord that spans less than this share of its length is no direction: somebody sways on the spot, or turns there.
#define SPAN_SHARE 0.5

// A corner turns by as much between shorter chords, so by more a metre; a curve does not. Chords of half the length
// tell them apart if they show this much more.
#define CORNER_GAIN 1.5

/// A line over the floor, [count].
typedef struct Line
{
	rpVec2* points;
	/// Metres from its start.
	double* lengths;
	int count;
} Line;

static bool openLine(Line* line, int capacity, rpError* error)
{
	line->points = rpAllocate((size_t)capacity, sizeof(rpVec2), error);
	line->lengths = rpAllocate((size_t)capacity, sizeof(double), error);
	return line->points != NULL && line->lengths != NULL;
}

static void freeLine(Line* line)
{
	rpFree(line->points);
	rpFree(line->lengths);
}

static double getGap(rpVec2 a, rpVec2 b)
{
	return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static void addPoint(Line* line, rpVec2 point)
{
	int k = line->count++;
	line->points[k] = point;
	line->lengths[k] = k > 0 ? line->lengths[k - 1] + getGap(line->points[k - 1], point) : 0.0;
}

static double getLength(const Line* line)
{
	return line->count > 0 ? line->lengths[line->count - 1] : 0.0;
}

// The first point that is not before a length; the last one if there is none.
static int findPoint(const Line* line, double length)
{
	int low = 0, high = line->count - 1;
	while (low < high)
	{
		int middle = (low + high) / 2;
		bool isBefore = line->lengths[middle] < length;
		low = isBefore ? middle + 1 : low;
		high = isBefore ? high : middle;
	}
	return low;
}

// How a line turns at a point, radians a metre, left is positive. NAN where it does not go on for a chord to both
// sides, of which so much may be missing, or goes nowhere.
static double getTurn(const Line* line, int i, double chord, double missing)
{
	double at = line->lengths[i];
	int a = findPoint(line, at - chord), b = findPoint(line, at + chord);
	a -= a > 0 && line->lengths[a] > at - chord;
	double before = at - line->lengths[a], after = line->lengths[b] - at;
	rpVec2 p = line->points[a], q = line->points[i], r = line->points[b];
	bool isLong = before >= chord - missing && after >= chord - missing;
	if (!isLong || getGap(p, q) < SPAN_SHARE * before || getGap(q, r) < SPAN_SHARE * after)
	{
		return NAN;
	}
	float turn = rpWrapAngle(atan2f(r.x - q.x, r.y - q.y) - atan2f(q.x - p.x, q.y - p.y));
	return (double)turn / (0.5 * (before + after));
}

// ---- what clips offer

/// How far the clips of a style turn.
typedef struct Offer
{
	/// Radians a metre, the most to the right (negative) and to the left; infinite where nothing goes on for long
	/// enough.
	double right, left;
	/// How far the longest stretch goes, metres.
	double longest;
} Offer;

// The stretch that follows at a node in a style, -1: none.
static int findStretch(const rpPathProblem* problem, int node, int style)
{
	const rpGraphNode* own = &problem->graph->nodes[node];
	for (int e = own->firstEdge; e < own->firstEdge + own->edgeCount; ++e)
	{
		if (!rpGraphEdge_IsTransition(&problem->graph->edges[e]) && rpPathProblem_IsOfStyle(problem, e, style))
		{
			return e;
		}
	}
	return -1;
}

// The stretches of a clip from a node on, one after the other.
static void follow(const rpPathProblem* problem, int node, int style, Line* line)
{
	const rpGraph* graph = problem->graph;
	line->count = 0;
	for (int e = findStretch(problem, node, style); e >= 0; e = findStretch(problem, graph->edges[e].to, style))
	{
		const rpGraphEdge* edge = &graph->edges[e];
		for (int f = line->count == 0 ? 0 : 1; f <= edge->frameCount; ++f)
		{
			addPoint(line, graph->path[edge->firstPoint + f]);
		}
	}
}

static void widen(Offer* offer, const Line* line)
{
	double length = getLength(line), chord = fmin(CHORD, length / 3.0);
	offer->longest = fmax(offer->longest, length);
	for (int i = 0; i < line->count && chord >= MIN_CHORD; ++i)
	{
		double turn = getTurn(line, i, chord, 0.0);
		offer->right = turn < offer->right ? turn : offer->right;
		offer->left = turn > offer->left ? turn : offer->left;
	}
}

// Nodes in which no stretch of the style ends: [nodeCount], false.
static void markStarts(const rpPathProblem* problem, int style, bool* isInside)
{
	for (int n = 0; n < problem->graph->nodeCount; ++n)
	{
		isInside[n] = false;
	}
	for (int n = 0; n < problem->graph->nodeCount; ++n)
	{
		int e = findStretch(problem, n, style);
		if (e >= 0)
		{
			isInside[problem->graph->edges[e].to] = true;
		}
	}
}

static Offer measureOffer(const rpPathProblem* problem, int style, Line* line, bool* isInside)
{
	Offer offer = {.right = INFINITY, .left = -INFINITY};
	markStarts(problem, style, isInside);
	for (int n = 0; n < problem->graph->nodeCount; ++n)
	{
		if (!isInside[n])
		{
			follow(problem, n, style, line);
			widen(&offer, line);
		}
	}
	return offer;
}

// ---- what the path asks for

static void layPath(const rpPathProblem* problem, Line* line)
{
	line->count = 0;
	for (int i = 0; i < problem->pointCount; ++i)
	{
		addPoint(line, problem->points[i]);
	}
}

// Whether shorter chords show a sharper turn within a chord of a point.
static bool isCorner(const Line* path, int i, double chord)
{
	double whole = fabs(getTurn(path, i, chord, chord)), half = 0.0;
	int last = findPoint(path, path->lengths[i] + chord);
	for (int k = findPoint(path, path->lengths[i] - chord); k <= last; ++k)
	{
		// fmax takes the number where the other is none.
		half = fmax(half, fabs(getTurn(path, k, 0.5 * chord, 0.0)));
	}
	return half > CORNER_GAIN * whole;
}

// The point of a style that asks for the most beyond the offer, if that is more than what was found so far.
static void findNeed(const rpPathProblem* problem, int style, const Line* path, const Offer* offer, double* most,
					 rpPathNeed* out)
{
	double chord = fmin(CHORD, 0.5 * getLength(path));
	double end = problem->def->styleCount > 0 ? rpPathProblem_GetStyleEnd(problem, style) : (double)INFINITY;
	double start = style > 0 ? rpPathProblem_GetStyleEnd(problem, style - 1) : 0.0;
	for (int i = findPoint(path, start); i < path->count && path->lengths[i] <= end && chord > 0.0; ++i)
	{
		double turn = getTurn(path, i, chord, 0.5 * chord);
		double beyond = fmax(turn - offer->left, offer->right - turn);
		if (beyond > *most)
		{
			*most = beyond;
			*out = (rpPathNeed){
				.at = path->lengths[i],
				.turn = turn,
				.right = offer->right,
				.left = offer->left,
				.longest = offer->longest,
				.style = style,
				.isBeyond = beyond > problem->def->maxBend,
				.isCorner = isCorner(path, i, chord),
			};
		}
	}
}

static void findNeeds(const rpPathProblem* problem, Line* clips, Line* path, bool* isInside, rpPathNeed* out)
{
	double most = -INFINITY;
	int styleCount = problem->def->styleCount > 0 ? problem->def->styleCount : 1;
	layPath(problem, path);
	for (int style = 0; style < styleCount; ++style)
	{
		Offer offer = measureOffer(problem, style, clips, isInside);
		findNeed(problem, style, path, &offer, &most, out);
	}
}

bool rpGraph_FindPathNeed(const rpGraph* graph, const rpPathDef* def, rpPathNeed* out, rpError* error)
{
	rpPathProblem problem;
	Line clips = {0}, path = {0};
	int frames = 1;
	*out = (rpPathNeed){0};
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		frames += graph->edges[e].frameCount;
	}
	bool* isInside = rpAllocate((size_t)graph->nodeCount, sizeof(bool), error);
	bool done = rpPathProblem_Lay(&problem, graph, def, error) && isInside != NULL && openLine(&clips, frames, error) &&
				openLine(&path, problem.pointCount, error);
	if (done)
	{
		findNeeds(&problem, &clips, &path, isInside, out);
	}
	freeLine(&path);
	freeLine(&clips);
	rpFree(isInside);
	rpPathProblem_Free(&problem);
	return done;
}
