/// Least squares in a band.
#include "performer/band.h"

#include <math.h>
#include <string.h>

bool rpBand_Begin(rpBand* band, int count, int width, rpError* error)
{
	size_t size = (size_t)count * ((size_t)width + 1);
	*band = (rpBand){count, width, rpAllocateZero(size, sizeof(double), error), NULL};
	band->right = band->rows != NULL ? band->rows + (size_t)count * (size_t)width : NULL;
	return band->rows != NULL;
}

void rpBand_End(rpBand* band)
{
	rpFree(band->rows);
	*band = (rpBand){0};
}

void rpBand_Clear(rpBand* band)
{
	memset(band->rows, 0, (size_t)band->count * ((size_t)band->width + 1) * sizeof(double));
}

// The number at row i and column j <= i.
static double* at(const rpBand* band, int i, int j)
{
	return band->rows + (ptrdiff_t)i * band->width + (i - j);
}

void rpBand_Want(const rpBand* band, double* right, int first, const double* coefficients, int count, double wanted)
{
	for (int i = first < 0 ? -first : 0; i < count && first + i < band->count; ++i)
	{
		right[first + i] += coefficients[i] * wanted;
	}
}

void rpBand_Add(rpBand* band, int first, const double* coefficients, int count, double wanted)
{
	rpBand_Want(band, band->right, first, coefficients, count, wanted);
	for (int i = first < 0 ? -first : 0; i < count && first + i < band->count; ++i)
	{
		for (int j = first < 0 ? -first : 0; j <= i; ++j)
		{
			*at(band, first + i, first + j) += coefficients[i] * coefficients[j];
		}
	}
}

// The first unknown of an equation with i.
static int getFirst(const rpBand* band, int i)
{
	return i < band->width ? 0 : i - band->width + 1;
}

void rpBand_Factor(rpBand* band)
{
	for (int i = 0; i < band->count; ++i)
	{
		for (int j = getFirst(band, i); j <= i; ++j)
		{
			double sum = *at(band, i, j);
			for (int k = getFirst(band, i); k < j; ++k)
			{
				sum -= *at(band, i, k) * *at(band, j, k);
			}
			*at(band, i, j) = i == j ? sqrt(sum) : sum / *at(band, j, j);
		}
	}
}

void rpBand_Substitute(const rpBand* band, double* right)
{
	double* x = right;
	for (int i = 0; i < band->count; ++i)
	{
		for (int k = getFirst(band, i); k < i; ++k)
		{
			x[i] -= *at(band, i, k) * x[k];
		}
		x[i] /= *at(band, i, i);
	}
	for (int i = band->count - 1; i >= 0; --i)
	{
		for (int k = i + 1; k < band->count && k < i + band->width; ++k)
		{
			x[i] -= *at(band, k, i) * x[k];
		}
		x[i] /= *at(band, i, i);
	}
}

void rpBand_Solve(rpBand* band)
{
	rpBand_Factor(band);
	rpBand_Substitute(band, band->right);
}
