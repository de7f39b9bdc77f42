/// The body on a journey: the centre of mass between the footholds, and everything above the legs.
///
/// The centre of mass is a C2 curve through knots: in walking a peak in the middle of each single support and a valley
/// in each double support (an inverted pendulum flattened as in Saunders, Inman & Eberhart 1953; the exchange of height
/// and speed as in Cavagna, Thys & Zamboni 1976), in running take-off and touch-down of each flight, which is free
/// fall. Its knots are lowered where a leg could not reach. Movements of pelvis, trunk and arms: Inman, Ralston & Todd,
/// "Human Walking"; Murray 1967; Novacheck 1998 for running.
#include "performer/journey.h"
#include "performer/laws.h"
#include "reprise/play/extend.h"

// Part of a leg's length to which it may be stretched: beyond, a small change of reach is a large one of the knee.
#define WALK_REACH 0.9975
#define CURVE_REACH 0.99
#define RUN_REACH 0.9957
// Knots are lowered until all legs reach, at most this often; the legs are looked at this often per second.
#define FIT_PASSES 8
#define FIT_RATE 60.0
// From when on legs are looked at, and for how long after the end, seconds.
#define FIT_START -0.6
#define FIT_AFTER 0.6
#define FIT_ENOUGH 5e-4f
// A leg that reaches by this much more is not looked at again, metres.
#define FIT_SPARE 0.006f
// How near the centre of mass is to its place when legs are looked at, metres.
#define FIT_NEAR 3e-4f
// How much the hips come down when the centre of mass does while the feet stay.
#define FIT_GAIN 1.15f

#define REST_TIME 0.35
#define SHIFT_TIME 0.5
#define LAND_LOWER 0.004
// A leap out of a walk: from the lowest point to leaving, and from landing to the lowest point, seconds; the
// acceleration there, m/s²; how much lower than someone who stands the body leaves the ground, metres.
#define LEAP_PUSH 0.17
#define LEAP_ABSORB 0.16
#define LEAP_TURN 2.0
#define LEAP_LOWER 0.0176
// A walker is lower than someone who stands, even at the highest point, metres.
#define PEAK_LOWER 0.0032

/// A curve over the cycle of an arm as a Fourier series of two harmonics: mean, cos and sin of the phase, of twice the
/// phase. The phase is 0 when the other foot strikes. Radians.
typedef struct ArmCurve
{
	float mean, cos1, sin1, cos2, sin2;
} ArmCurve;

// The runner's arms: fitted to the means of four captured runners (`reprise-bench performer`; CMU Graphics Lab Motion
// Capture Database, subjects 9, 16, 35, 127, 3.2 to 3.8 m/s).
static const ArmCurve s_runShoulder = {-0.185f, 0.159f, -0.306f, -0.042f, 0.059f};
static const ArmCurve s_runElbow = {1.786f, 0.046f, -0.185f, -0.027f, -0.115f};

/// A knot of the centre of mass before it is placed on the path: height above the floor and its rates; to the left of
/// the path and its rates; speed in addition to the path's.
typedef struct Moment
{
	double t, height, climb, climbRate;
	double left, leftRate, leftChange, faster;
} Moment;

static bool addKnot(rpKnot** knots, int* count, int* capacity, rpKnot knot, rpError* error)
{
	if (*count > 0 && knot.t <= (*knots)[*count - 1].t + 1e-4)
	{
		return true;
	}
	if (!rpGrow(knots, capacity, *count, sizeof(rpKnot), error))
	{
		return false;
	}
	(*knots)[(*count)++] = knot;
	return true;
}

static bool addCenter(rpJourney* journey, const Moment* moment, rpError* error)
{
	rpJourneyPoint p = rpJourney_GetPath(journey, moment->t);
	double east = sin(p.heading), north = cos(p.heading), speed = p.speed + moment->faster;
	double across = p.speed * p.turn + moment->leftChange;
	rpKnot knot = {
		.t = moment->t,
		.p = {p.x + moment->left * north, moment->height, p.z - moment->left * east},
		.v = {speed * east + moment->leftRate * north, moment->climb, speed * north - moment->leftRate * east},
		.a = {p.speedRate * east + across * north, moment->climbRate, p.speedRate * north - across * east},
	};
	return addKnot(&journey->center, &journey->centerCount, &journey->centerCapacity, knot, error);
}

