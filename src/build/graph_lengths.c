/// How long each transition of a graph takes: as rpFindBlendLength has it, both moments in the middle of the blend.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_draft.h"
#include "reprise/blend_length.h"
#include "work/parallel.h"

// The longest transition, seconds: while it lasts a player cannot turn to anything else.
#define LONGEST 1.0

// What a clip is about is looked up once for so many seconds.
#define ACTIVITY_STEP 0.25

/// What is known while lengths are found.
typedef struct Lengths
{
	const rpExamples* examples;
	rpTransit* transits;
	const bool* isWanted;

	/// [clipCount + 1] offsets into activities, one for each ACTIVITY_STEP of each clip.
	int* firsts;
	uint8_t* activities;

	/// [pairs of transits], whether memory ran out.
	bool* failed;
} Lengths;

static int getPlace(double seconds)
{
	return (int)lround(seconds / ACTIVITY_STEP);
}

static void lookUpClip(int clip, void* context)
{
	const Lengths* lengths = context;
	for (int k = lengths->firsts[clip]; k < lengths->firsts[clip + 1]; ++k)
	{
		double seconds = (k - lengths->firsts[clip]) * ACTIVITY_STEP;
		lengths->activities[k] = (uint8_t)rpFindActivity(lengths->examples->clips[clip].motion, seconds, NULL);
	}
}

static bool steps(const Lengths* lengths, int clip, double seconds)
{
	return lengths->activities[lengths->firsts[clip] + getPlace(seconds)] == rp_activityStepping;
}

// The room in a clip on both sides of a moment, frames; none needs the frame behind the last one.
static int getRoom(const rpExamples* examples, int clip, int middle)
{
	int after = examples->clips[clip].frameCount - 1 - middle;
	return middle < after ? middle : after;
}

int rpTransit_GetRoom(const rpExamples* examples, const rpTransit* transit)
{
	int own = getRoom(examples, transit->fromClip, transit->fromMiddle);
	int other = getRoom(examples, transit->toClip, transit->toMiddle);
	return own < other ? own : other;
}

// Both directions of a candidate follow each other, and take as long.
static void findLength(int index, void* context)
{
	Lengths* lengths = context;
	const rpExamples* examples = lengths->examples;
	rpTransit* transit = &lengths->transits[2 * index];
	if (!lengths->isWanted[2 * index] && !lengths->isWanted[2 * index + 1])
	{
		return;
	}
	const rpMotion* a = examples->clips[transit->fromClip].motion;
	const rpMotion* b = examples->clips[transit->toClip].motion;
	double from = fmin(transit->fromMiddle / examples->fps, rpMotion_GetDuration(a));
	double to = fmin(transit->toMiddle / examples->fps, rpMotion_GetDuration(b));
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	bool isGait = steps(lengths, transit->fromClip, from) || steps(lengths, transit->toClip, to);
	def.rule = isGait ? rp_lengthGeodesic : rp_lengthVelocity;
	def.longest = LONGEST;
	rpBlendLength length;
	rpError error = {0};
	int half = examples->half;
	if (rpFindBlendLength(a, from, b, to, &def, &length, &error))
	{
		half = (int)ceil(0.5 * length.seconds * examples->fps - 1e-6);
	}
	lengths->failed[index] = error.code == rp_errorMemory;
	int room = rpTransit_GetRoom(examples, transit);
	transit[0].half = transit[1].half = half < room ? half : room;
	rpBlendLength_Free(&length);
}

static bool allocate(Lengths* lengths, int count, rpError* error)
{
	const rpExamples* examples = lengths->examples;
	lengths->firsts = rpAllocateZero((size_t)examples->clipCount + 1, sizeof(int), error);
	lengths->failed = rpAllocateZero((size_t)count, sizeof(bool), error);
	if (lengths->firsts == NULL || lengths->failed == NULL)
	{
		return false;
	}
	for (int c = 0; c < examples->clipCount; ++c)
	{
		lengths->firsts[c + 1] = lengths->firsts[c] + getPlace(rpMotion_GetDuration(examples->clips[c].motion)) + 1;
	}
	lengths->activities = rpAllocateZero((size_t)lengths->firsts[examples->clipCount], 1, error);
	return lengths->activities != NULL;
}

static bool checkMemory(const Lengths* lengths, int count, rpError* error)
{
	bool failed = false;
	for (int k = 0; k < count; ++k)
	{
		failed = failed || lengths->failed[k];
	}
	return !failed || rpFail(error, rp_errorMemory, "no memory to find how long transitions take");
}

bool rpFindTransitLengths(const rpExamples* examples, rpTransit* transits, const bool* isWanted, int count,
						  rpError* error)
{
	Lengths lengths = {.examples = examples, .transits = transits, .isWanted = isWanted};
	bool done = allocate(&lengths, count / 2, error);
	if (done)
	{
		rpParallelFor(examples->clipCount, lookUpClip, &lengths);
		rpParallelFor(count / 2, findLength, &lengths);
		done = checkMemory(&lengths, count / 2, error);
	}
	rpFree(lengths.firsts);
	rpFree(lengths.failed);
	rpFree(lengths.activities);
	return done;
}
