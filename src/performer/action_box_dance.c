/// Dancing from foot to foot as boxers do, on the balls of the feet, fists up, turning: a small hop at every step.
///
/// It begins and ends standing at ease: the right foot is set back, the left one leaves, and the dance begins with a
/// hop onto it; in the end the foot in the air is set down beside the other one, and that one follows.
#include "performer/stage.h"

#include "reprise/play/extend.h"

// Seconds from foot to foot, and those of them that no foot is on the ground.
#define BOX_STEP 0.42
#define BOX_FLIGHT 0.1
#define BOX_STANCE (BOX_STEP - BOX_FLIGHT)
// When the right foot leaves and is set back, the left one leaves, and the first hop lands on it.
#define SET_OFF 0.45
#define SET_DOWN 0.75
#define LEFT_OFF 1.0
#define FIRST_HOP 1.36
// From the middle of the last stance, seconds: the other foot is down, the last one leaves, is down, and all is calm.
#define CLOSE_DOWN 0.32
#define CLOSE_OFF 0.62
#define CLOSED 0.92
#define CALM 1.5
// The centre of mass: its height when feet leave and meet the ground, how far it sinks, how far ahead of the ankles it
// is, and how far to the side of the middle it is then and at its farthest.
#define BOX_HEIGHT 0.945
#define BOX_SINK 0.035
#define BOX_AHEAD 0.12f
#define BOX_ASIDE 0.03f
#define BOX_FARTHEST 0.085f

/// The k-th hop lands on the left foot when k is even, at first + k * step; there are hops 0 to count - 1, and what the
/// first one leaves from is numbered -1.
typedef struct BoxDance
{
	double step, first;
	/// Radians per step.
	float turn;
	int count;
} BoxDance;

static float getTurn(const BoxDance* dance, int k)
{
	return dance->turn * (float)(k < 0 ? 0 : k < dance->count ? k : dance->count - 1);
}

// A place of the k-th step in the world: that far to its own side, and forwards.
static rpVec3 getPlace(const BoxDance* dance, int k, float aside, float forwards)
{
	float side = (k & 1) == 0 ? 1.0f : -1.0f;
	return rpRotate(rpYaw(getTurn(dance, k)), (rpVec3){side * aside, 0.0f, forwards});
}

// The middle of the k-th stance.
static double getMiddle(const BoxDance* dance, int k)
{
	return dance->first + (k + 0.5 * BOX_STANCE / BOX_STEP) * dance->step;
}

static rpStance makeStance(const rpPerformance* performance, const BoxDance* dance, int k)
{
	int side = k & 1;
	uint64_t seed = performance->manner.seed;
	float vary = 0.008f * performance->manner.variation * rpChance(seed, 60 + side, k);
	// The left foot stands before the right one.
	rpVec3 ball = getPlace(dance, k, 0.105f + vary, BOX_AHEAD + (side == 0 ? 0.06f : -0.06f));
	double start = dance->first + k * dance->step, scale = dance->step / BOX_STEP;
	rpStance stance =
		rpMakeFlatStance(side, start, start + BOX_STANCE * scale, ball, getTurn(dance, k) - (side == 0 ? 0.1f : 0.5f));
	stance.flat = start + 0.12 * scale;
	stance.lift = start + 0.16 * scale;
	stance.strikePitch = 0.42f;
	stance.flatPitch = 0.22f;
	stance.liftPitch = 0.5f;
	stance.clear = 0.03f;
	return stance;
}

// Standing at ease, facing as at step k.
static rpStance makeEase(const rpPerformance* performance, const BoxDance* dance, int side, int k, double strike,
						 double off)
{
	rpStance stance = rpPerformance_MakeEaseStance(performance, side, strike, off);
	stance.ball = rpRotate(rpYaw(getTurn(dance, k)), stance.ball);
	stance.heading += getTurn(dance, k);
	return stance;
}

