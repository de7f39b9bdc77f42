/// How fast the performer performs, and how it compares with captured people who walk and run at the same speeds
/// (REPRISE_MOCAP, where it is there). The tables go to stderr, the figures to the report.
///
/// Of each person the mean over all straight and steady cycles is taken, so that one with many takes does not outvote
/// the others; the performer performs at each person's mean speed on legs as long, several seeds. A figure or a point
/// of a curve is inside if it is within the mean ± 2 standard deviations over people, or within their range if they are
/// fewer than five.
///
/// The performer's formulas were fitted to these same people, all of them: the comparison shows that the formulas can
/// go as people do, not that they foretell how a stranger goes.
#include "bench.h"
#include "capture_takes.h"
#include "gait_cycles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TAKES 256
#define MAX_CYCLES 256
#define MAX_PEOPLE 32
#define MIN_CYCLES 3
#define SEEDS 4
// Fewer people than this: their range counts instead of two standard deviations.
#define ENOUGH_PEOPLE 5

/// The means over a person's cycles, or over the performer's at that person's speed.
typedef struct Person
{
	int subject, cycles;
	double speed, leg;
	double curves[gaitCurveCount][GAIT_POINTS];
	double figures[gaitFigureCount];
} Person;

/// A gait to compare: its takes have the word and none of the others.
typedef struct Gait
{
	rpAct act;
	const char* word;
	GaitBand band;
	/// Keys of the report.
	const char *figuresKey, *curvesKey, *shapesKey;
} Gait;

static const Gait s_gaits[] = {
	{rp_actWalk, "walk", {0.6, 2.2}, "walk_figures_inside", "walk_curves_inside", "walk_shapes_inside"},
	{rp_actRun, "run", {2.0, 5.2}, "run_figures_inside", "run_curves_inside", "run_shapes_inside"},
};

static bool isOther(const char* labels)
{
	static const char* const others[] = {"zombie", "cartoon", "carry", "pick_up", "bent_forward", "crouch", "tiptoe",
										 "sneak",  "step_up", "stern", "jump",    "leap",         "hop",    "sit",
										 "kick",   "punch",   NULL};
	bool found = false;
	for (int i = 0; !found && others[i] != NULL; ++i)
	{
		found = benchHasWord(labels, others[i]);
	}
	return found;
}

static void addCycles(Person* person, const GaitCycle* cycles, int count)
{
	person->cycles += count;
	for (int i = 0; i < count; ++i)
	{
		person->speed += cycles[i].speed;
		for (int k = 0; k < gaitFigureCount; ++k)
		{
			person->figures[k] += cycles[i].figures[k];
		}
		for (int k = 0; k < gaitCurveCount * GAIT_POINTS; ++k)
		{
			person->curves[k / GAIT_POINTS][k % GAIT_POINTS] += cycles[i].curves[k / GAIT_POINTS][k % GAIT_POINTS];
		}
	}
}

static void takeMeans(Person* person)
{
	double count = fmax(person->cycles, 1);
	person->speed /= count;
	for (int k = 0; k < gaitFigureCount; ++k)
	{
		person->figures[k] /= count;
	}
	for (int k = 0; k < gaitCurveCount * GAIT_POINTS; ++k)
	{
		person->curves[k / GAIT_POINTS][k % GAIT_POINTS] /= count;
	}
}

static Person* findPerson(Person* people, int* count, int subject)
{
	int i = 0;
	while (i < *count && people[i].subject != subject)
	{
		++i;
	}
	if (i == *count && i < MAX_PEOPLE)
	{
		people[(*count)++] = (Person){.subject = subject};
	}
	return i < MAX_PEOPLE ? people + i : NULL;
}

static int measurePeople(const char* folder, const Gait* gait, Person* out)
{
	static CaptureTake takes[MAX_TAKES];
	static GaitCycle cycles[MAX_CYCLES];
	int takeCount = benchListTakes(folder, takes, MAX_TAKES), all = 0, count = 0;
	for (int i = 0; i < takeCount; ++i)
	{
		if (takes[i].defect || isOther(takes[i].labels) || !benchHasWord(takes[i].labels, gait->word))
		{
			continue;
		}
		rpMotion* motion = benchLoadTake(folder, takes + i);
		int found = motion != NULL ? gaitFindCycles(motion, gait->band, cycles, MAX_CYCLES) : 0;
		Person* person = found > 0 ? findPerson(out, &all, takes[i].subject) : NULL;
		if (person != NULL)
		{
			person->leg = (double)motion->skeleton->legLength;
			addCycles(person, cycles, found);
		}
		rpDestroyMotion(motion);
	}
	for (int i = 0; i < all; ++i)
	{
		if (out[i].cycles >= MIN_CYCLES)
		{
			out[count] = out[i];
			takeMeans(out + count++);
		}
	}
	return count;
}