// ---- walking

static double getStepTime(const rpJourney* journey, int i)
{
	const rpStep* steps = journey->steps;
	double time = i + 1 < journey->stepCount && !isinf(steps[i].strike) ? steps[i + 1].strike - steps[i].strike : 0.55;
	return fmin(fmax(time, 0.3), 0.9);
}

// Peak to valley, about 0.6 of what a compass of legs would give.
static double getBounce(const rpJourney* journey, int i)
{
	const rpStep* step = journey->steps + i;
	double length = (double)step->speed * getStepTime(journey, i);
	return (0.006 + 0.0465 * length * length) * (double)(journey->style.bounce * journey->manner.bounce);
}

// How much of a step is one on the spot: 1 at no speed.
static double getOnSpot(float speed)
{
	return exp(-(double)speed / 0.25);
}

// To the side of the foot that stands; wholly over it on the spot, where nothing else keeps one from falling.
static double getSway(float speed)
{
	return fmin(0.022 * pow(1.35 / fmax((double)speed, 0.5), 0.7), 0.038) + 0.044 * getOnSpot(speed);
}

// Up on the foot that was set higher, until the other one is there; down while the other one still stands.
static float getRise(const rpJourney* journey, int i, double t)
{
	const rpStep* step = journey->steps + i;
	double before = step->strike - step[-1].strike, after = step[1].strike - step->strike;
	return step->rise * (step->rise > 0.0f ? rpEase(step->strike - 0.05 * before, step->strike + 0.9 * after, t)
										   : rpEase(step->strike - 0.8 * before, step->strike + 0.35 * before, t));
}

float rpJourney_GetClimb(const rpJourney* journey, double t)
{
	float climb = journey->stepCount > 0 ? journey->steps[0].support : 0.0f;
	for (int i = 1; i + 1 < journey->stepCount; ++i)
	{
		climb += journey->steps[i].rise != 0.0f ? getRise(journey, i, t) : 0.0f;
	}
	return climb;
}

static double getLevel(const rpJourney* journey)
{
	return (double)(STAND_CENTER_HEIGHT + journey->style.height);
}

static bool addPeak(rpJourney* journey, int i, rpError* error)
{
	const rpStep* step = journey->steps + i;
	double time = getStepTime(journey, i), rate = RP_PI / time, bounce = getBounce(journey, i);
	double sway = getSway(step->speed) * (double)SIDE(step->side);
	Moment peak = {.t = 0.5 * (step[-1].off + step[1].strike), .height = getLevel(journey) - PEAK_LOWER};
	peak.climbRate = -2.0 * bounce * rate * rate;
	peak.left = sway;
	peak.leftChange = -sway * rate * rate;
	peak.faster = -fmin(0.18 * (double)GRAVITY * bounce / fmax((double)step->speed, 0.8), 0.12);
	return addCenter(journey, &peak, error) && rpPerformance_AddEvent(&journey->feet, "half_cycle", peak.t, error);
}

static bool addValley(rpJourney* journey, int i, double t, double deeper, rpError* error)
{
	const rpStep* step = journey->steps + i;
	double rate = RP_PI / getStepTime(journey, i);
	double bounce = 0.5 * (getBounce(journey, i) + getBounce(journey, i - 1));
	double sway = getSway(step->speed) * (double)SIDE(step->side);
	Moment valley = {.t = t, .height = getLevel(journey) - PEAK_LOWER - bounce - deeper};
	valley.climbRate = 2.0 * (bounce + deeper) * rate * rate;
	valley.leftRate = deeper > 0.0 ? 0.0 : sway * rate;
	valley.faster = fmin(0.18 * (double)GRAVITY * bounce / fmax((double)step->speed, 0.8), 0.12);
	return addCenter(journey, &valley, error);
}

