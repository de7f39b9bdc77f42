/// Actions and jumps over their whole ranges: every parameter at its ends, slow and fast frame rates, several manners.
/// Nobody falls over, slides, sinks or bends a joint too far, and the truth is the same at every rate.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Metres: how far the centre of mass may be outside the feet while it is slower than 0.2 m/s, and when a foot leaves
// the ground for the first time.
#define OUTSIDE_SLOW 0.01f
#define OUTSIDE_LEAVING 0.03f

// Whoever begins in the middle of going, walks off, or pushes off from a guard, does not wait until the weight is over
// one foot.
static bool isMoving(rpAct act)
{
	return act == rp_actRunningJump || act == rp_actGuardPunch || act == rp_actRiseWalk;
}

static bool isSwept(rpAct act)
{
	return rpAct_GetKind(act) == rp_kindAction || rpAct_GetKind(act) == rp_kindJump;
}

// Each of two parameters, if the act has so many, at its low end, as usual and at its high end; the others likewise by
// turns. Returns how many there are.
static int listDefs(rpAct act, rpPerformDef* defs, int capacity)
{
	int parameters[rp_parameterCount], parameterCount = 0, count = 0;
	rpParameterRange range;
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		if (rpAct_GetRange(act, (rpParameter)i, &range))
		{
			parameters[parameterCount++] = i;
		}
	}
	int all = 1 + 2 * parameterCount + (parameterCount > 1 ? 4 * parameterCount : 0);
	for (int k = 0; k < all && count < capacity; ++k)
	{
		rpPerformDef def = rpDefaultPerformDef(act);
		def.seed = (uint64_t)(k % 3) * 7;
		def.fps = k % 2 == 0 ? 30.0 : 240.0;
		bool alone = k <= 2 * parameterCount;
		for (int i = 0; i < parameterCount && k > 0; ++i)
		{
			// One after the other alone at an end, then all of them at once at ends that change.
			int place = alone ? ((k - 1) / 2 == i ? 1 + (k - 1) % 2 : 0) : 1 + ((k + 1) * (2 * i + 3) / 3) % 2;
			(void)rpAct_GetRange(act, (rpParameter)parameters[i], &range);
			def.parameters[parameters[i]] = place == 0 ? range.normal : place == 1 ? range.low : range.high;
		}
		if (act == rp_actJump && fabsf(def.parameters[rp_paramAngle]) > 0.5f)
		{
			// See jump.c.
			def.parameters[rp_paramDistance] = fminf(def.parameters[rp_paramDistance], 0.8f);
		}
		defs[count++] = def;
	}
	return count;
}

static void checkBones(const rpMotion* motion)
{
	rpTransform world[rp_performerJointCount];
	for (int f = 0; f < motion->frameCount; f += 7)
	{
		rpMotion_Forward(motion, f, world);
		for (int j = 1; j < rp_performerJointCount; ++j)
		{
			float length = rpDistance(world[j].p, world[motion->skeleton->parents[j]].p);
			assert_true(isfinite(world[j].p.x) && isfinite(world[j].p.y) && isfinite(world[j].p.z));
			assert_true(fabsf(length - rpLength(motion->skeleton->offsets[j])) < 1e-5f);
		}
	}
}

// A second time gives the same bytes; at another rate the truth is the same and frames of the same time are, too.
static void checkAgreement(const rpPerformDef* def)
{
	rpPerformDef slow = *def, fast = *def;
	slow.fps = 30.0;
	fast.fps = 240.0;
	rpMotion *a = testPerform(&slow), *again = testPerform(&slow), *b = testPerform(&fast);
	size_t rotations = (size_t)a->frameCount * rp_performerJointCount * sizeof(rpQuat);
	assert_memory_equal(a->rotations, again->rotations, rotations);
	assert_memory_equal(a->rootPositions, again->rootPositions, (size_t)a->frameCount * sizeof(rpVec3));
	assert_int_equal(a->annotations.intervalCount, b->annotations.intervalCount);
	for (int i = 0; i < a->annotations.intervalCount; ++i)
	{
		const rpInterval *x = a->annotations.intervals + i, *y = b->annotations.intervals + i;
		assert_int_equal(x->track, y->track);
		assert_true(fabs(x->start - y->start) < 1e-9);
	}
	for (int f = 0; f < a->frameCount && 8 * f < b->frameCount; ++f)
	{
		assert_true(rpDistance(a->rootPositions[f], b->rootPositions[8 * f]) < 1e-5f);
	}
	checkBones(a);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(again);
}

static void say(const rpPerformDef* def, const PerformanceFaults* faults)
{
	printf("%s seed %llu %g Hz:", rpAct_GetName(def->act), (unsigned long long)def->seed, def->fps);
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		if (rpAct_GetRange(def->act, (rpParameter)i, &range))
		{
			printf(" %s %.3g", rpParameter_GetName((rpParameter)i), (double)def->parameters[i]);
		}
	}
	printf(": slide %.2g lift %.2g sink %.2g flight %.2g outside %.3f (%.2f s) joint %.3f (%s %.2f s)\n",
		   (double)faults->slide, (double)faults->lift, (double)faults->sink, (double)faults->flight,
		   (double)faults->balance, faults->balanceTime, (double)faults->joint,
		   faults->jointName != NULL ? faults->jointName : "", faults->jointTime);
}

static void testRanges(void** state)
{
	(void)state;
	bool ok = true;
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpPerformDef defs[64];
		int count = isSwept((rpAct)act) ? listDefs((rpAct)act, defs, 64) : 0;
		PerformanceFaults worst = {0};
		float leaving = -1.0f;
		for (int i = 0; i < count; ++i)
		{
			PerformanceFaults faults = testPerformanceFrames(defs + i);
			bool kept = faults.slide < 1e-3f && faults.lift < 1e-3f && faults.sink < 1e-3f && faults.flight < 1e-3f &&
						faults.balance < OUTSIDE_SLOW && faults.joint <= 0.0f;
			if (!kept)
			{
				say(defs + i, &faults);
			}
			ok = ok && kept;
			worst.balance = fmaxf(worst.balance, faults.balance);
			worst.slide = fmaxf(worst.slide, faults.slide);
			worst.flight = fmaxf(worst.flight, faults.flight);
			leaving = !isMoving((rpAct)act) ? fmaxf(leaving, testGetFirstLeaning(defs + i)) : leaving;
		}
		if (count > 0)
		{
			checkAgreement(defs);
			checkAgreement(defs + count - 1);
			printf("%-12s %2d ways: slides %.1e m, off the parabola %.1e m, outside the feet %.3f m, leaving %.3f m\n",
				   rpAct_GetName((rpAct)act), count, (double)worst.slide, (double)worst.flight, (double)worst.balance,
				   (double)leaving);
		}
		ok = ok && leaving < OUTSIDE_LEAVING;
	}
	assert_true(ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testRanges)};
	return cmocka_run_group_tests_name("performer_sweep", tests, NULL, NULL);
}
