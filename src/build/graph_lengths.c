/// How long each transition of a graph takes: as rpFindBlendLength has it, both moments in the middle of the blend.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_draft.h"
#include "transition/blend_rules.h"
#include "work/parallel.h"

// The longest transition, seconds: while it lasts a player cannot turn to anything else.
#define LONGEST 1.0

// The distance of the two poses is blended away no faster than this on average, m/s, up to a length that will do for
// any: a step of 10 cm in a tenth of a second is seen, whatever the velocities on both sides are.
#define FASTEST 0.15
#define LONG_ENOUGH 0.53

// What a clip is about is looked up once for so many seconds.
#define ACTIVITY_STEP 0.25

/// What is known while lengths are found.
typedef struct Lengths
{
	const rpExamples* examples;
	rpTransit* transits;
	const bool* isWanted;
	rpBlendLengthDef def;

	/// [clipCount], the whole clip in half frames: joints that count are sampled once.
	rpBlendWindow* windows;

	/// [clipCount], whether memory ran out.
	bool* failed;

	/// [clipCount + 1] offsets into activities, one for each ACTIVITY_STEP of each clip.
	int* firsts;
	uint8_t* activities;
} Lengths;

static int getPlace(double seconds)
{
	return (int)lround(seconds / ACTIVITY_STEP);
}

static void lookUpClip(int clip, void* context)
{
	const Lengths* lengths = context;
	const rpGraphClip* source = &lengths->examples->clips[clip];
	rpBlendWindow* window = &lengths->windows[clip];
	double half = 0.5 / lengths->examples->fps;
	for (int k = lengths->firsts[clip]; k < lengths->firsts[clip + 1]; ++k)
	{
		double seconds = (k - lengths->firsts[clip]) * ACTIVITY_STEP;
		lengths->activities[k] = (uint8_t)rpFindActivity(source->motion, seconds, NULL);
	}
	lengths->failed[clip] = !rpBlendWindow_Choose(window, source->motion->skeleton, NULL, NULL, NULL) ||
							!rpBlendWindow_Sample(window, source->motion, 0.0, half, 2 * source->frameCount - 1,
												  source->motion, 0.0, half, 0, NULL);
}

static bool steps(const Lengths* lengths, int clip, double seconds)
{
	return lengths->activities[lengths->firsts[clip] + getPlace(seconds)] == rp_activityStepping;
}

int rpTransit_GetRoom(const rpExamples* examples, const rpTransit* transit)
{
	int own = examples->rooms[examples->firstFrames[transit->fromClip] + transit->fromMiddle];
	int other = examples->rooms[examples->firstFrames[transit->toClip] + transit->toMiddle];
	return own < other ? own : other;
}

// Seconds by the velocity rule: what the joint that moves farthest needs.
static double findByVelocity(const Lengths* lengths, const rpTransit* transit, int shortest, int longest)
{
	const rpExamples* examples = lengths->examples;
	rpBlendLength length = {0};
	rpLengthTask task = {
		.a = examples->clips[transit->fromClip].motion,
		.b = examples->clips[transit->toClip].motion,
		.ta = transit->fromMiddle / examples->fps,
		.tb = transit->toMiddle / examples->fps,
		.def = &lengths->def,
		.shortest = shortest,
		.fromSteps = longest,
		.toSteps = longest,
		.window = lengths->windows[transit->fromClip],
	};
	rpLengthTask_FindVelocity(&task, &length);
	return length.seconds;
}

static double findSeconds(const Lengths* lengths, const rpTransit* transit, int room)
{
	double fps = lengths->examples->fps;
	int from = transit->fromClip, to = transit->toClip, longest = (int)floor(LONGEST * fps + 1e-6);
	bool isGait = steps(lengths, from, transit->fromMiddle / fps) || steps(lengths, to, transit->toMiddle / fps);
	int shortest = rpGetShortestSteps(&lengths->def, isGait ? rp_lengthGeodesic : rp_lengthVelocity);
	longest = longest < 2 * room ? longest : 2 * room;
	return isGait ? rpFindCentredSteps(&lengths->windows[from], 2 * transit->fromMiddle, &lengths->windows[to],
									   2 * transit->toMiddle, &lengths->def, shortest, longest) /
						fps
				  : findByVelocity(lengths, transit, shortest, longest);
}

// Both directions of a candidate follow each other, and take as long.
static void findLength(const Lengths* lengths, int index)
{
	const rpExamples* examples = lengths->examples;
	rpTransit* transit = &lengths->transits[2 * index];
	if (!lengths->isWanted[2 * index] && !lengths->isWanted[2 * index + 1])
	{
		return;
	}
	int room = rpTransit_GetRoom(examples, transit);
	int half = (int)ceil(0.5 * findSeconds(lengths, transit, room) * examples->fps - 1e-6);
	int min = (int)ceil(0.5 * fmin(transit->distance / FASTEST, LONG_ENOUGH) * examples->fps);
	half = half > min ? half : min;
	transit[0].half = transit[1].half = half < room ? half : room;
}

static bool allocate(Lengths* lengths, rpError* error)
{
	const rpExamples* examples = lengths->examples;
	lengths->firsts = rpAllocateZero((size_t)examples->clipCount + 1, sizeof(int), error);
	lengths->failed = rpAllocateZero((size_t)examples->clipCount, sizeof(bool), error);
	lengths->windows = rpAllocateZero((size_t)examples->clipCount, sizeof(rpBlendWindow), error);
	if (lengths->firsts == NULL || lengths->failed == NULL || lengths->windows == NULL)
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

static void freeLengths(Lengths* lengths)
{
	for (int c = 0; c < lengths->examples->clipCount && lengths->windows != NULL; ++c)
	{
		rpBlendWindow_Free(&lengths->windows[c]);
	}
	rpFree(lengths->windows);
	rpFree(lengths->failed);
	rpFree(lengths->firsts);
	rpFree(lengths->activities);
}

static bool lookUpClips(Lengths* lengths, rpError* error)
{
	bool failed = false;
	rpParallelFor(lengths->examples->clipCount, lookUpClip, lengths);
	for (int c = 0; c < lengths->examples->clipCount; ++c)
	{
		failed = failed || lengths->failed[c];
	}
	return !failed || rpFail(error, rp_errorMemory, "no memory to find how long transitions take");
}

bool rpFindTransitLengths(const rpExamples* examples, rpTransit* transits, const bool* isWanted, int count,
						  rpError* error)
{
	Lengths lengths = {.examples = examples, .transits = transits, .isWanted = isWanted};
	lengths.def = rpDefaultBlendLengthDef();
	lengths.def.fps = examples->fps;
	bool done = allocate(&lengths, error) && lookUpClips(&lengths, error);
	for (int k = 0; k < count / 2 && done; ++k)
	{
		findLength(&lengths, k);
	}
	freeLengths(&lengths);
	return done;
}
