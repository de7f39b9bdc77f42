/// The feet of a blend: constraints in stance, as Safonova & Hodgins (2005, section 5.3.1) have it.
///
/// While a foot rests, its position and orientation are the weighted mean of those of the motions, taken with weights
/// and placements that are held for as long as it rests: so it rests if theirs do. The leg is bent by inverse
/// kinematics (the knee keeps its place on its circle), and the root moved until the centre of mass is where it shall
/// be (appendix C, numerically). Between two rests the correction goes over from one to the other smoothly, so that
/// nothing pops where constraints come and go.
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "reprise/play/blend.h"

#include <string.h>

// Longest time for a correction to come or go, seconds.
#define EASE 0.3

// Corrections below this are none, metres and radians: what rounding leaves, 20 m from the origin.
#define NO_SHIFT 2e-5f
#define NO_TURN 2e-5f

// Rounds of bending legs and moving the root: each leaves a fifth of the error at most.
#define ROUND_COUNT 5

// A leg is bent at least so much, as a part of its length, unless the motions' own legs are straighter.
#define LONGEST_REACH 0.998f

// A point is kept where it rests for this long before and after it does, seconds; twice as long away not at all.
#define HOLD 0.1

// With less weight on all other motions together, a motion begins to come back as it is.
#define SMALL_SHARE 0.1

// Seconds to both sides over which the body is lowered for a leg that is too short, and after and before a flight until
// it may be lowered.
#define LOWERING 0.15
#define AFTER_FLIGHT 0.1

enum
{
	heelPoint,
	ballPoint,
};

/// How a foot differs from what the blended joints make of it.
typedef struct Correction
{
	rpVec3 shift, turn;
	bool isPlanted;
} Correction;

/// What one call works with.
typedef struct Footing
{
	const rpBlendWork* work;
	rpMotion* result;

	/// [frameCount * rp_legCount]
	Correction* corrections;
	rpFootSample* free;

	/// How far the body must be lowered, [frameCount], metres; and room for smoothing it.
	float* needs;
	float* lowerings;

	/// [motionCount]
	rpQuat* turns;
	float* weights;
} Footing;

/// A stretch of phases in which one foot rests, and what is held in it.
typedef struct Rest
{
	int side;
	int firstPhase, lastPhase;
	const rpPlacement* placements;
	const double* weights;

	/// The point that the foot rolls about, and what keeps it from jumping where that changes.
	int pivot;
	rpVec3 shift;

	/// How much the point is kept where it rests while it does not yet, or no longer, rest in all motions: 1, and less
	/// where one motion has nearly all the weight, which must come back as it is.
	float hold;
} Rest;

// ---- where a resting foot is

static rpFootSample getFoot(const rpBlendWork* work, int motion, int side, double seconds)
{
	const rpMotion* m = work->registration->motions[motion];
	double place = fmin(fmax(seconds * m->fps, 0.0), m->frameCount - 1);
	int frame = (int)place, next = frame + 1 < m->frameCount ? frame + 1 : frame;
	float t = (float)(place - frame);
	rpFootSample a = work->tracks[motion].feet[frame * rp_legCount + side];
	rpFootSample b = work->tracks[motion].feet[next * rp_legCount + side];
	a.hip = rpLerp(a.hip, b.hip, t);
	a.ankle.p = rpLerp(a.ankle.p, b.ankle.p, t);
	a.ankle.q = rpSlerp(a.ankle.q, b.ankle.q, t);
	a.sole[heelPoint] = rpLerp(a.sole[heelPoint], b.sole[heelPoint], t);
	a.sole[ballPoint] = rpLerp(a.sole[ballPoint], b.sole[ballPoint], t);
	return a;
}

static rpQuat makeYaw(double turn)
{
	return (rpQuat){(float)cos(0.5 * turn), 0.0f, (float)sin(0.5 * turn), 0.0f};
}

