/// Scores of acts: planned, repeated from where the last one ended, and reported to the stage.
#include "performer/score.h"

#include "performer/guard.h"
#include "reprise/play/extend.h"

#include <string.h>

// The pelvis of someone who stands at ease, metres.
#define SPOT_PELVIS_HEIGHT 0.9585f
// How long meeting and leaving a seat takes, seconds.
#define SEAT_MEET 0.3
// From the pelvis to the point of the seat, as every skeleton has it (rpPlaceEffectors).
#define SEAT_OFFSET ((rpVec3){0.0f, -HIP_DROP - 0.05f * PERFORMER_HEIGHT, 0.0f})
#define FIT_COARSE 16
#define FIT_FINE 10
// How long a foot that leaves the ground takes to be loose, seconds.
#define LOOSEN 0.07
// The shortest distance in which a fall is taken up, metres.
#define SHORTEST_BRAKE 0.02
// How long the feet push the body into its turn, and take it out of it, seconds.
#define TURN_PUSH 0.14
#define TURN_BRAKE 0.2
// How much repetitions differ at most, as parts: in what arms and head do, and (by a standard deviation) in time.
#define ARM_VARIETY 0.1f
#define HEAD_VARIETY 0.3f
#define TEMPO_VARIETY 0.012

rpVec3 rpFrame_Place(rpFrame frame, rpVec3 place)
{
	return rpAdd(frame.shift, rpRotate(rpYaw(frame.turn), place));
}

rpFrame rpFrame_Follow(rpFrame frame, rpFrame next)
{
	return (rpFrame){rpFrame_Place(frame, next.shift), frame.turn + next.turn};
}

double rpGetBrakeTime(double distance, double speed, double turn)
{
	double square = ((double)GRAVITY + turn) / 12.0;
	return (sqrt(0.25 * speed * speed + 4.0 * square * fmax(distance, SHORTEST_BRAKE)) - 0.5 * speed) / (2.0 * square);
}

void rpScore_AddKeys(rpScore* score, int channel, float scale, const rpKey* keys, int count)
{
	for (int i = 0; i < count && score->keyCount[channel] < SCORE_KEYS; ++i)
	{
		score->keys[channel][score->keyCount[channel]++] = (rpKey){keys[i].t, scale * keys[i].value};
	}
}

rpStance* rpScore_AddStance(rpScore* score, const rpPerformance* performance, int side, double strike, double off,
							rpFrame at)
{
	rpStance* stance = score->stances[side] + score->stanceCount[side]++;
	*stance = rpPerformance_MakeEaseStance(performance, side, strike, off);
	stance->ball = rpFrame_Place(at, stance->ball);
	stance->heading += at.turn;
	return stance;
}

void rpScore_Turn(rpScore* score, double leave, double down, float angle)
{
	double rate = (double)angle / (down - leave + 0.5 * (TURN_PUSH + TURN_BRAKE)), all = (double)angle;
	const rpKnot turns[SCORE_TURNS] = {
		{.t = leave - TURN_PUSH},
		{.t = leave, .p = {0.5 * TURN_PUSH * rate}, .v = {rate}},
		{.t = down, .p = {all - 0.5 * TURN_BRAKE * rate}, .v = {rate}},
		{.t = down + TURN_BRAKE, .p = {all}},
	};
	memcpy(score->turns, turns, sizeof(turns));
	score->turnCount = SCORE_TURNS;
}

void rpScore_AddStand(rpScore* score, double start, double end)
{
	score->stands[score->standCount++] = (rpNote){start, end, NULL};
}

void rpScore_AddEvent(rpScore* score, const char* name, double time)
{
	score->events[score->eventCount++] = (rpNote){time, time, name};
}