// How the feet get from standing at ease to where the first hop leaves from.
static bool layBeginning(rpPerformance* performance, const BoxDance* dance, rpError* error)
{
	rpStance left = makeEase(performance, dance, 0, 0, -INFINITY, LEFT_OFF);
	rpStance right = makeEase(performance, dance, 1, 0, -INFINITY, SET_OFF);
	rpStance set = makeStance(performance, dance, -1);
	left.lift = LEFT_OFF - 0.2;
	right.lift = SET_OFF - 0.15;
	left.liftPitch = right.liftPitch = 0.3f;
	set.strike = SET_DOWN;
	set.flat = SET_DOWN + 0.14;
	return rpPerformance_AddStance(performance, &left, error) && rpPerformance_AddStance(performance, &right, error) &&
		   rpPerformance_AddStance(performance, &set, error) &&
		   rpPerformance_AddStand(performance, -INFINITY, 0.1, error);
}

// The last hop's foot waits for the other one to be set down beside it, then is set itself.
static bool layEnd(rpPerformance* performance, const BoxDance* dance, rpError* error)
{
	int last = dance->count - 1;
	double middle = getMiddle(dance, last);
	rpStance foot = makeStance(performance, dance, last);
	rpStance other = makeEase(performance, dance, 1 - (last & 1), last, middle + CLOSE_DOWN, INFINITY);
	rpStance own = makeEase(performance, dance, last & 1, last, middle + CLOSED, INFINITY);
	foot.off = middle + CLOSE_OFF;
	foot.lift = foot.off - 0.15;
	other.strikePitch = own.strikePitch = 0.25f;
	other.flat = other.strike + 0.16;
	own.flat = own.strike + 0.14;
	return rpPerformance_AddStance(performance, &foot, error) && rpPerformance_AddStance(performance, &other, error) &&
		   rpPerformance_AddStance(performance, &own, error) &&
		   rpPerformance_AddStand(performance, middle + CALM, INFINITY, error);
}

static bool prepareBoxDance(rpPerformance* performance, rpError* error)
{
	BoxDance* dance = rpAllocate(1, sizeof(BoxDance), error);
	performance->state = dance;
	if (dance == NULL)
	{
		return false;
	}
	dance->step = BOX_STEP / (double)performance->manner.cadence;
	dance->first = FIRST_HOP;
	dance->turn = 0.5f * performance->parameters[rp_paramAngle];
	double left = performance->seconds - FIRST_HOP - 0.5 * BOX_STANCE - CALM - 0.1;
	dance->count = 1 + (int)fmax(floor(left / dance->step), 0.0);
	bool ok = layBeginning(performance, dance, error);
	for (int k = 0; ok && k < dance->count; ++k)
	{
		rpStance stance = makeStance(performance, dance, k);
		double peak = stance.strike - 0.5 * BOX_FLIGHT * dance->step / BOX_STEP;
		ok = (k + 1 == dance->count || rpPerformance_AddStance(performance, &stance, error)) &&
			 rpPerformance_AddEvent(performance, "half_cycle", peak, error);
	}
	return ok && layEnd(performance, dance, error);
}

static void setPlace(rpKnot* knot, rpVec3 place, rpVec3 velocity)
{
	knot->p[0] = place.x;
	knot->p[2] = place.z;
	knot->v[0] = velocity.x;
	knot->v[2] = velocity.z;
}

static rpVec3 getFarthest(const BoxDance* dance, int k)
{
	return getPlace(dance, k, BOX_FARTHEST, (k & 1) == 0 ? 0.19f : 0.08f);
}

static rpKnot makeLow(const BoxDance* dance, int k)
{
	rpKnot knot = {.t = getMiddle(dance, k), .p = {0.0, BOX_HEIGHT - BOX_SINK}, .a = {0.0, 8.0}};
	setPlace(&knot, getFarthest(dance, k), rpVec3_zero);
	return knot;
}

