/// The footholds of a journey, beside its path.
#include "performer/journey.h"

// Where the balls stand: beside the path and ahead of the centre of mass in the middle of the stance.
#define WALK_HALF_WIDTH 0.07f
#define RUN_HALF_WIDTH 0.045f
#define WALK_AHEAD 0.024f
#define RUN_AHEAD -0.0359f
#define JUMP_AHEAD -0.064f
// Feet go outwards in a curve so that the body leans into it: as far as the centre of mass is high, at most this.
#define LEAN_HEIGHT 0.93f
#define MAX_OUTWARDS 0.33f
// Someone who steps on the spot goes slower than this, m/s.
#define SPOT_SPEED 0.15f
// Feet of styles lift their heels at this part of the stance.
#define OWN_LIFT 0.42f
// How high a walker's foot is lifted, metres, and how late it swings (rpStance).
#define WALK_HIGH 0.163f
#define WALK_LATE 0.446f

// Fitted, with the other numbers of setWalkingFoot and setRunningFoot, to the joints' curves over the cycle of captured
// walkers and runners
// (`reprise-bench performer`).
static const rpSwingShape s_walkSwing = {
	.passTime = 0.398f,
	.passPlace = 0.421f,
	.passSpeed = 1.444f,
	.highTime = 0.171f,
	.pitchOn = 0.038f,
	.pitchTime = 0.238f,
	.drawUp = 0.213f,
	.straight = 1.0f,
};
static const rpSwingShape s_runSwing = {
	.passTime = 0.415f,
	.passPlace = 0.388f,
	.passSpeed = 1.851f,
	.highTime = 0.264f,
	.pitchOn = 0.03f,
	.pitchTime = 0.198f,
	.drawUp = -1.509f,
};

// Over an edge: the first foot up and the other one after it, the first foot down and the other one.
static const rpSwingShape s_leadUp = {.passTime = 0.45f,
									  .passPlace = 0.57f,
									  .passSpeed = 1.6f,
									  .highTime = 0.6f,
									  .pitchOn = 0.03f,
									  .pitchTime = 0.25f,
									  .drawUp = 0.3f,
									  .straight = 1.0f};
static const rpSwingShape s_trailUp = {.passTime = 0.5f,
									   .passPlace = 0.25f,
									   .passSpeed = 1.5f,
									   .highTime = 0.5f,
									   .pitchOn = 0.03f,
									   .pitchTime = 0.25f,
									   .drawUp = 0.6f,
									   .straight = 1.0f};
static const rpSwingShape s_leadDown = {.passTime = 0.45f,
										.passPlace = 0.6f,
										.passSpeed = 1.4f,
										.highTime = 0.4f,
										.pitchOn = 0.03f,
										.pitchTime = 0.25f,
										.drawUp = 0.3f,
										.straight = 1.0f};
static const rpSwingShape s_trailDown = {.passTime = 0.45f,
										 .passPlace = 0.3f,
										 .passSpeed = 1.6f,
										 .highTime = 0.25f,
										 .pitchOn = 0.03f,
										 .pitchTime = 0.25f,
										 .drawUp = 0.3f,
										 .straight = 1.0f};

// How high an ankle passes over an edge, above where it is on the higher floor, metres: the first foot up, and others.
#define LEAD_OVER_EDGE 0.035f
#define OVER_EDGE 0.13f

// Where a foot at ease stands when the journey stands at t.
static rpStance setAtEase(const rpJourney* journey, const rpStep* step, double t)
{
	rpJourneyPoint point = rpJourney_GetPath(journey, t);
	rpStance stance = rpManner_MakeEaseStance(&journey->manner, step->side, step->strike, step->off);
	// The path is that of the centre of mass.
	stance.ball.z -= STAND_CENTER_FORWARD;
	rpVec3 away = rpRotate(rpYaw((float)point.heading), stance.ball);
	stance.ball = (rpVec3){(float)point.x + away.x, 0.0f, (float)point.z + away.z};
	stance.heading += (float)point.heading;
	return stance;
}

// The middle of a stand that step i belongs to.
static double getStandTime(const rpJourney* journey, int i)
{
	const rpStep* steps = journey->steps;
	bool closes = i > 0 && steps[i - 1].standing;
	const rpStep* closing = closes ? steps + i : steps + i + 1;
	double end = (closing - 1)->off;
	return isinf(closing->strike) ? (isinf(end) ? 0.0 : end - JOURNEY_READY_TIME)
								  : closing->strike + JOURNEY_SETTLE_TIME;
}

// Feet out of the curve: the centre of mass is inside them, by the slope of gravity and centripetal force.
static float getOutwards(const rpJourneyPoint* point)
{
	float slope = (float)(point->speed * point->turn) / GRAVITY;
	return MAX_OUTWARDS * tanhf(LEAN_HEIGHT * slope / MAX_OUTWARDS);
}

// On the spot a heel does not lift before the other foot is down: the weight is over it. Otherwise -INFINITY.
static double getSpotLift(const rpJourney* journey, int index)
{
	const rpStep* step = journey->steps + index;
	int next = index + (step->standing && index + 1 < journey->stepCount && step[1].standing ? 2 : 1);
	bool spot = step->speed < SPOT_SPEED && next < journey->stepCount && journey->steps[next].speed < SPOT_SPEED;
	return spot && step->off > journey->steps[next].strike ? journey->steps[next].strike : -INFINITY;
}

