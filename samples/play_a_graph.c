/// Steer a character: a motion graph of three walks becomes a bundle, and a player runs from that alone, as in a game.
/// Everything from rpOpenBundle on needs libreprise_play only.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

// Walks straight on and along both curves, joined wherever they are alike.
static bool writeBundle(const char* path, rpError* error)
{
	rpMotion* walks[3] = {NULL};
	bool done = true;
	for (int i = 0; i < 3 && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = 8.0;
		def.seed = (uint64_t)i;
		def.parameters[rp_paramTurn] = (float)(i - 1) * 45.0f * (float)RP_DEGREE;
		walks[i] = rpPerform(&def, error);
		done = walks[i] != NULL;
	}
	rpGraphDef def = rpDefaultGraphDef();
	def.threshold = 0.1f;
	rpGraph* graph = done ? rpBuildGraphOf((const rpMotion* const*)walks, 3, &def, NULL, error) : NULL;
	done = graph != NULL && rpSaveGraphBundle(graph, path, error);
	rpDestroyGraph(graph);
	for (int i = 0; i < 3; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return done;
}

int main(void)
{
	rpError error = {0};
	rpBundle* bundle = writeBundle("walks.rpb", &error) ? rpOpenBundle("walks.rpb", &error) : NULL;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	if (player == NULL)
	{
		fprintf(stderr, "%s\n", error.message);
		rpDestroyBundle(bundle);
		return EXIT_FAILURE;
	}
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	for (int tick = 0; tick <= 1200; ++tick)
	{
		// Ten seconds towards +z, then ten towards +x; the pose is what the game draws.
		rpPlayerInput input = {.stick = tick < 600 ? (rpVec2){0.0f, 1.0f} : (rpVec2){1.0f, 0.0f}};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, &report);
		if (tick % 120 == 0)
		{
			printf("%5.1f s at (%5.2f, %5.2f) m, heading %4.0f°, phase %s, from %s at %.2f s\n", report.time,
				   (double)report.ground.shift.x, (double)report.ground.shift.z, (double)report.ground.turn / RP_DEGREE,
				   rpGaitPhase_GetName(report.phase), rpPlayer_GetClipName(player, report.sources[0].clip),
				   report.sources[0].time);
		}
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return EXIT_SUCCESS;
}
