/// Load a motion file and look at it: length, body, what the doctor found, where the feet touch the floor.
/// load_and_look FILE…; without a file it looks at a walk that it makes by itself.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

static void showContacts(const rpMotion* motion)
{
	rpInterval contacts[8];
	int count = rpMotion_GetIntervals(motion, rp_trackContact, contacts, 8);
	for (int i = 0; i < count && i < 8; ++i)
	{
		rpVec3 place;
		int frame = rpMotion_GetFrame(motion, contacts[i].start);
		rpMotion_GetEffector(motion, frame, contacts[i].effector, &place);
		printf("  %s down from %.2f to %.2f s at (%.2f, %.2f, %.2f) m\n", rpEffector_GetName(contacts[i].effector),
			   contacts[i].start, contacts[i].end, (double)place.x, (double)place.y, (double)place.z);
	}
}

static bool look(const char* path)
{
	rpFindings findings = {0};
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, NULL, &findings, &error);
	for (int i = 0; i < findings.count; ++i)
	{
		printf("  found: %s; %s\n", findings.items[i].message, findings.items[i].action);
	}
	rpFindings_Free(&findings);
	if (motion == NULL)
	{
		fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
		return false;
	}
	int knee = rpSkeleton_FindRole(motion->skeleton, rp_roleLeftKnee);
	printf("%s: %.2f s at %g Hz, %d joints, %.2f m tall, its left knee is \"%s\"\n", motion->name,
		   rpMotion_GetDuration(motion), motion->fps, motion->skeleton->jointCount, (double)motion->skeleton->height,
		   knee >= 0 ? motion->skeleton->joints[knee].name : "not there");
	showContacts(motion);
	rpDestroyMotion(motion);
	return true;
}

int main(int argc, char** argv)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	rpMotion* walk = argc < 2 ? rpPerform(&def, NULL) : NULL;
	bool done = argc >= 2 || (walk != NULL && rpSaveMotion(walk, "sample_walk.bvh", NULL, NULL));
	rpDestroyMotion(walk);
	for (int i = 1; done && i < (argc < 2 ? 2 : argc); ++i)
	{
		done = look(argc < 2 ? "sample_walk.bvh" : argv[i]);
	}
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
