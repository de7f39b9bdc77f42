/// Waving, and talking with the hands. Both begin and end at ease; trunk, head and weight go along with the arms.
#include "performer/stage.h"

// ---- waving

static void planWave(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanStand(performance, t, plan);
	int side = performance->parameters[rp_paramHand] > 0.5f ? 1 : 0;
	double end = performance->seconds, rate = 1.6 * (double)performance->manner.cadence;
	// The weight leaves the side of the arm before it goes up.
	float x = SIDE(side), borne = rpEaseInOut(0.05, 0.7, end - 0.9, end - 0.05, t);
	float raised = rpEaseInOut(0.3, 1.1, end - 1.1, end - 0.2, t);
	float cycle = (float)(2.0 * RP_PI * fmod(rate * (t - 0.7), 1.0)), waving = raised * sinf(cycle);
	rpArmPlan* arm = plan->arms + side;
	arm->swing += raised * 0.35f;
	arm->spread += raised * 1.15f + 0.07f * waving;
	arm->twist -= raised * 1.4f;
	arm->elbow += raised * 1.5f + 0.42f * waving;
	arm->wrist += 0.25f * raised * sinf(cycle - 0.6f);
	arm->shrug += 0.08f * raised;
	plan->arms[1 - side].swing -= 0.05f * raised + 0.02f * waving;
	plan->center.x += (-x * 0.035f - plan->center.x) * borne;
	plan->pelvisRoll += (-x * 0.05f - plan->pelvisRoll) * borne;
	plan->pelvisTurn += x * 0.05f * raised;
	plan->trunkSide += -x * (0.07f * raised + 0.012f * waving);
	plan->trunkTurn += -x * (0.08f * raised - 0.035f * waving);
	plan->headTilt += x * 0.06f * raised;
	plan->headNod -= 0.06f * raised;
}

// ---- talking

// Seconds that a gesture takes, and those in which one goes over into the next.
#define GESTURE_TIME 1.15
#define GESTURE_FADE 0.5
#define GESTURE_START 0.45
// Channels of chance.
#define GESTURE_KIND 50
#define GESTURE_SIZE 51
#define GESTURE_LATE 52

/// One arm of a gesture, added to hanging at ease.
typedef struct Pose
{
	float swing, spread, twist, elbow, wrist;
} Pose;

/// What a gesture is: arms of the side that does more and of the other one, and what trunk, weight and head do to the
/// side of the first one. beats: how much the hands beat time to the words.
typedef struct Gesture
{
	Pose own, other;
	float turn, shift, lean, nod, shrug, beats;
} Gesture;

static const Gesture s_gestures[] = {
	// Both hands open before the belly.
	{{0.35f, 0.1f, -0.25f, 1.3f, 0.15f}, {0.3f, 0.08f, -0.15f, 1.2f, 0.15f}, 0.04f, 0.5f, 0.02f, 0.04f, 0.0f, 1.0f},
	// One hand points ahead.
	{{0.95f, 0.0f, 0.15f, 0.45f, 0.0f}, {0.08f, 0.02f, 0.1f, 0.45f, 0.0f}, -0.18f, 1.0f, 0.05f, 0.03f, 0.03f, 0.6f},
	// One hand shows aside.
	{{0.4f, 0.3f, -0.65f, 0.95f, -0.1f}, {0.12f, 0.02f, 0.1f, 0.6f, 0.0f}, 0.22f, 1.0f, 0.0f, 0.0f, 0.0f, 0.4f},
	// Who knows.
	{{0.25f, 0.35f, -0.6f, 1.45f, -0.2f},
	 {0.25f, 0.33f, -0.55f, 1.4f, -0.2f},
	 0.03f,
	 -0.4f,
	 -0.02f,
	 -0.05f,
	 0.1f,
	 0.2f},
	// Hands together before the belly.
	{{0.22f, 0.0f, 0.6f, 1.3f, 0.1f}, {0.18f, 0.0f, 0.55f, 1.2f, 0.1f}, 0.02f, 0.8f, 0.0f, 0.05f, 0.0f, 0.35f},
	// One hand before the chest counts.
	{{0.5f, 0.05f, 0.35f, 1.65f, 0.2f}, {0.06f, 0.0f, 0.1f, 0.3f, 0.0f}, -0.08f, 0.9f, 0.03f, 0.08f, 0.0f, 1.0f},
};
#define GESTURE_KINDS (int)(sizeof(s_gestures) / sizeof(s_gestures[0]))

/// A gesture in progress.
typedef struct Stroke
{
	const Gesture* gesture;
	int side;
	float weight, size;
} Stroke;

