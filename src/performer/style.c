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

static const rpSwingShape s_tiptoeSwing = {
	.passTime = 0.4f,
	.passPlace = 0.37f,
	.passSpeed = 1.5f,
	.highTime = 0.2f,
	.pitchOn = 0.02f,
	.pitchTime = 0.22f,
	.drawUp = 0.3f,
	.straight = 1.0f,
};

// Stretched, heels never down, short steps.
static const rpGaitStyle s_tiptoe = {
	.cadence = 1.12f,
	.bounce = 0.8f,
	.height = 0.058f,
	.ownFeet = true,
	.strikePitch = 0.52f,
	.flatPitch = 0.5f,
	.liftPitch = 0.9f,
	.brisk = 1.0f,
	.high = 0.2f,
	.lift = 0.5f,
	.late = 0.5f,
	.swing = &s_tiptoeSwing,
	.bend = -0.02f,
	.armSwing = 0.45f,
	.armSpread = 0.25f,
	.elbow = 0.1f,
	.elbowSwing = 1.0f,
	.width = 0.8f,
};

// The knee comes up to the height of the hip, the shank hangs from it, then the foot comes down ahead.
static const rpSwingShape s_marchSwing = {
	.passTime = 0.5f,
	.passPlace = 0.65f,
	.passSpeed = 1.1f,
	.highTime = 0.43f,
	.pitchOn = 0.02f,
	.pitchTime = 0.25f,
	.drawUp = 0.6f,
	.straight = 0.8f,
};

// Knees up, flat strikes, straight arms that swing far.
static const rpGaitStyle s_march = {
	.cadence = 1.02f,
	.bounce = 3.4f,
	.height = 0.06f,
	.reach = 0.997f,
	.ownFeet = true,
	.strikePitch = -0.1f,
	.liftPitch = 0.7f,
	.brisk = 1.0f,
	.high = 0.46f,
	.late = 0.5f,
	.lift = 0.55f,
	.swing = &s_marchSwing,
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
