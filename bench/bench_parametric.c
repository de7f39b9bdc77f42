/// Parametric graphs: how long they take to build, how fast and how evenly they are played, how well motions in the
/// stream do what was asked of them, how soon they answer, and how good seams and feet are.
#include "bench.h"
#include "math/order.h"
#include "model/parametric_step.h"
#include "parametric_graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FPS 60.0

enum
{
	/// Ticks that are timed, each several times: the least counts, as others on the machine only add to it.
	tickCount = 30000,
	quickTicks = 6000,
	rounds = 4,

	/// Motions that are recorded and measured; transitions at random.
	streamMotions = 400,
	quickMotions = 60,
	randomTransitions = 10000,
	quickTransitions = 1000,
};

// What is asked for changes after so many seconds, at random between these.
#define SOONEST 1.0f
#define LATEST 4.0f

// A parameter is met within this, by unit: as spaces are built to (rpSpaceDef.tolerances).
static float getTolerance(const rpSpaceParameter* parameter)
{
	const char* unit = rpSpaceParameter_GetUnit(parameter);
	return parameter->isAngle           ? (float)RP_DEGREE
		   : strcmp(unit, "m/s") == 0 ? 0.03f
		   : strcmp(unit, "s") == 0   ? 0.02f
										: 0.01f;
}

/// A graph being tried.
typedef struct Trial
{
	const ParametricGraphKind* kind;
	const ParametricGraph* made;
	rpBundle* bundle;
	void* bytes;
	bool isQuick;
	BenchReport* report;
} Trial;

static void put(const Trial* trial, const char* name, double value, const char* what)
{
	benchPut(trial->report, benchMakeKey(trial->kind->name, name), value, what);
}

// ---- what is asked for

/// Requests at random: a node that can follow, values over all of its range, for some seconds.
typedef struct Asker
{
	const rpParametricGraph* graph;
	rpRandom random;
	rpPlayerInput input;
	double until;
} Asker;

static bool ask(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	Asker* asker = context;
	(void)player;
	if (time >= asker->until)
	{
		int node = rpRandom_Index(&asker->random, asker->graph->nodeCount);
		const rpSpace* space = asker->graph->nodes[node].space;
		asker->input = (rpPlayerInput){.request = node + 1, .space = {.isGiven = true}};
		for (int k = 0; k < space->parameterCount; ++k)
		{
			asker->input.space.values[k] =
				rpRandom_Range(&asker->random, space->parameters[k].low, space->parameters[k].high);
		}
		asker->until = time + (double)rpRandom_Range(&asker->random, SOONEST, LATEST);
	}
	*out = asker->input;
	return true;
}

// ---- ticks

static rpPlayer* createPlayer(const Trial* trial, uint64_t seed)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	rpError error = {0};
	def.parametric.seed = seed;
	rpPlayer* player = rpCreatePlayer(trial->bundle, &def, &error);
	if (player == NULL)
	{
		fprintf(stderr, "reprise-bench: %s: %s\n", trial->kind->name, error.message);
	}
	return player;
}

static bool measureTicks(const Trial* trial)
{
	int count = trial->isQuick ? quickTicks : tickCount;
	double* ticks = malloc((size_t)count * sizeof(double));
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	double fastest = INFINITY;
	for (int round = 0; round < rounds; ++round)
	{
		rpPlayer* player = createPlayer(trial, 1);
		rpPlayerInput input = {.parametric = {.isRandom = true}};
		double cpu = benchCpuTime();
		for (int i = 0; i < count && player != NULL; ++i)
		{
			double start = benchNow();
			rpPlayer_Step(player, 1.0 / FPS, &input, &pose, NULL);
			double own = benchNow() - start;
			ticks[i] = round == 0 ? own : fmin(ticks[i], own);
		}
		fastest = fmin(fastest, benchCpuTime() - cpu);
		rpDestroyPlayer(player);
		if (player == NULL)
		{
			free(ticks);
			return false;
		}
	}
	qsort(ticks, (size_t)count, sizeof(double), rpCompareDoubles);
	double median = ticks[count / 2];
	put(trial, "frames_per_s", count / fastest, "frames per second on one core, feet held, of a random walk");
	put(trial, "tick_us", 1e6 * median, "microseconds of a tick, median");
	put(trial, "tick_p999_vs_median", ticks[(int)(0.999 * count)] / median, "its 99.9th percentile over its median");
	put(trial, "tick_max_vs_median", ticks[count - 1] / median, "the dearest over the median");
	free(ticks);
	return true;
}

