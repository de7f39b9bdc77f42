/// Phases of support from contacts and the centre of mass (Kwon & Shin 2005, section 4.3). Stands come first; what is
/// left is double support, flight, or the support of one foot. Contacts are found with care, so that nothing may touch
/// between two steps of a walk: such a gap is a flight only if the centre of mass has its peak nearer to the gap's
/// centre than its valley.
#include "analysis/footstep_phases.h"

#include "analysis/footstep_gap.h"
#include "analysis/rest_edge.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// A foot that is up for less than this has stayed down, seconds.
#define SHORTEST_LIFT 0.03
// Changes nearer to each other than this are one, seconds.
#define TOGETHER 1e-6
// Someone who stands has the centre of mass at least this high above the floor, in lengths of the leg; sitting, it is
// lower.
#define STANDING_HEIGHT 0.95f
// Someone who comes to a stand, or leaves it, so slowly that the centre of mass shows nothing settles for this long
// after the last foot has come down, and prepares for this long before the first one lifts, seconds (anticipatory
// adjustments of gait begin about half a second before the foot leaves).
#define PREPARING 0.5
// Nobody settles or prepares for longer than this, seconds.
#define LONGEST_SETTLING 1.2
// What is left of a short stand, seconds.
#define SHORTEST_STAND 0.05
// Contacts of runners end and begin within this of the flight's, seconds; and a peak is this far inside its flight.
#define LATE 0.045
#define INSIDE_FLIGHT 0.01
// A foot that only touches while the other one bears the body does so for less than this, seconds.
#define TOUCHING 0.15
// How long both feet are down when one takes over from the other and no contact shows it, seconds.
#define HANDOVER 0.08
// Where contacts were lost, a foot bears the body for this long at least, seconds.
#define SHORTEST_BEARING 0.1
#define GAP '-'

/// Stretches in which a foot is down, in order.
typedef struct FootSpans
{
	rpCenterRest* items;
	int count, capacity;
} FootSpans;

static bool addSpan(FootSpans* spans, double start, double end, rpError* error)
{
	rpCenterRest* last = spans->count > 0 ? spans->items + spans->count - 1 : NULL;
	if (last != NULL && start - last->end < SHORTEST_LIFT)
	{
		last->end = fmax(last->end, end);
		return true;
	}
	if (!rpGrow(&spans->items, &spans->capacity, spans->count, sizeof(rpCenterRest), error))
	{
		return false;
	}
	spans->items[spans->count++] = (rpCenterRest){start, end};
	return true;
}

static bool isOfSide(rpEffector effector, int side)
{
	return side == 0 ? effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe
					 : effector == rp_rightHeel || effector == rp_rightBall || effector == rp_rightToe;
}

// Contacts come in order of their start.
static bool listSpans(const rpMotion* motion, int side, FootSpans* spans, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && isOfSide(contact->effector, side))
		{
			ok = addSpan(spans, contact->start, contact->end, error);
		}
	}
	return ok;
}

static bool addPhase(rpFootstepPhases* phases, double start, double end, char letter, rpError* error)
{
	rpFootstepPhase* last = phases->count > 0 ? phases->items + phases->count - 1 : NULL;
	if (end - start < TOGETHER)
	{
		return true;
	}
	if (last != NULL && last->letter == letter)
	{
		last->end = end;
		return true;
	}
	double begin = last != NULL ? last->end : start;
	if (!rpGrow(&phases->items, &phases->capacity, phases->count, sizeof(rpFootstepPhase), error))
	{
		return false;
	}
	phases->items[phases->count++] = (rpFootstepPhase){begin, end, letter};
	return true;
}

static void replacePhases(rpFootstepPhases* phases, const rpFootstepPhases* fresh)
{
	rpFree(phases->items);
	phases->items = fresh->items;
	phases->count = fresh->count;
	phases->capacity = fresh->capacity;
}

// Whether a foot is down at a time, and until when that stays so; the search goes on from *from, as time only grows.
static bool isDown(const FootSpans* spans, double time, int* from, double* until)
{
	while (*from < spans->count && spans->items[*from].end <= time)
	{
		++*from;
	}
	bool down = *from < spans->count && spans->items[*from].start <= time;
	if (*from < spans->count)
	{
		*until = fmin(*until, down ? spans->items[*from].end : spans->items[*from].start);
	}
	return down;
}

