/// Stretches without contacts. After Kwon & Shin 2005, section 4.3, such a stretch is a double support whose contacts
/// were missed unless the centre of mass has its peak nearer to the stretch's centre than its valley. Captured feet
/// slide, and contacts are lost in the middle of a single support too, where the peak of a walk is: so a flight must
/// also be one in which the body falls or both feet are off the floor; else the slower foot bears it.
#include "analysis/footstep_gap.h"
#include "reprise/play/body.h"

// The centre of mass of a body that flies falls with at least this much somewhere, m/s²; a walker's with less.
#define MIN_FALL (0.62 * RP_GRAVITY)
// With a foot that gets less far than this around the middle of the stretch, metres, it must fall freely, m/s²: feet
// fly as fast as the body, and one that stays on the spot rests on it, unless somebody hops there.
#define STILL_DISTANCE 0.04f
#define MIN_FREE_FALL (0.85 * RP_GRAVITY)
#define MIN_MEAN_FALL (0.45 * RP_GRAVITY)
// Or both feet are at least this high above their resting height, metres.
#define MIN_CLEARANCE 0.06f
// The fall is measured over this long before and after a moment, seconds.
#define FALL_HALF_WINDOW 0.045
// And looked for at moments this far apart, seconds.
#define FALL_STEP 0.01
// A body that falls with less than this is borne by something, m/s².
#define MAX_FALL (0.35 * RP_GRAVITY)
// One whose fall is less than this is pushed up, m/s².
#define MIN_PUSH (-0.2 * RP_GRAVITY)
// A lost support is looked for this far from the ends of a gap, and its own ends in these steps, seconds.
#define SHORTEST_SUPPORT 0.03
#define SUPPORT_STEP 0.005
// So is the travel of feet.
#define TRAVEL_HALF_WINDOW 0.05

// How far the nearest peak or valley is from a time, seconds.
static double getDistance(const rpCenterTrack* track, double time, bool isPeak)
{
	double min = INFINITY;
	for (int i = 0; i < track->turnCount; ++i)
	{
		min = track->turns[i].isPeak == isPeak ? fmin(min, fabs(track->turns[i].time - time)) : min;
	}
	return min;
}

// The height of the support of the contacts next to a stretch, metres.
static float getSupport(const rpMotion* motion, double start, double end)
{
	double before = INFINITY, after = INFINITY;
	float left = 0.0f, reached = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (!rpInterval_IsFootContact(contact))
		{
			continue;
		}
		double since = start - contact->end, until = contact->start - end;
		if (since > -1e-6 && since < before)
		{
			before = since;
			left = contact->supportHeight;
		}
		if (until > -1e-6 && until < after)
		{
			after = until;
			reached = contact->supportHeight;
		}
	}
	return isinf(before) ? reached : isinf(after) ? left : 0.5f * (left + reached);
}

static const rpEffector s_points[2][2] = {{rp_leftHeel, rp_leftBall}, {rp_rightHeel, rp_rightBall}};

// How high the lowest point of both feet is above its resting height, metres.
static float getClearance(const rpMotion* motion, int frame, float support)
{
	float lowest = INFINITY;
	for (int i = 0; i < 4; ++i)
	{
		rpVec3 place;
		if (rpMotion_GetEffector(motion, frame, s_points[i >> 1][i & 1], &place))
		{
			lowest = fminf(lowest, place.y - support - motion->skeleton->soleHeight);
		}
	}
	return lowest;
}

// Downward acceleration of the centre of mass around a time, m/s².
static double getFall(const rpCenterTrack* track, double time)
{
	double before = (double)rpCenterTrack_GetPlace(track, time - FALL_HALF_WINDOW).y;
	double at = (double)rpCenterTrack_GetPlace(track, time).y;
	double after = (double)rpCenterTrack_GetPlace(track, time + FALL_HALF_WINDOW).y;
	return (2.0 * at - before - after) / (FALL_HALF_WINDOW * FALL_HALF_WINDOW);
}

// The greatest of a stretch, and the mean.
static double getGreatestFall(const rpCenterTrack* track, double start, double end, double* mean)
{
	int count = (int)ceil((end - start) / FALL_STEP);
	double greatest = getFall(track, 0.5 * (start + end)), sum = 0.0;
	for (int i = 0; i <= count; ++i)
	{
		double fall = getFall(track, fmin(start + i * FALL_STEP, end));
		greatest = fmax(greatest, fall);
		sum += fall;
	}
	*mean = sum / (count + 1);
	return greatest;
}

