/// On-line locomotion: takes in which somebody stands, walks and runs are cut into movements, and a model of them
/// walks, runs and stands under a stick. After T. Kwon & S. Y. Shin, "Motion modeling for on-line locomotion synthesis"
/// (2005).
///
/// A movement is a stretch of a take between two peaks of the centre of mass: a half cycle of walking or running, a
/// stand, or a transition between two of them. Its footsteps tell its kind: 'L' left support, 'R' right support, 'D'
/// both, 'F' flight, 'S' stand.
#pragma once

#include "reprise/motion.h"

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

/// The most key times of a movement: of five phases the start, four changes, the end.
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

/// How to find movements. Must come from rpDefaultMovementDef().
typedef struct rpMovementDef
{
	/// A peak of the centre of mass counts if it stands out by this much, metres. 0.003 by default.
	float prominence;

	/// A stand: the centre of mass is slower than this, m/s, for longer than this, seconds, where a moment counts the
	/// less the nearer it is to that speed, and in full if nothing moves. 0.15 and 0.2 by default.
	float standSpeed;
	double standSeconds;
} rpMovementDef;

/// The longest footstep string that is told, and its end.
#define RP_FOOTSTEP_SIZE 16

/// A stretch that could not be used.
typedef struct rpDroppedMovement
{
	int take;
	double start, end;

	/// Its footsteps; a long string is cut.
	char string[RP_FOOTSTEP_SIZE];
} rpDroppedMovement;

/// What takes are made of.
typedef struct rpMovements
{
	/// In order of takes and time.
	rpMovement* items;
	int count;

	/// What stayed invalid and was dropped, in the same order.
	rpDroppedMovement* dropped;
	int droppedCount;

	/// Segments before refinement; merged over a spurious peak, split over a missed one.
	int countBefore;
	int mergedCount, splitCount;

	/// Half cycles that were cut at another phase than the others of their gait, and so dropped.
	int outOfPhaseCount;

	/// How uneven consecutive half cycles of one gait are: the 90th percentile of the logarithm of the ratio of their
	/// times, without its sign; NaN where there are none.
	float irregularity;

	/// Of each kind.
	int counts[rp_movementKindCount];

	/// Seconds of all takes; of them between the first boundary and the last of each take; of them in movements.
	double seconds, locomotionSeconds, validSeconds;
} rpMovements;

RP_API rpMovementDef rpDefaultMovementDef(void);

/// Find the movements of takes of one skeleton, or of several. Contacts are detected where a take has none. def and
/// error may be NULL. NULL with rp_errorNoSolution and a reason where there is no locomotion in any of them; free with
/// rpDestroyMovements.
RP_API RP_NODISCARD rpMovements* rpFindMovements(const rpMotion* const* takes, int count, const rpMovementDef* def,
												 rpError* error);
RP_API void rpDestroyMovements(rpMovements* movements);

#ifdef __cplusplus
}
#endif
