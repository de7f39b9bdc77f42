/// The examples of a motion graph: motions, their mirror images, and the labels and contacts of every frame.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_faults.h"
#include "build/graph_joins.h"
#include "build/graph_pauses.h"
#include "distance/metric.h"
#include "reprise/analysis.h"
#include "reprise/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The label of clips that have none.
#define NO_LABEL "unlabelled"

// About how long transitions take whose lengths are computed, seconds.
#define USUAL_BLEND 0.53

bool rpGraphReport_Warn(rpGraphReport* report, rpError* error, const char* format, ...)
{
	if (report == NULL)
	{
		return true;
	}
	char text[480];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	char** larger = rpReallocate(report->warnings, (size_t)report->warningCount + 1, sizeof(char*), error);
	if (larger == NULL)
	{
		return false;
	}
	report->warnings = larger;
	larger[report->warningCount] = rpCopyString(text, error);
	return larger[report->warningCount] != NULL && ++report->warningCount > 0;
}

void rpGraphReport_Free(rpGraphReport* report)
{
	for (int i = 0; i < report->warningCount; ++i)
	{
		rpFree(report->warnings[i]);
	}
	rpFree(report->warnings);
	rpFree(report->connectivity);
	*report = (rpGraphReport){0};
}

// ---- clips

static bool addClip(rpExamples* examples, rpMotion* motion, bool isMirrored, rpError* error)
{
	rpGraphClip* clip = &examples->clips[examples->clipCount];
	if (motion == NULL)
	{
		return false;
	}
	*clip = (rpGraphClip){.motion = motion, .isMirrored = isMirrored};
	++examples->clipCount;
	size_t size = strlen(motion->name);
	clip->name = rpAllocateZero(size + 2, 1, error);
	if (clip->name == NULL)
	{
		return false;
	}
	memcpy(clip->name, motion->name, size);
	clip->name[size] = isMirrored ? '~' : 0;

	// The last frame is the last one that the motion covers, as in resampling.
	clip->frameCount = (int)floor(rpMotion_GetDuration(motion) * examples->fps + 1e-3) + 1;
	return rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0) > 0 || rpDetectContacts(motion, NULL, NULL, error);
}

static bool addClips(rpExamples* examples, rpMotion** motions, int count, bool mirror, rpError* error)
{
	examples->clips = rpAllocateZero(2 * (size_t)count, sizeof(rpGraphClip), error);
	for (int i = 0; i < count && examples->clips != NULL; ++i)
	{
		rpMotion* motion = motions[i];
		const rpMotion* first = i > 0 ? examples->clips[0].motion : motion;
		if (!rpSkeleton_Matches(first->skeleton, motion->skeleton))
		{
			rpFail(error, rp_errorArgument, "\"%.80s\" has another skeleton than \"%.80s\"", motion->name, first->name);
			rpError_SetHint(error, "put it onto that skeleton first: reprise convert CLIP --onto OTHER");
			return false;
		}
		motions[i] = NULL;
		if (!addClip(examples, motion, false, error))
		{
			return false;
		}
	}
	for (int i = 0; i < count && mirror && examples->clips != NULL; ++i)
	{
		if (!addClip(examples, rpMirrorMotion(examples->clips[i].motion, error), true, error))
		{
			return false;
		}
	}
	return examples->clips != NULL;
}

// ---- labels

static int compareTexts(const void* a, const void* b)
{
	return strcmp(*(char* const*)a, *(char* const*)b);
}

static int findLabel(const rpExamples* examples, const char* label)
{
	for (int i = 0; i < examples->labelCount; ++i)
	{
		if (strcmp(examples->labels[i], label) == 0)
		{
			return i;
		}
	}
	return -1;
}

static bool addLabel(rpExamples* examples, const char* label, rpError* error)
{
	if (findLabel(examples, label) >= 0)
	{
		return true;
	}
	if (examples->labelCount == RP_MAX_GRAPH_LABELS)
	{
		rpFail(error, rp_errorLimit, "more than %d labels in the clips of one graph", RP_MAX_GRAPH_LABELS);
		rpError_SetHint(error, "name the clips that the graph shall be built from");
		return false;
	}
	char* copy = rpCopyString(label, error);
	if (copy == NULL)
	{
		return false;
	}
	examples->labels[examples->labelCount++] = copy;
	return true;
}

static bool isLabelled(const rpMotion* motion)
{
	return rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0) > 0;
}

// In alphabetical order, so that they do not depend on that of the clips.
static bool gatherLabels(rpExamples* examples, rpError* error)
{
	examples->labels = rpAllocateZero(RP_MAX_GRAPH_LABELS, sizeof(char*), error);
	for (int c = 0; c < examples->clipCount && examples->labels != NULL; ++c)
	{
		const rpAnnotations* annotations = &examples->clips[c].motion->annotations;
		for (int i = 0; i < annotations->intervalCount; ++i)
		{
			if (annotations->intervals[i].track == rp_trackLabel &&
				!addLabel(examples, annotations->intervals[i].name, error))
			{
				return false;
			}
		}
		if (!isLabelled(examples->clips[c].motion) && !addLabel(examples, NO_LABEL, error))
		{
			return false;
		}
	}
	if (examples->labels != NULL)
	{
		qsort(examples->labels, (size_t)examples->labelCount, sizeof(char*), compareTexts);
	}
	return examples->labels != NULL;
}

