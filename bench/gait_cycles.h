/// Cycles of walking and running as frames show them: the same measuring code for captured and performed motion, all of
/// it from places of joints, so that it does not matter how a skeleton is rigged.
///
/// A cycle goes from the moment at which an ankle is farthest ahead of the pelvis to the next such moment of the same
/// ankle (Zeni, Richards & Higginson 2008, "Two simple methods for determining gait events"): in walking the heel
/// strike within two hundredths of a second; in running, where the foot is drawn back before it lands, the end of the
/// swing forward.
#pragma once

#include "reprise/reprise.h"

/// Angles over the cycle, degrees, in the sagittal plane of the path.
typedef enum GaitCurve
{
	/// The thigh ahead of the vertical; the knee's bend; the foot drawn up against the shank, from the angle that it
	/// has in the skeleton's rest pose, where the sole is flat; the upper arm ahead of the trunk; the elbow's bend.
	gaitHip,
	gaitKnee,
	gaitAnkle,
	gaitShoulder,
	gaitElbow,
	gaitCurveCount,
} GaitCurve;

/// Single numbers of a cycle.
typedef enum GaitFigure
{
	gaitCadence,
	gaitStepLength,
	gaitRise,
	gaitStance,
	gaitKneeRange,
	gaitKneeMin,
	gaitHipRange,
	gaitAnkleRange,
	gaitArmRange,
	gaitElbowMean,
	gaitFigureCount,
} GaitFigure;

/// Every twentieth of a cycle.
#define GAIT_POINTS 20

typedef struct GaitCycle
{
	/// Metres per second over the ground; seconds.
	double speed, time;
	double curves[gaitCurveCount][GAIT_POINTS];
	double figures[gaitFigureCount];
} GaitCycle;

/// Which cycles count: speeds, metres per second.
typedef struct GaitBand
{
	double low, high;
} GaitBand;

/// The straight and steady cycles of a motion within a band of speeds, of both sides; at most capacity of them. Their
/// number.
int gaitFindCycles(const rpMotion* motion, GaitBand band, GaitCycle* out, int capacity);

const char* gaitGetCurveName(GaitCurve curve);
const char* gaitGetFigureName(GaitFigure figure);
