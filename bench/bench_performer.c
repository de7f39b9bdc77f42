/// How fast the performer performs, and how it compares with captured people who walk and run at the same speeds
/// (REPRISE_MOCAP, where it is there). The table goes to stderr, the figures to the report.
#include "bench.h"

#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TAKES 64
#define MOST_FRAMES 4000

/// What is measured of a take, all from joint positions, so that it does not matter how a skeleton is rigged.
typedef enum Figure
{
	cadence,
	stepLength,
	bounce,
	stanceFraction,
	kneeRange,
	kneeLeast,
	hipRange,
	ankleRange,
	armRange,
	elbowMean,
	figureCount,
} Figure;

static const char* const s_names[figureCount] = {
	"cadence, steps/min", "step length, m", "COM rise, m",      "stance, part",   "knee range, deg",
	"least knee, deg",    "hip range, deg", "ankle range, deg", "arm swing, deg", "elbow mean, deg",
};

typedef struct Figures
{
	double speed, leg;
	double values[figureCount];
} Figures;

/// A take as curves along its own way.
typedef struct Curves
{
	int count;
	double fps, speed;
	double apart[MOST_FRAMES], height[MOST_FRAMES];
	double knee[2][MOST_FRAMES], hip[2][MOST_FRAMES], ankle[2][MOST_FRAMES], arm[2][MOST_FRAMES], elbow[2][MOST_FRAMES];
	bool down[2][MOST_FRAMES];
} Curves;

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

static const rpRole s_legs[2][4] = {
	{rp_roleLeftHip, rp_roleLeftKnee, rp_roleLeftAnkle, rp_roleLeftBall},
	{rp_roleRightHip, rp_roleRightKnee, rp_roleRightAnkle, rp_roleRightBall},
};
static const rpRole s_arms[2][3] = {
	{rp_roleLeftShoulder, rp_roleLeftElbow, rp_roleLeftWrist},
	{rp_roleRightShoulder, rp_roleRightElbow, rp_roleRightWrist},
};

static rpVec3 getPlace(const rpMotion* motion, const rpTransform* world, rpRole role)
{
	return world[motion->skeleton->roles[role]].p;
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
	return slowest < 0.3 + 0.4 * speed;
}

static bool readFrame(const rpMotion* motion, const rpBody* body, int frame, rpVec3 forward, Curves* curves)
{
	rpTransform world[256];
	rpMotion_Forward(motion, frame, world);
	int i = curves->count++;
	curves->height[i] = (double)rpBody_GetCenter(body, world).y;
	rpVec3 pelvis = getPlace(motion, world, rp_rolePelvis), chest = getPlace(motion, world, rp_roleNeck);
	double trunk = -getSwing(chest, pelvis, forward);
	for (int side = 0; side < 2; ++side)
	{
		rpVec3 hip = getPlace(motion, world, s_legs[side][0]), knee = getPlace(motion, world, s_legs[side][1]);
		rpVec3 ankle = getPlace(motion, world, s_legs[side][2]), ball = getPlace(motion, world, s_legs[side][3]);
		rpVec3 shoulder = getPlace(motion, world, s_arms[side][0]), elbow = getPlace(motion, world, s_arms[side][1]);
		curves->knee[side][i] = 180.0 - getAngle(hip, knee, ankle);
		curves->hip[side][i] = getSwing(hip, knee, forward);
		curves->ankle[side][i] = getAngle(knee, ankle, ball);
		curves->arm[side][i] = getSwing(shoulder, elbow, forward) + trunk;
		curves->elbow[side][i] = 180.0 - getAngle(shoulder, elbow, getPlace(motion, world, s_arms[side][2]));
		curves->down[side][i] = isDown(motion, frame, side, curves->speed);
		curves->apart[i] += (double)rpDot(ankle, forward) * (side == 0 ? 1.0 : -1.0);
	}
	return true;
}

