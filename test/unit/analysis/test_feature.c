/// Features: how lists of them are read and what is wrong with those that are not; places, moments and ways on motions
/// whose answers are known; what motions lack.
#include "motion/ground_track.h"
#include "reprise/performer.h"
#include "reprise/play/extend.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpSkeleton* s_skeleton;

static int setUp(void** state)
{
	(void)state;
	s_skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	return s_skeleton != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpReleaseSkeleton(s_skeleton);
	return 0;
}

static rpFeatureList* read(const char* text)
{
	rpError error = {0};
	rpFeatureList* list = rpCreateFeatureList(text, s_skeleton, NULL, &error);
	if (list == NULL)
	{
		fail_msg("%s: %s (%s)", text, error.message, error.hint);
	}
	return list;
}

static void measure(const char* text, const rpMotion* motion, double start, double end, float* out)
{
	rpError error = {0};
	rpFeatureList* list = read(text);
	rpFeatureStretch stretch = {motion, start, end};
	if (!rpFeatureList_Measure(list, &stretch, out, &error))
	{
		fail_msg("%s: %s (%s)", text, error.message, error.hint);
	}
	rpDestroyFeatureList(list);
}

// ---- lists

static void expectNames(const char* text, const char* names, const char* keys)
{
	char ownNames[600] = "", ownKeys[700] = "";
	rpFeatureList* list = read(text);
	for (int i = 0; i < rpFeatureList_GetCount(list); ++i)
	{
		const rpFeatureInfo* info = rpFeatureList_GetInfo(list, i);
		strcat(strcat(ownNames, i > 0 ? " " : ""), info->name);
		strcat(strcat(ownKeys, i > 0 ? " " : ""), info->key);
	}
	rpDestroyFeatureList(list);
	assert_string_equal(ownNames, names);
	assert_string_equal(ownKeys, keys);
}

static void testNames(void** state)
{
	(void)state;
	expectNames("turn,speed", "turn speed", "turn_deg speed_m_per_s");
	expectNames(" turn ,\tduration ", "turn duration", "turn_deg duration_s");
	expectNames("right_wrist@hit", "right_wrist.x@hit right_wrist.y@hit right_wrist.z@hit",
				"right_wrist_x_hit_m right_wrist_y_hit_m right_wrist_z_hit_m");
	expectNames("head.y@lowest,head@lowest.z", "head.y@lowest head.z@lowest", "head_y_lowest_m head_z_lowest_m");
	expectNames("left_ankle.x@hit-right_ankle.x@hit", "left_ankle.x@hit-right_ankle.x@hit",
				"left_ankle_x_hit_minus_right_ankle_x_hit_m");
	expectNames("-turn + facing", "-turn+facing", "minus_turn_plus_facing_deg");
	expectNames("right_wrist.speed@fastest,right_wrist.reach@string:LDR",
				"right_wrist.speed@fastest right_wrist.reach@string:LDR",
				"right_wrist_speed_fastest_m_per_s right_wrist_reach_string_LDR_m");
	// The table's own words are words of the grammar.
	const rpFeatureKind* kind;
	for (int i = 0; (kind = rpGetFeatureKind(i)) != NULL; ++i)
	{
		char text[80] = "";
		strcat(text, (kind->needs & rp_featureNeedsJoint) != 0 ? "head." : "");
		strcat(text, kind->name);
		strcat(text, (kind->needs & rp_featureNeedsMoment) != 0 ? "@end" : "");
		rpFeatureList* list = read(text);
		assert_int_equal(rpFeatureList_GetCount(list), kind->valueCount);
		assert_true(kind->text[0] != 0 && rpFeatureUnit_GetName(kind->unit)[0] != 0);
		rpDestroyFeatureList(list);
	}
	assert_null(rpGetFeatureKind(-1));
	assert_non_null(rpGetFeatureMoment(0));
}