// The rate at a key: none at the ends and at extremes, else the harmonic mean of the slopes beside it, which does not
// overshoot (Fritsch & Butland 1984).
static double getRate(const rpKey* keys, int count, int i)
{
	if (i == 0 || i + 1 == count)
	{
		return 0.0;
	}
	double before = (double)(keys[i].value - keys[i - 1].value) / (keys[i].t - keys[i - 1].t);
	double after = (double)(keys[i + 1].value - keys[i].value) / (keys[i + 1].t - keys[i].t);
	return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
}

static float sampleKeys(const rpKey* keys, int count, double t)
{
	if (count == 0)
	{
		return 0.0f;
	}
	int i = 0;
	while (i + 2 < count && keys[i + 1].t <= t)
	{
		++i;
	}
	int last = count > 1 ? i + 1 : i;
	rpKnot knots[2] = {{.t = keys[i].t, .p = {keys[i].value}, .v = {getRate(keys, count, i)}},
					   {.t = keys[last].t, .p = {keys[last].value}, .v = {getRate(keys, count, last)}}};
	return rpSampleKnots(knots, last - i + 1, t).x;
}

static float sampleChannel(const rpScore* score, int channel, double t)
{
	return sampleKeys(score->keys[channel], score->keyCount[channel], t);
}

// By how much head and arms do more or less than written the n-th time.
static float getVigour(const rpManner* manner, int channel, int n, float max)
{
	return n == 0 ? 1.0f : 1.0f + 0.4f * max * manner->variation * rpChance(manner->seed, 400 + channel, n);
}

static void planArm(const rpScore* score, const rpManner* manner, int n, int side, double t, rpArmPlan* arm)
{
	int own = side == 0 ? rp_channelLeftArm : rp_channelRightArm;
	float* fields[6] = {&arm->swing, &arm->spread, &arm->twist, &arm->elbow, &arm->wrist, &arm->shrug};
	for (int i = 0; i < 6; ++i)
	{
		float written = sampleChannel(score, rp_channelArms + i, t) + sampleChannel(score, own + i, t);
		*fields[i] += getVigour(manner, own + i, n, ARM_VARIETY) * written;
	}
	const rpGrasp* grasp = score->grasps + side;
	if (grasp->arrive > grasp->start)
	{
		arm->reach = rpEase(grasp->start, grasp->arrive, t) * (1.0f - rpEase(grasp->leave, grasp->end, t));
		arm->target = grasp->target;
		arm->elbowDirection = grasp->elbowDirection;
		arm->shortOf = grasp->shortOf;
		arm->wrist *= 1.0f - arm->reach;
	}
	if (grasp->carrying > 0.0)
	{
		arm->reach = rpEase(grasp->start, grasp->arrive, t);
		arm->wrist *= 1.0f - arm->reach;
		arm->target = rpLerp(grasp->target, grasp->carried, rpEase(grasp->leave, grasp->leave + grasp->carrying, t));
	}
}

static void planChannels(const rpScore* score, const rpManner* manner, int n, double t, rpBodyPlan* plan)
{
	float head = getVigour(manner, rp_channelHeadNod, n, HEAD_VARIETY);
	plan->lean += sampleChannel(score, rp_channelLean, t);
	plan->pelvisTurn += sampleChannel(score, rp_channelPelvisTurn, t);
	plan->pelvisRoll += sampleChannel(score, rp_channelPelvisRoll, t);
	plan->trunkTurn += sampleChannel(score, rp_channelTrunkTurn, t);
	plan->trunkBend += sampleChannel(score, rp_channelTrunkBend, t);
	plan->trunkSide += sampleChannel(score, rp_channelTrunkSide, t);
	plan->headTurn += head * sampleChannel(score, rp_channelHeadTurn, t);
	plan->headNod += head * sampleChannel(score, rp_channelHeadNod, t);
	plan->headTilt += head * sampleChannel(score, rp_channelHeadTilt, t);
	for (int side = 0; side < 2; ++side)
	{
		plan->feet[side].kneeOut += sampleChannel(score, rp_channelKneeOut, t);
		planArm(score, manner, n, side, t, plan->arms + side);
	}
}

