#include "gait_cycles.h"

#include <math.h>
#include <stdlib.h>

// The direction is measured over this long to both sides, seconds.
#define DIRECTION_TIME 0.3
// Ankles are farthest ahead at most this often, seconds.
#define MIN_APART 0.4
// A cycle is straight if its path turns by less than this, degrees, and steady if its halves differ by less than this
// part in speed.
#define MAX_TURN 15.0
#define MAX_CHANGE 0.2
// A cycle lasts between these, seconds.
#define SHORTEST 0.45
#define LONGEST 1.8
// A foot stands while its heel or its ball is slower than this, metres per second, and this part of the body's speed.
// The rule counts 0.03 of a cycle more than the performer's truth says of its walk, and 0.06 of its run, where a foot
// is slow before it lands and after it leaves; smaller limits find gaps in the stances of captured feet, which slide.
#define DOWN_SPEED 0.3
#define DOWN_PART 0.4
// No foot accelerates by more than this, m/s² (the 99.9th percentile of runners is 119, `reprise-bench accelerations`).
#define GLITCH 250.0

/// A motion as curves along its own path, by frame.
typedef struct Track
{
	int count;
	double fps;
	rpVec3* directions;
	double* height;
	/// Of each side: how far the ankle is ahead of the pelvis; the angles; the ball's place.
	double *ahead[2], *angles[2][gaitCurveCount];
	rpVec3* ball[2];
	const rpVec3* root;
} Track;

static const rpRole s_legs[2][4] = {
	{rp_roleLeftHip, rp_roleLeftKnee, rp_roleLeftAnkle, rp_roleLeftBall},
	{rp_roleRightHip, rp_roleRightKnee, rp_roleRightAnkle, rp_roleRightBall},
};
static const rpRole s_arms[2][3] = {
	{rp_roleLeftShoulder, rp_roleLeftElbow, rp_roleLeftWrist},
	{rp_roleRightShoulder, rp_roleRightElbow, rp_roleRightWrist},
};

const char* gaitGetCurveName(GaitCurve curve)
{
	static const char* const names[gaitCurveCount] = {"hip", "knee", "ankle", "shoulder", "elbow"};
	return names[curve];
}

const char* gaitGetFigureName(GaitFigure figure)
{
	static const char* const names[gaitFigureCount] = {
		"cadence, steps/min", "step length, m", "COM rise, m",      "stance, part",   "knee range, deg",
		"least knee, deg",    "hip range, deg", "ankle range, deg", "arm swing, deg", "elbow mean, deg",
	};
	return names[figure];
}

static double toDegrees(double radians)
{
	return radians * 180.0 / RP_PI;
}

// The angle at b between a and c, degrees; 180 when straight.
static double getAngle(rpVec3 a, rpVec3 b, rpVec3 c)
{
	rpVec3 u = rpNormalize(rpSub(a, b)), v = rpNormalize(rpSub(c, b));
	return toDegrees(acos(fmin(fmax((double)rpDot(u, v), -1.0), 1.0)));
}

// How far a bone that hangs is swung forward, degrees.
static double getSwing(rpVec3 from, rpVec3 to, rpVec3 forward)
{
	rpVec3 bone = rpSub(to, from);
	return toDegrees(atan2((double)rpDot(bone, forward), -(double)bone.y));
}

static rpVec3 getPlace(const rpMotion* motion, const rpTransform* world, rpRole role)
{
	return world[motion->skeleton->roles[role]].p;
}

// The direction of the path around a frame.
static rpVec3 getDirection(const rpMotion* motion, int frame)
{
	int half = (int)(DIRECTION_TIME * motion->fps), first = frame - half, last = frame + half;
	first = first < 0 ? 0 : first;
	last = last >= motion->frameCount ? motion->frameCount - 1 : last;
	rpVec3 direction = rpSub(motion->rootPositions[last], motion->rootPositions[first]);
	direction.y = 0.0f;
	return rpLength(direction) > 1e-3f ? rpNormalize(direction) : (rpVec3){0.0f, 0.0f, 1.0f};
}

// The angle at the ankle in the rest pose, degrees.
static double getRestAnkle(const rpSkeleton* skeleton, int side)
{
	rpVec3 shank = skeleton->offsets[skeleton->roles[s_legs[side][2]]];
	rpVec3 foot = skeleton->offsets[skeleton->roles[s_legs[side][3]]];
	return getAngle(rpScale(-1.0f, shank), (rpVec3){0}, foot);
}

