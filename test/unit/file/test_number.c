/// Numbers from text against strtod: the same bits, whatever the spelling.
#include "support.h"

#include "file/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t getBits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

// Both methods of reading must agree with strtod, also where the text ends right after the number.
static void checkNumber(const char* text)
{
	char padded[2048];
	size_t size = strlen(text);
	char* strtodEnd;
	double expected = strtod(text, &strtodEnd);
	snprintf(padded, sizeof(padded), "%s                        ", text);
	char* exact = malloc(size);
	memcpy(exact, text, size);
	float near = 0.0f, tight = 0.0f;
	double wide = 0.0;
	const char* next = rpParseFloat(padded, padded + strlen(padded), '.', &near);
	const char* tightNext = rpParseFloat(exact, exact + size, '.', &tight);
	const char* wideNext = rpParseDouble(exact, exact + size, '.', &wide);
	if (next != padded + (strtodEnd - text) || getBits(near) != getBits((float)expected) ||
		tightNext != exact + (strtodEnd - text) || getBits(tight) != getBits((float)expected) ||
		wideNext != tightNext || memcmp(&wide, &expected, sizeof(wide)) != 0)
	{
		fail_msg("%s: %.9g and %.9g and %.17g instead of %.17g", text, near, tight, wide, expected);
	}
	free(exact);
}

static int appendDigits(char* out, rpRandom* random, int count)
{
	for (int i = 0; i < count; ++i)
	{
		out[i] = (char)('0' + rpRandom_Index(random, 10));
	}
	return count;
}

static void makeNumber(char* out, rpRandom* random)
{
	static const char* const signs[] = {"", "", "-", "+"};
	int at = sprintf(out, "%s", signs[rpRandom_Index(random, 4)]);
	int longest = rpRandom_Index(random, 8) == 0 ? 30 : 9;
	int whole = rpRandom_Index(random, longest);
	at += appendDigits(out + at, random, whole);
	int places = rpRandom_Index(random, longest);
	if (places > 0 || whole == 0 || rpRandom_Index(random, 4) == 0)
	{
		out[at++] = '.';
		places += whole == 0 && places == 0;
		at += appendDigits(out + at, random, places);
	}
	out[at] = 0;
	if (rpRandom_Index(random, 6) == 0)
	{
		sprintf(out + at, "%c%s%d", "eE"[rpRandom_Index(random, 2)], signs[rpRandom_Index(random, 4)],
				rpRandom_Index(random, rpRandom_Index(random, 2) == 0 ? 60 : 400));
	}
}

static void randomNumbers(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	char text[256];
	for (int i = 0; i < 1500000; ++i)
	{
		makeNumber(text, &random);
		checkNumber(text);
	}
}

// Decimal spellings of the middle between two floats, and a little to either side.
static void middlesBetweenFloats(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(8);
	for (int i = 0; i < 200000; ++i)
	{
		uint32_t bits = rpRandom_Next(&random) & 0x7fffffff;
		float low, high;
		memcpy(&low, &bits, sizeof(low));
		++bits;
		memcpy(&high, &bits, sizeof(high));
		if (!isfinite(low) || !isfinite(high))
		{
			continue;
		}
		double middle = 0.5 * ((double)low + (double)high);
		char text[256];
		static const char* const formats[] = {"%.17g", "%.9g", "%.15g", "%.20e", "%.60f"};
		for (int k = 0; k < 5; ++k)
		{
			sprintf(text, formats[k], middle);
			checkNumber(text);
		}
		sprintf(text, "%.17g", nextafter(middle, 0.0));
		checkNumber(text);
		sprintf(text, "%.17g", nextafter(middle, INFINITY));
		checkNumber(text);
	}
}

