/// A small parametric graph: three strides of the performer that follow each other. Shared with the seeds of the fuzzers,
/// so it asserts nothing.
#pragma once

#include "tiny_space.h"

/// Of a space that is to outlive the call. Free with rpDestroyParametricGraph; NULL when memory ran out.
static rpParametricGraph* tinyMakeParametric(const rpSpace* space)
{
	rpParametricNodeDef node = {"stride", space};
	rpParametricDef def = rpDefaultParametricDef();
	def.nodes = &node;
	def.nodeCount = 1;
	def.sourceSamples = 4;
	def.targetSamples = 12;
	def.autoLimit = 1.0f;
	return rpBuildParametricGraph(&def, NULL, NULL, NULL);
}
