/// Key times of the examples that one motion blends: where a foot comes down or leaves in all of them, or an event
/// happens, and evenly between, as they were registered. (Kovar & Gleicher 2003, section 4.3, whole feet only: what
/// heels and balls do is decided by majority.) Found for the few examples of a blend, so that it does not matter
/// whether all examples of a space touch the ground alike; nothing is allocated.
#include "model/space_model.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// As align/contact_match.c has them: how far from an end a change may be that other examples have beyond it; how far
// from where the registration expects it; how near moments are one, and how far apart in another order; seconds.
#define END_SLACK 0.15
#define FARTHEST 0.2
#define SHORTEST_STAGE 0.02
#define ORDER_TOLERANCE 0.05
#define LONGEST_MOMENT 0.1

// Even keys nearer than this part of their distance to a moment are left out.
#define CLOSEST_SHARE 0.35

// Between moments no example is slower than this share of its mean pace there.
#define MIN_SPEED 0.25

enum
{
	/// The first and the last key, and even ones, need room too.
	maxMoments = rp_maxSpaceKeys - 4,
	maxChanges = 64,
};

/// The changes of a channel in an example, in order.
typedef struct Changes
{
	const rpSpaceMoment* items;
	int count;
	bool before;
} Changes;

/// A change in all examples.
typedef struct Change
{
	int channel;
	bool down;

	/// Mean, among the keys; and what it is in each example's list.
	double place;
	const rpSpaceMoment* items[RP_MAX_SHARES];
} Change;

/// A moment at which something happens in all examples.
typedef struct Moment
{
	double place;
	double times[RP_MAX_SHARES];

	/// Which feet rest from there on.
	unsigned feet;
} Moment;

typedef struct Search
{
	const rpSpaceModel* model;
	const rpSpaceWeight* weights;
	int count;

	Change changes[maxChanges];
	int changeCount;

	/// The first is the start.
	Moment moments[maxMoments];
	int momentCount;
} Search;

static const rpSpaceExample* getExample(const Search* search, int i)
{
	return &search->model->space->examples[search->weights[i].example];
}

static const double* getKeytimes(const Search* search, int i)
{
	const rpSpace* space = search->model->space;
	return space->keytimes + (size_t)search->weights[i].example * (size_t)space->keyCount;
}

// The time of an example at a place among its keys.
static double getTime(const Search* search, int i, double place)
{
	const double* times = getKeytimes(search, i);
	int last = search->model->space->keyCount - 1;
	int key = place <= 0.0 ? 0 : place < last ? (int)place : last - 1;
	return times[key] + (place - key) * (times[key + 1] - times[key]);
}

// ---- changes that all examples have

static Changes getChanges(const Search* search, int i, int channel)
{
	int channelCount = rp_spaceFeet + search->model->space->eventCount;
	const rpSpaceChannel* own =
		search->model->channels + (ptrdiff_t)search->weights[i].example * channelCount + channel;
	return (Changes){search->model->moments + own->firstMoment, own->momentCount, own->before};
}

// Leave out changes near the ends until there are so many, the first of them of that kind: a foot that comes down with
// the start in one example may have come down just before it in another. As few as can be, at the start first.
static bool trim(Changes* changes, const rpSpaceExample* example, int count, bool before)
{
	double early = example->start + END_SLACK, late = example->end - END_SLACK;
	int surplus = changes->count - count, first = changes->before != before ? 1 : 0;
	for (; first <= surplus; first += 2)
	{
		int last = surplus - first;
		bool isEarly = first == 0 || changes->items[first - 1].time < early;
		bool isLate = last == 0 || changes->items[changes->count - last].time > late;
		if (isEarly && isLate)
		{
			*changes = (Changes){changes->items + first, count, before};
			return true;
		}
	}
	return false;
}

// A change that happens about where the registration has it in each of the others.
static bool placeChange(const Search* search, Change* change)
{
	change->place = 0.0;
	for (int i = 0; i < search->count; ++i)
	{
		change->place += (double)search->weights[i].weight * change->items[i]->place;
	}
	bool isNear = true;
	for (int i = 0; i < search->count && isNear; ++i)
	{
		isNear = fabs(getTime(search, i, change->place) - change->items[i]->time) <= FARTHEST;
	}
	return isNear;
}

