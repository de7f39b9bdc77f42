/// What the performer does, a body could do: in flight its angular momentum stays, on the ground it presses on its
/// soles.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>

#define FPS 120.0
// How much a component of the momentum may change within a flight, kg m²/s; captured jumps: 3 to 5.
#define MOST_CHANGE 1.0f
/// A performance with its momentum between frames, [frameCount].
typedef struct Dynamics
{
	rpMotion* motion;
	rpBody body;
	rpVec3* momenta;
} Dynamics;

static Dynamics open(const rpPerformDef* def)
{
	rpPerformDef even = *def;
	even.fps = FPS;
	Dynamics d = {.motion = testPerform(&even)};
	int count = d.motion->frameCount;
	assert_true(rpWeighSkeleton(d.motion->skeleton, NULL, &d.body, NULL));
	d.momenta = calloc((size_t)count, sizeof(rpVec3));
	for (int f = 0; f + 1 < count; ++f)
	{
		rpTransform before[rp_performerJointCount], after[rp_performerJointCount];
		rpMotion_Forward(d.motion, f, before);
		rpMotion_Forward(d.motion, f + 1, after);
		d.momenta[f] = rpBody_GetMomentum(&d.body, before, after, (float)(1.0 / FPS)).angular;
	}
	return d;
}

static void close(Dynamics* d)
{
	free(d->momenta);
	rpDestroyMotion(d->motion);
}

// The largest change of a component within a flight.
static float getChange(const Dynamics* d)
{
	rpInterval phases[512];
	int count = rpMotion_GetIntervals(d->motion, rp_trackPhase, phases, 512);
	float change = 0.0f;
	for (int k = 0; k < count; ++k)
	{
		int first = (int)ceil(phases[k].start * FPS), end = (int)floor(fmin(phases[k].end, 1e6) * FPS);
		end = end < d->motion->frameCount ? end : d->motion->frameCount - 1;
		for (int i = 0; i < 3 && phases[k].name[0] == 'F'; ++i)
		{
			float low = INFINITY, high = -INFINITY;
			for (int f = first; f < end; ++f)
			{
				low = fminf(low, (&d->momenta[f].x)[i]);
				high = fmaxf(high, (&d->momenta[f].x)[i]);
			}
			change = fmaxf(change, high - low);
		}
	}
	return change;
}

static void testMomentum(void** state)
{
	(void)state;
	enum
	{
		manners = 3
	};
	for (int act = 0; act < rp_actCount; ++act)
	{
		float change = 0.0f;
		for (uint64_t seed = 0; seed < manners; ++seed)
		{
			rpPerformDef def = rpDefaultPerformDef((rpAct)act);
			def.seed = seed;
			Dynamics d = open(&def);
			change = fmaxf(change, getChange(&d));
			close(&d);
		}
		printf("%-15s momentum changes by %.2f kg m²/s\n", rpAct_GetName((rpAct)act), (double)change);
		assert_true(change < MOST_CHANGE);
	}
}

// Whatever is asked of a jump: captured people's jumps are the reason for the law.
static void testJumps(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		for (uint64_t draw = 4; rpAct_GetKind((rpAct)act) == rp_kindJump && draw < 16; ++draw)
		{
			rpPerformDef def = testDrawPerformance((rpAct)act, draw);
			Dynamics d = open(&def);
			float change = getChange(&d);
			close(&d);
			if (!(change < MOST_CHANGE))
			{
				printf("%s, draw %d: %g\n", rpAct_GetName((rpAct)act), (int)draw, (double)change);
			}
			assert_true(change < MOST_CHANGE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testMomentum),
		cmocka_unit_test(testJumps),
	};
	return cmocka_run_group_tests_name("performer_laws", tests, NULL, NULL);
}
