#include "feet/contact_sweep.h"

// Times that are so near to a frame, in frames, are at it.
#define FRAME_SLACK 1e-6

rpContactSweep rpStartContactSweep(const rpMotion* motion)
{
	rpContactSweep sweep = {.motion = motion};
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		sweep.current[i] = -1;
	}
	return sweep;
}

static bool hasBegun(const rpContactSweep* sweep, const rpInterval* interval, int frame)
{
	return interval->track < rp_trackContact ||
		   (interval->track == rp_trackContact && interval->start * sweep->motion->fps <= frame + FRAME_SLACK);
}

// What lasts to the end of the motion lasts through its last frame.
static bool lasts(const rpContactSweep* sweep, const rpInterval* interval, int frame)
{
	const rpMotion* motion = sweep->motion;
	double end = interval->end * motion->fps;
	return frame < end - FRAME_SLACK ||
		   (end >= motion->frameCount - 1 - FRAME_SLACK && interval->end > interval->start);
}

unsigned rpContactSweep_Step(rpContactSweep* sweep, int frame, float* supportHeights)
{
	const rpAnnotations* notes = &sweep->motion->annotations;
	// Intervals are in order of track and start.
	for (; sweep->next < notes->intervalCount && hasBegun(sweep, notes->intervals + sweep->next, frame); ++sweep->next)
	{
		const rpInterval* interval = notes->intervals + sweep->next;
		int* current = &sweep->current[interval->effector];
		bool isContact = interval->track == rp_trackContact;
		if (isContact && (*current < 0 || interval->end > notes->intervals[*current].end))
		{
			*current = sweep->next;
		}
	}
	unsigned contacts = 0;
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		int current = sweep->current[i];
		if (current >= 0 && lasts(sweep, notes->intervals + current, frame))
		{
			contacts |= 1u << i;
			supportHeights[i] = notes->intervals[current].supportHeight;
		}
	}
	return contacts;
}
