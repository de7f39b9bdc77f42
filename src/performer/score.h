/// The score of an act: its footholds, the path of the centre of mass, and how each part of the body moves, written
/// down as values at times. Acts with a beginning and an end build one; the score is then planned, repeated and
/// reported.
///
/// A score is written in its own frame: it begins at the origin facing +Z at time 0. When it is repeated, the next one
/// begins where the last one ended.
#pragma once

#include "performer/stage.h"

/// What a score moves. x, z: where the centre of mass is against standing at ease; y: the pelvis' height likewise. The
/// others are added to rpBodyPlan's fields of that name; arm channels come for both arms, the left and the right one.
typedef enum rpChannel
{
	rp_channelX,
	rp_channelY,
	rp_channelZ,
	rp_channelLean,
	rp_channelPelvisTurn,
	rp_channelPelvisRoll,
	rp_channelTrunkTurn,
	rp_channelTrunkBend,
	rp_channelTrunkSide,
	rp_channelHeadTurn,
	rp_channelHeadNod,
	rp_channelHeadTilt,
	rp_channelKneeOut,
	rp_channelArms,
	/// Of an arm: rp_channelArms + rp_armSwing is the swing of both, rp_channelLeftArm + … that of the left one.
	rp_channelLeftArm = rp_channelArms + 6,
	rp_channelRightArm = rp_channelLeftArm + 6,
	rp_channelCount = rp_channelRightArm + 6,
} rpChannel;

/// Arm channels, in the order of rpArmPlan.
enum
{
	rp_armSwing,
	rp_armSpread,
	rp_armTwist,
	rp_armElbow,
	rp_armWrist,
	rp_armShrug,
};

#define SCORE_KEYS 14
#define SCORE_STANCES 6
#define SCORE_TURNS 4

/// A value at a time.
typedef struct rpKey
{
	double t;
	float value;
} rpKey;

/// Where a frame lies in another one: turned to the left about its own origin, then moved.
typedef struct rpFrame
{
	rpVec3 shift;
	float turn;
} rpFrame;

/// A place of a frame in the world, a frame that is given in another one, and a plan that is.
rpVec3 rpFrame_Place(rpFrame frame, rpVec3 place);
rpFrame rpFrame_Follow(rpFrame frame, rpFrame next);
void rpFrame_MovePlan(rpFrame frame, rpBodyPlan* plan);

/// How a foot gets from one stance to the next, beyond what rpPlanSwing does.
typedef struct rpSwing
{
	/// The swing is that of a step on the spot, carried along to this frame during the swing (a jump). The points below
	/// are those of the step on the spot.
	rpFrame carry;

	/// How soon it comes along: 0, it trails at first and leads at last; 1, by the pace below.
	float brisk;

	/// Parts of the swing, of the path and of the path in that time: how long it takes to get going and how far it gets
	/// in that, how fast it goes between, how long it takes to stop and how far it gets in that.
	struct
	{
		float leaving, left, rate, meeting, missing;
	} pace;

	/// See rpFootPlan.
	float loose;

	/// Where ankle and (pitch, toe, heading) shall be at times in between.
	int pointCount;
	struct
	{
		double t;
		rpFootPlan foot;
		/// How fast the ankle's rise changes there, m/s²; as of a body in free fall.
		float bend;
	} points[4];
} rpSwing;

/// A hand that is at a place for a while.
typedef struct rpGrasp
{
	/// It leaves its path at start, is there from arrive to leave and back on its path at end.
	double start, arrive, leave, end;
	rpVec3 target, elbowDirection;
	float shortOf;

	/// If not 0: from `leave` on the target moves, within this time, to `carried`.
	double carrying;
	rpVec3 carried;
} rpGrasp;

