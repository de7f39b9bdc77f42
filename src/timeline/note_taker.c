#include "timeline/note_taker.h"

#include <string.h>

// A clip that plays goes from frame to frame by this many times the frame's length at most: blends run no clip faster.
#define FASTEST 4.0

rpNoteTaker rpStartNoteTaker(rpMotion* motion, rpNameFn* getLabel, rpNameFn* getClip, const void* context)
{
	rpNoteTaker taker = {.motion = motion, .getLabel = getLabel, .getClip = getClip, .context = context};
	memset(taker.contactStarts, -1, sizeof(taker.contactStarts));
	return taker;
}

static bool addInterval(rpNoteTaker* taker, rpInterval interval, int start, int end, rpError* error)
{
	interval.start = start / taker->motion->fps;
	interval.end = end / taker->motion->fps;
	return rpTrackLists_Add(&taker->lists, &interval, error);
}

// ---- contacts

static bool endContact(rpNoteTaker* taker, int effector, int frame, rpError* error)
{
	int start = taker->contactStarts[effector];
	rpInterval contact = {
		.track = rp_trackContact, .effector = (rpEffector)effector, .supportHeight = taker->heights[effector]};
	taker->contactStarts[effector] = -1;
	return start < 0 || addInterval(taker, contact, start, frame, error);
}

static bool noteContact(rpNoteTaker* taker, int effector, int frame, const rpFrameNotes* notes, rpError* error)
{
	int* start = &taker->contactStarts[effector];
	float *known = &taker->heights[effector], height = notes->supportHeights[effector];
	bool rests = (notes->contacts >> effector & 1) != 0, isOther = fabsf(height - *known) >= RP_SAME_SUPPORT;
	if ((!rests || isOther) && !endContact(taker, effector, frame, error))
	{
		return false;
	}
	if (rests)
	{
		bool isNew = *start < 0;
		*start = isNew ? frame : *start;
		*known = isNew ? height : *known + (height - *known) / (float)(frame - *start + 1);
	}
	return true;
}

// ---- labels

static bool noteLabel(rpNoteTaker* taker, int label, int frame, bool isOn, rpError* error)
{
	int start = taker->labelStarts[label];
	rpInterval interval = {.track = rp_trackLabel, .name = isOn ? NULL : taker->getLabel(taker->context, label)};
	taker->labelStarts[label] = frame;
	return interval.name == NULL || addInterval(taker, interval, start, frame, error);
}

// Labels change seldom.
static bool noteLabels(rpNoteTaker* taker, int frame, uint64_t labels, rpError* error)
{
	uint64_t changed = labels ^ taker->labels;
	bool done = true;
	for (int i = 0; i < 64 && changed != 0 && done; ++i)
	{
		done = (changed >> i & 1) == 0 || noteLabel(taker, i, frame, (labels >> i & 1) != 0, error);
	}
	taker->labels = labels;
	return done;
}

// ---- sources

static bool endSource(rpNoteTaker* taker, int index, int frame, rpError* error)
{
	int start = taker->sources[index].start, count = frame - start;
	double from = taker->sources[index].from, last = taker->sources[index].last;
	double step = count > 1 ? (last - from) / (count - 1) : 1.0 / taker->motion->fps;
	rpInterval source = {.track = rp_trackSource,
						 .name = taker->getClip(taker->context, taker->sources[index].clip),
						 .sourceStart = from,
						 .sourceEnd = last + step};
	taker->sources[index] = taker->sources[--taker->sourceCount];
	return source.name == NULL || addInterval(taker, source, start, frame, error);
}

// The source of a frame that goes on with one from the frame before, -1: none does.
static int findNext(const rpNoteTaker* taker, int index, const rpFrameNotes* notes)
{
	for (int i = 0; i < notes->sourceCount; ++i)
	{
		double step = fabs(notes->sources[i].time - taker->sources[index].last);
		if (notes->sources[i].clip == taker->sources[index].clip && step <= FASTEST / taker->motion->fps)
		{
			return i;
		}
	}
	return -1;
}

static bool noteSources(rpNoteTaker* taker, int frame, const rpFrameNotes* notes, rpError* error)
{
	uint64_t known = 0;
	bool done = true;
	for (int k = taker->sourceCount - 1; k >= 0 && done; --k)
	{
		int next = findNext(taker, k, notes);
		bool isTaken = next >= 0 && (known >> next & 1) != 0;
		if (next < 0 || isTaken)
		{
			done = endSource(taker, k, frame, error);
			continue;
		}
		taker->sources[k].last = notes->sources[next].time;
		known |= 1ull << next;
	}
	for (int i = 0; i < notes->sourceCount && taker->sourceCount < RP_MAX_SOURCES && done; ++i)
	{
		if ((known >> i & 1) == 0)
		{
			int k = taker->sourceCount++;
			taker->sources[k].clip = notes->sources[i].clip;
			taker->sources[k].start = frame;
			taker->sources[k].from = taker->sources[k].last = notes->sources[i].time;
		}
	}
	return done;
}

// ---- all of it

bool rpNoteTaker_Add(rpNoteTaker* taker, int frame, const rpFrameNotes* notes, rpError* error)
{
	bool done = taker->getClip == NULL || noteSources(taker, frame, notes, error);
	for (int i = 0; i < rp_effectorCount && done; ++i)
	{
		done = noteContact(taker, i, frame, notes, error);
	}
	return done && (taker->getLabel == NULL || noteLabels(taker, frame, notes->labels, error));
}

bool rpNoteTaker_Finish(rpNoteTaker* taker, int frameCount, rpError* error)
{
	static const rpFrameNotes nothing = {0};
	return rpNoteTaker_Add(taker, frameCount, &nothing, error) &&
		   rpTrackLists_Store(&taker->lists, &taker->motion->annotations, error);
}

void rpNoteTaker_Free(rpNoteTaker* taker)
{
	rpTrackLists_Free(&taker->lists);
}
