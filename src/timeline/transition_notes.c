/// What is known of motions through a transition, as section 4.1.2 of Kovar's thesis has it: phases are those of the
/// first motion in its first half and those of the second in its second; labels of the blend are the union of both.
/// What rests comes with the frames.
#include "timeline/transition_notes.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/annotation_parts.h"
#include "motion/draft.h"

#include <string.h>

/// What is known of one of the motions, in seconds and in the place of the result.
typedef struct Side
{
	rpAnnotations notes;

	/// The stretch of a track that is taken of it.
	double first[rp_trackCount], last[rp_trackCount];

	/// The same of its curves, and of its events, the last not included.
	double firstKey, lastKey;
	double firstEvent, lastEvent;
} Side;

static bool copySide(const rpMotion* motion, double shift, rpGroundTransform place, Side* side, rpError* error)
{
	bool done = rpAnnotations_Append(&side->notes, &motion->annotations, shift, error);
	if (done && rpCountIntervals(motion) > motion->annotations.intervalCount)
	{
		rpInterval own = rpGetInterval(motion, motion->annotations.intervalCount);
		own.start += shift;
		own.end += shift;
		done = rpAnnotations_AddInterval(&side->notes, &own, error);
	}
	rpMoveAnnotations(&side->notes, 1.0f, rpYaw(place.turn), place.shift);
	return done;
}

static bool copySides(const rpTransitionPlan* plan, const rpMotion* out, Side* a, Side* b, rpError* error)
{
	double end = out->frameCount / out->fps, lastFrame = rpMotion_GetDuration(out);
	*a = (Side){.lastKey = fmin(plan->seam.end, lastFrame), .lastEvent = plan->seam.cut};
	*b = (Side){
		.firstKey = fmax(plan->seam.start, 0.0), .lastKey = lastFrame, .firstEvent = plan->seam.cut, .lastEvent = end};
	for (int track = 0; track < rp_trackCount; ++track)
	{
		bool overlaps = track == rp_trackLabel || (track == rp_trackSource && plan->isFade);
		a->last[track] = fmin(overlaps ? plan->seam.end : plan->seam.cut, end);
		b->first[track] = fmax(overlaps ? plan->seam.start : plan->seam.cut, 0.0);
		b->last[track] = end;
	}
	return copySide(plan->a, 0.0, rpGroundTransform_identity, a, error) &&
		   copySide(plan->b, -plan->bShift, plan->alignment, b, error);
}

// ---- intervals and events

static bool getPiece(const Side* side, int index, rpInterval* out)
{
	*out = side->notes.intervals[index];
	return out->track != rp_trackContact && rpClipInterval(out, side->first[out->track], side->last[out->track]);
}

// Whether b's piece goes on with what a's piece says.
static bool goesOn(const rpInterval* a, const rpInterval* b)
{
	return a->track == b->track && a->track != rp_trackSource && a->end >= b->start - RP_SAME_MOMENT &&
		   b->end >= a->start - RP_SAME_MOMENT && strcmp(a->name, b->name) == 0;
}

static bool addPiecesOfA(const Side* a, const Side* b, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < a->notes.intervalCount; ++i)
	{
		rpInterval piece, next;
		if (!getPiece(a, i, &piece))
		{
			continue;
		}
		bool reachesB = piece.end >= b->first[piece.track] - RP_SAME_MOMENT;
		for (int k = 0; reachesB && k < b->notes.intervalCount; ++k)
		{
			if (getPiece(b, k, &next) && goesOn(&piece, &next))
			{
				piece.end = fmax(piece.end, next.end);
			}
		}
		done = rpAnnotations_AddInterval(out, &piece, error);
	}
	return done;
}

static bool addPiecesOfB(const Side* a, const Side* b, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < b->notes.intervalCount; ++i)
	{
		rpInterval piece, before;
		bool isNew = getPiece(b, i, &piece), reachesA = isNew && piece.start <= a->last[piece.track] + RP_SAME_MOMENT;
		for (int k = 0; isNew && reachesA && k < a->notes.intervalCount; ++k)
		{
			isNew = !(getPiece(a, k, &before) && goesOn(&before, &piece));
		}
		done = !isNew || rpAnnotations_AddInterval(out, &piece, error);
	}
	return done;
}

static bool addEvents(const Side* side, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < side->notes.eventCount; ++i)
	{
		const rpEvent* event = side->notes.events + i;
		if (event->time >= side->firstEvent - RP_SAME_MOMENT && event->time < side->lastEvent - RP_SAME_MOMENT)
		{
			done = rpAnnotations_AddEvent(out, event->name, fmax(event->time, 0.0), error);
		}
	}
	return done;
}

// ---- curves

static bool checkKinds(const rpTransitionPlan* plan, const rpCurve* a, const rpCurve* b, rpError* error)
{
	static const char* const kinds[rp_curveKindCount] = {"scalar", "sided", "point", "vector"};
	if (a->kind == b->kind)
	{
		return true;
	}
	return rpFail(error, rp_errorArgument, "the curve \"%s\" is of kind %s in \"%s\" and of kind %s in \"%s\"", a->name,
				  kinds[a->kind], plan->a->name, kinds[b->kind], plan->b->name);
}

