/// Jumps from both feet, up or forwards, with or without a turn: a crouch with the arms back, a push over the balls of
/// the feet, free fall, a landing that the knees take up.
///
/// Someone who turns by more than 30 degrees jumps no farther than 0.8 m with limbs as they are; asked for more, the
/// performer does it, but joints go beyond their limits.
#include "performer/jump_form.h"
#include "performer/score.h"

// Times from the start, seconds.
#define CROUCH_START 0.2
#define CROUCH_END 0.88
// Heels do not leave the ground before the body has got going, which is sooner, by so much per metre, in far jumps.
#define PUSH_FROM (CROUCH_END + 0.02)
#define PUSH_SOONER 0.12
#define RISE 1.1
#define JUMP_LENGTH 3.6
// After this many seconds in the air legs may be stretched by that much more.
#define TRAIL 0.035
#define TRAIL_STRETCH 0.055f
// Above 1.75 m nobody's centre of mass leaves the ground with all limbs stretched; below, it is searched.
#define HIGHEST_LEAVING 1.22f
#define LOWEST_LEAVING 0.75f
// The centre's acceleration upwards where it turns round, m/s²: at the end of the crouch and of the landing.
#define CROUCH_TURN 9.0
#define LANDING_TURN 3.0

/// What a jump is about, from its parameters and what was fitted.
typedef struct Jump
{
	rpJumpForm form;
	float distance, angle;
	/// Heights of the centre of mass when the feet leave and meet the ground, and how far it rises between.
	float leaving, meeting, rise;
	/// Its lowest heights, before and after.
	float crouch, depth;
	/// Seconds: when the feet leave, how long they fly, when they meet the ground, when the fall is taken up.
	double off, flight, down, absorbed;
	/// Where the centre leaves and meets.
	rpVec3 from, to;
	/// 1 for a landing forwards, 0 sideways and backwards, times the distance.
	float forwards;
} Jump;

// Where the centre leaves and lands: the farther the jump, the farther behind the feet.
static void placeFlight(Jump* jump, float spin)
{
	const rpJumpForm* form = &jump->form;
	float behind = 0.1f * fminf(jump->distance / 0.7f, 1.0f) + (form->behind - 0.02f * spin) * jump->distance;
	rpVec3 over = rpRotate(rpYaw(jump->angle), (rpVec3){0.0f, 0.0f, 0.077f});
	jump->from = (rpVec3){0.0f, 0.0f, form->ahead + form->aheadPerMetre * jump->distance};
	jump->to = rpAdd(over, (rpVec3){0.0f, 0.0f, jump->distance * (1.0f - behind)});
}

static Jump makeJump(const rpPerformance* performance, const rpScore* score)
{
	Jump jump = {.distance = performance->parameters[rp_paramDistance],
				 .angle = performance->parameters[rp_paramAngle]};
	float spin = fabsf(jump.angle) / (2.0f * (float)RP_PI), highest = HIGHEST_LEAVING;
	jump.form = rpMakeJumpForm(jump.distance, spin);
	const rpJumpForm* form = &jump.form;
	jump.rise = form->rise + form->risePerMetre * jump.distance + form->risePerTurn * spin;
	jump.rise *= 0.5f + 0.5f * performance->manner.bounce;
	jump.leaving = highest - (highest - LOWEST_LEAVING) * score->efforts[0];
	jump.meeting = fminf(highest - (highest - LOWEST_LEAVING) * score->efforts[1], jump.leaving);
	double up = sqrt(2.0 * (double)jump.rise / (double)GRAVITY);
	jump.flight = up + sqrt(2.0 * (double)(jump.rise + jump.leaving - jump.meeting) / (double)GRAVITY);
	jump.forwards = jump.distance * fmaxf(cosf(jump.angle), 0.0f);
	float aside = jump.distance - jump.forwards;
	jump.crouch = STAND_CENTER_HEIGHT - form->crouch - form->crouchPerRise * (jump.rise - 0.2f);
	jump.depth = jump.meeting - form->absorb - form->absorbPerForwards * jump.forwards + form->absorbPerAside * aside;
	jump.depth = fmaxf(jump.depth, form->lowest);
	jump.off = CROUCH_END + rpGetBrakeTime((double)(jump.leaving - jump.crouch), (double)GRAVITY * up, CROUCH_TURN);
	jump.down = jump.off + jump.flight;
	jump.absorbed = jump.down + rpGetBrakeTime((double)(jump.meeting - jump.depth),
											   (double)GRAVITY * (jump.flight - up), LANDING_TURN);
	placeFlight(&jump, spin);
	return jump;
}