// The performer at a person's speed, on legs as long.
static bool measurePerformer(const Person* person, const Gait* gait, Person* out)
{
	static GaitCycle cycles[MAX_CYCLES];
	*out = (Person){.subject = person->subject, .leg = person->leg};
	rpPerformDef def = rpDefaultPerformDef(gait->act);
	rpParameterRange range;
	rpAct_GetRange(gait->act, rp_paramSpeed, &range);
	def.stature = fminf(fmaxf((float)(1.75 * person->leg / 0.8595), 1.2f), 2.1f);
	float scale = sqrtf(def.stature / 1.75f);
	def.parameters[rp_paramSpeed] = fminf(fmaxf((float)person->speed, range.low * scale), range.high * scale);
	def.fps = 120;
	bool ok = true;
	for (int seed = 0; ok && seed < SEEDS; ++seed)
	{
		def.seed = (uint64_t)seed;
		rpMotion* motion = rpPerform(&def, NULL);
		ok = motion != NULL;
		addCycles(out, cycles, ok ? gaitFindCycles(motion, gait->band, cycles, MAX_CYCLES) : 0);
		rpDestroyMotion(motion);
	}
	takeMeans(out);
	return ok && out->cycles > 0;
}

/// What people show of a number.
typedef struct Spread
{
	double mean, deviation, low, high;
} Spread;

// The k-th of the doubles that begin at `member` of each person; `about` is taken off first, if there is one.
static Spread getSpread(const Person* people, int count, size_t member, int k, const double* about)
{
	Spread spread = {.low = INFINITY, .high = -INFINITY};
	double squares = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double value = ((const double*)((const char*)(people + i) + member))[k] - (about != NULL ? about[i] : 0.0);
		spread.mean += value / count;
		squares += value * value;
		spread.low = fmin(spread.low, value);
		spread.high = fmax(spread.high, value);
	}
	spread.deviation = sqrt(fmax(squares - count * spread.mean * spread.mean, 0.0) / fmax(count - 1, 1));
	if (count >= ENOUGH_PEOPLE)
	{
		spread.low = spread.mean - 2.0 * spread.deviation;
		spread.high = spread.mean + 2.0 * spread.deviation;
	}
	return spread;
}

static bool isInside(const Spread* spread, double value)
{
	return value >= spread->low && value <= spread->high;
}

static int compareFigures(const Person* people, const Person* performed, int count)
{
	int inside = 0;
	size_t member = offsetof(Person, figures);
	fprintf(stderr, "%-20s %9s %9s %9s %9s %9s\n", "", "captured", "sd", "least", "most", "performed");
	for (int k = 0; k < gaitFigureCount; ++k)
	{
		Spread captured = getSpread(people, count, member, k, NULL), own = getSpread(performed, count, member, k, NULL);
		inside += isInside(&captured, own.mean);
		fprintf(stderr, "%-20s %9.3f %9.3f %9.3f %9.3f %9.3f  %s\n", gaitGetFigureName((GaitFigure)k), captured.mean,
				captured.deviation, captured.low, captured.high, own.mean,
				isInside(&captured, own.mean) ? "inside" : "OUTSIDE");
	}
	return inside;
}

// Root of the mean square between the performer's mean curve and that of the people.
static double getDifference(const Person* people, const Person* performed, int count, int curve)
{
	double sum = 0.0;
	for (int p = 0; p < GAIT_POINTS; ++p)
	{
		double difference = 0.0;
		for (int i = 0; i < count; ++i)
		{
			difference += (performed[i].curves[curve][p] - people[i].curves[curve][p]) / count;
		}
		sum += difference * difference / GAIT_POINTS;
	}
	return sqrt(sum);
}

// The mean over the cycle of each person's curve.
static void getLevels(const Person* people, int count, int curve, double* out)
{
	for (int i = 0; i < count; ++i)
	{
		out[i] = 0.0;
		for (int p = 0; p < GAIT_POINTS; ++p)
		{
			out[i] += people[i].curves[curve][p] / GAIT_POINTS;
		}
	}
}

