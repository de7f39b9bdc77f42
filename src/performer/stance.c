/// A foot from stance to stance: it rolls over heel, sole and ball, and swings to its next place. All of it is C2 in
/// time: the pitch goes by cubic and quartic laws, and the swing is a quintic that takes over place, velocity and
/// acceleration of the rolling foot at both ends.
#include "performer/stage.h"
#include "reprise/play/extend.h"

// How much of a swing is sampled to see that the foot clears the floor, and by how much it shall, metres, mid-swing.
#define CLEAR_SAMPLES 40
// The part of the swing in which the toes unbend, and in which they prepare for a strike on the ball.
#define UNBENT 0.6
// How soon toes that are still bending when they leave bend no more, seconds.
#define TOE_STOP 0.05
// How long after leaving, and before striking, a foot takes to be free of its leg's reach, seconds.
#define LOOSE_TIME 0.05
// A foot goes on pitching by no more than this, radians.
#define MAX_PITCH_ON 0.6

static const rpSwingShape s_plainSwing = {.highTime = 0.36f, .pitchOn = 0.025f, .pitchTime = 0.22f, .drawUp = 0.35f};

/// A number with its rates: value, per second, per second squared.
typedef struct Rate
{
	double x, v, a;
} Rate;

/// A foot about its pivot, in the foot's own heading: ankle up and forward of the pivot.
typedef struct Roll
{
	Rate pitch, up, forward, toe;
} Roll;

rpStance rpMakeFlatStance(int side, double strike, double off, rpVec3 ball, float heading)
{
	return (rpStance){
		.side = side,
		.strike = strike,
		.flat = strike,
		.lift = off,
		.off = off,
		.ball = ball,
		.heading = heading,
		.clear = 0.03f,
	};
}

// The pitch's law: it comes down from the strike by a quintic that begins and ends at rest, and rises over the
// ball with 2r^3 - r^4, which still rises when the foot leaves, but no faster; with r^3 if it leaves briskly. A heel
// that lifts early adds r^3 (1 - r)^2 to it.
static Rate rollPitch(const rpStance* stance, double t)
{
	double flat = stance->flatPitch;
	if (t < stance->flat)
	{
		double length = stance->flat - stance->strike, r = (stance->flat - t) / length, h = stance->strikePitch - flat;
		double q = 1.0 - r;
		return (Rate){flat + h * r * r * r * (10.0 + r * (6.0 * r - 15.0)), -30.0 * h * r * r * q * q / length,
					  60.0 * h * r * q * (1.0 - 2.0 * r) / (length * length)};
	}
	if (t > stance->lift)
	{
		double length = stance->off - stance->lift, r = (t - stance->lift) / length, h = stance->liftPitch - flat;
		double soft = 1.0 - (double)stance->brisk, early = stance->early, q = 1.0 - r;
		return (Rate){flat + h * r * r * r * (1.0 + q * (soft + early * q)),
					  h * r * r * (3.0 + soft * (3.0 - 4.0 * r) + early * q * (3.0 - 5.0 * r)) / length,
					  h * r * (6.0 + soft * (6.0 - 12.0 * r) + early * (6.0 - 24.0 * r + 20.0 * r * r)) /
						  (length * length)};
	}
	return (Rate){flat, 0.0, 0.0};
}

static bool isOnHeel(const rpStance* stance, double t)
{
	return stance->strikePitch < 0.0f && t < stance->flat;
}

// Where the ankle is from the pivot (heel or ball), and how it moves as the foot pitches about it.
static Roll rollFoot(const rpStance* stance, double t)
{
	bool onHeel = isOnHeel(stance, t);
	rpVec3 offset = onHeel ? HEEL_OFFSET : BALL_OFFSET;
	Roll roll = {.pitch = rollPitch(stance, t)};
	Rate p = roll.pitch;
	double c = cos(p.x), s = sin(p.x);
	// The offset turned by the pitch about x, taken away from the pivot; and its first derivative by the pitch.
	double up = -(offset.y * c - offset.z * s), forward = -(offset.y * s + offset.z * c);
	double upRate = offset.y * s + offset.z * c, forwardRate = -(offset.y * c - offset.z * s);
	roll.up = (Rate){up, upRate * p.v, upRate * p.a - up * p.v * p.v};
	roll.forward = (Rate){forward, forwardRate * p.v, forwardRate * p.a - forward * p.v * p.v};
	roll.toe = onHeel || p.x < 0.0 ? (Rate){0} : p;
	return roll;
}

