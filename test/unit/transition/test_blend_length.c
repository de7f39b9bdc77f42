/// Blend lengths: each rule against the thesis's equations written out, and what cannot be done.
#include "align/time_path.h"
#include "base/memory.h"
#include "edit_scene.h"
#include "performance.h"
#include "transition/blend_window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rpMotion* perform(rpAct act, double fps, double seconds, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = fps;
	def.seconds = seconds;
	def.seed = seed;
	return testPerform(&def);
}

static rpBlendLength find(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLengthDef* def)
{
	rpError error = {0};
	rpBlendLength length;
	if (!rpFindBlendLength(a, ta, b, tb, def, &length, &error))
	{
		fail_msg("%s", error.message);
	}
	return length;
}

// ---- the equations, in double precision

typedef struct Rotation
{
	double w, x, y, z;
} Rotation;

static Rotation widen(rpQuat q)
{
	double s = 1.0 / sqrt((double)q.w * q.w + (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
	return (Rotation){s * q.w, s * q.x, s * q.y, s * q.z};
}

// |log(q^-1 p)|, twice the half angle: eq. V.3.
static double getAngle(Rotation p, Rotation q)
{
	double w = q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z;
	double x = q.w * p.x - q.x * p.w - q.y * p.z + q.z * p.y;
	double y = q.w * p.y + q.x * p.z - q.y * p.w - q.z * p.x;
	double z = q.w * p.z - q.x * p.y + q.y * p.x - q.z * p.w;
	return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static Rotation slerp(Rotation p, Rotation q, double u)
{
	double dot = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z, side = dot < 0.0 ? -1.0 : 1.0;
	double angle = acos(fmin(fabs(dot), 1.0));
	double s = angle < 1e-9 ? 1.0 - u : sin((1.0 - u) * angle) / sin(angle);
	double t = side * (angle < 1e-9 ? u : sin(u * angle) / sin(angle));
	return (Rotation){s * p.w + t * q.w, s * p.x + t * q.x, s * p.y + t * q.y, s * p.z + t * q.z};
}

static Rotation getRotation(const rpMotion* motion, double frame, int joint)
{
	int low = (int)floor(frame + 1e-9);
	double u = frame - low < 1e-9 ? 0.0 : frame - low;
	Rotation first = widen(rpMotion_GetRotations(motion, low)[joint]);
	return u == 0.0 ? first : slerp(first, widen(rpMotion_GetRotations(motion, low + 1)[joint]), u);
}

static const struct
{
	rpRole role;
	double weight;
} s_weights[] = {
	{rp_roleLeftHip, 1.0},      {rp_roleRightHip, 1.0},        {rp_roleLeftKnee, 0.0901},
	{rp_roleRightKnee, 0.0901}, {rp_roleLeftShoulder, 0.7884}, {rp_roleRightShoulder, 0.7884},
	{rp_roleLeftElbow, 0.0247}, {rp_roleRightElbow, 0.0247},
};

// Eq. V.2 between frames, which may lie between two.
static double getCost(const rpMotion* a, double i, const rpMotion* b, double j)
{
	double sum = 0.0;
	for (int k = 0; k < 8; ++k)
	{
		int joint = a->skeleton->roles[s_weights[k].role];
		double angle = getAngle(getRotation(a, i, joint), getRotation(b, j, joint));
		sum += s_weights[k].weight * angle * angle;
	}
	return sum;
}

// Eq. V.1: b frames, t = 1 … b.
static double getMeanCost(const rpMotion* a, int i, const rpMotion* b, int j, int frames)
{
	double sum = 0.0;
	for (int t = 1; t <= frames; ++t)
	{
		sum += getCost(a, i + t - 1, b, j - frames + t);
	}
	return sum / frames;
}

static bool isNear(double x, double y)
{
	return fabs(x - y) < 2e-5 * fmax(1.0, fabs(y));
}

// ---- the rules

static void testGeodesic(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 30.0, 5.0, 3), *b = perform(rp_actRun, 30.0, 5.0, 4);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthGeodesic;
	def.anchor = rp_anchorEnds;
	for (int i = 20; i < 50; i += 7)
	{
		int j = 70 + i, best = 2;
		rpBlendLength length = find(a, i / 30.0, b, j / 30.0, &def);
		assert_int_equal(length.lengthCount, 60);
		for (int frames = 2; frames <= 61; ++frames)
		{
			double cost = getMeanCost(a, i, b, j, frames);
			assert_true(isNear(length.costs[frames - 2], cost));
			assert_true(fabs(length.lengths[frames - 2] - (frames - 1) / 30.0) < 1e-9);
			best = cost < getMeanCost(a, i, b, j, best) ? frames : best;
		}
		assert_true(fabs(length.seconds - (best - 1) / 30.0) < 1e-9);
		assert_true(isNear(length.cost, getMeanCost(a, i, b, j, best)) && !length.isCut);
		assert_true(length.rule == rp_lengthGeodesic && length.keyCount == 0 && length.joint == -1);
		rpBlendLength_Free(&length);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// The parts by joint add up, and each is what the joint alone would cost.
static void testJointCosts(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 30.0, 5.0, 3), *b = perform(rp_actWalk, 30.0, 5.0, 4);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthGeodesic;
	def.anchor = rp_anchorEnds;
	rpBlendLength length = find(a, 1.0, b, 3.0, &def);
	assert_int_equal(length.jointCount, 8);
	for (int i = 0; i < length.lengthCount; ++i)
	{
		double sum = 0.0;
		for (int k = 0; k < length.jointCount; ++k)
		{
			sum += length.jointCosts[k * length.lengthCount + i];
		}
		assert_true(isNear(sum, length.costs[i]));
	}
	float weights[RP_MAX_JOINTS] = {0};
	weights[length.joints[2]] = 0.0901f;
	def.jointWeights = weights;
	rpBlendLength alone = find(a, 1.0, b, 3.0, &def);
	assert_int_equal(alone.jointCount, 1);
	for (int i = 0; i < length.lengthCount; ++i)
	{
		assert_true(isNear(alone.costs[i], length.jointCosts[2 * length.lengthCount + i]));
	}
	// A metric's weights, the root's left out.
	rpMetricDef metricDef = rpDefaultMetricDef();
	metricDef.kind = rp_metricAngle;
	metricDef.jointWeights = weights;
	rpMetric* metric = rpCreateMetric(a->skeleton, &metricDef, NULL);
	def.jointWeights = NULL;
	def.metric = metric;
	rpBlendLength same = find(a, 1.0, b, 3.0, &def);
	assert_int_equal(same.jointCount, 1);
	assert_memory_equal(same.costs, alone.costs, (size_t)alone.lengthCount * sizeof(double));
	rpDestroyMetric(metric);
	rpBlendLength_Free(&same);
	rpBlendLength_Free(&length);
	rpBlendLength_Free(&alone);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Cut and joined with itself, a motion gets the time that it took, at any rate; and warping finds nothing to warp.
static void testItself(void** state)
{
	(void)state;
	rpMotion* slow = perform(rp_actWalkRun, 30.0, 5.0, 7);
	rpMotion* fast = perform(rp_actWalkRun, 120.0, 5.0, 7);
	static const rpLengthRule rules[] = {rp_lengthGeodesic, rp_lengthWarp, rp_lengthDynamic};
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.anchor = rp_anchorEnds;
	for (int k = 0; k < 6; ++k)
	{
		def.rule = rules[k / 2];
		rpBlendLength length = find(k & 1 ? fast : slow, 2.0, k & 1 ? fast : slow, 2.0 + 13.0 / 30.0, &def);
		assert_true(fabs(length.seconds - 13.0 / 30.0) < 1e-6 && length.cost < 1e-7);
		assert_true(fabs(length.fromSeconds - length.toSeconds) < 1e-9);
		rpBlendLength_Free(&length);
	}
	def.rule = rp_lengthGeodesic;
	rpBlendLength one = find(slow, 1.5, slow, 3.5, &def), other = find(fast, 1.5, fast, 3.5, &def);
	assert_true(fabs(one.seconds - other.seconds) < 1e-9 && isNear(one.cost, other.cost));
	rpBlendLength_Free(&one);
	rpBlendLength_Free(&other);
	rpDestroyMotion(slow);
	rpDestroyMotion(fast);
}

static double getSpeed(const rpMotion* motion, int frame, int joint)
{
	return 0.5 * motion->fps * getAngle(getRotation(motion, frame - 1, joint), getRotation(motion, frame + 1, joint));
}

static void testVelocity(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actDance, 30.0, 8.0, 5), *b = perform(rp_actPunch, 30.0, 8.0, 6);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthVelocity;
	def.slowest = 1e-6;
	int inside = 0;
	for (int i = 65; i < 160; i += 9)
	{
		int j = 225 - i, max = 0;
		double differences[8];
		for (int k = 0; k < 8; ++k)
		{
			int joint = a->skeleton->roles[s_weights[k].role];
			differences[k] = getAngle(getRotation(a, i, joint), getRotation(b, j, joint));
			max = differences[k] > differences[max] ? k : max;
		}
		int joint = a->skeleton->roles[s_weights[max].role];
		double seconds = differences[max] / (0.5 * (getSpeed(a, i, joint) + getSpeed(b, j, joint)));
		rpBlendLength length = find(a, i / 30.0, b, j / 30.0, &def);
		assert_int_equal(length.joint, joint);
		assert_true(fabs(length.difference - differences[max]) < 1e-3);
		assert_true(fabs(length.seconds - fmin(fmax(seconds, 0.1), 2.0)) < 2e-3 * fmax(1.0, length.seconds));
		inside += seconds > 0.1 && seconds < 2.0;
		rpBlendLength_Free(&length);
	}
	assert_true(inside >= 3);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Nothing moves: no division by nothing, but the speed at which people move a limb.
static void testVelocityAtRest(void** state)
{
	(void)state;
	rpSkeleton* body = rpCreatePerformerSkeleton(1.75f, NULL);
	rpMotion *a = rpCreateMotion(body, "a", 30.0, 200, NULL), *b = rpCreateMotion(body, "b", 30.0, 200, NULL);
	int elbow = body->roles[rp_roleLeftElbow];
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthVelocity;
	rpBlendLength length = find(a, 3.0, b, 3.0, &def);
	assert_true(fabs(length.seconds - 0.1) < 1e-9 && length.difference < 1e-6);
	rpBlendLength_Free(&length);
	for (int frame = 0; frame < 200; ++frame)
	{
		rpQuat* q = &b->rotations[frame * body->jointCount + elbow];
		*q = rpMulQuat(*q, rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, 0.6f));
	}
	length = find(a, 3.0, b, 3.0, &def);
	assert_true(length.joint == elbow && fabs(length.seconds - 0.6) < 1e-4 && length.speed < 1e-6);
	rpBlendLength_Free(&length);
	rpReleaseSkeleton(body);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Eq. V.5 and V.6, by steps instead of frames, divided by their number.
static double getWarpedCost(const rpMotion* a, int i, const rpMotion* b, int j, int from, int to)
{
	int longer = from > to ? from : to;
	double sum = 0.0;
	for (int t = 0; t <= longer; ++t)
	{
		double first = i + (double)from * t / longer, second = j - to + (double)to * t / longer;
		sum += getCost(a, first, b, second);
	}
	return sum / (longer + 1);
}

static void testWarp(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 30.0, 4.0, 3), *b = perform(rp_actRun, 30.0, 4.0, 4);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthWarp;
	def.anchor = rp_anchorEnds;
	def.longest = 1.0;
	def.shortest = 0.2;
	for (int i = 20; i < 60; i += 13)
	{
		int j = 110 - i, bestFrom = 0, bestTo = 0;
		double best = INFINITY;
		for (int from = 1; from <= 30; ++from)
		{
			for (int to = 1; to <= 30; ++to)
			{
				bool isAllowed = (from >= 6 || to >= 6) && from <= 2 * to && to <= 2 * from;
				double cost = isAllowed ? getWarpedCost(a, i, b, j, from, to) : INFINITY;
				if (cost < best)
				{
					best = cost;
					bestFrom = from;
					bestTo = to;
				}
			}
		}
		rpBlendLength length = find(a, i / 30.0, b, j / 30.0, &def);
		assert_true(isNear(length.cost, best));
		assert_true(fabs(length.fromSeconds - bestFrom / 30.0) < 1e-9 && fabs(length.toSeconds - bestTo / 30.0) < 1e-9);
		rpBlendLength_Free(&length);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// A motion played at two thirds of its speed is distinguished from the original.
static void testKnownWarp(void** state)
{
	(void)state;
	rpMotion* a = perform(rp_actWalkRun, 60.0, 5.0, 9);
	double newTimes[2] = {0.0, 6.0}, oldTimes[2] = {0.0, 4.0};
	rpMotion* b = rpRetimeMotion(a, &(rpWarp){newTimes, oldTimes, 2, false}, NULL);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.anchor = rp_anchorEnds;
	for (int k = 0; k < 2; ++k)
	{
		def.rule = k == 0 ? rp_lengthWarp : rp_lengthDynamic;
		rpBlendLength length = find(a, 2.0, b, 1.5 * 2.8, &def);
		assert_true(fabs(length.fromSeconds - 0.8) < 0.05 && fabs(length.toSeconds - 1.2) < 0.05);
		assert_true(length.cost < 0.005 && length.keyCount >= 2);
		assert_true(fabs(length.fromTimes[0] - 2.0) < 1e-9 && fabs(length.toTimes[length.keyCount - 1] - 4.2) < 1e-9);
		rpBlendLength_Free(&length);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// The dynamic programme against the engine's own search of every pair of lengths.
static void testTimePath(void** state)
{
	(void)state;
	enum
	{
		count = 19,
	};
	rpMotion *a = perform(rp_actWalk, 30.0, 4.0, 13), *b = perform(rp_actRun, 30.0, 4.0, 14);
	rpBlendWindow window = {0};
	assert_true(rpBlendWindow_Choose(&window, a->skeleton, NULL, NULL, NULL));
	assert_true(rpBlendWindow_Sample(&window, a, 1.0, 1.0 / 30.0, count, b, 2.5, -1.0 / 30.0, count - 3, NULL));
	for (int limit = 1; limit <= 3; ++limit)
	{
		rpWarpChoice choice, best = {.cost = INFINITY};
		for (int from = 1; from < count; ++from)
		{
			for (int to = 1; to < count - 3; ++to)
			{
				float* values = rpBlendWindow_MakeGrid(&window, from, to, NULL);
				rpGridView grid = {values, from + 1, to + 1};
				rpTimePath path;
				if ((from >= 4 || to >= 4) && rpFindTimePathWhole(grid, limit, &path, NULL))
				{
					double cost = path.cost / rpTimePath_GetLength(&path);
					best = cost < best.cost ? (rpWarpChoice){from, to, cost} : best;
					rpTimePath_Free(&path);
				}
				rpFree(values);
			}
		}
		assert_true(rpBlendWindow_FindTimePath(&window, 4, limit, &choice, NULL));
		assert_true(choice.from == best.from && choice.to == best.to && isNear(choice.cost, best.cost));
	}
	rpBlendWindow_Free(&window);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Anchored at the centre: mean costs directly, and the longest under the bar.
static void testCentre(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 60.0, 6.0, 3), *b = perform(rp_actJog, 60.0, 6.0, 4);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rp_lengthGeodesic;
	def.centreFloor = 0.0;
	def.centreLongest = def.longest;
	for (int i = 150; i < 210; i += 11)
	{
		int j = i + 20;
		double centre = getCost(a, i, b, j);
		def.centreRatio = 1.0 + 0.02 * (i - 149);
		rpBlendLength length = find(a, i / 60.0, b, j / 60.0, &def);
		assert_int_equal(length.lengthCount, 58);
		int longest = 0;
		bool isUnder = true;
		for (int k = 0; k < length.lengthCount; ++k)
		{
			double sum = 0.0;
			int steps = k + 3;
			for (int t = 0; t <= steps; ++t)
			{
				sum += getCost(a, i + 2 * t - steps, b, j + 2 * t - steps);
			}
			assert_true(isNear(length.costs[k], sum / (steps + 1)));
			isUnder = isUnder && sum / (steps + 1) <= def.centreRatio * centre;
			longest = isUnder ? k : longest;
		}
		assert_true(fabs(length.seconds - (longest + 3) / 30.0) < 1e-9);
		rpBlendLength_Free(&length);
	}
	// Alike everywhere: the longest there is. Never under a tenth of a second.
	rpBlendLength same = find(a, 3.0, a, 3.0, &def);
	assert_true(fabs(same.seconds - 2.0) < 1e-9);
	rpBlendLength_Free(&same);
	// But for a step, if nothing else is said.
	def.centreLongest = rpDefaultBlendLengthDef().centreLongest;
	same = find(a, 3.0, a, 3.0, &def);
	assert_true(fabs(same.seconds - 0.5) < 1e-9);
	rpBlendLength_Free(&same);
	def.centreRatio = 1.0;
	rpBlendLength steep = find(a, 3.0, a, 3.1, &def);
	assert_true(steep.seconds >= 0.1 - 1e-9);
	rpBlendLength_Free(&steep);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// ---- what is made of it

static void testBlend(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 60.0, 6.0, 3), *b = perform(rp_actRun, 60.0, 6.0, 4);
	static const rpLengthRule rules[] = {rp_lengthGeodesic, rp_lengthVelocity, rp_lengthWarp, rp_lengthDynamic};
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.anchor = rp_anchorEnds;
	def.shortest = 0.3;
	for (int k = 0; k < 4; ++k)
	{
		rpError error = {0};
		rpTransitionReport report;
		def.rule = rules[k];
		rpBlendLength length = find(a, 2.0, b, 3.0, &def);
		rpMotion* result = rpMakeBlend(a, 2.0, b, 3.0, &length, NULL, &report, &error);
		if (result == NULL)
		{
			fail_msg("%s", error.message);
		}
		testCheckMotion(result);
		testCheckAnnotations(result);
		assert_true(fabs(report.start - 2.0) < 1e-9 && report.from == 2.0 && report.to == 3.0);
		assert_true(fabs(report.end - report.start - length.seconds) < 0.05 * length.seconds + 1.0 / 60.0);
		// a's own before the blend, b's own after it.
		for (int frame = 0; frame <= 120; frame += 5)
		{
			assert_true(rpDistance(result->rootPositions[frame], a->rootPositions[frame]) < 1e-5f);
		}
		int end = rpMotion_GetFrame(result, report.end), jointCount = result->skeleton->jointCount;
		for (int frame = end; frame < result->frameCount; frame += 5)
		{
			const rpQuat* p = rpMotion_GetRotations(result, frame);
			const rpQuat* q = rpMotion_GetRotations(b, 180 + frame - end);
			for (int joint = 1; joint < jointCount; ++joint)
			{
				assert_true(rpAngleBetween(p[joint], q[joint]) < 2e-3f);
			}
		}
		rpDestroyMotion(result);
		rpBlendLength_Free(&length);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// ---- the choice of the rule

static void testChoice(void** state)
{
	(void)state;
	rpMotion *walk = perform(rp_actWalk, 60.0, 6.0, 3), *stand = perform(rp_actStand, 60.0, 6.0, 4);
	rpMotion *punch = perform(rp_actPunch, 60.0, 6.0, 5), *dance = perform(rp_actDance, 60.0, 6.0, 5);
	const rpMotion* pairs[][2] = {{walk, walk}, {stand, walk}, {walk, punch}, {punch, dance}, {stand, punch}};
	for (int without = 0; without < 2; ++without)
	{
		for (int k = 0; k < 5; ++k)
		{
			rpBlendLengthDef def = rpDefaultBlendLengthDef();
			rpBlendLength length = find(pairs[k][0], 3.0, pairs[k][1], 3.0, &def);
			assert_int_equal(length.rule, k < 3 ? rp_lengthGeodesic : rp_lengthVelocity);
			rpBlendLength_Free(&length);
		}
		rpMotion* all[] = {walk, stand, punch, dance};
		for (int k = 0; k < 4; ++k)
		{
			rpAnnotations_Clear(&all[k]->annotations, rp_trackLabel, NULL);
		}
	}
	// A label overrules what is seen.
	rpInterval label = {.track = rp_trackLabel, .start = 0.0, .end = 6.0, .name = "kickboxing"};
	assert_true(rpAnnotations_AddInterval(&walk->annotations, &label, NULL));
	assert_int_equal(rpFindActivity(walk, 3.0, NULL), rp_activityOther);
	label.name = "Jog_Turn";
	assert_true(rpAnnotations_AddInterval(&dance->annotations, &label, NULL));
	rpActivityReport report;
	assert_int_equal(rpFindActivity(dance, 3.0, &report), rp_activityStepping);
	assert_true(report.isLabelled);
	rpDestroyMotion(walk);
	rpDestroyMotion(stand);
	rpDestroyMotion(punch);
	rpDestroyMotion(dance);
}

// Every act of the repertoire, its labels taken away, in its middle.
static void testActivities(void** state)
{
	(void)state;
	int right = 0, count = 0;
	rpRepertoireEntry entry;
	for (int i = 0; rpGetRepertoire(11, i, &entry); ++i)
	{
		rpAct act = entry.def.act;
		rpActKind kind = rpAct_GetKind(act);
		bool steps =
			kind == rp_kindTransition || kind == rp_kindStyle || (kind == rp_kindLocomotion && act != rp_actStand);
		bool isPlain =
			kind == rp_kindLocomotion || kind == rp_kindTransition || kind == rp_kindStyle || kind == rp_kindAction;
		if (!isPlain || act == rp_actStepUp || act == rp_actStepDown || act == rp_actLeap)
		{
			continue;
		}
		entry.def.labels = false;
		rpMotion* motion = testPerform(&entry.def);
		rpActivityReport report;
		double middle = 0.5 * rpMotion_GetDuration(motion);
		rpActivity found = rpFindActivity(motion, middle, &report);
		bool isRight = (found == rp_activityStepping) == steps;
		right += isRight;
		++count;
		if (!isRight)
		{
			print_message("%s: %s, %d steps, %.2f m/s, %.2f rad/s, periodicity %.2f of %.2f s, stir %.2f\n", entry.name,
						  rpActivity_GetName(found), report.stepCount, (double)report.speed, (double)report.turn,
						  (double)report.periodicity, (double)report.period, (double)report.stir);
		}
		rpDestroyMotion(motion);
	}
	print_message("%d of %d acts told right without labels\n", right, count);
	assert_true(right >= 0.9 * count);
}

// Transitions of a graph take what the rule says, by another route; but no less than poses that far apart need, at
// 0.15 m/s and up to 0.53 s, and no more than there is of the clips.
static int getGraphHalf(const rpGraph* graph, const rpGraphEdge* edge, double seconds)
{
	const rpGraphClip* a = &graph->clips[graph->nodes[edge->from].clip];
	const rpGraphClip* b = &graph->clips[graph->nodes[edge->to].clip];
	double needed = fmin((double)edge->distance / 0.15, 0.53);
	int half = (int)ceil(0.5 * fmax(seconds, needed) * graph->fps - 1e-6);
	int room = a->frameCount - 1 - edge->fromMiddle;
	room = room < edge->fromMiddle ? room : edge->fromMiddle;
	room = room < edge->toMiddle ? room : edge->toMiddle;
	room = room < b->frameCount - 1 - edge->toMiddle ? room : b->frameCount - 1 - edge->toMiddle;
	return half < room ? half : room;
}

static void testGraph(void** state)
{
	(void)state;
	rpMotion* motions[] = {perform(rp_actWalk, 60.0, 8.0, 1), perform(rp_actJog, 60.0, 8.0, 2),
						   perform(rp_actDance, 60.0, 8.0, 3), perform(rp_actGesture, 60.0, 8.0, 4)};
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, 4, NULL, NULL, NULL);
	assert_non_null(graph);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.longest = def.centreLongest = 1.0;
	int counts[rp_lengthRuleCount] = {0};
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (!rpGraphEdge_IsTransition(edge))
		{
			continue;
		}
		const rpGraphClip* a = &graph->clips[graph->nodes[edge->from].clip];
		const rpGraphClip* b = &graph->clips[graph->nodes[edge->to].clip];
		rpBlendLength length =
			find(a->motion, edge->fromMiddle / graph->fps, b->motion, edge->toMiddle / graph->fps, &def);
		assert_int_equal(edge->frameCount, 2 * getGraphHalf(graph, edge, length.seconds));
		++counts[length.rule];
		rpBlendLength_Free(&length);
	}
	assert_true(counts[rp_lengthGeodesic] > 50 && counts[rp_lengthVelocity] > 20);
	rpDestroyGraph(graph);
	for (int k = 0; k < 4; ++k)
	{
		rpDestroyMotion(motions[k]);
	}
}

// ---- what cannot be done

static void expectFailure(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpBlendLengthDef* def,
						  const char* text)
{
	rpError error = {0};
	rpBlendLength length;
	assert_false(rpFindBlendLength(a, ta, b, tb, def, &length, &error));
	if (strstr(error.message, text) == NULL)
	{
		fail_msg("\"%s\" does not say \"%s\"", error.message, text);
	}
	assert_true(length.lengths == NULL && length.lengthCount == 0);
}

static void testFailures(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 30.0, 3.0, 3), *b = perform(rp_actWalk, 30.0, 3.0, 4);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	expectFailure(a, 3.5, b, 1.0, &def, "the moment 3.500 s lies outside");
	expectFailure(a, 1.0, b, -1.0, &def, "lies outside");
	expectFailure(a, 1.0, b, NAN, &def, "lies outside");
	expectFailure(a, 0.0, b, 1.0, &def, "is too short: the shortest blend, 0.100 s, needs 0.050 s more around");
	def.anchor = rp_anchorEnds;
	def.rule = rp_lengthGeodesic;
	expectFailure(a, 3.0, b, 1.0, &def, "needs 0.033 s more after its moment");
	expectFailure(a, 1.0, b, 0.0, &def, "before its moment");
	def.rule = rp_lengthWarp;
	def.anchor = rp_anchorCentre;
	expectFailure(a, 1.0, b, 1.0, &def, "start and its end");
	def = rpDefaultBlendLengthDef();
	def.longest = 0.01;
	expectFailure(a, 1.0, b, 1.0, &def, "a blend of");
	def = rpDefaultBlendLengthDef();
	rpPerformDef small = rpDefaultPerformDef(rp_actWalk);
	small.stature = 1.5f;
	rpMotion* other = testPerform(&small);
	expectFailure(a, 1.0, other, 1.0, &def, "offsets of joint");
	// A clip that ends soon makes the blend shorter, and it is said.
	rpBlendLength length = find(a, 2.8, b, 1.5, &def);
	assert_true(length.isCut && length.seconds <= 0.4 + 1e-6);
	rpBlendLength_Free(&length);
	a->rotations[45 * a->skeleton->jointCount + a->skeleton->roles[rp_roleLeftHip]].x = NAN;
	expectFailure(a, 1.5, b, 1.5, &def, "not finite");
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(other);
}

// Every allocation fails in turn; nothing is lost.
static void testMemory(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 30.0, 3.0, 3), *b = perform(rp_actRun, 30.0, 3.0, 4);
	static const rpLengthRule rules[] = {rp_lengthAuto, rp_lengthWarp, rp_lengthDynamic};
	for (int k = 0; k < 3; ++k)
	{
		rpBlendLengthDef def = rpDefaultBlendLengthDef();
		def.rule = rules[k];
		def.anchor = k == 0 ? rp_anchorCentre : rp_anchorEnds;
		int before = testCountLiveBlocks();
		bool done = false;
		for (int n = 0; !done; ++n)
		{
			rpError error = {0};
			rpBlendLength length;
			testFailAllocation(n);
			done = rpFindBlendLength(a, 1.5, b, 1.5, &def, &length, &error);
			rpMotion* result = done ? rpMakeBlend(a, 1.5, b, 1.5, &length, NULL, NULL, &error) : NULL;
			done = done && result != NULL;
			testFailAllocation(-1);
			assert_true(done || error.code == rp_errorMemory);
			rpDestroyMotion(result);
			rpBlendLength_Free(&length);
			assert_int_equal(testCountLiveBlocks(), before);
		}
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGeodesic),  cmocka_unit_test(testJointCosts),     cmocka_unit_test(testItself),
		cmocka_unit_test(testVelocity),  cmocka_unit_test(testVelocityAtRest), cmocka_unit_test(testWarp),
		cmocka_unit_test(testKnownWarp), cmocka_unit_test(testTimePath),       cmocka_unit_test(testCentre),
		cmocka_unit_test(testBlend),     cmocka_unit_test(testChoice),         cmocka_unit_test(testActivities),
		cmocka_unit_test(testGraph),     cmocka_unit_test(testFailures),       cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
