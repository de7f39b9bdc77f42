/// How fast captured people change their motion: the 99.9th percentile of the accelerations of joints, by kind of
/// take and part of the body. The bars of the performer's tests (test/support/performance.c) were measured with this.
///
/// The acceleration of a joint is the second difference of its place over 25 ms to both sides, that is, the mean of
/// its acceleration over 50 ms with most weight on the middle. Over a single frame of 120 Hz the noise of capture
/// alone (a millimetre) would be 35 m/s².
#include "bench.h"
#include "capture_takes.h"
#include "math/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TAKES 256
#define HALF_WINDOW 0.025
#define RANK 0.999
// A take whose own figure is this many times the median of its kind is left out of that part of the body: markers were
// mixed up (the toes of subject 104 in every run, single wrists of subject 16). What is below this is none, m/s²: some
// people who pick up walk there, others stand.
#define GLITCH 3.0
#define GLITCH_MIN 40.0

typedef enum Part
{
	trunk,
	knees,
	feet,
	elbows,
	hands,
	partCount,
} Part;

static const char* const s_parts[partCount] = {"trunk", "knees", "feet", "elbows", "hands"};

static const struct
{
	rpRole role;
	Part part;
} s_points[] = {
	{rp_rolePelvis, trunk},     {rp_roleChest, trunk},      {rp_roleHead, trunk},        {rp_roleLeftKnee, knees},
	{rp_roleRightKnee, knees},  {rp_roleLeftAnkle, feet},   {rp_roleRightAnkle, feet},   {rp_roleLeftBall, feet},
	{rp_roleRightBall, feet},   {rp_roleLeftElbow, elbows}, {rp_roleRightElbow, elbows}, {rp_roleLeftWrist, hands},
	{rp_roleRightWrist, hands},
};
#define POINT_COUNT (int)(sizeof(s_points) / sizeof(s_points[0]))

/// A kind: takes that have one of the words, and none of the others. Words are separated by spaces.
typedef struct Kind
{
	const char *name, *words, *not ;
} Kind;

#define STYLES "zombie cartoon carry pick_up bent_forward crouch tiptoe sneak step_up jump sit hop leap"

static const Kind s_kinds[] = {
	{"walk", "walk", STYLES " run stern kick"},
	{"run", "run", STYLES " walk"},
	{"style", "sneak tiptoe crouch stern bent_forward", "none"},
	{"punch", "punch", "walk"},
	{"kick", "kick", "punch"},
	{"pick", "pick_up reach", "none"},
	{"sit", "sit", "none"},
	{"step", "step_up step_down", "none"},
	{"gesture", "wave point clap", "sit"},
	{"dance", "dance", "none"},
	{"jump", "jump_up jump_forward jump_turn", "run"},
	{"leap", "leap jump_over", "none"},
};
#define KIND_COUNT (int)(sizeof(s_kinds) / sizeof(s_kinds[0]))

static bool hasAny(const char* labels, const char* words)
{
	char word[32];
	int length;
	for (; sscanf(words, "%31s%n", word, &length) == 1; words += length)
	{
		if (benchHasWord(labels, word))
		{
			return true;
		}
	}
	return false;
}

typedef struct Values
{
	float* items;
	int count, capacity;
} Values;

static void addValue(Values* values, float value)
{
	if (values->count == values->capacity)
	{
		values->capacity = 2 * values->capacity + 4096;
		values->items = realloc(values->items, (size_t)values->capacity * sizeof(float));
	}
	values->items[values->count++] = value;
}

static double getRanked(Values* values)
{
	if (values->count == 0)
	{
		return 0.0;
	}
	qsort(values->items, (size_t)values->count, sizeof(float), rpCompareFloats);
	return (double)values->items[(int)(RANK * (values->count - 1))];
}

