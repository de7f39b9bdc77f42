/// Sitting down at the end of a walk, and rising into one.
///
/// The core, by the events "core_start" and "core_end", is from a left heel strike of a plain walk to sitting still, or
/// from sitting still to such a strike.
#include "performer/medley.h"

#include <string.h>

// How the walk goes, m/s, and how many steps of it come before the core; slower, and as slow as one turns.
#define STRIDE_SPEED 1.3f
#define STEPS_BEFORE 4
#define SLOW_SPEED 0.95f
#define TURN_SPEED 0.45f
#define TURN_STEPS 3
// The first two steps from the seat, m/s.
#define FIRST_SPEED 1.15f
// When someone who sits down is still, and when someone who sits begins to rise, from the beginning of the act,
// seconds.
#define SITS 1.5
#define SAT 2.45
#define RISES 0.55
// How much of rising is shown before the walk begins, seconds.
#define RISE_TIME 2.6
#define SIT_LENGTH 10.8
#define RISE_LENGTH 7.0
// Strikes of the walk before the core are not after this, seconds.
#define LATEST_BEFORE 1.6

static rpStretch makeSteps(int steps, float speed, float turn)
{
	return (rpStretch){rp_gaitWalk, steps / rpGetStepRate(rp_gaitWalk, (double)speed), speed, turn};
}

// The first left strike after a time.
static double findStrike(const rpPerformance* performance, double after)
{
	int i = 0;
	while (i + 1 < performance->stanceCount[0] && !(performance->stances[0][i].strike > after))
	{
		++i;
	}
	return performance->stances[0][i].strike;
}

static double findEvent(const rpPerformance* performance, const char* name)
{
	double time = 0.0;
	for (int i = 0; i < performance->events.count; ++i)
	{
		time = strcmp(performance->events.items[i].name, name) == 0 ? performance->events.items[i].start : time;
	}
	return time;
}

static bool addCore(rpPerformance* performance, double start, double end, rpError* error)
{
	return rpPerformance_AddEvent(performance, "core_start", start, error) &&
		   rpPerformance_AddEvent(performance, "core_end", end, error);
}

static bool prepareWalkSit(rpPerformance* performance, rpError* error)
{
	const rpStretch stretches[] = {
		makeSteps(STEPS_BEFORE, STRIDE_SPEED, 0.0f),
		makeSteps(1, STRIDE_SPEED, 0.0f),
		makeSteps(1, SLOW_SPEED, 0.0f),
		makeSteps(TURN_STEPS, TURN_SPEED, 1.0f),
		{rp_gaitStand, MEDLEY_STAND, 0.0f, 0.0f},
	};
	rpScene scenes[] = {
		{.act = rp_actTake, .stretchCount = 5, .angle = performance->parameters[rp_paramAngle], .anchored = true},
		{.act = rp_actSitDown},
	};
	scenes[1].parameters[rp_paramHeight] = performance->parameters[rp_paramHeight];
	rpMedleyDef def = {.scenes = scenes, .sceneCount = 2, .stretches = stretches};
	return rpPerformance_PlayMedley(performance, &def, error) &&
		   addCore(performance, findStrike(performance, LATEST_BEFORE), findEvent(performance, "seated") + SAT - SITS,
				   error);
}

static bool prepareRiseWalk(rpPerformance* performance, rpError* error)
{
	const rpStretch stretches[] = {
		{rp_gaitStand, MEDLEY_STAND, 0.0f, 0.0f},
		makeSteps(2, FIRST_SPEED, 0.0f),
		makeSteps(20, STRIDE_SPEED, 0.0f),
	};
	rpScene scenes[] = {{.act = rp_actRise, .seconds = RISE_TIME},
						{.act = rp_actTake, .stretchCount = 3, .anchored = true}};
	scenes[0].parameters[rp_paramHeight] = performance->parameters[rp_paramHeight];
	rpMedleyDef def = {.scenes = scenes, .sceneCount = 2, .stretches = stretches};
	if (!rpPerformance_PlayMedley(performance, &def, error))
	{
		return false;
	}
	// At the second left strike the walk is even.
	double first = findStrike(performance, findEvent(performance, "rises"));
	return addCore(performance, RISES, findStrike(performance, first), error);
}

#define SEATS [rp_paramHeight] = {0.3f, 0.45f, 0.6f}

const rpActRow rp_walkSeatRows[] = {
	{
		.act = rp_actWalkSit,
		.seconds = SIT_LENGTH,
		.ranges = {[rp_paramAngle] = {0.9f, 1.6f, 1.9f}, SEATS},
		.prepare = prepareWalkSit,
		.plan = rpPerformance_PlanMedley,
	},
	{
		.act = rp_actRiseWalk,
		.seconds = RISE_LENGTH,
		.ranges = {SEATS},
		.prepare = prepareRiseWalk,
		.plan = rpPerformance_PlanMedley,
	},
	{.act = rp_actCount},
};
