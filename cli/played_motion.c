#include "played_motion.h"

#include <math.h>
#include <stdio.h>

/// What is annotated.
typedef struct Show
{
	const rpPlayer* player;
	rpMotion* motion;

	/// [frameCount]
	const rpPlayerReport* reports;
	int seamCount;
} Show;

static bool addInterval(Show* show, rpInterval* interval, int first, int end, rpError* error)
{
	rpMotion* motion = show->motion;
	interval->start = first / motion->fps;
	interval->end = fmin(end / motion->fps, rpMotion_GetDuration(motion));
	return interval->end <= interval->start || rpAnnotations_AddInterval(&motion->annotations, interval, error);
}

static bool hasBit(const Show* show, int frame, bool isContact, int bit)
{
	const rpPlayerReport* report = &show->reports[frame];
	return ((isContact ? report->contacts : report->labels) >> bit & 1) != 0;
}

// Stretches of frames with a bit, contacts or labels.
static bool addStretches(Show* show, bool isContact, int bit, rpError* error)
{
	int frameCount = show->motion->frameCount;
	for (int i = 0; i < frameCount; ++i)
	{
		int first = i;
		while (i < frameCount && hasBit(show, i, isContact, bit))
			++i;
		rpInterval interval = {.track = isContact ? rp_trackContact : rp_trackLabel};
		if (isContact)
		{
			interval.effector = (rpEffector)bit;
			interval.supportHeight = first < frameCount ? show->reports[first].supportHeights[bit] : 0.0f;
		}
		else
			interval.name = rpPlayer_GetLabel(show->player, bit);
		if (i > first && !addInterval(show, &interval, first, i, error))
			return false;
	}
	return true;
}

// Of several sources the heaviest is the frame's.
static const rpFrameSource* getSource(const rpPlayerReport* report)
{
	const rpFrameSource* best = &report->sources[0];
	for (int i = 1; i < report->sourceCount; ++i)
		best = report->sources[i].weight > best->weight ? &report->sources[i] : best;
	return best;
}

static bool isLocomotion(const rpPlayerReport* report)
{
	return report->movement.kind != rp_movementKindCount;
}

// One source goes on where the clip's time does, or within one movement.
static bool goesOn(const Show* show, int frame)
{
	const rpPlayerReport *before = &show->reports[frame - 1], *now = &show->reports[frame];
	// A stand is one, however many pieces it is planned in.
	if (isLocomotion(now))
		return before->movement.number == now->movement.number ||
			   (before->movement.kind == rp_movementS && now->movement.kind == rp_movementS);
	const rpFrameSource *a = getSource(before), *b = getSource(now);
	double step = 1.0 / show->motion->fps;
	return a->clip == b->clip && fabs(b->time - a->time - step) < 0.25 * step;
}

static bool addString(Show* show, int frame, rpError* error)
{
	char name[24];
	if (!isLocomotion(&show->reports[frame]))
		return true;
	snprintf(name, sizeof name, "string:%s", rpMovementKind_GetString(show->reports[frame].movement.kind));
	return rpAnnotations_AddEvent(&show->motion->annotations, name, frame / show->motion->fps, error);
}

static bool addSource(Show* show, int first, int end, rpError* error)
{
	const rpFrameSource *from = getSource(&show->reports[first]), *to = getSource(&show->reports[end - 1]);
	double step = 1.0 / show->motion->fps;
	bool isWarped = isLocomotion(&show->reports[first]) && to->time > from->time && to->clip == from->clip;
	rpInterval interval = {.track = rp_trackSource,
						   .name = rpPlayer_GetClipName(show->player, from->clip),
						   .sourceStart = from->time,
						   .sourceEnd = isWarped ? to->time + step : from->time + (end - first) * step};
	return addInterval(show, &interval, first, end, error);
}

static bool addSources(Show* show, rpError* error)
{
	int frameCount = show->motion->frameCount;
	for (int first = 0, i = 1; i <= frameCount; ++i)
	{
		if (i < frameCount && goesOn(show, i))
			continue;
		if (!addSource(show, first, i, error) || !addString(show, first, error) ||
			(i < frameCount &&
			 !rpAnnotations_AddEvent(&show->motion->annotations, "seam", i / show->motion->fps, error)))
			return false;
		show->seamCount += i < frameCount;
		first = i;
	}
	return true;
}

bool cliAnnotatePlay(cliRun* run, const rpPlayer* player, rpMotion* motion, const rpPlayerReport* reports,
					 int* seamCount)
{
	Show show = {player, motion, reports, 0};
	rpError error = {0};
	bool done = addSources(&show, &error);
	for (int bit = 0; bit < rp_effectorCount && done; ++bit)
		done = addStretches(&show, true, bit, &error);
	for (int bit = 0; bit < 64 && rpPlayer_GetLabel(player, bit) != NULL && done; ++bit)
		done = addStretches(&show, false, bit, &error);
	*seamCount = show.seamCount;
	return done || cliFailWork(run, &error);
}
