/// Performances are held to their truth and to what bodies can do.
#include "performance.h"

#include "performer/body_plan.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINE_FPS 1000.0
// Metres per second squared within a millisecond: a knee that comes near its end changes its acceleration by half of
// this, an acceleration that is not continuous by hundreds.
#define HIGHEST_JERK 120.0f
// Of gravity, while something is on the ground.
#define HIGHEST_PULL 1.02f

/// How far a joint goes, radians. Where a joint is loaded, or others push it, it goes farther than its owner can move
/// it: then about two standard deviations above the mean of what is measured so.
typedef struct Limit
{
	int joint;
	const char* name;
	float low, high;
	float (*measure)(const rpQuat* rotations, int joint);
} Limit;

rpMotion* testPerform(const rpPerformDef* def)
{
	rpError error = {0};
	rpMotion* motion = rpPerform(def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(motion);
	return motion;
}

double testFindEvent(const rpMotion* motion, const char* name)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		if (strcmp(motion->annotations.events[i].name, name) == 0)
		{
			return motion->annotations.events[i].time;
		}
	}
	return -1.0;
}

static rpVec3 getEffector(const rpMotion* motion, int frame, rpEffector effector)
{
	rpVec3 place;
	assert_true(rpMotion_GetEffector(motion, frame, effector, &place));
	return place;
}

rpVec3 testGetEffectorAt(const rpMotion* motion, double time, rpEffector effector)
{
	double at = fmin(fmax(time * motion->fps, 0.0), motion->frameCount - 1);
	int frame = (int)at, next = frame + 1 < motion->frameCount ? frame + 1 : frame;
	return rpLerp(getEffector(motion, frame, effector), getEffector(motion, next, effector), (float)(at - frame));
}

static rpInterval* getIntervals(const rpMotion* motion, rpTrack track, int* count)
{
	*count = rpMotion_GetIntervals(motion, track, NULL, 0);
	rpInterval* intervals = calloc((size_t)*count + 1, sizeof(rpInterval));
	assert_non_null(intervals);
	rpMotion_GetIntervals(motion, track, intervals, *count);
	return intervals;
}

static void measureContacts(const rpMotion* motion, float scale, PerformanceFaults* faults)
{
	int count;
	rpInterval* contacts = getIntervals(motion, rp_trackContact, &count);
	for (int k = 0; k < count; ++k)
	{
		rpVec3 first = {0};
		bool started = false;
		rpEffector at = contacts[k].effector;
		float above = at == rp_seat || at == rp_leftToe || at == rp_rightToe ? 0.0f : BALL_HEIGHT * scale;
		for (int f = (int)ceil(contacts[k].start * motion->fps);
			 f < motion->frameCount && f / motion->fps < contacts[k].end; ++f)
		{
			rpVec3 place = getEffector(motion, f, contacts[k].effector);
			first = started ? first : place;
			started = true;
			faults->slide = fmaxf(faults->slide, rpDistance(first, place));
			faults->lift = fmaxf(faults->lift, fabsf(place.y - contacts[k].supportHeight - above));
		}
	}
	free(contacts);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		for (int effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
		{
			bool toe = effector == rp_leftToe || effector == rp_rightToe;
			float height = getEffector(motion, f, (rpEffector)effector).y - (toe ? 0.0f : BALL_HEIGHT * scale);
			faults->sink = fmaxf(faults->sink, -height);
		}
	}
}

static void measureFlight(const rpMotion* motion, PerformanceFaults* faults)
{
	int count;
	rpInterval* phases = getIntervals(motion, rp_trackPhase, &count);
	const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
	for (int k = 0; k < count; ++k)
	{
		int first = (int)ceil(phases[k].start * motion->fps), last = (int)floor(phases[k].end * motion->fps);
		if (phases[k].name[0] != 'F' || last >= motion->frameCount || last - first < 3)
		{
			continue;
		}
		for (int f = first; f <= last; ++f)
		{
			float part = (float)(f - first) / (float)(last - first);
			rpVec3 fall = rpLerp(centers[first], centers[last], part);
			fall.y += 0.5f * 9.81f * (float)((f - first) * (last - f) / (motion->fps * motion->fps));
			faults->flight = fmaxf(faults->flight, rpDistance(fall, centers[f]));
		}
	}
	free(phases);
}

