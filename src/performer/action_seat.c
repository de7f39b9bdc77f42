/// Sitting down on a seat behind, and rising from it: the trunk leans forwards so that the centre of mass stays over
/// the feet until the seat takes over, and the reverse.
#include "performer/score.h"

#define LEAN_FROM 0.2
#define SITS 1.5
#define SAT_UP 2.2
#define SIT_LENGTH 3.0
// How far back of standing the centre of mass goes before the seat takes over, metres: to the heels.
#define CENTER_BACK -0.07f
// From the seat to the pelvis when both are upright.
#define SEAT_TO_PELVIS (HIP_DROP + 0.05f * PERFORMER_HEIGHT)
// When the hands leave the hang for the thighs, and lie on them; where on the thigh, from the hip; how thick it is.
#define HANDS_FROM 1.15
#define HANDS_ON 2.1
#define HANDS_ALONG 0.86f
#define THIGH_TOP 0.075f

// Rising is sitting down, shown backwards.
static bool isRising(const rpPerformance* performance)
{
	return performance->row->act == rp_actRise;
}

static void writeSeat(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	float height = performance->parameters[rp_paramHeight], deep = (0.6f - height) / 0.3f;
	float drop = height + SEAT_TO_PELVIS - 0.9585f;
	score->period = SIT_LENGTH;
	rpScore_AddStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
	rpScore_Shape(score, rp_channelY, drop, {LEAN_FROM + 0.1, 0}, {SITS, 1.0f});
	rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {0.6, 0.02f}, {SITS, CENTER_BACK});
	// Hips first, the back only a little.
	rpScore_Shape(score, rp_channelLean, 1.0f, {LEAN_FROM, 0}, {SITS - 0.12, 0.52f + 0.03f * deep}, {SAT_UP, 0.02f});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {LEAN_FROM, 0}, {SITS - 0.15, 0.24f + 0.12f * deep},
				  {SAT_UP + 0.1, 0.1f});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {LEAN_FROM, 0}, {0.6, 0.12f}, {SITS, -0.2f}, {SAT_UP + 0.2, 0.0f});
	rpScore_Shape(score, rp_channelKneeOut, 1.0f, {LEAN_FROM, 0}, {SITS, 0.05f});
	// The arms go forwards for balance, then the hands are laid on the thighs.
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {LEAN_FROM, 0}, {1.1, 0.9f}, {SAT_UP, 0.45f});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {LEAN_FROM, 0}, {1.1, 0.5f}, {SAT_UP, 0.9f});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {LEAN_FROM, 0}, {1.05, 0.06f}, {SAT_UP, 0.05f});
	score->sits = SITS;
	score->rises = 1e9;
	rpScore_AddStand(score, -INFINITY, LEAN_FROM);
	rpScore_AddEvent(score, "seated", SITS);
}

// Where the hands of a seated person lie.
static void writeHands(const rpPerformance* performance, rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	rpScore_Settle(score, performance, SIT_LENGTH, &plan, world);
	for (int side = 0; side < 2; ++side)
	{
		int thigh = side == 0 ? rp_leftUpLeg : rp_rightUpLeg;
		rpVec3 place = rpLerp(world[thigh].p, world[thigh + 1].p, HANDS_ALONG);
		place = rpAdd(place, (rpVec3){SIDE(side) * 0.01f, THIGH_TOP, 0.0f});
		score->grasps[side] = (rpGrasp){.start = HANDS_FROM,
										.arrive = HANDS_ON,
										.leave = 1e9,
										.end = 2e9,
										.target = place,
										.elbowDirection = {SIDE(side) * 0.9f, -0.8f, -0.5f},
										.shortOf = 0.35f};
	}
}

static bool prepareSeat(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeSeat, error);
	if (score == NULL)
	{
		return false;
	}
	// The seat is where one comes down: settle the body there without a seat.
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	score->sits = score->rises;
	rpScore_Settle(score, performance, SITS, &plan, world);
	rpVec3 seat = rpTransformPoint(world[rp_hips], (rpVec3){0.0f, -SEAT_TO_PELVIS, 0.0f});
	score->seat = (rpVec3){seat.x, performance->parameters[rp_paramHeight], seat.z};
	score->sits = SITS;
	writeHands(performance, score);
	if (!isRising(performance))
	{
		return rpPerformance_PlayScore(performance, error);
	}
	// Backwards: sits until, then stands.
	double until = SIT_LENGTH - SITS;
	rpRest rest = {rp_seat, -INFINITY, until, score->seat.y};
	return rpPerformance_StandAtEase(performance, -INFINITY, INFINITY, error) &&
		   rpPerformance_AddRest(performance, &rest, error) &&
		   rpPerformance_AddEvent(performance, "rises", until, error);
}

static void planRise(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanStand(performance, t, plan);
	rpScore_Plan(performance->state, performance, SIT_LENGTH - t, plan);
}

const rpActRow rp_seatRows[] = {
	{
		.act = rp_actSitDown,
		.seconds = SIT_LENGTH,
		.ranges = {[rp_paramHeight] = {0.3f, 0.45f, 0.6f}},
		.prepare = prepareSeat,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actRise,
		.seconds = SIT_LENGTH,
		.ranges = {[rp_paramHeight] = {0.3f, 0.45f, 0.6f}},
		.prepare = prepareSeat,
		.plan = planRise,
	},
	{.act = rp_actCount},
};
