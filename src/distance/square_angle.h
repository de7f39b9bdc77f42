/// The squared angle of a rotation from its quaternion, without a function that is slow.
#pragma once

/// For t = 1 - |w| from 0 to 1: the Chebyshev fit of degree 8 to (2 acos(1 - t))² / t, whose relative error is below
/// 1e-8. Half the squared chord of two quaternions is t of the turn between them, and loses nothing where they are
/// near.
#define RP_DEFINE_SQUARE_ANGLE(Number, name)    \
	static inline Number name(Number t)         \
	{                                           \
		Number sum = (Number)0.01138700998;     \
		sum = sum * t - (Number)0.02516253467;  \
		sum = sum * t + (Number)0.03933790736;  \
		sum = sum * t - (Number)0.006324101775; \
		sum = sum * t + (Number)0.04866445449;  \
		sum = sum * t + (Number)0.1126557918;   \
		sum = sum * t + (Number)0.3557186346;   \
		sum = sum * t + (Number)1.333327131;    \
		sum = sum * t + (Number)8.000000038;    \
		return sum * t;                         \
	}

RP_DEFINE_SQUARE_ANGLE(double, rpSquareAngle)
