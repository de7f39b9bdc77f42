/// Searches of two long captured takes against the cuts that were published with F. Zhou, F. De la Torre & J. Hodgins,
/// "Aligned cluster analysis for temporal segmentation of human motion" (2008).
#include "bench.h"
#include "capture_takes.h"
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An action of a take: its last row, the middle of the published range.
typedef struct Cut
{
	const char* action;
	int lastRow;
} Cut;

enum
{
	maxCuts = 8,
	maxTakes = 300,
};

/// A take with its cuts.
typedef struct CutTake
{
	const char *name, *file;
	Cut cuts[maxCuts];
} CutTake;

static const CutTake s_takes[] = {
	{"86_01",
	 "cmu/086/86_01.bvh",
	 {{"walk", 550}, {"jump", 1150}, {"walk", 1980}, {"punch", 2500}, {"walk", 3200}, {"kick", 4065}, {"punch", 4579}}},
	{"86_09",
	 "cmu/086/86_09.bvh",
	 {{"walk", 1020}, {"look", 2160}, {"clap", 2830}, {"stand_clap", 3670}, {"walk", 4794}}},
};

#define ROWS_PER_SECOND 120.0

// The query is in the middle of the action's first stretch; no other was tried.
#define QUERY_SECONDS 1.0

/// Where an action is in a take: seconds that it takes, those of them that matches cover, and matches.
typedef struct CutScore
{
	double seconds, covered;
	int matches, right;
} CutScore;

// Seconds that a stretch has in common with an action's stretches.
static double getCommon(const CutTake* take, const char* action, double start, double end)
{
	double begin = 0.0, common = 0.0;
	for (int i = 0; i < maxCuts && take->cuts[i].action != NULL; ++i)
	{
		double until = take->cuts[i].lastRow / ROWS_PER_SECOND;
		bool isOf = strcmp(take->cuts[i].action, action) == 0;
		common += isOf ? fmax(fmin(end, until) - fmax(start, begin), 0.0) : 0.0;
		begin = until;
	}
	return common;
}

static CutScore score(const CutTake* take, const char* action, double duration, const rpMatches* matches)
{
	CutScore out = {.seconds = getCommon(take, action, 0.0, duration), .matches = matches->count - 1};
	double step = 1.0 / ROWS_PER_SECOND;
	for (int i = 1; i < matches->count; ++i)
	{
		const rpStretch* stretch = &matches->items[i].stretch;
		out.right += getCommon(take, action, stretch->start, stretch->end) > 0.5 * (stretch->end - stretch->start);
	}
	for (double t = 0.5 * step; t < duration; t += step)
	{
		bool isCovered = false;
		for (int i = 0; i < matches->count && !isCovered; ++i)
		{
			const rpStretch* stretch = &matches->items[i].stretch;
			isCovered = t >= stretch->start && t < stretch->end;
		}
		out.covered += isCovered ? getCommon(take, action, t - 0.5 * step, t + 0.5 * step) : 0.0;
	}
	return out;
}

static void tryAction(const CutTake* take, int index, const rpMotion* motion, BenchReport* report)
{
	double begin = index > 0 ? take->cuts[index - 1].lastRow / ROWS_PER_SECOND : 0.0;
	double middle = 0.5 * (begin + take->cuts[index].lastRow / ROWS_PER_SECOND);
	const char* action = take->cuts[index].action;
	rpStretch query = {.start = middle - 0.5 * QUERY_SECONDS, .end = middle + 0.5 * QUERY_SECONDS};
	rpMatches* matches = rpFindMatches(&motion, 1, &query, NULL, NULL);
	if (matches == NULL)
	{
		return;
	}
	CutScore found = score(take, action, rpMotion_GetDuration(motion), matches);
	char name[64];
	snprintf(name, sizeof(name), "%s_%s", take->name, action);
	benchPut(report, benchMakeKey(name, "matches"), found.matches, "matches of a second of the action");
	benchPut(report, benchMakeKey(name, "right"), found.right, "those that are of it");
	benchPut(report, benchMakeKey(name, "covered_share"), found.covered / found.seconds,
			 "share of the action that they cover");
	benchPut(report, benchMakeKey(name, "threshold"), (double)matches->threshold, "metres, from the gap");
	rpDestroyMatches(matches);
}

static bool isFirst(const CutTake* take, int index)
{
	for (int i = 0; i < index; ++i)
	{
		if (strcmp(take->cuts[i].action, take->cuts[index].action) == 0)
		{
			return false;
		}
	}
	return true;
}

void benchSearchCuts(BenchReport* report)
{
	static CaptureTake takes[maxTakes];
	const char* folder = getenv("REPRISE_MOCAP");
	int count = folder != NULL ? benchListTakes(folder, takes, maxTakes) : 0;
	for (int i = 0; i < count; ++i)
	{
		for (size_t t = 0; t < sizeof(s_takes) / sizeof(s_takes[0]); ++t)
		{
			const CutTake* take = &s_takes[t];
			rpMotion* motion = strcmp(takes[i].file, take->file) == 0 ? benchLoadTake(folder, &takes[i]) : NULL;
			for (int k = 0; motion != NULL && k < maxCuts && take->cuts[k].action != NULL; ++k)
			{
				if (isFirst(take, k))
				{
					tryAction(take, k, motion, report);
				}
			}
			rpDestroyMotion(motion);
		}
	}
}
