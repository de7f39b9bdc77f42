#include "metric_clips.h"

#include "footing.h"

#include <stdlib.h>

static bool checkSkeleton(cliRun* run, const cliMetricClips* clips)
{
	const rpMotion *first = clips->motions[0], *last = clips->motions[clips->count - 1];
	if (rpSkeleton_Matches(first->skeleton, last->skeleton))
		return true;
	return cliFailUsage(run, "name clips of one body, or bring them onto one: reprise convert --onto",
						"%s and %s have different skeletons", first->name, last->name);
}

static bool addClip(cliRun* run, const rpLibrary* library, rpClipId id, const char* name, cliMetricClips* out)
{
	rpError error = {0};
	rpMotion* motion = rpLibrary_LoadClip(library, id, &error);
	if (motion == NULL)
		return cliFailInput(run, &error);
	out->motions[out->count++] = motion;
	if (!rpMotion_SetName(motion, name, &error))
		return cliFailWork(run, &error);
	cliNoteInputs(run, motion);
	cliEnsureContacts(run, name, motion);
	return checkSkeleton(run, out);
}

static bool addAll(cliRun* run, const rpLibrary* library, cliMetricClips* out)
{
	rpClipInfo* infos;
	rpError error = {0};
	int count = rpLibrary_ListClips(library, &infos, &error);
	if (count < 0)
		return cliFailInput(run, &error);
	bool done = count > 0 || cliFailUsage(run, NULL, "the library has no clips");
	out->motions = cliAllocate((size_t)(count + 1) * sizeof(rpMotion*));
	for (int i = 0; i < count && done; ++i)
		done = addClip(run, library, infos[i].id, infos[i].name, out);
	rpFreeClipInfos(infos, count);
	return done;
}

bool cliLoadMetricClips(cliRun* run, const rpLibrary* library, const char* const* names, int count, cliMetricClips* out)
{
	*out = (cliMetricClips){0};
	if (names == NULL)
		return addAll(run, library, out);
	bool done = true;
	out->motions = cliAllocate((size_t)(count + 1) * sizeof(rpMotion*));
	for (int i = 0; i < count && done; ++i)
	{
		rpError error = {0};
		rpClipId id = rpLibrary_FindClip(library, names[i], &error);
		done = id != 0 ? addClip(run, library, id, names[i], out) : cliFailInput(run, &error);
	}
	return done;
}

void cliFreeMetricClips(cliMetricClips* clips)
{
	for (int i = 0; i < clips->count; ++i)
		rpDestroyMotion(clips->motions[i]);
	free(clips->motions);
	*clips = (cliMetricClips){0};
}