// ---- transitions at random

static bool measureTransitions(const Trial* trial)
{
	int count = trial->isQuick ? quickTransitions : randomTransitions, last = 0, seen = 0, repaired = 0, forced = 0,
		above = 0;
	double distance = 0.0, farthest = 0.0;
	rpPlayer* player = createPlayer(trial, 2);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayerInput input = {.parametric = {.isRandom = true}};
	bool isFinite = true;
	while (player != NULL && seen < count && isFinite)
	{
		rpPlayer_Step(player, 1.0 / FPS, &input, &pose, &report);
		isFinite = isfinite(pose.rootPosition.x + rotations[0].w + rotations[5].x);
		if (report.parametric.number == last)
		{
			continue;
		}
		last = report.parametric.number;
		++seen;
		repaired += report.parametric.repairs > 0;
		forced += report.parametric.isForced;
		above += report.parametric.distance > report.parametric.bad;
		distance += (double)report.parametric.distance;
		farthest = fmax(farthest, (double)report.parametric.distance / (double)report.parametric.bad);
	}
	rpDestroyPlayer(player);
	put(trial, "transitions", seen, "transitions at random");
	put(trial, "repairs_ratio", seen > 0 ? (double)repaired / seen : (double)NAN, "share of them that were repaired");
	put(trial, "forced_ratio", seen > 0 ? (double)forced / seen : (double)NAN,
		"share of them to what was found when the graph was built");
	put(trial, "above_bad_ratio", seen > 0 ? (double)above / seen : (double)NAN, "share of them above T_BAD");
	put(trial, "distance_mean_m", seen > 0 ? distance / seen : (double)NAN, "distance at seams, metres, mean");
	put(trial, "distance_max_vs_bad", farthest, "the greatest over its T_BAD");
	return isFinite && seen == count;
}

// ---- a stream that is measured

/// What motions of a stream do, in tolerances off what was granted.
typedef struct Accuracy
{
	double stream, space;

	/// Degrees that bodies turn otherwise than what the space makes alone.
	double facing;
	int count, missed, asked;
} Accuracy;

/// A stream with what was reported of each motion, [motionCount].
typedef struct Stream
{
	rpMotion* motion;
	rpParametricReport* reports;
	int motionCount;
} Stream;

static bool addReport(Stream* stream, const rpParametricReport* report)
{
	if (stream->motionCount > 0 && stream->reports[stream->motionCount - 1].number == report->number)
	{
		return true;
	}
	stream->reports[stream->motionCount++] = *report;
	return true;
}

// Record it with contacts and seams; requests are those of the asker.
static bool recordStream(const Trial* trial, int count, Stream* out)
{
	Asker asker = {.graph = trial->made->graph, .random = rpSeedRandom(9)};
	rpPlayer* player = createPlayer(trial, 3);
	rpRecordDef def = rpDefaultRecordDef();
	rpRecording recording = {0};
	rpError error = {0};
	*out = (Stream){.reports = calloc((size_t)count + 2, sizeof(rpParametricReport))};
	// First to learn what is played, then once more, which is the same, to record it.
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	double time = 0.0;
	for (; player != NULL && out->motionCount <= count; time += 1.0 / FPS)
	{
		rpPlayerInput input;
		(void)ask(&asker, player, time, &input);
		rpPlayer_Step(player, time > 0.0 ? 1.0 / FPS : 0.0, &input, &pose, &report);
		(void)addReport(out, &report.parametric);
	}
	if (player == NULL)
	{
		return false;
	}
	rpPlayer_Reset(player, rpGroundTransform_identity);
	asker = (Asker){.graph = trial->made->graph, .random = rpSeedRandom(9)};
	def.fps = FPS;
	def.seconds = time;
	def.steer = ask;
	def.context = &asker;
	bool done = rpRecordPlayer(player, &def, &recording, &error);
	out->motion = recording.motion;
	recording.motion = NULL;
	rpRecording_Free(&recording);
	rpDestroyPlayer(player);
	return done;
}

