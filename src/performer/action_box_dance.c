/// Dancing from foot to foot as boxers do, on the balls of the feet, fists up, turning: a small hop at every step.
#include "performer/stage.h"

#include "base/memory.h"

// Seconds from foot to foot, and those of them that no foot is on the ground.
#define BOX_STEP 0.42
#define BOX_FLIGHT 0.1
#define BOX_STANCE (BOX_STEP - BOX_FLIGHT)
// The centre of mass: its height when feet leave and meet the ground, how far it sinks, and how far to the side of the
// middle it is then and at its farthest.
#define BOX_HEIGHT 0.925
#define BOX_SINK 0.035
#define BOX_ASIDE 0.03f
#define BOX_FARTHEST 0.085f

/// The k-th step is on the left foot when k is even, from k * step on.
typedef struct BoxDance
{
	double step;
	/// Radians per step.
	float turn;
} BoxDance;

// A place of the k-th step in the world: that far to its own side, and forwards.
static rpVec3 getPlace(const BoxDance* dance, int k, float aside, float forwards)
{
	float side = (k & 1) == 0 ? 1.0f : -1.0f;
	return rpRotate(rpYaw(dance->turn * (float)k), (rpVec3){side * aside, 0.0f, forwards});
}

static rpStance makeStance(const rpPerformance* performance, const BoxDance* dance, int k)
{
	int side = k & 1;
	uint64_t seed = performance->manner.seed;
	float vary = 0.008f * performance->manner.variation * rpChance(seed, 60 + side, k);
	// The left foot stands before the right one.
	rpVec3 ball = getPlace(dance, k, 0.105f + vary, 0.12f + (side == 0 ? 0.06f : -0.06f));
	double start = k * dance->step, scale = dance->step / BOX_STEP;
	rpStance stance = rpMakeFlatStance(side, start, start + BOX_STANCE * scale, ball,
									   dance->turn * (float)k - (side == 0 ? 0.1f : 0.5f));
	stance.flat = start + 0.12 * scale;
	stance.lift = start + 0.16 * scale;
	stance.strikePitch = 0.42f;
	stance.flatPitch = 0.22f;
	stance.liftPitch = 0.5f;
	stance.clear = 0.03f;
	return stance;
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
	dance->turn = 0.5f * performance->parameters[rp_paramAngle];
	bool ok = true;
	for (int k = -4; ok && k * dance->step < performance->seconds + 4.0 * dance->step; ++k)
	{
		rpStance stance = makeStance(performance, dance, k);
		double peak = k * dance->step - 0.5 * BOX_FLIGHT * dance->step / BOX_STEP;
		ok = rpPerformance_AddStance(performance, &stance, error) &&
			 rpPerformance_AddEvent(performance, "half_cycle", peak, error);
	}
	return ok;
}

static void setWay(rpKnot* knot, rpVec3 place, rpVec3 velocity)
{
	knot->p[0] = place.x;
	knot->p[2] = place.z;
	knot->v[0] = velocity.x;
	knot->v[2] = velocity.z;
}

// The centre of mass in the k-th step: it meets the ground, sinks aside, leaves it, and falls freely to the next one.
static rpVec3 getCenter(const BoxDance* dance, int k, double t)
{
	double scale = dance->step / BOX_STEP, flight = BOX_FLIGHT * scale, start = k * dance->step;
	double speed = 0.5 * GRAVITY * flight;
	rpVec3 meet = getPlace(dance, k, BOX_ASIDE, 0.12f), next = getPlace(dance, k + 1, BOX_ASIDE, 0.12f);
	rpVec3 before = getPlace(dance, k - 1, BOX_ASIDE, 0.12f),
		   far = getPlace(dance, k, BOX_FARTHEST, (k & 1) == 0 ? 0.19f : 0.08f);
	rpVec3 in = rpScale(1.0f / (float)flight, rpSub(meet, before));
	rpVec3 out = rpScale(1.0f / (float)flight, rpSub(next, meet));
	rpKnot knots[4] = {
		{.t = start, .p = {0.0, BOX_HEIGHT}, .v = {0.0, -speed}, .a = {0.0, -GRAVITY}},
		{.t = start + 0.5 * BOX_STANCE * scale, .p = {0.0, BOX_HEIGHT - BOX_SINK}, .a = {0.0, 8.0}},
		{.t = start + BOX_STANCE * scale, .p = {0.0, BOX_HEIGHT}, .v = {0.0, speed}, .a = {0.0, -GRAVITY}},
		{.t = start + dance->step, .p = {0.0, BOX_HEIGHT}, .v = {0.0, -speed}, .a = {0.0, -GRAVITY}},
	};
	setWay(knots, meet, in);
	setWay(knots + 1, far, rpVec3_zero);
	setWay(knots + 2, meet, out);
	setWay(knots + 3, next, out);
	return rpSampleKnots(knots, 4, t);
}

static void planGuard(const rpPerformance* performance, double t, float bob, rpBodyPlan* plan)
{
	const rpManner* manner = &performance->manner;
	for (int side = 0; side < 2; ++side)
	{
		float loose = manner->variation * rpNoise(manner->seed, 64 + side, 1.3 * t);
		plan->arms[side] = (rpArmPlan){.swing = (side == 0 ? 0.95f : 0.7f) + 0.06f * bob + 0.08f * loose,
									   .spread = 0.2f,
									   .twist = -0.4f,
									   .elbow = (side == 0 ? 1.95f : 2.15f) + 0.08f * bob + 0.06f * loose,
									   .wrist = 0.1f};
	}
}

static void planBoxDance(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const BoxDance* dance = performance->state;
	const rpManner* manner = &performance->manner;
	int k = (int)floor(t / dance->step);
	double cycle = t / dance->step - 0.5 * BOX_STANCE / BOX_STEP;
	// 1 in the middle of the left foot's stance; bob is up in flight.
	float left = cosf((float)(RP_PI * fmod(cycle, 2.0))), bob = -cosf((float)(2.0 * RP_PI * fmod(cycle, 1.0)));
	rpPerformance_PlanFeet(performance, t, plan);
	plan->heading = dance->turn * (float)(t / dance->step);
	plan->center = getCenter(dance, k, t);
	plan->pelvis = rpAdd(plan->center, (rpVec3){0.0f, -0.03f, 0.0f});
	plan->holds[0] = plan->holds[1] = plan->holds[2] = true;
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

const rpActRow rp_boxDanceRows[] = {
	{
		.act = rp_actBoxDance,
		.seconds = 4.0,
		.ranges = {[rp_paramAngle] = {(float)(-RP_PI / 6.0), 0.0f, (float)(RP_PI / 4.0)}},
		.prepare = prepareBoxDance,
		.plan = planBoxDance,
	},
	{.act = rp_actCount},
};
