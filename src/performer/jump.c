/// Jumps from both feet, up or forwards, with or without a turn: a crouch with the arms back, a push over the balls of
/// the feet, free fall, a landing that the knees take up.
///
/// Who turns by more than 30 degrees jumps no farther than 0.8 m with limbs as they are; asked for more, the
/// performer does it, but joints go beyond their limits.
#include "performer/score.h"

// Times from the start, seconds.
#define CROUCH_START 0.25
#define CROUCH_END 0.88
#define HEEL_LIFT 1.0
#define TAKE_OFF 1.24
#define ABSORB 0.36
#define RISE 1.1
#define JUMP_LENGTH 3.6
// How far legs are stretched when they leave the ground and when they meet it.
#define LEAVING_STRETCH 0.905f
#define MEETING_STRETCH 0.86f
// After this many seconds in the air legs may be stretched by that much more.
#define TRAIL 0.035
#define TRAIL_STRETCH 0.055f
// Moments of the flight at which the feet are told where they hang.
#define HANG_POINTS 4
#define HANG_FIRST 0.24f
#define HANG_STEP 0.19f
// Above 1.75 m nobody's centre of mass leaves the ground with all limbs stretched; below, it is searched.
#define HIGHEST_LEAVING 1.22f
#define LOWEST_LEAVING 0.75f

/// What a jump is about, from its parameters and what was fitted.
typedef struct Jump
{
	float distance, angle;
	/// Heights of the centre of mass when the feet leave and meet the ground, and how far it rises between.
	float leaving, meeting, rise;
	/// Seconds: when the feet meet the ground, and that of the flight.
	double flight, down;
	/// Where the centre leaves and meets.
	rpVec3 from, to;
	/// 1 for a landing forwards, 0 sideways and backwards, times the distance.
	float forwards;
} Jump;

static Jump makeJump(const rpPerformance* performance, const rpScore* score)
{
	Jump jump = {.distance = performance->parameters[rp_paramDistance],
				 .angle = performance->parameters[rp_paramAngle]};
	float spin = fabsf(jump.angle) / (2.0f * (float)RP_PI);
	jump.rise = (0.2f + 0.03f * jump.distance + 0.09f * spin) * performance->manner.bounce;
	jump.leaving = HIGHEST_LEAVING - (HIGHEST_LEAVING - LOWEST_LEAVING) * score->efforts[0];
	jump.meeting = HIGHEST_LEAVING - (HIGHEST_LEAVING - LOWEST_LEAVING) * score->efforts[1];
	jump.meeting = fminf(jump.meeting, jump.leaving);
	double up = sqrt(2.0 * (double)jump.rise / (double)GRAVITY);
	jump.flight = up + sqrt(2.0 * (double)(jump.rise + jump.leaving - jump.meeting) / (double)GRAVITY);
	jump.down = TAKE_OFF + jump.flight;
	jump.forwards = jump.distance * fmaxf(cosf(jump.angle), 0.0f);
	jump.from = (rpVec3){0.0f, 0.0f, 0.125f + 0.17f * jump.distance};
	rpVec3 over = rpRotate(rpYaw(jump.angle), (rpVec3){0.0f, 0.0f, 0.077f});
	// The farther the jump, the farther ahead of the body the feet land.
	float behind = 0.1f * fminf(jump.distance / 0.7f, 1.0f) + (0.04f - 0.02f * fminf(spin, 1.0f)) * jump.distance;
	jump.to = rpAdd(over, (rpVec3){0.0f, 0.0f, jump.distance * (1.0f - behind)});
	return jump;
}

// The feet hang from the body, so they rise and fall with it, a little drawn up.
static void hangFoot(const Jump* jump, const rpStance* leave, rpSwing* swing)
{
	float up = sqrtf(2.0f * GRAVITY * jump->rise), spin = fminf(fabsf(jump->angle), 6.0f);
	rpFootPlan last = rpStance_PlanFoot(leave, leave->off);
	rpFootPlan flat = rpStance_PlanFoot(leave, 0.0);
	// Feet that wait for the ground are near it early; those that go far ahead are not, their legs would be too short.
	float low = 0.11f - 0.06f * jump->forwards;
	for (int i = 0; i < HANG_POINTS; ++i)
	{
		// Pointed while they are behind the body, drawn up when they go ahead of it to land.
		float s = HANG_FIRST + HANG_STEP * (float)i, t = s * (float)jump->flight;
		float ahead = jump->distance * fmaxf(cosf(jump->angle), 0.0f) * (s - 0.4f);
		rpFootPlan foot = {.heading = leave->heading, .pitch = 0.6f - 0.2f * s - 0.9f * ahead};
		foot.ankle = rpLerp(flat.ankle, last.ankle, 0.9f - 0.5f * s);
		foot.ankle.y = last.ankle.y + t * (up - 0.5f * GRAVITY * t) + 0.01f - low * s * s;
		foot.ankle.y += 4.0f * s * (1.0f - s) * (0.06f * jump->distance + 0.004f * spin);
		swing->points[i].t = leave->off + (double)t;
		swing->points[i].foot = foot;
	}
	swing->pointCount = HANG_POINTS;
}

