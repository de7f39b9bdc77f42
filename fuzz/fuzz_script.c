/// Tables that people write by hand: the first byte tells whether the rest is one of thresholds, or a script of gaits
/// or of directions for a player of locomotion that leans. What is read is looked at as the commands do.
#include "run.h"
#include "steering_script.h"
#include "threshold_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char s_path[100];

static void* s_bytes;
static rpBundle* s_bundle;
static rpPlayer* s_player;

static void removeFile(void)
{
	unlink(s_path);
	rpDestroyPlayer(s_player);
	rpDestroyBundle(s_bundle);
	rpFreeBytes(s_bytes);
}

static void makePlayer(void)
{
	rpPerformDef perform = rpDefaultPerformDef(rp_actWalk);
	rpLocomotionDef locomotion = rpDefaultLocomotionDef();
	rpLeanDef lean = rpDefaultLeanDef();
	size_t size = 0;
	perform.fps = 30.0;
	rpMotion* walk = rpPerform(&perform, NULL);
	const rpMotion* takes[] = {walk};
	rpLocomotion* model = walk != NULL ? rpBuildLocomotionOf(takes, 1, &locomotion, NULL, NULL) : NULL;
	s_bytes = model != NULL ? rpWriteLocomotionBundle(model, &size, NULL) : NULL;
	s_bundle = s_bytes != NULL ? rpCreateBundle(s_bytes, size, NULL) : NULL;
	s_player = s_bundle != NULL ? rpCreatePlayer(s_bundle, NULL, NULL) : NULL;
	if (s_player == NULL || rpPlayer_AddLayer(s_player, rpFindLayerKind("lean"), &lean, NULL) < 0)
	{
		abort();
	}
	rpDestroyLocomotion(model);
	rpDestroyMotion(walk);
}

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(s_path, sizeof(s_path), "%s/reprise-fuzz-%d.csv", folder, (int)getpid());
	makePlayer();
	atexit(removeFile);
	return freopen("/dev/null", "w", stdout) == NULL;
}

static void useScript(cliScript* script)
{
	double last = -1.0;
	for (int i = 0; i < script->count; ++i)
	{
		rpPlayerInput input;
		cliSteerByScript(script, s_player, script->items[i].time, &input);
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
	if (done && data[0] % 3 == 0 && cliReadThresholds(&run, s_path, &thresholds))
	{
		useThresholds(&thresholds);
	}
	else if (done && data[0] % 3 > 0 &&
			 cliReadScript(&run, s_path, s_player, data[0] % 3 == 1 ? cli_scriptOfGaits : cli_scriptOfDirections,
						   &script))
	{
		useScript(&script);
	}
	cliEndRun(&run);
	return 0;
}
