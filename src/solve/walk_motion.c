/// The motion of a walk: clips placed one after the other, each faded into the next, constraints and labels carried
/// along as section 4.1.2 has it.
#include "base/error.h"
#include "base/memory.h"
#include "motion/annotation_parts.h"
#include "motion/draft.h"
#include "reprise/feet.h"
#include "solve/walk_floor.h"
#include "solve/walk_handover.h"
#include "solve/walk_seam.h"

#include <string.h>

// Supports whose heights differ by less are one support, metres.
#define SAME_SUPPORT 0.05f

// Two clips that are joined while a foot lands or leaves disagree a little about when. No foot lifts and lands again,
// or touches and leaves, within this time, seconds: such gaps at seams are closed, and such contacts left out.
#define QUICKEST_STEP 0.05

/// The motion in the making.
typedef struct Making
{
	const rpGraph* graph;
	const rpPassage* passages;
	int passageCount;
	rpWalkFloor floor;
	rpPose pose;
	rpMotion* out;

	/// [passageCount], of each passage and the one after it.
	rpHandover* handovers;
} Making;

// ---- frames

static void makeFrame(Making* making, const rpPassage* passage, int frame)
{
	size_t jointCount = (size_t)making->out->skeleton->jointCount;
	rpPassage_Sample(passage, making->graph, frame / making->out->fps, &making->pose);
	making->out->rootPositions[frame] = making->pose.rootPosition;
	memcpy(making->out->rotations + (size_t)frame * jointCount, making->pose.rotations, jointCount * sizeof(rpQuat));
}

// Frames of a passage: alone until the next begins, then faded into it.
static int makePassage(Making* making, int index, int first, rpError* error)
{
	const rpPassage *passage = &making->passages[index], *next = passage + 1;
	bool isLast = index + 1 == making->passageCount;
	double fps = making->out->fps;
	int frame = first;
	for (; frame < making->out->frameCount && (isLast || frame / fps <= next->start); ++frame)
	{
		makeFrame(making, passage, frame);
	}
	if (isLast || frame >= making->out->frameCount)
	{
		return frame;
	}
	if (!rpPassage_FadeInto(passage, next, making->graph, frame, making->out, error))
	{
		return -1;
	}
	while (frame < making->out->frameCount && frame / fps < passage->end)
	{
		++frame;
	}
	return frame;
}

static bool makeFrames(Making* making, rpError* error)
{
	int frame = 0;
	for (int i = 0; i < making->passageCount && frame >= 0; ++i)
	{
		frame = makePassage(making, i, frame, error);
	}
	if (frame >= 0)
	{
		rpAlignHemispheres(making->out);
	}
	return frame >= 0;
}

// ---- annotations

// The stretch of a passage that speaks for an interval: whole for labels, as feet are handed over for their contacts,
// and to the middle of its blends otherwise.
static void getStretch(const Making* making, int index, const rpInterval* piece, double* start, double* end)
{
	const rpPassage* passage = &making->passages[index];
	int foot = piece->track == rp_trackContact ? rpGetHandoverFoot(piece->effector) : -1;
	*start = passage->start;
	*end = passage->end;
	if (piece->track == rp_trackLabel)
	{
		return;
	}
	if (index > 0)
	{
		*start = foot >= 0 ? making->handovers[index - 1].enter[foot] : 0.5 * (passage->start + passage[-1].end);
	}
	if (index + 1 < making->passageCount)
	{
		*end = foot >= 0 ? making->handovers[index].leave[foot] : 0.5 * (passage->end + passage[1].start);
	}
}

static bool goesOn(const rpInterval* a, const rpInterval* b, double seam)
{
	if (a->track != b->track || a->track == rp_trackSource)
	{
		return false;
	}
	if (a->track != rp_trackContact)
	{
		return a->end >= b->start - RP_SAME_MOMENT && strcmp(a->name, b->name) == 0;
	}
	bool overSeam = a->start < seam && b->start - a->end <= QUICKEST_STEP;
	return a->effector == b->effector && fabsf(a->supportHeight - b->supportHeight) < SAME_SUPPORT &&
		   (overSeam || a->end >= b->start - RP_SAME_MOMENT);
}

// An interval that another one goes on with is lengthened; the pieces come in order of their passages, this one after
// the seam.
static bool addPiece(rpAnnotations* out, const rpInterval* piece, double seam, rpError* error)
{
	for (int i = 0; i < out->intervalCount; ++i)
	{
		rpInterval* interval = &out->intervals[i];
		if (interval->end >= seam - QUICKEST_STEP && goesOn(interval, piece, seam))
		{
			interval->end = fmax(interval->end, piece->end);
			return true;
		}
	}
	return rpAnnotations_AddInterval(out, piece, error);
}

static bool isAtSeam(const Making* making, const rpInterval* contact)
{
	int foot = rpGetHandoverFoot(contact->effector);
	for (int i = 0; i + 1 < making->passageCount; ++i)
	{
		double middle = 0.5 * (making->passages[i].end + making->passages[i + 1].start);
		double leave = foot >= 0 ? making->handovers[i].leave[foot] : middle;
		double enter = foot >= 0 ? making->handovers[i].enter[foot] : middle;
		if (contact->start <= enter + RP_SAME_MOMENT && contact->end >= leave - RP_SAME_MOMENT)
		{
			return true;
		}
	}
	return false;
}

