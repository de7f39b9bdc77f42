/// The path of a journey over the ground, and the footholds beside it.
#include "base/memory.h"
#include "performer/journey.h"

// The path is integrated in steps of this, seconds, and known this long beyond the last strike.
#define PATH_STEP 0.01
#define PATH_BEYOND 3.0
// Speed is gone this long after the feet have closed, and begins this long before the first foot lifts, seconds.
#define SETTLE_TIME 0.3
#define READY_TIME 0.35
// A step from standing and the closing one bring this part of their neighbour's speed.
#define START_PART 0.55f

// Where the balls stand: beside the path and ahead of the centre of mass in the middle of the stance.
#define WALK_HALF_WIDTH 0.07f
#define RUN_HALF_WIDTH 0.045f
#define WALK_AHEAD 0.02f
#define RUN_AHEAD -0.0589f
#define JUMP_AHEAD -0.054f
// Feet go outwards in a curve so that the body leans into it: as far as the centre of mass is high, at most this.
#define LEAN_HEIGHT 0.93f
#define MOST_OUTWARDS 0.33f
// Feet of styles lift their heels at this part of the stance.
#define OWN_LIFT 0.42f

// Fitted, with the other numbers of setStep, to the joints' curves over the cycle of captured walkers and runners
// (`reprise-bench performer`).
static const rpSwingShape s_walkSwing = {
	.passTime = 0.42f,
	.passPlace = 0.435f,
	.passSpeed = 1.52f,
	.highTime = 0.18f,
	.pitchOn = 0.028f,
	.pitchTime = 0.24f,
	.drawUp = 0.219f,
	.straight = 1.0f,
};
static const rpSwingShape s_runSwing = {
	.passTime = 0.419f,
	.passPlace = 0.391f,
	.passSpeed = 1.87f,
	.highTime = 0.282f,
	.pitchOn = 0.02f,
	.pitchTime = 0.217f,
	.drawUp = -1.607f,
	.straight = 1.0f,
};