// The centre of mass in the k-th step: it meets the ground, sinks aside, leaves it, and falls freely to the next one.
static rpVec3 getCenter(const BoxDance* dance, int k, double t)
{
	double scale = dance->step / BOX_STEP, flight = BOX_FLIGHT * scale, start = dance->first + k * dance->step;
	double speed = 0.5 * GRAVITY * flight;
	rpVec3 meet = getPlace(dance, k, BOX_ASIDE, BOX_AHEAD), next = getPlace(dance, k + 1, BOX_ASIDE, BOX_AHEAD);
	rpVec3 before = getPlace(dance, k - 1, BOX_ASIDE, BOX_AHEAD);
	rpVec3 in = rpScale(1.0f / (float)flight, rpSub(meet, before));
	rpVec3 out = rpScale(1.0f / (float)flight, rpSub(next, meet));
	rpKnot knots[4] = {
		{.t = start, .p = {0.0, BOX_HEIGHT}, .v = {0.0, -speed}, .a = {0.0, -GRAVITY}},
		makeLow(dance, k),
		{.t = start + BOX_STANCE * scale, .p = {0.0, BOX_HEIGHT}, .v = {0.0, speed}, .a = {0.0, -GRAVITY}},
		{.t = start + dance->step, .p = {0.0, BOX_HEIGHT}, .v = {0.0, -speed}, .a = {0.0, -GRAVITY}},
	};
	setPlace(knots, meet, in);
	setPlace(knots + 2, meet, out);
	setPlace(knots + 3, next, out);
	return rpSampleKnots(knots, 4, t);
}

static rpKnot makeRest(double t, rpVec3 place, double height)
{
	return (rpKnot){.t = t, .p = {(double)place.x, height, (double)place.z}};
}

// Into the dance: over the left foot while the right one is set, then over that one and down.
static rpVec3 getBeginning(const BoxDance* dance, double t)
{
	rpVec3 ease = {0.0f, 0.0f, STAND_CENTER_FORWARD}, left = {0.09f, 0.0f, 0.05f};
	rpKnot knots[5] = {makeRest(0.1, ease, STAND_CENTER_HEIGHT), makeRest(SET_OFF - 0.02, left, 0.975),
					   makeRest(SET_DOWN - 0.05, left, 0.965), makeRest(LEFT_OFF, getFarthest(dance, -1), 0.935),
					   makeLow(dance, -1)};
	knots[1].v[1] = knots[2].v[1] = -0.09;
	knots[3].v[1] = -0.35;
	return rpSampleKnots(knots, 5, t);
}

// Out of it: up, over the foot that was set down, then between both.
static rpVec3 getEnd(const BoxDance* dance, double t)
{
	int last = dance->count - 1;
	double middle = getMiddle(dance, last);
	float side = (last & 1) == 0 ? 1.0f : -1.0f;
	rpQuat turn = rpYaw(getTurn(dance, last));
	rpVec3 over = rpRotate(turn, (rpVec3){side * -0.09f, 0.0f, 0.05f});
	rpVec3 ease = rpRotate(turn, (rpVec3){0.0f, 0.0f, STAND_CENTER_FORWARD});
	rpKnot knots[5] = {makeLow(dance, last), makeRest(middle + CLOSE_DOWN - 0.06, getFarthest(dance, last), 0.945),
					   makeRest(middle + CLOSE_OFF, over, 0.965), makeRest(middle + CLOSED, over, 0.965),
					   makeRest(middle + CALM, ease, STAND_CENTER_HEIGHT)};
	knots[2].v[1] = knots[3].v[1] = 0.06;
	return rpSampleKnots(knots, 5, t);
}

// x from 0 on, nothing before, with a smooth beginning around 0: the integral of rpEase from -0.5 to 0.5.
static double rampUp(double x)
{
	double s = fmin(fmax(x + 0.5, 0.0), 1.0), s4 = s * s * s * s;
	return s4 * (s * (s - 3.0) + 2.5) + fmax(x - 0.5, 0.0);
}

