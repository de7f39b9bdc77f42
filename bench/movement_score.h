/// Movements that were found in a performance against what the performer knows of it.
#pragma once

#include "reprise/reprise.h"

/// Counts over one performance or several. Zero-initialised is empty.
typedef struct MovementScore
{
	/// Known movements of Table 1, and those of which the string was found.
	int known, right;

	/// Their boundaries at peaks of the centre of mass and at the ends of stands, and how many are within 1/60 s.
	int peaks, nearPeaks;
	int standEnds, nearStandEnds;

	/// Movements found, and those that are not there.
	int found, invented;

	/// Seconds between boundaries, and in movements.
	double seconds, validSeconds;
} MovementScore;

/// Perform a take with labels, find its movements from the frames alone, and add to the score. script is NULL for what
/// comes to the performer's mind. False after saying what went wrong on stderr.
bool benchScoreMovements(MovementScore* score, uint64_t seed, double fps, double seconds, const char* script);