static void measureTake(const rpMotion* motion, Values* values)
{
	int half = (int)fmax(floor(HALF_WINDOW * motion->fps + 0.5), 1.0), joints = motion->skeleton->jointCount;
	double rate = motion->fps / half;
	rpVec3* places = calloc((size_t)motion->frameCount * (size_t)joints, sizeof(rpVec3));
	rpMotion_ForwardAll(motion, 0, motion->frameCount, places, NULL);
	for (int f = half; f + half < motion->frameCount; ++f)
	{
		for (int i = 0; i < POINT_COUNT; ++i)
		{
			int joint = motion->skeleton->roles[s_points[i].role];
			if (joint >= 0)
			{
				const rpVec3* p = places + (ptrdiff_t)f * joints + joint;
				rpVec3 second = rpSub(rpAdd(p[-half * joints], p[half * joints]), rpScale(2.0f, *p));
				addValue(values + s_points[i].part, rpLength(second) * (float)(rate * rate));
			}
		}
	}
	free(places);
}

// The takes of a kind: their indices.
static int findTakes(const CaptureTake* takes, int count, const Kind* kind, int* out)
{
	int found = 0;
	for (int i = 0; i < count; ++i)
	{
		if (hasAny(takes[i].labels, kind->words) && !hasAny(takes[i].labels, kind->not ) && !takes[i].defect)
		{
			out[found++] = i;
		}
	}
	return found;
}

static int countSubjects(const CaptureTake* takes, const int* chosen, int count)
{
	int subjects = 0;
	for (int i = 0; i < count; ++i)
	{
		bool seen = false;
		for (int k = 0; k < i; ++k)
		{
			seen = seen || takes[chosen[k]].subject == takes[chosen[i]].subject;
		}
		subjects += !seen;
	}
	return subjects;
}

// All takes of a kind in one, but for those that are far above the others.
static double poolPart(Values (*values)[partCount], int count, int part, int* dropped)
{
	static double own[MAX_TAKES], sorted[MAX_TAKES];
	Values pool = {0};
	for (int i = 0; i < count; ++i)
	{
		own[i] = sorted[i] = getRanked(&values[i][part]);
	}
	double max = fmax(GLITCH * benchMedian(sorted, count), GLITCH_MIN);
	for (int i = 0; i < count; ++i)
	{
		*dropped += own[i] > max;
		for (int k = 0; own[i] <= max && k < values[i][part].count; ++k)
		{
			addValue(&pool, values[i][part].items[k]);
		}
	}
	double ranked = getRanked(&pool);
	free(pool.items);
	return ranked;
}

static void measureKind(const char* folder, const CaptureTake* takes, int count, const Kind* kind)
{
	static Values values[MAX_TAKES][partCount];
	static int chosen[MAX_TAKES];
	int found = findTakes(takes, count, kind, chosen), dropped = 0;
	memset(values, 0, sizeof(values));
	for (int i = 0; i < found; ++i)
	{
		rpMotion* motion = benchLoadTake(folder, takes + chosen[i]);
		if (motion != NULL)
		{
			measureTake(motion, values[i]);
		}
		rpDestroyMotion(motion);
	}
	fprintf(stderr, "%-10s %5d %8d", kind->name, found, countSubjects(takes, chosen, found));
	for (int part = 0; part < partCount; ++part)
	{
		fprintf(stderr, " %8.1f", poolPart(values, found, part, &dropped));
	}
	fprintf(stderr, " %8d\n", dropped);
	for (int i = 0; i < found * partCount; ++i)
	{
		free(values[i / partCount][i % partCount].items);
	}
}

bool benchAccelerations(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	const char* folder = getenv("REPRISE_MOCAP");
	static CaptureTake takes[MAX_TAKES];
	int count = folder != NULL ? benchListTakes(folder, takes, MAX_TAKES) : 0;
	if (count == 0)
	{
		fprintf(stderr, "reprise-bench: no captured data; REPRISE_MOCAP says where it is\n");
		return false;
	}
	fprintf(stderr, "99.9th percentile of captured accelerations, m/s2, over 50 ms\n%-10s %5s %8s", "kind", "takes",
			"subjects");
	for (int part = 0; part < partCount; ++part)
	{
		fprintf(stderr, " %8s", s_parts[part]);
	}
	fprintf(stderr, " %8s\n", "left out");
	for (int i = 0; i < KIND_COUNT; ++i)
	{
		measureKind(folder, takes, count, s_kinds + i);
	}
	benchPut(report, "takes", count, "takes in the manifest");
	return true;
}
