/// Examples for motion graphs: what the performer plays, and takes of captured people.
#pragma once

#include "reprise/reprise.h"

enum
{
	graphMaxExamples = 64,
};

typedef struct GraphExamples
{
	rpMotion* motions[graphMaxExamples];
	int count;
	/// At 30 Hz.
	int frameCount;
} GraphExamples;

/// 6,200 frames of walking, sneaking and martial arts. False if memory ran out.
bool benchPerformExamples(GraphExamples* out);

/// Captured walks of one person, sneaking and martial arts of others put onto that person's skeleton. False without
/// captured data.
bool benchCaptureExamples(GraphExamples* out);
void benchFreeExamples(GraphExamples* examples);
