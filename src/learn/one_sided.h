/// Least squares in which some rows are wanted to be at least 1 and no more is asked of them, with weights that must
/// not be negative and are drawn towards given ones.
#pragma once

#include "learn/nonnegative.h"

/// min Σ e(aᵢ·w − bᵢ)² + pull ‖w − centre‖² over w ≥ 0, where e of a row with bᵢ > 0 is 0 beyond bᵢ if isOneSided.
typedef struct rpOneSided
{
	/// Rows of A, [rowCount * columnCount], and b, [rowCount].
	const double* rows;
	const double* wanted;
	int rowCount, columnCount;

	/// A row that does not count; -1: none.
	int left;

	bool isOneSided;

	/// What the weights are drawn to, [columnCount], and how strongly; centre may be NULL where pull is 0.
	const double* centre;
	double pull;
} rpOneSided;

/// Solve it. weights is [columnCount]. out, which may be NULL, becomes the plain least squares of the rows that still
/// matter there, without the pull: whoever gets it frees it.
RP_NODISCARD bool rpSolveOneSided(const rpOneSided* problem, double* weights, rpLeastSquares* out, rpError* error);

/// Σ e(aᵢ·w − bᵢ)², without the pull.
double rpOneSided_GetResidual(const rpOneSided* problem, const double* weights);
