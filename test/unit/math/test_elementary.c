#include "math/elementary.h"

#include "support.h"

#include <float.h>
#include <string.h>

enum
{
	denseCount = 2000000,
	randomCount = 500000,
};

// Of a float's last place: what rounding alone costs is a half.
#define MOST_ULPS 0.51
#define MOST_DOUBLE_ULPS 2.0

static double getUlpsOf(double value, double exact, int digits, int minExponent)
{
	int exponent;
	frexp(exact, &exponent);
	return fabs(value - exact) / ldexp(1.0, (exponent > minExponent ? exponent : minExponent) - digits);
}

static double getUlps(float value, double exact)
{
	return getUlpsOf((double)value, exact, FLT_MANT_DIG, FLT_MIN_EXP);
}

static double getDoubleUlps(double value, double exact)
{
	return getUlpsOf(value, exact, DBL_MANT_DIG, DBL_MIN_EXP);
}

static float getPlace(int i, float from, float to)
{
	return from + (to - from) * (float)i / (float)denseCount;
}

// Any finite float.
static float drawFloat(rpRandom* random)
{
	uint32_t bits;
	float x;
	do
	{
		bits = (uint32_t)rpRandom_Next(random);
		memcpy(&x, &bits, sizeof(x));
	} while (!isfinite(x));
	return x;
}

/// A function of ours, libm's in double, and where it is measured.
typedef struct Function
{
	const char* name;
	float (*own)(float);
	double (*exact)(double);
	float from, to;
} Function;

static void testNearLibm(void** state)
{
	(void)state;
	const Function functions[] = {
		{"sin", rpSin, sin, -10.0f, 10.0f},   {"sin far", rpSin, sin, -1e6f, 1e6f}, {"cos", rpCos, cos, -10.0f, 10.0f},
		{"cos far", rpCos, cos, -1e6f, 1e6f}, {"acos", rpAcos, acos, -1.0f, 1.0f},  {"exp", rpExp, exp, -104.0f, 89.0f},
		{"log", rpLog, log, 1e-6f, 4.0f},
	};
	for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); ++f)
	{
		double most = 0.0;
		for (int i = 0; i <= denseCount; ++i)
		{
			float x = getPlace(i, functions[f].from, functions[f].to);
			double exact = functions[f].exact((double)x);
			most = fmax(most, exact > FLT_MAX ? 0.0 : getUlps(functions[f].own(x), exact));
		}
		print_message("%s: %.4f ulps\n", functions[f].name, most);
		assert_true(most < MOST_ULPS);
	}
}

// Floats of all magnitudes that a function takes.
static void testRandomFloats(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(1);
	double sine = 0.0, cosine = 0.0, arc = 0.0, angle = 0.0, logarithm = 0.0, length = 0.0;
	for (int i = 0; i < randomCount; ++i)
	{
		float x = drawFloat(&random), y = drawFloat(&random);
		logarithm = fmax(logarithm, getUlps(rpLog(fabsf(x)), log(fabs((double)x))));
		arc = fmax(arc, getUlps(rpAtan2(y, x), atan2((double)y, (double)x)));
		double exact = hypot((double)x, (double)y);
		length = fmax(length, exact > FLT_MAX ? 0.0 : getUlps(rpHypot(x, y), exact));
		// Near each other, as coordinates are.
		float near = rpRandom_Range(&random, -4.0f, 4.0f), beside = rpRandom_Range(&random, -4.0f, 4.0f);
		arc = fmax(arc, getUlps(rpAtan2(near, beside), atan2((double)near, (double)beside)));
		if (fabsf(x) <= 1e6f)
		{
			sine = fmax(sine, getUlps(rpSin(x), sin((double)x)));
			cosine = fmax(cosine, getUlps(rpCos(x), cos((double)x)));
		}
		angle = fabsf(x) <= 1.0f ? fmax(angle, getUlps(rpAcos(x), acos((double)x))) : angle;
	}
	print_message("ulps: sin %.4f, cos %.4f, atan2 %.4f, acos %.4f, log %.4f, hypot %.4f\n", sine, cosine, arc, angle,
				  logarithm, length);
	assert_true(fmax(fmax(sine, cosine), fmax(arc, angle)) < MOST_ULPS);
	assert_true(fmax(logarithm, length) < MOST_ULPS);
}

static void testDoubles(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(2);
	double sine = 0.0, cosine = 0.0, arc = 0.0, power = 0.0;
	for (int i = 0; i < randomCount; ++i)
	{
		double x = (double)rpRandom_Range(&random, -20.0f, 20.0f) + 1e-8 * (double)rpRandom_Range(&random, 0.0f, 1.0f);
		double y = (double)rpRandom_Range(&random, -20.0f, 20.0f);
		sine = fmax(sine, getDoubleUlps(rpSinDouble(x), sin(x)));
		cosine = fmax(cosine, getDoubleUlps(rpCosDouble(x), cos(x)));
		arc = fmax(arc, getDoubleUlps(rpAtan2Double(x, y), atan2(x, y)));
		power = fmax(power, getDoubleUlps(rpExpDouble(x), exp(x)));
	}
	print_message("ulps of double: sin %.2f, cos %.2f, atan2 %.2f, exp %.2f\n", sine, cosine, arc, power);
	assert_true(fmax(fmax(sine, cosine), fmax(arc, power)) <= MOST_DOUBLE_ULPS);
}