static void freeStream(Stream* stream)
{
	rpDestroyMotion(stream->motion);
	free(stream->reports);
}

// When events happen in a motion as it was planned: the stream's annotations have none.
static bool addEvents(const rpParametricModel* model, const rpParametricReport* report, rpMotion* motion)
{
	static rpSpan span;
	const rpSpaceModel* space = &model->spaces[report->node];
	rpParametricClip clip;
	rpPlanParametricClip(space, report->node, report->granted, model->margin, &span, &clip);
	const char* name = space->space->events;
	bool done = true;
	for (int i = 0; i < space->space->eventCount && done; ++i)
	{
		double time = rpSpaceModel_FindEvent(space, &span, i) - clip.start + report->start;
		done = isnan(time) || time < 0.0 || time > rpMotion_GetDuration(motion) ||
			   rpAnnotations_AddEvent(&motion->annotations, name, time, NULL);
		name += strlen(name) + 1;
	}
	return done;
}

static double getMiss(const rpSpace* space, const float* a, const float* b)
{
	double sum = 0.0;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		sum += (double)(fabsf(a[k] - b[k]) / getTolerance(&space->parameters[k]));
	}
	return sum / space->parameterCount;
}

// How differently the body turns, degrees. The turn of travel is that of a path smoothed over what is around a stretch, which
// in a stream are other motions.
static double getFacingMiss(const rpFeatureStretch* a, const rpFeatureStretch* b)
{
	rpFeatureList* features = rpCreateFeatureList("facing", a->motion->skeleton, NULL, NULL);
	float x = 0.0f, y = 0.0f;
	bool done = rpFeatureList_Measure(features, a, &x, NULL) && rpFeatureList_Measure(features, b, &y, NULL);
	rpDestroyFeatureList(features);
	return done ? fabs((double)rpWrapAngle(x - y)) / RP_DEGREE : (double)NAN;
}

// The motion of the stream against what the space itself makes of the same values.
static void measureMotion(const Trial* trial, const rpParametricReport* report, const rpMotion* motion,
						  const rpSpaceMaker* maker, Accuracy* out)
{
	const rpSpace* space = trial->made->spaces[report->node];
	rpFeatureList* features =
		rpCreateFeatureList(trial->made->features[report->node], motion->skeleton, NULL, NULL);
	rpFeatureStretch stretch = {motion, report->start, report->end};
	float values[RP_MAX_SPACE_PARAMETERS], own[RP_MAX_SPACE_PARAMETERS];
	rpSpaceMotion answer;
	rpMotion* made = rpSpaceMaker_Make(maker, report->granted, NULL, FPS, &answer, NULL);
	rpFeatureStretch whole = {made, 0.0, made != NULL ? fmin(answer.seconds, rpMotion_GetDuration(made)) : 0.0};
	if (made != NULL && rpFeatureList_Measure(features, &stretch, values, NULL) &&
		rpFeatureList_Measure(features, &whole, own, NULL))
	{
		out->stream += getMiss(space, values, report->granted);
		out->space += getMiss(space, own, report->granted);
		out->facing += getFacingMiss(&stretch, &whole);
		++out->count;
	}
	rpDestroyMotion(made);
	rpDestroyFeatureList(features);
}

static bool isMissed(const rpSpace* space, const rpParametricReport* report)
{
	bool missed = false;
	for (int k = 0; k < space->parameterCount && !missed; ++k)
	{
		float tolerance = getTolerance(&space->parameters[k]), asked = report->requested[k];
		missed = asked < report->low[k] - tolerance || asked > report->high[k] + tolerance;
	}
	return missed;
}

