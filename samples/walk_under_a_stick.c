/// Steer a character with a stick and two buttons: one take in which somebody stands, walks and runs becomes a model of
/// locomotion, and a player runs from its bundle alone. Everything from rpCreateBundle on needs libreprise_play only.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

// A take in which somebody moves at will; nobody marks anything in it. Any capture will do.
static rpMotion* performTake(rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.fps = 60.0;
	def.seed = 1;
	def.seconds = 0.0;
	def.script =
		"stand 2; walk 4 1.0; walk 4 1.4 25; walk 4 1.6 -25; stand 2; walk 3; run 4 2.6; run 4 3.2 15; walk 4; "
		"run 3; stand 2; run 3; walk 3; stand 2; walk 2";
	return rpPerform(&def, error);
}

static void* makeBundle(size_t* size, rpError* error)
{
	rpMotion* take = performTake(error);
	if (take == NULL)
	{
		return NULL;
	}
	const rpMotion* takes[1] = {take};
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	rpLocomotion* model = rpBuildLocomotionOf(takes, 1, &def, NULL, error);
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, size, error) : NULL;
	rpDestroyLocomotion(model);
	rpDestroyMotion(take);
	return bytes;
}

// What the player's hands do: the stick to the front, to the left, with the run button, and let go.
static rpPlayerInput readStick(double seconds)
{
	if (seconds < 6.0)
	{
		return (rpPlayerInput){.stick = {0.0f, 0.5f}, .request = rp_gaitWalk};
	}
	if (seconds < 12.0)
	{
		return (rpPlayerInput){.stick = {0.8f, 0.0f}, .request = seconds < 9.0 ? rp_gaitWalk : rp_gaitRun};
	}
	return (rpPlayerInput){.request = rp_gaitStand};
}

int main(void)
{
	rpError error = {0};
	size_t size;
	void* bytes = makeBundle(&size, &error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, &error) : NULL;
	// Feet are locked as they come down, so that the stick is answered soon.
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	int last = -1;
	if (player == NULL)
	{
		fprintf(stderr, "%s\n", error.message);
		rpDestroyBundle(bundle);
		rpFreeBytes(bytes);
		return EXIT_FAILURE;
	}
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	for (int tick = 0; tick < 16 * 60; ++tick)
	{
		rpPlayerInput input = readStick(tick / 60.0);
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, &report);
		const rpMovementReport* movement = &report.movement;
		if (movement->number != last)
		{
			printf("%5.2f s %-5s %4.2f m/s %4.0f°/s at (%5.2f, %5.2f) m\n", report.time,
				   rpMovementKind_GetString(movement->kind), (double)movement->speed,
				   (double)movement->turn / RP_DEGREE, (double)report.ground.shift.x, (double)report.ground.shift.z);
		}
		last = movement->number;
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return EXIT_SUCCESS;
}
