#include "build/parametric_build.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "distance/metric.h"
#include "model/model_name.h"
#include "work/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Blends of what is farther apart than this are seen, metres (walks and runs are 0.11 to 0.23 m apart); of what is
// nearer than that nobody sees any (motions of one gait, one after the other, are 0.02 to 0.05 m apart).
#define SEEN RP_PARAMETRIC_SEEN
#define UNSEEN 0.025f

// Seconds of the window: the thesis' third of a second.
#define WINDOW (1.0 / 3.0)

rpParametricDef rpDefaultParametricDef(void)
{
	return (rpParametricDef){.autoLimit = RP_PARAMETRIC_SEEN,
							 .targetSamples = 1000,
							 .share = 0.3f,
							 .badFactor = 1.18f,
							 .coverage = 0.5f,
							 .margin = 0.2f,
							 .seamLength = 0.3f,
							 .seed = 1};
}

void rpParametricBuildReport_Free(rpParametricBuildReport* report)
{
	rpFree(report->edges);
	*report = (rpParametricBuildReport){0};
}

/// A graph while it is built.
typedef struct Builder
{
	const rpParametricDef* def;
	rpFindings* findings;
	rpError* error;
	rpMetric* metric;

	/// [nodeCount], whose models have the frames.
	rpSpaceMaker** makers;
	rpParametricGraph* graph;

	/// [edgeCount] of the graph, for partial edges.
	rpTransitionTable* tables;
	int edgeCapacity, sampleCapacity, tableCapacity;

	rpParametricBuildReport report;
	int reportCapacity;
} Builder;

// ---- what is asked for

static bool isWithin(double value, double low, double high)
{
	return value >= low && value <= high;
}

static bool checkNumbers(const rpParametricDef* def, rpError* error)
{
	bool isSound = isWithin((double)def->share, 0.0, 1.0) && isWithin((double)def->badFactor, 1.0, 10.0) &&
				   isWithin((double)def->coverage, 0.0, 1.0) && isWithin((double)def->margin, 0.0, 2.0) &&
				   isWithin((double)def->seamLength, 0.02, 2.0) && isWithin((double)def->autoLimit, 0.0, 10.0) &&
				   def->targetSamples >= 1 && def->targetSamples <= 100000 && def->sourceSamples >= 0 &&
				   def->sourceSamples <= 10000;
	return isSound ||
		   rpFail(error, rp_errorArgument,
				  "a share of %g, samples %d and %d, a margin of %g s, seams of %g s; shares are 0 to 1, samples 1 "
				  "to 10000 and 100000, margins 0 to 2 s, seams 0.02 to 2 s",
				  (double)def->share, def->sourceSamples, def->targetSamples, (double)def->margin,
				  (double)def->seamLength);
}

static const rpSkeleton* getSkeleton(const rpSpace* space)
{
	return space->motions[0]->skeleton;
}

static bool checkNode(const rpParametricDef* def, int index, rpError* error)
{
	const rpParametricNodeDef* node = &def->nodes[index];
	// Players call it "any" where no node is requested.
	if (strlen(node->name) >= RP_PARAMETRIC_NAME || !rpIsModelName(node->name, false) || strcmp(node->name, "any") == 0)
	{
		return rpFail(error, rp_errorArgument, "\"%.80s\" is no name of a node: 1 to %d letters, and not \"any\"",
					  node->name, RP_PARAMETRIC_NAME - 1);
	}
	for (int i = 0; i < index; ++i)
	{
		if (strcmp(def->nodes[i].name, node->name) == 0)
		{
			return rpFail(error, rp_errorArgument, "two nodes have the name \"%s\"", node->name);
		}
	}
	if (node->space->motions == NULL)
	{
		return rpFail(error, rp_errorArgument, "the space of \"%s\" has no motions", node->name);
	}
	if (!rpSkeleton_Matches(getSkeleton(def->nodes[0].space), getSkeleton(node->space)))
	{
		rpFail(error, rp_errorArgument, "\"%s\" and \"%s\" are of two skeletons", def->nodes[0].name, node->name);
		rpError_SetHint(error, "bring the takes onto one: reprise convert --onto");
		return false;
	}
	return true;
}

