/// What a take does: written by hand (take_script.c) or as it comes to mind (take.c).
#pragma once

#include "performer/medley.h"

/// A script while it is written; how long it is and where it is by now, roughly.
typedef struct rpScript
{
	rpScene* scenes;
	int sceneCount, sceneCapacity;
	rpStretch* stretches;
	int stretchCount, stretchCapacity;
	float* leaps;
	int leapCapacity;
	double seconds;
	float x, z, heading;
} rpScript;

void rpScript_Free(rpScript* script);

/// Stand, walk or run, after what is there: joins the journey that it goes on with, or begins one. `leap` is the time
/// of the flight of a jump before it, or 0.
bool rpScript_AddStretch(rpScript* script, rpStretch stretch, float leap, rpError* error);

/// A style of walking from a stand to a stand.
bool rpScript_AddStyle(rpScript* script, rpAct act, rpStretch stretch, rpError* error);

/// An act of another kind, with the act that must follow it. parameters may be NULL: the normal ones.
bool rpScript_AddAct(rpScript* script, rpAct act, const float* parameters, double seconds, rpError* error);

/// Read a script, the lengths and speeds of which are for a body lengthScale times as tall. error names line and
/// column.
bool rpScript_Read(rpScript* script, const char* text, float lengthScale, rpError* error);
