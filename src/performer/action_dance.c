/// Dancing freely: figures of four beats one after the other, in an order of the seed: from side to side, arms up, the
/// twist, a turn, down and up again.
#include "performer/score.h"
#include "reprise/play/extend.h"

// Beats per second of the music, and how much of a beat a foot is in the air when it steps.
#define BEAT_RATE 1.9
#define STEP_PART 0.62
#define FIRST_STEP 1.2
// Seconds from the last step to the end.
#define DANCED 1.0
#define FIGURE_BEATS 4
// Seconds in which one figure goes over into the next.
#define FIGURE_FADE 0.45
// Radians that one step of the turn turns.
#define TURN_STEP 0.62f

typedef enum Figure
{
	figureSides,
	figureArms,
	figureTwist,
	figureTurn,
	figureLow,
	figureCount,
} Figure;

/// What a foot does on a beat: which (-1: none), and how far to the left it is set, against its place at ease.
typedef struct Beat
{
	int side;
	float left;
} Beat;

static const Beat s_beats[figureCount][FIGURE_BEATS] = {
	[figureSides] = {{0, 0.13f}, {1, 0.09f}, {1, -0.13f}, {0, -0.09f}},
	[figureArms] = {{0, 0.03f}, {1, -0.03f}, {0, 0.0f}, {1, 0.0f}},
	[figureTwist] = {{-1, 0.0f}, {-1, 0.0f}, {-1, 0.0f}, {-1, 0.0f}},
	[figureTurn] = {{0, 0.0f}, {1, 0.0f}, {0, 0.0f}, {1, 0.0f}},
	[figureLow] = {{0, 0.05f}, {1, -0.05f}, {-1, 0.0f}, {-1, 0.0f}},
};

/// The dance: its beats from FIRST_STEP on, and where heading (channel 2) and centre of mass (x, z) are over time.
typedef struct Dance
{
	double beat;
	int beats, firstFigure;
	float turnSign;
	rpKnot* knots;
	int knotCount, knotCapacity;
} Dance;

static void freeDance(void* state)
{
	rpFree(((Dance*)state)->knots);
}

static Figure getFigure(const Dance* dance, int section)
{
	return (Figure)((dance->firstFigure + section) % figureCount);
}

static double getTime(const Dance* dance, int beat)
{
	return FIRST_STEP + beat * dance->beat;
}

// What happens on a beat; the last two bring both feet back beside each other.
static Beat getBeat(const Dance* dance, int beat)
{
	return beat >= dance->beats - 2 ? (Beat){beat - (dance->beats - 2), 0.0f}
									: s_beats[getFigure(dance, beat / FIGURE_BEATS)][beat % FIGURE_BEATS];
}

/// Where the feet are while the dance is laid out, and where it faces.
typedef struct Floor
{
	rpStance feet[2];
	float heading;
} Floor;

static bool addKnot(Dance* dance, double t, rpVec3 place, float heading, rpError* error)
{
	if (!rpGrow(&dance->knots, &dance->knotCapacity, dance->knotCount, sizeof(rpKnot), error))
	{
		return false;
	}
	dance->knots[dance->knotCount++] = (rpKnot){.t = t, .p = {(double)place.x, (double)heading, (double)place.z}};
	return true;
}

// Over the middle of a foot.
static rpVec3 getOver(const rpStance* stance)
{
	rpVec3 back = rpRotate(rpYaw(stance->heading), (rpVec3){0.0f, 0.0f, STAND_CENTER_FORWARD - BALL_OFFSET.z});
	return rpAdd(stance->ball, back);
}

static rpVec3 getMiddle(const Floor* ground)
{
	return rpLerp(getOver(ground->feet), getOver(ground->feet + 1), 0.5f);
}