// The most changes that all examples have, leaving out what is near their ends.
static bool trimAll(const Search* search, int channel, Changes* lists)
{
	int fewest = INT_MAX;
	Changes all[RP_MAX_SHARES];
	for (int i = 0; i < search->count; ++i)
	{
		all[i] = getChanges(search, i, channel);
		fewest = all[i].count < fewest ? all[i].count : fewest;
	}
	for (int pattern = 2 * fewest + 1; pattern >= 0; --pattern)
	{
		// Of equally many those that begin as the first example does.
		bool before = (pattern % 2 == 1) == all[0].before, agrees = true;
		for (int i = 0; i < search->count && agrees; ++i)
		{
			lists[i] = all[i];
			agrees = trim(&lists[i], getExample(search, i), pattern / 2, before);
		}
		if (agrees)
		{
			return true;
		}
	}
	return false;
}

static bool agreeOnChannel(Search* search, int channel, bool* before)
{
	Changes lists[RP_MAX_SHARES];
	bool agrees = trimAll(search, channel, lists) && search->changeCount + lists[0].count <= maxChanges;
	*before = agrees && lists[0].before;
	for (int k = 0; agrees && k < lists[0].count; ++k)
	{
		Change* change = &search->changes[search->changeCount++];
		change->channel = channel;
		change->down = *before == (k % 2 == 1);
		for (int i = 0; i < search->count; ++i)
		{
			change->items[i] = lists[i].items + k;
		}
		agrees = placeChange(search, change);
	}
	return agrees;
}

static int compareChanges(const void* a, const void* b)
{
	const Change *x = a, *y = b;
	return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : x->channel - y->channel;
}

// ---- moments

/// Changes that count as one: the first and the last of them in each example.
typedef struct Group
{
	double first[RP_MAX_SHARES], last[RP_MAX_SHARES];
	double place;
	unsigned feet;
} Group;

static void openGroup(const Search* search, const Change* change, Group* out)
{
	out->place = change->place;
	for (int i = 0; i < search->count; ++i)
	{
		out->first[i] = out->last[i] = change->items[i]->time;
	}
}

static bool isBehind(const Search* search, const Group* group, const Change* change)
{
	bool isApart = true;
	for (int i = 0; i < search->count && isApart; ++i)
	{
		isApart = change->items[i]->time - group->last[i] >= SHORTEST_STAGE;
	}
	return isApart;
}

// Whether it stays in order but for small differences, and the group short.
static bool extendGroup(const Search* search, const Change* change, Group* group)
{
	bool fits = true;
	for (int i = 0; i < search->count && fits; ++i)
	{
		double time = change->items[i]->time;
		fits = time >= group->last[i] - ORDER_TOLERANCE;
		group->first[i] = fmin(group->first[i], time);
		group->last[i] = fmax(group->last[i], time);
		fits = fits && group->last[i] - group->first[i] <= LONGEST_MOMENT;
	}
	return fits;
}

// Flights last from the last foot that leaves to the first that comes down.
static bool closeGroup(Search* search, const Group* group)
{
	unsigned before = search->moments[search->momentCount - 1].feet;
	bool isFree = search->momentCount < maxMoments;
	if (!isFree)
	{
		return false;
	}
	Moment* moment = &search->moments[search->momentCount];
	bool inside = true;
	moment->place = group->place;
	moment->feet = group->feet;
	for (int i = 0; i < search->count; ++i)
	{
		const rpSpaceExample* example = getExample(search, i);
		bool fromFlight = before == 0, toFlight = group->feet == 0;
		double middle = 0.5 * (group->first[i] + group->last[i]);
		moment->times[i] = fromFlight ? group->first[i] : toFlight ? group->last[i] : middle;
		inside = inside && moment->times[i] - example->start >= SHORTEST_STAGE &&
				 example->end - moment->times[i] >= SHORTEST_STAGE;
	}
	// What happens at an end needs no key: there is one. It tells what rests from the start on.
	if (!inside && search->momentCount == 1)
	{
		search->moments[0].feet = group->place < 0.5 * (search->model->space->keyCount - 1) ? group->feet : before;
	}
	search->momentCount += inside ? 1 : 0;
	return true;
}

