/// The running jump: in a run one flight is long. The foot before it pushes the body up, the other leg goes ahead and
/// lands, the first one trails and is drawn through; then the run goes on.
///
/// A journey knows such flights (rpJourneyDef.leaps): when feet strike and leave and the centre of mass are its own.
/// Here is what the feet in the air do, relative to the centre of mass, which flies, and what trunk and arms add to
/// running.
#include "performer/journey.h"
#include "reprise/play/extend.h"

// Max moments of a foot's path through a jump, with its ends.
#define PATH_POINTS 7
// Seconds about a moment from which its rates are taken.
#define RATE_STEP 2e-3
// The foot that has trailed is farthest ahead this long before it lands, seconds; then the body passes over it.
#define REACH_BEFORE 0.112
// How soon a foot that leaves pitches no more, seconds.
#define TURN_STOP 0.098
// Seconds of running between two jumps when there is time for more than one, and before the first and after the last.
#define BETWEEN_JUMPS 2.4
#define BEFORE_JUMP 1.2
// The shortest flight of a jump, seconds: that of a step.
#define SHORTEST_LEAP 0.12f

/// A foot through the air: ankle from the centre of mass in the frame of the body's heading; pitch, toe, and heading
/// against the body's.
typedef struct FootPath
{
	double start, end;
	rpKnot ankles[PATH_POINTS], turns[PATH_POINTS];
	int count, turnCount;
} FootPath;

struct rpLeap
{
	/// The side that pushes; when it strikes and leaves; when the other one strikes and leaves.
	int side;
	double strike, off, down, gone;
	FootPath feet[2];
};

/// A moment on a foot's path, in the middle of it.
typedef struct PathPoint
{
	double t;
	float aside, up, ahead, pitch, toe;
} PathPoint;

/// A foot relative to the body.
typedef struct Sight
{
	rpVec3 ankle, turns;
} Sight;

static Sight look(const rpJourney* journey, int side, double t)
{
	rpBodyPlan plan = {0};
	rpJourney_Plan(journey, t, &plan);
	const rpFootPlan* foot = plan.feet + side;
	return (Sight){rpRotate(rpYaw(-plan.heading), rpSub(foot->ankle, plan.center)),
				   {foot->pitch, foot->toe, foot->heading - plan.heading}};
}

static void setKnot(rpKnot* knot, double t, rpVec3 before, rpVec3 now, rpVec3 after)
{
	double h = RATE_STEP;
	const float *a = &before.x, *b = &now.x, *c = &after.x;
	*knot = (rpKnot){.t = t};
	for (int i = 0; i < 3; ++i)
	{
		knot->p[i] = (double)b[i];
		knot->v[i] = ((double)c[i] - (double)a[i]) / (2.0 * h);
		knot->a[i] = ((double)c[i] - 2.0 * (double)b[i] + (double)a[i]) / (h * h);
	}
}

// Where the journey has the foot at an end of its path, with its rates, which the path takes over.
static void takeEnd(const rpJourney* journey, int side, double t, FootPath* path)
{
	Sight before = look(journey, side, t - RATE_STEP), now = look(journey, side, t),
		  after = look(journey, side, t + RATE_STEP);
	setKnot(path->ankles + path->count++, t, before.ankle, now.ankle, after.ankle);
	setKnot(path->turns + path->turnCount++, t, before.turns, now.turns, after.turns);
}

static void takePoint(int side, const PathPoint* point, FootPath* path)
{
	rpKnot ankle = {.t = point->t, .p = {(double)(SIDE(side) * point->aside), (double)point->up, (double)point->ahead}};
	rpKnot turn = {.t = point->t, .p = {(double)point->pitch, (double)point->toe, 0.0}};
	path->ankles[path->count++] = ankle;
	path->turns[path->turnCount++] = turn;
}

// A foot that leaves still pitches, its toes still bend: both come to an end at once.
static void stopTurns(FootPath* path)
{
	const rpKnot* leave = path->turns;
	rpKnot stop = {.t = leave->t + TURN_STOP, .p = {0.0, 0.0, leave->p[2]}};
	for (int k = 0; k < 2; ++k)
	{
		stop.p[k] = leave->p[k] + 0.29 * TURN_STOP * leave->v[k];
	}
	path->turns[path->turnCount++] = stop;
}