typedef struct rpScore
{
	/// How long one lasts; it is repeated while it fits if `repeats`, else the end is held.
	double period;
	bool repeats;

	/// It begins and ends in a boxer's guard (guard.h) instead of standing at ease.
	bool guarded;

	/// Where the next one begins.
	rpFrame next;

	int keyCount[rp_channelCount];
	rpKey keys[rp_channelCount][SCORE_KEYS];

	/// The heading, radians, in channel 0. Written by rpScore_Turn.
	rpKnot turns[SCORE_TURNS];
	int turnCount;

	/// The centre of mass, if riseCount > 0: its height p[0], and x and z of its path. Holds in all components.
	rpKnot rise[SCORE_KEYS], path[SCORE_KEYS];
	int riseCount, pathCount;

	rpStance stances[2][SCORE_STANCES];
	rpSwing swings[2][SCORE_STANCES];
	int stanceCount[2];

	rpGrasp grasps[2];

	/// The seat is held at a place from `sits` to `rises`; meeting and leaving it takes a moment (SEAT_MEET).
	double sits, rises;
	rpVec3 seat;

	/// What was fitted by rpScore_Fit, 0 to 1 each: how much the act has to exert itself.
	float efforts[3];

	/// Stretches of standing, and moments.
	rpNote stands[3], events[4];
	int standCount, eventCount;
} rpScore;

/// Writes an act's score, which is empty but for its efforts.
typedef void rpScoreFn(const rpPerformance* performance, rpScore* score);

/// Something about a score that efforts make less.
typedef float rpMeasureFn(const rpPerformance* performance, const rpScore* score);

/// How many seconds it takes to go a distance from rest to a speed of free fall, or back to rest from it, in the
/// smoothest manner (a quartic): at rest the acceleration is `turn`, at speed that of the fall. Knots of a centre of
/// mass that are so far apart neither swing through nor pull the feet off the ground.
double rpGetBrakeTime(double distance, double speed, double turn);

/// Append keys to a channel: rpScore_Shape(score, channel, scale, {{t, value}, …}), of increasing t. Smooth between,
/// level at extremes, constant beyond.
#define rpScore_Shape(score, channel, scale, ...)                        \
	rpScore_AddKeys(score, channel, scale, (const rpKey[]){__VA_ARGS__}, \
					(int)(sizeof((const rpKey[]){__VA_ARGS__}) / sizeof(rpKey)))
void rpScore_AddKeys(rpScore* score, int channel, float scale, const rpKey* keys, int count);

/// Append a stance, flat at ease in a frame. Change what is returned.
rpStance* rpScore_AddStance(rpScore* score, const rpPerformance* performance, int side, double strike, double off,
							rpFrame at);

/// Turn by an angle in a flight: at a constant rate from `leave` to `down`, and a little before and after it.
void rpScore_Turn(rpScore* score, double leave, double down, float angle);

void rpScore_AddStand(rpScore* score, double start, double end);
void rpScore_AddEvent(rpScore* score, const char* name, double time);

/// Exchange left and right.
void rpScore_Mirror(rpScore* score);

/// The whole body at t of one score, in its own frame.
void rpScore_Plan(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan);

/// The same, settled: where every joint is, [rp_performerJointCount].
void rpScore_Settle(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan,
					rpTransform* world);

/// Find the smallest score->efforts[which] for which measure is at most `limit`, 1 if there is none, and write the
/// score with it. The other efforts are kept.
void rpScore_Fit(rpScore* score, const rpPerformance* performance, int which, rpScoreFn* write, rpMeasureFn* measure,
				 float limit);

/// Allocate a score as the performance's state and write it.
rpScore* rpPerformance_MakeScore(rpPerformance* performance, rpScoreFn* write, rpError* error);

/// Lay out the score of a performance, as often as it is repeated: to end `prepare` with.
bool rpPerformance_PlayScore(rpPerformance* performance, rpError* error);

/// The `plan` of acts whose state is a score.
void rpPerformance_PlanScore(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// How long the arm of a side must be to reach a place, as a part of its length to where shortOf says.
float rpGetArmStretch(const rpTransform* world, int side, const rpGrasp* grasp);
