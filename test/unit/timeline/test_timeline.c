/// The proof of one path from choice to motion: what a player streams, looking ahead far enough, is what is rendered as
/// a whole, to the bit; without look-ahead only feet differ.
#include "live/graph_spans.h"
#include "live/player_kind.h"
#include "locomotion_scene.h"
#include "play_scene.h"
#include "timeline/render_motion.h"

#include <stdlib.h>
#include <string.h>

enum
{
	fps = 60,
	seconds = 20,
	frameCount = fps * seconds,
};

/// A model played at the same time off-line: its kind asked for spans by itself.
typedef struct Offline
{
	const rpPlayerKind* kind;
	void* model;
	void* playback;
	rpGroundTransform start;
	rpPlayerInput (*steer)(double time);

	/// Seconds that a player looks ahead by: what is asked for in a tick is seen that much later.
	double ahead;
	bool hasBegun;

	/// Of a graph: its edges, as they were chosen.
	int* edges;
	int edgeCount;
} Offline;

static void noteEdge(Offline* offline)
{
	const rpGraphCursor* cursor = offline->playback;
	if (offline->edges != NULL)
	{
		// An edge that follows itself begins anew.
		static int64_t start;
		start = offline->edgeCount == 0 ? -1 : start;
		if (cursor->start != start)
		{
			offline->edges[offline->edgeCount++] = cursor->edge;
			start = cursor->start;
		}
	}
}

// A player makes a frame in the tick that shows the frame before the one that lies so many frames back.
static void produce(void* context, double time, rpTimeline* timeline)
{
	Offline* offline = context;
	rpPlayerInput input = offline->steer(fmax(time - offline->ahead - 1.0 / fps, 0.0));
	if (!offline->hasBegun)
	{
		offline->kind->begin(offline->model, offline->playback, offline->start, timeline);
		offline->hasBegun = true;
	}
	offline->kind->produce(offline->model, offline->playback, time, &input, timeline);
	noteEdge(offline);
}

static Offline setUpOffline(const rpPlayerKind* kind, const rpBundle* bundle, double ahead)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	Offline offline = {.kind = kind, .ahead = ahead};
	offline.model = kind->create(bundle, &def, NULL);
	offline.playback = calloc(1, kind->stateSize);
	assert_non_null(offline.model);
	return offline;
}

static void tearDownOffline(Offline* offline)
{
	offline->kind->destroy(offline->model);
	free(offline->playback);
	free(offline->edges);
}

// Turns, gaits and speeds for models that understand them.
static rpPlayerInput steerAbout(double time)
{
	static const rpGait gaits[] = {rp_gaitWalk, rp_gaitRun, rp_gaitWalk, rp_gaitStand};
	int k = (int)(time / 4.0);
	float angle = (float)k * 1.3f;
	return (rpPlayerInput){.stick = {sinf(angle), cosf(angle)}, .request = gaits[k % 4], .locomotion.speed = 0.0f};
}

static rpMotion* renderWhole(Offline* offline, bool lockFeet)
{
	rpMotion* motion =
		rpCreateMotion(offline->kind->getSkeleton(offline->model), "whole", fps, frameCount + 4 * fps, NULL);
	rpRenderDef def = {.lockFeet = lockFeet, .produce = produce, .context = offline};
	assert_true(rpRenderMotion(motion, &def, NULL));
	return motion;
}

static rpPlayer* createPlayer(const rpBundle* bundle, double ahead, bool lockFeet)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = ahead;
	def.lockFeet = lockFeet;
	rpPlayer* player = rpCreatePlayer(bundle, &def, NULL);
	assert_non_null(player);
	return player;
}

// Play in so many ticks to a frame, and compare what is shown at frames with those of a motion: the greatest distance
// of a joint; exactly: every byte must be the same.
static float playBeside(rpPlayer* player, const rpMotion* motion, int ticks, bool exactly)
{
	int jointCount = motion->skeleton->jointCount;
	rpPose pose = {.rotations = malloc((size_t)jointCount * sizeof(rpQuat))};
	rpTransform* worlds = malloc(2 * (size_t)jointCount * sizeof(rpTransform));
	float farthest = 0.0f;
	for (int tick = 0; tick < frameCount * ticks; ++tick)
	{
		rpPlayerInput input = steerAbout((double)tick / (fps * ticks));
		rpPlayer_Step(player, tick == 0 ? 0.0 : 1.0 / (fps * ticks), &input, &pose, NULL);
		int frame = tick / ticks;
		if (tick % ticks != 0)
		{
			continue;
		}
		if (exactly)
		{
			assert_memory_equal(&pose.rootPosition, &motion->rootPositions[frame], sizeof(rpVec3));
			assert_memory_equal(pose.rotations, rpMotion_GetRotations(motion, frame),
								(size_t)jointCount * sizeof(rpQuat));
		}
		rpSkeleton_Forward(motion->skeleton, pose.rootPosition, pose.rotations, NULL, worlds);
		rpMotion_Forward(motion, frame, worlds + jointCount);
		for (int i = 0; i < jointCount; ++i)
		{
			farthest = fmaxf(farthest, rpDistance(worlds[i].p, worlds[jointCount + i].p));
		}
	}
	free(pose.rotations);
	free(worlds);
	return farthest;
}

