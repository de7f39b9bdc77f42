/// What is known about a blend: contacts, labels, events and curves of its motions, carried along.
///
/// An interval of the heaviest motion is matched with those of the others that say the same at the same time; its ends
/// are the weighted means of theirs, each seen through its motion's time warp.
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "motion/annotation_parts.h"
#include "motion/draft.h"

#include <string.h>

// Events of one name farther from each other than this are different ones, seconds.
#define SAME_EVENT 0.25

// A source interval may differ by so many frames from what it says.
#define SOURCE_ERROR 0.25

/// What one call works with.
typedef struct Notes
{
	const rpBlendWork* work;
	rpMotion* result;

	/// Mean weights over the result, [motionCount].
	double* weights;
	int heaviest;

	/// One curve while it is made.
	rpKeys keys;
} Notes;

static const rpMotion* getMotion(const Notes* n, int motion)
{
	return n->work->registration->motions[motion];
}

static double getEnd(const Notes* n)
{
	return n->result->frameCount / n->result->fps;
}

static void setWeights(Notes* n)
{
	const rpBlendWork* work = n->work;
	size_t count = (size_t)work->frameCount * (size_t)work->motionCount;
	for (size_t i = 0; i < count; ++i)
	{
		n->weights[i % (size_t)work->motionCount] += work->frameWeights[i] / work->frameCount;
	}
	for (int i = 1; i < work->motionCount; ++i)
	{
		n->heaviest = n->weights[i] > n->weights[n->heaviest] ? i : n->heaviest;
	}
}

// A moment of a motion in the result; the ends of the registered stretch and what is beyond are the result's ends.
static double mapTime(const Notes* n, int motion, double seconds)
{
	const double* times = n->work->times + (ptrdiff_t)motion * n->work->knotCount;
	if (seconds <= times[0])
	{
		return 0.0;
	}
	return seconds >= times[n->work->knotCount - 1] ? getEnd(n) : rpBlendWork_FindTime(n->work, motion, seconds);
}

static rpInterval mapInterval(const Notes* n, int motion, rpInterval interval)
{
	interval.start = mapTime(n, motion, interval.start);
	interval.end = mapTime(n, motion, interval.end);
	return interval;
}

static bool saySame(const rpInterval* a, const rpInterval* b)
{
	return a->track == b->track &&
		   (a->track == rp_trackContact ? a->effector == b->effector : strcmp(a->name, b->name) == 0);
}

// The interval of a motion that says the same as one of the result and shares the most time with it.
static bool findMatch(const Notes* n, int motion, const rpInterval* wanted, rpInterval* out)
{
	const rpAnnotations* from = &getMotion(n, motion)->annotations;
	double best = 0.0;
	for (int i = 0; i < from->intervalCount; ++i)
	{
		if (saySame(from->intervals + i, wanted))
		{
			rpInterval mapped = mapInterval(n, motion, from->intervals[i]);
			double shared = fmin(mapped.end, wanted->end) - fmax(mapped.start, wanted->start);
			*out = shared > best ? mapped : *out;
			best = fmax(best, shared);
		}
	}
	return best > 0.0;
}

static rpInterval meanInterval(const Notes* n, int motion, rpInterval own)
{
	rpInterval base = mapInterval(n, motion, own), mean = base;
	double height = 0.0;
	mean.start = mean.end = 0.0;
	for (int i = 0; i < n->work->motionCount; ++i)
	{
		rpInterval match = base;
		if (i != motion && n->weights[i] > 0.0 && !findMatch(n, i, &base, &match))
		{
			match = base;
		}
		double y = n->work->placements[i].y;
		mean.start += n->weights[i] * match.start;
		mean.end += n->weights[i] * match.end;
		height += n->weights[i] * ((double)match.supportHeight + y);
	}
	mean.supportHeight = (float)height;
	return mean;
}

static bool addInterval(Notes* n, rpInterval interval, rpError* error)
{
	return !rpClipInterval(&interval, 0.0, getEnd(n)) ||
		   rpAnnotations_AddInterval(&n->result->annotations, &interval, error);
}

