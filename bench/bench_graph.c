/// Motion graphs: how long they take to build, how fast and how well motions on them follow paths, against the thesis'
/// search too; how their seams and feet are; and steering. On the performer's motions, and on captured ones where they
/// are.
#include "bench.h"
#include "graph_examples.h"
#include "graph_seams.h"
#include "graph_shapes.h"
#include "thesis_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUILD_ROUNDS 9
#define PATH_ROUNDS 5

/// X(enumerator, its label, what its keys begin with)
#define MANNERS(X)               \
	X(mannerWalking, "walk", "") \
	X(mannerFighting, "martial", "martial_")

typedef enum Manner
{
#define X(enumerator, label, prefix) enumerator,
	MANNERS(X)
#undef X
		mannerCount,
} Manner;

static const char* const s_labels[] = {
#define X(enumerator, label, prefix) label,
	MANNERS(X)
#undef X
};

static const char* const s_prefixes[] = {
#define X(enumerator, label, prefix) prefix,
	MANNERS(X)
#undef X
};

static const char* const s_shapes[] = {
#define X(enumerator, name) name,
	GRAPH_SHAPES(X)
#undef X
};

/// A graph and the motions that it was built from.
typedef struct Scene
{
	GraphExamples examples;
	rpGraph* graph;
	bool isCaptured;
} Scene;

enum
{
	maxKeys = 128,
	keySize = 96,
};

// Put a figure under a key that says whose it is and of which manner.
static void put(const Scene* scene, Manner manner, BenchReport* report, const char* key, double value, const char* what)
{
	static char keys[maxKeys][keySize];
	static int count = 0;
	char* own = keys[count < maxKeys - 1 ? count++ : count];
	snprintf(own, keySize, "%s%s%s", scene->isCaptured ? "capture_" : "", s_prefixes[manner], key);
	benchPut(report, own, value, what);
}

static rpGraph* build(const Scene* scene)
{
	rpGraphDef def = rpDefaultGraphDef();
	rpError error = {0};
	// One person's turns are as often to one side as to the other; few people's are.
	def.mirror = scene->isCaptured;
	rpGraph* graph =
		rpBuildGraphOf((const rpMotion* const*)scene->examples.motions, scene->examples.count, &def, NULL, &error);
	if (graph == NULL)
	{
		fprintf(stderr, "reprise-bench: %s\n", error.message);
	}
	return graph;
}

static bool measureBuild(Scene* scene, BenchReport* report)
{
	double best = INFINITY;
	for (int i = 0; i < BUILD_ROUNDS; ++i)
	{
		double start = benchNow();
		rpGraph* graph = build(scene);
		if (graph == NULL)
		{
			return false;
		}
		best = fmin(best, benchNow() - start);
		rpDestroyGraph(graph);
	}
	benchCountHeap();
	rpDestroyGraph(build(scene));
	double peak = benchStopCounting();
	if (!scene->isCaptured)
	{
		benchPut(report, "build_6200_s", best,
				 "s to build a graph of 6,200 frames, the best of some (the thesis: 45.3)");
		benchPut(report, "build_peak_mb", peak, "MB at most while it is built");
	}
	else
	{
		benchPut(report, "capture_frames", scene->examples.frameCount, "frames at 30 Hz of captured motion");
		benchPut(report, "capture_build_s", best, "s to build a graph of them and their mirror images");
		benchPut(report, "capture_build_peak_mb", peak, "MB at most while it is built");
	}
	scene->graph = build(scene);
	return scene->graph != NULL;
}

// ---- paths

static uint64_t getLabels(const rpGraph* graph, const char* name)
{
	int label = rpGraph_FindLabel(graph, name);
	return label >= 0 ? 1ull << label : 0;
}

