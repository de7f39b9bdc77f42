/// How long a steering table takes, and a player's tick: on 100 s of walking, as the thesis' eight hours were.
#include "bench.h"
#include "reprise/reprise.h"

#include <stdio.h>

enum
{
	walkCount = 10,
	tickCount = 3600,
	repeats = 5,
	tickRounds = 15,
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

/// A player of a bundle that lies in memory.
typedef struct Played
{
	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;
	double seconds[tickRounds];
} Played;

static bool openPlayer(Played* played, void* bytes, size_t size, rpError* error)
{
	played->bytes = bytes;
	played->bundle = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	played->player = played->bundle != NULL ? rpCreatePlayer(played->bundle, NULL, error) : NULL;
	return played->player != NULL;
}

static void closePlayer(Played* played)
{
	rpDestroyPlayer(played->player);
	rpDestroyBundle(played->bundle);
	rpFreeBytes(played->bytes);
}

static double timeTicks(rpPlayer* player)
{
	static rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	double start = benchCpuTime();
	for (int i = 0; i < tickCount; ++i)
	{
		rpPlayerInput input = {.stick = {(float)sin(0.002 * i), (float)cos(0.002 * i)}};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, NULL);
		benchKeep(rotations);
	}
	return benchCpuTime() - start;
}

// Both in one run, in turns.
static bool measureTicks(const rpGraph* graph, BenchReport* report, rpError* error)
{
	size_t size = 0, packedSize = 0;
	Played exact = {0}, packed = {0};
	void* bytes = rpWriteGraphBundle(graph, &size, error);
	bool done = openPlayer(&exact, bytes, size, error);
	void* packedBytes = done ? rpPackBundle(exact.bundle, NULL, &packedSize, error) : NULL;
	done = done && openPlayer(&packed, packedBytes, packedSize, error);
	double ratios[tickRounds];
	for (int i = 0; i < tickRounds && done; ++i)
	{
		exact.seconds[i] = timeTicks(exact.player);
		packed.seconds[i] = timeTicks(packed.player);
		ratios[i] = packed.seconds[i] / exact.seconds[i];
	}
	if (done)
	{
		benchPut(report, "player_us_per_tick", 1e6 * benchMedian(exact.seconds, tickRounds) / tickCount,
				 "us for a tick of the graph player at 60 Hz, feet locked");
		benchPut(report, "player_packed_ratio", benchMedian(ratios, tickRounds),
				 "times as long for a tick where the bundle is packed");
		benchPut(report, "bundle_packed_share", (double)packedSize / (double)size,
				 "of the bytes of the bundle, packed");
	}
	closePlayer(&exact);
	closePlayer(&packed);
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
