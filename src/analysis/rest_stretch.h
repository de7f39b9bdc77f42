/// Stretches of time in which a point of a foot rests.
#pragma once

#include "analysis/foot_track.h"

/// One of them: a contact, if something is under it.
typedef struct rpRestStretch
{
	/// Index of the point, see rpFeet.
	int point;

	/// Frames, both included, in which it is slow beyond doubt, and in which it may be said to rest.
	int coreFirst, coreLast;
	int first, last;

	/// Median height in the core, metres.
	float height;

	/// How far it moves while it rests, metres: captured feet slide and sink a little.
	float wobble;

	/// When the contact begins and ends, seconds.
	double start, end;

	/// Whether the foot rolls about its other point, since rollStart, when this one touches.
	bool rolls;
	double rollStart;

	/// Whether something is under it.
	bool supported;
} rpRestStretch;

typedef struct rpRestStretches
{
	rpRestStretch* items;
	int count, capacity;
} rpRestStretches;

/// The limits in use, of rpContactDef.
typedef struct rpRestLimits
{
	/// m/s and metres to enter; 0: adapted to the movement around.
	float speed, height;
	double shortest;
} rpRestLimits;

/// Find the stretches of all points, in order of point and time.
RP_NODISCARD bool rpFindRests(const rpFeet* feet, const rpRestLimits* limits, rpRestStretches* out, rpError* error);

/// The speed below which a point rests beyond doubt at a frame.
float rpGetRestSpeed(const rpFeet* feet, const rpRestLimits* limits, int point, int frame);

/// And how high above its support.
float rpGetRestHeight(const rpFeet* feet, const rpRestLimits* limits, int frame);
