/// The track of the centre of mass: turning points of its height and stretches in which it rests (Kwon & Shin 2005,
/// section 4.2). The height passes a zero-phase low-pass; a turning point counts if it stands out, and its time is that
/// of a parabola through the frames around, so that takes at different rates agree.
#include "analysis/center_track.h"

#include "base/memory.h"
#include "reprise/play/body.h"

// Deviation of the low-pass's bell, seconds: it halves what swings 9 times a second.
#define SMOOTHING 0.02
// Half of the stretch to which the parabola is fitted, seconds.
#define PARABOLA 0.042
// Speeds are differences over twice this, seconds.
#define SPEED_HALF_WINDOW 0.0333
// Stillness is summed up in steps of about this, seconds.
#define STILLNESS_STEP 0.01

rpMovementDef rpDefaultMovementDef(void)
{
	return (rpMovementDef){.prominence = 0.003f, .standSpeed = 0.15f, .standSeconds = 0.2};
}

rpVec3 rpCenterTrack_GetPlace(const rpCenterTrack* track, double seconds)
{
	double at = fmin(fmax(seconds * track->fps, 0.0), track->frameCount - 1.0);
	int i = (int)fmin(at, track->frameCount - 2.0), last = track->frameCount - 1;
	if (last < 1)
	{
		return track->places[0];
	}
	rpVec3 b = track->places[i], c = track->places[i + 1];
	rpVec3 a = i > 0 ? track->places[i - 1] : rpSub(rpScale(2.0f, b), c);
	rpVec3 d = i + 2 <= last ? track->places[i + 2] : rpSub(rpScale(2.0f, c), b);
	float t = (float)(at - i), t2 = t * t, t3 = t2 * t;
	rpVec3 sum = rpScale(-0.5f * t3 + t2 - 0.5f * t, a);
	sum = rpMulAdd(sum, 1.5f * t3 - 2.5f * t2 + 1.0f, b);
	sum = rpMulAdd(sum, -1.5f * t3 + 2.0f * t2 + 0.5f * t, c);
	return rpMulAdd(sum, 0.5f * t3 - 0.5f * t2, d);
}

// ---- heights

static void smoothHeights(rpCenterTrack* track)
{
	int halfWindow = (int)ceil(3.0 * SMOOTHING * track->fps), last = track->frameCount - 1;
	for (int i = 0; i <= last; ++i)
	{
		double sum = 0.0, weights = 0.0;
		// As far to one side as to the other, lest the ends lean.
		int near = i < last - i ? i : last - i, max = near < halfWindow ? near : halfWindow;
		for (int k = -max; k <= max; ++k)
		{
			double away = k / (SMOOTHING * track->fps), weight = exp(-0.5 * away * away);
			sum += weight * (double)track->places[i + k].y;
			weights += weight;
		}
		track->heights[i] = (float)(sum / weights);
	}
}

static double getPrior(const rpCenterTrack* track, int frame, rpPeakPrior prior)
{
	double away = frame / track->fps - prior.time;
	return -prior.bend * away * away;
}

