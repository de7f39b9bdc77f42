#include "live/gait_director.h"

#include "live/player_kind.h"
#include "live/stand_choice.h"

#include <math.h>

// γ of eq. 11: how much of the next acceleration is new; and as much of what a half cycle missed by is made up for.
#define GAMMA 0.5f

// How fast a wanted direction is turned to: rad/s for a radian. Half a turn is asked for at more than takes hold.
#define TURN_GAIN 1.5f

// A stand is planned in pieces, so that a request need not wait for its end, seconds; what is left of one is not cut
// into less than a quarter of that.
#define STAND_PIECE 0.4
#define SHORTEST_PIECE (STAND_PIECE / 4.0)

static float clamp(float value, float low, float high)
{
	return fminf(fmaxf(value, low), high);
}

static float clampToNode(const rpLocomotionNode* node, int parameter, float value)
{
	return clamp(value, node->lows[parameter], node->highs[parameter]);
}

static bool isCyclic(rpMovementKind kind)
{
	return rpMovementKind_GetBefore(kind) == rpMovementKind_GetAfter(kind);
}

static bool hasKind(const rpGaitModel* model, int kind)
{
	return (model->core >> kind & 1) != 0;
}

rpGaitDirector rpStartGaitDirector(uint64_t seed, const rpWeightDef* weights, float maxBend)
{
	return (rpGaitDirector){
		.random = rpSeedRandom(seed), .weights = *weights, .maxBend = maxBend, .stand = -1, .standPace = 1.0};
}

// ---- wishes

/// What half cycles of a gait have; turns of any foot.
typedef struct GaitRange
{
	rpGaitLimits limits;
	float lowTurn, highTurn;
	int count;
} GaitRange;

static void addNode(GaitRange* range, const rpLocomotionNode* node)
{
	rpGaitLimits* limits = &range->limits;
	limits->slowest = fminf(limits->slowest, node->lows[rp_movementSpeed]);
	limits->fastest = fmaxf(limits->fastest, node->highs[rp_movementSpeed]);
	limits->maxTurnLeft = fminf(limits->maxTurnLeft, fmaxf(node->highs[rp_movementTurn], 0.0f));
	limits->maxTurnRight = fminf(limits->maxTurnRight, fmaxf(-node->lows[rp_movementTurn], 0.0f));
	limits->usual += (float)node->movementCount * node->means[rp_movementSpeed];
	range->lowTurn = fminf(range->lowTurn, node->lows[rp_movementTurn]);
	range->highTurn = fmaxf(range->highTurn, node->highs[rp_movementTurn]);
	range->count += node->movementCount;
}

static GaitRange getRange(const rpGaitModel* model, rpGait gait)
{
	GaitRange range = {{INFINITY, 0.0f, -INFINITY, INFINITY, INFINITY, 0.0f, 0.0f}, INFINITY, -INFINITY, 0};
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		if (hasKind(model, kind) && isCyclic((rpMovementKind)kind) &&
			rpMovementKind_GetBefore((rpMovementKind)kind) == gait)
		{
			addNode(&range, &model->graph->nodes[kind]);
		}
	}
	range.limits.usual /= (float)(range.count > 0 ? range.count : 1);
	return range.count > 0 ? range : (GaitRange){0};
}

// Of the movements that lead from one gait to another, or on in it: their seconds and metres on the average, 0 where
// there are none.
static void getMeans(const rpGaitModel* model, rpGait from, rpGait to, float* seconds, float* distance)
{
	float sumSeconds = 0.0f, sumDistance = 0.0f;
	int count = 0;
	for (int i = 0; i < model->graph->movementCount; ++i)
	{
		const rpMovement* movement = &model->graph->movements[i];
		if (hasKind(model, (int)movement->kind) && rpMovementKind_GetBefore(movement->kind) == from &&
			rpMovementKind_GetAfter(movement->kind) == to)
		{
			float length = (float)(movement->end - movement->start);
			sumSeconds += length;
			sumDistance += length * movement->speed;
			++count;
		}
	}
	*seconds = count > 0 ? sumSeconds / (float)count : 0.0f;
	*distance = count > 0 ? sumDistance / (float)count : 0.0f;
}