static double getRange(const double* values, int first, int last)
{
	double low = INFINITY, high = -INFINITY;
	for (int i = first; i < last; ++i)
	{
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return high - low;
}

static double getBoth(double values[2][MOST_FRAMES], int first, int last)
{
	return 0.5 * (getRange(values[0], first, last) + getRange(values[1], first, last));
}

// Steps lie between the moments at which the ankles pass each other.
static bool measureSteps(const Curves* curves, Figures* out)
{
	int passes[256], count = 0;
	for (int i = 1; i < curves->count && count < 256; ++i)
	{
		if ((curves->apart[i - 1] < 0.0) != (curves->apart[i] < 0.0))
		{
			passes[count++] = i;
		}
	}
	if (count < 3)
	{
		return false;
	}
	int first = passes[0], last = passes[count - 1], stands = 0;
	double steps = count - 1, seconds = (last - first) / curves->fps, rise = 0.0, elbow = 0.0, knee = INFINITY;
	for (int k = 0; k + 1 < count; ++k)
	{
		rise += getRange(curves->height, passes[k], passes[k + 1] + 1) / steps;
	}
	for (int i = first; i < last; ++i)
	{
		stands += curves->down[0][i] + curves->down[1][i];
		elbow += 0.5 * (curves->elbow[0][i] + curves->elbow[1][i]) / (last - first);
		knee = fmin(knee, fmin(curves->knee[0][i], curves->knee[1][i]));
	}
	out->values[cadence] = 60.0 * steps / seconds;
	out->values[stepLength] = out->speed * seconds / steps;
	out->values[bounce] = rise;
	out->values[stanceFraction] = 0.5 * stands / (last - first);
	out->values[elbowMean] = elbow;
	out->values[kneeLeast] = knee;
	return true;
}

static bool measure(const rpMotion* motion, Figures* out)
{
	static Curves curves;
	memset(&curves, 0, sizeof(curves));
	rpBody body;
	int first = motion->frameCount / 20 + 1, last = motion->frameCount - first - 1;
	if (last - first < 40 || last - first > MOST_FRAMES || motion->skeleton->jointCount > 256 ||
		!rpWeighSkeleton(motion->skeleton, NULL, &body, NULL))
	{
		return false;
	}
	rpVec3 way = rpSub(motion->rootPositions[last], motion->rootPositions[first]);
	way.y = 0.0f;
	curves.fps = motion->fps;
	curves.speed = (double)rpLength(way) * motion->fps / (last - first);
	out->speed = curves.speed;
	out->leg = (double)motion->skeleton->legLength;
	for (int frame = first; frame <= last; ++frame)
	{
		readFrame(motion, &body, frame, rpNormalize(way), &curves);
	}
	out->values[kneeRange] = getBoth(curves.knee, 0, curves.count);
	out->values[hipRange] = getBoth(curves.hip, 0, curves.count);
	out->values[ankleRange] = getBoth(curves.ankle, 0, curves.count);
	out->values[armRange] = getBoth(curves.arm, 0, curves.count);
	return measureSteps(&curves, out);
}

// Takes of the manifest whose labels are just these.
static int measureCapture(const char* folder, const char* labels, Figures* out)
{
	char path[2048], line[512];
	snprintf(path, sizeof(path), "%.1000s/manifest.csv", folder);
	FILE* file = fopen(path, "r");
	int count = 0;
	while (file != NULL && fgets(line, sizeof(line), file) != NULL && count < MOST_TAKES)
	{
		if (strstr(line, labels) == NULL)
		{
			continue;
		}
		line[strcspn(line, ",")] = 0;
		snprintf(path, sizeof(path), "%.1000s/%s", folder, line);
		rpMotion* motion = rpLoadMotion(path, NULL, NULL, NULL);
		count += motion != NULL && measure(motion, out + count) ? 1 : 0;
		rpDestroyMotion(motion);
	}
	if (file != NULL)
	{
		fclose(file);
	}
	return count;
}

// The performer at the same speed, on legs as long.
static bool measurePerformer(const Figures* captured, rpAct act, uint64_t seed, Figures* out)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	rpParameterRange range;
	rpAct_GetRange(act, rp_paramSpeed, &range);
	def.stature = fminf(fmaxf((float)(1.75 * captured->leg / 0.8595), 1.2f), 2.1f);
	float scale = sqrtf(def.stature / 1.75f);
	def.parameters[rp_paramSpeed] = fminf(fmaxf((float)captured->speed, range.low * scale), range.high * scale);
	def.fps = 120;
	def.seed = seed;
	rpMotion* motion = rpPerform(&def, NULL);
	bool ok = motion != NULL && measure(motion, out);
	rpDestroyMotion(motion);
	return ok;
}

