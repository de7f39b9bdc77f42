/// Jumps from one foot: a hop lands on the foot it came from, a leap on the other one.
#include "performer/score.h"

// Times from the start, seconds: the free foot leaves, the crouch is deepest; before leaving, the heel does.
#define FREE_OFF 0.55
#define LOW 0.88
#define HEEL_LIFT 0.2
// The centre's acceleration upwards where it turns round, m/s²: at the end of the crouch and of the landing.
#define LOW_TURN 7.0
#define LANDING_TURN 3.0
#define LEAVING_STRETCH 0.935f
#define MEETING_STRETCH 0.855f
#define HIGHEST 1.2f
#define LOWEST 0.75f

/// What it is about, from the parameters and what was fitted.
typedef struct Single
{
	/// The foot it comes from, and the one it lands on.
	int from, to;
	float distance, angle, leaving, meeting, rise;
	/// Heights of the centre of mass at the end of the crouch and of the landing.
	float low, depth;
	double off, flight, down, absorbed, closed, end;
} Single;

static Single makeSingle(const rpPerformance* performance, const rpScore* score)
{
	Single jump = {.from = performance->parameters[rp_paramFoot] > 0.5f ? 1 : 0};
	bool leap = performance->row->act == rp_actLeap;
	jump.to = leap ? 1 - jump.from : jump.from;
	jump.distance = performance->parameters[rp_paramDistance];
	jump.angle = performance->parameters[rp_paramAngle];
	jump.rise = (leap ? 0.13f : 0.112f) * (0.5f + 0.5f * performance->manner.bounce);
	jump.leaving = HIGHEST - (HIGHEST - LOWEST) * score->efforts[0];
	jump.meeting = fminf(HIGHEST - (HIGHEST - LOWEST) * score->efforts[1], jump.leaving + 0.05f);
	double up = sqrt(2.0 * (double)jump.rise / (double)GRAVITY);
	jump.flight = up + sqrt(2.0 * (double)(jump.rise + jump.leaving - jump.meeting) / (double)GRAVITY);
	jump.low = STAND_CENTER_HEIGHT - 0.2f;
	jump.depth = fminf(STAND_CENTER_HEIGHT - 0.13f, jump.meeting - 0.17f);
	jump.off = LOW + rpGetBrakeTime((double)(jump.leaving - jump.low), (double)GRAVITY * up, LOW_TURN);
	jump.down = jump.off + jump.flight;
	jump.absorbed = jump.down + rpGetBrakeTime((double)(jump.meeting - jump.depth),
											   (double)GRAVITY * (jump.flight - up), LANDING_TURN);
	jump.closed = jump.absorbed + 0.4;
	jump.end = jump.closed + 0.5;
	return jump;
}

