/// Search a motion graph with a cost, a constraint and a halt of one's own: walk around a fire, 3 m from it, never
/// nearer than 2 m, until 25 m are walked. Writes around_the_fire.bvh.
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>

typedef struct Fire
{
	rpVec3 place;
	double wanted, nearest, length;
} Fire;

// What the first frames of an edge cost: squared distances from the ring around the fire. Infinite: too near.
static double keepDistance(const rpWalkState* walk, int edge, int frameCount, rpWalkState* next, void* context)
{
	const Fire* fire = context;
	const rpVec2* path = walk->graph->path + walk->graph->edges[edge].firstPoint;
	double cost = 0.0;
	(void)next;
	for (int f = 1; f <= frameCount; ++f)
	{
		rpVec3 root = rpGroundTransform_Apply(walk->placement, (rpVec3){path[f].x, 0.0f, path[f].y});
		double distance = (double)hypotf(root.x - fire->place.x, root.z - fire->place.z), off = distance - fire->wanted;
		if (distance < fire->nearest)
		{
			return INFINITY;
		}
		cost += off * off;
	}
	return cost;
}

static bool isFarEnough(const rpWalkState* walk, void* context)
{
	return walk->length >= ((const Fire*)context)->length;
}

// Straight on, and curves to either side.
static rpGraph* buildGraph(rpError* error)
{
	rpMotion* walks[5] = {NULL};
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = 6.0;
		def.parameters[rp_paramTurn] = 0.35f * (float)(i - 2);
		walks[i] = rpPerform(&def, error);
	}
	rpGraph* graph = walks[4] != NULL ? rpBuildGraphOf((const rpMotion* const*)walks, 5, NULL, NULL, error) : NULL;
	for (int i = 0; i < 5; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return graph;
}

int main(void)
{
	rpError error = {0};
	rpGraph* graph = buildGraph(&error);
	Fire fire = {{-3.0f, 0.0f, 0.0f}, 3.0, 2.0, 25.0};
	rpSearchDef def = rpDefaultSearchDef();
	def.cost = keepDistance;
	def.halt = isFarEnough;
	def.context = &fire;
	rpWalk* walk = graph != NULL ? rpGraph_Search(graph, &def, &error) : NULL;
	rpMotion* motion = walk != NULL ? rpWalk_MakeMotion(walk, graph, 0.0, true, &error) : NULL;
	bool done = motion != NULL && rpSaveMotion(motion, "around_the_fire.bvh", NULL, &error);
	if (done)
	{
		printf("%.1f m in %.1f s over %d edges; %.2f m off the ring, root mean square\n", rpWalk_GetLength(walk, graph),
			   rpMotion_GetDuration(motion), walk->edgeCount,
			   sqrt(walk->cost / motion->frameCount * motion->fps / graph->fps));
	}
	else
	{
		fprintf(stderr, "%s\n", error.message);
	}
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
	rpDestroyGraph(graph);
	return done ? 0 : 1;
}