// Where seams are free the walk keeps to the path as closely as it can, as the thesis' does.
static rpWalk* follow(const rpGraph* graph, GraphShape shape, Manner manner, bool areSeamsFree, rpPathReport* report)
{
	static rpVec2 points[graphShapePoints];
	rpPathStyle style = {0.0, getLabels(graph, s_labels[manner])};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = benchDrawShape(shape, points);
	def.styles = &style;
	def.styleCount = 1;
	def.seamPrice = areSeamsFree ? 0.0 : def.seamPrice;
	rpError error = {0};
	rpWalk* walk = rpGraph_FollowPath(graph, &def, report, &error);
	if (walk == NULL)
	{
		fprintf(stderr, "reprise-bench: %s, shape %d: %s\n", s_labels[manner], shape, error.message);
	}
	return walk;
}

// The same by the search of the thesis; what it is off the path on average.
static double followAsInThesis(const rpGraph* graph, GraphShape shape, Manner manner)
{
	static rpVec2 points[graphShapePoints];
	double error = (double)NAN;
	int count = benchDrawShape(shape, points);
	if (!benchFollowAsInThesis(graph, getLabels(graph, s_labels[manner]), points, count, &error))
	{
		fprintf(stderr, "reprise-bench: %s, shape %d: the thesis' search does not get on\n", s_labels[manner], shape);
	}
	return error;
}

static bool measureSpeed(const Scene* scene, BenchReport* report)
{
	double best = 0.0;
	for (int i = 0; i < PATH_ROUNDS; ++i)
	{
		rpPathReport path;
		double start = benchCpuTime();
		rpWalk* walk = follow(scene->graph, shapeLong, mannerWalking, false, &path);
		double seconds = benchCpuTime() - start;
		if (walk == NULL)
		{
			return false;
		}
		rpDestroyWalk(walk);
		best = fmax(best, path.seconds / seconds);
	}
	benchPut(report, scene->isCaptured ? "capture_path_times_real_time" : "path_times_real_time", best,
			 "times as fast as real time, eights of 94 m: the search on one thread (the thesis: 10)");
	return true;
}

// ---- how the motions are

/// Of the motions of one manner: seams, feet, jerk.
typedef struct Quality
{
	Jumps jumps, clipJumps;
	double slide, jerk;
	int count;
} Quality;

// Whether a clip is of a manner, or partly so.
static bool isOfManner(const rpMotion* motion, Manner manner)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (interval->track == rp_trackLabel && strcmp(interval->name, s_labels[manner]) == 0)
		{
			return true;
		}
	}
	return false;
}

static bool judge(const Scene* scene, const rpMotion* motion, Quality* quality)
{
	rpEvaluateDef def = rpDefaultEvaluateDef();
	rpMeasures measures;
	def.references = (const rpMotion* const*)scene->examples.motions;
	def.referenceCount = scene->examples.count;
	if (!rpEvaluate(motion, &def, &measures, NULL))
	{
		return false;
	}
	double slide = measures.values[rp_measureSlideMean];
	quality->slide += isfinite(slide) ? slide : 0.0;
	quality->jerk += isfinite(slide) ? measures.values[rp_measureJerk] : 0.0;
	quality->count += isfinite(slide);
	return true;
}

static bool judgeWalk(const Scene* scene, const rpWalk* walk, Quality* quality)
{
	rpMotion* motion = rpWalk_MakeMotion(walk, scene->graph, 0.0, true, NULL);
	bool done = motion != NULL && judge(scene, motion, quality) &&
				benchAddJumps(scene->graph, walk, motion, &quality->jumps, &quality->clipJumps);
	rpDestroyMotion(motion);
	return done;
}

static bool judgeSources(const Scene* scene, Manner manner, Quality* quality)
{
	bool done = true;
	for (int i = 0; i < scene->examples.count && done; ++i)
	{
		const rpMotion* motion = scene->examples.motions[i];
		done = !isOfManner(motion, manner) || judge(scene, motion, quality);
	}
	return done;
}

