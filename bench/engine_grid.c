/// The distance grid's speed: against SGEMM, against the direct formula, with threads; and its memory.
///
/// A performed take of 6,200 frames at 30 Hz, 31 markers, a window of 15 frames, is compared with itself: the local
/// minima of the upper triangle, window and closed form included. A pair's useful multiply-adds are 5 for each distinct
/// marker: xx', zz', xz', zx' and yy'.
#include "bench.h"

#include "base/cpu.h"
#include "reprise/metric.h"
#include "reprise/performer.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME_COUNT 6200
#define LONG_FRAME_COUNT 100000
#define SHORT_FRAME_COUNT 1000
#define MARKER_COUNT 31
#define THRESHOLD 0.04f
#define MATRIX_SIZE 4096
#define ROUNDS 5
#define GRIDS_PER_ROUND 5
#define THREAD_ROUNDS 30
#define DIRECT_PAIRS 20000

/// OpenBLAS, loaded at run time: nothing else here needs it.
typedef struct Blas
{
	void (*sgemm)(int order, int transA, int transB, int m, int n, int k, float alpha, const float* a, int strideA,
				  const float* b, int strideB, float beta, float* c, int strideC);
	void (*setThreads)(int count);
	float *a, *b, *c;
} Blas;

// Debian's OpenBLAS takes processors younger than itself for a Prescott: it must be told what the machine can do.
static bool loadBlas(Blas* blas)
{
	if (rpHasAvx2())
	{
		setenv("OPENBLAS_CORETYPE", rpHasAvx512() ? "SkylakeX" : "Haswell", 0);
	}
	void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
	{
		fprintf(stderr, "reprise-bench: no libopenblas.so.0, so no comparison with SGEMM (tools/setup bench)\n");
		return false;
	}
	// POSIX has it that these pointers convert.
	*(void**)&blas->sgemm = dlsym(library, "cblas_sgemm");
	*(void**)&blas->setThreads = dlsym(library, "openblas_set_num_threads");
	size_t count = (size_t)MATRIX_SIZE * MATRIX_SIZE;
	blas->a = malloc(count * sizeof(float));
	blas->b = malloc(count * sizeof(float));
	blas->c = malloc(count * sizeof(float));
	bool done =
		blas->sgemm != NULL && blas->setThreads != NULL && blas->a != NULL && blas->b != NULL && blas->c != NULL;
	for (size_t i = 0; done && i < count; ++i)
	{
		blas->a[i] = (float)(i % 7);
		blas->b[i] = (float)(i % 5);
	}
	return done;
}

static void freeBlas(Blas* blas)
{
	free(blas->a);
	free(blas->b);
	free(blas->c);
}

static void runSgemm(const Blas* blas)
{
	enum
	{
		rowMajor = 101,
		notTransposed = 111,
	};
	int n = MATRIX_SIZE;
	blas->setThreads(1);
	blas->sgemm(rowMajor, notTransposed, notTransposed, n, n, n, 1.0f, blas->a, n, blas->b, n, 0.0f, blas->c, n);
	benchKeep(blas->c);
}

/// The take and its metric.
typedef struct Scene
{
	rpMotion* motion;
	rpMetric* metric;
	rpProfile* profile;
} Scene;

static rpMetric* makeMetric(const rpSkeleton* skeleton)
{
	rpMarker markers[MARKER_COUNT];
	for (int i = 0; i < MARKER_COUNT; ++i)
	{
		int joint = i % skeleton->jointCount;
		markers[i] = (rpMarker){joint, {0.0f, 0.0f, i < skeleton->jointCount ? 0.0f : 0.05f}, 1.0f};
	}
	rpMetricDef def = rpDefaultMetricDef();
	def.markers = markers;
	def.markerCount = MARKER_COUNT;
	return rpCreateMetric(skeleton, &def, NULL);
}

