/// What is known about a motion beyond its frames: intervals, events and curves, in seconds from its start.
///
/// Annotations survive every edit: crop clips them, mirror swaps their sides, retime maps their times, ground
/// transforms move curves of points and the support heights of contacts.
#pragma once

#include "reprise/play/skeleton.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// The tracks that intervals lie on.
typedef enum rpTrack
{
	/// What the performer does: "walk", "punch". Labels may overlap.
	rp_trackLabel,
	/// An effector rests on something.
	rp_trackContact,
	/// Phase of a gait: "L", "R", "D", "F" or "S" (left, right, double support, flight, stand).
	rp_trackPhase,
	/// Where the frames come from: a stretch of an input.
	rp_trackSource,
	rp_trackCount,
} rpTrack;

RP_API const char* rpTrack_GetName(rpTrack track);

/// A stretch of time, start included, end not.
typedef struct rpInterval
{
	rpTrack track;
	double start, end;

	/// The label or phase, or the source clip's name. NULL for contacts.
	const char* name;

	/// Contacts only: what touches, and the height of what it rests on, metres.
	rpEffector effector;
	float supportHeight;

	/// Sources only: seconds in the source at start and end.
	double sourceStart, sourceEnd;
} rpInterval;

/// Whether it is a contact of a foot: heel, ball or toe.
static inline bool rpInterval_IsFootContact(const rpInterval* interval)
{
	return interval->track == rp_trackContact && rpEffector_GetFoot(interval->effector) >= 0;
}

/// Whether it is a contact of what bears a standing foot: heel or ball.
static inline bool rpInterval_IsSoleContact(const rpInterval* interval)
{
	return rpInterval_IsFootContact(interval) && interval->effector != rp_leftToe && interval->effector != rp_rightToe;
}

/// A moment with a name: "seam", "heel_strike_left".
typedef struct rpEvent
{
	const char* name;
	double time;
} rpEvent;

/// What a curve's numbers mean, so that edits know what to do with them.
typedef enum rpCurveKind
{
	/// One number, no change under mirroring or turning.
	rp_curveScalar,
	/// One number that changes sign under mirroring (a turn to the left).
	rp_curveSided,
	/// Three numbers: a place in the world.
	rp_curvePoint,
	/// Three numbers: a direction in the world.
	rp_curveVector,
	rp_curveKindCount,
} rpCurveKind;

/// A named value over time, linear between keys and constant beyond them; one key is a constant.
typedef struct rpCurve
{
	const char* name;
	rpCurveKind kind;

	/// At least 1.
	int keyCount;

	/// [keyCount], strictly increasing seconds.
	const double* times;

	/// [keyCount] of 1 number or 3, by kind.
	const float* values;
} rpCurve;

/// All annotations of a motion. Zero-initialised is empty. Owns its strings and arrays.
typedef struct rpAnnotations
{
	rpInterval* intervals;
	rpEvent* events;
	rpCurve* curves;
	int intervalCount, eventCount, curveCount;
	int intervalCapacity, eventCapacity, curveCapacity;
} rpAnnotations;

/// Numbers per key: 1 or 3.
RP_API int rpCurveKind_GetWidth(rpCurveKind kind);

/// Add a copy. False when memory ran out or the thing is malformed (end before start, times not increasing, a
/// number that is not finite). Intervals are kept sorted by track, start, end, effector, name; events by time;
/// curves by name. A curve of a name that exists replaces it. error may be NULL.
RP_API RP_NODISCARD bool rpAnnotations_AddInterval(rpAnnotations* annotations, const rpInterval* interval,
												   rpError* error);
RP_API RP_NODISCARD bool rpAnnotations_AddEvent(rpAnnotations* annotations, const char* name, double time,
												rpError* error);
RP_API RP_NODISCARD bool rpAnnotations_AddCurve(rpAnnotations* annotations, const rpCurve* curve, rpError* error);

/// Remove every interval of a track; with a name, only those of that name.
RP_API void rpAnnotations_Clear(rpAnnotations* annotations, rpTrack track, const char* name);

/// Add copies of all of `from`, their times moved by `shift` seconds. `from` must be another list.
RP_API RP_NODISCARD bool rpAnnotations_Append(rpAnnotations* annotations, const rpAnnotations* from, double shift,
											  rpError* error);

/// The value of a curve at a time; out holds 1 or 3 numbers, by kind.
RP_API void rpCurve_Sample(const rpCurve* curve, double seconds, float* out);

/// NULL if there is none of that name.
RP_API const rpCurve* rpAnnotations_FindCurve(const rpAnnotations* annotations, const char* name);

/// Free what it owns; it is empty afterwards.
RP_API void rpAnnotations_Free(rpAnnotations* annotations);

#ifdef __cplusplus
}
#endif
