#include "walk_picture.h"

#include "clip.h"

#include <stdlib.h>

cliAsked cliNothingAsked(void)
{
	return (cliAsked){.map = rpDefaultPathMapDef()};
}

void cliFreeAsked(cliAsked* asked)
{
	free(asked->trail);
	asked->trail = NULL;
}

void cliKeepTrail(cliAsked* asked, const rpPose* pose)
{
	if (!asked->keepsTrail)
		return;
	if (asked->trailCount == asked->trailCapacity)
	{
		asked->trailCapacity = asked->trailCapacity > 0 ? 2 * asked->trailCapacity : 1024;
		asked->trail = cliReallocate(asked->trail, (size_t)asked->trailCapacity * sizeof(rpGroundTransform));
	}
	asked->trail[asked->trailCount++] = rpPose_GetGround(pose);
}

bool cliCheckWalkPicture(cliRun* run)
{
	const char* picture = cliGet(run, "picture");
	if (picture != NULL && !cliHasEnding(picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture writes .png or .svg, not %s", picture);
	return picture == NULL || cliCheckOutput(run, picture);
}

bool cliNoteAsked(cliRun* run, const cliAsked* asked, rpMotion* motion)
{
	rpError error = {0};
	return asked->points == NULL || rpMotion_NotePath(motion, asked->trail, asked->points, asked->count, &error) ||
		   cliFailWork(run, &error);
}

bool cliDrawWalk(cliRun* run, const cliAsked* asked, const rpMotion* motion, json_t* facts)
{
	const char* picture = cliGet(run, "picture");
	rpError error = {0};
	if (picture == NULL)
		return true;
	rpPathMapDef map = asked->map;
	map.trail = asked->trail;
	if (!rpDrawPathMap(motion, picture, &map, &error))
		return cliFailWork(run, &error);
	json_object_set_new(facts, "picture", cliMakeText(picture));
	cliPrint(run, "%s", picture);
	return true;
}
