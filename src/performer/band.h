/// Least squares whose equations each have a few unknowns next to each other.
#pragma once

#include "reprise/play/extend.h"

/// The normal equations: the lower band of a symmetric matrix, `width` numbers a row, and the right side, which
/// becomes the unknowns.
typedef struct rpBand
{
	int count, width;
	double *rows, *right;
} rpBand;

/// Equations of `count` unknowns, of which one has `width` at most, all zero. False when memory ran out; free with
/// rpBand_End in either case.
bool rpBand_Begin(rpBand* band, int count, int width, rpError* error);
void rpBand_End(rpBand* band);

/// One more equation: the sum of coefficients times unknowns, from `first` on, shall be `wanted`. Unknowns beyond the
/// ends are zero.
void rpBand_Add(rpBand* band, int first, const double* coefficients, int count, double wanted);

/// Solve, by Cholesky's factors: band->right holds the unknowns. Each unknown must be in an equation of its own.
void rpBand_Solve(rpBand* band);

/// The same in two steps, for equations that want other things again and again: make the matrix its factor, then solve
/// for a right side of its own, which becomes the unknowns. rpBand_Want adds what an equation that is in the matrix
/// wants to such a right side.
void rpBand_Factor(rpBand* band);
void rpBand_Substitute(const rpBand* band, double* right);
void rpBand_Want(const rpBand* band, double* right, int first, const double* coefficients, int count, double wanted);

/// Forget the equations.
void rpBand_Clear(rpBand* band);
