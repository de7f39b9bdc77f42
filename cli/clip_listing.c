#include "clip_listing.h"

bool cliListClips(cliRun* run, const rpLibrary* library, cliListing* out)
{
	rpError error = {0};
	out->count = rpLibrary_ListClips(library, &out->infos, &error);
	return out->count >= 0 || cliFailInput(run, &error);
}

void cliFreeListing(cliListing* listing)
{
	rpFreeClipInfos(listing->infos, listing->count);
	*listing = (cliListing){0};
}

const rpClipInfo* cliListing_Find(const cliListing* listing, rpClipId id)
{
	for (int i = 0; i < listing->count; ++i)
	{
		if (listing->infos[i].id == id)
			return &listing->infos[i];
	}
	return NULL;
}

rpClipId cliFindClip(cliRun* run, const rpLibrary* library, const char* name)
{
	rpError error = {0};
	rpClipId id = rpLibrary_FindClip(library, name, &error);
	if (id == 0)
		cliFailInput(run, &error);
	return id;
}

double cliGetClipSeconds(const rpClipInfo* info)
{
	return (info->frameCount - 1) / info->fps;
}