static void printRow(const char* name, const char* what, const double* values)
{
	fprintf(stderr, "%-9s %-9s", name, what);
	for (int p = 0; p < GAIT_POINTS; ++p)
	{
		fprintf(stderr, " %4.0f", values[p]);
	}
	fprintf(stderr, "\n");
}

// One curve: the part of the cycle inside, as it is and about its own mean.
static void compareCurve(const Person* people, const Person* performed, int count, int curve, double inside[2])
{
	double levels[2][MAX_PEOPLE], rows[5][GAIT_POINTS];
	getLevels(people, count, curve, levels[0]);
	getLevels(performed, count, curve, levels[1]);
	inside[0] = inside[1] = 0.0;
	size_t member = offsetof(Person, curves) + (size_t)curve * sizeof(people->curves[0]);
	for (int p = 0; p < GAIT_POINTS; ++p)
	{
		for (int shape = 0; shape < 2; ++shape)
		{
			Spread captured = getSpread(people, count, member, p, shape ? levels[0] : NULL);
			Spread own = getSpread(performed, count, member, p, shape ? levels[1] : NULL);
			inside[shape] += isInside(&captured, own.mean) ? 1.0 / GAIT_POINTS : 0.0;
			if (shape == 0)
			{
				rows[0][p] = captured.mean;
				rows[1][p] = captured.low;
				rows[2][p] = captured.high;
				rows[3][p] = own.mean;
			}
		}
	}
	const char* name = gaitGetCurveName((GaitCurve)curve);
	printRow(name, "captured", rows[0]);
	printRow("", "least", rows[1]);
	printRow("", "most", rows[2]);
	printRow("", "performed", rows[3]);
	fprintf(stderr, "%19s inside %.0f %% of the cycle, %.0f %% about its own mean; off by %.1f deg rms\n", "",
			100.0 * inside[0], 100.0 * inside[1], getDifference(people, performed, count, curve));
}

static void compare(const char* folder, const Gait* gait, BenchReport* report)
{
	static Person people[MAX_PEOPLE], performed[MAX_PEOPLE];
	memset(people, 0, sizeof(people));
	int count = measurePeople(folder, gait, people);
	bool ok = count > 1;
	fprintf(stderr, "\n%s beside %d captured people:", rpAct_GetName(gait->act), count);
	for (int i = 0; ok && i < count; ++i)
	{
		ok = measurePerformer(people + i, gait, performed + i);
		fprintf(stderr, " %d (%d cycles, %.2f m/s)", people[i].subject, people[i].cycles, people[i].speed);
	}
	fprintf(stderr, "\n");
	if (!ok)
	{
		return;
	}
	double curves = 0.0, shapes = 0.0;
	int figures = compareFigures(people, performed, count);
	fprintf(stderr, "angles over the cycle, every 5 %%, deg\n");
	for (int k = 0; k < gaitCurveCount; ++k)
	{
		double inside[2];
		compareCurve(people, performed, count, k, inside);
		curves += inside[0] / gaitCurveCount;
		shapes += inside[1] / gaitCurveCount;
	}
	benchPut(report, gait->figuresKey, figures, "of 10 figures, within what captured people show");
	benchPut(report, gait->curvesKey, curves,
			 "part of the five curves over the cycle within what captured people show");
	benchPut(report, gait->shapesKey, shapes, "the same, each curve about its own mean");
}

static double measureSpeed(rpAct act)
{
	double rates[5];
	for (int i = 0; i < 5; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(act);
		def.seconds = 60.0;
		def.seed = 5;
		double start = benchCpuTime();
		rpMotion* motion = rpPerform(&def, NULL);
		rates[i] = motion != NULL ? motion->frameCount / (benchCpuTime() - start) : 0.0;
		rpDestroyMotion(motion);
	}
	return benchMedian(rates, 5);
}

bool benchPerformer(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	benchPut(report, "walk_frames_per_s", measureSpeed(rp_actWalk), "frames of walking per second, one core, 60 Hz");
	benchPut(report, "run_frames_per_s", measureSpeed(rp_actRun), "frames of running per second");
	benchPut(report, "take_frames_per_s", measureSpeed(rp_actTake), "frames of a mixed take per second");
	const char* folder = getenv("REPRISE_MOCAP");
	for (int i = 0; folder != NULL && i < (int)(sizeof(s_gaits) / sizeof(s_gaits[0])); ++i)
	{
		compare(folder, s_gaits + i, report);
	}
	return true;
}
