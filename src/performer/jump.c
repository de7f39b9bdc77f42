/// Jumping on the spot from both feet.
#include "performer/stage.h"

// Times of a jump from its start, seconds, and the velocity of the centre of mass at take-off, m/s.
#define CROUCH_START 0.3
#define CROUCH_END 0.78
#define HEEL_LIFT 0.88
#define TAKE_OFF 1.05
#define TAKE_OFF_SPEED 2.4
#define FLIGHT (2.0 * TAKE_OFF_SPEED / GRAVITY)
#define TOUCH_DOWN (TAKE_OFF + FLIGHT)
#define HEEL_DOWN (TOUCH_DOWN + 0.14)
#define ABSORBED (TOUCH_DOWN + 0.28)
#define UPRIGHT (ABSORBED + 0.7)
#define JUMP_PERIOD 2.7
#define TAKE_OFF_HEIGHT (STAND_CENTER_HEIGHT + 0.085)
#define CROUCH_DEPTH 0.26
#define LANDING_DEPTH 0.2

static bool prepareJump(rpPerformance* performance, rpError* error)
{
	bool ok = true;
	for (int side = 0; ok && side < 2; ++side)
	{
		double down = -INFINITY, flat = -INFINITY;
		for (double start = 0.0; ok && (start == 0.0 || start + JUMP_PERIOD <= performance->seconds + 1e-6);
			 start += JUMP_PERIOD)
		{
			rpStance stance = rpPerformance_MakeEaseStance(performance, side, down, start + TAKE_OFF);
			stance.flat = flat;
			stance.lift = start + HEEL_LIFT;
			stance.strikePitch = 0.75f;
			stance.liftPitch = 0.8f;
			ok = rpPerformance_AddStance(performance, &stance, error) &&
				 (side == 1 ||
				  (rpPerformance_AddStand(performance, down, start + CROUCH_START, error) &&
				   rpPerformance_AddEvent(performance, "half_cycle", start + TAKE_OFF + 0.5 * FLIGHT, error)));
			down = start + TOUCH_DOWN;
			flat = start + HEEL_DOWN;
		}
		rpStance last = rpPerformance_MakeEaseStance(performance, side, down, INFINITY);
		last.flat = flat;
		last.strikePitch = 0.75f;
		ok = ok && rpPerformance_AddStance(performance, &last, error) &&
			 (side == 1 || rpPerformance_AddStand(performance, down + UPRIGHT - TOUCH_DOWN, INFINITY, error));
	}
	return ok;
}

// Height of the centre of mass: a crouch, free fall in flight, a soft landing.
static float getHeight(double t)
{
	const rpKnot knots[] = {
		{.t = CROUCH_START, .p = {STAND_CENTER_HEIGHT}},
		{.t = CROUCH_END, .p = {STAND_CENTER_HEIGHT - CROUCH_DEPTH}, .a = {14.0}},
		{.t = TAKE_OFF, .p = {TAKE_OFF_HEIGHT}, .v = {TAKE_OFF_SPEED}, .a = {-GRAVITY}},
		{.t = TOUCH_DOWN, .p = {TAKE_OFF_HEIGHT}, .v = {-TAKE_OFF_SPEED}, .a = {-GRAVITY}},
		{.t = ABSORBED, .p = {STAND_CENTER_HEIGHT - LANDING_DEPTH}, .a = {6.0}},
		{.t = UPRIGHT, .p = {STAND_CENTER_HEIGHT}},
	};
	return rpSampleKnots(knots, 6, t).x;
}

static void planJump(const rpPerformance* performance, double seconds, rpBodyPlan* plan)
{
	int jumps = (int)fmax(floor((performance->seconds + 1e-6) / JUMP_PERIOD), 1.0);
	double t = seconds - JUMP_PERIOD * fmin(floor(seconds / JUMP_PERIOD), jumps - 1);
	rpPerformance_PlanStand(performance, seconds, plan);
	plan->center.x = 0.0f;
	plan->center.y = getHeight(t);
	plan->center.z = STAND_CENTER_FORWARD + 0.035f * rpEaseInOut(CROUCH_START, TAKE_OFF, TOUCH_DOWN, UPRIGHT, t);
	float crouch = rpEaseInOut(CROUCH_START, CROUCH_END, CROUCH_END, TAKE_OFF, t);
	float landing = rpEaseInOut(TOUCH_DOWN, ABSORBED, ABSORBED, UPRIGHT, t);
	float aloft = rpEaseInOut(CROUCH_END, TAKE_OFF + 0.1, TAKE_OFF + 0.15, ABSORBED + 0.3, t);
	plan->lean += 0.45f * crouch + 0.25f * landing;
	plan->trunkBend += 0.45f * crouch + 0.3f * landing - 0.1f * aloft;
	plan->headNod -= 0.5f * crouch + 0.3f * landing + 0.1f * aloft;
	// The feet hang from the body: they rise and fall with it.
	float rise = t > TAKE_OFF && t < TOUCH_DOWN ? plan->center.y - (float)TAKE_OFF_HEIGHT : 0.0f;
	for (int side = 0; side < 2; ++side)
	{
		rpArmPlan* arm = plan->arms + side;
		arm->swing += -1.0f * crouch + 2.5f * aloft + 0.3f * landing;
		arm->spread += 0.15f * aloft + 0.15f * landing;
		arm->elbow += 0.3f * crouch + 0.3f * aloft;
		plan->feet[side].ankle.y += rise * rpEaseInOut(TAKE_OFF, TAKE_OFF + 0.1, TOUCH_DOWN - 0.1, TOUCH_DOWN, t);
	}
}

const rpActRow rp_jumpRows[] = {
	{.act = rp_actJump, .seconds = JUMP_PERIOD, .prepare = prepareJump, .plan = planJump},
	{.act = rp_actCount},
};
