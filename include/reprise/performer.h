/// The embedded performer: human motion made by formula, with its ground truth, so that Reprise runs, is tried and is
/// tested with no data but its own.
///
/// A performance is an act with parameters, in the manner of a seed, on a body. Body and manner are apart: takes of
/// equal bodies share one skeleton and can be blended, whatever their seeds.
///
/// It is a library of its own: link libreprise_performer (which needs libreprise).
#pragma once

#include "reprise/play/space.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// The kinds of act.
typedef enum rpActKind
{
	rp_kindLocomotion,
	rp_kindTransition,
	rp_kindStyle,
	rp_kindAction,
	rp_kindJump,
	rp_kindTake,
	rp_actKindCount,
} rpActKind;

/// What the performer can do. X(enumerator, name, kind, what it is)
#define RP_ACTS(X)                                                                                             \
	X(actStand, "stand", kindLocomotion, "stand at ease")                                                      \
	X(actWalk, "walk", kindLocomotion, "walk along a line or a curve")                                         \
	X(actJog, "jog", kindLocomotion, "run slowly")                                                             \
	X(actRun, "run", kindLocomotion, "run along a line or a curve")                                            \
	X(actBackwards, "backwards", kindLocomotion, "walk backwards")                                             \
	X(actTurn, "turn", kindLocomotion, "turn on the spot, step by step")                                       \
	X(actTurnInStride, "turn-in-stride", kindLocomotion, "walk, turn within a few steps, walk on")             \
	X(actStandWalk, "stand-walk", kindTransition, "start to walk")                                             \
	X(actWalkStand, "walk-stand", kindTransition, "stop walking")                                              \
	X(actStandRun, "stand-run", kindTransition, "start to run")                                                \
	X(actRunStand, "run-stand", kindTransition, "stop running")                                                \
	X(actWalkRun, "walk-run", kindTransition, "walk, then run")                                                \
	X(actRunWalk, "run-walk", kindTransition, "run, then walk")                                                \
	X(actSneak, "sneak", kindStyle, "sneak: low, slow, on the balls of the feet")                              \
	X(actTiptoe, "tiptoe", kindStyle, "walk on tiptoe")                                                        \
	X(actMarch, "march", kindStyle, "march: knees up, arms stiff")                                             \
	X(actWave, "wave", kindAction, "wave a hand")                                                              \
	X(actPunch, "punch", kindAction, "punch a target")                                                         \
	X(actKick, "kick", kindAction, "kick a target")                                                            \
	X(actReach, "reach", kindAction, "reach for a place and come back")                                        \
	X(actPickUp, "pick-up", kindAction, "pick something up and stand with it")                                 \
	X(actPutDown, "put-down", kindAction, "put down something that is held")                                   \
	X(actDuck, "duck", kindAction, "duck below a height")                                                      \
	X(actSitDown, "sit-down", kindAction, "sit down on a seat behind")                                         \
	X(actRise, "rise", kindAction, "rise from a seat")                                                         \
	X(actStepUp, "step-up", kindAction, "step up on something")                                                \
	X(actStepDown, "step-down", kindAction, "step down from something")                                        \
	X(actGesture, "gesture", kindAction, "talk with the hands")                                                \
	X(actBoxDance, "box-dance", kindAction,                                                                    \
	  "dance from foot to foot as boxers do, turning by an angle each two steps")                              \
	X(actDance, "dance", kindAction, "dance freely on the spot")                                               \
	X(actJump, "jump", kindJump, "jump from both feet, up or forwards, with or without a turn")                \
	X(actHop, "hop", kindJump, "jump from one foot, and land on it")                                           \
	X(actLeap, "leap", kindAction, "leap from one foot to the other")                                          \
	X(actRunningJump, "running-jump", kindJump, "run, jump from one foot, land on the other, run")             \
	X(actTake, "take", kindTake, "a long take that mixes all of it, as one who moves at will, or by a script") \
	X(actGuardPunch, "guard-punch", kindAction, "step and punch a target, from guard to guard")                \
	X(actGuardDuck, "guard-duck", kindAction, "duck below a height, from guard to guard")                      \
	X(actGuardDance, "guard-dance", kindAction, "turn by a small hop, from guard to guard")                    \
	X(actWalkStepUp, "walk-step-up", kindAction, "walk, step up on something, walk on")                        \
	X(actWalkStepOff, "walk-step-off", kindAction, "walk, step off something, walk on")                        \
	X(actWalkLeap, "walk-leap", kindAction, "walk, leap from one foot to the other, walk on")                  \
	X(actWalkSit, "walk-sit", kindAction, "walk up to a seat, turn, sit down")                                 \
	X(actRiseWalk, "rise-walk", kindAction, "rise from a seat and walk off")

