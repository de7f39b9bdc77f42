/// Options that several commands have.
#pragma once

#include "command.h"

#define CLI_OUTPUT(help)            \
	{                               \
		"output", 'o', "FILE", help \
	}
#define CLI_FORCE                                                                 \
	{                                                                             \
		"force", 0, NULL, "Overwrite the output even if it is one of the inputs." \
	}

/// See saving.h.
#define CLI_SAVING_OPTIONS                                                                                          \
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},                         \
		{"rotations", 0, NULL,                                                                                      \
		 "CSV only: after the positions, the local rotation of each joint as a quaternion (qw, qx, qy, qz)."},      \
		{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},                                      \
		{"no-root", 0, NULL,                                                                                        \
		 "GLB only: no bone \"root\" on the floor that carries where the body goes; the hips carry it all."},       \
		{"loop", 0, "yes|no",                                                                                       \
		 "GLB only: whether the animations say that they repeat; if not given, those whose end joins their start "  \
		 "do."},                                                                                                    \
	{                                                                                                               \
		"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output." \
	}

/// See metric_option.h.
#define CLI_METRIC                                                                                                     \
	{                                                                                                                  \
		"metric", 0, "NAME",                                                                                           \
			"cloud: points of the body and where they go, after one clip is moved over the floor to where it fits "    \
			"best "                                                                                                    \
			"(the default). angle: angles and angular velocities of the joints, weighed as Lee has them; wang, even: " \
			"weighed otherwise. Or a metric that was fitted: NAME in the clips' library, or LIB.reprise#NAME."         \
	}

/// How to read a clip, for every command that reads files.
#define CLI_READING_OPTIONS                                                                                  \
	{"no-repair", 0, NULL, "Only report what the doctor finds; mend nothing but units and up axis."},        \
		{"scale", 0, "METRES",                                                                               \
		 "Metres in one unit of the file, or m, cm, mm, in or cmu, instead of the doctor's guess."},         \
		{"up", 0, "x|y|z", "The axis that points up in the file, instead of the doctor's guess."},           \
		{"keep-rest-row", 0, NULL, "Keep a first row that holds a rest pose as a frame of the motion."},     \
		{"keep-floor", 0, NULL, "Leave the floor as it is: neither level it nor put it at y = 0."},          \
		{"read-fps", 0, "F", "Frames per second of the file, whatever it says itself."},                     \
		{"add-offsets", 0, NULL,                                                                             \
		 "Add position channels below the root to the joint's OFFSET instead of replacing it."},             \
		{"asf", 0, "FILE", "The skeleton (.asf) of an AMC file, where it is not beside it."},                \
		{"role", 0, "ROLE=JOINT",                                                                            \
		 "Correct a guessed role, for example left_knee=LeftLeg. May be given several times."},              \
	{                                                                                                        \
		"ignore-sidecar", 0, NULL, "Do not look for the JSON file with labels and contacts beside the clip." \
	}

extern const cliOption cliReadingOptions[];

/// Where --fps is the rate of the result.
extern const cliOption cliSourceOptions[];
