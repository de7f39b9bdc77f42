/// Where a list of matches ends that has no threshold: at a gap in the distances, or where another phase comes in.
#include "align/match_gap.h"
#include "base/memory.h"
#include "support.h"

enum
{
	strideFrames = 30,
	strideCount = 24,
};

/// Stretches that are to be found, by distances from the query.
typedef struct Finds
{
	rpFoundStretch items[4 * strideCount];
	int count;
} Finds;

static void addFind(Finds* finds, int first, int frames, float distance)
{
	finds->items[finds->count++] = (rpFoundStretch){{0, first, first + frames - 1}, distance};
}

// Strides of one foot follow each other in profile 0, the query before them, from `near` to `far` metres away.
static void addStrides(Finds* finds, int shift, float near, float far)
{
	for (int k = 1; k <= strideCount; ++k)
	{
		addFind(finds, k * strideFrames + shift, strideFrames, near + (far - near) * (float)k / strideCount);
	}
}

static void grow(rpMatchGrowth* growth, Finds* finds)
{
	rpError error;
	rpFoundStretches found = {.items = finds->items, .count = finds->count};
	bool accepted = true;
	assert_true(rpMatchGrowth_Begin(growth, (rpFrameStretch){0, 0, strideFrames - 1}, 1, &error));
	assert_true(rpMatchGrowth_Offer(growth, 0, &found, &error));
	while (accepted)
	{
		assert_true(rpMatchGrowth_Accept(growth, &accepted, &error));
	}
}

// A clear gap is taken, whatever comes after it.
static void testGap(void** state)
{
	(void)state;
	Finds finds = {.count = 0};
	rpMatchGrowth growth;
	addStrides(&finds, 0, 0.02f, 0.03f);
	addStrides(&finds, 40 * strideFrames, 0.06f, 0.061f);
	grow(&growth, &finds);
	rpMatchGap gap = rpFindMatchGap(&growth, 0.085f);
	assert_int_equal(growth.count, 1 + 2 * strideCount);
	// A straggler or two may come with it.
	assert_in_range(gap.count, 1 + strideCount, 3 + strideCount);
	assert_true(gap.threshold > 0.03f && gap.threshold < 0.061f && !gap.isToPhase);
	assert_false(rpMatchGrowth_IsMixed(&growth));
	rpMatchGrowth_Free(&growth);
}

// Strides of the other foot follow without any gap; they lie between those that were accepted.
static void testPhase(void** state)
{
	(void)state;
	Finds finds = {.count = 0};
	rpMatchGrowth growth;
	addStrides(&finds, 0, 0.02f, 0.04f);
	addStrides(&finds, strideFrames / 2, 0.04f, 0.06f);
	grow(&growth, &finds);
	rpMatchGap gap = rpFindMatchGap(&growth, 0.07f);
	assert_true(rpMatchGrowth_IsMixed(&growth));
	assert_true(gap.isToPhase);
	// One that strays in is not told from a phase.
	assert_in_range(gap.count, 1 + strideCount, 2 + strideCount);
	rpMatchGrowth_Free(&growth);
}

// Halves of strides lie in them, and strides in two that are taken for one: neither is accepted.
static void testHalves(void** state)
{
	(void)state;
	Finds finds = {.count = 0};
	rpMatchGrowth growth;
	addStrides(&finds, 0, 0.02f, 0.04f);
	for (int k = 1; k < strideCount; ++k)
	{
		addFind(&finds, k * strideFrames, strideFrames / 2, 0.05f + 0.0001f * (float)k);
		addFind(&finds, k * strideFrames, 2 * strideFrames, 0.06f + 0.0001f * (float)k);
	}
	grow(&growth, &finds);
	assert_int_equal(growth.count, 1 + strideCount);
	assert_int_equal(rpFindMatchGap(&growth, 0.07f).count, 1 + strideCount);
	rpMatchGrowth_Free(&growth);
}

// What shares two thirds of the shorter one is another match, what shares more is the same one.
static void testShared(void** state)
{
	(void)state;
	Finds finds = {.count = 0};
	rpMatchGrowth growth;
	addFind(&finds, 10, strideFrames, 0.02f);
	addFind(&finds, 9, strideFrames, 0.03f);
	addFind(&finds, 18, 2 * strideFrames, 0.04f);
	addFind(&finds, 20, 2 * strideFrames, 0.05f);
	grow(&growth, &finds);
	assert_int_equal(growth.count, 3);
	assert_int_equal(growth.items[1].stretch.first, 10);
	assert_int_equal(growth.items[2].stretch.first, 20);
	rpMatchGrowth_Free(&growth);
}

// A query of two strides is between two others itself: its matches overlap from the first on, and that tells nothing.
static void testTwoStrides(void** state)
{
	(void)state;
	Finds finds = {.count = 0};
	rpMatchGrowth growth;
	for (int k = 1; k <= strideCount; ++k)
	{
		addFind(&finds, k * strideFrames * 6 / 10, strideFrames, 0.02f + 0.0003f * (float)k);
	}
	grow(&growth, &finds);
	rpMatchGap gap = rpFindMatchGap(&growth, 0.1f);
	assert_false(rpMatchGrowth_IsMixed(&growth));
	assert_int_equal(gap.count, 1 + strideCount);
	rpMatchGrowth_Free(&growth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGap),    cmocka_unit_test(testPhase),      cmocka_unit_test(testHalves),
		cmocka_unit_test(testShared), cmocka_unit_test(testTwoStrides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
