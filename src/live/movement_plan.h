/// A movement that is going to be played: which ones are blended, how their times run, and where it leads.
#pragma once

#include "live/movement_weights.h"

/// The most pieces of a plan's way over the floor.
#define RP_MOST_STEPS 96

/// One movement's part in a plan.
typedef struct rpPlanShare
{
	const rpClip* clip;
	int take, movement;
	float weight;

	/// Seconds in the take at the plan's key times, and seconds in the take per second of the plan there.
	double times[RP_MAX_KEYTIMES];
	double rates[RP_MAX_KEYTIMES];
} rpPlanShare;

typedef struct rpMovementPlan
{
	rpMovementKind kind;

	/// Seconds from its start: the first is 0, the last its duration.
	double keytimes[RP_MAX_KEYTIMES];
	int keytimeCount;

	/// Heavy ones first.
	rpPlanShare shares[RP_MOST_NEIGHBOURS];
	int shareCount;

	/// The way from its start in pieces of equal time, and what rests at their ends; each [stepCount + 1].
	int stepCount;
	rpGroundRate places[RP_MOST_STEPS + 1], rates[RP_MOST_STEPS + 1];
	uint16_t contacts[RP_MOST_STEPS + 1];

	/// How high above the floor each effector's support is, metres: runners roll higher over their balls than walkers.
	float supports[rp_effectorCount];

	/// By rpMovementParameter: what was asked for.
	float asked[rp_movementParameterCount];
	rpWeighed weighed;

	/// What the way has: m/s along it, rad/s.
	float speed, turn;
} rpMovementPlan;

double rpMovementPlan_GetDuration(const rpMovementPlan* plan);

/// Plan a movement of a kind that the model has.
void rpMovementPlan_Make(rpMovementPlan* plan, const rpGaitModel* model, rpMovementKind kind, const float* asked,
						 const rpWeightDef* def);

/// Plan a piece of a stand: from one time of its take to another, forwards or backwards, in so many seconds.
void rpMovementPlan_MakeStand(rpMovementPlan* plan, const rpGaitModel* model, int movement, double from, double to,
							  double seconds);

/// The ground frame at a time of the plan, from that at its start.
rpGround rpMovementPlan_GetGround(const rpMovementPlan* plan, double time);

/// The pose at a time of the plan, the plan's start being at a place. pose->rotations is [jointCount].
void rpMovementPlan_Sample(const rpMovementPlan* plan, double time, rpGround placement, rpPose* pose);

/// Bits (1u << rpEffector) of what rests at a time.
unsigned rpMovementPlan_GetContacts(const rpMovementPlan* plan, double time);

/// Seconds in a share's take at a time of the plan.
double rpMovementPlan_GetTakeTime(const rpMovementPlan* plan, int share, double time);
