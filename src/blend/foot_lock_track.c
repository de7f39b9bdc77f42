/// The stages of foot lock, after L. Kovar, J. Schreiner, M. Gleicher, "Footskate cleanup for motion capture editing"
/// (SCA 2002). From there: places constant in each contact, one foot's heel and ball consistent, the root moved so
/// that feet come into reach, legs bent in closed form, corrections eased off around contacts, stretch as the last
/// resort. Beyond it: the root follows the corrections of its planted feet, smoothed, so that legs keep their shape
/// and free feet need no correction of their own; and easing starts with the speed that the correction had in the
/// contact, so that a foot neither starts nor stops with a jerk.
#include "blend/foot_lock_track.h"

#include "blend/foot_lock_floor.h"
#include "blend/foot_lock_place.h"

// A leg is readily extended to this share of its length. Beyond, it takes up only a part of what it still has left; the
// root comes nearer instead, since near full extension the knee moves fast.
#define COMFORTABLE_REACH 0.97f
#define ROOM_SHARE 0.3f

// Passes over both legs until both are in reach.
#define PULL_PASSES 4

// Corrections are eased off from this speed at most, m/s.
#define EASED_SPEED 0.3f

// The root lets go of its feet where the smoothed number of planted ones comes near to this.
#define LETTING_GO 0.05f

rpTrackSpans rpGetTrackSpans(double fps, const rpFootLockDef* def, int lookAhead)
{
	double ease = fmax(def->ease * fps, 1.0);
	int slope = (int)fmax(round(0.025 * fps), 1.0);
	rpTrackSpans spans = {
		.ease = (int)round(ease),
		.turnEase = (int)fmax(round(0.5 * ease), 1.0),
		.smooth = (int)round(ease),
		.slope = slope,
		.sight = RP_MAX_FRAMES,
	};
	if (lookAhead > 0)
	{
		// A tenth of the way for each speed, the rest in the proportions of the spans, and what is left for seeing.
		spans.slope = slope < lookAhead / 10 ? slope : lookAhead / 10;
		int rest = lookAhead - 2 * spans.slope;
		// A root that follows its feet in a hurry is better than feet that are put down in one.
		int room = (rest * 2 / 3 - spans.ease - spans.turnEase) / 4, least = (int)round(0.5 * ease);
		spans.smooth = room > spans.smooth ? spans.smooth : room > least ? room : least;
		int wanted = spans.ease + spans.turnEase + 4 * spans.smooth;
		if (wanted > rest * 2 / 3)
		{
			spans.smooth = spans.smooth * rest * 2 / (3 * wanted);
			spans.turnEase = spans.turnEase * rest * 2 / (3 * wanted);
			spans.ease = spans.ease * rest * 2 / (3 * wanted);
		}
		spans.sight = rest - spans.ease - spans.turnEase - 4 * spans.smooth;
	}
	return spans;
}

void rpFootTrack_FillKernel(rpFootTrack* track)
{
	int smooth = track->spans.smooth;
	double sum = 0.0;
	for (int i = -smooth; i <= smooth; ++i)
	{
		sum += 0.5 + 0.5 * cos(RP_PI * i / (smooth + 1));
	}
	for (int i = 0; i <= smooth; ++i)
	{
		track->kernel[i] = (float)((0.5 + 0.5 * cos(RP_PI * i / (smooth + 1))) / sum);
	}
}

// ---- adding frames

static rpRuns* getRuns(rpFootTrack* track, int frame, int side, bool flat)
{
	rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	return flat ? &foot->flat : &foot->planted;
}

// Say where this frame stands among stretches, and to those before it where the next one begins.
static void noteRun(rpFootTrack* track, int frame, int side, bool flat, bool isInside)
{
	rpRuns* runs = getRuns(track, frame, side, flat);
	const rpRuns* old = frame > track->oldest ? getRuns(track, frame - 1, side, flat) : NULL;
	bool wasInside = old != NULL && old->start >= 0;
	int span = flat ? track->spans.turnEase : track->spans.ease;
	*runs = (rpRuns){-1, -1, -1};
	if (isInside)
	{
		runs->start = wasInside ? old->start : frame;
		for (int i = frame - 1; !wasInside && i >= track->oldest && i >= frame - span; --i)
		{
			rpRuns* earlier = getRuns(track, i, side, flat);
			if (earlier->start >= 0)
			{
				break;
			}
			earlier->behind = frame;
		}
	}
	else if (old != NULL)
	{
		int before = wasInside ? frame - 1 : old->before;
		runs->before = before >= 0 && frame - before <= span ? before : -1;
	}
}

