/// Squared distances of blocks of pairs of frames: what grids are made of.
#pragma once

#include "distance/metric.h"

/// A block of a grid: rows are frames of a, columns frames of b.
typedef struct rpRegion
{
	int row, column, rowCount, columnCount;

	/// Only pairs with column - row at least this are asked for; the others may be left as they are.
	int firstDiagonal;
} rpRegion;

/// Max size of a region.
#define RP_MAX_REGION_ROWS 258
#define RP_MAX_REGION_COLUMNS 514

/// Has memory for each of several workers, and is aimed at two profiles. Zero-initialised is empty.
typedef struct rpTiler
{
	const rpMetric* metric;
	const rpProfile *a, *b;
	const rpGridKernel* kernel;

	/// Clouds: terms of the mean that count; see cloud_mean.c.
	int termCount;

	/// Clouds, in floats: rows of the planes, from one row to the next, and where in a worker's memory what starts.
	size_t planeRows, stride;
	size_t planeSize, packASize, packBSize, scratchSize, meanTermSize;

	/// [workerCount * workerSize] floats from `memory` on, aligned.
	float* memory;
	size_t workerSize;
	void* block;
} rpTiler;

/// Free with rpTiler_Free also when it fails.
bool rpTiler_Make(rpTiler* tiler, const rpMetric* metric, int workerCount, rpError* error);
void rpTiler_Aim(rpTiler* tiler, const rpProfile* a, const rpProfile* b);
void rpTiler_Free(rpTiler* tiler);

/// Of clouds (cloud_tile.c) and angles (angle_distance.c).
bool rpCloud_MakeTiler(rpTiler* tiler, int workerCount, rpError* error);
void rpCloud_FillRegion(const rpTiler* tiler, int worker, const rpRegion* region, float* out, size_t outStride);
void rpAngle_FillRegion(const rpTiler* tiler, const rpRegion* region, float* out, size_t outStride);

/// Squared distances of a region into out, rows outStride floats apart, which must be RP_GRID_PADDING more than the
/// columns: what follows them is overwritten. Values do not depend on how a grid is cut into regions.
void rpTiler_Fill(const rpTiler* tiler, int worker, const rpRegion* region, float* out, size_t outStride);
