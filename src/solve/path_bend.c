/// Walks that are bent towards their path: where clips lead, and what a walk is bent by.
#include "base/memory.h"
#include "solve/path_problem.h"

#include <math.h>

// Where a clip leads is taken from its root so long before and after, seconds: a stride, in which sway to both sides is
// contained.
#define STRIDE 0.5

static rpVec3 getRoot(const rpMotion* motion, double seconds)
{
	double place = fmin(fmax(seconds, 0.0), rpMotion_GetDuration(motion)) * motion->fps;
	int frame = (int)place, next = frame + 1 < motion->frameCount ? frame + 1 : frame;
	return rpLerp(motion->rootPositions[frame], motion->rootPositions[next], (float)(place - frame));
}

// Someone who stands leads where the body faces: (x, z) of length 1.
static rpVec2 getDirection(const rpMotion* motion, double seconds)
{
	rpVec3 displacement = rpSub(getRoot(motion, seconds + STRIDE), getRoot(motion, seconds - STRIDE));
	float length = hypotf(displacement.x, displacement.z);
	float turn = length > 0.1f ? 0.0f : rpMotion_GetGround(motion, rpMotion_GetFrame(motion, seconds)).turn;
	return length > 0.1f ? (rpVec2){displacement.x / length, displacement.z / length}
						 : (rpVec2){sinf(turn), cosf(turn)};
}

bool rpPathProblem_Bend(rpPathProblem* problem, rpError* error)
{
	const rpGraph* graph = problem->graph;
	int last = graph->clipCount - 1;
	size_t count = (size_t)(graph->firstContacts[last] + graph->clips[last].frameCount);
	problem->clipDirections = rpAllocate(count, sizeof(rpVec2), error);
	for (int i = 0; i <= last && problem->clipDirections != NULL; ++i)
	{
		for (int f = 0; f < graph->clips[i].frameCount; ++f)
		{
			problem->clipDirections[graph->firstContacts[i] + f] = getDirection(graph->clips[i].motion, f / graph->fps);
		}
	}
	problem->isBending = problem->clipDirections != NULL;
	return problem->isBending;
}

// A knot of the bend: what takes the clip as it would lie to where it lies, its turn beside that of the one before.
static void addKnot(rpWalk* walk, rpGroundTransform placement, rpGroundTransform straight)
{
	rpGroundTransform bend = rpGroundTransform_Compose(placement, rpGroundTransform_Invert(straight));
	float before = walk->bendCount > 0 ? walk->bends[walk->bendCount - 1].turn : 0.0f;
	bend.turn = before + rpWrapAngle(bend.turn - before);
	bend.shift.y = 0.0f;
	walk->bends[walk->bendCount++] = bend;
}

bool rpPathProblem_ListBends(const rpPathProblem* problem, rpWalk* walk, rpError* error)
{
	const rpGraph* graph = problem->graph;
	rpPathProblem noting = *problem;
	int frames = 0, longest = 0;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		int own = graph->edges[walk->edges[k]].frameCount;
		frames += own;
		longest = own > longest ? own : longest;
	}
	walk->bends = rpAllocate((size_t)frames + 1, sizeof(rpGroundTransform), error);
	noting.placements = rpAllocate((size_t)longest + 1, sizeof(rpGroundTransform), error);
	rpSearchDef def = problem->def->search;
	rpPathProblem_Prepare(&noting, &def);
	def.placement = walk->start;
	def.place = NULL;
	rpWalkSpace space = {.graph = graph, .def = &def, .rule = {.getCost = rpPathProblem_GetCost, .context = &noting}};
	rpStep step = rpWalkSpace_Start(&space), next;
	rpGroundTransform straight = walk->start;
	for (int k = 0; k < walk->edgeCount && walk->bends != NULL && noting.placements != NULL; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[walk->edges[k]];
		rpWalkSpace_Append(&space, &step, walk->edges[k], edge->frameCount, (double)INFINITY, &next);
		for (int f = k == 0 ? 0 : 1; f <= edge->frameCount; ++f)
		{
			addKnot(walk, noting.placements[f], straight);
		}
		straight = rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Compose(straight, edge->alignment) : straight;
		step = next;
	}
	bool done = walk->bends != NULL && noting.placements != NULL;
	rpFree(noting.placements);
	return done;
}
