/// Matching contacts (Kovar & Gleicher 2003, section 4.3): the n-th coming down of a heel in one motion is that in
/// another, if all of them happen in one order. Where heels and balls do not agree, because one walks more on the balls
/// or a heel hardly rests, whole feet may.
#include "align/contact_match.h"
#include "base/memory.h"
#include "reprise/analysis.h"

#include <stdlib.h>
#include <string.h>

// Events of different motions that are this near may be in another order.
#define ORDER_TOLERANCE 0.05

// Moments nearer than this are one, so that no stage is so short that time would jump in it.
#define SHORTEST_STAGE 0.02

// The longest that one moment may stretch in any motion.
#define LONGEST_MOMENT 0.1

// How far from an end of the stretch a moment may be in some motions that is at the end in others.
#define END_SLACK 0.15

// How far matched events may be from where the registration expects them, seconds of the first motion.
#define FARTHEST 0.2

#define LEFT_HEEL (1u << rp_leftHeel)
#define LEFT_BALL (1u << rp_leftBall)
#define RIGHT_HEEL (1u << rp_rightHeel)
#define RIGHT_BALL (1u << rp_rightBall)
#define LEFT_FOOT (LEFT_HEEL | LEFT_BALL | 1u << rp_leftToe)
#define RIGHT_FOOT (RIGHT_HEEL | RIGHT_BALL | 1u << rp_rightToe)

/// What counts as one thing that touches the ground: bits of effectors. Of the first list all, or all of the second.
static const struct
{
	unsigned channels[4];
	int count;
} s_lists[] = {
	{{LEFT_HEEL, LEFT_BALL, RIGHT_HEEL, RIGHT_BALL}, 4},
	{{LEFT_FOOT, RIGHT_FOOT}, 2},
};

#define LIST_COUNT (int)(sizeof(s_lists) / sizeof(s_lists[0]))

/// The changes of one channel in one motion, in order: down, up, down … or up, down, up …
typedef struct Changes
{
	double* times;
	int count, capacity;

	/// In contact before the first of them.
	bool before;
} Changes;

/// One change in all motions.
typedef struct Event
{
	int channel;
	bool down;

	/// Mean over the motions, in the first one's time.
	double mean;

	/// [count] in the list of times.
	int times;
} Event;

typedef struct Matching
{
	const rpContactMatchDef* def;
	const unsigned* channels;
	int channelCount;

	/// [count * channelCount]
	Changes* changes;

	Event* events;
	int eventCount, eventCapacity;

	/// [eventCount * count]
	double* times;
} Matching;

void rpContactMatch_Free(rpContactMatch* match)
{
	rpFree(match->times);
	rpFree(match->contacts);
	*match = (rpContactMatch){0};
}

static void freeMatching(Matching* matching)
{
	for (int i = 0; matching->changes != NULL && i < matching->def->count * matching->channelCount; ++i)
	{
		rpFree(matching->changes[i].times);
	}
	rpFree(matching->changes);
	rpFree(matching->events);
	rpFree(matching->times);
}

static bool addChange(Changes* changes, double time, rpError* error)
{
	if (!rpGrow(&changes->times, &changes->capacity, changes->count, sizeof(double), error))
	{
		return false;
	}
	changes->times[changes->count++] = time;
	return true;
}

// Intervals are sorted by start; those that touch are one.
static bool collectChanges(const rpMotion* motion, unsigned channel, double start, double end, Changes* out,
						   rpError* error)
{
	const rpAnnotations* annotations = &motion->annotations;
	double until = -INFINITY;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = annotations->intervals + i;
		bool wanted = interval->track == rp_trackContact && (channel >> interval->effector & 1u) != 0u &&
					  interval->end > start && interval->start < end && interval->end > until;
		if (!wanted)
		{
			continue;
		}
		bool joined = interval->start <= until;
		if (joined && until < end)
		{
			--out->count;
		}
		out->before = out->before || interval->start <= start;
		if ((!joined && interval->start > start && !addChange(out, interval->start, error)) ||
			(interval->end < end && !addChange(out, interval->end, error)))
		{
			return false;
		}
		until = interval->end;
	}
	return true;
}