// The support that a foot is on; if it is on none, the one that it was on.
static float findSupport(const rpFootTrack* track, int frame, int side)
{
	const rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	float support = INFINITY;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		support = foot->plants[point] >= 0 ? fminf(support, rpFootTrack_GetPlant(track, foot->plants[point])->support)
										   : support;
	}
	return support < INFINITY || frame == track->oldest ? support
														: rpFootTrack_Get(track, frame - 1)->feet[side].support;
}

void rpFootTrack_Add(rpFootTrack* track, rpVec3 rootPosition, const rpQuat* rotations, const rpVec3* translations,
					 const int plants[rp_legCount][rp_solePointCount], bool isSeated)
{
	rpTransform world[RP_MAX_JOINTS];
	int frame = ++track->newest;
	track->oldest = frame >= track->capacity ? frame - track->capacity + 1 : 0;
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	rpFootRig_Forward(&track->rig, rootPosition, rotations, translations, world);
	entry->pushWeight = isSeated ? RP_SEAT_WEIGHT : 0.0f;
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (!track->rig.legs[side].isThere)
		{
			continue;
		}
		rpFootState* foot = entry->feet + side;
		rpLeg_Sample(track->rig.legs + side, world, &foot->sample);
		foot->plants[0] = plants[side][0];
		foot->plants[1] = plants[side][1];
		foot->support = findSupport(track, frame, side);
		noteRun(track, frame, side, false, plants[side][0] >= 0 || plants[side][1] >= 0);
		noteRun(track, frame, side, true, plants[side][0] >= 0 && plants[side][1] >= 0);
	}
}

// ---- easing

// From (value, speed per frame) at 0 to rest at 0 after `length` frames: a cubic.
static rpVec3 fade(rpVec3 value, rpVec3 speed, int at, int length)
{
	float u = (float)at / (float)length, v = 1.0f - u;
	return rpScale(v * v, rpMulAdd(rpScale(1.0f + 2.0f * u, value), u * (float)length, speed));
}

/// Which value of a foot is eased, and among which stretches.
typedef enum Eased
{
	easedTurn,
	easedOffset,
} Eased;

static rpVec3 getEased(const rpFootTrack* track, int frame, int side, Eased eased)
{
	const rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	return eased == easedTurn ? foot->turn : foot->offset;
}

static const rpRuns* getEasedRuns(const rpFootTrack* track, int frame, int side, Eased eased)
{
	const rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	return eased == easedTurn ? &foot->flat : &foot->planted;
}

// How fast a value changes at the edge of a stretch, per frame, towards `direction` (-1 into the past, 1 ahead).
static rpVec3 getSpeed(const rpFootTrack* track, int edge, int side, Eased eased, int direction)
{
	int span = track->spans.slope;
	int start = getEasedRuns(track, edge, side, eased)->start;
	for (; span > 0; --span)
	{
		int other = edge + direction * span;
		if (other >= track->oldest && other <= track->newest && getEasedRuns(track, other, side, eased)->start == start)
		{
			rpVec3 change = rpSub(getEased(track, other, side, eased), getEased(track, edge, side, eased));
			float most = EASED_SPEED * (float)span / (float)track->fps, length = rpLength(change);
			// Softly: what is far below the limit is left alone.
			return rpScale(1.0f / ((float)span * sqrtf(1.0f + length * length / (most * most))), change);
		}
	}
	return rpVec3_zero;
}

static rpVec3 ease(const rpFootTrack* track, int frame, int side, Eased eased)
{
	const rpRuns* runs = getEasedRuns(track, frame, side, eased);
	int span = eased == easedTurn ? track->spans.turnEase : track->spans.ease;
	int gap = runs->before >= 0 && runs->behind >= 0 ? runs->behind - runs->before : span;
	int length = gap < span ? gap : span;
	rpVec3 sum = rpVec3_zero;
	if (runs->before >= 0 && frame - runs->before < length)
	{
		rpVec3 speed = getSpeed(track, runs->before, side, eased, -1);
		sum = fade(getEased(track, runs->before, side, eased), rpScale(-1.0f, speed), frame - runs->before, length);
	}
	if (runs->behind >= 0 && runs->behind - frame < length)
	{
		rpVec3 speed = getSpeed(track, runs->behind, side, eased, 1);
		sum = rpAdd(
			sum, fade(getEased(track, runs->behind, side, eased), rpScale(-1.0f, speed), runs->behind - frame, length));
	}
	return sum;
}