rpGaitLimits rpFindGaitLimits(const rpGaitModel* model, rpGait gait)
{
	rpGaitLimits limits = gait == rp_gaitStand ? (rpGaitLimits){0} : getRange(model, gait).limits;
	if (limits.fastest > 0.0f)
	{
		float unused;
		getMeans(model, gait, gait, &limits.halfCycle, &unused);
		getMeans(model, gait, rp_gaitStand, &unused, &limits.stop);
	}
	return limits;
}

static float makeFinite(float value)
{
	return isfinite(value) ? value : 0.0f;
}

// A turn that takes have, or that they can be bent to.
static float clampTurn(const GaitRange* range, float turn, float bend)
{
	return clamp(turn, range->lowTurn - bend, range->highTurn + bend);
}

rpGaitWish rpFindGaitWish(const rpGaitModel* model, const rpPlayerInput* input, float heading, float maxBend)
{
	rpGaitWish wish = {input->request >= 0 && input->request < rp_gaitCount ? (rpGait)input->request : rp_gaitStand,
					   makeFinite(input->locomotion.speed), makeFinite(input->locomotion.turn)};
	float x = makeFinite(input->stick.x), z = makeFinite(input->stick.y), length = sqrtf(x * x + z * z);
	bool isSteered = length >= RP_DEAD_ZONE && isfinite(length);
	wish.gait = isSteered && wish.gait == rp_gaitStand ? rp_gaitWalk : wish.gait;
	if (wish.gait == rp_gaitStand)
	{
		return (rpGaitWish){.gait = rp_gaitStand};
	}
	GaitRange range = getRange(model, wish.gait);
	if (isSteered)
	{
		float share = (fminf(length, 1.0f) - RP_DEAD_ZONE) / (1.0f - RP_DEAD_ZONE);
		wish.speed = wish.speed > 0.0f ? wish.speed
									   : range.limits.slowest + share * (range.limits.fastest - range.limits.slowest);
		wish.turn = clampTurn(&range, TURN_GAIN * rpWrapAngle(rpAtan2(x, z) - heading), maxBend * wish.speed);
	}
	wish.speed = wish.speed > 0.0f ? wish.speed : range.limits.usual;
	return wish;
}

// ---- the kind of movement

// How far a kind is from the wish, where it can follow.
static int getDistance(const rpGaitModel* model, int kind, rpGait gait)
{
	int distance = model->distances[gait][kind];
	return distance >= 0 ? distance : rp_movementKindCount;
}

// Of those that lead to the gait the soonest; of several the one or the other, as often as it is in the takes.
static rpMovementKind chooseKind(rpGaitDirector* director, const rpGaitModel* model, rpMovementKind last, rpGait gait)
{
	uint32_t options = model->graph->nodes[last].successors & model->core;
	int nearest = rp_movementKindCount + 1, total = 0, chosen = (int)last;
	options |= last == rp_movementS ? 1u << rp_movementS : 0;
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		int distance = getDistance(model, kind, gait), count = model->graph->nodes[kind].movementCount;
		if ((options >> kind & 1) == 0 || distance > nearest)
		{
			continue;
		}
		total = distance < nearest ? count : total + count;
		nearest = distance;
		bool isTaken = total == count || rpRandom_Index(&director->random, total) < count;
		chosen = isTaken ? kind : chosen;
	}
	return (rpMovementKind)chosen;
}

static bool goesOn(const rpGaitModel* model, rpGait gait)
{
	bool found = false;
	for (int kind = 0; kind < rp_movementKindCount && !found; ++kind)
	{
		found = model->distances[gait][kind] == 0;
	}
	return found;
}

// A gait that the model does not have is not gone for: instead of running it walks, instead of walking it runs; a model
// that cannot stand goes on slowly.
static rpGaitWish limitWish(const rpGaitDirector* director, const rpGaitModel* model, rpMovementKind last,
							const rpGaitWish* wish)
{
	rpGaitWish limited = *wish;
	if (!goesOn(model, wish->gait))
	{
		rpGait other = wish->gait == rp_gaitRun ? rp_gaitWalk : rp_gaitRun;
		bool goesOther = wish->gait != rp_gaitStand && goesOn(model, other);
		limited.gait = goesOther ? other : rpMovementKind_GetAfter(last);
		limited.speed = wish->gait == rp_gaitStand ? 0.0f : wish->speed;
	}
	GaitRange range = getRange(model, limited.gait);
	limited.speed = clamp(limited.speed, range.limits.slowest, range.limits.fastest);
	limited.turn = clampTurn(&range, limited.turn, director->maxBend * limited.speed);
	return limited;
}

