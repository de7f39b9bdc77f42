/// The form of a jump from both feet: how deep the crouch, how far drawn up the feet, how the arms swing. All of it was
/// found by a search that kept every part of the body below what captured people show in jumps (the bars of the
/// performer's tests), legs off their ends and joints within their limits, for jumps of 0 to 2 m and of 0 to 360
/// degrees.
#pragma once

/// X(name, base, far, turn): base + far * metres beyond JUMP_FAR + turn * turns. Metres, seconds, radians.
#define JUMP_FORM(X)                                                                                                  \
	/* How high the centre rises: at least, per metre, per turn. */                                                   \
	X(rise, 0.195f, 0.0569f, 0.0125f)                                                                                 \
	X(risePerMetre, 0.045f, -0.027f, -0.0138f)                                                                        \
	X(risePerTurn, 0.1044f, -0.1098f, 0.0293f)                                                                        \
	/* How far below standing it goes before, and per metre of rise beyond 0.2. */                                    \
	X(crouch, 0.292f, 0.0559f, 0.1319f)                                                                               \
	X(crouchPerRise, 0.4f, -0.0234f, 0.1725f)                                                                         \
	/* How far it sinks after the landing, per metre forwards, and per metre aside or backwards. */                   \
	X(absorb, 0.2901f, -0.0564f, 0.0453f)                                                                             \
	X(absorbPerForwards, 0.0625f, -0.0256f, 0.0361f)                                                                  \
	X(absorbPerAside, 0.0596f, -0.0213f, 0.0143f)                                                                     \
	/* The lowest it goes. */                                                                                         \
	X(lowest, 0.5175f, -0.0967f, -0.0833f)                                                                            \
	/* How far ahead of the ankles it leaves, and per metre. */                                                       \
	X(ahead, 0.1231f, 0.0216f, -0.0348f)                                                                              \
	X(aheadPerMetre, 0.1701f, 0.0251f, -0.0281f)                                                                      \
	/* How far behind the feet it lands, per metre. */                                                                \
	X(behind, 0.0464f, -0.0078f, -0.0168f)                                                                            \
	/* How far ahead of the ankles it is at the end of the crouch, and per metre. */                                  \
	X(crouchAhead, 0.0792f, 0.0246f, -0.001f)                                                                         \
	X(crouchAheadPerMetre, 0.0197f, -0.1115f, 0.0333f)                                                                \
	/* How long its path ends after the landing, as a part of the time at full speed. */                              \
	X(brake, 2.2155f, -0.2561f, -0.0879f)                                                                             \
	/* How far legs are stretched when they leave and meet the ground. */                                             \
	X(leavingStretch, 0.9027f, -0.0585f, -0.0285f)                                                                    \
	X(meetingStretch, 0.82f, -0.0846f, -0.0465f)                                                                      \
	/* How long before they leave the heels do, and per metre. */                                                     \
	X(heelLift, 0.2191f, -0.0089f, 0.0844f)                                                                           \
	X(heelLiftPerMetre, 0.0367f, -0.014f, 0.0462f)                                                                    \
	/* How far the feet are pitched then, and how fast. */                                                            \
	X(liftPitch, 0.8786f, -0.041f, -0.3077f)                                                                          \
	X(liftBrisk, 1.0f, -0.4588f, 0.0612f)                                                                             \
	/* How far they are pitched in the air, and per metre forwards. */                                                \
	X(hangPitch, 0.4476f, 0.2114f, 0.4188f)                                                                           \
	X(hangPitchPerForwards, 0.0512f, 0.0011f, 0.1988f)                                                                \
	/* How high they are drawn up against the body, per metre, per radian. */                                         \
	X(hang, -0.0586f, 0.0683f, 0.0062f)                                                                               \
	X(hangPerMetre, 0.0573f, -0.1254f, -0.0062f)                                                                      \
	X(hangPerAngle, -0.0019f, 0.0017f, -0.0134f)                                                                      \
	/* When in the flight, and how sharply their path bends there. */                                                 \
	X(hangTime, 0.4762f, 0.0592f, -0.0274f)                                                                           \
	X(hangBend, -18.7607f, 5.55f, 19.5735f)                                                                           \
	X(hangBendPerMetre, 1.5965f, -14.9305f, -3.0476f)                                                                 \
	/* How much turn makes them go briskly, and how much each metre does. */                                          \
	X(turnBrisk, 1.7974f, 0.0032f, 0.3201f)                                                                           \
	X(farBrisk, 0.6578f, -0.5096f, -0.2483f)                                                                          \
	/* The part of the flight in which brisk feet get going, how far they get in it, how fast; the same before the    \
	 * landing. */                                                                                                    \
	X(leavingPart, 0.2407f, 0.0962f, 0.0324f)                                                                         \
	X(leavingDistance, 0.18f, 0.0022f, -0.0193f)                                                                      \
	X(pace, 1.0886f, -0.7665f, -0.0167f)                                                                              \
	X(meetingPart, 0.2375f, -0.017f, 0.0298f)                                                                         \
	X(meetingDistance, 0.2473f, 0.0506f, -0.0384f)                                                                    \
	/* How soon after the landing they are flat, less per metre forwards. */                                          \
	X(flatTime, 0.1187f, 0.0059f, 0.0219f)                                                                            \
	X(flatTimePerForwards, 0.0111f, -0.0128f, 0.0002f)                                                                \
	/* How far they are pitched when they land, less per metre forwards. */                                           \
	X(strikePitch, 0.7281f, -0.3918f, 0.1619f)                                                                        \
	X(strikePitchPerForwards, 0.4131f, 0.0296f, -0.0106f)                                                             \
	/* How long before the end of the crouch the trunk begins to rise. */                                             \
	X(uncurl, 0.1372f, -0.0474f, -0.0287f)                                                                            \
	/* Lean in the crouch; leaving, per metre; landing, and per metre forwards; after it. */                          \
	X(crouchLean, 0.642f, 0.1877f, 0.1644f)                                                                           \
	X(leaveLean, 0.1503f, 0.1735f, 0.1248f)                                                                           \
	X(meetLean, 0.1871f, -0.1191f, 0.0119f)                                                                           \
	X(meetLeanPerForwards, 0.1418f, 0.0159f, -0.1279f)                                                                \
	X(bowLean, 0.3053f, -0.0696f, -0.0077f)                                                                           \
	/* Bend of the back when leaving and landing. */                                                                  \
	X(leaveBend, 0.0146f, 0.1793f, 0.2873f)                                                                           \
	X(meetBend, 0.1426f, -0.2849f, 0.0334f)                                                                           \
	/* How long after the landing is taken up the trunk is lowest. */                                                 \
	X(bowTime, 0.0314f, 0.3146f, 0.0024f)                                                                             \
	/* The arms: how long before the end of the crouch they are back, how far; how long after leaving up, how far. */ \
	X(backTime, 0.2889f, -0.0366f, 0.3187f)                                                                           \
	X(back, -0.5968f, 0.0813f, 0.4767f)                                                                               \
	X(upTime, 0.1854f, -0.1265f, -0.1508f)                                                                            \
	X(up, 1.1254f, -0.1455f, 0.0899f)                                                                                 \
	/* Bend of the elbows in the crouch; shortly before leaving, and how long. */                                     \
	X(crouchElbow, 0.6371f, 0.0374f, 0.4348f)                                                                         \
	X(pushElbow, 0.7533f, 0.0269f, -0.7109f)                                                                          \
	X(pushElbowTime, -0.0264f, -0.007f, 0.0408f)

/// From this many metres on a jump is far.
#define JUMP_FAR 0.9f

typedef struct rpJumpForm
{
#define X(name, base, far, turn) float name;
	JUMP_FORM(X)
#undef X
} rpJumpForm;

/// The form of a jump of that many metres and turns.
static inline rpJumpForm rpMakeJumpForm(float distance, float turns)
{
	float beyond = distance > JUMP_FAR ? distance - JUMP_FAR : 0.0f;
#define X(name, base, far, turn) .name = (base) + (far)*beyond + (turn)*turns,
	return (rpJumpForm){JUMP_FORM(X)};
#undef X
}
