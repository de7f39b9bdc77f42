/// Stage 1: where feet rest. After Kovar, Schreiner & Gleicher 2002; on-line Kwon & Shin 2005, section 5.2.
#include "feet/feet_track.h"

// Where a point of a foot that was moved is.
static rpVec3 getPlace(const rpFootSample* sample, const rpFootShift* shift, int point)
{
	rpVec3 from = rpGetBearer(sample, point);
	rpVec3 arm = rpRotate(rpYaw(shift->v[rp_shiftTurn]), rpSub(from, sample->ankle.p));
	rpVec3 move = {shift->v[rp_shiftX], shift->v[rp_shiftY], shift->v[rp_shiftZ]};
	return rpAdd(rpAdd(sample->ankle.p, move), arm);
}

static float getDirection(const rpFootSample* sample)
{
	rpVec3 line = rpSub(sample->sole[rp_ballBears], sample->sole[rp_heelBears]);
	return rpAtan2(line.x, line.z);
}

// From 0 to 1 over so many frames, without slope at both ends.
static float ramp(int frame, int frames)
{
	return rpSmoothstepFloat((float)frame / (float)frames);
}

// How firmly a foot is held in a frame of a stance: nobody knows to the frame when a foot comes to rest, and one that
// was stopped at once, or let go at once, would be seen to jerk.
static float getGrip(const rpFeetTrack* track, int side, int first, int frame)
{
	int soft = track->spans.soft, left = 1;
	while (left < soft && frame + left <= track->newest && rpFeetTrack_Get(track, frame + left)->feet[side].bears != 0)
	{
		++left;
	}
	bool isLeaving = left < soft && frame + left <= track->newest;
	return (first > 0 ? ramp(frame - first, soft) : 1.0f) * (isLeaving ? ramp(left, soft) : 1.0f);
}

// What moves faster than this does not bear, whatever is said of it, m/s; from half of it on it is held less. 95 % of
// the stance frames of a captured person are below 0.22, of blends of his takes below 0.34; with half of this, noisy
// legs at 120 Hz (test_foot_lock.c) were not held. Feet swing at 3 to 6.
#define FASTEST_SLIDE 3.0f

// How much of a movement in one frame is taken back.
static float getHold(rpVec3 moved, double fps)
{
	return 1.0f - rpSmoothstepFloat(2.0f * (float)fps * rpHypot(moved.x, moved.z) / FASTEST_SLIDE - 1.0f);
}

// The shift of a foot that goes on bearing: what bears stays where it is, as far as it is held. A foot that is flat
// does not turn either; on its ball or toe alone it turns as it did.
static rpFootShift hold(const rpTrackFoot* before, const rpFootShift* shift, const rpTrackFoot* now, float grip,
						double fps)
{
	const unsigned flat = 1u << rp_heelBears | 1u << rp_ballBears;
	unsigned both = (before->bears & now->bears) != 0 ? before->bears & now->bears : now->bears;
	rpFootShift next = *shift;
	if ((both & flat) == flat)
	{
		next.v[rp_shiftTurn] -= grip * rpWrapAngle(getDirection(&now->sample) - getDirection(&before->sample));
	}
	int pivot = rpChoosePivot(both);
	rpVec3 moved = rpSub(getPlace(&before->sample, shift, pivot), getPlace(&now->sample, &next, pivot));
	grip *= getHold(moved, fps);
	next.v[rp_shiftX] += grip * moved.x;
	next.v[rp_shiftZ] += grip * moved.z;
	return next;
}

// How far the points that bear are below their supports around a frame of a stance: feet keep their own ups and downs
// as they roll, but neither sink nor rise as they stand.
static float getRise(const rpFeetTrack* track, int side, int first, int frame)
{
	int span = track->spans.settle, count = 0;
	float sum = 0.0f;
	for (int i = frame - span > first ? frame - span : first; i <= frame + span && i <= track->newest; ++i)
	{
		const rpTrackFoot* foot = &rpFeetTrack_Get(track, i)->feet[side];
		if (i > frame && foot->bears == 0)
		{
			break;
		}
		sum += foot->knowsHeight ? foot->rise : 0.0f;
		count += foot->knowsHeight;
	}
	return count > 0 ? sum / (float)count : NAN;
}

// Look at as much of a stance as is seen: it moves as little as possible if its shifts are 0 on average.
static void lookAtStance(const rpFeetTrack* track, int side, int first, rpFoothold* out)
{
	int last = first + track->spans.stance < track->newest ? first + track->spans.stance : track->newest;
	if (out->first == first && out->seen == last)
	{
		return;
	}
	rpFootShift shift = {0}, sum = {0};
	int count = 0;
	const rpTrackFoot* before = NULL;
	for (int frame = first; frame <= last; ++frame)
	{
		const rpTrackFoot* foot = &rpFeetTrack_Get(track, frame)->feet[side];
		if (foot->bears == 0)
		{
			break;
		}
		shift = before != NULL ? hold(before, &shift, foot, getGrip(track, side, first, frame), track->fps) : shift;
		for (int i = 0; i < rp_shiftCount; ++i)
		{
			sum.v[i] += shift.v[i];
		}
		before = foot;
		++count;
	}
	*out = (rpFoothold){.first = first, .seen = last};
	for (int i = 0; i < rp_shiftCount; ++i)
	{
		out->shift.v[i] = -sum.v[i] / (float)count;
	}
	float rise = getRise(track, side, first, first);
	out->shift.v[rp_shiftY] = isnan(rise) ? 0.0f : rise;
}

