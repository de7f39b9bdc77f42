#include "base/utf8.h"
#include "support.h"

#include <string.h>

static void testGoodAndBad(void** state)
{
	(void)state;
	static const char* const good[] = {
		"", "Hips", "Wirbels\xc3\xa4ule", "\xe8\x85\xb0", "\xf0\x9f\x92\x83", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"};
	static const char* const bad[] = {"\x80",
									  "\xc3",
									  "\xc0\xaf",
									  "\xe0\x80\xaf",
									  "\xed\xa0\x80",
									  "\xf4\x90\x80\x80",
									  "\xf5\x80\x80\x80",
									  "Wirbels\xe4ule",
									  "a\xe2\x82"};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i)
	{
		assert_true(rpIsUtf8(good[i], strlen(good[i])));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		assert_false(rpIsUtf8(bad[i], strlen(bad[i])));
	}
	assert_false(rpIsUtf8("a\0b", 3));
}

// Every character, written by the definition of UTF-8, is measured as itself.
static void testEveryCharacter(void** state)
{
	(void)state;
	for (uint32_t c = 1; c <= 0x10ffff; ++c)
	{
		char bytes[4];
		size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		for (size_t i = size; i-- > 1;)
		{
			bytes[i] = (char)(0x80 | (c >> 6 * (size - 1 - i) & 0x3f));
		}
		static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
		bytes[0] = (char)(marks[size] | c >> 6 * (size - 1));
		uint32_t code = 0;
		bool isSurrogate = c >= 0xd800 && c < 0xe000;
		assert_int_equal(rpMeasureUtf8(bytes, size, &code), isSurrogate ? 0 : size);
		assert_int_equal(code, isSurrogate ? 0 : c);
		assert_int_equal(rpMeasureUtf8(bytes, size - 1, &code), 0);
	}
}

static void testNamesOfJoints(void** state)
{
	(void)state;
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "H\xfc"
					 "fte";
	joints[1].name = "Wirbels\xc3\xa4ule";
	joints[1].parent = 0;
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	assert_string_equal(skeleton->joints[0].name, "H\xc3\xbc"
												  "fte");
	assert_string_equal(skeleton->joints[1].name, "Wirbels\xc3\xa4ule");
	rpReleaseSkeleton(skeleton);

	// The same name in both forms is the same name.
	joints[1].name = "H\xc3\xbc"
					 "fte";
	rpError error = {0};
	assert_null(rpCreateSkeleton(&def, &error));
	assert_non_null(strstr(error.message, "two joints"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGoodAndBad),
		cmocka_unit_test(testEveryCharacter),
		cmocka_unit_test(testNamesOfJoints),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