static bool sweep(rpFootstepPhases* phases, const FootSpans spans[2], double duration, rpError* error)
{
	int from[2] = {0, 0};
	bool ok = true;
	for (double time = 0.0, until; ok && time < duration; time = until)
	{
		until = duration;
		bool left = isDown(spans, time, from, &until), right = isDown(spans + 1, time, from + 1, &until);
		ok = addPhase(phases, time, until, left && right ? 'D' : left ? 'L' : right ? 'R' : GAP, error);
	}
	return ok;
}

// A gap in which contacts were lost: each moment is of the foot that bears the body then, for some time at least.
static bool fillGap(rpFootstepPhases* phases, const rpMotion* motion, double from, double to, rpError* error)
{
	double start = from, since = from;
	int frame = (int)floor(from * motion->fps);
	char bearing = rpGetBearingFoot(motion, frame);
	bool ok = true;
	for (; ok && frame / motion->fps < to; ++frame)
	{
		double time = frame / motion->fps;
		since = rpGetBearingFoot(motion, frame) == bearing ? time : since;
		if (time - since > SHORTEST_BEARING && since > start)
		{
			ok = addPhase(phases, start, since, bearing, error);
			start = since;
			bearing = bearing == 'L' ? 'R' : 'L';
		}
	}
	return ok && addPhase(phases, start, to, bearing, error);
}

// `next` is what supports after it. Between two supports of one foot there is no double support, but one of the other
// foot.
static bool nameGap(rpFootstepPhases* phases, const rpMotion* motion, const rpCenterTrack* track, rpCenterRest gap,
					char next, rpError* error)
{
	rpCenterRest lost;
	bool ok = true;
	while (ok && rpFindLostSupport(track, gap.start, gap.end, &lost))
	{
		char before = rpNameFootstepGap(motion, track, gap.start, lost.start);
		ok = addPhase(phases, gap.start, lost.start, before != 0 ? before : 'F', error) &&
			 fillGap(phases, motion, lost.start, lost.end, error);
		gap.start = lost.end;
	}
	char letter = gap.end > gap.start ? rpNameFootstepGap(motion, track, gap.start, gap.end) : 'F';
	bool isSameFoot = phases->count > 0 && phases->items[phases->count - 1].letter == next;
	letter = letter == 'D' && isSameFoot ? 0 : letter;
	return ok && (letter != 0 ? addPhase(phases, gap.start, gap.end, letter, error)
							  : fillGap(phases, motion, gap.start, gap.end, error));
}

static bool nameGaps(rpFootstepPhases* phases, const rpMotion* motion, const rpCenterTrack* track, rpError* error)
{
	rpFootstepPhases fresh = {0};
	bool ok = true;
	for (int i = 0; ok && i < phases->count; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		char next = i + 1 < phases->count ? phase[1].letter : 0;
		ok = phase->letter == GAP
				 ? nameGap(&fresh, motion, track, (rpCenterRest){phase->start, phase->end}, next, error)
				 : addPhase(&fresh, phase->start, phase->end, phase->letter, error);
	}
	replacePhases(phases, &fresh);
	return ok;
}

// Someone who does not fly changes feet with both of them down, if only for a moment.
static bool addHandovers(rpFootstepPhases* phases, rpError* error)
{
	rpFootstepPhases fresh = {0};
	double start = 0.0;
	bool ok = true;
	for (int i = 0; ok && i < phases->count; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		bool changes =
			i + 1 < phases->count && strchr("LR", phase->letter) != NULL && strchr("LR", phase[1].letter) != NULL;
		double half =
			changes ? fmin(0.5 * HANDOVER, 0.25 * fmin(phase->end - start, phase[1].end - phase[1].start)) : 0.0;
		ok = addPhase(&fresh, start, phase->end - half, phase->letter, error) &&
			 addPhase(&fresh, phase->end - half, phase->end + half, 'D', error);
		start = phase->end + half;
	}
	replacePhases(phases, &fresh);
	return ok;
}

// A double support between two supports by the same foot, if short: the other foot has touched in its swing, or the
// contact of this one was lost for a moment.
static void dropTouches(rpFootstepPhases* phases)
{
	int count = 0;
	for (int i = 0; i < phases->count; ++i)
	{
		rpFootstepPhase phase = phases->items[i], *last = count > 0 ? phases->items + count - 1 : NULL;
		bool isTouch = last != NULL && phase.letter == 'D' && phase.end - phase.start < TOUCHING &&
					   i + 1 < phases->count && phases->items[i + 1].letter == last->letter;
		if (isTouch || (last != NULL && last->letter == phase.letter))
		{
			last->end = phase.end;
			continue;
		}
		phases->items[count++] = phase;
	}
	phases->count = count;
}