// The first frame from this one on in which a foot bears, -1 if none is in sight.
static int findLanding(const rpFeetTrack* track, int side, int frame)
{
	for (int i = frame; i <= track->newest && i <= frame + track->spans.aim; ++i)
	{
		if (rpFeetTrack_Get(track, i)->feet[side].bears != 0)
		{
			return i;
		}
	}
	return -1;
}

// In swing, and to the frame in which it lands.
static void swing(const rpFeetTrack* track, int side, int frame, rpFootGlide* to)
{
	rpFootShift goal = {0};
	int landing = findLanding(track, side, frame), frames = track->spans.ease;
	if (landing >= 0)
	{
		lookAtStance(track, side, landing, &to->hold);
	}
	// What is seen of a stance when it begins says nothing yet.
	if (landing >= 0 && landing < track->newest)
	{
		goal = to->hold.shift;
		frames = landing - frame + 1;
	}
	if (landing >= 0 && landing - to->left < track->spans.step)
	{
		goal = to->shift;
	}
	for (int i = 0; i < rp_shiftCount; ++i)
	{
		rpGlide(&to->shift.v[i], &to->rate.v[i], goal.v[i], frames);
	}
}

static void goOnBearing(const rpFeetTrack* track, int side, int frame, rpFootGlide* to)
{
	const rpTrackFoot* before = &rpFeetTrack_Get(track, frame - 1)->feet[side];
	const rpTrackFoot* now = &rpFeetTrack_Get(track, frame)->feet[side];
	rpFootShift old = to->shift,
				next = hold(before, &old, now, getGrip(track, side, to->hold.first, frame), track->fps);
	float height = old.v[rp_shiftY], rate = to->rate.v[rp_shiftY], rise = getRise(track, side, to->hold.first, frame);
	rpGlide(&height, &rate, isnan(rise) ? height : rise, track->spans.settle);
	for (int i = 0; i < rp_shiftCount; ++i)
	{
		to->rate.v[i] = next.v[i] - old.v[i];
	}
	to->shift = next;
	to->shift.v[rp_shiftY] = height;
	to->rate.v[rp_shiftY] = rate;
}

// A motion that begins with a foot down begins where that foot is best.
static void begin(const rpFeetTrack* track, int side, rpFootGlide* to)
{
	*to = (rpFootGlide){.hold.first = -1, .left = -track->spans.step, .floor = -INFINITY};
	int landing = findLanding(track, side, 0);
	if (landing >= 0)
	{
		lookAtStance(track, side, landing, &to->hold);
		to->shift = to->hold.shift;
	}
}

// What a foot is over, and how free it is. A lower floor that comes in sight is gone over to.
static void noteFloor(const rpFeetTrack* track, int side, int frame, rpFootGlide* to)
{
	rpTrackFoot* now = &rpFeetTrack_Get(track, frame)->feet[side];
	const rpTrackFoot* before = frame > 0 ? &rpFeetTrack_Get(track, frame - 1)->feet[side] : NULL;
	int landing = findLanding(track, side, frame), slow = track->spans.settle;
	float next = landing >= 0 ? rpFeetTrack_Get(track, landing)->feet[side].support : INFINITY;
	if (now->bears != 0 || !isfinite(to->floor))
	{
		to->floor = isfinite(next) ? next : -INFINITY;
		to->floorRate = 0.0f;
	}
	else
	{
		rpGlide(&to->floor, &to->floorRate, fminf(to->floor, next), track->spans.settle);
	}
	now->floor = to->floor;
	now->freedom = before != NULL ? fminf(before->freedom + 1.0f / (float)slow, 1.0f) : 1.0f;
	now->freedom = landing >= 0 ? fminf(now->freedom, (float)(landing - frame) / (float)slow) : now->freedom;
}

static void settleFoot(rpFeetTrack* track, int side, int frame)
{
	rpFootGlide* to = &track->glides[side];
	rpTrackFoot* now = &rpFeetTrack_Get(track, frame)->feet[side];
	const rpTrackFoot* before = &rpFeetTrack_Get(track, frame - 1)->feet[side];
	if (frame == 0)
	{
		begin(track, side, to);
	}
	else if (now->bears != 0 && before->bears != 0)
	{
		goOnBearing(track, side, frame, to);
	}
	else
	{
		to->left = before->bears != 0 ? frame : to->left;
		swing(track, side, frame, to);
	}
	now->shift = to->shift;
	noteFloor(track, side, frame, to);
}

void rpFeetTrack_Settle(rpFeetTrack* track)
{
	int frame = ++track->settled;
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere)
		{
			settleFoot(track, side, frame);
		}
	}
}
