/// Layers: a character that leans into its turns, and one of your own on top. Everything here but the making of the
/// bundle needs libreprise_play only.
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A take that runs straight on and along a curve becomes a model of locomotion.
static rpBundle* makeBundle(void** bytes, rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.seconds = 0.0;
	def.labels = false;
	def.script = "stand 2; run 6 2.8 0; run 6 2.8 20; stand 2";
	rpMotion* take = rpPerform(&def, error);
	const rpMotion* takes[] = {take};
	rpLocomotionDef building = rpDefaultLocomotionDef();
	building.mirror = true;
	rpLocomotion* model = take != NULL ? rpBuildLocomotionOf(takes, 1, &building, NULL, error) : NULL;
	size_t size;
	*bytes = model != NULL ? rpWriteLocomotionBundle(model, &size, error) : NULL;
	rpDestroyLocomotion(model);
	rpDestroyMotion(take);
	return *bytes != NULL ? rpCreateBundle(*bytes, size, error) : NULL;
}

/// A layer of the game: the head nods, four times a second.
typedef struct Nod
{
	int head;
	float angle;
} Nod;

static void nod(const void* def, void* state, const rpLayerFrame* frame, rpPose* pose)
{
	const Nod* own = def;
	(void)state;
	float angle = frame->weight * own->angle * sinf((float)(8.0 * RP_PI * frame->time));
	pose->rotations[own->head] = rpMulQuat(pose->rotations[own->head], rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, angle));
}

static const rpLayerKind s_nod = {.name = "nod", .defSize = sizeof(Nod), .apply = nod};

static float getRoll(const rpPose* pose)
{
	rpVec3 up = rpRotate(pose->rotations[0], (rpVec3){0.0f, 1.0f, 0.0f});
	float heading = rpHeading(pose->rotations[0]);
	return atan2f(up.x * cosf(heading) - up.z * sinf(heading), up.y);
}

int main(void)
{
	rpError error = {0};
	void* bytes = NULL;
	rpBundle* bundle = makeBundle(&bytes, &error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	rpLeanDef lean = {.gain = 1.0f, .maxLean = 0.4f};
	int leaning = player != NULL ? rpPlayer_AddLayer(player, rpFindLayerKind("lean"), &lean, &error) : -1;
	if (leaning < 0)
	{
		fprintf(stderr, "%s\n", error.message);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		rpFreeBytes(bytes);
		return EXIT_FAILURE;
	}
	Nod nodding = {rpSkeleton_FindRole(rpPlayer_GetSkeleton(player), rp_roleHead), 0.1f};
	bool nods = nodding.head >= 0 && rpPlayer_AddLayer(player, &s_nod, &nodding, &error) >= 0;
	printf("leaning%s\n", nods ? " and nodding" : "");
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	double roll = 0.0;
	for (int tick = 1; tick <= 1200; ++tick)
	{
		// Ten seconds of a curve to the left; then the lean is switched off, within half a second.
		rpPlayerInput input = {.request = rp_gaitRun, .locomotion.turn = 0.6f};
		if (tick == 600)
		{
			rpPlayer_SwitchLayer(player, leaning, 0.0f, 0.5);
		}
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, NULL);
		roll += (double)getRoll(&pose) / 120.0;
		if (tick % 120 == 0)
		{
			printf("%4.1f s: %5.1f degrees to the left on average\n", tick / 60.0, roll / RP_DEGREE);
			roll = 0.0;
		}
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return EXIT_SUCCESS;
}
