/// Walking and running: each foot is planted where the path is in the middle of its stance, rolls over heel, sole and
/// ball, and swings to its next place; the pelvis follows the path with bob, sway and turns; arms swing against legs.
/// Cadence over speed as in Grieve & Gear 1966; the pelvis' movements as in Inman, Ralston & Todd, "Human Walking".
#include "performer/gait.h"

// The part of its length to which a leg may be stretched: beyond, a small change of reach is a large one of the knee.
#define WALK_REACH 0.992f
#define RUN_REACH 0.985f
#define FIT_SAMPLES 96

// Where the path is after some seconds: a circle, or a line when there is no turn.
static rpVec3 followPath(const rpGait* gait, double seconds)
{
	float half = 0.5f * gait->turn * (float)seconds;
	float chord = gait->speed * (float)seconds * (fabsf(half) > 1e-4f ? sinf(half) / half : 1.0f);
	return (rpVec3){chord * sinf(half), 0.0f, chord * cosf(half)};
}

double rpGait_GetStrike(const rpGait* gait, int side, int k)
{
	return ((double)k + 0.5 * side) * gait->stride - 0.3 * gait->stance;
}

// Where the ball of the foot stands in the k-th stance, and its heading.
static rpVec3 getPlant(const rpGait* gait, int side, int k, float* heading)
{
	double middle = rpGait_GetStrike(gait, side, k) + 0.5 * gait->stance;
	float course = gait->turn * (float)middle;
	float toeOut = gait->running ? 0.03f : 0.1f;
	*heading = course + SIDE(side) * toeOut;
	rpVec3 place = rpAdd(followPath(gait, middle),
						 rpRotate(rpYaw(course), (rpVec3){SIDE(side) * gait->halfWidth, 0, gait->ahead}));
	place.y = BALL_HEIGHT;
	return place;
}

rpStance rpGait_MakeStance(const rpGait* gait, int side, int k)
{
	rpStance stance = {.side = side, .strike = rpGait_GetStrike(gait, side, k)};
	stance.flat = stance.strike + gait->flatAt * gait->stance;
	stance.lift = stance.strike + gait->liftAt * gait->stance;
	stance.off = stance.strike + gait->stance;
	stance.ball = getPlant(gait, side, k, &stance.heading);
	stance.strikePitch = gait->strikePitch;
	stance.liftPitch = gait->liftPitch;
	stance.clear = gait->lift;
	stance.clearLate = -0.3f;
	return stance;
}

// Rise and fall of the pelvis, metres: an inverted pendulum when walking; when running a parabola in flight and half a
// wave in stance that meets it with the same velocity.
static float getBob(const rpGait* gait, double seconds)
{
	double half = 0.5 * gait->stride;
	float tau = (float)(fmod(seconds - rpGait_GetStrike(gait, 0, -2), half));
	if (!gait->running)
	{
		float lowest = (gait->duty - 0.5f) * 0.5f * gait->stride;
		return -0.021f * fminf(gait->speed / 1.3f, 1.3f) * cosf(2.0f * (float)RP_PI * (tau - lowest) / (float)half);
	}
	float flight = (float)half - gait->stance, rate = 0.5f * GRAVITY * flight;
	if (tau < gait->stance)
	{
		return -rate * gait->stance / (float)RP_PI * sinf((float)RP_PI * tau / gait->stance);
	}
	return (tau - gait->stance) * (rate - 0.5f * GRAVITY * (tau - gait->stance));
}

static void planArms(const rpGait* gait, float swing, rpBodyPlan* plan)
{
	float vigour = fminf(gait->speed / (gait->running ? 3.5f : 1.4f), 1.4f);
	for (int side = 0; side < 2; ++side)
	{
		// Forward together with the other leg.
		float forward = -SIDE(side) * swing;
		rpArmPlan* arm = plan->arms + side;
		arm->swing = gait->running ? -0.15f + 0.75f * vigour * forward : -0.06f + 0.42f * vigour * forward;
		arm->spread = gait->running ? 0.22f : 0.13f;
		arm->twist = gait->running ? -0.15f : -0.1f;
		arm->elbow = gait->running ? 1.5f + 0.25f * forward : 0.25f + 0.16f * vigour * (1.0f + forward);
	}
}