static void expectFailure(const char* text, rpErrorCode code, int column, const char* message, const char* hint)
{
	rpError error = {0};
	rpFeatureList* list = rpCreateFeatureList(text, s_skeleton, NULL, &error);
	if (list != NULL || error.code != code || error.column != column || strstr(error.message, message) == NULL ||
		strstr(error.hint, hint) == NULL)
	{
		fail_msg("\"%s\": code %d, column %d, %s (%s)", text, (int)error.code, error.column, error.message, error.hint);
	}
}

static void testMistakes(void** state)
{
	(void)state;
	expectFailure("", rp_errorArgument, 1, "found the end", "");
	expectFailure("turn,", rp_errorArgument, 6, "found the end", "");
	expectFailure("turn;speed", rp_errorArgument, 5, "found ';'", "");
	expectFailure("turn speed", rp_errorArgument, 6, "found 's'", "");
	expectFailure("turn,sped", rp_errorArgument, 6, "no feature \"sped\"", "did you mean \"speed\"");
	expectFailure("rigth_wrist@hit", rp_errorArgument, 1, "no feature \"rigth_wrist\"", "did you mean \"right_wrist\"");
	expectFailure("xyzzyx", rp_errorArgument, 1, "no feature", "there are turn, facing");
	expectFailure("head.spede@end", rp_errorArgument, 1, "no feature \"spede\" of a joint", "did you mean \"speed\"");
	expectFailure("head.qqqqqqq@end", rp_errorArgument, 1, "of a joint", "place, reach, speed");
	expectFailure("reach@end", rp_errorArgument, 1, "of a joint", "");
	expectFailure("turn.speed", rp_errorArgument, 1, "not of a joint", "");
	expectFailure("turn.x", rp_errorArgument, 1, "one number", "");
	expectFailure("turn@hit", rp_errorArgument, 1, "whole stretch", "");
	expectFailure("speed, right_wrist", rp_errorArgument, 8, "lacks the moment", "highest");
	expectFailure("head.x@hit.y", rp_errorArgument, 1, "no feature", "head.y@lowest");
	expectFailure("head@", rp_errorArgument, 1, "is no feature", "");
	expectFailure("head.x.y@hit", rp_errorArgument, 1, "is no feature", "");
	expectFailure("@hit", rp_errorArgument, 1, "is no feature", "");
	expectFailure("turn-speed", rp_errorArgument, 6, "in m/s, what stands before it in deg", "");
	expectFailure("head@hit-neck.x@hit", rp_errorArgument, 10, "is 1 number, what stands before it 3", "");
	expectFailure("turn,turn", rp_errorArgument, 0, "twice", "");
	expectFailure("head@hit,neck@hit,turn", rp_errorLimit, 19, "more than 6 numbers", "a place is three");
	expectFailure("turn+turn+turn+turn+turn+turn+turn+turn+turn", rp_errorLimit, 41, "more than 8", "");
	expectFailure("left_shoulder.x@farthest-right_shoulder.x@farthest+left_shoulder.x@farthest-neck.x@farthest",
				  rp_errorLimit, 0, "too long", "");
	// A body without arms.
	rpJoint joint = rpDefaultJoint();
	joint.name = "hips";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* stump = rpCreateSkeleton(&def, NULL);
	rpError error = {0};
	assert_null(rpCreateFeatureList("turn,right_wrist@hit", stump, NULL, &error));
	assert_true(error.code == rp_errorMissing && error.column == 6 && strstr(error.message, "no right_wrist") != NULL);
	rpReleaseSkeleton(stump);
}

// ---- motions whose answers are known

enum
{
	rate = 120,
};

/// The root goes round a circle and bobs, facing where it goes, while the right arm swings up and down.
typedef struct Circle
{
	double radius, omega, swing, seconds;
} Circle;

