/// Layers as options name them: "lean" or "lean:GAIN".
#pragma once

#include "run.h"

/// Read one. Its definition stays valid for as long as *lean does. NULL: reported.
const rpLayerKind* cliGetLayer(cliRun* run, const char* text, rpLeanDef* lean);

/// The end of the help of an option --layer.
#define CLI_LAYER_ABOUT                                                                                             \
	"lean, the body leans into turns; lean:GAIN, by so much of the angle at which it would be in balance (0 to 2, " \
	"0.5 "                                                                                                          \
	"if not given). May be given several times."