// ---- frames

static void markFrames(const rpExamples* examples, int clip, const rpInterval* interval)
{
	double fps = examples->fps;
	int frameCount = examples->clips[clip].frameCount, offset = examples->firstFrames[clip];
	int first = (int)ceil(fmin(fmax(interval->start * fps - 1e-3, 0.0), frameCount));
	int end = (int)ceil(fmin(fmax(interval->end * fps - 1e-3, 0.0), frameCount));
	int label = interval->track == rp_trackLabel ? findLabel(examples, interval->name) : -1;
	for (int f = first; f < end; ++f)
	{
		if (interval->track == rp_trackLabel)
		{
			examples->masks[offset + f] |= label >= 0 ? 1ull << label : 0;
		}
		else
		{
			examples->contacts[offset + f] |= (uint16_t)(1u << interval->effector);
		}
	}
}

static void markClip(const rpExamples* examples, int clip)
{
	const rpMotion* motion = examples->clips[clip].motion;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		rpTrack track = motion->annotations.intervals[i].track;
		if (track == rp_trackLabel || track == rp_trackContact)
		{
			markFrames(examples, clip, &motion->annotations.intervals[i]);
		}
	}
	if (!isLabelled(motion))
	{
		rpInterval all = {.track = rp_trackLabel, .end = INFINITY, .name = NO_LABEL};
		markFrames(examples, clip, &all);
	}
}

static bool gatherFrames(rpExamples* examples, rpError* error)
{
	examples->firstFrames = rpAllocateZero((size_t)examples->clipCount + 1, sizeof(int), error);
	if (examples->firstFrames == NULL)
	{
		return false;
	}
	for (int c = 0; c < examples->clipCount; ++c)
	{
		int64_t next = (int64_t)examples->firstFrames[c] + examples->clips[c].frameCount;
		if (next > RP_MAX_FRAMES)
		{
			return rpFail(error, rp_errorLimit, "more than %d frames in the clips of one graph", RP_MAX_FRAMES);
		}
		examples->firstFrames[c + 1] = (int)next;
	}
	size_t frameCount = (size_t)examples->firstFrames[examples->clipCount];
	examples->masks = rpAllocateZero(frameCount, sizeof(uint64_t), error);
	examples->contacts = rpAllocateZero(frameCount, sizeof(uint16_t), error);
	examples->changes = rpAllocate(frameCount, sizeof(float), error);
	if (examples->masks == NULL || examples->contacts == NULL || examples->changes == NULL)
	{
		return false;
	}
	for (int c = 0; c < examples->clipCount; ++c)
	{
		markClip(examples, c);
	}
	return rpExamples_GatherFeet(examples, error);
}

bool rpExamples_Gather(rpExamples* examples, rpMotion** motions, int count, const rpGraphDef* def,
					   const rpMetric* metric, rpGraphReport* report, rpError* error)
{
	double fps = rpMetric_GetRate(metric);
	double blend = def->blend > 0.0 ? def->blend : RP_SHORTEST_BLEND;
	int half = def->blend > 0.0 ? (int)lround(0.5 * blend * fps) : (int)ceil(0.5 * blend * fps - 1e-6);
	*examples = (rpExamples){.fps = fps, .half = half > 1 ? half : 1};
	examples->greatest = metric->kind == rp_metricCloud ? RP_CANDIDATE_LIMIT : RP_ANGLE_LIMIT;
	examples->changeStep = rpGetPauseStep(metric);
	examples->usualHalf = def->blend > 0.0 ? examples->half : (int)lround(0.5 * USUAL_BLEND * fps);
	return addClips(examples, motions, count, def->mirror, error) && gatherLabels(examples, error) &&
		   gatherFrames(examples, error) && rpExamples_FindFaults(examples, def->keepFaults, report, error);
}

void rpExamples_Free(rpExamples* examples)
{
	for (int i = 0; i < examples->clipCount; ++i)
	{
		rpFree(examples->clips[i].name);
		rpDestroyMotion(examples->clips[i].motion);
	}
	for (int i = 0; i < examples->labelCount; ++i)
	{
		rpFree(examples->labels[i]);
	}
	rpFree(examples->clips);
	rpFree(examples->labels);
	rpFree(examples->firstFrames);
	rpFree(examples->masks);
	rpFree(examples->contacts);
	rpFree(examples->feet);
	rpFree(examples->isLeftOut);
	rpFree(examples->rooms);
	rpFree(examples->changes);
	*examples = (rpExamples){0};
}
