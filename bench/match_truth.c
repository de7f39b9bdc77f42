#include "match_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add(TruthList* list, TruthStretch stretch)
{
	if (list->count == list->capacity)
	{
		list->capacity = list->capacity * 2 + 64;
		TruthStretch* items = realloc(list->items, (size_t)list->capacity * sizeof(*items));
		if (items == NULL)
		{
			return false;
		}
		list->items = items;
	}
	list->items[list->count++] = stretch;
	return true;
}

// ---- strides

// Seconds of a stretch that have a label.
static double getLabelled(const rpMotion* motion, const char* label, double start, double end)
{
	double seconds = 0.0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (interval->track == rp_trackLabel && strcmp(interval->name, label) == 0)
		{
			seconds += fmax(0.0, fmin(end, interval->end) - fmax(start, interval->start));
		}
	}
	return seconds;
}

// Whether a stretch reaches into a movement that leads from a stand, to one, or to another gait: one of which the
// footstep string is none of walking's.
static bool isOfTransition(const rpMotion* motion, double start, double end)
{
	const rpAnnotations* annotations = &motion->annotations;
	double last = rpMotion_GetDuration(motion);
	bool is = false;
	for (int i = annotations->eventCount - 1; i >= 0; --i)
	{
		const rpEvent* event = &annotations->events[i];
		if (strncmp(event->name, "string:", 7) != 0)
		{
			continue;
		}
		bool isWalk = strcmp(event->name, "string:LDR") == 0 || strcmp(event->name, "string:RDL") == 0;
		is = is || (!isWalk && event->time < end && last > start);
		last = event->time;
	}
	return is;
}

// Strides from one strike of a foot to the next. What starts, ends or changes walking, or lies half in another gait, is
// optional; less is none.
static bool addStrides(TruthList* list, const rpMotion* motion, int take, bool isRight)
{
	const char* name = isRight ? "heel_strike_right" : "heel_strike_left";
	double before = -INFINITY;
	bool done = true;
	for (int i = 0; i < motion->annotations.eventCount && done; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, name) != 0)
		{
			continue;
		}
		double seconds = event->time - before;
		double walked = seconds < 2.0 ? getLabelled(motion, "walk", before, event->time) : 0.0;
		bool isOptional = walked < 0.999 * seconds || isOfTransition(motion, before, event->time);
		TruthStretch stride = {take, before, event->time, isRight, isOptional};
		done = walked < 0.5 * seconds || add(list, stride);
		before = event->time;
	}
	return done;
}

// ---- acts

static rpVec3 getRoot(const rpMotion* motion, int frame)
{
	return motion->rootPositions[frame];
}

// How much a hand or a foot is out: hands from the pelvis, feet above the floor.
static float getOut(const rpMotion* motion, int frame, rpEffector effector, bool isFoot)
{
	rpVec3 place;
	if (!rpMotion_GetEffector(motion, frame, effector, &place))
	{
		return 0.0f;
	}
	return isFoot ? place.y : rpLength(rpSub(place, getRoot(motion, frame)));
}

// The side that does it: at the event of the act, the hand or foot that is further out.
static bool isDoneRight(const rpMotion* motion, const rpInterval* interval)
{
	bool isFoot = strcmp(interval->name, "kick") == 0, isHand = strcmp(interval->name, "punch") == 0;
	for (int i = 0; (isFoot || isHand) && i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, "hit") == 0 && event->time >= interval->start && event->time < interval->end)
		{
			int frame = rpMotion_GetFrame(motion, event->time);
			float left = getOut(motion, frame, isFoot ? rp_leftBall : rp_leftHand, isFoot);
			float right = getOut(motion, frame, isFoot ? rp_rightBall : rp_rightHand, isFoot);
			return right > left;
		}
	}
	return false;
}

bool truthAdd(TruthList* list, const rpMotion* motion, int take, const char* act)
{
	bool isWalk = strcmp(act, "walk") == 0;
	bool done = !isWalk || (addStrides(list, motion, take, false) && addStrides(list, motion, take, true));
	for (int i = 0; i < motion->annotations.intervalCount && done && !isWalk; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (interval->track == rp_trackLabel && strcmp(interval->name, act) == 0)
		{
			TruthStretch stretch = {take, interval->start, interval->end, isDoneRight(motion, interval), false};
			done = add(list, stretch);
		}
	}
	return done;
}

// ---- scores

static bool isSame(const TruthStretch* truth, const rpStretch* match, int take)
{
	double common = fmin(truth->end, match->end) - fmax(truth->start, match->start);
	double all = fmax(truth->end, match->end) - fmin(truth->start, match->start);
	return truth->take == take && common >= 0.5 * all;
}

TruthScore truthScore(const TruthList* truth, bool isRight, const rpMatches* matches, const int* takes)
{
	TruthScore score = {.matches = matches->count - 1};
	for (int t = 0; t < truth->count; ++t)
	{
		const TruthStretch* known = &truth->items[t];
		bool isFound = false;
		for (int k = 1; k < matches->count && !isFound; ++k)
		{
			isFound = isSame(known, &matches->items[k].stretch, takes[matches->items[k].stretch.clip]);
		}
		bool isQuery = isSame(known, &matches->items[0].stretch, takes[matches->items[0].stretch.clip]);
		bool counts = known->isRight == isRight && !known->isOptional && !isQuery;
		score.known += counts ? 1 : 0;
		score.found += counts && isFound ? 1 : 0;
	}
	for (int k = 1; k < matches->count; ++k)
	{
		bool isRightOne = false;
		for (int t = 0; t < truth->count && !isRightOne; ++t)
		{
			isRightOne = truth->items[t].isRight == isRight &&
						 isSame(&truth->items[t], &matches->items[k].stretch, takes[matches->items[k].stretch.clip]);
		}
		score.right += isRightOne ? 1 : 0;
	}
	return score;
}