// How far a place on the ground lies outside the convex hull of some: the largest of its distances beyond lines that
// all of them lie behind.
static float getOutside(const rpVec3* points, int count, rpVec3 place)
{
	float outside = -1.0f;
	for (int i = 0; i < 360; ++i)
	{
		float angle = (float)(i * RP_PI / 180.0);
		rpVec3 direction = {cosf(angle), 0.0f, sinf(angle)};
		float reach = -1e9f;
		for (int k = 0; k < count; ++k)
		{
			reach = fmaxf(reach, rpDot(points[k], direction));
		}
		outside = fmaxf(outside, rpDot(place, direction) - reach);
	}
	return outside;
}

// How far the centre of mass of a frame is outside of what the contacts at t rest on; a foot is 9 cm wide. False if
// nothing does or a seat bears.
static bool getLeaning(const rpMotion* motion, const rpInterval* contacts, int count, int frame, double t, float* out)
{
	rpVec3 points[16];
	int pointCount = 0;
	bool sits = false;
	for (int k = 0; k < count; ++k)
	{
		int effector = contacts[k].effector;
		if (t >= contacts[k].start && t < contacts[k].end && pointCount < 14)
		{
			sits = sits || effector == rp_seat;
			points[pointCount++] = getEffector(motion, frame, (rpEffector)effector);
			if (effector == rp_leftBall || effector == rp_rightBall)
			{
				points[pointCount++] = getEffector(motion, frame, (rpEffector)(effector + 1));
			}
		}
	}
	const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
	float scale = motion->skeleton->height / PERFORMER_HEIGHT;
	*out = pointCount > 0 ? getOutside(points, pointCount, centers[frame]) - 0.045f * scale : -1.0f;
	return pointCount > 0 && !sits;
}

static void measureBalance(const rpMotion* motion, float scale, PerformanceFaults* faults)
{
	int count;
	rpInterval* contacts = getIntervals(motion, rp_trackContact, &count);
	const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
	for (int f = 1; f + 1 < motion->frameCount; ++f)
	{
		float speed = 0.5f * (float)motion->fps * rpDistance(centers[f - 1], centers[f + 1]), outside;
		bool slow = speed <= 0.2f * sqrtf(scale);
		if (slow && getLeaning(motion, contacts, count, f, f / motion->fps, &outside) && outside > faults->balance)
		{
			faults->balance = outside;
			faults->balanceTime = f / motion->fps;
		}
	}
	free(contacts);
}

float testGetFirstLeaning(const rpPerformDef* def)
{
	rpPerformDef fine = *def;
	fine.fps = 240.0;
	rpMotion* motion = testPerform(&fine);
	int count, phaseCount;
	rpInterval *contacts = getIntervals(motion, rp_trackContact, &count),
			   *phases = getIntervals(motion, rp_trackPhase, &phaseCount);
	float outside = -1.0f;
	bool found = false;
	for (int k = 0; !found && k < phaseCount; ++k)
	{
		found = phases[k].name[0] == 'L' || phases[k].name[0] == 'R';
		int frame = (int)ceil(phases[k].start * motion->fps) + 1;
		if (found && frame < motion->frameCount)
		{
			(void)getLeaning(motion, contacts, count, frame, frame / motion->fps, &outside);
		}
	}
	free(contacts);
	free(phases);
	rpDestroyMotion(motion);
	return outside;
}

static float getBend(const rpQuat* rotations, int joint)
{
	return 2.0f * acosf(fminf(fabsf(rotations[joint].w), 1.0f));
}

// About x: knees bend to plus, ankles down to plus.
static float getHinge(const rpQuat* rotations, int joint)
{
	rpQuat q = rotations[joint];
	return rpWrapAngle(2.0f * atan2f(q.x, q.w));
}

// The thigh against the pelvis, forwards.
static float getHipFlexion(const rpQuat* rotations, int joint)
{
	rpVec3 thigh = rpRotate(rotations[joint], (rpVec3){0, -1, 0});
	return atan2f(thigh.z, -thigh.y);
}

static float getHipSpread(const rpQuat* rotations, int joint)
{
	rpVec3 thigh = rpRotate(rotations[joint], (rpVec3){0, -1, 0});
	return asinf(thigh.x) * (joint == rp_leftUpLeg ? 1.0f : -1.0f);
}

static float getSpineBend(const rpQuat* rotations, int joint)
{
	rpVec3 up = rpRotate(rpMulQuat(rotations[joint], rotations[joint + 1]), (rpVec3){0, 1, 0});
	return acosf(fminf(up.y, 1.0f));
}