void rpGait_Plan(const rpGait* gait, double seconds, rpBodyPlan* plan)
{
	plan->heading = gait->turn * (float)seconds;

	// 1 where the left foot is farthest forward, or in the middle of its stance, -1 where the right one is.
	double cycle = (seconds - rpGait_GetStrike(gait, 0, 0)) / gait->stride;
	float angle = 2.0f * (float)RP_PI * (float)(cycle - floor(cycle));
	float leftForward = cosf(angle), leftStands = cosf(angle - (float)RP_PI * gait->duty);
	float vigour = fminf(gait->speed / (gait->running ? 3.5f : 1.3f), 1.5f);

	plan->pelvis =
		rpAdd(followPath(gait, seconds),
			  rpRotate(rpYaw(plan->heading), (rpVec3){(gait->running ? 0.012f : 0.022f) * leftStands, 0, 0}));
	plan->pelvis.y = gait->height + getBob(gait, seconds);
	plan->pelvisTurn = -0.1f * vigour * leftForward;
	plan->pelvisRoll = 0.06f * fminf(vigour, 1.0f) * leftStands;
	plan->lean = gait->running ? 0.1f + 0.03f * vigour : 0.03f;
	plan->trunkTurn = 0.12f * vigour * leftForward;
	plan->trunkBend = gait->running ? 0.08f : 0.02f;
	plan->headNod = gait->running ? -0.15f : -0.02f;
	planArms(gait, leftForward, plan);
}

static rpFootPlan planFoot(const rpGait* gait, int side, double seconds)
{
	int k = (int)floor((seconds - rpGait_GetStrike(gait, side, 0)) / gait->stride);
	rpStance stance = rpGait_MakeStance(gait, side, k), next = rpGait_MakeStance(gait, side, k + 1);
	return seconds <= stance.off ? rpStance_PlanFoot(&stance, seconds) : rpPlanSwing(&stance, &next, seconds);
}

// The highest that the pelvis may be so that no leg is stretched beyond its reach.
static float fitHeight(const rpGait* gait)
{
	float reach = (gait->running ? RUN_REACH : WALK_REACH) * LEG_LENGTH;
	float height = PELVIS_HEIGHT - 0.01f;
	for (int i = 0; i < 2 * FIT_SAMPLES; ++i)
	{
		rpBodyPlan plan = {0};
		int side = i % 2;
		rpGait_Plan(gait, gait->stride * i / FIT_SAMPLES, &plan);
		plan.feet[side] = planFoot(gait, side, gait->stride * i / FIT_SAMPLES);
		rpVec3 hip = rpBodyPlan_GetHip(&plan, side);
		rpVec3 away = rpSub(plan.feet[side].ankle, hip);
		float drop = sqrtf(fmaxf(reach * reach - away.x * away.x - away.z * away.z, 0.0f));
		height = fminf(height, gait->height + plan.feet[side].ankle.y + drop - hip.y);
	}
	return height;
}

rpGait rpMakeGait(bool running, float speed, float turn)
{
	rpGait gait = {.running = running, .speed = speed, .turn = turn};
	float rate = running ? 1.38f * powf(speed / 3.0f, 0.3f) : 0.92f * powf(speed / 1.35f, 0.5f);
	gait.stride = 1.0f / rate;
	gait.duty =
		running ? fminf(0.36f * powf(3.0f / speed, 0.4f), 0.44f) : fminf(0.62f + 0.04f * (1.35f - speed), 0.68f);
	gait.stance = gait.duty * gait.stride;
	gait.strikePitch = running ? -0.12f : -0.32f * fminf(speed / 1.2f, 1.2f);
	gait.liftPitch = running ? 1.0f : 0.85f * fminf(0.3f + speed / 1.7f, 1.25f);
	gait.flatAt = running ? 0.15f : 0.18f;
	gait.liftAt = running ? 0.4f : 0.48f;
	gait.ahead = running ? 0.0f : 0.04f;
	gait.halfWidth = running ? 0.05f : 0.075f;
	gait.lift = running ? fminf(0.05f * speed, 0.28f) : 0.02f;
	gait.height = PELVIS_HEIGHT;
	gait.height = fitHeight(&gait);
	return gait;
}