static bool measureAccuracy(const Trial* trial, Stream* stream)
{
	rpParametricModel model;
	rpSpaceMaker* makers[parametric_maxNodes] = {0};
	Accuracy accuracy = {0};
	bool done = rpParametricModel_Read(&model, trial->bundle, NULL);
	for (int i = 0; i < trial->made->nodeCount && done; ++i)
	{
		makers[i] = rpCreateSpaceMaker(trial->made->spaces[i], NULL);
		done = makers[i] != NULL;
	}
	for (int i = 0; i + 1 < stream->motionCount && done; ++i)
	{
		done = addEvents(&model, &stream->reports[i], stream->motion);
	}
	// The last is not whole, and the first was not asked for while another one was played.
	for (int i = 1; i + 1 < stream->motionCount && done; ++i)
	{
		const rpParametricReport* report = &stream->reports[i];
		measureMotion(trial, report, stream->motion, makers[report->node], &accuracy);
		accuracy.asked += report->requestedNode == report->node;
		accuracy.missed +=
			report->requestedNode == report->node && isMissed(trial->made->spaces[report->node], report);
	}
	put(trial, "stream_accuracy_mean", accuracy.stream / accuracy.count,
		"how far motions of the stream are from what was granted, tolerances (1 cm, 1 degree, 0.03 m/s, 0.02 s), mean");
	put(trial, "space_accuracy_mean", accuracy.space / accuracy.count, "the same of motions that the space makes alone");
	put(trial, "stream_facing_deg", accuracy.facing / accuracy.count,
		"degrees by which bodies turn otherwise than in the space's own motion of the same values, mean");
	put(trial, "missed_ratio", (double)accuracy.missed / fmax(accuracy.asked, 1.0),
		"share of motions asked for over all ranges that boxes kept from being met");
	for (int i = 0; i < trial->made->nodeCount; ++i)
	{
		rpDestroySpaceMaker(makers[i]);
	}
	rpParametricModel_Free(&model);
	return done;
}

static void measureResponse(const Trial* trial, const Stream* stream)
{
	double sum = 0.0, max = 0.0, lengths = 0.0, longest = 0.0;
	int count = 0;
	for (int i = 0; i < stream->motionCount; ++i)
	{
		const rpParametricReport* report = &stream->reports[i];
		lengths += report->end - report->start;
		longest = fmax(longest, report->end - report->start);
		sum += report->isAnswer ? (double)report->response : 0.0;
		max = report->isAnswer ? fmax(max, (double)report->response) : max;
		count += report->isAnswer;
	}
	put(trial, "response_ms_mean", 1000.0 * sum / count, "from a change of what is asked for until its motion begins, mean");
	put(trial, "response_ms_max", 1000.0 * max, "the longest");
	put(trial, "clip_ms_mean", 1000.0 * lengths / stream->motionCount, "how long motions are, mean");
	put(trial, "clip_ms_max", 1000.0 * longest, "the longest of them");
}

static bool measureQuality(const Trial* trial, const Stream* stream)
{
	const rpMotion* references[256];
	rpEvaluateDef def = rpDefaultEvaluateDef();
	rpMeasures measures;
	int count = 0;
	for (int n = 0; n < trial->made->nodeCount; ++n)
	{
		const rpSpace* space = trial->made->spaces[n];
		int step = space->exampleCount / 30 + 1;
		for (int i = 0; i < space->exampleCount && count < 256; i += step)
		{
			references[count++] = space->motions[i];
		}
	}
	def.references = references;
	def.referenceCount = count;
	if (!rpEvaluate(stream->motion, &def, &measures, NULL))
	{
		return false;
	}
	put(trial, "slide_mm_mean", measures.values[rp_measureSlideMean], "how far feet slide in a stance, mm, mean");
	put(trial, "skate_ratio", measures.values[rp_measureSkateRatio], "share of stances in which they do, by our judge");
	put(trial, "seam_velocity_ratio_max", measures.values[rp_measureSeamVelocity],
		"greatest change of velocity at a seam over the 95th percentile of the clips'");
	put(trial, "seam_pose_ratio_max", measures.values[rp_measureSeamPose], "the same of poses");
	return true;
}

