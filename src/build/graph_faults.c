/// Captured takes have broken stretches: markers were lost or mistaken for each other, and for some frames the solver
/// turned a head all around or put toes through the floor. The doctor mends what jumps; what goes wrong smoothly it
/// cannot distinguish from motion. But no motion that is made of it is any good, so a graph does without it: frames at
/// which a clip by itself bends joints or sinks feet further than sound takes do, and a little around them.
#include "build/graph_faults.h"

#include "base/error.h"
#include "base/memory.h"
#include "body/joint_limits.h"
#include "reprise/play/feet.h"
#include "work/parallel.h"

#include <math.h>
#include <stdio.h>

// What is let pass: degrees that a joint goes beyond human limits, millimetres that a foot sinks below where it rests.
// Of 222 raw takes of 19 people 99 % stay within 2.1 degrees, the worst is 18.9 beyond; none sinks by more than 54 mm
// (docs/measures.md). Walks of person 83 over what is beyond: 8 of 20 pass evaluate, without it 20.
#define MAX_EXCESS 10.0
#define MAX_DEPTH 60.0

// Left out on either side of what is too bad, seconds: it does not begin there.
#define MARGIN 0.1

// If more of a clip than this is beyond the limits, they do not fit its body: nothing is left out.
#define MAX_FAULTY 0.5

// From this share of the limit on the frames of the clip between those of the graph are looked at as well.
#define NEARLY 0.5

// So many stretches are reported one by one.
#define MAX_REPORTED 8

/// How bad a frame is, as a share of what is let pass.
typedef struct Flaw
{
	float share;

	/// The joint that goes too far, or rp_limitCount for a foot that sinks.
	rpJointLimit what;
} Flaw;

/// What is known while faults are found.
typedef struct Search
{
	const rpExamples* examples;
	rpJointLimits limits;

	/// [frames of the examples]
	Flaw* flaws;

	/// [clipCount] the deepest that a foot sinks, metres.
	float* depths;
} Search;

static void worsen(Flaw* flaw, double share, rpJointLimit what)
{
	if (share > (double)flaw->share)
	{
		*flaw = (Flaw){(float)share, what};
	}
}

// ---- joints

static double lookAtJoints(const Search* search, const rpTransform* pose, Flaw* flaw)
{
	rpJointLimit what;
	double share = rpJointLimits_GetWorst(&search->limits, pose, &what) / MAX_EXCESS;
	worsen(flaw, share, what);
	return share;
}

// ---- feet

// The lowest that a foot rests in a clip; INFINITY: nowhere.
static float getFloor(const rpMotion* motion)
{
	float floor = INFINITY;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (rpInterval_IsFootContact(interval))
		{
			floor = fminf(floor, interval->supportHeight);
		}
	}
	return floor;
}

