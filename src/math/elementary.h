/// In double what reprise/play/math.h has in float: the same bits on every machine, within two roundings of what is
/// exact.
#pragma once

#include "reprise/play/math.h"

/// Angles in radians, accurate up to 10^6 of them.
double rpSinDouble(double radians);
double rpCosDouble(double radians);

/// The angle from +x to (x, y), -pi … pi; 0 or ±pi of two zeros, by their signs. Two infinite numbers have none.
double rpAtan2Double(double y, double x);

double rpExpDouble(double x);

/// The length of (x, y), both below 1e150.
static inline double rpHypotDouble(double x, double y)
{
	return sqrt(x * x + y * y);
}
