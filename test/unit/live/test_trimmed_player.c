/// Players of what packing keeps, edges and frames that can be reached, do what players of all of it do, to the bit.
#include "play_scene.h"

#include "model/graph_trim.h"
#include "model/shown_frames.h"

#include <math.h>
#include <string.h>

enum
{
	tickCount = 120 * 60,
};

// Edges that are played, all else as it is.
static void* trim(const rpBundle* bundle, size_t* size)
{
	rpGraphModel graph;
	rpGraphTrim kept;
	rpBundleWriter writer = {0};
	assert_true(rpGraphModel_Read(&graph, bundle, NULL) && rpTrimGraph(&graph, &kept, NULL));
	print_message("%d of %d edges are played\n", kept.edgeCount, graph.edgeCount);
	assert_true(kept.edgeCount < graph.edgeCount && kept.nodeCount <= graph.nodeCount);
	assert_true(rpBundleWriter_AddAllBut(&writer, bundle, "GNODGEDGGSTRGPTHGLENGSID", NULL) &&
				rpBundleWriter_Add(&writer, "GNOD", kept.nodes, kept.nodeCount, sizeof(rpGraphNode), NULL) &&
				rpBundleWriter_Add(&writer, "GEDG", kept.edges, kept.edgeCount, sizeof(rpGraphEdge), NULL) &&
				rpBundleWriter_Add(&writer, "GSTR", kept.steering, kept.nodeCount, rp_steerCount * sizeof(int), NULL));
	void* bytes = rpBundleWriter_Finish(&writer, size, NULL);
	rpBundleWriter_Free(&writer);
	rpGraphTrim_Free(&kept);
	rpGraphModel_Free(&graph);
	return bytes;
}

static rpShownFrames findShown(const rpBundle* bundle, const rpClipSet* clips)
{
	rpShownFrames shown;
	if (rpBundle_HasChunk(bundle, "LHDR"))
	{
		assert_true(rpFindGaitFrames(bundle, clips, &shown, NULL));
		return shown;
	}
	rpGraphModel graph;
	rpGraphTrim kept;
	assert_true(rpGraphModel_Read(&graph, bundle, NULL) && rpTrimGraph(&graph, &kept, NULL));
	assert_true(rpFindGraphFrames(&graph, &kept, clips, &shown, NULL));
	rpGraphTrim_Free(&kept);
	rpGraphModel_Free(&graph);
	return shown;
}

// A body without any rotation in all frames that are not shown.
static void* spoil(const rpBundle* bundle, size_t* size, int* spoilt)
{
	rpClipSet clips;
	int count;
	assert_true(rpClipSet_Read(&clips, bundle, NULL));
	rpShownFrames shown = findShown(bundle, &clips);
	size_t stride = (size_t)rpGetClipStride(clips.skeleton);
	const float* rows = rpBundle_GetChunk(bundle, "ROWS", sizeof(float), &count, NULL);
	rpBundleWriter writer = {0};
	assert_true(rpBundleWriter_AddAllBut(&writer, bundle, "ROWS", NULL));
	float* out = rpBundleWriter_Reserve(&writer, "ROWS", count, sizeof(float), NULL);
	memcpy(out, rows, (size_t)count * sizeof(float));
	*spoilt = 0;
	for (size_t frame = 0; frame < shown.first[clips.clipCount]; ++frame)
	{
		*spoilt += shown.flags[frame] == 0;
		for (size_t i = 0; shown.flags[frame] == 0 && i < stride; ++i)
		{
			out[frame * stride + i] = i % rp_clipGroup < rp_clipLanes ? 1.0f : 0.0f;
		}
	}
	void* bytes = rpBundleWriter_Finish(&writer, size, NULL);
	rpBundleWriter_Free(&writer);
	rpShownFrames_Free(&shown);
	rpClipSet_Free(&clips);
	return bytes;
}

// Directions, stands and gaits at random, each for a while.
static rpPlayerInput ask(int tick)
{
	unsigned a = (unsigned)(tick / 83) * 2654435761u >> 8;
	float angle = (float)(a % 360) * (float)RP_DEGREE;
	rpPlayerInput input = {.request = (int)(a % 3)};
	if (a % 5 < 3)
	{
		input.stick = (rpVec2){sinf(angle), cosf(angle)};
	}
	input.locomotion.turn = 0.01f * (float)(a % 100) - 0.5f;
	input.locomotion.speed = (float)(a % 4);
	return input;
}