static bool addKnot(rpKnot** knots, int* count, int* capacity, rpKnot knot, rpError* error)
{
	if (*count > 0 && knot.t <= (*knots)[*count - 1].t + 1e-3)
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

static bool addTempo(rpJourney* journey, double t, float speed, float turn, float run, rpError* error)
{
	rpKnot knot = {.t = t, .p = {(double)speed, (double)turn, (double)run}};
	return addKnot(&journey->tempo, &journey->tempoCount, &journey->tempoCapacity, knot, error);
}

// Speed, turn and gait in the middle of each link, standing where the journey stands.
static bool layTempo(rpJourney* journey, rpError* error)
{
	const rpStep* steps = journey->steps;
	bool ok = true;
	for (int i = 0; ok && i < journey->stepCount; ++i)
	{
		const rpStep *step = steps + i, *next = i + 1 < journey->stepCount ? step + 1 : NULL;
		if (step->standing && next != NULL && next->standing)
		{
			// The closing link; the first stand has none.
			float before = i > 0 ? START_PART * steps[i - 1].speed : 0.0f;
			ok = isinf(step->strike) ||
				 addTempo(journey, 0.5 * (step->strike + next->strike), before, 0.0f, 0.0f, error);
			continue;
		}
		if (step->standing)
		{
			float part = next != NULL && next->gait == rp_gaitRun ? 0.8f * START_PART : START_PART;
			double lifts = next != NULL ? steps[i - 1].off : INFINITY;
			ok = isinf(step->strike) || addTempo(journey, step->strike + SETTLE_TIME, 0.0f, 0.0f, 0.0f, error);
			ok = ok && (next == NULL || addTempo(journey, lifts - READY_TIME, 0.0f, 0.0f, 0.0f, error)) &&
				 (next == NULL ||
				  addTempo(journey, 0.5 * (lifts + next->strike), part * next->speed, part * next->turn, 0.0f, error));
			continue;
		}
		double end = next != NULL ? next->strike : step->strike + 0.4;
		ok = addTempo(journey, 0.5 * (step->strike + end), step->speed, step->turn, step->gait == rp_gaitRun, error);
	}
	return ok;
}

static void sampleTempo(const rpJourney* journey, double t, rpPathPoint* point)
{
	double h = 1e-3;
	rpVec3 now = rpSampleKnots(journey->tempo, journey->tempoCount, t);
	rpVec3 before = rpSampleKnots(journey->tempo, journey->tempoCount, t - h);
	rpVec3 after = rpSampleKnots(journey->tempo, journey->tempoCount, t + h);
	point->speed = now.x;
	point->turn = now.y;
	point->run = now.z;
	point->speedRate = (after.x - before.x) / (2.0 * h);
	point->turnRate = (after.y - before.y) / (2.0 * h);
}

// Heading, then place, by Simpson's rule; both are zero at the moment that the motion begins.
static void integratePath(rpJourney* journey, int origin)
{
	rpPathPoint* path = journey->path;
	for (int i = 0; i < journey->pathCount; ++i)
	{
		sampleTempo(journey, journey->pathStart + PATH_STEP * i, path + i);
		double middle =
			rpSampleKnots(journey->tempo, journey->tempoCount, journey->pathStart + PATH_STEP * (i - 0.5)).y;
		path[i].heading =
			i == 0 ? 0.0 : path[i - 1].heading + PATH_STEP * (path[i - 1].turn + 4.0 * middle + path[i].turn) / 6.0;
	}
	double turned = path[origin].heading;
	path[0].heading -= turned;
	for (int i = 1; i < journey->pathCount; ++i)
	{
		path[i].heading -= turned;
		double speed = rpSampleKnots(journey->tempo, journey->tempoCount, journey->pathStart + PATH_STEP * (i - 0.5)).x;
		double heading = 0.5 * (path[i - 1].heading + path[i].heading);
		path[i].x = path[i - 1].x + PATH_STEP *
										(path[i - 1].speed * sin(path[i - 1].heading) + 4.0 * speed * sin(heading) +
										 path[i].speed * sin(path[i].heading)) /
										6.0;
		path[i].z = path[i - 1].z + PATH_STEP *
										(path[i - 1].speed * cos(path[i - 1].heading) + 4.0 * speed * cos(heading) +
										 path[i].speed * cos(path[i].heading)) /
										6.0;
	}
	double x = path[origin].x, z = path[origin].z;
	for (int i = 0; i < journey->pathCount; ++i)
	{
		path[i].x -= x;
		path[i].z -= z;
	}
}

// Scale all turns so that they come to an angle. A knot counts for half the time to its neighbours.
static void scaleTurns(rpJourney* journey, float angle)
{
	rpKnot* knots = journey->tempo;
	double sum = 0.0;
	for (int i = 1; i + 1 < journey->tempoCount; ++i)
	{
		sum += 0.5 * knots[i].p[1] * (knots[i + 1].t - knots[i - 1].t);
	}
	for (int i = 0; sum != 0.0 && i < journey->tempoCount; ++i)
	{
		knots[i].p[1] *= (double)angle / sum;
	}
}

bool rpJourney_LayPath(rpJourney* journey, double end, float angle, rpError* error)
{
	if (!layTempo(journey, error))
	{
		return false;
	}
	if (journey->tempoCount == 0 && !addTempo(journey, 0.0, 0.0f, 0.0f, 0.0f, error))
	{
		return false;
	}
	if (angle != 0.0f)
	{
		scaleTurns(journey, angle);
	}
	double last = end;
	for (int i = 0; i < journey->stepCount; ++i)
	{
		last = fmax(last, isinf(journey->steps[i].strike) ? 0.0 : journey->steps[i].strike);
	}
	// Whole steps before 0, so that 0 is a point of the table.
	int before = 500;
	journey->pathStart = -PATH_STEP * before;
	journey->pathCount = before + 2 + (int)((last + PATH_BEYOND) / PATH_STEP);
	journey->path = rpAllocateZero((size_t)journey->pathCount, sizeof(rpPathPoint), error);
	if (journey->path == NULL)
	{
		return false;
	}
	int origin = isnan(journey->mirrorTime) ? before : before + (int)floor(journey->mirrorTime / PATH_STEP + 0.5);
	integratePath(journey, origin);
	return true;
}

// A point of the table as a knot of x, z and heading.
static rpKnot makeKnot(const rpPathPoint* point, double t)
{
	double east = sin(point->heading), north = cos(point->heading);
	double along = point->speedRate, across = point->speed * point->turn;
	return (rpKnot){
		.t = t,
		.p = {point->x, point->z, point->heading},
		.v = {point->speed * east, point->speed * north, point->turn},
		.a = {along * east + across * north, along * north - across * east, point->turnRate},
	};
}

rpPathPoint rpJourney_GetPath(const rpJourney* journey, double t)
{
	double place = (t - journey->pathStart) / PATH_STEP;
	int i = (int)fmin(fmax(floor(place), 0.0), journey->pathCount - 2);
	rpKnot ends[2] = {makeKnot(journey->path + i, 0.0), makeKnot(journey->path + i + 1, PATH_STEP)};
	rpVec3 now = rpSampleKnots(ends, 2, t - journey->pathStart - PATH_STEP * i);
	rpPathPoint point = {.x = now.x, .z = now.y, .heading = now.z};
	sampleTempo(journey, t, &point);
	return point;
}

// Where a foot at ease stands when the journey stands at t.
static rpStance setAtEase(const rpJourney* journey, const rpStep* step, double t)
{
	rpPathPoint point = rpJourney_GetPath(journey, t);
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
	return isinf(closing->strike) ? (isinf(end) ? 0.0 : end - READY_TIME) : closing->strike + SETTLE_TIME;
}

static float mixBy(float walk, float run, double share)
{
	return walk + (float)share * (run - walk);
}

// Feet out of the curve: the centre of mass is inside them, by the slope of gravity and centripetal force.
static float getOutwards(const rpPathPoint* point)
{
	float slope = (float)(point->speed * point->turn) / GRAVITY;
	return MOST_OUTWARDS * tanhf(LEAN_HEIGHT * slope / MOST_OUTWARDS);
}

// Where and how the foot of a moving step is set.
static rpStance setStep(const rpJourney* journey, int index)
{
	const rpStep* step = journey->steps + index;
	const rpManner* manner = &journey->manner;
	const rpGaitStyle* style = &journey->style;
	double middle = 0.5 * (step->strike + fmin(step->off, step->strike + 1.0));
	rpPathPoint point = rpJourney_GetPath(journey, middle);
	double run = step->gait == rp_gaitRun ? 1.0 : 0.0;
	float vary = manner->variation, speed = step->speed;
	// Who goes slowly, or turns on the spot, sets his feet farther apart.
	float wide = WALK_HALF_WIDTH + 0.03f * expf(-speed / 0.4f);
	float aside = SIDE(step->side) * mixBy(wide, RUN_HALF_WIDTH, run) * manner->width * style->width;
	aside += 0.006f * vary * rpChance(manner->seed, 3, index) - getOutwards(&point);
	float walkAhead = WALK_AHEAD - 0.021f * (speed - 1.2f) + 0.04f * expf(-speed / 0.4f);
	// Who sprints does not leave his feet behind farther than hips let him.
	bool jumps = index + 1 < journey->stepCount && step[1].leap > 0.0f;
	float runAhead = jumps || step->leap > 0.0f ? JUMP_AHEAD : RUN_AHEAD + 0.02f * fmaxf(speed - 3.4f, 0.0f);
	float ahead = mixBy(walkAhead, runAhead, run) + 0.008f * vary * rpChance(manner->seed, 4, index);
	rpVec3 away = rpRotate(rpYaw((float)point.heading), (rpVec3){aside, 0.0f, ahead});
	float toeOut = SIDE(step->side) * (mixBy(0.1f, 0.03f, run) + manner->toeOut);
	rpStance stance = {.side = step->side, .strike = step->strike, .off = step->off};
	stance.ball = (rpVec3){(float)point.x + away.x, 0.0f, (float)point.z + away.z};
	stance.heading = (float)point.heading + toeOut + 0.02f * vary * rpChance(manner->seed, 5, index);
	double length = step->off - step->strike;
	stance.flat = step->strike + mixBy(0.15f, 0.18f, run) * length;
	// Who goes backwards, which is walking shown from its end, sets his heel down briskly; who steps on the spot lifts
	// it so.
	float walkLift = isnan(journey->mirrorTime) ? 0.539f + 0.15f * expf(-speed / 0.4f) : 0.68f;
	stance.lift = step->strike + (double)mixBy(walkLift, 0.2f, run) * length;
	stance.strikePitch = mixBy(-0.04f - 0.36f * fminf(speed / 1.3f, 1.05f), -0.08f, run);
	stance.liftPitch = mixBy(0.36f + 0.59f * fminf(speed / 1.35f, 1.0f), 0.82f, run);
	stance.clear = 0.1185f * (float)run;
	stance.clearLate = -1.0f;
	stance.late = mixBy(0.7f, 0.907f, run);
	stance.high = mixBy(ANKLE_HEIGHT + 0.163f * (0.35f + 0.65f * tanhf(speed / 0.6f)), 0.099f + 0.05f * speed, run) *
				  (1.0f + 0.03f * vary * rpChance(manner->seed, 6, index));
	stance.brisk = mixBy(0.85f, 0.462f, run);
	stance.shape = run > 0.5 ? &s_runSwing : &s_walkSwing;
	if (index + 3 < journey->stepCount && step[3].leap > 0.0f)
	{
		// The foot that will push off comes late, or its leg is overstretched.
		stance.late = 1.3f;
	}
	if (jumps)
	{
		// Who jumps pushes with the ball of the foot.
		stance.strikePitch = 0.18f;
		stance.flatPitch = 0.14f;
	}
	if (style->ownFeet)
	{
		stance.lift = step->strike + (double)(style->lift > 0.0f ? style->lift : OWN_LIFT) * length;
		stance.brisk = style->brisk;
		stance.high = style->high;
		stance.shape = style->swing;
		stance.strikePitch = style->strikePitch;
		stance.flatPitch = style->flatPitch;
		stance.liftPitch = fmaxf(style->liftPitch, style->flatPitch);
		stance.clear = style->clear;
		stance.clearLate = style->clearLate;
		stance.late = style->late;
	}
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
			stance = setAtEase(journey, step, getStandTime(journey, i));
			stance.flat = isinf(step->strike) ? step->strike : step->strike + 0.1;
			stance.strikePitch = isinf(step->strike) ? 0.0f : -0.06f;
			// Who starts to run pushes off harder.
			bool runs = (i + 1 < journey->stepCount && step[1].gait == rp_gaitRun) ||
						(i + 2 < journey->stepCount && step[2].gait == rp_gaitRun);
			stance.lift = isinf(step->off) ? step->off : step->off - (runs ? 0.7 : 0.45);
			stance.liftPitch = runs ? 0.95f : 0.6f;
			stance.clear = runs ? 0.09f : 0.03f;
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
