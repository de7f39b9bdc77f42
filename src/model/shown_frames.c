#include "model/shown_frames.h"

#include "base/memory.h"
#include "model/locomotion_chunks.h"

#include <math.h>
#include <string.h>

// Frames beside a stretch that are shown as well: poses lie between two frames, and times are rounded.
#define BESIDE 2.0

static bool createFrames(rpShownFrames* out, const rpClipSet* clips, rpError* error)
{
	*out = (rpShownFrames){.first = rpAllocate((size_t)clips->clipCount + 1, sizeof(size_t), error)};
	if (out->first == NULL)
	{
		return false;
	}
	size_t count = 0;
	for (int i = 0; i < clips->clipCount; ++i)
	{
		out->first[i] = count;
		count += (size_t)clips->clips[i]->frameCount;
	}
	out->first[clips->clipCount] = count;
	out->flags = rpAllocateZero(count, 1, error);
	return out->flags != NULL;
}

static void show(rpShownFrames* frames, const rpClipSet* clips, int index, double start, double end)
{
	const rpClip* clip = clips->clips[index];
	double first = fmax(floor(start * clip->fps) - BESIDE, 0.0);
	double last = fmin(ceil(end * clip->fps) + BESIDE, clip->frameCount - 1);
	if (first <= last)
	{
		memset(frames->flags + frames->first[index] + (size_t)first, 1, (size_t)(last - first) + 1);
	}
}

bool rpFindGraphFrames(const rpGraphModel* graph, const rpGraphTrim* trim, const rpClipSet* clips, rpShownFrames* out,
					   rpError* error)
{
	if (!createFrames(out, clips, error))
	{
		return false;
	}
	for (int i = 0; i < trim->edgeCount; ++i)
	{
		// Both clips are shown all along a transition; a stretch is no shorter than it is long in the one clip.
		const rpGraphEdge* edge = &trim->edges[i];
		const rpGraphNode *from = &trim->nodes[edge->from], *to = &trim->nodes[edge->to];
		double seconds = edge->frameCount / graph->fps;
		show(out, clips, from->clip, from->frame / graph->fps, from->frame / graph->fps + seconds);
		show(out, clips, to->clip, to->frame / graph->fps - seconds, to->frame / graph->fps);
	}
	return true;
}

bool rpFindGaitFrames(const rpBundle* bundle, const rpClipSet* clips, rpShownFrames* out, rpError* error)
{
	const rpTakeRecord* records;
	const char* names;
	*out = (rpShownFrames){0};
	rpLocomotion* model = rpReadLocomotionChunks(bundle, &records, &names, error);
	bool done = model != NULL && createFrames(out, clips, error);
	for (int i = 0; done && i < model->movementCount; ++i)
	{
		const rpMovement* movement = &model->movements[i];
		if (movement->take < clips->clipCount)
		{
			show(out, clips, movement->take, movement->start, movement->end);
		}
	}
	rpDestroyLocomotion(model);
	return done;
}

void rpShownFrames_Free(rpShownFrames* frames)
{
	rpFree(frames->flags);
	rpFree(frames->first);
	*frames = (rpShownFrames){0};
}

const uint8_t* rpShownFrames_Get(const rpShownFrames* frames, int clip)
{
	return frames->flags != NULL ? frames->flags + frames->first[clip] : NULL;
}
