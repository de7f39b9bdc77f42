/// From a script to steps: speeds within reach of each other, and when each foot strikes and leaves.
///
/// Walking: step length and cadence keep a constant ratio (Sekiya & Nagasaki 1998, "Reproducibility of the walking
/// patterns of normal young adults"), the part of the cycle in stance falls with speed (Murray et al. 1966;
/// its level is fitted to the captured walks of `reprise-bench performer`). Running:
/// step rate and contact time over speed as in Cavanagh & Kram 1989 and Nummela et al. 2007.
#include "performer/journey.h"

#include "reprise/play/extend.h"

#include <string.h>

// Speed changes by at most this from step to step, m/s.
#define SPEED_CHANGE 0.65f
// From lifting the first foot to its strike, and from the last strike to the closing of the feet, seconds.
#define START_SWING 0.5
#define QUICK_SWING 0.36
#define CLOSE_TIME 0.62
// The shortest stand between two bouts, seconds.
#define SHORTEST_STAND 1.0
// A journey that does not begin with a stand begins this long before its time, seconds.
#define BEFORE 3.0
#define AFTER 3.0
// How much longer a step takes for every metre that it goes up or down, seconds.
#define CLIMB_TIME 0.55
// The slowest run, and the fastest walk, m/s.
#define SLOWEST_RUN 1.8f
#define FASTEST_WALK 2.3f

const rpGaitStyle rp_plainStyle = {
	.cadence = 1.0f, .bounce = 1.0f, .armSwing = 1.0f, .elbowSwing = 1.0f, .width = 1.0f};

double rpGetStepRate(rpGaitKind gait, double speed)
{
	// At a stand, steps on the spot go at a leisurely rate.
	return gait == rp_gaitRun ? 2.5 + 0.13 * speed : sqrt(fmax(speed, 0.0) / 0.39 + 2.6 * exp(-speed / 0.3));
}

double rpGetContactTime(rpGaitKind gait, double speed, double stepTime)
{
	if (gait == rp_gaitRun)
	{
		return fmin(0.452 * pow(speed, -0.70), stepTime - 0.045);
	}
	return 2.0 * stepTime * fmin(0.5656 + 0.045 * (1.35 - speed), 0.66);
}

static rpStep* addStep(rpJourney* journey, rpError* error)
{
	if (!rpGrow(&journey->steps, &journey->stepCapacity, journey->stepCount, sizeof(rpStep), error))
	{
		return NULL;
	}
	rpStep* step = journey->steps + journey->stepCount++;
	*step = (rpStep){0};
	return step;
}

// Steps of a stretch, still without times: a stand is two feet set beside each other. `extra` are beyond its seconds.
static bool addStretch(rpJourney* journey, const rpStretch* stretch, int index, bool last, int extra, rpError* error)
{
	bool stands = stretch->gait == rp_gaitStand;
	double rate = stands ? 1.0 : rpGetStepRate(stretch->gait, (double)stretch->speed) * (double)journey->style.cadence;
	double seconds = stretch->seconds + (last ? AFTER : 0.0) + (index == 0 && !stands ? BEFORE : 0.0);
	int count = stands ? 2 : (int)fmax(floor(seconds * rate + 0.5), 1.0) + extra;
	bool ok = true;
	for (int i = 0; ok && i < count; ++i)
	{
		rpStep* step = addStep(journey, error);
		ok = step != NULL;
		if (ok)
		{
			*step = (rpStep){.gait = stretch->gait, .standing = stands, .stretch = index};
			step->speed = stands ? 0.0f : stretch->speed;
			step->turn = stretch->turn;
			step->together = stretch->seconds;
		}
	}
	return ok;
}