static bool joinChanges(Search* search, unsigned feet)
{
	Group group = {.feet = feet};
	bool agrees = true;
	for (int k = 0; k < search->changeCount && agrees; ++k)
	{
		const Change* change = &search->changes[k];
		if (k == 0)
		{
			openGroup(search, change, &group);
		}
		else if (isBehind(search, &group, change))
		{
			agrees = closeGroup(search, &group);
			openGroup(search, change, &group);
		}
		else
		{
			agrees = extendGroup(search, change, &group);
		}
		unsigned bit = 1u << change->channel;
		group.feet = change->channel >= rp_spaceFeet ? group.feet : change->down ? group.feet | bit : group.feet & ~bit;
	}
	return agrees && (search->changeCount == 0 || closeGroup(search, &group));
}

// ---- flights

// How far examples may be apart within a flight from where the registration has them together, seconds. All but a few
// blends of jumps of 118 are nearer. In turning kicks of 135 a foot that pivots is taken for off the ground, earlier in
// one and later in another, and what happens in these gaps is farther apart than the kick is long.
#define APART_IN_FLIGHT 0.1

// Times run straight in a flight, so what happens in it must happen at the same share of it in all examples.
static bool agreeInFlight(const Search* search, const Moment* from, const Moment* to)
{
	static const double shares[] = {0.25, 0.5, 0.75};
	bool agrees = true;
	for (int k = 0; k < 3 && agrees; ++k)
	{
		double place = from->place + shares[k] * (to->place - from->place), low = INFINITY, high = -INFINITY;
		double length = 0.0;
		for (int i = 0; i < search->count; ++i)
		{
			double own = to->times[i] - from->times[i], share = (getTime(search, i, place) - from->times[i]) / own;
			low = fmin(low, share);
			high = fmax(high, share);
			length += (double)search->weights[i].weight * own;
		}
		agrees = (high - low) * length <= APART_IN_FLIGHT;
	}
	return agrees;
}

static bool agreeInFlights(const Search* search)
{
	bool agrees = true;
	// What comes after the last moment lasts to the end, and is no whole flight.
	for (int n = 1; n + 1 < search->momentCount && agrees; ++n)
	{
		agrees = search->moments[n].feet != 0 || agreeInFlight(search, &search->moments[n], &search->moments[n + 1]);
	}
	return agrees;
}

// ---- events

// An event that all examples have, after what was matched before it in each and before what comes after it.
static void addEvent(Search* search, int channel)
{
	Changes lists[RP_MAX_SHARES];
	Change change = {.channel = channel};
	bool fits = search->momentCount < maxMoments;
	for (int i = 0; i < search->count && fits; ++i)
	{
		lists[i] = getChanges(search, i, channel);
		fits = lists[i].count == 1;
		change.items[i] = lists[i].items;
	}
	if (!fits || !placeChange(search, &change))
	{
		return;
	}
	int at = search->momentCount;
	while (at > 1 && search->moments[at - 1].place > change.place)
	{
		--at;
	}
	Moment moment = {.place = change.place, .feet = search->moments[at - 1].feet};
	for (int i = 0; i < search->count && fits; ++i)
	{
		const rpSpaceExample* example = getExample(search, i);
		double before = at > 1 ? search->moments[at - 1].times[i] : example->start;
		double after = at < search->momentCount ? search->moments[at].times[i] : example->end;
		moment.times[i] = change.items[i]->time;
		fits = moment.times[i] - before >= SHORTEST_STAGE && after - moment.times[i] >= SHORTEST_STAGE;
	}
	// Times run straight in a flight.
	if (fits && (moment.feet != 0 || search->momentCount == 1))
	{
		memmove(&search->moments[at + 1], &search->moments[at], (size_t)(search->momentCount - at) * sizeof(Moment));
		search->moments[at] = moment;
		++search->momentCount;
	}
}

// ---- keys

