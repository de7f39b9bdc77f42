/// Feet that do not rest do not sink in either: blends take them through the floor, and captures have them there.
#include "blend/foot_lock_floor.h"

// Points may be this much lower than they are on average while they rest, metres.
#define TOLERANCE 0.012f

// Feet are raised by no more than this, metres: a body that is deeper in the ground is none that knees can mend.
#define MOST_RAISE 0.05f

// How far ahead a foot's next support is looked for, seconds.
#define LONGEST_STEP 1.5

// The next frame in which a foot is planted, as far as can be seen; -1 if there is none.
static int findNextPlanted(const rpFootTrack* track, int frame, int side)
{
	int end = frame + (int)ceil(LONGEST_STEP * track->fps);
	for (int i = frame; i <= track->newest && i < end; ++i)
	{
		if (rpFootTrack_Get(track, i)->feet[side].planted.start >= 0)
		{
			return i;
		}
	}
	return -1;
}

// The lowest of the supports that the feet are on or came from, and that of frame `next`, unless it is -1.
static float findSupport(const rpFootTrack* track, int frame, int side, int next)
{
	const rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	float support = entry->feet[side].support;
	support = next >= 0 ? fminf(support, rpFootTrack_Get(track, next)->feet[side].support) : support;
	return track->rig.legs[1 - side].isThere ? fminf(support, entry->feet[1 - side].support) : support;
}

bool rpFootTrack_FindToeFloor(const rpFootTrack* track, int frame, int side, float* out)
{
	float support = findSupport(track, frame, side, rpFootTrack_Get(track, frame)->feet[side].planted.behind);
	if (support == INFINITY || track->clearanceCounts[1] == 0)
	{
		return false;
	}
	*out = support + (float)((track->clearances[1] + track->toeRises) / track->clearanceCounts[1]) - TOLERANCE;
	return true;
}

// How far below its floor the lowest point of a foot is, or above: then negative.
static float findDepth(const rpFootTrack* track, int frame, int side, float support)
{
	const rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	const rpFootState* foot = entry->feet + side;
	rpQuat turn = rpExpQuat(foot->turn);
	float depth = -INFINITY;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		if (track->clearanceCounts[point] > 0)
		{
			rpVec3 arm = rpRotate(turn, rpSub(foot->sample.sole[point], foot->sample.ankle.p));
			float height = foot->sample.ankle.p.y + arm.y + entry->follow.y + foot->offset.y;
			float rest = (float)(track->clearances[point] / track->clearanceCounts[point]);
			depth = fmaxf(depth, support + rest - TOLERANCE - height);
		}
	}
	return depth;
}

// 0 in the frame of a contact, 1 from the time on that turns of a foot are eased off in.
static float getFreedom(const rpFootTrack* track, int frame, const rpRuns* runs)
{
	float span = (float)track->spans.turnEase;
	float since = runs->before >= 0 ? fminf((float)(frame - runs->before), span) : span;
	float until = runs->behind >= 0 ? fminf((float)(runs->behind - frame), span) : span;
	float u = fminf(since, until) / fmaxf(span, 1.0f);
	return u * u * (3.0f - 2.0f * u);
}

float rpFootTrack_FindRaise(const rpFootTrack* track, int frame, int side)
{
	const rpRuns* runs = &rpFootTrack_Get(track, frame)->feet[side].planted;
	float support = findSupport(track, frame, side, runs->behind);
	float raise = support < INFINITY ? rpGetFloorRaise(findDepth(track, frame, side, support)) : 0.0f;
	if (raise > 0.0f)
	{
		// On its way down to something lower?
		support = findSupport(track, frame, side, findNextPlanted(track, frame, side));
		raise = rpGetFloorRaise(findDepth(track, frame, side, support));
	}
	return getFreedom(track, frame, runs) * fminf(raise, MOST_RAISE);
}
