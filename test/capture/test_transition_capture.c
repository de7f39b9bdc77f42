/// Transitions between captured takes: no velocity jumps more than it does in the takes themselves; steps stay regular.
#include "edit_scene.h"
#include "reprise/blend_length.h"
#include "reprise/evaluate.h"
#include "seams.h"

#include <stdio.h>

// Both takes' largest change of a velocity within half a second of their moments.
static double measureOwn(const rpMotion* a, double ta, const rpMotion* b, double tb)
{
	return fmax(testMeasureVelocityJump(a, ta - 0.5, ta + 0.5, NULL, NULL),
				testMeasureVelocityJump(b, tb - 0.5, tb + 0.5, NULL, NULL));
}

// The pair of moments that fit best, a's not before `first`.
static float findMoments(const rpMotion* a, double first, const rpMotion* b, double* ta, double* tb)
{
	float best = 1e9f, distance = 0.0f;
	for (double t = first; t <= rpMotion_GetDuration(a) - 0.27; t += 0.1)
	{
		double other = testFindMoment(a, t, b, 0.27, &distance);
		*ta = distance < best ? t : *ta;
		*tb = distance < best ? other : *tb;
		best = fminf(best, distance);
	}
	return best;
}

static void checkSeam(const char* what, rpMotion* a, double first, rpMotion* b)
{
	double ta = 0.0, tb = 0.0, distance = (double)findMoments(a, first, b, &ta, &tb), own = measureOwn(a, ta, b, tb);
	printf("%s: %.2f s to %.2f s, %.0f mm apart; the takes' own %.3f m/s;", what, ta, tb, 1e3 * distance, own);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		rpTransitionReport report;
		const char* joint = "";
		double when = 0.0;
		def.kind = (rpTransitionKind)kind;
		rpMotion* result = rpMakeTransition(a, ta, b, tb, &def, &report, NULL);
		assert_non_null(result);
		testCheckMotion(result);
		testCheckAnnotations(result);
		double jump = testMeasureVelocityJump(result, report.start - 0.1, report.end + 0.1, &joint, &when);
		printf(" %s %.3f", rpTransitionKind_GetName(def.kind), jump);
		// A cut keeps the takes' own jumps whole, and adds what its decaying offset needs: 9 % from walk to run, where
		// takes are 26 cm apart.
		double share = rpTransitionKind_IsFade(def.kind) ? 1.02 : 1.1;
		if (kind != rp_transitionLinear && jump > share * own)
		{
			fail_msg("%s: the velocity of %s jumps by %.3f m/s at %.3f s, in the takes by %.3f", what, joint, jump,
					 when, own);
		}
		rpDestroyMotion(result);
	}
	printf("\n");
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testSeams(void** state)
{
	(void)state;
	checkSeam("walk to walk", testLoadTake("16_16"), 2.0, testLoadTake("16_14"));
	checkSeam("walk to walk, left to right turn", testLoadTake("69_24"), 1.2, testLoadTake("69_20"));
	checkSeam("walk to run", testLoadTake("16_16"), 2.0, testLoadTake("16_36"));
	checkSeam("run to walk", testLoadTake("16_36"), 0.8, testLoadTake("16_16"));
	checkSeam("run to run", testLoadTake("16_36"), 0.8, testLoadTake("16_44"));
	checkSeam("guard to punch", testLoadTakePart("13_17", 2.0, 6.0), 1.5, testLoadTakePart("13_18", 3.0, 9.0));
	checkSeam("walk to punch", testLoadTakePart("86_01", 12.0, 16.0), 3.0, testLoadTakePart("86_01", 17.0, 20.0));
}

// Somebody who runs keeps the rhythm over a seam, though his stances are shorter than those of a walk.
static void checkRhythm(const char* first, const char* second)
{
	rpMotion *a = testLoadTake(first), *b = testLoadTake(second);
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	rpBlendLength length;
	rpMeasures measures;
	double from = NAN, to = NAN;
	assert_true(rpFindJoin(a, b, NULL, rp_anchorCentre, 0.3, &from, &to, NULL, NULL));
	assert_true(rpFindBlendLength(a, from, b, to, &def, &length, NULL));
	rpMotion* result = rpMakeBlend(a, from, b, to, &length, NULL, NULL, NULL);
	assert_true(result != NULL && rpEvaluate(result, NULL, &measures, NULL));
	printf("%s to %s: %.2f s to %.2f s, the next step is %.3f of a stride off\n", first, second, from, to,
		   measures.values[rp_measurePhase]);
	assert_true(measures.values[rp_measurePhase] < 0.15);
	rpDestroyMotion(result);
	rpBlendLength_Free(&length);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testRhythm(void** state)
{
	(void)state;
	checkRhythm("104_04", "104_09");
	checkRhythm("104_08", "104_09");
	checkRhythm("127_04", "127_12");
	checkRhythm("127_06", "127_09");
	checkRhythm("127_06", "127_16");
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testSeams), cmocka_unit_test(testRhythm)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