// The pivot in the world.
static rpVec3 getPivot(const rpStance* stance, bool onHeel)
{
	rpVec3 pivot = {stance->ball.x, stance->support + BALL_HEIGHT, stance->ball.z};
	float back = onHeel ? HEEL_OFFSET.z - BALL_OFFSET.z : 0.0f;
	return rpAdd(pivot, rpRotate(rpYaw(stance->heading), (rpVec3){0.0f, 0.0f, back}));
}

static rpFootPlan placeFoot(const rpStance* stance, double t)
{
	Roll roll = rollFoot(stance, t);
	rpVec3 ankle = getPivot(stance, isOnHeel(stance, t));
	float forward = (float)roll.forward.x;
	ankle.x += forward * sinf(stance->heading);
	ankle.z += forward * cosf(stance->heading);
	ankle.y += (float)roll.up.x;
	return (rpFootPlan){
		.ankle = ankle, .heading = stance->heading, .pitch = (float)roll.pitch.x, .toe = (float)roll.toe.x};
}

rpFootPlan rpStance_PlanFoot(const rpStance* stance, double t)
{
	return placeFoot(stance, fmin(fmax(t, stance->strike), stance->off));
}

// A knot of the ankle's path in the world, at one end of a stance.
static rpKnot makeKnot(const rpStance* stance, double t, Roll* roll)
{
	*roll = rollFoot(stance, t);
	rpVec3 pivot = getPivot(stance, isOnHeel(stance, t));
	double east = sin((double)stance->heading), north = cos((double)stance->heading);
	const Rate *f = &roll->forward, *u = &roll->up;
	return (rpKnot){
		.t = t,
		.p = {pivot.x + f->x * east, pivot.y + u->x, pivot.z + f->x * north},
		.v = {f->v * east, u->v, f->v * north},
		.a = {f->a * east, u->a, f->a * north},
	};
}

// Pitch, toe and heading as the three channels of a knot.
static rpKnot makeTurnKnot(double t, const Roll* roll, float heading)
{
	return (rpKnot){.t = t,
					.p = {roll->pitch.x, roll->toe.x, (double)heading},
					.v = {roll->pitch.v, roll->toe.v, 0.0},
					.a = {roll->pitch.a, roll->toe.a, 0.0}};
}

// Toes stop to bend at once when they leave, unbend early in the swing and stay so until, late, they prepare for a
// strike on the ball.
static float swingToe(const rpKnot turns[2], double t)
{
	double length = turns[1].t - turns[0].t, unbent = turns[0].t + UNBENT * length;
	double quick = fmin(TOE_STOP, 0.2 * length);
	rpKnot toes[4] = {turns[0], {.t = turns[0].t + quick}, {.t = unbent}, turns[1]};
	toes[1].p[1] = turns[0].p[1] + 0.3 * quick * fmax(turns[0].v[1], 0.0);
	return rpSampleKnots(toes, 4, t).y;
}

// The foot goes on pitching for a while after it has left, then comes back.
static float swingPitch(const rpSwingShape* shape, const rpKnot turns[2], double t)
{
	double length = (double)shape->pitchTime * (turns[1].t - turns[0].t);
	double more = fmin((double)shape->pitchOn * fmax(turns[0].v[0], 0.0), MAX_PITCH_ON);
	rpKnot pitches[3] = {turns[0], {.t = turns[0].t + length}, turns[1]};
	pitches[1].p[0] = turns[0].p[0] + more;
	pitches[1].a[0] = -8.0 * more / (length * length);
	return rpSampleKnots(pitches, 3, t).x;
}

// The ankle's height over a summit.
static float swingHeight(const rpSwingShape* shape, const rpKnot ends[2], float summit, double t)
{
	double length = ends[1].t - ends[0].t;
	rpKnot knots[3] = {ends[0], {.t = ends[0].t + (double)shape->highTime * length}, ends[1]};
	knots[1].p[1] = (double)summit;
	knots[1].a[1] = -10.0 * ((double)summit - ends[1].p[1]) / (length * length);
	return rpSampleKnots(knots, 3, t).y;
}

// The ankle's path through a place that it passes.
static rpVec3 swingBy(const rpSwingShape* shape, const rpKnot ends[2], double t)
{
	double length = ends[1].t - ends[0].t;
	rpKnot knots[3] = {ends[0], {.t = ends[0].t + (double)shape->passTime * length}, ends[1]};
	for (int i = 0; i < 3; ++i)
	{
		double change = ends[1].p[i] - ends[0].p[i];
		knots[1].p[i] = ends[0].p[i] + (double)shape->passPlace * change;
		knots[1].v[i] = (double)shape->passSpeed * change / length;
	}
	return shape->passTime > 0.0f ? rpSampleKnots(knots, 3, t) : rpSampleKnots(ends, 2, t);
}