static rpMotion* makeCircle(const Circle* circle, double fps)
{
	rpMotion* motion = rpCreateMotion(s_skeleton, "circle", fps, (int)(circle->seconds * fps) + 1, NULL);
	assert_non_null(motion);
	int shoulder = s_skeleton->roles[rp_roleRightShoulder];
	for (int i = 0; i < motion->frameCount; ++i)
	{
		double t = i / fps, a = circle->omega * t;
		rpQuat* rotations = motion->rotations + (size_t)i * (size_t)s_skeleton->jointCount;
		motion->rootPositions[i] =
			(rpVec3){(float)(circle->radius * (1.0 - cos(a)) + 3.0), 0.95f, (float)(circle->radius * sin(a) - 2.0)};
		rotations[0] = rpYaw((float)a);
		rotations[shoulder] = rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(0.8 * sin(circle->swing * t)));
	}
	rpMotion_FixHemispheres(motion);
	return motion;
}

static void testTravel(void** state)
{
	(void)state;
	static const Circle circle = {1.5, 0.8, 0.0, 6.0};
	for (int fps = 30; fps <= rate; fps *= 2)
	{
		float v[RP_MAX_PARAMETERS];
		rpMotion* motion = makeCircle(&circle, fps);
		measure("turn,facing,speed,travel,duration", motion, 1.013, 4.987, v);
		double seconds = 4.987 - 1.013;
		assert_float_equal(v[0], 0.8 * seconds, 1e-3);
		assert_float_equal(v[1], 0.8 * seconds, 1e-4);
		// The smoothing makes the circle smaller, by exp(-(0.8 rad/s * 0.25 s)² / 2).
		assert_float_equal(v[2], 0.8 * 1.5 * exp(-0.02), 2e-3);
		assert_float_equal(v[3], seconds * (double)v[2], 1e-4);
		assert_float_equal(v[4], seconds, 1e-6);
		rpDestroyMotion(motion);
	}
}

// More than a whole turn, and the other way.
static void testWholeTurns(void** state)
{
	(void)state;
	static const Circle circle = {1.0, -1.7, 0.0, 9.0};
	float v[RP_MAX_PARAMETERS];
	rpMotion* motion = makeCircle(&circle, 60.0);
	measure("turn,facing", motion, 1.0, 8.0, v);
	assert_float_equal(v[0], -1.7 * 7.0, 1e-3);
	assert_float_equal(v[1], -1.7 * 7.0, 1e-3);
	rpDestroyMotion(motion);
}

// A stretch that nothing is around turns as it does in its motion, forwards and backwards.
static void testAlone(void** state)
{
	(void)state;
	static const Circle circle = {1.2, 1.1, 0.0, 1.1};
	float v[RP_MAX_PARAMETERS];
	for (int back = 0; back < 2; ++back)
	{
		rpMotion* motion = makeCircle(&circle, 60.0);
		for (int i = 0; i < motion->frameCount && back; ++i)
		{
			rpQuat* root = motion->rotations + (size_t)i * (size_t)s_skeleton->jointCount;
			*root = rpMulQuat(rpYaw((float)RP_PI), *root);
		}
		measure("turn,speed", motion, 0.0, 1.1, v);
		assert_float_equal(v[0], 1.1 * 1.1, 2e-3);
		assert_float_equal(v[1], 1.1 * 1.2 * exp(-0.5 * 1.1 * 1.1 * 0.0625), 5e-3);
		rpDestroyMotion(motion);
	}
}