static bool checkEdges(const rpParametricDef* def, rpError* error)
{
	for (int i = 0; i < def->edgeCount && def->edges != NULL; ++i)
	{
		const rpParametricEdgeDef* edge = &def->edges[i];
		bool isSound = edge->source >= 0 && edge->source < def->nodeCount && edge->target >= 0 &&
					   edge->target < def->nodeCount && edge->good >= 0.0f && isfinite(edge->good) &&
					   isfinite(edge->bad) && (edge->bad == 0.0f || edge->bad >= edge->good) && (int)edge->seam >= 0 &&
					   edge->seam < rp_parametricSeamCount;
		for (int k = 0; k < i && isSound; ++k)
		{
			isSound = def->edges[k].source != edge->source || def->edges[k].target != edge->target;
		}
		if (!isSound)
		{
			return rpFail(
				error, rp_errorArgument,
				"edge %d cannot be: it goes from one node to another, there is one of each kind, and what is bad "
				"is not nearer than what is good (%g, %g m)",
				i, (double)edge->good, (double)edge->bad);
		}
	}
	return true;
}

static bool checkDef(const rpParametricDef* def, rpError* error)
{
	bool done = def->nodeCount >= 1 && def->nodeCount <= RP_MAX_PARAMETRIC_NODES &&
				(def->edges == NULL || def->edgeCount <= RP_MAX_PARAMETRIC_EDGES);
	if (!done)
	{
		return rpFail(error, rp_errorArgument, "%d nodes and %d edges; 1 to %d and at most %d are allowed",
					  def->nodeCount, def->edgeCount, RP_MAX_PARAMETRIC_NODES, RP_MAX_PARAMETRIC_EDGES);
	}
	for (int i = 0; i < def->nodeCount && done; ++i)
	{
		done = checkNode(def, i, error);
	}
	return done && checkNumbers(def, error) && checkEdges(def, error);
}

// ---- the graph's parts

rpAxisMeaning rpFindAxisMeaning(const char* name)
{
	static const struct
	{
		const char* part;
		rpAxisMeaning meaning;
	} places[] = {{".x@", rp_axisX}, {".y@", rp_axisY}, {".z@", rp_axisZ}};
	// A difference of places is none.
	bool isSum = strchr(name, '+') != NULL || strchr(name, '-') != NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !isSum; ++i)
	{
		if (strstr(name, places[i].part) != NULL)
		{
			return places[i].meaning;
		}
	}
	bool isTurn = strcmp(name, "turn") == 0, isFacing = strcmp(name, "facing") == 0;
	return isTurn ? rp_axisTurn : isFacing ? rp_axisFacing : strcmp(name, "speed") == 0 ? rp_axisSpeed : rp_axisPlain;
}

bool rpTakeMetric(rpParametricGraph* graph, const rpMetric* metric, rpError* error)
{
	graph->markerCount = metric->markerCount;
	graph->halfWindow = metric->halfWindow;
	graph->fps = (float)metric->fps;
	graph->markers = rpAllocateZero((size_t)metric->markerCount, sizeof(rpParametricMarker), error);
	graph->window = rpAllocateZero(2 * (size_t)metric->halfWindow + 1, sizeof(float), error);
	if (graph->markers == NULL || graph->window == NULL)
	{
		return false;
	}
	for (int m = 0; m < metric->markerCount; ++m)
	{
		const rpMarker* marker = &metric->markers[m];
		graph->markers[m] = (rpParametricMarker){
			marker->joint, {marker->offset.x, marker->offset.y, marker->offset.z}, (float)metric->shares[m]};
	}
	for (int r = 0; r <= 2 * metric->halfWindow; ++r)
	{
		graph->window[r] = (float)metric->window[r];
	}
	return true;
}

