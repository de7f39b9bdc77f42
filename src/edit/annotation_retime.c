/// Annotations along a time warp. Times go through the inverse of the warp; what was linear in the old time is cut into
/// pieces short enough to be linear in the new one.
#include "base/memory.h"
#include "edit/annotation_edit.h"
#include "motion/draft.h"

// The furthest that a source time may be off, in frames, where the warp is curved.
#define LARGEST_BEND 0.1

// Never reached by a warp that means something.
#define MAX_PIECES 1000000

/// The new times at which the warp bends, increasing, from 0 to the end of the new motion.
typedef struct Bends
{
	double* times;
	int count, capacity;
} Bends;

static bool addBend(Bends* bends, double time, rpError* error)
{
	if (bends->count > 0 && time <= bends->times[bends->count - 1] + RP_SAME_MOMENT)
	{
		return true;
	}
	if (!rpGrow(&bends->times, &bends->capacity, bends->count, sizeof(double), error))
	{
		return false;
	}
	bends->times[bends->count++] = time;
	return true;
}

// How many straight pieces stand for the curve between two knots. A chord of width w is off by at most w^2 / 8 times
// the largest second derivative, which a cubic has at one of its ends; four of its values give it.
static int countPieces(const rpWarp* warp, double start, double end, double largestBend)
{
	double third = (end - start) / 3.0;
	double y0 = rpWarp_Apply(warp, start), y1 = rpWarp_Apply(warp, start + third);
	double y2 = rpWarp_Apply(warp, end - third), y3 = rpWarp_Apply(warp, end);
	double atStart = 9.0 * (2.0 * y0 - 5.0 * y1 + 4.0 * y2 - y3), atEnd = 9.0 * (2.0 * y3 - 5.0 * y2 + 4.0 * y1 - y0);
	double pieces = warp->smooth ? ceil(sqrt(fmax(fabs(atStart), fabs(atEnd)) / (8.0 * largestBend))) : 1.0;
	return (int)fmin(fmax(pieces, 1.0), MAX_PIECES);
}

static bool addPieces(Bends* bends, const rpWarp* warp, double start, double end, double largestBend, rpError* error)
{
	int pieces = countPieces(warp, start, end, largestBend);
	bool done = true;
	for (int i = 1; done && i <= pieces; ++i)
	{
		done = addBend(bends, i < pieces ? start + (end - start) * i / pieces : end, error);
	}
	return done;
}

// Knots at which the warp does not change its slope are no bends.
static void dropStraight(Bends* bends, const rpWarp* warp)
{
	int kept = 0;
	for (int i = 1; i + 1 < bends->count; ++i)
	{
		double from = bends->times[kept], t = bends->times[i], to = bends->times[i + 1];
		double chord = (rpWarp_Apply(warp, to) - rpWarp_Apply(warp, from)) / (to - from);
		if (fabs(rpWarp_Apply(warp, from) + chord * (t - from) - rpWarp_Apply(warp, t)) > RP_SAME_MOMENT)
		{
			bends->times[++kept] = t;
		}
	}
	if (bends->count > 1)
	{
		bends->times[++kept] = bends->times[bends->count - 1];
		bends->count = kept + 1;
	}
}

static bool findBends(const rpWarp* warp, double end, double largestBend, Bends* bends, rpError* error)
{
	double from = 0.0;
	bool done = addBend(bends, 0.0, error);
	for (int i = 0; done && i < warp->count; ++i)
	{
		double knot = warp->newTimes[i];
		if (knot > from && knot < end)
		{
			done = addPieces(bends, warp, from, knot, largestBend, error);
			from = knot;
		}
	}
	done = done && addPieces(bends, warp, from, end, largestBend, error);
	dropStraight(bends, warp);
	return done;
}