// Knee and hip: passive flexion 143.8 ± 6.5 and 120.3 ± 8.3 (Roass & Andersson 1982, "Normal range of motion of the
// hip, knee and ankle joints in male subjects"); the hip's extension 30 (American Academy of Orthopaedic Surgeons 1965,
// "Joint Motion") and 5 that runners' pelvises tilt beyond standing; it spreads 45, and 10 more as the pelvis tilts,
// closes 30. Ankle: loaded 40.6 ± 5.2 drawn up (Calatayud et al. 2015, weight-bearing lunge); pointed 54 in men, 62 in
// women on average, passive (Soucie et al. 2011, "Range of motion measurements: reference values"). Toes: bent up 70
// active and to 90 passive, down 45 (AAOS; Norkin & White, "Measurement of Joint Motion"). Spine 80, elbow 150, wrist
// 80 (AAOS).
#define DEGREES(x) ((float)(x) * (float)RP_PI / 180.0f)
static const Limit s_limits[] = {
	{rp_leftLeg, "left knee", DEGREES(0), DEGREES(152), getHinge},
	{rp_rightLeg, "right knee", DEGREES(0), DEGREES(152), getHinge},
	{rp_leftAnkle, "left ankle", DEGREES(-51), DEGREES(70), getHinge},
	{rp_rightAnkle, "right ankle", DEGREES(-51), DEGREES(70), getHinge},
	{rp_leftUpLeg, "left hip", DEGREES(-35), DEGREES(138), getHipFlexion},
	{rp_rightUpLeg, "right hip", DEGREES(-35), DEGREES(138), getHipFlexion},
	{rp_leftUpLeg, "left hip's spread", DEGREES(-35), DEGREES(55), getHipSpread},
	{rp_rightUpLeg, "right hip's spread", DEGREES(-35), DEGREES(55), getHipSpread},
	{rp_leftToeBase, "left toes", DEGREES(-80), DEGREES(45), getHinge},
	{rp_rightToeBase, "right toes", DEGREES(-80), DEGREES(45), getHinge},
	{rp_spine, "spine", 0.0f, DEGREES(75), getSpineBend},
	{rp_neck, "neck", 0.0f, DEGREES(80), getSpineBend},
	{rp_leftForeArm, "left elbow", 0.0f, DEGREES(152), getBend},
	{rp_rightForeArm, "right elbow", 0.0f, DEGREES(152), getBend},
	{rp_leftWrist, "left wrist", 0.0f, DEGREES(80), getBend},
	{rp_rightWrist, "right wrist", 0.0f, DEGREES(80), getBend},
};

void testMeasureJoints(const rpMotion* motion, PerformanceFaults* faults)
{
	for (int f = 0; f < motion->frameCount; ++f)
	{
		const rpQuat* rotations = rpMotion_GetRotations(motion, f);
		for (size_t i = 0; i < sizeof(s_limits) / sizeof(s_limits[0]); ++i)
		{
			float angle = s_limits[i].measure(rotations, s_limits[i].joint);
			float beyond = fmaxf(s_limits[i].low - angle, angle - s_limits[i].high);
			if (beyond > faults->joint)
			{
				faults->joint = beyond;
				faults->jointName = s_limits[i].name;
				faults->jointTime = f / motion->fps;
			}
		}
	}
}

// Ground pushes and does not pull: but in flight, the centre of mass falls no faster than freely. Over 8 ms to both
// sides.
static void measurePull(const rpMotion* motion, PerformanceFaults* faults)
{
	int half = 8, count;
	rpInterval* phases = getIntervals(motion, rp_trackPhase, &count);
	const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
	for (int k = 0; k < count; ++k)
	{
		int first = (int)ceil(phases[k].start * motion->fps) + half;
		int last = (int)floor(phases[k].end * motion->fps) - half;
		for (int f = first > half ? first : half; f <= last && f + half < motion->frameCount; ++f)
		{
			double second = (double)centers[f + half].y - 2.0 * (double)centers[f].y + (double)centers[f - half].y;
			float pull = (float)(-second * motion->fps * motion->fps / (half * half * 9.81));
			if (phases[k].name[0] != 'F' && pull > faults->pull)
			{
				faults->pull = pull;
				faults->pullTime = f / motion->fps;
			}
		}
	}
	free(phases);
}

