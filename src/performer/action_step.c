/// Stepping up on something and down from it: the weight goes on the foot that stays, the other one is set on the new
/// floor, takes the weight, and the first one follows.
#include "performer/score.h"

#define LEAD_OFF 0.6
#define LEAD_DOWN 1.38
#define TRAIL_OFF 1.94
#define TRAIL_OFF_DOWN 1.76
#define TRAIL_DOWN 2.68
#define STEPPED 3.2
#define STEP_LENGTH 3.5
// How far ahead the new place is.
#define STEP_FORWARD 0.42f
#define STEP_FORWARD_DOWN 0.36f

static int getLead(const rpPerformance* performance)
{
	return performance->parameters[rp_paramFoot] > 0.5f ? 1 : 0;
}

// The feet, from one floor to another.
static void writeSteps(const rpPerformance* performance, float from, float to, rpScore* score)
{
	rpFrame here = {0}, there = {{0.0f, 0.0f, from < to ? STEP_FORWARD : STEP_FORWARD_DOWN}, 0.0f};
	int lead = getLead(performance), trail = 1 - lead;
	float up = fmaxf(to - from, 0.0f), down = fmaxf(from - to, 0.0f);
	rpStance* leave = rpScore_AddStance(score, performance, lead, -INFINITY, LEAD_OFF, here);
	leave->support = from;
	leave->lift = LEAD_OFF - 0.15;
	leave->liftPitch = 0.15f;
	leave->clear = 0.06f + 0.25f * up + 0.1f * down;
	leave->clearLate = up > 0.0f ? -0.5f : 0.5f;
	leave->late = up > 0.0f ? 0.5f : 0.0f;
	rpStance* meet = rpScore_AddStance(score, performance, lead, LEAD_DOWN, INFINITY, there);
	meet->support = to;
	meet->strikePitch = down > 0.0f ? 0.35f + 0.7f * down : 0.05f;
	meet->flat = LEAD_DOWN + (down > 0.0f ? 0.3 : 0.16);
	rpStance* stay =
		rpScore_AddStance(score, performance, trail, -INFINITY, down > 0.0f ? TRAIL_OFF_DOWN : TRAIL_OFF, here);
	stay->support = from;
	// Going down, the foot behind rolls over its ball long before it leaves.
	stay->lift = down > 0.0f ? LEAD_DOWN - 1.3 : TRAIL_OFF - 0.4;
	stay->liftPitch = down > 0.0f ? 1.19f : 0.75f;
	stay->clear = 0.05f + 0.2f * up + 0.08f * down;
	stay->clearLate = up > 0.0f ? -0.5f : 0.5f;
	rpStance* follow = rpScore_AddStance(score, performance, trail, TRAIL_DOWN, INFINITY, there);
	follow->support = to;
	follow->strikePitch = 0.12f;
	follow->flat = TRAIL_DOWN + 0.12;
	score->swings[lead][0].loose = 1.0f;
	score->swings[trail][0].loose = 1.0f;
}