// A source interval, cut at the bends; the interval's own times are new already, its source times still belong to
// the old start and end.
static bool addSource(rpInterval source, double oldStart, double oldEnd, const rpWarp* warp, const Bends* bends,
					  rpAnnotations* out, rpError* error)
{
	double rate = (source.sourceEnd - source.sourceStart) / (oldEnd - oldStart);
	double first = source.sourceStart;
	bool done = true;
	for (int i = 1; done && i < bends->count; ++i)
	{
		rpInterval piece = source;
		if (rpClipInterval(&piece, bends->times[i - 1], bends->times[i]))
		{
			piece.sourceStart = first + rate * (rpWarp_Apply(warp, piece.start) - oldStart);
			piece.sourceEnd = first + rate * (rpWarp_Apply(warp, piece.end) - oldStart);
			done = rpAnnotations_AddInterval(out, &piece, error);
		}
	}
	return done;
}

static bool retimeIntervals(const rpMotion* motion, const rpWarp* warp, const Bends* bends, rpAnnotations* out,
							rpError* error)
{
	double end = bends->times[bends->count - 1];
	int intervalCount = rpCountIntervals(motion);
	bool done = true;
	for (int i = 0; done && i < intervalCount; ++i)
	{
		rpInterval interval = rpGetInterval(motion, i);
		double oldStart = interval.start, oldEnd = interval.end;
		if (!(oldEnd - oldStart > RP_SAME_MOMENT))
		{
			continue;
		}
		interval.start = rpWarp_Invert(warp, oldStart);
		interval.end = rpWarp_Invert(warp, oldEnd);
		if (interval.track == rp_trackSource)
		{
			done = addSource(interval, oldStart, oldEnd, warp, bends, out, error);
		}
		else if (rpClipInterval(&interval, 0.0, end))
		{
			done = rpAnnotations_AddInterval(out, &interval, error);
		}
	}
	return done;
}

static bool retimeEvents(const rpAnnotations* from, const rpWarp* warp, double end, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < from->eventCount; ++i)
	{
		double time = rpWarp_Invert(warp, from->events[i].time);
		if (time >= -RP_SAME_MOMENT && time < end - RP_SAME_MOMENT)
		{
			done = rpAnnotations_AddEvent(out, from->events[i].name, fmax(time, 0.0), error);
		}
	}
	return done;
}

// Keys at the old keys and at the bends between them, within the new motion's frames.
static bool retimeCurve(rpKeys* keys, const rpCurve* curve, const rpWarp* warp, const Bends* bends, double last,
						rpError* error)
{
	double firstKey = rpWarp_Invert(warp, curve->times[0]);
	double lastKey = rpWarp_Invert(warp, curve->times[curve->keyCount - 1]);
	double from = fmin(fmax(firstKey, 0.0), last), to = fmin(fmax(lastKey, 0.0), last);
	bool done = rpKeys_AddSample(keys, from, curve, rpWarp_Apply(warp, from), error);
	int bend = 0;
	for (int i = 0; done && i < curve->keyCount; ++i)
	{
		double time = rpWarp_Invert(warp, curve->times[i]);
		for (; done && bend < bends->count && bends->times[bend] < fmin(time, to); ++bend)
		{
			double place = bends->times[bend];
			done = place < from || rpKeys_AddSample(keys, place, curve, rpWarp_Apply(warp, place), error);
		}
		if (done && time > from && time < to)
		{
			done = rpKeys_Add(keys, time, curve->values + i * keys->width, error);
		}
	}
	return done && rpKeys_AddSample(keys, to, curve, rpWarp_Apply(warp, to), error);
}

bool rpRetimeAnnotations(const rpMotion* motion, const rpWarp* warp, int frameCount, rpAnnotations* out, rpError* error)
{
	double last = (frameCount - 1) / motion->fps, end = frameCount / motion->fps;
	Bends bends = {0};
	bool done = findBends(warp, end, LARGEST_BEND / motion->fps, &bends, error) &&
				retimeIntervals(motion, warp, &bends, out, error) &&
				retimeEvents(&motion->annotations, warp, end, out, error);
	for (int i = 0; done && i < motion->annotations.curveCount; ++i)
	{
		const rpCurve* curve = motion->annotations.curves + i;
		rpKeys keys = {.width = rpCurveKind_GetWidth(curve->kind)};
		done = retimeCurve(&keys, curve, warp, &bends, last, error) && rpKeys_Store(&keys, curve, out, error);
		rpKeys_Free(&keys);
	}
	rpFree(bends.times);
	return done;
}
