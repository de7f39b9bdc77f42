/// Steps up and off something and leaps in the middle of a walk.
///
/// Each marks its core by the events "core_start" and "core_end": left heel strikes, in and around which the walk is
/// straight, plain and equally fast, so that any of them can follow any other.
#include "performer/journey.h"

// How the walk goes, m/s, and how many steps of it come before the act.
#define STRIDE_SPEED 1.3f
#define STEPS_BEFORE 4
#define STRIDE_LENGTH 6.5
// How fast one goes on from a leap.
#define LANDING_SPEED 1.1f

/// The stretches of an act, of so many steps each.
typedef struct Strides
{
	rpStretch stretches[6];
	float rises[6], leaps[6];
	int count;
} Strides;

static void addSteps(Strides* strides, rpGaitKind gait, int steps, float speed)
{
	rpStretch* stretch = strides->stretches + strides->count++;
	*stretch = (rpStretch){gait, steps / rpGetStepRate(gait, (double)speed), speed, 0.0f};
}

// The core is from one left strike to another one, both of them these stretches' first ones.
static bool travel(rpPerformance* performance, Strides* strides, int from, int to, rpError* error)
{
	rpJourneyDef def = {.stretches = strides->stretches,
						.stretchCount = strides->count,
						.rises = strides->rises,
						.leaps = strides->leaps,
						.anchor = from};
	def.floor = performance->row->act == rp_actWalkStepOff ? performance->parameters[rp_paramHeight] : 0.0f;
	if (!rpPerformance_Travel(performance, &def, error))
	{
		return false;
	}
	const rpJourney* journey = performance->state;
	return rpPerformance_AddEvent(performance, "core_start", rpJourney_GetStretchStart(journey, from), error) &&
		   rpPerformance_AddEvent(performance, "core_end", rpJourney_GetStretchStart(journey, to), error);
}

// Left, right, left on the new floor, right, left: slower over the edge.
static bool prepareStep(rpPerformance* performance, rpError* error)
{
	float height = performance->parameters[rp_paramHeight];
	bool up = performance->row->act == rp_actWalkStepUp;
	Strides strides = {0};
	addSteps(&strides, rp_gaitWalk, STEPS_BEFORE, STRIDE_SPEED);
	addSteps(&strides, rp_gaitWalk, 1, STRIDE_SPEED);
	addSteps(&strides, rp_gaitWalk, 1, up ? 0.9f : 0.6f);
	addSteps(&strides, rp_gaitWalk, 1, up ? 0.6f : 0.7f);
	addSteps(&strides, rp_gaitWalk, 1, STRIDE_SPEED);
	addSteps(&strides, rp_gaitWalk, 20, STRIDE_SPEED);
	strides.rises[3] = up ? height : -height;
	return travel(performance, &strides, 1, 5, error);
}

// How fast one goes for feet to be set that far apart: from the middle of one stance to that of the next one.
static float getLeapSpeed(float distance, float flight)
{
	double walk = rpGetContactTime(rp_gaitWalk, LANDING_SPEED, 1.0 / rpGetStepRate(rp_gaitWalk, LANDING_SPEED));
	double speed = (double)STRIDE_SPEED, own = (double)distance - 0.5 * walk * (double)LANDING_SPEED;
	for (int i = 0; i < 20; ++i)
	{
		speed = 0.5 * (speed + own / ((double)flight + 0.5 * rpGetContactTime(rp_gaitRun, speed, 1.0)));
	}
	return (float)speed;
}

// From the right foot to the left one: the farther, the faster, and the longer in the air.
static bool prepareLeap(rpPerformance* performance, rpError* error)
{
	float distance = performance->parameters[rp_paramDistance], flight = 0.07f + 0.5f * (distance - 0.6f);
	float speed = getLeapSpeed(distance, flight);
	Strides strides = {0};
	addSteps(&strides, rp_gaitWalk, STEPS_BEFORE, STRIDE_SPEED);
	addSteps(&strides, rp_gaitWalk, 1, STRIDE_SPEED);
	addSteps(&strides, rp_gaitRun, 1, speed);
	addSteps(&strides, rp_gaitWalk, 1, LANDING_SPEED);
	addSteps(&strides, rp_gaitWalk, 1, STRIDE_SPEED);
	addSteps(&strides, rp_gaitWalk, 20, STRIDE_SPEED);
	strides.leaps[3] = flight;
	return travel(performance, &strides, 1, 5, error);
}

#define HEIGHTS                                    \
	{                                              \
		[rp_paramHeight] = { 0.24f, 0.38f, 0.55f } \
	}

const rpActRow rp_strideRows[] = {
	{.act = rp_actWalkStepUp,
	 .seconds = STRIDE_LENGTH,
	 .ranges = HEIGHTS,
	 .prepare = prepareStep,
	 .plan = rpPerformance_PlanTravel},
	{.act = rp_actWalkStepOff,
	 .seconds = STRIDE_LENGTH,
	 .ranges = HEIGHTS,
	 .prepare = prepareStep,
	 .plan = rpPerformance_PlanTravel},
	{
		.act = rp_actWalkLeap,
		.seconds = STRIDE_LENGTH,
		.ranges = {[rp_paramDistance] = {0.6f, 0.85f, 1.1f}},
		.prepare = prepareLeap,
		.plan = rpPerformance_PlanTravel,
	},
	{.act = rp_actCount},
};
