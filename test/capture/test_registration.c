/// Registrations of captured takes: walks of different speed and curvature, runs, punches, jumps. Judged by signals of
/// the body that the metric does not know of.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	sampleCount = 200,
};

static rpVec3 getJoint(const rpMotion* motion, double seconds, rpRole role)
{
	rpTransform joints[64];
	rpMotion_Forward(motion, rpMotion_GetFrame(motion, seconds), joints);
	return joints[rpSkeleton_FindRole(motion->skeleton, role)].p;
}

// How far the left ankle is ahead of the right one, as the body faces.
static double getStride(const rpMotion* motion, double seconds)
{
	rpGroundTransform ground = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, seconds));
	rpVec3 left = getJoint(motion, seconds, rp_roleLeftAnkle), right = getJoint(motion, seconds, rp_roleRightAnkle);
	rpVec3 apart = rpSub(left, right);
	return sin((double)ground.turn) * apart.x + cos((double)ground.turn) * apart.z;
}

static double getReach(const rpMotion* motion, double seconds)
{
	return rpDistance(getJoint(motion, seconds, rp_roleRightWrist), getJoint(motion, seconds, rp_roleChest));
}

// How fast the fist goes out.
static double getReachSpeed(const rpMotion* motion, double seconds)
{
	double step = 0.025, end = rpMotion_GetDuration(motion);
	bool inside = seconds >= step && seconds <= end - step;
	return inside ? (getReach(motion, seconds + step) - getReach(motion, seconds - step)) / (2.0 * step) : 0.0;
}

static double getHeight(const rpMotion* motion, double seconds)
{
	return getJoint(motion, seconds, rp_rolePelvis).y;
}

typedef double Signal(const rpMotion* motion, double seconds);

// Correlation of a signal of motion 0 with that of motion m, in the registration's time; or in straight proportion.
static double correlate(const rpRegistration* registration, int m, Signal* signal, bool straight)
{
	double sums[5] = {0};
	const double* times = registration->times + m * registration->keyCount;
	int last = registration->keyCount - 1;
	for (int i = 0; i < sampleCount; ++i)
	{
		double share = (double)i / (sampleCount - 1);
		double t = registration->times[0] + share * (registration->times[last] - registration->times[0]);
		double u = straight ? times[0] + share * (times[last] - times[0]) : rpRegistration_GetTime(registration, m, t);
		double x = signal(registration->motions[0], t), y = signal(registration->motions[m], u);
		sums[0] += x;
		sums[1] += y;
		sums[2] += x * x;
		sums[3] += y * y;
		sums[4] += x * y;
	}
	double n = sampleCount;
	return (n * sums[4] - sums[0] * sums[1]) /
		   sqrt((n * sums[2] - sums[0] * sums[0]) * (n * sums[3] - sums[1] * sums[1]));
}

// How far the joints of motion m, taken onto motion 0, are from it: root mean square over joints and time.
static double measureDistance(const rpRegistration* registration, int m)
{
	const rpMotion *a = registration->motions[0], *b = registration->motions[m];
	int last = registration->keyCount - 1, jointCount = a->skeleton->jointCount;
	double sum = 0.0;
	for (int i = 0; i < sampleCount; ++i)
	{
		rpTransform p[64], q[64];
		double share = (double)i / (sampleCount - 1);
		double t = registration->times[0] + share * (registration->times[last] - registration->times[0]);
		rpGroundTransform ground = rpRegistration_GetGround(registration, m, t);
		rpMotion_Forward(a, rpMotion_GetFrame(a, t), p);
		rpMotion_Forward(b, rpMotion_GetFrame(b, rpRegistration_GetTime(registration, m, t)), q);
		for (int k = 0; k < jointCount; ++k)
		{
			double distance = rpDistance(p[k].p, rpGroundTransform_Apply(ground, q[k].p));
			sum += distance * distance / jointCount;
		}
	}
	return sqrt(sum / sampleCount);
}