static void getSpread(const Figures* figures, int count, int which, double* mean, double* deviation)
{
	double sum = 0.0, squares = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += figures[i].values[which];
		squares += figures[i].values[which] * figures[i].values[which];
	}
	*mean = sum / count;
	*deviation = sqrt(fmax(squares / count - *mean * *mean, 0.0) * count / fmax(count - 1, 1));
}

static int compare(const char* folder, rpAct act, const char* labels, double low, double high)
{
	static Figures captured[MOST_TAKES], performed[MOST_TAKES];
	int all = measureCapture(folder, labels, captured), count = 0, inside = 0;
	for (int i = 0; i < all; ++i)
	{
		if (captured[i].speed >= low && captured[i].speed <= high &&
			measurePerformer(captured + i, act, (uint64_t)i + 1, performed + count))
		{
			captured[count++] = captured[i];
		}
	}
	if (count < 2)
	{
		return 0;
	}
	double speed = 0.0;
	for (int i = 0; i < count; ++i)
	{
		speed += captured[i].speed / count;
	}
	fprintf(stderr, "\n%s beside %d captured takes, mean speed %.2f m/s\n%-20s %9s %9s %9s\n", rpAct_GetName(act),
			count, speed, "", "captured", "+-2 sd", "performed");
	for (int k = 0; k < figureCount; ++k)
	{
		double mean, deviation, own, ownDeviation;
		getSpread(captured, count, k, &mean, &deviation);
		getSpread(performed, count, k, &own, &ownDeviation);
		bool within = fabs(own - mean) <= 2.0 * deviation;
		inside += within;
		fprintf(stderr, "%-20s %9.3f %9.3f %9.3f  %s\n", s_names[k], mean, 2.0 * deviation, own,
				within ? "inside" : "OUTSIDE");
	}
	return inside;
}

static double measureSpeed(rpAct act)
{
	double rates[5];
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(act);
		def.seconds = 60.0;
		def.seed = 5;
		double start = benchCpuTime();
		rpMotion* motion = rpPerform(&def, NULL);
		rates[i] = motion != NULL ? motion->frameCount / (benchCpuTime() - start) : 0.0;
		rpDestroyMotion(motion);
	}
	return benchMedian(rates, 5);
}

bool benchPerformer(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	benchPut(report, "walk_frames_per_s", measureSpeed(rp_actWalk), "frames of walking per second, one core, 60 Hz");
	benchPut(report, "run_frames_per_s", measureSpeed(rp_actRun), "frames of running per second");
	benchPut(report, "take_frames_per_s", measureSpeed(rp_actTake), "frames of a mixed take per second");
	const char* folder = getenv("REPRISE_MOCAP");
	if (folder != NULL)
	{
		int walk = compare(folder, rp_actWalk, ",walk;straight,", 0.5, 2.3);
		int run = compare(folder, rp_actRun, ",run;straight,", 1.9, 5.2);
		benchPut(report, "walk_figures_inside", walk, "of 10 figures of walking, within the captured mean +- 2 sd");
		benchPut(report, "run_figures_inside", run, "of 10 figures of running, within the captured mean +- 2 sd");
	}
	return true;
}
