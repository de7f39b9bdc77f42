/// A player at work without a screen: ticks, what it is asked for in each, and what it showed.
#pragma once

#include "saving.h"

/// Zero-initialised is none. Free with cliFreePlay.
typedef struct cliPlay
{
	/// How it plays: ticks per second, and how many seconds.
	rpPlayerDef def;
	double fps, seconds;

	/// Where it plays from; bytes only where the bundle is not a file.
	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;

	/// Where its frames go, and what is known about them.
	cliStream stream;
	rpRecording recording;

	/// Seconds that it took to make the frames.
	double worked;
} cliPlay;

/// What is usual, and the options --fps, --seconds, --look-ahead and --no-lock; seconds are 0 where none are given.
/// False: reported.
bool cliGetPlay(cliRun* run, cliPlay* play);

/// Make the player of a model of locomotion. False: reported.
bool cliPlay_OpenLocomotion(cliRun* run, cliPlay* play, const rpLocomotion* model);

/// What a command asks for and looks at while it plays; context goes to all.
typedef struct cliPlayHooks
{
	rpSteerFn* steer;

	/// Sees each frame before it goes to play->stream; may be NULL.
	void (*see)(void* context, const rpMotion* motion, int frame, const rpPose* pose);

	/// Adds notes to the motion before it is finished; may be NULL. False: reported.
	bool (*note)(cliRun* run, void* context, rpMotion* motion);
	void* context;

	/// Whether steer may end it.
	bool mayEnd;
} cliPlayHooks;

/// Play for play->seconds, or until it is over, and write what is shown, with annotations. False: reported.
bool cliPlay_Perform(cliRun* run, cliPlay* play, const char* output, const rpSaveDef* saving,
					 const cliPlayHooks* hooks);
void cliFreePlay(cliPlay* play);

/// The options of cliGetPlay.
#define CLI_PLAY_OPTIONS                                                                               \
	{"seconds", 0, "S", "How long; five seconds after the script's last line if not given."},          \
		{"fps", 0, "F", "Ticks per second, 60 if not given."},                                         \
		{"look-ahead", 0, "S",                                                                         \
		 "How much later than it is made a frame is shown, so that feet aim at where they will rest; " \
		 "0 if not given: they are held where they come down."},                                       \
		{"no-bend", 0, NULL, "Turn only as the takes do (locomotion)."},                               \
	{                                                                                                  \
		"no-lock", 0, NULL, "Leave the feet as the blends have them."                                  \
	}