// The same as the whole track has it, wherever the stretch is; directions where it is not near the ends.
static void testTrack(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.seconds = 9.0;
	def.fps = 60.0;
	def.seed = 4;
	def.parameters[rp_paramTurn] = 0.6f;
	rpMotion* motion = rpPerform(&def, NULL);
	rpGroundTrack track;
	assert_true(rpMakeGroundTrack(motion, &track, NULL));
	static const int ends[][2] = {{0, 540}, {1, 200}, {100, 300}, {60, 470}};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); ++i)
	{
		float v[RP_MAX_PARAMETERS];
		int a = ends[i][0], b = ends[i][1], last = motion->frameCount - 1;
		b = b < last ? b : last;
		measure("turn,facing", motion, a / 60.0, b / 60.0, v);
		double directions[2];
		for (int side = 0; side < 2; ++side)
		{
			int at = side == 0 ? a : b, before = at > 0 ? at - 1 : at, after = at < last ? at + 1 : at;
			directions[side] = atan2(track.x[after] - track.x[before], track.z[after] - track.z[before]);
		}
		double off = remainder((double)v[0] - directions[1] + directions[0], 2.0 * RP_PI);
		assert_true(a < 60 || fabs(off) < 1e-4);
		assert_float_equal(v[1], track.heading[b] - track.heading[a], 1e-5);
	}
	rpFreeGroundTrack(&track);
	rpDestroyMotion(motion);
}

// A stride that is all of its motion is what it is within its walk or run: nothing is known of what is before and after
// it, so it goes on as it does.
static void testStrideAlone(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actWalk, rp_actRun};
	for (int i = 0; i < 12; ++i)
	{
		float within[3], alone[3];
		rpParameterRange range;
		rpPerformDef def = rpDefaultPerformDef(acts[i % 2]);
		def.seconds = 6.0;
		def.fps = 60.0;
		assert_true(rpAct_GetRange(acts[i % 2], rp_paramTurn, &range));
		def.parameters[rp_paramTurn] = range.low + (range.high - range.low) * (float)i / 11.0f;
		rpMotion* motion = rpPerform(&def, NULL);
		double ends[2] = {0.0, 0.0};
		for (int k = 0, found = 0; k < motion->annotations.eventCount && found < 2; ++k)
		{
			const rpEvent* event = &motion->annotations.events[k];
			bool isStrike = strcmp(event->name, "heel_strike_left") == 0 && event->time > 2.0;
			ends[found] = isStrike ? round(event->time * 60.0) / 60.0 : ends[found];
			found += isStrike;
		}
		rpMotion* stride = rpCropMotion(motion, ends[0], ends[1], NULL);
		measure("turn,facing,speed", motion, ends[0], ends[1], within);
		measure("turn,facing,speed", stride, 0.0, ends[1] - ends[0], alone);
		assert_float_equal(within[0], alone[0], 1.3 * RP_DEGREE);
		assert_float_equal(within[1], alone[1], 0.8 * RP_DEGREE);
		assert_float_equal(within[2], alone[2], 0.01f * within[2] + 0.005f);
		rpDestroyMotion(stride);
		rpDestroyMotion(motion);
	}
}

// Who sets out from a stand does not walk before it, nor behind a walk that comes to a stand.
static void testNoRepeat(void** state)
{
	(void)state;
	rpError error = {0};
	rpMotion* motion = rpCreateMotion(s_skeleton, "set out", 60.0, 121, NULL);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		float t = (float)i / 60.0f;
		motion->rootPositions[i] = (rpVec3){0.0f, 0.95f, t < 1.0f ? 0.0f : 1.2f * (t - 1.0f)};
	}
	rpFeatureList* list = read("turn");
	rpFeatureStretch stretch = {motion, 0.0, 2.0};
	float value;
	assert_false(rpFeatureList_Measure(list, &stretch, &value, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpDestroyFeatureList(list);
	rpDestroyMotion(motion);
}

static rpVec3 getWrist(double swing, double t)
{
	// The arm of the rest pose, turned at the shoulder.
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(s_skeleton, rest);
	rpVec3 shoulder = rest[s_skeleton->roles[rp_roleRightShoulder]].p,
		   wrist = rest[s_skeleton->roles[rp_roleRightWrist]].p;
	rpQuat turn = rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(0.8 * sin(swing * t)));
	rpVec3 place = rpAdd(shoulder, rpRotate(turn, rpSub(wrist, shoulder)));
	place.y += 0.95f;
	return place;
}

static void expectPlace(const float* v, rpVec3 expected, double tolerance)
{
	assert_float_equal(v[0], expected.x, tolerance);
	assert_float_equal(v[1], expected.y, tolerance);
	assert_float_equal(v[2], expected.z, tolerance);
}