// The top of a parabola fitted to the frames around, seconds, with what a prior adds to the heights; the frame's own
// time if it has no top near.
static double findTop(const rpCenterTrack* track, int frame, rpPeakPrior prior)
{
	int halfWindow = (int)floor(PARABOLA * track->fps);
	halfWindow = halfWindow > 1 ? halfWindow : 1;
	if (frame - halfWindow < 0 || frame + halfWindow >= track->frameCount)
	{
		return frame / track->fps;
	}
	double n = 0.0, s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0;
	for (int k = -halfWindow; k <= halfWindow; ++k)
	{
		double y = (double)(track->places[frame + k].y - track->places[frame].y), k2 = (double)k * k;
		y += getPrior(track, frame + k, prior);
		n += 1.0;
		s2 += k2;
		s4 += k2 * k2;
		y0 += y;
		y1 += k * y;
		y2 += k2 * y;
	}
	double slope = y1 / s2, bend = (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
	double away = bend != 0.0 ? -0.5 * slope / bend : 0.0;
	return (frame + (fabs(away) <= halfWindow ? away : 0.0)) / track->fps;
}

static bool addTurn(rpCenterTrack* track, int frame, bool isPeak, rpError* error)
{
	if (!rpGrow(&track->turns, &track->turnCapacity, track->turnCount, sizeof(rpTurningPoint), error))
	{
		return false;
	}
	track->turns[track->turnCount++] = (rpTurningPoint){findTop(track, frame, (rpPeakPrior){0}), isPeak};
	return true;
}

// Up and down in turn: a peak counts when the descent from it is long enough, a valley when the ascent is.
static bool findTurns(rpCenterTrack* track, float prominence, rpError* error)
{
	const float* heights = track->heights;
	int high = 0, low = 0, direction = 0;
	bool ok = true;
	for (int i = 1; ok && i < track->frameCount; ++i)
	{
		high = heights[i] > heights[high] ? i : high;
		low = heights[i] < heights[low] ? i : low;
		if (direction >= 0 && heights[i] < heights[high] - prominence)
		{
			// What the take begins with may have been higher before.
			ok = direction == 0 || addTurn(track, high, true, error);
			direction = -1;
			low = i;
		}
		else if (direction <= 0 && heights[i] > heights[low] + prominence)
		{
			ok = direction == 0 || addTurn(track, low, false, error);
			direction = 1;
			high = i;
		}
	}
	return ok;
}

double rpCenterTrack_FindPeak(const rpCenterTrack* track, double start, double end, rpPeakPrior prior)
{
	int first = (int)ceil(start * track->fps), last = (int)floor(end * track->fps), best = first;
	double highest = -INFINITY;
	for (int i = first; i <= last && i < track->frameCount; ++i)
	{
		double height = (double)track->heights[i] + getPrior(track, i, prior);
		best = height > highest ? i : best;
		highest = fmax(highest, height);
	}
	double time = best > first && best < last ? findTop(track, best, prior) : 0.5 * (start + end);
	return time > start && time < end ? time : 0.5 * (start + end);
}

// ---- rests

float rpCenterTrack_GetSpeed(const rpCenterTrack* track, double seconds)
{
	double last = (track->frameCount - 1) / track->fps;
	double before = fmax(seconds - SPEED_HALF_WINDOW, 0.0), after = fmin(seconds + SPEED_HALF_WINDOW, last);
	rpVec3 a = rpCenterTrack_GetPlace(track, before), b = rpCenterTrack_GetPlace(track, after);
	return after > before ? rpDistance(a, b) / (float)(after - before) : 0.0f;
}

double rpCenterTrack_GetStillness(const rpCenterTrack* track, double start, double end, float speed)
{
	double sum = 0.0, length = end - start;
	int count = (int)ceil(length / STILLNESS_STEP);
	for (int i = 0; i < count; ++i)
	{
		float part = 1.0f - rpCenterTrack_GetSpeed(track, start + (i + 0.5) * length / count) / speed;
		sum += (double)fmaxf(part, 0.0f) * length / count;
	}
	return sum;
}

static bool addRest(rpCenterTrack* track, int first, int end, const rpMovementDef* def, rpError* error)
{
	double start = first / track->fps, stop = (end - 1) / track->fps;
	// What an end of the take cuts off may have gone on.
	bool isCut = first == 0 || end == track->frameCount;
	if (rpCenterTrack_GetStillness(track, start, stop, def->standSpeed) < (isCut ? 0.5 : 1.0) * def->standSeconds)
	{
		return true;
	}
	if (!rpGrow(&track->rests, &track->restCapacity, track->restCount, sizeof(rpCenterRest), error))
	{
		return false;
	}
	track->rests[track->restCount++] = (rpCenterRest){start, stop};
	return true;
}

static bool findRests(rpCenterTrack* track, const rpMovementDef* def, rpError* error)
{
	int first = -1;
	bool ok = true;
	for (int i = 0; ok && i <= track->frameCount; ++i)
	{
		bool rests = i < track->frameCount && rpCenterTrack_GetSpeed(track, i / track->fps) < def->standSpeed;
		if (!rests && first >= 0)
		{
			ok = addRest(track, first, i, def, error);
		}
		first = !rests ? -1 : first < 0 ? i : first;
	}
	return ok;
}

bool rpCenterTrack_Follow(rpCenterTrack* track, const rpMotion* motion, const rpMovementDef* def, rpError* error)
{
	rpBody body;
	*track = (rpCenterTrack){.fps = motion->fps, .frameCount = motion->frameCount};
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, error))
	{
		return false;
	}
	track->places = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	track->heights = track->places != NULL ? rpAllocate((size_t)motion->frameCount, sizeof(float), error) : NULL;
	if (track->heights == NULL)
	{
		return false;
	}
	rpBody_GetCenters(&body, motion, track->places);
	smoothHeights(track);
	return findTurns(track, def->prominence, error) && findRests(track, def, error);
}

void rpCenterTrack_Free(rpCenterTrack* track)
{
	rpFree(track->places);
	rpFree(track->heights);
	rpFree(track->turns);
	rpFree(track->rests);
	*track = (rpCenterTrack){0};
}
