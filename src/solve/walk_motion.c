/// The motion of a walk: its edges as spans of a timeline, rendered one after the other; labels, phases and sources of
/// the clips are carried along.
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

	/// Intervals that are over; and those that a next passage may go on with, names borrowed from the clips.
	rpTrackLists notes;
	rpInterval* open;
	int openCount, openCapacity;
} Making;

// ---- frames

static bool addInputs(Making* making, const rpMotion* motion, rpError* error)
{
	bool done = true;
	for (int k = 0; k < motion->inputCount && done; ++k)
	{
		done = rpMotion_AddInput(making->out, motion->inputs[k].name, motion->inputs[k].hash, error);
	}
	return done;
}

// Each clip once, when it is played first.
static bool addClips(Making* making, const rpPassage* passages, int count, rpError* error)
{
	making->clips = rpAllocateZero((size_t)making->graph->clipCount, sizeof(rpClip*), error);
	bool done = making->clips != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		rpClip** clip = &making->clips[passages[i].clip];
		if (*clip == NULL)
		{
			const rpMotion* motion = making->graph->clips[passages[i].clip].motion;
			*clip = rpCreateLevelClip(motion, error);
			done = *clip != NULL && addInputs(making, motion, error);
		}
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
	return a->track == b->track && a->end >= b->start - RP_SAME_MOMENT && strcmp(a->name, b->name) == 0;
}

// Pieces come in order of their passages: what ends before one begins is over.
static bool endPieces(Making* making, rpTrack track, double seam, rpError* error)
{
	int count = 0;
	bool done = true;
	for (int i = 0; i < making->openCount; ++i)
	{
		const rpInterval* interval = &making->open[i];
		if (interval->track == track && interval->end < seam - RP_SAME_MOMENT)
		{
			done = done && rpTrackLists_Add(&making->notes, interval, error);
			continue;
		}
		making->open[count++] = *interval;
	}
	making->openCount = count;
	return done;
}

// An interval that another one goes on with is lengthened; a source stands for itself.
static bool addPiece(Making* making, const rpInterval* piece, rpError* error)
{
	if (piece->track == rp_trackSource)
	{
		return rpTrackLists_Add(&making->notes, piece, error);
	}
	for (int i = 0; i < making->openCount; ++i)
	{
		rpInterval* interval = &making->open[i];
		if (goesOn(interval, piece))
		{
			interval->end = fmax(interval->end, piece->end);
			return true;
		}
	}
	if (!rpGrow(&making->open, &making->openCapacity, making->openCount, sizeof(rpInterval), error))
	{
		return false;
	}
	making->open[making->openCount++] = *piece;
	return true;
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

static bool addPassage(Making* making, const rpPassage* passages, int count, int index, rpError* error)
{
	const rpPassage* passage = &passages[index];
	const rpMotion* motion = making->graph->clips[passage->clip].motion;
	double shift = passage->start - passage->clipStart, last = making->out->frameCount / making->out->fps;
	double starts[rp_trackCount], ends[rp_trackCount];
	bool done = true;
	for (int track = 0; track < rp_trackCount && done; ++track)
	{
		getStretch(passages, count, index, (rpTrack)track, &starts[track], &ends[track]);
		done = endPieces(making, (rpTrack)track, starts[track], error);
	}
	for (int i = 0, pieces = rpCountIntervals(motion); i < pieces && done; ++i)
	{
		rpInterval piece = rpGetInterval(motion, i);
		piece.start += shift;
		piece.end += shift;
		done = piece.track == rp_trackContact ||
			   !rpClipInterval(&piece, starts[piece.track], fmin(ends[piece.track], last)) ||
			   addPiece(making, &piece, error);
	}
	return done && (index == 0 || rpAnnotations_AddEvent(&making->out->annotations, "seam",
														 0.5 * (passage->start + passage[-1].end), error));
}

static bool addNotes(Making* making, const rpPassage* passages, int count, rpError* error)
{
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		done = addPassage(making, passages, count, i, error);
	}
	for (int track = 0; track < rp_trackCount && done; ++track)
	{
		done = endPieces(making, (rpTrack)track, (double)INFINITY, error);
	}
	return done && rpTrackLists_Store(&making->notes, &making->out->annotations, error);
}

// ---- all of it

static bool create(Making* making, const rpMotion* first, const rpWalkRenderDef* def, rpError* error)
{
	double rate = def->fps > 0.0 ? def->fps : first->fps;
	double frameCount = floor(rpWalk_GetDuration(making->walk, making->graph) * rate + RP_FRAME_SLACK) + 1.0;
	if (!rpCheckRate(rate, first->fps, error))
	{
		return false;
	}
	if (!(frameCount <= RP_MAX_FRAMES))
	{
		rpFail(error, rp_errorLimit, "a walk of %.0f frames; at most %d are allowed", frameCount, RP_MAX_FRAMES);
		rpError_SetHint(error, "use a lower rate or a shorter walk");
		return false;
	}
	making->out = def->addFrame != NULL ? rpCreateBareMotion(first->skeleton, "walk", rate, (int)frameCount, error)
										: rpCreateMotion(first->skeleton, "walk", rate, (int)frameCount, error);
	return making->out != NULL;
}

static bool render(Making* making, const rpPassage* passages, int count, const rpWalkRenderDef* def, rpError* error)
{
	rpRenderDef rendering = {.lockFeet = def->lockFeet,
							 .produce = produce,
							 .context = making,
							 .addFrame = def->addFrame,
							 .frameContext = def->frameContext,
							 .progress = def->progress,
							 .progressContext = def->progressContext};
	return create(making, making->graph->clips[passages[0].clip].motion, def, error) &&
		   addClips(making, passages, count, error) && rpRenderMotion(making->out, &rendering, error) &&
		   addNotes(making, passages, count, error);
}

rpWalkRenderDef rpDefaultWalkRenderDef(void)
{
	return (rpWalkRenderDef){.lockFeet = true};
}

rpMotion* rpWalk_Render(const rpWalk* walk, const rpGraph* graph, const rpWalkRenderDef* def, rpError* error)
{
	Making making = {.walk = walk, .graph = graph};
	int count;
	if (walk->edgeCount == 0)
	{
		rpFail(error, rp_errorArgument, "the walk has no edges");
		return NULL;
	}
	rpPassage* passages = rpListPassages(walk, graph, &count, error);
	bool done = passages != NULL && render(&making, passages, count, def, error);
	rpFree(passages);
	destroyClips(&making);
	rpTrackLists_Free(&making.notes);
	rpFree(making.open);
	if (!done)
	{
		rpDestroyMotion(making.out);
		return NULL;
	}
	return making.out;
}

rpMotion* rpWalk_MakeMotion(const rpWalk* walk, const rpGraph* graph, double fps, bool lockFeet, rpError* error)
{
	rpWalkRenderDef def = rpDefaultWalkRenderDef();
	def.fps = fps;
	def.lockFeet = lockFeet;
	return rpWalk_Render(walk, graph, &def, error);
}