// Accelerations of joints of a motion of 1000 Hz do not jump, and the ground does not pull.
static void measureJerk(const rpPerformDef* def, PerformanceFaults* faults)
{
	rpPerformDef fine = *def;
	fine.fps = FINE_FPS;
	rpMotion* motion = testPerform(&fine);
	int joints = motion->skeleton->jointCount;
	rpTransform* world = calloc(4 * (size_t)joints, sizeof(rpTransform));
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpTransform* rows[4];
		for (int k = 0; k < 4; ++k)
		{
			rows[k] = world + (size_t)((f + 1 + k) % 4) * (size_t)joints;
		}
		rpMotion_Forward(motion, f, rows[3]);
		for (int j = 0; f >= 3 && j < joints; ++j)
		{
			rpVec3 third = rpSub(rpSub(rows[3][j].p, rows[0][j].p), rpScale(3.0f, rpSub(rows[2][j].p, rows[1][j].p)));
			float jerk = rpLength(third) * (float)(FINE_FPS * FINE_FPS);
			if (jerk > faults->jerk)
			{
				faults->jerk = jerk;
				faults->jerkTime = f / FINE_FPS;
				faults->jerkName = s_limits[0].name;
				for (int r = rp_roleNone + 1; r < rp_roleCount; ++r)
				{
					faults->jerkName = motion->skeleton->roles[r] == j ? rpRole_GetName((rpRole)r) : faults->jerkName;
				}
			}
		}
	}
	measurePull(motion, faults);
	free(world);
	rpDestroyMotion(motion);
}

PerformanceFaults testPerformanceFrames(const rpPerformDef* def)
{
	PerformanceFaults faults = {0};
	rpMotion* motion = testPerform(def);
	float scale = def->stature / PERFORMER_HEIGHT;
	measureContacts(motion, scale, &faults);
	measureFlight(motion, &faults);
	measureBalance(motion, scale, &faults);
	testMeasureJoints(motion, &faults);
	rpDestroyMotion(motion);
	return faults;
}

PerformanceFaults testPerformance(const rpPerformDef* def)
{
	PerformanceFaults faults = testPerformanceFrames(def);
	measureJerk(def, &faults);
	return faults;
}

static void sayPerformance(const rpPerformDef* def, bool ok)
{
	printf("%s %s seed %llu %g s %g Hz stature %g:", ok ? "  " : "!!", rpAct_GetName(def->act),
		   (unsigned long long)def->seed, def->seconds, def->fps, (double)def->stature);
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		if (rpAct_GetRange(def->act, (rpParameter)i, &range))
		{
			printf(" %s %.3g", rpParameter_GetName((rpParameter)i), (double)def->parameters[i]);
		}
	}
	printf("\n");
}

void testHoldToBars(const rpPerformDef* def)
{
	PerformanceFaults faults = testPerformance(def);
	bool ok = faults.slide < 1e-3f && faults.lift < 1e-3f && faults.sink < 2e-3f && faults.flight < 1e-3f &&
			  faults.balance < 0.01f && faults.jerk < HIGHEST_JERK && faults.joint <= 0.0f &&
			  (def->act == rp_actRunningJump || faults.pull < HIGHEST_PULL);
	if (!ok || getenv("PERFORMANCE_FAULTS") != NULL)
	{
		sayPerformance(def, ok);
		printf("   slide %.2g lift %.2g sink %.2g flight %.2g balance %.3f (%.2f s) pull %.2f (%.2f s) jerk %.1f (%s "
			   "%.3f s) joint %.2f "
			   "(%s %.2f s)\n",
			   (double)faults.slide, (double)faults.lift, (double)faults.sink, (double)faults.flight,
			   (double)faults.balance, faults.balanceTime, (double)faults.pull, faults.pullTime, (double)faults.jerk,
			   faults.jerkName != NULL ? faults.jerkName : "", faults.jerkTime, (double)faults.joint,
			   faults.jointName != NULL ? faults.jointName : "", faults.jointTime);
	}
	if (getenv("PERFORMANCE_FAULTS") == NULL)
	{
		assert_true(ok);
	}
}

// ---- accelerations

/// Kinds of captured takes.
typedef enum CaptureKind
{
	kindWalk,
	kindRun,
	kindStyle,
	kindPunch,
	kindKick,
	kindPick,
	kindSit,
	kindStep,
	kindGesture,
	kindDance,
	kindJump,
	kindLeap,
	captureKindCount,
} CaptureKind;