// A C2 detour from the swing through its points: how far away from it they lie, at their times.
static void detour(const rpStance* from, const rpStance* to, const rpSwing* swing, double t, rpFootPlan* foot)
{
	if (swing->pointCount == 0)
	{
		return;
	}
	rpKnot places[6] = {{.t = from->off}}, turns[6] = {{.t = from->off}};
	int count = swing->pointCount;
	for (int i = 0; i < count; ++i)
	{
		const rpFootPlan* goal = &swing->points[i].foot;
		double at = swing->points[i].t;
		rpFootPlan base = rpPlanSwing(from, to, at);
		rpVec3 away = rpSub(goal->ankle, base.ankle);
		places[i + 1] = (rpKnot){.t = at, .p = {away.x, away.y, away.z}, .a = {0.0, swing->points[i].bend, 0.0}};
		turns[i + 1] =
			(rpKnot){.t = at, .p = {goal->pitch - base.pitch, goal->toe - base.toe, goal->heading - base.heading}};
	}
	places[count + 1] = (rpKnot){.t = to->strike};
	turns[count + 1] = (rpKnot){.t = to->strike};
	for (int k = 0; k < 3; ++k)
	{
		rpKey keys[6], bends[6];
		for (int i = 0; i < count + 2; ++i)
		{
			keys[i] = (rpKey){places[i].t, (float)places[i].p[k]};
			bends[i] = (rpKey){turns[i].t, (float)turns[i].p[k]};
		}
		for (int i = 0; i < count + 2; ++i)
		{
			places[i].v[k] = getRate(keys, count + 2, i);
			turns[i].v[k] = getRate(bends, count + 2, i);
		}
	}
	rpVec3 turn = rpSampleKnots(turns, count + 2, t);
	foot->ankle = rpAdd(foot->ankle, rpSampleKnots(places, count + 2, t));
	foot->pitch += turn.x;
	foot->toe += turn.y;
	foot->heading += turn.z;
}

// A swing as one on the spot, carried from its frame to the next.
static rpFootPlan carrySwing(const rpStance* from, const rpStance* to, const rpSwing* swing, double t)
{
	rpStance back = *to;
	back.heading -= swing->carry.turn;
	back.ball = rpRotate(rpYaw(-swing->carry.turn), rpSub(to->ball, swing->carry.shift));
	rpFootPlan foot = rpPlanSwing(from, &back, t);
	detour(from, &back, swing, t, &foot);
	double s = (t - from->off) / (to->strike - from->off);
	const rpKnot brisk[4] = {
		{.t = 0.0},
		{.t = swing->pace.leaving, .p = {swing->pace.left}, .v = {swing->pace.rate}},
		{.t = 1.0 - swing->pace.meeting, .p = {1.0 - swing->pace.missing}, .v = {swing->pace.rate}},
		{.t = 1.0, .p = {1.0}}};
	float part = rpEase(0.0, 1.0, s);
	part += swing->brisk > 0.0f ? swing->brisk * (rpSampleKnots(brisk, 4, s).x - part) : 0.0f;
	rpFrame now = {rpScale(part, swing->carry.shift), part * swing->carry.turn};
	foot.ankle = rpFrame_Place(now, foot.ankle);
	foot.heading += now.turn;
	return foot;
}

static rpFootPlan planSwing(const rpScore* score, int side, int i, double t)
{
	const rpStance *from = score->stances[side] + i, *to = from + 1;
	const rpSwing* swing = score->swings[side] + i;
	rpFootPlan foot = carrySwing(from, to, swing, t);
	foot.loose = swing->loose * rpEaseInOut(from->off, from->off + LOOSEN, to->strike - LOOSEN, to->strike, t);
	return foot;
}

