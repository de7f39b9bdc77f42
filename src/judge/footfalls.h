/// The stances of both feet as the judge sees them, by the path of the balls alone. The definitions are those of
/// ../shared/judge (README.md), so that two judges can be held against each other; none is shared with what finds or
/// locks contacts.
#pragma once

#include "judge/film.h"

/// One stance of a foot: frames first … end-1 of the film.
typedef struct rpFootfall
{
	/// 0 left, 1 right.
	int side;
	int first, end;

	/// Whether the film shows it begin and end.
	bool hasOnset, hasEnd;

	/// Speed of the pelvis over the floor from its first frame to its last, m/s.
	double pace;

	/// Where the ball is, the median of its places.
	rpVec3 place;
} rpFootfall;

/// Frames at both ends of a stance whose speeds and places do not count: the foot is still arriving.
#define RP_FOOTFALL_EDGE 2

/// All stances of a film. Zero-initialised is empty.
typedef struct rpFootfalls
{
	/// [count], by first frame.
	rpFootfall* falls;
	int count, capacity;

	/// [touchCount], by first frame: rests too short to be measured, as of somebody who runs fast; side, frames and
	/// whether they begin and end in the film, nothing else.
	rpFootfall* touches;
	int touchCount, touchCapacity;

	/// [frameCount] of either foot: speed of the ball over the floor in m/s, its height above its running floor, and
	/// the height of the lowest of ankle, ball and toe above y = 0, metres.
	float *speeds[2], *heights[2], *lows[2];

	/// [frameCount] of either foot: whether it is in a stance.
	bool* isDown[2];
	float* memory;
} rpFootfalls;

/// By first frame, the left foot before the right one; for qsort.
int rpFootfall_Compare(const void* a, const void* b);

/// Find them; a body without legs has none. rpFootfalls_Free frees them, after failure too. False: memory ran out.
bool rpFootfalls_Find(rpFootfalls* falls, const rpFilm* film, rpError* error);
void rpFootfalls_Free(rpFootfalls* falls);