// The 99.9th percentiles, m/s², as printed by `reprise-bench accelerations` on 2026-11-15 from takes of the CMU
// Graphics Lab Motion Capture Database (mocap.cs.cmu.edu, funded by NSF EIA-0196217), mended by the doctor, chosen by
// the labels of their manifest: takes with defects are left out, and single takes above three times the median of
// their kind (mixed-up markers). In brackets takes and subjects.
static const float s_bars[captureKindCount][partCount] = {
	// trunk, knees, feet, elbows, hands
	[kindWalk] = {24.7f, 77.9f, 68.7f, 47.1f, 35.4f},    // walking, turning, starting, stopping (49, 6)
	[kindRun] = {40.8f, 118.3f, 118.9f, 82.0f, 93.6f},   // running, turning, starting, stopping (70, 5)
	[kindStyle] = {15.8f, 47.6f, 65.6f, 25.4f, 42.5f},   // sneaking, on tiptoe, crouched, bent, stern (9, 3)
	[kindPunch] = {25.5f, 60.8f, 92.0f, 129.3f, 119.6f}, // boxing, lunge punch, punches (4, 3)
	[kindKick] = {56.5f, 199.7f, 215.9f, 53.9f, 53.0f},  // front kick, roundhouse kick (2, 1)
	[kindPick] = {9.6f, 50.5f, 31.5f, 22.0f, 20.5f},     // boxes picked up, reaches, some with walking (13, 3)
	[kindSit] = {20.1f, 23.2f, 26.9f, 24.4f, 22.9f},     // high stool, low stool, chair, walking to them (3, 2)
	[kindStep] = {14.1f, 16.1f, 30.7f, 23.5f, 23.9f},    // stairs and three steps (4, 2)
	[kindGesture] = {11.7f, 29.7f, 34.0f, 33.4f, 47.0f}, // direct traffic, wave, point (1, 1)
	[kindDance] = {34.2f, 59.3f, 182.6f, 87.8f, 98.1f},  // jetés, pirouettes, balances (9, 2)
	[kindJump] = {33.4f, 57.0f, 79.4f, 58.7f, 79.8f},    // up, forward, with turns (28, 4)
	[kindLeap] = {41.7f, 146.5f, 117.9f, 61.9f, 92.6f},  // out of a run, over something (5, 2)
};

static CaptureKind getCaptureKind(rpAct act)
{
	switch (act)
	{
	case rp_actStand:
	case rp_actWave:
	case rp_actGesture:
		return kindGesture;
	case rp_actJog:
	case rp_actRun:
	case rp_actStandRun:
	case rp_actRunStand:
	case rp_actWalkRun:
	case rp_actRunWalk:
	case rp_actTake:
	// Nobody marches in the captured takes; knees and feet go up and down as fast as in running.
	case rp_actMarch:
		return kindRun;
	case rp_actSneak:
	case rp_actTiptoe:
		return kindStyle;
	case rp_actPunch:
	case rp_actGuardPunch:
	case rp_actGuardDuck:
		return kindPunch;
	case rp_actKick:
		return kindKick;
	case rp_actReach:
	case rp_actPickUp:
	case rp_actDuck:
		return kindPick;
	case rp_actSitDown:
	case rp_actRise:
		return kindSit;
	case rp_actStepUp:
	case rp_actStepDown:
		return kindStep;
	case rp_actBoxDance:
	case rp_actDance:
	case rp_actGuardDance:
		return kindDance;
	case rp_actJump:
	case rp_actHop:
		return kindJump;
	case rp_actLeap:
	case rp_actRunningJump:
	case rp_actWalkLeap:
		return kindLeap;
	default:
		return kindWalk;
	}
}

float testGetAccelerationBar(rpAct act, PerformancePart part)
{
	return s_bars[getCaptureKind(act)][part];
}

static const struct
{
	int joint;
	PerformancePart part;
	const char* name;
} s_moving[] = {
	{rp_hips, partTrunk, "pelvis"},
	{rp_spine1, partTrunk, "chest"},
	{rp_head, partTrunk, "head"},
	{rp_leftLeg, partKnees, "left knee"},
	{rp_rightLeg, partKnees, "right knee"},
	{rp_leftAnkle, partFeet, "left ankle"},
	{rp_rightAnkle, partFeet, "right ankle"},
	{rp_leftToeBase, partFeet, "left ball"},
	{rp_rightToeBase, partFeet, "right ball"},
	{rp_leftForeArm, partElbows, "left elbow"},
	{rp_rightForeArm, partElbows, "right elbow"},
	{rp_leftWrist, partHands, "left wrist"},
	{rp_rightWrist, partHands, "right wrist"},
};

