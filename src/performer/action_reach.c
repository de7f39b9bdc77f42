/// Reaching, picking up and ducking: the weight goes where it must, knees, hips and back bend as far as the target
/// needs.
#include "performer/score.h"

#define SETTLED_BY 0.35
#define THERE 1.25
#define LEAVES 1.6
#define BACK_BY 2.7
#define PICK_UP_LENGTH 3.6
#define REACH_LENGTH 3.2
#define ARM_STRETCH 0.97f
// The part of the effort that is the shoulder's.
#define SHOULDER_PART 0.25f
// The head's top above its joint.
#define HEAD_TOP 0.17f

// Bending down by knees, hips and back, u from 0 to 1, from SETTLED_BY to `there`, and up again after `leaves`; and how
// far the body goes along when someone reaches ahead, 0 to 1.
static void writeStoop(rpScore* score, float u, float along, double there, double leaves, double back)
{
	// Low things are reached with the knees, high ones hardly.
	float knees = -0.44f * u * u, lean = 0.75f * u + 0.045f * along, bend = 0.75f * u + 0.04f * along;
	float ahead = fmaxf(0.06f * fminf(3.0f * u, 1.0f), 0.03f * along);
	rpScore_Shape(score, rp_channelY, knees, {0.2, 0}, {there, 1.0f}, {leaves, 1.0f}, {back, 0});
	rpScore_Shape(score, rp_channelLean, lean, {0.2, 0}, {there, 1.0f}, {leaves, 1.0f}, {back, 0});
	rpScore_Shape(score, rp_channelTrunkBend, bend, {0.2, 0}, {there, 1.0f}, {leaves, 1.0f}, {back, 0});
	rpScore_Shape(score, rp_channelHeadNod, u, {0.2, 0}, {there, -0.45f}, {leaves, -0.45f}, {back, 0});
	rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {SETTLED_BY, -0.01f}, {there, ahead}, {leaves, ahead}, {back, 0});
	rpScore_Shape(score, rp_channelKneeOut, u, {0.2, 0}, {there, 0.12f}, {leaves, 0.12f}, {back, 0});
}

static rpVec3 getTarget(const rpPerformance* performance)
{
	return (rpVec3){performance->parameters[rp_paramSide], performance->parameters[rp_paramHeight],
					performance->parameters[rp_paramReach]};
}

// Where the eyes go: down or up to the target.
static void writeLook(rpScore* score, rpVec3 target, double there, double leaves, double back)
{
	float down = atan2f(1.6f - target.y, target.z + 0.2f) * 0.4f, aside = 0.6f * atan2f(target.x, target.z);
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {0.05, 0}, {0.6, down}, {there, down}, {leaves, down}, {back, 0});
	rpScore_Shape(score, rp_channelHeadTurn, 1.0f, {0.05, 0}, {0.6, aside}, {leaves, aside}, {back, 0});
}

// What follows the reaching right arm: the weight goes away from it, then under it, that hip drops and the trunk tilts
// to it.
static void writeFollow(rpScore* score, float along)
{
	rpScore_Shape(score, rp_channelX, 1.0f, {0.05, 0}, {SETTLED_BY, 0.02f}, {THERE, -0.05f}, {LEAVES, -0.05f},
				  {BACK_BY, 0});
	rpScore_Shape(score, rp_channelPelvisRoll, 1.0f, {0.15, 0}, {THERE, -0.045f}, {LEAVES, -0.045f}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelTrunkSide, along, {0.25, 0}, {THERE, -0.05f}, {LEAVES, -0.05f}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelRightArm + rp_armShrug, along, {0.3, 0}, {THERE, 0.08f}, {LEAVES, 0.08f},
				  {BACK_BY, 0});
}