typedef enum rpAct
{
#define X(enumerator, name, kind, text) rp_##enumerator,
	RP_ACTS(X)
#undef X
		rp_actCount,
} rpAct;

/// "locomotion"
RP_API const char* rpActKind_GetName(rpActKind kind);

/// "walk"
RP_API const char* rpAct_GetName(rpAct act);

/// One line for people.
RP_API const char* rpAct_GetText(rpAct act);
RP_API rpActKind rpAct_GetKind(rpAct act);

/// rp_actCount if there is none of that name.
RP_API rpAct rpAct_Find(const char* name);

/// What can be asked of an act. Units are metres, seconds, radians.
/// X(enumerator, name, unit as said to people, key in JSON, what it is)
#define RP_PARAMETERS(X)                                                                                         \
	X(paramSpeed, "speed", "m/s", "speed_m_per_s", "forward speed")                                              \
	X(paramTurn, "turn", "deg/s", "turn_deg_per_s", "turning to the left")                                       \
	X(paramAngle, "angle", "deg", "angle_deg", "angle of the turn, to the left")                                 \
	X(paramFoot, "foot", "", "foot", "which foot: 0 left, 1 right; in a transition the one that supports first") \
	X(paramHand, "hand", "", "hand", "which hand: 0 left, 1 right")                                              \
	X(paramHeight, "height", "m", "height_m", "height of target, seat, step or jump")                            \
	X(paramReach, "reach", "m", "reach_m", "how far ahead the target is")                                        \
	X(paramSide, "side", "m", "side_m", "how far to the left the target is")                                     \
	X(paramDistance, "distance", "m", "distance_m", "length of the jump or leap")

typedef enum rpParameter
{
#define X(enumerator, name, unit, key, text) rp_##enumerator,
	RP_PARAMETERS(X)
#undef X
		rp_parameterCount,
} rpParameter;

RP_API const char* rpParameter_GetName(rpParameter parameter);
RP_API const char* rpParameter_GetUnit(rpParameter parameter);
RP_API const char* rpParameter_GetText(rpParameter parameter);

/// Whether it is an angle or a rate of one: radians here, degrees where people read it.
RP_API bool rpParameter_IsAngle(rpParameter parameter);

/// Its name with the unit in it, for JSON and for the annotations' curves: "speed_m_per_s".
RP_API const char* rpParameter_GetKey(rpParameter parameter);

/// The range of a parameter of an act for a body of 1.75 m, inside which everything the tests promise holds. Other
/// bodies move alike (dynamic similarity under the same gravity): lengths grow with the stature, times and speeds
/// with its root, so do these ranges.
typedef struct rpParameterRange
{
	float low, normal, high;
} rpParameterRange;

/// False if the act takes no such parameter.
RP_API bool rpAct_GetRange(rpAct act, rpParameter parameter, rpParameterRange* out);

