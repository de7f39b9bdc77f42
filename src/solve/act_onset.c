#include "solve/act_onset.h"

#include "base/memory.h"
#include "reprise/metric.h"

#include <math.h>

// Motions are compared five times a second: the metric looks at half a second around each moment. So many of `from` are
// taken at most, evenly, so that the label of a large library takes a second.
#define RATE 5.0
#define MAX_SAMPLES 400

// An act stands out from the rest of its stretch by this factor at least. Jumps and kicks against walks are 1.9 to 10
// times as far away as the stands around them (performer and captured), runs and sneaking 1.1 to 1.4 times as their own
// nearest moments. It begins where half of that has come.
#define CONTRAST 1.5
#define BEGUN 0.5

int rpGraphPart_FindStretch(const rpGraph* graph, int node, const rpGraphPart* part)
{
	const rpGraphNode* own = &graph->nodes[node];
	for (int e = own->firstEdge; e < own->firstEdge + own->edgeCount; ++e)
	{
		bool isOf = part->clip >= 0 ? own->clip == part->clip : (graph->edges[e].labels & part->labels) != 0;
		if (isOf && !rpGraphEdge_IsTransition(&graph->edges[e]))
		{
			return e;
		}
	}
	return -1;
}

/// A moment of a clip, a frame of its profile.
typedef struct Moment
{
	int clip, row;
} Moment;

/// What is compared with what.
typedef struct Comparison
{
	const rpGraph* graph;
	const rpGraphPart *from, *to;
	rpMetric* metric;

	/// [clipCount], made when they are needed.
	rpProfile** profiles;

	/// [momentCount] moments of `from`.
	Moment* moments;
	int momentCount;

	/// [nodeCount] frames before a node that transitions to it show for the most part: from the middle of the longest
	/// on.
	int* seen;

	/// How unlike `from` a stretch is, every step frames.
	double* samples;
	int step;
} Comparison;

static bool ensureProfile(Comparison* comparison, int clip, rpError* error)
{
	rpProfile** profile = &comparison->profiles[clip];
	if (*profile == NULL)
	{
		*profile = rpCreateProfile(comparison->metric, comparison->graph->clips[clip].motion, error);
	}
	return *profile != NULL;
}

// Beyond the ends of a clip a window is made up.
static Moment getMoment(const Comparison* comparison, int clip, int frame)
{
	int count = rpProfile_GetFrameCount(comparison->profiles[clip]),
		margin = rpMetric_GetHalfWindow(comparison->metric);
	int row = (int)lround(frame / comparison->graph->fps * rpMetric_GetRate(comparison->metric));
	margin = 2 * margin < count ? margin : (count - 1) / 2;
	row = row > margin ? row : margin;
	return (Moment){clip, row < count - 1 - margin ? row : count - 1 - margin};
}

// ---- from

// Frames of stretches that are of `from` and not of `to`.
static int countFrames(const Comparison* comparison, int node)
{
	const rpGraph* graph = comparison->graph;
	int e = rpGraphPart_FindStretch(graph, node, comparison->from);
	return e >= 0 && rpGraphPart_FindStretch(graph, node, comparison->to) != e ? graph->edges[e].frameCount : 0;
}

static bool listMoments(Comparison* comparison, rpError* error)
{
	const rpGraph* graph = comparison->graph;
	int all = 0, passed = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		all += countFrames(comparison, n);
	}
	int step = all / MAX_SAMPLES + 1 > comparison->step ? all / MAX_SAMPLES + 1 : comparison->step;
	comparison->moments = rpAllocate((size_t)(all / step) + 1, sizeof(Moment), error);
	bool done = comparison->moments != NULL;
	for (int n = 0; n < graph->nodeCount && done; ++n)
	{
		int count = countFrames(comparison, n), clip = graph->nodes[n].clip;
		done = count == 0 || ensureProfile(comparison, clip, error);
		for (int f = (step - passed % step) % step; f < count && done; f += step)
		{
			comparison->moments[comparison->momentCount++] = getMoment(comparison, clip, graph->nodes[n].frame + f);
		}
		passed += count;
	}
	return done;
}

// ---- to

// The distance of a moment from the nearest one of `from`.
static double measure(const Comparison* comparison, Moment moment)
{
	// Nothing is unlike nothing.
	double nearest = comparison->momentCount > 0 ? (double)INFINITY : 0.0;
	for (int i = 0; i < comparison->momentCount; ++i)
	{
		Moment other = comparison->moments[i];
		nearest = fmin(nearest, rpMetric_Distance(comparison->metric, comparison->profiles[moment.clip], moment.row,
												  comparison->profiles[other.clip], other.row, NULL));
	}
	return nearest;
}

/// An act in its stretch, frames from the start of that: where it begins, and its middle.
typedef struct Act
{
	int onset, middle;
} Act;

// Where the samples pass a level between one and the next, frames.
static int interpolate(const double* samples, int k, double level, int step)
{
	return (int)lround(step * (k + (level - samples[k]) / (samples[k + 1] - samples[k])));
}

