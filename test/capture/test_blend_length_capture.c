/// Lengths of transitions on captured people: what they are about, and that computed lengths keep their feet in step.
#include "support.h"

#include <math.h>

static rpMotion* load(const char* name)
{
	rpMotion* motion = testLoadTake(name);
	assert_true(rpDetectContacts(motion, NULL, NULL, NULL));
	return motion;
}

// Share of the moments of a take in which somebody steps.
static double getSteppingShare(const char* name)
{
	rpMotion* motion = load(name);
	int stepping = 0, count = 0;
	for (double at = 0.5; at < rpMotion_GetDuration(motion) - 0.4; at += 0.25)
	{
		stepping += rpFindActivity(motion, at, NULL) == rp_activityStepping;
		++count;
	}
	rpDestroyMotion(motion);
	return (double)stepping / count;
}

static void testActivities(void** state)
{
	(void)state;
	assert_true(getSteppingShare("16_11") > 0.9 && getSteppingShare("09_03") > 0.9);
	assert_true(getSteppingShare("115_01") < 0.1 && getSteppingShare("144_20") < 0.1);
	// Boxers step about, too.
	assert_true(getSteppingShare("13_17") < 0.5);
}

/// Sums over joins.
typedef struct Sums
{
	double slide, phase;
	int phaseCount;
} Sums;

static void addJoin(const rpMotion* a, double ta, const rpMotion* b, double tb, bool isFixed, Sums* sums)
{
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	rpBlendLength length;
	rpMeasures measures;
	def.anchor = rp_anchorEnds;
	def.rule = isFixed ? rp_lengthFixed : rp_lengthAuto;
	def.seconds = 10.0 / 30.0;
	assert_true(rpFindBlendLength(a, ta, b, tb, &def, &length, NULL));
	assert_int_equal(length.rule, isFixed ? rp_lengthFixed : rp_lengthGeodesic);
	rpMotion* result = rpMakeBlend(a, ta, b, tb, &length, NULL, NULL, NULL);
	assert_true(result != NULL && rpEvaluate(result, NULL, &measures, NULL));
	double phase = measures.values[rp_measurePhase];
	sums->slide += measures.values[rp_measureSlideMean];
	sums->phase += isnan(phase) ? 0.0 : phase;
	sums->phaseCount += !isnan(phase);
	rpDestroyMotion(result);
	rpBlendLength_Free(&length);
}

// Any start and any end in walks of one person: ten frames are out of step, the geodesic rule is not.
static void testWalks(void** state)
{
	(void)state;
	rpMotion *a = load("16_15"), *b = load("16_17");
	Sums fixed = {0}, computed = {0};
	for (int k = 0; k < 8; ++k)
	{
		double ta = 1.0 + 0.11 * k, tb = 1.6 + 0.13 * (3 * k % 8);
		addJoin(a, ta, b, tb, true, &fixed);
		addJoin(a, ta, b, tb, false, &computed);
	}
	assert_true(computed.phaseCount >= 6);
	print_message("phase %.3f strides instead of %.3f, slide %.1f mm instead of %.1f\n",
				  computed.phase / computed.phaseCount, fixed.phase / fixed.phaseCount, computed.slide / 8.0,
				  fixed.slide / 8.0);
	assert_true(computed.phase / computed.phaseCount < 0.5 * fixed.phase / fixed.phaseCount);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Joins where the takes are most alike: limbs do not pass through the body, and what is said has a reason.
static void testChecks(void** state)
{
	(void)state;
	static const char* const names[] = {"16_15", "16_17", "16_32", "16_36"};
	int collisions = 0, count = 0;
	for (int i = 0; i < 4; ++i)
	{
		rpMotion *a = load(names[i]), *b = load(names[(i + 1) % 4]);
		double from = NAN, to = NAN;
		rpBlendLengthDef def = rpDefaultBlendLengthDef();
		rpBlendLength length;
		rpJoinReport report;
		assert_true(rpFindJoin(a, b, NULL, rp_anchorCentre, 0.4, &from, &to, NULL, NULL));
		assert_true(rpFindBlendLength(a, from, b, to, &def, &length, NULL));
		assert_true(rpCheckJoin(a, from, b, to, &length, &report, NULL));
		collisions += report.faults >> rp_faultCollision & 1;
		++count;
		for (int fault = 0; fault < rp_joinFaultCount; ++fault)
		{
			assert_int_equal(report.texts[fault][0] != '\0', report.faults >> fault & 1);
		}
		rpBlendLength_Free(&length);
		rpDestroyMotion(a);
		rpDestroyMotion(b);
	}
	assert_int_equal(collisions, 0);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testActivities),
		cmocka_unit_test(testWalks),
		cmocka_unit_test(testChecks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
