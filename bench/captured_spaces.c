#include "captured_spaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACE(called, of, by, how, with)                                         \
	{                                                                            \
		.name = called, .subject = of, .features = by, .cut = how, .label = with \
	}
#define SEARCH(called, of, by, in, from, to, both)                                                                    \
	{                                                                                                                 \
		.name = called, .subject = of, .features = by, .cut = captured_search, .takes = in, .start = from, .end = to, \
		.mirror = both                                                                                                \
	}

const CapturedSpace capturedSpaces[] = {
	SPACE("walk_16_left", 16, "turn,speed", captured_leftStride, NULL),
	SPACE("walk_16_right", 16, "turn,speed", captured_rightStride, NULL),
	SPACE("walk_16_by_turn", 16, "turn", captured_leftStride, NULL),
	SPACE("walk_69_left", 69, "turn,speed", captured_leftStride, NULL),
	SPACE("walk_69_right", 69, "turn,speed", captured_rightStride, NULL),
	SPACE("jump_118", 118, "jump_length", captured_jump, NULL),
	SPACE("jump_83", 83, "jump_turn", captured_jump, "jump"),
	SEARCH("reach_144", 144, "right_wrist@farthest", "144_25", 8.95, 10.5, false),
	SEARCH("punch_144", 144, "right_wrist@farthest", "144_20", 4.5, 5.07, false),
	SEARCH("punch_13", 13, "right_wrist@farthest", "13_17;13_18", 8.5, 9.3, false),
	SEARCH("kick_front", 135, "right_ankle.y@highest", "135_04", 2.5, 3.7, true),
	SEARCH("kick_round", 135, "right_ankle.y@highest", "135_07", 5.8, 7.1, true),
	SEARCH("pick_up_115", 115, "pelvis.y@lowest", "115_01;115_02;115_03;115_04;115_06;115_07;115_09;115_10", 1.2, 3.6,
		   false),
};

const int capturedSpaceCount = sizeof(capturedSpaces) / sizeof(capturedSpaces[0]);

enum
{
	maxTakes = 300,
	maxExamples = 400,
};

// Strides are of people who walk, and have margins; seconds, m/s.
#define MARGIN 0.4
#define LONGEST_STRIDE 2.0
#define SLOWEST 0.5
#define FASTEST 2.0

// A jump with what prepares it and what follows.
#define AROUND_JUMP 0.8

static void addMatch(CapturedExamples* out, int take, double start, double end)
{
	double duration = rpMotion_GetDuration(out->takes[take]);
	if (out->matchCount < maxExamples && start >= 0.0 && end <= duration)
	{
		out->matches[out->matchCount++] =
			(rpMatch){.stretch = {.clip = take, .start = start, .end = end}, .parent = -1};
	}
}

static bool isOfFoot(const rpInterval* contact, bool isLeft)
{
	int effector = contact->effector;
	return rpInterval_IsFootContact(contact) &&
		   (isLeft ? effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe
				   : effector == rp_rightHeel || effector == rp_rightBall || effector == rp_rightToe);
}

static bool isWalk(const rpMotion* take, double start, double end)
{
	rpVec3 a = rpMotion_GetPlace(take, start), b = rpMotion_GetPlace(take, end);
	double speed = hypot((double)(b.x - a.x), (double)(b.z - a.z)) / (end - start);
	return speed > SLOWEST && speed < FASTEST && end - start < LONGEST_STRIDE;
}

// Contacts are sorted by their starts; those that overlap are one stance.
static void findStrides(CapturedExamples* out, int index, bool isLeft)
{
	const rpMotion* take = out->takes[index];
	double last = -INFINITY, until = -INFINITY;
	for (int i = 0; i < take->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = &take->annotations.intervals[i];
		if (contact->track != rp_trackContact || !isOfFoot(contact, isLeft))
		{
			continue;
		}
		if (contact->start > until + 0.05)
		{
			bool fits = last >= MARGIN && contact->start <= rpMotion_GetDuration(take) - MARGIN;
			if (fits && isWalk(take, last, contact->start))
			{
				addMatch(out, index, last, contact->start);
			}
			last = contact->start;
		}
		until = fmax(until, contact->end);
	}
}

