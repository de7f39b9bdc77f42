/// Tables that people write by hand: the first byte tells whether the rest is one of thresholds, or a script of gaits
/// or of directions for a player of locomotion that leans, of parameters for one of a space that does, or of nodes for
/// one of a parametric graph that does. What is read is looked at as the commands do.
#include "../test/support/tiny_parametric.h"
#include "run.h"
#include "steering_script.h"
#include "threshold_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char s_path[100];

/// Of locomotion, of a space, and of a graph of it.
enum
{
	playerCount = 3,
};

static void* s_bytes[playerCount];
static rpBundle* s_bundles[playerCount];
static rpPlayer* s_players[playerCount];

static void removeFile(void)
{
	unlink(s_path);
	for (int i = 0; i < playerCount; ++i)
	{
		rpDestroyPlayer(s_players[i]);
		rpDestroyBundle(s_bundles[i]);
		rpFreeBytes(s_bytes[i]);
	}
}

static void* writeGaits(size_t* size)
{
	rpPerformDef perform = rpDefaultPerformDef(rp_actWalk);
	rpLocomotionDef locomotion = rpDefaultLocomotionDef();
	perform.fps = 30.0;
	rpMotion* walk = rpPerform(&perform, NULL);
	const rpMotion* takes[] = {walk};
	rpLocomotion* model = walk != NULL ? rpBuildLocomotionOf(takes, 1, &locomotion, NULL, NULL) : NULL;
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, size, NULL) : NULL;
	rpDestroyLocomotion(model);
	rpDestroyMotion(walk);
	return bytes;
}

static void* writeSpace(size_t* size)
{
	rpSpace* space = tinyMakeSpace();
	void* bytes = space != NULL ? rpWriteSpaceBundle(space, size, NULL) : NULL;
	rpDestroySpace(space);
	return bytes;
}

static void* writeParametric(size_t* size)
{
	rpSpace* space = tinyMakeSpace();
	rpParametricGraph* graph = space != NULL ? tinyMakeParametric(space) : NULL;
	void* bytes = graph != NULL ? rpWriteParametricBundle(graph, size, NULL) : NULL;
	rpDestroyParametricGraph(graph);
	rpDestroySpace(space);
	return bytes;
}

static void makePlayers(void)
{
	static void* (*const writers[playerCount])(size_t*) = {writeGaits, writeSpace, writeParametric};
	rpLeanDef lean = rpDefaultLeanDef();
	for (int i = 0; i < playerCount; ++i)
	{
		size_t size = 0;
		s_bytes[i] = writers[i](&size);
		s_bundles[i] = s_bytes[i] != NULL ? rpCreateBundle(s_bytes[i], size, NULL) : NULL;
		s_players[i] = s_bundles[i] != NULL ? rpCreatePlayer(s_bundles[i], NULL, NULL) : NULL;
		if (s_players[i] == NULL || rpPlayer_AddLayer(s_players[i], rpFindLayerKind("lean"), &lean, NULL) < 0)
		{
			abort();
		}
	}
}

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(s_path, sizeof(s_path), "%s/reprise-fuzz-%d.csv", folder, (int)getpid());
	makePlayers();
	atexit(removeFile);
	return freopen("/dev/null", "w", stdout) == NULL;
}

static void useScript(cliScript* script)
{
	double last = -1.0;
	for (int i = 0; i < script->count; ++i)
	{
		rpPlayerInput input;
		cliSteerByScript(script, script->player, script->items[i].time, &input);
		if (!(script->items[i].time >= last) || !(input.stick.x * input.stick.x >= 0.0f))
		{
			abort();
		}
		last = script->items[i].time;
	}
	cliFreeScript(script);
}

static void useThresholds(cliThresholds* thresholds)
{
	for (int i = 0; i < thresholds->count; ++i)
	{
		if (!(thresholds->items[i].distance >= 0.0f))
		{
			abort();
		}
	}
	cliFreeThresholds(thresholds);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	FILE* file = size > 0 ? fopen(s_path, "wb") : NULL;
	if (file == NULL)
	{
		return 0;
	}
	bool done = fwrite(data + 1, 1, size - 1, file) == size - 1;
	done = fclose(file) == 0 && done;
	cliRun run = {.program = "reprise", .json = true, .warnings = json_array(), .inputs = json_array()};
	cliThresholds thresholds;
	cliScript script;
	int kind = data[0] % 5;
	cliScriptForm form = kind == 1 ? cli_scriptOfGaits : cli_scriptOfDirections;
	if (done && kind == 0 && cliReadThresholds(&run, s_path, &thresholds))
	{
		useThresholds(&thresholds);
	}
	else if (done && kind > 0 && cliReadScript(&run, s_path, s_players[kind < 3 ? 0 : kind - 2], form, &script))
	{
		useScript(&script);
	}
	cliEndRun(&run);
	return 0;
}
