/// Styles of walking.
#include "performer/journey.h"

// Bent low, feet set softly on their balls and lifted high, arms ready before the body.
static const rpGaitStyle s_sneak = {
	.cadence = 0.8f,
	.bounce = 0.6f,
	.duty = 0.05f,
	.height = -0.13f,
	.ownFeet = true,
	.strikePitch = 0.35f,
	.flatPitch = 0.15f,
	.liftPitch = 0.75f,
	.clear = 0.09f,
	.late = 0.4f,
	.bend = 0.5f,
	.armSwing = 0.5f,
	.armForward = 0.35f,
	.armSpread = 0.12f,
	.elbow = 1.0f,
	.elbowSwing = 1.0f,
	.width = 1.1f,
};

// Stretched, heels never down, short steps.
static const rpGaitStyle s_tiptoe = {
	.cadence = 1.12f,
	.bounce = 0.7f,
	.duty = 0.02f,
	.height = 0.07f,
	.ownFeet = true,
	.strikePitch = 0.75f,
	.flatPitch = 0.62f,
	.liftPitch = 0.95f,
	.clear = 0.02f,
	.late = 0.5f,
	.bend = -0.02f,
	.armSwing = 0.45f,
	.armSpread = 0.25f,
	.elbow = 0.1f,
	.elbowSwing = 1.0f,
	.width = 0.8f,
};

// Knees up, flat strikes, straight arms that swing far.
static const rpGaitStyle s_march = {
	.cadence = 1.02f,
	.bounce = 1.1f,
	.ownFeet = true,
	.strikePitch = -0.08f,
	.liftPitch = 0.6f,
	.clear = 0.26f,
	.clearLate = 0.3f,
	.late = -0.6f,
	.bend = -0.04f,
	.armSwing = 3.4f,
	.armForward = 0.1f,
	.armSpread = -0.03f,
	.elbow = -0.22f,
	.elbowSwing = 0.1f,
	.width = 0.9f,
};

// Short quick steps, arms kept down.
static const rpGaitStyle s_backwards = {
	.cadence = 1.15f, .bounce = 1.0f, .armSwing = 0.6f, .elbowSwing = 1.0f, .width = 1.15f};

const rpGaitStyle* rpGetGaitStyle(rpAct act)
{
	return act == rp_actSneak       ? &s_sneak
		   : act == rp_actTiptoe    ? &s_tiptoe
		   : act == rp_actMarch     ? &s_march
		   : act == rp_actBackwards ? &s_backwards
									: &rp_plainStyle;
}

static bool prepareStyle(rpPerformance* performance, rpError* error)
{
	rpStretch stretch = {rp_gaitWalk, performance->seconds, performance->parameters[rp_paramSpeed],
						 performance->parameters[rp_paramTurn]};
	rpJourneyDef def = {.stretches = &stretch, .stretchCount = 1};
	def.style = rpGetGaitStyle(performance->row->act);
	return rpPerformance_Travel(performance, &def, error);
}

const rpActRow rp_styleRows[] = {
	{
		.act = rp_actSneak,
		.seconds = 5.0,
		.ranges = {[rp_paramSpeed] = {0.4f, 0.7f, 1.1f}, [rp_paramTurn] = {-0.8f, 0.0f, 0.8f}},
		.prepare = prepareStyle,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actTiptoe,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {0.4f, 0.8f, 1.2f}, [rp_paramTurn] = {-0.8f, 0.0f, 0.8f}},
		.prepare = prepareStyle,
		.plan = rpPerformance_PlanTravel,
	},
	{
		.act = rp_actMarch,
		.seconds = 4.0,
		.ranges = {[rp_paramSpeed] = {0.8f, 1.3f, 1.7f}, [rp_paramTurn] = {-0.8f, 0.0f, 0.8f}},
		.prepare = prepareStyle,
		.plan = rpPerformance_PlanTravel,
	},
	{.act = rp_actCount},
};