static rpEffector getPoint(int side, int pivot)
{
	static const rpEffector points[rp_legCount][rp_solePointCount] = {{rp_leftHeel, rp_leftBall},
																	  {rp_rightHeel, rp_rightBall}};
	return points[side][pivot];
}

// Where a point of the sole is, or where it will rest or has rested if it does not now: on the floor, not in height.
static rpVec3 getSole(const Footing* f, const Rest* rest, int motion, int pivot, double seconds, rpVec3 sole)
{
	const rpAnnotations* notes = &f->work->registration->motions[motion]->annotations;
	double start = rpBlendWork_GetTime(f->work, motion, f->work->phases[rest->firstPhase].start);
	double end = rpBlendWork_GetTime(f->work, motion, f->work->phases[rest->lastPhase].end);
	double best = 0.0, moment = seconds;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* c = notes->intervals + i;
		double shared = fmin(c->end, end) - fmax(c->start, start);
		if (c->track == rp_trackContact && c->effector == getPoint(rest->side, pivot) && shared > best)
		{
			best = shared;
			moment = fmin(fmax(seconds, c->start), c->end);
		}
	}
	if (moment == seconds)
	{
		return sole;
	}
	rpVec3 held = getFoot(f->work, motion, rest->side, moment).sole[pivot];
	held.y = sole.y;
	double away = (fabs(moment - seconds) - HOLD) / HOLD;
	return rpLerp(sole, held, rest->hold * (1.0f - rpSmoothstepFloat((float)away)));
}

// The mean of the motions' feet, about a point of the sole; the point's own shift is not added.
static rpTransform getMeanFoot(const Footing* f, const Rest* rest, int pivot, double seconds)
{
	rpVec3 place = rpVec3_zero, arm = rpVec3_zero;
	int count = f->work->motionCount;
	for (int i = 0; i < count; ++i)
	{
		const rpPlacement* placement = rest->placements + i;
		double time = rpBlendWork_GetTime(f->work, i, seconds);
		rpFootSample foot = getFoot(f->work, i, rest->side, time);
		rpVec3 sole = getSole(f, rest, i, pivot, time, foot.sole[pivot]);
		rpVec3 local = rpRotate(rpConjugate(foot.ankle.q), rpSub(foot.sole[pivot], foot.ankle.p));
		f->weights[i] = (float)rest->weights[i];
		f->turns[i] = rpMulQuat(makeYaw(placement->heading), foot.ankle.q);
		place = rpMulAdd(place, f->weights[i], rpPlacement_Apply(placement, sole));
		arm = rpMulAdd(arm, f->weights[i], local);
	}
	rpQuat turn = rpMeanQuat(f->turns, f->weights, count);
	return (rpTransform){rpSub(place, rpRotate(turn, arm)), turn};
}

static rpTransform getRestingFoot(const Footing* f, const Rest* rest, double seconds)
{
	rpTransform foot = getMeanFoot(f, rest, rest->pivot, seconds);
	foot.p = rpAdd(foot.p, rest->shift);
	return foot;
}

static unsigned getFootBits(const rpBlendWork* work, int phase, int side)
{
	unsigned contacts = work->phases[phase].contacts;
	bool heel = (contacts >> getPoint(side, heelPoint)) & 1u, ball = (contacts >> getPoint(side, ballPoint)) & 1u;
	return (heel ? 1u << heelPoint : 0u) | (ball ? 1u << ballPoint : 0u);
}

// Roll about a point that rests in all motions, the one so far if it does. Where neither does, or nothing is known, the
// contacts of the phase decide.
static int choosePivot(const Footing* f, const Rest* rest, int phase, double seconds)
{
	unsigned bits = getFootBits(f->work, phase, rest->side);
	bool heel = rpBlendWork_IsResting(f->work, getPoint(rest->side, heelPoint), seconds);
	bool ball = rpBlendWork_IsResting(f->work, getPoint(rest->side, ballPoint), seconds);
	if (heel != ball)
	{
		return heel ? heelPoint : ballPoint;
	}
	return (bits >> rest->pivot) & 1u ? rest->pivot : bits == 1u << heelPoint ? heelPoint : ballPoint;
}

