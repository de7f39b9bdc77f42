#include "blend_scene.h"

#include "performance.h"

#include "reprise/analysis.h"

#include <string.h>

// times is [2 * keyCount]; transforms are those that take root onto root.
void testInitPair(TestPair* pair, const rpMotion* a, const rpMotion* b, const double* times, int keyCount)
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
		rpGroundTransform onA = rpMotion_GetGround(a, rpMotion_GetFrame(a, times[key]));
		rpGroundTransform onB = rpMotion_GetGround(b, rpMotion_GetFrame(b, times[keyCount + key]));
		rpGroundTransform ground = rpGroundTransform_Compose(onA, rpGroundTransform_Invert(onB));
		turn += (double)rpWrapAngle(ground.turn - (float)turn);
		ground.turn = (float)turn;
		pair->grounds[key] = rpGroundTransform_identity;
		pair->grounds[keyCount + key] = ground;
	}
}

// A jump's registration by its flight: stance, flight, stance.
void testRegisterJumps(TestPair* pair, rpMotion* const motions[2])
{
	double times[2 * 4];
	for (int i = 0; i < 2; ++i)
	{
		rpFlight flight;
		assert_int_equal(rpFindFlights(motions[i], &flight, 1, NULL), 1);
		const double keys[4] = {0.0, flight.start, flight.end, rpMotion_GetDuration(motions[i])};
		memcpy(times + 4 * i, keys, sizeof(keys));
	}
	testInitPair(pair, motions[0], motions[1], times, 4);
	unsigned feet = 1u << rp_leftHeel | 1u << rp_leftBall | 1u << rp_rightHeel | 1u << rp_rightBall;
	pair->stages[0] = (rpStage){0, 1, feet};
	pair->stages[1] = (rpStage){1, 2, 0};
	pair->stages[2] = (rpStage){2, 3, feet};
	pair->registration.stageCount = 3;
}

rpMotion* testBlendTwo(const rpRegistration* registration, float weight, rpBlendScheme scheme, rpBlendReport* report)
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

rpMotion* testPerformOne(rpAct act, rpParameter parameter, float value, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 120.0;
	def.seconds = seconds;
	def.parameters[parameter] = value;
	return testPerform(&def);
}

void testDestroyTwo(rpMotion* const motions[2], rpRegistration* registration)
{
	rpDestroyRegistration(registration);
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

// The distance that a resting heel or ball moves, the worst of all contacts, metres.
float testMeasureSlide(const rpMotion* motion)
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
float testMeasureAcceleration(const rpMotion* motion)
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

// With all weight on one motion, that motion comes back where the registration puts its first frame.
void testCheckOriginal(const rpRegistration* registration, int motion, rpBlendScheme scheme)
{
	const rpMotion* original = registration->motions[motion];
	float weights[3] = {0.0f, 0.0f, 0.0f};
	weights[motion] = 1.0f;
	rpBlendDef def = rpDefaultBlendDef();
	def.weights = weights;
	def.scheme = scheme;
	rpMotion* result = rpRegistration_Blend(registration, &def, NULL, NULL);
	assert_non_null(result);
	rpGroundTransform ground = registration->grounds[motion * registration->keyCount];
	double start = registration->times[motion * registration->keyCount];
	double end = registration->times[motion * registration->keyCount + registration->keyCount - 1];
	assert_int_equal(result->frameCount, (int)floor((end - start) * result->fps + 1e-3) + 1);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		rpMotion_Sample(original, start + frame / result->fps, &pose);
		rotations[0] = rpMulQuat(rpYaw(ground.turn), rotations[0]);
		rpVec3 root = rpGroundTransform_Apply(ground, pose.rootPosition);
		assert_true(rpDistance(root, result->rootPositions[frame]) < 1e-5f);
		for (int i = 0; i < result->skeleton->jointCount; ++i)
		{
			assert_true(rpAngleBetween(rotations[i], rpMotion_GetRotations(result, frame)[i]) < 1e-6f);
		}
	}
	rpDestroyMotion(result);
}