// Places are seen from where the root is when the stretch begins, whatever way it faces; between frames too.
static void testPlaces(void** state)
{
	(void)state;
	static const Circle still = {0.0, 0.0, 4.0, 3.0}, moving = {1.0, 0.9, 4.0, 3.0};
	for (int fps = 30; fps <= rate; fps *= 4)
	{
		float v[RP_MAX_PARAMETERS];
		rpMotion* motion = makeCircle(&still, fps);
		assert_true(rpAnnotations_AddEvent(&motion->annotations, "hit", 1.2345, NULL));
		assert_true(rpAnnotations_AddEvent(&motion->annotations, "hit", 0.1, NULL));
		assert_true(rpAnnotations_AddEvent(&motion->annotations, "hit", 2.0, NULL));
		// The first in the stretch; an event at its very start counts.
		measure("right_wrist@hit,right_wrist@middle", motion, 0.4, 2.5, v);
		expectPlace(v, getWrist(4.0, 1.2345), 1e-4);
		expectPlace(v + 3, getWrist(4.0, 1.45), 1e-4);
		measure("right_wrist@hit,right_wrist@start-right_wrist@end", motion, 2.0, 2.7, v);
		expectPlace(v, getWrist(4.0, 2.0), 1e-4);
		expectPlace(v + 3, rpSub(getWrist(4.0, 2.0), getWrist(4.0, 2.7)), 1e-4);
		// Extrema between frames: the arm is highest and lowest when the sine is 1 and -1, and fastest at 0.
		measure("right_wrist.y@lowest,right_wrist.y@highest,right_wrist@fastest.y,right_wrist.speed@fastest", motion,
				0.15, 1.4, v);
		rpVec3 ends[2] = {getWrist(4.0, 0.125 * RP_PI), getWrist(4.0, 0.375 * RP_PI)};
		assert_float_equal(v[0], fminf(ends[0].y, ends[1].y), 1e-4);
		assert_float_equal(v[1], fmaxf(ends[0].y, ends[1].y), 1e-4);
		assert_float_equal(v[2], getWrist(4.0, 0.25 * RP_PI).y, 3e-3);
		double length = (double)rpDistance(getWrist(0.0, 0.0), (rpVec3){0});
		assert_true(length > 0.0 && v[3] > 0.5f);
		rpDestroyMotion(motion);
		// The root's way is in it.
		motion = makeCircle(&moving, fps);
		measure("pelvis@start,pelvis@end", motion, 0.5, 2.3, v);
		rpVec3 pelvis = getWrist(0.0, 0.0);
		rpTransform rest[RP_MAX_JOINTS];
		rpSkeleton_GetRest(s_skeleton, rest);
		pelvis = rest[s_skeleton->roles[rp_rolePelvis]].p;
		pelvis.y += 0.95f;
		expectPlace(v, pelvis, 1e-4);
		double angle = 0.9 * 1.8;
		pelvis.x += (float)(1.0 - cos(angle));
		pelvis.z += (float)sin(angle);
		expectPlace(v + 3, pelvis, 2e-4);
		rpDestroyMotion(motion);
	}
}

