/// How far thresholds between labels may grow: as the calmer motion changes by itself, and where there is no other path
/// as far as the nearest join; and what is said of changes that are slow.
#include "base/memory.h"
#include "build/graph_caps.h"
#include "support.h"

#include <string.h>

enum
{
	calm,
	brisk,
	wild,
	labelCount,
	framesEach = 100,
	motionCount = 10,
};

/// Three labels, one after the other in a clip, that change by 0.001, 0.2 and 0.3 m in half a blend.
typedef struct Scene
{
	rpExamples examples;
	int firstFrames[2];
	uint64_t masks[labelCount * framesEach];
	float changes[labelCount * framesEach];
	float minima[labelCount * labelCount];
	bool isOpen[labelCount * labelCount];
} Scene;

static void makeScene(Scene* scene)
{
	static const float changes[labelCount] = {0.001f, 0.2f, 0.3f};
	*scene = (Scene){.firstFrames = {0, labelCount * framesEach}};
	for (int f = 0; f < labelCount * framesEach; ++f)
	{
		scene->masks[f] = 1ull << (f / framesEach);
		// The liveliest frame of all, and those of which nothing is known, do not count.
		scene->changes[f] = f % framesEach == 50 ? 10.0f : f % framesEach < 10 ? NAN : changes[f / framesEach];
	}
	for (int k = 0; k < labelCount * labelCount; ++k)
	{
		scene->minima[k] = INFINITY;
		scene->isOpen[k] = true;
	}
	scene->examples = (rpExamples){.fps = 30.0,
								   .clipCount = 1,
								   .labelCount = labelCount,
								   .usualHalf = 8,
								   .changeStep = 8,
								   .greatest = 0.4f,
								   .firstFrames = scene->firstFrames,
								   .masks = scene->masks,
								   .changes = scene->changes};
}

static void setMin(Scene* scene, int from, int to, float min)
{
	scene->minima[from * labelCount + to] = min;
}

static void checkCap(const Scene* scene, int from, int to, float expected)
{
	float* caps = rpFindCaps(&scene->examples, NULL);
	assert_non_null(caps);
	rpLiftCaps(labelCount, scene->minima, scene->isOpen, caps);
	assert_float_equal(caps[from * labelCount + to], expected, 1e-6f);
	rpFree(caps);
}

static void testCaps(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene);
	checkCap(&scene, brisk, wild, 0.2f);
	checkCap(&scene, wild, brisk, 0.2f);
	// A fifth of the greatest distance, however calm.
	checkCap(&scene, calm, wild, 0.08f);
	// Half as long a blend may bridge half as much.
	scene.examples.usualHalf = 4;
	checkCap(&scene, brisk, wild, 0.1f);
}

static void testGaps(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene);
	// From calm to wild directly is far, but the path over brisk is not.
	setMin(&scene, calm, brisk, 0.05f);
	setMin(&scene, brisk, wild, 0.15f);
	setMin(&scene, calm, wild, 0.3f);
	checkCap(&scene, calm, wild, 0.08f);
	// No path back but a far one; of two paths the nearer one is opened, which is enough.
	setMin(&scene, wild, calm, 0.35f);
	setMin(&scene, wild, brisk, 0.25f);
	setMin(&scene, brisk, calm, 0.12f);
	checkCap(&scene, wild, brisk, 1.1f * 0.25f);
	checkCap(&scene, brisk, calm, 1.1f * 0.12f);
	checkCap(&scene, wild, calm, 0.08f);
	// What was given is not changed; the other path must do.
	scene.isOpen[brisk * labelCount + calm] = false;
	checkCap(&scene, brisk, calm, 0.08f);
	checkCap(&scene, wild, calm, 1.1f * 0.35f);
}

static rpMotion* perform(rpAct act, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = 5.0;
	def.seed = seed;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static const rpConnectivity* findChosen(const rpGraphReport* report, const rpGraph* graph, const char* from,
										const char* to)
{
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		if (row->isChosen && strcmp(graph->labels[row->from], from) == 0 && strcmp(graph->labels[row->to], to) == 0)
		{
			return row;
		}
	}
	return NULL;
}

static bool isWarned(const rpGraphReport* report, const char* text)
{
	for (int i = 0; i < report->warningCount; ++i)
	{
		if (strstr(report->warnings[i], text) != NULL)
		{
			return true;
		}
	}
	return false;
}

// Someone who can start to walk, run from walking, and come back needs no path from standing to running.
static void testBuild(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actStand, rp_actStand,     rp_actWalk,      rp_actWalk,    rp_actRun,
								 rp_actRun,   rp_actStandWalk, rp_actWalkStand, rp_actWalkRun, rp_actRunWalk};
	rpMotion* motions[motionCount];
	for (int i = 0; i < motionCount; ++i)
	{
		motions[i] = perform(acts[i], (uint64_t)(i + 1));
	}
	rpGraphDef def = rpDefaultGraphDef();
	rpGraphReport report;
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, motionCount, &def, &report, NULL);
	assert_non_null(graph);
	const rpConnectivity* run = findChosen(&report, graph, "stand", "run");
	assert_true(run == NULL || run->threshold < 0.12f);
	assert_false(isWarned(&report, "there is no path"));
	assert_false(report.isAngle);
	rpDestroyGraph(graph);
	rpGraphReport_Free(&report);
	// In a blink nobody gets anywhere, and that is said.
	def.wantedSwitch = 0.2;
	graph = rpBuildGraphOf((const rpMotion* const*)motions, motionCount, &def, &report, NULL);
	assert_non_null(graph);
	assert_true(isWarned(&report, "stand to "));
	assert_true(isWarned(&report, "longer than 0.2 s"));
	rpDestroyGraph(graph);
	rpGraphReport_Free(&report);
	for (int i = 0; i < motionCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testCaps), cmocka_unit_test(testGaps),
									   cmocka_unit_test(testBuild)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