static void testSymmetry(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	for (int i = 0; i < randomCount; ++i)
	{
		float x = rpRandom_Range(&random, -50.0f, 50.0f), y = rpRandom_Range(&random, -50.0f, 50.0f), s, c;
		rpSinCos(x, &s, &c);
		assert_true(s == rpSin(x) && c == rpCos(x));
		assert_true(rpSin(-x) == -s && rpCos(-x) == c);
		assert_true(rpAtan2(-y, x) == -rpAtan2(y, x));
		assert_true(rpHypot(x, y) == rpHypot(-y, x));
		assert_true(rpLog(rpExp(0.1f * x)) - 0.1f * x < 1e-6f);
	}
}

static bool isExactly(float value, float wanted)
{
	return value == wanted && !signbit(value) == !signbit(wanted);
}

static void testSpecialValues(void** state)
{
	(void)state;
	const float half = (float)(0.5 * RP_PI), whole = (float)RP_PI;
	assert_true(isExactly(rpSin(0.0f), 0.0f) && rpSin(-0.0f) == 0.0f && isExactly(rpCos(-0.0f), 1.0f));
	assert_true(isExactly(rpAtan2(0.0f, 0.0f), 0.0f) && isExactly(rpAtan2(-0.0f, 0.0f), -0.0f));
	assert_true(isExactly(rpAtan2(0.0f, -0.0f), whole) && isExactly(rpAtan2(-0.0f, -0.0f), -whole));
	assert_true(isExactly(rpAtan2(0.0f, 2.0f), 0.0f) && isExactly(rpAtan2(-0.0f, -2.0f), -whole));
	assert_true(isExactly(rpAtan2(1.0f, 0.0f), half) && isExactly(rpAtan2(-1.0f, -0.0f), -half));
	assert_true(isExactly(rpAtan2(1.0f, INFINITY), 0.0f) && isExactly(rpAtan2(-1.0f, -INFINITY), -whole));
	assert_true(isExactly(rpAtan2(INFINITY, 1.0f), half) && isExactly(rpAtan2(1e38f, -1e-38f), half));
	assert_true(isExactly(rpAcos(1.0f), 0.0f) && isExactly(rpAcos(-1.0f), whole) && isExactly(rpAcos(0.0f), half));
	assert_true(isExactly(rpExp(0.0f), 1.0f) && rpExp(-INFINITY) == 0.0f && rpExp(INFINITY) == INFINITY);
	assert_true(rpExp(1e30f) == INFINITY && rpExp(-1e30f) == 0.0f);
	assert_true(isExactly(rpLog(1.0f), 0.0f) && rpLog(0.0f) == -INFINITY && rpLog(INFINITY) == INFINITY);
	assert_true(isExactly(rpHypot(-0.0f, 0.0f), 0.0f) && rpHypot(3e38f, 1.0f) == 3e38f);

	assert_true(isnan(rpSin(INFINITY)) && isnan(rpCos(-INFINITY)) && isnan(rpSin(NAN)) && isnan(rpCos(NAN)));
	assert_true(isnan(rpAtan2(INFINITY, INFINITY)) && isnan(rpAtan2(NAN, 1.0f)) && isnan(rpAtan2(1.0f, NAN)));
	assert_true(isnan(rpAcos(1.0001f)) && isnan(rpAcos(-INFINITY)) && isnan(rpAcos(NAN)));
	assert_true(isnan(rpExp(NAN)) && isnan(rpLog(-1.0f)) && isnan(rpLog(NAN)) && isnan(rpHypot(NAN, 1.0f)));
}

// Of what is hardly an angle: some point of the circle.
static void testHugeAngles(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(4);
	for (int i = 0; i < randomCount; ++i)
	{
		float s, c;
		rpSinCos(drawFloat(&random), &s, &c);
		assert_float_equal(s * s + c * c, 1.0f, 3e-7f);
	}
	// Ten times as far as digits are known, they are still good to a micrometre on a metre.
	assert_float_equal(rpSin(1e7f), (float)sin(1e7), 1e-6f);
}

static uint32_t addBits(uint32_t sum, float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof(bits));
	return (sum ^ bits) * 16777619u;
}

// The same bits from each compiler, with sanitizers, on each machine and in WebAssembly: this number.
static void testBits(void** state)
{
	(void)state;
	uint32_t sum = 2166136261u;
	for (int i = 0; i < 100000; ++i)
	{
		float x = (float)(i - 50000) * 0.00037f, y = (float)(i % 317 - 150) * 0.013f;
		sum = addBits(addBits(sum, rpSin(x)), rpCos(x));
		sum = addBits(addBits(sum, rpAtan2(y, x)), rpHypot(x, y));
		sum = addBits(addBits(sum, rpAcos(x / 19.0f)), rpExp(y));
		sum = addBits(sum, rpLog(fabsf(x) + 0.01f));
		sum = addBits(sum, (float)(1e8 * (rpSinDouble((double)x) - (double)rpSin(x))));
		sum = addBits(sum, (float)(1e8 * (rpAtan2Double((double)y, (double)x) - (double)rpAtan2(y, x))));
	}
	assert_int_equal(sum, 0x6ab4ed7au);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testNearLibm), cmocka_unit_test(testRandomFloats),  cmocka_unit_test(testDoubles),
		cmocka_unit_test(testSymmetry), cmocka_unit_test(testSpecialValues), cmocka_unit_test(testHugeAngles),
		cmocka_unit_test(testBits),
	};
	return cmocka_run_group_tests_name("elementary functions", tests, NULL, NULL);
}