// The keys of a curve strictly between two moments, and its values at them.
static bool addKeys(rpKeys* keys, const rpCurve* curve, double first, double last, rpError* error)
{
	bool done = rpKeys_AddSample(keys, first, curve, first, error);
	for (int i = 0; done && i < curve->keyCount; ++i)
	{
		if (curve->times[i] > first && curve->times[i] < last)
		{
			done = rpKeys_Add(keys, curve->times[i], curve->values + i * keys->width, error);
		}
	}
	return done && rpKeys_AddSample(keys, last, curve, last, error);
}

// How much of b there is at a time: of cuts as well, over all of the blend.
static float getWeight(const rpSeamDef* seam, double time)
{
	if (time <= seam->start + RP_SAME_MOMENT || time >= seam->end - RP_SAME_MOMENT)
	{
		return time < seam->cut - RP_SAME_MOMENT ? 0.0f : 1.0f;
	}
	double t = (time - seam->start) / (seam->end - seam->start);
	return (float)(seam->kind == rp_seamLinear ? t : rpSmoothstep(t));
}

static bool addMixture(rpKeys* keys, const rpTransitionPlan* plan, const rpCurve* a, const rpCurve* b, double time,
					   rpError* error)
{
	float first[3], second[3], weight = getWeight(&plan->seam, time);
	rpCurve_Sample(a, time, first);
	rpCurve_Sample(b, time, second);
	for (int i = 0; i < keys->width; ++i)
	{
		first[i] += weight * (second[i] - first[i]);
	}
	return rpKeys_Add(keys, time, first, error);
}

// a's keys, the blend frame by frame, b's keys.
static bool fadeCurve(rpKeys* keys, const rpTransitionPlan* plan, const Side* side, const rpCurve* a, const rpCurve* b,
					  double fps, rpError* error)
{
	double first = ceil(plan->seam.start * fps - RP_FRAME_SLACK) - 1.0,
		   last = floor(plan->seam.end * fps - RP_FRAME_SLACK) + 1.0;
	first = fmax(first, 0.0);
	last = fmin(last, floor(side->lastKey * fps + RP_FRAME_SLACK));
	bool done = first <= 0.0 || addKeys(keys, a, 0.0, first / fps, error);
	for (double frame = first; done && frame <= last; ++frame)
	{
		done = addMixture(keys, plan, a, b, frame / fps, error);
	}
	return done && (last / fps >= side->lastKey || addKeys(keys, b, last / fps, side->lastKey, error));
}

static bool isSameConstant(const rpCurve* a, const rpCurve* b)
{
	size_t size = (size_t)rpCurveKind_GetWidth(a->kind) * sizeof(float);
	return a->keyCount == 1 && (b == NULL || (b->keyCount == 1 && memcmp(a->values, b->values, size) == 0));
}

// b may be NULL, then the curve is in one motion alone, whose side is given.
static bool addCurve(const rpTransitionPlan* plan, const Side* side, const rpCurve* a, const rpCurve* b,
					 const rpMotion* out, rpAnnotations* notes, rpError* error)
{
	rpKeys keys = {.width = rpCurveKind_GetWidth(a->kind)};
	bool done;
	if (isSameConstant(a, b))
	{
		done = rpKeys_Add(&keys, 0.0, a->values, error);
	}
	else if (b == NULL)
	{
		done = addKeys(&keys, a, side->firstKey, side->lastKey, error);
	}
	else
	{
		done = fadeCurve(&keys, plan, side, a, b, out->fps, error);
	}
	done = done && rpKeys_Store(&keys, a, notes, error);
	rpKeys_Free(&keys);
	return done;
}

static bool addCurves(const rpTransitionPlan* plan, const Side* a, const Side* b, rpMotion* out, rpError* error)
{
	rpAnnotations* notes = &out->annotations;
	bool done = true;
	for (int i = 0; done && i < a->notes.curveCount; ++i)
	{
		const rpCurve* curve = a->notes.curves + i;
		const rpCurve* other = rpAnnotations_FindCurve(&b->notes, curve->name);
		done = (other == NULL || checkKinds(plan, curve, other, error)) &&
			   addCurve(plan, other == NULL ? a : b, curve, other, out, notes, error);
	}
	for (int i = 0; done && i < b->notes.curveCount; ++i)
	{
		const rpCurve* curve = b->notes.curves + i;
		done = rpAnnotations_FindCurve(&a->notes, curve->name) != NULL ||
			   addCurve(plan, b, curve, NULL, out, notes, error);
	}
	return done;
}

bool rpMakeTransitionNotes(const rpTransitionPlan* plan, rpMotion* out, rpError* error)
{
	Side a = {0}, b = {0};
	rpAnnotations* notes = &out->annotations;
	bool done = copySides(plan, out, &a, &b, error) && addPiecesOfA(&a, &b, notes, error) &&
				addPiecesOfB(&a, &b, notes, error) && addEvents(&a, notes, error) &&
				rpAnnotations_AddEvent(notes, "seam", plan->seam.cut, error) && addEvents(&b, notes, error) &&
				addCurves(plan, &a, &b, out, error);
	rpAnnotations_Free(&a.notes);
	rpAnnotations_Free(&b.notes);
	return done;
}