// Single support of a start or a close: no peak, but the weight goes over the foot that stands.
static bool addShift(rpJourney* journey, int stance, double t, double drop, double climb, rpError* error)
{
	Moment shift = {.t = t, .height = getLevel(journey) - drop, .climb = climb};
	float speed = fmaxf(journey->steps[stance].speed, journey->steps[stance + 1].speed);
	shift.left = (0.045 + 0.032 * getOnSpot(speed)) * (double)SIDE(journey->steps[stance].side);
	shift.leftChange = -shift.left * 20.0;
	return addCenter(journey, &shift, error);
}

// ---- running

// Take-off at `off` of the step before and touch-down at the strike of step i, free fall between.
static bool addFlight(rpJourney* journey, int i, rpError* error)
{
	const rpStep* step = journey->steps + i;
	// Sprinters run lower.
	double start = step[-1].off, time = step->strike - start;
	double height = getLevel(journey) - 0.0176 - 0.01 * fmax((double)step->speed - 3.4, 0.0);
	rpJourneyPoint p = rpJourney_GetPath(journey, start + 0.5 * time);
	double east = sin(p.heading), north = cos(p.heading), side = 0.05 * (double)SIDE(step->side);
	double vx = p.speed * east + side * north, vz = p.speed * north - side * east;
	double climb = 0.5 * (double)GRAVITY * time - LAND_LOWER * fmin(100.0 * time * time, 1.0) / time;
	double fall = climb - (double)GRAVITY * time;
	rpKnot up = {.t = start,
				 .p = {p.x - 0.5 * time * vx, height, p.z - 0.5 * time * vz},
				 .v = {vx, climb, vz},
				 .a = {0.0, -(double)GRAVITY, 0.0}};
	rpKnot down = {.t = step->strike,
				   .p = {p.x + 0.5 * time * vx, height + 0.5 * (climb + fall) * time, p.z + 0.5 * time * vz},
				   .v = {vx, fall, vz},
				   .a = {0.0, -(double)GRAVITY, 0.0}};
	double apex = start + fmin(fmax(climb / (double)GRAVITY, 0.0), time);
	return addKnot(&journey->center, &journey->centerCount, &journey->centerCapacity, up, error) &&
		   addKnot(&journey->center, &journey->centerCount, &journey->centerCapacity, down, error) &&
		   rpPerformance_AddEvent(&journey->feet, "half_cycle", apex, error);
}

// How far the centre of mass goes between rest and the speed of a flight's ends in that time, in the smoothest manner;
// see rpGetBrakeTime.
static double getBrakeDistance(double flight, double time)
{
	return ((double)GRAVITY + LEAP_TURN) / 12.0 * time * time + 0.25 * (double)GRAVITY * flight * time;
}

// The lowest point before or after a leap out of a walk.
static bool addLeapValley(rpJourney* journey, double t, double drop, rpError* error)
{
	Moment low = {.t = t, .height = getLevel(journey) - LEAP_LOWER - drop, .climbRate = LEAP_TURN};
	return addCenter(journey, &low, error);
}

// ---- standing

static bool addStand(rpJourney* journey, int i, rpError* error)
{
	const rpStep* step = journey->steps + i;
	double begins = isinf(step->strike) ? -10.0 : step->strike, lifts = step[-1].off;
	Moment rest = {.t = begins, .height = (double)STAND_CENTER_HEIGHT};
	rest.left = isinf(step->strike) ? 0.0 : 0.068 * (double)(SIDE(step[-1].side) * journey->manner.width);
	rest.leftRate = isinf(step->strike) ? 0.0 : -1.2 * rest.left;
	bool ok = addCenter(journey, &rest, error);
	rest.left = rest.leftRate = 0.0;
	rest.t = begins + REST_TIME;
	ok = ok && addCenter(journey, &rest, error) &&
		 rpPerformance_AddEvent(&journey->feet, "stand", fmax(rest.t, 0.0), error);
	if (ok && !isinf(lifts))
	{
		rest.t = fmax(lifts - SHIFT_TIME, begins + REST_TIME + 0.05);
		ok = addCenter(journey, &rest, error) && rpPerformance_AddEvent(&journey->feet, "stand", rest.t, error);
		// Before a step on the spot the weight is over the foot that will stand.
		double spot = i + 1 < journey->stepCount && !step[1].standing ? getOnSpot(step[1].speed) : 0.0;
		Moment over = {
			.t = lifts, .height = rest.height, .left = 0.06 * (double)(SIDE(step->side) * journey->manner.width)};
		over.leftRate = 0.8 * over.left;
		ok = ok && (spot < 0.5 || addCenter(journey, &over, error));
	}
	return ok;
}