static bool hasContacts(const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (motion->annotations.intervals[i].track == rp_trackContact)
		{
			return true;
		}
	}
	return false;
}

static void dropFirst(Changes* changes)
{
	memmove(changes->times, changes->times + 1, sizeof(double) * (size_t)(changes->count - 1));
	--changes->count;
	changes->before = !changes->before;
}

// Leave out changes near the ends until there are so many, the first of them of that kind. A contact that starts
// with the stretch in one motion may have started just before it in another.
static bool trimChanges(Changes* changes, double start, double end, int count, bool before)
{
	if (changes->before != before && changes->count > 0 && changes->times[0] < start + END_SLACK)
	{
		dropFirst(changes);
	}
	if (changes->count == count + 1 && changes->times[count] > end - END_SLACK)
	{
		--changes->count;
	}
	if (changes->count == count + 2 && changes->times[0] < start + END_SLACK && changes->times[1] < start + END_SLACK)
	{
		dropFirst(changes);
		dropFirst(changes);
	}
	return changes->count == count && changes->before == before;
}

// Bring the lists of one channel to equal length; the motion with the fewest changes says what they are.
static bool agreeOnChannel(Matching* matching, int channel)
{
	const rpContactMatchDef* def = matching->def;
	const Changes* fewest = matching->changes + channel;
	for (int m = 1; m < def->count; ++m)
	{
		const Changes* changes = matching->changes + m * matching->channelCount + channel;
		fewest = changes->count < fewest->count ? changes : fewest;
	}
	int count = fewest->count;
	bool before = fewest->before;
	for (int m = 0; m < def->count; ++m)
	{
		Changes* changes = matching->changes + m * matching->channelCount + channel;
		if (!trimChanges(changes, def->starts[m], def->ends[m], count, before))
		{
			return false;
		}
	}
	return true;
}

static bool collect(Matching* matching, bool* same, rpError* error)
{
	const rpContactMatchDef* def = matching->def;
	matching->changes = rpAllocateZero((size_t)def->count * (size_t)matching->channelCount, sizeof(Changes), error);
	bool done = matching->changes != NULL;
	*same = true;
	for (int m = 0; done && m < def->count; ++m)
	{
		*same = *same && hasContacts(def->motions[m]);
		for (int c = 0; done && c < matching->channelCount; ++c)
		{
			done = collectChanges(def->motions[m], matching->channels[c], def->starts[m], def->ends[m],
								  matching->changes + m * matching->channelCount + c, error);
		}
	}
	for (int c = 0; done && *same && c < matching->channelCount; ++c)
	{
		*same = agreeOnChannel(matching, c);
	}
	return done;
}

static int compareEvents(const void* a, const void* b)
{
	const Event *p = a, *q = b;
	return p->mean != q->mean ? (p->mean > q->mean) - (p->mean < q->mean) : p->channel - q->channel;
}

// The mean time of an event, if all motions have it about where the registration expects it.
static bool placeEvent(const Matching* matching, Event* event)
{
	const rpContactMatchDef* def = matching->def;
	const double* times = matching->times + (ptrdiff_t)event->times * def->count;
	bool near = true;
	event->mean = times[0] / def->count;
	for (int m = 1; m < def->count; ++m)
	{
		double time = def->toReference(def->context, m, times[m]);
		near = near && fabs(time - times[0]) <= FARTHEST;
		event->mean += time / def->count;
	}
	return near;
}

