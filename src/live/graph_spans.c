#include "live/graph_spans.h"

static void playClip(const rpGraphGround* graph, int clip, double start, int frame, rpGroundTransform placement,
					 rpTimeline* timeline)
{
	rpSpan_PlayClip(rpTimeline_GetNext(timeline), graph->clips[clip], clip, start, frame / graph->fps, placement);
}

// A transition is the seam into the clip that it leads to; a stretch of a clip goes on with what plays already.
static void beginEdge(const rpGraphCursor* cursor, const rpGraphGround* graph, rpTimeline* timeline)
{
	const rpGraphEdge* edge = &graph->edges[cursor->edge];
	if (rpGraphEdge_IsTransition(edge))
	{
		const rpGraphNode* to = &graph->nodes[edge->to];
		double start = (double)cursor->start / graph->fps,
			   end = (double)(cursor->start + edge->frameCount) / graph->fps;
		rpSeamDef seam = {rp_seamVelocity, start, 0.5 * (start + end), end};
		playClip(graph, to->clip, start, to->frame - edge->frameCount,
				 rpGroundTransform_Compose(cursor->placement, edge->alignment), timeline);
		rpTimeline_Append(timeline, &seam);
	}
	rpTimeline_SetLabels(timeline, edge->labels);
}

void rpGraphCursor_Begin(rpGraphCursor* cursor, const rpGraphGround* graph, int edge, rpGroundTransform placement,
						 rpTimeline* timeline)
{
	const rpGraphNode* from = &graph->nodes[graph->edges[edge].from];
	*cursor = (rpGraphCursor){.edge = edge, .placement = placement};
	timeline->count = 0;
	playClip(graph, from->clip, 0.0, from->frame, placement, timeline);
	rpTimeline_Append(timeline, NULL);
	beginEdge(cursor, graph, timeline);
}

void rpGraphCursor_Advance(rpGraphCursor* cursor, const rpGraphGround* graph, double time, rpChooseEdgeFn* choose,
						   void* context, rpTimeline* timeline)
{
	for (;;)
	{
		const rpGraphEdge* edge = &graph->edges[cursor->edge];
		int64_t end = cursor->start + edge->frameCount;
		if (time < (double)end / graph->fps)
		{
			return;
		}
		rpGraphCursor next = *cursor;
		next.start = end;
		next.placement = rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Compose(cursor->placement, edge->alignment)
														: cursor->placement;
		next.edge = choose(&next, edge->to, context);
		if (next.edge < 0)
		{
			return;
		}
		*cursor = next;
		beginEdge(cursor, graph, timeline);
	}
}
