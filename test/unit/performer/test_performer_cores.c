/// Acts that fit each other mark what they are about by "core_start" and "core_end": any of them can follow any other
/// there, as the poses are alike.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"
#include "reprise/metric.h"

#include <stdio.h>
#include <stdlib.h>

// How unlike the end of one core may be the beginning of another, metres.
#define ALIKE 0.05
#define MOST_CORES 64

/// A motion with its core, as a metric sees it.
typedef struct Core
{
	rpMotion* motion;
	rpProfile* profile;
	double start, end;
	rpPerformDef def;
} Core;

typedef struct Cores
{
	rpMetric* metric;
	Core items[MOST_CORES];
	int count;
} Cores;

static void addCore(Cores* cores, const rpPerformDef* def, float before, float after)
{
	assert_true(cores->count < MOST_CORES);
	Core* core = cores->items + cores->count++;
	*core = (Core){.motion = testPerform(def), .def = *def};
	core->start = testFindEvent(core->motion, "core_start");
	core->end = testFindEvent(core->motion, "core_end");
	assert_true(core->start > 0.75 && core->end > core->start + 0.5);
	assert_true(core->end < rpMotion_GetDuration(core->motion) - 0.5);
	if (cores->metric == NULL)
	{
		rpMetricDef metric = rpDefaultMetricDef();
		cores->metric = rpCreateMetric(core->motion->skeleton, &metric, NULL);
	}
	(void)before;
	(void)after;
	core->profile = rpCreateProfile(cores->metric, core->motion, NULL);
	assert_non_null(core->profile);
}

static void freeCores(Cores* cores)
{
	for (int i = 0; i < cores->count; ++i)
	{
		rpDestroyProfile(cores->items[i].profile);
		rpDestroyMotion(cores->items[i].motion);
	}
	rpDestroyMetric(cores->metric);
}

static int getFrame(const Cores* cores, double time)
{
	return (int)floor(time * rpMetric_GetRate(cores->metric) + 0.5);
}

// The worst distance from the end of a core, and a while after it, to before the beginning of another.
static double measureJoins(const Cores* cores, double after, double before)
{
	double worst = 0.0;
	for (int i = 0; i < cores->count; ++i)
	{
		for (int k = 0; k < cores->count; ++k)
		{
			const Core *a = cores->items + i, *b = cores->items + k;
			double distance = rpMetric_Distance(cores->metric, a->profile, getFrame(cores, a->end + after), b->profile,
												getFrame(cores, b->start - before), NULL);
			worst = fmax(worst, distance);
		}
	}
	return worst;
}

static void testGuard(void** state)
{
	(void)state;
	Cores cores = {0};
	for (int i = 0; i < 18; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actGuardPunch);
		def.parameters[rp_paramHand] = (float)(i / 9);
		def.parameters[rp_paramReach] = 0.4f + 0.45f * (float)(i / 3 % 3);
		def.parameters[rp_paramSide] = -0.6f + 0.6f * (float)(i % 3);
		def.parameters[rp_paramHeight] = i % 2 == 0 ? 1.1f : 1.6f;
		testHoldToAccelerations(&def);
		addCore(&cores, &def, 0.0f, 0.0f);
	}
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef duck = rpDefaultPerformDef(rp_actGuardDuck), dance = rpDefaultPerformDef(rp_actGuardDance);
		duck.parameters[rp_paramHeight] = 1.04f + 0.165f * (float)i;
		dance.parameters[rp_paramAngle] = -0.8f + 0.4f * (float)i;
		addCore(&cores, &duck, 0.0f, 0.0f);
		addCore(&cores, &dance, 0.0f, 0.0f);
	}
	for (int i = 0; i < cores.count; ++i)
	{
		printf("%s %g\n", rpAct_GetName(cores.items[i].def.act), cores.items[i].end - cores.items[i].start);
	}
	for (double before = -0.1; before < 0.35; before += 0.05)
	{
		for (double after = -0.15; after < 0.2; after += 0.05)
		{
			printf("%5.3f ", measureJoins(&cores, after, before));
		}
		printf("\n");
	}
	freeCores(&cores);
}

// How deep points of the feet go into a step, if its edge is where that is least, metres.
static float getDepth(const rpMotion* motion, float height, bool up)
{
	float best = INFINITY;
	for (float edge = 0.0f; edge < 8.0f; edge += 0.01f)
	{
		float depth = 0.0f;
		for (int f = 0; f < motion->frameCount; ++f)
		{
			for (int e = rp_leftHeel; e <= rp_rightToe; ++e)
			{
				rpVec3 place;
				assert_true(rpMotion_GetEffector(motion, f, (rpEffector)e, &place));
				bool isToe = e == rp_leftToe || e == rp_rightToe, above = up ? place.z > edge : place.z < edge;
				place.y -= isToe ? 0.0f : BALL_HEIGHT;
				depth = fmaxf(depth, above ? height - place.y : 0.0f);
			}
		}
		best = fminf(best, depth);
	}
	return best;
}

static void testEdges(void** state)
{
	(void)state;
	for (int i = 0; i < 6; ++i)
	{
		bool up = i % 2 == 0;
		rpPerformDef def = rpDefaultPerformDef(up ? rp_actWalkStepUp : rp_actWalkStepOff);
		def.parameters[rp_paramHeight] = 0.24f + 0.155f * (float)(i / 2);
		rpMotion* motion = testPerform(&def);
		float depth = getDepth(motion, def.parameters[rp_paramHeight], up);
		printf("%s %g: %.3f m into the step\n", rpAct_GetName(def.act), (double)def.parameters[rp_paramHeight], (double)depth);
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testGuard), cmocka_unit_test(testEdges)};
	return cmocka_run_group_tests_name("performer_cores", tests, NULL, NULL);
}