// The foot that closes to a stand is the second of the stand; the step before it is its first. So a stand in the middle
// of the journey takes its first step from the bout before it.
static void limitSpeeds(rpJourney* journey)
{
	rpStep* steps = journey->steps;
	int count = journey->stepCount;
	for (int i = 1; i < count; ++i)
	{
		steps[i].speed = steps[i].standing ? 0.0f : fminf(steps[i].speed, steps[i - 1].speed + SPEED_CHANGE);
	}
	for (int i = count - 2; i >= 0; --i)
	{
		steps[i].speed = steps[i].standing ? 0.0f : fminf(steps[i].speed, steps[i + 1].speed + SPEED_CHANGE);
	}
	for (int i = 0; i < count; ++i)
	{
		bool leaps = i + 1 < count && steps[i + 1].leap > 0.0f;
		float low = steps[i].gait == rp_gaitRun && !leaps ? SLOWEST_RUN : 0.0f;
		float high = steps[i].gait == rp_gaitWalk ? FASTEST_WALK : 100.0f;
		steps[i].speed = fminf(fmaxf(steps[i].speed, low), high);
	}
}

static void varySteps(rpJourney* journey)
{
	const rpManner* manner = &journey->manner;
	for (int i = 0; i < journey->stepCount; ++i)
	{
		rpStep* step = journey->steps + i;
		step->speed *= 1.0f + 0.012f * manner->variation * rpChance(manner->seed, 1, i);
	}
}

// What every step stands on.
static void raiseSteps(rpJourney* journey, float support)
{
	for (int i = 0; i < journey->stepCount; ++i)
	{
		support += journey->steps[i].rise;
		journey->steps[i].support = support;
	}
}

// How long from this strike to the next.
static double getStepTime(const rpJourney* journey, int i)
{
	const rpStep* step = journey->steps + i;
	const rpManner* manner = &journey->manner;
	double rate = rpGetStepRate(step->gait, (double)step->speed) * (double)(journey->style.cadence * manner->cadence);
	if (i + 1 < journey->stepCount && step[1].leap > 0.0f)
	{
		return rpGetContactTime(rp_gaitRun, (double)step->speed, 1.0) + (double)step[1].leap;
	}
	// It takes longer to lift the body on a foot that was set higher, and to let it down to one that is set lower.
	float climb =
		fmaxf(step->rise, (float)-0.15 * step->rise) + (i + 1 < journey->stepCount ? fmaxf(-step[1].rise, 0.0f) : 0.0f);
	double part = 1.0 + (double)(SIDE(step->side) * manner->asymmetry) +
				  0.012 * (double)(manner->variation * rpChance(manner->seed, 2, i));
	return part / rate + CLIMB_TIME * (double)climb;
}

// Strikes one after the other, and how long both feet are down after each.
static void timeSteps(rpJourney* journey, double start)
{
	rpStep* steps = journey->steps;
	int count = journey->stepCount;
	double t = start;
	for (int i = 0; i < count; ++i)
	{
		rpStep* step = steps + i;
		step->side = (journey->steps[0].side + i) & 1;
		bool afterStand = i >= 2 && steps[i - 1].standing && !step->standing;
		bool first = step->standing && i < 2;
		if (first)
		{
			// The first stand ends when the foot of step 0 lifts.
			step->strike = -INFINITY;
			t = step->together;
			continue;
		}
		if (afterStand)
		{
			// t is where the foot lifts.
			double swing = step->gait == rp_gaitRun ? QUICK_SWING : START_SWING;
			step->strike = t + swing / (double)journey->style.cadence;
			t = step->strike;
		}
		step->strike = t;
		if (step->standing)
		{
			// The closing foot, then the pause.
			double pause = fmax(step->together, SHORTEST_STAND);
			bool closes = steps[i - 1].standing;
			t += closes ? pause : CLOSE_TIME;
			step->together = closes ? pause : 0.0;
			continue;
		}
		t += getStepTime(journey, i);
	}
}