// ---- all of it

// What a strike is: the end of a flight, the beginning of a double support, or the closing of a stand.
typedef enum Junction
{
	flies,
	walks,
	stands,
	ends,
} Junction;

static Junction getJunction(const rpJourney* journey, int i)
{
	const rpStep* steps = journey->steps;
	if (i < 1 || i >= journey->stepCount)
	{
		return ends;
	}
	return steps[i].standing && steps[i - 1].standing ? stands : steps[i].together < 0.0 ? flies : walks;
}

// The knots of a strike and of the support that follows it.
static bool addStep(rpJourney* journey, int i, rpError* error)
{
	const rpStep* step = journey->steps + i;
	Junction now = getJunction(journey, i), next = getJunction(journey, i + 1);
	Junction before = getJunction(journey, i - 1);
	bool ok = true;
	if (now == flies)
	{
		ok = addFlight(journey, i, error);
	}
	if (now == stands)
	{
		ok = addStand(journey, i, error);
	}
	if (now == walks && next != flies && before != flies)
	{
		ok = addValley(journey, i, 0.5 * (step->strike + step[-1].off), 0.0, error);
	}
	double length = fmin(step->off, step->strike + 1.0) - step->strike;
	if (ok && next == flies && now == walks && step[1].leap > 0.0f)
	{
		double flight = step[1].strike - step->off;
		return addLeapValley(journey, step->off - LEAP_PUSH, getBrakeDistance(flight, LEAP_PUSH), error);
	}
	if (ok && now == flies && next == walks && step->leap > 0.0f)
	{
		double flight = step->strike - step[-1].off;
		return addLeapValley(journey, step->strike + LEAP_ABSORB, getBrakeDistance(flight, LEAP_ABSORB), error);
	}
	if (ok && next == flies && now == walks)
	{
		// Into a run: one deep valley before the leap.
		return addValley(journey, i, step->strike + 0.4 * length, 0.02, error);
	}
	if (ok && now == flies && next == walks)
	{
		return addValley(journey, i, step->strike + 0.42 * length, 0.015, error);
	}
	if (ok && now == walks && next == walks)
	{
		return addPeak(journey, i, error);
	}
	if (ok && now == stands && next == walks)
	{
		double middle = 0.5 * (step[-1].off + step[1].strike), bounce = getBounce(journey, i + 1);
		return addShift(journey, i, middle, 0.008 + 0.35 * bounce, -2.0 * bounce, error);
	}
	if (ok && next == stands && now == walks)
	{
		double middle = 0.5 * (step[-1].off + step[1].strike), bounce = getBounce(journey, i - 1);
		return addShift(journey, i, middle, 0.006 + 0.3 * bounce, 1.6 * bounce, error);
	}
	return ok;
}

static bool addRhythm(rpJourney* journey, double t, double swing, double rate, double still, rpError* error)
{
	rpKnot knot = {.t = t, .p = {swing, 0.0, still}, .a = {-swing * rate * rate, 0.0, 0.0}};
	return addKnot(&journey->rhythm, &journey->rhythmCount, &journey->rhythmCapacity, knot, error);
}