// The stretch of a stance that is walked, from heel to ball.
static void setWalkingFoot(const rpJourney* journey, int index, rpStance* stance)
{
	const rpStep* step = journey->steps + index;
	float speed = step->speed, slow = expf(-speed / 0.4f);
	double length = step->off - step->strike;
	stance->flat = step->strike + 0.132 * length;
	// Someone who walks backwards, which is walking shown from its end, sets the heel down briskly; someone who steps
	// on the spot lifts it so.
	float lift = isnan(journey->mirrorTime) ? 0.547f + 0.15f * slow : 0.68f;
	stance->lift = fmax(step->strike + (double)lift * length, getSpotLift(journey, index));
	stance->strikePitch = -0.04f - 0.346f * fminf(speed / 1.3f, 1.05f);
	stance->liftPitch = 0.36f - 0.24f * slow * slow + 0.543f * fminf(speed / 1.35f, 1.0f);
	stance->late = WALK_LATE;
	stance->high = ANKLE_HEIGHT + WALK_HIGH * (0.5f + 0.5f * tanhf(speed / 0.6f));
	stance->brisk = 0.818f;
	stance->shape = &s_walkSwing;
	if (speed < SPOT_SPEED)
	{
		// Turned on the spot, a foot is hardly lifted.
		stance->high = 0.0f;
		stance->clear = 0.03f;
		stance->clearLate = 0.0f;
		stance->brisk = 0.0f;
		stance->shape = NULL;
	}
}

static void setRunningFoot(const rpJourney* journey, int index, rpStance* stance)
{
	const rpStep* step = journey->steps + index;
	double length = step->off - step->strike;
	stance->flat = step->strike + 0.17 * length;
	stance->lift = step->strike + 0.24 * length;
	stance->strikePitch = -0.13f;
	stance->liftPitch = 0.814f;
	stance->early = 1.642f;
	stance->brisk = 0.123f;
	// The foot is thrown up behind in the swing, unless the run is over.
	bool thrown = index + 2 >= journey->stepCount || step[2].gait == rp_gaitRun;
	stance->clear = thrown ? 0.042f : 0.0f;
	stance->late = thrown ? 0.814f : WALK_LATE;
	stance->high = thrown ? 0.0704f + 0.068f * step->speed : ANKLE_HEIGHT + WALK_HIGH;
	stance->shape = thrown ? &s_runSwing : &s_walkSwing;
	if (index + 3 < journey->stepCount && step[3].leap > 0.0f)
	{
		// The foot that will push off comes late, or its leg is overstretched.
		stance->late = 1.3f;
	}
	if (index + 1 < journey->stepCount && step[1].leap > 0.0f)
	{
		// A jumper pushes with the ball of the foot, and longer.
		stance->early = 0.0f;
		stance->brisk = 0.462f;
		stance->strikePitch = 0.18f;
		stance->flatPitch = 0.14f;
	}
}

static float getRise(const rpJourney* journey, int index)
{
	return index >= 0 && index < journey->stepCount ? journey->steps[index].rise : 0.0f;
}

// Where the floor's height changes: how feet are set, leave, and swing over the edge.
static void setClimbingFoot(const rpJourney* journey, int index, rpStance* stance)
{
	const rpStep* step = journey->steps + index;
	float own = step->rise, next = getRise(journey, index + 1), second = getRise(journey, index + 2);
	if (own > 0.0f || getRise(journey, index - 1) > 0.0f)
	{
		// Set on the ball, and flat soon.
		stance->strikePitch = own > 0.0f ? 0.08f : 0.12f;
		stance->flat = step->strike + 0.14;
	}
	if (own < 0.0f)
	{
		stance->strikePitch = 0.4f - 0.7f * own;
		stance->flat = step->strike + 0.22;
	}
	if (next > 0.0f)
	{
		// Pushes until the leg is stretched.
		stance->liftPitch = fmaxf(stance->liftPitch, 0.6f);
		stance->shape = &s_trailUp;
		stance->late = 0.3f;
	}
	if (next < 0.0f)
	{
		// Rolls over the ball while its knee bends.
		stance->lift = step[1].strike - 0.7 * (step[1].strike - step->strike);
		stance->liftPitch = 1.3f;
		stance->brisk = 0.0f;
		stance->shape = &s_trailDown;
		stance->late = 0.0f;
	}
	if (second != 0.0f)
	{
		stance->shape = second > 0.0f ? &s_leadUp : &s_leadDown;
		stance->late = 0.2f;
	}
	if (next != 0.0f || second != 0.0f)
	{
		stance->high = ANKLE_HEIGHT + (second > 0.0f ? LEAD_OVER_EDGE : OVER_EDGE) + fmaxf(fmaxf(next, second), 0.0f);
	}
}

