/// The form of a jump from both feet: how deep the crouch, how far drawn up the feet, how the arms swing. All of it was
/// found by a search that kept every part of the body below what captured people show in jumps (the bars of the
/// performer's tests), legs off their ends and joints within their limits, for jumps of 0 to 2 m and of 0 to 360
/// degrees.
#pragma once

/// X(name, base, far, turn): base + far * metres beyond JUMP_FAR + turn * turns. Metres, seconds, radians.
#define JUMP_FORM(X)                                                                                                  \
	/* How high the centre rises: at least, per metre, per turn. */                                                   \
	X(rise, 0.195f, 0.038f, -0.0156f)                                                                                 \
	X(risePerMetre, 0.045f, -0.027f, -0.0276f)                                                                        \
	X(risePerTurn, 0.1026f, -0.0096f, 0.0212f)                                                                        \
	/* How far below standing it goes before, and per metre of rise beyond 0.2. */                                    \
	X(crouch, 0.2819f, 0.0559f, 0.115f)                                                                               \
	X(crouchPerRise, 0.4f, -0.0719f, 0.1869f)                                                                         \
	/* How far it sinks after the landing, per metre forwards, and per metre aside or backwards. */                   \
	X(absorb, 0.285f, -0.0393f, 0.0043f)                                                                              \
	X(absorbPerForwards, 0.0625f, -0.0357f, 0.0001f)                                                                  \
	X(absorbPerAside, 0.065f, 0.0267f, 0.0083f)                                                                       \
	/* The lowest it goes. */                                                                                         \
	X(lowest, 0.5175f, -0.0967f, -0.0833f)                                                                            \
	/* How far ahead of the ankles it leaves, and per metre. */                                                       \
	X(ahead, 0.1209f, 0.0117f, -0.0421f)                                                                              \
	X(aheadPerMetre, 0.1701f, 0.0251f, -0.0546f)                                                                      \
	/* How far behind the feet it lands, per metre. */                                                                \
	X(behind, 0.05f, -0.0342f, -0.0348f)                                                                              \
	/* How far ahead of the ankles it is at the end of the crouch, and per metre. */                                  \
	X(crouchAhead, 0.0792f, 0.003f, 0.0014f)                                                                          \
	X(crouchAheadPerMetre, 0.0179f, -0.1115f, 0.0153f)                                                                \
	/* How long its path ends after the landing, as a part of the time at full speed. */                              \
	X(brake, 2.2155f, -0.0358f, 0.0451f)                                                                              \
	/* How far legs are stretched when they leave and meet the ground. */                                             \
	X(leavingStretch, 0.9027f, -0.0585f, -0.0285f)                                                                    \
	X(meetingStretch, 0.82f, -0.0354f, -0.0465f)                                                                      \
	/* How long before they leave the heels do, and per metre. */                                                     \
	X(heelLift, 0.2191f, 0.0174f, 0.0844f)                                                                            \
	X(heelLiftPerMetre, 0.0367f, -0.014f, 0.0462f)                                                                    \
	/* How far the feet are pitched then, and how fast. */                                                            \
	X(liftPitch, 0.8786f, -0.041f, -0.3604f)                                                                          \
	X(liftBrisk, 1.0f, -0.6388f, -0.1788f)                                                                            \
	/* How far they are pitched in the air, and per metre forwards. */                                                \
	X(hangPitch, 0.4476f, 0.2383f, 0.1062f)                                                                           \
	X(hangPitchPerForwards, 0.053f, 0.0071f, 0.1928f)                                                                 \
	/* How high they are drawn up against the body, per metre, per radian. */                                         \
	X(hang, -0.0579f, 0.0683f, 0.0062f)                                                                               \
	X(hangPerMetre, 0.0519f, -0.1296f, 0.02f)                                                                         \
	X(hangPerAngle, -0.0019f, -0.0069f, -0.0134f)                                                                     \
	/* When in the flight, and how sharply their path bends there. */                                                 \
	X(hangTime, 0.4762f, -0.0151f, 0.0697f)                                                                           \
	X(hangBend, -16.5738f, 7.5389f, 12.7306f)                                                                         \
	X(hangBendPerMetre, 1.6258f, -14.9811f, -2.7585f)                                                                 \
	/* How much turn makes them go briskly, and how much each metre does. */                                          \
	X(turnBrisk, 1.7974f, 0.0032f, 0.3201f)                                                                           \
	X(farBrisk, 0.6578f, -0.4701f, -0.0983f)                                                                          \
	/* The part of the flight in which brisk feet get going, how far they get in it, how fast; the same before the    \
	 * landing. */                                                                                                    \
	X(leavingPart, 0.2407f, 0.0891f, 0.0179f)                                                                         \
	X(leavingDistance, 0.18f, 0.0281f, -0.003f)                                                                       \
	X(pace, 1.0886f, -0.0375f, 0.1596f)                                                                               \
	X(meetingPart, 0.2375f, -0.0027f, 0.0298f)                                                                        \
	X(meetingDistance, 0.2473f, -0.0147f, -0.0236f)                                                                   \
	/* How soon after the landing they are flat, less per metre forwards. */                                          \
	X(flatTime, 0.1187f, -0.0012f, 0.0361f)                                                                           \
	X(flatTimePerForwards, 0.0111f, -0.0032f, 0.0002f)                                                                \
	/* How far they are pitched when they land, less per metre forwards. */                                           \
	X(strikePitch, 0.7281f, -0.217f, 0.1619f)                                                                         \
	X(strikePitchPerForwards, 0.4131f, 0.0296f, -0.0701f)                                                             \
	/* How long before the end of the crouch the trunk begins to rise. */                                             \
	X(uncurl, 0.1372f, -0.0556f, -0.0646f)                                                                            \
	/* Lean in the crouch; leaving, per metre; landing, and per metre forwards; after it. */                          \
	X(crouchLean, 0.6087f, 0.1512f, 0.1769f)                                                                          \
	X(leaveLean, 0.1503f, 0.1888f, 0.1338f)                                                                           \
	X(meetLean, 0.1871f, -0.1684f, 0.0119f)                                                                           \
	X(meetLeanPerForwards, 0.1418f, -0.0164f, -0.1279f)                                                               \
	X(bowLean, 0.3053f, 0.0769f, 0.0472f)                                                                             \
	/* Bend of the back when leaving and landing. */                                                                  \
	X(leaveBend, 0.0146f, 0.1913f, 0.2933f)                                                                           \
	X(meetBend, 0.1401f, -0.2849f, 0.0076f)                                                                           \
	/* How long after the landing is taken up the trunk is lowest. */                                                 \
	X(bowTime, 0.0296f, 0.2726f, 0.0024f)                                                                             \
	/* The arms: how long before the end of the crouch they are back, how far; how long after leaving up, how far. */ \
	X(backTime, 0.2997f, -0.0366f, 0.1101f)                                                                           \
	X(back, -0.5968f, 0.0813f, 0.2785f)                                                                               \
	X(upTime, 0.1854f, -0.07f, -0.143f)                                                                               \
	X(up, 1.0671f, -0.1903f, 0.1811f)                                                                                 \
	/* Bend of the elbows in the crouch; shortly before leaving, and how long. */                                     \
	X(crouchElbow, 0.6371f, 0.0257f, 0.71f)                                                                           \
	X(pushElbow, 0.7671f, 0.0269f, -0.7109f)                                                                          \
	X(pushElbowTime, -0.03f, -0.007f, 0.0408f)

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
