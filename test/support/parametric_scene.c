#include "parametric_scene.h"

rpParametricGraph* testMakeParametricGraph(const rpSpace* const* spaces, const char* const* names, int count)
{
	rpParametricNodeDef nodes[RP_MAX_PARAMETRIC_NODES];
	rpParametricDef def = rpDefaultParametricDef();
	rpError error = {0};
	for (int i = 0; i < count; ++i)
	{
		nodes[i] = (rpParametricNodeDef){names[i], spaces[i]};
	}
	def.nodes = nodes;
	def.nodeCount = count;
	def.sourceSamples = 16;
	def.targetSamples = 200;
	def.autoLimit = 1.0f;
	rpParametricGraph* graph = rpBuildParametricGraph(&def, NULL, NULL, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	return graph;
}

void* testMakeParametricBundle(const rpSpace* const* spaces, const char* const* names, int count, size_t* size)
{
	rpParametricGraph* graph = testMakeParametricGraph(spaces, names, count);
	void* bytes = rpWriteParametricBundle(graph, size, NULL);
	assert_non_null(bytes);
	rpDestroyParametricGraph(graph);
	return bytes;
}
