/// Bundles of captured people, packed: a third of the bytes at most, within the limits at every joint of every frame,
/// as seen by a player's own sampling; and how much of it each person takes.
#include "model/clip_chunks.h"
#include "model/graph_model.h"
#include "support.h"

#include <math.h>
#include <stdio.h>

enum
{
	maxTakes = 12,
};

/// Walks, runs and jumps; fights and dances; slow ones and fast ones.
static const struct
{
	int person, takes[maxTakes];
} s_people[] = {
	{16, {1, 5, 11, 17, 31, 35, 45, 47, 58}}, {35, {1, 2, 17, 18, 22, 26}},         {69, {1, 3, 16, 20, 33, 68, 73}},
	{104, {1, 4, 8, 19, 30, 41, 53, 57}},     {127, {3, 6, 9, 12, 15, 18, 22, 28}},
};

/// The largest differences of two sets of clips, metres and radians.
typedef struct Off
{
	float travel, turn;
} Off;

static void compareAt(const rpClip* exact, const rpClip* packed, double time, Off* off)
{
	static rpQuat rotations[2][RP_MAX_JOINTS];
	static rpTransform world[2][RP_MAX_JOINTS];
	const rpClip* clips[2] = {exact, packed};
	for (int k = 0; k < 2; ++k)
	{
		rpPose pose = {.rotations = rotations[k]};
		rpShare share = {clips[k], time, 1.0f, rpGroundTransform_identity};
		rpBlendClipsForward(&share, 1, &pose, world[k]);
	}
	for (int i = 0; i < exact->skeleton->jointCount; ++i)
	{
		rpQuat turn = rpMulQuat(rpConjugate(world[0][i].q), world[1][i].q);
		off->travel = fmaxf(off->travel, rpDistance(world[0][i].p, world[1][i].p));
		off->turn = fmaxf(off->turn, 2.0f * rpLength((rpVec3){turn.x, turn.y, turn.z}));
	}
}

// Whether an edge of a graph shows a moment of a clip: all along it the clip that it comes from and the one that it
// leads to are there. Frames that none shows are not kept in packed bundles.
static bool isShown(const rpGraphModel* graph, int clip, double frame)
{
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		const rpGraphEdge* edge = &graph->edges[i];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		if ((from->clip == clip && frame >= from->frame && frame <= from->frame + edge->frameCount) ||
			(to->clip == clip && frame >= to->frame - edge->frameCount && frame <= to->frame))
		{
			return true;
		}
	}
	return false;
}

// In all frames that are shown and in the middle between them; *count of these moments.
static Off compare(const rpBundle* exact, const rpBundle* packed, int* count)
{
	rpClipSet sets[2];
	rpGraphModel graph;
	Off off = {0};
	*count = 0;
	assert_true(rpClipSet_Read(&sets[0], exact, NULL) && rpClipSet_Read(&sets[1], packed, NULL));
	assert_true(rpGraphModel_Read(&graph, packed, NULL));
	assert_int_equal(sets[0].clipCount, sets[1].clipCount);
	for (int c = 0; c < sets[0].clipCount; ++c)
	{
		const rpClip* clip = sets[0].clips[c];
		for (int i = 0; i < 2 * clip->frameCount - 1; ++i)
		{
			if (isShown(&graph, c, 0.5 * i / clip->fps * graph.fps))
			{
				compareAt(clip, sets[1].clips[c], 0.5 * i / clip->fps, &off);
				++*count;
			}
		}
	}
	rpGraphModel_Free(&graph);
	rpClipSet_Free(&sets[0]);
	rpClipSet_Free(&sets[1]);
	return off;
}

static void* makeBundle(int index, size_t* size)
{
	rpMotion* motions[maxTakes];
	int count = 0;
	for (; count < maxTakes && s_people[index].takes[count] > 0; ++count)
	{
		char name[32];
		snprintf(name, sizeof(name), "%d_%02d", s_people[index].person, s_people[index].takes[count]);
		motions[count] = testLoadTake(name);
	}
	rpError error = {0};
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, count, NULL, NULL, &error);
	void* bytes = graph != NULL ? rpWriteGraphBundle(graph, size, &error) : NULL;
	if (bytes == NULL)
	{
		fail_msg("%s", error.message);
	}
	rpDestroyGraph(graph);
	for (int i = 0; i < count; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	return bytes;
}

static void testPeople(void** state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(s_people) / sizeof(s_people[0]); ++i)
	{
		size_t size, packedSize;
		rpPacking packing;
		void* bytes = makeBundle((int)i, &size);
		rpBundle* exact = rpCreateBundle(bytes, size, NULL);
		void* packedBytes = rpPackBundle(exact, &packing, &packedSize, NULL);
		rpBundle* packed = rpCreateBundle(packedBytes, packedSize, NULL);
		assert_non_null(packed);
		int count;
		Off off = compare(exact, packed, &count);
		assert_true(count > 500);
		double share = (double)packedSize / (double)size;
		print_message("%d: %.2f MB, packed %.2f MB (%.1f%%); %.4f mm, %.4f deg; at %d moments %.4f mm, %.4f deg\n",
					  s_people[i].person, 1e-6 * (double)size, 1e-6 * (double)packedSize, 100.0 * share,
					  1e3 * (double)packing.maxTravel, (double)packing.maxTurn / RP_DEGREE, count,
					  1e3 * (double)off.travel, (double)off.turn / RP_DEGREE);
		assert_true(share < 1.0 / 3.0);
		assert_true(packing.maxTravel <= 1e-4f && packing.maxTurn <= 0.05f * (float)RP_DEGREE);
		// Sampling works in world space, where floats add a thousandth of a millimetre.
		assert_true(off.travel <= 1.02e-4f && off.turn <= 0.0505f * (float)RP_DEGREE);
		assert_true(off.travel > 0.95f * packing.maxTravel);
		rpDestroyBundle(packed);
		rpDestroyBundle(exact);
		rpFreeBytes(packedBytes);
		rpFreeBytes(bytes);
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testPeople)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
