/// What a character is asked for when: a table of times, gaits, speeds and turns.
#pragma once

#include "steering_script.h"

/// Read lines "time,gait,speed,turn": seconds, "stand", "walk" or "run", m/s (empty or 0: the usual), degrees per
/// second to the left. A first line may name the columns, in any order: time, gait, speed, turn, direction (degrees to
/// the left of +z, instead of a turn) and magnitude (0 to 1, instead of a speed). Times increase; empty lines and
/// comments (#) are passed over. False: reported, nothing to free. Free with cliFreeScript.
bool cliReadGaitScript(cliRun* run, const char* path, cliScript* out);
