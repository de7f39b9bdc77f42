/// Examples as rows of eq. IV.5: the squared differences of every term, angles and velocities apart.
#pragma once

#include "distance/metric.h"
#include "learn/nonnegative.h"
#include "reprise/metric_fit.h"

/// Zero-initialised is empty.
typedef struct rpFitRows
{
	/// What weights are sought for, [termCount], and the turns of the measuring metric that belong to each, -1: none.
	rpMetricTerm* terms;
	int (*turns)[2];
	int termCount;

	/// Examples, and squared differences of each, [count * termCount]: those of angles (heights, travel) and those of
	/// angular velocities, which nu weighs; and what their sum shall be, [count].
	int count;
	double *angles, *velocities;
	double* wanted;
} rpFitRows;

/// A metric of angles with all weights 1, for joints that are to be weighed: its profiles hold the plain angles and
/// velocities, and rpFitRows.turns are its turns.
RP_NODISCARD rpMetric* rpCreateRuler(const rpSkeleton* skeleton, const rpFitDef* def, rpError* error);

RP_NODISCARD bool rpFitRows_Create(rpFitRows* rows, const rpMotion* const* motions, const rpJoinExamples* examples,
								   const rpFitDef* def, rpError* error);
void rpFitRows_Free(rpFitRows* rows);

/// A row with its velocities weighed, into out, [termCount].
void rpFitRows_Get(const rpFitRows* rows, int row, double velocityWeight, double* out);

/// What even weights are, but for their scale, as in rpDefaultMetricDef(): 1, and less for metres per second.
float rpGetEvenWeight(rpFittedKind kind);

/// Weights of the terms, and what is left of the error.
typedef struct rpFitSolution
{
	double velocityWeight;

	/// [termCount], of the caller.
	double* weights;

	/// Sum of the squared errors of the rows.
	double residual;
} rpFitSolution;

/// Solve eq. IV.5 as def has it for out->velocityWeight, without row `left` (-1: with all). plain, which may be NULL,
/// becomes the least squares of the rows that matter to the solution, for the caller to free.
RP_NODISCARD bool rpFitRows_Solve(const rpFitRows* rows, const rpFitDef* def, int left, rpFitSolution* out,
								  rpLeastSquares* plain, rpError* error);

/// Two examples of the same moments (frames of this rate), one good, one bad; -1 where there are none. False when
/// memory ran out.
RP_NODISCARD bool rpJoinExamples_FindContradiction(const rpJoinExamples* examples, double fps, int* first, int* second,
												   rpError* error);
