/// Blends of registered motions against cases worked by hand, and against what the inputs promise.
#include "edit_scene.h"
#include "performance.h"

#include "base/memory.h"
#include "reprise/analysis.h"
#include "reprise/body.h"
#include "reprise/registration.h"

#include <string.h>

// ---- registrations made by hand

/// Two motions with keys of their own.
typedef struct Pair
{
	const rpMotion* motions[2];
	double times[2 * 64];
	rpGround grounds[2 * 64];
	rpStage stages[64];
	rpRegistration registration;
} Pair;

// times is [2 * keyCount]; transforms are those that take root onto root.
static void initPair(Pair* pair, const rpMotion* a, const rpMotion* b, const double* times, int keyCount)
{
	memset(pair, 0, sizeof(*pair));
	pair->motions[0] = a;
	pair->motions[1] = b;
	memcpy(pair->times, times, 2 * (size_t)keyCount * sizeof(double));
	pair->registration = (rpRegistration){.motions = pair->motions,
										  .motionCount = 2,
										  .times = pair->times,
										  .grounds = pair->grounds,
										  .keyCount = keyCount,
										  .stages = pair->stages};
	double turn = 0.0;
	for (int key = 0; key < keyCount; ++key)
	{
		rpGround onA = rpMotion_GetGround(a, rpMotion_GetFrame(a, times[key]));
		rpGround onB = rpMotion_GetGround(b, rpMotion_GetFrame(b, times[keyCount + key]));
		rpGround ground = rpGround_Compose(onA, rpGround_Invert(onB));
		turn += (double)rpWrapAngle(ground.turn - (float)turn);
		ground.turn = (float)turn;
		pair->grounds[key] = rpGround_identity;
		pair->grounds[keyCount + key] = ground;
	}
}

static rpMotion* blend(const rpRegistration* registration, float weight, rpBlendScheme scheme, rpBlendReport* report)
{
	const float weights[2] = {1.0f - weight, weight};
	rpBlendDef def = rpDefaultBlendDef();
	def.weights = weights;
	def.scheme = scheme;
	rpError error = {0};
	rpMotion* result = rpRegistration_Blend(registration, &def, report, &error);
	if (result == NULL)
	{
		print_error("%s\n", error.message);
	}
	assert_non_null(result);
	return result;
}

// A walker without legs: its root goes along a circle (or a line, curvature 0) at constant speed.
static rpMotion* makeGlider(const rpSkeleton* skeleton, double seconds, float speed, float curvature)
{
	int frameCount = (int)(seconds * 60.0 + 0.5) + 1;
	rpMotion* motion = rpCreateMotion(skeleton, "glider", 60.0, frameCount, NULL);
	assert_non_null(motion);
	for (int frame = 0; frame < frameCount; ++frame)
	{
		float way = speed * (float)frame / 60.0f, turn = way * curvature;
		motion->rotations[frame * skeleton->jointCount] = rpYaw(turn);
		motion->rootPositions[frame] = curvature != 0.0f
										   ? (rpVec3){(1.0f - cosf(turn)) / curvature, 1.0f, sinf(turn) / curvature}
										   : (rpVec3){0.0f, 1.0f, way};
	}
	return motion;
}

// Even keys, 0.1 s of the first motion apart.
static void glide(Pair* pair, const rpMotion* a, const rpMotion* b)
{
	double times[2 * 64];
	int keyCount = (int)(rpMotion_GetDuration(a) / 0.1 + 0.5) + 1;
	for (int key = 0; key < keyCount; ++key)
	{
		times[key] = rpMotion_GetDuration(a) * key / (keyCount - 1);
		times[keyCount + key] = rpMotion_GetDuration(b) * key / (keyCount - 1);
	}
	initPair(pair, a, b, times, keyCount);
}

