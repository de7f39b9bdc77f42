/// Punches and kicks: the weight goes on the foot that stays, the body winds up, and fist or foot is at its target when
/// the event "hit" says so.
#include "performer/score.h"

// Times of a punch, seconds: the step into the guard, the wind-up, the hit, the guard again, the step back.
#define STEP_IN 0.45
#define STOOD_IN 0.85
#define WOUND_UP 1.08
#define PUNCH_HIT 1.41
#define PUNCH_BACK 1.9
#define STEP_BACK 2.3
#define STOOD_BACK 2.7
#define PUNCH_DONE 3.15
#define PUNCH_LENGTH 3.4
// How far the arm is stretched at the hit.
#define PUNCH_STRETCH 0.975f
// How far the foot before the fist steps forwards.
#define GUARD_STEP 0.36f

static void writeGuardFeet(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0}, ahead = {{0.03f, 0.0f, GUARD_STEP}, -0.1f};
	rpStance* leave = rpScore_AddStance(score, performance, 0, -INFINITY, STEP_IN, here);
	leave->lift = STEP_IN - 0.15;
	leave->liftPitch = 0.16f;
	rpStance* guard = rpScore_AddStance(score, performance, 0, STOOD_IN, STEP_BACK, ahead);
	guard->strikePitch = -0.15f;
	guard->flat = STOOD_IN + 0.1;
	guard->lift = STEP_BACK - 0.12;
	guard->liftPitch = 0.12f;
	rpScore_AddStance(score, performance, 0, STOOD_BACK, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
}

// Both fists before the chin, elbows down; from and until.
static void writeGuard(rpScore* score, double from, double up, double until, double down)
{
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {from, 0}, {up, 0.75f}, {until, 0.75f}, {down, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {from, 0}, {up, 1.85f}, {until, 1.85f}, {down, 0});
	rpScore_Shape(score, rp_channelArms + rp_armTwist, 1.0f, {from, 0}, {up, 0.4f}, {until, 0.4f}, {down, 0});
}

// The weight: over the foot that stays, forwards into the punch, back again.
static void writePunchWeight(rpScore* score, float u)
{
	rpScore_Shape(score, rp_channelX, 1.0f, {0.05, 0}, {STEP_IN, -0.095f}, {STOOD_IN, -0.085f}, {WOUND_UP, -0.05f},
				  {PUNCH_HIT, 0.0f}, {PUNCH_BACK, -0.03f}, {STEP_BACK - 0.02, -0.09f}, {STOOD_BACK, -0.085f},
				  {PUNCH_DONE, 0});
	rpScore_Shape(score, rp_channelZ, 1.0f, {0.05, 0}, {STEP_IN, 0.01f}, {STOOD_IN, 0.04f}, {WOUND_UP, 0.08f},
				  {PUNCH_HIT, 0.11f + 0.14f * u}, {PUNCH_BACK, 0.1f}, {STEP_BACK - 0.02, 0.015f}, {STOOD_BACK, 0},
				  {PUNCH_DONE, 0});
	rpScore_Shape(score, rp_channelY, 1.0f, {0.1, 0}, {STEP_IN, -0.03f}, {STOOD_IN - 0.08, -0.08f}, {WOUND_UP, -0.07f},
				  {PUNCH_HIT, -0.06f - 0.1f * u}, {STEP_BACK, -0.07f}, {STOOD_BACK - 0.05, -0.035f}, {PUNCH_DONE, 0});
}

