/// The six transitions among standing, walking and running, each on either foot: the twelve transition strings of
/// Kwon & Shin 2005, "Motion modeling for on-line locomotion synthesis", Table 1.
#include "performer/journey.h"

// How the walk before or after a run goes, m/s.
#define WALK_SPEED 1.5f
// Standing before a start, and what a stop takes until it stands still, seconds.
#define STAND_BEFORE 1.1
#define STOP_TIME 2.4

/// How a transition is made: its stretches, and whose first strike is of the foot asked for, or of the other one.
typedef struct Change
{
	rpAct act;
	rpGaitKind from, over, to;
	bool other;
} Change;

// A stop out of a run takes one walking step; the foot asked for is the first letter L or R of the string.
static const Change s_changes[] = {
	{rp_actStandWalk, rp_gaitStand, rp_gaitStand, rp_gaitWalk, true},
	{rp_actWalkStand, rp_gaitWalk, rp_gaitStand, rp_gaitStand, true},
	{rp_actStandRun, rp_gaitStand, rp_gaitStand, rp_gaitRun, true},
	{rp_actRunStand, rp_gaitRun, rp_gaitWalk, rp_gaitStand, false},
	{rp_actWalkRun, rp_gaitWalk, rp_gaitStand, rp_gaitRun, true},
	{rp_actRunWalk, rp_gaitRun, rp_gaitStand, rp_gaitWalk, false},
};

static float getSpeed(const rpPerformance* performance, const Change* change, rpGaitKind gait)
{
	bool runs = change->from == rp_gaitRun || change->to == rp_gaitRun;
	float asked = performance->parameters[rp_paramSpeed];
	return gait == rp_gaitStand ? 0.0f : gait == rp_gaitRun ? asked : runs ? WALK_SPEED : asked;
}

static bool prepareChange(rpPerformance* performance, rpError* error)
{
	const Change* change = s_changes;
	while (change->act != performance->row->act)
	{
		++change;
	}
	double before = change->from == rp_gaitStand ? STAND_BEFORE
					: change->to == rp_gaitStand ? performance->seconds - STOP_TIME
												 : 0.5 * performance->seconds;
	rpStretch stretches[3] = {
		{change->from, fmax(before, 0.3), getSpeed(performance, change, change->from), 0.0f},
		{change->over, 0.1, 0.7f, 0.0f},
		{change->to, performance->seconds, getSpeed(performance, change, change->to), 0.0f},
	};
	bool steps = change->over == rp_gaitWalk;
	if (!steps)
	{
		stretches[1] = stretches[2];
	}
	int foot = performance->parameters[rp_paramFoot] >= 0.5f ? 1 : 0;
	rpJourneyDef def = {.stretches = stretches, .stretchCount = steps ? 3 : 2, .anchor = 1};
	def.anchorSide = change->other ? 1 - foot : foot;
	return rpPerformance_Travel(performance, &def, error);
}

#define WALKS                                                                        \
	{                                                                                \
		[rp_paramSpeed] = {0.7f, 1.35f, 2.0f}, [rp_paramFoot] = { 0.0f, 0.0f, 1.0f } \
	}
#define RUNS                                                                        \
	{                                                                               \
		[rp_paramSpeed] = {2.2f, 3.0f, 4.5f}, [rp_paramFoot] = { 0.0f, 0.0f, 1.0f } \
	}

const rpActRow rp_transitionRows[] = {
	{rp_actStandWalk, WALKS, 4.5, prepareChange, rpPerformance_PlanTravel},
	{rp_actWalkStand, WALKS, 5.0, prepareChange, rpPerformance_PlanTravel},
	{rp_actStandRun, RUNS, 4.5, prepareChange, rpPerformance_PlanTravel},
	{rp_actRunStand, RUNS, 5.0, prepareChange, rpPerformance_PlanTravel},
	{rp_actWalkRun, RUNS, 5.0, prepareChange, rpPerformance_PlanTravel},
	{rp_actRunWalk, RUNS, 5.0, prepareChange, rpPerformance_PlanTravel},
	{.act = rp_actCount},
};
