/// Feet that are told where to be, for blends: constraints in stance, after A. Safonova & J. K. Hodgins, "Analyzing the
/// physical correctness of interpolated human motion" (2005), section 5.3.1 and appendix C, numerically.
///
/// A foot's correction is what it differs by from what the joints make of it. Between two rests it goes over from one
/// to the other as the shifts of feet do in swing; where a leg is too short, the body comes down as it does for all
/// feet; then legs are bent, and the root is moved until the centre of mass is where it should be.
#include "feet/foot_goals.h"

#include "base/memory.h"
#include "feet/feet_track.h"

// Corrections below this are none, metres and radians: what rounding leaves, 20 m from the origin.
#define NO_CORRECTION 2e-5f

// Rounds of bending legs and moving the root: each leaves a fifth of the error at most, since legs are a third of a
// body's mass and move half as far as their hips.
#define ROUND_COUNT 5

enum
{
	/// Three numbers of a shift, metres, and three of a turn, radians.
	correctionCount = 6,
};

typedef struct Correction
{
	float v[correctionCount];
} Correction;

/// What one call works with.
typedef struct Work
{
	const rpFootGoals* goals;
	rpMotion* motion;
	rpTrackSpans spans;

	/// [frameCount * rp_legCount], feet as the joints make them.
	rpFootSample* free;
	Correction* corrections;

	/// How far a body must come down so that its legs reach, metres, [frameCount].
	float* drops;
} Work;

static rpVec3 getShift(const Correction* c)
{
	return (rpVec3){c->v[0], c->v[1], c->v[2]};
}

static rpVec3 getTurn(const Correction* c)
{
	return (rpVec3){c->v[3], c->v[4], c->v[5]};
}

static bool isPlanted(const Work* work, int frame, int side)
{
	return frame >= 0 && frame < work->motion->frameCount && work->goals->feet[frame * rp_legCount + side].isPlanted;
}

// ---- what is given

static rpPose getPose(const Work* work, int frame)
{
	rpMotion* motion = work->motion;
	size_t first = (size_t)frame * (size_t)motion->skeleton->jointCount;
	return (rpPose){motion->rootPositions[frame], motion->rotations + first,
					motion->translations != NULL ? motion->translations + first : NULL};
}

// The root that puts the centre of mass where it should be (appendix A), and the feet there.
static void placeFrame(const Work* work, int frame)
{
	const rpFootGoals* goals = work->goals;
	rpPose pose = getPose(work, frame);
	rpTransform world[RP_MAX_JOINTS];
	rpSkeleton_Forward(work->motion->skeleton, rpVec3_zero, pose.rotations, pose.translations, world);
	rpVec3 root = rpSub(goals->centers[frame], rpBody_GetCenter(goals->body, world));
	work->motion->rootPositions[frame] = root;
	rpFootRig_Forward(goals->rig, root, pose.rotations, pose.translations, world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (goals->rig->legs[side].isThere)
		{
			rpLeg_Sample(goals->rig->legs + side, world, work->free + frame * rp_legCount + side);
		}
	}
}

// ---- corrections

static Correction findCorrection(rpTransform from, rpTransform to)
{
	rpVec3 shift = rpSub(to.p, from.p), turn = rpLogQuat(rpMulQuat(to.q, rpConjugate(from.q)));
	shift = rpLength(shift) > NO_CORRECTION ? shift : rpVec3_zero;
	turn = rpLength(turn) > NO_CORRECTION ? turn : rpVec3_zero;
	return (Correction){{shift.x, shift.y, shift.z, turn.x, turn.y, turn.z}};
}

static int findLanding(const Work* work, int side, int frame)
{
	int landing = frame;
	while (landing < work->motion->frameCount && landing <= frame + work->spans.aim && !isPlanted(work, landing, side))
	{
		++landing;
	}
	return isPlanted(work, landing, side) ? landing : -1;
}

// How a correction changes per frame where a foot lands.
static Correction getRate(const Work* work, int side, int landing)
{
	const Correction* c = work->corrections + landing * rp_legCount + side;
	Correction rate = {0};
	for (int i = 0; i < correctionCount && isPlanted(work, landing + 1, side); ++i)
	{
		rate.v[i] = c[rp_legCount].v[i] - c->v[i];
	}
	return rate;
}