// The trunk: turned to the side of the fist, wound up, and turned into the punch as far as it takes to reach.
static void writePunchTrunk(rpScore* score, float u)
{
	rpScore_Shape(score, rp_channelPelvisTurn, 1.0f, {0.2, 0}, {STOOD_IN, -0.35f}, {WOUND_UP, -0.42f},
				  {PUNCH_HIT - 0.02, 0.4f * u}, {PUNCH_BACK, -0.3f}, {STEP_BACK, -0.3f}, {PUNCH_DONE - 0.2, 0});
	rpScore_Shape(score, rp_channelTrunkTurn, 1.0f, {0.2, 0}, {STOOD_IN, -0.5f}, {WOUND_UP, -0.65f},
				  {PUNCH_HIT, -0.05f + 1.0f * u}, {PUNCH_BACK, -0.4f}, {STEP_BACK, -0.4f}, {PUNCH_DONE - 0.2, 0});
	rpScore_Shape(score, rp_channelLean, 1.0f, {0.2, 0}, {STOOD_IN, 0.06f}, {PUNCH_HIT, 0.08f + 0.38f * u * u},
				  {PUNCH_BACK, 0.08f}, {PUNCH_DONE - 0.2, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {0.2, 0}, {STOOD_IN, 0.12f}, {PUNCH_HIT, 0.08f + 0.5f * u * u},
				  {PUNCH_BACK, 0.12f}, {PUNCH_DONE - 0.2, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {0.2, 0}, {STOOD_IN, 0.05f}, {PUNCH_HIT, -0.03f - 0.5f * u * u},
				  {PUNCH_BACK, 0.05f}, {PUNCH_DONE - 0.2, 0});
}

static bool isLeftHanded(const rpPerformance* performance)
{
	return performance->parameters[rp_paramHand] < 0.5f;
}

// Written for the right fist.
static void writePunch(const rpPerformance* performance, rpScore* score)
{
	bool left = isLeftHanded(performance);
	score->repeats = true;
	score->period = PUNCH_LENGTH;
	writeGuardFeet(performance, score);
	writeGuard(score, 0.15, STOOD_IN, STEP_BACK - 0.1, STOOD_BACK + 0.2);
	writePunchWeight(score, score->efforts[0]);
	writePunchTrunk(score, score->efforts[0]);
	// The right arm draws back, then goes for the target.
	rpScore_Shape(score, rp_channelRightArm + rp_armSwing, 1.0f, {STOOD_IN, 0}, {WOUND_UP, -0.55f}, {PUNCH_BACK, 0});
	rpScore_Shape(score, rp_channelRightArm + rp_armElbow, 1.0f, {STOOD_IN, 0}, {WOUND_UP, 0.2f}, {PUNCH_BACK, 0});
	rpVec3 target = {performance->parameters[rp_paramSide] * (left ? -1.0f : 1.0f),
					 performance->parameters[rp_paramHeight], performance->parameters[rp_paramReach]};
	score->grasps[1] = (rpGrasp){.start = WOUND_UP - 0.03,
								 .arrive = PUNCH_HIT,
								 .leave = PUNCH_HIT + 0.03,
								 .end = PUNCH_BACK,
								 .target = target,
								 .elbowDirection = {-0.5f, -1.0f, -0.2f},
								 .shortOf = 0.5f};
	rpScore_AddStand(score, -INFINITY, 0.05);
	rpScore_AddStand(score, PUNCH_DONE, INFINITY);
	rpScore_AddEvent(score, "hit", PUNCH_HIT);
	if (left)
	{
		rpScore_Mirror(score);
	}
}

static float measurePunch(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	int side = isLeftHanded(performance) ? 0 : 1;
	rpScore_Settle(score, performance, PUNCH_HIT, &plan, world);
	return rpGetArmStretch(world, side, score->grasps + side);
}

static bool preparePunch(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writePunch, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writePunch, measurePunch, PUNCH_STRETCH);
	return rpPerformance_PlayScore(performance, error);
}

// Times of a kick: the weight is over the foot that stays, the knee is up, the hit, the knee again, the foot is down.
#define KICK_OFF 0.65
#define KICK_KNEE 0.92
#define KICK_HIT 1.21
#define KICK_BACK 1.52
#define KICK_DOWN 1.93
#define KICK_STRETCH 0.982f

// The kicking foot whose ball is at the target.
static rpFootPlan getHit(const rpPerformance* performance)
{
	rpVec3 target = {performance->parameters[rp_paramSide], performance->parameters[rp_paramHeight],
					 performance->parameters[rp_paramReach]};
	// A low kick is with the toes down, a high one with the ball of the foot.
	float pitch = 0.12f - 0.75f * (performance->parameters[rp_paramHeight] - 0.3f);
	return (rpFootPlan){.ankle = rpPlaceAnkle(target, BALL_OFFSET, 0.0f, pitch), .pitch = pitch};
}

static void writeKickFeet(const rpPerformance* performance, int side, rpScore* score)
{
	rpFrame here = {0};
	float height = performance->parameters[rp_paramHeight], x = SIDE(side);
	rpScore_AddStance(score, performance, 1 - side, -INFINITY, INFINITY, here);
	rpStance* leave = rpScore_AddStance(score, performance, side, -INFINITY, KICK_OFF, here);
	leave->lift = KICK_OFF - 0.2;
	leave->liftPitch = 0.5f;
	rpStance* meet = rpScore_AddStance(score, performance, side, KICK_DOWN, INFINITY, here);
	meet->strikePitch = 0.2f;
	meet->flat = KICK_DOWN + 0.15;
	rpSwing* swing = score->swings[side];
	rpFootPlan hit = getHit(performance);
	float knee = 0.24f + 0.22f * height;
	rpFootPlan up = {.ankle = {0.09f * x, knee, -0.12f + 0.12f * height}, .pitch = 0.75f};
	rpFootPlan back = {.ankle = {0.09f * x, knee - 0.03f, 0.05f}, .pitch = 0.5f};
	swing->points[0].t = KICK_KNEE;
	swing->points[0].foot = up;
	swing->points[1].t = KICK_HIT;
	swing->points[1].foot = hit;
	swing->points[2].t = KICK_BACK;
	swing->points[2].foot = back;
	swing->pointCount = 3;
}

static void writeKick(const rpPerformance* performance, rpScore* score)
{
	int side = performance->parameters[rp_paramFoot] > 0.5f ? 1 : 0;
	float u = score->efforts[0], x = SIDE(side);
	// A high target nearby takes more room.
	float back = 0.5f * fmaxf(performance->parameters[rp_paramHeight] - performance->parameters[rp_paramReach], 0.0f);
	score->repeats = true;
	score->period = 3.0;
	writeKickFeet(performance, side, score);
	rpScore_Shape(score, rp_channelX, -x, {0.1, 0}, {KICK_OFF - 0.08, 0.098f}, {KICK_DOWN, 0.098f}, {2.6, 0});
	rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {KICK_OFF, 0.015f}, {KICK_HIT, 0.02f + 0.08f * u},
				  {KICK_DOWN, 0.01f}, {2.6, 0});
	rpScore_Shape(score, rp_channelY, 1.0f, {0.1, 0}, {KICK_OFF, -0.03f}, {KICK_HIT, -0.015f},
				  {KICK_DOWN + 0.05, -0.035f}, {2.6, 0});
	rpScore_Shape(score, rp_channelLean, 1.0f, {0.2, 0}, {KICK_OFF, 0.08f}, {KICK_KNEE, 0.02f},
				  {KICK_HIT, -0.04f - back - 0.5f * u}, {KICK_BACK, 0.0f}, {KICK_DOWN, 0.08f}, {2.6, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {0.2, 0}, {KICK_OFF, 0.06f}, {KICK_HIT, 0.12f + 0.3f * u},
				  {KICK_DOWN, 0.08f}, {2.6, 0});
	rpScore_Shape(score, rp_channelPelvisTurn, x, {0.2, 0}, {KICK_OFF, 0.12f}, {KICK_HIT, -0.3f}, {KICK_DOWN, 0.03f},
				  {2.6, 0});
	rpScore_Shape(score, rp_channelTrunkTurn, x, {0.2, 0}, {KICK_OFF, -0.1f}, {KICK_HIT, 0.3f}, {KICK_DOWN, 0},
				  {2.6, 0});
	rpScore_Shape(score, rp_channelTrunkSide, -x, {0.2, 0}, {KICK_OFF, 0.03f}, {KICK_HIT, 0.08f}, {KICK_DOWN, 0.02f},
				  {2.6, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {0.2, 0}, {KICK_OFF, 0.1f}, {KICK_HIT, 0.15f + 0.15f * u},
				  {KICK_DOWN, 0.1f}, {2.6, 0});
	// Fists up for balance, and the arm of the kicking side swings back against the leg.
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {0.2, 0}, {KICK_OFF, 0.55f}, {KICK_DOWN, 0.5f}, {2.6, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {0.2, 0}, {KICK_OFF, 1.55f}, {KICK_HIT, 1.2f},
				  {KICK_DOWN, 1.3f}, {2.6, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {0.2, 0}, {KICK_OFF, 0.15f}, {KICK_HIT, 0.35f},
				  {KICK_DOWN, 0.2f}, {2.6, 0});
	int own = side == 0 ? rp_channelLeftArm : rp_channelRightArm;
	rpScore_Shape(score, own + rp_armSwing, 1.0f, {KICK_OFF, 0}, {KICK_HIT, -0.9f}, {KICK_DOWN, 0});
	rpScore_AddStand(score, -INFINITY, 0.1);
	rpScore_AddStand(score, 2.6, INFINITY);
	rpScore_AddEvent(score, "hit", KICK_HIT);
}

static float measureKick(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	rpScore_Settle(score, performance, KICK_HIT, &plan, world);
	return rpBodyPlan_GetStretch(&plan, performance->parameters[rp_paramFoot] > 0.5f ? 1 : 0);
}

static bool prepareKick(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeKick, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeKick, measureKick, KICK_STRETCH);
	return rpPerformance_PlayScore(performance, error);
}

const rpActRow rp_strikeRows[] = {
	{
		.act = rp_actPunch,
		.seconds = PUNCH_LENGTH,
		.ranges = {[rp_paramHand] = {0.0f, 1.0f, 1.0f},
				   [rp_paramHeight] = {1.1f, 1.42f, 1.6f},
				   [rp_paramReach] = {0.6f, 0.84f, 0.86f},
				   [rp_paramSide] = {-0.12f, 0.0f, 0.12f}},
		.prepare = preparePunch,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actKick,
		.seconds = 3.0,
		.ranges = {[rp_paramFoot] = {0.0f, 1.0f, 1.0f},
				   [rp_paramHeight] = {0.4f, 0.8f, 0.9f},
				   [rp_paramReach] = {0.74f, 1.0f, 1.0f},
				   [rp_paramSide] = {-0.06f, 0.0f, 0.06f}},
		.prepare = prepareKick,
		.plan = rpPerformance_PlanScore,
	},
	{.act = rp_actCount},
};
