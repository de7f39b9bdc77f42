/// Takes of one session: captured in one place, on one floor, by one machine. What a take alone does not show about its
/// floor and its frame rate, the others may.
#pragma once

#include "doctor/floor.h"

/// What a take shows, and what the session decides about it. Zero-initialised says nothing and is left alone; free with
/// rpTake_Free.
typedef struct rpTake
{
	/// Whether its floor, and its rate, may be decided by the session.
	bool isFloorOpen, isRateOpen;

	rpFloorPlaces places;

	/// Frames per second as the file says, and as the take alone shows.
	double fileFps, ownFps;

	/// With what bodies fall in its flights at the file's rate, m/s², the median; 0 where there is no flight.
	double gravity;
} rpTake;

/// What is decided about a take.
typedef struct rpTreatment
{
	rpFloor floor;

	/// Frames per second; 0 where the rate is not open.
	double fps;
} rpTreatment;

void rpTake_Free(rpTake* take);

/// Take the frames of a motion as of another rate; times of its annotations go with the frames.
void rpSetRate(rpMotion* motion, double fps);

/// All times of annotations, multiplied.
void rpScaleTimes(rpAnnotations* annotations, double factor);

/// Decide about the takes of a session together: one tilt for all open floors, one height for those that hardly differ,
/// and a rate that some takes give away for all of that file rate that do not speak against it. out is [count]. The
/// order of the takes changes no more than the last digits. False when memory ran out.
RP_NODISCARD bool rpDecideSession(const rpTake* takes, int count, rpTreatment* out, rpError* error);