static void setPivot(const Footing* f, Rest* rest, int pivot, double seconds)
{
	if (pivot != rest->pivot)
	{
		rpTransform old = getRestingFoot(f, rest, seconds), new = getMeanFoot(f, rest, pivot, seconds);
		rest->shift = rpSub(old.p, new.p);
		rest->pivot = pivot;
	}
}

static Correction makeCorrection(rpTransform from, rpTransform to)
{
	Correction c = {rpSub(to.p, from.p), rpLogQuat(rpMulQuat(to.q, rpConjugate(from.q))), true};
	c.shift = rpLength(c.shift) > NO_SHIFT ? c.shift : rpVec3_zero;
	c.turn = rpLength(c.turn) > NO_TURN ? c.turn : rpVec3_zero;
	return c;
}

static void plantFrames(const Footing* f, Rest* rest)
{
	const rpBlendWork* work = f->work;
	double start = work->phases[rest->firstPhase].start, end = work->phases[rest->lastPhase].end;
	bool isLast = rest->lastPhase + 1 == work->phaseCount;
	rest->pivot = choosePivot(f, rest, rest->firstPhase, start);
	int frame = (int)ceil(start * work->fps - 1e-9);
	for (; frame < work->frameCount && (isLast || frame / work->fps < end - 1e-9); ++frame)
	{
		int index = frame * rp_legCount + rest->side;
		double seconds = fmin(frame / work->fps, end);
		setPivot(f, rest, choosePivot(f, rest, rpBlendWork_FindPhase(work, seconds), seconds), seconds);
		f->corrections[index] = makeCorrection(f->free[index].ankle, getRestingFoot(f, rest, seconds));
	}
}

static float getHold(const double* weights, int count)
{
	double heaviest = 0.0;
	for (int i = 0; i < count; ++i)
	{
		heaviest = fmax(heaviest, weights[i]);
	}
	return rpSmoothstepFloat((float)((1.0 - heaviest) / SMALL_SHARE));
}

static void plantSide(const Footing* f, int side)
{
	const rpBlendWork* work = f->work;
	for (int phase = 0; phase < work->phaseCount; ++phase)
	{
		if (getFootBits(work, phase, side) == 0)
		{
			continue;
		}
		Rest rest = {.side = side, .firstPhase = phase, .lastPhase = phase, .pivot = ballPoint};
		while (rest.lastPhase + 1 < work->phaseCount && getFootBits(work, rest.lastPhase + 1, side) != 0)
		{
			++rest.lastPhase;
		}
		double middle = 0.5 * (work->phases[phase].start + work->phases[rest.lastPhase].end);
		int frame = (int)fmin(floor(middle * work->fps + 0.5), work->frameCount - 1);
		rest.placements = work->placements + (size_t)frame * (size_t)work->motionCount;
		rest.weights = work->frameWeights + (size_t)frame * (size_t)work->motionCount;
		rest.hold = getHold(rest.weights, work->motionCount);
		plantFrames(f, &rest);
		phase = rest.lastPhase;
	}
}

// ---- between rests

// A cubic from a value and its rate to another over `span`, at a fraction s.
static rpVec3 ease(rpVec3 from, rpVec3 fromRate, rpVec3 to, rpVec3 toRate, float span, float s)
{
	float rise = s * s * (3.0f - 2.0f * s), out = s * (1.0f - s) * (1.0f - s) * span, in = s * s * (s - 1.0f) * span;
	rpVec3 sum = rpMulAdd(rpScale(1.0f - rise, from), rise, to);
	return rpMulAdd(rpMulAdd(sum, out, fromRate), in, toRate);
}

/// A correction at an edge of a rest, and how it changes there per second.
typedef struct Edge
{
	int frame;
	Correction value, rate;
} Edge;