static void writeFeet(const rpPerformance* performance, const Single* jump, rpScore* score)
{
	rpFrame here = {0};
	bool leap = jump->to != jump->from;
	int free = 1 - jump->from;
	rpStance* leave = rpScore_AddStance(score, performance, jump->from, -INFINITY, jump->off, here);
	leave->lift = jump->off - HEEL_LIFT;
	leave->liftPitch = 0.85f;
	rpStance* step = rpScore_AddStance(score, performance, free, -INFINITY, FREE_OFF, here);
	step->lift = FREE_OFF - 0.15;
	step->liftPitch = 0.3f;
	// The foot it lands on comes down with the ball, the other one is set beside it afterwards.
	rpStance* meet = rpScore_AddStance(score, performance, jump->to, jump->down, INFINITY, score->next);
	meet->strikePitch = leap ? 0.15f : 0.5f;
	meet->flat = jump->down + (leap ? 0.12 : 0.1);
	rpStance* close = rpScore_AddStance(score, performance, 1 - jump->to, jump->closed, INFINITY, score->next);
	close->strikePitch = 0.2f;
	close->flat = jump->closed + 0.15;
	for (int side = 0; side < 2; ++side)
	{
		score->swings[side][0] = (rpSwing){.carry = score->next, .loose = 1.0f};
	}
	rpFootPlan last = rpStance_PlanFoot(leave, jump->off), flat = rpStance_PlanFoot(leave, 0.0);
	rpFootPlan rest = rpStance_PlanFoot(step, 0.0);
	rpSwing* push = score->swings[jump->from];
	rpSwing* lift = score->swings[free];
	rpFootPlan hang = {.ankle = flat.ankle, .heading = flat.heading, .pitch = 0.5f};
	hang.ankle.y = last.ankle.y + jump->rise + 0.02f;
	hang.ankle.z += leap ? -0.12f : 0.02f;
	push->points[0].t = jump->off + 0.5 * (leap ? 0.45 : jump->flight);
	push->points[0].foot = hang;
	push->pointCount = 1;
	if (leap)
	{
		// The foot behind is drawn after, toes down.
		push->points[0].foot.pitch = 0.9f;
		hang.pitch = 1.0f;
		hang.ankle.y = last.ankle.y + 0.1f;
		hang.ankle.z += 0.02f;
		push->points[1].t = jump->down + 0.12;
		push->points[1].foot = hang;
		push->pointCount = 2;
	}
	rpFootPlan held = {.ankle = rest.ankle, .heading = rest.heading, .pitch = leap ? 0.1f : 0.7f};
	held.ankle.y += leap ? 0.16f : 0.26f;
	held.ankle.z += leap ? 0.05f : -0.22f;
	lift->points[0].t = leap ? 0.95 : LOW;
	lift->points[0].foot = held;
	held.ankle.y += leap ? 0.12f : jump->rise;
	held.ankle.z += leap ? 0.12f : 0.0f;
	lift->points[1].t = jump->off + (leap ? 0.35 : 0.5) * jump->flight;
	lift->points[1].foot = held;
	lift->pointCount = 2;
	if (!leap)
	{
		held.ankle.y -= jump->rise + 0.02f;
		lift->points[2].t = jump->absorbed;
		lift->points[2].foot = held;
		lift->pointCount = 3;
	}
}

static void writeCenter(const Single* jump, rpScore* score)
{
	double up = sqrt(2.0 * GRAVITY * (double)jump->rise), fall = up - GRAVITY * jump->flight;
	rpVec3 over = {SIDE(jump->from) * 0.095f, 0.0f, 0.12f + 0.12f * jump->distance};
	rpQuat turned = rpYaw(jump->angle);
	rpVec3 on =
		rpAdd(score->next.shift,
			  rpRotate(turned, (rpVec3){SIDE(jump->to) * 0.095f, 0.0f, jump->to == jump->from ? 0.09f : 0.045f}));
	rpVec3 meet = rpAdd(on, (rpVec3){0.0f, 0.0f, -0.14f * jump->distance});
	rpVec3 end = rpAdd(score->next.shift, rpRotate(turned, (rpVec3){0.0f, 0.0f, STAND_CENTER_FORWARD}));
	double x = ((double)meet.x - over.x) / jump->flight, z = ((double)meet.z - over.z) / jump->flight;
	const rpKnot rise[] = {
		{.t = 0.15, .p = {STAND_CENTER_HEIGHT}},
		{.t = LOW, .p = {jump->low}, .a = {LOW_TURN}},
		{.t = jump->off, .p = {jump->leaving}, .v = {up}, .a = {-GRAVITY}},
		{.t = jump->down, .p = {jump->meeting}, .v = {fall}, .a = {-GRAVITY}},
		{.t = jump->absorbed, .p = {jump->depth}, .a = {LANDING_TURN}},
		{.t = jump->end, .p = {STAND_CENTER_HEIGHT}},
	};
	const rpKnot path[] = {
		{.t = 0.05, .p = {0.0, 0.0, STAND_CENTER_FORWARD}},
		{.t = FREE_OFF - 0.05, .p = {over.x, 0.0, 0.06}},
		{.t = LOW, .p = {over.x, 0.0, 0.085}},
		{.t = jump->off, .p = {over.x, 0.0, over.z}, .v = {x, 0.0, z}},
		{.t = jump->down, .p = {meet.x, 0.0, meet.z}, .v = {x, 0.0, z}},
		{.t = jump->absorbed + 0.05, .p = {on.x, 0.0, on.z}},
		{.t = jump->closed, .p = {on.x, 0.0, on.z}},
		{.t = jump->end, .p = {end.x, 0.0, end.z}},
	};
	score->riseCount = 6;
	score->pathCount = 8;
	for (int i = 0; i < 8; ++i)
	{
		score->rise[i] = rise[i < 6 ? i : 5];
		score->path[i] = path[i];
	}
}

