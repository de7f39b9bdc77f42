/// A journey: standing, walking and running along a path, as a sequence of footsteps of any speed, turn and gait.
///
/// A script of stretches becomes links from strike to strike, each with a speed, a turn, a length in time and the time
/// that both feet are down after a strike (negative: a flight before it). From the links follow the path of the centre
/// of mass over the ground, the footholds beside the path, and the knots of the centre of mass in space: an inverted
/// pendulum in walking, free fall in flight. Starts, stops, turns and changes of gait are no special cases.
#pragma once

#include "performer/stage.h"

typedef enum rpGaitKind
{
	rp_gaitStand,
	rp_gaitWalk,
	rp_gaitRun,
} rpGaitKind;

/// One stretch of a script. Turning is to the left, rad/s; seconds are rounded to whole steps.
typedef struct rpStretch
{
	rpGaitKind gait;
	double seconds;
	float speed, turn;
} rpStretch;

/// How a gait differs from the plain one.
typedef struct rpGaitStyle
{
	/// Factors of cadence and of the vertical movement, added to the part of the cycle that a foot stands.
	float cadence, bounce, duty;

	/// Added to the height of the centre of mass, metres.
	float height;

	/// The part of a leg's length to which it may be stretched; plain if 0.
	float reach;

	/// The foot, as in rpStance; these replace the plain ones if `ownFeet`.
	bool ownFeet;
	float strikePitch, flatPitch, liftPitch, brisk, high, clear, clearLate, late;

	/// The part of the stance at which the heels lift; and the swing. Both are plain if 0 and NULL.
	float lift;
	const rpSwingShape* swing;

	/// The trunk's bend, the arms' swing (factor), swing forward, spread, elbow; how much the elbow goes along.
	float bend, armSwing, armForward, armSpread, elbow, elbowSwing;

	/// Factor of the step's width.
	float width;
} rpGaitStyle;

extern const rpGaitStyle rp_plainStyle;

/// The style of an act: sneaking, tiptoe, marching, backwards; else the plain one.
const rpGaitStyle* rpGetGaitStyle(rpAct act);

/// A strike and what follows until the next one of the other foot.
typedef struct rpStep
{
	int side;
	rpGaitKind gait;
	double strike, off;

	/// How long both feet are down after the strike; negative: the flight before it.
	double together;

	/// Until the next strike: speed, turn, both means; and what they shall be by the script.
	float speed, turn;

	/// The flight before the strike is a jump of this length, seconds; 0: it is none.
	float leap;

	/// The floor that the foot is set on is higher by this than the one before, and this high in all, metres.
	float rise, support;

	/// The foot is set beside the place where the journey comes to stand, or has stood.
	bool standing;

	/// Which stretch of the script it belongs to.
	int stretch;
} rpStep;

/// A jump in a run: how the feet get through it, and the body above them. Made and planned in jump_running.c.
typedef struct rpLeap rpLeap;

/// A moment of the path over the ground, sampled evenly: place, heading, speed, and their rates.
typedef struct rpJourneyPoint
{
	double x, z, heading, speed, turn, run, speedRate, turnRate;
} rpJourneyPoint;

typedef struct rpJourney
{
	rpGaitStyle style;
	rpManner manner;

	/// The time runs backwards from this moment; NAN: it does not.
	double mirrorTime;

	rpStep* steps;
	int stepCount, stepCapacity;

	/// The jumps in it, in order of time.
	rpLeap* leaps;
	int leapCount, leapCapacity;

	/// Speed and turn over time (channels 0 and 1) and running (2: 0 walk, 1 run).
	rpKnot* tempo;
	int tempoCount, tempoCapacity;

	rpJourneyPoint* path;
	int pathCount;
	double pathStart;

	/// The centre of mass, and by how much each knot had to be lowered so that no leg is overstretched.
	rpKnot* center;
	float* drops;
	int centerCount, centerCapacity;

	/// Channel 0: 1 at a left strike, -1 at a right one, 0 standing. 1: 1 in the middle of a left stance, -1 of a right
	/// one. 2: 1 standing, 0 moving.
	rpKnot* rhythm;
	int rhythmCount, rhythmCapacity;
	rpKnot* weight;
	int weightCount, weightCapacity;

	/// Footholds in the journey's own time, by side.
	rpPerformance feet;
} rpJourney;

/// What a journey is made of.
typedef struct rpJourneyDef
{
	/// [stretchCount], borrowed for the call. The last stretch goes on for as long as the performance.
	const rpStretch* stretches;
	int stretchCount;

	/// The first strike of this stretch is of this side.
	int anchor, anchorSide;

	/// [stretchCount], borrowed for the call, or NULL. Where not 0, the flight before the stretch's first strike is a
	/// jump that lasts this long, seconds; the stretch before must be one of running.
	const float* leaps;

	/// [stretchCount], borrowed for the call, or NULL. Where not 0, the floor is higher by this from the stretch's
	/// first strike on, metres; between walked stretches.
	const float* rises;

	/// The height of the floor in the beginning, metres.
	float floor;

	/// If not 0: all turns are scaled so that this is turned to the left in all, radians.
	float angle;

	/// NULL: plain.
	const rpGaitStyle* style;

	/// Go backwards: the journey is planned forwards and shown from its end.
	bool backwards;
} rpJourneyDef;

/// Lay out a journey for a performance and take it as its state: stances, stretches of standing, half cycles, and
/// labels if there is more than one stretch.
bool rpPerformance_Travel(rpPerformance* performance, const rpJourneyDef* def, rpError* error);

/// The plan of a performance whose state is a journey.
void rpPerformance_PlanTravel(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// The path's point at a time, in the journey's time.
rpJourneyPoint rpJourney_GetPath(const rpJourney* journey, double t);

/// The strike that begins a stretch of the script, in the journey's time.
double rpJourney_GetStretchStart(const rpJourney* journey, int stretch);

// ---- between the files of the journey

/// Speed is gone this long after the feet have closed, and begins this long before the first foot lifts, seconds.
#define JOURNEY_SETTLE_TIME 0.3
#define JOURNEY_READY_TIME 0.35

/// Step rate of walking and running, per second, and the part of the cycle that a foot stands.
double rpGetStepRate(rpGaitKind gait, double speed);
double rpGetContactTime(rpGaitKind gait, double speed, double stepTime);

/// How high the body is above where it would be on an even floor.
float rpJourney_GetClimb(const rpJourney* journey, double t);

bool rpJourney_LayPath(rpJourney* journey, double end, float angle, rpError* error);
bool rpJourney_LayStances(rpJourney* journey, rpError* error);
bool rpJourney_LayCenter(rpJourney* journey, rpError* error);
bool rpJourney_FitCenter(rpJourney* journey, const rpPerformance* performance, rpError* error);
/// How long the flight of a jump in a run must be for the feet to be that far apart, seconds.
float rpGetLeapTime(float speed, float distance);

/// How much less far ahead a foot lands from a leap out of a walk than from one out of a run, metres.
#define LEAP_BEHIND 0.08f

bool rpJourney_LayLeaps(rpJourney* journey, rpError* error);
void rpJourney_PlanLeaps(const rpJourney* journey, double t, rpBodyPlan* plan);
void rpJourney_Plan(const rpJourney* journey, double t, rpBodyPlan* plan);
void rpJourney_Free(void* journey);