// How far the slowest point of a foot gets around a frame, metres.
static float getTravel(const rpMotion* motion, int frame, int side)
{
	int halfWindow = (int)ceil(TRAVEL_HALF_WINDOW * motion->fps), last = motion->frameCount - 1;
	int before = frame > halfWindow ? frame - halfWindow : 0,
		after = frame + halfWindow < last ? frame + halfWindow : last;
	float min = INFINITY;
	for (int i = 0; i < 2; ++i)
	{
		rpVec3 a, b;
		if (rpMotion_GetEffector(motion, before, s_points[side][i], &a) &&
			rpMotion_GetEffector(motion, after, s_points[side][i], &b))
		{
			min = fminf(min, rpDistance(a, b));
		}
	}
	return min;
}

// Whether the body falls in a stretch as one that flies.
static bool isFlight(const rpMotion* motion, const rpCenterTrack* track, double start, double end, int frame)
{
	bool isStill = fminf(getTravel(motion, frame, 0), getTravel(motion, frame, 1)) < STILL_DISTANCE;
	double mean, greatest = getGreatestFall(track, start, end, &mean);
	return isStill ? greatest > MIN_FREE_FALL && mean > MIN_MEAN_FALL : greatest > MIN_FALL;
}

char rpNameFootstepGap(const rpMotion* motion, const rpCenterTrack* track, double start, double end)
{
	double center = 0.5 * (start + end);
	if (getDistance(track, center, true) >= getDistance(track, center, false))
	{
		return 'D';
	}
	int frame = rpMotion_GetFrame(motion, center);
	float clearance = getClearance(motion, frame, getSupport(motion, start, end));
	return clearance > MIN_CLEARANCE || isFlight(motion, track, start, end, frame) ? 'F' : 0;
}

bool rpIsFalling(const rpCenterTrack* track, double time)
{
	return getFall(track, time) > MIN_FALL;
}

static bool isBorne(const rpCenterTrack* track, double time)
{
	return getFall(track, time) < MAX_FALL;
}

// A stance that holds a valley of the centre of mass.
static bool findValley(const rpCenterTrack* track, double start, double end, rpCenterRest* out)
{
	for (int i = 0; i < track->turnCount; ++i)
	{
		double valley = track->turns[i].time;
		if (track->turns[i].isPeak || valley < start + SHORTEST_SUPPORT || valley > end - SHORTEST_SUPPORT)
		{
			continue;
		}
		*out = (rpCenterRest){valley, valley};
		while (out->start > start && isBorne(track, out->start))
		{
			out->start -= SUPPORT_STEP;
		}
		while (out->end < end && isBorne(track, out->end))
		{
			out->end += SUPPORT_STEP;
		}
		*out = (rpCenterRest){fmax(out->start, start), fmin(out->end, end)};
		return true;
	}
	return false;
}

// A stance in which the body is pushed up, between two moments in which it falls: someone who stops out of a run sinks
// from step to step, and the centre of mass has no valleys.
static bool findPush(const rpCenterTrack* track, double start, double end, rpCenterRest* out)
{
	bool fell = false;
	double since = NAN, min = INFINITY;
	for (int i = 0; start + i * SUPPORT_STEP < end; ++i)
	{
		double time = start + i * SUPPORT_STEP, fall = getFall(track, time);
		bool falls = fall > MAX_FALL;
		if (falls && !isnan(since) && min < MIN_PUSH && time - since > SHORTEST_SUPPORT)
		{
			*out = (rpCenterRest){since, time};
			return true;
		}
		fell = fell || falls;
		since = falls || !fell ? NAN : isnan(since) ? time : since;
		min = isnan(since) ? INFINITY : fmin(min, fall);
	}
	return false;
}

bool rpFindLostSupport(const rpCenterTrack* track, double start, double end, rpCenterRest* out)
{
	// Somebody who walks is borne all the time.
	double mean;
	return (findValley(track, start, end, out) || findPush(track, start, end, out)) &&
		   out->end - out->start < end - start && getGreatestFall(track, start, end, &mean) > MIN_FALL;
}

char rpGetBearingFoot(const rpMotion* motion, int frame)
{
	return getTravel(motion, frame, 0) <= getTravel(motion, frame, 1) ? 'L' : 'R';
}