static bool addWeight(rpJourney* journey, double t, double stands01, double rate, rpError* error)
{
	rpKnot knot = {.t = t, .p = {stands01, 0.0, 0.0}, .a = {-stands01 * rate * rate, 0.0, 0.0}};
	return addKnot(&journey->weight, &journey->weightCount, &journey->weightCapacity, knot, error);
}

static bool layRhythm(rpJourney* journey, int i, rpError* error)
{
	const rpStep* step = journey->steps + i;
	double rate = RP_PI / getStepTime(journey, i), side = (double)SIDE(step->side);
	if (getJunction(journey, i) == stands)
	{
		double begins = isinf(step->strike) ? -10.0 : step->strike, lifts = step[-1].off;
		bool ok = addRhythm(journey, begins + 0.25, 0.0, 0.0, 1.0, error) &&
				  addWeight(journey, begins + 0.25, 0.0, 0.0, error);
		return ok && (isinf(lifts) || (addRhythm(journey, lifts - 0.3, 0.0, 0.0, 1.0, error) &&
									   addWeight(journey, lifts - 0.3, 0.0, 0.0, error) &&
									   addWeight(journey, lifts + 0.25, side, 0.0, error)));
	}
	if (isinf(step->strike))
	{
		return true;
	}
	// The weight is on a foot that walks soon after its strike, on one that runs in the middle of its stance.
	double part = step->gait == rp_gaitRun ? 0.55 : 0.06;
	double middle = step->strike + part * (fmin(step->off, step->strike + 0.7) - step->strike);
	return addRhythm(journey, step->strike, side, rate, 0.0, error) && addWeight(journey, middle, side, rate, error);
}

bool rpJourney_LayCenter(rpJourney* journey, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < journey->stepCount; ++i)
	{
		ok = addStep(journey, i, error) && layRhythm(journey, i, error);
	}
	if (ok && journey->centerCount == 0)
	{
		ok = addCenter(journey, &(Moment){.height = getLevel(journey)}, error);
	}
	return ok && (journey->weightCount > 0 || addWeight(journey, 0.0, 0.0, 0.0, error)) &&
		   (journey->rhythmCount > 0 || addRhythm(journey, 0.0, 0.0, 0.0, 1.0, error));
}

// ---- the body above the legs

static float mixBy(float walk, float run, float share)
{
	return walk + share * (run - walk);
}

/// What the body above the legs follows.
typedef struct Beat
{
	/// Left foot forward (1) or right (-1), and a quarter of a cycle later; weight on the left (1) or right foot;
	/// standing.
	float leftForward, leftForwardLater, leftStands, still;
	float speed, run, walkVigour, runVigour;
} Beat;

static Beat getBeat(const rpJourney* journey, const rpJourneyPoint* point, double t)
{
	rpVec3 rhythm = rpSampleKnots(journey->rhythm, journey->rhythmCount, t);
	double quarter = 0.5 / rpGetStepRate(rp_gaitRun, point->speed);
	rpVec3 later = rpSampleKnots(journey->rhythm, journey->rhythmCount, t - quarter);
	rpVec3 weight = rpSampleKnots(journey->weight, journey->weightCount, t);
	float speed = (float)point->speed;
	return (Beat){
		.leftForward = rhythm.x,
		.leftForwardLater = later.x,
		.leftStands = weight.x,
		.still = rhythm.z,
		.speed = speed,
		.run = (float)point->run,
		// Softly limited, so that the arms do not fly.
		.walkVigour = 1.4f * tanhf(speed / 1.35f / 1.25f),
		.runVigour = 1.3f * tanhf(speed / 3.2f / 1.1f),
	};
}

static float sampleArm(const ArmCurve* curve, float vigour, float c, float s)
{
	return curve->mean +
		   vigour * (curve->cos1 * c + curve->sin1 * s + curve->cos2 * (c * c - s * s) + curve->sin2 * 2.0f * c * s);
}

