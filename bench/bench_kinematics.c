/// How fast forward kinematics and sampling are: 31 joints and 10,000 frames, against 4x4 matrices in double precision.
#include "bench.h"
#include "capture_tree.h"

#include "base/memory.h"
#include "reprise/play/motion.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define JOINT_COUNT BENCH_JOINT_COUNT
#define FRAME_COUNT 10000
#define REPETITIONS 25

// Every joint wanders as captured ones do: a little per frame.
static rpMotion* makeMotion(void)
{
	rpSkeleton* skeleton = benchMakeTree();
	rpMotion* motion = skeleton != NULL ? rpCreateMotion(skeleton, "bench", 120.0, FRAME_COUNT, NULL) : NULL;
	rpReleaseSkeleton(skeleton);
	rpRandom random = rpSeedRandom(1);
	for (int i = 0; motion != NULL && i < FRAME_COUNT * JOINT_COUNT; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		rpQuat last = i < JOINT_COUNT ? rpQuat_identity : motion->rotations[i - JOINT_COUNT];
		motion->rotations[i] = rpNormalizeQuat(rpMulQuat(last, rpExpQuat(rpScale(0.02f, turn))));
		motion->rootPositions[i / JOINT_COUNT] = (rpVec3){0.0f, 1.0f, 1e-4f * (float)i};
	}
	return motion;
}

typedef struct Matrix
{
	double m[4][4];
} Matrix;

static Matrix makeMatrix(rpQuat rotation, rpVec3 place)
{
	double w = rotation.w, x = rotation.x, y = rotation.y, z = rotation.z;
	return (Matrix){{
		{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), place.x},
		{2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), place.y},
		{2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), place.z},
		{0.0, 0.0, 0.0, 1.0},
	}};
}

static Matrix multiply(const Matrix* a, const Matrix* b)
{
	Matrix result = {0};
	for (int i = 0; i < 4; ++i)
	{
		for (int j = 0; j < 4; ++j)
		{
			for (int k = 0; k < 4; ++k)
			{
				result.m[i][j] += a->m[i][k] * b->m[k][j];
			}
		}
	}
	return result;
}

static void forwardByMatrices(const rpMotion* motion, Matrix* out)
{
	for (int frame = 0; frame < FRAME_COUNT; ++frame)
	{
		const rpQuat* rotations = motion->rotations + (size_t)frame * JOINT_COUNT;
		Matrix* pose = out + (size_t)frame * JOINT_COUNT;
		pose[0] = makeMatrix(rotations[0], motion->rootPositions[frame]);
		for (int i = 1; i < JOINT_COUNT; ++i)
		{
			Matrix local = makeMatrix(rotations[i], motion->skeleton->offsets[i]);
			pose[i] = multiply(pose + bench_parents[i], &local);
		}
	}
}

static void sampleAll(const rpMotion* motion, rpQuat* rotations)
{
	rpPose pose = {.rotations = rotations};
	for (int frame = 0; frame < FRAME_COUNT; ++frame)
	{
		rpMotion_Sample(motion, (frame + 0.37) / 120.0, &pose);
		benchKeep(rotations);
	}
}

/// What a run works in, and its times in seconds.
typedef struct Run
{
	rpMotion* motion;
	rpVec3* positions;
	rpQuat* orientations;
	Matrix* matrices;
	double forward[REPETITIONS], positionsOnly[REPETITIONS], single[REPETITIONS], matrix[REPETITIONS],
		sample[REPETITIONS];
} Run;

// The processor's time, not the clock's: nothing here waits, and other programs must not count.
static double getTime(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void forwardOneByOne(Run* run)
{
	rpTransform pose[JOINT_COUNT];
	for (int frame = 0; frame < FRAME_COUNT; ++frame)
	{
		rpMotion_Forward(run->motion, frame, pose);
		benchKeep(pose);
	}
}

static void measure(Run* run)
{
	rpQuat sampled[JOINT_COUNT];
	for (int i = 0; i < REPETITIONS; ++i)
	{
		double start = getTime();
		rpMotion_ForwardAll(run->motion, 0, FRAME_COUNT, run->positions, run->orientations);
		benchKeep(run->orientations);
		double afterForward = getTime();
		rpMotion_ForwardAll(run->motion, 0, FRAME_COUNT, run->positions, NULL);
		benchKeep(run->positions);
		double afterPositions = getTime();
		forwardOneByOne(run);
		double afterSingle = getTime();
		forwardByMatrices(run->motion, run->matrices);
		benchKeep(run->matrices);
		double afterMatrices = getTime();
		sampleAll(run->motion, sampled);
		double afterSamples = getTime();
		run->forward[i] = afterForward - start;
		run->positionsOnly[i] = afterPositions - afterForward;
		run->single[i] = afterSingle - afterPositions;
		run->matrix[i] = afterMatrices - afterSingle;
		run->sample[i] = afterSamples - afterMatrices;
	}
}

// Both methods must find the same places, or the comparison means nothing.
static bool checkPlaces(const Run* run)
{
	double largest = 0.0;
	for (int i = 0; i < FRAME_COUNT * JOINT_COUNT; ++i)
	{
		const Matrix* matrix = run->matrices + i;
		rpVec3 place = {(float)matrix->m[0][3], (float)matrix->m[1][3], (float)matrix->m[2][3]};
		largest = fmax(largest, (double)rpDistance(place, run->positions[i]));
	}
	if (!(largest < 1e-4))
	{
		fprintf(stderr, "reprise-bench: joints are %g m from where matrices have them\n", largest);
	}
	return largest < 1e-4;
}

static void putFigures(BenchReport* report, Run* run)
{
	double perJoint = 1e9 / (FRAME_COUNT * JOINT_COUNT);
	double forward = benchMedian(run->forward, REPETITIONS), matrix = benchMedian(run->matrix, REPETITIONS);
	benchPut(report, "fk_ns_per_joint", perJoint * forward,
			 "ns per joint, 31 joints x 10,000 frames, places and turns");
	benchPut(report, "fk_positions_ns_per_joint", perJoint * benchMedian(run->positionsOnly, REPETITIONS),
			 "ns per joint, places alone");
	benchPut(report, "fk_pose_ns_per_joint", perJoint * benchMedian(run->single, REPETITIONS),
			 "ns per joint, one pose at a time");
	benchPut(report, "fk_matrix_ns_per_joint", perJoint * matrix, "ns per joint, 4x4 matrices in double precision");
	benchPut(report, "fk_vs_matrix", matrix / forward, "times as fast as the matrices");
	benchPut(report, "sample_ns_per_joint", perJoint * benchMedian(run->sample, REPETITIONS),
			 "ns per joint, sampling between frames");
}

bool benchKinematics(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	size_t count = (size_t)FRAME_COUNT * JOINT_COUNT;
	Run run = {
		.motion = makeMotion(),
		.positions = rpAllocateZero(count, sizeof(rpVec3), NULL),
		.orientations = rpAllocateZero(count, sizeof(rpQuat), NULL),
		.matrices = rpAllocateZero(count, sizeof(Matrix), NULL),
	};
	bool done = run.motion != NULL && run.positions != NULL && run.orientations != NULL && run.matrices != NULL;
	if (done)
	{
		measure(&run);
		done = checkPlaces(&run);
		putFigures(report, &run);
	}
	rpFree(run.positions);
	rpFree(run.orientations);
	rpFree(run.matrices);
	rpDestroyMotion(run.motion);
	return done;
}