static void planFeet(const rpScore* score, double t, rpBodyPlan* plan)
{
	for (int side = 0; side < 2; ++side)
	{
		int i = 0;
		while (i + 1 < score->stanceCount[side] && score->stances[side][i + 1].strike <= t)
		{
			++i;
		}
		bool stands = i + 1 == score->stanceCount[side] || t <= score->stances[side][i].off;
		plan->feet[side] = stands ? rpStance_PlanFoot(score->stances[side] + i, t) : planSwing(score, side, i, t);
	}
}

// The centre of mass: by its own knots, or standing at ease with x and z from the channels.
static void planCenter(const rpScore* score, double t, rpBodyPlan* plan)
{
	plan->legReach = STAND_REACH;
	if (score->riseCount == 0)
	{
		plan->center.x += sampleChannel(score, rp_channelX, t);
		plan->center.z += sampleChannel(score, rp_channelZ, t);
		plan->pelvis = (rpVec3){plan->center.x, SPOT_PELVIS_HEIGHT + sampleChannel(score, rp_channelY, t),
								plan->center.z - STAND_CENTER_FORWARD};
		plan->holds[1] = false;
		return;
	}
	double first = score->rise[0].t, last = score->rise[score->riseCount - 1].t;
	float calm = 1.0f - rpEaseInOut(first, first + 0.3, last - 0.3, last, t);
	rpVec3 place = rpSampleKnots(score->path, score->pathCount, t);
	plan->center.x = calm * plan->center.x + place.x;
	plan->center.z = calm * (plan->center.z - STAND_CENTER_FORWARD) + place.z;
	plan->center.y = rpSampleKnots(score->rise, score->riseCount, t).x;
	plan->holds[1] = true;
	plan->pelvis = rpAdd(plan->center, (rpVec3){0.0f, -0.02f, -STAND_CENTER_FORWARD});
}

// Where the pelvis is when the seat is at its place.
static rpVec3 getSeated(const rpScore* score, const rpBodyPlan* plan)
{
	rpBodyPlan still = *plan;
	still.pelvis = rpVec3_zero;
	// The hips lie on either side of the seat's line through the pelvis.
	rpVec3 hips = rpLerp(rpBodyPlan_GetHip(&still, 0), rpBodyPlan_GetHip(&still, 1), 0.5f);
	return rpSub(score->seat, rpScale(SEAT_OFFSET.y / -HIP_DROP, hips));
}

static void planSeat(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	float seated =
		rpEase(score->sits - SEAT_MEET, score->sits, t) * (1.0f - rpEase(score->rises, score->rises + SEAT_MEET, t));
	if (score->sits >= score->rises || seated <= 0.0f)
	{
		return;
	}
	rpQuat rotations[rp_performerJointCount];
	rpBodyPlan free = *plan;
	rpBodyPlan_Settle(&free, performance->skeleton, performance->body, rotations);
	plan->pelvis = rpLerp(free.pelvis, getSeated(score, plan), seated);
	plan->holds[0] = plan->holds[1] = plan->holds[2] = false;
	plan->legReach = 0.0f;
}

// The n-th time.
static void planTime(const rpScore* score, const rpPerformance* performance, int n, double t, rpBodyPlan* plan)
{
	planFeet(score, t, plan);
	plan->heading = 0.0f;
	if (score->turnCount > 0)
	{
		plan->heading = rpSampleKnots(score->turns, score->turnCount, t).x;
	}
	planChannels(score, &performance->manner, n, t, plan);
	planCenter(score, t, plan);
	planSeat(score, performance, t, plan);
}

// What everything written is added to.
static void planBase(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	if (score->guarded)
	{
		rpPerformance_PlanGuard(performance, t, plan);
	}
	else
	{
		rpPerformance_PlanStand(performance, t, plan);
	}
}

void rpScore_Plan(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	planTime(score, performance, 0, t, plan);
}

