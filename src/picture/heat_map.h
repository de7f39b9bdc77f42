/// A grid of distances, pooled to the size of a picture.
#pragma once

#include "reprise/picture.h"

struct rpHeatMap
{
	/// The grid's size and rate.
	int rows, columns;
	double fps;

	/// Cells to a side of a pixel, and how many pixels that makes.
	int pool;
	int width, height;

	/// [width * height], the min distance of each pixel's cells; row by row as in the grid. Infinite where no tile
	/// came.
	float* values;

	/// Largest and smallest cell so far.
	float largest, min;
};
