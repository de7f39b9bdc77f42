/// Acts that fit each other mark what they are about by "core_start" and "core_end": any of them can follow any other
/// there, as the poses are alike.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"
#include "reprise/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How unlike the end of one core may be the beginning of another, metres.
#define ALIKE 0.05
#define MOST_CORES 64
// How long a motion lasts at least before its core and after it, seconds.
#define LEAST_MARGIN 0.5

/// A motion with its core, as a metric sees it from the floor that it begins on and from the one that it ends on.
typedef struct Core
{
	rpPerformDef def;
	rpMotion* motion;
	rpProfile *first, *last;
	double start, end;
} Core;

typedef struct Cores
{
	rpMetric* metric;
	Core items[MOST_CORES];
	int count;
} Cores;

static rpProfile* look(Cores* cores, rpMotion* motion, float down)
{
	if (cores->metric == NULL)
	{
		rpMetricDef metric = rpDefaultMetricDef();
		cores->metric = rpCreateMetric(motion->skeleton, &metric, NULL);
	}
	for (int f = 0; f < motion->frameCount; ++f)
	{
		motion->rootPositions[f].y -= down;
	}
	rpProfile* profile = rpCreateProfile(cores->metric, motion, NULL);
	assert_non_null(profile);
	return profile;
}

// `floor` is how high the one that it begins on is, `change` how much higher the one that it ends on.
static void addCore(Cores* cores, const rpPerformDef* def, float floor, float change)
{
	assert_true(cores->count < MOST_CORES);
	Core* core = cores->items + cores->count++;
	*core = (Core){.motion = testPerform(def), .def = *def};
	core->start = testFindEvent(core->motion, "core_start");
	core->end = testFindEvent(core->motion, "core_end");
	assert_true(core->start >= LEAST_MARGIN && core->end > core->start + 0.5);
	assert_true(core->end <= rpMotion_GetDuration(core->motion) - LEAST_MARGIN);
	core->first = look(cores, core->motion, floor);
	core->last = look(cores, core->motion, change);
}

static void freeCores(Cores* cores)
{
	for (int i = 0; i < cores->count; ++i)
	{
		rpDestroyProfile(cores->items[i].first);
		rpDestroyProfile(cores->items[i].last);
		rpDestroyMotion(cores->items[i].motion);
	}
	rpDestroyMetric(cores->metric);
}

static int getFrame(const Cores* cores, double time)
{
	return (int)floor(time * rpMetric_GetRate(cores->metric) + 0.5);
}

// The worst distance from the end of a core, and a while after it, to that long after the beginning of another.
static double measureJoins(const Cores* cores, double after, double later)
{
	double worst = 0.0;
	const Core *from = NULL, *to = NULL;
	for (int i = 0; i < cores->count; ++i)
	{
		for (int k = 0; k < cores->count; ++k)
		{
			const Core *a = cores->items + i, *b = cores->items + k;
			double distance = rpMetric_Distance(cores->metric, a->last, getFrame(cores, a->end + after), b->first,
												getFrame(cores, b->start + later), NULL);
			from = distance > worst ? a : from;
			to = distance > worst ? b : to;
			worst = fmax(worst, distance);
		}
	}
	printf("from %.2f s after a core to %.2f s after the beginning of another: %.3f m at most (%s, %s)\n", after, later,
		   worst, rpAct_GetName(from->def.act), rpAct_GetName(to->def.act));
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
	assert_true(measureJoins(&cores, 0.0, 0.05) < ALIKE);
	assert_true(measureJoins(&cores, 0.0, 0.0) < ALIKE);
	assert_true(measureJoins(&cores, 0.0, -0.15) < ALIKE);
	assert_true(measureJoins(&cores, 0.0, -0.3) < 0.6 * ALIKE);
	assert_true(measureJoins(&cores, 0.15, -0.15) < 0.6 * ALIKE);
	freeCores(&cores);
}

// A stride of a plain walk from left to left.
static void addWalk(Cores* cores)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.parameters[rp_paramSpeed] = 1.3f;
	def.seconds = 5.0;
	assert_true(cores->count < MOST_CORES);
	Core* core = cores->items + cores->count++;
	*core = (Core){.motion = testPerform(&def), .def = def};
	core->first = look(cores, core->motion, 0.0f);
	core->last = look(cores, core->motion, 0.0f);
	for (int i = 0; i < core->motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = core->motion->annotations.events + i;
		bool strikes = strcmp(event->name, "heel_strike_left") == 0 && event->time > LEAST_MARGIN;
		core->end = strikes && core->start > 0.0 && !(core->end > 0.0) ? event->time : core->end;
		core->start = strikes && !(core->start > 0.0) ? event->time : core->start;
	}
	assert_true(core->start > 0.0 && core->end > core->start && core->end < 4.0);
}