static void readFrame(const rpMotion* motion, const rpBody* body, int frame, Track* track)
{
	rpTransform world[256];
	rpMotion_Forward(motion, frame, world);
	rpVec3 direction = getDirection(motion, frame);
	track->directions[frame] = direction;
	track->height[frame] = (double)rpBody_GetCenter(body, world).y;
	rpVec3 pelvis = getPlace(motion, world, rp_rolePelvis), chest = getPlace(motion, world, rp_roleNeck);
	double trunk = -getSwing(chest, pelvis, direction);
	for (int side = 0; side < 2; ++side)
	{
		rpVec3 hip = getPlace(motion, world, s_legs[side][0]), knee = getPlace(motion, world, s_legs[side][1]);
		rpVec3 ankle = getPlace(motion, world, s_legs[side][2]), ball = getPlace(motion, world, s_legs[side][3]);
		rpVec3 shoulder = getPlace(motion, world, s_arms[side][0]), elbow = getPlace(motion, world, s_arms[side][1]);
		double** angles = track->angles[side];
		angles[gaitHip][frame] = getSwing(hip, knee, direction);
		angles[gaitKnee][frame] = 180.0 - getAngle(hip, knee, ankle);
		angles[gaitAnkle][frame] = getRestAnkle(motion->skeleton, side) - getAngle(knee, ankle, ball);
		angles[gaitShoulder][frame] = getSwing(shoulder, elbow, direction) + trunk;
		angles[gaitElbow][frame] = 180.0 - getAngle(shoulder, elbow, getPlace(motion, world, s_arms[side][2]));
		track->ahead[side][frame] = (double)rpDot(rpSub(ankle, pelvis), direction);
		track->ball[side][frame] = ball;
	}
}

// Whether a foot stands: its heel or its ball hardly moves.
static bool isDown(const rpMotion* motion, int frame, int side, double speed)
{
	static const rpEffector points[2][2] = {{rp_leftHeel, rp_leftBall}, {rp_rightHeel, rp_rightBall}};
	double slowest = INFINITY;
	for (int i = 0; i < 2; ++i)
	{
		rpVec3 before, after;
		if (rpMotion_GetEffector(motion, frame - 1, points[side][i], &before) &&
			rpMotion_GetEffector(motion, frame + 1, points[side][i], &after))
		{
			slowest = fmin(slowest, (double)rpDistance(before, after) * motion->fps * 0.5);
		}
	}
	return slowest < DOWN_SPEED + DOWN_PART * speed;
}

static void freeTrack(Track* track)
{
	free(track->directions);
	free(track->height);
	for (int side = 0; side < 2; ++side)
	{
		free(track->ahead[side]);
		free(track->ball[side]);
		for (int k = 0; k < gaitCurveCount; ++k)
		{
			free(track->angles[side][k]);
		}
	}
}

static bool makeTrack(const rpMotion* motion, Track* track)
{
	size_t n = (size_t)motion->frameCount;
	*track = (Track){.count = motion->frameCount, .fps = motion->fps, .root = motion->rootPositions};
	track->directions = calloc(n, sizeof(rpVec3));
	track->height = calloc(n, sizeof(double));
	bool ok = track->directions != NULL && track->height != NULL;
	for (int side = 0; side < 2; ++side)
	{
		track->ahead[side] = calloc(n, sizeof(double));
		track->ball[side] = calloc(n, sizeof(rpVec3));
		ok = ok && track->ahead[side] != NULL && track->ball[side] != NULL;
		for (int k = 0; k < gaitCurveCount; ++k)
		{
			track->angles[side][k] = calloc(n, sizeof(double));
			ok = ok && track->angles[side][k] != NULL;
		}
	}
	rpBody body;
	ok = ok && motion->skeleton->jointCount <= 256 && rpWeighSkeleton(motion->skeleton, NULL, &body, NULL);
	for (int f = 0; ok && f < motion->frameCount; ++f)
	{
		readFrame(motion, &body, f, track);
	}
	return ok;
}

// The frames at which an ankle is farthest ahead.
static int findStrikes(const Track* track, int side, int* out, int capacity)
{
	const double* ahead = track->ahead[side];
	int half = (int)(MIN_APART * 0.5 * track->fps), edge = half / 4, count = 0;
	for (int f = edge; f + edge < track->count && count < capacity; ++f)
	{
		bool peak = ahead[f] > 0.05;
		for (int k = 1; peak && k <= half; ++k)
		{
			peak = (f < k || ahead[f] >= ahead[f - k]) && (f + k >= track->count || ahead[f] > ahead[f + k]);
		}
		if (peak)
		{
			out[count++] = f;
		}
	}
	return count;
}