static void checkKeys(const rpRegistration* registration)
{
	for (int m = 0; m < registration->motionCount; ++m)
	{
		const double* times = registration->times + m * registration->keyCount;
		const rpGroundTransform* grounds = registration->grounds + m * registration->keyCount;
		for (int k = 1; k < registration->keyCount; ++k)
		{
			assert_true(times[k] > times[k - 1]);
			// The alignment curve is smooth: no more than 60 degrees in a tenth of a second.
			assert_true(fabsf(grounds[k].turn - grounds[k - 1].turn) < 1.05f);
		}
		assert_true(times[0] >= 0.0);
		assert_true(times[registration->keyCount - 1] <= rpMotion_GetDuration(registration->motions[m]) + 1e-9);
	}
}

/// Two takes of one person, and what their registration must reach.
typedef struct Pair
{
	const char *a, *b;
	bool freeEnds;
	Signal* signal;
	double correlation;
	/// Metres.
	double distance;
} Pair;

static const Pair s_pairs[] = {
	// Straight against veering; slow against fast; turns of 90 degrees at two speeds; one person's usual walk twice.
	{"16_16", "16_12", true, getStride, 0.99, 0.03},
	{"16_16", "16_21", true, getStride, 0.95, 0.07},
	{"16_17", "16_28", true, getStride, 0.95, 0.08},
	{"35_01", "35_03", true, getStride, 0.99, 0.03},
	// Runs: two alike, and straight against veering.
	{"09_01", "09_11", true, getStride, 0.97, 0.07},
	{"16_35", "16_37", true, getStride, 0.97, 0.09},
	// Jumps forward of different length and preparation.
	{"118_01", "118_05", false, getHeight, 0.93, 0.12},
	{"16_05", "16_07", false, getHeight, 0.95, 0.12},
	{"13_11", "13_13", false, getHeight, 0.93, 0.12},
};

static void checkPair(const Pair* pair)
{
	rpMotion* a = testLoadTake(pair->a);
	rpMotion* b = testLoadTake(pair->b);
	assert_true(rpDetectContacts(a, NULL, NULL, NULL) && rpDetectContacts(b, NULL, NULL, NULL));
	const rpMotion* motions[] = {a, b};
	rpRegistrationDef def = rpDefaultRegistrationDef();
	rpError error = {0};
	def.freeEnds = pair->freeEnds;
	rpRegistration* registration = rpCreateRegistration(motions, 2, &def, &error);
	assert_string_equal(error.message, "");
	checkKeys(registration);
	int last = registration->keyCount - 1;
	double covered = registration->times[last] - registration->times[0];
	double warped = correlate(registration, 1, pair->signal, false),
		   straight = correlate(registration, 1, pair->signal, true);
	double distance = measureDistance(registration, 1);
	printf("%s %s: %.2f s of %.2f and %.2f, cost %.3f m, correlation %.3f (straight %.3f), joints %.3f m, %d stages\n",
		   pair->a, pair->b, covered, rpMotion_GetDuration(a), rpMotion_GetDuration(b),
		   (double)fmaxf(registration->costs[0], registration->costs[1]), warped, straight, distance,
		   registration->stageCount);
	assert_true(covered > 0.45 * fmin(rpMotion_GetDuration(a), rpMotion_GetDuration(b)));
	assert_true(warped > pair->correlation);
	assert_true(warped > straight - 0.02);
	assert_true(distance < pair->distance);

	rpDestroyRegistration(registration);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testPairs(void** state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(s_pairs) / sizeof(s_pairs[0]); ++i)
	{
		checkPair(s_pairs + i);
	}
}

// When a signal is greatest.
static double findPeak(const rpMotion* motion, Signal* signal)
{
	int best = 0;
	for (int i = 1; i < motion->frameCount; ++i)
	{
		best = signal(motion, i / motion->fps) > signal(motion, best / motion->fps) ? i : best;
	}
	return best / motion->fps;
}

