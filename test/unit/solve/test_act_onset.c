/// Where an act begins in a clip that is labelled as a whole, against the performer's own contacts; and walks to it.
#include "solve/act_onset.h"

#include "performance.h"
#include "reprise/graph_build.h"
#include "support.h"

#include <math.h>

enum
{
	clipCount = 3,
};

static rpGraph* s_graph;
static rpGraphPart s_walk = {.clip = -1}, s_jump = {.clip = -1};

static int setUp(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	for (int i = 0; i < clipCount; ++i)
	{
		rpPerformDef take = rpDefaultPerformDef(rp_actTake);
		take.script = "walk 4 1.3; stand 1; jump; stand 1; walk 4 1.3";
		take.seconds = 0.0;
		take.seed = (uint64_t)i + 1;
		motions[i] = testPerform(&take);
		assert_true(rpMotion_SetName(motions[i], i == 0 ? "a" : i == 1 ? "b" : "c", NULL));
	}
	rpGraphDef def = rpDefaultGraphDef();
	s_graph = rpBuildGraphOf((const rpMotion* const*)motions, clipCount, &def, NULL, NULL);
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	if (s_graph == NULL || rpGraph_FindLabel(s_graph, "walk") < 0 || rpGraph_FindLabel(s_graph, "jump") < 0)
	{
		return -1;
	}
	s_walk.labels = 1ull << rpGraph_FindLabel(s_graph, "walk");
	s_jump.labels = 1ull << rpGraph_FindLabel(s_graph, "jump");
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyGraph(s_graph);
	return 0;
}

// The first stretch of a motion, a tenth of a second at least, in which no foot is on the floor.
static bool findFlight(const rpMotion* motion, double* start, double* end)
{
	*start = NAN;
	for (int f = 0; f < motion->frameCount; ++f)
	{
		double at = f / motion->fps;
		bool isDown = false;
		for (int i = 0; i < motion->annotations.intervalCount; ++i)
		{
			const rpInterval* interval = &motion->annotations.intervals[i];
			isDown |= rpInterval_IsFootContact(interval) && interval->start <= at && interval->end > at;
		}
		*start = isDown ? (double)NAN : isnan(*start) ? at : *start;
		*end = at;
		if (at - *start > 0.1)
		{
			return true;
		}
	}
	return false;
}

static void testOnsets(void** state)
{
	(void)state;
	int frames[4096], before = 0, after = 0;
	assert_true(s_graph->nodeCount <= 4096);
	assert_true(rpFindOnsets(s_graph, &s_walk, &s_jump, frames, NULL));
	for (int n = 0; n < s_graph->nodeCount; ++n)
	{
		const rpMotion* clip = s_graph->clips[s_graph->nodes[n].clip].motion;
		double start, end, at = s_graph->nodes[n].frame / s_graph->fps;
		if (rpGraphPart_FindStretch(s_graph, n, &s_jump) < 0)
		{
			assert_int_equal(frames[n], -1);
			continue;
		}
		assert_true(findFlight(clip, &start, &end));
		// Nobody who enters after the landing sees the jump; who enters before it begins waits until the crouch.
		if (at > start + 1.2)
		{
			assert_int_equal(frames[n], -1);
			++after;
		}
		if (frames[n] > 0)
		{
			double onset = at + frames[n] / s_graph->fps;
			assert_true(onset < start && onset > start - 1.2);
		}
		before += at < start && frames[n] >= 0;
	}
	assert_true(before > 0 && after > 0);
}

static void testWalk(void** state)
{
	(void)state;
	double reaches = NAN, start, end;
	rpWalk* walk = rpGraph_WalkTo(s_graph, &s_walk, &s_jump, 0.0, &reaches, NULL);
	assert_non_null(walk);
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 0.0, false, NULL);
	// The jump is in it, and begins when it is said to.
	assert_true(motion != NULL && findFlight(motion, &start, &end));
	assert_true(reaches > 0.0 && fabs(start - reaches) < 1.2);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
}

static bool walkTo(void* context, rpError* error)
{
	(void)context;
	rpWalk* walk = rpGraph_WalkTo(s_graph, &s_walk, &s_jump, 0.0, NULL, error);
	rpDestroyWalk(walk);
	return walk != NULL;
}

static void testMemory(void** state)
{
	(void)state;
	testFailEach(walkTo, NULL, 10);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOnsets),
		cmocka_unit_test(testWalk),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