// What forward kinematics of the whole body say, of bones that change length too.
static void testTranslations(void** state)
{
	(void)state;
	static const Circle circle = {1.0, 0.9, 4.0, 1.0};
	rpMotion* motion = makeCircle(&circle, 60.0);
	size_t count = (size_t)motion->frameCount * (size_t)s_skeleton->jointCount;
	rpRandom random = rpSeedRandom(8);
	motion->translations = rpAllocate(count, sizeof(rpVec3), NULL);
	assert_non_null(motion->translations);
	for (size_t i = 0; i < count; ++i)
	{
		motion->translations[i] = s_skeleton->offsets[i % (size_t)s_skeleton->jointCount];
		motion->translations[i].y += rpRandom_Range(&random, -0.02f, 0.02f);
	}
	rpTransform world[RP_MAX_JOINTS];
	for (int frame = 5; frame < 55; frame += 7)
	{
		float v[RP_MAX_PARAMETERS];
		rpGroundTransform ground = rpMotion_GetGround(motion, 5);
		ground.shift.y = 0.0f;
		measure("right_wrist@end,left_ball@end", motion, 5.0 / 60.0, frame > 5 ? frame / 60.0 : 6.0 / 60.0, v);
		rpMotion_Forward(motion, frame > 5 ? frame : 6, world);
		expectPlace(
			v, rpGroundTransform_Apply(rpGroundTransform_Invert(ground), world[s_skeleton->roles[rp_roleRightWrist]].p),
			1e-4);
		expectPlace(
			v + 3,
			rpGroundTransform_Apply(rpGroundTransform_Invert(ground), world[s_skeleton->roles[rp_roleLeftBall]].p),
			1e-4);
	}
	rpDestroyMotion(motion);
}

// ---- what motions lack

static void expectMissing(const rpMotion* motion, const char* text, const char* message, const char* hint)
{
	rpError error = {0};
	float v[RP_MAX_PARAMETERS];
	rpFeatureList* list = read(text);
	rpFeatureStretch stretch = {motion, 0.5, 1.5};
	if (rpFeatureList_Measure(list, &stretch, v, &error) || error.code != rp_errorMissing ||
		strstr(error.message, message) == NULL || strstr(error.hint, hint) == NULL)
	{
		fail_msg("%s: code %d, %s (%s)", text, (int)error.code, error.message, error.hint);
	}
	rpDestroyFeatureList(list);
}

static void testMissing(void** state)
{
	(void)state;
	static const Circle still = {0.0, 0.0, 4.0, 2.0};
	rpMotion* motion = makeCircle(&still, 60.0);
	expectMissing(motion, "head@hit", "no event \"hit\" from 0.500 to 1.500 s", "none");
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "touch", 0.7, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "touch", 0.8, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "grasp", 0.8, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "hit", 1.8, NULL));
	expectMissing(motion, "head@hit", "no event \"hit\"", "it has touch, grasp;");
	expectMissing(motion, "turn", "does not travel", "facing");
	static const char* const needContacts[] = {"support_height", "support_length", "seat_height",
											   "jump_length",    "jump_turn",      "flight"};
	for (size_t i = 0; i < sizeof(needContacts) / sizeof(needContacts[0]); ++i)
	{
		expectMissing(motion, needContacts[i], "has no ", "rpDetectContacts");
	}
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHeel, .start = 0.0, .end = 2.0};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
	expectMissing(motion, "support_height", "no foot that comes to rest", "");
	expectMissing(motion, "seat_height", "no contact with a seat", "");
	expectMissing(motion, "jump_length", "no flight", "");
	// A stretch of no length, numbers that are none.
	float v[RP_MAX_PARAMETERS];
	rpError error = {0};
	rpFeatureList* list = read("head@end");
	rpFeatureStretch stretch = {motion, 1.0, 1.0};
	assert_false(rpFeatureList_Measure(list, &stretch, v, &error));
	assert_int_equal(error.code, rp_errorArgument);
	motion->rootPositions[motion->frameCount - 1].x = NAN;
	stretch.end = 2.0;
	assert_false(rpFeatureList_Measure(list, &stretch, v, &error));
	assert_non_null(strstr(error.message, "no number"));
	rpDestroyFeatureList(list);
	rpDestroyMotion(motion);
}

// ---- kinds of the caller's own

static bool measureCount(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	double time;
	if (!rpFindFeatureMoment(stretch, joint, moment, &time, error))
	{
		return false;
	}
	out[0] = (float)joint;
	out[1] = (float)time;
	return true;
}