static bool measureStream(const Trial* trial)
{
	Stream stream;
	bool done = recordStream(trial, trial->isQuick ? quickMotions : streamMotions, &stream);
	if (done)
	{
		measureResponse(trial, &stream);
		// Before events are added, which the judge need not know.
		done = measureQuality(trial, &stream);
		done = measureAccuracy(trial, &stream) && done;
	}
	freeStream(&stream);
	return done;
}

// ---- the whole

static void describe(const Trial* trial, double bundleSize)
{
	const ParametricGraph* made = trial->made;
	double slowest = 0.0, good = 0.0, share = 0.0;
	int examples = 0;
	for (int i = 0; i < made->built.edgeCount; ++i)
	{
		slowest = fmax(slowest, made->built.edges[i].seconds);
		good = fmax(good, (double)made->built.edges[i].good);
		share += (double)made->built.edges[i].shareMean / made->built.edgeCount;
	}
	for (int i = 0; i < made->nodeCount; ++i)
	{
		examples += made->spaces[i]->exampleCount;
	}
	char* text = rpParametricGraph_Export(made->graph, NULL);
	put(trial, "nodes", made->nodeCount, "nodes");
	put(trial, "edges", made->graph->edgeCount, "edges");
	put(trial, "examples", examples, "examples");
	put(trial, "edge_build_s", slowest, "seconds for an edge, the slowest");
	put(trial, "graph_build_s", made->spaceSeconds + made->graphSeconds, "seconds for spaces and graph");
	put(trial, "good_max_m", good, "T_GOOD, the largest of the edges', metres");
	put(trial, "share_mean", share, "part of a target that motions lead to, mean over the edges");
	put(trial, "export_kb", text != NULL ? (double)strlen(text) / 1000.0 : (double)NAN, "the graph as text, kB");
	put(trial, "bundle_mb", bundleSize / 1e6, "its bundle, MB");
	rpFreeText(text);
	if (trial->kind->thesisNodes > 0)
	{
		put(trial, "thesis_nodes", trial->kind->thesisNodes, "the thesis' nodes");
		put(trial, "thesis_edges", trial->kind->thesisEdges, "its edges");
		put(trial, "thesis_examples", trial->kind->thesisExamples, "its examples");
	}
	if (trial->kind->thesisSeconds > 0.0)
	{
		put(trial, "thesis_build_s", trial->kind->thesisSeconds, "seconds that the thesis' took to build, at most");
	}
}

static bool tryGraph(const ParametricGraphKind* kind, const char* folder, bool isQuick, BenchReport* report)
{
	ParametricGraph made;
	bool done = parametricMake(kind, folder, &made);
	Trial trial = {.kind = kind, .made = &made, .isQuick = isQuick, .report = report};
	size_t size = 0;
	trial.bytes = done ? rpWriteParametricBundle(made.graph, &size, NULL) : NULL;
	trial.bundle = trial.bytes != NULL ? rpCreateBundle(trial.bytes, size, NULL) : NULL;
	done = trial.bundle != NULL;
	if (done)
	{
		describe(&trial, (double)size);
		done = measureTicks(&trial) && measureTransitions(&trial) && measureStream(&trial);
	}
	rpDestroyBundle(trial.bundle);
	rpFreeBytes(trial.bytes);
	parametricFree(&made);
	return done;
}

bool benchParametric(const BenchOptions* options, BenchReport* report)
{
	const char* folder = getenv("REPRISE_MOCAP");
	bool done = true;
	for (int i = 0; i < parametricGraphCount; ++i)
	{
		const ParametricGraphKind* kind = &parametricGraphs[i];
		if (!benchIsWanted(options, kind->name) || (kind->isCaptured && folder == NULL))
		{
			continue;
		}
		if (!tryGraph(kind, folder, options->quick, report))
		{
			fprintf(stderr, "reprise-bench: %s: not all of it could be measured\n", kind->name);
			done = false;
		}
	}
	return done;
}
