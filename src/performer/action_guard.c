/// Acts of a boxer that begin and end in one guard: punches with a step, ducks, and turns by a small hop.
///
/// Each marks its core by the events "core_start" and "core_end"; before and after it the guard is kept still, so that
/// any of them can follow any other.
#include "performer/guard.h"

// How long the guard is kept before anything moves, seconds, and how much of that belongs to the core.
#define LEAD_IN 0.8
#define BEFORE_CORE 0.06
#define PUNCH_LENGTH 3.0
#define DANCE_LENGTH 2.6
#define DUCK_LENGTH 4.0
// From the beginning to the latest moment at which both feet push, and from the deepest point of that to leaving.
#define PUSH 0.38
#define RISE 0.17
// The same from being down to the lowest point after it, and the acceleration at both lowest points, m/s².
#define ABSORB 0.16
#define LOW_TURN 2.0
// After a turn: the weight is where it shall be so long after the last foot is down; all is still so long after that.
#define CALM 0.2
#define SETTLE 0.38
// How far the weight goes ahead with the fist at most, metres.
#define LUNGE 0.2f
// The fist leaves when the first foot is down, and is at the target and back so long after; longer by this for every
// metre of the step.
#define STRIKE 0.295
#define DRAW_BACK 0.45
#define FAR_ARM 0.1
#define FIST_STRETCH 0.975f
// How much of the way to a target aside the guard turns, the trunk does the rest.
#define TURNED 0.85f

/// A hop from one guard to the next: where that is, and when (from the beginning) the left foot leaves, the right one
/// does, the left one is down, the right one is, the weight is there, the guard is kept again.
typedef struct Hop
{
	rpFrame next;
	double start, leave, off, down, stood, calm, end;
} Hop;

// How far a hop goes; smooth where it goes nowhere, as steps ahead and back are alike there.
static double getFar(rpVec3 shift)
{
	return sqrt((double)rpDot(shift, shift) + 9e-4) - 0.03;
}

// The farther it goes, the longer one foot is behind the other one.
static Hop makeHop(rpFrame next, double flight, double lag)
{
	double far = getFar(next.shift);
	Hop hop = {.next = next, .start = LEAD_IN};
	hop.leave = hop.start + PUSH - 0.5 * lag;
	// A foot that turns far takes its time, too.
	double turned = (double)(next.turn * next.turn);
	hop.off = hop.leave + lag * (1.0 + turned) + 0.22 * far;
	hop.down = hop.off + flight + 0.04 * turned - 0.06 * far;
	hop.stood = hop.down + lag * (1.0 + 0.4 * turned) + 0.33 * far;
	hop.calm = hop.stood + CALM;
	hop.end = hop.calm + SETTLE;
	return hop;
}

static void writeHopFeet(const rpPerformance* performance, const Hop* hop, rpScore* score)
{
	rpFrame here = {0};
	double far = getFar(hop->next.shift);
	for (int side = 0; side < 2; ++side)
	{
		double off = side == 0 ? hop->leave : hop->off, down = side == 0 ? hop->down : hop->stood;
		rpStance* leave = rpScore_AddGuardStance(score, performance, side, -INFINITY, off, here);
		leave->lift = off - 0.18 - (side == 0 ? 0.0 : 0.2 * far);
		leave->liftPitch = side == 0 ? 0.2f : 0.4f + 0.7f * (float)far;
		leave->clear = 0.02f;
		rpStance* meet = rpScore_AddGuardStance(score, performance, side, down, INFINITY, hop->next);
		meet->strikePitch += 0.15f;
		meet->flat = down + 0.12;
		score->swings[side][0].loose = 1.0f;
	}
}

// How far it goes between rest and a speed in that time, in the smoothest manner; see rpGetBrakeTime.
static double getBrakeDistance(double time, double speed)
{
	return (GRAVITY + LOW_TURN) / 12.0 * time * time + 0.5 * speed * time;
}

