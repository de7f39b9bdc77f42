/// Edit a motion and save it: two seconds of it, then the same two seconds mirrored and slowed down.
/// edit_and_save [IN OUT]; without files it edits a walk that it makes by itself and writes sample_edited.glb.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

// The first half at full speed, the second at half of it, with a smooth change between them.
static rpMotion* slowDown(const rpMotion* motion, rpError* error)
{
	double end = rpMotion_GetDuration(motion);
	const double newTimes[] = {0.0, 0.5 * end, 1.5 * end}, oldTimes[] = {0.0, 0.5 * end, end};
	rpWarp warp = {newTimes, oldTimes, 3, true};
	return rpRetimeMotion(motion, &warp, error);
}

// Put the motion where another one ends, facing in the same direction.
static rpMotion* continueFrom(const rpMotion* motion, const rpMotion* before, rpError* error)
{
	rpGroundTransform start = rpMotion_GetGround(motion, 0), end = rpMotion_GetGround(before, before->frameCount - 1);
	return rpMoveMotion(motion, rpGroundTransform_Compose(end, rpGroundTransform_Invert(start)), error);
}

// Each edit makes a new motion; labels, contacts and sources go along. NULL stops the chain.
static rpMotion* edit(const rpMotion* motion, rpError* error)
{
	double length = rpMotion_GetDuration(motion);
	rpMotion* part = rpCropMotion(motion, 0.0, length < 2.0 ? length : 2.0, error);
	rpMotion* mirrored = part != NULL ? rpMirrorMotion(part, error) : NULL;
	rpMotion* slow = mirrored != NULL ? slowDown(mirrored, error) : NULL;
	rpMotion* next = slow != NULL ? continueFrom(slow, part, error) : NULL;
	const rpMotion* const both[] = {part, next};
	rpMotion* joined = next != NULL ? rpJoinMotions(both, 2, error) : NULL;
	rpDestroyMotion(part);
	rpDestroyMotion(mirrored);
	rpDestroyMotion(slow);
	rpDestroyMotion(next);
	return joined;
}

int main(int argc, char** argv)
{
	rpError error = {0};
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	const char* path = argc > 2 ? argv[2] : "sample_edited.glb";
	rpMotion* motion = argc > 2 ? rpLoadMotion(argv[1], NULL, NULL, &error) : rpPerform(&def, &error);
	rpMotion* edited = motion != NULL ? edit(motion, &error) : NULL;
	bool done = edited != NULL && rpSaveMotion(edited, path, NULL, &error);
	if (done)
	{
		printf("%s: %.2f s from %.2f s\n", path, rpMotion_GetDuration(edited), rpMotion_GetDuration(motion));
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(edited);
	return done ? EXIT_SUCCESS : (fprintf(stderr, "%s\n", error.message), EXIT_FAILURE);
}