static void expectSame(const rpBundle* a, const rpBundle* b)
{
	static rpQuat rotations[2][RP_MAX_JOINTS];
	rpPlayer* players[2] = {rpCreatePlayer(a, NULL, NULL), rpCreatePlayer(b, NULL, NULL)};
	assert_true(players[0] != NULL && players[1] != NULL);
	size_t size = (size_t)rpPlayer_GetSkeleton(players[0])->jointCount * sizeof(rpQuat);
	for (int i = 0; i < tickCount; ++i)
	{
		rpPlayerInput input = ask(i);
		rpVec3 places[2];
		rpPlayerReport reports[2];
		for (int k = 0; k < 2; ++k)
		{
			rpPose pose = {.rotations = rotations[k]};
			rpPlayer_Step(players[k], 1.0 / 60.0, &input, &pose, &reports[k]);
			places[k] = pose.rootPosition;
		}
		assert_memory_equal(rotations[0], rotations[1], size);
		assert_memory_equal(&places[0], &places[1], sizeof(rpVec3));
		assert_int_equal(reports[0].contacts, reports[1].contacts);
		assert_true(reports[0].labels == reports[1].labels && reports[0].span == reports[1].span);
	}
	rpDestroyPlayer(players[0]);
	rpDestroyPlayer(players[1]);
}

static void testGraph(void** state)
{
	(void)state;
	void* bytes;
	size_t size, trimmedSize, spoiltSize;
	int spoilt;
	rpBundle* whole = testMakeWalkBundle(6.0, &bytes, &size);
	void* trimmedBytes = trim(whole, &trimmedSize);
	rpBundle* trimmed = rpCreateBundle(trimmedBytes, trimmedSize, NULL);
	expectSame(whole, trimmed);
	void* spoiltBytes = spoil(trimmed, &spoiltSize, &spoilt);
	rpBundle* held = rpCreateBundle(spoiltBytes, spoiltSize, NULL);
	print_message("%d frames are not shown\n", spoilt);
	expectSame(whole, held);
	rpDestroyBundle(held);
	rpDestroyBundle(trimmed);
	rpDestroyBundle(whole);
	rpFreeBytes(spoiltBytes);
	rpFreeBytes(trimmedBytes);
	rpFreeBytes(bytes);
}

static void testLocomotion(void** state)
{
	(void)state;
	size_t size, spoiltSize;
	int spoilt;
	rpPerformDef perform = rpDefaultPerformDef(rp_actTake);
	perform.fps = 60.0;
	perform.labels = false;
	perform.script = "stand 2; walk 4 1.2 0; punch; walk 3 1.3 30; stand 1; run 4 2.8 0; walk 3 1.2 -30; jump; stand 2";
	rpMotion* take = rpPerform(&perform, NULL);
	const rpMotion* takes[] = {take};
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	rpLocomotion* model = rpBuildLocomotionOf(takes, 1, &def, NULL, NULL);
	assert_non_null(model);
	void* bytes = rpWriteLocomotionBundle(model, &size, NULL);
	rpBundle* whole = rpCreateBundle(bytes, size, NULL);
	void* spoiltBytes = spoil(whole, &spoiltSize, &spoilt);
	rpBundle* held = rpCreateBundle(spoiltBytes, spoiltSize, NULL);
	print_message("%d frames are not shown\n", spoilt);
	assert_true(spoilt > 100);
	expectSame(whole, held);
	rpDestroyBundle(held);
	rpDestroyBundle(whole);
	rpFreeBytes(spoiltBytes);
	rpFreeBytes(bytes);
	rpDestroyLocomotion(model);
	rpDestroyMotion(take);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	void* bytes;
	size_t size, packedSize;
	rpBundle* bundle = testMakeWalkBundle(3.0, &bytes, &size);
	int blocks = testCountLiveBlocks();
	void* packed = NULL;
	for (int n = 0; packed == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		packed = rpPackBundle(bundle, NULL, &packedSize, &error);
		testFailAllocation(-1);
		assert_true(packed != NULL || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks + (packed != NULL));
	}
	rpFreeBytes(packed);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGraph),
		cmocka_unit_test(testLocomotion),
		cmocka_unit_test(testMemoryRunsOut),
	};
	return cmocka_run_group_tests_name("trimmed_player", tests, NULL, NULL);
}
