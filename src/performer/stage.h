/// The stage: one mechanism for everything the performer does.
///
/// An act is a row of a family's table (rpActRow). To perform it, the stage
///  1. makes an rpPerformance: what is asked for, already brought to a body of 1.75 m, and the manner of the seed;
///  2. calls row->prepare once: it lays out the footholds (rpPerformance_AddStance) and notes labels, stretches of
///     standing, events, and whatever the act needs to know in a state of its own;
///  3. calls row->plan(performance, t, &plan) for every frame, in any order: what the body does at t. It must be a
///     function of t alone (no memory from frame to frame), so that all frame rates agree;
///  4. settles each plan (centre of mass, legs and arms by inverse kinematics), records it, and writes the truth.
///
/// The truth is derived from the stances: contacts of heels, balls and toes, phases (both feet down D, one L or R, none
/// F; S in the stretches of rpPerformance_AddStand), heel strikes; footstep strings from the phases between events
/// named "half_cycle". The frames must be planned from the same stances (rpPerformance_PlanFeet does it), so that truth
/// and frames cannot disagree.
///
/// Rules for plans: everything C2 in t (positions, velocities and accelerations continuous; use rpEase, rpKnots,
/// rpNoise); the centre of mass over the feet while slow; in flight plan->center holds in all three components and is
/// a parabola under GRAVITY; legs not stretched beyond 0.995 (rpBodyPlan_GetStretch).
#pragma once

#include "performer/body_plan.h"
#include "reprise/performer.h"
#include "reprise/play/body.h"

#define GRAVITY ((float)RP_GRAVITY)

// ---- smooth functions of time

/// 0 before a, 1 after b, between them C2 (6s^5 - 15s^4 + 10s^3).
float rpEase(double a, double b, double t);

/// rpEase up from a to b and down again from c to d.
float rpEaseInOut(double a, double b, double c, double d, double t);

/// Smooth random variation, C2 and band-limited (a cubic B-spline of random values one unit of x apart): mean 0,
/// deviation about 0.5, never beyond ±2. Scale x to choose how fast it is: rpNoise(seed, 3, 0.7 * t) changes 0.7 times
/// a second. Other channels and seeds are independent.
float rpNoise(uint64_t seed, int channel, double x);

/// One random number of deviation 1, never beyond ±2.5, for a seed, a channel and an index (the k-th step).
float rpChance(uint64_t seed, int channel, int index);

/// A place, velocity and acceleration at a time. Up to three channels that belong together, e.g. x, y and z.
typedef struct rpKnot
{
	double t;
	double p[3], v[3], a[3];
} rpKnot;

/// The C2 curve through knots of increasing t: quintic between them, the end knots' places beyond them. A parabola
/// whose ends are knots is reproduced exactly.
rpVec3 rpSampleKnots(const rpKnot* knots, int count, double t);

// ---- the manner

/// How this performer moves today. All 1 or 0 for seed 0.
typedef struct rpManner
{
	uint64_t seed;

	/// Factors near 1.
	float cadence, armSwing, bounce, width;

	/// Added, radians: lean of the trunk, bend of the elbows, toes outward, nod of the head.
	float lean, elbow, toeOut, nod;

	/// Left against right, within ±0.04: the left step is longer by this part.
	float asymmetry;

	/// 0 for seed 0, else 1: scale of the variation from step to step and of the noise.
	float variation;
} rpManner;

rpManner rpMakeManner(uint64_t seed);

// ---- footholds

/// How a foot swings, besides what its stances say.
typedef struct rpSwingShape
{
	/// After this part of the swing's time the ankle has gone passPlace of its path, and goes passSpeed times as fast
	/// as on average. passTime 0: as it comes.
	float passTime, passPlace, passSpeed;

	/// When the ankle is highest, as a part of the swing, if the stance says how high.
	float highTime;

	/// The foot goes on pitching after it has left: as far as it would in this time, seconds, until this part of the
	/// swing.
	float pitchOn, pitchTime;

	/// How much of the pitch at both ends is taken back in the middle.
	float drawUp;

	/// See rpFootPlan.straight.
	float straight;
} rpSwingShape;

