#include "play_run.h"

#include "clock.h"
#include "progress_bar.h"

#include <math.h>

bool cliGetPlay(cliRun* run, cliPlay* play)
{
	*play = (cliPlay){.def = rpDefaultPlayerDef(), .fps = 60.0};
	play->def.lockFeet = !cliHas(run, "no-lock");
	play->def.locomotion.maxBend = cliHas(run, "no-bend") ? 0.0f : play->def.locomotion.maxBend;
	return cliGetRate(run, &play->fps) && cliGetDuration(run, &play->seconds) &&
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

/// Where frames go.
typedef struct Showing
{
	cliPlay* play;
	const cliPlayHooks* hooks;
} Showing;

static bool addFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	const Showing* showing = context;
	if (showing->hooks->see != NULL)
		showing->hooks->see(showing->hooks->context, motion, frame, pose);
	return cliAddFrame(&showing->play->stream, motion, frame, pose, error);
}

static bool record(cliRun* run, cliPlay* play, const cliPlayHooks* hooks)
{
	rpError error = {0};
	Showing showing = {play, hooks};
	rpRecordDef def = rpDefaultRecordDef();
	def.fps = play->fps;
	// A script may have its last line shortly before.
	def.seconds = fmin(play->seconds, CLI_MAX_SECONDS);
	def.steer = hooks->steer;
	def.context = hooks->context;
	def.addFrame = addFrame;
	def.frameContext = &showing;
	def.mayEnd = hooks->mayEnd;
	def.progress = cliStepBar;
	def.getSeconds = cliGetSeconds;
	cliStartBar(run->quiet || run->json);
	bool done = rpRecordPlayer(play->player, &def, &play->recording, &error);
	cliEndBar();
	return done || cliFailWork(run, &error);
}

bool cliPlay_Perform(cliRun* run, cliPlay* play, const char* output, const rpSaveDef* saving, const cliPlayHooks* hooks)
{
	if (!cliStartStream(run, output, saving, &play->stream) || !record(run, play, hooks))
		return false;
	play->worked = play->recording.stepSeconds;
	play->seconds = rpMotion_GetDuration(play->recording.motion);
	return (hooks->note == NULL || hooks->note(run, hooks->context, play->recording.motion)) &&
		   cliFinishStream(run, &play->stream, play->recording.motion);
}

void cliFreePlay(cliPlay* play)
{
	cliFreeStream(&play->stream);
	rpRecording_Free(&play->recording);
	rpDestroyPlayer(play->player);
	rpDestroyBundle(play->bundle);
	rpFreeBytes(play->bytes);
}
