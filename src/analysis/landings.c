#include "analysis/landings.h"

#include <stdlib.h>

// Landings that are further away do not determine the phase, seconds.
#define PHASE_HALF_WINDOW 1.2

enum
{
	maxLandings = 64,
};

bool rpHasFootContacts(const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (rpInterval_IsFootContact(motion->annotations.intervals + i))
		{
			return true;
		}
	}
	return false;
}

static bool isLanding(const rpMotion* motion, const rpInterval* contact)
{
	int foot = rpEffector_GetFoot(contact->effector);
	double frame = 0.5 / motion->fps;
	bool isFirst = contact->start > frame;
	for (int i = 0; isFirst && i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* other = motion->annotations.intervals + i;
		bool isBefore = other->start < contact->start || (other->start == contact->start && other < contact);
		bool isSameFoot =
			other != contact && rpInterval_IsFootContact(other) && rpEffector_GetFoot(other->effector) == foot;
		isFirst = !(isSameFoot && isBefore && other->end >= contact->start - frame);
	}
	return isFirst;
}

static int compareLandings(const void* a, const void* b)
{
	const rpLanding* x = a;
	const rpLanding* y = b;
	return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->foot - y->foot;
}

int rpListLandings(const rpMotion* motion, double start, double end, rpLanding* out, int capacity)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount && count < capacity; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		bool isInside = interval->start >= start && interval->start <= end;
		if (rpInterval_IsFootContact(interval) && isInside && isLanding(motion, interval))
		{
			out[count++] = (rpLanding){interval->start, rpEffector_GetFoot(interval->effector)};
		}
	}
	qsort(out, (size_t)count, sizeof(rpLanding), compareLandings);
	return count;
}

unsigned rpGetSupport(const rpMotion* motion, double seconds)
{
	unsigned support = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (rpInterval_IsFootContact(interval) && interval->start <= seconds && interval->end > seconds)
		{
			support |= 1u << rpEffector_GetFoot(interval->effector);
		}
	}
	return support;
}

double rpGetStridePhase(const rpMotion* motion, double seconds)
{
	rpLanding landings[maxLandings];
	int count = rpListLandings(motion, seconds - PHASE_HALF_WINDOW, seconds + PHASE_HALF_WINDOW, landings, maxLandings),
		next = 0;
	while (next < count && landings[next].time <= seconds)
	{
		++next;
	}
	if (next == 0 || next == count || landings[next].foot == landings[next - 1].foot)
	{
		return NAN;
	}
	rpLanding before = landings[next - 1], after = landings[next];
	double share = after.time > before.time ? (seconds - before.time) / (after.time - before.time) : 0.0;
	return 0.5 * before.foot + 0.5 * share;
}