static void setStyledFoot(const rpGaitStyle* style, rpStance* stance)
{
	double length = stance->off - stance->strike;
	stance->lift = stance->strike + (double)(style->lift > 0.0f ? style->lift : OWN_LIFT) * length;
	stance->brisk = style->brisk;
	stance->high = style->high;
	stance->shape = style->swing;
	stance->strikePitch = style->strikePitch;
	stance->flatPitch = style->flatPitch;
	stance->liftPitch = fmaxf(style->liftPitch, style->flatPitch);
	stance->clear = style->clear;
	stance->clearLate = style->clearLate;
	stance->late = style->late;
}

// Where the ball of a moving step is set, from the centre of mass in the middle of the stance: left and ahead.
static rpVec3 getPlace(const rpJourney* journey, int index, const rpJourneyPoint* point)
{
	const rpStep* step = journey->steps + index;
	const rpManner* manner = &journey->manner;
	float speed = step->speed, slow = expf(-speed / 0.4f), vary = manner->variation;
	// Someone who goes slowly, or turns on the spot, sets the feet farther apart.
	float wide = step->gait == rp_gaitRun ? RUN_HALF_WIDTH : WALK_HALF_WIDTH + 0.03f * slow;
	float aside = SIDE(step->side) * wide * manner->width * journey->style.width;
	aside += 0.006f * vary * rpChance(manner->seed, 3, index) - getOutwards(point);
	// Sprinters do not leave their feet behind farther than the hips allow.
	bool jumps = index + 1 < journey->stepCount && step[1].leap > 0.0f;
	float ahead = step->gait == rp_gaitWalk    ? WALK_AHEAD - 0.018f * (speed - 1.2f) + 0.04f * slow
				  : jumps || step->leap > 0.0f ? JUMP_AHEAD
											   : RUN_AHEAD + 0.02f * fmaxf(speed - 3.4f, 0.0f);
	ahead += 0.2f * fmaxf(step->rise, 0.0f);
	ahead -= step->leap > 0.0f && step->gait == rp_gaitWalk ? LEAP_BEHIND : 0.0f;
	return (rpVec3){aside, 0.0f, ahead + 0.008f * vary * rpChance(manner->seed, 4, index)};
}

// Where and how the foot of a moving step is set.
static rpStance setStep(const rpJourney* journey, int index)
{
	const rpStep* step = journey->steps + index;
	const rpManner* manner = &journey->manner;
	rpJourneyPoint point = rpJourney_GetPath(journey, 0.5 * (step->strike + fmin(step->off, step->strike + 1.0)));
	bool runs = step->gait == rp_gaitRun;
	rpVec3 away = rpRotate(rpYaw((float)point.heading), getPlace(journey, index, &point));
	float toeOut = SIDE(step->side) * ((runs ? 0.03f : 0.1f) + manner->toeOut);
	rpStance stance = {.side = step->side, .strike = step->strike, .off = step->off, .clearLate = -1.0f};
	stance.ball = (rpVec3){(float)point.x + away.x, 0.0f, (float)point.z + away.z};
	stance.support = step->support;
	stance.heading = (float)point.heading + toeOut + 0.02f * manner->variation * rpChance(manner->seed, 5, index);
	if (runs)
	{
		setRunningFoot(journey, index, &stance);
	}
	else
	{
		setWalkingFoot(journey, index, &stance);
		setClimbingFoot(journey, index, &stance);
	}
	stance.high *= 1.0f + 0.03f * manner->variation * rpChance(manner->seed, 6, index);
	if (journey->style.ownFeet)
	{
		setStyledFoot(&journey->style, &stance);
	}
	return stance;
}

// Where and how a foot of a stand is set, and how it leaves.
static rpStance setStand(const rpJourney* journey, int i)
{
	const rpStep* step = journey->steps + i;
	rpStance stance = setAtEase(journey, step, getStandTime(journey, i));
	stance.support = step->support;
	stance.flat = isinf(step->strike) ? step->strike : step->strike + 0.1;
	stance.strikePitch = isinf(step->strike) ? 0.0f : -0.06f;
	// Someone who starts to run pushes off harder.
	bool runs = (i + 1 < journey->stepCount && step[1].gait == rp_gaitRun) ||
				(i + 2 < journey->stepCount && step[2].gait == rp_gaitRun);
	double spot = getSpotLift(journey, i);
	stance.lift = isinf(step->off) ? step->off : fmax(step->off - (runs ? 0.5 : 0.45), spot);
	stance.liftPitch = runs ? 0.95f : isinf(spot) ? 0.6f : 0.25f;
	stance.clear = runs ? 0.09f : 0.03f;
	return stance;
}

bool rpJourney_LayStances(rpJourney* journey, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < journey->stepCount; ++i)
	{
		const rpStep* step = journey->steps + i;
		rpStance stance;
		if (step->standing)
		{
			stance = setStand(journey, i);
		}
		else
		{
			stance = setStep(journey, i);
		}
		ok = rpPerformance_AddStance(&journey->feet, &stance, error);
		bool closes = step->standing && i > 0 && journey->steps[i - 1].standing;
		ok = ok && (!closes || rpPerformance_AddStand(&journey->feet, step->strike, journey->steps[i - 1].off, error));
	}
	return ok;
}