// The body is in the air at the same time. Returns whether a flight was matched there.
static bool checkFlight(const char* first, const char* second)
{
	rpMotion* a = testLoadTake(first);
	rpMotion* b = testLoadTake(second);
	assert_true(rpDetectContacts(a, NULL, NULL, NULL) && rpDetectContacts(b, NULL, NULL, NULL));
	const rpMotion* motions[] = {a, b};
	rpRegistration* registration = rpCreateRegistration(motions, 2, NULL, NULL);
	double peakA = findPeak(a, getHeight), peakB = findPeak(b, getHeight);
	assert_true(fabs(rpRegistration_GetTime(registration, 1, peakA) - peakB) < 0.12);
	bool matched = false;
	for (int s = 0; s < registration->stageCount; ++s)
	{
		const rpStage* stage = registration->stages + s;
		bool aloft = registration->times[stage->firstKey] < peakA && registration->times[stage->lastKey] > peakA;
		assert_true(!aloft || stage->contacts == 0);
		matched = matched || aloft;
	}
	rpMotion* retimed = rpRegistration_Retime(registration, 1, NULL);
	assert_non_null(retimed);
	assert_int_equal(retimed->frameCount, a->frameCount);
	assert_true(fabs(findPeak(retimed, getHeight) - peakA) < 0.12);
	rpDestroyMotion(retimed);
	rpDestroyRegistration(registration);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	return matched;
}

static void testFlights(void** state)
{
	(void)state;
	int matched = checkFlight("118_01", "118_05");
	matched += checkFlight("16_05", "16_07");
	matched += checkFlight("13_11", "13_13");
	printf("flights of %d of 3 pairs of jumps matched\n", matched);
	assert_true(matched >= 1);
}

// Four lunge punches of one take, and two of a boxer: the fist arrives at the same moment in all.
static void checkPunches(const char* take, const double* moments, int count, double before, double after,
						 double tolerance)
{
	const rpMotion* motions[8];
	double peaks[8];
	for (int m = 0; m < count; ++m)
	{
		// Not all cut at the same distance from the punch.
		double early = 0.15 * (m % 3), late = 0.1 * (m % 2);
		motions[m] = testLoadTakePart(take, moments[m] - before + early, moments[m] + after - late);
		peaks[m] = findPeak(motions[m], getReachSpeed);
	}
	rpError error = {0};
	rpRegistration* registration = rpCreateRegistration(motions, count, NULL, &error);
	assert_string_equal(error.message, "");
	checkKeys(registration);
	for (int m = 1; m < count; ++m)
	{
		double missed = rpRegistration_GetTime(registration, m, peaks[0]) - peaks[m];
		double warped = correlate(registration, m, getReach, false);
		printf("%s punch %d: cost %.3f m, off by %.3f s, correlation %.3f (straight %.3f), joints %.3f m\n", take, m,
			   (double)registration->costs[m], missed, warped, correlate(registration, m, getReach, true),
			   measureDistance(registration, m));
		assert_true(fabs(missed) < tolerance);
		assert_true(warped > 0.9);
		assert_true(measureDistance(registration, m) < 0.18);
	}
	rpDestroyRegistration(registration);
	for (int m = 0; m < count; ++m)
	{
		rpDestroyMotion((rpMotion*)motions[m]);
	}
}

static void testPunches(void** state)
{
	(void)state;
	const double lunges[] = {2.43, 6.26, 10.87, 14.19}, jabs[] = {5.10, 8.84};
	checkPunches("135_09", lunges, 4, 1.2, 0.8, 0.06);
	checkPunches("13_17", jabs, 2, 0.7, 0.6, 0.06);
}

// Six walks of one person through their chain: strictly increasing times for all of them.
static void testChain(void** state)
{
	(void)state;
	const char* takes[] = {"16_15", "16_16", "16_11", "16_13", "16_31", "16_47"};
	const rpMotion* motions[6];
	for (int m = 0; m < 6; ++m)
	{
		motions[m] = testLoadTake(takes[m]);
	}
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = true;
	rpError error = {0};
	rpRegistration* registration = rpCreateRegistration(motions, 6, &def, &error);
	assert_string_equal(error.message, "");
	checkKeys(registration);
	int roots = 0;
	for (int m = 0; m < 6; ++m)
	{
		roots += registration->links[m] < 0;
		double warped = m > 0 ? correlate(registration, m, getStride, false) : 1.0;
		printf("%s: linked with %d, cost %.3f m, correlation %.3f\n", takes[m], registration->links[m],
			   (double)registration->costs[m], warped);
		assert_true(warped > 0.9);
	}
	assert_int_equal(roots, 1);
	rpDestroyRegistration(registration);
	for (int m = 0; m < 6; ++m)
	{
		rpDestroyMotion((rpMotion*)motions[m]);
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testPairs), cmocka_unit_test(testFlights),
									   cmocka_unit_test(testPunches), cmocka_unit_test(testChain)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