static bool createMetric(Builder* builder)
{
	rpMetricDef own = rpDefaultMetricDef();
	own.window = WINDOW;
	const rpMetricDef* def = builder->def->metric != NULL ? builder->def->metric : &own;
	if (def->kind != rp_metricCloud || def->placed)
	{
		return rpFail(builder->error, rp_errorArgument,
					  "parametric graphs are made by distances of clouds of points, aligned on the floor");
	}
	builder->metric = rpCreateMetric(getSkeleton(builder->def->nodes[0].space), def, builder->error);
	return builder->metric != NULL && rpTakeMetric(builder->graph, builder->metric, builder->error);
}

static bool addNode(Builder* builder, int index)
{
	const rpParametricNodeDef* def = &builder->def->nodes[index];
	rpParametricNode* node = &builder->graph->nodes[index];
	memcpy(node->name, def->name, strlen(def->name) + 1);
	for (int k = 0; k < def->space->parameterCount; ++k)
	{
		node->axes[k] = rpFindAxisMeaning(def->space->parameters[k].name);
	}
	builder->makers[index] = rpCreateSpaceMaker(def->space, builder->error);
	node->space = builder->makers[index] != NULL ? rpCopySpace(def->space, builder->error) : NULL;
	return node->space != NULL;
}

static bool addNodes(Builder* builder)
{
	size_t count = (size_t)builder->def->nodeCount;
	builder->makers = rpAllocateZero(count, sizeof(rpSpaceMaker*), builder->error);
	builder->graph->nodes = rpAllocateZero(count, sizeof(rpParametricNode), builder->error);
	bool done = builder->makers != NULL && builder->graph->nodes != NULL;
	builder->graph->nodeCount = done ? (int)count : 0;
	for (int i = 0; i < (int)count && done; ++i)
	{
		done = addNode(builder, i);
	}
	return done;
}

// ---- edges

static const char* getName(const Builder* builder, int node)
{
	return builder->def->nodes[node].name;
}

// By how many parameters the source has: extremes, and what is between.
static int countSources(const rpParametricDef* def, const rpSpace* source)
{
	static const int counts[] = {24, 64, 125, 160, 200, 200};
	return def->sourceSamples > 0 ? def->sourceSamples : counts[source->parameterCount - 1];
}

// The same edge is the same in any graph.
static uint64_t getSeed(const Builder* builder, const rpParametricEdgeDef* edge)
{
	uint64_t seed = builder->def->seed;
	const char* names[2] = {getName(builder, edge->source), getName(builder, edge->target)};
	for (int i = 0; i < 2; ++i)
	{
		for (const char* at = names[i]; *at != 0; ++at)
		{
			// As in Fowler, Noll & Vo's hash.
			seed = (seed ^ (uint8_t)*at) * 1099511628211ULL;
		}
		seed = seed * 31 + 1;
	}
	return seed;
}

static bool compareNodes(const Builder* builder, const rpParametricEdgeDef* edge, rpTransitionTable* table)
{
	const rpParametricDef* def = builder->def;
	rpTransitionTableDef own = {.source = &builder->makers[edge->source]->model,
								.target = &builder->makers[edge->target]->model,
								.metric = builder->metric,
								.sourceCount = countSources(def, def->nodes[edge->source].space),
								.targetCount = def->targetSamples,
								.margin = (double)def->margin,
								.seed = getSeed(builder, edge),
								.threads = def->threads};
	return rpTransitionTable_Make(table, &own, builder->error);
}

// How near the nearest motions are.
static void describeDistances(const rpTransitionTable* table, rpParametricEdgeReport* report)
{
	double sum = 0.0;
	report->distanceMax = -1.0f;
	for (int i = 0; i < table->sourceCount; ++i)
	{
		float least = INFINITY;
		for (int j = 0; j < table->targetCount; ++j)
		{
			least = fminf(least, table->distances[(size_t)i * (size_t)table->targetCount + (size_t)j]);
		}
		sum += (double)least;
		if (least > report->distanceMax)
		{
			int dimension = table->source->parameterCount;
			report->distanceMax = least;
			memcpy(report->farthest, table->sourceValues + (size_t)i * (size_t)dimension,
				   (size_t)dimension * sizeof(float));
		}
	}
	report->distanceMean = (float)(sum / table->sourceCount);
}

