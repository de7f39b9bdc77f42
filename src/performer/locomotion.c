/// Standing, walking and running.
#include "base/memory.h"
#include "performer/gait.h"
#include "performer/stage.h"

static bool addStances(rpPerformance* performance, const rpGait* gait, rpError* error)
{
	bool ok = true;
	double half = 0.5 * gait->stride, first = rpGait_GetStrike(gait, 0, 0);
	for (int step = -4; ok && first + step * half < performance->seconds + 2.0 * gait->stride; ++step)
	{
		rpStance stance = rpGait_MakeStance(gait, step & 1, (step - (step & 1)) / 2);
		double peak = gait->running ? stance.strike - 0.5 * (half - gait->stance) : stance.strike + 0.5 * gait->stance;
		ok = rpPerformance_AddStance(performance, &stance, error) &&
			 rpPerformance_AddEvent(performance, "half_cycle", peak, error);
	}
	return ok;
}

static bool prepareGait(rpPerformance* performance, rpError* error)
{
	rpGait* gait = rpAllocate(1, sizeof(rpGait), error);
	performance->state = gait;
	if (gait == NULL)
	{
		return false;
	}
	bool running = performance->row->act != rp_actWalk;
	*gait = rpMakeGait(running, performance->parameters[rp_paramSpeed], performance->parameters[rp_paramTurn]);
	return addStances(performance, gait, error);
}

static void planGait(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanFeet(performance, t, plan);
	rpGait_Plan(performance->state, t, plan);
}

const rpActRow rp_locomotionRows[] = {
	{.act = rp_actStand, .seconds = 4.0, .plan = rpPerformance_PlanStand},
	{
		.act = rp_actWalk,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {0.6f, 1.35f, 2.2f}, [rp_paramTurn] = {-1.5f, 0.0f, 1.5f}},
		.prepare = prepareGait,
		.plan = planGait,
	},
	{
		.act = rp_actJog,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {1.8f, 2.4f, 3.0f}, [rp_paramTurn] = {-1.5f, 0.0f, 1.5f}},
		.prepare = prepareGait,
		.plan = planGait,
	},
	{
		.act = rp_actRun,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {2.0f, 3.2f, 5.0f}, [rp_paramTurn] = {-1.5f, 0.0f, 1.5f}},
		.prepare = prepareGait,
		.plan = planGait,
	},
	{.act = rp_actCount},
};