// The centre of mass: both feet push it up and ahead, it flies and is taken up.
static void writeHopCenter(const Hop* hop, float lunge, rpScore* score)
{
	double flight = hop->down - hop->off, climb = 0.5 * GRAVITY * flight;
	double before = hop->off - hop->start, after = hop->calm - hop->down;
	rpVec3 shift = hop->next.shift;
	rpVec3 there = rpAdd(shift, rpRotate(rpYaw(hop->next.turn), (rpVec3){0.0f, 0.0f, lunge}));
	rpVec3 speed = rpScale(1.0f / (float)(0.5 * before + flight + 0.5 * after), there);
	rpVec3 up = rpScale((float)(0.5 * before), speed), down = rpScale((float)(0.5 * before + flight), speed);
	// Whoever goes far is low, so that the leg behind reaches.
	double level = GUARD_HEIGHT - 0.17 * getFar(shift);
	double low = level - getBrakeDistance(RISE, climb), deepest = level - getBrakeDistance(ABSORB, climb);
	const rpKnot rise[] = {
		{.t = hop->start - 0.08, .p = {GUARD_HEIGHT}},
		{.t = hop->off - RISE, .p = {low}, .a = {LOW_TURN}},
		{.t = hop->off, .p = {level}, .v = {climb}, .a = {-GRAVITY}},
		{.t = hop->down, .p = {level}, .v = {-climb}, .a = {-GRAVITY}},
		{.t = hop->down + ABSORB, .p = {deepest}, .a = {LOW_TURN}},
		{.t = hop->end, .p = {GUARD_HEIGHT}},
	};
	const rpKnot path[] = {
		{.t = hop->start, .p = {0.0}},
		{.t = hop->off, .p = {up.x, 0.0, up.z}, .v = {speed.x, 0.0, speed.z}},
		{.t = hop->down, .p = {down.x, 0.0, down.z}, .v = {speed.x, 0.0, speed.z}},
		{.t = hop->calm, .p = {there.x, 0.0, there.z}},
		{.t = hop->end, .p = {shift.x, 0.0, shift.z}},
	};
	score->riseCount = 6;
	score->pathCount = 5;
	for (int i = 0; i < 6; ++i)
	{
		score->rise[i] = rise[i];
		score->path[i] = path[i < 5 ? i : 4];
	}
}

static void writeHop(const rpPerformance* performance, const Hop* hop, float lunge, rpScore* score)
{
	score->guarded = score->repeats = true;
	score->next = hop->next;
	writeHopFeet(performance, hop, score);
	writeHopCenter(hop, lunge, score);
	rpScore_Turn(score, hop->off, hop->down, hop->next.turn);
	rpScore_AddStand(score, -INFINITY, hop->start);
	rpScore_AddStand(score, hop->end, INFINITY);
	rpScore_AddEvent(score, "core_start", hop->start - BEFORE_CORE);
	rpScore_AddEvent(score, "half_cycle", 0.5 * (hop->off + hop->down));
	rpScore_AddEvent(score, "core_end", hop->end);
}

// ---- punches

// How far the boxer wants to be from the target: the farther it is, the more he reaches.
static float getDistance(float far)
{
	return 0.5f + 0.3f * (far - 0.4f);
}

static Hop makePunch(const rpPerformance* performance)
{
	float side = performance->parameters[rp_paramSide], ahead = performance->parameters[rp_paramReach];
	float aim = atan2f(side, ahead), far = hypotf(side, ahead), step = far - getDistance(far);
	rpVec3 shift = rpRotate(rpYaw(aim), (rpVec3){0.0f, 0.0f, step});
	Hop hop = makeHop((rpFrame){shift, TURNED * aim}, 0.07, 0.05);
	// The weight goes on into the punch.
	hop.calm = hop.down + STRIKE + FAR_ARM * getFar(shift);
	hop.end = hop.calm + DRAW_BACK + 0.07;
	return hop;
}