// Two metres in two seconds and in one: by the mean of times, two metres in one and a half.
static void testLines(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *slow = makeGlider(skeleton, 2.0, 1.0f, 0.0f), *fast = makeGlider(skeleton, 1.0, 2.0f, 0.0f);
	Pair pair;
	glide(&pair, slow, fast);
	rpBlendReport report;
	rpMotion* half = blend(&pair.registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.scheme, rp_blendPlain);
	assert_non_null(strstr(report.reason, "contacts"));
	assert_int_equal(half->frameCount, 91);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpDistance(half->rootPositions[frame], (rpVec3){0.0f, 1.0f, (float)frame / 67.5f * 1.5f}) < 1e-4f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(slow);
	rpDestroyMotion(fast);
	rpReleaseSkeleton(skeleton);
}

// A line and a circle of 2 m radius at one speed: a circle of mean curvature, 4 m.
static void testCircles(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *line = makeGlider(skeleton, 4.0, 1.2f, 0.0f), *circle = makeGlider(skeleton, 4.0, 1.2f, 0.5f);
	rpMotion* expected = makeGlider(skeleton, 4.0, 1.2f, 0.25f);
	Pair pair;
	glide(&pair, line, circle);
	rpMotion* half = blend(&pair.registration, 0.5f, rp_blendPlain, NULL);
	assert_int_equal(half->frameCount, expected->frameCount);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpDistance(half->rootPositions[frame], expected->rootPositions[frame]) < 0.01f);
		assert_true(rpAngleBetween(rpMotion_GetRotations(half, frame)[0], rpMotion_GetRotations(expected, frame)[0]) <
					1e-3f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(expected);
	rpDestroyMotion(line);
	rpDestroyMotion(circle);
	rpReleaseSkeleton(skeleton);
}

// A joint that is turned by two known rotations is turned by their mean.
static void testRotations(void** state)
{
	(void)state;
	rpSkeleton* skeleton = testMakePuppet(false);
	rpMotion *a = makeGlider(skeleton, 1.0, 1.0f, 0.0f), *b = makeGlider(skeleton, 1.0, 1.0f, 0.0f);
	rpVec3 axis = rpNormalize((rpVec3){1.0f, 0.5f, -1.0f});
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		a->rotations[frame * skeleton->jointCount + 8] = rpAxisAngle(axis, 0.3f);
		b->rotations[frame * skeleton->jointCount + 8] = rpNegateQuat(rpAxisAngle(axis, 1.5f));
	}
	Pair pair;
	glide(&pair, a, b);
	rpMotion* half = blend(&pair.registration, 0.5f, rp_blendPlain, NULL);
	for (int frame = 0; frame < half->frameCount; ++frame)
	{
		assert_true(rpAngleBetween(rpMotion_GetRotations(half, frame)[8], rpAxisAngle(axis, 0.9f)) < 1e-6f);
	}
	rpDestroyMotion(half);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpReleaseSkeleton(skeleton);
}

// ---- performances

static rpMotion* perform(rpAct act, rpParameter parameter, float value, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 120.0;
	def.seconds = seconds;
	def.parameters[parameter] = value;
	return testPerform(&def);
}

static rpRegistration* registerTwo(rpMotion* const motions[2], bool freeEnds)
{
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = freeEnds;
	rpError error = {0};
	rpRegistration* registration = rpCreateRegistration((const rpMotion* const*)motions, 2, &def, &error);
	if (registration == NULL)
	{
		print_error("%s\n", error.message);
	}
	assert_non_null(registration);
	return registration;
}

static void destroyTwo(rpMotion* const motions[2], rpRegistration* registration)
{
	rpDestroyRegistration(registration);
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

// The way that a resting heel or ball makes, the worst of all contacts, metres.
static float measureSlide(const rpMotion* motion)
{
	rpTransform world[RP_MAX_JOINTS];
	float worst = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track != rp_trackContact)
		{
			continue;
		}
		rpVec3 low = {1e9f, 0.0f, 1e9f}, high = {-1e9f, 0.0f, -1e9f};
		for (int frame = (int)ceil(contact->start * motion->fps - 1e-6);
			 frame < motion->frameCount && frame < contact->end * motion->fps - 1e-6; ++frame)
		{
			rpAttachment at = motion->skeleton->effectors[contact->effector];
			rpMotion_Forward(motion, frame, world);
			rpVec3 p = rpTransformPoint(world[at.joint], at.offset);
			low = (rpVec3){fminf(low.x, p.x), 0.0f, fminf(low.z, p.z)};
			high = (rpVec3){fmaxf(high.x, p.x), 0.0f, fmaxf(high.z, p.z)};
			worst = fmaxf(worst, rpDistance(low, high));
		}
	}
	return worst;
}

