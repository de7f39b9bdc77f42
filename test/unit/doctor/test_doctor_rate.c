/// The doctor on frame rates: jumps under a false header fall too fast, and are read at the rate at which they do not.
#include "performance.h"
#include "support.h"

#include <string.h>

// A performance at one rate, written to a file whose header says another, and read again.
static rpMotion* readUnder(rpAct act, uint64_t draw, double fps, double header, const rpReadDef* def,
						   rpFindings* findings)
{
	rpPerformDef perform = testDrawPerformance(act, draw);
	perform.fps = fps;
	rpMotion* motion = testPerform(&perform);
	motion->fps = header;
	rpSaveDef save = rpDefaultSaveDef();
	save.format = rp_formatBvh;
	void* bytes;
	size_t size;
	assert_true(rpWriteMotion(motion, &save, &bytes, &size, NULL));
	rpMotion* read = rpReadMotion(bytes, size, "take.bvh", def, findings, NULL);
	assert_non_null(read);
	rpFreeBytes(bytes);
	rpDestroyMotion(motion);
	return read;
}

static void expectRate(rpAct act, double fps, double header, double expected)
{
	for (uint64_t draw = 0; draw < 4; ++draw)
	{
		rpFindings findings = {0};
		rpMotion* motion = readUnder(act, draw, fps, header, NULL, &findings);
		const rpFinding* finding = rpFindings_Find(&findings, "frame_rate");
		if (fabs(motion->fps - expected) > 0.01)
		{
			print_message("%s %d, %g under %g: read as %g (%s)\n", rpAct_GetName(act), (int)draw, fps, header,
						  motion->fps, finding != NULL ? finding->message : "no finding");
		}
		assert_true(fabs(motion->fps - expected) < 0.01);
		assert_int_equal(finding != NULL && finding->repaired, fabs(header - expected) > 0.01);
		rpFindings_Free(&findings);
		rpDestroyMotion(motion);
	}
}

static void falseRatesAreCorrected(void** state)
{
	(void)state;
	expectRate(rp_actJump, 60.0, 120.0, 60.0);
	expectRate(rp_actJump, 30.0, 60.0, 30.0);
	expectRate(rp_actJump, 30.0, 120.0, 30.0);
	expectRate(rp_actJump, 120.0, 240.0, 120.0);
	expectRate(rp_actLeap, 60.0, 120.0, 60.0);
}

static void trueRatesStay(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpFindings findings = {0};
		rpPerformDef def = testDrawPerformance((rpAct)act, 0);
		rpMotion* motion = readUnder((rpAct)act, 0, def.fps, def.fps, NULL, &findings);
		assert_null(rpFindings_Find(&findings, "frame_rate"));
		assert_true(fabs(motion->fps - def.fps) < 0.01);
		rpFindings_Free(&findings);
		rpDestroyMotion(motion);
	}
}

// A run has no high flights: too fast is too fast, but no more is said.
static void doubtIsReported(void** state)
{
	(void)state;
	rpFindings findings = {0};
	rpMotion* motion = readUnder(rp_actRun, 1, 60.0, 120.0, NULL, &findings);
	const rpFinding* finding = rpFindings_Find(&findings, "frame_rate");
	assert_non_null(finding);
	assert_false(finding->repaired);
	assert_true(fabs(motion->fps - 120.0) < 0.01);
	rpFindings_Free(&findings);
	rpDestroyMotion(motion);
}

static void repairIsAskedFor(void** state)
{
	(void)state;
	rpFindings findings = {0};
	rpReadDef def = rpDefaultReadDef();
	def.repair = false;
	rpMotion* motion = readUnder(rp_actJump, 0, 60.0, 120.0, &def, &findings);
	assert_false(rpFindings_Find(&findings, "frame_rate")->repaired);
	assert_true(fabs(motion->fps - 120.0) < 0.01);
	rpFindings_Free(&findings);
	rpDestroyMotion(motion);
	// A rate that was asked for is not doubted.
	findings = (rpFindings){0};
	def = rpDefaultReadDef();
	def.fps = 120.0;
	motion = readUnder(rp_actJump, 0, 60.0, 60.0, &def, &findings);
	assert_null(rpFindings_Find(&findings, "frame_rate"));
	assert_true(fabs(motion->fps - 120.0) < 0.01);
	rpFindings_Free(&findings);
	rpDestroyMotion(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(falseRatesAreCorrected),
		cmocka_unit_test(trueRatesStay),
		cmocka_unit_test(doubtIsReported),
		cmocka_unit_test(repairIsAskedFor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
