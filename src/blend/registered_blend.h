/// Blending registered motions: what the steps of one blend share.
///
/// The steps: the clock (which moment of each motion a moment of the result shows, with which weight), the path (where
/// each motion's world lies in the result's), frames, which the timeline's renderer makes of clock and path, the feet,
/// and what is noted about the result.
#pragma once

#include "feet/leg_rig.h"
#include "reprise/play/body.h"
#include "reprise/play/registered_blend.h"

/// Where a motion's world lies in the result's: turn about the vertical, then shift. Double, so that going there and
/// back over many frames loses nothing.
typedef struct rpPlacement
{
	double turn;
	double x, y, z;

	/// The turn for orientations: that of positions but in flight, where positions must not be turned in between.
	double heading;
} rpPlacement;

/// What a motion's frames show, in its own world. Physical scheme only.
typedef struct rpBlendTrack
{
	/// [frameCount], centres of mass.
	rpVec3* centers;

	/// [frameCount * rp_legCount]
	rpFootSample* feet;
} rpBlendTrack;

/// A phase of the result.
typedef struct rpBlendPhase
{
	double start, end;

	/// Bits of heels and balls that rest.
	unsigned contacts;

	/// Nothing rests on anything.
	bool isFlight;
} rpBlendPhase;

/// One blend in progress. All arrays are owned; free with rpBlendWork_Free.
typedef struct rpBlendWork
{
	const rpRegistration* registration;
	const rpBlendDef* def;
	int motionCount;
	bool isPhysical;
	double fps;

	/// The clock's knots: seconds of the result, [knotCount], and of each motion, [motionCount * knotCount].
	double* knots;
	double* times;
	int knotCount;

	/// Seconds of a motion per second of the result, after each knot and before the next, [motionCount * knotCount *
	/// 2].
	double* slopes;

	/// [phaseCount]; none in the plain scheme.
	rpBlendPhase* phases;
	int phaseCount;

	/// [phaseCount * motionCount]
	double* phaseWeights;

	/// Of each frame of the result, [frameCount * motionCount].
	double* frameTimes;
	double* frameWeights;
	rpPlacement* placements;
	int frameCount;

	/// Greatest jump of the velocity of the centre of mass, m/s.
	double velocityJump;

	/// [motionCount * 4], for a moment between frames.
	double* scratch;

	/// Physical scheme only.
	rpBody body;
	rpFootRig rig;
	rpBlendTrack* tracks;
} rpBlendWork;

/// Check what is asked for, choose the scheme, set clock and path. False, with an error, for what cannot be blended or
/// when memory ran out; free with rpBlendWork_Free even then. All that is given is borrowed.
RP_NODISCARD bool rpBlendWork_Create(rpBlendWork* work, const rpRegistration* registration, const rpBlendDef* def,
									 rpBlendReport* report, rpError* error);
void rpBlendWork_Free(rpBlendWork* work);

/// The clock (registered_clock.c): fills knots, times, slopes, phases, frameTimes, frameWeights, frameCount.
RP_NODISCARD bool rpBlendWork_SetClock(rpBlendWork* work, rpError* error);

/// The phase at a moment of the result, the first or last outside; -1 without phases.
int rpBlendWork_FindPhase(const rpBlendWork* work, double seconds);

/// Seconds of a motion at a moment of the result, and the reverse.
double rpBlendWork_GetTime(const rpBlendWork* work, int motion, double seconds);
double rpBlendWork_FindTime(const rpBlendWork* work, int motion, double motionSeconds);

/// Seconds of a motion per second of the result just before and just after a knot.
double rpBlendWork_GetSlope(const rpBlendWork* work, int motion, int knot, bool before);

/// Weights at a moment, [motionCount], their sum is 1.
void rpBlendWork_GetWeights(const rpBlendWork* work, double seconds, double* out);

/// Whether an effector rests in all motions that have weight at a moment of the result.
bool rpBlendWork_IsResting(const rpBlendWork* work, rpEffector effector, double seconds);

/// The path (registered_path.c): fills placements and velocityJump.
RP_NODISCARD bool rpBlendWork_SetPath(rpBlendWork* work, rpError* error);

/// A motion's centre of mass at a moment of its own; phase is that of the result, or -1.
rpVec3 rpBlendWork_GetCenter(const rpBlendWork* work, int motion, double seconds, int phase);

/// Where the centre of mass should be in a frame of the result.
rpVec3 rpBlendWork_GetMeanCenter(const rpBlendWork* work, int frame, int phase);

/// A point of a motion in the result's world.
void rpPlacement_Put(const rpPlacement* placement, rpVec3 point, double out[3]);
rpVec3 rpPlacement_Apply(const rpPlacement* placement, rpVec3 point);

/// The feet (registered_feet.c): where resting feet and centres of mass should be is handed to the feet room, which
/// bends the legs of the result's frames and moves its roots. miss is the farthest that a resting foot is from its
/// place.
RP_NODISCARD bool rpBlendWork_PlantFeet(const rpBlendWork* work, rpMotion* result, float* miss, rpError* error);

/// What is known about the result (registered_notes.c).
RP_NODISCARD bool rpBlendWork_AddNotes(const rpBlendWork* work, rpMotion* result, rpError* error);