static void hardNumbers(void** state)
{
	(void)state;
	static const char* const texts[] = {
		"0",
		"-0",
		"-0.0000",
		"+.5",
		"5.",
		".0083333",
		"1e",
		"1e+",
		"1e-",
		"1e5",
		"1E-5",
		"9007199254740993",
		"9007199254740992",
		"9007199254740991e22",
		"9007199254740993e-22",
		"1e22",
		"1e23",
		"8.5e-46",
		"1.4e-45",
		"7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-"
		"46",
		"7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015626e-"
		"46",
		"1.17549435e-38",
		"3.4028235e38",
		"3.40282356e38",
		"3.4028236e38",
		"1e39",
		"-1e39",
		"1e400",
		"1e-400",
		"2.2250738585072011e-308",
		"4.9e-324",
		"2.4703282292062327e-324",
		"0e99999999999999999999",
		"1e99999999999999999999",
		"1e-99999999999999999999",
		"00000000000000000000000000000001.5",
		"0.000000000000000000000000000000000000000000000000001e51",
		"123456789012345678901234567890",
		"16777217",
		"16777217.0000000000000000000000000001",
		"16777216.9999999999999999999999999999",
		"1.00000005960464477539062500000000000000000000000000000000000000000000000000000000000000000000000000000001",
		"12345678",
		"1234567.1234567",
		"12345678.12345678",
		"1.12345678",
		"0.1234567",
		"0.12345678e1"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
	{
		checkNumber(texts[i]);
	}
	// A thousand digits, of which only the last distinguishes it from the middle between two floats.
	char text[1200] = "1.000000059604644775390625";
	memset(text + strlen(text), '0', 1000);
	text[1000] = '1';
	text[1001] = 0;
	checkNumber(text);
}

static void noNumbers(void** state)
{
	(void)state;
	static const char* const texts[] = {"", "-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "x", ",5", "--5", "#"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
	{
		char padded[64];
		float value;
		snprintf(padded, sizeof(padded), "%s                                ", texts[i]);
		assert_null(rpParseFloat(texts[i], texts[i] + strlen(texts[i]), '.', &value));
		assert_null(rpParseFloat(padded, padded + strlen(padded), '.', &value));
	}
	// Hexadecimal: the zero is the number.
	float value;
	const char* text = "0x10                     ";
	assert_ptr_equal(rpParseFloat(text, text + strlen(text), '.', &value), text + 1);
}

static void decimalComma(void** state)
{
	(void)state;
	float values[4];
	int count;
	const char* text = " 0,5 -12,25\r\n3 ,5";
	const char* end = text + strlen(text);
	assert_ptr_equal(rpParseFloats(text, end, ',', values, 4, &count), end);
	assert_int_equal(count, 4);
	assert_true(values[0] == 0.5f && values[1] == -12.25f && values[2] == 3.0f && values[3] == 0.5f);
	rpParseFloats(text, end, '.', values, 4, &count);
	assert_int_equal(count, 0);
}

static void rowsOfNumbers(void** state)
{
	(void)state;
	float values[8];
	int count;
	const char* text = "0.0-7.5+2\t1e-3-1e3 \n\n 4";
	const char* end = text + strlen(text);
	assert_ptr_equal(rpParseFloats(text, end, '.', values, 8, &count), end);
	const float expected[] = {0.0f, -7.5f, 2.0f, 1e-3f, -1e3f, 4.0f};
	assert_int_equal(count, 6);
	assert_memory_equal(values, expected, sizeof(expected));
	// Stops before what is no number, and before a number with something glued to it.
	text = "1 2 nan 3";
	assert_ptr_equal(rpParseFloats(text, text + strlen(text), '.', values, 8, &count), text + 3);
	assert_int_equal(count, 2);
	text = "1 2.5.3 3";
	assert_ptr_equal(rpParseFloats(text, text + strlen(text), '.', values, 8, &count), text + 1);
	assert_int_equal(count, 1);
}

// Under a locale with a decimal comma nothing changes. Where none is installed the test says so.
static void commaLocale(void** state)
{
	(void)state;
	if (!testUseCommaLocale())
	{
		skip();
	}
	static const char* const texts[] = {"0.5", "1.23456789012345678", "8.5e-46", "123456789.123456789e-30"};
	static const double expected[] = {0.5, 1.23456789012345678, 8.5e-46, 123456789.123456789e-30};
	for (int i = 0; i < 4; ++i)
	{
		float value;
		double wide;
		const char* end = texts[i] + strlen(texts[i]);
		assert_ptr_equal(rpParseFloat(texts[i], end, '.', &value), end);
		assert_ptr_equal(rpParseDouble(texts[i], end, '.', &wide), end);
		assert_true(value == (float)expected[i] && wide == expected[i]);
	}
	testUsePlainLocale();
}

static void longDoubles(void** state)
{
	(void)state;
	long double value;
	int digits;
	const char* text = "0.00833333333333333333";
	const char* end = text + strlen(text);
	assert_ptr_equal(rpParseLongDouble(text, end, '.', &value, &digits), end);
	assert_int_equal(digits, 18);
	assert_true(value == strtold(text, NULL));
	text = ".0083333";
	end = text + strlen(text);
	assert_ptr_equal(rpParseLongDouble(text, end, '.', &value, &digits), end);
	assert_int_equal(digits, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hardNumbers), cmocka_unit_test(randomNumbers), cmocka_unit_test(middlesBetweenFloats),
		cmocka_unit_test(noNumbers),   cmocka_unit_test(decimalComma),  cmocka_unit_test(rowsOfNumbers),
		cmocka_unit_test(commaLocale), cmocka_unit_test(longDoubles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