// The greatest acceleration of a joint, m/s².
static float measureAcceleration(const rpMotion* motion)
{
	rpTransform a[RP_MAX_JOINTS], b[RP_MAX_JOINTS], c[RP_MAX_JOINTS];
	float worst = 0.0f;
	for (int frame = 1; frame + 1 < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame - 1, a);
		rpMotion_Forward(motion, frame, b);
		rpMotion_Forward(motion, frame + 1, c);
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			rpVec3 change = rpAdd(rpSub(c[i].p, b[i].p), rpSub(a[i].p, b[i].p));
			worst = fmaxf(worst, rpLength(change) * (float)(motion->fps * motion->fps));
		}
	}
	return worst;
}

static float measureSpeed(const rpMotion* motion)
{
	rpVec3 way = rpSub(motion->rootPositions[motion->frameCount - 1], motion->rootPositions[0]);
	way.y = 0.0f;
	return rpLength(way) / (float)rpMotion_GetDuration(motion);
}

// With all weight on one motion, that motion comes back where the registration puts its first frame.
static void checkOriginal(const rpRegistration* registration, int motion, rpBlendScheme scheme)
{
	const rpMotion* original = registration->motions[motion];
	rpMotion* result = blend(registration, (float)motion, scheme, NULL);
	rpGround ground = registration->grounds[motion * registration->keyCount];
	double start = registration->times[motion * registration->keyCount];
	double end = registration->times[motion * registration->keyCount + registration->keyCount - 1];
	assert_int_equal(result->frameCount, (int)floor((end - start) * result->fps + 1e-3) + 1);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		rpMotion_Sample(original, start + frame / result->fps, &pose);
		rotations[0] = rpMulQuat(rpYaw(ground.turn), rotations[0]);
		rpVec3 root = rpGround_Apply(ground, pose.rootPosition);
		assert_true(rpDistance(root, result->rootPositions[frame]) < 1e-5f);
		for (int i = 0; i < result->skeleton->jointCount; ++i)
		{
			assert_true(rpAngleBetween(rotations[i], rpMotion_GetRotations(result, frame)[i]) < 1e-6f);
		}
	}
	rpDestroyMotion(result);
}

static rpMotion* moveAway(rpMotion* motion, rpGround ground)
{
	rpMotion* moved = rpMoveMotion(motion, ground, NULL);
	assert_non_null(moved);
	rpDestroyMotion(motion);
	return moved;
}

static void testOriginals(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actWalk, rp_paramTurn, 0.0f, 4.0), perform(rp_actWalk, rp_paramTurn, 0.6f, 4.0)};
	motions[0] = moveAway(motions[0], (rpGround){0.0f, {12.0f, 0.0f, 11.0f}});
	motions[1] = moveAway(motions[1], (rpGround){2.5f, {-10.0f, 0.0f, -14.0f}});
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 10);
	for (int motion = 0; motion < 2; ++motion)
	{
		checkOriginal(registration, motion, rp_blendPlain);
		checkOriginal(registration, motion, rp_blendPhysical);
	}
	destroyTwo(motions, registration);
}

