/// Weights of the nearest of scattered points (B. Allen, B. Curless & Z. Popovic 2002; C. Buehler et al. 2001;
/// R. Heck's thesis, eq. 6.1-6.2), corrected so that they give back what was asked for.
#pragma once

#include "reprise/play/base.h"

enum
{
	/// Most neighbours, and conditions besides that weights add up to 1.
	rp_maxNear = 32,
	rp_maxNearConditions = 6,
};

/// One of the nearest points.
typedef struct rpNear
{
	int index;
	float distance, weight;
} rpNear;

/// The nearest of points, [pointCount * dimension], to one that is asked for, where differences are multiplied by
/// scales, [dimension]; one that is 0 or not finite (of what has no range) leaves its dimension out. At most `max` (1
/// to rp_maxNear) of them, nearest first, of equals the first; returns how many. *rim is the distance of the next one,
/// INFINITY if there is none: at it eq. 6.2 gives no weight.
int rpFindNear(const float* points, int pointCount, int dimension, const float* scales, const float* asked, int max,
			   rpNear* out, float* rim);

/// The same bit by bit: points first … first + count - 1 of those in the array, added to what was found among others.
/// Begin with *nearCount 0 and *rim INFINITY.
void rpFindMoreNear(const float* points, int first, int count, int dimension, const float* scales, const float* asked,
					int max, rpNear* near, int* nearCount, float* rim);

/// The same for points that are not in an array, one by one: near, [max], holds *count of them. Begin with *count 0 and
/// *rim INFINITY. What is no number is infinitely far.
void rpAddNear(rpNear* near, int* count, int max, float* rim, int index, float distance);

/// Weights by eq. 6.1-6.2: 1/distance - 1/rim, made to add up to 1. A point at a distance of 0 has it all (several
/// share it), equal distances give equal weights, and so do points that are all at the rim. Distances below `nearest`
/// (or half the rim, so that the rim stays one) count as that; 0: none.
///
/// As what was asked for moves, one that comes in at the rim or leaves there has no weight. Only where all of them and
/// the next one are equally far away do weights jump, since they are those of the first: in the middle of a square of
/// points, of which three are taken. To take as many as a cell has corners avoids it.
void rpWeighNear(rpNear* near, int count, float rim, float nearest);

/// Change weights as little as meets conditions: of all weights that are not negative and add up to 1, those with
/// sum of w c = 0 for each condition that are nearest by sum of (w - w0)² / w0. coefficients is [count *
/// conditionCount], each condition in any unit. Conditions that cannot be met are met as far as they can be, each by
/// its own size. What has no weight gets none, and what has hardly any gets at most some maxChange times as much, for
/// else it would come in with a jump where nothing but it meets a condition: the greater, the nearer to a jump; the
/// smaller, the more conditions are met in part (of ten random points in 3 dimensions, with 100 1 % more of them than
/// with 1000, with 10,000 0.1 % fewer).
///
/// To be met, conditions need neighbours on all sides: of what is asked for amid random points, the nearest d + 1 meet
/// 50, 23, 12 and 1 % in 1, 2, 3 and 6 dimensions, 100 % need 8 in 1, 16 in 2, 17 in 3, and 20 in 6 meet two thirds.
void rpCorrectWeights(rpNear* near, int count, const float* coefficients, int conditionCount, float maxChange);