static void planArms(const rpJourney* journey, const Beat* beat, double t, rpBodyPlan* plan)
{
	const rpManner* manner = &journey->manner;
	const rpGaitStyle* style = &journey->style;
	// People stand at ease, whatever their gait.
	float moving = 1.0f - beat->still;
	for (int side = 0; side < 2; ++side)
	{
		// Forward together with the other leg.
		float run = beat->run, c = -SIDE(side) * beat->leftForward, s = -SIDE(side) * beat->leftForwardLater;
		float forward = c * manner->armSwing * style->armSwing, vigour = beat->runVigour * manner->armSwing;
		float noise = manner->variation * rpNoise(manner->seed, 30 + side, 0.8 * t);
		rpArmPlan* arm = plan->arms + side;
		float swing = sampleArm(&s_runShoulder, vigour, c, s);
		arm->swing = mixBy(0.01f + 0.17f * beat->walkVigour * forward, swing, run);
		arm->swing += moving * style->armForward + 0.03f * noise + 0.05f * beat->still;
		arm->spread = mixBy(0.13f, 0.2f, run) + moving * style->armSpread;
		// A runner's hands come before the body as they come up, and pass beside the hips.
		arm->twist = mixBy(0.05f, 0.15f + 0.6f * (swing - s_runShoulder.mean), run);
		arm->elbow = mixBy(0.36f + style->elbowSwing * 0.13f * beat->walkVigour * (1.0f + forward),
						   sampleArm(&s_runElbow, vigour, c, s), run);
		arm->elbow += manner->elbow + moving * style->elbow + 0.04f * noise;
		arm->wrist = 0.1f;
	}
}

static void planTrunk(const rpJourney* journey, const Beat* beat, const rpJourneyPoint* point, double t,
					  rpBodyPlan* plan)
{
	const rpManner* manner = &journey->manner;
	float vary = manner->variation, run = beat->run, left = beat->leftForward;
	float breath = sinf((float)(2.0 * RP_PI * fmod(t / 4.0 + 100.0, 1.0)));
	float push = atanf((float)point->speedRate / GRAVITY);
	plan->tilt = atanf((float)(point->speed * point->turn) / GRAVITY) * 0.85f;
	plan->pelvisTurn = -mixBy(0.087f * beat->walkVigour, 0.085f * beat->runVigour, run) * left;
	plan->pelvisRoll = mixBy(0.042f * fminf(beat->walkVigour + 0.2f, 1.0f), 0.13f, run) * beat->leftStands;
	plan->lean =
		mixBy(0.042f + 0.02f * beat->walkVigour, 0.134f + 0.03f * beat->runVigour, run) + manner->lean + 0.3f * push;
	plan->trunkTurn = mixBy(0.09f * beat->walkVigour, 0.14f * beat->runVigour, run) * left;
	plan->trunkBend = mixBy(0.02f, 0.05f, run) + journey->style.bend * (1.0f - beat->still) -
					  0.012f * breath * beat->still + 0.02f * vary * rpNoise(manner->seed, 32, 0.5 * t);
	plan->trunkSide =
		0.02f * beat->leftStands * (1.0f - beat->still) + 0.015f * vary * rpNoise(manner->seed, 33, 0.5 * t);
	// The head looks where the path goes, a little ahead of the turn, and stays level.
	float ahead = 0.35f * tanhf((float)point->turn * 0.35f);
	plan->headTurn = ahead + 0.1f * vary * rpNoise(manner->seed, 34, 0.35 * t) + 0.1f * plan->trunkTurn;
	plan->headNod =
		manner->nod - 0.8f * (plan->lean + plan->trunkBend - 0.03f) + 0.03f * vary * rpNoise(manner->seed, 35, 0.5 * t);
	plan->headTilt = -0.5f * plan->tilt;
}

