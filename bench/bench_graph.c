/// Motion graphs: how long they take to build, how fast and how well motions on them follow paths, against the thesis'
/// search too; how their seams and feet are; and steering. On the performer's motions, and on captured ones where they
/// are.
#include "bench.h"
#include "graph_examples.h"
#include "graph_shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUILD_ROUNDS 9
#define PATH_ROUNDS 5

// Between moments of clips that are looked at as if they were seams, seconds.
#define SEAM_GAP 0.75

// The thesis' search: branch and bound alone in windows of 90 frames, the best length for it, with a hundred times the
// effort that ours takes.
#define THESIS_EFFORT 2000000
#define THESIS_WINDOW 90

static const char* const s_keys[][graphShapeCount] = {
#define X(enumerator, key, thesisKey, captureKey) key,
	{GRAPH_SHAPES(X)},
#undef X
#define X(enumerator, key, thesisKey, captureKey) thesisKey,
	{GRAPH_SHAPES(X)},
#undef X
#define X(enumerator, key, thesisKey, captureKey) captureKey,
	{GRAPH_SHAPES(X)},
#undef X
};

/// A graph and the motions that it was built from.
typedef struct Scene
{
	GraphExamples examples;
	rpGraph* graph;
	bool isCaptured;
} Scene;

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

static rpWalk* follow(const rpGraph* graph, GraphShape shape, bool asInThesis, rpPathReport* report)
{
	static rpVec2 points[graphShapePoints];
	rpPathStyle style = {0.0, getLabels(graph, "walk")};
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = benchDrawShape(shape, points);
	def.styles = &style;
	def.styleCount = 1;
	if (asInThesis)
	{
		def.search.beam = 0;
		def.search.effort = THESIS_EFFORT;
		def.search.searchedFrames = THESIS_WINDOW;
		def.alongWeight = 1.0;
		def.transitionWeight = 0.0;
	}
	rpError error = {0};
	rpWalk* walk = rpGraph_FollowPath(graph, &def, report, &error);
	if (walk == NULL)
	{
		fprintf(stderr, "reprise-bench: shape %d: %s\n", shape, error.message);
	}
	return walk;
}

static bool measureSpeed(const Scene* scene, BenchReport* report)
{
	double best = 0.0;
	for (int i = 0; i < PATH_ROUNDS; ++i)
	{
		rpPathReport path;
		double start = benchCpuTime();
		rpWalk* walk = follow(scene->graph, shapeLong, false, &path);
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

/// Means over motions, and the worst.
typedef struct Quality
{
	double seam, slide, skate, jerk;
	int count;
} Quality;

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
	quality->seam = fmax(quality->seam, measures.values[rp_measureSeamVelocity]);
	quality->slide += isfinite(slide) ? slide : 0.0;
	quality->skate += isfinite(slide) ? measures.values[rp_measureSkateRatio] : 0.0;
	quality->jerk += isfinite(slide) ? measures.values[rp_measureJerk] : 0.0;
	quality->count += isfinite(slide);
	return true;
}

static bool judgeWalk(const Scene* scene, const rpWalk* walk, Quality* quality)
{
	rpMotion* motion = rpWalk_MakeMotion(walk, scene->graph, 0.0, true, NULL);
	bool done = motion != NULL && judge(scene, motion, quality);
	rpDestroyMotion(motion);
	return done;
}

// The clips themselves, as if they had seams: what clean motion shows at the moments that are looked at.
static bool judgeSources(const Scene* scene, Quality* quality)
{
	bool done = true;
	for (int i = 0; i < scene->examples.count && done; ++i)
	{
		rpMotion* copy = rpCopyMotion(scene->examples.motions[i], NULL);
		for (double time = SEAM_GAP; copy != NULL && done && time < rpMotion_GetDuration(copy); time += SEAM_GAP)
		{
			done = rpAnnotations_AddEvent(&copy->annotations, "seam", time, NULL);
		}
		done = done && copy != NULL && judge(scene, copy, quality);
		rpDestroyMotion(copy);
	}
	return done;
}

static bool reportQuality(const Scene* scene, const Quality* made, BenchReport* report)
{
	Quality source = {0};
	if (!judgeSources(scene, &source))
	{
		return false;
	}
	bool isCaptured = scene->isCaptured;
	benchPut(report, isCaptured ? "capture_seam_velocity_ratio_max" : "seam_velocity_ratio_max", made->seam,
			 "greatest change of velocity at a seam against the clips' own 95th percentile");
	benchPut(report, isCaptured ? "capture_source_velocity_ratio_max" : "source_velocity_ratio_max", source.seam,
			 "the same of the clips at moments 0.75 s apart, where there are no seams");
	benchPut(report, isCaptured ? "capture_slide_mm_mean" : "slide_mm_mean", made->slide / made->count,
			 "mm that resting feet slide, mean over the paths, feet locked");
	benchPut(report, isCaptured ? "capture_source_slide_mm_mean" : "source_slide_mm_mean", source.slide / source.count,
			 "the same of the clips");
	benchPut(report, isCaptured ? "capture_jerk_ratio" : "jerk_ratio", made->jerk / made->count,
			 "mean jerk of the joints against the clips' own");
	return true;
}

static bool measurePaths(const Scene* scene, BenchReport* report)
{
	Quality made = {0};
	double sum = 0.0, thesisSum = 0.0, worst = 0.0;
	for (int shape = 0; shape < graphShapeCount; ++shape)
	{
		rpPathReport own, thesis;
		rpWalk* walk = follow(scene->graph, (GraphShape)shape, false, &own);
		rpWalk* other = walk != NULL ? follow(scene->graph, (GraphShape)shape, true, &thesis) : NULL;
		bool done = other != NULL && judgeWalk(scene, walk, &made);
		rpDestroyWalk(walk);
		rpDestroyWalk(other);
		if (!done)
		{
			return false;
		}
		sum += own.errorMean;
		thesisSum += thesis.errorMean;
		worst = fmax(worst, own.errorMean / thesis.errorMean);
		benchPut(report, s_keys[scene->isCaptured ? 2 : 0][shape], own.errorMean, "m from the path, mean");
		if (!scene->isCaptured)
		{
			benchPut(report, s_keys[1][shape], thesis.errorMean, "the same by the thesis' search");
		}
	}
	bool isCaptured = scene->isCaptured;
	benchPut(report, isCaptured ? "capture_path_error_mean_m" : "path_error_mean_m", sum / graphShapeCount,
			 "m from the path, mean over the shapes");
	benchPut(report, isCaptured ? "capture_path_error_mean_thesis_m" : "path_error_mean_thesis_m",
			 thesisSum / graphShapeCount, "the same by the thesis' search: branch and bound alone");
	benchPut(report, isCaptured ? "capture_path_error_worst_ratio" : "path_error_worst_ratio", worst,
			 "greatest error of a shape against that of the thesis' search");
	return reportQuality(scene, &made, report);
}

static bool measureScene(Scene* scene, BenchReport* report)
{
	bool done = measureBuild(scene, report) && measureSpeed(scene, report) && measurePaths(scene, report);
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
