/// What a player is asked for when: a table of times, directions, gaits, nodes, parameters, targets and layers.
#pragma once

#include "row_file.h"

/// What the cells of a line are where no first line names them.
typedef enum cliScriptForm
{
	/// "time,direction" or "time,x,y".
	cli_scriptOfDirections,

	/// "time,gait,speed,turn", of which the last two may be missing.
	cli_scriptOfGaits,
} cliScriptForm;

/// Zero-initialised is empty. Free with cliFreeScript.
typedef struct cliScript
{
	rpOrder* items;
	int count, capacity;

	/// The player that is steered, and which of its layers are switched.
	rpPlayer* player;
	int layers[cli_maxCells];
	int layerCount;

	/// What each line switches them to, [count][layerCount]; below 0: they stay as they are.
	float* weights;

	/// How many lines have come, and what they switched the layers to.
	int next;
	float switched[cli_maxCells];
} cliScript;

/// The latest time of a line, seconds: as long as can be played (--seconds). And the largest turn or direction,
/// degrees.
#define CLI_LATEST_STEER 36000.0
#define CLI_MAX_DEGREES 3600.0

/// Read what a player is to be asked for. A first line may name the columns, in any order:
///
/// - time: seconds; they increase. Each line needs one; other cells may be empty or missing at the end: nothing asked.
/// - direction: degrees to the left of +z; and magnitude, 0 to 1, how far the stick is pushed there, 1 if not given.
/// - x and y instead: a stick, to the right (-x) and ahead (+z); shorter than 0.1: stay.
/// - gait: a name of rpPlayer_GetRequest; speed: m/s, 0 the usual; turn: degrees per second to the left. Of players
/// that
///   have requests.
/// - of a space instead of all these its parameters, by key or name: degrees, metres, seconds; not given, the middle of
///   the range. Without a first line they come in their order behind the time.
/// - of a parametric graph node: a name of rpPlayer_GetRequest; parameters by key or name, which are asked of the node
///   of the same line; target_x, target_y and target_z: a place in the world, metres; besides direction, or x and y.
/// - for each layer of the player one with its name: its weight, 0 to 1; an empty cell leaves it as it is.
///
/// Empty lines and comments (#) are passed over. False: reported, nothing to free.
///
/// Numbers become floats in one way, so that who computes the same asks for the same, to the bit: a number n of the
/// text is the double nearest to it, x is 0 - (float)n, y is (float)n + 0 (no zero is negative), speeds, weights
/// and parameters are (float)n, a turn and a parameter that is an angle (float)(n * RP_DEGREE). In JavaScript: 0 -
/// Math.fround(n), Math.fround(n) + 0, Math.fround(n), Math.fround(n * (Math.PI / 180)).
bool cliReadScript(cliRun* run, const char* path, rpPlayer* player, cliScriptForm form, cliScript* out);
void cliFreeScript(cliScript* script);

/// An rpSteerFn, whose context is the script; times do not decrease. A line holds from the first tick on that is not
/// before its time. Layers are switched over CLI_SWITCH_SECONDS, before the first tick at once. It is never over.
bool cliSteerByScript(void* script, const rpPlayer* player, double time, rpPlayerInput* out);

#define CLI_SWITCH_SECONDS 0.3
