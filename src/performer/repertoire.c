/// The repertoire: every act but chains several times, with other parameters and in other manners.
#include "performer/stage.h"

#include <stdio.h>

// How often an act of each kind is performed.
static const int s_variants[rp_actKindCount] = {
	[rp_kindLocomotion] = 5, [rp_kindTransition] = 4, [rp_kindStyle] = 3, [rp_kindAction] = 4,
	[rp_kindJump] = 4,       [rp_kindTake] = 1,       [rp_kindChain] = 0,
};

// Spread the variants over a parameter's range: the first has the normal value, the others go up and down by turns.
// A choice between 0 and 1 alternates.
static float chooseValue(rpParameterRange range, bool choice, int variant, uint64_t seed, int parameter)
{
	if (choice)
	{
		return (variant & 1) == 0 ? range.low : range.high;
	}
	if (variant == 0)
	{
		return range.normal;
	}
	int distance = (variant + 1) / 2;
	float part = 0.45f * (float)distance + 0.04f * rpChance(seed, 90 + parameter, variant);
	float to = (variant + parameter) & 1 ? range.high : range.low;
	return range.normal + fminf(part, 0.95f) * (to - range.normal);
}

bool rpGetRepertoire(uint64_t seed, int i, rpRepertoireEntry* out)
{
	for (int act = 0; act < rp_actCount && i >= 0; ++act)
	{
		int count = s_variants[rpAct_GetKind((rpAct)act)];
		if (i >= count)
		{
			i -= count;
			continue;
		}
		*out = (rpRepertoireEntry){.def = rpDefaultPerformDef((rpAct)act)};
		snprintf(out->name, sizeof(out->name), "%s-%d", rpAct_GetName((rpAct)act), i + 1);
		out->def.seed = seed == 0 ? 0 : seed * 1000003u + (uint64_t)(act * 16 + i);
		for (int k = 0; k < rp_parameterCount; ++k)
		{
			rpParameterRange range;
			if (rpAct_GetRange((rpAct)act, (rpParameter)k, &range))
			{
				out->def.parameters[k] = chooseValue(range, k == rp_paramFoot || k == rp_paramHand, i, seed, k);
			}
		}
		return true;
	}
	return false;
}
