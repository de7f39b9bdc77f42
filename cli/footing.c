#include "footing.h"

#include <math.h>

// Over this time a lock is eased off on both sides, seconds.
#define EASE 0.5

bool cliEnsureContacts(cliRun* run, const char* name, rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (rpInterval_IsFootContact(motion->annotations.intervals + i))
			return true;
	}
	rpError error = {0};
	if (rpDetectContacts(motion, NULL, NULL, &error))
		return true;
	cliWarn(run, "%s: no contacts of its feet can be found: %s", name, error.message);
	return false;
}

// The same annotations with the contacts of that stretch alone.
static bool keepContacts(rpMotion* motion, const rpAnnotations* from, double start, double end, rpError* error)
{
	bool done = true;
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	for (int i = 0; done && i < from->intervalCount; ++i)
	{
		const rpInterval* interval = from->intervals + i;
		if (interval->track == rp_trackContact && interval->end > start && interval->start < end)
			done = rpAnnotations_AddInterval(&motion->annotations, interval, error);
	}
	return done;
}

// How much of the locked motion is taken at a time.
static float getWeight(double time, double start, double end)
{
	double away = fmax(fmax(start - time, time - end), 0.0) / EASE;
	return away < 1.0 ? (float)(1.0 - rpSmoothstep(away)) : 0.0f;
}

// Away from the stretch, lead the locked motion back to the one it was made from.
static void easeOff(rpMotion* locked, const rpMotion* original, double start, double end)
{
	int jointCount = locked->skeleton->jointCount;
	for (int frame = 0; frame < locked->frameCount; ++frame)
	{
		float weight = getWeight(frame / locked->fps, start, end);
		size_t first = (size_t)frame * (size_t)jointCount;
		if (weight >= 1.0f)
			continue;
		locked->rootPositions[frame] = rpLerp(original->rootPositions[frame], locked->rootPositions[frame], weight);
		for (size_t i = first; i < first + (size_t)jointCount; ++i)
		{
			const rpVec3* bones =
				original->translations != NULL ? original->translations + first : original->skeleton->offsets;
			locked->rotations[i] =
				weight > 0.0f ? rpSlerp(original->rotations[i], locked->rotations[i], weight) : original->rotations[i];
			if (locked->translations != NULL)
				locked->translations[i] = rpLerp(bones[i - first], locked->translations[i], weight);
		}
	}
	rpMotion_FixHemispheres(locked);
}

static void exchangeAnnotations(rpMotion* a, rpMotion* b)
{
	rpAnnotations kept = a->annotations;
	a->annotations = b->annotations;
	b->annotations = kept;
}

// A foot that rests in the stretch does so from its landing to its leaving: to ease off in between would let it slide.
static void widen(const rpAnnotations* annotations, double* start, double* end)
{
	double first = *start, last = *end;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = annotations->intervals + i;
		if (rpInterval_IsFootContact(interval) && interval->end > first && interval->start < last)
		{
			*start = fmin(*start, interval->start);
			*end = fmax(*end, interval->end);
		}
	}
}

double cliMeasureSlide(const rpMotion* motion)
{
	rpMeasures measures;
	rpError error = {0};
	return rpEvaluate(motion, NULL, &measures, &error) ? measures.values[rp_measureSlideMean] : (double)NAN;
}

// Of the stretch that is locked: outside of it takes slide as they were captured.
static double measureStretch(const rpMotion* motion, double start, double end)
{
	rpError error = {0};
	double first = fmax(start, 0.0), last = fmin(end, rpMotion_GetDuration(motion));
	rpMotion* stretch = last > first ? rpCropMotion(motion, first, last, &error) : NULL;
	double slide = stretch != NULL ? cliMeasureSlide(stretch) : (double)NAN;
	rpDestroyMotion(stretch);
	return slide;
}

void cliPrintSlide(cliRun* run, const char* name, const cliSlide* slide)
{
	const char *prefix = name != NULL ? name : "", *colon = name != NULL ? ": " : "";
	if (isfinite(slide->before) && isfinite(slide->after))
		cliPrint(run, "%s%sfeet locked: they slid by %.1f mm a stance, now by %.1f mm", prefix, colon, slide->before,
				 slide->after);
	else
		cliPrint(run, "%s%sfeet locked", prefix, colon);
}

void cliAddSlide(json_t* result, const cliSlide* slide)
{
	json_object_set_new(result, "slide_mm_before", cliMakeReal(slide->before));
	json_object_set_new(result, "slide_mm_after", cliMakeReal(slide->after));
}

bool cliLockFeet(cliRun* run, rpMotion** motion, double start, double end, rpFootLockReport* report, cliSlide* slide)
{
	rpError error = {0};
	widen(&(*motion)->annotations, &start, &end);
	slide->before = measureStretch(*motion, start, end);
	rpMotion* locked = rpCopyMotion(*motion, &error);
	if (locked == NULL || !keepContacts(locked, &(*motion)->annotations, start - EASE, end + EASE, &error) ||
		!rpLockFeet(locked, NULL, report, &error))
	{
		rpDestroyMotion(locked);
		cliWarn(run, "the feet are not locked: %s", error.message);
		return false;
	}
	easeOff(locked, *motion, start, end);
	exchangeAnnotations(*motion, locked);
	rpDestroyMotion(*motion);
	*motion = locked;
	slide->after = measureStretch(locked, start, end);
	return true;
}
