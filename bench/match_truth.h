/// What a performed take holds of an act, from its labels and events: what searches are measured against.
#pragma once

#include "reprise/reprise.h"

/// A stretch of a take in which an act is done.
typedef struct TruthStretch
{
	int take;
	double start, end;

	/// With the right hand or foot; walk strides: from right heel strike to right heel strike.
	bool isRight;

	/// It may be found and need not be: a stride that leads from one gait to another.
	bool isOptional;
} TruthStretch;

/// Owned by the caller; zero-initialised is empty. Free items with free().
typedef struct TruthList
{
	TruthStretch* items;
	int count, capacity;
} TruthList;

/// Add those of a take: of "walk" its strides, of other acts each time that it is done. False when memory ran out.
bool truthAdd(TruthList* list, const rpMotion* motion, int take, const char* act);

/// How matches compare with the truth of one side.
typedef struct TruthScore
{
	/// Stretches that are there, and those that were found; matches, and those that are right.
	int known, found, matches, right;
} TruthScore;

/// Count, passing over the query itself: a stretch is found if a match overlaps it by half of their union.
TruthScore truthScore(const TruthList* truth, bool isRight, const rpMatches* matches, const int* takes);
