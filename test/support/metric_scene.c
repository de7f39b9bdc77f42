#include "metric_scene.h"

#include <stdio.h>

/// A performance: its act, speed (0: usual) and turn, radians per second.
typedef struct TakeDef
{
	rpAct act;
	float speed, turn;
} TakeDef;

// As many segments as in the thesis: walking, running, jogging, dancing, gesturing.
static const TakeDef s_takes[testTakeCount] = {
	{rp_actWalk, 0.0f, 0.0f},  {rp_actWalk, 1.0f, 0.0f},  {rp_actWalk, 1.7f, 0.0f},    {rp_actWalk, 0.0f, 0.43f},
	{rp_actWalk, 1.5f, 0.0f},  {rp_actRun, 0.0f, 0.0f},   {rp_actRun, 4.2f, 0.0f},     {rp_actRun, 0.0f, -0.35f},
	{rp_actRun, 3.2f, 0.0f},   {rp_actJog, 0.0f, 0.0f},   {rp_actJog, 0.0f, 0.26f},    {rp_actJog, 2.2f, 0.0f},
	{rp_actDance, 0.0f, 0.0f}, {rp_actDance, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f}, {rp_actGesture, 0.0f, 0.0f},
};

static const TakeDef s_unseen[testStrangerCount] = {
	{rp_actWalk, 0.0f, 0.0f}, {rp_actWalk, 1.1f, 0.0f}, {rp_actWalk, 1.8f, 0.0f}, {rp_actRun, 0.0f, 0.0f},
	{rp_actRun, 4.0f, 0.0f},  {rp_actJog, 0.0f, 0.0f},  {rp_actJog, 0.0f, 0.35f}, {rp_actWalk, 0.0f, -0.3f},
};

static rpMotion* s_motions[testTakeCount];
static rpMotion* s_strangers[testStrangerCount];

static rpMotion* perform(const TakeDef* take, int number, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(take->act);
	char name[32];
	def.fps = 60.0;
	def.seconds = seconds;
	def.seed = (uint64_t)number;
	def.parameters[rp_paramSpeed] = take->speed > 0.0f ? take->speed : def.parameters[rp_paramSpeed];
	def.parameters[rp_paramTurn] = take->turn;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	snprintf(name, sizeof(name), "%s-%d", rpAct_GetName(take->act), number);
	assert_true(rpMotion_SetName(motion, name, NULL));
	return motion;
}

int testSetUpMetricScene(void** state)
{
	(void)state;
	for (int i = 0; i < testTakeCount; ++i)
	{
		s_motions[i] = perform(&s_takes[i], i + 1, 8.0);
	}
	for (int i = 0; i < testStrangerCount; ++i)
	{
		s_strangers[i] = perform(&s_unseen[i], 1001 + i, 6.0);
	}
	return 0;
}

int testTearDownMetricScene(void** state)
{
	(void)state;
	for (int i = 0; i < testTakeCount; ++i)
	{
		rpDestroyMotion(s_motions[i]);
	}
	for (int i = 0; i < testStrangerCount; ++i)
	{
		rpDestroyMotion(s_strangers[i]);
	}
	return 0;
}

const rpMotion* const* testGetTakes(void)
{
	return (const rpMotion* const*)s_motions;
}

rpAct testGetTakenAct(int take)
{
	return s_takes[take].act;
}

const rpMotion* const* testGetStrangers(void)
{
	return (const rpMotion* const*)s_strangers;
}

rpJoinExamples testGenerateJoins(int good, int bad, uint64_t seed)
{
	rpJoinExampleDef def = rpDefaultJoinExampleDef();
	rpJoinExamples examples;
	rpError error = {0};
	def.goodCount = good;
	def.badCount = bad;
	def.seed = seed;
	if (!rpJoinExamples_Generate(&examples, testGetTakes(), testTakeCount, &def, &error))
	{
		fail_msg("%s", error.message);
	}
	return examples;
}

rpMetricFit testFitTo(const rpJoinExamples* examples, const rpFitDef* def)
{
	rpMetricFit fit;
	rpError error = {0};
	if (!rpFitMetric(testGetTakes(), examples, def, &fit, &error))
	{
		fail_msg("%s", error.message);
	}
	return fit;
}