static float getDepth(const rpSkeleton* skeleton, const rpTransform* pose, float floor)
{
	float depth = 0.0f;
	for (rpEffector effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
	{
		rpAttachment attachment = skeleton->effectors[effector];
		if (attachment.joint >= 0 && isfinite(floor))
		{
			depth = fmaxf(depth, floor - rpTransformPoint(pose[attachment.joint], attachment.offset).y);
		}
	}
	return depth;
}

// Most feet that sink are lifted by the foot lock, as all motions of the graph will be: what counts is what it leaves.
static bool lookAtSunken(const Search* search, int clip, rpError* error)
{
	const rpGraphClip* source = &search->examples->clips[clip];
	Flaw* flaws = search->flaws + search->examples->firstFrames[clip];
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion* locked = rpCopyMotion(source->motion, error);
	rpError why = {0};
	bool done =
		locked != NULL && (rpLockFeet(locked, NULL, NULL, &why) || why.code != rp_errorMemory ||
						   rpFail(error, rp_errorMemory, "no memory to lock the feet of \"%.80s\"", source->name));
	float floor = getFloor(source->motion);
	for (int f = 0; f < source->frameCount && done; ++f)
	{
		rpMotion_Forward(locked, rpMotion_GetFrame(locked, f / search->examples->fps), pose);
		double depth = 1e3 * (double)getDepth(locked->skeleton, pose, floor);
		worsen(&flaws[f], depth / MAX_DEPTH, rp_limitCount);
	}
	rpDestroyMotion(locked);
	return done;
}

// ---- clips

// Frames of the clip that lie between those of the graph can be worse than they are.
static void lookBetween(const Search* search, int clip, int frame, Flaw* flaw)
{
	const rpMotion* motion = search->examples->clips[clip].motion;
	double fps = search->examples->fps;
	rpTransform pose[RP_MAX_JOINTS];
	int end = rpMotion_GetFrame(motion, (frame + 1) / fps);
	for (int f = rpMotion_GetFrame(motion, fmax(frame - 1, 0) / fps) + 1; f < end; ++f)
	{
		rpMotion_Forward(motion, f, pose);
		lookAtJoints(search, pose, flaw);
	}
}

static void lookAtClip(int clip, void* context)
{
	const Search* search = context;
	const rpGraphClip* source = &search->examples->clips[clip];
	Flaw* flaws = search->flaws + search->examples->firstFrames[clip];
	rpTransform pose[RP_MAX_JOINTS];
	float floor = getFloor(source->motion);
	for (int f = 0; f < source->frameCount; ++f)
	{
		rpMotion_Forward(source->motion, rpMotion_GetFrame(source->motion, f / search->examples->fps), pose);
		if (lookAtJoints(search, pose, &flaws[f]) > NEARLY)
		{
			lookBetween(search, clip, f, &flaws[f]);
		}
		search->depths[clip] = fmaxf(search->depths[clip], getDepth(source->motion->skeleton, pose, floor));
	}
}

static bool isFaulty(const Flaw* flaw)
{
	return flaw->share > 1.0f;
}

static bool lookAtClips(Search* search, rpError* error)
{
	bool done = true;
	rpParallelFor(search->examples->clipCount, lookAtClip, search);
	for (int c = 0; c < search->examples->clipCount && done; ++c)
	{
		bool sinks = 1e3 * (double)search->depths[c] > MAX_DEPTH;
		done = !sinks || lookAtSunken(search, c, error);
	}
	return done;
}

// ---- what is left out

static void formatFlaw(const Flaw* flaw, char* out, size_t size)
{
	if (flaw->what == rp_limitCount)
	{
		snprintf(out, size, "a foot sinks in by %.0f mm", (double)flaw->share * MAX_DEPTH);
		return;
	}
	snprintf(out, size, "the %s is %.0f degrees beyond human limits", rpJointLimit_GetName(flaw->what),
			 (double)flaw->share * MAX_EXCESS);
}

/// What was reported.
typedef struct Reported
{
	rpGraphReport* report;
	int stretches, frames;
} Reported;

// One line for a stretch; those of mirror images are known from the clips.
static bool reportStretch(const Search* search, int clip, int first, int last, Reported* reported, rpError* error)
{
	const rpExamples* examples = search->examples;
	const Flaw* flaws = search->flaws + examples->firstFrames[clip];
	int worst = first;
	char text[100];
	for (int f = first; f <= last; ++f)
	{
		worst = flaws[f].share > flaws[worst].share ? f : worst;
	}
	reported->frames += last - first + 1;
	if (examples->clips[clip].isMirrored || ++reported->stretches > MAX_REPORTED)
	{
		return true;
	}
	formatFlaw(&flaws[worst], text, sizeof(text));
	return rpGraphReport_Warn(reported->report, error, "%.80s from %.2f to %.2f s: %s at %.2f s: left out",
							  examples->clips[clip].name, first / examples->fps, last / examples->fps, text,
							  worst / examples->fps);
}

static bool reportMisfit(const Search* search, int clip, Reported* reported, rpError* error)
{
	const rpGraphClip* source = &search->examples->clips[clip];
	return source->isMirrored || ++reported->stretches > MAX_REPORTED ||
		   rpGraphReport_Warn(reported->report, error,
							  "%.80s: most of it is beyond human limits, which do not seem to fit its body: kept",
							  source->name);
}

static void markAround(const Search* search, int clip, bool* isLeftOut)
{
	int frameCount = search->examples->clips[clip].frameCount;
	int margin = (int)lround(MARGIN * search->examples->fps);
	const Flaw* flaws = search->flaws + search->examples->firstFrames[clip];
	for (int f = 0; f < frameCount; ++f)
	{
		for (int k = f - margin; k <= f + margin && isFaulty(&flaws[f]); ++k)
		{
			if (k >= 0 && k < frameCount)
			{
				isLeftOut[k] = true;
			}
		}
	}
}

static bool leaveOut(const Search* search, int clip, Reported* reported, rpError* error)
{
	const rpExamples* examples = search->examples;
	int frameCount = examples->clips[clip].frameCount, offset = examples->firstFrames[clip], faulty = 0;
	bool* isLeftOut = examples->isLeftOut + offset;
	for (int f = 0; f < frameCount; ++f)
	{
		faulty += isFaulty(&search->flaws[offset + f]);
	}
	if (faulty > MAX_FAULTY * frameCount)
	{
		return reportMisfit(search, clip, reported, error);
	}
	markAround(search, clip, isLeftOut);
	int first = 0;
	for (int f = 0; f < frameCount; ++f)
	{
		first = f > 0 && isLeftOut[f - 1] ? first : f;
		examples->masks[offset + f] = isLeftOut[f] ? 0 : examples->masks[offset + f];
		bool isLast = isLeftOut[f] && (f + 1 == frameCount || !isLeftOut[f + 1]);
		if (isLast && !reportStretch(search, clip, first, f, reported, error))
		{
			return false;
		}
	}
	return true;
}

static bool leaveOutAll(const Search* search, rpGraphReport* report, rpError* error)
{
	Reported reported = {.report = report};
	bool done = true;
	for (int c = 0; c < search->examples->clipCount && done; ++c)
	{
		done = leaveOut(search, c, &reported, error);
	}
	if (report != NULL)
	{
		report->leftOutCount = reported.frames;
	}
	int more = reported.stretches - MAX_REPORTED;
	return done && (more <= 0 || rpGraphReport_Warn(report, error, "and %d more stretches like these", more));
}

// How far it is from each frame to the next one that cannot be had, on either side.
static void findRooms(rpExamples* examples)
{
	for (int c = 0; c < examples->clipCount; ++c)
	{
		int first = examples->firstFrames[c], end = examples->firstFrames[c + 1];
		for (int f = first, room = -1; f < end; ++f)
		{
			room = examples->isLeftOut[f] ? -1 : room + 1;
			examples->rooms[f] = room;
		}
		for (int f = end - 1, room = -1; f >= first; --f)
		{
			room = examples->isLeftOut[f] ? -1 : room + 1;
			examples->rooms[f] = room < examples->rooms[f] ? room : examples->rooms[f];
		}
	}
}

bool rpExamples_FindFaults(rpExamples* examples, bool keep, rpGraphReport* report, rpError* error)
{
	size_t frameCount = (size_t)examples->firstFrames[examples->clipCount];
	Search search = {.examples = examples};
	examples->isLeftOut = rpAllocateZero(frameCount, sizeof(bool), error);
	examples->rooms = rpAllocate(frameCount, sizeof(int), error);
	bool done = examples->isLeftOut != NULL && examples->rooms != NULL;
	if (done && !keep)
	{
		search.flaws = rpAllocateZero(frameCount, sizeof(Flaw), error);
		search.depths = rpAllocateZero((size_t)examples->clipCount, sizeof(float), error);
		done = search.flaws != NULL && search.depths != NULL &&
			   rpJointLimits_Open(&search.limits, examples->clips[0].motion->skeleton, error) &&
			   lookAtClips(&search, error) && leaveOutAll(&search, report, error);
	}
	if (done)
	{
		findRooms(examples);
	}
	rpFree(search.flaws);
	rpFree(search.depths);
	return done;
}
