/// Writing motions, for all commands that do.
#pragma once

#include "run.h"

/// How to save, from the options of CLI_SAVING_OPTIONS. False: reported.
bool cliGetSaving(cliRun* run, const char* path, rpSaveDef* out);

/// Save to a path, which must be none of the inputs. A JSON file beside it that belongs to something else is left
/// alone. False: reported.
bool cliSave(cliRun* run, const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def);

/// A motion that is saved while it is made. Free with cliFreeStream.
typedef struct cliStream
{
	const char* path;
	rpSaveDef def;
	char* parameters;
	rpMotionWriter* writer;
} cliStream;

/// Begin, once all inputs are known; the path must be none of them. False: reported; free it all the same.
bool cliStartStream(cliRun* run, const char* path, const rpSaveDef* def, cliStream* out);

/// An rpFrameFn; context is the stream. The file is begun with the first frame.
bool cliAddFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error);

/// All frames were added: motion is what they belong to. False: reported.
bool cliFinishStream(cliRun* run, cliStream* stream, const rpMotion* motion);
void cliFreeStream(cliStream* stream);

/// The rate of the result, from --fps; and its length, from --seconds, ten hours at most. *out is left as it is when
/// the option was not given. False: reported.
bool cliGetRate(cliRun* run, double* out);
bool cliGetDuration(cliRun* run, double* out);

/// The longest motion that is made, seconds.
#define CLI_MAX_SECONDS 36000.0

/// What was written, for the report: file, frames, fps, seconds.
json_t* cliMakeOutput(const char* path, const rpMotion* motion);

/// Print it for people.
void cliPrintOutput(cliRun* run, const char* path, const rpMotion* motion);

/// Write a text to a path, which must be none of the inputs. False: reported.
bool cliWriteText(cliRun* run, const char* path, const char* text);