// ---- its parameters

// A step towards what is wanted, by no more than movements of the takes deviate: so none differs much from the last.
static float approach(const rpLocomotionNode* node, int parameter, float from, float to)
{
	return from + clamp(to - from, -node->deviations[parameter], node->deviations[parameter]);
}

// Turns that are bent go farther in a step: a bend is there within two.
static float approachTurn(const rpGaitDirector* director, const rpLocomotionNode* node, float to)
{
	float step = node->deviations[rp_movementTurn] + 0.5f * director->maxBend * director->speed;
	return director->turn + clamp(to - director->turn, -step, step);
}

// What is asked for in addition, by no more than that either.
static float limitFix(const rpLocomotionNode* node, int parameter, float fix)
{
	return approach(node, parameter, 0.0f, fix);
}

// Eq. 17: the half cycle of one foot turns more than that of the other.
static float shareTurn(const rpGaitModel* model, rpMovementKind kind, float speed, float turn)
{
	const rpTurnRule* rule = &model->graph->turnRules[rpMovementKind_GetBefore(kind)];
	float half = 0.5f * (rule->bySpeed * speed + rule->byTurn * turn + rule->constant);
	return rpMovementKind_GetFoot(kind) == 'L' ? turn + half : turn - half;
}

// A half cycle: speed and turn go a step towards the wish, acceleration by eq. 11.
static void askHalfCycle(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last,
						 const rpGaitWish* wish, rpMovementKind kind, float* asked)
{
	const rpLocomotionNode* node = &model->graph->nodes[kind];
	bool isNew = !isCyclic(last->kind);
	float seconds = (float)rpMovementPlan_GetDuration(last), before = director->speed;
	if (isNew)
	{
		// A transition ends faster, or slower, than it is on the average.
		before = clampToNode(node, rp_movementSpeed, last->speed + 0.5f * seconds * director->acceleration);
		director->turn = last->turn;
		director->speedFix = director->turnFix = 0.0f;
	}
	director->speed = approach(node, rp_movementSpeed, before, clampToNode(node, rp_movementSpeed, wish->speed));
	director->turn = approachTurn(director, node, wish->turn);
	director->speedFix = limitFix(node, rp_movementSpeed, director->speedFix);
	director->turnFix = limitFix(node, rp_movementTurn, director->turnFix);
	director->acceleration =
		isNew ? node->means[rp_movementAcceleration]
			  : (1.0f - GAMMA) * director->acceleration + GAMMA * (director->speed - before) / seconds;
	// What takes do not hold is done as nearly as one of them does it, lest the blend hangs on the oddest of them.
	float turn = shareTurn(model, kind, director->speed, director->turn) + director->turnFix;
	asked[rp_movementSpeed] = clampToNode(node, rp_movementSpeed, director->speed + director->speedFix);
	asked[rp_movementTurn] = clampToNode(node, rp_movementTurn, turn);
	asked[rp_movementAcceleration] = director->acceleration;
}

// What of a turn no take has.
static void bend(const rpGaitDirector* director, const rpGaitModel* model, rpGait gait, rpMovementPlan* plan)
{
	GaitRange range = getRange(model, gait);
	float limit = director->maxBend * plan->speed;
	float beyond = director->turn - clamp(director->turn, range.lowTurn, range.highTurn);
	if (beyond != 0.0f)
	{
		rpMovementPlan_Bend(plan, clamp(beyond, -limit, limit));
	}
}

// A transition has what the movement before it has; from a stand, what is wished for.
static void askTransition(rpGaitDirector* director, const rpGaitModel* model, const rpGaitWish* wish,
						  rpMovementKind kind, float* asked)
{
	const rpLocomotionNode* node = &model->graph->nodes[kind];
	if (rpMovementKind_GetBefore(kind) == rp_gaitStand)
	{
		director->speed = wish->speed;
		director->turn = wish->turn;
		director->acceleration = node->means[rp_movementAcceleration];
	}
	director->speed = clampToNode(node, rp_movementSpeed, director->speed);
	director->turn = clampToNode(node, rp_movementTurn, director->turn);
	director->acceleration = clampToNode(node, rp_movementAcceleration, director->acceleration);
	asked[rp_movementSpeed] = director->speed;
	asked[rp_movementTurn] = director->turn;
	asked[rp_movementAcceleration] = director->acceleration;
}