/// One foot on something from `strike` to `off`.
///
/// strikePitch < 0: the heel touches first, the foot is flat from `flat`, the heel lifts at `lift`, the ball stays
/// until `off` while the foot rolls over it to liftPitch. strikePitch >= 0: the ball touches first and stays; the
/// heel comes down to flatPitch at `flat`; with flatPitch > 0 it never touches (tiptoe).
/// strike may be -INFINITY and off INFINITY: stands before the beginning, to the end.
typedef struct rpStance
{
	int side;
	double strike, flat, lift, off;

	/// Where the ball of the foot is; y is not looked at, but `support`, the height of what it stands on.
	rpVec3 ball;
	float heading, support;
	float strikePitch, flatPitch, liftPitch;

	/// How fast the foot still pitches as it leaves, 0 … 1: 0 walking, 1 sprinting.
	float brisk;

	/// How much of the lifting is early, 0 … 6: the heel of a runner is up before his weight has passed.
	float early;

	/// How the foot swings from here to the next stance of this side: how high it is lifted above the path that it
	/// would take anyhow, metres, and whether early (-1) or late (1) in the swing.
	float clear, clearLate;

	/// If not 0, how high the ankle comes in the swing, above `support`; clear is added to it.
	float high;

	/// How long the swing tarries before it hurries to the next stance, 0 … 1: a foot that is there too early
	/// overstretches its leg.
	float late;

	/// The foot goes backwards: the ball is down from strike to lift and the heel from flat to off. For the truth of
	/// motions that are planned forwards and shown backwards; rpPlanSwing does not know it.
	bool backwards;

	/// How much of plan->center's pull the swinging foot follows, see rpFootPlan.follow.
	float follow;

	/// The shape of the swing after this stance, borrowed for good; NULL: plain.
	const rpSwingShape* shape;
} rpStance;

/// A stance that is flat all the time from strike to off: ball there, no pitches, 3 cm of clearance.
rpStance rpMakeFlatStance(int side, double strike, double off, rpVec3 ball, float heading);

/// A foot during a stance; t may lie outside and is then held at its ends.
rpFootPlan rpStance_PlanFoot(const rpStance* stance, double t);

/// The foot in swing from one stance to the next, meeting both in position, velocity and acceleration.
rpFootPlan rpPlanSwing(const rpStance* from, const rpStance* to, double t);

// ---- performances

/// A stretch or moment that the act notes. name is borrowed: a literal, or from the performance's state.
typedef struct rpNote
{
	double start, end;
	const char* name;
} rpNote;

typedef struct rpNotes
{
	rpNote* items;
	int count, capacity;
} rpNotes;

/// Something besides the feet that rests on something for a while.
typedef struct rpRest
{
	rpEffector effector;
	double start, end;
	float support;
} rpRest;

typedef struct rpActRow rpActRow;

/// How the pelvis is turned at `count` moments (laws.h), rotation vectors of the world; NULL: it is not.
typedef struct rpLaws
{
	int count;
	rpVec3* turns;

	/// How far the centre of mass goes beside its path, x and z, at `shiftCount` moments.
	int shiftCount;
	rpVec2* shifts;
} rpLaws;

/// A performance on the stage. Times and lengths are those of a body of 1.75 m.
typedef struct rpPerformance rpPerformance;
struct rpPerformance
{
	const rpActRow* row;

	/// What is asked for, by rpParameter. Within the row's ranges.
	float parameters[rp_parameterCount];

	rpManner manner;

	/// The script of a take, or NULL.
	const char* script;

	/// How much taller the body really is, which a script's lengths are for.
	float lengthScale;

	/// How long it lasts; prepare may not change it, but the one of a script sets it where it is 0. Acts with a natural
	/// end stand it out or repeat.
	double seconds;

	/// The act's own; prepare may set it to memory from rpAllocate, the stage frees it with rpFree. If the state owns
	/// more, set freeState, which frees everything but the state itself.
	void* state;
	void (*freeState)(void* state);

	/// The footholds of each side in order of time, and notes. Filled through the functions below.
	rpStance* stances[2];
	int stanceCount[2], stanceCapacity[2];
	rpNotes labels, stands, events;
	rpRest* rests;
	int restCount, restCapacity;

	/// What is planned at t, by the act itself: row->plan, but of journeys in medleys.
	void (*plan)(const rpPerformance* performance, double t, rpBodyPlan* plan);

	/// What the laws of motion add to it (laws.h), and how the act adapts to that; NULL: it need not.
	rpLaws laws;
	bool (*refit)(rpPerformance* performance, rpError* error);

	/// For plans that need to look at a settled pose while preparing.
	const rpSkeleton* skeleton;
	const rpBody* body;
};

