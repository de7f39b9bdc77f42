/// Stage 3: legs that reach, with knees that stay as they were.
///
/// The nearer a leg is to its full length, the more its knee bends for a millimetre. So where a foot stands on one
/// point alone, as it does when it lands and when it pushes off, it rolls about that point until the leg has its own
/// length again: two degrees there save ten at the knee. And a leg that is to become longer than it was uses up the
/// room that it had, the length that its bend leaves, only in the limit: of room x0 and wanted x < x0 it keeps x0 exp(x
/// / x0 - 1), which has the value and the slope of x at x0 and never ends. What it misses by that, the body comes down
/// for.
#include "feet/feet_track.h"

// Feet roll by this at most, radians: 10 degrees.
#define GREATEST_ROLL 0.17f

// Where rolling shortens a leg by less than this for a radian, metres, it does not help: a quarter of a foot.
#define MIN_ARM 0.05f

// How low the points of feet come, metres: heels and balls this much lower than they are when they bear, the tips of
// toes this much below the floor. In the takes of two captured people one frame in 1000 has balls 1.3 and 2.3 cm below
// their median in stance, and toes 0.7 cm below the floor; 99 in 100 have toes above it.
#define LOW_SOLE 0.022f
#define LOW_TOE 0.004f

// Free feet are raised the less the deeper they are below the floor, and not at all from here on, metres: such a foot
// is stepping down, or was captured badly. So none is raised by more than 5 cm.
#define DEEP 0.2f

static rpTransform getGoal(const rpTrackFoot* foot)
{
	rpVec3 move = {foot->shift.v[rp_shiftX], foot->shift.v[rp_shiftY], foot->shift.v[rp_shiftZ]};
	return (rpTransform){rpAdd(foot->sample.ankle.p, move),
						 rpMulQuat(rpYaw(foot->shift.v[rp_shiftTurn]), foot->sample.ankle.q)};
}

// The ball, which a foot rolls about when its heel is up, from its ankle as it came.
static rpVec3 getPivot(const rpTrackFoot* foot)
{
	return rpSub(foot->sample.sole[rp_ballBears], foot->sample.ankle.p);
}

// The foot's left, in the world.
static rpVec3 getLeft(const rpTrackFoot* foot)
{
	rpVec3 ahead = rpSub(foot->sample.sole[rp_ballBears], foot->sample.sole[rp_heelBears]);
	return rpNormalize((rpVec3){ahead.z, 0.0f, -ahead.x});
}

// A goal after the foot has rolled.
static rpTransform rollGoal(const rpTrackFoot* foot, rpTransform goal, float roll)
{
	rpQuat yaw = rpYaw(foot->shift.v[rp_shiftTurn]), turn = rpAxisAngle(rpRotate(yaw, getLeft(foot)), roll);
	rpVec3 arm = rpRotate(yaw, getPivot(foot));
	goal.p = rpAdd(goal.p, rpSub(arm, rpRotate(turn, arm)));
	goal.q = rpMulQuat(turn, goal.q);
	return goal;
}

rpVec3 rpLimitReach(const rpFootSample* sample, rpVec3 reach)
{
	float wanted = rpLength(reach), full = sample->length;
	float had = full - rpDistance(sample->hip, sample->ankle.p), left = full - wanted;
	if (!(left < had) || !(had > 0.0f))
	{
		return had > 0.0f || left > 0.0f ? reach : rpScale(full / wanted, reach);
	}
	return rpScale((full - had * rpExp(left / had - 1.0f)) / wanted, reach);
}

// The roll after which the leg is as long as it was, to first order.
static float findRoll(const rpTrackFoot* foot, rpVec3 reach)
{
	if (foot->bears == 0 || (foot->bears >> rp_heelBears & 1) != 0)
	{
		return 0.0f;
	}
	rpQuat yaw = rpYaw(foot->shift.v[rp_shiftTurn]);
	rpVec3 left = rpRotate(yaw, getLeft(foot)), arm = rpScale(-1.0f, rpRotate(yaw, getPivot(foot)));
	float longer = rpDistance(foot->sample.hip, foot->sample.ankle.p) - rpLength(reach);
	float gain = rpDot(rpNormalize(reach), rpCross(left, arm));
	float roll = longer * gain / (gain * gain + MIN_ARM * MIN_ARM);
	return fminf(fmaxf(roll, -GREATEST_ROLL), GREATEST_ROLL);
}

float rpFindDrop(const rpFootSample* sample, rpVec3 reach)
{
	float wanted = rpLength(reach), missing = wanted - rpLength(rpLimitReach(sample, reach));
	// Down by the leg's slope; a leg that lies does not become shorter by it.
	float steepness = fmaxf(-reach.y / wanted, 0.5f);
	return missing > 0.0f ? missing / steepness : 0.0f;
}