// Of the heaviest motion all, of the others the labels that it has not.
static bool addIntervals(Notes* n, int motion, rpError* error)
{
	const rpAnnotations* from = &getMotion(n, motion)->annotations;
	bool done = true, isHeaviest = motion == n->heaviest;
	for (int i = 0; done && i < from->intervalCount; ++i)
	{
		rpInterval own = from->intervals[i], match;
		bool byPhase = n->work->phaseCount > 0 && rpInterval_IsSoleContact(&own);
		if (own.track == rp_trackSource || byPhase || (!isHeaviest && own.track != rp_trackLabel))
		{
			continue;
		}
		rpInterval mapped = mapInterval(n, motion, own);
		bool isNew = isHeaviest || !findMatch(n, n->heaviest, &mapped, &match);
		for (int k = 0; isNew && k < motion && !isHeaviest; ++k)
		{
			isNew = n->weights[k] <= 0.0 || !findMatch(n, k, &mapped, &match);
		}
		done = !isNew || addInterval(n, isHeaviest ? meanInterval(n, motion, own) : mapped, error);
	}
	return done;
}

// ---- contacts of feet, where phases are known

// Whether some point of the feet rests in all motions.
static bool isHeld(const Notes* n, double seconds)
{
	return rpBlendWork_IsResting(n->work, rp_leftHeel, seconds) ||
		   rpBlendWork_IsResting(n->work, rp_leftBall, seconds) ||
		   rpBlendWork_IsResting(n->work, rp_rightHeel, seconds) ||
		   rpBlendWork_IsResting(n->work, rp_rightBall, seconds);
}

static float getSupport(const Notes* n, rpEffector effector, int phase)
{
	const rpBlendWork* work = n->work;
	const rpStage* stage = work->registration->stages + phase;
	double height = 0.0;
	for (int i = 0; i < work->motionCount; ++i)
	{
		const double* keys = work->registration->times + (ptrdiff_t)i * work->registration->keyCount;
		double middle = 0.5 * (keys[stage->firstKey] + keys[stage->lastKey]);
		const rpAnnotations* from = &getMotion(n, i)->annotations;
		double own = 0.0;
		for (int k = 0; k < from->intervalCount; ++k)
		{
			const rpInterval* c = from->intervals + k;
			bool isIt = c->track == rp_trackContact && c->effector == effector && c->start <= middle && middle < c->end;
			own = isIt ? (double)c->supportHeight : own;
		}
		height += work->phaseWeights[(ptrdiff_t)phase * work->motionCount + i] * (own + work->placements[i].y);
	}
	return (float)height;
}

// A phase may be one in which a foot rests, on whatever part of it: a point of the foot rests while it does in all
// motions, unless nothing else would hold the body meanwhile. The ball is what a foot rolls about when in doubt.
static void narrowContact(const Notes* n, rpInterval* contact, bool hasBall)
{
	double start = contact->start, end = contact->end;
	for (int i = 0; i < n->work->motionCount; ++i)
	{
		rpInterval match;
		if (n->weights[i] > 0.0 && findMatch(n, i, contact, &match))
		{
			start = fmax(start, match.start);
			end = fmin(end, match.end);
		}
	}
	if (start < end)
	{
		bool startsLater = contact->start <= 0.0 || hasBall || isHeld(n, 0.5 * (contact->start + start));
		bool endsEarlier = contact->end >= getEnd(n) || hasBall || isHeld(n, 0.5 * (contact->end + end));
		contact->start = startsLater ? start : contact->start;
		contact->end = endsEarlier ? end : contact->end;
	}
}