static void writeReach(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	rpVec3 target = getTarget(performance);
	// At first the shoulder goes for it, then knees and back.
	float turn = fminf(score->efforts[0] / SHOULDER_PART, 1.0f);
	// The trunk goes along with the arm, the more the farther it reaches.
	float along = fminf(fmaxf((target.z - 0.3f) / 0.4f, 0.0f), 1.0f), twist = 0.1f * along + 0.42f * turn - 0.04f;
	float u = fmaxf(score->efforts[0] - SHOULDER_PART, 0.0f) / (1.0f - SHOULDER_PART);
	bool left = performance->parameters[rp_paramHand] < 0.5f;
	target.x *= left ? -1.0f : 1.0f;
	score->repeats = true;
	score->period = REACH_LENGTH;
	rpScore_AddStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
	writeStoop(score, u, along, THERE, LEAVES, BACK_BY);
	if (u < 0.02f)
	{
		score->keyCount[rp_channelHeadNod] = 0;
		writeLook(score, target, THERE, LEAVES, BACK_BY);
	}
	writeFollow(score, along);
	rpScore_Shape(score, rp_channelTrunkTurn, 1.0f, {0.15, 0}, {THERE, twist + 0.4f * target.x},
				  {LEAVES, twist + 0.4f * target.x}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelPelvisTurn, 1.0f, {0.15, 0}, {THERE, 0.06f * along + 0.12f * turn},
				  {LEAVES, 0.06f * along + 0.12f * turn}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelRightArm + rp_armElbow, 1.0f, {0.3, 0}, {0.75, 0.8f}, {2.0, 0.5f}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelLeftArm + rp_armSwing, 1.0f, {0.3, 0}, {THERE, -0.2f - 0.1f * u},
				  {LEAVES, -0.2f - 0.1f * u}, {BACK_BY, 0});
	rpScore_Shape(score, rp_channelLeftArm + rp_armElbow, along, {0.3, 0}, {THERE, 0.25f}, {LEAVES, 0.25f},
				  {BACK_BY, 0});
	score->grasps[1] = (rpGrasp){.start = 0.3,
								 .arrive = THERE,
								 .leave = LEAVES,
								 .end = BACK_BY - 0.05,
								 .target = target,
								 .elbowDirection = {-0.6f, -1.0f, -0.2f}};
	rpScore_AddStand(score, -INFINITY, INFINITY);
	rpScore_AddEvent(score, "touch", THERE);
	if (left)
	{
		rpScore_Mirror(score);
	}
}

static float measureReach(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	rpScore_Settle(score, performance, THERE, &plan, world);
	float max = 0.0f;
	for (int side = 0; side < 2; ++side)
	{
		const rpGrasp* grasp = score->grasps + side;
		max = grasp->arrive > 0.0 ? fmaxf(max, rpGetArmStretch(world, side, grasp)) : max;
	}
	return max;
}

static bool prepareReach(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeReach, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeReach, measureReach, ARM_STRETCH);
	return rpPerformance_PlayScore(performance, error);
}

// The thing is 24 cm wide; both hands take it, and it ends before the belly.
static void writePickUp(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	rpVec3 target = getTarget(performance);
	float u = score->efforts[0];
	score->period = PICK_UP_LENGTH;
	rpScore_AddStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
	writeStoop(score, u, 0.0f, THERE, LEAVES, BACK_BY);
	if (u < 0.02f)
	{
		score->keyCount[rp_channelHeadNod] = 0;
		writeLook(score, target, THERE, LEAVES, BACK_BY);
	}
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {0.3, 0}, {0.75, 0.7f}, {THERE, 0.5f});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {0.3, 0}, {THERE, 0.4f});
	for (int side = 0; side < 2; ++side)
	{
		rpVec3 half = {SIDE(side) * 0.12f, 0.0f, 0.0f};
		score->grasps[side] = (rpGrasp){.start = 0.3,
										.arrive = THERE,
										.leave = LEAVES,
										.end = 1e9,
										.target = rpAdd(target, half),
										.elbowDirection = {SIDE(side) * 0.8f, -1.0f, -0.3f},
										.shortOf = 0.5f,
										.carrying = BACK_BY - LEAVES + 0.1,
										.carried = rpAdd((rpVec3){0.0f, 1.06f, 0.36f}, half)};
	}
	rpScore_AddStand(score, -INFINITY, INFINITY);
	rpScore_AddEvent(score, "grasp", THERE);
}

static bool preparePickUp(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writePickUp, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writePickUp, measureReach, ARM_STRETCH);
	// Putting down is picking up, shown backwards.
	bool down = performance->row->act == rp_actPutDown;
	return down ? rpPerformance_StandAtEase(performance, -INFINITY, INFINITY, error) &&
					  rpPerformance_AddEvent(performance, "release", PICK_UP_LENGTH - THERE, error)
				: rpPerformance_PlayScore(performance, error);
}

