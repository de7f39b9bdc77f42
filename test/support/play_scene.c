#include "play_scene.h"

rpMotion* testPerformTurning(rpAct act, double seconds, float turnDegrees, uint64_t seed, const char* name)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	rpParameterRange range;
	def.fps = 60.0;
	def.seconds = seconds;
	def.seed = seed;
	if (rpAct_GetRange(act, rp_paramTurn, &range))
	{
		def.parameters[rp_paramTurn] = turnDegrees * (float)RP_DEGREE;
	}
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	assert_true(rpMotion_SetName(motion, name, NULL));
	return motion;
}

rpGraph* testMakeWalkGraph(double seconds, bool sneaks)
{
	rpMotion* motions[5] = {
		testPerformTurning(rp_actWalk, seconds, 0.0f, 1, "straight"),
		testPerformTurning(rp_actWalk, seconds, 45.0f, 2, "left"),
		testPerformTurning(rp_actWalk, seconds, -45.0f, 3, "right"),
	};
	int count = 3;
	if (sneaks)
	{
		motions[count++] = testPerformTurning(rp_actSneak, seconds, 0.0f, 4, "sneak");
		motions[count++] = testPerformTurning(rp_actSneak, seconds, 30.0f, 5, "sneak left");
	}
	rpError error = {0};
	rpGraphDef def = rpDefaultGraphDef();
	def.blend = 0.53;
	// One threshold for walking; from one label to another they are chosen.
	def.threshold = sneaks ? 0.0f : 0.1f;
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, count, &def, NULL, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	for (int i = 0; i < count; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	return graph;
}

rpBundle* testMakeWalkBundle(double seconds, void** bytes, size_t* size)
{
	rpGraph* graph = testMakeWalkGraph(seconds, false);
	rpError error = {0};
	*bytes = rpWriteGraphBundle(graph, size, &error);
	rpDestroyGraph(graph);
	rpBundle* bundle = *bytes != NULL ? rpCreateBundle(*bytes, *size, &error) : NULL;
	if (bundle == NULL)
	{
		fail_msg("%s", error.message);
	}
	return bundle;
}