// When each foot leaves: the next strike, and as long as both stay down.
static void timeLeaving(rpJourney* journey)
{
	rpStep* steps = journey->steps;
	int count = journey->stepCount;
	for (int i = 0; i + 1 < count; ++i)
	{
		rpStep *step = steps + i, *next = step + 1;
		bool paused = step->standing && next->standing && i + 2 < count;
		if (paused)
		{
			// Until the other foot of the stand has stood out its pause.
			step->off = isinf(next->strike) ? next->together : next->strike + next->together;
			continue;
		}
		double stepTime = next->strike - step->strike;
		if (step->gait == rp_gaitRun)
		{
			double contact = rpGetContactTime(rp_gaitRun, (double)step->speed, stepTime);
			next->together = contact - stepTime;
		}
		else
		{
			// After a start the strides are unequal; the coming step's pace decides.
			double pace = next->gait == rp_gaitWalk ? getStepTime(journey, i + 1) : 0.5;
			double speed = fmin((double)fmaxf(step->speed, next->speed), 2.2);
			double duty = rpGetContactTime(rp_gaitWalk, speed, pace) / (2.0 * pace) + (double)journey->style.duty;
			next->together = fmin((2.0 * duty - 1.0) * pace, 0.3);
			// Nobody stays long on the foot that let the body down.
			next->together *= next->rise < 0.0f ? 0.2 : 1.0;
		}
		step->off = next->strike + next->together;
	}
	if (count > 0)
	{
		steps[count - 1].off = INFINITY;
	}
	// A journey that ends with a stand stands for good.
	if (count > 1 && steps[count - 1].standing && steps[count - 2].standing)
	{
		steps[count - 2].off = INFINITY;
	}
}

static int findStretch(const rpJourney* journey, int stretch)
{
	int i = 0;
	while (i + 1 < journey->stepCount && journey->steps[i].stretch != stretch)
	{
		++i;
	}
	return i;
}

// With so many steps more than the script's seconds ask for in its last stretch.
static bool makeSteps(rpJourney* journey, const rpJourneyDef* def, int extra, rpError* error)
{
	bool ok = true;
	journey->stepCount = 0;
	for (int i = 0; ok && i < def->stretchCount; ++i)
	{
		int first = journey->stepCount;
		bool last = i + 1 == def->stretchCount;
		ok = addStretch(journey, def->stretches + i, i, last, last ? extra : 0, error);
		if (ok && def->leaps != NULL)
		{
			journey->steps[first].leap = def->leaps[i];
		}
		if (ok && def->rises != NULL)
		{
			journey->steps[first].rise = def->rises[i];
		}
	}
	if (ok)
	{
		journey->steps[0].side = (def->anchorSide + findStretch(journey, def->anchor)) & 1;
		raiseSteps(journey, def->floor);
		limitSpeeds(journey);
		varySteps(journey);
		timeSteps(journey, def->stretches[0].gait == rp_gaitStand ? 0.0 : -BEFORE);
		timeLeaving(journey);
	}
	return ok;
}

// Someone's own cadence, and chance, make steps shorter than the script's: in a long journey they would be over before
// its end.
static bool makeStepsUntil(rpJourney* journey, const rpJourneyDef* def, double end, rpError* error)
{
	bool ok = makeSteps(journey, def, 0, error);
	int extra = 0;
	while (ok && !journey->steps[journey->stepCount - 1].standing &&
		   journey->steps[journey->stepCount - 1].strike < end + 0.5 * AFTER)
	{
		extra += 1 + journey->stepCount / 64;
		ok = makeSteps(journey, def, extra, error);
	}
	return ok;
}

double rpJourney_GetStretchStart(const rpJourney* journey, int stretch)
{
	int i = findStretch(journey, stretch);
	return journey->steps[i].stretch == stretch ? journey->steps[i].strike : INFINITY;
}

void rpJourney_Free(void* state)
{
	rpJourney* journey = state;
	rpFree(journey->steps);
	rpFree(journey->leaps);
	rpFree(journey->tempo);
	rpFree(journey->path);
	rpFree(journey->center);
	rpFree(journey->drops);
	rpFree(journey->rhythm);
	rpFree(journey->weight);
	rpFree(journey->feet.stances[0]);
	rpFree(journey->feet.stances[1]);
	rpFree(journey->feet.events.items);
	rpFree(journey->feet.stands.items);
}