static void findJump(CapturedExamples* out, int index)
{
	rpFlight flights[16];
	int count = rpFindFlights(out->takes[index], flights, 16, NULL), longest = -1;
	for (int i = 0; i < count && i < 16; ++i)
	{
		bool isLonger =
			longest < 0 || flights[i].end - flights[i].start > flights[longest].end - flights[longest].start;
		longest = isLonger ? i : longest;
	}
	if (longest >= 0)
	{
		double duration = rpMotion_GetDuration(out->takes[index]);
		addMatch(out, index, fmax(flights[longest].start - AROUND_JUMP, 0.0),
				 fmin(flights[longest].end + AROUND_JUMP, duration));
	}
}

static void search(const CapturedSpace* space, CapturedExamples* out)
{
	rpMatchDef def = rpDefaultMatchDef();
	rpError error = {0};
	int first = 0;
	while (first < out->takeCount &&
		   strncmp(space->takes, out->takes[first]->name, strlen(out->takes[first]->name)) != 0)
	{
		++first;
	}
	rpStretch query = {.clip = first < out->takeCount ? first : 0, .start = space->start, .end = space->end};
	def.mirror = space->mirror;
	def.threshold = space->threshold;
	rpMatches* matches = rpFindMatches((const rpMotion* const*)out->takes, out->takeCount, &query, &def, &error);
	for (int i = 0; matches != NULL && i < matches->count && i < maxExamples; ++i)
	{
		out->matches[out->matchCount++] = matches->items[i];
	}
	if (matches != NULL)
	{
		fprintf(stderr, "%s: %d matches, threshold %.3f m%s\n", space->name, matches->count, (double)matches->threshold,
				matches->isFromGap ? " from the gap" : "");
	}
	rpDestroyMatches(matches);
}

// Whether a file, "cmu/013/13_17.bvh", is among the takes "13_17;13_18".
static bool isNamed(const char* takes, const char* file)
{
	char name[32];
	const char* base = strrchr(file, '/');
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base != NULL ? base + 1 : file, "."),
			 base != NULL ? base + 1 : file);
	return benchHasWord(takes, name);
}

bool capturedFind(const CapturedSpace* space, const char* folder, CapturedExamples* out)
{
	static CaptureTake takes[maxTakes];
	int count = benchListTakes(folder, takes, maxTakes);
	*out = (CapturedExamples){.takes = calloc(maxTakes, sizeof(rpMotion*)),
							  .matches = calloc(maxExamples, sizeof(rpMatch))};
	for (int i = 0; i < count; ++i)
	{
		bool isWanted = takes[i].subject == space->subject && !takes[i].defect &&
						(space->label == NULL || benchHasWord(takes[i].labels, space->label)) &&
						(space->takes == NULL || isNamed(space->takes, takes[i].file));
		rpMotion* take = isWanted ? benchLoadTake(folder, &takes[i]) : NULL;
		if (take == NULL || !rpDetectContacts(take, NULL, NULL, NULL))
		{
			rpDestroyMotion(take);
			continue;
		}
		out->takes[out->takeCount++] = take;
		if (space->cut == captured_jump)
		{
			findJump(out, out->takeCount - 1);
		}
		else if (space->cut != captured_search)
		{
			findStrides(out, out->takeCount - 1, space->cut == captured_leftStride);
		}
	}
	if (space->cut == captured_search)
	{
		search(space, out);
	}
	return out->matchCount > 2;
}

void capturedFree(CapturedExamples* examples)
{
	for (int i = 0; i < examples->takeCount; ++i)
	{
		rpDestroyMotion(examples->takes[i]);
	}
	free(examples->takes);
	free(examples->matches);
}