// Walks of different speed: the speed in between, no foot slides, nothing pops.
static void testWalks(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actWalk, rp_paramSpeed, 1.0f, 4.0),
							perform(rp_actWalk, rp_paramSpeed, 1.8f, 4.0)};
	rpRegistration* registration = registerTwo(motions, true);
	assert_true(registration->stageCount > 0);
	float last = 0.95f;
	for (int i = 1; i < 4; ++i)
	{
		rpBlendReport report;
		rpMotion* result = blend(registration, 0.25f * (float)i, rp_blendAuto, &report);
		float speed = measureSpeed(result);
		assert_int_equal(report.scheme, rp_blendPhysical);
		assert_string_equal(report.reason, "");
		assert_int_equal(report.flightCount, 0);
		assert_true(speed > last + 0.1f && speed < 1.8f);
		assert_true(measureSlide(result) < 1e-3f);
		assert_true(report.velocityJump < 0.02f);
		assert_true(report.footMiss < 1e-3f);
		assert_true(measureAcceleration(result) <
					1.1f * fmaxf(measureAcceleration(motions[0]), measureAcceleration(motions[1])));
		testCheckMotion(result);
		testCheckAnnotations(result);
		rpDestroyMotion(result);
		last = speed;
	}
	destroyTwo(motions, registration);
}

// The same length of each phase, by the rule.
static void checkPhaseTimes(const rpRegistration* r, double weight, const rpMotion* result)
{
	double end = 0.0;
	for (int i = 0; i < r->stageCount; ++i)
	{
		double a = r->times[r->stages[i].lastKey] - r->times[r->stages[i].firstKey];
		double b = r->times[r->keyCount + r->stages[i].lastKey] - r->times[r->keyCount + r->stages[i].firstKey];
		end += sqrt((1.0 - weight) * a * a + weight * b * b);
	}
	assert_int_equal(result->frameCount, (int)floor(end * result->fps + 1e-3) + 1);
}

// Those that the ends cut are too short to tell.
static void checkFlights(const rpMotion* result, int expected)
{
	rpFlight flights[64];
	int count = rpFindFlights(result, flights, 64, NULL), longCount = 0;
	for (int i = 0; i < count; ++i)
	{
		if (flights[i].end - flights[i].start > 0.05)
		{
			++longCount;
			assert_true(flights[i].residual < 1e-3f);
			assert_float_equal(flights[i].gravity, 9.81f, 0.1f);
		}
	}
	assert_int_equal(longCount, expected);
}

static void testRuns(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actRun, rp_paramSpeed, 2.5f, 3.0), perform(rp_actRun, rp_paramSpeed, 4.0f, 3.0)};
	rpRegistration* registration = registerTwo(motions, true);
	assert_true(registration->stageCount > 6);
	rpBlendReport report;
	rpMotion* result = blend(registration, 0.4f, rp_blendAuto, &report);
	float speed = measureSpeed(result);
	assert_int_equal(report.scheme, rp_blendPhysical);
	assert_true(report.flightCount > 3);
	assert_int_equal(report.phaseCount, registration->stageCount);
	assert_true(speed > 2.8f && speed < 3.7f);
	assert_true(measureSlide(result) < 1e-3f);
	assert_true(report.velocityJump < 0.1f);
	checkFlights(result, report.flightCount);
	checkPhaseTimes(registration, 0.4, result);

	// The same at another rate.
	rpBlendDef def = rpDefaultBlendDef();
	const float weights[2] = {0.6f, 0.4f};
	def.weights = weights;
	def.fps = 240.0;
	rpMotion* finer = rpRegistration_Blend(registration, &def, NULL, NULL);
	assert_non_null(finer);
	assert_true(finer->fps == 240.0);
	assert_in_range(finer->frameCount, 2 * result->frameCount - 1, 2 * result->frameCount);
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		assert_true(rpDistance(result->rootPositions[frame], finer->rootPositions[2 * frame]) < 2e-3f);
	}
	rpDestroyMotion(finer);
	rpDestroyMotion(result);
	destroyTwo(motions, registration);
}