static void planGuard(const rpPerformance* performance, double t, float bob, rpBodyPlan* plan)
{
	const rpManner* manner = &performance->manner;
	for (int side = 0; side < 2; ++side)
	{
		float loose = manner->variation * rpNoise(manner->seed, 64 + side, 1.3 * t);
		plan->arms[side] = (rpArmPlan){.swing = (side == 0 ? 0.95f : 0.7f) + 0.06f * bob + 0.08f * loose,
									   .spread = 0.2f,
									   .twist = 0.35f,
									   .elbow = (side == 0 ? 1.95f : 2.15f) + 0.08f * bob + 0.06f * loose,
									   .wrist = 0.1f};
	}
}

// Trunk and arms of a dancer.
static void planBody(const rpPerformance* performance, const BoxDance* dance, double t, rpBodyPlan* plan)
{
	const rpManner* manner = &performance->manner;
	double cycle = (t - getMiddle(dance, 0)) / dance->step;
	// 1 in the middle of the left foot's stance; bob is up in flight; both grow and fade with the hops.
	float hops = rpEaseInOut(LEFT_OFF, FIRST_HOP, getMiddle(dance, dance->count - 1) - 0.1,
							 getMiddle(dance, dance->count - 1) + CLOSE_DOWN, t);
	float left = hops * cosf((float)(RP_PI * fmod(cycle, 2.0)));
	float bob = -hops * cosf((float)(2.0 * RP_PI * fmod(cycle, 1.0)));
	plan->pelvisTurn = -0.3f + 0.06f * left;
	plan->pelvisRoll = 0.04f * left;
	plan->lean = 0.1f + manner->lean;
	plan->trunkTurn = -0.4f - 0.05f * left;
	plan->trunkBend = 0.16f - 0.03f * bob;
	plan->trunkSide = -0.03f * left;
	plan->headNod = -0.06f + manner->nod;
	plan->headTurn = 0.1f * manner->variation * rpNoise(manner->seed, 66, 0.6 * t);
	planGuard(performance, t, bob, plan);
}

static void planBoxDance(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const BoxDance* dance = performance->state;
	int last = dance->count - 1;
	double begun = getMiddle(dance, -1), ended = getMiddle(dance, last), x = (t - dance->first) / dance->step;
	rpPerformance_PlanStand(performance, t, plan);
	rpBodyPlan boxing = *plan;
	planBody(performance, dance, t, &boxing);
	rpVec3 sway = {plan->center.x, 0.0f, plan->center.z - STAND_CENTER_FORWARD};
	float on = rpEaseInOut(0.2, LEFT_OFF, ended, ended + CLOSED + 0.2, t);
	float stands = 1.0f - rpEaseInOut(0.05, SET_OFF, ended + CLOSED, ended + CALM, t);
	rpBlendPlans(plan, &boxing, on, plan);
	plan->heading = dance->turn * (float)(rampUp(x) - rampUp(x - last));
	plan->center = t < begun   ? getBeginning(dance, t)
				   : t > ended ? getEnd(dance, t)
							   : getCenter(dance, (int)floor(x), t);
	plan->center = rpMulAdd(plan->center, stands, rpRotate(rpYaw(plan->heading), sway));
	plan->pelvis = rpAdd(plan->center, (rpVec3){0.0f, -0.03f, 0.0f});
	plan->holds[1] = true;
	plan->legReach = STAND_REACH;
}

const rpActRow rp_boxDanceRows[] = {
	{
		.act = rp_actBoxDance,
		.seconds = 6.5,
		.ranges = {[rp_paramAngle] = {(float)(-RP_PI / 6.0), 0.0f, (float)(RP_PI / 4.0)}},
		.prepare = prepareBoxDance,
		.plan = planBoxDance,
	},
	{.act = rp_actCount},
};
