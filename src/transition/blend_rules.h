/// Inside of blend lengths: one search, handed from rule to rule.
#pragma once

#include "transition/blend_window.h"

typedef struct rpLengthTask
{
	/// Moments are on frames.
	const rpMotion *a, *b;
	double ta, tb;
	const rpBlendLengthDef* def;

	/// Never rp_lengthAuto.
	rpLengthRule rule;

	/// Steps of 1/fps: the minimum, and what there is room for in a and in b.
	int shortest;
	int fromSteps, toSteps;
	bool isCut;

	/// Joints that count; samples as rpLengthTask_MakeCurve leaves them: anchored at the ends, sample n of a is n steps
	/// after its moment and sample m of b m steps before its own.
	rpBlendWindow window;
} rpLengthTask;

/// The mean cost of every length there is room for (blend_geodesic.c). No length at all is no failure. False when
/// memory ran out.
RP_NODISCARD bool rpLengthTask_MakeCurve(rpLengthTask* task, rpBlendLength* out, rpError* error);

/// The geodesic rule for a centred blend of two motions that were sampled in half steps as a whole, without its curve:
/// samples i of a->from and j of b->from coincide. Lengths are in steps; there must be room for the longest.
int rpFindCentredSteps(const rpBlendWindow* a, int i, const rpBlendWindow* b, int j, const rpBlendLengthDef* def,
					   int shortest, int longest);

/// The min length by a rule, steps.
int rpGetShortestSteps(const rpBlendLengthDef* def, rpLengthRule rule);

/// The rules, each after the curve. False when memory ran out.
void rpLengthTask_FindGeodesic(const rpLengthTask* task, rpBlendLength* out);
void rpLengthTask_FindVelocity(const rpLengthTask* task, rpBlendLength* out);
RP_NODISCARD bool rpLengthTask_FindWarped(const rpLengthTask* task, rpBlendLength* out, rpError* error);
