#include "live/gait_director.h"

#include "live/stand_choice.h"

#include <math.h>

// A direction that is shorter means: none.
#define DEAD_ZONE 0.1f

// γ of eq. 11: how much of the next acceleration is new.
#define GAMMA 0.5f

// How far speed and turn go towards the wish in one half cycle: m/s, rad/s.
#define SPEED_STEP 0.35f
#define TURN_STEP 0.4f

// How fast a wanted direction is turned to: rad/s for a radian.
#define TURN_GAIN 1.5f

// Share of what a half cycle missed by that is added to the next wishes, and how much that can become: m/s, rad/s.
#define FIX_GAIN 0.5f
#define GREATEST_SPEED_FIX 0.3f
#define GREATEST_TURN_FIX 0.5f

// A stand is planned in pieces, so that a request need not wait for its end, seconds.
#define STAND_PIECE 0.4
#define SHORTEST_STAND 0.1

// A stand need not be slower than this, in its own seconds per second.
#define SLOWEST_STAND 0.05

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

rpGaitDirector rpStartGaitDirector(uint64_t seed, const rpWeightDef* weights)
{
	return (rpGaitDirector){.random = rpSeedRandom(seed), .weights = *weights, .stand = -1, .standPace = 1.0};
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
	limits->mostLeft = fminf(limits->mostLeft, fmaxf(node->highs[rp_movementTurn], 0.0f));
	limits->mostRight = fminf(limits->mostRight, fmaxf(-node->lows[rp_movementTurn], 0.0f));
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
static void getMeans(const rpGaitModel* model, rpGait from, rpGait to, float* seconds, float* way)
{
	float sumSeconds = 0.0f, sumWay = 0.0f;
	int count = 0;
	for (int i = 0; i < model->graph->movementCount; ++i)
	{
		const rpMovement* movement = &model->graph->movements[i];
		if (hasKind(model, (int)movement->kind) && rpMovementKind_GetBefore(movement->kind) == from &&
			rpMovementKind_GetAfter(movement->kind) == to)
		{
			float length = (float)(movement->end - movement->start);
			sumSeconds += length;
			sumWay += length * movement->speed;
			++count;
		}
	}
	*seconds = count > 0 ? sumSeconds / (float)count : 0.0f;
	*way = count > 0 ? sumWay / (float)count : 0.0f;
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

rpGaitWish rpFindGaitWish(const rpGaitModel* model, const rpPlayerInput* input, float heading)
{
	rpGaitWish wish = {(int)input->gait >= 0 && input->gait < rp_gaitCount ? input->gait : rp_gaitStand,
					   makeFinite(input->speed), makeFinite(input->turn)};
	float x = makeFinite(input->direction.x), z = makeFinite(input->direction.y), length = sqrtf(x * x + z * z);
	bool isSteered = length >= DEAD_ZONE && isfinite(length);
	wish.gait = isSteered && wish.gait == rp_gaitStand ? rp_gaitWalk : wish.gait;
	if (wish.gait == rp_gaitStand)
	{
		return (rpGaitWish){.gait = rp_gaitStand};
	}
	GaitRange range = getRange(model, wish.gait);
	if (isSteered)
	{
		float share = (fminf(length, 1.0f) - DEAD_ZONE) / (1.0f - DEAD_ZONE);
		wish.speed = wish.speed > 0.0f ? wish.speed
									   : range.limits.slowest + share * (range.limits.fastest - range.limits.slowest);
		wish.turn = clamp(TURN_GAIN * rpWrapAngle(atan2f(x, z) - heading), range.lowTurn, range.highTurn);
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
static rpGaitWish limitWish(const rpGaitModel* model, rpMovementKind last, const rpGaitWish* wish)
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
	limited.turn = clamp(limited.turn, range.lowTurn, range.highTurn);
	return limited;
}

// ---- its parameters

static float approach(float from, float to, float step)
{
	return from + clamp(to - from, -step, step);
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
	director->speed = approach(before, clampToNode(node, rp_movementSpeed, wish->speed), SPEED_STEP);
	director->turn = approach(director->turn, wish->turn, TURN_STEP);
	director->acceleration =
		isNew ? node->means[rp_movementAcceleration]
			  : (1.0f - GAMMA) * director->acceleration + GAMMA * (director->speed - before) / seconds;
	// What takes do not hold is done as nearly as one of them does it, lest the blend hangs on the oddest of them.
	float turn = shareTurn(model, kind, director->speed, director->turn) + director->turnFix;
	asked[rp_movementSpeed] = clampToNode(node, rp_movementSpeed, director->speed + director->speedFix);
	asked[rp_movementTurn] = clampToNode(node, rp_movementTurn, turn);
	asked[rp_movementAcceleration] = director->acceleration;
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

// The quiet part of a stand is gone through in a second at the fastest: who goes to and fro in less is restless.
static void beginStand(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last)
{
	rpStandStart start = rpChooseStand(model, last);
	director->stand = start.movement;
	director->standTime = start.time;
	const rpStand* stand = getStand(director, model);
	director->standPace = fmin(fmax((stand->to - stand->from) / RP_SWAY_SECONDS, SLOWEST_STAND), 1.0);
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
	if (rest < SHORTEST_STAND)
	{
		director->standPace = -director->standPace;
		rest = getStandRest(director, model);
	}
	// Nothing is planned that lasts no time, however short the stand is.
	double length = fmax(rest < STAND_PIECE + SHORTEST_STAND ? rest : STAND_PIECE, SHORTEST_STAND);
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
	rpGaitWish limited = limitWish(model, last->kind, wish);
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
}

void rpGaitDirector_CloseLoop(rpGaitDirector* director, const rpMovementPlan* plan)
{
	if (!isCyclic(plan->kind) || plan->kind == rp_movementS)
	{
		return;
	}
	float speedFix = director->speedFix + FIX_GAIN * (director->speed - plan->speed);
	float turnFix = director->turnFix + FIX_GAIN * (director->turn - plan->turn);
	director->speedFix = clamp(speedFix, -GREATEST_SPEED_FIX, GREATEST_SPEED_FIX);
	director->turnFix = clamp(turnFix, -GREATEST_TURN_FIX, GREATEST_TURN_FIX);
}