static void reportQuality(const Scene* scene, Manner manner, const Quality* made, const Quality* source,
						  BenchReport* report)
{
	JumpRatio ratio = benchCompareJumps(&made->jumps, &made->clipJumps);
	put(scene, manner, report, "seam_velocity_ratio_max", ratio.max,
		"95th percentile of the change of velocity in transitions against that of the blended clips, worst joint");
	put(scene, manner, report, "seam_velocity_ratio_mean", ratio.mean, "the same, mean over the joints");
	put(scene, manner, report, "seam_velocity_above", ratio.above,
		"share of it above the clips' 95th percentile (of the clips 0.05)");
	put(scene, manner, report, "slide_mm_mean", made->slide / made->count,
		"mm that resting feet slide, mean over the paths, feet locked");
	put(scene, manner, report, "source_slide_mm_mean", source->slide / source->count, "the same of the clips");
	put(scene, manner, report, "jerk_ratio", made->jerk / made->count,
		"mean jerk of the joints against that of all clips");
	put(scene, manner, report, "source_jerk_ratio", source->jerk / source->count, "the same of the clips of this kind");
}

/// Sums over the shapes.
typedef struct Errors
{
	double own, precise, thesis, worst;
} Errors;

static bool measureShape(const Scene* scene, GraphShape shape, Manner manner, Quality* made, Errors* errors,
						 BenchReport* report)
{
	rpPathReport own, precise;
	rpWalk* walk = follow(scene->graph, shape, manner, false, &own);
	rpWalk* preciseWalk = follow(scene->graph, shape, manner, true, &precise);
	bool done = walk != NULL && preciseWalk != NULL && judgeWalk(scene, walk, made);
	rpDestroyWalk(walk);
	rpDestroyWalk(preciseWalk);
	if (!done)
	{
		return false;
	}
	double thesis = followAsInThesis(scene->graph, shape, manner);
	char key[48];
	snprintf(key, sizeof(key), "path_error_%s_m", s_shapes[shape]);
	put(scene, manner, report, key, own.errorMean, "m from the path, mean");
	snprintf(key, sizeof(key), "path_error_%s_thesis_m", s_shapes[shape]);
	put(scene, manner, report, key, thesis, "the same by the thesis' search");
	errors->own += own.errorMean / graphShapeCount;
	errors->precise += precise.errorMean / graphShapeCount;
	errors->thesis += thesis / graphShapeCount;
	errors->worst = fmax(errors->worst, precise.errorMean / thesis);
	return true;
}

static bool measureManner(const Scene* scene, Manner manner, BenchReport* report)
{
	Quality made = {0}, source = {0};
	Errors errors = {0};
	bool done = judgeSources(scene, manner, &source);
	for (int shape = 0; shape < graphShapeCount && done; ++shape)
	{
		done = measureShape(scene, (GraphShape)shape, manner, &made, &errors, report);
	}
	if (done)
	{
		put(scene, manner, report, "path_error_mean_m", errors.own, "m from the path, mean over the shapes");
		put(scene, manner, report, "path_error_mean_free_seams_m", errors.precise,
			"the same where seams cost nothing, as in the thesis");
		put(scene, manner, report, "path_error_mean_thesis_m", errors.thesis,
			"the same by the thesis' search: branch and bound in windows, eq. 4.15");
		put(scene, manner, report, "path_error_worst_ratio", errors.worst,
			"greatest error of a shape where seams cost nothing against that of the thesis' search");
		reportQuality(scene, manner, &made, &source, report);
	}
	benchFreeJumps(&made.jumps);
	benchFreeJumps(&made.clipJumps);
	return done;
}

static bool measureScene(Scene* scene, BenchReport* report)
{
	bool done = measureBuild(scene, report) && measureSpeed(scene, report);
	for (int manner = 0; manner < mannerCount && done; ++manner)
	{
		done = measureManner(scene, (Manner)manner, report);
	}
	rpDestroyGraph(scene->graph);
	benchFreeExamples(&scene->examples);
	return done;
}

bool benchGraph(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	Scene performed = {0}, captured = {.isCaptured = true};
	bool done =
		benchPerformExamples(&performed.examples) && measureScene(&performed, report) && benchGraphSteer(report);
	return done && (!benchCaptureExamples(&captured.examples) || measureScene(&captured, report));
}
