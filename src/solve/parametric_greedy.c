/// Going to a place greedily (Heck, 6.2.2.2): "I choose the parameter vector that both adjusts the character's travel
/// direction towards the target and orients the character towards the desired facing direction. I place more weight on
/// the orientation component of this optimization function as the character gets closer to the target."
#include "solve/parametric_planner.h"
#include "solve/parametric_refine.h"

#include <math.h>

// So far away a place is a direction, metres.
#define FAR 1000.0f

static int findFirstNode(const rpParametricGraph* graph, const rpParametricGoDef* def)
{
	int wanted = def->startNode >= 0 ? def->startNode : def->goalNode;
	for (int n = 0; n < graph->nodeCount && wanted < 0; ++n)
	{
		for (int k = 0; k < graph->nodes[n].space->parameterCount; ++k)
		{
			wanted = graph->nodes[n].axes[k] == rp_axisTurn && wanted < 0 ? n : wanted;
		}
	}
	return wanted >= 0 ? wanted : 0;
}

// What is asked of the motion that begins there: to go in the direction that has the least sum of squares of what the
// travel misses the goal's direction by and the facing the heading.
static rpPlayerInput ask(const rpParametricGoDef* def, const rpParametricBeginning* begins)
{
	rpVec3 way = rpSub(def->goal.shift, begins->root.shift);
	float weight = def->hasHeading ? expf(-rpHypot(way.x, way.z) / def->nearness) : 0.0f, s, c;
	float travel = rpWrapAngle(rpAtan2(way.x, way.z) - begins->travel);
	float facing = rpWrapAngle(def->goal.turn - begins->root.turn);
	// Both turns the same way round.
	facing = travel + rpWrapAngle(facing - travel);
	rpSinCos(begins->travel + travel + weight * (facing - travel), &s, &c);
	rpVec3 target = rpAdd(begins->root.shift, (rpVec3){FAR * s, 0.0f, FAR * c});
	return (rpPlayerInput){.request = def->goalNode + 1, .parametric = {.hasTarget = true, .target = target}};
}

static int chooseEdge(rpParametricPlanner* planner, const rpParametricMotion* now, const rpPlayerInput* input)
{
	const rpParametricGraph* graph = planner->model.graph;
	rpRandom none = rpSeedRandom(0);
	bool isAny = false;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		planner->usable[e] =
			graph->edges[e].source == now->clip.node && !rpParametricGraph_LookUp(graph, e, now->clip.values).isEmpty;
		isAny = isAny || planner->usable[e];
	}
	return isAny ? rpChooseParametricEdge(graph, &planner->routes, now->clip.node, input, planner->usable, &none) : -1;
}

static void begin(rpParametricPlanner* planner, const rpParametricGoDef* def, rpCourse* course)
{
	const rpParametricGraph* graph = planner->model.graph;
	int node = findFirstNode(graph, def);
	rpParametricBeginning begins = {def->start, def->start.turn + (float)planner->limits.slant};
	rpParametricBox box = rpSpace_GetBox(graph->nodes[node].space);
	rpPlayerInput input = ask(def, &begins);
	rpRandom none = rpSeedRandom(0);
	float wanted[RP_MAX_SPACE_PARAMETERS] = {0}, granted[RP_MAX_SPACE_PARAMETERS] = {0};
	rpChooseParametricValues(graph, node, &input, &begins, &box, NULL, &none, wanted, granted);
	rpCourse_Begin(course, node, granted);
}

static bool append(rpParametricPlanner* planner, const rpParametricGoDef* def, rpCourse* course)
{
	const rpParametricGraph* graph = planner->model.graph;
	const rpParametricMotion* now = &course->motions[course->count - 1].motion;
	rpPlayerInput input = {.request = def->goalNode + 1};
	rpRandom none = rpSeedRandom(0);
	int edge = chooseEdge(planner, now, &input);
	if (edge < 0)
	{
		return false;
	}
	int node = graph->edges[edge].target;
	float wanted[RP_MAX_SPACE_PARAMETERS] = {0}, granted[RP_MAX_SPACE_PARAMETERS] = {0};
	rpParametricStep_Begin(&planner->model, now, edge, course->step);
	rpParametricBeginning begins =
		rpParametricModel_GetBeginning(&planner->model, &now->span, course->step->from, now->clip.end);
	input = ask(def, &begins);
	rpChooseParametricValues(graph, node, &input, &begins, &course->step->box,
							 node == now->clip.node ? now->clip.values : NULL, &none, wanted, granted);
	return rpCourse_Append(course, edge, granted);
}

bool rpGoGreedily(rpParametricPlanner* planner, const rpParametricGoDef* def, rpCourse* course, double* seconds,
				  rpGoalMiss* miss, rpError* error)
{
	int best = 0;
	bool goesOn = true;
	*miss = (rpGoalMiss){INFINITY, INFINITY, INFINITY};
	if (!rpCourse_MakeRoom(course, error))
	{
		return false;
	}
	begin(planner, def, course);
	while (goesOn && miss->worst > 1.0f)
	{
		const rpParametricMotion* last = &course->motions[course->count - 1].motion;
		double at;
		rpGoalMiss own;
		bool isHere = def->goalNode < 0 || def->goalNode == last->clip.node;
		if (isHere && rpCourse_FindNearest(course, def, &at, &own) && own.worst < miss->worst)
		{
			*miss = own;
			*seconds = at;
			best = course->count;
		}
		goesOn = course->count < def->maxMotions && last->span.start + last->clip.end < def->maxSeconds;
		if (!rpCourse_MakeRoom(course, error))
		{
			return false;
		}
		goesOn = goesOn && miss->worst > 1.0f && append(planner, def, course);
	}
	course->count = best;
	return true;
}