static void testOwnKinds(void** state)
{
	(void)state;
	static const rpFeatureKind kinds[] = {
		{"count", "for the test", rp_unitSecond, measureCount, 2, rp_featureNeedsJoint | rp_featureNeedsMoment}};
	static const Circle still = {0.0, 0.0, 4.0, 2.0};
	rpMotion* motion = makeCircle(&still, 60.0);
	rpFeatureDef def = rpDefaultFeatureDef();
	def.kinds = kinds;
	def.kindCount = 1;
	rpError error = {0};
	rpFeatureList* list = rpCreateFeatureList("head.count@middle,duration-head.count@end.y", s_skeleton, &def, &error);
	assert_non_null(list);
	float v[RP_MAX_PARAMETERS];
	rpFeatureStretch stretch = {motion, 0.5, 1.5};
	assert_int_equal(rpFeatureList_GetCount(list), 3);
	assert_true(rpFeatureList_Measure(list, &stretch, v, NULL));
	assert_float_equal(v[0], s_skeleton->roles[rp_roleHead], 0.0);
	assert_float_equal(v[1], 1.0, 1e-6);
	assert_float_equal(v[2], -0.5, 1e-6);
	assert_null(rpCreateFeatureList("head.cuont@middle", s_skeleton, &def, &error));
	assert_non_null(strstr(error.hint, "\"count\""));
	rpDestroyFeatureList(list);
	rpDestroyMotion(motion);
}

// ---- memory

static bool attempt(void* context, rpError* error)
{
	float v[RP_MAX_PARAMETERS];
	rpFeatureStretch stretch = {context, 0.5, 1.5};
	rpFeatureList* list = rpCreateFeatureList("turn,speed,facing,head.y@lowest", s_skeleton, NULL, error);
	bool done = list != NULL && rpFeatureList_Measure(list, &stretch, v, error);
	rpDestroyFeatureList(list);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	static const Circle circle = {1.5, 0.8, 0.0, 2.0};
	rpMotion* motion = makeCircle(&circle, 60.0);
	testFailEach(attempt, motion, 5);
	rpDestroyMotion(motion);
}

// What there is stands in the pages about it: docs/features.md, and docs/commands.md, which is what `help features`
// says.
static void testDocumented(void** state)
{
	(void)state;
	static const char* const pages[] = {"docs/features.md", "docs/commands.md"};
	const char* source = getenv("REPRISE_SOURCE");
	for (int page = 0; page < 2 && source != NULL; ++page)
	{
		char path[1024];
		snprintf(path, sizeof(path), "%s/%s", source, pages[page]);
		char* text = testReadFile(path, NULL);
		assert_non_null(text);
		char* part = page == 0 ? text : strstr(text, "## What can be a parameter");
		assert_non_null(part);
		char* end = page == 0 ? NULL : strstr(part + 1, "\n## ");
		if (end != NULL)
		{
			*end = 0;
		}
		const rpFeatureKind* kind;
		for (int i = 0; (kind = rpGetFeatureKind(i)) != NULL; ++i)
		{
			if (strstr(part, kind->name) == NULL)
			{
				fail_msg("%s lacks \"%s\"", pages[page], kind->name);
			}
		}
		const rpFeatureMoment* moment;
		for (int i = 0; (moment = rpGetFeatureMoment(i)) != NULL; ++i)
		{
			if (strstr(part, moment->name) == NULL)
			{
				fail_msg("%s lacks \"%s\"", pages[page], moment->name);
			}
		}
		free(text);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testNames),        cmocka_unit_test(testMistakes),   cmocka_unit_test(testTravel),
		cmocka_unit_test(testWholeTurns),   cmocka_unit_test(testAlone),      cmocka_unit_test(testTrack),
		cmocka_unit_test(testStrideAlone),  cmocka_unit_test(testNoRepeat),   cmocka_unit_test(testPlaces),
		cmocka_unit_test(testTranslations), cmocka_unit_test(testMissing),    cmocka_unit_test(testOwnKinds),
		cmocka_unit_test(testMemory),       cmocka_unit_test(testDocumented),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