static void joinPhases(rpFootstepPhases* phases)
{
	int count = 0;
	for (int i = 0; i < phases->count; ++i)
	{
		rpFootstepPhase phase = phases->items[i], *last = count > 0 ? phases->items + count - 1 : NULL;
		if (last != NULL && last->letter == phase.letter)
		{
			last->end = phase.end;
			continue;
		}
		phases->items[count++] = phase;
	}
	phases->count = count;
}

// A foot that touches while the body already falls, or still does, at the peak of a flight: contacts end a little late
// and begin a little early.
static void widenFlights(rpFootstepPhases* phases, const rpCenterTrack* track)
{
	for (int i = 0, k = 0; i < track->turnCount && phases->count > 0; ++i)
	{
		double peak = track->turns[i].time;
		for (; k + 1 < phases->count && phases->items[k].end <= peak; ++k)
		{
		}
		rpFootstepPhase *phase = phases->items + k, *before = k > 0 ? phase - 1 : NULL;
		rpFootstepPhase* after = k + 1 < phases->count ? phase + 1 : NULL;
		if (!track->turns[i].isPeak || strchr("LR", phase->letter) == NULL || !rpIsFalling(track, peak))
		{
			continue;
		}
		if (after != NULL && after->letter == 'F' && phase->end - peak < LATE && peak - phase->start > LATE)
		{
			phase->end = after->start = peak - INSIDE_FLIGHT;
		}
		else if (before != NULL && before->letter == 'F' && peak - phase->start < LATE && phase->end - peak > LATE)
		{
			phase->start = before->end = peak + INSIDE_FLIGHT;
		}
	}
}

// ---- stands

static float getSupport(const rpMotion* motion, double time)
{
	float support = INFINITY;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (rpInterval_IsFootContact(contact) && contact->start <= time && contact->end >= time)
		{
			support = fminf(support, contact->supportHeight);
		}
	}
	return support;
}

static bool isUpright(const rpMotion* motion, const rpCenterTrack* track, double time)
{
	float height = rpCenterTrack_GetPlace(track, time).y - getSupport(motion, time);
	return height > STANDING_HEIGHT * motion->skeleton->legLength;
}

// Stands come before footsteps: where the centre of mass rests, a foot that is lifted and put down again, or whose
// contact is lost, is no step.
static void keepStanding(rpFootstepPhases* phases, const rpCenterTrack* track)
{
	for (int i = 0, k = 0; i < phases->count; ++i)
	{
		rpFootstepPhase* phase = phases->items + i;
		while (k < track->restCount && track->rests[k].end < phase->end)
		{
			++k;
		}
		bool rests = k < track->restCount && track->rests[k].start <= phase->start;
		phase->letter = rests && strchr("LR", phase->letter) != NULL ? 'D' : phase->letter;
	}
	joinPhases(phases);
}

// A rest above both feet without the beginning and the end that belong to steps.
static rpCenterRest getStand(const rpFootstepPhase* phase, const rpCenterTrack* track, rpCenterRest rest, float speed,
							 double duration)
{
	double first = rpFindRestEdge(track, rest, true, speed, phase->start);
	double last = rpFindRestEdge(track, rest, false, speed, phase->end);
	rest = (rpCenterRest){fmax(rest.start, phase->start), fmin(rest.end, phase->end)};
	first = !isnan(first) ? first : phase->start > 0.0 ? phase->start + PREPARING : 0.0;
	last = !isnan(last) ? last : phase->end < duration ? phase->end - PREPARING : duration;
	double start = fmin(fmax(rest.start, first), rest.end - SHORTEST_STAND);
	return (rpCenterRest){start, fmax(fmin(rest.end, last), start + SHORTEST_STAND)};
}

