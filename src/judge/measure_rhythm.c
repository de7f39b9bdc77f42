/// The rhythm of the feet over a seam: does the next step come when it should, and with the other foot?
#include "analysis/landings.h"
#include "judge/exhibit.h"

#include <string.h>

// Landings further from a seam than this say nothing about it, seconds; a step takes no longer than this.
#define REACH 3.0
#define LONGEST_STEP 1.5

// Steps on a side that its rhythm is taken from.
#define STEP_COUNT 2

enum
{
	mostLandings = 128,
};

// Mean time of the steps from landing `first` to `last`; NaN if there is none, or the feet do not take turns.
static double getStepTime(const rpLanding* landings, int first, int last)
{
	for (int i = first; i < last; ++i)
	{
		if (landings[i].foot == landings[i + 1].foot || landings[i + 1].time - landings[i].time > LONGEST_STEP)
		{
			return NAN;
		}
	}
	return last > first ? (landings[last].time - landings[first].time) / (last - first) : NAN;
}

// How far a step is from a rhythm, strides.
static double measureStep(const rpLanding* landing, double before, double after)
{
	// fmin and fmax take the number where the other is none.
	double over = landing[1].time - landing[0].time;
	double expected = fmin(fmax(over, fmin(before, after)), fmax(before, after));
	return landing[1].foot == landing[0].foot ? 0.5 : fmin(0.5 * fabs(over / expected - 1.0), 0.5);
}

static double measureSeam(const rpMotion* motion, double seam)
{
	rpLanding landings[mostLandings];
	int count = rpListLandings(motion, seam - REACH, seam + REACH, landings, mostLandings), next = 0;
	while (next < count && landings[next].time < seam - 0.5 / motion->fps)
	{
		++next;
	}
	// A foot that rests after the seam and not before it comes down at the seam itself: the step after that counts too.
	int whole = next < count && landings[next].time < seam + 0.5 / motion->fps ? next + 1 : next;
	int first = next - 1 - STEP_COUNT > 0 ? next - 1 - STEP_COUNT : 0;
	int last = whole + STEP_COUNT < count - 1 ? whole + STEP_COUNT : count - 1;
	double before = next > 0 ? getStepTime(landings, first, next - 1) : (double)NAN;
	double after = whole < count ? getStepTime(landings, whole, last) : (double)NAN;
	if (next == 0 || whole == count || (isnan(before) && isnan(after)))
	{
		return NAN;
	}
	double worst = 0.0;
	for (int i = next - 1; i < whole; ++i)
	{
		worst = fmax(worst, measureStep(&landings[i], before, after));
	}
	return worst;
}

void rpMeasureRhythm(const rpExhibit* exhibit, rpMeasures* out)
{
	const rpMotion* motion = exhibit->motion;
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = motion->annotations.events + i;
		double error = strcmp(event->name, "seam") == 0 ? measureSeam(motion, event->time) : (double)NAN;
		if (!isnan(error))
		{
			rpMeasures_Worsen(out, rp_measurePhase, error, event->time);
		}
	}
}
