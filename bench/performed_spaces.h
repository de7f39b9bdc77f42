/// Parametric spaces of what the performer does: examples over the range of its parameters, and truth to ask for.
#pragma once

#include "reprise/reprise.h"

enum
{
	performed_maxAxes = 3,
};

/// A parameter of the act that the examples vary.
typedef struct PerformedAxis
{
	rpParameter parameter;

	/// Of the range that the performer promises, 0 to 1; how many values.
	float low, high;
	int count;
} PerformedAxis;

/// What of a performance is an example.
typedef enum PerformedCut
{
	performed_whole,

	/// Two steps from a heel strike of the left foot on.
	performed_stride,

	/// From the event "core_start" to "core_end".
	performed_core,
} PerformedCut;

/// A space that is built of performances.
typedef struct PerformedSpace
{
	const char* name;
	rpAct act;
	const char* features;
	PerformedAxis axes[performed_maxAxes];
	int axisCount;

	PerformedCut cut;
} PerformedSpace;

extern const PerformedSpace performedSpaces[];
extern const int performedSpaceCount;

/// Performances of a space, and the stretches of them that are examples, each registered with an earlier one.
typedef struct PerformedExamples
{
	rpMotion** motions;
	rpMatch* matches;
	int count;
} PerformedExamples;

/// False when one cannot be performed; free with performedFree in any case.
bool performedMake(const PerformedSpace* space, double fps, PerformedExamples* out, rpError* error);
/// One performance at random, and the stretch of it that an example would be.
rpMotion* performedDraw(const PerformedSpace* space, rpRandom* random, double fps, rpStretch* stretch);
void performedFree(PerformedExamples* examples);
