/// Waving, and talking with the hands.
#include "performer/stage.h"

// The hands go up, and the centre of mass with them: the pelvis stays where the legs have it.
static void letCenterRise(rpBodyPlan* plan)
{
	plan->pelvis.y = PELVIS_HEIGHT;
	plan->holds[1] = false;
	plan->legReach = 0.997f;
}

static void planWave(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanStand(performance, t, plan);
	double end = performance->seconds;
	float raised = rpEaseInOut(0.3, 1.1, end - 1.1, end - 0.2, t);
	float waving = raised * sinf((float)(2.0 * RP_PI * fmod(1.7 * (t - 0.7), 1.0)));
	rpArmPlan* arm = plan->arms + 1;
	arm->swing += raised * 0.35f;
	arm->spread += raised * 1.1f + 0.06f * waving;
	arm->twist -= raised * 1.3f;
	arm->elbow += raised * 1.55f + 0.4f * waving;
	arm->wrist += 0.25f * waving;
	plan->trunkTurn += 0.05f * waving * raised;
	plan->headNod -= 0.06f * raised;
	letCenterRise(plan);
}

// One hand of one who talks: it comes up to the waist and beats as long as words go on, now more, now less.
static void planTalkingHand(const rpPerformance* performance, int side, double t, float talking, rpArmPlan* arm)
{
	uint64_t seed = performance->manner.seed + 77;
	int channel = 50 + 10 * side;
	// Each hand rests at times; the right one less.
	float busy = 0.75f + 0.5f * rpNoise(seed, channel, 0.35 * t) + (side == 1 ? 0.15f : 0.0f);
	busy = talking * fminf(fmaxf(busy, 0.0f), 1.3f);
	float beat = rpNoise(seed, channel + 1, 2.2 * t), wide = rpNoise(seed, channel + 2, 0.9 * t);
	float high = rpNoise(seed, channel + 3, 0.7 * t);
	arm->swing += busy * (0.42f + 0.3f * high + 0.12f * beat);
	arm->elbow += busy * (1.15f + 0.35f * beat + 0.25f * high);
	arm->spread += busy * (0.12f + 0.18f * wide);
	arm->twist += busy * (0.1f + 0.4f * wide);
	arm->wrist += busy * 0.35f * rpNoise(seed, channel + 4, 2.0 * t);
}

static void planGesture(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	uint64_t seed = performance->manner.seed + 77;
	rpPerformance_PlanStand(performance, t, plan);
	double end = performance->seconds;
	float talking = rpEaseInOut(0.2, 0.9, end - 1.0, end - 0.2, t);
	planTalkingHand(performance, 0, t, talking, plan->arms);
	planTalkingHand(performance, 1, t, talking, plan->arms + 1);
	plan->headNod += 0.12f * talking * rpNoise(seed, 70, 1.6 * t);
	plan->headTurn += 0.3f * talking * rpNoise(seed, 71, 0.6 * t);
	plan->headTilt += 0.1f * talking * rpNoise(seed, 72, 0.7 * t);
	plan->trunkTurn += 0.15f * talking * rpNoise(seed, 73, 0.6 * t);
	plan->trunkBend += 0.05f * talking * rpNoise(seed, 74, 0.8 * t);
	plan->center.x += 0.02f * talking * rpNoise(seed, 75, 0.4 * t);
	letCenterRise(plan);
}

const rpActRow rp_gestureRows[] = {
	{.act = rp_actGesture, .seconds = 6.0, .plan = planGesture},
	{.act = rp_actWave, .seconds = 4.0, .plan = planWave},
	{.act = rp_actCount},
};
