/// Shapes in which a point comes to rest and leaves again, fitted to frames by least squares.
#pragma once

#include "reprise/play/math.h"

#include <stdbool.h>

/// Coordinates that are fitted apart, but with the same times: a heel may hover over its place before it strikes.
typedef enum rpTouchGroup
{
	rp_touchUp,
	rp_touchAlong,
	rp_touchGroupCount,
} rpTouchGroup;

/// Frames first … last, and what is known about both ends.
typedef struct rpTouchFit
{
	const rpVec3* places;
	rpVec3 origin;
	double fps;
	int first, last;
	bool hasStart, hasEnd;

	/// How long before the touch the point slows down, and how long after leaving it gathers speed, seconds: up and
	/// down, and along the floor.
	double startSoftness[rp_touchGroupCount], endSoftness[rp_touchGroupCount];

	/// Whether the foot rolls, since when, seconds, and whether the heights then follow the minimum-jerk path. Along
	/// the floor nothing is asked of a foot that rolls: where it was before is no matter.
	bool rolls;
	double rollStart;
	bool minJerk;
} rpTouchFit;

/// When the contact begins and ends, seconds.
typedef struct rpTouches
{
	double start, end;
} rpTouches;

enum
{
	rp_touchTimeCount = 61,
};

/// Times tried for one end, ascending; those of from … to - 1 are looked at.
typedef struct rpTouchTimes
{
	double times[rp_touchTimeCount];
	int from, to;
} rpTouchTimes;

/// How much of the frames a fit explains: the sum of squares of a group's coordinates that it takes away.
double rpTouchFit_Judge(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at);

/// What a group's fit is without the end that is looked for: of a rest, and the other end's shape.
typedef struct rpTouchOthers
{
	double count;

	/// Mean of the other end's shape, and its length beside that mean; 0 if there is none.
	double mean, length;

	/// Means of the coordinates, what they have in common with the other shape, and what both explain.
	double place[2], common[2];
	double explained;
} rpTouchOthers;

rpTouchOthers rpTouchFit_LookAtOthers(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at, bool isStart);

/// rpTouchFit_Judge for many times of one end, which has one softness in both groups; others is [rp_touchGroupCount].
/// up and along are [rp_touchTimeCount].
void rpTouchFit_JudgeTimes(const rpTouchFit* fit, const rpTouchOthers* others, bool isStart, const rpTouchTimes* times,
						   double* up, double* along);

/// The squares that a fit leaves of the frames outside the contact; *count grows by the numbers looked at.
double rpTouchFit_Miss(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at, int* count);