// ---- stands

static const rpStand* getStand(const rpGaitDirector* director, const rpGaitModel* model)
{
	return &model->stands[director->stand - model->graph->nodes[rp_movementS].firstMovement];
}

// Seconds that a stand can go on for as it does: forwards to the end of its quiet part, or back to the start of that.
static double getStandRest(const rpGaitDirector* director, const rpGaitModel* model)
{
	const rpStand* stand = getStand(director, model);
	double end = director->standPace > 0.0 ? stand->to : stand->from;
	return fmax((end - director->standTime) / director->standPace, 0.0);
}

// The quiet part of a stand is gone through in a second at the fastest: someone who goes to and fro in less is
// restless.
static void beginStand(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last)
{
	rpStandStart start = rpChooseStand(model, last);
	director->stand = start.movement;
	director->standTime = start.time;
	const rpStand* stand = getStand(director, model);
	director->standPace = fmin((stand->to - stand->from) / RP_SWAY_SECONDS, 1.0);
}

// A stand goes on forwards to its end, then backwards to its start, and so on: feet stay where they are.
static void planStand(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last,
					  rpMovementPlan* out)
{
	if (last == NULL || last->kind != rp_movementS)
	{
		beginStand(director, model, last);
	}
	double rest = getStandRest(director, model);
	if (rest < SHORTEST_PIECE)
	{
		director->standPace = -director->standPace;
		rest = getStandRest(director, model);
	}
	// Nothing is planned that lasts no time, however short the stand is.
	double length = fmax(rest < STAND_PIECE + SHORTEST_PIECE ? rest : STAND_PIECE, SHORTEST_PIECE);
	double end = director->standTime + director->standPace * fmin(length, rest);
	rpMovementPlan_MakeStand(out, model, director->stand, director->standTime, end, length);
	director->standTime = end;
	director->speed = director->turn = director->acceleration = 0.0f;
}

// ---- movements

void rpGaitDirector_PlanFirst(rpGaitDirector* director, const rpGaitModel* model, rpMovementPlan* out)
{
	int first = -1;
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		bool isMore = first < 0 || model->graph->nodes[kind].movementCount > model->graph->nodes[first].movementCount;
		first = hasKind(model, kind) && isMore ? kind : first;
	}
	if (hasKind(model, rp_movementS))
	{
		planStand(director, model, NULL, out);
		return;
	}
	const rpLocomotionNode* node = &model->graph->nodes[first];
	director->speed = node->means[rp_movementSpeed];
	director->turn = node->means[rp_movementTurn];
	director->acceleration = node->means[rp_movementAcceleration];
	rpMovementPlan_Make(out, model, (rpMovementKind)first, node->means, &director->weights);
}

void rpGaitDirector_PlanNext(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last,
							 const rpGaitWish* wish, rpMovementPlan* out)
{
	rpGaitWish limited = limitWish(director, model, last->kind, wish);
	rpMovementKind kind = chooseKind(director, model, last->kind, limited.gait);
	float asked[rp_movementParameterCount];
	if (kind == rp_movementS)
	{
		planStand(director, model, last, out);
		return;
	}
	if (isCyclic(kind))
	{
		askHalfCycle(director, model, last, &limited, kind, asked);
	}
	else
	{
		askTransition(director, model, &limited, kind, asked);
	}
	rpMovementPlan_Make(out, model, kind, asked, &director->weights);
	if (isCyclic(kind))
	{
		bend(director, model, limited.gait, out);
	}
}

void rpGaitDirector_CloseLoop(rpGaitDirector* director, const rpMovementPlan* plan)
{
	if (!isCyclic(plan->kind) || plan->kind == rp_movementS)
	{
		return;
	}
	director->speedFix += GAMMA * (director->speed - plan->speed);
	director->turnFix += GAMMA * (director->turn - plan->turn);
}