// One frame of swing: on to the next landing, which it meets with the correction's own rate there, or to nothing.
static void swing(const Work* work, int side, int frame, Correction* at, Correction* rate)
{
	int landing = findLanding(work, side, frame);
	if (landing < 0)
	{
		for (int i = 0; i < correctionCount; ++i)
		{
			rpGlide(&at->v[i], &rate->v[i], 0.0f, work->spans.ease);
		}
		return;
	}
	const Correction* to = work->corrections + landing * rp_legCount + side;
	Correction toRate = getRate(work, side, landing);
	int left = landing - frame + 1;
	for (int i = 0; i < correctionCount; ++i)
	{
		// Seen from the line that leads into the landing, it glides to nothing.
		float line = to->v[i] - toRate.v[i] * (float)left, off = at->v[i] - line, offRate = rate->v[i] - toRate.v[i];
		rpGlide(&off, &offRate, 0.0f, left);
		at->v[i] = line + toRate.v[i] + off;
		rate->v[i] = toRate.v[i] + offRate;
	}
}

// A motion that begins with a foot up begins as that will land.
static void easeSide(const Work* work, int side)
{
	int landing = findLanding(work, side, 0);
	Correction at = landing >= 0 ? work->corrections[landing * rp_legCount + side] : (Correction){0};
	Correction rate = {0};
	for (int frame = 0; frame < work->motion->frameCount; ++frame)
	{
		Correction* c = work->corrections + frame * rp_legCount + side;
		if (isPlanted(work, frame, side))
		{
			for (int i = 0; i < correctionCount; ++i)
			{
				rate.v[i] = isPlanted(work, frame - 1, side) ? c->v[i] - at.v[i] : 0.0f;
			}
			at = *c;
			continue;
		}
		if (frame > 0)
		{
			swing(work, side, frame, &at, &rate);
		}
		*c = at;
	}
}

static void correctSide(const Work* work, int side)
{
	for (int frame = 0; frame < work->motion->frameCount; ++frame)
	{
		int index = frame * rp_legCount + side;
		if (isPlanted(work, frame, side))
		{
			work->corrections[index] = findCorrection(work->free[index].ankle, work->goals->feet[index].ankle);
		}
	}
	easeSide(work, side);
}

// ---- legs that are too short

static void findDrops(const Work* work)
{
	for (int frame = 0; frame < work->motion->frameCount; ++frame)
	{
		float drop = 0.0f;
		for (int side = 0; side < rp_legCount; ++side)
		{
			int index = frame * rp_legCount + side;
			const rpFootSample* free = work->free + index;
			if (isPlanted(work, frame, side))
			{
				rpVec3 ankle = rpAdd(free->ankle.p, getShift(work->corrections + index));
				drop = fmaxf(drop, rpFindDrop(free, rpSub(ankle, free->hip)));
			}
		}
		work->drops[frame] = drop > NO_CORRECTION ? drop : 0.0f;
	}
}

// Nothing in flight, where nothing may change the fall; then as feet are gripped and let go.
static float getFreedom(const Work* work, int frame)
{
	int away = 0, soft = work->spans.soft;
	bool isFree = true;
	for (; away <= soft && isFree; ++away)
	{
		isFree = (frame - away < 0 || !work->goals->isFlight[frame - away]) &&
				 (frame + away >= work->motion->frameCount || !work->goals->isFlight[frame + away]);
	}
	return isFree ? 1.0f : rpSmoothstepFloat((float)(away - 1) / (float)(soft + 1));
}

static float getLowering(const Work* work, int frame)
{
	int span = work->spans.reachBack, last = work->motion->frameCount - 1;
	float lowering = 0.0f;
	for (int i = frame > span ? frame - span : 0; i <= frame + span && i <= last; ++i)
	{
		lowering = fmaxf(lowering, work->drops[i] * rpWeighReach(i - frame, span, span));
	}
	return lowering > 0.0f ? lowering * getFreedom(work, frame) : 0.0f;
}

// ---- bending the legs