void rpFeetTrack_LookAtLegs(const rpFeetTrack* track, rpTrackFrame* entry)
{
	entry->drop = 0.0f;
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpTrackFoot* foot = &entry->feet[side];
		if (track->rig.legs[side].isThere && foot->bears != 0)
		{
			rpVec3 hip = rpAdd(foot->sample.hip, entry->follow);
			rpTransform goal = getGoal(foot);
			foot->roll = findRoll(foot, rpSub(goal.p, hip));
			goal = rollGoal(foot, goal, foot->roll);
			entry->drop = fmaxf(entry->drop, rpFindDrop(&foot->sample, rpSub(goal.p, hip)));
		}
	}
}

float rpWeighReach(int away, int back, int ahead)
{
	float u = away < 0 ? (float)-away / (float)(back + 1) : (float)away / (float)(ahead + 1), v = 1.0f - u * u;
	return v * v;
}

/// What is done at last.
typedef struct Reach
{
	float drop, rolls[rp_legCount];
} Reach;

// The greatest drop around a frame and the mean of the rolls, less of those further away.
static Reach findReach(const rpFeetTrack* track, int frame)
{
	const rpTrackSpans* spans = &track->spans;
	Reach reach = {0};
	float sum = 0.0f;
	for (int i = frame > spans->reachBack ? frame - spans->reachBack : 0;
		 i <= frame + spans->reach && i <= track->followed; ++i)
	{
		const rpTrackFrame* entry = rpFeetTrack_Get(track, i);
		float weight = rpWeighReach(i - frame, spans->reachBack, spans->reach);
		reach.drop = fmaxf(reach.drop, weight * entry->drop);
		for (int side = 0; side < rp_legCount; ++side)
		{
			reach.rolls[side] += weight * entry->feet[side].roll;
		}
		sum += weight;
	}
	for (int side = 0; side < rp_legCount; ++side)
	{
		reach.rolls[side] /= sum;
	}
	return reach;
}

static float getLowest(const rpFeetTrack* track, const rpTrackFoot* foot, int point)
{
	return foot->floor - (point == rp_toeBears ? LOW_TOE : LOW_SOLE - track->rig.skeleton->soleHeight);
}

// How far a free foot must rise so that no point of it is too low.
static float findLift(const rpFeetTrack* track, const rpTrackFoot* foot, rpTransform goal)
{
	const rpFootSample* sample = &foot->sample;
	rpQuat turn = rpMulQuat(goal.q, rpConjugate(sample->ankle.q));
	float under = -INFINITY;
	// Toes bend by themselves.
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		rpVec3 place = rpAdd(goal.p, rpRotate(turn, rpSub(sample->sole[point], sample->ankle.p)));
		under = fmaxf(under, getLowest(track, foot, point) - place.y);
	}
	float freedom = rpSmoothstepFloat(foot->freedom);
	return freedom * rpGetFloorRaise(under) * (1.0f - rpSmoothstepFloat(under / DEEP));
}

static float bendLeg(rpFeetTrack* track, const rpLeg* leg, const rpTrackFoot* foot, rpVec3 shift, float roll,
					 rpPose* out)
{
	rpTransform ankle = rollGoal(foot, getGoal(foot), roll);
	ankle.p.y += findLift(track, foot, ankle);
	rpVec3 hip = rpAdd(foot->sample.hip, shift);
	rpVec3 reach = rpLimitReach(&foot->sample, rpSub(ankle.p, hip));
	float missed = rpDistance(ankle.p, rpAdd(hip, reach));
	rpLegGoal goal = {.ankle = {rpAdd(hip, reach), ankle.q},
					  .hasToeFloor = foot->floor > -INFINITY,
					  .toeFloor = getLowest(track, foot, rp_toeBears)};
	rpLegSolution solved;
	rpLeg_Solve(leg, &track->rig, track->world, shift, &goal, &solved);
	rpLeg_Put(leg, &solved, out->rotations);
	return foot->bears != 0 ? missed : 0.0f;
}

float rpFeetTrack_BendLegs(rpFeetTrack* track, int frame, rpPose* out)
{
	const rpTrackFrame* entry = rpFeetTrack_Get(track, frame);
	Reach reach = findReach(track, frame);
	rpVec3 shift = entry->follow;
	float missed = 0.0f;
	// What is not seen ahead is done as much later.
	rpGlide(&track->drop, &track->dropRate, reach.drop,
			frame > 0 ? track->spans.reachBack - track->spans.reach + 1 : 1);
	shift.y -= track->drop;
	rpFootRig_Forward(&track->rig, out->rootPosition, out->rotations, out->translations, track->world);
	out->rootPosition = rpAdd(out->rootPosition, shift);
	for (int side = 0; side < rp_legCount; ++side)
	{
		const rpLeg* leg = &track->rig.legs[side];
		if (leg->isThere)
		{
			missed = fmaxf(missed, bendLeg(track, leg, &entry->feet[side], shift, reach.rolls[side], out));
		}
	}
	return missed;
}
