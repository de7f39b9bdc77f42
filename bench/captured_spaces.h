/// Parametric spaces of captured people.
#pragma once

#include "capture_takes.h"

/// How the examples of a space are found in takes.
typedef enum CapturedCut
{
	/// From where a foot comes down to where it comes down again, walking.
	captured_leftStride,
	captured_rightStride,

	/// Around the longest flight.
	captured_jump,

	/// What does the same as a query.
	captured_search,
} CapturedCut;

typedef struct CapturedSpace
{
	const char* name;
	int subject;
	const char* features;
	CapturedCut cut;

	/// Takes whose labels have this word; NULL: all of the subject.
	const char* label;

	/// Searches only: the takes, "13_17;13_18", the query's first, and seconds in that; whether mirror images count,
	/// and how far matches may be from each other (rpMatchDef.threshold).
	const char* takes;
	double start, end;
	bool mirror;
	float threshold;
} CapturedSpace;

extern const CapturedSpace capturedSpaces[];
extern const int capturedSpaceCount;

/// Takes of a space, and the stretches of them that are examples.
typedef struct CapturedExamples
{
	rpMotion** takes;
	int takeCount;
	rpMatch* matches;
	int matchCount;
} CapturedExamples;

/// False when nothing was found; free with capturedFree in any case.
bool capturedFind(const CapturedSpace* space, const char* folder, CapturedExamples* out);
void capturedFree(CapturedExamples* examples);