static bool makeEvents(Matching* matching, bool* same, rpError* error)
{
	int motionCount = matching->def->count, eventCount = 0;
	for (int c = 0; c < matching->channelCount; ++c)
	{
		eventCount += matching->changes[c].count;
	}
	matching->events = rpAllocate((size_t)eventCount, sizeof(Event), error);
	matching->times =
		matching->events != NULL ? rpAllocate((size_t)eventCount * (size_t)motionCount, sizeof(double), error) : NULL;
	if (matching->times == NULL)
	{
		return false;
	}
	for (int c = 0; c < matching->channelCount; ++c)
	{
		for (int k = 0; k < matching->changes[c].count; ++k)
		{
			int index = matching->eventCount++;
			Event* event = matching->events + index;
			*event = (Event){.channel = c, .down = matching->changes[c].before == (k % 2 == 1), .times = index};
			for (int m = 0; m < motionCount; ++m)
			{
				matching->times[(ptrdiff_t)index * motionCount + m] =
					matching->changes[m * matching->channelCount + c].times[k];
			}
			*same = placeEvent(matching, event) && *same;
		}
	}
	qsort(matching->events, (size_t)eventCount, sizeof(Event), compareEvents);
	return true;
}

/// Events that count as one: first and last of them in each motion.
typedef struct Moment
{
	double* first;
	double* last;
} Moment;

static void openMoment(Moment* moment, const double* times, int count)
{
	memcpy(moment->first, times, sizeof(double) * (size_t)count);
	memcpy(moment->last, times, sizeof(double) * (size_t)count);
}

static bool isApart(const double* before, const double* after, int count)
{
	bool apart = true;
	for (int m = 0; m < count; ++m)
	{
		apart = apart && after[m] - before[m] >= SHORTEST_STAGE;
	}
	return apart;
}

// Whether the events stay in order but for small differences, and the moment short.
static bool extendMoment(Moment* moment, const double* times, int count)
{
	bool fits = true;
	for (int m = 0; m < count; ++m)
	{
		fits = fits && times[m] >= moment->last[m] - ORDER_TOLERANCE;
		moment->first[m] = fmin(moment->first[m], times[m]);
		moment->last[m] = fmax(moment->last[m], times[m]);
		fits = fits && moment->last[m] - moment->first[m] <= LONGEST_MOMENT;
	}
	return fits;
}

static unsigned getFirstContacts(const Matching* matching)
{
	unsigned contacts = 0;
	for (int c = 0; c < matching->channelCount; ++c)
	{
		contacts |= matching->changes[c].before ? 1u << c : 0u;
	}
	return contacts;
}

// Note a moment, unless nothing changed in it or it is at an end; contacts are those after it.
static bool closeMoment(const Matching* matching, const Moment* moment, unsigned contacts, rpContactMatch* out)
{
	const rpContactMatchDef* def = matching->def;
	if (contacts == out->contacts[out->momentCount])
	{
		return true;
	}
	bool atStart = !isApart(def->starts, moment->first, def->count);
	if (atStart || !isApart(moment->last, def->ends, def->count))
	{
		// Then it must be about there in all motions.
		bool everywhere = true;
		for (int m = 0; m < def->count; ++m)
		{
			everywhere = everywhere && (atStart ? moment->last[m] - def->starts[m] <= END_SLACK
												: def->ends[m] - moment->first[m] <= END_SLACK);
		}
		out->contacts[out->momentCount] = atStart ? contacts : out->contacts[out->momentCount];
		return everywhere && (!atStart || out->momentCount == 0);
	}
	// Flights last from the last that leaves to the first that comes down.
	bool fromFlight = out->contacts[out->momentCount] == 0, toFlight = contacts == 0;
	double* times = out->times + (ptrdiff_t)out->momentCount++ * def->count;
	for (int m = 0; m < def->count; ++m)
	{
		double middle = 0.5 * (moment->first[m] + moment->last[m]);
		times[m] = fromFlight ? moment->first[m] : toFlight ? moment->last[m] : middle;
	}
	out->contacts[out->momentCount] = contacts;
	return true;
}