void rpScore_Settle(const rpScore* score, const rpPerformance* performance, double t, rpBodyPlan* plan,
					rpTransform* world)
{
	rpQuat rotations[rp_performerJointCount];
	planBase(score, performance, t, plan);
	rpScore_Plan(score, performance, t, plan);
	rpBodyPlan_Settle(plan, performance->skeleton, performance->body, rotations);
	rpSkeleton_Forward(performance->skeleton, plan->pelvis, rotations, NULL, world);
}

// Write the score anew, keeping its efforts.
static void rewrite(const rpPerformance* performance, rpScoreFn* write, rpScore* score)
{
	rpScore fresh = {.efforts = {score->efforts[0], score->efforts[1], score->efforts[2]}};
	*score = fresh;
	write(performance, score);
}

// How much there is to measure with an effort.
static float try(rpScore* score, const rpPerformance* performance, int which, float effort, rpScoreFn* write,
				 rpMeasureFn* measure)
{
	score->efforts[which] = effort;
	rewrite(performance, write, score);
	return measure(performance, score);
}

void rpScore_Fit(rpScore* score, const rpPerformance* performance, int which, rpScoreFn* write, rpMeasureFn* measure,
				 float limit)
{
	// Step by step to the first effort that is enough, as too much may be as bad as too little; then finer.
	float best = 0.0f, min = INFINITY, low = 0.0f, high = -1.0f;
	for (int i = 0; i <= FIT_COARSE && high < 0.0f; ++i)
	{
		float effort = (float)i / FIT_COARSE, amount = try(score, performance, which, effort, write, measure);
		best = amount < min ? effort : best;
		min = fminf(min, amount);
		high = amount <= limit ? effort : high;
		low = amount <= limit ? low : effort;
	}
	for (int i = 0; i < FIT_FINE && high > 0.0f; ++i)
	{
		float middle = 0.5f * (low + high);
		bool enough = try(score, performance, which, middle, write, measure) <= limit;
		low = enough ? low : middle;
		high = enough ? middle : high;
	}
	score->efforts[which] = high >= 0.0f ? high : best;
	rewrite(performance, write, score);
}

rpScore* rpPerformance_MakeScore(rpPerformance* performance, rpScoreFn* write, rpError* error)
{
	rpScore* score = rpAllocate(1, sizeof(rpScore), error);
	performance->state = score;
	if (score != NULL)
	{
		*score = (rpScore){0};
		write(performance, score);
	}
	return score;
}

static int countRepeats(const rpScore* score, double seconds)
{
	return score->repeats ? (int)fmax(floor((seconds + 1e-6) / score->period), 1.0) : 1;
}

// When the n-th time begins: no two last quite as long, unless they fly, which takes its time.
static double getStart(const rpPerformance* performance, const rpScore* score, int n)
{
	const rpManner* manner = &performance->manner;
	bool exact = score->riseCount > 0 || n <= 0 || n >= countRepeats(score, performance->seconds);
	return score->period *
		   (n + (exact ? 0.0 : TEMPO_VARIETY * (double)(manner->variation * rpChance(manner->seed, 399, n))));
}

/// The time of a repetition: when it begins and how much longer than written it is.
typedef struct Tempo
{
	double start, scale;
} Tempo;

static Tempo getTempo(const rpPerformance* performance, const rpScore* score, int n)
{
	double start = getStart(performance, score, n);
	return (Tempo){start, score->repeats ? (getStart(performance, score, n + 1) - start) / score->period : 1.0};
}

static bool playNotes(rpPerformance* performance, const rpScore* score, Tempo tempo, rpError* error)
{
	double start = tempo.start, scale = tempo.scale;
	bool ok = true;
	for (int i = 0; ok && i < score->standCount; ++i)
	{
		ok = rpPerformance_AddStand(performance, start + scale * score->stands[i].start,
									start + scale * score->stands[i].end, error);
	}
	for (int i = 0; ok && i < score->eventCount; ++i)
	{
		ok = rpPerformance_AddEvent(performance, score->events[i].name, start + scale * score->events[i].start, error);
	}
	rpRest rest = {rp_seat, start + scale * score->sits, start + scale * score->rises, score->seat.y};
	return ok && (score->sits >= score->rises || rpPerformance_AddRest(performance, &rest, error));
}