static Edge getEdge(const Footing* f, int side, int frame, int inwards)
{
	const Correction* here = f->corrections + frame * rp_legCount + side;
	Edge edge = {.frame = frame, .value = *here};
	int next = frame + inwards;
	if (next >= 0 && next < f->work->frameCount && here[inwards * rp_legCount].isPlanted)
	{
		const Correction* inner = here + inwards * rp_legCount;
		float scale = (float)f->work->fps * (inwards < 0 ? 1.0f : -1.0f);
		edge.rate.shift = rpScale(scale, rpSub(here->shift, inner->shift));
		edge.rate.turn = rpScale(scale, rpSub(here->turn, inner->turn));
	}
	return edge;
}

// Frames between two edges, or from one edge to nothing.
static void easeFrames(const Footing* f, int side, const Edge* from, const Edge* to)
{
	float span = (float)((to->frame - from->frame) / f->work->fps);
	for (int frame = from->frame + 1; frame < to->frame; ++frame)
	{
		float s = (float)(frame - from->frame) / (float)(to->frame - from->frame);
		Correction* c = f->corrections + frame * rp_legCount + side;
		if (frame >= 0 && frame < f->work->frameCount)
		{
			c->shift = ease(from->value.shift, from->rate.shift, to->value.shift, to->rate.shift, span, s);
			c->turn = ease(from->value.turn, from->rate.turn, to->value.turn, to->rate.turn, span, s);
		}
	}
}

static void easeGap(const Footing* f, int side, const Edge* from, const Edge* to)
{
	int reach = (int)ceil(EASE * f->work->fps);
	Edge nothing = {0};
	if (from != NULL && to != NULL && to->frame - from->frame < 2 * reach)
	{
		easeFrames(f, side, from, to);
		return;
	}
	if (from != NULL)
	{
		nothing.frame = from->frame + reach;
		easeFrames(f, side, from, &nothing);
	}
	if (to != NULL)
	{
		nothing.frame = to->frame - reach;
		easeFrames(f, side, &nothing, to);
	}
}

static void easeSide(const Footing* f, int side)
{
	Edge last, next;
	bool hasLast = false;
	for (int frame = 0; frame < f->work->frameCount; ++frame)
	{
		if (!f->corrections[frame * rp_legCount + side].isPlanted)
		{
			continue;
		}
		bool isNew = frame == 0 || !f->corrections[(frame - 1) * rp_legCount + side].isPlanted;
		if (isNew && frame > 0)
		{
			next = getEdge(f, side, frame, 1);
			easeGap(f, side, hasLast ? &last : NULL, &next);
		}
		last = getEdge(f, side, frame, -1);
		hasLast = true;
	}
	if (hasLast && last.frame + 1 < f->work->frameCount)
	{
		easeGap(f, side, &last, NULL);
	}
}

// ---- legs that are too short

// The distance from hip to ankle that a leg may have: the mean of the motions' own, or one that is bent a little.
static float getReach(const Footing* f, int frame, int side)
{
	size_t first = (size_t)frame * (size_t)f->work->motionCount;
	double reach = 0.0;
	for (int i = 0; i < f->work->motionCount; ++i)
	{
		rpFootSample foot = getFoot(f->work, i, side, f->work->frameTimes[first + (size_t)i]);
		reach += f->work->frameWeights[first + (size_t)i] * (double)rpDistance(foot.hip, foot.ankle.p);
	}
	return fmaxf((float)reach, LONGEST_REACH * f->free[frame * rp_legCount + side].length);
}

static float getNeed(const Footing* f, int frame, int side)
{
	const Correction* c = f->corrections + frame * rp_legCount + side;
	const rpFootSample* free = f->free + frame * rp_legCount + side;
	rpVec3 line = rpSub(rpAdd(free->ankle.p, c->shift), free->hip);
	float reach = getReach(f, frame, side), square = reach * reach - line.x * line.x - line.z * line.z;
	if (!c->isPlanted || rpLength(line) <= reach + NO_SHIFT || square <= 0.0f)
	{
		return 0.0f;
	}
	return fmaxf(-line.y - sqrtf(square), 0.0f);
}

