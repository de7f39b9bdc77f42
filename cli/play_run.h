/// A player at work without a screen: ticks, what it is asked for in each, and what it showed.
#pragma once

#include "run.h"

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

	/// What it showed.
	rpRecording recording;

	/// Seconds that it took to make the frames.
	double worked;
} cliPlay;

/// What is usual, and the options --fps, --seconds, --look-ahead and --no-lock; seconds are 0 where none are given.
/// False: reported.
bool cliGetPlay(cliRun* run, cliPlay* play);

/// Make the player of a model of locomotion. False: reported.
bool cliPlay_OpenLocomotion(cliRun* run, cliPlay* play, const rpLocomotion* model);

/// Play for play->seconds, or until it is over, with annotations. False: reported.
bool cliPlay_Perform(cliRun* run, cliPlay* play, rpSteerFn* steer, void* context);
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
