/// What a walk on a motion graph is: its length, its time, its passages.
#include "base/memory.h"
#include "solve/passage.h"
#include "timeline/timeline.h"

void rpDestroyWalk(rpWalk* walk)
{
	if (walk != NULL)
	{
		rpFree(walk->edges);
		rpFree(walk->bends);
		rpFree(walk);
	}
}

// Frames of the k-th edge that are walked.
static int getFrames(const rpWalk* walk, const rpGraph* graph, int k)
{
	int frames = graph->edges[walk->edges[k]].frameCount;
	return k == walk->edgeCount - 1 && walk->lastFrames < frames ? walk->lastFrames : frames;
}

double rpWalk_GetDuration(const rpWalk* walk, const rpGraph* graph)
{
	int64_t frames = 0;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		frames += getFrames(walk, graph, k);
	}
	return (double)frames / graph->fps;
}

double rpWalk_GetLength(const rpWalk* walk, const rpGraph* graph)
{
	double length = 0.0;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		length += graph->lengths[graph->edges[walk->edges[k]].firstPoint + getFrames(walk, graph, k)];
	}
	return length;
}

rpGroundTransform rpWalk_GetEnd(const rpWalk* walk, const rpGraph* graph)
{
	rpGroundTransform placement = walk->start;
	for (int k = 0; k + 1 < walk->edgeCount; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[walk->edges[k]];
		placement = rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Compose(placement, edge->alignment) : placement;
	}
	// Within the last edge its own clip decides; at its end that of the next.
	const rpGraphEdge* last = &graph->edges[walk->edges[walk->edgeCount - 1]];
	int frames = getFrames(walk, graph, walk->edgeCount - 1);
	const rpGraphNode *from = &graph->nodes[last->from], *to = &graph->nodes[last->to];
	bool isWhole = frames == last->frameCount;
	if (isWhole && rpGraphEdge_IsTransition(last))
	{
		placement = rpGroundTransform_Compose(placement, last->alignment);
	}
	const rpMotion* motion = graph->clips[isWhole ? to->clip : from->clip].motion;
	int frame = isWhole ? to->frame : from->frame + frames;
	rpGroundTransform root =
		rpGroundTransform_Compose(placement, rpMotion_GetGround(motion, rpMotion_GetFrame(motion, frame / graph->fps)));
	root.shift.y = 0.0f;
	if (walk->bends == NULL)
	{
		return root;
	}
	rpBend bend = {walk->bends, walk->bendCount, graph->fps};
	return rpGroundTransform_Compose(rpBend_Get(&bend, rpWalk_GetDuration(walk, graph)), root);
}

rpPassage* rpListPassages(const rpWalk* walk, const rpGraph* graph, int* count, rpError* error)
{
	rpPassage* list = rpAllocate((size_t)walk->edgeCount + 1, sizeof(rpPassage), error);
	if (list == NULL || walk->edgeCount == 0)
	{
		*count = 0;
		return list;
	}
	const rpGraphNode* first = &graph->nodes[graph->edges[walk->edges[0]].from];
	list[0] = (rpPassage){.clip = first->clip, .clipStart = first->frame / graph->fps, .placement = walk->start};
	*count = 1;
	int64_t frames = 0;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[walk->edges[k]];
		rpPassage* last = &list[*count - 1];
		int64_t end = frames + edge->frameCount;
		last->end = (double)end / graph->fps;
		if (rpGraphEdge_IsTransition(edge))
		{
			const rpGraphNode* to = &graph->nodes[edge->to];
			list[(*count)++] = (rpPassage){
				.clip = to->clip,
				.start = (double)frames / graph->fps,
				.end = (double)end / graph->fps,
				.clipStart = (to->frame - edge->frameCount) / graph->fps,
				.placement = rpGroundTransform_Compose(last->placement, edge->alignment),
			};
		}
		frames = end;
	}
	return list;
}