// The act around the peak, at half its height; where nothing stands out, all of the stretch is the act, and no moment
// of it is its middle.
static Act findAct(const double* samples, int count, int step, int begin)
{
	int peak = 0, lowest = 0;
	for (int k = 1; k < count; ++k)
	{
		peak = samples[k] > samples[peak] ? k : peak;
		lowest = samples[k] < samples[lowest] ? k : lowest;
	}
	double begun = samples[lowest] + BEGUN * (samples[peak] - samples[lowest]);
	int first = peak, last = peak;
	while (first > 0 && samples[first - 1] >= begun)
	{
		--first;
	}
	while (last < count - 1 && samples[last + 1] >= begun)
	{
		++last;
	}
	if (samples[peak] < CONTRAST * samples[lowest])
	{
		return (Act){begin, (begin + step * (count - 1)) / 2};
	}
	int onset = first > 0 ? interpolate(samples, first - 1, begun, step) : 0;
	int end = last < count - 1 ? interpolate(samples, last, begun, step) : step * (count - 1);
	return (Act){onset, (onset + end) / 2};
}

// The first frame of a label that a frame of a clip bears: the graph may lack the beginning of the act.
static int findLabelStart(const Comparison* comparison, int clip, int frame)
{
	const rpGraph* graph = comparison->graph;
	const rpAnnotations* annotations = &graph->clips[clip].motion->annotations;
	double seconds = frame / graph->fps, start = seconds;
	for (int i = 0; i < annotations->intervalCount && comparison->to->clip < 0; ++i)
	{
		const rpInterval* interval = &annotations->intervals[i];
		int label = interval->track == rp_trackLabel ? rpGraph_FindLabel(graph, interval->name) : -1;
		bool isOf = label >= 0 && (comparison->to->labels >> label & 1) != 0;
		bool isAround = isOf && interval->start <= seconds && interval->end > seconds;
		start = isAround ? fmin(start, interval->start) : start;
	}
	return comparison->to->clip >= 0 ? 0 : (int)lround(start * graph->fps);
}

// A stretch of `to` from its first node on, whose nodes are told.
static bool measureStretch(Comparison* comparison, int node, int* frames, rpError* error)
{
	const rpGraph* graph = comparison->graph;
	int clip = graph->nodes[node].clip, end = graph->nodes[node].frame, count = 0;
	int first = findLabelStart(comparison, clip, end);
	for (int n = node, e; (e = rpGraphPart_FindStretch(graph, n, comparison->to)) >= 0; n = graph->edges[e].to)
	{
		end += graph->edges[e].frameCount;
	}
	if (!ensureProfile(comparison, clip, error))
	{
		return false;
	}
	for (int f = first; f <= end; f += comparison->step)
	{
		comparison->samples[count++] = measure(comparison, getMoment(comparison, clip, f));
	}
	Act act = findAct(comparison->samples, count, comparison->step, graph->nodes[node].frame - first);
	for (int n = node, e; (e = rpGraphPart_FindStretch(graph, n, comparison->to)) >= 0; n = graph->edges[e].to)
	{
		int at = graph->nodes[n].frame - first, seen = comparison->seen[n];
		frames[n] = at - seen >= act.middle ? -1 : at < act.onset ? act.onset - at : 0;
	}
	return true;
}

// Nodes in the middle of a stretch have another before them.
static bool measureAll(Comparison* comparison, int* frames, rpError* error)
{
	const rpGraph* graph = comparison->graph;
	bool done = true;
	enum
	{
		outside = -1,
		first = -2,
		inside = -3,
	};
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		frames[n] = rpGraphPart_FindStretch(graph, n, comparison->to) >= 0 ? first : outside;
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int e = rpGraphPart_FindStretch(graph, n, comparison->to);
		int to = e >= 0 ? graph->edges[e].to : n;
		frames[to] = e >= 0 && frames[to] == first ? inside : frames[to];
	}
	for (int n = 0; n < graph->nodeCount && done; ++n)
	{
		done = frames[n] != first || measureStretch(comparison, n, frames, error);
	}
	return done;
}

static bool findSeen(Comparison* comparison, rpError* error)
{
	const rpGraph* graph = comparison->graph;
	comparison->seen = rpAllocateZero((size_t)graph->nodeCount, sizeof(int), error);
	for (int e = 0; e < graph->edgeCount && comparison->seen != NULL; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		int seen = rpGraphEdge_IsTransition(edge) ? graph->nodes[edge->to].frame - edge->toMiddle : 0;
		comparison->seen[edge->to] = seen > comparison->seen[edge->to] ? seen : comparison->seen[edge->to];
	}
	return comparison->seen != NULL;
}

static void freeComparison(Comparison* comparison)
{
	for (int i = 0; comparison->profiles != NULL && i < comparison->graph->clipCount; ++i)
	{
		rpDestroyProfile(comparison->profiles[i]);
	}
	rpFree(comparison->profiles);
	rpFree(comparison->moments);
	rpFree(comparison->samples);
	rpFree(comparison->seen);
	rpDestroyMetric(comparison->metric);
}

static int findLongest(const rpGraph* graph)
{
	int longest = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		longest = graph->nodes[n].frame > longest ? graph->nodes[n].frame : longest;
	}
	return longest;
}

bool rpFindOnsets(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, int* frames, rpError* error)
{
	rpMetricDef def = rpDefaultMetricDef();
	Comparison comparison = {.graph = graph, .from = from, .to = to, .step = (int)ceil(graph->fps / RATE)};
	comparison.metric = rpCreateMetric(graph->clips[0].motion->skeleton, &def, error);
	comparison.profiles = rpAllocateZero((size_t)graph->clipCount, sizeof(rpProfile*), error);
	comparison.samples = rpAllocate((size_t)findLongest(graph) + 1, sizeof(double), error);
	bool done = comparison.metric != NULL && comparison.profiles != NULL && comparison.samples != NULL &&
				findSeen(&comparison, error) && listMoments(&comparison, error) &&
				measureAll(&comparison, frames, error);
	freeComparison(&comparison);
	return done;
}
