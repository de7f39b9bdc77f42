/// Least squares with weights that must not be negative.
#pragma once

#include "reprise/play/base.h"

/// The problem min ‖A w − b‖² over w ≥ 0 by its normal equations, which is all that its solution depends on.
/// Zero-initialised is empty; rpLeastSquares_Create and _Free.
typedef struct rpLeastSquares
{
	/// Columns of A, which is also the number of weights.
	int count;

	/// AᵀA, [count * count]; Aᵀb, [count]; bᵀb.
	double* gram;
	double* moment;
	double square;
} rpLeastSquares;

RP_NODISCARD bool rpLeastSquares_Create(rpLeastSquares* problem, int count, rpError* error);
void rpLeastSquares_Free(rpLeastSquares* problem);

/// Take a row of A, [count], and its b into the problem `times` times; -1 takes it out again.
void rpLeastSquares_AddRow(rpLeastSquares* problem, const double* row, double b, double times);

/// ‖A w − b‖², never negative.
double rpLeastSquares_GetResidual(const rpLeastSquares* problem, const double* weights);

/// Solve it: an active-set method, exact but for rounding. weights is [count]. Of columns that say the same, the first
/// gets the weight.
RP_NODISCARD bool rpSolveNonNegative(const rpLeastSquares* problem, double* weights, rpError* error);

/// Which weights of a solution the data leave open: those that can be moved, up or down, while the others make up for
/// it and the residual stays. isOpen is [count].
RP_NODISCARD bool rpFindOpenWeights(const rpLeastSquares* problem, const double* weights, bool* isOpen, rpError* error);