/// How to perform. Must come from rpDefaultPerformDef(act).
typedef struct rpPerformDef
{
	rpAct act;

	/// Frames per second, above 0 to 1000; the tests' promises are for 30 to 240.
	double fps;

	/// Length; one frame at least. Acts with a natural end (a jump, a kick) are repeated or stood out until then.
	/// 0: one natural length.
	double seconds;

	/// The manner: cadence, arm swing, bounce, asymmetry, lean, and the small variation from step to step.
	/// 0 is the plain manner without variation.
	uint64_t seed;

	/// What is asked for, by rpParameter, within rpAct_GetRange.
	float parameters[rp_parameterCount];

	/// Stature of the body, 1.2 to 2.1 m. Bodies of equal stature share their skeleton's proportions and size.
	float stature;

	/// Takes only: what to do, or NULL for what comes to mind. Stretches separated by ";" or line ends, each a word and
	/// what is asked for: numbers in an order that the word knows, or by name; what is not given has its usual value.
	/// "stand", "walk", "run" and the styles take seconds, speed in m/s and turn in degrees per second; "wave",
	/// "gesture" and "dance" seconds; "box-dance" seconds and the angle in degrees that two steps turn; "turn" an angle
	/// in degrees; "jump", "hop" and "leap" distance and angle; "running-jump" distance and speed; "punch", "kick",
	/// "reach", "pick-up", "duck", "sit-down" and "step-up" the height, reach and side of their target. What is sat
	/// down on, stepped up to or picked up is left again. "stand 1; walk 4 1.3 20; punch height=1.3; sneak 5; jump
	/// 1.2". With 0 seconds the take is as long as its script. Lengths and speeds are those of the body asked for.
	/// Borrowed for the call.
	const char* script;

	/// Put labels into the annotations (true by default); a take meant to be unlabelled keeps its truth in the
	/// others.
	bool labels;
} rpPerformDef;

RP_API rpPerformDef rpDefaultPerformDef(rpAct act);

/// Perform. The annotations hold the ground truth: labels; contacts of heel and ball of both feet with their
/// support height; phases L, R, D, F, S; events "half_cycle" (peaks of the centre of mass) and "heel_strike_left",
/// …; footstep strings (Kwon & Shin 2005) as events "string:LDR" where each begins, at a "half_cycle", to last
/// until the next; curves "com" (point), and one for each parameter asked for ("speed_m_per_s"). Acts that are made to
/// follow each other (from guard to guard; in a walk) mark what they are about by events "core_start" and "core_end":
/// there, and for half a second before and after, they are alike. error may be NULL. Free with rpDestroyMotion.
RP_API RP_NODISCARD rpMotion* rpPerform(const rpPerformDef* def, rpError* error);

/// An act as a procedural space: its parameters are those that the definition names, within the ranges of the act; all
/// else is as the definition has it. The truth that spaces of examples are held against.
typedef struct rpPerformedSpace
{
	rpPerformDef def;
	rpParameter parameters[RP_MAX_SPACE_PARAMETERS];
	int parameterCount;
} rpPerformedSpace;

/// All parameters that an act takes and that are no choice of a side.
RP_API rpPerformedSpace rpDefaultPerformedSpace(rpAct act);

/// The space as a source of motions, which borrows it. error may be NULL. False with rp_errorArgument for a parameter
/// that the act does not take.
RP_API RP_NODISCARD bool rpOpenPerformedSpace(const rpPerformedSpace* space, rpMotionSource* out, rpError* error);

/// The performer's skeleton of that stature, named as captures name theirs. Give it back with rpReleaseSkeleton.
RP_API RP_NODISCARD rpSkeleton* rpCreatePerformerSkeleton(float stature, rpError* error);

/// One performance of the repertoire: some minutes of motion in all categories, on one body.
typedef struct rpRepertoireEntry
{
	/// Unique; also the clip's name.
	char name[64];
	rpPerformDef def;
} rpRepertoireEntry;

/// Entry i of the repertoire for a seed; false beyond its end.
RP_API bool rpGetRepertoire(uint64_t seed, int i, rpRepertoireEntry* out);

#ifdef __cplusplus
}
#endif