// The feet hang from the body, so they rise and fall with it, a little drawn up: pointed while they are behind it,
// drawn up when they go ahead of it to land.
static void hangFoot(const Jump* jump, const rpStance* leave, rpSwing* swing)
{
	const rpJumpForm* form = &jump->form;
	float spin = fminf(fabsf(jump->angle), 6.0f);
	rpFootPlan last = rpStance_PlanFoot(leave, leave->off), flat = rpStance_PlanFoot(leave, 0.0);
	rpFootPlan foot = {.heading = leave->heading,
					   .pitch = form->hangPitch - form->hangPitchPerForwards * jump->forwards};
	foot.ankle = rpLerp(flat.ankle, last.ankle, 0.5f);
	foot.ankle.y =
		last.ankle.y + jump->rise + form->hang + form->hangPerMetre * jump->distance + form->hangPerAngle * spin;
	swing->points[0].t = leave->off + form->hangTime * jump->flight;
	swing->points[0].foot = foot;
	swing->points[0].bend = form->hangBend - form->hangBendPerMetre * jump->distance;
	swing->pointCount = 1;
}

static void writeFeet(const rpPerformance* performance, const Jump* jump, rpScore* score)
{
	const rpJumpForm* form = &jump->form;
	rpFrame here = {0};
	for (int side = 0; side < 2; ++side)
	{
		rpStance* leave = rpScore_AddStance(score, performance, side, -INFINITY, jump->off, here);
		leave->lift = fmax(jump->off - (double)(form->heelLift + form->heelLiftPerMetre * jump->distance),
						   PUSH_FROM - PUSH_SOONER * fmax((double)(jump->distance - JUMP_FAR), 0.0));
		leave->liftPitch = form->liftPitch;
		leave->brisk = form->liftBrisk;
		leave->clear = 0.0f;
		rpStance* meet = rpScore_AddStance(score, performance, side, jump->down, INFINITY, score->next);
		meet->flat = jump->down + form->flatTime - form->flatTimePerForwards * (double)jump->forwards;
		meet->strikePitch = form->strikePitch - form->strikePitchPerForwards * jump->forwards -
							0.25f * (jump->distance - jump->forwards);
		rpSwing* swing = score->swings[side];
		*swing = (rpSwing){.carry = score->next, .loose = 1.0f};
		swing->brisk = fminf(fmaxf(fabsf(jump->angle) / form->turnBrisk, form->farBrisk * jump->distance), 1.0f);
		swing->pace.leaving = form->leavingPart;
		swing->pace.left = form->leavingDistance;
		swing->pace.rate = form->pace;
		swing->pace.meeting = form->meetingPart;
		swing->pace.missing = form->meetingDistance;
		hangFoot(jump, leave, swing);
	}
}

static void writeCenter(const Jump* jump, rpScore* score)
{
	const rpJumpForm* form = &jump->form;
	double up = sqrt(2.0 * GRAVITY * (double)jump->rise), fall = up - GRAVITY * jump->flight;
	double speedX = ((double)jump->to.x - jump->from.x) / jump->flight;
	double speedZ = ((double)jump->to.z - jump->from.z) / jump->flight;
	rpVec3 end = rpAdd(score->next.shift, rpRotate(rpYaw(jump->angle), (rpVec3){0.0f, 0.0f, STAND_CENTER_FORWARD}));
	const rpKnot rise[] = {
		{.t = CROUCH_START, .p = {STAND_CENTER_HEIGHT}},
		{.t = CROUCH_END, .p = {jump->crouch}, .a = {CROUCH_TURN}},
		{.t = jump->off, .p = {jump->leaving}, .v = {up}, .a = {-GRAVITY}},
		{.t = jump->down, .p = {jump->meeting}, .v = {fall}, .a = {-GRAVITY}},
		{.t = jump->absorbed, .p = {jump->depth}, .a = {LANDING_TURN}},
		{.t = jump->absorbed + RISE, .p = {STAND_CENTER_HEIGHT}},
	};
	// From rest to the flight's speed, and back to it, at about an even rate.
	double low = form->crouchAhead + form->crouchAheadPerMetre * (double)jump->distance;
	double push = fmin(fmax(1.9 * ((double)jump->from.z - low) / fmax(fabs(speedZ), 0.05), 0.25), 0.45);
	double left = hypot((double)(end.x - jump->to.x), (double)(end.z - jump->to.z));
	double brake = fmin(fmax(form->brake * left / fmax(hypot(speedX, speedZ), 0.05), 0.25), 0.9);
	const rpKnot path[] = {
		{.t = CROUCH_START, .p = {0.0, 0.0, STAND_CENTER_FORWARD}},
		{.t = jump->off - push, .p = {0.0, 0.0, low}},
		{.t = jump->off, .p = {0.0, 0.0, jump->from.z}, .v = {speedX, 0.0, speedZ}},
		{.t = jump->down, .p = {jump->to.x, 0.0, jump->to.z}, .v = {speedX, 0.0, speedZ}},
		{.t = jump->down + brake, .p = {end.x, 0.0, end.z}},
	};
	for (int i = 0; i < 6; ++i)
	{
		score->rise[i] = rise[i];
		score->path[i] = path[i < 5 ? i : 4];
	}
	score->riseCount = 6;
	score->pathCount = 5;
}