// The bend of the toes that keeps their tips above the floor while the ball is near it, blended in smoothly.
static float keepToesUp(const rpFootPlan* foot, float toe, float floorHeight, float bump)
{
	float ball = foot->ankle.y + BALL_OFFSET.y * cosf(foot->pitch) - BALL_OFFSET.z * sinf(foot->pitch);
	float needed = foot->pitch - (ball - BALL_HEIGHT - floorHeight) / TOE_OFFSET.z;
	float more = needed - toe, soft = 0.1f * bump;
	return toe + 0.5f * (more + sqrtf(more * more + soft * soft));
}

rpFootPlan rpPlanSwing(const rpStance* from, const rpStance* to, double t)
{
	Roll leave, arrive;
	rpKnot ends[2] = {makeKnot(from, from->off, &leave), makeKnot(to, to->strike, &arrive)};
	float heading = from->heading + rpWrapAngle(to->heading - from->heading);
	rpKnot turns[2] = {makeTurnKnot(from->off, &leave, from->heading), makeTurnKnot(to->strike, &arrive, heading)};
	double length = to->strike - from->off, s = (t - from->off) / length, r = 1.0 - s;
	double late = from->off + length * (s - (double)from->late * s * s * s * r);
	const rpSwingShape* shape = from->shape != NULL ? from->shape : &s_plainSwing;
	rpFootPlan foot = {.ankle = swingBy(shape, ends, late), .heading = rpSampleKnots(turns, 2, late).z};
	foot.floor = fminf(from->support, to->support);
	foot.pitch = swingPitch(shape, turns, late);
	float bump = (float)(64.0 * s * s * s * r * r * r);
	if (from->high > 0.0f)
	{
		foot.ankle.y = swingHeight(shape, ends, from->support + from->high, late);
	}
	// Toes up in the swing, all the more if the foot comes from its ball and goes to it.
	foot.pitch -= shape->drawUp * fmaxf(from->liftPitch + to->strikePitch, 0.0f) * bump;
	foot.ankle.y += from->clear * bump * (1.0f + from->clearLate * (float)(s - r));
	foot.toe = keepToesUp(&foot, swingToe(turns, late), foot.floor, bump);
	foot.follow = from->follow * bump;
	foot.straight = shape->straight;
	foot.loose = rpEaseInOut(from->off, from->off + LOOSE_TIME, to->strike - LOOSE_TIME, to->strike, t);
	return foot;
}

// Lift the swing until no part of the foot is below the higher of the two floors it goes between.
static void clearFloor(rpStance* from, const rpStance* to)
{
	for (int i = 1; i < CLEAR_SAMPLES; ++i)
	{
		float s = (float)i / CLEAR_SAMPLES, bump = 64.0f * s * s * s * (1.0f - s) * (1.0f - s) * (1.0f - s);
		rpFootPlan foot = rpPlanSwing(from, to, from->off + s * (to->strike - from->off));
		float floorHeight = fminf(from->support, to->support) + 0.012f * 4.0f * s * (1.0f - s);
		float missing = floorHeight - rpFootPlan_GetLowest(&foot);
		// Too near the ends the bump is too flat to help; there the quintic itself still hugs the stance.
		if (missing > 0.0f && s > 0.2f && s < 0.9f)
		{
			from->clear += missing / (bump * (1.0f + from->clearLate * (2.0f * s - 1.0f)));
		}
	}
}

bool rpPerformance_AddStance(rpPerformance* performance, const rpStance* stance, rpError* error)
{
	int side = stance->side, count = performance->stanceCount[side];
	if (!rpGrow(performance->stances + side, performance->stanceCapacity + side, count, sizeof(rpStance), error))
	{
		return false;
	}
	rpStance* stances = performance->stances[side];
	stances[count] = *stance;
	if (count > 0)
	{
		clearFloor(stances + count - 1, stances + count);
	}
	performance->stanceCount[side] = count + 1;
	return true;
}

static rpFootPlan planFoot(const rpStance* stances, int count, double t)
{
	int low = 0, high = count;
	while (high - low > 1)
	{
		int middle = (low + high) / 2;
		if (stances[middle].strike <= t)
		{
			low = middle;
		}
		else
		{
			high = middle;
		}
	}
	const rpStance* stance = stances + low;
	return t <= stance->off || low + 1 == count ? rpStance_PlanFoot(stance, t) : rpPlanSwing(stance, stance + 1, t);
}

void rpPerformance_PlanFeet(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	for (int side = 0; side < 2; ++side)
	{
		if (performance->stanceCount[side] > 0)
		{
			plan->feet[side] = planFoot(performance->stances[side], performance->stanceCount[side], t);
		}
	}
}