// The trunk turns into the punch and leans as far as it takes to reach; the jab goes with the left shoulder.
static void writePunchTrunk(rpScore* score, const Hop* hop, bool left, float u)
{
	double wound = hop->down, hit = hop->calm, back = hit + DRAW_BACK;
	float turn = left ? -0.1f - 0.5f * u : 0.35f + 0.75f * u, pelvis = left ? -0.03f - 0.3f * u : 0.2f + 0.45f * u;
	float wind = left ? 0.08f : -0.1f;
	rpScore_Shape(score, rp_channelTrunkTurn, 1.0f, {hop->start, 0}, {wound, wind}, {hit, turn}, {back, 0});
	rpScore_Shape(score, rp_channelPelvisTurn, 1.0f, {hop->start, 0}, {wound, 0.5f * wind}, {hit, pelvis}, {back, 0});
	rpScore_Shape(score, rp_channelLean, 1.0f, {hop->leave - 0.15, 0}, {hit, 0.02f + 0.24f * u}, {back, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {hop->leave - 0.15, 0}, {hit, 0.2f * u}, {back, 0});
	rpScore_Shape(score, rp_channelHeadNod, 1.0f, {hop->leave - 0.15, 0}, {hit, -0.3f * u}, {back, 0});
	int own = left ? rp_channelLeftArm : rp_channelRightArm;
	rpScore_Shape(score, own + rp_armSwing, 1.0f, {hop->start, 0}, {wound, -0.15f}, {back, 0});
	rpScore_Shape(score, own + rp_armShrug, 1.0f, {wound, 0}, {hit, 0.1f}, {back, 0});
}

static int getHand(const rpPerformance* performance)
{
	return performance->parameters[rp_paramHand] > 0.5f ? 1 : 0;
}

static void writePunch(const rpPerformance* performance, rpScore* score)
{
	Hop hop = makePunch(performance);
	int hand = getHand(performance);
	float u = score->efforts[0];
	score->period = PUNCH_LENGTH;
	writeHop(performance, &hop, LUNGE * u, score);
	writePunchTrunk(score, &hop, hand == 0, u);
	rpVec3 elbow = {SIDE(hand) * 0.5f, -1.0f, -0.2f};
	score->grasps[hand] =
		(rpGrasp){.start = hop.down,
				  .arrive = hop.calm,
				  .leave = hop.calm + 0.03,
				  .end = hop.calm + DRAW_BACK,
				  .target = {performance->parameters[rp_paramSide], performance->parameters[rp_paramHeight],
							 performance->parameters[rp_paramReach]},
				  .elbowDirection = rpRotate(rpYaw(hop.next.turn), elbow),
				  .shortOf = 0.5f};
	rpScore_AddEvent(score, "hit", hop.calm);
}

static float measurePunch(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	int hand = getHand(performance);
	rpScore_Settle(score, performance, score->grasps[hand].arrive, &plan, world);
	return rpGetArmStretch(world, hand, score->grasps + hand);
}

static bool preparePunch(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writePunch, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writePunch, measurePunch, FIST_STRETCH);
	return rpPerformance_PlayScore(performance, error);
}

// ---- turns

static void writeDance(const rpPerformance* performance, rpScore* score)
{
	Hop hop = makeHop((rpFrame){.turn = performance->parameters[rp_paramAngle]}, 0.11, 0.0);
	score->period = DANCE_LENGTH;
	writeHop(performance, &hop, 0.0f, score);
	rpScore_Shape(score, rp_channelArms + rp_armSwing, 1.0f, {hop.start, 0}, {hop.off - 0.05, -0.05f},
				  {hop.down, 0.06f}, {hop.calm, 0});
	rpScore_Shape(score, rp_channelTrunkBend, 1.0f, {hop.start, 0}, {hop.off - RISE, 0.04f}, {hop.off, -0.02f},
				  {hop.down + 0.15, 0.04f}, {hop.calm, 0});
}

static bool prepareDance(rpPerformance* performance, rpError* error)
{
	return rpPerformance_MakeScore(performance, writeDance, error) != NULL &&
		   rpPerformance_PlayScore(performance, error);
}

// ---- ducks

// The head's top above its joint.
#define HEAD_TOP 0.17f
// How long going down and coming up take, at least and for the lowest, seconds; how long the head is below.
#define DOWN_TIME 0.42
#define DEEP_TIME 0.5
#define BELOW 0.25

/// When a duck is below, and is over.
typedef struct Duck
{
	double below, leaves, end;
} Duck;

static Duck makeDuck(float u)
{
	double time = DOWN_TIME + DEEP_TIME * (double)u, below = LEAD_IN + time;
	return (Duck){below, below + BELOW, below + BELOW + 1.15 * time};
}

