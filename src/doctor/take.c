/// What the takes of a session decide together.
#include "doctor/take.h"

#include "base/memory.h"
#include "reprise/play/body.h"

#include <stdlib.h>

// Bodies that fall with this, in g, speak for the file's rate; see doctor_rate.c, where such a gravity raises no doubt.
#define USUAL_LOW 0.45
#define USUAL_HIGH 1.6

void rpTake_Free(rpTake* take)
{
	rpFloorPlaces_Free(&take->places);
	*take = (rpTake){0};
}

void rpScaleTimes(rpAnnotations* annotations, double factor)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		rpInterval* interval = annotations->intervals + i;
		interval->start *= factor;
		interval->end *= factor;
		interval->sourceStart *= factor;
		interval->sourceEnd *= factor;
	}
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		annotations->events[i].time *= factor;
	}
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		// The list owns its arrays.
		double* times = (double*)(uintptr_t)annotations->curves[i].times;
		for (int k = 0; k < annotations->curves[i].keyCount; ++k)
		{
			times[k] *= factor;
		}
	}
}

void rpSetRate(rpMotion* motion, double fps)
{
	rpScaleTimes(&motion->annotations, motion->fps / fps);
	motion->fps = fps;
}

static bool decideFloors(const rpTake* takes, int count, rpTreatment* out, rpError* error)
{
	rpFloorPlaces* places = rpAllocate((size_t)count, sizeof(rpFloorPlaces), error);
	rpFloor* floors = places != NULL ? rpAllocate((size_t)count, sizeof(rpFloor), error) : NULL;
	int open = 0;
	for (int i = 0; i < count && floors != NULL; ++i)
	{
		if (takes[i].isFloorOpen)
		{
			places[open++] = takes[i].places;
		}
	}
	bool done = floors != NULL && rpFitFloors(places, open, floors, error);
	for (int i = 0, k = 0; i < count && done; ++i)
	{
		if (takes[i].isFloorOpen)
		{
			out[i].floor = floors[k++];
		}
	}
	rpFree(places);
	rpFree(floors);
	return done;
}

// Whether a take gives away another rate than its file's, or speaks for that.
static bool givesAway(const rpTake* take)
{
	return take->isRateOpen && take->ownFps != take->fileFps;
}

static bool speaksForFile(const rpTake* take)
{
	double g = take->gravity / RP_GRAVITY;
	return take->isRateOpen && take->ownFps == take->fileFps && g > USUAL_LOW && g < USUAL_HIGH;
}

/// A take's word for a rate of the takes whose files say another.
typedef struct Vote
{
	double fileFps, fps;
} Vote;

static int compareVotes(const void* a, const void* b)
{
	const Vote *x = a, *y = b;
	int order = (x->fileFps > y->fileFps) - (x->fileFps < y->fileFps);
	return order != 0 ? order : (x->fps > y->fps) - (x->fps < y->fps);
}

static int listVotes(const rpTake* takes, int count, Vote* out)
{
	int voteCount = 0;
	for (int i = 0; i < count; ++i)
	{
		if (givesAway(takes + i) || speaksForFile(takes + i))
		{
			out[voteCount++] = (Vote){takes[i].fileFps, takes[i].ownFps};
		}
	}
	qsort(out, (size_t)voteCount, sizeof(Vote), compareVotes);
	return voteCount;
}

// How many votes from one on say the same.
static int countSame(const Vote* votes, int count)
{
	int same = 1;
	while (same < count && compareVotes(votes, votes + same) == 0)
	{
		++same;
	}
	return same;
}

// For each rate that files have what most of their takes vote for, the file's and then the lowest if in doubt: in place
// of the votes, which are sorted. Returns how many there are.
static int electRates(Vote* votes, int count)
{
	int electedCount = 0;
	for (int i = 0; i < count;)
	{
		double fileFps = votes[i].fileFps, best = fileFps;
		int max = 0;
		for (int same; i < count && votes[i].fileFps == fileFps; i += same)
		{
			same = countSame(votes + i, count - i);
			bool isBetter = votes[i].fps == fileFps ? same >= max : same > max;
			best = isBetter ? votes[i].fps : best;
			max = isBetter ? same : max;
		}
		votes[electedCount++] = (Vote){fileFps, best};
	}
	return electedCount;
}

static int compareFileRates(const void* a, const void* b)
{
	const Vote *x = a, *y = b;
	return (x->fileFps > y->fileFps) - (x->fileFps < y->fileFps);
}

// The rate of takes of a file rate that show nothing themselves: what most of the others show.
static double findSessionRate(const Vote* elected, int count, double fileFps)
{
	Vote wanted = {.fileFps = fileFps};
	const Vote* vote = count > 0 ? bsearch(&wanted, elected, (size_t)count, sizeof(Vote), compareFileRates) : NULL;
	return vote != NULL ? vote->fps : fileFps;
}

static bool decideRates(const rpTake* takes, int count, rpTreatment* out, rpError* error)
{
	Vote* votes = rpAllocate((size_t)count, sizeof(Vote), error);
	if (votes == NULL)
	{
		return false;
	}
	int electedCount = electRates(votes, listVotes(takes, count, votes));
	for (int i = 0; i < count; ++i)
	{
		const rpTake* take = takes + i;
		if (take->isRateOpen)
		{
			bool knows = givesAway(take) || speaksForFile(take);
			out[i].fps = knows ? take->ownFps : findSessionRate(votes, electedCount, take->fileFps);
		}
	}
	rpFree(votes);
	return true;
}

bool rpDecideSession(const rpTake* takes, int count, rpTreatment* out, rpError* error)
{
	for (int i = 0; i < count; ++i)
	{
		out[i] = (rpTreatment){0};
	}
	return decideRates(takes, count, out, error) && decideFloors(takes, count, out, error);
}
