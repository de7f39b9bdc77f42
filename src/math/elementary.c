/// Sine, arc tangent, exponential and their like by IEEE operations alone: +, -, *, / and sqrt are rounded the same
/// everywhere, libm's functions are not (glibc, musl and Apple's differ in last bits), and what steers itself makes
/// decimetres of a last bit. Box2D has functions of its own for the same reason (E. Catto, "Determinism", 2024).
///
/// All are evaluated in double: an argument is brought near zero by exact products with the upper bits of a constant
/// (W. J. Cody & W. Waite, "Software Manual for the Elementary Functions", 1980), and a polynomial does the rest. Its
/// coefficients interpolate at Chebyshev nodes, with errors below 2e-17, a sixth of double's rounding. Those of float
/// round the result once more, which makes nearly all of them the nearest float.
#include "math/elementary.h"

#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "operations are rounded to the type they are written in");

// Up to here a quarter turn is known to all digits, radians.
#define FAR_ANGLE 1e6

// Of a quarter turn and of ln 2, 32 bits: times a whole number below a million they are exact.
#define QUARTER_UPPER 1.5707963267341256
#define QUARTER_LOWER 6.0771005065061922e-11
#define LN2_UPPER 0.69314718036912382
#define LN2_LOWER 1.9082149292705877e-10

#define TAN_EIGHTH 0.41421356237309503

// Added and subtracted again, it leaves the nearest whole number of what is below 2^51.
#define ROUNDER 0x1.8p52

// exp is beyond double's range here.
#define MAX_EXPONENT 800.0

// What an angle is beyond a number of quarter turns, within ±pi/4 and a rounding.
static inline double takeQuarters(double angle, unsigned* quarters)
{
	*quarters = 0;
	if (!(fabs(angle) <= FAR_ANGLE))
	{
		angle = fmod(angle, 2.0 * RP_PI);
		if (isnan(angle))
		{
			return angle;
		}
	}
	double n = (angle * (2.0 / RP_PI) + ROUNDER) - ROUNDER;
	*quarters = (unsigned)(int)n;
	return (angle - n * QUARTER_UPPER) - n * QUARTER_LOWER;
}

// Of angles up to pi/4, for double and for float.
static inline double getSmallSine(double x)
{
	double z = x * x, w = z * z;
	double low = -0.16666666666666666 + z * 0.0083333333333309462;
	double mid = -0.00019841269836754971 + z * 2.7557316100683029e-06;
	double high = -2.5051131455427946e-08 + z * 1.591810123027412e-10;
	return x + x * z * (low + w * (mid + w * high));
}

static inline double getSmallCosine(double x)
{
	double z = x * x, w = z * z;
	double low = 0.041666666666666664 + z * -0.0013888888888887395;
	double mid = 2.4801587298763433e-05 + z * -2.7557317270560326e-07;
	double high = 2.0876146024689747e-09 + z * -1.1382614868556325e-11;
	return (1.0 - 0.5 * z) + w * (low + w * (mid + w * high));
}

static inline double getShortSine(double x)
{
	double z = x * x;
	double low = -0.16666666663853044 + z * 0.0083333318738370889;
	double high = -0.00019840086263755443 + z * 2.7249864655139585e-06;
	return x + x * z * (low + z * z * high);
}

static inline double getShortCosine(double x)
{
	double z = x * x, w = z * z;
	double low = 0.041666666664319327 + z * -0.0013888887671288108;
	double high = 2.4800599983531709e-05 + z * -2.7300908167996537e-07;
	return (1.0 - 0.5 * z) + w * (low + w * high);
}

// The sine of an angle and so many quarter turns.
static inline double getSine(double x, unsigned quarters)
{
	double value = quarters & 1 ? getSmallCosine(x) : getSmallSine(x);
	return quarters & 2 ? -value : value;
}

static inline float getSineFloat(double x, unsigned quarters)
{
	double value = quarters & 1 ? getShortCosine(x) : getShortSine(x);
	return (float)(quarters & 2 ? -value : value);
}

double rpSinDouble(double radians)
{
	unsigned quarters;
	double x = takeQuarters(radians, &quarters);
	return getSine(x, quarters);
}

double rpCosDouble(double radians)
{
	unsigned quarters;
	double x = takeQuarters(radians, &quarters);
	return getSine(x, quarters + 1);
}

float rpSin(float radians)
{
	unsigned quarters;
	double x = takeQuarters((double)radians, &quarters);
	return getSineFloat(x, quarters);
}

float rpCos(float radians)
{
	unsigned quarters;
	double x = takeQuarters((double)radians, &quarters);
	return getSineFloat(x, quarters + 1);
}