// When the n-th gesture takes over from the one before.
static double getStart(const rpPerformance* performance, int n)
{
	const rpManner* manner = &performance->manner;
	float late = n > 0 ? 0.12f * manner->variation * rpChance(manner->seed, GESTURE_LATE, n) : 0.0f;
	return GESTURE_START + (n + (double)late) * GESTURE_TIME / (double)manner->cadence;
}

// Of any three gestures in a row no two are the same.
static Stroke getStroke(const rpPerformance* performance, int n, double t)
{
	uint64_t seed = performance->manner.seed + 77;
	int first = (int)floorf(2.0f * rpChance(seed, GESTURE_KIND, 0) + 50.0f);
	int leap = rpChance(seed, GESTURE_KIND, 1 + n / GESTURE_KINDS) > 0.0f ? 1 : 5;
	Stroke stroke = {.gesture = s_gestures + (first + n * leap) % GESTURE_KINDS,
					 .side = rpChance(seed, GESTURE_KIND, 100 + n) > -0.35f ? 1 : 0,
					 .size = 1.0f + 0.12f * rpChance(seed, GESTURE_SIZE, n)};
	double start = getStart(performance, n), next = getStart(performance, n + 1);
	stroke.weight = rpEase(start, start + GESTURE_FADE, t) - rpEase(next, next + GESTURE_FADE, t);
	return stroke;
}

static void addPose(const Pose* pose, float weight, float beat, rpArmPlan* arm)
{
	arm->swing += weight * (pose->swing + 0.06f * beat);
	arm->spread += weight * pose->spread;
	arm->twist += weight * pose->twist;
	arm->elbow += weight * (pose->elbow - 0.16f * beat);
	arm->wrist += weight * (pose->wrist + 0.15f * beat);
}

static void addStroke(const Stroke* stroke, float beat, float* weightShift, rpBodyPlan* plan)
{
	const Gesture* gesture = stroke->gesture;
	float weight = stroke->weight * stroke->size, x = SIDE(stroke->side);
	beat *= gesture->beats;
	addPose(&gesture->own, weight, beat, plan->arms + stroke->side);
	addPose(&gesture->other, weight, 0.5f * beat, plan->arms + 1 - stroke->side);
	*weightShift += stroke->weight * x * gesture->shift;
	plan->trunkTurn += weight * x * gesture->turn;
	plan->pelvisTurn += weight * x * 0.4f * gesture->turn;
	plan->headTurn += weight * x * 0.5f * gesture->turn;
	plan->lean += 0.6f * weight * gesture->lean;
	plan->trunkBend += weight * (gesture->lean + 0.01f * beat);
	plan->headNod += weight * (gesture->nod + 0.05f * beat);
	plan->headTilt += weight * x * 0.04f * gesture->shift;
	plan->arms[0].shrug += weight * gesture->shrug;
	plan->arms[1].shrug += weight * gesture->shrug;
}

static void planGesture(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	uint64_t seed = performance->manner.seed + 77;
	double end = performance->seconds;
	rpPerformance_PlanStand(performance, t, plan);
	float talking = rpEaseInOut(0.2, 0.9, end - 1.0, end - 0.15, t), weight = 0.0f;
	rpBodyPlan quiet = *plan;
	int n = (int)fmax(floor((t - GESTURE_START) / GESTURE_TIME * (double)performance->manner.cadence), 0.0);
	for (int i = n > 1 ? n - 2 : 0; i <= n + 1; ++i)
	{
		float beat = sinf((float)(2.0 * RP_PI * fmod(1.9 * t + 0.3 * i, 1.0)));
		Stroke stroke = getStroke(performance, i, t);
		addStroke(&stroke, beat, &weight, plan);
	}
	plan->headTurn += 0.2f * rpNoise(seed, 71, 0.6 * t);
	// The weight goes to the side that is spoken to, and the hip with it.
	plan->center.x = 0.3f * plan->center.x + 0.035f * weight;
	plan->pelvisRoll = 0.3f * plan->pelvisRoll + 0.05f * weight;
	plan->trunkSide += 0.02f * weight;
	rpBlendPlans(&quiet, plan, talking, plan);
}

const rpActRow rp_gestureRows[] = {
	{.act = rp_actGesture, .seconds = 6.0, .plan = planGesture},
	{.act = rp_actWave, .seconds = 4.0, .ranges = {[rp_paramHand] = {0.0f, 1.0f, 1.0f}}, .plan = planWave},
	{.act = rp_actCount},
};