// Events in order, near ones as one moment. Returns whether the motions agree.
static bool joinEvents(const Matching* matching, Moment* moment, rpContactMatch* out)
{
	int count = matching->def->count;
	unsigned contacts = out->contacts[0] = getFirstContacts(matching);
	bool same = true;
	for (int k = 0; same && k < matching->eventCount; ++k)
	{
		const Event* event = matching->events + k;
		const double* times = matching->times + (ptrdiff_t)event->times * count;
		if (k == 0)
		{
			openMoment(moment, times, count);
		}
		else if (isApart(moment->last, times, count))
		{
			same = closeMoment(matching, moment, contacts, out);
			openMoment(moment, times, count);
		}
		else
		{
			same = extendMoment(moment, times, count);
		}
		unsigned bit = 1u << event->channel;
		contacts = event->down ? contacts | bit : contacts & ~bit;
	}
	return same && (matching->eventCount == 0 || closeMoment(matching, moment, contacts, out));
}

// The effectors of a channel that rest in all motions at their times; where all rest on different ones, the ball.
static unsigned findResting(const rpContactMatchDef* def, unsigned channel, const double* starts, const double* ends)
{
	unsigned resting = 0, last = 0;
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		bool everywhere = (channel >> effector & 1u) != 0u;
		bool isToe = effector == rp_leftToe || effector == rp_rightToe;
		last = everywhere && !isToe ? 1u << effector : last;
		for (int m = 0; everywhere && m < def->count; ++m)
		{
			everywhere = rpMotion_IsInContact(def->motions[m], (rpEffector)effector, 0.5 * (starts[m] + ends[m]));
		}
		resting |= everywhere ? 1u << effector : 0u;
	}
	return resting != 0 ? resting : last;
}

// From bits of channels to bits of effectors.
static void nameContacts(const Matching* matching, rpContactMatch* out)
{
	const rpContactMatchDef* def = matching->def;
	for (int n = 0; n <= out->momentCount; ++n)
	{
		const double* starts = n > 0 ? out->times + (ptrdiff_t)(n - 1) * def->count : def->starts;
		const double* ends = n < out->momentCount ? out->times + (ptrdiff_t)n * def->count : def->ends;
		unsigned contacts = 0;
		for (int c = 0; c < matching->channelCount; ++c)
		{
			bool on = (out->contacts[n] >> c & 1u) != 0u;
			contacts |= on ? findResting(def, matching->channels[c], starts, ends) : 0u;
		}
		out->contacts[n] = contacts;
	}
}

static bool makeMoments(const Matching* matching, rpContactMatch* out, rpError* error)
{
	size_t eventCount = (size_t)matching->eventCount, count = (size_t)matching->def->count;
	out->times = rpAllocate(eventCount * count, sizeof(double), error);
	out->contacts = out->times != NULL ? rpAllocateZero(eventCount + 1, sizeof(unsigned), error) : NULL;
	double* scratch = out->contacts != NULL ? rpAllocate(2 * count, sizeof(double), error) : NULL;
	if (scratch == NULL)
	{
		return false;
	}
	Moment moment = {scratch, scratch + count};
	out->same = joinEvents(matching, &moment, out);
	if (out->same)
	{
		nameContacts(matching, out);
	}
	rpFree(scratch);
	return true;
}

static bool matchChannels(const rpContactMatchDef* def, int list, rpContactMatch* out, rpError* error)
{
	Matching matching = {.def = def, .channels = s_lists[list].channels, .channelCount = s_lists[list].count};
	bool same = true;
	bool done = collect(&matching, &same, error);
	done = done && (!same || makeEvents(&matching, &same, error));
	done = done && (!same || makeMoments(&matching, out, error));
	freeMatching(&matching);
	if (!done || !out->same)
	{
		rpContactMatch_Free(out);
	}
	return done;
}

bool rpMatchContacts(const rpContactMatchDef* def, rpContactMatch* out, rpError* error)
{
	*out = (rpContactMatch){0};
	bool done = true;
	for (int list = def->wholeFeet ? LIST_COUNT - 1 : 0; done && !out->same && list < LIST_COUNT; ++list)
	{
		done = matchChannels(def, list, out, error);
	}
	return done;
}
