/// How fast poses are blended: four motions of 31 joints, each at any time, forward kinematics included.
#include "bench.h"
#include "capture_tree.h"

#include "base/memory.h"
#include "reprise/play/blend.h"

#include <stdio.h>

#define CLIP_COUNT 4
#define JOINT_COUNT BENCH_JOINT_COUNT
#define POSE_COUNT 4096
#define REPETITIONS 31

// Ten seconds at 120 Hz.
#define FRAME_COUNT 1200
#define RATE 120.0

/// What a run works on, and its times in seconds.
typedef struct Run
{
	rpMotion* motions[CLIP_COUNT];
	rpClip* clips[CLIP_COUNT];

	/// Those of pose i start at i * CLIP_COUNT.
	rpShare* shares;
	double fast[REPETITIONS], direct[REPETITIONS];
} Run;

// Every joint wanders as captured ones do, a little per frame.
static rpMotion* makeMotion(const rpSkeleton* skeleton, rpRandom* random)
{
	rpMotion* motion = rpCreateMotion(skeleton, "bench", RATE, FRAME_COUNT, NULL);
	for (int i = 0; motion != NULL && i < FRAME_COUNT * JOINT_COUNT; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)};
		rpQuat last = i < JOINT_COUNT ? rpQuat_identity : motion->rotations[i - JOINT_COUNT];
		motion->rotations[i] = rpNormalizeQuat(rpMulQuat(last, rpExpQuat(rpScale(0.02f, turn))));
		motion->rootPositions[i / JOINT_COUNT] = (rpVec3){0.0f, 1.0f, 1e-4f * (float)i};
	}
	return motion;
}

static bool prepare(Run* run)
{
	rpRandom random = rpSeedRandom(1);
	rpSkeleton* skeleton = benchMakeTree();
	bool done = skeleton != NULL;
	for (int i = 0; done && i < CLIP_COUNT; ++i)
	{
		run->motions[i] = makeMotion(skeleton, &random);
		run->clips[i] = run->motions[i] != NULL ? rpCreateClip(run->motions[i], NULL) : NULL;
		done = run->clips[i] != NULL;
	}
	run->shares = rpAllocate(POSE_COUNT * CLIP_COUNT, sizeof(rpShare), NULL);
	rpReleaseSkeleton(skeleton);
	for (int i = 0; done && run->shares != NULL && i < POSE_COUNT * CLIP_COUNT; ++i)
	{
		run->shares[i] = (rpShare){
			.clip = run->clips[i % CLIP_COUNT],
			.time = rpRandom_Range(&random, 0.0f, (float)((FRAME_COUNT - 1) / RATE)),
			.weight = rpRandom_Range(&random, 0.1f, 1.0f),
			.ground = {rpRandom_Range(&random, -3.0f, 3.0f), {1.0f, 0.0f, rpRandom_Range(&random, -3.0f, 3.0f)}},
		};
	}
	return done && run->shares != NULL;
}

static void blendByClips(const Run* run, int i, rpTransform* world)
{
	rpQuat rotations[JOINT_COUNT];
	rpPose pose = {.rotations = rotations};
	rpBlendClipsForward(run->shares + i * CLIP_COUNT, CLIP_COUNT, &pose, world);
}

// The same with motions as they are: sample each, mean of each joint, forward kinematics.
static void blendDirectly(const Run* run, int i, rpTransform* world)
{
	rpQuat sampled[CLIP_COUNT][JOINT_COUNT], rotations[JOINT_COUNT];
	float weights[CLIP_COUNT], sum = 0.0f;
	rpVec3 root = rpVec3_zero;
	const rpShare* shares = run->shares + i * CLIP_COUNT;
	for (int k = 0; k < CLIP_COUNT; ++k)
	{
		rpPose pose = {.rotations = sampled[k]};
		rpMotion_Sample(run->motions[k], shares[k].time, &pose);
		sampled[k][0] = rpMulQuat(rpYaw(shares[k].ground.turn), sampled[k][0]);
		weights[k] = shares[k].weight;
		sum += weights[k];
		root = rpMulAdd(root, weights[k], rpGroundTransform_Apply(shares[k].ground, pose.rootPosition));
	}
	for (int joint = 0; joint < JOINT_COUNT; ++joint)
	{
		rpQuat column[CLIP_COUNT] = {sampled[0][joint], sampled[1][joint], sampled[2][joint], sampled[3][joint]};
		rotations[joint] = rpMeanQuat(column, weights, CLIP_COUNT);
	}
	rpSkeleton_Forward(run->motions[0]->skeleton, rpScale(1.0f / sum, root), rotations, NULL, world);
}

static double timeAll(const Run* run, void (*blend)(const Run*, int, rpTransform*))
{
	rpTransform world[JOINT_COUNT];
	double start = benchCpuTime();
	for (int i = 0; i < POSE_COUNT; ++i)
	{
		blend(run, i, world);
		benchKeep(world);
	}
	return benchCpuTime() - start;
}

// Both methods must find the same places, or the comparison means nothing.
static bool checkPlaces(const Run* run)
{
	double largest = 0.0;
	for (int i = 0; i < POSE_COUNT; ++i)
	{
		rpTransform fast[JOINT_COUNT], direct[JOINT_COUNT];
		blendByClips(run, i, fast);
		blendDirectly(run, i, direct);
		for (int joint = 0; joint < JOINT_COUNT; ++joint)
		{
			largest = fmax(largest, (double)rpDistance(fast[joint].p, direct[joint].p));
		}
	}
	if (!(largest < 1e-3))
	{
		fprintf(stderr, "reprise-bench: blended joints are %g m from where the direct method has them\n", largest);
	}
	return largest < 1e-3;
}

bool benchEngineBlend(BenchReport* report)
{
	Run run = {0};
	bool done = prepare(&run) && checkPlaces(&run);
	for (int i = 0; done && i < REPETITIONS; ++i)
	{
		run.fast[i] = timeAll(&run, blendByClips);
		run.direct[i] = timeAll(&run, blendDirectly);
	}
	if (done)
	{
		double fast = benchMedian(run.fast, REPETITIONS), direct = benchMedian(run.direct, REPETITIONS);
		benchPut(report, "blend4_us_per_frame", 1e6 * fast / POSE_COUNT,
				 "us, 4 clips of 31 joints and 10 s sampled at random times, blended, forward kinematics");
		benchPut(report, "blend4_vs_direct", direct / fast, "times as fast as sampling motions and meaning joints");
	}
	for (int i = 0; i < CLIP_COUNT; ++i)
	{
		rpDestroyClip(run.clips[i]);
		rpDestroyMotion(run.motions[i]);
	}
	rpFree(run.shares);
	return done;
}
