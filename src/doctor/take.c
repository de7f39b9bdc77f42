/// What the takes of a session decide together.
#include "doctor/take.h"

#include "base/memory.h"
#include "reprise/play/body.h"

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

static int countVotes(const rpTake* takes, int count, double fileFps, double fps)
{
	int votes = 0;
	for (int i = 0; i < count; ++i)
	{
		votes +=
			takes[i].fileFps == fileFps && takes[i].ownFps == fps && (givesAway(takes + i) || speaksForFile(takes + i));
	}
	return votes;
}

// The rate of takes of a file rate that show nothing themselves: what most of the others show, the file's if in doubt.
static double findSessionRate(const rpTake* takes, int count, double fileFps)
{
	double best = fileFps;
	int max = countVotes(takes, count, fileFps, fileFps);
	for (int i = 0; i < count; ++i)
	{
		int votes = takes[i].fileFps == fileFps ? countVotes(takes, count, fileFps, takes[i].ownFps) : 0;
		bool isBetter = votes > max || (votes == max && best != fileFps && takes[i].ownFps < best);
		if (isBetter)
		{
			best = takes[i].ownFps;
			max = votes;
		}
	}
	return best;
}

static void decideRates(const rpTake* takes, int count, rpTreatment* out)
{
	for (int i = 0; i < count; ++i)
	{
		const rpTake* take = takes + i;
		if (take->isRateOpen)
		{
			bool knows = givesAway(take) || speaksForFile(take);
			out[i].fps = knows ? take->ownFps : findSessionRate(takes, count, take->fileFps);
		}
	}
}

bool rpDecideSession(const rpTake* takes, int count, rpTreatment* out, rpError* error)
{
	for (int i = 0; i < count; ++i)
	{
		out[i] = (rpTreatment){0};
	}
	decideRates(takes, count, out);
	return decideFloors(takes, count, out, error);
}
