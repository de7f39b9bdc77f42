/// How well contacts agree with the truth: F1 over intervals, each matched at most once.
#include "reprise/evaluate.h"

// Intersection over union from which two intervals are the same contact.
#define ENOUGH_OVERLAP 0.5

// Of heels and balls: toes are noted only where they are down for longer.
static bool isHeelOrBall(const rpInterval* interval)
{
	rpEffector e = interval->effector;
	return interval->track == rp_trackContact &&
		   (e == rp_leftHeel || e == rp_leftBall || e == rp_rightHeel || e == rp_rightBall);
}

static bool doMatch(const rpInterval* a, const rpInterval* b)
{
	double shared = fmin(a->end, b->end) - fmax(a->start, b->start);
	double all = fmax(a->end, b->end) - fmin(a->start, b->start);
	return a->effector == b->effector && shared >= ENOUGH_OVERLAP * all;
}

static int countFootContacts(const rpMotion* motion)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		count += isHeelOrBall(&motion->annotations.intervals[i]);
	}
	return count;
}

// Contacts of one effector do not overlap each other, so an overlap of more than half cannot match two.
static bool hasMatch(const rpInterval* contact, const rpMotion* truth)
{
	for (int i = 0; i < truth->annotations.intervalCount; ++i)
	{
		const rpInterval* other = &truth->annotations.intervals[i];
		if (isHeelOrBall(other) && doMatch(contact, other))
		{
			return true;
		}
	}
	return false;
}

double rpScoreContacts(const rpMotion* motion, const rpMotion* truth)
{
	int own = countFootContacts(motion), other = countFootContacts(truth), matches = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = &motion->annotations.intervals[i];
		matches += isHeelOrBall(contact) && hasMatch(contact, truth);
	}
	return own + other > 0 ? 2.0 * matches / (own + other) : (double)NAN;
}
