/// What a player is asked for when: a table of times and directions.
#pragma once

#include "row_file.h"

typedef struct cliScript
{
	rpOrder* items;
	int count, capacity;
} cliScript;

/// The latest time of a line, seconds: as long as can be played (--seconds). And the largest turn or direction,
/// degrees.
#define CLI_LATEST_STEER 36000.0
#define CLI_MAX_DEGREES 3600.0

/// Read lines "time,direction" (degrees to the left of +z) or "time,x,y" (a stick: to the right and ahead; 0,0: stay);
/// times increase. The first line may name its columns, then they come in any order. Empty lines and comments (#) are
/// passed over. False: reported, nothing to free.
bool cliReadScript(cliRun* run, const char* path, cliScript* out);
void cliFreeScript(cliScript* script);

/// Add what a row says, which must come after what is there. False: reported.
bool cliScript_Add(cliScript* script, const cliRowFile* rows, const cliRow* row, rpOrder steer);

/// What holds at a time: the last line before it, or staying.
rpPlayerInput cliScript_Get(const cliScript* script, double time);

/// The same as an rpSteerFn, whose context is the script: it is never over.
bool cliSteerByScript(void* script, const rpPlayer* player, double time, rpPlayerInput* out);
