/// Foot lock on every captured take: slides go, knees do not pop, bones keep their length. Slides are measured on the
/// contacts that were found in the input, heels and balls apart.
#include "support.h"

#include <stdlib.h>
#include <string.h>

/// What came of all takes.
typedef struct Table
{
	int takeCount, contactCount;
	int fasterKnees, failed;
	double before, after;
	float shift;
} Table;

static rpMotion* loadTake(const char* path)
{
	rpReadDef def = rpDefaultReadDef();
	// Captured at 60 Hz under a header that says 120.
	def.fps = strstr(path, "/115/") != NULL ? 60.0 : 0.0;
	return rpLoadMotion(path, &def, NULL, NULL);
}

// Balls are held; heels of flat feet go along with the foot's own pitch.
static bool isHeld(rpSlide before, rpSlide after, float share)
{
	return before.contactCount == 0 || after.mean <= fmaxf(share * before.mean, 5e-4f);
}

static void lockTake(const char* path, Table* table)
{
	const char* name = strrchr(path, '/') + 1;
	rpMotion* motion = loadTake(path);
	rpFootLockReport report;
	rpError error = {0};
	assert_non_null(motion);
	if (!rpDetectContacts(motion, NULL, NULL, &error) || !rpLockFeet(motion, NULL, &report, &error))
	{
		fail_msg("%s: %s", name, error.message);
	}
	bool isGood =
		isHeld(report.heelBefore, report.heelAfter, 0.45f) && isHeld(report.ballBefore, report.ballAfter, 0.25f);
	print_message(
		"%-12s %2d heels %6.1f -> %5.3f mm, %2d balls %6.1f -> %5.3f mm, knee %5.2f -> %5.2f rad/s, root %4.1f "
		"mm, missed %.1f mm%s\n",
		name, report.heelBefore.contactCount, 1e3 * (double)report.heelBefore.mean, 1e3 * (double)report.heelAfter.mean,
		report.ballBefore.contactCount, 1e3 * (double)report.ballBefore.mean, 1e3 * (double)report.ballAfter.mean,
		(double)report.kneeSpeedBefore, (double)report.kneeSpeedAfter, 1e3 * (double)report.rootShift,
		1e3 * (double)report.missed, isGood ? "" : "  <-- FAILED");
	++table->takeCount;
	table->contactCount += report.contactCount;
	table->before += (double)report.before.mean * report.contactCount;
	table->after += (double)report.after.mean * report.contactCount;
	table->fasterKnees += report.kneeSpeedAfter > 1.3f * report.kneeSpeedBefore ? 1 : 0;
	table->failed += isGood ? 0 : 1;
	table->shift = fmaxf(table->shift, report.rootShift);
	rpDestroyMotion(motion);
}

static void testAllTakes(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	Table table = {0};
	for (int i = 0; i < count; ++i)
	{
		lockTake(paths[i], &table);
	}
	print_message(
		"%d takes, %d contacts: slide %.2f -> %.3f mm per contact; in %d takes a knee is faster by over 30 %% than the "
		"input's fastest; root shifted by up to %.1f mm\n",
		table.takeCount, table.contactCount, 1e3 * table.before / table.contactCount,
		1e3 * table.after / table.contactCount, table.fasterKnees, 1e3 * (double)table.shift);
	assert_int_equal(table.failed, 0);
	assert_true(table.after < 0.04 * table.before);
	// Leaps, and someone who comes down from a stool, over floors that are not where the last stance was.
	assert_true(table.fasterKnees <= table.takeCount / 30);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testAllTakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