static void dropStubs(Making* making)
{
	rpAnnotations* notes = &making->out->annotations;
	int kept = 0;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* interval = &notes->intervals[i];
		bool isStub = interval->track == rp_trackContact && interval->end - interval->start < QUICKEST_STEP &&
					  isAtSeam(making, interval);
		if (!isStub)
		{
			notes->intervals[kept++] = *interval;
		}
	}
	notes->intervalCount = kept;
}

static bool addPassage(const Making* making, int index, rpError* error)
{
	const rpPassage* passage = &making->passages[index];
	const rpMotion* motion = making->graph->clips[passage->clip].motion;
	double shift = passage->start - passage->clipStart;
	for (int i = 0; i < rpCountIntervals(motion); ++i)
	{
		rpInterval piece = rpGetInterval(motion, i);
		double start, end;
		getStretch(making, index, &piece, &start, &end);
		end = fmin(end, making->out->frameCount / making->out->fps);
		if (piece.track == rp_trackContact)
		{
			piece.supportHeight = rpWalkFloor_GetSupport(&making->floor, passage, motion, &piece);
		}
		piece.start += shift;
		piece.end += shift;
		if (rpClipInterval(&piece, start, end) && piece.end - piece.start > RP_SAME_MOMENT &&
			!addPiece(&making->out->annotations, &piece, start, error))
		{
			return false;
		}
	}
	return index == 0 ||
		   rpAnnotations_AddEvent(&making->out->annotations, "seam", 0.5 * (passage->start + passage[-1].end), error);
}

static bool addInputs(Making* making, rpError* error)
{
	for (int i = 0; i < making->passageCount; ++i)
	{
		const rpMotion* motion = making->graph->clips[making->passages[i].clip].motion;
		for (int k = 0; k < motion->inputCount; ++k)
		{
			if (!rpMotion_AddInput(making->out, motion->inputs[k].name, motion->inputs[k].hash, error))
			{
				return false;
			}
		}
	}
	return true;
}

static bool findHandovers(Making* making, rpError* error)
{
	making->handovers = rpAllocate((size_t)making->passageCount, sizeof(rpHandover), error);
	for (int i = 0; making->handovers != NULL && i + 1 < making->passageCount; ++i)
	{
		making->handovers[i] =
			rpFindHandover(&making->passages[i], &making->passages[i + 1], making->graph, making->out);
	}
	return making->handovers != NULL;
}

static bool makeNotes(Making* making, rpError* error)
{
	bool done = findHandovers(making, error) && addInputs(making, error);
	for (int i = 0; i < making->passageCount && done; ++i)
	{
		done = addPassage(making, i, error);
	}
	if (done)
	{
		dropStubs(making);
	}
	return done;
}

// ---- all of it

static bool allocate(Making* making, const rpWalk* walk, double fps, rpError* error)
{
	const rpMotion* first = making->graph->clips[making->passages[0].clip].motion;
	double rate = fps > 0.0 ? fps : first->fps;
	double frameCount = floor(rpWalk_GetDuration(walk, making->graph) * rate + RP_FRAME_SLACK) + 1.0;
	if (!(frameCount <= RP_MAX_FRAMES))
	{
		return rpFail(error, rp_errorLimit, "a walk of %.0f frames; at most %d are allowed", frameCount, RP_MAX_FRAMES);
	}
	size_t jointCount = (size_t)first->skeleton->jointCount;
	making->out = rpCreateMotion(first->skeleton, "walk", rate, (int)frameCount, error);
	making->pose.rotations = rpAllocate(jointCount, sizeof(rpQuat), error);
	return making->out != NULL && making->pose.rotations != NULL;
}

static bool layFloor(Making* making, rpPassage* passages, rpError* error)
{
	for (int i = 0; i < making->passageCount; ++i)
	{
		passages[i].floor = &making->floor;
	}
	return rpFindWalkFloor(passages, making->passageCount, making->graph, &making->floor, error);
}

rpMotion* rpWalk_MakeMotion(const rpWalk* walk, const rpGraph* graph, double fps, bool lockFeet, rpError* error)
{
	Making making = {.graph = graph};
	if (walk->edgeCount == 0)
	{
		rpFail(error, rp_errorArgument, "the walk has no edges");
		return NULL;
	}
	rpPassage* passages = rpListPassages(walk, graph, &making.passageCount, error);
	making.passages = passages;
	bool done = passages != NULL && layFloor(&making, passages, error) && allocate(&making, walk, fps, error) &&
				makeFrames(&making, error) && makeNotes(&making, error) &&
				(!lockFeet || rpLockFeet(making.out, NULL, NULL, error));
	rpFree(passages);
	rpFree(making.pose.rotations);
	rpFree(making.handovers);
	if (!done)
	{
		rpDestroyMotion(making.out);
		return NULL;
	}
	return making.out;
}