static void addKey(const Search* search, rpSpaceKeys* out, const double* times)
{
	for (int i = 0; i < search->count; ++i)
	{
		out->times[i][out->keyCount] = times[i];
	}
	++out->keyCount;
}

// Where the registration has the examples at a place between two moments, moved as those were.
static bool placeKey(const Search* search, const Moment* from, const Moment* to, double place, const rpSpaceKeys* keys,
					 double* times)
{
	double share = (place - from->place) / (to->place - from->place);
	bool isBetween = true;
	for (int i = 0; i < search->count; ++i)
	{
		double a = from->times[i] - getTime(search, i, from->place), b = to->times[i] - getTime(search, i, to->place);
		double length = to->times[i] - from->times[i];
		double time = getTime(search, i, place) + a + share * (b - a);
		double earliest = from->times[i] + MIN_SPEED * share * length;
		double latest = to->times[i] - MIN_SPEED * (1.0 - share) * length;
		times[i] = fmin(fmax(time, earliest), latest);
		isBetween = isBetween && times[i] > keys->times[i][keys->keyCount - 1] && times[i] < to->times[i];
	}
	return isBetween;
}

// Even keys up to a moment, as many as there is room for, and the moment.
static void addStretch(const Search* search, const Moment* from, const Moment* to, double spacing, rpSpaceKeys* out)
{
	double times[RP_MAX_SHARES];
	double first = ceil(from->place / spacing + CLOSEST_SHARE) * spacing;
	for (double place = first; place <= to->place - CLOSEST_SHARE * spacing; place += spacing)
	{
		if (placeKey(search, from, to, place, out, times))
		{
			addKey(search, out, times);
		}
	}
	addKey(search, out, to->times);
}

static void fillKeys(const Search* search, rpSpaceKeys* out)
{
	Moment end = {.place = search->model->space->keyCount - 1};
	for (int i = 0; i < search->count; ++i)
	{
		end.times[i] = getExample(search, i)->end;
	}
	out->keyCount = 0;
	out->flights = 0;
	addKey(search, out, search->moments[0].times);
	// No more even keys than there is room for.
	int room = rp_maxSpaceKeys - 1 - search->momentCount;
	double spacing = fmax(1.0, end.place / room);
	for (int n = 0; n < search->momentCount; ++n)
	{
		const Moment *from = &search->moments[n], *to = n + 1 < search->momentCount ? from + 1 : &end;
		bool flies = out->isMatched && from->feet == 0;
		if (flies)
		{
			out->flights |= 1ull << (out->keyCount - 1);
			++out->flightCount;
			addKey(search, out, to->times);
			continue;
		}
		addStretch(search, from, to, spacing, out);
	}
	out->phaseCount = out->isMatched ? search->momentCount : 0;
}

// The start, where everything is as it is in all of them.
static void beginMoments(Search* search, unsigned feet)
{
	search->momentCount = 1;
	search->moments[0] = (Moment){.feet = feet};
	for (int i = 0; i < search->count; ++i)
	{
		search->moments[0].times[i] = getExample(search, i)->start;
	}
}

void rpFindSpaceKeys(const rpSpaceModel* model, const rpSpaceWeight* weights, int count, rpSpaceKeys* out)
{
	Search search;
	unsigned feet = 0;
	bool agrees = true, before;
	search.model = model;
	search.weights = weights;
	search.count = count;
	search.changeCount = 0;
	for (int foot = 0; foot < rp_spaceFeet && agrees; ++foot)
	{
		agrees = agreeOnChannel(&search, foot, &before);
		feet |= agrees && before ? 1u << foot : 0;
	}
	// Without a foot that ever rests nothing is known of contacts.
	agrees = agrees && (feet != 0 || search.changeCount > 0);
	beginMoments(&search, feet);
	qsort(search.changes, (size_t)search.changeCount, sizeof(Change), compareChanges);
	out->isMatched = agrees && joinChanges(&search, feet) && agreeInFlights(&search);
	out->flightCount = 0;
	if (!out->isMatched)
	{
		beginMoments(&search, 0);
	}
	for (int event = 0; event < model->space->eventCount; ++event)
	{
		addEvent(&search, rp_spaceFeet + event);
	}
	fillKeys(&search, out);
}
