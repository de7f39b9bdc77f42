/// Walking and running: each foot is planted where the path is in the middle of its stance, rolls over heel, sole and
/// ball, and swings to its next place; the pelvis follows the path with bob, sway and turns; arms swing against legs.
/// Cadence over speed as in Grieve & Gear 1966; the pelvis' movements as in Inman, Ralston & Todd, "Human Walking".
#include "performer/gait.h"

#define GRAVITY 9.81f
// The part of its length to which a leg may be stretched: beyond, a small change of reach is a large one of the knee.
#define WALK_REACH 0.992f
#define RUN_REACH 0.985f
// The part of its upward speed that the ankle keeps when the foot leaves the floor and the knee takes over.
#define SOFT_LEAVE 0.7f
#define FIT_SAMPLES 96

static float clampUnit(float x)
{
	return fminf(fmaxf(x, 0.0f), 1.0f);
}

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

// The foot rolling over heel, sole and ball; u is 0 at heel strike and 1 at toe off, and may go a little beyond.
static rpFootPlan rollFoot(const rpGait* gait, rpVec3 ball, float heading, float u)
{
	rpVec3 heel = rpAdd(rpPlaceAnkle(ball, BALL_OFFSET, heading, 0.0f), rpRotate(rpYaw(heading), HEEL_OFFSET));
	rpFootPlan foot = {.heading = heading};
	if (u < gait->flatAt)
	{
		float left = 1.0f - u / gait->flatAt;
		foot.pitch = gait->strikePitch * left * left;
		foot.ankle = rpPlaceAnkle(heel, HEEL_OFFSET, heading, foot.pitch);
		return foot;
	}
	float rise = fmaxf(u - gait->liftAt, 0.0f) / (1.0f - gait->liftAt);
	foot.pitch = gait->liftPitch * rise * rise;
	foot.toe = foot.pitch;
	foot.ankle = rpPlaceAnkle(ball, BALL_OFFSET, heading, foot.pitch);
	return foot;
}

static float blendCubic(float a, float va, float b, float vb, float s)
{
	float r = 1.0f - s;
	return r * r * (1.0f + 2.0f * s) * a + s * s * (3.0f - 2.0f * s) * b + s * r * (r * va - s * vb);
}

// From toe off to the next heel strike: cubics that start and end with the velocity of the rolling foot.
static rpFootPlan swingFoot(const rpGait* gait, int side, int k, float s)
{
	float heading, nextHeading, duration = gait->stride - gait->stance, step = 1e-3f;
	float scale = duration / (step * gait->stance);
	rpVec3 ball = getPlant(gait, side, k, &heading), nextBall = getPlant(gait, side, k + 1, &nextHeading);
	rpFootPlan from = rollFoot(gait, ball, heading, 1.0f), before = rollFoot(gait, ball, heading, 1.0f - step);
	rpFootPlan to = rollFoot(gait, nextBall, nextHeading, 0.0f), after = rollFoot(gait, nextBall, nextHeading, step);
	rpVec3 leave = rpScale(scale, rpSub(from.ankle, before.ankle)),
		   arrive = rpScale(scale, rpSub(after.ankle, to.ankle));
	float bump = s * s * (1.0f - s) * (1.0f - s);
	rpFootPlan foot;
	foot.ankle.x = blendCubic(from.ankle.x, leave.x, to.ankle.x, arrive.x, s);
	foot.ankle.z = blendCubic(from.ankle.z, leave.z, to.ankle.z, arrive.z, s);
	foot.ankle.y = blendCubic(from.ankle.y, SOFT_LEAVE * leave.y, to.ankle.y, arrive.y, s) +
				   16.0f * gait->lift * bump * (1.3f - 0.6f * s);
	foot.heading = blendCubic(heading, 0.0f, nextHeading, 0.0f, s);
	foot.pitch = blendCubic(from.pitch, 0.5f * scale * (from.pitch - before.pitch), to.pitch,
							scale * (after.pitch - to.pitch), s);
	float unbent = clampUnit(1.0f - s / 0.7f);
	foot.toe = from.toe * unbent * unbent * (3.0f - 2.0f * unbent);
	// Toes that unbend faster than the foot rises lift it.
	foot.ankle.y += fmaxf(-rpFootPlan_GetLowest(&foot), 0.0f);
	return foot;
}

static rpFootPlan planFoot(const rpGait* gait, int side, double seconds)
{
	double cycle = (seconds - rpGait_GetStrike(gait, side, 0)) / gait->stride;
	int k = (int)floor(cycle);
	float phase = (float)(cycle - k);
	if (phase < gait->duty)
	{
		float heading;
		rpVec3 ball = getPlant(gait, side, k, &heading);
		return rollFoot(gait, ball, heading, phase / gait->duty);
	}
	return swingFoot(gait, side, k, (phase - gait->duty) / (1.0f - gait->duty));
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
	*plan = (rpBodyPlan){.heading = gait->turn * (float)seconds};

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
	for (int side = 0; side < 2; ++side)
	{
		plan->feet[side] = planFoot(gait, side, seconds);
	}
}

// The highest that the pelvis may be so that no leg is stretched beyond its reach.
static float fitHeight(const rpGait* gait)
{
	float reach = (gait->running ? RUN_REACH : WALK_REACH) * rpGetPerformerLeg();
	float height = PELVIS_HEIGHT - 0.01f;
	for (int i = 0; i < 2 * FIT_SAMPLES; ++i)
	{
		rpBodyPlan plan;
		rpGait_Plan(gait, gait->stride * i / FIT_SAMPLES, &plan);
		int side = i % 2;
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