// Where the floor's height changes: forwards up the step, and the hip down over a foot that goes down.
static void planClimb(const rpJourney* journey, double t, rpBodyPlan* plan)
{
	for (int i = 1; i + 1 < journey->stepCount; ++i)
	{
		const rpStep* step = journey->steps + i;
		double before = step->strike - step[-1].strike, after = step[1].strike - step->strike;
		float up = fmaxf(step->rise, 0.0f), down = fmaxf(-step->rise, 0.0f);
		if (step->rise != 0.0f)
		{
			float rises = rpEaseInOut(step->strike - 0.4 * before, step->strike + 0.1 * after,
									  step->strike + 0.4 * after, step->strike + 1.1 * after, t);
			float falls = rpEaseInOut(step->strike - 0.7 * before, step->strike - 0.1 * before,
									  step->strike + 0.1 * after, step->strike + 0.6 * after, t);
			plan->lean += 0.4f * up * rises + 0.2f * down * falls;
			plan->headNod -= 0.3f * up * rises - 0.4f * down * falls;
			plan->pelvisRoll -= 0.42f * SIDE(step->side) * down * falls;
			plan->arms[0].spread += 0.3f * (up * rises + down * falls);
			plan->arms[1].spread += 0.3f * (up * rises + down * falls);
		}
	}
}

void rpJourney_Plan(const rpJourney* journey, double t, rpBodyPlan* plan)
{
	rpJourneyPoint point = rpJourney_GetPath(journey, t);
	Beat beat = getBeat(journey, &point, t);
	const rpManner* manner = &journey->manner;
	plan->heading = (float)point.heading;
	plan->center = rpSampleKnots(journey->center, journey->centerCount, t);
	plan->center.y += rpJourney_GetClimb(journey, t);
	// Standing: a slow shift of weight.
	float shift = beat.still * 0.01f * (manner->variation * 1.6f * rpNoise(manner->seed, 20, 0.45 * t));
	plan->center = rpAdd(plan->center, rpRotate(rpYaw(plan->heading), (rpVec3){shift, 0.0f, 0.0f}));
	plan->holds[0] = plan->holds[1] = plan->holds[2] = true;
	plan->pelvis = rpAdd(plan->center, rpRotate(rpYaw(plan->heading), (rpVec3){0.0f, -0.02f, -0.025f}));
	rpPerformance_PlanFeet(&journey->feet, t, plan);
	planTrunk(journey, &beat, &point, t, plan);
	planArms(journey, &beat, t, plan);
	planClimb(journey, t, plan);
	if (journey->leapCount > 0)
	{
		rpJourney_PlanLeaps(journey, t, plan);
	}
}

// ---- legs that reach

// How far the hip of a side must come down for the foot to be in reach, metres.
static float getExcess(const rpBodyPlan* plan, int side, float reach)
{
	rpVec3 hip = rpBodyPlan_GetHip(plan, side), away = rpSub(hip, plan->feet[side].ankle);
	float length = reach * LEG_LENGTH, ground = away.x * away.x + away.z * away.z;
	float excess = away.y - sqrtf(fmaxf(length * length - ground, 0.01f));
	return excess * (1.0f - plan->feet[side].loose);
}

// How much of a knot's drop arrives at a moment this far, 0 … 1, towards the next knot.
static float getInfluence(double part)
{
	return 1.0f - rpEase(0.0, 1.0, part);
}

// The knots on both sides of a moment that need lowering by at least this much. The nearer one bears it; the other one
// only helps where both have a say.
static void noteDrop(const rpJourney* journey, float* needs, double t, float need)
{
	const rpKnot* center = journey->center;
	for (int i = 0; i < journey->centerCount; ++i)
	{
		bool near = (i + 1 == journey->centerCount || center[i + 1].t >= t) && (i == 0 || center[i - 1].t <= t);
		bool last = i + 1 == journey->centerCount;
		double away = t - center[i].t;
		double gap = away >= 0.0 ? (last ? INFINITY : center[i + 1].t - center[i].t)
								 : (i > 0 ? center[i].t - center[i - 1].t : INFINITY);
		if (near && needs[i] < need)
		{
			float say = isinf(gap) ? 1.0f : getInfluence(fabs(away) / gap);
			needs[i] = fmaxf(needs[i], need * fminf(fmaxf(5.0f * say - 1.5f, 0.0f), 1.0f));
		}
	}
}