// A foot that rests on its heel in one frame and on its ball in the next, or soon after, as seams make them do, would
// jump: it goes over from one height to the other. Where both rest together, the foot is turned for both.
static void softenJump(const rpFootTrack* track, int frame, int side)
{
	rpFootState* foot = rpFootTrack_Get(track, frame)->feet + side;
	int last = rpFootTrack_FindLastPlanted(track, frame, side), ease = track->spans.ease;
	const rpFootState* before = last >= track->oldest ? rpFootTrack_Get(track, last)->feet + side : NULL;
	bool goesOn = before != NULL && last == frame - 1;
	foot->jumpFrame = goesOn ? before->jumpFrame : -1;
	foot->jump = goesOn ? before->jump : 0.0f;
	bool isTurned = foot->flat.start >= 0 || (goesOn && before->flat.start >= 0);
	if (before != NULL && !isTurned && frame - last < ease &&
		(!goesOn || rpFootState_GetBearer(foot) != rpFootState_GetBearer(before)))
	{
		foot->jumpFrame = frame;
		foot->jump = (foot->want.y - before->want.y) * (float)(ease - (frame - 1 - last)) / (float)ease;
	}
	if (foot->jumpFrame >= 0 && frame - foot->jumpFrame < ease)
	{
		float u = (float)(frame - foot->jumpFrame) / (float)ease, v = 1.0f - u;
		foot->want.y -= foot->jump * v * v * (1.0f + 2.0f * u);
	}
}

void rpFootTrack_Turn(rpFootTrack* track, int frame)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	entry->push = rpVec3_zero;
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpFootState* foot = entry->feet + side;
		if (!track->rig.legs[side].isThere)
		{
			continue;
		}
		if (foot->flat.start < 0)
		{
			foot->turn = ease(track, frame, side, easedTurn);
		}
		if (foot->planted.start >= 0)
		{
			int point = rpFootState_GetBearer(foot);
			rpVec3 arm = rpSub(foot->sample.ankle.p, foot->sample.sole[point]);
			rpVec3 ankle =
				rpAdd(rpFootTrack_GetPlant(track, foot->plants[point])->place, rpRotate(rpExpQuat(foot->turn), arm));
			foot->want = rpSub(ankle, foot->sample.ankle.p);
			softenJump(track, frame, side);
			float stillness = rpFootTrack_GetStillness(track, rpFootTrack_GetPlant(track, foot->plants[point]), frame);
			entry->push = rpMulAdd(entry->push, stillness, foot->want);
			entry->pushWeight += stillness;
		}
	}
}

// ---- the root

static int clampFrame(const rpFootTrack* track, int frame)
{
	return frame < track->oldest ? track->oldest : frame > track->newest ? track->newest : frame;
}

void rpFootTrack_Lead(rpFootTrack* track, int frame)
{
	rpVec3 sum = rpVec3_zero;
	float weight = 0.0f;
	for (int i = -track->spans.smooth; i <= track->spans.smooth; ++i)
	{
		if (frame + i >= track->oldest && frame + i <= track->newest)
		{
			const rpTrackFrame* other = rpFootTrack_Get(track, frame + i);
			float share = track->kernel[i < 0 ? -i : i];
			sum = rpMulAdd(sum, share, other->push);
			weight += share * other->pushWeight;
		}
	}
	rpFootTrack_Get(track, frame)->lead = rpScale(weight / (weight * weight + LETTING_GO * LETTING_GO), sum);
}

// From one foot to the next the lead changes at once; the root takes its time.
void rpFootTrack_Follow(rpFootTrack* track, int frame)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	entry->follow = rpVec3_zero;
	for (int i = -track->spans.smooth; i <= track->spans.smooth; ++i)
	{
		const rpTrackFrame* other = rpFootTrack_Get(track, clampFrame(track, frame + i));
		entry->follow = rpMulAdd(entry->follow, track->kernel[i < 0 ? -i : i], other->lead);
	}
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpFootState* foot = entry->feet + side;
		if (track->rig.legs[side].isThere && foot->planted.start >= 0)
		{
			foot->offset = rpSub(foot->want, entry->follow);
		}
	}
}

// From the shifted hip to where the ankle is to go.
static rpVec3 getReach(const rpTrackFrame* entry, int side, rpVec3 pull)
{
	const rpFootState* foot = entry->feet + side;
	return rpSub(rpAdd(rpSub(foot->sample.ankle.p, foot->sample.hip), foot->offset), pull);
}

// How far a leg may be extended that was so in the input, and would have to be to reach its foot.
static float limitReach(float old, float wanted, float length)
{
	float start = fmaxf(old, COMFORTABLE_REACH * length);
	float room = ROOM_SHARE * fmaxf(length - start, 0.0f), extra = wanted - start;
	// Grows as the extra reach at first, and never beyond the room.
	return extra > 0.0f ? start + room * extra / (room + extra) : wanted;
}

