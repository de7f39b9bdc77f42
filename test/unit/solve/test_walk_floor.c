/// The floor under walks: clips of floors that tilt or stand a bit higher come to one floor, what is higher stays
/// higher; and contacts at seams are those of the blended feet.
#include "performance.h"
#include "play_scene.h"
#include "solve/walk_floor.h"

#include <math.h>
#include <stdio.h>

enum
{
	clipCount = 4,
};

// Walks on floors that are higher or lower, and rise along the way.
static rpMotion* performOnSlope(int index)
{
	static const float turns[clipCount] = {0.0f, 20.0f, 45.0f, 0.0f};
	char name[24];
	snprintf(name, sizeof(name), "walk %d", index);
	rpMotion* motion = testPerformTurning(rp_actWalk, 6.0, turns[index], (uint64_t)index + 1, name);
	float height = 0.02f * (float)(index % 2), slope = 0.004f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		rpInterval* contact = motion->annotations.intervals + i;
		int frame = rpMotion_GetFrame(motion, 0.5 * (contact->start + contact->end));
		contact->supportHeight += height + slope * motion->rootPositions[frame].z;
	}
	for (int f = 0; f < motion->frameCount; ++f)
	{
		motion->rootPositions[f].y += height + slope * motion->rootPositions[f].z;
	}
	return motion;
}

static rpGraph* makeGraph(void)
{
	rpMotion* motions[clipCount];
	for (int i = 0; i < clipCount; ++i)
	{
		motions[i] = performOnSlope(i);
	}
	rpGraphDef def = rpDefaultGraphDef();
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, clipCount, &def, NULL, NULL);
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	assert_non_null(graph);
	return graph;
}

typedef struct Range
{
	float low, high;
} Range;

static Range getRange(const float* values, int count)
{
	Range range = {INFINITY, -INFINITY};
	for (int i = 0; i < count; ++i)
	{
		range = (Range){fminf(range.low, values[i]), fmaxf(range.high, values[i])};
	}
	return range;
}

// Heights of all supports of a point, and of the point itself in the middle of its contacts.
static int listHeights(const rpMotion* motion, rpEffector effector, float* supports, float* heights, int most)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && contact->effector == effector && count < most)
		{
			rpVec3 place;
			int frame = rpMotion_GetFrame(motion, 0.5 * (contact->start + contact->end));
			assert_true(rpMotion_GetEffector(motion, frame, effector, &place));
			supports[count] = contact->supportHeight;
			heights[count++] = place.y;
		}
	}
	return count;
}

static void testOneFloor(void** state)
{
	(void)state;
	rpGraph* graph = makeGraph();
	float supports[400], heights[400];
	for (int i = 0; i < graph->clipCount; ++i)
	{
		int count = listHeights(graph->clips[i].motion, rp_leftBall, supports, heights, 400);
		Range range = getRange(supports, count);
		print_message("clip %d: supports from %.1f to %.1f mm\n", i, 1e3 * (double)range.low, 1e3 * (double)range.high);
		assert_true(range.high - range.low > 0.01f);
	}
	rpWalk* walk = rpGraph_WalkAtRandom(graph, 40.0, 0, 5, NULL);
	for (int locked = 0; locked < 2; ++locked)
	{
		rpMotion* motion = rpWalk_MakeMotion(walk, graph, 0.0, locked == 1, NULL);
		assert_non_null(motion);
		int count = listHeights(motion, rp_leftBall, supports, heights, 400);
		Range support = getRange(supports, count), height = getRange(heights, count);
		print_message("walk: %d contacts, supports within %.3f mm, balls within %.1f mm\n", count,
					  1e3 * (double)(support.high - support.low), 1e3 * (double)(height.high - height.low));
		assert_true(count > 30 && support.high - support.low < 1e-6f);
		// Blended, and cut by seams, some are not in the middle of their rest.
		assert_true(height.high - height.low < (locked == 1 ? 0.002f : 0.02f));
		rpDestroyMotion(motion);
	}
	rpDestroyWalk(walk);
	rpDestroyGraph(graph);
}

/// Two clips, of which only the annotations count, for passages.
typedef struct TwoClips
{
	rpGraph graph;
	rpGraphClip clips[2];
	rpMotion* motions[2];
	rpPassage passages[2];
} TwoClips;

static void makeTwoClips(TwoClips* two, float height, double seconds)
{
	*two = (TwoClips){0};
	for (int i = 0; i < 2; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rpAct_Find("stand"));
		def.seconds = 4.0;
		rpMotion* motion = testPerform(&def);
		rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
		const rpInterval contact = {.track = rp_trackContact,
									.start = 0.5,
									.end = 0.5 + (i == 0 ? 2.0 : seconds),
									.effector = rp_leftHeel,
									.supportHeight = i == 0 ? 0.0f : height};
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
		two->motions[i] = two->clips[i].motion = motion;
		two->passages[i] = (rpPassage){.clip = i, .start = 3.5 * i, .end = 4.0 + 3.5 * i};
	}
	two->graph.clips = two->clips;
	two->graph.clipCount = 2;
}

static void testWhatIsFloor(void** state)
{
	(void)state;
	static const struct
	{
		float height, level, rise;
	} cases[] = {{0.06f, 0.02f, 0.04f}, {0.3f, 0.0f, 0.0f}, {-0.3f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	for (int i = 0; i < 4; ++i)
	{
		TwoClips two;
		rpWalkFloor floor;
		makeTwoClips(&two, cases[i].height, 1.0);
		assert_true(rpFindWalkFloor(two.passages, 2, &two.graph, &floor, NULL));
		assert_float_equal(floor.levels[rp_leftHeel], cases[i].level, 1e-6f);
		for (int k = 0; k < 2; ++k)
		{
			bool isFloor = k == 0 || fabsf(cases[i].height) < 0.1f;
			const rpInterval* contact = two.motions[k]->annotations.intervals;
			while (contact->track != rp_trackContact)
			{
				++contact;
			}
			assert_float_equal(rpWalkFloor_GetSupport(&floor, two.passages + k, two.motions[k], contact),
							   isFloor ? cases[i].level : cases[i].height, 1e-6f);
			assert_float_equal(rpWalkFloor_GetRise(&floor, two.passages + k, two.motions[k], 1.0),
							   k == 0 ? -cases[i].level : cases[i].rise, 1e-6f);
		}
		rpDestroyMotion(two.motions[0]);
		rpDestroyMotion(two.motions[1]);
	}
}

// On a slope there is no floor: nothing is levelled.
static void testNoFloor(void** state)
{
	(void)state;
	TwoClips two;
	rpWalkFloor floor;
	makeTwoClips(&two, 0.0f, 1.0);
	rpAnnotations_Clear(&two.motions[0]->annotations, rp_trackContact, NULL);
	for (int i = 0; i < 20; ++i)
	{
		const rpInterval contact = {.track = rp_trackContact,
									.start = 0.1 * i,
									.end = 0.1 * i + 0.1,
									.effector = rp_leftBall,
									.supportHeight = 0.05f * (float)(i + 1)};
		assert_true(rpAnnotations_AddInterval(&two.motions[0]->annotations, &contact, NULL));
	}
	assert_true(rpFindWalkFloor(two.passages, 1, &two.graph, &floor, NULL));
	assert_float_equal(rpWalkFloor_GetRise(&floor, two.passages, two.motions[0], 1.0), 0.0f, 0.0f);
	rpDestroyMotion(two.motions[0]);
	rpDestroyMotion(two.motions[1]);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOneFloor),
		cmocka_unit_test(testWhatIsFloor),
		cmocka_unit_test(testNoFloor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