/// A jump's registration by its flight: stance, flight, stance.
static void registerJumps(Pair* pair, rpMotion* const motions[2])
{
	double times[2 * 4];
	for (int i = 0; i < 2; ++i)
	{
		rpFlight flight;
		assert_int_equal(rpFindFlights(motions[i], &flight, 1, NULL), 1);
		const double keys[4] = {0.0, flight.start, flight.end, rpMotion_GetDuration(motions[i])};
		memcpy(times + 4 * i, keys, sizeof(keys));
	}
	initPair(pair, motions[0], motions[1], times, 4);
	unsigned feet = 1u << rp_leftHeel | 1u << rp_leftBall | 1u << rp_rightHeel | 1u << rp_rightBall;
	pair->stages[0] = (rpStage){0, 1, feet};
	pair->stages[1] = (rpStage){1, 2, 0};
	pair->stages[2] = (rpStage){2, 3, feet};
	pair->registration.stageCount = 3;
}

// A short jump and a long one: the flight between them lasts as the rule says and is a parabola.
static void testJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							perform(rp_actJump, rp_paramDistance, 1.5f, 0.0)};
	Pair pair;
	registerJumps(&pair, motions);
	for (int i = 0; i <= 4; ++i)
	{
		double weight = 0.25 * i;
		rpBlendReport report;
		rpMotion* result = blend(&pair.registration, (float)weight, rp_blendAuto, &report);
		assert_int_equal(report.scheme, rp_blendPhysical);
		assert_int_equal(report.flightCount, 1);
		checkFlights(result, 1);
		checkPhaseTimes(&pair.registration, weight, result);
		rpFlight flight;
		assert_int_equal(rpFindFlights(result, &flight, 1, NULL), 1);
		double a = pair.times[2] - pair.times[1], b = pair.times[6] - pair.times[5];
		assert_float_equal(flight.end - flight.start, sqrt((1.0 - weight) * a * a + weight * b * b), 2e-3);
		rpVec3 way = rpSub(result->rootPositions[result->frameCount - 1], result->rootPositions[0]);
		assert_float_equal(way.z, 0.5 + weight, 0.08);
		assert_true(report.velocityJump < 0.3f);
		assert_true(measureSlide(result) < 1e-3f);
		assert_true(measureAcceleration(result) <
					1.1f * fmaxf(measureAcceleration(motions[0]), measureAcceleration(motions[1])));
		rpDestroyMotion(result);
	}
	destroyTwo(motions, NULL);
}

// The same with a registration that was found, though one lands on its heels and the other on its balls.
static void testFoundJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							perform(rp_actJump, rp_paramDistance, 1.5f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 2);
	rpBlendReport report;
	rpMotion* result = blend(registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.scheme, rp_blendPhysical);
	checkFlights(result, 1);
	checkPhaseTimes(registration, 0.5, result);
	assert_true(measureSlide(result) < 1e-3f);
	assert_true(report.velocityJump < 0.1f);
	rpDestroyMotion(result);
	destroyTwo(motions, registration);
}

// A jump ahead and one with a turn in the air: half the turn, the centre of mass on a parabola over a straight line.
static void testTurningJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actJump, rp_paramAngle, 0.0f, 0.0),
							perform(rp_actJump, rp_paramAngle, 1.5f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 2);
	rpBlendReport report;
	rpMotion* result = blend(registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.flightCount, 1);
	checkFlights(result, 1);
	float turn = rpHeading(rpMotion_GetRotations(result, result->frameCount - 1)[0]) -
				 rpHeading(rpMotion_GetRotations(result, 0)[0]);
	assert_float_equal(turn, 0.75f, 0.1f);
	assert_true(measureSlide(result) < 1e-3f);
	rpDestroyMotion(result);
	destroyTwo(motions, registration);
}

static rpVec3 getFist(const rpMotion* motion)
{
	double best = 0.0;
	rpVec3 place = rpVec3_zero;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpVec3 hand;
		assert_true(rpMotion_GetEffector(motion, frame, rp_rightHand, &hand));
		double reach = (double)hand.z;
		place = reach > best ? hand : place;
		best = fmax(best, reach);
	}
	return place;
}