static void planPutDown(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanStand(performance, t, plan);
	rpScore_Plan(performance->state, performance, PICK_UP_LENGTH - t, plan);
}

#define DOWN_BY 1.1
#define UP_FROM 1.6
#define DUCKED 2.6
#define DUCK_LENGTH 3.0

static void writeDuck(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	float u = score->efforts[0];
	score->repeats = true;
	score->period = DUCK_LENGTH;
	rpScore_AddStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
	rpScore_Shape(score, rp_channelY, u, {0.3, 0}, {DOWN_BY, -0.5f}, {UP_FROM, -0.5f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelLean, u, {0.3, 0}, {DOWN_BY, 0.6f}, {UP_FROM, 0.6f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelTrunkBend, u, {0.25, 0}, {DOWN_BY - 0.05, 0.75f}, {UP_FROM, 0.75f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelHeadNod, u, {0.2, 0}, {DOWN_BY - 0.1, -0.1f}, {UP_FROM, -0.1f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelZ, u, {0.1, 0}, {0.4, -0.02f}, {DOWN_BY, 0.05f}, {UP_FROM, 0.05f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelKneeOut, u, {0.3, 0}, {DOWN_BY, 0.15f}, {UP_FROM, 0.15f}, {DUCKED, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 0.5f + 0.5f * u, {0.25, 0}, {DOWN_BY, 1.3f}, {UP_FROM, 1.3f},
				  {DUCKED, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 0.5f + 0.5f * u, {0.25, 0}, {DOWN_BY, 1.95f}, {UP_FROM, 1.95f},
				  {DUCKED, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, u, {0.25, 0}, {DOWN_BY, 0.25f}, {UP_FROM, 0.25f}, {DUCKED, 0});
	rpScore_AddStand(score, -INFINITY, INFINITY);
	rpScore_AddEvent(score, "under", 0.5 * (DOWN_BY + UP_FROM));
}

static float measureDuck(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	float highest = 0.0f;
	// A breath rises and falls within the stretch.
	for (int i = 0; i < 4; ++i)
	{
		rpScore_Settle(score, performance, DOWN_BY + (UP_FROM - DOWN_BY) * i / 3.0, &plan, world);
		highest = fmaxf(highest, rpTransformPoint(world[rp_head], (rpVec3){0.0f, HEAD_TOP, 0.0f}).y);
		highest = fmaxf(highest, world[rp_head].p.y + 0.1f);
	}
	return highest - performance->parameters[rp_paramHeight];
}

static bool prepareDuck(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeDuck, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeDuck, measureDuck, -0.04f);
	return rpPerformance_PlayScore(performance, error);
}

#define REACHES                                                                      \
	{                                                                                \
		[rp_paramHand] = {0.0f, 1.0f, 1.0f}, [rp_paramHeight] = {0.3f, 1.45f, 1.6f}, \
		[rp_paramReach] = {0.3f, 0.68f, 0.7f}, [rp_paramSide] = {                    \
			-0.3f,                                                                   \
			-0.1f,                                                                   \
			0.2f                                                                     \
		}                                                                            \
	}

#define THINGS                                                                                          \
	{                                                                                                   \
		[rp_paramHeight] = {0.3f, 0.3f, 1.6f}, [rp_paramReach] = {0.3f, 0.4f, 0.7f}, [rp_paramSide] = { \
			-0.1f,                                                                                      \
			0.0f,                                                                                       \
			0.1f                                                                                        \
		}                                                                                               \
	}

const rpActRow rp_reachRows[] = {
	{.act = rp_actReach,
	 .seconds = REACH_LENGTH,
	 .ranges = REACHES,
	 .prepare = prepareReach,
	 .plan = rpPerformance_PlanScore},
	{
		.act = rp_actPickUp,
		.seconds = PICK_UP_LENGTH,
		.ranges = THINGS,
		.prepare = preparePickUp,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actPutDown,
		.seconds = PICK_UP_LENGTH,
		.ranges = THINGS,
		.prepare = preparePickUp,
		.plan = planPutDown,
	},
	{
		.act = rp_actDuck,
		.seconds = DUCK_LENGTH,
		.ranges = {[rp_paramHeight] = {1.0f, 1.2f, 1.55f}},
		.prepare = prepareDuck,
		.plan = rpPerformance_PlanScore,
	},
	{.act = rp_actCount},
};
