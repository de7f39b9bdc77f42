#include "learn/step_clock.h"

#include "analysis/landings.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// A foot that is off the ground for less time than this, seconds, has not been lifted.
#define SHORTEST_LIFT 0.05

// A contact this near to an end of the motion may have begun before it or go on after it, seconds.
#define CUT_TIME 0.05

// Two steps that follow each other closer or later than this, seconds, are none of one gait.
#define SHORTEST_STEP 0.15
#define LONGEST_STEP 1.2

static int compareMidstances(const void* a, const void* b)
{
	const rpMidstance *x = a, *y = b;
	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->foot - y->foot;
}

static bool addStance(rpStepClock* clock, rpInterval stance, double duration, int foot, rpError* error)
{
	if (stance.start <= CUT_TIME || stance.end >= duration - CUT_TIME || stance.end < stance.start)
	{
		return true;
	}
	if (!rpGrow(&clock->items, &clock->capacity, clock->count, sizeof(rpMidstance), error))
	{
		return false;
	}
	clock->items[clock->count++] = (rpMidstance){0.5 * (stance.start + stance.end), foot};
	return true;
}

// Contacts are sorted by their starts; one that begins after all before it have ended is a new stance.
static bool addFoot(rpStepClock* clock, const rpMotion* motion, int foot, rpError* error)
{
	const rpAnnotations* annotations = &motion->annotations;
	rpInterval stance = {.start = 0.0, .end = -1.0};
	double duration = rpMotion_GetDuration(motion);
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = &annotations->intervals[i];
		if (interval->track != rp_trackContact || rpEffector_GetFoot(interval->effector) != foot)
		{
			continue;
		}
		if (interval->start > stance.end + SHORTEST_LIFT)
		{
			if (!addStance(clock, stance, duration, foot, error))
			{
				return false;
			}
			stance.start = interval->start;
		}
		stance.end = fmax(stance.end, interval->end);
	}
	return addStance(clock, stance, duration, foot, error);
}

bool rpStepClock_Create(rpStepClock* clock, const rpMotion* motion, rpError* error)
{
	*clock = (rpStepClock){0};
	if (!addFoot(clock, motion, 0, error) || !addFoot(clock, motion, 1, error))
	{
		rpStepClock_Free(clock);
		return false;
	}
	if (clock->count > 0)
	{
		qsort(clock->items, (size_t)clock->count, sizeof(rpMidstance), compareMidstances);
	}
	return true;
}

void rpStepClock_Free(rpStepClock* clock)
{
	rpFree(clock->items);
	*clock = (rpStepClock){0};
}

// Whether the clock goes from stance i to the next.
static bool isStep(const rpStepClock* clock, int i)
{
	double seconds = clock->items[i + 1].time - clock->items[i].time;
	return clock->items[i].foot != clock->items[i + 1].foot && seconds >= SHORTEST_STEP && seconds <= LONGEST_STEP;
}

bool rpStepClock_Read(const rpStepClock* clock, double time, double* phase, double* cycle)
{
	int low = 0, high = clock->count;
	// The first middle that is later.
	while (low < high)
	{
		int middle = (low + high) / 2;
		bool isLater = clock->items[middle].time > time;
		high = isLater ? middle : high;
		low = isLater ? low : middle + 1;
	}
	if (low == 0 || low == clock->count || !isStep(clock, low - 1))
	{
		return false;
	}
	const rpMidstance* last = &clock->items[low - 1];
	double seconds = last[1].time - last->time;
	*phase = 0.5 * last->foot + 0.5 * (time - last->time) / seconds;
	*cycle = 2.0 * seconds;
	return true;
}

bool rpStepClock_Find(const rpStepClock* clock, double phase, int index, double* time)
{
	int foot = phase >= 0.5;
	for (int i = 0; i + 1 < clock->count; ++i)
	{
		if (clock->items[i].foot == foot && isStep(clock, i) && index-- == 0)
		{
			double part = 2.0 * (phase - 0.5 * foot);
			*time = clock->items[i].time + part * (clock->items[i + 1].time - clock->items[i].time);
			return true;
		}
	}
	return false;
}

double rpGetPhaseDistance(double a, double b)
{
	double distance = fabs(a - b);
	distance -= floor(distance);
	return fmin(distance, 1.0 - distance);
}
