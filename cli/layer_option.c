#include "layer_option.h"

#include <string.h>

const rpLayerKind* cliGetLayer(cliRun* run, const char* text, rpLeanDef* lean)
{
	*lean = rpDefaultLeanDef();
	double gain = (double)lean->gain;
	const char* colon = strchr(text, ':');
	bool isLean = strncmp(text, "lean", colon != NULL ? (size_t)(colon - text) : strlen(text) + 1) == 0;
	if (!isLean || (colon != NULL && (colon - text != 4 || !cliParseNumber(colon + 1, &gain))))
	{
		cliFailUsage(run, "for example --layer lean or --layer lean:0.8",
					 "there is no layer \"%s\"; the one there is: lean", text);
		return NULL;
	}
	if (gain < 0.0 || gain > (double)RP_MAX_LEAN_GAIN)
	{
		cliFailUsage(run, "for example --layer lean:0.8", "lean needs a gain from 0 to %g, not %s",
					 (double)RP_MAX_LEAN_GAIN, colon + 1);
		return NULL;
	}
	lean->gain = (float)gain;
	return rpFindLayerKind("lean");
}
