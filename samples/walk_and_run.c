/// A parametric graph of two spaces, walks and runs by how far they turn, and a character on it that goes where a stick
/// points. Everything from rpCreateBundle on needs libreprise_play only.
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	turnCount = 5,
};

// From one strike of the left heel to the next, not the first: with what is before it.
static bool findStride(const rpMotion* take, int index, rpMatch* out)
{
	double strikes[2] = {0.0, 0.0};
	int count = 0;
	for (int i = 0; i < take->annotations.eventCount && count < 2; ++i)
	{
		const rpEvent* event = &take->annotations.events[i];
		if (event->time > 0.9 && strcmp(event->name, "heel_strike_left") == 0)
		{
			strikes[count++] = event->time;
		}
	}
	*out = (rpMatch){.stretch = {.clip = index, .start = strikes[0], .end = strikes[1]}, .parent = -1};
	return count == 2;
}

// Strides that turn by -40 to 40 degrees a second.
static rpSpace* buildSpace(rpAct act, rpError* error)
{
	rpMotion* takes[turnCount] = {NULL};
	rpMatch matches[turnCount];
	bool done = true;
	for (int i = 0; i < turnCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(act);
		def.fps = 60.0;
		def.seconds = 4.0;
		def.parameters[rp_paramTurn] = (float)(20.0 * (i - 2) * RP_DEGREE);
		takes[i] = rpPerform(&def, error);
		done = takes[i] != NULL && findStride(takes[i], i, &matches[i]);
	}
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "turn";
	rpSpace* space =
		done ? rpBuildSpace((const rpMotion* const*)takes, turnCount, matches, turnCount, &def, NULL, NULL, error)
			 : NULL;
	for (int i = 0; i < turnCount; ++i)
	{
		rpDestroyMotion(takes[i]);
	}
	return space;
}

static void* makeBundle(size_t* size, rpError* error)
{
	rpSpace* walk = buildSpace(rp_actWalk, error);
	rpSpace* run = walk != NULL ? buildSpace(rp_actRun, error) : NULL;
	rpParametricNodeDef nodes[] = {{"walk", walk}, {"run", run}};
	rpParametricDef def = rpDefaultParametricDef();
	rpParametricBuildReport report = {0};
	def.nodes = nodes;
	def.nodeCount = 2;
	// Steady walks and runs are not alike: going over from one to the other is seen.
	def.autoLimit = 0.3f;
	rpParametricGraph* graph = run != NULL ? rpBuildParametricGraph(&def, NULL, &report, error) : NULL;
	for (int i = 0; i < report.edgeCount; ++i)
	{
		const rpParametricEdgeReport* edge = &report.edges[i];
		printf("%s to %s: good up to %.3f m, leads to %.0f %% of it\n", nodes[edge->source].name,
			   nodes[edge->target].name, (double)edge->good, 100.0 * (double)edge->shareMean);
	}
	void* bytes = graph != NULL ? rpWriteParametricBundle(graph, size, error) : NULL;
	rpParametricBuildReport_Free(&report);
	rpDestroyParametricGraph(graph);
	rpDestroySpace(walk);
	rpDestroySpace(run);
	return bytes;
}

// What the player's hands do: ahead, to the left with the run button, and back at a walk.
static rpPlayerInput readStick(const rpPlayer* player, double seconds)
{
	static const rpVec2 sticks[] = {{0.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, -1.0f}};
	int part = (int)fmin(seconds / 10.0, 2.0);
	rpPlayerInput input = {.stick = sticks[part]};
	const char* wanted = part == 1 ? "run" : "walk";
	while (strcmp(rpPlayer_GetRequest(player, input.request), wanted) != 0)
	{
		++input.request;
	}
	return input;
}

// Without "-0".
static double toDegrees(float angle)
{
	return round((double)angle / RP_DEGREE) + 0.0;
}

// Degrees between where the root goes and where the stick points, once there was time to get there.
static double play(rpPlayer* player)
{
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpVec3 before = {0.0f, 0.0f, 0.0f};
	double worst = 0.0;
	int last = -1;
	for (int tick = 0; tick <= 1800; ++tick)
	{
		double seconds = tick / 60.0;
		rpPlayerInput input = readStick(player, seconds);
		rpPlayer_Step(player, tick > 0 ? 1.0 / 60.0 : 0.0, &input, &pose, &report);
		if (report.parametric.number != last)
		{
			last = report.parametric.number;
			printf("%5.2f s: %s, turns by %.0f deg, asked for %.0f\n", seconds,
				   rpPlayer_GetRequest(player, report.parametric.node + 1), toDegrees(report.parametric.granted[0]),
				   toDegrees(report.parametric.requested[0]));
		}
		// From eight seconds after a change of the stick to the next.
		if (tick % 600 == 480)
		{
			before = pose.rootPosition;
		}
		if (tick % 600 == 599)
		{
			rpVec3 way = rpSub(pose.rootPosition, before);
			double off = atan2((double)way.x, (double)way.z) - atan2((double)input.stick.x, (double)input.stick.y);
			worst = fmax(worst, fabs(remainder(off, 2.0 * RP_PI)) / RP_DEGREE);
		}
	}
	return worst;
}

int main(void)
{
	rpError error = {0};
	size_t size;
	void* bytes = makeBundle(&size, &error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, &error) : NULL;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	double off = player != NULL ? play(player) : 0.0;
	if (player != NULL)
	{
		printf("at most %.1f deg from where the stick points\n", off);
	}
	else
	{
		fprintf(stderr, "%s\n", error.message);
	}
	int code = player != NULL && off < 10.0 ? EXIT_SUCCESS : EXIT_FAILURE;
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return code;
}