// Rates in the middle: none at extremes, else such that nothing overshoots (Fritsch & Butland 1984).
static void smooth(rpKnot* knots, int count)
{
	for (int i = 1; i + 1 < count; ++i)
	{
		for (int k = 0; k < 3; ++k)
		{
			double before = (knots[i].p[k] - knots[i - 1].p[k]) / (knots[i].t - knots[i - 1].t);
			double after = (knots[i + 1].p[k] - knots[i].p[k]) / (knots[i + 1].t - knots[i].t);
			knots[i].v[k] = before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
		}
	}
}

static void makePath(const rpJourney* journey, int side, double start, double end, const PathPoint* points, int count,
					 FootPath* out)
{
	FootPath path = {.start = start, .end = end};
	takeEnd(journey, side, start, &path);
	stopTurns(&path);
	for (int i = 0; i < count; ++i)
	{
		takePoint(side, points + i, &path);
	}
	takeEnd(journey, side, end, &path);
	smooth(path.ankles, path.count);
	smooth(path.turns, path.turnCount);
	*out = path;
}

// The jump that ends with the strike of step i.
static rpLeap makeLeap(const rpJourney* journey, int i)
{
	const rpStep* step = journey->steps + i;
	rpLeap leap = {
		.side = step[-1].side, .strike = step[-1].strike, .off = step[-1].off, .down = step->strike, .gone = step->off};
	double push = 0.5 * (leap.strike + leap.off), middle = 0.5 * (leap.off + leap.down),
		   brace = 0.5 * (leap.down + leap.gone);
	// The higher the jump, the farther the legs part.
	float far = fminf(fmaxf(((float)(leap.down - leap.off) - 0.15f) / 0.4f, 0.0f), 1.0f);
	const PathPoint lead[] = {{push, 0.088f, -0.564f, -0.044f, 0.618f, 0.0f},
							  {leap.off, 0.111f, -0.439f - 0.071f * far, 0.167f, 0.353f, 0.0f},
							  {middle, 0.093f, -0.651f, 0.492f + 0.155f * far, 0.122f, 0.0f}};
	const PathPoint trail[] = {{middle, 0.042f, -0.635f, -0.479f - 0.089f * far, 1.116f, 0.0f},
							   {leap.down, 0.065f, -0.489f, -0.427f, 1.26f, 0.0f},
							   {brace, 0.075f, -0.49f, -0.154f, 0.905f, 0.0f},
							   {step[1].strike - REACH_BEFORE, -0.037f, -0.751f, 0.336f, 0.209f, 0.0f}};
	makePath(journey, 1 - leap.side, step[-2].off, leap.down, lead, 3, leap.feet + 1 - leap.side);
	makePath(journey, leap.side, leap.off, step[1].strike, trail, 4, leap.feet + leap.side);
	return leap;
}

bool rpJourney_LayLeaps(rpJourney* journey, rpError* error)
{
	for (int i = 2; i + 1 < journey->stepCount; ++i)
	{
		const rpStep* step = journey->steps + i;
		if (!(step->leap > 0.0f) || step[-1].gait != rp_gaitRun || step[-2].gait != rp_gaitRun || isinf(step->off))
		{
			continue;
		}
		if (!rpGrow(&journey->leaps, &journey->leapCapacity, journey->leapCount, sizeof(rpLeap), error))
		{
			return false;
		}
		rpLeap leap = makeLeap(journey, i);
		journey->leaps[journey->leapCount++] = leap;
	}
	return true;
}

static void planFoot(const FootPath* path, double t, const rpBodyPlan* plan, rpFootPlan* foot)
{
	if (t <= path->start || t >= path->end)
	{
		return;
	}
	rpVec3 ankle = rpSampleKnots(path->ankles, path->count, t), turns = rpSampleKnots(path->turns, path->turnCount, t);
	foot->ankle = rpAdd(plan->center, rpRotate(rpYaw(plan->heading), ankle));
	foot->pitch = turns.x;
	foot->toe = turns.y;
	foot->heading = plan->heading + turns.z;
}