static bool addFootContacts(Notes* n, rpEffector effector, rpError* error)
{
	const rpBlendWork* work = n->work;
	bool done = true;
	for (int phase = 0; done && phase < work->phaseCount; ++phase)
	{
		int last = phase;
		while (last < work->phaseCount && (work->phases[last].contacts >> effector) & 1u)
		{
			++last;
		}
		if (last > phase)
		{
			rpInterval contact = {
				.track = rp_trackContact,
				.start = work->phases[phase].start,
				.end = last == work->phaseCount ? getEnd(n) : work->phases[last].start,
				.effector = effector,
				.supportHeight = getSupport(n, effector, phase),
			};
			rpEffector ball = effector == rp_leftHeel    ? rp_leftBall
							  : effector == rp_rightHeel ? rp_rightBall
														 : rp_effectorCount;
			bool hasBall = ball != rp_effectorCount && (work->phases[phase].contacts >> ball & 1u) != 0u &&
						   (work->phases[last - 1].contacts >> ball & 1u) != 0u;
			narrowContact(n, &contact, hasBall);
			done = addInterval(n, contact, error);
			phase = last;
		}
	}
	return done;
}

// ---- events

static double meanEvent(const Notes* n, const rpEvent* event)
{
	double own = mapTime(n, n->heaviest, event->time), mean = 0.0;
	for (int i = 0; i < n->work->motionCount; ++i)
	{
		const rpAnnotations* from = &getMotion(n, i)->annotations;
		double best = own, distance = SAME_EVENT;
		for (int k = 0; k < from->eventCount && i != n->heaviest && n->weights[i] > 0.0; ++k)
		{
			double time = mapTime(n, i, from->events[k].time);
			if (strcmp(from->events[k].name, event->name) == 0 && fabs(time - own) < distance)
			{
				distance = fabs(time - own);
				best = time;
			}
		}
		mean += n->weights[i] * best;
	}
	return mean;
}

static bool addEvents(Notes* n, rpError* error)
{
	const rpAnnotations* from = &getMotion(n, n->heaviest)->annotations;
	const double* times = n->work->times + (ptrdiff_t)n->heaviest * n->work->knotCount;
	bool done = true;
	for (int i = 0; done && i < from->eventCount; ++i)
	{
		const rpEvent* event = from->events + i;
		bool isInside = event->time >= times[0] - RP_SAME_MOMENT && event->time < times[n->work->knotCount - 1];
		done = !isInside || rpAnnotations_AddEvent(&n->result->annotations, event->name, meanEvent(n, event), error);
	}
	return done;
}

// ---- curves

static void addSample(const Notes* n, int motion, const rpCurve* curve, int frame, double weight, double* sums)
{
	size_t index = (size_t)frame * (size_t)n->work->motionCount + (size_t)motion;
	float values[3] = {0};
	rpCurve_Sample(curve, n->work->frameTimes[index], values);
	if (rpCurveKind_GetWidth(curve->kind) == 3)
	{
		rpPlacement placement = n->work->placements[index];
		if (curve->kind == rp_curveVector)
		{
			placement = (rpPlacement){.turn = placement.heading};
		}
		rpVec3 placed = rpPlacement_Apply(&placement, (rpVec3){values[0], values[1], values[2]});
		memcpy(values, &placed, sizeof(values));
	}
	for (int i = 0; i < 3; ++i)
	{
		sums[i] += weight * (double)values[i];
	}
}

// The mean of the motions that have such a curve. Returns whether one of them changes over time.
static bool mixCurve(const Notes* n, const rpCurve* like, int frame, float* out)
{
	double sums[3] = {0}, total = 0.0;
	bool changes = like->kind == rp_curvePoint || like->kind == rp_curveVector;
	for (int i = 0; i < n->work->motionCount; ++i)
	{
		const rpCurve* curve = rpAnnotations_FindCurve(&getMotion(n, i)->annotations, like->name);
		double weight = n->work->frameWeights[(size_t)frame * (size_t)n->work->motionCount + (size_t)i];
		if (curve != NULL && curve->kind == like->kind && weight > 0.0)
		{
			addSample(n, i, curve, frame, weight, sums);
			total += weight;
			changes = changes || curve->keyCount > 1;
		}
	}
	for (int i = 0; i < rpCurveKind_GetWidth(like->kind); ++i)
	{
		out[i] = total > 0.0 ? (float)(sums[i] / total) : 0.0f;
	}
	return changes || n->work->def->weightKeys != NULL;
}