static double getRange(const double* values, int first, int last)
{
	double low = INFINITY, high = -INFINITY;
	for (int i = first; i <= last; ++i)
	{
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return high - low;
}

static double getDistance(const Track* track, int first, int last)
{
	rpVec3 direction = rpSub(track->root[last], track->root[first]);
	return hypot((double)direction.x, (double)direction.z);
}

static bool isPlain(const Track* track, int first, int last, GaitBand band)
{
	double time = (last - first) / track->fps, length = getDistance(track, first, last);
	int middle = (first + last) / 2;
	double before = getDistance(track, first, middle), after = getDistance(track, middle, last);
	double turn = toDegrees(acos(fmin((double)rpDot(track->directions[first], track->directions[last]), 1.0)));
	return time > SHORTEST && time < LONGEST && length / time >= band.low && length / time <= band.high &&
		   turn < MAX_TURN && fabs(before - after) < MAX_CHANGE * 0.5 * length;
}

// Whether a foot jumps as none does: mixed-up markers.
static bool isGlitched(const Track* track, int side, int first, int last)
{
	int half = (int)(0.025 * track->fps + 0.5);
	double rate = track->fps / half;
	for (int f = first; f <= last; ++f)
	{
		if (f >= half && f + half < track->count)
		{
			const rpVec3* p = track->ball[side] + f;
			rpVec3 second = rpSub(rpAdd(p[-half], p[half]), rpScale(2.0f, *p));
			if ((double)rpLength(second) * rate * rate > GLITCH)
			{
				return true;
			}
		}
	}
	return false;
}

static void readCurve(const double* values, int first, int last, double* out)
{
	for (int i = 0; i < GAIT_POINTS; ++i)
	{
		double at = first + (double)(last - first) * i / GAIT_POINTS;
		int f = (int)at;
		out[i] = values[f] + (at - f) * (values[f + 1] - values[f]);
	}
}

static void readFigures(const rpMotion* motion, const Track* track, int side, int first, int last, GaitCycle* out)
{
	double* const* angles = track->angles[side];
	double* figures = out->figures;
	int stands = 0;
	figures[gaitKneeMin] = INFINITY;
	for (int f = first; f < last; ++f)
	{
		stands += isDown(motion, f, side, out->speed);
		figures[gaitElbowMean] += angles[gaitElbow][f] / (last - first);
		figures[gaitKneeMin] = fmin(figures[gaitKneeMin], angles[gaitKnee][f]);
	}
	int middle = (first + last) / 2;
	figures[gaitCadence] = 120.0 / out->time;
	figures[gaitStepLength] = 0.5 * out->speed * out->time;
	figures[gaitRise] = 0.5 * (getRange(track->height, first, middle) + getRange(track->height, middle, last));
	figures[gaitStance] = (double)stands / (last - first);
	figures[gaitKneeRange] = getRange(angles[gaitKnee], first, last);
	figures[gaitHipRange] = getRange(angles[gaitHip], first, last);
	figures[gaitAnkleRange] = getRange(angles[gaitAnkle], first, last);
	figures[gaitArmRange] = getRange(angles[gaitShoulder], first, last);
}

int gaitFindCycles(const rpMotion* motion, GaitBand band, GaitCycle* out, int capacity)
{
	Track track;
	int count = 0;
	bool ok = makeTrack(motion, &track);
	for (int side = 0; ok && side < 2; ++side)
	{
		int strikes[512], found = findStrikes(&track, side, strikes, 512);
		for (int i = 0; i + 1 < found && count < capacity; ++i)
		{
			int first = strikes[i], last = strikes[i + 1];
			if (!isPlain(&track, first, last, band) || isGlitched(&track, side, first, last))
			{
				continue;
			}
			GaitCycle* cycle = out + count++;
			*cycle = (GaitCycle){.time = (last - first) / track.fps};
			cycle->speed = getDistance(&track, first, last) / cycle->time;
			for (int k = 0; k < gaitCurveCount; ++k)
			{
				readCurve(track.angles[side][k], first, last, cycle->curves[k]);
			}
			readFigures(motion, &track, side, first, last, cycle);
		}
	}
	freeTrack(&track);
	return count;
}