// How fast the faster ones of the captured takes went, m/s; someone faster accelerates more, with the square of it.
#define FASTEST_WALK 1.6f
#define FASTEST_RUN 4.5f
#define FASTEST_STYLE 0.8f

static float getHaste(const rpPerformDef* def)
{
	CaptureKind kind = getCaptureKind(def->act);
	float fastest = kind == kindRun ? FASTEST_RUN : kind == kindStyle ? FASTEST_STYLE : FASTEST_WALK;
	float haste = def->parameters[rp_paramSpeed] / (fastest * sqrtf(def->stature / PERFORMER_HEIGHT));
	return fmaxf(haste * haste, 1.0f);
}

PerformanceFaults testMeasureAccelerations(const rpPerformDef* def)
{
	enum
	{
		rate = 120,
		half = 3
	};
	PerformanceFaults faults = {0};
	rpPerformDef at120 = *def;
	at120.fps = rate;
	rpMotion* motion = testPerform(&at120);
	int joints = motion->skeleton->jointCount;
	rpVec3* places = calloc((size_t)motion->frameCount * (size_t)joints, sizeof(rpVec3));
	rpMotion_ForwardAll(motion, 0, motion->frameCount, places, NULL);
	for (int f = half; f + half < motion->frameCount; ++f)
	{
		for (size_t i = 0; i < sizeof(s_moving) / sizeof(s_moving[0]); ++i)
		{
			const rpVec3* p = places + (ptrdiff_t)f * joints + s_moving[i].joint;
			rpVec3 second = rpSub(rpAdd(p[-half * joints], p[half * joints]), rpScale(2.0f, *p));
			float acceleration = rpLength(second) * (float)(rate * rate) / (float)(half * half);
			float part = acceleration / (getHaste(def) * testGetAccelerationBar(def->act, s_moving[i].part));
			if (part > faults.acceleration)
			{
				faults.acceleration = part;
				faults.accelerationName = s_moving[i].name;
				faults.accelerationTime = (double)f / rate;
			}
		}
	}
	free(places);
	rpDestroyMotion(motion);
	return faults;
}

void testHoldToAccelerations(const rpPerformDef* def)
{
	PerformanceFaults faults = testMeasureAccelerations(def);
	if (faults.acceleration > 1.0f || getenv("PERFORMANCE_FAULTS") != NULL)
	{
		sayPerformance(def, faults.acceleration <= 1.0f);
		printf("   acceleration %.2f of its bar (%s %.2f s)\n", (double)faults.acceleration, faults.accelerationName,
			   faults.accelerationTime);
	}
	if (getenv("PERFORMANCE_FAULTS") == NULL)
	{
		assert_true(faults.acceleration <= 1.0f);
	}
}

rpPerformDef testDrawPerformance(rpAct act, uint64_t draw)
{
	static const double rates[] = {30.0, 59.94, 60.0, 120.0, 240.0};
	uint64_t seed = draw;
	for (const char* c = rpAct_GetName(act); *c != 0; ++c)
	{
		seed = 31 * seed + (unsigned char)*c;
	}
	rpRandom random = rpSeedRandom(seed);
	rpPerformDef def = rpDefaultPerformDef(act);
	def.seed = draw % 4 == 0 ? 0 : draw;
	def.fps = rates[draw % 5];
	def.stature = draw % 3 == 2 ? rpRandom_Range(&random, 1.5f, 2.0f) : 1.75f;
	float length = def.stature / 1.75f, time = sqrtf(length);
	def.seconds = draw % 6 == 5 ? 1.7 * def.seconds : def.seconds * (double)time;
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		if (rpAct_GetRange(act, (rpParameter)i, &range))
		{
			float part = rpRandom_Range(&random, -0.3f, 1.3f);
			part = fminf(fmaxf(part, 0.0f), 1.0f);
			def.parameters[i] = range.low + part * (range.high - range.low);
			bool choice = i == rp_paramFoot || i == rp_paramHand;
			def.parameters[i] = choice ? roundf(def.parameters[i]) : def.parameters[i];
			bool angle = rpParameter_IsAngle((rpParameter)i) || choice;
			def.parameters[i] *= angle ? 1.0f : i == rp_paramSpeed ? length / time : length;
		}
	}
	if (act == rp_actJump && fabsf(def.parameters[rp_paramAngle]) > 0.5f)
	{
		// Nobody jumps far with a whole turn; see jump.c.
		def.parameters[rp_paramDistance] = fminf(def.parameters[rp_paramDistance], 0.8f * length);
	}
	return def;
}
