/// What graph walk, path and go share: the options of a walk, and the walk written as a motion.
#pragma once

#include "saving.h"
#include "walk_picture.h"

/// A walk on a graph, and the motion that it becomes.
typedef struct cliWalkOutput
{
	const char* output;
	rpSaveDef saving;
	double fps;
	rpGraph* graph;
	rpWalk* walk;
	rpMotion* motion;
	/// What the walk's search found; added to the report.
	json_t* facts;
	/// What was asked for: the motion's name, and what pictures show of it.
	char* title;
	cliAsked asked;
	cliStream stream;
} cliWalkOutput;

/// Read the options of the output, and load the graph. cliEndWalk frees everything, also after a failure. False:
/// reported.
bool cliBeginWalk(cliRun* run, cliWalkOutput* work);
void cliEndWalk(cliWalkOutput* work);

/// The walk as a motion, written as it is made, drawn if wanted, and reported. False: reported.
bool cliFinishWalk(cliRun* run, cliWalkOutput* work);

/// --seed; and --effort, --choices and --seed as a search. False: reported.
bool cliGetSeed(cliRun* run, uint64_t* seed);
bool cliGetSearch(cliRun* run, rpSearchDef* search);

/// Three numbers with commas between them.
bool cliParseTriple(const char* text, double out[3]);

/// An option with a place on the floor and a heading: metres, degrees. Not needed: *out stays as it is where there is
/// none. False: reported.
bool cliGetPlace(cliRun* run, const char* option, bool isNeeded, rpGroundTransform* out);