static void prove(const rpPlayerKind* kind, const rpBundle* bundle)
{
	double full = rpFootLocker_GetFullLookAhead(fps) / (double)fps;
	static const double more[] = {0.0, 0.25};
	for (int i = 0; i < 2; ++i)
	{
		Offline offline = setUpOffline(kind, bundle, full + more[i]);
		offline.steer = steerAbout;
		rpMotion* whole = renderWhole(&offline, true);
		for (int ticks = 1; ticks <= 2; ++ticks)
		{
			rpPlayer* player = createPlayer(bundle, full + more[i], true);
			assert_float_equal(rpPlayer_GetLookAhead(player), full + more[i], 1e-9);
			(void)playBeside(player, whole, ticks, true);
			rpDestroyPlayer(player);
		}
		rpDestroyMotion(whole);
		tearDownOffline(&offline);
	}

	// Without look-ahead, and without feet being settled, it is the same too; with feet it is not.
	for (int lockFeet = 0; lockFeet < 2; ++lockFeet)
	{
		Offline offline = setUpOffline(kind, bundle, 0.0);
		offline.steer = steerAbout;
		rpMotion* whole = renderWhole(&offline, lockFeet == 1);
		rpPlayer* player = createPlayer(bundle, 0.0, lockFeet == 1);
		float farthest = playBeside(player, whole, 1, lockFeet == 0);
		print_message("%s without look-ahead%s: joints up to %.1f mm from those off-line\n", kind->chunk,
					  lockFeet == 1 ? ", feet settled" : "", 1e3 * (double)farthest);
		assert_true(farthest < 0.2f && (lockFeet == 0) == (farthest == 0.0f));
		rpDestroyPlayer(player);
		rpDestroyMotion(whole);
		tearDownOffline(&offline);
	}
}

static void testGraph(void** state)
{
	(void)state;
	void* bytes;
	size_t size;
	rpBundle* bundle = testMakeWalkBundle(5.0, &bytes, &size);
	prove(&rpGraphPlayerKind, bundle);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

static void testLocomotion(void** state)
{
	(void)state;
	size_t size;
	TestLocomotion takes = testPerformAllGaits(60.0, 2);
	rpLocomotion* model = testBuildLocomotion(&takes, true);
	void* bytes = rpWriteLocomotionBundle(model, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	prove(&rpLocomotionPlayerKind, bundle);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
}

// The walk of the edges that a player takes, made off-line from the graph as it was built, is what the player shows.
static void testWalk(void** state)
{
	(void)state;
	void* bytes;
	size_t size;
	rpGraph* graph = testMakeWalkGraph(5.0, false);
	rpBundle* bundle = testMakeWalkBundle(5.0, &bytes, &size);
	double full = rpFootLocker_GetFullLookAhead(fps) / (double)fps;
	Offline offline = setUpOffline(&rpGraphPlayerKind, bundle, full);
	offline.steer = steerAbout;
	offline.edges = malloc(10000 * sizeof(int));
	rpDestroyMotion(renderWhole(&offline, false));
	const rpGraphNode* first = &graph->nodes[graph->edges[offline.edges[0]].from];
	const rpMotion* clip = graph->clips[first->clip].motion;
	rpGroundTransform root = rpMotion_GetGround(clip, rpMotion_GetFrame(clip, first->frame / graph->fps));
	root.shift.y = 0.0f;
	rpWalk walk = {.edges = offline.edges,
				   .edgeCount = offline.edgeCount,
				   .start = rpGroundTransform_Invert(root),
				   .lastFrames = graph->edges[offline.edges[offline.edgeCount - 1]].frameCount};
	rpMotion* motion = rpWalk_MakeMotion(&walk, graph, fps, true, NULL);
	assert_non_null(motion);
	assert_true(offline.edgeCount > 20 && motion->frameCount > frameCount);
	rpPlayer* player = createPlayer(bundle, full, true);
	(void)playBeside(player, motion, 1, true);
	rpDestroyPlayer(player);
	rpDestroyMotion(motion);
	tearDownOffline(&offline);
	rpDestroyGraph(graph);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGraph),
		cmocka_unit_test(testLocomotion),
		cmocka_unit_test(testWalk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