static void writeFeet(const rpPerformance* performance, const Jump* jump, rpScore* score)
{
	rpFrame here = {0};
	for (int side = 0; side < 2; ++side)
	{
		rpStance* leave = rpScore_AddStance(score, performance, side, -INFINITY, TAKE_OFF, here);
		leave->lift = HEEL_LIFT - 0.1 * fmax((double)jump->distance - 1.2, 0.0);
		leave->liftPitch = 0.95f;
		leave->brisk = 1.0f;
		leave->clear = 0.0f;
		rpStance* meet = rpScore_AddStance(score, performance, side, jump->down, INFINITY, score->next);
		meet->flat = jump->down + 0.105 - 0.01 * (double)jump->forwards;
		meet->strikePitch = 0.52f - 0.42f * jump->forwards - 0.25f * (jump->distance - jump->forwards);
		score->swings[side][0] = (rpSwing){.carry = score->next, .loose = 1.0f};
		score->swings[side][0].brisk = fminf(fmaxf(fabsf(jump->angle) / 1.5f, 0.6f * jump->distance), 1.0f);
		hangFoot(jump, leave, score->swings[side]);
	}
}

static void writeCenter(const Jump* jump, rpScore* score)
{
	double up = sqrt(2.0 * GRAVITY * (double)jump->rise), fall = up - GRAVITY * jump->flight;
	double speedX = ((double)jump->to.x - jump->from.x) / jump->flight;
	double speedZ = ((double)jump->to.z - jump->from.z) / jump->flight;
	double crouch = STAND_CENTER_HEIGHT - 0.255 - 0.3 * ((double)jump->rise - 0.26), absorbed = jump->down + ABSORB;
	double depth = fmax(fmin(STAND_CENTER_HEIGHT - 0.14, jump->meeting - 0.075), 0.735);
	depth += 0.16 * (double)(jump->distance - jump->forwards);
	rpVec3 end = rpAdd(score->next.shift, rpRotate(rpYaw(jump->angle), (rpVec3){0.0f, 0.0f, STAND_CENTER_FORWARD}));
	const rpKnot rise[] = {
		{.t = CROUCH_START, .p = {STAND_CENTER_HEIGHT}},
		{.t = CROUCH_END, .p = {crouch}, .a = {11.0}},
		{.t = TAKE_OFF, .p = {jump->leaving}, .v = {up}, .a = {-GRAVITY}},
		{.t = jump->down, .p = {jump->meeting}, .v = {fall}, .a = {-GRAVITY}},
		{.t = absorbed, .p = {depth}, .a = {6.0}},
		{.t = absorbed + RISE, .p = {STAND_CENTER_HEIGHT}},
	};
	const rpKnot way[] = {
		{.t = CROUCH_START, .p = {0.0, 0.0, STAND_CENTER_FORWARD}},
		{.t = CROUCH_END, .p = {0.0, 0.0, 0.07 + 0.05 * fmax((double)jump->distance - 1.2, 0.0)}},
		{.t = TAKE_OFF, .p = {0.0, 0.0, jump->from.z}, .v = {speedX, 0.0, speedZ}},
		{.t = jump->down, .p = {jump->to.x, 0.0, jump->to.z}, .v = {speedX, 0.0, speedZ}},
		{.t = absorbed + 0.3, .p = {end.x, 0.0, end.z}},
	};
	for (int i = 0; i < 6; ++i)
	{
		score->rise[i] = rise[i];
		score->way[i] = way[i < 5 ? i : 4];
	}
	score->riseCount = 6;
	score->wayCount = 5;
}

