/// How long a steering table takes, and a player's tick: on 100 s of walking, as the thesis' eight hours were.
#include "bench.h"
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
	walkCount = 10,
	tickCount = 3600,
	repeats = 5,
};

static rpGraph* buildWalks(rpError* error)
{
	rpMotion* walks[walkCount] = {NULL};
	bool done = true;
	for (int i = 0; i < walkCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = 100.0 / walkCount;
		def.fps = 60.0;
		def.seed = (uint64_t)i;
		def.parameters[rp_paramTurn] = (float)(i % 5 - 2) * 22.5f * (float)RP_DEGREE;
		walks[i] = rpPerform(&def, error);
		done = walks[i] != NULL;
	}
	rpGraphDef def = rpDefaultGraphDef();
	def.threshold = 0.1f;
	rpGraph* graph = done ? rpBuildGraphOf((const rpMotion* const*)walks, walkCount, &def, NULL, error) : NULL;
	for (int i = 0; i < walkCount; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return graph;
}

static bool measureTable(rpGraph* graph, BenchReport* report, rpError* error)
{
	double seconds[repeats];
	rpSteeringDef def = rpDefaultSteeringDef();
	// Processor time is that of this thread.
	def.threads = 1;
	for (int i = 0; i < repeats; ++i)
	{
		double start = benchCpuTime();
		if (!rpGraph_MakeSteering(graph, &def, NULL, error))
		{
			return false;
		}
		seconds[i] = benchCpuTime() - start;
	}
	benchPut(report, "steer_table_s", benchMedian(seconds, repeats),
			 "s for the steering table of a graph of 100 s of walking (the thesis: 8 hours)");
	return true;
}

static bool measureTicks(const rpGraph* graph, BenchReport* report, rpError* error)
{
	size_t size;
	void* bytes = rpWriteGraphBundle(graph, &size, error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, error) : NULL;
	rpQuat* rotations = malloc(RP_MAX_JOINTS * sizeof(rpQuat));
	bool done = player != NULL && rotations != NULL;
	if (done)
	{
		rpPose pose = {.rotations = rotations};
		double start = benchCpuTime();
		for (int i = 0; i < tickCount; ++i)
		{
			rpPlayerInput input = {.stick = {(float)sin(0.002 * i), (float)cos(0.002 * i)}};
			rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, NULL);
			benchKeep(rotations);
		}
		benchPut(report, "player_us_per_tick", 1e6 * (benchCpuTime() - start) / tickCount,
				 "us for a tick of the graph player at 60 Hz, feet locked");
	}
	free(rotations);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return done;
}

bool benchGraphSteer(BenchReport* report)
{
	rpError error = {0};
	rpGraph* graph = buildWalks(&error);
	bool done = graph != NULL && measureTable(graph, report, &error) && measureTicks(graph, report, &error);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: steering: %s\n", error.message);
	}
	rpDestroyGraph(graph);
	return done;
}