// Nothing in flight, where nothing may change the fall, and smoothly more away from it.
static float getFreedom(const rpBlendWork* work, double seconds)
{
	double away = AFTER_FLIGHT;
	for (int i = 0; i < work->phaseCount; ++i)
	{
		const rpBlendPhase* p = work->phases + i;
		double distance = seconds < p->start ? p->start - seconds : fmax(seconds - p->end, 0.0);
		away = p->isFlight ? fmin(away, distance) : away;
	}
	return rpSmoothstepFloat((float)(away / AFTER_FLIGHT));
}

// A bump for every need.
static void lowerBody(const Footing* f)
{
	const rpBlendWork* work = f->work;
	int reach = (int)ceil(LOWERING * work->fps);
	for (int frame = 0; frame < work->frameCount; ++frame)
	{
		f->needs[frame] = fmaxf(f->work->rig.legs[0].isThere ? getNeed(f, frame, 0) : 0.0f,
								f->work->rig.legs[1].isThere ? getNeed(f, frame, 1) : 0.0f);
	}
	for (int frame = 0; frame < work->frameCount; ++frame)
	{
		float lowering = 0.0f;
		for (int k = -reach; k <= reach; ++k)
		{
			int other = frame + k;
			float s = 1.0f - fabsf((float)k) / (float)(reach + 1);
			float need = other >= 0 && other < work->frameCount ? f->needs[other] : 0.0f;
			lowering = fmaxf(lowering, need * rpSmoothstepFloat(s));
		}
		f->lowerings[frame] = lowering > 0.0f ? lowering * getFreedom(work, frame / work->fps) : 0.0f;
	}
}

// ---- bending the legs

static bool isCorrected(const Footing* f, int frame)
{
	const Correction* c = f->corrections + frame * rp_legCount;
	float sum = f->lowerings[frame];
	for (int side = 0; side < rp_legCount; ++side)
	{
		sum += rpLength(c[side].shift) + rpLength(c[side].turn);
	}
	return sum > 0.0f;
}

// Where an ankle shall be. A goal beyond reach is drawn in softly, so that the knee does not snap straight.
static rpLegGoal makeGoal(const Footing* f, int frame, int side, rpVec3 shift)
{
	const rpFootSample* free = f->free + frame * rp_legCount + side;
	const Correction* c = f->corrections + frame * rp_legCount + side;
	rpVec3 hip = rpAdd(free->hip, shift), line = rpSub(rpAdd(free->ankle.p, c->shift), hip);
	float distance = rpLength(line), reach = getReach(f, frame, side), room = fmaxf(free->length - reach, 1e-5f);
	float drawn = distance > reach ? reach + room * (1.0f - expf((reach - distance) / room)) : distance;
	return (rpLegGoal){
		.ankle = {rpMulAdd(hip, distance > 0.0f ? drawn / distance : 1.0f, line),
				  rpNormalizeQuat(rpMulQuat(rpExpQuat(c->turn), free->ankle.q))},
	};
}

static void storeLeg(const rpLeg* leg, const rpLegSolution* solution, rpQuat* rotations)
{
	rotations[leg->hip] = solution->hip;
	rotations[leg->knee] = solution->knee;
	rotations[leg->ankle] = solution->ankle;
	if (leg->ball >= 0)
	{
		rotations[leg->ball] = solution->ball;
	}
}

