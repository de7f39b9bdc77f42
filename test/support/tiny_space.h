/// A small parametric space: three strides of the performer by how far they turn, at few frames a second. Shared with
/// the seeds of the fuzzers, so it asserts nothing.
#pragma once

#include "reprise/reprise.h"

enum
{
	tinyStrides = 3,
};

/// Free with rpDestroySpace; NULL when memory ran out.
static rpSpace* tinyMakeSpace(void)
{
	static const char* const names[tinyStrides] = {"right", "ahead", "left"};
	rpMotion* walks[tinyStrides] = {0};
	rpMatch matches[tinyStrides] = {0};
	rpSpaceDef def = rpDefaultSpaceDef();
	bool done = true;
	for (int i = 0; i < tinyStrides && done; ++i)
	{
		rpPerformDef perform = rpDefaultPerformDef(rp_actWalk);
		perform.fps = 15.0;
		perform.seconds = 3.0;
		perform.parameters[rp_paramTurn] = 0.7f * (float)(i - 1);
		walks[i] = rpPerform(&perform, NULL);
		done = walks[i] != NULL && rpMotion_SetName(walks[i], names[i], NULL);
		matches[i] = (rpMatch){.stretch = {i, false, 0.9, 2.1}, .parent = i - 1};
	}
	def.features = "turn";
	def.maxSamples = 6;
	def.thin = false;
	rpSpace* space =
		done ? rpBuildSpace((const rpMotion* const*)walks, tinyStrides, matches, tinyStrides, &def, NULL, NULL, NULL)
			 : NULL;
	for (int i = 0; i < tinyStrides; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return space;
}