// The same foothold when time runs backwards from `end`.
static rpStance mirrorStance(const rpStance* stance, double end)
{
	rpStance mirrored = *stance;
	mirrored.strike = end - stance->off;
	mirrored.flat = end - stance->lift;
	mirrored.lift = end - stance->flat;
	mirrored.off = end - stance->strike;
	mirrored.backwards = true;
	return mirrored;
}

// Hand the journey's footholds and notes to the performance, in the performance's time.
static bool report(rpPerformance* performance, const rpJourney* journey, rpError* error)
{
	const rpPerformance* feet = &journey->feet;
	bool mirrored = !isnan(journey->mirrorTime), ok = true;
	for (int side = 0; ok && side < 2; ++side)
	{
		for (int i = 0; ok && i < feet->stanceCount[side]; ++i)
		{
			const rpStance* stance = feet->stances[side] + (mirrored ? feet->stanceCount[side] - 1 - i : i);
			rpStance copy = mirrored ? mirrorStance(stance, journey->mirrorTime) : *stance;
			ok = rpPerformance_AddStance(performance, &copy, error);
		}
	}
	for (int i = 0; ok && i < feet->events.count; ++i)
	{
		const rpNote* note = feet->events.items + (mirrored ? feet->events.count - 1 - i : i);
		ok = rpPerformance_AddEvent(performance, note->name, mirrored ? journey->mirrorTime - note->start : note->start,
									error);
	}
	for (int i = 0; ok && i < feet->stands.count; ++i)
	{
		const rpNote* note = feet->stands.items + i;
		double start = mirrored ? journey->mirrorTime - note->end : note->start;
		double end = mirrored ? journey->mirrorTime - note->start : note->end;
		ok = rpPerformance_AddStand(performance, start, end, error);
	}
	return ok;
}

// Each stretch under the name of its gait.
static bool labelStretches(rpPerformance* performance, const rpJourney* journey, const rpJourneyDef* def,
						   rpError* error)
{
	static const char* const names[] = {"stand", "walk", "run"};
	bool ok = true;
	for (int i = 0; ok && def->stretchCount > 1 && i < def->stretchCount; ++i)
	{
		double start = rpJourney_GetStretchStart(journey, i), end = rpJourney_GetStretchStart(journey, i + 1);
		ok = rpPerformance_AddLabel(performance, names[def->stretches[i].gait], start, end, error);
	}
	return ok;
}

// Legs must reach when the body is where the laws want it, too. Feet in jumps are laid from the body.
static bool refit(rpPerformance* performance, rpError* error)
{
	rpJourney* journey = performance->state;
	journey->leapCount = 0;
	return rpJourney_FitCenter(journey, performance, error) && rpJourney_LayLeaps(journey, error);
}

bool rpPerformance_Travel(rpPerformance* performance, const rpJourneyDef* def, rpError* error)
{
	rpJourney* journey = rpAllocateZero(1, sizeof(rpJourney), error);
	if (journey == NULL)
	{
		return false;
	}
	performance->state = journey;
	performance->freeState = rpJourney_Free;
	performance->refit = refit;
	journey->style = def->style != NULL ? *def->style : rp_plainStyle;
	journey->manner = performance->manner;
	journey->feet.manner = performance->manner;
	journey->mirrorTime = def->backwards ? performance->seconds : (double)NAN;
	return makeStepsUntil(journey, def, performance->seconds, error) &&
		   rpJourney_LayPath(journey, performance->seconds, def->angle, error) &&
		   rpJourney_LayStances(journey, error) && rpJourney_LayCenter(journey, error) &&
		   rpJourney_FitCenter(journey, performance, error) && rpJourney_LayLeaps(journey, error) &&
		   report(performance, journey, error) && labelStretches(performance, journey, def, error);
}

void rpPerformance_PlanTravel(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const rpJourney* journey = performance->state;
	rpJourney_Plan(journey, isnan(journey->mirrorTime) ? t : journey->mirrorTime - t, plan);
}