// The trunk is upright when it goes up and bows to the landing; arms spread, the one against the leg ahead goes far.
static void planBody(const rpLeap* leap, double t, rpBodyPlan* plan)
{
	double flight = leap->down - leap->off, middle = leap->off + 0.45 * flight;
	float far = fminf((float)flight / 0.5f, 1.0f), x = SIDE(leap->side);
	float up = far * rpEaseInOut(leap->strike - 0.05, leap->off, leap->down - 0.1, leap->gone, t);
	float open = far * rpEaseInOut(leap->strike + 0.05, middle, middle + 0.05, leap->down + 0.22, t);
	float bow = far * rpEaseInOut(middle, leap->down + 0.05, leap->down + 0.1, leap->gone + 0.25, t);
	plan->lean += -0.1f * up + 0.1f * bow;
	plan->trunkBend += 0.08f * bow;
	plan->headNod -= 0.1f * bow;
	plan->trunkTurn += -0.12f * x * open;
	plan->arms[leap->side].swing += 1.1f * open;
	plan->arms[1 - leap->side].swing -= 0.25f * open;
	for (int side = 0; side < 2; ++side)
	{
		plan->arms[side].spread += 0.65f * open;
		plan->arms[side].elbow -= 1.0f * open;
	}
}

void rpJourney_PlanLeaps(const rpJourney* journey, double t, rpBodyPlan* plan)
{
	for (int i = 0; i < journey->leapCount; ++i)
	{
		const rpLeap* leap = journey->leaps + i;
		if (t > leap->feet[1 - leap->side].start - 1.0 && t < leap->feet[leap->side].end + 1.0)
		{
			planFoot(leap->feet, t, plan, plan->feet);
			planFoot(leap->feet + 1, t, plan, plan->feet + 1);
			planBody(leap, t, plan);
		}
	}
}

float rpGetLeapTime(float speed, float distance)
{
	// From the middle of one stance to that of the next one the body goes as far as the feet are apart.
	return distance / speed - (float)rpGetContactTime(rp_gaitRun, (double)speed, 1.0);
}

// Running, and a jump at the beginning of every stretch but the first.
static void writeStretches(const rpPerformance* performance, int count, rpStretch* stretches, float* leaps)
{
	const rpManner* manner = &performance->manner;
	float speed = performance->parameters[rp_paramSpeed], distance = performance->parameters[rp_paramDistance];
	double before = fmin(BEFORE_JUMP, 0.5 * performance->seconds);
	for (int i = 0; i < count; ++i)
	{
		double seconds = i == 0 ? before : i + 1 < count ? BETWEEN_JUMPS : performance->seconds;
		float vary = i > 1 ? 1.0f - 0.03f * manner->variation * fabsf(rpChance(manner->seed, 17, i)) : 1.0f;
		stretches[i] = (rpStretch){rp_gaitRun, seconds, speed, 0.0f};
		leaps[i] = i == 0 ? 0.0f : fmaxf(rpGetLeapTime(speed, vary * distance), SHORTEST_LEAP);
	}
}

static bool prepareRunningJump(rpPerformance* performance, rpError* error)
{
	int count = 1 + (int)fmax(floor((performance->seconds - 2.0 * BEFORE_JUMP) / BETWEEN_JUMPS) + 1.0, 1.0);
	rpStretch* stretches = rpAllocateZero((size_t)count, sizeof(rpStretch), error);
	float* leaps = stretches != NULL ? rpAllocateZero((size_t)count, sizeof(float), error) : NULL;
	bool ok = leaps != NULL;
	if (ok)
	{
		writeStretches(performance, count, stretches, leaps);
		rpJourneyDef def = {.stretches = stretches, .stretchCount = count, .leaps = leaps, .anchor = 1};
		def.anchorSide = performance->parameters[rp_paramFoot] > 0.5f ? 0 : 1;
		ok = rpPerformance_Travel(performance, &def, error);
	}
	rpFree(stretches);
	rpFree(leaps);
	return ok;
}

const rpActRow rp_runningJumpRows[] = {
	{
		.act = rp_actRunningJump,
		.seconds = 3.0,
		.ranges = {[rp_paramSpeed] = {3.0f, 3.2f, 3.4f},
				   [rp_paramFoot] = {0.0f, 1.0f, 1.0f},
				   [rp_paramDistance] = {1.5f, 1.7f, 1.8f}},
		.prepare = prepareRunningJump,
		.plan = rpPerformance_PlanTravel,
	},
	{.act = rp_actCount},
};