// Of edges that may be partial some motions may be left out, if all were to cost too much.
static float findGood(const rpParametricDef* def, const rpTransitionTable* table)
{
	float good = rpFindThreshold(table, def->share, def->badFactor, 1.0f);
	if (def->partial && good > def->autoLimit)
	{
		good = rpFindThreshold(table, def->share, def->badFactor, def->coverage);
	}
	return fmaxf(good, UNSEEN);
}

static void chooseThresholds(const Builder* builder, const rpParametricEdgeDef* edge, const rpTransitionTable* table,
							 rpParametricEdgeReport* report)
{
	const rpParametricDef* def = builder->def;
	report->isFound = edge->good <= 0.0f;
	report->good = report->isFound ? findGood(def, table) : edge->good;
	report->bad = edge->bad > 0.0f && !report->isFound ? edge->bad : def->badFactor * report->good;
}

static void describeBoxes(const rpTransitionTable* table, const rpBoxNotes* notes, rpParametricEdgeReport* report)
{
	float share = (float)notes->insideCount / (float)table->targetCount;
	bool isFirst = report->sampleCount == 0;
	++report->sampleCount;
	report->emptyCount += notes->insideCount == 0;
	report->trimmedCount += notes->isTrimmed && notes->insideCount > 0;
	report->shareMean += (share - report->shareMean) / (float)report->sampleCount;
	report->shareMin = isFirst ? share : fminf(report->shareMin, share);
}

static bool addSamples(Builder* builder, const rpTransitionTable* table, rpParametricEdgeReport* report)
{
	rpParametricGraph* graph = builder->graph;
	bool done = true;
	for (int i = 0; i < table->sourceCount && done; ++i)
	{
		rpBoxNotes notes;
		done = rpGrow(&graph->samples, &builder->sampleCapacity, graph->sampleCount, sizeof(rpParametricSample),
					  builder->error);
		if (done)
		{
			rpFindBox(table, i, report->good, report->bad, NULL, &graph->samples[graph->sampleCount++], &notes);
			describeBoxes(table, &notes, report);
		}
	}
	return done;
}

// An edge that cannot be, with the motion that is farthest from any.
static bool failEdge(const Builder* builder, const rpParametricEdgeReport* report)
{
	const rpSpace* source = builder->def->nodes[report->source].space;
	char motion[200] = "";
	for (int k = 0, at = 0; k < source->parameterCount && at < (int)sizeof(motion) - 1; ++k)
	{
		const rpSpaceParameter* parameter = &source->parameters[k];
		at += snprintf(motion + at, sizeof(motion) - (size_t)at, "%s%s %.3g %s", k > 0 ? ", " : "", parameter->name,
					   (double)(rpSpaceParameter_GetScale(parameter) * report->farthest[k]),
					   rpSpaceParameter_GetUnit(parameter));
	}
	const char *from = getName(builder, report->source), *to = getName(builder, report->target);
	if (report->good < INFINITY)
	{
		rpFail(
			builder->error, rp_errorNoSolution,
			"no edge from %s to %s: %d of %d motions of %s lead nowhere; the farthest (%s) is %.3f m from the nearest "
			"motion of %s, %.3f m are allowed",
			from, to, report->emptyCount, report->sampleCount, from, motion, (double)report->distanceMax, to,
			(double)report->good);
		rpError_SetHint(builder->error, "allow more, allow edges that are partial (--partial), or leave the edge out");
		return false;
	}
	rpFail(
		builder->error, rp_errorNoSolution,
		"no edge from %s to %s: no threshold leaves every motion of %s so much of %s; the farthest (%s) is %.3f m from "
		"the nearest",
		from, to, from, to, motion, (double)report->distanceMax);
	rpError_SetHint(builder->error, "ask for a smaller share, give thresholds, or examples with margins");
	return false;
}

