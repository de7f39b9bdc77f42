/// The table of commands: what help, man pages, shell completion and docs/commands.md say, in their order. Each command
/// is described beside the code that runs it.
#include "command_options.h"

#include <stddef.h>

const cliOption cliCommonOptions[] = {
	{"json", 0, NULL, "Report on standard output as JSON, failures too."},
	{"quiet", 'q', NULL, "No warnings, no progress bar, no remarks; results and failures are still reported."},
	{"help", 'h', NULL, "Show how the command is used."},
	{"version", 0, NULL, "Show the version of Reprise."},
	{0},
};

const cliOption cliReadingOptions[] = {
	CLI_READING_OPTIONS,
	{"fps", 0, "F", "The same as --read-fps."},
	{0},
};

const cliOption cliSourceOptions[] = {CLI_READING_OPTIONS, {0}};

#define X(command) &cli##command##Command,
const cliCommand* const cliCommands[] = {CLI_COMMANDS(X) NULL};
#undef X

const cliTopic cliTopics[] = {
	{"clips", "How clips and parts of them are named",
	 "A clip is a file (BVH, or AMC with its ASF), or a clip of a library by name or number:\n"
	 "\n"
	 "  walk.bvh\n"
	 "  moves.reprise#walk-1\n"
	 "  moves.reprise#3\n"
	 "\n"
	 "A moment or a stretch of it follows after @, in seconds, or in frames counted from 0. Both ends belong to it:\n"
	 "\n"
	 "  walk.bvh@1.5           the moment 1.5 s\n"
	 "  walk.bvh@1.5..3        from 1.5 s to 3 s\n"
	 "  walk.bvh@1.5..         from 1.5 s to the end\n"
	 "  walk.bvh@..3           the first 3 s\n"
	 "  walk.bvh@30f..90f      frames 30 to 90\n"
	 "\n"
	 "A file that really has such a name wins: if a file walk@2.bvh exists, walk@2.bvh is that file. Numbers are "
	 "metres, "
	 "seconds and degrees. Arguments that begin with a dash go after --."},
	{"features", "What can be a parameter of a space",
	 "A feature is a number measured on the frames of a stretch of motion. Several, separated by commas, are the "
	 "parameters of a space:\n"
	 "\n"
	 "  KIND               a number of the whole stretch: turn, facing, speed, travel,\n"
	 "                     support_height, support_length, seat_height, jump_length,\n"
	 "                     jump_turn, flight, duration\n"
	 "  ROLE@MOMENT        the place of a joint, three numbers; ROLE.x@MOMENT is one\n"
	 "                     of them: right_wrist@hit, head.y@lowest\n"
	 "  ROLE.KIND@MOMENT   reach or speed of a joint: right_wrist.speed@fastest\n"
	 "  A-B, A+B           sums of the same unit: right_wrist.y@hit-right_shoulder.y@hit\n"
	 "\n"
	 "Places are seen from where the root is when the stretch begins, by the way it then faces: x to the left, z "
	 "ahead; y "
	 "is the height above the floor. Moments are events of the motion (the performer's punches have hit, captures have "
	 "none), or start, middle, end, and by the joint's place highest, lowest, ahead, back, left, right, farthest, "
	 "fastest.\n"
	 "\n"
	 "reprise space info ranks features by how much of the examples' differences each explains."},
	{"codes", "What the exit codes mean",
	 "  0    done\n"
	 "  1    failed: the disk is full, there is no memory, somebody else holds the library\n"
	 "  2    wrong usage of the program\n"
	 "  3    bad input: a file is missing or malformed, a clip or model is not there\n"
	 "  4    the request is well formed, but nothing satisfies it: no motion of a\n"
	 "       graph has the label, no walk leads there\n"
	 "  5    a limit was exceeded\n"
	 "  130  interrupted; nothing is left half written\n"
	 "\n"
	 "Failures are reported on standard error as \"reprise: FILE:LINE:COLUMN: what is wrong\", with a hint what to do; "
	 "with "
	 "--json on standard output as {\"error\": {code, exit, file, line, column, message, hint}}."},
	{0},
};
