/// The inner loop of the grid of angles, in plain C for the compiler to make vectors of; included by every kernel's
/// file, and so compiled for every kind of machine.
#pragma once

#include "distance/grid_kernel.h"
#include "distance/square_angle.h"

#include <math.h>

// Columns whose turns and features stay in the nearest cache while rows pass by.
#define ANGLE_COLUMNS 64

RP_DEFINE_SQUARE_ANGLE(float, squareAngle)

// Half the squared chord of two quaternions is 1 - |w| of the turn between them, and loses nothing where they are near.
static inline void addTurns(const float* own, const float* turns, size_t stride, float weight, float* restrict sums)
{
	const float *w = turns, *x = turns + stride, *y = turns + 2 * stride, *z = turns + 3 * stride;
	for (int c = 0; c < ANGLE_COLUMNS; ++c)
	{
		float side = copysignf(1.0f, own[0] * w[c] + own[1] * x[c] + own[2] * y[c] + own[3] * z[c]);
		float dw = own[0] - side * w[c], dx = own[1] - side * x[c], dy = own[2] - side * y[c],
			  dz = own[3] - side * z[c];
		sums[c] += weight * squareAngle(0.5f * (dw * dw + dx * dx + dy * dy + dz * dz));
	}
}

static inline void addFeature(float own, const float* features, float* restrict sums)
{
	for (int c = 0; c < ANGLE_COLUMNS; ++c)
	{
		sums[c] += (own - features[c]) * (own - features[c]);
	}
}

static inline void compareRow(const rpAngleForm* form, int row, int column, float* restrict sums)
{
	const float* turns = form->rowTurns + (size_t)row;
	const float* features = form->rowFeatures + (size_t)row;
	for (int c = 0; c < ANGLE_COLUMNS; ++c)
	{
		sums[c] = 0.0f;
	}
	for (int k = 0; k < form->turnCount; ++k)
	{
		size_t at = 4 * (size_t)k * form->rowStride;
		float own[4] = {turns[at], turns[at + form->rowStride], turns[at + 2 * form->rowStride],
						turns[at + 3 * form->rowStride]};
		addTurns(own, form->turns + 4 * (size_t)k * form->stride + column, form->stride, form->weights[k], sums);
	}
	for (int k = 0; k < form->featureCount; ++k)
	{
		addFeature(features[(size_t)k * form->rowStride], form->features + (size_t)k * form->stride + column, sums);
	}
}

static void compareAngles(const rpAngleForm* form)
{
	float sums[ANGLE_COLUMNS];
	for (int column = 0; column < form->count; column += ANGLE_COLUMNS)
	{
		int count = form->count - column < ANGLE_COLUMNS ? form->count - column : ANGLE_COLUMNS;
		for (int row = 0; row < form->rowCount; ++row)
		{
			float* out = form->out + (size_t)row * form->outStride + column;
			compareRow(form, row, column, sums);
			for (int c = 0; c < count; ++c)
			{
				out[c] = sums[c];
			}
		}
	}
}