// The stances of one side of the n-th repetition; the first one of it goes on with the last one of that before.
static bool playStances(rpPerformance* performance, const rpScore* score, int side, int n, rpFrame frame,
						rpError* error)
{
	Tempo tempo = getTempo(performance, score, n);
	for (int i = 0; i < score->stanceCount[side]; ++i)
	{
		rpStance stance = score->stances[side][i];
		stance.strike = tempo.start + tempo.scale * stance.strike;
		stance.flat = tempo.start + tempo.scale * stance.flat;
		stance.lift = tempo.start + tempo.scale * stance.lift;
		stance.off = tempo.start + tempo.scale * stance.off;
		stance.ball = rpFrame_Place(frame, stance.ball);
		stance.heading += frame.turn;
		bool joins = i == 0 && n > 0 && score->repeats;
		if (joins)
		{
			rpStance* last = performance->stances[side] + performance->stanceCount[side] - 1;
			last->lift = stance.lift;
			last->off = stance.off;
			last->liftPitch = stance.liftPitch;
		}
		else if (!rpPerformance_AddStance(performance, &stance, error))
		{
			return false;
		}
	}
	return true;
}

bool rpPerformance_PlayScore(rpPerformance* performance, rpError* error)
{
	const rpScore* score = performance->state;
	rpFrame frame = {0};
	bool ok = true;
	int count = countRepeats(score, performance->seconds);
	for (int n = 0; ok && n < count; ++n)
	{
		ok = playStances(performance, score, 0, n, frame, error) &&
			 playStances(performance, score, 1, n, frame, error) &&
			 playNotes(performance, score, getTempo(performance, score, n), error);
		frame = rpFrame_Follow(frame, score->next);
	}
	return ok;
}

void rpFrame_MovePlan(rpFrame frame, rpBodyPlan* plan)
{
	plan->pelvis = rpFrame_Place(frame, plan->pelvis);
	plan->center = rpFrame_Place(frame, plan->center);
	plan->heading += frame.turn;
	plan->turn = rpRotate(rpYaw(frame.turn), plan->turn);
	for (int side = 0; side < 2; ++side)
	{
		plan->feet[side].ankle = rpFrame_Place(frame, plan->feet[side].ankle);
		plan->feet[side].heading += frame.turn;
		plan->arms[side].target = rpFrame_Place(frame, plan->arms[side].target);
		plan->arms[side].elbowDirection = rpRotate(rpYaw(frame.turn), plan->arms[side].elbowDirection);
	}
}

void rpPerformance_PlanScore(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const rpScore* score = performance->state;
	int count = countRepeats(score, performance->seconds);
	int n = (int)fmin(fmax(floor(t / score->period), 0.0), count - 1);
	// The boundaries between two times vary.
	n = n > 0 && t < getStart(performance, score, n) ? n - 1 : n;
	n = n + 1 < count && t >= getStart(performance, score, n + 1) ? n + 1 : n;
	rpFrame frame = {0};
	for (int i = 0; i < n; ++i)
	{
		frame = rpFrame_Follow(frame, score->next);
	}
	planBase(score, performance, t, plan);
	Tempo tempo = getTempo(performance, score, n);
	planTime(score, performance, n, (t - tempo.start) / tempo.scale, plan);
	rpFrame_MovePlan(frame, plan);
}

float rpGetArmStretch(const rpTransform* world, int side, const rpGrasp* grasp)
{
	int upper = side == 0 ? rp_leftUpperArm : rp_rightUpperArm;
	float length = UPPER_ARM_LENGTH + FOREARM_LENGTH + HAND_LENGTH * (1.0f - grasp->shortOf);
	return rpDistance(world[upper].p, grasp->target) / length;
}
