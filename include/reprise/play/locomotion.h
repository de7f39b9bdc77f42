/// On-line locomotion: takes in which somebody stands, walks and runs are cut into movements, and a model of them
/// walks, runs and stands under a stick. After T. Kwon & S. Y. Shin, "Motion modeling for on-line locomotion synthesis"
/// (2005).
///
/// A movement is a stretch of a take between two peaks of the centre of mass: a half cycle of walking or running, a
/// stand, or a transition between two of them. Its footsteps determine its kind: 'L' left support, 'R' right support,
/// 'D' both, 'F' flight, 'S' stand.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What a user asks for.
typedef enum rpGait
{
	rp_gaitStand,
	rp_gaitWalk,
	rp_gaitRun,
	rp_gaitCount,
} rpGait;

/// The kinds of movement, Table 1 of the paper. X(string, gait before, gait after, foot)
/// The foot is the one that the paper's table names: of a half cycle the one that supports first (walking) or in the
/// middle (running); of a transition into walking or running that of the half cycle which may follow.
#define RP_MOVEMENTS(X)       \
	X(LDR, Walk, Walk, 'L')   \
	X(RDL, Walk, Walk, 'R')   \
	X(FLF, Run, Run, 'L')     \
	X(FRF, Run, Run, 'R')     \
	X(S, Stand, Stand, 'S')   \
	X(LDRF, Walk, Run, 'L')   \
	X(RDLF, Walk, Run, 'R')   \
	X(FRDL, Run, Walk, 'L')   \
	X(FLDR, Run, Walk, 'R')   \
	X(LDRS, Walk, Stand, 'L') \
	X(RDLS, Walk, Stand, 'R') \
	X(SRDL, Stand, Walk, 'L') \
	X(SLDR, Stand, Walk, 'R') \
	X(SLDRF, Stand, Run, 'L') \
	X(SRDLF, Stand, Run, 'R') \
	X(FRDLS, Run, Stand, 'L') \
	X(FLDRS, Run, Stand, 'R')

typedef enum rpMovementKind
{
#define X(string, before, after, foot) rp_movement##string,
	RP_MOVEMENTS(X)
#undef X
		rp_movementKindCount,
} rpMovementKind;

/// "stand", "walk", "run".
RP_API const char* rpGait_GetName(rpGait gait);

/// "LDR"
RP_API const char* rpMovementKind_GetString(rpMovementKind kind);
RP_API rpGait rpMovementKind_GetBefore(rpMovementKind kind);
RP_API rpGait rpMovementKind_GetAfter(rpMovementKind kind);

/// 'L', 'R', or 'S' for the stand.
RP_API char rpMovementKind_GetFoot(rpMovementKind kind);

/// The kind of a footstep string; rp_movementKindCount if it is none of Table 1.
RP_API rpMovementKind rpMovementKind_Find(const char* string);

/// Max key times of a movement: of five phases the start, four changes, the end.
#define RP_MAX_KEYTIMES 6

/// A movement of a take.
typedef struct rpMovement
{
	rpMovementKind kind;

	/// Which take, and seconds in it.
	int take;
	double start, end;

	/// Start, each change of phase, end: seconds in the take, as many as the string has letters, and one. A peak of the
	/// centre of mass, then the heel strikes and toe offs, then the next peak.
	double keytimes[RP_MAX_KEYTIMES];
	int keytimeCount;

	/// Of the centre of mass over the floor, as means over the movement: speed in m/s (eq. 6), turning to the left in
	/// rad/s (eq. 8, signed), acceleration in m/s² (eq. 7).
	float speed;
	float turn;
	float acceleration;

	/// Whether it begins where the movement before it in the list ends, in the same take.
	bool isSuccessor;
} rpMovement;

#ifdef __cplusplus
}
#endif
