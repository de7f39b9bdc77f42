/// The doctor on jumps: joints that are off for a few rows and back are bridged; what people do on purpose stays.
#include "doctor/doctor.h"
#include "performance.h"
#include "support.h"
#include "walker.h"

#include <string.h>

static rpMotion* treat(const rpMotion* motion, bool repair, rpFindings* findings)
{
	rpReadDef def = rpDefaultReadDef();
	def.repair = repair;
	def.keepFloor = true;
	rpMotion* treated = rpTreatMotion((rpReading){rpCopyMotion(motion, NULL), 1.0}, &def, findings, NULL);
	assert_non_null(treated);
	return treated;
}

static rpMotion* performAt(rpAct act, double fps)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = fps;
	return testPerform(&def);
}

// Punches, kicks, landings, steps: nothing of it is a jump, at any rate.
static void realMotionStays(void** state)
{
	(void)state;
	static const double rates[] = {30.0, 60.0, 120.0, 240.0};
	for (int act = 0; act < rp_actCount; ++act)
	{
		for (int i = 0; i < 4; ++i)
		{
			rpMotion* motion = performAt((rpAct)act, rates[i]);
			rpFindings findings = {0};
			rpMotion* treated = treat(motion, true, &findings);
			const rpFinding* finding = rpFindings_Find(&findings, "jump");
			if (finding != NULL)
			{
				print_message("%s at %g: %s\n", rpAct_GetName((rpAct)act), rates[i], finding->message);
			}
			assert_null(finding);
			rpFindings_Free(&findings);
			rpDestroyMotion(treated);
			rpDestroyMotion(motion);
		}
	}
}

static void turnJoint(rpMotion* motion, const char* joint, int first, int count, float degrees)
{
	for (int row = first; row < first + count; ++row)
	{
		rpQuat* q = testRotation(motion, row, testFindJoint(motion, joint));
		*q = rpMulQuat(*q, rpAxisAngle((rpVec3){0.6f, 0.0f, 0.8f}, degrees * (float)RP_DEGREE));
	}
}

static void expectMended(const rpMotion* clean, const rpMotion* damaged, int first, int count, float metres)
{
	rpFindings findings = {0};
	rpMotion* treated = treat(damaged, true, &findings);
	const rpFinding* finding = rpFindings_Find(&findings, "jump");
	if (finding == NULL || finding->firstRow != first || finding->rowCount != count)
	{
		print_message("%s: rows %d, %d: %s\n", clean->name, first, count,
					  findings.count > 0 ? findings.items[findings.count - 1].message : "no finding");
	}
	assert_non_null(finding);
	assert_true(finding->repaired && finding->firstRow == first && finding->rowCount == count);
	assert_true(rpMotion_Agrees(clean, treated, metres));
	rpFindings_Free(&findings);
	rpDestroyMotion(treated);
}

static void jumpsAreBridged(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actWalk, rp_actRun, rp_actPunch};
	static const char* const joints[] = {"Spine", "LeftUpLeg", "RightArm", "LeftHand", "LeftFoot"};
	for (int i = 0; i < 3; ++i)
	{
		rpMotion* clean = performAt(acts[i], 120.0);
		int middle = clean->frameCount / 2;
		// Legs that run are nowhere calm.
		for (int k = 0; k < (acts[i] == rp_actRun ? 1 : 5); ++k)
		{
			for (int count = 1; count <= 4; ++count)
			{
				rpMotion* damaged = rpCopyMotion(clean, NULL);
				turnJoint(damaged, joints[k], middle, count, 12.0f);
				// Bridged rows cannot be what they were: a hand turns back within them.
				expectMended(clean, damaged, middle, count, 0.03f);
				rpDestroyMotion(damaged);
			}
		}
		rpDestroyMotion(clean);
	}
}

static void rootsThatJumpAreBridged(void** state)
{
	(void)state;
	rpMotion* clean = performAt(rp_actWalk, 120.0);
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int row = 100; row < 103; ++row)
	{
		damaged->rootPositions[row].x += 0.03f;
	}
	expectMended(clean, damaged, 100, 3, 0.01f);
	rpDestroyMotion(damaged);
	rpDestroyMotion(clean);
}

// The pelvis turns, the thighs and the back in the other direction: all of it goes back.
static void jointsThatMakeUpForEachOtherGoBackTogether(void** state)
{
	(void)state;
	rpMotion* clean = performAt(rp_actWalk, 120.0);
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	rpQuat turn = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, 5.0f * (float)RP_DEGREE);
	static const char* const below[] = {"LeftUpLeg", "RightUpLeg", "Spine"};
	*testRotation(damaged, 90, 0) = rpMulQuat(*testRotation(damaged, 90, 0), turn);
	for (int i = 0; i < 3; ++i)
	{
		rpQuat* q = testRotation(damaged, 90, testFindJoint(damaged, below[i]));
		*q = rpMulQuat(rpConjugate(turn), *q);
	}
	expectMended(clean, damaged, 90, 1, 0.01f);
	rpDestroyMotion(damaged);
	rpDestroyMotion(clean);
}

static void heldJointsAreBridged(void** state)
{
	(void)state;
	rpMotion* clean = performAt(rp_actRun, 120.0);
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	int arm = testFindJoint(clean, "LeftArm");
	for (int row = 101; row <= 115; ++row)
	{
		*testRotation(damaged, row, arm) = *testRotation(clean, 100, arm);
	}
	expectMended(clean, damaged, 101, 15, 0.1f);
	rpDestroyMotion(damaged);
	rpDestroyMotion(clean);
}

static void repairIsAskedFor(void** state)
{
	(void)state;
	rpMotion* damaged = performAt(rp_actWalk, 120.0);
	turnJoint(damaged, "Spine", 60, 2, 20.0f);
	rpFindings findings = {0};
	rpMotion* treated = treat(damaged, false, &findings);
	assert_false(rpFindings_Find(&findings, "jump")->repaired);
	assert_true(rpMotion_Agrees(damaged, treated, 0.0f));
	rpFindings_Free(&findings);
	rpDestroyMotion(treated);
	rpDestroyMotion(damaged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(realMotionStays),         cmocka_unit_test(jumpsAreBridged),
		cmocka_unit_test(rootsThatJumpAreBridged), cmocka_unit_test(jointsThatMakeUpForEachOtherGoBackTogether),
		cmocka_unit_test(heldJointsAreBridged),    cmocka_unit_test(repairIsAskedFor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