static bool isCorrected(const Work* work, int frame, float lowering)
{
	bool found = lowering > 0.0f;
	for (int i = 0; i < rp_legCount * correctionCount && !found; ++i)
	{
		found = work->corrections[frame * rp_legCount + i / correctionCount].v[i % correctionCount] != 0.0f;
	}
	return found;
}

static void bendLeg(const Work* work, int index, const rpLeg* leg, const rpTransform* free, rpVec3 shift,
					rpQuat* rotations)
{
	const rpFootSample* sample = work->free + index;
	const Correction* c = work->corrections + index;
	rpVec3 hip = rpAdd(sample->hip, shift), ankle = rpAdd(sample->ankle.p, getShift(c));
	rpLegGoal goal = {.ankle = {rpAdd(hip, rpLimitReach(sample, rpSub(ankle, hip))),
								rpNormalizeQuat(rpMulQuat(rpExpQuat(getTurn(c)), sample->ankle.q))}};
	rpLegSolution solved;
	rpLeg_Solve(leg, work->goals->rig, free, shift, &goal, &solved);
	rpLeg_Put(leg, &solved, rotations);
}

// Returns how far a planted foot is from its place.
static float bendLegs(const Work* work, int frame, float lowering)
{
	const rpFootGoals* goals = work->goals;
	rpPose pose = getPose(work, frame);
	rpVec3 shift = {0.0f, -lowering, 0.0f}, center = rpAdd(goals->centers[frame], shift);
	rpTransform free[RP_MAX_JOINTS], world[RP_MAX_JOINTS];
	rpFootRig_Forward(goals->rig, pose.rootPosition, pose.rotations, pose.translations, free);
	for (int round = 0; round < ROUND_COUNT; ++round)
	{
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (goals->rig->legs[side].isThere)
			{
				bendLeg(work, frame * rp_legCount + side, goals->rig->legs + side, free, shift, pose.rotations);
			}
		}
		rpVec3 root = rpAdd(pose.rootPosition, shift);
		rpSkeleton_Forward(work->motion->skeleton, root, pose.rotations, pose.translations, world);
		work->motion->rootPositions[frame] = root;
		shift = rpAdd(shift, rpSub(center, rpBody_GetCenter(goals->body, world)));
	}
	float miss = 0.0f;
	for (int side = 0; side < rp_legCount; ++side)
	{
		rpVec3 goal = goals->feet[frame * rp_legCount + side].ankle.p;
		miss =
			isPlanted(work, frame, side) ? fmaxf(miss, rpDistance(goal, world[goals->rig->legs[side].ankle].p)) : miss;
	}
	return miss;
}

// ---- all of it

static float reachGoals(const Work* work)
{
	for (int frame = 0; frame < work->motion->frameCount; ++frame)
	{
		placeFrame(work, frame);
	}
	for (int side = 0; side < rp_legCount; ++side)
	{
		correctSide(work, side);
	}
	findDrops(work);
	float miss = 0.0f;
	for (int frame = 0; frame < work->motion->frameCount; ++frame)
	{
		float lowering = getLowering(work, frame);
		miss = isCorrected(work, frame, lowering) ? fmaxf(miss, bendLegs(work, frame, lowering)) : miss;
	}
	return miss;
}

bool rpReachFootGoals(const rpFootGoals* goals, rpMotion* motion, float* miss, rpError* error)
{
	size_t frameCount = (size_t)motion->frameCount;
	rpFootLockDef def = rpDefaultFootLockDef();
	Work work = {.goals = goals, .motion = motion};
	work.spans = rpGetTrackSpans(motion->fps, rpGetFullLookAhead(motion->fps), &def);
	work.free = rpAllocateZero(frameCount * rp_legCount, sizeof(rpFootSample), error);
	work.corrections = rpAllocateZero(frameCount * rp_legCount, sizeof(Correction), error);
	work.drops = rpAllocateZero(frameCount, sizeof(float), error);
	bool done = work.free != NULL && work.corrections != NULL && work.drops != NULL;
	if (done)
	{
		*miss = reachGoals(&work);
	}
	rpFree(work.free);
	rpFree(work.corrections);
	rpFree(work.drops);
	return done;
}
