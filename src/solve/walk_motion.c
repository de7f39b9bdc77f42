/// The motion of a walk: its edges as spans of a timeline, rendered as a whole; labels, phases and sources of the clips
/// are carried along.
#include "base/error.h"
#include "base/memory.h"
#include "live/graph_spans.h"
#include "motion/annotation_parts.h"
#include "motion/draft.h"
#include "solve/passage.h"
#include "timeline/render_motion.h"

#include <string.h>

/// The motion in the making.
typedef struct Making
{
	const rpWalk* walk;
	const rpGraph* graph;
	rpGraphCursor cursor;

	/// The clips that the walk plays, [clipCount]; NULL for others.
	rpClip** clips;

	/// Edges that were chosen so far.
	int chosen;
	rpMotion* out;
} Making;

// ---- frames

static bool createClips(Making* making, const rpPassage* passages, int count, rpError* error)
{
	making->clips = rpAllocateZero((size_t)making->graph->clipCount, sizeof(rpClip*), error);
	bool done = making->clips != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		rpClip** clip = &making->clips[passages[i].clip];
		*clip = *clip != NULL ? *clip : rpCreateLevelClip(making->graph->clips[passages[i].clip].motion, error);
		done = *clip != NULL;
	}
	return done;
}

static void destroyClips(Making* making)
{
	for (int i = 0; making->clips != NULL && i < making->graph->clipCount; ++i)
	{
		rpDestroyClip(making->clips[i]);
	}
	rpFree(making->clips);
}

static int chooseNext(rpGraphCursor* cursor, int node, void* context)
{
	(void)cursor;
	(void)node;
	Making* making = context;
	return making->chosen < making->walk->edgeCount ? making->walk->edges[making->chosen++] : -1;
}

static void produce(void* context, double time, rpTimeline* timeline)
{
	Making* making = context;
	const rpGraph* graph = making->graph;
	rpGraphGround ground = {graph->fps, graph->nodes, graph->edges, (const rpClip* const*)making->clips};
	if (making->chosen == 0)
	{
		rpGraphCursor_Begin(&making->cursor, &ground, making->walk->edges[making->chosen++], making->walk->start,
							timeline);
		timeline->bend = (rpBend){making->walk->bends, making->walk->bendCount, graph->fps};
	}
	rpGraphCursor_Advance(&making->cursor, &ground, time, chooseNext, making, timeline);
}

// ---- annotations

static bool goesOn(const rpInterval* a, const rpInterval* b)
{
	return a->track == b->track && a->track != rp_trackSource && a->end >= b->start - RP_SAME_MOMENT &&
		   strcmp(a->name, b->name) == 0;
}

// An interval that another one goes on with is lengthened; the pieces come in order of their passages.
static bool addPiece(rpAnnotations* out, const rpInterval* piece, double seam, rpError* error)
{
	for (int i = 0; i < out->intervalCount; ++i)
	{
		rpInterval* interval = &out->intervals[i];
		if (interval->end >= seam - RP_SAME_MOMENT && goesOn(interval, piece))
		{
			interval->end = fmax(interval->end, piece->end);
			return true;
		}
	}
	return rpAnnotations_AddInterval(out, piece, error);
}

// The stretch of a passage that speaks for a track: a blend has the labels and the sources of both its clips, and the
// phases of the one before its middle and of the other after it.
static void getStretch(const rpPassage* passages, int count, int index, rpTrack track, double* start, double* end)
{
	const rpPassage* passage = &passages[index];
	bool overlaps = track == rp_trackLabel || track == rp_trackSource;
	*start = overlaps || index == 0 ? passage->start : 0.5 * (passage->start + passage[-1].end);
	*end = overlaps || index + 1 == count ? passage->end : 0.5 * (passage->end + passage[1].start);
}

static bool addPassage(const Making* making, const rpPassage* passages, int count, int index, rpError* error)
{
	const rpPassage* passage = &passages[index];
	const rpMotion* motion = making->graph->clips[passage->clip].motion;
	double shift = passage->start - passage->clipStart, last = making->out->frameCount / making->out->fps;
	for (int i = 0; i < rpCountIntervals(motion); ++i)
	{
		rpInterval piece = rpGetInterval(motion, i);
		double start, end;
		getStretch(passages, count, index, piece.track, &start, &end);
		piece.start += shift;
		piece.end += shift;
		if (piece.track != rp_trackContact && rpClipInterval(&piece, start, fmin(end, last)) &&
			piece.end - piece.start > RP_SAME_MOMENT && !addPiece(&making->out->annotations, &piece, start, error))
		{
			return false;
		}
	}
	return index == 0 ||
		   rpAnnotations_AddEvent(&making->out->annotations, "seam", 0.5 * (passage->start + passage[-1].end), error);
}

static bool addInputs(Making* making, const rpPassage* passage, rpError* error)
{
	const rpMotion* motion = making->graph->clips[passage->clip].motion;
	bool done = true;
	for (int k = 0; k < motion->inputCount && done; ++k)
	{
		done = rpMotion_AddInput(making->out, motion->inputs[k].name, motion->inputs[k].hash, error);
	}
	return done;
}

static bool addNotes(Making* making, const rpPassage* passages, int count, rpError* error)
{
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		done = addInputs(making, &passages[i], error) && addPassage(making, passages, count, i, error);
	}
	return done;
}

// ---- all of it

static bool allocate(Making* making, const rpMotion* first, double fps, rpError* error)
{
	double rate = fps > 0.0 ? fps : first->fps;
	double frameCount = floor(rpWalk_GetDuration(making->walk, making->graph) * rate + RP_FRAME_SLACK) + 1.0;
	if (!(frameCount <= RP_MAX_FRAMES))
	{
		return rpFail(error, rp_errorLimit, "a walk of %.0f frames; at most %d are allowed", frameCount, RP_MAX_FRAMES);
	}
	making->out = rpCreateMotion(first->skeleton, "walk", rate, (int)frameCount, error);
	return making->out != NULL;
}

rpMotion* rpWalk_MakeMotion(const rpWalk* walk, const rpGraph* graph, double fps, bool lockFeet, rpError* error)
{
	Making making = {.walk = walk, .graph = graph};
	int count;
	if (walk->edgeCount == 0)
	{
		rpFail(error, rp_errorArgument, "the walk has no edges");
		return NULL;
	}
	rpPassage* passages = rpListPassages(walk, graph, &count, error);
	bool done = passages != NULL && createClips(&making, passages, count, error) &&
				allocate(&making, graph->clips[passages[0].clip].motion, fps, error) &&
				rpRenderMotion(making.out, lockFeet, produce, &making, error) &&
				addNotes(&making, passages, count, error);
	rpFree(passages);
	destroyClips(&making);
	if (!done)
	{
		rpDestroyMotion(making.out);
		return NULL;
	}
	return making.out;
}