// Punches at two heights: the fist reaches its farthest in between.
static void testPunches(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actPunch, rp_paramHeight, 1.2f, 0.0),
							perform(rp_actPunch, rp_paramHeight, 1.6f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	rpVec3 low = getFist(motions[0]), high = getFist(motions[1]);
	for (int i = 1; i < 4; ++i)
	{
		rpMotion* result = blend(registration, 0.25f * (float)i, rp_blendAuto, NULL);
		rpVec3 fist = getFist(result);
		assert_float_equal(fist.y, low.y + 0.25f * (float)i * (high.y - low.y), 0.04f);
		assert_true(measureSlide(result) < 1e-3f);
		rpDestroyMotion(result);
	}
	destroyTwo(motions, registration);
}

// Weights that change from the one to the other: it starts as the one and ends as the other, and nothing pops.
static void testChangingWeights(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actRun, rp_paramSpeed, 2.5f, 3.0), perform(rp_actRun, rp_paramSpeed, 4.0f, 3.0)};
	rpRegistration* registration = registerTwo(motions, true);
	const float weights[] = {1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 3.0f, 0.0f, 1.0f}, keys[] = {0.0f, 0.25f, 0.75f, 1.0f};
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		rpBlendDef def = {weights, keys, 4, (rpBlendScheme)scheme, 120.0};
		rpBlendReport report;
		rpMotion* result = rpRegistration_Blend(registration, &def, &report, NULL);
		assert_non_null(result);
		assert_int_equal(report.scheme, scheme);
		int last = result->frameCount - 1, span = 40;
		float first = rpDistance(result->rootPositions[span], result->rootPositions[0]) * 120.0f / (float)span;
		float final =
			rpDistance(result->rootPositions[last - span], result->rootPositions[last]) * 120.0f / (float)span;
		assert_true(first < 3.0f && final > 3.4f);
		assert_true(measureAcceleration(result) < 1.3f * measureAcceleration(motions[1]));
		if (scheme == rp_blendPhysical)
		{
			checkFlights(result, report.flightCount);
			assert_true(measureSlide(result) < 1e-3f);
		}
		rpDestroyMotion(result);
	}
	destroyTwo(motions, registration);
}

static void testNotes(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actWalk, rp_paramTurn, 0.0f, 4.0), perform(rp_actWalk, rp_paramTurn, 0.6f, 4.0)};
	rpError error = {0};
	assert_true(rpMotion_SetName(motions[0], "straight", &error) && rpMotion_SetName(motions[1], "curve", &error));
	rpRegistration* registration = registerTwo(motions, false);
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		rpMotion* result = blend(registration, 0.25f, (rpBlendScheme)scheme, NULL);
		testCheckAnnotations(result);
		assert_string_equal(result->name, "straight+curve");
		int contacts = rpMotion_GetIntervals(motions[0], rp_trackContact, NULL, 0);
		assert_in_range(rpMotion_GetIntervals(result, rp_trackContact, NULL, 0), contacts - 2, contacts);
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackLabel, NULL, 0),
						 rpMotion_GetIntervals(motions[0], rp_trackLabel, NULL, 0));
		rpInterval sources[64];
		int sourceCount = rpMotion_GetIntervals(result, rp_trackSource, sources, 64);
		assert_in_range(sourceCount, 2, 64);

		// The turn asked for is the mean of those; the centre of mass is where its curve has it.
		const rpCurve* turn = rpAnnotations_FindCurve(&result->annotations, rpParameter_GetKey(rp_paramTurn));
		assert_non_null(turn);
		float value, center[3];
		rpCurve_Sample(turn, 1.0, &value);
		const rpCurve* asked = rpAnnotations_FindCurve(&motions[1]->annotations, rpParameter_GetKey(rp_paramTurn));
		assert_float_equal(value, 0.25f * asked->values[0], 1e-4f);
		rpBody body;
		assert_true(rpWeighSkeleton(result->skeleton, NULL, &body, NULL));
		rpTransform world[RP_MAX_JOINTS];
		rpMotion_Forward(result, 200, world);
		rpVec3 real = rpBody_GetCenter(&body, world);
		rpCurve_Sample(rpAnnotations_FindCurve(&result->annotations, "com"), 200 / result->fps, center);
		assert_true(rpDistance(real, (rpVec3){center[0], center[1], center[2]}) <
					(scheme == rp_blendPhysical ? 1e-3f : 0.03f));
		rpDestroyMotion(result);
	}
	destroyTwo(motions, registration);
}

