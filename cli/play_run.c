#include "play_run.h"

#include "clock.h"

#include <time.h>

bool cliGetPlay(cliRun* run, cliPlay* play)
{
	*play = (cliPlay){.def = rpDefaultPlayerDef(), .fps = 60.0};
	play->def.lockFeet = !cliHas(run, "no-lock");
	play->def.locomotion.maxBend = cliHas(run, "no-bend") ? 0.0f : play->def.locomotion.maxBend;
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

bool cliPlay_Perform(cliRun* run, cliPlay* play, rpSteerFn* steer, void* context)
{
	rpError error = {0};
	rpRecordDef def = rpDefaultRecordDef();
	def.fps = play->fps;
	def.seconds = play->seconds;
	def.steer = steer;
	def.context = context;
	def.getSeconds = cliGetSeconds;
	bool done = rpRecordPlayer(play->player, &def, &play->recording, &error);
	play->worked = play->recording.stepSeconds;
	if (done)
		play->seconds = rpMotion_GetDuration(play->recording.motion);
	return done || cliFailWork(run, &error);
}

void cliFreePlay(cliPlay* play)
{
	rpRecording_Free(&play->recording);
	rpDestroyPlayer(play->player);
	rpDestroyBundle(play->bundle);
	rpFreeBytes(play->bytes);
}
