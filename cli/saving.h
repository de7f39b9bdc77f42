/// Writing motions, for all commands that do.
#pragma once

#include "run.h"

/// How to save, from the options of CLI_SAVING_OPTIONS. False: reported.
bool cliGetSaving(cliRun* run, const char* path, rpSaveDef* out);

/// Save to a path, which must be none of the inputs. A JSON file beside it that belongs to something else is left
/// alone. False: reported.
bool cliSave(cliRun* run, const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def);

/// What was written, for the report: file, frames, fps, seconds.
json_t* cliMakeOutput(const char* path, const rpMotion* motion);

/// Print it for people.
void cliPrintOutput(cliRun* run, const char* path, const rpMotion* motion);

/// Write a text to a path, which must be none of the inputs. False: reported.
bool cliWriteText(cliRun* run, const char* path, const char* text);
