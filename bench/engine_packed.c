/// How much longer sampling takes where clips are packed: each frame's neighbours decoded, in one run with those that
/// are not.
#include "bench.h"
#include "reprise/reprise.h"

#include "blend/clip_packer.h"

enum
{
	clipCount = 4,
	poseCount = 4096,
	repetitions = 31,
	maxJoints = 64,
};

/// Walks of the performer, exact and packed, and places in them: those of pose i start at i * clipCount.
typedef struct Run
{
	rpClip* clips[2][clipCount];
	rpPackedClip packed[clipCount];
	rpShare* shares[2];
	double ratios[repetitions];
} Run;

static bool makeClip(Run* run, int index)
{
	rpPerformDef def = rpDefaultPerformDef(index % 2 == 0 ? rp_actWalk : rp_actRun);
	def.seconds = 10.0;
	def.fps = 120.0;
	def.seed = (uint64_t)index;
	rpMotion* motion = rpPerform(&def, NULL);
	rpClip* exact = motion != NULL ? rpCreateClip(motion, NULL) : NULL;
	rpClip* packed =
		exact != NULL ? rpCreateClipView(exact->skeleton, exact->fps, exact->frameCount, NULL, NULL, NULL) : NULL;
	rpDestroyMotion(motion);
	run->clips[0][index] = exact;
	run->clips[1][index] = packed;
	if (packed == NULL || !rpPackClip(exact, &run->packed[index], NULL))
	{
		return false;
	}
	packed->packed = rpPackedClip_Unpack(&run->packed[index], exact, NULL);
	return packed->packed != NULL;
}

static bool prepare(Run* run)
{
	rpRandom random = rpSeedRandom(1);
	bool done = true;
	for (int i = 0; i < clipCount && done; ++i)
	{
		done = makeClip(run, i);
	}
	for (int k = 0; k < 2; ++k)
	{
		run->shares[k] = rpAllocate(poseCount * clipCount, sizeof(rpShare), NULL);
		done = done && run->shares[k] != NULL;
	}
	for (int i = 0; done && i < poseCount * clipCount; ++i)
	{
		const rpClip* clip = run->clips[0][i % clipCount];
		run->shares[0][i] = (rpShare){
			.clip = clip,
			.time = rpRandom_Range(&random, 0.0f, (float)rpClip_GetDuration(clip)),
			.weight = rpRandom_Range(&random, 0.1f, 1.0f),
			.ground = {rpRandom_Range(&random, -3.0f, 3.0f), {1.0f, 0.0f, rpRandom_Range(&random, -3.0f, 3.0f)}},
		};
		run->shares[1][i] = run->shares[0][i];
		run->shares[1][i].clip = run->clips[1][i % clipCount];
	}
	return done && run->clips[0][0]->skeleton->jointCount <= maxJoints;
}

/// A way to sample: how many clips at once, one pose after the other in time, joints in the world too.
typedef struct Way
{
	const char* key;
	int count;
	bool inOrder, forward;
	const char* what;
} Way;

static const Way s_ways[] = {
	{"clip_packed_ratio", 1, true, false, "times as long for one clip played in order, where it is packed"},
	{"clip_packed_forward_ratio", 1, true, true, "the same with forward kinematics"},
	{"blend4_packed_ratio", 4, false, false, "times as long for 4 clips at random times, where they are packed"},
	{"blend4_packed_forward_ratio", 4, false, true, "the same with forward kinematics"},
};

static double timeAll(const Run* run, int kind, const Way* way)
{
	rpQuat rotations[maxJoints];
	rpTransform world[maxJoints];
	rpPose pose = {.rotations = rotations};
	double start = benchCpuTime();
	for (int i = 0; i < poseCount; ++i)
	{
		rpShare ordered = {run->clips[kind][0], i / 410.0, 1.0f, rpGroundTransform_identity};
		const rpShare* shares = way->inOrder ? &ordered : run->shares[kind] + (size_t)i * clipCount;
		(way->forward ? rpBlendClipsForward(shares, way->count, &pose, world)
					  : rpBlendClips(shares, way->count, &pose));
		benchKeep(rotations);
	}
	return benchCpuTime() - start;
}

static void measureWay(Run* run, const Way* way, BenchReport* report)
{
	for (int i = 0; i < repetitions; ++i)
	{
		double exact = timeAll(run, 0, way);
		run->ratios[i] = timeAll(run, 1, way) / exact;
	}
	benchPut(report, way->key, benchMedian(run->ratios, repetitions), way->what);
}

bool benchEnginePacked(BenchReport* report)
{
	Run run = {0};
	bool done = prepare(&run);
	for (size_t i = 0; done && i < sizeof(s_ways) / sizeof(s_ways[0]); ++i)
	{
		measureWay(&run, &s_ways[i], report);
	}
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyClip(run.clips[0][i]);
		rpDestroyClip(run.clips[1][i]);
		rpPackedClip_Free(&run.packed[i]);
	}
	rpFree(run.shares[0]);
	rpFree(run.shares[1]);
	return done;
}