static void writeBody(const rpPerformance* performance, const Jump* jump, rpScore* score)
{
	const rpJumpForm* form = &jump->form;
	double off = jump->off, down = jump->down, low = jump->absorbed, up = low + RISE - 0.1;
	double middle = off + 0.5 * jump->flight, bowed = low + form->bowTime;
	float far = jump->distance, swing = 0.5f + 0.5f * performance->manner.armSwing;
	float side = jump->angle < 0.0f ? -1.0f : 1.0f, wind = side * fminf(0.4f * fabsf(jump->angle), 1.0f);
	rpScore_Shape(score, rp_channelLean, 1.0f, {CROUCH_START, 0},
				  {CROUCH_END - form->uncurl, form->crouchLean + 0.08f * far}, {off, form->leaveLean * far},
				  {middle, 0.05f * far}, {down, form->meetLean + form->meetLeanPerForwards * jump->forwards},
				  {bowed, form->bowLean + 0.1f * jump->forwards}, {up, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {CROUCH_START, 0}, {CROUCH_END - form->uncurl, 0.4f},
				  {off, form->leaveBend}, {middle, 0.08f * far}, {down, form->meetBend + 0.12f * jump->forwards},
				  {bowed, 0.3f}, {up, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {CROUCH_START, 0}, {CROUCH_END - form->uncurl, -0.4f}, {off, -0.12f},
				  {down, 0.0f}, {bowed, -0.25f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, swing, {CROUCH_START, 0},
				  {CROUCH_END - form->backTime, form->back}, {off + form->upTime, form->up}, {down, 1.0f},
				  {bowed + 0.1, 0.55f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSpread, 1.0f, {CROUCH_START, 0}, {CROUCH_END, 0.05f}, {off, 0.12f},
				  {down, 0.35f}, {bowed, 0.3f}, {up, 0});
	rpScore_Shape(score, rp_channelArms + rp_armElbow, 1.0f, {CROUCH_START, 0}, {CROUCH_END, form->crouchElbow},
				  {off - form->pushElbowTime, form->pushElbow}, {off + 0.16, 0.35f}, {down, 0.35f}, {bowed, 0.45f},
				  {up, 0});
	rpScore_Shape(score, rp_channelTrunkTurn, wind, {CROUCH_START, 0}, {CROUCH_END, -0.35f}, {off + 0.1, 0.35f},
				  {down, -0.1f}, {up, 0});
	rpScore_Shape(score, rp_channelHeadTurn, wind, {CROUCH_START, 0}, {CROUCH_END, -0.1f}, {off + 0.1, 0.7f},
				  {down, 0.25f}, {up - 0.4, 0});
}

static void writeJump(const rpPerformance* performance, rpScore* score)
{
	Jump jump = makeJump(performance, score);
	score->repeats = true;
	score->period = JUMP_LENGTH;
	score->next = (rpFrame){{0.0f, 0.0f, jump.distance}, jump.angle};
	rpScore_Turn(score, jump.off, jump.down, jump.angle);
	writeFeet(performance, &jump, score);
	writeCenter(&jump, score);
	writeBody(performance, &jump, score);
	rpScore_AddStand(score, -INFINITY, CROUCH_START);
	rpScore_AddStand(score, jump.absorbed + RISE, INFINITY);
	rpScore_AddEvent(score, "half_cycle", jump.off + sqrt(2.0 * (double)jump.rise / (double)GRAVITY));
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
	rpJumpForm form = makeJump(performance, score).form;
	rpScore_Fit(score, performance, 0, writeJump, measureLeaving, form.leavingStretch);
	rpScore_Fit(score, performance, 1, writeJump, measureMeeting, form.meetingStretch);
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
