/// Two performed takes under a metric: what the tests of grids share.
#pragma once

#include "support.h"

/// Free with testFreeGridScene.
typedef struct GridScene
{
	rpMotion *motionA, *motionB;
	rpMetric* metric;
	rpProfile *a, *b;
	int rows, columns;
} GridScene;

/// Takes of that many frames at 30 Hz that walk, run, turn and stand.
GridScene testMakeGridScene(const rpMetricDef* def, int rows, int columns);
void testFreeGridScene(GridScene* scene);

/// Metric and profiles; a failure fails the test.
rpMetric* testMakeMetric(const rpSkeleton* skeleton, const rpMetricDef* def);
rpProfile* testMakeProfile(const rpMetric* metric, const rpMotion* motion);

/// The whole grid, by rpMetric_FillGrid; free() it.
float* testFillGrid(const GridScene* scene);

/// A tile function's context: where tiles are copied to, [rows * stride]; and where the next one must be.
typedef struct GridCopy
{
	float* values;
	int stride;
	int nextRow, nextColumn, band;
} GridCopy;

/// Copies tiles and checks their order: bands of rows one after another, left to right.
bool testCopyTile(const rpTile* tile, void* context);