static void writeStep(const rpPerformance* performance, rpScore* score)
{
	bool up = performance->row->act == rp_actStepUp;
	float height = performance->parameters[rp_paramHeight], from = up ? 0.0f : height, to = up ? height : 0.0f;
	float x = SIDE(getLead(performance));
	double trailOff = up ? TRAIL_OFF : TRAIL_OFF_DOWN;
	score->period = STEP_LENGTH;
	writeSteps(performance, from, to, score);
	// Over the foot that stays, then over the one that was set, then between both.
	rpScore_Shape(score, rp_channelX, x, {0.1, 0}, {LEAD_OFF - 0.05, -0.1f}, {LEAD_DOWN - 0.05, up ? -0.09f : -0.105f},
				  {trailOff + (up ? -0.05 : 0.14), 0.09f}, {TRAIL_DOWN, 0.08f}, {STEPPED, 0});
	if (up)
	{
		// The foot behind pushes until its leg is stretched, the one on top does the rest.
		rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {0.42, 0.01f}, {LEAD_DOWN, 0.09f}, {TRAIL_OFF, 0.28f},
					  {TRAIL_DOWN - 0.1, STEP_FORWARD}, {STEPPED, STEP_FORWARD});
		rpScore_Shape(score, rp_channelY, 1.0f, {0.1, 0}, {LEAD_OFF - 0.05, -0.028f}, {LEAD_DOWN, -0.03f},
					  {TRAIL_OFF, 0.03f + 0.03f * height}, {TRAIL_DOWN + 0.1, height - 0.03f}, {STEPPED, height});
		rpScore_Shape(score, rp_channelLean, 1.0f, {0.2, 0}, {LEAD_DOWN, 0.05f + 0.08f * height},
					  {TRAIL_OFF, 0.07f + 0.2f * height}, {TRAIL_DOWN, 0.05f}, {STEPPED, 0});
		rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {0.2, 0}, {LEAD_DOWN, 0.05f},
					  {TRAIL_OFF, 0.05f + 0.1f * height}, {TRAIL_DOWN, 0.03f}, {STEPPED, 0});
	}
	else
	{
		// The leg behind bends until the other foot is down.
		rpScore_Shape(score, rp_channelZ, 1.0f, {0.1, 0}, {0.45, 0.085f}, {LEAD_DOWN, 0.165f}, {trailOff, 0.3f},
					  {TRAIL_DOWN, STEP_FORWARD_DOWN}, {STEPPED, STEP_FORWARD_DOWN});
		rpScore_Shape(score, rp_channelY, 1.0f, {0.1, height}, {LEAD_OFF - 0.05, height - 0.032f},
					  {LEAD_DOWN, -0.033f + 0.006f * height}, {trailOff, -0.06f + 0.1f * height}, {TRAIL_DOWN, -0.03f},
					  {STEPPED, 0});
		rpScore_Shape(score, rp_channelLean, 1.0f, {0.2, 0}, {LEAD_DOWN, 0.08f + 0.35f * height}, {trailOff, 0.1f},
					  {TRAIL_DOWN, 0.03f}, {STEPPED, 0});
		rpScore_Shape(score, rp_channelPelvisRoll, x, {LEAD_OFF, 0}, {LEAD_DOWN, -0.25f * height}, {trailOff, 0});
	}
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {0.05, 0}, {0.4, 0.3f}, {LEAD_DOWN, 0.25f}, {TRAIL_OFF, 0.0f},
				  {STEPPED, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 0.5f + height, {0.2, 0}, {LEAD_DOWN, 0.25f}, {TRAIL_OFF, 0.2f},
				  {STEPPED, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {0.2, 0}, {LEAD_DOWN, 0.35f}, {TRAIL_OFF, 0.3f},
				  {STEPPED, 0});
	int own = x > 0.0f ? rp_channelLeftArm : rp_channelRightArm,
		other = x > 0.0f ? rp_channelRightArm : rp_channelLeftArm;
	rpScore_Shape(score, own + rp_armSwing, 1.0f, {0.3, 0}, {LEAD_DOWN, -0.3f}, {TRAIL_OFF, 0.2f}, {STEPPED, 0});
	rpScore_Shape(score, other + rp_armSwing, 1.0f, {0.3, 0}, {LEAD_DOWN, 0.45f}, {TRAIL_OFF, -0.1f}, {STEPPED, 0});
	rpScore_AddStand(score, -INFINITY, 0.1);
	rpScore_AddStand(score, STEPPED, INFINITY);
	// So that what follows knows where it begins.
	score->next = (rpFrame){{0.0f, 0.0f, up ? STEP_FORWARD : STEP_FORWARD_DOWN}, 0.0f};
}

static bool prepareStep(rpPerformance* performance, rpError* error)
{
	return rpPerformance_MakeScore(performance, writeStep, error) != NULL &&
		   rpPerformance_PlayScore(performance, error);
}

#define STEP_RANGES                                                                    \
	{                                                                                  \
		[rp_paramFoot] = {0.0f, 1.0f, 1.0f}, [rp_paramHeight] = { 0.2f, 0.35f, 0.55f } \
	}

const rpActRow rp_stepRows[] = {
	{.act = rp_actStepUp,
	 .seconds = STEP_LENGTH,
	 .ranges = STEP_RANGES,
	 .prepare = prepareStep,
	 .plan = rpPerformance_PlanScore},
	{.act = rp_actStepDown,
	 .seconds = STEP_LENGTH,
	 .ranges = STEP_RANGES,
	 .prepare = prepareStep,
	 .plan = rpPerformance_PlanScore},
	{.act = rp_actCount},
};