static bool makeScene(Scene* scene)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.fps = 30.0;
	def.seconds = (FRAME_COUNT - 1) / 30.0;
	def.seed = 1;
	scene->motion = rpPerform(&def, NULL);
	scene->metric = scene->motion != NULL ? makeMetric(scene->motion->skeleton) : NULL;
	scene->profile = scene->metric != NULL ? rpCreateProfile(scene->metric, scene->motion, NULL) : NULL;
	return scene->profile != NULL;
}

static void freeScene(Scene* scene)
{
	rpDestroyProfile(scene->profile);
	rpDestroyMetric(scene->metric);
	rpDestroyMotion(scene->motion);
}

static bool runGrid(const Scene* scene, int threads)
{
	rpMinima minima = {0};
	rpGridDef def = rpDefaultGridDef();
	def.threads = threads;
	bool done = rpMetric_FindMinima(scene->metric, scene->profile, scene->profile, THRESHOLD, &def, &minima, NULL);
	benchKeep(minima.items);
	rpMinima_Free(&minima);
	return done;
}

// Pairs of the upper triangle that the search for minima needs: those a window off the diagonal and their neighbours.
static double countPairs(const Scene* scene)
{
	double rows = FRAME_COUNT - (2.0 * rpMetric_GetHalfWindow(scene->metric) - 1.0);
	return 0.5 * rows * (rows + 1.0);
}

static double timeDirect(const Scene* scene)
{
	rpRandom random = rpSeedRandom(1);
	double start = benchCpuTime(), sum = 0.0;
	for (int k = 0; k < DIRECT_PAIRS; ++k)
	{
		int i = rpRandom_Index(&random, FRAME_COUNT), j = rpRandom_Index(&random, FRAME_COUNT);
		sum += rpMetric_Distance(scene->metric, scene->profile, i, scene->profile, j, NULL);
	}
	benchKeep(&sum);
	return (benchCpuTime() - start) / DIRECT_PAIRS;
}

/// The fastest of all repetitions, seconds: others on the machine can only make it slower. The first three are
/// processor time of one thread; the others the clock's, of one thread and of two.
typedef struct Times
{
	double sgemm, grid, direct;
	double gridClock, grid2;
} Times;

static void keepMin(double* min, double seconds)
{
	*min = fmin(*min, seconds);
}

// One thread and two in turn. BLAS is not there yet: its idle threads would interfere.
static bool timeThreads(const Scene* scene, Times* times)
{
	bool done = true;
	for (int i = 0; done && i < THREAD_ROUNDS; ++i)
	{
		double start = benchNow();
		done = runGrid(scene, 1);
		double middle = benchNow();
		done = done && runGrid(scene, 2);
		keepMin(&times->gridClock, middle - start);
		keepMin(&times->grid2, benchNow() - middle);
	}
	return done;
}

static bool timeGrids(const Scene* scene, Times* times)
{
	bool done = true;
	for (int i = 0; done && i < GRIDS_PER_ROUND; ++i)
	{
		double start = benchCpuTime();
		done = runGrid(scene, 1);
		keepMin(&times->grid, benchCpuTime() - start);
	}
	return done;
}

static void timeSgemm(const Blas* blas, Times* times)
{
	double start = benchCpuTime();
	runSgemm(blas);
	keepMin(&times->sgemm, benchCpuTime() - start);
}

static bool measure(const Scene* scene, BenchReport* report)
{
	Times times = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
	bool done = timeThreads(scene, &times);
	Blas blas = {0};
	bool hasBlas = loadBlas(&blas);
	for (int i = 0; done && i < ROUNDS; ++i)
	{
		if (hasBlas)
		{
			timeSgemm(&blas, &times);
		}
		done = timeGrids(scene, &times);
		keepMin(&times.direct, timeDirect(scene));
	}
	freeBlas(&blas);
	double pairs = countPairs(scene), gemm = (double)MATRIX_SIZE * MATRIX_SIZE * MATRIX_SIZE;
	if (hasBlas)
	{
		double useful = 5.0 * MARKER_COUNT * pairs;
		benchPut(report, "grid_fraction_of_sgemm", useful / times.grid / (gemm / times.sgemm),
				 "of SGEMM's rate (n = 4096), one thread each");
		benchPut(report, "sgemm_gflops", 2e-9 * gemm / times.sgemm, "10^9 operations a second of SGEMM on one thread");
	}
	benchPut(report, "grid_vs_direct", times.direct * pairs / times.grid, "times as fast as the direct formula");
	benchPut(report, "grid_2_threads_vs_1", times.gridClock / times.grid2, "times as fast with two threads");
	benchPut(report, "grid_pairs_per_s", pairs / times.grid2, "pairs of frames a second, two threads");
	benchPut(report, "grid_ms", 1e3 * times.grid2, "ms for the upper triangle of 6,200 frames, two threads");
	return done;
}

