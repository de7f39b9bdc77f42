/// A parametric space of a library, as the space commands name it.
#pragma once

#include "run.h"

#define CLI_SPACE_NAME                                                                 \
	{                                                                                  \
		"name", 0, "NAME", "Name of the space in the library; \"space\" if not given." \
	}

/// The name after --name, "space" if not given.
const char* cliGetSpaceName(const cliRun* run);

/// The name of the act where the first argument is a space by formula, "performer:punch"; NULL: it is a library.
const char* cliGetPerformedAct(const cliRun* run);

/// The space of an act. False: reported, with what acts there are.
bool cliFindPerformedSpace(cliRun* run, const char* name, rpPerformedSpace* out);

/// Load the space of the library that is the first argument. NULL: reported, with what spaces there are.
rpSpace* cliLoadSpace(cliRun* run);

/// A value of a parameter as people read it: degrees for angles; its unit ("m", "s", "m/s", "deg") follows from its
/// key.
double cliShowValue(const rpSpaceParameter* parameter, float value);
const char* cliGetValueUnit(const rpSpaceParameter* parameter);

/// Values by the keys of their parameters, as people read them.
json_t* cliMakeValues(const rpSpace* space, const float* values);

/// "turn 30.0 deg, speed 1.20 m/s"; free() it.
char* cliFormatValues(const rpSpace* space, const float* values);

/// The key for JSON with the unit that people read: "turn_deg" of "turn_rad"; free() it.
char* cliGetValueKey(const rpSpaceParameter* parameter);

/// Name of the clip of an example, with "~" behind that of a mirror image; free() it.
char* cliNameExample(const rpSpace* space, int example);