static bool findStands(rpFootstepPhases* phases, const rpMotion* motion, const rpCenterTrack* track,
					   const rpMovementDef* def, rpError* error)
{
	double duration = rpMotion_GetDuration(motion);
	bool ok = true;
	for (int i = 0, k = 0; ok && i < track->restCount; ++i)
	{
		const rpCenterRest* rest = track->rests + i;
		while (k > 0 && (k == phases->count || phases->items[k].start > rest->start))
		{
			--k;
		}
		for (; ok && k < phases->count && phases->items[k].start < rest->end; ++k)
		{
			double start = fmax(rest->start, phases->items[k].start), end = fmin(rest->end, phases->items[k].end);
			bool isCut = start == 0.0 || end == duration;
			double still = rpCenterTrack_GetStillness(track, start, end, def->standSpeed);
			if (phases->items[k].letter != 'D' || still < (isCut ? 0.5 : 1.0) * def->standSeconds ||
				!isUpright(motion, track, 0.5 * (start + end)))
			{
				continue;
			}
			ok = rpGrow(&phases->stands, &phases->standCapacity, phases->standCount, sizeof(rpCenterRest), error);
			if (ok)
			{
				phases->stands[phases->standCount++] =
					getStand(phases->items + k, track, *rest, def->standSpeed, duration);
			}
		}
	}
	return ok;
}

// A double support with a stand in it: S from where the foot came down, if one did, until where one leaves. Between two
// stands, and where it takes too long, something else is done with both feet down.
static bool cutStands(const rpFootstepPhases* old, const rpFootstepPhase* phase, rpFootstepPhases* fresh,
					  double duration, rpError* error)
{
	double done = phase->start;
	bool ok = true, stood = false;
	for (int i = 0; ok && i < old->standCount; ++i)
	{
		const rpCenterRest* stand = old->stands + i;
		if (stand->start >= phase->end || stand->end <= phase->start)
		{
			continue;
		}
		bool isFirst = !stood && phase->start > 0.0 && stand->start - phase->start < LONGEST_SETTLING;
		ok = addPhase(fresh, done, isFirst ? done : stand->start, 'D', error) &&
			 addPhase(fresh, isFirst ? done : stand->start, stand->end, 'S', error);
		done = stand->end;
		stood = true;
	}
	bool isLast = stood && phase->end < duration && phase->end - done < LONGEST_SETTLING;
	return ok && addPhase(fresh, done, phase->end, isLast ? 'S' : 'D', error);
}

static bool markStands(rpFootstepPhases* phases, double duration, rpError* error)
{
	rpFootstepPhases fresh = {0};
	bool ok = true;
	for (int i = 0; ok && i < phases->count; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		ok = phase->letter == 'D' ? cutStands(phases, phase, &fresh, duration, error)
								  : addPhase(&fresh, phase->start, phase->end, phase->letter, error);
	}
	replacePhases(phases, &fresh);
	return ok;
}

bool rpFootstepPhases_Find(rpFootstepPhases* phases, const rpMotion* motion, const rpCenterTrack* track,
						   const rpMovementDef* def, rpError* error)
{
	FootSpans spans[2] = {0};
	double duration = rpMotion_GetDuration(motion);
	*phases = (rpFootstepPhases){0};
	bool ok = listSpans(motion, 0, spans, error) && listSpans(motion, 1, spans + 1, error) &&
			  sweep(phases, spans, duration, error);
	rpFree(spans[0].items);
	rpFree(spans[1].items);
	if (!ok)
	{
		return false;
	}
	if (!nameGaps(phases, motion, track, error))
	{
		return false;
	}
	dropTouches(phases);
	widenFlights(phases, track);
	if (!addHandovers(phases, error))
	{
		return false;
	}
	keepStanding(phases, track);
	return findStands(phases, motion, track, def, error) && markStands(phases, duration, error);
}

void rpFootstepPhases_Free(rpFootstepPhases* phases)
{
	rpFree(phases->items);
	rpFree(phases->stands);
	*phases = (rpFootstepPhases){0};
}

int rpFootstepPhases_Spell(const rpFootstepPhases* phases, double start, double end, double min,
						   char out[RP_FOOTSTEP_SIZE])
{
	int first = -1, length = 0;
	for (int i = 0; i < phases->count && length + 1 < RP_FOOTSTEP_SIZE; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		bool isCut = phase->start < start || phase->end > end;
		if (fmin(phase->end, end) - fmax(phase->start, start) > (isCut ? min : 0.0))
		{
			first = first < 0 ? i : first;
			out[length++] = phase->letter;
		}
	}
	out[length] = 0;
	return first;
}