void rpSinCos(float radians, float* sine, float* cosine)
{
	unsigned quarters;
	double x = takeQuarters((double)radians, &quarters);
	double s = getShortSine(x), c = getShortCosine(x);
	double upper = quarters & 1 ? c : s, side = quarters & 1 ? s : c;
	*sine = (float)(quarters & 2 ? -upper : upper);
	*cosine = (float)((quarters + 1) & 2 ? -side : side);
}

// Of slopes up to tan(pi/8).
static inline double getSmallArc(double t)
{
	double z = t * t, w = z * z, v = w * w;
	double a = -0.33333333333333331 + z * 0.19999999999995516;
	double b = -0.14285714284665682 + z * 0.11111111015187018;
	double c = -0.090909045753064896 + z * 0.076921831253768919;
	double d = -0.066645105255089362 + z * 0.058581409048663283;
	double e = -0.050854078345894844 + z * 0.039230447784793093;
	double high = (c + w * d) + v * (e + w * -0.019175404711104935);
	return t + t * z * ((a + w * b) + v * high);
}

// The angle, up to a half turn, to (x, y) where y is not negative.
static inline double getUpperArc(double y, double x)
{
	double wide = fabs(x), small = fmin(y, wide), large = fmax(y, wide);
	// In the upper half of its eighth turn an angle is counted back from that.
	bool isUpper = small > TAN_EIGHTH * large;
	double t = isUpper ? (small - large) / (small + large) : large > 0.0 ? small / large : 0.0;
	double arc = (isUpper ? 0.25 * RP_PI : 0.0) + getSmallArc(t);
	arc = y > wide ? 0.5 * RP_PI - arc : arc;
	return signbit(x) ? RP_PI - arc : arc;
}

double rpAtan2Double(double y, double x)
{
	if (isnan(y) || isnan(x))
	{
		return x + y;
	}
	return copysign(getUpperArc(fabs(y), x), y);
}

float rpAtan2(float y, float x)
{
	return (float)rpAtan2Double((double)y, (double)x);
}

// The arc sine of s, up to a half, for float; z is its square.
static inline double getSmallArcSine(double s, double z)
{
	double low = 0.16666666686100989 + z * 0.074999923991609943;
	double mid = 0.044647666718227098 + z * 0.030269083855321309;
	double high = 0.023612291092270081 + z * (0.010572549180654067 + z * 0.030977269926003446);
	return s + s * z * (low + z * z * (mid + z * z * high));
}

float rpAcos(float cosine)
{
	double c = (double)cosine, wide = fabs(c);
	if (wide <= 0.5)
	{
		return (float)(0.5 * RP_PI - getSmallArcSine(c, c * c));
	}
	// By half the angle; NAN beyond 1.
	double z = 0.5 - 0.5 * wide, arc = 2.0 * getSmallArcSine(sqrt(z), z);
	return (float)(c > 0.0 ? arc : RP_PI - arc);
}

double rpExpDouble(double x)
{
	if (isnan(x))
	{
		return x;
	}
	x = fmin(fmax(x, -MAX_EXPONENT), MAX_EXPONENT);
	double n = (x * (1.0 / (LN2_UPPER + LN2_LOWER)) + ROUNDER) - ROUNDER;
	double r = (x - n * LN2_UPPER) - n * LN2_LOWER, sum = 1.0;
	// Taylor's series, to 0.35^14 / 14!.
	static const double factors[] = {1.0 / 13, 1.0 / 12, 1.0 / 11, 1.0 / 10, 1.0 / 9, 1.0 / 8, 1.0 / 7,
									 1.0 / 6,  1.0 / 5,  1.0 / 4,  1.0 / 3,  1.0 / 2, 1.0};
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); ++i)
	{
		sum = 1.0 + sum * (r * factors[i]);
	}
	return ldexp(sum, (int)n);
}

float rpExp(float x)
{
	return (float)rpExpDouble((double)x);
}

float rpLog(float x)
{
	if (!(x > 0.0f) || isinf(x))
	{
		return x == 0.0f ? -INFINITY : x < 0.0f ? NAN : x;
	}
	int exponent;
	double m = frexp((double)x, &exponent);
	if (m < 0.70710678118654752)
	{
		m *= 2.0;
		--exponent;
	}
	// ln m = 2 artanh s, to s^21.
	double s = (m - 1.0) / (m + 1.0), z = s * s, sum = 0.0;
	for (int i = 21; i > 0; i -= 2)
	{
		sum = sum * z + 1.0 / i;
	}
	return (float)(exponent * LN2_UPPER + (exponent * LN2_LOWER + 2.0 * s * sum));
}

float rpHypot(float x, float y)
{
	return (float)rpHypotDouble((double)x, (double)y);
}