// The frames of a motion over and over.
static rpMotion* lengthen(const rpMotion* motion, int frameCount)
{
	int joints = motion->skeleton->jointCount;
	rpMotion* result = rpCreateMotion(motion->skeleton, "long", motion->fps, frameCount, NULL);
	for (int i = 0; result != NULL && i < frameCount; ++i)
	{
		result->rootPositions[i] = motion->rootPositions[i % motion->frameCount];
		for (int k = 0; k < joints; ++k)
		{
			result->rotations[(size_t)i * (size_t)joints + (size_t)k] =
				motion->rotations[(size_t)(i % motion->frameCount) * (size_t)joints + (size_t)k];
		}
	}
	return result;
}

// Two bands of a long grid say as much about memory as all of it.
static bool visitTwoBands(const rpTile* tile, void* context)
{
	(void)context;
	return tile->row < 512;
}

// The most memory, MB, that a grid of a motion of so many frames with itself takes beside the profile.
static double measurePeak(const Scene* scene, int frameCount)
{
	rpMotion* motion = lengthen(scene->motion, frameCount);
	rpProfile* profile = motion != NULL ? rpCreateProfile(scene->metric, motion, NULL) : NULL;
	rpDestroyMotion(motion);
	if (profile == NULL)
	{
		return NAN;
	}
	rpGridDef def = rpDefaultGridDef();
	def.visit = visitTwoBands;
	def.threads = 2;
	rpMinima minima = {0};
	benchCountHeap();
	rpError error = {0};
	bool done = rpMetric_FindMinima(scene->metric, profile, profile, THRESHOLD, &def, &minima, &error);
	rpMinima_Free(&minima);
	double max = benchStopCounting();
	rpDestroyProfile(profile);
	return done || error.code == rp_errorCancelled ? max : NAN;
}

// The same take by angles, one thread.
static bool measureAngles(const Scene* scene, BenchReport* report)
{
	rpMetricDef def = rpDefaultMetricDef();
	def.kind = rp_metricAngle;
	Scene angles = {.metric = rpCreateMetric(scene->motion->skeleton, &def, NULL)};
	angles.profile = angles.metric != NULL ? rpCreateProfile(angles.metric, scene->motion, NULL) : NULL;
	bool done = angles.profile != NULL;
	double min = INFINITY;
	for (int i = 0; done && i < ROUNDS; ++i)
	{
		double start = benchCpuTime();
		done = runGrid(&angles, 1);
		keepMin(&min, benchCpuTime() - start);
	}
	benchPut(report, "angle_grid_pairs_per_s", countPairs(&angles) / min,
			 "pairs of frames a second by angles, Lee's joints, one thread");
	freeScene(&angles);
	return done;
}

bool benchEngineGrid(BenchReport* report)
{
	Scene scene = {0};
	bool done = makeScene(&scene) && measure(&scene, report) && measureAngles(&scene, report);
	if (done)
	{
		benchPut(report, "grid_peak_mb", measurePeak(&scene, LONG_FRAME_COUNT), "MB at most, 100,000 frames");
		benchPut(report, "grid_peak_mb_short", measurePeak(&scene, SHORT_FRAME_COUNT), "MB at most, 1,000 frames");
	}
	freeScene(&scene);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: the grid could not be measured\n");
	}
	return done;
}
