/// How long the on-line foot lock takes per frame: a minute of walking and running at 60 Hz that slides, with half a
/// second of look-ahead.
#include "bench.h"
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

#define LOOK_AHEAD 30
#define REPEATS 15

// The performer's motion with its root's path drawn out, so that its feet slide.
static rpMotion* makeSliding(void)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalkRun);
	def.fps = 60.0;
	def.seconds = 60.0;
	def.seed = 5;
	rpMotion* motion = rpPerform(&def, NULL);
	for (int i = 0; motion != NULL && i < motion->frameCount; ++i)
	{
		motion->rootPositions[i].x *= 1.05f;
		motion->rootPositions[i].z *= 1.05f;
	}
	return motion;
}

// The contacts of each frame as bits.
static unsigned* listContacts(const rpMotion* motion)
{
	unsigned* contacts = calloc((size_t)motion->frameCount, sizeof(unsigned));
	for (int i = 0; contacts != NULL && i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		for (int frame = 0; contact->track == rp_trackContact && frame < motion->frameCount; ++frame)
		{
			double time = frame / motion->fps + 1e-9;
			contacts[frame] |= contact->start <= time && time < contact->end ? 1u << contact->effector : 0u;
		}
	}
	return contacts;
}

static double measure(rpFootLocker* locker, const rpMotion* motion, const unsigned* contacts, rpQuat* rotations)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	rpPose out = {.rotations = rotations};
	rpFootLocker_Reset(locker);
	double start = benchCpuTime();
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpPose in = {.rootPosition = motion->rootPositions[frame],
					 .rotations = motion->rotations + (size_t)frame * jointCount};
		if (rpFootLocker_Step(locker, &in, contacts[frame], NULL, &out))
		{
			benchKeep(rotations);
		}
	}
	return (benchCpuTime() - start) / motion->frameCount;
}

bool benchEngineFeet(BenchReport* report)
{
	rpMotion* motion = makeSliding();
	unsigned* contacts = motion != NULL ? listContacts(motion) : NULL;
	rpFootLocker* locker =
		motion != NULL ? rpCreateFootLocker(motion->skeleton, motion->fps, LOOK_AHEAD, NULL, NULL) : NULL;
	rpQuat* rotations = malloc(RP_MAX_JOINTS * sizeof(rpQuat));
	bool done = contacts != NULL && locker != NULL && rotations != NULL;
	if (done)
	{
		double seconds[REPEATS];
		for (int i = 0; i < REPEATS; ++i)
		{
			seconds[i] = measure(locker, motion, contacts, rotations);
		}
		benchPut(report, "foot_lock_us_per_frame", 1e6 * benchMedian(seconds, REPEATS),
				 "us per frame of the on-line foot lock, 31 joints, half a second of look-ahead at 60 Hz");
	}
	else
	{
		fprintf(stderr, "reprise-bench: the foot lock could not be set up\n");
	}
	free(rotations);
	rpDestroyFootLocker(locker);
	free(contacts);
	rpDestroyMotion(motion);
	return done;
}