// Set a foot on a beat: lift it, and put it down on its new place.
static bool setFoot(rpPerformance* performance, Dance* dance, int index, Floor* ground, rpError* error)
{
	Beat beat = getBeat(dance, index);
	rpStance* foot = ground->feet + beat.side;
	double off = getTime(dance, index), down = off + STEP_PART * dance->beat;
	foot->off = off;
	foot->lift = fmax(off - 0.14, foot->flat);
	foot->liftPitch = 0.3f;
	foot->clear = 0.045f;
	if (!rpPerformance_AddStance(performance, foot, error))
	{
		return false;
	}
	bool turns = index < dance->beats - 2 && getFigure(dance, index / FIGURE_BEATS) == figureTurn;
	ground->heading += turns ? dance->turnSign * TURN_STEP : 0.0f;
	rpStance next = rpPerformance_MakeEaseStance(performance, beat.side, down, INFINITY);
	uint64_t seed = performance->manner.seed;
	float vary = index >= dance->beats - 2 ? 0.0f : 0.012f * performance->manner.variation * rpChance(seed, 80, index);
	next.ball = rpAdd(next.ball, (rpVec3){beat.left, 0.0f, vary});
	next.ball = rpRotate(rpYaw(ground->heading), next.ball);
	next.heading += ground->heading;
	next.flat = down + 0.12;
	next.strikePitch = 0.28f;
	rpVec3 over = rpLerp(getOver(ground->feet + 1 - beat.side), getMiddle(ground), 0.12f);
	*foot = next;
	return addKnot(dance, 0.5 * (off + down), over,
				   ground->heading - (turns ? 0.5f * dance->turnSign * TURN_STEP : 0.0f), error);
}

static bool layDance(rpPerformance* performance, Dance* dance, rpError* error)
{
	Floor ground = {.heading = 0.0f};
	for (int side = 0; side < 2; ++side)
	{
		ground.feet[side] = rpPerformance_MakeEaseStance(performance, side, -INFINITY, INFINITY);
	}
	bool ok = addKnot(dance, 0.5, getMiddle(&ground), 0.0f, error);
	for (int i = 0; ok && i < dance->beats; ++i)
	{
		bool steps = getBeat(dance, i).side >= 0;
		ok = steps ? setFoot(performance, dance, i, &ground, error)
				   : addKnot(dance, getTime(dance, i) + 0.3 * dance->beat, getMiddle(&ground), ground.heading, error);
	}
	ok = ok && addKnot(dance, getTime(dance, dance->beats) + 0.5, getMiddle(&ground), ground.heading, error);
	for (int side = 0; ok && side < 2; ++side)
	{
		ok = rpPerformance_AddStance(performance, ground.feet + side, error);
	}
	return ok && rpPerformance_AddStand(performance, -INFINITY, 0.2, error);
}

static bool prepareDance(rpPerformance* performance, rpError* error)
{
	Dance* dance = rpAllocateZero(1, sizeof(Dance), error);
	performance->state = dance;
	if (dance == NULL)
	{
		return false;
	}
	performance->freeState = freeDance;
	dance->beat = 1.0 / (BEAT_RATE * (double)performance->manner.cadence);
	dance->beats = (int)fmax(floor((performance->seconds - FIRST_STEP - DANCED) / dance->beat), 2.0);
	float chance = performance->manner.variation * rpChance(performance->manner.seed, 81, 0);
	dance->firstFigure = (int)floorf(fabsf(chance) * 2.0f) % figureCount;
	dance->turnSign = chance < 0.0f ? -1.0f : 1.0f;
	return layDance(performance, dance, error);
}

// ---- the body

// Sine of the music: whole at `rate` times the beat.
static float sway(const Dance* dance, double t, double rate, double phase)
{
	return sinf((float)(2.0 * RP_PI * fmod((t - FIRST_STEP) / dance->beat * rate + phase, 1.0)));
}

// How much of each figure there is at a time; they sum up to how much is danced at all.
static void weighFigures(const Dance* dance, double t, float weights[figureCount])
{
	int sections = (dance->beats + FIGURE_BEATS - 1) / FIGURE_BEATS;
	for (int i = 0; i < figureCount; ++i)
	{
		weights[i] = 0.0f;
	}
	for (int i = 0; i < sections; ++i)
	{
		double start = i == 0 ? 0.5 * FIRST_STEP : getTime(dance, i * FIGURE_BEATS);
		double end = i + 1 == sections ? getTime(dance, dance->beats) : getTime(dance, (i + 1) * FIGURE_BEATS);
		float weight =
			rpEase(start - FIGURE_FADE, start + FIGURE_FADE, t) - rpEase(end - FIGURE_FADE, end + FIGURE_FADE, t);
		weights[getFigure(dance, i)] += weight;
	}
}

