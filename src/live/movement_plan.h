/// A movement that is going to be played: which ones are blended, how their times run, and where it leads.
#pragma once

#include "live/movement_weights.h"
#include "timeline/span.h"

typedef struct rpMovementPlan
{
	rpMovementKind kind;

	/// What is played; sources are takes. Heavy shares first, and the movements that they are of.
	rpSpan span;
	int movements[RP_MAX_SHARES];

	/// By rpMovementParameter: what was asked for.
	float asked[rp_movementParameterCount];
	rpWeighed weighed;

	/// What its path has: m/s along it, rad/s.
	float speed, turn;
} rpMovementPlan;

double rpMovementPlan_GetDuration(const rpMovementPlan* plan);

/// The ground frame at its end, from that at its start.
rpGroundTransform rpMovementPlan_GetEnd(const rpMovementPlan* plan);

/// Plan a movement of a kind that the model has.
void rpMovementPlan_Make(rpMovementPlan* plan, const rpGaitModel* model, rpMovementKind kind, const float* asked,
						 const rpWeightDef* def);

/// Bend a plan's path: it turns by so much more, rad/s to the left, all along.
void rpMovementPlan_Bend(rpMovementPlan* plan, float rate);

/// Plan a piece of a stand: from one time of its take to another, forwards or backwards, in so many seconds.
void rpMovementPlan_MakeStand(rpMovementPlan* plan, const rpGaitModel* model, int movement, double from, double to,
							  double seconds);