/// An act: one row of its family's table.
struct rpActRow
{
	rpAct act;

	/// By rpParameter; all zero: the act takes no such parameter.
	rpParameterRange ranges[rp_parameterCount];

	/// One natural length.
	double seconds;

	/// Lay out the performance. NULL: both feet stand at ease (rpPerformance_StandAtEase) all the time.
	bool (*prepare)(rpPerformance* performance, rpError* error);

	/// What the body does at t, 0 … seconds. *plan is zero before.
	void (*plan)(const rpPerformance* performance, double t, rpBodyPlan* plan);
};

/// The families, one to a line. Each is a table in a file of its own and ends with a row of no act ({rp_actCount}).
#define RP_FAMILIES(X) \
	X(locomotionRows)  \
	X(transitionRows)  \
	X(styleRows)       \
	X(takeRows)        \
	X(strikeRows)      \
	X(reachRows)       \
	X(seatRows)        \
	X(stepRows)        \
	X(danceRows)       \
	X(boxDanceRows)    \
	X(guardRows)       \
	X(strideRows)      \
	X(walkSeatRows)    \
	X(gestureRows)     \
	X(singleJumpRows)  \
	X(jumpRows)        \
	X(runningJumpRows)

#define X(rows) extern const rpActRow rp_##rows[];
RP_FAMILIES(X)
#undef X

/// Append a foothold; of one side they must come in order of time and not overlap.
bool rpPerformance_AddStance(rpPerformance* performance, const rpStance* stance, rpError* error);

/// Label a stretch, besides the act's own name, which the stage puts on the whole.
bool rpPerformance_AddLabel(rpPerformance* performance, const char* name, double start, double end, rpError* error);

/// A stretch in which the performer stands: its phase is S instead of D.
bool rpPerformance_AddStand(rpPerformance* performance, double start, double end, rpError* error);

/// A moment: "half_cycle" (the centre of mass is at a peak of its height), "hit", …
bool rpPerformance_AddEvent(rpPerformance* performance, const char* name, double time, rpError* error);

/// A contact besides those of the feet, which follow from the stances: the seat on a chair.
bool rpPerformance_AddRest(rpPerformance* performance, const rpRest* rest, rpError* error);

/// How one foot stands at ease, from strike to off: the origin is between the ankles.
rpStance rpManner_MakeEaseStance(const rpManner* manner, int side, double strike, double off);
rpStance rpPerformance_MakeEaseStance(const rpPerformance* performance, int side, double strike, double off);

/// Both feet flat at ease from start to end: half the width apart, toes out. As a prepare step of acts on the spot.
bool rpPerformance_StandAtEase(rpPerformance* performance, double start, double end, rpError* error);

/// Fill plan->feet from the stances: rolling while they stand, swinging between.
void rpPerformance_PlanFeet(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// Stand at ease at the origin facing +Z: breath, a slow shift of weight, a look about. Fills the whole plan, feet from
/// the stances. Where most acts on the spot begin: change the plan afterwards, or blend it (rpBlendPlans).
void rpPerformance_PlanStand(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// The centre of mass of the body as rpPerformance_PlanStand has it, without breath and shift: this high, and this far
/// before the ankles, which is over the middle of the feet.
#define STAND_CENTER_HEIGHT 0.9905f
#define STAND_CENTER_FORWARD 0.035f

/// How far the legs of someone who stands are stretched, as a part of their length: knees bent by some 5 degrees. And
/// how far the weight goes to either side while nothing else is done, metres.
#define STAND_REACH 0.9985f
#define STAND_SHIFT 0.024f

/// What a parameter is to be multiplied by for a body that is lengthScale times as tall, and timeScale times as slow.
float rpParameter_GetScale(rpParameter parameter, float timeScale, float lengthScale);

/// The row of an act, NULL if there is none.
const rpActRow* rpFindActRow(rpAct act);

/// Lay out a performance, whose row, parameters, manner, seconds, skeleton and body are set.
bool rpPerformance_Prepare(rpPerformance* performance, rpError* error);

/// What is planned at t, and what the laws of motion add. *plan is zero before.
void rpPerformance_Plan(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// Free everything that it owns.
void rpPerformance_End(rpPerformance* performance);

/// Perform a row. def has been checked.
rpMotion* rpPerformOnStage(const rpActRow* row, const rpPerformDef* def, rpError* error);