static void planArms(const rpPerformance* performance, const Dance* dance, double t, const float* w, rpBodyPlan* plan)
{
	float size = performance->manner.armSwing;
	for (int side = 0; side < 2; ++side)
	{
		rpArmPlan* arm = plan->arms + side;
		float x = SIDE(side), slow = sway(dance, t, 0.5, 0.1), quick = sway(dance, t, 1.0, 0.2 * side);
		// Fists that go from side to side; arms over the head that wave; elbows against the hips; wings; hands that
		// push.
		arm->swing += w[figureSides] * (0.65f + 0.3f * size * x * slow) + w[figureArms] * 0.35f +
					  w[figureTwist] * (0.6f + 0.45f * size * x * slow) + w[figureTurn] * 0.15f +
					  w[figureLow] * (1.2f + 0.2f * quick);
		arm->spread += w[figureSides] * 0.2f + w[figureArms] * (2.35f + 0.25f * x * slow) + w[figureTwist] * 0.3f +
					   w[figureTurn] * (1.25f + 0.1f * slow * x) + w[figureLow] * 0.1f;
		arm->elbow += w[figureSides] * (1.45f + 0.2f * quick) + w[figureArms] * (0.3f + 0.25f * x * slow) +
					  w[figureTwist] * 1.35f + w[figureTurn] * 0.1f + w[figureLow] * (0.5f + 0.3f * quick);
		arm->twist -= 0.25f * w[figureTwist];
		arm->wrist += 0.2f * quick * (w[figureSides] + w[figureArms]);
	}
}

static void planTrunk(const rpPerformance* performance, const Dance* dance, double t, const float* w, rpBodyPlan* plan)
{
	float on = 0.0f, slow = sway(dance, t, 0.5, 0.1), quick = sway(dance, t, 1.0, 0.0);
	for (int i = 0; i < figureCount; ++i)
	{
		on += w[i];
	}
	float bounce = performance->manner.bounce * (0.03f + 0.022f * quick);
	plan->pelvis.y = PELVIS_HEIGHT - 0.014f - on * bounce - 0.04f * w[figureTwist] - 0.02f * w[figureSides] -
					 w[figureLow] * (0.2f + 0.05f * sway(dance, t, 0.5, 0.3));
	plan->pelvisTurn += 0.42f * w[figureTwist] * slow + 0.12f * (w[figureSides] + w[figureArms]) * slow;
	plan->pelvisRoll += 0.07f * w[figureArms] * slow;
	plan->trunkTurn -= 0.4f * w[figureTwist] * slow + 0.15f * w[figureSides] * slow;
	plan->trunkSide += (0.1f * w[figureSides] + 0.22f * w[figureArms]) * slow;
	plan->lean += 0.22f * w[figureLow] + 0.05f * w[figureTwist];
	plan->trunkBend += on * (0.05f + 0.04f * quick) + 0.2f * w[figureLow];
	plan->headNod += on * 0.1f * sway(dance, t, 1.0, 0.3) - 0.25f * w[figureLow];
	plan->headTilt += 0.08f * (w[figureSides] + w[figureArms]) * slow;
	plan->headTurn += 0.3f * dance->turnSign * w[figureTurn] + 0.2f * w[figureTwist] * slow;
	for (int side = 0; side < 2; ++side)
	{
		plan->feet[side].kneeOut += 0.25f * w[figureLow];
	}
}

static void planDance(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const Dance* dance = performance->state;
	float weights[figureCount];
	rpPerformance_PlanStand(performance, t, plan);
	rpVec3 now = rpSampleKnots(dance->knots, dance->knotCount, t), stand = plan->center;
	plan->heading = now.y;
	float calm = 1.0f - rpEaseInOut(0.2, FIRST_STEP, getTime(dance, dance->beats), performance->seconds, t);
	rpVec3 sways = rpRotate(rpYaw(now.y), (rpVec3){stand.x, 0.0f, stand.z - STAND_CENTER_FORWARD});
	plan->center = (rpVec3){now.x + calm * sways.x, stand.y, now.z + calm * sways.z};
	plan->pelvis = rpAdd(plan->center, rpRotate(rpYaw(now.y), (rpVec3){0.0f, 0.0f, -STAND_CENTER_FORWARD}));
	plan->holds[1] = false;
	plan->legReach = STAND_REACH;
	weighFigures(dance, t, weights);
	planTrunk(performance, dance, t, weights, plan);
	planArms(performance, dance, t, weights, plan);
}

const rpActRow rp_danceRows[] = {
	{.act = rp_actDance, .seconds = 13.0, .prepare = prepareDance, .plan = planDance},
	{.act = rp_actCount},
};