// ---- what goes wrong

static void checkRefusal(const rpRegistration* registration, const rpBlendDef* def, const char* part)
{
	rpError error = {0};
	assert_null(rpRegistration_Blend(registration, def, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	if (strstr(error.message, part) == NULL)
	{
		print_error("%s\n", error.message);
	}
	assert_non_null(strstr(error.message, part));
	assert_null(rpRegistration_Blend(registration, def, NULL, NULL));
}

static void testRefusals(void** state)
{
	(void)state;
	rpSkeleton *skeleton = testMakePuppet(false), *twisted = testMakePuppet(true);
	rpMotion *a = makeGlider(skeleton, 1.0, 1.0f, 0.0f), *b = makeGlider(skeleton, 1.0, 1.0f, 0.0f);
	rpMotion* other = makeGlider(twisted, 1.0, 1.0f, 0.0f);
	Pair pair;
	glide(&pair, a, b);
	const float negative[] = {1.0f, -0.5f}, zeros[] = {0.0f, 0.0f}, some[] = {1.0f, 2.0f, 1.0f, 2.0f};
	const float falling[] = {0.5f, 0.2f}, wide[] = {0.0f, 1.5f}, nan[] = {NAN, 1.0f};
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = negative}, "negative");
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = nan}, "negative");
	checkRefusal(&pair.registration, &(rpBlendDef){.weights = zeros}, "all weights are 0");
	checkRefusal(&pair.registration, &(rpBlendDef){some, falling, 2, rp_blendAuto, 0.0}, "increase");
	checkRefusal(&pair.registration, &(rpBlendDef){some, wide, 2, rp_blendAuto, 0.0}, "increase");
	checkRefusal(&pair.registration, &(rpBlendDef){.weightKeys = wide, .weightKeyCount = 2}, "weights");
	checkRefusal(&pair.registration, &(rpBlendDef){.fps = -1.0}, "rate");
	double kept = pair.times[3];
	pair.times[3] = pair.times[2];
	checkRefusal(&pair.registration, NULL, "increase");
	pair.times[3] = kept;
	b->rotations[5].y = NAN;
	checkRefusal(&pair.registration, NULL, "finite");
	pair.motions[1] = other;
	checkRefusal(&pair.registration, NULL, "");
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(other);
	rpReleaseSkeleton(skeleton);
	rpReleaseSkeleton(twisted);
}

static void failEach(const rpRegistration* registration, rpBlendScheme scheme)
{
	int blocks = testCountLiveBlocks();
	rpBlendDef def = rpDefaultBlendDef();
	def.scheme = scheme;
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* result = rpRegistration_Blend(registration, &def, NULL, &error);
		testFailAllocation(-1);
		if (result != NULL)
		{
			assert_true(n > 20);
			rpDestroyMotion(result);
			assert_int_equal(testCountLiveBlocks(), blocks);
			return;
		}
		assert_int_equal(error.code, rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motions[2] = {perform(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							perform(rp_actJump, rp_paramDistance, 1.0f, 0.0)};
	Pair pair;
	registerJumps(&pair, motions);
	failEach(&pair.registration, rp_blendPlain);
	failEach(&pair.registration, rp_blendPhysical);
	destroyTwo(motions, NULL);
	assert_int_equal(testCountLiveBlocks(), 0);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLines),     cmocka_unit_test(testCircles),         cmocka_unit_test(testRotations),
		cmocka_unit_test(testOriginals), cmocka_unit_test(testWalks),           cmocka_unit_test(testRuns),
		cmocka_unit_test(testJumps),     cmocka_unit_test(testFoundJumps),      cmocka_unit_test(testTurningJumps),
		cmocka_unit_test(testPunches),   cmocka_unit_test(testChangingWeights), cmocka_unit_test(testNotes),
		cmocka_unit_test(testRefusals),  cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