static bool keepEdge(Builder* builder, const rpParametricEdgeDef* def, const rpParametricEdgeReport* report,
					 rpTransitionTable* table)
{
	rpParametricGraph* graph = builder->graph;
	if (!rpGrow(&graph->edges, &builder->edgeCapacity, graph->edgeCount, sizeof(rpParametricEdge), builder->error) ||
		!rpGrow(&builder->tables, &builder->tableCapacity, graph->edgeCount, sizeof(rpTransitionTable), builder->error))
	{
		return false;
	}
	builder->tables[graph->edgeCount] = *table;
	*table = (rpTransitionTable){0};
	graph->edges[graph->edgeCount++] = (rpParametricEdge){.source = def->source,
														  .target = def->target,
														  .firstSample = graph->sampleCount - report->sampleCount,
														  .sampleCount = report->sampleCount,
														  .good = report->good,
														  .bad = report->bad,
														  .seam = def->seam,
														  .length = builder->def->seamLength,
														  .isPartial = report->emptyCount > 0};
	return true;
}

// An edge that was only proposed is left out where its threshold would be too large.
static bool addEdge(Builder* builder, const rpParametricEdgeDef* def, bool isProposed)
{
	rpParametricEdgeReport report = {.source = def->source, .target = def->target};
	rpTransitionTable table = {0};
	double start = rpGetSeconds();
	bool done = compareNodes(builder, def, &table);
	if (done)
	{
		describeDistances(&table, &report);
		chooseThresholds(builder, def, &table, &report);
		bool isLeftOut = isProposed && report.good > builder->def->autoLimit;
		done = isLeftOut || report.good == INFINITY || addSamples(builder, &table, &report);
		bool isThere = report.sampleCount > 0 && report.emptyCount < report.sampleCount &&
					   (report.emptyCount == 0 || builder->def->partial);
		if (done && !isLeftOut && !isThere)
		{
			done = isProposed || failEdge(builder, &report);
			builder->graph->sampleCount -= report.sampleCount;
		}
		report.isMade = isThere;
		done = done && (!isThere || keepEdge(builder, def, &report, &table));
	}
	rpTransitionTable_Free(&table);
	report.seconds = rpGetSeconds() - start;
	if (done && rpGrow(&builder->report.edges, &builder->reportCapacity, builder->report.edgeCount, sizeof(report),
					   builder->error))
	{
		builder->report.edges[builder->report.edgeCount++] = report;
		return true;
	}
	return false;
}

static bool goOn(const Builder* builder, int index, int count)
{
	const rpParametricDef* def = builder->def;
	return def->progress == NULL || def->progress((double)index / count, "edges", def->progressContext) ||
		   rpFail(builder->error, rp_errorCancelled, "stopped");
}

static bool addEdges(Builder* builder)
{
	const rpParametricDef* def = builder->def;
	bool isGiven = def->edges != NULL, done = true;
	int count = isGiven ? def->edgeCount : def->nodeCount * def->nodeCount;
	for (int i = 0; i < count && done; ++i)
	{
		rpParametricEdgeDef proposed = {.source = i / def->nodeCount, .target = i % def->nodeCount};
		done = goOn(builder, i, count) && addEdge(builder, isGiven ? &def->edges[i] : &proposed, !isGiven);
	}
	return done && (builder->graph->edgeCount > 0 ||
					rpFail(builder->error, rp_errorNoSolution,
						   "no motion of any node leads to one of another within %.3f m", (double)def->autoLimit));
}

// ---- what is odd

static bool hasEdge(const rpParametricGraph* graph, int node, bool leaves)
{
	bool has = false;
	for (int i = 0; i < graph->edgeCount && !has; ++i)
	{
		has = (leaves ? graph->edges[i].source : graph->edges[i].target) == node;
	}
	return has;
}

