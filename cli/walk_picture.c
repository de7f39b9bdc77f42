#include "walk_picture.h"

#include "clip.h"

cliAsked cliNothingAsked(void)
{
	return (cliAsked){.map = rpDefaultPathMapDef()};
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
	return asked->points == NULL || rpMotion_NotePath(motion, asked->points, asked->count, &error) ||
		   cliFailWork(run, &error);
}

bool cliDrawWalk(cliRun* run, const cliAsked* asked, const rpMotion* motion, json_t* facts)
{
	const char* picture = cliGet(run, "picture");
	rpError error = {0};
	if (picture == NULL)
		return true;
	if (!rpDrawPathMap(motion, picture, &asked->map, &error))
		return cliFailWork(run, &error);
	json_object_set_new(facts, "picture", cliMakeText(picture));
	cliPrint(run, "%s", picture);
	return true;
}