static void writeBody(const rpPerformance* performance, const Jump* jump, rpScore* score)
{
	double down = jump->down, low = down + ABSORB, up = low + RISE - 0.1, middle = TAKE_OFF + 0.5 * jump->flight;
	float far = jump->distance, swing = performance->manner.armSwing;
	float side = jump->angle < 0.0f ? -1.0f : 1.0f, wind = side * fminf(fabsf(jump->angle), 1.0f);
	rpScore_Shape(score, rp_channelLean, 1.0f, {CROUCH_START, 0}, {CROUCH_END, 0.5f + 0.08f * far},
				  {TAKE_OFF, 0.12f * far}, {middle, 0.05f * far}, {down, 0.12f + 0.12f * jump->forwards},
				  {low, 0.35f + 0.1f * jump->forwards}, {up, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {CROUCH_START, 0}, {CROUCH_END, 0.42f}, {TAKE_OFF, -0.08f},
				  {middle, 0.08f * far}, {down, 0.1f + 0.12f * jump->forwards}, {low, 0.35f}, {up, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {CROUCH_START, 0}, {CROUCH_END, -0.45f}, {TAKE_OFF, -0.15f},
				  {down, 0.05f}, {low, -0.3f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, swing, {CROUCH_START, 0}, {CROUCH_END - 0.18, -0.55f},
				  {TAKE_OFF + 0.14, 1.6f}, {down, 1.0f}, {low + 0.1, 0.55f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {CROUCH_START, 0}, {CROUCH_END, 0.05f}, {TAKE_OFF, 0.12f},
				  {down, 0.35f}, {low, 0.3f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {CROUCH_START, 0}, {CROUCH_END, 0.25f},
				  {TAKE_OFF - 0.16, 1.15f}, {TAKE_OFF + 0.14, 0.35f}, {down, 0.35f}, {low, 0.45f}, {up, 0});
	rpScore_Shape(score, rp_channelTrunkTurn, wind, {CROUCH_START, 0}, {CROUCH_END, -0.35f}, {TAKE_OFF + 0.1, 0.35f},
				  {down, -0.1f}, {up, 0});
	rpScore_Shape(score, rp_channelHeadTurn, wind, {CROUCH_START, 0}, {CROUCH_END, -0.1f}, {TAKE_OFF + 0.1, 0.7f},
				  {down, 0.25f}, {up - 0.4, 0});
}

static void writeJump(const rpPerformance* performance, rpScore* score)
{
	Jump jump = makeJump(performance, score);
	score->repeats = true;
	score->period = JUMP_LENGTH;
	score->next = (rpFrame){{0.0f, 0.0f, jump.distance}, jump.angle};
	rpScore_Turn(score, TAKE_OFF, jump.down, jump.angle);
	writeFeet(performance, &jump, score);
	writeCenter(&jump, score);
	writeBody(performance, &jump, score);
	rpScore_AddStand(score, -INFINITY, CROUCH_START);
	rpScore_AddStand(score, jump.down + ABSORB + RISE, INFINITY);
	rpScore_AddEvent(score, "half_cycle", TAKE_OFF + sqrt(2.0 * (double)jump.rise / (double)GRAVITY));
}

static float getStretch(const rpPerformance* performance, const rpScore* score, double t)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	rpScore_Settle(score, performance, t, &plan, world);
	return fmaxf(rpBodyPlan_GetStretch(&plan, 0), rpBodyPlan_GetStretch(&plan, 1));
}

static float measureLeaving(const rpPerformance* performance, const rpScore* score)
{
	// Feet that are left behind stretch their legs a little farther.
	double off = score->stances[0][0].off;
	return fmaxf(getStretch(performance, score, off), getStretch(performance, score, off + TRAIL) - TRAIL_STRETCH);
}

static float measureMeeting(const rpPerformance* performance, const rpScore* score)
{
	return getStretch(performance, score, score->stances[0][1].strike);
}

static bool prepareJump(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeJump, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeJump, measureLeaving, LEAVING_STRETCH);
	rpScore_Fit(score, performance, 1, writeJump, measureMeeting, MEETING_STRETCH);
	rpScore_KeepSpin(score, performance);
	return rpPerformance_PlayScore(performance, error);
}

const rpActRow rp_jumpRows[] = {
	{
		.act = rp_actJump,
		.seconds = JUMP_LENGTH,
		.ranges = {[rp_paramDistance] = {0.0f, 0.0f, 2.0f},
				   [rp_paramAngle] = {-2.0f * (float)RP_PI, 0.0f, 2.0f * (float)RP_PI}},
		.prepare = prepareJump,
		.plan = rpPerformance_PlanScore,
	},
	{.act = rp_actCount},
};