static void remark(const Builder* builder)
{
	const rpParametricGraph* graph = builder->graph;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		if (!hasEdge(graph, i, true))
		{
			rpFindings_Add(builder->findings, "dead_end", "%s leads nowhere: its motions end, and that is all",
						   graph->nodes[i].name);
		}
		if (!hasEdge(graph, i, false) && graph->nodeCount > 1)
		{
			rpFindings_Add(builder->findings, "unreached", "nothing leads to %s", graph->nodes[i].name);
		}
	}
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		const rpParametricEdge* edge = &graph->edges[i];
		if (edge->good > SEEN)
		{
			rpFindings_Add(
				builder->findings, "not_good",
				"from %s to %s motions up to %.3f m apart are blended, which is seen; a space between them, or "
				"other seams, may do better",
				graph->nodes[edge->source].name, graph->nodes[edge->target].name, (double)edge->good);
		}
	}
}

// ---- the driver

static void freeBuilder(Builder* builder)
{
	for (int i = 0; builder->makers != NULL && i < builder->def->nodeCount; ++i)
	{
		rpDestroySpaceMaker(builder->makers[i]);
	}
	for (int i = 0; builder->graph != NULL && i < builder->graph->edgeCount; ++i)
	{
		rpTransitionTable_Free(&builder->tables[i]);
	}
	rpFree(builder->makers);
	rpFree(builder->tables);
	rpDestroyMetric(builder->metric);
}

rpParametricGraph* rpBuildParametricGraph(const rpParametricDef* def, rpFindings* findings,
										  rpParametricBuildReport* report, rpError* error)
{
	Builder builder = {.def = def, .findings = findings, .error = error};
	builder.graph = checkDef(def, error) ? rpAllocateZero(1, sizeof(rpParametricGraph), error) : NULL;
	if (builder.graph == NULL)
	{
		return NULL;
	}
	builder.graph->margin = def->margin;
	bool done = createMetric(&builder) && addNodes(&builder) && addEdges(&builder) &&
				(!def->partial || rpCloseParametricGraph(builder.graph, builder.tables, error));
	if (done)
	{
		remark(&builder);
	}
	freeBuilder(&builder);
	rpParametricGraph* graph = builder.graph;
	if (!done)
	{
		rpDestroyParametricGraph(graph);
		graph = NULL;
	}
	if (report != NULL && done)
	{
		*report = builder.report;
	}
	else
	{
		rpParametricBuildReport_Free(&builder.report);
	}
	return graph;
}

// ---- thresholds against range

bool rpTradeParametricEdge(const rpParametricDef* def, int edge, const float* goods, int count, rpParametricTrade* out,
						   rpError* error)
{
	Builder builder = {.def = def, .error = error};
	rpTransitionTable table = {0};
	builder.graph = checkDef(def, error) ? rpAllocateZero(1, sizeof(rpParametricGraph), error) : NULL;
	bool done = builder.graph != NULL && createMetric(&builder) && addNodes(&builder) &&
				compareNodes(&builder, &def->edges[edge], &table);
	for (int n = 0; n < count && done; ++n)
	{
		rpParametricEdgeReport report = {0};
		double sum = 0.0;
		int inside = 0;
		for (int i = 0; i < table.sourceCount; ++i)
		{
			rpParametricSample sample;
			rpBoxNotes notes;
			rpFindBox(&table, i, goods[n], def->badFactor * goods[n], NULL, &sample, &notes);
			describeBoxes(&table, &notes, &report);
			for (int j = 0; j < table.targetCount; ++j)
			{
				const float* values = table.targetValues + (size_t)j * (size_t)table.target->parameterCount;
				bool isIn = rpParametricSample_Contains(&sample, values, table.target->parameterCount);
				inside += isIn;
				sum += isIn ? (double)table.distances[(size_t)i * (size_t)table.targetCount + (size_t)j] : 0.0;
			}
		}
		out[n] =
			(rpParametricTrade){goods[n], report.shareMean, report.shareMin, inside > 0 ? (float)(sum / inside) : 0.0f};
	}
	rpTransitionTable_Free(&table);
	freeBuilder(&builder);
	rpDestroyParametricGraph(builder.graph);
	return done;
}
