/// The rhythm of the feet over a seam: does the next step come when it should, and with the other foot?
#include "base/memory.h"
#include "judge/footfalls.h"

#include <string.h>

// Landings further from a seam than this say nothing about it, seconds; a step takes no longer than this: who takes
// longer stands.
#define HALF_WINDOW 3.0
#define LONGEST_STEP 1.5

// No foot swings for less than this, seconds (fast runners' swing for 0.3): one that rests again sooner has slid.
#define SHORTEST_SWING 0.15

// Steps on a side that its rhythm is taken from.
#define STEP_COUNT 2

static double getTime(const rpFootfall* landing)
{
	return landing->first / RP_FILM_RATE;
}

// Mean time of the steps from landing `first` to `last`; NaN if there is none, or the feet do not take turns.
static double getStepTime(const rpFootfall* landings, int first, int last)
{
	for (int i = first; i < last; ++i)
	{
		if (landings[i].side == landings[i + 1].side ||
			getTime(&landings[i + 1]) - getTime(&landings[i]) > LONGEST_STEP)
		{
			return NAN;
		}
	}
	return last > first ? (getTime(&landings[last]) - getTime(&landings[first])) / (last - first) : NAN;
}

// How far the time between two landings is from a rhythm, strides. The other foot lands a step after the one; the same
// foot two steps, with the other's stance between them, which may be too short to be seen when somebody runs. NaN for
// somebody who stands.
static double measureStep(const rpFootfall* landing, double before, double after)
{
	double over = getTime(&landing[1]) - getTime(&landing[0]);
	double steps = landing[1].side == landing[0].side ? 2.0 : 1.0;
	// fmin and fmax take the number where the other is none.
	double expected = fmin(fmax(over / steps, fmin(before, after)), fmax(before, after));
	return over > LONGEST_STEP ? (double)NAN : fmin(0.5 * fabs(over / expected - steps), 0.5);
}

// The first landing that is not before a moment.
static int findLanding(const rpFootfall* landings, int count, double seconds)
{
	int low = 0, high = count;
	while (low < high)
	{
		int middle = (low + high) / 2;
		bool isBefore = getTime(&landings[middle]) < seconds;
		low = isBefore ? middle + 1 : low;
		high = isBefore ? high : middle;
	}
	return low;
}

static double measureSeam(const rpFootfall* all, int allCount, double seam)
{
	int begin = findLanding(all, allCount, seam - HALF_WINDOW);
	const rpFootfall* landings = all + begin;
	int count = findLanding(all, allCount, seam + HALF_WINDOW) - begin;
	int next = findLanding(landings, count, seam - 0.5 / RP_FILM_RATE);
	// A foot that rests after the seam and not before it comes down at the seam itself: the step after that counts too.
	int whole = next < count && getTime(&landings[next]) < seam + 0.5 / RP_FILM_RATE ? next + 1 : next;
	int first = next - 1 - STEP_COUNT > 0 ? next - 1 - STEP_COUNT : 0;
	int last = whole + STEP_COUNT < count - 1 ? whole + STEP_COUNT : count - 1;
	double before = next > 0 ? getStepTime(landings, first, next - 1) : (double)NAN;
	double after = whole < count ? getStepTime(landings, whole, last) : (double)NAN;
	if (next == 0 || whole == count || (isnan(before) && isnan(after)))
	{
		return NAN;
	}
	double worst = NAN;
	for (int i = next - 1; i < whole; ++i)
	{
		worst = fmax(worst, measureStep(&landings[i], before, after));
	}
	return worst;
}

// Somebody who runs rests on one foot at a time: a short rest beside a stance of the other foot is none of its own.
static bool isRunning(const rpFootfalls* falls, const rpFootfall* touch)
{
	bool isAlone = true;
	for (int f = touch->first; f < touch->end && isAlone; ++f)
	{
		isAlone = !falls->isDown[1 - touch->side][f];
	}
	return isAlone;
}

// Landings: stances and runners' touches that begin in the film, each once. Returns how many.
static int listLandings(const rpFootfalls* falls, rpFootfall* out)
{
	int count = 0, all = falls->count + falls->touchCount;
	double ends[2] = {-INFINITY, -INFINITY};
	for (int i = 0, k = 0; i + k < all;)
	{
		bool isTouch = i == falls->count ||
					   (k < falls->touchCount && rpFootfall_Compare(&falls->touches[k], &falls->falls[i]) < 0);
		const rpFootfall* fall = isTouch ? &falls->touches[k++] : &falls->falls[i++];
		if (fall->hasOnset && getTime(fall) - ends[fall->side] >= SHORTEST_SWING &&
			(!isTouch || isRunning(falls, fall)))
		{
			out[count++] = *fall;
		}
		ends[fall->side] = fall->end / RP_FILM_RATE;
	}
	return count;
}

bool rpMeasureRhythm(const rpMotion* motion, const rpFootfalls* falls, rpMeasures* out, rpError* error)
{
	rpFootfall* landings = rpAllocate((size_t)(falls->count + falls->touchCount), sizeof(rpFootfall), error);
	if (landings == NULL)
	{
		return false;
	}
	int count = listLandings(falls, landings);
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = motion->annotations.events + i;
		bool isSeam = strcmp(event->name, "seam") == 0;
		double miss = isSeam ? measureSeam(landings, count, event->time) : (double)NAN;
		if (!isnan(miss))
		{
			rpMeasures_KeepWorst(out, rp_measurePhase, miss, event->time);
		}
	}
	rpFree(landings);
	return true;
}
