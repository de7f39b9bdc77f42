/// New motion for the demonstration: what models make of performances.
#include "demo_models.h"

#include "play_run.h"

#include <math.h>
#include <stdlib.h>

// ---- a motion graph

enum
{
	walkCount = 5,
	pathCount = 101,
};

// A figure of eight, 10 m long and 5 m wide, from its crossing.
static void drawEight(rpVec2* points)
{
	for (int i = 0; i < pathCount; ++i)
	{
		double angle = 2.0 * M_PI * i / (pathCount - 1);
		points[i] = (rpVec2){(float)(2.5 * sin(2.0 * angle)), (float)(5.0 * sin(angle))};
	}
}

// A circle of 3 m.
static void drawCircle(rpVec2* points)
{
	for (int i = 0; i < pathCount; ++i)
	{
		double angle = 2.0 * M_PI * i / (pathCount - 1);
		points[i] = (rpVec2){(float)(3.0 - 3.0 * cos(angle)), (float)(3.0 * sin(angle))};
	}
}

// Walks that turn by so many degrees a second.
static rpGraph* buildGraph(const float* turns, rpError* error)
{
	rpMotion* walks[walkCount] = {0};
	bool done = true;
	for (int i = 0; i < walkCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = 8.0;
		def.seed = (uint64_t)i + 1;
		def.parameters[rp_paramTurn] = turns[i] * (float)(M_PI / 180.0);
		walks[i] = rpPerform(&def, error);
		done = walks[i] != NULL;
	}
	rpGraphDef def = rpDefaultGraphDef();
	def.mirror = true;
	rpGraph* graph = done ? rpBuildGraphOf((const rpMotion* const*)walks, walkCount, &def, NULL, error) : NULL;
	for (int i = 0; i < walkCount; ++i)
		rpDestroyMotion(walks[i]);
	return graph;
}

static rpMotion* walkAlong(cliRun* run, const rpVec2* points, const float* turns)
{
	rpError error = {0};
	rpPathDef def = rpDefaultPathDef();
	rpGraph* graph = buildGraph(turns, &error);
	def.points = points;
	def.pointCount = pathCount;
	rpWalk* walk = graph != NULL ? rpGraph_FollowPath(graph, &def, NULL, &error) : NULL;
	rpMotion* motion = walk != NULL ? rpWalk_MakeMotion(walk, graph, 0.0, true, &error) : NULL;
	rpDestroyWalk(walk);
	rpDestroyGraph(graph);
	if (motion == NULL || !rpMotion_NotePath(motion, NULL, points, pathCount, &error))
	{
		cliFailWork(run, &error);
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

rpMotion* cliWalkAlongEight(cliRun* run)
{
	static const float turns[walkCount] = {0.0f, 15.0f, 30.0f, 50.0f, 75.0f};
	rpVec2 points[pathCount];
	drawEight(points);
	return walkAlong(run, points, turns);
}

rpMotion* cliWalkInCircle(cliRun* run)
{
	static const float straight[walkCount] = {0};
	rpVec2 points[pathCount];
	drawCircle(points);
	return walkAlong(run, points, straight);
}

// ---- a model of locomotion

enum
{
	playSeconds = 24,
};

// A take that shows all gaits, several speeds and turns, and the transitions between them; its mirror image has the
// other foot.
static rpLocomotion* buildLocomotion(rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.seconds = 0.0;
	def.seed = 3;
	def.labels = false;
	def.script =
		"stand 2; walk 5 1.2 0; walk 5 1.4 30; walk 5 1.1 -30; stand 2; walk 4 1.6 10; run 5 2.5 0; run 5 3 25;"
		"run 5 3.2 -25; walk 4 1.3 -10; stand 2; run 5 2.8 0; stand 2";
	rpMotion* take = rpPerform(&def, error);
	rpLocomotionDef locomotion = rpDefaultLocomotionDef();
	locomotion.mirror = true;
	const rpMotion* takes[] = {take};
	rpLocomotion* model = take != NULL ? rpBuildLocomotionOf(takes, 1, &locomotion, NULL, error) : NULL;
	rpDestroyMotion(take);
	return model;
}

// What the stick says at a time.
static rpPlayerInput getInput(double seconds)
{
	static const struct
	{
		double until;
		rpPlayerInput input;
	} orders[] = {
		{1.0, {.request = rp_gaitStand}},
		{5.0, {.request = rp_gaitWalk, .locomotion.speed = 1.3f}},
		{9.0, {.request = rp_gaitWalk, .locomotion.speed = 1.3f, .locomotion.turn = 0.5f}},
		{15.0, {.request = rp_gaitRun, .locomotion.speed = 2.8f, .locomotion.turn = -0.35f}},
		{20.0, {.request = rp_gaitWalk, .locomotion.speed = 1.2f}},
		{playSeconds + 1.0, {.request = rp_gaitStand}},
	};
	int i = 0;
	while (seconds >= orders[i].until)
		++i;
	return orders[i].input;
}

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	(void)context;
	(void)player;
	*out = getInput(time);
	return true;
}

rpMotion* cliPlayUnderStick(cliRun* run)
{
	rpError error = {0};
	rpLocomotion* model = buildLocomotion(&error);
	cliPlay play = {.def = rpDefaultPlayerDef()};
	rpRecordDef def = rpDefaultRecordDef();
	def.seconds = playSeconds;
	def.steer = steer;
	if (model == NULL ||
		(cliPlay_OpenLocomotion(run, &play, model) && !rpRecordPlayer(play.player, &def, &play.recording, &error)))
		cliFailWork(run, &error);
	rpMotion* motion = play.recording.motion;
	play.recording.motion = NULL;
	cliFreePlay(&play);
	rpDestroyLocomotion(model);
	return motion;
}