static void writeDuck(const rpPerformance* performance, rpScore* score)
{
	rpFrame here = {0};
	float u = score->efforts[0];
	Duck duck = makeDuck(u);
	score->guarded = score->repeats = true;
	score->period = DUCK_LENGTH;
	rpScore_AddGuardStance(score, performance, 0, -INFINITY, INFINITY, here);
	rpScore_AddGuardStance(score, performance, 1, -INFINITY, INFINITY, here);
	const rpKnot rise[] = {{.t = LEAD_IN, .p = {GUARD_HEIGHT}},
						   {.t = duck.below, .p = {GUARD_HEIGHT - 0.44 * (double)u}},
						   {.t = duck.leaves, .p = {GUARD_HEIGHT - 0.44 * (double)u}},
						   {.t = duck.end, .p = {GUARD_HEIGHT}}};
	for (int i = 0; i < 4; ++i)
	{
		score->rise[i] = rise[i];
		score->path[i] = (rpKnot){.t = rise[i].t};
	}
	score->riseCount = score->pathCount = 4;
	rpScore_Shape(score, rp_channelLean, u, {LEAD_IN, 0}, {duck.below, 0.42f}, {duck.leaves, 0.42f}, {duck.end, 0});
	rpScore_Shape(score, rp_channelTrunkBend, u, {LEAD_IN, 0}, {duck.below, 0.5f}, {duck.leaves, 0.5f}, {duck.end, 0});
	rpScore_Shape(score, rp_channelHeadNod, u, {LEAD_IN, 0}, {duck.below, -0.15f}, {duck.leaves, -0.15f},
				  {duck.end, 0});
	rpScore_Shape(score, rp_channelKneeOut, u, {LEAD_IN, 0}, {duck.below, 0.12f}, {duck.leaves, 0.12f}, {duck.end, 0});
	rpScore_Shape(score, rp_channelArms + rp_armSwing, u, {LEAD_IN, 0}, {duck.below, 0.25f}, {duck.leaves, 0.25f},
				  {duck.end, 0});
	rpScore_AddStand(score, -INFINITY, INFINITY);
	rpScore_AddEvent(score, "core_start", LEAD_IN - BEFORE_CORE);
	rpScore_AddEvent(score, "under", 0.5 * (duck.below + duck.leaves));
	rpScore_AddEvent(score, "core_end", duck.end);
}

static float measureDuck(const rpPerformance* performance, const rpScore* score)
{
	rpBodyPlan plan;
	rpTransform world[rp_performerJointCount];
	Duck duck = makeDuck(score->efforts[0]);
	float highest = 0.0f;
	for (int i = 0; i < 3; ++i)
	{
		rpScore_Settle(score, performance, duck.below + BELOW * i / 2.0, &plan, world);
		highest = fmaxf(highest, rpTransformPoint(world[rp_head], (rpVec3){0.0f, HEAD_TOP, 0.0f}).y);
	}
	return highest - performance->parameters[rp_paramHeight];
}

static bool prepareDuck(rpPerformance* performance, rpError* error)
{
	rpScore* score = rpPerformance_MakeScore(performance, writeDuck, error);
	if (score == NULL)
	{
		return false;
	}
	rpScore_Fit(score, performance, 0, writeDuck, measureDuck, -0.015f);
	return rpPerformance_PlayScore(performance, error);
}

const rpActRow rp_guardRows[] = {
	{
		.act = rp_actGuardPunch,
		.seconds = PUNCH_LENGTH,
		.ranges = {[rp_paramHand] = {0.0f, 1.0f, 1.0f},
				   [rp_paramHeight] = {1.1f, 1.42f, 1.6f},
				   [rp_paramReach] = {0.4f, 0.85f, 1.3f},
				   [rp_paramSide] = {-0.6f, 0.0f, 0.6f}},
		.prepare = preparePunch,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actGuardDuck,
		.seconds = DUCK_LENGTH,
		.ranges = {[rp_paramHeight] = {1.04f, 1.3f, 1.7f}},
		.prepare = prepareDuck,
		.plan = rpPerformance_PlanScore,
	},
	{
		.act = rp_actGuardDance,
		.seconds = DANCE_LENGTH,
		.ranges = {[rp_paramAngle] = {-0.803f, 0.0f, 0.803f}},
		.prepare = prepareDance,
		.plan = rpPerformance_PlanScore,
	},
	{.act = rp_actCount},
};