// Out of a walk on a seat, and from the same seat into a walk.
static void checkSeats(const Cores* strides)
{
	const Core* walk = strides->items + strides->count - 1;
	for (int i = 0; i < 3; ++i)
	{
		Cores seats = {0};
		rpPerformDef sit = rpDefaultPerformDef(rp_actWalkSit), rise = rpDefaultPerformDef(rp_actRiseWalk);
		sit.parameters[rp_paramHeight] = rise.parameters[rp_paramHeight] = 0.3f + 0.15f * (float)i;
		addCore(&seats, &sit, 0.0f, 0.0f);
		addCore(&seats, &rise, 0.0f, 0.0f);
		const Core *down = seats.items, *up = seats.items + 1;
		for (double later = -0.2; later < 0.25; later += 0.1)
		{
			double into = rpMetric_Distance(strides->metric, walk->last, getFrame(strides, walk->end + later),
											down->first, getFrame(&seats, down->start + later), NULL);
			double off = rpMetric_Distance(strides->metric, up->last, getFrame(&seats, up->end + later), walk->first,
										   getFrame(strides, walk->start + later), NULL);
			double seated = rpMetric_Distance(seats.metric, down->last, getFrame(&seats, down->end + later), up->first,
											  getFrame(&seats, up->start - 0.2 + later), NULL);
			printf("seat, %.1f s: into the act %.3f m, out of it %.3f m, seated %.3f m\n", later, into, off, seated);
			assert_true(into < ALIKE && off < ALIKE && seated < ALIKE);
		}
		freeCores(&seats);
	}
}

// Left heel strikes of the same plain walk.
static void testStrides(void** state)
{
	(void)state;
	Cores cores = {0};
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef up = rpDefaultPerformDef(rp_actWalkStepUp), off = rpDefaultPerformDef(rp_actWalkStepOff),
					 leap = rpDefaultPerformDef(rp_actWalkLeap);
		float height = 0.24f + 0.0775f * (float)i;
		up.parameters[rp_paramHeight] = off.parameters[rp_paramHeight] = height;
		leap.parameters[rp_paramDistance] = 0.6f + 0.125f * (float)i;
		addCore(&cores, &up, 0.0f, height);
		addCore(&cores, &off, height, -height);
		addCore(&cores, &leap, 0.0f, 0.0f);
	}
	addWalk(&cores);
	checkSeats(&cores);
	assert_true(measureJoins(&cores, -0.15, -0.15) < ALIKE);
	assert_true(measureJoins(&cores, 0.0, 0.0) < ALIKE);
	assert_true(measureJoins(&cores, 0.1, 0.1) < ALIKE);
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
		printf("%s %g: %.3f m into the step\n", rpAct_GetName(def.act), (double)def.parameters[rp_paramHeight],
			   (double)depth);
		assert_true(depth < 0.005f);
		rpDestroyMotion(motion);
	}
}

// A leap is as long as asked for: from the ball of the foot that leaves last to that of the one that lands.
static void testLeaps(void** state)
{
	(void)state;
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalkLeap);
		def.parameters[rp_paramDistance] = 0.6f + 0.125f * (float)i;
		rpMotion* motion = testPerform(&def);
		rpInterval phases[64];
		int count = rpMotion_GetIntervals(motion, rp_trackPhase, phases, 64), flights = 0;
		for (int k = 0; k < count; ++k)
		{
			if (phases[k].name[0] == 'F')
			{
				rpVec3 from = testGetEffectorAt(motion, phases[k].start, rp_rightBall);
				rpVec3 to = testGetEffectorAt(motion, phases[k].end + 0.1, rp_leftBall);
				printf("leap of %.2f m: %.3f m, %.3f s in the air\n", (double)def.parameters[rp_paramDistance],
					   (double)(to.z - from.z), phases[k].end - phases[k].start);
				// XX
				++flights;
			}
		}
		assert_int_equal(flights, 1);
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testGuard), cmocka_unit_test(testStrides),
									   cmocka_unit_test(testEdges), cmocka_unit_test(testLeaps)};
	return cmocka_run_group_tests_name("performer_cores", tests, NULL, NULL);
}
