#include "play_run.h"

#include "clock.h"
#include "played_motion.h"

#include <stdlib.h>

bool cliGetPlay(cliRun* run, cliPlay* play)
{
	*play = (cliPlay){.def = rpDefaultPlayerDef(), .fps = 60.0};
	play->def.lockFeet = !cliHas(run, "no-lock");
	return cliGetNumber(run, "fps", 1.0, 1000.0, &play->fps) &&
		   cliGetNumber(run, "seconds", 0.1, 36000.0, &play->seconds) &&
		   cliGetNumber(run, "look-ahead", 0.0, 4.0, &play->def.lookAhead);
}

bool cliPlay_OpenLocomotion(cliRun* run, cliPlay* play, const rpLocomotion* model)
{
	rpError error = {0};
	size_t size;
	play->bytes = rpWriteLocomotionBundle(model, &size, &error);
	play->bundle = play->bytes != NULL ? rpCreateBundle(play->bytes, size, &error) : NULL;
	play->player = play->bundle != NULL ? rpCreatePlayer(play->bundle, &play->def, &error) : NULL;
	return play->player != NULL || cliFailWork(run, &error);
}

// What was over before its time.
static bool cutMotion(cliRun* run, cliPlay* play, int frameCount)
{
	rpError error = {0};
	rpMotion* whole = play->motion;
	play->motion = rpCropFrames(whole, 0, frameCount, &error);
	rpDestroyMotion(whole);
	play->seconds = (frameCount - 1) / play->fps;
	return play->motion != NULL || cliFailWork(run, &error);
}

// Ticks until it is over; how many.
static int tick(cliPlay* play, cliSteerFn* steer, void* context)
{
	size_t jointCount = (size_t)rpPlayer_GetSkeleton(play->player)->jointCount;
	double start = cliGetSeconds();
	int i = 0;
	rpPlayerInput input;
	for (; i < play->motion->frameCount && (steer(context, play->player, i / play->fps, &input) || i == 0); ++i)
	{
		rpPose pose = {.rotations = play->motion->rotations + (size_t)i * jointCount};
		rpPlayer_Step(play->player, i > 0 ? 1.0 / play->fps : 0.0, &input, &pose, &play->reports[i]);
		play->motion->rootPositions[i] = pose.rootPosition;
	}
	play->worked = cliGetSeconds() - start;
	return i;
}

bool cliPlay_Perform(cliRun* run, cliPlay* play, cliSteerFn* steer, void* context)
{
	rpError error = {0};
	int frameCount = (int)(play->seconds * play->fps + 1e-6) + 1;
	play->motion = rpCreateMotion(rpPlayer_GetSkeleton(play->player), "played", play->fps, frameCount, &error);
	if (play->motion == NULL)
		return cliFailWork(run, &error);
	play->reports = cliReallocate(NULL, (size_t)frameCount * sizeof(rpPlayerReport));
	int made = tick(play, steer, context);
	rpMotion_FixHemispheres(play->motion);
	return (made == frameCount || cutMotion(run, play, made)) &&
		   cliAnnotatePlay(run, play->player, play->motion, play->reports, &play->seamCount);
}

void cliFreePlay(cliPlay* play)
{
	rpDestroyMotion(play->motion);
	free(play->reports);
	rpDestroyPlayer(play->player);
	rpDestroyBundle(play->bundle);
	rpFreeBytes(play->bytes);
}
