/// Stretches of time in which a point of a foot bears: the stages of stances.
#pragma once

#include "analysis/foot_track.h"

/// One of them.
typedef struct rpRestStretch
{
	/// Index of the point's track, see rpFeet, and of the stance that it is a stage of.
	int point;
	int stance;

	/// Frames, both included, in which it bears, and those from the first to the last in which that is beyond doubt.
	int first, last;
	int coreFirst, coreLast;

	/// Median height in the core, metres.
	float height;

	/// How far it moves while it bears, metres: captured feet slide and sink a little.
	float wobble;

	/// When the contact begins and ends, seconds.
	double start, end;

	/// Whether the foot rolls about its other point, since rollStart, when this one touches.
	bool rolls;
	double rollStart;
} rpRestStretch;

/// Those of one stance are neighbours, in order of point and time.
typedef struct rpRestStretches
{
	rpRestStretch* items;
	int count, capacity;
} rpRestStretches;
