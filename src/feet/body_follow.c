/// Stage 2: the body follows the feet that bear it.
///
/// Its shift is a straight line fitted to the shifts of the bearing feet around a frame, nearer ones counting more
/// (local regression: Cleveland 1979). A leg that is nearly straight leads more than a bent one: the knee's bend b
/// changes by about 1 / sin b with the leg's length.
#include "feet/feet_track.h"

// Below this bend, sine of 15 degrees, all legs lead alike.
#define STRAIGHT 0.26f

// What a seat or a hand counts for against a leg that is straight.
#define HELD 4.0f

// The line's slope is drawn to 0 as if by a spread of so many seconds: where little is seen, a slope says little.
#define SLOPE_SECONDS 0.1f

// What nothing leads stays as it was; against a straight leg.
#define STAY 1e-4f

/// Weighted sums of shifts over time.
typedef struct Sums
{
	float weight, time, square;
	rpVec3 shift, shiftTime;
} Sums;

static void add(Sums* sums, float weight, float time, rpVec3 shift)
{
	sums->weight += weight;
	sums->time += weight * time;
	sums->square += weight * time * time;
	sums->shift = rpMulAdd(sums->shift, weight, shift);
	sums->shiftTime = rpMulAdd(sums->shiftTime, weight * time, shift);
}

static rpVec3 fit(const Sums* sums)
{
	float mean = sums->time / sums->weight;
	float spread = sums->square - sums->time * mean + SLOPE_SECONDS * SLOPE_SECONDS * sums->weight;
	rpVec3 level = rpScale(1.0f / sums->weight, sums->shift);
	rpVec3 slope = rpScale(1.0f / spread, rpMulAdd(sums->shiftTime, -mean, sums->shift));
	return rpMulAdd(level, -mean, slope);
}

float rpGetLead(const rpFootSample* sample)
{
	float cosine = rpDot(rpNormalize(sample->thigh), rpNormalize(sample->shank));
	return STRAIGHT * STRAIGHT / (fmaxf(1.0f - cosine * cosine, 0.0f) + STRAIGHT * STRAIGHT);
}

// 1 in the middle, 0 with no slope at the end of the frames that are looked at.
static float weigh(int away, int span)
{
	float u = (float)away / (float)(span + 1), v = 1.0f - u * u;
	return v * v * v * v;
}

static void addFrame(const rpFeetTrack* track, int frame, float weight, float time, Sums* sums)
{
	const rpTrackFrame* entry = rpFeetTrack_Get(track, frame);
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpTrackFoot* foot = &entry->feet[side];
		if (track->rig.legs[side].isThere && foot->bears != 0)
		{
			rpVec3 shift = {foot->shift.v[rp_shiftX], foot->shift.v[rp_shiftY], foot->shift.v[rp_shiftZ]};
			add(sums, weight * foot->lead, time, shift);
		}
	}
	if (entry->isHeld)
	{
		add(sums, weight * HELD, time, rpVec3_zero);
	}
}

static rpVec3 findFollow(const rpFeetTrack* track, int frame)
{
	const rpTrackSpans* spans = &track->spans;
	Sums sums = {0};
	add(&sums, STAY, 0.0f, track->follow);
	for (int i = frame > spans->followBack ? frame - spans->followBack : 0;
		 i <= frame + spans->follow && i <= track->settled; ++i)
	{
		float weight = i < frame ? weigh(frame - i, spans->followBack) : weigh(i - frame, spans->follow);
		addFrame(track, i, weight, (float)((i - frame) / track->fps), &sums);
	}
	return fit(&sums);
}

// What is not seen ahead is followed as much later.
void rpFeetTrack_Follow(rpFeetTrack* track)
{
	int frame = ++track->followed;
	rpTrackFrame* entry = rpFeetTrack_Get(track, frame);
	rpVec3 *at = &track->follow, *rate = &track->followRate, to = findFollow(track, frame);
	int late = frame > 0 ? track->spans.followBack - track->spans.follow + 1 : 1;
	rpGlide(&at->x, &rate->x, to.x, late);
	rpGlide(&at->y, &rate->y, to.y, late);
	rpGlide(&at->z, &rate->z, to.z, late);
	entry->follow = *at;
	rpFeetTrack_LookAtLegs(track, entry);
}
