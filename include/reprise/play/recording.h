/// Recordings: what a player shows under a script, as a motion with annotations; and how well it did what it was asked
/// to. Part of libreprise_play.
#pragma once

#include "reprise/play/player.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What the player is asked for before its step to a time. False: it is over, and what was recorded so far is kept.
typedef bool rpSteerFn(void* context, const rpPlayer* player, double time, rpPlayerInput* out);

/// How to record. Must come from rpDefaultRecordDef().
typedef struct rpRecordDef
{
	/// Ticks per second, 60, up to RP_MAX_FPS, and how long at most, seconds, 10.
	double fps, seconds;

	/// What the player is asked for; NULL: to stay.
	rpSteerFn* steer;
	void* context;

	/// Takes the frames as they are shown; NULL: the motion keeps them.
	rpFrameFn* addFrame;
	void* frameContext;

	/// Whether steer may end it early. A motion whose frames are taken then has a frame count of 0 until it is over;
	/// without this, frames that do not come are an error of whoever takes them.
	bool mayEnd;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;

	/// Seconds of a clock that stepSeconds is measured with; may be NULL.
	double (*getSeconds)(void);
} rpRecordDef;

RP_API rpRecordDef rpDefaultRecordDef(void);

/// Frames one after the other that belong to one movement, or to one motion of a space or of a parametric graph, and in
/// which one gait was asked for.
typedef struct rpMovementRun
{
	/// The first of them; they go on to the first of the next run, or to the end.
	int first;
	rpMovementReport movement;
	rpSpaceReport space;
	rpParametricReport parametric;
	rpGait asked;
} rpMovementRun;

/// What was shown.
typedef struct rpRecording
{
	/// With contacts, labels, the sources of all frames, a "seam" event where one span becomes the next, and of
	/// locomotion events with the string of each movement.
	/// A bare one where rpRecordDef.addFrame took its frames.
	rpMotion* motion;

	/// [runCount], all frames in order.
	rpMovementRun* runs;
	int runCount;

	int seamCount;

	/// What the player alone took of it; 0 without a clock.
	double stepSeconds;
} rpRecording;

/// Record a player from where it is: the first frame is what it shows now. With addFrame it takes as much memory for
/// ten hours as for ten seconds, but for annotations and runs. error may be NULL. False when it was stopped or memory
/// ran out; free with rpRecording_Free.
RP_API RP_NODISCARD bool rpRecordPlayer(rpPlayer* player, const rpRecordDef* def, rpRecording* out, rpError* error);
RP_API void rpRecording_Free(rpRecording* recording);

/// The gait that an input asks for: a direction with rp_gaitStand means walk.
RP_API rpGait rpPlayerInput_GetGait(const rpPlayerInput* input);

/// What a player of locomotion was asked for from a time on.
typedef struct rpOrder
{
	double time;
	rpPlayerInput input;
} rpOrder;

/// What became of an order.
typedef struct rpAnswer
{
	/// When it held, seconds.
	double start, end;

	/// Of half cycles and stands in the gait wanted: their seconds, and means over them, m/s and rad/s; and what the
	/// blended movements would have by inverse distance alone. Not numbers where there were none.
	double seconds, speed, turn;
	double plainSpeed, plainTurn;

	/// Seconds from the order to the first movement that answers it; below 0 where there was none.
	double response;
} rpAnswer;

/// All orders together: means over those that are judged, and how many these were.
typedef struct rpAnswerSummary
{
	/// Share of the speed, rad/s; of orders with a speed and without a direction.
	double speedError, turnError, plainSpeedError, plainTurnError;
	int judgedCount;

	/// Seconds.
	double responseMean, responseMax;
	int responseCount;
} rpAnswerSummary;

/// What became of orders, sorted by time; answers is [orderCount], and either output may be NULL.
RP_API void rpRecording_Judge(const rpRecording* recording, const rpOrder* orders, int orderCount, rpAnswer* answers,
							  rpAnswerSummary* summary);

/// A gait that was asked for in vain.
typedef struct rpGaitMiss
{
	/// In seconds: how long it was asked for in vain, and how long which gait was shown then.
	double seconds;
	double shown[rp_gaitCount];
} rpGaitMiss;

/// Gaits asked for in vain: not shown at all while they were asked for, though that was longer than `patience` seconds;
/// or, if the model cannot go on in them (bits 1u << rpGait of those in which it can), however short. misses is
/// [rp_gaitCount].
RP_API void rpRecording_FindMisses(const rpRecording* recording, unsigned gaits, double patience, rpGaitMiss* misses);

#ifdef __cplusplus
}
#endif