static rpVec3 findPull(const rpFootTrack* track, const rpTrackFrame* entry)
{
	rpVec3 pull = rpVec3_zero;
	float limits[rp_legCount];
	for (int pass = 0; pass < PULL_PASSES; ++pass)
	{
		bool isReached = true;
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (!track->rig.legs[side].isThere)
			{
				continue;
			}
			const rpFootSample* sample = &entry->feet[side].sample;
			rpVec3 reach = getReach(entry, side, pull);
			float wanted = rpLength(reach);
			float limit = limitReach(rpDistance(sample->ankle.p, sample->hip), wanted, sample->length);
			if (pass == 0)
			{
				limits[side] = limit;
			}
			limit = limits[side];
			if (wanted > limit)
			{
				pull = rpMulAdd(pull, 1.0f - limit / wanted, reach);
				isReached = false;
			}
		}
		if (isReached)
		{
			break;
		}
	}
	return pull;
}

void rpFootTrack_Reach(rpFootTrack* track, int frame)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpFootState* foot = entry->feet + side;
		if (track->rig.legs[side].isThere && foot->planted.start < 0)
		{
			foot->offset = ease(track, frame, side, easedOffset);
			foot->offset.y += rpFootTrack_FindRaise(track, frame, side);
		}
	}
	entry->pull = findPull(track, entry);
	track->lastPull = rpDot(entry->pull, entry->pull) > 0.0f ? frame : track->lastPull;
}

// The greatest pull around a frame: smoothed, it is still what each frame needs.
void rpFootTrack_Widen(rpFootTrack* track, int frame)
{
	rpVec3 widest = rpVec3_zero;
	float greatest = 0.0f;
	bool isNear = track->lastPull >= frame - track->spans.smooth;
	for (int i = frame - track->spans.smooth; isNear && i <= frame + track->spans.smooth; ++i)
	{
		if (i >= track->oldest && i <= track->newest)
		{
			rpVec3 pull = rpFootTrack_Get(track, i)->pull;
			float square = rpDot(pull, pull);
			widest = square > greatest ? pull : widest;
			greatest = fmaxf(square, greatest);
		}
	}
	rpFootTrack_Get(track, frame)->widePull = widest;
}

// ---- the legs

static rpVec3 smoothPull(const rpFootTrack* track, int frame)
{
	rpVec3 sum = rpVec3_zero;
	bool isNear = track->lastPull >= frame - 2 * track->spans.smooth;
	for (int i = -track->spans.smooth; isNear && i <= track->spans.smooth; ++i)
	{
		const rpTrackFrame* other = rpFootTrack_Get(track, clampFrame(track, frame + i));
		sum = rpMulAdd(sum, track->kernel[i < 0 ? -i : i], other->widePull);
	}
	return sum;
}

void rpFootTrack_Solve(const rpFootTrack* track, int frame, rpVec3 rootPosition, const rpQuat* rotations,
					   const rpVec3* translations, float stretch, rpTrackSolution* out)
{
	rpTransform world[RP_MAX_JOINTS];
	const rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	rpFootRig_Forward(&track->rig, rootPosition, rotations, translations, world);
	out->shift = rpAdd(rpAdd(entry->follow, entry->nudge), smoothPull(track, frame));
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpFootState* foot = entry->feet + side;
		if (!track->rig.legs[side].isThere)
		{
			continue;
		}
		rpLegGoal goal = {
			.ankle.p = rpAdd(foot->sample.ankle.p, rpAdd(entry->follow, foot->offset)),
			.ankle.q = rpMulQuat(rpExpQuat(foot->turn), foot->sample.ankle.q),
			.stretchLimit = foot->planted.start >= 0 ? stretch : 0.0f,
		};
		goal.hasToeFloor = rpFootTrack_FindToeFloor(track, frame, side, &goal.toeFloor);
		rpLeg_Solve(track->rig.legs + side, &track->rig, world, out->shift, &goal, out->legs + side);
	}
}

// In the old one's hemisphere.
static void replace(rpQuat* old, rpQuat new)
{
	*old = rpDotQuat(*old, new) < 0.0f ? rpNegateQuat(new) : new;
}

void rpFootTrack_Apply(const rpFootTrack* track, const rpTrackSolution* solution, rpVec3* rootPosition,
					   rpQuat* rotations, rpVec3* translations)
{
	*rootPosition = rpAdd(*rootPosition, solution->shift);
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpLeg* leg = track->rig.legs + side;
		const rpLegSolution* solved = solution->legs + side;
		if (!leg->isThere)
		{
			continue;
		}
		replace(rotations + leg->hip, solved->hip);
		replace(rotations + leg->knee, solved->knee);
		replace(rotations + leg->ankle, solved->ankle);
		if (leg->ball >= 0)
		{
			replace(rotations + leg->ball, solved->ball);
		}
		for (int i = leg->ankle; translations != NULL && solved->stretch > 0.0f && i > leg->hip;
			 i = track->rig.skeleton->parents[i])
		{
			translations[i] = rpScale(1.0f + solved->stretch, translations[i]);
		}
	}
}
