/// Where heels and balls are over time, how fast they move, and how much of it is noise.
#pragma once

#include "reprise/analysis.h"

/// The parts of a foot that bear.
enum
{
	rp_footHeel,
	rp_footBall,
	rp_footToe,
	rp_footPartCount,
};

enum
{
	/// Heels and balls.
	rp_footPointCount = 4,

	/// And the toes.
	rp_footTrackCount = 6,
};

/// The points of the feet, heel and ball of the left foot, then of the right; then the left toe and the right.
extern const rpEffector rp_footPoints[rp_footTrackCount];

/// One point of a foot over the whole motion; arrays are [frameCount].
typedef struct rpFootTrack
{
	rpEffector effector;

	/// As captured, metres, and smoothed, zero-phase.
	rpVec3* places;
	rpVec3* smooth;

	/// Of the smoothed point, m/s; and the largest within PEAK_TIME to both sides, which distinguishes a dance step
	/// from a run.
	float* speeds;
	float* peaks;
} rpFootTrack;

/// Both feet of a motion.
typedef struct rpFeet
{
	double fps;
	int frameCount;
	rpFootTrack tracks[rp_footTrackCount];

	/// [frameCount], how fast the lowest point of the feet moves around a frame where it is near the floor, m/s: still
	/// in a good capture, sliding in others.
	float* slides;

	/// Deviation of the white noise of a coordinate, metres.
	float noise;

	/// Frames to both sides that smoothing looks at.
	int halfWindow;

	/// How far heel and ball are above what they rest on, by the shape of the foot, metres.
	float sole;

	/// How much higher than the ball heel and toe are while the foot stands flat, metres, by side. The rest pose says 0
	/// of heels, but feet in captures are not calibrated.
	float offsets[2][rp_footPartCount];

	/// The smallest difference of heights of heel and ball with which one of them hangs in the air, metres.
	float hanging;

	/// Room for three numbers to a frame.
	float* scratch;

	void* memory;
} rpFeet;

/// Follow the feet of a motion. False, with an error, for a body without feet or when memory ran out.
RP_NODISCARD bool rpFeet_Follow(rpFeet* feet, const rpMotion* motion, rpError* error);
void rpFeet_Free(rpFeet* feet);

/// A quantile of values, all finite, whose order is changed; 0 if there are none.
float rpTakeQuantile(float* values, int count, double part);

/// The deviation of the smoothed points' speeds, m/s.
float rpFeet_GetSpeedNoise(const rpFeet* feet);

/// The heel of a ball, the ball of a heel, as an index of tracks.
static inline int rpGetFootPartner(int point)
{
	return point ^ 1;
}

/// The track of a part of a foot; and the side of a track, and its part.
static inline int rpGetFootTrack(int side, int part)
{
	return part == rp_footToe ? rp_footPointCount + side : 2 * side + part;
}

static inline int rpGetFootSide(int track)
{
	return track < rp_footPointCount ? track >> 1 : track - rp_footPointCount;
}

static inline int rpGetFootPart(int track)
{
	return track < rp_footPointCount ? track & 1 : rp_footToe;
}