static bool addCurves(Notes* n, rpError* error)
{
	const rpAnnotations* from = &getMotion(n, n->heaviest)->annotations;
	bool done = true;
	for (int i = 0; done && i < from->curveCount; ++i)
	{
		const rpCurve* like = from->curves + i;
		bool changes = true;
		n->keys.width = rpCurveKind_GetWidth(like->kind);
		for (int frame = 0; done && changes && frame < n->result->frameCount; ++frame)
		{
			float values[3];
			changes = mixCurve(n, like, frame, values);
			done = rpKeys_Add(&n->keys, frame / n->result->fps, values, error);
		}
		done = done && rpKeys_Store(&n->keys, like, &n->result->annotations, error);
		rpKeys_Free(&n->keys);
		n->keys = (rpKeys){0};
	}
	return done;
}

// ---- sources

// The part of a motion's sources that lies between two of its moments, which the result shows from start to end.
static bool addSources(Notes* n, int motion, double start, double end, double from, double to, rpError* error)
{
	const rpMotion* m = getMotion(n, motion);
	int count = rpCountIntervals(m);
	bool done = true;
	for (int i = 0; done && i < count; ++i)
	{
		rpInterval source = rpGetInterval(m, i);
		if (source.track != rp_trackSource || !rpClipInterval(&source, from, to))
		{
			continue;
		}
		double rate = (end - start) / (to - from), first = source.start, last = source.end;
		source.start = start + rate * (first - from);
		source.end = start + rate * (last - from);
		done = addInterval(n, source, error);
	}
	return done;
}

static bool isStraight(const Notes* n, int motion, int first, int last)
{
	const double* knots = n->work->knots;
	const double* times = n->work->times + (ptrdiff_t)motion * n->work->knotCount;
	for (int i = first + 1; i < last; ++i)
	{
		double share = (knots[i] - knots[first]) / (knots[last] - knots[first]);
		double line = times[first] + share * (times[last] - times[first]);
		if (fabs(line - times[i]) > SOURCE_ERROR / n->result->fps)
		{
			return false;
		}
	}
	return true;
}

// In pieces that are nearly straight; the last one covers the last frame.
static bool addMotionSources(Notes* n, int motion, rpError* error)
{
	const rpBlendWork* work = n->work;
	const double* times = work->times + (ptrdiff_t)motion * work->knotCount;
	int first = 0;
	bool done = true;
	for (int last = 1; done && last < work->knotCount; ++last)
	{
		bool isEnd = last + 1 == work->knotCount;
		if (isEnd || !isStraight(n, motion, first, last + 1))
		{
			double start = work->knots[first], end = work->knots[last], from = times[first], to = times[last];
			if (isEnd && getEnd(n) > end)
			{
				to += (to - from) / (end - start) * (getEnd(n) - end);
				end = getEnd(n);
			}
			done = addSources(n, motion, start, end, from, to, error);
			first = last;
		}
	}
	return done;
}

static bool addAll(Notes* n, rpError* error)
{
	setWeights(n);
	bool done = addIntervals(n, n->heaviest, error) && addEvents(n, error) && addCurves(n, error);
	for (int i = 0; done && i < n->work->motionCount; ++i)
	{
		bool counts = n->weights[i] > 0.0;
		done = !counts || ((i == n->heaviest || addIntervals(n, i, error)) && addMotionSources(n, i, error));
	}
	const rpEffector points[] = {rp_leftHeel, rp_leftBall, rp_rightHeel, rp_rightBall};
	for (int i = 0; done && i < 4; ++i)
	{
		done = addFootContacts(n, points[i], error);
	}
	return done;
}

bool rpBlendWork_AddNotes(const rpBlendWork* work, rpMotion* result, rpError* error)
{
	Notes notes = {.work = work, .result = result};
	notes.weights = rpAllocateZero((size_t)work->motionCount, sizeof(double), error);
	bool done = notes.weights != NULL && addAll(&notes, error);
	rpKeys_Free(&notes.keys);
	rpFree(notes.weights);
	return done;
}
