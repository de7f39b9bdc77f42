/// Standing, walking, running, backwards, and turns.
#include "performer/journey.h"

// Turned by one step on the spot, and by one in stride, at most, radians.
#define SPOT_STEP 0.62f
#define STRIDE_STEP 0.7f

static bool prepareStraight(rpPerformance* performance, rpError* error)
{
	bool backwards = performance->row->act == rp_actBackwards;
	rpGaitKind gait = performance->row->act == rp_actWalk || backwards ? rp_gaitWalk : rp_gaitRun;
	float turn = performance->parameters[rp_paramTurn];
	rpStretch stretch = {gait, performance->seconds, performance->parameters[rp_paramSpeed], backwards ? -turn : turn};
	rpJourneyDef def = {.stretches = &stretch, .stretchCount = 1, .backwards = backwards};
	def.style = rpGetGaitStyle(performance->row->act);
	return rpPerformance_Travel(performance, &def, error);
}

static bool prepareTurn(rpPerformance* performance, rpError* error)
{
	float angle = performance->parameters[rp_paramAngle];
	int count = (int)ceilf(fabsf(angle) / SPOT_STEP);
	double rate = rpGetStepRate(rp_gaitWalk, 0.0);
	rpStretch stretches[] = {
		{rp_gaitStand, 0.9, 0.0f, 0.0f},
		{rp_gaitWalk, fmax(count - 1, 1) / rate, 0.0f, 1.0f},
		{rp_gaitStand, performance->seconds, 0.0f, 0.0f},
	};
	// The foot on the side of the turn steps first.
	rpJourneyDef def = {.stretches = stretches, .stretchCount = 3, .angle = angle, .anchor = 1};
	def.anchorSide = angle >= 0.0f ? 0 : 1;
	return fabsf(angle) > 0.01f
			   ? rpPerformance_Travel(performance, &def, error)
			   : rpPerformance_Travel(performance, &(rpJourneyDef){.stretches = stretches + 2, .stretchCount = 1},
									  error);
}

static bool prepareTurnInStride(rpPerformance* performance, rpError* error)
{
	float angle = performance->parameters[rp_paramAngle], speed = performance->parameters[rp_paramSpeed];
	float slow = speed * (1.0f - 0.5f * fminf(fabsf(angle) / (float)RP_PI, 1.0f));
	double count = fmax(ceil((double)(fabsf(angle) / STRIDE_STEP)), 2.0);
	double turning = count / rpGetStepRate(rp_gaitWalk, (double)slow);
	rpStretch stretches[] = {
		{rp_gaitWalk, fmax(0.5 * (performance->seconds - turning), 0.5), speed, 0.0f},
		{rp_gaitWalk, turning, slow, 1.0f},
		{rp_gaitWalk, performance->seconds, speed, 0.0f},
	};
	rpJourneyDef def = {.stretches = stretches, .stretchCount = 3, .angle = angle, .anchor = 1};
	def.anchorSide = angle >= 0.0f ? 0 : 1;
	return rpPerformance_Travel(performance, &def, error);
}

const rpActRow rp_locomotionRows[] = {
	{.act = rp_actStand, .seconds = 4.0, .plan = rpPerformance_PlanStand},
	{
		.act = rp_actWalk,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {0.6f, 1.35f, 2.2f}, [rp_paramTurn] = {-1.5f, 0.0f, 1.5f}},
		.prepare = prepareStraight,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actJog,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {1.8f, 2.4f, 3.0f}, [rp_paramTurn] = {-1.75f, 0.0f, 1.75f}},
		.prepare = prepareStraight,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actRun,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {2.0f, 3.2f, 5.0f}, [rp_paramTurn] = {-1.0f, 0.0f, 1.0f}},
		.prepare = prepareStraight,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actBackwards,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {0.4f, 0.9f, 1.4f}, [rp_paramTurn] = {-1.0f, 0.0f, 1.0f}},
		.prepare = prepareStraight,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actTurn,
		.seconds = 5.5,
		.ranges = {[rp_paramAngle] = {(float)-RP_PI, 0.5f * (float)RP_PI, (float)RP_PI}},
		.prepare = prepareTurn,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actTurnInStride,
		.seconds = 6.0,
		.ranges = {[rp_paramSpeed] = {0.7f, 1.3f, 1.8f},
				   [rp_paramAngle] = {(float)-RP_PI, 0.5f * (float)RP_PI, (float)RP_PI}},
		.prepare = prepareTurnInStride,
		.plan = rpPerformance_PlanTravel,
	},
	{.act = rp_actCount},
};