static void writeBody(const rpPerformance* performance, const Single* jump, rpScore* score)
{
	float swing = performance->manner.armSwing, far = jump->distance;
	double off = jump->off, down = jump->down, low = jump->absorbed + 0.12, end = jump->end - 0.1;
	rpScore_Shape(score, rp_channelLean, 1.0f, {0.2, 0}, {LOW - 0.1, 0.25f}, {off, 0.06f + 0.1f * far}, {down, 0.1f},
				  {low, 0.18f}, {end, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {0.2, 0}, {LOW - 0.1, 0.2f}, {off, -0.03f}, {down, 0.08f},
				  {low, 0.18f}, {end, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {0.2, 0}, {LOW - 0.1, -0.1f}, {off, -0.05f}, {low, -0.1f}, {end, 0});
	rpScore_Shape(score, rp_channelPelvisRoll, -SIDE(jump->to), {0.2, 0}, {LOW, 0.04f}, {low, 0.05f}, {end, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, swing, {0.2, 0}, {LOW - 0.25, -0.45f}, {off + 0.08, 1.05f},
				  {down, 0.7f}, {low, 0.4f}, {end, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {0.2, 0}, {LOW, 0.25f}, {down, 0.5f}, {low, 0.45f},
				  {end, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {0.2, 0}, {LOW, 0.5f}, {off, 0.9f}, {low, 0.6f}, {end, 0});
}

static void writeSingle(const rpPerformance* performance, rpScore* score)
{
	float angle = performance->parameters[rp_paramAngle];
	score->repeats = true;
	score->period = 3.3;
	score->next = (rpFrame){{0.0f, 0.0f, performance->parameters[rp_paramDistance]}, angle};
	Single jump = makeSingle(performance, score);
	rpScore_Turn(score, jump.off, jump.down, angle);
	writeFeet(performance, &jump, score);
	writeCenter(&jump, score);
	writeBody(performance, &jump, score);
	rpScore_AddStand(score, -INFINITY, 0.05);
	rpScore_AddStand(score, jump.end, INFINITY);
	rpScore_AddEvent(score, "half_cycle", jump.off + sqrt(2.0 * (double)jump.rise / (double)GRAVITY));
}

static float getStretch(const rpPerformance* performance, const rpScore* score, int side, double t)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	rpScore_Settle(score, performance, t, &plan, world);
	return rpBodyPlan_GetStretch(&plan, side);
}

static float measureLeaving(const rpPerformance* performance, const rpScore* score)
{
	Single jump = makeSingle(performance, score);
	return getStretch(performance, score, jump.from, jump.off);
}

static float measureMeeting(const rpPerformance* performance, const rpScore* score)
{
	Single jump = makeSingle(performance, score);
	return getStretch(performance, score, jump.to, jump.down);
}

static bool prepareSingle(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeSingle, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeSingle, measureLeaving, LEAVING_STRETCH);
	rpScore_Fit(score, performance, 1, writeSingle, measureMeeting, MEETING_STRETCH);
	return rpPerformance_PlayScore(performance, error);
}

const rpActRow rp_singleJumpRows[] = {
	{
		.act = rp_actHop,
		.seconds = 3.3,
		.ranges = {[rp_paramFoot] = {0.0f, 1.0f, 1.0f},
				   [rp_paramDistance] = {0.0f, 0.3f, 0.6f},
				   [rp_paramAngle] = {-0.8f, 0.0f, 0.8f}},
		.prepare = prepareSingle,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actLeap,
		.seconds = 3.3,
		.ranges = {[rp_paramFoot] = {0.0f, 0.0f, 1.0f}, [rp_paramDistance] = {0.6f, 0.75f, 0.9f}},
		.prepare = prepareSingle,
		.plan = rpPerformance_PlanScore,
	},
	{.act = rp_actCount},
};