static bool isFlight(const rpJourney* journey, int i)
{
	return i + 1 < journey->centerCount && journey->center[i].a[1] == -(double)GRAVITY &&
		   journey->center[i + 1].a[1] == -(double)GRAVITY && journey->center[i].v[1] > journey->center[i + 1].v[1];
}

// Lower the knots by what they need, both ends of a flight alike.
static void lowerKnots(rpJourney* journey, float* needs)
{
	for (int i = 0; i < journey->centerCount; ++i)
	{
		if (isFlight(journey, i))
		{
			needs[i] = needs[i + 1] = fmaxf(needs[i], needs[i + 1]);
		}
	}
	for (int i = 0; i < journey->centerCount; ++i)
	{
		journey->center[i].p[1] -= (double)needs[i];
		journey->drops[i] += needs[i];
		needs[i] = 0.0f;
	}
}

// Someone who walks straight ahead stretches the legs; in curves and in the other styles they stay a little bent.
static float getReach(const rpJourney* journey, const rpJourneyPoint* point)
{
	if (journey->style.reach > 0.0f)
	{
		return journey->style.reach;
	}
	float curve = journey->style.ownFeet ? 1.0f : tanhf(fabsf((float)(point->speed * point->turn)) / 0.8f);
	return mixBy(mixBy((float)WALK_REACH, (float)CURVE_REACH, curve), (float)RUN_REACH, (float)point->run);
}

static int countSamples(const rpJourney* journey, const rpPerformance* performance)
{
	double end = (isnan(journey->mirrorTime) ? performance->seconds : journey->mirrorTime) + FIT_AFTER;
	return (int)ceil((end - (FIT_START)) * FIT_RATE);
}

// What is missing at a moment; negative: what there is to spare.
static float measureMoment(const rpJourney* journey, const rpPerformance* performance, double t)
{
	rpBodyPlan plan = {0};
	rpQuat rotations[rp_performerJointCount];
	rpJourney_Plan(journey, t, &plan);
	rpPerformance_AddLaws(performance, isnan(journey->mirrorTime) ? t : journey->mirrorTime - t, &plan);
	rpBodyPlan_SettleNear(&plan, performance->skeleton, performance->body, FIT_NEAR, rotations);
	rpJourneyPoint point = rpJourney_GetPath(journey, t);
	float reach = getReach(journey, &point);
	return fmaxf(getExcess(&plan, 0, reach), getExcess(&plan, 1, reach));
}

// Moments at which legs reach by far are left out from then on: knots are only ever lowered.
static float measureNeeds(const rpJourney* journey, const rpPerformance* performance, bool* spare, float* needs)
{
	float worst = 0.0f;
	int count = countSamples(journey, performance);
	for (int i = 0; i < count; ++i)
	{
		double t = FIT_START + (double)i / FIT_RATE;
		float need = spare[i] ? 0.0f : measureMoment(journey, performance, t);
		spare[i] = spare[i] || need < -FIT_SPARE;
		if (need > 0.0f)
		{
			noteDrop(journey, needs, t, FIT_GAIN * need);
			worst = fmaxf(worst, need);
		}
	}
	return worst;
}

bool rpJourney_FitCenter(rpJourney* journey, const rpPerformance* performance, rpError* error)
{
	rpFree(journey->drops);
	size_t knots = (size_t)journey->centerCount, samples = (size_t)countSamples(journey, performance);
	journey->drops = rpAllocateZero(knots, sizeof(float), error);
	float* needs = journey->drops != NULL ? rpAllocateZero(knots, sizeof(float), error) : NULL;
	bool* spare = needs != NULL ? rpAllocateZero(samples, sizeof(bool), error) : NULL;
	bool ok = spare != NULL;
	float worst = 1.0f;
	for (int pass = 0; ok && pass < FIT_PASSES && worst > FIT_ENOUGH; ++pass)
	{
		worst = measureNeeds(journey, performance, spare, needs);
		lowerKnots(journey, needs);
	}
	rpFree(spare);
	rpFree(needs);
	return ok;
}
