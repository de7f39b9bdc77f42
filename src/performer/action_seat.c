/// Sitting down on a seat behind, and rising from it: the trunk leans forwards so that the centre of mass stays over
/// the feet until the seat takes over, and the other way round.
#include "performer/score.h"

#define LEAN_FROM 0.2
#define SITS 1.5
#define SAT_UP 2.2
#define SIT_LENGTH 3.0
// How far back of standing the centre of mass goes before the seat takes over, metres: to the heels.
#define CENTER_BACK -0.055f
// From the seat to the pelvis when both are upright.
#define SEAT_TO_PELVIS (HIP_DROP + 0.05f * PERFORMER_HEIGHT)

// Rising is sitting down, shown backwards.
static bool isRising(const rpPerformance* performance)
{
	return performance->row->act == rp_actRise;
}

static void writeSeat(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	float height = performance->parameters[rp_paramHeight], deep = (0.6f - height) / 0.3f;
	float drop = height + SEAT_TO_PELVIS - 0.953f;
	score->period = SIT_LENGTH;
	rpScore_AddStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddStance(score, performance, 1, -INFINITY, INFINITY, here);
	rpScore_Shape(score, rp_channelY, drop, {LEAN_FROM + 0.1, 0}, {SITS, 1.0f});
	rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {0.6, 0.02f}, {SITS, CENTER_BACK});
	rpScore_Shape(score, rp_channelLean, 1.0f, {LEAN_FROM, 0}, {SITS - 0.1, 0.58f - 0.08f * deep}, {SAT_UP, 0.0f});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {LEAN_FROM, 0}, {SITS - 0.15, 0.55f}, {SAT_UP + 0.1, 0.06f});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {LEAN_FROM, 0}, {0.8, 0.0f}, {SITS, -0.35f}, {SAT_UP + 0.2, 0.0f});
	rpScore_Shape(score, rp_channelKneeOut, 1.0f, {LEAN_FROM, 0}, {SITS, 0.05f});
	// The arms swing forwards for balance, then lie on the thighs.
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {LEAN_FROM, 0}, {1.1, 0.85f}, {SAT_UP, 0.4f});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {LEAN_FROM, 0}, {1.1, 0.25f}, {SAT_UP, 0.75f});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {LEAN_FROM, 0}, {1.1, 0.1f}, {SAT_UP, 0.02f});
	score->sits = SITS;
	score->rises = 1e9;
	rpScore_AddStand(score, -INFINITY, LEAN_FROM);
	rpScore_AddEvent(score, "seated", SITS);
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
