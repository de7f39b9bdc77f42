/// Dancing freely on the spot: from foot to foot with the beat, hips and shoulders against each other, arms as they
/// like.
#include "performer/stage.h"

#include "base/memory.h"

// Beats per second of the music.
#define BEAT_RATE 1.9
// How much of a beat a foot is in the air when it steps.
#define STEP_PART 0.6
#define FIRST_STEP 1.2

/// The k-th beat is a step of the left foot when k is even: off the ground, and back on another place.
typedef struct Dance
{
	double beat;
	int steps;
} Dance;

static double getBeat(const rpPerformance* performance)
{
	return 1.0 / (BEAT_RATE * (double)performance->manner.cadence);
}

// Where a foot stands after its n-th step: about its place at ease, out and in, a little before and behind.
static rpVec3 getPlace(const rpPerformance* performance, rpVec3 ease, int side, int n, bool last)
{
	uint64_t seed = performance->manner.seed + 5;
	float out = n % 2 == 1 ? 0.035f : 0.0f, back = 0.05f * rpChance(seed, 80 + side, n);
	rpVec3 place = {ease.x + SIDE(side) * out, 0.0f, ease.z + fminf(fmaxf(back, -0.08f), 0.08f)};
	return n == 0 || last ? ease : place;
}

static bool addFeet(rpPerformance* performance, const Dance* dance, int side, rpError* error)
{
	rpStance ease = rpPerformance_MakeEaseStance(performance, side, -INFINITY, INFINITY);
	bool ok = true;
	double down = -INFINITY;
	int count = dance->steps / 2;
	for (int n = 0; ok && n <= count; ++n)
	{
		double off = FIRST_STEP + (2 * n + side) * dance->beat;
		rpStance stance = ease;
		stance.ball = getPlace(performance, ease.ball, side, n, n == count);
		stance.strike = down;
		stance.flat = n == 0 ? down : down + 0.12;
		stance.strikePitch = n == 0 ? 0.0f : 0.3f;
		stance.off = n == count ? INFINITY : off;
		stance.lift = n == count ? INFINITY : off - 0.14;
		stance.liftPitch = 0.3f;
		stance.clear = 0.05f;
		ok = rpPerformance_AddStance(performance, &stance, error);
		down = off + STEP_PART * dance->beat;
	}
	return ok;
}

static bool prepareDance(rpPerformance* performance, rpError* error)
{
	Dance* dance = rpAllocate(1, sizeof(Dance), error);
	performance->state = dance;
	if (dance == NULL)
	{
		return false;
	}
	dance->beat = getBeat(performance);
	dance->steps = 2 * (int)fmax(floor((performance->seconds - FIRST_STEP - 0.8) / (2.0 * dance->beat)), 0.0);
	return addFeet(performance, dance, 0, error) && addFeet(performance, dance, 1, error);
}

// Sine of the music: whole at `rate` times the beat.
static float sway(const Dance* dance, double t, double rate, double phase)
{
	return sinf((float)(2.0 * RP_PI * fmod((t - FIRST_STEP) / dance->beat * rate + phase, 1.0)));
}

static void planArms(const rpPerformance* performance, const Dance* dance, double t, float on, rpBodyPlan* plan)
{
	uint64_t seed = performance->manner.seed + 5;
	for (int side = 0; side < 2; ++side)
	{
		rpArmPlan* arm = plan->arms + side;
		float high = fmaxf(0.2f + 1.1f * rpNoise(seed, 90 + side, 0.3 * t + 7.0), 0.0f);
		// Now and then an arm goes up over the head.
		high = high * high / (0.4f + high);
		float swing = SIDE(side) * sway(dance, t, 0.5, 0.1), bob = sway(dance, t, 1.0, 0.2 * side);
		arm->swing += on * (0.55f + 0.9f * high + 0.35f * swing);
		arm->spread += on * (0.3f + 0.45f * high + 0.12f * bob);
		arm->elbow += on * (1.25f - 0.3f * high + 0.25f * bob);
		arm->twist += on * (0.1f - 0.3f * high);
		arm->wrist += on * 0.2f * bob;
	}
}

static void planDance(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const Dance* dance = performance->state;
	uint64_t seed = performance->manner.seed + 5;
	rpPerformance_PlanStand(performance, t, plan);
	double end = FIRST_STEP + dance->steps * dance->beat;
	float on = dance->steps > 0 ? rpEaseInOut(0.2, FIRST_STEP, end, end + 0.8, t) : 0.0f;
	// Over the right foot while the left one steps, and so on; two beats to a cycle.
	float side = -sinf((float)(2.0 * RP_PI * fmod((t - FIRST_STEP) / dance->beat * 0.5 + 0.1, 1.0)));
	float lilt = performance->manner.bounce * (0.8f + 0.25f * rpNoise(seed, 84, 0.4 * t));
	plan->center.x += on * 0.125f * side;
	plan->pelvis.y = PELVIS_HEIGHT - 0.012f - on * lilt * (0.05f + 0.03f * sway(dance, t, 1.0, 0.0));
	plan->holds[1] = false;
	plan->legReach = 0.9925f;
	plan->pelvisTurn += on * 0.2f * sway(dance, t, 0.5, 0.25);
	plan->pelvisRoll += on * 0.1f * side;
	plan->trunkTurn -= on * (0.25f * sway(dance, t, 0.5, 0.25) + 0.15f * rpNoise(seed, 85, 0.4 * t));
	plan->trunkSide -= on * 0.1f * side;
	plan->trunkBend += on * (0.08f + 0.06f * sway(dance, t, 1.0, 0.1));
	plan->headNod += on * 0.1f * sway(dance, t, 1.0, 0.3);
	plan->headTilt += on * 0.08f * side;
	planArms(performance, dance, t, on, plan);
}

const rpActRow rp_danceRows[] = {
	{.act = rp_actDance, .seconds = 8.0, .prepare = prepareDance, .plan = planDance},
	{.act = rp_actCount},
};