// Returns how far a resting foot is from its place.
static float bendLegs(const Footing* f, int frame)
{
	const rpSkeleton* skeleton = f->result->skeleton;
	const rpBlendWork* work = f->work;
	size_t first = (size_t)frame * (size_t)skeleton->jointCount;
	rpQuat* rotations = f->result->rotations + first;
	const rpVec3* translations = f->result->translations != NULL ? f->result->translations + first : NULL;
	rpVec3 root = f->result->rootPositions[frame], shift = {0.0f, -f->lowerings[frame], 0.0f};
	rpTransform free[RP_MAX_JOINTS], world[RP_MAX_JOINTS];
	rpSkeleton_Forward(skeleton, root, rotations, translations, free);
	rpVec3 center = rpAdd(rpBody_GetCenter(&work->body, free), shift);
	float miss = 0.0f;
	for (int round = 0; round < ROUND_COUNT; ++round)
	{
		for (int side = 0; side < rp_legCount; ++side)
		{
			const rpLeg* leg = work->rig.legs + side;
			rpLegSolution solution;
			if (leg->isThere)
			{
				rpLegGoal goal = makeGoal(f, frame, side, shift);
				rpLeg_Solve(leg, &work->rig, free, shift, &goal, &solution);
				storeLeg(leg, &solution, rotations);
			}
		}
		rpSkeleton_Forward(skeleton, rpAdd(root, shift), rotations, translations, world);
		f->result->rootPositions[frame] = rpAdd(root, shift);
		shift = rpAdd(shift, rpSub(center, rpBody_GetCenter(&work->body, world)));
	}
	for (int side = 0; side < rp_legCount; ++side)
	{
		int index = frame * rp_legCount + side;
		rpVec3 goal = rpAdd(f->free[index].ankle.p, f->corrections[index].shift);
		bool isPlanted = work->rig.legs[side].isThere && f->corrections[index].isPlanted;
		miss = isPlanted ? fmaxf(miss, rpDistance(goal, world[work->rig.legs[side].ankle].p)) : miss;
	}
	return miss;
}

// ---- all of it

static void sampleFree(const Footing* f)
{
	const rpBlendWork* work = f->work;
	size_t jointCount = (size_t)f->result->skeleton->jointCount;
	rpTransform world[RP_MAX_JOINTS];
	for (int frame = 0; frame < work->frameCount; ++frame)
	{
		size_t first = (size_t)frame * jointCount;
		const rpVec3* translations = f->result->translations != NULL ? f->result->translations + first : NULL;
		rpFootRig_Forward(&work->rig, f->result->rootPositions[frame], f->result->rotations + first, translations,
						  world);
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (work->rig.legs[side].isThere)
			{
				rpLeg_Sample(work->rig.legs + side, world, f->free + frame * rp_legCount + side);
			}
		}
	}
}

static bool allocateFooting(Footing* f, rpError* error)
{
	size_t frameCount = (size_t)f->work->frameCount, motionCount = (size_t)f->work->motionCount;
	f->corrections = rpAllocateZero(frameCount * rp_legCount, sizeof(Correction), error);
	f->free = rpAllocateZero(frameCount * rp_legCount, sizeof(rpFootSample), error);
	f->needs = rpAllocateZero(frameCount, sizeof(float), error);
	f->lowerings = rpAllocateZero(frameCount, sizeof(float), error);
	f->turns = rpAllocateZero(motionCount, sizeof(rpQuat), error);
	f->weights = rpAllocateZero(motionCount, sizeof(float), error);
	return f->corrections != NULL && f->free != NULL && f->needs != NULL && f->lowerings != NULL && f->turns != NULL &&
		   f->weights != NULL;
}

static float plantAll(const Footing* f)
{
	sampleFree(f);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (f->work->rig.legs[side].isThere)
		{
			plantSide(f, side);
			easeSide(f, side);
		}
	}
	lowerBody(f);
	float miss = 0.0f;
	for (int frame = 0; frame < f->work->frameCount; ++frame)
	{
		miss = isCorrected(f, frame) ? fmaxf(miss, bendLegs(f, frame)) : miss;
	}
	return miss;
}

bool rpBlendWork_PlantFeet(const rpBlendWork* work, rpMotion* result, float* miss, rpError* error)
{
	Footing footing = {.work = work, .result = result};
	bool done = allocateFooting(&footing, error);
	if (done)
	{
		*miss = plantAll(&footing);
	}
	rpFree(footing.corrections);
	rpFree(footing.free);
	rpFree(footing.needs);
	rpFree(footing.lowerings);
	rpFree(footing.turns);
	rpFree(footing.weights);
	return done;
}
